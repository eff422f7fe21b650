//! From a folder to a [`Project`]: which files there are, what stands in them, and what is wrong with it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::fields::as_tables;
use super::{Game, Project, game, spreadsheet};
use crate::diagnostics::{Finding, Report, checks};
use crate::expr::Engine;
use crate::source::disk::{Disk, Refusal};
use crate::source::tree::{self, Entry, Node, Table, Value};
use crate::source::{FileId, Sources, Span, Spanned};

/// The folder of the project that `start` lies in: the nearest one upwards that has a `data` folder.
pub fn find_root(start: &Path) -> Option<PathBuf> {
    start.ancestors().find(|folder| folder.join("data").is_dir()).map(Path::to_path_buf)
}

/// Reads the project on `disk`. What is wrong goes to `report`; a game with faults is returned as far as it could be read,
/// and left out only if nothing of it can be used.
pub fn project(disk: Disk, engine: &Engine, report: &mut Report) -> Project {
    let sources = Sources::default();
    unreachable_folders(&disk, report);
    let games = games(&disk).into_iter().filter_map(|id| {
        let mut found = Report::default();
        let game = load_game(&disk.for_game(&id), &sources, &id, engine, &mut found);
        found.belongs_to(&id);
        report.extend(found);
        game
    });
    let games = games.collect();
    Project { disk, sources, games }
}

/// The ids of the games on `disk`: the names of the folders in data/.
pub fn games(disk: &Disk) -> Vec<String> {
    let mut names = disk.list("data", |name| !name.starts_with('.')).unwrap_or_default();
    names.retain(|name| disk.is_folder(&format!("data/{name}")));
    names
}

/// Reports what lies in data/ and leads elsewhere or nowhere: it may be meant as a game.
fn unreachable_folders(disk: &Disk, report: &mut Report) {
    for name in disk.list("data", |name| !name.starts_with('.')).unwrap_or_default() {
        let path = format!("data/{name}");
        if let Some(refusal) = disk.fault(&path) {
            let finding = Finding::new(checks::FILE_UNREADABLE, format!("{path}: {refusal}"));
            report.push(finding.help("a game is a folder in data/, with a name that is text; links lead nowhere else"));
        }
    }
}

fn load_game(disk: &Disk, sources: &Sources, id: &str, engine: &Engine, report: &mut Report) -> Option<Game> {
    let raw = read_files(disk, sources, id, report)?;
    game::validate(id, raw, engine, report)
}

/// Everything that stands in the files of a game, sorted by what it is but not yet understood.
#[derive(Default)]
pub(super) struct Raw {
    /// The `[game]`, `[icons]`, `[fonts]`, `[theme]` and `[unused]` tables of `game.toml`.
    pub head: BTreeMap<String, Node>,
    /// The start of `game.toml`, for faults that have no better place.
    pub start: Option<Span>,
    /// The script of the rules.
    pub rules: Option<FileId>,
    /// The tables of every top-level array, by the array's name, in the order of files and lines.
    pub arrays: BTreeMap<String, Vec<Node>>,
}

/// The tables that only `game.toml` may hold.
const HEAD: [&str; 6] = ["game", "icons", "fonts", "theme", "preflight", "unused"];

fn read_files(disk: &Disk, sources: &Sources, id: &str, report: &mut Report) -> Option<Raw> {
    let folder = format!("data/{id}");
    let names = disk.list(&folder, |name| name.ends_with(".toml")).unwrap_or_default();
    let mut raw = Raw::default();
    for name in &names {
        let path = format!("{folder}/{name}");
        match disk.read_text(&path) {
            Ok(text) => {
                let file = sources.add(path, text.clone());
                read_file(file, &text, name == "game.toml", &mut raw, report);
            }
            Err(refusal) => report.push(unreadable(disk, sources, &path, &refusal)),
        }
    }
    spreadsheet::read_all(disk, sources, &folder, &mut raw, report);
    raw.rules = read_rules(disk, sources, &folder, report);
    if raw.start.is_none() && !names.iter().any(|name| name == "game.toml") {
        report.push(
            Finding::new(checks::FILE_UNREADABLE, format!("{folder} has no game.toml"))
                .help("a folder below data/ is a game; add a game.toml or move the folder elsewhere"),
        );
        return None;
    }
    Some(raw)
}

/// The file of a shop: that of the project, or the text that is built in. With it the place of its first line.
pub(super) fn read_shop(
    id: &str,
    built_in: Option<&str>,
    disk: &Disk,
    sources: &Sources,
    report: &mut Report,
) -> Option<(Table, Span)> {
    let path = format!("shops/{id}.toml");
    let text = match (disk.read_text(&path), built_in) {
        (Ok(text), _) => text,
        (Err(Refusal::Missing), Some(text)) => text.to_owned(),
        (Err(refusal), _) => {
            report.push(unreadable(disk, sources, &path, &refusal));
            return None;
        }
    };
    let file = sources.add(path, text.clone());
    let (table, faults) = tree::parse(file, &text);
    let sound = faults.is_empty();
    for fault in faults {
        report.push(Finding::new(checks::TOML_SYNTAX, fault.message).at(fault.span));
    }
    sound.then(|| (table, Span::new(file, 0..text.find('\n').unwrap_or(text.len()))))
}

/// The text of the game's `rules.lua`, if it has one.
fn read_rules(disk: &Disk, sources: &Sources, folder: &str, report: &mut Report) -> Option<FileId> {
    let path = format!("{folder}/rules.lua");
    match disk.read_text(&path) {
        Ok(text) => Some(sources.add(path, text)),
        Err(Refusal::Missing) => None,
        Err(refusal) => {
            report.push(unreadable(disk, sources, &path, &refusal));
            None
        }
    }
}

/// A data file that cannot be read; where it is no text, the place of the first bad byte is shown.
pub(super) fn unreadable(disk: &Disk, sources: &Sources, path: &str, refusal: &Refusal) -> Finding {
    let finding = Finding::new(checks::FILE_UNREADABLE, format!("{path}: {refusal}"));
    let Refusal::NotText(at) = *refusal else { return finding };
    let bytes = disk.read(path).unwrap_or_default();
    let sixteen = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let file = sources.add(path, String::from_utf8_lossy(&bytes));
    let finding = finding.at(Span::new(file, at..at + 1));
    finding.help(if sixteen { "it looks like UTF-16; save it as UTF-8" } else { "save it as UTF-8" })
}

fn read_file(file: FileId, text: &str, is_head: bool, raw: &mut Raw, report: &mut Report) {
    let (table, faults) = tree::parse(file, text);
    for fault in faults {
        report.push(Finding::new(checks::TOML_SYNTAX, fault.message).at(fault.span));
    }
    if is_head {
        raw.start = Some(Span::new(file, 0..text.find('\n').unwrap_or(text.len())));
    }
    table.entries.iter().for_each(|entry| control_characters(&entry.node, report));
    for Entry { key, node, .. } in table.entries {
        let name = &*key.value;
        if is_head && HEAD.contains(&name) {
            raw.head.insert(name.to_owned(), node);
        } else if let Some(tables) = as_tables(&node) {
            raw.arrays.entry(name.to_owned()).or_default().extend(tables.into_iter().cloned());
        } else {
            report.push(stray(&key, &node));
        }
    }
}

/// Reports the texts inside `node` that hold what no font has and nothing draws.
fn control_characters(node: &Node, report: &mut Report) {
    match &node.value {
        Value::String(text) => {
            if let Some((_, character)) = tree::control_character(text) {
                let message = format!("this text has the control character U+{:04X} in it", u32::from(character));
                report.push(Finding::new(checks::TEXT_CONTROL, message).at(node.span).help("delete it"));
            }
        }
        Value::Array(items) => items.iter().for_each(|item| control_characters(item, report)),
        Value::Table(table) => table.entries.iter().for_each(|entry| control_characters(&entry.node, report)),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => {}
    }
}

/// A top-level value that is neither a list of records nor a table of `game.toml`.
fn stray(key: &Spanned<std::sync::Arc<str>>, node: &Node) -> Finding {
    let name = &key.value;
    let finding = Finding::new(checks::KEY_UNKNOWN, format!("`{name}` is {} at the top of a data file", node.kind()))
        .at(key.span);
    if HEAD.contains(&&**name) {
        finding.help(format!("`[{name}]` belongs into game.toml"))
    } else {
        finding
            .expected(format!("records, as tables `[[{name}]]`"))
            .help("only game.toml has other tables: [game], [icons], [fonts], [theme], [preflight], [unused]")
    }
}
