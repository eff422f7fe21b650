//! A drawing for little ink: the tree is judged node by node, and the SVG that is written from it gets the new colours.

use std::sync::Arc;

use resvg::{tiny_skia, usvg};
use roxmltree::Node;

use super::colour::{Colour, SHAPE_CONTRAST};
use super::plate::{Plate, Spot};
use crate::compose::face::Art;
use crate::export::pdf::Bounds;
use crate::geometry::Affine;

/// What covers more than this part of its face covers much ...
const MUCH: f64 = 0.02;
/// ... if it covers more square millimetres than the first, and in any case if it covers more than the second.
const MUCH_AREA: (f64, f64) = (60.0, 200.0);
/// A line covers much only from this thickness on, in millimetres.
const THICK: f64 = 1.5;
/// A light shape that is thicker than that on the whole keeps its colour and gets a line around it, in millimetres.
const BROAD: f64 = 1.0;
/// The line around what is pale, in millimetres.
const AROUND: f64 = 0.2;
/// How much is seen of a picture.
const PICTURE: f64 = 0.4;

/// New values for the attributes of an element.
type Change = Vec<(&'static str, String)>;

/// The drawing for little ink, mapped by `place` on its face. What has been painted below it is on `plate`.
pub(super) fn saved(art: &Arc<Art>, place: Affine, plate: &mut Plate) -> Arc<Art> {
    let mut judge = Judge { plate, changes: Vec::new() };
    let seen = judge.plate.bounds();
    judge.nodes(art.tree.root().children(), Context { place, seen, opacity: 1.0 });
    let written = art.tree.to_string(&usvg::WriteOptions::default());
    let read = |svg: String| {
        let tree = usvg::Tree::from_str(&svg, &usvg::Options::default()).ok()?;
        Some(Arc::new(Art::new(tree, svg)))
    };
    rewritten(&written, &judge.changes).and_then(read).unwrap_or_else(|| Arc::clone(art))
}

/// Goes through a tree in the order in which it is painted; notes a change for each path and picture.
struct Judge<'p> {
    plate: &'p mut Plate,
    changes: Vec<Change>,
}

/// Where a node stands.
#[derive(Clone, Copy)]
struct Context {
    place: Affine,
    seen: Bounds,
    opacity: f64,
}

impl Judge<'_> {
    fn nodes(&mut self, nodes: &[usvg::Node], context: Context) {
        for node in nodes {
            match node {
                usvg::Node::Group(group) => self.group(group, context),
                usvg::Node::Path(path) => {
                    let change = self.path(path, context);
                    self.changes.push(change);
                }
                usvg::Node::Image(image) => {
                    let change = self.image(image, context);
                    self.changes.push(change);
                }
                usvg::Node::Text(text) => self.group(text.flattened(), context),
            }
        }
    }

    fn group(&mut self, group: &usvg::Group, context: Context) {
        let place = context.place.then_inner(affine(group.transform()));
        let mut inner = Context { place, opacity: context.opacity * f64::from(group.opacity().get()), ..context };
        let clip = group.clip_path().map(|clip| (clip.root().bounding_box(), clip.transform()));
        let mask = group.mask().map(|mask| (mask.rect().to_rect(), usvg::Transform::identity()));
        for (rect, map) in clip.into_iter().chain(mask) {
            let edge = Bounds::around(rect, place.then_inner(affine(map)));
            // What is cut away wholly still has its changes counted.
            inner.seen = inner.seen.common(edge).unwrap_or(Bounds { right: edge.left, bottom: edge.top, ..edge });
        }
        self.nodes(group.children(), inner);
    }

    fn path(&mut self, path: &usvg::Path, context: Context) -> Change {
        let mut change = Change::new();
        if !path.is_visible() {
            return change;
        }
        let mut around = None;
        if let Some(fill) = path.fill() {
            around = self.fill(path, fill, context, &mut change);
        }
        if let Some(stroke) = path.stroke() {
            self.stroke(path, stroke, context, &mut change);
        } else if let Some(colour) = around {
            let width = AROUND / scale(context.place).max(1e-6);
            change.extend([("stroke", colour.hex()), ("stroke-width", format!("{width:.4}"))]);
        }
        change
    }

    /// Judges the inside; returns the colour of the line that it needs around it.
    fn fill(&mut self, path: &usvg::Path, fill: &usvg::Fill, context: Context, change: &mut Change) -> Option<Colour> {
        let rule = match fill.rule() {
            usvg::FillRule::NonZero => tiny_skia::FillRule::Winding,
            usvg::FillRule::EvenOdd => tiny_skia::FillRule::EvenOdd,
        };
        let spot = Spot::seen(self.plate, path.data(), rule, context.place, context.seen)?;
        let opacity = f64::from(fill.opacity().get()) * context.opacity;
        let colour = mean(fill.paint());
        let saved = self.chosen(colour, &spot, self.is_much(&spot), opacity);
        let around = match saved {
            _ if saved == colour || opacity <= 0.5 => None,
            _ if self.is_much(&spot) => {
                let whole = spot.area >= 0.95 * self.plate.bounds().width() * self.plate.bounds().height();
                Some(colour.line_on_paper()).filter(|_| !whole)
            }
            _ => Some(saved).filter(|_| self.is_broad(path, &spot, context)),
        };
        let keeps = around.is_some() && !self.is_much(&spot);
        self.put("fill", colour, if keeps { colour } else { saved }, (&spot, opacity), change);
        around
    }

    /// Whether a shape is an area rather than a line.
    fn is_broad(&self, path: &usvg::Path, spot: &Spot, context: Context) -> bool {
        /// So wide a line around the shape is measured, in millimetres.
        const RULE: f64 = 0.5;
        let width = (RULE / scale(context.place).max(1e-6)) as f32;
        let pen = tiny_skia::Stroke { width, ..tiny_skia::Stroke::default() };
        let line = Spot::stroked(self.plate, path.data(), &pen, context.place, context.seen);
        line.is_some_and(|line| spot.area >= BROAD * line.area / RULE / 2.0)
    }

    fn stroke(&mut self, path: &usvg::Path, stroke: &usvg::Stroke, context: Context, change: &mut Change) {
        let width = stroke.width().get();
        let pen = tiny_skia::Stroke { width, ..tiny_skia::Stroke::default() };
        let Some(spot) = Spot::stroked(self.plate, path.data(), &pen, context.place, context.seen) else { return };
        let much = f64::from(width) * scale(context.place) >= THICK && self.is_much(&spot);
        let opacity = f64::from(stroke.opacity().get()) * context.opacity;
        let colour = mean(stroke.paint());
        let saved = self.chosen(colour, &spot, much, opacity);
        self.put("stroke", colour, saved, (&spot, opacity), change);
    }

    /// The colour that a spot gets.
    fn chosen(&self, colour: Colour, spot: &Spot, much: bool, opacity: f64) -> Colour {
        if much {
            colour.tint()
        } else if opacity > 0.5 {
            colour.standing_out(self.plate.under(spot), SHAPE_CONTRAST)
        } else {
            colour
        }
    }

    /// Paints a spot and notes its colour where that is a new one.
    fn put(
        &mut self,
        part: &'static str,
        colour: Colour,
        saved: Colour,
        (spot, opacity): (&Spot, f64),
        change: &mut Change,
    ) {
        self.plate.paint(spot, colour, saved, opacity);
        if saved != colour {
            change.push((part, saved.hex()));
        }
    }

    fn image(&mut self, image: &usvg::Image, context: Context) -> Change {
        let path = tiny_skia::PathBuilder::from_rect(image.bounding_box());
        let winding = tiny_skia::FillRule::Winding;
        match Spot::seen(self.plate, &path, winding, context.place, context.seen) {
            Some(spot) if self.is_much(&spot) => {
                let pale = Colour::MIDDLE.over(Colour::WHITE, PICTURE);
                self.plate.paint(&spot, Colour::MIDDLE, pale, context.opacity);
                vec![("opacity", PICTURE.to_string())]
            }
            _ => Change::new(),
        }
    }

    fn is_much(&self, spot: &Spot) -> bool {
        let whole = self.plate.bounds().width() * self.plate.bounds().height();
        spot.area >= (whole * MUCH).clamp(MUCH_AREA.0, MUCH_AREA.1)
    }
}

/// The colour of a paint, on the whole.
fn mean(paint: &usvg::Paint) -> Colour {
    let of_stops = |stops: &[usvg::Stop]| {
        let mut sum = [0.0; 3];
        for stop in stops {
            sum.iter_mut().zip(colour(stop.color()).0).for_each(|(sum, level)| *sum += level / stops.len() as f64);
        }
        Colour(sum)
    };
    match paint {
        usvg::Paint::Color(known) => colour(*known),
        usvg::Paint::LinearGradient(gradient) => of_stops(gradient.stops()),
        usvg::Paint::RadialGradient(gradient) => of_stops(gradient.stops()),
        usvg::Paint::Pattern(_) => Colour::MIDDLE,
    }
}

fn colour(colour: usvg::Color) -> Colour {
    Colour([colour.red, colour.green, colour.blue].map(f64::from))
}

fn affine(t: usvg::Transform) -> Affine {
    let [a, b, c, d, e, f] = [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from);
    Affine { a, b, c, d, e, f }
}

/// How much a map enlarges.
fn scale(m: Affine) -> f64 {
    (m.a * m.d - m.b * m.c).abs().sqrt()
}

/// The written drawing with the changes in it: one for every path and picture that is painted, in order.
fn rewritten(svg: &str, changes: &[Change]) -> Option<String> {
    let document = roxmltree::Document::parse(svg).ok()?;
    let painted: Vec<Node<'_, '_>> = document.descendants().filter(is_painted).collect();
    if painted.len() != changes.len() {
        return None;
    }
    let mut out = String::with_capacity(svg.len() + 1024);
    let mut done = 0;
    for (node, change) in painted.iter().zip(changes).filter(|(_, change)| !change.is_empty()) {
        let after_name = node.range().start + 1 + node.tag_name().name().len();
        let mut edits = vec![(after_name..after_name, attributes(change))];
        let replaced = node.attributes().filter(|old| change.iter().any(|(name, _)| *name == old.name()));
        edits.extend(replaced.map(|old| (old.range(), String::new())));
        for (range, text) in edits {
            out.push_str(svg.get(done..range.start)?);
            out.push_str(&text);
            done = range.end;
        }
    }
    out.push_str(svg.get(done..)?);
    Some(out)
}

fn attributes(change: &Change) -> String {
    change.iter().map(|(name, value)| format!(" {name}=\"{value}\"")).collect()
}

/// Whether an element paints: what is only defined is painted by nobody, or as part of something else.
fn is_painted(node: &Node<'_, '_>) -> bool {
    matches!(node.tag_name().name(), "path" | "image")
        && !node.ancestors().any(|outer| outer.tag_name().name() == "defs")
}
