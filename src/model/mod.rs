//! What the data is: games, components, records and invariants, valid by construction.
//!
//! [`load::project`] reads the files, reports every fault and returns what is sound; nothing here changes afterwards.

mod boxes;
mod claim;
mod component;
mod fields;
mod game;
mod invariant;
pub mod keys;
pub mod load;
mod pieces;
pub mod preflight;
pub mod provenance;
mod quantity;
mod replay;
pub mod shop;
mod spreadsheet;
mod stated;
pub mod tuck;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::expr::lens::Lists;
use crate::geometry::Size;
use crate::source::disk::Disk;
use crate::source::tree::{Node, Table};
use crate::source::{FileId, Sources, Span, Spanned};

use crate::units::Length;
pub use claim::{Basis, Claim, Part, Relation, SelfPlay};
pub use replay::{Erratum, Replay, Step, StepKind};
pub use stated::{Number, Stated};

/// The games of a folder.
pub struct Project {
    /// Its folder.
    pub disk: Disk,
    /// Every file that was read.
    pub sources: Sources,
    /// The games, by id.
    pub games: Vec<Game>,
}

/// A game.
#[derive(Debug)]
pub struct Game {
    /// Its id, which is the name of its folder.
    pub id: String,
    /// Its name.
    pub title: String,
    /// BCP 47 tag of its language.
    pub language: String,
    /// The player counts that get a kit, ascending.
    pub players: Vec<u32>,
    /// Its version.
    pub version: String,
    /// What lies between two pieces of a component that says nothing of it.
    pub gutter: Gutter,
    /// Where `[game]` stands.
    pub span: Span,
    /// The `[game]` table, as templates see it.
    pub table: Node,
    /// The icon set that names are looked up in.
    pub icon_set: Option<Spanned<String>>,
    /// Names for icons.
    pub icons: BTreeMap<String, Spanned<String>>,
    /// Generic font families.
    pub fonts: BTreeMap<String, Spanned<String>>,
    /// Free values for templates.
    pub theme: Node,
    /// What may be printed, and what is allowed beyond that.
    pub preflight: preflight::Preflight,
    /// What is not used on purpose, and why.
    pub unused: BTreeMap<String, Spanned<String>>,
    /// What gets printed, in the order of the data.
    pub components: Vec<Component>,
    /// Records by kind, in the order of the data.
    pub records: BTreeMap<String, Vec<Record>>,
    /// What must hold.
    pub invariants: Vec<Invariant>,
    /// Numbers that the rules state.
    pub claims: Vec<Claim>,
    /// The rules as a script, `rules.lua`, if the game has one.
    pub rules: Option<FileId>,
    /// Sample games, to be played again by the rules.
    pub replays: Vec<Replay>,
}

/// A record: a table of data with an id.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its id, unique in its kind.
    pub id: String,
    /// Its fields, with their places.
    pub node: Node,
}

impl Record {
    /// Its fields.
    pub fn table(&self) -> Option<&Arc<Table>> {
        self.node.as_table()
    }
}

/// What sort of thing a component is; decides how it is laid on paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Lies in a grid with its like.
    Card,
    /// A small piece; lies in a grid, perhaps round.
    Token,
    /// One large piece; tiled when it is larger than the paper.
    Board,
    /// As large as the paper; opens the kit.
    Page,
    /// A tuck box, made to the measure of what it holds; part of the whole box only.
    Box,
}

impl Kind {
    /// The word for it in the data.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Card => "card",
            Kind::Token => "token",
            Kind::Board => "board",
            Kind::Page => "page",
            Kind::Box => "box",
        }
    }
}

/// The outline of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outline {
    /// A rectangle.
    Rect,
    /// A circle as wide as the trim.
    Circle,
    /// A regular hexagon that fills the trim, with a corner at its left and right.
    HexFlat,
    /// A regular hexagon that fills the trim, with a corner at its top and bottom.
    HexPointy,
    /// A figure that stands: front and back of the trim's size, joined by a fold at the head, with a foot below each.
    Standee,
    /// A line that the template itself draws inside the trim.
    Drawn,
}

impl Outline {
    /// The word for it in the data.
    pub const fn name(self) -> &'static str {
        match self {
            Outline::Rect => "rect",
            Outline::Circle => "circle",
            Outline::HexFlat => "hex-flat",
            Outline::HexPointy => "hex-pointy",
            Outline::Standee => "standee",
            Outline::Drawn => "drawn",
        }
    }
}

/// What the data says of the room between two neighbours on a sheet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gutter {
    /// None where the edges have one flat colour, twice the bleed where they do not.
    #[default]
    Auto,
    /// This much.
    Fixed(Length),
}

/// A kind of printed piece.
#[derive(Debug)]
pub struct Component {
    /// Its id.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// What sort of thing it is.
    pub kind: Kind,
    /// The finished size; none for a page, which is as large as the paper. That of a box is its net's.
    pub trim: Option<Size>,
    /// How far art reaches beyond the trim.
    pub bleed: Length,
    /// How far text stays inside the trim.
    pub safe: Length,
    /// What may be printed on it.
    pub limits: preflight::Limits,
    /// The outline it is cut to.
    pub outline: Outline,
    /// The flat colour of every edge, if there is one; neighbours may then share a cut.
    pub edge: Option<Spanned<String>>,
    /// What lies between two of its pieces on a sheet.
    pub gutter: Gutter,
    /// Where a piece is folded: distances along its longer side.
    pub folds: Vec<Length>,
    /// Whether nothing else may lie on its sheets.
    pub own_sheet: bool,
    /// The box that it is, for those of kind [`Kind::Box`].
    pub tuck: Option<tuck::Tuck>,
    /// Template of the front, below templates/.
    pub front: Spanned<String>,
    /// Template of the back.
    pub back: Option<Spanned<String>>,
    /// Why its backs tell the cards of it apart, if they are to.
    pub backs_differ: Option<Spanned<String>>,
    /// Why its back may be one that looks different upside down.
    pub one_way_back: Option<Spanned<String>>,
    /// The record kinds it is made from: none, one, or several that are combined.
    pub made_from: Vec<String>,
    /// Every piece there is, in order.
    pub pieces: Vec<Piece>,
    /// How many are printed and used for each player count of the game.
    pub counts: BTreeMap<u32, Count>,
    /// Where its table stands.
    pub span: Span,
    /// Its table, as templates see it.
    pub table: Node,
}

/// A piece: a component and a record.
#[derive(Clone, Debug)]
pub struct Piece {
    /// `<component>/<record id>`.
    pub address: String,
    /// The record; an empty one where the component has none.
    pub record: Record,
    /// For a derived piece, the records it was made from, by kind.
    pub parents: Vec<(String, Node)>,
    /// How many of it there are.
    pub copies: usize,
}

/// How many pieces of a component a kit holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Pieces printed.
    pub printed: usize,
    /// Pieces in play.
    pub used: usize,
}

/// Which kit: for a number of players, or everything in the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KitSize {
    /// For this many players.
    Players(u32),
    /// Every copy in the box.
    Full,
}

/// `4p` or `full`, as files are named.
impl std::fmt::Display for KitSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KitSize::Players(players) => write!(f, "{players}p"),
            KitSize::Full => f.write_str("full"),
        }
    }
}

impl Component {
    /// All copies of all pieces.
    pub fn total(&self) -> usize {
        self.pieces.iter().map(|piece| piece.copies).sum()
    }

    /// How many pieces a kit of this size holds.
    pub fn count(&self, size: KitSize) -> Count {
        let all = Count { printed: self.total(), used: self.total() };
        match size {
            KitSize::Full => all,
            KitSize::Players(players) => self.counts.get(&players).copied().unwrap_or(all),
        }
    }

    /// The pieces of a kit, copies one after the other: the first ones, as many as are printed.
    pub fn stack(&self, size: KitSize) -> impl Iterator<Item = &Piece> {
        let copies = self.pieces.iter().flat_map(|piece| std::iter::repeat_n(piece, piece.copies));
        copies.take(self.count(size).printed)
    }
}

impl Game {
    /// The kits of this game: one for each player count.
    pub fn kits(&self) -> impl Iterator<Item = KitSize> {
        self.players.iter().map(|players| KitSize::Players(*players))
    }

    /// The records of a kind, or the pieces of a component that is made from several kinds.
    pub fn nodes(&self, name: &str) -> Option<Vec<Node>> {
        if let Some(records) = self.records.get(name) {
            return Some(records.iter().map(|record| record.node.clone()).collect());
        }
        let component = self.components.iter().find(|component| component.id == name)?;
        (component.made_from.len() > 1)
            .then(|| component.pieces.iter().map(|piece| piece.record.node.clone()).collect())
    }

    /// The lists that `all('name')` finds in an expression.
    pub fn lists(&self) -> Lists {
        self.node_names().filter_map(|name| Some((name.to_owned(), self.nodes(name)?.into()))).collect()
    }

    /// Every name that [`Game::nodes`] knows.
    pub fn node_names(&self) -> impl Iterator<Item = &str> {
        let derived = self.components.iter().filter(|component| component.made_from.len() > 1);
        self.records.keys().map(String::as_str).chain(derived.map(|component| component.id.as_str()))
    }
}

/// What an invariant looks at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// The game as a whole, once.
    Once,
    /// Each record of a kind, or each piece of a derived component.
    Each(String),
    /// Each player count.
    Players,
}

/// Something that must hold.
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its id, which is the code of its findings.
    pub id: String,
    /// What it says, in a line.
    pub title: String,
    /// What it looks at.
    pub domain: Domain,
    /// Which of them.
    pub filter: Option<Spanned<String>>,
    /// The fields that records are grouped by.
    pub group_by: Vec<Spanned<String>>,
    /// The expression that must be true.
    pub check: Spanned<String>,
    /// The field that a finding points at.
    pub at: Option<Spanned<String>>,
    /// What is expected, in words.
    pub expect: Option<String>,
    /// The message, with `{{ }}`.
    pub message: Option<Spanned<String>>,
    /// How to mend it.
    pub help: Option<String>,
    /// Why the rules are known to be wrong here.
    pub erratum: Option<Spanned<String>>,
    /// Where the rules say it.
    pub stands_in: Option<String>,
    /// Where it is declared.
    pub span: Span,
}
