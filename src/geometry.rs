//! Places on paper: points, sizes, rectangles and affine maps. The origin is the top left corner, y grows downwards.

use serde::{Deserialize, Serialize};

use crate::units::Length;

/// A place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// Distance from the left edge.
    pub x: Length,
    /// Distance from the top edge.
    pub y: Length,
}

/// A width and a height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Size {
    /// Width.
    pub w: Length,
    /// Height.
    pub h: Length,
}

impl Size {
    /// A size of whole millimetres.
    pub const fn mm(w: i64, h: i64) -> Self {
        Size { w: Length::mm(w), h: Length::mm(h) }
    }

    /// The same size lying on its side.
    pub const fn turned(self) -> Self {
        Size { w: self.h, h: self.w }
    }

    /// Larger by `by` on all four sides.
    pub fn outset(self, by: Length) -> Self {
        Size { w: self.w + by * 2, h: self.h + by * 2 }
    }

    /// Whether a piece of size `other` has room inside.
    pub fn holds(self, other: Size) -> bool {
        other.w <= self.w && other.h <= self.h
    }
}

impl std::fmt::Display for Size {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let w = self.w.to_string();
        write!(f, "{}x{}", w.trim_end_matches("mm"), self.h)
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left edge.
    pub x: Length,
    /// Top edge.
    pub y: Length,
    /// Width.
    pub w: Length,
    /// Height.
    pub h: Length,
}

impl Rect {
    /// The rectangle of `size` whose top left corner is `at`.
    pub fn new(at: Point, size: Size) -> Self {
        Rect { x: at.x, y: at.y, w: size.w, h: size.h }
    }

    /// Right edge.
    pub fn right(self) -> Length {
        self.x + self.w
    }

    /// Bottom edge.
    pub fn bottom(self) -> Length {
        self.y + self.h
    }

    /// Width and height.
    pub const fn size(self) -> Size {
        Size { w: self.w, h: self.h }
    }

    /// Moved outwards by `by` on all four sides (inwards when negative).
    pub fn outset(self, by: Length) -> Self {
        Rect { x: self.x - by, y: self.y - by, w: self.w + by * 2, h: self.h + by * 2 }
    }

    /// The place of something `size` large in the middle.
    pub fn middle(self, size: Size) -> Rect {
        Rect::new(Point { x: self.x + (self.w - size.w).half(), y: self.y + (self.h - size.h).half() }, size)
    }

    /// Whether the two share an area (touching edges do not count).
    pub fn overlaps(self, other: Rect) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// What lies in both; of no size or less where nothing does.
    pub fn common(self, other: Rect) -> Rect {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        Rect { x, y, w: self.right().min(other.right()) - x, h: self.bottom().min(other.bottom()) - y }
    }

    /// Whether `other` lies wholly inside.
    pub fn contains(self, other: Rect) -> bool {
        self.x <= other.x && self.y <= other.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }
}

/// An affine map, `x' = a x + c y + e`, `y' = b x + d y + f`, in millimetres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Affine {
    /// x to x'.
    pub a: f64,
    /// x to y'.
    pub b: f64,
    /// y to x'.
    pub c: f64,
    /// y to y'.
    pub d: f64,
    /// Shift of x'.
    pub e: f64,
    /// Shift of y'.
    pub f: f64,
}

impl Affine {
    /// Leaves every place where it is.
    pub const IDENTITY: Affine = Affine { a: 1.0, b: 0.0, c: 0.0, d: 1.0, e: 0.0, f: 0.0 };

    /// Moves by (`x`, `y`) millimetres.
    pub const fn translate(x: f64, y: f64) -> Self {
        Affine { e: x, f: y, ..Affine::IDENTITY }
    }

    /// Scales both axes.
    pub const fn scale(x: f64, y: f64) -> Self {
        Affine { a: x, d: y, ..Affine::IDENTITY }
    }

    /// A clockwise quarter turn (as seen on paper) about the origin.
    pub const QUARTER_TURN: Affine = Affine { a: 0.0, b: 1.0, c: -1.0, d: 0.0, e: 0.0, f: 0.0 };

    /// A half turn about the origin.
    pub const HALF_TURN: Affine = Affine { a: -1.0, b: 0.0, c: 0.0, d: -1.0, e: 0.0, f: 0.0 };

    /// First `inner`, then this map.
    pub fn then_inner(self, inner: Affine) -> Self {
        Affine {
            a: self.a * inner.a + self.c * inner.b,
            b: self.b * inner.a + self.d * inner.b,
            c: self.a * inner.c + self.c * inner.d,
            d: self.b * inner.c + self.d * inner.d,
            e: self.a * inner.e + self.c * inner.f + self.e,
            f: self.b * inner.e + self.d * inner.f + self.f,
        }
    }

    /// Where (`x`, `y`) goes.
    pub fn apply(self, x: f64, y: f64) -> (f64, f64) {
        (self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f)
    }
}
