//! Would a slip in the data of 社团博览会 be found? Each mutant is the data with one slip: a number off by one, two neighbours
//! swapped, a record lost or doubled, another tag, icon or name. It must be caught by a declared invariant or a built-in check,
//! without drawing a face, or be free: `mutants/free.toml` says which are, and why.

#![allow(clippy::expect_used)] // a test may fail

mod common;
#[path = "mutants/slips.rs"]
mod slips;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
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
const ALIKE: usize = 2;

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

fn excuses() -> Vec<Excuse> {
    let text = fs::read_to_string(repository().join("tests/mutants/free.toml")).expect("free.toml");
    toml::from_str::<Excuses>(&text).expect("a list of [[free]]").free
}

/// The game's data in a folder of its own, to be mutated.
struct Bench {
    folder: TempDir,
    words: BTreeSet<String>,
    engine: Engine,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        copy(&repository().join("data/club-fair"), &folder.path().join("data/club-fair")).expect("a copy");
        // The claims would find many of them too, but slowly; here the invariants must.
        fs::remove_file(folder.path().join("data/club-fair/claims.toml")).expect("the claims");
        Bench { folder, words: words_of_templates(), engine: Engine::default() }
    }

    /// The code of the first error that `text` in `file` makes.
    fn judge(&self, file: &str, text: &str) -> Option<String> {
        let path = self.folder.path().join("data/club-fair").join(file);
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
fn words_of_templates() -> BTreeSet<String> {
    let folder = fs::read_dir(repository().join("templates/club-fair")).expect("templates");
    let texts = folder.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a template"));
    let words = |text: String| text.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned).collect();
    texts.flat_map::<Vec<String>, _>(words).collect()
}

/// A mutant and the excuse that covers it.
type Excused<'e> = (Mutant, Option<&'e Excuse>);

/// The mutants to try, and the rest. Numbers of the game itself are all tried; of others that are alike only some, spread evenly.
fn chosen(all: Vec<Mutant>, excuses: &[Excuse]) -> (Vec<Excused<'_>>, Vec<Excused<'_>>) {
    let sorted: Vec<(Mutant, Option<&Excuse>)> = all
        .into_iter()
        .map(|mutant| {
            let excuse = excuses.iter().find(|excuse| excuse.covers(&mutant.name));
            (mutant, excuse)
        })
        .collect();
    let group = |(mutant, excuse): &(Mutant, Option<&Excuse>)| match excuse {
        Some(excuse) => excuse.pattern.clone(),
        None => mutant.group(),
    };
    let mut totals: BTreeMap<String, usize> = BTreeMap::new();
    sorted.iter().for_each(|mutant| *totals.entry(group(mutant)).or_default() += 1);
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut wanted = |mutant: &(Mutant, Option<&Excuse>)| {
        let group = group(mutant);
        let at = seen.entry(group.clone()).or_default();
        *at += 1;
        let step = totals[&group].div_ceil(ALIKE);
        mutant.0.is_number_of_the_game() || (*at - 1).is_multiple_of(step)
    };
    sorted.into_iter().partition(|mutant| wanted(mutant))
}

/// Every mutant that was tried, and the code of what caught it.
fn verdicts(mutants: &[Excused<'_>]) -> Vec<Option<String>> {
    let next = AtomicUsize::new(0);
    let verdicts = Mutex::new(vec![None; mutants.len()]);
    let work = || {
        let bench = Bench::new();
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

fn all_mutants() -> Vec<Mutant> {
    let folder = repository().join("data/club-fair");
    let names = fs::read_dir(&folder).expect("the game").map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.retain(|name| name.ends_with(".toml") && !SPARED.contains(&name.as_str()));
    names.sort();
    names.iter().flat_map(|name| mutants(name, &fs::read_to_string(folder.join(name)).expect("a data file"))).collect()
}

#[test]
fn the_data_itself_is_sound() {
    assert_eq!(Bench::new().first_error(), None);
}

#[test]
fn every_slip_is_caught_or_free() {
    let excuses = excuses();
    assert!(excuses.iter().all(|excuse| excuse.why.len() > 10), "an excuse needs a reason");
    let (mutants, mut rest) = chosen(all_mutants(), &excuses);
    assert!(mutants.len() > 400, "only {} mutants", mutants.len());
    let first = verdicts(&mutants);
    let mut used: BTreeSet<&str> = unnoticed(&mutants, &first).filter_map(|(_, excuse)| pattern(*excuse)).collect();
    // Where all that were tried of a pattern are caught, the others of it may not be.
    rest.retain(|(_, excuse)| pattern(*excuse).is_some_and(|pattern| !used.contains(pattern)));
    let second = verdicts(&rest);
    used.extend(unnoticed(&rest, &second).filter_map(|(_, excuse)| pattern(*excuse)));

    let caught = first.iter().flatten().count();
    println!("{} mutants tried, {caught} caught, {} free", mutants.len(), mutants.len() - caught);
    let survivors: Vec<&str> = unnoticed(&mutants, &first)
        .filter(|(_, excuse)| excuse.is_none())
        .map(|(mutant, _)| mutant.name.as_str())
        .collect();
    assert!(survivors.is_empty(), "nobody notices these {} slips:\n{}", survivors.len(), survivors.join("\n"));
    let patterns = excuses.iter().map(|excuse| excuse.pattern.as_str());
    let idle: Vec<&str> = patterns.filter(|pattern| !used.contains(pattern)).collect();
    assert!(idle.is_empty(), "what these patterns excuse is caught: {idle:?}");
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
