//! Paper: which face lies where on which sheet, with crop marks and the words in the margin. Draws nothing.
//!
//! [`impose`] is a pure function from stacks of pieces to sheets, in these steps:
//!
//! 1. `imposition` chooses the grid that holds the most pieces and lays the fronts out in it, with the crop marks of `marks`
//!    outside the pieces; a board larger than the sheet goes through `tiling`, one that fills the paper and a page through
//!    neither;
//! 2. `sharing` puts what would leave most of its sheet empty on sheets with its like;
//! 3. `duplex` mirrors each sheet for the side behind it, or `fold` for the half that is folded behind it;
//! 4. `furniture` writes what the sheet is and a ruler where they are in nobody's way;
//! 5. `adjust` moves backs to where the printer puts them behind their fronts.
//!
//! All sheets are emitted upright. Where a lying grid holds more, the layout is made in a lying frame and turned, so
//! that "flip at the long edge" means the same for every sheet.

use std::fmt;
use std::sync::Arc;

use crate::compose::face::{Face, GlyphRun};
use crate::fonts::Fonts;
use crate::geometry::{Affine, Point, Rect, Size};
use crate::units::Length;

mod adjust;
mod block;
mod calibration;
mod creases;
mod draft;
mod duplex;
mod fault;
mod fold;
mod furniture;
mod guillotine;
mod imposition;
mod joints;
mod margins;
mod marks;
mod packing;
mod paper;
mod room;
mod ruler;
mod seams;
mod shape;
mod sharing;
mod standee;
mod tiling;
mod turn;
mod vernier;
mod words;

#[cfg(test)]
mod captions;
#[cfg(test)]
mod folds;
#[cfg(test)]
mod kits;
#[cfg(test)]
mod laws;
#[cfg(test)]
mod numbers;
#[cfg(test)]
mod testing;

pub use adjust::{Adjustment, Measure};
pub use calibration::calibration;
pub use fault::Fault;
pub use margins::Margins;
pub use paper::UnknownPaper;
pub use shape::{Course, Shape};

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
    /// Fronts and backs on one side, with a line between them to fold and glue.
    Fold,
    /// Fronts only.
    Fronts,
}

/// Which crop marks are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Marks {
    /// Ticks outside all pieces, in line with the cuts; cutting circles around round pieces.
    #[default]
    Outside,
    /// As outside, and light lines from end to end in the gutters, for cutting the sheet apart with a guillotine.
    Guillotine,
    /// None at all.
    None,
}

/// What lies between two neighbours on a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Gutter {
    /// Nothing: both edges have the same flat colour, so that one cut serves both.
    Shared,
    /// Twice the bleed, so that each piece has its own.
    #[default]
    Bleeds,
    /// A distance of one's own.
    Fixed(Length),
}

/// What a stack of pieces is, as far as it changes how they are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Cards: as many on a sheet as fit.
    Card,
    /// Tokens: as cards.
    Token,
    /// Boards: as cards where they fit, tiled over several sheets where they do not.
    Board,
    /// A page that fills the paper (instructions): no marks, no words of ours, first in the document.
    Page,
}

/// A piece to print: what is in front and what is behind.
#[derive(Clone)]
pub struct Piece {
    /// Its address (`hand/light-music/music`). Copies share it.
    pub address: String,
    /// The front.
    pub front: Arc<Face>,
    /// The back, if it has one.
    pub back: Option<Arc<Face>>,
}

/// The address and whether there is a back; the faces are too much to read.
impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.address, if self.back.is_some() { " (with back)" } else { "" })
    }
}

/// The pieces of one component, in the order in which they are printed.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The component's id.
    pub component: String,
    /// Its title, as it is printed beside the pieces.
    pub title: String,
    /// What the pieces are.
    pub kind: Kind,
    /// The size that they are cut to.
    pub trim: Size,
    /// How far their art reaches beyond the trim.
    pub bleed: Length,
    /// The outline of the cut.
    pub shape: Shape,
    /// What lies between neighbours. Round pieces lie at least 4 mm apart unless it is fixed, drawn ones in any case.
    pub gutter: Gutter,
    /// Where a piece is folded: distances along its longer side.
    pub folds: Vec<Length>,
    /// Whether no other component may lie on its sheets.
    pub own_sheet: bool,
    /// The pieces.
    pub pieces: Vec<Piece>,
}

impl Stack {
    /// Whether any piece has something to be printed behind it.
    fn has_backs(&self) -> bool {
        self.shape != Shape::Standee && self.pieces.iter().any(|piece| piece.back.is_some())
    }
}

/// What the words in the margin say about the kit; each is printed as it is, empty ones are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imprint {
    /// Title of the game.
    pub game: String,
    /// For how many players this kit is (`4 人`, `4 players`).
    pub players: String,
    /// Version of the game or its data.
    pub version: String,
    /// Hash of what the kit was made from.
    pub hash: String,
    /// Name and version of the program that laid it out.
    pub made_with: String,
    /// The language of the words, as a tag: `zh-Hans`, `zh-Hant-TW`, `en`.
    pub language: String,
}

/// How sheets are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The paper.
    pub paper: Paper,
    /// How fronts and backs come together. Default: [`Sides::LongEdge`].
    pub sides: Sides,
    /// Which crop marks are drawn. Default: [`Marks::Outside`].
    pub marks: Marks,
    /// What the printer cannot reach at each side of the page; nothing is placed in it. Default: 5 mm.
    pub margins: Margins,
    /// How far the tiles of a large board overlap: the strip that is glued. Default: 10 mm.
    pub overlap: Length,
    /// Whether a sheet without a back is followed by an unprinted one when more sheets come, so that every front stands on an
    /// odd page and a two-sided print of the whole document stays in step. Default: no.
    pub in_step: bool,
    /// How backs are moved, with everything on them. Default: not at all.
    pub adjustment: Adjustment,
    /// What the words in the margin say.
    pub imprint: Imprint,
}

impl Options {
    /// The defaults on `paper`.
    pub fn new(paper: Paper) -> Self {
        Options {
            paper,
            sides: Sides::LongEdge,
            marks: Marks::Outside,
            margins: Margins::DEFAULT,
            overlap: Length::mm(10),
            in_step: false,
            adjustment: Adjustment::NONE,
            imprint: Imprint::default(),
        }
    }

    /// The part of the upright page that a printer reaches, from both sides if both are printed: what lies within it lies within
    /// it from behind, or folded, too.
    pub fn printable(&self) -> Rect {
        let Margins { top, right, bottom, left } = self.margins;
        let larger = |one: Length, other: Length| (one.max(other), one.max(other));
        let (mirrors_x, mirrors_y) = match self.sides {
            Sides::LongEdge => (true, false),
            Sides::ShortEdge => (false, true),
            Sides::Fold => (true, true),
            Sides::Fronts => (false, false),
        };
        let (left, right) = if mirrors_x { larger(left, right) } else { (left, right) };
        let (top, bottom) = if mirrors_y { larger(top, bottom) } else { (top, bottom) };
        let Size { w, h } = self.paper.size;
        Rect { x: left, y: top, w: w - left - right, h: h - top - bottom }
    }
}

/// Sheets, and what is to be said about them.
#[derive(Default)]
pub struct Imposed {
    /// The sides of the sheets, in the order of the document's pages.
    pub sheets: Vec<Sheet>,
    /// What did not fit, in the order of the stacks; each once.
    pub faults: Vec<Fault>,
}

/// Lays all pieces out on sheets: pages first, then the stacks in their order, every front followed by its back. Each stack has
/// its own sheets, but for the last one, which it shares with other stacks where they fit. The same input gives the same sheets.
pub fn impose(stacks: &[Stack], options: &Options, fonts: &Fonts) -> Imposed {
    let pen = words::Pen::new(fonts, &options.imprint.language);
    let mut faults = Vec::new();
    let mut drafts = lay_out(stacks, options, &pen, &mut faults);
    if options.in_step {
        drafts = duplex::kept_in_step(drafts, options.sides);
    }
    let mut sheets = furniture::dress(drafts, options, &pen, &mut faults);
    adjust::move_backs(&mut sheets, options.adjustment);
    let place = |fault: &Fault| stacks.iter().position(|stack| stack.component == fault.component());
    faults.sort_by_key(place);
    Imposed { sheets, faults }
}

/// The sides of all sheets, without their furniture.
fn lay_out(stacks: &[Stack], options: &Options, pen: &words::Pen<'_>, faults: &mut Vec<Fault>) -> Vec<draft::Draft> {
    let stacks: Vec<Stack> =
        stacks.iter().map(|stack| standee::strip(stack).unwrap_or_else(|| stack.clone())).collect();
    let layouts = pages_first(&stacks).map(|stack| fronts(stack, options, pen, faults)).collect();
    let layouts = sharing::shared(layouts, options, pen);
    report_faults(&layouts, options, faults);
    layouts.into_iter().flat_map(|layout| duplex::both_sides(layout, options)).collect()
}

fn pages_first(stacks: &[Stack]) -> impl Iterator<Item = &Stack> {
    let pages = stacks.iter().filter(|stack| stack.kind == Kind::Page);
    pages.chain(stacks.iter().filter(|stack| stack.kind != Kind::Page))
}

/// The fronts of the sheets that one stack has to itself.
fn fronts<'s>(
    stack: &'s Stack,
    options: &Options,
    pen: &words::Pen<'_>,
    faults: &mut Vec<Fault>,
) -> Vec<draft::Layout<'s>> {
    let layouts = match stack.kind {
        Kind::Page => imposition::whole_pages(stack, options),
        Kind::Card | Kind::Token => imposition::grids(stack, options, pen),
        Kind::Board => imposition::grids(stack, options, pen)
            .or_else(|| imposition::to_the_edge(stack, options))
            .or_else(|| tiling::tiles(stack, options, pen)),
    };
    if layouts.is_none() {
        faults.push(imposition::too_large(stack, options));
    }
    layouts.unwrap_or_default()
}

/// Says once of each component what its sheets lack: marks, a part of the piece, or room to be folded.
fn report_faults(layouts: &[draft::Layout<'_>], options: &Options, faults: &mut Vec<Fault>) {
    for layout in layouts {
        let unfolded = options.sides == Sides::Fold && layout.fold.is_none() && layout.has_backs();
        for component in layout.stacks.iter().map(|stack| &stack.component) {
            let component = || component.clone();
            let (by, paper) = (layout.beyond_margin, options.paper.clone());
            let found = [
                (by > Length::ZERO).then(|| Fault::BeyondMargin { component: component(), by, paper }),
                layout.lacks_marks.then(|| Fault::NoRoomForMarks { component: component() }),
                unfolded.then(|| Fault::TooLargeToFold { component: component() }),
            ];
            for fault in found.into_iter().flatten() {
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
        }
    }
}

/// A face on a sheet.
#[derive(Clone)]
pub struct Placement {
    /// The piece, as its address (`hand/light-music/music`); empty for the backs of filler.
    pub piece: String,
    /// Which side of the piece it is.
    pub side: Side,
    /// What is placed.
    pub face: Arc<Face>,
    /// From the face's millimetres (origin at its trim's top left) to the page's.
    pub transform: Affine,
    /// What of the page it may paint: the trim, plus bleed at the sides where there is no neighbour; or what a tile shows.
    pub clip: Rect,
    /// The corners of that, in turn, on a back that was turned a little; `clip` is then the upright rectangle around them.
    pub tilted: Option<[Point; 4]>,
    /// The trim's place on the page. On the tile of a large board it is the whole board's, and reaches beyond the page.
    pub trim: Rect,
    /// Outline of the cut.
    pub shape: Shape,
}

impl Placement {
    /// All that is cut out of the sheet with this front: of a standee front, back and feet.
    pub fn cut(&self) -> Rect {
        let Size { w, h } = self.face.trim;
        let reach = if self.shape == Shape::Standee { h + standee::FOOT } else { return self.trim };
        let corners = [(Length::ZERO, Length::ZERO - reach), (w, reach)].map(|(x, y)| {
            let (x, y) = self.transform.apply(x.to_mm(), y.to_mm());
            Point { x: Length::from_mm(x), y: Length::from_mm(y) }
        });
        draft::around(&corners)
    }

    /// The corners of a piece with six of them, on the page.
    pub fn corners(&self) -> Option<[Point; 6]> {
        let on_page = |at: Point| {
            let (x, y) = self.transform.apply(at.x.to_mm(), at.y.to_mm());
            Point { x: Length::from_mm(x), y: Length::from_mm(y) }
        };
        Some(self.shape.corners(self.face.trim)?.map(on_page))
    }
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

/// A closed line of a sheet's furniture: where a token is cut that has no straight cuts.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// Where it runs.
    pub course: Course,
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
    /// The components that lie on it, in the order of the data.
    pub components: Vec<String>,
    /// Their titles, for the outline of the document.
    pub title: String,
    /// The faces.
    pub placements: Vec<Placement>,
    /// Marks, folds, rulers.
    pub lines: Vec<Line>,
    /// Cutting lines of pieces that have no straight cuts.
    pub rings: Vec<Ring>,
    /// The words in the margin, shaped; in page millimetres.
    pub words: Vec<GlyphRun>,
}

impl Sheet {
    /// The first component that lies on it.
    pub fn component(&self) -> &str {
        self.components.first().map_or("", String::as_str)
    }

    /// Whether it shows fronts and backs, to be folded.
    pub fn is_folded(&self) -> bool {
        self.side == Side::Front && self.placements.iter().any(|placed| placed.side == Side::Back)
    }

    /// Whether pieces of `component` lie on it.
    pub fn holds(&self, component: &str) -> bool {
        self.components.iter().any(|held| held == component)
    }
}
