//! The space between cells: punctuation compressed, a quarter em between Han and Western text, room beside icons.
//!
//! The delivered faces have no `halt` or `chws`, so the empty half of a full-width mark is taken away by advance. How much is
//! empty is measured on the face: marks whose ink stands in the middle of the em (as in Taiwan) are left as they are.

use super::Writing;
use super::cell::{Break, Cell, Cells, Gap};
use super::class::Class;
use super::flow::Flow;
use crate::fonts::Fonts;

/// Between Han and Western text, in em (CLREQ).
pub(super) const MIXED: f64 = 0.25;
/// Between an icon and its neighbours, in em.
const BESIDE_ICON: f64 = 0.125;
/// The most that is taken off one side of a full-width mark, as a share of its advance.
const HALF: f64 = 0.5;
/// What a full-width mark inside a justified line may lose, as a share of its advance.
const SQUEEZE: f64 = 0.25;
/// What a gap between Han and Western text may shrink to in a justified line, in em.
const TIGHT: f64 = 0.125;
/// What a space between words may shrink to in a justified line, in em.
const NARROW: f64 = 0.25;
/// What stays between ink and edge when a face has less than half an em to give, in em.
const REST: f64 = 0.05;
/// Bearings that differ by less than this belong to a mark in the middle of its em.
const CENTRED: f64 = 0.15;

/// Sets the leads, tails and gaps of all cells.
pub(super) fn space(fonts: &Fonts, flow: &Flow, cells: &mut Cells, writing: Writing) {
    for paragraph in cells.paragraphs.clone() {
        let cells = &mut cells.cells[paragraph];
        cells.iter_mut().for_each(|cell| blanks(fonts, flow, cell, writing));
        crowd(flow, cells);
        for at in 0..cells.len() {
            let (width, kind) = behind(flow, cells, at);
            cells[at].gap = width;
            cells[at].kind = kind;
        }
        spaces(flow, cells);
        for at in 0..cells.len() {
            cells[at].give = give(flow, cells, at);
        }
        // Letter spacing behind the last cell of a line would move centred and flush-right text.
        cells.iter_mut().for_each(|cell| cell.tail += flow.looks[cell.look].spacing);
    }
}

/// Measures what a full-width mark can lose on either side.
fn blanks(fonts: &Fonts, flow: &Flow, cell: &mut Cell, writing: Writing) {
    if !matches!(cell.class, Class::Open | Class::Close | Class::Stop) {
        return;
    }
    let Some(mark) = flow.text[cell.bytes.clone()].chars().next() else { return };
    // In columns these stand in the middle of their em.
    if writing != Writing::Lines && matches!(mark, '！' | '？' | '：' | '；') {
        return;
    }
    let Some(blank) = fonts.face(cell.font).bearings(mark) else { return };
    let look = flow.looks[cell.look];
    let full = fonts.face(cell.font).han.map_or(1.0, |han| han.advance);
    let is_wide = cell.width - look.spacing > 0.9 * full * look.size;
    if !is_wide || (blank.left - blank.right).abs() < CENTRED {
        return;
    }
    let half = HALF * full;
    let give = |blank: f64| look.size * (if blank >= half { half } else { (blank - REST).max(0.0) });
    match cell.class {
        Class::Open => cell.lead = give(blank.left),
        _ => cell.tail = give(blank.right),
    }
}

/// Question and exclamation marks in a row: two take one em together, more take two thirds each (GB/T 15834).
fn crowd(flow: &Flow, cells: &mut [Cell]) {
    let is_one = |cell: &Cell| {
        let has_room = cell.tail > HALF * cell.natural - flow.looks[cell.look].size * REST;
        has_room && matches!(&flow.text[cell.bytes.clone()], "！" | "？")
    };
    let mut rest = cells;
    while !rest.is_empty() {
        let row = rest.iter().take_while(|cell| is_one(cell)).count();
        let (marks, others) = rest.split_at_mut(row.max(1));
        if row > 1 {
            let share = if row == 2 { HALF } else { 1.0 / 3.0 };
            for mark in marks {
                mark.width -= share * mark.natural;
                mark.tail = 0.0;
            }
        }
        rest = others;
    }
}

/// The gap between the cells `at` and `at + 1`, and its kind.
fn behind(flow: &Flow, cells: &[Cell], at: usize) -> (f64, Gap) {
    let (a, Some(b)) = (&cells[at], cells.get(at + 1)) else { return (0.0, Gap::Fixed) };
    match (a.class, b.class) {
        (x, y) if x.is_wide_punctuation() && y.is_wide_punctuation() => {
            (compressed(a, b), if a.after == Break::Allowed { Gap::Even } else { Gap::Fixed })
        }
        (Class::Space, _) | (_, Class::Space) => (0.0, Gap::Fixed),
        (Class::Icon, _) | (_, Class::Icon) => (beside_icon(flow, a, b), Gap::Even),
        (Class::Han, y) if y.is_western() => (MIXED * flow.looks[a.look].size, Gap::Mixed),
        (x, Class::Han) if x.is_western() => (MIXED * flow.looks[b.look].size, Gap::Mixed),
        (x, y) if (x.is_cjk() || y.is_cjk()) && a.after == Break::Allowed => (0.0, Gap::Even),
        _ => (0.0, Gap::Fixed),
    }
}

/// Two full-width marks take one and a half em: half an em of what is empty between them goes.
fn compressed(a: &Cell, b: &Cell) -> f64 {
    -(a.tail + b.lead).min(HALF * a.width.max(b.width))
}

/// How much of the space behind a cell may go in a justified line.
fn give(flow: &Flow, cells: &[Cell], at: usize) -> f64 {
    let (a, Some(b)) = (&cells[at], cells.get(at + 1)) else { return 0.0 };
    let em = flow.looks[a.look].size;
    match a.kind {
        Gap::Word => (a.width - NARROW * em).max(0.0),
        Gap::Mixed if a.class == Class::Space => (a.width - TIGHT * em).max(0.0),
        Gap::Mixed => (a.gap - TIGHT * em).max(0.0),
        _ if a.class.is_wide_punctuation() && b.class.is_wide_punctuation() => 0.0,
        _ => a.tail.min(SQUEEZE * a.width) + b.lead.min(SQUEEZE * b.width),
    }
}

/// Icons keep clear of what stands beside them, unless that side is empty by itself.
fn beside_icon(flow: &Flow, a: &Cell, b: &Cell) -> f64 {
    let icon = if a.class == Class::Icon { a } else { b };
    let room = BESIDE_ICON * flow.looks[icon.look].size;
    // Commas and stops have a little room on their left too.
    if b.class == Class::Stop || a.tail.max(b.lead) >= room { 0.0 } else { room }
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

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::*;

    /// The width of `source` on one line, in em.
    fn width(source: &str) -> f64 {
        let laid = line(&FONTS, &with_icons(source), 0.0, 0.0, Anchor::Start, Language::ZhHans);
        laid.bounds[2] - laid.bounds[0]
    }

    fn near(source: &str, expected: f64) {
        let width = width(source);
        assert!((width - expected).abs() < 1e-4, "{source} is {width} em wide, not {expected}");
    }

    #[test]
    fn two_marks_take_one_and_a_half_em() {
        // Between two Han characters, so that no mark is at a line's edge.
        near("一，二", 3.0);
        for pair in ["。」", "」「", "：“", "（「", "”。", "》《"] {
            near(&format!("一{pair}二"), 3.5);
        }
        near("一。」「二", 4.0);
    }

    #[test]
    fn marks_at_the_edges_of_a_line_are_half_as_wide() {
        near("「一」", 2.0);
        near("一。", 1.5);
        near("“一”，", 2.5);
    }

    #[test]
    fn question_and_exclamation_marks_crowd() {
        near("一？二", 3.0);
        near("一？！二", 3.0);
        near("一！！！二", 4.0);
        near("一？！", 2.0);
    }

    #[test]
    fn dashes_ellipses_and_dots_keep_their_width() {
        near("一——二", 4.0);
        near("一……二", 4.0);
        near("一·二", 3.0);
    }

    #[test]
    fn han_and_western_text_are_a_quarter_em_apart() {
        let digit = width("1");
        near("一1二", 2.0 + digit + 0.5);
        near("一 1 二", 2.0 + digit + 0.5);
        near("一1", 1.0 + digit + 0.25);
        near("一，1。二", 4.0 + digit);
        near("一(1)二", 2.0 + width("(1)"));
        near("一+1二", 2.0 + width("+1") + 0.5);
    }

    #[test]
    fn there_is_no_gap_at_a_lines_edge() {
        let laid = block(&FONTS, &[text("一二a三")], &wide(2.0));
        assert_eq!(laid.lines, ["一二", "a三"]);
        assert!((laid.bounds[2] - 2.0).abs() < 1e-9);
    }

    #[test]
    fn icons_keep_clear() {
        near("一{a}二", 3.25);
        near("{a}{b}", 2.125);
        near("{a}，一", 3.0);
        near("（{a}）", 0.5 + 0.125 + 1.0 + 0.125 + 0.5);
        near("一，{a}", 3.0);
        near("一 {a} 二", 3.0 + 2.0 * (width("a b") - width("ab")));
    }

    #[test]
    fn faces_with_narrow_full_widths_are_compressed_by_their_own_measure() {
        let content = [Inline::Text { text: "一。」二".to_owned(), style: styled(&["ZCOOL KuaiLe"], 1.0) }];
        let laid = line(&FONTS, &content, 0.0, 0.0, Anchor::Start, Language::ZhHans);
        assert!((laid.bounds[2] - 0.92 * 3.5).abs() < 1e-4, "{}", laid.bounds[2]);
    }

    #[test]
    fn letter_spacing_is_between_letters_only() {
        let spaced = |letter_spacing| Inline::Text {
            text: "一二三".to_owned(),
            style: Style { letter_spacing, ..style(1.0) },
        };
        let wide = line(&FONTS, &[spaced(0.5)], 0.0, 0.0, Anchor::Start, Language::ZhHans);
        let tight = line(&FONTS, &[spaced(-0.1)], 0.0, 0.0, Anchor::Start, Language::ZhHans);
        assert!((wide.bounds[2] - 4.0).abs() < 1e-9);
        assert!((tight.bounds[2] - 2.8).abs() < 1e-9);
    }
}
