//! Findings as a Code Quality report of GitLab: a JSON list that shows each beside its line in a merge request.
//!
//! Source: GitLab's documentation, "Code Quality", report format.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Finding, Severity};
use crate::source::Sources;

#[derive(Serialize)]
struct Issue<'f> {
    description: String,
    check_name: &'f str,
    fingerprint: String,
    severity: &'static str,
    location: Location,
}

#[derive(Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: usize,
}

/// Renders the findings. The format wants a place of each: those that have none stand at the first line of `data`.
pub fn render(findings: &[Finding], sources: &Sources) -> String {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let issues: Vec<Issue<'_>> = findings.iter().map(|finding| issue(finding, sources, &mut seen)).collect();
    serde_json::to_string_pretty(&issues).unwrap_or_default() + "\n"
}

fn issue<'f>(finding: &'f Finding, sources: &Sources, seen: &mut BTreeMap<String, usize>) -> Issue<'f> {
    let (path, begin) = match finding.position(sources) {
        Some(place) => (place.path.clone(), place.line),
        None => ("data".to_owned(), 1),
    };
    let description = finding.headline();
    // The line is left out, so that a finding that only moved is still the same one; equal ones are numbered.
    let words = format!("{} {path} {description}", finding.code);
    let number = seen.entry(words.clone()).or_default();
    *number += 1;
    let fingerprint = blake3::hash(format!("{words} {number}").as_bytes()).to_hex().chars().take(32).collect();
    Issue {
        description,
        check_name: &finding.code,
        fingerprint,
        severity: match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Note => "info",
        },
        location: Location { path, lines: Lines { begin } },
    }
}
