//! What glyphs look like, as hashes: another edition of a font may draw the same glyphs otherwise under the same numbers and names.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use ttf_parser::{GlyphId, OutlineBuilder};

use super::FontFace;

/// The hash of a glyph's outline.
pub type OutlineHash = [u8; 16];

/// The outlines that were asked for so far.
#[derive(Default)]
pub(super) struct Known(RwLock<HashMap<u16, OutlineHash>>);

impl FontFace {
    /// The hashes of the outlines of `glyphs`; equal hashes look equal at equal sizes.
    pub fn outlines(&self, glyphs: impl Iterator<Item = u16> + Clone) -> Vec<OutlineHash> {
        let known = self.known_outlines.0.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(all) = glyphs.clone().map(|glyph| known.get(&glyph).copied()).collect() {
            return all;
        }
        drop(known);
        let mut known = self.known_outlines.0.write().unwrap_or_else(PoisonError::into_inner);
        glyphs.map(|glyph| *known.entry(glyph).or_insert_with(|| self.hash_outline(glyph))).collect()
    }

    fn hash_outline(&self, glyph: u16) -> OutlineHash {
        let mut pen = Pen(blake3::Hasher::new());
        pen.0.update(&self.units_per_em.to_bits().to_le_bytes());
        // A face that was loaded can be parsed, and a glyph without an outline is empty.
        if let Ok(face) = ttf_parser::Face::parse(self.bytes(), self.index) {
            face.outline_glyph(GlyphId(glyph), &mut pen);
        }
        let mut hash = [0; 16];
        pen.0.finalize_xof().fill(&mut hash);
        hash
    }
}

/// Writes an outline down for the hash.
struct Pen(blake3::Hasher);

impl Pen {
    fn put(&mut self, letter: u8, numbers: &[f32]) {
        self.0.update(&[letter]);
        numbers.iter().for_each(|number| {
            self.0.update(&number.to_bits().to_le_bytes());
        });
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.put(b'm', &[x, y]);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.put(b'l', &[x, y]);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.put(b'q', &[x1, y1, x, y]);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.put(b'c', &[x1, y1, x2, y2, x, y]);
    }

    fn close(&mut self) {
        self.put(b'z', &[]);
    }
}
