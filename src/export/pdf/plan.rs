//! What is to be drawn: every distinct face once. A face that lies in several places becomes a form; one that lies in a
//! single place is drawn in its page.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::canvas::{Bounds, Canvas, Content, form};
use super::ink::Ink;
use super::notes::{Note, Notes, What};
use super::parts::Parts;
use super::resource::Piece;
use super::shared::{Drawings, FaceOn, SharedArt};
use super::text::Subsets;
use crate::compose::face::{Face, FaceHash, GlyphRun, Layer};
use crate::export::art;
use crate::geometry::Affine;
use crate::sheet::{Placement, Sheet};
use crate::units::{EMU_PER_MM, EMU_PER_PT};

/// Points in a millimetre.
const PT_PER_MM: f64 = EMU_PER_MM as f64 / EMU_PER_PT as f64;

/// The distinct faces of a document, and what else is drawn.
pub(super) struct Plan<'a> {
    sheets: &'a [Sheet],
    faces: Vec<Planned<'a>>,
    by_hash: BTreeMap<FaceHash, usize>,
}

/// A face, and where it lies.
struct Planned<'a> {
    face: &'a Face,
    first: Spot<'a>,
    uses: usize,
    bounds: Bounds,
}

/// A place on a page.
#[derive(Clone, Copy)]
struct Spot<'a> {
    placement: &'a Placement,
    sheet: &'a Sheet,
    slot: usize,
}

/// What was drawn, by the name that pages call it by.
#[derive(Default)]
pub(super) struct Drawn {
    /// Forms, and whether they are transparent.
    pub(super) forms: BTreeMap<String, (Arc<Piece>, bool)>,
    /// What stands in the page itself.
    pub(super) inline: BTreeMap<String, Content>,
    /// What the user should know.
    pub(super) notes: Vec<Note>,
    /// The pieces with something transparent on them.
    transparent: Vec<String>,
}

/// From the millimetres of a sheet, y downwards, to the points of its page, y upwards.
pub(super) fn page_matrix(sheet: &Sheet) -> Affine {
    Affine { a: PT_PER_MM, d: -PT_PER_MM, f: sheet.page.h.to_pt(), ..Affine::IDENTITY }
}

impl<'a> Plan<'a> {
    /// Finds the distinct faces, in the order in which they first appear.
    pub(super) fn of(sheets: &'a [Sheet]) -> Self {
        let mut plan = Plan { sheets, faces: Vec::new(), by_hash: BTreeMap::new() };
        for sheet in sheets {
            for (slot, placement) in sheet.placements.iter().enumerate() {
                plan.add(Spot { placement, sheet, slot });
            }
        }
        plan
    }

    fn add(&mut self, spot: Spot<'a>) {
        let face: &Face = &spot.placement.face;
        let index = *self.by_hash.entry(face.hash).or_insert(self.faces.len());
        if index == self.faces.len() {
            self.faces.push(Planned { face, first: spot, uses: 0, bounds: art::bounds(face) });
        }
        let planned = &mut self.faces[index];
        planned.uses += 1;
        planned.bounds = planned.bounds.outset(reach(spot.placement, planned.bounds));
    }

    /// All runs of text, faces first.
    pub(super) fn runs(&self) -> impl Iterator<Item = &GlyphRun> {
        let layers = self.faces.iter().flat_map(|planned| &planned.face.layers);
        let texts = layers.flat_map(|layer| match layer {
            Layer::Art(_) => [].iter(),
            Layer::Text(runs) => runs.iter(),
        });
        texts.chain(self.sheets.iter().flat_map(|sheet| &sheet.words))
    }

    /// The name by which a page calls the face that lies there.
    pub(super) fn name(&self, placement: &Placement) -> String {
        let index = self.by_hash.get(&placement.face.hash).copied().unwrap_or_default();
        self.name_of(index)
    }

    fn name_of(&self, index: usize) -> String {
        let form = self.faces.get(index).is_some_and(|planned| planned.uses > 1);
        format!("{}{index}", if form { "Face" } else { "Once" })
    }

    /// The name by which a page calls its own words.
    pub(super) fn words_name(page: usize) -> String {
        format!("Words{page}")
    }

    /// Draws all of it, side by side.
    pub(super) fn draw(&self, subsets: &Subsets, ink: Ink<'_>) -> Drawn {
        let press = (subsets, ink);
        let drawings = Drawings::of(self.faces.iter().map(Planned::drawn_at));
        let parts = Parts::of(&drawings.all(), press);
        let shared = drawings.draw(press, &parts);
        let faces: Vec<Content> = self.faces.par_iter().map(|planned| planned.draw(press, &shared, &parts)).collect();
        let mut drawn = Drawn::default();
        for (index, (planned, content)) in self.faces.iter().zip(faces).enumerate() {
            drawn.add(self.name_of(index), planned, content);
        }
        drawn.notes.extend(shared.notes());
        drawn.notes.extend(parts.notes());
        for (page, sheet) in self.sheets.iter().enumerate().filter(|(_, sheet)| !sheet.words.is_empty()) {
            let mut canvas = Canvas::new(press, art::page_bounds(sheet), page_matrix(sheet), "w");
            canvas.text(&sheet.words, Affine::IDENTITY);
            drawn.inline.insert(Self::words_name(page), canvas.finish());
        }
        drawn
    }
}

impl Drawn {
    /// Says of which pieces something is transparent.
    pub(super) fn report_transparent(&mut self) {
        let note = |piece| Note { piece, what: What::Transparent, count: 1 };
        self.notes.extend(std::mem::take(&mut self.transparent).into_iter().map(note));
    }

    fn add(&mut self, name: String, planned: &Planned<'_>, content: Content) {
        self.notes.extend(content.notes.about(&planned.first.placement.piece));
        if content.transparent {
            self.transparent.push(planned.first.placement.piece.clone());
        }
        if planned.uses > 1 {
            let form = form(content.bytes, content.resources, planned.bounds, None);
            self.forms.insert(name, (Arc::new(form), content.transparent));
        } else {
            self.inline.insert(name, Content { notes: Notes::default(), ..content });
        }
    }
}

impl<'a> Planned<'a> {
    fn drawn_at(&self) -> FaceOn<'a> {
        FaceOn { face: self.face, piece: &self.first.placement.piece, bounds: self.bounds }
    }

    fn draw(&self, press: (&Subsets, Ink<'_>), shared: &SharedArt<'_>, parts: &Parts<'_>) -> Content {
        let spot = self.first;
        let (base, prefix) = if self.uses > 1 {
            (Affine::IDENTITY, String::new())
        } else {
            (page_matrix(spot.sheet).then_inner(spot.placement.transform), format!("p{}", spot.slot))
        };
        let mut canvas = Canvas::new(press, self.bounds, base, &prefix).with_parts(parts);
        for layer in &self.face.layers {
            match layer {
                Layer::Art(drawing) => match shared.find(self.face, drawing) {
                    Some(known) => canvas.shared(known),
                    None => canvas.nodes(drawing.tree.root().children(), art::placement(self.face, drawing)),
                },
                Layer::Text(runs) => canvas.text(runs, Affine::IDENTITY),
            }
        }
        canvas.finish()
    }
}

/// How far the clip of a placement reaches beyond `bounds` of its face.
fn reach(placement: &Placement, bounds: Bounds) -> f64 {
    let seen = art::bounds_of(placement.clip);
    let drawn = bounds.mapped(placement.transform);
    let beyond = [drawn.left - seen.left, drawn.top - seen.top, seen.right - drawn.right, seen.bottom - drawn.bottom];
    beyond.into_iter().fold(0.0, f64::max)
}
