//! What every command begins with: find the project, read it, load its fonts, choose the games.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;

use super::plan::Pictures;
use super::progress::Progress;
use crate::compose::Composer;
use crate::compose::art::Studio;
use crate::diagnostics::{Finding, Report, checks, instead};
use crate::expr::Engine;
use crate::fonts::Fonts;
use crate::icons::Icons;
use crate::model::{Game, Project, load};
use crate::source::disk::Disk;

/// What of a project is not its data: it stays while data and templates are read again.
#[derive(Clone)]
pub struct Resources {
    /// The project's folder.
    pub disk: Disk,
    fonts: Arc<Fonts>,
    studio: Arc<Studio>,
    /// Small pictures of pieces, for lists.
    pub pictures: Arc<Pictures>,
    report: Report,
}

/// The project in `folder`, or the one that the current folder lies in.
///
/// # Errors
/// When there is no project, or the disk refuses.
pub fn find(folder: Option<&Path>) -> Result<Disk> {
    let root = match folder {
        Some(folder) => folder.to_path_buf(),
        None => {
            let here = std::env::current_dir().context("the current folder is gone")?;
            load::find_root(&here).ok_or_else(|| {
                anyhow!(
                    "there is no project here: no folder upwards of {} has a `data` folder; `paiban new DIR` makes one",
                    here.display()
                )
            })?
        }
    };
    Disk::open(&root).with_context(|| format!("no project in {}", root.display()))
}

impl Resources {
    /// Finds the project in `folder`, or the one that the current folder lies in, and loads its fonts.
    ///
    /// # Errors
    /// When there is no project, or the disk refuses.
    pub fn open(folder: Option<&Path>) -> Result<Self> {
        Ok(Resources::of(find(folder)?))
    }

    /// Loads the fonts of the project on `disk`.
    pub fn of(disk: Disk) -> Self {
        let mut report = Report::default();
        let fonts = Arc::new(load_fonts(&disk, &mut report));
        let studio = Arc::new(Studio::new(&fonts, &disk));
        Resources { disk, fonts, studio, pictures: Arc::default(), report }
    }
}

/// A project that was read, and what is needed to work on it.
pub struct Session {
    /// Compiles expressions.
    pub engine: Engine,
    /// The project.
    pub project: Project,
    /// Its fonts.
    pub fonts: Arc<Fonts>,
    /// Makes drawings.
    pub studio: Arc<Studio>,
    /// What is wrong so far.
    pub report: Report,
    /// Small pictures of pieces, for lists.
    pub pictures: Arc<Pictures>,
    /// How far the run is.
    pub progress: Progress,
}

impl Session {
    /// Reads the project in `folder`, or the one that the current folder lies in.
    ///
    /// # Errors
    /// When there is no project, or the disk refuses.
    pub fn open(folder: Option<&Path>) -> Result<Self> {
        Session::read(Resources::open(folder)?)
    }

    /// Reads the data of the project that `resources` are of.
    ///
    /// # Errors
    /// When it has no games.
    pub fn read(resources: Resources) -> Result<Self> {
        let Resources { disk, fonts, studio, pictures, mut report } = resources;
        let engine = Engine::default();
        let project = load::project(disk, &engine, &mut report);
        if project.games.is_empty() && !report.has_errors() {
            bail!("{} has no games: no folder below data/", project.disk.root().display());
        }
        Ok(Session { engine, project, fonts, studio, report, pictures, progress: Progress::default() })
    }

    /// The games called `names`, or all of them.
    ///
    /// # Errors
    /// When there is no game of that name.
    pub fn choose(&self, names: &[String]) -> Result<Vec<&Game>> {
        if names.is_empty() {
            return Ok(self.project.games.iter().collect());
        }
        names.iter().map(|name| self.game(name)).collect()
    }

    /// The game called `name`.
    ///
    /// # Errors
    /// When there is no game of that name.
    pub fn game(&self, name: &str) -> Result<&Game> {
        let games = &self.project.games;
        games.iter().find(|game| game.id == name).ok_or_else(|| {
            let ids: Vec<&str> = games.iter().map(|game| game.id.as_str()).collect();
            anyhow!("there is no game `{name}`{}", instead(name, "there are", &ids))
        })
    }

    /// The icons of `game`.
    pub fn icons(&self, game: &Game) -> Icons {
        let aliases = game.icons.iter().map(|(name, icon)| (name.clone(), icon.value.clone())).collect();
        Icons::new(self.project.disk.for_game(&game.id), game.icon_set.as_ref().map(|set| set.value.clone()), aliases)
    }

    /// A composer of faces of `game`.
    pub fn composer<'a>(&'a self, game: &'a Game, icons: &'a Icons, report: &mut Report) -> Composer<'a> {
        Composer::new(&self.project, game, &self.engine, (self.fonts.as_ref(), icons, self.studio.as_ref()), report)
    }
}

/// Every font file in the folders of fonts/.
fn load_fonts(disk: &Disk, report: &mut Report) -> Fonts {
    let is_font = |name: &str| {
        let name = name.to_ascii_lowercase();
        [".ttf", ".otf", ".ttc", ".otc"].iter().any(|ending| name.ends_with(ending))
    };
    let folders = disk.list("fonts", |name| !name.starts_with('.')).unwrap_or_default();
    let folders = folders.into_iter().map(|family| format!("fonts/{family}"));
    let paths: Vec<String> = folders
        .flat_map(|folder| {
            let names = disk.list(&folder, is_font).unwrap_or_default();
            names.into_iter().map(move |name| format!("{folder}/{name}"))
        })
        .collect();
    let read: Vec<_> = paths.par_iter().map(|path| disk.read(path)).collect();
    let mut files = Vec::new();
    for (path, read) in paths.into_iter().zip(read) {
        match read {
            Ok(bytes) => files.push((path, bytes)),
            Err(refusal) => report.push(Finding::new(checks::FILE_UNREADABLE, format!("{path}: {refusal}"))),
        }
    }
    let (fonts, bad) = Fonts::load(files);
    for font in bad {
        report.push(Finding::new(checks::FONT_UNUSABLE, format!("{}: {}", font.path, font.why)));
    }
    fonts
}
