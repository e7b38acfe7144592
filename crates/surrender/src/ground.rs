//! What can be read off a position: who owns and controls a hex, what is closed, where a zone of control is, what the
//! weather is; and the few changes that everything else is made of. Rules 1.1, 1.3, 3.2, 3.4, 11.0.

use crate::ids::{City, Country, Node, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{State, Status, Supply, flag};
use crate::tables::Weather;
use crate::world::{Kind, NO_AREA, Slot, UnitInfo};

impl Rules {
    // --- units ------------------------------------------------------------------------------------------------------

    /// What is printed on a unit.
    #[inline]
    pub fn info(&self, unit: UnitId) -> &'static UnitInfo {
        self.world.unit(unit)
    }

    /// The kind of a unit.
    #[inline]
    pub fn kind(&self, unit: UnitId) -> Kind {
        self.roster[unit.index()].1
    }

    /// The country that a unit belongs to for side, supply and payment: Free Forces are the UK's (13.4).
    #[inline]
    pub fn country_of(&self, state: &State, unit: UnitId) -> Country {
        if state.unit(unit).has(flag::FREE) { Country::UK } else { self.roster[unit.index()].0 }
    }

    /// The side of a unit.
    #[inline]
    pub fn side_of(&self, state: &State, unit: UnitId) -> Side {
        state.country(self.country_of(state, unit)).side
    }

    /// Whether a ground unit is reduced.
    #[inline]
    pub const fn is_reduced(state: &State, unit: UnitId) -> bool {
        state.unit(unit).level > 0
    }

    /// The movement points of a unit (4.1).
    #[inline]
    pub fn allowance(&self, state: &State, unit: UnitId) -> u8 {
        let costs = &self.world.tables.costs;
        let at = usize::from(state.unit(unit).supply != Supply::Full);
        let kind = self.kind(unit);
        if kind.is_ground() && !kind.is_mobile() { costs.leg[at] } else { costs.other[at] }
    }

    /// Whether an air or naval unit can act, escort, intercept or be committed (3.1).
    #[inline]
    pub fn is_fit(&self, state: &State, unit: UnitId) -> bool {
        let unit = state.unit(unit);
        unit.on_map() && unit.level < self.world.tables.production.max_sorties && !unit.has(flag::ENDED)
    }

    // --- hexes ------------------------------------------------------------------------------------------------------

    /// The country that owns a hex (1.3): the printed one, except in a ceded Disputed Area while its claimant's side or
    /// nobody controls it, and in a Vichy area.
    #[inline]
    pub fn owner(&self, state: &State, hex: Place) -> Country {
        let info = self.tile(hex);
        if info.disputed != NO_AREA && state.ceded >> info.disputed & 1 != 0 {
            let claimant = self.world.disputed[usize::from(info.disputed)].claimant;
            let controller = state.controller(hex);
            let with_claimant = state.country(claimant).status == Status::Active
                && state.country(claimant).side == controller;
            if controller == Side::Nobody || with_claimant {
                return claimant;
            }
        }
        if info.area != NO_AREA && state.vichy >> info.area & 1 != 0 {
            return Country::VIC;
        }
        info.country
    }

    /// Whether a city lies in the Mainland Area of its owner. The areas of Vichy France are its Mainland (13.4).
    #[inline]
    pub fn is_mainland(&self, state: &State, city: City) -> bool {
        let info = self.world.city(city);
        info.area == NO_AREA || state.vichy >> info.area & 1 != 0
    }

    /// Whether a hex is closed to a side (1.1): nobody's, outside the playable area, or of a side with which it is not at
    /// war and which is not its own. Hooks that close hexes to some units only: [`Rules::is_barred`].
    #[inline]
    pub fn is_closed(&self, state: &State, hex: Place, side: Side) -> bool {
        let controller = state.controller(hex);
        controller != side && !state.at_war(controller, side) || !self.tile(hex).is_in_play()
    }

    /// Whether a hook of the scenario keeps a ground unit out of a hex (30.6: `alexandria-source`, `minor-limits`).
    #[inline]
    pub fn is_barred(&self, state: &State, hex: Place, unit: UnitId) -> bool {
        self.has_bars && self.is_kept_out(state, hex, unit)
    }

    fn is_kept_out(&self, state: &State, hex: Place, unit: UnitId) -> bool {
        let hooks = &self.scenario().hooks;
        if let Some(city) = hooks.uk_source
            && self.world.city(city).hex == hex
            && self.side_of(state, unit) == Side::Axis
        {
            return true;
        }
        if let Some((units_of, inside)) = hooks.minor_limits {
            let country = self.country_of(state, unit);
            let home = self.world.hex(hex).country;
            let allowed = home != Country::NONE && inside >> home.index() & 1 != 0;
            return units_of >> country.index() & 1 != 0 && !allowed;
        }
        false
    }

    /// Whether a ground unit may be in a hex at all: land without a faded dot that is neither closed nor barred.
    #[inline]
    pub fn may_enter(&self, state: &State, hex: Place, unit: UnitId) -> bool {
        !self.tile(hex).is_faded()
            && !self.is_closed(state, hex, self.side_of(state, unit))
            && !self.is_barred(state, hex, unit)
    }

    /// Whether a ground unit of an enemy of a side stands in a hex.
    #[inline]
    pub fn has_enemy(&self, state: &State, hex: Place, side: Side) -> bool {
        state.ground_at(hex).is_some_and(|unit| state.at_war(self.side_of(state, unit), side))
    }

    /// Whether a hex has a fort: printed, an Atlantic Wall, or one that the scenario adds.
    #[inline]
    pub fn has_fort(&self, state: &State, hex: Place) -> bool {
        self.tile(hex).has_fort() || state.walls.contains(&hex)
    }

    /// Whether a hex has a city (a port without a city is none).
    #[inline]
    pub fn has_city(&self, hex: Place) -> bool {
        self.tile(hex).has_city()
    }

    /// Whether a hex has a city or fort that an enemy of the side controls.
    #[inline]
    pub fn has_enemy_city(&self, state: &State, hex: Place, side: Side) -> bool {
        state.at_war(state.controller(hex), side) && (self.has_city(hex) || self.has_fort(state, hex))
    }

    /// Whether a hex has a city or fort that the side controls.
    #[inline]
    pub fn has_friendly_city(&self, state: &State, hex: Place, side: Side) -> bool {
        state.controller(hex) == side && (self.has_city(hex) || self.has_fort(state, hex))
    }

    /// Whether an enemy ground unit exerts a zone of control into a hex, for a side (3.4): from the six land hexes around, not
    /// across water or a strait, not into a faded dot, not into a hex closed to that enemy, not with a No EZOC marker.
    pub fn ezoc(&self, state: &State, hex: Place, side: Side) -> bool {
        let tile = self.tile(hex);
        if tile.is_faded() || state.has_no_ezoc(hex) {
            return false;
        }
        // A faded dot exerts nothing either: nobody is ever there.
        tile.towards(tile.zone).filter_map(|near| state.ground_at(near)).any(|unit| {
            let enemy = self.side_of(state, unit);
            state.at_war(enemy, side) && !self.is_closed(state, hex, enemy)
        })
    }

    /// Whether a hex is part of Britain: the UK Mainland except Belfast (1.3).
    pub fn is_britain(&self, hex: Place) -> bool {
        let info = self.world.hex(hex);
        let belfast = info.city.some().is_some_and(|city| self.world.city(city).id == "belfast");
        info.country == Country::UK && info.area == NO_AREA && !belfast
    }

    /// The weather in a hex.
    #[inline]
    pub fn weather_at(&self, state: &State, hex: Place) -> Weather {
        state.weather[self.world.hex(hex).climate as usize]
    }

    /// The weather in a Sea Zone.
    #[inline]
    pub fn weather_in(&self, state: &State, node: Node) -> Weather {
        state.weather[self.world.nodes[node.index()].climate as usize]
    }

    // --- bases ------------------------------------------------------------------------------------------------------

    /// Whether a unit's stacking slot is free in a place (3.2). Map Boxes have no limit.
    #[inline]
    pub fn has_room(&self, state: &State, unit: UnitId, place: Place) -> bool {
        if place.is_box() {
            return true;
        }
        match self.kind(unit).slot() {
            Slot::Ground => state.ground_at(place).is_none(),
            slot => {
                let city = if place.is_hex() { self.tile(place).city } else { City::NONE };
                city.some().is_some_and(|city| state.bases[city.index()][slot as usize].some().is_none())
            }
        }
    }

    /// Whether a place is a base for an air unit of a side: a friendly city (not a mere port) or a Map Box (3.2).
    pub fn is_air_base(&self, state: &State, place: Place, side: Side) -> bool {
        if place.is_box() {
            return self.is_box_open(place, side);
        }
        self.has_city(place) && state.controller(place) == side && self.tile(place).is_in_play()
    }

    /// Whether a place is a base for a naval unit of a side: a friendly port or a sea Map Box (3.2).
    pub fn is_naval_base(&self, state: &State, place: Place, side: Side) -> bool {
        if place.node().is_some() {
            return self.is_box_open(place, side);
        }
        place.is_hex()
            && self.world.city_at(place).is_some_and(|city| self.world.city(city).is_port())
            && state.controller(place) == side
            && self.scenario().in_play(place)
    }

    /// Whether a Map Box is in play.
    pub fn is_box_in_play(&self, place: Place) -> bool {
        match place.node() {
            Some(node) => self.scenario().nodes & node.bit() != 0,
            None => place == Place::CRU && self.scenario().russia,
        }
    }

    /// Whether a Map Box is open to units of a side: the sea boxes to the West, Central Russia to the Soviets (ruling 114).
    pub fn is_box_open(&self, place: Place, side: Side) -> bool {
        let whose = if place == Place::CRU { Side::Soviet } else { Side::Western };
        side == whose && self.is_box_in_play(place)
    }

    // --- changes ----------------------------------------------------------------------------------------------------

    /// Takes a unit from its place; it is nowhere until it is put somewhere.
    pub fn lift(&self, state: &mut State, unit: UnitId) {
        self.vacate(state, unit);
        state.unit_mut(unit).place = Place::OUT;
    }

    /// The slot that a unit fills where it is becomes free.
    pub(crate) fn vacate(&self, state: &mut State, unit: UnitId) {
        let place = state.unit(unit).place;
        if !place.is_hex() {
            return;
        }
        match self.kind(unit).slot() {
            Slot::Ground => {
                if state.ground_at(place) == Some(unit) {
                    state.ground[place.index()] = UnitId::NONE;
                }
            }
            slot => {
                if let Some(city) = self.tile(place).city.some()
                    && state.bases.get()[city.index()][slot as usize] == unit
                {
                    state.bases[city.index()][slot as usize] = UnitId::NONE;
                }
            }
        }
    }

    /// Puts a unit into a place; its slot there must be free. What follows from entering a hex is `enter_hex`.
    pub fn put(&self, state: &mut State, unit: UnitId, place: Place) {
        self.vacate(state, unit);
        state.unit_mut(unit).place = place;
        if !place.is_hex() {
            return;
        }
        match self.kind(unit).slot() {
            Slot::Ground => state.ground[place.index()] = unit,
            slot => {
                if let Some(city) = self.tile(place).city.some() {
                    state.bases[city.index()][slot as usize] = unit;
                }
            }
        }
    }

    // --- markers ----------------------------------------------------------------------------------------------------

    /// How many markers an owner can use now.
    #[inline]
    pub fn ready(&self, state: &State, marker: Marker, owner: Owner) -> u8 {
        self.slot(marker, owner).map_or(0, |slot| state.ready[slot])
    }

    /// Uses a marker: it comes back at End of Turn or leaves the game, as it says.
    pub fn spend(&self, state: &mut State, marker: Marker, owner: Owner) {
        if let Some(slot) = self.slot(marker, owner) {
            state.ready[slot] = state.ready[slot].saturating_sub(1);
            if self.world.markers[marker.index()].reuse == crate::markers::Reuse::Turn {
                state.spent[slot] += 1;
            }
        }
    }
}
