//! The register of what a template says to paiban itself: its own attributes (`pb:...`), and those of SVG that the layout of text, the
//! size of a face and its parts hang on. All else of SVG is drawn as it is. Judging an attribute and reading the looks of text go by
//! the register; reading an attribute that is not here stops every debug build.

mod drawing;
mod looks;
mod text;

use std::fmt;

pub use drawing::{DEFINITIONS, PAINTED, REFUSED, SILENT, SPANS};
pub use looks::Look;
pub use text::{UNDRAWN, Undrawn};

/// Where an attribute may stand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum On {
    /// On every element.
    Every,
    /// On every element but the root of a template.
    Inner,
    /// On the root of a template.
    Root,
    /// On these elements.
    These(&'static [&'static str]),
    /// On a text, or on an element around it or in it, which hand it on.
    Handed,
}

/// An attribute, or a property of `style`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: &'static str,
    /// How a text looks, where it says that.
    pub look: Option<Look>,
    /// Where it may stand.
    pub on: On,
    /// What it takes.
    pub takes: &'static str,
    /// What holds without it; empty where nothing does.
    pub without: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// A line of a template with it.
    pub example: &'static str,
}

/// Attributes that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What they are about.
    pub title: &'static str,
    /// What there is to say of all of them.
    pub about: &'static str,
    /// The attributes.
    pub attributes: &'static [Attribute],
}

/// All attributes, in the order of the reference.
pub const ALL: [Group; 7] = [
    Group {
        title: "Control",
        about: "These are paiban's own. Their values are expressions, but for the path of `pb:include`; those of all other attributes are text, with expressions in `{{ }}`.",
        attributes: &drawing::CONTROL,
    },
    Group {
        title: "Size of the face",
        about: "They are written at the root of the component's template; those of included files say nothing.",
        attributes: &drawing::FACE,
    },
    Group { title: "Place of a text", about: "", attributes: &text::PLACE },
    Group {
        title: "Box of a text",
        about: "A text with a box is broken into lines, or columns. Without one, what is said of a box is an error.",
        attributes: &text::BOX,
    },
    Group {
        title: "Looks of a text",
        about: "Groups hand these on to the texts inside them; a `<tspan>` may change them for a part.",
        attributes: &looks::LOOKS,
    },
    Group { title: "Links and names", about: "", attributes: &drawing::PARTS },
    Group {
        title: "Groups as a whole",
        about: "In a group with one of these, text is drawn as outlines: it looks the same, and cannot be searched for in the PDF.",
        attributes: &drawing::WHOLE,
    },
];

/// paiban's own attributes.
pub fn own() -> impl Iterator<Item = &'static Attribute> + Clone {
    ALL.iter().flat_map(|group| group.attributes).filter(|attribute| attribute.name.starts_with("pb:"))
}

/// Whether an attribute or property is in the register.
pub fn knows(name: &str) -> bool {
    ALL.iter().flat_map(|group| group.attributes).any(|attribute| attribute.name == name)
        || UNDRAWN.iter().any(|undrawn| undrawn.name == name)
}

impl On {
    /// Whether the attribute may stand on `element`, which is or is not the root of a template.
    pub fn takes(self, element: &str, is_root: bool) -> bool {
        match self {
            On::Every | On::Handed => true,
            On::Inner => !is_root,
            On::Root => is_root,
            On::These(elements) => elements.contains(&element),
        }
    }
}

impl fmt::Display for On {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            On::Every => f.write_str("any element"),
            On::Inner => f.write_str("any element inside the root"),
            On::Root => f.write_str("the root"),
            On::Handed => f.write_str("texts, around and in them"),
            On::These(elements) => {
                let names: Vec<String> = elements.iter().map(|name| format!("<{name}>")).collect();
                f.write_str(&names.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_example_has_its_attribute() {
        for attribute in ALL.iter().flat_map(|group| group.attributes) {
            let written = [format!(" {}=\"", attribute.name), format!("{}:", attribute.name)];
            assert!(written.iter().any(|written| attribute.example.contains(written)), "{}", attribute.name);
        }
    }
}
