//! Small numbers that name places, units, countries and sides.

/// How many land hexes the map has.
pub const LANDS: usize = 2446;
/// How many cities and ports there are.
pub const CITIES: usize = 236;
/// How many units there are.
pub const UNITS: usize = 320;
/// How many countries there are.
pub const COUNTRIES: usize = 29;
/// How many Sea Zones there are; the two sea Map Boxes follow them as nodes.
pub const ZONES: usize = 33;
/// Sea Zones and sea Map Boxes.
pub const NODES: usize = ZONES + 2;

/// Where a unit can be: a land hex, a Map Box, or off the map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place(pub u16);

impl Place {
    /// The Central Russia Box, which is entered from land.
    pub const CRU: Self = Self(LANDS as u16);
    /// The Eastern North America Box.
    pub const ENA: Self = Self(LANDS as u16 + 1);
    /// The Western Indian Ocean Box.
    pub const WIO: Self = Self(LANDS as u16 + 2);
    /// The Mobilization Box of the unit's country.
    pub const POOL: Self = Self(LANDS as u16 + 3);
    /// Out of the game.
    pub const OUT: Self = Self(LANDS as u16 + 4);
    /// Not yet come: its date or event is still ahead.
    pub const LATER: Self = Self(LANDS as u16 + 5);
    /// A water hex of the map, which has no number of its own: aircraft fly over it.
    pub const WATER: Self = Self(LANDS as u16 + 6);
    /// No place.
    pub const NONE: Self = Self(u16::MAX);

    /// Whether it is a land hex.
    #[inline]
    pub const fn is_hex(self) -> bool {
        (self.0 as usize) < LANDS
    }

    /// Whether it is a Map Box.
    #[inline]
    pub const fn is_box(self) -> bool {
        self.0 >= Self::CRU.0 && self.0 <= Self::WIO.0
    }

    /// Whether a unit there is on the map or in a Map Box.
    #[inline]
    pub const fn on_map(self) -> bool {
        self.0 <= Self::WIO.0
    }

    /// Position in tables of land hexes. Only for hexes.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The land hex with this number.
    #[inline]
    pub const fn hex(index: usize) -> Self {
        Self(index as u16)
    }

    /// Its node in the net of Sea Zones, if it is a sea Map Box.
    #[inline]
    pub const fn node(self) -> Option<Node> {
        match self {
            Self::ENA => Some(Node::ENA),
            Self::WIO => Some(Node::WIO),
            _ => None,
        }
    }

    /// All land hexes.
    pub fn hexes() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..LANDS as u16).map(Self)
    }
}

/// A unit, by its place in `units.toml`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct UnitId(pub u16);

impl UnitId {
    /// No unit.
    pub const NONE: Self = Self(u16::MAX);

    /// Position in tables of units.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The unit, unless it is none.
    #[inline]
    pub const fn some(self) -> Option<Self> {
        if self.0 == u16::MAX { None } else { Some(self) }
    }

    /// All units.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..UNITS as u16).map(Self)
    }
}

/// A country, by its place in `countries.toml`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Country(pub u8);

impl Country {
    /// Germany.
    pub const GER: Self = Self(0);
    /// Italy.
    pub const ITA: Self = Self(1);
    /// France.
    pub const FRA: Self = Self(2);
    /// The United Kingdom.
    pub const UK: Self = Self(3);
    /// The United States.
    pub const USA: Self = Self(4);
    /// The Soviet Union.
    pub const USSR: Self = Self(5);
    /// Poland.
    pub const POL: Self = Self(6);
    /// Belgium.
    pub const BEL: Self = Self(7);
    /// The Netherlands.
    pub const NED: Self = Self(8);
    /// Denmark.
    pub const DEN: Self = Self(9);
    /// Norway.
    pub const NOR: Self = Self(10);
    /// Sweden.
    pub const SWE: Self = Self(11);
    /// Finland.
    pub const FIN: Self = Self(12);
    /// Estonia.
    pub const EST: Self = Self(13);
    /// Latvia.
    pub const LAT: Self = Self(14);
    /// Lithuania.
    pub const LIT: Self = Self(15);
    /// Hungary.
    pub const HUN: Self = Self(16);
    /// Romania.
    pub const ROM: Self = Self(17);
    /// Bulgaria.
    pub const BUL: Self = Self(18);
    /// Yugoslavia.
    pub const YUG: Self = Self(19);
    /// Greece.
    pub const GRE: Self = Self(20);
    /// Turkey.
    pub const TUR: Self = Self(21);
    /// Spain.
    pub const SPA: Self = Self(22);
    /// Portugal.
    pub const POR: Self = Self(23);
    /// Switzerland.
    pub const SWI: Self = Self(24);
    /// Ireland.
    pub const IRE: Self = Self(25);
    /// Iraq.
    pub const IRQ: Self = Self(26);
    /// Persia.
    pub const PER: Self = Self(27);
    /// Vichy France, which exists once France has fallen.
    pub const VIC: Self = Self(28);
    /// No country of the game (Saudi Arabia).
    pub const NONE: Self = Self(u8::MAX);

    /// The ids of `countries.toml`, in its order; the reader makes sure that the two agree.
    pub const IDS: [&'static str; COUNTRIES] = [
        "GER", "ITA", "FRA", "UK", "USA", "USSR", "POL", "BEL", "NED", "DEN", "NOR", "SWE", "FIN", "EST",
        "LAT", "LIT", "HUN", "ROM", "BUL", "YUG", "GRE", "TUR", "SPA", "POR", "SWI", "IRE", "IRQ", "PER",
        "VIC",
    ];

    /// Position in tables of countries.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its id, such as `GER`.
    pub fn id(self) -> &'static str {
        Self::IDS.get(self.index()).copied().unwrap_or("SAU")
    }

    /// The country with an id.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::IDS.iter().position(|known| *known == id).map(|at| Self(at as u8))
    }

    /// All countries.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..COUNTRIES as u8).map(Self)
    }
}

/// A city or port, by its place in `cities.toml`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct City(pub u8);

impl City {
    /// No city.
    pub const NONE: Self = Self(u8::MAX);

    /// Position in tables of cities.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The city, unless it is none.
    #[inline]
    pub const fn some(self) -> Option<Self> {
        if self.0 == u8::MAX { None } else { Some(self) }
    }

    /// All cities and ports.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator {
        (0..CITIES as u8).map(Self)
    }
}

/// A Sea Zone or a sea Map Box.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Node(pub u8);

impl Node {
    /// The Eastern North America Box.
    pub const ENA: Self = Self(ZONES as u8);
    /// The Western Indian Ocean Box.
    pub const WIO: Self = Self(ZONES as u8 + 1);
    /// No node.
    pub const NONE: Self = Self(u8::MAX);

    /// The Sea Zone with a printed number from 1 on.
    #[inline]
    pub const fn zone(number: u8) -> Self {
        Self(number - 1)
    }

    /// The printed number of a Sea Zone.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Whether it is a Map Box.
    #[inline]
    pub const fn is_box(self) -> bool {
        self.0 as usize >= ZONES
    }

    /// Position in tables of nodes.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// As a bit of a set of nodes.
    #[inline]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }

    /// The nodes of a set, from the smallest.
    pub fn of(mut set: u64) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            if set == 0 {
                return None;
            }
            let at = set.trailing_zeros() as u8;
            set &= set - 1;
            Some(Self(at))
        })
    }
}

/// A faction: one seat each. Rule 1.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Faction {
    /// Germany and its allies.
    Axis = 0,
    /// The Western Allies.
    Western = 1,
    /// The Soviet Union and its allies.
    Soviet = 2,
}

impl Faction {
    /// All factions in the order of the game.
    pub const ALL: [Self; 3] = [Self::Axis, Self::Western, Self::Soviet];

    /// Position in tables of factions.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its side.
    #[inline]
    pub const fn side(self) -> Side {
        match self {
            Self::Axis => Side::Axis,
            Self::Western => Side::Western,
            Self::Soviet => Side::Soviet,
        }
    }

    /// The one after it in the order of the game; the Axis follows the Soviets.
    #[inline]
    pub const fn next(self) -> Self {
        match self {
            Self::Axis => Self::Western,
            Self::Western => Self::Soviet,
            Self::Soviet => Self::Axis,
        }
    }

    /// Its word in files and names.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Axis => "axis",
            Self::Western => "western",
            Self::Soviet => "soviet",
        }
    }

    /// The faction with a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|faction| faction.word() == word)
    }

    /// Its title for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Axis => "Axis",
            Self::Western => "Western Allies",
            Self::Soviet => "Soviets",
        }
    }
}

/// Who controls a hex or commands a unit: a faction, a country that fights the Soviets alone (2.2), or nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Side {
    /// The Axis.
    Axis = 0,
    /// The Western Allies.
    Western = 1,
    /// The Soviets.
    Soviet = 2,
    /// Countries at war with the Soviets only.
    Lone = 3,
    /// Nobody: neutral ground, closed to all.
    Nobody = 4,
}

impl Side {
    /// The sides that can have units.
    pub const ALL: [Self; 4] = [Self::Axis, Self::Western, Self::Soviet, Self::Lone];

    /// Position in tables of sides.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The faction whose player decides for it: Lone countries are moved by the Western player (1.1).
    #[inline]
    pub const fn player(self) -> Faction {
        match self {
            Self::Axis => Faction::Axis,
            Self::Soviet => Faction::Soviet,
            _ => Faction::Western,
        }
    }

    /// The faction, if it is one.
    #[inline]
    pub const fn faction(self) -> Option<Faction> {
        match self {
            Self::Axis => Some(Faction::Axis),
            Self::Western => Some(Faction::Western),
            Self::Soviet => Some(Faction::Soviet),
            _ => None,
        }
    }
}

kernel::encode_struct!(Place[number]);
kernel::encode_struct!(UnitId[number]);
kernel::encode_struct!(Country[number]);
kernel::encode_struct!(City[number]);
kernel::encode_struct!(Node[number]);
kernel::encode_enum!(Faction { 0 = Axis, 1 = Western, 2 = Soviet });
kernel::encode_enum!(Side { 0 = Axis, 1 = Western, 2 = Soviet, 3 = Lone, 4 = Nobody });
