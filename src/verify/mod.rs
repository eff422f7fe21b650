//! Judgement of sound data: what the game itself declares must hold. Changes nothing.

mod invariant;
mod records;

use std::collections::BTreeSet;

use crate::diagnostics::Report;
use crate::expr::Engine;
use crate::model::Game;

/// How much was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Declared invariants.
    pub invariants: usize,
    /// Those among them that are declared errata.
    pub errata: usize,
}

/// Checks every invariant of `game`, and that all its records serve something. `words` are the words in the expressions of
/// its templates.
pub fn game(game: &Game, words: &BTreeSet<&str>, engine: &Engine, report: &mut Report) -> Checked {
    records::unused(game, words, report);
    for declared in &game.invariants {
        invariant::check(declared, game, engine, report);
    }
    Checked {
        invariants: game.invariants.len(),
        errata: game.invariants.iter().filter(|invariant| invariant.erratum.is_some()).count(),
    }
}
