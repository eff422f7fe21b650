//! What is remembered of a game: its faces, and what was found on them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Cache;
use crate::commands::edges;
use crate::commands::session::Session;
use crate::compose::Kept;
use crate::compose::store::{self, Faces};
use crate::source::notes::Looked;
use crate::verify::preflight::{Flaw, Known};

/// For so many builds something is remembered after it was last of use: an edit is often taken back.
const REMEMBERED: u64 = 8;

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
    /// What an earlier run left of `game`, as long as its fonts, icons and pictures are the same; else nothing.
    pub fn of(cache: &Cache, game: &str, session: &Session) -> Self {
        let remembered = Self::stored(cache, game, session).unwrap_or_default();
        remembered.turn(REMEMBERED);
        remembered
    }

    /// Begins a new turn and forgets what was not used for `turns` turns.
    pub fn turn(&self, turns: u64) {
        self.faces.turn(turns);
        self.flaws.turn(turns);
        self.edges.turn(turns);
    }

    fn stored(cache: &Cache, game: &str, session: &Session) -> Option<Self> {
        let Stored { looked, faces, flaws, edges } = postcard::from_bytes(&cache.read(&name(game))?).ok()?;
        let disk = &session.project.disk;
        looked.iter().all(|(path, seen)| disk.is_still(path, *seen)).then_some(())?;
        let faces = Arc::new(store::unpack(&faces, &session.studio, &session.fonts)?);
        // What the faces of the earlier run read is not read again, and this one hangs on it all the same.
        disk.notes().take_over(game, &looked);
        Some(Remembered { faces, flaws: flaws.into(), edges: edges.into() })
    }

    /// Leaves it to the next run.
    pub fn keep(&self, cache: &Cache, game: &str, session: &Session) {
        let notes = session.project.disk.notes();
        // Data and templates are part of what is remembered; fonts and pictures, which all games share, and icons are not.
        let icons = notes.of_game(game).into_iter().filter(|(path, _)| path.starts_with(ICONS));
        let looked = notes.of_all().into_iter().filter(|(path, _)| path != "data").chain(icons).collect();
        let stored = Stored {
            looked,
            faces: store::pack(&self.faces),
            flaws: self.flaws.kept().clone(),
            edges: self.edges.kept().clone(),
        };
        // Numbers, texts and lists can always be written.
        cache.write(&name(game), &postcard::to_allocvec(&stored).unwrap_or_default());
    }
}

/// Where icons lie.
const ICONS: &str = "templates/icons/";

fn name(game: &str) -> String {
    format!("{}.faces", &blake3::hash(game.as_bytes()).to_hex()[..24])
}
