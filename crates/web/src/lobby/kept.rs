//! Seats that accounts keep: taken over from a link, given up again, left to a bot for good.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::{Seat, Viewer};
use store::{AccountId, FORMER_PLAYER, Keeping, People, Player, SeatRecord, Shelf, Store, TableEvent};
use tokio::sync::MutexGuard;

use super::{LiveMatch, Lobby, LobbyError};
use crate::live::Live;
use crate::opponents::default_bot;
use crate::seating;
use crate::secrets;

/// What stands in the path of a table instead of a token for the holder of an account that keeps a seat there. No token is so
/// short.
pub const MINE: &str = "mine";

/// What stands in the path of a table for the player of a seat.
pub(super) fn path_token(seat: &SeatRecord) -> &str {
    if seat.player.account().is_some() { MINE } else { &seat.token }
}

/// The bot that every game has.
const ANY_BOT: &str = "greedy";

impl Live {
    /// Whether the seat of a viewer can be kept by an account: it is that of somebody with a link.
    pub fn may_be_kept(&self, viewer: Viewer) -> bool {
        let Viewer::Seat(seat) = viewer else { return false };
        let record = self.seats.iter().find(|record| record.seat == seat.0);
        record.is_some_and(|record| {
            self.owner() != Some(seat) && record.player.is_a_persons() && record.player.account().is_none()
        })
    }
}

impl Lobby {
    /// Lets accounts keep seats.
    #[must_use]
    pub fn with_people(mut self, people: Arc<dyn People>) -> Self {
        self.people = Some(people);
        self
    }

    /// Runs a blocking operation on the accounts on another thread.
    pub(crate) async fn with_accounts<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn People) -> Result<T, store::StoreError> + Send + 'static,
    ) -> Result<T, LobbyError> {
        let Some(people) = self.people.clone() else { return Err(LobbyError::NotFound) };
        let done = tokio::task::spawn_blocking(move || work(&*people)).await;
        done.map_err(|_| LobbyError::Fault("Reading or writing was interrupted"))?.map_err(LobbyError::Store)
    }

    /// The names of the accounts among the players.
    pub(super) async fn names_of(
        &self,
        seats: &[SeatRecord],
    ) -> Result<HashMap<AccountId, String>, LobbyError> {
        let ids: Vec<AccountId> = seats.iter().filter_map(|seat| seat.player.account()).collect();
        if ids.is_empty() || self.people.is_none() {
            return Ok(HashMap::new());
        }
        let read = move |people: &dyn People| {
            let name = |id: AccountId| {
                let found = people.account(id)?;
                Ok((id, found.map_or_else(|| FORMER_PLAYER.to_owned(), |account| account.name)))
            };
            ids.into_iter().map(name).collect()
        };
        self.with_accounts(read).await
    }

    /// Finds the match in which an account keeps a seat.
    pub async fn enter_as(
        self: &Arc<Self>,
        id: &str,
        account: AccountId,
    ) -> Result<(Arc<LiveMatch>, Viewer), LobbyError> {
        if !secrets::well_formed(id) {
            return Err(LobbyError::NotFound);
        }
        if let Some(found) = self.in_memory(id) {
            let viewer = found.keys.seat_of(account).ok_or(LobbyError::NotFound)?;
            return Ok((found, viewer));
        }
        let record = self.stored_record(id).await?;
        let viewer = super::Keys::of(&record).seat_of(account).ok_or(LobbyError::NotFound)?;
        Ok((self.find(id).await?, viewer))
    }

    /// Gives the seat of a link to an account. The link is closed, also for those who have the table open with it.
    pub async fn keep_seat(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        viewer: Viewer,
        account: AccountId,
    ) -> Result<(), LobbyError> {
        let Viewer::Seat(seat) = viewer else { return Err(LobbyError::WatchOnly) };
        let live = self.lock_current(found).await?;
        let refuse = |why: &str| Err(LobbyError::Bad(why.to_owned()));
        if live.seats.iter().any(|record| record.player.account() == Some(account)) {
            return refuse("You keep a seat in this match already.");
        }
        let Some(token) = found.keys.seat(seat).map(ToOwned::to_owned) else {
            return refuse("This seat can't be kept.");
        };
        let (id, mover) = (found.id.clone(), live.seat_to_move());
        let at = self.now();
        let keep = move |people: &dyn People| {
            people.keep_seat(&Keeping { match_id: &id, seat: seat.0, account, token: &token, mover, at })
        };
        if !self.with_accounts(keep).await? {
            return refuse("This seat can't be kept: it is the creator's, or its link has changed.");
        }
        let mut live =
            self.note_player(found, live, seat.0, Player::Account { id: account, bot: None }).await?;
        // All pages are disconnected and come back, except those whose link is gone.
        self.forget(found, &mut live);
        Ok(())
    }

    /// Gives a seat that an account keeps back to whoever has its link, and returns the token of the new link.
    pub async fn release_seat(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        account: AccountId,
    ) -> Result<String, LobbyError> {
        let live = self.lock_current(found).await?;
        let at = live.seats.iter().position(|record| record.player.account() == Some(account));
        let at = at.ok_or(LobbyError::WatchOnly)?;
        let player = match live.seats[at].player.bot() {
            Some(bot) => Player::Person.handed_to(bot),
            None => Player::Person,
        };
        let token = secrets::token()?;
        let (id, new, seat) = (found.id.clone(), token.clone(), live.seats[at].seat);
        let (to_move, owners, after) = (live.to_move(), live.is_owners_move(), player.clone());
        let release = move |store: &dyn Store| {
            // The seat changes hands first: a link to a seat that is still the account's would open nothing.
            Ok(store.set_player(&id, seat, &player, &to_move, owners)?
                && store.set_token(&id, Some(seat), &new)?)
        };
        if !self.with_store(release).await? {
            return Err(LobbyError::NotFound);
        }
        let mut live = self.note_player(found, live, seat, after).await?;
        self.forget(found, &mut live);
        Ok(token)
    }

    /// Where the journal says who plays, it says so of a seat that has changed hands in the record as well: read again, the
    /// match follows the journal.
    async fn note_player<'f>(
        self: &Arc<Self>,
        found: &'f Arc<LiveMatch>,
        live: MutexGuard<'f, Live>,
        seat: u8,
        player: Player,
    ) -> Result<MutexGuard<'f, Live>, LobbyError> {
        if !live.proceedings.has_events || live.is_over() {
            return Ok(live);
        }
        drop(live);
        self.commit(found, move |live| Ok(live.happen(TableEvent::Seat { seat, player }))).await?;
        self.lock_current(found).await
    }

    /// Lets bots play for good wherever an account still keeps a seat, because its holder has left.
    pub async fn leave_seats(self: &Arc<Self>, account: AccountId) -> Result<(), LobbyError> {
        let running =
            self.with_accounts(move |people| people.kept_seats(account, Shelf::Running, usize::MAX)).await?;
        for kept in running {
            self.leave_seat(&kept.match_id, kept.seat).await?;
        }
        let over =
            self.with_accounts(move |people| people.kept_seats(account, Shelf::Finished, usize::MAX)).await?;
        // Read again, a match shows its players by the names that they have now.
        for kept in over {
            self.close(&kept.match_id).await;
        }
        Ok(())
    }

    async fn leave_seat(self: &Arc<Self>, id: &str, seat: u8) -> Result<(), LobbyError> {
        let (player, to_move, owners) = match self.find(id).await {
            Ok(found) => {
                let mut live = self.lock_current(&found).await?;
                let bots = live.title.bots();
                let word = default_bot(&bots).unwrap_or(ANY_BOT);
                let sits = seating::sit_offered(&*live.title, word, live.table.seats().len()).is_ok();
                let player = Player::Bot(if sits { word } else { ANY_BOT }.to_owned());
                live = self.note_player(&found, live, seat, player.clone()).await?;
                if let Some(record) = live.seats.iter_mut().find(|record| record.seat == seat) {
                    record.player = player.clone();
                }
                (player, live.to_move(), live.is_owners_move())
            }
            // A match that the rules can't follow any more has nobody to move; only the seat is given up.
            Err(LobbyError::Parted { .. } | LobbyError::Unreadable(_) | LobbyError::Bad(_)) => {
                (Player::Bot(ANY_BOT.to_owned()), String::new(), false)
            }
            Err(LobbyError::NotFound) => return Ok(()),
            Err(other) => return Err(other),
        };
        let of = id.to_owned();
        self.with_store(move |store| store.set_player(&of, seat, &player, &to_move, owners)).await?;
        // Read again, the match knows who is a person, and its bot begins to play.
        self.close(id).await;
        match self.find(id).await {
            Ok(_) | Err(LobbyError::Parted { .. } | LobbyError::Unreadable(_) | LobbyError::Bad(_)) => Ok(()),
            Err(other) => Err(other),
        }
    }

    /// What the player of a seat has seen of a match, line by line.
    pub(crate) async fn seen_lines(found: &LiveMatch, seat: Seat) -> Vec<String> {
        let live = found.lock().await;
        let log = live.table.log(0, Viewer::Seat(seat));
        log.into_iter().flat_map(|entry| entry.story).map(|line| line.text).collect()
    }
}
