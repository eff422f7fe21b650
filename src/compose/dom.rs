//! The instance of a template: elements with plain attributes and text, control and expressions gone.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::attributes;
use crate::diagnostics::{Finding, checks};
use crate::source::Span;

/// The namespace of paiban's own attributes; their names are kept as `pb:name`.
pub const NAMESPACE: &str = "urn:paiban:template";
/// SVG's namespace.
pub const SVG: &str = "http://www.w3.org/2000/svg";
/// The namespace of `xlink:href`.
pub const XLINK: &str = "http://www.w3.org/1999/xlink";

/// An element.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// Its name.
    pub name: String,
    /// Its attributes, in the order of the file.
    pub attributes: Vec<(String, String)>,
    /// What is inside.
    pub children: Vec<Child>,
    /// Where it stands in the template.
    pub span: Span,
    /// Where the values of its attributes stand, by name.
    pub places: Arc<[(String, Span)]>,
}

/// What an element can hold.
#[derive(Clone, Debug, PartialEq)]
pub enum Child {
    /// Another element.
    Element(Element),
    /// Text: stretches that stood in the template (`computed` false) or came out of expressions.
    Text(Vec<Stretch>),
}

/// A stretch of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The characters.
    pub text: String,
    /// Whether an expression made it. A line feed of the template is layout of the file, one of the data is meant.
    pub computed: bool,
    /// The value of the data that the expression read, if it read one alone.
    pub source: Option<Span>,
}

impl Element {
    /// The values of the data that the text in here shows, each once.
    pub fn sources(&self) -> Vec<Span> {
        let mut sources = Vec::new();
        for child in &self.children {
            match child {
                Child::Element(element) => sources.extend(element.sources()),
                Child::Text(stretches) => sources.extend(stretches.iter().filter_map(|stretch| stretch.source)),
            }
        }
        let mut seen = BTreeSet::new();
        sources.retain(|source| seen.insert(*source));
        sources
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        debug_assert!(attributes::knows(name), "the register of attributes lacks `{name}`");
        self.attributes.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }

    /// The value of a property: what `style` says, else the attribute.
    pub fn property(&self, name: &str) -> Option<&str> {
        debug_assert!(attributes::knows(name), "the register of attributes lacks `{name}`");
        let declared = declarations(self.attribute("style").unwrap_or_default()).filter(|(own, _)| *own == name).last();
        declared.map(|(_, value)| value).or_else(|| self.attribute(name))
    }

    /// A finding about an attribute or property, at its value.
    pub fn fault(&self, name: &str, message: impl Into<String>) -> Finding {
        let place = self.declared_place(name).unwrap_or_else(|| self.place(name));
        Finding::new(checks::TEMPLATE_ATTRIBUTE, message).at(place)
    }

    /// Where the value of an attribute stands; the element itself for one that is not written there.
    pub fn place(&self, name: &str) -> Span {
        self.places.iter().find(|(own, _)| own == name).map_or(self.span, |(_, place)| *place)
    }

    /// Where `style` declares the property `name`, if it does.
    pub fn declared_place(&self, name: &str) -> Option<Span> {
        let style = self.attribute("style")?;
        let declared =
            style.split(';').rfind(|part| part.split_once(':').is_some_and(|(own, _)| own.trim() == name))?;
        let declared = declared.trim();
        let place = self.place("style");
        // Where expressions or a style sheet made the value, its bytes are not those of the file.
        let at = place.range().start + (declared.as_ptr() as usize - style.as_ptr() as usize);
        let as_written = place.range().len() == style.len();
        Some(if as_written { Span::new(place.file, at..at + declared.len()) } else { place })
    }

    /// The link of a `use` or `image`: `href`, or the older `xlink:href`.
    pub fn href(&self) -> Option<&str> {
        self.attribute("href").or_else(|| self.attribute("xlink:href"))
    }

    /// Adds everything that can show of it to `bytes`: different elements add different bytes.
    pub fn feed(&self, bytes: &mut Vec<u8>) {
        let word = |word: &str, bytes: &mut Vec<u8>| {
            bytes.extend((word.len() as u64).to_le_bytes());
            bytes.extend(word.as_bytes());
        };
        let count = |count: usize, bytes: &mut Vec<u8>| bytes.extend((count as u64).to_le_bytes());
        word(&self.name, bytes);
        count(self.attributes.len(), bytes);
        for (name, value) in &self.attributes {
            word(name, bytes);
            word(value, bytes);
        }
        count(self.children.len(), bytes);
        for child in &self.children {
            match child {
                Child::Element(element) => {
                    bytes.push(b'<');
                    element.feed(bytes);
                }
                Child::Text(stretches) => {
                    bytes.push(b'"');
                    count(stretches.len(), bytes);
                    stretches.iter().for_each(|stretch| word(&stretch.text, bytes));
                }
            }
        }
    }

    /// The elements inside.
    pub fn elements(&self) -> impl Iterator<Item = &Element> {
        self.children.iter().filter_map(|child| match child {
            Child::Element(element) => Some(element),
            Child::Text(_) => None,
        })
    }

    /// The ids of this and of everything inside.
    pub fn ids(&self) -> Vec<&str> {
        let inside = self.elements().flat_map(|child| child.ids());
        self.attribute("id").into_iter().chain(inside).collect()
    }

    /// This, or the first element inside, that has this id.
    pub fn with_id(&self, id: &str) -> Option<&Element> {
        if self.attribute("id") == Some(id) { Some(self) } else { self.elements().find_map(|child| child.with_id(id)) }
    }

    /// Whether this is, or has inside, an element of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.name == name || self.elements().any(|element| element.contains(name))
    }
}

/// The declarations of a `style` attribute.
pub fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    style.split(';').filter_map(|part| part.split_once(':')).map(|(name, value)| (name.trim(), value.trim()))
}

/// The name of an attribute as the instance keeps it; none for those of other programs' namespaces.
pub fn attribute_name(namespace: Option<&str>, local: &str) -> Option<String> {
    match namespace {
        None => Some(local.to_owned()),
        Some(NAMESPACE) => Some(format!("pb:{local}")),
        Some(XLINK) if local == "href" => Some("xlink:href".to_owned()),
        Some("http://www.w3.org/XML/1998/namespace") => Some(format!("xml:{local}")),
        Some(_) => None,
    }
}
