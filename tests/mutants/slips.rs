//! Makes the slips: from the text of a data file to all its mutants.

use std::ops::Range;

use paiban::source::Sources;
use paiban::source::tree::{self, Node, Table, Value};

/// The data with one slip.
pub struct Mutant {
    /// The file that has it.
    pub file: String,
    /// What was done where: `club(light-music).strength.music: 5 -> 6`.
    pub name: String,
    /// The file's text with the slip.
    pub text: String,
}

impl Mutant {
    /// What it has in common with others: the field and the sort of slip, without ids and values.
    pub fn group(&self) -> String {
        let (path, slip) = self.name.split_once(": ").unwrap_or((&self.name, ""));
        let field: String = path.split('(').map(|part| part.split_once(')').map_or(part, |(_, rest)| rest)).collect();
        let field = field.split(" again as").next().unwrap_or_default();
        let sort = ["<->", " in ", "->"].into_iter().find(|sort| slip.contains(sort)).unwrap_or_default();
        format!("{} {field} {sort}", self.file)
    }

    /// Whether it changes a number that is printed or counted, not one of the second copies that others are compared with.
    pub fn is_number_of_the_game(&self) -> bool {
        let digits = |text: &str| !text.is_empty() && text.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
        let values = self.name.rsplit_once(": ").and_then(|(_, slip)| slip.split_once(" -> "));
        self.file != "stated.toml" && values.is_some_and(|(old, new)| digits(old) && digits(new))
    }
}

/// All mutants of `file`.
pub fn mutants(file: &str, text: &str) -> Vec<Mutant> {
    let (table, faults) = tree::parse(Sources::default().add(file, text), text);
    assert!(faults.is_empty(), "{file}: {faults:?}");
    let mut maker = Maker { file, text, mutants: Vec::new() };
    for entry in &table.entries {
        let key = &*entry.key.value;
        match &entry.node.value {
            Value::Array(records) => maker.records(key, records),
            _ => maker.value(key, &entry.node, None),
        }
    }
    maker.blocks();
    maker.mutants
}

struct Maker<'t> {
    file: &'t str,
    text: &'t str,
    mutants: Vec<Mutant>,
}

impl<'t> Maker<'t> {
    fn push(&mut self, name: String, text: String) {
        self.mutants.push(Mutant { file: self.file.to_owned(), name, text });
    }

    /// The file with `new` in the place of some stretches, which stand in order.
    fn with(&self, changes: &[(Range<usize>, &str)]) -> String {
        let mut text = String::new();
        let mut at = 0;
        for (range, new) in changes {
            text.push_str(&self.text[at..range.start]);
            text.push_str(new);
            at = range.end;
        }
        text + &self.text[at..]
    }

    fn written(&self, node: &Node) -> &'t str {
        &self.text[node.span.range()]
    }

    fn records(&mut self, kind: &str, records: &[Node]) {
        for (at, record) in records.iter().enumerate() {
            let Some(table) = record.as_table() else { continue };
            let id = table.get("id").and_then(Node::as_str).unwrap_or("?");
            let next = records.get(at + 1).or(records.first()).and_then(Node::as_table);
            let path = format!("{kind}({id})");
            self.fields(&path, table, next.map(|table| &**table));
            if let Some(next) = records.get(at + 1).and_then(Node::as_table) {
                self.swapped_records(&path, table, next);
            }
        }
    }

    /// Slips in the fields of a table; `next` is the record after it, for values that could stand here as well.
    fn fields(&mut self, path: &str, table: &Table, next: Option<&Table>) {
        for entry in &table.entries {
            let key = &*entry.key.value;
            if key != "source" {
                self.value(&format!("{path}.{key}"), &entry.node, next.and_then(|next| next.get(key)));
            }
        }
        self.swapped_neighbours(path, &table.entries.iter().map(|entry| &entry.node).collect::<Vec<_>>());
    }

    fn value(&mut self, path: &str, node: &Node, other: Option<&Node>) {
        match &node.value {
            Value::Integer(number) => {
                for new in [number + 1, number - 1] {
                    let text = self.with(&[(node.span.range(), &new.to_string())]);
                    self.push(format!("{path}: {number} -> {new}"), text);
                }
            }
            Value::String(_) => self.string(path, node, other),
            Value::Boolean(truth) => {
                let text = self.with(&[(node.span.range(), &(!truth).to_string())]);
                self.push(format!("{path}: {truth} -> {}", !truth), text);
            }
            Value::Array(items) => {
                for (at, item) in items.iter().enumerate() {
                    self.value(&format!("{path}[{at}]"), item, None);
                }
                self.swapped_neighbours(path, &items.iter().collect::<Vec<_>>());
            }
            Value::Table(table) => self.fields(path, table, None),
            Value::Float(_) => {}
        }
    }

    /// Another text: that of the next record, or the same with something behind it; and other numbers in it.
    fn string(&mut self, path: &str, node: &Node, other: Option<&Node>) {
        let (written, text) = (self.written(node), node.as_str().unwrap_or_default());
        let other = other.filter(|other| other.as_str().is_some_and(|other| other != text));
        let new = match other {
            Some(other) => self.written(other).to_owned(),
            None => format!("{}x{}", &written[..written.len() - 1], &written[written.len() - 1..]),
        };
        let mutated = self.with(&[(node.span.range(), &new)]);
        self.push(format!("{path}: {written} -> {new}"), mutated);
        if path.ends_with(".id") {
            return;
        }
        let is_number = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        for word in written.split(|c: char| !c.is_alphanumeric()).filter(is_number) {
            let at = node.span.range().start + (word.as_ptr() as usize - written.as_ptr() as usize);
            let Ok(number) = word.parse::<i64>() else { continue };
            for new in [number + 1, number - 1] {
                let text = self.with(&[(at..at + word.len(), &new.to_string())]);
                self.push(format!("{path}: {number} -> {new} in {written}"), text);
            }
        }
    }

    /// Neighbours of the same kind in one list or table, swapped.
    fn swapped_neighbours(&mut self, path: &str, nodes: &[&Node]) {
        for pair in nodes.windows(2) {
            let (a, b) = (self.written(pair[0]), self.written(pair[1]));
            let numbers = pair.iter().all(|node| node.as_integer().is_some());
            let in_line = !self.text[pair[0].span.range().end..pair[1].span.range().start].contains('\n');
            if a != b && pair[0].kind() == pair[1].kind() && (numbers || in_line) {
                let text = self.with(&[(pair[0].span.range(), b), (pair[1].span.range(), a)]);
                self.push(format!("{path}: {a} <-> {b}"), text);
            }
        }
    }

    /// The same field of two records that follow each other, swapped.
    fn swapped_records(&mut self, path: &str, table: &Table, next: &Table) {
        for entry in &table.entries {
            let key = &*entry.key.value;
            let Some(other) = next.get(key).filter(|_| key != "source") else { continue };
            let (a, b) = (self.written(&entry.node), self.written(other));
            let scalar = !matches!(entry.node.value, Value::Table(_) | Value::Array(_));
            if a != b && scalar && other.span.start > entry.node.span.start {
                let text = self.with(&[(entry.node.span.range(), b), (other.span.range(), a)]);
                self.push(format!("{path}.{key}: {a} <-> {b}"), text);
            }
        }
    }

    /// Whole records lost, moved, doubled under the same id, and doubled under another.
    fn blocks(&mut self) {
        let starts: Vec<usize> = self.text.match_indices("\n[[").map(|(at, _)| at + 1).collect();
        for (at, start) in starts.iter().enumerate() {
            let end = starts.get(at + 1).copied().unwrap_or(self.text.len());
            let block = &self.text[*start..end];
            let kind = block.trim_start_matches('[').split(']').next().unwrap_or_default();
            let id = block.split("id = \"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            let text = self.with(&[(*start..end, "")]);
            self.push(format!("{kind}({id}) lost"), text);
            // The next record of its kind, put before it.
            let next_end = starts.get(at + 2).copied().unwrap_or(self.text.len());
            let next = &self.text[end..next_end];
            if next.starts_with(&format!("[[{kind}]]")) {
                let text = self.with(&[(*start..next_end, &format!("{}\n\n{block}", next.trim_end()))]);
                self.push(format!("{kind}({id}) moved behind the next"), text);
            }
            let text = self.with(&[(end..end, &format!("\n{block}"))]);
            self.push(format!("{kind}({id}) twice"), text);
            let other = block.replacen(&format!("id = \"{id}\""), &format!("id = \"{id}-2\""), 1);
            let text = self.with(&[(end..end, &format!("\n{other}"))]);
            self.push(format!("{kind}({id}) again as {id}-2"), text);
        }
    }
}
