//! Rulers, to be held against a real one: did the printer keep the scale? Engines err differently across and down the page, so
//! there is one for each where there is room. Where crop marks stand in the only strip that is left, it is interrupted for them.

use super::Line;
use super::draft::Note;
use super::furniture::{BESIDE, Drawing};
use super::marks::{THIN, solid};
use super::room::{Room, Strip};
use super::words::{ANY, GREY, Pen, SMALL};
use crate::geometry::{Point, Size};
use crate::units::{EMU_PER_INCH, EMU_PER_PT, Length};

/// One scale of a ruler: its length in steps, the step, and the height of its ticks and of those at its ends.
struct Scale {
    steps: i64,
    step: Length,
    tick: Length,
    end: Length,
}

/// 100 mm, above the line.
const METRIC: Scale = Scale { steps: 10, step: Length::mm(10), tick: Length::emu(28_800), end: Length::emu(43_200) };
/// 4 in, below it.
const INCHES: Scale =
    Scale { steps: 4, step: Length::emu(EMU_PER_INCH), tick: Length::emu(21_600), end: Length::emu(28_800) };
/// The size of a label that has to make itself small: 5 pt.
const SMALLER: Length = Length::emu(EMU_PER_PT * 5);
/// How high the filled centimetres are.
const FIELD: Length = Length::emu(18_000);
/// A ruler is interrupted for what is no longer than this along it: crop marks and their numbers.
const CROSSED: Length = Length::mm(4);
const LABEL: &str = "100 mm · 4 in";

impl Scale {
    fn length(&self) -> Length {
        self.step * self.steps
    }

    /// Distances and heights of its ticks.
    fn ticks(&self) -> impl Iterator<Item = (Length, Length)> {
        let height = |step| if step == 0 || step == self.steps { self.end } else { self.tick };
        (0..=self.steps).map(move |step| (self.step * step, height(step)))
    }
}

/// A ruler across the page, above or below everything.
pub(super) fn across(room: &mut Room, pen: &Pen<'_>) -> Option<Drawing> {
    ruler([Strip::Foot, Strip::Head], room, pen)
}

/// A ruler down the page, at its left or right.
pub(super) fn down(room: &mut Room, pen: &Pen<'_>) -> Option<Drawing> {
    ruler([Strip::Left, Strip::Right], room, pen)
}

fn ruler(strips: [Strip; 2], room: &mut Room, pen: &Pen<'_>) -> Option<Drawing> {
    let free =
        strips.into_iter().find_map(|strip| Some((strip, room.take(strip, size(SMALL, pen))?, SMALL, Vec::new())));
    let (strip, place, label, gaps) = free.or_else(|| {
        let labels = [SMALL, SMALLER].into_iter();
        labels.flat_map(|label| strips.map(|strip| (strip, label))).find_map(|(strip, label)| {
            let (place, gaps) = room.take_over(strip, size(label, pen), CROSSED, &needed(label, pen))?;
            Some((strip, place, label, gaps))
        })
    })?;
    let turn = strip.turn();
    let point = |at| turn.point_in(place, at);
    let onto_page = |line: Line| Line { from: point(line.from), to: point(line.to), ..line };
    let lines = scales().into_iter().flat_map(|line| without(line, &gaps)).map(onto_page).collect();
    let corner = Point { x: THIN + longest() + BESIDE, y: Length::ZERO };
    let note: Note = pen.note_in(LABEL, label, corner, place, turn);
    Some((lines, vec![note]))
}

fn longest() -> Length {
    INCHES.length().max(METRIC.length())
}

/// The room of a ruler whose label is that large.
fn size(label: Length, pen: &Pen<'_>) -> Size {
    let room = pen.room(LABEL, label, ANY);
    Size { w: THIN * 2 + longest() + BESIDE + room.w, h: room.h.max(METRIC.end + INCHES.end) }
}

/// What of a ruler may not be left out, from place to place along it: both ends of its scales, and its label.
fn needed(label: Length, pen: &Pen<'_>) -> [(Length, Length); 3] {
    let end = THIN + longest() + BESIDE;
    [(Length::ZERO, THIN * 2), (THIN + METRIC.length(), THIN + longest()), (end, end + pen.room(LABEL, label, ANY).w)]
}

/// The lines of a ruler as it is read: grey, and with every second centimetre filled, so that nobody cuts along it.
fn scales() -> Vec<Line> {
    let grey = |x1, y1, x2, y2| Line { grey: GREY, ..solid(Point { x: x1, y: y1 }, Point { x: x2, y: y2 }) };
    let (start, base) = (THIN, METRIC.end);
    let longest = longest();
    let filled = (0..METRIC.steps).step_by(2).map(|step| {
        let (from, middle) = (start + METRIC.step * step, base - FIELD.half());
        Line { width: FIELD, ..grey(from, middle, from + METRIC.step, middle) }
    });
    let mut lines: Vec<Line> = filled.collect();
    lines.push(grey(start, base, start + METRIC.length(), base));
    lines.push(grey(start + METRIC.length(), base, start + longest, base));
    lines.extend(METRIC.ticks().map(|(x, height)| grey(start + x, base - height, start + x, base)));
    lines.extend(INCHES.ticks().map(|(x, height)| grey(start + x, base, start + x, base + height)));
    lines
}

/// What is left of an upright or lying line beside the gaps across it.
fn without(line: Line, gaps: &[(Length, Length)]) -> Vec<Line> {
    gaps.iter().fold(vec![line], |parts, (from, to)| {
        let around = |part: Line| {
            let (start, end) = (part.from.x, part.to.x);
            if start == end {
                return if *from <= start && start <= *to { vec![] } else { vec![part] };
            }
            let before = Line { to: Point { x: end.min(*from), ..part.to }, ..part.clone() };
            let behind = Line { from: Point { x: start.max(*to), ..part.from }, ..part };
            [before, behind].into_iter().filter(|part| part.from.x < part.to.x).collect()
        };
        parts.into_iter().flat_map(around).collect()
    })
}
