//! A `<text>` element becomes set text: its attributes say where, its children what.

use super::attributes::{SPANS, UNDRAWN, Undrawn};
use super::dom::{Child, Element, Stretch};
use super::face::Colour;
use super::frame::{Frame, frame};
use super::style::{TextStyle, length};
use super::text::{self, Anchor, Column, Inline, Laid, Language, Style, TextBox};
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
    /// The root of the template, whose rectangles text may flow into.
    pub root: &'a Element,
}

/// Characters that a message about a mark quotes.
const QUOTED: usize = 8;

/// Text that hangs together: it starts at a place of its own.
struct Chunk {
    place: [f64; 2],
    anchor: Anchor,
    content: Vec<Inline>,
}

/// Sets `element`, a `<text>` inside `outer`. Findings that carry no place are about the whole of it.
pub fn set_text(element: &Element, outer: &TextStyle, setting: &Setting<'_>, findings: &mut Vec<Finding>) -> Vec<Laid> {
    let mut faults = Vec::new();
    let style = outer.inside(element, &mut faults);
    let frame = frame(element, &style, setting.root, &mut faults);
    let rich = is_rich(element, &mut faults);
    undrawn(element, &mut faults);
    let run = match frame {
        Frame::Box(_) => Run::Wrapped,
        _ if style.columns.is_some() => Run::Column,
        _ => Run::Line,
    };
    let first = vec![Chunk { place: [0.0; 2], anchor: style.anchor, content: Vec::new() }];
    let mut reader = Reader { setting, faults: &mut faults, findings, rich, run, chunks: first, shift: [0.0; 2] };
    reader.go_to(element, &style);
    reader.read(element, &style);
    let mut chunks = reader.chunks;
    chunks.iter_mut().for_each(|chunk| trim(&mut chunk.content));
    findings.extend(faults);
    match frame {
        Frame::Box(frame) => {
            let content: Vec<Inline> = chunks.into_iter().flat_map(|chunk| chunk.content).collect();
            vec![wrapped(&content, &frame, &style, setting)]
        }
        // Where it would go is anyone's guess, and that was told.
        Frame::Unusable => Vec::new(),
        Frame::None => {
            let chunks = chunks.iter().filter(|chunk| !chunk.content.is_empty());
            chunks.map(|chunk| single(chunk, &style, setting)).collect()
        }
    }
}

fn is_rich(element: &Element, faults: &mut Vec<Finding>) -> bool {
    match element.attribute("pb:rich") {
        None | Some("false") => false,
        Some("true") => true,
        Some(other) => {
            faults.push(element.fault("pb:rich", format!("`pb:rich` is {other:?}; it is true or false")));
            false
        }
    }
}

/// Tells of properties of `element` that another program would draw and this one does not.
fn undrawn(element: &Element, faults: &mut Vec<Finding>) {
    for Undrawn { name, nothing, instead } in UNDRAWN {
        if let Some(value) = element.property(name).filter(|value| !nothing.contains(value)) {
            let message = format!("`{name}` is {value:?}, which does nothing on text here");
            faults.push(element.fault(name, message).help(instead));
        }
    }
}

/// A text in its box. Where only one side of that is bounded, the text hangs from its first line or column.
fn wrapped(content: &[Inline], frame: &TextBox, style: &TextStyle, setting: &Setting<'_>) -> Laid {
    match style.columns {
        Some(western) => {
            let laid = text::columns(setting.fonts, content, frame, western);
            if frame.w.is_infinite() { laid.hung_from_axis(frame.x) } else { laid }
        }
        None => {
            let laid = text::block(setting.fonts, content, frame);
            if frame.h.is_infinite() { laid.hung_from_baseline(frame.y) } else { laid }
        }
    }
}

/// A text on a line, or in a column, of its own.
fn single(chunk: &Chunk, style: &TextStyle, setting: &Setting<'_>) -> Laid {
    let Chunk { place: [x, y], anchor, content } = chunk;
    match style.columns {
        Some(western) => {
            let column = Column { language: style.language, western };
            text::column(setting.fonts, content, *x, *y, *anchor, column)
        }
        None => text::line(setting.fonts, content, *x, *y, *anchor, style.language),
    }
}

/// How a text runs.
#[derive(Clone, Copy, PartialEq)]
enum Run {
    /// On lines that have their places.
    Line,
    /// In columns that have their places.
    Column,
    /// In a box.
    Wrapped,
}

struct Reader<'a, 'r> {
    setting: &'r Setting<'a>,
    faults: &'r mut Vec<Finding>,
    findings: &'r mut Vec<Finding>,
    rich: bool,
    run: Run,
    /// Never empty.
    chunks: Vec<Chunk>,
    /// How far text now stands from its place in the last chunk.
    shift: [f64; 2],
}

impl Reader<'_, '_> {
    fn number(&mut self, element: &Element, name: &str, em: f64) -> Option<f64> {
        let value = element.attribute(name)?;
        let number = length(value, em).filter(|_| !value.contains('%'));
        if number.is_none() {
            self.faults.push(element.fault(name, format!("`{name}` is {value:?}; it is one number")));
        }
        number
    }

    fn read(&mut self, element: &Element, style: &TextStyle) {
        for child in &element.children {
            match child {
                Child::Text(stretches) => self.stretches(stretches, style),
                Child::Element(span) if SPANS.contains(&span.name.as_str()) => {
                    let inner = style.inside(span, self.faults);
                    undrawn(span, self.faults);
                    self.go_to(span, &inner);
                    self.read(span, &inner);
                }
                Child::Element(other) if matches!(other.name.as_str(), "title" | "desc") => {}
                Child::Element(other) => {
                    let message = format!("<{}> cannot stand in a text", other.name);
                    self.faults.push(Finding::new(checks::TEMPLATE_ATTRIBUTE, message).at(other.span));
                }
            }
        }
    }

    /// Goes to where `element` says that its text stands: at a place along the line a new chunk starts; all else shifts what follows.
    fn go_to(&mut self, element: &Element, style: &TextStyle) {
        let place = ["x", "y"].map(|name| self.number(element, name, style.size));
        let by = ["dx", "dy"].map(|name| self.number(element, name, style.size).unwrap_or(0.0));
        if self.run == Run::Wrapped {
            self.tell_of_shifts(element, by);
            return;
        }
        let Some(last) = self.chunks.last() else { return };
        let here = [last.place[0] + self.shift[0], last.place[1] + self.shift[1]];
        let there = [0, 1].map(|axis| place[axis].unwrap_or(here[axis]) + by[axis]);
        let along = usize::from(self.run == Run::Column);
        if element.name == "text" || place[along].is_some() {
            self.chunks.push(Chunk { place: there, anchor: style.anchor, content: Vec::new() });
            self.shift = [0.0; 2];
        } else {
            self.shift = [there[0] - last.place[0], there[1] - last.place[1]];
        }
    }

    /// Tells of shifts in a text that finds its lines by itself.
    fn tell_of_shifts(&mut self, element: &Element, by: [f64; 2]) {
        for (name, by) in ["dx", "dy"].into_iter().zip(by) {
            if by != 0.0 {
                self.faults.push(element.fault(name, format!("`{name}` does nothing in a text that has a box")));
            }
        }
    }

    fn stretches(&mut self, stretches: &[Stretch], style: &TextStyle) {
        let mut text = String::new();
        for stretch in stretches {
            if stretch.computed || style.keeps_breaks {
                text.push_str(&stretch.text.replace('\r', ""));
            } else {
                text.push_str(&stretch.text.replace('\n', "\r"));
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
            let from: String = text[fault.at..].chars().take(QUOTED).collect();
            let more = if text[fault.at..].len() > from.len() { "…" } else { "" };
            let message = format!("in \"{from}{more}\": {}", fault.what);
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
            shift: self.shift,
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

/// What a text neither starts nor ends with.
const BLANKS: [char; 4] = [' ', '\t', '\n', '\r'];

/// Drops blanks at the start and the end of a chunk.
fn trim(content: &mut Vec<Inline>) {
    while let Some(Inline::Text { text, .. }) = content.first_mut() {
        *text = text.trim_start_matches(BLANKS).to_owned();
        if !text.is_empty() {
            break;
        }
        content.remove(0);
    }
    while let Some(Inline::Text { text, .. }) = content.last_mut() {
        *text = text.trim_end_matches(BLANKS).to_owned();
        if !text.is_empty() {
            break;
        }
        content.pop();
    }
}
