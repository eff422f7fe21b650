//! What pages and faces can say about the kit that they are of.

use std::sync::Arc;

use super::memory::{Recipe, RecipeHash};
use crate::geometry::Size;
use crate::model::KitSize;

/// What a page of a kit can say about the kit.
#[derive(Clone, Debug)]
pub struct PageContext {
    /// The kit's size.
    pub size: KitSize,
    /// Name of the paper.
    pub paper: String,
    /// Its upright size.
    pub paper_size: Size,
    /// `long-edge`, `short-edge` or `fronts`.
    pub sides: String,
    /// What is in the kit.
    pub rows: Vec<KitRow>,
    /// How its sheets become pieces, in the order of the pages.
    pub steps: Vec<Step>,
}

impl PageContext {
    /// The hash of all of it.
    pub(super) fn hash(&self) -> RecipeHash {
        let PageContext { size, paper, paper_size, sides, rows, steps } = self;
        let whole = Recipe::default().text(&format!("{size:?} {paper} {paper_size} {sides} {steps:?}"));
        // Pictures are long, and take their time to be written out.
        let rows = rows.iter().map(|row| (KitRow { picture: Arc::from(""), ..row.clone() }, &row.picture));
        rows.fold(whole, |whole, (row, picture)| whole.text(&format!("{row:?}")).text(picture)).hash()
    }
}

/// Sheets of a kit that lie one after the other and are worked alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Their pages, as text: `3–8`.
    pub pages: String,
    /// Sheets of paper.
    pub sheets: usize,
    /// The components on each of them, by id.
    pub components: Vec<String>,
    /// Whether the backs are printed behind the fronts.
    pub two_sided: bool,
    /// Whether a sheet is folded, so that backs come behind fronts.
    pub folded: bool,
    /// Whether the sheets are the parts of boards that are glued together.
    pub tiled: bool,
}

/// A line of the kit's contents.
#[derive(Clone, Debug)]
pub struct KitRow {
    /// Component id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// `card`, `token` ...
    pub kind: &'static str,
    /// Pieces printed.
    pub printed: usize,
    /// Pieces in play.
    pub used: usize,
    /// Distinct fronts.
    pub faces: usize,
    /// The pages it is on, as text: `3–8`.
    pub pages: String,
    /// The sheets of paper that it is on.
    pub sheets: usize,
    /// The sheets that one piece is glued from; 1 where it lies on one.
    pub tiles: usize,
    /// `rect`, `circle`, `hex-flat`, `hex-pointy`, `standee` or `drawn`.
    pub shape: &'static str,
    /// How it is cut: `shared` (one cut for two neighbours), `apart`, `round` or `drawn` (along a line on the sheet).
    pub cut: &'static str,
    /// What is left after cutting.
    pub trim: Size,
    /// A picture of the first front, as the address of a PNG (`data:image/png;base64,...`); empty where there is none.
    pub picture: Arc<str>,
}
