//! The three Factions, the Powers that have blocks, and sets of Factions. Rules 1.4, 2.

use std::fmt;

/// One of the three sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Faction {
    /// Germany and Italy.
    Axis = 0,
    /// Britain, France, and the USA once they join.
    West = 1,
    /// The Soviet Union.
    Ussr = 2,
}

impl Faction {
    /// All three, in the order in which they set up and draw chits. Ruling R52.
    pub const ALL: [Self; 3] = [Self::Axis, Self::West, Self::Ussr];

    /// Its place in arrays by Faction.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The Faction of an index.
    pub const fn at(index: usize) -> Self {
        Self::ALL[index]
    }

    /// Its word in names and files.
    pub const fn word(self) -> &'static str {
        ["axis", "west", "ussr"][self.index()]
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["Axis", "West", "USSR"][self.index()]
    }

    /// Its name in a sentence: "the West".
    pub const fn the(self) -> &'static str {
        ["the Axis", "the West", "the USSR"][self.index()]
    }

    /// The two others, in the order of [`ALL`](Self::ALL).
    pub const fn rivals(self) -> [Self; 2] {
        match self {
            Self::Axis => [Self::West, Self::Ussr],
            Self::West => [Self::Axis, Self::Ussr],
            Self::Ussr => [Self::Axis, Self::West],
        }
    }

    /// The Faction of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|faction| faction.word() == word)
    }

    /// The Great Power that leads it.
    pub const fn great(self) -> Power {
        match self {
            Self::Axis => Power::Germany,
            Self::West => Power::Britain,
            Self::Ussr => Power::Ussr,
        }
    }
}

impl fmt::Display for Faction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.title())
    }
}

/// A set of Factions; bit 3 is the Armed Minor whose area is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Parties(pub u8);

impl Parties {
    /// Nobody.
    pub const NONE: Self = Self(0);
    /// The Armed Minor of an area.
    pub const MINOR: Self = Self(8);

    /// One Faction.
    pub const fn one(faction: Faction) -> Self {
        Self(1 << faction as u8)
    }

    /// Whether a Faction is in it.
    pub const fn has(self, faction: Faction) -> bool {
        self.0 >> faction as u8 & 1 != 0
    }

    /// Whether the Armed Minor is in it.
    pub const fn has_minor(self) -> bool {
        self.0 & 8 != 0
    }

    /// With a Faction.
    #[must_use]
    pub const fn with(self, faction: Faction) -> Self {
        Self(self.0 | 1 << faction as u8)
    }

    /// Without a Faction.
    #[must_use]
    pub const fn without(self, faction: Faction) -> Self {
        Self(self.0 & !(1 << faction as u8))
    }

    /// Both together.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both.
    #[must_use]
    pub const fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether nobody is in it.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many are in it.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The Factions in it.
    pub fn factions(self) -> impl Iterator<Item = Faction> {
        Faction::ALL.into_iter().filter(move |faction| self.has(*faction))
    }
}

/// A Power: a nation with blocks of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Power {
    Germany = 0,
    Italy = 1,
    Britain = 2,
    France = 3,
    Usa = 4,
    Ussr = 5,
}

/// How many Powers there are.
pub const POWERS: usize = 6;

/// How many blocks of the Powers there are; the Neutral Fortresses come behind them.
pub const POWER_BLOCKS: usize = 190;

/// How many blocks there are at all.
pub const BLOCKS: usize = 226;

/// The first block of each Power and the end of the last: the index range of a block *is* its nation.
const FIRST: [u8; POWERS + 1] = [0, 56, 76, 106, 126, 146, 190];

/// The Power of every block; those behind are Neutral Fortresses.
const OF_BLOCK: [u8; POWER_BLOCKS] = {
    let mut of = [0; POWER_BLOCKS];
    let mut power = 0;
    while power < POWERS {
        let mut at = FIRST[power] as usize;
        while at < FIRST[power + 1] as usize {
            of[at] = power as u8;
            at += 1;
        }
        power += 1;
    }
    of
};

impl Power {
    /// All six.
    pub const ALL: [Self; POWERS] =
        [Self::Germany, Self::Italy, Self::Britain, Self::France, Self::Usa, Self::Ussr];

    /// Its place in arrays by Power.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its word in names and files.
    pub const fn word(self) -> &'static str {
        ["germany", "italy", "britain", "france", "usa", "ussr"][self.index()]
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["Germany", "Italy", "Britain", "France", "USA", "USSR"][self.index()]
    }

    /// What its units are called: "German", "US".
    pub const fn adjective(self) -> &'static str {
        ["German", "Italian", "British", "French", "US", "Soviet"][self.index()]
    }

    /// The Power of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|power| power.word() == word)
    }

    /// Its Faction.
    pub const fn faction(self) -> Faction {
        match self {
            Self::Germany | Self::Italy => Faction::Axis,
            Self::Britain | Self::France | Self::Usa => Faction::West,
            Self::Ussr => Faction::Ussr,
        }
    }

    /// Its blocks.
    pub const fn blocks(self) -> std::ops::Range<usize> {
        FIRST[self.index()] as usize..FIRST[self.index() + 1] as usize
    }

    /// The Power of a block; `None` for a Neutral Fortress.
    pub const fn of_block(block: usize) -> Option<Self> {
        if block < POWER_BLOCKS { Some(Self::ALL[OF_BLOCK[block] as usize]) } else { None }
    }

    /// The Powers of a Faction.
    pub const fn of(faction: Faction) -> &'static [Self] {
        match faction {
            Faction::Axis => &[Self::Germany, Self::Italy],
            Faction::West => &[Self::Britain, Self::France, Self::Usa],
            Faction::Ussr => &[Self::Ussr],
        }
    }
}

/// The blocks of a Faction: those of its Powers stand side by side.
pub const fn blocks_of(faction: Faction) -> std::ops::Range<usize> {
    let powers = Power::of(faction);
    powers[0].blocks().start..powers[powers.len() - 1].blocks().end
}

/// The blocks of the Armed Minors.
pub const FORTS: std::ops::Range<usize> = POWER_BLOCKS..BLOCKS;
