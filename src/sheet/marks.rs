//! Crop marks: ticks outside the pieces and their bleed, in line with the real cuts, inside what the printer reaches. They are
//! never drawn to the edge of the page (viewers then shrink the page) and never between pieces.

use super::draft::{Note, Spot, area_of_line};
use super::turn::Turn;
use super::words::{DIGITS, Letters, Pen};
use super::{Course, Line, Marks, Ring};
use crate::geometry::{Point, Rect};
use crate::units::{EMU_PER_PT, Length};

/// Thickness of a crop mark: 0.4 pt. What is thinner than 0.25 pt vanishes on inkjet printers.
pub(super) const THIN: Length = Length::emu(EMU_PER_PT * 2 / 5);
/// The shortest crop mark that is of use.
pub(super) const MIN_TICK: Length = Length::emu(43_200);
/// The longest crop mark.
const MAX_TICK: Length = Length::mm(5);
/// A crop mark keeps this far from the trim, or the whole bleed if that is more, where there is room.
pub(super) const OFFSET: Length = Length::mm(2);
/// What crop marks leave free for words and ruler where both have room.
pub(super) const WORDS_STRIP: Length = Length::mm(3);
/// How short the marks may become for it.
const SHORT_TICK: Length = Length::mm(2);
/// The cutting line of a piece without straight cuts, on the trim: a dark line on a wider white one, so that it shows on light and dark art.
const RING: [(Length, u8); 2] = [(Length::emu(EMU_PER_PT), 255), (Length::emu(EMU_PER_PT * 2 / 5), 64)];
/// Sizes that the numbers of the cuts are tried in, and their distance from the marks.
const NUMBER_SIZES: [Length; 5] = [point(8), point(7), point(6), point(5), point(4)];
const NUMBER_GAP: Length = Length::emu(16_000);

const fn point(points: i64) -> Length {
    Length::emu(EMU_PER_PT * points)
}

/// A crop mark's distance from the trim, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tick {
    pub(super) offset: Length,
    pub(super) length: Length,
}

/// What happens on one side of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// How far art may reach out.
    pub(super) bleed: Length,
    /// The crop marks; none where there is no room or none are wanted.
    pub(super) tick: Option<Tick>,
}

impl Edge {
    /// Shares `room` (from the trim to what the printer does not reach) between bleed and marks. Marks come first: bleed is cut
    /// down so that the shortest has room.
    fn new(room: Length, bleed: Length, marks: Marks) -> Self {
        let room = room.max(Length::ZERO);
        if marks == Marks::None || room < MIN_TICK {
            return Edge { bleed: bleed.min(room), tick: None };
        }
        let most = room - MIN_TICK;
        let offset = bleed.max(OFFSET).min(most);
        let spare = room - offset;
        let length = if spare >= SHORT_TICK + WORDS_STRIP { spare - WORDS_STRIP } else { spare };
        Edge { bleed: bleed.min(most), tick: Some(Tick { offset, length: length.min(MAX_TICK) }) }
    }
}

/// The four sides of the pieces on a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edges {
    pub(super) left: Edge,
    pub(super) top: Edge,
    pub(super) right: Edge,
    pub(super) bottom: Edge,
    printable: Rect,
}

impl Edges {
    /// The sides of the rectangle `around` all trims, with the same bleed everywhere.
    pub(super) fn new(around: Rect, printable: Rect, bleed: Length, marks: Marks) -> Self {
        Self::with_bleeds(around, printable, [bleed; 4], marks)
    }

    /// The same with a bleed of its own at the left, top, right and bottom.
    pub(super) fn with_bleeds(around: Rect, printable: Rect, bleeds: [Length; 4], marks: Marks) -> Self {
        let [left, top, right, bottom] = bleeds;
        Edges {
            left: Edge::new(around.x - printable.x, left, marks),
            top: Edge::new(around.y - printable.y, top, marks),
            right: Edge::new(printable.right() - around.right(), right, marks),
            bottom: Edge::new(printable.bottom() - around.bottom(), bottom, marks),
            printable,
        }
    }

    /// Whether there are marks on all four sides.
    pub(super) const fn all_ticked(&self) -> bool {
        self.left.tick.is_some() && self.top.tick.is_some() && self.right.tick.is_some() && self.bottom.tick.is_some()
    }

    /// The rectangle `around` all trims, grown by the bleeds.
    pub(super) fn art(&self, around: Rect) -> Rect {
        Rect {
            x: around.x - self.left.bleed,
            y: around.y - self.top.bleed,
            w: around.w + self.left.bleed + self.right.bleed,
            h: around.h + self.top.bleed + self.bottom.bleed,
        }
    }

    /// Whether words may stand in `area`: printable, off the art, and off all of `taken`.
    pub(super) fn leave_free(&self, area: Rect, around: Rect, taken: &[Rect]) -> bool {
        self.printable.contains(area)
            && !area.overlaps(self.art(around))
            && !taken.iter().any(|other| other.overlaps(area))
    }
}

/// The straight cuts of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cuts {
    /// The upright ones, from left to right.
    pub(super) xs: Vec<Length>,
    /// The lying ones, from top to bottom.
    pub(super) ys: Vec<Length>,
    /// The rectangle around all trims.
    pub(super) around: Rect,
}

impl Cuts {
    /// The cuts that free `trims`.
    pub(super) fn of(trims: impl Iterator<Item = Rect> + Clone) -> Self {
        let xs = sorted(trims.clone().flat_map(|trim| [trim.x, trim.right()]));
        let ys = sorted(trims.flat_map(|trim| [trim.y, trim.bottom()]));
        let first_and_last =
            |all: &[Length]| (all.first().copied().unwrap_or_default(), all.last().copied().unwrap_or_default());
        let ((left, right), (top, bottom)) = (first_and_last(&xs), first_and_last(&ys));
        Cuts { xs, ys, around: Rect { x: left, y: top, w: right - left, h: bottom - top } }
    }

    /// How many they are.
    pub(super) const fn count(&self) -> usize {
        self.xs.len() + self.ys.len()
    }
}

fn sorted(lengths: impl Iterator<Item = Length>) -> Vec<Length> {
    let mut all: Vec<Length> = lengths.collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The ticks at both ends of every cut.
pub(super) fn crop(cuts: &Cuts, edges: &Edges) -> Vec<Line> {
    let upright = cuts.xs.iter().flat_map(|x| [above(*x, cuts, edges), below(*x, cuts, edges)]);
    let lying = cuts.ys.iter().flat_map(|y| [leftwards(*y, cuts, edges), rightwards(*y, cuts, edges)]);
    upright.chain(lying).flatten().collect()
}

fn above(x: Length, cuts: &Cuts, edges: &Edges) -> Option<Line> {
    let Tick { offset, length } = edges.top.tick?;
    let end = cuts.around.y - offset;
    Some(solid(Point { x, y: end - length }, Point { x, y: end }))
}

fn below(x: Length, cuts: &Cuts, edges: &Edges) -> Option<Line> {
    let Tick { offset, length } = edges.bottom.tick?;
    let start = cuts.around.bottom() + offset;
    Some(solid(Point { x, y: start }, Point { x, y: start + length }))
}

fn leftwards(y: Length, cuts: &Cuts, edges: &Edges) -> Option<Line> {
    let Tick { offset, length } = edges.left.tick?;
    let end = cuts.around.x - offset;
    Some(solid(Point { x: end - length, y }, Point { x: end, y }))
}

fn rightwards(y: Length, cuts: &Cuts, edges: &Edges) -> Option<Line> {
    let Tick { offset, length } = edges.right.tick?;
    let start = cuts.around.right() + offset;
    Some(solid(Point { x: start, y }, Point { x: start + length, y }))
}

/// A thin black line.
pub(super) const fn solid(from: Point, to: Point) -> Line {
    Line { from, to, width: THIN, grey: 0, dash: None }
}

/// The order of the cuts from number `first` on, beside the marks at their left or upper ends: all long cuts first, each from
/// mark to mark, then the strips. A number that finds no room beside the `lines` is left out.
pub(super) fn numbers(cuts: &Cuts, edges: &Edges, lines: &[Line], first: usize, pen: &Pen<'_>) -> Vec<Note> {
    let upright = cuts.xs.iter().map(|x| above(*x, cuts, edges));
    let lying = cuts.ys.iter().map(|y| leftwards(*y, cuts, edges));
    let marks: Vec<Option<Line>> =
        if cuts.around.h >= cuts.around.w { upright.chain(lying).collect() } else { lying.chain(upright).collect() };
    let mut taken: Vec<Rect> = lines.iter().map(area_of_line).collect();
    let mut notes = Vec::new();
    for (number, mark) in (first..).zip(marks) {
        let note = mark.and_then(|mark| {
            beside(&mark, &format!("{number}"), DIGITS, pen, |area| edges.leave_free(area, cuts.around, &taken))
        });
        taken.extend(note.iter().map(|note| note.area));
        notes.extend(note);
    }
    notes
}

/// A number or a word on one or the other side of a mark's outer end, where `free` says that there is room.
pub(super) fn beside(
    mark: &Line,
    text: &str,
    letters: Letters,
    pen: &Pen<'_>,
    free: impl Fn(Rect) -> bool,
) -> Option<Note> {
    let Point { x, y } = mark.from;
    let upright = mark.from.x == mark.to.x;
    NUMBER_SIZES.into_iter().find_map(|size| {
        let room = pen.room(text, size, letters);
        let corners = if upright {
            [Point { x: x + NUMBER_GAP, y }, Point { x: x - NUMBER_GAP - room.w, y }]
        } else {
            [Point { x, y: y - NUMBER_GAP - room.h }, Point { x, y: y + NUMBER_GAP }]
        };
        corners.into_iter().map(|corner| pen.note(text, size, letters, corner)).find(|note| free(note.area))
    })
}

/// Where the piece at `spot` is cut: the white line, and the dark one on it.
pub(super) fn rings(spot: &Spot<'_>) -> [Ring; 2] {
    let (trim, turn) = (spot.trim, spot.turn);
    let is_turned = matches!(turn, Turn::Left | Turn::Right);
    let size = if is_turned { trim.size().turned() } else { trim.size() };
    let centre = Point { x: trim.x + trim.w.half(), y: trim.y + trim.h.half() };
    let circle = Course::Circle { centre, radius: trim.w.half() };
    let course = spot
        .shape
        .corners(size)
        .map_or(circle, |corners| Course::Hexagon(corners.map(|corner| turn.point_in(trim, corner))));
    RING.map(|(width, grey)| Ring { course, width, grey })
}
