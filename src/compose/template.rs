//! Templates: from the text of an SVG file to a compiled tree. XML comes first, so `{{ }}` can stand only in attribute values and
//! in text; control is attributes (`pb:for`, `pb:let`, `pb:if`, `pb:include`). Everything is compiled once.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use roxmltree::Node;
use simplecss::StyleSheet;

use super::memory::{Recipe, RecipeHash, lists_in};
use super::stitch::stitched;
use super::{attributes, css, dom};
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::expr::{Engine, Expression};
use crate::source::disk::{Disk, Refusal};
use crate::source::{FileId, Sources, Span, tree, xml};

/// How deep includes may nest.
const MOST_INCLUDES: usize = 16;
/// How deep elements may nest, those of included files counted in.
const MOST_DEPTH: usize = 256;

/// A compiled template.
pub struct Template<'e> {
    /// Its path, below templates/.
    pub path: String,
    /// The root's `viewBox`, which may hold expressions; none when the root has none.
    pub view_box: Option<Text<'e>>,
    /// The root element.
    pub root: Part<'e>,
    /// The hash of its text and of what it includes.
    pub hash: RecipeHash,
    /// The lists of records that its expressions ask for; none when that may be any.
    pub lists: Option<BTreeSet<String>>,
    words: BTreeSet<String>,
}

impl Template<'_> {
    /// Every word in the expressions of the template and of what it includes.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(String::as_str)
    }

    /// Whether any expression of the template, or of what it includes, has one of these names in it.
    pub fn mentions<'n>(&self, names: impl IntoIterator<Item = &'n str>) -> bool {
        names.into_iter().any(|name| self.words.contains(name))
    }
}

/// A compiled element.
pub struct Part<'e> {
    pub(super) name: String,
    pub(super) attributes: Vec<(String, Text<'e>)>,
    /// Where the values of its attributes stand, by name.
    pub(super) places: Arc<[(String, Span)]>,
    pub(super) children: Vec<Content<'e>>,
    pub(super) repeat: Option<Repeat<'e>>,
    pub(super) names: Vec<(String, Code<'e>)>,
    pub(super) condition: Option<Code<'e>>,
    pub(super) span: Span,
}

/// What a compiled element holds.
pub(super) enum Content<'e> {
    Part(Box<Part<'e>>),
    Text(Text<'e>),
}

/// `pb:for="name in list"`.
pub(super) struct Repeat<'e> {
    pub name: String,
    pub list: Code<'e>,
}

/// An expression and its place.
pub struct Code<'e> {
    pub(super) expression: Expression<'e>,
    pub(super) text: String,
    pub(super) span: Span,
}

/// Text with expressions in it.
pub struct Text<'e> {
    pub(super) stretches: Vec<Compiled<'e>>,
    pub(super) span: Span,
}

/// A stretch of [`Text`].
pub(super) enum Compiled<'e> {
    Literal(String),
    Code(Code<'e>),
}

/// Reads and compiles templates of a project.
pub struct Compiler<'a, 'e> {
    disk: &'a Disk,
    sources: &'a Sources,
    engine: &'e Engine,
    /// The words of the expressions compiled so far.
    words: RefCell<BTreeSet<String>>,
    /// The texts compiled so far.
    texts: RefCell<Recipe>,
    /// The lists that the expressions compiled so far ask for.
    lists: RefCell<Option<BTreeSet<String>>>,
    /// How deep the element being compiled is.
    depth: Cell<usize>,
}

/// A file being compiled, and those that include it.
struct Reading<'r> {
    file: FileId,
    text: &'r str,
    trail: &'r [String],
    sheet: &'r StyleSheet<'r>,
    stitched: &'r BTreeMap<usize, String>,
}

impl<'a, 'e> Compiler<'a, 'e> {
    /// A compiler for templates of the project on `disk`.
    pub fn new(disk: &'a Disk, sources: &'a Sources, engine: &'e Engine) -> Self {
        let (words, texts, lists) = Default::default();
        Compiler { disk, sources, engine, words, texts, lists, depth: Cell::new(0) }
    }

    /// Compiles the template `path` (below templates/), which `named_at` asks for. None when it cannot be used at all.
    pub fn compile(&self, path: &str, named_at: Span, report: &mut Report) -> Option<Template<'e>> {
        self.words.take();
        self.texts.take();
        self.lists.replace(Some(BTreeSet::new()));
        let (root, view_box) = self.file(path, named_at, &[], report)?;
        let (words, hash) = (self.words.take(), self.texts.take().hash());
        Some(Template { path: path.to_owned(), view_box, root, hash, lists: self.lists.take(), words })
    }

    fn file(
        &self,
        path: &str,
        named_at: Span,
        trail: &[String],
        report: &mut Report,
    ) -> Option<(Part<'e>, Option<Text<'e>>)> {
        if trail.iter().any(|open| open == path) || trail.len() >= MOST_INCLUDES {
            let message = format!("`{path}` includes itself: {} -> {path}", trail.join(" -> "));
            report.push(Finding::new(checks::TEMPLATE_LOOP, message).at(named_at));
            return None;
        }
        let full = format!("templates/{path}");
        let text = match self.disk.read_text(&full) {
            Ok(text) => text,
            Err(refusal) => {
                let finding = Finding::new(checks::FILE_UNREADABLE, format!("{full}: {refusal}")).at(named_at);
                report.push(match self.near_file(path).filter(|_| matches!(refusal, Refusal::Missing)) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding,
                });
                return None;
            }
        };
        let file = self.sources.add(&full, text.clone());
        self.texts.replace_with(|texts| std::mem::take(texts).text(path).text(&text));
        let document = match xml::parse(&text) {
            Ok(document) => document,
            Err(fault) => {
                report.push(not_well_formed(file, fault));
                return None;
            }
        };
        let root = document.root_element();
        if let Some(wrong) = root.namespaces().find(|space| space.name() == Some("pb") && space.uri() != dom::NAMESPACE)
        {
            let at = text.find(wrong.uri()).unwrap_or(root.range().start);
            let finding = Finding::new(checks::TEMPLATE_ATTRIBUTE, format!("`pb` is bound to {:?}", wrong.uri()));
            report.push(
                finding.at(Span::new(file, at..at + wrong.uri().len())).expected(format!("{:?}", dom::NAMESPACE)),
            );
        }
        if root.tag_name().name() != "svg" {
            let message = format!("the root of {full} is <{}>, not <svg>", root.tag_name().name());
            report.push(Finding::new(checks::TEMPLATE_SYNTAX, message).at(Span::new(file, root.range())));
            return None;
        }
        let css = css::sheet_text(root);
        let long = css::text_fault(&css);
        let sheet = StyleSheet::parse(if long.is_none() { &css } else { "" });
        let elements = root.descendants().filter(Node::is_element).count();
        if let Some(why) = long.or_else(|| css::fault(&sheet, elements)) {
            report.push(Finding::new(checks::TEMPLATE_SYNTAX, why).at(Span::new(file, root.range())));
            return None;
        }
        let trail: Vec<String> = trail.iter().cloned().chain([path.to_owned()]).collect();
        let reading = Reading { file, text: &text, trail: &trail, sheet: &sheet, stitched: &stitched(root) };
        let view_box = root
            .attribute_node("viewBox")
            .and_then(|attribute| self.text(attribute.value(), attribute.range_value(), &reading, report));
        Some((self.part(root, &reading, report)?, view_box))
    }

    /// The template in the same folder whose name is nearest to `path`.
    fn near_file(&self, path: &str) -> Option<String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let names = self.disk.list(&format!("templates/{folder}"), |name| name.ends_with(".svg")).ok()?;
        let near = nearest(name, names.iter().map(String::as_str))?;
        Some(if folder.is_empty() { near.to_owned() } else { format!("{folder}/{near}") })
    }

    /// Compiles an element. None for those of other programs' namespaces, which draw nothing.
    fn part(&self, node: Node<'_, '_>, reading: &Reading<'_>, report: &mut Report) -> Option<Part<'e>> {
        if !matches!(node.tag_name().namespace(), None | Some(dom::SVG)) || node.tag_name().name() == "style" {
            return None;
        }
        let start = node.range().start;
        let head_end = reading.text[start..].find('>').map_or(node.range().end, |at| start + at + 1);
        let mut part = Part {
            name: node.tag_name().name().to_owned(),
            attributes: Vec::new(),
            places: Arc::default(),
            children: Vec::new(),
            repeat: None,
            names: Vec::new(),
            condition: None,
            span: Span::new(reading.file, start..head_end),
        };
        if self.depth.get() >= MOST_DEPTH {
            let message = format!("elements nest more than {MOST_DEPTH} deep");
            report.push(Finding::new(checks::TEMPLATE_TOO_LARGE, message).at(part.span));
            return None;
        }
        self.depth.set(self.depth.get() + 1);
        let mut include = None;
        for attribute in node.attributes() {
            let (value, range) = (attribute.value(), attribute.range_value());
            let Some(name) = dom::attribute_name(attribute.namespace(), attribute.name()) else { continue };
            if name.starts_with("pb:") {
                let is_root = node == node.document().root_element();
                let place = Span::new(reading.file, attribute.range_qname());
                unknown_attribute(&name, (&part.name, is_root), place)
                    .into_iter()
                    .for_each(|finding| report.push(finding));
            }
            match name.as_str() {
                "pb:for" => part.repeat = self.repeat(value, range, reading, report),
                "pb:let" => part.names = self.names(value, range, reading, report),
                "pb:if" => part.condition = self.code(value, 0, value, range, reading, report),
                "pb:include" => include = Some((value.to_owned(), Span::new(reading.file, range))),
                _ => part.attributes.extend(self.text(value, range, reading, report).map(|text| (name, text))),
            }
        }
        part.places = part.attributes.iter().map(|(name, text)| (name.clone(), text.span)).collect();
        cascade(&mut part, css::declarations_for(reading.sheet, node));
        part.children = match include {
            Some((path, span)) => {
                self.file(&path, span, reading.trail, report).map(|(root, _)| root.children).unwrap_or_default()
            }
            None => node.children().filter_map(|child| self.content(child, reading, report)).collect(),
        };
        self.depth.set(self.depth.get() - 1);
        Some(part)
    }

    fn content(&self, node: Node<'_, '_>, reading: &Reading<'_>, report: &mut Report) -> Option<Content<'e>> {
        if node.is_element() {
            return self.part(node, reading, report).map(|part| Content::Part(Box::new(part)));
        }
        let text = node.text().filter(|_| node.is_text())?;
        let text = reading.stitched.get(&node.range().start).map_or(text, String::as_str);
        self.text(text, node.range(), reading, report).map(Content::Text)
    }

    fn repeat(
        &self,
        value: &str,
        range: std::ops::Range<usize>,
        reading: &Reading<'_>,
        report: &mut Report,
    ) -> Option<Repeat<'e>> {
        let Some((name, list)) = value.split_once(" in ").filter(|(name, _)| is_name(name.trim())) else {
            report.push(attribute_fault(reading.file, range, format!("`pb:for` is {value:?}"), "`name in list`"));
            return None;
        };
        let at = value.len() - list.len();
        Some(Repeat { name: name.trim().to_owned(), list: self.code(list, at, value, range, reading, report)? })
    }

    fn names(
        &self,
        value: &str,
        range: std::ops::Range<usize>,
        reading: &Reading<'_>,
        report: &mut Report,
    ) -> Vec<(String, Code<'e>)> {
        let mut names = Vec::new();
        for (at, assignment) in assignments(value) {
            let Some((name, code)) = assignment.split_once('=').filter(|(name, _)| is_name(name.trim())) else {
                report.push(attribute_fault(
                    reading.file,
                    range.clone(),
                    format!("`pb:let` has {assignment:?}"),
                    "`name = expression; ...`",
                ));
                continue;
            };
            let at = at + assignment.len() - code.len();
            names.extend(
                self.code(code, at, value, range.clone(), reading, report).map(|code| (name.trim().to_owned(), code)),
            );
        }
        names
    }

    /// Compiles `value`, which stands `at` bytes into `whole`, which stands at `range` in the file.
    fn code(
        &self,
        value: &str,
        at: usize,
        whole: &str,
        range: std::ops::Range<usize>,
        reading: &Reading<'_>,
        report: &mut Report,
    ) -> Option<Code<'e>> {
        let lead = value.len() - value.trim_start().len();
        let code = value.trim();
        let words = code.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        self.words.borrow_mut().extend(words.map(str::to_owned));
        self.lists.replace_with(|lists| {
            let mut known = lists.take()?;
            known.extend(lists_in(code)?.into_iter().map(str::to_owned));
            Some(known)
        });
        let span = part_span(reading, &range, whole, at + lead..at + lead + code.len());
        match self.engine.compile(code) {
            Ok(expression) => Some(Code { expression, text: code.to_owned(), span }),
            Err(fault) => {
                report.push(Finding::new(checks::EXPRESSION_SYNTAX, fault.message.clone()).at(fault.place(span, code)));
                None
            }
        }
    }

    /// Compiles text with `{{ }}` in it.
    fn text(
        &self,
        value: &str,
        range: std::ops::Range<usize>,
        reading: &Reading<'_>,
        report: &mut Report,
    ) -> Option<Text<'e>> {
        if let Some((at, character)) = tree::control_character(value) {
            let message = format!("this text has the control character U+{:04X} in it", u32::from(character));
            let span = part_span(reading, &range, value, at..at + character.len_utf8());
            report.push(Finding::new(checks::TEXT_CONTROL, message).at(span).help("delete it"));
        }
        let mut stretches = Vec::new();
        let mut at = 0;
        while let Some(open) = value[at..].find("{{").map(|open| at + open) {
            let Some(close) = value[open..].find("}}").map(|close| open + close) else {
                let span = part_span(reading, &range, value, open..value.len());
                report.push(Finding::new(checks::EXPRESSION_SYNTAX, "`{{` is never closed with `}}`").at(span));
                return None;
            };
            if open > at {
                stretches.push(Compiled::Literal(value[at..open].to_owned()));
            }
            let code = self.code(&value[open + 2..close], open + 2, value, range.clone(), reading, report)?;
            stretches.push(Compiled::Code(code));
            at = close + 2;
        }
        if at < value.len() || stretches.is_empty() {
            stretches.push(Compiled::Literal(value[at..].to_owned()));
        }
        Some(Text { stretches, span: Span::new(reading.file, range) })
    }
}

/// Puts what the style sheet says of an element before its own `style`, which so wins.
fn cascade(part: &mut Part<'_>, declarations: String) {
    if declarations.is_empty() {
        return;
    }
    match part.attributes.iter_mut().find(|(name, _)| name == "style") {
        Some((_, own)) => own.stretches.insert(0, Compiled::Literal(declarations)),
        None => {
            let text = Text { stretches: vec![Compiled::Literal(declarations)], span: part.span };
            part.attributes.push(("style".to_owned(), text));
        }
    }
}

/// The place of `inner`, bytes of `value`, which stands at `range`; all of it where XML escapes moved the bytes.
fn part_span(
    reading: &Reading<'_>,
    range: &std::ops::Range<usize>,
    value: &str,
    inner: std::ops::Range<usize>,
) -> Span {
    let same = reading.text.get(range.clone()).is_some_and(|raw| raw == value);
    let exact = range.start + inner.start..range.start + inner.end;
    Span::new(reading.file, if same { exact } else { range.clone() })
}

/// A file that is no XML, with the place and, for the usual slips, the way to mend it.
fn not_well_formed(file: FileId, fault: xml::Fault) -> Finding {
    let help = if fault.message.contains("unknown namespace prefix 'pb'") {
        Some(format!("add xmlns:pb=\"{}\" to the <svg> element", dom::NAMESPACE))
    } else if fault.message.contains("unknown namespace prefix") {
        Some("declare the prefix in the <svg> element with xmlns:...".to_owned())
    } else if fault.message.contains("entity reference") && !fault.message.contains("loop") {
        Some(
            "write `&amp;` for an ampersand; only the entities amp, lt, gt, quot and apos need no declaration"
                .to_owned(),
        )
    } else {
        None
    };
    let finding = Finding::new(checks::TEMPLATE_SYNTAX, fault.message).at(Span::new(file, fault.at..fault.at + 1));
    match help {
        Some(help) => finding.help(help),
        None => finding,
    }
}

/// What is wrong with paiban's attribute `name` on an element, which is or is not the root, if anything: it would be ignored in silence.
fn unknown_attribute(name: &str, (element, is_root): (&str, bool), span: Span) -> Option<Finding> {
    let Some(known) = attributes::own().find(|attribute| attribute.name == name) else {
        let finding = Finding::new(checks::TEMPLATE_ATTRIBUTE, format!("there is no attribute `{name}`")).at(span);
        let names = attributes::own().map(|attribute| attribute.name);
        return Some(match nearest(name, names.clone()) {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.expected(names.collect::<Vec<_>>().join(", ")),
        });
    };
    if known.on.takes(element, is_root) {
        return None;
    }
    let place = if is_root { "the root of a template".to_owned() } else { format!("<{element}>") };
    let finding = Finding::new(checks::TEMPLATE_ATTRIBUTE, format!("`{name}` means nothing on {place}")).at(span);
    Some(finding.expected(known.on.to_string()))
}

fn attribute_fault(file: FileId, range: std::ops::Range<usize>, message: String, expected: &str) -> Finding {
    Finding::new(checks::TEMPLATE_ATTRIBUTE, message).at(Span::new(file, range)).expected(expected)
}

/// The assignments of `pb:let`, split at `;` outside of quotes, each with its offset.
fn assignments(value: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (at, c) in value.char_indices() {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (';', None) => {
                parts.push((start, &value[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push((start, &value[start..]));
    parts.retain(|(_, part)| !part.trim().is_empty());
    parts
}

fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assignments_split_outside_of_quotes() {
        assert_eq!(assignments("a = 1; b = 'x;y' ;"), vec![(0, "a = 1"), (6, " b = 'x;y' ")]);
    }

    #[test]
    fn names_are_plain_words() {
        assert!(is_name("seat_1") && is_name("_x") && !is_name("1x") && !is_name("a b") && !is_name(""));
    }
}
