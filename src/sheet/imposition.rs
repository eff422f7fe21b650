//! Imposition: how many pieces lie on a sheet, and where.
//!
//! Along a side of length `L` with printable margin `m`, pieces of length `c`, gutter `g` and outer bleed `b`,
//! `n = floor((L - 2m - 2b + g) / (c + g))` fit. Where the gutter is shared, the outer bleed is what is left over, so `b` counts
//! as nothing. Both ways of laying the grid are tried; the one with more pieces wins, and it stands in the middle of what the
//! printer reaches.

use super::block::{Block, Grid, gutter, needed_bleed};
use super::draft::{Layout, Spot};
use super::fold::Area;
use super::marks;
use super::turn::{Frame, Turn};
use super::words::Pen;
use super::{Fault, Gutter, Kind, Options, Piece, Shape, Side, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// A grid in an area of the page, as it is seen in a frame.
#[derive(Clone, Copy, Debug)]
struct Framed {
    area: Area,
    frame: Frame,
    grid: Grid,
}

impl Framed {
    /// The grid that holds the most pieces of `stack` in one of `areas`. Its outer bleed is kept whole where that is possible at
    /// all.
    fn best(stack: &Stack, areas: &[Area], options: &Options) -> Option<Self> {
        let outer = match (stack.shape, stack.gutter) {
            (Shape::Rect | Shape::Standee, Gutter::Shared) => Length::ZERO,
            _ => needed_bleed(stack),
        };
        let best = |outer| Self::best_with(stack, outer, areas, options);
        best(outer).or_else(|| best(Length::ZERO))
    }

    fn best_with(stack: &Stack, outer: Length, areas: &[Area], options: &Options) -> Option<Self> {
        let frames = Frame::both(options.paper.size);
        let pairs = areas.iter().flat_map(|area| frames.map(|frame| (*area, frame)));
        let grids = pairs.filter_map(|(area, frame)| Self::in_frame(area, frame, stack, outer));
        grids.reduce(|best, other| if other.worth() > best.worth() { other } else { best })
    }

    fn in_frame(area: Area, frame: Frame, stack: &Stack, outer: Length) -> Option<Self> {
        let reach = frame.seen_in(area.rect);
        let (trim, gutter) = (stack.trim, gutter(stack));
        let count = |length: Length, part: Length| (length - outer * 2 + gutter).fits(part + gutter);
        let (columns, rows) = (count(reach.w, trim.w), count(reach.h, trim.h));
        if columns == 0 || rows == 0 {
            return None;
        }
        let grid = Grid { columns, rows, trim, gutter, origin: Point::default() };
        let Rect { x, y, .. } = reach.middle(grid.size());
        Some(Framed { area, frame, grid: Grid { origin: Point { x, y }, ..grid } })
    }

    /// The same with rows as equally full as can be, for `count` pieces that leave a part of it empty: what scissors cut out
    /// need not lie in the slots of a full sheet.
    fn balanced(self, count: usize) -> Self {
        let Grid { columns, rows, .. } = self.grid;
        if count == 0 || count >= columns * rows {
            return self;
        }
        let rows = count.div_ceil(columns);
        let grid = Grid { columns: count.div_ceil(rows), rows, ..self.grid };
        let Rect { x, y, .. } = self.frame.seen_in(self.area.rect).middle(grid.size());
        Framed { grid: Grid { origin: Point { x, y }, ..grid }, ..self }
    }

    /// What decides between two grids: the pieces on it, then whether there is room for marks.
    fn worth(&self) -> (usize, bool) {
        let (reach, origin) = (self.frame.seen_in(self.area.rect), self.grid.origin);
        let room = (origin.x - reach.x).min(origin.y - reach.y);
        (self.grid.capacity(), room >= marks::MIN_TICK)
    }

    /// The sheet with `pieces`.
    fn sheet<'s>(&self, pieces: &'s [Piece], stack: &'s Stack, options: &Options, pen: &Pen<'_>) -> Layout<'s> {
        let (frame, reach) = (self.frame, self.frame.seen_in(self.area.rect));
        let block = Block::new(stack, pieces.iter().collect(), self.grid, Turn::Up, reach, options.marks);
        let is_full = pieces.len() == self.grid.capacity();
        Layout { is_full, fold: self.area.fold, ..block.layout(1, pen) }.on_page(frame)
    }
}

/// The sheets of a stack that lies in a grid, on the page; none when not one piece fits. What is too large for half a sheet is not
/// folded.
pub(super) fn grids<'s>(stack: &'s Stack, options: &Options, pen: &Pen<'_>) -> Option<Vec<Layout<'s>>> {
    let best = Framed::best(stack, &Area::choice(stack.has_backs(), options), options)
        .or_else(|| Framed::best(stack, &[Area::whole(options)], options))?;
    let best = if stack.shape == Shape::Drawn { best.balanced(stack.pieces.len()) } else { best };
    let sheets = stack.pieces.chunks(best.grid.capacity()).map(|pieces| best.sheet(pieces, stack, options, pen));
    Some(sheets.collect())
}

/// Pages that fill the paper; none when they are larger than it. A smaller one stands in its middle, a lying one is turned.
pub(super) fn whole_pages<'s>(stack: &'s Stack, options: &Options) -> Option<Vec<Layout<'s>>> {
    let frame = Frame::both(options.paper.size).into_iter().find(|frame| frame.size().holds(stack.trim))?;
    let (trim, clip) = (frame.whole().middle(stack.trim), frame.whole());
    let spot = |piece| Spot { piece, side: Side::Front, shape: stack.shape, trim, clip, turn: frame.turn() };
    let sheet = |piece| {
        let layout = Layout { stacks: vec![stack], spots: vec![spot(piece)], bare: true, ..Layout::default() };
        layout.on_page(frame)
    };
    Some(stack.pieces.iter().map(sheet).collect())
}

/// Boards that the paper holds though the printer does not reach all of it: one on a page, in its middle, without marks and words,
/// for which nothing is left. None when the paper is smaller.
pub(super) fn to_the_edge<'s>(stack: &'s Stack, options: &Options) -> Option<Vec<Layout<'s>>> {
    let frame = Frame::both(options.paper.size).into_iter().find(|frame| frame.size().holds(stack.trim))?;
    let trim = frame.whole().middle(stack.trim);
    let clip = trim.outset(stack.bleed).common(frame.whole());
    let reach = frame.seen_in(options.printable());
    let beyond = [reach.x - trim.x, reach.y - trim.y, trim.right() - reach.right(), trim.bottom() - reach.bottom()];
    let beyond_margin = beyond.into_iter().max().unwrap_or_default();
    let sheet = |piece| {
        let spot = Spot { piece, side: Side::Front, shape: stack.shape, trim, clip, turn: Turn::Up };
        Layout { stacks: vec![stack], spots: vec![spot], bare: true, beyond_margin, ..Layout::default() }.on_page(frame)
    };
    Some(stack.pieces.iter().map(sheet).collect())
}

/// The fault of a piece that fits neither way round.
pub(super) fn too_large(stack: &Stack, options: &Options) -> Fault {
    let reach = match stack.kind {
        Kind::Page => options.paper.size,
        Kind::Card | Kind::Token | Kind::Board => options.printable().size(),
    };
    let largest = Size { w: reach.w.max(Length::ZERO), h: reach.h.max(Length::ZERO) };
    Fault::TooLarge { component: stack.component.clone(), trim: stack.trim, largest, paper: options.paper.clone() }
}
