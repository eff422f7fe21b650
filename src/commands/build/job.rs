//! The files of a game: its kits as PDFs, each with its manifest, or what a shop wants to be sent.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use rayon::prelude::*;

use crate::cli::InkArg;
use crate::commands::kit::{Kit, KitOptions, assemble, sides_name};
use crate::commands::press::Press;
use crate::commands::session::Session;
use crate::commands::{manifest, output, shop};
use crate::compose::Composer;
use crate::diagnostics::{Finding, Report, checks};
use crate::export::{pdf, saver};
use crate::model::shop::Shop;
use crate::model::{Game, KitSize};
use crate::sheet::{Margins, Marks, Sides};

/// How the kits are made, and where they go.
#[derive(Clone, Copy)]
pub struct Making<'a> {
    pub options: &'a KitOptions,
    pub ink: InkArg,
    pub cut: Option<&'a str>,
    pub guides: bool,
    pub shop: Option<&'a Shop>,
    pub press: &'a Press,
    pub out: &'a Path,
}

/// A game that may be built.
pub struct Job<'a> {
    /// The game.
    pub game: &'a Game,
    /// Composes its faces.
    pub composer: Composer<'a>,
    /// The kits that are wanted, laid out where they are already.
    pub kits: Vec<(KitSize, Option<Kit>)>,
    /// What was found so far.
    pub report: Report,
}

/// What came of a game.
pub struct Made {
    /// The game's id.
    pub game: String,
    /// What was found before its kits were made.
    pub before: Report,
    /// What was found while they were made.
    pub report: Report,
    /// The files, with the hashes of their bytes.
    pub files: Vec<(PathBuf, [u8; 32])>,
    /// What was drawn otherwise than the faces say.
    pub notes: Vec<String>,
}

impl Making<'_> {
    /// Where the PDF of a kit goes.
    pub fn path(&self, game: &Game, size: KitSize) -> PathBuf {
        self.out.join(&game.id).join(file_name(game, size, self))
    }

    /// What file names say of the inks and of what is drawn besides.
    fn suffix(&self) -> String {
        let cut = if self.cut.is_some() { "-cut" } else { "" };
        let guides = if self.guides { "-guides" } else { "" };
        [self.ink.suffix(), self.press.suffix(), cut, guides].concat()
    }
}

/// The files of a kit, not yet on the disk.
pub struct Files {
    files: Vec<(PathBuf, Vec<u8>)>,
    /// What an earlier run made in their place, which goes.
    stale: Vec<PathBuf>,
    /// What was drawn otherwise than the faces say.
    notes: Vec<pdf::Note>,
    /// What is to be told when they are written.
    summary: String,
}

impl Job<'_> {
    /// Forgets the kits that are laid out, as other sheets are wanted.
    pub fn lay_out_anew(&mut self) {
        self.kits.iter_mut().for_each(|(_, kit)| *kit = None);
    }

    /// Makes all kits, on all cores, then writes them. A kit with faults is not written.
    pub fn build(mut self, session: &Session, making: &Making<'_>) -> Result<Made> {
        let kits = std::mem::take(&mut self.kits);
        let stretch = session.progress.begin("making kits", kits.len() as u64);
        let make = |(size, kit)| {
            let made = self.made(session, size, kit, making);
            session.progress.step(1);
            made
        };
        let kits: Vec<_> = kits.into_par_iter().map(make).collect();
        drop(stretch);
        let game = self.game.id.clone();
        let mut made =
            Made { game, before: self.report, report: Report::default(), files: Vec::new(), notes: Vec::new() };
        for kit in kits {
            let (found, files) = kit?;
            made.report.extend(found);
            if let Some(files) = files {
                files.write(&made.game)?;
                made.files.extend(files.hashes()?);
                made.notes.extend(files.notes.iter().map(|note| format!("{}: {note}", made.game)));
            }
        }
        made.report.belongs_to(&made.game);
        Ok(made)
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
        let (others, stale) = order.earlier(&made);
        let list = (folder.join(shop::LIST), order.list(&made, others).into_bytes());
        let summary = format!("{}  {} files for {}", folder.display(), made.len(), shop.title);
        let files = made.into_iter().map(|file| (file.path, file.bytes)).chain([list]).collect();
        Ok((found, Some(Files { files, stale, notes, summary })))
    }

    fn kit(
        &self,
        session: &Session,
        size: KitSize,
        kit: Option<Kit>,
        making: &Making<'_>,
    ) -> Result<(Report, Option<Files>)> {
        let mut found = Report::default();
        let lay_out = || assemble(&self.composer, self.game, size, making.options, session, &mut found);
        let kit = kit.unwrap_or_else(lay_out);
        if found.has_errors() {
            return Ok((found, None));
        }
        let files = print(kit, self.game, session, making, &mut found)?;
        Ok((found, files))
    }
}

/// The PDF and the manifest of a kit. None when nothing is in it, or when `report` says what is wrong.
pub fn print(
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
    Ok(Some(Files { files, stale: Vec::new(), notes: pdf.notes, summary }))
}

impl Files {
    /// Writes them, and tells what is to be told of the game called `game`. Files that are there already are not touched.
    pub fn write(&self, game: &str) -> Result<()> {
        for drawn_otherwise in &self.notes {
            output::note(&format!("{game}: {drawn_otherwise}"));
        }
        let mut changed = false;
        for (path, bytes) in &self.files {
            if !output::read_plain(path).is_ok_and(|old| old == *bytes) {
                output::write_file(path, bytes)?;
                changed = true;
            }
        }
        for path in &self.stale {
            fs::remove_file(path)
                .with_context(|| format!("{} is of an earlier order and cannot be deleted", path.display()))?;
            output::note(&format!("{}  of an earlier order, deleted", path.display()));
        }
        output::note(&format!("{}{}", self.summary, if changed { "" } else { ", as it was" }));
        Ok(())
    }

    /// Their absolute paths and the hashes of their bytes.
    fn hashes(&self) -> Result<Vec<(PathBuf, [u8; 32])>> {
        let hash = |(path, bytes): &(PathBuf, Vec<u8>)| {
            let path = std::path::absolute(path).context("the current folder is gone")?;
            Ok((path, *blake3::hash(bytes).as_bytes()))
        };
        self.files.iter().map(hash).collect()
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
    name.push_str(match options.marks {
        Marks::Outside => "",
        Marks::Guillotine => "-guillotine",
        Marks::None => "-unmarked",
    });
    if options.margins != Margins::DEFAULT {
        name = format!("{name}-margin-{}", options.margins.to_string().replace(' ', "-"));
    }
    for component in &options.components {
        name = format!("{name}-{component}");
    }
    if let Some(profile) = &options.profile {
        name = format!("{name}-{}", profile.name);
    }
    PathBuf::from(name + &making.suffix() + making.press.standard_suffix() + ".pdf")
}
