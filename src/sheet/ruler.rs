//! Rulers, to be held against a real one: did the printer keep the scale? Engines err differently across and down the page, so
//! there is one for each where there is room.

use super::Line;
use super::draft::Note;
use super::furniture::{BESIDE, Drawing};
use super::marks::{THIN, solid};
use super::room::{Room, Strip};
use super::words::{ANY, Pen, SMALL};
use crate::geometry::{Point, Size};
use crate::units::{EMU_PER_INCH, Length};

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
    let label = pen.room(LABEL, SMALL, ANY);
    let longest = INCHES.length().max(METRIC.length());
    let high = METRIC.end + INCHES.end;
    let size = Size { w: THIN * 2 + longest + BESIDE + label.w, h: label.h.max(high) };
    let (strip, place) = strips.into_iter().find_map(|strip| Some((strip, room.take(strip, size)?)))?;
    let turn = strip.turn();
    let line = |x1: Length, y1: Length, x2: Length, y2: Length| {
        solid(turn.point_in(place, Point { x: x1, y: y1 }), turn.point_in(place, Point { x: x2, y: y2 }))
    };
    let (start, base) = (THIN, METRIC.end);
    let mut lines: Vec<Line> = vec![
        line(start, base, start + METRIC.length(), base),
        line(start + METRIC.length(), base, start + longest, base),
    ];
    lines.extend(METRIC.ticks().map(|(x, height)| line(start + x, base - height, start + x, base)));
    lines.extend(INCHES.ticks().map(|(x, height)| line(start + x, base, start + x, base + height)));
    let corner = Point { x: start + longest + BESIDE, y: Length::ZERO };
    let note: Note = pen.note_in(LABEL, SMALL, corner, place, turn);
    Some((lines, vec![note]))
}
