//! Would a slip in the data of a game be found? Each mutant is the data with one slip: a number off by one, two neighbours
//! swapped, a record lost, doubled or moved, another tag, icon or name. It must be caught by a declared invariant or a built-in
//! check, without drawing a face, or be free: `mutants/<game>.toml` says which are, and why.
//!
//! A sample is tried, the same each time; `PAIBAN_MUTANTS=all cargo test --release --test mutants` tries every one.

#![allow(clippy::expect_used)] // a test may fail

mod common;
#[path = "mutants/slips.rs"]
mod slips;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::{copy, repository};
use paiban::diagnostics::Report;
use paiban::expr::Engine;
use paiban::model::load;
use paiban::source::disk::Disk;
use paiban::verify;
use serde::Deserialize;
use slips::{Mutant, mutants};
use tempfile::TempDir;

/// The files that are not mutated: the invariants themselves, and the claims and sample games, which tests/claims.rs and
/// tests/replays.rs mutate.
const SPARED: [&str; 3] = ["invariants.toml", "claims.toml", "replay.toml"];
/// Of mutants that are alike (the same slip in the same field of other records, or free for the same reason) so many are tried.
const ALIKE: usize = 1;
/// Of numbers of the game itself that are alike, so many.
const ALIKE_NUMBERS: usize = 2;
/// How many more of a pattern are tried at a time where none of it has gone unnoticed yet.
const FEW: usize = 3;
/// Says which of those that are alike are the sample.
const SEED: &str = "slips";

/// What may change without being noticed.
#[derive(Deserialize)]
struct Excuses {
    free: Vec<Excuse>,
}

#[derive(Deserialize)]
struct Excuse {
    /// Matches the names of mutants; `*` stands for anything.
    pattern: String,
    /// Why nothing can or need catch them.
    why: String,
}

impl Excuse {
    fn covers(&self, name: &str) -> bool {
        let mut rest = name;
        let parts: Vec<&str> = self.pattern.split('*').collect();
        for (at, part) in parts.iter().enumerate() {
            let found = if at == 0 { rest.starts_with(part).then_some(0) } else { rest.find(part) };
            let Some(found) = found else { return false };
            rest = &rest[found + part.len()..];
        }
        rest.is_empty() || self.pattern.ends_with('*')
    }
}

fn excuses(game: &str) -> Vec<Excuse> {
    let text = fs::read_to_string(repository().join(format!("tests/mutants/{game}.toml"))).expect("the excuses");
    toml::from_str::<Excuses>(&text).expect("a list of [[free]]").free
}

/// The game's data in a folder of its own, to be mutated.
struct Bench {
    data: PathBuf,
    folder: TempDir,
    words: BTreeSet<String>,
    engine: Engine,
}

impl Bench {
    fn new(game: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data").join(game);
        copy(&repository().join("data").join(game), &data).expect("a copy");
        // The claims would find many of them too, but slowly; here the invariants must.
        fs::remove_file(data.join("claims.toml")).expect("the claims");
        Bench { data, folder, words: words_of_templates(game), engine: Engine::default() }
    }

    /// The code of the first error that `text` in `file` makes.
    fn judge(&self, file: &str, text: &str) -> Option<String> {
        let path = self.data.join(file);
        let sound = fs::read_to_string(&path).expect("a file");
        fs::write(&path, text).expect("a written file");
        let code = self.first_error();
        fs::write(&path, sound).expect("a written file");
        code
    }

    fn first_error(&self) -> Option<String> {
        let mut report = Report::default();
        let disk = Disk::open(self.folder.path()).expect("the folder");
        let project = load::project(disk, &self.engine, &mut report);
        let words = self.words.iter().map(String::as_str).collect();
        if let Some(game) = project.games.first().filter(|_| !report.has_errors()) {
            verify::game(game, &words, &self.engine, &project.sources, &mut report);
        }
        let errors = report.findings().iter().filter(|finding| finding.severity.name() == "error");
        errors.map(|finding| finding.code.clone()).next()
    }
}

/// Every word in the templates: more than their expressions use, but the mutants misspell no kind of record.
fn words_of_templates(game: &str) -> BTreeSet<String> {
    let folder = |name: &str| fs::read_dir(repository().join("templates").join(name)).expect("templates");
    let texts = folder(game)
        .chain(folder("shared"))
        .map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a template"));
    let words = |text: String| text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect();
    texts.flat_map::<Vec<String>, _>(words).collect()
}

/// A mutant and the excuse that covers it.
type Excused<'e> = (Mutant, Option<&'e Excuse>);

/// The mutants to try, and the rest: all of them, or of those that are alike a sample.
fn chosen(all: Vec<Mutant>, excuses: &[Excuse]) -> (Vec<Excused<'_>>, Vec<Excused<'_>>) {
    let mut groups: BTreeMap<String, Vec<Excused<'_>>> = BTreeMap::new();
    for mutant in all {
        let excuse = excuses.iter().find(|excuse| excuse.covers(&mutant.name));
        let group = excuse.map_or_else(|| mutant.group(), |excuse| excuse.pattern.clone());
        groups.entry(group).or_default().push((mutant, excuse));
    }
    let whole = std::env::var_os("PAIBAN_MUTANTS").is_some_and(|value| value == "all");
    let (mut tried, mut rest) = (Vec::new(), Vec::new());
    for mut group in groups.into_values() {
        group.sort_by_cached_key(|(mutant, _)| *blake3::hash(format!("{SEED} {}", mutant.name).as_bytes()).as_bytes());
        let numbers = group.iter().all(|(mutant, excuse)| excuse.is_none() && mutant.is_number_of_the_game());
        let most = if numbers { ALIKE_NUMBERS } else { ALIKE };
        let others = if whole { Vec::new() } else { group.split_off(most.min(group.len())) };
        tried.extend(group);
        rest.extend(others);
    }
    (tried, rest)
}

/// Every mutant that was tried, and the code of what caught it.
fn verdicts(game: &str, mutants: &[Excused<'_>]) -> Vec<Option<String>> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![None; mutants.len()]);
    let work = || {
        let bench = Bench::new(game);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some((mutant, _)) = mutants.get(at) else { break };
            let verdict = bench.judge(&mutant.file, &mutant.text);
            verdicts.lock().expect("no judge panics")[at] = verdict;
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    verdicts.into_inner().expect("no judge panics")
}

fn all_mutants(game: &str) -> Vec<Mutant> {
    let folder = repository().join("data").join(game);
    let names = fs::read_dir(&folder).expect("the game").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".toml") && !SPARED.contains(&name.as_str()));
    names.sort();
    names.iter().flat_map(|name| mutants(name, &fs::read_to_string(folder.join(name)).expect("a data file"))).collect()
}

/// Tries the mutants of `game`; there must be so many.
fn try_mutants(game: &str, at_least: usize) {
    assert_eq!(Bench::new(game).first_error(), None, "the data itself is not sound");
    let excuses = excuses(game);
    assert!(excuses.iter().all(|excuse| excuse.why.len() > 10), "an excuse needs a reason");
    let (mutants, mut rest) = chosen(all_mutants(game), &excuses);
    assert!(mutants.len() > at_least, "only {} mutants", mutants.len());
    let first = verdicts(game, &mutants);
    let mut used: BTreeSet<&str> = unnoticed(&mutants, &first).filter_map(|(_, excuse)| pattern(*excuse)).collect();
    // Where all that were tried of a pattern are caught, the others of it may not be: a few at a time, until one is not.
    loop {
        let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
        let (few, others): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .filter(|(_, excuse)| pattern(*excuse).is_some_and(|pattern| !used.contains(pattern)))
            .partition(|(_, excuse)| {
                let taken = taken.entry(pattern(*excuse).unwrap_or_default()).or_default();
                *taken += 1;
                *taken <= FEW
            });
        if few.is_empty() {
            break;
        }
        let verdicts = verdicts(game, &few);
        used.extend(unnoticed(&few, &verdicts).filter_map(|(_, excuse)| pattern(*excuse)));
        rest = others;
    }

    let caught = first.iter().flatten().count();
    println!("{game}: {} mutants tried, {caught} caught, {} free", mutants.len(), mutants.len() - caught);
    let survivors: Vec<&str> = unnoticed(&mutants, &first)
        .filter(|(_, excuse)| excuse.is_none())
        .map(|(mutant, _)| mutant.name.as_str())
        .collect();
    let patterns = excuses.iter().map(|excuse| excuse.pattern.as_str());
    let idle: Vec<&str> = patterns.filter(|pattern| !used.contains(pattern)).collect();
    assert!(
        survivors.is_empty() && idle.is_empty(),
        "nobody notices these {} slips:\n{}\nwhat these patterns excuse is caught: {idle:?}",
        survivors.len(),
        survivors.join("\n")
    );
}

#[test]
fn every_slip_in_club_fair_is_caught_or_free() {
    try_mutants("club-fair", 200);
}

#[test]
fn every_slip_in_yomi_twins_is_caught_or_free() {
    try_mutants("yomi-twins", 200);
}

#[test]
fn every_slip_in_water_margin_is_caught_or_free() {
    try_mutants("water-margin", 200);
}

#[test]
fn every_slip_in_against_qin_is_caught_or_free() {
    try_mutants("against-qin", 200);
}

fn pattern(excuse: Option<&Excuse>) -> Option<&str> {
    excuse.map(|excuse| excuse.pattern.as_str())
}

fn unnoticed<'m, 'e>(
    mutants: &'m [Excused<'e>],
    verdicts: &'m [Option<String>],
) -> impl Iterator<Item = &'m Excused<'e>> {
    mutants.iter().zip(verdicts).filter(|(_, verdict)| verdict.is_none()).map(|(mutant, _)| mutant)
}
