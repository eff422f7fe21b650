//! Documents that are made from the program stay equal to it. `PAIBAN_ACCEPT=1 cargo test --test docs` writes them anew.

#![allow(clippy::expect_used)] // a test may fail

use std::fmt::Write;
use std::fs;
use std::path::Path;

use paiban::diagnostics::checks::{self, Check};

/// The register of checks as a page.
fn checks_page() -> String {
    let mut page = String::from(
        "# Checks\n\nWhat `paiban verify` finds by itself, made from the register in `src/diagnostics/checks.rs`. The invariants that a game declares \
         come on top, each under its own id. `paiban verify --explain CODE` says the same.\n",
    );
    for check in checks::ALL {
        let Check { code, severity, title, why, wrong, right } = check;
        let example = format!("For example\n\n    {wrong}\n\nshould be\n\n    {right}\n");
        write!(page, "\n## `{code}`\n\n*{}*: {title}.\n\n{why}\n\n{example}", severity.name()).expect("text");
    }
    page
}

#[test]
fn the_page_of_checks_is_the_register() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/checks.md");
    let made = checks_page();
    if std::env::var_os("PAIBAN_ACCEPT").is_some() {
        fs::write(&path, &made).expect("docs can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(made == written, "docs/checks.md is not what the register says; run with PAIBAN_ACCEPT=1");
}
