//! What can be seen at the moment. The composing thread puts it here, the server's threads take it.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::json;

use super::inbox::{Wake, Wanted};
use crate::compose::face::Face;
use crate::export::svg;
use crate::fonts::Fonts;
use crate::model::KitSize;
use crate::preview::{Feed, Show, shown};
use crate::sheet::Paper;

/// How long somebody waits for sheets.
const PATIENCE: Duration = Duration::from_secs(60);
/// For so many changes a picture can be had after it was last in use: pages may still ask for it.
const LINGERING: u64 = 8;

/// What can be seen.
pub struct Stage {
    feed: Arc<Feed>,
    post: Sender<Wake>,
    state: Mutex<State>,
    pictures: Mutex<Pictures>,
}

#[derive(Default)]
struct State {
    index: shown::Index,
    games: BTreeMap<String, Shown>,
}

/// A game, and the sheets of it that were looked at.
struct Shown {
    game: shown::Game,
    json: String,
    sheets: BTreeMap<(KitSize, String), Made>,
}

/// Sheets that were made.
struct Made {
    /// The state of the game that they are of.
    generation: u64,
    /// When that was, as their pictures count it.
    turn: u64,
    json: String,
}

/// The pictures that have keys.
struct Pictures {
    /// Keys of two editions have nothing in common: fonts and pictures of the project may differ.
    edition: String,
    turn: u64,
    known: BTreeMap<String, Arc<Picture>>,
    used: BTreeMap<String, u64>,
}

/// A picture, drawn when it is first asked for.
struct Picture {
    face: Arc<Face>,
    fonts: Arc<Fonts>,
    svg: OnceLock<Arc<[u8]>>,
}

impl Stage {
    /// An empty stage for the project called `name`; sheets are asked for by `post`, changes told to `feed`.
    pub fn new(name: String, post: Sender<Wake>, feed: Arc<Feed>) -> Self {
        let papers = Paper::named().map(|paper| paper.name).collect();
        let index = shown::Index { project: name, papers, ..shown::Index::default() };
        Stage {
            feed,
            post,
            state: Mutex::new(State { index, games: BTreeMap::new() }),
            pictures: Mutex::new(Pictures {
                edition: edition(),
                turn: 0,
                known: BTreeMap::new(),
                used: BTreeMap::new(),
            }),
        }
    }

    /// Begins a new turn; pictures that were not in use for some turns are dropped.
    pub fn turn(&self, new_edition: bool) {
        let mut state = self.state();
        let mut pictures = self.pictures();
        pictures.turn += 1;
        if new_edition {
            pictures.edition = edition();
        }
        let (turn, oldest) = (pictures.turn, (pictures.turn + 1).saturating_sub(LINGERING));
        let Pictures { known, used, .. } = &mut *pictures;
        for Shown { game, sheets, .. } in state.games.values_mut() {
            let cards = game.sections.iter().flat_map(|section| &section.cards);
            for key in cards.filter_map(|card| card.face.as_ref()) {
                used.insert(key.clone(), turn);
            }
            sheets.retain(|_, made| made.turn >= oldest);
        }
        used.retain(|_, turn| *turn >= oldest);
        known.retain(|key, _| used.contains_key(key));
    }

    /// The key of the picture of `face`.
    pub fn key(&self, face: &Arc<Face>, fonts: &Arc<Fonts>) -> String {
        let mut pictures = self.pictures();
        let key = short_hash(&format!("{} {}", pictures.edition, face.hash));
        let turn = pictures.turn;
        pictures.used.insert(key.clone(), turn);
        pictures.known.entry(key.clone()).or_insert_with(|| {
            Arc::new(Picture { face: Arc::clone(face), fonts: Arc::clone(fonts), svg: OnceLock::new() })
        });
        key
    }

    /// What was last shown of the game called `id`.
    pub fn last(&self, id: &str) -> Option<shown::Game> {
        self.state().games.get(&key_of(id)).map(|shown| shown.game.clone())
    }

    /// Everything that was last shown.
    pub fn all(&self) -> Vec<shown::Game> {
        self.state().games.values().map(|shown| shown.game.clone()).collect()
    }

    /// The number of the change that is shown next.
    pub fn next_generation(&self) -> u64 {
        self.state().index.generation + 1
    }

    /// Shows `games`, and nothing any more of those that are not among `all`; tells open pages.
    pub fn show(&self, games: Vec<shown::Game>, all: &[String]) {
        let mut state = self.state();
        let keys: Vec<String> = games.iter().map(|game| game.key.clone()).collect();
        let every: Vec<String> = all.iter().map(|id| key_of(id)).collect();
        state.games.retain(|key, _| every.contains(key));
        for game in games {
            // Texts and numbers can always be written.
            let json = serde_json::to_string(&game).unwrap_or_default();
            let sheets = state.games.remove(&game.key).map(|shown| shown.sheets).unwrap_or_default();
            state.games.insert(game.key.clone(), Shown { game, json, sheets });
        }
        let entries = every.iter().filter_map(|key| state.games.get(key)).map(|shown| entry(&shown.game)).collect();
        state.index.games = entries;
        state.index.trouble = None;
        self.tell(state, json!(keys));
    }

    /// Changes what is shown of the game called `id`, if that still is the state `generation`; tells open pages.
    pub fn amend(&self, id: &str, generation: u64, change: impl FnOnce(&mut shown::Game)) {
        let key = key_of(id);
        let mut state = self.state();
        let Some(shown) = state.games.get_mut(&key).filter(|shown| shown.game.generation == generation) else { return };
        change(&mut shown.game);
        shown.json = serde_json::to_string(&shown.game).unwrap_or_default();
        let changed = entry(&shown.game);
        if let Some(known) = state.index.games.iter_mut().find(|known| known.key == key) {
            *known = changed;
        }
        self.tell(state, json!([key]));
    }

    /// Says that nothing can be read at the moment, and why.
    pub fn trouble(&self, why: String) {
        let mut state = self.state();
        state.index.trouble = Some(why);
        self.tell(state, json!([]));
    }

    fn tell(&self, mut state: MutexGuard<'_, State>, games: serde_json::Value) {
        state.index.generation += 1;
        let event = json!({ "generation": state.index.generation, "games": games }).to_string();
        drop(state);
        self.feed.tell(&event);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pictures(&self) -> MutexGuard<'_, Pictures> {
        self.pictures.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Show for Stage {
    fn index(&self) -> String {
        serde_json::to_string(&self.state().index).unwrap_or_default()
    }

    fn game(&self, key: &str) -> Option<String> {
        self.state().games.get(key).map(|shown| shown.json.clone())
    }

    fn sheets(&self, key: &str, players: &str, paper: &str) -> Option<String> {
        let state = self.state();
        let Shown { game, sheets, .. } = state.games.get(key)?;
        let size = match players {
            "full" => KitSize::Full,
            number => KitSize::Players(number.parse().ok().filter(|count| game.players.contains(count))?),
        };
        let paper = Paper::parse(paper).ok()?;
        let wanted = (size, paper.name.clone());
        let (id, generation) = (game.id.clone(), game.generation);
        // Sheets of data that is broken at the moment stay as they were.
        if let Some(made) = sheets.get(&wanted).filter(|made| made.generation == generation || game.stale) {
            return Some(made.json.clone());
        }
        drop(state);
        let (reply, answer) = mpsc::channel();
        self.post.send(Wake::Sheets(Wanted { game: id, size, paper, reply })).ok()?;
        let json = answer.recv_timeout(PATIENCE).ok()?;
        let turn = self.pictures().turn;
        if let Some(shown) = self.state().games.get_mut(key) {
            shown.sheets.insert(wanted, Made { generation, turn, json: json.clone() });
        }
        Some(json)
    }

    fn face(&self, key: &str) -> Option<Arc<[u8]>> {
        let picture = self.pictures().known.get(key).map(Arc::clone)?;
        let svg =
            picture.svg.get_or_init(|| Arc::from(svg::face_with_bleed(&picture.face, &picture.fonts).into_bytes()));
        Some(Arc::clone(svg))
    }

    fn generation(&self) -> u64 {
        self.state().index.generation
    }
}

fn entry(game: &shown::Game) -> shown::Entry {
    let count = |severity: &str| game.notes.iter().filter(|note| note.severity == severity).count();
    shown::Entry {
        key: game.key.clone(),
        id: game.id.clone(),
        title: game.title.clone(),
        errors: count("error"),
        warnings: count("warning"),
    }
}

/// What stands for the game called `id` in addresses: names of folders may hold anything.
pub fn key_of(id: &str) -> String {
    short_hash(id)
}

fn short_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().chars().take(24).collect()
}

/// A word that no other run had: browsers keep pictures for longer than a run.
fn edition() -> String {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos().to_string()
}
