//! The calibration sheet: a front and a back that show, held against a light, how far backs lie from where they should.
//!
//! Five stations of two verniers each, at the corners and in the middle; rulers for the scale of each side; and in words how to
//! read it. The numbers at the front's strokes are such that what is read is what is to be stored: the shift that brings the back
//! to where it should be.

use super::draft::Note;
use super::duplex::Flip;
use super::vernier::{INWARDS, OUTWARDS, Station, rulers};
use super::words::Pen;
use super::{Options, Sheet, Side, Sides, adjust};
use crate::fonts::Fonts;
use crate::geometry::{Point, Rect, Size};
use crate::units::{EMU_PER_PT, Length};

/// What is smaller has no room for all of it.
const SMALLEST: Size = Size::mm(190, 260);
/// Distance of blocks from each other.
const GAP: Length = Length::mm(4);
/// Sizes of the words: the heading, the steps.
const HEADING: Length = Length::emu(EMU_PER_PT * 14);
const STEPS: Length = Length::emu(EMU_PER_PT * 10);
const SMALL: Length = Length::emu(EMU_PER_PT * 8);

/// The two pages of the calibration sheet for the paper of `options`, turned about the edge that they say. Backs are moved by
/// their adjustment, so that the sheet also shows whether that was right.
///
/// # Errors
/// When the paper is too small.
pub fn calibration(options: &Options, fonts: &Fonts) -> Result<[Sheet; 2], String> {
    let page = options.paper.size;
    if !page.holds(SMALLEST) {
        return Err(format!(
            "the calibration sheet needs paper of {SMALLEST} at least, and {} is {page}",
            options.paper.title()
        ));
    }
    let plan = Plan::new(options);
    let pen = Pen::new(fonts, &options.imprint.language);
    let mut sheets = [plan.front(&pen), plan.back(&pen)];
    adjust::move_backs(&mut sheets, options.adjustment);
    Ok(sheets)
}

/// What both sides are made from.
struct Plan<'o> {
    options: &'o Options,
    printable: Rect,
    stations: [Station; 5],
    flip: Option<Flip>,
}

impl<'o> Plan<'o> {
    fn new(options: &'o Options) -> Self {
        let (printable, page) = (options.printable(), options.paper.size);
        let (left, right) = (printable.x + OUTWARDS, printable.right() - OUTWARDS);
        let (top, bottom) = (printable.y + OUTWARDS, printable.bottom() - OUTWARDS);
        let station = |name, x, y, at_right| Station { name, at: Point { x, y }, at_right };
        let stations = [
            station("A", left, top, false),
            station("B", right, top, true),
            station("C", left, bottom, false),
            station("D", right, bottom, true),
            station("E", page.w.half(), page.h.half(), false),
        ];
        Plan { options, printable, stations, flip: Flip::of(options.sides, page) }
    }

    /// Whether the paper is turned about its short edge.
    fn about_short_edge(&self) -> bool {
        self.options.sides == Sides::ShortEdge
    }

    /// Which way the numbers grow, across and down. Turned about the long edge, what the front sees at the right is the back's
    /// left: a back that is seen too far right has to go right on its own page.
    fn signs(&self) -> [i64; 2] {
        if self.about_short_edge() { [-1, 1] } else { [1, -1] }
    }

    fn front(&self, pen: &Pen<'_>) -> Sheet {
        let mut sheet = self.empty(Side::Front);
        let mut notes = Vec::new();
        for station in &self.stations {
            let (lines, numbers) = station.front(self.signs(), pen);
            sheet.lines.extend(lines);
            notes.extend(numbers);
        }
        let corner = self.corner();
        self.add(&mut sheet, notes, rulers(corner, pen), pen);
        let guide = Guide::of(&self.options.imprint.language);
        sheet.words.extend(pen.paragraph(&self.heading(guide, Side::Front), HEADING, self.head()));
        sheet.words.extend(pen.paragraph(&guide.steps(self), STEPS, self.upper()));
        sheet.words.extend(pen.paragraph(&guide.corners(self), SMALL, self.inside(corner)));
        sheet
    }

    fn back(&self, pen: &Pen<'_>) -> Sheet {
        let mut sheet = self.empty(Side::Back);
        let behind = |at: Point| self.flip.map_or(at, |flip| flip.point(at));
        for mut line in self.stations.iter().flat_map(Station::back) {
            (line.from, line.to) = (behind(line.from), behind(line.to));
            sheet.lines.push(line);
        }
        // Clear of the front's, which shine through.
        let corner = Point { y: self.corner().y - GAP * 2, ..self.corner() };
        self.add(&mut sheet, Vec::new(), rulers(corner, pen), pen);
        let guide = Guide::of(&self.options.imprint.language);
        sheet.words.extend(pen.paragraph(&self.heading(guide, Side::Back), HEADING, self.head()));
        sheet
    }

    fn empty(&self, side: Side) -> Sheet {
        Sheet {
            page: self.options.paper.size,
            side,
            components: vec!["calibrate".to_owned()],
            title: Guide::of(&self.options.imprint.language).title.to_owned(),
            placements: Vec::new(),
            lines: Vec::new(),
            rings: Vec::new(),
            words: Vec::new(),
        }
    }

    fn add(&self, sheet: &mut Sheet, mut notes: Vec<Note>, rulers: super::furniture::Drawing, pen: &Pen<'_>) {
        sheet.lines.extend(rulers.0);
        notes.extend(rulers.1);
        sheet.words.extend(notes.iter().flat_map(|note| pen.write(note)));
    }

    /// The title and what this side is: paper, turning, adjustment.
    fn heading(&self, guide: &Guide, side: Side) -> String {
        let Options { paper, sides, adjustment, .. } = self.options;
        let (side, turn) =
            (guide.sides[usize::from(side == Side::Back)], guide.turns[usize::from(self.about_short_edge())]);
        debug_assert!(*sides != Sides::Fronts, "a calibration sheet has a back");
        let moved = if adjustment.is_none() { String::new() } else { format!("\n{} {adjustment}", guide.moved) };
        format!("{}\n{side} · {} · 100 % · {turn}{moved}", guide.title, paper.title())
    }

    /// Between the upper stations.
    fn head(&self) -> Rect {
        let x = self.printable.x + OUTWARDS + INWARDS + GAP;
        let w = self.options.paper.size.w - x * 2;
        Rect { x, y: self.printable.y, w, h: OUTWARDS * 2 }
    }

    /// Between the upper stations and the middle one.
    fn upper(&self) -> Rect {
        let (x, y) = (self.printable.x + GAP, self.head().bottom() + GAP);
        Rect { x, y, w: self.printable.w - GAP * 2, h: self.stations[4].at.y - OUTWARDS - y }
    }

    /// The corner of the rulers.
    fn corner(&self) -> Point {
        let x = self.printable.x + OUTWARDS + INWARDS + GAP;
        Point { x, y: self.printable.bottom() - Length::mm(102) }
    }

    /// Inside the angle of the rulers, above the lower stations.
    fn inside(&self, corner: Point) -> Rect {
        let (x, y) = (corner.x + GAP * 2, corner.y + GAP);
        Rect { x, y, w: Length::mm(92), h: self.printable.bottom() - y }
    }

    /// Distance of the corner stations, across and down.
    fn spans(&self) -> [f64; 2] {
        let [a, b, c, ..] = &self.stations;
        [(b.at.x - a.at.x).to_mm(), (c.at.y - a.at.y).to_mm()]
    }
}

/// What the sheet says, in one language.
struct Guide {
    title: &'static str,
    sides: [&'static str; 2],
    turns: [&'static str; 2],
    moved: &'static str,
    steps: fn(&str) -> String,
    corners: &'static str,
}

impl Guide {
    /// Chinese for Chinese, English for everything else.
    fn of(tag: &str) -> &'static Guide {
        if tag.starts_with("zh") { &CHINESE } else { &ENGLISH }
    }

    fn steps(&self, plan: &Plan<'_>) -> String {
        (self.steps)(self.turns[usize::from(plan.about_short_edge())])
    }

    /// How turning and scaling are worked out from the corners. Where the paper is turned about an edge decides which side of
    /// the front is which of the back.
    fn corners(&self, plan: &Plan<'_>) -> String {
        let [across, down] = plan.spans().map(|span| format!("{}", (span * 20.0).round() / 10.0));
        let (right, left) = ("B + D", "A + C");
        let (plus_x, minus_x) = if plan.about_short_edge() { (right, left) } else { (left, right) };
        let (plus_y, minus_y) = if plan.about_short_edge() { ("A + B", "C + D") } else { ("C + D", "A + B") };
        let of =
            |what: &str, pair: &str| pair.split(" + ").map(|at| format!("{what} {at}")).collect::<Vec<_>>().join(" + ");
        let minus = |pair: String| pair.replace(" + ", " − ");
        let formula = |what: &str, plus: &str, less: &str, over: &str| {
            format!("({} − {}) / {over}", of(what, plus), minus(of(what, less)))
        };
        let rotate = formula("dy", plus_x, minus_x, &across);
        let scale_x = formula("dx", plus_x, minus_x, &across);
        let scale_y = formula("dy", plus_y, minus_y, &down);
        format!("{}\n--rotate  57.3 × {rotate}\n--scale-x  1 + {scale_x}\n--scale-y  1 + {scale_y}", self.corners)
    }
}

const ENGLISH: Guide = Guide {
    title: "Calibration sheet",
    sides: ["Front", "Back"],
    turns: ["flip on long edge", "flip on short edge"],
    moved: "Backs moved by",
    steps: |turn| {
        format!(
            "1. Print both pages on one sheet at 100 % (not 'fit to page'), two-sided, {turn}, from the tray and on the paper that you will use.\n\
             2. Hold the sheet against a light, this side towards you, this line upright. Beside each cross, strokes of the back meet the two \
             scales of this side: read dx on the one across and dy on the one down. Begin at E, in the middle.\n\
             3. Whole millimetres: the number of this side's stroke that is nearest to the back's longest stroke.\n\
             4. Tenths: look for the stroke of the back that continues one of this side in a straight line. Count strokes to it from the \
             back's longest one: each is 0.1 mm, plus towards larger numbers, minus towards smaller ones.\n\
             5. Store what E says, in steps of 0.05 mm, under a name for this printer, tray and paper:\n\
             paiban calibrate --profile NAME --dx 0.4 --dy -0.3\n\
             paiban build --profile NAME\n\
             6. To check, print this sheet with `paiban calibrate --profile NAME`: all scales read 0. If not, add what they read to what is stored."
        )
    },
    corners: "Rulers: 100 mm at 100 %, on both sides. If both are off alike, the printer's own scaling is on: turn it off.\n\
              If A to D do not read what E reads, backs are also turned or scaled. Put the readings of the corners in:",
};

const CHINESE: Guide = Guide {
    title: "双面校准页",
    sides: ["正面", "背面"],
    turns: ["长边翻转", "短边翻转"],
    moved: "背面已移动",
    steps: |turn| {
        format!(
            "1. 两页印在一张纸的两面：100%（不要“适合页面”），双面，{turn}，用以后正式打印的纸盒和纸。\n\
             2. 正面朝自己、字朝上，对着光看。每个十字旁，背面的短线与正面的两条刻度相接：横的读 dx，竖的读 dy。先读中间的 E。\n\
             3. 整毫米：背面最长的那条线，离正面哪条刻度最近，就读它的数。\n\
             4. 十分之几毫米：找出背面与正面刻度连成一直线的那条短线，从背面最长的线数到它，每条 0.1 mm；朝大数方向为加，朝小数方向为减。\n\
             5. 以 0.05 mm 为一级，把 E 的读数存在这台打印机、这个纸盒、这种纸的名下：\n\
             paiban calibrate --profile 名字 --dx 0.4 --dy -0.3\n\
             paiban build --profile 名字\n\
             6. 复查：用 paiban calibrate --profile 名字 再印一次这一页，各处都应读 0；不为 0，就把读数加到已存的数上。"
        )
    },
    corners: "标尺：两面都应正好 100 mm。两面差得一样，是打印机自己的缩放没有关。\n\
              A 到 D 的读数与 E 不同，说明背面还有转动或缩放。把四角的读数代入：",
};

#[cfg(test)]
mod tests {
    use super::super::testing::{FONTS, options};
    use super::*;

    fn sheets(paper: &str, language: &str, sides: Sides) -> [Sheet; 2] {
        let mut options = Options { sides, ..options(paper) };
        options.imprint.language = language.to_owned();
        calibration(&options, &FONTS).expect(paper)
    }

    #[test]
    fn back_strokes_lie_behind_the_fronts_scales() {
        for sides in [Sides::LongEdge, Sides::ShortEdge] {
            let options = Options { sides, ..options("a4") };
            let plan = Plan::new(&options);
            let [_, back] = calibration(&options, &FONTS).expect("sheets");
            let flip = plan.flip.expect("two sides");
            let seen: Vec<Point> = plan.stations.iter().flat_map(Station::back).map(|line| line.from).collect();
            let printed: Vec<Point> = back.lines.iter().take(seen.len()).map(|line| flip.point(line.from)).collect();
            assert_eq!(printed, seen, "{sides:?}");
        }
    }

    /// A back that comes out `error` off is seen at a place whose number is the shift that mends it.
    #[test]
    fn what_is_read_is_what_is_to_be_stored() {
        for sides in [Sides::LongEdge, Sides::ShortEdge] {
            let options = Options { sides, ..options("a4") };
            let plan = Plan::new(&options);
            let flip = plan.flip.expect("two sides");
            let error = Point { x: Length::mm(2), y: Length::mm(-3) };
            let at = plan.stations[4].at;
            let printed = flip.point(at);
            let seen = flip.point(Point { x: printed.x + error.x, y: printed.y + error.y });
            let [across, down] = plan.signs();
            let read = ((seen.x - at.x) * across, (seen.y - at.y) * down);
            assert_eq!(read, (-error.x, -error.y), "{sides:?}");
        }
    }

    #[test]
    fn everything_stands_in_what_the_printer_reaches_and_no_words_are_cut_short() {
        for paper in ["a4", "letter", "a3", "legal", "tabloid", "190x260mm"] {
            for (language, sides) in [("en", Sides::LongEdge), ("zh-Hans", Sides::ShortEdge)] {
                let options = Options { sides, ..options(paper) };
                let (reach, plan) = (options.printable(), Plan::new(&options));
                for sheet in sheets(paper, language, sides) {
                    for at in sheet.lines.iter().flat_map(|line| [line.from, line.to]) {
                        assert!(reach.contains(Rect::new(at, Size::default())), "{paper}: {at:?}");
                    }
                }
                let (pen, guide) = (Pen::new(&FONTS, language), Guide::of(language));
                for (text, size, place) in [
                    (plan.heading(guide, Side::Front), HEADING, plan.head()),
                    (guide.steps(&plan), STEPS, plan.upper()),
                    (guide.corners(&plan), SMALL, plan.inside(plan.corner())),
                ] {
                    assert!(pen.fits(&text, size, place), "{paper} {language}: {text}");
                }
            }
        }
    }

    #[test]
    fn a_small_paper_is_refused_with_the_least_that_does() {
        let refusal = calibration(&options("148x210mm"), &FONTS).err().expect("too small");
        assert!(refusal.contains("190x260mm"), "{refusal}");
    }

    /// The readings of a turned and scaled back, put into the formulas, give back the turn and the scale.
    #[test]
    fn the_formulas_of_the_corners_are_right() {
        for sides in [Sides::LongEdge, Sides::ShortEdge] {
            let options = Options { sides, ..options("a4") };
            let plan = Plan::new(&options);
            let flip = plan.flip.expect("two sides");
            let wanted = super::super::Adjustment::NONE
                .with(super::super::Measure::Rotate, 0.1)
                .and_then(|all| all.with(super::super::Measure::ScaleX, 1.002))
                .and_then(|all| all.with(super::super::Measure::ScaleY, 0.998))
                .expect("sane");
            let map = wanted.map(options.paper.size);
            // What each corner would read: where the map takes the place behind it.
            let read = plan.stations.map(|station| {
                let at = flip.point(station.at);
                let (x, y) = map.apply(at.x.to_mm(), at.y.to_mm());
                (station.name, x - at.x.to_mm(), y - at.y.to_mm())
            });
            let value = |term: &str| {
                let (what, name) = term.split_once(' ').expect("a term");
                let (_, dx, dy) = read.iter().find(|(at, ..)| *at == name).expect("a station");
                if what == "dx" { *dx } else { *dy }
            };
            let text = ENGLISH.corners(&plan);
            let formula = |name: &str| {
                let line = text.lines().find(|line| line.starts_with(name)).expect(name);
                let inside = line.split_once('(').expect("(").1;
                let (terms, over) = inside.split_once(") / ").expect(")");
                let mut signed = 0.0;
                for plus in terms.split(" + ") {
                    let mut parts = plus.split(" − ");
                    signed += value(parts.next().expect("a term")) - parts.map(value).sum::<f64>();
                }
                signed / over.parse::<f64>().expect("a number")
            };
            assert!((57.3 * formula("--rotate") - 0.1).abs() < 0.002, "{sides:?}: {text}");
            assert!((formula("--scale-x") - 0.002).abs() < 0.000_01, "{sides:?}: {text}");
            assert!((formula("--scale-y") + 0.002).abs() < 0.000_01, "{sides:?}: {text}");
        }
    }
}
