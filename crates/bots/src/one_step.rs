//! One step of judgement: try every choice, let Fate speak, and look at what comes out.

use kernel::{Dice, Discard, Game, LabDice, Mover};

use crate::Bot;

/// Tries every choice on determinized states, draws Fate until a seat is to choose again or the turn ends, and takes the choice
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

    fn value<G: Game>(&self, game: &G, view: &G::View, choice: G::Choice, dice: &LabDice) -> i64 {
        let mut total = 0;
        let mut dice = dice.clone();
        for _ in 0..self.samples {
            let mut state = game.determinize(view, &mut dice);
            let Mover::Seat(seat) = game.mover(&state) else { return 0 };
            let turn = game.turn(&state);
            game.apply(&mut state, choice, &mut Discard);
            // What Fate brings next turn would only drown the difference between the choices.
            while game.mover(&state) == Mover::Fate && game.turn(&state) == turn {
                let ticket = dice.below(game.tickets(&state));
                let drawn = game.drawn(&state, ticket);
                game.apply(&mut state, drawn, &mut Discard);
            }
            total += i64::from(game.evaluate(&state, seat));
        }
        total
    }
}

impl Default for OneStep {
    fn default() -> Self {
        Self::new(32)
    }
}

impl<G: Game> Bot<G> for OneStep {
    fn choose(&mut self, game: &G, view: &G::View, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        let common = LabDice::new(u64::from(dice.word()) << 32 | u64::from(dice.word()));
        let mut best = (i64::MIN, 0);
        for (at, &choice) in choices.iter().enumerate() {
            let value = self.value(game, view, choice, &common);
            if value > best.0 {
                best = (value, at);
            }
        }
        best.1
    }
}
