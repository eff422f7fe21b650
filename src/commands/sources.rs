//! `paiban list --sources`: which data the rules say, and which was derived, restored or decided.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use serde::Serialize;

use crate::cli::ListFormat;
use crate::model::Game;
use crate::model::provenance::{self, Provenance};
use crate::source::Sources;
use crate::source::tree::Node;

#[derive(Serialize)]
struct Listing {
    sources: Vec<Row>,
}

/// A record or component, or a field of it, that is not simply from the rules.
#[derive(Serialize)]
struct Row {
    game: String,
    kind: String,
    record: String,
    field: Option<String>,
    source: &'static str,
    file: String,
    line: usize,
}

/// Where the data of `games` comes from.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn render(games: &[&Game], sources: &Sources, format: ListFormat) -> Result<String> {
    let rows: Vec<Row> = games.iter().flat_map(|game| rows(game, sources)).collect();
    Ok(match format {
        ListFormat::Json => serde_json::to_string_pretty(&Listing { sources: rows })? + "\n",
        ListFormat::Human => games.iter().map(|game| summary(game)).collect(),
    })
}

/// Every record and component of a game: its kind, its id, its data.
fn everything(game: &Game) -> impl Iterator<Item = (&str, &str, &Node)> {
    let records = game.records.iter().flat_map(|(kind, records)| {
        records.iter().map(move |record| (kind.as_str(), record.id.as_str(), &record.node))
    });
    let components = game.components.iter().map(|component| ("component", component.id.as_str(), &component.table));
    components.chain(records)
}

fn rows(game: &Game, sources: &Sources) -> Vec<Row> {
    let mut rows = Vec::new();
    for (kind, record, node) in everything(game) {
        for sourced in provenance::of(node).into_iter().filter(|sourced| sourced.provenance != Provenance::Rules) {
            let file = sources.get(sourced.span.file);
            rows.push(Row {
                game: game.id.clone(),
                kind: kind.to_owned(),
                record: record.to_owned(),
                field: sourced.field,
                source: sourced.provenance.name(),
                file: file.path.clone(),
                line: file.position(sourced.span.start).0,
            });
        }
    }
    rows
}

/// What was counted of one kind.
#[derive(Default)]
struct Tally {
    records: usize,
    whole: BTreeMap<Provenance, usize>,
    fields: BTreeMap<(Provenance, String), usize>,
}

fn summary(game: &Game) -> String {
    let mut kinds: BTreeMap<&str, Tally> = BTreeMap::new();
    for (kind, _, node) in everything(game) {
        let tally = kinds.entry(kind).or_default();
        tally.records += 1;
        for sourced in provenance::of(node) {
            match sourced.field {
                Some(field) => *tally.fields.entry((sourced.provenance, field)).or_default() += 1,
                None => *tally.whole.entry(sourced.provenance).or_default() += 1,
            }
        }
    }
    let mut text = format!("{} · {}\n", game.id, game.title);
    for (kind, tally) in kinds {
        let whole = tally.whole.iter().map(|(provenance, count)| format!("{count} {}", provenance.name()));
        let fields = tally
            .fields
            .iter()
            .filter(|((provenance, _), _)| *provenance != Provenance::Rules)
            .map(|((provenance, field), count)| format!("{field} {} in {count}", provenance.name()));
        let parts: Vec<String> = whole.chain(fields).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {kind:16} {:>4}  {}", tally.records, parts.join(", "));
    }
    text + "\n"
}
