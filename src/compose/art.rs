//! Drawings: elements of an instance become SVG text (written with the `svg` crate) and then a usvg tree.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use resvg::usvg;
use svg::Node as _;
use svg::node::Blob;
use svg::node::element::Element as Written;

use super::dom::{self, Element, declarations};
use super::face::Art;
use super::pending::UsedIcons;
use super::{filters, pictures, weight};
use crate::fonts::Fonts;
use crate::geometry::Size;
use crate::icons::Icon;
use crate::source::disk::Disk;
use crate::source::xml;

/// Makes [`Art`], each distinct drawing once.
pub struct Studio {
    options: Arc<usvg::Options<'static>>,
    disk: Disk,
    pictures: Mutex<BTreeMap<String, Option<String>>>,
    known: Mutex<HashMap<[u8; 32], Arc<Art>>>,
    sketched: Mutex<HashMap<[u8; 32], Arc<Art>>>,
    symbols: Mutex<HashMap<String, Arc<str>>>,
}

impl Studio {
    /// A studio that takes fonts from `fonts` and pictures from the project on `disk`, and nothing from anywhere else.
    pub fn new(fonts: &Fonts, disk: &Disk) -> Self {
        let own = disk.clone();
        let options = usvg::Options {
            fontdb: fonts.database(),
            image_href_resolver: usvg::ImageHrefResolver {
                resolve_data: Box::new(|mime, bytes, options| pictures::embedded(mime, bytes, options).ok()),
                resolve_string: Box::new(move |href, _| {
                    picture(&own, href).filter(|kind| pictures::size_fault(kind).is_none())
                }),
            },
            ..usvg::Options::default()
        };
        Studio {
            options: Arc::new(options),
            disk: disk.clone(),
            pictures: Mutex::default(),
            known: Mutex::default(),
            sketched: Mutex::default(),
            symbols: Mutex::default(),
        }
    }

    /// What is wrong with the picture `href`, which is a file of the project or holds the picture itself (`data:`), if anything.
    pub fn picture_fault(&self, href: &str) -> Option<String> {
        let inside = href.starts_with("data:");
        let key = if inside { blake3::hash(href.as_bytes()).to_string() } else { href.to_owned() };
        let mut known = self.pictures.lock().unwrap_or_else(PoisonError::into_inner);
        let judged = || if inside { embedded_fault(href) } else { picture_fault(&self.disk, href) };
        known.entry(key).or_insert_with(judged).clone()
    }

    /// The drawing that came out of a sketch with this fingerprint.
    pub fn recall(&self, fingerprint: &[u8; 32]) -> Option<Arc<Art>> {
        self.sketched.lock().unwrap_or_else(PoisonError::into_inner).get(fingerprint).cloned()
    }

    /// Remembers what came out of a sketch.
    pub fn remember(&self, fingerprint: [u8; 32], art: &Arc<Art>) {
        self.sketched.lock().unwrap_or_else(PoisonError::into_inner).insert(fingerprint, Arc::clone(art));
    }

    /// `icon` as a `<symbol>` with this id, written once.
    fn symbol(&self, id: &str, icon: &Icon) -> Blob {
        let known = || self.symbols.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(id).cloned();
        let text = found.unwrap_or_else(|| {
            let text = Arc::from(symbol(id, icon).to_string());
            known().insert(id.to_owned(), Arc::clone(&text));
            text
        });
        Blob::new(&*text)
    }

    /// The drawing that this program made of `svg` in an earlier run, when it had this hash. It is read when it is looked at.
    pub fn remembered(&self, svg: String, hash: [u8; 32]) -> Arc<Art> {
        let key = *blake3::hash(svg.as_bytes()).as_bytes();
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let art = known.entry(key).or_insert_with(|| {
            let (text, options) = (svg.clone(), Arc::clone(&self.options));
            Arc::new(Art::remembered(svg, hash, move || read_again(&text, &options)))
        });
        Arc::clone(art)
    }

    /// Draws `svg`.
    ///
    /// # Errors
    /// A sentence, when it is no SVG that can be drawn.
    pub fn draw(&self, svg: String) -> Result<Arc<Art>, String> {
        let key = *blake3::hash(svg.as_bytes()).as_bytes();
        if let Some(art) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(art));
        }
        let document = roxmltree::Document::parse_with_options(&svg, parsing()).map_err(|error| error.to_string())?;
        if let Some(why) = weight::fault(&document) {
            return Err(why);
        }
        let tree = usvg::Tree::from_xmltree(&document, &self.options).map_err(|error| error.to_string())?;
        drop(document);
        if let Some(why) = filters::fault(&tree) {
            return Err(why);
        }
        let art = Arc::new(Art::new(tree, svg));
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(known.entry(key).or_insert(art)))
    }
}

/// How the SVG of drawings is read.
fn parsing<'s>() -> roxmltree::ParsingOptions<'s> {
    roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() }
}

/// Reads what was read before.
#[allow(clippy::expect_used)] // this very program has read this very text before, and what it keeps of it is under a checksum
fn read_again(svg: &str, options: &usvg::Options<'_>) -> usvg::Tree {
    let document = roxmltree::Document::parse_with_options(svg, parsing()).expect("a text that was XML before");
    usvg::Tree::from_xmltree(&document, options).expect("a drawing that was drawn before")
}

fn picture_fault(disk: &Disk, href: &str) -> Option<String> {
    match disk.read(href) {
        Err(refusal) => Some(refusal.to_string()),
        Ok(bytes) => match pictures::kind(Arc::new(bytes)) {
            None => Some("this is no PNG, JPEG, GIF or WebP picture".to_owned()),
            Some(kind) => pictures::fault(&kind),
        },
    }
}

/// What is wrong with a picture that a link holds: it is read as a drawing reads it, and the first fault on the way is kept.
fn embedded_fault(href: &str) -> Option<String> {
    let told = Arc::new(Mutex::new(None));
    let note = Arc::clone(&told);
    let resolve_data: usvg::ImageHrefDataResolverFn<'_> = Box::new(move |mime, bytes, options| {
        let read = pictures::embedded(mime, bytes, options);
        let fault = read.as_ref().map_or_else(|why| Some(why.clone()), pictures::fault);
        if let Some(fault) = fault {
            note.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault);
        }
        read.ok()
    });
    let resolver = usvg::ImageHrefResolver { resolve_data, resolve_string: Box::new(|_, _| None) };
    let options = usvg::Options { image_href_resolver: resolver, ..usvg::Options::default() };
    let mut image = Written::new("image");
    [("width", "1"), ("height", "1"), ("href", href)].into_iter().for_each(|(name, value)| image.assign(name, value));
    let mut root = Written::new("svg");
    [("xmlns", dom::SVG), ("width", "1"), ("height", "1")]
        .into_iter()
        .for_each(|(name, value)| root.assign(name, value));
    root.get_children_mut().push(Box::new(image));
    let tree = usvg::Tree::from_str(&root.to_string(), &options);
    let told = told.lock().unwrap_or_else(PoisonError::into_inner).take();
    let drawn = tree.is_ok_and(|tree| !tree.root().children().is_empty());
    told.or_else(|| (!drawn).then(|| "the picture inside cannot be read".to_owned()))
}

/// The picture in file `href` of the project.
fn picture(disk: &Disk, href: &str) -> Option<usvg::ImageKind> {
    pictures::kind(Arc::new(disk.read(href).ok()?))
}

/// A drawing in the making: definitions, and elements in paint order, each inside copies of the groups around it.
#[derive(Default)]
pub struct Sketch {
    definitions: Vec<Arc<str>>,
    body: Vec<Part>,
    icons: UsedIcons,
}

/// What is painted: an element, or a group with what is in it.
enum Part {
    Element(Written),
    Group(Rc<Element>, Vec<Part>),
}

impl Part {
    fn written(self) -> Written {
        match self {
            Part::Element(element) => element,
            Part::Group(group, parts) => {
                let mut written = Written::new("g");
                copy_attributes(&group, &mut written);
                parts.into_iter().for_each(|part| written.get_children_mut().push(Box::new(part.written())));
                written
            }
        }
    }
}

impl Sketch {
    /// Adds a definition, written as SVG.
    pub fn define(&mut self, definition: Arc<str>) {
        self.definitions.push(definition);
    }

    /// Adds `element` inside `groups`, the outermost first. What is in the same groups stays in one copy of them.
    pub fn add(&mut self, element: Written, groups: &[Rc<Element>]) {
        let mut into = &mut self.body;
        for group in groups {
            if !matches!(into.last(), Some(Part::Group(last, _)) if Rc::ptr_eq(last, group)) {
                into.push(Part::Group(Rc::clone(group), Vec::new()));
            }
            let Some(Part::Group(_, parts)) = into.last_mut() else { return };
            into = parts;
        }
        into.push(Part::Element(element));
    }

    /// Notes that `icon` is used and returns the id it has in this drawing.
    pub fn icon(&mut self, icon: &Arc<Icon>) -> String {
        let id = icon_id(icon);
        self.icons.entry(id.clone()).or_insert_with(|| Arc::clone(icon));
        id
    }

    /// Notes that `icons` are used.
    pub fn add_icons(&mut self, icons: UsedIcons) {
        self.icons.extend(icons);
    }

    /// The icons that are used, which are forgotten.
    pub fn take_icons(&mut self) -> UsedIcons {
        std::mem::take(&mut self.icons)
    }

    /// The drawing as SVG of size `trim`, and an empty sketch in its place.
    pub fn take_svg(&mut self, trim: Size, studio: &Studio) -> String {
        let sketch = std::mem::take(self);
        let (w, h) = (trim.w.to_mm(), trim.h.to_mm());
        let mut root = Written::new("svg");
        for (name, value) in [("xmlns", dom::SVG), ("xmlns:xlink", dom::XLINK)] {
            root.assign(name, value);
        }
        root.assign("width", w);
        root.assign("height", h);
        root.assign("viewBox", format!("0 0 {w} {h}"));
        let into = root.get_children_mut();
        sketch.definitions.iter().for_each(|text| into.push(Box::new(Blob::new(&**text))));
        sketch.icons.iter().for_each(|(id, icon)| into.push(Box::new(studio.symbol(id, icon))));
        sketch.body.into_iter().for_each(|part| into.push(Box::new(part.written())));
        root.to_string()
    }
}

/// The id of an icon in a drawing: its path with everything but letters and digits made a hyphen.
fn icon_id(icon: &Icon) -> String {
    let stem = icon.path.trim_start_matches("templates/icons/").trim_end_matches(".svg");
    let word = stem.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    format!("icon-{}", word.collect::<String>())
}

/// An icon as a `<symbol>`; its own ids are made unlike those of other icons.
fn symbol(id: &str, icon: &Icon) -> Written {
    let mut symbol = Written::new("symbol");
    let [x, y, w, h] = icon.view_box;
    symbol.assign("id", id);
    symbol.assign("viewBox", format!("{x} {y} {w} {h}"));
    symbol.assign("overflow", "visible");
    // The text was parsed when the icon was found, so it parses here; without it the symbol would only be empty.
    if let Ok(document) = xml::parse(&icon.svg) {
        let root = document.root_element();
        let mut holder = Written::new("g");
        let inherited = ["fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "fill-rule"];
        for name in inherited {
            if let Some(value) = root.attribute(name) {
                holder.assign(name, value);
            }
        }
        for child in root.children().filter(roxmltree::Node::is_element) {
            holder.get_children_mut().push(Box::new(icon_part(child, id)));
        }
        symbol.get_children_mut().push(Box::new(holder));
    }
    symbol
}

fn icon_part(node: roxmltree::Node<'_, '_>, prefix: &str) -> Written {
    let mut written = Written::new(node.tag_name().name());
    for attribute in node.attributes() {
        let Some(name) = dom::attribute_name(attribute.namespace(), attribute.name()) else { continue };
        let value = attribute.value();
        let value = match name.as_str() {
            "id" => format!("{prefix}-{value}"),
            "href" | "xlink:href" if value.starts_with('#') => format!("#{prefix}-{}", &value[1..]),
            _ => value.replace("url(#", &format!("url(#{prefix}-")),
        };
        written.assign(name, value);
    }
    for child in node.children() {
        if child.is_element() {
            written.get_children_mut().push(Box::new(icon_part(child, prefix)));
        } else if let Some(text) = child.text().filter(|text| !text.trim().is_empty()) {
            written.get_children_mut().push(Box::new(svg::node::Text::new(text)));
        }
    }
    written
}

/// Copies the attributes of `from` that SVG knows.
pub fn copy_attributes(from: &Element, to: &mut Written) {
    for (name, value) in &from.attributes {
        if !name.starts_with("pb:") {
            to.assign(name.as_str(), value.as_str());
        }
    }
}

/// Whether a group changes what is inside it as a whole (opacity, clip, mask, filter, blend, isolation), so that text inside must
/// be part of the drawing.
pub fn acts_as_a_whole(group: &Element) -> bool {
    let whole = |name: &str, value: &str| match name {
        "opacity" => value.trim() != "1",
        "isolation" => value.trim() == "isolate",
        "clip-path" | "mask" | "filter" | "mix-blend-mode" => value.trim() != "none" && value.trim() != "normal",
        _ => false,
    };
    let attributes = group.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    attributes.chain(declarations(group.attribute("style").unwrap_or_default())).any(|(name, value)| whole(name, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Span};

    #[test]
    fn what_mixes_inside_of_a_group_alone_stays_together() {
        let acts = |name: &str, value: &str| {
            let attributes = vec![(name.to_owned(), value.to_owned())];
            let span = Span::new(Sources::default().add("t.svg", ""), 0..0);
            let places = [].into();
            acts_as_a_whole(&Element { name: "g".to_owned(), attributes, children: Vec::new(), span, places })
        };
        assert!(acts("style", "isolation:isolate") && acts("isolation", " isolate"));
        assert!(!acts("style", "isolation:auto;mix-blend-mode:normal"));
    }
}
