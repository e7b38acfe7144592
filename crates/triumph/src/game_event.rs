//! What happens, as data. [`crate::story`] makes sentences of it.

use crate::cards::{Card, Deck, Tech};
use crate::economy::{Points, Tracks};
use crate::factions::{Faction, Parties, Power};
use crate::state::{Part, Verdict};
use crate::units::{Class, Kind};

/// A unit as far as the audience knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitSeen {
    /// Its Power; `None` for the fort of an Armed Minor.
    pub power: Option<Power>,
    /// Type and CV, for those who know them.
    pub face: Option<(Kind, u8)>,
}

/// Why a unit is gone or must go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Cause {
    Hits,
    Supply,
    NowhereToGo,
    Disbanded,
}

/// How a Command card counts. Rule 10.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Command {
    Valid,
    Emergency,
    Bluff,
    /// A Passive Ally's single card. Rule 18.
    Defensive,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub enum GameEvent {
    YearBegins { year: u8 },
    Begins { part: Part },
    Order { die: u8, order: [Faction; 3] },
    ActiveAlly { faction: Faction },
    Standing { faction: Faction, points: Points },
    Placed { unit: UnitSeen, area: u8 },
    Drawn { faction: Faction, deck: Deck, card: Option<Card> },
    Reshuffled { deck: Deck },
    Chit { faction: Faction, value: Option<u8> },
    NoChit { faction: Faction },
    Production { faction: Faction, tracks: Tracks },
    Bought { faction: Faction, deck: Deck },
    Stepped { faction: Faction, unit: Option<(UnitSeen, u8)> },
    Built { unit: UnitSeen, area: u8 },
    ProductionEnds { faction: Faction, lost: u8 },
    DiplomacyPlayed { faction: Faction, card: Card, nation: u8, against: Option<(Faction, Card)> },
    WildPlayed { faction: Faction, card: Card, nation: u8 },
    Influence { nation: u8, influencer: Option<Faction>, markers: u8 },
    Paid { faction: Faction, card: Card },
    FactoryBuilt { faction: Faction, ind: u8 },
    Revealed { faction: Faction, tech: Tech },
    Vaulted { faction: Faction, tech: Option<Tech> },
    SpyPlayed { faction: Faction, card: Card, target: Faction, place: u8 },
    Turned { faction: Faction, against: Faction },
    NotTurned { faction: Faction },
    UnitsSeen { of: Faction, area: u8, units: Vec<UnitSeen> },
    HandSeen { of: Faction, cards: Vec<Card> },
    VaultSeen { of: Faction, techs: Vec<Tech> },
    Looked { faction: Faction, of: Faction },
    Stolen { from: Faction, by: Faction, deck: Deck, card: Option<Card> },
    IndustryLost { faction: Faction, ind: u8 },
    Coup { nation: u8, by: Faction },
    MoleFails { faction: Faction },
    Repudiated { faction: Faction, nation: u8 },
    Joined { nation: u8, faction: Faction },
    UsaJoins,
    Discarded { faction: Faction, card: Card },
    Passed { faction: Faction },
    Committed { faction: Faction, card: Option<Card> },
    CommandShown { faction: Faction, card: Card, counts: Command },
    TurnsOrdered { by: Faction, order: Vec<Faction> },
    TurnBegins { faction: Faction, moves: u8, emergency: bool },
    NoTurn { faction: Faction },
    WarDeclared { by: Faction, on: Faction },
    Violated { by: Faction, nation: u8 },
    Armed { nation: u8 },
    Intervened { by: Faction, nation: u8 },
    ProtectorStands { by: Faction, nation: u8 },
    ProtectorGivesUp { by: Faction, nation: u8 },
    Moved { unit: UnitSeen, from: u8, to: u8, via: Option<u8>, invades: bool },
    Surfaced { faction: Faction, area: u8 },
    MovesEnd { faction: Faction },
    BattleDeclared { area: u8, by: Faction },
    BattleAvoided { area: u8, by: Faction },
    BattleBegins { area: u8, by: Faction, against: Parties },
    Shown { area: u8, units: Vec<UnitSeen> },
    RoundBegins { area: u8, round: u8 },
    Fires { unit: UnitSeen, class: Option<Class>, dice: u8, needs: u8 },
    Rolled { dice: u8, hits: u8 },
    Hit { unit: UnitSeen, area: u8, left: u8 },
    Lost { unit: UnitSeen, area: u8, cause: Cause },
    Retreats { unit: UnitSeen, from: u8, to: u8 },
    Rebases { unit: UnitSeen, from: u8, to: u8 },
    EscapesAway { faction: Faction, area: u8 },
    BattleEnds { area: u8, winner: Option<Faction> },
    Bombed { faction: Faction, ind: u8, lost: u8 },
    Captured { nation: u8, captor: Faction, defeated: bool },
    ColonyTaken { nation: u8, faction: Faction },
    ColonyArmed { nation: u8 },
    Unsupplied { faction: Faction, area: u8, steps: u8 },
    Blockaded { faction: Faction, full: u8, med: u8 },
    Ended { verdict: Verdict, points: [Points; 3] },
}
