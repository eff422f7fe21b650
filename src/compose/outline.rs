//! Glyphs as outlines, for text that is part of a drawing and for exports that take no fonts.

use svg::Node as _;
use svg::node::element::Element as Written;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::face::GlyphRun;
use crate::fonts::Fonts;
use crate::geometry::Affine;
use crate::units;

/// Writes the outline of a glyph as SVG path data, mapped by `map` from font units.
struct PathData {
    data: String,
    map: Affine,
}

impl PathData {
    fn command(&mut self, command: char, points: &[(f32, f32)]) {
        self.data.push(command);
        for (at, (x, y)) in points.iter().enumerate() {
            let (x, y) = self.map.apply(f64::from(*x), f64::from(*y));
            if at > 0 {
                self.data.push(' ');
            }
            units::write_decimals(x, &mut self.data);
            self.data.push(' ');
            units::write_decimals(y, &mut self.data);
        }
    }
}

impl OutlineBuilder for PathData {
    fn move_to(&mut self, x: f32, y: f32) {
        self.command('M', &[(x, y)]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.command('L', &[(x, y)]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.command('Q', &[(x1, y1), (x, y)]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.command('C', &[(x1, y1), (x2, y2), (x, y)]);
    }

    fn close(&mut self) {
        self.data.push('Z');
    }
}

/// The outlines of `run` as SVG path data, in the coordinates that its transform leads to.
pub fn path_data(run: &GlyphRun, fonts: &Fonts) -> String {
    let face = fonts.face(run.font);
    let mut path = PathData { data: String::new(), map: Affine::IDENTITY };
    if let Ok(outlines) = Face::parse(face.bytes(), face.index) {
        let scale = f64::from(run.size) / face.units_per_em;
        for glyph in &run.glyphs {
            let place = Affine::translate(f64::from(glyph.x), f64::from(glyph.y));
            path.map = run.transform.then_inner(place).then_inner(Affine::scale(scale, -scale));
            outlines.outline_glyph(GlyphId(glyph.id), &mut path);
        }
    }
    path.data
}

/// The outlines of `run` as a filled `<path>`.
pub fn outline(run: &GlyphRun, fonts: &Fonts) -> Written {
    let mut path = Written::new("path");
    path.assign("d", path_data(run, fonts));
    path.assign("fill", format!("#{:02x}{:02x}{:02x}", run.fill.r, run.fill.g, run.fill.b));
    if run.fill.opacity < 1.0 {
        path.assign("fill-opacity", run.fill.opacity);
    }
    path
}
