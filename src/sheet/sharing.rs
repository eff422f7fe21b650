//! Shared sheets: small components, and what is left of large ones, lie together on sheets instead of on nearly empty ones of
//! their own.
//!
//! Only whole sheets are merged, so there are never more of them than before. Components with backs keep to themselves, so that
//! no sheet is printed on both sides for the sake of a few pieces.

use super::draft::Layout;
use super::fold::Area;
use super::packing::{self, Parcel};
use super::words::Pen;
use super::{Kind, Options, Sides};

/// All sheets in a row, out of those of each stack, with those merged that fit together. A merged one stands where its first
/// component's stood.
pub(super) fn shared<'s>(mut sheets: Vec<Vec<Layout<'s>>>, options: &Options, pen: &Pen<'_>) -> Vec<Layout<'s>> {
    let last = |(at, own): (usize, &Vec<Layout<'s>>)| Some((at, shareable(own)?.clone()));
    let (with_backs, without): (Vec<_>, Vec<_>) = sheets
        .iter()
        .enumerate()
        .filter_map(last)
        .partition(|(_, layout)| layout.has_backs() && options.sides != Sides::Fronts);
    for (group, have_backs) in [(with_backs, true), (without, false)] {
        let parcels: Vec<Parcel<'s>> = group.iter().filter_map(|(at, layout)| Parcel::of(*at, layout)).collect();
        let bins = packing::packed(&parcels, &Area::choice(have_backs, options), options.marks);
        for bin in bins.iter().filter(|bin| bin.owners().len() > 1) {
            let owners = bin.owners();
            owners.iter().for_each(|at| drop(sheets[*at].pop()));
            sheets[owners[0]].push(bin.layout(options, pen));
        }
    }
    sheets.into_iter().flatten().collect()
}

/// The sheet of a stack that it may share: the last one; where it fills several, only if that is not full.
fn shareable<'a, 's>(own: &'a [Layout<'s>]) -> Option<&'a Layout<'s>> {
    let last = own.last()?;
    let may_share = last.stacks.iter().all(|stack| !stack.own_sheet && matches!(stack.kind, Kind::Card | Kind::Token));
    (may_share && (own.len() == 1 || !last.is_full)).then_some(last)
}
