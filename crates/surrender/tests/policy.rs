//! The players made of code: they finish every scenario, give reasons, and win and lose about as the reference figures say.

use kernel::{Dice, Discard, Effort, Game, Judgement, LabDice, Mover, Options, Seat, Viewer};
use surrender::{Country, Memory, Side, State, Status, Surrender, UnitId, Weights, turn_of};

fn game(pairs: &[(&str, &str)]) -> Surrender {
    let options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Surrender::with_options(&options).expect("good options")
}

/// Plays a game to its end; the end and how many choices it took.
fn play(game: &Surrender, effort: Effort, number: u64) -> (State, usize) {
    play_until(game, effort, number, |_| false)
}

/// Plays a game until a position is as wanted, or to its end.
fn play_until(
    game: &Surrender,
    effort: Effort,
    number: u64,
    mut is_wanted: impl FnMut(&State) -> bool,
) -> (State, usize) {
    let mut dice = LabDice::for_game(11, number);
    let mut state = game.start();
    let mut minds: Vec<Memory> = game.seats().iter().map(|_| Memory::default()).collect();
    let (mut choices, mut steps) = (Vec::new(), 0);
    while game.outcome(&state).is_none() && !is_wanted(&state) {
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

/// The side that controls a city.
fn holder(game: &Surrender, state: &State, city: &str) -> Side {
    let world = &game.rules().world;
    let city = world.city_named(city).expect("a city");
    state.controller(world.city(city).hex)
}

/// The field armies of a side and the countries in whose hexes they stand.
fn armies(game: &Surrender, state: &State, side: Side) -> Vec<(UnitId, Country)> {
    let rules = game.rules();
    let on_land = |unit: &UnitId| {
        state.unit(*unit).place.is_hex()
            && rules.kind(*unit).is_field()
            && rules.side_of(state, *unit) == side
    };
    let found = UnitId::all().filter(on_land);
    found.map(|unit| (unit, rules.world.hex(state.unit(unit).place).country)).collect()
}

#[test]
fn weser_exercise_goes_to_norway_and_what_it_took_is_kept() {
    let game = game(&[("scenario", "scandinavia-1940")]);
    let may = turn_of(1940, 5);
    let (mut taken, mut kept) = (0, 0);
    for number in 0..12 {
        let (state, _) = play_until(&game, Effort::Playout, number, |state| state.turn == may);
        let norway = ["bergen", "trondheim"].map(|city| holder(&game, &state, city));
        taken += usize::from(norway == [Side::Axis; 2]);
        let (end, _) = play(&game, Effort::Playout, number);
        kept += usize::from(["bergen", "trondheim"].map(|city| holder(&game, &end, city)) == [Side::Axis; 2]);
    }
    assert!(taken >= 7, "taken in April in {taken} games of 12");
    assert!(kept >= 5, "kept until June in {kept} games of 12");
}

#[test]
fn war_is_declared_on_norway_only_to_take_it() {
    let game = game(&[("scenario", "main-event-1939"), ("politics", "historical")]);
    let (mut declared, mut taken) = (0, 0);
    for number in 0..8 {
        let (state, _) = play_until(&game, Effort::Playout, number, |state| state.turn == turn_of(1941, 6));
        let status = state.country(Country::NOR).status;
        declared += usize::from(status != Status::Neutral);
        taken += usize::from(status == Status::Conquered);
    }
    assert!(declared >= 3 && taken * 2 >= declared, "taken in {taken} of {declared} wars");
}

#[test]
fn poland_falls_in_1939_and_berlin_is_never_left_open() {
    let game = game(&[("scenario", "main-event-1939"), ("politics", "historical")]);
    let mut in_time = 0;
    for number in 0..5 {
        let mut fallen = None;
        play_until(&game, Effort::Playout, number, |state| {
            if state.country(Country::POL).status == Status::Conquered && fallen.is_none() {
                fallen = Some(state.turn);
            }
            assert_eq!(holder(&game, state, "berlin"), Side::Axis, "game {number}, turn {}", state.turn);
            state.turn == turn_of(1940, 6)
        });
        in_time += usize::from(fallen.is_some_and(|turn| turn <= turn_of(1939, 12)));
    }
    assert!(in_time >= 4, "in 1939 in {in_time} wars of 5");
}

#[test]
fn armies_gather_at_the_border_before_the_pact_ends() {
    let game = game(&[("scenario", "main-event-1939"), ("politics", "historical")]);
    let (state, _) =
        play_until(&game, Effort::Playout, 1, |state| state.turn == turn_of(1941, 6) || state.war_east);
    let world = &game.rules().world;
    let in_the_east = armies(&game, &state, Side::Axis).into_iter().filter(|(unit, _)| {
        // East of Berlin and Vienna, in hundredths of a degree.
        world.hex(state.unit(*unit).place).lon > 1_700
    });
    let east = in_the_east.count();
    let all = armies(&game, &state, Side::Axis).len();
    assert!(east * 2 > all, "{east} of {all} armies");
    let soviets = armies(&game, &state, Side::Soviet).len();
    assert!(soviets > 10, "{soviets} Soviet armies on the map, none hidden away behind Moscow");
}

#[test]
fn a_staff_of_ones_own_plays_otherwise() {
    let text = include_str!("../data/staff.toml");
    let timid = text.replace("attack_from = 12", "attack_from = 1000");
    let weights = Weights::read("timid.toml", &timid).expect("a staff");
    let game = game(&[]);
    let (mut dice, mut state) = (LabDice::for_game(3, 1), game.start());
    let mut minds = [Memory::of_staff(weights), Memory::default()];
    let mut choices = Vec::new();
    while game.outcome(&state).is_none() {
        let choice = match game.mover(&state) {
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let view = game.view(&state, Viewer::Seat(seat));
                let mind = &mut minds[seat.index()];
                choices[game.policy(Effort::Bot(0), mind, &view, &choices, &mut dice, None)]
            }
            _ => game.drawn(&state, dice.below(game.tickets(&state))),
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    let outcome = game.outcome(&state).expect("an end");
    assert!(
        game.results()[usize::from(outcome.0)].word.starts_with("western"),
        "who never attacks wins nothing"
    );
}
