//! The kernel's conformance suite over every edition, spread and an own book, and the rulebook's own
//! promises over random play. `MAPROOM_LONG=1` plays thousands of games of each.

mod witness;

use std::collections::BTreeMap;

use echoes::{Choice, Echoes, Edition, State};
use kernel::{Actor, Dice as _, Discard, Game as _, LabDice, Match, MatchDice, Mover, Options, Recorder};
use testkit::conformance::{self, Plan};
use witness::Witness;

const OWN_BOOK: &str = include_str!("data/own-book.txt");
/// More choices than any war has.
const MAX_STEPS: usize = 1_000;

/// How many games of each kind: few by default, many with `MAPROOM_LONG=1`.
fn games(few: u64) -> u64 {
    if std::env::var_os("MAPROOM_LONG").is_some() { few * 20 } else { few }
}

fn edition(edition: Edition, spread: u8) -> Echoes {
    Echoes::edition(edition, spread).unwrap_or_else(|why| panic!("{edition:?} {spread}: {why}"))
}

fn own_book() -> Echoes {
    let options = Options::from([("book".to_owned(), OWN_BOOK.to_owned())]);
    Echoes::with_options(&options).unwrap_or_else(|why| panic!("{why}"))
}

/// The rules know two ways to tell what is legal: the list, which decides, and the predicate behind the explanations.
fn legality_agrees(game: &Echoes, state: &State, listed: &[Choice], _: &mut LabDice) -> Result<u64, String> {
    let mut vocabulary = Vec::new();
    game.rules().vocabulary(&mut vocabulary);
    conformance::compare_legality::<Echoes>(state, listed, &vocabulary, |state, choice| {
        game.rules().refusal(state, choice)
    })
}

fn conforms(game: &Echoes, seed: u64, few: u64) {
    let plan = Plan { games: games(few), seed, max_steps: MAX_STEPS };
    let report = conformance::run_with(game, &plan, &legality_agrees)
        .unwrap_or_else(|why| panic!("{:?}\n{why}", game.options().get("spread")));
    assert_eq!(report.games, plan.games);
    assert!(report.positions > 10 * report.games && report.refusals > report.positions, "{report:?}");
}

#[test]
fn every_spread_of_the_allied_edition_conforms() {
    for spread in 1..=24 {
        conforms(&edition(Edition::Allied, spread), u64::from(spread), 100);
    }
}

#[test]
fn every_spread_of_the_axis_edition_conforms() {
    for spread in 1..=24 {
        conforms(&edition(Edition::Axis, spread), u64::from(spread) + 1_000, 100);
    }
}

#[test]
fn an_own_book_conforms() {
    conforms(&own_book(), 77, 400);
}

/// All windows of older rules, and all ways to be asked (ruling R12, rule 2.5.8).
#[test]
fn every_choice_of_windows_conforms() {
    let ways = [("windows", "1"), ("windows", "2"), ("ask", "always"), ("ask", "request")];
    for (seed, (key, value)) in (5_000..).zip(ways) {
        for set_up in [("edition", "allied"), ("edition", "axis"), ("book", OWN_BOOK)] {
            let pairs = [set_up, (key, value)].map(|(key, value)| (key.to_owned(), value.to_owned()));
            let game = Echoes::with_options(&Options::from(pairs)).unwrap_or_else(|why| panic!("{why}"));
            conforms(&game, seed, 100);
            for seed in 0..games(200) {
                war(&game, set_up.0 == "edition", seed, seed % 2 == 1)
                    .unwrap_or_else(|why| panic!("{set_up:?} {key} {value}: {why}"));
            }
        }
    }
}

/// The setting `ask` is for the windows of rules 3.
#[test]
fn older_windows_always_ask() {
    let pairs = [("windows", "2"), ("ask", "change")].map(|(key, value)| (key.to_owned(), value.to_owned()));
    let error = Echoes::with_options(&Options::from(pairs)).map(|_| ()).expect_err("they don't go together");
    assert!(error.contains("older ones always ask"), "{error}");
    let wrong = Options::from([("ask".to_owned(), "never".to_owned())]);
    let error = Echoes::with_options(&wrong).map(|_| ()).expect_err("not a word of the option");
    assert_eq!(error, "ask \"never\": always, change or request");
}

/// A whole war before a witness: random choices, or (if `keen`) attacks and Tide of War wherever possible, so
/// that the limits are met more often.
fn war(game: &Echoes, plain: bool, seed: u64, keen: bool) -> Result<Witness, String> {
    let mut witness = Witness::new(game, plain);
    let mut dice = LabDice::new(seed);
    let mut state = game.start();
    let mut choices = Vec::new();
    for step in 0.. {
        choices.clear();
        game.choices(&state, &mut choices);
        let (actor, choice) = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => (Actor::Fate, game.drawn(&state, dice.below(game.tickets(&state)))),
            Mover::Seat(seat) => {
                let last = choices.len() as u32 - 1;
                // What comes last is to pass or to decline.
                let pick = dice.below(if keen { last.max(1) } else { last + 1 });
                (Actor::Seat(seat), choices[pick as usize])
            }
        };
        let before = state;
        let mut told = Recorder::default();
        game.apply(&mut state, choice, &mut told);
        witness
            .step(actor, choice, &told, &before, &state)
            .map_err(|why| format!("seed {seed}, step {step}, turn {}, {choice:?}: {why}", before.turn))?;
        if step >= MAX_STEPS {
            return Err(format!("seed {seed}: no end after {MAX_STEPS} steps"));
        }
    }
    match witness.verdict() {
        Some(_) => Ok(witness),
        None => Err(format!("seed {seed}: the end was not told")),
    }
}

#[test]
fn plain_wars_are_told_as_the_rulebook_prints_them() {
    for which in Edition::ALL {
        let game = edition(which, 1);
        let mut verdicts = BTreeMap::new();
        for seed in 0..games(4_000) {
            let witness =
                war(&game, true, seed, seed % 2 == 1).unwrap_or_else(|why| panic!("{which:?} {why}"));
            *verdicts.entry(witness.verdict()).or_insert(0) += 1;
        }
        assert!(verdicts.len() >= 4, "random wars end in many ways: {verdicts:?}");
    }
}

#[test]
fn wars_of_every_spread_keep_the_limits() {
    for which in Edition::ALL {
        for spread in 2..=24 {
            let game = edition(which, spread);
            for seed in 0..games(300) {
                war(&game, false, seed, seed % 2 == 1)
                    .unwrap_or_else(|why| panic!("{which:?} {spread}, {why}"));
            }
        }
    }
}

#[test]
fn wars_of_an_own_book_keep_the_limits() {
    let game = own_book();
    for seed in 0..games(4_000) {
        war(&game, false, seed, seed % 2 == 1).unwrap_or_else(|why| panic!("own book, {why}"));
    }
}

/// Nobody draws a die that is not used, and none is drawn twice: fair dice are numbered without a gap.
#[test]
fn the_draws_of_a_match_are_its_fate_steps() {
    for seed in 0..20 {
        let mut dice = LabDice::new(seed);
        let mut game_match = Match::new(edition(Edition::Axis, 1), MatchDice::seeded(seed));
        game_match.play_forced(&mut Discard);
        while game_match.mover() != Mover::Nobody {
            let choices = game_match.choices();
            let pick = choices[dice.below(choices.len() as u32) as usize];
            game_match.play(pick, &mut Discard).expect("a listed choice is open");
            game_match.play_forced(&mut Discard);
        }
        let draws = game_match.log().iter().filter(|step| step.actor == Actor::Fate).count();
        assert_eq!(game_match.draws(), draws as u64);
    }
}
