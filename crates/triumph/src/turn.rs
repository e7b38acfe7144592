//! What is under way: the season, a Player Turn, a Battle, a Production; and how a game ended. Rules 6, 7.2, 10 to 12, 16.

use crate::areas::AreaSet;
use crate::cards::Season;
use crate::factions::{Faction, Parties};
use crate::units::Kind;

/// The blockade mark of an area at the end of Summer. Rule 14.22.
pub mod mark {
    /// A Trade Route is open.
    pub const NONE: u8 = 0;
    /// Only round Africa.
    pub const MED: u8 = 1;
    /// No Trade Route.
    pub const FULL: u8 = 2;
}

/// The season of a year in which a position is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Part {
    NewYear = 0,
    Spring = 1,
    Summer = 2,
    Fall = 3,
    Winter = 4,
}

impl Part {
    /// The season of the Action cards that are valid now.
    pub const fn season(self) -> Option<Season> {
        match self {
            Self::Spring => Some(Season::Spring),
            Self::Summer => Some(Season::Summer),
            Self::Fall => Some(Season::Fall),
            Self::NewYear | Self::Winter => None,
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        ["New Year", "Spring", "Summer", "Fall", "Winter"][self as usize]
    }
}

/// A declaration that the next move must fulfil. Ruling R41.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Declared {
    /// War on a Faction.
    War(Faction),
    /// A Violation of Neutrality.
    Violation(u8),
    /// An Intervention.
    Intervention(u8),
}

/// The Player Turn under way. Rules 10.2, 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Turn {
    /// Whose.
    pub faction: Faction,
    /// Unit-moves left.
    pub moves: u8,
    /// An Emergency Command. Rule 10.11.
    pub emergency: bool,
    /// A Defensive Turn of a Passive Ally. Rule 18.
    pub defensive: bool,
    /// Whether declarations may still be made.
    pub may_declare: bool,
    /// Whether a war was declared this turn: all its units have FirstFire. Rule 15.2.
    pub surprise: bool,
    /// The declaration that the next move must fulfil.
    pub declared: Option<Declared>,
    /// Nations in which it has intervened, as a mask. Rule 15.423.
    pub interventions: u64,
    /// Where it committed Aggression, and seas that it must clear: Battles there are mandatory.
    pub aggression: AreaSet,
    /// Battles of this turn that are not Raids; nobody retreats there. Rule 12.5.
    pub battles: AreaSet,
    /// Battles declared and not yet resolved.
    pub open: AreaSet,
    /// Optional Battles about which the Active Player has not been asked yet.
    pub ask: AreaSet,
}

/// The Battle under way. Rule 12.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Battle {
    /// Where.
    pub area: u8,
    /// The Enemies that take part.
    pub against: Parties,
    /// The current Combat Round, from 1.
    pub round: u8,
    /// The type that acts now.
    pub kind: Kind,
    /// Whether the second side of that type acts.
    pub second: bool,
    /// The acting block, while its dice are in the air.
    pub firing: u8,
    /// Whether it is a Carrier that leaves after its shot. Rule 12.74.
    pub striking: bool,
    /// Its target class; 4 is industry.
    pub class: u8,
    /// Hits to be placed.
    pub hits: u8,
    /// Where Enemies of the defenders came from. Rule 12.5.
    pub entries: AreaSet,
    /// Whose answer about the vault has been given this round.
    pub asked: Parties,
}

/// What a Production has done so far. Rule 7.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Spending {
    /// Points left.
    pub points: u8,
    /// Points spent on steps.
    pub steps: u8,
    /// Points spent on new Cadres.
    pub cadres: u8,
    /// Cards bought, by deck.
    pub cards: [u8; 2],
    /// The level of this Production.
    pub level: u8,
}

/// How a game ended. Rule 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// 25 VP. Rule 16.2.
    Economic(Faction),
    /// Two capitals of Rivals. Rule 16.3.
    Military(Faction),
    /// The bomb. Rule 16.4.
    Atomic(Faction),
    /// Most VP at the end of 1945. Rule 16.5.
    Hegemony(Faction),
    /// The same by several. Ruling R18.
    Shared(Parties),
}
