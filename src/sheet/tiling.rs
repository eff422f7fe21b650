//! Tiling: a board that is larger than the sheet, on several sheets that are glued together.
//!
//! Along a side of length `L` with a printable length `P` and an overlap `o`, `n = ceil((L - o) / (P - o))` sheets are needed. All
//! tiles are equally large. The overlap is the strip at a tile's right and lower edge: its art continues, the neighbour is cut at
//! its own left and upper edge and glued onto it.

use super::creases;
use super::draft::{Layout, Spot, Tile, area_of_line};
use super::marks::{self, Cuts, Edges};
use super::seams;
use super::turn::{Frame, Turn};
use super::words::Pen;
use super::{Line, Marks, Options, Piece, Side, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// Marks that stand this close to each other cannot be told apart.
const APART: Length = Length::emu(18_000);

/// How a board is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tiling {
    frame: Frame,
    columns: usize,
    rows: usize,
    board: Size,
    overlap: Length,
}

impl Tiling {
    /// The division into the fewest tiles; none when the overlap leaves nothing of a sheet.
    fn best(board: Size, options: &Options) -> Option<Self> {
        let overlap = options.overlap.max(Length::ZERO);
        let tilings = Frame::both(options.paper.size).map(|frame| {
            let printable = frame.seen_in(options.printable());
            let columns = sheets_along(board.w, printable.w, overlap)?;
            let rows = sheets_along(board.h, printable.h, overlap)?;
            Some(Tiling { frame, columns, rows, board, overlap })
        });
        let fewer = |best: Tiling, other: Tiling| if other.count() < best.count() { other } else { best };
        tilings.into_iter().flatten().reduce(fewer)
    }

    const fn count(&self) -> usize {
        self.columns.saturating_mul(self.rows)
    }

    /// What of the board lies on a tile, in the board's coordinates.
    fn part(&self, row: usize, column: usize) -> Rect {
        let (x, w) = section(self.board.w, self.overlap, column, self.columns);
        let (y, h) = section(self.board.h, self.overlap, row, self.rows);
        Rect { x, y, w, h }
    }
}

/// How many sheets a length takes; none when a sheet has no more than the overlap, or when there would be absurdly many.
fn sheets_along(length: Length, printable: Length, overlap: Length) -> Option<usize> {
    let step = (printable - overlap).to_emu();
    if step <= 0 {
        return None;
    }
    let rest = (length - overlap).to_emu().max(1);
    let count = usize::try_from((rest + step - 1) / step).ok()?;
    (count <= 100).then_some(count)
}

/// Start and length of one of `count` equal, overlapping sections of a length.
fn section(length: Length, overlap: Length, index: usize, count: usize) -> (Length, Length) {
    if count == 1 {
        return (Length::ZERO, length);
    }
    let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
    let start = |index: usize| (length - overlap) * whole(index) / whole(count);
    (start(index), start(index + 1) - start(index) + overlap)
}

/// The sheets of a stack of boards, tile by tile along the rows of each; none when they cannot be tiled.
pub(super) fn tiles<'s>(stack: &'s Stack, options: &Options, pen: &Pen<'_>) -> Option<Vec<Layout<'s>>> {
    let tiling = Tiling::best(stack.trim, options)?;
    let mut layouts = Vec::new();
    for piece in &stack.pieces {
        for row in 0..tiling.rows {
            for column in 0..tiling.columns {
                layouts.push(sheet(&tiling, piece, (row, column), stack, options, pen));
            }
        }
    }
    Some(layouts)
}

/// The sheet of one tile.
fn sheet<'s>(
    tiling: &Tiling,
    piece: &'s Piece,
    (row, column): (usize, usize),
    stack: &'s Stack,
    options: &Options,
    pen: &Pen<'_>,
) -> Layout<'s> {
    let tile = Tile { row, column, rows: tiling.rows, columns: tiling.columns, board: tiling.board, turn: Turn::Up };
    let part = tiling.part(row, column);
    let place = tiling.frame.seen_in(options.printable()).middle(part.size());
    let edges = edges(tile, place, stack, tiling.frame, options);
    let board = Point { x: place.x - part.x, y: place.y - part.y };
    let trim = Rect::new(board, tiling.board);
    let shape = stack.shape;
    let spot = Spot { piece, side: Side::Front, shape, trim, clip: edges.art(place), turn: Turn::Up };
    let mut layout = Layout { stacks: vec![stack], spots: vec![spot], tile: Some(tile), ..Layout::default() };
    if options.marks != Marks::None {
        layout.lines = marks::crop(&cuts(tile, place), &edges);
        layout.lines.extend(seams::dashes(tile, place, tiling.overlap, &edges));
        add_apart(&mut layout.lines, creases::lines(&layout.spots, &stack.folds, place, &edges));
        add_apart(&mut layout.lines, seams::crosses(tile, place, tiling.overlap, &edges));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_overlap_by_exactly_the_overlap() {
        for (length, count) in [(Length::mm(420), 2), (Length::emu(1_000_001), 3), (Length::mm(600), 4)] {
            let sections: Vec<_> = (0..count).map(|index| section(length, Length::emu(7), index, count)).collect();
            assert_eq!(sections[0].0, Length::ZERO);
            assert!(sections.windows(2).all(|pair| pair[0].0 + pair[0].1 - pair[1].0 == Length::emu(7)));
            assert_eq!(sections.last().map(|(start, length)| *start + *length), Some(length));
        }
    }

    #[test]
    fn an_overlap_as_large_as_the_sheet_makes_no_tiles() {
        assert_eq!(sheets_along(Length::mm(500), Length::mm(200), Length::mm(200)), None);
        assert_eq!(sheets_along(Length::mm(390), Length::mm(200), Length::mm(10)), Some(2));
        assert_eq!(sheets_along(Length::mm(391), Length::mm(200), Length::mm(10)), Some(3));
    }
}
