//! How Factions and nations stand: industry, hands, wars, vaults; influence, arms. Rules 7 to 9, 15.

use crate::cards::{Card, Deck, Tech};
use crate::factions::{Faction, Parties};

/// How a nation stands. Rules 8, 15.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Status {
    /// Nobody's; a Faction may have influence.
    Neutral,
    /// At arms against its violators. Rule 15.42.
    Armed,
    /// Won by diplomacy.
    Satellite,
    /// Won by force.
    Conquered,
    /// A Power, or a colony of one.
    Belongs,
    /// A Major Power whose capital has fallen. Rule 2.22.
    Defeated,
}

/// A nation or colony in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NationState {
    /// How it stands.
    pub status: Status,
    /// Who has influence.
    pub influencer: Option<Faction>,
    /// How many markers.
    pub markers: u8,
    /// Who has violated it.
    pub violators: Parties,
    /// Who is its Enemy while it is Armed.
    pub enemies: Parties,
    /// Whose its capital is, while nobody stands there: a Control marker, or the Power it belongs to.
    pub holder: Option<Faction>,
}

/// A technology in a vault, with its two cards, the kept one first. Rule 9.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VaultPair {
    /// The technology.
    pub tech: Tech,
    /// The card that stays when it is revealed, and the other one.
    pub cards: [Card; 2],
}

/// The most pairs a vault can hold: no Faction can pay for more hand cards.
pub const VAULT: usize = 8;

/// A Faction in play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FactionState {
    /// Industry.
    pub ind: u8,
    /// Factories built this year. Rule 7.32.
    pub raises: u8,
    /// How far it has come in its list of Factory Costs. Ruling R29.
    pub factory_level: u8,
    /// The Rivals it has declared war on.
    pub declared: Parties,
    /// Its Enemies among the Factions.
    pub enemies: Parties,
    /// Peace chits by value.
    pub chits: [u8; 3],
    /// Whether it violated a Neutral or fought this year. Rule 7.13.
    pub fought: bool,
    /// Revealed technologies.
    pub techs: u16,
    /// The year of its last stage of Atomic Research, in its vault or revealed; 0 before the first.
    pub stage_year: u8,
    /// Its vault; entries past the length are `None`.
    pub vault: [Option<VaultPair>; VAULT],
    /// Hands by deck, as masks.
    pub hand: [u64; 2],
    /// Diplomacy cards in play. Rule 7.31.
    pub in_play: u64,
    /// Of these, the ones that mean their second nation.
    pub second_end: u64,
    /// Investment cards that lie face up as technologies.
    pub kept: u64,
    /// The card committed for the season.
    pub committed: Option<Card>,
    /// Cards that must still be drawn, by deck.
    pub due: [u8; 2],
    /// The face-down Passive Stack of the game for two, by deck. Rule 18.
    pub stack: [u64; 2],
}

impl FactionState {
    /// The pairs in the vault.
    pub fn vault(&self) -> impl Iterator<Item = VaultPair> + '_ {
        self.vault.iter().flatten().copied()
    }

    /// How many pairs are in the vault.
    pub fn vault_len(&self) -> usize {
        self.vault.iter().flatten().count()
    }

    /// Technologies in the vault.
    pub fn secret_techs(&self) -> u16 {
        self.vault().fold(0, |mask, pair| mask | pair.tech.bit())
    }

    /// Whether a revealed technology is there.
    pub const fn knows(&self, tech: Tech) -> bool {
        self.techs & tech.bit() != 0
    }

    /// Whether it is at war with another Faction. Rule 15.1, ruling R24.
    pub const fn at_war(&self) -> bool {
        !self.enemies.is_empty()
    }

    /// How many cards of a deck are in hand.
    pub const fn hand_len(&self, deck: Deck) -> u32 {
        self.hand[deck as usize].count_ones()
    }

    /// The whole hand.
    pub const fn cards(&self) -> u32 {
        self.hand[0].count_ones() + self.hand[1].count_ones()
    }

    /// Whether a card is in hand.
    pub const fn holds(&self, card: Card) -> bool {
        self.hand[card.deck() as usize] & card.bit() != 0
    }
}
