//! Breaks paragraphs into lines: each line takes what fits, and a paragraph's last line is not left with a single character.

use std::ops::Range;

use super::class::Class;
use super::shape::{Break, Cell, Cells};

/// Widths that differ by less than this are equal, in millimetres.
pub(super) const SLACK: f64 = 1e-6;

/// A line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Line {
    /// Its cells, without the spaces at its end.
    pub(super) cells: Range<usize>,
    /// Its width at scale 1.
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
}

impl<'a> Ruler<'a> {
    /// Measures `cells` once for all attempts.
    pub(super) fn new(cells: &'a Cells) -> Self {
        let mut place = 0.0;
        let mut places = Vec::with_capacity(cells.cells.len() + 1);
        for cell in &cells.cells {
            places.push(place);
            place += cell.width + cell.gap;
        }
        places.push(place);
        Ruler { cells: &cells.cells, paragraphs: &cells.paragraphs, places }
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

    /// Leaves out the spaces at the end of `range`.
    fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let spaces = self.cells[range.clone()].iter().rev().take_while(|cell| cell.class == Class::Space).count();
        range.start..range.end - spaces
    }

    fn line(&self, range: Range<usize>, last: bool, forced: bool) -> Line {
        let cells = self.trimmed(range);
        Line { width: self.width(&cells), cells, last, forced }
    }

    /// Everything on one line.
    pub(super) fn single(&self) -> Line {
        self.line(0..self.cells.len(), true, false)
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
            lines.push(self.line(start..end, end == paragraph.end, forced));
            if end == paragraph.end {
                return;
            }
            start = end;
        }
    }

    /// Where the line that starts with `rest` ends: behind all that fits, at the best place there is.
    fn end(&self, rest: Range<usize>, width: f64) -> (usize, bool) {
        let mut best: Option<(Break, usize)> = None;
        for end in rest.start + 1..=rest.end {
            let cell = &self.cells[end - 1];
            if cell.class != Class::Space && self.width(&(rest.start..end)) > width + SLACK {
                break;
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
        lines.push(self.line(start..at, false, false));
        lines.push(self.line(at..end, true, false));
        true
    }
}
