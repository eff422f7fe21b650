//! Findings as annotations of GitHub Actions: `::error file=...,line=...,col=...,title=...::message`.
//!
//! Source: GitHub's documentation, "Workflow commands for GitHub Actions".

use super::{Finding, Severity};
use crate::source::Sources;

/// Renders the findings, a command each.
pub fn render(findings: &[Finding], sources: &Sources) -> String {
    findings.iter().map(|finding| command(finding, sources)).collect()
}

fn command(finding: &Finding, sources: &Sources) -> String {
    let name = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let place = finding.position(sources).map_or_else(String::new, |place| {
        format!("file={},line={},col={},", property(&place.path), place.line, place.column)
    });
    let more = [finding.expected.as_ref().map(|text| format!("expected {text}")), finding.help.clone()];
    let lines: Vec<String> = std::iter::once(finding.headline()).chain(more.into_iter().flatten()).collect();
    format!("::{name} {place}title={}::{}\n", property(&finding.code), data(&lines.join("\n")))
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
