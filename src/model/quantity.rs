//! `printed` and `used`: how many pieces each player count gets.

use std::collections::BTreeMap;

use super::{Count, Game};
use crate::diagnostics::{Finding, Report, checks};
use crate::expr::{Engine, Scope};
use crate::source::Span;
use crate::source::tree::{Node, Value};

/// Works out the counts of component `id`, which has `total` pieces in all.
pub(super) fn counts(
    id: &str,
    printed: Option<&Node>,
    used: Option<&Node>,
    total: usize,
    game: &Game,
    engine: &Engine,
    report: &mut Report,
) -> BTreeMap<u32, Count> {
    let printed_counts = quantity(id, "printed", printed, game, engine, report);
    let used_counts = quantity(id, "used", used, game, engine, report);
    let mut counts = BTreeMap::new();
    let mut told = false;
    for players in &game.players {
        let printed_count = printed_counts.get(players).copied().unwrap_or(total);
        let used_count = used_counts.get(players).copied().unwrap_or(printed_count);
        let too_few = [
            (printed, printed_count, total, format!("there are {total}")),
            (used, used_count, printed_count, format!("{printed_count} are printed")),
        ];
        for (node, wanted, had, why) in too_few {
            if let Some(node) = node.filter(|_| wanted > had && !told) {
                told = true;
                report.push(short(id, node.span, *players, wanted, &why));
            }
        }
        let printed = printed_count.min(total);
        counts.insert(*players, Count { printed, used: used_count.min(printed) });
    }
    counts
}

fn short(id: &str, span: Span, players: u32, wanted: usize, why: &str) -> Finding {
    Finding::new(
        checks::COUNT_WRONG,
        format!("component `{id}` wants {wanted} pieces for {players} players, but {why}"),
    )
    .at(span)
    .help("add records or copies, or correct the number")
}

/// The number for each player count; empty when nothing was written or nothing of it can be used.
fn quantity(
    id: &str,
    key: &str,
    node: Option<&Node>,
    game: &Game,
    engine: &Engine,
    report: &mut Report,
) -> BTreeMap<u32, usize> {
    let Some(node) = node else { return BTreeMap::new() };
    if game.players.is_empty() {
        return BTreeMap::new(); // what is wrong with the player counts was told already
    }
    let outcome = match &node.value {
        Value::Integer(number) => Ok(game.players.iter().map(|players| (*players, *number)).collect()),
        Value::String(text) => evaluate(text, node.span, game, engine),
        Value::Table(_) => from_table(id, key, node, game),
        _ => {
            let message = format!("`{key}` of component `{id}` is {}", node.kind());
            Err(Finding::new(checks::TYPE_WRONG, message)
                .at(node.span)
                .expected("an integer, a table like { 3 = 18, 4 = 24 } or an expression like \"6 * players\""))
        }
    };
    let numbers = outcome.and_then(|numbers: Vec<(u32, i64)>| whole(id, key, node.span, numbers));
    numbers.unwrap_or_else(|finding| {
        report.push(finding);
        BTreeMap::new()
    })
}

fn evaluate(text: &str, span: Span, game: &Game, engine: &Engine) -> Result<Vec<(u32, i64)>, Finding> {
    let told = |check, fault: crate::expr::Fault| {
        let place = fault.place(span, text);
        Finding::new(check, fault.message).at(place)
    };
    let expression = engine.compile(text).map_err(|fault| told(checks::EXPRESSION_SYNTAX, fault))?;
    let number = |players: &u32| {
        let scope = Scope::root().with("players", minijinja::Value::from(*players));
        let value = expression.evaluate(&scope).map_err(|fault| told(checks::EXPRESSION_FAILED, fault))?;
        let whole = i64::try_from(value.clone()).map_err(|_| {
            let message = format!("for {players} players the expression gives {value}");
            Finding::new(checks::TYPE_WRONG, message).at(span).expected("a whole number")
        })?;
        Ok((*players, whole))
    };
    game.players.iter().map(number).collect()
}

fn from_table(id: &str, key: &str, node: &Node, game: &Game) -> Result<Vec<(u32, i64)>, Finding> {
    let mut numbers = Vec::new();
    for entry in node.as_table().iter().flat_map(|table| &table.entries) {
        let players = entry.key.value.parse::<u32>().ok().filter(|players| game.players.contains(players));
        let Some(players) = players else {
            let message = format!("`{key}` of component `{id}` names {} players", entry.key.value);
            return Err(Finding::new(checks::COUNT_WRONG, message)
                .at(entry.key.span)
                .expected(format!("player counts of the game: {:?}", game.players)));
        };
        let Some(number) = entry.node.as_integer() else {
            let message = format!("`{key}` of component `{id}` for {players} players is {}", entry.node.kind());
            return Err(Finding::new(checks::TYPE_WRONG, message).at(entry.node.span).expected("an integer"));
        };
        numbers.push((players, number));
    }
    match game.players.iter().find(|players| numbers.iter().all(|(listed, _)| listed != *players)) {
        Some(players) => Err(Finding::new(
            checks::COUNT_WRONG,
            format!("`{key}` of component `{id}` says nothing for {players} players"),
        )
        .at(node.span)
        .help(format!("add `{players} = ...`"))),
        None => Ok(numbers),
    }
}

fn whole(id: &str, key: &str, span: Span, numbers: Vec<(u32, i64)>) -> Result<BTreeMap<u32, usize>, Finding> {
    let number = |(players, number): (u32, i64)| {
        let count = usize::try_from(number).map_err(|_| {
            Finding::new(checks::COUNT_WRONG, format!("`{key}` of component `{id}` is {number} for {players} players"))
                .at(span)
                .expected("zero or more")
        })?;
        Ok((players, count))
    };
    numbers.into_iter().map(number).collect()
}
