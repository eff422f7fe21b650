//! What a printer does not reach.

use std::fmt;
use std::str::FromStr;

use crate::units::Length;

/// What a printer does not reach at each side of the upright page as it comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Margins {
    /// At the top.
    pub top: Length,
    /// At the right.
    pub right: Length,
    /// At the bottom.
    pub bottom: Length,
    /// At the left.
    pub left: Length,
}

impl Margins {
    /// 5 mm, which every common printer reaches.
    pub const DEFAULT: Margins = Margins::all(Length::mm(5));

    /// The same at all sides.
    pub const fn all(margin: Length) -> Self {
        Margins { top: margin, right: margin, bottom: margin, left: margin }
    }
}

/// As they are typed: one length, or four.
impl fmt::Display for Margins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Margins { top, right, bottom, left } = self;
        if *self == Margins::all(*top) { write!(f, "{top}") } else { write!(f, "{top} {right} {bottom} {left}") }
    }
}

/// Reads one length for all sides, or four for the top, the right, the bottom and the left: `5mm`, `3mm 3mm 6.7mm 3mm`.
impl FromStr for Margins {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides: Vec<Length> = text.split_whitespace().map(Length::parse).collect::<Result<_, _>>()?;
        if let Some(negative) = sides.iter().find(|side| **side < Length::ZERO) {
            return Err(format!("{negative} is less than nothing"));
        }
        match sides[..] {
            [all] => Ok(Margins::all(all)),
            [top, right, bottom, left] => Ok(Margins { top, right, bottom, left }),
            _ => Err("it is one length, or four: top, right, bottom, left".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_one_length_or_four() {
        assert_eq!("4.2mm".parse(), Ok(Margins::all(Length::from_mm(4.2))));
        let four = Margins { top: Length::mm(1), right: Length::mm(2), bottom: Length::mm(3), left: Length::mm(4) };
        assert_eq!(" 1mm 2mm  3mm 0.4cm ".parse(), Ok(four));
        for (text, part) in [("", "or four"), ("1mm 2mm", "or four"), ("5", "no unit"), ("-1mm", "less than nothing")] {
            let error = text.parse::<Margins>().expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
