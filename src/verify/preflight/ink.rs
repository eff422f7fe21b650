//! Where the ink of placed glyphs is.

use std::collections::HashMap;

use super::flaw::{Extent, around};
use crate::compose::face::GlyphRun;
use crate::fonts::{FontId, Fonts};
use crate::geometry::Affine;

/// Measures glyphs, each once.
pub struct Inks<'a> {
    fonts: &'a Fonts,
    known: HashMap<(FontId, u16), Option<[f64; 4]>>,
}

impl<'a> Inks<'a> {
    /// For glyphs of `fonts`.
    pub fn new(fonts: &'a Fonts) -> Self {
        Inks { fonts, known: HashMap::new() }
    }

    /// The rectangles around the glyphs of a run that leave ink, in the millimetres of the face.
    pub fn of(&mut self, run: &GlyphRun) -> Vec<Extent> {
        let boxes = run.glyphs.iter().filter_map(|glyph| {
            let [left, bottom, right, top] = self.glyph(run.font, glyph.id)?;
            let (size, x, y) = (f64::from(run.size), f64::from(glyph.x), f64::from(glyph.y));
            let [left, right] = [left, right].map(|side| x + side * size);
            let [top, bottom] = [top, bottom].map(|side| y - side * size);
            Some(mapped([left, top, right, bottom], run.transform))
        });
        boxes.collect()
    }

    /// The ink of a glyph as shares of the em, above the baseline: left, bottom, right, top.
    fn glyph(&mut self, font: FontId, glyph: u16) -> Option<[f64; 4]> {
        let fonts = self.fonts;
        *self.known.entry((font, glyph)).or_insert_with(|| fonts.face(font).ink(glyph))
    }
}

/// The upright rectangle around a mapped one.
pub fn mapped([left, top, right, bottom]: Extent, map: Affine) -> Extent {
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| map.apply(x, y));
    // There are four corners.
    around(corners.map(|(x, y)| [x, y, x, y])).unwrap_or_default()
}

/// How much a map enlarges, whichever way.
pub fn enlargement(map: Affine) -> f64 {
    (map.a * map.d - map.b * map.c).abs().sqrt()
}
