//! Changes for the terminal.

use std::fmt::Write;

use super::changes::Told;
use super::compare::{Change, FieldChange};
use super::words::{self, plain};

/// The changes of a game, card by card and field by field.
pub fn render(told: &Told<'_>) -> String {
    let (game, changes) = (told.game, &told.changes);
    if changes.is_empty() {
        return format!("{} ({}): nothing changed since {}\n", game.id, plain(&game.title), told.earlier.title);
    }
    let mut text = format!("{} ({}): changes since {}\n", game.id, plain(&game.title), told.earlier.title);
    // Writing to a string cannot fail.
    for group in words::grouped(game, changes) {
        let _ = writeln!(text, "\n{} ({})", plain(group.id), plain(group.title));
        for change in group.changes {
            let what = words::told(change, "->", plain);
            let _ = writeln!(text, "{}", words::folded(&format!("{}: {what}", called(change, told)), 2, 6));
            for change in &change.fields {
                let _ = writeln!(text, "{}", words::folded(&field(change), 4, 6));
            }
        }
    }
    let _ = writeln!(text, "\n{}", words::summary(changes));
    text
}

/// `kite/swift (Swift)`, by the name that it has now, or had before.
fn called(change: &Change, told: &Told<'_>) -> String {
    with_name(change, words::name(&change.address, &told.state.pieces, &told.earlier.pieces))
}

/// The address of a piece, with its name.
pub fn with_name(change: &Change, name: Option<&str>) -> String {
    let address = plain(&change.address);
    name.map_or_else(|| address.clone(), |name| format!("{address} ({})", plain(name)))
}

/// `power: 3 -> 4`
pub fn field(change: &FieldChange) -> String {
    let path = plain(&change.path);
    match (&change.before, &change.now) {
        (Some(before), Some(now)) => format!("{path}: {} -> {}", plain(before), plain(now)),
        (None, Some(now)) => format!("{path}: {} (new)", plain(now)),
        (Some(before), None) => format!("{path}: gone, it was {}", plain(before)),
        (None, None) => path,
    }
}
