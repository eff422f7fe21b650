//! The floor plan is a one-way street: a module imports only from the floors below its own (docs/architecture.md).

#![allow(clippy::expect_used)] // a test may fail

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the ground up.
const FLOORS: [&[&str]; 15] = [
    &["units"],
    &["geometry", "source"],
    &["diagnostics"],
    &["expr"],
    &["fonts", "icons"],
    &["model"],
    &["script"],
    &["compose"],
    &["sheet"],
    &["export"],
    &["simulate"],
    &["verify"],
    &["preview"],
    &["cli"],
    &["commands"],
];

fn floor(module: &str) -> usize {
    FLOORS
        .iter()
        .position(|modules| modules.contains(&module))
        .unwrap_or_else(|| panic!("`{module}` has no floor: give it one in docs/architecture.md and in this test"))
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("src can be listed") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            files.push(path);
        }
    }
}

/// The modules of this crate that `text` names, with the line.
fn imports(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for after in code.split("crate::").skip(1) {
            let name: String = after.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if !name.is_empty() {
                found.push((number + 1, name));
            }
        }
    }
    found
}

#[test]
fn modules_import_from_below_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&root, &mut files);
    assert!(files.len() > 20, "the test looks at the wrong folder");
    let mut climbs = Vec::new();
    for path in files {
        let inside = path.strip_prefix(&root).expect("below src");
        let module = inside.iter().next().and_then(|part| part.to_str()).unwrap_or_default().trim_end_matches(".rs");
        if matches!(module, "lib" | "main") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source file");
        for (line, import) in imports(&text) {
            if import != module && floor(&import) >= floor(module) {
                climbs.push(format!("{}:{line}: `{module}` imports `{import}`", inside.display()));
            }
        }
    }
    assert!(climbs.is_empty(), "imports that climb:\n{}", climbs.join("\n"));
}

#[test]
fn a_climb_is_seen() {
    assert_eq!(imports("use crate::commands::run; // crate::cli"), [(1, "commands".to_owned())]);
    assert!(floor("commands") > floor("units"));
}
