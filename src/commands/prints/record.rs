//! The record of a print, `data/<game>/printed.json`: what every piece of the kit looked like, by hashes, and what its data said.

use std::collections::BTreeMap;

use anyhow::{Context, Result, anyhow, bail};
use serde::{Deserialize, Serialize};

use crate::cli::Players;
use crate::compose::face::FaceHash;
use crate::source::disk::{Disk, Refusal};

/// The form of records that is written and read.
const FORMAT: u32 = 1;

/// The pieces of a kit, by address.
pub type Pieces = BTreeMap<String, Piece>;

/// A kit as it was printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    format: u32,
    /// The game's id.
    pub game: String,
    /// The game's version then.
    pub version: String,
    /// Which kit: `4p` or `full`.
    pub kit: String,
    /// The commit of git that the data was of; none where it was of no commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its pieces; pages of instructions are none.
    pub pieces: Pieces,
}

/// A piece as it was printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// How many of it.
    pub copies: u32,
    /// What it looks like.
    #[serde(flatten)]
    pub look: Look,
    /// What its record said: path and value of each leaf.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fields: BTreeMap<String, String>,
}

/// Everything that shows of a piece, in hashes. Pieces that are equal in this are the same cardboard.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Look {
    /// Its finished size.
    pub trim: String,
    /// How it is cut: `rect`, `circle` or `drawn`.
    pub shape: String,
    /// The hash of its front.
    pub front: String,
    /// The hash of its back, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub back: Option<String>,
}

/// What every record has, whatever its form.
#[derive(Deserialize)]
struct Head {
    format: u32,
}

impl Record {
    /// A record of `pieces`.
    pub const fn new(game: String, version: String, kit: String, commit: Option<String>, pieces: Pieces) -> Self {
        Record { format: FORMAT, game, version, kit, commit, pieces }
    }

    /// Where the record of the game called `id` is, in its project.
    pub fn path(id: &str) -> String {
        format!("data/{id}/printed.json")
    }

    /// Reads a record from `text`, the text of the file `path`.
    ///
    /// # Errors
    /// When it is none, or one of a form that is not known; with line and column.
    pub fn parse(text: &str, path: &str) -> Result<Self> {
        let broken = |error: serde_json::Error| {
            let place = format!("{path}:{}:{}", error.line(), error.column());
            anyhow!(
                "{place}: this is no record of a print: {error}; take it from git again, or record a print with `paiban printed`"
            )
        };
        let Head { format } = serde_json::from_str(text).map_err(broken)?;
        if format != FORMAT {
            bail!("{path} is a record of form {format}, and this paiban knows form {FORMAT} only: use a newer one");
        }
        let record: Record = serde_json::from_str(text).map_err(broken)?;
        record.size().with_context(|| format!("{path}: the kit is {:?}", record.kit))?;
        Ok(record)
    }

    /// The record of the last print of the game called `id`, if there is one.
    ///
    /// # Errors
    /// When there is one that cannot be read, or that is of another game.
    pub fn last(id: &str, disk: &Disk) -> Result<Option<Self>> {
        let path = Record::path(id);
        match disk.read_text(&path) {
            Err(Refusal::Missing) => Ok(None),
            Err(refusal) => bail!("{path}: {refusal}"),
            Ok(text) => Record::parse(&text, &path)?.belonging_to(id, &path).map(Some),
        }
    }

    /// The record, which must be of the game called `id`.
    ///
    /// # Errors
    /// When it is of another.
    pub fn belonging_to(self, id: &str, path: &str) -> Result<Self> {
        if self.game != id {
            bail!("{path} is a record of `{}`, not of `{id}`", self.game);
        }
        Ok(self)
    }

    /// The kit that was printed.
    ///
    /// # Errors
    /// When `kit` is no name of a kit.
    pub fn size(&self) -> Result<Players> {
        let count = self.kit.strip_suffix('p').and_then(|count| count.parse().ok());
        match (self.kit.as_str(), count) {
            ("full", _) => Ok(Players::Full),
            (_, Some(count)) => Ok(Players::Count(count)),
            _ => bail!("a kit is `full` or like `4p`"),
        }
    }

    /// The record as it is written: with a line feed at its end, the same for the same print.
    ///
    /// # Errors
    /// Never in fact: everything in it can be written.
    pub fn render(&self) -> Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Whether the front of the piece at `address` is new, or otherwise than it was.
    pub fn front_differs(&self, address: &str, hash: FaceHash) -> bool {
        self.pieces.get(address).is_none_or(|piece| piece.look.front != hash.to_string())
    }

    /// Whether the back of the piece at `address` is new, or otherwise than it was.
    pub fn back_differs(&self, address: &str, hash: FaceHash) -> bool {
        self.pieces.get(address).is_none_or(|piece| piece.look.back.as_ref() != Some(&hash.to_string()))
    }
}

impl Piece {
    /// What people call it: its `name` or `title`, if its record has one.
    pub fn name(&self) -> Option<&str> {
        let named = ["name", "title"].into_iter().find_map(|field| self.fields.get(field));
        named.map(String::as_str).filter(|name| !name.trim().is_empty())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)] // a test may fail
mod tests {
    use super::*;

    fn record() -> Record {
        let look = Look {
            trim: "63 mm x 88 mm".to_owned(),
            shape: "rect".to_owned(),
            front: "0a".repeat(16),
            back: Some("0b".repeat(16)),
        };
        let fields = BTreeMap::from([("power".to_owned(), "3".to_owned())]);
        let piece = Piece { copies: 2, look, fields };
        let pieces = BTreeMap::from([("card/sun".to_owned(), piece)]);
        Record::new("mini".to_owned(), "1.0".to_owned(), "2p".to_owned(), None, pieces)
    }

    #[test]
    fn what_is_written_is_read_again() {
        let text = record().render().unwrap();
        assert_eq!(Record::parse(&text, "p.json").unwrap(), record());
        assert_eq!(record().size().unwrap(), Players::Count(2));
    }

    #[test]
    fn what_is_no_record_is_refused_with_its_place() {
        let good = record().render().unwrap();
        let said = |text: &str| format!("{:#}", Record::parse(text, "p.json").unwrap_err());
        assert!(said("{").starts_with("p.json:1:1: "), "{}", said("{"));
        assert!(said("").contains("no record of a print"));
        assert!(said(&good.replace("\"format\": 1", "\"format\": 2")).contains("form 2"));
        assert!(said(&good.replace("\"version\"", "\"verison\"")).contains("p.json:4:"));
        assert!(said(&good.replace("\"copies\": 2", "\"copies\": -2")).contains("p.json:"));
        assert!(said(&good.replace("\"copies\"", "\"copeis\"")).contains("missing field `copies`"));
        assert!(said(&good.replace("\"copies\"", "\"copeis\": 3, \"copies\"")).contains("unknown field `copeis`"));
        assert!(said(&good.replace("\"2p\"", "\"two\"")).contains("like `4p`"));
        assert!(record().belonging_to("maxi", "p.json").unwrap_err().to_string().contains("`mini`, not of `maxi`"));
    }
}
