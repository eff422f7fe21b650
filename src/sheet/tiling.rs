//! Tiling: a board that is larger than the sheet, on several sheets that are glued together.
//!
//! Along a side of length `L` with a printable length `P` and an overlap `o`, `n = ceil((L - o) / (P - o))` sheets are needed. All
//! tiles are equally large, but for what `joints` moves to keep off text. The overlap is the strip at a tile's right and lower
//! edge: its art continues, the neighbour is cut at its own left and upper edge and glued onto it.

use super::creases;
use super::draft::{Layout, Spot, Tile, area_of_line};
use super::joints::{self, Axis};
use super::marks::{self, Cuts, Edges};
use super::seams;
use super::turn::{Frame, Turn};
use super::words::Pen;
use super::{Line, Marks, Options, Piece, Side, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// Marks that stand this close to each other cannot be told apart.
const APART: Length = Length::emu(18_000);

/// How boards are divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tiling {
    frame: Frame,
    along: Axis,
    down: Axis,
    columns: usize,
    rows: usize,
}

impl Tiling {
    /// The division into the fewest tiles; none when the overlap leaves nothing of a sheet.
    fn best(board: Size, options: &Options) -> Option<Self> {
        let overlap = options.overlap.max(Length::ZERO);
        let tilings = Frame::both(options.paper.size).map(|frame| {
            let printable = frame.seen_in(options.printable());
            let along = Axis { length: board.w, reach: printable.w, overlap };
            let down = Axis { length: board.h, reach: printable.h, overlap };
            Some(Tiling { frame, along, down, columns: along.count()?, rows: down.count()? })
        });
        let fewer = |best: Tiling, other: Tiling| if other.count() < best.count() { other } else { best };
        tilings.into_iter().flatten().reduce(fewer)
    }

    const fn count(&self) -> usize {
        self.columns.saturating_mul(self.rows)
    }

    /// What of `piece` lies on each tile, in the board's coordinates, row by row.
    fn parts(&self, piece: &Piece, stack: &Stack) -> Vec<(Tile, Rect)> {
        let (along, down) = joints::zones(&piece.front, &stack.folds);
        let (columns, rows) = (self.along.sections(self.columns, &along), self.down.sections(self.rows, &down));
        let row_of = |(row, (y, h)): (usize, (Length, Length))| {
            let tile = move |column| Tile {
                row,
                column,
                rows: self.rows,
                columns: self.columns,
                board: stack.trim,
                turn: Turn::Up,
            };
            let columns = columns.iter().enumerate();
            columns.map(move |(column, (x, w))| (tile(column), Rect { x: *x, y, w: *w, h })).collect::<Vec<_>>()
        };
        rows.into_iter().enumerate().flat_map(row_of).collect()
    }
}

/// The sheets of a stack of boards, tile by tile along the rows of each; none when they cannot be tiled.
pub(super) fn tiles<'s>(stack: &'s Stack, options: &Options, pen: &Pen<'_>) -> Option<Vec<Layout<'s>>> {
    let tiling = Tiling::best(stack.trim, options)?;
    let mut layouts = Vec::new();
    for piece in &stack.pieces {
        let parts = tiling.parts(piece, stack);
        layouts.extend(parts.into_iter().map(|part| sheet(&tiling, piece, part, stack, options, pen)));
    }
    Some(layouts)
}

/// The sheet of one tile.
fn sheet<'s>(
    tiling: &Tiling,
    piece: &'s Piece,
    (tile, part): (Tile, Rect),
    stack: &'s Stack,
    options: &Options,
    pen: &Pen<'_>,
) -> Layout<'s> {
    let place = tiling.frame.seen_in(options.printable()).middle(part.size());
    let edges = edges(tile, place, stack, tiling.frame, options);
    let board = Point { x: place.x - part.x, y: place.y - part.y };
    let trim = Rect::new(board, stack.trim);
    let shape = stack.shape;
    let spot = Spot { piece, side: Side::Front, shape, trim, clip: edges.art(place), turn: Turn::Up };
    let mut layout = Layout { stacks: vec![stack], spots: vec![spot], tile: Some(tile), ..Layout::default() };
    if options.marks != Marks::None {
        layout.lines = marks::crop(&cuts(tile, place), &edges);
        layout.lines.extend(seams::dashes(tile, place, tiling.along.overlap, &edges));
        add_apart(&mut layout.lines, creases::lines(&layout.spots, &stack.folds, place, &edges));
        add_apart(&mut layout.lines, seams::crosses(tile, place, tiling.along.overlap, &edges));
        layout.notes = seams::neighbours(tile, place, &edges, &layout.lines, pen);
        let words = creases::words(&layout.lines, &layout.notes, place, &edges, pen);
        layout.notes.extend(words);
    }
    layout.on_page(tiling.frame)
}

/// Adds those of `more` that do not come close to one of `lines`.
fn add_apart(lines: &mut Vec<Line>, mut more: Vec<Line>) {
    let taken: Vec<Rect> = lines.iter().map(|line| area_of_line(line).outset(APART)).collect();
    more.retain(|line| !taken.iter().any(|area| area.overlaps(area_of_line(line))));
    lines.extend(more);
}

/// The sides of a tile. Bleed reaches over the board's own edge and over the edge that is cut at a seam, but not beyond the strip
/// that is glued.
fn edges(tile: Tile, place: Rect, stack: &Stack, frame: Frame, options: &Options) -> Edges {
    let printable = frame.seen_in(options.printable());
    let end = |is_last: bool| if is_last { stack.bleed } else { Length::ZERO };
    let bleeds = [stack.bleed, stack.bleed, end(tile.is_last_column()), end(tile.is_last_row())];
    Edges::with_bleeds(place, printable, bleeds, options.marks)
}

/// The cuts of a tile: its left and upper edge, and the right and lower one where the board ends.
fn cuts(tile: Tile, place: Rect) -> Cuts {
    let mut cuts = Cuts { xs: vec![place.x], ys: vec![place.y], around: place };
    cuts.xs.extend(tile.is_last_column().then(|| place.right()));
    cuts.ys.extend(tile.is_last_row().then(|| place.bottom()));
    cuts
}

impl Tile {
    pub(super) const fn is_last_column(&self) -> bool {
        self.column + 1 == self.columns
    }

    pub(super) const fn is_last_row(&self) -> bool {
        self.row + 1 == self.rows
    }
}
