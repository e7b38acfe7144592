//! What is asked about ships and aircraft, supply, purchases and politics.

use kernel::Prompt;

use crate::frame::Frame;
use crate::ids::{Faction, UnitId};
use crate::prompts::ask;
use crate::rules::Rules;
use crate::state::{Errand, Occasion, State};
use crate::words::count;

impl Rules {
    /// Ships and aircraft.
    pub(crate) fn mission_prompt(&self, state: &State, faction: Faction, frame: Frame) -> Prompt {
        let mission = &state.mission;
        let ship = self.unit_name(mission.unit);
        let name = |unit: UnitId| self.unit_name(unit);
        match frame {
            Frame::DuelItem(_) => {
                let text = format!("{}: use a marker?", self.duel_words(state));
                ask(faction, &text, "to use a marker or not", "5.1")
            }
            Frame::RebaseTo(unit) => {
                self.ask_where(faction, "where does", unit, "rebase?", "to rebase an air unit", "4.5")
            }
            Frame::SailTo(unit) => {
                self.ask_where(faction, "where does", unit, "sail?", "to name a port", "4.6")
            }
            Frame::Passenger(unit) => {
                ask(faction, &format!("who goes aboard {}?", name(unit)), "to load a convoy", "4.7")
            }
            Frame::TransportTo => self.ask_where(
                faction,
                "where does",
                mission.passenger,
                "go by sea?",
                "to name a port",
                "4.7",
            ),
            Frame::InvadeWith(unit) => {
                let text = format!("with which convoy does {} land?", name(unit));
                ask(faction, &text, "to prepare a landing", "6.4")
            }
            Frame::InvadeAt => {
                self.ask_where(faction, "where does", mission.passenger, "land?", "to name the beach", "6.4")
            }
            Frame::LandingMore => {
                ask(faction, "more attackers beside the beach, or go", "to name more attackers", "6.4")
            }
            Frame::StrikeAt(unit) => {
                let text = format!("what does {} strike?", name(unit));
                ask(faction, &text, "to name the target of an Air Strike", "6.6")
            }
            Frame::BombAt(unit) => {
                let text = format!("which Factory does {} bomb?", name(unit));
                ask(faction, &text, "to name the target of a Bombing Run", "6.7")
            }
            Frame::DropFrom(unit) => {
                let text = format!("which air unit carries {}?", name(unit));
                ask(faction, &text, "to prepare an Airdrop", "6.8")
            }
            Frame::DropAt => self.ask_where(
                faction,
                "where is",
                mission.passenger,
                "dropped?",
                "to name the drop zone",
                "6.8",
            ),
            Frame::Escort => {
                let text = format!("{}: an escort?", self.mission_sentence(state));
                ask(faction, &text, "to name an escort or none", "6.9")
            }
            Frame::Intercept(_) => {
                let escort = match mission.escort.some() {
                    Some(unit) => format!(", escorted by {}", name(unit)),
                    None => ", without an escort".to_owned(),
                };
                let text = format!("{}{escort}: intercept?", self.mission_sentence(state));
                ask(faction, &text, "to intercept or not", "6.9")
            }
            Frame::CallOff => {
                let text =
                    format!("the escort has failed: go on with the landing of {}?", name(mission.passenger));
                ask(faction, &text, "to call the invasion off or not", "5.2")
            }
            Frame::Press => {
                let text = format!("the escort has failed: attack {ship} as well?");
                ask(faction, &text, &format!("to attack {ship} or let it go"), "6.9")
            }
            Frame::Mulberry => {
                let text = format!("place the Mulberry {}?", self.at_place(mission.to));
                ask(faction, &text, "to place the Mulberry or not", "14.0")
            }
            _ => self.home_prompt(state, faction, frame),
        }
    }

    /// Supply, purchases, politics.
    fn home_prompt(&self, state: &State, faction: Faction, frame: Frame) -> Prompt {
        let name = |unit: UnitId| self.unit_name(unit);
        match frame {
            Frame::Link(_) => {
                ask(faction, "which convoy makes the next sea link?", "to make sea links", "7.4")
            }
            Frame::LinkTo(unit) => {
                let text = format!("the other end of the link of {}", name(unit));
                ask(faction, &text, "to make a sea link", "7.4")
            }
            Frame::Feed(source) => {
                let text = format!("{} feeds two units only: which?", self.place_words(source));
                ask(faction, &text, "to choose who is fed", "7.3")
            }
            Frame::AirSupply(_) => {
                ask(faction, "Air Transport for which unit?", "to use Air Transport or not", "14.0")
            }
            Frame::Replace(_) => ask(faction, "which unit is replaced?", "to buy replacements", "8.1"),
            Frame::Mobilize(_) => ask(faction, "which unit is mobilized?", "to mobilize", "8.3"),
            Frame::MobilizeAt(unit) => {
                self.ask_where(faction, "where does", unit, "arrive?", "to place a new unit", "8.3")
            }
            Frame::Diplomacy(_) => {
                let left: i32 = state.cup.iter().map(|count| i32::from(*count)).sum();
                let text = format!(
                    "draw from the Diplomacy Cup ({}), put a marker in, or neither",
                    count(left, "marker")
                );
                ask(faction, &text, "to buy diplomacy or not", "10.4")
            }
            Frame::Coup(_) => {
                ask(faction, "a Coup in which country?", "to name the country of a Coup", "10.4")
            }
            Frame::FinlandWar => {
                ask(faction, "Finland refuses: declare war on it?", "to decide about Finland", "10.4")
            }
            Frame::BalticPro(_) => {
                ask(faction, "a Pro-marker on which Baltic state?", "to place a Pro-marker", "10.4")
            }
            Frame::ProMarker(_, country) => {
                let text =
                    format!("{} is conquered: a Pro-marker on which neighbour?", self.country_name(country));
                ask(faction, &text, "to place a Pro-marker or not", "13.3")
            }
            Frame::PlaceAir(unit) => {
                self.ask_where(faction, "where is", unit, "placed?", "to place an air unit", "13.5")
            }
            Frame::Emergency(left) => {
                let text = format!("Emergency Mobilization: which unit? {left} left");
                ask(faction, &text, "to mobilize in the emergency", "30.6")
            }
            Frame::EmergencyAt(unit, _) => {
                self.ask_where(faction, "where does", unit, "arrive?", "to place a new unit", "30.6")
            }
            _ => ask(faction, "your choice", "to choose", "1.5"),
        }
    }

    /// "the Baltic Convoys carry the 2nd Army to land at 3216".
    fn mission_sentence(&self, state: &State) -> String {
        let mission = &state.mission;
        let unit = mission.unit;
        let ship = self.unit_name(unit);
        let carries =
            format!("{ship} {} {}", self.verb(unit, "carries", "carry"), self.unit_name(mission.passenger));
        let (to, at) = (self.place_words(mission.to), self.at_place(mission.to));
        match mission.errand {
            Errand::Transport => format!("{carries} to {to}"),
            Errand::Invasion => format!("{carries} to land {at}"),
            Errand::Airdrop => format!("{carries} to drop {at}"),
            Errand::Bombing => format!("{ship} {} to bomb {to}", self.verb(unit, "flies", "fly")),
            Errand::Link => format!("{ship} {} to supply {to}", self.verb(unit, "sails", "sail")),
            Errand::Sail | Errand::None => format!("{ship} {} to {to}", self.verb(unit, "sails", "sail")),
        }
    }

    /// "Luftflotte 2 against Fighter Command".
    pub(crate) fn duel_words(&self, state: &State) -> String {
        let [attacker, defender] = state.duel.units;
        let what = match state.duel.occasion {
            Occasion::AirSupport => "Air combat",
            Occasion::Strike => "Air Strike",
            Occasion::Escort => "Combat with the escort",
            Occasion::Interdiction => "Interception",
        };
        format!("{what}, {} against {}", self.unit_name(attacker), self.unit_name(defender))
    }
}
