//! The definitions of a face: gradients, clips, symbols. A drawing gets those that it names, so that drawings of faces with other
//! definitions stay the same.

use std::collections::BTreeSet;

use super::clones::is_definition;
use super::dom::Element;
use super::weight;

/// An outermost definition.
pub struct Definition<'p> {
    /// It and all inside.
    pub element: &'p Element,
    ids: Vec<&'p str>,
    names: BTreeSet<&'p str>,
    /// Whether there may be something to tell of it, drawn or not.
    tells: bool,
}

/// The definitions in `root`.
pub fn definitions(root: &Element) -> Vec<Definition<'_>> {
    let mut found = Vec::new();
    collect(root, &mut found);
    found
}

fn collect<'p>(element: &'p Element, into: &mut Vec<Definition<'p>>) {
    for child in element.elements() {
        if is_definition(child) {
            into.push(Definition::of(child));
        } else {
            collect(child, into);
        }
    }
}

/// The numbers of the definitions that a drawing gets which names `names`: those, what they name, and those that there may be something
/// to tell of.
pub fn wanted<'p>(definitions: &[Definition<'p>], mut names: BTreeSet<&'p str>) -> BTreeSet<usize> {
    let mut wanted = BTreeSet::new();
    loop {
        let is_named = |definition: &Definition<'p>| definition.ids.iter().any(|id| names.contains(id));
        let numbered = definitions.iter().enumerate().filter(|(number, _)| !wanted.contains(number));
        let new: Vec<_> = numbered.filter(|(_, definition)| definition.tells || is_named(definition)).collect();
        if new.is_empty() {
            return wanted;
        }
        for (number, definition) in new {
            names.extend(&definition.names);
            wanted.insert(number);
        }
    }
}

/// Adds the ids that `element` and all inside link to.
pub fn add_names<'p>(element: &'p Element, names: &mut BTreeSet<&'p str>) {
    names.extend(element.href().and_then(|href| href.trim().strip_prefix('#')));
    names.extend(element.attributes.iter().flat_map(|(_, value)| weight::painted(value)));
    element.elements().for_each(|child| add_names(child, names));
}

impl<'p> Definition<'p> {
    fn of(element: &'p Element) -> Self {
        let mut names = BTreeSet::new();
        add_names(element, &mut names);
        let tells = element.contains("text") || element.contains("use");
        Definition { element, ids: element.ids(), names, tells }
    }

    /// Whether it holds text.
    pub fn has_text(&self) -> bool {
        self.element.contains("text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn element(name: &str, attributes: &[(&str, &str)], children: Vec<Element>) -> Element {
        let attributes = attributes.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let children = children.into_iter().map(super::super::dom::Child::Element).collect();
        let span = crate::source::Span::new(Sources::default().add("t.svg", ""), 0..0);
        Element { name: name.to_owned(), attributes, children, span, places: [].into() }
    }

    #[test]
    fn a_drawing_gets_what_it_names_and_what_that_names() {
        let gradient = |id: &str, href: &str| element("linearGradient", &[("id", id), ("href", href)], Vec::new());
        let symbol = element("symbol", &[("id", "s")], vec![element("use", &[("href", "icon:star")], Vec::new())]);
        let defs = element("defs", &[], vec![gradient("c", "#other"), gradient("d", "")]);
        let root =
            element("svg", &[], vec![gradient("a", "#b"), element("g", &[], vec![gradient("b", "")]), defs, symbol]);
        let found = definitions(&root);
        let wanted_by = |attribute: (&str, &str)| {
            let shape = element("rect", &[attribute], Vec::new());
            let mut names = BTreeSet::new();
            add_names(&shape, &mut names);
            let wanted: Vec<usize> = wanted(&found, names).into_iter().collect();
            wanted
        };
        assert_eq!(wanted_by(("fill", "url(#a) red")), [0, 1, 3], "an icon in a symbol may have something to tell");
        assert_eq!(wanted_by(("style", "stroke:red; fill: url( '#d' )")), [2, 3]);
        assert_eq!(wanted_by(("fill", "#b")), [3]);
    }
}
