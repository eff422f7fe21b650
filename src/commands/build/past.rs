//! What earlier runs made that need not be made again.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::job::Made;
use super::told;
use crate::cli::Build;
use crate::commands::cache::{Asked, Cache, Record, Remembered};
use crate::commands::kit::KitOptions;
use crate::commands::output::Told;
use crate::commands::session::Session;
use crate::diagnostics::Finding;
use crate::model::Game;
use crate::source::disk::Disk;

/// What earlier runs made of the games of a project.
pub struct Past {
    cache: Cache,
    /// None where nobody can tell beforehand what comes of it.
    asked: Option<Asked>,
    /// The builds that need not be made again, by game.
    standing: BTreeMap<String, Record>,
    /// What is remembered of games that are built anew.
    remembered: BTreeMap<String, Arc<Remembered>>,
}

impl Past {
    /// What there is of the project on `disk`; nothing if it is not wanted.
    pub fn find(arguments: &Build, options: &KitOptions, out: &Path, disk: &Disk) -> Self {
        let cache = Cache::of(disk.root(), !arguments.no_cache);
        let asked = Asked::of(arguments, options, out);
        Past { cache, asked, standing: BTreeMap::new(), remembered: BTreeMap::new() }
    }

    /// Looks which of `games` were built as they would be now, and says whether all of them were.
    pub fn covers(&mut self, games: &[String], disk: &Disk) -> bool {
        let Some(asked) = &self.asked else { return false };
        let unseen = games.iter().filter(|game| !self.standing.contains_key(*game));
        let standing = |game: &String| Some((game.clone(), Record::standing(&self.cache, asked, game, disk)?));
        let found: Vec<_> = unseen.filter_map(standing).collect();
        self.standing.extend(found);
        !games.is_empty() && games.iter().all(|game| self.stands(game))
    }

    /// Whether nothing is to be done for `game`.
    pub fn stands(&self, game: &str) -> bool {
        self.standing.contains_key(game)
    }

    /// What was found in `games`, as far as they stand.
    pub fn told(&self, games: &[String]) -> impl Iterator<Item = Told> {
        self.of(games).flat_map(|(_, record)| record.told.iter().cloned())
    }

    /// Says again what was said of `games`, as far as they stand.
    pub fn say(&self, games: &[String]) {
        self.of(games).for_each(|(game, record)| record.say(game));
    }

    /// The builds of `games` that stand.
    fn of(&self, games: &[String]) -> impl Iterator<Item = (&String, &Record)> {
        self.standing.iter().filter(|(game, _)| games.contains(game))
    }

    /// What is remembered of `game`; none where nothing is kept.
    pub fn remembered(&mut self, game: &Game, session: &Session) -> Option<Arc<Remembered>> {
        let remembered = Arc::new(Remembered::of(&self.cache, &game.id, session)?);
        self.remembered.insert(game.id.clone(), Arc::clone(&remembered));
        Some(remembered)
    }

    /// Leaves a build to the next run if it came to an end. Where something is wrong with its data or with the project as a whole
    /// (`common`), nobody knows what the next run comes to.
    pub fn keep(&self, made: &Made, common: &[Finding], session: &Session) {
        let Some(asked) = &self.asked else { return };
        let is_in_doubt = |finding: &Finding| finding.game.as_ref().is_none_or(|game| *game == made.game);
        if made.report.has_errors() || common.iter().any(is_in_doubt) {
            return;
        }
        let mut report = made.before.clone();
        report.extend(made.report.clone());
        let sources = &session.project.sources;
        let told = Told::of(&told(&report, session), sources);
        let notes = session.project.disk.notes();
        let looked = notes.of_all().into_iter().chain(notes.of_game(&made.game)).collect();
        let record = Record { looked, files: made.files.clone(), told, notes: made.notes.clone() };
        record.keep(&self.cache, asked, &made.game);
    }

    /// Leaves composed faces to the next run.
    pub fn keep_faces(&self, session: &Session) {
        self.remembered.iter().for_each(|(game, remembered)| remembered.keep(&self.cache, game, session));
        self.cache.tidy();
    }
}
