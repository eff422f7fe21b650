//! Size and place of text.

use super::flaw::{Extent, Flaw, Part, number};
use super::ink::enlargement;
use crate::compose::face::{Face, GlyphRun, Layer};
use crate::diagnostics::checks;
use crate::geometry::Size;
use crate::model::Outline;
use crate::model::preflight::Limits;
use crate::sheet::Shape;

/// Millimetres in a point.
const PT: f64 = 25.4 / 72.0;
/// Millimetres that ink may reach beyond a line: less than any cut is exact.
const SLACK: f64 = 0.1;
/// Points that a size may be off by rounding.
const EXACT: f64 = 0.01;

/// A text of a face: its runs, and the ink of each glyph.
pub struct Text<'f> {
    /// Which of the texts of its face it is.
    pub number: usize,
    /// What its size was multiplied with to make it fit.
    pub scale: f64,
    /// Whether it was told that it does not fit or stands beyond the trim.
    pub is_misplaced: bool,
    /// Its runs, each with the ink of its glyphs.
    pub runs: Vec<(&'f GlyphRun, Vec<Extent>)>,
}

/// The runs of a text of `face`.
pub fn runs(face: &Face, number: usize) -> &[GlyphRun] {
    let Some(text) = face.texts.get(number) else { return &[] };
    match face.layers.get(text.layer) {
        Some(Layer::Text(runs)) => runs.get(text.runs.clone()).unwrap_or_default(),
        _ => &[],
    }
}

/// Size of a run in points, as it stands on the face.
pub fn points(run: &GlyphRun) -> f64 {
    f64::from(run.size) * enlargement(run.transform) / PT
}

/// Whether a text holds characters as dense as Han: those, kana and Hangul.
pub fn is_dense(text: &str) -> bool {
    text.chars().any(|c| {
        matches!(c, '\u{2E80}'..='\u{2FDF}' | '\u{3005}'..='\u{3007}' | '\u{3040}'..='\u{31FF}'
            | '\u{3400}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
    })
}

/// A text whose smallest run is below the limits. `is_reversed` says whether a run is lighter than what is behind it.
pub fn size(text: &Text<'_>, limits: &Limits, is_reversed: &dyn Fn(usize) -> bool) -> Option<Flaw> {
    let judged = text.runs.iter().enumerate().filter(|(_, (_, ink))| !ink.is_empty()).filter_map(|(at, (run, ink))| {
        let (points, dense, reversed) = (points(run), is_dense(&run.text), is_reversed(at));
        let [error, warning] = if dense { limits.cjk } else { limits.latin };
        let more = if reversed { limits.reversed } else { 0.0 };
        let (check, limit) = match points + EXACT {
            points if points < error + more => (checks::TEXT_TINY, error + more),
            points if points < warning + more => (checks::TEXT_SMALL, warning + more),
            _ => return None,
        };
        let what = match (dense, reversed) {
            (true, true) => "light Han on a dark ground",
            (true, false) => "Han",
            (false, true) => "light letters on a dark ground",
            (false, false) => "letters",
        };
        Some((limit - points, check, points, limit, what, ink))
    });
    let (_, check, points, limit, what, ink) = judged.max_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(Flaw {
        check,
        message: format!("the text is set in {} pt", number(points, 2)),
        expected: format!("at least {} pt for {what}", number(limit, 2)),
        measured: points,
        too_little: true,
        part: Part::Text(text.number),
        extent: super::flaw::around(ink.iter().copied())?,
    })
}

/// A text that was shrunk by more than is allowed.
pub fn shrunk(text: &Text<'_>, limits: &Limits) -> Option<Flaw> {
    let by = (1.0 - text.scale) * 100.0;
    (by > limits.shrunk + EXACT && !text.is_misplaced).then_some(())?;
    Some(Flaw {
        check: checks::TEXT_SHRUNK,
        message: format!("the text was shrunk by {} % to fit its box", number(by, 1)),
        expected: format!("at most {} %", number(limits.shrunk, 1)),
        measured: by,
        too_little: false,
        part: Part::Text(text.number),
        extent: text.extent()?,
    })
}

/// A text with ink between the safe zone and the trim, or beyond. Where the outline is drawn by the template itself, nobody knows
/// where the cut is.
pub fn place(text: &Text<'_>, trim: Size, safe: f64, outline: Outline) -> Option<Flaw> {
    if text.is_misplaced {
        return None;
    }
    let ink = || text.runs.iter().flat_map(|(_, ink)| ink);
    let nearest = |extent: &Extent| distance_inside(*extent, trim, outline);
    let (extent, inside) = ink()
        .filter_map(|extent| Some((*extent, nearest(extent)?)))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .filter(|(_, inside)| *inside < safe - SLACK)?;
    let (check, message) = match inside {
        _ if inside < -SLACK => {
            (checks::TEXT_OUTSIDE, format!("the text reaches {} mm beyond the cut", number(-inside, 1)))
        }
        _ => (checks::TEXT_UNSAFE, format!("the text stands {} mm inside the trim", number(inside.max(0.0), 1))),
    };
    Some(Flaw {
        check,
        message,
        expected: format!("at least {} mm, the component's safe zone", number(safe, 1)),
        measured: inside,
        too_little: true,
        part: Part::Text(text.number),
        extent,
    })
}

/// How far inside the cut a rectangle is; below zero beyond it. None where nobody knows the cut.
fn distance_inside([left, top, right, bottom]: Extent, trim: Size, outline: Outline) -> Option<f64> {
    let (w, h) = (trim.w.to_mm(), trim.h.to_mm());
    match outline {
        Outline::Rect | Outline::Standee => Some(left.min(top).min(w - right).min(h - bottom)),
        Outline::Circle => {
            let far = |x: f64, y: f64| (x - w / 2.0).hypot(y - h / 2.0);
            // The corners of a glyph's box are empty as a rule; the middles of its sides are not.
            let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
            let reach = [far(left, y), far(right, y), far(x, top), far(x, bottom)].into_iter().fold(0.0, f64::max);
            Some(w / 2.0 - reach)
        }
        Outline::HexFlat | Outline::HexPointy => {
            let corners = Shape::from(outline).corners(trim)?.map(|corner| (corner.x.to_mm(), corner.y.to_mm()));
            // As in a circle, the middles of the sides of a glyph's box count.
            let (x, y) = ((left + right) / 2.0, (top + bottom) / 2.0);
            let spots = [(left, y), (right, y), (x, top), (x, bottom)];
            let sides = (0..6).map(|at| (corners[at], corners[(at + 1) % 6]));
            let inside = sides.flat_map(|((x, y), (to_x, to_y))| {
                let (dx, dy) = (to_x - x, to_y - y);
                spots.map(|(at_x, at_y)| (dx * (at_y - y) - dy * (at_x - x)) / dx.hypot(dy))
            });
            inside.reduce(f64::min)
        }
        Outline::Drawn => None,
    }
}

impl Text<'_> {
    fn extent(&self) -> Option<Extent> {
        super::flaw::around(self.runs.iter().flat_map(|(_, ink)| ink).copied())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use super::*;
    use crate::compose::face::Colour;
    use crate::fonts::FontId;
    use crate::geometry::Affine;

    fn run(text: &str, size: f64) -> GlyphRun {
        let size = (size * PT) as f32;
        let (fill, transform) = (Colour::BLACK, Affine::IDENTITY);
        GlyphRun { font: FontId(0), size, fill, transform, glyphs: Vec::new(), text: text.to_owned() }
    }

    fn text(run: &GlyphRun, ink: Extent) -> Text<'_> {
        Text { number: 0, scale: 1.0, is_misplaced: false, runs: vec![(run, vec![ink])] }
    }

    const CARD: Size = Size::mm(63, 88);
    const MIDDLE: Extent = [30.0, 40.0, 33.0, 43.0];

    #[test]
    fn dense_and_light_text_must_be_larger() {
        let judged = |of: &str, size: f64, reversed: bool| {
            let run = run(of, size);
            let flaw = super::size(&text(&run, MIDDLE), &Limits::default(), &|_| reversed);
            flaw.map(|flaw| (flaw.check.code, flaw.expected))
        };
        let found = |of, size, reversed| judged(of, size, reversed).map(|(code, _)| code);
        assert_eq!(found("abc", 6.0, false), None);
        assert_eq!(found("abc", 5.5, false), Some("text-small"));
        assert_eq!(found("abc", 4.9, false), Some("text-tiny"));
        assert_eq!(found("abc", 5.9, true), Some("text-tiny"));
        assert_eq!(found("三人", 8.0, false), None);
        assert_eq!(found("三人", 7.9, false), Some("text-small"));
        assert_eq!(found("三人", 5.9, false), Some("text-tiny"));
        assert_eq!(judged("三人", 8.5, true).unwrap().1, "at least 9 pt for light Han on a dark ground");
    }

    #[test]
    fn the_size_is_that_on_the_face() {
        let twice = GlyphRun { transform: Affine::scale(2.0, 2.0), ..run("三", 4.0) };
        assert!((points(&twice) - 8.0).abs() < 1e-4);
    }

    #[test]
    fn shrinking_has_a_limit() {
        let run = run("abc", 8.0);
        let shrunk = |scale| super::shrunk(&Text { scale, ..text(&run, MIDDLE) }, &Limits::default());
        assert_eq!(shrunk(0.85), None);
        assert!((shrunk(0.8).unwrap().measured - 20.0).abs() < 1e-9);
    }

    #[test]
    fn text_keeps_inside_the_safe_zone() {
        let run = run("abc", 8.0);
        let found = |ink, outline| place(&text(&run, ink), CARD, 3.0, outline).map(|flaw| flaw.message);
        assert_eq!(found(MIDDLE, Outline::Rect), None);
        assert_eq!(found([3.0, 3.0, 60.0, 85.0], Outline::Rect), None);
        assert_eq!(found([2.0, 40.0, 5.0, 43.0], Outline::Rect).unwrap(), "the text stands 2 mm inside the trim");
        let beyond = "the text reaches 1.5 mm beyond the cut";
        assert_eq!(found([60.0, 40.0, 64.5, 43.0], Outline::Rect).unwrap(), beyond);
        assert_eq!(found([0.0, 0.0, 1.0, 1.0], Outline::Drawn), None);
        let disc = |ink| place(&text(&run, ink), Size::mm(20, 20), 3.0, Outline::Circle).map(|flaw| flaw.measured);
        assert_eq!(disc([8.0, 8.0, 12.0, 12.0]), None);
        assert!((disc([8.0, 1.0, 12.0, 4.0]).unwrap() - 1.0).abs() < 1e-9);
    }
}
