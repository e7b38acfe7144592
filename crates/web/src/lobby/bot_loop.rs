//! The bot loop: while it is a bot's turn, a task lets it think and makes its choice the same way as a person's.
//!
//! A bot may take its time, so it thinks about a copy of the table on its own thread, while everybody else can look around
//! and even undo. An answer about an old position is ignored; an answer during a pause is held until the pause ends.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bots::{BotChoice, SeatedBot};
use kernel::{Seat, Table, Viewer};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tracing::warn;

use super::thinking::{BotAnswer, Question, Thinking};
use super::thread::on_own_thread;
use super::{LiveMatch, Lobby, LobbyError, Pace};
use crate::live::{Live, Pending};

/// When it is looked again whether another server still thinks for a match, or whether the database answers.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The bots of a match in memory.
#[derive(Default)]
pub struct Bots {
    /// The bots that have played so far, by seat: some remember what they have seen.
    pub(super) seated_bots: HashMap<Seat, Box<dyn SeatedBot>>,
    /// The bot loop.
    driver: Option<AbortHandle>,
    /// What the bot loop is waiting for.
    pub(super) thinking: Option<Thinking>,
    /// Whether pages show that a bot is thinking.
    pub(super) shows_thinking: bool,
    /// Their pace, and the pace before a pause.
    pub(super) pace: Pace,
    pub(super) before_pause: Pace,
    /// Whether one choice may be made during the pause.
    pub(super) one_more: bool,
    /// An answer that arrived during the pause.
    held: Option<BotAnswer>,
    /// Wakes the bot loop before its wait is over.
    pub(super) woken: Arc<Notify>,
}

impl Bots {
    /// The bots of a loaded match, at the pace stored in its record.
    pub fn at_pace(word: &str) -> Self {
        Self { pace: Pace::read(word).unwrap_or_default(), ..Self::default() }
    }

    /// Tells the bots that the game is over and drops them.
    pub fn dismiss(&mut self, table: &dyn Table) {
        let mut gone = std::mem::take(&mut self.seated_bots);
        if !gone.is_empty() {
            let end = table.fork(table.steps());
            say_farewell(move || gone.values_mut().for_each(|seated_bot| seated_bot.game_over(&*end)));
        }
        self.forget();
    }

    /// Drops the bots because their memory is out of date (after an undo), and stops a thinking one.
    pub fn forget(&mut self) {
        let gone = std::mem::take(&mut self.seated_bots);
        if !gone.is_empty() {
            say_farewell(move || drop(gone));
        }
        self.held = None;
        self.one_more = false;
        if let Some(thinking) = &self.thinking {
            thinking.stop();
        }
    }

    /// Whether the bot loop is running.
    fn are_running(&self) -> bool {
        self.driver.as_ref().is_some_and(|task| !task.is_finished())
    }
}

/// Runs on another thread, because an external program may take a second to exit.
fn say_farewell(words: impl FnOnce() + Send + 'static) {
    drop(on_own_thread("farewell", words));
}

impl Lobby {
    /// Sets how long bots wait after a change at normal pace; for tests.
    #[must_use]
    pub fn with_pace(mut self, normal: Duration) -> Self {
        self.normal_pace = normal;
        self
    }

    /// Starts the bot loop if it is a bot's turn, unless it is running or the match is paused. Called whenever a match has
    /// changed, been loaded, or got another pace or player; the lock makes sure that there is exactly one loop when one is
    /// needed.
    pub(super) fn run_bots(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &mut Live) {
        self.roll_on(found, live);
        if live.bot_to_choose().is_none() || live.bots.are_running() {
            return;
        }
        if live.bots.wait(self.normal_pace).is_some() {
            // Before the wait: should this server die meanwhile, another knows that there is a bot to go on with.
            self.want_drive(&found.id);
            let task = tokio::spawn(Arc::clone(self).let_bots_play(Arc::clone(found)));
            live.bots.driver = Some(task.abort_handle());
        }
    }

    /// Lets bots play until it is somebody else's turn, the match is paused, or it has been dropped from memory.
    async fn let_bots_play(self: Arc<Self>, found: Arc<LiveMatch>) {
        loop {
            let mut live = found.lock().await;
            live.clear_thinking();
            let is_due = live.bot_to_choose().is_some() && self.holds(&found);
            let Some(wait) = live.bots.wait(self.normal_pace).filter(|_| is_due) else {
                live.bots.driver = None;
                return;
            };
            // Nobody has to take in a change that shows nothing: who joins a march before its die is rolled, say.
            let wait = if live.shows_last_change { wait } else { Duration::ZERO };
            let rest = wait.saturating_sub(live.changed.elapsed());
            if !rest.is_zero() {
                let woken = Arc::clone(&live.bots.woken);
                drop(live);
                // If the pace has changed meanwhile, the old wait is cut short.
                let _ = tokio::time::timeout(rest, woken.notified()).await;
                continue;
            }
            if self.is_shared() && !self.drives(&found.id) {
                // Another server may think for this match: that is settled without the lock.
                let woken = Arc::clone(&live.bots.woken);
                drop(live);
                if !self.may_drive(&found.id).await {
                    let _ = tokio::time::timeout(LOOK_AGAIN, woken.notified()).await;
                    continue;
                }
                live = found.lock().await;
                if live.bot_to_choose().is_none() || !self.holds(&found) {
                    continue;
                }
            }
            let revision = live.revision;
            let held = live.bots.held.take().filter(|held| held.revision == revision);
            let question = if held.is_none() { Question::of(&self, &mut live, &found.id) } else { None };
            drop(live);
            let answer = match question {
                Some(question) => self.ask(&found, question).await,
                None => held,
            };
            let goes_on = match answer {
                Some(answer) => self.make_choice(&found, answer).await,
                None => false,
            };
            if !goes_on {
                found.lock().await.bots.driver = None;
                return;
            }
            // Let other tasks run, however fast bots play.
            tokio::task::yield_now().await;
        }
    }

    /// Makes a bot's choice, or the first legal one if it has none. Returns whether the loop can go on.
    async fn make_choice(self: &Arc<Self>, found: &Arc<LiveMatch>, answer: BotAnswer) -> bool {
        let who = answer.who.clone();
        match self.commit(found, move |live| live.choose_for_bot(answer)).await {
            // A stale answer: the match has changed or was paused meanwhile, so start again.
            Ok(_) | Err(LobbyError::Stale { .. }) => true,
            // The copy is as it was before, and the database may answer again.
            Err(LobbyError::Store(_) | LobbyError::NotReady(_)) if self.is_shared() => {
                tokio::time::sleep(LOOK_AGAIN).await;
                true
            }
            Err(error) => {
                // The error would name the choice, which may be secret.
                let why =
                    if let LobbyError::Refused(_) = error { "refused".to_owned() } else { error.to_string() };
                warn!("{who} could not go on: {why}");
                false
            }
        }
    }
}

impl Live {
    /// Makes a bot's choice, or the first legal one, at the revision that the bot was asked about. If the match was paused
    /// meanwhile the answer is held; if a person or another bot plays the seat now, it is dropped.
    fn choose_for_bot(&mut self, answer: BotAnswer) -> Result<Pending, LobbyError> {
        self.bots.thinking = None;
        self.check_revision(answer.revision)?;
        if self.bot_at(answer.seat) != Some(&answer.bot) {
            return Err(LobbyError::Stale { revision: self.revision });
        }
        if self.bots.pace == Pace::Paused && !self.bots.one_more {
            self.bots.held = Some(answer);
            return Err(LobbyError::Stale { revision: self.revision });
        }
        let BotAnswer { seat, revision, seated_bot, said, .. } = answer;
        let said = match said {
            Some(said) => said,
            None => {
                let first = self.table.offers(Viewer::Seat(seat)).into_iter().next();
                let choice =
                    first.ok_or_else(|| LobbyError::Bad("there is no legal choice".to_owned()))?.name;
                BotChoice { choice, why: String::new() }
            }
        };
        let pending = self.choose_saying(seat, revision, &said)?;
        if let Some(seated_bot) = seated_bot {
            self.bots.seated_bots.insert(seat, seated_bot);
        }
        self.bots.one_more = false;
        self.bots.shows_thinking = false;
        Ok(pending)
    }
}
