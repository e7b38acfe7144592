//! Bots that think at other machines.
//!
//! Only bots that search are asked there, and only for what takes time. Whoever answers there says what they would choose, and it is
//! checked here like anybody's choice. If nobody can answer, or not in time, the bot thinks here as it would have anyway.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bots::BotChoice;
use kernel::{Table, Viewer};
use tokio::time::timeout;
use tracing::warn;

use super::thinking::{NOTED, Question};
use super::{LiveMatch, Lobby};

/// Of the time that a bot may take, others may use up one part of so many.
const SHARE: u32 = 2;

/// A question to a bot at another machine.
pub struct BotQuestion {
    /// The match.
    pub match_id: String,
    /// A copy of its table, at which the bot's seat is to choose.
    pub table: Box<dyn Table>,
    /// The word for the bot.
    pub bot: String,
    /// The seed of its dice.
    pub seed: u64,
    /// Set when it is to answer now.
    pub stop: Arc<AtomicBool>,
    /// How long it may take.
    pub patience: Duration,
}

/// An answer that is on its way; `None` if there is none.
pub type Answering = Pin<Box<dyn Future<Output = Option<BotChoice>> + Send>>;

/// Others that think for bots.
pub trait Thinkers: Send + Sync {
    /// Asks them.
    fn think(&self, question: BotQuestion) -> Answering;
}

impl Lobby {
    /// The same with others that think for its bots.
    #[must_use]
    pub fn with_thinkers(mut self, thinkers: Arc<dyn Thinkers>) -> Self {
        self.elsewhere = Some(thinkers);
        self
    }

    /// Has others think, if there are any and the bot can be asked there.
    pub(super) async fn ask_elsewhere(
        &self,
        found: &LiveMatch,
        question: &mut Question,
        who: &str,
    ) -> Option<BotChoice> {
        let thinkers = self.elsewhere.as_ref()?;
        let asked = question.for_another(&found.id, self.patience.limit / SHARE)?;
        let mut answer = thinkers.think(asked);
        let thought = match timeout(NOTED, &mut answer).await {
            Ok(thought) => thought,
            Err(_) => {
                found.lock().await.note_thinking(question.revision);
                answer.await
            }
        };
        let said = thought?;
        if question.table.why_not(Viewer::Seat(question.seat), &said.choice).is_ok() {
            return Some(said);
        }
        warn!("{who}: what a worker has chosen can't be chosen here, so the bot thinks here");
        None
    }
}

impl Question {
    /// The same question for a bot at another machine, if one there can answer it.
    fn for_another(&self, match_id: &str, patience: Duration) -> Option<BotQuestion> {
        let is_own = self.patience.is_none();
        let bot = self.seated_bot.as_ref().ok().filter(|_| is_own && self.is_slow)?;
        bot.may_think_elsewhere(&*self.table).then(|| BotQuestion {
            match_id: match_id.to_owned(),
            table: self.table.fork(self.table.steps()),
            bot: self.bot.clone(),
            seed: self.seed,
            stop: Arc::clone(&self.stop),
            patience,
        })
    }
}
