//! Against the solo bot: a unit of its row is bombed by its place (rule 8.7), and its answer to a placement is foretold
//! exactly (rule 14.4).

use std::collections::BTreeMap;

use blitz::units::Side;
use blitz::{Blitz, Choice, GameEvent, Phase, State};
use kernel::{
    Catalogue as _, Dice as _, Discard, Game as _, LabDice, Mover, Options, Recorder, Seat, Viewer,
    Wording as _,
};

fn solo(pairs: &[(&str, &str)]) -> Blitz {
    let mut options: Options =
        pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    options.insert("mode".to_owned(), "solo".to_owned());
    Blitz::with_options(&options).expect("good options")
}

/// All positions of some random games in which the human chooses.
fn decisions(game: &Blitz, seeds: std::ops::Range<u64>) -> Vec<State> {
    let mut found = Vec::new();
    for seed in seeds {
        let mut dice = LabDice::new(seed);
        let mut state = game.start();
        let mut choices = Vec::new();
        while game.mover(&state) != Mover::Nobody {
            let choice = if game.mover(&state) == Mover::Fate {
                game.drawn(&state, dice.below(game.tickets(&state)))
            } else {
                found.push(state);
                choices.clear();
                game.choices(&state, &mut choices);
                choices[dice.below(choices.len() as u32) as usize]
            };
            game.apply(&mut state, choice, &mut Discard);
        }
    }
    found
}

#[test]
fn of_two_equal_units_the_bombed_one_is_the_one_that_was_named() {
    let game = solo(&[]);
    let row_of = |state: &State| state.hands[Side::First.index()].as_slice().to_vec();
    let mut apart = 0;
    for state in decisions(&game, 0..40).into_iter().filter(|state| state.phase == Phase::BombRow) {
        let row = row_of(&state);
        let mut choices = Vec::new();
        game.choices(&state, &mut choices);
        for choice in choices {
            let Choice::BombAt(place) = choice else { panic!("{choice:?} in {:?}", state.phase) };
            let place = usize::from(place);
            assert!(!row[place].is_special() || row.iter().all(|kind| kind.is_special()));
            let mut name = String::new();
            game.write_name(&state, choice, &mut name);
            assert_eq!(name, format!("bomb {}", place + 1));
            assert_eq!(game.read_name(&state, &name), Some(choice));
            let mut after = state;
            game.apply(&mut after, choice, &mut Discard);
            // The bot's turn may have followed: it only takes tokens out and puts new ones at the right end.
            if after.side == Side::Second && after.turn == state.turn {
                let mut rest = row.clone();
                rest.remove(place);
                assert_eq!(row_of(&after), rest, "{name}");
            }
            let twin = row.iter().position(|kind| *kind == row[place]).expect("itself at least");
            apart += usize::from(twin < place && row[twin..place].iter().any(|kind| *kind != row[place]));
        }
        let by_kind = Choice::Bomb(row[0]);
        let refusal = game.why_not(&state, by_kind);
        assert!(refusal.reason.contains("by its place") && refusal.rule == "8.7", "{refusal}");
    }
    assert!(apart > 0, "no row had equal units with others between them");
}

#[test]
fn under_rules_1_a_unit_is_bombed_by_its_kind() {
    let old = solo(&[("bombing", "kind")]);
    assert_eq!(Blitz::options_under("1").get("bombing").map(String::as_str), Some("kind"));
    let asked: Vec<State> =
        decisions(&old, 0..10).into_iter().filter(|state| state.phase == Phase::BombRow).collect();
    assert!(!asked.is_empty());
    for state in asked {
        let mut choices = Vec::new();
        old.choices(&state, &mut choices);
        assert!(choices.iter().all(|choice| matches!(choice, Choice::Bomb(_))), "{choices:?}");
        assert!(old.why_not(&state, Choice::BombAt(0)).reason.contains("by its kind"));
    }
}

/// What the bot places first, over everything that Fate can draw for it, in shares of one.
fn answers(game: &Blitz, state: &State, share: f64, found: &mut BTreeMap<String, f64>) {
    let tickets = game.tickets(state);
    for ticket in 0..tickets {
        let mut after = *state;
        let mut told = Recorder::default();
        game.apply(&mut after, game.drawn(state, ticket), &mut told);
        match placed_by_bot(game, &told) {
            Some(answer) => *found.entry(answer).or_default() += share / f64::from(tickets),
            None => answers(game, &after, share / f64::from(tickets), found),
        }
    }
}

fn placed_by_bot(game: &Blitz, told: &Recorder<GameEvent>) -> Option<String> {
    told.events.iter().find_map(|(_, event)| match event {
        GameEvent::Placed { side: Side::First, kind, space, .. } => {
            Some(format!("{kind} on {}", game.rules().space_title(*space)))
        }
        _ => None,
    })
}

#[test]
fn the_bots_answer_to_a_placement_is_foretold_exactly() {
    for pairs in [&[][..], &[("stratagems", "off")], &[("board", "nippon")]] {
        let game = solo(pairs);
        let mut luck = LabDice::new(7);
        let (mut several, mut certain, mut assumed) = (0, 0, 0);
        let places = decisions(&game, 0..3).into_iter().filter(|state| state.phase == Phase::Place);
        for state in places {
            let mut choices = Vec::new();
            game.choices(&state, &mut choices);
            let view = game.view(&state, Viewer::Seat(Seat(0)));
            for choice in choices.into_iter().filter(|choice| matches!(choice, Choice::Place { .. })) {
                let question = game.rules().question_of(choice).expect("a question for each placement");
                let answer = game.answer(&view, &question).unwrap_or_else(|why| panic!("{question}: {why}"));
                if answer.rule == "7" {
                    continue;
                }
                // The same by hand; what the human draws must not matter.
                let mut after = state;
                let mut told = Recorder::default();
                game.apply(&mut after, choice, &mut told);
                let mut found = BTreeMap::new();
                loop {
                    if let Some(answer) = placed_by_bot(&game, &told) {
                        found.insert(answer, 1.0);
                        break;
                    }
                    if matches!(after.phase, Phase::Stratagem | Phase::UnitDie) {
                        answers(&game, &after, 1.0, &mut found);
                        break;
                    }
                    let mut open = Vec::new();
                    game.choices(&after, &mut open);
                    let next = if game.mover(&after) == Mover::Fate {
                        game.drawn(&after, luck.below(game.tickets(&after)))
                    } else if open.contains(&Choice::Stop) {
                        Choice::Stop
                    } else {
                        open[game.rules().quick_choice(&after, &open)]
                    };
                    game.apply(&mut after, next, &mut told);
                }
                assert_eq!(answer.results.len(), found.len(), "{question}: {answer}");
                for (what, chance) in &answer.results {
                    let share = found.get(what).copied().unwrap_or_default();
                    assert!((share - chance.as_f64()).abs() < 1e-9, "{question}, {what}: {share}\n{answer}");
                }
                several += usize::from(answer.results.len() > 1);
                certain += usize::from(answer.results.len() == 1);
                assumed += usize::from(!answer.facts.is_empty());
            }
        }
        assert!(several > 20 && certain > 0 && assumed > 0, "{pairs:?}: {several}, {certain}, {assumed}");
    }
}

#[test]
fn a_question_about_no_placement_is_answered_with_the_reason() {
    let game = solo(&[]);
    let state = decisions(&game, 0..1).into_iter().find(|state| state.phase == Phase::Place).expect("a turn");
    let view = game.view(&state, Viewer::Seat(Seat(0)));
    for (question, part) in [
        ("bot after tea", "is not a placement"),
        ("bot after stop", "is not a placement"),
        ("bot after place godzilla WE.1.1", "there is no Godzilla in the reserve"),
    ] {
        let why = game.answer(&view, question).expect_err("not a placement");
        assert!(why.contains(part), "{question}: {why}");
    }
    let two = Blitz::with_options(&Options::new()).expect("a game for two");
    let state = two.start();
    let why = two.answer(&two.view(&state, Viewer::Seat(Seat(0))), "bot after place army1 WE.1.2");
    assert!(why.is_err_and(|why| why.contains("no bot")));
}
