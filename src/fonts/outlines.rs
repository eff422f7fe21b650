//! What glyphs look like, as hashes: another edition of a font may draw the same glyphs otherwise under the same numbers and names.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use ttf_parser::{Face, GlyphId, OutlineBuilder, Rect};

use super::FontFace;

/// The hash of a glyph's outline.
pub type OutlineHash = [u8; 16];

/// The outlines that were asked for so far.
#[derive(Default)]
pub(super) struct Known(RwLock<HashMap<u16, Outline>>);

/// What is known of an outline: its hash, and the box around it in font units.
#[derive(Clone, Copy)]
struct Outline {
    hash: OutlineHash,
    ink: Option<Rect>,
}

impl FontFace {
    /// The hashes of the outlines of `glyphs`; equal hashes look equal at equal sizes.
    pub fn outlines(&self, glyphs: impl Iterator<Item = u16> + Clone) -> Vec<OutlineHash> {
        self.look_up(glyphs).into_iter().map(|outline| outline.hash).collect()
    }

    /// The box around the ink of `glyph` as shares of the em, above the baseline: left, bottom, right, top. None where it leaves none.
    pub fn ink(&self, glyph: u16) -> Option<[f64; 4]> {
        let ink = self.look_up(std::iter::once(glyph)).first()?.ink?;
        Some([ink.x_min, ink.y_min, ink.x_max, ink.y_max].map(|side| f64::from(side) / self.units_per_em))
    }

    fn look_up(&self, glyphs: impl Iterator<Item = u16> + Clone) -> Vec<Outline> {
        self.known(glyphs.clone()).unwrap_or_else(|| {
            let drawn = self.drawn(glyphs.clone());
            self.known_outlines.0.write().unwrap_or_else(PoisonError::into_inner).extend(drawn);
            self.known(glyphs).unwrap_or_default()
        })
    }

    /// None where one of them was never asked for.
    fn known(&self, mut glyphs: impl Iterator<Item = u16>) -> Option<Vec<Outline>> {
        let known = self.known_outlines.0.read().unwrap_or_else(PoisonError::into_inner);
        let room = Vec::with_capacity(glyphs.size_hint().0);
        glyphs.try_fold(room, |mut found, glyph| {
            found.push(*known.get(&glyph)?);
            Some(found)
        })
    }

    fn is_known(&self, glyph: u16) -> bool {
        self.known_outlines.0.read().unwrap_or_else(PoisonError::into_inner).contains_key(&glyph)
    }

    /// Those of `glyphs` that were never asked for, with their outlines.
    fn drawn(&self, glyphs: impl Iterator<Item = u16>) -> Vec<(u16, Outline)> {
        // A face that was loaded can be parsed, and a glyph without an outline is empty.
        let face = Face::parse(self.bytes(), self.index).ok();
        let mut pen = Pen::default();
        let drawn = glyphs.filter(|glyph| !self.is_known(*glyph)).map(|glyph| {
            pen.0.clear();
            pen.0.extend(self.units_per_em.to_bits().to_le_bytes());
            let ink = face.as_ref().and_then(|face| face.outline_glyph(GlyphId(glyph), &mut pen));
            let mut hash = OutlineHash::default();
            blake3::Hasher::new().update(&pen.0).finalize_xof().fill(&mut hash);
            (glyph, Outline { hash, ink })
        });
        drawn.collect()
    }
}

/// Writes an outline down for the hash.
#[derive(Default)]
struct Pen(Vec<u8>);

impl Pen {
    fn put<const N: usize>(&mut self, letter: u8, numbers: [f32; N]) {
        self.0.push(letter);
        self.0.extend_from_slice(numbers.map(|number| number.to_bits().to_le_bytes()).as_flattened());
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.put(b'm', [x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.put(b'l', [x, y]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.put(b'q', [x1, y1, x, y]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.put(b'c', [x1, y1, x2, y2, x, y]);
    }

    fn close(&mut self) {
        self.put(b'z', []);
    }
}
