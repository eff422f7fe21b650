//! Folded sheets: fronts on one half of a sheet that is printed on one side only, backs on the other, to be folded along a dashed
//! line and glued. Fold and registration are one and the same, so the back lies behind its front as well as one can fold.
//!
//! Folded about a lying line, the backs stand on their heads below the fronts; about an upright one, they stand upright beside
//! them. The way that holds more pieces is taken.

use super::draft::Layout;
use super::duplex::Flip;
use super::marks::{THIN, WORDS_STRIP};
use super::{Line, Options, Sides};
use crate::geometry::{Point, Rect};
use crate::units::Length;

/// Between the fold and the nearest bleed: room for the arc that thick card makes.
const GAP: Length = Length::mm(5);
/// Dash and gap of the fold line.
const DASH: Length = Length::mm(2);

/// A part of the page that pieces are laid out in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Area {
    /// Where on the page.
    pub(super) rect: Rect,
    /// What folding does to it; none where nothing is folded.
    pub(super) fold: Option<Flip>,
}

impl Area {
    /// All that the printer reaches.
    pub(super) fn whole(options: &Options) -> Self {
        Area { rect: options.printable(), fold: None }
    }

    /// The areas to choose from for pieces with or without backs.
    pub(super) fn choice(with_backs: bool, options: &Options) -> Vec<Self> {
        if options.sides != Sides::Fold || !with_backs {
            return vec![Area::whole(options)];
        }
        let (page, reach) = (options.paper.size, options.printable());
        let above = Rect { h: page.h.half() - GAP - reach.y, ..reach };
        let beside = Rect { w: page.w.half() - GAP - reach.x, ..reach };
        vec![
            Area { rect: above, fold: Some(Flip::about_short_edge(page)) },
            Area { rect: beside, fold: Some(Flip::about_long_edge(page)) },
        ]
    }

    /// The same area without a strip for words at the page's foot.
    pub(super) fn above_words(&self) -> Rect {
        let rect = Rect { h: self.rect.h - WORDS_STRIP, ..self.rect };
        // What is folded down from the top of the page comes to lie at its foot.
        let folds_down = self.fold.is_some_and(Flip::mirrors_y);
        if folds_down { Rect { y: rect.y + WORDS_STRIP, ..rect } } else { rect }
    }
}

/// `front` with the backs on the other side of the fold, and the line between them.
pub(super) fn unfolded<'s>(mut front: Layout<'s>, fold: Flip, options: &Options) -> Layout<'s> {
    let back = fold.layout(&front);
    front.spots.extend(back.spots);
    front.lines.extend(back.lines);
    front.lines.push(fold_line(fold, options));
    front
}

/// The line that is folded, as long as the printer reaches.
fn fold_line(fold: Flip, options: &Options) -> Line {
    let (page, reach) = (options.paper.size, options.printable());
    let (from, to) = if fold.mirrors_y() {
        let y = page.h.half();
        (Point { x: reach.x, y }, Point { x: reach.right(), y })
    } else {
        let x = page.w.half();
        (Point { x, y: reach.y }, Point { x, y: reach.bottom() })
    };
    Line { from, to, width: THIN, grey: 0, dash: Some(DASH) }
}
