//! The `[[replay]]` tables: sample games, move by move, with every number that the rules' text states on the way.

use std::sync::Arc;

use super::fields::Fields;
use super::keys;
use crate::diagnostics::{Finding, Report, checks};
use crate::source::tree::{Node, Table, Value};
use crate::source::{Span, Spanned};

/// A sample game.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Its id.
    pub id: String,
    /// What it is, in a line.
    pub title: String,
    /// What the script's `setup` is given: the number of players and whatever the sample fixes.
    pub setup: Node,
    /// The moves and the statements, in the order of the text.
    pub steps: Vec<Step>,
    /// Whether the sample breaks off before the game is over.
    pub unfinished: bool,
    /// Where it is declared.
    pub span: Span,
}

/// A line of a sample game.
#[derive(Clone, Debug)]
pub struct Step {
    /// A move or a statement.
    pub kind: StepKind,
    /// The values stated here; others may exist beside them.
    pub is: Option<Node>,
    /// The values stated here, and there may be no others.
    pub exactly: Option<Node>,
    /// What is known to be wrong here.
    pub erratum: Option<Erratum>,
    /// Where it stands.
    pub span: Span,
}

/// A known slip of the rules' text.
#[derive(Clone, Debug)]
pub struct Erratum {
    /// Why it is one.
    pub why: Spanned<String>,
    /// The step as it should be.
    pub instead: Box<Step>,
}

/// What a line of a sample game is.
#[derive(Clone, Debug)]
pub enum StepKind {
    /// Something that is done; the table is the script's business.
    Move(Node),
    /// Something that is said of the state reached so far, and the check that it belongs to, if it names one.
    Stated(Option<Spanned<String>>),
}

/// The keys of a step that are not part of the move.
const OF_THE_HOST: [&str; 5] = ["is", "exactly", "erratum", "in_fact", "stated"];

/// Turns a `[[replay]]` table into a [`Replay`]. None when it has no id.
pub(super) fn validate(node: &Node, report: &mut Report) -> Option<Replay> {
    let table = node.as_table()?;
    let named = table.get("id").and_then(Node::as_str).unwrap_or("?");
    let fields = Fields::new(table, node.span, format!("replay `{named}`"), &keys::REPLAY);
    let id = fields.required_text("id", report);
    let title = fields.text("title", report);
    let _ = fields.text("where_in_rules", report);
    let setup = fields.node("setup").filter(|setup| is_table(&fields, "setup", setup, report)).cloned();
    let written = fields.node("steps");
    let steps = written.map_or_else(Vec::new, |steps| steps_of(&fields, steps, report));
    let unfinished = fields.flag("unfinished", report);
    for (key, value) in [("setup", &setup.as_ref()), ("steps", &written)] {
        if value.is_none() && table.get(key).is_none() {
            report.push(fields.missing(key));
        }
    }
    fields.finish(report);
    let id = id?.value;
    let title = title.map_or_else(|| id.clone(), |title| title.value);
    Some(Replay { id, title, setup: setup?, steps, unfinished, span: node.span })
}

fn steps_of(fields: &Fields<'_>, node: &Node, report: &mut Report) -> Vec<Step> {
    let Some(items) = node.as_array() else {
        report.push(fields.wrong_type("steps", node, "a list of tables, one a move"));
        return Vec::new();
    };
    items.iter().filter_map(|item| step(fields, item, report)).collect()
}

fn step(fields: &Fields<'_>, node: &Node, report: &mut Report) -> Option<Step> {
    let Some(table) = node.as_table() else {
        report.push(fields.wrong_type("a step", node, "a table: a move, or what is stated").at(node.span));
        return None;
    };
    let own = Fields::new(table, node.span, "this step", &keys::STEP);
    let mut part = |key| own.node(key).filter(|part| is_table(&own, key, part, report)).cloned();
    let (is, exactly, in_fact) = (part("is"), part("exactly"), part("in_fact"));
    let says_nothing = table.get("is").is_none() && table.get("exactly").is_none();
    let why = own.text("erratum", report);
    let stated = own.node("stated").map(|_| own.text("stated", report));
    let kind = match stated {
        None => StepKind::Move(without(node, &OF_THE_HOST)),
        Some(code) => {
            if says_nothing {
                let finding = Finding::new(checks::KEY_MISSING, "this statement states nothing").at(node.span);
                report.push(finding.help("add `is = { ... }` or `exactly = { ... }`"));
            }
            own.finish(report);
            StepKind::Stated(code.filter(|code| !code.value.is_empty()))
        }
    };
    let erratum = erratum(fields, node, why, in_fact, report);
    Some(Step { kind, is, exactly, erratum, span: node.span })
}

/// An erratum says why and what holds instead; one without the other is half a sentence.
fn erratum(
    fields: &Fields<'_>,
    step: &Node,
    why: Option<Spanned<String>>,
    in_fact: Option<Node>,
    report: &mut Report,
) -> Option<Erratum> {
    let (message, place, help) = match (why, in_fact) {
        (Some(why), Some(fact)) => {
            let printed = without(step, &["erratum", "in_fact"]);
            let instead = self::step(fields, &merged(&printed, &fact), report)?;
            return Some(Erratum { why, instead: Box::new(instead) });
        }
        (Some(why), None) => ("this erratum does not say what holds instead", why.span, "add `in_fact = { ... }`"),
        (None, Some(fact)) => ("this step says what holds in fact, but not why", fact.span, "add `erratum = \"why\"`"),
        (None, None) => return None,
    };
    report.push(Finding::new(checks::KEY_MISSING, message).at(place).and(step.span, "in this step").help(help));
    None
}

/// `under` with the values of `over` in their places, table by table.
fn merged(under: &Node, over: &Node) -> Node {
    let (Some(below), Some(above)) = (under.as_table(), over.as_table()) else { return over.clone() };
    let mut entries = below.entries.clone();
    for entry in &above.entries {
        match entries.iter_mut().find(|known| known.key.value == entry.key.value) {
            Some(known) => known.node = merged(&known.node, &entry.node),
            None => entries.push(entry.clone()),
        }
    }
    Node { value: Value::Table(Arc::new(Table { entries })), span: under.span }
}

/// The table `node` without these keys.
fn without(node: &Node, keys: &[&str]) -> Node {
    let Some(table) = node.as_table() else { return node.clone() };
    let entries = table.entries.iter().filter(|entry| !keys.contains(&&*entry.key.value)).cloned().collect();
    Node { value: Value::Table(Arc::new(Table { entries })), span: node.span }
}

fn is_table(fields: &Fields<'_>, key: &str, node: &Node, report: &mut Report) -> bool {
    let is = node.as_table().is_some();
    if !is {
        report.push(fields.wrong_type(key, node, "a table"));
    }
    is
}
