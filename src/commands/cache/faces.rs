//! What is remembered of a game: its faces, and what was found on them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Cache, name};
use crate::commands::edges;
use crate::commands::session::Session;
use crate::compose::Kept;
use crate::compose::store::{self, Faces};
use crate::source::notes::{Looked, Seen};
use crate::verify::preflight::{Flaw, Known};

/// For so many builds something is remembered after it was last of use: an edit is often taken back.
const REMEMBERED: u64 = 8;

/// The most bytes of faces that are left to the next run: a hundred thousand cards or so.
const MOST_BYTES: usize = 128 << 20;

/// What is remembered of one or more games.
#[derive(Default)]
pub struct Remembered {
    /// Its faces.
    pub faces: Arc<Faces>,
    /// What was found on them.
    pub flaws: Known,
    /// What their edges look like.
    pub edges: edges::Known,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    /// The fonts, icons and pictures that all of it hangs on.
    looked: Looked,
    faces: Vec<u8>,
    flaws: Kept<Vec<Flaw>>,
    edges: Kept<Option<[u8; 3]>>,
}

impl Remembered {
    /// What an earlier run left of `game`, as long as its fonts, icons and pictures are the same; else nothing yet. None where `cache`
    /// keeps nothing.
    pub fn of(cache: &Cache, game: &str, session: &Session) -> Option<Self> {
        cache.keeps().then_some(())?;
        let remembered = Self::stored(cache, game, session).unwrap_or_default();
        remembered.turn(REMEMBERED);
        Some(remembered)
    }

    /// Begins a new turn and forgets what was not used for `turns` turns.
    pub fn turn(&self, turns: u64) {
        self.faces.turn(turns);
        self.flaws.turn(turns);
        self.edges.turn(turns);
    }

    fn stored(cache: &Cache, game: &str, session: &Session) -> Option<Self> {
        let Stored { looked, faces, flaws, edges } =
            postcard::from_bytes(&cache.read(&name(&blake3::hash(game.as_bytes()), ENDING))?).ok()?;
        let disk = &session.project.disk;
        looked.iter().all(|(path, seen)| disk.is_still(path, *seen)).then_some(())?;
        let faces = Arc::new(store::unpack(&faces, &session.studio, &session.fonts)?);
        // What the faces of the earlier run read is not read again, and this one hangs on it all the same.
        let (icons, shared) = looked.into_iter().partition(is_icon);
        disk.notes().take_over(&Some(Arc::from(game)), &icons);
        disk.notes().take_over(&None, &shared);
        Some(Remembered { faces, flaws: flaws.into(), edges: edges.into() })
    }

    /// Leaves it to the next run.
    pub fn keep(&self, cache: &Cache, game: &str, session: &Session) {
        let notes = session.project.disk.notes();
        // Data and templates are part of what is remembered; fonts and pictures, which all games share, and icons are not.
        let icons = notes.of_game(game).into_iter().filter(is_icon);
        let looked = notes.of_all().into_iter().filter(|(path, _)| path != "data").chain(icons).collect();
        // Pictures inside of drawings can be of any size; what is so large takes longer to read than to compose.
        let Some(faces) = store::pack(&self.faces, MOST_BYTES) else { return };
        let stored = Stored { looked, faces, flaws: self.flaws.kept().clone(), edges: self.edges.kept().clone() };
        // Numbers, texts and lists can always be written.
        cache.write(&name(&blake3::hash(game.as_bytes()), ENDING), &postcard::to_allocvec(&stored).unwrap_or_default());
    }
}

/// The ending of their names.
pub const ENDING: &str = "faces";

/// Whether something that was looked at is an icon, or would be one if it were there.
fn is_icon((path, _): &(String, Seen)) -> bool {
    path.starts_with("templates/icons/")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may fail
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::commands::verify::check_game;
    use crate::diagnostics::Report;

    /// The small project of the tests, and a cache for it.
    fn project() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/base");
        let mut open = vec![base.clone()];
        while let Some(next) = open.pop() {
            for path in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
                let to = folder.path().join(path.strip_prefix(&base).unwrap());
                if path.is_dir() {
                    fs::create_dir(&to).unwrap();
                    open.push(path);
                } else {
                    fs::copy(&path, &to).unwrap();
                }
            }
        }
        folder
    }

    /// Checks the project with what the last run left, and leaves what came of it to the next. Returns the recipes of the faces that
    /// were there and of those that were composed.
    fn run(folder: &Path) -> (usize, usize) {
        let cache = Cache { folder: Some(folder.join("cache")), program: [7; 32] };
        let session = Session::open(Some(folder)).unwrap();
        let game = &session.project.games[0];
        let remembered = Remembered::of(&cache, &game.id, &session).unwrap();
        let recipes = || remembered.faces.kept().results.keys().copied().collect::<BTreeSet<_>>();
        let before = recipes();
        let icons = session.icons(game);
        let mut report = Report::default();
        let composer = session.composer(game, &icons, &mut report).remembering(Some(&remembered.faces));
        check_game(&session, game, &composer, Some(&remembered), &mut report);
        assert!(!report.has_errors());
        remembered.keep(&cache, &game.id, &session);
        (before.len(), recipes().difference(&before).count())
    }

    fn replace(folder: &Path, path: &str, old: &str, new: &str) {
        let path = folder.join(path);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(old));
        fs::write(path, text.replace(old, new)).unwrap();
    }

    #[test]
    fn only_what_a_change_touches_is_composed() {
        let folder = project();
        let folder = folder.path();
        let (before, composed) = run(folder);
        assert!(before == 0 && composed == 5, "two cards, their back, a board, a coin: {composed}");
        assert_eq!(run(folder), (5, 0), "nothing changed");
        replace(folder, "data/mini/cards.toml", "Warms the land.", "Warms the sea.");
        assert_eq!(run(folder), (5, 1), "one card");
        replace(folder, "templates/mini/coin.svg", "#ccaa44", "#ccaa55");
        assert_eq!(run(folder), (6, 1), "the coin");
        replace(folder, "data/mini/cards.toml", "Warms the sea.", "Warms the land.");
        assert_eq!(run(folder), (7, 0), "the card as it was before");
        replace(folder, "templates/icons/plain/star.svg", "<svg ", "<svg fill=\"none\" ");
        assert_eq!(run(folder), (0, 5), "an icon: nobody knows what it touches");
    }
}
