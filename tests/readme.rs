//! The README is always true: the commands it gives run, and what it says they do is done.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;

use common::{Project, repository};

/// The shell lines of the README's code blocks.
fn commands(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut lines = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside && !line.trim().is_empty() {
            lines.push(line.trim().to_owned());
        }
    }
    lines
}

fn readme() -> String {
    fs::read_to_string(repository().join("README.md")).expect("a README")
}

#[test]
fn the_commands_of_the_readme_run() {
    let commands = commands(&readme());
    let ours: Vec<Vec<&str>> = commands
        .iter()
        .filter_map(|line| line.strip_prefix("cargo run --release -- "))
        .map(|arguments| arguments.split_whitespace().collect())
        .collect();
    assert!(ours.iter().any(|arguments| arguments == &["build"]), "the README does not say how to build: {commands:?}");
    assert!(
        ours.iter().any(|arguments| arguments == &["verify"]),
        "the README does not say how to verify: {commands:?}"
    );
    assert!(commands.iter().any(|line| line == "cargo test"), "the README does not say how to test: {commands:?}");
    let project = Project::of_game("club-fair");
    for arguments in ours {
        project.run(&arguments).ended(0);
    }
    for kit in ["3p", "4p", "5p", "6p", "full"] {
        for ending in ["pdf", "json"] {
            let path = project.root().join(format!("out/club-fair/club-fair-{kit}-a4.{ending}"));
            assert!(path.metadata().is_ok_and(|file| file.len() > 1000), "{} was not made", path.display());
        }
    }
}

#[test]
fn the_finding_that_the_readme_shows_is_what_verify_says() {
    let page = readme();
    let shown = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a finding is shown");
    let project = Project::of_game("club-fair");
    project.replace("data/club-fair/clubs.toml", "music = 5, food = 4", "music = 5, food = 5");
    let ran = project.run(&["verify", "club-fair"]).ended(1);
    assert!(ran.stdout.contains(shown.trim_end()), "verify says:\n{}\nthe README shows:\n{shown}", ran.stdout);
}

#[test]
fn the_pictures_and_pages_that_the_readme_names_are_there() {
    let page = readme();
    let links = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local: Vec<&str> = links.filter(|link| !link.contains("://")).collect();
    assert!(local.len() > 4, "{local:?}");
    for link in local {
        assert!(repository().join(link).is_file(), "{link} is not there");
    }
}

#[test]
fn ci_runs_the_readmes_test_command() {
    let script = fs::read_to_string(repository().join(".ci/run")).expect("the CI script");
    assert!(script.lines().any(|line| line == "cargo test"), "{script}");
}

/// What both languages of the README must have alike: code, commands, pictures and links.
fn skeleton(page: &str) -> Vec<String> {
    let mut inside = false;
    let mut parts = Vec::new();
    for line in page.lines() {
        inside ^= line.starts_with("```");
        if inside || line.starts_with("```") {
            parts.push(line.to_owned());
        } else if line.starts_with("| `paiban") {
            parts.push(line.split(" | ").next().unwrap_or_default().to_owned());
        } else if line.starts_with('#') {
            parts.push(line.chars().take_while(|c| *c == '#').collect());
        } else {
            // Links and pictures may stand in another order within a paragraph; each is there.
            let targets = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
            parts.extend(targets.filter(|target| !target.starts_with("README")).map(str::to_owned));
        }
    }
    parts
}

#[test]
fn the_readme_says_the_same_in_both_languages() {
    let chinese = fs::read_to_string(repository().join("README.zh-CN.md")).expect("a README in Chinese");
    assert_eq!(skeleton(&readme()), skeleton(&chinese));
}
