//! The quick policy: what a sensible player would do, stage by stage, from what its seat may see.
//!
//! [`Mind`] holds what the chapters of the policy have in common; [`economy`] spends, [`cards`] plays cards, [`plans`] finds
//! attacks, [`moves`] moves, [`battles`] fights. The weights are a [`Character`]'s.

mod battles;
mod cards;
mod character;
mod economy;
mod mind;
mod moves;
mod plans;

pub use character::Character;
pub(crate) use character::characters;
pub(crate) use mind::Mind;

use kernel::Dice;

use crate::choice::Choice;
use crate::rules::Rules;
use crate::stage::Stage;
use crate::view::View;

impl Rules {
    /// The choice of a character, as an index into the listed choices.
    pub fn character_choice<D: Dice>(
        &self,
        character: &Character,
        view: &View,
        choices: &[Choice],
        dice: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        if choices.len() <= 1 {
            return 0;
        }
        let Some(me) = self.decider(view.state()) else { return 0 };
        let mut mind = Mind::new(self, view, me, character, dice.below(1 << 16));
        mind.tells = why.is_some();
        let pick = mind.choose(choices);
        if let Some(why) = why {
            why.push_str(&mind.reason);
        }
        pick.min(choices.len() - 1)
    }
}

impl Mind<'_> {
    /// The best of the listed choices.
    fn choose(&mut self, choices: &[Choice]) -> usize {
        match self.state.stage {
            Stage::SetUp(_) | Stage::Muster(_) => self.best(choices, Self::rate_kind),
            Stage::Spend => self.choose_spending(choices),
            Stage::Step => self.best(choices, Self::rate_step),
            Stage::Build => self.best(choices, Self::rate_build),
            Stage::BuildAt | Stage::Arrival(_) => self.best(choices, Self::rate_site),
            Stage::Government | Stage::FreePlay(_) => self.choose_play(choices),
            Stage::Pay(laid) => self.choose_payment(choices, laid),
            Stage::Discard | Stage::WarCard(_) => self.best(choices, Self::rate_discard),
            Stage::Command | Stage::Winter | Stage::SecondCard => self.choose_command(choices),
            Stage::Movement => self.choose_movement(choices),
            Stage::Destination => self.choose_destination(choices),
            Stage::Fight(_) | Stage::Select | Stage::Against(_) | Stage::Group => {
                self.best(choices, Self::rate_battle)
            }
            Stage::Action(_) | Stage::AfterStrike => self.best(choices, Self::rate_action),
            Stage::Rebase | Stage::Leave(..) => self.best(choices, Self::rate_departure),
            Stage::Hit(_) => self.best(choices, Self::rate_hit),
            Stage::Escape(_) => self.best(choices, Self::rate_escape),
            Stage::Vault(_) | Stage::Turned(..) | Stage::Mole(..) => self.best(choices, Self::rate_secret),
            // Turns the spy, stands by its Protectorate, takes the first order and Ally.
            _ => 0,
        }
    }

    /// The choice with the highest rating; the first of equals.
    fn best(&mut self, choices: &[Choice], rate: impl Fn(&Self, Choice) -> i32) -> usize {
        let mut best = (i32::MIN, 0);
        for (at, &choice) in choices.iter().enumerate() {
            let rating = rate(self, choice);
            if rating > best.0 {
                best = (rating, at);
            }
        }
        best.1
    }
}
