//! What was last printed of a game: the hashes of its faces, as `data/<game>/printed.json` records them in the words of a kit's manifest:
//!
//! ```json
//! { "faces": { "hand/tea/music": "0123456789abcdef0123456789abcdef" }, "backs": { "hand/tea/music": "..." } }
//! ```
//!
//! This is the only place that knows the file. Without it nothing counts as changed; where it says nothing of backs, no back does.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::compose::face::FaceHash;
use crate::source::disk::Disk;

/// The record of a print: hashes by the address of the piece.
#[derive(Deserialize)]
pub struct LastPrint {
    /// Of the fronts; whoever is not there is new.
    faces: BTreeMap<String, String>,
    /// Of the backs.
    #[serde(default)]
    backs: BTreeMap<String, String>,
}

impl LastPrint {
    /// The record of the last print of the game called `id`; none where there is no such file, or not one that can be read.
    pub fn of(id: &str, disk: &Disk) -> Option<Self> {
        serde_json::from_str(&disk.read_text(&format!("data/{id}/printed.json")).ok()?).ok()
    }

    /// Whether the front of the piece at `address` is new, or otherwise than it was.
    pub fn front_differs(&self, address: &str, hash: FaceHash) -> bool {
        self.faces.get(address).is_none_or(|printed| *printed != hash.to_string())
    }

    /// Whether the back of the piece at `address` is otherwise than it was.
    pub fn back_differs(&self, address: &str, hash: FaceHash) -> bool {
        self.backs.get(address).is_some_and(|printed| *printed != hash.to_string())
    }
}
