//! Reference pictures: one piece of each component of each game, small. `PAIBAN_ACCEPT=1 cargo test --test pictures` draws them
//! anew; look at them before you commit.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::{accepting, repository, run_in};
use tiny_skia::Pixmap;

/// Dots per inch of the pictures.
const DPI: &str = "40";
/// The side of the squares that are compared: about a character.
const SQUARE: u32 = 8;
/// The mean difference of a channel, of 255, in any square that is no change. One other character in a name makes 15.
const TOLERANCE: f64 = 5.0;

/// Draws all faces of `game` and returns their files by name.
fn drawn(game: &str, folder: &Path) -> Vec<(String, PathBuf)> {
    let out = folder.to_str().expect("a path");
    run_in(repository(), &["export", game, "--dpi", DPI, "--out", out], &[]).ended(0);
    let mut files: Vec<_> = fs::read_dir(folder.join(game).join("faces"))
        .expect("faces")
        .map(|entry| entry.expect("an entry").path())
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path))
        .collect();
    files.sort();
    files
}

/// The first front and the first back of each component.
fn samples(game: &str, files: Vec<(String, PathBuf)>) -> Vec<(String, PathBuf)> {
    let listing = run_in(repository(), &["list", game, "--players", "full", "--format", "json"], &[]).ended(0).json();
    let components = listing["games"][0]["components"].as_array().expect("components").clone();
    let ids: Vec<&str> = components.iter().filter_map(|component| component["id"].as_str()).collect();
    let mut seen = BTreeSet::new();
    let component = |name: &str| {
        let fits = ids.iter().filter(|id| name == **id || name.starts_with(&format!("{id}-")));
        fits.max_by_key(|id| id.len()).map(|id| (*id).to_owned())
    };
    files
        .into_iter()
        .filter(|(name, _)| component(name).is_some_and(|id| seen.insert((id, name.ends_with("-back")))))
        .collect()
}

/// The mean difference of the channels of two pictures of one size in the square where they differ most.
fn difference(a: &Pixmap, b: &Pixmap) -> f64 {
    let across = a.width().div_ceil(SQUARE);
    let mut sums = vec![0_u64; (across * a.height().div_ceil(SQUARE)) as usize];
    for (at, (a_dot, b_dot)) in (0..).zip(a.data().chunks_exact(4).zip(b.data().chunks_exact(4))) {
        let (x, y): (u32, u32) = (at % a.width(), at / a.width());
        let off: u64 = a_dot.iter().zip(b_dot).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        sums[(y / SQUARE * across + x / SQUARE) as usize] += off;
    }
    let most = sums.into_iter().max().unwrap_or_default();
    most as f64 / f64::from(SQUARE * SQUARE * 4)
}

fn hold(game: &str, atleast: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let samples = samples(game, drawn(game, folder.path()));
    assert!(samples.len() >= atleast, "only {} faces of {game} were drawn", samples.len());
    let references = repository().join("tests/pictures").join(game);
    if accepting() {
        let _ = fs::remove_dir_all(&references);
        fs::create_dir_all(&references).expect("a folder");
        for (name, path) in &samples {
            fs::copy(path, references.join(format!("{name}.png"))).expect("a copy");
        }
    }
    let known: BTreeSet<String> = fs::read_dir(&references)
        .expect("reference pictures")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    let made: BTreeSet<String> = samples.iter().map(|(name, _)| format!("{name}.png")).collect();
    assert_eq!(known, made, "the pictures of {game} are not those of its components; accept them anew");
    for (name, path) in &samples {
        let now = Pixmap::load_png(path).expect("a picture");
        let then = Pixmap::load_png(references.join(format!("{name}.png"))).expect("a reference");
        assert_eq!((now.width(), now.height()), (then.width(), then.height()), "{game}/{name} has another size");
        let off = difference(&now, &then);
        assert!(off < TOLERANCE, "{game}/{name} looks different (by {off:.1} of 255 at one place); look, then accept");
    }
}

#[test]
fn club_fair_looks_as_it_did() {
    hold("club-fair", 13);
}

#[test]
fn against_qin_looks_as_it_did() {
    hold("against-qin", 9);
}

#[test]
fn water_margin_looks_as_it_did() {
    hold("water-margin", 16);
}

#[test]
fn yomi_twins_looks_as_it_did() {
    hold("yomi-twins", 14);
}

#[test]
fn a_change_would_be_seen() {
    let mut a = Pixmap::new(20, 20).expect("a picture");
    a.fill(tiny_skia::Color::WHITE);
    let mut b = a.clone();
    let paint = tiny_skia::Paint::default();
    let dot = tiny_skia::Rect::from_xywh(5.0, 5.0, 3.0, 3.0).expect("a dot");
    b.fill_rect(dot, &paint, tiny_skia::Transform::identity(), None);
    assert!(difference(&a, &a) < TOLERANCE && difference(&a, &b) > TOLERANCE);
}
