//! A match without its type: what the server, the protocol and the terminal hold.
//!
//! One blanket implementation serves every game.

use std::any::Any;
use std::ops::Range;

use serde_json::Value;

use crate::dice::{LabDice, Secret};
use crate::digest::StateDigest;
use crate::event::{Discard, LogLine, Recorder};
use crate::game::{CompleteGame, Options};
use crate::matches::{Match, MatchDice, MatchError, Step, Undo};
use crate::query::Answer;
use crate::save::SecretPolicy;
use crate::seat::{Actor, Mover, ResultInfo, Seat, SeatInfo, SeatSet, Viewer};
use crate::shares::Shares;
use crate::wording::{Prompt, Refusal};

/// A choice that is open now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// Its stable name.
    pub name: String,
    /// The choice in words.
    pub label: String,
    /// For Fate: how many of [`Table::tickets`] it has. For a seat: 0.
    pub weight: u32,
}

/// A choice that a person would look for and can't have now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedOffer {
    /// Its stable name.
    pub name: String,
    /// Its label, for people.
    pub label: String,
    /// Why not.
    pub refusal: Refusal,
}

/// A line of the log as one viewer may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEntry {
    /// Number of the step, from 1.
    pub step: usize,
    /// The turn in which it was made.
    pub turn: u16,
    /// Who chose.
    pub actor: Actor,
    /// Whether it was the only choice; hidden from others while the game hides something.
    pub forced: bool,
    /// The choice, or `None` where it is hidden from the viewer.
    pub name: Option<String>,
    /// The bot's reason; hidden from others while the game hides something, because it may betray a hand.
    pub remark: Option<String>,
    /// What it led to, in words.
    pub story: Vec<LogLine>,
}

/// A story as one viewer may see it.
#[derive(Clone, Debug)]
pub struct Story {
    /// The viewer.
    pub viewer: Viewer,
    /// The lines in order.
    pub lines: Vec<LogLine>,
}

impl Story {
    /// An empty story for a viewer.
    pub fn for_viewer(viewer: Viewer) -> Self {
        Self { viewer, lines: Vec::new() }
    }
}

/// Names of choices in one reused buffer.
#[derive(Clone, Debug, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    /// How many names there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The n-th name, from 0.
    pub fn get(&self, n: usize) -> &str {
        let start = if n == 0 { 0 } else { self.ends[n - 1] };
        &self.text[start..self.ends[n]]
    }

    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|n| self.get(n))
    }
}

/// A match of some game.
///
/// Whatever is shown takes a viewer and keeps what that viewer may not know. Only [`offer_names`](Self::offer_names) and
/// [`save`](Self::save) are the referee's own.
pub trait Table: Any + Send {
    /// The word for the game.
    fn game_id(&self) -> &'static str;
    /// The game's title.
    fn game_title(&self) -> &'static str;
    /// The rules version that plays.
    fn rules_version(&self) -> &'static str;
    /// The version of the rules under which the match was started, and which it keeps where the game can.
    fn begun_under(&self) -> &str;
    /// The options of the set-up.
    fn options(&self) -> Options;
    /// The seats in order.
    fn seats(&self) -> &[SeatInfo];
    /// Sets the seats that people play; bots play the others.
    fn seat_persons(&mut self, persons: SeatSet);
    /// Who rolls.
    fn dice(&self) -> &MatchDice;
    /// Sets what the players put into the dice; see [`Match::share_dice`].
    fn share_dice(&mut self, of: Shares) -> bool;
    /// Who chooses next.
    fn mover(&self) -> Mover;
    /// The number of choices in the log.
    fn steps(&self) -> usize;
    /// How often an undo went past a draw of Fate.
    fn takebacks(&self) -> u32;
    /// The digest of the position; `None` while the game has hidden information.
    fn digest(&self) -> Option<StateDigest>;
    /// The digests of the positions after the steps of a range (counted from 0); `None` while the game has hidden
    /// information.
    fn digests(&self, range: Range<usize>) -> Option<Vec<StateDigest>>;
    /// The turn.
    fn turn(&self) -> u16;
    /// A turn in words.
    fn turn_title(&self, turn: u16) -> String;
    /// The question to the mover; for other viewers, whom the match is waiting for.
    fn prompt(&self, viewer: Viewer) -> Prompt;
    /// How the game ended; `None` while it goes on.
    fn result(&self) -> Option<ResultInfo>;
    /// The number of equally likely tickets in Fate's draw; 0 when it is a seat's turn.
    fn tickets(&self) -> u32;
    /// The legal choices with labels: for the seat to move, and for everybody when Fate draws and nothing is hidden. Empty
    /// for others.
    fn offers(&self, viewer: Viewer) -> Vec<Offer>;
    /// Only the names of the legal choices, into a reused buffer. It ignores hidden information, so it is for referees only.
    fn offer_names(&mut self, names: &mut Names);
    /// The name of the default choice, if there is one.
    fn default_choice(&self, viewer: Viewer) -> Option<String>;
    /// Choices that a player might look for but that are illegal now, with the reasons.
    fn closed(&self, viewer: Viewer) -> Vec<ClosedOffer>;
    /// Why the named choice is illegal now; `Ok` if it is legal. Only the seat to move may ask.
    fn why_not(&self, by: Viewer, name: &str) -> Result<(), MatchError>;
    /// Makes a player's choice; its log lines are added to `story`.
    fn play(&mut self, by: Seat, name: &str, story: Option<&mut Story>) -> Result<(), MatchError>;
    /// Makes a player's choice, or enters a person's own dice, by its number among [`offer_names`](Self::offer_names), from 0:
    /// the quick way for programs, without any text.
    fn play_nth(&mut self, nth: usize, story: Option<&mut Story>) -> Result<(), MatchError>;
    /// How many choices there are now. For the referee, as [`offer_names`](Self::offer_names) is.
    fn offer_count(&mut self) -> usize;
    /// Makes Fate's choice: drawn, or as entered with own dice.
    fn fate(&mut self, shown: Option<&str>, story: Option<&mut Story>) -> Result<(), MatchError>;
    /// Rolls fair dice and plays forced choices; see [`Match::play_forced`].
    fn play_forced(&mut self, story: Option<&mut Story>);
    /// Plays the choices that another copy of this match has logged since; see [`Match::follow`].
    fn follow(&mut self, lines: &str, story: Option<&mut Story>) -> Result<(), String>;
    /// Records why the choice of a step (counted from 0) was made; see [`Match::remark`].
    fn remark(&mut self, step: usize, text: &str);
    /// Undoes decisions and returns how many steps were removed.
    fn undo(&mut self, by: Seat, scope: Undo) -> Result<usize, MatchError>;
    /// What an undo would lead to that the others agree to; see [`Match::agreed_undo_target`].
    fn agreed_undo_target(&self, by: Seat, scope: Undo) -> Result<(usize, bool), MatchError>;
    /// Undoes everything after the first `steps` steps; see [`Match::undo_to`].
    fn undo_to(&mut self, steps: usize);
    /// The view as JSON.
    fn view(&self, viewer: Viewer) -> Value;
    /// The view as text.
    fn picture(&self, viewer: Viewer) -> String;
    /// The view as numbers, for learning programs; empty where a game has none. See
    /// [`Judgement::features`](crate::Judgement::features).
    fn features(&self, viewer: Viewer) -> Vec<f32>;
    /// The names of the features.
    fn feature_names(&self) -> Vec<String>;
    /// The actions of a seat's [offers](Self::offers), in their order; `None` for a choice that has none. See
    /// [`Judgement::open_action`](crate::Judgement::open_action).
    fn offered_actions(&self, viewer: Viewer) -> Vec<Option<usize>>;
    /// The log from step `from` (counted from 0) on, as a viewer may see it.
    fn log(&self, from: usize, viewer: Viewer) -> Vec<LogEntry> {
        self.log_range(from..self.steps(), viewer)
    }
    /// Some steps of the log (counted from 0), as a viewer may see them. Costs what these steps cost.
    fn log_range(&self, range: Range<usize>, viewer: Viewer) -> Vec<LogEntry>;
    /// The step (counted from 0) at which the action of a step begins; see [`Match::actions`].
    fn action_start(&self, step: usize) -> usize;
    /// How many steps there were after the last decision of a seat, or, for spectators, of any seat; 0 before the first.
    fn last_decision(&self, viewer: Viewer) -> usize;
    /// The turn of the position after the first `steps` choices.
    fn turn_at(&self, steps: usize) -> u16;
    /// How many choices had been made when the previous turn began, but at most `most` fewer than now.
    fn last_turns_from(&self, most: usize) -> usize;
    /// Whether the match still has hidden information.
    fn hides(&self) -> bool;
    /// The questions that apply now.
    fn questions(&self, viewer: Viewer) -> Vec<String>;
    /// Answers a question.
    fn answer(&self, question: &str, viewer: Viewer) -> Result<Answer, String>;
    /// The save file. Without the secret it is refused while the match has hidden information.
    fn save(&self, policy: SecretPolicy) -> Result<String, MatchError>;
    /// The first part of a save, which never changes during the match. It contains the secret of the dice.
    fn head(&self) -> String;
    /// The same without the secret, for somebody who is to know the match but not its future dice.
    fn head_without_secret(&self) -> String;
    /// The lines of a save for the choices from step `from` (counted from 0) on, hidden information included. The cost
    /// depends on those choices only.
    fn write_log(&self, from: usize, out: &mut String);
    /// A new match with the same first `steps` choices.
    fn fork(&self, steps: usize) -> Box<dyn Table>;
    /// A fork that tells its viewer nothing new about this match, even when it is over; see [`Match::fork_for`]. The secret is
    /// that of its dice; the seed decides what takes the place of what the viewer does not know.
    fn fork_for(&self, viewer: Viewer, steps: usize, secret: Secret, seed: u64) -> Box<dyn Table>;
}

impl<G: CompleteGame> Match<G> {
    /// Runs an action and turns the events that the viewer may see into log lines.
    fn narrate<R>(
        &mut self,
        story: Option<&mut Story>,
        without_story: impl FnOnce(&mut Self, &mut Discard) -> R,
        act: impl FnOnce(&mut Self, &mut Recorder<G::Event>) -> R,
    ) -> R {
        match story {
            None => without_story(self, &mut Discard),
            Some(story) => {
                let mut recorder = Recorder::default();
                let result = act(self, &mut recorder);
                story.lines.extend(recorder.seen_by(story.viewer).map(|event| self.game().log_line(event)));
                result
            }
        }
    }

    /// What may be chosen now, for those who may know it: the seat that chooses, and, where Fate chooses and nothing is
    /// hidden, everybody. Nothing for others.
    pub fn choices_for(&self, viewer: Viewer) -> Vec<G::Choice> {
        if self.may_see_choices(viewer) { self.choices() } else { Vec::new() }
    }

    /// What a person may expect to be possible and is not, with the reason; `listed` is what they can choose.
    pub fn closed_for(&self, viewer: Viewer, listed: &[G::Choice]) -> Vec<(G::Choice, Refusal)> {
        if !self.may_see_choices(viewer) {
            return Vec::new();
        }
        let mut closed = Vec::new();
        self.game().closed(self.state(), listed, &mut closed);
        closed.into_iter().map(|choice| (choice, self.game().why_not(self.state(), choice))).collect()
    }

    /// Whether a viewer may see the legal choices.
    fn may_see_choices(&self, viewer: Viewer) -> bool {
        match self.mover() {
            Mover::Seat(seat) => viewer == Viewer::Seat(seat),
            // Even the list of possible draws would show what others have drawn.
            Mover::Fate => !self.game().hides(),
            Mover::Nobody => false,
        }
    }
}

impl<G: CompleteGame> Table for Match<G> {
    fn game_id(&self) -> &'static str {
        G::ID
    }
    fn game_title(&self) -> &'static str {
        G::TITLE
    }
    fn begun_under(&self) -> &str {
        Match::begun_under(self)
    }

    fn rules_version(&self) -> &'static str {
        G::RULES_VERSION
    }
    fn options(&self) -> Options {
        self.game().options()
    }
    fn seats(&self) -> &[SeatInfo] {
        self.game().seats()
    }
    fn seat_persons(&mut self, persons: SeatSet) {
        Match::seat_persons(self, persons);
    }
    fn dice(&self) -> &MatchDice {
        self.dice()
    }
    fn share_dice(&mut self, of: Shares) -> bool {
        Match::share_dice(self, of)
    }
    fn mover(&self) -> Mover {
        self.mover()
    }
    fn steps(&self) -> usize {
        Match::log(self).len()
    }
    fn takebacks(&self) -> u32 {
        self.takebacks()
    }
    fn hides(&self) -> bool {
        self.game().hides() && self.game().outcome(self.state()).is_none()
    }
    fn digest(&self) -> Option<StateDigest> {
        (!self.hides()).then(|| self.digest_of(self.state()))
    }

    fn digests(&self, range: Range<usize>) -> Option<Vec<StateDigest>> {
        (!self.hides()).then(|| Match::digests(self, range))
    }
    fn turn(&self) -> u16 {
        self.game().turn(self.state())
    }
    fn turn_title(&self, turn: u16) -> String {
        self.game().turn_title(turn)
    }
    fn prompt(&self, viewer: Viewer) -> Prompt {
        let mut prompt = self.game().prompt(self.state());
        if matches!(self.mover(), Mover::Seat(seat) if viewer != Viewer::Seat(seat)) {
            prompt.text.clone_from(&prompt.waiting);
        }
        prompt
    }
    fn result(&self) -> Option<ResultInfo> {
        self.game().outcome(self.state()).map(|outcome| self.game().results()[usize::from(outcome.0)].clone())
    }
    fn tickets(&self) -> u32 {
        if self.mover() == Mover::Fate { self.game().tickets(self.state()) } else { 0 }
    }

    fn offers(&self, viewer: Viewer) -> Vec<Offer> {
        let choices = self.choices_for(viewer);
        if choices.is_empty() {
            return Vec::new();
        }
        let mut weights = vec![0; choices.len()];
        for ticket in 0..self.tickets() {
            let drawn = self.game().drawn(self.state(), ticket);
            if let Some(at) = choices.iter().position(|choice| *choice == drawn) {
                weights[at] += 1;
            }
        }
        let label = |choice| self.game().label(self.state(), choice);
        let offer = |(choice, weight)| Offer { name: self.name(choice), label: label(choice), weight };
        choices.into_iter().zip(weights).map(offer).collect()
    }

    fn offer_names(&mut self, names: &mut Names) {
        names.text.clear();
        names.ends.clear();
        self.each_choice(|game, state, choice| {
            game.write_name(state, choice, &mut names.text);
            names.ends.push(names.text.len());
        });
    }

    fn default_choice(&self, viewer: Viewer) -> Option<String> {
        if !self.may_see_choices(viewer) {
            return None;
        }
        self.game().default_choice(self.state()).map(|choice| self.name(choice))
    }

    fn closed(&self, viewer: Viewer) -> Vec<ClosedOffer> {
        let closed = self.closed_for(viewer, &self.choices_for(viewer));
        let offer = |(choice, refusal)| ClosedOffer {
            name: self.name(choice),
            label: self.game().label(self.state(), choice),
            refusal,
        };
        closed.into_iter().map(offer).collect()
    }

    fn why_not(&self, by: Viewer, name: &str) -> Result<(), MatchError> {
        if self.mover() != Mover::Nobody && !self.may_see_choices(by) {
            return Err(MatchError::NotYours);
        }
        let choice = self.read(name)?;
        if self.choices().contains(&choice) {
            return Ok(());
        }
        let refusal = self.game().why_not(self.state(), choice);
        Err(MatchError::Refused { name: self.name(choice), refusal })
    }

    fn play(&mut self, by: Seat, name: &str, story: Option<&mut Story>) -> Result<(), MatchError> {
        let choice = match self.mover() {
            Mover::Nobody => return Err(MatchError::Over),
            Mover::Fate => return Err(MatchError::FateToMove),
            Mover::Seat(seat) if seat != by => return Err(MatchError::NotYours),
            Mover::Seat(_) => self.read(name)?,
        };
        self.narrate(story, |m, l| Match::play(m, choice, l), |m, l| Match::play(m, choice, l))
    }

    fn play_nth(&mut self, nth: usize, story: Option<&mut Story>) -> Result<(), MatchError> {
        let Some(choice) = self.nth(nth) else {
            let over = self.mover() == Mover::Nobody;
            let unknown = || MatchError::Unknown { name: format!("choice {nth}"), nearest: None };
            return Err(if over { MatchError::Over } else { unknown() });
        };
        match self.mover() {
            Mover::Fate => self.narrate(
                story,
                |m, l| Match::fate(m, Some(choice), l),
                |m, l| Match::fate(m, Some(choice), l),
            ),
            _ => self.narrate(story, |m, l| Match::play(m, choice, l), |m, l| Match::play(m, choice, l)),
        }
    }

    fn offer_count(&mut self) -> usize {
        let mut count = 0;
        self.each_choice(|_, _, _| count += 1);
        count
    }

    fn fate(&mut self, shown: Option<&str>, story: Option<&mut Story>) -> Result<(), MatchError> {
        let shown = shown.map(|name| self.read(name)).transpose()?;
        self.narrate(story, |m, l| Match::fate(m, shown, l), |m, l| Match::fate(m, shown, l))
    }

    fn play_forced(&mut self, story: Option<&mut Story>) {
        self.narrate(story, |m, l| Match::play_forced(m, l), |m, l| Match::play_forced(m, l));
    }

    fn follow(&mut self, lines: &str, story: Option<&mut Story>) -> Result<(), String> {
        self.narrate(story, |m, l| Match::follow(m, lines, l), |m, l| Match::follow(m, lines, l))
    }

    fn remark(&mut self, step: usize, text: &str) {
        Match::remark(self, step, text);
    }

    fn agreed_undo_target(&self, by: Seat, scope: Undo) -> Result<(usize, bool), MatchError> {
        Match::agreed_undo_target(self, by, scope)
    }
    fn undo_to(&mut self, steps: usize) {
        Match::undo_to(self, steps);
    }
    fn undo(&mut self, by: Seat, scope: Undo) -> Result<usize, MatchError> {
        Match::undo(self, by, scope)
    }

    fn view(&self, viewer: Viewer) -> Value {
        self.game().describe(&self.game().view(self.state(), viewer))
    }

    fn picture(&self, viewer: Viewer) -> String {
        self.game().picture(&self.game().view(self.state(), viewer))
    }

    fn features(&self, viewer: Viewer) -> Vec<f32> {
        let mut values = Vec::new();
        self.game().features(&self.game().view(self.state(), viewer), &mut values);
        values
    }

    fn feature_names(&self) -> Vec<String> {
        self.game().feature_names()
    }

    fn offered_actions(&self, viewer: Viewer) -> Vec<Option<usize>> {
        if self.mover() == Mover::Fate {
            return Vec::new();
        }
        let choices = self.choices_for(viewer).into_iter().enumerate();
        choices.map(|(nth, choice)| self.game().open_action(nth, choice)).collect()
    }

    fn log_range(&self, range: Range<usize>, viewer: Viewer) -> Vec<LogEntry> {
        self.told(range, viewer, false).into_iter().map(|step| step.entry).collect()
    }

    fn action_start(&self, step: usize) -> usize {
        Match::action_start(self, step)
    }

    fn last_decision(&self, viewer: Viewer) -> usize {
        let is_last = |step: &Step<G::Choice>| match (step.actor, viewer) {
            (Actor::Fate, _) => false,
            (Actor::Seat(_), Viewer::Spectator) => true,
            (Actor::Seat(seat), Viewer::Seat(own)) => seat == own && !step.forced,
        };
        Match::log(self).iter().rposition(is_last).map_or(0, |at| at + 1)
    }

    fn turn_at(&self, steps: usize) -> u16 {
        Match::turn_at(self, steps)
    }

    fn last_turns_from(&self, most: usize) -> usize {
        Match::last_turns_from(self, most)
    }

    fn questions(&self, viewer: Viewer) -> Vec<String> {
        self.game().questions(&self.game().view(self.state(), viewer))
    }

    fn answer(&self, question: &str, viewer: Viewer) -> Result<Answer, String> {
        self.game().answer(&self.game().view(self.state(), viewer), question)
    }

    fn save(&self, policy: SecretPolicy) -> Result<String, MatchError> {
        if policy == SecretPolicy::Withhold && self.hides() {
            return Err(MatchError::Hidden);
        }
        Ok(Match::save(self, policy))
    }

    fn head(&self) -> String {
        Match::head(self, SecretPolicy::Keep)
    }

    fn head_without_secret(&self) -> String {
        Match::head(self, SecretPolicy::Withhold)
    }

    fn write_log(&self, from: usize, out: &mut String) {
        Match::write_log(self, from, out);
    }

    fn fork(&self, steps: usize) -> Box<dyn Table> {
        Box::new(Match::fork(self, steps))
    }

    fn fork_for(&self, viewer: Viewer, steps: usize, secret: Secret, seed: u64) -> Box<dyn Table> {
        Box::new(Match::fork_for(self, viewer, steps, secret, &mut LabDice::new(seed)))
    }
}
