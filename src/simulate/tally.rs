//! What self-play counts: wins by seat and by side, scores, and the figures that a script names.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::script::Fact;

/// How many standard errors a mean may be away from what the rules say.
pub const FAR: f64 = 4.0;

/// Numbers seen, summed up.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    count: u64,
    sum: f64,
    squares: f64,
    least: f64,
    most: f64,
}

/// Counts of the games played so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    games: u64,
    laws: Vec<Law>,
    seats: BTreeMap<usize, (Sample, Sample)>,
    sides: BTreeMap<String, (Sample, Sample)>,
    scores: BTreeMap<i64, u64>,
    length: Sample,
    figures: BTreeMap<String, (Sample, u64)>,
}

/// What a script says of a figure.
#[derive(Clone, Debug)]
struct Law {
    name: String,
    title: String,
    at_least: Option<f64>,
    at_most: Option<f64>,
    mean: Option<f64>,
}

/// What came of many games.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// How many games were played.
    pub games: u64,
    /// How long they were, in moves.
    pub moves: Figure,
    /// By seat.
    pub seats: Vec<Side>,
    /// By what was played: a club, a camp.
    pub sides: Vec<Side>,
    /// How often each score was reached.
    pub scores: BTreeMap<i64, u64>,
    /// The figures that the script names.
    pub figures: Vec<Figure>,
}

/// How a seat or a side did.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// Its name.
    pub name: String,
    /// In how many games it took part.
    pub games: u64,
    /// Its share of wins; a shared win counts in parts.
    pub win_rate: f64,
    /// The standard error of that.
    pub win_rate_error: f64,
    /// The mean of its scores.
    pub score: f64,
    /// The standard error of that.
    pub score_error: f64,
}

/// A figure over all games.
#[derive(Clone, Debug, Serialize)]
pub struct Figure {
    /// Its name in the script.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Its mean.
    pub mean: f64,
    /// The standard error of that.
    pub error: f64,
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
    /// What the rules say of it.
    pub law: Option<String>,
    /// In how many games it broke a bound.
    pub broken: u64,
    /// Whether what the rules say holds.
    pub holds: bool,
}

impl Sample {
    fn see(&mut self, number: f64) {
        self.least = if self.count == 0 { number } else { self.least.min(number) };
        self.most = if self.count == 0 { number } else { self.most.max(number) };
        self.count += 1;
        self.sum += number;
        self.squares += number * number;
    }

    fn add(&mut self, other: &Sample) {
        if other.count == 0 {
            return;
        }
        self.least = if self.count == 0 { other.least } else { self.least.min(other.least) };
        self.most = if self.count == 0 { other.most } else { self.most.max(other.most) };
        self.count += other.count;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    #[allow(clippy::cast_precision_loss)] // counts of games are small
    fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
    }

    /// The standard error of the mean.
    #[allow(clippy::cast_precision_loss)]
    fn error(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let count = self.count as f64;
        let variance = (self.squares - self.sum * self.sum / count) / (count - 1.0);
        (variance.max(0.0) / count).sqrt()
    }
}

impl Tally {
    /// Nothing counted yet; `figures` is what the script says of its figures.
    pub fn new(figures: &Fact) -> Self {
        let laws = figures.items().iter().filter_map(law).collect();
        Tally { laws, ..Tally::default() }
    }

    /// Counts a game by what the script's `result` says of it.
    pub fn count(&mut self, result: &Fact) {
        self.games += 1;
        let winners: Vec<usize> = list(result, "winners").iter().filter_map(index).collect();
        let scores = list(result, "scores");
        let names = list(result, "names");
        for (seat, score) in scores.iter().enumerate() {
            let score = score.number().unwrap_or_default();
            #[allow(clippy::cast_precision_loss)] // a handful of winners
            let win = if winners.contains(&(seat + 1)) { 1.0 / winners.len() as f64 } else { 0.0 };
            see_both(self.seats.entry(seat + 1).or_default(), win, score);
            if let Some(name) = names.get(seat).and_then(Fact::text) {
                see_both(self.sides.entry(name.to_owned()).or_default(), win, score);
            }
            #[allow(clippy::cast_possible_truncation)] // a score is a small number
            let whole = score.floor() as i64;
            *self.scores.entry(whole).or_default() += 1;
        }
        self.length.see(result.get("moves").and_then(Fact::number).unwrap_or_default());
        self.count_figures(result.get("figures"));
    }

    fn count_figures(&mut self, figures: Option<&Fact>) {
        let Some(Fact::Table(figures)) = figures else { return };
        for (name, number) in figures.iter().filter_map(|(name, fact)| Some((name, fact.number()?))) {
            let broken = self.laws.iter().any(|law| law.name == *name && law.is_broken_by(number));
            let (sample, breaches) = self.figures.entry(name.clone()).or_default();
            sample.see(number);
            *breaches += u64::from(broken);
        }
    }

    /// Adds what another counted.
    pub fn add(&mut self, other: &Tally) {
        if self.laws.is_empty() {
            self.laws.clone_from(&other.laws);
        }
        self.games += other.games;
        self.length.add(&other.length);
        for (seat, both) in &other.seats {
            add_both(self.seats.entry(*seat).or_default(), both);
        }
        for (name, both) in &other.sides {
            add_both(self.sides.entry(name.clone()).or_default(), both);
        }
        for (score, times) in &other.scores {
            *self.scores.entry(*score).or_default() += times;
        }
        for (name, (sample, broken)) in &other.figures {
            let (all, breaches) = self.figures.entry(name.clone()).or_default();
            all.add(sample);
            *breaches += broken;
        }
    }

    /// What all that comes to.
    pub fn summary(&self) -> Summary {
        let seats = self.seats.iter().map(|(seat, both)| side(format!("seat {seat}"), both));
        let sides = self.sides.iter().map(|(name, both)| side(name.clone(), both));
        let named = self.laws.iter().filter_map(|law| Some((law, self.figures.get(&law.name)?)));
        let figures = named.map(|(law, (sample, broken))| law.figure(sample, *broken)).collect();
        let length = Law { name: "moves".into(), title: "moves".into(), at_least: None, at_most: None, mean: None };
        Summary {
            games: self.games,
            moves: length.figure(&self.length, 0),
            seats: seats.collect(),
            sides: sides.collect(),
            scores: self.scores.clone(),
            figures,
        }
    }
}

impl Law {
    fn is_broken_by(&self, number: f64) -> bool {
        self.at_least.is_some_and(|least| number < least) || self.at_most.is_some_and(|most| number > most)
    }

    fn figure(&self, sample: &Sample, broken: u64) -> Figure {
        let (mean, error) = (sample.mean(), sample.error());
        let said = [("≥", self.at_least), ("≤", self.at_most), ("mean", self.mean)];
        let said: Vec<String> =
            said.iter().filter_map(|(word, number)| number.map(|number| format!("{word} {number}"))).collect();
        let off = self.mean.is_some_and(|stated| (mean - stated).abs() > FAR * error + f64::EPSILON * stated.abs());
        Figure {
            name: self.name.clone(),
            title: self.title.clone(),
            mean,
            error,
            least: sample.least,
            most: sample.most,
            law: (!said.is_empty()).then(|| said.join(", ")),
            broken,
            holds: broken == 0 && !off,
        }
    }
}

fn law(fact: &Fact) -> Option<Law> {
    let name = fact.get("name")?.text()?.to_owned();
    let title = fact.get("title").and_then(Fact::text).unwrap_or(&name).to_owned();
    let number = |key: &str| fact.get(key).and_then(Fact::number);
    Some(Law { at_least: number("at_least"), at_most: number("at_most"), mean: number("mean"), name, title })
}

fn list<'f>(fact: &'f Fact, name: &str) -> &'f [Fact] {
    fact.get(name).map(Fact::items).unwrap_or_default()
}

fn index(fact: &Fact) -> Option<usize> {
    match fact {
        Fact::Whole(number) => usize::try_from(*number).ok(),
        _ => None,
    }
}

fn see_both((wins, scores): &mut (Sample, Sample), win: f64, score: f64) {
    wins.see(win);
    scores.see(score);
}

fn add_both((wins, scores): &mut (Sample, Sample), other: &(Sample, Sample)) {
    wins.add(&other.0);
    scores.add(&other.1);
}

fn side(name: String, (wins, scores): &(Sample, Sample)) -> Side {
    Side {
        name,
        games: wins.count,
        win_rate: wins.mean(),
        win_rate_error: wins.error(),
        score: scores.mean(),
        score_error: scores.error(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_in_two_halves_is_the_same_sample() {
        let numbers = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0];
        let mut whole = Sample::default();
        numbers.iter().for_each(|number| whole.see(*number));
        let (mut left, mut right) = (Sample::default(), Sample::default());
        numbers[..2].iter().for_each(|number| left.see(*number));
        numbers[2..].iter().for_each(|number| right.see(*number));
        left.add(&right);
        assert_eq!((left.mean(), left.error(), left.least, left.most), (whole.mean(), whole.error(), 1.0, 9.0));
        assert!((whole.error() - (8.966_667_f64 / 6.0).sqrt()).abs() < 1e-3);
    }

    #[test]
    fn a_law_is_broken_by_a_game_or_by_the_mean() {
        let law = Law { name: "n".into(), title: "n".into(), at_least: Some(6.0), at_most: None, mean: Some(7.0) };
        assert!(law.is_broken_by(5.0) && !law.is_broken_by(6.0));
        let mut sample = Sample::default();
        (0..100).for_each(|n| sample.see(f64::from(6 + n % 3)));
        assert!(law.figure(&sample, 0).holds);
        assert!(!law.figure(&sample, 1).holds);
        assert!(!Law { mean: Some(9.0), ..law }.figure(&sample, 0).holds);
    }
}
