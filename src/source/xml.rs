//! XML of templates and icons, read within limits: no file that is small on disk may grow huge or deep in memory.

use roxmltree::{Document, Node, ParsingOptions};

/// How deep elements may nest.
const MOST_DEPTH: usize = 200;
/// The most nodes (elements, texts, comments) that a file may have.
const MOST_NODES: u32 = 200_000;

/// Why a file is no usable XML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// The byte where it is.
    pub at: usize,
}

/// Parses `text`. A document type declaration is allowed, since drawing programs write them; entities of other files are not.
///
/// # Errors
/// When it is not well-formed, or too large or too deep.
pub fn parse(text: &str) -> Result<Document<'_>, Fault> {
    let options = ParsingOptions { allow_dtd: true, nodes_limit: MOST_NODES, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| {
        let place = format!(" at {}", error.pos());
        let message = error.to_string();
        Fault { message: message.replace(&place, ""), at: byte_offset(text, error.pos()) }
    })?;
    match too_deep(document.root_element()) {
        Some(node) => {
            let message = format!("elements nest more than {MOST_DEPTH} deep");
            Err(Fault { message, at: node.range().start })
        }
        None => Ok(document),
    }
}

/// The first element that is too deep. Walks without recursion, because that is the point.
fn too_deep<'a, 'input>(root: Node<'a, 'input>) -> Option<Node<'a, 'input>> {
    let (mut node, mut depth) = (root, 1);
    loop {
        if depth > MOST_DEPTH {
            return Some(node);
        }
        if let Some(child) = node.first_element_child() {
            (node, depth) = (child, depth + 1);
            continue;
        }
        while node.next_sibling_element().is_none() {
            if node == root || depth == 1 {
                return None;
            }
            (node, depth) = (node.parent_element()?, depth - 1);
        }
        if node == root {
            return None;
        }
        node = node.next_sibling_element()?;
    }
}

fn byte_offset(text: &str, position: roxmltree::TextPos) -> usize {
    let row = usize::try_from(position.row).unwrap_or(1).saturating_sub(1);
    let column = usize::try_from(position.col).unwrap_or(1).saturating_sub(1);
    let line_start: usize = text.split_inclusive('\n').take(row).map(str::len).sum();
    let line = text[line_start.min(text.len())..].chars();
    line_start + line.take(column).map(char::len_utf8).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nests_too_deep_is_refused_wherever_it_is() {
        let nested = |depth: usize| format!("<a><b/><b>{}{}</b><b/></a>", "<g>".repeat(depth), "</g>".repeat(depth));
        assert!(parse(&nested(MOST_DEPTH - 2)).is_ok());
        let fault = parse(&nested(MOST_DEPTH - 1)).expect_err("too deep");
        assert_eq!(fault.at, "<a><b/><b>".len() + 3 * (MOST_DEPTH - 2));
        assert!(parse(&nested(50_000)).is_err());
    }

    #[test]
    fn entities_work_but_not_without_measure() {
        let text = "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>";
        assert_eq!(parse(text).expect("fine").root_element().text(), Some("c"));
        let levels: String = (1..30).map(|n| format!("<!ENTITY e{n} \"&e{0};&e{0};\">", n - 1)).collect();
        assert!(parse(&format!("<!DOCTYPE a [<!ENTITY e0 \"x\">{levels}]><a>&e29;</a>")).is_err());
        assert!(parse("<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>").is_err());
    }

    #[test]
    fn a_fault_says_its_place_once() {
        let fault = parse("<a>\n é<b></c></a>").expect_err("crossed");
        assert_eq!((fault.message.as_str(), fault.at), ("expected 'b' tag, not 'c'", 10));
    }
}
