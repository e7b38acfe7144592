//! Ratings follow from the rows that are written when rated matches end; the luck in them from reviews in the background.
//!
//! The rows are read in their order and taken up one by one, with what the match says about its seat; the store counts a match when
//! its last row is there. So ratings are the same however often this runs, on however many servers, and wherever it was stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kernel::Options;
use ratings::{Before, Finish, Rating};
use store::{
    Counting, Luck, MatchRecord, RatedMatch, RatedSeat, RatingBook, RatingStep, Skill, Store, StoreError,
    Tournaments,
};
use tokio::sync::watch;
use tracing::warn;

use super::{Lobby, LobbyError};
use crate::title::Title;

/// How many rows are read at a time.
const CHUNK: usize = 64;
/// The setting with the formula that the ratings were counted with.
const FORMULA_KEY: &str = "ratings_formula";
/// The number of the formula. With another one all matches are counted anew.
const FORMULA: &str = "1";
/// How deep rated matches are reviewed: luck has expectation zero at any depth.
const DEPTH: &str = "quick";
/// How often a review in the background looks whether somebody else waits.
const GLANCE: Duration = Duration::from_millis(250);

/// A store that keeps ratings and tournaments.
pub trait Contests: RatingBook + Tournaments {}

impl<T: RatingBook + Tournaments> Contests for T {}

/// What is needed to look after ratings and tournaments one at a time.
pub(super) struct Tending {
    one: tokio::sync::Mutex<()>,
    /// Whether a rated match is being reviewed.
    reviews: AtomicBool,
    /// Counts what has changed, for pages that follow it.
    pub(super) news: watch::Sender<u64>,
}

impl Default for Tending {
    fn default() -> Self {
        Self {
            one: tokio::sync::Mutex::default(),
            reviews: AtomicBool::new(false),
            news: watch::Sender::new(0),
        }
    }
}

impl Lobby {
    /// Keeps ratings and tournaments from now on.
    pub fn with_contests(mut self, contests: Arc<dyn Contests>) -> Result<Self, StoreError> {
        contests.prepare_ratings()?;
        contests.prepare_tournaments()?;
        if self.store.setting(FORMULA_KEY)?.is_none_or(|known| known != FORMULA) {
            contests.count_anew(&formula)?;
            self.store.set_setting(FORMULA_KEY, FORMULA)?;
        }
        self.contests = Some(contests);
        Ok(self)
    }

    /// Ratings and tournaments, where there are accounts.
    pub fn contests(&self) -> Option<&Arc<dyn Contests>> {
        self.contests.as_ref()
    }

    /// Runs a blocking operation on ratings or tournaments on another thread.
    pub(crate) async fn with_contest<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Contests) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, LobbyError> {
        let Some(contests) = self.contests.clone() else { return Err(LobbyError::NotFound) };
        let done = tokio::task::spawn_blocking(move || work(&*contests)).await;
        done.map_err(|_| LobbyError::Fault("Reading or writing was interrupted"))?.map_err(LobbyError::Store)
    }

    /// Tells pages that follow a tournament whenever there is something new.
    pub(crate) fn contest_news(&self) -> watch::Receiver<u64> {
        self.tending.news.subscribe()
    }

    /// Looks after ratings and tournaments soon: a match has ended.
    pub(super) fn tend_soon(self: &Arc<Self>) {
        if self.contests.is_some() {
            let lobby = Arc::clone(self);
            tokio::spawn(async move { lobby.tend_contests().await });
        }
    }

    /// Takes up what has ended, and brings tournaments on; called regularly.
    pub async fn tend_contests(self: &Arc<Self>) {
        let Some(contests) = self.contests.clone() else { return };
        {
            let _one = self.tending.one.lock().await;
            let lobby = Arc::clone(self);
            let kept = tokio::task::spawn_blocking(move || {
                keep_ratings(&*lobby.store, &*contests, &|record| setup_of(&lobby.titles, record))
            });
            match kept.await {
                Ok(Ok(0)) => {}
                Ok(Ok(_)) => self.tending.news.send_modify(|count| *count += 1),
                Ok(Err(why)) => warn!("ratings could not be kept: {why}"),
                Err(_) => warn!("keeping ratings was interrupted"),
            }
            if let Err(why) = self.run_tournaments().await {
                warn!("tournaments could not be brought on: {why}");
            }
        }
        if !self.tending.reviews.swap(true, Ordering::SeqCst) {
            let lobby = Arc::clone(self);
            tokio::spawn(async move {
                if let Err(why) = lobby.review_rated().await {
                    warn!("a rated match could not be reviewed: {why}");
                }
                lobby.tending.reviews.store(false, Ordering::SeqCst);
            });
        }
    }

    /// Reviews the newest rated matches whose luck is not known, one after the other, as long as nobody else wants a review and the
    /// server has time.
    async fn review_rated(self: &Arc<Self>) -> Result<(), LobbyError> {
        loop {
            let next = self.with_contest(|contests| contests.to_review(1)).await?.pop();
            let Some(id) = next else { return Ok(()) };
            if self.traffic.is_busy(std::time::Instant::now()) || !self.reviews.is_idle() {
                return Ok(());
            }
            let Some(luck) = self.luck_of(&id).await? else { return Ok(()) };
            self.with_contest(move |contests| contests.set_luck(&id, &luck)).await?;
            self.tending.news.send_modify(|count| *count += 1);
        }
    }

    /// How much of a result was luck, by seat; empty where no review is possible, `None` if somebody else's review comes first.
    async fn luck_of(self: &Arc<Self>, id: &str) -> Result<Option<Vec<f64>>, LobbyError> {
        let found = match self.find(id).await {
            Ok(found) => found,
            Err(LobbyError::Store(why)) => return Err(LobbyError::Store(why)),
            Err(_) => return Ok(Some(Vec::new())),
        };
        let job = match self.review(&found, DEPTH).await {
            Ok(job) => job,
            Err(LobbyError::Bad(_)) => return Ok(Some(Vec::new())),
            Err(_) => return Ok(None),
        };
        while !job.is_done() {
            if self.reviews.others_wait(&job) {
                job.stop();
                return Ok(None);
            }
            job.ask();
            tokio::time::sleep(GLANCE).await;
        }
        let luck = job.review().map(|review| review.seats.iter().map(|seat| seat.luck).collect());
        Ok(luck.or((!job.is_stopped()).then(Vec::new)))
    }
}

/// The set-up of a match, in which sides are compared.
pub(super) fn setup_of(titles: &[Arc<dyn Title>], record: &MatchRecord) -> String {
    let options: Options = serde_json::from_str(&record.options).unwrap_or_default();
    match titles.iter().find(|title| title.id() == record.game) {
        Some(title) => match title.setup_class(&options) {
            (class, rest) if rest.is_empty() => class,
            (class, rest) if class.is_empty() => rest,
            (class, rest) => format!("{class}, {rest}"),
        },
        None => record.setup.clone(),
    }
}

/// Takes up all rows that were not taken up yet, and returns how many that were.
pub(crate) fn keep_ratings(
    store: &dyn Store,
    book: &dyn RatingBook,
    setup_of: &dyn Fn(&MatchRecord) -> String,
) -> Result<usize, StoreError> {
    let mut taken = 0;
    loop {
        let rows = store.rated(book.rated_up_to()?, CHUNK)?;
        if rows.is_empty() {
            return Ok(taken);
        }
        for row in rows {
            let known = store.find(&row.match_id)?;
            match known.as_ref().and_then(|record| rated_seat(&row, record, setup_of)) {
                Some(seat) => taken += usize::from(book.take_up(&seat, &formula)?),
                // The match was removed before it was counted, or the row is not one of ours.
                None => book.pass_over(row.number)?,
            }
        }
    }
}

/// A row with what its match says about the seat.
fn rated_seat(
    row: &RatedMatch,
    record: &MatchRecord,
    setup_of: &dyn Fn(&MatchRecord) -> String,
) -> Option<RatedSeat> {
    let (word, left) = row.standing.split_once(':').unwrap_or((&row.standing, ""));
    let finish = Finish::read(word)?;
    let holds = |seat: &&store::SeatRecord| match finish {
        Finish::GaveUp => seat.seat.to_string() == left,
        _ => seat.player.account() == Some(row.account),
    };
    let seat = record.seats.iter().find(holds)?;
    Some(RatedSeat {
        number: row.number,
        match_id: row.match_id.clone(),
        account: row.account,
        at: row.at,
        game: row.game.clone(),
        players: u8::try_from(record.seats.len()).ok()?,
        setup: setup_of(record),
        seat: seat.seat,
        side: seat.word.clone(),
        standing: finish.word().to_owned(),
        step: None,
        luck: Luck::Waits,
    })
}

/// The formula, as the store asks for it.
pub(crate) fn formula(counting: &Counting<'_>) -> Option<Vec<RatingStep>> {
    let rating = |skill: Option<Skill>| {
        skill.map_or_else(Rating::default, |skill| Rating { mu: skill.mu, sigma: skill.sigma })
    };
    let seats: Option<Vec<Before>> = counting
        .seats
        .iter()
        .zip(counting.before)
        .zip(counting.side_sixths)
        .map(|((seat, before), &side_sixths)| {
            Some(Before { rating: rating(*before), finish: Finish::read(&seat.standing)?, side_sixths })
        })
        .collect();
    let seats = seats?;
    let skill = |rating: Rating| Skill { mu: rating.mu, sigma: rating.sigma };
    let steps = seats.iter().zip(ratings::count(&seats)).map(|(before, after)| RatingStep {
        before: skill(before.rating),
        after: skill(after.rating),
        offset: after.offset,
        sixths: after.sixths,
    });
    Some(steps.collect())
}
