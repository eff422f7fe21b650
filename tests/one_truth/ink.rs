//! Ink: what the outlines of glyphs cover, and what is dark in a picture.

use std::ops::Range;

use paiban::compose::face::Face;
use paiban::fonts::Fonts;
use paiban::geometry::Affine;
use tiny_skia::{Pixmap, PremultipliedColorU8};

use crate::composed::runs;

/// A rectangle; millimetres.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Bounds {
    const NONE: Bounds =
        Bounds { left: f64::INFINITY, top: f64::INFINITY, right: f64::NEG_INFINITY, bottom: f64::NEG_INFINITY };

    fn take_in(&mut self, x: f64, y: f64) {
        self.left = self.left.min(x);
        self.top = self.top.min(y);
        self.right = self.right.max(x);
        self.bottom = self.bottom.max(y);
    }

    fn with(mut self, other: Bounds) -> Bounds {
        self.take_in(other.left, other.top);
        self.take_in(other.right, other.bottom);
        self
    }

    pub fn outset(self, by: f64) -> Bounds {
        Bounds { left: self.left - by, top: self.top - by, right: self.right + by, bottom: self.bottom + by }
    }

    pub fn moved(self, x: f64, y: f64) -> Bounds {
        Bounds { left: self.left + x, top: self.top + y, right: self.right + x, bottom: self.bottom + y }
    }

    fn overlaps(self, other: Bounds) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    /// How far the side that is furthest off is from that of `other`.
    pub fn distance(self, other: Bounds) -> f64 {
        let sides =
            [self.left - other.left, self.top - other.top, self.right - other.right, self.bottom - other.bottom];
        sides.into_iter().map(f64::abs).fold(0.0, f64::max)
    }
}

/// Collects the extremes of an outline.
struct Outline {
    map: Affine,
    last: (f64, f64),
    bounds: Bounds,
}

impl Outline {
    fn curve(&mut self, at: impl Fn(f64) -> (f64, f64)) {
        const STEPS: u32 = 64;
        for step in 1..=STEPS {
            let (x, y) = at(f64::from(step) / f64::from(STEPS));
            let (x, y) = self.map.apply(x, y);
            self.bounds.take_in(x, y);
        }
    }

    fn go(&mut self, x: f32, y: f32) -> ((f64, f64), (f64, f64)) {
        let from = std::mem::replace(&mut self.last, (x.into(), y.into()));
        (from, self.last)
    }
}

impl ttf_parser::OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (_, to) = self.go(x, y);
        self.curve(|_| to);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (_, to) = self.go(x, y);
        self.curve(|_| to);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x0, y0), (x2, y2)) = self.go(x, y);
        let (x1, y1) = (f64::from(x1), f64::from(y1));
        let mix = |t: f64, a: f64, b: f64, c: f64| (1.0 - t) * (1.0 - t) * a + 2.0 * t * (1.0 - t) * b + t * t * c;
        self.curve(|t| (mix(t, x0, x1, x2), mix(t, y0, y1, y2)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x0, y0), (x3, y3)) = self.go(x, y);
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(f64::from);
        let mix = |t: f64, a: f64, b: f64, c: f64, d: f64| {
            let u = 1.0 - t;
            u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
        };
        self.curve(|t| (mix(t, x0, x1, x2, x3), mix(t, y0, y1, y2, y3)));
    }

    fn close(&mut self) {}
}

/// What the outline of each glyph of a face covers.
pub fn of_face(face: &Face, fonts: &Fonts) -> Vec<Bounds> {
    let mut all = Vec::new();
    for run in runs(face) {
        let font = fonts.face(run.font);
        let parsed = ttf_parser::Face::parse(font.bytes(), font.index).expect("a face");
        let unit = f64::from(run.size) / font.units_per_em;
        for glyph in &run.glyphs {
            let origin = Affine::translate(f64::from(glyph.x), f64::from(glyph.y));
            let map = run.transform.then_inner(origin).then_inner(Affine::scale(unit, -unit));
            let mut outline = Outline { map, last: (0.0, 0.0), bounds: Bounds::NONE };
            if parsed.outline_glyph(ttf_parser::GlyphId(glyph.id), &mut outline).is_some() {
                all.push(outline.bounds);
            }
        }
    }
    all
}

/// What stands so close together that it cannot be told apart in dots of this size.
pub fn clusters(outlines: &[Bounds], dot: f64) -> Vec<Bounds> {
    let mut clusters: Vec<Bounds> = Vec::new();
    for outline in outlines {
        let mut cluster = *outline;
        while let Some(at) =
            clusters.iter().position(|other| other.outset(1.5 * dot).overlaps(cluster.outset(1.5 * dot)))
        {
            cluster = cluster.with(clusters.swap_remove(at));
        }
        clusters.push(cluster);
    }
    clusters
}

/// How black a dot is. Icons are red and do not count.
fn ink(dot: PremultipliedColorU8) -> f64 {
    1.0 - f64::from(dot.red()) / 255.0
}

/// A picture with the size of its dots and the place of its origin; millimetres.
pub struct Picture {
    dots: Pixmap,
    pub dot: f64,
    origin: (f64, f64),
    /// For every corner of a dot, all ink above and left of it.
    sums: Vec<f64>,
}

impl Picture {
    /// A picture of a face at `dpi`.
    pub fn new(dots: Pixmap, dpi: f64) -> Self {
        let (w, h) = (dots.width() as usize, dots.height() as usize);
        let mut sums = vec![0.0; (w + 1) * (h + 1)];
        for (y, row) in dots.pixels().chunks_exact(w).enumerate() {
            let mut sum = 0.0;
            for (x, dot) in row.iter().enumerate() {
                sum += ink(*dot);
                sums[(y + 1) * (w + 1) + x + 1] = sums[y * (w + 1) + x + 1] + sum;
            }
        }
        Picture { dots, dot: 25.4 / dpi, origin: (0.0, 0.0), sums }
    }

    /// The same dots in another place.
    pub fn with_origin(self, origin: (f64, f64)) -> Self {
        Picture { origin, ..self }
    }

    /// The dots that `area` touches: columns, rows.
    fn touched(&self, area: Bounds) -> (Range<u32>, Range<u32>) {
        let clamp = |mm: f64, most: u32| (mm / self.dot).clamp(0.0, f64::from(most)) as u32;
        let area = area.moved(-self.origin.0, -self.origin.1);
        let right = clamp(area.right + self.dot, self.dots.width());
        let bottom = clamp(area.bottom + self.dot, self.dots.height());
        (clamp(area.left, self.dots.width())..right, clamp(area.top, self.dots.height())..bottom)
    }

    fn ink(&self, x: u32, y: u32) -> f64 {
        self.dots.pixel(x, y).map_or(0.0, ink)
    }

    /// What ink in `area` reaches.
    pub fn bounds(&self, area: Bounds) -> Option<Bounds> {
        let (columns, rows) = self.touched(area);
        let mut bounds = Bounds::NONE;
        for (x, y) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))).filter(|(x, y)| self.ink(*x, *y) > 0.01) {
            let (left, top) = (f64::from(x) * self.dot, f64::from(y) * self.dot);
            bounds.take_in(left, top);
            bounds.take_in(left + self.dot, top + self.dot);
        }
        (bounds.left < bounds.right).then(|| bounds.moved(self.origin.0, self.origin.1))
    }

    /// All ink above and left of a place, dots that it cuts counted in part.
    fn before(&self, x: f64, y: f64) -> f64 {
        let place = |at: f64, origin: f64, most: u32| ((at - origin) / self.dot).clamp(0.0, f64::from(most));
        let x = place(x, self.origin.0, self.dots.width());
        let y = place(y, self.origin.1, self.dots.height());
        let sum = |x: f64, y: f64| self.sums[y as usize * (self.dots.width() as usize + 1) + x as usize];
        let row = |y: f64| sum(x.floor(), y) + x.fract() * (sum(x.ceil(), y) - sum(x.floor(), y));
        row(y.floor()) + y.fract() * (row(y.ceil()) - row(y.floor()))
    }

    /// How black the square of (`left`, `top`) and size `side` is.
    fn average(&self, left: f64, top: f64, side: f64) -> f64 {
        let (right, bottom) = (left + side, top + side);
        let all = self.before(right, bottom) - self.before(left, bottom) - self.before(right, top);
        (all + self.before(left, top)) * (self.dot / side).powi(2)
    }

    /// How far the ink in `area` is from that of `reference`, a finer picture of the same: the shift that explains most of what
    /// differs between the two.
    pub fn shift(&self, reference: &Picture, area: Bounds) -> (f64, f64) {
        let (columns, rows) = self.touched(area);
        let at = |x: f64, y: f64| {
            let place = |at: f64, origin: f64| at * self.dot + origin;
            reference.average(place(x, self.origin.0), place(y, self.origin.1), self.dot)
        };
        let (mut xx, mut xy, mut yy, mut x_off, mut y_off) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (column, row) in rows.flat_map(|y| columns.clone().map(move |x| (x, y))) {
            let (x, y) = (f64::from(column), f64::from(row));
            let (across, down) = ((at(x + 0.5, y) - at(x - 0.5, y)), (at(x, y + 0.5) - at(x, y - 0.5)));
            let off = at(x, y) - self.ink(column, row);
            xx += across * across;
            xy += across * down;
            yy += down * down;
            x_off += across * off;
            y_off += down * off;
        }
        let whole = xx * yy - xy * xy;
        ((yy * x_off - xy * y_off) / whole * self.dot, (xx * y_off - xy * x_off) / whole * self.dot)
    }
}
