//! Patterns, as tiling patterns.

use std::sync::Arc;

use lopdf::dictionary;
use resvg::usvg;

use super::canvas::{Bounds, Brush, Canvas, Part, matrix, number};
use super::paths::{affine, distance};
use super::resource::Piece;
use crate::geometry::Affine;

impl Canvas<'_> {
    /// Lets `draw` draw a path with a pattern.
    pub(super) fn tiled(
        &mut self,
        part: Part,
        pattern: &usvg::Pattern,
        opacity: f64,
        place: Affine,
        draw: impl FnOnce(&mut Self),
    ) {
        let Some(tile) = self.tile(pattern, place) else { return };
        let name = self.name_pattern(tile);
        self.set_brush(part, Brush::Pattern(name));
        self.set_alpha(opacity * self.dim);
        draw(self);
    }

    /// The pattern. Its cell is drawn at the size that it has on the face, so that rounding does no harm.
    fn tile(&mut self, pattern: &usvg::Pattern, place: Affine) -> Option<Arc<Piece>> {
        let place = place.then_inner(affine(pattern.transform()));
        let (across, down) = (distance(place.a, place.b), distance(place.c, place.d));
        let rect = pattern.rect();
        let (width, height) = (f64::from(rect.width()) * across, f64::from(rect.height()) * down);
        if !(width > 1e-3 && height > 1e-3) {
            return None;
        }
        let cell = Bounds { left: 0.0, top: 0.0, right: width, bottom: height };
        let mut canvas = self.part(cell, self.ink);
        canvas.nodes(pattern.root().children(), Affine::scale(across, down));
        let content = canvas.finish();
        self.notes.extend(content.notes);
        self.transparent |= content.transparent;
        let corner = Affine::translate(f64::from(rect.x()), f64::from(rect.y()));
        let map = self.base.then_inner(place).then_inner(corner).then_inner(Affine::scale(1.0 / across, 1.0 / down));
        let dict = dictionary! {
            "Type" => "Pattern",
            "PatternType" => 1,
            "PaintType" => 1,
            "TilingType" => 1,
            "BBox" => cell.object(),
            "XStep" => number(width),
            "YStep" => number(height),
            "Matrix" => matrix(map),
        };
        Some(Arc::new(Piece { dict, data: Some(content.bytes), resources: content.resources, ..Piece::default() }))
    }
}
