//! Findings for programs, in the shape of the contract: `{"findings": [...], "summary": {...}}`.

use serde::Serialize;

use super::{Finding, Severity};
use crate::source::Sources;

/// What was looked at; printed beside the findings so that a green run can be told from an empty one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counted {
    /// Declared invariants that were checked.
    pub invariants: usize,
    /// Claims of the rules that were recomputed.
    pub claims: usize,
    /// Declared errata.
    pub errata: usize,
    /// Sample games that were replayed.
    pub replays: usize,
    /// Distinct faces that were laid out.
    pub faces: usize,
}

#[derive(Serialize)]
struct Document<'a> {
    findings: Vec<Row<'a>>,
    summary: Summary,
}

#[derive(Serialize)]
struct Row<'a> {
    code: &'a str,
    severity: &'static str,
    game: Option<&'a str>,
    message: String,
    pieces: &'a [String],
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    expected: Option<&'a str>,
    help: Option<&'a str>,
    related: Vec<Related<'a>>,
}

#[derive(Serialize)]
struct Related<'a> {
    file: String,
    line: usize,
    column: usize,
    message: &'a str,
}

#[derive(Serialize)]
struct Summary {
    errors: usize,
    warnings: usize,
    notes: usize,
    #[serde(flatten)]
    counted: Counted,
}

/// Renders the findings (already sorted) as one JSON document with a line feed at its end.
pub fn render(findings: &[Finding], sources: &Sources, counted: Counted) -> String {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let document = Document {
        findings: findings.iter().map(|finding| row(finding, sources)).collect(),
        summary: Summary {
            errors: count(Severity::Error),
            warnings: count(Severity::Warning),
            notes: count(Severity::Note),
            counted,
        },
    };
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

fn row<'a>(finding: &'a Finding, sources: &Sources) -> Row<'a> {
    let place = finding.position(sources);
    let related = finding.others.iter().map(|label| {
        let file = sources.get(label.span.file);
        let (line, column) = file.position(label.span.start);
        Related { file: file.path.clone(), line, column, message: &label.text }
    });
    Row {
        code: &finding.code,
        severity: finding.severity.name(),
        game: finding.game.as_deref(),
        message: finding.headline(),
        pieces: &finding.pieces,
        file: place.as_ref().map(|place| place.path.clone()),
        line: place.as_ref().map(|place| place.line),
        column: place.as_ref().map(|place| place.column),
        expected: finding.expected.as_deref(),
        help: finding.help.as_deref(),
        related: related.collect(),
    }
}
