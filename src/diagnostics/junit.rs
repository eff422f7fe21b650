//! Findings as a JUnit report, which most CI servers show: one suite a game, one test case a code, failing where there are errors.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::human;
use super::{Finding, Severity};
use crate::source::Sources;

/// A game and every code that was checked for it.
pub struct Suite<'a> {
    /// The game's id.
    pub game: &'a str,
    /// Codes of checks and invariants; one that found nothing is a test that passed.
    pub codes: Vec<&'a str>,
}

/// Renders the findings. Those of no game make a suite of their own, called `project`.
pub fn render(findings: &[Finding], sources: &Sources, suites: &[Suite<'_>]) -> String {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"paiban\">\n");
    let project = Suite { game: "project", codes: Vec::new() };
    let is_of = |suite: &Suite<'_>, finding: &Finding| match &finding.game {
        Some(game) => game == suite.game,
        None => suite.game == project.game,
    };
    for suite in suites.iter().chain([&project]) {
        let own: Vec<&Finding> = findings.iter().filter(|finding| is_of(suite, finding)).collect();
        if !own.is_empty() || !suite.codes.is_empty() {
            write_suite(suite, &own, sources, &mut text);
        }
    }
    text + "</testsuites>\n"
}

fn write_suite(suite: &Suite<'_>, findings: &[&Finding], sources: &Sources, text: &mut String) {
    let game = suite.game;
    let mut cases: BTreeMap<&str, Vec<&Finding>> = suite.codes.iter().map(|code| (*code, Vec::new())).collect();
    for finding in findings {
        cases.entry(&finding.code).or_default().push(finding);
    }
    let is_error = |finding: &&&Finding| finding.severity == Severity::Error;
    let failed = cases.values().filter(|found| found.iter().any(|finding| is_error(&finding))).count();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{failed}\">", escape(game), cases.len());
    for (code, found) in &cases {
        let (errors, others): (Vec<&&Finding>, Vec<&&Finding>) = found.iter().partition(is_error);
        let _ = write!(text, "    <testcase classname=\"{}\" name=\"{}\">", escape(game), escape(code));
        if let Some(first) = errors.first() {
            let details: String = errors.iter().map(|finding| human::render(finding, sources, false)).collect();
            let _ = write!(text, "<failure message=\"{}\">{}</failure>", escape(&first.headline()), escape(&details));
        }
        if !others.is_empty() {
            let details: String = others.iter().map(|finding| human::render(finding, sources, false)).collect();
            let _ = write!(text, "<system-out>{}</system-out>", escape(&details));
        }
        text.push_str("</testcase>\n");
    }
    text.push_str("  </testsuite>\n");
}

/// Text for XML: markup escaped, characters that XML cannot hold replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
