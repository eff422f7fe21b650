//! `paiban doctor`: what is found on this machine and in this project, to be put into a bug report.

use std::env::consts::{ARCH, OS};
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::Outcome;
use super::cache;
use super::printers::Printers;
use super::session::Session;
use crate::diagnostics::Severity;
use crate::model::Game;

/// Tells what is found, a line each. A project with faults is told of too: that is when this is asked.
///
/// # Errors
/// Never; what cannot be found is said.
pub fn run(project: Option<&Path>) -> Result<Outcome> {
    let line = |what: &str, found: String| println!("{what:<10} {found}");
    line("paiban", format!("{} on {OS} {ARCH}", env!("CARGO_PKG_VERSION")));
    line("threads", std::thread::available_parallelism().map_or("unknown".to_owned(), |n| n.to_string()));
    match Session::open(project) {
        Err(trouble) => line("project", format!("none: {trouble:#}")),
        Ok(session) => told(&session, line),
    }
    line("cache", cached());
    line("printers", printers());
    line("git", version_of("git"));
    Ok(Outcome::Clean)
}

fn told(session: &Session, line: impl Fn(&str, String)) {
    let disk = &session.project.disk;
    line("project", disk.root().display().to_string());
    let (errors, warnings) = (session.report.count(Severity::Error), session.report.count(Severity::Warning));
    line("loading", format!("{errors} errors, {warnings} warnings; `paiban verify` tells them"));
    for game in &session.project.games {
        line("game", of_game(game));
    }
    line("fonts", session.fonts.families().collect::<Vec<_>>().join(", "));
    let sets = disk.list("templates/icons", |name| !name.starts_with('.')).unwrap_or_default();
    line("icons", if sets.is_empty() { "none".to_owned() } else { sets.join(", ") });
}

fn of_game(game: &Game) -> String {
    let records: usize = game.records.values().map(Vec::len).sum();
    let players: Vec<String> = game.players.iter().map(u32::to_string).collect();
    format!(
        "{} {}: {} components, {records} records, {} invariants, players {}",
        game.id,
        game.version,
        game.components.len(),
        game.invariants.len(),
        players.join(" ")
    )
}

fn cached() -> String {
    let Some(folder) = cache::folder() else { return "none: there is no home folder to keep it in".to_owned() };
    let (projects, bytes) = cache::size(&folder);
    format!("{projects} projects, {} kB in {}", bytes / 1000, folder.display())
}

fn printers() -> String {
    match Printers::open() {
        Err(trouble) => format!("unreadable: {trouble:#}"),
        Ok(printers) => {
            let names: Vec<&str> = printers.all().map(|(name, _)| name).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("{names} in {}", printers.path().display())
        }
    }
}

/// The first line of what `program --version` says.
fn version_of(program: &str) -> String {
    let said = Command::new(program).arg("--version").output();
    said.ok()
        .filter(|said| said.status.success())
        .and_then(|said| String::from_utf8_lossy(&said.stdout).lines().next().map(str::to_owned))
        .unwrap_or_else(|| "not found".to_owned())
}
