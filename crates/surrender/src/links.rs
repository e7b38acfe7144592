//! Sea links of the Supply Check: a convoy joins a far end, where units wait, to a home end that has supply. Rule 7.4.

use crate::bits::{CitySet, UnitSet};
use crate::choice::Choice;
use crate::hex_set::HexSet;
use crate::ids::{COUNTRIES, City, Country, Place, Side, UnitId};
use crate::near_cities::ports_on;
use crate::rules::Rules;
use crate::sea_paths::waters;
use crate::state::{State, flag};
use crate::supply::{Net, Reach, bit};

/// How a unit is served by an end of a link.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Service {
    /// Not at all.
    Nothing,
    /// Over a beach: Low at most.
    Beach,
    /// Through a port or the Mulberry.
    Port,
}

/// Everything that sea links of a side can begin and end with.
pub(crate) struct Links<'r> {
    rules: &'r Rules,
    side: Side,
    net: Net<'r>,
    /// The units that have no supply by land; those of them that reach no port.
    needs: UnitSet,
    stranded: UnitSet,
    /// The ports that units of each country reach.
    waiting: [CitySet; COUNTRIES],
}

/// The other ends that a convoy can make a link with.
struct Ends {
    ports: CitySet,
    beaches: HexSet,
    boxes: [bool; 2],
}

/// A sea link may have any length (1.4).
pub(crate) const ANY_LENGTH: u8 = u8::MAX - 1;

const BOXES: [Place; 2] = [Place::ENA, Place::WIO];

impl Ends {
    const NONE: Self = Self { ports: CitySet::EMPTY, beaches: HexSet::EMPTY, boxes: [false; 2] };
}

/// The countries for which a sea Map Box is an Unlimited source (7.3).
fn fed_by_box(place: Place) -> u32 {
    match place {
        Place::ENA => bit(Country::UK) | bit(Country::USA),
        Place::WIO => bit(Country::UK),
        _ => 0,
    }
}

impl<'r> Links<'r> {
    /// What links of a side can be made of; `None` if nobody needs one, or there is no convoy that could help.
    pub fn new(rules: &'r Rules, state: &State, side: Side) -> Option<Self> {
        rules.convoys(state, side).next()?;
        Self::at(rules, state, side)
    }

    /// Looks at every unit of a side that the Supply Check has not settled; `None` if there is none.
    pub fn at(rules: &'r Rules, state: &State, side: Side) -> Option<Self> {
        let needs = rules.unsettled(state, side);
        if needs.is_empty() {
            return None;
        }
        let mut net = Net::new(rules, state, side);
        net.learn(state, &needs);
        let wanting = needs.units().fold(0, |all, unit| all | bit(rules.country_of(state, unit)));
        let (stranded, waiting) = (UnitSet::EMPTY, [CitySet::EMPTY; COUNTRIES]);
        let mut links = Self { rules, side, net, needs, stranded, waiting };
        links.find_homes(state, wanting);
        links.find_ports(state);
        for unit in needs.units() {
            let waiting = &mut links.waiting[rules.country_of(state, unit).index()];
            *waiting = waiting.or(links.net.notes().ports(unit));
            links.stranded.set_number(unit.index(), !links.reaches_a_port(unit));
        }
        Some(links)
    }

    /// The countries for which each friendly port is a home end: those of `wanting` at least. The ports on each stretch of line
    /// are found by the way.
    fn find_homes(&mut self, state: &State, wanting: u32) {
        let known = self.net.notes().home_for;
        if wanting & !known == 0 {
            return;
        }
        let wanting = wanting | known;
        let (mut all, mut count) = (CitySet::EMPTY, 0);
        let notes = self.net.notes_mut();
        notes.home.fill(0);
        notes.number.fill(0);
        for (city, site) in City::all().zip(&self.rules.sites) {
            let hex = site.hex;
            if site.zones == 0 || !site.is_in_play || state.controller(hex) != self.side {
                continue;
            }
            all.insert(city);
            let stretch = usize::from(self.net.stretch(hex));
            let home = if self.net.is_usable(hex) { self.net.fed_at(state, hex, wanting) } else { 0 };
            let notes = self.net.notes_mut();
            notes.home[city.index()] = home;
            if stretch != 0 {
                if notes.number[stretch] == 0 {
                    count += 1;
                    notes.number[stretch] = count;
                    notes.on[usize::from(count)] = CitySet::EMPTY;
                }
                notes.on[usize::from(notes.number[stretch])].insert(city);
            }
        }
        let notes = self.net.notes_mut();
        (notes.home_for, notes.bases) = (wanting, Some(all));
    }

    /// The ports that each unit reaches.
    fn find_ports(&mut self, state: &State) {
        let bases = self.net.notes().bases.unwrap_or(CitySet::EMPTY);
        let beach = self.rules.mulberry_of(state, self.side);
        for unit in self.needs.units() {
            let notes = self.net.notes();
            if notes.knows_ports(unit) {
                continue;
            }
            let reach = notes.reach(unit);
            let mut ports = notes.ports_along(reach);
            let near = reach.hexes().iter().filter(|hex| hex.is_hex());
            let near = near.filter_map(|hex| self.rules.tile(*hex).city.some());
            near.filter(|city| bases.has(*city)).for_each(|city| ports.insert(city));
            let mulberry = beach.is_some_and(|hex| self.net.reaches(reach, hex));
            self.net.notes_mut().note_ports(unit, ports, mulberry);
        }
    }

    /// The country of a unit, as a bit.
    fn country(&self, state: &State, unit: UnitId) -> u32 {
        bit(self.rules.country_of(state, unit))
    }

    fn reaches_a_port(&self, unit: UnitId) -> bool {
        let notes = self.net.notes();
        notes.mulberry.has(unit) || !notes.ports(unit).is_empty()
    }

    /// The coastal hexes with a friendly ground unit within two hexes, for a unit that reaches no port.
    fn beaches_of(&self, state: &State, unit: UnitId) -> Reach {
        self.net.notes().reach(unit).only(|hex| {
            let friend =
                state.ground_at(hex).is_some_and(|other| self.rules.side_of(state, other) == self.side);
            friend && self.rules.world.hex(hex).is_coastal()
        })
    }

    /// How an end serves a unit as its far end.
    fn far(&self, state: &State, unit: UnitId, end: Place) -> Service {
        let notes = self.net.notes();
        if let Some(city) = self.rules.world.city_at(end)
            && notes.ports(unit).has(city)
        {
            return Service::Port;
        }
        if notes.mulberry.has(unit) && self.rules.mulberry_of(state, self.side) == Some(end) {
            return Service::Port;
        }
        if end.is_hex() && !self.reaches_a_port(unit) && self.beaches_of(state, unit).hexes().contains(&end) {
            return Service::Beach;
        }
        Service::Nothing
    }

    /// The countries for which an end is a home end.
    fn home(&self, end: Place) -> u32 {
        self.rules.world.city_at(end).map_or(fed_by_box(end), |city| self.net.notes().home[city.index()])
    }

    /// The units that a link serves, and how.
    pub fn served<'l>(
        &'l self,
        state: &'l State,
        ends: [Place; 2],
    ) -> impl Iterator<Item = (UnitId, Service)> + 'l {
        self.needs.units().filter_map(move |unit| {
            let mut best = Service::Nothing;
            for (far, home) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if self.home(home) & self.country(state, unit) != 0 {
                    best = best.max(self.far(state, unit, far));
                }
            }
            (best != Service::Nothing).then_some((unit, best))
        })
    }

    /// The end of a link that is home to the units it serves.
    pub fn home_end(&self, state: &State, ends: [Place; 2]) -> Place {
        let is_home = |home: Place, far: Place| {
            self.needs.units().any(|unit| {
                self.home(home) & self.country(state, unit) != 0
                    && self.far(state, unit, far) != Service::Nothing
            })
        };
        if is_home(ends[0], ends[1]) { ends[0] } else { ends[1] }
    }

    /// The other ends that a convoy in a place can make a link with.
    fn other_ends(&self, state: &State, here: Place) -> Ends {
        let mut ends = Ends::NONE;
        let notes = self.net.notes();
        let reached = self.rules.joined_seas(self.rules.chart(state, self.side), here);
        let joined = |place: Place| place != here && waters(self.rules.world, place) & reached != 0;
        let city_here = self.rules.world.city_at(here);
        let home_here = self.home(here);
        // The countries of the units that reach this port, and the ports of the units for which this is home.
        let mut waiting_here = 0;
        for (country, ports) in Country::all().zip(&self.waiting) {
            if city_here.is_some_and(|city| ports.has(city)) {
                waiting_here |= bit(country);
            }
            if bit(country) & home_here != 0 {
                ends.ports = ends.ports.or(ports);
            }
        }
        let is_at_home = |unit: &UnitId| self.country(state, *unit) & home_here != 0;
        for unit in self.stranded.units().filter(is_at_home) {
            let beaches = self.beaches_of(state, unit);
            beaches.hexes().iter().filter(|hex| joined(**hex)).for_each(|hex| ends.beaches.insert(*hex));
        }
        if let Some(hex) = self.rules.mulberry_of(state, self.side)
            && joined(hex)
            && self.needs.and(&notes.mulberry).units().any(|unit| is_at_home(&unit))
        {
            ends.beaches.insert(hex);
        }
        if waiting_here != 0 {
            let bases = notes.bases.unwrap_or(CitySet::EMPTY);
            let homes = bases.cities().filter(|city| notes.home[city.index()] & waiting_here != 0);
            homes.for_each(|city| ends.ports.insert(city));
        }
        ends.ports = ends.ports.and(&ports_on(reached));
        if let Some(city) = city_here {
            ends.ports.set_number(city.index(), false);
        }
        for (at, place) in BOXES.into_iter().enumerate() {
            ends.boxes[at] = fed_by_box(place) & waiting_here != 0 && joined(place);
        }
        ends
    }

    /// Whether a convoy in a place can make a link.
    pub fn can_link(&self, state: &State, here: Place) -> bool {
        let ends = self.other_ends(state, here);
        ends.boxes != [false; 2] || !ends.ports.is_empty() || ends.beaches.iter().next().is_some()
    }

    /// Adds the other ends that a convoy in a place can make a link with: ports and boxes, then beaches.
    pub fn list_ends(&self, state: &State, here: Place, out: &mut Vec<Choice>) {
        let ends = self.other_ends(state, here);
        out.extend(ends.ports.cities().map(|city| Choice::To(self.rules.sites[city.index()].hex)));
        let boxes = BOXES.into_iter().zip(ends.boxes).filter(|(_, is)| *is);
        out.extend(boxes.map(|(place, _)| Choice::To(place)));
        let is_port = |hex: &Place| self.rules.world.city_at(*hex).is_some_and(|city| ends.ports.has(city));
        out.extend(ends.beaches.iter().filter(|hex| !is_port(hex)).map(Choice::To));
    }
}

impl Rules {
    /// The convoys of a side that can still serve a link in this Supply Check.
    pub(crate) fn convoys<'s>(&'s self, state: &'s State, side: Side) -> impl Iterator<Item = UnitId> + 's {
        self.world.wings.iter().copied().filter(move |unit| {
            self.kind(*unit) == crate::world::Kind::Convoy
                && self.side_of(state, *unit) == side
                && !state.unit(*unit).has(flag::LINKED)
                && self.is_fit(state, *unit)
        })
    }

    /// Where the Mulberry of a side lies, while it serves (ruling 90).
    pub(crate) fn mulberry_of(&self, state: &State, side: Side) -> Option<Place> {
        let (hex, last) = state.mulberry;
        let serves = side == Side::Western && hex.is_hex() && state.turn <= last;
        (serves && state.controller(hex) == side).then_some(hex)
    }
}
