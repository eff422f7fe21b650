//! A face painted coarsely, to see what is behind its texts and how far its art reaches. Only what is looked at is painted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use resvg::tiny_skia::IntSize;

use super::colour::Rgb;
use super::flaw::Extent;
use super::painting::{self, Dot, Format, Painting, laid_over};
use crate::compose::face::{Art, Face, Layer};

/// A drawing by its address: equal drawings are one, as long as the faces live.
type Key = (usize, u32, u32);

fn key(art: &Arc<Art>, format: Format) -> Key {
    (Arc::as_ptr(art) as usize, format.width, format.height)
}

/// The drawings of a face, from the bottom up.
fn arts(face: &Face) -> impl Iterator<Item = &Arc<Art>> {
    face.layers.iter().filter_map(|layer| match layer {
        Layer::Art(art) => Some(art),
        Layer::Text(_) => None,
    })
}

/// The most faces that are measured one after the other because they have a drawing in common.
const MOST_TOGETHER: usize = 64;
/// The most paintings of a face that are kept apart: each may be as large as the face.
const MOST_PAINTINGS: usize = 32;

/// Groups `faces` by their lowest drawing, in the order of the first of each: what they share is painted and soon given up.
pub fn groups(faces: &[Arc<Face>]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut open: HashMap<Option<Key>, usize> = HashMap::new();
    for (number, face) in faces.iter().enumerate() {
        let lowest = arts(face).next().map(|art| key(art, Format::of(face)));
        let group = open.entry(lowest).or_insert(groups.len());
        if groups.get(*group).is_none_or(|group| group.len() >= MOST_TOGETHER) {
            *group = groups.len();
            groups.push(Vec::new());
        }
        groups[*group].push(number);
    }
    groups
}

/// The paintings that several faces have in common, each from the first face that asks for it to the last.
pub struct Shared {
    open: Mutex<HashMap<Key, Wanted>>,
}

/// A drawing that will be asked for.
#[derive(Default)]
struct Wanted {
    times: usize,
    painting: Option<Arc<Painting>>,
}

impl Shared {
    /// Counts what `faces` will ask for.
    pub fn of(faces: &[Arc<Face>]) -> Self {
        let mut open: HashMap<Key, Wanted> = HashMap::new();
        for face in faces {
            let format = Format::of(face);
            arts(face).for_each(|art| open.entry(key(art, format)).or_default().times += 1);
        }
        Shared { open: Mutex::new(open) }
    }

    /// The painting of a drawing, for one more time.
    fn take(&self, art: &Arc<Art>, format: Format) -> Arc<Painting> {
        let key = key(art, format);
        let known = self.open().get(&key).and_then(|wanted| wanted.painting.clone());
        // A drawing of an earlier run is read only now: nobody else waits for that.
        let painting = known.unwrap_or_else(|| Arc::new(Painting::new(art, format)));
        let mut open = self.open();
        let Some(wanted) = open.get_mut(&key) else { return painting };
        let painting = Arc::clone(wanted.painting.get_or_insert(painting));
        wanted.times = wanted.times.saturating_sub(1);
        if wanted.times == 0 {
            open.remove(&key);
        }
        painting
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Key, Wanted>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A face in the making.
pub struct Ground<'s> {
    format: Format,
    shared: &'s Shared,
    /// From the bottom up.
    paintings: Vec<Arc<Painting>>,
}

impl<'s> Ground<'s> {
    /// Bare paper. None where the face is too large to be painted.
    pub fn new(face: &Face, shared: &'s Shared) -> Option<Self> {
        let format = Format::of(face);
        IntSize::from_wh(format.width, format.height)?;
        Some(Ground { format, shared, paintings: Vec::new() })
    }

    /// Puts a drawing on top.
    pub fn paint(&mut self, art: &Arc<Art>) {
        let painting = self.shared.take(art, self.format);
        let hangs_on_ground = painting.blends && !self.paintings.is_empty();
        if hangs_on_ground || self.paintings.len() == MOST_PAINTINGS {
            self.paintings = vec![Arc::new(Painting::on(&self.paintings, art, self.format))];
        } else {
            self.paintings.push(painting);
        }
    }

    /// Calls `each` with the colours of every second dot within `extent`, a rectangle of the face: neighbours of one colour at once, and
    /// how many they are.
    pub fn within(&self, [left, top, right, bottom]: Extent, mut each: impl FnMut(Rgb, usize)) {
        let dot = |mm: f64| ((mm + self.format.bleed) * self.format.density).floor();
        let range = |from: f64, to: f64, end: u32| {
            let clamp = |dot: f64| dot.clamp(0.0, f64::from(end.saturating_sub(1))) as u32;
            clamp(dot(from))..clamp(dot(to)) + 1
        };
        let (columns, rows) = (range(left, right, self.format.width), range(top, bottom, self.format.height));
        let paintings: Vec<&Arc<Painting>> =
            self.paintings.iter().filter(|painting| painting.meets(&columns, &rows)).collect();
        let (mut last, mut count) = ([0; 4], 0);
        for y in rows.step_by(2) {
            let top = paintings.last().and_then(|top| top.row(&columns, y)).unwrap_or_default();
            for x in columns.clone().step_by(2) {
                // Most texts stand on something solid.
                let solid = top.get((x - columns.start) as usize).map(painting::dot).filter(|dot| dot[3] == u8::MAX);
                let dot = solid.unwrap_or_else(|| dot_of(&paintings, x, y));
                if dot != last && count > 0 {
                    each(on_paper(last), count);
                    count = 0;
                }
                (last, count) = (dot, count + 1);
            }
        }
        if count > 0 {
            each(on_paper(last), count);
        }
    }

    /// The colour at a place of the face; none beyond its bleed.
    pub fn at(&self, x: f64, y: f64) -> Option<Rgb> {
        let dot = |mm: f64| ((mm + self.format.bleed) * self.format.density).floor();
        let (x, y) = (dot(x), dot(y));
        let inside = x >= 0.0 && y >= 0.0 && x < f64::from(self.format.width) && y < f64::from(self.format.height);
        inside.then(|| on_paper(self.dot(x as u32, y as u32)))
    }

    /// The millimetres that a dot is wide.
    pub fn dot_width(&self) -> f64 {
        1.0 / self.format.density
    }

    /// A dot: what shows of the paintings above the uppermost solid one.
    fn dot(&self, x: u32, y: u32) -> Dot {
        dot_of(&self.paintings, x, y)
    }
}

fn dot_of<P: AsRef<Painting>>(mut paintings: &[P], x: u32, y: u32) -> Dot {
    while let Some((top, below)) = paintings.split_last() {
        let over = top.as_ref().dot(x, y);
        match over[3] {
            0 => paintings = below,
            u8::MAX => return over,
            _ => return laid_over(dot_of(below, x, y), over),
        }
    }
    [0; 4]
}

/// The colour of a dot on white paper.
fn on_paper([red, green, blue, alpha]: Dot) -> Rgb {
    let paper = u8::MAX - alpha;
    [red, green, blue].map(|part| f64::from(part.saturating_add(paper)) / 255.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use super::super::testing;
    use super::*;
    use crate::geometry::Size;

    /// The colours at places of a face of 20 x 20 mm with these drawings, 10 mm from the top, and how many paintings it came to.
    fn seen<const PLACES: usize>(drawings: &[String], places: [f64; PLACES]) -> ([Option<[u8; 3]>; PLACES], usize) {
        let size = Size::mm(20, 20);
        let layers = drawings.iter().flat_map(|body| testing::face(size, body).layers).collect();
        let face = Face { layers, ..testing::face(size, "") };
        let shared = Shared::of(&[]);
        let mut ground = Ground::new(&face, &shared).unwrap();
        arts(&face).for_each(|art| ground.paint(art));
        let colour = |x: f64| ground.at(x, 10.0).map(|colour| colour.map(|part| (part * 255.0).round() as u8));
        (places.map(colour), ground.paintings.len())
    }

    #[test]
    fn what_blends_is_painted_on_what_is_below() {
        let drawings = [
            r##"<rect width="20" height="20" fill="#80ff80"/>"##,
            r##"<rect width="10" height="20" fill="#ff8080" style="mix-blend-mode: multiply"/>"##,
        ];
        let (colours, _) = seen(&drawings.map(str::to_owned), [5.0, 15.0, -1.0]);
        assert_eq!(colours, [Some([0x80, 0x80, 0x40]), Some([0x80, 0xff, 0x80]), Some([0xff; 3])]);
    }

    #[test]
    fn many_paintings_become_one() {
        // Each is a millimetre and lets a little through; the ground shows beside them.
        let strip = |x: usize| {
            format!(r##"<rect x="{}" width="1" height="20" fill="#000000" opacity="0.{}"/>"##, x % 16, x % 9 + 1)
        };
        let ground = r##"<rect width="20" height="20" fill="#80ff80"/>"##.to_owned();
        let drawings: Vec<String> = std::iter::once(ground).chain((0..100).map(strip)).collect();
        let (colours, paintings) = seen(&drawings, [0.5, 9.5, 18.0]);
        assert!(paintings <= MOST_PAINTINGS, "{paintings}");
        let shade = |x: usize| (x..100).step_by(16).fold(1.0, |light, x| light * (0.9 - (x % 9) as f64 / 10.0));
        for (colour, x) in colours.into_iter().zip([0, 9]) {
            let meant = [128.0, 255.0, 128.0].map(|part| part * shade(x));
            let near = |(is, meant): (u8, f64)| (f64::from(is) - meant).abs() < 4.0;
            assert!(colour.unwrap().into_iter().zip(meant).all(near), "{colour:?} {meant:?}");
        }
        assert_eq!(colours[2], Some([0x80, 0xff, 0x80]));
    }
}
