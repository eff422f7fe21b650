//! What there is to say about a text that was set.

use super::text::{Laid, Overflow};
use crate::diagnostics::{Finding, checks};
use crate::fonts::Fonts;
use crate::geometry::{Affine, Size};

/// Characters of a text that a message quotes.
const QUOTED: usize = 20;
/// Millimetres that a text may reach beyond the trim: less than a cut is exact.
const SLACK: f64 = 0.1;

/// Findings about how `laid`, placed by `transform`, was set.
pub fn setting(laid: &Laid, transform: Affine, fonts: &Fonts, findings: &mut Vec<Finding>) {
    if let Some(over) = &laid.overflow {
        let even =
            if laid.scale < 1.0 { format!(", even at {:.0} % of its size", laid.scale * 100.0) } else { String::new() };
        let by = by_how_much(over, transform);
        let message = format!("the text \"{}\" does not fit{even}: {by}", beginning(laid));
        let help = match even.as_str() {
            "" => "shorten it, enlarge the box, or let it shrink (`pb:fit=\"shrink\"`)",
            _ => "shorten it, enlarge the box, or let it get smaller (`pb:min-size`)",
        };
        findings.push(Finding::new(checks::TEXT_OVERFLOW, message).help(help));
    }
    for missing in &laid.missing {
        let code = u32::from(missing.character);
        // An accent alone would sit on the quote before it.
        let carrier = if is_accent(missing.character) { "\u{25CC}" } else { "" };
        let (character, first) = (missing.character, &fonts.face(missing.font).family);
        let message =
            format!("no font of this text has `{carrier}{character}` (U+{code:04X}); the first one is {first}");
        let mut help =
            "choose another character, or put a font that has it into fonts/ and name it `fallback` in [fonts]"
                .to_owned();
        if is_pictograph(missing.character) {
            let file = format!("{:x}.svg", u32::from(missing.character));
            help.push_str(&format!(
                "; or draw it as an icon: {file} in the game's icon set, and `pb:rich=\"true\"` on the text"
            ));
        }
        findings.push(Finding::new(checks::GLYPH_MISSING, message).help(help));
    }
    for fallback in &laid.fallbacks {
        let (wanted, used) = (fonts.face(fallback.wanted), fonts.face(fallback.used));
        let message = format!(
            "\"{}\" is set from {}, because {} lacks a character of it",
            fallback.text, used.family, wanted.family
        );
        findings.push(Finding::new(checks::FONT_FALLBACK, message));
    }
    if laid.lonely && laid.overflow.is_none() {
        let last = laid.lines.last().map(String::as_str).unwrap_or_default();
        findings.push(Finding::new(checks::TEXT_LONELY, format!("the last line holds only {last:?}")));
    }
}

/// A finding when `laid`, placed by `transform`, reaches beyond the edge of a piece of size `trim`.
pub fn place(laid: &Laid, transform: Affine, trim: Size) -> Option<Finding> {
    if laid.overflow.is_some() {
        return None; // what sticks out of its box has been told
    }
    let [left, top, right, bottom] = laid.bounds;
    // The outer parts of a line's box are empty; what must be inside is the middle of the first and the last line, or column.
    let half = |length: f64| length / laid.lines.len().max(1) as f64 / 2.0;
    let (across, down) = if laid.in_columns { (half(right - left), 0.0) } else { (0.0, half(bottom - top)) };
    let (left, top, right, bottom) = (left + across, top + down, right - across, bottom - down);
    let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
    let (w, h) = (trim.w.to_mm(), trim.h.to_mm());
    let beyond = |over: &dyn Fn(f64, f64) -> f64| {
        corners.iter().map(|(x, y)| transform.apply(*x, *y)).map(|(x, y)| over(x, y)).fold(0.0, f64::max)
    };
    let sides = [
        (beyond(&|x, _| -x), "left"),
        (beyond(&|x, _| x - w), "right"),
        (beyond(&|_, y| -y), "top"),
        (beyond(&|_, y| y - h), "bottom"),
    ];
    let (over, side) = sides.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).filter(|(over, _)| *over > SLACK)?;
    let message = format!("the text \"{}\" reaches {} beyond the {side} edge", beginning(laid), in_mm(over));
    Some(Finding::new(checks::TEXT_OUTSIDE, message).help("shorten it, move it, or set it in a box (`pb:box`)"))
}

/// Whether a character is an accent that stands on the one before it.
const fn is_accent(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}')
}

/// Whether a character is a picture, as emoji are.
const fn is_pictograph(character: char) -> bool {
    matches!(character, '\u{2190}'..='\u{2BFF}' | '\u{1F000}'..='\u{1FAFF}')
}

/// In millimetres of the piece, whatever the text's own units are.
fn by_how_much(over: &Overflow, transform: Affine) -> String {
    let sides =
        [(over.width * transform.a.hypot(transform.b), "wide"), (over.height * transform.c.hypot(transform.d), "high")];
    let by = sides.iter().filter(|(by, _)| *by > 0.0).map(|(by, side)| format!("{} too {side}", in_mm(*by)));
    let mut parts: Vec<String> = by.collect();
    if parts.is_empty() {
        parts.push("it takes more lines than `pb:max-lines` allows".to_owned());
    }
    match over.characters {
        0 => {}
        1 => parts.push("1 character falls outside".to_owned()),
        many => parts.push(format!("{many} characters fall outside")),
    }
    parts.join(", ")
}

/// Millimetres with one decimal, never "0.0" of something that is not nothing, and no endless numbers.
fn in_mm(by: f64) -> String {
    match by {
        _ if by < 0.05 => "less than 0.1 mm".to_owned(),
        _ if by > 100_000.0 => "more than 100 m".to_owned(),
        _ => format!("{by:.1} mm"),
    }
}

/// How the text begins.
fn beginning(laid: &Laid) -> String {
    match laid.text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", laid.text[..end].trim_end()),
        None => laid.text.clone(),
    }
}
