//! Packing: blocks of several components on one sheet.
//!
//! A block takes the highest free rectangle that it fits into, as flat as it can lie there, in the rectangle's top left corner.
//! What is left of the rectangle is divided by one straight cut into a part beside and a part below, so that all blocks can be
//! separated by cuts from edge to edge.

use super::block::{Block, Grid, gutter, marks_of, needed_bleed};
use super::draft::Layout;
use super::duplex::Flip;
use super::fold::Area;
use super::guillotine;
use super::marks;
use super::turn::Turn;
use super::words::Pen;
use super::{Line, Marks, Options, Piece, Stack};
use crate::geometry::{Point, Rect, Size};
use crate::units::Length;

/// The least distance between the trims of two blocks.
const LANE: Length = Length::mm(6);
/// The length of crop marks between blocks.
const TICK: Length = Length::mm(3);

/// Pieces of one stack that stay together.
pub(super) struct Parcel<'s> {
    owner: usize,
    stack: &'s Stack,
    pieces: Vec<&'s Piece>,
}

impl<'s> Parcel<'s> {
    /// What lies on the sheet `layout` of stack number `owner`.
    pub(super) fn of(owner: usize, layout: &Layout<'s>) -> Option<Self> {
        let stack = layout.stacks.first()?;
        Some(Parcel { owner, stack, pieces: layout.spots.iter().map(|spot| spot.piece).collect() })
    }

    /// The area of its pieces, in square EMU.
    fn area(&self) -> i128 {
        self.pieces.iter().map(|_| area(self.stack.trim)).sum()
    }

    /// The flattest grid that fits into `room` with its share of the lanes, or the narrowest; upright if it makes no difference.
    fn arranged(&self, room: Size, way: Way, marks: Marks) -> Option<Arranged> {
        let (count, lane) = (self.pieces.len(), half_lane(self.stack, marks));
        let grids = [Turn::Up, Turn::Left].into_iter().flat_map(|turn| {
            let trim = if turn == Turn::Up { self.stack.trim } else { self.stack.trim.turned() };
            let (gutter, origin) = (gutter(self.stack), Point { x: lane, y: lane });
            (1..=count).map(move |columns| {
                let grid = Grid { columns, rows: count.div_ceil(columns), trim, gutter, origin };
                Arranged { grid, turn, size: grid.size().outset(lane) }
            })
        });
        let fitting = grids.filter(|arranged| room.holds(arranged.size));
        match way {
            Way::Flattest => fitting.min_by_key(|arranged| (arranged.size.h, arranged.size.w)),
            Way::Narrowest => fitting.min_by_key(|arranged| (arranged.size.w, arranged.size.h)),
            Way::Smallest => fitting.min_by_key(|arranged| (area(arranged.size), arranged.size.h)),
        }
    }
}

/// How the pieces of a parcel are put into rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// As low as they can lie.
    Flattest,
    /// As narrow as they can stand.
    Narrowest,
    /// On as little room as possible.
    Smallest,
}

impl Way {
    const ALL: [Way; 3] = [Way::Flattest, Way::Narrowest, Way::Smallest];
}

fn area(size: Size) -> i128 {
    i128::from(size.w.to_emu()) * i128::from(size.h.to_emu())
}

/// A grid in the corner of the room that it needs.
struct Arranged {
    grid: Grid,
    turn: Turn,
    size: Size,
}

/// What lies between the rooms of two blocks, for a line to cut along.
fn half_channel(marks: Marks) -> Length {
    if marks == Marks::Guillotine { guillotine::CHANNEL.half() } else { Length::ZERO }
}

/// What a block keeps free around its trims: room for bleed and marks, and half a lane at least.
fn half_lane(stack: &Stack, wanted: Marks) -> Length {
    let bleed = needed_bleed(stack);
    let taken = match marks_of(stack, wanted) {
        Marks::Outside | Marks::Guillotine => bleed.max(marks::OFFSET) + TICK,
        Marks::None => bleed,
    };
    taken.max(LANE.half()) + half_channel(wanted)
}

/// A sheet that several components share.
pub(super) struct Bin<'s> {
    fold: Option<Flip>,
    free: Vec<Rect>,
    blocks: Vec<(usize, Block<'s>)>,
    /// What was left beside and below each block when it was laid: its upper or left edge is a cut.
    beside: Vec<Rect>,
    below: Vec<Rect>,
}

impl<'s> Bin<'s> {
    fn new(area: Area) -> Self {
        let free = vec![area.above_words()];
        Bin { fold: area.fold, free, blocks: Vec::new(), beside: Vec::new(), below: Vec::new() }
    }

    /// Takes `parcel` if there is room for it.
    fn take(&mut self, parcel: &Parcel<'s>, way: Way, marks: Marks) -> bool {
        let fitting = |(at, free): (usize, &Rect)| Some((at, parcel.arranged(free.size(), way, marks)?));
        let Some((at, Arranged { mut grid, turn, size })) = self.free.iter().enumerate().find_map(fitting) else {
            return false;
        };
        let free = self.free.remove(at);
        let room = Rect::new(Point { x: free.x, y: free.y }, size).outset(-half_channel(marks));
        grid.origin = Point { x: free.x + grid.origin.x, y: free.y + grid.origin.y };
        self.blocks.push((parcel.owner, Block::new(parcel.stack, parcel.pieces.clone(), grid, turn, room, marks)));
        let [beside, below] = rest(free, size);
        self.beside.push(beside);
        self.below.push(below);
        self.free.extend([beside, below]);
        self.free.sort_by_key(|free| (free.y, free.x));
        true
    }

    /// The numbers of the stacks whose pieces lie here, in their order.
    pub(super) fn owners(&self) -> Vec<usize> {
        self.blocks.iter().map(|(owner, _)| *owner).collect()
    }

    /// The sheet with all blocks; their cuts are numbered through.
    pub(super) fn layout(&self, options: &Options, pen: &Pen<'_>) -> Layout<'s> {
        let mut sheet = Layout { fold: self.fold, ..Layout::default() };
        for (_, block) in &self.blocks {
            sheet.add(block.layout(sheet.cuts + 1, pen));
        }
        if options.marks == Marks::Guillotine {
            sheet.lines.extend(self.lane_lines());
        }
        sheet
    }

    /// The cuts that separate the blocks.
    fn lane_lines(&self) -> impl Iterator<Item = Line> {
        let holds_a_block = |part: &&Rect| self.blocks.iter().any(|(_, block)| part.overlaps(block.around()));
        let corner = |part: &Rect| Point { x: part.x, y: part.y };
        let left = move |part: &Rect| guillotine::line(corner(part), Point { x: part.x, y: part.bottom() });
        let top = move |part: &Rect| guillotine::line(corner(part), Point { x: part.right(), y: part.y });
        let upright = self.beside.iter().filter(holds_a_block).map(left);
        upright.chain(self.below.iter().filter(holds_a_block).map(top))
    }
}

/// What is left of `free` beside and below a block in its corner, divided so that the larger part is as large as possible.
fn rest(free: Rect, block: Size) -> [Rect; 2] {
    let beside = Rect { x: free.x + block.w, w: free.w - block.w, ..free };
    let below = Rect { y: free.y + block.h, h: free.h - block.h, ..free };
    let across = [Rect { h: block.h, ..beside }, below];
    let along = [beside, Rect { w: block.w, ..below }];
    let larger = |parts: &[Rect; 2]| area(parts[0].size()).max(area(parts[1].size()));
    if larger(&along) > larger(&across) { along } else { across }
}

/// `parcels` on as few sheets as were found for them, in `areas`: in their order or the largest first, in one area each or in
/// whichever holds more, and with their pieces in rows in each way. The first way of those that are equally good is taken; what
/// fits on no sheet is left out.
pub(super) fn packed<'s>(parcels: &[Parcel<'s>], areas: &[Area], marks: Marks) -> Vec<Bin<'s>> {
    let in_order: Vec<&Parcel<'s>> = parcels.iter().collect();
    let sorted = |key: fn(&Parcel<'s>) -> i128| {
        let mut order = in_order.clone();
        order.sort_by_key(|parcel| std::cmp::Reverse(key(parcel)));
        order
    };
    let longest = |parcel: &Parcel<'s>| i128::from(parcel.stack.trim.w.max(parcel.stack.trim.h).to_emu());
    let orders = [sorted(Parcel::area), sorted(longest), in_order.clone()];
    let [by_size, _, _] = &orders;
    let choices: Vec<&[Area]> = areas.chunks(1).chain((areas.len() > 1).then_some(areas)).collect();
    let first = areas.chunks(1).flat_map(|area| [&in_order, by_size].map(|order| (area, order, Way::Flattest)));
    let more = choices.iter().flat_map(|areas| {
        let orders = &orders;
        Way::ALL.into_iter().flat_map(move |way| orders.iter().map(move |order| (*areas, order, way)))
    });
    let left_out = |bins: &[Bin<'s>]| parcels.len() - bins.iter().map(|bin| bin.blocks.len()).sum::<usize>();
    let ways = first.chain(more).map(|(areas, order, way)| filled(order, areas, way, marks));
    let mut bins = ways.min_by_key(|bins| bins.len() + left_out(bins)).unwrap_or_default();
    bins.iter_mut().for_each(|bin| bin.blocks.sort_by_key(|(owner, _)| *owner));
    bins
}

/// Each parcel on the first sheet that has room for it; a new sheet is laid out in the first of `areas` that has.
fn filled<'s>(parcels: &[&Parcel<'s>], areas: &[Area], way: Way, marks: Marks) -> Vec<Bin<'s>> {
    let mut bins: Vec<Bin<'s>> = Vec::new();
    for parcel in parcels {
        if bins.iter_mut().any(|bin| bin.take(parcel, way, marks)) {
            continue;
        }
        let fresh = areas.iter().find_map(|area| {
            let mut bin = Bin::new(*area);
            bin.take(parcel, way, marks).then_some(bin)
        });
        bins.extend(fresh);
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::super::kits::kits;
    use super::super::laws::PEN;
    use super::super::{Kind, imposition};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn looking_farther_never_takes_more_sheets_than_flat_shelves((stacks, options) in kits()) {
            let areas = Area::choice(true, &options);
            let layouts = PEN.with(|pen| {
                let all = stacks.iter().filter(|stack| stack.kind != Kind::Board);
                all.map(|stack| imposition::grids(stack, &options, pen).unwrap_or_default()).collect::<Vec<_>>()
            });
            let lasts = layouts.iter().enumerate().filter_map(|(at, own)| Parcel::of(at, own.last()?));
            let parcels: Vec<Parcel<'_>> = lasts.collect();
            let sheets = |bins: &[Bin<'_>]| bins.len() + parcels.len() - bins.iter().map(|bin| bin.blocks.len()).sum::<usize>();
            let found = sheets(&packed(&parcels, &areas, options.marks));
            for area in areas.chunks(1) {
                let in_order: Vec<&Parcel<'_>> = parcels.iter().collect();
                let shelves = filled(&in_order, area, Way::Flattest, options.marks);
                prop_assert!(found <= sheets(&shelves));
            }
        }
    }
}
