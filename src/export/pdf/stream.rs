//! Writes content streams: numbers as short as they can be, one operator after the other.

use crate::geometry::Affine;

/// Decimals of a place or a length, in millimetres: a thousandth of a millimetre.
const PLACE: u32 = 3;
/// Decimals of the turning and scaling part of a matrix.
const TURN: u32 = 7;
/// Decimals of a colour's component.
const COLOUR: u32 = 4;

/// The bytes of a content stream.
#[derive(Default)]
pub(super) struct Stream {
    bytes: Vec<u8>,
}

impl Stream {
    /// The bytes.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// An operator with places and lengths as its operands.
    pub(super) fn op(&mut self, operands: &[f64], operator: &str) {
        self.places(operands);
        self.word(operator);
    }

    /// An operator with colour components.
    pub(super) fn colour(&mut self, components: &[f64], operator: &str) {
        components.iter().for_each(|component| self.number(*component, COLOUR));
        self.word(operator);
    }

    /// An operator with a matrix.
    pub(super) fn matrix(&mut self, m: Affine, operator: &str) {
        [m.a, m.b, m.c, m.d].iter().for_each(|part| self.number(*part, TURN));
        self.places(&[m.e, m.f]);
        self.word(operator);
    }

    /// An operator with a name.
    pub(super) fn named(&mut self, name: &str, operator: &str) {
        self.name(name);
        self.word(operator);
    }

    /// A name.
    pub(super) fn name(&mut self, name: &str) {
        self.bytes.push(b'/');
        self.bytes.extend_from_slice(name.as_bytes());
        self.bytes.push(b' ');
    }

    /// Places and lengths.
    pub(super) fn places(&mut self, places: &[f64]) {
        places.iter().for_each(|place| self.number(*place, PLACE));
    }

    /// An operator, or another bare word.
    pub(super) fn word(&mut self, word: &str) {
        self.bytes.extend_from_slice(word.as_bytes());
        self.bytes.push(b'\n');
    }

    /// A delimiter that needs no space around it.
    pub(super) fn mark(&mut self, mark: u8) {
        while self.bytes.last() == Some(&b' ') {
            self.bytes.pop();
        }
        self.bytes.push(mark);
    }

    /// A number with at most `decimals` decimals. What is no finite number is written as zero.
    pub(super) fn number(&mut self, value: f64, decimals: u32) {
        write_number(&mut self.bytes, value, decimals);
        self.bytes.push(b' ');
    }

    /// A string of bytes, as a literal.
    pub(super) fn string(&mut self, bytes: &[u8]) {
        self.mark(b'(');
        for byte in bytes {
            match byte {
                b'(' | b')' | b'\\' => self.bytes.extend_from_slice(&[b'\\', *byte]),
                b'\r' => self.bytes.extend_from_slice(b"\\r"),
                _ => self.bytes.push(*byte),
            }
        }
        self.bytes.push(b')');
    }

    /// A string of text, in UTF-16.
    pub(super) fn text(&mut self, text: &str) {
        self.string(&utf16(text));
    }
}

/// A PDF text string: UTF-16, the most significant byte first, with its mark.
pub(super) fn utf16(text: &str) -> Vec<u8> {
    [0xFE, 0xFF].into_iter().chain(text.encode_utf16().flat_map(u16::to_be_bytes)).collect()
}

/// `value` rounded to `decimals`, as a reader will see it.
pub(super) fn rounded(value: f64, decimals: u32) -> f64 {
    let scale = 10_u64.pow(decimals) as f64;
    (value * scale).round() / scale
}

fn write_number(out: &mut Vec<u8>, value: f64, decimals: u32) {
    const LARGEST: f64 = 1e9;
    let value = if value.is_finite() { value.clamp(-LARGEST, LARGEST) } else { 0.0 };
    let scale = 10_u64.pow(decimals);
    let scaled = (value.abs() * scale as f64).round() as u64;
    let (whole, mut fraction) = (scaled / scale, scaled % scale);
    if value < 0.0 && scaled != 0 {
        out.push(b'-');
    }
    if whole != 0 || fraction == 0 {
        out.extend_from_slice(whole.to_string().as_bytes());
    }
    if fraction != 0 {
        out.push(b'.');
        let mut step = scale / 10;
        while fraction != 0 && step != 0 {
            out.push(b'0' + u8::try_from(fraction / step).unwrap_or(0));
            fraction %= step;
            step /= 10;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: f64, decimals: u32) -> String {
        let mut out = Vec::new();
        write_number(&mut out, value, decimals);
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn numbers_are_short() {
        for (value, decimals, text) in [
            (0.0, 3, "0"),
            (-0.0001, 3, "0"),
            (63.0, 3, "63"),
            (0.5, 3, ".5"),
            (-2.0625, 3, "-2.063"),
            (12.0405, 2, "12.04"),
            (0.9999, 3, "1"),
            (f64::NAN, 3, "0"),
            (100.001, 3, "100.001"),
        ] {
            assert_eq!(written(value, decimals), text);
        }
    }

    #[test]
    fn strings_escape_what_would_end_them() {
        let mut stream = Stream::default();
        stream.string(b"a(b)\\\r\n");
        assert_eq!(stream.into_bytes(), b"(a\\(b\\)\\\\\\r\n)");
    }
}
