//! `paiban changes`: what changed since a print, card by card and field by field.

use std::path::Path;

use anyhow::{Result, bail};

use super::compare::{Change, compare};
use super::earlier::Earlier;
use super::record::Record;
use super::state::State;
use super::{html, markdown, text};
use crate::cli::{Changes, ChangesFormat};
use crate::commands::build;
use crate::commands::session::Session;
use crate::commands::{Outcome, output};
use crate::diagnostics::Report;
use crate::model::Game;

/// A game as it was, as it is, and what changed.
pub struct Told<'g> {
    /// The game.
    pub game: &'g Game,
    /// As it was.
    pub earlier: Earlier,
    /// As it is.
    pub state: State,
    /// What changed.
    pub changes: Vec<Change>,
}

/// Runs the command.
pub fn run(arguments: &Changes, project: Option<&Path>) -> Result<Outcome> {
    let session = Session::open(project)?;
    let games = games(arguments, &session)?;
    let mut report = session.report.clone();
    let mut told = Vec::new();
    for game in games {
        let mut found = Report::default();
        told.extend(compared(arguments, &session, game, &mut found)?);
        found.belongs_to(&game.id);
        report.extend(found);
    }
    output::tell(&build::told(&report, &session), &session.project.sources);
    if report.has_errors() {
        return Ok(Outcome::Findings);
    }
    if told.is_empty() {
        bail!(
            "no game has a record of a print: make one with `paiban printed GAME`, or compare with `--since REVISION`"
        );
    }
    let written = match arguments.format {
        ChangesFormat::Text => told.iter().map(text::render).collect::<Vec<_>>().join("\n"),
        ChangesFormat::Markdown => told.iter().map(markdown::render).collect::<Vec<_>>().join("\n"),
        ChangesFormat::Html => html::render(&mut told, session.project.disk.root()),
    };
    match &arguments.output {
        Some(path) => {
            output::write_file(path, written.as_bytes())?;
            output::note(&format!("{}  {} kB", path.display(), written.len() / 1000));
        }
        None => output::print(&written)?,
    }
    Ok(Outcome::Clean)
}

/// The games to tell of.
fn games<'s>(arguments: &Changes, session: &'s Session) -> Result<Vec<&'s Game>> {
    let since = arguments.before.since.as_deref().map(Path::new).filter(|path| path.is_file());
    match since.filter(|_| arguments.games.is_empty()) {
        // A record says which game it is of.
        Some(path) => {
            let text = std::fs::read_to_string(path)?;
            Ok(vec![session.game(&Record::parse(&text, &path.to_string_lossy())?.game)?])
        }
        None => session.choose(&arguments.games),
    }
}

/// Compares a game. None when there is nothing to compare it with and nobody asked for it by name.
fn compared<'g>(
    arguments: &Changes,
    session: &Session,
    game: &'g Game,
    report: &mut Report,
) -> Result<Option<Told<'g>>> {
    let Some(earlier) = Earlier::find(&arguments.before, session, game)? else {
        return if arguments.games.is_empty() { Ok(None) } else { Err(no_record(game)) };
    };
    let icons = session.icons(game);
    let composer = session.composer(game, &icons, report);
    let state = State::of(session, &composer, game, earlier.size, report);
    let changes = compare(&earlier.pieces, &state.pieces);
    Ok(Some(Told { game, earlier, state, changes }))
}

/// What is said where a record is needed and there is none.
pub fn no_record(game: &Game) -> anyhow::Error {
    let (id, path) = (&game.id, Record::path(&game.id));
    anyhow::anyhow!(
        "there is no record of a print of `{id}` ({path}): after printing say `paiban printed {id}`, or compare with other data by `--since FILE|DIR|REVISION`"
    )
}
