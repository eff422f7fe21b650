//! What waits to be drawn, and which of it becomes a drawing together.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use svg::node::element::Element as Written;

use super::definitions::add_names;
use super::dom::Element;
use super::text::PlacedIcon;
use crate::icons::{Icon, Icons};

/// Icons by their ids in a drawing.
pub type UsedIcons = BTreeMap<String, Arc<Icon>>;

/// Something that goes into a drawing.
pub struct Pending<'p> {
    /// What it is.
    pub what: What<'p>,
    /// The groups around it, the outermost first, without what is inside.
    pub groups: Vec<Rc<Element>>,
}

/// What goes into a drawing.
pub enum What<'p> {
    /// An element without text.
    Plain(&'p Element),
    /// An icon that was placed in a text.
    Icon(PlacedIcon),
    /// What was written already, as it hangs on more than its element; and the icons in it.
    Written(Written, UsedIcons),
}

/// The name of the icon that `element` shows, if it shows one.
pub fn icon_of(element: &Element) -> Option<&str> {
    element.href().filter(|_| element.name == "use")?.strip_prefix("icon:")
}

/// Whether `element` is, or has inside, an icon.
pub fn has_icon(element: &Element) -> bool {
    icon_of(element).is_some() || element.elements().any(has_icon)
}

impl Pending<'_> {
    fn is_icon(&self, icons: &Icons) -> bool {
        match &self.what {
            What::Plain(element) => icon_of(element).is_some_and(|name| icons.look_up(name).is_ok()),
            What::Icon(_) => true,
            What::Written(..) => false,
        }
    }
}

/// The most drawings that are made of what stands between two texts.
const MOST_DRAWINGS: usize = 3;

/// Puts `pending` into drawings, from the bottom up. Icons are a drawing of their own: many faces have the same ones, and what is around
/// them is the same on many faces too. Where icons and other parts take turns they stay together.
pub fn drawings<'p>(pending: Vec<Pending<'p>>, icons: &Icons) -> Vec<Vec<Pending<'p>>> {
    let kinds: Vec<bool> = pending.iter().map(|part| part.is_icon(icons)).collect();
    let turns = kinds.windows(2).filter(|pair| pair[0] != pair[1]).count();
    if pending.is_empty() {
        return Vec::new();
    }
    if turns >= MOST_DRAWINGS {
        return vec![pending];
    }
    let mut drawings: Vec<Vec<Pending<'p>>> = Vec::new();
    let mut last = None;
    for (part, kind) in pending.into_iter().zip(kinds) {
        match drawings.last_mut().filter(|_| last == Some(kind)) {
            Some(drawing) => drawing.push(part),
            None => drawings.push(vec![part]),
        }
        last = Some(kind);
    }
    drawings
}

/// The ids that a drawing links to. What was written already may link to anything, and has none.
pub fn names<'a>(drawing: &'a [Pending<'_>]) -> Option<BTreeSet<&'a str>> {
    let mut names = BTreeSet::new();
    for part in drawing {
        part.groups.iter().for_each(|group| add_names(group, &mut names));
        match &part.what {
            What::Plain(element) => add_names(element, &mut names),
            What::Icon(_) => {}
            What::Written(..) => return None,
        }
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use super::*;
    use crate::compose::face::Colour;
    use crate::source::disk::Disk;
    use crate::source::{Sources, Span};

    /// How many parts each drawing has that comes of these: `i` is an icon, `r` a rectangle.
    fn split(kinds: &str) -> Vec<usize> {
        let span = Span::new(Sources::default().add("t.svg", ""), 0..0);
        let rect =
            Element { name: "rect".to_owned(), attributes: Vec::new(), children: Vec::new(), span, places: [].into() };
        let icon = PlacedIcon { name: "star".to_owned(), x: 0.0, y: 0.0, w: 1.0, h: 1.0, colour: Colour::BLACK };
        let pending = kinds.chars().map(|kind| {
            let what = if kind == 'i' { What::Icon(icon.clone()) } else { What::Plain(&rect) };
            Pending { what, groups: Vec::new() }
        });
        let folder = tempfile::tempdir().unwrap();
        let icons = Icons::new(Disk::open(folder.path()).unwrap(), None, BTreeMap::new());
        drawings(pending.collect(), &icons).iter().map(Vec::len).collect()
    }

    #[test]
    fn icons_are_drawings_of_their_own_unless_they_take_turns_with_other_parts() {
        assert!(split("").is_empty());
        assert_eq!(split("rrr"), [3]);
        assert_eq!(split("rrir"), [2, 1, 1]);
        assert_eq!(split("iiirr"), [3, 2]);
        assert_eq!(split("irri"), [1, 2, 1]);
        assert_eq!(split("riri"), [4]);
    }
}
