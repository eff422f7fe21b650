//! Each folder in tests/cases is a case: its files are laid over the small project in tests/base, the program runs there, and
//! what it prints must be what stands in the folder's `expected.txt`.
//!
//! - `command.txt` holds the arguments; without it they are `verify`.
//! - `without.txt` lists files of the base project that the case has not.
//! - `PAIBAN_ACCEPT=1 cargo test --test cases` writes `expected.txt` anew. Read it before you commit it: is the message true,
//!   does it point at the value, does it say what was expected and how to mend it?

#![allow(clippy::expect_used)] // a test may fail

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::{Project, Ran, accepting, diff, repository};
use paiban::diagnostics::checks;

/// The files of a case that are not part of its project.
const OWN_FILES: [&str; 3] = ["command.txt", "expected.txt", "without.txt"];

/// A small drawing beside the project's folder, for links that lead out of it.
const OUTSIDE: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path d="M0 0H20V20Z"/></svg>"#;

fn folders() -> Vec<PathBuf> {
    let all = fs::read_dir(repository().join("tests/cases")).expect("tests/cases");
    let mut folders: Vec<PathBuf> = all.map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    folders
}

/// Runs the case in `folder` and returns all that is to be said of the run.
fn outcome(folder: &Path) -> String {
    let project = Project::base();
    fs::write(project.root().with_file_name("outside.svg"), OUTSIDE).expect("a file beside the project");
    project.lay_over(folder);
    for file in OWN_FILES {
        if project.root().join(file).exists() {
            fs::remove_file(project.root().join(file)).expect("a file that can go");
        }
    }
    for path in fs::read_to_string(folder.join("without.txt")).unwrap_or_default().lines() {
        fs::remove_file(project.root().join(path)).unwrap_or_else(|error| panic!("without {path}: {error}"));
    }
    let command = fs::read_to_string(folder.join("command.txt")).unwrap_or_else(|_| "verify".to_owned());
    let arguments: Vec<&str> = command.split_whitespace().collect();
    told(&project.run(&arguments))
}

fn told(ran: &Ran) -> String {
    let code = ran.code.map_or_else(|| "none: it was stopped".to_owned(), |code| code.to_string());
    let mut text = format!("exit code {code}\n");
    for (name, said) in [("stdout", &ran.stdout), ("stderr", &ran.stderr)] {
        if !said.is_empty() {
            text.push_str(&format!("--- {name}\n{said}"));
        }
    }
    text
}

/// Compares a case with what is expected, or writes it down. None when all is well.
fn judge(folder: &Path) -> Option<String> {
    let (file, is) = (folder.join("expected.txt"), outcome(folder));
    if accepting() {
        fs::write(&file, &is).expect("expected.txt can be written");
    }
    let should = fs::read_to_string(&file).unwrap_or_default();
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    if is.contains("panicked") || !is.starts_with("exit code") || is.starts_with("exit code none") {
        return Some(format!("{name}: the program broke down or hung\n{is}"));
    }
    (is != should).then(|| format!("{name}: not as expected (-) but (+)\n{}", diff::lines(&should, &is)))
}

#[test]
fn every_case_is_judged_as_expected() {
    let folders = folders();
    let (next, failures) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(folder) = folders.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(failure) = judge(folder) {
                failures.lock().expect("no case panics").push(failure);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let mut failures = failures.into_inner().expect("no case panics");
    failures.sort();
    assert!(failures.is_empty(), "{} of {} cases fail\n\n{}", failures.len(), folders.len(), failures.join("\n"));
}

#[test]
fn every_check_has_a_case() {
    let expected: Vec<String> =
        folders().iter().filter_map(|folder| fs::read_to_string(folder.join("expected.txt")).ok()).collect();
    let shown = |code: &str| expected.iter().any(|text| text.contains(&format!("[{code}]")));
    let without: BTreeSet<&str> = checks::ALL.iter().map(|check| check.code).filter(|code| !shown(code)).collect();
    assert!(without.is_empty(), "no case in tests/cases shows {without:?}");
}

/// For each check a case that it looks at and does not find wanting; where there is none of its own, the base project is it: it has
/// the thing that the check looks at, and each failing case is that project with one slip.
const PASSING: &[(&str, &str)] = &[
    ("spreadsheet-syntax", "csv-as-in-toml"),
    ("edge-differs", "edge-of-a-token"),
    ("text-unsafe", "preflight-text-unsafe-kept"),
    ("text-tiny", "preflight-text-small-kept"),
    ("text-small", "preflight-text-small-kept"),
    ("text-shrunk", "preflight-text-shrunk-kept"),
    ("contrast-low", "preflight-contrast-low-kept"),
    ("stroke-thin", "preflight-stroke-thin-kept"),
    ("picture-coarse", "preflight-picture-kept"),
    ("picture-soft", "preflight-picture-kept"),
    ("picture-fine", "preflight-picture-kept"),
    ("bleed-empty", "preflight-bleed-empty-kept"),
    ("frame-near", "preflight-frame-near-kept"),
    ("colours-alike", "preflight-colours-alike-kept"),
    ("sheet-wasted", "preflight-sheet-wasted-kept"),
    ("allowance-stale", "preflight-contrast-low-allowed"),
    ("field-unused", "unused-excused"),
    ("template-unused", "unused-excused"),
    ("icon-unused", "unused-excused"),
    ("excuse-stale", "unused-excused"),
    ("backs-differ", "backs-differ-excused"),
    ("back-one-way", "back-turned"),
    ("erratum-stale", "invariant-erratum"),
    ("script-failed", "replay"),
    ("script-limit", "command-simulate"),
    ("claim-wrong", "claim"),
    ("claim-idle", "claim"),
    ("claim-open", "claim"),
    ("replay-illegal", "replay"),
    ("replay-differs", "replay-erratum"),
    ("template-size", "s04-hundred-percent"),
    ("template-loop", "template-deep-enough"),
    ("template-too-large", "template-deep-enough"),
    ("font-unusable", "text-fallback"),
    ("font-missing", "text-fallback"),
    ("glyph-missing", "text-fallback"),
    ("font-fallback", "text-turned"),
    ("text-overflow", "preflight-text-shrunk-kept"),
    ("text-mark", "t06-icon-first-in-a-line"),
    ("text-outside", "text-cut-on-purpose"),
    ("text-lonely", "t07-icon-at-a-wrap"),
    ("sheet-too-small", "box-of-cards"),
    ("sheet-crowded", "box-of-cards"),
    ("box-too-large", "box-of-cards"),
    ("shop-bleed", "shop-kept"),
    ("shop-safe", "shop-kept"),
    ("shop-too-many", "shop-kept"),
    ("ink-limit", "press-kept"),
    ("pdfx-transparent", "press-inks"),
];

/// Checks that only a press profile satisfies; the repository holds none that is free.
const PASSED_WITH_A_PROFILE: &[&str] = &["press-profile", "pdfx-unmet"];

/// The checks whose subject is in the base project.
const PASSED_BY_THE_BASE: &[&str] = &[
    "file-unreadable",
    "toml-syntax",
    "key-unknown",
    "key-missing",
    "type-wrong",
    "value-wrong",
    "text-control",
    "id-duplicate",
    "reference-dangling",
    "record-unused",
    "sheet-margin",
    "count-wrong",
    "expression-syntax",
    "expression-failed",
    "invariant-idle",
    "template-syntax",
    "template-attribute",
];

#[test]
fn every_check_passes_a_case() {
    let checks: BTreeSet<&str> = checks::ALL.iter().map(|check| check.code).collect();
    let listed: Vec<&str> = PASSING
        .iter()
        .map(|(code, _)| *code)
        .chain(PASSED_BY_THE_BASE.iter().copied())
        .chain(PASSED_WITH_A_PROFILE.iter().copied())
        .collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), checks, "each check once, and no others");
    assert_eq!(listed.len(), checks.len(), "a check is listed twice");
    for (code, case) in PASSING {
        let said = fs::read_to_string(repository().join("tests/cases").join(case).join("expected.txt")).expect(case);
        assert!(said.starts_with("exit code 0") && !said.contains(&format!("[{code}]")), "{case} does not pass {code}");
    }
}

#[test]
fn the_base_project_is_clean() {
    let ran = Project::base().run(&["verify", "--deny-warnings"]).ended(0);
    assert!(ran.stdout.starts_with("0 errors, 0 warnings, 0 notes; 1 invariant and 5 faces"), "{}", ran.stdout);
}
