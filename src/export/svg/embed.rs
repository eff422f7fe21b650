//! Puts the source text of drawings into one document: as nested elements, with names that do not collide.

use std::collections::BTreeSet;
use std::ops::Range;

use roxmltree::{Attribute, Node};

use crate::geometry::Size;

/// Attributes of a drawing's root that its new place decides.
const PLACED: [&str; 5] = ["x", "y", "width", "height", "overflow"];

/// The drawings of one document.
#[derive(Default)]
pub(super) struct Drawings {
    taken: BTreeSet<String>,
    count: usize,
}

/// A change to a text: what stands in this range is replaced.
type Edit = (Range<usize>, String);

impl Drawings {
    /// The drawing `source` as an element of the document, `trim` large. None when it is not XML.
    pub(super) fn embed(&mut self, source: &str, trim: Size) -> Option<String> {
        let parsed = roxmltree::Document::parse(source).ok()?;
        let root = parsed.root_element();
        let mut edits = place(root, source, trim);
        edits.extend(self.rename(root));
        let range = root.range();
        Some(edited(&source[range.clone()], range.start, edits))
    }

    /// Gives new names to all elements when one of their names is taken.
    fn rename(&mut self, root: Node<'_, '_>) -> Vec<Edit> {
        let own: BTreeSet<&str> = root.descendants().filter_map(|node| node.attribute("id")).collect();
        let free = own.iter().all(|id| !self.taken.contains(*id));
        self.taken.extend(own.iter().map(|id| (*id).to_owned()));
        if free {
            return Vec::new();
        }
        self.count += 1;
        let prefix = format!("d{}-", self.count);
        self.taken.extend(own.iter().map(|id| format!("{prefix}{id}")));
        let names = Names { own, prefix };
        let attributes =
            root.descendants().flat_map(|node| node.attributes().map(|attribute| names.attribute(attribute)));
        let styles = root.descendants().filter(|node| node.has_tag_name("style") || node.tag_name().name() == "style");
        attributes.chain(styles.map(|style| names.style(style))).flatten().collect()
    }
}

/// The names of a drawing, and what comes before them.
struct Names<'a> {
    own: BTreeSet<&'a str>,
    prefix: String,
}

impl Names<'_> {
    fn attribute(&self, attribute: Attribute<'_, '_>) -> Option<Edit> {
        let value = attribute.value();
        let new = match attribute.name() {
            "id" => format!("{}{value}", self.prefix),
            _ if value.contains('#') => self.references(value),
            _ => return None,
        };
        (new != value).then(|| (attribute.range_value(), escaped(&new)))
    }

    fn style(&self, style: Node<'_, '_>) -> Option<Edit> {
        let text = style.first_child().filter(Node::is_text)?;
        let new = self.references(text.text()?);
        Some((text.range(), escaped(&new)))
    }

    /// A text in which every `#name` of the drawing is renamed.
    fn references(&self, text: &str) -> String {
        let mut parts = text.split('#');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let end = part.find(|c: char| !(c.is_alphanumeric() || "-_.:".contains(c))).unwrap_or(part.len());
            out.push('#');
            if self.own.contains(&part[..end]) {
                out.push_str(&self.prefix);
            }
            out.push_str(part);
        }
        out
    }
}

/// Says where the root lies in its new document. Its content is not cut off at its size: it may reach into the bleed.
fn place(root: Node<'_, '_>, source: &str, trim: Size) -> Vec<Edit> {
    let start = root.range().start;
    let name = source[start..].find(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).unwrap_or(0);
    let at = start + name;
    let (width, height) = (super::number(trim.w.to_mm()), super::number(trim.h.to_mm()));
    let placed = format!(r#" width="{width}" height="{height}" overflow="visible""#);
    let old =
        root.attributes().filter(|attribute| attribute.namespace().is_none() && PLACED.contains(&attribute.name()));
    let removed = old.map(|attribute| (attribute.range(), String::new()));
    std::iter::once((at..at, placed)).chain(removed).collect()
}

/// The text with all edits made; `start` is where it begins in what the edits count from.
fn edited(text: &str, start: usize, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(text.len() + 64);
    let mut done = 0;
    for (range, new) in edits {
        let (from, to) = (range.start - start, range.end - start);
        out.push_str(&text[done..from]);
        out.push_str(&new);
        done = to;
    }
    out.push_str(&text[done..]);
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;").replace('\'', "&apos;")
}
