//! What a script says: plain values, in an order that does not depend on the run.

use std::collections::BTreeMap;
use std::fmt;

use mlua::Value;

/// A value that came out of a script.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Nothing.
    Nothing,
    /// `true` or `false`.
    Truth(bool),
    /// A whole number.
    Whole(i64),
    /// A number with a fraction.
    Number(f64),
    /// A text.
    Text(String),
    /// A list.
    List(Vec<Fact>),
    /// A table with names.
    Table(BTreeMap<String, Fact>),
}

/// How deep a value may be nested.
const DEEPEST: usize = 16;

impl Fact {
    /// Reads a value of Lua. An empty table is an empty table with names; numbers as names become their texts.
    pub(super) fn read(value: &Value) -> mlua::Result<Fact> {
        read(value, 0)
    }

    /// What stands under `name`.
    pub fn get(&self, name: &str) -> Option<&Fact> {
        match self {
            Fact::Table(entries) => entries.get(name),
            Fact::List(items) => name.parse::<usize>().ok().and_then(|at| items.get(at.checked_sub(1)?)),
            _ => None,
        }
    }

    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            #[allow(clippy::cast_precision_loss)] // counts of games and scores are small
            Fact::Whole(number) => Some(*number as f64),
            Fact::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The items of a list; an empty table is an empty list.
    pub fn items(&self) -> &[Fact] {
        match self {
            Fact::List(items) => items,
            _ => &[],
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Fact::Text(text) => Some(text),
            _ => None,
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fact::Nothing => f.write_str("nothing"),
            Fact::Truth(truth) => truth.fmt(f),
            Fact::Whole(number) => number.fmt(f),
            Fact::Number(number) => number.fmt(f),
            Fact::Text(text) => write!(f, "{text:?}"),
            Fact::List(items) => {
                let items: Vec<String> = items.iter().map(Fact::to_string).collect();
                write!(f, "[{}]", items.join(", "))
            }
            Fact::Table(entries) => {
                let entries: Vec<String> = entries.iter().map(|(name, fact)| format!("{name} = {fact}")).collect();
                write!(f, "{{ {} }}", entries.join(", "))
            }
        }
    }
}

fn read(value: &Value, depth: usize) -> mlua::Result<Fact> {
    if depth > DEEPEST {
        return Err(mlua::Error::runtime("what the script says is nested too deep, or in itself"));
    }
    Ok(match value {
        Value::Nil => Fact::Nothing,
        Value::Boolean(truth) => Fact::Truth(*truth),
        Value::Integer(number) => Fact::Whole(*number),
        Value::Number(number) if !number.is_finite() => {
            return Err(mlua::Error::runtime("the script says a number that is not finite"));
        }
        Value::Number(number) => Fact::Number(*number),
        Value::String(text) => Fact::Text(text.to_str()?.to_owned()),
        Value::Table(table) => read_table(table, depth)?,
        other => return Err(mlua::Error::runtime(format!("the script says a {}", other.type_name()))),
    })
}

fn read_table(table: &mlua::Table, depth: usize) -> mlua::Result<Fact> {
    let length = table.raw_len();
    let mut entries = BTreeMap::new();
    let mut items = vec![Fact::Nothing; length];
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let fact = read(&value, depth + 1)?;
        let place = match &key {
            Value::Integer(at) => usize::try_from(*at - 1).ok().and_then(|at| items.get_mut(at)),
            _ => None,
        };
        match (place, key) {
            (Some(place), _) => *place = fact,
            (None, Value::String(name)) => drop(entries.insert(name.to_str()?.to_owned(), fact)),
            (None, Value::Integer(name)) => drop(entries.insert(name.to_string(), fact)),
            (None, other) => {
                let message = format!("the script names a value by a {}", other.type_name());
                return Err(mlua::Error::runtime(message));
            }
        }
    }
    if entries.is_empty() && length > 0 {
        return Ok(Fact::List(items));
    }
    entries.extend((1..).zip(items).map(|(at, item): (usize, Fact)| (at.to_string(), item)));
    Ok(Fact::Table(entries))
}
