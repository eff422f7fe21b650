//! Findings in one line each: `file:line:column: severity[code]: message`, as editors and `grep` like it.

use super::Finding;
use crate::source::Sources;

/// Renders the findings, a line each.
pub fn render(findings: &[Finding], sources: &Sources) -> String {
    findings.iter().map(|finding| line(finding, sources)).collect()
}

fn line(finding: &Finding, sources: &Sources) -> String {
    let place = finding.position(sources).map_or_else(String::new, |place| format!("{place}: "));
    format!("{place}{}[{}]: {}\n", finding.severity.name(), finding.code, one_line(&finding.headline()))
}

/// A text without line feeds.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
