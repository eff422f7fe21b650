//! Lengths. A [`Length`] is a whole number of EMU, so millimetres, points and inches are all exact and sums never drift.

use std::fmt::{self, Write as _};
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use serde::{Deserialize, Serialize};

/// EMU in one millimetre.
pub const EMU_PER_MM: i64 = 36_000;
/// EMU in one PostScript point (1/72 in).
pub const EMU_PER_PT: i64 = 12_700;
/// EMU in one inch.
pub const EMU_PER_INCH: i64 = 914_400;

/// A distance, kept as a whole number of EMU (1 mm = 36,000, 1 pt = 12,700, 1 in = 914,400).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Length(i64);

impl Length {
    /// No distance at all.
    pub const ZERO: Length = Length(0);

    /// The longest length that data may ask for: ten metres.
    pub const LIMIT: Length = Length(10_000 * EMU_PER_MM);

    /// A length of `emu` EMU.
    pub const fn emu(emu: i64) -> Self {
        Length(emu)
    }

    /// A whole number of millimetres.
    pub const fn mm(mm: i64) -> Self {
        Length(mm * EMU_PER_MM)
    }

    /// `mm` millimetres, rounded to the nearest EMU. Not a number gives zero; what is too large saturates.
    pub fn from_mm(mm: f64) -> Self {
        Length((mm * EMU_PER_MM as f64).round() as i64)
    }

    /// `pt` points, rounded to the nearest EMU.
    pub fn from_pt(pt: f64) -> Self {
        Length((pt * EMU_PER_PT as f64).round() as i64)
    }

    /// This length in EMU.
    pub const fn to_emu(self) -> i64 {
        self.0
    }

    /// This length in millimetres.
    pub fn to_mm(self) -> f64 {
        self.0 as f64 / EMU_PER_MM as f64
    }

    /// This length in points.
    pub fn to_pt(self) -> f64 {
        self.0 as f64 / EMU_PER_PT as f64
    }

    /// The absolute value.
    pub const fn abs(self) -> Self {
        Length(self.0.abs())
    }

    /// Half of it, rounded down to a whole EMU.
    pub const fn half(self) -> Self {
        Length(self.0.div_euclid(2))
    }

    /// How many times `part` fits into this length; none when `part` is not positive.
    pub fn fits(self, part: Length) -> usize {
        if part.0 <= 0 || self.0 < 0 {
            return 0;
        }
        usize::try_from(self.0 / part.0).unwrap_or(0)
    }

    /// Reads a number with a unit: `63mm`, `2.5in`, `8pt`, `6.3cm`. Decimals are read exactly, never through a float.
    ///
    /// # Errors
    /// A sentence that says what is wrong: no unit, no number, or beyond [`Length::LIMIT`].
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let cut = text
            .find(|c: char| c.is_ascii_alphabetic())
            .ok_or_else(|| format!("`{text}` has no unit; write a number with mm, cm, in or pt, like `63mm`"))?;
        let (number, unit) = (text[..cut].trim(), text[cut..].trim());
        let per_unit = match unit {
            "mm" => EMU_PER_MM,
            "cm" => 10 * EMU_PER_MM,
            "in" => EMU_PER_INCH,
            "pt" => EMU_PER_PT,
            _ => {
                return Err(format!("`{unit}` is not a unit of length; use mm, cm, in or pt"));
            }
        };
        let emu = decimal_times(number, per_unit)
            .ok_or_else(|| format!("`{number}` is not a number that a length can have"))?;
        let length = Length(emu);
        if length.abs() > Length::LIMIT {
            return Err(format!("`{text}` is longer than ten metres"));
        }
        Ok(length)
    }
}

/// `number` (plain decimal notation) times `factor`, rounded to a whole; none when it is no decimal number or overflows.
fn decimal_times(number: &str, factor: i64) -> Option<i64> {
    let (negative, digits) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number.strip_prefix('+').unwrap_or(number)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |s: &str| s.bytes().all(|b| b.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) || fraction.len() > 9 {
        return None;
    }
    let scale = 10_i128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let parse = |s: &str| {
        if s.is_empty() { Some(0) } else { s.parse::<i128>().ok() }
    };
    let value = parse(whole)?.checked_mul(scale)?.checked_add(parse(fraction)?)?;
    let product = value.checked_mul(i128::from(factor))?;
    let rounded = (product + scale / 2) / scale;
    i64::try_from(if negative { -rounded } else { rounded }).ok()
}

/// Millimetres with as many decimals as it needs, at most three: `63mm`, `63.5mm`.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.3}", self.to_mm());
        write!(f, "{}mm", text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl Add for Length {
    type Output = Length;
    fn add(self, other: Length) -> Length {
        Length(self.0.saturating_add(other.0))
    }
}

impl Sub for Length {
    type Output = Length;
    fn sub(self, other: Length) -> Length {
        Length(self.0.saturating_sub(other.0))
    }
}

impl AddAssign for Length {
    fn add_assign(&mut self, other: Length) {
        *self = *self + other;
    }
}

impl SubAssign for Length {
    fn sub_assign(&mut self, other: Length) {
        *self = *self - other;
    }
}

impl Neg for Length {
    type Output = Length;
    fn neg(self) -> Length {
        Length(-self.0)
    }
}

impl Mul<i64> for Length {
    type Output = Length;
    fn mul(self, times: i64) -> Length {
        Length(self.0.saturating_mul(times))
    }
}

/// Division by a whole number, rounded down to a whole EMU. By zero it is zero.
impl Div<i64> for Length {
    type Output = Length;
    fn div(self, parts: i64) -> Length {
        Length(self.0.checked_div_euclid(parts).unwrap_or(0))
    }
}

impl Sum for Length {
    fn sum<I: Iterator<Item = Length>>(lengths: I) -> Length {
        lengths.fold(Length::ZERO, Add::add)
    }
}

/// Numbers up to here times ten thousand are whole numbers that a float holds exactly.
const MOST_FOR_DIGITS: f64 = 1e11;

/// Writes `number` with four decimals, like `{:.4}` but many times faster: drawings hold a hundred thousand numbers.
pub fn write_decimals(number: f64, text: &mut String) {
    // Writing to a string cannot fail.
    if number.is_nan() || number.abs() > MOST_FOR_DIGITS {
        let _ = write!(text, "{number:.4}");
        return;
    }
    let scaled = number.abs() * 10_000.0;
    // Between two decimals the product may have been rounded to either side; only the standard library knows which is nearer.
    if (scaled.fract() - 0.5).abs() < 1e-3 {
        let _ = write!(text, "{number:.4}");
        return;
    }
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative, and small enough
    let parts = scaled.round() as u64;
    let sign = if number.is_sign_negative() { "-" } else { "" };
    let _ = write!(text, "{sign}{}.{:04}", parts / 10_000, parts % 10_000);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn units_are_exact() {
        assert_eq!(Length::parse("63.5mm"), Ok(Length::emu(2_286_000)));
        assert_eq!(Length::parse("2.5in"), Length::parse("63.5mm"));
        assert_eq!(Length::parse("72pt"), Length::parse("1in"));
        assert_eq!(Length::parse(" 6.3 cm "), Ok(Length::mm(63)));
    }

    #[test]
    fn what_is_no_length_says_why() {
        for (text, part) in [
            ("63", "no unit"),
            ("63px", "not a unit"),
            ("mm", "not a number"),
            ("1e9mm", "not a unit"),
            ("NaNmm", "not a unit"),
            ("99999999999999999999999mm", "not a number"),
            ("20000mm", "longer than"),
        ] {
            let error = Length::parse(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn display_is_short() {
        assert_eq!(Length::mm(63).to_string(), "63mm");
        assert_eq!(Length::from_mm(63.5).to_string(), "63.5mm");
    }

    proptest! {
        #[test]
        fn hundredths_of_a_millimetre_survive_the_round_trip(hundredths in 0_i64..900_000) {
            let text = format!("{}.{:02}mm", hundredths / 100, hundredths % 100);
            let length = Length::parse(&text).map_err(TestCaseError::fail)?;
            prop_assert_eq!(length.to_emu(), hundredths * EMU_PER_MM / 100);
            prop_assert_eq!(Length::parse(&length.to_string()), Ok(length));
        }
    }

    #[test]
    fn decimals_are_those_of_the_standard_library() {
        for number in [0.0, -0.0, 1.0, -1.5, 0.000_04, -0.000_04, 0.12345, 63.123_456, -88.999_95, 1e12, f64::NAN] {
            let mut text = String::new();
            write_decimals(number, &mut text);
            assert_eq!(text, format!("{number:.4}"));
        }
    }
}
