//! How pieces come onto paper: what several commands ask alike.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::sheet::Margins;

/// Which kits are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Players {
    /// One for each player count.
    All,
    /// Everything in the box.
    Full,
    /// For this many players.
    Count(u32),
}

impl std::str::FromStr for Players {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Players::All),
            "full" => Ok(Players::Full),
            number => number.parse().map(Players::Count).map_err(|_| "it is a number, `all` or `full`".to_owned()),
        }
    }
}

/// How fronts and backs come together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SidesArg {
    /// Two-sided, turned about the long edge.
    #[default]
    LongEdge,
    /// Two-sided, turned about the short edge.
    ShortEdge,
    /// One-sided, fronts and backs on one sheet to be folded and glued.
    Fold,
    /// Fronts only.
    Fronts,
}

/// Which crop marks are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum MarksArg {
    /// Ticks outside the pieces.
    #[default]
    Outside,
    /// Ticks, and light lines from end to end between pieces that have bleed of their own.
    Guillotine,
    /// None.
    None,
}

/// How much ink is spent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum InkArg {
    /// All of it.
    #[default]
    Full,
    /// Little: what covers much becomes pale, what stood on it dark.
    Saver,
    /// Black only: every colour as grey.
    Grey,
}

impl InkArg {
    /// What file names say of it.
    pub const fn suffix(self) -> &'static str {
        match self {
            InkArg::Full => "",
            InkArg::Saver => "-saver",
            InkArg::Grey => "-grey",
        }
    }
}

/// How pieces come onto paper.
#[derive(Debug, Args)]
pub struct Print {
    /// a4, a3, letter, legal, tabloid or a size like 210x297mm.
    #[arg(long, default_value = "a4")]
    pub paper: String,
    /// How fronts and backs come together.
    #[arg(long, value_enum, default_value_t)]
    pub sides: SidesArg,
    /// Only this component; may be given several times.
    #[arg(long, value_name = "ID")]
    pub component: Vec<String>,
    /// Which crop marks are drawn.
    #[arg(long, value_enum, default_value_t)]
    pub marks: MarksArg,
    /// What the printer does not reach at each side of the page, or at its top, right, bottom and left: "3mm 3mm 6.7mm 3mm".
    #[arg(long, value_name = "LENGTH", default_value = "5mm")]
    pub margin: Margins,
    /// How much ink is spent.
    #[arg(long, value_enum, default_value_t)]
    pub ink: InkArg,
    /// Moves backs as was stored under this name with `paiban calibrate`.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Folder that the files go to, below it one folder a game; by default `out` of the project.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}
