//! Numbers as a text states them: the digits that are given say how exact they are meant.

use std::fmt;

use crate::source::Span;
use crate::source::tree::{Node, Value};

/// What is stated: a number, or a list of numbers.
#[derive(Clone, Debug)]
pub struct Stated {
    /// The numbers.
    pub numbers: Vec<Number>,
    /// Whether they stand in a list.
    pub listed: bool,
    /// Where they stand.
    pub span: Span,
}

/// A stated number.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// As it is written.
    pub written: String,
    /// Its value; per cent are hundredths.
    pub value: f64,
    /// Half a unit of its last digit; 0 where it is exact.
    pub rounding: f64,
}

impl fmt::Display for Stated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let written: Vec<&str> = self.numbers.iter().map(|number| number.written.as_str()).collect();
        if self.listed { write!(f, "[{}]", written.join(", ")) } else { f.write_str(&written.join(", ")) }
    }
}

impl Number {
    /// `number` in the unit of this one, as text: per cent where it is stated in per cent.
    pub fn in_its_unit(&self, number: f64) -> String {
        if self.written.ends_with('%') { format!("{} %", shown(number * 100.0)) } else { shown(number) }
    }
}

/// A number to six significant digits, without idle zeros.
fn shown(number: f64) -> String {
    if number == 0.0 || number.fract() == 0.0 && number.abs() < 1e15 {
        return format!("{number}");
    }
    #[allow(clippy::cast_possible_truncation)] // the exponent of a number is small
    let places = (5 - number.abs().log10().floor() as i32).clamp(0, 17).unsigned_abs() as usize;
    let text = format!("{number:.places$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Reads what is stated; none where it is no number and no list of numbers.
pub(super) fn read(node: &Node) -> Option<Stated> {
    let (numbers, listed) = match node.as_array() {
        Some(items) => (items.iter().map(number).collect::<Option<Vec<_>>>()?, true),
        None => (vec![number(node)?], false),
    };
    (!numbers.is_empty()).then_some(Stated { numbers, listed, span: node.span })
}

fn number(node: &Node) -> Option<Number> {
    match &node.value {
        #[allow(clippy::cast_precision_loss)] // numbers that a text states are small
        Value::Integer(whole) => Some(Number { written: whole.to_string(), value: *whole as f64, rounding: 0.0 }),
        Value::Float(number) => parse(&number.to_string()),
        Value::String(text) => parse(text),
        _ => None,
    }
}

/// Reads `2/3` (exact), `36.6 %`, `2.50`, `17`: rounded to the last digit.
fn parse(written: &str) -> Option<Number> {
    let text = written.trim();
    if let Some((above, below)) = text.split_once('/') {
        let value = above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?;
        return value.is_finite().then(|| Number { written: text.to_owned(), value, rounding: 0.0 });
    }
    let (digits, unit) = match text.strip_suffix('%') {
        Some(percent) => (percent.trim_end(), 100.0),
        None => (text, 1.0),
    };
    let plain = digits.strip_prefix(['-', '+']).unwrap_or(digits);
    if plain.is_empty() || !plain.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        return None;
    }
    let value = digits.parse::<f64>().ok()? / unit;
    let places = plain.split_once('.').map_or(0, |(_, after)| after.len());
    let rounding = 0.5 * 0.1_f64.powi(i32::try_from(places).ok()?) / unit;
    Some(Number { written: text.to_owned(), value, rounding })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Option<(f64, f64)> {
        parse(text).map(|number| (number.value, number.rounding))
    }

    #[test]
    fn the_digits_say_how_exact_a_number_is() {
        let near = |text: &str, value: f64, rounding: f64| {
            let (is, within) = parsed(text).unwrap_or_default();
            assert!((is - value).abs() < 1e-12 && (within - rounding).abs() < 1e-12, "{text}: {is} ± {within}");
        };
        near("36.6 %", 0.366, 0.0005);
        near("2/3", 2.0 / 3.0, 0.0);
        near("2.500", 2.5, 0.0005);
        near("17", 17.0, 0.5);
        near("-1", -1.0, 0.5);
        for text in ["", "%", "a", "1e3", "1/0", "1.2.3", "inf"] {
            assert_eq!(parsed(text), None, "{text}");
        }
    }

    #[test]
    fn numbers_are_shown_in_the_unit_of_the_text() {
        let number = |text: &str| parse(text).expect("a number");
        assert_eq!(number("36.6 %").in_its_unit(0.404_255_319), "40.4255 %");
        assert_eq!(number("2").in_its_unit(30.0), "30");
        assert_eq!(number("2.0").in_its_unit(1.0 / 3.0), "0.333333");
    }
}
