//! New matches: begun, taken in from a record, or forked from another.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::source::Problems;
use kernel::{MatchDice, Options, Seat, Secret, Table, game_of_save};
use store::{Entry, MatchRecord, Origin, Player, SeatRecord};

use super::{House, HouseError, LiveMatch};
use crate::clock;
use crate::live::Live;
use crate::seating;
use crate::secrets;
use crate::title::Title;

/// A new match as its maker wants it.
#[derive(Default)]
pub struct Order {
    /// The game's word.
    pub game: String,
    /// What to call it; empty for a name by its set-up.
    pub name: String,
    /// The options.
    pub options: Options,
    /// Whether a person rolls.
    pub own_dice: bool,
    /// Dice that can be had again: the same number gives the same dice. Empty for dice that nobody can foresee.
    pub seed: Option<u64>,
    /// Who shall sit where, by seat number: `me`, `friend` or `bot:WORD`; empty for the usual.
    pub seats: Vec<String>,
}

/// A match that is to be written down.
struct Draft<'a> {
    title: Arc<dyn Title>,
    table: Box<dyn Table>,
    players: Vec<Player>,
    name: &'a str,
    origin: Option<Origin>,
}

impl House {
    /// Makes a new match and returns its identifier and the token that lets its maker in: that of their seat, or, where
    /// they have none, that of those who look on.
    pub async fn create(self: &Arc<Self>, order: &Order) -> Result<(String, String), HouseError> {
        let title = Arc::clone(self.title(&order.game)?);
        let dice = match (order.own_dice, order.seed) {
            (true, None) => MatchDice::Own,
            (true, Some(_)) => {
                let why = "a seed is for dice that Maproom rolls: leave it empty to roll your own";
                return Err(HouseError::Bad(why.to_owned()));
            }
            (false, Some(seed)) => MatchDice::seeded(seed),
            (false, None) => {
                let mut secret = [0; 32];
                getrandom::fill(&mut secret)
                    .map_err(|why| HouseError::Bad(format!("no random numbers: {why}")))?;
                MatchDice::fair(Secret(secret))
            }
        };
        let mut table = title.open(&order.options, dice).map_err(HouseError::Bad)?;
        let players = seating::players(&*title, table.seats(), &order.seats).map_err(HouseError::Bad)?;
        if order.own_dice && !players.iter().any(Player::is_human) {
            let why = "bots have no dice of their own: where they play among themselves Maproom must roll";
            return Err(HouseError::Bad(why.to_owned()));
        }
        table.settle(None);
        let draft = Draft { title, table, players, name: order.name.trim(), origin: None };
        let made = self.settle_in(draft).await?;
        Ok((made.id.clone(), made.owner_token().to_owned()))
    }

    /// Takes in a saved match.
    pub async fn import(
        self: &Arc<Self>,
        name: &str,
        text: &str,
    ) -> Result<(String, String, Vec<String>), HouseError> {
        let word = game_of_save(text).ok_or_else(|| {
            HouseError::Bad(format!(
                "{name} is not a match of Maproom: its first line should be \"maproom match 1\""
            ))
        })?;
        let title = Arc::clone(self.title(word)?);
        let mut opened =
            title.load(name, text).map_err(|problems: Problems| HouseError::Bad(problems.to_string()))?;
        // A record may end where the dice are due.
        opened.table.settle(None);
        let secret = !matches!(opened.table.dice(), MatchDice::Fair { secret: None, .. });
        if !secret && opened.table.result().is_none() {
            let why = "this match still goes on, and its record does not hold the secret of its dice: it can be looked \
                       at with `maproom verify`, but not played on";
            return Err(HouseError::Bad(format!("{name}: {why}")));
        }
        let players = seating::players(&*title, opened.table.seats(), &[]).map_err(HouseError::Bad)?;
        let name = name.trim_end_matches(".match");
        let made = self.settle_in(Draft { title, table: opened.table, players, name, origin: None }).await?;
        Ok((made.id.clone(), made.owner_token().to_owned(), opened.notes))
    }

    /// A match of its own that goes the same way up to a step, with the same players, and then as the one at `seat`
    /// likes. Returns its identifier and the token of that seat.
    pub async fn fork(
        self: &Arc<Self>,
        found: &LiveMatch,
        seat: Seat,
        steps: usize,
    ) -> Result<(String, String), HouseError> {
        let live = found.lock().await;
        if !live.is_solo() {
            return Err(HouseError::Bad(
                "only a solo match can be played on from an earlier point".to_owned(),
            ));
        }
        let mut table = live.table.fork(steps);
        let turn = table.turn_title(table.turn());
        table.settle(None);
        let name = format!("{}: what if, {turn}", live.name);
        let draft = Draft {
            title: Arc::clone(&live.title),
            table,
            players: live.seats.iter().map(|record| players_own(record, seat)).collect(),
            name: &name,
            origin: Some(Origin { match_id: found.id.clone(), step: steps as u32 }),
        };
        drop(live);
        let made = self.settle_in(draft).await?;
        let own = made.seats.iter().find(|record| record.seat == seat.0);
        let token = own.map_or(&made.viewer_token, |own| &own.token);
        Ok((made.id.clone(), token.clone()))
    }

    /// Writes a whole match down as a new one. Where a bot begins, it begins at once.
    async fn settle_in(self: &Arc<Self>, draft: Draft<'_>) -> Result<MatchRecord, HouseError> {
        let Draft { title, table, players, name, origin } = draft;
        let setup = title.setup_title(&*table);
        let mut seats = Vec::new();
        for (at, (seat, player)) in table.seats().iter().zip(players).enumerate() {
            let token = if player.is_a_persons() { secrets::token() } else { Ok(String::new()) };
            seats.push(SeatRecord {
                seat: at as u8,
                word: seat.word.to_owned(),
                token: token.map_err(HouseError::Bad)?,
                player,
                claimed_at: None,
                seen: table.steps() as u32,
            });
        }
        let name: String = if name.is_empty() { setup.clone() } else { name.chars().take(80).collect() };
        let live = Live::new(Arc::clone(&title), table, name.clone(), seats.clone());
        let now = clock::now();
        let journal = vec![Entry { seq: 1, at: now, kind: live.whole_entry() }];
        let record = MatchRecord {
            id: secrets::match_id().map_err(HouseError::Bad)?,
            game: title.id().to_owned(),
            name,
            setup,
            header: live.table.head(),
            options: statistics_options(&live.table.options()),
            viewer_token: secrets::token().map_err(HouseError::Bad)?,
            origin,
            created_at: now,
            changed_at: now,
            deleted_at: None,
            revision: 1,
            pace: String::new(),
            summary: live.summary(),
            seats,
        };
        let bot_begins = live.bot_to_choose().is_some();
        drop(live);
        let keep = move |store: &dyn store::Store| store.create(&record, &journal).map(|()| record);
        let made = self.with_store(keep).await?;
        if bot_begins {
            self.find(&made.id).await?;
        }
        Ok(made)
    }
}

/// Who plays a seat in a fork: whoever forks plays theirs, also where a bot has played on for them.
fn players_own(record: &SeatRecord, forks: Seat) -> Player {
    if record.seat == forks.0 { record.player.taken_back() } else { record.player.clone() }
}

/// The options as JSON without the texts that a person brought along, which can be large.
fn statistics_options(options: &Options) -> String {
    let short: HashMap<&str, &str> = options
        .iter()
        .map(|(key, value)| (key.as_str(), if value.len() > 100 { "own" } else { value.as_str() }))
        .collect();
    serde_json::to_string(&short).unwrap_or_default()
}
