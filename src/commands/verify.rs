//! `paiban verify`: everything that building does, but for the files.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Result, anyhow};

use super::Outcome;
use super::kit::{Kit, KitOptions, assemble};
use super::output;
use super::session::Session;
use crate::cli::{FindingsFormat, Verify};
use crate::compose::Composer;
use crate::compose::face::FaceHash;
use crate::diagnostics::json::Counted;
use crate::diagnostics::{Finding, Report, Severity, checks, github, human, instead, json, junit, sarif, short};
use crate::model::{Game, KitSize};
use crate::sheet::Paper;
use crate::verify;

/// Runs the command.
pub fn run(arguments: &Verify, project: Option<&Path>) -> Result<Outcome> {
    if let Some(code) = &arguments.explain {
        return explain(code);
    }
    let mut session = Session::open(project)?;
    let mut report = std::mem::take(&mut session.report);
    let mut counted = Counted::default();
    let games = session.choose(&arguments.games)?;
    let default = |_| KitOptions::new(Paper::a4());
    for game in &games {
        let mut found = Report::default();
        let icons = session.icons(game);
        let composer = session.composer(game, &icons, &mut found);
        let (checked, _) = check_game(&session, game, &composer, &default, &mut found);
        report.extend(found);
        counted.invariants += checked.invariants;
        counted.errata += checked.errata;
        counted.replays += checked.replays;
        counted.faces += checked.faces;
    }
    show(&session, &games, &report, counted, arguments.format)?;
    Ok(output::outcome(&report, arguments.deny_warnings))
}

/// Checks all of a game: its invariants, and every face and sheet of every kit, made as `options` says for its size. What is in
/// `report` already belongs to the game too. Returns what was checked, and the kits.
pub fn check_game(
    session: &Session,
    game: &Game,
    composer: &Composer<'_>,
    options: &dyn Fn(KitSize) -> KitOptions,
    report: &mut Report,
) -> (Counted, Vec<Kit>) {
    let checked = verify::game(game, &composer.words(), &session.engine, &session.project.sources, report);
    let sizes = game.kits().chain([KitSize::Full]);
    let kits = sizes.map(|size| assemble(composer, game, size, &options(size), &session.fonts, report));
    let kits: Vec<Kit> = kits.collect();
    let placed = kits.iter().flat_map(|kit| &kit.sheets).flat_map(|sheet| &sheet.placements);
    let faces: BTreeSet<FaceHash> = placed.map(|placement| placement.face.hash).collect();
    report.belongs_to(&game.id);
    let verify::Checked { invariants, errata, replays } = checked;
    (Counted { invariants, errata, replays, faces: faces.len(), ..Counted::default() }, kits)
}

fn show(session: &Session, games: &[&Game], report: &Report, counted: Counted, format: FindingsFormat) -> Result<()> {
    let sources = &session.project.sources;
    let findings = report.sorted(sources);
    match format {
        FindingsFormat::Json => output::print(&json::render(&findings, sources, counted)),
        FindingsFormat::Short => output::print(&short::render(&findings, sources)),
        FindingsFormat::Github => output::print(&github::render(&findings, sources)),
        FindingsFormat::Sarif => output::print(&sarif::render(&findings, sources)),
        FindingsFormat::Junit => output::print(&junit_report(&findings, session, games)),
        FindingsFormat::Human => {
            let coloured = std::io::stdout().is_terminal();
            let mut text: String =
                findings.iter().map(|finding| human::render(finding, sources, coloured) + "\n").collect();
            text.push_str(&summary(&findings, counted));
            output::print(&text)
        }
    }
}

/// The findings as a JUnit report: a test for each built-in check and each invariant of the games.
fn junit_report(findings: &[Finding], session: &Session, games: &[&Game]) -> String {
    let suites: Vec<junit::Suite<'_>> = games
        .iter()
        .map(|game| {
            let built_in = checks::ALL.iter().map(|check| check.code);
            let declared = game.invariants.iter().map(|invariant| invariant.id.as_str());
            junit::Suite { game: &game.id, codes: built_in.chain(declared).collect() }
        })
        .collect();
    junit::render(findings, &session.project.sources, &suites)
}

fn summary(findings: &[Finding], counted: Counted) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let replays = match counted.replays {
        0 => String::new(),
        replays => format!(", {}", counting(replays, "replay")),
    };
    format!(
        "{}, {}, {}; {}{replays} and {} checked\n",
        counting(count(Severity::Error), "error"),
        counting(count(Severity::Warning), "warning"),
        counting(count(Severity::Note), "note"),
        counting(counted.invariants, "invariant"),
        counting(counted.faces, "face")
    )
}

/// `1 error`, `2 errors`.
fn counting(number: usize, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

fn explain(code: &str) -> Result<Outcome> {
    let check = checks::by_code(code).ok_or_else(|| {
        let known: Vec<&str> = checks::ALL.iter().map(|check| check.code).collect();
        anyhow!("there is no check `{code}`{}", instead(code, "there are", &known))
    })?;
    output::print(&format!("{} ({})\n{}.\n\n{}\n", check.code, check.severity.name(), check.title, check.why))?;
    Ok(Outcome::Clean)
}
