//! Playouts: the quick policy plays a position to the end, or to the horizon, where the game's value decides.

use kernel::{CompleteGame, Dice, Discard, Effort, LabDice, Mover, Seat, Standing, Tuning, Viewer};

use super::{SEATS, TooManySeats};

/// The result for each seat: 1 for a win, a half for a draw, 0 for a loss.
pub type Payoffs = [f32; SEATS];

/// What the search needs to know about a set-up.
#[derive(Clone, Debug)]
pub struct SearchContext {
    /// The search parameters.
    pub tuning: Tuning,
    /// Whether the set-up has hidden information.
    pub hides: bool,
    seats: usize,
    /// By outcome.
    worth: Vec<Payoffs>,
}

impl SearchContext {
    /// The context of a set-up. The error means that it has too many seats.
    pub fn of<G: CompleteGame>(game: &G) -> Result<Self, TooManySeats> {
        let seats = game.seats().len();
        TooManySeats::check(seats)?;
        let worth = |standings: &[Standing]| {
            let mut payoffs = [0.0; SEATS];
            for (payoff, standing) in payoffs.iter_mut().zip(standings) {
                *payoff = match standing {
                    Standing::Win => 1.0,
                    Standing::Draw => 0.5,
                    Standing::Loss => 0.0,
                };
            }
            payoffs
        };
        Ok(Self {
            tuning: game.tuning(),
            hides: game.hides(),
            seats,
            worth: game.results().iter().map(|result| worth(&result.standings)).collect(),
        })
    }

    /// How many seats the game has.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The value of a finished position.
    #[inline]
    pub fn result<G: CompleteGame>(&self, game: &G, state: &G::State) -> Payoffs {
        let outcome = game.outcome(state).map(|outcome| usize::from(outcome.0));
        outcome.and_then(|at| self.worth.get(at)).copied().unwrap_or([0.5; SEATS])
    }

    /// The game's value of a position, scaled so that the seats add up to one.
    pub(super) fn value<G: CompleteGame>(&self, game: &G, state: &G::State) -> Payoffs {
        let mut payoffs = [0.0; SEATS];
        match self.seats {
            1 => payoffs[0] = game.value(state, Seat(0)),
            2 => {
                payoffs[0] = game.value(state, Seat(0));
                payoffs[1] = 1.0 - payoffs[0];
            }
            seats => {
                for (seat, payoff) in payoffs.iter_mut().enumerate().take(seats) {
                    *payoff = game.value(state, Seat(seat as u8));
                }
                let sum: f32 = payoffs.iter().sum();
                payoffs.iter_mut().for_each(|payoff| *payoff /= sum.max(f32::MIN_POSITIVE));
            }
        }
        payoffs
    }

    /// Plays a position to its end by the quick policy, `me` with more care where the game wants that. `choices` is a buffer.
    pub fn play_out<G: CompleteGame>(
        &self,
        game: &G,
        state: &mut G::State,
        me: Option<Seat>,
        last_turn: u16,
        choices: &mut Vec<G::Choice>,
        dice: &mut LabDice,
    ) -> Payoffs {
        let mut memories: [G::Memory; SEATS] = Default::default();
        let careful = me.filter(|_| self.tuning.considered_playouts);
        loop {
            let choice = match game.mover(state) {
                Mover::Nobody => return self.result(game, state),
                // Before Fate draws for the next turn.
                _ if game.turn(state) > last_turn => return self.value(game, state),
                Mover::Fate => game.drawn(state, dice.below(game.tickets(state))),
                Mover::Seat(seat) => {
                    choices.clear();
                    game.choices(state, choices);
                    let pick = match choices.len() {
                        1 => 0,
                        _ => {
                            let view = game.view(state, Viewer::Seat(seat));
                            let memory = &mut memories[seat.index()];
                            let effort =
                                if careful == Some(seat) { Effort::Considered } else { Effort::Playout };
                            game.policy(effort, memory, &view, choices, dice, None)
                        }
                    };
                    choices[pick]
                }
            };
            game.apply(state, choice, &mut Discard);
        }
    }

    /// The last turn that playouts from a position reach.
    pub fn last_turn<G: CompleteGame>(&self, game: &G, state: &G::State) -> u16 {
        self.tuning.horizon.map_or(u16::MAX, |turns| game.turn(state).saturating_add(turns))
    }
}
