//! Sample games, played again: every move must be allowed, and every number that the text states must be what the moves give.

use super::stated::{self, Difference};
use crate::diagnostics::{Finding, Report, Severity, checks};
use crate::model::{Game, Replay, Step, StepKind};
use crate::script::{Breach, Rules, State, Trouble};
use crate::source::tree::Node;
use crate::source::{Sources, Span, Spanned};

/// How many differences of one sample are told one by one.
const MOST_TOLD: usize = 12;

/// How much was replayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// Sample games.
    pub replays: usize,
    /// Declared slips of their text.
    pub errata: usize,
}

/// Replays every sample of `game`.
pub fn all(game: &Game, sources: &Sources, report: &mut Report) -> Replayed {
    let rules = match Rules::load(game, sources) {
        None => {
            game.replays.first().into_iter().for_each(|replay| report.push(without_rules(replay)));
            return Replayed::default();
        }
        Some(Err(Trouble::Fault(finding))) => {
            report.push(*finding);
            return Replayed::default();
        }
        Some(Err(trouble)) => {
            report.push(told(trouble, game.span, None));
            return Replayed::default();
        }
        Some(Ok(rules)) => rules,
    };
    for replay in &game.replays {
        run(&rules, replay, report);
    }
    let steps = game.replays.iter().flat_map(|replay| &replay.steps);
    Replayed { replays: game.replays.len(), errata: steps.filter(|step| step.erratum.is_some()).count() }
}

fn run(rules: &Rules, replay: &Replay, report: &mut Report) {
    let mut told_of = Told::default();
    if let Err(stop) = play(rules, replay, &mut told_of) {
        told_of.findings.push(*stop);
    }
    told_of.into_report(report);
}

/// The findings of a sample, at most so many of those that follow from each other.
#[derive(Default)]
struct Told {
    findings: Vec<Finding>,
    more: usize,
}

impl Told {
    fn add(&mut self, findings: Vec<Finding>) {
        for finding in findings {
            if self.findings.len() < MOST_TOLD || finding.severity == Severity::Note {
                self.findings.push(finding);
            } else {
                self.more += 1;
            }
        }
    }

    fn into_report(mut self, report: &mut Report) {
        if let Some(last) = self.findings.last_mut().filter(|_| self.more > 0) {
            last.message = format!("{} (and {} more differences after it)", last.message, self.more);
        }
        self.findings.into_iter().for_each(|finding| report.push(finding));
    }
}

/// Plays the sample. An error ends it: after a move that cannot be made nothing more can be said.
fn play(rules: &Rules, replay: &Replay, told_of: &mut Told) -> Result<(), Box<Finding>> {
    let stop = |trouble, node: &Node| Box::new(told(trouble, node.span, Some(node)));
    rules.seed(0).map_err(|trouble| stop(trouble, &replay.setup))?;
    let state = rules.setup(&replay.setup).map_err(|trouble| stop(trouble, &replay.setup))?;
    for step in &replay.steps {
        let right = match &step.erratum {
            None => step,
            Some(erratum) => {
                told_of.add(vec![excuse(rules, &state, step, &erratum.why)?]);
                &*erratum.instead
            }
        };
        told_of.add(take(rules, &state, right)?);
    }
    let over = rules.is_over(&state).map_err(|trouble| stop(trouble, &replay.setup))?;
    if over == replay.unfinished {
        return Err(Box::new(wrong_end(replay)));
    }
    Ok(())
}

/// Takes a step as it is printed, on a copy: it must fail, or it is no slip.
fn excuse(rules: &Rules, state: &State, step: &Step, why: &Spanned<String>) -> Result<Finding, Box<Finding>> {
    let trial = rules.copy(state).map_err(|trouble| Box::new(told(trouble, step.span, None)))?;
    let first = match take(rules, &trial, step) {
        Ok(findings) => findings.into_iter().next(),
        Err(finding) if finding.code == checks::SCRIPT_FAILED.code => return Err(finding),
        Err(finding) => Some(*finding),
    };
    Ok(match first {
        Some(finding) => {
            let message = format!("erratum: {}", finding.message);
            Finding { severity: Severity::Note, message, help: Some(why.value.clone()), ..finding }
        }
        None => {
            Finding::new(checks::ERRATUM_STALE, "this step holds as it is printed, although it is declared an erratum")
                .at(why.span)
                .help("delete the `erratum` and `in_fact` keys")
        }
    })
}

/// Takes a step; returns what differs.
fn take(rules: &Rules, state: &State, step: &Step) -> Result<Vec<Finding>, Box<Finding>> {
    match &step.kind {
        StepKind::Move(play) => {
            let stop = |trouble| Box::new(told(trouble, step.span, Some(play)));
            let done = rules.apply(state, play).map_err(stop)?;
            let mut findings: Vec<Finding> = done.unread.iter().map(|key| unread(play, key)).collect();
            findings.extend(compare(step, &done.said, None));
            Ok(findings)
        }
        StepKind::Stated(code) => {
            let facts = rules.facts(state).map_err(|trouble| Box::new(told(trouble, step.span, None)))?;
            Ok(compare(step, &facts, code.as_ref()))
        }
    }
}

fn compare(step: &Step, fact: &crate::script::Fact, code: Option<&Spanned<String>>) -> Vec<Finding> {
    let mut differences = Vec::new();
    step.is.iter().for_each(|is| stated::compare(is, fact, false, &mut differences));
    step.exactly.iter().for_each(|exactly| stated::compare(exactly, fact, true, &mut differences));
    differences.into_iter().map(|difference| differs(difference, code)).collect()
}

fn differs(difference: Difference, code: Option<&Spanned<String>>) -> Finding {
    let mut finding = Finding::new(checks::REPLAY_DIFFERS, difference.message).at(difference.span);
    if let Some(code) = code {
        finding.code.clone_from(&code.value);
    }
    finding.expected = difference.expected;
    finding.help("compare with the rules' text, and the moves before; a slip of the text is declared with `erratum` and `in_fact`")
}

/// What went wrong in the script, for the step at `span`.
fn told(trouble: Trouble, span: Span, play: Option<&Node>) -> Finding {
    match trouble {
        Trouble::Fault(finding) => finding.and(span, "while playing this"),
        Trouble::Breach(breach) => broken(breach, span, play),
    }
}

/// A move that the rules forbid: at the value that is to blame.
fn broken(breach: Breach, span: Span, play: Option<&Node>) -> Finding {
    let table = play.and_then(Node::as_table);
    let blamed = breach.key.and_then(|key| table?.get(&key)).map(|node| node.span);
    let mut finding = Finding::new(checks::REPLAY_ILLEGAL, breach.message).at(blamed.unwrap_or(span));
    if let Some(code) = breach.code {
        finding.code = code;
    }
    finding.help("the sample stops here; a slip of the text is declared with `erratum` and `in_fact`")
}

fn unread(play: &Node, key: &str) -> Finding {
    let place = play.as_table().and_then(|table| table.entry(key)).map_or(play.span, |entry| entry.key.span);
    Finding::new(checks::KEY_UNKNOWN, format!("the rules never looked at `{key}` of this move"))
        .at(place)
        .help("correct its name, or delete it")
}

fn wrong_end(replay: &Replay) -> Finding {
    let place = replay.steps.last().map_or(replay.span, |step| step.span);
    let message = if replay.unfinished {
        format!("the sample `{}` is called unfinished, but the game is over", replay.id)
    } else {
        format!("the sample `{}` ends before the game is over", replay.id)
    };
    Finding::new(checks::REPLAY_DIFFERS, message).at(place).help("add the missing moves, or set `unfinished`")
}

fn without_rules(replay: &Replay) -> Finding {
    let message = format!("there is no rules.lua to replay `{}` with", replay.id);
    Finding::new(checks::SCRIPT_FAILED, message).at(replay.span).help("see docs/reference/rules.md")
}
