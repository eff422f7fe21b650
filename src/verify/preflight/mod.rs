//! Preflight: what a print shop would look for, measured on the very faces that are printed.
//!
//! [`faces`] gathers the distinct faces of kits; [`check`] measures each once, takes out what the game allows for, and reports the rest.
//! The measures stand in a file for each concern: [`text`], [`contrast`], [`stroke`], [`picture`], [`bleed`], [`frame`], [`colour`].

mod allow;
mod art;
mod bleed;
pub mod colour;
mod contrast;
pub mod flaw;
mod frame;
mod ground;
mod ink;
mod known;
mod painting;
mod paper;
mod picture;
mod stroke;
#[cfg(test)]
mod testing;
mod text;

use std::cell::LazyCell;
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::Arc;

use rayon::prelude::*;

use crate::compose::face::{Face, FaceHash, Layer};
use crate::compose::paint::{MOST_SOURCES, Origin, Painted};
use crate::diagnostics::{Finding, Report, checks};
use crate::fonts::Fonts;
use crate::model::{Component, Game, Piece};
use crate::sheet::{Sheet, Side};
use crate::source::Span;

use allow::Allowances;
use flaw::Part;
use ground::{Ground, Shared};
use ink::Inks;
use text::Text;

pub use flaw::Flaw;
pub use known::Known;
pub use paper::wasted;

/// A distinct face that is printed.
pub struct Printed<'g> {
    /// The component that it belongs to.
    pub component: &'g Component,
    /// Whether it is a front.
    pub is_front: bool,
    /// The addresses of the pieces that have it.
    pub pieces: Vec<String>,
    /// The face.
    pub face: Arc<Face>,
    /// Which of the kits it was found in first.
    pub kit: usize,
}

/// A face and what was found on it and not allowed for.
pub struct Judged<'g> {
    /// The face.
    pub printed: Printed<'g>,
    /// What it does not keep.
    pub flaws: Vec<Flaw>,
}

/// The distinct faces of kits of `game`, by component and in the order of the data, fronts before backs.
pub fn faces<'g, 's>(game: &'g Game, kits: impl IntoIterator<Item = &'s [Sheet]>) -> Vec<Printed<'g>> {
    let mut found: Vec<Printed<'g>> = Vec::new();
    let mut known: HashMap<(&str, bool, FaceHash), usize> = HashMap::new();
    let components: HashMap<&str, &Component> =
        game.components.iter().map(|component| (component.id.as_str(), component)).collect();
    for (kit, sheets) in kits.into_iter().enumerate() {
        for placement in sheets.iter().flat_map(|sheet| &sheet.placements) {
            let id = placement.piece.split('/').next().unwrap_or_default();
            let Some(component) = components.get(id).copied() else { continue };
            let is_front = placement.side == Side::Front;
            let at = *known.entry((component.id.as_str(), is_front, placement.face.hash)).or_insert_with(|| {
                let face = Arc::clone(&placement.face);
                found.push(Printed { component, is_front, pieces: Vec::new(), face, kit });
                found.len() - 1
            });
            if !found[at].pieces.contains(&placement.piece) {
                found[at].pieces.push(placement.piece.clone());
            }
        }
    }
    let place = |printed: &Printed<'_>| game.components.iter().position(|known| known.id == printed.component.id);
    found.sort_by_key(|printed| (place(printed), !printed.is_front));
    found
}

/// Checks `faces` of `game`, and the colours that it tells things apart with. `trace` composes a face again to find out where its shapes
/// and texts come from. Faces that are `known` are not measured again.
pub fn check<'g>(
    game: &'g Game,
    faces: Vec<Printed<'g>>,
    fonts: &Fonts,
    trace: &dyn Fn(&Printed<'_>) -> Option<Painted>,
    known: Option<&Known>,
    report: &mut Report,
) -> Vec<Judged<'g>> {
    let measured = flaws_of(&faces, fonts, known);
    let pieces = game.components.iter().flat_map(|component| &component.pieces);
    let pieces = pieces.map(|piece| (piece.address.as_str(), piece)).collect();
    let mut teller = Teller { trace, pieces, places: Places::default() };
    let mut allowances = Allowances::new(&game.preflight.allow);
    let mut judged = Vec::with_capacity(faces.len());
    for (printed, mut flaws) in faces.into_iter().zip(measured) {
        flaws.retain(|flaw| !allowances.cover(flaw, &printed));
        teller.tell(&printed, &flaws, report);
        judged.push(Judged { printed, flaws });
    }
    alike_colours(game, &mut allowances, report);
    if !report.has_errors() {
        allowances.stale(report);
    }
    judged
}

/// The flaws of each of `faces`: those that are `known`, and what is measured of the rest, which is then known too.
fn flaws_of(faces: &[Printed<'_>], fonts: &Fonts, known: Option<&Known>) -> Vec<Vec<Flaw>> {
    let Some(known) = known else { return measured(&faces.iter().collect::<Vec<_>>(), fonts) };
    let keys: Vec<_> = faces.iter().map(known::key).collect();
    let found: Vec<Option<Vec<Flaw>>> = keys.iter().map(|key| known.get(key)).collect();
    let new: Vec<&Printed<'_>> =
        faces.iter().zip(&found).filter(|(_, found)| found.is_none()).map(|(printed, _)| printed).collect();
    let mut measured = measured(&new, fonts).into_iter();
    let flaws = keys.into_iter().zip(found).map(|(key, found)| match found {
        Some(found) => found,
        None => {
            let flaws = measured.next().unwrap_or_default();
            known.keep(key, flaws.clone());
            flaws
        }
    });
    flaws.collect()
}

/// The flaws of each of `faces`, on all cores.
fn measured(faces: &[&Printed<'_>], fonts: &Fonts) -> Vec<Vec<Flaw>> {
    let all: Vec<Arc<Face>> = faces.iter().map(|printed| Arc::clone(&printed.face)).collect();
    let shared = Shared::of(&all);
    let measured = ground::groups(&all).into_par_iter().map_init(
        || Inks::new(fonts),
        |inks, group| {
            let measured = group.iter().map(|at| (*at, measure(faces[*at], inks, fonts, &shared)));
            measured.collect::<Vec<_>>()
        },
    );
    let mut measured: Vec<(usize, Vec<Flaw>)> = measured.collect::<Vec<_>>().into_iter().flatten().collect();
    measured.sort_by_key(|(at, _)| *at);
    measured.into_iter().map(|(_, flaws)| flaws).collect()
}

/// All flaws of a face.
fn measure(printed: &Printed<'_>, inks: &mut Inks<'_>, fonts: &Fonts, shared: &Shared) -> Vec<Flaw> {
    let Printed { component, face, .. } = printed;
    let limits = &component.limits;
    let [w, h, bleed] = [face.trim.w, face.trim.h, face.bleed].map(crate::units::Length::to_mm);
    let printed_area = [-bleed, -bleed, w + bleed, h + bleed];
    let mut flaws = Vec::new();
    let Some(mut ground) = Ground::new(face, shared) else { return flaws };
    for (at, layer) in face.layers.iter().enumerate() {
        match layer {
            Layer::Art(art) => {
                ground.paint(art);
                for leaf in art::leaves(&art.tree) {
                    flaws.extend(stroke::thin(leaf, at, printed_area, limits));
                    flaws.extend(picture::resolution(leaf, at, limits));
                }
            }
            Layer::Text(_) => {
                let texts = face.texts.iter().enumerate().filter(|(_, text)| text.layer == at);
                for (number, set) in texts {
                    let runs = text::runs(face, number).iter().map(|run| (run, inks.of(run))).collect();
                    let text = Text { number, scale: set.scale, is_misplaced: set.is_misplaced, runs };
                    flaws.extend(text_flaws(&text, printed, &ground, fonts));
                }
            }
        }
    }
    flaws.extend(bleed::empty(face, component.outline, &ground));
    for (at, layer) in face.layers.iter().enumerate() {
        if let Layer::Art(art) = layer {
            let leaves = art::leaves(&art.tree).into_iter();
            flaws.extend(leaves.filter_map(|leaf| frame::near(leaf, at, face, component.outline, &ground, limits)));
        }
    }
    flaws
}

/// All flaws of a text; `ground` shows what is behind it.
fn text_flaws(text: &Text<'_>, printed: &Printed<'_>, ground: &Ground<'_>, fonts: &Fonts) -> Vec<Flaw> {
    let (component, limits) = (printed.component, &printed.component.limits);
    let behind: Vec<Option<contrast::Behind>> =
        text.runs.iter().map(|(run, ink)| contrast::behind(run, ink, ground)).collect();
    let is_reversed =
        |run: usize| behind.get(run).is_some_and(|behind| behind.is_some_and(|behind| behind.is_reversed));
    let flaws = [
        text::place(text, printed.face.trim, component.safe.to_mm(), component.outline),
        text::size(text, limits, &is_reversed),
        text::shrunk(text, limits),
        contrast::low(text, &behind, fonts, limits),
    ];
    flaws.into_iter().flatten().collect()
}

/// Reports what was found.
struct Teller<'g, 't> {
    trace: &'t dyn Fn(&Printed<'_>) -> Option<Painted>,
    /// By address.
    pieces: HashMap<&'g str, &'g Piece>,
    places: Places<'g>,
}

/// A component, one of its sides, the address of a drawing, a shape of that.
type Shape<'g> = (&'g str, bool, usize, usize);

impl<'g> Teller<'g, '_> {
    /// Reports the flaws of a face.
    fn tell(&mut self, printed: &Printed<'g>, flaws: &[Flaw], report: &mut Report) {
        let traced = LazyCell::new(|| (self.trace)(printed));
        for flaw in flaws {
            let mut finding = Finding::new(flaw.check, flaw.message.clone()).expected(flaw.expected.clone());
            finding = match flaw.part {
                Part::Text(number) => match (*traced).as_ref().and_then(|traced| traced.origins.get(number)) {
                    Some(Origin { span, sources }) => sources
                        .iter()
                        .take(MOST_SOURCES)
                        .fold(finding.at(*span), |finding, source| finding.and(*source, "the text")),
                    None => finding.at(template(printed)),
                },
                Part::Leaf(layer, leaf) => {
                    let place = self.places.leaf(printed, layer, leaf, &traced);
                    finding.at(place.unwrap_or_else(|| template(printed)))
                }
                Part::Whole => finding.at(template(printed)),
            };
            let piece = printed.pieces.first().and_then(|first| self.pieces.get(first.as_str()));
            if let Some(piece) = piece.filter(|_| finding.others.is_empty()) {
                finding = finding.and(piece.record.node.span, "for this piece");
            }
            finding.pieces.clone_from(&printed.pieces);
            report.push(finding);
        }
    }
}

/// Where shapes stand in their templates, by the drawing of one side of a component, and their number in it.
#[derive(Default)]
struct Places<'g>(HashMap<Shape<'g>, Option<Span>>);

impl<'g> Places<'g> {
    /// Where a shape stands in its template; found out once for every drawing, on a face that is composed again at most once.
    fn leaf(
        &mut self,
        printed: &Printed<'g>,
        layer: usize,
        leaf: usize,
        traced: &impl Deref<Target = Option<Painted>>,
    ) -> Option<Span> {
        let Some(Layer::Art(art)) = printed.face.layers.get(layer) else { return None };
        let shape = (printed.component.id.as_str(), printed.is_front, Arc::as_ptr(art).addr(), leaf);
        *self.0.entry(shape).or_insert_with(|| leaf_place(traced.as_ref()?, layer, leaf))
    }
}

/// Where the data names the template of a face.
fn template(printed: &Printed<'_>) -> Span {
    let component = printed.component;
    match component.back.as_ref().filter(|_| !printed.is_front) {
        Some(back) => back.span,
        None => component.front.span,
    }
}

/// Where a shape stands in its template.
fn leaf_place(traced: &Painted, layer: usize, leaf: usize) -> Option<Span> {
    let Layer::Art(art) = traced.layers.get(layer)? else { return None };
    let leaves = art::leaves(&art.tree);
    traced.places.get(leaves.get(leaf)?.id).copied()
}

/// Reports colours of categories that look alike.
fn alike_colours(game: &Game, allowances: &mut Allowances<'_>, report: &mut Report) {
    for category in &game.preflight.categories {
        for alike in colour::alike(category, &game.preflight.limits) {
            if allowances.cover_colours(&category.name, alike.measured) {
                continue;
            }
            let finding = Finding::new(checks::COLOURS_ALIKE, alike.message).at(category.span);
            report.push(finding.expected(alike.expected));
        }
    }
}
