//! Follows the files of a project: which of them were saved, and when a save is over.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

/// A save is over when nothing was written for this long: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(10);
/// Whatever is still written after this long is taken for another save.
const LONGEST: Duration = Duration::from_millis(250);

/// Follows a project as long as it lives.
pub struct Watch {
    watcher: RecommendedWatcher,
    bounds: Bounds,
    followed: BTreeSet<PathBuf>,
}

/// Which files are the project's.
#[derive(Clone)]
struct Bounds {
    root: PathBuf,
    out: PathBuf,
}

impl Watch {
    /// Follows the project in `root`, all but what lies in `out`; `tell` gets the path of every file that changes, relative to
    /// the project and with `/`, or nothing at all where the system cannot say which.
    ///
    /// # Errors
    /// When the system cannot follow files, or not so many.
    pub fn start(root: &Path, out: &Path, tell: impl Fn(String) + Send + 'static) -> Result<Self> {
        let out = std::path::absolute(out).unwrap_or_else(|_| out.to_path_buf());
        let bounds = Bounds { root: root.to_path_buf(), out };
        let seen = bounds.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| match event {
            Ok(event) if event.need_rescan() => tell(String::new()),
            Ok(event) if writes(event.kind) => {
                event.paths.iter().filter_map(|path| seen.relative(path)).for_each(&tell)
            }
            Ok(_) => {}
            Err(_) => tell(String::new()),
        });
        let watcher = watcher.context("files cannot be followed")?;
        let mut watch = Watch { watcher, bounds, followed: BTreeSet::new() };
        watch.follow()?;
        Ok(watch)
    }

    /// Follows the folders of the project that are not followed yet.
    ///
    /// # Errors
    /// When the system cannot follow so many.
    pub fn follow(&mut self) -> Result<()> {
        let root = self.bounds.root.clone();
        self.add(&root, RecursiveMode::NonRecursive)?;
        let entries = fs::read_dir(&root).with_context(|| format!("{} cannot be listed", root.display()))?;
        let folders = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir());
        for folder in folders.collect::<BTreeSet<PathBuf>>() {
            if self.bounds.relative(&folder).is_some() {
                self.add(&folder, RecursiveMode::Recursive)?;
            }
        }
        // A folder that went away must be followed anew when it comes back.
        self.followed.retain(|folder| folder.exists());
        Ok(())
    }

    fn add(&mut self, folder: &Path, mode: RecursiveMode) -> Result<()> {
        if self.followed.insert(folder.to_path_buf()) {
            self.watcher.watch(folder, mode).with_context(|| format!("{} cannot be followed", folder.display()))?;
        }
        Ok(())
    }
}

/// Everything that changes until a save is over; `next` waits so long for another path.
pub fn settled(first: String, mut next: impl FnMut(Duration) -> Option<String>) -> BTreeSet<String> {
    let began = Instant::now();
    let mut paths = BTreeSet::from([first]);
    while began.elapsed() < LONGEST {
        match next(QUIET) {
            Some(path) => paths.insert(path),
            None => break,
        };
    }
    paths
}

/// The game that a file is the data of. None for templates and everything else that several games may use.
pub fn game_of(path: &str) -> Option<&str> {
    path.strip_prefix("data/")?.split_once('/').map(|(game, _)| game)
}

/// Whether something was written, made, moved or deleted. That a file was read, by us for one, is nothing new.
const fn writes(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => true,
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => false,
        _ => true,
    }
}

impl Bounds {
    /// The path below the project. None for what is not the project's: made files, hidden ones, those that editors leave lying.
    fn relative(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.root).ok()?;
        if path.starts_with(&self.out) || inside.starts_with("out") || inside.starts_with("target") {
            return None;
        }
        let parts: Option<Vec<&str>> = inside.iter().map(|part| part.to_str()).collect();
        let parts = parts.filter(|parts| !parts.is_empty())?;
        let passing = |part: &&str| {
            part.starts_with('.') || part.ends_with('~') || part.ends_with(".swp") || part.starts_with('#')
        };
        (!parts.iter().any(passing)).then(|| parts.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn made_files_and_those_of_editors_are_not_the_projects() {
        let bounds = Bounds { root: "/p".into(), out: "/p/made".into() };
        for path in ["data/g/game.toml", "templates/a.svg", "art/x.png"] {
            assert_eq!(bounds.relative(&Path::new("/p").join(path)).as_deref(), Some(path));
        }
        let others = [
            "out/a.pdf",
            "target/x",
            "made/a.pdf",
            ".git/index",
            "data/g/.game.toml.swp",
            "data/g/a.toml~",
            "data/g/#a#",
            "",
        ];
        for path in others {
            assert_eq!(bounds.relative(&Path::new("/p").join(path)), None, "{path}");
        }
        assert_eq!(bounds.relative(Path::new("/q/data/x")), None);
    }

    #[test]
    fn a_save_is_over_when_nothing_more_is_written() {
        let mut more = vec!["b", "a"];
        let paths = settled("c".to_owned(), |_| more.pop().map(str::to_owned));
        assert_eq!(paths.into_iter().collect::<String>(), "abc");
    }

    #[test]
    fn data_belongs_to_a_game_and_templates_to_all() {
        assert_eq!(game_of("data/g/a.toml"), Some("g"));
        for path in ["templates/g/a.svg", "data/stray.toml", "", "fonts/x/y.ttf"] {
            assert_eq!(game_of(path), None, "{path}");
        }
    }
}
