//! A face painted coarsely, to see what is behind its texts and how far its art reaches.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use rayon::prelude::*;
use resvg::tiny_skia::{IntSize, Pixmap, Transform};

use super::colour::Rgb;
use super::flaw::Extent;
use crate::compose::face::{Art, Face, Layer};

/// Dots in a millimetre.
const DENSITY: f64 = 4.0;
/// The most dots of a face; large boards are painted more coarsely.
const MOST_DOTS: f64 = 1_000_000.0;

/// How a face is painted: its size in dots, and the dots in a millimetre.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Format {
    width: u32,
    height: u32,
    density: f64,
    bleed: f64,
}

impl Format {
    fn of(face: &Face) -> Self {
        let bleed = face.bleed.to_mm();
        let (w, h) = (face.trim.w.to_mm() + 2.0 * bleed, face.trim.h.to_mm() + 2.0 * bleed);
        let density = DENSITY.min((MOST_DOTS / (w * h)).sqrt());
        let dots = |mm: f64| (mm * density).ceil().max(1.0) as u32;
        Format { width: dots(w), height: dots(h), density, bleed }
    }

    fn draw(self, art: &Art, dots: &mut Pixmap) {
        let (density, shift) = (self.density as f32, (self.bleed * self.density) as f32);
        let map = Transform::from_row(density, 0.0, 0.0, density, shift, shift);
        resvg::render(&art.tree, map, &mut dots.as_mut());
    }
}

/// A drawing by its address: equal drawings are one, as long as the faces live.
type Key = (usize, u32, u32);

/// The lowest drawing of a face, and how it is painted.
fn lowest(face: &Face) -> Option<(&Arc<Art>, Format)> {
    let art = face.layers.iter().find_map(|layer| match layer {
        Layer::Art(art) => Some(art),
        Layer::Text(_) => None,
    });
    Some((art?, Format::of(face)))
}

/// Faces that have the same lowest drawing, by their numbers. As pictures are large, it is painted for so many faces at once and given up.
pub const MOST_TOGETHER: usize = 64;

/// Groups `faces` by their lowest drawing, in the order of the first of each.
pub fn groups(faces: &[Arc<Face>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut open: HashMap<Option<Key>, usize> = HashMap::new();
    for (number, face) in faces.iter().enumerate() {
        let group = open.entry(lowest(face).map(|(art, format)| key(art, format))).or_insert(groups.len());
        if groups.get(*group).is_none_or(|group| group.len() >= MOST_TOGETHER) {
            *group = groups.len();
            groups.push(Vec::new());
        }
        groups[*group].push(number);
    }
    groups
}

/// The lowest drawing of `face`, painted. None where there is none, or where it is too large.
pub fn painted(face: &Face) -> Option<Pixmap> {
    let (art, format) = lowest(face)?;
    let mut dots = Pixmap::new(format.width, format.height)?;
    format.draw(art, &mut dots);
    Some(dots)
}

fn key(art: &Arc<Art>, format: Format) -> Key {
    (Arc::as_ptr(art) as usize, format.width, format.height)
}

/// The drawings that several faces have above others, painted.
pub struct Shared {
    painted: HashMap<Key, Pixmap>,
}

impl Shared {
    /// Paints what more than one of `faces` has above its lowest drawing.
    pub fn of(faces: &[Arc<Face>]) -> Self {
        let mut counted: HashMap<Key, (usize, &Arc<Art>, Format)> = HashMap::new();
        for face in faces {
            let format = Format::of(face);
            let arts = face.layers.iter().filter_map(|layer| match layer {
                Layer::Art(art) => Some(art),
                Layer::Text(_) => None,
            });
            for art in arts.skip(1) {
                counted.entry(key(art, format)).or_insert((0, art, format)).0 += 1;
            }
        }
        let often: Vec<_> = counted.into_iter().filter(|(_, (count, ..))| *count > 1).collect();
        let painted = often.into_par_iter().filter_map(|(key, (_, art, format))| {
            let mut dots = Pixmap::new(format.width, format.height)?;
            format.draw(art, &mut dots);
            Some((key, dots))
        });
        Shared { painted: painted.collect() }
    }
}

/// Lays a picture over another of the same size: `above + below * (1 - alpha of above)`, both with their colours multiplied by
/// alpha (Porter and Duff 1984). Most dots of a drawing are clear or solid, so this is much quicker than a general painter.
fn lay_over(below: &mut Pixmap, above: &Pixmap) {
    for (under, over) in below.data_mut().chunks_exact_mut(4).zip(above.data().chunks_exact(4)) {
        match over[3] {
            0 => {}
            u8::MAX => under.copy_from_slice(over),
            alpha => {
                for (under, over) in under.iter_mut().zip(over) {
                    let rest = (u16::from(*under) * u16::from(u8::MAX - alpha) + 127) / 255;
                    *under = over.saturating_add(u8::try_from(rest).unwrap_or(u8::MAX));
                }
            }
        }
    }
}

/// A face in the making.
pub struct Ground<'s> {
    format: Format,
    /// None while nothing is painted.
    dots: Option<Cow<'s, Pixmap>>,
    lowest: Option<&'s Pixmap>,
    shared: &'s Shared,
}

impl<'s> Ground<'s> {
    /// Bare paper; `lowest` is the lowest drawing, where that is painted already. None where the face is too large to be painted.
    pub fn new(face: &Face, lowest: Option<&'s Pixmap>, shared: &'s Shared) -> Option<Self> {
        let format = Format::of(face);
        IntSize::from_wh(format.width, format.height)?;
        Some(Ground { format, dots: None, lowest, shared })
    }

    /// Paints a drawing on top.
    pub fn paint(&mut self, art: &Arc<Art>) {
        if let Some(lowest) = self.lowest.take() {
            self.dots = Some(Cow::Borrowed(lowest));
            return;
        }
        let bare = || Pixmap::new(self.format.width, self.format.height).map(Cow::Owned);
        let Some(mut dots) = self.dots.take().or_else(bare) else { return };
        match self.shared.painted.get(&key(art, self.format)) {
            Some(painted) => lay_over(dots.to_mut(), painted),
            None => self.format.draw(art, dots.to_mut()),
        }
        self.dots = Some(dots);
    }

    /// Calls `each` with the colours of every second dot within `extent`, a rectangle of the face.
    pub fn within(&self, [left, top, right, bottom]: Extent, mut each: impl FnMut(Rgb)) {
        let dot = |mm: f64| ((mm + self.format.bleed) * self.format.density).floor();
        let range = |from: f64, to: f64, end: u32| {
            let clamp = |dot: f64| dot.clamp(0.0, f64::from(end.saturating_sub(1))) as u32;
            (clamp(dot(from))..=clamp(dot(to))).step_by(2)
        };
        for y in range(top, bottom, self.format.height) {
            for x in range(left, right, self.format.width) {
                each(self.dot(x, y));
            }
        }
    }

    /// The colour at a place of the face; none beyond its bleed.
    pub fn at(&self, x: f64, y: f64) -> Option<Rgb> {
        let dot = |mm: f64| ((mm + self.format.bleed) * self.format.density).floor();
        let (x, y) = (dot(x), dot(y));
        let inside = x >= 0.0 && y >= 0.0 && x < f64::from(self.format.width) && y < f64::from(self.format.height);
        inside.then(|| self.dot(x as u32, y as u32))
    }

    /// The millimetres that a dot is wide.
    pub fn dot_width(&self) -> f64 {
        1.0 / self.format.density
    }

    /// The colour of a dot on white paper.
    fn dot(&self, x: u32, y: u32) -> Rgb {
        let Some(dot) = self.dots.as_ref().and_then(|dots| dots.pixel(x, y)) else { return [1.0; 3] };
        let paper = 255 - dot.alpha();
        [dot.red(), dot.green(), dot.blue()].map(|part| f64::from(part.saturating_add(paper)) / 255.0)
    }
}

#[cfg(test)]
mod tests {
    use resvg::tiny_skia::{Color, PixmapPaint};

    use super::*;

    #[test]
    fn laying_over_is_what_a_painter_does() {
        for (below, above) in [(255, 0), (255, 255), (255, 100), (90, 200), (0, 40)] {
            let filled = |red, green, alpha| {
                let mut dots = Pixmap::new(3, 2)?;
                dots.fill(Color::from_rgba8(red, green, 30, alpha));
                Some(dots)
            };
            let (Some(mut ours), Some(over)) = (filled(200, 10, below), filled(20, 220, above)) else { continue };
            let mut painted = ours.clone();
            lay_over(&mut ours, &over);
            painted.draw_pixmap(0, 0, over.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
            let near = |(one, other): (&u8, &u8)| one.abs_diff(*other) <= 1;
            assert!(ours.data().iter().zip(painted.data()).all(near), "{below} below {above}");
        }
    }
}
