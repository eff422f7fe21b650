//! Self-play is the same for the same seed, and tells what a change of the data does.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use common::Project;
use serde_json::Value;

const COMMAND: [&str; 8] = ["simulate", "club-fair", "--games", "200", "--players", "4", "--format", "json"];

fn summary(project: &Project, more: &[&str], variables: &[(&str, &str)]) -> Value {
    let arguments: Vec<&str> = COMMAND.iter().chain(more).copied().collect();
    project.run_with(&arguments, variables).ended(0).json()["simulations"][0].clone()
}

fn figure<'s>(summary: &'s Value, name: &str) -> &'s Value {
    let figures = summary["figures"].as_array().expect("figures");
    figures.iter().find(|figure| figure["name"] == name).expect("the figure")
}

#[test]
fn a_seed_gives_the_same_games_on_any_number_of_threads() {
    let project = Project::of_game("club-fair");
    let one = summary(&project, &["--seed", "7"], &[("RAYON_NUM_THREADS", "1")]);
    let five = summary(&project, &["--seed", "7"], &[("RAYON_NUM_THREADS", "5")]);
    assert_eq!(one, five);
    assert_ne!(one["scores"], summary(&project, &["--seed", "8"], &[])["scores"]);
}

#[test]
fn the_laws_of_the_club_fair_hold_and_greed_pays() {
    let project = Project::of_game("club-fair");
    let random = summary(&project, &[], &[]);
    let greedy = summary(&project, &["--policy", "greedy"], &[]);
    for played in [&random, &greedy] {
        assert_eq!(played["games"], 200);
        assert!(figure(played, "empties")["least"].as_f64() >= Some(6.0));
        assert_eq!(figure(played, "gap")["holds"], true);
        let wins: f64 =
            played["seats"].as_array().expect("seats").iter().filter_map(|seat| seat["win_rate"].as_f64()).sum();
        assert!((wins - 1.0).abs() < 1e-9, "somebody wins each game: {wins}");
    }
    let captured = |played: &Value| figure(played, "captured")["mean"].as_f64().expect("a number");
    assert!(captured(&greedy) > captured(&random) + 1.0, "{} {}", captured(&greedy), captured(&random));
}

#[test]
fn a_stronger_club_wins_more_often() {
    let project = Project::of_game("club-fair");
    let wins = |project: &Project| {
        let played = summary(project, &["--policy", "greedy"], &[]);
        let sides = played["sides"].as_array().expect("sides").clone();
        let club = sides.iter().find(|side| side["name"] == "轻音部").expect("the club");
        club["win_rate"].as_f64().expect("a number")
    };
    let before = wins(&project);
    project.replace(
        "data/club-fair/clubs.toml",
        "music = 5, food = 4, sci = 2, film = 2",
        "music = 5, food = 5, sci = 5, film = 5",
    );
    assert!(wins(&project) > before + 0.1);
}

/// Runs the program in a terminal, and returns all that it writes there. None where nothing makes a terminal: `script` is a part of most
/// systems, but not of the smallest.
#[cfg(target_os = "linux")]
fn in_a_terminal(project: &Project, arguments: &str) -> Option<String> {
    let line = format!("stty cols 100 rows 30; {} {arguments}", env!("CARGO_BIN_EXE_paiban"));
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).current_dir(project.root());
    command.env("TERM", "xterm").env("PAIBAN_CACHE", project.cache()).stdin(std::process::Stdio::null());
    let ran = match command.output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        ran => ran.expect("a run"),
    };
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
#[cfg(target_os = "linux")]
fn a_long_run_shows_how_far_it_is_where_somebody_watches() {
    let project = Project::of_game("club-fair");
    let unwatched = project.run(&["simulate", "club-fair", "--players", "4", "--games", "30000"]).ended(0);
    assert_eq!(unwatched.stderr, "");
    let Some(long) = in_a_terminal(&project, "simulate club-fair --players 4 --games 30000") else {
        eprintln!("there is no `script` here, so nobody watches");
        return;
    };
    assert!(long.contains("/30,000, "), "{long}");
    let short = in_a_terminal(&project, "simulate club-fair --players 4 --games 10").expect("as before");
    assert!(!short.contains("/10"), "{short}");
}
