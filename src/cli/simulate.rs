//! `paiban simulate`.

use clap::{Args, ValueEnum};

use super::ListFormat;

/// `paiban simulate`
#[derive(Debug, Args)]
pub struct Simulate {
    /// The game.
    pub game: String,
    /// How many games are played for each player count.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub games: u64,
    /// How many play; without it every player count of the game.
    #[arg(long, value_name = "P")]
    pub players: Option<u32>,
    /// What the dice begin with; the same seed gives the same games.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// How the players choose.
    #[arg(long, value_enum, default_value_t)]
    pub policy: Policy,
    /// How the outcome is written.
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// How the players of a simulation choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// Any move that the rules allow.
    #[default]
    Random,
    /// The move that the script values most.
    Greedy,
}

impl Policy {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Policy::Random => "random",
            Policy::Greedy => "greedy",
        }
    }
}
