//! Breaks paragraphs into lines: each line takes what fits, and a paragraph's last line is not left with a single character.

use std::ops::Range;

use super::cell::{Break, Cell, Cells};
use super::class::Class;

/// Widths that differ by less than this are equal, in millimetres.
pub(super) const SLACK: f64 = 1e-6;

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Its cells, without the spaces at its end.
    pub(super) cells: Range<usize>,
    /// The width of its cells and gaps at scale 1.
    pub(super) natural: f64,
    /// The width it is set in at scale 1: less than the natural one when it is squeezed.
    pub(super) width: f64,
    /// Whether it ends its paragraph.
    pub(super) last: bool,
    /// Whether it is broken where a line should not end.
    pub(super) forced: bool,
}

/// All lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Lines {
    /// The lines, in order.
    pub(super) lines: Vec<Line>,
    /// Whether a paragraph's last line is left with a single character.
    pub(super) lonely: bool,
}

impl Lines {
    /// Whether no line is broken where it should not be.
    pub(super) fn is_clean(&self) -> bool {
        !self.lines.iter().any(|line| line.forced)
    }

    /// The widest line at scale 1.
    pub(super) fn width(&self) -> f64 {
        self.lines.iter().map(|line| line.width).fold(0.0, f64::max)
    }
}

/// Cells with their places in one endless line, so that the width of any stretch is a difference.
pub(super) struct Ruler<'a> {
    cells: &'a [Cell],
    paragraphs: &'a [Range<usize>],
    places: Vec<f64>,
    /// What the gaps of all cells before may lose together; empty where lines are not justified.
    gives: Vec<f64>,
}

impl<'a> Ruler<'a> {
    /// Measures `cells` once for all attempts.
    pub(super) fn new(cells: &'a Cells, justified: bool) -> Self {
        let places = sums(&cells.cells, |cell| cell.width + cell.gap);
        let gives = if justified { sums(&cells.cells, |cell| cell.give) } else { Vec::new() };
        Ruler { cells: &cells.cells, paragraphs: &cells.paragraphs, places, gives }
    }

    /// The width of `range` as a line of its own.
    fn width(&self, range: &Range<usize>) -> f64 {
        if range.is_empty() {
            return 0.0;
        }
        let (first, last) = (&self.cells[range.start], &self.cells[range.end - 1]);
        let whole = self.places[range.end] - self.places[range.start] - last.gap;
        (whole - first.lead - last.tail).max(0.0)
    }

    /// How much narrower `range` can be made in a justified line.
    fn give(&self, range: &Range<usize>) -> f64 {
        match self.gives.as_slice() {
            [] => 0.0,
            gives => gives[range.end.saturating_sub(1).max(range.start)] - gives[range.start],
        }
    }

    /// Leaves out the spaces at the end of `range`.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let spaces = self.cells[range.clone()].iter().rev().take_while(|cell| cell.class == Class::Space).count();
        range.start..range.end - spaces
    }

    fn line(&self, range: Range<usize>, limit: f64, last: bool, forced: bool) -> Line {
        let cells = self.trimmed(range);
        let natural = self.width(&cells);
        let width = natural.min(limit.max(natural - self.give(&cells)));
        Line { cells, natural, width, last, forced }
    }

    /// Everything on one line.
    pub(super) fn single(&self) -> Line {
        self.line(0..self.cells.len(), f64::INFINITY, true, false)
    }

    /// Breaks all paragraphs into lines of at most `width`.
    pub(super) fn lines(&self, width: f64) -> Lines {
        let mut lines = Lines::default();
        for paragraph in self.paragraphs {
            let first = lines.lines.len();
            self.fill(paragraph, width, &mut lines.lines);
            if lines.lines.len() > first + 1 && self.is_lonely(&lines.lines[lines.lines.len() - 1].cells) {
                lines.lonely |= !self.pull_down(paragraph.end, width, &mut lines.lines);
            }
        }
        lines
    }

    /// Adds the lines of one paragraph.
    fn fill(&self, paragraph: &Range<usize>, width: f64, lines: &mut Vec<Line>) {
        let mut start = paragraph.start;
        loop {
            let (end, forced) = self.end(start..paragraph.end, width);
            lines.push(self.line(start..end, width, end == paragraph.end, forced));
            if end == paragraph.end {
                return;
            }
            start = end;
        }
    }

    /// Where the line that starts with `rest` ends: behind all that fits, at the best place there is. A justified line takes
    /// more when that needs less squeezing than leaving it out would need stretching.
    fn end(&self, rest: Range<usize>, width: f64) -> (usize, bool) {
        let mut best: Option<(Break, usize)> = None;
        for end in rest.start + 1..=rest.end {
            let line = rest.start..end;
            let cell = &self.cells[end - 1];
            let over = if cell.class == Class::Space { 0.0 } else { self.width(&line) - width };
            if over > self.give(&line) + SLACK {
                if cell.class == Class::Hyphen {
                    continue; // without its hyphen the line may well go on
                }
                break;
            }
            if over > SLACK && best.is_some_and(|best| !self.is_better_squeezed(best, over, rest.start, width)) {
                continue;
            }
            if end == rest.end {
                return (end, false);
            }
            if best.is_none_or(|(quality, _)| cell.after >= quality) {
                best = Some((cell.after, end));
            }
        }
        match best {
            Some((quality, end)) => (end, quality < Break::Allowed),
            None => (rest.end.min(rest.start + 1), rest.len() > 1),
        }
    }

    /// Whether a line that is `over` wide reads better than `best`, which is too narrow.
    fn is_better_squeezed(&self, best: (Break, usize), over: f64, start: usize, width: f64) -> bool {
        best.0 < Break::Allowed || over < width - self.width(&self.trimmed(start..best.1))
    }

    /// Whether a last line holds a single character, beside punctuation.
    fn is_lonely(&self, range: &Range<usize>) -> bool {
        self.cells[range.clone()].iter().filter(|cell| cell.class.is_content()).take(2).count() < 2
    }

    /// Ends the last line but one earlier, so that the last line has company. Whether that was possible.
    fn pull_down(&self, end: usize, width: f64, lines: &mut Vec<Line>) -> bool {
        let before = &lines[lines.len() - 2].cells;
        let places = (before.start + 1..before.end).rev().filter(|at| self.cells[at - 1].after == Break::Allowed);
        let fits = |at: &usize| self.width(&self.trimmed(*at..end)) <= width + SLACK;
        let company = |at: &usize| !self.is_lonely(&(*at..end)) && !self.is_lonely(&self.trimmed(before.start..*at));
        let Some(at) = places.take_while(fits).find(company) else { return false };
        let start = before.start;
        lines.truncate(lines.len() - 2);
        lines.push(self.line(start..at, width, false, false));
        lines.push(self.line(at..end, width, true, false));
        true
    }
}

/// The sums of what comes before each cell, and of all.
fn sums(cells: &[Cell], measure: impl Fn(&Cell) -> f64) -> Vec<f64> {
    let mut sum = 0.0;
    let mut sums = Vec::with_capacity(cells.len() + 1);
    sums.push(sum);
    sums.extend(cells.iter().map(|cell| {
        sum += measure(cell);
        sum
    }));
    sums
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::*;

    fn lonely(source: &str, w: f64) -> bool {
        block(&FONTS, &with_icons(source), &wide(w)).lonely
    }

    #[test]
    fn compression_comes_before_breaking() {
        assert_eq!(lines("一二三四。五六", 4.5), ["一二三四。", "五六"]);
        assert_eq!(lines("一二「三」。四五", 5.0), ["一二「三」。", "四五"]);
        assert_eq!(lines("一二三（四五）六", 4.5), ["一二三", "（四五）六"]);
    }

    #[test]
    fn marks_take_their_character_along() {
        assert_eq!(lines("一二三四。五六", 4.0), ["一二三", "四。五六"]);
        assert_eq!(lines("一二三「四」五", 4.0), ["一二三", "「四」五"]);
        assert_eq!(lines("一二三——四五", 4.0), ["一二", "三——四", "五"]);
    }

    #[test]
    fn a_single_character_gets_company() {
        assert_eq!(lines("一二三四五六七", 6.0), ["一二三四五", "六七"]);
        assert_eq!(lines("一二三四五六七。", 6.0), ["一二三四五", "六七。"]);
        assert_eq!(lines("to be or not a b", 6.5), ["to be or not", "a b"]);
        assert!(!lonely("一二三四五六七", 6.0));
        assert!(!lonely("一", 6.0), "a paragraph of one character has no other choice");
    }

    #[test]
    fn a_single_character_that_cannot_be_helped_is_told() {
        assert!(lonely("一二三", 1.0));
        assert!(lonely("一2张牌", 2.0));
    }

    #[test]
    fn every_paragraph_is_looked_at() {
        assert_eq!(lines("一二三四\n五六七八", 3.0), ["一二", "三四", "五六", "七八"]);
    }

    #[test]
    fn words_longer_than_the_box_are_broken_inside_it() {
        let broken = lines("Supercalifragilistic", 4.0);
        assert_eq!(broken.concat(), "Supercalifragilistic");
        assert!(broken.len() == 3, "{broken:?}");
        assert_eq!(lines("一 Supercali", 4.0), ["一", "Superca", "li"]);
    }

    #[test]
    fn graphemes_are_not_broken() {
        assert_eq!(lines("éééé", 0.6), ["é"; 4]);
    }

    #[test]
    fn spaces_hang_at_the_end() {
        let laid = block(&FONTS, &[text("ab ab")], &wide(1.2));
        assert_eq!(laid.lines, ["ab", "ab"]);
        assert!(laid.overflow.is_none());
    }

    #[test]
    fn soft_hyphens_show_at_the_end_of_a_line_only() {
        let laid = block(&FONTS, &[text("dis\u{AD}card\u{AD}ing")], &wide(3.8));
        assert_eq!(laid.lines, ["dis\u{AD}card\u{AD}", "ing"]);
        let glyphs: Vec<usize> = laid.runs.iter().map(|run| run.glyphs.len()).collect();
        assert_eq!(glyphs, [8, 3], "seven letters and a hyphen");
        assert!(laid.bounds[2] <= 3.8);
        assert_eq!(lines("dis\u{AD}card", 9.0), ["dis\u{AD}card"]);
    }

    #[test]
    fn a_justified_last_line_may_be_squeezed_in() {
        let frame = TextBox { align: Align::Justify, ..wide(5.8) };
        let laid = block(&FONTS, &[text("一，二三四五")], &frame);
        assert_eq!(laid.lines, ["一，二三四五"]);
        assert!((laid.bounds[2] - 5.8).abs() < 1e-6);
    }
}
