//! The manifest beside a kit: which piece is on which page, what the hashes of its faces are, and how many of it there are.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use super::kit::{Kit, KitOptions};
use crate::compose::face::Face;
use crate::model::{Game, KitSize};
use crate::sheet::{Placement, Sheet, Side};

#[derive(Serialize)]
struct Manifest<'a> {
    game: &'a str,
    players: serde_json::Value,
    paper: &'a str,
    /// Whether it is only what was to be printed again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reprint: bool,
    pages: Vec<Page<'a>>,
    faces: BTreeMap<&'a str, String>,
    backs: BTreeMap<&'a str, String>,
    copies: &'a BTreeMap<String, usize>,
    paiban: &'static str,
}

/// How manifests name a kit: a number, or `full`.
pub fn players(size: KitSize) -> serde_json::Value {
    match size {
        KitSize::Players(players) => players.into(),
        KitSize::Full => "full".into(),
    }
}

#[derive(Serialize)]
struct Page<'a> {
    page: usize,
    side: &'static str,
    component: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    components: &'a [String],
    pieces: Vec<&'a str>,
}

fn hashes(faces: &BTreeMap<String, Arc<Face>>) -> BTreeMap<&str, String> {
    faces.iter().map(|(address, face)| (address.as_str(), face.hash.to_string())).collect()
}

/// The pieces that lie on a sheet; a folded one shows both sides of each.
fn shown(sheet: &Sheet) -> impl Iterator<Item = &Placement> {
    sheet.placements.iter().filter(|placed| placed.side == sheet.side)
}

/// The manifest of `kit` as JSON with a line feed at its end.
pub fn render(game: &Game, kit: &Kit, options: &KitOptions) -> String {
    let pages = kit.sheets.iter().enumerate().map(|(at, sheet)| Page {
        page: at + 1,
        side: match sheet.side {
            Side::Front => "front",
            Side::Back => "back",
        },
        component: sheet.component(),
        components: if sheet.components.len() > 1 { &sheet.components } else { &[] },
        pieces: shown(sheet).map(|placed| placed.piece.as_str()).collect(),
    });
    let manifest = Manifest {
        game: &game.id,
        players: players(kit.size),
        paper: &options.paper.name,
        reprint: options.only.is_some(),
        pages: pages.collect(),
        faces: hashes(&kit.faces),
        backs: hashes(&kit.backs),
        copies: &kit.copies,
        paiban: env!("CARGO_PKG_VERSION"),
    };
    serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n"
}
