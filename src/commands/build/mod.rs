//! `paiban build`: check a game, then write a PDF and its manifest for each kit.

mod job;
mod past;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::kit::KitOptions;
use super::list::sizes;
use super::output::{self, Told};
use super::press::Press;
use super::session::{self, Resources, Session};
use super::watch::{self, Watch};
use super::{Outcome, shop, verify};
use crate::cli::{Build, InkArg, Players};
use crate::diagnostics::{Finding, Report, Severity};
use crate::icons::Icons;
use crate::model::{Game, KitSize, load};
use crate::sheet::Paper;

pub(super) use job::{Making, print};

use job::Job;
use past::Past;

/// Runs the command.
pub fn run(arguments: &Build, project: Option<&Path>) -> Result<Outcome> {
    if arguments.watch {
        return watched(arguments, project);
    }
    output::stop_on_interrupt()?;
    Ok(once(arguments, &arguments.games, project, false)?.unwrap_or(Outcome::Clean))
}

/// Builds, and does so again whenever a file of the project is saved. Faults and trouble do not end it, but for those of its first
/// steps.
fn watched(arguments: &Build, project: Option<&Path>) -> Result<Outcome> {
    let resources = Resources::open(project)?;
    let root = resources.disk.root().to_path_buf();
    Session::read(resources)?.choose(&arguments.games)?;
    let out = arguments.print.out.clone().unwrap_or_else(|| root.join("out"));
    let (post, letters) = mpsc::channel();
    // Nobody listens any more only when the program ends.
    let mut watch = Watch::start(&root, &out, move |path| drop(post.send(path)))?;
    output::end_on_interrupt()?;
    let mut games = arguments.games.clone();
    let mut again = false;
    loop {
        let began = Instant::now();
        match once(arguments, &games, Some(&root), again) {
            // What was saved is nothing of the project's, a log of this very run perhaps.
            Ok(None) => {}
            Ok(Some(outcome)) => eprintln!("{} after {} ms; Ctrl-C ends", outcome.word(), began.elapsed().as_millis()),
            Err(trouble) => eprintln!("paiban: {trouble:#}"),
        }
        let first = letters.recv().context("files are not followed any more")?;
        let paths = watch::settled(first, |patience| letters.recv_timeout(patience).ok());
        watch.follow()?;
        (games, again) = (touched(&paths, &arguments.games), true);
    }
}

/// The games to build again after these files changed: those whose data they are, or all that were asked for.
fn touched(paths: &BTreeSet<String>, asked: &[String]) -> Vec<String> {
    let games: Option<BTreeSet<&str>> = paths.iter().map(|path| watch::game_of(path)).collect();
    let games =
        games.unwrap_or_default().into_iter().filter(|game| asked.is_empty() || asked.iter().any(|own| own == game));
    let games: Vec<String> = games.map(str::to_owned).collect();
    if games.is_empty() { asked.to_vec() } else { games }
}

/// Builds `games`, or all if none is named. What an earlier run made and would be made again stays as it is; where that is everything and all of it
/// was told before (`again`) nothing is said, and there is no outcome.
fn once(arguments: &Build, games: &[String], project: Option<&Path>, again: bool) -> Result<Option<Outcome>> {
    if arguments.shop.is_some() && arguments.print.ink == InkArg::Saver {
        bail!("a shop prints with all ink: `--for` and `--ink saver` do not go together");
    }
    let options = KitOptions::of(&arguments.print)?;
    let disk = session::find(project)?;
    let out = arguments.print.out.clone().unwrap_or_else(|| disk.root().join("out"));
    let mut past = Past::find(arguments, &options, &out, &disk);
    let whole = load::games(&disk);
    let names = if games.is_empty() { whole.as_slice() } else { games };
    // What is wrong with the data of the other games is told too.
    if past.covers(names, &disk) && past.covers(&whole, &disk) {
        if again {
            return Ok(None);
        }
        output::tell_all(past.told(names).collect());
        past.say(names);
        return Ok(Some(Outcome::Clean));
    }
    let session = Session::read(Resources::of(disk))?;
    let games = session.choose(games)?;
    let icons: Vec<Icons> = games.iter().map(|game| session.icons(game)).collect();

    let mut all = session.report.clone();
    let shop = match &arguments.shop {
        Some(id) => shop::profile(id, &session, &mut all)?,
        None => None,
    };
    if arguments.shop.is_some() && shop.is_none() {
        output::tell(&told(&all, &session), &session.project.sources);
        return Ok(Some(Outcome::Findings));
    }
    let press = Press::of(arguments, shop.as_ref())?;
    press.check(arguments, &mut all);
    let common = told(&all, &session);
    let mut sound = Vec::new();
    let stretch = session.progress.begin("checking", verify::steps(games.iter().filter(|game| !past.stands(&game.id))));
    for (game, icons) in games.iter().zip(&icons) {
        options.check(game)?;
        if past.stands(&game.id) {
            continue;
        }
        let players = arguments.players.or(shop.as_ref().map(|_| Players::Full));
        let (mut job, is_sound) = check(game, icons, kits_of(game, players)?, &session, &mut past);
        all.extend(job.report.clone());
        if shop.is_some() || options != KitOptions::new(Paper::a4()) {
            job.lay_out_anew();
        }
        sound.extend(is_sound.then_some(job));
    }
    drop(stretch);
    let names: Vec<String> = games.iter().map(|game| game.id.clone()).collect();
    let found = Told::of(&told(&all, &session), &session.project.sources);
    output::tell_all(found.into_iter().chain(past.told(&names)).collect());
    past.say(&names);
    if all.has_errors() && !arguments.keep_going {
        past.keep_faces(&session);
        return Ok(Some(Outcome::Findings));
    }
    let making = Making {
        options: &options,
        ink: arguments.print.ink,
        cut: arguments.cut_contour.as_deref(),
        guides: arguments.guides,
        shop: shop.as_ref(),
        press: &press,
        out: &out,
    };
    for job in sound {
        let made = job.build(&session, &making)?;
        output::tell(&told(&made.report, &session), &session.project.sources);
        past.keep(&made, &common, &session);
        all.extend(made.report);
    }
    past.keep_faces(&session);
    Ok(Some(output::outcome(&all, false)))
}

/// Checks `game`. What comes of it is the work that is left for its kits of these sizes, and whether they may be made.
fn check<'s>(
    game: &'s Game,
    icons: &'s Icons,
    sizes: Vec<KitSize>,
    session: &'s Session,
    past: &mut Past,
) -> (Job<'s>, bool) {
    let mut report = Report::default();
    let remembered = past.remembered(game, session);
    let remembered = remembered.as_deref();
    let composer = session.composer(game, icons, &mut report).remembering(remembered.map(|kept| &kept.faces));
    let mut laid_out = verify::check_game(session, game, &composer, remembered, &mut report).kits;
    let is_sound = !report.has_errors() && !blames(&session.report, &game.id);
    let mut kit = |size| laid_out.iter().position(|kit| kit.size == size).map(|at| laid_out.swap_remove(at));
    // What was laid out to be checked is what is written.
    let kits = sizes.into_iter().map(|size| (size, kit(size))).collect();
    (Job { game, composer, kits, report }, is_sound)
}

/// Whether the project's own report has errors of this game, or of none in particular.
pub(super) fn blames(report: &Report, game: &str) -> bool {
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.into_iter().any(|finding| finding.game.as_deref().is_none_or(|name| name == game))
}

/// The findings worth telling while building: notes are for `verify`.
pub(super) fn told(report: &Report, session: &Session) -> Vec<Finding> {
    let mut findings = report.sorted(&session.project.sources);
    findings.retain(|finding| finding.severity != Severity::Note);
    findings
}

fn kits_of(game: &Game, players: Option<Players>) -> Result<Vec<KitSize>> {
    match players {
        None => Ok(game.kits().chain([KitSize::Full]).collect()),
        Some(players) => sizes(game, players),
    }
}
