//! What bots and the search know of the game: the value of a position, a policy, the staff.

use kernel::{Dice, Effort, FeatureSink, Judgement, Seat, Standing, Tuning};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game::Surrender;
use crate::policy::{self, Memory};
use crate::state::State;
use crate::view::View;

/// What the strongest level does for a choice, in playouts times the units on the map: a playout plays the rest of the month of
/// each of them, so that a choice takes about as long in a small scenario as in the whole war.
const LABOUR: u32 = 18_000;
/// Its playouts where few units are on the map.
const MOST_PLAYOUTS: u32 = 1_024;
/// Playouts for a decision in a review.
const REVIEW: u32 = 512;

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
        Tuning {
            playouts: (LABOUR / self.rules().opening_units().max(1)).min(MOST_PLAYOUTS),
            review: REVIEW,
            // To the end of the turn: what comes after it is the same for all plans, and full of dice.
            horizon: Some(0),
            exploration: 0.4,
            trust: 0.5,
            doubt: 0.005,
            ..Tuning::default()
        }
    }

    fn bots() -> &'static [(&'static str, &'static str)] {
        policy::own_bots()
    }

    fn plans(&self) -> usize {
        policy::plans().len()
    }

    fn follow<D: Dice>(
        &self,
        plan: usize,
        memory: &mut Memory,
        view: &View<'_>,
        choices: &[Choice],
        _: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        policy::choose(self.rules(), &policy::plans()[plan], memory, view.state(), choices, why)
    }

    fn is_crossroads(&self, view: &View<'_>, choices: &[Choice]) -> bool {
        choices.len() > 1 && matches!(view.state().frame(), Frame::Actions(_))
    }

    fn ideas(&self, memory: &Memory, view: &View<'_>, choices: &[Choice], ideas: &mut Vec<usize>) {
        memory.ideas(view.state(), choices, ideas);
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
        policy::choose(self.rules(), policy::built_in(), memory, view.state(), choices, why)
    }

    fn features<S: FeatureSink>(&self, view: &View<'_>, out: &mut S) {
        self.rules().features(view, out);
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Game as _, Options};

    use super::*;

    /// A choice takes about as long everywhere: the more units, the fewer playouts.
    #[test]
    fn a_small_scenario_gets_more_playouts_than_the_whole_war() {
        let playouts = |scenario: &str| {
            let options = Options::from([("scenario".to_owned(), scenario.to_owned())]);
            Surrender::with_options(&options).expect("a scenario of ours").tuning().playouts
        };
        let few = ["poland-1939", "balkans-1941", "ussr-1941", "main-event-1939"].map(playouts);
        assert!(few.is_sorted_by(|more, fewer| more > fewer), "{few:?}");
        assert!(few[0] <= MOST_PLAYOUTS && few[3] > 200, "{few:?}");
    }
}
