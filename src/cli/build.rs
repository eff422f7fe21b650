//! `paiban build`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Players, Print};

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
