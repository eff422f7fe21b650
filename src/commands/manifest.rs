//! The manifest beside a kit: which piece is on which page, and what each face's hash is.

use std::collections::BTreeMap;

use serde::Serialize;

use super::kit::Kit;
use crate::model::{Game, KitSize};
use crate::sheet::{Paper, Placement, Sheet, Side};

#[derive(Serialize)]
struct Manifest<'a> {
    game: &'a str,
    players: serde_json::Value,
    paper: &'a str,
    pages: Vec<Page<'a>>,
    faces: BTreeMap<&'a str, String>,
    paiban: &'static str,
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

/// The pieces that lie on a sheet; a folded one shows both sides of each.
fn shown(sheet: &Sheet) -> impl Iterator<Item = &Placement> {
    sheet.placements.iter().filter(|placed| placed.side == sheet.side)
}

/// The manifest of `kit` as JSON with a line feed at its end.
pub fn render(game: &Game, kit: &Kit, paper: &Paper) -> String {
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
        players: match kit.size {
            KitSize::Players(players) => players.into(),
            KitSize::Full => "full".into(),
        },
        paper: &paper.name,
        pages: pages.collect(),
        faces: kit.faces.iter().map(|(address, face)| (address.as_str(), face.hash.to_string())).collect(),
        paiban: env!("CARGO_PKG_VERSION"),
    };
    serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n"
}
