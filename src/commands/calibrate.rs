//! `paiban calibrate`: prints the sheet that shows how far backs are off, and keeps what was read from it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use super::printers::{Printers, Profile};
use super::{Outcome, output};
use crate::cli::{Calibrate, SheetLanguage, TurnArg};
use crate::export::pdf;
use crate::fonts::Fonts;
use crate::model::load;
use crate::sheet::{Adjustment, Imprint, Measure, Options, Paper, Sides, calibration};

/// Runs the command.
pub fn run(arguments: &Calibrate, project: Option<&Path>) -> Result<Outcome> {
    let measures = measures(arguments);
    match &arguments.profile {
        _ if arguments.list => list()?,
        Some(name) if !measures.is_empty() => keep(name, &measures)?,
        profile => print_sheet(arguments, profile.as_deref(), project)?,
    }
    Ok(Outcome::Clean)
}

fn measures(arguments: &Calibrate) -> Vec<(Measure, f64)> {
    let Calibrate { dx, dy, rotate, scale_x, scale_y, .. } = arguments;
    let given = Measure::ALL.into_iter().zip([dx, dy, rotate, scale_x, scale_y]);
    given.filter_map(|(measure, value)| Some((measure, (*value)?))).collect()
}

fn list() -> Result<()> {
    let printers = Printers::open()?;
    let mut text = String::new();
    for (name, adjustment) in printers.all() {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name}  {adjustment}");
    }
    if text.is_empty() {
        text.push_str("no profiles\n");
    }
    output::print(&text)?;
    output::note(&printers.path().display().to_string());
    Ok(())
}

fn keep(name: &str, measures: &[(Measure, f64)]) -> Result<()> {
    let mut printers = Printers::open()?;
    let kept = printers.keep(name, measures)?;
    output::print(&format!("{name}  {kept}\n"))?;
    output::note(&printers.path().display().to_string());
    Ok(())
}

fn print_sheet(arguments: &Calibrate, profile: Option<&str>, project: Option<&Path>) -> Result<()> {
    let profile = profile.map(|name| Printers::open()?.get(name)).transpose()?;
    let adjustment = profile.as_ref().map(|profile| profile.adjustment).unwrap_or_default();
    let options = options(arguments, adjustment)?;
    let path = folder(arguments, project)?.join(file_name(&options, profile.as_ref()));
    let (fonts, _) = Fonts::load(Vec::new());
    let sheets = calibration(&options, &fonts).map_err(|why| anyhow!("{why}"))?;
    let document = pdf::Document::new(&sheets[0].title, &options.imprint.language, &sheets, options.sides);
    let written = pdf::write(&document, &fonts).with_context(|| format!("{} cannot be made", path.display()))?;
    output::write_file(&path, &written.bytes)?;
    output::note(&path.display().to_string());
    Ok(())
}

fn options(arguments: &Calibrate, adjustment: Adjustment) -> Result<Options> {
    let language = match arguments.language {
        SheetLanguage::English => "en",
        SheetLanguage::Chinese => "zh-Hans",
    };
    let paper = Paper::parse(&arguments.paper).map_err(|unknown| anyhow!("{unknown}"))?;
    Ok(Options {
        sides: match arguments.sides {
            TurnArg::LongEdge => Sides::LongEdge,
            TurnArg::ShortEdge => Sides::ShortEdge,
        },
        margins: arguments.margin,
        adjustment,
        imprint: Imprint { language: language.to_owned(), ..Imprint::default() },
        ..Options::new(paper)
    })
}

/// Where the sheet goes: it needs no project, but where there is one it lies with what else is printed.
fn folder(arguments: &Calibrate, project: Option<&Path>) -> Result<PathBuf> {
    if let Some(out) = &arguments.out {
        return Ok(out.clone());
    }
    let here = std::env::current_dir().context("the current folder is gone")?;
    let root = match project {
        Some(folder) if folder.is_dir() => folder.to_path_buf(),
        Some(folder) => bail!("there is no folder {}", folder.display()),
        None => load::find_root(&here).unwrap_or(here),
    };
    Ok(root.join("out"))
}

/// `calibrate-<paper>.pdf`, with whatever differs from the default behind it.
fn file_name(options: &Options, profile: Option<&Profile>) -> String {
    let turn = if options.sides == Sides::ShortEdge { "-short-edge" } else { "" };
    let profile = profile.map(|profile| format!("-{}", profile.name)).unwrap_or_default();
    format!("calibrate-{}{turn}{profile}.pdf", options.paper.name)
}
