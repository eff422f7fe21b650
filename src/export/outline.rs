//! The outlines of glyphs, placed: what pictures fill and what SVG writes down.

use resvg::tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{GlyphId, OutlineBuilder};

use crate::compose::face::GlyphRun;
use crate::fonts::Fonts;
use crate::geometry::Affine;

/// All glyphs of a run as one path, in the millimetres of the run. None when there is nothing to see.
pub(super) fn run(fonts: &Fonts, run: &GlyphRun) -> Option<Path> {
    let font = fonts.face(run.font);
    let face = ttf_parser::Face::parse(font.bytes(), font.index).ok()?;
    let scale = (f64::from(run.size) / font.units_per_em) as f32;
    let mut pen = Pen { path: PathBuilder::new(), scale, x: 0.0, y: 0.0 };
    for glyph in &run.glyphs {
        (pen.x, pen.y) = (glyph.x, glyph.y);
        face.outline_glyph(GlyphId(glyph.id), &mut pen);
    }
    pen.path.finish()
}

/// The transform of a map, for drawing.
pub(super) fn transform(m: Affine) -> Transform {
    let [a, b, c, d, e, f] = [m.a, m.b, m.c, m.d, m.e, m.f].map(|part| part as f32);
    Transform::from_row(a, b, c, d, e, f)
}

/// Draws outlines at a place; fonts count upwards, faces downwards.
struct Pen {
    path: PathBuilder,
    scale: f32,
    x: f32,
    y: f32,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (x.mul_add(self.scale, self.x), (-y).mul_add(self.scale, self.y))
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}
