//! The net of Transport Lines and the hexes around each hex, as lists that a search can walk without looking at the map.
//! They depend on the map only and are made once.

use std::sync::LazyLock;

use crate::hex_set::HexSet;
use crate::ids::Place;
use crate::world::{DIRECTIONS, Hexside, World};

/// The hexes at two steps from a hex.
const SECOND: usize = 12;

/// Where lines lead from each hex.
pub(crate) struct Rails {
    /// Hexes with a line.
    pub hexes: HexSet,
    /// The places that lines join to each hex, one after the other, and last those that they join to the Central Russia Box.
    joined: Vec<Place>,
    /// Where the places of each begin, and where the last end.
    starts: Vec<u16>,
    /// Those of them that lie before each on the map, one after the other, the Central Russia Box after everything else.
    before: Vec<Place>,
    /// Where those of each begin, and where the last end.
    before_starts: Vec<u16>,
}

impl Rails {
    /// The net; with `one_area` a line ends where an Overseas Area does (4.8).
    pub fn get(one_area: bool) -> &'static Self {
        static NETS: LazyLock<[Rails; 2]> = LazyLock::new(|| [false, true].map(Rails::new));
        &NETS[usize::from(one_area)]
    }

    fn new(one_area: bool) -> Self {
        let world = World::get();
        let mut rails = Self {
            hexes: HexSet::EMPTY,
            joined: Vec::new(),
            starts: vec![0],
            before: Vec::new(),
            before_starts: vec![0],
        };
        let mut gates = Vec::new();
        for hex in Place::hexes() {
            let info = world.hex(hex);
            for (direction, near) in info.near.into_iter().enumerate() {
                let has_line = info.lines >> direction & 1 != 0 && near.is_hex();
                if has_line && !(one_area && world.hex(near).area != info.area) {
                    rails.joined.push(near);
                }
            }
            if info.line_to_russia {
                rails.joined.push(Place::CRU);
                gates.push(hex);
            }
            if info.lines != 0 || info.line_to_russia {
                rails.hexes.insert(hex);
            }
            rails.starts.push(rails.joined.len() as u16);
        }
        rails.joined.extend(gates);
        rails.starts.push(rails.joined.len() as u16);
        for place in Place::hexes().chain([Place::CRU]) {
            let before = rails.joined(place).iter().filter(|other| other.index() < place.index());
            let before: Vec<Place> = before.copied().collect();
            rails.before.extend(before);
            rails.before_starts.push(rails.before.len() as u16);
        }
        rails
    }

    /// Those of [`Rails::joined`] that lie before a place on the map, the Central Russia Box after everything else.
    #[inline]
    pub fn joined_before(&self, place: Place) -> &[Place] {
        let at = place.index();
        &self.before[usize::from(self.before_starts[at])..usize::from(self.before_starts[at + 1])]
    }

    /// The places that lines join directly to a hex or the Central Russia Box, that box included whether it is in play or not.
    #[inline]
    pub fn joined(&self, place: Place) -> &[Place] {
        let at = place.index();
        &self.joined[usize::from(self.starts[at])..usize::from(self.starts[at + 1])]
    }
}

/// The hexes within two steps over no water: those at one step, and those at two with the set of the first that lead there.
#[derive(Clone, Copy)]
pub(crate) struct Ring {
    first: [Place; DIRECTIONS],
    first_count: u8,
    second: [(Place, u8); SECOND],
    second_count: u8,
}

impl Ring {
    /// The rings of a hex.
    #[inline]
    pub fn of(hex: Place) -> &'static Self {
        static RINGS: LazyLock<Vec<Ring>> = LazyLock::new(|| Place::hexes().map(Ring::new).collect());
        &RINGS[hex.index()]
    }

    fn new(hex: Place) -> Self {
        let mut ring = Self {
            first: [Place::NONE; DIRECTIONS],
            first_count: 0,
            second: [(Place::NONE, 0); SECOND],
            second_count: 0,
        };
        for near in over_land(hex) {
            ring.first[usize::from(ring.first_count)] = near;
            ring.first_count += 1;
        }
        for at in 0..usize::from(ring.first_count) {
            for next in over_land(ring.first[at]) {
                if next == hex || ring.first().contains(&next) {
                    continue;
                }
                let count = usize::from(ring.second_count);
                match ring.second[..count].iter_mut().find(|(known, _)| *known == next) {
                    Some((_, over)) => *over |= 1 << at,
                    None => {
                        ring.second[count] = (next, 1 << at);
                        ring.second_count += 1;
                    }
                }
            }
        }
        ring
    }

    /// The hexes at one step.
    #[inline]
    pub fn first(&self) -> &[Place] {
        &self.first[..usize::from(self.first_count)]
    }

    /// The hexes at two steps, each with the hexes of [`Ring::first`] that lead there, as bits.
    #[inline]
    pub fn second(&self) -> &[(Place, u8)] {
        &self.second[..usize::from(self.second_count)]
    }
}

fn over_land(hex: Place) -> impl Iterator<Item = Place> {
    let info = World::get().hex(hex);
    info.near
        .into_iter()
        .zip(info.sides)
        .filter(|(near, between)| near.is_hex() && *between != Hexside::Water)
        .map(|(near, _)| near)
}
