//! What the page is told, as it is written in JSON.

use serde::Serialize;

/// The project.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Index {
    /// Name of its folder.
    pub project: String,
    /// How many changes there were since the start; 0 while it is read for the first time.
    pub generation: u64,
    /// Why nothing can be read at the moment.
    pub trouble: Option<String>,
    /// The papers that have names.
    pub papers: Vec<String>,
    /// Its games.
    pub games: Vec<Entry>,
}

/// A game in the list of games.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Stands for it in addresses.
    pub key: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// How many errors it has.
    pub errors: usize,
    /// How many warnings it has.
    pub warnings: usize,
}

/// A game with its faces and what is wrong with it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Game {
    /// Stands for it in addresses.
    pub key: String,
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// The language of its words, as a tag.
    pub language: String,
    /// Its player counts.
    pub players: Vec<u32>,
    /// The change that this is the state after.
    pub generation: u64,
    /// Whether the notes are those of the state before, because it is still being checked.
    pub checking: bool,
    /// Whether faces are shown as they were before its data broke.
    pub stale: bool,
    /// Whether there is a record of the last print to compare with.
    pub printed: bool,
    /// Its components.
    pub sections: Vec<Section>,
    /// Everything that is wrong or worth knowing.
    pub notes: Vec<Note>,
    /// Those that belong to no component, by number.
    pub loose: Vec<usize>,
}

/// A component.
#[derive(Clone, Debug, Serialize)]
pub struct Section {
    /// Its id.
    pub id: String,
    /// Its name.
    pub title: String,
    /// `card`, `token` ...
    pub kind: &'static str,
    /// Width and height of the trim, in millimetres.
    pub trim: [f64; 2],
    /// How far art reaches beyond the trim, in millimetres.
    pub bleed: f64,
    /// How far text stays inside the trim, in millimetres.
    pub safe: f64,
    /// `rect`, `circle` or `drawn`.
    pub shape: &'static str,
    /// Its faces.
    pub cards: Vec<Card>,
    /// What belongs to it as a whole, by number.
    pub notes: Vec<usize>,
}

/// A face.
#[derive(Clone, Debug, Serialize)]
pub struct Card {
    /// The address of its piece.
    pub address: String,
    /// `front` or `back`.
    pub side: &'static str,
    /// How many of the piece there are.
    pub copies: usize,
    /// Key of its picture; none when it could never be composed.
    pub face: Option<String>,
    /// Whether the picture is of an earlier state, because the present one cannot be composed.
    pub stale: bool,
    /// Whether it is otherwise than when it was last printed; false where nothing is known of that.
    pub changed: bool,
    /// What is written on it, for the search.
    pub text: String,
    /// What is to be said of it, by number.
    pub notes: Vec<usize>,
}

/// A finding.
#[derive(Clone, Debug, Serialize)]
pub struct Note {
    /// The check that found it.
    pub code: String,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// What is wrong, in a line.
    pub message: String,
    /// `file:line:column`, where it is in a file.
    pub place: Option<String>,
    /// What was expected.
    pub expected: Option<String>,
    /// How to mend it.
    pub help: Option<String>,
}

/// The sheets of a kit.
#[derive(Clone, Debug, Serialize)]
pub struct Sheets {
    /// The sides, in the order of the pages.
    pub sheets: Vec<Sheet>,
}

/// One side of a sheet.
#[derive(Clone, Debug, Serialize)]
pub struct Sheet {
    /// What lies on it.
    pub title: String,
    /// `front` or `back`.
    pub side: &'static str,
    /// Width and height of the page, in millimetres.
    pub page: [f64; 2],
    /// An SVG document that links to the pictures of faces.
    pub svg: String,
}
