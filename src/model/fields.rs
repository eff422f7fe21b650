//! Reading a table by its keys: each key is asked for once, wrong types are reported, and what nobody asked for is unknown.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::Gutter;
use super::keys::Keys;
use crate::diagnostics::checks;
use crate::diagnostics::{Finding, Report, nearest};
use crate::geometry::Size;
use crate::source::tree::{Node, Table, Value};
use crate::source::{Span, Spanned};
use crate::units::Length;

/// What the keys that must be there may look like.
const EXAMPLES: [(&str, &str); 12] = [
    ("id", "\"sun\""),
    ("title", "\"Sun and Moon\""),
    ("players", "[2, 3, 4]"),
    ("trim", "\"63x88mm\""),
    ("bleed", "\"3mm\""),
    ("front", "\"game/card.svg\""),
    ("check", "\"card.power < 10\""),
    ("holds", "[\"hand\", \"club\"]"),
    ("at", "\"§5.3\""),
    ("says", "\"the words of the rules\""),
    ("stated", "\"40.4 %\""),
    ("games", "2000"),
];

/// What is farther apart than this is no neighbour.
const WIDEST_GUTTER: Length = Length::mm(50);

/// A table being read.
pub struct Fields<'t> {
    table: &'t Table,
    span: Span,
    what: String,
    keys: &'static Keys,
    asked: RefCell<Vec<&'static str>>,
}

impl<'t> Fields<'t> {
    /// Reads `table`, which has the keys of the register `keys`, stands at `span` and is called `what` in messages, like
    /// `component \`hand\``.
    pub fn new(table: &'t Table, span: Span, what: impl Into<String>, keys: &'static Keys) -> Self {
        Fields { table, span, what: what.into(), keys, asked: RefCell::default() }
    }

    fn get(&self, key: &'static str) -> Option<&'t Node> {
        debug_assert!(self.keys.keys.is_empty() || self.keys.has(key), "{} lacks `{key}`", self.keys.table);
        self.asked.borrow_mut().push(key);
        self.table.get(key)
    }

    /// The value under `key`, of whatever type.
    pub fn node(&self, key: &'static str) -> Option<&'t Node> {
        self.get(key)
    }

    /// The text under `key`.
    pub fn text(&self, key: &'static str, report: &mut Report) -> Option<Spanned<String>> {
        let node = self.get(key)?;
        let text = node.as_str().map(|text| Spanned::new(text.to_owned(), node.span));
        if text.is_none() {
            report.push(self.wrong_type(key, node, "a string"));
        }
        text
    }

    /// The text under `key`, which must be there and not be empty.
    pub fn required_text(&self, key: &'static str, report: &mut Report) -> Option<Spanned<String>> {
        if self.table.get(key).is_none() {
            report.push(self.missing(key));
        }
        let text = self.text(key, report)?;
        if text.value.trim().is_empty() {
            report.push(Finding::new(checks::VALUE_WRONG, format!("`{key}` of {} is empty", self.what)).at(text.span));
            return None;
        }
        Some(text)
    }

    /// The text under `key`, which may be missing but not empty.
    pub fn required_if_there(&self, key: &'static str, report: &mut Report) -> Option<Spanned<String>> {
        if self.table.get(key).is_some() { self.required_text(key, report) } else { self.text(key, report) }
    }

    /// Where `key` itself stands; the table where there is none.
    pub fn place_of(&self, key: &str) -> Span {
        self.table.entry(key).map_or(self.span, |entry| entry.key.span)
    }

    /// What the table is called in messages.
    pub fn what(&self) -> &str {
        &self.what
    }

    /// Why something is as it is, under `key`: a text that says something.
    pub fn reason(&self, key: &'static str, report: &mut Report) -> Option<Spanned<String>> {
        self.get(key)?;
        self.required_text(key, report)
    }

    /// A list of texts under `key`; empty where there is none.
    pub fn texts(&self, key: &'static str, report: &mut Report) -> Vec<Spanned<String>> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let texts = node.as_array().and_then(|items| {
            items.iter().map(|item| item.as_str().map(|text| Spanned::new(text.to_owned(), item.span))).collect()
        });
        texts.unwrap_or_else(|| {
            report.push(self.wrong_type(key, node, "a list of strings"));
            Vec::new()
        })
    }

    /// A whole number from `low` to `high` under `key`.
    pub fn integer(&self, key: &'static str, low: i64, high: i64, report: &mut Report) -> Option<i64> {
        debug_assert!(self.keys.takes_integers(key, low, high), "the register says otherwise of `{key}`");
        let node = self.get(key)?;
        let Some(number) = node.as_integer() else {
            report.push(self.wrong_type(key, node, "an integer"));
            return None;
        };
        if !(low..=high).contains(&number) {
            let message = format!("`{key}` of {} is {number}", self.what);
            report.push(Finding::new(checks::VALUE_WRONG, message).at(node.span).expected(format!("{low} to {high}")));
            return None;
        }
        Some(number)
    }

    /// Whether `key` is `true`; a missing one is not.
    pub fn flag(&self, key: &'static str, report: &mut Report) -> bool {
        match self.get(key).map(|node| (node, &node.value)) {
            None => false,
            Some((_, Value::Boolean(truth))) => *truth,
            Some((node, _)) => {
                report.push(self.wrong_type(key, node, "true or false"));
                false
            }
        }
    }

    /// A length under `key`, not below zero.
    pub fn length(&self, key: &'static str, report: &mut Report) -> Option<Length> {
        let text = self.text(key, report)?;
        self.parsed_length(key, &text, report)
    }

    fn parsed_length(&self, key: &str, text: &Spanned<String>, report: &mut Report) -> Option<Length> {
        match Length::parse(&text.value) {
            Ok(length) if length >= Length::ZERO => Some(length),
            Ok(_) => self.value_wrong(key, text, "a length cannot be negative", report),
            Err(why) => self.value_wrong(key, text, &why, report),
        }
    }

    /// What lies between neighbours, under `key`: `auto`, or a length up to 50 mm. Nothing at all may be written without a unit.
    pub fn gutter(&self, key: &'static str, report: &mut Report) -> Option<Gutter> {
        let node = self.get(key)?;
        if node.as_integer() == Some(0) {
            return Some(Gutter::Fixed(Length::ZERO));
        }
        let Some(text) = node.as_str() else {
            report.push(self.wrong_type(key, node, "\"auto\", or a length like \"4mm\""));
            return None;
        };
        let text = Spanned::new(text.to_owned(), node.span);
        match text.value.as_str() {
            "auto" => Some(Gutter::Auto),
            "0" => Some(Gutter::Fixed(Length::ZERO)),
            _ => {
                let length = self.parsed_length(key, &text, report)?;
                if length > WIDEST_GUTTER {
                    return self.value_wrong(key, &text, &format!("more than {WIDEST_GUTTER}"), report);
                }
                Some(Gutter::Fixed(length))
            }
        }
    }

    /// A list of lengths under `key`, none below zero; empty where there is none.
    pub fn lengths(&self, key: &'static str, report: &mut Report) -> Vec<Spanned<Length>> {
        let texts = self.texts(key, report);
        let lengths =
            texts.iter().filter_map(|text| Some(Spanned::new(self.parsed_length(key, text, report)?, text.span)));
        lengths.collect()
    }

    /// One length under `key`, or a list of as many as `many`; none below zero, and each no less than the one before it.
    pub fn lengths_or_one(&self, key: &'static str, many: usize, report: &mut Report) -> Option<Vec<Length>> {
        let lengths = match self.get(key)?.as_array() {
            Some(_) => self.lengths(key, report).into_iter().map(|length| length.value).collect(),
            None => vec![self.length(key, report)?],
        };
        let node = self.table.get(key)?;
        self.rising(key, node, many, lengths, report)
    }

    /// As many numbers from 0 to `high` as `like` has, in a list unless it is one; each no less than the one before it where there
    /// are limits that grow in `like`.
    pub fn numbers(&self, key: &'static str, like: &[f64], high: f64, report: &mut Report) -> Option<Vec<f64>> {
        let node = self.get(key)?;
        let Some(numbers) = super::preflight::numbers_of(node) else {
            report.push(self.wrong_type(key, node, if like.len() == 1 { "a number" } else { "a list of numbers" }));
            return None;
        };
        if let Some(wrong) = numbers.iter().find(|number| !(0.0..=high).contains(&number.value)) {
            let message = format!("`{key}` of {} is {}", self.what, wrong.value);
            report.push(Finding::new(checks::VALUE_WRONG, message).at(wrong.span).expected(format!("0 to {high}")));
            return None;
        }
        let numbers = numbers.into_iter().map(|number| number.value).collect();
        if like.is_sorted() {
            return self.rising(key, node, like.len(), numbers, report);
        }
        self.as_many(key, node, like.len(), numbers, report)
    }

    fn rising<T: PartialOrd>(
        &self,
        key: &str,
        node: &Node,
        many: usize,
        values: Vec<T>,
        report: &mut Report,
    ) -> Option<Vec<T>> {
        if !values.is_sorted() {
            let message = format!("`{key}` of {} is not in ascending order", self.what);
            report.push(
                Finding::new(checks::VALUE_WRONG, message).at(node.span).help("the strictest limit stands first"),
            );
            return None;
        }
        self.as_many(key, node, many, values, report)
    }

    fn as_many<T>(&self, key: &str, node: &Node, many: usize, values: Vec<T>, report: &mut Report) -> Option<Vec<T>> {
        if values.len() != many {
            let message = format!("`{key}` of {} lists {} of {many} values", self.what, values.len());
            report.push(Finding::new(checks::VALUE_WRONG, message).at(node.span));
            return None;
        }
        Some(values)
    }

    /// A size under `key`, like `63x88mm`.
    pub fn size(&self, key: &'static str, report: &mut Report) -> Option<Size> {
        let text = self.text(key, report)?;
        let parsed = parse_size(&text.value);
        match parsed {
            Ok(size) => Some(size),
            Err(why) => self.value_wrong(key, &text, &why, report),
        }
    }

    /// One of `choices` under `key`; the first where there is none or a wrong one.
    pub fn choice<T: Copy>(&self, key: &'static str, choices: &[(&str, T)], report: &mut Report) -> T {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        debug_assert!(self.keys.takes_words(key, &names), "the register says otherwise of `{key}`");
        let Some(text) = self.text(key, report) else { return choices[0].1 };
        if let Some((_, value)) = choices.iter().find(|(name, _)| *name == text.value) {
            return *value;
        }
        let mut finding = Finding::new(checks::VALUE_WRONG, format!("`{key}` of {} is {:?}", self.what, text.value))
            .at(text.span)
            .expected(names.join(", "));
        if let Some(near) = nearest(&text.value, names) {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        report.push(finding);
        choices[0].1
    }

    /// A table of texts under `key`.
    pub fn text_table(&self, key: &'static str, report: &mut Report) -> BTreeMap<String, Spanned<String>> {
        let Some(node) = self.get(key) else { return BTreeMap::new() };
        let Some(table) = node.as_table() else {
            report.push(self.wrong_type(key, node, "a table"));
            return BTreeMap::new();
        };
        let mut texts = BTreeMap::new();
        for entry in &table.entries {
            match entry.node.as_str() {
                Some(text) => {
                    texts.insert(entry.key.value.to_string(), Spanned::new(text.to_owned(), entry.node.span));
                }
                None => {
                    report.push(self.wrong_type(&format!("{key}.{}", entry.key.value), &entry.node, "a string"));
                }
            }
        }
        texts
    }

    /// Reports every key that nobody asked for.
    pub fn finish(self, report: &mut Report) {
        let asked = self.asked.into_inner();
        let forgotten = self.keys.keys.iter().find(|key| !asked.contains(&key.name));
        debug_assert!(forgotten.is_none(), "{}: nobody asks for {forgotten:?}", self.keys.table);
        for entry in &self.table.entries {
            let key = &*entry.key.value;
            if asked.contains(&key) {
                continue;
            }
            let mut finding =
                Finding::new(checks::KEY_UNKNOWN, format!("{} has no key `{key}`", self.what)).at(entry.key.span);
            finding = match nearest(key, asked.iter().copied()) {
                Some(near) => finding.help(format!("did you mean `{near}`?")),
                None => finding.expected(format!("one of {}", asked.join(", "))),
            };
            report.push(finding);
        }
    }

    fn value_wrong<T>(&self, key: &str, text: &Spanned<String>, why: &str, report: &mut Report) -> Option<T> {
        report.push(
            Finding::new(checks::VALUE_WRONG, format!("`{key}` of {} is {:?}", self.what, text.value))
                .labelled(text.span, why),
        );
        None
    }

    /// A finding that says `key` is missing.
    pub fn missing(&self, key: &str) -> Finding {
        let finding = Finding::new(checks::KEY_MISSING, format!("{} has no `{key}`", self.what)).at(self.span);
        match EXAMPLES.iter().find(|(of, _)| *of == key) {
            Some((_, example)) => finding.help(format!("add it, like `{key} = {example}`")),
            None => finding,
        }
    }

    /// A finding that says the value under `key` is not `wanted`.
    pub fn wrong_type(&self, key: &str, node: &Node, wanted: &str) -> Finding {
        Finding::new(checks::TYPE_WRONG, format!("`{key}` of {} is {}", self.what, node.kind()))
            .at(node.span)
            .expected(wanted)
    }
}

/// Reads `63x88mm` or `2.5x3.5in`: both numbers in the unit at the end.
pub fn parse_size(text: &str) -> Result<Size, String> {
    let unit_at = text.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    let (numbers, unit) = text.split_at(unit_at);
    let (w, h) = numbers
        .split_once(['x', '×'])
        .ok_or_else(|| format!("`{text}` is no size; write width x height and a unit, like `63x88mm`"))?;
    let size = Size { w: Length::parse(&format!("{w}{unit}"))?, h: Length::parse(&format!("{h}{unit}"))? };
    if size.w <= Length::ZERO || size.h <= Length::ZERO {
        return Err("a size must be larger than zero".to_owned());
    }
    Ok(size)
}

/// Whether a value is a list of tables, which is how records are written.
pub fn as_tables(node: &Node) -> Option<Vec<&Node>> {
    let items = node.as_array()?;
    (!items.is_empty() && items.iter().all(|item| matches!(item.value, Value::Table(_))))
        .then(|| items.iter().collect())
}
