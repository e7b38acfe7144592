//! Where supply comes from and how far it reaches over land. Rules 7.2 and 7.3.
//!
//! The usable Transport Lines of a side fall into stretches that hang together. They are found once; a unit then only looks
//! at the hexes within two of its own.

use crate::bits::UnitSet;
use crate::hex_set::HexSet;
use crate::ids::{City, Country, Place, Side, UnitId};
use crate::lines::{Lent, Lines, Use};
use crate::link_notes::LinkNotes;
use crate::net_key::NetKey;
use crate::rail_net::{Rails, Ring};
use crate::rules::Rules;
use crate::state::{State, Status, Supply, flag};
use crate::survey::Survey;
use crate::world::NO_AREA;

/// Every country, as bits.
const ANYBODY: u32 = u32::MAX;
/// The hexes within two of a hex, itself included.
const RING: usize = 19;

/// The bit of a country.
#[inline]
pub(crate) const fn bit(country: Country) -> u32 {
    1 << country.0
}

/// What the supply of a unit comes from by land now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// An Unlimited source, or a Map Box the unit is in: Full.
    Unlimited(Place),
    /// Only a Limited source, which feeds two units: Low.
    Limited(Place),
    /// None by land; a sea link may still help (7.4).
    Nothing,
}

/// What the hexes of the map mean to a side that traces supply or moves by rail (7.2, 4.8).
#[derive(Clone, Debug)]
pub(crate) struct Lay {
    /// Hexes that may be entered: not closed, no faded dot, no enemy unit, city or fort, no Partisans of the enemy.
    pub open: HexSet,
    /// Hexes in an enemy zone of control. No EZOC markers are gone by the time it matters.
    pub ezoc: HexSet,
    /// Hexes with a ground unit of the side.
    pub friends: HexSet,
    /// Hexes with a ground unit of a side that is neither its own nor an enemy.
    pub strangers: HexSet,
    /// Hexes that the side controls.
    pub own: HexSet,
}

impl Lay {
    /// The map as it is to a side now.
    pub fn new(rules: &Rules, state: &State, side: Side) -> Self {
        Survey::ask(rules, state, |survey| Self::seen(rules, state, survey, side))
    }

    /// The map as a survey shows it.
    pub fn seen(rules: &Rules, state: &State, survey: &Survey, side: Side) -> Self {
        let enemies = state.enemies(side);
        let own = survey.held[side.index()];
        let mut lay =
            Self { open: own, ezoc: HexSet::EMPTY, friends: HexSet::EMPTY, strangers: HexSet::EMPTY, own };
        let (mut hostile, mut foes) = (HexSet::EMPTY, HexSet::EMPTY);
        for other in Side::ALL {
            let stood = &survey.stood[other.index()];
            if other == side {
                lay.friends = *stood;
            } else if enemies >> other.index() & 1 == 0 {
                lay.strangers.add(stood);
            } else {
                hostile.add(&survey.held[other.index()]);
                foes.add(stood);
                lay.ezoc.add(&survey.zones[other.index()].and(&survey.ground_of(state, other)));
            }
        }
        lay.strangers.add(&survey.stood[Side::Nobody.index()]);
        lay.open.add(&hostile.without(&rules.strongholds, &HexSet::EMPTY));
        lay.open = lay.open.and(&rules.land).without(&foes, &HexSet::EMPTY);
        lay.ezoc = lay.ezoc.and(&rules.land);
        for wall in state.walls {
            if wall.is_hex() && state.at_war(state.controller(wall), side) {
                lay.open.remove(wall);
            }
        }
        for (hex, of) in state.partisans {
            if hex.is_hex() && state.at_war(of.side(), side) {
                lay.open.remove(hex);
            }
        }
        lay
    }

    /// Hexes that a supply trace may use, the tracing unit's own apart: an EZOC only with a friendly ground unit in it.
    pub fn usable(&self) -> HexSet {
        self.open.without(&self.ezoc, &self.friends)
    }
}

/// The places that Transport Lines join directly to a hex or the Central Russia Box. With `one_area` not those in another
/// Overseas Area.
#[inline]
pub(crate) fn for_each_joined(rules: &Rules, place: Place, one_area: bool, mut each: impl FnMut(Place)) {
    let russia = rules.scenario().russia;
    for next in Rails::get(one_area).joined(place) {
        if *next != Place::CRU || russia {
            each(*next);
        }
    }
}

/// What a hex reaches by land: the hexes within two, and the stretches of line that begin there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    hexes: [Place; RING],
    hex_count: u8,
    stretches: [u16; RING + 1],
    stretch_count: u8,
}

impl Reach {
    /// Not even its own hex.
    pub const NOTHING: Self =
        Self { hexes: [Place::NONE; RING], hex_count: 0, stretches: [0; RING + 1], stretch_count: 0 };

    /// The hexes, its own first.
    #[inline]
    pub fn hexes(&self) -> &[Place] {
        &self.hexes[..usize::from(self.hex_count)]
    }

    /// The stretches of line.
    #[inline]
    pub fn stretches(&self) -> &[u16] {
        &self.stretches[..usize::from(self.stretch_count)]
    }

    /// The hexes that pass a test, without the lines.
    pub fn only(&self, mut keep: impl FnMut(Place) -> bool) -> Self {
        let mut left = Self::NOTHING;
        self.hexes().iter().filter(|hex| keep(**hex)).for_each(|hex| left.add_hex(*hex));
        left
    }

    fn add_hex(&mut self, hex: Place) {
        self.hexes[usize::from(self.hex_count)] = hex;
        self.hex_count += 1;
    }

    fn add_stretch(&mut self, stretch: u16) {
        if stretch != 0 && !self.stretches().contains(&stretch) {
            self.stretches[usize::from(self.stretch_count)] = stretch;
            self.stretch_count += 1;
        }
    }
}

/// The supply net of a side: its usable hexes, its lines and its sources.
pub(crate) struct Net<'r> {
    rules: &'r Rules,
    side: Side,
    usable: HexSet,
    lines: Lent,
}

impl<'r> Net<'r> {
    /// The net of a side: as it was found last, if nothing has changed that it depends on.
    pub fn new(rules: &'r Rules, state: &State, side: Side) -> Self {
        let last = Lines::last(side, Use::Supply);
        if last.of.as_ref().is_some_and(|key| key.fits(rules, state)) {
            return Self { rules, side, usable: *last.hexes_inside(), lines: last };
        }
        drop(last);
        let mut net = Self::of(rules, state, side, &Lay::new(rules, state, side));
        net.lines.of = Some(NetKey::new(rules, state));
        net
    }

    /// The net of a side on a map whose meaning is known.
    pub fn of(rules: &'r Rules, state: &State, side: Side, lay: &Lay) -> Self {
        let usable = lay.usable();
        let russia = rules.scenario().russia;
        let mut lent = Lines::inside(&usable, russia, side, Use::Supply);
        let lines: &mut Lines = &mut lent;
        for (city, site) in City::all().zip(&rules.sites) {
            let hex = site.hex;
            if state.controller(hex) != side {
                continue;
            }
            let (unlimited, limited) = rules.sources_in(state, city);
            (lines.unlimited[city.index()], lines.limited[city.index()]) = (unlimited, limited);
            if unlimited != 0 {
                lines.sources.insert(hex);
            }
            if usable.has(hex) {
                lines.fed[usize::from(lines.at(hex))] |= unlimited;
            }
        }
        for hex in rules.edge_sources(side) {
            lines.sources.insert(*hex);
            if usable.has(*hex) && state.controller(*hex) == side {
                lines.fed[usize::from(lines.at(*hex))] |= ANYBODY;
            }
        }
        if russia {
            lines.fed[usize::from(lines.at(Place::CRU))] |= bit(Country::USSR);
        }
        lines.fed[0] = 0;
        Self { rules, side, usable, lines: lent }
    }

    /// Finds out what some units reach from where they are.
    pub fn learn(&mut self, state: &State, units: &UnitSet) {
        for unit in units.units() {
            let place = state.unit(unit).place;
            if !self.lines.notes.knows(unit, place) {
                let reach = self.reach(state, place);
                self.lines.notes.note_reach(unit, place, reach);
            }
        }
    }

    /// What is known about units and ports.
    #[inline]
    pub fn notes(&self) -> &LinkNotes {
        &self.lines.notes
    }

    /// What is known about units and ports, to be added to.
    #[inline]
    pub fn notes_mut(&mut self) -> &mut LinkNotes {
        &mut self.lines.notes
    }

    /// Countries for which a city is a Limited source.
    #[inline]
    pub fn limited(&self, city: City) -> u32 {
        self.lines.limited[city.index()]
    }

    /// Whether a hex can be part of a trace.
    pub fn is_usable(&self, hex: Place) -> bool {
        self.usable.has(hex)
    }

    /// What a unit in a hex reaches. Its own hex may lie in an EZOC; with Partisans in it nothing else is reached.
    pub fn reach(&self, state: &State, own: Place) -> Reach {
        let mut reach = Reach::NOTHING;
        // No lines lead through a Map Box.
        if !own.is_hex() {
            return reach;
        }
        reach.add_hex(own);
        if self.is_closed_in(state, own) {
            return reach;
        }
        if self.is_outside_to_russia(own) {
            reach.add_stretch(self.lines.at(Place::CRU));
        }
        reach.add_stretch(self.lines.at(own));
        let ring = Ring::of(own);
        let mut over = 0_u8;
        for (at, near) in ring.first().iter().enumerate() {
            if self.usable.has(*near) {
                over |= 1 << at;
                reach.add_hex(*near);
                reach.add_stretch(self.lines.at(*near));
            }
        }
        for (hex, ways) in ring.second() {
            if over & ways != 0 && self.usable.has(*hex) {
                reach.add_hex(*hex);
                reach.add_stretch(self.lines.at(*hex));
            }
        }
        reach
    }

    /// The countries for which a place with this reach has a trace to an Unlimited source.
    pub fn fed(&self, state: &State, reach: &Reach) -> u32 {
        let by_line =
            reach.stretches().iter().fold(0, |fed, stretch| fed | self.lines.fed[usize::from(*stretch)]);
        reach.hexes().iter().fold(by_line, |fed, hex| fed | self.source_at(state, *hex))
    }

    /// The countries for which a hex has a trace to an Unlimited source: all of `wanted` that have, others maybe not. It goes no
    /// further than it must; where it goes, [`Net::reach`] goes too.
    pub fn fed_at(&self, state: &State, own: Place, wanted: u32) -> u32 {
        let mut fed = self.source_at(state, own);
        if self.is_closed_in(state, own) {
            return fed;
        }
        let lines = &*self.lines;
        fed |= lines.fed[usize::from(lines.at(own))];
        if self.is_outside_to_russia(own) {
            fed |= lines.fed[usize::from(lines.at(Place::CRU))];
        }
        // Most stand on a line: what is around them need not even be fetched.
        if wanted & !fed == 0 {
            return fed;
        }
        let ring = Ring::of(own);
        let mut over = 0_u8;
        for (at, near) in ring.first().iter().enumerate() {
            if wanted & !fed == 0 {
                return fed;
            }
            if self.usable.has(*near) {
                over |= 1 << at;
                fed |= lines.fed[usize::from(lines.at(*near))] | self.source_at(state, *near);
            }
        }
        for (hex, ways) in ring.second() {
            if wanted & !fed == 0 {
                return fed;
            }
            if over & ways != 0 && self.usable.has(*hex) {
                fed |= lines.fed[usize::from(lines.at(*hex))] | self.source_at(state, *hex);
            }
        }
        fed
    }

    /// Whether enemy Partisans are in a hex, so that nothing else is reached from there.
    fn is_closed_in(&self, state: &State, own: Place) -> bool {
        state.partisans.iter().any(|(hex, of)| *hex == own && state.at_war(of.side(), self.side))
    }

    /// Whether a line leads into the Central Russia Box from a hex that can't be part of a trace.
    fn is_outside_to_russia(&self, own: Place) -> bool {
        !self.usable.has(own) && self.rules.world.hex(own).line_to_russia && self.rules.scenario().russia
    }

    /// Whether a hex lies on a line that leads to an Unlimited source of one of some countries, or is one.
    pub fn is_fed_hex(&self, state: &State, hex: Place, countries: u32) -> bool {
        let by_line = self.lines.fed[usize::from(self.lines.at(hex))];
        (by_line | self.source_at(state, hex)) & countries != 0
    }

    /// The countries for which a hex itself is an Unlimited source.
    #[inline]
    fn source_at(&self, state: &State, hex: Place) -> u32 {
        if !self.lines.sources.has(hex) {
            return 0;
        }
        let city = self.rules.tile(hex).city;
        let by_city = city.some().map_or(0, |city| self.lines.unlimited[city.index()]);
        let edge = self.rules.edge_sources(self.side).contains(&hex) && state.controller(hex) == self.side;
        if edge { ANYBODY } else { by_city }
    }

    /// The stretch of line at a place; 0 for none.
    #[inline]
    pub fn stretch(&self, place: Place) -> u16 {
        self.lines.at(place)
    }

    /// Whether a place is reached.
    pub fn reaches(&self, reach: &Reach, place: Place) -> bool {
        reach.hexes().contains(&place) || {
            let stretch = self.lines.at(place);
            stretch != 0 && reach.stretches().contains(&stretch)
        }
    }

    /// Whether a unit has a trace to an Unlimited source, or needs none: in a Map Box (7.1), or just landed (6.4).
    pub fn is_full(&self, state: &State, unit: UnitId) -> bool {
        let entry = state.unit(unit);
        let country = bit(self.rules.country_of(state, unit));
        entry.place.is_box()
            || entry.has(flag::ASHORE)
            || self.fed_at(state, entry.place, country) & country != 0
    }

    /// What a unit's supply comes from.
    pub fn source(&self, state: &State, unit: UnitId) -> Source {
        let place = state.unit(unit).place;
        if place.is_box() {
            return Source::Unlimited(place);
        }
        let country = bit(self.rules.country_of(state, unit));
        let reach = self.reach(state, place);
        if let Some(hex) = reach.hexes().iter().find(|hex| self.source_at(state, **hex) & country != 0) {
            return Source::Unlimited(*hex);
        }
        let cities = || City::all().map(|city| (city, self.rules.world.city(city).hex));
        for (city, hex) in cities() {
            if self.lines.unlimited[city.index()] & country != 0 && self.reaches(&reach, hex) {
                return Source::Unlimited(hex);
            }
        }
        let edges = self.rules.edge_sources(self.side).iter().copied();
        let boxes = [Place::CRU].into_iter().filter(|_| country == bit(Country::USSR));
        for place in edges.filter(|hex| state.controller(*hex) == self.side).chain(boxes) {
            if self.reaches(&reach, place) {
                return Source::Unlimited(place);
            }
        }
        cities()
            .find(|(city, hex)| self.lines.limited[city.index()] & country != 0 && self.reaches(&reach, *hex))
            .map_or(Source::Nothing, |(_, hex)| Source::Limited(hex))
    }
}

impl Rules {
    /// What the supply of a unit on the map comes from by land now.
    pub fn source_of(&self, state: &State, unit: UnitId) -> Source {
        Net::new(self, state, self.side_of(state, unit)).source(state, unit)
    }

    /// The supply state that a unit would have if its Supply Check were now, without sea links, Air Transport or a crowd at
    /// its Limited source.
    pub fn supply_of(&self, state: &State, unit: UnitId) -> Supply {
        if state.unit(unit).has(flag::ASHORE) {
            return Supply::Full;
        }
        match self.source_of(state, unit) {
            Source::Unlimited(_) => Supply::Full,
            Source::Limited(_) => Supply::Low,
            Source::Nothing => self.fallen(state, unit),
        }
    }

    /// The state of a unit that gets no supply (7.5): one level down; a garrison in a friendly city or fort and a unit dropped
    /// in this turn (6.8) stay Low.
    pub(crate) fn fallen(&self, state: &State, unit: UnitId) -> Supply {
        let entry = state.unit(unit);
        let side = self.side_of(state, unit);
        let stores = self.kind(unit) == crate::world::Kind::Garrison
            && entry.place.is_hex()
            && self.has_friendly_city(state, entry.place, side);
        if stores || entry.has(flag::DROPPED) { Supply::Low } else { entry.supply.below() }
    }

    /// Hexes that are Unlimited sources for every unit of a side by a hook of the scenario (`west-edge-supply`), while it
    /// controls them.
    pub(crate) fn edge_sources(&self, side: Side) -> &[Place] {
        let scenario = self.scenario();
        if side == Side::Axis && scenario.hooks.edge_supply { &scenario.west_edge } else { &[] }
    }

    /// Whether a hook of the scenario has closed a city as a source and location (`area-closed`).
    pub(crate) fn is_shut(&self, state: &State, hex: Place) -> bool {
        let area = self.world.hex(hex).disputed;
        let closing = self.scenario().hooks.area_closed;
        closing.is_some_and(|(after, closed)| area != NO_AREA && area == closed && state.turn > after)
    }

    /// The countries for which a city that is friendly to them is an Unlimited and a Limited source (7.3).
    fn sources_in(&self, state: &State, city: City) -> (u32, u32) {
        let info = self.world.city(city);
        let (hex, side) = (info.hex, state.controller(info.hex));
        if !self.scenario().in_play(hex) || self.is_shut(state, hex) {
            return (0, 0);
        }
        let owner = self.owner(state, hex);
        let (mut unlimited, mut limited) = (0, 0);
        if owner != Country::NONE && !info.port_only {
            let entry = state.country(owner);
            let own = entry.side == side;
            let mainland = self.is_mainland(state, city);
            let is_capital = self.capital_of(state, owner) == Some(city);
            match entry.status {
                Status::Active if own => {
                    if mainland {
                        unlimited |= bit(owner);
                        if owner == Country::UK {
                            unlimited |= bit(Country::USA);
                        }
                    } else if info.factory {
                        limited |= bit(owner);
                    }
                    if is_capital && !matches!(owner, Country::GER | Country::UK | Country::USSR) {
                        limited |= guests(side);
                    }
                }
                Status::Conquered if own && is_capital => limited |= ANYBODY,
                _ => {}
            }
        }
        let hooks = &self.scenario().hooks;
        if hooks.uk_source == Some(city) && side == Side::Western {
            unlimited |= bit(Country::UK);
        }
        if hooks.west_base == Some(city) && side == Side::Western {
            unlimited |= ANYBODY;
        }
        if hooks.axis_limited == Some(city) && side == Side::Axis {
            limited |= ANYBODY;
        }
        (unlimited, limited)
    }
}

/// The countries whose units live, poorly, on the capitals of their side's other countries (7.3).
const fn guests(side: Side) -> u32 {
    match side {
        Side::Axis => bit(Country::GER),
        Side::Western => bit(Country::UK) | bit(Country::USA),
        Side::Soviet => bit(Country::USSR),
        _ => 0,
    }
}
