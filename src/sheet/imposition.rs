//! Imposition: how many pieces lie on a sheet, and where.
//!
//! Along a side of length `L` with printable margin `m`, pieces of length `c`, gutter `g` and outer bleed `b`,
//! `n = floor((L - 2m - 2b + g) / (c + g))` fit. Where the gutter is shared, the outer bleed is what is left over, so `b` counts
//! as nothing. Both ways of laying the grid are tried; the one with more pieces wins, and it stands in the middle of the page.

use super::draft::{Layout, Spot};
use super::marks::{self, Cuts, Edges};
use super::turn::Frame;
use super::words::Pen;
use super::{Fault, Gutter, Kind, Marks, Options, Shape, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// How far pieces that are not cut along a ruler lie apart at least, so that scissors or a punch get between them.
const SCISSORS: Length = Length::mm(4);

/// A grid of pieces in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    frame: Frame,
    /// Pieces side by side.
    pub(super) columns: usize,
    /// Pieces one below the other.
    pub(super) rows: usize,
    trim: Size,
    gutter: Length,
    origin: Point,
}

impl Grid {
    /// The grid that holds the most pieces of `stack`, whose outer bleed is kept whole where that is possible at all.
    pub(super) fn best(stack: &Stack, options: &Options) -> Option<Self> {
        let gutter = gutter(stack);
        let outer = match (stack.shape, stack.gutter) {
            (Shape::Rect, Gutter::Shared) => Length::ZERO,
            _ => needed_bleed(stack, gutter),
        };
        Self::best_with(stack.trim, gutter, outer, options)
            .or_else(|| Self::best_with(stack.trim, gutter, Length::ZERO, options))
    }

    fn best_with(trim: Size, gutter: Length, outer: Length, options: &Options) -> Option<Self> {
        let grids = Frame::both(options.paper.size).map(|frame| Self::in_frame(frame, trim, gutter, outer, options));
        let better = |best: Grid, other: Grid| if other.worth(options) > best.worth(options) { other } else { best };
        grids.into_iter().flatten().reduce(better)
    }

    fn in_frame(frame: Frame, trim: Size, gutter: Length, outer: Length, options: &Options) -> Option<Self> {
        let (size, reach) = (frame.size(), frame.printable(options.margin));
        let count = |length: Length, part: Length| (length - outer * 2 + gutter).fits(part + gutter);
        let (columns, rows) = (count(reach.w, trim.w), count(reach.h, trim.h));
        if columns == 0 || rows == 0 {
            return None;
        }
        let taken = |part: Length, n: usize| part * whole(n) + gutter * (whole(n) - 1);
        let origin = Point { x: (size.w - taken(trim.w, columns)).half(), y: (size.h - taken(trim.h, rows)).half() };
        Some(Grid { frame, columns, rows, trim, gutter, origin })
    }

    /// What decides between two grids: the pieces on it, then whether there is room for marks.
    fn worth(&self, options: &Options) -> (usize, bool) {
        let reach = self.frame.printable(options.margin);
        let room = (self.origin.x - reach.x).min(self.origin.y - reach.y);
        (self.capacity(), room >= marks::MIN_TICK)
    }

    /// Pieces on a full sheet; at least one.
    pub(super) const fn capacity(&self) -> usize {
        self.columns * self.rows
    }

    /// The trim of the piece in `slot`, counted along rows, in the frame.
    fn trim_of(&self, slot: usize) -> Rect {
        let (row, column) = (slot / self.columns, slot % self.columns);
        let at = Point {
            x: self.origin.x + (self.trim.w + self.gutter) * whole(column),
            y: self.origin.y + (self.trim.h + self.gutter) * whole(row),
        };
        Rect::new(at, self.trim)
    }

    /// The smallest rectangle around the trims of the first `count` slots.
    fn around(&self, count: usize) -> Rect {
        let columns = count.min(self.columns);
        let rows = count.div_ceil(self.columns).max(1);
        let (first, last) = (self.trim_of(0), self.trim_of((rows - 1) * self.columns + columns.max(1) - 1));
        Rect { w: last.right() - first.x, h: last.bottom() - first.y, ..first }
    }
}

fn whole(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

fn gutter(stack: &Stack) -> Length {
    let wanted = match stack.gutter {
        Gutter::Shared => Length::ZERO,
        Gutter::Bleeds => stack.bleed * 2,
        Gutter::Fixed(gutter) => gutter.max(Length::ZERO),
    };
    match (stack.shape, stack.gutter) {
        (Shape::Rect, _) | (Shape::Circle, Gutter::Fixed(_)) => wanted,
        (Shape::Circle, _) => SCISSORS,
        (Shape::Drawn, _) => wanted.max(SCISSORS),
    }
}

/// The bleed that a piece needs where it has no neighbour: pieces that nobody cuts along a ruler no more than they have between
/// each other.
fn needed_bleed(stack: &Stack, gutter: Length) -> Length {
    match stack.shape {
        Shape::Rect => stack.bleed,
        Shape::Circle | Shape::Drawn => stack.bleed.min(gutter.half()),
    }
}

/// The sheets of a stack that lies in a grid, on the page; none when not one piece fits.
pub(super) fn grids(stack: &Stack, options: &Options, pen: &Pen<'_>, faults: &mut Vec<Fault>) -> Option<Vec<Layout>> {
    let grid = Grid::best(stack, options)?;
    let count = stack.pieces.len();
    let sheets = (0..count)
        .step_by(grid.capacity())
        .map(|first| sheet(&grid, first, grid.capacity().min(count - first), stack, options, pen));
    let sheets: Vec<Layout> = sheets.collect();
    if count > 0 && lacks_marks(&grid, stack, options) {
        faults.push(Fault::NoRoomForMarks { component: stack.component.clone() });
    }
    Some(sheets)
}

/// The sheet with the pieces from `first` on.
fn sheet(grid: &Grid, first: usize, count: usize, stack: &Stack, options: &Options, pen: &Pen<'_>) -> Layout {
    let edges = edges(grid, count, stack, options);
    let spots: Vec<Spot> = (0..count)
        .map(|slot| Spot {
            piece: first + slot,
            trim: grid.trim_of(slot),
            clip: clip(grid, slot, count, stack, &edges),
            turn: grid.frame.turn(),
        })
        .collect();
    let mut layout = Layout { spots, ..Layout::default() };
    match (options.marks, stack.shape) {
        (Marks::None, _) | (_, Shape::Drawn) => {}
        (Marks::Outside, Shape::Circle) => {
            layout.rings = layout.spots.iter().map(|spot| marks::ring(spot.trim)).collect()
        }
        (Marks::Outside, Shape::Rect) => {
            let cuts = Cuts::of(layout.spots.iter().map(|spot| spot.trim));
            layout.lines = marks::crop(&cuts, &edges);
            layout.notes = marks::numbers(&cuts, &edges, pen);
        }
    }
    layout.on_page(grid.frame)
}

/// What happens outside the pieces of a sheet that holds `count` of them.
fn edges(grid: &Grid, count: usize, stack: &Stack, options: &Options) -> Edges {
    let marks = if stack.shape == Shape::Rect { options.marks } else { Marks::None };
    let bleed = needed_bleed(stack, grid.gutter);
    Edges::new(grid.around(count), grid.frame.printable(options.margin), bleed, marks)
}

fn lacks_marks(grid: &Grid, stack: &Stack, options: &Options) -> bool {
    options.marks == Marks::Outside
        && stack.shape == Shape::Rect
        && !edges(grid, grid.capacity().min(stack.pieces.len()), stack, options).all_ticked()
}

/// What the piece in `slot` may paint: its trim, half the gutter towards a neighbour but no more than the bleed, and the bleed
/// where nobody is.
fn clip(grid: &Grid, slot: usize, count: usize, stack: &Stack, edges: &Edges) -> Rect {
    let (row, column) = (slot / grid.columns, slot % grid.columns);
    let bleed = needed_bleed(stack, grid.gutter);
    let inner = bleed.min(grid.gutter.half());
    let last_column = column + 1 == grid.columns.min(count);
    let last_row = row + 1 == count.div_ceil(grid.columns);
    let left = if column == 0 { edges.left.bleed } else { inner };
    let top = if row == 0 { edges.top.bleed } else { inner };
    let right = match () {
        () if last_column => edges.right.bleed,
        () if slot + 1 == count => bleed.min(grid.trim.w),
        () => inner,
    };
    let bottom = match () {
        () if last_row => edges.bottom.bleed,
        () if slot + grid.columns >= count => bleed.min(grid.trim.h),
        () => inner,
    };
    let trim = grid.trim_of(slot);
    Rect { x: trim.x - left, y: trim.y - top, w: trim.w + left + right, h: trim.h + top + bottom }
}

/// Pages that fill the paper; none when they are larger than it. A smaller one stands in its middle, a lying one is turned.
pub(super) fn whole_pages(stack: &Stack, options: &Options) -> Option<Vec<Layout>> {
    let frame = Frame::both(options.paper.size).into_iter().find(|frame| frame.size().holds(stack.trim))?;
    let (trim, clip) = (frame.in_middle(stack.trim), frame.whole());
    let spot = |piece| Spot { piece, trim, clip, turn: frame.turn() };
    let sheet = |piece| Layout { spots: vec![spot(piece)], bare: true, ..Layout::default() }.on_page(frame);
    Some((0..stack.pieces.len()).map(sheet).collect())
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
