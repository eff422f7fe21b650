//! What the data is compared with: a record of a print, another folder, or an earlier revision.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::git;
use super::record::{Pieces, Record};
use super::state::State;
use crate::cli::{Before, Players};
use crate::commands::build::blames;
use crate::commands::list::sizes;
use crate::commands::session::Session;
use crate::diagnostics::Severity;
use crate::model::{Game, KitSize};

/// An earlier state of a game.
pub struct Earlier {
    /// What it is, in words: `the print of version 1.0 (data/kites/printed.json)`.
    pub title: String,
    /// Which kit it is.
    pub size: KitSize,
    /// Its pieces.
    pub pieces: Pieces,
    /// Where its pictures come from.
    source: Source,
}

enum Source {
    /// It was composed.
    Composed(State),
    /// It is a record; the commit that it is of, if it is of one.
    Record(Option<String>),
    /// The game was not there.
    Nothing,
}

impl Earlier {
    /// What `before` names. None when that is the record of the last print and there is none.
    ///
    /// # Errors
    /// When there is no such thing, it cannot be read, or its data has errors.
    pub fn find(before: &Before, session: &Session, game: &Game) -> Result<Option<Self>> {
        let Some(since) = &before.since else {
            let record = Record::last(&game.id, &session.project.disk)?;
            return record.map(|record| Earlier::of_record(record, &Record::path(&game.id), before, game)).transpose();
        };
        let path = Path::new(since);
        if path.is_file() {
            let text = std::fs::read_to_string(path).with_context(|| format!("{since} cannot be read"))?;
            let record = Record::parse(&text, since)?.belonging_to(&game.id, since)?;
            return Earlier::of_record(record, since, before, game).map(Some);
        }
        let size = size(before.players.unwrap_or(Players::Full), game)?;
        if path.is_dir() {
            return Earlier::of_project(path, since.clone(), size, game).map(Some);
        }
        let root = session.project.disk.root();
        let commit = git::find(root, since)
            .with_context(|| format!("`{since}` is no file and no folder, so it should be a revision of git"))?;
        let title = format!("revision {since}");
        let Some(restored) = git::restore(root, &commit)? else {
            return Ok(Some(Earlier { title, size, pieces: Pieces::new(), source: Source::Nothing }));
        };
        Earlier::of_project(&restored.root(), title, size, game).map(Some)
    }

    fn of_record(record: Record, path: &str, before: &Before, game: &Game) -> Result<Self> {
        let printed = record.size()?;
        if before.players.is_some_and(|asked| asked != printed) {
            bail!("{path} is a record of the kit `{}`; leave `--players` away", record.kit);
        }
        Ok(Earlier {
            title: format!("the print of version {} ({path})", record.version),
            size: size(printed, game)?,
            pieces: record.pieces,
            source: Source::Record(record.commit),
        })
    }

    /// The game of that name in the project in `root`.
    fn of_project(root: &Path, title: String, size: KitSize, game: &Game) -> Result<Self> {
        let state = composed(root, size, &game.id).with_context(|| format!("{title} cannot be compared with"))?;
        let Some(state) = state else {
            return Ok(Earlier { title, size, pieces: Pieces::new(), source: Source::Nothing });
        };
        Ok(Earlier { title, size, pieces: state.pieces.clone(), source: Source::Composed(state) })
    }

    /// The faces of this state, for pictures.
    ///
    /// # Errors
    /// In words for people, when they cannot be had.
    pub fn faces(&mut self, root: &Path, game: &str) -> Result<Option<&State>, String> {
        if let Source::Record(commit) = &self.source {
            let commit = commit.as_deref().ok_or("the print was of data that was in no commit")?;
            let state = restored(root, commit, self.size, game).map_err(|why| format!("{why:#}"))?;
            let same = |state: &State| {
                state
                    .pieces
                    .iter()
                    .all(|(address, piece)| self.pieces.get(address).is_some_and(|then| then.look == piece.look))
            };
            match state {
                Some(state) if same(&state) => self.source = Source::Composed(state),
                _ => {
                    return Err(format!(
                        "the data of commit {commit} now makes other faces than those that were printed"
                    ));
                }
            }
        }
        Ok(match &self.source {
            Source::Composed(state) => Some(state),
            Source::Record(_) | Source::Nothing => None,
        })
    }
}

/// The kit of `game` at `commit`.
fn restored(root: &Path, commit: &str, size: KitSize, game: &str) -> Result<Option<State>> {
    let commit = git::find(root, commit)?;
    let Some(restored) = git::restore(root, &commit)? else { return Ok(None) };
    composed(&restored.root(), size, game)
}

/// The kit of `game` in the project in `root`; none when it has no such game, or no such kit of it.
fn composed(root: &Path, size: KitSize, game: &str) -> Result<Option<State>> {
    if !root.join("data").join(game).is_dir() {
        return Ok(None);
    }
    let session = Session::open(Some(root))?;
    let game = session.game(game)?;
    let mut report = session.report.clone();
    let icons = session.icons(game);
    let composer = session.composer(game, &icons, &mut report);
    let state = State::of(&session, &composer, game, size, &mut report);
    if blames(&report, &game.id) {
        let errors = report.sorted(&session.project.sources).into_iter();
        let first = errors.filter(|finding| finding.severity == Severity::Error).map(|finding| finding.message).next();
        bail!("its data has errors, the first is: {}", first.unwrap_or_default());
    }
    Ok(Some(state))
}

fn size(players: Players, game: &Game) -> Result<KitSize> {
    match sizes(game, players)?.as_slice() {
        [size] => Ok(*size),
        _ => bail!("one kit is compared: `--players` with a number or `full`"),
    }
}
