//! What a sample states, held against what the script says.

use crate::diagnostics::nearest;
use crate::script::Fact;
use crate::source::Span;
use crate::source::tree::{Node, Table, Value};

/// How far two numbers may be apart that are the same.
const NEARLY: f64 = 1e-9;

/// A stated value that is not so.
#[derive(Debug)]
pub(super) struct Difference {
    /// Where it is stated.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What holds.
    pub expected: Option<String>,
}

/// Compares what is `stated` with the `fact`; where it must be `complete`, the fact may have nothing beside it.
pub(super) fn compare(stated: &Node, fact: &Fact, complete: bool, differences: &mut Vec<Difference>) {
    let path = &mut Vec::new();
    compare_at(path, stated, fact, complete, differences);
}

fn compare_at<'n>(
    path: &mut Vec<&'n str>,
    stated: &'n Node,
    fact: &Fact,
    complete: bool,
    differences: &mut Vec<Difference>,
) {
    let Some(table) = stated.as_table() else {
        if !same(stated, fact) {
            let message = format!("{} is stated as {stated}, but it is {fact}", name(path));
            differences.push(Difference { span: stated.span, message, expected: Some(fact.to_string()) });
        }
        return;
    };
    for entry in &table.entries {
        path.push(&entry.key.value);
        match fact.get(&entry.key.value) {
            Some(inner) => compare_at(path, &entry.node, inner, complete, differences),
            None => differences.push(unknown(path, entry.key.span, fact)),
        }
        path.pop();
    }
    // Only the innermost tables are complete; the names on the way to them are just the way.
    if complete && !path.is_empty() && table.entries.iter().all(|entry| entry.node.as_table().is_none()) {
        differences.extend(missing(path, stated.span, table, fact));
    }
}

/// A name that the script says nothing of.
fn unknown(path: &[&str], span: Span, fact: &Fact) -> Difference {
    let names: Vec<&str> = match fact {
        Fact::Table(entries) => entries.keys().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    let near = path.last().and_then(|word| nearest(word, names.iter().copied()));
    let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    let expected = (!names.is_empty()).then(|| format!("one of {}", names.join(", ")));
    Difference { span, message: format!("the rules know no {}{near}", name(path)), expected }
}

/// What holds beside what is stated.
fn missing(path: &[&str], span: Span, table: &Table, fact: &Fact) -> Vec<Difference> {
    let Fact::Table(entries) = fact else { return Vec::new() };
    let left_out = entries.iter().filter(|(name, _)| table.get(name).is_none());
    let told = left_out.map(|(key, fact)| Difference {
        span,
        message: format!("{} leaves out `{key}`, which is {fact}", name(path)),
        expected: Some(format!("{key} = {fact}")),
    });
    told.collect()
}

fn name(path: &[&str]) -> String {
    format!("`{}`", path.join("."))
}

/// Whether a value is what was stated.
fn same(stated: &Node, fact: &Fact) -> bool {
    match (&stated.value, fact) {
        (Value::String(text), Fact::Text(other)) => **text == **other,
        (Value::Boolean(truth), Fact::Truth(other)) => truth == other,
        (Value::Integer(number), Fact::Whole(other)) => number == other,
        (Value::Integer(_) | Value::Float(_), _) => {
            numeric(stated).zip(fact.number()).is_some_and(|(a, b)| (a - b).abs() < NEARLY)
        }
        (Value::Array(items), Fact::List(others)) => {
            items.len() == others.len() && items.iter().zip(others).all(|(item, other)| same(item, other))
        }
        (Value::Array(items), Fact::Table(entries)) => items.is_empty() && entries.is_empty(),
        (Value::Table(table), Fact::Table(entries)) => {
            table.entries.len() == entries.len()
                && table
                    .entries
                    .iter()
                    .all(|entry| entries.get(&*entry.key.value).is_some_and(|other| same(&entry.node, other)))
        }
        _ => false,
    }
}

#[allow(clippy::cast_precision_loss)] // stated numbers are small
fn numeric(node: &Node) -> Option<f64> {
    match node.value {
        Value::Integer(number) => Some(number as f64),
        Value::Float(number) => Some(number),
        _ => None,
    }
}
