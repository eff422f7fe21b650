//! Records that nothing uses: a kind that is misspelt, or was forgotten.

use std::collections::BTreeSet;

use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::model::{Basis, Domain, Game};
use crate::source::Sources;

/// Reports the kinds of records of `game` that no component is made from, no invariant and no claim looks at, and no
/// expression and no script names.
/// `words` are the words in the expressions of its templates.
pub(super) fn unused(game: &Game, words: &BTreeSet<&str>, sources: &Sources, report: &mut Report) {
    let script = game.rules.map(|rules| sources.get(rules));
    let scripted = |kind: &str| script.as_ref().is_some_and(|script| script.text.contains(&format!("records.{kind}")));
    let used = used_kinds(game);
    let claimed = game.claims.iter().filter_map(|claim| match &claim.basis {
        Basis::Value { code, .. } => Some(code),
        Basis::Script { .. } | Basis::Simulate(_) | Basis::NotCheckable(_) => None,
    });
    let expressions: Vec<&str> = game
        .invariants
        .iter()
        .flat_map(|invariant| [Some(&invariant.check), invariant.filter.as_ref(), invariant.message.as_ref()])
        .flatten()
        .chain(claimed)
        .map(|text| text.value.as_str())
        .collect();
    for (kind, records) in &game.records {
        if game.unused.contains_key(kind) {
            continue;
        }
        let named = |text: &&str| text.contains(&format!("'{kind}'")) || text.contains(&format!("\"{kind}\""));
        let Some(first) = records.first() else { continue };
        if used.contains(kind.as_str())
            || words.contains(kind.as_str())
            || scripted(kind)
            || expressions.iter().any(named)
        {
            continue;
        }
        let message = match records.len() {
            1 => format!("the record of kind `{kind}` is never used"),
            many => format!("the {many} records of kind `{kind}` are never used"),
        };
        let mut finding = Finding::new(checks::RECORD_UNUSED, message).at(first.node.span);
        if let Some(near) = nearest(kind, used.iter().copied()) {
            finding = finding.help(format!("did you mean `{near}`?"));
        }
        report.push(finding);
    }
}

/// Whether no component is made from records of this kind and no invariant looks at them.
pub(super) fn is_unused(game: &Game, kind: &str) -> bool {
    !used_kinds(game).contains(kind)
}

fn used_kinds(game: &Game) -> BTreeSet<&str> {
    let printed = game.components.iter().flat_map(|component| component.made_from.iter().map(String::as_str));
    let checked = game.invariants.iter().filter_map(|invariant| match &invariant.domain {
        Domain::Each(kind) => Some(kind.as_str()),
        Domain::Once | Domain::Players => None,
    });
    printed.chain(checked).collect()
}
