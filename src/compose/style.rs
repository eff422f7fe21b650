//! How text looks: the properties that a `<text>` inherits, from attributes and from `style="..."`, which wins.

use std::str::FromStr;

use super::attributes::Look;
use super::dom::{Element, declarations};
use super::face::Colour;
use super::text::{Align, Anchor, Language, Western};
use crate::diagnostics::{Finding, checks};
use crate::source::Span;

/// Millimetres in a point.
const PT: f64 = 25.4 / 72.0;
/// What to do for letters in a gradient or a pattern.
const IN_A_GRADIENT: &str = "letters have one colour; turn the word into a path in a drawing program to fill it so";

/// The properties of text at a place in the template.
#[derive(Clone, Debug, PartialEq)]
pub struct TextStyle {
    /// Families, the wanted one first.
    pub families: Vec<String>,
    /// Size of the em in millimetres.
    pub size: f64,
    /// Weight, 100 to 900.
    pub weight: u16,
    /// Whether it slants.
    pub italic: bool,
    /// Fill; none when text is not painted.
    pub fill: Option<Colour>,
    /// Opacity of the fill.
    pub fill_opacity: f32,
    /// What `currentColor` is.
    pub colour: Colour,
    /// Extra space after every glyph, in millimetres.
    pub letter_spacing: f64,
    /// Distance of baselines as a multiple of the size.
    pub line_height: f64,
    /// Alignment of wrapped lines.
    pub align: Align,
    /// How a single line hangs at its x.
    pub anchor: Anchor,
    /// Whether line feeds of the template itself break lines.
    pub keeps_breaks: bool,
    /// The language.
    pub language: Language,
    /// How words stand in columns; none where text runs in lines.
    pub columns: Option<Western>,
    /// How words would stand if text ran in columns.
    pub western: Western,
}

impl TextStyle {
    /// What holds at the root of a template of a game in `language` (a BCP 47 tag).
    pub fn root(language: &str) -> Self {
        TextStyle {
            families: vec!["sans".to_owned()],
            size: 3.0,
            weight: 400,
            italic: false,
            fill: Some(Colour::BLACK),
            fill_opacity: 1.0,
            colour: Colour::BLACK,
            letter_spacing: 0.0,
            line_height: 1.4,
            align: Align::Start,
            anchor: Anchor::Start,
            keeps_breaks: false,
            language: parse_language(language),
            columns: None,
            western: Western::Turned,
        }
    }

    /// What holds inside `element`. Values that cannot be understood go to `faults`.
    #[must_use]
    pub fn inside(&self, element: &Element, faults: &mut Vec<Finding>) -> Self {
        let mut style = self.clone();
        let mut set = |name: &str, value: &str, place: Span| {
            let Some((look, takes)) = Look::named(name) else { return };
            let value = value.trim();
            if !style.set(look, value) {
                let finding = Finding::new(checks::TEMPLATE_ATTRIBUTE, format!("`{name}` is {value:?}"));
                let finding = finding.at(place).expected(takes);
                let is_drawn = look == Look::Fill && value.starts_with("url(");
                faults.push(if is_drawn { finding.help(IN_A_GRADIENT) } else { finding });
            }
        };
        for (name, value) in &element.attributes {
            set(name, value, element.place(name));
        }
        for (name, value) in declarations(element.attribute("style").unwrap_or_default()) {
            set(name, value, element.declared_place(name).unwrap_or(element.span));
        }
        style.columns = style.columns.map(|_| style.western);
        style
    }

    /// Sets the property for `look`; false when `value` cannot be understood.
    fn set(&mut self, look: Look, value: &str) -> bool {
        let (size, current) = (self.size, self.colour);
        match look {
            Look::Families => put(&mut self.families, families(value)),
            Look::Size => put(&mut self.size, length(value, size).filter(|size| *size > 0.0)),
            Look::Weight => put(&mut self.weight, weight(value)),
            Look::Slant => put(&mut self.italic, slant(value)),
            Look::Fill => self.set_fill(value),
            Look::Colour => put(&mut self.colour, colour(value, current)),
            Look::Opacity => opacity(value).map(|opacity| self.fill_opacity *= opacity).is_some(),
            Look::Spacing if value == "normal" => put(&mut self.letter_spacing, Some(0.0)),
            Look::Spacing => put(&mut self.letter_spacing, length(value, size)),
            Look::LineHeight => put(&mut self.line_height, line_height(value, size)),
            Look::Align => put(&mut self.align, align(value)),
            Look::Anchor => put(&mut self.anchor, anchor(value)),
            Look::WhiteSpace => put(&mut self.keeps_breaks, white_space(value)),
            Look::Writing => self.set_writing(value),
            Look::Orientation => put(&mut self.western, orientation(value)),
            Look::Language => put(&mut self.language, Some(parse_language(value))),
        }
    }

    fn set_writing(&mut self, value: &str) -> bool {
        match value {
            "horizontal-tb" | "lr" | "lr-tb" => self.columns = None,
            "vertical-rl" | "tb" | "tb-rl" => self.columns = Some(self.western),
            _ => return false,
        }
        true
    }

    fn set_fill(&mut self, value: &str) -> bool {
        if value == "none" {
            self.fill = None;
            return true;
        }
        colour(value, self.colour).map(|fill| self.fill = Some(fill)).is_some()
    }

    /// The fill with its opacity; none when text is not painted.
    pub fn paint(&self) -> Option<Colour> {
        self.fill.map(|fill| Colour { opacity: fill.opacity * self.fill_opacity, ..fill })
    }
}

fn put<T>(place: &mut T, value: Option<T>) -> bool {
    value.map(|value| *place = value).is_some()
}

fn families(value: &str) -> Option<Vec<String>> {
    let names = value.split(',').map(|name| name.trim().trim_matches(['\'', '"']).to_owned());
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    (!names.is_empty()).then_some(names)
}

/// A length in millimetres: a plain number or `px` is user units, which are millimetres; `em` and `%` go by the size.
pub fn length(value: &str, em: f64) -> Option<f64> {
    let length = svgtypes::Length::from_str(value).ok()?;
    let number = length.number;
    let millimetres = match length.unit {
        svgtypes::LengthUnit::None | svgtypes::LengthUnit::Px | svgtypes::LengthUnit::Mm => number,
        svgtypes::LengthUnit::Cm => number * 10.0,
        svgtypes::LengthUnit::In => number * 25.4,
        svgtypes::LengthUnit::Pt => number * PT,
        svgtypes::LengthUnit::Pc => number * PT * 12.0,
        svgtypes::LengthUnit::Em => number * em,
        svgtypes::LengthUnit::Ex => number * em / 2.0,
        svgtypes::LengthUnit::Percent => number * em / 100.0,
    };
    millimetres.is_finite().then_some(millimetres)
}

/// A share from 0 to 1, or per cent; what is beyond counts as the nearest.
fn opacity(value: &str) -> Option<f32> {
    let opacity = match value.strip_suffix('%') {
        Some(percent) => percent.parse::<f32>().ok()? / 100.0,
        None => value.parse().ok()?,
    };
    opacity.is_finite().then(|| opacity.clamp(0.0, 1.0))
}

fn slant(value: &str) -> Option<bool> {
    match value {
        "normal" => Some(false),
        "italic" => Some(true),
        // CSS lets an angle follow.
        value if value.starts_with("oblique") => Some(true),
        _ => None,
    }
}

fn white_space(value: &str) -> Option<bool> {
    match value {
        "normal" | "nowrap" => Some(false),
        "pre" | "pre-line" | "pre-wrap" | "break-spaces" => Some(true),
        _ => None,
    }
}

fn weight(value: &str) -> Option<u16> {
    match value {
        "normal" => Some(400),
        "bold" => Some(700),
        number => number.parse().ok().filter(|weight| (1..=1000).contains(weight)),
    }
}

/// A solid colour.
pub fn colour(value: &str, current: Colour) -> Option<Colour> {
    if value == "currentColor" {
        return Some(current);
    }
    let colour = svgtypes::Color::from_str(value).ok()?;
    Some(Colour { r: colour.red, g: colour.green, b: colour.blue, opacity: f32::from(colour.alpha) / 255.0 })
}

fn line_height(value: &str, size: f64) -> Option<f64> {
    if value == "normal" {
        return Some(1.4);
    }
    let multiple = match value.parse::<f64>() {
        Ok(multiple) => multiple,
        Err(_) => length(value, size)? / size,
    };
    (multiple.is_finite() && multiple > 0.0).then_some(multiple)
}

fn align(value: &str) -> Option<Align> {
    match value {
        "start" | "left" => Some(Align::Start),
        "center" | "centre" | "middle" => Some(Align::Centre),
        "end" | "right" => Some(Align::End),
        "justify" => Some(Align::Justify),
        _ => None,
    }
}

fn orientation(value: &str) -> Option<Western> {
    match value {
        "mixed" | "sideways" | "auto" => Some(Western::Turned),
        "upright" => Some(Western::Upright),
        _ => None,
    }
}

fn anchor(value: &str) -> Option<Anchor> {
    match value {
        "start" => Some(Anchor::Start),
        "middle" => Some(Anchor::Middle),
        "end" => Some(Anchor::End),
        _ => None,
    }
}

/// What a BCP 47 tag means for setting text.
pub fn parse_language(tag: &str) -> Language {
    let tag = tag.to_ascii_lowercase();
    let parts: Vec<&str> = tag.split(['-', '_']).collect();
    match parts.first() {
        Some(&"zh") if parts.iter().any(|part| matches!(*part, "hant" | "tw" | "hk" | "mo")) => Language::ZhHant,
        Some(&"zh") => Language::ZhHans,
        Some(&"ja") => Language::Ja,
        _ => Language::Other,
    }
}
