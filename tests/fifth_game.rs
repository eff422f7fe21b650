//! A game that the program has never heard of: one deck, one board, one token, and not a line of Rust for it.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;

use common::{Project, repository};

fn fifth() -> Project {
    let project = Project::empty();
    project.lay_over(&repository().join("tests/fifth-game"));
    project
}

#[test]
fn a_new_game_verifies_and_builds() {
    let project = fifth();
    project.run(&["verify", "--deny-warnings"]).ended(0);
    project.run(&["build"]).ended(0);
    let listing = project.run(&["list", "--players", "full", "--format", "json"]).ended(0).json();
    let components = listing["games"][0]["components"].as_array().expect("components").clone();
    let kinds: Vec<&str> = components.iter().filter_map(|component| component["kind"].as_str()).collect();
    assert!(["card", "board", "token"].iter().all(|kind| kinds.contains(kind)), "{kinds:?}");
    let made = fs::read_dir(project.root().join("out/mini")).expect("what was made").count();
    let kits = project.run(&["list", "--format", "json"]).ended(0).json()["games"].as_array().expect("kits").len() + 1;
    assert_eq!(made, 2 * kits, "a PDF and a manifest for each player count and for everything");
}

#[test]
fn the_program_knows_no_game() {
    let mut ids = Vec::new();
    for folder in [repository().join("data"), repository().join("tests/fifth-game/data")] {
        for entry in fs::read_dir(folder).expect("games") {
            ids.push(entry.expect("an entry").file_name().to_string_lossy().into_owned());
        }
    }
    assert!(ids.len() >= 4, "{ids:?}");
    let mut files = vec![repository().join("src")];
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
            continue;
        }
        // Help and documentation may give a game as an example; code may not.
        let text = fs::read_to_string(&path).unwrap_or_default();
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
            .take_while(|line| !line.contains("#[cfg(test)]"));
        for line in code {
            for id in ids.iter().filter(|id| id.as_str() != "mini") {
                assert!(!line.contains(id.as_str()), "{} names the game {id}: {line}", path.display());
            }
        }
    }
}
