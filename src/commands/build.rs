//! `paiban build`: check a game, then write a PDF and its manifest for each kit.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use rayon::prelude::*;

use super::kit::{Kit, KitOptions, assemble, sides_name};
use super::list::sizes;
use super::press::Press;
use super::session::{Resources, Session};
use super::watch::{self, Watch};
use super::{Outcome, manifest, output, shop, verify};
use crate::cli::{Build, InkArg, Players};
use crate::compose::Composer;
use crate::diagnostics::{Finding, Report, checks};
use crate::export::{pdf, saver};
use crate::icons::Icons;
use crate::model::shop::Shop;
use crate::model::{Game, KitSize};
use crate::sheet::{Paper, Sides};

/// Runs the command.
pub fn run(arguments: &Build, project: Option<&Path>) -> Result<Outcome> {
    if arguments.watch {
        return watched(arguments, project);
    }
    output::stop_on_interrupt()?;
    once(arguments, &arguments.games, project)
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
    loop {
        let began = Instant::now();
        match once(arguments, &games, Some(&root)) {
            Ok(outcome) => eprintln!("{} after {} ms; Ctrl-C ends", outcome.word(), began.elapsed().as_millis()),
            Err(trouble) => eprintln!("paiban: {trouble:#}"),
        }
        let first = letters.recv().context("files are not followed any more")?;
        let paths = watch::settled(first, |patience| letters.recv_timeout(patience).ok());
        watch.follow()?;
        games = touched(&paths, &arguments.games);
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

/// Builds `games`, or all if none is named.
fn once(arguments: &Build, games: &[String], project: Option<&Path>) -> Result<Outcome> {
    if arguments.shop.is_some() && arguments.print.ink == InkArg::Saver {
        bail!("a shop prints with all ink: `--for` and `--ink saver` do not go together");
    }
    let options = KitOptions::of(&arguments.print)?;
    let session = Session::open(project)?;
    let games = session.choose(games)?;
    let out = arguments.print.out.clone().unwrap_or_else(|| session.project.disk.root().join("out"));
    let icons: Vec<Icons> = games.iter().map(|game| session.icons(game)).collect();

    let mut all = session.report.clone();
    let shop = match &arguments.shop {
        Some(id) => shop::profile(id, &session, &mut all)?,
        None => None,
    };
    if arguments.shop.is_some() && shop.is_none() {
        output::tell(&told(&all, &session), &session.project.sources);
        return Ok(Outcome::Findings);
    }
    let press = Press::of(arguments, shop.as_ref())?;
    press.check(arguments, &mut all);
    let mut sound = Vec::new();
    for (game, icons) in games.iter().zip(&icons) {
        options.check(game)?;
        let players = arguments.players.or(shop.as_ref().map(|_| Players::Full));
        let sizes = kits_of(game, players)?;
        let mut report = Report::default();
        let composer = session.composer(game, icons, &mut report);
        let mut laid_out = verify::check_game(&session, game, &composer, &mut report).kits;
        // What was laid out to be checked is what is written, unless other sheets are wanted.
        laid_out.retain(|_| shop.is_none() && options == KitOptions::new(Paper::a4()));
        if !report.has_errors() && !blames(&session.report, &game.id) {
            let mut kit = |size| laid_out.iter().position(|kit| kit.size == size).map(|at| laid_out.swap_remove(at));
            let kits = sizes.into_iter().map(|size| (size, kit(size))).collect();
            sound.push(Job { game, composer, kits });
        }
        all.extend(report);
    }
    output::tell(&told(&all, &session), &session.project.sources);
    if all.has_errors() && !arguments.keep_going {
        return Ok(Outcome::Findings);
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
        output::tell(&told(&made, &session), &session.project.sources);
        all.extend(made);
    }
    Ok(output::outcome(&all, false))
}

/// Whether the project's own report has errors of this game, or of none in particular.
pub(super) fn blames(report: &Report, game: &str) -> bool {
    let errors = report.findings().iter().filter(|finding| finding.severity == crate::diagnostics::Severity::Error);
    errors.into_iter().any(|finding| finding.game.as_deref().is_none_or(|name| name == game))
}

/// The findings worth telling while building: notes are for `verify`.
pub(super) fn told(report: &Report, session: &Session) -> Vec<crate::diagnostics::Finding> {
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

/// How the kits are made, and where they go.
#[derive(Clone, Copy)]
pub(super) struct Making<'a> {
    pub options: &'a KitOptions,
    pub ink: InkArg,
    pub cut: Option<&'a str>,
    pub guides: bool,
    pub shop: Option<&'a Shop>,
    pub press: &'a Press,
    pub out: &'a Path,
}

/// A game that may be built.
struct Job<'a> {
    game: &'a Game,
    composer: Composer<'a>,
    /// The kits that are wanted, laid out where they are already.
    kits: Vec<(KitSize, Option<Kit>)>,
}

impl Making<'_> {
    /// Where the PDF of a kit goes.
    pub(super) fn path(&self, game: &Game, size: KitSize) -> PathBuf {
        self.out.join(&game.id).join(file_name(game, size, self))
    }

    /// What file names say of the inks.
    fn suffix(&self) -> String {
        [self.ink.suffix(), self.press.suffix(), if self.cut.is_some() { "-cut" } else { "" }].concat()
    }
}

/// The files of a kit, not yet on the disk.
pub(super) struct Files {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// What was drawn otherwise than the faces say.
    notes: Vec<pdf::Note>,
    /// What is to be told when they are written.
    summary: String,
}

impl Job<'_> {
    /// Makes all kits, on all cores, then writes them. A kit with faults is not written.
    fn build(mut self, session: &Session, making: &Making<'_>) -> Result<Report> {
        let kits = std::mem::take(&mut self.kits);
        let made: Vec<_> = kits.into_par_iter().map(|(size, kit)| self.made(session, size, kit, making)).collect();
        let mut report = Report::default();
        for kit in made {
            let (found, files) = kit?;
            report.extend(found);
            files.map_or(Ok(()), |files| files.write(&self.game.id))?;
        }
        report.belongs_to(&self.game.id);
        Ok(report)
    }

    fn made(
        &self,
        session: &Session,
        size: KitSize,
        kit: Option<Kit>,
        making: &Making<'_>,
    ) -> Result<(Report, Option<Files>)> {
        match making.shop {
            Some(shop) => self.order(session, size, making, shop),
            None => self.kit(session, size, kit, making),
        }
    }

    /// What `shop` wants to be sent.
    fn order(
        &self,
        session: &Session,
        size: KitSize,
        making: &Making<'_>,
        shop: &Shop,
    ) -> Result<(Report, Option<Files>)> {
        let folder = match size {
            KitSize::Players(players) => format!("{}-{players}p", shop.id),
            KitSize::Full => shop.id.clone(),
        };
        let folder = making.out.join(&self.game.id).join(folder + &making.suffix());
        let order = shop::Order {
            composer: &self.composer,
            game: self.game,
            size,
            options: making.options,
            shop,
            press: making.press,
            cut: making.cut,
            folder: &folder,
        };
        let mut found = Report::default();
        let made = order.make(session, &mut found)?;
        let notes: Vec<_> = made.iter().flat_map(|file| file.notes.iter().cloned()).collect();
        making.press.judge(&notes, self.game, &mut found);
        if found.has_errors() {
            return Ok((found, None));
        }
        let list = (folder.join("files.json"), order.list(&made).into_bytes());
        let summary = format!("{}  {} files for {}", folder.display(), made.len(), shop.title);
        let files = made.into_iter().map(|file| (file.path, file.bytes)).chain([list]).collect();
        Ok((found, Some(Files { files, notes, summary })))
    }

    fn kit(
        &self,
        session: &Session,
        size: KitSize,
        kit: Option<Kit>,
        making: &Making<'_>,
    ) -> Result<(Report, Option<Files>)> {
        let mut found = Report::default();
        let lay_out = || assemble(&self.composer, self.game, size, making.options, &session.fonts, &mut found);
        let kit = kit.unwrap_or_else(lay_out);
        if found.has_errors() {
            return Ok((found, None));
        }
        let files = print(kit, self.game, session, making, &mut found)?;
        Ok((found, files))
    }
}

/// The PDF and the manifest of a kit. None when nothing is in it, or when `report` says what is wrong.
pub(super) fn print(
    mut kit: Kit,
    game: &Game,
    session: &Session,
    making: &Making<'_>,
    report: &mut Report,
) -> Result<Option<Files>> {
    let path = making.path(game, kit.size);
    if kit.sheets.is_empty() {
        output::note(&format!("{}  nothing of this is in the kit, not made", path.display()));
        return Ok(None);
    }
    if making.ink == InkArg::Saver {
        saver::sheets(&mut kit.sheets, &session.fonts);
    }
    let safe = game.components.iter().filter(|_| making.guides);
    let guides = safe.map(|component| (component.id.clone(), component.safe)).collect();
    let document = pdf::Document {
        title: &title(game, kit.size),
        language: &game.language,
        creator: concat!("paiban ", env!("CARGO_PKG_VERSION")),
        sheets: &kit.sheets,
        sides: making.options.sides,
        ink: making.press.ink(),
        standard: making.press.standard,
        boxes: pdf::Boxes::Sheet,
        cut: making.cut,
        guides: &guides,
    };
    let pdf = match pdf::write(&document, &session.fonts) {
        // A font that is broken where only embedding looks is a fault of the project.
        Err(why @ pdf::Failure::Font { .. }) => {
            report
                .push(Finding::new(checks::FONT_UNUSABLE, why.to_string()).help("take the font from its maker again"));
            return Ok(None);
        }
        made => made.with_context(|| format!("{} cannot be made", path.display()))?,
    };
    making.press.judge(&pdf.notes, game, report);
    if report.has_errors() {
        return Ok(None);
    }
    let manifest = manifest::render(game, &kit, making.options).into_bytes();
    let kilobytes = pdf.bytes.len() / 1000;
    let summary = format!("{}  {} pages, {kilobytes} kB", path.display(), kit.sheets.len());
    let files = vec![(path.clone(), pdf.bytes), (path.with_extension("json"), manifest)];
    Ok(Some(Files { files, notes: pdf.notes, summary }))
}

impl Files {
    /// Writes them, and tells what is to be told of the game called `game`.
    pub(super) fn write(&self, game: &str) -> Result<()> {
        for drawn_otherwise in &self.notes {
            output::note(&format!("{game}: {drawn_otherwise}"));
        }
        for (path, bytes) in &self.files {
            output::write_file(path, bytes)?;
        }
        output::note(&self.summary);
        Ok(())
    }
}

fn title(game: &Game, size: KitSize) -> String {
    match size {
        KitSize::Players(players) => format!("{} ({players}p)", game.title),
        KitSize::Full => game.title.clone(),
    }
}

/// `<game>-<N>p-<paper>.pdf`, with whatever differs from the default behind it.
fn file_name(game: &Game, size: KitSize, making: &Making<'_>) -> PathBuf {
    let Making { options, .. } = *making;
    let size = if options.only.is_some() { "reprint".to_owned() } else { size.to_string() };
    let mut name = format!("{}-{size}-{}", game.id, options.paper.name);
    if options.sides != Sides::LongEdge {
        name = format!("{name}-{}", sides_name(options.sides));
    }
    for component in &options.components {
        name = format!("{name}-{component}");
    }
    if let Some(profile) = &options.profile {
        name = format!("{name}-{}", profile.name);
    }
    PathBuf::from(name + &making.suffix() + ".pdf")
}
