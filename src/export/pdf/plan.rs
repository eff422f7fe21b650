//! What is to be drawn: every distinct face once. A face that lies in several places becomes a form; one that lies in a
//! single place is drawn in its page.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::canvas::{Bounds, Canvas, Content};
use super::notes::{Note, Notes};
use super::resource::Piece;
use super::text::Subsets;
use crate::compose::face::{Art, Face, FaceHash, GlyphRun, Layer};
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
    pub(super) fn draw(&self, subsets: &Subsets) -> Drawn {
        let shared = self.shared_art(subsets);
        let faces: Vec<Content> = self.faces.par_iter().map(|planned| planned.draw(subsets, &shared)).collect();
        let mut drawn = Drawn::default();
        for (index, (planned, mut content)) in self.faces.iter().zip(faces).enumerate() {
            drawn.notes.extend(std::mem::take(&mut content.notes).about(&planned.first.placement.piece));
            let name = self.name_of(index);
            if planned.uses > 1 {
                let transparent = content.transparent;
                let form = super::canvas::form(content.bytes, content.resources, planned.bounds, None);
                drawn.forms.insert(name, (Arc::new(form), transparent));
            } else {
                drawn.inline.insert(name, content);
            }
        }
        for (page, sheet) in self.sheets.iter().enumerate().filter(|(_, sheet)| !sheet.words.is_empty()) {
            let mut canvas = Canvas::new(subsets, art::page_bounds(sheet), page_matrix(sheet), "w");
            canvas.text(&sheet.words, Affine::IDENTITY);
            drawn.inline.insert(Self::words_name(page), canvas.finish());
        }
        drawn
    }

    /// Drawings that stand on several distinct faces, as forms.
    fn shared_art(&self, subsets: &Subsets) -> SharedArt<'a> {
        let mut found: BTreeMap<ArtKey<'a>, (&'a Arc<Art>, &'a Face, Bounds, usize)> = BTreeMap::new();
        for planned in &self.faces {
            for layer in &planned.face.layers {
                let Layer::Art(drawing) = layer else { continue };
                let entry =
                    found.entry(art_key(planned.face, drawing)).or_insert((drawing, planned.face, planned.bounds, 0));
                entry.2 = entry.2.union(planned.bounds);
                entry.3 += 1;
            }
        }
        found.retain(|_, (_, _, _, uses)| *uses > 1);
        let draw = |(key, (drawing, face, bounds, _)): (ArtKey<'a>, (&Arc<Art>, &Face, Bounds, usize))| {
            let mut canvas = Canvas::new(subsets, bounds, Affine::IDENTITY, "");
            canvas.nodes(drawing.tree.root().children(), art::placement(face, drawing));
            let transparent = canvas.transparent;
            let (form, notes) = canvas.into_form(false);
            (key, Shared { form, transparent, notes })
        };
        found.into_par_iter().map(draw).collect()
    }
}

/// Drawings are the same when their text is and they are mapped to the same trim.
type ArtKey<'a> = (crate::geometry::Size, &'a str);

fn art_key<'a>(face: &Face, drawing: &'a Art) -> ArtKey<'a> {
    (face.trim, drawing.svg.as_str())
}

/// A drawing that several faces use.
struct Shared {
    form: Arc<Piece>,
    transparent: bool,
    notes: Notes,
}

type SharedArt<'a> = BTreeMap<ArtKey<'a>, Shared>;

impl Planned<'_> {
    fn draw(&self, subsets: &Subsets, shared: &SharedArt<'_>) -> Content {
        let spot = self.first;
        let (base, prefix) = if self.uses > 1 {
            (Affine::IDENTITY, String::new())
        } else {
            (page_matrix(spot.sheet).then_inner(spot.placement.transform), format!("p{}", spot.slot))
        };
        let mut canvas = Canvas::new(subsets, self.bounds, base, &prefix);
        for layer in &self.face.layers {
            match layer {
                Layer::Art(drawing) => match shared.get(&art_key(self.face, drawing)) {
                    Some(known) => canvas.shared(known),
                    None => canvas.nodes(drawing.tree.root().children(), art::placement(self.face, drawing)),
                },
                Layer::Text(runs) => canvas.text(runs, Affine::IDENTITY),
            }
        }
        canvas.finish()
    }
}

impl Canvas<'_> {
    fn shared(&mut self, drawing: &Shared) {
        self.set_alpha(1.0);
        self.paint_object(Arc::clone(&drawing.form));
        self.transparent |= drawing.transparent;
        self.notes.extend(drawing.notes.clone());
    }
}

/// How far the clip of a placement reaches beyond `bounds` of its face.
fn reach(placement: &Placement, bounds: Bounds) -> f64 {
    let seen = art::bounds_of(placement.clip);
    let drawn = bounds.mapped(placement.transform);
    let beyond = [drawn.left - seen.left, drawn.top - seen.top, seen.right - drawn.right, seen.bottom - drawn.bottom];
    beyond.into_iter().fold(0.0, f64::max)
}
