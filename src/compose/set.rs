//! A `<text>` element becomes set text: its attributes say where, its children what.

use std::collections::BTreeMap;

use super::dom::{Child, Element, Stretch};
use super::face::Colour;
use super::style::{TextStyle, length};
use super::text::{self, Anchor, Column, Inline, Laid, Language, Style, TextBox, Vertical};
use crate::diagnostics::{Finding, checks, nearest};
use crate::fonts::{BUILT_IN_FAMILY, FontId, Fonts};
use crate::icons::Icons;
use crate::model::Game;

/// What setting text needs to know.
pub struct Setting<'a> {
    /// The game, for its generic families.
    pub game: &'a Game,
    /// Its fonts.
    pub fonts: &'a Fonts,
    /// Its icons.
    pub icons: &'a Icons,
    /// The rectangles of the template that text may flow into, by id: left, top, width, height.
    pub shapes: &'a BTreeMap<String, [f64; 4]>,
}

/// Text that hangs together: it starts at a place of its own.
struct Chunk {
    x: f64,
    y: f64,
    anchor: Anchor,
    content: Vec<Inline>,
}

/// Sets `element`, a `<text>` inside `outer`. Findings carry no place yet.
pub fn set_text(element: &Element, outer: &TextStyle, setting: &Setting<'_>, findings: &mut Vec<Finding>) -> Vec<Laid> {
    let mut faults = Vec::new();
    let style = outer.inside(element, &mut faults);
    let number = |name: &str| element.attribute(name).and_then(|value| length(value, 1.0)).unwrap_or(0.0);
    let frame = text_box(element, &style, setting, (number("x"), number("y")), &mut faults);
    let mut reader = Reader {
        setting,
        faults: &mut faults,
        findings,
        rich: element.attribute("pb:rich") == Some("true"),
        chunks: Vec::new(),
    };
    let origin = (reader.number(element, "x").unwrap_or(0.0), reader.number(element, "y").unwrap_or(0.0));
    reader.chunks.push(Chunk { x: origin.0, y: origin.1, anchor: style.anchor, content: Vec::new() });
    reader.read(element, &style, frame.is_some());
    let mut chunks = reader.chunks;
    chunks.iter_mut().for_each(|chunk| trim(&mut chunk.content));
    findings.extend(faults.into_iter().map(|fault| Finding::new(checks::TEMPLATE_ATTRIBUTE, fault)));
    match frame {
        Some(frame) => {
            let content: Vec<Inline> = chunks.into_iter().flat_map(|chunk| chunk.content).collect();
            let laid = match style.columns {
                Some(western) => return vec![text::columns(setting.fonts, &content, &frame, western)],
                None => text::block(setting.fonts, &content, &frame),
            };
            vec![if frame.h.is_infinite() { hung_from(frame.y, laid) } else { laid }]
        }
        None => chunks
            .iter()
            .filter(|chunk| !chunk.content.is_empty())
            .map(|Chunk { x, y, anchor, content }| match style.columns {
                Some(western) => {
                    let column = Column { language: style.language, western };
                    text::column(setting.fonts, content, *x, *y, *anchor, column)
                }
                None => text::line(setting.fonts, content, *x, *y, *anchor, style.language),
            })
            .collect(),
    }
}

/// `laid` moved up or down so that its first baseline is at `y`, as SVG wants it of a text without a height.
fn hung_from(y: f64, mut laid: Laid) -> Laid {
    let Some(first) = laid.runs.first() else { return laid };
    let down = y - first.transform.f;
    laid.runs.iter_mut().for_each(|run| run.transform.f += down);
    laid.icons.iter_mut().for_each(|icon| icon.y += down);
    laid.bounds[1] += down;
    laid.bounds[3] += down;
    laid
}

/// The box that a text is wrapped in: `pb:box`, SVG 2's `shape-inside`, or `inline-size`; none for single lines.
fn text_box(
    element: &Element,
    style: &TextStyle,
    setting: &Setting<'_>,
    origin: (f64, f64),
    faults: &mut Vec<String>,
) -> Option<TextBox> {
    let [x, y, w, h] = if let Some(value) = element.attribute("pb:box") {
        numbers(value, style.size).or_else(|| {
            faults.push(format!("`pb:box` is {value:?}; it takes four numbers: left, top, width, height in mm"));
            None
        })?
    } else if let Some(value) = element.property("shape-inside") {
        shape(value, setting).or_else(|| {
            faults.push(format!("`shape-inside` is {value:?}; it takes `url(#id)` of a <rect> of this template"));
            None
        })?
    } else {
        inline_size(element.property("inline-size")?, style, origin, faults)?
    };
    let frame = TextBox {
        x,
        y,
        w,
        h,
        align: style.align,
        vertical: Vertical::Top,
        line_height: style.line_height,
        min_size: None,
        max_lines: None,
        language: style.language,
    };
    Some(fitted(element, style, frame, faults))
}

fn numbers(value: &str, size: f64) -> Option<[f64; 4]> {
    let parts = value.split([' ', ',']).filter(|part| !part.is_empty());
    let numbers: Vec<f64> = parts.map(|part| length(part, size)).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

fn shape(value: &str, setting: &Setting<'_>) -> Option<[f64; 4]> {
    let id = value.trim().strip_prefix("url(")?.strip_suffix(')')?.trim_matches(['"', '\'']).strip_prefix('#')?;
    setting.shapes.get(id).copied()
}

/// `inline-size` bounds the width only. The text's `y` is the baseline of its first line, and `text-anchor` says which edge
/// or middle its `x` is.
fn inline_size(value: &str, style: &TextStyle, origin: (f64, f64), faults: &mut Vec<String>) -> Option<[f64; 4]> {
    if value == "auto" {
        return None;
    }
    let Some(w) = length(value, style.size).filter(|w| *w > 0.0) else {
        faults.push(format!("`inline-size` is {value:?}; it takes a length above zero"));
        return None;
    };
    let x = match style.anchor {
        Anchor::Start => origin.0,
        Anchor::Middle => origin.0 - w / 2.0,
        Anchor::End => origin.0 - w,
    };
    Some([x, origin.1, w, f64::INFINITY])
}

/// `frame` with what the element says of fitting.
fn fitted(element: &Element, style: &TextStyle, mut frame: TextBox, faults: &mut Vec<String>) -> TextBox {
    frame.vertical = match element.attribute("pb:valign") {
        None | Some("top") => Vertical::Top,
        Some("middle") => Vertical::Middle,
        Some("bottom") => Vertical::Bottom,
        Some(other) => {
            faults.push(format!("`pb:valign` is {other:?}; it is top, middle or bottom"));
            Vertical::Top
        }
    };
    match element.attribute("pb:fit") {
        None | Some("none") => {}
        Some("shrink") => {
            let least =
                element.attribute("pb:min-size").map_or(Some(style.size * 0.7), |value| length(value, style.size));
            frame.min_size = least.filter(|least| *least > 0.0);
            if frame.min_size.is_none() {
                faults.push("`pb:min-size` is no length above zero".to_owned());
            }
        }
        Some(other) => faults.push(format!("`pb:fit` is {other:?}; it is none or shrink")),
    }
    if let Some(value) = element.attribute("pb:max-lines") {
        frame.max_lines = value.parse().ok().filter(|lines| *lines > 0);
        if frame.max_lines.is_none() {
            faults.push(format!("`pb:max-lines` is {value:?}; it is a whole number from 1"));
        }
    }
    frame
}

struct Reader<'a, 'r> {
    setting: &'r Setting<'a>,
    faults: &'r mut Vec<String>,
    findings: &'r mut Vec<Finding>,
    rich: bool,
    chunks: Vec<Chunk>,
}

impl Reader<'_, '_> {
    fn number(&mut self, element: &Element, name: &str) -> Option<f64> {
        let value = element.attribute(name)?;
        let number = length(value, 1.0);
        if number.is_none() {
            self.faults.push(format!("`{name}` is {value:?}; it is one number"));
        }
        number
    }

    fn read(&mut self, element: &Element, style: &TextStyle, wrapped: bool) {
        for child in &element.children {
            match child {
                Child::Text(stretches) => self.stretches(stretches, style),
                Child::Element(span) if matches!(span.name.as_str(), "tspan" | "a") => {
                    let inner = style.inside(span, self.faults);
                    self.start_chunk(span, &inner, wrapped);
                    self.read(span, &inner, wrapped);
                }
                Child::Element(other) if matches!(other.name.as_str(), "title" | "desc") => {}
                Child::Element(other) => self.faults.push(format!("<{}> cannot stand in a text", other.name)),
            }
        }
    }

    /// A `tspan` with a place of its own starts a new chunk there.
    fn start_chunk(&mut self, span: &Element, style: &TextStyle, wrapped: bool) {
        let (x, y) = (self.number(span, "x"), self.number(span, "y"));
        let (dx, dy) = (self.number(span, "dx").unwrap_or(0.0), self.number(span, "dy").unwrap_or(0.0));
        if wrapped || (x.is_none() && y.is_none() && dy == 0.0) {
            return;
        }
        let Some(last) = self.chunks.last() else { return };
        let chunk = Chunk {
            x: x.unwrap_or(last.x) + dx,
            y: y.unwrap_or(last.y) + dy,
            anchor: style.anchor,
            content: Vec::new(),
        };
        self.chunks.push(chunk);
    }

    fn stretches(&mut self, stretches: &[Stretch], style: &TextStyle) {
        let mut text = String::new();
        for stretch in stretches {
            if stretch.computed || style.keeps_breaks {
                text.push_str(&stretch.text);
            } else {
                text.push_str(&stretch.text.replace(['\n', '\r', '\t'], " "));
            }
        }
        if text.is_empty() {
            return;
        }
        let Some(style) = self.text_style(style) else { return };
        let content = if self.rich { self.rich_content(&text, &style) } else { vec![Inline::Text { text, style }] };
        if let Some(chunk) = self.chunks.last_mut() {
            chunk.content.extend(content);
        }
    }

    fn rich_content(&mut self, text: &str, style: &Style) -> Vec<Inline> {
        let icons = self.setting.icons;
        let rich = text::rich::rich(text, style, &|name| icons.find(name).ok().map(|icon| icon.aspect()));
        for fault in rich.faults {
            let from: String = text[fault.at..].chars().take(8).collect();
            let message = format!("in \"{from}…\": {}", fault.what);
            self.findings.push(Finding::new(checks::TEXT_MARK, message));
        }
        rich.content
    }

    /// The faces for a style: the families it names, then `fallback` families of the game, then the built-in font.
    fn text_style(&mut self, style: &TextStyle) -> Option<Style> {
        let fill = style.paint().unwrap_or(Colour { opacity: 0.0, ..Colour::BLACK });
        let fonts = self.faces(style, style.weight);
        let bold = self.faces(style, style.weight.max(700));
        (!fonts.is_empty()).then_some(Style {
            fonts,
            bold,
            size: style.size,
            fill,
            letter_spacing: style.letter_spacing,
        })
    }

    fn faces(&mut self, style: &TextStyle, weight: u16) -> Vec<FontId> {
        let mut faces = Vec::new();
        for family in &style.families {
            let real = real_family(self.setting.game, family, style.language);
            let real = if real == "sans" || real == "sans-serif" { BUILT_IN_FAMILY } else { real };
            match self.setting.fonts.select(real, weight, style.italic) {
                Some(face) => faces.push(face),
                None => self.missing_family(real),
            }
        }
        let rest = ["fallback", "sans", "symbols"].into_iter().filter_map(|name| self.setting.game.fonts.get(name));
        let rest = rest.map(|family| family.value.as_str()).chain([BUILT_IN_FAMILY]);
        faces.extend(rest.filter_map(|family| self.setting.fonts.select(family, weight, false)));
        let mut seen = Vec::new();
        faces.retain(|face| {
            !seen.contains(face) && {
                seen.push(*face);
                true
            }
        });
        faces
    }

    fn missing_family(&mut self, family: &str) {
        let message = format!("there is no font family {family:?} in the project");
        if self.findings.iter().any(|finding| finding.message == message) {
            return;
        }
        let known: Vec<&str> = self.setting.fonts.families().collect();
        let mut finding = Finding::new(checks::FONT_MISSING, message).expected(known.join(", "));
        if let Some(near) = nearest(family, known) {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        self.findings.push(finding);
    }
}

/// What the game's `[fonts]` says `family` is in this language, or in any.
fn real_family<'f>(game: &'f Game, family: &'f str, language: Language) -> &'f str {
    let fonts = &game.fonts;
    let regional = match language {
        Language::ZhHant => fonts.get(&format!("{family}:zh-Hant")),
        Language::Ja => fonts.get(&format!("{family}:ja")),
        Language::ZhHans | Language::Other => None,
    };
    regional.or_else(|| fonts.get(family)).map_or(family, |real| real.value.as_str())
}

/// Drops blanks at the start and the end of a chunk.
fn trim(content: &mut Vec<Inline>) {
    while let Some(Inline::Text { text, .. }) = content.first_mut() {
        *text = text.trim_start_matches([' ', '\n']).to_owned();
        if !text.is_empty() {
            break;
        }
        content.remove(0);
    }
    while let Some(Inline::Text { text, .. }) = content.last_mut() {
        *text = text.trim_end_matches([' ', '\n']).to_owned();
        if !text.is_empty() {
            break;
        }
        content.pop();
    }
}
