//! Findings as SARIF 2.1.0 (OASIS), which code hosts show beside the lines.

use serde_json::{Value, json};

use super::checks::{self, Check};
use super::{Finding, Label, Severity};
use crate::source::Sources;

/// Renders the findings as one SARIF log with a line feed at its end.
pub fn render(findings: &[Finding], sources: &Sources) -> String {
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "paiban",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules(findings),
            } },
            "columnKind": "unicodeCodePoints",
            "results": findings.iter().map(|finding| result(finding, sources)).collect::<Vec<_>>(),
        }],
    });
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

/// The built-in checks, and the declared invariants that found something.
fn rules(findings: &[Finding]) -> Vec<Value> {
    let built_in = checks::ALL.iter().map(|check| rule(check));
    let mut declared: Vec<&str> = findings.iter().map(|finding| finding.code.as_str()).collect();
    declared.retain(|code| checks::by_code(code).is_none());
    declared.sort_unstable();
    declared.dedup();
    let declared = declared
        .into_iter()
        .map(|code| json!({ "id": code, "shortDescription": { "text": format!("the invariant {code} of a game") } }));
    built_in.chain(declared).collect()
}

fn rule(check: &Check) -> Value {
    json!({
        "id": check.code,
        "shortDescription": { "text": check.title },
        "fullDescription": { "text": check.why },
        "help": { "text": format!("{}\n\nFor example\n\n    {}\n\nshould be\n\n    {}", check.why, check.wrong, check.right) },
        "defaultConfiguration": { "level": level(check.severity) },
    })
}

const fn level(severity: Severity) -> &'static str {
    severity.name()
}

fn result(finding: &Finding, sources: &Sources) -> Value {
    let more = [finding.expected.as_ref().map(|text| format!("expected {text}")), finding.help.clone()];
    let text: Vec<String> = std::iter::once(finding.headline()).chain(more.into_iter().flatten()).collect();
    let mut result = json!({
        "ruleId": finding.code,
        "level": level(finding.severity),
        "message": { "text": text.join("\n") },
    });
    if let Some(place) = &finding.place {
        result["locations"] = json!([location(place, sources)]);
    }
    if !finding.others.is_empty() {
        result["relatedLocations"] = finding.others.iter().map(|label| location(label, sources)).collect();
    }
    result
}

fn location(label: &Label, sources: &Sources) -> Value {
    let file = sources.get(label.span.file);
    let (line, column) = file.position(label.span.start);
    let (end_line, end_column) = file.position(label.span.end);
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(&file.path) },
            "region": { "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column },
        },
    });
    if !label.text.is_empty() {
        location["message"] = json!({ "text": label.text });
    }
    location
}

/// A path as a relative URI: everything but letters, digits and `/-._~` in percent.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}
