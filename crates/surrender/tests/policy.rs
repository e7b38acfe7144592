//! The players made of code: they finish every scenario, give reasons, and win and lose about as the reference figures say.

use kernel::{Dice, Discard, Effort, Game, Judgement, LabDice, Mover, Options, Seat, Viewer};
use surrender::{Memory, State, Surrender};

fn game(pairs: &[(&str, &str)]) -> Surrender {
    let options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Surrender::with_options(&options).expect("good options")
}

/// Plays a game to its end; the end and how many choices it took.
fn play(game: &Surrender, effort: Effort, number: u64) -> (State, usize) {
    let mut dice = LabDice::for_game(11, number);
    let mut state = game.start();
    let mut minds: Vec<Memory> = game.seats().iter().map(|_| Memory::default()).collect();
    let (mut choices, mut steps) = (Vec::new(), 0);
    while game.outcome(&state).is_none() {
        let choice = match game.mover(&state) {
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let view = game.view(&state, Viewer::Seat(seat));
                let at = game.policy(effort, &mut minds[seat.index()], &view, &choices, &mut dice, None);
                choices[at]
            }
            _ => game.drawn(&state, dice.below(game.tickets(&state))),
        };
        game.apply(&mut state, choice, &mut Discard);
        steps += 1;
        assert!(steps < 200_000, "a game that does not end");
    }
    (state, steps)
}

/// The words of the results of some games.
fn results(game: &Surrender, games: u64) -> Vec<&'static str> {
    let word = |number| {
        let (state, _) = play(game, Effort::Playout, number);
        let outcome = game.outcome(&state).expect("an end");
        game.results()[usize::from(outcome.0)].word
    };
    (0..games).map(word).collect()
}

#[test]
fn poland_falls_in_1939_in_one_month_or_two() {
    let words = results(&game(&[]), 40);
    let count = |wanted: &str| words.iter().filter(|word| **word == wanted).count();
    let (decisive, marginal) = (count("axis_decisive"), count("axis_marginal"));
    assert!(decisive + marginal >= 28, "{words:?}");
    assert!(decisive >= 6 && marginal >= 6, "{words:?}");
}

#[test]
fn every_scenario_comes_to_an_end() {
    for scenario in ["scandinavia-1940", "france-1940", "balkans-1941", "france-1944", "ussr-1941"] {
        let game = game(&[("scenario", scenario)]);
        for effort in [Effort::Playout, Effort::Bot(0)] {
            let (_, steps) = play(&game, effort, 1);
            assert!(steps > 60, "{scenario}: {steps} choices");
        }
    }
}

#[test]
fn the_whole_war_comes_to_an_end() {
    let (state, steps) = play(&game(&[("scenario", "main-event-1939")]), Effort::Playout, 2);
    assert!(state.verdict.is_some() && steps > 1_000, "{steps} choices");
}

#[test]
fn the_staff_says_why() {
    let game = game(&[]);
    let (mut dice, mut state, mut mind) = (LabDice::for_game(3, 1), game.start(), Memory::default());
    let (mut choices, mut said) = (Vec::new(), Vec::new());
    while said.len() < 3 && game.outcome(&state).is_none() {
        let choice = match game.mover(&state) {
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let mut why = String::new();
                let view = game.view(&state, Viewer::Seat(seat));
                let at = game.policy(Effort::Bot(0), &mut mind, &view, &choices, &mut dice, Some(&mut why));
                if why.contains("% that it falls") {
                    said.push(why);
                }
                choices[at]
            }
            _ => game.drawn(&state, dice.below(game.tickets(&state))),
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(
        said.iter().all(|why| why.ends_with('.') && why.contains(" attacks ") || why.contains(" assaults ")),
        "{said:?}"
    );
}

#[test]
fn the_value_of_a_position_is_a_chance() {
    for scenario in ["poland-1939", "ussr-1941", "main-event-1939"] {
        let game = game(&[("scenario", scenario)]);
        let state = game.start();
        let values: Vec<f32> =
            (0..game.seats().len()).map(|seat| game.value(&state, Seat(seat as u8))).collect();
        assert!(values.iter().all(|value| (0.02..0.98).contains(value)), "{scenario}: {values:?}");
        let all: f32 = values.iter().sum();
        assert!((all - 1.0).abs() < 0.01, "{scenario}: {values:?}");
    }
    let game = game(&[]);
    let (end, _) = play(&game, Effort::Playout, 5);
    let [axis, west] = [0, 1].map(|seat| game.value(&end, Seat(seat)));
    assert!(axis + west == 1.0 && (axis == 0.0 || axis == 1.0), "{axis} and {west}");
}
