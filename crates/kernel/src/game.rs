//! What a game is: a pure function of choices.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

use diagnostics::{nearest, shown};

use crate::catalogue::Catalogue;
use crate::dice::Dice;
use crate::digest::{DigestFormat, StateDigest};
use crate::encode::Encode;
use crate::event::EventSink;
use crate::judgement::Judgement;
use crate::seat::{Mover, Outcome, ResultInfo, SeatInfo, Viewer};
use crate::wording::Wording;

/// The settings of a match: edition, scenario, optional rules, and texts that the user brings along.
pub type Options = BTreeMap<String, String>;

/// Refuses options that a game does not have, with the one that was probably meant.
pub fn refuse_unknown_options(options: &Options, known: &[(&str, &str)]) -> Result<(), String> {
    let known: Vec<&str> = known.iter().map(|(key, _)| *key).collect();
    let Some(key) = options.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let meant = nearest(key, known.iter().copied());
    let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant:?}?)"));
    Err(format!("unknown option {:?}{hint}; the options are: {}", shown(key), known.join(", ")))
}

/// The rules of a game, with its data looked up and ready: what every author of a game writes first.
///
/// A value of this type is a *set-up* of the game (edition, scenario, options); its [`State`](Self::State) is a position.
/// Everything is a function of the two. No clock, no thread, no random generator, no file.
///
/// The **hot path** is [`mover`](Self::mover), [`choices`](Self::choices), [`tickets`](Self::tickets),
/// [`drawn`](Self::drawn) and [`apply`](Self::apply); a game that is simulated a lot must not allocate there once the buffer
/// is warm.
///
/// Three companions add what others read: [`Wording`](crate::Wording) for people, [`Judgement`](crate::Judgement) for bots,
/// [`Catalogue`](crate::Catalogue) for forms, files and statistics. Each has defaults for everything that can have one.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position. Small and cheap to clone; its `Hash` and its `Encode` must cover all of it.
    type State: Clone + Eq + Hash + Encode + Debug + Send + Sync;
    /// One atomic decision of a seat or of Fate.
    type Choice: Copy + Eq + Hash + Debug + Send + Sync;
    /// Something that happened, as typed data; [`Wording::log_line`](crate::Wording::log_line) puts it into words.
    type Event: Clone + PartialEq + Debug + Send + Sync;
    /// What one viewer may know of a position, and nothing else. It may borrow from the position, so that a look at a large
    /// map copies nothing; what it lets out must still be only what the viewer may know.
    type View<'s>: Clone + PartialEq + Hash + Debug + Send + Sync;

    /// The word for the game in saves, commands and the protocol.
    const ID: &'static str;
    /// The game's title for people.
    const TITLE: &'static str;
    /// Changes whenever the same choices could lead to another state than before.
    const RULES_VERSION: &'static str = "1";

    /// Makes the set-up that the options describe, or says what is wrong with them.
    fn with_options(options: &Options) -> Result<Self, String>;

    /// The options of this set-up, complete, so that `with_options(self.options())` gives it again.
    fn options(&self) -> Options;

    /// What a match that was begun under other rules has for options that those rules did not know of, so that it goes
    /// on as it began. Empty for the present rules, and where old matches can be had in no other way than new ones.
    fn options_under(_rules: &str) -> Options {
        Options::new()
    }

    /// The seats in order.
    fn seats(&self) -> &[SeatInfo];

    /// The ways in which a game can end; [`Outcome`] is an index into them.
    fn results(&self) -> &[ResultInfo];

    /// The opening position.
    fn start(&self) -> Self::State;

    /// Who makes the next choice.
    fn mover(&self, state: &Self::State) -> Mover;

    /// Adds to `out` what the mover may do now, in a stable order: for Fate every possible result, for a
    /// seat every legal choice. Nothing is added when the game is over. What is not in this list is not legal.
    fn choices(&self, state: &Self::State, out: &mut Vec<Self::Choice>);

    /// Plays a choice **that is one of [`choices`](Self::choices)**, and whatever follows from it without
    /// a further decision.
    fn apply<S: EventSink<Self::Event>>(&self, state: &mut Self::State, choice: Self::Choice, sink: &mut S);

    /// How the game ended; `None` while it goes on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// What a viewer sees.
    fn view<'s>(&self, state: &'s Self::State, viewer: Viewer) -> Self::View<'s>;

    /// A full state that agrees with the view, what is hidden sampled with `dice`.
    fn determinize<D: Dice>(&self, view: &Self::View<'_>, dice: &mut D) -> Self::State;

    // --- with defaults ------------------------------------------------------------------------

    /// Whether a choice may be made now: whether it is listed. For a question now and then; who asks often keeps a list.
    fn is_legal(&self, state: &Self::State, choice: Self::Choice) -> bool {
        let mut listed = Vec::new();
        self.choices(state, &mut listed);
        listed.contains(&choice)
    }

    /// Fate only: into how many equally likely tickets the draw is divided. By default one for each of
    /// [`choices`](Self::choices), as for a die.
    fn tickets(&self, state: &Self::State) -> u32 {
        let mut listed = Vec::new();
        self.choices(state, &mut listed);
        listed.len() as u32
    }

    /// Fate only: the choice that a ticket from 0 to `tickets - 1` stands for.
    fn drawn(&self, state: &Self::State, ticket: u32) -> Self::Choice {
        let mut listed = Vec::new();
        self.choices(state, &mut listed);
        listed[ticket as usize]
    }

    /// The turn that a position belongs to, for chapters of the log and "undo to the start of my turn".
    fn turn(&self, _state: &Self::State) -> u16 {
        1
    }

    /// Whether this set-up ever holds something that one viewer knows and another does not. If so, a running match
    /// shows no digests and is not published.
    fn hides(&self) -> bool {
        false
    }

    /// Whether the log hides this choice from a viewer (a secret commitment, a card drawn by another).
    fn conceals(&self, _state: &Self::State, _choice: Self::Choice, _viewer: Viewer) -> bool {
        false
    }

    /// Whether the choice shows somebody something that was hidden: undo does not go back across it.
    fn reveals(&self, _state: &Self::State, _choice: Self::Choice) -> bool {
        false
    }

    /// Whether a decision with a single answer is taken without a question. No, where that would tell the others that
    /// there was nothing else (a hand without a card to react with).
    fn may_play_forced(&self, _state: &Self::State) -> bool {
        true
    }

    /// The check number of a position in a save. A game whose state holds places in its looked-up tables makes them
    /// independent of those tables here, so that a change of data parts only from matches that met it.
    fn digest(&self, state: &Self::State, format: DigestFormat) -> StateDigest {
        StateDigest::of(state, format)
    }

    /// What must hold in every position; the first thing that does not. For tests.
    fn invariants(&self, _state: &Self::State) -> Result<(), String> {
        Ok(())
    }
}

/// A game with everything that the program asks of one: rules, words, judgement and catalogue.
pub trait CompleteGame: Wording + Judgement + Catalogue {}

impl<G: Wording + Judgement + Catalogue> CompleteGame for G {}
