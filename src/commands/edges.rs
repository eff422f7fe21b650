//! Whether the faces of a component have at their edges the colour that the component says: neighbours share cuts because of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;
use resvg::tiny_skia::Pixmap;

use crate::compose::Memory;
use crate::compose::face::{Face, FaceHash, Layer};
use crate::diagnostics::{Finding, Report, checks};
use crate::export::png::{self, Area};
use crate::fonts::Fonts;
use crate::geometry::Size;
use crate::model::{Component, Game, Outline};
use crate::sheet::{Placement, Side};
use crate::units::Length;

/// Dots to an inch of the pictures that are looked at: two to a millimetre.
const DPI: f64 = 50.8;
/// What is farther from the edge than this, in millimetres, is not seen there.
const RIM: f32 = 1.0;
/// How much a part of a colour may be off: less than anyone sees at a cut.
const SLACK: u8 = 8;

/// A colour without opacity.
type Rgb = [u8; 3];

/// The colours at the edges of faces that are otherwise than their components say, if any, by all that they hang on.
pub type Known = Memory<Option<Rgb>>;

/// The distinct faces of the components that say which colour their edges have.
#[derive(Default)]
pub struct Edges {
    faces: BTreeMap<(usize, FaceHash), Seen>,
}

struct Seen {
    piece: String,
    side: Side,
    face: Arc<Face>,
}

/// What is drawn near an edge, and the faces that it is on.
type Work<'a> = (Vec<Layer>, Vec<&'a Seen>);

impl Edges {
    /// Takes note of what lies on the sheets of a kit of `game`.
    pub fn see<'p>(&mut self, game: &Game, placements: impl Iterator<Item = &'p Placement>) {
        for Placement { piece, side, face, .. } in placements {
            let id = piece.split('/').next().unwrap_or_default();
            let known = |component: &Component| component.id == id && wanted(component).is_some();
            if let Some(at) = game.components.iter().position(known) {
                let seen = || Seen { piece: piece.clone(), side: *side, face: Arc::clone(face) };
                self.faces.entry((at, face.hash)).or_insert_with(seen);
            }
        }
    }

    /// Reports each component with a face whose edge is otherwise than it says. Faces that are `known` are not looked at again.
    pub fn check(&self, game: &Game, fonts: &Fonts, known: Option<&Known>, report: &mut Report) {
        let mut works: BTreeMap<(usize, Vec<usize>), Work<'_>> = BTreeMap::new();
        let mut by_component: BTreeMap<usize, Vec<(&Seen, Rgb)>> = BTreeMap::new();
        for ((at, hash), seen) in &self.faces {
            if let Some(colour) = known.and_then(|known| known.get(&key(game, *at, *hash))) {
                by_component.entry(*at).or_default().extend(colour.map(|colour| (seen, colour)));
                continue;
            }
            let is_round = game.components.get(*at).is_some_and(|component| component.outline == Outline::Circle);
            let layers = at_the_rim(&seen.face, is_round);
            // Equal drawings are one and the same; what is the same at its edge is looked at once.
            let same = layers.iter().map(|layer| match layer {
                Layer::Art(art) => Arc::as_ptr(art) as usize,
                Layer::Text(_) => 0,
            });
            works.entry((*at, same.collect())).or_insert_with(|| (layers, Vec::new())).1.push(seen);
        }
        let works: Vec<_> = works.into_iter().collect();
        let found = works.into_par_iter().map(|((at, _), (layers, faces))| {
            let component = game.components.get(at).zip(faces.first());
            let colour = component.and_then(|(component, first)| different(component, layers, &first.face, fonts));
            (at, faces, colour)
        });
        for (at, faces, colour) in found.collect::<Vec<_>>() {
            for seen in faces {
                known.into_iter().for_each(|known| known.keep(key(game, at, seen.face.hash), colour));
                by_component.entry(at).or_default().extend(colour.map(|colour| (seen, colour)));
            }
        }
        for (at, mut faces) in by_component {
            faces.sort_by(|(one, _), (other, _)| one.piece.cmp(&other.piece));
            report_all(game.components.get(at).and_then(|component| finding(component, &faces)), report);
        }
    }
}

/// The hash of what the colour at an edge hangs on.
fn key(game: &Game, component: usize, face: FaceHash) -> [u8; 32] {
    let component = game.components.get(component);
    let wanted = component.map(|component| (wanted(component), component.outline));
    *blake3::hash(format!("{wanted:?} {face}").as_bytes()).as_bytes()
}

fn report_all(finding: Option<Finding>, report: &mut Report) {
    finding.into_iter().for_each(|finding| report.push(finding));
}

/// The colour that a component says its edges have.
fn wanted(component: &Component) -> Option<Rgb> {
    let colour = component.edge.as_ref()?.value.parse::<svgtypes::Color>().ok()?;
    matches!(component.outline, Outline::Rect | Outline::Circle).then_some([colour.red, colour.green, colour.blue])
}

fn finding(component: &Component, faces: &[(&Seen, Rgb)]) -> Option<Finding> {
    let (edge, (first, [r, g, b])) = (component.edge.as_ref()?, faces.first()?);
    let side = if first.side == Side::Front { "front" } else { "back" };
    let others = match faces.len() - 1 {
        0 => String::new(),
        1 => ", and 1 more face too".to_owned(),
        more => format!(", and {more} more faces too"),
    };
    let message = format!("the {side} of `{}` is #{r:02x}{g:02x}{b:02x} somewhere at its edge{others}", first.piece);
    let finding = Finding::new(checks::EDGE_DIFFERS, message).at(edge.span);
    Some(finding.expected(format!("{} all around", edge.value)))
}

/// The drawings of a face that come near its edge; all of one that is round.
fn at_the_rim(face: &Face, is_round: bool) -> Vec<Layer> {
    let reaches = |layer: &&Layer| match layer {
        Layer::Text(_) => false,
        Layer::Art(art) => {
            let (bounds, size) = (art.tree.root().abs_layer_bounding_box(), art.tree.size());
            let (across, down) =
                (size.width() * RIM / face.trim.w.to_mm() as f32, size.height() * RIM / face.trim.h.to_mm() as f32);
            let (right, bottom) = (size.width() - across, size.height() - down);
            is_round
                || bounds.left() < across
                || bounds.top() < down
                || bounds.right() > right
                || bounds.bottom() > bottom
        }
    };
    face.layers.iter().filter(reaches).cloned().collect()
}

/// The colour at the edge of `face`, of which `layers` come near it, that is farthest from what `component` says; none where all
/// of it is as it says.
fn different(component: &Component, layers: Vec<Layer>, face: &Face, fonts: &Fonts) -> Option<Rgb> {
    let wanted = wanted(component)?;
    let drawn = Face { layers, texts: Vec::new(), trim: face.trim, bleed: face.bleed, hash: face.hash };
    let picture = png::face(&drawn, fonts, DPI, Area::Trim).ok()?;
    let distance =
        |colour: &Rgb| colour.iter().zip(wanted).map(|(is, should)| is.abs_diff(should)).max().unwrap_or_default();
    let colours = rim(&picture, face.trim, component.outline == Outline::Circle);
    colours.into_iter().max_by_key(distance).filter(|colour| distance(colour) > SLACK)
}

/// The colours along the edge of a picture on white paper: of the outermost dots that lie wholly inside.
fn rim(picture: &Pixmap, trim: Size, is_round: bool) -> Vec<Rgb> {
    let last = |length: Length| ((length.to_mm() * DPI / 25.4 + 1e-6).floor() as u32).saturating_sub(1);
    let (right, bottom) = (last(trim.w), last(trim.h));
    let dots: Vec<(u32, u32)> = if is_round {
        let middle = f64::from(picture.width()) / 2.0;
        let turn = |step: u32| (f64::from(step) * 2.0).to_radians().sin_cos();
        let dot = |(sin, cos): (f64, f64)| [cos, sin].map(|part| (middle + (middle - 1.5) * part) as u32);
        (0..180).map(|step| dot(turn(step)).into()).collect()
    } else {
        let lying = (0..=right).flat_map(|x| [(x, 0), (x, bottom)]);
        lying.chain((0..=bottom).flat_map(|y| [(0, y), (right, y)])).collect()
    };
    dots.into_iter()
        .filter_map(|(x, y)| picture.pixel(x, y))
        .map(|dot| {
            let paper = u8::MAX - dot.alpha();
            [dot.red(), dot.green(), dot.blue()].map(|part| part.saturating_add(paper))
        })
        .collect()
}
