//! How text stands out from what is behind it.

use super::colour::{contrast, luminance};
use super::flaw::{Extent, Flaw, Part, around, number};
use super::ground::Ground;
use super::text::{Text, points};
use crate::compose::face::{Colour, GlyphRun};
use crate::diagnostics::checks;
use crate::fonts::Fonts;
use crate::model::preflight::Limits;

/// The share of the dots behind a text that may be worse than what is told: lines and edges that run through it.
const WORST: f64 = 0.1;
/// Text is large from here, in points (WCAG 2.2, "large scale"), regular and bold.
const LARGE: [f64; 2] = [18.0, 14.0];
/// The weight from which text is bold.
const BOLD: u16 = 700;

/// What is behind a run of text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Behind {
    /// The contrast that nearly all of the text has at least.
    pub contrast: f64,
    /// Whether the text is lighter than what is behind most of it.
    pub is_reversed: bool,
}

/// Looks behind the ink of a run. None where it has no ink.
pub fn behind(run: &GlyphRun, ink: &[Extent], ground: &Ground<'_>) -> Option<Behind> {
    let fill = text_colour(run.fill);
    let own = luminance(fill);
    let opacity = f64::from(run.fill.opacity.clamp(0.0, 1.0));
    let mut seen: Vec<Seen> = Vec::new();
    let mut last = None;
    for extent in ink {
        ground.within(*extent, |colour, count| {
            // One glyph's ground is mostly the next one's, and powers take their time.
            if let Some(seen) = seen.last_mut().filter(|_| last == Some(colour)) {
                seen.count += count;
                return;
            }
            let back = luminance(colour);
            let drawn = if opacity < 1.0 {
                luminance([0, 1, 2].map(|part: usize| fill[part] * opacity + colour[part] * (1.0 - opacity)))
            } else {
                own
            };
            last = Some(colour);
            seen.push(Seen { contrast: contrast(drawn, back), is_reversed: drawn > back, count });
        });
    }
    let all: usize = seen.iter().map(|seen| seen.count).sum();
    let reversed: usize = seen.iter().filter(|seen| seen.is_reversed).map(|seen| seen.count).sum();
    seen.sort_unstable_by(|one, other| one.contrast.total_cmp(&other.contrast));
    let mut worse = (all as f64 * WORST) as usize;
    let found = seen.iter().find(|seen| {
        let is_it = worse < seen.count;
        worse = worse.saturating_sub(seen.count);
        is_it
    })?;
    Some(Behind { contrast: found.contrast, is_reversed: reversed * 2 > all })
}

/// Dots behind a text that look alike.
struct Seen {
    contrast: f64,
    /// Whether the text is lighter.
    is_reversed: bool,
    count: usize,
}

fn text_colour(fill: Colour) -> [f64; 3] {
    [fill.r, fill.g, fill.b].map(|part| f64::from(part) / 255.0)
}

/// A text that does not stand out. `behind` has what is behind each of its runs.
pub fn low(text: &Text<'_>, behind: &[Option<Behind>], fonts: &Fonts, limits: &Limits) -> Option<Flaw> {
    let judged = text.runs.iter().zip(behind).filter_map(|((run, ink), behind)| {
        let size = points(run);
        let bold = fonts.face(run.font).weight >= BOLD;
        let is_large = size >= LARGE[usize::from(bold)] - 0.01;
        let limit = if is_large { limits.contrast_large } else { limits.contrast };
        let found = behind.as_ref()?.contrast;
        (found < limit - 0.05).then_some((found, limit, is_large, ink))
    });
    let (found, limit, is_large, ink) = judged.min_by(|a, b| (a.0 / a.1).total_cmp(&(b.0 / b.1)))?;
    Some(Flaw {
        check: checks::CONTRAST_LOW,
        message: format!("the text has a contrast of {} : 1 to what is behind it", number(found, 1)),
        expected: format!("at least {} : 1{}", number(limit, 1), if is_large { " for large text" } else { "" }),
        measured: found,
        too_little: true,
        part: Part::Text(text.number),
        extent: around(ink.iter().copied())?,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use super::super::testing::{face, painted};
    use super::*;
    use crate::fonts::FontId;
    use crate::geometry::{Affine, Size};

    fn seen(fill: Colour, body: &str) -> Behind {
        let face = face(Size::mm(40, 40), body);
        let (text, glyphs, transform) = ("a".to_owned(), Vec::new(), Affine::IDENTITY);
        let run = GlyphRun { font: FontId(0), size: 3.0, fill, transform, glyphs, text };
        painted(&face, |_, ground| behind(&run, &[[10.0, 10.0, 30.0, 14.0]], ground)).unwrap()
    }

    #[test]
    fn what_is_behind_the_ink_counts() {
        let on_paper = seen(Colour::BLACK, "");
        assert!((on_paper.contrast - 21.0).abs() < 0.1 && !on_paper.is_reversed);
        let on_black = seen(Colour::grey(255), r#"<rect width="40" height="40"/>"#);
        assert!((on_black.contrast - 21.0).abs() < 0.1 && on_black.is_reversed);
        let elsewhere = seen(Colour::BLACK, r#"<rect y="20" width="40" height="20"/>"#);
        assert_eq!(elsewhere, on_paper);
    }

    #[test]
    fn a_line_that_runs_through_does_not_count_and_half_a_ground_does() {
        assert!(seen(Colour::BLACK, r#"<rect x="20" width="0.5" height="40"/>"#).contrast > 20.0);
        assert!(seen(Colour::BLACK, r#"<rect x="20" width="20" height="40"/>"#).contrast < 1.1);
    }

    #[test]
    fn pale_text_is_mixed_with_its_ground() {
        let pale = seen(Colour { opacity: 0.5, ..Colour::BLACK }, "");
        assert!(pale.contrast > 3.5 && pale.contrast < 4.5, "{pale:?}");
    }
}
