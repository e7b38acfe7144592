//! What the commander does, counted over battles with fixed dice: guns go ashore, nobody repairs what its own side blew,
//! the last turn is used, and marches go somewhere.

use dday::{Choice, DDay, GameEvent, Memory, SCENARIOS, Side, Stage, State, Task};
use kernel::{Dice, Effort, Game, Judgement, LabDice, Mover, Options, Recorder, Viewer};

fn game(scenario: &str) -> DDay {
    let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
    DDay::with_options(&options).expect("a built-in scenario")
}

/// Plays a battle between two commanders. `look` sees every choice with the position before it and what came of it.
fn battle(game: &DDay, seed: u64, mut look: impl FnMut(&State, &[Choice], Choice, &[GameEvent])) -> State {
    let (mut state, mut dice, mut choices) = (game.start(), LabDice::new(seed), Vec::new());
    let mut memories = [Memory::default(), Memory::default()];
    loop {
        choices.clear();
        let choice = match game.mover(&state) {
            Mover::Nobody => return state,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(seat) => {
                game.choices(&state, &mut choices);
                let view = game.view(&state, Viewer::Seat(seat));
                let memory = &mut memories[seat.index()];
                choices[game.policy(Effort::Bot(0), memory, &view, &choices, &mut dice, None)]
            }
        };
        let before = state.clone();
        let mut recorder = Recorder::default();
        game.apply(&mut state, choice, &mut recorder);
        let events: Vec<GameEvent> = recorder.events.into_iter().map(|(_, event)| event).collect();
        look(&before, &choices, choice, &events);
    }
}

/// Rule 17.3: guns afloat can't fire, so they are landed.
#[test]
fn guns_go_ashore() {
    let game = game("01_omaha");
    let rules = game.rules();
    let (mut afloat, mut all) = (0, 0);
    for seed in 0..12 {
        let end = battle(&game, seed, |_, _, _, _| {});
        for gun in rules.guns.into_iter().filter(|gun| rules.armies[0].has(*gun)) {
            if end.unit(gun).on_map() {
                all += 1;
                afloat += usize::from(rules.is_afloat(&end, gun));
            }
        }
    }
    println!("{afloat} of {all} gun battalions are afloat at the end");
    assert!(all >= 24, "{all} gun battalions are left");
    assert!(afloat * 4 <= all, "{afloat} of {all} gun battalions are afloat at the end");
}

/// How a side stands in its last player turn.
fn wins(game: &DDay, state: &State, side: Side) -> bool {
    let (vp, victory) = (game.rules().aggressor_vp(state), game.rules().scenario.victory);
    if side == game.rules().scenario.aggressor {
        vp >= victory.aggressor_win
    } else {
        vp <= victory.defender_win
    }
}

/// Whether an objective that a side lacks lies in a zone.
fn is_wanted(game: &DDay, state: &State, side: Side, zone: terrain::Cell) -> bool {
    let rules = game.rules();
    let key = rules.key_at(zone).filter(|key| rules.holder(state, *key) != side);
    key.is_some_and(|key| rules.scenario.keys[key].vp > 0)
}

/// In a side's last player turn that is not won, no assault on an objective, or on who bars the way to one, is left unmade.
#[test]
fn the_last_chance_is_taken() {
    let (mut turns, mut idle, mut left) = (0, 0, 0);
    for (id, _) in SCENARIOS {
        let game = game(id);
        let mut assaults = [0; 2];
        for seed in 0..4 {
            assaults.fill(0);
            battle(&game, seed, |state, choices, choice, events| {
                let side = state.side;
                let last = state.turn == game.rules().scenario.turns && !state.night;
                let assault = |event: &GameEvent| matches!(event, GameEvent::Assaulted { .. });
                if last {
                    assaults[side.index()] += events.iter().filter(|event| assault(event)).count();
                }
                if !last || state.stage != Stage::Combat || choice != Choice::End {
                    return;
                }
                if wins(&game, state, side) {
                    return;
                }
                turns += 1;
                idle += usize::from(assaults[side.index()] == 0);
                let decides = |to| {
                    is_wanted(&game, state, side, to)
                        || game.rules().around(to).any(|zone| is_wanted(&game, state, side, zone))
                };
                let open = |choice: &&Choice| matches!(choice, Choice::Assault { to, .. } if decides(*to));
                left += choices.iter().filter(open).count();
            });
        }
    }
    println!(
        "{turns} last player turns that are not won, {idle} of them without an assault, {left} left unmade"
    );
    assert!(turns >= 20, "{turns} last player turns are not won");
    assert_eq!(left, 0, "assaults that could win were not made");
    assert!(idle * 3 <= turns, "{idle} of {turns} last player turns without an assault");
}

/// Rule 14.1: a bridge that a side has blown stays blown as far as that side goes; and nobody blocks a road to clear it.
#[test]
fn nobody_undoes_its_own_works() {
    let (mut blown, mut repaired, mut blocked) = (0, 0, 0);
    for scenario in ["05_arracourt", "06_mortain", "07_arnhem", "09_remagen", "10_seelow"] {
        let game = game(scenario);
        for seed in 0..12 {
            let mut by = Vec::new();
            battle(&game, seed, |state, _, _, events| {
                for event in events {
                    match event {
                        GameEvent::Demolition { bridge, blown: true, .. } => {
                            let bridge = &game.rules().scenario.bridges[usize::from(*bridge)];
                            by.push((bridge.from, bridge.to, game.rules().defender()));
                            blown += 1;
                        }
                        GameEvent::Worked { job, done: true, .. } => {
                            let (here, side) = (state.unit(job.unit).zone, game.rules().troop(job.unit).side);
                            let edge = (here.min(job.zone), here.max(job.zone), side);
                            match job.task {
                                Task::Blow => {
                                    by.push(edge);
                                    blown += 1;
                                }
                                Task::Repair => repaired += usize::from(by.contains(&edge)),
                                Task::Block => blocked += 1,
                                _ => {}
                            }
                        }
                        _ => {}
                    }
                }
            });
        }
    }
    println!("{blown} bridges blown, {repaired} repaired by the same side, {blocked} roads blocked");
    assert!(blown >= 10, "{blown} bridges were blown");
    assert_eq!((repaired, blocked), (0, 0), "own demolitions repaired, roads blocked");
}

/// A march hardly ever comes back to where it was in the same move, unless it went to take an objective.
#[test]
fn marches_do_not_go_there_and_back() {
    let (mut marches, mut back) = (0, 0);
    for (id, _) in SCENARIOS {
        let game = game(id);
        let mut been = Vec::new();
        battle(&game, 3, |state, _, choice, events| {
            if !matches!(choice, Choice::Step(_) | Choice::Road(_)) || state.stage != Stage::March {
                been.clear();
                return;
            }
            if been.is_empty() {
                been.push(state.act.from);
                marches += 1;
            }
            if events.iter().any(|event| matches!(event, GameEvent::Taken { .. })) {
                been.clear();
            }
            for event in events {
                if let GameEvent::Moved { to, .. } = event {
                    back += usize::from(been.contains(to));
                    been.push(*to);
                }
            }
        });
    }
    println!("{back} of {marches} marches came back");
    assert!(marches > 500, "{marches} marches");
    assert!(back * 500 <= marches, "{back} of {marches} marches came back to where they were");
}
