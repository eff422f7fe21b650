//! The project's folder, read only: no path leads out of it, and only plain files of a sane size are read.

use std::fs;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::notes::{Notes, Reader, Seen};

/// The largest file that is read: 64 MiB.
pub const FILE_LIMIT: u64 = 64 << 20;

/// The largest text that is read: 4 MiB, some twenty thousand cards. A text becomes up to a hundred times as much in memory, with the
/// place of everything in it.
pub const TEXT_LIMIT: u64 = 4 << 20;

/// A project's folder. What is read of it is noted, so that another run can tell whether it still is what it was.
#[derive(Clone, Debug)]
pub struct Disk {
    root: PathBuf,
    notes: Arc<Notes>,
    reader: Reader,
}

/// Why a file could not be had.
#[derive(Debug)]
pub enum Refusal {
    /// There is no such file.
    Missing,
    /// The path leads out of the project (`..`, an absolute path or a link).
    Outside,
    /// A folder, a pipe, a device: something that is no plain file.
    NotAFile,
    /// Larger than [`FILE_LIMIT`], or [`TEXT_LIMIT`] if it is a text: its size and the limit.
    TooLarge(u64, u64),
    /// Not UTF-8 text; the offset of the first bad byte.
    NotText(usize),
    /// The disk refused.
    Disk(io::Error),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::Missing => f.write_str("the file does not exist"),
            Refusal::Outside => f.write_str("the path leads out of the project"),
            Refusal::NotAFile => f.write_str("this is not a plain file"),
            Refusal::TooLarge(size, most) => {
                write!(f, "the file is too large ({} MiB; at most {})", size.div_ceil(1 << 20), most >> 20)
            }
            Refusal::NotText(at) => write!(f, "the file is not UTF-8 text (from byte {at} on)"),
            Refusal::Disk(error) => write!(f, "the file cannot be read: {error}"),
        }
    }
}

impl Disk {
    /// The project in `root`, which must be a folder.
    ///
    /// # Errors
    /// When the folder cannot be found.
    pub fn open(root: &Path) -> io::Result<Self> {
        let root = root.canonicalize()?;
        if !root.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotADirectory, "not a folder"));
        }
        Ok(Disk { root, notes: Arc::default(), reader: Reader::default() })
    }

    /// The same folder, read for the game called `id`: notes tell what was read for whom.
    pub fn for_game(&self, id: &str) -> Self {
        Disk { reader: Some(Arc::from(id)), ..self.clone() }
    }

    /// What was read so far.
    pub fn notes(&self) -> &Notes {
        &self.notes
    }

    /// Whether the file or folder `path` is what it was.
    pub fn is_still(&self, path: &str, seen: Seen) -> bool {
        let now = self.notes.look_at(path, || match seen {
            Seen::Folder(_) => Seen::folder(self.names(path).as_deref()),
            Seen::File(_) | Seen::Nothing | Seen::Unsure => Seen::file(self.bytes(path, FILE_LIMIT).as_deref()),
        });
        now == seen && now != Seen::Unsure
    }

    /// The project's folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The bytes of the file `path`, relative to the project.
    ///
    /// # Errors
    /// Any [`Refusal`] but [`Refusal::NotText`].
    pub fn read(&self, path: &str) -> Result<Vec<u8>, Refusal> {
        self.read_up_to(path, FILE_LIMIT)
    }

    fn read_up_to(&self, path: &str, most: u64) -> Result<Vec<u8>, Refusal> {
        let bytes = self.bytes(path, most);
        self.notes.note(&self.reader, path, Seen::file(bytes.as_deref()));
        bytes
    }

    fn bytes(&self, path: &str, most: u64) -> Result<Vec<u8>, Refusal> {
        let full = self.resolve(path)?;
        let meta = fs::metadata(&full).map_err(refusal)?;
        if !meta.is_file() {
            return Err(Refusal::NotAFile);
        }
        if meta.len() > most {
            return Err(Refusal::TooLarge(meta.len(), most));
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(&full).map_err(refusal)?;
        file.take(most + 1).read_to_end(&mut bytes).map_err(refusal)?;
        match bytes.len() as u64 {
            size if size > most => Err(Refusal::TooLarge(size, most)),
            _ => Ok(bytes),
        }
    }

    /// The text of the file `path`, without a byte order mark.
    ///
    /// # Errors
    /// Any [`Refusal`].
    pub fn read_text(&self, path: &str) -> Result<String, Refusal> {
        let bytes = self.read_up_to(path, TEXT_LIMIT)?;
        let text = String::from_utf8(bytes).map_err(|error| Refusal::NotText(error.utf8_error().valid_up_to()))?;
        Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
    }

    /// The names in the folder `path` that `keep` wants, sorted; empty when there is no such folder. A name that is no text is listed with
    /// marks of replacement: no such file can be read, and that is told.
    ///
    /// # Errors
    /// When the folder leads out of the project or cannot be listed.
    pub fn list(&self, path: &str, keep: impl Fn(&str) -> bool) -> Result<Vec<String>, Refusal> {
        let names = self.names(path);
        self.notes.note(&self.reader, path, Seen::folder(names.as_deref()));
        names.map(|names| names.into_iter().filter(|name| keep(name)).collect())
    }

    /// All names in the folder `path`, sorted.
    fn names(&self, path: &str) -> Result<Vec<String>, Refusal> {
        let full = match self.resolve(path) {
            Ok(full) => full,
            Err(Refusal::Missing) => return Ok(Vec::new()),
            Err(other) => return Err(other),
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(full).map_err(refusal)? {
            names.push(entry.map_err(refusal)?.file_name().to_string_lossy().into_owned());
        }
        names.sort();
        Ok(names)
    }

    /// Whether `path` is a folder of the project.
    pub fn is_folder(&self, path: &str) -> bool {
        self.resolve(path).is_ok_and(|full| full.is_dir())
    }

    /// Why nothing below `path` can be read, if so: it leads out of the project, or to nothing.
    pub fn fault(&self, path: &str) -> Option<Refusal> {
        self.resolve(path).err()
    }

    fn resolve(&self, path: &str) -> Result<PathBuf, Refusal> {
        let relative = Path::new(path);
        if !relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
            return Err(Refusal::Outside);
        }
        let full = self.root.join(relative).canonicalize().map_err(refusal)?;
        if full.starts_with(&self.root) { Ok(full) } else { Err(Refusal::Outside) }
    }
}

fn refusal(error: io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Refusal::Missing,
        _ => Refusal::Disk(error),
    }
}
