//! Unit types: class, speed, firepower. Rules 3.14, 3.15.

/// The type of a unit, in the order of combat priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Fortress = 0,
    AirForce = 1,
    Carrier = 2,
    Submarine = 3,
    Fleet = 4,
    Tank = 5,
    Infantry = 6,
}

/// How many unit types there are.
pub const KINDS: usize = 7;

/// A target class. Rule 12.41.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Class {
    Air = 0,
    Naval = 1,
    Ground = 2,
    Submarine = 3,
}

impl Class {
    /// All four, in the order of the table of firepower.
    pub const ALL: [Self; 4] = [Self::Air, Self::Naval, Self::Ground, Self::Submarine];

    /// The letter on the blocks.
    pub const fn letter(self) -> &'static str {
        ["A", "N", "G", "S"][self as usize]
    }

    /// The class in words.
    pub const fn title(self) -> &'static str {
        ["air", "naval", "ground", "submarine"][self as usize]
    }

    /// The class of a letter.
    pub fn parse(letter: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.letter() == letter)
    }
}

impl Kind {
    /// All types.
    pub const ALL: [Self; KINDS] = [
        Self::Fortress,
        Self::AirForce,
        Self::Carrier,
        Self::Submarine,
        Self::Fleet,
        Self::Tank,
        Self::Infantry,
    ];

    /// Its place in arrays by type.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The type of an index.
    pub const fn at(index: usize) -> Self {
        Self::ALL[index]
    }

    /// Its word in names and files.
    pub const fn word(self) -> &'static str {
        ["fortress", "air_force", "carrier", "submarine", "fleet", "tank", "infantry"][self.index()]
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["Fortress", "Air Force", "Carrier", "Submarine", "Fleet", "Tank", "Infantry"][self.index()]
    }

    /// The type of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// Whether it is a Ground unit: it takes and holds land.
    pub const fn is_ground(self) -> bool {
        matches!(self, Self::Fortress | Self::Tank | Self::Infantry)
    }

    /// Whether it is an Air, Naval or Submarine unit.
    pub const fn is_ans(self) -> bool {
        !self.is_ground()
    }

    /// Whether it is a ship: it lives on the coast and at sea.
    pub const fn is_ship(self) -> bool {
        matches!(self, Self::Carrier | Self::Submarine | Self::Fleet)
    }

    /// Whether it is a Tank or Infantry: it needs supply, and is a Convoy at sea.
    pub const fn is_troop(self) -> bool {
        matches!(self, Self::Tank | Self::Infantry)
    }

    /// Its class on land and, for Convoys, at sea. Rules 12.41, 12.72.
    pub const fn class(self, at_sea: bool) -> Class {
        match self {
            Self::AirForce => Class::Air,
            Self::Carrier | Self::Fleet => Class::Naval,
            Self::Submarine => Class::Submarine,
            Self::Fortress => Class::Ground,
            Self::Tank | Self::Infantry => {
                if at_sea {
                    Class::Naval
                } else {
                    Class::Ground
                }
            }
        }
    }

    /// How much CV a hit costs. Rule 12.44.
    pub const fn hit_cost(self, at_sea: bool) -> u8 {
        match self {
            Self::Carrier => 2,
            Self::Tank | Self::Infantry if at_sea => 2,
            _ => 1,
        }
    }
}

/// The printed figures of a unit type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct UnitType {
    /// Firepower by class: a die of this or less hits; 0 can't fire.
    pub fire: [u8; 4],
    /// Areas by land.
    pub land: u8,
    /// Points by sea.
    pub sea: u8,
    /// Points by air.
    pub air: u8,
}
