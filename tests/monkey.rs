//! Whatever stands in the files, the program answers: projects with random damage are verified, and it must neither break down
//! nor hang nor call it trouble; and what it finds no error in, it builds. And the other way round: whatever is sound is built, all of it.
//! `PAIBAN_MONKEYS=20000 cargo test --test monkey` tries more; damage and games are the same every time.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use common::Project;
use common::read::Read;

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

/// What a sound card may be called.
const NAMES: [&str; 10] =
    ["Sun", "Lim-Dûl’s", "a & b", "<200", "{{ x }}", "旗手", "「风」，雨", "……", "e\u{301}te", "\"q\" 'q'"];
const PAPERS: [&str; 5] = ["a4", "letter", "a3", "legal", "320x450mm"];
const SIDES: [&str; 4] = ["long-edge", "short-edge", "fold", "fronts"];

/// A sound game by the dice of `seed`, built. None when the PDF and its manifest hold every piece.
fn sound_game(seed: u64) -> Option<String> {
    let mut dice = Dice(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(7));
    let project = Project::base();
    for file in ["data/mini/cards.toml", "data/mini/invariants.toml"] {
        fs::remove_file(project.root().join(file)).expect("a file that can go");
    }
    let mut components = String::new();
    let mut wanted = 0;
    for kind in 0..=dice.roll(3) {
        let (w, h, bleed) = (30 + dice.roll(60), 30 + dice.roll(60), 1 + dice.roll(4));
        let copies = 1 + dice.roll(3);
        let back = if dice.roll(2) == 0 { "" } else { "back = \"mini/any.svg\"\n" };
        let form = ["card", "token"][dice.roll(2)];
        components.push_str(&format!(
            "[[component]]\nid = \"c{kind}\"\nkind = \"{form}\"\ntrim = \"{w}x{h}mm\"\nbleed = \"{bleed}mm\"\ncopies = {copies}\n\
             front = \"mini/any.svg\"\n{back}records = \"r{kind}\"\n"
        ));
        let records = 1 + dice.roll(12);
        for id in 0..records {
            let name = NAMES[dice.roll(NAMES.len())].replace('\\', "\\\\").replace('"', "\\\"");
            components.push_str(&format!("[[r{kind}]]\nid = \"i{id}\"\nname = \"{name}\"\n"));
        }
        wanted += records * copies;
    }
    project.write("data/mini/components.toml", &components);
    project.write(
        "templates/mini/any.svg",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:pb=\"urn:paiban:template\" viewBox=\"0 0 {{ trim.w }} {{ trim.h }}\">\n\
         <rect x=\"-6\" y=\"-6\" width=\"{{ trim.w + 12 }}\" height=\"{{ trim.h + 12 }}\" fill=\"#f4e8c8\"/>\n\
         <text pb:box=\"4 8 {{ trim.w - 8 }} 14\" font-size=\"9pt\">{{ record.get('name') or 'back' }}</text>\n</svg>",
    );
    let (paper, sides) = (PAPERS[dice.roll(PAPERS.len())], SIDES[dice.roll(SIDES.len())]);
    let ran = project.run(&["build", "--players", "full", "--paper", paper, "--sides", sides, "--out", "made"]);
    let told = |why: &str| Some(format!("seed {seed}, {paper}, {sides}: {why}\n{}\n{components}", ran.stderr));
    if ran.code != Some(0) {
        return told(&format!("code {:?}", ran.code));
    }
    let suffix = if sides == "long-edge" { String::new() } else { format!("-{sides}") };
    let path = project.root().join(format!("made/mini/mini-full-{paper}{suffix}"));
    let Ok(pdf) = fs::read(path.with_extension("pdf")) else { return told("no PDF") };
    let manifest = fs::read_to_string(path.with_extension("json")).expect("a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("JSON");
    let pages = manifest["pages"].as_array().expect("pages");
    let fronts = pages.iter().filter(|page| page["side"] == "front");
    let laid: usize =
        fronts.map(|page| page["pieces"].as_array().expect("pieces").iter().filter(|p| *p != "").count()).sum();
    // Every page that the manifest tells of is there to be read.
    let read = Read::new(&pdf);
    pages.iter().enumerate().for_each(|(at, _)| drop(read.content(at)));
    (laid != wanted).then(|| told(&format!("{laid} of {wanted} pieces are on the sheets"))).flatten()
}

#[test]
fn whatever_is_sound_is_built() {
    all(TRIES / 4, sound_game);
}

#[test]
fn damaged_projects_are_answered() {
    all(TRIES, attempt);
}

/// Makes as many attempts as are asked for, on all cores.
fn all(usual: u64, attempt: fn(u64) -> Option<String>) {
    let tries = std::env::var("PAIBAN_MONKEYS").ok().and_then(|tries| tries.parse().ok()).unwrap_or(usual);
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
