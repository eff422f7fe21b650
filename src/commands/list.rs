//! `paiban list`: what there is to print.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use super::Outcome;
use super::output;
use super::session::Session;
use super::sources;
use crate::cli::{List, ListFormat, Players};
use crate::model::{Component, Game, KitSize};

/// Runs the command.
pub fn run(arguments: &List, project: Option<&Path>) -> Result<Outcome> {
    let session = Session::open(project)?;
    if arguments.sources {
        let games = session.choose(&arguments.games)?;
        output::print(&sources::render(&games, &session.project.sources, arguments.format)?)?;
        return Ok(output::outcome(&session.report, false));
    }
    let mut kits = Vec::new();
    for game in session.choose(&arguments.games)? {
        for size in sizes(game, arguments.players)? {
            kits.push(kit(game, size));
        }
    }
    output::tell(&session.report.sorted(&session.project.sources), &session.project.sources);
    let text = match arguments.format {
        ListFormat::Json => serde_json::to_string_pretty(&Listing { games: kits })? + "\n",
        ListFormat::Human => kits.iter().map(table).collect(),
    };
    output::print(&text)?;
    Ok(output::outcome(&session.report, false))
}

/// The kits that `players` asks for.
///
/// # Errors
/// When the game is not for that many players.
pub fn sizes(game: &Game, players: Players) -> Result<Vec<KitSize>> {
    match players {
        Players::All => Ok(game.kits().collect()),
        Players::Full => Ok(vec![KitSize::Full]),
        Players::Count(count) if game.players.contains(&count) => Ok(vec![KitSize::Players(count)]),
        Players::Count(count) => {
            let counts: Vec<String> = game.players.iter().map(u32::to_string).collect();
            bail!("{} is for {} players, not {count}", game.id, counts.join(", "))
        }
    }
}

#[derive(Serialize)]
struct Listing {
    games: Vec<Kit>,
}

#[derive(Serialize)]
struct Kit {
    id: String,
    title: String,
    /// A number, or `"full"`.
    players: serde_json::Value,
    components: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    id: String,
    title: String,
    kind: &'static str,
    count: usize,
    used: usize,
    faces: usize,
    trim_mm: Option<[f64; 2]>,
    back: Option<String>,
}

fn kit(game: &Game, size: KitSize) -> Kit {
    Kit {
        id: game.id.clone(),
        title: game.title.clone(),
        players: match size {
            KitSize::Players(players) => players.into(),
            KitSize::Full => "full".into(),
        },
        components: game.components.iter().map(|component| row(component, size)).collect(),
    }
}

fn row(component: &Component, size: KitSize) -> Row {
    let count = component.count(size);
    let mut addresses: Vec<&str> = component.stack(size).map(|piece| piece.address.as_str()).collect();
    addresses.dedup();
    Row {
        id: component.id.clone(),
        title: component.title.clone(),
        kind: component.kind.name(),
        count: count.printed,
        used: count.used,
        faces: addresses.len(),
        trim_mm: component.trim.map(|trim| [trim.w.to_mm(), trim.h.to_mm()]),
        back: component.back.as_ref().map(|back| back.value.clone()),
    }
}

fn table(kit: &Kit) -> String {
    let players = kit.players.as_u64().map_or_else(|| "full".to_owned(), |players| format!("{players} players"));
    let mut text = format!("{} · {} · {players}\n", kit.id, kit.title);
    for row in &kit.components {
        let size = row.trim_mm.map_or_else(|| "paper".to_owned(), |[w, h]| format!("{w} x {h} mm"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "  {:14} {:6} {:>4} printed {:>4} used {:>4} faces  {:>14}  {}",
            row.id, row.kind, row.count, row.used, row.faces, size, row.title
        );
    }
    text + "\n"
}
