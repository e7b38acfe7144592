//! Losses of units, and Naval Evacuation. Rules 2.1.2, 3.1, 5.3, 14.0.

use kernel::EventSink;

use crate::frame::Frame;
use crate::game_event::{GameEvent, Loss, WillCause};
use crate::ids::{Node, Place, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{FRAMES, State, Status, Supply, flag};

/// Frames that are kept free when units are asked for one after another.
const SPARE_FRAMES: usize = 4;

impl Rules {
    /// A ground unit loses a step; a reduced one is [lost or evacuated](Self::lose_or_evacuate).
    pub(crate) fn reduce<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        why: Loss,
        sink: &mut S,
    ) {
        if Self::is_reduced(state, unit) {
            return self.lose_or_evacuate(state, unit, why, sink);
        }
        state.unit_mut(unit).level = 1;
        sink.emit(|| GameEvent::Reduced(unit));
    }

    /// A unit is about to be eliminated in combat or by No Supply: its owner is asked for Naval Evacuation where that can be
    /// used (14.0), otherwise the unit is [lost](Self::lose). The answer carries it out; the frame below goes on.
    pub(crate) fn lose_or_evacuate<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        why: Loss,
        sink: &mut S,
    ) {
        let can_be_asked = usize::from(state.depth) + SPARE_FRAMES < FRAMES;
        if can_be_asked && self.can_evacuate(state, unit) {
            state.push(Frame::Evacuate(unit));
        } else {
            self.lose(state, unit, why, sink);
        }
    }

    /// A unit is lost: it goes to the Mobilization Box of its country (3.1), or out of the game where its country is not
    /// active any more (ruling 109). A field unit lost while defending costs National Will (2.1.2).
    pub(crate) fn lose<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        why: Loss,
        sink: &mut S,
    ) {
        let country = self.country_of(state, unit);
        let attacker = state.fight.primary.some().map(|primary| self.side_of(state, primary));
        self.take_off(state, unit, why == Loss::Country);
        sink.emit(|| GameEvent::Lost(unit, why));
        if why == Loss::Defending && self.kind(unit).is_field() {
            if let Some(attacker) = attacker {
                state.last_blow = attacker;
            }
            self.change_will(state, country, -1, WillCause::UnitLost(unit), sink);
        }
    }

    /// Takes a unit from the map: to its Mobilization Box while its country is active, else out of the game.
    fn take_off(&self, state: &mut State, unit: UnitId, for_good: bool) {
        let is_active = state.country(self.country_of(state, unit)).status == Status::Active;
        self.put(state, unit, if is_active && !for_good { Place::POOL } else { Place::OUT });
        let entry = state.unit_mut(unit);
        entry.level = 0;
        entry.supply = Supply::Full;
        // Free Forces stay the United Kingdom's (13.4).
        entry.flags &= flag::FREE;
    }

    /// Whether a unit can be taken off by sea (14.0): a field unit in a coastal hex, a marker in hand, and a Sea Zone of the
    /// hex that another friendly port opens on.
    pub(crate) fn can_evacuate(&self, state: &State, unit: UnitId) -> bool {
        let (place, side) = (state.unit(unit).place, self.side_of(state, unit));
        let Some(faction) = side.faction() else { return false };
        if !self.kind(unit).is_field()
            || !place.is_hex()
            || self.ready(state, Marker::NavalEvacuation, Owner::Faction(faction)) == 0
        {
            return false;
        }
        let zones = self.world.hex(place).zones & self.scenario().nodes;
        Node::of(zones).any(|zone| {
            self.world.ports[zone.index()].iter().any(|port| {
                let hex = self.world.city(*port).hex;
                hex != place && self.is_naval_base(state, hex, side)
            })
        })
    }

    /// Naval Evacuation: to the Mobilization Box without loss of National Will.
    pub(crate) fn evacuate<S: EventSink<GameEvent>>(&self, state: &mut State, unit: UnitId, sink: &mut S) {
        let side = self.side_of(state, unit);
        if let Some(faction) = side.faction() {
            self.spend(state, Marker::NavalEvacuation, Owner::Faction(faction));
        }
        self.take_off(state, unit, false);
        sink.emit(|| GameEvent::Played(side, Marker::NavalEvacuation));
        sink.emit(|| GameEvent::Evacuated(unit));
    }

    /// How a unit that was not evacuated is lost: in the combat under way, or by No Supply.
    pub(crate) fn loss_under_way(&self, state: &State, unit: UnitId) -> Loss {
        if unit == state.fight.primary {
            Loss::Attacking
        } else if unit == state.fight.defender {
            Loss::Defending
        } else {
            Loss::Supply
        }
    }
}
