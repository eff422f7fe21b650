//! Guillotine lines: full-length lines in the gutters, for cutting the sheet apart before each piece is trimmed at its marks.
//! They are thin, light and never on art: bleed leaves a channel free for them, and where art reaches over it they stop.

use super::Line;
use super::block::Grid;
use super::marks::{Edge, Edges};
use crate::geometry::{Point, Rect};
use crate::units::{EMU_PER_PT, Length};

/// Thickness and darkness: 0.3 pt, 30 % black.
const PEN: (Length, u8) = (Length::emu(EMU_PER_PT * 3 / 10), 178);
/// What bleed leaves free in the middle of a gutter.
pub(super) const CHANNEL: Length = Length::emu(18_000);
/// What is shorter than this is no line to cut along.
const SHORTEST: Length = Length::mm(1);

/// A line to cut along, upright or lying.
pub(super) const fn line(from: Point, to: Point) -> Line {
    Line { from, to, width: PEN.0, grey: PEN.1, dash: None }
}

/// The lines in the gutters of `grid`, whose pieces take the room `around`, as long as the marks at its sides reach; without what
/// of them would lie on one of `arts`.
pub(super) fn lines(grid: &Grid, around: Rect, edges: &Edges, arts: &[Rect]) -> Vec<Line> {
    if grid.gutter < CHANNEL {
        return Vec::new();
    }
    let (left, right) = (around.x - reach(edges.left), around.right() + reach(edges.right));
    let (top, bottom) = (around.y - reach(edges.top), around.bottom() + reach(edges.bottom));
    let inside = |middle: &Length, from: Length, to: Length| from < *middle && *middle < to;
    let xs = (1..grid.columns).map(|column| grid.trim_of(column).x - grid.gutter.half());
    let ys = (1..grid.rows).map(|row| grid.trim_of(row * grid.columns).y - grid.gutter.half());
    let upright = xs.filter(|x| inside(x, around.x, around.right())).flat_map(|x| {
        let stops = arts.iter().filter(|art| art.x < x + PEN.0 && x - PEN.0 < art.right());
        let free = free_parts((top, bottom), stops.map(|art| (art.y, art.bottom())));
        free.into_iter().map(move |(from, to)| line(Point { x, y: from }, Point { x, y: to }))
    });
    let lying = ys.filter(|y| inside(y, around.y, around.bottom())).flat_map(|y| {
        let stops = arts.iter().filter(|art| art.y < y + PEN.0 && y - PEN.0 < art.bottom());
        let free = free_parts((left, right), stops.map(|art| (art.x, art.right())));
        free.into_iter().map(move |(from, to)| line(Point { x: from, y }, Point { x: to, y }))
    });
    upright.chain(lying).collect()
}

/// How far a line reaches out at a side: as far as its marks do, or else its bleed.
fn reach(edge: Edge) -> Length {
    edge.tick.map_or(edge.bleed, |tick| tick.offset + tick.length)
}

/// What the `stops` leave of a stretch, but for what is too short.
fn free_parts((start, end): (Length, Length), stops: impl Iterator<Item = (Length, Length)>) -> Vec<(Length, Length)> {
    let mut stops: Vec<(Length, Length)> = stops.collect();
    stops.sort_unstable();
    let mut free = Vec::new();
    let mut at = start;
    for (from, to) in stops {
        free.push((at, from.min(end)));
        at = at.max(to);
    }
    free.push((at, end));
    free.retain(|(from, to)| *to - *from >= SHORTEST);
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_leave_what_is_between_them() {
        let mm = |pairs: &[(i64, i64)]| -> Vec<(Length, Length)> {
            pairs.iter().map(|(from, to)| (Length::mm(*from), Length::mm(*to))).collect()
        };
        let free = |stops: &[(i64, i64)]| free_parts((Length::mm(10), Length::mm(50)), mm(stops).into_iter());
        assert_eq!(free(&[]), mm(&[(10, 50)]));
        assert_eq!(free(&[(30, 35), (20, 25), (22, 32)]), mm(&[(10, 20), (35, 50)]));
        assert_eq!(free(&[(0, 20), (45, 60)]), mm(&[(20, 45)]));
        assert_eq!(free(&[(60, 70), (0, 5)]), mm(&[(10, 50)]));
        assert_eq!(free(&[(0, 100)]), mm(&[]));
    }
}
