//! Parts that several drawings have in common, such as an icon: a group that would be drawn more than once is a form of its own.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use resvg::usvg;

use super::canvas::{Bounds, Canvas};
use super::ink::Ink;
use super::notes::{Note, Notes};
use super::paths::{affine, is_similarity, stretch};
use super::resource::Piece;
use super::text::Subsets;
use crate::geometry::Affine;

/// Groups with fewer points than this are said faster than named.
const FEWEST_POINTS: usize = 32;
/// What lines reach beyond the bounds of their path when they are drawn thicker than they are, in millimetres.
const REACH: f64 = 0.5;

/// A drawing that is about to be drawn, mapped by `place`, for the piece that shows it first.
#[derive(Clone, Copy)]
pub(super) struct Drawing<'a> {
    pub(super) tree: &'a usvg::Tree,
    pub(super) place: Affine,
    pub(super) piece: &'a str,
}

/// The parts that are drawn as forms, by the address of each group that shows one.
pub(super) struct Parts<'a> {
    press: (&'a Subsets, Ink<'a>),
    groups: HashMap<usize, usize>,
    parts: Vec<(Found<'a>, OnceLock<Part>)>,
}

/// A part, drawn.
pub(super) struct Part {
    form: Arc<Piece>,
    transparent: bool,
    notes: Notes,
}

/// Groups are the same when what is in them is, and when it is drawn in the same size.
type Key = ([u8; 32], u64);

/// A group that may be drawn as a form.
#[derive(Clone, Copy)]
struct Found<'a> {
    key: Key,
    group: &'a usvg::Group,
    scale: f64,
    piece: &'a str,
}

impl<'a> Parts<'a> {
    /// Finds what `drawings` have in common.
    pub(super) fn of(drawings: &[Drawing<'a>], press: (&'a Subsets, Ink<'a>)) -> Self {
        let found: Vec<Vec<Found<'a>>> = drawings.par_iter().map(Drawing::groups).collect();
        let mut uses: HashMap<Key, usize> = HashMap::new();
        found.iter().flatten().for_each(|found| *uses.entry(found.key).or_default() += 1);
        let mut numbers: HashMap<Key, usize> = HashMap::new();
        let mut parts = Parts { press, groups: HashMap::new(), parts: Vec::new() };
        for found in found.into_iter().flatten().filter(|found| uses.get(&found.key).is_some_and(|uses| *uses > 1)) {
            let number = *numbers.entry(found.key).or_insert(parts.parts.len());
            parts.groups.insert(address(found.group), number);
            if number == parts.parts.len() {
                parts.parts.push((found, OnceLock::new()));
            }
        }
        parts
    }

    /// The part that `group` shows, which is drawn when it is asked for first: of parts inside of parts, the outer one is.
    pub(super) fn find(&self, group: &usvg::Group) -> Option<&Part> {
        let number = self.groups.get(&address(group))?;
        let (found, part) = self.parts.get(*number)?;
        Some(part.get_or_init(|| found.draw(self.press)))
    }

    /// What was found on the way; each said once, for the first piece that shows it.
    pub(super) fn notes(self) -> impl Iterator<Item = Note> {
        let drawn = self.parts.into_iter().filter_map(|(found, part)| Some((found.piece, part.into_inner()?)));
        drawn.flat_map(|(piece, part)| part.notes.about(piece))
    }
}

fn address(group: &usvg::Group) -> usize {
    std::ptr::from_ref(group).addr()
}

impl<'a> Drawing<'a> {
    /// All groups that could be forms.
    fn groups(&self) -> Vec<Found<'a>> {
        let mut found = Vec::new();
        for node in self.tree.root().children() {
            if let usvg::Node::Group(group) = node {
                self.look_into(group, self.place.then_inner(affine(group.transform())), &mut found);
            }
        }
        found
    }

    /// Looks into a group that is mapped by `place`.
    fn look_into(&self, group: &'a usvg::Group, place: Affine, found: &mut Vec<Found<'a>>) {
        let mut content = Vec::new();
        let scale = stretch(place).1;
        if is_plain(group)
            && is_similarity(place)
            && scale > 0.0
            && feed(group, &mut content).is_some_and(|points| points >= FEWEST_POINTS)
        {
            let key = (*blake3::hash(&content).as_bytes(), scale.to_bits());
            found.push(Found { key, group, scale, piece: self.piece });
        }
        for node in group.children() {
            if let usvg::Node::Group(inner) = node {
                self.look_into(inner, place.then_inner(affine(inner.transform())), found);
            }
        }
    }
}

/// Whether a group only holds its children together.
fn is_plain(group: &usvg::Group) -> bool {
    group.filters().is_empty() && !group.should_isolate()
}

impl Found<'_> {
    /// Draws the part in millimetres, in an upright position.
    fn draw(&self, press: (&Subsets, Ink<'_>)) -> Part {
        let place = Affine::scale(self.scale, self.scale);
        let bounds = Bounds::around(self.group.stroke_bounding_box(), place).outset(REACH);
        let mut canvas = Canvas::new(press, bounds, Affine::IDENTITY, "");
        canvas.nodes(self.group.children(), place);
        let transparent = canvas.transparent;
        let (form, notes) = canvas.into_form(false);
        Part { form, transparent, notes }
    }
}

impl Canvas<'_> {
    /// Paints a part that is mapped by `place`.
    pub(super) fn part_at(&mut self, part: &Part, place: Affine) {
        let scale = stretch(place).1;
        self.set_alpha(1.0);
        self.save();
        self.stream.matrix(place.then_inner(Affine::scale(1.0 / scale, 1.0 / scale)), "cm");
        self.paint_object(Arc::clone(&part.form));
        self.restore();
        self.transparent |= part.transparent;
    }
}

/// Adds all that shows of the children of a group to `content`, and returns how many points its paths have. None where there is
/// something else than paths in flat colours.
fn feed(group: &usvg::Group, content: &mut Vec<u8>) -> Option<usize> {
    let mut points = 0;
    for node in group.children() {
        points += match node {
            usvg::Node::Group(inner) if is_plain(inner) => {
                let t = inner.transform();
                content.push(b'(');
                feed_numbers(&[t.sx, t.ky, t.kx, t.sy, t.tx, t.ty], content);
                let points = feed(inner, content)?;
                content.push(b')');
                points
            }
            usvg::Node::Path(path) => {
                feed_path(path, content)?;
                path.data().points().len()
            }
            _ => return None,
        };
    }
    Some(points)
}

fn feed_path(path: &usvg::Path, content: &mut Vec<u8>) -> Option<()> {
    content.extend([b'p', u8::from(path.is_visible()), path.paint_order() as u8]);
    if let Some(fill) = path.fill() {
        content.extend([b'f', fill.rule() as u8]);
        feed_paint(fill.paint(), fill.opacity().get(), content)?;
    }
    if let Some(stroke) = path.stroke() {
        content.extend([b's', stroke.linecap() as u8, stroke.linejoin() as u8]);
        feed_paint(stroke.paint(), stroke.opacity().get(), content)?;
        feed_numbers(&[stroke.width().get(), stroke.miterlimit().get(), stroke.dashoffset()], content);
        feed_numbers(stroke.dasharray().unwrap_or_default(), content);
    }
    content.extend(path.data().verbs().len().to_be_bytes());
    content.extend(path.data().verbs().iter().map(|verb| *verb as u8));
    path.data().points().iter().for_each(|point| feed_numbers(&[point.x, point.y], content));
    Some(())
}

fn feed_paint(paint: &usvg::Paint, opacity: f32, content: &mut Vec<u8>) -> Option<()> {
    let usvg::Paint::Color(colour) = paint else { return None };
    content.extend([colour.red, colour.green, colour.blue]);
    feed_numbers(&[opacity], content);
    Some(())
}

fn feed_numbers(numbers: &[f32], content: &mut Vec<u8>) {
    numbers.iter().for_each(|number| content.extend(number.to_be_bytes()));
}
