//! The box that a text is set in: what a `<text>` says of it, and the rectangle of the template that it may name.

use super::dom::Element;
use super::style::{TextStyle, length};
use super::text::{Anchor, TextBox, Vertical};
use crate::diagnostics::{Finding, nearest};

/// What a text says of its box.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// Nothing: it stands on lines of its own.
    None,
    /// Something that cannot be used; the faults say why.
    Unusable,
    /// The box.
    Box(TextBox),
}

/// Attributes that say how a text is fitted into its box.
const OF_A_BOX: [&str; 4] = ["pb:fit", "pb:min-size", "pb:max-lines", "pb:valign"];

/// The box that `element`, a `<text>`, is wrapped in: `pb:box`, SVG 2's `shape-inside`, or `inline-size`. Shapes are looked up in
/// `root`; what cannot be understood goes to `faults`.
pub fn frame(element: &Element, style: &TextStyle, root: &Element, faults: &mut Vec<Finding>) -> Frame {
    let sides = if let Some(value) = element.attribute("pb:box") {
        let fault = || format!("`pb:box` is {value:?}; it takes four numbers: left, top, width, height in mm");
        numbers(value, style.size).ok_or_else(|| element.fault("pb:box", fault()))
    } else if let Some(value) = element.property("shape-inside").filter(|value| *value != "auto") {
        shape(value, root)
            .map_err(|fault| element.fault("shape-inside", fault))
            .and_then(|sides| padded(sides, element, style))
    } else if let Some(value) = element.property("inline-size").filter(|value| *value != "auto") {
        inline_size(value, element, style)
    } else {
        let idle = OF_A_BOX.iter().filter(|name| element.attribute(name).is_some());
        faults.extend(idle.map(|name| {
            element.fault(name, format!("`{name}` means nothing without a box (`pb:box` or `shape-inside`)"))
        }));
        return Frame::None;
    };
    match sides {
        Ok(sides) => Frame::Box(fitted(element, style, sides, faults)),
        Err(fault) => {
            faults.push(fault);
            Frame::Unusable
        }
    }
}

fn numbers(value: &str, size: f64) -> Option<[f64; 4]> {
    let parts = value.split([' ', ',']).filter(|part| !part.is_empty());
    let numbers: Vec<f64> = parts.map(|part| length(part, size)).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// The sides of the `<rect>` that `value` names. It counts in the coordinates of the text, as drawing programs have it: its own
/// `transform` moves it, those of the groups around it do not.
fn shape(value: &str, root: &Element) -> Result<[f64; 4], String> {
    let fault = |why: &str| format!("`shape-inside` is {value:?}; {why}");
    let id = value.trim().strip_prefix("url(").and_then(|rest| rest.strip_suffix(')'));
    let id = id.and_then(|id| id.trim_matches(['"', '\'']).strip_prefix('#'));
    let id = id.ok_or_else(|| fault("it takes `url(#id)` of one <rect> of this template"))?;
    let Some(shape) = root.with_id(id) else {
        let near = nearest(id, root.ids()).map(|near| format!("; did you mean `{near}`?"));
        return Err(fault(&format!("nothing in this template has that id{}", near.unwrap_or_default())));
    };
    if shape.name != "rect" {
        return Err(fault(&format!("that is a <{}>, and text flows into a <rect> only", shape.name)));
    }
    let number = |name: &str| length(shape.attribute(name).unwrap_or("0"), 1.0);
    let (Some(x), Some(y), Some(w), Some(h)) = (number("x"), number("y"), number("width"), number("height")) else {
        return Err(fault("that <rect> has no place or no size"));
    };
    let Some(transform) = shape.attribute("transform") else { return Ok([x, y, w, h]) };
    match transform.parse::<svgtypes::Transform>() {
        Ok(t) if t.b == 0.0 && t.c == 0.0 && t.a > 0.0 && t.d > 0.0 => {
            Ok([t.a * x + t.e, t.d * y + t.f, t.a * w, t.d * h])
        }
        _ => Err(fault("that <rect> is turned or mirrored; turn the text instead")),
    }
}

/// `sides` with SVG 2's `shape-padding` taken off.
fn padded([x, y, w, h]: [f64; 4], element: &Element, style: &TextStyle) -> Result<[f64; 4], Finding> {
    let Some(value) = element.property("shape-padding") else { return Ok([x, y, w, h]) };
    let by = length(value, style.size).filter(|by| *by >= 0.0);
    let fault = || element.fault("shape-padding", format!("`shape-padding` is {value:?}; it takes a length"));
    let by = by.ok_or_else(fault)?;
    Ok([x + by, y + by, (w - 2.0 * by).max(0.0), (h - 2.0 * by).max(0.0)])
}

/// `inline-size` bounds the width only, or in columns the height. The text's `y` is the baseline of its first line, `x` the
/// middle of its first column, and `text-anchor` says which edge or middle the other one is.
fn inline_size(value: &str, element: &Element, style: &TextStyle) -> Result<[f64; 4], Finding> {
    let size = length(value, style.size).filter(|size| *size > 0.0);
    let fault = || element.fault("inline-size", format!("`inline-size` is {value:?}; it takes a length above zero"));
    let size = size.ok_or_else(fault)?;
    let number = |name: &str| element.attribute(name).and_then(|value| length(value, 1.0)).unwrap_or(0.0);
    let before = match style.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => size / 2.0,
        Anchor::End => size,
    };
    Ok(match style.columns {
        None => [number("x") - before, number("y"), size, f64::INFINITY],
        Some(_) => [number("x"), number("y") - before, f64::INFINITY, size],
    })
}

/// The box with what the element says of fitting.
fn fitted(element: &Element, style: &TextStyle, [x, y, w, h]: [f64; 4], faults: &mut Vec<Finding>) -> TextBox {
    TextBox {
        x,
        y,
        w,
        h,
        align: style.align,
        vertical: vertical(element, faults),
        line_height: style.line_height,
        min_size: min_size(element, style, faults),
        max_lines: max_lines(element, faults),
        language: style.language,
    }
}

fn vertical(element: &Element, faults: &mut Vec<Finding>) -> Vertical {
    match element.attribute("pb:valign") {
        None | Some("top") => Vertical::Top,
        Some("middle") => Vertical::Middle,
        Some("bottom") => Vertical::Bottom,
        Some(other) => {
            faults.push(element.fault("pb:valign", format!("`pb:valign` is {other:?}; it is top, middle or bottom")));
            Vertical::Top
        }
    }
}

/// The smallest size that the text may shrink to; none where it may not.
fn min_size(element: &Element, style: &TextStyle, faults: &mut Vec<Finding>) -> Option<f64> {
    let least = element.attribute("pb:min-size");
    match element.attribute("pb:fit") {
        None | Some("none") => {
            if least.is_some() {
                faults.push(element.fault("pb:min-size", "`pb:min-size` means nothing without `pb:fit=\"shrink\"`"));
            }
            None
        }
        Some("shrink") => {
            let size = least.map_or(Some(style.size * SHRINK), |value| length(value, style.size));
            let size = size.filter(|size| *size > 0.0);
            if size.is_none() {
                faults.push(element.fault(
                    "pb:min-size",
                    format!("`pb:min-size` is {:?}; it takes a length above zero", least.unwrap_or_default()),
                ));
            }
            size
        }
        Some(other) => {
            faults.push(element.fault("pb:fit", format!("`pb:fit` is {other:?}; it is none or shrink")));
            None
        }
    }
}

/// How far text shrinks where nothing is said.
const SHRINK: f64 = 0.7;

fn max_lines(element: &Element, faults: &mut Vec<Finding>) -> Option<usize> {
    let value = element.attribute("pb:max-lines")?;
    let lines = value.parse().ok().filter(|lines| *lines > 0);
    if lines.is_none() {
        faults.push(element.fault("pb:max-lines", format!("`pb:max-lines` is {value:?}; it is a whole number from 1")));
    }
    lines
}
