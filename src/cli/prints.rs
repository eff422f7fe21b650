//! The commands about what was printed: `printed`, `reprint` and `changes`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Players, Print};

/// `paiban printed`
#[derive(Debug, Args)]
pub struct Printed {
    /// The game.
    pub game: String,
    /// Which kit was printed: for a number of players, or everything in the box.
    #[arg(long, value_name = "N|full", default_value = "full")]
    pub players: Players,
    /// Records the data as it is now, though what was built is of other data.
    #[arg(long)]
    pub anyway: bool,
    /// Folder that the files were built into; by default `out` of the project.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// What the data is compared with.
#[derive(Debug, Args)]
pub struct Before {
    /// The print or data to compare with: a record of a print, a project's folder or a revision of git. Without it data/GAME/printed.json.
    #[arg(long, value_name = "FILE|DIR|REVISION")]
    pub since: Option<String>,
    /// Which kit is compared; without it the one that was printed, or everything in the box.
    #[arg(long, value_name = "N|full")]
    pub players: Option<Players>,
}

/// `paiban reprint`
#[derive(Debug, Args)]
pub struct Reprint {
    /// The game.
    pub game: String,
    /// What was printed.
    #[command(flatten)]
    pub before: Before,
    /// How it is printed.
    #[command(flatten)]
    pub print: Print,
}

/// `paiban changes`
#[derive(Debug, Args)]
pub struct Changes {
    /// Games to tell of; without it all of the project that there is something to compare with.
    pub games: Vec<String>,
    /// What the data is compared with.
    #[command(flatten)]
    pub before: Before,
    /// How they are written.
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangesFormat,
    /// File that they are written to, instead of stdout.
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// How changes are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ChangesFormat {
    /// For the terminal.
    #[default]
    Text,
    /// For release notes and comments on changes.
    Markdown,
    /// A page with pictures before and after.
    Html,
}
