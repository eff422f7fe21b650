//! The names that an expression can see: nested scopes, the innermost winning, sharing one trace.

use std::sync::Arc;

use minijinja::Value;
use minijinja::value::{Enumerator, Object, ObjectRepr};

use super::lens::{self, Trace, did_you_mean};
use crate::source::tree::Node;

/// Names and their values. Cloning and adding are cheap; nothing is copied.
#[derive(Clone, Debug)]
pub struct Scope {
    names: Arc<Names>,
    trace: Trace,
}

#[derive(Debug, Default)]
struct Names {
    own: Vec<(Arc<str>, Named)>,
    outer: Option<Arc<Names>>,
    trace: Trace,
}

#[derive(Debug)]
enum Named {
    Value(Value),
    /// A value of the data, noted when it is read.
    Node(Node),
}

impl Scope {
    /// No names at all.
    pub fn root() -> Self {
        let trace = Trace::default();
        Scope { names: Arc::new(Names { trace: trace.clone(), ..Names::default() }), trace }
    }

    /// This scope and one more name; an outer name that is the same is hidden.
    #[must_use]
    pub fn with(&self, name: &str, value: Value) -> Self {
        self.with_all([(Arc::from(name), value)])
    }

    /// This scope and more names.
    #[must_use]
    pub fn with_all(&self, names: impl IntoIterator<Item = (Arc<str>, Value)>) -> Self {
        self.inner(names.into_iter().map(|(name, value)| (name, Named::Value(value))).collect())
    }

    /// This scope and a value of the data under `name`; that it is read is noted.
    #[must_use]
    pub fn with_node(&self, name: &str, node: &Node) -> Self {
        self.inner(vec![(Arc::from(name), Named::Node(node.clone()))])
    }

    fn inner(&self, own: Vec<(Arc<str>, Named)>) -> Self {
        let names = Names { own, outer: Some(Arc::clone(&self.names)), trace: self.trace.clone() };
        Scope { names: Arc::new(names), trace: self.trace.clone() }
    }

    /// What the values of this scope note when they are read.
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Whether `name` is known here.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.names.find(name).is_some()
    }

    /// The name known here that is nearest to `word`, as the end of a sentence; empty if none is near.
    pub(super) fn did_you_mean(&self, word: &str) -> String {
        let mut known = Vec::new();
        let mut names = Some(&self.names);
        while let Some(here) = names {
            known.extend(here.own.iter().map(|(name, _)| &**name));
            names = here.outer.as_ref();
        }
        did_you_mean(word, known)
    }

    pub(super) fn as_value(&self) -> Value {
        Value::from_dyn_object(Arc::clone(&self.names))
    }
}

impl Names {
    fn find(&self, name: &str) -> Option<&Named> {
        let mut names = Some(self);
        while let Some(here) = names {
            if let Some((_, named)) = here.own.iter().rev().find(|(own, _)| &**own == name) {
                return Some(named);
            }
            names = here.outer.as_deref();
        }
        None
    }
}

impl Object for Names {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Map
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let name = key.as_str()?;
        Some(match self.find(name)? {
            Named::Value(value) => value.clone(),
            Named::Node(node) => lens::read(node, name, &self.trace),
        })
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::NonEnumerable
    }
}
