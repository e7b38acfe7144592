//! What can be committed to a ground combat: markers and one air unit for each side. Rule 5.1 step 2, 14.0.

use std::sync::LazyLock;

use kernel::EventSink;

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::ids::{Country, Faction, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::standing::Reaction;
use crate::state::{Commitment, State};
use crate::tables::Weather;
use crate::world::World;

/// All air units.
static AIR_UNITS: LazyLock<Vec<UnitId>> =
    LazyLock::new(|| UnitId::all().filter(|unit| World::get().unit(*unit).kind.is_air()).collect());

/// The markers that are named item by item.
const NAMED: [Marker; 2] = [Marker::GroundSupport, Marker::HeavyArtillery];

impl Rules {
    /// The trick that a side may use before step 2, and which side: ULTRA for the West if both sides can commit something
    /// (in the open only as attacker: a defender sees the attacker's marker anyway); Maskirovka for a Soviet attacker whose
    /// enemy could commit something.
    pub(crate) fn trick(&self, state: &State) -> Option<(u8, Marker)> {
        for side in 0..2_u8 {
            if self.fight_side(state, side) == Side::Western
                && self.ready(state, Marker::Ultra, Owner::Faction(Faction::Western)) > 0
                && (self.settings.secret || side == 0)
                && self.can_commit(state, 0)
                && self.can_commit(state, 1)
            {
                return Some((side, Marker::Ultra));
            }
        }
        let may_mask = self.fight_side(state, 0) == Side::Soviet
            && self.ready(state, Marker::Maskirovka, Owner::Faction(Faction::Soviet)) > 0
            && self.can_commit(state, 1);
        may_mask.then_some((0, Marker::Maskirovka))
    }

    /// ULTRA or Maskirovka is used.
    pub(crate) fn use_trick<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        side: usize,
        marker: Marker,
        sink: &mut S,
    ) {
        let owner = if marker == Marker::Ultra { Faction::Western } else { Faction::Soviet };
        self.spend(state, marker, Owner::Faction(owner));
        state.fight.markers[side] |= 1 << marker.index();
        if marker == Marker::Maskirovka {
            state.fight.will[1] = Commitment::WillNot;
        }
        sink.emit(|| GameEvent::Played(owner.side(), marker));
    }

    /// Whether a side can commit something more. A defender who refuses all commitments of this month cannot (ruling 134).
    pub(crate) fn can_commit(&self, state: &State, side: usize) -> bool {
        let refuses = side == 1 && state.stands(Reaction::Commit, self.fight_side(state, 1).player());
        !refuses && self.each_item(state, side, |_| true)
    }

    /// Whether a side has named something already.
    pub(crate) fn has_committed_something(&self, state: &State, side: usize) -> bool {
        state.fight.air[side].some().is_some()
            || NAMED.into_iter().any(|marker| state.has_committed(side, marker))
    }

    /// Goes through everything that a side can still commit, until `found` says that it is enough; whether it did.
    pub(crate) fn each_item(
        &self,
        state: &State,
        side: usize,
        mut found: impl FnMut(Choice) -> bool,
    ) -> bool {
        for marker in NAMED {
            if self.owner_of_item(state, side, marker).is_some() && found(Choice::Use(marker)) {
                return true;
            }
        }
        let hex = state.fight.hex;
        if state.fight.air[side].some().is_some() || self.weather_at(state, hex) == Weather::Severe {
            return false;
        }
        let flag = self.fight_side(state, side as u8);
        let range = self.world.tables.ranges.support;
        AIR_UNITS.iter().any(|unit| {
            let place = state.unit(*unit).place;
            place.is_hex()
                && self.side_of(state, *unit) == flag
                && self.is_fit(state, *unit)
                && self.world.distance(place, hex) <= range
                && found(Choice::Air(*unit))
        })
    }

    /// The country whose marker a side could use now. Ground Support: the Primary Attacker's or the defender's. Heavy
    /// Artillery: of any attacking unit, against a city or fort. One of a kind for each side.
    fn owner_of_item(&self, state: &State, side: usize, marker: Marker) -> Option<Country> {
        if state.has_committed(side, marker) {
            return None;
        }
        let fight = &state.fight;
        let has = |unit: UnitId| {
            let country = self.country_of(state, unit);
            (self.ready(state, marker, Owner::Country(country)) > 0).then_some(country)
        };
        match (marker, side) {
            (Marker::GroundSupport, 0) => has(fight.primary),
            (Marker::GroundSupport, _) => has(fight.defender),
            (Marker::HeavyArtillery, 0) if self.has_city(fight.hex) || self.has_fort(state, fight.hex) => {
                let attackers = [fight.primary, fight.more[0], fight.more[1]];
                attackers.into_iter().filter_map(UnitId::some).find_map(has)
            }
            _ => None,
        }
    }

    /// A side names an item, or passes.
    pub(crate) fn name_item<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        side: usize,
        choice: Choice,
        sink: &mut S,
    ) {
        let flag = self.fight_side(state, side as u8);
        state.fight.naming = 1 - side as u8;
        match choice {
            Choice::Air(unit) => {
                state.fight.air[side] = unit;
                sink.emit(|| GameEvent::AirCommitted(unit));
            }
            Choice::Use(marker) => {
                if let Some(owner) = self.owner_of_item(state, side, marker) {
                    self.spend(state, marker, Owner::Country(owner));
                }
                state.fight.markers[side] |= 1 << marker.index();
                sink.emit(|| GameEvent::Played(flag, marker));
            }
            _ => {
                state.fight.passes += 1;
                return;
            }
        }
        state.fight.passes = 0;
    }
}
