//! Stretches a line to the width of its box, in the order of CLREQ: first the spaces between words (to half an em), then the
//! gaps between Han and Western text (to half an em), then evenly between all characters that may be moved apart.

use super::flow::Flow;
use super::shape::{Cell, Gap};

/// What a word space or a gap beside Western text may grow to, in em.
const WIDEST: f64 = 0.5;

/// The space behind each cell of a line that is to become `extra` wider, in millimetres at scale 1.
pub(super) fn stretch(flow: &Flow, cells: &[Cell], extra: f64) -> Vec<f64> {
    let mut gaps: Vec<f64> = cells.iter().map(|cell| cell.gap).collect();
    let inner = cells.len().saturating_sub(1);
    if extra <= 0.0 || inner == 0 {
        return gaps;
    }
    let mut left = extra;
    for kind in [Gap::Word, Gap::Mixed] {
        left -= grow(flow, &cells[..inner], &mut gaps, kind, left);
    }
    let movable: Vec<usize> = (0..inner).filter(|at| cells[*at].kind != Gap::Fixed).collect();
    let share = if movable.is_empty() { 0.0 } else { left / movable.len() as f64 };
    movable.into_iter().for_each(|at| gaps[at] += share);
    gaps
}

/// Lets the gaps of one kind grow alike, none beyond its limit; what that took.
fn grow(flow: &Flow, cells: &[Cell], gaps: &mut [f64], kind: Gap, left: f64) -> f64 {
    let room = |cell: &Cell| {
        let now = if cell.kind == Gap::Word {
            cell.width
        } else {
            cell.width.mul_add(f64::from(u8::from(cell.class == super::class::Class::Space)), cell.gap)
        };
        if cell.kind == kind { (WIDEST * flow.looks[cell.look].size - now).max(0.0) } else { 0.0 }
    };
    let rooms: Vec<f64> = cells.iter().map(room).collect();
    let total: f64 = rooms.iter().sum();
    if total <= 0.0 {
        return 0.0;
    }
    let taken = left.min(total);
    rooms.iter().enumerate().for_each(|(at, room)| gaps[at] += room / total * taken);
    taken
}
