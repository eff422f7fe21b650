//! The walk through a usvg tree: one arm for every kind of node and of paint.

use resvg::usvg;

use super::canvas::{Bounds, Brush, Canvas, Part};
use super::ink::Rgb;
use super::paths::affine;
use super::shading::Gradient;
use crate::geometry::Affine;

impl Canvas<'_> {
    /// Paints nodes in order, mapped by `place`.
    pub(super) fn nodes(&mut self, nodes: &[usvg::Node], place: Affine) {
        nodes.iter().for_each(|node| self.node(node, place));
    }

    fn node(&mut self, node: &usvg::Node, place: Affine) {
        match node {
            usvg::Node::Group(group) => self.group(node, group, place),
            usvg::Node::Path(path) => self.path(path, place),
            usvg::Node::Image(image) => self.image(node, image, place),
            usvg::Node::Text(text) => {
                let outlines = text.flattened();
                self.nodes(outlines.children(), place.then_inner(affine(outlines.transform())));
            }
        }
    }

    /// Sets the paint for one part of a path whose bounds on the canvas are `bounds`, and lets `draw` draw it.
    pub(super) fn painted(
        &mut self,
        part: Part,
        paint: &usvg::Paint,
        opacity: f64,
        place: Affine,
        bounds: Bounds,
        draw: impl FnOnce(&mut Self),
    ) {
        if opacity * self.dim <= 0.0 {
            return;
        }
        match paint {
            usvg::Paint::Color(colour) => {
                self.set_brush(part, self.flat(part, (*colour).into(), bounds));
                self.set_alpha(opacity * self.dim);
                draw(self);
            }
            usvg::Paint::LinearGradient(gradient) => {
                if let Some(gradient) = Gradient::linear(gradient, place, bounds) {
                    self.shaded(part, &gradient, opacity, bounds, draw);
                }
            }
            usvg::Paint::RadialGradient(gradient) => {
                if let Some(gradient) = Gradient::radial(gradient, place, bounds) {
                    self.shaded(part, &gradient, opacity, bounds, draw);
                }
            }
            usvg::Paint::Pattern(pattern) => self.tiled(part, pattern, opacity, place, draw),
        }
    }

    /// What paints a flat colour within `bounds`.
    pub(super) fn flat(&self, part: Part, colour: Rgb, bounds: Bounds) -> Brush {
        let area = if part == Part::Fill { bounds.width() * bounds.height() } else { 0.0 };
        let rich = self.ink.inks().and_then(|inks| inks.rich_black(colour, area));
        rich.map_or(Brush::Solid(colour), Brush::Inks)
    }
}
