//! One game of a ladder.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bots::external::{External, Opponent};
use bots::{Player, SeatedBot as _};
use kernel::{
    CompleteGame, Dice as _, Discard, LabDice, Match, MatchDice, Mover, ResultInfo, Seat, Standing, Viewer,
};
use tracing::warn;

use super::{Ladder, Spent};

/// Sets the dice of the bots apart from those of Fate.
const BOTS_DICE: u64 = 0x6a09_e667_f3bc_c908;
/// The most seats of a game.
const MOST_SEATS: u64 = 8;

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finish {
    /// By the rules: an index into [`Game::results`].
    Outcome(u8),
    /// The program in this seat failed.
    Forfeit(u8),
}

impl Finish {
    /// The code of a game that has not come to its end.
    pub(super) const UNPLAYED: u16 = 0;

    /// The finish as a number that is not 0.
    pub(super) fn code(self) -> u16 {
        match self {
            Self::Outcome(outcome) => 0x100 + u16::from(outcome),
            Self::Forfeit(seat) => 0x200 + u16::from(seat),
        }
    }

    /// The finish of a number.
    pub(super) fn of(code: u16) -> Option<Self> {
        let [kind, which] = code.to_be_bytes();
        match kind {
            1 => Some(Self::Outcome(which)),
            2 => Some(Self::Forfeit(which)),
            _ => None,
        }
    }

    /// The standing of each seat: a program that fails has lost, and the others have won.
    pub(super) fn standings(self, seats: usize, results: &[ResultInfo]) -> Vec<Standing> {
        match self {
            Self::Outcome(outcome) => {
                results.get(usize::from(outcome)).map_or_else(Vec::new, |result| result.standings.clone())
            }
            Self::Forfeit(broken) => {
                let fared = |seat| if seat == usize::from(broken) { Standing::Loss } else { Standing::Win };
                (0..seats).map(fared).collect()
            }
        }
    }
}

/// Where one thread plays.
pub(super) struct Room<'a, G: CompleteGame> {
    game: &'a G,
    ladder: &'a Ladder,
    choices: Vec<G::Choice>,
    /// By contender.
    pub(super) spent: Vec<Spent>,
}

impl<'a, G: CompleteGame> Room<'a, G> {
    pub(super) fn new(game: &'a G, ladder: &'a Ladder) -> Self {
        let spent = vec![Spent::default(); ladder.contenders.len()];
        Self { game, ladder, choices: Vec::with_capacity(64), spent }
    }

    /// Plays a game with the dice of its round; `None` if it was stopped early.
    pub(super) fn play(&mut self, line_up: &[usize], round: u64, stop: &AtomicBool) -> Option<Finish> {
        let seed = self.ladder.seed;
        let seats = 0..line_up.len() as u64;
        let mut dice = Streams {
            fate: LabDice::for_game(seed, round),
            seats: seats
                .map(|seat| LabDice::for_game(seed ^ BOTS_DICE, round.wrapping_mul(MOST_SEATS) + seat))
                .collect(),
        };
        let all_bots = line_up.iter().map(|&who| match self.ladder.contenders[who].who {
            Opponent::Bot(kind) => Some(Player::new(kind)),
            Opponent::Program(_) => None,
        });
        match all_bots.collect::<Option<Vec<Player<G>>>>() {
            Some(mut players) => self.among_bots(line_up, &mut players, &mut dice, stop),
            None => self.with_programs(line_up, &mut dice, stop),
        }
    }

    /// The fast way: states only, no log.
    fn among_bots(
        &mut self,
        line_up: &[usize],
        players: &mut [Player<G>],
        dice: &mut Streams,
        stop: &AtomicBool,
    ) -> Option<Finish> {
        let game = self.game;
        let mut state = game.start();
        loop {
            match game.mover(&state) {
                Mover::Nobody => return game.outcome(&state).map(|outcome| Finish::Outcome(outcome.0)),
                Mover::Fate => {
                    let ticket = dice.fate.below(game.tickets(&state));
                    let drawn = game.drawn(&state, ticket);
                    game.apply(&mut state, drawn, &mut Discard);
                }
                Mover::Seat(_) if stop.load(Ordering::Relaxed) => return None,
                Mover::Seat(seat) => {
                    let at = seat.index();
                    let choice = self.bot_chooses(&state, seat, line_up[at], &mut players[at], dice, stop)?;
                    game.apply(&mut state, choice, &mut Discard);
                }
            }
        }
    }

    /// The choice of a bot; `None` if it was stopped. It is not asked when there is only one choice.
    fn bot_chooses(
        &mut self,
        state: &G::State,
        seat: Seat,
        contender: usize,
        player: &mut Player<G>,
        dice: &mut Streams,
        stop: &AtomicBool,
    ) -> Option<G::Choice> {
        self.choices.clear();
        self.game.choices(state, &mut self.choices);
        if let [only] = self.choices[..] {
            return Some(only);
        }
        let begin = Instant::now();
        let view = self.game.view(state, Viewer::Seat(seat));
        let own = &mut dice.seats[seat.index()];
        let pick = player.choose_until(self.game, &view, &self.choices, own, stop);
        self.note(contender, begin);
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        self.choices.get(pick).or(self.choices.first()).copied()
    }

    fn note(&mut self, contender: usize, begin: Instant) {
        let nanoseconds = u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.spent[contender].add(&Spent { nanoseconds, choices: 1 });
    }

    /// The slower way with a table, because external programs use names. Fate's dice are the same.
    fn with_programs(&mut self, line_up: &[usize], dice: &mut Streams, stop: &AtomicBool) -> Option<Finish> {
        let game = self.game;
        let mut table = Match::new(game.clone(), MatchDice::Own);
        let mut chairs: Vec<Chair<G>> = Vec::new();
        for ((&who, seat), own) in line_up.iter().zip((0..).map(Seat)).zip(&mut dice.seats) {
            let contender = &self.ladder.contenders[who];
            chairs.push(match &contender.who {
                Opponent::Bot(kind) => Chair::Bot(Box::new(Player::new(*kind))),
                Opponent::Program(command) => {
                    let mut external = Box::new(External::new(command.clone()));
                    // Here, so that its start is no part of its time. Who fails now has nothing to say later.
                    if let Err(why) = external.greet(&table, seat, own.word(), stop) {
                        warn!("{}: {why}", contender.name);
                    }
                    Chair::Program(external)
                }
            });
        }
        let finish = loop {
            match table.mover() {
                Mover::Nobody => break game.outcome(table.state()).map(|outcome| Finish::Outcome(outcome.0)),
                Mover::Fate => {
                    let ticket = dice.fate.below(game.tickets(table.state()));
                    let drawn = game.drawn(table.state(), ticket);
                    table.fate(Some(drawn), &mut Discard).ok()?;
                }
                Mover::Seat(_) if stop.load(Ordering::Relaxed) => return None,
                Mover::Seat(seat) => {
                    let at = seat.index();
                    let choice = match &mut chairs[at] {
                        Chair::Bot(player) => {
                            self.bot_chooses(table.state(), seat, line_up[at], player, dice, stop)
                        }
                        Chair::Program(external) => match table.choices()[..] {
                            [only] => Some(only),
                            _ => {
                                let begin = Instant::now();
                                let said = external.choose(&table, &mut dice.seats[at], stop);
                                self.note(line_up[at], begin);
                                said.and_then(|said| table.read(&said.choice).ok())
                            }
                        },
                    };
                    match choice {
                        Some(choice) => table.play(choice, &mut Discard).ok()?,
                        None if stop.load(Ordering::Relaxed) => return None,
                        None => break Some(Finish::Forfeit(seat.0)),
                    }
                }
            }
        };
        for chair in &mut chairs {
            if let Chair::Program(external) = chair {
                external.game_over(&table);
            }
        }
        finish
    }
}

/// Each seat has its own dice, so that a bot's random numbers do not change Fate's.
struct Streams {
    fate: LabDice,
    seats: Vec<LabDice>,
}

/// Who sits in a seat where programs play.
enum Chair<G: CompleteGame> {
    Bot(Box<Player<G>>),
    Program(Box<External>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finish_survives_its_code() {
        for which in [0, 1, 7, 255] {
            for finish in [Finish::Outcome(which), Finish::Forfeit(which)] {
                assert_ne!(finish.code(), Finish::UNPLAYED);
                assert_eq!(Finish::of(finish.code()), Some(finish));
            }
        }
        assert_eq!(Finish::of(Finish::UNPLAYED), None);
    }

    #[test]
    fn who_breaks_down_has_lost() {
        assert_eq!(Finish::Forfeit(1).standings(3, &[]), [Standing::Win, Standing::Loss, Standing::Win]);
    }
}
