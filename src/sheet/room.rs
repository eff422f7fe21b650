//! Finding room: where on a page a small block of words or a ruler is in nobody's way.

use super::turn::Turn;
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// How far a block stays away from everything else at least, and from what stands before it in its strip.
const GAP: Length = Length::emu(18_000);
const STEP: Length = Length::mm(2);

/// An edge of the page along which blocks are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strip {
    /// Below everything.
    Foot,
    /// At the left, read from below.
    Left,
    /// Above everything.
    Head,
    /// At the right, read from below.
    Right,
}

impl Strip {
    /// All strips, the best first.
    pub(super) const ALL: [Strip; 4] = [Strip::Foot, Strip::Left, Strip::Head, Strip::Right];

    /// Where the top of a block in this strip points.
    pub(super) const fn turn(self) -> Turn {
        match self {
            Strip::Foot | Strip::Head => Turn::Up,
            Strip::Left | Strip::Right => Turn::Left,
        }
    }

    /// The length of the strip on a page whose printable part is `printable`.
    pub(super) const fn length(self, printable: Rect) -> Length {
        match self {
            Strip::Foot | Strip::Head => printable.w,
            Strip::Left | Strip::Right => printable.h,
        }
    }
}

/// The printable part of a page and what already stands on it.
#[derive(Clone)]
pub(super) struct Room {
    printable: Rect,
    taken: Vec<Rect>,
}

impl Room {
    /// A page that is printable in `printable` and full in `taken`.
    pub(super) fn new(printable: Rect, taken: Vec<Rect>) -> Self {
        Room { printable, taken }
    }

    /// Takes a block of `size` (as it is read) out of the free part of `strip`, flush with the edge of the printable part;
    /// none when it has no room there.
    pub(super) fn take(&mut self, strip: Strip, size: Size) -> Option<Rect> {
        let size = if strip.turn() == Turn::Up { size } else { size.turned() };
        let place =
            self.starts(strip, size).into_iter().map(|at| Rect::new(at, size)).find(|place| self.is_free(*place))?;
        self.taken.push(place);
        Some(place)
    }

    /// As [`Room::take`], but over small things in the way, such as crop marks: none is longer than `small` along the strip. Says
    /// too which parts of the block, along it as it is read, are to be left out for them. None of `needed` may be among them.
    pub(super) fn take_over(
        &mut self,
        strip: Strip,
        size: Size,
        small: Length,
        needed: &[(Length, Length)],
    ) -> Option<(Rect, Vec<(Length, Length)>)> {
        let (long, size) = (size.w, if strip.turn() == Turn::Up { size } else { size.turned() });
        let Rect { x, y, .. } = self.printable;
        let (right, bottom) = (self.printable.right() - size.w, self.printable.bottom() - size.h);
        let room = (strip.length(self.printable) - long).fits(STEP);
        let corner = |step: i64| match strip {
            Strip::Foot => Point { x: x + STEP * step, y: bottom },
            Strip::Head => Point { x: x + STEP * step, y },
            Strip::Left => Point { x, y: bottom - STEP * step },
            Strip::Right => Point { x: right, y: bottom - STEP * step },
        };
        let steps = (0..=i64::try_from(room).unwrap_or(0)).map(|step| Rect::new(corner(step), size));
        let (place, gaps) = steps.into_iter().filter(|place| self.printable.contains(*place)).find_map(|place| {
            let gaps = self.crossed(strip, place, small)?;
            let is_left_out = |part: &(Length, Length)| gaps.iter().any(|(from, to)| *from <= part.1 && part.0 <= *to);
            let lost: Length = gaps.iter().map(|(from, to)| *to - *from).sum();
            (!needed.iter().any(is_left_out) && lost * 4 <= long).then_some((place, gaps))
        })?;
        self.taken.push(place);
        Some((place, gaps))
    }

    /// The parts of `place` that small things take; none when something larger does.
    fn crossed(&self, strip: Strip, place: Rect, small: Length) -> Option<Vec<(Length, Length)>> {
        let around = place.outset(GAP);
        let mut gaps = Vec::new();
        for other in self.taken.iter().filter(|other| other.overlaps(around)) {
            let (from, to) = match strip.turn() {
                Turn::Up => (other.x - place.x, other.right() - place.x),
                _ => (place.bottom() - other.bottom(), place.bottom() - other.y),
            };
            if to - from > small {
                return None;
            }
            gaps.push((from - GAP, to + GAP));
        }
        Some(gaps)
    }

    fn is_free(&self, place: Rect) -> bool {
        let around = place.outset(GAP);
        self.printable.contains(place) && !self.taken.iter().any(|other| other.overlaps(around))
    }

    /// The corners to try in a strip: its beginning, then behind each thing that stands in it.
    fn starts(&self, strip: Strip, size: Size) -> Vec<Point> {
        let Rect { x, y, .. } = self.printable;
        let (right, bottom) = (self.printable.right() - size.w, self.printable.bottom() - size.h);
        match strip {
            Strip::Foot | Strip::Head => {
                let y = if strip == Strip::Foot { bottom } else { y };
                let behind = self.taken.iter().map(|other| other.right() + STEP);
                let mut xs: Vec<Length> = behind.collect();
                xs.sort_unstable();
                xs.insert(0, x);
                xs.into_iter().map(|x| Point { x, y }).collect()
            }
            Strip::Left | Strip::Right => {
                let x = if strip == Strip::Left { x } else { right };
                let before = self.taken.iter().map(|other| other.y - STEP - size.h);
                let mut ys: Vec<Length> = before.collect();
                ys.sort_unstable();
                ys.push(bottom);
                ys.into_iter().rev().map(|y| Point { x, y }).collect()
            }
        }
    }
}
