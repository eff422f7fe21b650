//! Joints: where along a board one tile ends and the next begins. Where the sheets leave a choice, that is beside the lines of
//! text and the creases and not across them.

use crate::compose::face::{Face, GlyphRun, Layer};
use crate::geometry::Rect;
use crate::units::Length;

/// What a joint keeps away from text at least, and from a crease.
const CLEAR: Length = Length::mm(1);
const CLEAR_OF_CREASE: Length = Length::mm(3);
/// What stays free for marks at both ends of a tile that a joint makes longer.
const ROOM: Length = Length::mm(8);

/// Stretches along one side of a board that a joint had better not cross: their beginnings and their ends, each in order.
#[derive(Default)]
pub(super) struct Zones {
    starts: Vec<Length>,
    ends: Vec<Length>,
}

impl Zones {
    fn new(stretches: impl Iterator<Item = (Length, Length)>) -> Self {
        let (mut starts, mut ends): (Vec<Length>, Vec<Length>) = stretches.filter(|(start, end)| start < end).unzip();
        starts.sort_unstable();
        ends.sort_unstable();
        Zones { starts, ends }
    }

    /// How many stretches are crossed at `at`.
    fn crossed(&self, at: Length) -> usize {
        self.starts.partition_point(|start| *start < at) - self.ends.partition_point(|end| *end <= at)
    }

    /// The place from `low` to `high` that crosses the fewest stretches, and of those the one nearest to `wanted`.
    fn best(&self, wanted: Length, low: Length, high: Length) -> Length {
        let edges = self.starts.iter().chain(&self.ends).copied();
        let places = edges.chain([wanted.clamp(low, high)]).filter(|at| low <= *at && *at <= high);
        places.min_by_key(|at| (self.crossed(*at), (*at - wanted).abs(), *at)).unwrap_or(wanted)
    }
}

/// The stretches of `face` along its width and its height, with the creases across its longer side.
pub(super) fn zones(face: &Face, folds: &[Length]) -> (Zones, Zones) {
    let texts: Vec<Rect> = face.layers.iter().flat_map(texts).map(|text| text.outset(CLEAR)).collect();
    let crease = |fold: &Length| (*fold - CLEAR_OF_CREASE, *fold + CLEAR_OF_CREASE);
    let is_wide = face.trim.w >= face.trim.h;
    let creases = |across: bool| folds.iter().filter(move |_| across == is_wide).map(crease);
    let along = Zones::new(texts.iter().map(|text| (text.x, text.right())).chain(creases(true)));
    let down = Zones::new(texts.iter().map(|text| (text.y, text.bottom())).chain(creases(false)));
    (along, down)
}

/// The room that each run of glyphs in a layer takes.
fn texts(layer: &Layer) -> impl Iterator<Item = Rect> {
    let runs = match layer {
        Layer::Text(runs) => runs.as_slice(),
        Layer::Art(_) => &[],
    };
    runs.iter().filter_map(room)
}

/// The room that a run takes: from its first glyph to an em behind its last, an em high.
fn room(run: &GlyphRun) -> Option<Rect> {
    let xs = || run.glyphs.iter().map(|glyph| f64::from(glyph.x));
    let em = f64::from(run.size);
    let (left, right) = (xs().reduce(f64::min)?, xs().reduce(f64::max)? + em);
    let (top, bottom) = (-0.88 * em, 0.12 * em);
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)].map(|(x, y)| run.transform.apply(x, y));
    let least = |part: fn(&(f64, f64)) -> f64| Length::from_mm(corners.iter().map(part).fold(f64::INFINITY, f64::min));
    let most =
        |part: fn(&(f64, f64)) -> f64| Length::from_mm(corners.iter().map(part).fold(f64::NEG_INFINITY, f64::max));
    let (x, y) = (least(|at| at.0), least(|at| at.1));
    Some(Rect { x, y, w: most(|at| at.0) - x, h: most(|at| at.1) - y })
}

/// A board in one direction, which is to be divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// Its length.
    pub(super) length: Length,
    /// What a printer reaches.
    pub(super) reach: Length,
    /// How far tiles overlap.
    pub(super) overlap: Length,
}

impl Axis {
    /// How many tiles it takes: `n = ceil((L - o) / (P - o))`; none when a tile has no more than the overlap, or when there would
    /// be absurdly many.
    pub(super) fn count(&self) -> Option<usize> {
        let step = (self.reach - self.overlap).to_emu();
        if step <= 0 {
            return None;
        }
        let rest = (self.length - self.overlap).to_emu().max(1);
        let count = usize::try_from((rest + step - 1) / step).ok()?;
        (count <= 100).then_some(count)
    }

    /// Beginning and length of each of `count` tiles: equally long, but for what their joints move to keep off `zones`.
    pub(super) fn sections(&self, count: usize, zones: &Zones) -> Vec<(Length, Length)> {
        let mut starts = vec![Length::ZERO];
        for index in 1..count {
            starts.push(self.joint(index, count, starts[index - 1], zones));
        }
        let ends = starts.iter().skip(1).map(|start| *start + self.overlap).chain([self.length]);
        starts.iter().zip(ends).map(|(start, end)| (*start, end - *start)).collect()
    }

    /// Where tile number `index` of `count` begins when the one before it begins at `before`: within a quarter of a tile of where
    /// it would begin if all were equally long, and so that no tile loses the room for its marks.
    fn joint(&self, index: usize, count: usize, before: Length, zones: &Zones) -> Length {
        let whole = |n: usize| i64::try_from(n).unwrap_or(i64::MAX);
        let even = |index: usize| (self.length - self.overlap) * whole(index) / whole(count);
        let equal = even(1) + Length::emu(1);
        let step = (self.reach - ROOM * 2 - self.overlap).max(equal).min(self.reach - self.overlap);
        // Neither the tile before the joint nor those behind it may be longer than a step and the overlap.
        let least = self.length - self.overlap - step * whole(count - index);
        let low = least.max(even(index) - equal / 4);
        let high = (before + step).min(even(index) + equal / 4).max(low);
        zones.best(even(index), low, high)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::testing::FONTS;
    use super::*;
    use crate::compose::face::{Colour, Glyph};
    use crate::fonts::BUILT_IN_FAMILY;
    use crate::geometry::{Affine, Size};

    #[test]
    fn zones_are_where_text_stands_and_where_the_board_is_folded() {
        let glyph = |x| Glyph { id: 1, x, y: 0.0, cluster: 0..1 };
        let run = GlyphRun {
            font: FONTS.select(BUILT_IN_FAMILY, 400, false).expect("the built-in font"),
            size: 4.0,
            fill: Colour::BLACK,
            transform: Affine::translate(100.0, 50.0).then_inner(Affine::QUARTER_TURN),
            glyphs: vec![glyph(0.0), glyph(4.0)],
            text: "展板".to_owned(),
        };
        let layers = vec![Layer::Text(vec![run])];
        let face = Face { layers, ..Face::blank(Size::mm(420, 297)) };
        let (along, down) = super::zones(&face, &[Length::mm(210)]);
        // Two ems downwards from (100, 50), with a millimetre around them; the crease lies across the width.
        let crossed = |zones: &Zones, at: [f64; 4]| at.map(|mm| zones.crossed(Length::from_mm(mm)));
        assert_eq!(crossed(&down, [48.9, 49.1, 58.9, 59.1]), [0, 1, 1, 0]);
        assert_eq!(crossed(&along, [98.4, 98.6, 104.5, 104.6]), [0, 1, 1, 0]);
        assert_eq!(crossed(&along, [206.9, 207.1, 212.9, 213.1]), [0, 1, 1, 0]);
    }

    fn axis(length: i64, reach: i64, overlap: i64) -> Axis {
        Axis { length: Length::mm(length), reach: Length::mm(reach), overlap: Length::mm(overlap) }
    }

    fn zones(stretches: &[(i64, i64)]) -> Zones {
        Zones::new(stretches.iter().map(|(start, end)| (Length::mm(*start), Length::mm(*end))))
    }

    fn starts(axis: Axis, stretches: &[(i64, i64)]) -> Vec<i64> {
        let sections = axis.sections(axis.count().unwrap_or(0), &zones(stretches));
        sections.iter().map(|(start, _)| start.to_emu() / Length::mm(1).to_emu()).collect()
    }

    #[test]
    fn an_overlap_as_large_as_the_sheet_makes_no_tiles() {
        assert_eq!(axis(500, 200, 200).count(), None);
        assert_eq!(axis(390, 200, 10).count(), Some(2));
        assert_eq!(axis(391, 200, 10).count(), Some(3));
    }

    #[test]
    fn joints_keep_off_what_they_should_not_cross() {
        let board = axis(420, 287, 10);
        assert_eq!(starts(board, &[]), [0, 205]);
        assert_eq!(starts(board, &[(200, 204), (206, 260)]), [0, 205]);
        assert_eq!(starts(board, &[(190, 212)]), [0, 212]);
        assert_eq!(starts(board, &[(200, 218), (212, 240)]), [0, 200]);
        // Everything within a quarter of a tile is covered: where the fewest are crossed.
        assert_eq!(starts(board, &[(0, 420), (150, 215), (210, 300)]), [0, 205]);
        assert_eq!(starts(board, &[(0, 420), (150, 209), (205, 300), (150, 230)]), [0, 230]);
        // A tile that fills the sheet cannot grow.
        assert_eq!(starts(axis(390, 200, 10), &[(180, 200)]), [0, 190]);
    }

    proptest! {
        #[test]
        fn sections_cover_and_overlap_and_fit(
            length in 1_000_000_i64..40_000_000,
            reach in 2_000_000_i64..12_000_000,
            overlap in 0_i64..720_000,
            stretches in prop::collection::vec((0_i64..1_000, 0_i64..200), 0..40),
        ) {
            let emu = Length::emu;
            let axis = Axis { length: emu(length), reach: emu(reach), overlap: emu(overlap) };
            let Some(count) = axis.count() else { return Ok(()) };
            let stretches: Vec<(i64, i64)> = stretches.into_iter().map(|(at, long)| (at, at + long)).collect();
            let sections = axis.sections(count, &zones(&stretches));
            prop_assert_eq!(sections.len(), count);
            prop_assert_eq!(sections[0].0, Length::ZERO);
            prop_assert_eq!(sections[count - 1].0 + sections[count - 1].1, axis.length);
            for pair in sections.windows(2) {
                prop_assert_eq!(pair[0].0 + pair[0].1 - pair[1].0, axis.overlap);
                prop_assert!(pair[0].0 < pair[1].0);
            }
            prop_assert!(sections.iter().all(|(_, long)| *long <= axis.reach));
        }
    }
}
