//! What differs between two states of a kit, and what of it must be printed and thrown away.
//!
//! Pieces that look the same are the same cardboard, whatever they are called: a card that was renamed, or whose data changed without
//! showing, is kept. So as little is printed as can be: of each look, as many as there are more now than then.

use std::collections::BTreeMap;

use super::record::{Look, Piece, Pieces};

/// What differs of a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Its address.
    pub address: String,
    /// How many there were; none where there was no such piece.
    pub before: Option<u32>,
    /// How many there are now; none where it is gone.
    pub now: Option<u32>,
    /// What looks different, of a piece that was there before.
    pub seen: Seen,
    /// The fields that differ, of a piece that was there before.
    pub fields: Vec<FieldChange>,
    /// How many are to be printed.
    pub print: u32,
    /// How many printed ones are of no use any more.
    pub discard: u32,
    /// Printed pieces that look the same and take its place: their address and how many.
    pub from: BTreeMap<String, u32>,
    /// The pieces whose place its printed ones take.
    pub to: BTreeMap<String, u32>,
}

/// What looks different.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The front.
    pub front: bool,
    /// The back, or that there is one.
    pub back: bool,
    /// Size or outline.
    pub cut: bool,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldChange {
    /// Where it stands in the record: `cost.gold`.
    pub path: String,
    /// What it was; none where it is new.
    pub before: Option<String>,
    /// What it is; none where it is gone.
    pub now: Option<String>,
}

impl Seen {
    /// Whether anything does.
    pub const fn any(self) -> bool {
        self.front || self.back || self.cut
    }
}

impl Change {
    /// Whether the piece was not there before.
    pub const fn is_new(&self) -> bool {
        self.before.is_none()
    }

    /// Whether the piece is not there any more.
    pub const fn is_gone(&self) -> bool {
        self.now.is_none()
    }
}

/// What differs between `before` and `now`, by address; empty when nothing does.
pub fn compare(before: &Pieces, now: &Pieces) -> Vec<Change> {
    let addresses = before.keys().chain(now.keys().filter(|address| !before.contains_key(*address)));
    let mut changes: Vec<Change> =
        addresses.filter_map(|address| change(address, before.get(address), now.get(address))).collect();
    changes.sort_by(|a, b| a.address.cmp(&b.address));
    keep_the_same(&mut changes, before, now);
    changes
}

fn change(address: &str, before: Option<&Piece>, now: Option<&Piece>) -> Option<Change> {
    let (then_copies, now_copies) = (before.map(|piece| piece.copies), now.map(|piece| piece.copies));
    let (had, has) = (then_copies.unwrap_or(0), now_copies.unwrap_or(0));
    let both = before.zip(now);
    let seen = both.map(|(before, now)| seen(&before.look, &now.look)).unwrap_or_default();
    let fields = both.map(|(before, now)| fields(&before.fields, &now.fields)).unwrap_or_default();
    if both.is_some() && had == has && !seen.any() && fields.is_empty() {
        return None;
    }
    let kept = if both.is_none() || seen.any() { 0 } else { had.min(has) };
    Some(Change {
        address: address.to_owned(),
        before: then_copies,
        now: now_copies,
        seen,
        fields,
        print: has - kept,
        discard: had - kept,
        ..Change::default()
    })
}

fn seen(before: &Look, now: &Look) -> Seen {
    Seen {
        front: before.front != now.front,
        back: before.back != now.back,
        cut: (&before.trim, &before.shape) != (&now.trim, &now.shape),
    }
}

fn fields(before: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> Vec<FieldChange> {
    let paths = before.keys().chain(now.keys().filter(|path| !before.contains_key(*path)));
    let mut changes: Vec<FieldChange> = paths
        .map(|path| FieldChange { path: path.clone(), before: before.get(path).cloned(), now: now.get(path).cloned() })
        .filter(|change| change.before != change.now)
        .collect();
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

/// Lets pieces that would be thrown away stand for those of the same look that would be printed.
fn keep_the_same(changes: &mut [Change], before: &Pieces, now: &Pieces) {
    let mut spare: BTreeMap<&Look, Vec<usize>> = BTreeMap::new();
    for (at, change) in changes.iter().enumerate().filter(|(_, change)| change.discard > 0) {
        spare.entry(&before[&change.address].look).or_default().push(at);
    }
    for at in 0..changes.len() {
        let Some(piece) = now.get(&changes[at].address) else { continue };
        for from in spare.get(&piece.look).into_iter().flatten().copied() {
            let copies = changes[at].print.min(changes[from].discard);
            if copies == 0 {
                continue;
            }
            changes[at].print -= copies;
            changes[from].discard -= copies;
            let (old, new) = (changes[from].address.clone(), changes[at].address.clone());
            changes[at].from.insert(old, copies);
            changes[from].to.insert(new, copies);
        }
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;
