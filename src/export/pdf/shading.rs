//! Gradients, as shading patterns. What a shading cannot say is expanded (spread) or becomes a mask (opacity of stops).

use std::sync::Arc;

use lopdf::{Dictionary, Object, dictionary};
use resvg::usvg;

use super::canvas::{Bounds, Brush, Canvas, Part, matrix, number, numbers};
use super::ink::{Ink, Rgb};
use super::paths::{affine, distance};
use super::resource::Piece;
use crate::geometry::Affine;

/// A gradient is repeated at most that often to each side.
const MOST_REPEATS: i32 = 256;
/// Stops that are nearer to each other are at the same place.
const SAME_PLACE: f64 = 1e-6;

/// A gradient, with everything resolved.
pub(super) struct Gradient {
    shape: Shape,
    stops: Vec<Stop>,
    /// From the gradient's units to the canvas.
    place: Affine,
}

#[derive(Clone, Copy)]
struct Stop {
    at: f64,
    colour: Rgb,
    opacity: f64,
}

/// Where a gradient runs: the places of its start and end. For a linear one the radii are nothing.
#[derive(Clone, Copy)]
enum Shape {
    Linear { from: (f64, f64), to: (f64, f64) },
    Radial { from: Circle, to: Circle },
}

#[derive(Clone, Copy)]
struct Circle {
    x: f64,
    y: f64,
    r: f64,
}

impl Gradient {
    /// A linear gradient on a path that is mapped by `place` and covers `bounds` of the canvas. None where it cannot show.
    pub(super) fn linear(gradient: &usvg::LinearGradient, place: Affine, bounds: Bounds) -> Option<Self> {
        let [x1, y1, x2, y2] = [gradient.x1(), gradient.y1(), gradient.x2(), gradient.y2()].map(f64::from);
        if distance(x2 - x1, y2 - y1) < SAME_PLACE {
            return Self::flat(gradient);
        }
        Self::new(Shape::Linear { from: (x1, y1), to: (x2, y2) }, gradient, place, bounds)
    }

    /// The same for a radial one.
    pub(super) fn radial(gradient: &usvg::RadialGradient, place: Affine, bounds: Bounds) -> Option<Self> {
        let [fx, fy, cx, cy] = [gradient.fx(), gradient.fy(), gradient.cx(), gradient.cy()].map(f64::from);
        let from = Circle { x: fx, y: fy, r: f64::from(gradient.fr().get()) };
        let to = Circle { x: cx, y: cy, r: f64::from(gradient.r().get()) };
        Self::new(Shape::Radial { from, to }, gradient, place, bounds)
    }

    /// A gradient without length: the last colour everywhere.
    fn flat(base: &usvg::BaseGradient) -> Option<Self> {
        let last = base.stops().last()?;
        let stop = |at| Stop { at, colour: last.color().into(), opacity: f64::from(last.opacity().get()) };
        let shape = Shape::Linear { from: (0.0, 0.0), to: (1.0, 0.0) };
        Some(Gradient { shape, stops: vec![stop(0.0), stop(1.0)], place: Affine::IDENTITY })
    }

    fn new(shape: Shape, base: &usvg::BaseGradient, place: Affine, bounds: Bounds) -> Option<Self> {
        let stop = |stop: &usvg::Stop| Stop {
            at: f64::from(stop.offset().get()),
            colour: stop.color().into(),
            opacity: f64::from(stop.opacity().get()),
        };
        let place = place.then_inner(affine(base.transform()));
        let stops = padded(base.stops().iter().map(stop).collect())?;
        let gradient = Gradient { shape, stops, place };
        let seen = bounds.mapped(inverse(place)?);
        Some(match base.spread_method() {
            usvg::SpreadMethod::Pad => gradient,
            usvg::SpreadMethod::Reflect => gradient.spread(seen, true),
            usvg::SpreadMethod::Repeat => gradient.spread(seen, false),
        })
    }

    /// The gradient over as many periods as `seen` (in its own units) needs.
    fn spread(self, seen: Bounds, reflect: bool) -> Self {
        let (first, last) = self.shape.periods(seen);
        let span = f64::from(last - first);
        let mut stops = Vec::new();
        for period in first..last {
            let turned = reflect && period.rem_euclid(2) == 1;
            let put = |stop: &Stop| {
                let at = if turned { 1.0 - stop.at } else { stop.at };
                Stop { at: (f64::from(period - first) + at) / span, ..*stop }
            };
            if turned {
                stops.extend(self.stops.iter().rev().map(put));
            } else {
                stops.extend(self.stops.iter().map(put));
            }
        }
        Gradient { shape: self.shape.stretched(f64::from(first), f64::from(last)), stops, place: self.place }
    }

    /// The one opacity of all stops, if it is one.
    fn opacity(&self) -> Option<f64> {
        let first = self.stops.first()?.opacity;
        self.stops.iter().all(|stop| (stop.opacity - first).abs() < 1e-4).then_some(first)
    }

    /// The pattern, on a canvas whose patterns are laid out by `base`.
    fn pattern(&self, base: Affine, ink: Ink<'_>) -> Arc<Piece> {
        let colours = |stop: &Stop| ink.components(stop.colour);
        self.pattern_of(base, ink.space(), colours)
    }

    /// The opacities as a pattern of greys.
    fn opacities(&self) -> Arc<Piece> {
        self.pattern_of(Affine::IDENTITY, Ink::Grey.space(), |stop| vec![stop.opacity])
    }

    fn pattern_of(&self, base: Affine, space: &str, components: impl Fn(&Stop) -> Vec<f64>) -> Arc<Piece> {
        let (kind, coordinates) = self.shape.coordinates();
        let shading = dictionary! {
            "ShadingType" => kind,
            "ColorSpace" => space,
            "Coords" => numbers(&coordinates),
            "Function" => function(&self.stops, components),
            "Extend" => vec![true.into(), true.into()],
        };
        let dict = dictionary! {
            "Type" => "Pattern", "PatternType" => 2, "Shading" => shading, "Matrix" => matrix(base.then_inner(self.place)),
        };
        Arc::new(Piece { dict, ..Piece::default() })
    }
}

impl Shape {
    fn coordinates(self) -> (i64, Vec<f64>) {
        match self {
            Shape::Linear { from, to } => (2, vec![from.0, from.1, to.0, to.1]),
            Shape::Radial { from, to } => (3, vec![from.x, from.y, from.r, to.x, to.y, to.r]),
        }
    }

    /// From parameter `first` to `last`, where 0 to 1 is the shape itself.
    fn stretched(self, first: f64, last: f64) -> Self {
        let along = |a: f64, b: f64, t: f64| a + (b - a) * t;
        match self {
            Shape::Linear { from, to } => {
                let at = |t| (along(from.0, to.0, t), along(from.1, to.1, t));
                Shape::Linear { from: at(first), to: at(last) }
            }
            Shape::Radial { from, to } => {
                let at = |t| Circle { x: along(from.x, to.x, t), y: along(from.y, to.y, t), r: along(from.r, to.r, t) };
                Shape::Radial { from: at(first), to: at(last) }
            }
        }
    }

    /// The first and (excluded) last period that `seen` shows.
    fn periods(self, seen: Bounds) -> (i32, i32) {
        match self {
            Shape::Linear { from, to } => {
                let (dx, dy) = (to.0 - from.0, to.1 - from.1);
                let length = dx * dx + dy * dy;
                let at = |(x, y): (f64, f64)| ((x - from.0) * dx + (y - from.1) * dy) / length;
                let places = seen.corners().map(at);
                let least = places.iter().copied().fold(0.0, f64::min).floor();
                let most = places.iter().copied().fold(1.0, f64::max).ceil();
                let bound = |period: f64| (period as i32).clamp(-MOST_REPEATS, MOST_REPEATS);
                (bound(least), bound(most).max(bound(least) + 1))
            }
            Shape::Radial { .. } => {
                let covers = |t: &i32| match self.stretched(0.0, f64::from(*t)) {
                    Shape::Radial { to, .. } => {
                        seen.corners().iter().all(|(x, y)| distance(x - to.x, y - to.y) <= to.r)
                    }
                    Shape::Linear { .. } => true,
                };
                (0, (1..MOST_REPEATS).find(covers).unwrap_or(MOST_REPEATS))
            }
        }
    }
}

/// The stops in order, with one at the start and one at the end. None for no stops.
fn padded(stops: Vec<Stop>) -> Option<Vec<Stop>> {
    let (first, last) = (*stops.first()?, *stops.last()?);
    let mut padded = Vec::with_capacity(stops.len() + 2);
    if first.at > SAME_PLACE {
        padded.push(Stop { at: 0.0, ..first });
    }
    padded.extend(stops);
    if last.at < 1.0 - SAME_PLACE {
        padded.push(Stop { at: 1.0, ..last });
    }
    Some(padded)
}

/// The function from a place between 0 and 1 to the components there.
fn function(stops: &[Stop], components: impl Fn(&Stop) -> Vec<f64>) -> Dictionary {
    let mut pieces = Vec::new();
    let mut bounds: Vec<f64> = Vec::new();
    for pair in stops.windows(2) {
        let [from, to] = pair else { continue };
        if to.at - from.at <= SAME_PLACE {
            continue; // a hard edge: the next piece starts with the next colour
        }
        if !pieces.is_empty() {
            bounds.push(from.at);
        }
        pieces.push(blend(&components(from), &components(to)));
    }
    match <[Dictionary; 1]>::try_from(pieces) {
        Ok([only]) => only,
        Err(pieces) if pieces.is_empty() => {
            let last = stops.last().map(&components).unwrap_or_default();
            blend(&last, &last)
        }
        Err(pieces) => dictionary! {
            "FunctionType" => 3,
            "Domain" => numbers(&[0.0, 1.0]),
            "Bounds" => numbers(&bounds),
            "Encode" => numbers(&[0.0, 1.0].repeat(pieces.len())),
            "Functions" => pieces.into_iter().map(Object::Dictionary).collect::<Vec<_>>(),
        },
    }
}

fn blend(from: &[f64], to: &[f64]) -> Dictionary {
    let levels =
        |values: &[f64]| Object::Array(values.iter().map(|value| number((value * 1e4).round() / 1e4)).collect());
    dictionary! {
        "FunctionType" => 2, "Domain" => numbers(&[0.0, 1.0]), "C0" => levels(from), "C1" => levels(to), "N" => 1,
    }
}

/// The map back; none where the map flattens.
pub(super) fn inverse(m: Affine) -> Option<Affine> {
    let determinant = m.a * m.d - m.b * m.c;
    let inverse = Affine {
        a: m.d / determinant,
        b: -m.b / determinant,
        c: -m.c / determinant,
        d: m.a / determinant,
        e: (m.c * m.f - m.d * m.e) / determinant,
        f: (m.b * m.e - m.a * m.f) / determinant,
    };
    let parts = [inverse.a, inverse.b, inverse.c, inverse.d, inverse.e, inverse.f];
    parts.iter().all(|part| part.is_finite()).then_some(inverse)
}

impl Canvas<'_> {
    /// Lets `draw` draw a path with a gradient.
    pub(super) fn shaded(
        &mut self,
        part: Part,
        gradient: &Gradient,
        opacity: f64,
        bounds: Bounds,
        draw: impl FnOnce(&mut Self),
    ) {
        match gradient.opacity() {
            Some(own) => {
                self.set_shading(part, gradient);
                self.set_alpha(opacity * own * self.dim);
                draw(self);
            }
            None => {
                self.save();
                self.set_alpha(opacity * self.dim);
                let mask = self.opacity_mask(gradient, bounds.outset(0.5));
                self.apply(mask);
                self.set_shading(part, gradient);
                draw(self);
                self.restore();
            }
        }
    }

    fn set_shading(&mut self, part: Part, gradient: &Gradient) {
        gradient.stops.iter().for_each(|stop| self.weigh(stop.colour));
        let name = self.name_pattern(gradient.pattern(self.base, self.ink));
        self.set_brush(part, Brush::Pattern(name));
    }

    /// A graphics state that lets through what the stops' opacities do.
    fn opacity_mask(&self, gradient: &Gradient, bounds: Bounds) -> Piece {
        let mut mask = self.part(bounds, Ink::Grey);
        let name = mask.name_pattern(gradient.opacities());
        mask.set_brush(Part::Fill, Brush::Pattern(name));
        mask.rectangle(bounds);
        mask.stream.word("f");
        let (form, _) = mask.into_form(true);
        super::mask::soft_mask(form, super::mask::Kind::Luminosity)
    }
}
