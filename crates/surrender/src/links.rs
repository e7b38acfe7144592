//! Sea links of the Supply Check: a convoy joins a far end, where units wait, to a home end that has supply. Rule 7.4.

use crate::choice::Choice;
use crate::hex_set::HexSet;
use crate::ids::{CITIES, City, Country, Place, Side, UNITS, UnitId};
use crate::lines::STOPS;
use crate::rules::Rules;
use crate::sea_paths::waters;
use crate::state::{State, flag};
use crate::supply::{Net, Reach, bit};

/// A set of cities.
type CitySet = [u64; CITIES.div_ceil(64)];

/// The set without any.
const NO_CITY: CitySet = [0; CITIES.div_ceil(64)];

#[inline]
fn has(set: &CitySet, city: City) -> bool {
    set[city.index() / 64] >> (city.index() % 64) & 1 != 0
}

#[inline]
fn insert(set: &mut CitySet, city: City) {
    set[city.index() / 64] |= 1 << (city.index() % 64);
}

/// The cities of a set.
fn cities(set: &CitySet) -> impl Iterator<Item = City> + '_ {
    set.iter().enumerate().flat_map(|(at, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(City((at * 64 + bit) as u8))
        })
    })
}

/// A unit that has no supply by land.
#[derive(Clone, Copy, Debug)]
struct Need {
    unit: UnitId,
    country: u32,
    /// The friendly ports it reaches.
    ports: CitySet,
    /// Whether it reaches the Mulberry.
    mulberry: bool,
}

impl Need {
    fn reaches_a_port(&self) -> bool {
        self.mulberry || self.ports.iter().any(|word| *word != 0)
    }
}

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
    needs: [Need; UNITS],
    count: usize,
    /// The countries with a unit that waits, at least, for which each friendly port has a land trace to an Unlimited source.
    home: [u32; CITIES],
    /// The countries of the units that reach each friendly port.
    far: [u32; CITIES],
    /// The countries of the units that reach the Mulberry.
    far_mulberry: u32,
}

/// The friendly ports, all and by the stretch of line they lie on.
struct Bases {
    all: CitySet,
    /// The number of each stretch among those with a port, from 1; 0 where there is none.
    number: [u8; STOPS + 1],
    on: [CitySet; CITIES + 1],
}

impl Bases {
    /// Finds them, and the countries for which each is a home end.
    fn new(rules: &Rules, state: &State, links: &mut Links<'_>, wanting: u32) -> Self {
        let mut bases = Self { all: NO_CITY, number: [0; STOPS + 1], on: [NO_CITY; CITIES + 1] };
        let mut count = 0;
        for (city, site) in City::all().zip(&rules.sites) {
            let hex = site.hex;
            if site.zones == 0 || !site.is_in_play || state.controller(hex) != links.side {
                continue;
            }
            insert(&mut bases.all, city);
            let stretch = links.net.stretch(hex);
            if stretch != 0 {
                let number = &mut bases.number[usize::from(stretch)];
                if *number == 0 {
                    count += 1;
                    *number = count;
                }
                insert(&mut bases.on[usize::from(*number)], city);
            }
            if links.net.is_usable(hex) {
                links.home[city.index()] = links.net.fed_at(state, hex, wanting);
            }
        }
        bases
    }

    /// The ports that somebody reaches.
    fn reached(&self, rules: &Rules, reach: &Reach) -> CitySet {
        let mut ports = NO_CITY;
        for stretch in reach.stretches() {
            let on = &self.on[usize::from(self.number[usize::from(*stretch)])];
            ports.iter_mut().zip(on).for_each(|(ports, on)| *ports |= on);
        }
        let near = reach.hexes().iter().filter_map(|hex| rules.tile(*hex).city.some());
        near.filter(|city| has(&self.all, *city)).for_each(|city| insert(&mut ports, city));
        ports
    }
}

/// The other ends that a convoy can make a link with.
#[derive(Clone, Copy)]
struct Ends {
    ports: CitySet,
    beaches: HexSet,
    boxes: [bool; 2],
}

/// A sea link may have any length (1.4).
pub(crate) const ANY_LENGTH: u8 = u8::MAX - 1;

const BOXES: [Place; 2] = [Place::ENA, Place::WIO];

impl Ends {
    const NONE: Self = Self { ports: NO_CITY, beaches: HexSet::EMPTY, boxes: [false; 2] };
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
        let mut waiting = rules.unsettled(state, side).peekable();
        waiting.peek()?;
        let wanting =
            rules.unsettled(state, side).fold(0, |all, unit| all | bit(rules.country_of(state, unit)));
        let net = Net::new(rules, state, side);
        let nobody = Need { unit: UnitId::NONE, country: 0, ports: NO_CITY, mulberry: false };
        let mut links = Self {
            rules,
            side,
            net,
            needs: [nobody; UNITS],
            count: 0,
            home: [0; CITIES],
            far: [0; CITIES],
            far_mulberry: 0,
        };
        let bases = Bases::new(rules, state, &mut links, wanting);
        for unit in waiting {
            let reach = links.net.reach(state, state.unit(unit).place);
            let country = bit(rules.country_of(state, unit));
            let mulberry = rules.mulberry_of(state, side).is_some_and(|hex| links.net.reaches(&reach, hex));
            let ports = bases.reached(rules, &reach);
            for city in cities(&ports) {
                links.far[city.index()] |= country;
            }
            if mulberry {
                links.far_mulberry |= country;
            }
            links.needs[links.count] = Need { unit, country, ports, mulberry };
            links.count += 1;
        }
        Some(links)
    }

    fn needs(&self) -> &[Need] {
        &self.needs[..self.count]
    }

    /// The coastal hexes with a friendly ground unit within two hexes, for a unit that reaches no port.
    fn beaches_of(&self, state: &State, need: &Need) -> Reach {
        let reach = self.net.reach(state, state.unit(need.unit).place);
        reach.only(|hex| {
            let friend =
                state.ground_at(hex).is_some_and(|unit| self.rules.side_of(state, unit) == self.side);
            friend && self.rules.world.hex(hex).is_coastal()
        })
    }

    /// How an end serves a unit as its far end.
    fn far(&self, state: &State, need: &Need, end: Place) -> Service {
        if let Some(city) = self.rules.world.city_at(end)
            && has(&need.ports, city)
        {
            return Service::Port;
        }
        if need.mulberry && self.rules.mulberry_of(state, self.side) == Some(end) {
            return Service::Port;
        }
        if end.is_hex() && !need.reaches_a_port() && self.beaches_of(state, need).hexes().contains(&end) {
            return Service::Beach;
        }
        Service::Nothing
    }

    /// The countries for which an end is a home end.
    fn home(&self, end: Place) -> u32 {
        self.rules.world.city_at(end).map_or(fed_by_box(end), |city| self.home[city.index()])
    }

    /// The units that a link serves, and how.
    pub fn served<'l>(
        &'l self,
        state: &'l State,
        ends: [Place; 2],
    ) -> impl Iterator<Item = (UnitId, Service)> + 'l {
        self.needs().iter().filter_map(move |need| {
            let mut best = Service::Nothing;
            for (far, home) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                if self.home(home) & need.country != 0 {
                    best = best.max(self.far(state, need, far));
                }
            }
            (best != Service::Nothing).then_some((need.unit, best))
        })
    }

    /// The end of a link that is home to the units it serves.
    pub fn home_end(&self, state: &State, ends: [Place; 2]) -> Place {
        let is_home = |home: Place, far: Place| {
            self.needs().iter().any(|need| {
                self.home(home) & need.country != 0 && self.far(state, need, far) != Service::Nothing
            })
        };
        if is_home(ends[0], ends[1]) { ends[0] } else { ends[1] }
    }

    /// The other ends that a convoy in a place can make a link with.
    fn other_ends(&self, state: &State, here: Place) -> Ends {
        let mut ends = Ends::NONE;
        let reached = self.rules.joined_seas(self.rules.chart(state, self.side), here);
        let joined = |place: Place| place != here && waters(self.rules.world, place) & reached != 0;
        let waiting_here = self.rules.world.city_at(here).map_or(0, |city| self.far[city.index()]);
        let home_here = self.home(here);
        for city in City::all() {
            let at = city.index();
            let serves = self.home[at] & waiting_here | self.far[at] & home_here;
            if serves != 0 && joined(self.rules.world.city(city).hex) {
                insert(&mut ends.ports, city);
            }
        }
        for (at, place) in BOXES.into_iter().enumerate() {
            ends.boxes[at] = fed_by_box(place) & waiting_here != 0 && joined(place);
        }
        if let Some(hex) = self.rules.mulberry_of(state, self.side)
            && self.far_mulberry & home_here != 0
            && joined(hex)
        {
            ends.beaches.insert(hex);
        }
        for need in self.needs().iter().filter(|need| need.country & home_here != 0 && !need.reaches_a_port())
        {
            let beaches = self.beaches_of(state, need);
            beaches.hexes().iter().filter(|hex| joined(**hex)).for_each(|hex| ends.beaches.insert(*hex));
        }
        ends
    }

    /// Whether a convoy in a place can make a link.
    pub fn can_link(&self, state: &State, here: Place) -> bool {
        let ends = self.other_ends(state, here);
        ends.boxes != [false; 2]
            || ends.ports.iter().any(|word| *word != 0)
            || ends.beaches.iter().next().is_some()
    }

    /// Adds the other ends that a convoy in a place can make a link with: ports and boxes, then beaches.
    pub fn list_ends(&self, state: &State, here: Place, out: &mut Vec<Choice>) {
        let ends = self.other_ends(state, here);
        out.extend(cities(&ends.ports).map(|city| Choice::To(self.rules.world.city(city).hex)));
        let boxes = BOXES.into_iter().zip(ends.boxes).filter(|(_, is)| *is);
        out.extend(boxes.map(|(place, _)| Choice::To(place)));
        let is_port = |hex: &Place| self.rules.world.city_at(*hex).is_some_and(|city| has(&ends.ports, city));
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
