//! The map, cities, countries and units as they are printed: everything that never changes.

use std::sync::LazyLock;

use crate::files;
use crate::ids::{City, Country, Faction, LANDS, NODES, Node, Place, UnitId};
use crate::markers::MarkerInfo;
use crate::tables::Tables;

/// How many directions a hex has: east, west, north-east, north-west, south-east, south-west.
pub const DIRECTIONS: usize = 6;
/// The direction back.
pub const OPPOSITE: [usize; DIRECTIONS] = [1, 0, 5, 4, 3, 2];

/// What lies in a hex. Rule 1.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Terrain {
    /// Open country.
    Clear,
    /// Desert, which is Rough.
    Desert,
    /// Hills, which are Rough.
    Hills,
    /// Swamp, which is Rough.
    Swamp,
    /// Woods, which are Rough.
    Woods,
}

impl Terrain {
    /// Whether it is Rough.
    pub const fn is_rough(self) -> bool {
        !matches!(self, Self::Clear)
    }
}

/// What lies between two hexes. Rule 1.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Hexside {
    /// Nothing.
    Clear,
    /// A river.
    River,
    /// A canal.
    Canal,
    /// Mountains.
    Mountain,
    /// A strait that ground units may cross.
    Strait,
    /// Water: closed to ground units.
    Water,
}

/// A weather zone. Rule 11.0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Climate {
    /// North of the blue line.
    Cold = 0,
    /// Between the green and the blue line.
    Mild = 1,
    /// Between the yellow and the green line.
    Warm = 2,
    /// South of the yellow line: always Fair.
    Desert = 3,
}

impl Climate {
    /// The zones that have a die.
    pub const ROLLED: [Self; 3] = [Self::Cold, Self::Mild, Self::Warm];

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Cold => "Cold",
            Self::Mild => "Mild",
            Self::Warm => "Warm",
            Self::Desert => "Desert",
        }
    }
}

/// A land hex.
#[derive(Clone, Debug)]
pub struct HexInfo {
    /// Row on the map, from 1.
    pub row: u8,
    /// Column on the map, from 1.
    pub col: u8,
    /// What lies in it.
    pub terrain: Terrain,
    /// A faded dot: no ground unit may ever enter.
    pub faded: bool,
    /// Its weather zone.
    pub climate: Climate,
    /// The country printed there; [`Country::NONE`] for Saudi Arabia.
    pub country: Country,
    /// The Overseas Area it belongs to, as an index into [`World::areas`]; `NO_AREA` on a Mainland.
    pub area: u8,
    /// The Disputed Area it belongs to, as an index into [`World::disputed`]; `NO_AREA` if none.
    pub disputed: u8,
    /// The city or port in it.
    pub city: City,
    /// The Sea Zones it touches, as a set of nodes.
    pub zones: u64,
    /// The land hexes around it; [`Place::NONE`] where there is none.
    pub near: [Place; DIRECTIONS],
    /// What lies between it and each of them.
    pub sides: [Hexside; DIRECTIONS],
    /// Directions in which a Transport Line leaves, as bits.
    pub lines: u8,
    /// Whether it lies on a land mass of fewer than 400 hexes (1.3).
    pub island: bool,
    /// Whether units pass from here into the Central Russia Box.
    pub to_russia: bool,
    /// Whether a Transport Line leads from here into the Central Russia Box.
    pub line_to_russia: bool,
    /// Latitude in hundredths of a degree.
    pub lat: i16,
    /// Longitude in hundredths of a degree.
    pub lon: i16,
    /// Cube coordinates, for distances.
    pub(crate) cube: (i16, i16),
}

/// No Overseas Area, no Disputed Area.
pub const NO_AREA: u8 = u8::MAX;

impl HexInfo {
    /// A hex at a place of the grid; the rest is filled in by the reader.
    pub(crate) fn at(row: u8, col: u8, terrain: Terrain, faded: bool) -> Self {
        // Even rows lie half a hex to the right.
        let q = i16::from(col) - (i16::from(row) + 1) / 2;
        Self {
            row,
            col,
            terrain,
            faded,
            climate: Climate::Mild,
            country: Country::NONE,
            area: NO_AREA,
            disputed: NO_AREA,
            city: City::NONE,
            zones: 0,
            near: [Place::NONE; DIRECTIONS],
            sides: [Hexside::Water; DIRECTIONS],
            lines: 0,
            island: false,
            to_russia: false,
            line_to_russia: false,
            lat: 0,
            lon: 0,
            cube: (q, i16::from(row)),
        }
    }

    /// Its name: row and column, such as `2828`.
    pub fn name(&self) -> String {
        format!("{:02}{:02}", self.row, self.col)
    }

    /// Whether it touches a Sea Zone.
    pub const fn is_coastal(&self) -> bool {
        self.zones != 0
    }
}

/// A city, or a port without a city.
#[derive(Clone, Debug)]
pub struct CityInfo {
    /// Its id, such as `berlin`.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The country it belongs to.
    pub country: Country,
    /// The Overseas Area it lies in, or `NO_AREA` on the Mainland.
    pub area: u8,
    /// Its hex.
    pub hex: Place,
    /// Whether a Factory stands there.
    pub factory: bool,
    /// Whether a fort stands there from the start.
    pub fort: bool,
    /// A port without a city: no National Will, no air base, no mobilization of ground or air units.
    pub port_only: bool,
    /// The Sea Zones its port opens on; none if it has no port.
    pub zones: u64,
    /// Longitude in hundredths of a degree (9.1).
    pub lon: i16,
    /// Whether it is the capital of its country.
    pub capital: bool,
}

impl CityInfo {
    /// Whether ships can lie here.
    pub const fn is_port(&self) -> bool {
        self.zones != 0
    }

    /// Whether it lies in the Mainland Area of its country.
    pub const fn is_mainland(&self) -> bool {
        self.area == NO_AREA
    }
}

/// How a country stands in September 1939.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// In a faction.
    Active(Faction),
    /// Neutral.
    Neutral,
    /// The USA before its entry.
    Pending,
    /// Vichy France before it exists.
    Absent,
}

/// A country. Rule 2.1.
#[derive(Clone, Debug)]
pub struct CountryInfo {
    /// Its name.
    pub name: String,
    /// Of its people and units: "German".
    pub nationality: String,
    /// Whether it is a minor country.
    pub minor: bool,
    /// How it stands in September 1939.
    pub entry: Entry,
    /// National Will at the start of the full war.
    pub will: i16,
    /// Its capital; [`City::NONE`] for the USA and Vichy France.
    pub capital: City,
    /// Extra Factories at the start.
    pub extra_factories: u8,
    /// Its Overseas Areas in order, as indices into [`World::areas`].
    pub overseas: Vec<u8>,
    /// Factions that may court it (10.3), as bits.
    pub court: u8,
    /// Its cities and ports in the order of the file.
    pub cities: Vec<City>,
    /// Its units in the order of the file.
    pub units: Vec<UnitId>,
}

/// What a unit is. Rule 3.1.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// Infantry.
    Infantry,
    /// Soviet shock army.
    Shock,
    /// Airborne troops.
    Airborne,
    /// A garrison, which is no field unit.
    Garrison,
    /// Motorised troops.
    Motorised,
    /// Tanks.
    Tank,
    /// Fighters.
    Fighter,
    /// Bombers.
    Bomber,
    /// Surface ships.
    Surface,
    /// Carriers.
    Carrier,
    /// Convoys.
    Convoy,
}

/// The stacking slot a unit takes (3.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Slot {
    /// Ground units.
    Ground = 3,
    /// Air units.
    Air = 0,
    /// Surface ships and carriers.
    Warship = 1,
    /// Convoys.
    Convoy = 2,
}

impl Kind {
    /// All kinds with their words in `units.toml`.
    pub const ALL: [(&'static str, Self); 11] = [
        ("infantry", Self::Infantry),
        ("shock", Self::Shock),
        ("airborne", Self::Airborne),
        ("garrison", Self::Garrison),
        ("motorised", Self::Motorised),
        ("tank", Self::Tank),
        ("fighter", Self::Fighter),
        ("bomber", Self::Bomber),
        ("surface", Self::Surface),
        ("carrier", Self::Carrier),
        ("convoy", Self::Convoy),
    ];

    /// Its word in `units.toml`.
    pub fn word(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// A ground unit.
    #[inline]
    pub const fn is_ground(self) -> bool {
        (self as u8) <= Self::Tank as u8
    }

    /// A ground unit other than a garrison.
    #[inline]
    pub const fn is_field(self) -> bool {
        self.is_ground() && !matches!(self, Self::Garrison)
    }

    /// A ground unit on wheels or tracks.
    #[inline]
    pub const fn is_mobile(self) -> bool {
        matches!(self, Self::Motorised | Self::Tank)
    }

    /// An air unit.
    #[inline]
    pub const fn is_air(self) -> bool {
        matches!(self, Self::Fighter | Self::Bomber)
    }

    /// A naval unit.
    #[inline]
    pub const fn is_naval(self) -> bool {
        matches!(self, Self::Surface | Self::Carrier | Self::Convoy)
    }

    /// A surface unit or a carrier.
    #[inline]
    pub const fn is_warship(self) -> bool {
        matches!(self, Self::Surface | Self::Carrier)
    }

    /// The stacking slot it takes.
    #[inline]
    pub const fn slot(self) -> Slot {
        match self {
            Self::Fighter | Self::Bomber => Slot::Air,
            Self::Surface | Self::Carrier => Slot::Warship,
            Self::Convoy => Slot::Convoy,
            _ => Slot::Ground,
        }
    }
}

/// When a unit comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Avail {
    /// Set up when its country is in play at the start or activates.
    Start,
    /// In the Mobilization Box at that moment.
    Pool,
    /// Enters the Mobilization Box in this turn.
    Turn(u8),
    /// Placed by a conditional event.
    Event(EventUnit),
    /// Replaces a unit from this turn on (8.2).
    Upgrade(UnitId, u8),
}

/// Which event brings a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventUnit {
    /// East Invaded.
    East,
    /// West Invaded.
    West,
    /// Mediterranean Crisis.
    Mediterranean,
    /// USSR Northern Border.
    North,
    /// USSR Southern Border.
    South,
    /// Free Forces (13.4).
    FreeForces,
}

/// A unit.
#[derive(Clone, Debug)]
pub struct UnitInfo {
    /// Its id, such as `GER-6A`.
    pub id: String,
    /// Its name, such as "6th Army".
    pub name: String,
    /// Its country.
    pub country: Country,
    /// What it is.
    pub kind: Kind,
    /// Whether it has a star.
    pub elite: bool,
    /// When it comes.
    pub avail: Avail,
    /// Where it is placed when it comes, or its home.
    pub home: Place,
}

/// A Disputed Area. Rule 17.0.
#[derive(Clone, Debug)]
pub struct DisputedArea {
    /// Its id.
    pub id: String,
    /// Whom it belongs to at first.
    pub owner: Country,
    /// Who claims it.
    pub claimant: Country,
    /// The cities in it.
    pub cities: Vec<City>,
    /// Its hexes.
    pub hexes: Vec<Place>,
}

/// An Overseas Area.
#[derive(Clone, Debug)]
pub struct OverseasArea {
    /// Its id.
    pub id: String,
    /// The country it belongs to.
    pub country: Country,
    /// Its hexes.
    pub hexes: Vec<Place>,
}

/// How two neighbouring Sea Zones are joined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Passage {
    /// Open sea.
    Open,
    /// The Danish Straits.
    Danish,
    /// The Strait of Gibraltar.
    Gibraltar,
    /// The Strait of Messina.
    Messina,
    /// The Turkish Straits.
    Turkish,
    /// The Suez Canal.
    Suez,
    /// The Kiel Canal.
    Kiel,
}

impl Passage {
    /// Whether it is a Strait (+2 MP, no interception across it).
    pub const fn is_strait(self) -> bool {
        matches!(self, Self::Danish | Self::Gibraltar | Self::Messina | Self::Turkish)
    }

    /// Whether it is a Canal (2 MP).
    pub const fn is_canal(self) -> bool {
        matches!(self, Self::Suez | Self::Kiel)
    }
}

/// A Sea Zone or a sea Map Box.
#[derive(Clone, Debug)]
pub struct NodeInfo {
    /// Its name.
    pub name: String,
    /// Its weather; boxes have none that matters.
    pub climate: Climate,
    /// The nodes next to it and how they are joined, in the order of their numbers.
    pub links: Vec<(Node, Passage)>,
}

/// Everything that never changes.
#[derive(Debug)]
pub struct World {
    /// The land hexes, row by row.
    pub hexes: Vec<HexInfo>,
    /// The land hex at each row and column; [`Place::WATER`] where the map has water, none outside it.
    pub(crate) grid: Vec<Place>,
    /// The cities and ports.
    pub cities: Vec<CityInfo>,
    /// The countries.
    pub countries: Vec<CountryInfo>,
    /// The units.
    pub units: Vec<UnitInfo>,
    /// The air and naval units among them.
    pub wings: Vec<UnitId>,
    /// The Overseas Areas.
    pub areas: Vec<OverseasArea>,
    /// The Disputed Areas.
    pub disputed: Vec<DisputedArea>,
    /// The Sea Zones and sea Map Boxes.
    pub nodes: Vec<NodeInfo>,
    /// The ports that open on each node.
    pub ports: Vec<Vec<City>>,
    /// The land hexes that touch each node, or whose port opens on it.
    pub coasts: Vec<Vec<Place>>,
    /// The event markers.
    pub markers: Vec<MarkerInfo>,
    /// The printed tables.
    pub tables: Tables,
    /// Cities that passages depend on.
    pub gates: Gates,
}

/// The cities by which straits and canals are opened and closed (4.6).
#[derive(Clone, Copy, Debug)]
pub struct Gates {
    /// Copenhagen, for the Danish Straits.
    pub copenhagen: City,
    /// Gibraltar.
    pub gibraltar: City,
    /// Reggio Calabria, for the Strait of Messina.
    pub reggio: City,
    /// Syracuse, for the Strait of Messina.
    pub syracuse: City,
    /// Istanbul, for the Turkish Straits.
    pub istanbul: City,
    /// Port Said, for the Suez Canal.
    pub port_said: City,
    /// Suez.
    pub suez: City,
    /// Kiel.
    pub kiel: City,
    /// Hamburg, for the Kiel Canal.
    pub hamburg: City,
}

/// Columns of the grid, with one outside the map at either side.
pub(crate) const WIDTH: usize = 68;
/// Rows of the grid, with one outside the map at either side.
pub(crate) const HEIGHT: usize = 66;

static WORLD: LazyLock<World> = LazyLock::new(|| match files::world() {
    Ok(world) => world,
    Err(problems) => panic!("the built-in data of Unconditional Surrender! is broken:\n{problems}"),
});

impl World {
    /// The world, read once.
    pub fn get() -> &'static Self {
        &WORLD
    }

    /// An empty grid, for the reader.
    pub(crate) fn empty_grid() -> Vec<Place> {
        vec![Place::NONE; WIDTH * HEIGHT]
    }

    /// Where a row and column stand in the grid.
    pub(crate) const fn spot(row: u8, col: u8) -> usize {
        row as usize * WIDTH + col as usize
    }

    /// The land hex at a row and column.
    pub fn at(&self, row: u8, col: u8) -> Option<Place> {
        if usize::from(row) >= HEIGHT || usize::from(col) >= WIDTH {
            return None;
        }
        let place = self.grid[Self::spot(row, col)];
        place.is_hex().then_some(place)
    }

    /// The land hex with a name such as `2828`.
    pub fn hex_named(&self, name: &str) -> Option<Place> {
        if name.len() != 4 || !name.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.at(name[..2].parse().ok()?, name[2..].parse().ok()?)
    }

    /// A hex.
    #[inline]
    pub fn hex(&self, place: Place) -> &HexInfo {
        &self.hexes[place.index()]
    }

    /// A city.
    #[inline]
    pub fn city(&self, city: City) -> &CityInfo {
        &self.cities[city.index()]
    }

    /// A country.
    #[inline]
    pub fn country(&self, country: Country) -> &CountryInfo {
        &self.countries[country.index()]
    }

    /// A unit.
    #[inline]
    pub fn unit(&self, unit: UnitId) -> &UnitInfo {
        &self.units[unit.index()]
    }

    /// The city in a place.
    #[inline]
    pub fn city_at(&self, place: Place) -> Option<City> {
        if place.is_hex() { self.hex(place).city.some() } else { None }
    }

    /// The city with an id.
    pub fn city_named(&self, id: &str) -> Option<City> {
        self.cities.iter().position(|city| city.id == id).map(|at| City(at as u8))
    }

    /// The unit with an id.
    pub fn unit_named(&self, id: &str) -> Option<UnitId> {
        self.units.iter().position(|unit| unit.id == id).map(|at| UnitId(at as u16))
    }

    /// The distance between two hexes, over any terrain (1.4).
    #[inline]
    pub fn distance(&self, a: Place, b: Place) -> u32 {
        let (one, other) = (self.hex(a).cube, self.hex(b).cube);
        let (q, r) = (i32::from(one.0) - i32::from(other.0), i32::from(one.1) - i32::from(other.1));
        ((q.abs() + r.abs() + (q + r).abs()) / 2) as u32
    }

    /// The direction from a hex to its neighbour.
    #[inline]
    pub fn direction(&self, from: Place, to: Place) -> Option<usize> {
        self.hex(from).near.iter().position(|near| *near == to)
    }

    /// The name of a place: a hex number, or the word of a box.
    pub fn place_name(&self, place: Place) -> String {
        match place {
            Place::CRU => "CRU".to_owned(),
            Place::ENA => "ENA".to_owned(),
            Place::WIO => "WIO".to_owned(),
            Place::POOL => "mobilization".to_owned(),
            Place::OUT => "out".to_owned(),
            Place::LATER => "later".to_owned(),
            Place::NONE | Place::WATER => "-".to_owned(),
            hex => self.hex(hex).name(),
        }
    }

    /// The place with a name, if it is on the map: a hex number, `CRU`, `ENA` or `WIO`.
    pub fn place_named(&self, name: &str) -> Option<Place> {
        match name {
            "CRU" => Some(Place::CRU),
            "ENA" => Some(Place::ENA),
            "WIO" => Some(Place::WIO),
            _ => self.hex_named(name),
        }
    }

    /// The Sea Zones a naval base opens on, or the node of a sea Map Box.
    #[inline]
    pub fn waters(&self, place: Place) -> u64 {
        match place.node() {
            Some(node) => node.bit(),
            None => self.city_at(place).map_or(0, |city| self.city(city).zones),
        }
    }
}

const _: () = assert!(NODES <= 64 && LANDS < u16::MAX as usize - 8);
