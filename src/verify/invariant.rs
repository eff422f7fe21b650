//! Declared invariants: for each thing they look at, the check must be true.

use std::sync::Arc;

use minijinja::Value;

use super::names::{self, Outcome, compile, kit};
use crate::diagnostics::{Finding, Label, Report, Severity, checks, nearest};
use crate::expr::{self, Engine, Expression, Fault, Scope, lens};
use crate::model::{Domain, Game, Invariant, KitSize};
use crate::source::tree::Node;
use crate::source::{Span, Spanned};

/// How many failures of one invariant are told one by one.
const MOST_TOLD: usize = 20;
/// How many of the values that a check read are shown.
const MOST_SHOWN: usize = 6;

/// Checks `invariant` against the data of `game`.
pub(super) fn check(invariant: &Invariant, game: &Game, engine: &Engine, report: &mut Report) {
    let outcome = Judge::new(invariant, game, engine).and_then(|judge| judge.run());
    match outcome {
        Err(finding) => report.push(*finding),
        Ok(Verdict { looked_at: 0, .. }) => report.push(idle(invariant)),
        Ok(Verdict { failures, .. }) => match &invariant.erratum {
            Some(why) if failures.is_empty() => report.push(stale(invariant, why.span)),
            Some(why) => failures.into_iter().take(1).for_each(|failure| report.push(excused(failure, &why.value))),
            None => tell(failures, report),
        },
    }
}

struct Verdict {
    looked_at: usize,
    failures: Vec<Finding>,
}

/// One thing that the check looks at: its names, and where it stands.
struct Case {
    scope: Scope,
    place: Option<Span>,
    node: Option<Node>,
    name: String,
}

struct Judge<'a> {
    invariant: &'a Invariant,
    game: &'a Game,
    engine: &'a Engine,
    check: Expression<'a>,
    filter: Option<Expression<'a>>,
    lists: Arc<lens::Lists>,
    /// The counts of the full kit.
    kit: Node,
}

impl<'a> Judge<'a> {
    fn new(invariant: &'a Invariant, game: &'a Game, engine: &'a Engine) -> Outcome<Self> {
        let check = compile(engine, &invariant.check)?;
        let filter = match &invariant.filter {
            Some(filter) => Some(compile(engine, filter)?),
            None => None,
        };
        let (lists, kit) = (Arc::new(game.lists()), kit(game, KitSize::Full));
        Ok(Judge { invariant, game, engine, check, filter, lists, kit })
    }

    fn run(&self) -> Outcome<Verdict> {
        let mut verdict = Verdict { looked_at: 0, failures: Vec::new() };
        let invariant = self.invariant;
        let cases = self.grouped(self.cases()?)?;
        self.check_at(&cases)?;
        for case in cases {
            verdict.looked_at += 1;
            case.scope.trace().take_reads();
            let value = self.evaluate(&self.check, &invariant.check, &case)?;
            match bool::try_from(value.clone()) {
                Ok(true) => {}
                Ok(false) => verdict.failures.push(self.failure(&case)?),
                Err(_) => {
                    let message = format!("the check of `{}` gives {}", invariant.id, expr::kind(&value));
                    let finding = Finding::new(checks::EXPRESSION_FAILED, message).at(invariant.check.span);
                    return Err(Box::new(finding.expected("true or false")));
                }
            }
        }
        Ok(verdict)
    }

    fn evaluate(&self, expression: &Expression<'_>, code: &Spanned<String>, case: &Case) -> Outcome<Value> {
        expression
            .evaluate(&case.scope)
            .map_err(|fault| Box::new(failed(&self.invariant.id, &fault, fault.place(code.span, &code.value), case)))
    }

    /// Everything in the domain that the filter keeps.
    fn cases(&self) -> Outcome<Vec<Case>> {
        let mut cases = match &self.invariant.domain {
            Domain::Once => vec![Case { scope: self.scope(), place: None, node: None, name: self.game.title.clone() }],
            Domain::Players => self.game.players.iter().map(|players| self.players_case(*players)).collect(),
            Domain::Each(kind) => {
                let nodes = self.game.nodes(kind).unwrap_or_default();
                nodes.into_iter().map(|node| self.record_case(kind, node)).collect()
            }
        };
        if let (Some(filter), Some(code)) = (&self.filter, &self.invariant.filter) {
            let mut kept = Vec::new();
            for case in cases {
                if self.evaluate(filter, code, &case)?.is_true() {
                    kept.push(case);
                }
            }
            cases = kept;
        }
        Ok(cases)
    }

    fn scope(&self) -> Scope {
        names::scope(self.game, &self.lists, &self.kit)
    }

    fn players_case(&self, players: u32) -> Case {
        let scope = self.scope().with("players", Value::from(players));
        let kit = lens::value(&kit(self.game, KitSize::Players(players)), "kit", scope.trace());
        let listed = self.game.table.as_table().and_then(|table| table.get("players")).and_then(Node::as_array);
        let listed = listed.and_then(|list| list.iter().find(|count| count.as_integer() == Some(players.into())));
        let place = Some(listed.map_or(self.game.span, |count| count.span));
        Case { scope: scope.with("kit", kit), place, node: None, name: format!("{players} players") }
    }

    fn record_case(&self, kind: &str, node: Node) -> Case {
        let scope = self.scope();
        let value = lens::value(&node, kind, scope.trace());
        let name = node.as_table().and_then(|table| table.get("id")).and_then(Node::as_str).unwrap_or(kind).to_owned();
        Case {
            scope: scope.with(kind, value.clone()).with("record", value),
            place: Some(node.span),
            node: Some(node),
            name,
        }
    }

    /// The cases by equal values of `group_by`, in the order in which each group first appears.
    fn grouped(&self, cases: Vec<Case>) -> Outcome<Vec<Case>> {
        if self.invariant.group_by.is_empty() {
            return Ok(cases);
        }
        let mut groups: Vec<(Vec<Value>, Vec<Node>)> = Vec::new();
        for case in cases {
            let node = case.node.as_ref();
            let key = self
                .invariant
                .group_by
                .iter()
                .map(|field| self.field(field, node, &case))
                .collect::<Outcome<Vec<_>>>()?;
            let node = node.cloned();
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, members)) => members.extend(node),
                None => groups.push((key, node.into_iter().collect())),
            }
        }
        Ok(groups.into_iter().map(|(key, members)| self.group_case(key, members)).collect())
    }

    fn field(&self, field: &Spanned<String>, node: Option<&Node>, case: &Case) -> Outcome<Value> {
        let key = field.value.split('.').next().unwrap_or_default();
        let entry = node.and_then(Node::as_table).and_then(|table| table.entry(key));
        entry.into_iter().for_each(|entry| entry.read.set());
        let found = node.and_then(|node| descend(node, &field.value));
        let found = found.map(|found| lens::value(found, &field.value, case.scope.trace()));
        found.ok_or_else(|| {
            let message = format!("{} has no field `{}` to group by{}", case.name, field.value, hint(field, case));
            Box::new(failed(&self.invariant.id, &Fault { message, range: None }, field.span, case))
        })
    }

    fn group_case(&self, key: Vec<Value>, members: Vec<Node>) -> Case {
        let scope = self.scope();
        let name = key.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let place = members.first().map(|node| node.span);
        let node = members.first().cloned();
        let group = lens::list(members, "group", scope.trace());
        let key = match <[Value; 1]>::try_from(key) {
            Ok([single]) => single,
            Err(several) => Value::from(several),
        };
        Case { scope: scope.with("group", group).with("key", key), place, node, name }
    }

    fn failure(&self, case: &Case) -> Outcome<Finding> {
        let reads = case.scope.trace().take_reads();
        let invariant = self.invariant;
        let message = match &invariant.message {
            Some(message) => self.message(message, case)?,
            None => format!("{} breaks the rule: {}", case.name, invariant.title),
        };
        // Of a kit, the first count that was read says more than the number of players.
        let counted = reads.iter().find(|read| invariant.domain == Domain::Players && read.path.starts_with("kit."));
        let place = self
            .pointed(case)
            .or(counted.map(|read| read.span))
            .or(case.place)
            .or_else(|| reads.first().map(|read| read.span))
            .unwrap_or(invariant.check.span);
        let value = |read: &lens::Read| format!("{} is {}", read.path, read.value);
        let pointed_at = reads.iter().find(|read| read.span == place);
        let mut finding =
            Finding::new(checks::VALUE_WRONG, message).labelled(place, pointed_at.map(value).unwrap_or_default());
        finding.code.clone_from(&invariant.id);
        let mut shown: Vec<Span> = vec![place];
        for read in reads.iter().filter(|read| read.path != "game.id") {
            // What lies inside the place is marked already, and its value stands there.
            if shown.len() <= MOST_SHOWN && !shown.contains(&read.span) && !encloses(place, read.span) {
                shown.push(read.span);
                finding.others.push(Label { span: read.span, text: value(read) });
            }
        }
        finding = finding.and(invariant.check.span, "this must hold");
        finding.expected = match (&invariant.expect, &invariant.stands_in) {
            (Some(expect), Some(place)) => Some(format!("{expect} ({place})")),
            (Some(expect), None) => Some(expect.clone()),
            (None, Some(place)) => Some(format!("{} ({place})", invariant.title)),
            // Without a message of its own the invariant has told its title already.
            (None, None) => invariant.message.is_some().then(|| invariant.title.clone()),
        };
        finding.help.clone_from(&invariant.help);
        Ok(finding)
    }

    /// The place of the field that the invariant points at; none where this record has no such field.
    fn pointed(&self, case: &Case) -> Option<Span> {
        let at = self.invariant.at.as_ref()?;
        case.node.as_ref().and_then(|node| descend(node, &at.value)).map(|node| node.span)
    }

    /// Asked before anything fails: a field that no record has is a slip.
    fn check_at(&self, cases: &[Case]) -> Outcome<()> {
        let Some(at) = &self.invariant.at else { return Ok(()) };
        match cases.first() {
            Some(first) if cases.iter().all(|case| self.pointed(case).is_none()) => {
                let message = format!("{} has no field `{}` to point at{}", first.name, at.value, hint(at, first));
                Err(Box::new(failed(&self.invariant.id, &Fault { message, range: None }, at.span, first)))
            }
            _ => Ok(()),
        }
    }

    /// The invariant's own message with its expressions computed.
    fn message(&self, message: &Spanned<String>, case: &Case) -> Outcome<String> {
        let mut text = String::new();
        let mut rest = message.value.as_str();
        while let Some((before, after)) = rest.split_once("{{") {
            let Some((code, tail)) = after.split_once("}}") else { break };
            text.push_str(before);
            let code = Spanned::new(code.trim().to_owned(), message.span);
            let value = self.evaluate(&compile(self.engine, &code)?, &code, case)?;
            text.push_str(&expr::to_text(&value).unwrap_or_else(|_| value.to_string()));
            rest = tail;
        }
        Ok(text + rest)
    }
}

/// The node at the end of the dotted path `field` inside `node`.
fn descend<'n>(node: &'n Node, field: &str) -> Option<&'n Node> {
    field.split('.').try_fold(node, |node, key| node.as_table()?.get(key))
}

/// The field that `field` was probably meant to be, as the end of a sentence.
fn hint(field: &Spanned<String>, case: &Case) -> String {
    let keys = case.node.as_ref().and_then(Node::as_table);
    let near = keys.and_then(|table| nearest(&field.value, table.keys()));
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

fn encloses(outer: Span, inner: Span) -> bool {
    outer.file == inner.file && outer.start <= inner.start && inner.end <= outer.end
}

fn failed(id: &str, fault: &Fault, span: Span, case: &Case) -> Finding {
    let finding = Finding::new(checks::EXPRESSION_FAILED, format!("invariant `{id}`: {}", fault.message)).at(span);
    match case.place {
        Some(place) => finding.and(place, format!("while looking at {}", case.name)),
        None => finding,
    }
}

fn idle(invariant: &Invariant) -> Finding {
    Finding::new(checks::INVARIANT_IDLE, format!("invariant `{}` found nothing to check", invariant.id))
        .at(invariant.filter.as_ref().map_or(invariant.span, |filter| filter.span))
        .help("correct its `for`, `where` or `group_by`, or delete it")
}

fn stale(invariant: &Invariant, erratum: Span) -> Finding {
    Finding::new(checks::ERRATUM_STALE, format!("`{}` holds, although it is declared an erratum", invariant.id))
        .at(erratum)
        .help("delete the `erratum` key")
}

fn excused(failure: Finding, why: &str) -> Finding {
    let message = format!("erratum: {}", failure.message);
    Finding { severity: Severity::Note, message, help: Some(why.to_owned()), ..failure }
}

/// Tells the failures, at most so many one by one.
fn tell(mut failures: Vec<Finding>, report: &mut Report) {
    let more = failures.len().saturating_sub(MOST_TOLD);
    failures.truncate(MOST_TOLD);
    if let Some(last) = failures.last_mut().filter(|_| more > 0) {
        last.message = format!("{} (and {more} more like it)", last.message);
    }
    failures.into_iter().for_each(|failure| report.push(failure));
}
