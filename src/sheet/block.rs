//! A block: pieces of one component in rows and columns, with their bleed and the marks around them.

use super::creases;
use super::draft::{Layout, Spot};
use super::guillotine::{self, CHANNEL};
use super::marks::{self, Cuts, Edges};
use super::turn::Turn;
use super::words::Pen;
use super::{Gutter, Line, Marks, Piece, Shape, Side, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// How far pieces that are not cut along a ruler lie apart at least, so that scissors or a punch get between them.
const SCISSORS: Length = Length::mm(4);

/// What lies between two pieces of `stack`.
pub(super) fn gutter(stack: &Stack) -> Length {
    let wanted = match stack.gutter {
        Gutter::Shared => Length::ZERO,
        Gutter::Bleeds => stack.bleed * 2,
        Gutter::Fixed(gutter) => gutter.max(Length::ZERO),
    };
    match (stack.shape, stack.gutter) {
        (Shape::Rect | Shape::Standee, _) | (Shape::Circle | Shape::Hex { .. }, Gutter::Fixed(_)) => wanted,
        (Shape::Circle | Shape::Hex { .. }, _) => SCISSORS,
        (Shape::Drawn, _) => wanted.max(SCISSORS),
    }
}

/// The bleed that a piece of `stack` needs where it has no neighbour: pieces that nobody cuts along a ruler no more than they
/// have between each other.
pub(super) fn needed_bleed(stack: &Stack) -> Length {
    match stack.shape {
        Shape::Rect | Shape::Standee => stack.bleed,
        Shape::Circle | Shape::Hex { .. } | Shape::Drawn => stack.bleed.min(gutter(stack).half()),
    }
}

/// The marks that `stack` gets where `wanted` ones are asked for: only straight cuts have any.
pub(super) fn marks_of(stack: &Stack, wanted: Marks) -> Marks {
    if matches!(stack.shape, Shape::Rect | Shape::Standee) { wanted } else { Marks::None }
}

/// Equal trims in rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    /// Pieces side by side; at least one.
    pub(super) columns: usize,
    /// Pieces one below the other; at least one.
    pub(super) rows: usize,
    /// The size of a trim, as it lies.
    pub(super) trim: Size,
    /// What lies between two of them.
    pub(super) gutter: Length,
    /// The top left corner of the first.
    pub(super) origin: Point,
}

impl Grid {
    /// Pieces in a full grid; at least one.
    pub(super) const fn capacity(&self) -> usize {
        self.columns * self.rows
    }

    /// The size of the full grid, from the first trim to the last.
    pub(super) fn size(&self) -> Size {
        let along = |part: Length, n: usize| part * whole(n) + self.gutter * (whole(n) - 1);
        Size { w: along(self.trim.w, self.columns), h: along(self.trim.h, self.rows) }
    }

    /// The trim in `slot`, counted along rows.
    pub(super) fn trim_of(&self, slot: usize) -> Rect {
        let (row, column) = (slot / self.columns, slot % self.columns);
        let at = Point {
            x: self.origin.x + (self.trim.w + self.gutter) * whole(column),
            y: self.origin.y + (self.trim.h + self.gutter) * whole(row),
        };
        Rect::new(at, self.trim)
    }

    /// The smallest rectangle around the trims of the first `count` slots.
    pub(super) fn around(&self, count: usize) -> Rect {
        let (columns, rows) = (count.clamp(1, self.columns), count.div_ceil(self.columns).max(1));
        Rect::new(self.origin, Grid { columns, rows, ..*self }.size())
    }
}

fn whole(n: usize) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

/// Pieces of one component that lie together.
pub(super) struct Block<'s> {
    /// Their component.
    pub(super) stack: &'s Stack,
    /// The pieces; no more than the grid has slots.
    pub(super) pieces: Vec<&'s Piece>,
    /// Where they lie.
    pub(super) grid: Grid,
    /// Where their tops point.
    pub(super) turn: Turn,
    /// What happens around them.
    pub(super) edges: Edges,
    /// Which marks are wanted.
    marks: Marks,
}

impl<'s> Block<'s> {
    /// A block that has `room` for its bleed and marks.
    pub(super) fn new(
        stack: &'s Stack,
        pieces: Vec<&'s Piece>,
        grid: Grid,
        turn: Turn,
        room: Rect,
        marks: Marks,
    ) -> Self {
        let edges = Edges::new(grid.around(pieces.len()), room, needed_bleed(stack), marks_of(stack, marks));
        Block { stack, pieces, grid, turn, edges, marks }
    }

    /// The rectangle around its trims.
    pub(super) fn around(&self) -> Rect {
        self.grid.around(self.pieces.len())
    }

    /// Its places and marks; the cuts are numbered from `first` on.
    pub(super) fn layout(&self, first: usize, pen: &Pen<'_>) -> Layout<'s> {
        let spots: Vec<Spot<'s>> = self.pieces.iter().enumerate().map(|(slot, piece)| self.spot(slot, piece)).collect();
        let mut layout = Layout { stacks: vec![self.stack], spots, ..Layout::default() };
        if self.marks == Marks::None {
            return layout;
        }
        layout.lines = self.gutter_lines(&layout.spots);
        match self.stack.shape {
            Shape::Rect | Shape::Standee => {
                let cuts = Cuts::of(layout.spots.iter().map(|spot| spot.trim));
                layout.lines.splice(0..0, marks::crop(&cuts, &self.edges));
                layout.lines.extend(creases::lines(&layout.spots, &self.stack.folds, cuts.around, &self.edges));
                layout.notes = marks::numbers(&cuts, &self.edges, &layout.lines, first, pen);
                let words = creases::words(&layout.lines, &layout.notes, cuts.around, &self.edges, pen);
                layout.notes.extend(words);
                layout.cuts = cuts.count();
                layout.lacks_marks = !self.edges.all_ticked();
            }
            Shape::Circle | Shape::Hex { .. } => layout.rings = layout.spots.iter().flat_map(marks::rings).collect(),
            Shape::Drawn => {}
        }
        layout
    }

    fn gutter_lines(&self, spots: &[Spot<'s>]) -> Vec<Line> {
        if self.marks != Marks::Guillotine {
            return Vec::new();
        }
        let arts: Vec<Rect> = spots.iter().map(|spot| spot.clip).collect();
        guillotine::lines(&self.grid, self.around(), &self.edges, &arts)
    }

    fn spot(&self, slot: usize, piece: &'s Piece) -> Spot<'s> {
        let (trim, clip) = (self.grid.trim_of(slot), self.clip(slot));
        Spot { piece, side: Side::Front, shape: self.stack.shape, trim, clip, turn: self.turn }
    }

    /// What the piece in `slot` may paint: its trim, half the gutter towards a neighbour but no more than the bleed, and the bleed
    /// where nobody is.
    fn clip(&self, slot: usize) -> Rect {
        let (grid, edges, count) = (&self.grid, &self.edges, self.pieces.len());
        let (row, column) = (slot / grid.columns, slot % grid.columns);
        let bleed = needed_bleed(self.stack);
        let channel = if self.marks == Marks::Guillotine { CHANNEL } else { Length::ZERO };
        let inner = bleed.min((grid.gutter - channel).half().max(Length::ZERO));
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
}
