//! Claims: the numbers that the rules' text states, worked out again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use minijinja::Value;
use minijinja::value::ValueKind;

use super::names::{self, Outcome, compile};
use crate::diagnostics::{Finding, Report, Severity, checks, instead};
use crate::expr::lens::{Lists, Read};
use crate::expr::{self, Engine, Fault};
use crate::model::{Basis, Claim, Game, KitSize, Number, Part, Relation, SelfPlay, Stated};
use crate::script::{Fact, Rules, Trouble};
use crate::simulate::{self, FAR, Figure, Plan, Summary};
use crate::source::tree::Node;
use crate::source::{Sources, Span, Spanned};

/// How many of the values that a claim read are shown.
const MOST_SHOWN: usize = 6;
/// Two numbers nearer than this, of their size, are the same.
const NEARLY: f64 = 1e-9;
/// How far apart, of its size, a number may be that is stated with `about`.
const ROUGHLY: f64 = 0.1;

/// How the claims of a game came out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Claimed {
    /// Those that hold.
    pub hold: usize,
    /// Declared errata.
    pub errata: usize,
    /// Those that cannot be checked.
    pub open: usize,
    /// Those that are wrong, or could not be worked out.
    pub wrong: usize,
}

/// Works out every claim of `game`.
pub fn all(game: &Game, engine: &Engine, sources: &Sources, report: &mut Report) -> Claimed {
    let mut claimed = Claimed::default();
    let mut desk = Desk::new(game, engine, sources);
    for claim in &game.claims {
        if let Basis::NotCheckable(why) = &claim.basis {
            claimed.open += 1;
            report.push(open(claim, why));
            continue;
        }
        let (findings, wrong) = match desk.compute(claim) {
            Ok(Some(computed)) => judge(claim, &computed),
            Ok(None) => (Vec::new(), true),
            Err(finding) => (vec![*finding], true),
        };
        let count = match (wrong, &claim.erratum) {
            (true, _) => &mut claimed.wrong,
            (false, Some(_)) => &mut claimed.errata,
            (false, None) => &mut claimed.hold,
        };
        *count += 1;
        findings.into_iter().for_each(|finding| report.push(finding));
    }
    claimed
}

/// What came out.
struct Computed {
    numbers: Vec<Estimate>,
    listed: bool,
    /// The values of the data that went into it.
    reads: Vec<Read>,
    /// Where it is said how it comes out.
    way: Span,
}

/// A number and how uncertain it is: the standard error of a mean, 0 where it is exact.
#[derive(Clone, Copy)]
struct Estimate {
    value: f64,
    error: f64,
}

impl From<f64> for Estimate {
    fn from(value: f64) -> Self {
        Estimate { value, error: 0.0 }
    }
}

/// What is needed to work claims out, made when it is first asked for.
struct Desk<'a> {
    game: &'a Game,
    engine: &'a Engine,
    sources: &'a Sources,
    lists: Arc<Lists>,
    rules: Option<Rules>,
    played: BTreeMap<Plan, Summary>,
    /// The rules that claims have broken so far, each told once.
    broken: BTreeSet<String>,
}

impl<'a> Desk<'a> {
    fn new(game: &'a Game, engine: &'a Engine, sources: &'a Sources) -> Self {
        Desk {
            game,
            engine,
            sources,
            lists: Arc::new(game.lists()),
            rules: None,
            played: BTreeMap::new(),
            broken: BTreeSet::new(),
        }
    }

    /// None when it breaks a rule that another claim broke before: a sample that cannot be played stops them all.
    fn compute(&mut self, claim: &Claim) -> Outcome<Option<Computed>> {
        match &claim.basis {
            Basis::Value { code, players, arithmetic } => self.value(claim, code, *players, *arithmetic).map(Some),
            Basis::Script { name, arguments } => self.script(claim, name, arguments),
            Basis::Simulate(play) => self.simulated(claim, play).map(Some),
            Basis::NotCheckable(why) => Err(Box::new(open(claim, why))),
        }
    }

    fn value(
        &self,
        claim: &Claim,
        code: &Spanned<String>,
        players: Option<u32>,
        arithmetic: bool,
    ) -> Outcome<Computed> {
        let kit = names::kit(self.game, players.map_or(KitSize::Full, KitSize::Players));
        let mut scope = names::scope(self.game, &self.lists, &kit);
        if let Some(players) = players {
            scope = scope.with("players", Value::from(players));
        }
        let value = compile(self.engine, code)?.evaluate(&scope).map_err(|fault| failed(claim, code, &fault))?;
        let (numbers, listed) = numbers(&value).ok_or_else(|| no_number(claim, code.span, expr::kind(&value)))?;
        match (scope.trace().take_looked(), arithmetic) {
            (false, false) => Err(Box::new(idle(claim, code.span))),
            (true, true) => Err(Box::new(not_arithmetic(claim, code.span))),
            _ => Ok(Computed { numbers, listed, reads: scope.trace().take_reads(), way: code.span }),
        }
    }

    fn script(&mut self, claim: &Claim, name: &Spanned<String>, arguments: &[Node]) -> Outcome<Option<Computed>> {
        let fact = match self.rules(claim)?.claim(&name.value, arguments) {
            Err(Trouble::Breach(breach)) if !self.broken.insert(breach.message.clone()) => return Ok(None),
            outcome => outcome.map_err(|trouble| Box::new(told(trouble, claim, name.span)))?,
        };
        let fact = fact.ok_or_else(|| {
            let message = format!("rules.lua has no function `claims.{}`", name.value);
            let finding = Finding::new(checks::REFERENCE_DANGLING, message).at(name.span);
            Box::new(finding.help("see \"Claims\" in docs/reference/rules.md"))
        })?;
        let (numbers, listed) = match &fact {
            Fact::List(items) => (items.iter().map(Fact::number).collect::<Option<Vec<_>>>(), true),
            one => (one.number().map(|number| vec![number]), false),
        };
        let numbers = numbers.ok_or_else(|| no_number(claim, name.span, &fact.to_string()))?;
        let numbers = numbers.into_iter().map(Estimate::from).collect();
        Ok(Some(Computed { numbers, listed, reads: Vec::new(), way: name.span }))
    }

    fn rules(&mut self, claim: &Claim) -> Outcome<&Rules> {
        if self.rules.is_none() {
            let loaded = Rules::load(self.game, self.sources).ok_or_else(|| without_rules(claim))?;
            self.rules = Some(loaded.map_err(|trouble| Box::new(told(trouble, claim, claim.span)))?);
        }
        self.rules.as_ref().ok_or_else(|| without_rules(claim))
    }

    fn simulated(&mut self, claim: &Claim, play: &Spanned<SelfPlay>) -> Outcome<Computed> {
        let SelfPlay { players, games, seed, greedy, figure, of } = &play.value;
        let plan = Plan { players: *players, games: *games, seed: *seed, greedy: *greedy };
        if !self.played.contains_key(&plan) {
            let summary =
                simulate::run(self.game, self.sources, plan, &|_| ()).ok_or_else(|| without_rules(claim))??;
            self.played.insert(plan, summary);
        }
        let summary = self.played.get(&plan).ok_or_else(|| without_rules(claim))?;
        let known: Vec<&Figure> = summary.figures.iter().chain([&summary.moves]).collect();
        let found = known.iter().find(|known| known.name == *figure).ok_or_else(|| {
            let names: Vec<&str> = known.iter().map(|known| known.name.as_str()).collect();
            let message = format!("there is no figure `{figure}`{}", instead(figure, "there are", &names));
            Box::new(Finding::new(checks::REFERENCE_DANGLING, message).at(play.span))
        })?;
        let estimate = match of {
            Part::Mean => Estimate { value: found.mean, error: found.error },
            Part::Least => Estimate::from(found.least),
            Part::Most => Estimate::from(found.most),
        };
        Ok(Computed { numbers: vec![estimate], listed: false, reads: Vec::new(), way: play.span })
    }
}

/// The numbers that an expression gives.
fn numbers(value: &Value) -> Option<(Vec<Estimate>, bool)> {
    let number = |value: &Value| (value.kind() == ValueKind::Number).then(|| f64::try_from(value.clone()).ok());
    match value.kind() {
        ValueKind::Number => Some((vec![number(value)??.into()], false)),
        ValueKind::Seq | ValueKind::Iterable => {
            let items = value.try_iter().ok()?.map(|item| Some(number(&item)??.into()));
            Some((items.collect::<Option<Vec<_>>>()?, true))
        }
        _ => None,
    }
}

/// Compares what came out with what is stated, and with what is right where that is known to be wrong. Also says whether that is a fault.
fn judge(claim: &Claim, computed: &Computed) -> (Vec<Finding>, bool) {
    let holds = agrees(&claim.stated, computed, claim.relation);
    match &claim.erratum {
        None if holds => (Vec::new(), false),
        None => (vec![wrong(claim, computed)], true),
        Some((why, _)) if holds => (vec![stale(claim, why.span)], true),
        Some((_, right)) if !agrees(right, computed, Relation::Equal) => {
            (vec![wrong_right(claim, right, computed)], true)
        }
        Some((why, _)) => (vec![excused(claim, computed, &why.value)], false),
    }
}

fn agrees(stated: &Stated, computed: &Computed, relation: Relation) -> bool {
    let pairs = stated.numbers.iter().zip(&computed.numbers);
    stated.listed == computed.listed
        && stated.numbers.len() == computed.numbers.len()
        && pairs.into_iter().all(|(number, is)| stands(number, *is, relation))
}

/// Whether what came out stands to the stated number as it should, within the number's rounding and its own uncertainty.
fn stands(stated: &Number, is: Estimate, relation: Relation) -> bool {
    let slack = stated.rounding + FAR * is.error + NEARLY * is.value.abs().max(1.0);
    match relation {
        Relation::Equal => (is.value - stated.value).abs() <= slack,
        Relation::AtLeast => is.value >= stated.value - slack,
        Relation::AtMost => is.value <= stated.value + slack,
        Relation::About => (is.value - stated.value).abs() <= slack.max(ROUGHLY * stated.value.abs()),
    }
}

/// What came out, in the units of what is stated.
fn shown(stated: &Stated, computed: &Computed) -> String {
    let unit = |at: usize| stated.numbers.get(at).or(stated.numbers.first());
    let in_unit = |at: usize, number: f64| unit(at).map_or_else(|| number.to_string(), |unit| unit.in_its_unit(number));
    let one = |(at, is): (usize, &Estimate)| match is.error > 0.0 {
        true => {
            // As many digits as the second one of the error.
            let last = 10_f64.powf(is.error.log10().floor() - 1.0);
            let rounded = |number: f64| (number / last).round() * last;
            format!("{} ± {}", in_unit(at, rounded(is.value)), in_unit(at, rounded(is.error)))
        }
        false => in_unit(at, is.value),
    };
    let texts: Vec<String> = computed.numbers.iter().enumerate().map(one).collect();
    if computed.listed { format!("[{}]", texts.join(", ")) } else { texts.join(", ") }
}

fn wrong(claim: &Claim, computed: &Computed) -> Finding {
    let is = shown(&claim.stated, computed);
    let relation = match claim.relation {
        Relation::Equal => String::new(),
        other => format!("{} ", other.name()),
    };
    let message = format!("claim `{}`: {} states {relation}{}, but it is {is}", claim.id, claim.at, claim.stated);
    let mut finding = Finding::new(checks::CLAIM_WRONG, message).labelled(claim.stated.span, claim.says.clone());
    let mut seen: Vec<Span> = Vec::new();
    for read in &computed.reads {
        if seen.len() < MOST_SHOWN && !seen.contains(&read.span) {
            seen.push(read.span);
            finding = finding.and(read.span, format!("{} is {}", read.path, read.value));
        }
    }
    finding
        .and(computed.way, format!("gives {is}"))
        .expected(is)
        .help("compare with the rules' text; a slip of the text is declared with `erratum` and `right`")
}

fn excused(claim: &Claim, computed: &Computed, why: &str) -> Finding {
    let finding = wrong(claim, computed);
    let message = format!("erratum: {}", finding.message);
    Finding { severity: Severity::Note, message, help: Some(why.to_owned()), others: Vec::new(), ..finding }
}

fn wrong_right(claim: &Claim, right: &Stated, computed: &Computed) -> Finding {
    let is = shown(right, computed);
    let message = format!("claim `{}`: {right} is given as right, but it is {is}", claim.id);
    Finding::new(checks::CLAIM_WRONG, message).at(right.span).and(computed.way, format!("gives {is}")).expected(is)
}

fn stale(claim: &Claim, erratum: Span) -> Finding {
    let message = format!("claim `{}` holds as it is stated, although it is declared an erratum", claim.id);
    Finding::new(checks::ERRATUM_STALE, message).at(erratum).help("delete the `erratum` and `right` keys")
}

fn idle(claim: &Claim, way: Span) -> Finding {
    Finding::new(checks::CLAIM_IDLE, format!("claim `{}` looks at nothing of the game", claim.id))
        .at(way)
        .help("read records or counts, or say `arithmetic = true` if the text only reckons with its own numbers")
}

fn not_arithmetic(claim: &Claim, way: Span) -> Finding {
    let message =
        format!("claim `{}` is called arithmetic of the text's own numbers, but it reads the game's data", claim.id);
    Finding::new(checks::CLAIM_IDLE, message).at(way).help("delete `arithmetic`")
}

fn open(claim: &Claim, why: &Spanned<String>) -> Finding {
    let message = format!("claim `{}`: {} states {}, which cannot be checked", claim.id, claim.at, claim.stated);
    Finding::new(checks::CLAIM_OPEN, message).labelled(claim.stated.span, claim.says.clone()).help(why.value.clone())
}

fn failed(claim: &Claim, code: &Spanned<String>, fault: &Fault) -> Box<Finding> {
    let message = format!("claim `{}`: {}", claim.id, fault.message);
    Box::new(Finding::new(checks::EXPRESSION_FAILED, message).at(fault.place(code.span, &code.value)))
}

fn no_number(claim: &Claim, way: Span, is: &str) -> Box<Finding> {
    let message = format!("claim `{}` comes out as {is}", claim.id);
    Box::new(Finding::new(checks::TYPE_WRONG, message).at(way).expected("a number or a list of numbers"))
}

/// What went wrong in the script.
fn told(trouble: Trouble, claim: &Claim, way: Span) -> Finding {
    let words = format!("while working out claim `{}`", claim.id);
    match trouble {
        Trouble::Fault(finding) => finding.and(way, words),
        Trouble::Breach(breach) => {
            let finding = Finding::new(checks::SCRIPT_FAILED, format!("{words}: {}", breach.message)).at(way);
            finding.help("the moves that a claim makes must be allowed")
        }
    }
}

fn without_rules(claim: &Claim) -> Box<Finding> {
    let message = format!("there is no rules.lua to work out `{}` with", claim.id);
    Box::new(Finding::new(checks::SCRIPT_FAILED, message).at(claim.span).help("see docs/reference/rules.md"))
}
