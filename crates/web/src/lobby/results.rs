//! What came of finished matches, for the pages of players and games.
//!
//! Only matches that are over are looked at: nothing here can tell what a running one hides.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use store::{Account, AccountId, AccountState, FORMER_PLAYER, KeptSeat, MatchRecord, People, Player, Shelf};

use super::ratings::setup_of;
use super::{Lobby, LobbyError};

/// How old the results of the house may be: they are read from all matches.
const FRESH: Duration = Duration::from_secs(60);
/// How many finished matches of a player are looked at.
pub const LOOKED_AT: usize = 200;

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Wins.
    pub wins: u32,
    /// Draws.
    pub draws: u32,
    /// Losses.
    pub losses: u32,
}

impl Tally {
    fn add(&mut self, standing: &str) {
        match standing {
            "win" => self.wins += 1,
            "draw" => self.draws += 1,
            "loss" => self.losses += 1,
            _ => {}
        }
    }

    /// How many matches.
    pub const fn matches(self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// Who sat opposite.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Opponent {
    /// Persons.
    Persons,
    /// A bot, by its word.
    Bot(String),
    /// Nobody: a game for one.
    Nobody,
}

/// The results of a player in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerResults {
    /// By the game's word for the side.
    pub sides: BTreeMap<String, Tally>,
    /// By who sat opposite.
    pub opponents: BTreeMap<Opponent, Tally>,
}

/// The results of a game in this house.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameResults {
    /// By set-up, number of the seat, and word for the side.
    pub sides: BTreeMap<(String, u8, String), Tally>,
    /// How bots fared against persons, by their word.
    pub bots: BTreeMap<String, Tally>,
}

/// The results of all games, by their ids.
type ByGame = Arc<HashMap<String, GameResults>>;

/// The results of the house, as they were read last, and when.
#[derive(Default)]
pub(super) struct HouseResults(Mutex<Option<(Instant, ByGame)>>);

impl GameResults {
    fn add(&mut self, record: &MatchRecord, setup: &str) {
        let has_person = record.seats.iter().any(|seat| seat.player.is_a_persons());
        let fared = record.seats.iter().zip(record.summary.standings.split(','));
        for (seat, standing) in fared {
            let side = (setup.to_owned(), seat.seat, seat.word.clone());
            self.sides.entry(side).or_default().add(standing);
            if let (Player::Bot(bot), true) = (&seat.player, has_person) {
                self.bots.entry(bot.clone()).or_default().add(standing);
            }
        }
    }
}

impl Lobby {
    /// The results of a game in this house, at most a minute old.
    pub async fn game_results(self: &Arc<Self>, game: &str) -> Result<GameResults, LobbyError> {
        let known = self.results.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, all)) = known.filter(|(read, _)| read.elapsed() < FRESH) {
            return Ok(all.get(game).cloned().unwrap_or_default());
        }
        let lobby = Arc::clone(self);
        let all = self
            .with_store(move |store| {
                let mut all: HashMap<String, GameResults> = HashMap::new();
                // A lesson is no match: its dice and half of its choices were given.
                let is_over =
                    |record: &&MatchRecord| record.summary.result.is_some() && record.lesson.is_empty();
                for record in store.list(false)?.iter().filter(is_over) {
                    let setup = setup_of(&lobby.titles, record);
                    all.entry(record.game.clone()).or_default().add(record, &setup);
                }
                Ok(Arc::new(all))
            })
            .await?;
        let kept = Some((Instant::now(), Arc::clone(&all)));
        *self.results.0.lock().unwrap_or_else(PoisonError::into_inner) = kept;
        Ok(all.get(game).cloned().unwrap_or_default())
    }

    /// The results of a player by game, in the newest `LOOKED_AT` finished matches. What a bot played for them at the end is left
    /// out.
    pub async fn player_results(
        &self,
        account: AccountId,
    ) -> Result<BTreeMap<String, PlayerResults>, LobbyError> {
        let seats =
            self.with_accounts(move |people| people.kept_seats(account, Shelf::Finished, LOOKED_AT)).await?;
        self.with_store(move |store| {
            let mut results: BTreeMap<String, PlayerResults> = BTreeMap::new();
            for own in seats.iter().filter(|own| own.player.is_human()) {
                if let Some(record) = store.find(&own.match_id)? {
                    results.entry(own.game.clone()).or_default().add(own, &record);
                }
            }
            Ok(results)
        })
        .await
    }

    /// The names of accounts, and whether they have a page: whoever was deleted is "a former player".
    pub async fn account_names(
        &self,
        mut ids: Vec<AccountId>,
    ) -> Result<HashMap<AccountId, Known>, LobbyError> {
        ids.sort_unstable();
        ids.dedup();
        let read = move |people: &dyn People| {
            ids.into_iter().map(|id| Ok((id, Known::of(people.account(id)?.as_ref())))).collect()
        };
        self.with_accounts(read).await
    }
}

/// What others are told about an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// Its name.
    pub name: String,
    /// Whether it is still there.
    pub is_here: bool,
}

impl Known {
    /// What is known of an account.
    pub fn of(account: Option<&Account>) -> Self {
        match account.filter(|account| account.state != AccountState::Deleted) {
            Some(account) => Self { name: account.name.clone(), is_here: true },
            None => Self { name: FORMER_PLAYER.to_owned(), is_here: false },
        }
    }
}

impl PlayerResults {
    fn add(&mut self, own: &KeptSeat, record: &MatchRecord) {
        let at = usize::from(own.seat);
        let Some(standing) = record.summary.standings.split(',').nth(at) else { return };
        self.sides.entry(own.word.clone()).or_default().add(standing);
        let others = record.seats.iter().filter(|seat| seat.seat != own.seat);
        let mut opponents: Vec<Opponent> = others
            .map(|seat| match &seat.player {
                Player::Bot(bot) => Opponent::Bot(bot.clone()),
                _ => Opponent::Persons,
            })
            .collect();
        opponents.sort();
        opponents.dedup();
        if record.seats.len() == 1 {
            opponents.push(Opponent::Nobody);
        }
        for opponent in opponents {
            self.opponents.entry(opponent).or_default().add(standing);
        }
    }
}
