//! What is decided now: one line of section 24 of the rulebook for each.

use crate::cards::{Card, Deck};
use crate::factions::Faction;

/// Where a run of forced work goes on after a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum After {
    /// Set-up: hands are dealt; then the first Year Start.
    SetUp,
    /// The cards and units of the start of 1939. Rule 17.
    ShortStart,
    /// The Axis's free Diplomacy of 1939.
    ShortPlays,
    /// Production of the next Faction.
    Production,
    /// Card play of the next Faction.
    Government,
    /// Hand sizes, after Diplomacy is resolved.
    HandSize,
    /// Moves of the Active Player.
    Movement,
    /// The end of the moves, after an Intervention.
    Intervention,
}

/// A decision, or a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The type of the n-th Cadre of the set-up. Rule 5.
    SetUp(u8),
    /// *Fate*: a card that is due. Rule 15.41, 7.24.
    Draw(After),
    /// *Fate*: a Peace chit for a Faction; how many more it draws. Rule 7.13.
    Chit(Faction, u8),
    /// *Fate*: the Turn Order die. Rule 7.14.
    TurnOrder,
    /// The Ally that is Active this year. Rule 18.
    ActiveAlly,
    /// *Fate*: a card of a Passive Ally's first hand that is set aside: its deck, and how many more are. Rule 18.
    SetAside(Faction, Deck, u8),
    /// Where the n-th unit of a USA group arrives. Rule 8.45.
    Arrival(u8),
    /// What a point is spent on; disbanding first. Rule 7.22.
    Spend,
    /// Which unit takes a step. Rule 7.23.
    Step,
    /// What is built.
    Build,
    /// Where.
    BuildAt,
    /// Card play. Rule 7.3.
    Government,
    /// The Axis's free Diplomacy plays before 1939, and how many are left. Rule 17.
    FreePlay(u8),
    /// A factory is paid; what has been laid down. Rule 7.32, ruling R53.
    Pay(u8),
    /// Whether the target answers with Double Agent: the card, its player, its target, and what it aims at. Rule 9.5.
    DoubleAgent(Card, Faction, Faction, u8),
    /// What a turned card aims at: the card, the Double Agent's holder, the Faction that now suffers it.
    Turned(Card, Faction, Faction),
    /// What a Mole takes from a vault: the card, its user, the inspected Faction.
    Mole(Card, Faction, Faction),
    /// *Fate*: from which deck a Spy Ring steals: its user and its victim.
    SpyDeck(Faction, Faction),
    /// *Fate*: which card.
    SpyCard(Faction, Faction, Deck),
    /// The type of a unit where a nation joins. Ruling R58.
    Muster(After),
    /// A card too many. Rule 7.5.
    Discard,
    /// A Command card. Rule 10.1.
    Command,
    /// A second valid card for a Passive Ally's full turn. Rule 18.
    SecondCard,
    /// The order of tied turns: whose decision, and which Factions. Ruling R61.
    Tie(Faction, crate::factions::Parties),
    /// Declarations and moves. Rule 11.
    Movement,
    /// Where the picked unit goes.
    Destination,
    /// The extra card that an Ally pays to declare war. Rule 18.
    WarCard(Faction),
    /// Whether the protector stands by its Protectorate. Rule 8.13.
    Protectorate(u8, Faction),
    /// Whether an optional Battle is fought. Ruling R63.
    Fight(u8),
    /// Which Battle is next. Rule 12.1.
    Select,
    /// Against whom, where two Enemies stand. Ruling R13.
    Against(u8),
    /// Which BattleGroup joins. Rule 12.71.
    Group,
    /// Whether a vault is opened before a round. Ruling R56.
    Vault(Faction),
    /// A Combat Action of a Faction. Rule 12.21.
    Action(Faction),
    /// *Fate*: the dice of one fire action. Rule 12.4.
    Dice,
    /// Which of the strongest units takes a hit. Ruling R66.
    Hit(Faction),
    /// Where a Carrier goes after its Strike. Rule 12.74.
    AfterStrike,
    /// Whether units of the Active Player ReBase after a round or a Battle. Rule 13.12.
    Rebase,
    /// Where a unit goes that must leave: after a round, at the end of a phase. Rule 12.52.
    Leave(Faction, Leaving),
    /// Whether a Submarine Escapes. Rule 12.73.
    Escape(Faction),
    /// Winter: a Command card of the USSR. Rule 10.4.
    Winter,
    /// The game is over.
    Over,
}

/// Why units must leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Leaving {
    /// The land round is over.
    Round,
    /// Air Forces after a round at sea.
    Sea,
    /// The Combat Phase is over.
    Combat,
    /// The Supply Phase is over.
    Supply,
    /// Convoys on both sides. Ruling R20.
    Convoys,
}
