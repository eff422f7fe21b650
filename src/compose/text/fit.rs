//! Finds the largest size at which text fits its box in both directions.

use super::flow::Flow;
use super::lines::{Line, Lines, Ruler, SLACK};
use super::shape::Cells;
use super::{Overflow, TextBox};

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
    max_lines: usize,
}

impl Frame {
    pub(super) fn new(frame: &TextBox) -> Self {
        let length = |length: f64| if length.is_nan() { 0.0 } else { length.max(0.0) };
        let place = |place: f64| if place.is_finite() { place } else { 0.0 };
        let line_height = if frame.line_height.is_finite() { frame.line_height.clamp(0.0, 100.0) } else { 1.0 };
        let max_lines = frame.max_lines.unwrap_or(usize::MAX);
        Frame { x: place(frame.x), y: place(frame.y), w: length(frame.w), h: length(frame.h), line_height, max_lines }
    }
}

/// Fits `cells` into `frame`, no smaller than `floor` (a scale).
pub(super) fn fit(flow: &Flow, cells: &Cells, frame: &Frame, floor: f64) -> Fitted {
    let fitter = Fitter { flow, cells, frame, ruler: Ruler::new(cells) };
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
        let wide = lines.lines[..fitting].iter();
        let wide: usize =
            wide.filter(|line| line.width * scale > self.frame.w + SLACK).map(|line| self.characters(line)).sum();
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
