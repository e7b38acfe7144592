//! Property tests for play: what must hold in every position of a war, whichever set-up, decks and forces it is played with.
//!
//! The conformance suite checks the promises of the kernel over whole wars; this adds what only this game promises, over wars
//! that a failing case makes short.

use std::sync::LazyLock;

use kernel::{
    Discard, Game as _, LabDice, Mover, Options, Seat, SecretPolicy, Viewer, Wording as _, encoded,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use testkit::edits::{config, edited, edits};
use testkit::saves::{Shelf, recipes};
use triumph::{AreaSet, Faction, Kind, LANDS, MOST, Parties, Power, Stage, State, Status, TO_WIN, Triumph};

/// The opening forces with fewer Cadres to choose, the Action cards with other numbers, the Investment cards with other
/// values: as people would change them.
static OWN_FILES: LazyLock<[String; 3]> = LazyLock::new(|| {
    let forces = include_str!("../data/lessons/opening.toml");
    let actions = include_str!("../data/cards_action.toml").replace("value = 4", "value = 7");
    let investments = include_str!("../data/cards_investment.toml").replace("factory = 1", "factory = 4");
    [forces.to_owned(), actions, investments]
});

static WARS: LazyLock<Shelf<Triumph>> = LazyLock::new(|| {
    let [forces, actions, investments] = &*OWN_FILES;
    Shelf::new(&[
        &[],
        &[("start", "1939")],
        &[("players", "2")],
        &[("start", "1939"), ("players", "2")],
        &[("forces", forces)],
        &[("start", "1939"), ("actions", actions), ("investments", investments)],
        &[("players", "2"), ("forces", forces), ("actions", actions), ("investments", investments)],
    ])
});

/// So many steps of a war are played before it is looked at: wars begin with a set-up of fifty Cadres.
const LEAD: usize = 900;

/// A position of a random war.
fn position(game: &Triumph, seed: u64, steps: usize) -> State {
    let (mut state, mut dice, mut room) = (game.start(), LabDice::new(seed), Vec::new());
    for _ in 0..steps {
        let Some(choice) = testkit::random_choice(game, &state, &mut dice, &mut room) else { break };
        game.apply(&mut state, choice, &mut Discard);
    }
    state
}

fn viewers(game: &Triumph) -> impl Iterator<Item = Viewer> {
    (0..game.seats().len() as u8).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator])
}

/// POP, RES and IND stay on their tracks, and Production is the lowest of those that count. Rules 1.4, 7.21, 16.1.
fn check_tracks(game: &Triumph, state: &State) -> Result<(), TestCaseError> {
    let rules = game.rules();
    for faction in Faction::ALL {
        let (free, real) = (rules.tracks(state, faction), rules.tracks_blockaded(state, faction));
        prop_assert!(free.pop <= MOST && free.res <= MOST && free.ind <= MOST, "{free:?}");
        prop_assert!(
            real.pop <= free.pop && real.res <= free.res && real.ind == free.ind,
            "{free:?} {real:?}"
        );
        let capital = rules.atlas().factions[faction.index()].main_capital;
        let least = match () {
            () if !state.controls(faction, capital) => 0,
            () if state.of(faction).at_war() => real.ind.min(real.pop).min(real.res),
            () => real.ind.min(real.pop),
        };
        prop_assert_eq!(real.level, least);
        let points = rules.points(state, faction, true);
        prop_assert!(
            points.capitals.is_multiple_of(2) && points.wars <= 2 && points.atomic <= 4,
            "{points:?}"
        );
        prop_assert!(rules.public_points(state, faction).total() <= points.total());
        prop_assert!(points.total() <= i16::from(MOST) + TO_WIN + 20, "{points:?}");
    }
    Ok(())
}

/// Who controls an area by rule 1.14, worked out from the units and the nation alone.
fn controller(game: &Triumph, state: &State, area: u8) -> Parties {
    let units = || state.blocks_at(area);
    let there: Vec<Faction> =
        Faction::ALL.into_iter().filter(|faction| state.own_at(*faction, area).count() > 0).collect();
    let has_fort = units().any(|(block, _)| Power::of_block(block).is_none());
    let has_ground = |faction: Faction| {
        state
            .own_at(faction, area)
            .any(|(_, unit)| matches!(unit.kind, Kind::Fortress | Kind::Tank | Kind::Infantry))
    };
    match there[..] {
        _ if has_fort => return Parties::MINOR,
        [one] if has_ground(one) => return Parties::one(one),
        [_, _, ..] => return state.first_arrival(area).map_or(Parties::NONE, Parties::one),
        _ => {}
    }
    let nation = state.nation(game.rules().atlas().nation_of(area));
    match nation.status {
        Status::Neutral => Parties::NONE,
        Status::Armed => Parties::MINOR,
        _ => nation.holder.map_or(Parties::NONE, Parties::one),
    }
}

/// Every land area has the controller that the rule gives it when a phase begins, and no sea has one. Rules 1.14, 1.21.
fn check_control(game: &Triumph, state: &State) -> Result<(), TestCaseError> {
    let mut all = AreaSet::EMPTY;
    for set in state.control {
        prop_assert!(!set.meets(all), "an area has two controllers");
        all = all.or(set);
    }
    prop_assert!(!all.meets(AreaSet::SEA), "a sea is controlled");
    // In these phases no unit comes or goes, so that the snapshot is of the position.
    if matches!(state.stage, Stage::Government | Stage::Command | Stage::Winter) {
        for area in 0..LANDS as u8 {
            let name = &game.rules().atlas().area(area).name;
            prop_assert_eq!(state.controller(area), controller(game, state, area), "{}", name);
        }
    }
    Ok(())
}

/// Names of choices differ and read back, and so do those of units that are alike in all that is seen.
fn check_names(game: &Triumph, state: &State) -> Result<(), TestCaseError> {
    let (mut choices, mut names) = (Vec::new(), std::collections::HashSet::new());
    game.choices(state, &mut choices);
    for choice in choices {
        let mut name = String::new();
        game.write_name(state, choice, &mut name);
        prop_assert_eq!(game.read_name(state, &name), Some(choice), "{}", &name);
        prop_assert!(names.insert(name.clone()), "two choices are called {name:?}");
    }
    Ok(())
}

/// What a viewer sees and reads is the same in every position that was made from their view, also from the view of one that
/// was made so before.
fn check_views(game: &Triumph, state: &State, dice: &mut LabDice) -> Result<(), TestCaseError> {
    for viewer in viewers(game) {
        let view = game.view(state, viewer);
        let (picture, data) = (game.picture(&view), game.describe(&view));
        let mut again = *state;
        for round in 0..3 {
            again = game.determinize(&game.view(&again, viewer), dice);
            game.invariants(&again).map_err(TestCaseError::fail)?;
            let seen = game.view(&again, viewer);
            prop_assert!(seen == view, "{viewer:?} sees something else in round {round}");
            prop_assert_eq!(game.picture(&seen), &*picture);
            prop_assert_eq!(&game.describe(&seen), &data);
            prop_assert_eq!(game.prompt(&again).waiting, game.prompt(state).waiting);
            prop_assert_eq!(game.mover(&again), game.mover(state));
            if Some(viewer) == asked(game, state) {
                let listed = |state: &State| {
                    let mut choices = Vec::new();
                    game.choices(state, &mut choices);
                    choices
                };
                prop_assert_eq!(listed(&again), listed(state));
                prop_assert_eq!(game.prompt(&again).text, game.prompt(state).text);
            }
        }
    }
    Ok(())
}

/// The seat that has to choose.
fn asked(game: &Triumph, state: &State) -> Option<Viewer> {
    match game.mover(state) {
        Mover::Seat(seat) => Some(Viewer::Seat(seat)),
        _ => None,
    }
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn every_position_holds_together(
        set_up in any::<Index>(),
        seed in any::<u64>(),
        lead in 0..LEAD,
        picks in vec(any::<Index>(), 0..40),
    ) {
        let game = WARS.pick(&set_up);
        let mut state = position(&game, seed, lead);
        let mut choices = Vec::new();
        for pick in picks {
            game.invariants(&state).map_err(TestCaseError::fail)?;
            check_tracks(&game, &state)?;
            check_control(&game, &state)?;
            check_names(&game, &state)?;
            choices.clear();
            game.choices(&state, &mut choices);
            if choices.is_empty() {
                break;
            }
            let before = state;
            game.apply(&mut state, *pick.get(&choices), &mut Discard);
            // The encoding, from which digests are made, tells positions apart, and only these.
            prop_assert_eq!(encoded(&before) == encoded(&state), before == state);
            prop_assert_eq!(encoded(&state), encoded(&{ state }));
        }
    }

    #[test]
    fn whatever_is_hidden_from_a_seat_makes_no_difference_to_it(
        set_up in any::<Index>(),
        seed in any::<u64>(),
        steps in 0..LEAD,
    ) {
        let game = WARS.pick(&set_up);
        check_views(&game, &position(&game, seed, steps), &mut LabDice::new(seed))?;
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn matches_come_back_as_they_were(set_up in any::<Index>(), recipe in recipes(400)) {
        WARS.check_round_trip(&recipe.play(WARS.pick(&set_up)))?;
    }

    #[test]
    fn taking_back_and_playing_again_comes_to_the_same(
        set_up in any::<Index>(),
        recipe in recipes(300),
        back in any::<Index>(),
    ) {
        let played = recipe.play(WARS.pick(&set_up));
        let steps = played.log().len();
        let kept = back.index(steps + 1);
        let mut again = played.fork(kept);
        prop_assert_eq!(again.state(), &played.state_at(kept));
        for step in kept..steps {
            let choice = played.log().iter().nth(step).expect("a step of the log").choice;
            match again.mover() {
                Mover::Fate => again.fate(None, &mut Discard),
                _ => again.play(choice, &mut Discard),
            }
            .map_err(|why| TestCaseError::fail(why.to_string()))?;
        }
        // Fate draws the same for the same secret and the same number of draws.
        prop_assert_eq!(again.state(), played.state());
        prop_assert_eq!(again.digests(0..steps), played.digests(0..steps));
    }
}

proptest! {
    #![proptest_config(config(1_000))]

    #[test]
    fn a_changed_save_is_refused_with_its_place_or_is_a_match(
        set_up in any::<Index>(),
        recipe in recipes(80),
        edits in edits(),
    ) {
        let text = recipe.play(WARS.pick(&set_up)).save(SecretPolicy::Keep);
        WARS.check_changed(&edited(&text, &edits))?;
    }
}

#[test]
fn own_files_are_other_than_the_delivered_ones() {
    let game = Triumph::with_options(&Options::new()).expect("the plain game");
    let [forces, actions, investments] = &*OWN_FILES;
    for (key, text) in [("forces", forces), ("actions", actions), ("investments", investments)] {
        let own =
            Triumph::with_options(&Options::from([(key.to_owned(), text.clone())])).expect("a good file");
        assert_ne!(own.options(), game.options());
        assert_ne!(format!("{:?}", own.rules()), format!("{:?}", game.rules()), "{key}");
    }
}
