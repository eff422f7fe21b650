//! Calibration from the outside: the sheet, what is kept of it, and what a build makes of that.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::fs;

use common::pages::{self, Read};
use common::{Project, Ran};

/// Runs the program with a file of printers that is the project's own.
fn run(project: &Project, arguments: &[&str]) -> Ran {
    let config = project.root().join("config");
    project.run_with(arguments, &[("PAIBAN_CONFIG", &config.to_string_lossy())])
}

fn pdf(project: &Project, path: &str) -> (Vec<u8>, Read) {
    let bytes = fs::read(project.root().join(path)).expect(path);
    let read = Read::new(&bytes);
    (bytes, read)
}

#[test]
fn the_sheet_has_two_pages_and_says_how_to_read_it() {
    let project = Project::base();
    run(&project, &["calibrate"]).ended(0);
    let (_, sheet) = pdf(&project, "out/calibrate-a4.pdf");
    let (front, back) = (sheet.text(0), sheet.text(1));
    for part in ["Front", "A4", "flip on long edge", "Tenths", "--rotate", "+15", "100 mm"] {
        assert!(front.contains(part), "{part}: {front}");
    }
    assert!(back.contains("Back") && back.contains("100 mm"), "{back}");
    // Five crosses and ten verniers, of 31 strokes in front and 11 behind, and the rulers.
    assert_eq!(pages::marks(&sheet, 0).len(), 5 * (2 + 2 * 31) + 24);
    assert_eq!(pages::marks(&sheet, 1).len(), 5 * (2 + 2 * 11) + 24);

    let letter = ["calibrate", "--paper", "letter", "--sides", "short-edge", "--language", "zh-Hans"];
    run(&project, &letter).ended(0);
    let (_, sheet) = pdf(&project, "out/calibrate-letter-short-edge.pdf");
    assert!(sheet.text(0).contains("短边翻转") && sheet.text(0).contains("十分之几毫米"), "{}", sheet.text(0));
    assert!(run(&project, &["calibrate", "--paper", "105x148mm"]).ended(2).stderr.contains("190x260mm"));
}

#[test]
fn numbers_are_kept_under_a_name_and_changed_one_by_one() {
    let project = Project::base();
    assert_eq!(run(&project, &["calibrate", "--list"]).ended(0).stdout, "no profiles\n");
    let kept = run(&project, &["calibrate", "--profile", "office-a4", "--dx", "0.4", "--dy", "-0.3"]).ended(0);
    assert_eq!(kept.stdout, "office-a4  +0.4/-0.3 mm\n");
    run(&project, &["calibrate", "--profile", "office-a4", "--rotate", "0.1"]).ended(0);
    run(&project, &["calibrate", "--profile", "home", "--scale-x", "1.002", "--scale-y", "0.998"]).ended(0);
    let list = run(&project, &["calibrate", "--list"]).ended(0).stdout;
    assert_eq!(list, "home  0/0 mm 100.2/99.8 %\noffice-a4  +0.4/-0.3 mm +0.1°\n");

    let before = project.read("config/printers.toml");
    for (arguments, part) in [
        (["--profile", "home", "--dx", "11"], "-10 to 10 mm"),
        (["--profile", "home", "--dx", "0.42"], "0.4 or 0.45"),
        (["--profile", "../home", "--dx", "1"], "letters, digits and hyphens"),
    ] {
        let refused = run(&project, &[&["calibrate"], &arguments[..]].concat()).ended(2);
        assert!(refused.stderr.contains(part), "{}", refused.stderr);
    }
    assert_eq!(project.read("config/printers.toml"), before);
    assert!(run(&project, &["calibrate", "--dx", "1"]).ended(2).stderr.contains("--profile"));
}

#[test]
fn the_sheet_can_be_printed_with_what_is_kept() {
    let project = Project::base();
    run(&project, &["calibrate"]).ended(0);
    run(&project, &["calibrate", "--profile", "home", "--dx", "0.5", "--dy", "-1"]).ended(0);
    run(&project, &["calibrate", "--profile", "home"]).ended(0);
    let (_, plain) = pdf(&project, "out/calibrate-a4.pdf");
    let (_, moved) = pdf(&project, "out/calibrate-a4-home.pdf");
    assert_eq!(pages::marks(&plain, 0), pages::marks(&moved, 0));
    assert_moved(&plain, &moved, 1, (0.5, -1.0));
    assert!(moved.text(1).contains("Backs moved by +0.5/-1 mm"), "{}", moved.text(1));
}

#[test]
fn a_build_moves_backs_with_their_marks_and_leaves_fronts_alone() {
    let project = Project::base();
    run(&project, &["calibrate", "--profile", "home", "--dx", "0.4", "--dy", "-0.3"]).ended(0);
    run(&project, &["build", "--players", "full"]).ended(0);
    run(&project, &["build", "--players", "full", "--profile", "home"]).ended(0);
    let (_, plain) = pdf(&project, "out/mini/mini-full-a4.pdf");
    let (_, moved) = pdf(&project, "out/mini/mini-full-a4-home.pdf");
    let count = plain.pages.len();
    assert_eq!(moved.pages.len(), count);
    let mut backs = 0;
    for page in 0..count {
        if !moved.text(page).contains("backs +0.4/-0.3 mm") {
            assert_eq!(plain.content(page), moved.content(page), "page {page} is a front");
            continue;
        }
        backs += 1;
        assert_moved(&plain, &moved, page, (0.4, -0.3));
    }
    assert!(backs > 0, "the small game has backs");
}

/// Faces, what they may paint and marks of a page are all `by` millimetres further.
fn assert_moved(plain: &Read, moved: &Read, page: usize, by: (f64, f64)) {
    let near = |is: f64, was: f64, by: f64| (is - was - by).abs() < 0.005;
    for (is, was) in pages::placed(moved, page).iter().zip(pages::placed(plain, page)) {
        assert!(near(is.origin.0, was.origin.0, by.0) && near(is.origin.1, was.origin.1, by.1), "{is:?} {was:?}");
        for (side, (is, was)) in is.clip.iter().zip(was.clip).enumerate() {
            assert!(near(*is, was, if side % 2 == 0 { by.0 } else { by.1 }), "{is} {was}");
        }
    }
    let (is, was) = (pages::marks(moved, page), pages::marks(plain, page));
    assert_eq!(is.len(), was.len());
    for (is, was) in is.iter().zip(&was) {
        let ends = [(is.0, was.0), (is.1, was.1)];
        assert!(ends.iter().all(|(is, was)| near(is.0, was.0, by.0) && near(is.1, was.1, by.1)), "{is:?} {was:?}");
    }
}

#[test]
fn a_profile_that_changes_nothing_gives_the_same_bytes() {
    let project = Project::base();
    run(&project, &["calibrate", "--profile", "home", "--dx", "0"]).ended(0);
    run(&project, &["build", "--players", "full"]).ended(0);
    run(&project, &["build", "--players", "full", "--profile", "home"]).ended(0);
    let (plain, same) = ("out/mini/mini-full-a4.pdf", "out/mini/mini-full-a4-home.pdf");
    assert!(pdf(&project, plain).0 == pdf(&project, same).0, "the documents differ");
}

#[test]
fn an_unknown_profile_is_trouble_that_names_the_nearest() {
    let project = Project::base();
    let refused = run(&project, &["build", "--profile", "ofice-a4"]).ended(2);
    assert!(refused.stderr.contains("no profile `ofice-a4`, nor any other"), "{}", refused.stderr);
    run(&project, &["calibrate", "--profile", "office-a4", "--dx", "1"]).ended(0);
    let refused = run(&project, &["build", "--profile", "ofice-a4"]).ended(2);
    assert!(refused.stderr.contains("did you mean `office-a4`?"), "{}", refused.stderr);
    assert!(!project.root().join("out").exists());
}
