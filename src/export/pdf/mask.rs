//! Soft masks: a group whose brightness or opacity says how much is seen of what is painted.

use std::sync::Arc;

use lopdf::dictionary;
use resvg::usvg;

use super::canvas::{Bounds, Canvas};
use super::ink::Ink;
use super::paths::affine;
use super::resource::Piece;
use crate::geometry::Affine;

/// What of a group counts.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// How bright it is, on black.
    Luminosity,
    /// How opaque it is.
    Alpha,
}

/// The graphics state that masks with a form.
pub(super) fn soft_mask(form: Arc<Piece>, kind: Kind) -> Piece {
    let kind = match kind {
        Kind::Luminosity => "Luminosity",
        Kind::Alpha => "Alpha",
    };
    let mask =
        Piece { dict: dictionary! { "Type" => "Mask", "S" => kind }, parts: vec![("G", form)], ..Piece::default() };
    Piece { parts: vec![("SMask", Arc::new(mask))], ..Piece::default() }
}

impl Canvas<'_> {
    /// The graphics state for a mask on a group that is mapped by `place`. None when it lets nothing through.
    pub(super) fn mask(&mut self, mask: &usvg::Mask, place: Affine) -> Option<Piece> {
        let region = Bounds::around(mask.rect().to_rect(), place).common(self.bounds)?;
        if mask.root().children().is_empty() {
            return None;
        }
        let (ink, kind) = match mask.kind() {
            usvg::MaskType::Luminance => (Ink::Grey, Kind::Luminosity),
            usvg::MaskType::Alpha => (self.ink, Kind::Alpha),
        };
        let mut canvas = self.part(region, ink);
        canvas.clip_to(mask.rect().to_rect(), place);
        let place = place.then_inner(affine(mask.root().transform()));
        match mask.mask() {
            None => canvas.nodes(mask.root().children(), place),
            Some(outer) => {
                let outer = self.mask(outer, place)?;
                let mut inner = canvas.part(region, ink);
                inner.nodes(mask.root().children(), place);
                canvas.masked_form(outer, inner);
            }
        }
        let (form, notes) = canvas.into_form(true);
        self.notes.extend(notes);
        Some(soft_mask(form, kind))
    }

    /// Paints another canvas as a group, under a graphics state.
    pub(super) fn masked_form(&mut self, state: Piece, content: Canvas<'_>) {
        let (form, notes) = content.into_form(true);
        self.notes.extend(notes);
        self.save();
        self.apply(state);
        self.paint_object(form);
        self.restore();
    }

    /// Clips to a rectangle that is mapped by `place`.
    fn clip_to(&mut self, rect: resvg::tiny_skia::Rect, place: Affine) {
        self.outline(&resvg::tiny_skia::PathBuilder::from_rect(rect), place);
        self.stream.word("W n");
    }
}
