//! What one run leaves behind for the next, in the cache folder of whoever builds: which builds came to which files, and faces
//! that were composed and checked.
//!
//! A cache only saves work. What cannot be read, is damaged, or was left by another program is passed over, and what cannot be written is
//! done without; all of it may be deleted at any time.

mod builds;
mod faces;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::{output, places};

pub use builds::{Asked, Record};
pub use faces::Remembered;

/// The variable that names another folder.
const VARIABLE: &str = "PAIBAN_CACHE";
/// What every file begins with; behind it a checksum and the content.
const HEAD: &[u8] = b"paiban cache 1\n";
/// The length of the name of a file.
const NAME: usize = 24;
/// The length of a checksum.
const SUM: usize = 32;
/// So many records of builds are kept of a project; each takes a few kilobytes.
const MOST_RECORDS: usize = 64;
/// What was not written for so long goes: its project may be gone too.
const FORGOTTEN: Duration = Duration::from_secs(60 * 24 * 3600);
/// The endings of all files: records of builds, and faces.
const ENDINGS: [&str; 2] = [builds::ENDING, faces::ENDING];
/// Tells programs that make copies of disks to leave the folder out (<https://bford.info/cachedir/>).
const TAG: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# What paiban worked out before. It may be deleted.\n";

/// The cache of one project.
pub struct Cache {
    /// None where nothing is kept.
    folder: Option<PathBuf>,
    /// The program that may read it: this one.
    program: [u8; 32],
}

impl Cache {
    /// The cache of the project in `root`; one that keeps nothing if it is not wanted.
    pub fn of(root: &Path, wanted: bool) -> Self {
        let name = blake3::hash(root.as_os_str().as_encoded_bytes()).to_hex();
        let folder = folder().filter(|_| wanted).map(|folder| folder.join(&name[..16])); // of 64 digits
        Cache { folder, program: program() }
    }

    /// Whether anything is kept.
    pub const fn keeps(&self) -> bool {
        self.folder.is_some()
    }

    /// The content of the file called `name`, if this program wrote it and it is whole.
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let mut bytes = output::read_plain(&self.folder.as_ref()?.join(name)).ok()?;
        let sum = bytes.strip_prefix(HEAD)?.get(..SUM)?.to_vec();
        let content = bytes.split_off(HEAD.len() + SUM);
        (self.sum(&content) == *sum).then_some(content)
    }

    /// Keeps `content` under `name`.
    fn write(&self, name: &str, content: &[u8]) {
        let Some(folder) = &self.folder else { return };
        let bytes = [HEAD, &self.sum(content), content].concat();
        // What cannot be kept is worked out again.
        if output::write_scratch(&folder.join(name), &bytes).is_ok() {
            let tag = folder.with_file_name("CACHEDIR.TAG");
            let _ = if tag.exists() { Ok(()) } else { fs::write(tag, TAG) };
        }
    }

    /// Deletes the oldest records of builds when there are too many, and what was left long ago, of other projects too.
    pub fn tidy(&self) {
        let Some(folder) = &self.folder else { return };
        let records = files_in(folder, &[builds::ENDING]);
        let surplus = records.len().saturating_sub(MOST_RECORDS);
        records.iter().take(surplus).for_each(|(_, path)| drop(fs::remove_file(path)));
        let Some(all) = folder.parent() else { return };
        let oldest = SystemTime::now().checked_sub(FORGOTTEN).unwrap_or(UNIX_EPOCH);
        for project in fs::read_dir(all).into_iter().flatten().flatten().map(|entry| entry.path()) {
            let mut old = files_in(&project, &ENDINGS);
            old.retain(|(written, _)| *written < oldest);
            old.iter().for_each(|(_, path)| drop(fs::remove_file(path)));
            if !old.is_empty() {
                // It stays where it is not empty.
                drop(fs::remove_dir(project));
            }
        }
    }

    fn sum(&self, content: &[u8]) -> [u8; SUM] {
        let mut hasher = blake3::Hasher::new();
        *hasher.update(&self.program).update(content).finalize().as_bytes()
    }
}

/// The folder of all caches: what `PAIBAN_CACHE` says, else `paiban` in the place where programs keep such things. None where there
/// is no home.
pub fn folder() -> Option<PathBuf> {
    places::folder(VARIABLE, places::Place::Cache)
}

/// The files of ours in `folder` with these endings, the oldest first, and when they were written.
fn files_in(folder: &Path, endings: &[&str]) -> Vec<(SystemTime, PathBuf)> {
    let is_ours = |path: &PathBuf| {
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        stem.len() == NAME && stem.bytes().all(|byte| byte.is_ascii_hexdigit()) && endings.contains(&ending)
    };
    let paths = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_ours);
    let written = |path: &PathBuf| fs::metadata(path).and_then(|meta| meta.modified()).unwrap_or(UNIX_EPOCH);
    let mut files: Vec<(SystemTime, PathBuf)> = paths.map(|path| (written(&path), path)).collect();
    files.sort();
    files
}

/// The name of a file: the beginning of a hash.
fn name(hash: &blake3::Hash, ending: &str) -> String {
    format!("{}.{ending}", &hash.to_hex()[..NAME]) // of 64 digits
}

/// What is in `folder`: the number of projects and bytes.
pub fn size(folder: &Path) -> (usize, u64) {
    let inside = |folder: &Path| fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let projects: Vec<PathBuf> = inside(folder).filter(|path| path.is_dir()).collect();
    let files = projects.iter().flat_map(|project| inside(project));
    (projects.len(), files.filter_map(|file| fs::metadata(file).ok()).map(|meta| meta.len()).sum())
}

/// What tells this program from others, and from itself before it was built anew; looked up once, as the file may be replaced while it runs.
fn program() -> [u8; 32] {
    static PROGRAM: LazyLock<[u8; 32]> = LazyLock::new(|| {
        let file = env::current_exe().and_then(fs::metadata);
        let written =
            |meta: fs::Metadata| Ok((meta.len(), meta.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default()));
        let built = file.and_then(written).ok();
        *blake3::hash(format!("{} {built:?}", env!("CARGO_PKG_VERSION")).as_bytes()).as_bytes()
    });
    *PROGRAM
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use super::*;

    #[test]
    fn only_what_this_program_wrote_and_is_whole_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let of = |program: u8| Cache { folder: Some(folder.path().join("project")), program: [program; 32] };
        let cache = of(1);
        assert_eq!(cache.read("a"), None);
        cache.write("a", b"content");
        assert_eq!(cache.read("a").unwrap(), b"content");
        assert_eq!(of(2).read("a"), None, "left by another program");
        assert!(folder.path().join("CACHEDIR.TAG").exists());

        let path = folder.path().join("project/a");
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert_eq!(cache.read("a"), None, "byte {at} is another one");
            fs::write(&path, &whole[..at]).unwrap();
            assert_eq!(cache.read("a"), None, "cut off at byte {at}");
        }
    }

    #[test]
    fn records_do_not_pile_up() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache { folder: Some(folder.path().join("project")), program: [0; 32] };
        for number in 0..MOST_RECORDS + 3 {
            cache.write(&format!("{number:024}.build"), b"");
        }
        cache.write(&format!("{:024}.faces", 0), b"");
        cache.tidy();
        assert_eq!(fs::read_dir(folder.path().join("project")).unwrap().count(), MOST_RECORDS + 1);
    }

    #[test]
    fn what_was_left_long_ago_goes_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        let cache = Cache { folder: Some(own.clone()), program: [0; 32] };
        let file = |folder: &Path, name: &str, age: Duration| {
            fs::create_dir_all(folder).unwrap();
            let file = fs::File::create(folder.join(name)).unwrap();
            file.set_modified(SystemTime::now() - age).unwrap();
        };
        let (old, new, day) = (FORGOTTEN * 2, Duration::ZERO, Duration::from_secs(24 * 3600));
        let name = |number: u8, ending: &str| format!("{number:024}.{ending}");
        file(&own, &name(1, "build"), old);
        file(&own, &name(2, "faces"), new);
        file(&other, &name(1, "faces"), old);
        file(&folder.path().join("in use"), &name(1, "build"), FORGOTTEN - day);
        file(&folder.path().join("foreign"), "letter.txt", old);
        file(&folder.path().join("foreign"), "a.build", old);
        cache.tidy();
        let left = |folder: &Path| fs::read_dir(folder).map_or(0, |entries| entries.count());
        assert_eq!((left(&own), other.exists()), (1, false));
        assert_eq!((left(&folder.path().join("in use")), left(&folder.path().join("foreign"))), (1, 2));
    }

    #[test]
    fn a_cache_that_is_not_wanted_or_cannot_be_had_keeps_nothing() {
        let cache = Cache { folder: None, program: [0; 32] };
        cache.write("a", b"content");
        assert_eq!(cache.read("a"), None);
        let file = tempfile::NamedTempFile::new().unwrap();
        let cache = Cache { folder: Some(file.path().join("project")), program: [0; 32] };
        cache.write("a", b"content");
        assert_eq!(cache.read("a"), None);
    }
}
