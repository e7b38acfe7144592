//! The `Game` trait.

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

/// The settings of a match: edition, scenario, optional rules, and custom data files as text.
pub type Options = BTreeMap<String, String>;

/// Refuses unknown options and suggests the nearest known one.
pub fn refuse_unknown_options(options: &Options, known: &[(&str, &str)]) -> Result<(), String> {
    let known: Vec<&str> = known.iter().map(|(key, _)| *key).collect();
    let Some(key) = options.keys().find(|key| !known.contains(&key.as_str())) else { return Ok(()) };
    let meant = nearest(key, known.iter().copied());
    let hint = meant.map_or_else(String::new, |meant| format!(" (did you mean {meant:?}?)"));
    Err(format!("unknown option {:?}{hint}; the options are: {}", shown(key), known.join(", ")))
}

/// The rules of a game. This is the first trait an author implements.
///
/// A value of this type is a *set-up* of the game (edition, scenario, options); its [`State`](Self::State) is a position.
/// Everything is a pure function of the two: no clock, no threads, no random numbers, no files.
///
/// The **hot path** is [`mover`](Self::mover), [`choices`](Self::choices), [`tickets`](Self::tickets),
/// [`drawn`](Self::drawn) and [`apply`](Self::apply); they should not allocate, so that games
/// can be simulated fast.
///
/// Three companion traits add the rest, with defaults wherever possible: [`Wording`](crate::Wording) for people,
/// [`Judgement`](crate::Judgement) for bots, [`Catalogue`](crate::Catalogue) for forms, files and statistics.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position. Small and cheap to clone; its `Hash` and its `Encode` must cover all of it.
    type State: Clone + Eq + Hash + Encode + Debug + Send + Sync;
    /// One atomic decision of a seat or of Fate.
    type Choice: Copy + Eq + Hash + Debug + Send + Sync;
    /// Something that happened, as typed data; [`Wording::log_line`](crate::Wording::log_line) turns it into text.
    type Event: Clone + PartialEq + Debug + Send + Sync;
    /// What one viewer may know of a position, and nothing else. It may borrow from the state, so that a view of a large map
    /// needs no copy, as long as it exposes only what the viewer may know.
    type View<'s>: Clone + PartialEq + Hash + Debug + Send + Sync;

    /// The id of the game in saves, commands and the protocol.
    const ID: &'static str;
    /// The game's title for people.
    const TITLE: &'static str;
    /// Must change whenever the same choices could lead to a different state than before.
    const RULES_VERSION: &'static str = "1";

    /// Builds the set-up for these options, or says what is wrong with them.
    fn with_options(options: &Options) -> Result<Self, String>;

    /// The complete options of this set-up: `with_options(self.options())` builds it again.
    fn options(&self) -> Options;

    /// The options that keep the old behaviour in a match that was started under an older [version](Self::RULES_VERSION)
    /// of the rules. They are added to the options in its save. Empty for the current version, and for old versions whose
    /// behaviour is no longer available.
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

    /// Adds the legal choices of the mover to `out`, in a stable order; for Fate, every possible result. Adds nothing when
    /// the game is over. A choice that is not in this list is illegal.
    fn choices(&self, state: &Self::State, out: &mut Vec<Self::Choice>);

    /// Plays a choice, **which must be one of [`choices`](Self::choices)**, and everything that follows from it without
    /// another decision.
    fn apply<S: EventSink<Self::Event>>(&self, state: &mut Self::State, choice: Self::Choice, sink: &mut S);

    /// How the game ended; `None` while it goes on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// What a viewer sees.
    fn view<'s>(&self, state: &'s Self::State, viewer: Viewer) -> Self::View<'s>;

    /// A full state that is consistent with the view; `dice` samples what is hidden.
    fn determinize<D: Dice>(&self, view: &Self::View<'_>, dice: &mut D) -> Self::State;

    // --- with defaults ------------------------------------------------------------------------

    /// Whether a choice is legal now, that is, listed. Callers that ask often should keep the list.
    fn is_legal(&self, state: &Self::State, choice: Self::Choice) -> bool {
        let mut listed = Vec::new();
        self.choices(state, &mut listed);
        listed.contains(&choice)
    }

    /// Fate only: the number of equally likely tickets in the draw. By default one for each of [`choices`](Self::choices),
    /// as for a die.
    fn tickets(&self, state: &Self::State) -> u32 {
        let mut listed = Vec::new();
        self.choices(state, &mut listed);
        listed.len() as u32
    }

    /// Fate only: the choice for a ticket from 0 to `tickets - 1`.
    fn drawn(&self, state: &Self::State, ticket: u32) -> Self::Choice {
        let mut listed = Vec::new();
        self.choices(state, &mut listed);
        listed[ticket as usize]
    }

    /// The turn of a position, for headings in the log and for undoing a turn.
    fn turn(&self, _state: &Self::State) -> u16 {
        1
    }

    /// Whether this set-up has hidden information. If so, a running match shows no digests and is not published.
    fn hides(&self) -> bool {
        false
    }

    /// Whether the log hides this choice from a viewer (a secret commitment, a card drawn by another).
    fn conceals(&self, _state: &Self::State, _choice: Self::Choice, _viewer: Viewer) -> bool {
        false
    }

    /// Whether the choice reveals hidden information, so that it can't be undone.
    fn reveals(&self, _state: &Self::State, _choice: Self::Choice) -> bool {
        false
    }

    /// Whether a choice without an alternative is played automatically. Return `false` where that would show the others
    /// that there was no alternative (for example a hand without a card to react with).
    fn may_play_forced(&self, _state: &Self::State) -> bool {
        true
    }

    /// The digest of a position in a save. A game whose state holds indexes into its data tables should make the digest
    /// independent of them, so that a change of the data only affects matches that used it.
    fn digest(&self, state: &Self::State, format: DigestFormat) -> StateDigest {
        StateDigest::of(state, format)
    }

    /// Checks what must hold in every position and returns the first violation. For tests.
    fn invariants(&self, _state: &Self::State) -> Result<(), String> {
        Ok(())
    }
}

/// A game with all four traits, as the program needs it.
pub trait CompleteGame: Wording + Judgement + Catalogue {}

impl<G: Wording + Judgement + Catalogue> CompleteGame for G {}
