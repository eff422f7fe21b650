//! Seams: what is marked where the tiles of a board meet, and what the tiles are called.

use super::Line;
use super::draft::{Note, Tile, area_of_line};
use super::marks::{self, Cuts, Edges, solid};
use super::words::{ANY, Pen, SMALL, Tab};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// Dash and gap of the marks that say where the neighbour's edge comes to lie.
const DASH: Length = Length::emu(25_200);
/// A registration cross: how far its middle is from the end of the crop marks' offset, and the length of its arms.
const CROSS_AWAY: Length = Length::emu(90_000);
const CROSS_ARM: Length = Length::mm(2);
/// Distance of a neighbour's name from the art.
const NAME_AWAY: Length = Length::mm(1);

/// The edges that a tile is glued at: those with a neighbour at the right or below; none for the last tile.
pub(super) const fn tab(tile: Tile) -> Option<Tab> {
    match (tile.is_last_column(), tile.is_last_row()) {
        (false, false) => Some(Tab::Both),
        (false, true) => Some(Tab::Right),
        (true, false) => Some(Tab::Bottom),
        (true, true) => None,
    }
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

/// Dashed marks where the neighbours' cut edges come to lie.
pub(super) fn dashes(tile: Tile, place: Rect, overlap: Length, edges: &Edges) -> Vec<Line> {
    let xs = (!tile.is_last_column()).then(|| place.right() - overlap).into_iter().collect();
    let ys = (!tile.is_last_row()).then(|| place.bottom() - overlap).into_iter().collect();
    let lines = marks::crop(&Cuts { xs, ys, around: place }, edges);
    lines.into_iter().map(|line| Line { dash: Some(DASH), ..line }).collect()
}

/// Crosses in the middle of each overlap, at the same place of the board on both tiles.
pub(super) fn crosses(tile: Tile, place: Rect, overlap: Length, edges: &Edges) -> Vec<Line> {
    let mut lines = Vec::new();
    if !tile.is_last_column() {
        lines.extend(crosses_beside_column(place.right() - overlap + overlap.half(), place, overlap, edges));
    }
    if tile.column > 0 {
        lines.extend(crosses_beside_column(place.x + overlap.half(), place, overlap, edges));
    }
    if !tile.is_last_row() {
        lines.extend(crosses_beside_row(place.bottom() - overlap + overlap.half(), place, overlap, edges));
    }
    if tile.row > 0 {
        lines.extend(crosses_beside_row(place.y + overlap.half(), place, overlap, edges));
    }
    lines
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
pub(super) fn neighbours(tile: Tile, place: Rect, edges: &Edges, lines: &[Line], pen: &Pen<'_>) -> Vec<Note> {
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
}
