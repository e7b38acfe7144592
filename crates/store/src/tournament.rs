//! The `Tournaments` trait: who takes part, who meets whom, and what the house has decided. Results are not kept here: they
//! follow from the journals of the matches.

use crate::{AccountId, StoreError};

/// How far a tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TournamentState {
    /// Its list of entrants is still made.
    #[default]
    Gathering,
    /// It is played.
    Running,
    /// All its matches are over.
    Over,
    /// It was called off.
    CalledOff,
}

impl TournamentState {
    /// All states.
    pub const ALL: [Self; 4] = [Self::Gathering, Self::Running, Self::Over, Self::CalledOff];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Gathering => "gathering",
            Self::Running => "running",
            Self::Over => "over",
            Self::CalledOff => "called-off",
        }
    }

    /// Reads the word; with one that is not known nothing goes on.
    pub fn read(word: &str) -> Self {
        Self::ALL.into_iter().find(|state| state.word() == word).unwrap_or(Self::CalledOff)
    }
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TournamentRecord {
    /// The name in addresses: unique, made by the caller.
    pub id: String,
    /// The account that made it; `None` for the owner of the house.
    pub made_by: Option<AccountId>,
    /// When, milliseconds since 1970.
    pub made_at: u64,
    /// Its name.
    pub name: String,
    /// Which game.
    pub game: String,
    /// The options of its matches as JSON: opaque here.
    pub options: String,
    /// The rules of its tables about time: opaque here.
    pub clock: String,
    /// How far it is.
    pub state: TournamentState,
    /// Whether anybody with an account may enter.
    pub is_open: bool,
    /// The most players in a pool.
    pub pool_size: u8,
    /// Whether everybody meets everybody on every side.
    pub on_every_side: bool,
}

/// Somebody who takes part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entrant {
    /// Who.
    pub account: AccountId,
    /// When they entered.
    pub entered_at: u64,
    /// When they withdrew, if they did.
    pub withdrawn_at: Option<u64>,
    /// Their pool, from 0, once it has begun.
    pub pool: Option<u8>,
}

/// A match that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pairing {
    /// Its number in the tournament, from 1.
    pub number: u32,
    /// The pool, from 0.
    pub pool: u8,
    /// The round, from 1.
    pub round: u16,
    /// The players in the order of the seats.
    pub players: Vec<AccountId>,
    /// The match, once it has one.
    pub match_id: Option<String>,
    /// What the house has decided: how each seat fared (`win,loss`; empty for no result), and why.
    pub verdict: Option<(String, String)>,
}

/// What became of somebody's wish to enter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entered {
    /// They are on the list.
    Done,
    /// They were on it.
    Already,
    /// The list is full.
    Full,
    /// There is no such tournament, or it has begun.
    Shut,
}

/// A store for tournaments. As with [`Store`](crate::Store), all methods block, and an `Err` means that nothing was changed.
pub trait Tournaments: Send + Sync {
    /// Makes what tournaments need in the store, if it is missing. Must be called before anything else here.
    fn prepare_tournaments(&self) -> Result<(), StoreError>;

    /// Stores a new tournament with its first entrants.
    fn add_tournament(&self, new: &TournamentRecord, entrants: &[AccountId]) -> Result<(), StoreError>;

    /// A tournament.
    fn tournament(&self, id: &str) -> Result<Option<TournamentRecord>, StoreError>;

    /// The newest tournaments, at most `most`.
    fn tournaments(&self, most: usize) -> Result<Vec<TournamentRecord>, StoreError>;

    /// Those that are being played.
    fn running_tournaments(&self) -> Result<Vec<TournamentRecord>, StoreError>;

    /// Who takes part, in the order in which they entered.
    fn entrants(&self, id: &str) -> Result<Vec<Entrant>, StoreError>;

    /// The matches of a tournament, by number.
    fn pairings(&self, id: &str) -> Result<Vec<Pairing>, StoreError>;

    /// Puts somebody on the list while it is made, unless `most` are on it. Whoever was struck off is on it again.
    fn enter(&self, id: &str, account: AccountId, at: u64, most: usize) -> Result<Entered, StoreError>;

    /// Withdraws somebody: off the list while it is made, marked afterwards. `false` if they do not take part or have
    /// withdrawn already, or if it is over.
    fn withdraw(&self, id: &str, account: AccountId, at: u64) -> Result<bool, StoreError>;

    /// Begins: gives everybody a pool and writes the pairings. `false` if it has begun before, or if somebody has entered or
    /// withdrawn meanwhile.
    fn begin(&self, id: &str, pools: &[(AccountId, u8)], pairings: &[Pairing]) -> Result<bool, StoreError>;

    /// Ends it, from one state into another. `false` if it is in another state than the first.
    fn move_on(&self, id: &str, from: TournamentState, to: TournamentState) -> Result<bool, StoreError>;

    /// Says which match a pairing is. `false` if it has one already.
    fn set_match(&self, id: &str, number: u32, match_id: &str) -> Result<bool, StoreError>;

    /// Notes what the house has decided about a pairing. `false` if there is no such pairing.
    fn decide(&self, id: &str, number: u32, standings: &str, why: &str) -> Result<bool, StoreError>;

    /// The tournaments in which an account takes part that are not over.
    fn entered_by(&self, account: AccountId) -> Result<Vec<String>, StoreError>;
}
