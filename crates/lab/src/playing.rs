//! One game on the hot path: list, choose, draw, play.

use bots::BotKind;
use kernel::{Dice, Game, LabDice, Listener, Mover, Viewer};

/// Watches a game that is being played.
pub trait Observer<G: Game>: Listener<G::Notice> {
    /// A seat chose among so many.
    fn decided(&mut self, choices: usize);
    /// Fate chose.
    fn drew(&mut self);
    /// A choice was played and this is the state after it.
    fn after(&mut self, game: &G, state: &G::State);
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<N> Listener<N> for Unobserved {
    #[inline]
    fn tell(&mut self, _: kernel::Audience, _: impl FnOnce() -> N) {}
}

impl<G: Game> Observer<G> for Unobserved {
    #[inline]
    fn decided(&mut self, _: usize) {}
    #[inline]
    fn drew(&mut self) {}
    #[inline]
    fn after(&mut self, _: &G, _: &G::State) {}
}

/// Plays games with one reused buffer: nothing is allocated once it is warm.
#[derive(Debug)]
pub struct Playing<G: Game> {
    choices: Vec<G::Choice>,
}

impl<G: Game> Default for Playing<G> {
    fn default() -> Self {
        Self { choices: Vec::with_capacity(64) }
    }
}

impl<G: Game> Playing<G> {
    /// Plays from a position to the end; `seats` says which bot plays which seat (the last one also plays all
    /// further seats).
    #[inline]
    pub fn to_the_end<O: Observer<G>>(
        &mut self,
        game: &G,
        state: &mut G::State,
        seats: &[BotKind],
        dice: &mut LabDice,
        observer: &mut O,
    ) {
        loop {
            // Draws come in runs, and most choices are draws: they get a loop of their own.
            while game.mover(state) == Mover::Fate {
                let ticket = dice.below(game.tickets(state));
                observer.drew();
                game.apply(state, game.drawn(state, ticket), observer);
                observer.after(game, state);
            }
            let Mover::Seat(seat) = game.mover(state) else { return };
            self.choices.clear();
            game.choices(state, &mut self.choices);
            observer.decided(self.choices.len());
            let bot = seats[seat.index().min(seats.len() - 1)];
            let pick = if bot == BotKind::Random {
                // The sight is not needed, so it is not made.
                dice.below(self.choices.len() as u32) as usize
            } else {
                let sight = game.sight(state, Viewer::Seat(seat));
                bot.choose(game, &sight, &self.choices, dice)
            };
            game.apply(state, self.choices[pick], observer);
            observer.after(game, state);
        }
    }
}
