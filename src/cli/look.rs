//! The commands that look and tell: `verify`, `list`, `export` and `serve`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InkArg, Players};

/// `paiban verify`
#[derive(Debug, Args)]
pub struct Verify {
    /// Games to check; all of the project if none is named.
    pub games: Vec<String>,
    /// How findings are written.
    #[arg(long, value_enum, default_value_t)]
    pub format: FindingsFormat,
    /// Warnings count as errors for the exit code.
    #[arg(long)]
    pub deny_warnings: bool,
    /// Writes a PDF of every face as well, with its trim, safe zone and bleed and boxes around what was found: out/GAME/GAME-proof.pdf.
    #[arg(long)]
    pub proof: bool,
    /// Explains a check instead of checking.
    #[arg(long, value_name = "CODE")]
    pub explain: Option<String>,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum FindingsFormat {
    /// For people: the line itself, what was expected, how to mend it.
    #[default]
    Human,
    /// A line each: `file:line:column: severity[code]: message`.
    Short,
    /// For programs.
    Json,
    /// SARIF 2.1.0, for code hosts.
    Sarif,
    /// A JUnit report, for CI servers.
    Junit,
    /// Annotations of GitHub Actions.
    Github,
    /// A Code Quality report of GitLab.
    Gitlab,
}

/// `paiban list`
#[derive(Debug, Args)]
pub struct List {
    /// Games to list; all of the project if none is named.
    pub games: Vec<String>,
    /// A player count, `all` or `full`.
    #[arg(long, value_name = "N|all|full", default_value = "all")]
    pub players: Players,
    /// Where the data comes from instead: what the rules say, what follows from them, what was decided.
    #[arg(long)]
    pub sources: bool,
    /// How the list is written.
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
}

/// How a list is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A table.
    #[default]
    Human,
    /// For programs.
    Json,
}

/// `paiban export`
#[derive(Debug, Args)]
pub struct Export {
    /// The game.
    pub game: String,
    /// PNG or SVG.
    #[arg(long, value_enum, default_value_t)]
    pub format: PictureFormat,
    /// Pixels per inch of a PNG.
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(20..=2400))]
    pub dpi: u32,
    /// With the bleed around the trim.
    #[arg(long)]
    pub bleed: bool,
    /// How much ink is spent.
    #[arg(long, value_enum, default_value_t)]
    pub ink: InkArg,
    /// The older way to say `--ink grey`.
    #[arg(long, hide = true, conflicts_with = "ink")]
    pub grey: bool,
    /// The sheets of a kit instead of the faces; PNG only.
    #[arg(long)]
    pub sheets: bool,
    /// For how many players the kit is: a number or `full`.
    #[arg(long, value_name = "N|full", default_value = "full")]
    pub players: Players,
    /// All on one picture, side by side, instead of one picture each.
    #[arg(long)]
    pub contact_sheet: bool,
    /// Only this component; may be given several times.
    #[arg(long, value_name = "ID")]
    pub component: Vec<String>,
    /// Folder that the files go to; by default `out` of the project.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Pixels.
    #[default]
    Png,
    /// Vectors, text as outlines.
    Svg,
}

/// `paiban serve`
#[derive(Debug, Args)]
pub struct Serve {
    /// Games to show; all of the project if none is named.
    pub games: Vec<String>,
    /// The port on 127.0.0.1; 0 for any that is free. Without it 4108, or a free one where that is in use.
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
}
