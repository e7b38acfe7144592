//! The cities and ports around each city, the nearest first, and the ports of each Sea Zone: they depend on the map only and
//! are made once.

use std::sync::LazyLock;

use crate::bits::CitySet;
use crate::ids::{CITIES, City, NODES, Node, Place};
use crate::world::World;

/// For each city all cities, itself first, with their distances.
static AROUND: LazyLock<Vec<[(City, u8); CITIES]>> = LazyLock::new(|| {
    let world = World::get();
    let around = |city: City| {
        let distance = |other: City| world.distance(world.city(city).hex, world.city(other).hex) as u8;
        let mut others: [(City, u8); CITIES] =
            std::array::from_fn(|at| (City(at as u8), distance(City(at as u8))));
        others.sort_by_key(|(other, distance)| (*distance, *other));
        others
    };
    City::all().map(around).collect()
});

/// How far it is from each city to the hexes next to the Central Russia Box.
static TO_RUSSIA: LazyLock<[u8; CITIES]> = LazyLock::new(|| {
    let world = World::get();
    let border: Vec<Place> = Place::hexes().filter(|hex| world.hex(*hex).to_russia).collect();
    std::array::from_fn(|at| {
        let hex = world.city(City(at as u8)).hex;
        border.iter().map(|gate| world.distance(hex, *gate) as u8).min().unwrap_or(u8::MAX)
    })
});

/// The ports of each node.
static PORTS: LazyLock<[CitySet; NODES]> = LazyLock::new(|| {
    std::array::from_fn(|node| {
        let mut ports = CitySet::EMPTY;
        World::get().ports[node].iter().for_each(|city| ports.insert(*city));
        ports
    })
});

/// The cities and ports within some hexes of a city, the nearest first, itself included.
#[inline]
pub(crate) fn around(city: City, hexes: u32) -> impl Iterator<Item = City> {
    let near = AROUND[city.index()].iter();
    near.take_while(move |(_, distance)| u32::from(*distance) <= hexes).map(|(other, _)| *other)
}

/// For each city the set of the cities and ports within some hexes.
pub(crate) fn within(hexes: u32) -> Vec<CitySet> {
    let set = |city: City| {
        let mut near = CitySet::EMPTY;
        around(city, hexes).for_each(|other| near.insert(other));
        near
    };
    City::all().map(set).collect()
}

/// How far it is from a city to the hexes next to the Central Russia Box.
#[inline]
pub(crate) fn to_russia(city: City) -> u8 {
    TO_RUSSIA[city.index()]
}

/// Whether some of the nodes of a set have a port among some cities.
#[inline]
pub(crate) fn have_port(nodes: u64, cities: &CitySet) -> bool {
    let ports = &*PORTS;
    Node::of(nodes).any(|node| ports[node.index()].meets(cities))
}

/// The ports of the nodes of a set.
#[inline]
pub(crate) fn ports_on(nodes: u64) -> CitySet {
    let ports = &*PORTS;
    Node::of(nodes).fold(CitySet::EMPTY, |all, node| all.or(&ports[node.index()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cities_around_a_city_are_those_within_reach_from_the_nearest_on() {
        let (world, sets) = (World::get(), within(9));
        for city in City::all() {
            let hex = |city: City| world.city(city).hex;
            let near: Vec<City> = around(city, 9).collect();
            assert_eq!(near[0], city);
            let distances: Vec<u32> =
                near.iter().map(|other| world.distance(hex(city), hex(*other))).collect();
            assert!(distances.is_sorted());
            let within = City::all().filter(|other| world.distance(hex(city), hex(*other)) <= 9).count();
            assert_eq!(near.len(), within, "{}", world.city(city).id);
            assert!(City::all().all(|other| sets[city.index()].has(other) == near.contains(&other)));
        }
    }

    #[test]
    fn ports_are_found_by_their_seas() {
        let world = World::get();
        for city in City::all() {
            let zones = world.city(city).zones;
            assert!(zones == 0 || ports_on(zones).has(city), "{}", world.city(city).id);
            let mut alone = CitySet::EMPTY;
            alone.insert(city);
            assert_eq!(have_port(zones, &alone), zones != 0);
            assert!(!have_port(!zones & ((1 << NODES) - 1), &alone));
        }
    }
}
