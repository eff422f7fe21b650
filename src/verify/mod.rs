//! Judgement of sound data: what the game itself declares must hold. Changes nothing.

pub mod backs;
mod claim;
mod invariant;
mod names;
pub mod preflight;
mod records;
mod replay;
mod stated;
pub mod unused;

use std::collections::BTreeSet;

use crate::diagnostics::Report;
use crate::expr::Engine;
use crate::model::Game;
use crate::source::Sources;

pub use claim::{Claimed, all as claims};
pub use replay::{Replayed, all as replays};

/// How much was checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Declared invariants.
    pub invariants: usize,
    /// How the claims of the rules came out.
    pub claims: Claimed,
    /// Declared errata, of invariants, claims and sample games.
    pub errata: usize,
    /// Sample games that were replayed.
    pub replays: usize,
}

/// Checks every invariant of `game`, works out its claims, replays its sample games, and sees that all its records serve something. `words` are the
/// words in the expressions of its templates.
pub fn game(game: &Game, words: &BTreeSet<&str>, engine: &Engine, sources: &Sources, report: &mut Report) -> Checked {
    records::unused(game, words, sources, report);
    for declared in &game.invariants {
        invariant::check(declared, game, engine, report);
    }
    let claims = claims(game, engine, sources, report);
    let replayed = replays(game, sources, report);
    let excused = game.invariants.iter().filter(|invariant| invariant.erratum.is_some()).count();
    Checked {
        invariants: game.invariants.len(),
        claims,
        errata: excused + claims.errata + replayed.errata,
        replays: replayed.replays,
    }
}
