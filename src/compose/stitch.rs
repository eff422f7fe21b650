//! Expressions that a drawing program has torn apart. It breaks a text into lines, each a `<tspan>` of its own, and does not know
//! that `{{ record.name }}` is one word.

use std::collections::BTreeMap;

use roxmltree::Node;

/// The text nodes below `root` that read otherwise when every expression is put together where it begins, by their place.
pub fn stitched(root: Node<'_, '_>) -> BTreeMap<usize, String> {
    let mut changed = BTreeMap::new();
    for text in root.descendants().filter(|node| node.tag_name().name() == "text") {
        let nodes: Vec<Node<'_, '_>> = text.descendants().filter(Node::is_text).collect();
        let mut texts: Vec<String> = nodes.iter().map(|node| node.text().unwrap_or_default().to_owned()).collect();
        if texts.len() < 2 || !stitch(&mut texts) {
            continue;
        }
        let written = nodes.iter().zip(texts).filter(|(node, text)| node.text() != Some(text.as_str()));
        changed.extend(written.map(|(node, text)| (node.range().start, text)));
    }
    changed
}

/// Moves the rest of every expression to its beginning. Whether there was any to move.
fn stitch(texts: &mut [String]) -> bool {
    let mut any = false;
    for at in 0..texts.len() {
        while is_open(&texts[at]) {
            let Some(end) = (at + 1..texts.len()).find(|next| texts[*next].contains("}}")) else { break };
            for next in at + 1..=end {
                let taken = texts[next].find("}}").filter(|_| next == end).map_or(texts[next].len(), |place| place + 2);
                let rest = texts[next].split_off(taken);
                let piece = std::mem::replace(&mut texts[next], rest);
                texts[at].push_str(&piece);
            }
            any = true;
        }
    }
    any
}

/// Whether a text ends inside an expression.
fn is_open(text: &str) -> bool {
    text.rfind("{{").is_some_and(|open| !text[open..].contains("}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text nodes of `svg`, stitched.
    fn texts(svg: &str) -> Vec<String> {
        let document = roxmltree::Document::parse(svg).expect("well-formed");
        let changed = stitched(document.root_element());
        let nodes = document.descendants().filter(Node::is_text);
        nodes
            .map(|node| changed.get(&node.range().start).map_or(node.text().unwrap_or_default(), String::as_str).into())
            .collect()
    }

    #[test]
    fn an_expression_over_several_lines_is_one() {
        let svg = "<svg><text><tspan>a {{ </tspan><tspan>record</tspan><tspan>.name }} b {{ c</tspan><tspan> }}</tspan></text></svg>";
        assert_eq!(texts(svg), ["a {{ record.name }}", "", " b {{ c }}", ""]);
    }

    #[test]
    fn what_is_whole_or_never_closed_stays() {
        let svg = "<svg><text><tspan>{{ a }}</tspan><tspan>{{ b</tspan></text><text>}} c</text></svg>";
        assert_eq!(texts(svg), ["{{ a }}", "{{ b", "}} c"]);
    }
}
