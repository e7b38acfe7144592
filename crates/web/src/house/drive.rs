//! The drive: while a bot is to choose, a task lets it think and makes its choice as a person's would be made.
//!
//! A bot may take its time, so it thinks about a copy of the table, on a thread of its own, while everybody else goes on
//! looking and may even take back. What it says about a position that is gone counts for nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bots::Sitter;
use kernel::{LabDice, Seat, Table, Viewer};
use sha2::{Digest as _, Sha256};
use tokio::task::AbortHandle;

use super::{House, HouseError, LiveMatch};
use crate::live::{Live, Pending};
use crate::seating::bot_name;

/// So long after the last change a bot makes its choice, for people must be able to follow.
pub const PACE: Duration = Duration::from_millis(700);

/// The bots of a match in memory.
#[derive(Default)]
pub struct Bots {
    /// Those who have chosen before, by seat: some remember what they have seen.
    sitters: HashMap<Seat, Box<dyn Sitter>>,
    /// The task that asks them.
    driver: Option<AbortHandle>,
}

impl Bots {
    /// Lets them go: what they remember is no longer what has happened.
    pub fn forget(&mut self) {
        self.sitters.clear();
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

/// A bot, and the name of its choice.
type Answer = (Box<dyn Sitter>, String);

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
        let name = sitter.choose(&*self.table, &mut self.dice).ok_or("it chose nothing")?;
        let open = self.table.why_not(Viewer::Seat(self.seat), &name);
        open.map_err(|_| "it chose something that can't be chosen")?;
        Ok((sitter, name))
    }
}

/// The dice of a bot: those of the same step of the same match are the same, so that its choice can be had again.
fn dice(match_id: &str, steps: usize) -> LabDice {
    let hash: [u8; 32] = Sha256::digest(format!("{match_id} {steps}")).into();
    let (first, _) = hash.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
    LabDice::new(u64::from_be_bytes(*first))
}

impl House {
    /// Sets how long bots wait after a change. Tests do not need to follow.
    #[must_use]
    pub fn with_pace(mut self, pace: Duration) -> Self {
        self.pace = pace;
        self
    }

    /// Begins to drive a match whose next choice is a bot's, unless that is being done. Called whenever a match has
    /// changed or come into memory; the lock makes sure that there is never a second drive, nor none where one is needed.
    pub(super) fn drive(self: &Arc<Self>, found: &Arc<LiveMatch>, live: &mut Live) {
        if live.bot_to_choose().is_none() || live.bots.are_driven() {
            return;
        }
        let task = tokio::spawn(Arc::clone(self).let_bots_play(Arc::clone(found)));
        live.bots.driver = Some(task.abort_handle());
    }

    /// Lets bots choose until somebody else is to choose, or the match has left the memory.
    async fn let_bots_play(self: Arc<Self>, found: Arc<LiveMatch>) {
        loop {
            let mut live = found.lock().await;
            let rest = self.pace.saturating_sub(live.changed.elapsed());
            let is_due = live.bot_to_choose().is_some() && self.holds(&found);
            if is_due && !rest.is_zero() {
                drop(live);
                tokio::time::sleep(rest).await;
                continue;
            }
            let question = if is_due { Question::of(&mut live, &found.id) } else { None };
            let Some(question) = question else {
                live.bots.driver = None;
                return;
            };
            drop(live);
            if !self.ask(&found, question).await {
                found.lock().await.bots.driver = None;
                return;
            }
        }
    }

    /// Asks a bot and makes its choice; the first that is open where it has none to give. Returns whether the drive can
    /// go on.
    async fn ask(self: &Arc<Self>, found: &Arc<LiveMatch>, question: Question) -> bool {
        let (seat, revision) = (question.seat, question.revision);
        let who = format!("match {}: the {} at seat {}", found.id, bot_name(&question.bot), seat.0);
        let answer = match tokio::task::spawn_blocking(move || question.think()).await {
            Ok(answer) => answer,
            Err(broken) if broken.is_panic() => Err("it broke down".to_owned()),
            // The program is about to end.
            Err(_) => return false,
        };
        if let Err(why) = &answer {
            eprintln!("{who} could not choose, so the first choice is taken: {why}");
        }
        let done = self.commit(found, move |live| live.choose_for_bot(seat, revision, answer.ok())).await;
        match done {
            // A stale answer: the match has changed meanwhile, and what is to be done now is looked at afresh.
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
    /// Makes a bot's choice, or the first that is open, at the revision that the bot was asked about.
    fn choose_for_bot(
        &mut self,
        seat: Seat,
        revision: u32,
        answer: Option<Answer>,
    ) -> Result<Pending, HouseError> {
        self.check_revision(revision)?;
        let Some((sitter, name)) = answer else {
            let first = self.table.offers(Viewer::Seat(seat)).into_iter().next();
            let first = first.ok_or_else(|| HouseError::Bad("nothing can be chosen".to_owned()))?;
            return self.choose(seat, revision, &first.name);
        };
        let pending = self.choose(seat, revision, &name)?;
        self.bots.sitters.insert(seat, sitter);
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
        fn choose(&mut self, _: &dyn Table, _: &mut LabDice) -> Option<String> {
            self.0.map(str::to_owned)
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
            let answer = question.think().map(|(_, name)| name);
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
