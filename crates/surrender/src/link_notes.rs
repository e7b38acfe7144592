//! What a supply net has found out about single units and ports, kept for as long as the net is: a Supply Check asks the same
//! of the same units again and again. Rule 7.4.

use crate::bits::{CitySet, UnitSet};
use crate::ids::{CITIES, Place, UNITS, UnitId};
use crate::lines::STOPS;
use crate::supply::Reach;

/// What is known about the units and ports of a net.
pub(crate) struct LinkNotes {
    /// The units whose reach is known, and from where.
    known: UnitSet,
    places: [Place; UNITS],
    reach: [Reach; UNITS],
    /// The units whose ports are known: the friendly ports that each reaches, and whether it reaches the Mulberry.
    ported: UnitSet,
    ports: [CitySet; UNITS],
    pub mulberry: UnitSet,
    /// The countries for which home ends are known, and for which of them each friendly port has a land trace to an Unlimited
    /// source.
    pub home_for: u32,
    pub home: [u32; CITIES],
    /// The friendly ports, all and by the stretch of line they lie on, once somebody has asked.
    pub bases: Option<CitySet>,
    /// The number of each stretch among those with a port, from 1; 0 where there is none.
    pub number: [u8; STOPS + 1],
    pub on: [CitySet; CITIES + 1],
}

impl LinkNotes {
    /// Nothing is known.
    pub fn nothing() -> Box<Self> {
        Box::new(Self {
            known: UnitSet::EMPTY,
            places: [Place::NONE; UNITS],
            reach: [Reach::NOTHING; UNITS],
            ported: UnitSet::EMPTY,
            ports: [CitySet::EMPTY; UNITS],
            mulberry: UnitSet::EMPTY,
            home_for: 0,
            home: [0; CITIES],
            bases: None,
            number: [0; STOPS + 1],
            on: [CitySet::EMPTY; CITIES + 1],
        })
    }

    /// The net is another one: nothing holds any more.
    pub fn forget(&mut self) {
        (self.known, self.ported, self.mulberry) = (UnitSet::EMPTY, UnitSet::EMPTY, UnitSet::EMPTY);
        (self.home_for, self.bases) = (0, None);
    }

    /// Whether the reach of a unit from a place is known.
    #[inline]
    pub const fn knows(&self, unit: UnitId, place: Place) -> bool {
        self.known.has(unit) && self.places[unit.index()].0 == place.0
    }

    /// Notes what a unit reaches from a place.
    pub fn note_reach(&mut self, unit: UnitId, place: Place, reach: Reach) {
        self.known.insert(unit);
        self.ported.set_number(unit.index(), false);
        (self.places[unit.index()], self.reach[unit.index()]) = (place, reach);
    }

    /// What a unit reaches, once it is noted.
    #[inline]
    pub const fn reach(&self, unit: UnitId) -> &Reach {
        &self.reach[unit.index()]
    }

    /// Whether the ports of a unit whose reach is known are known too.
    #[inline]
    pub const fn knows_ports(&self, unit: UnitId) -> bool {
        self.ported.has(unit)
    }

    /// Notes the ports that a unit reaches, and whether it reaches the Mulberry.
    pub fn note_ports(&mut self, unit: UnitId, ports: CitySet, mulberry: bool) {
        self.ported.insert(unit);
        self.ports[unit.index()] = ports;
        self.mulberry.set_number(unit.index(), mulberry);
    }

    /// The friendly ports that a unit reaches, once they are noted.
    #[inline]
    pub const fn ports(&self, unit: UnitId) -> &CitySet {
        &self.ports[unit.index()]
    }

    /// The ports among the bases that somebody reaches along lines.
    pub fn ports_along(&self, reach: &Reach) -> CitySet {
        reach.stretches().iter().fold(CitySet::EMPTY, |ports, stretch| {
            ports.or(&self.on[usize::from(self.number[usize::from(*stretch)])])
        })
    }
}
