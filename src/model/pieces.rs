//! The pieces of a component: one per record, or one per combination of records with fields of its own.

use std::sync::Arc;

use super::{Game, Piece, Record};
use crate::diagnostics::{Finding, Report, checks};
use crate::expr::{self, Engine, Scope, lens};
use crate::source::tree::{Entry, Mark, Node, Table, Value};
use crate::source::{Span, Spanned};

/// The most copies that one piece may have.
pub(super) const MOST_COPIES: i64 = 1000;
/// The most pieces that one component may have.
const MOST_PIECES: usize = 20_000;

/// What a component is made from.
pub(super) struct Plan<'a> {
    pub component: &'a str,
    pub made_from: &'a [Spanned<String>],
    pub copies: usize,
    pub derive: Option<&'a Node>,
}

/// Makes the pieces. `span` is the component's place.
pub(super) fn expand(plan: &Plan<'_>, span: Span, game: &Game, engine: &Engine, report: &mut Report) -> Vec<Piece> {
    match plan.made_from {
        [] => vec![lone_piece(plan, span)],
        [kind] => {
            let pieces: Vec<Piece> =
                game.records[&kind.value].iter().map(|record| record_piece(plan, record, report)).collect();
            let total: usize = pieces.iter().map(|piece| piece.copies).sum();
            if total <= MOST_PIECES {
                return pieces;
            }
            let message = format!("component `{}` has {total} pieces with all their copies", plan.component);
            report.push(too_many(message, kind.span));
            Vec::new()
        }
        kinds => derived_pieces(plan, kinds, span, game, engine, report),
    }
}

fn too_many(message: String, span: Span) -> Finding {
    Finding::new(checks::COUNT_WRONG, message).at(span).expected(format!("at most {MOST_PIECES}"))
}

/// The one piece of a component without records.
pub(super) fn lone_piece(plan: &Plan<'_>, span: Span) -> Piece {
    let record = Record { id: plan.component.to_owned(), node: Node { value: Value::Table(Arc::default()), span } };
    Piece { address: plan.component.to_owned(), record, parents: Vec::new(), copies: plan.copies }
}

fn record_piece(plan: &Plan<'_>, record: &Record, report: &mut Report) -> Piece {
    let own = record.table().and_then(|table| table.get("copies"));
    misspelt_copies(record).into_iter().for_each(|finding| report.push(finding));
    let copies = own.map_or(Some(plan.copies), |node| {
        let copies = node.as_integer().filter(|n| (0..=MOST_COPIES).contains(n)).and_then(|n| usize::try_from(n).ok());
        if copies.is_none() {
            let finding =
                Finding::new(checks::VALUE_WRONG, format!("`copies` of {} is {node}", record.id)).at(node.span);
            report.push(finding.expected(format!("a whole number from 0 to {MOST_COPIES}")));
        }
        copies
    });
    Piece {
        address: format!("{}/{}", plan.component, record.id),
        record: record.clone(),
        parents: Vec::new(),
        copies: copies.unwrap_or(1),
    }
}

/// Fields of a record are free, so a slip in the only one that counts would print the wrong number in silence.
fn misspelt_copies(record: &Record) -> Option<Finding> {
    let slip = |key: &str| {
        let lower = key.to_lowercase();
        key != "copies" && (lower == "copies" || strsim::osa_distance(&lower, "copies") == 1)
    };
    let entry = record.table()?.entries.iter().find(|entry| slip(&entry.key.value))?;
    let message = format!("{} has a field `{}`", record.id, entry.key.value);
    Some(Finding::new(checks::KEY_UNKNOWN, message).at(entry.key.span).help("did you mean `copies`?"))
}

fn derived_pieces(
    plan: &Plan<'_>,
    kinds: &[Spanned<String>],
    span: Span,
    game: &Game,
    engine: &Engine,
    report: &mut Report,
) -> Vec<Piece> {
    let lists: Vec<&[Record]> = kinds.iter().map(|kind| game.records[&kind.value].as_slice()).collect();
    let total = lists.iter().try_fold(1_usize, |product, list| product.checked_mul(list.len()));
    if total.is_none_or(|total| total > MOST_PIECES) {
        let many = total.map_or_else(String::new, |total| format!("{total} "));
        let message = format!("component `{}` combines its records into {many}pieces", plan.component);
        report.push(too_many(message, kinds[0].span));
        return Vec::new();
    }
    let fields = compile(plan, engine, report);
    let mut failed = false;
    let mut pieces = Vec::new();
    for combination in combinations(&lists) {
        let parents: Vec<(String, Node)> =
            kinds.iter().zip(&combination).map(|(kind, record)| (kind.value.clone(), record.node.clone())).collect();
        let ids: Vec<&str> = combination.iter().map(|record| record.id.as_str()).collect();
        let id = ids.join("/");
        match derive(&id, &parents, &fields, span) {
            Ok(record) => {
                pieces.push(Piece { address: format!("{}/{id}", plan.component), record, parents, copies: plan.copies })
            }
            // The same slip fails for every combination; the first one says it.
            Err(_) if failed => {}
            Err(finding) => {
                failed = true;
                report.push(finding);
            }
        }
    }
    pieces
}

/// Every choice of one record from each list, the first list varying slowest.
fn combinations<'a>(lists: &[&'a [Record]]) -> Vec<Vec<&'a Record>> {
    lists.iter().fold(vec![Vec::new()], |done, list| {
        let longer = |head: &Vec<&'a Record>| {
            let head = head.clone();
            list.iter().map(move |record| [head.clone(), vec![record]].concat())
        };
        done.iter().flat_map(longer).collect()
    })
}

/// A derived field: its name and its expression.
struct Field<'e> {
    entry: Entry,
    expression: expr::Expression<'e>,
}

fn compile<'e>(plan: &Plan<'_>, engine: &'e Engine, report: &mut Report) -> Vec<Field<'e>> {
    let Some(node) = plan.derive else { return Vec::new() };
    let Some(table) = node.as_table() else {
        let message = format!("`derive` of component `{}` is {}", plan.component, node.kind());
        report.push(Finding::new(checks::TYPE_WRONG, message).at(node.span).expected("a table of expressions"));
        return Vec::new();
    };
    let mut fields = Vec::new();
    for entry in &table.entries {
        let Some(text) = entry.node.as_str() else {
            let message = format!("`{}` is {}", entry.key.value, entry.node.kind());
            report.push(
                Finding::new(checks::TYPE_WRONG, message).at(entry.node.span).expected("an expression in quotes"),
            );
            continue;
        };
        match engine.compile(text) {
            Ok(expression) => fields.push(Field { entry: entry.clone(), expression }),
            Err(fault) => {
                let place = fault.place(entry.node.span, text);
                report.push(Finding::new(checks::EXPRESSION_SYNTAX, fault.message).at(place));
            }
        }
    }
    fields
}

/// Computes the fields of one combination. Each value stands where the last cell that it was read from stands.
fn derive(id: &str, parents: &[(String, Node)], fields: &[Field<'_>], span: Span) -> Result<Record, Finding> {
    let mut scope = Scope::root();
    let mut entries = vec![entry("id", Node { value: Value::String(Arc::from(id)), span })];
    for (kind, node) in parents {
        scope = scope.with(kind, lens::value(node, kind, scope.trace()));
        entries.push(entry(kind, node.clone()));
    }
    for Field { entry: written, expression } in fields {
        let name = &*written.key.value;
        let text = written.node.as_str().unwrap_or_default();
        let value = expression.evaluate(&scope).map_err(|fault| {
            Finding::new(checks::EXPRESSION_FAILED, format!("`{name}` of {id}: {}", fault.message))
                .at(fault.place(written.node.span, text))
        })?;
        let reads = scope.trace().take_reads();
        let origin = reads.last().map_or(span, |read| read.span);
        let node = to_node(&value, origin).ok_or_else(|| {
            let message = format!("`{name}` of {id} is {}", expr::kind(&value));
            Finding::new(checks::TYPE_WRONG, message)
                .at(written.node.span)
                .expected("a text, a number or a truth value")
        })?;
        scope = scope.with_node(name, &node);
        entries.push(entry(name, node));
    }
    let table = Table { entries };
    Ok(Record { id: id.to_owned(), node: Node { value: Value::Table(Arc::new(table)), span } })
}

fn entry(key: &str, node: Node) -> Entry {
    Entry { key: Spanned::new(Arc::from(key), node.span), node, read: Mark::default() }
}

fn to_node(value: &minijinja::Value, span: Span) -> Option<Node> {
    use minijinja::value::ValueKind;
    let value = match value.kind() {
        ValueKind::String => Value::String(Arc::from(value.as_str()?)),
        ValueKind::Bool => Value::Boolean(value.is_true()),
        ValueKind::Number => match i64::try_from(value.clone()) {
            Ok(number) => Value::Integer(number),
            Err(_) => Value::Float(f64::try_from(value.clone()).ok()?),
        },
        _ => return None,
    };
    Some(Node { value, span })
}
