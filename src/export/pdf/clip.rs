//! Clip paths: as paths where one path says it, as soft masks where several shapes overlap.

use std::sync::Arc;

use resvg::{tiny_skia, usvg};

use super::canvas::{Bounds, Brush, Canvas, Part};
use super::ink::Rgb;
use super::mask::{Kind, soft_mask};
use super::paths::{affine, has_area};
use super::resource::Piece;
use crate::geometry::Affine;

/// Shapes that are tested for overlaps, pair by pair.
const MOST_COMPARED: usize = 256;

/// What a clip path lets through.
#[derive(Default)]
pub(super) struct Clip<'a> {
    /// Each cuts: all of them together.
    paths: Vec<Vec<Shape<'a>>>,
    /// Each masks.
    pub(super) masks: Vec<Piece>,
}

/// A path that is cut out.
#[derive(Clone, Copy)]
struct Shape<'a> {
    path: &'a tiny_skia::Path,
    rule: usvg::FillRule,
    place: Affine,
    bounds: Bounds,
}

impl<'a> Canvas<'a> {
    /// What `clip` lets through on a group that is mapped by `place`. None when that is nothing.
    pub(super) fn clip<'t>(&mut self, clip: &'t usvg::ClipPath, place: Affine) -> Option<Clip<'t>> {
        let mut found = match clip.clip_path() {
            Some(outer) => self.clip(outer, place)?,
            None => Clip::default(),
        };
        self.add_clip(clip.root(), place.then_inner(affine(clip.transform())), &mut found)?;
        Some(found)
    }

    fn add_clip<'t>(&mut self, root: &'t usvg::Group, place: Affine, found: &mut Clip<'t>) -> Option<()> {
        if let [usvg::Node::Group(only)] = root.children()
            && let Some(own) = only.clip_path()
        {
            let place = place.then_inner(affine(only.transform()));
            let own = self.clip(own, place)?;
            found.paths.extend(own.paths);
            found.masks.extend(own.masks);
            return self.add_clip(only, place, found);
        }
        let mut shapes = Vec::new();
        let simple = collect(root, place, &mut shapes);
        if simple && shapes.is_empty() {
            return None;
        }
        if simple && apart(&shapes) {
            found.paths.push(shapes);
        } else {
            let mask = self.shapes_mask(root, place);
            found.masks.push(mask);
        }
        Some(())
    }

    /// A graphics state that lets through the union of all shapes.
    fn shapes_mask(&mut self, root: &usvg::Group, place: Affine) -> Piece {
        let mut canvas = self.part(self.bounds, self.ink);
        canvas.draw_shapes(root, place);
        let (form, notes) = canvas.into_form(true);
        self.notes.extend(notes);
        soft_mask(form, Kind::Alpha)
    }

    fn draw_shapes(&mut self, root: &usvg::Group, place: Affine) {
        for node in root.children() {
            match node {
                usvg::Node::Path(path) => {
                    if let Some(shape) = Shape::of(path, place) {
                        self.set_brush(Part::Fill, Brush::Solid(Rgb::BLACK));
                        self.outline(shape.path, shape.place);
                        self.stream.word(if shape.rule == usvg::FillRule::EvenOdd { "f*" } else { "f" });
                    }
                }
                usvg::Node::Text(text) => {
                    let outlines = text.flattened();
                    self.draw_shapes(outlines, place.then_inner(affine(outlines.transform())));
                }
                usvg::Node::Group(group) => {
                    self.draw_clipped_shapes(group, place.then_inner(affine(group.transform())))
                }
                usvg::Node::Image(_) => {}
            }
        }
    }

    fn draw_clipped_shapes(&mut self, group: &usvg::Group, place: Affine) {
        let Some(own) = group.clip_path() else { return self.draw_shapes(group, place) };
        let Some(clip) = self.clip(own, place) else { return };
        self.save();
        self.cut(&clip);
        if clip.masks.is_empty() {
            self.draw_shapes(group, place);
        } else {
            let mut inner = self.part(self.bounds, self.ink);
            inner.draw_shapes(group, place);
            let (form, notes) = inner.into_form(true);
            self.notes.extend(notes);
            self.paint_masked(form, clip.masks);
        }
        self.restore();
    }

    /// Cuts along the paths of a clip.
    pub(super) fn cut(&mut self, clip: &Clip<'_>) {
        for shapes in &clip.paths {
            for shape in shapes {
                self.outline(shape.path, shape.place);
            }
            let even = shapes.first().is_some_and(|shape| shape.rule == usvg::FillRule::EvenOdd);
            self.stream.word(if even { "W* n" } else { "W n" });
        }
    }

    /// Paints a group under several masks: each but the last wraps it in another group.
    pub(super) fn paint_masked(&mut self, form: Arc<Piece>, masks: Vec<Piece>) {
        let mut form = form;
        let mut masks = masks.into_iter().peekable();
        while let Some(mask) = masks.next() {
            if masks.peek().is_none() {
                self.apply(mask);
                break;
            }
            let mut wrap = self.part(self.bounds, self.ink);
            wrap.apply(mask);
            wrap.paint_object(form);
            form = wrap.into_form(true).0;
        }
        self.paint_object(form);
    }
}

impl<'a> Shape<'a> {
    fn of(path: &'a usvg::Path, place: Affine) -> Option<Self> {
        let fill = path.fill().filter(|_| path.is_visible() && has_area(path.data()))?;
        let bounds = Bounds::around(path.bounding_box(), place);
        Some(Shape { path: path.data(), rule: fill.rule(), place, bounds })
    }
}

/// Collects all shapes of a clip path; false when one of them is cut itself.
fn collect<'a>(root: &'a usvg::Group, place: Affine, shapes: &mut Vec<Shape<'a>>) -> bool {
    root.children().iter().all(|node| match node {
        usvg::Node::Path(path) => {
            shapes.extend(Shape::of(path, place));
            true
        }
        usvg::Node::Text(text) => {
            let outlines = text.flattened();
            collect(outlines, place.then_inner(affine(outlines.transform())), shapes)
        }
        usvg::Node::Group(group) => {
            group.clip_path().is_none() && collect(group, place.then_inner(affine(group.transform())), shapes)
        }
        usvg::Node::Image(_) => true,
    })
}

/// Whether the shapes can be said as one path: all by one rule, and none touches another.
fn apart(shapes: &[Shape<'_>]) -> bool {
    let Some(first) = shapes.first() else { return true };
    shapes.len() <= MOST_COMPARED
        && shapes.iter().all(|shape| shape.rule == first.rule)
        && shapes
            .iter()
            .enumerate()
            .all(|(index, shape)| shapes[index + 1..].iter().all(|other| shape.bounds.common(other.bounds).is_none()))
}
