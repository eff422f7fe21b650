//! The papers that have a name, and sizes of one's own.

use std::fmt;

use super::Paper;
use crate::geometry::Size;
use crate::units::{EMU_PER_INCH, Length};

/// What is smaller on one side than this holds no piece that anyone could cut.
const SMALLEST: Length = Length::mm(20);

/// The papers by name, upright: ISO 216 in whole millimetres, the American ones in inches.
const NAMED: [(&str, Size); 5] = [
    ("a4", Size::mm(210, 297)),
    ("a3", Size::mm(297, 420)),
    ("letter", half_inches(17, 22)),
    ("legal", half_inches(17, 28)),
    ("tabloid", half_inches(22, 34)),
];

const fn half_inches(w: i64, h: i64) -> Size {
    Size { w: Length::emu(w * EMU_PER_INCH / 2), h: Length::emu(h * EMU_PER_INCH / 2) }
}

/// What was asked for is no paper. Its text says why and what there is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownPaper {
    why: String,
}

impl fmt::Display for UnknownPaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for UnknownPaper {}

impl Paper {
    /// A4, the default.
    pub fn a4() -> Self {
        Paper { name: "a4".to_owned(), size: Size::mm(210, 297) }
    }

    /// Reads a name (`a4`, `a3`, `letter`, `legal`, `tabloid`) or a size (`200x300mm`, `8x10in`), in capitals or small letters.
    /// A lying size is stood upright: sheets are always printed upright.
    ///
    /// # Errors
    /// When it is neither; the error lists the names and says which is nearest. Nothing falls back to another paper.
    pub fn parse(text: &str) -> Result<Self, UnknownPaper> {
        let wanted = text.trim().to_ascii_lowercase();
        if let Some((name, size)) = NAMED.iter().find(|(name, _)| *name == wanted) {
            return Ok(Paper { name: (*name).to_owned(), size: *size });
        }
        match wanted.split_once('x') {
            Some((w, h)) if w.trim().starts_with(|c: char| c.is_ascii_digit() || c == '.') => sized(w, h),
            _ => Err(UnknownPaper { why: there_is(&wanted) }),
        }
        .map_err(|error| UnknownPaper { why: format!("`{}` is no paper: {}", text.trim(), error.why) })
    }

    /// The papers that have a name, the smaller of each kind first.
    pub fn named() -> impl Iterator<Item = Paper> {
        let mut named = NAMED;
        named.sort_by_key(|(_, size)| *size);
        named.into_iter().map(|(name, size)| Paper { name: name.to_owned(), size })
    }

    /// Whether this is one of the papers that are measured in inches.
    pub fn is_american(&self) -> bool {
        matches!(self.name.as_str(), "letter" | "legal" | "tabloid")
    }

    /// How the paper is called in print: `A4`, `Letter`, `200 x 300 mm`.
    pub fn title(&self) -> String {
        let named = NAMED.iter().any(|(name, _)| *name == self.name);
        let mut letters = self.name.chars();
        match letters.next() {
            Some(first) if named => first.to_uppercase().chain(letters).collect(),
            _ => {
                let number = |length: Length| length.to_string().trim_end_matches("mm").to_owned();
                format!("{} x {} mm", number(self.size.w), number(self.size.h))
            }
        }
    }
}

/// The paper of a size: the unit may stand once, at the end.
fn sized(w: &str, h: &str) -> Result<Paper, UnknownPaper> {
    let unit = h.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
    let w = w.trim();
    let w = if w.ends_with(|c: char| c.is_ascii_alphabetic()) { w.to_owned() } else { format!("{w}{unit}") };
    let side = |text: &str| {
        let length = Length::parse(text).map_err(|why| UnknownPaper { why })?;
        if length < SMALLEST {
            return Err(UnknownPaper { why: format!("{length} is too small, the least is {SMALLEST}") });
        }
        Ok(length)
    };
    let (w, h) = (side(&w)?, side(h)?);
    let size = Size { w: w.min(h), h: w.max(h) };
    Ok(Paper { name: size.to_string(), size })
}

/// The papers that there are, and the nearest to `wanted`.
fn there_is(wanted: &str) -> String {
    let names = NAMED.map(|(name, _)| name);
    let nearest = names
        .iter()
        .map(|name| (strsim::jaro_winkler(name, wanted), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let hint = nearest.map(|(_, name)| format!("; did you mean `{name}`?")).unwrap_or_default();
    format!("there is {} or a size like `200x300mm`{hint}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_papers_are_exact() {
        for (text, name, emu, title) in [
            ("a4", "a4", (7_560_000, 10_692_000), "A4"),
            ("A3", "a3", (10_692_000, 15_120_000), "A3"),
            ("Letter", "letter", (7_772_400, 10_058_400), "Letter"),
            (" legal ", "legal", (7_772_400, 12_801_600), "Legal"),
            ("TABLOID", "tabloid", (10_058_400, 15_544_800), "Tabloid"),
        ] {
            let paper = Paper::parse(text).expect(text);
            assert_eq!(paper.name, name);
            assert_eq!((paper.size.w.to_emu(), paper.size.h.to_emu()), emu);
            assert_eq!(paper.title(), title);
        }
    }

    #[test]
    fn sizes_are_stood_upright() {
        for (text, name) in [
            ("200x300mm", "200x300mm"),
            ("300X200MM", "200x300mm"),
            ("20cm x 30cm", "200x300mm"),
            ("8.5x11in", "215.9x279.4mm"),
        ] {
            let paper = Paper::parse(text).expect(text);
            assert_eq!(paper.name, name);
        }
        assert_eq!(Paper::parse("8.5x11in").map(|paper| paper.size), Paper::parse("letter").map(|paper| paper.size));
        assert_eq!(Paper::parse("300x200.5mm").map(|paper| paper.title()), Ok("200.5 x 300 mm".to_owned()));
    }

    #[test]
    fn what_is_no_paper_says_why() {
        for (text, part) in [
            ("lettr", "did you mean `letter`?"),
            ("a44", "did you mean `a4`?"),
            ("tabliod", "did you mean `tabloid`?"),
            ("", "a4, a3, letter, legal, tabloid or a size like `200x300mm`"),
            ("foolscap", "`foolscap` is no paper: there is a4,"),
            ("200x300", "no unit"),
            ("200x300px", "not a unit"),
            ("200x", "no unit"),
            ("0x300mm", "too small"),
            ("200x99999mm", "longer than ten metres"),
        ] {
            let error = Paper::parse(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
