//! What a user should know about a written document.

use std::collections::BTreeMap;

/// Something that was drawn otherwise than it stands in the SVG.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Lines thinner than 0.25 pt were drawn that thick.
    ThinLines,
    /// A part was drawn as a picture of so many dots per inch; the reason says which feature asked for it.
    Picture {
        /// The feature that has no words in PDF.
        why: &'static str,
        /// Dots per inch.
        dpi: u32,
    },
    /// A part was drawn nearly as it should be.
    Nearly(&'static str),
    /// A colour takes more ink than the press can: so much, in percent of one ink.
    TooMuchInk {
        /// Percent.
        percent: u32,
    },
    /// Something is transparent, which the standard that was asked for does not allow.
    Transparent,
    /// A part could not be drawn.
    Missing(&'static str),
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            What::ThinLines => f.write_str("lines thinner than 0.25 pt were drawn 0.25 pt thick"),
            What::Picture { why, dpi } => write!(f, "a part with {why} became a picture of {dpi} dpi"),
            What::TooMuchInk { percent } => write!(f, "a colour takes {percent} % of ink"),
            What::Transparent => f.write_str("something is transparent"),
            What::Nearly(what) => write!(f, "{what}"),
            What::Missing(what) => write!(f, "{what} could not be drawn"),
        }
    }
}

/// A remark on a written document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The first piece it concerns, as its address; empty for the sheets themselves.
    pub piece: String,
    /// What happened.
    pub what: What,
    /// How often in that piece.
    pub count: usize,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} ({} times)", self.piece, self.what, self.count)
    }
}

/// Notes while drawing, counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes(BTreeMap<What, usize>);

impl Notes {
    /// Counts one more.
    pub(super) fn add(&mut self, what: What) {
        *self.0.entry(what).or_default() += 1;
    }

    /// Takes in what `other` counted.
    pub(super) fn extend(&mut self, other: Notes) {
        for (what, count) in other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// As notes about `piece`.
    pub(super) fn about(self, piece: &str) -> impl Iterator<Item = Note> {
        let piece = piece.to_owned();
        self.0.into_iter().map(move |(what, count)| Note { piece: piece.clone(), what, count })
    }
}
