//! A bot at thought: what it is asked, how long it may take, and who chooses when it fails.
//!
//! A bot thinks on a thread of its own. It is asked to come to an end by a flag; one that does not heed the flag is left to
//! itself, for a thread can't be ended from outside: it no longer holds up the match nor takes a place among the thinkers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bots::{Said, Sitter};
use kernel::{LabDice, MatchDice, Seat, Table, Viewer};
use sha2::{Digest as _, Sha256};
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::thread::on_own_thread;
use super::{House, HouseError, LiveMatch};
use crate::live::Live;
use crate::opponents::bot_name;

/// So long a bot may think about one choice.
const LIMIT: Duration = Duration::from_secs(60);
/// So long it may take to answer after it was told to.
const GRACE: Duration = Duration::from_secs(5);
/// A thought that lasts longer is shown to those who wait for it.
const NOTED: Duration = Duration::from_millis(200);
/// The bot that chooses where another can't: it answers at once.
const QUICK: &str = "greedy";

/// How long the house waits for a bot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Until it is told to answer.
    pub limit: Duration,
    /// Until it is left to itself.
    pub grace: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self { limit: LIMIT, grace: GRACE }
    }
}

/// A thought that somebody waits for.
pub struct Thinking {
    /// The bot's word.
    pub bot: String,
    /// When it began.
    pub since: Instant,
    /// The revision that it is about.
    revision: u32,
    stop: Arc<AtomicBool>,
    /// Whether it has lasted so long that it is shown.
    is_noted: bool,
}

impl Thinking {
    /// Asks the bot to say what it has thought of so far.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// What a bot is asked: a position, and the dice to decide by.
pub(super) struct Question {
    pub seat: Seat,
    /// The bot's word.
    pub bot: String,
    /// The revision that the position belongs to.
    pub revision: u32,
    pub sitter: Result<Box<dyn Sitter>, String>,
    pub table: Box<dyn Table>,
    pub dice: LabDice,
    pub stop: Arc<AtomicBool>,
    /// How long it may take by the word of its owner.
    pub patience: Option<Duration>,
}

/// A bot, and what it said.
type Answer = (Box<dyn Sitter>, Said);

impl Question {
    /// What a match has to ask now; `None` where no bot is to choose.
    pub(super) fn of(live: &mut Live, match_id: &str) -> Option<Self> {
        let (seat, word) = live.bot_to_choose()?;
        let bot = word.to_owned();
        let known = live.bots.sitters.remove(&seat);
        let sitter = known.map_or_else(|| live.title.sit(&bot), Ok);
        let question = Self::about(live, match_id, seat, bot, sitter);
        // Bots go first: what the house thinks of the position can wait.
        live.outlooks.hurry();
        live.bots.thinking = Some(Thinking {
            bot: question.bot.clone(),
            since: Instant::now(),
            revision: question.revision,
            stop: Arc::clone(&question.stop),
            is_noted: false,
        });
        Some(question)
    }

    /// The same position for another bot, for one that can't be waited for.
    fn for_quick(live: &Live, match_id: &str, seat: Seat) -> Self {
        Self::about(live, match_id, seat, QUICK.to_owned(), live.title.sit(QUICK))
    }

    fn about(
        live: &Live,
        match_id: &str,
        seat: Seat,
        bot: String,
        sitter: Result<Box<dyn Sitter>, String>,
    ) -> Self {
        let steps = live.table.steps();
        let (revision, table) = (live.revision, live.table.fork(steps));
        let (stop, patience) = (Arc::default(), live.title.patience(&bot));
        Self {
            seat,
            bot,
            revision,
            sitter,
            table,
            dice: dice(&origin(live.table.dice(), match_id), steps),
            stop,
            patience,
        }
    }

    /// Lets the bot think. The error says why its answer can't be used, without the answer: it may be a secret.
    pub(super) fn think(mut self) -> Result<Answer, String> {
        let mut sitter = self.sitter?;
        let said = sitter.choose(&*self.table, &mut self.dice, &self.stop).ok_or("chose nothing")?;
        let open = self.table.why_not(Viewer::Seat(self.seat), &said.choice);
        open.map_err(|_| "chose something that can't be chosen")?;
        Ok((sitter, said))
    }

    /// Begins to think; the answer comes when it comes.
    fn begin(self) -> oneshot::Receiver<Result<Answer, String>> {
        on_own_thread("bot", move || self.think())
    }
}

/// What the dice of bots follow from: the seed where a match has one, so that such a match can be had again with its bots;
/// else the match itself.
fn origin(dice: &MatchDice, match_id: &str) -> String {
    match dice {
        MatchDice::Fair { seed: Some(seed), .. } => format!("seed {seed}"),
        _ => match_id.to_owned(),
    }
}

/// The dice of a bot: those of the same step of the same match are the same, so that its choice can be had again.
pub(super) fn dice(origin: &str, steps: usize) -> LabDice {
    let hash: [u8; 32] = Sha256::digest(format!("{origin} {steps}")).into();
    let (first, _) = hash.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    LabDice::new(u64::from_be_bytes(*first))
}

/// What a bot has thought of, and about which revision.
pub(super) struct Thought {
    pub seat: Seat,
    /// The word of the bot that was asked.
    pub bot: String,
    pub revision: u32,
    /// The bot, for messages.
    pub who: String,
    /// The bot that is to be asked again; `None` where it failed and is to be made anew.
    pub sitter: Option<Box<dyn Sitter>>,
    /// `None` where not even the quick policy has something to say.
    pub said: Option<Said>,
}

impl House {
    /// Sets how long the house waits for bots.
    #[cfg(test)]
    #[must_use]
    pub(crate) fn with_patience(mut self, limit: Duration, grace: Duration) -> Self {
        self.patience = Patience { limit, grace };
        self
    }

    /// Tells the bot of a match that thinks to answer now.
    pub async fn play_now(&self, found: &LiveMatch) -> Result<(), HouseError> {
        let live = self.of_the_house(found).await?;
        let thinking = live.thinking().ok_or_else(|| HouseError::Bad("no bot thinks just now".to_owned()))?;
        thinking.stop();
        Ok(())
    }

    /// Whether a bot thinks somewhere in the house.
    pub(super) fn bots_think(&self) -> bool {
        self.thinkers.available_permits() < self.thinker_places
    }

    /// Asks a bot; `None` when the program is about to end. There are never more at it than the machine has room for: a
    /// house full of bots that play at once must leave something for people. Where it fails the quick policy chooses.
    pub(super) async fn ask(&self, found: &LiveMatch, question: Question) -> Option<Thought> {
        let (seat, bot, revision) = (question.seat, question.bot.clone(), question.revision);
        let name = bot_name(&bot);
        let who = format!("match {}: {name} at seat {}", found.id, seat.0);
        let room = self.thinkers.acquire().await.ok()?;
        let why = match self.hear(found, question, &who).await {
            Ok((sitter, said)) => {
                let (sitter, said) = (Some(sitter), Some(said));
                return Some(Thought { seat, bot, revision, who, sitter, said });
            }
            Err(why) => why,
        };
        eprintln!("{who} {why}, so the quick policy chooses");
        let quick = {
            let live = found.lock().await;
            // Whoever has taken back meanwhile has made the answer stale anyway.
            (live.revision == revision).then(|| Question::for_quick(&live, &found.id, seat))
        };
        let mut said = None;
        if let Some(quick) = quick
            && let Ok(Ok(Ok((_, choice)))) = timeout(self.patience.grace, quick.begin()).await
        {
            said = Some(Said { why: format!("{name} {why}: the quick policy chose instead."), ..choice });
        }
        drop(room);
        Some(Thought { seat, bot, revision, who, sitter: None, said })
    }

    /// Waits for the answer of a bot, but not for ever. The error says what it did instead.
    async fn hear(&self, found: &LiveMatch, question: Question, who: &str) -> Result<Answer, String> {
        let (revision, stop) = (question.revision, Arc::clone(&question.stop));
        let limit = question.patience.map_or(self.patience.limit, |own| own + self.patience.grace);
        let broken = |_| Err("broke down".to_owned());
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
                eprintln!("{who} has thought for {seconds:.0} s and was told to answer");
                answer.unwrap_or_else(broken)
            }
            Err(_) => Err(format!("did not answer within {seconds:.0} s")),
        }
    }
}

impl Live {
    /// The thought that is waited for; not one about a position that is gone.
    pub fn thinking(&self) -> Option<&Thinking> {
        self.bots.thinking.as_ref().filter(|thinking| thinking.revision == self.revision)
    }

    /// The same, where it has lasted long enough to be shown.
    pub fn long_thinking(&self) -> Option<&Thinking> {
        self.thinking().filter(|thinking| thinking.is_noted)
    }

    /// Tells everybody that a bot thinks, if it is still about this position.
    fn note_thinking(&mut self, revision: u32) {
        if let Some(thinking) = &mut self.bots.thinking
            && thinking.revision == revision
            && self.revision == revision
        {
            thinking.is_noted = true;
            self.bots.shows_thinking = true;
            self.tell_page();
        }
    }

    /// Takes the sign of a thought away that led to nothing: a change would have done so.
    pub(super) fn clear_thinking(&mut self) {
        if self.bots.thinking.is_none() && std::mem::take(&mut self.bots.shows_thinking) {
            self.tell_page();
        }
    }
}

#[cfg(test)]
mod tests {
    use kernel::{Dice as _, Match, MatchDice, Options, Silent};

    use super::*;
    use crate::house::tests::cards::Cards;

    /// Says always the same.
    struct Stubborn(Option<&'static str>);

    impl Sitter for Stubborn {
        fn choose(&mut self, _: &dyn Table, _: &mut LabDice, _: &AtomicBool) -> Option<Said> {
            self.0.map(|says| Said { choice: says.to_owned(), why: String::new() })
        }
    }

    #[test]
    fn only_an_answer_that_the_rules_allow_counts() {
        let game = <Cards as kernel::Game>::with_options(&Options::new()).expect("the plain game");
        let mut table = Match::new(game, MatchDice::seeded(1));
        table.settle(&mut Silent);
        for (says, counts) in
            [(Some("bid 1"), true), (Some("red:1"), false), (Some("nonsense"), false), (None, false)]
        {
            let question = Question {
                seat: Seat(0),
                bot: "stubborn".to_owned(),
                revision: 1,
                sitter: Ok(Box::new(Stubborn(says))),
                table: Box::new(table.clone()),
                dice: dice("x", 2),
                stop: Arc::default(),
                patience: None,
            };
            let answer = question.think().map(|(_, said)| said.choice);
            assert_eq!(answer.as_deref().ok(), says.filter(|_| counts), "{says:?}");
            let secret = answer.err().is_some_and(|why| says.is_some_and(|says| why.contains(says)));
            assert!(!secret, "what it wanted is not told");
        }
    }

    #[test]
    fn a_bot_meets_the_same_dice_at_the_same_step() {
        let word = |id: &str, steps: usize| dice(id, steps).word();
        assert_eq!(word("abc", 7), word("abc", 7));
        assert_ne!(word("abc", 7), word("abc", 8));
        assert_ne!(word("abc", 7), word("abd", 7));
    }
}
