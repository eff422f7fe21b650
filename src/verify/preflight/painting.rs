//! A drawing painted coarsely, once somebody looks at it.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use resvg::usvg::{BlendMode, Group, Node};

use crate::compose::face::{Art, Face};

/// Dots in a millimetre.
const DENSITY: f64 = 4.0;
/// The most dots of a face; large boards are painted more coarsely.
const MOST_DOTS: f64 = 1_000_000.0;
/// What smooth edges reach beyond a drawing's bounds, in dots.
const REACH: f32 = 2.0;

/// A dot: red, green and blue, multiplied by alpha, and alpha.
pub type Dot = [u8; 4];

/// A dot of a picture.
pub fn dot(dot: &PremultipliedColorU8) -> Dot {
    [dot.red(), dot.green(), dot.blue(), dot.alpha()]
}

/// A dot over another: `above + below * (1 - alpha of above)`, both with their colours multiplied by alpha (Porter and Duff 1984).
pub fn laid_over(below: Dot, above: Dot) -> Dot {
    let clear = u16::from(u8::MAX - above[3]);
    let mut dot = above;
    for (part, under) in dot.iter_mut().zip(below) {
        let rest = (u16::from(under) * clear + 127) / 255;
        *part = part.saturating_add(u8::try_from(rest).unwrap_or(u8::MAX));
    }
    dot
}

/// How a face is painted: its size in dots, and the dots in a millimetre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Format {
    /// The dots in a row.
    pub width: u32,
    /// The rows.
    pub height: u32,
    /// The dots in a millimetre.
    pub density: f64,
    /// The millimetres beyond the trim.
    pub bleed: f64,
}

impl Format {
    /// How `face` is painted.
    pub fn of(face: &Face) -> Self {
        let bleed = face.bleed.to_mm();
        let (w, h) = (face.trim.w.to_mm() + 2.0 * bleed, face.trim.h.to_mm() + 2.0 * bleed);
        let density = DENSITY.min((MOST_DOTS / (w * h)).sqrt());
        let dots = |mm: f64| (mm * density).ceil().max(1.0) as u32;
        Format { width: dots(w), height: dots(h), density, bleed }
    }

    /// From the millimetres of the face to the dots from a corner on.
    fn map(self, left: u32, top: u32) -> Transform {
        let (density, shift) = (self.density as f32, (self.bleed * self.density) as f32);
        Transform::from_row(density, 0.0, 0.0, density, shift - left as f32, shift - top as f32)
    }
}

/// A drawing on a face, painted when it is looked at first.
pub struct Painting {
    art: Arc<Art>,
    format: Format,
    area: Area,
    dots: OnceLock<Option<Pixmap>>,
    /// Whether it looks otherwise on another ground.
    pub blends: bool,
}

/// Dots of a face: from the left and the top to the first that are right of and below it.
#[derive(Clone, Copy)]
struct Area {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Painting {
    /// Nothing is painted yet.
    pub fn new(art: &Arc<Art>, format: Format) -> Self {
        let area = Area::of(art, format);
        Painting { art: Arc::clone(art), format, area, dots: OnceLock::new(), blends: blends(art.tree.root()) }
    }

    /// A drawing on what is below it, painted as one.
    pub fn on(below: &[Arc<Painting>], art: &Arc<Art>, format: Format) -> Self {
        let area = Area::all(format);
        let dots = Pixmap::new(format.width, format.height).map(|mut dots| {
            below.iter().for_each(|painting| painting.lay_over(&mut dots));
            resvg::render(&art.tree, format.map(0, 0), &mut dots.as_mut());
            dots
        });
        Painting { art: Arc::clone(art), format, area, dots: OnceLock::from(dots), blends: true }
    }

    /// A dot of the face; clear where the drawing leaves it.
    pub fn dot(&self, x: u32, y: u32) -> Dot {
        self.row(&(x..x + 1), y).and_then(<[_]>::first).map_or([0; 4], dot)
    }

    /// The dots of these columns in a row; none where the drawing covers not all of them.
    pub fn row(&self, columns: &Range<u32>, y: u32) -> Option<&[PremultipliedColorU8]> {
        let Area { left, top, right, bottom } = self.area;
        if columns.start < left || columns.end > right || y < top || y >= bottom {
            return None;
        }
        let dots = self.dots.get_or_init(|| self.painted()).as_ref()?;
        let start = (y - top) as usize * (right - left) as usize;
        let place = |column: u32| start + (column - left) as usize;
        dots.pixels().get(place(columns.start)..place(columns.end))
    }

    /// Lays it over a picture of the whole face.
    fn lay_over(&self, below: &mut Pixmap) {
        let Area { left, top, right, bottom } = self.area;
        let width = below.width() as usize;
        for y in top..bottom {
            let above = self.row(&(left..right), y).unwrap_or_default();
            let (below, _) = below.data_mut().as_chunks_mut();
            let start = y as usize * width + left as usize;
            for (under, over) in below.iter_mut().skip(start).zip(above) {
                *under = laid_over(*under, dot(over));
            }
        }
    }

    /// Whether it covers anything of a part of the face.
    pub fn meets(&self, columns: &Range<u32>, rows: &Range<u32>) -> bool {
        let Area { left, top, right, bottom } = self.area;
        columns.start < right && left < columns.end && rows.start < bottom && top < rows.end
    }

    fn painted(&self) -> Option<Pixmap> {
        let Area { left, top, right, bottom } = self.area;
        let mut dots = Pixmap::new(right - left, bottom - top)?;
        resvg::render(&self.art.tree, self.format.map(left, top), &mut dots.as_mut());
        Some(dots)
    }
}

impl Area {
    fn all(format: Format) -> Self {
        Area { left: 0, top: 0, right: format.width, bottom: format.height }
    }

    /// What a drawing covers at most.
    fn of(art: &Art, format: Format) -> Self {
        let bounds = art.tree.root().abs_layer_bounding_box().to_rect().transform(format.map(0, 0));
        let Some(bounds) = bounds else { return Area::all(format) };
        // What is below zero becomes zero.
        let from = |dot: f32, end: u32| ((dot - REACH).floor() as u32).min(end);
        let to = |dot: f32, end: u32| ((dot + REACH).ceil() as u32).min(end);
        let (right, bottom) = (to(bounds.right(), format.width), to(bounds.bottom(), format.height));
        Area { left: from(bounds.left(), right), top: from(bounds.top(), bottom), right, bottom }
    }
}

/// Whether something in `group` mixes with what is below it otherwise than by its opacity.
fn blends(group: &Group) -> bool {
    let inside = |node: &Node| matches!(node, Node::Group(inner) if blends(inner));
    group.blend_mode() != BlendMode::Normal || group.children().iter().any(inside)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use resvg::tiny_skia::{Color, PixmapPaint};

    use super::*;

    #[test]
    fn laying_over_is_what_a_painter_does() {
        for (below, above) in [(255, 0), (255, 255), (255, 100), (90, 200), (0, 40)] {
            let filled = |red, green, alpha| {
                let mut dots = Pixmap::new(1, 1).unwrap();
                dots.fill(Color::from_rgba8(red, green, 30, alpha));
                dots
            };
            let (mut below, above) = (filled(200, 10, below), filled(20, 220, above));
            let dot = |dots: &Pixmap| -> Dot { dots.data().try_into().unwrap() };
            let ours = laid_over(dot(&below), dot(&above));
            below.draw_pixmap(0, 0, above.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
            let near = |(one, other): (u8, u8)| one.abs_diff(other) <= 1;
            assert!(ours.into_iter().zip(dot(&below)).all(near), "{ours:?}");
        }
    }
}
