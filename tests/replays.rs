//! The sample games of the rules are replayed move by move: they hold, and no slip in them would pass.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::thread;

use common::Project;
use paiban::diagnostics::{Finding, Report, Severity};
use paiban::expr::Engine;
use paiban::model::load;
use paiban::source::disk::Disk;
use paiban::verify;

/// The findings of the samples of a game.
fn findings(project: &Project) -> Vec<Finding> {
    let mut report = Report::default();
    let disk = Disk::open(&project.root()).expect("a project");
    let loaded = load::project(disk, &Engine::default(), &mut report);
    for game in &loaded.games {
        verify::replays(game, &loaded.sources, &mut report);
    }
    report.sorted(&loaded.sources)
}

fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}

/// A project with the data of a game and nothing else.
fn data_of(game: &str) -> Project {
    let project = Project::empty();
    let folder = format!("data/{game}");
    common::copy(&common::repository().join(&folder), &project.root().join(&folder)).expect("a copy");
    project
}

/// Every way to get this line a little wrong: numbers one off, and each word of the sample replaced by its neighbour.
fn mutants(line: &str, words: &[&str]) -> Vec<String> {
    let body = line.split(", in_fact").next().unwrap_or(line);
    let mut mutants = Vec::new();
    for (at, digit) in body.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        let value = digit.to_digit(10).expect("a digit");
        for other in [(value + 1) % 10, (value + 9) % 10] {
            mutants.push(format!("{}{other}{}", &line[..at], &line[at + 1..]));
        }
    }
    for (index, word) in words.iter().enumerate() {
        for (at, _) in body.match_indices(word) {
            for step in 1..words.len().min(3) {
                let other = words[(index + step) % words.len()];
                mutants.push(format!("{}{other}{}", &line[..at], &line[at + word.len()..]));
            }
        }
    }
    mutants
}

/// Mutates each line of the sample, drops and doubles each move; tries every so many of the mutants. Returns how many there are, and
/// those that nobody found.
fn survivors(game: &str, groups: &[&[&str]], every: usize) -> (usize, Vec<String>) {
    let text = data_of(game).read(&format!("data/{game}/replay.toml"));
    let lines: Vec<&str> = text.lines().collect();
    let mut mutants: Vec<(usize, String)> = Vec::new();
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("  {")) {
        let mut ways: Vec<String> = groups.iter().flat_map(|words| self::mutants(line, words)).collect();
        if !line.contains("stated =") {
            ways.extend([String::new(), format!("{line}\n{line}")]);
        }
        ways.sort();
        ways.dedup();
        mutants.extend(ways.into_iter().filter(|way| way != line).map(|way| (at, way)));
    }
    let tried: Vec<(usize, String)> = mutants.iter().step_by(every).cloned().collect();
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let share = tried.len().div_ceil(workers).max(1);
    let survived = thread::scope(|scope| {
        let workers: Vec<_> = tried.chunks(share).map(|part| scope.spawn(|| not_found(game, &lines, part))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    });
    (mutants.len(), survived)
}

/// The mutants among `mutants` that pass.
fn not_found(game: &str, lines: &[&str], mutants: &[(usize, String)]) -> Vec<String> {
    let project = data_of(game);
    // What the rules do not look at only costs time here.
    project.write(&format!("data/{game}/game.toml"), &format!("[game]\nid = {game:?}\ntitle = \"t\"\nplayers = [4]\n"));
    for file in ["invariants.toml", "claims.toml", "stated.toml", "reference.toml"] {
        // A game need not have them all.
        let _ = fs::remove_file(project.root().join(format!("data/{game}/{file}")));
    }
    let nothing = |finding: &Finding| finding.severity != Severity::Error || finding.message.contains("no components");
    let passes = |(at, mutant): &(usize, String)| {
        let mut changed = lines.to_vec();
        changed[*at] = mutant;
        project.write(&format!("data/{game}/replay.toml"), &(changed.join("\n") + "\n"));
        findings(&project).iter().all(nothing)
    };
    let passing = mutants.iter().filter(|mutant| passes(mutant));
    passing.map(|(at, mutant)| format!("{}: {}", at + 1, mutant.trim())).collect()
}

/// What is printed on a line with an erratum is wrong anyway, only what holds in fact counts there; of two players with equal scores
/// the same can be stated; and a card that nobody sees may be any that is left.
fn is_free(mutant: &str) -> bool {
    mutant.contains("erratum =")
        || mutant.ends_with("{ fill = 1 },")
        || (mutant.contains("score = 6, drive = 0") && mutant.contains("stated ="))
}

#[test]
fn the_sample_of_the_club_fair_holds_but_for_its_known_slips() {
    let found = findings(&data_of("club-fair"));
    assert!(!has_errors(&found), "{found:#?}");
    let errata: Vec<&str> = found
        .iter()
        .filter(|finding| finding.message.starts_with("erratum"))
        .map(|finding| finding.message.as_str())
        .collect();
    assert_eq!(errata.len(), 3, "{errata:#?}");
    assert!(errata[0].contains("`label` is stated as \"跨科\""), "{errata:?}");
    assert!(errata[1].contains("leaves out `🎵3`"), "{errata:?}");
    assert!(errata[2].contains("stated as 28, but it is 30"), "{errata:?}");
}

#[test]
fn no_slip_in_the_sample_of_the_club_fair_passes() {
    let groups: [&[&str]; 4] = [
        &["🎵", "🍜", "🔬", "🎥", "🏃", "📚"],
        &["阿吉", "小灶", "老望", "阿影"],
        &["对口", "跨科"],
        &["流局", "再逛一圈", "退场"],
    ];
    let (tried, survived) = survivors("club-fair", &groups, 1);
    assert!(tried > 1000, "only {tried} mutants");
    let told: Vec<&String> = survived.iter().filter(|mutant| !is_free(mutant)).collect();
    assert!(told.is_empty(), "{} of {tried} mutants were not found:\n{told:#?}", told.len());
}

#[test]
fn the_sample_of_the_twins_holds_as_it_reckons_and_has_four_slips_by_the_rules() {
    let found = findings(&data_of("yomi-twins"));
    assert!(!has_errors(&found), "{found:#?}");
    let errata = found.iter().filter(|finding| finding.code == "replay_dirt");
    let errata: Vec<&str> = errata.map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        errata,
        [
            "erratum: `taint` is stated as 1, but it is 2",
            "erratum: `taint` is stated as 1, but it is 2",
            "erratum: `taint` is stated as 2, but it is 3",
            "erratum: `tonight.purifies` is stated as 1, but it is 2",
        ]
    );
}

#[test]
fn only_one_reading_gives_the_taint_of_the_twins_sample() {
    for (lone_first, purify_unsealed, right) in
        [(true, false, true), (true, true, false), (false, true, false), (false, false, false)]
    {
        let project = data_of("yomi-twins");
        let reading = format!("lone_first = {lone_first}\npurify_unsealed = {purify_unsealed}\nsource");
        project.replace("data/yomi-twins/tracks.toml", "lone_first = true\npurify_unsealed = false\nsource", &reading);
        assert_eq!(!has_errors(&findings(&project)), right, "{reading}");
    }
}

#[test]
fn no_slip_in_the_sample_of_the_twins_passes() {
    let groups: [&[&str]; 4] = [
        &["骨", "羽", "角", "灯", "爪", "尾", "牙", "弦", "幕", "眼"],
        &["阿绫", "阿断", "阿缝", "阿星"],
        &["东村祠", "西村祠", "枯井", "山神社", "黄泉门"],
        &["true", "false"],
    ];
    let (tried, survived) = survivors("yomi-twins", &groups, 3);
    assert!(tried > 1000, "only {tried} mutants");
    let told: Vec<&String> = survived.iter().filter(|mutant| !is_free(mutant)).collect();
    assert!(told.is_empty(), "{} of {tried} mutants were not found:\n{told:#?}", told.len());
}

#[test]
fn the_sample_of_the_water_margin_holds_but_for_its_known_slips() {
    let found = findings(&data_of("water-margin"));
    assert!(!has_errors(&found), "{found:#?}");
    let errata: Vec<&str> = found.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        errata,
        [
            "erratum: `pushed` is stated as 1, but it is 0",
            "erratum: `before` is stated as [57, 65, 87, 91], but it is [57, 65, 69, 87, 91]",
        ]
    );
}

#[test]
fn no_slip_in_the_sample_of_the_water_margin_passes() {
    let groups: [&[&str]; 2] = [&["阿江", "小林", "阿水", "老柴"], &["劫富", "扯旗", "安抚", "气走", "挤走"]];
    let (tried, survived) = survivors("water-margin", &groups, 3);
    assert!(tried > 1000, "only {tried} mutants");
    let told: Vec<&String> = survived.iter().filter(|mutant| !is_free(mutant)).collect();
    assert!(told.is_empty(), "{} of {tried} mutants were not found:\n{told:#?}", told.len());
}

#[test]
fn the_worked_rounds_against_qin_hold_and_no_slip_in_them_passes() {
    assert!(findings(&data_of("against-qin")).is_empty());
    let groups: [&[&str]; 2] = [&["甲", "乙", "丙", "丁"], &["true", "false"]];
    let (tried, survived) = survivors("against-qin", &groups, 1);
    assert!(tried > 300, "only {tried} mutants");
    let told: Vec<&String> = survived.iter().filter(|mutant| !is_free(mutant)).collect();
    assert!(told.is_empty(), "{} of {tried} mutants were not found:\n{told:#?}", told.len());
}

#[test]
fn each_rule_of_the_sample_has_its_finding() {
    let mut seen = BTreeSet::new();
    for (old, new, code) in [
        (
            r#"by = "阿影", play = "📚2", at = "📚3", drive = 1"#,
            r#"by = "阿影", play = "🎥5", at = "📚3", drive = 1"#,
            "replay_hand",
        ),
        (r#"flip = ["🏃4", "🍜2", "🍜1"]"#, r#"flip = ["📚4", "🍜2", "🍜1"]"#, "replay_deck"),
        (r#"play = "🎥4", at = "🎥1","#, r#"play = "🎥4", at = "🎥1", drive = 1,"#, "replay_grit"),
        (r#""小灶" = { score = 8, drive = 2 }"#, r#""小灶" = { score = 9, drive = 2 }"#, "replay_score"),
        (r#"totals = { empties = 12 }"#, r#"totals = { empties = 6 }"#, "empties"),
        (r#""🏃4" = "阿吉 +4""#, r#""🏃4" = "流局""#, "fate"),
    ] {
        let project = data_of("club-fair");
        project.replace("data/club-fair/replay.toml", old, new);
        let found = findings(&project);
        let hit = found.iter().find(|finding| finding.code == code && finding.severity == Severity::Error);
        let hit = hit.unwrap_or_else(|| panic!("{new}: no {code} in {found:#?}"));
        assert!(hit.place.is_some());
        seen.insert(code);
    }
    assert_eq!(seen.len(), 6);
}

#[test]
fn a_move_that_breaks_the_rules_is_found_at_its_line() {
    let project = Project::of_game("club-fair");
    let path = "data/club-fair/replay.toml";
    project.replace(
        path,
        r#"play = "🏃2", at = "🏃2", is = { label = "对口", strength = 2 } },"#,
        r#"play = "🏃2", at = "🎵3" },"#,
    );
    let text = fs::read_to_string(project.root().join(path)).expect("the sample");
    let line = 1 + text.lines().position(|line| line.contains(r#"at = "🎵3" }"#)).expect("the move");
    let findings = project.run(&["verify", "--format", "json"]).ended(1).json();
    let found = findings["findings"].as_array().expect("findings").clone();
    let hit = found.iter().find(|finding| finding["code"] == "replay_deck").unwrap_or_else(|| panic!("{found:#?}"));
    assert_eq!(hit["line"], line);
    assert_eq!(findings["summary"]["replays"], 1);
}
