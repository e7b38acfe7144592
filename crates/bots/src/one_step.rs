//! The bot `onestep`: tries every choice, draws Fate, and compares the results.

use kernel::{CompleteGame, Dice, Discard, LabDice, Mover, Seat, Standing};

use crate::Bot;

/// Tries every choice on determinized states, draws Fate until it is a seat's turn or the turn ends, and takes the choice
/// with the best average evaluation. All choices are tried with the same dice, so that luck does not
/// decide between them.
#[derive(Clone, Copy, Debug)]
pub struct OneStep {
    samples: u32,
}

impl OneStep {
    /// With so many samples of Fate for each choice.
    pub fn new(samples: u32) -> Self {
        Self { samples: samples.max(1) }
    }

    fn value<G: CompleteGame>(&self, game: &G, view: &G::View<'_>, choice: G::Choice, dice: &LabDice) -> f64 {
        let mut total = 0.0;
        let mut dice = dice.clone();
        for _ in 0..self.samples {
            let mut state = game.determinize(view, &mut dice);
            let Mover::Seat(seat) = game.mover(&state) else { return 0.0 };
            let turn = game.turn(&state);
            game.apply(&mut state, choice, &mut Discard);
            // Fate's draws of the next turn would only add noise.
            while game.mover(&state) == Mover::Fate && game.turn(&state) == turn {
                let ticket = dice.below(game.tickets(&state));
                let drawn = game.drawn(&state, ticket);
                game.apply(&mut state, drawn, &mut Discard);
            }
            total += worth(game, &state, seat);
        }
        total
    }
}

/// The value of a position for a seat: its result if the game is over, otherwise the game's own value.
fn worth<G: CompleteGame>(game: &G, state: &G::State, seat: Seat) -> f64 {
    let Some(outcome) = game.outcome(state) else { return f64::from(game.value(state, seat)) };
    match game.results()[usize::from(outcome.0)].standings[seat.index()] {
        Standing::Win => 1.0,
        Standing::Draw => 0.5,
        Standing::Loss => 0.0,
    }
}

impl Default for OneStep {
    fn default() -> Self {
        Self::new(32)
    }
}

impl<G: CompleteGame> Bot<G> for OneStep {
    fn choose(&mut self, game: &G, view: &G::View<'_>, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        let common = LabDice::new(u64::from(dice.word()) << 32 | u64::from(dice.word()));
        let mut best = (f64::MIN, 0);
        for (at, &choice) in choices.iter().enumerate() {
            let value = self.value(game, view, choice, &common);
            if value > best.0 {
                best = (value, at);
            }
        }
        best.1
    }
}
