//! What is wrong with sheets, in words.

use std::fmt;

use super::Paper;
use crate::geometry::Size;
use crate::units::Length;

/// Why something could not be laid out as it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A piece is larger than what the printer reaches on the paper, either way round. Nothing of its component is printed.
    TooLarge {
        /// The component.
        component: String,
        /// The size of its pieces.
        trim: Size,
        /// The largest size that would fit.
        largest: Size,
        /// The paper.
        paper: Paper,
    },
    /// The pieces fill the sheet so tightly that there is no room for marks in the margin of at least one side.
    NoRoomForMarks {
        /// The component.
        component: String,
    },
    /// The pieces have backs, but are too large to lie beside them: they are printed on two sheets, to be glued back to back.
    TooLargeToFold {
        /// The component.
        component: String,
    },
    /// A board fits on the paper, but reaches into what the printer does not reach.
    BeyondMargin {
        /// The component.
        component: String,
        /// By how much at the worst side.
        by: Length,
        /// The paper.
        paper: Paper,
    },
    /// No place was left for the words that say what a sheet is.
    NoRoomForWords {
        /// The component.
        component: String,
    },
}

impl Fault {
    /// The component it is about.
    pub fn component(&self) -> &str {
        match self {
            Fault::TooLarge { component, .. }
            | Fault::NoRoomForMarks { component }
            | Fault::TooLargeToFold { component }
            | Fault::BeyondMargin { component, .. }
            | Fault::NoRoomForWords { component } => component,
        }
    }

    /// Whether something is missing from the sheets because of it; the others are only worth knowing.
    pub const fn is_fatal(&self) -> bool {
        matches!(self, Fault::TooLarge { .. })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::TooLarge { component, trim, largest, paper } => write!(
                f,
                "`{component}` is {trim} and does not fit on {} ({}); the largest that would is {largest}",
                paper.name, paper.size
            ),
            Fault::NoRoomForMarks { component } => {
                write!(f, "the sheets of `{component}` are so full that marks are missing on at least one side")
            }
            Fault::TooLargeToFold { component } => {
                write!(
                    f,
                    "`{component}` is too large to be folded; its fronts and backs are on two sheets, to be glued together"
                )
            }
            Fault::BeyondMargin { component, by, paper } => write!(
                f,
                "`{component}` fills {} up to its edges; a printer with a margin leaves out up to {by} of it at a side",
                paper.name
            ),
            Fault::NoRoomForWords { component } => {
                write!(f, "the sheets of `{component}` are so full that no words fit beside the pieces")
            }
        }
    }
}
