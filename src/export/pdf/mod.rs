//! PDF: every distinct face drawn once, fonts embedded once, pages composed with printpdf and finished with lopdf.
//!
//! [`write`] is the list of steps. The same document gives the same bytes: no dates, no random names, no order that hangs
//! on addresses.

mod canvas;
mod clip;
mod contour;
mod finish;
mod fonts;
mod group;
mod images;
mod ink;
mod inks;
mod mask;
mod notes;
mod pages;
mod paint;
mod parts;
mod paths;
mod pattern;
mod plan;
mod resource;
mod shading;
mod shared;
mod standard;
mod stream;
mod text;
mod xmp;

pub(super) use canvas::Bounds;
pub use ink::Ink;
pub use inks::{IccProfile, Inks};
pub use notes::{Note, What};

use std::collections::BTreeMap;

use notes::Notes;
use plan::Plan;
use resource::Store;
use text::Subsets;

use crate::fonts::Fonts;
use crate::model::shop::Standard;
use crate::sheet::{Sheet, Sides};
use crate::units::Length;

/// What the boxes of a page say that it will be cut to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boxes {
    /// Nothing: the page is a sheet that many pieces are cut from.
    #[default]
    Sheet,
    /// The page is one piece with its bleed.
    Piece,
}

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
    pub ink: Ink<'a>,
    /// What it promises to a print shop.
    pub standard: Standard,
    /// What its pages are.
    pub boxes: Boxes,
    /// The spot colour that cuts are drawn in, for machines that cut along it; none for no such lines. Cutting circles are then
    /// drawn in it too, not in black.
    pub cut: Option<&'a str>,
    /// How far inside the cut nothing important should stand, by component: drawn with the cut on a layer of guides, which is
    /// not printed. No guides where nothing is given.
    pub guides: &'a BTreeMap<String, Length>,
}

impl<'a> Document<'a> {
    /// A document in screen colours that is printed at home.
    pub fn new(title: &'a str, language: &'a str, sheets: &'a [Sheet], sides: Sides) -> Self {
        Document {
            title,
            language,
            creator: concat!("paiban ", env!("CARGO_PKG_VERSION")),
            sheets,
            sides,
            ink: Ink::Rgb,
            standard: Standard::Plain,
            boxes: Boxes::Sheet,
            cut: None,
            guides: &NO_GUIDES,
        }
    }
}

/// What the layer of guides is called.
const GUIDES_LAYER: &str = "guides";

/// No guides.
pub static NO_GUIDES: BTreeMap<String, Length> = BTreeMap::new();

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
    let (mut drawn, programs) = rayon::join(|| plan.draw(&subsets, document.ink), || fonts::reduce(fonts, &subsets));
    contour::draw(document, &subsets, &mut drawn);

    if document.standard == Standard::X1a {
        drawn.report_transparent();
    }
    let mut notes = Notes::default();
    let composed = pages::compose(document, &plan, &mut notes);
    let mut pdf = pages::to_objects(&composed);

    let pages = finish::pages(&pdf);
    let embedded = fonts::embed(&mut pdf, fonts, &subsets, programs?)?;
    finish::fill_pages(&mut Store::new(&mut pdf, embedded), &drawn, &pages, document)?;
    finish::describe(&mut pdf, document)?;
    standard::intend(&mut pdf, document)?;
    let bytes = finish::save(pdf, document.standard)?;
    Ok(Written { bytes, notes: drawn.notes.into_iter().chain(notes.about("")).collect() })
}
