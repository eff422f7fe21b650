//! Self-play: many games by the rules' script, the same ones for the same seed, however many threads there are.

mod tally;

use rayon::prelude::*;

use crate::diagnostics::{Finding, checks};
use crate::model::Game;
use crate::script::{Outcome, Rules, Trouble};
use crate::source::Sources;

use tally::Tally;
pub use tally::{FAR, Figure, Side, Summary};

/// How many games one state of the script plays. Each block begins with a fresh one, so that nothing a script might remember
/// depends on how the blocks are spread over threads.
const BLOCK: u64 = 64;
/// How many blocks are played before their faults are looked at, the first one first.
const WAVE: usize = 32;

/// What is to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Plan {
    /// How many play.
    pub players: u32,
    /// How many games.
    pub games: u64,
    /// What the dice begin with.
    pub seed: u64,
    /// Whether the players take what looks best; otherwise they take anything.
    pub greedy: bool,
}

/// Plays the games of `plan`. `progress` hears how many games were played, after each block.
///
/// # Errors
/// A finding, when the script fails or forbids a move that it offered; none when the game has no script.
pub fn run(
    game: &Game,
    sources: &Sources,
    plan: Plan,
    progress: &(dyn Fn(u64) + Sync),
) -> Option<Result<Summary, Box<Finding>>> {
    game.rules?;
    let blocks: Vec<u64> = (0..plan.games.div_ceil(BLOCK)).collect();
    let block = |block: &u64| {
        let first = block * BLOCK;
        let last = (first + BLOCK).min(plan.games);
        let tally = play_block(game, sources, plan, first..last);
        progress(last - first);
        tally
    };
    let mut all = Tally::default();
    for wave in blocks.chunks(WAVE) {
        let tallies: Vec<Outcome<Tally>> = wave.par_iter().map(block).collect();
        for tally in tallies {
            match tally {
                Ok(tally) => all.add(&tally),
                Err(trouble) => return Some(Err(fault(game, trouble))),
            }
        }
    }
    Some(Ok(all.summary()))
}

fn play_block(game: &Game, sources: &Sources, plan: Plan, games: std::ops::Range<u64>) -> Outcome<Tally> {
    let Some(rules) = Rules::load(game, sources) else { return Ok(Tally::default()) };
    let rules = rules?;
    rules.can_play(plan.greedy)?;
    let mut tally = Tally::new(&rules.global("figures")?);
    for number in games {
        rules.seed(mixed(mixed(plan.seed) ^ mixed(number.wrapping_add(1))))?;
        tally.count(&rules.play(plan.players, plan.greedy)?);
    }
    Ok(tally)
}

/// The output function of SplitMix64: games next to each other have nothing in common.
const fn mixed(number: u64) -> u64 {
    let z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn fault(game: &Game, trouble: Trouble) -> Box<Finding> {
    match trouble {
        Trouble::Fault(finding) => finding,
        Trouble::Breach(breach) => {
            let message = format!("self-play broke a rule of the script: {}", breach.message);
            let finding = Finding::new(checks::SCRIPT_FAILED, message).at(game.span);
            Box::new(finding.help("`moves` and `chance` may only offer what `apply` allows"))
        }
    }
}
