//! `paiban calibrate`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::sheet::Margins;

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
