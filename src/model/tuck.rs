//! Tuck boxes: how large a box must be, and the net that it is folded from.
//!
//! From left to right stand a side, the front, the other side, the back and the flap that closes the ring; the lid with its tongue
//! hangs on the back, the bottom on the front, and each side has a dust flap at both ends. The printed side is the outside.

use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// What cards get more than they need, so that they slide in and out.
const PLAY: Length = Length::emu(90_000);
/// Sizes of a box are whole steps of this: 0.5 mm.
const STEP: Length = Length::emu(18_000);

/// Width, height and depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Width of the front.
    pub w: Length,
    /// Height of the front.
    pub h: Length,
    /// From front to back.
    pub d: Length,
}

impl Space {
    /// The room for `count` cards of this size and `stock` thickness, with some play.
    pub fn for_cards(card: Size, count: usize, stock: Length) -> Self {
        let thick = stock * i64::try_from(count).unwrap_or(i64::MAX);
        Space { w: card.w + PLAY, h: card.h + PLAY, d: thick + PLAY }
    }

    /// Reads `66x91x28mm`: three numbers in the unit at the end.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let unit_at = text.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        let (numbers, unit) = text.split_at(unit_at);
        let parts: Vec<&str> = numbers.split(['x', '×']).collect();
        let [w, h, d] = parts.as_slice() else {
            return Err(format!("`{text}` is no space; write width x height x depth and a unit, like `66x91x28mm`"));
        };
        let [w, h, d] = [w, h, d].map(|number| Length::parse(&format!("{number}{unit}")));
        let space = Space { w: w?, h: h?, d: d? };
        if [space.w, space.h, space.d].iter().any(|length| *length <= Length::ZERO) {
            return Err("a space must be larger than zero".to_owned());
        }
        Ok(space)
    }
}

/// A tuck box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuck {
    /// The size of the closed box.
    pub size: Space,
    /// How many pieces it was measured for; none where its size was given.
    pub count: Option<usize>,
}

/// A part of the net. Names are those that templates use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panel {
    /// Its name.
    pub name: &'static str,
    /// Where it lies in the net.
    pub place: Rect,
}

impl Tuck {
    /// The box around `inside`, of paper `paper` thick; its walls count twice in each direction.
    pub fn around(inside: Space, paper: Length, count: Option<usize>) -> Self {
        let outer = |length: Length| {
            let emu = (length + paper * 2).to_emu();
            STEP * (emu + STEP.to_emu() - 1).div_euclid(STEP.to_emu())
        };
        Tuck { size: Space { w: outer(inside.w), h: outer(inside.h), d: outer(inside.d) }, count }
    }

    /// Height of the tongue at the lid.
    fn tongue(&self) -> Length {
        self.size.w / 5
    }

    /// The size of the net: `2W + 2.8D` by `H + 2D + 0.2W`.
    pub fn net(&self) -> Size {
        let Space { w, h, d } = self.size;
        Size { w: w * 2 + d * 14 / 5, h: h + d * 2 + self.tongue() }
    }

    /// The radius of the notch for the thumb.
    pub fn notch(&self) -> Length {
        self.size.w * 3 / 20
    }

    /// The six faces of the box.
    pub fn faces(&self) -> [Panel; 6] {
        let Space { w, h, d } = self.size;
        let (left, front, right, back) = self.columns();
        let (top, bottom) = self.rows();
        [
            panel("left", left, top, d, h),
            panel("front", front, top, w, h),
            panel("right", right, top, d, h),
            panel("back", back, top, w, h),
            panel("top", back, top - d, w, d),
            panel("bottom", front, bottom, w, d),
        ]
    }

    /// What is folded inside: the tongue of the lid; what is glued under the left side and under the bottom; the dust flaps.
    pub fn flaps(&self) -> [Panel; 7] {
        let Space { w, h, d } = self.size;
        let (left, _, right, back) = self.columns();
        let (top, bottom) = self.rows();
        // Both dust flaps of an end lie side by side, even in a box that is deeper than wide.
        let dust = (d * 3 / 5).min(w.half());
        [
            panel("tuck", back, Length::ZERO, w, self.tongue()),
            panel("glue", back + w, top, d * 4 / 5, h),
            panel("under", back, bottom, w, d * 4 / 5),
            panel("top_left", left, top - dust, d, dust),
            panel("top_right", right, top - dust, d, dust),
            panel("bottom_left", left, bottom, d, dust),
            panel("bottom_right", right, bottom, d, dust),
        ]
    }

    fn columns(&self) -> (Length, Length, Length, Length) {
        let Space { w, d, .. } = self.size;
        (Length::ZERO, d, d + w, d * 2 + w)
    }

    /// Where the walls begin and end.
    fn rows(&self) -> (Length, Length) {
        let top = self.tongue() + self.size.d;
        (top, top + self.size.h)
    }
}

fn panel(name: &'static str, x: Length, y: Length, w: Length, h: Length) -> Panel {
    Panel { name, place: Rect::new(Point { x, y }, Size { w, h }) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn mm(text: &str) -> Length {
        Length::parse(text).expect(text)
    }

    #[test]
    fn a_deck_of_54_gets_the_box_that_everyone_knows() {
        let poker = Size { w: mm("63.5mm"), h: mm("88.9mm") };
        let inside = Space::for_cards(poker, 54, mm("0.38mm"));
        assert_eq!(inside, Space { w: mm("66mm"), h: mm("91.4mm"), d: mm("23.02mm") });
        let tuck = Tuck::around(inside, Length::ZERO, Some(54));
        assert_eq!(tuck.size, Space { w: mm("66mm"), h: mm("91.5mm"), d: mm("23.5mm") });
        let thick = Tuck::around(inside, mm("0.3mm"), Some(54));
        assert_eq!(thick.size, Space { w: mm("67mm"), h: mm("92mm"), d: mm("24mm") });
    }

    #[test]
    fn spaces_are_read_and_refused() {
        assert_eq!(Space::parse("66x91.5x28mm").map(|space| space.h), Ok(mm("91.5mm")));
        for (text, part) in
            [("66x91mm", "no space"), ("66x91x0mm", "larger than zero"), ("66x91x28", "no unit"), ("", "no space")]
        {
            let fault = Space::parse(text).expect_err(text);
            assert!(fault.contains(part), "{text}: {fault}");
        }
    }

    proptest! {
        /// Every flap meets its panel when the net is folded.
        #[test]
        fn nets_fold(w in 40_i64..3_000, h in 40_i64..3_000, d in 6_i64..2_000) {
            let space = [w, h, d].map(|tenths| Length::emu(tenths * 3_600));
            let tuck = Tuck::around(Space { w: space[0], h: space[1], d: space[2] }, mm("0.3mm"), None);
            let Space { w, h, d } = tuck.size;
            let (faces, flaps) = (tuck.faces(), tuck.flaps());
            let of = |name: &str| faces.iter().chain(&flaps).find(|part| part.name == name).expect("a part").place;
            // The ring of walls: each begins where the one before it ends, and opposite walls are equal.
            prop_assert_eq!(of("left").right(), of("front").x);
            prop_assert_eq!(of("front").right(), of("right").x);
            prop_assert_eq!(of("right").right(), of("back").x);
            prop_assert_eq!(of("back").right(), of("glue").x);
            prop_assert_eq!((of("left").size(), of("front").size()), (of("right").size(), of("back").size()));
            // The flap that closes the ring lies within the left side, as high as that.
            prop_assert!(of("glue").w < of("left").w && of("glue").h == of("left").h);
            // The lid reaches from the back to the front and its tongue goes down inside it; the bottom reaches from front to back.
            for end in ["top", "bottom"] {
                prop_assert_eq!(of(end).size(), Size { w, h: d });
            }
            prop_assert_eq!(of("top").bottom(), of("back").y);
            prop_assert_eq!(of("tuck").bottom(), of("top").y);
            prop_assert_eq!(of("bottom").y, of("front").bottom());
            prop_assert_eq!(of("under").y, of("back").bottom());
            prop_assert!(of("under").h < d);
            // Dust flaps hang on the sides, are covered by lid and bottom, and do not lie on each other.
            for (flap, side) in [("top_left", "left"), ("top_right", "right"), ("bottom_left", "left"), ("bottom_right", "right")] {
                let (flap, side) = (of(flap), of(side));
                prop_assert_eq!((flap.x, flap.w), (side.x, d));
                prop_assert!(flap.bottom() == side.y || flap.y == side.bottom());
                prop_assert!(flap.h * 2 <= w);
            }
            // All of it lies in the net, nothing over anything else, and the net is no larger than that.
            let all: Vec<Rect> = faces.iter().chain(&flaps).map(|part| part.place).collect();
            let net = Rect::new(Point::default(), tuck.net());
            for (at, part) in all.iter().enumerate() {
                prop_assert!(net.contains(*part), "{:?} in {:?}", part, net);
                prop_assert!(all[..at].iter().all(|other| !other.overlaps(*part)));
            }
            prop_assert_eq!(all.iter().map(|part| part.right()).max(), Some(net.right()));
            prop_assert_eq!(all.iter().map(|part| part.bottom()).max(), Some(net.bottom()));
            prop_assert_eq!(of("front").h, h);
        }
    }
}
