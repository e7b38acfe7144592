//! The drive: while a bot is to choose, a task lets it think and makes its choice as a person's would be made.
//!
//! A bot may take its time, so it thinks about a copy of the table, on a thread of its own, while everybody else goes on
//! looking and may even take back. What it says about a position that is gone counts for nothing; what it says while the
//! match is paused is held until it goes on.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bots::{BotChoice, SeatedBot};
use kernel::{Seat, Table, Viewer};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tracing::warn;

use super::thinking::{Question, Thinking, Thought};
use super::thread::on_own_thread;
use super::{LiveMatch, Lobby, LobbyError, Pace};
use crate::live::{Live, Pending};

/// The bots of a match in memory.
#[derive(Default)]
pub struct Bots {
    /// Those who have chosen before, by seat: some remember what they have seen.
    pub(super) seated_bots: HashMap<Seat, Box<dyn SeatedBot>>,
    /// The task that asks them.
    driver: Option<AbortHandle>,
    /// The thought that the task waits for.
    pub(super) thinking: Option<Thinking>,
    /// Whether pages show that a bot thinks.
    pub(super) shows_thinking: bool,
    /// How fast they play, and did before a pause.
    pub(super) pace: Pace,
    pub(super) before_pause: Pace,
    /// Whether one choice may be made in spite of a pause.
    pub(super) one_more: bool,
    /// What was thought of when the pause began.
    held: Option<Thought>,
    /// Wakes the task when it shall look again before its wait is over.
    pub(super) woken: Arc<Notify>,
}

impl Bots {
    /// The bots of a match that is read, at the pace that its record says.
    pub fn at_pace(word: &str) -> Self {
        Self { pace: Pace::read(word).unwrap_or_default(), ..Self::default() }
    }

    /// Lets them go, for the game is over: they hear how it ended.
    pub fn dismiss(&mut self, table: &dyn Table) {
        let mut gone = std::mem::take(&mut self.seated_bots);
        if !gone.is_empty() {
            let end = table.fork(table.steps());
            say_farewell(move || gone.values_mut().for_each(|seated_bot| seated_bot.game_over(&*end)));
        }
        self.forget();
    }

    /// Lets them go: what they remember is no longer what has happened. One that thinks need not go on.
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

    /// Whether a task asks them. One that broke down does not count.
    fn are_driven(&self) -> bool {
        self.driver.as_ref().is_some_and(|task| !task.is_finished())
    }
}

/// A program is waited for until it has ended: not where others wait for the match.
fn say_farewell(words: impl FnOnce() + Send + 'static) {
    drop(on_own_thread("farewell", words));
}

impl Lobby {
    /// Sets how long bots wait after a change at normal pace. Tests do not need to follow.
    #[must_use]
    pub fn with_pace(mut self, normal: Duration) -> Self {
        self.normal_pace = normal;
        self
    }

    /// Begins to drive a match whose next choice is a bot's, unless that is being done or the match is paused. Called
    /// whenever a match has changed, come into memory, got another pace or another player; the lock makes sure that there
    /// is never a second drive, nor none where one is needed.
    pub(super) fn run_bots(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &mut Live) {
        if live.bot_to_choose().is_none() || live.bots.are_driven() {
            return;
        }
        if live.bots.wait(self.normal_pace).is_some() {
            let task = tokio::spawn(Arc::clone(self).let_bots_play(Arc::clone(found)));
            live.bots.driver = Some(task.abort_handle());
        }
    }

    /// Lets bots choose until somebody else is to choose, the match is paused, or it has left the memory.
    async fn let_bots_play(self: Arc<Self>, found: Arc<LiveMatch>) {
        loop {
            let mut live = found.lock().await;
            live.clear_thinking();
            let is_due = live.bot_to_choose().is_some() && self.holds(&found);
            let Some(wait) = live.bots.wait(self.normal_pace).filter(|_| is_due) else {
                live.bots.driver = None;
                return;
            };
            let rest = wait.saturating_sub(live.changed.elapsed());
            if !rest.is_zero() {
                let woken = Arc::clone(&live.bots.woken);
                drop(live);
                // A pace that has changed meanwhile is not waited out.
                let _ = tokio::time::timeout(rest, woken.notified()).await;
                continue;
            }
            let revision = live.revision;
            let held = live.bots.held.take().filter(|held| held.revision == revision);
            let question = if held.is_none() { Question::of(&mut live, &found.id) } else { None };
            drop(live);
            let thought = match question {
                Some(question) => self.ask(&found, question).await,
                None => held,
            };
            let goes_on = match thought {
                Some(thought) => self.make_choice(&found, thought).await,
                None => false,
            };
            if !goes_on {
                found.lock().await.bots.driver = None;
                return;
            }
            // However fast bots play, they play among others.
            tokio::task::yield_now().await;
        }
    }

    /// Makes a bot's choice; the first that is open where it has none to give. Returns whether the drive can go on.
    async fn make_choice(self: &Arc<Self>, found: &Arc<LiveMatch>, thought: Thought) -> bool {
        let who = thought.who.clone();
        match self.commit(found, move |live| live.choose_for_bot(thought)).await {
            // A stale answer: the match has changed meanwhile or was paused, and what is to be done now is looked at afresh.
            Ok(_) | Err(LobbyError::Stale { .. }) => true,
            Err(error) => {
                // The refusal of a choice names it, and it may be a secret.
                let why =
                    if let LobbyError::Refused(_) = error { "refused".to_owned() } else { error.to_string() };
                warn!("{who} could not go on: {why}");
                false
            }
        }
    }
}

impl Live {
    /// Makes a bot's choice, or the first that is open, at the revision that the bot was asked about. Who has paused the
    /// match meanwhile wants to see nothing more: the choice is held. Who has taken the seat back, or given it to another
    /// bot, wants none of it.
    fn choose_for_bot(&mut self, thought: Thought) -> Result<Pending, LobbyError> {
        self.bots.thinking = None;
        self.check_revision(thought.revision)?;
        if self.bot_at(thought.seat) != Some(&thought.bot) {
            return Err(LobbyError::Stale { revision: self.revision });
        }
        if self.bots.pace == Pace::Paused && !self.bots.one_more {
            self.bots.held = Some(thought);
            return Err(LobbyError::Stale { revision: self.revision });
        }
        let Thought { seat, revision, seated_bot, said, .. } = thought;
        let said = match said {
            Some(said) => said,
            None => {
                let first = self.table.offers(Viewer::Seat(seat)).into_iter().next();
                let choice = first.ok_or_else(|| LobbyError::Bad("nothing can be chosen".to_owned()))?.name;
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
