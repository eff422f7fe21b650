//! Where the glyphs of a PDF's page stand, by the text operators of its content and the widths of its fonts.

use std::collections::BTreeMap;

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Object};
use paiban::geometry::Affine;

use crate::common::read::{NameText, Read, utf16};
pub use crate::composed::Placed;

const MM_PER_PT: f64 = 25.4 / 72.0;

/// A font as its dictionary describes it.
struct Font {
    /// What the codes stand for.
    texts: BTreeMap<Vec<u8>, String>,
    /// Their widths, in thousandths of the em.
    widths: BTreeMap<u16, f64>,
    default: f64,
}

/// All glyphs of a page, in the order in which they are painted; millimetres from its top left corner.
pub fn placed(read: &Read, page: usize) -> Vec<Placed> {
    let dict = read.page(page);
    let height = f64::from(read.numbers(dict, "MediaBox")[3]);
    let to_mm = Affine { a: MM_PER_PT, d: -MM_PER_PT, f: height * MM_PER_PT, ..Affine::IDENTITY };
    let mut walker = Walker { read, out: Vec::new() };
    walker.content(&read.content(page), read.dict(dict, "Resources"), to_mm);
    walker.out
}

struct Walker<'r> {
    read: &'r Read,
    out: Vec<Placed>,
}

/// The state of text inside one content stream.
struct State {
    font: Option<Font>,
    size: f64,
    matrix: Affine,
    /// The text that the glyphs of the open span stand for.
    actual: Option<String>,
}

impl Walker<'_> {
    fn content(&mut self, content: &[u8], resources: &Dictionary, outer: Affine) {
        let mut map = outer;
        let mut saved = Vec::new();
        let mut state = State { font: None, size: 0.0, matrix: Affine::IDENTITY, actual: None };
        for operation in Content::decode(content).expect("operators").operations {
            let operands = &operation.operands;
            match operation.operator.as_str() {
                "q" => saved.push(map),
                "Q" => map = saved.pop().expect("a q for every Q"),
                "cm" => map = map.then_inner(matrix(&operation)),
                "Tf" => {
                    let name = operands[0].as_name_str();
                    state.font = Some(self.font(self.read.dict(self.read.dict(resources, "Font"), &name)));
                    state.size = number(&operands[1]);
                }
                "Tm" => state.matrix = matrix(&operation),
                "TJ" => self.show(&mut state, operands[0].as_array().expect("an array"), map),
                "BDC" => {
                    let text = operands[1].as_dict().and_then(|dict| dict.get(b"ActualText")).and_then(Object::as_str);
                    state.actual = text.ok().map(|text| utf16(&text[2..]));
                }
                "EMC" => state.actual = None,
                "Do" => {
                    let object = self.read.at(self.read.dict(resources, "XObject"), &operands[0].as_name_str());
                    let form = object.as_stream().expect("a stream");
                    if form.dict.get(b"Subtype").and_then(Object::as_name).ok() == Some(b"Form") {
                        let own = form.dict.get(b"Matrix").ok().and_then(|own| own.as_array().ok());
                        let own = own.map_or(Affine::IDENTITY, |own| affine(own));
                        let inside = form.get_plain_content().expect("content");
                        self.content(&inside, self.read.dict(&form.dict, "Resources"), map.then_inner(own));
                    }
                }
                other => assert!(
                    !["Td", "TD", "T*", "Tj", "'", "\"", "Tc", "Tw", "Tz", "Ts", "TL"].contains(&other),
                    "this reader does not know {other}"
                ),
            }
        }
    }

    fn show(&mut self, state: &mut State, items: &[Object], map: Affine) {
        let font = state.font.as_ref().expect("a font");
        let mut pen = 0.0;
        for item in items {
            let Ok(codes) = item.as_str() else {
                pen -= number(item);
                continue;
            };
            for code in codes.chunks_exact(2) {
                let place = map.then_inner(state.matrix);
                let (x, y) = place.apply(pen * state.size / 1000.0, 0.0);
                // What stands for several glyphs is told of the first.
                let text = match &mut state.actual {
                    Some(text) => std::mem::take(text),
                    None => font.texts.get(code).cloned().unwrap_or_default(),
                };
                let size = state.size * place.c.hypot(place.d);
                self.out.push(Placed { x, y, size, turn: place.b.atan2(place.a), text });
                let cid = u16::from_be_bytes([code[0], code[1]]);
                pen += font.widths.get(&cid).copied().unwrap_or(font.default);
            }
        }
        state.matrix = state.matrix.then_inner(Affine::translate(pen * state.size / 1000.0, 0.0));
    }

    fn font(&self, dict: &Dictionary) -> Font {
        let descendants = self.read.at(dict, "DescendantFonts").as_array().expect("fonts");
        let own = self.read.solid(&descendants[0]).as_dict().expect("a font");
        let mut widths = BTreeMap::new();
        let listed = own.get(b"W").map(|widths| self.read.solid(widths).as_array().expect("widths").as_slice());
        let mut listed = listed.unwrap_or_default();
        while let [first, second, rest @ ..] = listed {
            let first = first.as_i64().expect("a code") as u16;
            match self.read.solid(second) {
                Object::Array(row) => {
                    widths.extend((first..).zip(row).map(|(code, width)| (code, number(width))));
                    listed = rest;
                }
                last => {
                    let width = number(&rest[0]);
                    widths.extend((first..=last.as_i64().expect("a code") as u16).map(|code| (code, width)));
                    listed = &rest[1..];
                }
            }
        }
        let default = own.get(b"DW").map_or(1000.0, |width| number(self.read.solid(width)));
        Font { texts: self.read.characters(dict), widths, default }
    }
}

fn number(object: &Object) -> f64 {
    f64::from(object.as_float().expect("a number"))
}

fn matrix(operation: &Operation) -> Affine {
    affine(&operation.operands)
}

fn affine(numbers: &[Object]) -> Affine {
    let numbers: Vec<f64> = numbers.iter().map(number).collect();
    let [a, b, c, d, e, f] = numbers[..] else { panic!("six numbers: {numbers:?}") };
    Affine { a, b, c, d, e, f }
}

/// The text of each line: glyphs that stand on one baseline, one behind the other, or below each other in a column.
pub fn lines(glyphs: &[Placed]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut last: Option<&Placed> = None;
    for glyph in glyphs {
        match (last, lines.last_mut()) {
            // A dot under an emphasised character, which stands for no text.
            (Some(last), _) if glyph.text.is_empty() && (glyph.size - last.size).abs() > 0.01 => continue,
            (Some(last), Some(line)) if follows(last, glyph) => line.push_str(&glyph.text),
            _ => lines.push(glyph.text.clone()),
        }
        last = Some(glyph);
    }
    lines
}

/// Whether `next` goes on where `last` is: a little further to the right, or a little further down in a column.
fn follows(last: &Placed, next: &Placed) -> bool {
    let em = last.size.max(next.size);
    let (x, y) = (next.x - last.x, next.y - last.y);
    let (sin, cos) = last.turn.sin_cos();
    let beside = (0.0..4.0 * em).contains(&(x * cos + y * sin)) && (y * cos - x * sin).abs() < 0.01;
    // Lines of the cards stand further apart than characters in a column; turned words have their origin at their upper end.
    let reach = if last.turn == 0.0 { 1.3 } else { 1.8 };
    beside || (x.abs() < em && (0.0..reach * em).contains(&y))
}
