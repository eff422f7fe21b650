//! Paths: filled, stroked, or both.

use resvg::tiny_skia::PathSegment;
use resvg::{tiny_skia, usvg};

use super::canvas::{Bounds, Brush, Canvas, Part, Pen};
use super::notes::What;
use super::stream::rounded;
use crate::geometry::Affine;
use crate::units::Length;

/// The thinnest line that is sure to print: 0.25 pt, in EMU.
pub(super) const THINNEST: Length = Length::emu(crate::units::EMU_PER_PT / 4);

/// The map of a usvg transform.
pub(super) fn affine(t: usvg::Transform) -> Affine {
    let [a, b, c, d, e, f] = [t.sx, t.ky, t.kx, t.sy, t.tx, t.ty].map(f64::from);
    Affine { a, b, c, d, e, f }
}

/// The length of (x, y). Unlike `hypot` it comes out the same on every machine.
pub(super) fn distance(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

/// How much a map stretches: the least and the most of any direction.
pub(super) fn stretch(m: Affine) -> (f64, f64) {
    let (sum, difference) = (distance(m.a + m.d, m.b - m.c), distance(m.a - m.d, m.b + m.c));
    ((sum - difference).abs() / 2.0, (sum + difference) / 2.0)
}

impl Canvas<'_> {
    /// Paints a path.
    pub(super) fn path(&mut self, path: &usvg::Path, place: Affine) {
        if !path.is_visible() {
            return;
        }
        let fill = path.fill().filter(|_| has_area(path.data()));
        match (fill, path.stroke(), path.paint_order()) {
            (Some(fill), Some(stroke), usvg::PaintOrder::FillAndStroke) => {
                if !self.fill_and_stroke(path, fill, stroke, place) {
                    self.fill(path, fill, place);
                    self.stroke(path, stroke, place);
                }
            }
            (Some(fill), Some(stroke), usvg::PaintOrder::StrokeAndFill) => {
                self.stroke(path, stroke, place);
                self.fill(path, fill, place);
            }
            (Some(fill), None, _) => self.fill(path, fill, place),
            (None, Some(stroke), _) => self.stroke(path, stroke, place),
            (None, None, _) => {}
        }
    }

    /// Fill and line in one, which says the path once; only where both are opaque and of one colour each.
    fn fill_and_stroke(&mut self, path: &usvg::Path, fill: &usvg::Fill, stroke: &usvg::Stroke, place: Affine) -> bool {
        let (usvg::Paint::Color(inside), usvg::Paint::Color(line)) = (fill.paint(), stroke.paint()) else {
            return false;
        };
        let opaque = fill.opacity().get() >= 1.0 && stroke.opacity().get() >= 1.0 && self.dim >= 1.0;
        if !opaque || !is_similarity(place) {
            return false;
        }
        self.set_alpha(1.0);
        let bounds = Bounds::around(path.bounding_box(), place);
        self.set_brush(Part::Fill, self.flat(Part::Fill, (*inside).into(), bounds));
        self.set_brush(Part::Stroke, Brush::Solid((*line).into()));
        let pen = self.pen(stroke, stretch(place).1, 1.0);
        self.set_pen(pen);
        self.outline(path.data(), place);
        self.stream.word(match fill.rule() {
            usvg::FillRule::NonZero => "B",
            usvg::FillRule::EvenOdd => "B*",
        });
        true
    }

    fn fill(&mut self, path: &usvg::Path, fill: &usvg::Fill, place: Affine) {
        let bounds = Bounds::around(path.bounding_box(), place);
        self.painted(Part::Fill, fill.paint(), f64::from(fill.opacity().get()), place, bounds, |canvas| {
            canvas.outline(path.data(), place);
            canvas.stream.word(match fill.rule() {
                usvg::FillRule::NonZero => "f",
                usvg::FillRule::EvenOdd => "f*",
            });
        });
    }

    fn stroke(&mut self, path: &usvg::Path, stroke: &usvg::Stroke, place: Affine) {
        let bounds = Bounds::around(path.stroke_bounding_box(), place);
        self.painted(Part::Stroke, stroke.paint(), f64::from(stroke.opacity().get()), place, bounds, |canvas| {
            if is_similarity(place) {
                let pen = canvas.pen(stroke, stretch(place).1, 1.0);
                canvas.set_pen(pen);
                canvas.outline(path.data(), place);
                canvas.stream.word("S");
            } else {
                canvas.stroke_distorted(path, stroke, place);
            }
        });
    }

    /// A line whose thickness depends on its direction: drawn under a matrix. What the matrix stretches is written in units
    /// that come out about a millimetre long, so that rounding does no harm.
    fn stroke_distorted(&mut self, path: &usvg::Path, stroke: &usvg::Stroke, place: Affine) {
        let (least, most) = stretch(place);
        if least <= most * 1e-6 {
            return;
        }
        let pen = self.pen(stroke, most, most / least);
        self.save();
        self.stream.matrix(place.then_inner(Affine::scale(1.0 / most, 1.0 / most)), "cm");
        self.set_pen(pen);
        self.outline(path.data(), Affine::scale(most, most));
        self.stream.word("S");
        self.restore();
    }

    /// The pen for a stroke that is scaled by `scale`; `flat` is by how much the thinnest direction is thinner.
    fn pen(&mut self, stroke: &usvg::Stroke, scale: f64, flat: f64) -> Pen {
        let thinnest = THINNEST.to_mm() * flat;
        let mut width = f64::from(stroke.width().get()) * scale;
        if width < thinnest - 1e-4 {
            self.notes.add(What::ThinLines);
            width = thinnest;
        }
        let dash: Vec<f64> =
            stroke.dasharray().unwrap_or_default().iter().map(|part| rounded(f64::from(*part) * scale, 3)).collect();
        let dash = if dash.iter().sum::<f64>() > 0.0 { dash } else { Vec::new() };
        let period = dash.iter().sum::<f64>() * if dash.len() % 2 == 1 { 2.0 } else { 1.0 };
        let phase = if dash.is_empty() { 0.0 } else { (f64::from(stroke.dashoffset()) * scale).rem_euclid(period) };
        Pen {
            // Rounded up, so that the thinnest line is no thinner once it is written.
            width: (width * 1000.0 - 1e-3).ceil() / 1000.0,
            cap: cap(stroke.linecap()),
            join: join(stroke.linejoin()),
            miter: f64::from(stroke.miterlimit().get()),
            dash,
            phase,
        }
    }

    /// Writes a path, mapped.
    pub(super) fn outline(&mut self, path: &tiny_skia::Path, place: Affine) {
        if let Some(bounds) = as_rectangle(path).filter(|_| place.b == 0.0 && place.c == 0.0) {
            self.rectangle(Bounds::around(bounds, place));
            return;
        }
        let at = |p: tiny_skia::Point| place.apply(f64::from(p.x), f64::from(p.y));
        let mut last = (0.0, 0.0);
        for segment in path.segments() {
            match segment {
                PathSegment::MoveTo(p) => {
                    last = at(p);
                    self.stream.op(&[last.0, last.1], "m");
                }
                PathSegment::LineTo(p) => {
                    last = at(p);
                    self.stream.op(&[last.0, last.1], "l");
                }
                PathSegment::QuadTo(control, p) => {
                    let (control, end) = (at(control), at(p));
                    let third = |from: (f64, f64)| {
                        (from.0 + (control.0 - from.0) * 2.0 / 3.0, from.1 + (control.1 - from.1) * 2.0 / 3.0)
                    };
                    self.curve(third(last), third(end), end);
                    last = end;
                }
                PathSegment::CubicTo(first, second, p) => {
                    last = at(p);
                    self.curve(at(first), at(second), last);
                }
                PathSegment::Close => self.stream.word("h"),
            }
        }
    }

    fn curve(&mut self, first: (f64, f64), second: (f64, f64), end: (f64, f64)) {
        self.stream.op(&[first.0, first.1, second.0, second.1, end.0, end.1], "c");
    }
}

/// Lines have no inside.
pub(super) fn has_area(path: &tiny_skia::Path) -> bool {
    let bounds = path.bounds();
    bounds.width() != 0.0 && bounds.height() != 0.0
}

/// Whether a map keeps angles, so that a line stays equally thick all along.
pub(super) fn is_similarity(m: Affine) -> bool {
    let (least, most) = stretch(m);
    most - least <= most * 1e-4
}

/// The rectangle that the path is, clockwise from its top left corner as usvg writes rectangles.
fn as_rectangle(path: &tiny_skia::Path) -> Option<tiny_skia::Rect> {
    use usvg::tiny_skia_path::PathVerb::{Close, Line, Move};
    if path.verbs() != [Move, Line, Line, Line, Close] {
        return None;
    }
    let [a, b, c, d] = path.points() else { return None };
    let straight = a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x && a.x < b.x && a.y < d.y;
    straight.then(|| tiny_skia::Rect::from_ltrb(a.x, a.y, c.x, c.y)).flatten()
}

const fn cap(cap: usvg::LineCap) -> u8 {
    match cap {
        usvg::LineCap::Butt => 0,
        usvg::LineCap::Round => 1,
        usvg::LineCap::Square => 2,
    }
}

const fn join(join: usvg::LineJoin) -> u8 {
    match join {
        usvg::LineJoin::Miter | usvg::LineJoin::MiterClip => 0,
        usvg::LineJoin::Round => 1,
        usvg::LineJoin::Bevel => 2,
    }
}
