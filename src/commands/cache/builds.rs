//! Records of builds: what was read, what was written, what was told. As long as all of that still stands there is nothing to do.

use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{Cache, name};
use crate::cli::Build;
use crate::commands::kit::KitOptions;
use crate::commands::output::{self, Told};
use crate::source::disk::Disk;
use crate::source::notes::Looked;

/// The ending of their names.
pub const ENDING: &str = "build";

/// What was asked for, beside the game: everything typed and all that it names outside of the project.
pub struct Asked([u8; 32]);

impl Asked {
    /// What `arguments` ask for, with files that go to `out`. None where that is not known beforehand.
    pub fn of(arguments: &Build, options: &KitOptions, out: &Path) -> Option<Self> {
        // Whoever adds an argument says here whether the files hang on it.
        let Build {
            players,
            print,
            shop,
            colour,
            icc,
            pdf,
            cut_contour,
            guides,
            games: _,
            keep_going: _,
            no_cache: _,
            watch: _,
        } = arguments;
        let icc = match icc {
            Some(path) => Some(blake3::hash(&output::read_plain(path).ok()?)),
            None => None,
        };
        let out = std::path::absolute(out).ok()?;
        let text = format!(
            "{players:?} {print:?} {:?} {shop:?} {colour:?} {icc:?} {pdf:?} {cut_contour:?} {guides} {out:?}",
            options.profile
        );
        Some(Asked(*blake3::hash(text.as_bytes()).as_bytes()))
    }

    fn name(&self, game: &str) -> String {
        let mut hasher = blake3::Hasher::new();
        name(&hasher.update(&self.0).update(game.as_bytes()).finalize(), ENDING)
    }
}

/// A build of one game that came to an end.
#[derive(Serialize, Deserialize)]
pub struct Record {
    /// What was read.
    pub looked: Looked,
    /// The files that were made, and the hashes of their bytes.
    pub files: Vec<(PathBuf, [u8; 32])>,
    /// What was found.
    pub told: Vec<Told>,
    /// What was said of what was made.
    pub notes: Vec<String>,
}

impl Record {
    /// The record of building `game` as it is `asked` for, if all that it read and made is still there and the same.
    pub fn standing(cache: &Cache, asked: &Asked, game: &str, disk: &Disk) -> Option<Self> {
        let record: Record = postcard::from_bytes(&cache.read(&asked.name(game))?).ok()?;
        let reads_the_same = || record.looked.par_iter().all(|(path, seen)| disk.is_still(path, *seen));
        let stands = |(path, hash): &(PathBuf, [u8; 32])| {
            output::read_plain(path).is_ok_and(|bytes| *blake3::hash(&bytes).as_bytes() == *hash)
        };
        (reads_the_same() && record.files.par_iter().all(stands)).then_some(record)
    }

    /// Keeps it.
    pub fn keep(&self, cache: &Cache, asked: &Asked, game: &str) {
        // Texts and hashes can always be written.
        cache.write(&asked.name(game), &postcard::to_allocvec(self).unwrap_or_default());
    }

    /// Says again what was said of `game`.
    pub fn say(&self, game: &str) {
        self.notes.iter().for_each(|note| output::note(note));
        output::note(&format!("{game}  nothing changed, {} files are as they were", self.files.len()));
    }
}
