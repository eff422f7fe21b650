//! Two-sided sheets: the side behind a side, so that back k lies behind front k whichever edge the paper is turned about.
//!
//! On an upright page the long edge is the vertical one: turning about it mirrors x, about the short edge y. What is seen from
//! behind is mirrored too, so a face whose top points along the mirrored axis has its back's top point the other way.

use super::draft::{Draft, Layout};
use super::fold;
use super::turn::Turn;
use super::{Options, Side, Sides};
use crate::geometry::{Point, Rect, Size};

/// Turning a page over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flip {
    page: Size,
    about_long_edge: bool,
}

impl Flip {
    /// Turning it about its long edge, which mirrors x.
    pub(super) const fn about_long_edge(page: Size) -> Self {
        Flip { page, about_long_edge: true }
    }

    /// Turning it about its short edge, which mirrors y.
    pub(super) const fn about_short_edge(page: Size) -> Self {
        Flip { page, about_long_edge: false }
    }

    /// How sheets are turned over; none when only fronts are printed. What is too large to be folded is printed on two sheets that
    /// are glued back to back.
    pub(super) fn of(sides: Sides, page: Size) -> Option<Self> {
        match sides {
            Sides::LongEdge | Sides::Fold => Some(Flip::about_long_edge(page)),
            Sides::ShortEdge => Some(Flip::about_short_edge(page)),
            Sides::Fronts => None,
        }
    }

    /// Whether above and below change places.
    pub(super) const fn mirrors_y(self) -> bool {
        !self.about_long_edge
    }

    /// The place behind `at`.
    pub(super) fn point(self, at: Point) -> Point {
        if self.about_long_edge {
            Point { x: self.page.w - at.x, y: at.y }
        } else {
            Point { x: at.x, y: self.page.h - at.y }
        }
    }

    /// The place behind `rect`: `x' = W - x - w`, or `y' = H - y - h`.
    pub(super) fn rect(self, rect: Rect) -> Rect {
        if self.about_long_edge {
            Rect { x: self.page.w - rect.right(), ..rect }
        } else {
            Rect { y: self.page.h - rect.bottom(), ..rect }
        }
    }

    /// Where the back's top has to point to lie behind the front's top.
    pub(super) const fn turn(self, front: Turn) -> Turn {
        match (self.about_long_edge, front) {
            (true, Turn::Right) => Turn::Left,
            (true, Turn::Left) => Turn::Right,
            (false, Turn::Up) => Turn::Down,
            (false, Turn::Down) => Turn::Up,
            (_, same) => same,
        }
    }

    /// What is seen from behind: places and lines mirrored. Cutting circles and words stay on the front, where one cuts.
    pub(super) fn layout<'s>(self, front: &Layout<'s>) -> Layout<'s> {
        let mut back = Layout { rings: Vec::new(), notes: Vec::new(), ..front.clone() };
        for spot in &mut back.spots {
            (spot.trim, spot.clip, spot.turn) = (self.rect(spot.trim), self.rect(spot.clip), self.turn(spot.turn));
            spot.side = Side::Back;
        }
        for line in &mut back.lines {
            (line.from, line.to) = (self.point(line.from), self.point(line.to));
        }
        if let Some(tile) = &mut back.tile {
            tile.turn = self.turn(tile.turn);
        }
        back
    }
}

/// The front of `layout`, and its back where any piece on it has one and backs are printed at all. One that is folded has both
/// on one side.
pub(super) fn both_sides(layout: Layout<'_>, options: &Options) -> Vec<Draft> {
    let page = options.paper.size;
    if let Some(fold) = layout.fold.filter(|_| layout.has_backs()) {
        return vec![Draft::new(fold::unfolded(layout, fold, options), Side::Front, page)];
    }
    let back = Flip::of(options.sides, page)
        .filter(|_| layout.has_backs())
        .map(|flip| Draft::new(flip.layout(&layout), Side::Back, page));
    let mut sides = vec![Draft::new(layout, Side::Front, page)];
    sides.extend(back);
    sides
}

/// The same sides with an unprinted back behind each front that has none, except the last: every front is on an odd page.
pub(super) fn kept_in_step(drafts: Vec<Draft>, sides: Sides) -> Vec<Draft> {
    if matches!(sides, Sides::Fronts | Sides::Fold) {
        return drafts;
    }
    let mut kept: Vec<Draft> = Vec::with_capacity(drafts.len() * 2);
    for draft in drafts {
        if draft.sheet.side == Side::Front && kept.len() % 2 == 1 {
            let unprinted = kept.last().map(Draft::unprinted_back);
            kept.extend(unprinted);
        }
        kept.push(draft);
    }
    kept
}
