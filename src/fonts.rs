//! The project's own fonts, and no others. Text is measured, drawn and embedded from the very same bytes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use fontdb::{Database, Source};
use serde::{Deserialize, Serialize};

mod outlines;

use crate::source::careful::careful;
pub use outlines::OutlineHash;

/// The font that the program carries, so that it works with no file beside it: regular and bold.
static BUILT_IN: [&[u8]; 2] = [
    include_bytes!("../fonts/noto-sans-cjk-sc/NotoSansCJKsc-Regular.otf"),
    include_bytes!("../fonts/noto-sans-cjk-sc/NotoSansCJKsc-Bold.otf"),
];

/// The family of the built-in font; what `sans` means where a game says nothing else.
pub const BUILT_IN_FAMILY: &str = "Noto Sans CJK SC";

/// The most faces of one file.
const MOST_FACES: u32 = 256;

/// A face, by its number in [`Fonts`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FontId(pub u16);

/// The bytes of a font file, shared.
pub type FontData = Arc<dyn AsRef<[u8]> + Sync + Send>;

/// One face of one font file.
pub struct FontFace {
    /// Its number in the font database.
    pub key: fontdb::ID,
    /// The file's bytes.
    pub data: FontData,
    /// The face's index inside the file.
    pub index: u32,
    /// Family name.
    pub family: String,
    /// PostScript name.
    pub post_script_name: String,
    /// Weight, 100 to 900.
    pub weight: u16,
    /// Whether the face slants.
    pub italic: bool,
    /// Units per em.
    pub units_per_em: f64,
    /// Height above the baseline, as a share of the em.
    pub ascent: f64,
    /// Depth below the baseline, as a share of the em (positive).
    pub descent: f64,
    /// Height of capitals, as a share of the em.
    pub cap_height: f64,
    /// Measures of Han characters. None where the face has none.
    pub han: Option<Han>,
    shaper: harfrust::ShaperData,
    bearings: OnceLock<BTreeMap<char, Bearings>>,
    dot: OnceLock<Option<Dot>>,
    hyphen: OnceLock<Option<(u16, f64)>>,
    plans: RwLock<Vec<(Plan, Arc<harfrust::ShapePlan>)>>,
    known_outlines: outlines::Known,
}

/// What a plan for shaping depends on, beside the face.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The script.
    pub script: harfrust::Script,
    /// The language, where it matters.
    pub language: Option<harfrust::Language>,
    /// The forms that characters take.
    pub forms: Forms,
}

/// The forms that characters take, beside the default ones of their face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forms {
    /// The default ones.
    Default,
    /// Letters are spaced, so that they must not be joined to ligatures.
    Spaced,
    /// Those of columns. These are set from glyphs of lines: few faces have measures for columns.
    Columns,
    /// Western text: quotes and ellipses are not as wide as a Han character, as they are by default in Chinese faces.
    Western,
    /// Western text, spaced.
    WesternSpaced,
    /// Western text, letter below letter.
    WesternStacked,
}

impl Forms {
    /// The features beside the default ones.
    pub fn features(self) -> &'static [harfrust::Feature] {
        static FEATURES: [harfrust::Feature; 5] = [
            feature(*b"pwid", 1),
            feature(*b"liga", 0),
            feature(*b"clig", 0),
            feature(*b"kern", 0),
            feature(*b"vert", 1),
        ];
        match self {
            Forms::Default => &[],
            Forms::Spaced => &FEATURES[1..3],
            Forms::Columns => &FEATURES[1..],
            Forms::Western => &FEATURES[..1],
            Forms::WesternSpaced => &FEATURES[..3],
            Forms::WesternStacked => &FEATURES[..4],
        }
    }
}

/// Turns a feature on or off for all of a text.
const fn feature(tag: [u8; 4], value: u32) -> harfrust::Feature {
    harfrust::Feature { tag: harfrust::Tag::from_be_bytes(tag), value, start: 0, end: u32::MAX }
}

/// Measures of a face's Han characters, as shares of the em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Han {
    /// How far above the baseline the middle of their ink is.
    pub middle: f64,
    /// Their advance: one em in most faces, a little less in some.
    pub advance: f64,
}

/// The empty space inside a glyph's advance, as shares of the em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bearings {
    /// Left of the ink.
    pub left: f64,
    /// Right of the ink.
    pub right: f64,
}

/// A round mark of a face; its measures are shares of the em.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    /// Glyph number.
    pub glyph: u16,
    /// From its origin to its middle.
    pub x: f64,
    /// How far its middle is above the baseline.
    pub y: f64,
    /// Its width.
    pub diameter: f64,
}

/// The punctuation whose empty half may be taken away.
const WIDE_PUNCTUATION: &str = "、，；：。！？．「」『』（）〔〕【】《》〈〉〖〗〘〙〚〛〝〞〟［］｛｝“”‘’";

impl FontFace {
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        (*self.data).as_ref()
    }

    /// Whether it has a glyph for `character` on its own.
    pub fn has(&self, character: char) -> bool {
        let face = ttf_parser::Face::parse(self.bytes(), self.index);
        face.is_ok_and(|face| face.glyph_index(character).is_some())
    }

    /// The shaper's data, made once a face.
    pub const fn shaper(&self) -> &harfrust::ShaperData {
        &self.shaper
    }

    /// The plan for shaping with this face, made once: making it takes longer than shaping a line.
    pub fn plan(&self, wanted: &Plan, shaper: &harfrust::Shaper) -> Arc<harfrust::ShapePlan> {
        let known = self.plans.read().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, plan)) = known.iter().find(|(plan, _)| plan == wanted) {
            return Arc::clone(plan);
        }
        drop(known);
        let language = wanted.language.as_ref();
        let script = Some(wanted.script);
        let direction = harfrust::Direction::LeftToRight;
        let plan = harfrust::ShapePlan::new(shaper, direction, script, language, wanted.forms.features());
        let plan = Arc::new(plan);
        self.plans.write().unwrap_or_else(PoisonError::into_inner).push((wanted.clone(), Arc::clone(&plan)));
        plan
    }

    /// The empty space inside a punctuation mark's advance. None when the face lacks it or it is no full-width punctuation.
    pub fn bearings(&self, mark: char) -> Option<Bearings> {
        self.bearings.get_or_init(|| self.measure_punctuation().unwrap_or_default()).get(&mark).copied()
    }

    /// The face's roundest dot. None when it has none at all.
    pub fn dot(&self) -> Option<Dot> {
        *self.dot.get_or_init(|| {
            let face = ttf_parser::Face::parse(self.bytes(), self.index).ok()?;
            ['•', '·', '.'].into_iter().find_map(|mark| {
                let glyph = face.glyph_index(mark)?;
                let ink = face.glyph_bounding_box(glyph)?;
                let middle = |low: i16, high: i16| (f64::from(low) + f64::from(high)) / 2.0 / self.units_per_em;
                let diameter = f64::from(ink.width()) / self.units_per_em;
                let (x, y) = (middle(ink.x_min, ink.x_max), middle(ink.y_min, ink.y_max));
                (diameter > 0.0).then_some(Dot { glyph: glyph.0, x, y, diameter })
            })
        })
    }

    /// The glyph of a hyphen and its advance as a share of the em.
    pub fn hyphen(&self) -> Option<(u16, f64)> {
        *self.hyphen.get_or_init(|| {
            let face = ttf_parser::Face::parse(self.bytes(), self.index).ok()?;
            // U+2010 is a full em wide in Chinese faces.
            let glyph = face.glyph_index('-').or_else(|| face.glyph_index('\u{2010}'))?;
            Some((glyph.0, f64::from(face.glyph_hor_advance(glyph)?) / self.units_per_em))
        })
    }

    fn measure_punctuation(&self) -> Option<BTreeMap<char, Bearings>> {
        let face = ttf_parser::Face::parse(self.bytes(), self.index).ok()?;
        let measure = |mark: char| {
            let glyph = face.glyph_index(mark)?;
            let ink = face.glyph_bounding_box(glyph)?;
            let advance = f64::from(face.glyph_hor_advance(glyph)?);
            let (left, right) = (f64::from(ink.x_min), advance - f64::from(ink.x_max));
            Some((mark, Bearings { left: left / self.units_per_em, right: right / self.units_per_em }))
        };
        Some(WIDE_PUNCTUATION.chars().filter_map(measure).collect())
    }
}

/// Measures a character that fills its em box.
fn han(face: &ttf_parser::Face) -> Option<Han> {
    let glyph = ['国', '國', '一'].into_iter().find_map(|character| face.glyph_index(character))?;
    let ink = face.glyph_bounding_box(glyph)?;
    let em = f64::from(face.units_per_em());
    let middle = (f64::from(ink.y_min) + f64::from(ink.y_max)) / 2.0 / em;
    Some(Han { middle, advance: f64::from(face.glyph_hor_advance(glyph)?) / em })
}

/// All faces of a project.
pub struct Fonts {
    database: Arc<Database>,
    faces: Vec<FontFace>,
    by_family: BTreeMap<String, Vec<FontId>>,
}

/// A font file that could not be used.
#[derive(Debug)]
pub struct BadFont {
    /// The file.
    pub path: String,
    /// Why.
    pub why: String,
}

impl Fonts {
    /// Loads `files` (path, bytes) and the built-in faces, in that order: of two equal faces the first is taken. A file without a usable
    /// face is returned as bad.
    pub fn load(files: Vec<(String, Vec<u8>)>) -> (Self, Vec<BadFont>) {
        let mut fonts = Fonts { database: Arc::default(), faces: Vec::new(), by_family: BTreeMap::new() };
        let mut database = Database::new();
        let mut bad = Vec::new();
        for (path, bytes) in files {
            let added = careful(|| fonts.add(&mut database, Arc::new(bytes)));
            if let Err(why) = added.unwrap_or_else(|| Err("the font is broken".to_owned())) {
                bad.push(BadFont { path, why });
            }
        }
        for bytes in BUILT_IN {
            // The built-in fonts are part of the program and tested; one that did not load would show as a missing family.
            let _ = fonts.add(&mut database, Arc::new(bytes));
        }
        fonts.database = Arc::new(database);
        (fonts, bad)
    }

    fn add(&mut self, database: &mut Database, data: FontData) -> Result<(), String> {
        let faces = ttf_parser::fonts_in_collection((*data).as_ref()).unwrap_or(1);
        if faces > MOST_FACES {
            return Err(format!("it says that it holds {faces} faces; at most {MOST_FACES} are read"));
        }
        let keys = database.load_font_source(Source::Binary(Arc::clone(&data)));
        if keys.is_empty() {
            return Err("it is no TrueType or OpenType font".to_owned());
        }
        for key in keys {
            let info = database.face(key).ok_or("the face has no description")?;
            let face = FontFace::new(key, info, Arc::clone(&data))?;
            let known = self.by_family.entry(face.family.clone()).or_default();
            let same = |id: &FontId| {
                let other = &self.faces[usize::from(id.0)];
                other.weight == face.weight && other.italic == face.italic
            };
            if known.iter().any(same) {
                continue; // the project brings a face that the program carries too, or the same face twice
            }
            known.push(FontId(u16::try_from(self.faces.len()).map_err(|_| "there are too many faces")?));
            self.faces.push(face);
        }
        Ok(())
    }

    /// The database that SVG parsing shares with us.
    pub fn database(&self) -> Arc<Database> {
        Arc::clone(&self.database)
    }

    /// Whether there is a face with this number.
    pub fn holds(&self, id: FontId) -> bool {
        usize::from(id.0) < self.faces.len()
    }

    /// The face with this number, which is there: numbers come from [`Fonts::select`], or were looked at with [`Fonts::holds`].
    pub fn face(&self, id: FontId) -> &FontFace {
        &self.faces[usize::from(id.0)]
    }

    /// The face of `family` whose weight is nearest to `weight`. None when the family is not there.
    pub fn select(&self, family: &str, weight: u16, italic: bool) -> Option<FontId> {
        let faces = self.by_family.get(family)?;
        let distance = |id: &&FontId| {
            let face = self.face(**id);
            (face.italic != italic, face.weight.abs_diff(weight), face.weight)
        };
        faces.iter().min_by_key(distance).copied()
    }

    /// All family names, sorted.
    pub fn families(&self) -> impl Iterator<Item = &str> {
        self.by_family.keys().map(String::as_str)
    }
}

/// Whether all tables are in the file, and outlines among them; a font that is cut off can be opened, but not embedded.
fn whole(bytes: &[u8], index: u32) -> Result<(), String> {
    let raw = ttf_parser::RawFace::parse(bytes, index).map_err(|error| error.to_string())?;
    let size = bytes.len() as u64;
    if raw.table_records.into_iter().any(|table| u64::from(table.offset) + u64::from(table.length) > size) {
        return Err("the file is cut off".to_owned());
    }
    let outlines = [b"glyf", b"CFF ", b"CFF2"];
    if outlines.iter().all(|tag| raw.table(ttf_parser::Tag::from_bytes(tag)).is_none()) {
        return Err("it has no outlines, only pictures of its glyphs".to_owned());
    }
    Ok(())
}

impl FontFace {
    fn new(key: fontdb::ID, info: &fontdb::FaceInfo, data: FontData) -> Result<Self, String> {
        let bytes = (*data).as_ref();
        whole(bytes, info.index)?;
        let face = ttf_parser::Face::parse(bytes, info.index).map_err(|error| error.to_string())?;
        let font = harfrust::FontRef::from_index(bytes, info.index).map_err(|error| error.to_string())?;
        if face.number_of_glyphs() < 2 {
            return Err("it has no glyphs".to_owned());
        }
        let em = f64::from(face.units_per_em());
        let share = |units: i16| f64::from(units) / em;
        let (family, _) = info.families.first().cloned().ok_or("it has no family name")?;
        Ok(FontFace {
            key,
            index: info.index,
            family,
            post_script_name: info.post_script_name.clone(),
            weight: info.weight.0,
            italic: info.style != fontdb::Style::Normal,
            units_per_em: em,
            ascent: share(face.ascender()),
            descent: -share(face.descender()),
            cap_height: face.capital_height().map_or(0.7, share),
            han: han(&face),
            bearings: OnceLock::new(),
            dot: OnceLock::new(),
            hyphen: OnceLock::new(),
            plans: RwLock::default(),
            known_outlines: outlines::Known::default(),
            shaper: harfrust::ShaperData::new(&font),
            data: Arc::clone(&data),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_of_the_project_stands_before_the_built_in_one() {
        let regular =
            |fonts: &Fonts| fonts.select(BUILT_IN_FAMILY, 400, false).map(|id| fonts.face(id).bytes().as_ptr().addr());
        let (alone, _) = Fonts::load(Vec::new());
        assert_eq!(regular(&alone), Some(BUILT_IN[0].as_ptr().addr()));
        let own = BUILT_IN[0].to_vec();
        let place = own.as_ptr().addr();
        let (fonts, bad) = Fonts::load(vec![("own.otf".to_owned(), own)]);
        assert!(bad.is_empty() && fonts.families().count() == 1);
        assert_eq!(regular(&fonts), Some(place));
        let bold = fonts.select(BUILT_IN_FAMILY, 700, false).map(|id| fonts.face(id).weight);
        assert_eq!(bold, Some(700), "what the project does not bring is built in");
    }
}
