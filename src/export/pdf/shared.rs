//! Drawings that stand on several faces: each is drawn once, as a form.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::canvas::{Bounds, Canvas};
use super::ink::Ink;
use super::notes::{Note, Notes};
use super::parts::{self, Parts};
use super::resource::Piece;
use super::text::Subsets;
use crate::compose::face::{Art, Face, Layer};
use crate::export::art;
use crate::geometry::{Affine, Size};

/// A face, the piece that shows it first, and what can be seen of it.
#[derive(Clone, Copy)]
pub(super) struct FaceOn<'a> {
    pub(super) face: &'a Face,
    pub(super) piece: &'a str,
    pub(super) bounds: Bounds,
}

/// All drawings that several faces have in common.
pub(super) struct SharedArt<'a>(BTreeMap<Key<'a>, Drawing<'a>>);

/// A drawing that several faces have in common.
pub(super) struct Drawing<'a> {
    form: Arc<Piece>,
    transparent: bool,
    notes: Notes,
    piece: &'a str,
}

/// Drawings are the same when their text is, and when they are mapped to the same trim.
type Key<'a> = (Size, &'a str);

/// Where a drawing was found.
struct Found<'a> {
    art: &'a Art,
    first: FaceOn<'a>,
    bounds: Bounds,
    uses: usize,
}

fn key<'a>(face: &Face, art: &'a Art) -> Key<'a> {
    (face.trim, art.svg.as_str())
}

/// The drawings of all faces: those that several have in common, and those that only one has.
pub(super) struct Drawings<'a> {
    common: BTreeMap<Key<'a>, Found<'a>>,
    single: Vec<parts::Drawing<'a>>,
}

impl<'a> Drawings<'a> {
    /// Looks through `faces`.
    pub(super) fn of(faces: impl Iterator<Item = FaceOn<'a>>) -> Self {
        let mut found: BTreeMap<Key<'a>, Found<'a>> = BTreeMap::new();
        for on in faces {
            for layer in &on.face.layers {
                let Layer::Art(art) = layer else { continue };
                let new = Found { art, first: on, bounds: on.bounds, uses: 0 };
                let known = found.entry(key(on.face, art)).or_insert(new);
                known.bounds = known.bounds.union(on.bounds);
                known.uses += 1;
            }
        }
        let single = found.values().filter(|found| found.uses == 1).map(Found::drawing).collect();
        found.retain(|_, found| found.uses > 1);
        Drawings { common: found, single }
    }

    /// Each drawing once.
    pub(super) fn all(&self) -> Vec<parts::Drawing<'a>> {
        self.common.values().map(Found::drawing).chain(self.single.iter().copied()).collect()
    }

    /// Draws what several faces have in common.
    pub(super) fn draw(self, press: (&Subsets, Ink<'_>), parts: &Parts<'_>) -> SharedArt<'a> {
        SharedArt(self.common.into_par_iter().map(|(key, found)| (key, found.draw(press, parts))).collect())
    }
}

impl<'a> SharedArt<'a> {
    /// The drawing, where several faces have it.
    pub(super) fn find<'s>(&'s self, face: &Face, art: &'s Art) -> Option<&'s Drawing<'a>> {
        let drawings: &'s BTreeMap<Key<'s>, Drawing<'a>> = &self.0;
        drawings.get(&key(face, art))
    }

    /// What was found on the way; each said once, for the first piece that shows it.
    pub(super) fn notes(self) -> impl Iterator<Item = Note> {
        self.0.into_values().flat_map(|drawing| drawing.notes.about(drawing.piece))
    }
}

impl<'a> Found<'a> {
    fn drawing(&self) -> parts::Drawing<'a> {
        let place = art::placement(self.first.face, self.art);
        parts::Drawing { tree: &self.art.tree, place, piece: self.first.piece }
    }

    fn draw(self, press: (&Subsets, Ink<'_>), parts: &Parts<'_>) -> Drawing<'a> {
        let mut canvas = Canvas::new(press, self.bounds, Affine::IDENTITY, "").with_parts(parts);
        canvas.nodes(self.art.tree.root().children(), art::placement(self.first.face, self.art));
        let transparent = canvas.transparent;
        let (form, notes) = canvas.into_form(false);
        Drawing { form, transparent, notes, piece: self.first.piece }
    }
}

impl Canvas<'_> {
    /// Paints a drawing that several faces have in common.
    pub(super) fn shared(&mut self, drawing: &Drawing<'_>) {
        self.set_alpha(1.0);
        self.paint_object(Arc::clone(&drawing.form));
        self.transparent |= drawing.transparent;
    }
}
