//! Quarter turns: which way a face's top points on the page, and layouts that are made lying and printed upright.

use crate::geometry::{Affine, Point, Rect, Size};

/// Where the top of something points on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// Upwards.
    Up,
    /// To the right: turned a quarter clockwise.
    Right,
    /// Downwards.
    Down,
    /// To the left: turned a quarter against the clock.
    Left,
}

impl Turn {
    /// The turn about the origin.
    pub(super) const fn about_origin(self) -> Affine {
        match self {
            Turn::Up => Affine::IDENTITY,
            Turn::Right => Affine::QUARTER_TURN,
            Turn::Down => Affine::HALF_TURN,
            Turn::Left => Affine { a: 0.0, b: -1.0, c: 1.0, d: 0.0, e: 0.0, f: 0.0 },
        }
    }

    /// Upside down.
    pub(super) const fn opposite(self) -> Self {
        match self {
            Turn::Up => Turn::Down,
            Turn::Right => Turn::Left,
            Turn::Down => Turn::Up,
            Turn::Left => Turn::Right,
        }
    }

    /// The turn about the origin, which then goes to `to`.
    pub(super) fn moved_to(self, to: Point) -> Affine {
        let turn = self.about_origin();
        Affine { e: to.x.to_mm(), f: to.y.to_mm(), ..turn }
    }

    /// Where the place `at` of a thing comes to be when the thing is laid into `place`, a rectangle of the page.
    pub(super) fn point_in(self, place: Rect, at: Point) -> Point {
        match self {
            Turn::Up => Point { x: place.x + at.x, y: place.y + at.y },
            Turn::Right => Point { x: place.right() - at.y, y: place.y + at.x },
            Turn::Down => Point { x: place.right() - at.x, y: place.bottom() - at.y },
            Turn::Left => Point { x: place.x + at.y, y: place.bottom() - at.x },
        }
    }

    /// Where the rectangle `part` of a thing comes to be when the thing is laid into `place`.
    pub(super) fn rect_in(self, place: Rect, part: Rect) -> Rect {
        let one = self.point_in(place, Point { x: part.x, y: part.y });
        let other = self.point_in(place, Point { x: part.right(), y: part.bottom() });
        let (left, top) = (one.x.min(other.x), one.y.min(other.y));
        Rect { x: left, y: top, w: one.x.max(other.x) - left, h: one.y.max(other.y) - top }
    }

    /// The map that lays a thing with its origin at its top left corner into `place`, a rectangle of the page.
    pub(super) fn laid_into(self, place: Rect) -> Affine {
        self.moved_to(self.point_in(place, Point::default()))
    }
}

/// The plane in which a sheet is laid out: the page itself, or the page lying on its side. A lying frame comes onto the upright
/// page by a quarter turn against the clock: its top is the page's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The upright page.
    page: Size,
    /// Whether the frame lies.
    lying: bool,
}

impl Frame {
    /// Both frames of a page; the upright one first.
    pub(super) const fn both(page: Size) -> [Frame; 2] {
        [Frame { page, lying: false }, Frame { page, lying: true }]
    }

    /// Width and height as seen in the frame.
    pub(super) const fn size(self) -> Size {
        if self.lying { self.page.turned() } else { self.page }
    }

    /// The whole frame.
    pub(super) fn whole(self) -> Rect {
        Rect::new(Point::default(), self.size())
    }

    /// What of the frame comes to lie in `rect` of the page.
    pub(super) fn seen_in(self, rect: Rect) -> Rect {
        if self.lying { Rect { x: self.page.h - rect.bottom(), y: rect.x, w: rect.h, h: rect.w } } else { rect }
    }

    /// Where the frame's top points on the page.
    pub(super) const fn turn(self) -> Turn {
        if self.lying { Turn::Left } else { Turn::Up }
    }

    /// Where a place of the frame is on the page.
    pub(super) fn point(self, at: Point) -> Point {
        if self.lying { Point { x: at.y, y: self.page.h - at.x } } else { at }
    }

    /// Where a rectangle of the frame is on the page.
    pub(super) fn rect(self, rect: Rect) -> Rect {
        if self.lying { Rect { x: rect.y, y: self.page.h - rect.right(), w: rect.h, h: rect.w } } else { rect }
    }
}
