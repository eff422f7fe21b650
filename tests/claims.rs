//! No claim is idle: each one fails when the number that it states, or the one that is right, is another.

#![allow(clippy::expect_used)] // a test may fail

mod common;

use paiban::diagnostics::Report;
use paiban::expr::Engine;
use paiban::model::{Basis, Claim, Game, Number, Project, Relation, load};
use paiban::source::disk::Disk;
use paiban::verify::{self, Claimed};

fn project(engine: &Engine) -> Project {
    let mut report = Report::default();
    let disk = Disk::open(common::repository()).expect("this project");
    let project = load::project(disk, engine, &mut report);
    assert!(!report.has_errors(), "{:?}", report.findings());
    project
}

/// How `claim` alone comes out.
fn judged(game: &mut Game, claim: Claim, project: &Project, engine: &Engine) -> Claimed {
    game.claims = vec![claim];
    verify::claims(game, engine, &project.sources, &mut Report::default())
}

/// How far a number must be changed to be another: its last digit; by half where it is rough or simulated, and twice itself where it is
/// a bound, such as of parts that are to spare.
fn steps(claim: &Claim, number: &Number, relation: Relation) -> Vec<f64> {
    let digit = if number.rounding > 0.0 { 2.0 * number.rounding } else { 1.0 };
    let simulated = matches!(claim.basis, Basis::Simulate(_));
    let step = match relation {
        Relation::AtLeast | Relation::AtMost => 2.0 * digit.max(number.value.abs()) + 0.1 * digit,
        Relation::Equal if !simulated => 1.1 * digit,
        Relation::Equal | Relation::About => digit.max(0.5 * number.value.abs()),
    };
    match relation {
        Relation::Equal | Relation::About => vec![step, -step],
        Relation::AtLeast => vec![step],
        Relation::AtMost => vec![-step],
    }
}

/// The claim with one of its numbers changed, in every way: the right one where it is an erratum, else the stated one; and an erratum
/// whose stated number has come true.
fn mutants(claim: &Claim) -> Vec<Claim> {
    let mut mutants = Vec::new();
    let (numbers, relation) = match &claim.erratum {
        Some((_, right)) => (&right.numbers, Relation::Equal),
        None => (&claim.stated.numbers, claim.relation),
    };
    for (at, number) in numbers.iter().enumerate() {
        for step in steps(claim, number, relation) {
            let mut mutant = claim.clone();
            let changed = match &mut mutant.erratum {
                Some((_, right)) => right,
                None => &mut mutant.stated,
            };
            changed.numbers[at].value += step;
            mutants.push(mutant);
        }
    }
    if let Some((_, right)) = &claim.erratum {
        mutants.push(Claim { stated: right.clone(), ..claim.clone() });
    }
    mutants
}

#[test]
fn every_claim_fails_when_its_number_is_another() {
    let engine = Engine::default();
    let mut project = project(&engine);
    let mut tried = 0;
    for mut game in std::mem::take(&mut project.games) {
        for claim in std::mem::take(&mut game.claims) {
            if matches!(claim.basis, Basis::NotCheckable(_)) {
                continue;
            }
            let sound = judged(&mut game, claim.clone(), &project, &engine);
            assert_eq!(sound.hold + sound.errata, 1, "{} {} is wrong as it is", game.id, claim.id);
            for mutant in mutants(&claim) {
                let stated = mutant.erratum.as_ref().map_or(&mutant.stated, |(_, right)| right).clone();
                let found = judged(&mut game, mutant, &project, &engine).wrong == 1;
                assert!(found, "{} {}: {:?} would pass", game.id, claim.id, stated.numbers);
                tried += 1;
            }
        }
    }
    assert!(tried > 300, "only {tried} mutants");
}

#[test]
fn the_games_whose_claims_are_listed_have_many_and_their_known_slips() {
    let engine = Engine::default();
    let project = project(&engine);
    for (id, least, slips) in [("club-fair", 100, 20), ("against-qin", 20, 0)] {
        let game = project.games.iter().find(|game| game.id == id).expect("the game");
        let mut report = Report::default();
        let claimed = verify::claims(game, &engine, &project.sources, &mut report);
        assert_eq!(claimed.wrong, 0, "{id}: {:#?}", report.findings());
        assert!(claimed.hold >= least && claimed.errata >= slips && claimed.open > 0, "{id}: {claimed:?}");
        assert!(game.claims.iter().all(|claim| !claim.at.is_empty() && !claim.says.is_empty()));
    }
}
