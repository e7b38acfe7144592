//! Income, Lend-Lease, Factory Relocation. Rules 9.1, 13.2; rulings 22, 38.

use std::cell::RefCell;
use std::sync::Arc;

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{CITIES, COUNTRIES, City, Country, Faction, Node, Side, UnitId};
use crate::rules::Rules;
use crate::scenario::Scenario;
use crate::state::{State, Status, event, fate, note};
use crate::tracked::Stamp;

/// What a Trade Agreement gives (`events.toml`).
const TRADE: i16 = 3;
/// What Lend-Lease gives to each.
const LEND_LEASE: i16 = 4;
/// Economy Phases after the turn of East Invaded in which a Factory may be relocated.
const RELOCATIONS: u8 = 8;
/// Factories west of this longitude may be relocated, in hundredths of a degree.
const RELOCATION_EAST: i16 = 3800;
/// How the Extra Factories of the USA grow: by so many, every so many turns, up to so many.
const USA_GROWTH: (u8, u8, u8) = (2, 3, 20);
/// Soviet ports of the first Sea Zone and Western ones of the second open the way for Lend-Lease to the USSR.
const LEND_LEASE_ZONES: (Node, Node) = (Node::zone(6), Node::zone(32));

/// What the numbers of running Factories depend on.
struct CountKey {
    control: Stamp,
    countries: [(Status, Side); COUNTRIES],
    closed: [u64; CITIES.div_ceil(64)],
    ceded: u8,
    vichy: u32,
    scenario: Arc<Scenario>,
}

impl CountKey {
    fn new(rules: &Rules, state: &State) -> Self {
        Self {
            control: state.control.stamp(),
            countries: std::array::from_fn(|at| (state.countries[at].status, state.countries[at].side)),
            closed: state.closed,
            ceded: state.ceded,
            vichy: state.vichy,
            scenario: Arc::clone(&rules.settings.scenario),
        }
    }

    fn fits(&self, rules: &Rules, state: &State) -> bool {
        self.control.is_same(state.control.stamp())
            && Arc::ptr_eq(&self.scenario, &rules.settings.scenario)
            && (self.closed, self.ceded, self.vichy) == (state.closed, state.ceded, state.vichy)
            && self
                .countries
                .iter()
                .zip(&state.countries)
                .all(|(known, now)| *known == (now.status, now.side))
    }
}

thread_local! {
    /// The running Factories that were counted last.
    static COUNTED: RefCell<Option<(CountKey, [u8; COUNTRIES])>> = const { RefCell::new(None) };
}

impl Rules {
    /// Phase 3.
    pub(crate) fn begin_economy<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        sink: &mut S,
    ) {
        self.grow(state, faction);
        for country in Country::all() {
            let entry = state.country(country);
            if entry.status != Status::Active || entry.side == Side::Nobody || entry.side.player() != faction
            {
                continue;
            }
            let income = self.income(state, country);
            let entry = state.country_mut(country);
            if entry.fates & fate::CRISIS != 0 {
                entry.fates &= !fate::CRISIS;
                entry.points = 0;
            } else {
                // What Lend-Lease has brought the USSR in this phase is there already.
                let lent = if country == Country::USSR { entry.points } else { 0 };
                entry.points = income + lent;
            }
            let points = entry.points;
            sink.emit(|| GameEvent::Income(country, points));
        }
        state.notes &= !(note::TRADE << faction.index());
        if self.scenario().production.is_some() {
            return;
        }
        match faction {
            Faction::Western if self.lend_lease_answers(state).count() > 1 => state.push(Frame::LendLease),
            Faction::Soviet if self.relocatable(state).next().is_some() => state.push(Frame::Relocate),
            _ => {}
        }
    }

    /// Extra Factories that are due: of the USA every third turn after it has come, of the USSR two turns after a Factory was
    /// closed.
    fn grow(&self, state: &mut State, faction: Faction) {
        let (by, every, most) = USA_GROWTH;
        let turn = state.turn;
        match faction {
            Faction::Western => {
                let since = state.usa_turn;
                let usa = state.country_mut(Country::USA);
                if usa.status == Status::Active && turn > since && (turn - since).is_multiple_of(every) {
                    usa.extra = (usa.extra + by).min(most.max(usa.extra));
                }
            }
            Faction::Soviet => {
                state.countries[Country::USSR.index()].extra += state.relocating[0];
                state.relocating[0] = 0;
            }
            Faction::Axis => {}
        }
    }

    /// The points that an active country gets in this turn's Economy Phase, apart from a crisis and from what Lend-Lease
    /// takes or gives by choice (9.1).
    pub fn income(&self, state: &State, country: Country) -> i16 {
        let hooks = &self.scenario().hooks;
        if let Some(fixed) = &self.scenario().production {
            let halved = hooks.half_points.is_some_and(|(turn, of)| turn == state.turn && of == country);
            return half_if(halved, fixed[country.index()]);
        }
        let production = &self.world.tables.production;
        let entry = state.country(country);
        let lost = match country {
            Country::GER => state.fac_lost[0],
            Country::UK => state.fac_lost[1],
            Country::USSR => state.fac_lost[2],
            _ => 0,
        };
        let factories = i16::from(self.factories(state, country)) + i16::from(entry.extra) - i16::from(lost);
        let mut points = production.per_factory * factories.max(0);
        if self.has_home_city(state, country) {
            points = points.max(production.minimum);
        }
        if let Some(faction) =
            entry.side.faction().filter(|of| self.leading_power(state, *of) == Some(country))
        {
            points += self.conquered_income(state, entry.side);
            if state.noted(note::TRADE << faction.index()) {
                points += TRADE;
            }
        }
        let entering = state.occurred(event::USA) && state.country(Country::USA).status != Status::Active;
        if country == Country::UK && entering {
            points += LEND_LEASE;
        }
        let phoney = match country {
            Country::FRA | Country::UK => !state.occurred(event::WEST),
            Country::USSR => !state.occurred(event::EAST),
            _ => false,
        };
        half_if(phoney, points)
    }

    /// The Factories of a country in friendly hexes, on the map.
    pub fn factories(&self, state: &State, country: Country) -> u8 {
        self.all_factories(state)[country.index()]
    }

    /// The Factories of every country in friendly hexes, on the map, all at once; as they were counted last, if nothing has
    /// changed that they depend on.
    pub(crate) fn all_factories(&self, state: &State) -> [u8; COUNTRIES] {
        COUNTED.with_borrow_mut(|counted| match counted {
            Some((key, counts)) if key.fits(self, state) => *counts,
            _ => counted.insert((CountKey::new(self, state), self.count_factories(state))).1,
        })
    }

    fn count_factories(&self, state: &State) -> [u8; COUNTRIES] {
        let mut counts = [0; COUNTRIES];
        for city in self.works.iter().copied() {
            let site = &self.sites[city.index()];
            let owner = self.owner(state, site.hex);
            let is_running = owner != Country::NONE
                && state.country(owner).side == state.controller(site.hex)
                && !state.is_closed_down(city)
                && site.is_in_play;
            if is_running {
                counts[owner.index()] += 1;
            }
        }
        counts
    }

    /// Whether a Factory of a country stands in a hex that a side controls.
    fn works_for(&self, state: &State, city: City, country: Country, side: Side) -> bool {
        let info = self.world.city(city);
        info.factory
            && state.controller(info.hex) == side
            && self.owner(state, info.hex) == country
            && !state.is_closed_down(city)
            && self.scenario().in_play(info.hex)
    }

    /// Whether a country has a Mainland city in friendly hands.
    fn has_home_city(&self, state: &State, country: Country) -> bool {
        let side = state.country(country).side;
        let is_home = |city: City| {
            let site = &self.sites[city.index()];
            site.is_city
                && state.controller(site.hex) == side
                && self.owner(state, site.hex) == country
                && self.is_mainland(state, city)
        };
        // Few have none left of those that were theirs from the start.
        self.world.country(country).cities.iter().any(|city| is_home(*city)) || City::all().any(is_home)
    }

    /// The points that conquered Factories bring: in each country no more than three for each ground unit there; half of the
    /// sum.
    fn conquered_income(&self, state: &State, side: Side) -> i16 {
        let production = &self.world.tables.production;
        let mut sum = 0;
        for country in Country::all() {
            let entry = state.country(country);
            if entry.status != Status::Conquered || entry.side != side {
                continue;
            }
            let factories = i16::from(self.factories(state, country));
            if factories == 0 {
                continue;
            }
            let occupiers = UnitId::all().filter(|unit| {
                let place = state.unit(*unit).place;
                self.kind(*unit).is_ground()
                    && place.is_hex()
                    && self.side_of(state, *unit) == side
                    && self.owner(state, place) == country
            });
            sum += factories.min(production.per_occupier * occupiers.count() as i16);
        }
        sum / production.conquered_per_point
    }

    // --- Lend-Lease -------------------------------------------------------------------------------------------------

    /// Whether a port of a Sea Zone is in the hands of a side.
    fn holds_port(&self, state: &State, zone: Node, side: Side) -> bool {
        self.world.ports[zone.index()]
            .iter()
            .any(|city| self.is_naval_base(state, self.world.city(*city).hex, side))
    }

    /// The answers to Lend-Lease: nobody, the UK, the USSR, both. Only an active USA has a choice.
    fn lend_lease_answers(&self, state: &State) -> impl Iterator<Item = u8> {
        let (usa, uk, ussr) =
            (state.country(Country::USA), state.country(Country::UK), state.country(Country::USSR));
        let gives = usa.status == Status::Active && usa.side == Side::Western && usa.points > 0;
        let to_uk = gives && uk.status == Status::Active && uk.side == Side::Western;
        let route = self.holds_port(state, LEND_LEASE_ZONES.0, Side::Soviet)
            || self.holds_port(state, LEND_LEASE_ZONES.1, Side::Western);
        let to_ussr = gives
            && route
            && ussr.status == Status::Active
            && ussr.side == Side::Soviet
            && ussr.fates & fate::CRISIS == 0;
        let both = to_uk && to_ussr && usa.points > LEND_LEASE;
        [(0, true), (1, to_uk), (2, to_ussr), (3, both)].into_iter().filter(|(_, may)| *may).map(|(to, _)| to)
    }

    /// The choices of [`Frame::LendLease`].
    pub(crate) fn list_lend_lease(&self, state: &State, out: &mut Vec<Choice>) {
        out.extend(self.lend_lease_answers(state).map(Choice::LendLease));
    }

    /// The USA gives four points to each, never more than it has.
    pub(crate) fn play_lend_lease<S: EventSink<GameEvent>>(&self, state: &mut State, to: u8, sink: &mut S) {
        state.pop();
        let mut given = [0; 2];
        for (at, country) in [Country::UK, Country::USSR].into_iter().enumerate() {
            if to >> at & 1 != 0 {
                given[at] = state.country(Country::USA).points.min(LEND_LEASE);
                state.country_mut(Country::USA).points -= given[at];
                state.country_mut(country).points += given[at];
            }
        }
        sink.emit(|| GameEvent::LendLease(given[0], given[1]));
    }

    // --- Factory Relocation -----------------------------------------------------------------------------------------

    /// The Factories that the USSR may close and move east now.
    fn relocatable<'s>(&'s self, state: &'s State) -> impl Iterator<Item = City> + 's {
        let ussr = state.country(Country::USSR);
        let due = state.occurred(event::EAST)
            && state.turn > state.east_turn
            && state.turn - state.east_turn <= RELOCATIONS;
        let may = ussr.status == Status::Active && ussr.side == Side::Soviet && due;
        City::all().filter(move |city| {
            may && self.world.city(*city).lon < RELOCATION_EAST
                && self.works_for(state, *city, Country::USSR, Side::Soviet)
        })
    }

    /// The choices of [`Frame::Relocate`].
    pub(crate) fn list_relocations(&self, state: &State, out: &mut Vec<Choice>) {
        out.extend(self.relocatable(state).map(Choice::Relocate));
        out.push(Choice::Pass);
    }

    /// A Factory is closed for good and comes back two turns later as an Extra Factory, or none is.
    pub(crate) fn play_relocation<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        state.pop();
        if let Choice::Relocate(city) = choice {
            state.closed[city.index() / 64] |= 1 << (city.index() % 64);
            state.relocating[2] += 1;
            sink.emit(|| GameEvent::FactoryMoved(city));
        }
    }
}

/// Half the points, rounded up, if it is so.
const fn half_if(halved: bool, points: i16) -> i16 {
    if halved { (points + 1) / 2 } else { points }
}
