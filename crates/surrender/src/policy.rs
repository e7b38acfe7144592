//! Players made of code: what a sensible player does, question by question. The quick policy and the staff are the same
//! player; the staff says why.
//!
//! What is kept in mind is the plan of the sub-phase, which can be worked out again from any position, so that undo, forks and
//! restarts change nothing that matters.

mod activation;
mod answers;
mod fleet;
mod home;
mod landing;
mod lines;
mod odds;
mod operations;
mod plan;
mod plans;
mod politics;
mod raids;
mod reach;
mod reasons;
mod talks;
mod weights;
mod worth;

use std::sync::Arc;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Faction, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::State;

use odds::Judge;
use plan::Plan;
pub(crate) use plans::plans;
use reach::Reach;
pub use weights::Weights;
pub(crate) use weights::{built_in, own_bots};
pub(crate) use worth::Aims;

/// What a player keeps in mind.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The staff of a file of one's own; the built-in one if there is none.
    staff: Option<Arc<Weights>>,
    plan: Plan,
    reach: Reach,
    scratch: Option<Box<State>>,
    /// The rest of the way of the activated unit.
    course: Course,
}

impl Memory {
    /// The mind of a staff that was read from a file, instead of the built-in one.
    pub fn of_staff(weights: Weights) -> Self {
        Self { staff: Some(Arc::new(weights)), ..Self::default() }
    }
}

/// The longest way that is remembered.
const WAY: usize = 12;

/// The rest of a way.
#[derive(Clone, Copy, Debug)]
struct Course {
    unit: UnitId,
    /// Where the unit is if nothing has come between.
    at: Place,
    /// The steps from there to the goal, the last first.
    steps: [Place; WAY],
    left: usize,
    goal: Place,
    attack: Place,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            unit: UnitId::NONE,
            at: Place::NONE,
            steps: [Place::NONE; WAY],
            left: 0,
            goal: Place::NONE,
            attack: Place::NONE,
        }
    }
}

/// A player at work on one decision.
struct Desk<'a> {
    rules: &'a Rules,
    state: &'a State,
    weights: &'a Weights,
    faction: Faction,
    side: Side,
    memory: &'a mut Memory,
}

/// The choice of a player, as an index into the choices, and its reason if asked for.
pub(crate) fn choose(
    rules: &Rules,
    weights: &Weights,
    memory: &mut Memory,
    state: &State,
    choices: &[Choice],
    why: Option<&mut String>,
) -> usize {
    if choices.len() < 2 {
        return 0;
    }
    let frame = state.frame();
    let faction = rules.decider(state, frame);
    let own = memory.staff.clone();
    let weights = own.as_deref().unwrap_or(weights);
    let mut desk = Desk { rules, state, weights, faction, side: faction.side(), memory };
    if desk.needs_plan(frame) {
        desk.memory.plan.refresh(rules, state, faction, weights);
    }
    let pick = desk.decide(frame, choices).min(choices.len() - 1);
    if let Some(why) = why {
        desk.reason(choices[pick], why);
    }
    pick
}

impl Desk<'_> {
    /// Answers to the enemy's acts need no plan.
    fn needs_plan(&self, frame: Frame) -> bool {
        !matches!(
            frame,
            Frame::Trick(_)
                | Frame::Commit(_)
                | Frame::Item(_)
                | Frame::DuelItem(_)
                | Frame::Fort
                | Frame::Retreat
                | Frame::Evacuate(_)
                | Frame::Intercept(_)
                | Frame::Press
                | Frame::Escort
        )
    }

    fn judge(&self) -> Judge<'_> {
        Judge { rules: self.rules, weights: self.weights, plan: &self.memory.plan }
    }

    fn decide(&mut self, frame: Frame, choices: &[Choice]) -> usize {
        match frame {
            Frame::Actions(_) => self.action(choices),
            Frame::Activation => self.activation(choices),
            Frame::Advance => self.advance(choices),
            Frame::Primary(hex) => self.primary(hex, choices),
            Frame::Additional | Frame::LandingMore => self.additional(choices),
            Frame::AdvanceOne => self.forward(choices),
            Frame::Trick(_) => self.trick(choices),
            Frame::Commit(side) => self.commit(usize::from(side), choices),
            Frame::Item(side) => self.item(usize::from(side), choices),
            Frame::DuelItem(_) => 0,
            Frame::Fort => self.fort(choices),
            Frame::Retreat => self.retreat(choices),
            Frame::Evacuate(_) => position(choices, Choice::Evacuate),
            Frame::RebaseTo(unit) => self.base(unit, choices),
            Frame::SailTo(unit) => self.harbour(unit, choices),
            Frame::Passenger(_) => self.passenger(choices),
            Frame::TransportTo => self.transport_to(choices),
            Frame::InvadeWith(_) => 0,
            Frame::InvadeAt => self.beach(choices),
            Frame::StrikeAt(unit) => self.strike(unit, choices),
            Frame::BombAt(_) => self.bomb(choices),
            Frame::DropFrom(_) => 0,
            Frame::DropAt => self.drop_zone(choices),
            Frame::Escort => self.escort(choices),
            Frame::Intercept(_) => self.intercept(choices),
            Frame::CallOff => position(choices, Choice::CallOff),
            Frame::Press => position(choices, Choice::Press),
            Frame::Mulberry => position(choices, Choice::Mulberry),
            Frame::Rail(_) => self.rail(choices),
            Frame::RailTo(unit) => self.rail_to(unit, choices),
            Frame::Link(_) => self.link(choices),
            Frame::LinkTo(_) => self.link_to(choices),
            Frame::Feed(_) | Frame::AirSupply(_) => self.feed(choices),
            Frame::Replace(_) => self.replace(choices),
            Frame::Mobilize(_) | Frame::Emergency(_) => self.mobilize(choices),
            Frame::MobilizeAt(unit) | Frame::EmergencyAt(unit, _) | Frame::PlaceAir(unit) => {
                self.place_new(unit, choices)
            }
            _ => self.politics(frame, choices),
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
