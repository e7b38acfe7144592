//! The questions of supply, Strategic Movement, replacements, mobilization and economy: who lists and plays them. Rules 4.8,
//! 5.4, 7 to 9.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// The choices of these phases.
    pub(crate) fn list_logistics(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        match frame {
            Frame::Rail(faction) => self.list_rail(state, faction, out),
            Frame::RailTo(unit) => self.list_rail_ends(state, unit, out),
            Frame::Link(faction) => self.list_links(state, faction, out),
            Frame::LinkTo(convoy) => self.list_link_ends(state, convoy, out),
            Frame::Feed(_) => self.list_hungry(state, out),
            Frame::AirSupply(faction) => self.list_air_supply(state, faction, out),
            Frame::Replace(faction) => self.list_replacements(state, faction, out),
            Frame::Mobilize(faction) => self.list_mobilization(state, faction, out),
            Frame::MobilizeAt(unit) => self.list_locations(state, unit, out),
            Frame::LendLease => self.list_lend_lease(state, out),
            Frame::Relocate => self.list_relocations(state, out),
            Frame::Emergency(_) => self.list_emergency(state, out),
            Frame::EmergencyAt(..) => self.list_emergency_places(state, out),
            _ => {}
        }
    }

    /// A choice or die of these phases.
    pub(crate) fn play_logistics<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        match (frame, choice) {
            (Frame::StrategicDie(..), _) => self.play_strategic_die(state, frame, choice, sink),
            (Frame::EntryDie(unit), Choice::Die(die)) => self.play_entry(state, unit, die, sink),
            (Frame::Rail(_), _) => self.play_rail(state, choice),
            (Frame::RailTo(unit), Choice::To(place)) => self.play_rail_end(state, unit, place, sink),
            (Frame::Link(_), _) => self.play_link(state, choice),
            (Frame::LinkTo(convoy), Choice::To(place)) => self.play_link_end(state, convoy, place, sink),
            (Frame::Feed(_), Choice::Feed(unit)) => self.play_feed(state, unit, sink),
            (Frame::AirSupply(faction), _) => self.play_air_supply(state, faction, choice, sink),
            (Frame::Replace(faction), _) => self.play_replacement(state, faction, choice, sink),
            (Frame::Mobilize(faction), _) => self.play_mobilization(state, faction, choice, sink),
            (Frame::MobilizeAt(unit), Choice::To(place)) => self.play_location(state, unit, place, sink),
            (Frame::LendLease, Choice::LendLease(to)) => self.play_lend_lease(state, to, sink),
            (Frame::Relocate, _) => self.play_relocation(state, choice, sink),
            (Frame::Emergency(left), _) => self.play_emergency(state, left, choice),
            (Frame::EmergencyAt(unit, left), Choice::To(place)) => {
                self.play_emergency_place(state, (unit, left), place, sink);
            }
            _ => {}
        }
    }
}
