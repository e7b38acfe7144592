//! What a choice means here: ships, aircraft, supply, rail.

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::{Errand, State};
use crate::words::capitalized;

impl Rules {
    /// Ships, aircraft, supply, rail.
    pub(crate) fn mission_label(&self, state: &State, choice: Choice) -> String {
        let where_is = |unit: UnitId| self.at_place(state.unit(unit).place);
        let name = |unit: UnitId| self.unit_name(unit);
        match choice {
            Choice::Rail(unit) => format!("Move {} {} by rail", name(unit), where_is(unit)),
            Choice::Rebase(unit) => format!("Rebase {} {}", name(unit), where_is(unit)),
            Choice::Sail(unit) => format!("Sail with {} {}", name(unit), where_is(unit)),
            Choice::Transport(unit) => format!("Carry a unit with {} {}", name(unit), where_is(unit)),
            Choice::Invade(unit) => format!("Land {} {} from the sea", name(unit), where_is(unit)),
            Choice::Strike(unit) => {
                format!("Air Strike with {} {} ({})", name(unit), where_is(unit), self.condition(state, unit))
            }
            Choice::Bomb(unit) => {
                format!(
                    "Bombing Run with {} {} ({})",
                    name(unit),
                    where_is(unit),
                    self.condition(state, unit)
                )
            }
            Choice::Drop(unit) => format!("Airdrop of {} {}", name(unit), where_is(unit)),
            Choice::To(place) => self.to_label(state, place),
            Choice::At(place) => self.at_label(state, place),
            Choice::With(unit) => self.with_label(state, unit),
            Choice::Against(unit) => {
                format!("Strike {} {} ({})", name(unit), where_is(unit), self.condition(state, unit))
            }
            Choice::Escort(unit) => {
                format!("Escort by {} {} ({})", name(unit), where_is(unit), self.condition(state, unit))
            }
            Choice::Alone => "No escort".to_owned(),
            Choice::Intercept(unit) => {
                format!("Intercept with {} {} ({})", name(unit), where_is(unit), self.condition(state, unit))
            }
            Choice::LetGo => match state.frame() {
                Frame::Press => format!("Let {} go", name(state.mission.unit)),
                _ => "Do not intercept".to_owned(),
            },
            Choice::LetAllGo => "Intercept nothing more this month (everybody will know)".to_owned(),
            Choice::CallOff => "Call the invasion off".to_owned(),
            Choice::GoOn => "Go on without the escort".to_owned(),
            Choice::Press => {
                format!("Attack {} ({})", name(state.mission.unit), self.condition(state, state.mission.unit))
            }
            Choice::Mulberry => "Place the Mulberry: a port for three turns".to_owned(),
            Choice::Link(unit) => {
                format!(
                    "Make a sea link with {} {} ({})",
                    name(unit),
                    where_is(unit),
                    self.condition(state, unit)
                )
            }
            Choice::Feed(unit) => match state.frame() {
                Frame::AirSupply(_) => {
                    format!("Air Transport for {} {}: Low instead of No Supply", name(unit), where_is(unit))
                }
                _ => format!("Feed {} {}: Low Supply", name(unit), where_is(unit)),
            },
            _ => format!("{choice:?}"),
        }
    }

    fn to_label(&self, state: &State, place: Place) -> String {
        let words = self.place_words(place);
        match state.frame() {
            Frame::RailTo(unit) => format!("Move {} to {words}", self.unit_name(unit)),
            Frame::RebaseTo(unit) => {
                let from = state.unit(unit).place;
                let far = match (from.is_hex(), place.is_hex()) {
                    (true, true) => {
                        format!(" ({})", hexes(self.world.distance(from, place)))
                    }
                    _ => String::new(),
                };
                format!("Rebase {} to {words}{far}", self.unit_name(unit))
            }
            Frame::SailTo(unit) => format!("Sail with {} to {words}", self.unit_name(unit)),
            Frame::TransportTo => format!("Carry {} to {words}", self.unit_name(state.mission.passenger)),
            Frame::LinkTo(unit) => format!("Link with {} to {words}", self.unit_name(unit)),
            Frame::MobilizeAt(unit) | Frame::PlaceAir(unit) | Frame::EmergencyAt(unit, _) => {
                format!("{} {} in {words}", self.unit_title(unit), self.verb(unit, "arrives", "arrive"))
            }
            _ => format!("To {words}"),
        }
    }

    fn at_label(&self, state: &State, place: Place) -> String {
        let words = self.at_place(place);
        let enemy = match self.ground_in(state, place) {
            Some(unit) => format!(", against {} ({})", self.unit_name(unit), self.condition(state, unit)),
            None => String::new(),
        };
        match state.frame() {
            Frame::InvadeAt => format!("Land {words}{enemy}"),
            Frame::DropAt => format!("Drop {words}"),
            Frame::BombAt(_) => format!("Bomb the Factory {words}"),
            _ => capitalized(&words),
        }
    }

    fn with_label(&self, state: &State, unit: UnitId) -> String {
        let name = self.unit_name(unit);
        let condition = self.condition(state, unit);
        match state.frame() {
            Frame::Passenger(_) => format!("Take {name} aboard ({condition})"),
            Frame::InvadeWith(_) => format!("Sail with {name} ({condition})"),
            Frame::DropFrom(_) => format!("Fly with {name} ({condition})"),
            Frame::Additional => {
                let mut fight = state.fight;
                let words = format!("Add {name} to the attack ({condition})");
                match fight.more.iter_mut().find(|slot| slot.some().is_none()) {
                    Some(slot) => {
                        *slot = unit;
                        self.with_chances(state, words, &fight)
                    }
                    None => words,
                }
            }
            _ if state.mission.errand == Errand::Invasion => {
                format!("Add {name} to the landing ({condition})")
            }
            _ => format!("With {name} ({condition})"),
        }
    }
}

/// "1 hex", "5 hexes".
pub(crate) fn hexes(number: u32) -> String {
    format!("{number} {}", if number == 1 { "hex" } else { "hexes" })
}
