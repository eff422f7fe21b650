//! The space between cells: punctuation compressed, a quarter em between Han and Western text, room beside icons.
//!
//! The delivered faces have no `halt` or `chws`, so the empty half of a full-width mark is taken away by advance. How much is
//! empty is measured on the face: marks whose ink stands in the middle of the em (as in Taiwan) are left as they are.

use super::class::Class;
use super::flow::Flow;
use super::shape::{Break, Cell, Cells, Gap};
use crate::fonts::Fonts;

/// Between Han and Western text, in em (CLREQ).
pub(super) const MIXED: f64 = 0.25;
/// Between an icon and its neighbours, in em.
const BESIDE_ICON: f64 = 0.125;
/// The most that is taken off one side of a full-width mark, in em.
const HALF: f64 = 0.5;
/// What stays between ink and edge when a face has less than half an em to give, in em.
const REST: f64 = 0.05;
/// Bearings that differ by less than this belong to a mark in the middle of its em.
const CENTRED: f64 = 0.15;

/// Sets the leads, tails and gaps of all cells.
pub(super) fn space(fonts: &Fonts, flow: &Flow, cells: &mut Cells) {
    for paragraph in cells.paragraphs.clone() {
        let cells = &mut cells.cells[paragraph];
        cells.iter_mut().for_each(|cell| blanks(fonts, flow, cell));
        for at in 0..cells.len() {
            let (width, kind) = behind(flow, cells, at);
            cells[at].gap = width;
            cells[at].kind = kind;
        }
        spaces(flow, cells);
        // Letter spacing behind the last cell of a line would move centred text.
        cells.iter_mut().for_each(|cell| cell.tail += flow.looks[cell.look].spacing.max(0.0));
    }
}

/// Measures what a full-width mark can lose on either side.
fn blanks(fonts: &Fonts, flow: &Flow, cell: &mut Cell) {
    if !matches!(cell.class, Class::Open | Class::Close | Class::Stop) {
        return;
    }
    let Some(mark) = flow.text[cell.bytes.clone()].chars().next() else { return };
    let Some(blank) = fonts.face(cell.font).bearings(mark) else { return };
    let look = flow.looks[cell.look];
    let is_wide = cell.width - look.spacing > 0.9 * look.size;
    if !is_wide || (blank.left - blank.right).abs() < CENTRED {
        return;
    }
    let give = |blank: f64| look.size * (if blank >= HALF { HALF } else { (blank - REST).max(0.0) });
    match cell.class {
        Class::Open => cell.lead = give(blank.left),
        _ => cell.tail = give(blank.right),
    }
}

/// The gap between the cells `at` and `at + 1`, and its kind.
fn behind(flow: &Flow, cells: &[Cell], at: usize) -> (f64, Gap) {
    let (a, Some(b)) = (&cells[at], cells.get(at + 1)) else { return (0.0, Gap::Fixed) };
    let em = flow.looks[a.look].size.max(flow.looks[b.look].size);
    match (a.class, b.class) {
        (x, y) if x.is_wide_punctuation() && y.is_wide_punctuation() => (compressed(em, a, b), Gap::Fixed),
        (Class::Space, _) | (_, Class::Space) => (0.0, Gap::Fixed),
        (Class::Icon, _) | (_, Class::Icon) => (beside_icon(flow, a, b), Gap::Even),
        (Class::Han, y) if y.is_western() => (MIXED * flow.looks[a.look].size, Gap::Mixed),
        (x, Class::Han) if x.is_western() => (MIXED * flow.looks[b.look].size, Gap::Mixed),
        (x, y) if (x.is_cjk() || y.is_cjk()) && a.after == Break::Allowed => (0.0, Gap::Even),
        (Class::Han, Class::Stop | Class::Close) | (Class::Open, Class::Han) => (0.0, Gap::Even),
        _ => (0.0, Gap::Fixed),
    }
}

/// Two full-width marks take one and a half em: half an em of what is empty between them goes.
fn compressed(em: f64, a: &Cell, b: &Cell) -> f64 {
    -(a.tail + b.lead).min(HALF * em)
}

/// Icons keep clear of what stands beside them, unless that side is empty by itself.
fn beside_icon(flow: &Flow, a: &Cell, b: &Cell) -> f64 {
    let icon = if a.class == Class::Icon { a } else { b };
    let room = BESIDE_ICON * flow.looks[icon.look].size;
    if a.tail.max(b.lead) >= room { 0.0 } else { room }
}

/// A space between Han and Western text is as wide as the gap that would stand there without it.
fn spaces(flow: &Flow, cells: &mut [Cell]) {
    for at in 0..cells.len() {
        if cells[at].class != Class::Space {
            continue;
        }
        cells[at].kind = Gap::Word;
        let (Some(before), Some(after)) = (at.checked_sub(1).map(|at| cells[at].class), cells.get(at + 1)) else {
            continue;
        };
        let mixed =
            (before == Class::Han && after.class.is_western()) || (before.is_western() && after.class == Class::Han);
        let plain = &flow.text[cells[at].bytes.clone()] == " ";
        if mixed && plain {
            cells[at].width = MIXED * flow.looks[cells[at].look].size;
            cells[at].kind = Gap::Mixed;
        }
    }
}
