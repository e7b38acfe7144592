//! The bots break a leader: when a Power is about to win, the other two see it and act against it.

use kernel::Dice as _;
use kernel::{Discard, Effort, Game, Judgement, LabDice, Mover, Seat, Viewer};
use triumph::{Choice, Faction, GameEvent, Settings, Stage, State, Triumph};

/// Games from which positions are taken.
const GAMES: u64 = 40;

/// The choice of the quick policy.
fn quick(game: &Triumph, state: &State, seat: Seat, choices: &[Choice], dice: &mut LabDice) -> Choice {
    let view = game.view(state, Viewer::Seat(seat));
    choices[game.policy(Effort::Quick, &mut Default::default(), &view, choices, dice, None)]
}

/// Plays by the quick policy until a position is wanted; `None` if the game ends before.
fn play_to(game: &Triumph, dice: &mut LabDice, wanted: impl Fn(&State) -> bool) -> Option<State> {
    let (mut state, mut choices) = (game.start(), Vec::new());
    while !wanted(&state) {
        let choice = match game.mover(&state) {
            Mover::Nobody => return None,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                quick(game, &state, seat, &choices, dice)
            }
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    Some(state)
}

/// The same position with a Power about to win, or far from it.
fn with_points(state: &State, faction: Faction, about_to_win: bool) -> State {
    let mut state = *state;
    let own = &mut state.factions[faction.index()];
    (own.ind, own.chits) = if about_to_win { (24, [0, 6, 4]) } else { (6, [0; 3]) };
    state
}

/// What the other two do to a Power in the next year: how often they take its influence, cancel its cards or spy on it, and
/// how often they declare war on it.
fn against(game: &Triumph, state: &State, power: Faction, seed: u64) -> [u32; 2] {
    struct Count(Faction, [u32; 2]);
    impl kernel::EventSink<GameEvent> for Count {
        fn emit_to(&mut self, _: kernel::Audience, event: impl FnOnce() -> GameEvent) {
            if let GameEvent::WarDeclared { on, .. } = event() {
                self.1[1] += u32::from(on == self.0);
            }
        }
    }
    let (mut state, mut dice, mut choices) = (*state, LabDice::new(seed), Vec::new());
    let (year, mut count) = (state.year, Count(power, [0; 2]));
    while state.year == year {
        let choice = match game.mover(&state) {
            Mover::Nobody => break,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                let choice = quick(game, &state, seat, &choices, &mut dice);
                let hurts = match choice {
                    Choice::Diplomacy(_, nation) | Choice::Wild(_, nation) => {
                        state.nation(nation).influencer == Some(power)
                    }
                    Choice::Spy(_, target, _) => target == power,
                    _ => false,
                };
                count.1[0] += u32::from(hurts && seat.index() != power.index());
                choice
            }
        };
        game.apply(&mut state, choice, &mut count);
    }
    count.1
}

#[test]
fn whoever_is_about_to_win_is_stopped_by_the_others() {
    let game = Triumph::new(Settings::default());
    let mut wars = [0; 2];
    for power in Faction::ALL {
        let (mut alarmed, mut calm) = ([0; 2], [0; 2]);
        for seed in 0..GAMES {
            let mut dice = LabDice::new(seed);
            let wanted = |state: &State| state.year == 41 && state.stage == Stage::Government;
            let Some(state) = play_to(&game, &mut dice, wanted) else { continue };
            for (sum, about_to_win) in [(&mut alarmed, true), (&mut calm, false)] {
                let done = against(&game, &with_points(&state, power, about_to_win), power, seed);
                sum.iter_mut().zip(done).for_each(|(sum, done)| *sum += done);
            }
        }
        assert!(alarmed[0] * 2 > calm[0] * 3, "influence of {power:?}: {alarmed:?}, else {calm:?}");
        wars = [wars[0] + alarmed[1], wars[1] + calm[1]];
    }
    assert!(
        wars[0] >= 20 && wars[0] >= 3 * wars[1],
        "wars on whoever is about to win: {}, else {}",
        wars[0],
        wars[1]
    );
}
