//! What bots and the search know of the game: the value of a position, a policy, the staff.

use kernel::{Dice, Effort, FeatureSink, Judgement, Seat, Standing, Tuning};

use crate::choice::Choice;
use crate::game::Surrender;
use crate::policy::{self, Memory};
use crate::state::State;
use crate::view::View;

/// Playouts of the strongest level for a choice, and where a playout is cut off: a long war after a turn.
const PLAYOUTS: u32 = 512;
const LONG_WAR: u8 = 4;

impl Judgement for Surrender {
    type Memory = Memory;

    fn value(&self, state: &State, seat: Seat) -> f32 {
        use kernel::Game;
        match state.verdict.map(usize::from).and_then(|at| self.results().get(at)) {
            Some(result) => match result.standings.get(seat.index()) {
                Some(Standing::Win) => 1.0,
                Some(Standing::Draw) => 0.5,
                _ => 0.0,
            },
            None => self.rules().win_chance(state, self.rules().faction_of(seat)),
        }
    }

    fn tuning(&self) -> Tuning {
        let scenario = self.rules().scenario();
        let horizon = (scenario.last - scenario.first >= LONG_WAR).then_some(1);
        Tuning {
            playouts: PLAYOUTS,
            review: PLAYOUTS,
            horizon,
            exploration: 0.4,
            trust: 0.5,
            ..Tuning::default()
        }
    }

    fn bots() -> &'static [(&'static str, &'static str)] {
        policy::own_bots()
    }

    fn policy<D: Dice>(
        &self,
        _: Effort,
        memory: &mut Memory,
        view: &View<'_>,
        choices: &[Choice],
        _: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        policy::choose(self.rules(), memory, view.state(), choices, why)
    }

    fn features<S: FeatureSink>(&self, view: &View<'_>, out: &mut S) {
        self.rules().features(view, out);
    }
}
