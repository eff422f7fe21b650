//! What nothing uses: fields that nobody reads, templates that nobody names, icons that nobody draws. It is mostly a slip in the
//! name of something else. Judged when all faces are composed; `[unused]` says of what stays on purpose why.

use std::collections::{BTreeMap, BTreeSet};

use crate::compose::Composer;
use crate::diagnostics::{Finding, Report, checks, nearest};
use crate::model::{Component, Game, Project};
use crate::source::disk::Disk;
use crate::source::tree::{Entry, Node, Table};
use crate::source::{Sources, Span};

/// Fields that the program itself reads.
const OWN_FIELDS: [&str; 3] = ["id", "copies", "source"];

/// What there is that could be unused, by the name that `[unused]` knows it under.
#[derive(Default)]
struct Things {
    /// Whether it is used, and what is to be said if not.
    known: BTreeMap<String, Option<Finding>>,
}

impl Things {
    fn add(&mut self, name: String, used: bool, finding: impl FnOnce() -> Finding) {
        self.known.insert(name, (!used).then(finding));
    }
}

/// Reports what of `game` is not used. `composer` has composed every face, and `report` knows no error of them.
pub fn of_game(game: &Game, composer: &Composer<'_>, project: &Project, report: &mut Report) {
    let mut things = Things::default();
    let script = game.rules.map(|rules| words(&project.sources.get(rules).text)).unwrap_or_default();
    fields(game, &script, &mut things);
    icons(game, composer, &mut things);
    templates(&format!("templates/{}", game.id), &project.disk, &project.sources, &mut things);
    for kind in game.records.keys() {
        // Told before any face is drawn.
        things.known.entry(kind.clone()).or_insert(None);
    }
    tell(things, game, report);
}

/// Reports what no game uses: templates of no game's folder, and sets of icons. `composers` are those of all games.
pub fn of_project(composers: &[Composer<'_>], project: &Project, report: &mut Report) {
    let mut things = Things::default();
    let is_of_game = |name: &str| project.games.iter().any(|game| game.id == name);
    let folders = project.disk.list("templates", |name| !name.starts_with('.') && name != "icons" && !is_of_game(name));
    for folder in folders.unwrap_or_default() {
        templates(&format!("templates/{folder}"), &project.disk, &project.sources, &mut things);
    }
    let drawn: BTreeSet<String> = composers.iter().flat_map(Composer::icon_sets).collect();
    for set in project.disk.list("templates/icons", |name| !name.starts_with('.')).unwrap_or_default() {
        let folder = format!("templates/icons/{set}");
        if project.disk.is_folder(&folder) && !drawn.contains(&set) {
            things.add(folder.clone(), false, || {
                let message = format!("no game draws an icon of {folder}");
                Finding::new(checks::ICON_UNUSED, message).help("delete the folder, or name it in a game")
            });
        }
    }
    things.known.into_values().flatten().for_each(|finding| report.push(finding));
}

/// Tells of what is unused without an excuse, and of excuses that excuse nothing.
fn tell(things: Things, game: &Game, report: &mut Report) {
    for (name, why) in &game.unused {
        match things.known.get(name) {
            Some(Some(_)) => {}
            Some(None) if game.records.contains_key(name) && super::records::is_unused(game, name) => {}
            Some(None) => {
                let message = format!("`{name}` is used, although it is declared unused");
                report.push(Finding::new(checks::EXCUSE_STALE, message).at(why.span).help("delete the line"));
            }
            None => {
                let finding = Finding::new(checks::REFERENCE_DANGLING, format!("there is nothing called `{name}`"));
                report.push(match nearest(name, things.known.keys().map(String::as_str)) {
                    Some(near) => finding.at(why.span).help(format!("did you mean `{near}`?")),
                    None => finding.at(why.span).expected("`kind.field`, `theme.key`, `icons.name` or a template"),
                });
            }
        }
    }
    for (name, finding) in things.known {
        if let Some(finding) = finding.filter(|_| !game.unused.contains_key(&name)) {
            let excuse = format!("or say why it stays: `\"{name}\" = \"...\"` under [unused] in game.toml");
            let help = finding.help.clone().unwrap_or_else(|| "delete it".to_owned());
            report.push(finding.help(format!("{help}, {excuse}")));
        }
    }
}

fn fields(game: &Game, script: &BTreeSet<String>, things: &mut Things) {
    for (kind, records) in &game.records {
        let tables: Vec<&Table> = records.iter().filter_map(|record| record.table().map(|table| &**table)).collect();
        let untouched = |table: &&Table| table.entries.iter().all(|entry| !entry.read.is_set());
        if super::records::is_unused(game, kind) && tables.iter().all(untouched) {
            continue; // told already, as a whole
        }
        let is_read = |name: &str| script.contains(name) || reads(&tables, name);
        for entry in distinct(&tables) {
            let name = &*entry.key.value;
            if !OWN_FIELDS.contains(&name) {
                let message = format!("nothing reads the field `{name}` of `{kind}`");
                add_field(format!("{kind}.{name}"), is_read(name), message, entry.key.span, things);
            }
        }
    }
    for component in game.components.iter().filter(|component| component.made_from.len() > 1) {
        derived(component, things);
    }
    for entry in game.theme.as_table().map(|theme| theme.entries.as_slice()).unwrap_or_default() {
        let name = &*entry.key.value;
        let message = format!("no template reads `theme.{name}`");
        add_field(format!("theme.{name}"), entry.read.is_set(), message, entry.key.span, things);
    }
}

fn add_field(name: String, used: bool, message: String, span: Span, things: &mut Things) {
    things.add(name, used, || Finding::new(checks::FIELD_UNUSED, message).at(span).help("correct its name, delete it"));
}

/// The fields that a combined component computes; one may serve another only.
fn derived(component: &Component, things: &mut Things) {
    let derive = component.table.as_table().and_then(|table| table.get("derive")).and_then(Node::as_table);
    let Some(derive) = derive else { return };
    let pieces = component.pieces.iter().filter_map(|piece| piece.record.table().map(|table| &**table));
    let tables: Vec<&Table> = pieces.collect();
    for entry in &derive.entries {
        let name = &*entry.key.value;
        let serves = |other: &Entry| other.node.as_str().is_some_and(|code| words(code).contains(name));
        let used = reads(&tables, name) || derive.entries.iter().any(serves);
        let message = format!("nothing reads the field `{name}` of `{}`", component.id);
        add_field(format!("{}.{name}", component.id), used, message, entry.key.span, things);
    }
}

/// Whether any of `tables` had its field `name` read.
fn reads(tables: &[&Table], name: &str) -> bool {
    tables.iter().any(|table| table.entry(name).is_some_and(|entry| entry.read.is_set()))
}

/// The first entry of each name.
fn distinct<'t>(tables: &[&'t Table]) -> Vec<&'t Entry> {
    let mut seen = BTreeSet::new();
    let entries = tables.iter().flat_map(|table| &table.entries);
    entries.filter(|entry| seen.insert(&*entry.key.value)).collect()
}

fn icons(game: &Game, composer: &Composer<'_>, things: &mut Things) {
    let drawn = composer.icons_asked_for();
    for (name, icon) in &game.icons {
        things.add(format!("icons.{name}"), drawn.contains(name), || {
            let message = format!("nothing draws the icon `{name}`");
            Finding::new(checks::ICON_UNUSED, message).at(icon.span).help("correct its name, delete it")
        });
    }
}

/// The templates in `folder` that were not read.
fn templates(folder: &str, disk: &Disk, sources: &Sources, things: &mut Things) {
    let read = sources.paths();
    for name in disk.list(folder, |name| name.ends_with(".svg")).unwrap_or_default() {
        let path = format!("{folder}/{name}");
        let used = read.contains(&path);
        things.add(path.trim_start_matches("templates/").to_owned(), used, || {
            let message = format!("no component and no other template uses {path}");
            Finding::new(checks::TEMPLATE_UNUSED, message).help("name it, delete it")
        });
    }
}

/// The words of a script or an expression, those of its comments left out.
fn words(text: &str) -> BTreeSet<String> {
    let code = text.lines().map(|line| line.split("--").next().unwrap_or_default());
    let words = code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}
