//! The data of a piece as a flat list: the path of each leaf, and its value as text.

use std::collections::BTreeMap;

use crate::source::tree::{Node, Value};

/// The leaves of a record; of a derived piece also those of the records that it was made from. Its id and its copies are told elsewhere.
pub fn of(record: &Node) -> BTreeMap<String, String> {
    let mut fields = BTreeMap::new();
    walk("", record, &mut fields);
    for told in ["id", "copies"] {
        fields.remove(told);
    }
    fields
}

fn walk(path: &str, node: &Node, fields: &mut BTreeMap<String, String>) {
    match &node.value {
        Value::Table(table) => {
            for entry in &table.entries {
                let key = &entry.key.value;
                let below = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                walk(&below, &entry.node, fields);
            }
        }
        Value::Array(items) => match items.iter().map(scalar).collect::<Option<Vec<String>>>() {
            Some(items) => {
                fields.insert(path.to_owned(), items.join(", "));
            }
            None => items.iter().enumerate().for_each(|(at, item)| walk(&format!("{path}[{at}]"), item, fields)),
        },
        _ => {
            fields.extend(scalar(node).map(|value| (path.to_owned(), value)));
        }
    }
}

/// A value that has no parts, as text.
fn scalar(node: &Node) -> Option<String> {
    match &node.value {
        Value::String(text) => Some(text.to_string()),
        Value::Integer(number) => Some(number.to_string()),
        Value::Float(number) => Some(number.to_string()),
        Value::Boolean(truth) => Some(truth.to_string()),
        Value::Array(_) | Value::Table(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::source::tree;
    use crate::source::{Sources, Span};

    #[test]
    fn leaves_have_paths_and_lists_of_words_are_one() {
        let text =
            "id = 'a'\ncopies = 2\npower = 3\ncost = { gold = 1.5 }\ntags = ['x', 'y']\nsteps = [{ to = true }]\n";
        let file = Sources::default().add("t.toml", text);
        let (table, _) = tree::parse(file, text);
        let node = Node { value: Value::Table(Arc::new(table)), span: Span::new(file, 0..0) };
        let expected = [("cost.gold", "1.5"), ("power", "3"), ("steps[0].to", "true"), ("tags", "x, y")]
            .map(|(p, v)| (p.into(), v.into()));
        assert_eq!(of(&node), BTreeMap::from(expected));
    }
}
