//! A thinking bot: the question, the time limit, and the replacement when it fails.
//!
//! A bot thinks on its own thread. A flag asks it to answer; one that ignores the flag is abandoned, because a thread can't be
//! stopped from outside. It then no longer blocks the match or takes the place of another bot.

use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use bots::{BotChoice, SeatedBot};
use kernel::{LabDice, MatchDice, Seat, Table, Viewer};
use sha2::{Digest as _, Sha256};
use tokio::time::timeout;
use tracing::warn;

use super::thread::{ThreadError, in_background, on_own_thread};
use super::{LiveMatch, Lobby, LobbyError, QUICK_PLACES};
use crate::live::Live;
use crate::opponents::bot_name;

/// How long a bot may think about one choice.
const LIMIT: Duration = Duration::from_secs(60);
/// How long it may take to answer after being asked to.
const GRACE: Duration = Duration::from_secs(5);
/// Thinking that takes longer than this is shown on the page.
pub(super) const NOTED: Duration = Duration::from_millis(200);
/// The bot that replaces one that failed; it answers at once.
const QUICK: &str = "greedy";
/// Why a program that has failed is not asked any more.
const GIVEN_UP: &str = "has failed before and is not asked any more";

/// How long the server waits for a bot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Until it is asked to answer.
    pub limit: Duration,
    /// Until it is abandoned.
    pub grace: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { limit: LIMIT, grace: GRACE }
    }
}

/// A bot that is thinking.
pub struct Thinking {
    /// The bot's name in seats.
    pub bot: String,
    /// When it started.
    pub since: Instant,
    /// The revision that it thinks about.
    revision: u32,
    stop: Arc<AtomicBool>,
    /// Whether it has taken long enough to be shown.
    is_noted: bool,
}

impl Thinking {
    /// Asks the bot to answer now.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A question to a bot: a position, and dice for its random choices.
pub(super) struct Question {
    pub seat: Seat,
    /// The bot's name in seats.
    pub bot: String,
    /// The revision that the position belongs to.
    pub revision: u32,
    pub seated_bot: Result<Box<dyn SeatedBot>, String>,
    pub table: Box<dyn Table>,
    /// The seed of its dice.
    pub seed: u64,
    pub stop: Arc<AtomicBool>,
    /// Its own time limit, if it is an external program.
    pub patience: Option<Duration>,
    /// Whether it may take its time.
    pub is_slow: bool,
}

/// A bot and its choice.
type Answer = (Box<dyn SeatedBot>, BotChoice);

/// A bot at work on its own thread. The inner error says why its answer can't be used.
type Thought = Pin<Box<dyn Future<Output = Result<Result<Answer, String>, ThreadError>> + Send>>;

impl Question {
    /// The question of a match; `None` if it is not a bot's turn. A program that was given up is not started again.
    pub(super) fn of(lobby: &Lobby, live: &mut Live, match_id: &str) -> Option<Self> {
        let (seat, word) = live.bot_to_choose()?;
        let bot = word.to_owned();
        let known = live.bots.seated_bots.remove(&seat);
        let seated_bot = match known {
            _ if lobby.has_given_up(match_id, seat, &bot) => Err(GIVEN_UP.to_owned()),
            Some(known) => Ok(known),
            None => live.title.sit(&bot),
        };
        let question = Self::about(live, match_id, seat, bot, seated_bot);
        // Bots go first: the analysis can wait.
        live.win_chance_tasks.hurry();
        live.bots.thinking = Some(Thinking {
            bot: question.bot.clone(),
            since: Instant::now(),
            revision: question.revision,
            stop: Arc::clone(&question.stop),
            is_noted: false,
        });
        Some(question)
    }

    /// The same question for the replacement of a bot that failed.
    pub(super) fn for_quick(live: &Live, match_id: &str, seat: Seat) -> Self {
        Self::about(live, match_id, seat, QUICK.to_owned(), live.title.sit(QUICK))
    }

    fn about(
        live: &Live,
        match_id: &str,
        seat: Seat,
        bot: String,
        seated_bot: Result<Box<dyn SeatedBot>, String>,
    ) -> Self {
        let steps = live.table.steps();
        let (revision, table) = (live.revision, live.table.fork(steps));
        let (stop, patience) = (Arc::default(), live.title.patience(&bot));
        Self {
            seat,
            is_slow: seated_bot.is_ok() && live.title.is_slow(&bot),
            bot,
            revision,
            seated_bot,
            table,
            seed: seed(&origin(live.table.dice(), match_id), steps),
            stop,
            patience,
        }
    }

    /// Lets the bot think. The error says why its answer can't be used, without the answer, which may be secret.
    pub(super) fn think(self) -> Result<Answer, String> {
        let (mut seated_bot, mut dice) = (self.seated_bot?, LabDice::new(self.seed));
        let said = seated_bot.choose(&*self.table, &mut dice, &self.stop).ok_or("chose nothing")?;
        let open = self.table.why_not(Viewer::Seat(self.seat), &said.choice);
        open.map_err(|_| "made an illegal choice")?;
        Ok((seated_bot, said))
    }

    /// Starts thinking on another thread. A search steps back behind everything that takes a moment only.
    fn begin(self) -> Thought {
        if self.is_slow {
            Box::pin(in_background("bot", move || self.think()))
        } else {
            Box::pin(on_own_thread("bot", move || self.think()))
        }
    }
}

/// The seed for the bots' dice: from the match's seed if it has one, so that the whole match is repeatable; otherwise from its
/// id.
fn origin(dice: &MatchDice, match_id: &str) -> String {
    match dice {
        MatchDice::Fair { seed: Some(seed), .. } => format!("seed {seed}"),
        _ => match_id.to_owned(),
    }
}

/// The seed of a bot's dice: the same for the same step of the same match, so that its choice is repeatable.
fn seed(origin: &str, steps: usize) -> u64 {
    let hash: [u8; 32] = Sha256::digest(format!("{origin} {steps}")).into();
    let (first, _) = hash.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    u64::from_be_bytes(*first)
}

/// A bot's answer, and the revision it is about.
pub(super) struct BotAnswer {
    pub seat: Seat,
    /// The bot that was asked.
    pub bot: String,
    pub revision: u32,
    /// The bot, for messages.
    pub who: String,
    /// The bot, for its next turn; `None` if it failed and must be created again.
    pub seated_bot: Option<Box<dyn SeatedBot>>,
    /// The choice; `None` if not even the quick policy made one.
    pub said: Option<BotChoice>,
}

impl Lobby {
    /// Sets the time limits for bots.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn with_patience(mut self, limit: Duration, grace: Duration) -> Self {
        self.patience = Patience { limit, grace };
        self
    }

    /// Asks the thinking bot of a match to answer now.
    pub async fn play_now(&self, found: &LiveMatch) -> Result<(), LobbyError> {
        let live = self.lock_current(found).await?;
        let thinking =
            live.thinking().ok_or_else(|| LobbyError::Bad("No bot is thinking right now.".to_owned()))?;
        thinking.stop();
        Ok(())
    }

    /// Whether any bot is thinking.
    pub(super) fn bots_think(&self) -> bool {
        self.thinkers.available_permits() < self.thinker_places
            || self.quick_thinkers.available_permits() < QUICK_PLACES
    }

    /// Whether a program in a seat has failed for good. The server remembers it as long as it runs.
    fn has_given_up(&self, match_id: &str, seat: Seat, bot: &str) -> bool {
        let given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.get(&(match_id.to_owned(), seat)).is_some_and(|failed| failed == bot)
    }

    /// Notes that a program in a seat has failed for good: to start it again for every choice would help nobody.
    fn give_up(&self, match_id: &str, seat: Seat, bot: &str) {
        let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
        given_up.insert((match_id.to_owned(), seat), bot.to_owned());
    }

    /// Lets a program play a seat again, because somebody has handed the seat over anew.
    pub(super) fn give_another_chance(&self, match_id: &str, seat: Seat) {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner).remove(&(match_id.to_owned(), seat));
    }

    /// Asks a bot; `None` when the server is shutting down. The number of thinking bots is limited, so that a server full of
    /// bots still has time for people. If the bot fails, the quick policy chooses.
    pub(super) async fn ask(&self, found: &LiveMatch, mut question: Question) -> Option<BotAnswer> {
        let (seat, bot, revision) = (question.seat, question.bot.clone(), question.revision);
        let name = bot_name(&bot);
        let who = format!("match {}: {name} at seat {}", found.id, seat.0);
        if let Some(said) = self.ask_elsewhere(found, &mut question, &who).await {
            let (seated_bot, said) = (question.seated_bot.ok(), Some(said));
            return Some(BotAnswer { seat, bot, revision, who, seated_bot, said });
        }
        let thinkers = if question.is_slow { &self.thinkers } else { &self.quick_thinkers };
        let room = thinkers.acquire().await.ok()?;
        let (is_program, stop) = (question.patience.is_some(), Arc::clone(&question.stop));
        let why = match self.wait_for(found, question, &who).await {
            Ok((seated_bot, said)) => {
                let (seated_bot, said) = (Some(seated_bot), Some(said));
                return Some(BotAnswer { seat, bot, revision, who, seated_bot, said });
            }
            Err(why) => why,
        };
        // A program that was told to stop has not failed.
        if is_program && !stop.load(Ordering::Relaxed) {
            self.give_up(&found.id, seat, &bot);
        }
        if why != GIVEN_UP {
            warn!("{who} {why}, so the quick policy chooses instead");
        }
        let quick = {
            let live = found.lock().await;
            // After an undo the answer is stale anyway.
            (live.revision == revision).then(|| Question::for_quick(&live, &found.id, seat))
        };
        let mut said = None;
        if let Some(quick) = quick
            && let Ok(Ok(Ok((_, choice)))) = timeout(self.patience.grace, quick.begin()).await
        {
            said =
                Some(BotChoice { why: format!("{name} {why}: the quick policy chose instead."), ..choice });
        }
        drop(room);
        Some(BotAnswer { seat, bot, revision, who, seated_bot: None, said })
    }

    /// Waits for a bot's answer with a time limit. The error says what went wrong.
    async fn wait_for(&self, found: &LiveMatch, question: Question, who: &str) -> Result<Answer, String> {
        let (revision, stop) = (question.revision, Arc::clone(&question.stop));
        let limit = question.patience.map_or(self.patience.limit, |own| own + self.patience.grace);
        let broken = |why: ThreadError| {
            warn!("{who} broke down: {why}");
            Err("broke down".to_owned())
        };
        let mut answer = question.begin();
        if let Ok(answer) = timeout(NOTED.min(limit), &mut answer).await {
            return answer.unwrap_or_else(broken);
        }
        found.lock().await.note_thinking(revision);
        if let Ok(answer) = timeout(limit, &mut answer).await {
            return answer.unwrap_or_else(broken);
        }
        stop.store(true, Ordering::Relaxed);
        let seconds = limit.as_secs_f32();
        match timeout(self.patience.grace, answer).await {
            Ok(answer) => {
                warn!("{who} has thought for {seconds:.0} s and was asked to answer now");
                answer.unwrap_or_else(broken)
            }
            Err(_) => Err(format!("did not answer within {seconds:.0} s")),
        }
    }
}

impl Live {
    /// The bot that is thinking about the current position.
    pub fn thinking(&self) -> Option<&Thinking> {
        self.bots.thinking.as_ref().filter(|thinking| thinking.revision == self.revision)
    }

    /// The thinking bot, if it has taken long enough to be shown.
    pub fn long_thinking(&self) -> Option<&Thinking> {
        self.thinking().filter(|thinking| thinking.is_noted)
    }

    /// Shows everybody that a bot is thinking, if it still is.
    pub(super) fn note_thinking(&mut self, revision: u32) {
        if let Some(thinking) = &mut self.bots.thinking
            && thinking.revision == revision
            && self.revision == revision
        {
            thinking.is_noted = true;
            self.bots.shows_thinking = true;
            self.publish_page();
        }
    }

    /// Hides the thinking sign of a bot whose answer was not used.
    pub(super) fn clear_thinking(&mut self) {
        if self.bots.thinking.is_none() && std::mem::take(&mut self.bots.shows_thinking) {
            self.publish_page();
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Discard, Match, MatchDice, Options};

    use super::*;
    use crate::lobby::tests::cards::Cards;

    /// A bot that always gives the same answer.
    struct Stubborn(Option<&'static str>);

    impl SeatedBot for Stubborn {
        fn choose(&mut self, _: &dyn Table, _: &mut LabDice, _: &AtomicBool) -> Option<BotChoice> {
            self.0.map(|says| BotChoice { choice: says.to_owned(), why: String::new() })
        }
    }

    #[test]
    fn only_an_answer_that_the_rules_allow_counts() {
        let game = <Cards as kernel::Game>::with_options(&Options::new()).expect("the plain game");
        let mut table = Match::new(game, MatchDice::seeded(1));
        table.play_forced(&mut Discard);
        for (says, counts) in
            [(Some("bid 1"), true), (Some("red:1"), false), (Some("nonsense"), false), (None, false)]
        {
            let question = Question {
                seat: Seat(0),
                bot: "stubborn".to_owned(),
                revision: 1,
                seated_bot: Ok(Box::new(Stubborn(says))),
                table: Box::new(table.clone()),
                seed: seed("x", 2),
                stop: Arc::default(),
                patience: None,
                is_slow: false,
            };
            let answer = question.think().map(|(_, said)| said.choice);
            assert_eq!(answer.as_deref().ok(), says.filter(|_| counts), "{says:?}");
            let secret = answer.err().is_some_and(|why| says.is_some_and(|says| why.contains(says)));
            assert!(!secret, "what it wanted is not told");
        }
    }

    #[test]
    fn a_bot_meets_the_same_dice_at_the_same_step() {
        assert_eq!(seed("abc", 7), seed("abc", 7));
        assert_ne!(seed("abc", 7), seed("abc", 8));
        assert_ne!(seed("abc", 7), seed("abd", 7));
    }
}
