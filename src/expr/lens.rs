//! Data as an expression sees it: a view of a [`Node`] that notes what is read and what is missed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use minijinja::value::{Enumerator, Object, ObjectRepr, ValueKind};
use minijinja::{Error, ErrorKind, State, Value};

use crate::source::Span;
use crate::source::tree::{self, Node, Table};

/// A value that an expression read.
#[derive(Clone, Debug)]
pub struct Read {
    /// How it was reached, like `club.strength.music`.
    pub path: String,
    /// Where it stands.
    pub span: Span,
    /// The value; it is shown shortened.
    pub value: Node,
}

/// A field that an expression asked for in vain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// The field's name.
    pub key: String,
    /// A sentence that names the field and the nearest one that exists.
    pub message: String,
}

#[derive(Debug, Default)]
struct Notes {
    reads: Vec<Read>,
    looked: bool,
    miss: Option<Miss>,
}

/// The values read, and the first field missed, since it was last emptied. Shared by all lenses of a scope.
#[derive(Clone, Debug, Default)]
pub struct Trace(Arc<Mutex<Notes>>);

/// More reads than this are not kept: no finding shows them.
const READS: usize = 64;

impl Trace {
    /// Takes the reads out.
    pub fn take_reads(&self) -> Vec<Read> {
        std::mem::take(&mut self.lock().reads)
    }

    /// Whether any of the data was looked at, be it only to count it, since this was last asked.
    pub fn take_looked(&self) -> bool {
        std::mem::take(&mut self.lock().looked)
    }

    /// Takes the first miss out.
    pub fn take_miss(&self) -> Option<Miss> {
        self.lock().miss.take()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Notes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) {
        self.lock().looked = true;
    }

    fn read(&self, path: &str, node: &Node) {
        let mut notes = self.lock();
        if notes.reads.len() < READS && notes.reads.last().is_none_or(|last| last.span != node.span) {
            notes.reads.push(Read { path: path.to_owned(), span: node.span, value: node.clone() });
        }
    }

    fn miss<'k>(&self, path: &str, key: &str, known: impl Iterator<Item = &'k str>) {
        let mut notes = self.lock();
        if notes.miss.is_none() {
            let message = format!("`{path}` has no field `{key}`{}", did_you_mean(key, known));
            notes.miss = Some(Miss { key: key.to_owned(), message });
        }
    }
}

/// `; did you mean ...?` when one of the `known` names is near to `word`.
pub(super) fn did_you_mean<'k>(word: &str, known: impl IntoIterator<Item = &'k str>) -> String {
    crate::diagnostics::nearest(word, known).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// `node` as a value of the expression language; `path` is how messages name it.
pub fn value(node: &Node, path: &str, trace: &Trace) -> Value {
    match &node.value {
        tree::Value::String(text) => Value::from(&**text),
        tree::Value::Integer(number) => Value::from(*number),
        tree::Value::Float(number) => Value::from(*number),
        tree::Value::Boolean(truth) => Value::from(*truth),
        tree::Value::Array(items) => {
            Value::from_object(List { items: Arc::clone(items), path: path.to_owned(), trace: trace.clone() })
        }
        tree::Value::Table(table) => {
            Value::from_object(Lens { table: Arc::clone(table), path: path.to_owned(), trace: trace.clone() })
        }
    }
}

/// `node` as a value, noted as read; the parts of a table or a list are noted when they are read.
pub fn read(node: &Node, path: &str, trace: &Trace) -> Value {
    trace.look();
    if !matches!(node.value, tree::Value::Table(_) | tree::Value::Array(_)) {
        trace.read(path, node);
    }
    value(node, path, trace)
}

/// A list of records or other tables.
pub fn list(nodes: impl IntoIterator<Item = Node>, path: &str, trace: &Trace) -> Value {
    Value::from_object(List { items: nodes.into_iter().collect(), path: path.to_owned(), trace: trace.clone() })
}

/// A table of values that stand in no file.
pub fn fields(pairs: impl IntoIterator<Item = (&'static str, Value)>, path: &'static str, trace: &Trace) -> Value {
    Value::from_object(Fields { pairs: pairs.into_iter().collect(), path, trace: trace.clone() })
}

/// Lists of records by the name that `all('name')` finds them under.
pub type Lists = BTreeMap<String, Arc<[Node]>>;

/// The function `all`: the list of that name.
pub fn lookup(lists: &Arc<Lists>, trace: &Trace) -> Value {
    let (lists, trace) = (Arc::clone(lists), trace.clone());
    Value::from_function(move |name: &str| -> Result<Value, Error> {
        trace.look();
        let items = lists.get(name).ok_or_else(|| {
            let hint = did_you_mean(name, lists.keys().map(String::as_str));
            Error::new(ErrorKind::InvalidOperation, format!("there are no records of kind `{name}`{hint}"))
        })?;
        Ok(Value::from_object(List { items: Arc::clone(items), path: name.to_owned(), trace: trace.clone() }))
    })
}

/// A table.
#[derive(Debug)]
struct Lens {
    table: Arc<Table>,
    path: String,
    trace: Trace,
}

impl Lens {
    fn field(&self, key: &str) -> Option<Value> {
        let entry = self.table.entry(key)?;
        entry.read.set();
        let path = format!("{}.{key}", self.path);
        Some(read(&entry.node, &path, &self.trace))
    }

    fn keys(&self) -> Vec<Value> {
        self.table.keys().map(Value::from).collect()
    }
}

impl Object for Lens {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let Some(name) = key.as_str() else {
            self.trace.miss(&self.path, &key.to_string(), self.table.keys());
            return None;
        };
        let found = self.field(name);
        if found.is_none() {
            self.trace.miss(&self.path, name, self.table.keys());
        }
        found
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.keys())
    }

    fn call_method(
        self: &Arc<Self>,
        _state: &mut State<'_, '_>,
        method: &str,
        arguments: &[Value],
    ) -> Result<Value, Error> {
        let field = |key: &str| self.field(key).unwrap_or(Value::UNDEFINED);
        match (method, arguments) {
            ("keys", []) => Ok(Value::from(self.keys())),
            ("values", []) => Ok(self.table.keys().map(field).collect()),
            ("items", []) => Ok(self.table.keys().map(|key| Value::from(vec![Value::from(key), field(key)])).collect()),
            ("get", [key]) => Ok(key.as_str().and_then(|key| self.field(key)).unwrap_or_else(|| Value::from(()))),
            ("get", [key, default]) => {
                Ok(key.as_str().and_then(|key| self.field(key)).unwrap_or_else(|| default.clone()))
            }
            _ => Err(Error::new(
                ErrorKind::UnknownMethod,
                format!("a table has no method `{method}`; it has keys(), values(), items() and get(name, default)"),
            )),
        }
    }
}

/// A table of values that stand in no file.
#[derive(Debug)]
struct Fields {
    pairs: Vec<(&'static str, Value)>,
    path: &'static str,
    trace: Trace,
}

impl Object for Fields {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let found = self.pairs.iter().find(|(own, _)| key.as_str() == Some(own));
        if found.is_none() {
            let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
            self.trace.miss(self.path, &key, self.pairs.iter().map(|(own, _)| *own));
        }
        found.map(|(_, value)| value.clone())
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Values(self.pairs.iter().map(|(own, _)| Value::from(*own)).collect())
    }
}

/// A list.
#[derive(Debug)]
struct List {
    items: Arc<[Node]>,
    path: String,
    trace: Trace,
}

impl Object for List {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        if key.kind() != ValueKind::Number {
            return None;
        }
        let at = usize::try_from(i64::try_from(key.clone()).ok()?).ok()?;
        let node = self.items.get(at)?;
        let path = item_path(&self.path, at, node);
        Some(read(node, &path, &self.trace))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.items.len())
    }
}

/// How an item of a list is named: by its id, else by its number.
fn item_path(path: &str, at: usize, node: &Node) -> String {
    let id = node.as_table().and_then(|table| table.get("id")).and_then(Node::as_str);
    id.map_or_else(|| format!("{path}[{at}]"), |id| format!("{path}({id})"))
}
