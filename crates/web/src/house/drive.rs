//! The drive: while a bot is to choose, a task lets it think and makes its choice as a person's would be made.
//!
//! A bot may take its time, so it thinks about a copy of the table, on a thread of its own, while everybody else goes on
//! looking and may even take back. What it says about a position that is gone counts for nothing; what it says while the
//! match is paused is held until it goes on.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bots::{Said, Sitter};
use kernel::{LabDice, Seat, Table, Viewer};
use sha2::{Digest as _, Sha256};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::{House, HouseError, LiveMatch, Pace};
use crate::live::{Live, Pending};
use crate::seating::bot_name;

/// The bots of a match in memory.
#[derive(Default)]
pub struct Bots {
    /// Those who have chosen before, by seat: some remember what they have seen.
    sitters: HashMap<Seat, Box<dyn Sitter>>,
    /// The task that asks them.
    driver: Option<AbortHandle>,
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

    /// Lets them go: what they remember is no longer what has happened.
    pub fn forget(&mut self) {
        self.sitters.clear();
        self.held = None;
        self.one_more = false;
    }

    /// Whether a task asks them. One that broke down does not count.
    fn are_driven(&self) -> bool {
        self.driver.as_ref().is_some_and(|task| !task.is_finished())
    }
}

/// What a bot is asked: a position, and the dice to decide by.
struct Question {
    seat: Seat,
    /// The bot's word.
    bot: String,
    /// The revision that the position belongs to.
    revision: u32,
    sitter: Result<Box<dyn Sitter>, String>,
    table: Box<dyn Table>,
    dice: LabDice,
}

/// A bot, and what it said.
type Answer = (Box<dyn Sitter>, Said);

impl Question {
    /// What a match has to ask now; `None` where no bot is to choose.
    fn of(live: &mut Live, match_id: &str) -> Option<Self> {
        let (seat, word) = live.bot_to_choose()?;
        let bot = word.to_owned();
        let steps = live.table.steps();
        let sitter = match live.bots.sitters.remove(&seat) {
            Some(sitter) => Ok(sitter),
            None => live.title.sit(&bot),
        };
        let (revision, table) = (live.revision, live.table.fork(steps));
        Some(Self { seat, bot, revision, sitter, table, dice: dice(match_id, steps) })
    }

    /// Lets the bot think. The error says why its answer can't be used, without the answer: it may be a secret.
    fn think(mut self) -> Result<Answer, String> {
        let mut sitter = self.sitter?;
        let said = sitter.choose(&*self.table, &mut self.dice).ok_or("it chose nothing")?;
        let open = self.table.why_not(Viewer::Seat(self.seat), &said.choice);
        open.map_err(|_| "it chose something that can't be chosen")?;
        Ok((sitter, said))
    }
}

/// The dice of a bot: those of the same step of the same match are the same, so that its choice can be had again.
fn dice(match_id: &str, steps: usize) -> LabDice {
    let hash: [u8; 32] = Sha256::digest(format!("{match_id} {steps}")).into();
    let (first, _) = hash.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    LabDice::new(u64::from_be_bytes(*first))
}

/// What a bot has thought of, and about which revision.
struct Thought {
    seat: Seat,
    revision: u32,
    /// The bot, for messages.
    who: String,
    /// `None` where it had nothing to say that can be used.
    answer: Option<Answer>,
}

impl House {
    /// Sets how long bots wait after a change at normal pace. Tests do not need to follow.
    #[must_use]
    pub fn with_pace(mut self, normal: Duration) -> Self {
        self.normal_pace = normal;
        self
    }

    /// Begins to drive a match whose next choice is a bot's, unless that is being done or the match is paused. Called
    /// whenever a match has changed, come into memory or got another pace; the lock makes sure that there is never a second
    /// drive, nor none where one is needed.
    pub(super) fn drive(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &mut Live) {
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
                Some(question) => self.ask(&found.id, question).await,
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

    /// Asks a bot; `None` when the program is about to end. There are never more at it than the machine has room for: a
    /// house full of bots that play at once must leave something for people.
    async fn ask(&self, match_id: &str, question: Question) -> Option<Thought> {
        let (seat, revision) = (question.seat, question.revision);
        let who = format!("match {match_id}: the {} at seat {}", bot_name(&question.bot), seat.0);
        let _room = self.thinkers.acquire().await.ok()?;
        let answer = match tokio::task::spawn_blocking(move || question.think()).await {
            Ok(answer) => answer,
            Err(broken) if broken.is_panic() => Err("it broke down".to_owned()),
            Err(_) => return None,
        };
        if let Err(why) = &answer {
            eprintln!("{who} could not choose, so the first choice is taken: {why}");
        }
        Some(Thought { seat, revision, who, answer: answer.ok() })
    }

    /// Makes a bot's choice; the first that is open where it has none to give. Returns whether the drive can go on.
    async fn make_choice(self: &Arc<Self>, found: &Arc<LiveMatch>, thought: Thought) -> bool {
        let who = thought.who.clone();
        match self.commit(found, move |live| live.choose_for_bot(thought)).await {
            // A stale answer: the match has changed meanwhile or was paused, and what is to be done now is looked at afresh.
            Ok(_) | Err(HouseError::Stale { .. }) => true,
            Err(error) => {
                // The refusal of a choice names it, and it may be a secret.
                let why =
                    if let HouseError::Refused(_) = error { "refused".to_owned() } else { error.to_string() };
                eprintln!("{who} could not go on: {why}");
                false
            }
        }
    }
}

impl Live {
    /// Makes a bot's choice, or the first that is open, at the revision that the bot was asked about. Who has paused the
    /// match meanwhile wants to see nothing more: the choice is held.
    fn choose_for_bot(&mut self, thought: Thought) -> Result<Pending, HouseError> {
        self.check_revision(thought.revision)?;
        if self.bots.pace == Pace::Paused && !self.bots.one_more {
            self.bots.held = Some(thought);
            return Err(HouseError::Stale { revision: self.revision });
        }
        let Thought { seat, revision, answer, .. } = thought;
        let pending = match answer {
            Some((sitter, said)) => {
                let pending = self.choose_saying(seat, revision, &said)?;
                self.bots.sitters.insert(seat, sitter);
                pending
            }
            None => {
                let first = self.table.offers(Viewer::Seat(seat)).into_iter().next();
                let choice = first.ok_or_else(|| HouseError::Bad("nothing can be chosen".to_owned()))?.name;
                self.choose_saying(seat, revision, &Said { choice, why: String::new() })?
            }
        };
        self.bots.one_more = false;
        Ok(pending)
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
        fn choose(&mut self, _: &dyn Table, _: &mut LabDice) -> Option<Said> {
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
