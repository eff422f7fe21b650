//! Puts the source text of drawings into one document: as nested elements, with names that do not collide.

use std::collections::BTreeSet;
use std::ops::Range;

use resvg::usvg;
use roxmltree::{Attribute, Node};

use crate::compose::face::Art;
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
    /// A drawing as an element of the document, `trim` large: its own text where that can stand beside others, else the
    /// text of what was read from it. Style sheets reach through a whole document, so theirs are resolved; and pictures are taken
    /// in, because their files are found from the project's folder only.
    pub(super) fn embed(&mut self, art: &Art, trim: Size) -> Option<String> {
        match roxmltree::Document::parse(&art.svg) {
            Ok(parsed)
                if !parsed.descendants().any(|node| node.tag_name().name() == "style" || links_to_file(node)) =>
            {
                Some(self.placed(&art.svg, parsed.root_element(), art, trim))
            }
            _ => {
                let resolved = art.tree.to_string(&usvg::WriteOptions::default());
                let parsed = roxmltree::Document::parse(&resolved).ok()?;
                Some(self.placed(&resolved, parsed.root_element(), art, trim))
            }
        }
    }

    fn placed(&mut self, source: &str, root: Node<'_, '_>, art: &Art, trim: Size) -> String {
        let mut edits = place(root, source, art, trim);
        edits.extend(self.rename(root));
        let range = root.range();
        edited(&source[range.clone()], range.start, edits)
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
        let attributes = root.descendants().flat_map(|node| node.attributes());
        attributes.filter_map(|attribute| names.attribute(attribute)).collect()
    }
}

/// Whether an element shows a picture that lies in another file.
fn links_to_file(node: Node<'_, '_>) -> bool {
    let href = node.attributes().find(|attribute| attribute.name() == "href").map_or("", |attribute| attribute.value());
    node.tag_name().name() == "image" && !href.is_empty() && !href.starts_with("data:")
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
fn place(root: Node<'_, '_>, source: &str, art: &Art, trim: Size) -> Vec<Edit> {
    let start = root.range().start;
    let name = source[start..].find(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).unwrap_or(0);
    let at = start + name;
    let (width, height) = (super::number(trim.w.to_mm()), super::number(trim.h.to_mm()));
    let mut placed = format!(r#" width="{width}" height="{height}" overflow="visible""#);
    if root.attribute("viewBox").is_none() {
        let size = art.tree.size();
        placed.push_str(&format!(r#" viewBox="0 0 {} {}""#, size.width(), size.height()));
    }
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
