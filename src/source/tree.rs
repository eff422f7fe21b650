//! TOML as a tree of values that know where they were written.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use toml::de::{DeTable, DeValue};

use super::{FileId, Span, Spanned};

/// A value of a TOML file and its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Where the value was written.
    pub span: Span,
}

/// What a TOML file can hold. A date is kept as the text it was written in.
#[derive(Clone, Debug)]
pub enum Value {
    /// Text.
    String(Arc<str>),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction, never NaN or infinite.
    Float(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A list.
    Array(Arc<[Node]>),
    /// A table.
    Table(Arc<Table>),
}

/// A key of a table, with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key and where it was written.
    pub key: Spanned<Arc<str>>,
    /// The value.
    pub node: Node,
    /// Whether an expression read it.
    pub read: Mark,
}

/// Something that happens once and is then known, to all copies too.
#[derive(Clone, Debug, Default)]
pub struct Mark(Arc<AtomicBool>);

impl Mark {
    /// It happened.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it happened.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A TOML table; entries keep the order of the file.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// The entries.
    pub entries: Vec<Entry>,
}

impl Table {
    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// Key and value.
    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| &*entry.key.value == key)
    }

    /// All keys, in the order of the file.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().map(|entry| &*entry.key.value)
    }
}

impl Node {
    /// The text, if it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, if it is one.
    pub fn as_integer(&self) -> Option<i64> {
        match self.value {
            Value::Integer(number) => Some(number),
            _ => None,
        }
    }

    /// The list, if it is one.
    pub fn as_array(&self) -> Option<&Arc<[Node]>> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub fn as_table(&self) -> Option<&Arc<Table>> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// What kind of value this is, for a message: `a string`, `an integer` ...
    pub fn kind(&self) -> &'static str {
        match self.value {
            Value::String(_) => "a string",
            Value::Integer(_) => "an integer",
            Value::Float(_) => "a number with a fraction",
            Value::Boolean(_) => "a boolean",
            Value::Array(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// The control character in `text` that is neither a line end nor a tab, if there is one, and where it begins.
pub fn control_character(text: &str) -> Option<(usize, char)> {
    let layout = |at: usize, c: char| matches!(c, '\n' | '\t') || (c == '\r' && text[at..].starts_with("\r\n"));
    text.char_indices().find(|(at, c)| c.is_control() && !layout(*at, *c))
}

/// The value as TOML would write it on one line, shortened.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::String(text) if text.chars().count() > 40 => {
                write!(f, "{:?}", text.chars().take(39).chain(['…']).collect::<String>())
            }
            Value::String(text) => write!(f, "{text:?}"),
            Value::Integer(number) => number.fmt(f),
            Value::Float(number) => number.fmt(f),
            Value::Boolean(truth) => truth.fmt(f),
            Value::Array(items) if items.len() <= 8 => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if at == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Value::Array(items) => write!(f, "[{} items]", items.len()),
            Value::Table(table) => {
                write!(f, "{{ {} }}", table.keys().collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// A fault of a TOML file.
#[derive(Debug)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// The most faults of a file that are told: what has more is no TOML at all.
const MOST_FAULTS: usize = 100;

/// The longest text of which more than the first fault is told: the parser keeps every fault, and a large file of nothing else would
/// fill the memory.
const RECOVERED: usize = 1 << 20;

/// Reads `text`, which is file `file`. Returns what could be read, and every fault, up to [`MOST_FAULTS`].
pub fn parse(file: FileId, text: &str) -> (Table, Vec<Fault>) {
    let (table, errors) = match text.len() {
        ..=RECOVERED => DeTable::parse_recoverable(text),
        _ => DeTable::parse(text)
            .map_or_else(|error| (toml::Spanned::new(0..0, DeTable::new()), vec![error]), |table| (table, Vec::new())),
    };
    let mut faults: Vec<Fault> = errors
        .iter()
        .take(MOST_FAULTS)
        .map(|error| Fault { message: error.message().to_owned(), span: Span::new(file, error.span().unwrap_or(0..0)) })
        .collect();
    if errors.len() > MOST_FAULTS {
        let message = format!("and {} faults more", errors.len() - MOST_FAULTS);
        faults.push(Fault { message, span: Span::new(file, errors[MOST_FAULTS].span().unwrap_or(0..0)) });
    }
    let table = Reader { file, faults: &mut faults }.table(table.get_ref());
    (table, faults)
}

/// Turns the parser's values into ours.
struct Reader<'a> {
    file: FileId,
    faults: &'a mut Vec<Fault>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>) -> Table {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| Entry {
                key: Spanned::new(Arc::from(key.get_ref().as_ref()), Span::new(self.file, key.span())),
                node: self.node(value.get_ref(), value.span()),
                read: Mark::default(),
            })
            .collect();
        entries.sort_by_key(|entry| (entry.key.span.start, entry.node.span.start));
        Table { entries }
    }

    fn node(&mut self, value: &DeValue<'_>, range: std::ops::Range<usize>) -> Node {
        let span = Span::new(self.file, range);
        let value = match value {
            DeValue::String(text) => Value::String(Arc::from(text.as_ref())),
            DeValue::Integer(number) => {
                let digits = number.as_str().replace('_', "");
                Value::Integer(i64::from_str_radix(&digits, number.radix()).unwrap_or_else(|_| {
                    self.fault(span, format!("`{number}` is too large for a whole number"));
                    0
                }))
            }
            DeValue::Float(number) => match number.as_str().replace('_', "").parse::<f64>() {
                Ok(float) if float.is_finite() => Value::Float(float),
                _ => {
                    self.fault(span, format!("`{number}` is not a finite number"));
                    Value::Float(0.0)
                }
            },
            DeValue::Boolean(truth) => Value::Boolean(*truth),
            DeValue::Datetime(date) => Value::String(Arc::from(date.to_string())),
            DeValue::Array(items) => {
                Value::Array(items.iter().map(|item| self.node(item.get_ref(), item.span())).collect())
            }
            DeValue::Table(table) => Value::Table(Arc::new(self.table(table))),
        };
        Node { value, span }
    }

    fn fault(&mut self, span: Span, message: String) {
        self.faults.push(Fault { message, span });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;

    fn read(text: &str) -> (Table, Vec<Fault>) {
        parse(Sources::default().add("t.toml", text), text)
    }

    #[test]
    fn values_know_their_place_and_keys_their_order() {
        let text = "z = 1\na = { y = [2, 'x'], b = 1.5 }\n";
        let (table, faults) = read(text);
        assert!(faults.is_empty());
        assert_eq!(table.keys().collect::<Vec<_>>(), ["z", "a"]);
        let list = table.get("a").and_then(Node::as_table).and_then(|a| a.get("y")).and_then(Node::as_array).cloned();
        let spans: Vec<_> = list.iter().flat_map(|l| l.iter()).map(|n| &text[n.span.range()]).collect();
        assert_eq!(spans, ["2", "'x'"]);
    }

    #[test]
    fn every_fault_is_told_and_the_rest_is_read() {
        let (table, faults) = read("a = nan\nb = 99999999999999999999\nc = = 1\nd = 4\n");
        let said = |part: &str| faults.iter().any(|fault| fault.message.contains(part));
        assert!(said("not a finite number") && said("too large") && said("extra `=`"), "{faults:?}");
        assert_eq!(table.get("d").and_then(Node::as_integer), Some(4));
    }
}
