//! Play that nobody thinks about.

use kernel::{Dice, Game, Mover};

/// The next step of a random match: Fate draws, and whoever is to choose takes any legal choice. None once it has ended.
/// `choices` is room for the list.
pub fn random_choice<G: Game>(
    game: &G,
    state: &G::State,
    dice: &mut impl Dice,
    choices: &mut Vec<G::Choice>,
) -> Option<G::Choice> {
    match game.mover(state) {
        Mover::Nobody => None,
        Mover::Fate => Some(game.drawn(state, dice.below(game.tickets(state)))),
        Mover::Seat(_) => {
            choices.clear();
            game.choices(state, choices);
            Some(choices[dice.below(choices.len() as u32) as usize])
        }
    }
}
