//! Backs that tell what lies under them. In a shuffled deck all backs must look alike, and look alike upside down too: else one
//! knows a card by its back, or by the way it was turned.

use std::collections::BTreeMap;

use resvg::tiny_skia::Pixmap;

use crate::compose::face::Face;
use crate::diagnostics::{Finding, Report, checks};
use crate::export::png::{self, Area};
use crate::fonts::Fonts;
use crate::model::{Component, Game, Kind};
use crate::sheet::{Sheet, Side};

/// Dots in an inch at which a back is drawn: eight in a millimetre, so that most trims are a whole number of dots.
const DPI: f64 = 8.0 * 25.4;
/// Dots along a cell; cells of half a millimetre are compared, by their mean.
const CELL: usize = 4;
/// How much brighter or darker a cell must be, in 255ths, to be seen as different.
const SEEN: u32 = 48;
/// One cell in so many may differ.
const FEW: usize = 5000;

/// Reports what the backs of the cards of `game` tell. `sheets` are those of everything in the box.
pub fn check(game: &Game, sheets: &[Sheet], fonts: &Fonts, report: &mut Report) {
    let of_side = |side: Side| -> BTreeMap<&str, &Face> {
        let placed = sheets.iter().flat_map(|sheet| &sheet.placements).filter(|placement| placement.side == side);
        placed.map(|placement| (placement.piece.as_str(), &*placement.face)).collect()
    };
    let (fronts, backs) = (of_side(Side::Front), of_side(Side::Back));
    for component in game.components.iter().filter(|component| component.kind == Kind::Card) {
        let of_component = |faces: &BTreeMap<&str, &Face>| {
            let addresses = component.pieces.iter().map(|piece| piece.address.as_str());
            addresses.filter_map(|address| Some((address.to_owned(), faces.get(address)?.hash))).collect::<Vec<_>>()
        };
        let distinct = |faces: &[(String, _)]| {
            faces.first().and_then(|(_, first)| faces.iter().find(|(_, hash)| hash != first)).cloned()
        };
        let (front, back) = (of_component(&fronts), of_component(&backs));
        if distinct(&front).is_none() || back.is_empty() {
            continue; // all the same cards: there is nothing to tell
        }
        differing(component, distinct(&back).map(|(other, _)| (back[0].0.clone(), other)), report);
        let one_way = back
            .first()
            .and_then(|(address, _)| backs.get(address.as_str()))
            .is_some_and(|back| !is_turned(back, fonts));
        turned(component, one_way, report);
    }
}

/// Backs that are not all the same; `pair` are two pieces whose backs differ.
fn differing(component: &Component, pair: Option<(String, String)>, report: &mut Report) {
    let (Some(back), id) = (&component.back, &component.id) else { return };
    match (pair, &component.backs_differ) {
        (Some((one, other)), None) => {
            let message = format!("the backs of {one} and {other} differ, so a card of `{id}` is known by its back");
            let finding =
                Finding::new(checks::BACKS_DIFFER, message).at(back.span).expected("one back for the whole deck");
            report.push(
                finding
                    .help("let the back read nothing of the record, or say why it does with `backs_differ = \"...\"`"),
            );
        }
        (None, Some(why)) => {
            let message = format!("all backs of `{id}` are the same, although `backs_differ` says why they are not");
            report.push(Finding::new(checks::EXCUSE_STALE, message).at(why.span).help("delete the line"));
        }
        _ => {}
    }
}

/// A back that looks different upside down.
fn turned(component: &Component, one_way: bool, report: &mut Report) {
    let (Some(back), id) = (&component.back, &component.id) else { return };
    match (one_way, &component.one_way_back) {
        (true, None) => {
            let message =
                format!("the back of `{id}` looks different upside down, so a turned card is known by its back");
            let finding = Finding::new(checks::BACK_ONE_WAY, message).at(back.span);
            let finding = finding.expected("a back that is the same when it is turned by 180 degrees");
            report.push(
                finding.help("draw one half and turn it about the middle, or say why with `one_way_back = \"...\"`"),
            );
        }
        (false, Some(why)) => {
            let message =
                format!("the back of `{id}` is the same upside down, although `one_way_back` says why it is not");
            report.push(Finding::new(checks::EXCUSE_STALE, message).at(why.span).help("delete the line"));
        }
        _ => {}
    }
}

/// Whether `face` looks the same when it is turned by 180 degrees.
fn is_turned(face: &Face, fonts: &Fonts) -> bool {
    let Ok(picture) = png::face(face, fonts, DPI, Area::Trim) else { return true };
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    if width < CELL || height < CELL {
        return true;
    }
    let corners = |length: usize| (0..=length - CELL).step_by(CELL);
    let cells = corners(height).flat_map(|y| corners(width).map(move |x| (x, y)));
    let opposite = |(x, y): (usize, usize)| (width - CELL - x, height - CELL - y);
    let differ = cells.clone().filter(|cell| differs(sums(&picture, *cell), sums(&picture, opposite(*cell)))).count();
    differ * FEW <= cells.count()
}

fn differs(one: [u32; 4], other: [u32; 4]) -> bool {
    let dots = u32::try_from(CELL * CELL).unwrap_or(1);
    one.iter().zip(other).any(|(a, b)| a.abs_diff(b) > SEEN * dots)
}

/// The sum of each channel over the cell whose top left dot is given.
fn sums(picture: &Pixmap, (left, top): (usize, usize)) -> [u32; 4] {
    let mut sums = [0; 4];
    for y in top..top + CELL {
        let start = (y * picture.width() as usize + left) * 4;
        for dot in picture.data()[start..start + CELL * 4].chunks_exact(4) {
            sums.iter_mut().zip(dot).for_each(|(sum, channel)| *sum += u32::from(*channel));
        }
    }
    sums
}
