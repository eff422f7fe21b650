//! The rules of a game as a script: `rules.lua`, run in a sandbox.
//!
//! A script sees a short list of names and the game's records, nothing of the machine. It cannot work without end or eat all
//! memory, and the same seed gives the same game. What it says comes out as [`Fact`]s, what goes wrong as [`Trouble`].

mod fact;
mod sandbox;

use std::sync::Arc;

use mlua::{Function, Table, Value};

use crate::diagnostics::{Finding, checks};
use crate::model::Game;
use crate::source::tree::Node;
use crate::source::{SourceFile, Sources, Span};

pub use fact::Fact;
pub use sandbox::Breach;
use sandbox::Sandbox;

/// The rules of a game, loaded and ready to be asked.
pub struct Rules {
    sandbox: Sandbox,
    calls: Table,
    file: Arc<SourceFile>,
    whole: Span,
}

/// A game being played; its inside is the script's business.
pub struct State(Value);

/// What a move did.
#[derive(Debug)]
pub struct Done {
    /// What the script says of it.
    pub said: Fact,
    /// The keys of the move that the script never looked at.
    pub unread: Vec<String>,
}

/// Why the script gave no answer.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// It says that the rules are broken.
    Breach(Breach),
    /// It failed, at a line of its own.
    Fault(Box<Finding>),
}

/// What a call of the script gives.
pub type Outcome<T> = Result<T, Trouble>;

/// The functions that a script must have to replay a game, and those that it needs to play by itself.
const TO_REPLAY: [&str; 4] = ["setup", "turn", "apply", "facts"];
const TO_PLAY: [&str; 3] = ["moves", "chance", "result"];

impl Rules {
    /// Loads the rules of `game`; none when it has no script.
    ///
    /// # Errors
    /// When the script is no Lua, fails while it is loaded, or lacks a function that it needs.
    pub fn load(game: &Game, sources: &Sources) -> Option<Outcome<Self>> {
        let id = game.rules?;
        let file = sources.get(id);
        let whole = Span::new(id, 0..file.text.find('\n').unwrap_or(file.text.len()));
        Some(Rules::new(game, file, whole))
    }

    fn new(game: &Game, file: Arc<SourceFile>, whole: Span) -> Outcome<Self> {
        let fault = |error: &mlua::Error| Trouble::Fault(Box::new(sandbox::finding(error, false, &file, whole)));
        let (sandbox, calls) = Sandbox::new(game).map_err(|error| fault(&error))?;
        let rules = Rules { sandbox, calls, file: Arc::clone(&file), whole };
        rules.guard(|| rules.sandbox.run(&file.text))?;
        rules.call::<()>("loaded", ())?;
        rules.demand(&TO_REPLAY)?;
        Ok(rules)
    }

    /// Starts the dice anew.
    ///
    /// # Errors
    /// When a limit has tripped.
    pub fn seed(&self, seed: u64) -> Outcome<()> {
        self.call("seed", seed.cast_signed())
    }

    /// Begins a game as `deal` says.
    ///
    /// # Errors
    /// When the script fails or refuses.
    pub fn setup(&self, deal: &Node) -> Outcome<State> {
        let deal = self.guard(|| self.sandbox.plain(deal))?;
        Ok(State(self.call("setup", deal)?))
    }

    /// The same game again, so that a move can be tried.
    ///
    /// # Errors
    /// When there is no memory for it.
    pub fn copy(&self, state: &State) -> Outcome<State> {
        Ok(State(self.call("copy", state.0.clone())?))
    }

    /// Makes a move.
    ///
    /// # Errors
    /// When the script fails, or the rules forbid the move.
    pub fn apply(&self, state: &State, play: &Node) -> Outcome<Done> {
        let play = self.guard(|| self.sandbox.plain(play))?;
        let (said, unread): (Value, Vec<String>) = self.call("apply", (state.0.clone(), play))?;
        Ok(Done { said: self.fact(&said)?, unread })
    }

    /// Whether the game is over.
    ///
    /// # Errors
    /// When the script fails.
    pub fn is_over(&self, state: &State) -> Outcome<bool> {
        Ok(self.call::<Value>("turn", state.0.clone())?.is_nil())
    }

    /// Everything that can be stated of the game as it stands.
    ///
    /// # Errors
    /// When the script fails, or says that the rules are broken.
    pub fn facts(&self, state: &State) -> Outcome<Fact> {
        let facts: Value = self.call("facts", state.0.clone())?;
        self.fact(&facts)
    }

    /// Plays a game for `players` to its end, and returns what the script says of it.
    ///
    /// # Errors
    /// When the script fails, or forbids a move that it offered.
    pub fn play(&self, players: u32, greedy: bool) -> Outcome<Fact> {
        let deal = self.guard(|| {
            let deal = self.sandbox.table()?;
            deal.raw_set("players", players)?;
            Ok(deal)
        })?;
        let result: Value = self.call("play", (deal, greedy))?;
        self.fact(&result)
    }

    /// The table or value that the script keeps under `name`; nothing where there is none.
    ///
    /// # Errors
    /// When it is nothing that can be told.
    pub fn global(&self, name: &str) -> Outcome<Fact> {
        let value: Value = self.call("global", name)?;
        self.fact(&value)
    }

    /// What the function `name` of the script's table `claims` gives for these arguments; none when there is no such function.
    ///
    /// # Errors
    /// When the script fails.
    pub fn claim(&self, name: &str, arguments: &[Node]) -> Outcome<Option<Fact>> {
        if !self.call::<bool>("can_claim", name)? {
            return Ok(None);
        }
        let arguments = self.guard(|| {
            let list = self.sandbox.table()?;
            for argument in arguments {
                list.raw_push(self.sandbox.plain(argument)?)?;
            }
            Ok(list)
        })?;
        let value: Value = self.call("claim", (name, arguments))?;
        self.fact(&value).map(Some)
    }

    /// Asks for the functions that self-play needs.
    ///
    /// # Errors
    /// When one is missing.
    pub fn can_play(&self, greedy: bool) -> Outcome<()> {
        self.demand(&TO_PLAY)?;
        if greedy { self.demand(&["value"]) } else { Ok(()) }
    }

    fn demand(&self, names: &[&str]) -> Outcome<()> {
        for name in names {
            if !self.call::<bool>("has", *name)? {
                let message = format!("rules.lua has no function `{name}`");
                let finding = Finding::new(checks::SCRIPT_FAILED, message).at(self.whole);
                return Err(Trouble::Fault(Box::new(
                    finding.help("docs/reference/rules.md says what the functions of a script do"),
                )));
            }
        }
        Ok(())
    }

    fn fact(&self, value: &Value) -> Outcome<Fact> {
        self.guard(|| Fact::read(value))
    }

    fn call<R: mlua::FromLuaMulti>(&self, name: &str, arguments: impl mlua::IntoLuaMulti) -> Outcome<R> {
        self.guard(|| self.calls.raw_get::<Function>(name)?.call(arguments))
    }

    /// Runs `work` within the limits, and turns its error into what it means.
    fn guard<R>(&self, work: impl FnOnce() -> mlua::Result<R>) -> Outcome<R> {
        let outcome = self.sandbox.limited(work);
        outcome.map_err(|error| match self.sandbox.take_breach() {
            Some(breach) => Trouble::Breach(breach),
            None => {
                let tripped = self.sandbox.has_tripped();
                Trouble::Fault(Box::new(sandbox::finding(&error, tripped, &self.file, self.whole)))
            }
        })
    }
}

#[cfg(test)]
mod tests;
