//! How much a drawing becomes when every reference in it is followed: a few lines of patterns inside patterns, or of clips of clips,
//! can stand for more than any machine draws. Told before anything follows them.

use std::collections::{HashMap, HashSet};

use roxmltree::{Document, Node, NodeId};

/// The most elements that a drawing may come to.
const MOST_ELEMENTS: u64 = 300_000;
/// How deep references may lead to references.
const MOST_HOPS: u32 = 64;

/// What is wrong with the references of `document`, if anything.
pub fn fault(document: &Document<'_>) -> Option<String> {
    let root = document.root_element();
    let ids = root.descendants().filter_map(|node| Some((node.attribute("id")?, node))).collect();
    Scales { ids, known: HashMap::new(), open: HashSet::new() }.weigh(root, 0).err()
}

/// What an element comes to: so many elements, after so many references one behind the other.
#[derive(Clone, Copy, Default)]
struct Weight {
    elements: u64,
    hops: u32,
}

impl Weight {
    fn and(self, other: Weight) -> Result<Weight, String> {
        let sum = Weight { elements: self.elements.saturating_add(other.elements), hops: self.hops.max(other.hops) };
        if sum.elements > MOST_ELEMENTS {
            return Err(format!("with all that it refers to it comes to more than {MOST_ELEMENTS} elements"));
        }
        Ok(sum)
    }
}

struct Scales<'a, 'input> {
    ids: HashMap<&'a str, Node<'a, 'input>>,
    known: HashMap<NodeId, Weight>,
    open: HashSet<NodeId>,
}

impl<'a, 'input> Scales<'a, 'input> {
    /// The weight of `node`, which `hops` references led to.
    fn weigh(&mut self, node: Node<'a, 'input>, hops: u32) -> Result<Weight, String> {
        let mut weight = Weight { elements: 1, hops: 0 };
        for attribute in node.attributes() {
            let href = (attribute.name() == "href").then(|| attribute.value().trim().strip_prefix('#')).flatten();
            for id in href.into_iter().chain(painted(attribute.value())) {
                weight = weight.and(self.part(id, hops)?)?;
            }
        }
        for child in node.children().filter(Node::is_element) {
            weight = weight.and(self.weigh(child, hops)?)?;
        }
        Ok(weight)
    }

    /// The weight of the element with this id. One that refers to itself is not followed: the drawing does not follow it either.
    fn part(&mut self, id: &str, hops: u32) -> Result<Weight, String> {
        let Some(node) = self.ids.get(id).copied().filter(|node| !self.open.contains(&node.id())) else {
            return Ok(Weight::default());
        };
        let weight = match self.known.get(&node.id()) {
            Some(weight) => *weight,
            None if hops >= MOST_HOPS => return Err(too_deep()),
            None => {
                self.open.insert(node.id());
                let weight = self.weigh(node, hops + 1)?;
                self.open.remove(&node.id());
                self.known.insert(node.id(), weight);
                weight
            }
        };
        if hops + weight.hops >= MOST_HOPS { Err(too_deep()) } else { Ok(Weight { hops: weight.hops + 1, ..weight }) }
    }
}

fn too_deep() -> String {
    format!("references lead to references more than {MOST_HOPS} deep")
}

/// The ids in `url(#id)` of an attribute's value.
pub fn painted(value: &str) -> impl Iterator<Item = &str> {
    value.split("url(").skip(1).filter_map(|rest| {
        let target = rest.split_once(')')?.0;
        target.trim().trim_matches(['"', '\'']).strip_prefix('#')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(body: &str) -> Option<String> {
        fault(&Document::parse(&format!("<svg>{body}</svg>")).expect("XML"))
    }

    /// Parts, each of which refers to the one before it `times` times.
    fn chain(length: usize, times: usize) -> String {
        let part = |at: usize| {
            let link = format!("<rect fill='url(#p{})'/>", at.wrapping_sub(1)).repeat(times);
            format!("<pattern id='p{at}'>{link}</pattern>")
        };
        (0..length).map(part).collect::<String>() + &format!("<rect fill='url(#p{})'/>", length - 1)
    }

    #[test]
    fn patterns_in_patterns_are_counted_out_and_not_followed() {
        assert_eq!(judged(&chain(5, 3)), None);
        assert!(judged(&chain(30, 3)).is_some_and(|why| why.contains("elements")));
    }

    #[test]
    fn chains_end_somewhere_whichever_end_is_met_first() {
        assert_eq!(judged(&chain(60, 1)), None);
        assert!(judged(&chain(70, 1)).is_some_and(|why| why.contains("deep")));
        assert_eq!(judged("<g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g>"), None);
    }
}
