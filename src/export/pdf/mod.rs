//! PDF: every distinct face drawn once, fonts embedded once, pages composed with printpdf and finished with lopdf.
//!
//! [`write`] is the list of steps. The same document gives the same bytes: no dates, no random names, no order that hangs
//! on addresses.

mod canvas;
mod clip;
mod finish;
mod fonts;
mod group;
mod images;
mod ink;
mod mask;
mod notes;
mod pages;
mod paint;
mod paths;
mod pattern;
mod plan;
mod resource;
mod shading;
mod shared;
mod stream;
mod text;
mod xmp;

pub(super) use canvas::Bounds;
pub use ink::Ink;
pub use notes::{Note, What};

use notes::Notes;
use plan::Plan;
use resource::Store;
use text::Subsets;

use crate::fonts::Fonts;
use crate::sheet::{Sheet, Sides};

/// A document to be written.
pub struct Document<'a> {
    /// Its title, shown in the window's frame.
    pub title: &'a str,
    /// The language of its text, as a BCP 47 tag: `zh-Hans`.
    pub language: &'a str,
    /// What made it: `paiban 0.1.0`.
    pub creator: &'a str,
    /// The pages, in the order in which they leave the printer.
    pub sheets: &'a [Sheet],
    /// How it is to be printed.
    pub sides: Sides,
    /// The colour space of all that is on them.
    pub ink: Ink,
}

/// A written document.
pub struct Written {
    /// The file.
    pub bytes: Vec<u8>,
    /// What was drawn otherwise than the faces say.
    pub notes: Vec<Note>,
}

/// Why a document could not be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A font could not be reduced to the glyphs that are used.
    Font {
        /// PostScript name.
        name: String,
        /// Why.
        why: String,
    },
    /// The composed pages are not what they should be.
    Composition(&'static str),
    /// The bytes could not be put together.
    Save(String),
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Font { name, why } => write!(f, "the font {name} cannot be embedded: {why}"),
            Failure::Composition(what) => write!(f, "the pages cannot be put together: {what}"),
            Failure::Save(why) => write!(f, "the PDF cannot be put together: {why}"),
        }
    }
}

impl std::error::Error for Failure {}

/// Writes `document`.
///
/// # Errors
/// When a font cannot be embedded. Nothing that a face holds is an error: what PDF has no words for becomes a picture, and
/// a note.
pub fn write(document: &Document<'_>, fonts: &Fonts) -> Result<Written, Failure> {
    let plan = Plan::of(document.sheets);
    let subsets = Subsets::collect(fonts, plan.runs());
    let drawn = plan.draw(&subsets, document.ink);

    let mut notes = Notes::default();
    let composed = pages::compose(document, &plan, &mut notes);
    let mut pdf = pages::to_objects(&composed);

    let pages = finish::pages(&pdf);
    let embedded = fonts::embed(&mut pdf, fonts, &subsets)?;
    finish::fill_pages(&mut Store::new(&mut pdf, embedded), &drawn, &pages, document.ink)?;
    finish::describe(&mut pdf, document)?;
    let bytes = finish::save(pdf)?;
    Ok(Written { bytes, notes: drawn.notes.into_iter().chain(notes.about("")).collect() })
}
