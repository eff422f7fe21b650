//! Paper: which face lies where on which sheet, with crop marks and the words in the margin. Draws nothing.

use std::sync::Arc;

use crate::compose::face::{Face, GlyphRun};
use crate::geometry::{Affine, Point, Rect, Size};
use crate::units::Length;

/// Paper that sheets are printed on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// `a4`, `letter` or `WxHmm`, as it stands in file names.
    pub name: String,
    /// Upright size.
    pub size: Size,
}

/// Which side of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that is printed first.
    Front,
    /// The side behind it.
    Back,
}

/// How fronts and backs come together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sides {
    /// Two-sided, turned about the long edge.
    LongEdge,
    /// Two-sided, turned about the short edge.
    ShortEdge,
    /// Fronts only.
    Fronts,
}

/// The outline that a piece is cut to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A rectangle: straight cuts.
    Rect,
    /// A circle of the trim's width.
    Circle,
}

/// A face on a sheet.
#[derive(Clone)]
pub struct Placement {
    /// The piece, as its address (`hand/light-music/music`); empty for the backs of filler.
    pub piece: String,
    /// What is placed.
    pub face: Arc<Face>,
    /// From the face's millimetres (origin at its trim's top left) to the page's.
    pub transform: Affine,
    /// What of the page it may paint: the trim, plus bleed at the sides where there is no neighbour.
    pub clip: Rect,
    /// The trim's place on the page.
    pub trim: Rect,
    /// Outline of the cut.
    pub shape: Shape,
}

/// A straight line of a sheet's furniture: a crop mark, a fold, a ruler's tick.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// From here ...
    pub from: Point,
    /// ... to here.
    pub to: Point,
    /// Thickness.
    pub width: Length,
    /// Darkness: 0 is black, 255 white.
    pub grey: u8,
    /// Length of dash and gap; none for an unbroken line.
    pub dash: Option<Length>,
}

/// A circle of a sheet's furniture: where a round token is cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// Centre.
    pub centre: Point,
    /// Radius.
    pub radius: Length,
    /// Thickness of the line.
    pub width: Length,
    /// Darkness: 0 is black, 255 white.
    pub grey: u8,
}

/// One side of one sheet of paper, ready to be drawn: placements first, then lines and rings, then words.
pub struct Sheet {
    /// Size of the page as it comes out of the printer (upright).
    pub page: Size,
    /// Which side this is.
    pub side: Side,
    /// The component that lies on it.
    pub component: String,
    /// Its title, for the outline of the document.
    pub title: String,
    /// The faces.
    pub placements: Vec<Placement>,
    /// Marks, folds, rulers.
    pub lines: Vec<Line>,
    /// Cutting circles.
    pub rings: Vec<Ring>,
    /// The words in the margin, shaped; in page millimetres.
    pub words: Vec<GlyphRun>,
}
