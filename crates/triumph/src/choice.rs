//! Decisions and draws: one of these is a step of the game. Section 24 of the rulebook.

use crate::cards::{Card, Tech};
use crate::factions::{Faction, Parties, Power};
use crate::units::{Class, Kind};

/// A technology and where it goes. Rule 7.33.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Find(u8);

impl Find {
    /// A technology, revealed or into the vault.
    pub const fn new(tech: Tech, vault: bool) -> Self {
        Self(tech as u8 | (vault as u8) << 7)
    }

    /// The technology.
    pub const fn tech(self) -> Tech {
        Tech::at((self.0 & 0x7f) as usize)
    }

    /// Whether it goes into the vault.
    pub const fn vault(self) -> bool {
        self.0 & 0x80 != 0
    }
}

/// A decision of a player, or a draw of Fate. A block is the first of those that are alike in all that matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// The type of a Cadre of the set-up. Rule 5.
    Cadre(Kind),
    /// *Fate*: a card.
    Card(Card),
    /// *Fate*: a chit of this value.
    Chit(u8),
    /// *Fate*: the Turn Order die, from 1 to 6.
    Die(u8),
    /// *Fate*: how many dice hit.
    Hits(u8),
    /// *Fate*: the deck from which a Spy Ring steals: false for Action cards.
    FromDeck(bool),
    /// The Active Ally of the year. Rule 18.
    Active(Faction),
    /// A unit of a USA group arrives here. Rule 8.45.
    Arrive(u8),
    /// Takes an own unit off the map before spending. Ruling R48.
    Disband(u8),
    /// Buys an Action card.
    BuyAction,
    /// Buys an Investment card.
    BuyInvestment,
    /// Spends a point on a step.
    Strengthen,
    /// Spends a point on a new unit.
    Build,
    /// Ends Production.
    Finish,
    /// This unit takes the step.
    Step(u8),
    /// Builds a unit of this Power and type.
    New(Power, Kind),
    /// Places it here.
    At(u8),
    /// Plays an Action card for a nation. Rule 7.31.
    Diplomacy(Card, u8),
    /// Plays a WildCard on a nation. Rule 8.3.
    Wild(Card, u8),
    /// Begins to pay for a factory. Rule 7.32.
    Factory,
    /// Lays down a card for it.
    Pay(Card),
    /// Plays a Tech-pair: the kept card, the other one, and what becomes of it. Rule 7.33.
    Pair(Card, Card, Find),
    /// Plays an Intelligence card on a Rival: an area for Agent, a nation for Coup, else 255. Rule 9.5.
    Spy(Card, Faction, u8),
    /// Reveals a technology of the vault. Rule 9.3.
    Reveal(Tech),
    /// Takes back an own marker. Rule 8.
    Repudiate(u8),
    /// Does nothing.
    Pass,
    /// Answers with Double Agent.
    DoubleAgent,
    /// Does not.
    LetItPass,
    /// What a turned Intelligence card aims at: an area for Agent, a nation for Coup.
    Aim(u8),
    /// Pairs the Mole with this card.
    Take(Card, Find),
    /// Takes nothing with the Mole, or nothing is aimed at.
    Nothing,
    /// The type of a unit where a nation joins. Ruling R58.
    Muster(Kind),
    /// Discards a card. Rule 7.5, and for an Ally's war in rule 18.
    Discard(Card),
    /// Commits a Command card. Rule 10.1.
    Commit(Card),
    /// Puts tied turns in order: all three Factions, those without a turn last. Ruling R61.
    Order([Faction; 3]),
    /// Declares war. Rule 15.2.
    War(Faction),
    /// Violates a nation's neutrality. Rule 15.4.
    Violate(u8),
    /// Intervenes in a violated nation. Rule 15.423.
    Intervene(u8),
    /// Drops the bomb. Rule 16.4.
    Bomb,
    /// Makes an Escaped Submarine normal again. Ruling R21.
    Surface(u8),
    /// Picks a unit to move.
    Move(u8),
    /// Where it goes, and from where it enters if that matters, else 255. Ruling R43.
    To(u8, u8),
    /// Ends the moves, or goes on without more of the same.
    End,
    /// Stands by a Protectorate. Rule 8.13.
    StandBy,
    /// Gives it up.
    GiveUp,
    /// Fights an optional Battle. Ruling R63.
    Fight(u8),
    /// Does not.
    Avoid(u8),
    /// Resolves this Battle next. Rule 12.1.
    Select(u8),
    /// Fights these Enemies. Ruling R13.
    Against(Parties),
    /// Lets the BattleGroup of this unit join. Rule 12.71.
    Group(u8),
    /// Fires at a class. Rule 12.4.
    Fire(u8, Class),
    /// Bombs industry. Rule 12.62.
    Raid(u8),
    /// Carrier Strike. Rule 12.74.
    Strike(u8),
    /// Retreats to an adjacent area. Rule 12.5.
    Retreat(u8, u8),
    /// ReBases to Friendly land. Rule 13.
    Rebase(u8, u8),
    /// This unit takes a hit. Ruling R66.
    Hit(u8),
    /// A Submarine Escapes. Rule 12.73.
    Escape(u8),
}

impl Choice {
    /// The block that it names, if it does.
    pub const fn block(self) -> Option<usize> {
        match self {
            Self::Disband(block)
            | Self::Step(block)
            | Self::Surface(block)
            | Self::Move(block)
            | Self::Group(block)
            | Self::Fire(block, _)
            | Self::Raid(block)
            | Self::Strike(block)
            | Self::Retreat(block, _)
            | Self::Rebase(block, _)
            | Self::Hit(block)
            | Self::Escape(block) => Some(block as usize),
            _ => None,
        }
    }
}
