//! Standees: figures whose front and back lie on one strip, head to head. It is cut out whole, folded at the heads, glued, and
//! stands on the feet at its ends, which are folded outwards.
//!
//! From above, the strip has a foot, the back upside down, the fold, the front, and another foot: `2h + 2f` in all.

use super::draft::Spot;
use super::turn::Turn;
use super::{Placement, Shape, Side, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// The height of a foot.
pub(super) const FOOT: Length = Length::mm(10);

/// `stack` with its strips for pieces, marked where they are folded; none where it holds no standees.
pub(super) fn strip(stack: &Stack) -> Option<Stack> {
    let Size { w, h } = stack.trim;
    let trim = Size { w, h: (h + FOOT) * 2 };
    (stack.shape == Shape::Standee).then(|| Stack { trim, folds: vec![FOOT, FOOT + h, FOOT + h * 2], ..stack.clone() })
}

/// Front and back of the standee whose strip lies at `spot`. One without a back shows its front on both sides.
pub(super) fn placements(spot: &Spot<'_>) -> [Placement; 2] {
    let is_turned = matches!(spot.turn, Turn::Left | Turn::Right);
    let Size { w, h } = if is_turned { spot.trim.size().turned() } else { spot.trim.size() };
    let (head, face) = (h.half(), h.half() - FOOT);
    let part = |y, h| spot.turn.rect_in(spot.trim, Rect::new(Point { x: Length::ZERO, y }, Size { w, h }));
    let bleed = spot.piece.front.bleed.min(FOOT);
    let placed = |side, y: Length, turn: Turn| {
        let (trim, drawn) = (part(y, face), if side == Side::Front { &spot.piece.front } else { spot.back() });
        // Bleed goes on beside the figure and onto its foot, but not over the fold.
        let onto_foot = if side == Side::Front { part(head, face + bleed) } else { part(FOOT - bleed, face + bleed) };
        let beside = if is_turned {
            Rect { y: spot.clip.y, h: spot.clip.h, ..onto_foot }
        } else {
            Rect { x: spot.clip.x, w: spot.clip.w, ..onto_foot }
        };
        Placement {
            piece: spot.piece.address.clone(),
            side,
            face: drawn.clone(),
            transform: turn.laid_into(trim),
            clip: beside,
            tilted: None,
            trim,
            shape: spot.shape,
        }
    };
    [placed(Side::Front, head, spot.turn), placed(Side::Back, FOOT, spot.turn.opposite())]
}

#[cfg(test)]
mod tests {
    use super::super::testing::{cards, imposed, options};
    use super::super::{Gutter, Kind, laws};
    use super::*;
    use proptest::prelude::*;

    fn figures(trim: Size, count: usize) -> Stack {
        Stack { shape: Shape::Standee, kind: Kind::Token, ..cards(trim, count, Gutter::Bleeds) }
    }

    #[test]
    fn a_standee_is_a_strip_of_both_sides_and_two_feet() {
        let sheets = imposed(figures(Size::mm(25, 40), 1), &options("a4")).sheets;
        let [sheet] = sheets.as_slice() else { panic!("one sheet") };
        let [front, back] = sheet.placements.as_slice() else { panic!("front and back") };
        assert_eq!((front.side, back.side), (Side::Front, Side::Back));
        assert_eq!(front.cut().size(), Size::mm(25, 100));
        assert_eq!(back.trim.bottom(), front.trim.y);
        assert_eq!((back.clip.bottom(), front.clip.y), (front.trim.y, front.trim.y));
        // The back stands on its head.
        assert_eq!(back.transform.apply(0.0, 0.0), (back.trim.right().to_mm(), back.trim.bottom().to_mm()));
        let creases = sheet.lines.iter().filter(|line| line.dash == Some(Length::mm(1)));
        // Three folds, marked at both ends.
        assert_eq!(creases.count(), 6);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn folding_at_the_head_brings_the_back_behind_the_front(
            paper in laws::papers(),
            sides in laws::all_sides(),
            (w, h) in (10_i64..40, 20_i64..55),
            count in 1_usize..40,
        ) {
            let options = super::super::Options { sides, ..options(&paper) };
            for sheet in imposed(figures(Size::mm(w, h), count), &options).sheets.iter().filter(|sheet| !sheet.placements.is_empty()) {
                prop_assert_eq!(sheet.side, Side::Front);
                for pair in sheet.placements.chunks(2) {
                    let [front, back] = pair else { return Err(TestCaseError::fail("no pair")) };
                    prop_assert_eq!(&front.piece, &back.piece);
                    let strip = front.cut();
                    prop_assert!(options.printable().contains(strip));
                    // Mirrored in the middle of the strip, across its length.
                    let middle = |rect: Rect| (rect.x * 2 + rect.w, rect.y * 2 + rect.h);
                    let ((fx, fy), (bx, by), (sx, sy)) = (middle(front.trim), middle(back.trim), middle(strip));
                    prop_assert_eq!((fx + bx, fy + by), (sx * 2, sy * 2));
                    let (x, y) = front.transform.apply(0.0, 0.0);
                    let (bx, by) = back.transform.apply(w as f64, 0.0);
                    let off = (x - bx).hypot(y - by);
                    prop_assert!(off < 0.01, "the heads do not meet: {}", off);
                    prop_assert!(!front.clip.overlaps(back.clip));
                }
                for (at, one) in sheet.placements.iter().step_by(2).enumerate() {
                    let others = sheet.placements.iter().step_by(2).skip(at + 1);
                    prop_assert!(others.into_iter().all(|other| !one.cut().overlaps(other.cut())));
                }
            }
        }
    }
}
