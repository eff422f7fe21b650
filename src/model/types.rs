//! The `fields` of a component: what type the fields of its records have, whether they stand in TOML or in a spreadsheet.

use std::sync::Arc;

use super::Record;
use super::fields::Fields;
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::source::tree::{Node, Table, Value};
use crate::source::{Span, Spanned};

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Integer,
    Number,
    Boolean,
    List,
}

const NAMES: [(&str, Type); 5] = [
    ("text", Type::Text),
    ("integer", Type::Integer),
    ("number", Type::Number),
    ("boolean", Type::Boolean),
    ("list", Type::List),
];

/// A field that a component declares.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    /// Its name, and where it is declared.
    pub name: Spanned<String>,
    /// Its type.
    pub kind: Type,
    /// Whether a record may do without it.
    pub optional: bool,
}

impl Type {
    /// The type as a message names it.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Text => "a text",
            Type::Integer => "a whole number",
            Type::Number => "a number",
            Type::Boolean => "true or false",
            Type::List => "a list",
        }
    }

    const fn holds(self, value: &Value) -> bool {
        matches!(
            (self, value),
            (Type::Text, Value::String(_))
                | (Type::Integer, Value::Integer(_))
                | (Type::Number, Value::Integer(_) | Value::Float(_))
                | (Type::Boolean, Value::Boolean(_))
                | (Type::List, Value::Array(_))
        )
    }

    /// The value that `text` in the cell at `span` is; none if it is not of this type. A list is apart by commas.
    pub fn read(self, text: &str, span: Span) -> Option<Value> {
        let word = text.trim();
        match self {
            Type::Text => Some(Value::String(Arc::from(text))),
            Type::Integer => word.parse().ok().map(Value::Integer),
            Type::Number => match word.parse() {
                Ok(whole) => Some(Value::Integer(whole)),
                Err(_) => word.parse().ok().filter(|number: &f64| number.is_finite()).map(Value::Float),
            },
            Type::Boolean => match word.to_ascii_lowercase().as_str() {
                "true" => Some(Value::Boolean(true)),
                "false" => Some(Value::Boolean(false)),
                _ => None,
            },
            Type::List => {
                let items = word.split(',').map(str::trim).filter(|item| !item.is_empty());
                Some(Value::Array(items.map(|item| Node { value: Value::String(Arc::from(item)), span }).collect()))
            }
        }
    }

    /// A value of this type, for a cell whose own is reported.
    pub fn blank(self) -> Value {
        match self {
            Type::Text => Value::String(Arc::from("")),
            Type::Integer | Type::Number => Value::Integer(0),
            Type::Boolean => Value::Boolean(false),
            Type::List => Value::Array(Arc::from([])),
        }
    }
}

/// Reads the table `fields` of a component, in the order that it is written in.
pub(super) fn declared(fields: &Fields<'_>, report: &mut Report) -> Vec<Declared> {
    let mut declared: Vec<Declared> = Vec::new();
    for (name, written) in fields.text_table("fields", report) {
        let (word, optional) = written.value.strip_suffix('?').map_or((&*written.value, false), |word| (word, true));
        let Some((_, kind)) = NAMES.iter().find(|(of, _)| *of == word) else {
            let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            let mut finding =
                Finding::new(checks::VALUE_WRONG, format!("the field `{name}` is declared as {:?}", written.value))
                    .at(written.span)
                    .expected(format!("{}, each with a `?` where a record may do without it", names.join(", ")));
            if let Some(near) = nearest(word, names) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            report.push(finding);
            continue;
        };
        declared.push(Declared { name: Spanned::new(name, written.span), kind: *kind, optional });
    }
    declared
}

/// Holds the records against what is declared of them.
pub(super) fn check(declared: &[Declared], records: &[Record], report: &mut Report) {
    for record in records {
        for field in declared {
            judge(field, record).into_iter().for_each(|finding| report.push(finding));
        }
    }
}

fn judge(field: &Declared, record: &Record) -> Option<Finding> {
    let table = record.table()?;
    let name = &field.name.value;
    let Some(node) = within(table, name) else {
        let message = format!("{} has no `{name}`", record.id);
        let finding = Finding::new(checks::KEY_MISSING, message).at(record.node.span);
        return (!field.optional).then(|| {
            finding.and(field.name.span, "declared here").help("add it, or declare it with a `?` behind the type")
        });
    };
    (!field.kind.holds(&node.value)).then(|| {
        let message = format!("`{name}` of {} is {}", record.id, node.kind());
        let finding = Finding::new(checks::TYPE_WRONG, message).at(node.span).expected(field.kind.name());
        finding.and(field.name.span, "declared here")
    })
}

/// The value under `name`; under `cost.gold` that of `gold` in the table `cost`.
fn within<'t>(table: &'t Table, name: &str) -> Option<&'t Node> {
    match name.split_once('.') {
        None => table.get(name),
        Some((outer, inner)) => within(table.get(outer)?.as_table()?, inner),
    }
}
