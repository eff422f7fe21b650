//! Faces built by hand, written, and read back by others: lopdf takes the PDF apart, hayro draws it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod draw;
mod features;
mod fidelity;
mod images;
mod ink;
mod layers;
mod parts;
mod pdf;
mod png;
mod press;
mod read;
mod speed;
mod svg;

use std::sync::Arc;

use resvg::tiny_skia::Pixmap;
use resvg::usvg;

use draw::drawn;

use super::pdf::{Boxes, Document, Ink, NO_GUIDES, Written, write};
use crate::compose::face::{Art, Colour, Face, FaceHash, Glyph, GlyphRun, Layer};
use crate::fonts::{BUILT_IN_FAMILY, Fonts};
use crate::geometry::{Affine, Point, Rect, Size};
use crate::model::shop::Standard;
use crate::sheet::{Placement, Shape, Sheet, Side, Sides};
use crate::units::Length;

/// Trim of the faces here: an inch by an inch and a half, which is a whole number of dots at 72, 144 ...
const TRIM: Size = Size { w: Length::emu(914_400), h: Length::emu(914_400 * 3 / 2) };

fn fonts() -> Fonts {
    let file = |path: &str| (path.to_owned(), std::fs::read(path).expect(path));
    let (fonts, bad) = Fonts::load(vec![file("fonts/fredoka/Fredoka-Bold.ttf")]);
    assert!(bad.is_empty(), "{bad:?}");
    fonts
}

/// A drawing in millimetres: `body` inside a root whose view box is the trim.
fn art(fonts: &Fonts, body: &str) -> Layer {
    let (w, h) = (TRIM.w.to_mm(), TRIM.h.to_mm());
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="{w}" height="{h}" viewBox="0 0 {w} {h}">{body}</svg>"#
    );
    let options = usvg::Options { fontdb: fonts.database(), ..Default::default() };
    let tree = usvg::Tree::from_str(&svg, &options).expect("a drawing");
    Layer::Art(Arc::new(Art::new(tree, svg)))
}

/// A run of text, a glyph for a character.
fn run(fonts: &Fonts, family: &str, text: &str, size: f32, at: (f64, f64)) -> GlyphRun {
    let font = fonts.select(family, 400, false).expect(family);
    let face = fonts.face(font);
    let parsed = ttf_parser::Face::parse(face.bytes(), face.index).expect("a face");
    let mut x = 0.0;
    let glyphs = text.char_indices().map(|(start, character)| {
        let id = parsed.glyph_index(character).expect("a glyph");
        let glyph = Glyph { id: id.0, x, y: 0.0, cluster: start as u32..(start + character.len_utf8()) as u32 };
        x += f32::from(parsed.glyph_hor_advance(id).unwrap()) * size / face.units_per_em as f32;
        glyph
    });
    GlyphRun {
        font,
        size,
        fill: Colour::BLACK,
        transform: Affine::translate(at.0, at.1),
        glyphs: glyphs.collect(),
        text: text.to_owned(),
    }
}

fn han(fonts: &Fonts, text: &str, size: f32, at: (f64, f64)) -> GlyphRun {
    run(fonts, BUILT_IN_FAMILY, text, size, at)
}

/// A face of these layers. Its hash is that of its drawings and texts.
fn face(layers: Vec<Layer>) -> Arc<Face> {
    let mut hasher = blake3::Hasher::new();
    for layer in &layers {
        match layer {
            Layer::Art(art) => hasher.update(art.svg.as_bytes()),
            Layer::Text(runs) => hasher.update(format!("{runs:?}").as_bytes()),
        };
    }
    let mut hash = [0; 16];
    hasher.finalize_xof().fill(&mut hash);
    Arc::new(Face { trim: TRIM, bleed: Length::mm(2), layers, texts: Vec::new(), hash: FaceHash(hash) })
}

/// A face with its trim's corner at (`x`, `y`) millimetres, clipped to trim and bleed.
fn placement(face: &Arc<Face>, x: f64, y: f64) -> Placement {
    let trim = Rect::new(Point { x: Length::from_mm(x), y: Length::from_mm(y) }, face.trim);
    Placement {
        piece: format!("deck/{}", face.hash),
        side: Side::Front,
        face: Arc::clone(face),
        transform: Affine::translate(x, y),
        clip: trim.outset(face.bleed),
        tilted: None,
        trim,
        shape: Shape::Rect,
    }
}

/// A sheet of five inches by three.
fn sheet(placements: Vec<Placement>) -> Sheet {
    Sheet {
        page: Size { w: Length::emu(5 * 914_400), h: Length::emu(3 * 914_400) },
        side: Side::Front,
        components: vec!["deck".to_owned()],
        title: "牌组".to_owned(),
        placements,
        lines: Vec::new(),
        rings: Vec::new(),
        words: Vec::new(),
    }
}

fn written(sheets: &[Sheet], sides: Sides, fonts: &Fonts) -> Written {
    written_in(Ink::Rgb, sheets, sides, fonts)
}

fn written_in(ink: Ink, sheets: &[Sheet], sides: Sides, fonts: &Fonts) -> Written {
    let plain = Document::new("书 & <纸>", "zh-Hans", sheets, sides);
    let document = Document { ink, creator: "paiban 0.1.0", ..plain };
    write(&document, fonts).expect("a document")
}

/// How much two pictures differ.
#[derive(Debug)]
struct Difference {
    /// Share of dots with a channel that differs by more than 32 of 255.
    clear: f64,
    /// Mean difference of all channels, of 255.
    mean: f64,
}

fn difference(a: &Pixmap, b: &Pixmap) -> Difference {
    assert_eq!((a.width(), a.height()), (b.width(), b.height()));
    let dots = f64::from(a.width() * a.height());
    let mut clear = 0.0;
    let mut sum = 0.0;
    for (a, b) in a.data().chunks_exact(4).zip(b.data().chunks_exact(4)) {
        let off = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        clear += f64::from(u8::from(off > 32));
        sum += a.iter().zip(b).map(|(a, b)| f64::from(a.abs_diff(*b))).sum::<f64>();
    }
    Difference { clear: clear / dots, mean: sum / dots / 4.0 }
}
