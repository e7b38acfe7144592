//! The map once more in little room: what is asked about hexes and cities all the time, close together. Everything else stands
//! in [`World`]; these are made once from it, for a scenario.

use crate::ids::{City, Country, LANDS, Place};
use crate::scenario::Scenario;
use crate::world::{DIRECTIONS, Hexside, World};

/// A land hex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    /// The land hexes around it; none where there is none.
    pub near: [Place; DIRECTIONS],
    /// Directions in which a neighbour can be walked to: land, and no water between, as bits.
    pub dry: u8,
    /// Directions in which a unit here exerts a zone of control (3.4): neither water nor a strait between, no faded dot.
    pub zone: u8,
    /// See [`trait_of`].
    traits: u8,
    /// The city or port in it.
    pub city: City,
    /// What lies between it and its neighbours.
    pub sides: [Hexside; DIRECTIONS],
    /// Directions in which a Transport Line leads on, as bits.
    pub lines: u8,
    /// The country it is printed in.
    pub country: Country,
    /// The Disputed Area it is in, and the area; [`NO_AREA`] for none.
    pub disputed: u8,
    pub area: u8,
}

/// Bits of [`Tile::traits`].
mod trait_of {
    pub const IN_PLAY: u8 = 1;
    pub const FADED: u8 = 2;
    pub const CITY: u8 = 4;
    pub const FORT: u8 = 8;
    pub const ROUGH: u8 = 16;
    pub const TO_RUSSIA: u8 = 32;
    pub const STRAIT: u8 = 64;
}

impl Tile {
    fn new(world: &World, scenario: &Scenario, hex: Place) -> Self {
        let info = world.hex(hex);
        let (mut dry, mut zone) = (0, 0);
        for (at, (near, between)) in info.near.iter().zip(info.sides).enumerate() {
            if near.is_hex() && between != Hexside::Water {
                dry |= 1 << at;
                zone |= u8::from(between != Hexside::Strait && !world.hex(*near).faded) << at;
            }
        }
        let city = info.city.some().map(|city| world.city(city));
        let traits = [
            (trait_of::IN_PLAY, scenario.in_play(hex)),
            (trait_of::FADED, info.faded),
            (trait_of::CITY, city.is_some_and(|city| !city.port_only)),
            (trait_of::FORT, city.is_some_and(|city| city.fort)),
            (trait_of::ROUGH, info.terrain.is_rough()),
            (trait_of::TO_RUSSIA, info.to_russia),
            (trait_of::STRAIT, info.sides.contains(&Hexside::Strait)),
        ];
        let traits = traits.into_iter().filter(|(_, is)| *is).fold(0, |all, (one, _)| all | one);
        Self {
            near: info.near,
            dry,
            zone,
            traits,
            city: info.city,
            sides: info.sides,
            lines: info.lines,
            country: info.country,
            disputed: info.disputed,
            area: info.area,
        }
    }

    /// The tiles of all land hexes.
    pub fn all(world: &World, scenario: &Scenario) -> Box<[Self]> {
        let tiles: Vec<Self> = Place::hexes().map(|hex| Self::new(world, scenario, hex)).collect();
        debug_assert_eq!(tiles.len(), LANDS);
        tiles.into_boxed_slice()
    }

    /// Whether the hex is in play.
    #[inline]
    pub const fn is_in_play(&self) -> bool {
        self.traits & trait_of::IN_PLAY != 0
    }

    /// Whether it has a faded dot.
    #[inline]
    pub const fn is_faded(&self) -> bool {
        self.traits & trait_of::FADED != 0
    }

    /// Whether there is a city, which a mere port is not.
    #[inline]
    pub const fn has_city(&self) -> bool {
        self.traits & trait_of::CITY != 0
    }

    /// Whether a fort is printed in it.
    #[inline]
    pub const fn has_fort(&self) -> bool {
        self.traits & trait_of::FORT != 0
    }

    /// Whether its terrain is rough.
    #[inline]
    pub const fn is_rough(&self) -> bool {
        self.traits & trait_of::ROUGH != 0
    }

    /// Whether units pass from it into the Central Russia Box.
    #[inline]
    pub const fn is_next_to_russia(&self) -> bool {
        self.traits & trait_of::TO_RUSSIA != 0
    }

    /// Whether a strait is one of its sides, over which it is walked and fought but no zone of control reaches.
    #[inline]
    pub const fn has_strait(&self) -> bool {
        self.traits & trait_of::STRAIT != 0
    }

    /// The direction of a neighbour.
    #[inline]
    pub fn direction(&self, to: Place) -> Option<usize> {
        self.near.iter().position(|near| *near == to)
    }

    /// The neighbours in some directions.
    #[inline]
    pub fn towards(&self, directions: u8) -> impl Iterator<Item = Place> + '_ {
        self.near.iter().enumerate().filter(move |(at, _)| directions >> at & 1 != 0).map(|(_, near)| *near)
    }
}

/// A city or port.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    /// The Sea Zones that its port opens on.
    pub zones: u64,
    /// Its hex.
    pub hex: Place,
    /// The row and the column of its hex.
    pub spot: (u8, u8),
    /// Whether it is a city and not a mere port.
    pub is_city: bool,
    /// Whether it is in play.
    pub is_in_play: bool,
    /// Whether a Factory stands there.
    pub has_factory: bool,
}

impl Site {
    /// The sites of all cities and ports.
    pub fn all(world: &World, scenario: &Scenario) -> Box<[Self]> {
        let site = |city: &crate::world::CityInfo| Self {
            zones: city.zones,
            hex: city.hex,
            spot: (world.hex(city.hex).row, world.hex(city.hex).col),
            is_city: !city.port_only,
            is_in_play: scenario.in_play(city.hex),
            has_factory: city.factory,
        };
        world.cities.iter().map(site).collect()
    }
}
