//! What the next to choose would make of a position, where something is hidden.
//!
//! Playouts value a position as the quick policy would play it. The match itself is valued as if every decision had been made
//! well: what a mistake threw away is given back before it. If only the match were, every draw before a blow that quick play
//! overlooks would look like luck, because the positions that the match did not reach would be played by somebody who overlooks
//! it. So they are given the same: the next decision after each is looked at, from the view of whoever is to make it, and
//! what the best choice promises more than the quick one is added, where that is beyond doubt.
//!
//! With others at the table half of it is. They would reply as well to the reply, and so on in turn, and of a sum that goes to
//! and fro the middle of two steps is the best guess. Over matches of `blitz` the luck of single draws became a quarter smaller.

use std::collections::HashMap;

use kernel::{CompleteGame, Dice as _, Discard, Effort, LabDice, Mover, Seat, Viewer, fingerprint};

use crate::chances::{difference, plus, room_for, within_bounds};
use crate::estimate::{Assessor, Estimate, Judgement};
use crate::survey::Place;

/// What a good reply is worth where others will reply to it.
const AMONG_OTHERS: f64 = 0.5;
/// More steps than this without a decision are not followed.
const LONGEST_WAY: usize = 64;

/// A decision that comes next after some places.
#[derive(Debug)]
pub struct Reply<G: CompleteGame> {
    /// The position.
    pub state: G::State,
    /// Who decides.
    pub seat: Seat,
    /// What quick play would choose.
    quick: G::Choice,
}

/// The next decisions, each once even if several positions lead to the same view.
#[derive(Debug)]
pub struct Replies<G: CompleteGame> {
    /// The decisions.
    pub list: Vec<Reply<G>>,
    /// By place: the decision that comes next.
    next: Vec<Option<usize>>,
    /// The part of a good reply that counts.
    worth: f64,
}

impl<G: CompleteGame> Replies<G> {
    /// The next decisions after places of a game that hides something; none where nothing is hidden.
    pub fn after(game: &G, places: &[Place<G>]) -> Self {
        let worth = if game.seats().len() > 1 { AMONG_OTHERS } else { 1.0 };
        let mut replies = Self { list: Vec::new(), next: Vec::new(), worth };
        if !game.hides() {
            return replies;
        }
        let mut known: HashMap<u64, usize> = HashMap::new();
        for (at, place) in places.iter().enumerate() {
            let mut dice = LabDice::new(fingerprint(&(at as u64, "reply")));
            let reply = next_decision(game, place.state.clone(), &mut dice);
            replies.next.push(reply.map(|reply| {
                let mark = fingerprint(&(game.view(&reply.state, Viewer::Seat(reply.seat)), reply.seat.0));
                *known.entry(mark).or_insert_with(|| {
                    replies.list.push(reply);
                    replies.list.len() - 1
                })
            }));
        }
        replies
    }

    /// Adds what good replies are worth to the estimates of the places.
    pub fn add(&self, judgements: &[Judgement<G::Choice>], places: &mut [Estimate]) {
        for (place, next) in places.iter_mut().zip(&self.next) {
            let judgement = next.and_then(|next| judgements.get(next));
            let Some((best, quick)) = judgement.filter(|found| found.is_sure()).and_then(Judgement::better)
            else {
                continue;
            };
            let gain = difference(quick.chances, best.chances).map(|gain| self.worth * gain);
            let factor = room_for(place.chances, gain);
            place.chances = within_bounds(plus(place.chances, gain, factor));
            let error = self.worth * (best.error.powi(2) + quick.error.powi(2)).sqrt();
            place.error = (place.error.powi(2) + error.powi(2)).sqrt();
        }
    }
}

impl<G: CompleteGame> Reply<G> {
    /// What the choices promise, and how the quick one compares.
    pub fn judge(&self, assessor: &Assessor<'_, G>, playouts: u32, seed: u64) -> Judgement<G::Choice> {
        assessor.decision(&self.state, self.seat, self.quick, playouts, seed)
    }
}

/// The next decision on one of the ways on from a position; `None` where none comes.
fn next_decision<G: CompleteGame>(game: &G, mut state: G::State, dice: &mut LabDice) -> Option<Reply<G>> {
    let mut choices = Vec::new();
    for _ in 0..LONGEST_WAY {
        let choice = match game.mover(&state) {
            Mover::Nobody => return None,
            Mover::Fate => game.drawn(&state, dice.below(game.tickets(&state))),
            Mover::Seat(seat) => {
                choices.clear();
                game.choices(&state, &mut choices);
                match choices[..] {
                    [] => return None,
                    [only] => only,
                    _ => {
                        let quick = {
                            let (view, mut memory) =
                                (game.view(&state, Viewer::Seat(seat)), G::Memory::default());
                            game.policy(Effort::Playout, &mut memory, &view, &choices, dice, None)
                        };
                        return Some(Reply { quick: *choices.get(quick)?, state, seat });
                    }
                }
            }
        };
        game.apply(&mut state, choice, &mut Discard);
    }
    None
}

#[cfg(test)]
mod tests {
    use kernel::{Game, Match, MatchDice, Options};

    use super::*;
    use crate::estimate::Tried;
    use crate::survey::Survey;

    fn begun<G: CompleteGame>(steps: usize) -> Survey<G> {
        let game = G::with_options(&Options::new()).expect("a game");
        let mut of = Match::new(game, MatchDice::seeded(3));
        while of.log().len() < steps {
            of.play_forced(&mut Discard);
            let first = of.choices()[0];
            of.play(first, &mut Discard).expect("an open choice");
        }
        Survey::of(&of)
    }

    #[test]
    fn what_looks_the_same_is_looked_at_once() {
        let survey = begun::<blitz::Blitz>(30);
        let game = blitz::Blitz::with_options(&Options::new()).expect("a game");
        let replies = Replies::after(&game, &survey.places);
        assert_eq!(replies.next.len(), survey.places.len());
        assert!(replies.next.iter().flatten().all(|next| *next < replies.list.len()));
        let (looks, places) = (replies.list.len(), survey.places.len());
        assert!(looks > 0 && looks * 3 < places, "{looks} looks for {places} places");
        let open = begun::<echoes::Echoes>(30);
        let game = echoes::Echoes::with_options(&Options::new()).expect("a game");
        assert!(Replies::after(&game, &open.places).list.is_empty(), "nothing is hidden");
    }

    #[test]
    fn half_of_a_good_reply_counts_and_none_of_a_doubtful_one() {
        let tried = |choice, chance: f64| Tried {
            choice,
            visits: 9,
            chances: [chance, 1.0 - chance, 0.0],
            error: 0.01,
        };
        let judgement = |noise: f64| Judgement {
            tried: vec![tried(blitz::Choice::Stop, 0.9), tried(blitz::Choice::Stop, 0.5)],
            made: Some(1),
            best: Some(0),
            gap: 0.4,
            noise,
            playouts: 18,
        };
        let replies = Replies::<blitz::Blitz> {
            list: Vec::new(),
            next: vec![Some(0), None, Some(1)],
            worth: AMONG_OTHERS,
        };
        let mut places = [Estimate { chances: [0.3, 0.7, 0.0], error: 0.0, playouts: 5 }; 3];
        replies.add(&[judgement(0.1), judgement(0.6)], &mut places);
        assert!((places[0].chances[0] - 0.5).abs() < 1e-12 && (places[0].chances[1] - 0.5).abs() < 1e-12);
        assert!(places[0].error > 0.0);
        assert_eq!((places[1].chances[0], places[2].chances[0]), (0.3, 0.3));
    }
}
