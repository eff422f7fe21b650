//! The thread that checks: takes much longer than composing, so it goes on beside it, and what is saved meanwhile is shown all the same.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use rayon::ThreadPool;

use super::live::findings;
use super::notes;
use super::stage::Stage;
use crate::commands::cache::Remembered;
use crate::commands::session::Session;
use crate::commands::verify::check_game;
use crate::diagnostics::Report;

/// A game to be checked as it was read.
#[derive(Clone)]
struct Task {
    session: Arc<Session>,
    /// What needs no second look.
    memory: Arc<Remembered>,
    game: String,
    /// The state of the game that is shown; the outcome is of no use for any other.
    generation: u64,
}

/// What is to be checked; a game that is to be checked anew takes the place of what it was before.
#[derive(Default)]
pub struct Checker {
    tasks: Mutex<Vec<Task>>,
    more: Condvar,
}

impl Checker {
    /// Has `games` (id and state) of `session` checked, before all that waits. What `memory` holds need not be looked at again.
    pub fn check(&self, session: &Arc<Session>, memory: &Arc<Remembered>, games: Vec<(String, u64)>) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.retain(|task| games.iter().all(|(game, _)| *game != task.game));
        let new = games.into_iter().map(|(game, generation)| {
            let (session, memory) = (Arc::clone(session), Arc::clone(memory));
            Task { session, memory, game, generation }
        });
        tasks.splice(..0, new);
        self.more.notify_one();
    }

    /// Checks as long as the program runs. A pool of its own keeps the other one free for composing.
    pub fn run(&self, stage: &Stage, pool: &ThreadPool) {
        loop {
            let task = self.next();
            let checked = catch_unwind(AssertUnwindSafe(|| pool.install(|| task.run(stage))));
            if checked.is_err() {
                stage.trouble("the check broke down over this; the terminal says where".to_owned());
            }
        }
    }

    fn next(&self) -> Task {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if !tasks.is_empty() {
                return tasks.remove(0);
            }
            tasks = self.more.wait(tasks).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Task {
    /// Checks everything and shows what is wrong.
    fn run(&self, stage: &Stage) {
        let Task { session, memory, game, generation } = self;
        let Ok(game) = session.game(game) else { return };
        let icons = session.icons(game);
        let mut report = Report::default();
        let composer = session.composer(game, &icons, &mut report).remembering(Some(&memory.faces));
        check_game(session, game, &composer, Some(memory), &mut report);
        let found = findings(session, &game.id, &report);
        stage.amend(&game.id, *generation, |shown| {
            notes::attach(shown, &found, Some(game), &session.project.sources);
            shown.checking = false;
        });
    }
}
