//! What is shown of a game: its components, each with its distinct faces, in the order of the data.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::stage::{Stage, key_of};
use crate::commands::kit::{self, KitOptions};
use crate::commands::prints::record::Record;
use crate::commands::session::Session;
use crate::compose::face::{Face, FaceHash, Layer};
use crate::compose::{Composer, PageContext};
use crate::diagnostics::Report;
use crate::model::{Component, Game, Kind, KitSize, Piece};
use crate::preview::shown::{self, Card, Section};
use crate::sheet::Paper;

/// A game on the table.
#[derive(Clone, Copy)]
pub struct Desk<'d> {
    /// The project.
    pub session: &'d Session,
    /// The game.
    pub game: &'d Game,
    /// Composes its faces.
    pub composer: &'d Composer<'d>,
    /// What was found while its templates were compiled.
    pub found: &'d Report,
}

impl Desk<'_> {
    /// Composes all faces of the game and says what is shown of it, without notes.
    pub fn draft(&self, stage: &Stage, report: &mut Report) -> shown::Game {
        let game = self.game;
        let options = KitOptions::new(Paper::a4());
        let page = kit::gather(self.composer, game, KitSize::Full, &options, report).page;
        // Whoever serves looks at cards; `paiban reprint` says what is wrong with a record.
        let printed = Record::last(&game.id, &self.session.project.disk).ok().flatten();
        let pieces = game.components.iter().filter(|component| component.kind != Kind::Page);
        shown::Game {
            key: key_of(&game.id),
            id: game.id.clone(),
            title: game.title.clone(),
            language: game.language.clone(),
            players: game.players.clone(),
            printed: printed.is_some(),
            sections: pieces.map(|component| self.section(component, &page, printed.as_ref(), stage)).collect(),
            ..shown::Game::default()
        }
    }

    fn section(&self, component: &Component, page: &PageContext, printed: Option<&Record>, stage: &Stage) -> Section {
        // Everything was composed and reported before.
        let mut told = Report::default();
        let mut cards = Vec::new();
        let mut seen: BTreeSet<Option<FaceHash>> = BTreeSet::new();
        for piece in component.pieces.iter().filter(|piece| piece.copies > 0) {
            let front = self.composer.front(component, piece, page, &mut told);
            seen.extend(front.as_ref().map(|face| Some(face.hash)));
            cards.push(self.card(piece, "front", front.as_ref(), printed, stage));
            if component.back.is_some() {
                let back = self.composer.back(component, piece, page, &mut told);
                // A back that many pieces share is shown once, and so are those that cannot be composed.
                if seen.insert(back.as_ref().map(|face| face.hash)) {
                    cards.push(self.card(piece, "back", back.as_ref(), printed, stage));
                }
            }
        }
        let trim = component.trim.unwrap_or(page.paper_size);
        Section {
            id: component.id.clone(),
            title: component.title.clone(),
            kind: component.kind.name(),
            trim: [trim.w.to_mm(), trim.h.to_mm()],
            bleed: component.bleed.to_mm(),
            safe: component.safe.to_mm(),
            shape: component.outline.name(),
            cards,
            notes: Vec::new(),
        }
    }

    fn card(
        &self,
        piece: &Piece,
        side: &'static str,
        face: Option<&Arc<Face>>,
        printed: Option<&Record>,
        stage: &Stage,
    ) -> Card {
        let differs = |face: &Arc<Face>| {
            printed.is_some_and(|last| match side {
                "back" => last.back_differs(&piece.address, face.hash),
                _ => last.front_differs(&piece.address, face.hash),
            })
        };
        Card {
            address: piece.address.clone(),
            side,
            copies: piece.copies,
            face: face.map(|face| stage.key(face, &self.session.fonts)),
            stale: false,
            changed: face.is_some_and(differs),
            text: face.map_or_else(String::new, |face| written_on(face)),
            notes: Vec::new(),
        }
    }
}

/// What is written on a face.
fn written_on(face: &Face) -> String {
    let mut text = String::new();
    for layer in &face.layers {
        if let Layer::Text(runs) = layer {
            runs.iter().for_each(|run| text.push_str(&run.text));
            text.push(' ');
        }
    }
    text
}

/// Where a picture is missing that was there before, the old one is shown. When `broken`, because data cannot be read, whole pieces
/// and components may be missing; those stay as well.
pub fn keep_old(game: &mut shown::Game, before: &shown::Game, broken: bool) {
    let old = |section: &Section, card: &Card| {
        let found = before.sections.iter().find(|old| old.id == section.id)?;
        found.cards.iter().find(|old| (&old.address, old.side) == (&card.address, card.side)).cloned()
    };
    for section in &mut game.sections {
        let shown = section.clone();
        for card in section.cards.iter_mut().filter(|card| card.face.is_none()) {
            if let Some(Card { face, text, .. }) = old(&shown, card) {
                (card.face, card.text, card.stale) = (face, text, true);
            }
        }
    }
    if broken {
        for old in &before.sections {
            keep_missing(&mut game.sections, old);
        }
    }
    game.stale = game.sections.iter().flat_map(|section| &section.cards).any(|card| card.stale);
}

fn keep_missing(sections: &mut Vec<Section>, old: &Section) {
    let stale = |card: &Card| Card { stale: true, notes: Vec::new(), ..card.clone() };
    match sections.iter_mut().find(|section| section.id == old.id) {
        None => {
            let cards = old.cards.iter().map(stale).collect();
            sections.push(Section { cards, notes: Vec::new(), ..old.clone() });
        }
        Some(section) => {
            let there: BTreeSet<(String, &str)> =
                section.cards.iter().map(|card| (card.address.clone(), card.side)).collect();
            let missing = old.cards.iter().filter(|card| !there.contains(&(card.address.clone(), card.side)));
            section.cards.extend(missing.map(stale));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(address: &str, face: Option<&str>) -> Card {
        Card {
            address: address.to_owned(),
            side: "front",
            copies: 1,
            face: face.map(str::to_owned),
            stale: false,
            changed: false,
            text: String::new(),
            notes: Vec::new(),
        }
    }

    fn game(sections: &[(&str, Vec<Card>)]) -> shown::Game {
        let section = |(id, cards): &(&str, Vec<Card>)| Section {
            id: (*id).to_owned(),
            title: String::new(),
            kind: "card",
            trim: [63.0, 88.0],
            bleed: 2.0,
            safe: 3.0,
            shape: "rect",
            cards: cards.clone(),
            notes: Vec::new(),
        };
        shown::Game { sections: sections.iter().map(section).collect(), ..shown::Game::default() }
    }

    fn faces(game: &shown::Game) -> Vec<(&str, Option<&str>, bool)> {
        let cards = game.sections.iter().flat_map(|section| &section.cards);
        cards.map(|card| (card.address.as_str(), card.face.as_deref(), card.stale)).collect()
    }

    #[test]
    fn a_face_that_cannot_be_composed_shows_its_last_picture() {
        let before = game(&[("a", vec![card("a/1", Some("x")), card("a/2", Some("y"))])]);
        let mut now = game(&[("a", vec![card("a/1", None)])]);
        keep_old(&mut now, &before, false);
        assert_eq!(faces(&now), [("a/1", Some("x"), true)]);
        assert!(now.stale);
    }

    #[test]
    fn what_broken_data_takes_away_stays_in_sight() {
        let before =
            game(&[("a", vec![card("a/1", Some("x")), card("a/2", Some("y"))]), ("b", vec![card("b", Some("z"))])]);
        let mut now = game(&[("a", vec![card("a/1", Some("new"))])]);
        keep_old(&mut now, &before, true);
        assert_eq!(faces(&now), [("a/1", Some("new"), false), ("a/2", Some("y"), true), ("b", Some("z"), true)]);
    }

    #[test]
    fn what_was_taken_away_on_purpose_goes() {
        let before = game(&[("a", vec![card("a/1", Some("x")), card("a/2", Some("y"))])]);
        let mut now = game(&[("a", vec![card("a/1", Some("x"))])]);
        keep_old(&mut now, &before, false);
        assert_eq!(faces(&now), [("a/1", Some("x"), false)]);
        assert!(!now.stale);
    }
}
