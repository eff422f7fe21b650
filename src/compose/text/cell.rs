//! What text is made of between shaping and placing: cells with their measures.

use std::ops::Range;

use super::class::Class;
use super::{Fallback, Missing};
use crate::fonts::FontId;

/// How freely a line may end behind a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Break {
    /// Punctuation would stand where it must not.
    #[default]
    Forbidden,
    /// Inside a word.
    Word,
    /// Between things that belong together, such as a number and its unit.
    Glued,
    /// Freely.
    Allowed,
}

/// What the space behind a cell is there for; says how it may change when a line is justified.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Gap {
    /// It stays as it is.
    #[default]
    Fixed,
    /// Between two characters that may be moved apart.
    Even,
    /// Between Han characters and Western text.
    Mixed,
    /// Between words.
    Word,
}

/// How a cell stands in a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Pose {
    /// On its feet.
    #[default]
    Upright,
    /// Turned by a quarter, with its head to the right.
    Turned,
    /// Several characters side by side.
    Together,
}

/// The smallest thing that is placed: a cluster of glyphs, a space or an icon. Millimetres at scale 1.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    /// Its bytes in the flow.
    pub(super) bytes: Range<usize>,
    /// The class of its first character.
    pub(super) class: Class,
    /// Its look in the flow.
    pub(super) look: usize,
    /// Its face.
    pub(super) font: FontId,
    /// Its glyphs.
    pub(super) glyphs: Range<usize>,
    /// Its advance.
    pub(super) width: f64,
    /// The advance of its glyphs: as in a line, also where it stands in a column.
    pub(super) natural: f64,
    /// What its advance loses at a line's start.
    pub(super) lead: f64,
    /// What its advance loses at a line's end.
    pub(super) tail: f64,
    /// Space between it and the next cell of the same line.
    pub(super) gap: f64,
    /// What that space is.
    pub(super) kind: Gap,
    /// How much of it may go when a line is justified.
    pub(super) give: f64,
    /// Whether a line may end behind it.
    pub(super) after: Break,
    /// How it stands, where it stands in a column.
    pub(super) pose: Pose,
}

/// A shaped glyph; millimetres at scale 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shaped {
    /// Glyph number.
    pub(super) id: u16,
    /// Its origin, from its cell's origin.
    pub(super) x: f64,
    /// Offset downwards.
    pub(super) y: f64,
}

/// Everything that shaping found.
#[derive(Debug, Default)]
pub(super) struct Cells {
    /// The cells of all paragraphs, in order.
    pub(super) cells: Vec<Cell>,
    /// The glyphs that cells point at.
    pub(super) glyphs: Vec<Shaped>,
    /// The cells of each paragraph.
    pub(super) paragraphs: Vec<Range<usize>>,
    /// Characters without a glyph, sorted.
    pub(super) missing: Vec<Missing>,
    /// Units set from another face than wanted, in order.
    pub(super) fallbacks: Vec<Fallback>,
}

impl Cell {
    pub(super) fn new(
        bytes: Range<usize>,
        look: usize,
        class: Class,
        font: FontId,
        glyphs: Range<usize>,
        width: f64,
    ) -> Self {
        Cell {
            bytes,
            class,
            look,
            font,
            glyphs,
            width,
            natural: width,
            lead: 0.0,
            tail: 0.0,
            gap: 0.0,
            kind: Gap::Fixed,
            give: 0.0,
            after: Break::Forbidden,
            pose: Pose::Upright,
        }
    }
}
