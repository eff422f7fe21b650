//! What can be typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::sheet::Margins;

/// Typesets tabletop games: TOML data and SVG templates in, print-ready cards and boards out.
#[derive(Debug, Parser)]
#[command(name = "paiban", version, about, max_term_width = 100)]
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
    New(New),
    /// Checks the data and makes a PDF for each player count.
    Build(Build),
    /// Checks the data, the templates and every laid-out face; makes nothing.
    Verify(Verify),
    /// Shows what there is to print, per player count.
    List(List),
    /// Draws faces as PNG or SVG pictures.
    Export(Export),
    /// Records what was printed of a game, for `reprint` and `changes`: data/GAME/printed.json.
    Printed(Printed),
    /// Makes a PDF of only those pieces that are new or look different since the last print, and says what to throw away.
    Reprint(Reprint),
    /// Tells what changed since the last print, card by card and field by field.
    Changes(Changes),
    /// Shows every face and sheet on a page of this machine that follows what is saved.
    Serve(Serve),
    /// Plays a game many times by its rules.lua, and tells who wins and whether its laws hold.
    Simulate(Simulate),
    /// Prints a sheet that shows how far backs are off, and keeps what a printer needs for it.
    Calibrate(Calibrate),
    /// Tells what is found here (project, fonts, icons, printers, git), for a bug report.
    Doctor,
    /// Writes the script that lets a shell complete what is typed.
    Completions(Completions),
    /// Writes the manual page.
    Man,
    /// Writes the JSON Schema of the data files, for editors.
    Schema(Schema),
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

/// `paiban completions`
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
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
    /// Folder that the files go to, below it one folder a game.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `paiban build`
#[derive(Debug, Args)]
pub struct Build {
    /// Games to build; all of the project if none is named.
    pub games: Vec<String>,
    /// A player count, `all` (one kit for each) or `full` (everything in the box). Without it: `all` and `full`.
    #[arg(long, value_name = "N|all|full")]
    pub players: Option<Players>,
    /// How it is printed.
    #[command(flatten)]
    pub print: Print,
    /// Makes what a print shop wants to be sent instead of sheets: mpc, tgc, drivethru, generic or a profile of the project.
    #[arg(long = "for", value_name = "SHOP", conflicts_with_all = ["paper", "sides", "marks", "margin", "guides", "profile"])]
    pub shop: Option<String>,
    /// Screen colours or the four inks; what a shop's profile says, or rgb.
    #[arg(long, value_enum, conflicts_with = "ink")]
    pub colour: Option<ColourArg>,
    /// The ICC profile of the press: how colours become its inks. It stands for `--colour cmyk` too.
    #[arg(long, value_name = "FILE", conflicts_with = "ink")]
    pub icc: Option<PathBuf>,
    /// The standard that the PDF keeps; what a shop's profile says, or x-4 with a profile of the press.
    #[arg(long, value_enum)]
    pub pdf: Option<PdfArg>,
    /// Draws the outlines of the pieces in a spot colour of this name (CutContour), for a machine that cuts along it.
    #[arg(long, value_name = "NAME", value_parser = spot_name)]
    pub cut_contour: Option<String>,
    /// Adds a layer that shows cuts and safe zones; it is hidden until it is switched on in the viewer.
    #[arg(long)]
    pub guides: bool,
    /// Builds the other games when one has errors.
    #[arg(long)]
    pub keep_going: bool,
    /// Works everything out anew, and leaves nothing to the next build.
    #[arg(long)]
    pub no_cache: bool,
    /// Goes on and builds again whenever a file of the project is saved, until Ctrl-C.
    #[arg(long)]
    pub watch: bool,
}

/// The colours of a PDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColourArg {
    /// Screen colours.
    Rgb,
    /// The four inks.
    Cmyk,
}

/// What a PDF promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PdfArg {
    /// Nothing in particular.
    Plain,
    /// PDF/X-4.
    #[value(name = "x-4")]
    X4,
    /// PDF/X-1a: nothing transparent.
    #[value(name = "x-1a")]
    X1a,
}

/// The name of a spot colour; two names mean all inks and none.
fn spot_name(name: &str) -> Result<String, String> {
    match name.trim() {
        "" | "All" | "None" => Err("it is the name that the cutter knows, like CutContour".to_owned()),
        name => Ok(name.to_owned()),
    }
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

/// How a list is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ListFormat {
    /// A table.
    #[default]
    Human,
    /// For programs.
    Json,
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

/// What a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum PictureFormat {
    /// Pixels.
    #[default]
    Png,
    /// Vectors, text as outlines.
    Svg,
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
    /// Folder that the files go to.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

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
    /// Folder that the files were built into.
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

/// `paiban serve`
#[derive(Debug, Args)]
pub struct Serve {
    /// Games to show; all of the project if none is named.
    pub games: Vec<String>,
    /// The port on 127.0.0.1; 0 for any that is free. Without it 4108, or a free one where that is in use.
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
}

/// The edge that the printer turns the paper about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum TurnArg {
    /// The long one.
    #[default]
    LongEdge,
    /// The short one.
    ShortEdge,
}

/// The language of the calibration sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum SheetLanguage {
    /// English.
    #[default]
    #[value(name = "en")]
    English,
    /// Simplified Chinese.
    #[value(name = "zh-Hans")]
    Chinese,
}

/// `paiban calibrate`
#[derive(Debug, Args)]
pub struct Calibrate {
    /// A name for a printer, its tray and a paper. With numbers: keeps them under it. Without: the sheet is printed with them.
    #[arg(long, value_name = "NAME")]
    pub profile: Option<String>,
    /// Millimetres that backs go to the right, -10 to 10 in steps of 0.05.
    #[arg(long, value_name = "MM", requires = "profile", allow_negative_numbers = true)]
    pub dx: Option<f64>,
    /// Millimetres that backs go down, -10 to 10 in steps of 0.05.
    #[arg(long, value_name = "MM", requires = "profile", allow_negative_numbers = true)]
    pub dy: Option<f64>,
    /// Degrees that backs are turned clockwise, -2 to 2.
    #[arg(long, value_name = "DEGREES", requires = "profile", allow_negative_numbers = true)]
    pub rotate: Option<f64>,
    /// What the width of backs is multiplied with, 0.95 to 1.05.
    #[arg(long, value_name = "FACTOR", requires = "profile", allow_negative_numbers = true)]
    pub scale_x: Option<f64>,
    /// What the height of backs is multiplied with, 0.95 to 1.05.
    #[arg(long, value_name = "FACTOR", requires = "profile", allow_negative_numbers = true)]
    pub scale_y: Option<f64>,
    /// Shows what is kept, and in which file.
    #[arg(long)]
    pub list: bool,
    /// a4, a3, letter, legal, tabloid or a size like 210x297mm.
    #[arg(long, default_value = "a4")]
    pub paper: String,
    /// The edge that the printer turns the paper about.
    #[arg(long, value_enum, default_value_t)]
    pub sides: TurnArg,
    /// What the printer does not reach, as for `build`.
    #[arg(long, value_name = "LENGTH", default_value = "5mm")]
    pub margin: Margins,
    /// The language of the sheet.
    #[arg(long, value_enum, default_value_t)]
    pub language: SheetLanguage,
    /// Folder that the sheet goes to; by default `out` of the project, or of the current folder where there is none.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
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
