//! Where data comes from: `source = "rules"` of a record or component, or `source = { field = "decided" }` where fields differ.

use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::source::Span;
use crate::source::tree::{Node, Table};

/// Where a value comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Provenance {
    /// The rules say it.
    #[default]
    Rules,
    /// It follows from what the rules say.
    Derived,
    /// It is restored from another text.
    Reconstructed,
    /// The rules leave it open; the makers of the data chose it.
    Decided,
}

const NAMES: [(&str, Provenance); 4] = [
    ("rules", Provenance::Rules),
    ("derived", Provenance::Derived),
    ("reconstructed", Provenance::Reconstructed),
    ("decided", Provenance::Decided),
];

impl Provenance {
    /// The word for it in the data.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize].0
    }

    fn parse(text: &str) -> Option<Self> {
        NAMES.iter().find(|(name, _)| *name == text).map(|(_, provenance)| *provenance)
    }
}

/// What a `source` says of one field, or of everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Sourced {
    /// The field; none for the whole record.
    pub field: Option<String>,
    /// Where it comes from.
    pub provenance: Provenance,
    /// Where that is said.
    pub span: Span,
}

/// What a record or component says of where it comes from; from the rules when it says nothing. Faults are left out: loading
/// has told them.
pub fn of(node: &Node) -> Vec<Sourced> {
    let whole = |provenance, span| Sourced { field: None, provenance, span };
    let Some(source) = node.as_table().and_then(|table| table.get("source")) else {
        return vec![whole(Provenance::Rules, node.span)];
    };
    match source.as_table() {
        Some(fields) => fields
            .entries
            .iter()
            .filter_map(|entry| {
                let provenance = Provenance::parse(entry.node.as_str()?)?;
                Some(Sourced { field: Some(entry.key.value.to_string()), provenance, span: entry.node.span })
            })
            .collect(),
        None => source
            .as_str()
            .and_then(Provenance::parse)
            .map(|provenance| whole(provenance, source.span))
            .into_iter()
            .collect(),
    }
}

/// Checks the `source` in `table`, if there is one; `what` is how messages name the table.
pub(super) fn check(table: &Table, what: &str, report: &mut Report) {
    let Some(source) = table.get("source") else { return };
    let Some(fields) = source.as_table() else {
        check_word("source", source, what, report);
        return;
    };
    for entry in &fields.entries {
        let field = &*entry.key.value;
        check_word(field, &entry.node, what, report);
        if table.get(field).is_none() {
            let mut finding =
                Finding::new(checks::KEY_UNKNOWN, format!("`source` of {what} names `{field}`, which it has not"));
            if let Some(near) = nearest(field, table.keys()) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            report.push(finding.at(entry.key.span));
        }
    }
}

fn check_word(key: &str, node: &Node, what: &str, report: &mut Report) {
    let names: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
    match node.as_str() {
        None => {
            let message = format!("`{key}` in the `source` of {what} is {}", node.kind());
            report.push(Finding::new(checks::TYPE_WRONG, message).at(node.span).expected(names.join(", ")));
        }
        Some(word) if Provenance::parse(word).is_none() => {
            let mut finding = Finding::new(checks::VALUE_WRONG, format!("`{key}` of {what} comes from {word:?}"))
                .at(node.span)
                .expected(names.join(", "));
            if let Some(near) = nearest(word, names) {
                finding = finding.help(format!("did you mean `{near}`?"));
            }
            report.push(finding);
        }
        Some(_) => {}
    }
}
