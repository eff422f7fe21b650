//! What was last printed of a game: the hashes of its faces, as `data/<game>/printed.json` records them:
//!
//! ```json
//! { "faces": { "hand/tea/music": { "front": "0123456789abcdef0123456789abcdef", "back": "..." } } }
//! ```
//!
//! This is the only place that knows the file. Without it nothing counts as changed.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::compose::face::FaceHash;
use crate::source::disk::Disk;

/// The record of a print.
#[derive(Deserialize)]
pub struct LastPrint {
    /// By the address of the piece, then by side: the hash of the face.
    faces: BTreeMap<String, BTreeMap<String, String>>,
}

impl LastPrint {
    /// The record of the last print of the game called `id`; none where there is no such file, or not one that can be read.
    pub fn of(id: &str, disk: &Disk) -> Option<Self> {
        serde_json::from_str(&disk.read_text(&format!("data/{id}/printed.json")).ok()?).ok()
    }

    /// Whether the face is new, or otherwise than it was.
    pub fn differs(&self, address: &str, side: &str, hash: FaceHash) -> bool {
        self.faces.get(address).and_then(|sides| sides.get(side)).is_none_or(|printed| *printed != hash.to_string())
    }
}
