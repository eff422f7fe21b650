//! A content stream in the making: what is set, what is named, and what stands in it. Its unit is the face's millimetre, y
//! downwards; places are written as they come out of all transforms, so a canvas needs no matrices of its own.

use std::sync::Arc;

use lopdf::{Dictionary, Object, dictionary};

use super::ink::{Ink, Rgb};
use super::inks::Cmyk;
use super::notes::{Notes, What};
use super::parts::Parts;
use super::resource::{Piece, Resources};
use super::stream::Stream;
use super::text::Subsets;
use crate::fonts::FontId;
use crate::geometry::Affine;

/// A rectangle with real corners: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::export) struct Bounds {
    pub(in crate::export) left: f64,
    pub(in crate::export) top: f64,
    pub(in crate::export) right: f64,
    pub(in crate::export) bottom: f64,
}

impl Bounds {
    /// Around a rectangle's corners, mapped.
    pub(in crate::export) fn around(rect: resvg::tiny_skia::Rect, map: Affine) -> Self {
        let [left, top, right, bottom] = [rect.left(), rect.top(), rect.right(), rect.bottom()].map(f64::from);
        Bounds { left, top, right, bottom }.mapped(map)
    }

    /// Around the corners, mapped.
    pub(in crate::export) fn mapped(self, map: Affine) -> Self {
        let corners = self.corners().map(|(x, y)| map.apply(x, y));
        let span = |pick: fn(&(f64, f64)) -> f64| {
            let values = corners.iter().map(pick);
            (values.clone().fold(f64::INFINITY, f64::min), values.fold(f64::NEG_INFINITY, f64::max))
        };
        let ((left, right), (top, bottom)) = (span(|at| at.0), span(|at| at.1));
        Bounds { left, top, right, bottom }
    }

    /// The corners.
    pub(in crate::export) const fn corners(self) -> [(f64, f64); 4] {
        [(self.left, self.top), (self.right, self.top), (self.right, self.bottom), (self.left, self.bottom)]
    }

    /// What both cover; none when that is nothing.
    pub(in crate::export) fn common(self, other: Bounds) -> Option<Self> {
        let common = Bounds {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        };
        (common.left < common.right && common.top < common.bottom).then_some(common)
    }

    /// Around both.
    pub(in crate::export) const fn union(self, other: Bounds) -> Self {
        Bounds {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// Larger by `by` on all sides.
    pub(in crate::export) const fn outset(self, by: f64) -> Self {
        Bounds { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    /// Width.
    pub(in crate::export) const fn width(self) -> f64 {
        self.right - self.left
    }

    /// Height.
    pub(in crate::export) const fn height(self) -> f64 {
        self.bottom - self.top
    }

    /// As an object: left, top, right, bottom.
    pub(super) fn object(self) -> Object {
        numbers(&[self.left, self.top, self.right, self.bottom])
    }
}

/// An array of numbers.
pub(super) fn numbers(values: &[f64]) -> Object {
    Object::Array(values.iter().map(|value| number(*value)).collect())
}

/// A number, whole where it can be.
pub(super) fn number(value: f64) -> Object {
    let value = if value.is_finite() && value.abs() > 1e-9 { value } else { 0.0 };
    if value.fract() == 0.0 && value.abs() < 1e9 { Object::Integer(value as i64) } else { Object::Real(value as f32) }
}

/// A matrix as an object.
pub(super) fn matrix(m: Affine) -> Object {
    numbers(&[m.a, m.b, m.c, m.d, m.e, m.f])
}

/// What paints.
#[derive(Clone, PartialEq)]
pub(super) enum Brush {
    /// A colour.
    Solid(Rgb),
    /// Inks as they are.
    Inks(Cmyk),
    /// A pattern or a shading, by name.
    Pattern(String),
}

/// Fill or stroke.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The inside.
    Fill,
    /// The line.
    Stroke,
}

/// What is set in the graphics state; none where that is not known.
#[derive(Clone, Default)]
struct State {
    brush: [Option<Brush>; 2],
    pen: Option<Pen>,
    font: Option<(FontId, u64)>,
    /// In thousandths; streams start at full opacity.
    alpha: Option<u32>,
    /// Whether an ink of none leaves what lies below; streams start without.
    overprint: bool,
}

/// How lines are drawn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pen {
    pub(super) width: f64,
    pub(super) cap: u8,
    pub(super) join: u8,
    pub(super) miter: f64,
    pub(super) dash: Vec<f64>,
    pub(super) phase: f64,
}

/// A content stream in the making.
pub(super) struct Canvas<'a> {
    /// The glyphs that the document embeds.
    pub(super) subsets: &'a Subsets,
    /// The groups that are forms of their own.
    pub(super) parts: Option<&'a Parts<'a>>,
    /// The stream.
    pub(super) stream: Stream,
    /// How colours are written.
    pub(super) ink: Ink<'a>,
    /// From this canvas to the space that patterns are laid out in.
    pub(super) base: Affine,
    /// What can be seen of it.
    pub(super) bounds: Bounds,
    /// Multiplies the opacity of what is painted.
    pub(super) dim: f64,
    /// What was found on the way.
    pub(super) notes: Notes,
    /// Whether anything blends with what lies below.
    pub(super) transparent: bool,
    prefix: &'a str,
    resources: Resources,
    state: State,
    stack: Vec<State>,
    named: usize,
}

/// A finished content stream.
pub(super) struct Content {
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// What it names.
    pub(super) resources: Resources,
    /// Whether anything in it is transparent.
    pub(super) transparent: bool,
    /// What was found on the way.
    pub(super) notes: Notes,
}

impl<'a> Canvas<'a> {
    /// An empty canvas for an ink. Names in it start with `prefix`, so that several can stand in one page.
    pub(super) fn new((subsets, ink): (&'a Subsets, Ink<'a>), bounds: Bounds, base: Affine, prefix: &'a str) -> Self {
        Canvas {
            subsets,
            parts: None,
            stream: Stream::default(),
            ink,
            base,
            bounds,
            dim: 1.0,
            notes: Notes::default(),
            transparent: false,
            prefix,
            resources: Resources::default(),
            state: State::default(),
            stack: Vec::new(),
            named: 0,
        }
    }

    /// The same canvas, on which groups that are forms of their own are called by their names.
    pub(super) const fn with_parts(mut self, parts: &'a Parts<'a>) -> Self {
        self.parts = Some(parts);
        self
    }

    /// An empty canvas for a part of this one: a group, a mask, the cell of a pattern.
    pub(super) fn part(&self, bounds: Bounds, ink: Ink<'a>) -> Self {
        Canvas::new((self.subsets, ink), bounds, Affine::IDENTITY, "")
    }

    /// The finished stream.
    pub(super) fn finish(self) -> Content {
        Content {
            bytes: self.stream.into_bytes(),
            resources: self.resources,
            transparent: self.transparent,
            notes: self.notes,
        }
    }

    /// The finished stream as a form. With `group`, its content is put together before it meets what lies below.
    pub(super) fn into_form(self, group: bool) -> (Arc<Piece>, Notes) {
        let (bounds, ink) = (self.bounds, self.ink);
        let content = self.finish();
        (Arc::new(form(content.bytes, content.resources, bounds, group.then_some(ink))), content.notes)
    }

    /// Saves the graphics state.
    pub(super) fn save(&mut self) {
        self.stack.push(self.state.clone());
        self.stream.word("q");
    }

    /// Restores the graphics state.
    pub(super) fn restore(&mut self) {
        self.state = self.stack.pop().unwrap_or_default();
        self.stream.word("Q");
    }

    /// Sets what fills or strokes.
    pub(super) fn set_brush(&mut self, part: Part, brush: Brush) {
        let slot = part as usize;
        if self.state.brush[slot].as_ref() == Some(&brush) {
            return;
        }
        match &brush {
            Brush::Solid(colour) => {
                self.weigh(*colour);
                let (components, operators) = self.ink.solid(*colour);
                self.stream.colour(&components, operators[slot]);
            }
            Brush::Inks(inks) => {
                if let Some(percent) = self.ink.inks().and_then(|press| press.excess(inks)) {
                    self.notes.add(What::TooMuchInk { percent });
                }
                self.stream.colour(inks, ["k", "K"][slot]);
            }
            Brush::Pattern(name) => {
                if !matches!(self.state.brush[slot], Some(Brush::Pattern(_))) {
                    self.stream.named("Pattern", ["cs", "CS"][slot]);
                }
                self.stream.named(name, ["scn", "SCN"][slot]);
            }
        }
        self.state.brush[slot] = Some(brush);
    }

    /// Notes a colour that takes more ink than the press can.
    pub(super) fn weigh(&mut self, colour: Rgb) {
        if let Some(percent) = self.ink.excess(colour) {
            self.notes.add(What::TooMuchInk { percent });
        }
    }

    /// Sets the opacity of what is painted next.
    pub(super) fn set_alpha(&mut self, alpha: f64) {
        let thousandths = (alpha.clamp(0.0, 1.0) * 1000.0).round() as u32;
        if self.state.alpha.unwrap_or(1000) == thousandths {
            return;
        }
        let opacity = f64::from(thousandths) / 1000.0;
        let state =
            Piece { dict: dictionary! { "ca" => number(opacity), "CA" => number(opacity) }, ..Piece::default() };
        self.apply(state);
        self.state.alpha = Some(thousandths);
    }

    /// Sets whether what is painted next leaves the other inks below it alone.
    pub(super) fn set_overprint(&mut self, on: bool) {
        if self.state.overprint == on {
            return;
        }
        let dict = dictionary! { "OP" => on, "op" => on, "OPM" => 1 };
        let name = self.name_state(Piece { dict, ..Piece::default() });
        self.stream.named(&name, "gs");
        self.state.overprint = on;
    }

    /// Applies a graphics state.
    pub(super) fn apply(&mut self, state: Piece) {
        self.transparent = true;
        let name = self.name_state(state);
        self.stream.named(&name, "gs");
    }

    fn name_state(&mut self, state: Piece) -> String {
        let known = |(_, other): &&(String, Arc<Piece>)| {
            state.parts.is_empty() && other.parts.is_empty() && other.dict == state.dict
        };
        if let Some((name, _)) = self.resources.states.iter().find(known) {
            return name.clone();
        }
        let name = self.fresh('G');
        self.resources.states.push((name.clone(), Arc::new(state)));
        name
    }

    /// Sets how lines are drawn.
    pub(super) fn set_pen(&mut self, pen: Pen) {
        let old = self.state.pen.as_ref();
        let changed = |same: fn(&Pen, &Pen) -> bool| !old.is_some_and(|old| same(old, &pen));
        if changed(|a, b| a.width == b.width) {
            self.stream.op(&[pen.width], "w");
        }
        if changed(|a, b| a.cap == b.cap) {
            self.stream.op(&[f64::from(pen.cap)], "J");
        }
        if changed(|a, b| a.join == b.join) {
            self.stream.op(&[f64::from(pen.join)], "j");
        }
        if pen.join == 0 && changed(|a, b| a.join == 0 && a.miter == b.miter) {
            self.stream.op(&[pen.miter], "M");
        }
        if changed(|a, b| a.dash == b.dash && a.phase == b.phase) {
            self.stream.mark(b'[');
            self.stream.places(&pen.dash);
            self.stream.mark(b']');
            self.stream.op(&[pen.phase], "d");
        }
        self.state.pen = Some(pen);
    }

    /// Sets font and size; `size` is rounded as it is written.
    pub(super) fn set_font(&mut self, font: FontId, name: &str, size: f64) {
        let key = (font, size.to_bits());
        if self.state.font == Some(key) {
            return;
        }
        self.resources.fonts.entry(name.to_owned()).or_insert(font);
        self.stream.name(name);
        self.stream.number(size, super::text::SIZE_DECIMALS);
        self.stream.word("Tf");
        self.state.font = Some(key);
    }

    /// A name for a pattern.
    pub(super) fn name_pattern(&mut self, pattern: Arc<Piece>) -> String {
        let name = self.fresh('P');
        self.resources.patterns.push((name.clone(), pattern));
        name
    }

    /// Gives a colour space its name.
    pub(super) fn name_space(&mut self, name: &str, space: Arc<Piece>) {
        self.resources.spaces.push((name.to_owned(), space));
    }

    /// Paints a form or an image.
    pub(super) fn paint_object(&mut self, object: Arc<Piece>) {
        let known = self.resources.objects.iter().find(|(_, other)| Arc::ptr_eq(other, &object));
        let name = match known {
            Some((name, _)) => name.clone(),
            None => {
                let name = self.fresh('X');
                self.resources.objects.push((name.clone(), object));
                name
            }
        };
        self.stream.named(&name, "Do");
    }

    /// A rectangle as a path.
    pub(super) fn rectangle(&mut self, bounds: Bounds) {
        self.stream.op(&[bounds.left, bounds.top, bounds.width(), bounds.height()], "re");
    }

    fn fresh(&mut self, kind: char) -> String {
        self.named += 1;
        format!("{}{kind}{}", self.prefix, self.named)
    }
}

/// A form; with `group`, a transparency group that blends in that ink's space.
pub(super) fn form(data: Vec<u8>, resources: Resources, bounds: Bounds, group: Option<Ink<'_>>) -> Piece {
    let mut dict = dictionary! { "Type" => "XObject", "Subtype" => "Form", "BBox" => bounds.object() };
    if let Some(ink) = group {
        dict.set("Group", transparency_group(ink));
    }
    Piece { dict, data: Some(data), resources, ..Piece::default() }
}

/// The attributes of an isolated transparency group.
pub(super) fn transparency_group(ink: Ink<'_>) -> Dictionary {
    dictionary! { "S" => "Transparency", "CS" => ink.space(), "I" => true }
}
