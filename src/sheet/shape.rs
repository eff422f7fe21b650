//! What pieces are cut to, and the lines that show it.

use crate::geometry::{Point, Size};
use crate::model::Outline;
use crate::units::Length;

/// The outline that a piece is cut to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A rectangle: straight cuts.
    Rect,
    /// A circle of the trim's width.
    Circle,
    /// A hexagon as large as the trim: with a corner at its left and right, or at its top and bottom.
    Hex {
        /// Whether the corners are at its top and bottom.
        pointy: bool,
    },
    /// Front and back in one strip that is folded at their heads and has a foot at both ends.
    Standee,
    /// An outline that the art itself draws inside the trim: dice nets, standees. It gets no marks.
    Drawn,
}

impl From<Outline> for Shape {
    fn from(outline: Outline) -> Self {
        match outline {
            Outline::Rect => Shape::Rect,
            Outline::Circle => Shape::Circle,
            Outline::HexFlat => Shape::Hex { pointy: false },
            Outline::HexPointy => Shape::Hex { pointy: true },
            Outline::Standee => Shape::Standee,
            Outline::Drawn => Shape::Drawn,
        }
    }
}

impl Shape {
    /// The corners of a hexagon that fills a trim at the origin, in turn; none for other shapes.
    pub fn corners(self, trim: Size) -> Option<[Point; 6]> {
        let Shape::Hex { pointy } = self else { return None };
        let Size { w, h } = trim;
        let zero = Length::ZERO;
        let corners = if pointy {
            [(w.half(), zero), (w, h / 4), (w, h - h / 4), (w.half(), h), (zero, h - h / 4), (zero, h / 4)]
        } else {
            [(w / 4, zero), (w - w / 4, zero), (w, h.half()), (w - w / 4, h), (w / 4, h), (zero, h.half())]
        };
        Some(corners.map(|(x, y)| Point { x, y }))
    }
}

/// The course of a cut that is not straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// Around a round piece.
    Circle {
        /// Centre.
        centre: Point,
        /// Radius.
        radius: Length,
    },
    /// Around a piece with six corners, in turn.
    Hexagon([Point; 6]),
}

impl Course {
    /// The same where `place` puts its points; a circle grows by `factor`.
    pub(super) fn moved(self, place: impl Fn(Point) -> Point, factor: f64) -> Self {
        match self {
            Course::Circle { centre, radius } => {
                Course::Circle { centre: place(centre), radius: Length::from_mm(radius.to_mm() * factor) }
            }
            Course::Hexagon(corners) => Course::Hexagon(corners.map(place)),
        }
    }
}
