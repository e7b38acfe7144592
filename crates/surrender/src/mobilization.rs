//! Mobilization, Atlantic Wall, Surprise Attack orders, Emergency Mobilization. Rules 8.3, 9.3, 30.6; rulings 95, 109.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{COUNTRIES, City, Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::state::{State, Status, Supply, flag, note};
use crate::world::{Avail, Kind};

/// The stacking slots of a hex: one for ground units, three for others (3.2).
const SLOTS: usize = 4;

/// With the variable timeline a unit comes on a die up to this one.
const COMES: u8 = 4;
/// Countries on whose coasts the Atlantic Wall is built.
const WALL_COUNTRIES: [Country; 5] = [Country::FRA, Country::BEL, Country::NED, Country::DEN, Country::NOR];

impl Rules {
    /// Phase 10. Dated units enter the Mobilization Box, with the variable timeline on a die each; then units are bought.
    pub(crate) fn begin_mobilization<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        if self.goes_by_date() {
            let muster = Muster::of(state);
            for unit in self.dated.minus(&muster.on_map).minus(&muster.pooled).units() {
                if !self.is_due(state, faction, unit) {
                    continue;
                }
                if self.settings.variable {
                    // The sequence of play comes back to this step for the units that are left.
                    state.next -= 1;
                    state.push(Frame::EntryDie(unit));
                    return;
                }
                self.pool(state, unit, sink);
            }
            state.clear_flags(flag::LATE);
        }
        self.ask_to_mobilize(state, faction);
    }

    /// Whether a dated unit is due now and has not rolled in this phase.
    fn is_due(&self, state: &State, faction: Faction, unit: UnitId) -> bool {
        let entry = state.unit(unit);
        matches!(self.info(unit).avail, Avail::Turn(turn) if turn <= state.turn)
            && entry.place == Place::LATER
            && !entry.has(flag::LATE)
            && state.country(self.country_of(state, unit)).status == Status::Active
            && self.moves(state, faction, unit)
    }

    /// The die of a unit that is due.
    pub(crate) fn play_entry<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        die: u8,
        sink: &mut S,
    ) {
        state.pop();
        let comes = die <= COMES;
        sink.emit(|| GameEvent::Entry(unit, die, comes));
        if comes {
            self.pool(state, unit, sink);
        } else {
            state.unit_mut(unit).flags |= flag::LATE;
        }
    }

    /// Asks a faction what it mobilizes, if it can do anything.
    fn ask_to_mobilize(&self, state: &mut State, faction: Faction) {
        let able = self.can_order(state, faction).is_some()
            || self.mobilizable(state, faction).next().is_some()
            || self.wall_hexes(state, faction).next().is_some();
        let asked = matches!(state.frame(), Frame::Mobilize(_));
        match (able, asked) {
            (true, false) => state.push(Frame::Mobilize(faction)),
            (false, true) => state.pop(),
            _ => {}
        }
    }

    /// The units that a faction can mobilize: in the box, paid for by their own country, with a place to arrive.
    fn mobilizable<'s>(&'s self, state: &'s State, faction: Faction) -> impl Iterator<Item = UnitId> + 's {
        // Where a unit may arrive depends on its country and on the slot that it fills.
        let mut has_place = [[None; SLOTS]; COUNTRIES];
        Muster::of(state).pooled.units().filter(move |unit| {
            if !self.moves(state, faction, *unit) {
                return false;
            }
            let (owner, slot) = (self.country_of(state, *unit), self.kind(*unit).slot());
            let country = state.country(owner);
            country.status == Status::Active
                && country.points >= self.mobilization_cost(*unit)
                && *has_place[owner.index()][slot as usize]
                    .get_or_insert_with(|| self.locations(state, *unit).next().is_some())
        })
    }

    /// What it costs to mobilize a unit.
    pub fn mobilization_cost(&self, unit: UnitId) -> i16 {
        self.world.tables.production.mobilization[self.kind(unit) as usize]
    }

    /// Whether a new unit may arrive in a city of its own country, an enemy zone of control apart: ground and air units in a
    /// Mainland city, ships in a Mainland port.
    fn is_home(&self, state: &State, city: City, country: Country, kind: Kind) -> bool {
        let info = self.world.city(city);
        let owner = self.owner(state, info.hex);
        let own = owner == country || country == Country::USA && owner == Country::UK;
        own && self.is_mainland(state, city)
            && !self.is_shut(state, info.hex)
            && if kind.is_naval() { info.is_port() } else { !info.port_only }
    }

    /// The Mobilization Locations of a unit with a free slot.
    fn locations<'s>(&'s self, state: &'s State, unit: UnitId) -> impl Iterator<Item = Place> + 's {
        let (kind, country) = (self.kind(unit), self.country_of(state, unit));
        let side = self.side_of(state, unit);
        let hooks = &self.scenario().hooks;
        let edge = hooks.edge_mobilization && country == Country::GER;
        let ready = move |hex: Place, capital: bool| {
            state.controller(hex) == side
                && self.scenario().in_play(hex)
                && self.has_room(state, unit, hex)
                && (capital || !self.ezoc(state, hex, side))
        };
        let at_edge = self.scenario().west_edge.iter().copied().filter(move |hex| {
            let fits = match self.world.city_at(*hex) {
                Some(city) if kind.is_naval() => self.world.city(city).is_port(),
                Some(city) if kind.is_air() => !self.world.city(city).port_only,
                _ => kind.is_ground(),
            };
            edge && fits && ready(*hex, false)
        });
        let west_base = hooks.west_base.filter(|_| matches!(country, Country::USA | Country::FRA));
        let in_cities = City::all().filter(move |city| {
            // Most cities are somebody else's: that is the cheapest thing to see.
            if edge || state.controller(self.sites[city.index()].hex) != side {
                return false;
            }
            let info = self.world.city(*city);
            let base =
                west_base == Some(*city) && if kind.is_naval() { info.is_port() } else { !info.port_only };
            let home = base || self.is_home(state, *city, country, kind);
            home && ready(info.hex, self.capital_of(state, country) == Some(*city))
        });
        let boxes: &[Place] = match country {
            Country::UK => &[Place::ENA, Place::WIO],
            Country::USA => &[Place::ENA],
            Country::USSR if !kind.is_naval() => &[Place::CRU],
            _ => &[],
        };
        let in_boxes = boxes.iter().copied().filter(|place| self.is_box_in_play(*place));
        at_edge.chain(in_cities.map(|city| self.world.city(city).hex)).chain(in_boxes)
    }

    /// The leading power that can order a Surprise Attack marker for a faction now (9.3): the marker is in the Holding Box, and
    /// the scenario lets it be used another time.
    fn can_order(&self, state: &State, faction: Faction) -> Option<Country> {
        let leader = self.leading_power(state, faction)?;
        let barred = faction == Faction::Axis
            && self
                .scenario()
                .hooks
                .marker_turn
                .as_ref()
                .is_some_and(|(_, markers)| markers.contains(&Marker::SurpriseAttack));
        let in_box = state.surprise[faction.index()] == u8::MAX
            && self.ready(state, Marker::SurpriseAttack, Owner::Faction(faction)) == 0;
        let can_pay = state.country(leader).points >= self.world.tables.production.surprise;
        (in_box && !barred && can_pay).then_some(leader)
    }

    /// The hexes where Germany can build an Atlantic Wall fort: friendly coastal hexes of five countries without a fort.
    fn wall_hexes<'s>(&'s self, state: &'s State, faction: Faction) -> impl Iterator<Item = Place> + 's {
        let may = faction == Faction::Axis
            && self.ready(state, Marker::AtlanticWall, Owner::Country(Country::GER)) > 0
            && state.walls.contains(&Place::NONE);
        Place::hexes().take_while(move |_| may).filter(move |hex| {
            let info = self.world.hex(*hex);
            info.is_coastal()
                && WALL_COUNTRIES.contains(&info.country)
                && state.controller(*hex) == Side::Axis
                && !info.faded
                && self.scenario().in_play(*hex)
                && !self.has_fort(state, *hex)
        })
    }

    /// The choices of [`Frame::Mobilize`].
    pub(crate) fn list_mobilization(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        out.extend(self.mobilizable(state, faction).map(Choice::Mobilize));
        if self.can_order(state, faction).is_some() {
            out.push(Choice::Order);
        }
        out.extend(self.wall_hexes(state, faction).map(Choice::Wall));
        out.push(Choice::Pass);
    }

    /// The choices of [`Frame::MobilizeAt`].
    pub(crate) fn list_locations(&self, state: &State, unit: UnitId, out: &mut Vec<Choice>) {
        out.extend(self.locations(state, unit).map(Choice::To));
    }

    /// Something is bought or built, or the phase is over.
    pub(crate) fn play_mobilization<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        choice: Choice,
        sink: &mut S,
    ) {
        match choice {
            Choice::Mobilize(unit) => {
                state.push(Frame::MobilizeAt(unit));
                return;
            }
            Choice::Order => {
                if let Some(leader) = self.can_order(state, faction) {
                    let production = &self.world.tables.production;
                    let turn = state.turn + production.surprise_delay;
                    state.country_mut(leader).points -= production.surprise;
                    state.surprise[faction.index()] = turn;
                    sink.emit(|| GameEvent::Ordered(faction, turn));
                }
            }
            Choice::Wall(hex) => {
                if let Some(free) = state.walls.iter_mut().find(|wall| **wall == Place::NONE) {
                    *free = hex;
                    self.spend(state, Marker::AtlanticWall, Owner::Country(Country::GER));
                    sink.emit(|| GameEvent::Wall(hex, true));
                }
            }
            _ => {
                state.pop();
                return;
            }
        }
        self.ask_to_mobilize(state, faction);
    }

    /// A unit arrives: Soviet leg units but shock armies at full strength, other ground units reduced, ships and aircraft with
    /// Sorties; in Full Supply.
    pub(crate) fn play_location<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        place: Place,
        sink: &mut S,
    ) {
        state.pop();
        let cost = self.mobilization_cost(unit);
        let country = self.country_of(state, unit);
        state.country_mut(country).points -= cost;
        let kind = self.kind(unit);
        let soviet = self.info(unit).country == Country::USSR && !kind.is_mobile() && kind != Kind::Shock;
        let level = match kind.is_ground() {
            true => u8::from(!soviet),
            false => self.world.tables.production.new_sorties,
        };
        self.arrive(state, unit, place, level);
        sink.emit(|| GameEvent::Mobilized(unit, place, cost));
        if let Frame::Mobilize(faction) = state.frame() {
            self.ask_to_mobilize(state, faction);
        }
    }

    fn arrive(&self, state: &mut State, unit: UnitId, place: Place, level: u8) {
        self.put(state, unit, place);
        let entry = state.unit_mut(unit);
        (entry.level, entry.supply) = (level, Supply::Full);
        entry.flags &= flag::FREE;
    }

    // --- Emergency Mobilization (30.6) ------------------------------------------------------------------------------

    /// The end of the Axis Operations Phase: the Soviets may place leg units from the box, if the scenario says so and the Axis
    /// has attacked.
    pub(crate) fn begin_emergency(&self, state: &mut State) {
        if let Some((turn, count)) = self.scenario().hooks.emergency
            && turn == state.turn
            && state.noted(note::INVADED)
        {
            self.ask_for_emergency(state, count);
        }
    }

    fn ask_for_emergency(&self, state: &mut State, left: u8) {
        let able =
            self.emergency_units(state).next().is_some() && self.emergency_places(state).next().is_some();
        if left > 0 && able {
            state.push(Frame::Emergency(left));
        }
    }

    fn emergency_units<'s>(&'s self, state: &'s State) -> impl Iterator<Item = UnitId> + 's {
        UnitId::all().filter(move |unit| {
            let kind = self.kind(*unit);
            state.unit(*unit).place == Place::POOL
                && kind.is_ground()
                && !kind.is_mobile()
                && self.country_of(state, *unit) == Country::USSR
        })
    }

    fn emergency_places<'s>(&'s self, state: &'s State) -> impl Iterator<Item = Place> + 's {
        City::all()
            .filter(|city| self.is_home(state, *city, Country::USSR, Kind::Infantry))
            .map(|city| self.world.city(city).hex)
            .filter(|hex| {
                state.controller(*hex) == Side::Soviet
                    && self.scenario().in_play(*hex)
                    && state.ground_at(*hex).is_none()
            })
    }

    /// The choices of [`Frame::Emergency`].
    pub(crate) fn list_emergency(&self, state: &State, out: &mut Vec<Choice>) {
        out.extend(self.emergency_units(state).map(Choice::Mobilize));
        out.push(Choice::Pass);
    }

    /// The choices of [`Frame::EmergencyAt`].
    pub(crate) fn list_emergency_places(&self, state: &State, out: &mut Vec<Choice>) {
        out.extend(self.emergency_places(state).map(Choice::To));
    }

    /// A unit is chosen, or no more are.
    pub(crate) fn play_emergency(&self, state: &mut State, left: u8, choice: Choice) {
        match choice {
            Choice::Mobilize(unit) => state.become_frame(Frame::EmergencyAt(unit, left)),
            _ => state.pop(),
        }
    }

    /// It is placed at full strength, in Full Supply, at no cost.
    pub(crate) fn play_emergency_place<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        (unit, left): (UnitId, u8),
        place: Place,
        sink: &mut S,
    ) {
        state.pop();
        self.arrive(state, unit, place, 0);
        sink.emit(|| GameEvent::Placed(unit, place));
        self.ask_for_emergency(state, left - 1);
    }
}
