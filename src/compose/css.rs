//! Style sheets of a template (`<style>`): resolved when the template is compiled, so that afterwards there are only attributes.

use roxmltree::Node;
use simplecss::{AttributeOperator, Element, PseudoClass, StyleSheet};

/// An element as selectors see it.
struct Seen<'a, 'input>(Node<'a, 'input>);

impl Element for Seen<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Seen)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Seen)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        matches!(class, PseudoClass::FirstChild) && self.0.prev_sibling_element().is_none()
    }
}

/// The most comparisons of rules with elements: a drawing has hundreds of rules at most.
const MOST_COMPARISONS: usize = 2_000_000;

/// The most bytes of style sheets in a document: they are sorted by a method that takes the square of their number.
const MOST_BYTES: usize = 256 << 10;

/// What is wrong with the text of the style sheets, if anything.
pub fn text_fault(text: &str) -> Option<String> {
    let long = text.len();
    (long > MOST_BYTES).then(|| format!("<style> holds {} KiB; at most {} are read", long >> 10, MOST_BYTES >> 10))
}

/// What is wrong with `sheet` for a document of so many elements, if anything.
pub fn fault(sheet: &StyleSheet<'_>, elements: usize) -> Option<String> {
    let count = sheet.rules.len();
    let many = count.saturating_mul(elements) > MOST_COMPARISONS;
    many.then(|| format!("<style> has {count} rules for {elements} elements: too many to look through"))
}

/// The text of all `<style>` elements of a document.
pub fn sheet_text(root: Node<'_, '_>) -> String {
    let styles = root.descendants().filter(|node| node.tag_name().name() == "style");
    styles.flat_map(|style| style.children()).filter_map(|child| child.text()).collect()
}

/// What `sheet` says of `node`, as the value of a `style` attribute; empty when it says nothing.
pub fn declarations_for(sheet: &StyleSheet<'_>, node: Node<'_, '_>) -> String {
    let mut style = String::new();
    for rule in sheet.rules.iter().filter(|rule| rule.selector.matches(&Seen(node))) {
        for declaration in &rule.declarations {
            style.push_str(&format!("{}:{};", declaration.name, declaration.value));
        }
    }
    style
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_and_more_special_rules_come_last_and_so_win() {
        let svg = "<svg><style>.a{fill:red} text{fill:blue;font-size:3px} .a.b{fill:green}</style><text class='a b'/><text/></svg>";
        let document = roxmltree::Document::parse(svg).expect("well-formed");
        let text = sheet_text(document.root_element());
        let sheet = StyleSheet::parse(&text);
        let styles: Vec<String> = document
            .descendants()
            .filter(|node| node.tag_name().name() == "text")
            .map(|node| declarations_for(&sheet, node))
            .collect();
        assert_eq!(styles, ["fill:blue;font-size:3px;fill:red;fill:green;", "fill:blue;font-size:3px;"]);
    }
}
