//! The search among plans, with the game that has some.

use std::sync::atomic::AtomicBool;

use bots::search::plans::{Crossroads, PlanSearch};
use bots::search::playout::SearchContext;
use bots::search::{Budget, Resources, SearchResult};
use bots::{Bot as _, BotKind, Player};
use kernel::{Dice as _, Discard, Effort, Game as _, Judgement as _, LabDice, Mover, Options, Seat, Viewer};
use surrender::{Choice, Memory, State, Surrender};

static NEVER: AtomicBool = AtomicBool::new(false);

fn poland() -> Surrender {
    Surrender::with_options(&Options::new()).expect("the plain game")
}

/// The staff plays on with these dice until `enough`.
fn play_on(game: &Surrender, state: &mut State, dice: &mut LabDice, mut enough: impl FnMut(&State) -> bool) {
    let (mut minds, mut choices) = (<[Memory; 3]>::default(), Vec::new());
    while game.outcome(state).is_none() && !enough(state) {
        let choice = match game.mover(state) {
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(state, &mut choices);
                let view = game.view(state, Viewer::Seat(seat));
                let mind = &mut minds[seat.index()];
                choices[game.policy(Effort::Playout, mind, &view, &choices, dice, None)]
            }
            _ => game.drawn(state, dice.below(game.tickets(state))),
        };
        game.apply(state, choice, &mut Discard);
    }
}

/// The crossroads of the first seat in a game of the staff.
fn crossroads(game: &Surrender, number: u64) -> Vec<State> {
    let (mut state, mut found, mut choices) = (game.start(), Vec::new(), Vec::new());
    play_on(game, &mut state, &mut LabDice::for_game(3, number), |state| {
        if game.mover(state) == Mover::Seat(Seat(0)) {
            choices.clear();
            game.choices(state, &mut choices);
            let view = game.view(state, Viewer::Seat(Seat(0)));
            if choices.len() > 2 && game.is_crossroads(&view, &choices) {
                found.push(*state);
            }
        }
        false
    });
    found
}

/// What a new search finds in a position of the first seat.
fn think(
    game: &Surrender,
    state: &State,
    budget: Budget,
    threads: usize,
    stop: &AtomicBool,
) -> SearchResult<Choice> {
    let context = SearchContext::of(game).expect("few seats");
    let mut choices = Vec::new();
    game.choices(state, &mut choices);
    let view = game.view(state, Viewer::Seat(Seat(0)));
    let at = Crossroads { view: &view, seat: Seat(0), choices: &choices };
    let resources = Resources { threads, ..Resources::single() };
    PlanSearch::new(resources).think(&context, game, &at, budget, 7, stop)
}

#[test]
fn the_same_seed_finds_the_same_on_any_number_of_threads() {
    let game = poland();
    let states = crossroads(&game, 1);
    let budget = Budget::playouts(40);
    let one = think(&game, &states[0], budget, 1, &NEVER);
    assert_eq!(one, think(&game, &states[0], budget, 1, &NEVER));
    assert_eq!(one, think(&game, &states[0], budget, 3, &NEVER));
    assert!(one.lines.len() > 1, "there is something to compare");
}

#[test]
fn a_budget_is_kept_and_a_stop_is_heard() {
    let game = poland();
    let states = crossroads(&game, 2);
    for playouts in [14, 24, 40] {
        let found = think(&game, &states[0], Budget::playouts(playouts), 1, &NEVER);
        assert!((1..=playouts).contains(&found.playouts), "{} playouts of {playouts}", found.playouts);
    }
    let stopped = think(&game, &states[0], Budget::playouts(10_000), 1, &AtomicBool::new(true));
    assert_eq!((stopped.playouts, stopped.lines.len()), (1, 1), "nothing waits for the first round");
    assert!(stopped.lines[0].visits > 0);
    let late = Budget::time(std::time::Duration::ZERO);
    assert_eq!(think(&game, &states[0], late, 1, &NEVER).playouts, 1, "nor when the time is up");
}

#[test]
fn a_level_follows_its_plan_between_crossroads_and_gives_legal_choices() {
    let game = poland();
    let mut players = ["colonel", "recruit"]
        .map(|word| Player::<Surrender>::new(BotKind::parse::<Surrender>(word).expect("a level")));
    let (mut state, mut choices, mut dice) = (game.start(), Vec::new(), LabDice::new(4));
    let mut decisions = 0;
    while game.outcome(&state).is_none() && decisions < 60 {
        let choice = match game.mover(&state) {
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                decisions += usize::from(choices.len() > 1);
                let view = game.view(&state, Viewer::Seat(seat));
                choices[players[seat.index()].choose(&game, &view, &choices, &mut dice)]
            }
            _ => game.drawn(&state, dice.below(game.tickets(&state))),
        };
        game.apply(&mut state, choice, &mut Discard);
        assert_eq!(game.invariants(&state), Ok(()));
    }
    assert!(decisions > 30, "{decisions} decisions");
}
