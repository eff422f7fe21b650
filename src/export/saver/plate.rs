//! What has been painted so far, in coarse dots: as it was meant, and as it is now.

use resvg::tiny_skia::{FillRule, Mask, Path, Rect, Stroke, Transform};

use super::colour::{Colour, Under};
use super::outline;
use crate::export::pdf::Bounds;
use crate::geometry::Affine;

/// Dots in a millimetre.
const SCALE: f64 = 2.0;
/// The most dots along a side.
const MOST_DOTS: f64 = 4000.0;

/// A face in coarse dots.
pub(super) struct Plate {
    bounds: Bounds,
    width: usize,
    height: usize,
    dots: Vec<Under>,
}

/// What a shape covers of the plate.
pub(super) struct Spot {
    left: usize,
    top: usize,
    width: usize,
    /// How much of each dot, row by row: 0 to 1.
    cover: Vec<f64>,
    /// In square millimetres.
    pub(super) area: f64,
}

impl Plate {
    /// White paper.
    pub(super) fn new(bounds: Bounds) -> Self {
        let dots = |length: f64| (length * SCALE).ceil().clamp(1.0, MOST_DOTS) as usize;
        let (width, height) = (dots(bounds.width()), dots(bounds.height()));
        let paper = Under { before: Colour::WHITE, after: Colour::WHITE };
        Plate { bounds, width, height, dots: vec![paper; width * height] }
    }

    /// All that can be seen of the face.
    pub(super) const fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// What lies below a spot, on the whole.
    pub(super) fn under(&self, spot: &Spot) -> Under {
        let (mut before, mut after, mut weight) = ([0.0; 3], [0.0; 3], 0.0);
        for (at, cover) in spot.dots(self.width) {
            let Some(dot) = self.dots.get(at) else { continue };
            weight += cover;
            for (sum, dot) in [(&mut before, dot.before), (&mut after, dot.after)] {
                sum.iter_mut().zip(dot.0).for_each(|(sum, level)| *sum += level * cover);
            }
        }
        let mean = |sum: [f64; 3]| Colour(sum.map(|level| level / weight));
        Under { before: mean(before), after: mean(after) }
    }

    /// Paints a spot, in the colour that was meant and in the one that it gets.
    pub(super) fn paint(&mut self, spot: &Spot, before: Colour, after: Colour, opacity: f64) {
        for (at, cover) in spot.dots(self.width) {
            let Some(dot) = self.dots.get_mut(at) else { continue };
            let part = cover * opacity;
            *dot = Under { before: before.over(dot.before, part), after: after.over(dot.after, part) };
        }
    }
}

impl Spot {
    /// What a filled path covers, mapped to the face. None where that is nothing.
    pub(super) fn filled(plate: &Plate, path: &Path, rule: FillRule, map: Affine) -> Option<Self> {
        Self::seen(plate, path, rule, map, plate.bounds)
    }

    /// The same, of what is seen of it.
    pub(super) fn seen(plate: &Plate, path: &Path, rule: FillRule, map: Affine, seen: Bounds) -> Option<Self> {
        let bounds = Bounds::around(path.bounds(), map).common(seen)?.common(plate.bounds)?;
        let dots = |length: f64| (length * SCALE).max(0.0) as usize;
        let (left, top) = (dots(bounds.left - plate.bounds.left), dots(bounds.top - plate.bounds.top));
        let right = (dots(bounds.right - plate.bounds.left) + 1).min(plate.width);
        let bottom = (dots(bounds.bottom - plate.bounds.top) + 1).min(plate.height);
        let (width, height) = (right.checked_sub(left)?, bottom.checked_sub(top)?);
        let place = Affine::translate(-(left as f64), -(top as f64))
            .then_inner(Affine::scale(SCALE, SCALE))
            .then_inner(Affine::translate(-plate.bounds.left, -plate.bounds.top));
        let mut mask = Mask::new(u32::try_from(width).ok()?, u32::try_from(height).ok()?)?;
        mask.fill_path(path, rule, true, outline::transform(place.then_inner(map)));
        let edge = bounds.mapped(place);
        let window = Rect::from_ltrb(edge.left as f32, edge.top as f32, edge.right as f32, edge.bottom as f32)?;
        let window = resvg::tiny_skia::PathBuilder::from_rect(window);
        mask.intersect_path(&window, FillRule::Winding, true, Transform::identity());
        let cover: Vec<f64> = mask.data().iter().map(|cover| f64::from(*cover) / 255.0).collect();
        let area = cover.iter().sum::<f64>() / (SCALE * SCALE);
        (area > 0.0).then_some(Spot { left, top, width, cover, area })
    }

    /// What the line of a path covers.
    pub(super) fn stroked(plate: &Plate, path: &Path, stroke: &Stroke, map: Affine, seen: Bounds) -> Option<Self> {
        let line = path.stroke(stroke, 1.0)?;
        Self::seen(plate, &line, FillRule::Winding, map, seen)
    }

    /// The dots that it touches, of a plate so wide.
    fn dots(&self, across: usize) -> impl Iterator<Item = (usize, f64)> {
        let place = move |index: usize| (self.top + index / self.width) * across + self.left + index % self.width;
        let touched = self.cover.iter().enumerate().filter(|(_, cover)| **cover > 0.0);
        touched.map(move |(index, cover)| (place(index), *cover))
    }
}
