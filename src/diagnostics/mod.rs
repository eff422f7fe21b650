//! Findings: what is wrong with the data, where, what was expected and how to mend it.
//!
//! A stage puts its findings into a [`Report`] and returns what it could make; trouble of the machine is an error instead.

pub mod checks;
pub mod github;
pub mod gitlab;
pub mod human;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod short;

use crate::source::{Sources, Span};
use checks::Check;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The data is wrong or would print wrong.
    Error,
    /// It prints, but look at it.
    Warning,
    /// Good to know.
    Note,
}

impl Severity {
    /// The word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// A place that takes part in a finding, and what it has to do with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be said there; may be empty.
    pub text: String,
}

/// A place as people and programs write it; shown as `file:line:column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// Path of the file, relative to the project.
    pub path: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.line, self.column)
    }
}

/// One thing that is wrong, or worth knowing.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The check that found it: a built-in code, or the id of a declared invariant.
    pub code: String,
    /// How bad it is.
    pub severity: Severity,
    /// The game it belongs to.
    pub game: Option<String>,
    /// One line that says what is wrong.
    pub message: String,
    /// The addresses of the pieces whose faces show it; none where it is not about faces.
    pub pieces: Vec<String>,
    /// Where it is, if it is in a file at all.
    pub place: Option<Label>,
    /// Other places that take part, in the order they should be shown.
    pub others: Vec<Label>,
    /// What was expected.
    pub expected: Option<String>,
    /// How to mend it.
    pub help: Option<String>,
}

/// Where findings are told among others: by file and place in it, those of no place first, then by code and message.
pub type Rank = (Option<(String, u32, u32)>, String, String);

impl Finding {
    /// Where it is told among others.
    pub fn rank(&self, sources: &Sources) -> Rank {
        let place = self.place.as_ref().map(|label| label.span);
        let place = place.map(|span| (sources.get(span.file).path.clone(), span.start, span.end));
        (place, self.code.clone(), self.message.clone())
    }

    /// A finding of a built-in check, with that check's severity.
    pub fn new(check: &'static Check, message: impl Into<String>) -> Self {
        Finding {
            code: check.code.to_owned(),
            severity: check.severity,
            game: None,
            message: message.into(),
            pieces: Vec::new(),
            place: None,
            others: Vec::new(),
            expected: None,
            help: None,
        }
    }

    /// Points at `span`.
    #[must_use]
    pub fn at(self, span: Span) -> Self {
        self.labelled(span, "")
    }

    /// Points at `span` and says `text` there.
    #[must_use]
    pub fn labelled(mut self, span: Span, text: impl Into<String>) -> Self {
        self.place = Some(Label { span, text: text.into() });
        self
    }

    /// Shows another place.
    #[must_use]
    pub fn and(mut self, span: Span, text: impl Into<String>) -> Self {
        self.others.push(Label { span, text: text.into() });
        self
    }

    /// Says what was expected.
    #[must_use]
    pub fn expected(mut self, text: impl Into<String>) -> Self {
        self.expected = Some(text.into());
        self
    }

    /// Where it is: file, line and column; none where it is in no file.
    pub fn position(&self, sources: &Sources) -> Option<Position> {
        let span = self.place.as_ref()?.span;
        let file = sources.get(span.file);
        let (line, column) = file.position(span.start);
        Some(Position { path: file.path.clone(), line, column })
    }

    /// The pieces and the message: one line that says it all if nothing else can be shown.
    pub fn headline(&self) -> String {
        let message = &self.message;
        match self.pieces.split_at_checked(PIECES_NAMED) {
            Some((named, more)) if !more.is_empty() => {
                format!("{} and {} more: {message}", named.join(", "), more.len())
            }
            _ if self.pieces.is_empty() => message.clone(),
            _ => format!("{}: {message}", self.pieces.join(", ")),
        }
    }

    /// Whether this is `other` on another piece.
    fn is_like(&self, other: &Finding) -> bool {
        let essence = |finding: &Finding| {
            (finding.severity, finding.place.clone(), finding.expected.clone(), finding.help.clone())
        };
        !self.pieces.is_empty()
            && (&self.code, &self.game, &self.message) == (&other.code, &other.game, &other.message)
            && essence(self) == essence(other)
    }

    /// Takes in `other`, which is the same on other pieces.
    fn join(&mut self, other: Finding) {
        self.pieces.extend(other.pieces.into_iter().filter(|piece| !self.pieces.contains(piece)).collect::<Vec<_>>());
        for label in other.others {
            if self.pieces.len() <= PIECES_NAMED && !self.others.contains(&label) {
                self.others.push(label);
            }
        }
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// How many pieces a finding names.
const PIECES_NAMED: usize = 3;

/// The findings of a run.
#[derive(Clone, Debug, Default)]
pub struct Report {
    findings: Vec<Finding>,
}

impl Report {
    /// Adds a finding.
    pub fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Adds all findings of `other`.
    pub fn extend(&mut self, other: Report) {
        self.findings.extend(other.findings);
    }

    /// Says of every finding that has none which game it belongs to.
    pub fn belongs_to(&mut self, game: &str) {
        for finding in self.findings.iter_mut().filter(|finding| finding.game.is_none()) {
            finding.game = Some(game.to_owned());
        }
    }

    /// Says of every finding which piece it is about; `data` is where that stands, and is shown where nothing nearer is.
    pub fn belongs_to_piece(&mut self, address: &str, data: Span) {
        for finding in &mut self.findings {
            finding.pieces.push(address.to_owned());
            if finding.others.is_empty() {
                finding.others.push(Label { span: data, text: "for this piece".to_owned() });
            }
        }
    }

    /// Whether any finding is an error.
    pub fn has_errors(&self) -> bool {
        self.count(Severity::Error) > 0
    }

    /// How many findings are of this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.findings.iter().filter(|finding| finding.severity == severity).count()
    }

    /// The findings in the order they were made.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// The findings by file, line, column, code and message; the same finding is told once, also when it is about many pieces.
    pub fn sorted(&self, sources: &Sources) -> Vec<Finding> {
        let mut sorted = self.findings.clone();
        sorted.sort_by_cached_key(|finding| finding.rank(sources));
        sorted.dedup();
        let mut told: Vec<Finding> = Vec::with_capacity(sorted.len());
        for finding in sorted {
            match told.last_mut().filter(|last| last.is_like(&finding)) {
                Some(last) => last.join(finding),
                None => told.push(finding),
            }
        }
        told
    }
}

/// The name among `known` that `word` was probably meant to be, if any is near enough.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let score = |name: &&str| {
        let name = name.to_lowercase();
        // One slip of the finger in a short word changes so much of it that only counting slips finds it.
        let one_slip = word.chars().count() > 2 && strsim::osa_distance(&word, &name) == 1;
        if one_slip { 1.0 } else { strsim::jaro_winkler(&word, &name) }
    };
    let best = known.into_iter().max_by(|a, b| score(a).total_cmp(&score(b)))?;
    (score(&best) > 0.75).then_some(best)
}

/// The end of a message that says there is no `word`: which of the `known` names was probably meant, else all of them.
pub fn instead(word: &str, there_are: &str, known: &[&str]) -> String {
    match nearest(word, known.iter().copied()) {
        Some(near) => format!("; did you mean `{near}`?"),
        None => format!("; {there_are}: {}", known.join(", ")),
    }
}
