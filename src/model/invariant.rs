//! The `[[invariant]]` tables.

use super::fields::Fields;
use super::keys;
use super::{Domain, Game, Invariant};
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::source::Spanned;
use crate::source::tree::Node;

/// Turns an `[[invariant]]` table into an [`Invariant`] of `game`. None when it lacks what it cannot be without.
pub(super) fn validate(node: &Node, game: &Game, report: &mut Report) -> Option<Invariant> {
    let table = node.as_table()?;
    let named = table.get("id").and_then(Node::as_str).unwrap_or("?");
    let fields = Fields::new(table, node.span, format!("invariant `{named}`"), &keys::INVARIANT);
    let id = fields.required_text("id", report);
    let title = fields.text("title", report);
    let domain = domain(fields.text("for", report), game, report);
    let filter = fields.text("where", report);
    let group_by = fields.texts("group_by", report);
    let check = fields.required_text("check", report);
    let at = fields.text("at", report);
    let expect = fields.text("expect", report);
    let message = fields.text("message", report);
    let help = fields.text("help", report);
    let erratum = fields.text("erratum", report);
    let stands_in = fields.text("where_in_rules", report);
    fields.finish(report);

    let Spanned { value: id, span: id_span } = id?;
    if let Some(check) = checks::by_code(&id) {
        let message = format!("`{}` is the code of a built-in check", check.code);
        report.push(Finding::new(checks::ID_DUPLICATE, message).at(id_span).help("give the invariant another id"));
    }
    let text = |spanned: Option<Spanned<String>>| spanned.map(|spanned| spanned.value);
    Some(Invariant {
        title: text(title).unwrap_or_else(|| id.clone()),
        id,
        domain: domain?,
        filter,
        group_by,
        check: check?,
        at,
        expect: text(expect),
        message,
        help: text(help),
        erratum,
        stands_in: text(stands_in),
        span: node.span,
    })
}

fn domain(text: Option<Spanned<String>>, game: &Game, report: &mut Report) -> Option<Domain> {
    let Some(name) = text else { return Some(Domain::Once) };
    if name.value == "players" {
        return Some(Domain::Players);
    }
    if game.node_names().any(|known| known == name.value) {
        return Some(Domain::Each(name.value));
    }
    let message = format!("`for` names `{}`, which is no kind of records and no combined component", name.value);
    let mut finding = Finding::new(checks::REFERENCE_DANGLING, message).at(name.span);
    if let Some(near) = nearest(&name.value, game.node_names().chain(["players"])) {
        finding = finding.help(format!("did you mean `{near}`?"));
    }
    report.push(finding);
    None
}
