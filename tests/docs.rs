//! Documents that are made from the program stay equal to it. `PAIBAN_ACCEPT=1 cargo test --test docs` writes them anew.

#![allow(clippy::expect_used)] // a test may fail

mod common;

#[path = "docs/attributes.rs"]
mod attributes;
#[path = "docs/commands.rs"]
mod commands;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use paiban::diagnostics::checks::{self, Check};
use paiban::model::keys::{self, Shape};

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

/// What may stand under a key, in words.
fn in_words(shape: Shape) -> String {
    let plain = match shape {
        Shape::Text => "text",
        Shape::Word(words) => return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", "),
        Shape::Texts => "list of texts",
        Shape::Integer(low, i64::MAX) => return format!("whole number from {low}"),
        Shape::Integer(low, high) => return format!("whole number, {low} to {high}"),
        Shape::Integers => "list of whole numbers",
        Shape::Numbers => "number, or a list of them",
        Shape::Flag => "`true` or `false`",
        Shape::Length => "length, like `\"3mm\"`",
        Shape::Lengths => "length, or a list of them",
        Shape::Size => "size, like `\"63x88mm\"`",
        Shape::Quantity => "whole number, table by player counts, or expression",
        Shape::TextTable => "table of texts",
        Shape::Table => "table",
        Shape::Tables => "list of tables",
        Shape::Any => "see there",
    };
    plain.to_owned()
}

/// The register of keys as a page.
fn keys_page() -> String {
    let mut page = String::from(
        "# Keys\n\nEvery key of every data file, made from the register that the loader reads by (`src/model/keys.rs`). `paiban schema` gives the \
         same to editors. [data.md](data.md), [rules.md](rules.md), [preflight.md](preflight.md) and [printing.md](printing.md) explain them.\n",
    );
    for keys in keys::ALL {
        write!(page, "\n## `{}`\n\n| key | takes | means |\n|---|---|---|\n", keys.table).expect("text");
        for key in keys.keys {
            let name = if key.required { format!("**`{}`**", key.name) } else { format!("`{}`", key.name) };
            writeln!(page, "| {name} | {} | {} |", in_words(key.shape), key.about).expect("text");
        }
    }
    page.push_str("\nKeys in bold must be there. `[icons]`, `[fonts]`, `[theme]` and `[unused]` have free keys; so have records, beside `id`, `copies` and `source`.\n");
    page
}

/// Holds the page at `path` to what was `made`, or writes it anew.
fn hold(path: &str, made: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("PAIBAN_ACCEPT").is_some() {
        fs::write(&file, made).expect("docs can be written");
    }
    let written = fs::read_to_string(&file).unwrap_or_default();
    assert!(made == written, "{path} is not what the register says; run with PAIBAN_ACCEPT=1");
}

#[test]
fn the_page_of_checks_is_the_register() {
    hold("docs/checks.md", &checks_page());
}

#[test]
fn the_page_of_keys_is_the_register() {
    hold("docs/reference/keys.md", &keys_page());
}

#[test]
fn the_page_of_commands_is_the_command_line() {
    hold("docs/reference/commands.md", &commands::page());
}

#[test]
fn the_page_of_attributes_is_the_register() {
    hold("docs/reference/attributes.md", &attributes::page());
}
