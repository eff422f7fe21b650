//! `paiban reprint`: a PDF of only those pieces that are new or look different since the last print, and what to throw away.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use super::changes::{Told, no_record};
use super::compare::{Change, compare};
use super::earlier::Earlier;
use super::state::State;
use super::{text, words};
use crate::cli::Reprint;
use crate::commands::build::{self, Making};
use crate::commands::kit::{self, KitOptions};
use crate::commands::press::Press;
use crate::commands::session::Session;
use crate::commands::{Outcome, output, verify};
use crate::diagnostics::Report;

/// Runs the command.
pub fn run(arguments: &Reprint, project: Option<&Path>) -> Result<Outcome> {
    let options = KitOptions::of(&arguments.print)?;
    let session = Session::open(project)?;
    let game = session.game(&arguments.game)?;
    options.check(game)?;
    let earlier = Earlier::find(&arguments.before, &session, game)?.ok_or_else(|| no_record(game))?;
    let mut report = session.report.clone();
    let icons = session.icons(game);
    let composer = session.composer(game, &icons, &mut report);
    verify::check_game(&session, game, &composer, None, &mut report);
    if build::blames(&report, &game.id) {
        output::tell(&build::told(&report, &session), &session.project.sources);
        return Ok(Outcome::Findings);
    }
    let size = earlier.size;
    let state = State::of(&session, &composer, game, size, &mut report);
    let mut changes = compare(&earlier.pieces, &state.pieces);
    changes.retain(|change| wanted(change, &options));
    let needed = changes.iter().filter(|change| change.print > 0);
    let needed: BTreeMap<String, usize> =
        needed.map(|change| (change.address.clone(), change.print as usize)).collect();
    let told = Told { game, earlier, state, changes };

    let options = KitOptions { only: Some(needed.clone()), ..options };
    let out = arguments.print.out.clone().unwrap_or_else(|| session.project.disk.root().join("out"));
    let press = Press::at_home(arguments.print.ink);
    let making = Making {
        options: &options,
        ink: arguments.print.ink,
        cut: None,
        guides: false,
        shop: None,
        press: &press,
        out: &out,
    };
    let path = making.path(game, size);
    let mut ending = String::new();
    if needed.is_empty() {
        if path.exists() {
            ending = format!("{} is of an earlier reprint; it was left as it is\n", path.display());
        }
    } else {
        let mut found = Report::default();
        let kit = kit::assemble(&composer, game, size, &options, &session, &mut found);
        let left_out: Vec<&String> = needed.keys().filter(|address| !kit.copies.contains_key(*address)).collect();
        for address in &left_out {
            // Writing to a string cannot fail.
            let _ = writeln!(ending, "{address} does not fit on {} and is not in the PDF", options.paper.name);
        }
        let pages = kit.sheets.len();
        let files = if found.has_errors() { None } else { build::print(kit, game, &session, &making, &mut found)? };
        found.belongs_to(&game.id);
        report.extend(found);
        if let Some(files) = files {
            files.write(&game.id)?;
            let _ = writeln!(ending, "{}, {pages} {}", path.display(), if pages == 1 { "page" } else { "pages" });
        }
    }
    output::tell(&build::told(&report, &session), &session.project.sources);
    if build::blames(&report, &game.id) {
        return Ok(Outcome::Findings);
    }
    output::print(&(lists(&told) + &ending))?;
    Ok(Outcome::Clean)
}

/// Whether a change is of the components that were asked for.
fn wanted(change: &Change, options: &KitOptions) -> bool {
    let component = change.address.split('/').next().unwrap_or_default();
    options.components.is_empty() || options.components.iter().any(|id| id == component)
}

/// What is to be printed and what to be thrown away.
fn lists(told: &Told<'_>) -> String {
    let since = format!("since {}", told.earlier.title);
    let (print, discard) = (words::to_print(&told.changes), words::to_discard(&told.changes));
    let head = format!("{} ({})", told.game.id, words::plain(&told.game.title));
    if print == 0 && discard == 0 {
        return format!("{head}: nothing to print {since}\n");
    }
    let mut text = format!("{head}: {} to print, {discard} to throw away {since}\n", words::pieces(print));
    // Each list calls a card what stands on it: what is printed by its name now, what lies in the box by the one it had.
    let (now, then) = (&told.state.pieces, &told.earlier.pieces);
    list(&mut text, "print", told, |change| (change.print, words::name(&change.address, now, then)));
    list(&mut text, "throw away", told, |change| (change.discard, words::name(&change.address, then, now)));
    text
}

/// The changes of which `of` gives a number that is not 0, with their names.
fn list<'t>(list: &mut String, title: &str, told: &'t Told<'_>, of: impl Fn(&Change) -> (u32, Option<&'t str>)) {
    if told.changes.iter().all(|change| of(change).0 == 0) {
        return;
    }
    // Writing to a string cannot fail.
    let _ = writeln!(list, "{title}:");
    for change in words::grouped(told.game, &told.changes).into_iter().flat_map(|group| group.changes) {
        let (number, name) = of(change);
        if number > 0 {
            let line = format!("{number:>3} x {}: {}", text::with_name(change, name), why(change));
            let _ = writeln!(list, "{}", words::folded(&line, 2, 10));
        }
    }
}

/// Why a piece is printed or thrown away, in a line.
fn why(change: &Change) -> String {
    let what = words::told(change, "->", words::plain);
    let fields: Vec<String> = change.fields.iter().map(text::field).collect();
    if fields.is_empty() { what } else { format!("{what}; {}", fields.join("; ")) }
}
