//! The rules of a set-up: the world, the scenario, the options. The chapters add their part in files of their own.

use std::sync::OnceLock;

use kernel::Seat;

use crate::bits::{CitySet, UnitSet};
use crate::flight::Skies;
use crate::hex_set::HexSet;
use crate::ids::{COUNTRIES, City, Country, Faction, Place, Side, UNITS, UnitId};
use crate::markers::{MARKERS, Marker, Owner, SLOTS};
use crate::near_cities::within;
use crate::rail::FLIGHT;
use crate::scenario::Scenario;
use crate::settings::Settings;
use crate::tiles::{Site, Tile};
use crate::world::{Avail, Hexside, Kind, World};

/// No slot.
const NO_SLOT: u8 = u8::MAX;

/// Everything that does not change in a match.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The map, the units, the tables.
    pub world: &'static World,
    /// The options.
    pub settings: Settings,
    /// Land in play without a faded dot: where ground units can be.
    pub(crate) land: HexSet,
    /// Whether a hook of the scenario keeps some units out of some hexes (30.6).
    pub(crate) has_bars: bool,
    /// The hexes that share a land border with each country, its own among them.
    pub(crate) beside: Vec<HexSet>,
    /// Hexes with a port.
    pub(crate) ports: HexSet,
    /// Hexes with a city or a printed fort.
    pub(crate) strongholds: HexSet,
    /// The hexes in little room.
    tiles: Box<[Tile]>,
    /// The cities and ports in little room.
    pub(crate) sites: Box<[Site]>,
    /// The cities with a Factory.
    pub(crate) works: Vec<City>,
    /// The cities and ports in play; those of them that are cities, and those with a Factory.
    pub(crate) in_play: CitySet,
    pub(crate) towns: CitySet,
    pub(crate) factories: CitySet,
    /// The land in play, and the land next to the Central Russia Box, as they lie on the map.
    pub(crate) skies: Skies,
    pub(crate) gates: Skies,
    /// For each city those within the range of Air Strikes, of Bombing Runs and of Strategic Movement by air.
    pub(crate) in_strike: Vec<CitySet>,
    pub(crate) in_bombing: Vec<CitySet>,
    pub(crate) in_flight: Vec<CitySet>,
    /// The ground units, and the naval units.
    pub(crate) armies: UnitSet,
    pub(crate) ships: UnitSet,
    /// The ground units other than garrisons, and those of them that are airborne.
    pub(crate) fields: UnitSet,
    pub(crate) airborne: UnitSet,
    /// The units that come on a date of their own.
    pub(crate) dated: UnitSet,
    /// The units of each country, as they are printed.
    pub(crate) of_country: Box<[UnitSet; COUNTRIES]>,
    /// The printed country and the kind of every unit, close together because everything asks for them.
    pub(crate) roster: Box<[(Country, Kind); UNITS]>,
    /// Where the markers of an owner are counted: by marker, then by country, then faction.
    slots: Box<[[u8; COUNTRIES + 3]; MARKERS]>,
    /// The marker and owner of each slot.
    slot_owners: Vec<(Marker, Owner)>,
    /// How the opening position stands, as the measure of all later ones (see `value`).
    pub(crate) balance: OnceLock<[f32; crate::value::OMENS]>,
}

impl Rules {
    /// The rules for some settings.
    pub fn new(settings: Settings) -> Self {
        let world = World::get();
        let mut slots = Box::new([[NO_SLOT; COUNTRIES + 3]; MARKERS]);
        let mut slot_owners = Vec::new();
        for info in &world.markers {
            for holding in &info.holdings {
                let slot = &mut slots[info.marker.index()][owner_index(holding.owner)];
                if *slot == NO_SLOT {
                    *slot = slot_owners.len() as u8;
                    slot_owners.push((info.marker, holding.owner));
                }
            }
        }
        assert!(slot_owners.len() <= SLOTS, "more owners of markers than a position can hold");
        let mut land = HexSet::EMPTY;
        for hex in Place::hexes().filter(|hex| !world.hex(*hex).faded && settings.scenario.in_play(*hex)) {
            land.insert(hex);
        }
        let tiles = Tile::all(world, &settings.scenario);
        let sites = Site::all(world, &settings.scenario);
        let [mut strongholds, mut ports] = [HexSet::EMPTY; 2];
        for site in &sites {
            ports.put(site.hex, site.zones != 0);
            let tile = &tiles[site.hex.index()];
            if tile.has_city() || tile.has_fort() {
                strongholds.insert(site.hex);
            }
        }
        let (mut in_play, mut towns, mut factories) = (CitySet::EMPTY, CitySet::EMPTY, CitySet::EMPTY);
        for (city, site) in City::all().zip(&sites).filter(|(_, site)| site.is_in_play) {
            in_play.insert(city);
            towns.set_number(city.index(), site.is_city);
            factories.set_number(city.index(), site.has_factory);
        }
        let (mut skies, mut gates) = (Skies::EMPTY, Skies::EMPTY);
        for hex in Place::hexes() {
            skies.put_up(hex, tiles[hex.index()].is_in_play());
            gates.put_up(hex, world.hex(hex).to_russia);
        }
        let [mut armies, mut ships, mut fields, mut airborne, mut dated] = [UnitSet::EMPTY; 5];
        for unit in UnitId::all() {
            armies.set_number(unit.index(), world.unit(unit).kind.is_ground());
            ships.set_number(unit.index(), world.unit(unit).kind.is_naval());
            fields.set_number(unit.index(), world.unit(unit).kind.is_field());
            airborne.set_number(unit.index(), world.unit(unit).kind == Kind::Airborne);
            dated.set_number(unit.index(), matches!(world.unit(unit).avail, Avail::Turn(_)));
        }
        let mut beside = vec![HexSet::EMPTY; COUNTRIES];
        for hex in Place::hexes() {
            let info = world.hex(hex);
            for (near, between) in info.near.into_iter().zip(info.sides) {
                if near.is_hex() && between != Hexside::Water && world.hex(near).country != Country::NONE {
                    beside[world.hex(near).country.index()].insert(hex);
                }
            }
        }
        let mut of_country = Box::new([UnitSet::EMPTY; COUNTRIES]);
        UnitId::all().for_each(|unit| of_country[world.unit(unit).country.index()].insert(unit));
        let roster = std::array::from_fn(|at| {
            let info = world.unit(UnitId(at as u16));
            (info.country, info.kind)
        });
        let hooks = &settings.scenario.hooks;
        Self {
            world,
            has_bars: hooks.uk_source.is_some() || hooks.minor_limits.is_some(),
            settings,
            land,
            ports,
            beside,
            strongholds,
            tiles,
            sites,
            in_play,
            towns,
            factories,
            in_strike: within(world.tables.ranges.strike),
            in_bombing: within(world.tables.ranges.bombing),
            in_flight: within(FLIGHT),
            skies,
            gates,
            fields,
            airborne,
            dated,
            of_country,
            works: City::all().filter(|city| world.city(*city).factory).collect(),
            armies,
            ships,
            roster: Box::new(roster),
            slots,
            slot_owners,
            balance: OnceLock::new(),
        }
    }

    /// A hex in little room.
    #[inline]
    pub(crate) fn tile(&self, hex: Place) -> &Tile {
        &self.tiles[hex.index()]
    }

    /// The Sea Zones that a port in a place opens on, or the node of a sea Map Box.
    #[inline]
    pub(crate) fn waters_at(&self, place: Place) -> u64 {
        if !place.is_hex() {
            return place.node().map_or(0, crate::ids::Node::bit);
        }
        self.tile(place).city.some().map_or(0, |city| self.sites[city.index()].zones)
    }

    /// The scenario.
    #[inline]
    pub fn scenario(&self) -> &Scenario {
        &self.settings.scenario
    }

    /// Where the markers of an owner are counted; `None` if the owner never has any.
    #[inline]
    pub fn slot(&self, marker: Marker, owner: Owner) -> Option<usize> {
        let slot = self.slots[marker.index()][owner_index(owner)];
        (slot != NO_SLOT).then_some(usize::from(slot))
    }

    /// The marker and owner of each slot, in order.
    pub fn slot_owners(&self) -> &[(Marker, Owner)] {
        &self.slot_owners
    }

    /// Whether a faction plays in this scenario.
    pub fn plays(&self, faction: Faction) -> bool {
        self.scenario().factions.contains(&faction)
    }

    /// The seat of a faction. A faction that does not play has none; its decisions would be the first seat's, but it has none.
    #[inline]
    pub fn seat_of(&self, faction: Faction) -> Seat {
        let at = self.scenario().factions.iter().position(|known| *known == faction);
        Seat(at.unwrap_or_default() as u8)
    }

    /// The seat that decides for a side: Lone countries are moved by the Western player (1.1).
    #[inline]
    pub fn seat_of_side(&self, side: Side) -> Seat {
        self.seat_of(side.player())
    }

    /// The faction of a seat.
    pub fn faction_of(&self, seat: Seat) -> Faction {
        self.scenario().factions.get(seat.index()).copied().unwrap_or(Faction::Axis)
    }
}

fn owner_index(owner: Owner) -> usize {
    match owner {
        Owner::Country(country) => country.index(),
        Owner::Faction(faction) => COUNTRIES + faction.index(),
    }
}
