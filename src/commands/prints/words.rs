//! What all ways to write changes have in common: their order, and how a change is put into words.

use super::compare::Change;
use super::record::Pieces;
use crate::model::{Game, Kind};

/// The changes of one component.
pub struct Group<'c> {
    /// The component's id.
    pub id: &'c str,
    /// Its title; of one that is gone its id.
    pub title: &'c str,
    /// Its changes, in the order of the data; what is gone comes last.
    pub changes: Vec<&'c Change>,
}

/// The changes by component, in the order of the data; components that are gone come last.
pub fn grouped<'c>(game: &'c Game, changes: &'c [Change]) -> Vec<Group<'c>> {
    let mut groups: Vec<Group<'c>> = Vec::new();
    for component in game.components.iter().filter(|component| component.kind != Kind::Page) {
        let mut own: Vec<&Change> =
            changes.iter().filter(|change| component_of(&change.address) == component.id).collect();
        // The changes stand in the order of their addresses, and sorting keeps it where places are equal.
        own.sort_by_key(|change| {
            let place = component.pieces.iter().position(|piece| piece.address == change.address);
            (change.is_gone(), place.unwrap_or(usize::MAX))
        });
        groups.push(Group { id: &component.id, title: &component.title, changes: own });
    }
    for change in changes {
        let id = component_of(&change.address);
        match groups.iter_mut().find(|group| group.id == id) {
            Some(group) if group.changes.iter().any(|known| known.address == change.address) => {}
            Some(group) => group.changes.push(change),
            None => groups.push(Group { id, title: id, changes: vec![change] }),
        }
    }
    groups.retain(|group| !group.changes.is_empty());
    groups
}

/// The component that a piece is of.
fn component_of(address: &str) -> &str {
    address.split('/').next().unwrap_or_default()
}

/// What people call the piece at `address`: what `first` says, or else what `second` says.
pub fn name<'p>(address: &str, first: &'p Pieces, second: &'p Pieces) -> Option<&'p str> {
    first.get(address).or_else(|| second.get(address)).and_then(|piece| piece.name())
}

/// What became of a piece, without its fields: `new, 2 copies`. `arrow` stands between before and now; `code` dresses an address.
pub fn told(change: &Change, arrow: &str, code: impl Fn(&str) -> String) -> String {
    let mut parts = Vec::new();
    match (change.before, change.now) {
        (None, Some(now)) => parts.push(format!("new, {}", copies(now))),
        (Some(before), None) => parts.push(format!("gone, {}", copies(before))),
        (Some(before), Some(now)) if before != now => parts.push(format!("copies: {before} {arrow} {now}")),
        _ => {}
    }
    parts.extend(change.from.iter().map(|(from, kept)| format!("{kept} printed as {} look the same", code(from))));
    parts.extend(change.to.iter().map(|(to, kept)| format!("{kept} can be used as {}", code(to))));
    let seen = change.seen;
    let sides = [(seen.front, "the front"), (seen.back, "the back"), (seen.cut, "size or outline")];
    let sides: Vec<&str> = sides.into_iter().filter(|(differs, _)| *differs).map(|(_, side)| side).collect();
    if let [first, rest @ ..] = sides.as_slice() {
        let all = rest.iter().fold((*first).to_owned(), |all, side| format!("{all} and {side}"));
        let verb = if rest.is_empty() { "looks" } else { "look" };
        let why = if change.fields.is_empty() { ", though its record says the same" } else { "" };
        parts.push(format!("{all} {verb} different{why}"));
    } else if !change.fields.is_empty() {
        parts.push("changed without showing".to_owned());
    }
    parts.join("; ")
}

/// `1 copy`, `2 copies`.
fn copies(number: u32) -> String {
    format!("{number} {}", if number == 1 { "copy" } else { "copies" })
}

/// `1 piece`, `2 pieces`.
pub fn pieces(number: u64) -> String {
    format!("{number} {}", if number == 1 { "piece" } else { "pieces" })
}

/// How many pieces are to be printed.
pub fn to_print(changes: &[Change]) -> u64 {
    changes.iter().map(|change| u64::from(change.print)).sum()
}

/// How many pieces are to be thrown away.
pub fn to_discard(changes: &[Change]) -> u64 {
    changes.iter().map(|change| u64::from(change.discard)).sum()
}

/// All changes in a line: `2 changed, 1 new, 0 gone; 4 pieces to print, 2 to throw away`.
pub fn summary(changes: &[Change]) -> String {
    let new = changes.iter().filter(|change| change.is_new()).count();
    let gone = changes.iter().filter(|change| change.is_gone()).count();
    let changed = changes.len() - new - gone;
    let (print, discard) = (pieces(to_print(changes)), to_discard(changes));
    format!("{changed} changed, {new} new, {gone} gone; {print} to print, {discard} to throw away")
}

/// Columns of a terminal that a line may take.
const WIDTH: usize = 100;

/// `text` in lines that a terminal has room for, the first `indent` columns from the left and all others `rest`.
pub fn folded(text: &str, indent: usize, rest: usize) -> String {
    let mut lines = " ".repeat(indent);
    let (mut start, mut place, mut column) = (0, 0, indent);
    for (at, c) in text.char_indices() {
        let may_begin =
            wide(c) && !matches!(c, '，' | '。' | '、' | '；' | '：' | '！' | '？' | '）' | '」' | '』' | '》');
        if may_begin || (c != ' ' && text[..at].ends_with(' ')) {
            place = at;
        }
        column += columns(c);
        if column > WIDTH && c != ' ' && place > start {
            lines += text[start..place].trim_end();
            lines += "\n";
            lines += &" ".repeat(rest);
            start = place;
            column = rest + text[start..at].chars().chain([c]).map(columns).sum::<usize>();
        }
    }
    lines + &text[start..]
}

fn columns(c: char) -> usize {
    if wide(c) { 2 } else { 1 }
}

/// Whether a terminal gives a character two columns, as Han characters have.
const fn wide(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}' | '\u{F900}'..='\u{FAFF}'
        | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FF60}' | '\u{FFE0}'..='\u{FFE6}' | '\u{1F300}'..='\u{1FAFF}'
        | '\u{20000}'..='\u{3FFFD}')
}

/// Text for a terminal: on one line, and nothing in it that a terminal would obey.
pub fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { c.escape_default().to_string() } else { c.to_string() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_words_and_between_han_characters() {
        let words = "seven".repeat(4) + &" words".repeat(20);
        let folded_words = folded(&words, 4, 6);
        let lines: Vec<&str> = folded_words.lines().collect();
        assert_eq!(lines.len(), 2, "{folded_words}");
        assert!(lines.iter().all(|line| line.len() <= WIDTH) && lines[0].len() > WIDTH - 6);
        assert!(lines[0].starts_with("    seven") && lines[1].starts_with("      words"));
        let han = folded(&"牌".repeat(60), 0, 2);
        let counts: Vec<usize> = han.lines().map(|line| line.trim().chars().count()).collect();
        assert_eq!(counts, [50, 10]);
        let long = "x".repeat(150);
        assert_eq!((folded(&long, 0, 2), folded("short", 2, 4)), (long, "  short".to_owned()));
    }
}
