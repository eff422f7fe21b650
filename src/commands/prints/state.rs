//! The pieces of a kit as the data now makes them: in the words of a record, and their faces.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::fields;
use super::record::{Look, Piece, Pieces};
use crate::commands::kit::{self, KitOptions};
use crate::commands::session::Session;
use crate::compose::Composer;
use crate::compose::face::Face;
use crate::diagnostics::Report;
use crate::export::png::{self, Area};
use crate::export::{small, svg};
use crate::fonts::Fonts;
use crate::model::{Game, Kind, KitSize};
use crate::sheet::Paper;

/// Dots per inch of pictures: half as many again as most screens have.
const DPI: f64 = 150.0;
/// The most dots on the longer side of a picture: more are not seen at once.
const MOST_DOTS: f64 = 1600.0;

/// A picture of a face: its drawing, or dots where those take fewer bytes.
pub struct Picture {
    /// Its media type.
    pub kind: &'static str,
    /// What a file of it would hold.
    pub bytes: Vec<u8>,
}

/// A kit that was composed.
pub struct State {
    /// Its pieces.
    pub pieces: Pieces,
    faces: BTreeMap<String, (Arc<Face>, Option<Arc<Face>>)>,
    fonts: Arc<Fonts>,
}

impl State {
    /// Composes the kit of `game` for `size`, as it is on the default paper: whatever paper it is printed on, a record is the same.
    /// What is wrong goes to `report`, and then pieces may be missing.
    pub fn of(session: &Session, composer: &Composer<'_>, game: &Game, size: KitSize, report: &mut Report) -> Self {
        let gathered = kit::gather(composer, game, size, &KitOptions::new(Paper::a4()), report);
        let mut state = State { pieces: Pieces::new(), faces: BTreeMap::new(), fonts: Arc::clone(&session.fonts) };
        for piece in kit::pieces(&gathered.stacks) {
            let faces = (Arc::clone(&piece.front), piece.back.clone());
            state.faces.insert(piece.address.clone(), faces);
        }
        for component in game.components.iter().filter(|component| component.kind != Kind::Page) {
            for piece in component.stack(size) {
                let Some((front, back)) = state.faces.get(&piece.address) else { continue };
                let known = state.pieces.entry(piece.address.clone()).or_insert_with(|| Piece {
                    copies: 0,
                    look: Look {
                        trim: front.trim.to_string(),
                        shape: component.outline.name().to_owned(),
                        front: front.hash.to_string(),
                        back: back.as_ref().map(|back| back.hash.to_string()),
                    },
                    fields: fields::of(&piece.record.node),
                });
                known.copies += 1;
            }
        }
        state
    }

    /// The front of the piece at `address`, or its back, as a picture for a page.
    pub fn picture(&self, address: &str, is_front: bool) -> Option<Picture> {
        let (front, back) = self.faces.get(address)?;
        let face = if is_front { front } else { back.as_ref()? };
        let drawing = Picture { kind: "image/svg+xml", bytes: svg::face(face, &self.fonts).into_bytes() };
        let longer = face.trim.w.to_mm().max(face.trim.h.to_mm()) / 25.4;
        let dots = png::face(face, &self.fonts, DPI.min(MOST_DOTS / longer), Area::Trim).and_then(small::encode);
        let Ok(bytes) = dots else { return Some(drawing) };
        let dots = Picture { kind: "image/png", bytes };
        Some(if dots.bytes.len() < drawing.bytes.len() { dots } else { drawing })
    }

    /// The hash of all that shows on the front of the piece at `address`, or on its back.
    pub fn look(&self, address: &str, is_front: bool) -> Option<&str> {
        let look = &self.pieces.get(address)?.look;
        if is_front { Some(&look.front) } else { look.back.as_deref() }
    }

    /// Width and height of the piece at `address`, in millimetres.
    pub fn size(&self, address: &str) -> Option<[f64; 2]> {
        self.faces.get(address).map(|(front, _)| [front.trim.w.to_mm(), front.trim.h.to_mm()])
    }
}
