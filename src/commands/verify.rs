//! `paiban verify`: everything that building does, but for the files.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::path::Path;

use anyhow::{Result, anyhow};
use rayon::prelude::*;

use super::Outcome;
use super::cache::Remembered;
use super::edges::Edges;
use super::kit::{Kit, KitOptions, assemble};
use super::session::Session;
use super::{output, proof};
use crate::cli::{FindingsFormat, Verify};
use crate::compose::Composer;
use crate::compose::face::FaceHash;
use crate::diagnostics::checks::Check;
use crate::diagnostics::json::Counted;
use crate::diagnostics::{
    Finding, Report, Severity, checks, github, gitlab, human, instead, json, junit, sarif, short,
};
use crate::icons::Icons;
use crate::model::{Game, KitSize};
use crate::sheet::Paper;
use crate::verify::preflight::{Judged, Known, Printed};
use crate::verify::{self, Claimed};

/// What came of checking a game.
pub struct Verdict<'g> {
    /// How much was checked.
    pub counted: Counted,
    /// How its claims came out.
    pub claimed: Claimed,
    /// Its faces, with what is wrong with each.
    pub judged: Vec<Judged<'g>>,
    /// Its kits, laid out with the default options.
    pub kits: Vec<Kit>,
}

/// Runs the command.
pub fn run(arguments: &Verify, project: Option<&Path>) -> Result<Outcome> {
    if let Some(code) = &arguments.explain {
        return explain(code);
    }
    let mut session = Session::open(project)?;
    let mut report = std::mem::take(&mut session.report);
    let mut counted = Counted::default();
    let mut claims = String::new();
    let games = session.choose(&arguments.games)?;
    let sound = !report.has_errors();
    let icons: Vec<Icons> = games.iter().map(|game| session.icons(game)).collect();
    let stretch = session.progress.begin("checking", steps(&games));
    let checked: Vec<(Composer<'_>, Report, Verdict<'_>)> = games
        .par_iter()
        .zip(&icons)
        .map(|(game, icons)| {
            let mut found = Report::default();
            let composer = session.composer(game, icons, &mut found);
            let checked = check_game(&session, game, &composer, None, &mut found);
            // What a fault kept from being drawn only looks unused.
            if sound && !found.has_errors() {
                verify::unused::of_game(game, &composer, &session.project, &mut found);
                found.belongs_to(&game.id);
            }
            (composer, found, checked)
        })
        .collect();
    drop(stretch);
    let mut composers = Vec::new();
    for ((composer, found, verdict), game) in checked.into_iter().zip(&games) {
        let Verdict { counted: checked, claimed, judged, .. } = verdict;
        claims.push_str(&told_claims(game, claimed));
        if arguments.proof {
            let path = proof::write(&session, game, &judged)?;
            output::note(&format!("{} has the faces with what was found on them", path.display()));
        }
        report.extend(found);
        composers.push(composer);
        counted.invariants += checked.invariants;
        counted.claims += checked.claims;
        counted.errata += checked.errata;
        counted.replays += checked.replays;
        counted.faces += checked.faces;
    }
    if arguments.games.is_empty() && !report.has_errors() {
        verify::unused::of_project(&composers, &session.project, &mut report);
    }
    show(&session, &games, &report, &claims, counted, arguments.format)?;
    Ok(output::outcome(&report, arguments.deny_warnings))
}

/// The steps that [`check_game`] takes for `games`, as far as one is told of them.
pub fn steps<'g>(games: impl IntoIterator<Item = &'g &'g Game>) -> u64 {
    // Each kit, everything in the box, and a look at all faces.
    games.into_iter().map(|game| game.kits().count() as u64 + 2).sum()
}

/// Checks all of a game: its invariants, and every face and sheet of every kit on the default paper. What is in `report`
/// already belongs to the game too. Faces that are `remembered` are not looked at again.
pub fn check_game<'g>(
    session: &Session,
    game: &'g Game,
    composer: &Composer<'_>,
    remembered: Option<&Remembered>,
    report: &mut Report,
) -> Verdict<'g> {
    let mut laid_out = Report::default();
    let (checked, kits) = rayon::join(
        || verify::game(game, &composer.words(), &session.engine, &session.project.sources, report),
        || lay_out(session, game, composer, &mut laid_out),
    );
    report.extend(laid_out);
    let faces: BTreeSet<FaceHash> = kits.iter().flat_map(Kit::placed).map(|placement| placement.face.hash).collect();
    if let Some(full) = kits.last() {
        verify::backs::check(game, &full.sheets, &session.fonts, report);
        verify::preflight::wasted(game, &full.sheets, report);
    }
    let mut edges = Edges::default();
    edges.see(game, kits.iter().flat_map(Kit::placed));
    edges.check(game, &session.fonts, remembered.map(|remembered| &remembered.edges), report);
    let known = remembered.map(|remembered| &remembered.flaws);
    let judged = preflight(session, game, composer, &kits, known, report);
    session.progress.step(1);
    report.belongs_to(&game.id);
    let verify::Checked { invariants, claims: claimed, errata, replays } = checked;
    let claims = claimed.hold + claimed.errata + claimed.wrong;
    let counted = Counted { invariants, claims, errata, replays, faces: faces.len() };
    Verdict { counted, claimed, judged, kits }
}

/// Every kit of the game, and everything in the box, on the default paper.
fn lay_out(session: &Session, game: &Game, composer: &Composer<'_>, report: &mut Report) -> Vec<Kit> {
    let options = KitOptions::new(Paper::a4());
    let sizes = game.kits().chain([KitSize::Full]);
    let lay_out = |size| {
        let kit = assemble(composer, game, size, &options, session, report);
        session.progress.step(1);
        kit
    };
    sizes.map(lay_out).collect()
}

/// Measures every distinct face of the kits.
fn preflight<'g>(
    session: &Session,
    game: &'g Game,
    composer: &Composer<'_>,
    kits: &[Kit],
    known: Option<&Known>,
    report: &mut Report,
) -> Vec<Judged<'g>> {
    let faces = verify::preflight::faces(game, kits.iter().map(|kit| kit.sheets.as_slice()));
    let trace = |printed: &Printed<'_>| {
        let address = printed.pieces.first()?;
        let piece = printed.component.pieces.iter().find(|piece| piece.address == *address)?;
        composer.traced(printed.component, piece, printed.is_front, &kits.get(printed.kit)?.page)
    };
    verify::preflight::check(game, faces, &session.fonts, &trace, known, report)
}

/// A line that says how the claims of a game came out; empty where it has none.
fn told_claims(game: &Game, claimed: Claimed) -> String {
    if game.claims.is_empty() {
        return String::new();
    }
    let wrong = if claimed.wrong > 0 { format!("{} wrong, ", claimed.wrong) } else { String::new() };
    let (errata, open) =
        (if claimed.errata == 1 { "1 erratum".into() } else { format!("{} errata", claimed.errata) }, claimed.open);
    let hold = if claimed.hold == 1 { "holds" } else { "hold" };
    format!("{}: {} {hold}, {wrong}{errata}, {open} not checkable\n", game.id, counting(claimed.hold, "claim"))
}

fn show(
    session: &Session,
    games: &[&Game],
    report: &Report,
    claims: &str,
    counted: Counted,
    format: FindingsFormat,
) -> Result<()> {
    let sources = &session.project.sources;
    let findings = report.sorted(sources);
    match format {
        FindingsFormat::Json => output::print(&json::render(&findings, sources, counted)),
        FindingsFormat::Short => output::print(&short::render(&findings, sources)),
        FindingsFormat::Github => output::print(&github::render(&findings, sources)),
        FindingsFormat::Gitlab => output::print(&gitlab::render(&findings, sources)),
        FindingsFormat::Sarif => output::print(&sarif::render(&findings, sources)),
        FindingsFormat::Junit => output::print(&junit_report(&findings, session, games)),
        FindingsFormat::Human => {
            let coloured = std::io::stdout().is_terminal();
            let mut text: String =
                findings.iter().map(|finding| human::render(finding, sources, coloured) + "\n").collect();
            text.push_str(claims);
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
    let Check { code, severity, title, why, wrong, right } = check;
    let example = format!("For example\n\n    {wrong}\n\nshould be\n\n    {right}\n");
    output::print(&format!("{code} ({})\n{title}.\n\n{why}\n\n{example}", severity.name()))?;
    Ok(Outcome::Clean)
}
