//! The pages of a kit's PDF: where faces lie, where marks are, what is written.

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Object};

pub use super::read::Read;

/// Points in a millimetre.
pub const MM: f64 = 72.0 / 25.4;

/// A face on a page. All lengths are millimetres from the page's top left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// The trim's corner at which the face begins.
    pub origin: (f64, f64),
    /// The size of a millimetre of the face: 1 where it is printed true to size.
    pub scale: (f64, f64),
    /// Whether the face lies as it is, not turned.
    pub upright: bool,
    /// Left, top, right and bottom of what it may paint.
    pub clip: [f64; 4],
}

/// A straight line of a page, in millimetres.
pub type Line = ((f64, f64), (f64, f64));

/// The size of a page in points, as its MediaBox says it.
pub fn media_box(read: &Read, page: usize) -> [f64; 4] {
    let numbers = read.numbers(read.page(page), "MediaBox");
    let numbers: Vec<f64> = numbers.into_iter().map(f64::from).collect();
    numbers.try_into().expect("four numbers")
}

fn operations(read: &Read, page: usize) -> Vec<Operation> {
    Content::decode(&read.content(page)).expect("a page that can be read").operations
}

fn numbers(operation: &Operation) -> Vec<f64> {
    operation.operands.iter().filter_map(|operand| operand.as_float().ok()).map(f64::from).collect()
}

/// The faces on a page, in the order in which they are painted.
pub fn placed(read: &Read, page: usize) -> Vec<Placed> {
    let height = media_box(read, page)[3];
    let (mut depth, mut clip) = (0, [0.0; 4]);
    let mut found = Vec::new();
    for operation in operations(read, page) {
        match (operation.operator.as_str(), depth) {
            ("BDC", 0) if begins_marks(&operation) => break,
            ("q", _) => depth += 1,
            ("Q", _) => depth -= 1,
            ("re", 1) => {
                let [x, y, w, h] = numbers(&operation).try_into().expect("a rectangle");
                clip = [x, height - y - h, x + w, height - y].map(|points| points / MM);
            }
            ("cm", 1) => {
                let [a, b, c, d, e, f] = numbers(&operation).try_into().expect("a matrix");
                let scale = (a.hypot(b) / MM, c.hypot(d) / MM);
                let upright = b == 0.0 && c == 0.0 && a > 0.0 && d < 0.0;
                found.push(Placed { origin: (e / MM, (height - f) / MM), scale, upright, clip });
            }
            _ => {}
        }
    }
    found
}

fn begins_marks(operation: &Operation) -> bool {
    operation.operands.iter().any(|operand| operand.as_name().is_ok_and(|name| name.ends_with(b"Marks")))
}

/// The straight lines of a page's marks.
pub fn marks(read: &Read, page: usize) -> Vec<Line> {
    let height = media_box(read, page)[3];
    let operations = operations(read, page);
    let marks = operations.iter().skip_while(|operation| !begins_marks(operation));
    let mut from = (0.0, 0.0);
    let mut lines = Vec::new();
    for operation in marks {
        let point = || {
            let numbers = numbers(operation);
            (numbers[0] / MM, (height - numbers[1]) / MM)
        };
        match operation.operator.as_str() {
            "m" => from = point(),
            "l" => lines.push((from, point())),
            "BT" => break,
            _ => {}
        }
    }
    lines
}

/// What is wrong with the fonts of a document: each must be embedded and say which characters its glyphs are.
pub fn faults_of_fonts(read: &Read) -> Vec<String> {
    let fonts = read.fonts();
    let mut faults: Vec<String> = fonts.iter().filter_map(|font| fault_of_font(read, font)).collect();
    if fonts.is_empty() {
        faults.push("there are no fonts".to_owned());
    }
    faults
}

fn fault_of_font(read: &Read, font: &Dictionary) -> Option<String> {
    let name = font.get(b"BaseFont").and_then(Object::as_name).map(String::from_utf8_lossy).unwrap_or_default();
    if font.get(b"ToUnicode").is_err() {
        return Some(format!("{name} has no ToUnicode"));
    }
    let inside = read.at(font, "DescendantFonts").as_array().expect("a list").first().expect("a font");
    let descriptor = read.dict(read.solid(inside).as_dict().expect("a font"), "FontDescriptor");
    let embedded = [&b"FontFile2"[..], b"FontFile3"].iter().any(|key| descriptor.get(key).is_ok());
    (!embedded).then(|| format!("{name} is not embedded"))
}
