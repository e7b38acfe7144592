//! Action cards, Investment cards and technologies. Rules 4.1, 4.2, 8.3, 9.

use crate::factions::Faction;

/// A season with Player Turns of its own cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Season {
    Spring = 0,
    Summer = 1,
    Fall = 2,
}

impl Season {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Spring, Self::Summer, Self::Fall];

    /// Its word in files.
    pub const fn word(self) -> &'static str {
        ["spring", "summer", "fall"][self as usize]
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["Spring", "Summer", "Fall"][self as usize]
    }

    /// The season of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|season| season.word() == word)
    }
}

/// What a Diplomacy WildCard does; nations are masks. Rule 8.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wild {
    /// One marker more, or a Rival's less, in a nation of the player's own list.
    Listed([u64; 3]),
    /// A Rival's marker less in one of these nations.
    Isolation(u64),
    /// A marker of a Rival less in a nation of that Rival's list.
    Loathing([u64; 3]),
    /// One more or less in a Neutral Minor beside own territory.
    Intimidation,
    /// One more or less in a Neutral Minor beside a Rival's territory.
    Guarantee,
    /// An own IND for one more or less in any Neutral.
    ForeignAid,
}

/// The upper half of an Action card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Diplomacy {
    /// Two nations, of which one is meant.
    Nations([u8; 2]),
    /// A WildCard: its title and its effect.
    Wild(String, Wild),
}

/// An Action card. Rule 4.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionCard {
    /// Its id: `A31`.
    pub id: String,
    /// The season of its Command.
    pub season: Season,
    /// The letter that puts Player Turns in order.
    pub letter: u8,
    /// How many units it moves.
    pub value: u8,
    /// What it does for Diplomacy.
    pub diplomacy: Diplomacy,
}

/// A technology. Rule 9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Tech {
    AirDefenseRadar = 0,
    NavalRadar = 1,
    Sonar = 2,
    HeavyBombers = 3,
    HeavyTanks = 4,
    RocketArtillery = 5,
    Lsts = 6,
    Jets = 7,
    PrecisionBombsight = 8,
    MotorizedInfantry = 9,
    Atomic1 = 10,
    Atomic2 = 11,
    Atomic3 = 12,
    Atomic4 = 13,
}

/// How many technologies there are.
pub const TECHS: usize = 14;

impl Tech {
    /// All of them.
    pub const ALL: [Self; TECHS] = [
        Self::AirDefenseRadar,
        Self::NavalRadar,
        Self::Sonar,
        Self::HeavyBombers,
        Self::HeavyTanks,
        Self::RocketArtillery,
        Self::Lsts,
        Self::Jets,
        Self::PrecisionBombsight,
        Self::MotorizedInfantry,
        Self::Atomic1,
        Self::Atomic2,
        Self::Atomic3,
        Self::Atomic4,
    ];

    /// The technology of an index.
    pub const fn at(index: usize) -> Self {
        Self::ALL[index]
    }

    /// Its bit in a set of technologies.
    pub const fn bit(self) -> u16 {
        1 << self as u8
    }

    /// Its word in names and files.
    pub const fn word(self) -> &'static str {
        [
            "air_defense_radar",
            "naval_radar",
            "sonar",
            "heavy_bombers",
            "heavy_tanks",
            "rocket_artillery",
            "lsts",
            "jets",
            "precision_bombsight",
            "motorized_infantry",
            "atomic_1",
            "atomic_2",
            "atomic_3",
            "atomic_4",
        ][self as usize]
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        [
            "AirDefense Radar",
            "Naval Radar",
            "Sonar",
            "Heavy Bombers",
            "Heavy Tanks",
            "Rocket Artillery",
            "LSTs",
            "Jets",
            "Precision Bombsight",
            "Motorized Infantry",
            "Atomic Research 1",
            "Atomic Research 2",
            "Atomic Research 3",
            "Atomic Research 4",
        ][self as usize]
    }

    /// What it does, in a few words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::AirDefenseRadar => "Air Forces in Friendly Territory roll two dice per CV against Air",
            Self::NavalRadar => "Fleets have FirstFire",
            Self::Sonar => "Fleets fire at Submarines with 3",
            Self::HeavyBombers => "Air Forces move 3",
            Self::HeavyTanks => "Tanks have FirstFire",
            Self::RocketArtillery => "Infantry has FirstFire",
            Self::Lsts => "two Ground units land across each coast or strait",
            Self::Jets => "Air Forces have FirstFire",
            Self::PrecisionBombsight => "Air Forces over an Enemy main capital may bomb its IND",
            Self::MotorizedInfantry => "Infantry moves 3 by land",
            Self::Atomic1 | Self::Atomic2 | Self::Atomic3 => "1 VP and a step to the bomb",
            Self::Atomic4 => "1 VP; with an Air Force in range of a Rival main capital the game is won",
        }
    }

    /// The technology of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tech| tech.word() == word)
    }

    /// Which stage of Atomic Research it is, from 1; 0 for the others.
    pub const fn stage(self) -> u8 {
        match self {
            Self::Atomic1 => 1,
            Self::Atomic2 => 2,
            Self::Atomic3 => 3,
            Self::Atomic4 => 4,
            _ => 0,
        }
    }
}

/// An Intelligence card. Rule 9.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Intel {
    Agent,
    CodeBreak,
    SpyRing,
    Coup,
    Sabotage,
    Mole,
    DoubleAgent,
}

impl Intel {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Agent,
        Self::CodeBreak,
        Self::SpyRing,
        Self::Coup,
        Self::Sabotage,
        Self::Mole,
        Self::DoubleAgent,
    ];

    /// Its word in files.
    pub const fn word(self) -> &'static str {
        ["agent", "code_break", "spy_ring", "coup", "sabotage", "mole", "double_agent"][self as usize]
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["Agent", "Code Break", "Spy Ring", "Coup", "Sabotage", "Mole", "Double Agent"][self as usize]
    }

    /// The card of a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|intel| intel.word() == word)
    }
}

/// The upper half of an Investment card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Research {
    /// One or two technologies as bits, and whether the other end is Industrial Espionage.
    Tech(u16, bool),
    /// A WildCard for these technologies from a year on.
    Science(u8, u16),
    /// An Intelligence card.
    Intelligence(Intel),
}

/// An Investment card. Rule 4.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvestmentCard {
    /// Its id: `I13`.
    pub id: String,
    /// What it is worth for a factory.
    pub factory: u8,
    /// Its technologies or its text.
    pub research: Research,
}

/// A deck of cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Deck {
    Action = 0,
    Investment = 1,
}

impl Deck {
    /// Both decks.
    pub const ALL: [Self; 2] = [Self::Action, Self::Investment];

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["Action", "Investment"][self as usize]
    }
}

/// A card of either deck: Action cards are numbers below 64, Investment cards those from 64 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(pub u8);

impl Card {
    /// The card of a deck.
    pub const fn new(deck: Deck, index: u8) -> Self {
        Self((deck as u8) << 6 | index)
    }

    /// Its deck.
    pub const fn deck(self) -> Deck {
        if self.0 < 64 { Deck::Action } else { Deck::Investment }
    }

    /// Its number in its deck, from 0.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Its bit in a mask of its deck.
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// The lists of nations that WildCards have for each Faction.
pub(crate) const LISTS: [(&str, Faction); 3] =
    [("list_axis", Faction::Axis), ("list_west", Faction::West), ("list_ussr", Faction::Ussr)];
