//! Embedded fonts: of each only the glyphs that the document uses, once, with the characters they stand for.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Object, ObjectId, Stream, StringFormat, dictionary};
use pdf_writer::types::UnicodeCmap;
use pdf_writer::{Name, Str};
use rayon::prelude::*;
use ttf_parser::{RawFace, Tag};

use super::Failure;
use super::canvas::{number, numbers};
use super::finish::compress;
use super::text::{Subset, Subsets};
use crate::fonts::{FontFace, FontId, Fonts};

/// The width that is not written down: that of a Han character.
const DEFAULT_WIDTH: f64 = 1000.0;

/// A font reduced to the glyphs in use, as it is embedded.
pub(super) struct Program {
    outlines: Outlines,
    file: Stream,
}

/// Reduces all fonts of `subsets`, side by side.
pub(super) fn reduce(fonts: &Fonts, subsets: &Subsets) -> Result<BTreeMap<FontId, Program>, Failure> {
    let program = |(id, subset): (&FontId, &Subset)| Ok((*id, Program::of(fonts.face(*id), subset)?));
    subsets.0.par_iter().map(program).collect()
}

/// Adds all fonts of `subsets` to `document`.
pub(super) fn embed(
    document: &mut lopdf::Document,
    fonts: &Fonts,
    subsets: &Subsets,
    programs: BTreeMap<FontId, Program>,
) -> Result<BTreeMap<FontId, ObjectId>, Failure> {
    let all = subsets.0.values().zip(programs);
    let add = |(subset, (id, program))| Ok((id, embed_one(document, fonts.face(id), subset, program)?));
    all.map(add).collect()
}

impl Program {
    fn of(face: &FontFace, subset: &Subset) -> Result<Self, Failure> {
        let failed = |why: String| Failure::Font { name: face.post_script_name.clone(), why };
        let program =
            subsetter::subset(face.bytes(), face.index, &subset.remap).map_err(|error| failed(error.to_string()))?;
        let (outlines, mut file) = match cff_table(&program) {
            Some(table) => {
                let dict = dictionary! { "Subtype" => "CIDFontType0C" };
                (Outlines::Cff, Stream::new(dict, table.to_vec()))
            }
            None => {
                let length = i64::try_from(program.len()).map_err(|error| failed(error.to_string()))?;
                (Outlines::TrueType, Stream::new(dictionary! { "Length1" => length }, program))
            }
        };
        compress(&mut file)?;
        Ok(Program { outlines, file })
    }
}

fn embed_one(
    document: &mut lopdf::Document,
    face: &FontFace,
    subset: &Subset,
    program: Program,
) -> Result<ObjectId, Failure> {
    let broken = || Failure::Font { name: face.post_script_name.clone(), why: "it is broken".to_owned() };
    let outlines = program.outlines;
    let base = format!("{}+{}", tag(subset, face), name_of(face));
    let descriptor = descriptor(document, face, &base, program).ok_or_else(broken)?;
    let descendant = dictionary! {
        "Type" => "Font",
        "Subtype" => outlines.subtype(),
        "BaseFont" => base.as_str(),
        "CIDSystemInfo" => dictionary! {
            "Registry" => literal("Adobe"), "Ordering" => literal("Identity"), "Supplement" => 0,
        },
        "FontDescriptor" => descriptor,
        "DW" => number(DEFAULT_WIDTH),
        "W" => widths(subset),
    };
    let descendant = document.add_object(outlines.with_map(descendant));
    let characters = document.add_object(Stream::new(Dictionary::new(), character_map(subset)));
    Ok(document.add_object(dictionary! {
        "Type" => "Font",
        "Subtype" => "Type0",
        "BaseFont" => base.as_str(),
        "Encoding" => "Identity-H",
        "DescendantFonts" => vec![Object::Reference(descendant)],
        "ToUnicode" => characters,
    }))
}

/// The two kinds of outlines.
#[derive(Clone, Copy)]
enum Outlines {
    Cff,
    TrueType,
}

impl Outlines {
    const fn subtype(self) -> &'static str {
        match self {
            Outlines::Cff => "CIDFontType0",
            Outlines::TrueType => "CIDFontType2",
        }
    }

    /// TrueType fonts need to be told that characters are numbered like glyphs.
    fn with_map(self, mut descendant: Dictionary) -> Dictionary {
        match self {
            Outlines::Cff => {}
            Outlines::TrueType => descendant.set("CIDToGIDMap", "Identity"),
        }
        descendant
    }
}

fn cff_table(program: &[u8]) -> Option<&[u8]> {
    RawFace::parse(program, 0).ok()?.table(Tag::from_bytes(b"CFF "))
}

fn descriptor(document: &mut lopdf::Document, face: &FontFace, base: &str, program: Program) -> Option<ObjectId> {
    let parsed = ttf_parser::Face::parse(face.bytes(), face.index).ok()?;
    let thousandths = |units: f64| (units * 1000.0).round();
    let scaled = |units: i16| thousandths(f64::from(units) / face.units_per_em);
    let bounds = parsed.global_bounding_box();
    let key = match program.outlines {
        Outlines::Cff => "FontFile3",
        Outlines::TrueType => "FontFile2",
    };
    let file = document.add_object(program.file);
    let mut descriptor = dictionary! {
        "Type" => "FontDescriptor",
        "FontName" => base,
        "Flags" => flags(face),
        "FontBBox" => numbers(&[bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max].map(scaled)),
        "ItalicAngle" => number(f64::from(parsed.italic_angle())),
        "Ascent" => number(thousandths(face.ascent)),
        "Descent" => number(-thousandths(face.descent)),
        "CapHeight" => number(thousandths(face.cap_height)),
        "StemV" => number(stem(face.weight)),
    };
    descriptor.set(key, Object::Reference(file));
    Some(document.add_object(descriptor))
}

/// Symbolic, since the glyphs have numbers and no names; italic where it is.
fn flags(face: &FontFace) -> i64 {
    const SYMBOLIC: i64 = 1 << 2;
    const ITALIC: i64 = 1 << 6;
    SYMBOLIC | if face.italic { ITALIC } else { 0 }
}

/// A fair guess at the thickness of vertical stems: fonts do not say.
fn stem(weight: u16) -> f64 {
    (10.0 + 220.0 * (f64::from(weight) - 50.0) / 900.0).round()
}

/// Six capitals that tell this subset from others of the same font.
fn tag(subset: &Subset, face: &FontFace) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(face.post_script_name.as_bytes());
    subset.remap.remapped_gids().for_each(|glyph| {
        hasher.update(&glyph.to_be_bytes());
    });
    hasher.finalize().as_bytes().iter().take(6).map(|byte| char::from(b'A' + byte % 26)).collect()
}

/// The PostScript name, or the family's letters where there is none.
fn name_of(face: &FontFace) -> String {
    let name = if face.post_script_name.is_empty() { &face.family } else { &face.post_script_name };
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
    if name.is_empty() { "Font".to_owned() } else { name }
}

/// The widths of all glyphs that are not as wide as a Han character.
fn widths(subset: &Subset) -> Object {
    let mut all = Vec::new();
    let mut stretch: Vec<Object> = Vec::new();
    let mut first = 0;
    for (cid, width) in (0_i64..).zip(&subset.widths) {
        if *width == DEFAULT_WIDTH {
            finish_stretch(&mut all, first, &mut stretch);
            continue;
        }
        if stretch.is_empty() {
            first = cid;
        }
        stretch.push(number(*width));
    }
    finish_stretch(&mut all, first, &mut stretch);
    Object::Array(all)
}

fn finish_stretch(all: &mut Vec<Object>, first: i64, stretch: &mut Vec<Object>) {
    if !stretch.is_empty() {
        all.extend([Object::Integer(first), Object::Array(std::mem::take(stretch))]);
    }
}

/// Glyph numbers to the text they stand for.
fn character_map(subset: &Subset) -> Vec<u8> {
    let info = pdf_writer::types::SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"UCS"), supplement: 0 };
    let mut map = UnicodeCmap::new(Name(b"Adobe-Identity-UCS"), info);
    for (cid, text) in &subset.texts {
        map.pair_with_multiple(*cid, text.chars());
    }
    map.finish().into_vec()
}

fn literal(text: &str) -> Object {
    Object::String(text.as_bytes().to_vec(), StringFormat::Literal)
}
