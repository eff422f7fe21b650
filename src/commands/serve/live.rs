//! The thread that composes: reads the project anew whenever a file of it changes, shows first the faces and then what is wrong.
//!
//! Fonts, icons and drawings stay as they are while only data and templates change, and so does every face that a change does not
//! touch ([`Remembered`]). A project that cannot be read shows its last faces, and why.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use anyhow::Result;

use super::checker::Checker;
use super::draft::{Desk, keep_old};
use super::inbox::{Inbox, Next, Wanted};
use super::notes;
use super::stage::Stage;
use crate::commands::cache::Remembered;
use crate::commands::kit::{KitOptions, assemble};
use crate::commands::session::{Resources, Session};
use crate::commands::watch::{self, Watch};
use crate::compose::Composer;
use crate::diagnostics::{Finding, Report, Severity};
use crate::export::svg;
use crate::icons::Icons;
use crate::model::Game;
use crate::preview::shown;
use crate::sheet::Side;

/// For so many changes a face is remembered after it was last in use: an edit is often taken back.
const REMEMBERED: u64 = 16;
/// After so many changes drawings are made anew, so that those of long ago take no memory.
const SPRING_CLEANING: u64 = 300;

/// Composes what the stage shows.
pub struct Live<'s> {
    stage: &'s Stage,
    checker: &'s Checker,
    inbox: Inbox,
    watch: Watch,
    wanted: Vec<String>,
    resources: Resources,
    memory: Arc<Remembered>,
    turns: u64,
}

/// A composer, and what was found while its templates were compiled.
type Compiled<'d> = OnceCell<(Composer<'d>, Report)>;

impl<'s> Live<'s> {
    /// Composes the games called `wanted`, or all, of the project that `resources` are of; `checker` has them checked.
    pub fn new(
        (stage, checker): (&'s Stage, &'s Checker),
        inbox: Inbox,
        watch: Watch,
        wanted: Vec<String>,
        resources: Resources,
    ) -> Self {
        Live { stage, checker, inbox, watch, wanted, resources, memory: Arc::default(), turns: 0 }
    }

    /// Composes as long as the program runs.
    pub fn run(mut self) {
        // None stands for everything.
        let mut change = None;
        loop {
            let why = match catch_unwind(AssertUnwindSafe(|| self.turn(change.as_ref()))) {
                Ok(Ok(Some(next))) => {
                    change = Some(next);
                    continue;
                }
                Ok(Ok(None)) => return,
                Ok(Err(trouble)) => format!("{trouble:#}"),
                Err(_) => "the program broke down over this; the terminal says where".to_owned(),
            };
            self.stage.trouble(why);
            if self.inbox.wait().is_none() {
                return;
            }
            change = None; // nothing is trusted to be as it was
        }
    }

    /// Shows the state after `change`, then sheets to those who ask, until the next change, which is returned.
    fn turn(&mut self, change: Option<&BTreeSet<String>>) -> Result<Option<BTreeSet<String>>> {
        self.watch.follow()?;
        self.renew(change)?;
        let session = Arc::new(Session::read(self.resources.clone())?);
        let games = self.games(&session);
        let icons: Vec<Icons> = games.iter().map(|game| session.icons(game)).collect();
        let compiled: Vec<Compiled<'_>> = games.iter().map(|_| OnceCell::new()).collect();
        let memory = Arc::clone(&self.memory);
        let desk = |at: usize| {
            let (composer, found) = compiled[at].get_or_init(|| {
                let mut found = Report::default();
                (session.composer(games[at], &icons[at], &mut found).remembering(Some(&memory.faces)), found)
            });
            Desk { session: &session, game: games[at], composer, found }
        };

        let touched: Vec<usize> = (0..games.len()).filter(|at| touches(change, &games[*at].id)).collect();
        let mut shown: Vec<shown::Game> = touched.iter().map(|at| self.first_sight(&desk(*at))).collect();
        let to_check = shown.iter().map(|game| (game.id.clone(), game.generation)).collect();
        shown.extend(self.unreadable(&session, &games));
        self.show(shown, &session, &games);

        self.checker.check(&session, &self.memory, to_check);
        loop {
            match self.inbox.next() {
                Some(Next::Sheets(wanted)) => {
                    if let Some(at) = games.iter().position(|game| game.id == wanted.game) {
                        let sheets = self.sheets(&desk(at), &wanted);
                        // Whoever asked may have gone away.
                        let _ = wanted.reply.send(sheets);
                    }
                }
                Some(Next::Change(paths)) => return Ok(Some(paths)),
                None => return Ok(None),
            }
        }
    }

    /// Loads fonts anew, and forgets pictures and faces, when a file changed that is neither data nor a template.
    fn renew(&mut self, change: Option<&BTreeSet<String>>) -> Result<()> {
        let own = |path: &String| {
            let text = path.ends_with(".toml") || path.ends_with(".svg") || watch::game_of(path).is_some();
            text && !path.starts_with("templates/icons/")
        };
        self.turns += 1;
        let distrusted = change.is_none_or(|paths| !paths.iter().all(own));
        let anew = self.turns > 1 && (distrusted || self.turns > SPRING_CLEANING);
        if anew {
            self.resources = Resources::open(Some(self.resources.disk.root()))?;
            self.memory = Arc::default();
            self.turns = 1;
        }
        self.stage.turn(anew);
        self.memory.turn(REMEMBERED);
        self.resources.pictures.turn(REMEMBERED);
        Ok(())
    }

    /// The games that are shown.
    fn games<'p>(&self, session: &'p Session) -> Vec<&'p Game> {
        let games = session.project.games.iter();
        games.filter(|game| self.wanted.is_empty() || self.wanted.contains(&game.id)).collect()
    }

    /// The faces, at once; what is wrong with them comes after.
    fn first_sight(&self, desk: &Desk<'_>) -> shown::Game {
        let mut report = desk.found.clone();
        let mut game = desk.draft(self.stage, &mut report);
        let found = findings(desk.session, &desk.game.id, &report);
        // Where something is wrong with the data itself, what is missing is not meant to be missing.
        let broken = errors(&desk.session.report, &desk.game.id);
        let before = self.stage.last(&desk.game.id);
        if let Some(before) = &before {
            keep_old(&mut game, before, broken);
        }
        match before.filter(|_| !broken) {
            // What was wrong before is left standing until the check says what is wrong now.
            Some(before) => notes::carry_over(&mut game, before),
            None => notes::attach(&mut game, &found, Some(desk.game), &desk.session.project.sources),
        }
        game.checking = true;
        game.generation = self.stage.next_generation();
        game
    }

    /// The games that were shown, and of which nothing at all can be read now: as they were, and why.
    fn unreadable(&self, session: &Session, games: &[&Game]) -> Vec<shown::Game> {
        let mut shown = Vec::new();
        for mut game in self.stage.all() {
            let there = games.iter().any(|known| known.id == game.id);
            if there || !errors(&session.report, &game.id) {
                continue;
            }
            let found = findings(session, &game.id, &Report::default());
            notes::attach(&mut game, &found, None, &session.project.sources);
            game.sections.iter_mut().flat_map(|section| &mut section.cards).for_each(|card| card.stale = true);
            (game.stale, game.checking, game.generation) = (true, false, self.stage.next_generation());
            shown.push(game);
        }
        shown
    }

    fn show(&self, shown: Vec<shown::Game>, session: &Session, games: &[&Game]) {
        let mut all: Vec<String> = games.iter().map(|game| game.id.clone()).collect();
        let unreadable = self.stage.all().into_iter().map(|game| game.id).filter(|id| errors(&session.report, id));
        all.extend(unreadable);
        all.sort();
        all.dedup();
        self.stage.show(shown, &all);
    }

    /// The sheets of a kit, as JSON.
    fn sheets(&self, desk: &Desk<'_>, wanted: &Wanted) -> String {
        let options = KitOptions::new(wanted.paper.clone());
        let fonts = &desk.session.fonts;
        // What is wrong with sheets is told by the check of the game.
        let mut told = Report::default();
        let kit = assemble(desk.composer, desk.game, wanted.size, &options, desk.session, &mut told);
        let picture = |face: &Arc<_>| format!("/faces/{}", self.stage.key(face, fonts));
        let sheets = kit.sheets.iter().map(|sheet| shown::Sheet {
            title: sheet.title.clone(),
            side: match sheet.side {
                Side::Front => "front",
                Side::Back => "back",
            },
            page: [sheet.page.w.to_mm(), sheet.page.h.to_mm()],
            svg: svg::sheet(sheet, fonts, &picture),
        });
        // Texts and numbers can always be written.
        serde_json::to_string(&shown::Sheets { sheets: sheets.collect() }).unwrap_or_default()
    }
}

/// Whether `change` may make a game other than it was; everything does when nothing was shown before.
fn touches(change: Option<&BTreeSet<String>>, game: &str) -> bool {
    change.is_none_or(|paths| paths.iter().any(|path| watch::game_of(path).is_none_or(|own| own == game)))
}

/// Whether the report has errors of this game.
fn errors(report: &Report, game: &str) -> bool {
    let mut errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.any(|finding| finding.game.as_deref() == Some(game))
}

/// What is wrong with a game: with its data as they were read, and what `report` says.
pub fn findings(session: &Session, game: &str, report: &Report) -> Vec<Finding> {
    let mut all = session.report.clone();
    all.extend(report.clone());
    let mut findings = all.sorted(&session.project.sources);
    findings.retain(|finding| finding.game.as_deref().is_none_or(|own| own == game));
    findings
}
