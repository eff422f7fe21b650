//! A template must be drawn in the size that its component is cut to.

use super::instance::plain_text;
use super::template::{Template, Text};
use crate::diagnostics::{Finding, checks};
use crate::expr::Scope;
use crate::geometry::Size;
use crate::source::Span;

/// How far a size may be off, in millimetres.
const TOLERANCE: f64 = 0.05;
/// Millimetres in a CSS pixel: 96 to the inch.
const PX: f64 = 25.4 / 96.0;

/// Checks that the `viewBox` of `template` is `trim` (one unit is one millimetre), and that a `width` and `height` beside it, if
/// there are any, mean the same size. `named_at` is where the component names the template.
///
/// # Errors
/// A finding that says what the size is and what it should be.
pub fn check_size(template: &Template<'_>, named_at: Span, trim: Size, scope: &Scope) -> Result<(), Box<Finding>> {
    let (w, h) = (trim.w.to_mm(), trim.h.to_mm());
    let expected = format!("viewBox=\"0 0 {w} {h}\"");
    let Some(view_box) = &template.view_box else {
        let message = format!("templates/{} has no viewBox", template.path);
        let finding = Finding::new(checks::TEMPLATE_SIZE, message).at(template.root.span).expected(expected);
        return Err(Box::new(
            finding.help("without it one unit is no known length; Inkscape: Document Properties > Scale"),
        ));
    };
    let text = plain_text(view_box, scope)?;
    let numbers: Option<Vec<f64>> =
        text.split([' ', ',']).filter(|part| !part.is_empty()).map(|part| part.parse().ok()).collect();
    let same = |is: f64, should: f64| (is - should).abs() < TOLERANCE / 10.0;
    if !matches!(numbers.as_deref(), Some([x, y, width, height]) if same(*x, 0.0) && same(*y, 0.0) && same(*width, w) && same(*height, h))
    {
        let message = format!("the viewBox of templates/{} is \"{text}\", but the trim is {trim}", template.path);
        let finding = Finding::new(checks::TEMPLATE_SIZE, message).at(view_box.span).and(named_at, "used here");
        let finding = finding.expected(expected);
        return Err(Box::new(match numbers.as_deref().and_then(|numbers| guess(numbers, (w, h))) {
            Some(help) => finding.help(help),
            None => finding,
        }));
    }
    for (name, should) in [("width", w), ("height", h)] {
        if let Some((_, written)) = template.root.attributes.iter().find(|(own, _)| own == name) {
            check_side(name, written, should, template, scope)?;
        }
    }
    Ok(())
}

/// What a wrong viewBox probably is, and how to mend it.
fn guess(view_box: &[f64], (w, h): (f64, f64)) -> Option<String> {
    let [x, y, width, height] = *view_box else { return None };
    // Drawing programs round to whole pixels.
    let is =
        |unit: f64| (width * unit - w).abs() < unit.max(TOLERANCE) && (height * unit - h).abs() < unit.max(TOLERANCE);
    let scale = "scale the drawing once, so that one unit is one millimetre (Inkscape: Document Properties > Scale)";
    for dpi in [96.0, 90.0, 72.0, 300.0] {
        if is(25.4 / dpi) {
            return Some(format!("this is the trim in pixels of {dpi} to the inch; {scale}"));
        }
    }
    if is(10.0) || is(25.4) {
        return Some(format!("this is the trim in {}; {scale}", if is(10.0) { "centimetres" } else { "inches" }));
    }
    let around = (width - w) / 2.0;
    if (width - h).abs() < TOLERANCE && (height - w).abs() < TOLERANCE {
        Some("the drawing lies where the trim stands; turn one of them".to_owned())
    } else if around > TOLERANCE && ((height - h) / 2.0 - around).abs() < TOLERANCE {
        Some(format!(
            "this is the trim with {around} mm around it; the viewBox is the trim itself, and art reaches into the bleed outside of it"
        ))
    } else if (width - w).abs() < TOLERANCE && (height - h).abs() < TOLERANCE && (x, y) != (0.0, 0.0) {
        Some("the drawing must begin at 0 0".to_owned())
    } else {
        None
    }
}

/// A `width` or `height` of the root: a physical length, pixels of 96 to the inch, or the plain number of the viewBox.
fn check_side(
    name: &str,
    written: &Text<'_>,
    should: f64,
    template: &Template<'_>,
    scope: &Scope,
) -> Result<(), Box<Finding>> {
    use svgtypes::LengthUnit as Unit;
    let text = plain_text(written, scope)?;
    let Ok(length) = text.parse::<svgtypes::Length>() else { return Ok(()) };
    let readings: &[f64] = match length.unit {
        Unit::Percent | Unit::Em | Unit::Ex => return Ok(()),
        Unit::Mm => &[1.0],
        Unit::Cm => &[10.0],
        Unit::In => &[25.4],
        Unit::Pt => &[25.4 / 72.0],
        Unit::Pc => &[25.4 / 6.0],
        Unit::Px => &[PX],
        Unit::None => &[PX, 1.0],
    };
    if readings.iter().any(|scale| (length.number * scale - should).abs() < TOLERANCE) {
        return Ok(());
    }
    let is = length.number * readings[0];
    let message = format!(
        "the {name} of templates/{} is {text}, which is {is:.2} mm, but the trim says {should} mm",
        template.path
    );
    let finding =
        Finding::new(checks::TEMPLATE_SIZE, message).at(written.span).expected(format!("{name}=\"{should}mm\""));
    Err(Box::new(
        finding.help("a drawing made at 72 or 90 pixels an inch must be scaled once; here 96 pixels are an inch"),
    ))
}
