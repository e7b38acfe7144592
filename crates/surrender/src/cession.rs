//! Areas ceded, countries absorbed, peace with Lone countries, countries that change sides or leave the war. Rules 2.2, 10.5,
//! 17.0; rulings 106, 110, 113.

use kernel::EventSink;

use crate::game_event::{GameEvent, Loss, WillCause};
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::rules::Rules;
use crate::state::{State, Status, fate};

/// National Will of the USSR for a Disputed Area (2.1.2).
const CESSION: i16 = 2;

impl Rules {
    /// A Disputed Area is ceded (17.0), at most once: its claimant's side takes it, or it closes if the claimant is neutral.
    pub(crate) fn cede<S: EventSink<GameEvent>>(&self, state: &mut State, area: u8, sink: &mut S) {
        if state.ceded >> area & 1 != 0 {
            return;
        }
        state.ceded |= 1 << area;
        sink.emit(|| GameEvent::CededArea(area));
        let info = &self.world.disputed[usize::from(area)];
        let claimant = state.country(info.claimant);
        let side = match claimant.status {
            Status::Active | Status::Conquered => claimant.side,
            _ => Side::Nobody,
        };
        for hex in &info.hexes {
            self.hand_over(state, *hex, side, sink);
        }
        if info.claimant == Country::USSR {
            self.change_will(state, Country::USSR, CESSION, WillCause::Ceded(area), sink);
        }
    }

    /// A neutral country becomes conquered without combat, hexes included: no National Will, no Pro-marker (10.5).
    pub(crate) fn absorb<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        faction: Faction,
        sink: &mut S,
    ) {
        sink.emit(|| GameEvent::Absorbed(country, faction));
        for hex in Place::hexes() {
            if state.controller(hex) == Side::Nobody && self.owner(state, hex) == country {
                state.control[hex.index()] = faction.side();
            }
        }
        self.withdraw(state, country, Place::OUT, |_, _| false, sink);
        let entry = state.country_mut(country);
        (entry.status, entry.side, entry.pro) = (Status::Conquered, faction.side(), None);
        if faction == Faction::Axis {
            entry.fates |= fate::FELL_TO_AXIS;
        }
    }

    /// The Soviets make peace with a Lone country (2.2): what they claim there and hold entirely is ceded, everything else closes,
    /// its units leave the map, it is neutral with a Pro-Axis marker.
    pub(crate) fn make_peace<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        sink: &mut S,
    ) {
        sink.emit(|| GameEvent::Peace(country));
        for area in 0..self.world.disputed.len() as u8 {
            let info = &self.world.disputed[usize::from(area)];
            if info.owner != country || info.claimant != Country::USSR {
                continue;
            }
            let is_soviet = |hex: Place| state.controller(hex) == Side::Soviet;
            let holds_all = if info.cities.is_empty() {
                info.hexes.iter().all(|hex| is_soviet(*hex))
            } else {
                info.cities.iter().all(|city| is_soviet(self.world.city(*city).hex))
            };
            if holds_all {
                self.withdraw(state, country, Place::LATER, |_, _| false, sink);
                self.cede(state, area, sink);
            }
        }
        self.neutralize(state, country, sink);
        // What the last Lone country held of the USSR is Soviet again.
        if !Country::all().any(|other| state.country(other).side == Side::Lone) {
            for hex in Place::hexes() {
                if state.controller(hex) == Side::Lone {
                    self.take(state, hex, Side::Soviet, sink);
                }
            }
        }
        if self.has_pro_markers() {
            self.mark(state, country, Some(Faction::Axis), sink);
        }
    }

    /// A country leaves the war (10.5): neutral, its units off the map, its hexes closed.
    pub(crate) fn leave<S: EventSink<GameEvent>>(&self, state: &mut State, country: Country, sink: &mut S) {
        sink.emit(|| GameEvent::Left(country));
        self.neutralize(state, country, sink);
    }

    fn neutralize<S: EventSink<GameEvent>>(&self, state: &mut State, country: Country, sink: &mut S) {
        self.withdraw(state, country, Place::LATER, |_, _| false, sink);
        self.drop_markers(state, country);
        let entry = state.country_mut(country);
        (entry.status, entry.side, entry.points) = (Status::Neutral, Side::Nobody, 0);
        state.collapsing &= !(1 << country.index());
        for hex in Place::hexes() {
            if self.owner(state, hex) == country {
                self.hand_over(state, hex, Side::Nobody, sink);
            }
        }
    }

    /// An active country changes sides (10.5): hexes it owns go over unless a ground unit of another country of the old side
    /// stands in them; its units stay where that is legal and otherwise go to its Mobilization Box (ruling 110).
    pub(crate) fn switch<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        faction: Faction,
        sink: &mut S,
    ) {
        let (old, new) = (state.country(country).side, faction.side());
        let owned = |state: &State, hex: Place| {
            let others = state.ground_at(hex).is_some_and(|unit| self.country_of(state, unit) != country);
            state.controller(hex) == old && self.owner(state, hex) == country && !others
        };
        let mut goes = [false; crate::ids::LANDS];
        for hex in Place::hexes() {
            goes[hex.index()] = owned(state, hex);
        }
        let entry = state.country_mut(country);
        entry.side = new;
        entry.fates |= if new == Side::Axis { fate::WAS_AXIS } else { 0 };
        sink.emit(|| GameEvent::Joined(country, new));
        for unit in UnitId::all() {
            let place = state.unit(unit).place;
            let is_legal = !place.is_hex() || goes[place.index()] || state.controller(place) == new;
            if !is_legal && self.country_of(state, unit) == country {
                sink.emit(|| GameEvent::Lost(unit, Loss::Country));
                self.put(state, unit, Place::POOL);
                sink.emit(|| GameEvent::Pooled(unit));
            }
        }
        for hex in Place::hexes().filter(|hex| goes[hex.index()]) {
            self.hand_over(state, hex, new, sink);
        }
    }
}
