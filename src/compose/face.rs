//! A finished face: art (text-free SVG, shared where equal) and positioned glyphs, in paint order. Every export starts here.

use std::ops::{Deref, Range};
use std::sync::{Arc, LazyLock};

use resvg::usvg;
use serde::{Deserialize, Serialize};

use super::hash;
use crate::fonts::FontId;
use crate::geometry::{Affine, Size};
use crate::units::Length;

/// A colour with opacity; sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Colour {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
    /// Opacity, 0 to 1.
    pub opacity: f32,
}

impl Colour {
    /// Solid black.
    pub const BLACK: Colour = Colour { r: 0, g: 0, b: 0, opacity: 1.0 };

    /// A solid grey; 0 is black, 255 white.
    pub const fn grey(level: u8) -> Self {
        Colour { r: level, g: level, b: level, opacity: 1.0 }
    }
}

/// The hash of everything that shows on a face; equal hashes look equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FaceHash(pub [u8; 16]);

impl std::fmt::Display for FaceHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// A text-free drawing in millimetres, in the coordinates of the face it belongs to (art may reach into the bleed: the
/// tree's own size is the trim and its content is not clipped to it).
pub struct Art {
    /// The drawing.
    pub tree: Drawing,
    /// The SVG it was read from; equal text is the same art.
    pub svg: String,
    /// Hash of that and of the pictures that it names.
    pub hash: [u8; 32],
}

impl Art {
    /// The drawing `tree`, which was read from `svg`.
    pub fn new(tree: usvg::Tree, svg: String) -> Self {
        let hash = hash::of_drawing(&tree, &svg);
        Art { tree: Drawing::Read(tree), svg, hash }
    }

    /// A drawing that had this hash when it was drawn the last time. `read` draws it again as soon as it is looked at.
    pub fn remembered(svg: String, hash: [u8; 32], read: impl FnOnce() -> usvg::Tree + Send + 'static) -> Self {
        Art { tree: Drawing::Remembered(LazyLock::new(Box::new(read))), svg, hash }
    }
}

/// A drawing that is there, or will be when it is looked at.
pub enum Drawing {
    /// One that was read.
    Read(usvg::Tree),
    /// One that is read when it is looked at.
    Remembered(LazyLock<usvg::Tree, Box<dyn FnOnce() -> usvg::Tree + Send>>),
}

impl Deref for Drawing {
    type Target = usvg::Tree;

    fn deref(&self) -> &usvg::Tree {
        match self {
            Drawing::Read(tree) => tree,
            Drawing::Remembered(tree) => tree,
        }
    }
}

/// A glyph in its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Glyph {
    /// Glyph number in the face.
    pub id: u16,
    /// Where its origin is, in millimetres from the run's origin, along the baseline.
    pub x: f32,
    /// Offset across the baseline, in millimetres, downwards.
    pub y: f32,
    /// The bytes of [`GlyphRun::text`] that it stands for. Glyphs of one cluster after its first have an empty range.
    pub cluster: Range<u32>,
}

/// Glyphs of one face, size and colour, shaped and placed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GlyphRun {
    /// The face they come from.
    pub font: FontId,
    /// Size of the em, in millimetres.
    pub size: f32,
    /// Fill.
    pub fill: Colour,
    /// From the run's millimetres (origin on the baseline, y downwards) to the face's.
    pub transform: Affine,
    /// The glyphs, in reading order.
    pub glyphs: Vec<Glyph>,
    /// The text they stand for.
    pub text: String,
}

/// One thing to paint.
#[derive(Clone)]
pub enum Layer {
    /// A drawing.
    Art(Arc<Art>),
    /// Text.
    Text(Vec<GlyphRun>),
}

/// A text of the template as it stands on a face.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetText {
    /// The id of its element, if it has one.
    pub id: Option<String>,
    /// What its size was multiplied with to make it fit.
    pub scale: f64,
    /// Whether it does not fit all the same, or stands beyond the trim, which was told.
    pub is_misplaced: bool,
    /// The layer that its glyphs are in.
    pub layer: usize,
    /// Which runs of that layer are its own.
    pub runs: Range<usize>,
}

/// A face: everything that shows on one side of a piece. Its origin is the trim's top left corner.
pub struct Face {
    /// The trim.
    pub trim: Size,
    /// How far art reaches beyond the trim.
    pub bleed: Length,
    /// What to paint, from the bottom up.
    pub layers: Vec<Layer>,
    /// The texts among them. Does not show, and is not hashed.
    pub texts: Vec<SetText>,
    /// Hash of all of it.
    pub hash: FaceHash,
}

impl Face {
    /// A face with nothing on it.
    pub const fn blank(trim: Size) -> Self {
        Face { trim, bleed: Length::ZERO, layers: Vec::new(), texts: Vec::new(), hash: FaceHash([0; 16]) }
    }
}
