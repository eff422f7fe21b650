//! Verniers: two scales, one on each side of the paper, that tell by which tenth of a millimetre the sides are apart.
//!
//! The front has a stroke every 1.0 mm, the back one every 0.9 mm. Where the back's k-th stroke continues a stroke of the front,
//! the back is k tenths off the whole millimetre that its long stroke is nearest to.

use super::Line;
use super::draft::Note;
use super::furniture::Drawing;
use super::marks::solid;
use super::words::{DIGITS, Pen, SMALL};
use crate::geometry::Point;
use crate::units::Length;

/// The strokes of the front on each side of its zero, and of the back.
const FRONT: i64 = 15;
const BACK: i64 = 5;
/// From stroke to stroke.
const FRONT_STEP: Length = Length::mm(1);
const BACK_STEP: Length = Length::emu(32_400);
/// Lengths of the zero, of each fifth and of every other stroke.
const LONG: Length = Length::emu(162_000);
const FIFTH: Length = Length::emu(126_000);
const SHORT: Length = Length::emu(90_000);
/// Distance of the scales from the middle of the cross: of the one across below it, of the one down beside it.
const BELOW: Length = Length::mm(11);
const BESIDE: Length = Length::mm(26);
/// Length of the cross's arms, and distance of words from what they belong to.
const ARM: Length = Length::mm(3);
const GAP: Length = Length::emu(14_400);

/// How far a station reaches from the middle of its cross: outwards and up and down, and inwards.
pub(super) const OUTWARDS: Length = Length::mm(18);
/// As [`OUTWARDS`], inwards.
pub(super) const INWARDS: Length = Length::mm(31);

/// A cross with a scale across and a scale down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Station {
    /// What it is called.
    pub(super) name: &'static str,
    /// The middle of its cross, as seen from the front.
    pub(super) at: Point,
    /// Whether its scale down stands at the cross's left.
    pub(super) at_right: bool,
}

/// Which scale of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scale {
    /// The one for dx.
    Across,
    /// The one for dy.
    Down,
}

impl Station {
    /// The place `along` a scale from its zero and `off` its middle line: below zero towards the cross.
    fn point(&self, scale: Scale, along: Length, off: Length) -> Point {
        let Point { x, y } = self.at;
        match scale {
            Scale::Across => Point { x: x + along, y: y + BELOW + off },
            Scale::Down if self.at_right => Point { x: x - BESIDE - off, y: y + along },
            Scale::Down => Point { x: x + BESIDE + off, y: y + along },
        }
    }

    fn stroke(&self, scale: Scale, along: Length, off: Length) -> Line {
        solid(self.point(scale, along, Length::ZERO), self.point(scale, along, off))
    }

    fn cross(&self) -> [Line; 2] {
        let Point { x, y } = self.at;
        [
            solid(Point { x: x - ARM, y }, Point { x: x + ARM, y }),
            solid(Point { x, y: y - ARM }, Point { x, y: y + ARM }),
        ]
    }

    /// The front: strokes of 1.0 mm towards the cross, each fifth numbered. `signs` says whether numbers grow to the right and
    /// downwards (1) or the other way (-1).
    pub(super) fn front(&self, signs: [i64; 2], pen: &Pen<'_>) -> Drawing {
        let mut lines = self.cross().to_vec();
        let mut notes = vec![self.title(pen)];
        for (scale, sign) in [Scale::Across, Scale::Down].into_iter().zip(signs) {
            for k in -FRONT..=FRONT {
                lines.push(self.stroke(scale, FRONT_STEP * k, -length(k)));
                if k % 5 == 0 {
                    notes.push(self.number(scale, k, sign, pen));
                }
            }
        }
        (lines, notes)
    }

    /// The back as it is seen through the front: strokes of 0.9 mm away from the cross.
    pub(super) fn back(&self) -> Vec<Line> {
        let strokes = [Scale::Across, Scale::Down]
            .into_iter()
            .flat_map(|scale| (-BACK..=BACK).map(move |k| self.stroke(scale, BACK_STEP * k, length(k))));
        self.cross().into_iter().chain(strokes).collect()
    }

    fn title(&self, pen: &Pen<'_>) -> Note {
        let room = pen.room(self.name, SMALL * 2, DIGITS);
        let corner = Point { x: self.at.x - ARM - GAP - room.w, y: self.at.y - ARM - GAP - room.h };
        pen.note(self.name, SMALL * 2, DIGITS, corner)
    }

    /// The number of the front's stroke `k`, beside its end.
    fn number(&self, scale: Scale, k: i64, sign: i64, pen: &Pen<'_>) -> Note {
        let text = match k * sign {
            0 => "0".to_owned(),
            number => format!("{number:+}"),
        };
        let room = pen.room(&text, SMALL, DIGITS);
        let end = self.point(scale, FRONT_STEP * k, -length(k) - GAP);
        let corner = match scale {
            Scale::Across => Point { x: end.x - room.w.half(), y: end.y - room.h },
            Scale::Down if self.at_right => Point { x: end.x, y: end.y - room.h.half() },
            Scale::Down => Point { x: end.x - room.w, y: end.y - room.h.half() },
        };
        pen.note(&text, SMALL, DIGITS, corner)
    }
}

fn length(k: i64) -> Length {
    match k {
        0 => LONG,
        _ if k % 5 == 0 => FIFTH,
        _ => SHORT,
    }
}

/// A ruler of 100 mm across and one down from the same corner, with a stroke every 10 mm.
pub(super) fn rulers(corner: Point, pen: &Pen<'_>) -> Drawing {
    let Point { x, y } = corner;
    let long = Length::mm(100);
    let mut lines = vec![solid(corner, Point { x: x + long, y }), solid(corner, Point { x, y: y + long })];
    let mut notes = Vec::new();
    for n in 0..=10 {
        let (at, tick) = (Length::mm(10) * n, if n % 5 == 0 { FIFTH } else { SHORT });
        lines.push(solid(Point { x: x + at, y }, Point { x: x + at, y: y - tick }));
        lines.push(solid(Point { x, y: y + at }, Point { x: x - tick, y: y + at }));
        if n > 0 && n % 5 == 0 {
            let text = format!("{} mm", 10 * n);
            let room = pen.room(&text, SMALL, DIGITS);
            let above = Point { x: x + at - room.w.half(), y: y - tick - GAP - room.h };
            let behind = Point { x: x + GAP, y: y + at - room.h };
            notes.extend([above, behind].map(|corner| pen.note(&text, SMALL, DIGITS, corner)));
        }
    }
    (lines, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If the back is `shift` off, its nearest whole millimetre and the stroke that continues one of the front's say so.
    #[test]
    fn the_stroke_that_coincides_reads_the_tenth() {
        let station = Station { name: "E", at: Point { x: Length::mm(100), y: Length::mm(150) }, at_right: false };
        let zero = station.point(Scale::Across, Length::ZERO, Length::ZERO).x;
        let strokes: Vec<Length> = station.back()[2..13].iter().map(|line| line.from.x - zero).collect();
        for tenths in -94_i64..=94 {
            let shift = Length::emu(tenths * 3_600);
            let off_a_stroke = |at: Length| {
                let rest = at.to_emu().rem_euclid(FRONT_STEP.to_emu());
                rest.min(FRONT_STEP.to_emu() - rest)
            };
            let (k, _) =
                (-BACK..=BACK).zip(&strokes).min_by_key(|(_, stroke)| off_a_stroke(**stroke + shift)).expect("strokes");
            let whole = (tenths as f64 / 10.0).round() as i64;
            let read = whole * 10 + k;
            // At a half both neighbours are as near, and both readings are right.
            assert!(read == tenths || (tenths.rem_euclid(10) == 5 && (read - tenths).abs() == 10), "{tenths}: {read}");
        }
    }

    #[test]
    fn the_strokes_of_both_sides_meet_at_the_middle_line_and_never_cross_it() {
        for at_right in [false, true] {
            let station = Station { name: "A", at: Point::default(), at_right };
            for scale in [Scale::Across, Scale::Down] {
                let (front, back) =
                    (station.stroke(scale, Length::ZERO, -LONG), station.stroke(scale, Length::ZERO, LONG));
                assert_eq!(front.from, back.from);
                assert_ne!(front.to, back.to);
            }
        }
    }
}
