//! `paiban simulate`: what many games of self-play come to.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Result, bail};
use serde::Serialize;

use super::Outcome;
use super::output;
use super::session::Session;
use crate::cli::{ListFormat, Policy, Simulate};
use crate::model::Game;
use crate::simulate::{self, Figure, Plan, Side, Summary};

/// How wide the bars of a distribution are, in characters.
const BAR: u64 = 40;

/// Runs the command.
pub fn run(arguments: &Simulate, project: Option<&Path>) -> Result<Outcome> {
    let session = Session::open(project)?;
    let game = session.game(&arguments.game)?;
    let mut report = session.report.clone();
    let mut tables = Vec::new();
    for players in counts(game, arguments.players)? {
        let greedy = arguments.policy == Policy::Greedy;
        let plan = Plan { players, games: arguments.games, seed: arguments.seed, greedy };
        match played(game, &session, plan)? {
            Ok(summary) => {
                tables.push(Table { game: &game.id, players, seed: plan.seed, policy: arguments.policy, summary })
            }
            Err(finding) => {
                report.push(*finding);
                break;
            }
        }
    }
    report.belongs_to(&game.id);
    output::tell(&report.sorted(&session.project.sources), &session.project.sources);
    let text = match arguments.format {
        ListFormat::Json => serde_json::to_string_pretty(&Document { simulations: &tables })? + "\n",
        ListFormat::Human => tables.iter().map(Table::render).collect::<Vec<_>>().join("\n"),
    };
    output::print(&text)?;
    let hold = tables.iter().flat_map(|table| &table.summary.figures).all(|figure| figure.holds);
    Ok(if hold { output::outcome(&report, false) } else { Outcome::Findings })
}

#[derive(Serialize)]
struct Document<'a> {
    simulations: &'a [Table<'a>],
}

#[derive(Serialize)]
struct Table<'a> {
    game: &'a str,
    players: u32,
    seed: u64,
    policy: Policy,
    #[serde(flatten)]
    summary: Summary,
}

/// The player counts that are asked for.
fn counts(game: &Game, players: Option<u32>) -> Result<Vec<u32>> {
    match players {
        None => Ok(game.players.clone()),
        Some(players) if game.players.contains(&players) => Ok(vec![players]),
        Some(players) => {
            let counts: Vec<String> = game.players.iter().map(u32::to_string).collect();
            bail!("{} is for {} players, not {players}", game.id, counts.join(", "))
        }
    }
}

/// Plays the games, and shows how far it is when that takes long and somebody watches.
fn played(game: &Game, session: &Session, plan: Plan) -> Result<Result<Summary, Box<crate::diagnostics::Finding>>> {
    let stretch = session.progress.begin("games", plan.games);
    let outcome = simulate::run(game, &session.project.sources, plan, &|games| session.progress.step(games));
    drop(stretch);
    let Some(outcome) = outcome else { bail!("{} has no rules.lua to play by", game.id) };
    Ok(outcome)
}

impl Table<'_> {
    fn render(&self) -> String {
        let summary = &self.summary;
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}, {} players, {} games, {} policy, seed {}; {} moves a game",
            self.game,
            self.players,
            summary.games,
            self.policy.name(),
            self.seed,
            number(summary.moves.mean),
        );
        sides("seat", &summary.seats, &mut text);
        sides("side", &summary.sides, &mut text);
        figures(&summary.figures, &mut text);
        scores(summary, &mut text);
        text
    }
}

fn sides(what: &str, sides: &[Side], text: &mut String) {
    if sides.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n  {}  {:>15}  {:>15}", padded(what, 16), "wins %", "score");
    for side in sides {
        let wins = with_error(100.0 * side.win_rate, 100.0 * side.win_rate_error);
        let score = with_error(side.score, side.score_error);
        let _ = writeln!(text, "  {}  {wins:>15}  {score:>15}", padded(&side.name, 16));
    }
}

fn figures(figures: &[Figure], text: &mut String) {
    if figures.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n  {}  {:>15}  {:>12}  law", padded("figure", 32), "mean", "from to");
    for figure in figures {
        let mean = with_error(figure.mean, figure.error);
        let range = format!("{} – {}", number(figure.least), number(figure.most));
        let law = match (&figure.law, figure.holds, figure.broken) {
            (None, _, _) => String::new(),
            (Some(law), true, _) => format!("{law}: holds"),
            (Some(law), false, 0) => format!("{law}: DOES NOT HOLD"),
            (Some(law), false, games) => format!("{law}: BROKEN in {games} games"),
        };
        let line = format!("  {}  {mean:>15}  {range:>12}  {law}", padded(&figure.title, 32));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

fn scores(summary: &Summary, text: &mut String) {
    let most = summary.scores.values().copied().max().unwrap_or_default().max(1);
    let all: u64 = summary.scores.values().sum();
    let _ = writeln!(text, "\n  score        %");
    for (score, times) in &summary.scores {
        #[allow(clippy::cast_precision_loss)] // counts of games are small
        let share = 100.0 * *times as f64 / all.max(1) as f64;
        let bar = "▇".repeat(usize::try_from(times * BAR / most).unwrap_or_default());
        let line = format!("  {score:>5}  {share:>7.2}  {bar}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// A number and its error, as `15.02 ± 0.03`.
fn with_error(mean: f64, error: f64) -> String {
    format!("{mean:.2} ± {error:.2}")
}

fn number(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// The text and blanks up to `width` columns; a character of Chinese takes two.
fn padded(text: &str, width: usize) -> String {
    let taken: usize = text.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum();
    format!("{text}{}", " ".repeat(width.saturating_sub(taken)))
}
