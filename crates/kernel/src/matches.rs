//! A match: a set-up and the choices so far. The log is the source of truth; the state follows from it.

use std::fmt;
use std::ops::Range;

use crate::dice::{Commitment, Dice, FairDice, Secret};
use crate::digest::{DigestFormat, StateDigest};
use crate::event::{Discard, EventSink};
use crate::history::{History, Log};
use crate::remark::Remarks;
use crate::seat::{Actor, Mover, Seat, SeatSet};
use crate::shares::Shares;
use crate::wording::{Refusal, Wording};

/// Who rolls the dice of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchDice {
    /// The program, from a secret that is committed to before the first choice.
    Fair {
        /// The secret; missing in the published record of an unfinished match.
        secret: Option<Secret>,
        /// Its SHA-256.
        commitment: Commitment,
        /// The seed that the secret was made from, if any.
        seed: Option<u64>,
        /// What the players put in.
        shares: Shares,
    },
    /// A person, who enters the results of real dice.
    Own,
}

impl MatchDice {
    /// Fair dice from a secret.
    pub fn fair(secret: Secret) -> Self {
        Self::Fair {
            commitment: secret.commitment(),
            secret: Some(secret),
            seed: None,
            shares: Shares::default(),
        }
    }

    /// Fair dice from a seed: the same seed gives the same dice.
    pub fn seeded(seed: u64) -> Self {
        let secret = Secret::from_seed(seed);
        let commitment = secret.commitment();
        Self::Fair { commitment, secret: Some(secret), seed: Some(seed), shares: Shares::default() }
    }

    /// What the players put in; nothing with own dice.
    pub fn shares(&self) -> Shares {
        match self {
            Self::Fair { shares, .. } => shares.clone(),
            Self::Own => Shares::default(),
        }
    }

    /// Whether the dice wait for the numbers of players.
    pub fn are_awaited(&self) -> bool {
        matches!(self, Self::Fair { shares, .. } if shares.is_open())
    }

    /// The secret that the draws follow from, once it is known: that of the house with the numbers of all players.
    pub fn key(&self) -> Option<Secret> {
        match self {
            Self::Fair { secret: Some(secret), shares, .. } if !shares.is_open() => Some(shares.key(secret)),
            _ => None,
        }
    }
}

/// One choice in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step<C> {
    /// What was chosen.
    pub choice: C,
    /// Who chose.
    pub actor: Actor,
    /// Whether it was the only choice and made automatically.
    pub forced: bool,
}

/// How much to undo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undo {
    /// The last decision.
    Step,
    /// All decisions of the current turn (or of the turn before, if it has none yet).
    Turn,
}

/// Why a change of a match failed. The match is unchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MatchError {
    /// The game is over.
    Over,
    /// The game has no choice with this name.
    Unknown {
        /// The name given.
        name: String,
        /// The legal choice with the most similar name.
        nearest: Option<String>,
    },
    /// The choice is illegal now.
    Refused {
        /// Its name.
        name: String,
        /// Why not.
        refusal: Refusal,
    },
    /// It is another player's turn.
    NotYours,
    /// It is Fate's turn, not a player's.
    FateToMove,
    /// It is a player's turn, not Fate's.
    SeatToMove,
    /// The match uses own dice: the result must be entered.
    OwnDice,
    /// The match uses fair dice: a result can't be entered.
    FairDice,
    /// The record lacks the secret that the next draw needs.
    NoSecret,
    /// Players have not put in their numbers yet.
    DiceWait,
    /// The match has hidden information and is not over.
    Hidden,
    /// There is nothing to undo.
    NothingToUndo,
    /// The last decision can't be undone.
    UndoBarred(&'static str),
}

impl MatchError {
    /// The stable error code of the protocol.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Over => "over",
            Self::Unknown { .. } => "unknown-choice",
            Self::Refused { .. } => "refused",
            Self::NotYours => "not-yours",
            Self::Hidden => "hidden",
            Self::FateToMove => "fate-to-move",
            Self::SeatToMove => "seat-to-move",
            Self::OwnDice => "own-dice",
            Self::FairDice => "fair-dice",
            Self::NoSecret => "no-secret",
            Self::DiceWait => "dice-wait",
            Self::NothingToUndo => "nothing-to-undo",
            Self::UndoBarred(_) => "undo-barred",
        }
    }
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Over => f.write_str("the game is over"),
            Self::Unknown { name, nearest } => {
                let shown: String = name.chars().take(60).collect();
                write!(f, "{shown:?} is not a choice of this game")?;
                match nearest {
                    Some(nearest) => write!(f, "; did you mean {nearest:?}?"),
                    None => Ok(()),
                }
            }
            Self::Refused { name, refusal } => write!(f, "{name:?} is not possible now: {refusal}"),
            Self::NotYours => f.write_str("it is another player's turn"),
            Self::Hidden => {
                f.write_str("a match with hidden information can only be published when it is over")
            }
            Self::FateToMove => f.write_str("it is Fate's turn, not a player's: use `fate`"),
            Self::SeatToMove => f.write_str("it is a player's turn, not Fate's: use `play`"),
            Self::OwnDice => f.write_str("this match uses your own dice: enter the result"),
            Self::FairDice => f.write_str("this match uses Maproom's dice: you can't enter a result"),
            Self::NoSecret => {
                f.write_str("this record lacks the secret of its dice, so no more dice can be rolled")
            }
            Self::DiceWait => f.write_str("the dice wait until everybody who plays has put in a number"),
            Self::NothingToUndo => f.write_str("there is nothing to undo"),
            Self::UndoBarred(why) => write!(f, "can't undo: {why}"),
        }
    }
}

impl std::error::Error for MatchError {}

/// A match of game `G`.
///
/// [`play`](Self::play) and [`fate`](Self::fate) make choices; each is checked and logged with a digest. An error leaves
/// the match unchanged.
#[derive(Clone, Debug)]
pub struct Match<G: Wording> {
    game: G,
    dice: MatchDice,
    state: G::State,
    history: History<G::Choice, G::State>,
    takebacks: u32,
    /// How many draws, from the first, were made with the secret of the match that this one was forked from.
    inherited_draws: u64,
    /// The version of the rules under which the match was started, if not the current one.
    begun_under: Option<String>,
    /// How its digests are made, from its first step to its last.
    digest_format: DigestFormat,
    /// The seats that people play; bots play the others.
    persons: SeatSet,
    /// Why bots chose as they did.
    remarks: Remarks,
    /// What the mover may choose now, once it was asked for: a position is listed once, however many questions come.
    listed: Vec<G::Choice>,
    is_listed: bool,
}

impl<G: Wording> Match<G> {
    /// A match at its opening position, before Fate's first draw.
    pub fn new(game: G, dice: MatchDice) -> Self {
        let state = game.start();
        Self {
            history: History::new(state.clone()),
            persons: SeatSet::first(game.seats().len()),
            begun_under: None,
            digest_format: DigestFormat::default(),
            game,
            dice,
            state,
            takebacks: 0,
            inherited_draws: 0,
            remarks: Remarks::default(),
            listed: Vec::new(),
            is_listed: false,
        }
    }

    /// A match at its opening position, for people. Own dice are refused in games with hidden information: the person who enters
    /// the draws would know them.
    pub fn open(game: G, dice: MatchDice) -> Result<Self, String> {
        if dice == MatchDice::Own && game.hides() {
            return Err("you can't use your own dice in a game with hidden information".to_owned());
        }
        Ok(Self::new(game, dice))
    }

    /// The set-up.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The position.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The choices so far.
    pub fn log(&self) -> Log<'_, G::Choice> {
        self.history.log()
    }

    /// The choices so far with positions on the way.
    pub(crate) fn history(&self) -> &History<G::Choice, G::State> {
        &self.history
    }

    /// Who rolls.
    pub fn dice(&self) -> &MatchDice {
        &self.dice
    }

    /// How many of Fate's draws are in the log.
    pub fn draws(&self) -> u64 {
        self.history.draws()
    }

    /// How often an undo went past a draw of Fate.
    pub fn takebacks(&self) -> u32 {
        self.takebacks
    }

    /// How many draws, from the first, were made with the secret of the match that this one was forked from. They can't be
    /// proven.
    pub fn inherited_draws(&self) -> u64 {
        self.inherited_draws
    }

    /// Sets how many draws of a loaded record were inherited.
    pub(crate) fn set_inherited_draws(&mut self, draws: u64) {
        self.inherited_draws = draws;
    }

    /// Notes that all draws so far were made with another secret.
    pub(crate) fn inherit_draws(&mut self) {
        self.inherited_draws = self.draws();
    }

    /// The same match before its first choice, with other dice.
    pub(crate) fn begun_again(&self, dice: MatchDice) -> Self {
        let mut begun = Self::new(self.game.clone(), dice);
        begun.set_digest_format(self.digest_format);
        begun.set_past(self.takebacks, self.begun_under.clone());
        begun.persons = self.persons;
        begun
    }

    /// Uses the digest format of a loaded record. To be called before the first step.
    pub(crate) fn set_digest_format(&mut self, format: DigestFormat) {
        self.digest_format = format;
    }

    /// Sets what a loaded record says about its past.
    pub(crate) fn set_past(&mut self, takebacks: u32, begun_under: Option<String>) {
        self.takebacks = takebacks;
        self.begun_under = begun_under;
    }

    /// The version of the rules under which the match was started.
    pub fn begun_under(&self) -> &str {
        self.begun_under.as_deref().unwrap_or(G::RULES_VERSION)
    }

    /// The digest format of the match.
    pub fn digest_format(&self) -> DigestFormat {
        self.digest_format
    }

    /// The digest of a position, in the format of the match.
    pub fn digest_of(&self, state: &G::State) -> StateDigest {
        self.game.digest(state, self.digest_format)
    }

    /// Sets the seats that people play. A single person may undo everything.
    pub fn seat_persons(&mut self, persons: SeatSet) {
        self.persons = persons;
    }

    /// Records why the choice of a step (counted from 0) was made, in at most [`MAX_REMARK`](crate::MAX_REMARK) characters
    /// of plain text. Only decisions of seats have reasons; others are ignored.
    pub fn remark(&mut self, step: usize, text: &str) {
        if self.log().get(step).is_some_and(|made| matches!(made.actor, Actor::Seat(_)) && !made.forced) {
            self.remarks.note(step, text);
        }
    }

    /// The recorded reason for the choice of a step (counted from 0).
    pub fn remark_at(&self, step: usize) -> Option<&str> {
        self.remarks.at(step)
    }

    /// Who chooses next.
    pub fn mover(&self) -> Mover {
        self.game.mover(&self.state)
    }

    /// The legal choices of the mover.
    pub fn choices(&self) -> Vec<G::Choice> {
        let mut choices = Vec::new();
        self.game.choices(&self.state, &mut choices);
        choices
    }

    /// Calls `visit` for every legal choice, without allocating.
    pub fn each_choice(&mut self, mut visit: impl FnMut(&G, &G::State, G::Choice)) {
        self.list();
        for &choice in &self.listed {
            visit(&self.game, &self.state, choice);
        }
    }

    /// Whether a choice is legal now, that is, listed.
    pub fn is_open(&mut self, choice: G::Choice) -> bool {
        self.list();
        self.listed.contains(&choice)
    }

    /// The n-th choice that may be made now, from 0, in the order of [`choices`](Self::choices).
    pub fn nth(&mut self, n: usize) -> Option<G::Choice> {
        self.list();
        self.listed.get(n).copied()
    }

    /// Lists the choices of the current position, unless that was done.
    fn list(&mut self) {
        if !self.is_listed {
            self.listed.clear();
            self.game.choices(&self.state, &mut self.listed);
            self.is_listed = true;
        }
    }

    /// The name of a choice in the current position.
    pub fn name(&self, choice: G::Choice) -> String {
        let mut name = String::new();
        self.game.write_name(&self.state, choice, &mut name);
        name
    }

    /// The choice with this name, legal or not.
    pub fn read(&self, name: &str) -> Result<G::Choice, MatchError> {
        self.game.read_name(&self.state, name).ok_or_else(|| {
            let open: Vec<String> = self.choices().into_iter().map(|choice| self.name(choice)).collect();
            let nearest = diagnostics::nearest(name, open.iter().map(String::as_str));
            MatchError::Unknown {
                name: name.chars().take(200).collect(),
                nearest: nearest.map(str::to_owned),
            }
        })
    }

    /// Makes a player's choice.
    pub fn play<L: EventSink<G::Event>>(
        &mut self,
        choice: G::Choice,
        sink: &mut L,
    ) -> Result<(), MatchError> {
        match self.mover() {
            Mover::Nobody => Err(MatchError::Over),
            Mover::Fate => Err(MatchError::FateToMove),
            Mover::Seat(seat) => self.checked(choice, Actor::Seat(seat), sink),
        }
    }

    /// Makes Fate's choice: drawn with fair dice, or as entered with own dice.
    pub fn fate<L: EventSink<G::Event>>(
        &mut self,
        shown: Option<G::Choice>,
        sink: &mut L,
    ) -> Result<(), MatchError> {
        match self.mover() {
            Mover::Nobody => return Err(MatchError::Over),
            Mover::Seat(_) => return Err(MatchError::SeatToMove),
            Mover::Fate => {}
        }
        match (&self.dice, shown) {
            (MatchDice::Own, Some(choice)) => self.checked(choice, Actor::Fate, sink),
            (MatchDice::Own, None) => Err(MatchError::OwnDice),
            (MatchDice::Fair { .. }, Some(_)) => Err(MatchError::FairDice),
            (MatchDice::Fair { .. }, None) => {
                let missing =
                    if self.dice.are_awaited() { MatchError::DiceWait } else { MatchError::NoSecret };
                let choice = self.next_draw().ok_or(missing)?;
                self.record(choice, Actor::Fate, false, sink);
                Ok(())
            }
        }
    }

    /// The result of the next draw with fair dice; `None` without a secret, and while players have not put in their numbers.
    pub fn next_draw(&self) -> Option<G::Choice> {
        let key = self.dice.key()?;
        let ticket = FairDice::new(&key, self.draws()).below(self.game.tickets(&self.state));
        Some(self.game.drawn(&self.state, ticket))
    }

    /// Sets what the players put into the dice. Once a die has been rolled nothing changes any more, and own dice have no
    /// shares; then it returns `false`.
    pub fn share_dice(&mut self, of: Shares) -> bool {
        let is_rolled = self.draws() > 0;
        match &mut self.dice {
            MatchDice::Fair { shares, .. } if !is_rolled => {
                *shares = of;
                true
            }
            _ => false,
        }
    }

    /// Rolls fair dice and plays forced choices until there is a real decision, a roll of own dice, or the end.
    pub fn play_forced<L: EventSink<G::Event>>(&mut self, sink: &mut L) {
        loop {
            match self.mover() {
                Mover::Nobody => return,
                Mover::Fate => match self.next_draw() {
                    Some(choice) => self.record(choice, Actor::Fate, false, sink),
                    None => return,
                },
                Mover::Seat(_) if !self.game.may_play_forced(&self.state) => return,
                Mover::Seat(seat) => {
                    self.list();
                    let [only] = self.listed[..] else { return };
                    self.record(only, Actor::Seat(seat), true, sink);
                }
            }
        }
    }

    fn checked<L: EventSink<G::Event>>(
        &mut self,
        choice: G::Choice,
        actor: Actor,
        sink: &mut L,
    ) -> Result<(), MatchError> {
        if !self.is_open(choice) {
            let refusal = self.game.why_not(&self.state, choice);
            return Err(MatchError::Refused { name: self.name(choice), refusal });
        }
        self.record(choice, actor, false, sink);
        Ok(())
    }

    /// Plays and logs a choice that is known to be legal.
    pub(crate) fn record<L: EventSink<G::Event>>(
        &mut self,
        choice: G::Choice,
        actor: Actor,
        forced: bool,
        sink: &mut L,
    ) {
        self.game.apply(&mut self.state, choice, sink);
        self.is_listed = false;
        self.history.push(Step { choice, actor, forced }, &self.state);
    }

    /// The position after the first `steps` choices. It replays fewer than 64.
    pub fn state_at(&self, steps: usize) -> G::State {
        let steps = steps.min(self.log().len());
        let (kept, state) = self.history.checkpoint(steps);
        let mut state = state.clone();
        for step in self.log().from(kept).take(steps - kept) {
            self.game.apply(&mut state, step.choice, &mut Discard);
        }
        state
    }

    /// The turn of the position after the first `steps` choices.
    pub fn turn_at(&self, steps: usize) -> u16 {
        if steps >= self.log().len() {
            self.game.turn(&self.state)
        } else {
            self.game.turn(&self.state_at(steps))
        }
    }

    /// How many choices had been made when the previous turn began, but at most `most` fewer than now.
    pub fn last_turns_from(&self, most: usize) -> usize {
        let now = self.game.turn(&self.state);
        let is_shown = |state: &G::State| self.game.turn(state).saturating_add(1) >= now;
        let least = self.log().len().saturating_sub(most);
        let mut from = self.log().len();
        loop {
            let (kept, state) = self.history.checkpoint(from.saturating_sub(1));
            if from <= least || kept == from || !is_shown(state) {
                break;
            }
            from = kept;
        }
        // The turn may begin within the block before.
        let (kept, state) = self.history.checkpoint(from.saturating_sub(1));
        let mut state = state.clone();
        for (at, step) in (kept..from).zip(self.log().from(kept)) {
            if is_shown(&state) {
                return at.max(least);
            }
            self.game.apply(&mut state, step.choice, &mut Discard);
        }
        from.max(least)
    }

    /// Replays the choices from step `from` on into a sink; `visit` is called before each.
    pub fn replay<L: EventSink<G::Event>>(
        &self,
        from: usize,
        sink: &mut L,
        mut visit: impl FnMut(usize, &G::State, &Step<G::Choice>, &mut L),
    ) {
        let from = from.min(self.log().len());
        let mut state = self.state_at(from);
        for (at, step) in (from..).zip(self.log().from(from)) {
            visit(at, &state, step, sink);
            self.game.apply(&mut state, step.choice, sink);
        }
    }

    /// The digests of the positions after the choices of a range (counted from 0), in the format of the match. They are made
    /// when they are asked for: play does not wait for them.
    pub fn digests(&self, range: Range<usize>) -> Vec<StateDigest> {
        let to = range.end.min(self.log().len());
        let from = range.start.min(to);
        let mut state = self.state_at(from);
        let steps = self.log().from(from).take(to - from);
        steps
            .map(|step| {
                self.game.apply(&mut state, step.choice, &mut Discard);
                self.digest_of(&state)
            })
            .collect()
    }

    /// The same choices as if the match were started now: under the current rules, with digests of the current format.
    #[must_use]
    pub(crate) fn renewed(&self) -> Self {
        let mut renewed = Self::new(self.game.clone(), self.dice.clone());
        for step in self.log().iter() {
            renewed.record(step.choice, step.actor, step.forced, &mut Discard);
        }
        renewed.remarks = self.remarks.clone();
        renewed.takebacks = self.takebacks;
        renewed.persons = self.persons;
        renewed.inherited_draws = self.inherited_draws;
        renewed
    }

    /// A new match with the same first `steps` choices. It shares its history with this one.
    #[must_use]
    pub fn fork(&self, steps: usize) -> Self {
        let mut fork = self.clone();
        fork.rewind(steps);
        fork
    }

    fn rewind(&mut self, steps: usize) {
        if steps >= self.log().len() {
            return;
        }
        self.state = self.state_at(steps);
        self.is_listed = false;
        self.history.truncate(steps);
        self.remarks.drop_from(steps);
    }

    /// Undoes decisions and returns how many steps were removed.
    ///
    /// A solo player may undo everything; an undo past a draw of Fate is counted in [`takebacks`](Self::takebacks). With
    /// several players `by` may only undo their own decisions since the last draw or reveal.
    pub fn undo(&mut self, by: Seat, scope: Undo) -> Result<usize, MatchError> {
        let target = if self.persons.count() <= 1 {
            self.solo_undo_target(scope)
        } else {
            self.shared_undo_target(by, scope)
        }?;
        let steps = self.log().len() - target;
        self.undo_to(target);
        Ok(steps)
    }

    /// Undoes everything after the first `target` steps, whoever made it: for what all players have agreed to.
    pub fn undo_to(&mut self, target: usize) {
        self.takebacks += u32::from(self.crosses_draw(target));
        self.rewind(target);
    }

    /// Whether an undo to so many steps goes past a draw of Fate.
    fn crosses_draw(&self, target: usize) -> bool {
        self.dice != MatchDice::Own && self.log().from(target).any(|step| step.actor == Actor::Fate)
    }

    /// How many steps would be left if the others agreed that `by` undoes their last decision, or all of that turn; and
    /// whether that goes past a draw of Fate.
    pub fn agreed_undo_target(&self, by: Seat, scope: Undo) -> Result<(usize, bool), MatchError> {
        let is_own = |step: &Step<G::Choice>| step.actor == Actor::Seat(by) && !step.forced;
        let target = self.last_run(scope, is_own).ok_or(MatchError::NothingToUndo)?;
        Ok((target, self.crosses_draw(target)))
    }

    /// Whether a person made this step: a decision, or an entered die. Bots' choices are undone with the decision before
    /// them.
    fn is_input(&self, step: &Step<G::Choice>) -> bool {
        match step.actor {
            Actor::Seat(seat) => !step.forced && self.persons.has(seat),
            Actor::Fate => self.dice == MatchDice::Own,
        }
    }

    fn solo_undo_target(&self, scope: Undo) -> Result<usize, MatchError> {
        self.last_run(scope, |step| self.is_input(step)).ok_or(MatchError::NothingToUndo)
    }

    /// The last step of a kind, or the first one of its turn.
    fn last_run(&self, scope: Undo, is_meant: impl Fn(&Step<G::Choice>) -> bool) -> Option<usize> {
        let last = self.log().iter().rposition(&is_meant)?;
        if scope == Undo::Step {
            return Some(last);
        }
        let turn = self.game.turn(&self.state_at(last));
        let mut first = last;
        while let Some(earlier) = self.log().iter().take(first).rposition(&is_meant) {
            if self.game.turn(&self.state_at(earlier)) != turn {
                break;
            }
            first = earlier;
        }
        Some(first)
    }

    fn shared_undo_target(&self, by: Seat, scope: Undo) -> Result<usize, MatchError> {
        let mut target = None;
        for (at, step) in self.log().iter().enumerate().rev() {
            let barrier = match step.actor {
                Actor::Fate => Some("the dice have been rolled since"),
                Actor::Seat(seat) if seat != by && !step.forced => Some("another player has moved since"),
                Actor::Seat(_) if self.game.reveals(&self.state_at(at), step.choice) => {
                    Some("hidden information has been revealed since")
                }
                Actor::Seat(_) => None,
            };
            match (barrier, target) {
                (Some(_), Some(target)) => return Ok(target),
                (Some(why), None) => return Err(MatchError::UndoBarred(why)),
                (None, _) if step.forced => {}
                (None, _) => {
                    target = Some(at);
                    if scope == Undo::Step {
                        return Ok(at);
                    }
                }
            }
        }
        target.ok_or(MatchError::NothingToUndo)
    }
}
