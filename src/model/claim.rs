//! The `[[claim]]` tables: numbers that the rules' text states, each with a way to work it out again.

use super::fields::Fields;
use super::keys;
use super::stated::{self, Stated};
use crate::diagnostics::{Finding, Report, checks};
use crate::source::tree::Node;
use crate::source::{Span, Spanned};

/// A number, or several, that the rules state.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Its id.
    pub id: String,
    /// Where it stands in the rules.
    pub at: String,
    /// The words of the rules.
    pub says: String,
    /// What the rules state.
    pub stated: Stated,
    /// How what is worked out must stand to what is stated.
    pub relation: Relation,
    /// How it is worked out.
    pub basis: Basis,
    /// Why the rules are known to be wrong here, and what is right.
    pub erratum: Option<(Spanned<String>, Stated)>,
    /// Where it is declared.
    pub span: Span,
}

/// How a number that was worked out stands to the stated one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Equal, as far as the digits of the stated one go.
    Equal,
    /// At least the stated one.
    AtLeast,
    /// At most the stated one.
    AtMost,
    /// Within a tenth of the stated one.
    About,
}

/// How a claim is worked out.
#[derive(Clone, Debug)]
pub enum Basis {
    /// By an expression over the data; for a number of players if one is given.
    Value {
        /// The expression.
        code: Spanned<String>,
        /// Whose counts `kit` holds.
        players: Option<u32>,
        /// Whether it is arithmetic of the text's own numbers, and reads no data.
        arithmetic: bool,
    },
    /// By a function of the script's table `claims`.
    Script {
        /// Its name.
        name: Spanned<String>,
        /// What it is given.
        arguments: Vec<Node>,
    },
    /// By self-play.
    Simulate(Spanned<SelfPlay>),
    /// Not at all, and why.
    NotCheckable(Spanned<String>),
}

/// A figure of self-play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfPlay {
    /// How many play.
    pub players: u32,
    /// How many games.
    pub games: u64,
    /// What the dice begin with.
    pub seed: u64,
    /// Whether the players take what looks best.
    pub greedy: bool,
    /// The figure's name in the script, or `moves`.
    pub figure: String,
    /// What of the figure.
    pub of: Part,
}

/// What is asked of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Its mean over all games.
    Mean,
    /// The least of all games.
    Least,
    /// The most of all games.
    Most,
}

const RELATIONS: [(&str, Relation); 4] =
    [("=", Relation::Equal), (">=", Relation::AtLeast), ("<=", Relation::AtMost), ("about", Relation::About)];
const PARTS: [(&str, Part); 3] = [("mean", Part::Mean), ("least", Part::Least), ("most", Part::Most)];
const POLICIES: [(&str, bool); 2] = [("random", false), ("greedy", true)];
/// The ways to work a claim out.
const WAYS: &str = "one of value, script, simulate, not_checkable";
/// More games than this would make `verify` slow.
const GAMES: i64 = 100_000;

impl Relation {
    /// The word for it in the data.
    pub fn name(self) -> &'static str {
        RELATIONS.iter().find(|(_, relation)| *relation == self).map_or("=", |(name, _)| name)
    }
}

/// Turns a `[[claim]]` table into a [`Claim`]. None when it lacks what it cannot be without.
pub(super) fn validate(node: &Node, players: &[u32], report: &mut Report) -> Option<Claim> {
    let table = node.as_table()?;
    let named = table.get("id").and_then(Node::as_str).unwrap_or("?");
    let fields = Fields::new(table, node.span, format!("claim `{named}`"), &keys::CLAIM);
    let id = fields.required_text("id", report);
    let at = fields.required_text("at", report);
    let says = fields.required_text("says", report);
    let stated = number(&fields, "stated", report);
    if table.get("stated").is_none() {
        report.push(fields.missing("stated"));
    }
    let relation = fields.choice("relation", &RELATIONS, report);
    let basis = basis(&fields, node, players, report);
    let why = fields.text("erratum", report);
    let right = number(&fields, "right", report);
    fields.finish(report);
    let halves = table.get("erratum").is_some() != table.get("right").is_some();
    if let Some(half) = half(why.as_ref(), right.as_ref(), node).filter(|_| halves) {
        report.push(half);
        return None;
    }
    let (id, at, says) = (id?.value, at?.value, says?.value);
    Some(Claim { id, at, says, stated: stated?, relation, basis: basis?, erratum: why.zip(right), span: node.span })
}

/// An erratum says why and what is right; one without the other is half a sentence.
fn half(why: Option<&Spanned<String>>, right: Option<&Stated>, claim: &Node) -> Option<Finding> {
    let (message, place, help) = match (why, right) {
        (Some(why), None) => ("this erratum does not say what is right", why.span, "add `right = ...`"),
        (None, Some(right)) => ("this claim says what is right, but not why", right.span, "add `erratum = \"why\"`"),
        _ => return None,
    };
    Some(Finding::new(checks::KEY_MISSING, message).at(place).and(claim.span, "in this claim").help(help))
}

fn number(fields: &Fields<'_>, key: &'static str, report: &mut Report) -> Option<Stated> {
    let node = fields.node(key)?;
    let stated = stated::read(node);
    if stated.is_none() {
        let wanted = "a number, a text like \"36.6 %\", \"2/3\" or \"2.50\", or a list of these";
        report.push(fields.wrong_type(key, node, wanted));
    }
    stated
}

/// Exactly one of the ways to work a claim out.
fn basis(fields: &Fields<'_>, claim: &Node, players: &[u32], report: &mut Report) -> Option<Basis> {
    let code = fields.required_if_there("value", report);
    let arithmetic = fields.flag("arithmetic", report);
    let for_players = player_count(fields, players, report);
    let name = fields.required_if_there("script", report);
    let arguments = fields.node("with");
    let played = fields.node("simulate");
    let why = fields.required_if_there("not_checkable", report);
    let ways = [code.is_some(), name.is_some(), played.is_some(), why.is_some()];
    let ways = ways.iter().filter(|there| **there).count();
    if ways != 1 {
        let number = if ways == 0 { "does not say".to_owned() } else { format!("says in {ways} ways") };
        let message = format!("{} {number} how it is checked", fields.what());
        report.push(Finding::new(checks::KEY_MISSING, message).at(claim.span).expected(WAYS));
        return None;
    }
    let strays = [
        ("arithmetic", arithmetic && code.is_none()),
        ("players", for_players.is_some() && code.is_none()),
        ("with", arguments.is_some() && name.is_none()),
    ];
    for (key, _) in strays.iter().filter(|(_, stray)| *stray) {
        let message = format!("`{key}` of {} means nothing with this way to check it", fields.what());
        report.push(Finding::new(checks::KEY_UNKNOWN, message).at(fields.place_of(key)).help("delete it"));
    }
    if let Some(code) = code {
        return Some(Basis::Value { code, players: for_players, arithmetic });
    }
    if let Some(name) = name {
        let list =
            arguments.map(|node| node.as_array().ok_or_else(|| fields.wrong_type("with", node, "a list of arguments")));
        let arguments = list.transpose().map_err(|finding| report.push(finding)).ok()?;
        return Some(Basis::Script { name, arguments: arguments.map_or_else(Vec::new, |items| items.to_vec()) });
    }
    match played {
        Some(played) => self_play(fields, played, players, report).map(Basis::Simulate),
        None => why.map(Basis::NotCheckable),
    }
}

fn player_count(fields: &Fields<'_>, players: &[u32], report: &mut Report) -> Option<u32> {
    let node = fields.node("players")?;
    let count = node.as_integer().and_then(|count| u32::try_from(count).ok()).filter(|count| players.contains(count));
    if count.is_none() {
        let message = format!("`players` of {} is {node}", fields.what());
        let finding = Finding::new(checks::VALUE_WRONG, message).at(node.span);
        report.push(finding.expected(format!("one of the game's player counts: {players:?}")));
    }
    count
}

fn self_play(claim: &Fields<'_>, node: &Node, players: &[u32], report: &mut Report) -> Option<Spanned<SelfPlay>> {
    let Some(table) = node.as_table() else {
        report.push(claim.wrong_type("simulate", node, "a table { players, games, seed, policy, figure }"));
        return None;
    };
    let fields = Fields::new(table, node.span, "this simulation", &keys::SIMULATE);
    let count = player_count(&fields, players, report);
    let games = fields.integer("games", 2, GAMES, report);
    let seed = fields.integer("seed", 0, i64::MAX, report);
    let greedy = fields.choice("policy", &POLICIES, report);
    let figure = fields.required_text("figure", report);
    let of = fields.choice("of", &PARTS, report);
    for (key, missing) in [("players", table.get("players").is_none()), ("games", table.get("games").is_none())] {
        if missing {
            report.push(fields.missing(key));
        }
    }
    fields.finish(report);
    let (games, seed) = (games?.unsigned_abs(), seed.unwrap_or(1).unsigned_abs());
    Some(Spanned::new(SelfPlay { players: count?, games, seed, greedy, figure: figure?.value, of }, node.span))
}
