//! The hash of a face: everything that shows on it, and nothing that does not. Whoever prints anew only what changed relies on it.

use resvg::usvg;

use super::face::{FaceHash, GlyphRun, Layer};
use crate::fonts::Fonts;
use crate::geometry::Size;
use crate::units::Length;

/// The hash of what shows: drawings by their SVG and the pictures in it, text by its words and the outlines of its glyphs. Which file
/// a picture or a glyph came from, and which number it has there, does not count.
pub(super) fn of_face(trim: Size, bleed: Length, layers: &[Layer], fonts: &Fonts) -> FaceHash {
    let mut hasher = Hasher::default();
    hasher.part(format!("{trim} {bleed}").as_bytes());
    for layer in layers {
        match layer {
            Layer::Art(art) => {
                hasher.part(b"art");
                hasher.part(&art.hash);
            }
            Layer::Text(runs) => runs.iter().for_each(|run| text(run, fonts, &mut hasher)),
        }
    }
    let mut short = [0; 16];
    hasher.finish().finalize_xof().fill(&mut short);
    FaceHash(short)
}

/// The hash of the drawing `tree`, which was read from `svg`, and of the pictures that it names.
pub(super) fn of_drawing(tree: &usvg::Tree, svg: &str) -> [u8; 32] {
    let mut hasher = Hasher::default();
    hasher.part(svg.as_bytes());
    if svg.contains("<image") {
        pictures(tree.root(), &mut hasher);
    }
    *hasher.finish().finalize().as_bytes()
}

/// Writes down part by part; every part says its length, so that no two lists read alike.
#[derive(Default)]
struct Hasher {
    state: blake3::Hasher,
    /// What is to be hashed next: many small parts at once take much less work.
    open: Vec<u8>,
}

impl Hasher {
    /// What is gathered before it is hashed, in bytes.
    const ENOUGH: usize = 4096;

    fn part(&mut self, bytes: &[u8]) {
        self.bytes(&(bytes.len() as u64).to_le_bytes());
        self.bytes(bytes);
    }

    fn number(&mut self, number: f64) {
        self.bytes(&number.to_bits().to_le_bytes());
    }

    fn bytes(&mut self, bytes: &[u8]) {
        if self.open.len() + bytes.len() > Self::ENOUGH {
            self.state.update(&self.open);
            self.open.clear();
        }
        if bytes.len() > Self::ENOUGH {
            self.state.update(bytes);
        } else {
            self.open.extend(bytes);
        }
    }

    fn finish(mut self) -> blake3::Hasher {
        self.state.update(&self.open);
        self.state
    }
}

fn text(run: &GlyphRun, fonts: &Fonts, hasher: &mut Hasher) {
    let font = fonts.face(run.font);
    hasher.part(b"text");
    hasher.part(run.text.as_bytes());
    let (fill, map) = (run.fill, run.transform);
    hasher.part(&[fill.r, fill.g, fill.b]);
    for number in [f64::from(fill.opacity), f64::from(run.size), map.a, map.b, map.c, map.d, map.e, map.f] {
        hasher.number(number);
    }
    let outlines = font.outlines(run.glyphs.iter().map(|glyph| glyph.id));
    for (glyph, outline) in run.glyphs.iter().zip(outlines) {
        hasher.part(&outline);
        hasher.number(f64::from(glyph.x));
        hasher.number(f64::from(glyph.y));
    }
}

/// The pictures of a drawing, which its SVG only names; in clips, masks and patterns too.
fn pictures(group: &usvg::Group, hasher: &mut Hasher) {
    for node in group.children() {
        match node {
            usvg::Node::Group(inner) => pictures(inner, hasher),
            usvg::Node::Image(image) => match image.kind() {
                usvg::ImageKind::PNG(bytes)
                | usvg::ImageKind::JPEG(bytes)
                | usvg::ImageKind::GIF(bytes)
                | usvg::ImageKind::WEBP(bytes) => hasher.part(bytes),
                usvg::ImageKind::SVG { .. } => {}
            },
            usvg::Node::Path(_) | usvg::Node::Text(_) => {}
        }
        node.subroots(|inner| pictures(inner, hasher));
    }
}
