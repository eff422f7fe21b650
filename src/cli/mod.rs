//! What can be typed.

mod build;
mod calibrate;
mod look;
mod print;
mod prints;
mod simulate;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use build::{Build, ColourArg, PdfArg};
pub use calibrate::{Calibrate, SheetLanguage, TurnArg};
pub use look::{Export, FindingsFormat, List, ListFormat, PictureFormat, Serve, Verify};
pub use print::{InkArg, MarksArg, Players, Print, SidesArg};
pub use prints::{Before, Changes, ChangesFormat, Printed, Reprint};
pub use simulate::{Policy, Simulate};

/// How a run ends.
const EXIT_CODES: &str = "\
Exit codes:
  0  all is well
  1  there are findings: errors in the data, or warnings where they count as errors
  2  trouble: what was typed, the disk, or something that is not there";

/// Typesets tabletop games: TOML data and SVG templates in, print-ready cards and boards out.
#[derive(Debug, Parser)]
#[command(name = "paiban", version, about, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Cli {
    /// The project's folder; by default the nearest one upwards that has a `data` folder.
    #[arg(long, global = true, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What paiban can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Writes a small complete game into an empty folder, to begin with.
    #[command(after_help = "Example: paiban new my-game --id cups")]
    New(New),
    /// Checks the data and makes a PDF for each player count.
    #[command(after_help = "Example: paiban build kites --players 3 --paper letter")]
    Build(Build),
    /// Checks the data, the templates and every laid-out face; makes nothing.
    #[command(after_help = "Example: paiban verify kites --deny-warnings")]
    Verify(Verify),
    /// Shows what there is to print, per player count.
    #[command(after_help = "Example: paiban list kites --players 2")]
    List(List),
    /// Draws faces as PNG or SVG pictures.
    #[command(after_help = "Example: paiban export kites --component kite --contact-sheet --dpi 96")]
    Export(Export),
    /// Records what was printed of a game, for `reprint` and `changes`: data/GAME/printed.json.
    #[command(after_help = "Example: paiban printed kites --players 3")]
    Printed(Printed),
    /// Makes a PDF of only those pieces that are new or look different since the last print, and says what to throw away.
    #[command(after_help = "Example: paiban reprint kites --paper letter")]
    Reprint(Reprint),
    /// Tells what changed since the last print, card by card and field by field.
    #[command(after_help = "Example: paiban changes kites --format html --output out/changes.html")]
    Changes(Changes),
    /// Shows every face and sheet on a page of this machine that follows what is saved.
    #[command(after_help = "Example: paiban serve kites --port 4200")]
    Serve(Serve),
    /// Plays a game many times by its rules.lua, and tells who wins and whether its laws hold.
    #[command(after_help = "Example: paiban simulate kites --players 4 --games 200")]
    Simulate(Simulate),
    /// Prints a sheet that shows how far backs are off, and keeps what a printer needs for it.
    #[command(after_help = "Example: paiban calibrate --profile home --dx 0.4 --dy -0.3")]
    Calibrate(Calibrate),
    /// Tells what is found here (project, fonts, icons, printers, git), for a bug report.
    #[command(after_help = "Example: paiban doctor")]
    Doctor,
    /// Writes the script that lets a shell complete what is typed.
    #[command(after_help = "Example: paiban completions zsh")]
    Completions(Completions),
    /// Writes the manual page.
    #[command(after_help = "Example: paiban man")]
    Man,
    /// Writes the JSON Schema of the data files, for editors.
    #[command(after_help = "Example: paiban schema data")]
    Schema(Schema),
}

/// `paiban new`
#[derive(Debug, Args)]
pub struct New {
    /// The folder of the project: one that does not exist yet, or an empty one.
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// The game's id, the name of its folders; without it made from the folder's name.
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
    /// The game's title.
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
}

/// `paiban completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `paiban schema`
#[derive(Debug, Args)]
pub struct Schema {
    /// Which files it is for.
    #[arg(value_enum, default_value_t)]
    pub of: SchemaOf,
}

/// The files that have a schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SchemaOf {
    /// `data/<game>/*.toml`
    #[default]
    Data,
    /// `shops/*.toml`
    Shop,
}
