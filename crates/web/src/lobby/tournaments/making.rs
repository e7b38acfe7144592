//! A new tournament, and its beginning: pools and pairings.

use std::sync::Arc;

use clocks::{FlagPolicy, Rules};
use diagnostics::shown;
use kernel::{MatchDice, Options};
use ratings::{Rating, Sides, round_robin};
use store::{AccountId, Pairing, Player, TournamentRecord, TournamentState};

use super::refuse;
use crate::lobby::creation::{check_rated_options, rated_clock, table_rules};
use crate::lobby::{Contests, Lobby, LobbyError};
use crate::secrets;

/// The most who can enter.
pub const MOST_ENTRANTS: usize = 48;
/// The most matches of a tournament.
const MOST_MATCHES: usize = 600;

/// The settings of a new tournament.
#[derive(Clone, Debug, Default)]
pub struct NewTournament {
    /// Its name.
    pub name: String,
    /// The game's id.
    pub game: String,
    /// The options of its matches.
    pub options: Options,
    /// The rules of its tables about time; empty for none.
    pub clock: String,
    /// Whether a player's clock stands still while they rest.
    pub allows_rest: bool,
    /// Whether its matches count for ratings.
    pub rated: bool,
    /// Those who take part.
    pub entrants: Vec<AccountId>,
    /// Whether anybody with an account may enter.
    pub is_open: bool,
    /// The most players in a pool; 0 for one pool.
    pub pool_size: u8,
    /// Whether everybody meets everybody on every side.
    pub on_every_side: bool,
    /// Who makes it.
    pub maker: Option<AccountId>,
}

/// The options of the matches of a tournament.
pub(super) fn options_of(record: &TournamentRecord) -> Options {
    serde_json::from_str(&record.options).unwrap_or_default()
}

impl Lobby {
    /// Makes a tournament and returns its id.
    pub async fn make_tournament(&self, new: &NewTournament) -> Result<String, LobbyError> {
        let name = new.name.split_whitespace().collect::<Vec<_>>().join(" ");
        if !(1..=60).contains(&name.chars().count()) {
            return refuse("Give the tournament a name of up to 60 letters.");
        }
        let title = Arc::clone(self.title(&new.game)?);
        check_rated_options(&new.options)?;
        let table = title.open(&new.options, MatchDice::seeded(0)).map_err(LobbyError::Bad)?;
        let seats = table.seats().len();
        if !(2..=3).contains(&seats) {
            return refuse(format!(
                "Tournaments are for games of two or three people; this is one for {seats}."
            ));
        }
        let most = ratings::MOST_IN_A_POOL as u8;
        let pool_size = if new.pool_size == 0 { most } else { new.pool_size };
        if !(seats as u8..=most).contains(&pool_size) {
            return refuse(format!("A pool has {seats} to {most} players."));
        }
        let mut entrants = new.entrants.clone();
        entrants.sort_unstable();
        entrants.dedup();
        if entrants.len() != new.entrants.len() || entrants.len() > MOST_ENTRANTS {
            return refuse(format!("Name everybody once, and at most {MOST_ENTRANTS}."));
        }
        let clock = self.clock_of(&*title, new, seats)?;
        let record = TournamentRecord {
            id: secrets::match_id()?,
            made_by: new.maker,
            made_at: self.now(),
            name,
            game: new.game.clone(),
            options: serde_json::to_string(&new.options).unwrap_or_default(),
            clock,
            state: TournamentState::Gathering,
            is_open: new.is_open,
            pool_size,
            on_every_side: new.on_every_side,
        };
        let (id, named) = (record.id.clone(), new.entrants.clone());
        self.with_contest(move |contests| contests.add_tournament(&record, &named)).await?;
        self.tending.news.send_modify(|count| *count += 1);
        Ok(id)
    }

    /// The rules of its tables. Time never stands still for days unless the organizer says so, and no bot plays on for one of two.
    fn clock_of(
        &self,
        title: &dyn crate::title::Title,
        new: &NewTournament,
        seats: usize,
    ) -> Result<String, LobbyError> {
        let text = rated_clock(new.clock.trim(), seats);
        let players: Vec<Player> =
            (0..seats as u64).map(|id| Player::Account { id: AccountId(id), bot: None }).collect();
        let Some(mut rules) = table_rules(title, &text, &players)? else {
            return refuse(format!("{:?} is no clock.", shown(&text)));
        };
        if seats == 2 && matches!(rules.on_flag, FlagPolicy::StandIn(_)) {
            return refuse(
                "In a tournament of two at a table no bot plays on: out of time loses, or the other decides.",
            );
        }
        rules.is_rated = new.rated;
        rules.allows_rest = new.allows_rest;
        Ok(Rules::to_string(&rules))
    }

    /// Begins a tournament: pools by rating, pairings, and the matches of the first round.
    pub async fn begin_tournament(self: &Arc<Self>, id: &str) -> Result<(), LobbyError> {
        let record = self.tournament(id).await?;
        let title = Arc::clone(self.title(&record.game)?);
        let table = title.open(&options_of(&record), MatchDice::seeded(0)).map_err(LobbyError::Bad)?;
        let seats = table.seats().len();
        let (of, game) = (id.to_owned(), record.game.clone());
        let players = seats as u8;
        let ranked = self.with_contest(move |contests| ranked(contests, &of, &game, players)).await?;
        if ranked.len() < seats {
            return refuse(format!("{seats} players at least must have entered."));
        }
        let pools = pools(&ranked, usize::from(record.pool_size), seats);
        let sides = if record.on_every_side { Sides::Changed } else { Sides::Balanced };
        let pairings = pairings(&pools, seats, sides)?;
        let placed: Vec<(AccountId, u8)> = pools
            .iter()
            .zip(0..)
            .flat_map(|(pool, number)| pool.iter().map(move |account| (*account, number)))
            .collect();
        let of = id.to_owned();
        if !self.with_contest(move |contests| contests.begin(&of, &placed, &pairings)).await? {
            return refuse("The tournament has begun already, or its list has just changed: look again.");
        }
        self.after_change().await;
        Ok(())
    }
}

/// Those who have entered, the strongest first.
fn ranked(
    contests: &dyn Contests,
    id: &str,
    game: &str,
    players: u8,
) -> Result<Vec<AccountId>, store::StoreError> {
    let mut worth = Vec::new();
    for entrant in contests.entrants(id)? {
        let kept = contests.ratings_of(entrant.account)?;
        let own = kept.iter().find(|kept| kept.game == game && kept.players == players);
        let rating =
            own.map_or_else(Rating::default, |own| Rating { mu: own.skill.mu, sigma: own.skill.sigma });
        worth.push((rating.at_least(), entrant.account));
    }
    // Those who are worth the same stay in the order in which they entered.
    worth.sort_by(|a, b| b.0.total_cmp(&a.0));
    Ok(worth.into_iter().map(|(_, account)| account).collect())
}

/// Pools of about the same strength, by a snake through the ranking, none smaller than a table.
pub(super) fn pools(ranked: &[AccountId], size: usize, seats: usize) -> Vec<Vec<AccountId>> {
    let wanted = ranked.len().div_ceil(size.max(1));
    let count = wanted.min(ranked.len() / seats.max(1)).max(1);
    let mut pools = vec![Vec::new(); count];
    for (at, account) in ranked.iter().enumerate() {
        let (turn, place) = (at / count, at % count);
        let pool = if turn % 2 == 0 { place } else { count - 1 - place };
        pools[pool].push(*account);
    }
    pools
}

/// All matches of all pools, numbered by round.
fn pairings(pools: &[Vec<AccountId>], seats: usize, sides: Sides) -> Result<Vec<Pairing>, LobbyError> {
    let mut all = Vec::new();
    for (pool, members) in (0..).zip(pools) {
        let rounds = round_robin(members.len(), seats, sides);
        let rounds = rounds.map_err(|why| LobbyError::Bad(format!("No pairings: {why}.")))?;
        for (round, matches) in (1..).zip(rounds) {
            all.extend(matches.into_iter().map(|players| Pairing {
                number: 0,
                pool,
                round,
                players: players.into_iter().map(|player| members[player]).collect(),
                match_id: None,
                verdict: None,
            }));
        }
    }
    if all.len() > MOST_MATCHES {
        return refuse(format!(
            "That would be {} matches, and {MOST_MATCHES} is the most: make smaller pools, or let everybody meet once.",
            all.len()
        ));
    }
    all.sort_by_key(|pairing| (pairing.round, pairing.pool));
    for (number, pairing) in (1..).zip(&mut all) {
        pairing.number = number;
    }
    Ok(all)
}
