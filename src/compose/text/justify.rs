//! Brings a line to the width of its box, in the order of CLREQ.
//!
//! Narrower: the spaces between words to a quarter em, then the empty halves of punctuation, then the gaps between Han and
//! Western text to an eighth. Wider: the spaces between words to half an em, then the gaps between Han and Western text to half
//! an em, then evenly between all characters that may be moved apart.

use super::cell::{Cell, Gap};
use super::class::Class;
use super::flow::Flow;
use super::lines::SLACK;

/// What a word space or a gap beside Western text may grow to before all gaps grow, in em.
const WIDEST: f64 = 0.5;

/// The gap behind each cell of a line that is to become `extra` wider (narrower when negative), in millimetres at scale 1.
pub(super) fn gaps(flow: &Flow, cells: &[Cell], extra: f64) -> Vec<f64> {
    let mut gaps: Vec<f64> = cells.iter().map(|cell| cell.gap).collect();
    let Some((_, inner)) = cells.split_last() else { return gaps };
    if extra < -SLACK {
        squeeze(inner, &mut gaps, -extra);
    } else if extra > SLACK {
        stretch(flow, inner, &mut gaps, extra);
    }
    gaps
}

fn squeeze(inner: &[Cell], gaps: &mut [f64], mut extra: f64) {
    let is_punctuation = |cell: &Cell| matches!(cell.kind, Gap::Fixed | Gap::Even);
    let orders: [&dyn Fn(&Cell) -> bool; 3] =
        [&|cell| cell.kind == Gap::Word, &is_punctuation, &|cell| cell.kind == Gap::Mixed];
    for takes in orders {
        let room = |cell: &Cell| if takes(cell) { cell.give } else { 0.0 };
        extra -= share(inner, gaps, extra, -1.0, room);
    }
}

fn stretch(flow: &Flow, inner: &[Cell], gaps: &mut [f64], mut extra: f64) {
    for kind in [Gap::Word, Gap::Mixed] {
        let room = |cell: &Cell| {
            let space = if cell.class == Class::Space { cell.width } else { cell.gap };
            if cell.kind == kind { (WIDEST * flow.looks[cell.look].size - space).max(0.0) } else { 0.0 }
        };
        extra -= share(inner, gaps, extra, 1.0, room);
    }
    let movable = inner.iter().filter(|cell| cell.kind != Gap::Fixed).count();
    if movable > 0 {
        share(inner, gaps, extra, 1.0, |cell| if cell.kind == Gap::Fixed { 0.0 } else { extra / movable as f64 });
    }
}

/// Shares `extra` out by the room that each gap has, none taking more; how much was shared out. The gaps get it times `sign`.
fn share(inner: &[Cell], gaps: &mut [f64], extra: f64, sign: f64, room: impl Fn(&Cell) -> f64) -> f64 {
    let total: f64 = inner.iter().map(&room).sum();
    if total <= 0.0 || extra <= 0.0 {
        return 0.0;
    }
    let taken = extra.min(total);
    for (gap, cell) in gaps.iter_mut().zip(inner) {
        *gap += sign * room(cell) / total * taken;
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::*;

    /// The left edges of all glyphs of the first line of `source`, justified in `w` em.
    fn places(source: &str, w: f64) -> Vec<f64> {
        let frame = TextBox { align: Align::Justify, ..wide(w) };
        let laid = block(&FONTS, &[text(source)], &frame);
        let first = laid.runs[0].transform.f;
        let line = laid.runs.iter().filter(|run| run.transform.f == first);
        line.flat_map(|run| run.glyphs.iter().map(|glyph| run.transform.e + f64::from(glyph.x))).collect()
    }

    fn near(a: &[f64], b: &[f64]) {
        let close = a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4);
        assert!(close, "{a:?} is not {b:?}");
    }

    #[test]
    fn han_is_moved_apart_evenly() {
        near(&places("一二三四五六七八", 5.5), &[0.0, 1.125, 2.25, 3.375, 4.5]);
    }

    #[test]
    fn gaps_beside_western_text_grow_first() {
        // 3 Han and 3 digits of 0.555 em with two gaps: 5.165; 0.235 to give to two gaps.
        let line = places("一123二三四五", 5.4);
        near(&[line[1] - 1.0, line[4] - line[3] - 0.555, line[5] - line[4]], &[0.3675, 0.3675, 1.0]);
    }

    #[test]
    fn words_are_not_torn_apart() {
        let line = places("ab cd ef gh", 4.0);
        let natural = places("ab cd ef gh", 40.0);
        assert!((line[1] - natural[1]).abs() < 1e-5, "the letters of a word stay together");
    }

    #[test]
    fn commas_give_way_before_a_character_is_left_out() {
        // Nine characters of which one is a comma need 9 em; the comma gives a quarter.
        near(&places("一二三，四五六七八九十百", 8.75), &[0.0, 1.0, 2.0, 3.0, 3.75, 4.75, 5.75, 6.75, 7.75]);
    }

    #[test]
    fn the_last_line_is_not_stretched() {
        near(&places("一二三", 5.0), &[0.0, 1.0, 2.0]);
    }
}
