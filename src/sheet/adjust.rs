//! Adjustment: what a printer puts behind the front in the wrong place is moved there and back again.
//!
//! One affine map is applied to everything on a back: faces, marks, circles and words. Cards that move without their marks would
//! be cut in the wrong place. Fronts stay where they are.

use super::{Line, Placement, Ring, Sheet, Side, draft};
use crate::compose::face::GlyphRun;
use crate::geometry::{Affine, Point, Rect, Size};
use crate::units::Length;

/// How far backs may be moved.
const FARTHEST: Length = Length::mm(10);
/// The step of a shift: 0.05 mm.
const STEP: Length = Length::emu(1_800);
/// The most that backs may be turned, in thousandths of a degree.
const MOST_TURN: i64 = 2_000;
/// The least and the most that backs may be scaled to, in hundred-thousandths.
const SCALES: [i64; 2] = [95_000, 105_000];
/// Backs as they are, in hundred-thousandths.
const WHOLE: i64 = 100_000;

/// How backs are moved so that they come to lie behind their fronts: first scaled and turned about the middle of the page, then
/// shifted. Values are whole numbers of small steps, so that they are written as they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adjustment {
    dx: Length,
    dy: Length,
    /// Thousandths of a degree, clockwise as seen on the page.
    turn: i64,
    /// Hundred-thousandths.
    scale: [i64; 2],
}

impl Default for Adjustment {
    fn default() -> Self {
        Adjustment::NONE
    }
}

/// One number of an adjustment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Measure {
    /// Millimetres to the right.
    Dx,
    /// Millimetres downwards.
    Dy,
    /// Degrees clockwise.
    Rotate,
    /// Factor of widths.
    ScaleX,
    /// Factor of heights.
    ScaleY,
}

impl Measure {
    /// All of them, in the order in which they are written.
    pub const ALL: [Measure; 5] = [Measure::Dx, Measure::Dy, Measure::Rotate, Measure::ScaleX, Measure::ScaleY];

    /// The word for it in the file of printers.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Dx => "dx",
            Measure::Dy => "dy",
            Measure::Rotate => "rotate",
            Measure::ScaleX => "scale_x",
            Measure::ScaleY => "scale_y",
        }
    }
}

impl Adjustment {
    /// Backs stay where they are.
    pub const NONE: Adjustment = Adjustment { dx: Length::ZERO, dy: Length::ZERO, turn: 0, scale: [WHOLE, WHOLE] };

    /// The same with another `value` of one number.
    ///
    /// # Errors
    /// A sentence that says what the number may be, when it is beyond what a sane printer does or between two steps.
    pub fn with(self, measure: Measure, value: f64) -> Result<Self, String> {
        match measure {
            Measure::Dx => Ok(Adjustment { dx: shift(measure, value)?, ..self }),
            Measure::Dy => Ok(Adjustment { dy: shift(measure, value)?, ..self }),
            Measure::Rotate => {
                let turn = steps(value, 1_000.0).filter(|turn| turn.abs() <= MOST_TURN);
                let turn = turn.ok_or_else(|| format!("`rotate` is {value}; it is -2 to 2 degrees"))?;
                Ok(Adjustment { turn, ..self })
            }
            Measure::ScaleX => Ok(Adjustment { scale: [scale(measure, value)?, self.scale[1]], ..self }),
            Measure::ScaleY => Ok(Adjustment { scale: [self.scale[0], scale(measure, value)?], ..self }),
        }
    }

    /// One of its numbers.
    pub fn get(self, measure: Measure) -> f64 {
        match measure {
            Measure::Dx => self.dx.to_mm(),
            Measure::Dy => self.dy.to_mm(),
            Measure::Rotate => self.turn as f64 / 1_000.0,
            Measure::ScaleX => self.scale[0] as f64 / WHOLE as f64,
            Measure::ScaleY => self.scale[1] as f64 / WHOLE as f64,
        }
    }

    /// Whether it changes nothing.
    pub fn is_none(self) -> bool {
        self == Adjustment::NONE
    }

    /// From where things are on a back of this size to where they are printed.
    pub fn map(self, page: Size) -> Affine {
        let (x, y) = (page.w.to_mm() / 2.0, page.h.to_mm() / 2.0);
        let (sin, cos) = self.get(Measure::Rotate).to_radians().sin_cos();
        let turn = Affine { a: cos, b: sin, c: -sin, d: cos, e: 0.0, f: 0.0 };
        let scale = Affine::scale(self.get(Measure::ScaleX), self.get(Measure::ScaleY));
        Affine::translate(x + self.dx.to_mm(), y + self.dy.to_mm())
            .then_inner(turn)
            .then_inner(scale)
            .then_inner(Affine::translate(-x, -y))
    }
}

/// As it is written beside a back: `+0.4/-0.3 mm`, and what else there is: `+0.1°`, `100.2/99.8 %`.
impl std::fmt::Display for Adjustment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let signed = |number: f64| if number == 0.0 { "0".to_owned() } else { format!("{number:+}") };
        write!(f, "{}/{} mm", signed(self.get(Measure::Dx)), signed(self.get(Measure::Dy)))?;
        if self.turn != 0 {
            write!(f, " {}°", signed(self.get(Measure::Rotate)))?;
        }
        if self.scale != [WHOLE, WHOLE] {
            let [x, y] = self.scale.map(|scale| scale as f64 / 1_000.0);
            write!(f, " {x}/{y} %")?;
        }
        Ok(())
    }
}

/// A whole number of steps, `per_unit` of which make a unit; none where it is no number.
fn steps(value: f64, per_unit: f64) -> Option<i64> {
    value.is_finite().then(|| (value * per_unit).round() as i64)
}

fn shift(measure: Measure, value: f64) -> Result<Length, String> {
    let length = Length::from_mm(value);
    if !value.is_finite() || length.abs() > FARTHEST {
        return Err(format!("`{}` is {value}; it is -10 to 10 mm", measure.name()));
    }
    if length.to_emu() % STEP.to_emu() != 0 {
        let below = STEP * length.to_emu().div_euclid(STEP.to_emu());
        let (below, above) = (below.to_mm(), (below + STEP).to_mm());
        return Err(format!("`{}` is {value}; in steps of 0.05 mm it is {below} or {above}", measure.name()));
    }
    Ok(length)
}

fn scale(measure: Measure, value: f64) -> Result<i64, String> {
    let [least, most] = SCALES;
    let scale = steps(value, WHOLE as f64).filter(|scale| (least..=most).contains(scale));
    scale.ok_or_else(|| format!("`{}` is {value}; it is 0.95 to 1.05, and 1 where nothing is amiss", measure.name()))
}

/// Moves all backs, with everything on them.
pub(super) fn move_backs(sheets: &mut [Sheet], adjustment: Adjustment) {
    if adjustment.is_none() {
        return;
    }
    for sheet in sheets.iter_mut().filter(|sheet| sheet.side == Side::Back) {
        let map = adjustment.map(sheet.page);
        sheet.placements.iter_mut().for_each(|placement| move_placement(placement, map));
        sheet.lines.iter_mut().for_each(|line| move_line(line, map));
        sheet.rings.iter_mut().for_each(|ring| move_ring(ring, map));
        sheet.words.iter_mut().for_each(|run| move_words(run, map));
    }
}

fn move_placement(placement: &mut Placement, map: Affine) {
    placement.transform = map.then_inner(placement.transform);
    placement.tilted = (map.b != 0.0).then(|| corners(placement.clip).map(|corner| moved(corner, map)));
    placement.clip = around(placement.clip, map);
    placement.trim = around(placement.trim, map);
}

fn move_line(line: &mut Line, map: Affine) {
    (line.from, line.to) = (moved(line.from, map), moved(line.to, map));
}

/// A circle stays one: its radius grows by the middle of both scales.
fn move_ring(ring: &mut Ring, map: Affine) {
    let area = (map.a * map.d - map.b * map.c).abs();
    ring.course = ring.course.moved(|at| moved(at, map), area.sqrt());
}

fn move_words(run: &mut GlyphRun, map: Affine) {
    run.transform = map.then_inner(run.transform);
}

fn moved(at: Point, map: Affine) -> Point {
    let (x, y) = map.apply(at.x.to_mm(), at.y.to_mm());
    Point { x: Length::from_mm(x), y: Length::from_mm(y) }
}

/// The corners of a rectangle, clockwise.
fn corners(rect: Rect) -> [Point; 4] {
    [(rect.x, rect.y), (rect.right(), rect.y), (rect.right(), rect.bottom()), (rect.x, rect.bottom())]
        .map(|(x, y)| Point { x, y })
}

/// The upright rectangle around a moved one.
fn around(rect: Rect, map: Affine) -> Rect {
    draft::around(&corners(rect).map(|corner| moved(corner, map)))
}

#[cfg(test)]
mod tests {
    use super::super::laws::jobs;
    use super::super::testing::{FONTS, cards, options};
    use super::super::{Course, Gutter, Options, Stack, impose};
    use super::*;
    use proptest::prelude::*;

    fn adjustments() -> impl Strategy<Value = Adjustment> {
        let shift = || (-200_i64..=200).prop_map(|n| STEP * n);
        let scale = || SCALES[0]..=SCALES[1];
        (shift(), shift(), -MOST_TURN..=MOST_TURN, scale(), scale()).prop_map(|(dx, dy, turn, x, y)| Adjustment {
            dx,
            dy,
            turn,
            scale: [x, y],
        })
    }

    fn sheets(stack: &Stack, options: &Options, adjustment: Adjustment) -> Vec<Sheet> {
        let options = Options { adjustment, ..options.clone() };
        impose(std::slice::from_ref(stack), &options, &FONTS).sheets
    }

    /// Everything on a side, as it is told apart byte for byte; without words, of which a moved back has one phrase more.
    fn all(sheet: &Sheet) -> String {
        let places = sheet.placements.iter().map(|p| (&p.piece, p.transform, p.clip, p.trim));
        format!("{:?} {:?} {:?}", places.collect::<Vec<_>>(), sheet.lines, sheet.rings)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn numbers_are_read_as_they_are_written(adjustment in adjustments()) {
            let mut read = Adjustment::NONE;
            for measure in Measure::ALL {
                let text = adjustment.get(measure).to_string();
                let number: f64 = text.parse().map_err(|_| TestCaseError::fail(text.clone()))?;
                read = read.with(measure, number).map_err(TestCaseError::fail)?;
            }
            prop_assert_eq!(read, adjustment);
        }

        /// One map for placements, lines, circles and words; fronts keep what they had.
        #[test]
        fn backs_move_with_everything_on_them((stack, options) in jobs(), adjustment in adjustments()) {
            let mut moved_sheets = sheets(&stack, &options, Adjustment::NONE);
            // Rings and words that backs do not have in these jobs are put there.
            for sheet in &mut moved_sheets {
                let centre = Point { x: sheet.page.w / 3, y: sheet.page.h / 4 };
                sheet.rings.push(Ring { course: Course::Circle { centre, radius: Length::mm(12) }, width: STEP, grey: 128 });
            }
            let old: Vec<(Side, String)> = moved_sheets.iter().map(|sheet| (sheet.side, all(sheet))).collect();
            let before: Vec<(Vec<Affine>, Vec<Point>, Vec<Rect>)> = moved_sheets.iter().map(places).collect();
            move_backs(&mut moved_sheets, adjustment);
            for ((sheet, (side, old)), (maps, points, clips)) in moved_sheets.iter().zip(old).zip(before) {
                if side == Side::Front {
                    prop_assert_eq!(all(sheet), old);
                    continue;
                }
                let map = adjustment.map(sheet.page);
                let (maps_now, points_now, clips_now) = places(sheet);
                prop_assert_eq!(maps_now, maps.into_iter().map(|old| map.then_inner(old)).collect::<Vec<_>>());
                prop_assert_eq!(points_now, points.into_iter().map(|old| moved(old, map)).collect::<Vec<_>>());
                for (now, old) in clips_now.iter().zip(clips) {
                    for (x, y) in [(old.x, old.y), (old.right(), old.bottom()), (old.x, old.bottom())] {
                        let Point { x, y } = moved(Point { x, y }, map);
                        prop_assert!(now.x <= x && x <= now.right() && now.y <= y && y <= now.bottom(), "clipped");
                    }
                }
            }
        }

        #[test]
        fn fronts_are_the_same_to_the_last_word((stack, options) in jobs(), adjustment in adjustments()) {
            let (as_it_was, adjusted) = (sheets(&stack, &options, Adjustment::NONE), sheets(&stack, &options, adjustment));
            prop_assert_eq!(as_it_was.len(), adjusted.len());
            for (one, other) in as_it_was.iter().zip(&adjusted).filter(|(one, _)| one.side == Side::Front) {
                prop_assert_eq!(all(one), all(other));
                prop_assert_eq!(&one.words, &other.words);
            }
        }
    }

    /// The maps of faces and words, the places of lines and circles, and the clips.
    fn places(sheet: &Sheet) -> (Vec<Affine>, Vec<Point>, Vec<Rect>) {
        let faces = sheet.placements.iter().map(|placement| placement.transform);
        let lines = sheet.lines.iter().flat_map(|line| [line.from, line.to]);
        (
            faces.chain(sheet.words.iter().map(|run| run.transform)).collect(),
            lines
                .chain(sheet.rings.iter().flat_map(|ring| match ring.course {
                    Course::Circle { centre, .. } => vec![centre],
                    Course::Hexagon(corners) => corners.to_vec(),
                }))
                .collect(),
            sheet.placements.iter().map(|placement| placement.clip).collect(),
        )
    }

    #[test]
    fn the_map_turns_clockwise_about_the_middle_and_then_shifts() {
        let page = Size::mm(200, 300);
        let with = |pairs: &[(Measure, f64)]| {
            pairs.iter().fold(Adjustment::NONE, |all, (measure, value)| all.with(*measure, *value).expect("sane"))
        };
        let at = |adjustment: Adjustment, x, y| {
            let (x, y) = adjustment.map(page).apply(x, y);
            [x, y].map(|part| (part * 1000.0).round() / 1000.0)
        };
        assert_eq!(at(with(&[(Measure::Dx, 0.4), (Measure::Dy, -0.3)]), 20.0, 30.0), [20.4, 29.7]);
        assert_eq!(at(with(&[(Measure::ScaleX, 1.01)]), 200.0, 0.0), [201.0, 0.0]);
        let turned = with(&[(Measure::Rotate, 1.0), (Measure::Dx, 1.0)]);
        assert_eq!(at(turned, 100.0, 150.0), [101.0, 150.0]);
        // What was at the right goes down.
        assert_eq!(at(turned, 200.0, 150.0), [200.985, 151.745]);
    }

    #[test]
    fn the_clip_turns_with_its_face() {
        let stack = cards(Size::mm(63, 88), 9, Gutter::Bleeds);
        let turned = Adjustment { turn: 100, ..Adjustment::NONE };
        let options = Options { adjustment: turned, ..options("a4") };
        for sheet in impose(&[stack], &options, &FONTS).sheets {
            for placed in &sheet.placements {
                let Some(corners) = placed.tilted else {
                    assert_eq!(sheet.side, Side::Front);
                    continue;
                };
                // Seen from the face, they are an upright rectangle again: its trim and the bleed of 3 mm, to a hundredth.
                let Affine { a, b, c, d, e, f } = placed.transform;
                let whole = a * d - b * c;
                for Point { x, y } in corners {
                    let (x, y) = (x.to_mm() - e, y.to_mm() - f);
                    let (x, y) = ((d * x - c * y) / whole, (a * y - b * x) / whole);
                    assert!([-3.0, 66.0].iter().any(|edge: &f64| (x - edge).abs() < 0.01), "{x}");
                    assert!([-3.0, 91.0].iter().any(|edge: &f64| (y - edge).abs() < 0.01), "{y}");
                }
                assert_eq!(sheet.side, Side::Back);
            }
        }
    }

    #[test]
    fn what_no_printer_does_is_refused() {
        for (measure, value, part) in [
            (Measure::Dx, 10.05, "-10 to 10 mm"),
            (Measure::Dy, f64::NAN, "-10 to 10 mm"),
            (Measure::Dx, 0.42, "it is 0.4 or 0.45"),
            (Measure::Dy, -0.32, "it is -0.35 or -0.3"),
            (Measure::Rotate, 2.5, "-2 to 2 degrees"),
            (Measure::ScaleX, 1.06, "0.95 to 1.05"),
            (Measure::ScaleY, 99.8, "0.95 to 1.05"),
        ] {
            let refusal = Adjustment::NONE.with(measure, value).expect_err("refused");
            assert!(refusal.contains(part) && refusal.contains(measure.name()), "{refusal}");
        }
    }

    #[test]
    fn it_is_written_as_people_read_it() {
        let full = Adjustment { dx: STEP * 8, dy: STEP * -6, turn: 100, scale: [100_200, 99_800] };
        assert_eq!(full.to_string(), "+0.4/-0.3 mm +0.1° 100.2/99.8 %");
        assert_eq!(Adjustment { turn: 0, scale: [WHOLE; 2], dy: Length::ZERO, ..full }.to_string(), "+0.4/0 mm");
    }
}
