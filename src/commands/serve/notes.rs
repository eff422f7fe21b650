//! Findings beside what caused them: on the faces of the pieces that they are about, on those of the records that they point into, on a
//! component, or on the game as a whole.

use std::collections::BTreeSet;

use crate::diagnostics::Finding;
use crate::model::{Component, Game};
use crate::preview::shown::{self, Note};
use crate::source::tree::{Node, Value};
use crate::source::{Sources, Span};

/// Puts `findings`, which are of `model`, into `game`. Without a model, because nothing of the data can be read, they are the game's.
pub fn attach(game: &mut shown::Game, findings: &[Finding], model: Option<&Game>, sources: &Sources) {
    for section in &mut game.sections {
        section.notes.clear();
        section.cards.iter_mut().for_each(|card| card.notes.clear());
    }
    game.loose.clear();
    game.notes = findings.iter().map(|finding| note(finding, sources)).collect();
    for (number, finding) in findings.iter().enumerate() {
        let addresses = match (finding.pieces.as_slice(), model) {
            ([], Some(model)) => pieces_of(finding, model),
            (pieces, _) => pieces.iter().map(String::as_str).collect(),
        };
        if on_cards(game, number, &addresses) {
            continue;
        }
        let component = model.and_then(|model| component_of(finding, model, sources));
        match component.and_then(|id| game.sections.iter_mut().find(|section| section.id == id)) {
            Some(section) => section.notes.push(number),
            None => {
                game.notes[number].message = finding.headline();
                game.loose.push(number);
            }
        }
    }
}

/// Leaves the notes as they were `before`, on the faces that are still there.
pub fn carry_over(game: &mut shown::Game, before: shown::Game) {
    for section in &mut game.sections {
        let Some(old) = before.sections.iter().find(|old| old.id == section.id) else { continue };
        section.notes.clone_from(&old.notes);
        for card in &mut section.cards {
            let known = old.cards.iter().find(|old| (&old.address, old.side) == (&card.address, card.side));
            card.notes = known.map(|old| old.notes.clone()).unwrap_or_default();
        }
    }
    (game.notes, game.loose) = (before.notes, before.loose);
}

fn note(finding: &Finding, sources: &Sources) -> Note {
    Note {
        code: finding.code.clone(),
        severity: finding.severity.name(),
        message: finding.message.clone(),
        place: finding.position(sources).map(|place| place.to_string()),
        expected: finding.expected.clone(),
        help: finding.help.clone(),
    }
}

/// Puts a note on the fronts of the pieces with these addresses. Says whether there was any.
fn on_cards(game: &mut shown::Game, number: usize, addresses: &BTreeSet<&str>) -> bool {
    let cards = game.sections.iter_mut().flat_map(|section| &mut section.cards);
    let theirs = cards.filter(|card| card.side == "front" && addresses.contains(card.address.as_str()));
    theirs.map(|card| card.notes.push(number)).count() > 0
}

/// The pieces of the records that a finding points into; derived pieces only where no others are made from them.
fn pieces_of<'m>(finding: &Finding, model: &'m Game) -> BTreeSet<&'m str> {
    let places: Vec<Span> = finding.place.iter().chain(&finding.others).map(|label| label.span).collect();
    // The place itself says most; the others count only where it is in no record.
    for place in places {
        for derived in [false, true] {
            let components = model.components.iter().filter(|component| (component.made_from.len() > 1) == derived);
            let pieces = components.flat_map(|component| &component.pieces).filter(|piece| {
                let parents = piece.parents.iter().map(|(_, node)| node);
                let own = (!derived).then_some(&piece.record.node);
                own.into_iter().chain(parents).any(|node| holds(node, place))
            });
            let found: BTreeSet<&str> = pieces.map(|piece| piece.address.as_str()).collect();
            if !found.is_empty() {
                return found;
            }
        }
    }
    BTreeSet::new()
}

/// The component whose table or template a finding points into.
fn component_of<'m>(finding: &Finding, model: &'m Game, sources: &Sources) -> Option<&'m str> {
    let place = finding.place.as_ref()?.span;
    let file = sources.get(place.file);
    let template = file.path.strip_prefix("templates/");
    let draws = |component: &&Component| {
        let mut templates = std::iter::once(&component.front).chain(&component.back);
        template.is_some_and(|path| templates.any(|own| own.value == path))
    };
    let stands = |component: &&Component| holds(&component.table, place);
    let component = model.components.iter().find(|component| stands(component) || draws(component));
    component.map(|component| component.id.as_str())
}

/// Whether `place` lies in what was written of `node`: from its head to the end of its last value.
fn holds(node: &Node, place: Span) -> bool {
    let mut extent = (node.span.start, node.span.end);
    widen(node, node, &mut extent);
    is_table_with_content(node)
        && node.span.file == place.file
        && (extent.0..extent.1.max(extent.0 + 1)).contains(&place.start)
}

/// A piece without a record has an empty one, which stands where the component does.
fn is_table_with_content(node: &Node) -> bool {
    node.as_table().is_some_and(|table| !table.entries.is_empty())
}

fn widen(node: &Node, root: &Node, extent: &mut (u32, u32)) {
    if node.span.file == root.span.file {
        *extent = (extent.0.min(node.span.start), extent.1.max(node.span.end));
    }
    match &node.value {
        Value::Array(items) => items.iter().for_each(|item| widen(item, root, extent)),
        Value::Table(table) => table.entries.iter().for_each(|entry| widen(&entry.node, root, extent)),
        Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {}
    }
}
