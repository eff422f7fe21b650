//! Finds the largest size at which text fits its box in both directions.

use super::cell::Cells;
use super::flow::Flow;
use super::lines::{Line, Lines, Ruler, SLACK};
use super::{Align, Overflow, TextBox};

/// Sizes are tried in steps of this share of the full size.
const STEP: f64 = 1.0 / 200.0;

/// Text that was broken at its final size.
pub(super) struct Fitted {
    /// What sizes are multiplied with.
    pub(super) scale: f64,
    /// The lines.
    pub(super) lines: Lines,
    /// The height of each line at scale 1, and the size of its largest text.
    pub(super) heights: Vec<(f64, f64)>,
    /// Set when it does not fit.
    pub(super) overflow: Option<Overflow>,
}

/// The box, with nonsense replaced.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
    pub(super) line_height: f64,
    justified: bool,
    max_lines: usize,
}

impl Frame {
    pub(super) fn new(frame: &TextBox) -> Self {
        let length = |length: f64| if length.is_nan() { 0.0 } else { length.max(0.0) };
        let line_height = if frame.line_height.is_finite() { frame.line_height.clamp(0.0, 100.0) } else { 1.0 };
        let max_lines = frame.max_lines.unwrap_or(usize::MAX);
        let (x, y, w, h) = (place(frame.x), place(frame.y), length(frame.w), length(frame.h));
        Frame { x, y, w, h, line_height, justified: frame.align == Align::Justify, max_lines }
    }
}

/// A coordinate, with nonsense replaced.
pub(super) const fn place(place: f64) -> f64 {
    if place.is_finite() { place } else { 0.0 }
}

/// Fits `cells` into `frame`, no smaller than `floor` (a scale).
pub(super) fn fit(flow: &Flow, cells: &Cells, frame: &Frame, floor: f64) -> Fitted {
    let fitter = Fitter { flow, cells, frame, ruler: Ruler::new(cells, frame.justified) };
    let steps = ((1.0 - floor) / STEP).ceil() as usize;
    let scale = |step: usize| (1.0 - step as f64 * STEP).max(floor);
    let whole = |step: usize| fitter.attempt(scale(step)).is_some_and(|lines| lines.is_clean());
    let broken = |step: usize| fitter.attempt(scale(step)).is_some();
    // First without breaking anything that belongs together; if that is not to be had, then with.
    let step = smallest(steps, whole).or_else(|| smallest(steps, broken)).unwrap_or(steps);
    fitter.finish(scale(step))
}

/// The smallest step for which `fits` holds, when it holds for `steps`; by bisection.
fn smallest(steps: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    if fits(0) {
        return Some(0);
    }
    if steps == 0 || !fits(steps) {
        return None;
    }
    let (mut no, mut yes) = (0, steps);
    while yes - no > 1 {
        let middle = no + (yes - no) / 2;
        if fits(middle) {
            yes = middle;
        } else {
            no = middle;
        }
    }
    Some(yes)
}

struct Fitter<'a> {
    flow: &'a Flow<'a>,
    cells: &'a Cells,
    frame: &'a Frame,
    ruler: Ruler<'a>,
}

impl Fitter<'_> {
    /// The lines at `scale`, if they fit.
    fn attempt(&self, scale: f64) -> Option<Lines> {
        let lines = self.ruler.lines(self.frame.w / scale);
        let heights = self.heights(&lines);
        let fits = lines.lines.len() <= self.frame.max_lines
            && lines.width() * scale <= self.frame.w + SLACK
            && needed(&heights) * scale <= self.frame.h + SLACK;
        fits.then_some(lines)
    }

    fn finish(self, scale: f64) -> Fitted {
        let lines = self.ruler.lines(self.frame.w / scale);
        let heights = self.heights(&lines);
        let overflow = self.overflow(&lines, &heights, scale);
        Fitted { scale, lines, heights, overflow }
    }

    /// The height of each line and the size of its largest text, at scale 1.
    fn heights(&self, lines: &Lines) -> Vec<(f64, f64)> {
        lines.lines.iter().map(|line| self.height(line)).collect()
    }

    fn height(&self, line: &Line) -> (f64, f64) {
        let largest = match self.flow.looks.as_slice() {
            [look] => look.size,
            looks => {
                let sizes = self.cells.cells[line.cells.clone()].iter().map(|cell| looks[cell.look].size);
                let blank = if line.cells.is_empty() { looks.first().map_or(0.0, |look| look.size) } else { 0.0 };
                sizes.fold(blank, f64::max)
            }
        };
        (largest * self.frame.line_height, largest)
    }

    fn overflow(&self, lines: &Lines, heights: &[(f64, f64)], scale: f64) -> Option<Overflow> {
        let width = (lines.width() * scale - self.frame.w).max(0.0);
        let height = (needed(heights) * scale - self.frame.h).max(0.0);
        let fitting = self.fitting(heights, scale);
        let beyond = lines.lines[fitting..].iter().map(|line| self.characters(line)).sum::<usize>();
        let wide = lines.lines[..fitting].iter().filter(|line| line.width * scale > self.frame.w + SLACK);
        let wide: usize = wide.map(|line| self.outside(line, scale)).sum();
        let characters = beyond + wide;
        let outside = width > SLACK || height > SLACK || characters > 0;
        outside.then_some(Overflow { width, height, characters })
    }

    /// How many lines stand inside the box.
    fn fitting(&self, heights: &[(f64, f64)], scale: f64) -> usize {
        let half = |(height, size): &(f64, f64)| (height - size) / 2.0;
        let mut bottom = -heights.first().map_or(0.0, half);
        let inside = heights.iter().take_while(|line| {
            bottom += line.0;
            (bottom - half(line)) * scale <= self.frame.h + SLACK
        });
        inside.count().min(self.frame.max_lines)
    }

    /// How many characters of a line reach beyond the box's width.
    fn outside(&self, line: &Line, scale: f64) -> usize {
        let cells = &self.cells.cells[line.cells.clone()];
        let mut x = -cells.first().map_or(0.0, |cell| cell.lead);
        let inside = cells.iter().take_while(|cell| {
            let end = x + cell.width - cell.tail;
            x += cell.width + cell.gap;
            end * scale <= self.frame.w + SLACK
        });
        let inside = inside.count();
        self.characters(&Line { cells: line.cells.start + inside..line.cells.end, ..line.clone() })
    }

    fn characters(&self, line: &Line) -> usize {
        let cells = &self.cells.cells[line.cells.clone()];
        cells.iter().map(|cell| self.flow.text[cell.bytes.clone()].chars().count()).sum()
    }
}

/// The height that lines need: all of them, but for the empty half-leadings above the first and below the last, which may hang
/// out of the box since nothing is drawn there.
pub(super) fn needed(heights: &[(f64, f64)]) -> f64 {
    let sum: f64 = heights.iter().map(|(height, _)| height).sum();
    let half = |line: Option<&(f64, f64)>| line.map_or(0.0, |(height, size)| (height - size) / 2.0);
    sum - half(heights.first()) - half(heights.last())
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::super::*;

    const HAN: &str = "一二三四五六七八九十";

    fn shrunk(source: &str, w: f64, h: f64, min: f64) -> Laid {
        let frame = TextBox { h, line_height: 1.0, min_size: Some(min), ..wide(w) };
        block(&FONTS, &with_icons(source), &frame)
    }

    #[test]
    fn what_fits_is_not_shrunk() {
        let laid = shrunk(HAN, 5.0, 2.0, 0.5);
        assert_eq!((laid.scale, laid.lines.len()), (1.0, 2));
        assert!(laid.overflow.is_none());
    }

    #[test]
    fn height_makes_it_shrink() {
        // Ten characters in one line of a 5 em box that is too low for two full lines: two lines at 0.9 are 1.8 high.
        let laid = shrunk(HAN, 5.0, 1.8, 0.5);
        assert_eq!(laid.lines.len(), 2);
        assert!((laid.scale - 0.9).abs() < 1e-9, "{}", laid.scale);
        assert!(laid.overflow.is_none());
    }

    #[test]
    fn width_makes_it_shrink() {
        let whole = line(&FONTS, &[text("Extraordinary")], 0.0, 0.0, Anchor::Start, Language::Other).bounds[2];
        let laid = shrunk("Extraordinary", whole * 0.8, 10.0, 0.5);
        assert_eq!(laid.lines, ["Extraordinary"]);
        assert!((laid.scale - 0.8).abs() < 0.005 + 1e-9 && laid.scale <= 0.8, "{}", laid.scale);
    }

    #[test]
    fn the_largest_size_wins() {
        let laid = shrunk(HAN, 5.0, 1.8, 0.5);
        let larger = [Inline::Text { text: HAN.to_owned(), style: style(laid.scale + 0.01) }];
        let frame = TextBox { h: 1.8, line_height: 1.0, ..wide(5.0) };
        assert!(block(&FONTS, &larger, &frame).overflow.is_some());
    }

    #[test]
    fn it_never_gets_smaller_than_the_floor() {
        let laid = shrunk(HAN, 2.0, 1.0, 0.8);
        assert_eq!(laid.scale, 0.8);
        // Two characters a line make five lines of 0.8; one fits.
        assert_eq!(
            laid.overflow,
            Some(Overflow { width: 0.0, height: laid.overflow.as_ref().unwrap().height, characters: 8 })
        );
        assert!((laid.overflow.unwrap().height - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_word_that_is_too_long_at_any_size_is_broken_at_the_largest() {
        let laid = shrunk("Supercalifragilisticexpialidocious", 4.0, 10.0, 0.8);
        assert_eq!(laid.scale, 1.0);
        assert!(laid.overflow.is_none());
        assert_eq!(laid.lines.concat(), "Supercalifragilisticexpialidocious");
    }

    #[test]
    fn the_smallest_text_sets_the_floor() {
        let part = |size| Inline::Text { text: HAN.to_owned(), style: style(size) };
        let frame = TextBox { h: 0.1, min_size: Some(0.4), ..wide(5.0) };
        assert_eq!(block(&FONTS, &[part(1.0), part(0.5)], &frame).scale, 0.8);
    }

    #[test]
    fn lines_are_counted() {
        let frame = TextBox { max_lines: Some(1), min_size: Some(0.5), ..wide(5.0) };
        let laid = block(&FONTS, &[text(HAN)], &frame);
        assert_eq!((laid.lines.len(), laid.scale), (1, 0.5));
        let frame = TextBox { min_size: None, ..frame };
        let overflow = block(&FONTS, &[text(HAN)], &frame).overflow.unwrap();
        assert_eq!(overflow, Overflow { width: 0.0, height: 0.0, characters: 5 });
    }

    #[test]
    fn overflow_says_how_much() {
        let frame = TextBox { h: 2.0, line_height: 1.0, ..wide(5.0) };
        let laid = block(&FONTS, &[text("一二三四五六七八九十甲乙丙丁")], &frame);
        assert_eq!(laid.overflow, Some(Overflow { width: 0.0, height: 1.0, characters: 4 }));
        let laid = block(&FONTS, &[text("一二")], &TextBox { h: 2.0, line_height: 1.0, ..wide(0.75) });
        assert_eq!(laid.overflow, Some(Overflow { width: 0.25, height: 0.0, characters: 2 }));
    }

    #[test]
    fn half_leadings_may_hang_out() {
        let frame = TextBox { h: 1.0, line_height: 1.6, ..wide(5.0) };
        let laid = block(&FONTS, &[text("一二三")], &frame);
        assert!(laid.overflow.is_none());
        assert!((laid.bounds[1] + 0.3).abs() < 1e-9, "{:?}", laid.bounds);
    }

    #[test]
    fn many_short_lines_fit_both_ways() {
        let source = (1..=12).map(|n| format!("第{n}行")).collect::<Vec<_>>().join("\n");
        let frame = TextBox { h: 20.0, min_size: Some(1.0), line_height: 1.2, ..wide(50.0) };
        let laid = block(&FONTS, &[Inline::Text { text: source, style: style(3.0) }], &frame);
        assert_eq!(laid.lines.len(), 12);
        assert!(laid.overflow.is_none() && laid.bounds[3] - laid.bounds[1] <= 20.0 + 0.6, "{:?}", laid.bounds);
    }
}
