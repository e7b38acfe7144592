//! The commander: a player made of rules of thumb, steered by weights in a text file. Rule 23.
//!
//! It looks at the position alone. What it keeps in mind is only worked out once a phase and could be worked out again at
//! any moment, so that undo, forks and restarts do not change its play.

mod answers;
mod attack;
mod ending;
mod facing;
mod fire;
mod guns;
mod headquarters;
mod march;
mod plan;
mod reasons;
mod weights;

use crate::choice::Choice;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Stage, State};

use ending::Ending;
use plan::{Plan, Ways};
pub use weights::Personality;
pub(crate) use weights::{COMMANDERS, own_commanders};

/// What a commander keeps in mind: the plan of the phase.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    plan: Plan,
}

/// A commander at work on one decision.
pub(crate) struct Desk<'a> {
    rules: &'a Rules,
    s: &'a State,
    weights: &'a Personality,
    plan: &'a Plan,
    /// The side that it commands.
    side: Side,
    /// How that side stands to the end of the battle.
    ending: Ending,
}

/// The choice of a commander, as an index into the choices, and its reason if requested.
pub(crate) fn command(
    rules: &Rules,
    bot: usize,
    memory: &mut Memory,
    s: &State,
    choices: &[Choice],
    why: Option<&mut String>,
) -> usize {
    if choices.len() < 2 {
        return 0;
    }
    let weights = rules.settings.own_commander.as_ref().filter(|_| bot == 0).map(|(_, own)| own);
    let weights = weights.unwrap_or_else(|| Personality::builtin(bot));
    let side = rules.chooser(s);
    memory.plan.refresh(rules, s, side, weights, Ways::Charted);
    let ending = Ending::of(rules, s, side);
    let desk = Desk { rules, s, weights, plan: &memory.plan, side, ending };
    let pick = desk.decide(choices).min(choices.len() - 1);
    if let Some(why) = why {
        desk.reason(choices[pick], why);
    }
    pick
}

/// What a sensible player does without a plan: the same eyes, but distances as the crow flies.
pub(crate) fn quick_choice(rules: &Rules, s: &State, choices: &[Choice]) -> usize {
    if choices.len() < 2 {
        return 0;
    }
    quick(rules, &mut Memory::default(), s, choices)
}

/// The same for one who keeps the plan of the phase in mind.
pub(crate) fn quick(rules: &Rules, memory: &mut Memory, s: &State, choices: &[Choice]) -> usize {
    let (side, weights) = (rules.chooser(s), Personality::builtin(0));
    memory.plan.refresh(rules, s, side, weights, Ways::Crow);
    let ending = Ending::of(rules, s, side);
    Desk { rules, s, weights, plan: &memory.plan, side, ending }.decide(choices).min(choices.len() - 1)
}

impl Desk<'_> {
    fn decide(&self, choices: &[Choice]) -> usize {
        let s = self.s;
        if s.die > 0 {
            return self.keep_or_reroll(choices);
        }
        match s.stage {
            Stage::Order => self.order(choices),
            Stage::Rally | Stage::RallyPick => self.rally(choices),
            Stage::RecoveryZone | Stage::RallyZone => self.best(choices, |choice| self.haven(choice)),
            Stage::Movement | Stage::NightMoves => self.movement(choices),
            Stage::Group => self.group(choices),
            Stage::March => self.march(choices),
            Stage::Turning => self.best(choices, |choice| self.facing(s.act.from, choice)),
            Stage::Fallback => self.fallback(choices),
            Stage::Demolition => position(choices, Choice::Blow),
            Stage::Engineering => self.engineering(choices),
            Stage::Combat | Stage::Raids | Stage::NewAssault | Stage::Interdiction => self.combat(choices),
            Stage::RangedTarget => self.best(choices, |choice| self.target(choice)),
            Stage::RangedFire | Stage::AssaultForce => self.force(choices),
            Stage::AssaultLead => self.best(choices, |choice| self.leader(choice)),
            Stage::AssaultAnswer => self.best(choices, |choice| self.defender(choice)),
            Stage::AssaultFire => self.defensive_fire(choices),
            Stage::RangedResult | Stage::GunnerResult => self.under_fire(choices),
            Stage::Retreat => self.best(choices, |choice| self.refuge(choice)),
            Stage::LimitedAdvance | Stage::Advance => self.advance(choices),
            Stage::LimitedGroup | Stage::AdvanceMarch => self.advance_on(choices),
            _ => 0,
        }
    }

    /// The choice of the highest worth, the first among equals.
    fn best(&self, choices: &[Choice], mut worth: impl FnMut(Choice) -> i32) -> usize {
        let mut best = (i32::MIN, 0);
        for (at, &choice) in choices.iter().enumerate() {
            let found = worth(choice);
            if found > best.0 {
                best = (found, at);
            }
        }
        best.1
    }
}

/// Where a choice stands in the list; the first place if it is not there.
fn position(choices: &[Choice], wanted: Choice) -> usize {
    choices.iter().position(|choice| *choice == wanted).unwrap_or(0)
}
