//! Tiling: a board that is larger than the sheet, on several sheets that are glued together.
//!
//! Along a side of length `L` with a printable length `P` and an overlap `o`, `n = ceil((L - o) / (P - o))` sheets are needed. All
//! tiles are equally large. The overlap is the strip at a tile's right and lower edge: its art continues, the neighbour is cut at
//! its own left and upper edge and glued onto it.

use super::draft::{Layout, Note, Spot, Tile, area_of_line};
use super::marks::{self, Cuts, Edges, solid};
use super::turn::{Frame, Turn};
use super::words::{ANY, Pen, SMALL};
use super::{Line, Marks, Options, Piece, Side, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// Dash and gap of the marks that say where the neighbour's edge comes to lie.
const DASH: Length = Length::emu(25_200);
/// A registration cross: how far its middle is from the end of the crop marks' offset, and the length of its arms.
const CROSS_AWAY: Length = Length::emu(90_000);
const CROSS_ARM: Length = Length::mm(2);
/// Distance of a neighbour's name from the art.
const NAME_AWAY: Length = Length::mm(1);

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
        layout.lines.extend(seams(tile, place, tiling.overlap, &edges));
        layout.notes = neighbours(tile, place, &edges, &layout.lines, pen);
    }
    layout.on_page(tiling.frame)
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
    const fn is_last_column(&self) -> bool {
        self.column + 1 == self.columns
    }

    const fn is_last_row(&self) -> bool {
        self.row + 1 == self.rows
    }
}

/// Whether a tile has a strip that is glued under a neighbour.
pub(super) const fn has_tab(tile: Tile) -> bool {
    !tile.is_last_column() || !tile.is_last_row()
}

/// The name of a tile: a letter for its row, a number for its column (`B2`).
pub(super) fn name(tile: Tile) -> String {
    format!("{}{}", row_letters(tile.row), tile.column + 1)
}

/// A, B ... Z, AA, AB ...
fn row_letters(row: usize) -> String {
    let letter = (b'A'..=b'Z').nth(row % 26).map(char::from).unwrap_or_default();
    if row < 26 { letter.to_string() } else { format!("{}{letter}", row_letters(row / 26 - 1)) }
}

/// Dashed marks where the neighbours' cut edges come to lie, and crosses in the middle of each overlap, at the same place of the
/// board on both tiles.
fn seams(tile: Tile, place: Rect, overlap: Length, edges: &Edges) -> Vec<Line> {
    let mut lines = Vec::new();
    let (right, bottom) = (place.right() - overlap, place.bottom() - overlap);
    if !tile.is_last_column() {
        lines.extend(dashed(marks::crop(&Cuts { xs: vec![right], ys: Vec::new(), around: place }, edges)));
        lines.extend(crosses_beside_column(right + overlap.half(), place, overlap, edges));
    }
    if tile.column > 0 {
        lines.extend(crosses_beside_column(place.x + overlap.half(), place, overlap, edges));
    }
    if !tile.is_last_row() {
        lines.extend(dashed(marks::crop(&Cuts { xs: Vec::new(), ys: vec![bottom], around: place }, edges)));
        lines.extend(crosses_beside_row(bottom + overlap.half(), place, overlap, edges));
    }
    if tile.row > 0 {
        lines.extend(crosses_beside_row(place.y + overlap.half(), place, overlap, edges));
    }
    lines
}

fn dashed(lines: Vec<Line>) -> impl Iterator<Item = Line> {
    lines.into_iter().map(|line| Line { dash: Some(DASH), ..line })
}

/// Crosses above and below the overlap whose middle is at `x`.
fn crosses_beside_column(x: Length, place: Rect, overlap: Length, edges: &Edges) -> Vec<Line> {
    let above = cross_distance(edges.top).map(|away| place.y - away);
    let below = cross_distance(edges.bottom).map(|away| place.bottom() + away);
    [above, below].into_iter().flatten().flat_map(|y| cross(Point { x, y }, overlap)).collect()
}

/// Crosses left and right of the overlap whose middle is at `y`.
fn crosses_beside_row(y: Length, place: Rect, overlap: Length, edges: &Edges) -> Vec<Line> {
    let left = cross_distance(edges.left).map(|away| place.x - away);
    let right = cross_distance(edges.right).map(|away| place.right() + away);
    [left, right].into_iter().flatten().flat_map(|x| cross(Point { x, y }, overlap)).collect()
}

/// How far a cross is from the tile's edge; none where the crop marks are too short to leave room for it.
fn cross_distance(edge: marks::Edge) -> Option<Length> {
    let tick = edge.tick?;
    (tick.length >= CROSS_AWAY + CROSS_ARM).then(|| tick.offset + CROSS_AWAY)
}

/// A cross whose arms stay inside an overlap of this width.
fn cross(middle: Point, overlap: Length) -> [Line; 2] {
    let Point { x, y } = middle;
    let arm = CROSS_ARM.min(overlap.half() / 2);
    [solid(Point { x: x - arm, y }, Point { x: x + arm, y }), solid(Point { x, y: y - arm }, Point { x, y: y + arm })]
}

/// The names of the tiles next to this one, with arrows, beside the middle of its sides.
fn neighbours(tile: Tile, place: Rect, edges: &Edges, lines: &[Line], pen: &Pen<'_>) -> Vec<Note> {
    let taken: Vec<Rect> = lines.iter().map(area_of_line).collect();
    let middle = Point { x: place.x + place.w.half(), y: place.y + place.h.half() };
    let art = edges.art(place);
    let left = (tile.column > 0).then(|| (Tile { column: tile.column - 1, ..tile }, '←'));
    let above = (tile.row > 0).then(|| (Tile { row: tile.row - 1, ..tile }, '↑'));
    let right = (!tile.is_last_column()).then(|| (Tile { column: tile.column + 1, ..tile }, '→'));
    let below = (!tile.is_last_row()).then(|| (Tile { row: tile.row + 1, ..tile }, '↓'));
    let named = |neighbour: Option<(Tile, char)>, corner: fn(Rect, Point, Size) -> Point| {
        let (neighbour, arrow) = neighbour?;
        let text = format!("{arrow} {}", name(neighbour));
        let note = pen.note(&text, SMALL, ANY, corner(art, middle, pen.room(&text, SMALL, ANY)));
        edges.leave_free(note.area, place, &taken).then_some(note)
    };
    [
        named(left, |art, middle, room| Point { x: art.x - NAME_AWAY - room.w, y: middle.y - room.h.half() }),
        named(above, |art, middle, room| Point { x: middle.x - room.w.half(), y: art.y - NAME_AWAY - room.h }),
        named(right, |art, middle, room| Point { x: art.right() + NAME_AWAY, y: middle.y - room.h.half() }),
        named(below, |art, middle, room| Point { x: middle.x - room.w.half(), y: art.bottom() + NAME_AWAY }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_are_named_by_letter_and_number() {
        let names = [0, 1, 25, 26, 27, 52].map(row_letters);
        assert_eq!(names, ["A", "B", "Z", "AA", "AB", "BA"]);
    }

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
