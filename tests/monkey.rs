//! Whatever stands in the files, the program answers: projects with random damage are verified, and it must neither break down
//! nor hang nor call it trouble; and what it finds no error in, it builds. `PAIBAN_MONKEYS=20000 cargo test --test monkey` tries more; the damage is the same every time.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use common::Project;

/// How many damaged projects are tried.
const TRIES: u64 = 120;

/// The files that are damaged.
const FILES: [&str; 8] = [
    "data/mini/game.toml",
    "data/mini/components.toml",
    "data/mini/cards.toml",
    "data/mini/invariants.toml",
    "templates/mini/card.svg",
    "templates/mini/board.svg",
    "templates/mini/coin.svg",
    "templates/icons/plain/star.svg",
];

/// What a monkey may type.
const WORDS: [&str; 40] = [
    "\0",
    "\u{7}",
    "\u{feff}",
    "\r",
    "\n\n",
    "🦀",
    "字",
    "e\u{301}\u{302}",
    "\u{202e}",
    "-1",
    "0",
    "1e308",
    "NaN",
    "99999999999999999999",
    "0.0000001",
    "{{",
    "}}",
    "{% if %}",
    "{{ record }}",
    "{{ range(99999) }}",
    "|sum",
    "(",
    "\"",
    "'",
    "\\",
    "[[card]]",
    "[",
    "]",
    "=",
    "<g>",
    "</g>",
    "<text pb:box=\"0 0 0 0\">",
    "&",
    "&amp;",
    "url(#x)",
    "<![CDATA[",
    "<!--",
    "pb:for=\"x in all('card')\" ",
    "transform=\"scale(0)\" ",
    "viewBox=\"0 0 1e9 1e-9\" ",
];

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % sides.max(1)
    }
}

/// The bytes with one to four changes: a word typed, a stretch lost, doubled, swapped with another or overwritten.
fn damaged(mut bytes: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    for _ in 0..=dice.roll(4) {
        let from = dice.roll(bytes.len());
        let to = (from + dice.roll(20)).min(bytes.len());
        let stretch = bytes[from..to].to_vec();
        match dice.roll(5) {
            0 | 1 => drop(bytes.splice(from..from, WORDS[dice.roll(WORDS.len())].bytes())),
            2 => drop(bytes.splice(from..to, [])),
            3 => {
                let at = dice.roll(bytes.len());
                drop(bytes.splice(at..at, stretch));
            }
            _ => bytes[from..to].fill(u8::try_from(dice.roll(256)).unwrap_or(0)),
        }
    }
    bytes
}

/// Damages a project by the dice of `seed` and verifies it. None when the program answers as it should.
fn attempt(seed: u64) -> Option<String> {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let project = Project::base();
    let path = project.root().join(FILES[dice.roll(FILES.len())]);
    let bytes = damaged(fs::read(&path).expect("a file"), &mut dice);
    fs::write(&path, &bytes).expect("a written file");
    let mut ran = project.run(&["verify"]);
    let mut sound = matches!(ran.code, Some(0 | 1)) && ran.stderr.is_empty();
    if ran.code == Some(0) {
        ran = project.run(&["build", "--players", "full"]);
        sound = ran.code == Some(0) && !ran.stderr.contains("error");
    }
    (!sound).then(|| {
        let text = String::from_utf8_lossy(&bytes);
        format!("seed {seed}, {}: code {:?}\n{}\n{text}", path.display(), ran.code, ran.stderr)
    })
}

#[test]
fn damaged_projects_are_answered() {
    let tries = std::env::var("PAIBAN_MONKEYS").ok().and_then(|tries| tries.parse().ok()).unwrap_or(TRIES);
    let (next, failures) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(seed) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < tries) {
            failures.lock().expect("no monkey panics").extend(attempt(seed));
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failures = failures.into_inner().expect("no monkey panics");
    assert!(failures.is_empty(), "{} of {tries} are not answered:\n{}", failures.len(), failures.join("\n\n"));
}
