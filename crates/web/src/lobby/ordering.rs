//! Standing orders at the tables of the house: read, changed, and their answers given when their time has come.
//!
//! Which answers wait is kept in memory only. It follows from the matches: one that is read again says anew when its answer is
//! due, and at the start all matches are read that wait for a seat with orders.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering as Memory};
use std::sync::{Arc, Mutex, PoisonError};

use kernel::{MatchError, Offer, Seat, Viewer};
use orders::Answer;
use store::{OrderBooks, StoreError, StoredAnswer, StoredBook};
use tracing::warn;

use super::thinking::Question;
use super::thread::{in_background, on_own_thread};
use super::{LiveMatch, Lobby, LobbyError};
use crate::live::{Coming, Live, LiveOrders, OrderEdit, OrderRefusal, Sealing};
use crate::pages::orders as page;

/// When an answer that could not be given is tried again.
const LATER: u64 = 10 * clocks::SECOND;
/// When it is looked again whether another server has answered.
const SOON: u64 = 2 * clocks::SECOND;
/// How many answers are given at a time.
const AT_A_TIME: usize = 32;

/// What the house knows of orders.
#[derive(Default)]
pub(super) struct Ordering {
    books: Option<Arc<dyn OrderBooks>>,
    /// Whether anybody has ever given an order here: until then nothing is read for them.
    are_used: AtomicBool,
    /// When which match has an answer.
    due: Mutex<HashMap<String, u64>>,
    /// No answer is due earlier.
    next: AtomicU64,
}

impl Lobby {
    /// Lets people give orders.
    pub fn with_orders(mut self, books: Arc<dyn OrderBooks>) -> Result<Self, StoreError> {
        // Others may give the first order at another server.
        let are_used = AtomicBool::new(self.is_shared() || books.has_orders()?);
        let next = AtomicU64::new(u64::MAX);
        self.ordering = Ordering { books: Some(books), are_used, due: Mutex::default(), next };
        Ok(self)
    }

    /// Whether orders can be given here.
    pub fn takes_orders(&self) -> bool {
        self.ordering.books.is_some()
    }

    /// Runs a blocking operation on the orders on another thread.
    async fn with_books<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn OrderBooks) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, LobbyError> {
        let Some(books) = self.ordering.books.clone() else { return Err(LobbyError::NotFound) };
        let done = tokio::task::spawn_blocking(move || work(&*books)).await;
        done.map_err(|_| LobbyError::Fault("Reading or writing was interrupted"))?.map_err(LobbyError::Store)
    }

    /// The orders of a stored match.
    pub(super) async fn stored_orders(
        &self,
        id: &str,
    ) -> Result<(Vec<(u8, StoredBook)>, Vec<(u8, StoredAnswer)>), LobbyError> {
        if !self.ordering.are_used.load(Memory::SeqCst) {
            return Ok(Default::default());
        }
        let id = id.to_owned();
        self.with_books(move |books| Ok((books.books(&id)?, books.answers(&id)?))).await
    }

    /// Keeps in mind when the answer of a match is due.
    pub(super) fn expect_answer(self: &Arc<Self>, id: &str, live: &Live) {
        let Some(coming) = live.orders.coming() else { return };
        self.put_answer_off(id, coming.at);
        self.want_drive(id);
    }

    fn put_answer_off(&self, id: &str, at: u64) {
        let mut due = self.ordering.due.lock().unwrap_or_else(PoisonError::into_inner);
        due.insert(id.to_owned(), at);
        self.ordering.next.fetch_min(at, Memory::SeqCst);
    }

    /// Reads the matches that wait for a seat with orders; called once at the start, for nobody else may come.
    pub async fn wake_orders(self: &Arc<Self>) -> Result<(), LobbyError> {
        if !self.ordering.are_used.load(Memory::SeqCst) {
            return Ok(());
        }
        for id in self.with_books(|books| books.awaiting_orders()).await? {
            if let Err(why) = self.find(&id).await {
                warn!("match {id}: its orders can't be looked at: {why}");
            }
        }
        Ok(())
    }

    /// Gives the answers that are due; called several times a second. Where nobody gives orders it neither reads nor writes.
    /// Returns how many answers were given.
    pub async fn sweep_answers(self: &Arc<Self>) -> usize {
        let now = self.now();
        if self.ordering.books.is_none() || self.ordering.next.load(Memory::SeqCst) > now {
            return 0;
        }
        let mut ready = {
            let mut due = self.ordering.due.lock().unwrap_or_else(PoisonError::into_inner);
            let ready: Vec<String> =
                due.iter().filter(|(_, at)| **at <= now).map(|(id, _)| id.clone()).collect();
            due.retain(|_, at| *at > now);
            self.ordering.next.store(due.values().copied().min().unwrap_or(u64::MAX), Memory::SeqCst);
            ready
        };
        ready.sort_unstable();
        let mut given = 0;
        for some in ready.chunks(AT_A_TIME) {
            let tasks = some.iter().map(|id| {
                let (lobby, id) = (Arc::clone(self), id.clone());
                tokio::spawn(async move { lobby.answer_or_put_off(&id).await })
            });
            for task in tasks.collect::<Vec<_>>() {
                given += usize::from(task.await.unwrap_or(false));
            }
        }
        given
    }

    async fn answer_or_put_off(self: &Arc<Self>, id: &str) -> bool {
        if !self.may_drive(id).await {
            // Another server answers, unless it is silent for too long.
            self.put_answer_off(id, self.now() + SOON);
            return false;
        }
        match self.answer_by_order(id).await {
            Ok(is_given) => is_given,
            Err(LobbyError::NotFound) => false,
            Err(why) => {
                // The reason would name the choice, which may be secret.
                let why =
                    if let LobbyError::Refused(_) = why { "refused".to_owned() } else { why.to_string() };
                warn!("match {id}: an order could not answer: {why}");
                self.put_answer_off(id, self.now() + LATER);
                false
            }
        }
    }

    /// Gives the answer of a match if it is due. Returns whether it did.
    async fn answer_by_order(self: &Arc<Self>, id: &str) -> Result<bool, LobbyError> {
        let found = self.find(id).await?;
        let (coming, choice, question) = {
            let live = found.lock().await;
            if !self.holds(&found) {
                return Ok(false);
            }
            let Some(coming) = live.orders.coming().filter(|coming| coming.at <= self.now()).cloned() else {
                self.expect_answer(id, &live);
                return Ok(false);
            };
            let choice = match &coming.answer {
                Answer::Name(name) => Some(name.clone()),
                Answer::Usual => live.table.default_choice(Viewer::Seat(coming.seat)),
            };
            // What the game would do by itself, where it has no answer at hand, is what its quick policy does.
            let question = choice.is_none().then(|| Question::for_quick(&live, id, coming.seat));
            (coming, choice, question)
        };
        let choice = match (choice, question) {
            (Some(choice), _) => choice,
            (None, Some(question)) => {
                let thought = on_own_thread("order", move || question.think()).await;
                let failed = |_| LobbyError::Fault("An order could not be thought about");
                thought.map_err(failed)?.map_err(|_| LobbyError::Fault("An order found no answer"))?.1.choice
            }
            (None, None) => return Ok(false),
        };
        let tried = coming.clone();
        match self.commit(&found, move |live| live.choose_by_order(&tried, &choice)).await {
            Ok(_) => Ok(true),
            Err(LobbyError::Stale { .. }) => Ok(false),
            Err(LobbyError::Refused(why)) => {
                // Its owner knows the order by its words: the raw name of the choice would tell them nothing.
                let why = match why {
                    MatchError::Refused { refusal, .. } => refusal.to_string(),
                    other => other.to_string(),
                };
                self.stop_order(&found, &coming, &why).await?;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Stops an order whose answer was refused.
    async fn stop_order(
        self: &Arc<Self>,
        found: &LiveMatch,
        coming: &Coming,
        why: &str,
    ) -> Result<(), LobbyError> {
        let mut live = found.lock().await;
        match live.refuse_order(coming, why).filter(|_| self.holds(found)) {
            Some((orders, stored)) => self.put_orders(found, &mut live, coming.seat, orders, stored).await,
            None => Ok(()),
        }
    }

    /// Changes the orders of a seat. Nobody but the seat's own pages hears of it.
    pub async fn edit_orders(
        self: &Arc<Self>,
        found: &LiveMatch,
        seat: Seat,
        edit: OrderEdit,
    ) -> Result<(), OrderRefusal> {
        if !self.takes_orders() {
            return Err(LobbyError::NotFound.into());
        }
        let mut live = found.lock().await;
        if !self.holds(found) {
            return Err(LobbyError::Stale { revision: live.revision }.into());
        }
        let (orders, stored) = live.edit_orders(seat, &edit)?;
        Ok(self.put_orders(found, &mut live, seat, orders, stored).await?)
    }

    /// What a seat could choose in secret before it is asked, with the rule of the question.
    async fn ahead(&self, found: &LiveMatch, seat: Seat) -> Result<(u32, String, Vec<Offer>), LobbyError> {
        if !self.takes_orders() {
            return Err(LobbyError::NotFound);
        }
        let _waiting = self.waiting_films.try_acquire().map_err(|_| {
            LobbyError::NotReady("Many people are looking: try again in a few seconds.".to_owned())
        })?;
        let place = Arc::clone(&self.films).acquire_owned().await.map_err(|_| LobbyError::Closing)?;
        let ahead = found.lock().await.ahead(seat)?;
        let look = move || {
            // The place belongs to the thread: it is free when the thread has ended.
            let _place = place;
            let offers = ahead.offers();
            (ahead.revision, ahead.rule().to_owned(), offers)
        };
        in_background("ahead", look)
            .await
            .map_err(|_| LobbyError::Fault("What you could choose was not found"))
    }

    /// What a seat could choose in secret before it is asked; none if it will not be asked.
    pub async fn sealable(&self, found: &LiveMatch, seat: Seat) -> Result<Vec<Offer>, LobbyError> {
        self.ahead(found, seat).await.map(|(_, _, offers)| offers)
    }

    /// Seals a choice of a seat. Nobody but the seat's own pages hears of it.
    pub async fn seal(
        self: &Arc<Self>,
        found: &LiveMatch,
        seat: Seat,
        choice: &str,
    ) -> Result<(), OrderRefusal> {
        let (revision, rule, offers) = self.ahead(found, seat).await?;
        let Some(offer) = offers.into_iter().find(|offer| offer.name == choice) else {
            return Err(LobbyError::Bad("This is no choice that you could make there.".to_owned()).into());
        };
        let sealing = Sealing { revision, rule, choice: offer.name, label: offer.label };
        let mut live = found.lock().await;
        if !self.holds(found) {
            return Err(LobbyError::Stale { revision: live.revision }.into());
        }
        let (orders, stored) = live.seal(seat, &sealing)?;
        Ok(self.put_orders(found, &mut live, seat, orders, stored).await?)
    }

    /// Stores how orders stand and puts them into force: under the lock, so that the later of two changes is also the one
    /// that is stored.
    async fn put_orders(
        self: &Arc<Self>,
        found: &LiveMatch,
        live: &mut Live,
        seat: Seat,
        mut orders: LiveOrders,
        stored: StoredBook,
    ) -> Result<(), LobbyError> {
        self.check_reached()?;
        let id = found.id.clone();
        if !self.with_books(move |books| books.put_book(&id, seat.0, &stored)).await? {
            // The match was removed, or its player has changed the orders at another server.
            self.forget(found, live);
            return Err(LobbyError::Stale { revision: live.revision });
        }
        self.ordering.are_used.store(true, Memory::SeqCst);
        orders.note_written_book(seat);
        live.orders = orders;
        self.tell_beside(&found.id);
        self.expect_answer(&found.id, live);
        let viewer = Viewer::Seat(seat);
        live.publish_own_part(viewer, page::part(live, viewer));
        Ok(())
    }

    /// When an order will answer for a seat, if one will: whoever tells people that it is their turn can wait until then.
    pub async fn answers_at(self: &Arc<Self>, id: &str, seat: Seat) -> Option<u64> {
        let found = self.find(id).await.ok()?;
        let live = found.lock().await;
        live.orders.coming().filter(|coming| coming.seat == seat).map(|coming| coming.at)
    }

    /// Removes all that the orders of a seat say, because its player has left for good.
    pub(super) async fn forget_orders(&self, id: &str, seat: u8) -> Result<(), LobbyError> {
        if !self.ordering.are_used.load(Memory::SeqCst) {
            return Ok(());
        }
        let id = id.to_owned();
        self.with_books(move |books| books.forget_book(&id, seat)).await.map(|_| ())
    }
}

impl Live {
    /// Shows the orders of each seat to its own pages.
    pub(super) fn publish_orders(&mut self) {
        for seat in 0..self.table.seats().len() {
            let viewer = Viewer::Seat(Seat(seat as u8));
            if self.orders.concern(viewer) {
                self.publish_own_part(viewer, page::part(self, viewer));
            }
        }
    }
}
