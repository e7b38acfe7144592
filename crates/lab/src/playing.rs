//! One game on the hot path: list, choose, draw, play.

use std::sync::atomic::{AtomicBool, Ordering};

use bots::{BotKind, Player, Random};
use kernel::{CompleteGame, Dice, EventSink, LabDice, Mover, Seat, Viewer};

/// Watches a game that is being played.
pub trait Observer<G: CompleteGame>: EventSink<G::Event> {
    /// A seat chose among so many.
    fn decided(&mut self, choices: usize);
    /// A seat chose the one at `pick`; this is the state before it.
    #[inline]
    fn chose(&mut self, _game: &G, _state: &G::State, _seat: Seat, _choices: &[G::Choice], _pick: usize) {}
    /// Fate chose.
    fn drew(&mut self);
    /// What Fate chose; this is the state before it, with how many tickets there were and which was drawn.
    #[inline]
    fn drawn(&mut self, _game: &G, _state: &G::State, _tickets: [u32; 2], _choice: G::Choice) {}
    /// A choice was played and this is the state after it.
    fn after(&mut self, game: &G, state: &G::State);
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl<N> EventSink<N> for Unobserved {
    #[inline]
    fn emit_to(&mut self, _: kernel::Audience, _: impl FnOnce() -> N) {}
}

impl<G: CompleteGame> Observer<G> for Unobserved {
    #[inline]
    fn decided(&mut self, _: usize) {}
    #[inline]
    fn drew(&mut self) {}
    #[inline]
    fn after(&mut self, _: &G, _: &G::State) {}
}

/// Who plays the seats of a game.
pub trait Players<G: CompleteGame> {
    /// The choice of a seat: an index into `choices`.
    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        choices: &[G::Choice],
        dice: &mut LabDice,
    ) -> usize;

    /// Whether the game should be given up.
    #[inline]
    fn stopped(&self) -> bool {
        false
    }
}

/// Random players in all seats. They need no view, so none is made.
impl<G: CompleteGame> Players<G> for Random {
    #[inline]
    fn choose(&mut self, _: &G, _: &G::State, _: Seat, choices: &[G::Choice], dice: &mut LabDice) -> usize {
        dice.below(choices.len() as u32) as usize
    }
}

/// A bot for each seat; the last one also plays all further seats.
#[derive(Clone, Debug)]
pub struct BotPlayers<'s, G: CompleteGame> {
    players: Vec<Player<G>>,
    stop: &'s AtomicBool,
}

/// The flag of games that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);

impl<G: CompleteGame> BotPlayers<'static, G> {
    /// The bots of all seats of a game.
    pub fn new(game: &G, bots: &[BotKind]) -> Self {
        Self::stopped_by(&NEVER, game, bots)
    }
}

impl<'s, G: CompleteGame> BotPlayers<'s, G> {
    /// The same; once the flag is set they stop thinking and give the game up.
    pub fn stopped_by(stop: &'s AtomicBool, game: &G, bots: &[BotKind]) -> Self {
        let bot = |seat| bots.get(seat).or(bots.last()).copied().unwrap_or(BotKind::Random);
        Self { players: (0..game.seats().len()).map(|seat| Player::new(bot(seat))).collect(), stop }
    }

    /// Another game begins.
    pub fn begin(&mut self) {
        self.players.iter_mut().for_each(Player::begin);
    }
}

impl<G: CompleteGame> Players<G> for BotPlayers<'_, G> {
    fn choose(
        &mut self,
        game: &G,
        state: &G::State,
        seat: Seat,
        choices: &[G::Choice],
        dice: &mut LabDice,
    ) -> usize {
        let view = game.view(state, Viewer::Seat(seat));
        self.players[seat.index()].choose_until(game, &view, choices, dice, self.stop)
    }

    #[inline]
    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Plays games with one reused buffer, without further allocations.
#[derive(Debug)]
pub struct Playing<G: CompleteGame> {
    choices: Vec<G::Choice>,
}

impl<G: CompleteGame> Default for Playing<G> {
    fn default() -> Self {
        Self { choices: Vec::with_capacity(64) }
    }
}

impl<G: CompleteGame> Playing<G> {
    /// Plays from a position to the end, or until the players give the game up.
    #[inline]
    pub fn to_the_end<P: Players<G>, O: Observer<G>>(
        &mut self,
        game: &G,
        state: &mut G::State,
        players: &mut P,
        dice: &mut LabDice,
        observer: &mut O,
    ) {
        loop {
            // Draws come in runs, and most choices are draws: they get a loop of their own.
            while game.mover(state) == Mover::Fate {
                let tickets = game.tickets(state);
                let ticket = dice.below(tickets);
                let drawn = game.drawn(state, ticket);
                observer.drew();
                observer.drawn(game, state, [tickets, ticket], drawn);
                game.apply(state, drawn, observer);
                observer.after(game, state);
            }
            let Mover::Seat(seat) = game.mover(state) else { return };
            self.choices.clear();
            game.choices(state, &mut self.choices);
            observer.decided(self.choices.len());
            let pick = players.choose(game, state, seat, &self.choices, dice);
            // What was chosen in a hurry does not count.
            if players.stopped() {
                return;
            }
            observer.chose(game, state, seat, &self.choices, pick);
            game.apply(state, self.choices[pick], observer);
            observer.after(game, state);
        }
    }
}
