//! Seats that accounts keep: taken over from a link, given up again, left to a bot for good.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::{Seat, Viewer};
use store::{AccountId, FORMER_PLAYER, Keeping, People, Player, SeatRecord, Shelf, Store, TableEvent};

use super::{LiveMatch, Lobby, LobbyError, Sender};
use crate::live::{Live, TableAct};
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

fn refuse<T>(why: &str) -> Result<T, LobbyError> {
    Err(LobbyError::Bad(why.to_owned()))
}

/// The bot that every game has.
const ANY_BOT: &str = "greedy";

impl Live {
    /// The first event in the journal of a match between several persons of whom one has an account: that they sit there.
    pub(super) fn first_event(&self) -> Option<TableEvent> {
        let kept = self.seats.iter().find(|record| record.player.account().is_some())?;
        let event = TableEvent::Seat { seat: kept.seat, player: kept.player.clone() };
        (!self.is_solo()).then_some(event)
    }

    /// Whether the journal says who has a seat. Read again, the match follows the journal, so it has to say it of every seat that
    /// changes hands from its first event on; between several persons that is when the first of them keeps a seat, so that they
    /// can be told whose turn it is.
    fn journal_says_who_keeps(&self) -> bool {
        (self.proceedings.has_events || !self.is_solo()) && !self.is_over()
    }

    /// The player of a seat when an account keeps it, if it may.
    pub(super) fn kept_by(&self, seat: Seat, account: AccountId) -> Result<Player, LobbyError> {
        if self.seats.iter().any(|record| record.player.account() == Some(account)) {
            return refuse("You keep a seat in this match already.");
        }
        if self.is_rated() && self.has_chosen(seat) {
            return refuse(
                "This match is rated, and choices were made in this seat without an account: it can't be kept now.",
            );
        }
        let record = self.seats.iter().find(|record| record.seat == seat.0);
        match record.and_then(|record| record.player.kept_by(account)) {
            Some(player) => Ok(player),
            None => refuse("This seat can't be kept: it is the creator's, or its link has changed."),
        }
    }

    /// The seat that an account keeps, and its player when it is given up, if it may be.
    fn released_by(&self, account: AccountId) -> Result<(Seat, Player), LobbyError> {
        let of = |record: &&SeatRecord| record.player.account() == Some(account);
        let record = self.seats.iter().find(of).ok_or(LobbyError::WatchOnly)?;
        if self.is_rated() {
            return refuse("A seat in a rated match can't be given to somebody else: play on, or give up.");
        }
        let player = match record.player.bot() {
            Some(bot) => Player::Person.handed_to(bot),
            None => Player::Person,
        };
        Ok((Seat(record.seat), player))
    }

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
        self.refresh(id).await?;
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
        live.kept_by(seat, account)?;
        let Some(token) = found.keys.seat(seat).map(ToOwned::to_owned) else {
            return refuse("This seat can't be kept.");
        };
        let (id, mover) = (found.id.clone(), live.seat_to_move());
        if live.journal_says_who_keeps() {
            drop(live);
            self.seat_in_journal(found, move |live| Ok((seat, live.kept_by(seat, account)?))).await?;
            // The link opens nothing any more: there is a holder.
            self.with_store(move |store| store.set_token(&id, Some(seat.0), "")).await?;
        } else {
            let at = self.now();
            let keep = move |people: &dyn People| {
                people.keep_seat(&Keeping { match_id: &id, seat: seat.0, account, token: &token, mover, at })
            };
            if !self.with_accounts(keep).await? {
                return refuse("This seat can't be kept: it is the creator's, or its link has changed.");
            }
            drop(live);
        }
        // All pages are disconnected and come back, except those whose link is gone.
        let mut live = found.lock().await;
        let seats = live.seats.clone();
        self.forget(found, &mut live);
        drop(live);
        self.tell_beside(&found.id);
        self.rest_at_table(&found.id, &seats).await;
        Ok(())
    }

    /// Gives a seat that an account keeps back to whoever has its link, and returns the token of the new link.
    pub async fn release_seat(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        account: AccountId,
    ) -> Result<String, LobbyError> {
        let live = self.lock_current(found).await?;
        let (seat, player) = live.released_by(account)?;
        let (token, id) = (secrets::token()?, found.id.clone());
        // The link comes first: as long as the seat is the account's it opens nothing.
        let (new, of) = (token.clone(), id.clone());
        if !self.with_store(move |store| store.set_token(&of, Some(seat.0), &new)).await? {
            return Err(LobbyError::NotFound);
        }
        if live.journal_says_who_keeps() {
            drop(live);
            self.seat_in_journal(found, move |live| live.released_by(account)).await?;
        } else {
            let (to_move, owners) = (live.to_move(), live.is_owners_move());
            let release = move |store: &dyn Store| store.set_player(&id, seat.0, &player, &to_move, owners);
            if !self.with_store(release).await? {
                return Err(LobbyError::NotFound);
            }
            drop(live);
        }
        let mut live = found.lock().await;
        self.forget(found, &mut live);
        self.tell_beside(&found.id);
        Ok(token)
    }

    /// Notes in the journal who has a seat now, and in the record with the same write: whatever happens afterwards, both say the
    /// same.
    pub(super) async fn seat_in_journal(
        self: &Arc<Self>,
        found: &Arc<LiveMatch>,
        who: impl FnOnce(&Live) -> Result<(Seat, Player), LobbyError> + Clone + Send + 'static,
    ) -> Result<(), LobbyError> {
        let seats = move |live: &mut Live| {
            let (seat, player) = who(live)?;
            Ok(live.happen(TableEvent::Seat { seat: seat.0, player }))
        };
        self.commit_anyhow(found, Sender::default(), seats).await.map(|_| ())
    }

    /// Lets bots play for good wherever an account still keeps a seat, because its holder has left.
    pub async fn leave_seats(self: &Arc<Self>, account: AccountId) -> Result<(), LobbyError> {
        let running =
            self.with_accounts(move |people| people.kept_seats(account, Shelf::Running, usize::MAX)).await?;
        self.withdraw_everywhere(account).await?;
        for kept in running {
            if self.ends_with_leaver(&kept.match_id, kept.seat).await? {
                continue;
            }
            self.leave_seat(&kept.match_id, kept.seat).await?;
        }
        let over =
            self.with_accounts(move |people| people.kept_seats(account, Shelf::Finished, usize::MAX)).await?;
        // Read again, a match shows its players by the names that they have now.
        for kept in over {
            self.forget_orders(&kept.match_id, kept.seat).await?;
            self.close(&kept.match_id).await;
            self.tell_beside(&kept.match_id);
        }
        Ok(())
    }

    /// Whoever leaves the house gives up their rated matches: they are lost, not left to a bot. A match whose dice wait for their
    /// number does not begin. Whether this one is over with that.
    async fn ends_with_leaver(self: &Arc<Self>, id: &str, seat: u8) -> Result<bool, LobbyError> {
        let found = match self.find(id).await {
            Ok(found) => found,
            // What can't be opened can't be lost either.
            Err(LobbyError::Store(why)) => return Err(LobbyError::Store(why)),
            Err(_) => return Ok(false),
        };
        let end = move |live: &mut Live| {
            let act = match live.owes_number(seat) && (live.seats.len() > 2 || !live.is_rated()) {
                true => TableAct::CallOff,
                false if live.is_rated() && !live.is_over() => TableAct::Resign,
                false => return Err(LobbyError::Stale { revision: live.revision }),
            };
            live.act(Seat(seat), live.revision, &act)
        };
        match self.commit_anyhow(&found, Sender::default(), end).await {
            Ok(_) => Ok(true),
            Err(LobbyError::Stale { .. } | LobbyError::Bad(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    async fn leave_seat(self: &Arc<Self>, id: &str, seat: u8) -> Result<(), LobbyError> {
        let (player, to_move, owners) = match self.find(id).await {
            Ok(found) => {
                let mut live = self.lock_current(&found).await?;
                let bots = live.title.bots();
                let word = default_bot(&bots).unwrap_or(ANY_BOT);
                let sits = seating::sit_offered(&*live.title, word, live.table.seats().len()).is_ok();
                let player = Player::Bot(if sits { word } else { ANY_BOT }.to_owned());
                if live.journal_says_who_keeps() {
                    drop(live);
                    let bot = player.clone();
                    self.seat_in_journal(&found, move |_| Ok((Seat(seat), bot))).await?;
                    live = self.lock_current(&found).await?;
                }
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
        self.forget_orders(id, seat).await?;
        let of = id.to_owned();
        self.with_store(move |store| store.set_player(&of, seat, &player, &to_move, owners)).await?;
        // Read again, the match knows who is a person, and its bot begins to play.
        self.close(id).await;
        self.tell_beside(id);
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
