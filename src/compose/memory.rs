//! What was worked out before, by everything that it hangs on: whoever reads a project again and again does only what a change
//! touches. Faces that there is something to say about are composed anew, so that findings point where things stand now.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use crate::source::tree::{Node, Value};

/// The hash of everything that a face is made of, but for files that stay as they are: fonts, icons, pictures.
pub type RecipeHash = [u8; 32];

/// Results by the hash of what they hang on. Those that are not asked for are forgotten after some turns.
pub struct Memory<V> {
    kept: Mutex<Kept<V>>,
}

/// What a memory holds: each result with the turn in which it was last of use.
#[derive(Clone, Serialize, Deserialize)]
pub struct Kept<V> {
    /// The turn.
    pub turn: u64,
    /// The results.
    pub results: BTreeMap<RecipeHash, (u64, V)>,
}

impl<V> Default for Memory<V> {
    fn default() -> Self {
        Memory::from(Kept { turn: 0, results: BTreeMap::new() })
    }
}

impl<V> From<Kept<V>> for Memory<V> {
    fn from(kept: Kept<V>) -> Self {
        Memory { kept: Mutex::new(kept) }
    }
}

impl<V: Clone> Memory<V> {
    /// What was kept under `hash`.
    pub fn get(&self, hash: &RecipeHash) -> Option<V> {
        let mut kept = self.kept();
        let turn = kept.turn;
        let (used, result) = kept.results.get_mut(hash)?;
        *used = turn;
        Some(result.clone())
    }

    /// Keeps a result.
    pub fn keep(&self, hash: RecipeHash, result: V) {
        let mut kept = self.kept();
        let turn = kept.turn;
        kept.results.insert(hash, (turn, result));
    }

    /// Begins a new turn and forgets what was not used for `turns` turns.
    pub fn turn(&self, turns: u64) {
        let mut kept = self.kept();
        kept.turn += 1;
        let oldest = kept.turn.saturating_sub(turns);
        kept.results.retain(|_, (used, _)| *used >= oldest);
    }

    /// All that it holds.
    pub fn kept(&self) -> MutexGuard<'_, Kept<V>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a face is made of, written down part by part. Every part says its length, so that no two lists read alike.
#[derive(Clone, Default)]
pub struct Recipe(blake3::Hasher);

impl Recipe {
    /// Adds a text.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.bytes(text.as_bytes());
        self
    }

    /// Adds a value, whatever its place is.
    #[must_use]
    pub fn node(mut self, node: &Node) -> Self {
        self.value(node);
        self
    }

    /// The hash of all of it.
    pub fn hash(&self) -> RecipeHash {
        *self.0.finalize().as_bytes()
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    fn value(&mut self, node: &Node) {
        match &node.value {
            Value::String(text) => {
                self.0.update(b"s");
                self.bytes(text.as_bytes());
            }
            Value::Integer(number) => {
                self.0.update(b"i");
                self.0.update(&number.to_le_bytes());
            }
            Value::Float(number) => {
                self.0.update(b"f");
                self.0.update(&number.to_bits().to_le_bytes());
            }
            Value::Boolean(truth) => {
                self.0.update(if *truth { b"t" } else { b"n" });
            }
            Value::Array(items) => {
                self.0.update(b"a");
                self.0.update(&(items.len() as u64).to_le_bytes());
                items.iter().for_each(|item| self.value(item));
            }
            Value::Table(table) => {
                self.0.update(b"m");
                self.0.update(&(table.entries.len() as u64).to_le_bytes());
                for entry in &table.entries {
                    self.bytes(entry.key.value.as_bytes());
                    self.value(&entry.node);
                }
            }
        }
    }
}

/// The lists that an expression asks for with `all('name')`. None when it may ask for any, because a name is computed.
pub fn lists_in(code: &str) -> Option<BTreeSet<&str>> {
    let inside = |c: char| c.is_alphanumeric() || c == '_';
    let mut names = BTreeSet::new();
    for (at, word) in code.match_indices("all") {
        let rest = &code[at + word.len()..];
        if code[..at].ends_with(inside) || rest.starts_with(inside) {
            continue; // a part of a longer word
        }
        let argument = rest.trim_start().strip_prefix('(')?.trim_start();
        let quote = argument.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let (name, after) = argument[1..].split_once(quote)?;
        if !after.trim_start().starts_with(')') {
            return None;
        }
        names.insert(name);
    }
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::source::tree;

    fn hash(text: &str) -> RecipeHash {
        let (table, _) = tree::parse(Sources::default().add("t.toml", text), text);
        table.entries.iter().fold(Recipe::default(), |recipe, entry| recipe.node(&entry.node)).hash()
    }

    #[test]
    fn a_recipe_knows_values_and_not_their_places() {
        assert_eq!(hash("a = { x = 1, y = ['b'] }"), hash("\n\n a =   { x = 1, y = [ 'b' ] }"));
        let others = [
            "a = { x = 2, y = ['b'] }",
            "a = { x = 1.0, y = ['b'] }",
            "a = { x = 1, y = ['b', ''] }",
            "a = { z = 1, y = ['b'] }",
        ];
        for other in others {
            assert_ne!(hash("a = { x = 1, y = ['b'] }"), hash(other), "{other}");
        }
        assert_ne!(Recipe::default().text("a").text("bc").hash(), Recipe::default().text("ab").text("c").hash());
    }

    #[test]
    fn lists_are_known_by_name_unless_the_name_is_computed() {
        let named = |code: &'static str| lists_in(code).map(|names| names.into_iter().collect::<Vec<_>>());
        assert_eq!(named("all('club')|length + all( \"seat\" )|length"), Some(vec!["club", "seat"]));
        assert_eq!(named("small + tall(1) + allow"), Some(vec![]));
        for code in ["all(record.kind)", "all('a' ~ 'b')", "all", "x|map(all)"] {
            assert_eq!(named(code), None, "{code}");
        }
    }

    #[test]
    fn what_is_not_used_is_forgotten() {
        let memory = Memory::default();
        memory.keep([1; 32], "one");
        memory.keep([2; 32], "two");
        memory.turn(1);
        assert!(memory.get(&[1; 32]).is_some());
        memory.turn(1);
        assert!(memory.get(&[1; 32]).is_some() && memory.get(&[2; 32]).is_none());
    }
}
