//! `paiban build`: check a game, then write a PDF and its manifest for each kit.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};

use super::kit::{Kit, KitOptions, assemble, sides_name};
use super::list::sizes;
use super::session::Session;
use super::{Outcome, manifest, output, verify};
use crate::cli::{Build, MarksArg, Players, SidesArg};
use crate::diagnostics::Report;
use crate::export::pdf;
use crate::model::{Game, KitSize};
use crate::sheet::{Marks, Paper, Sides};

/// Runs the command.
pub fn run(arguments: &Build, project: Option<&Path>) -> Result<Outcome> {
    let options = KitOptions {
        paper: Paper::parse(&arguments.paper).map_err(|unknown| anyhow!("{unknown}"))?,
        sides: match arguments.sides {
            SidesArg::LongEdge => Sides::LongEdge,
            SidesArg::ShortEdge => Sides::ShortEdge,
            SidesArg::Fronts => Sides::Fronts,
        },
        marks: match arguments.marks {
            MarksArg::Outside => Marks::Outside,
            MarksArg::None => Marks::None,
        },
        components: arguments.component.clone(),
    };
    let session = Session::open(project)?;
    let games = session.choose(&arguments.games)?;
    let out = arguments.out.clone().unwrap_or_else(|| session.project.disk.root().join("out"));

    let mut all = session.report.clone();
    let mut sound = Vec::new();
    for game in games {
        options.check(game)?;
        let kits = kits_of(game, arguments.players)?;
        let (report, _) = verify::check_game(&session, game);
        let broken = report.has_errors() || blames(&session.report, &game.id);
        all.extend(report);
        if !broken {
            sound.push((game, kits));
        }
    }
    output::tell(&told(&all, &session), &session.project.sources);
    if all.has_errors() && !arguments.keep_going {
        return Ok(Outcome::Findings);
    }
    for (game, kits) in sound {
        let made = build_game(&session, game, &kits, &options, &out)?;
        output::tell(&told(&made, &session), &session.project.sources);
        all.extend(made);
    }
    Ok(output::outcome(&all, false))
}

/// Whether the project's own report has errors of this game, or of none in particular.
fn blames(report: &Report, game: &str) -> bool {
    let errors = report.findings().iter().filter(|finding| finding.severity == crate::diagnostics::Severity::Error);
    errors.into_iter().any(|finding| finding.game.as_deref().is_none_or(|name| name == game))
}

/// The findings worth telling while building: notes are for `verify`.
fn told(report: &Report, session: &Session) -> Vec<crate::diagnostics::Finding> {
    let mut findings = report.sorted(&session.project.sources);
    findings.retain(|finding| finding.severity != crate::diagnostics::Severity::Note);
    findings
}

fn kits_of(game: &Game, players: Option<Players>) -> Result<Vec<KitSize>> {
    match players {
        None => Ok(game.kits().chain([KitSize::Full]).collect()),
        Some(players) => sizes(game, players),
    }
}

fn build_game(session: &Session, game: &Game, kits: &[KitSize], options: &KitOptions, out: &Path) -> Result<Report> {
    let mut report = Report::default();
    let icons = session.icons(game);
    let composer = session.composer(game, &icons, &mut report);
    for size in kits {
        let mut found = Report::default();
        let kit = assemble(&composer, game, *size, options, &session.fonts, &mut found);
        let broken = found.has_errors();
        report.extend(found);
        if !broken {
            write_kit(session, game, &kit, options, out)?;
        }
    }
    report.belongs_to(&game.id);
    Ok(report)
}

fn write_kit(session: &Session, game: &Game, kit: &Kit, options: &KitOptions, out: &Path) -> Result<()> {
    let document = pdf::Document {
        title: &title(game, kit.size),
        language: &game.language,
        creator: concat!("paiban ", env!("CARGO_PKG_VERSION")),
        sheets: &kit.sheets,
        sides: options.sides,
    };
    let path = out.join(&game.id).join(file_name(game, kit.size, options));
    let written =
        pdf::write(&document, &session.fonts).with_context(|| format!("{} cannot be made", path.display()))?;
    for drawn_otherwise in &written.notes {
        output::note(&format!("{}: {drawn_otherwise}", game.id));
    }
    output::write_file(&path, &written.bytes)?;
    output::write_file(&path.with_extension("json"), manifest::render(game, kit, &options.paper).as_bytes())?;
    output::note(&format!("{}  {} pages, {} kB", path.display(), kit.sheets.len(), written.bytes.len() / 1000));
    Ok(())
}

fn title(game: &Game, size: KitSize) -> String {
    match size {
        KitSize::Players(players) => format!("{} ({players}p)", game.title),
        KitSize::Full => game.title.clone(),
    }
}

/// `<game>-<N>p-<paper>.pdf`, with whatever differs from the default behind it.
fn file_name(game: &Game, size: KitSize, options: &KitOptions) -> PathBuf {
    let size = match size {
        KitSize::Players(players) => format!("{players}p"),
        KitSize::Full => "full".to_owned(),
    };
    let mut name = format!("{}-{size}-{}", game.id, options.paper.name);
    if options.sides != Sides::LongEdge {
        name = format!("{name}-{}", sides_name(options.sides));
    }
    for component in &options.components {
        name = format!("{name}-{component}");
    }
    PathBuf::from(name + ".pdf")
}
