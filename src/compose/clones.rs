//! Clones: a `<use>` of a part that is drawn itself becomes a copy of that part. A face is painted in layers, and the part may
//! lie in an earlier one, or have text in it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::attributes::DEFINITIONS;
use super::dom::{Child, Element};
use crate::diagnostics::{Finding, checks};

/// The most elements that a face may have with all its clones.
const MOST_ELEMENTS: usize = 50_000;
/// How deep clones of clones may nest.
const MOST_DEPTH: usize = 64;

/// Whether an element draws nothing by itself; it serves every drawing of the face.
pub fn is_definition(element: &Element) -> bool {
    DEFINITIONS.contains(&element.name.as_str())
}

/// `root` with its clones drawn out; none where it has none. A `<use>` of a definition stays: definitions serve every drawing.
///
/// # Errors
/// A finding when a part is cloned inside of itself, or when clones of clones grow beyond all measure.
pub fn drawn_out(root: &Element) -> Result<Option<Element>, Box<Finding>> {
    if !has_clone(root) {
        return Ok(None);
    }
    let mut parts = BTreeMap::new();
    drawn_parts(root, &mut parts);
    let mut copier = Copier { parts, budget: MOST_ELEMENTS, trail: Vec::new() };
    copier.copy(root).map(Some)
}

/// The id that a clone names.
fn target(element: &Element) -> Option<&str> {
    element.href().filter(|_| element.name == "use")?.strip_prefix('#')
}

fn has_clone(element: &Element) -> bool {
    target(element).is_some() || element.elements().any(has_clone)
}

/// The parts that are drawn where they stand, by their ids.
fn drawn_parts<'d>(element: &'d Element, parts: &mut BTreeMap<&'d str, &'d Element>) {
    if is_definition(element) {
        return;
    }
    if let Some(id) = element.attribute("id") {
        parts.entry(id).or_insert(element);
    }
    element.elements().for_each(|child| drawn_parts(child, parts));
}

struct Copier<'d> {
    parts: BTreeMap<&'d str, &'d Element>,
    budget: usize,
    /// The parts that are being cloned.
    trail: Vec<&'d str>,
}

impl<'d> Copier<'d> {
    fn copy(&mut self, element: &'d Element) -> Result<Element, Box<Finding>> {
        self.budget = self.budget.checked_sub(1).ok_or_else(|| {
            let message = format!("clones of clones make more than {MOST_ELEMENTS} elements");
            Finding::new(checks::TEMPLATE_TOO_LARGE, message).at(element.span)
        })?;
        let part = target(element).and_then(|id| self.parts.get_key_value(id));
        match part.map(|(id, part)| (*id, *part)) {
            Some((id, part)) => self.clone_of(id, part, element),
            None => self.inside(element),
        }
    }

    /// `element` with copies of what is inside; in a clone without ids, which are those of the part itself.
    fn inside(&mut self, element: &'d Element) -> Result<Element, Box<Finding>> {
        let in_clone = !self.trail.is_empty();
        let attributes = element.attributes.iter().filter(|(name, _)| !in_clone || name != "id");
        let attributes = attributes.cloned().collect();
        let mut copy = Element {
            name: element.name.clone(),
            attributes,
            children: Vec::new(),
            span: element.span,
            places: Arc::clone(&element.places),
        };
        for child in &element.children {
            match child {
                Child::Text(stretches) => copy.children.push(Child::Text(stretches.clone())),
                Child::Element(child) if in_clone && is_definition(child) => {}
                Child::Element(child) => copy.children.push(Child::Element(self.copy(child)?)),
            }
        }
        Ok(copy)
    }

    /// A group with a copy of `part`, placed and painted as `clone`, a `<use>`, says.
    fn clone_of(&mut self, id: &'d str, part: &'d Element, clone: &'d Element) -> Result<Element, Box<Finding>> {
        if self.trail.contains(&id) || self.trail.len() >= MOST_DEPTH {
            let message = format!("`{id}` is cloned inside of itself");
            return Err(Box::new(Finding::new(checks::TEMPLATE_LOOP, message).at(clone.span)));
        }
        self.trail.push(id);
        let copy = self.copy(part);
        self.trail.pop();
        let place = |name: &str| clone.attribute(name).unwrap_or("0");
        let moved = format!("{} translate({} {})", clone.attribute("transform").unwrap_or(""), place("x"), place("y"));
        let own = ["href", "xlink:href", "x", "y", "width", "height", "transform"];
        let mut attributes: Vec<_> =
            clone.attributes.iter().filter(|(name, _)| !own.contains(&name.as_str())).cloned().collect();
        attributes.push(("transform".to_owned(), moved.trim().to_owned()));
        Ok(Element {
            name: "g".to_owned(),
            attributes,
            children: vec![Child::Element(copy?)],
            span: clone.span,
            places: Arc::clone(&clone.places),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{Sources, Span};

    fn element(name: &str, attributes: &[(&str, &str)], children: Vec<Element>) -> Element {
        let own = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Element {
            name: name.to_owned(),
            attributes: attributes.iter().map(own).collect(),
            children: children.into_iter().map(Child::Element).collect(),
            span: Span::new(Sources::default().add("a.svg", String::new()), 0..0),
            places: Arc::default(),
        }
    }

    #[test]
    fn a_clone_is_a_copy_in_its_own_place() {
        let part = element("g", &[("id", "a"), ("fill", "red")], vec![element("text", &[("id", "b")], Vec::new())]);
        let clone = element("use", &[("id", "c"), ("href", "#a"), ("x", "3"), ("transform", "scale(2)")], Vec::new());
        let root = element("svg", &[], vec![part, clone]);
        let drawn = drawn_out(&root).expect("no loop").expect("a clone");
        let copy = element("g", &[("fill", "red")], vec![element("text", &[], Vec::new())]);
        let expected = element("g", &[("id", "c"), ("transform", "scale(2) translate(3 0)")], vec![copy]);
        assert_eq!(drawn.elements().nth(1), Some(&expected));
        assert_eq!(drawn.elements().next(), root.elements().next());
    }

    #[test]
    fn definitions_and_icons_are_left_to_their_drawing() {
        let symbol = element("defs", &[], vec![element("g", &[("id", "a")], Vec::new())]);
        let uses = [element("use", &[("href", "#a")], Vec::new()), element("use", &[("href", "icon:a")], Vec::new())];
        let root = element("svg", &[], [symbol].into_iter().chain(uses).collect());
        assert_eq!(drawn_out(&root).expect("no loop"), Some(root.clone()));
    }

    #[test]
    fn a_long_chain_of_clones_has_an_end() {
        let link = |n: usize| {
            let next = element("use", &[("href", &format!("#a{}", n + 1))], Vec::new());
            element("g", &[("id", &format!("a{n}"))], vec![next])
        };
        let root = element("svg", &[], (0..5_000).map(link).collect());
        assert!(drawn_out(&root).is_err());
    }
}
