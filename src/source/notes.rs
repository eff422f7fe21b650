//! Notes of what was read: which files and folders, for which game, and what they were then.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};

use super::disk::Refusal;

/// For which game something is read; none where it is for all of the project.
pub type Reader = Option<Arc<str>>;

/// Files and folders by their paths, and what they were.
pub type Looked = BTreeMap<String, Seen>;

/// What a file or folder was when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Seen {
    /// A file, by the hash of its bytes.
    File([u8; 32]),
    /// A folder, by the hash of the names in it; one that is not there has none.
    Folder([u8; 32]),
    /// Nothing was there.
    Nothing,
    /// It could not be read: nobody knows whether it is still the same.
    Unsure,
}

impl Seen {
    /// What reading a file came to.
    pub(super) fn file(read: Result<&[u8], &Refusal>) -> Self {
        match read {
            Ok(bytes) => Seen::File(*blake3::hash(bytes).as_bytes()),
            Err(Refusal::Missing) => Seen::Nothing,
            Err(_) => Seen::Unsure,
        }
    }

    /// What listing a folder came to.
    pub(super) fn folder(listed: Result<&[String], &Refusal>) -> Self {
        let Ok(names) = listed else { return Seen::Unsure };
        let mut hasher = blake3::Hasher::new();
        for name in names {
            hasher.update(name.as_bytes()).update(&[0]);
        }
        Seen::Folder(*hasher.finalize().as_bytes())
    }
}

/// What was read of a project.
#[derive(Debug, Default)]
pub struct Notes {
    by_reader: Mutex<BTreeMap<Reader, Looked>>,
    /// What was only looked at, to see whether it is still the same.
    looked_at: Mutex<Looked>,
}

impl Notes {
    /// What was read for `game` alone.
    pub fn of_game(&self, game: &str) -> Looked {
        self.all().get(&Some(Arc::from(game))).cloned().unwrap_or_default()
    }

    /// What was read for all of the project.
    pub fn of_all(&self) -> Looked {
        self.all().get(&None).cloned().unwrap_or_default()
    }

    /// Adds what another run read for `reader` and this one need not, as it is still the same.
    pub fn take_over(&self, reader: &Reader, looked: &Looked) {
        looked.iter().for_each(|(path, seen)| self.note(reader, path, *seen));
    }

    /// Notes what `path` is. What was another thing before is nothing that one can be sure of.
    pub(super) fn note(&self, reader: &Reader, path: &str, seen: Seen) {
        let mut all = self.all();
        let own = all.entry(reader.clone()).or_default();
        let known = own.entry(path.to_owned()).or_insert(seen);
        if *known != seen {
            *known = Seen::Unsure;
        }
    }

    /// What `path` is: what it was when it was first read or looked at, else what `look` says.
    pub(super) fn look_at(&self, path: &str, look: impl FnOnce() -> Seen) -> Seen {
        if let Some(seen) = self.all().values().find_map(|own| own.get(path).copied()) {
            return seen;
        }
        let looked_at = || self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(seen) = looked_at().get(path) {
            return *seen;
        }
        let seen = look();
        *looked_at().entry(path.to_owned()).or_insert(seen)
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<Reader, Looked>> {
        self.by_reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
