//! What a game is: a pure function of choices.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

use serde_json::Value;

use crate::dice::Dice;
use crate::digest::{DigestFormat, StateDigest};
use crate::encode::Encode;
use crate::event::{EventSink, LogLine};
use crate::query::Answer;
use crate::seat::{Mover, Outcome, ResultInfo, Seat, SeatInfo, Viewer};
use crate::tuning::Tuning;
use diagnostics::{FileCheck, Problems, nearest, shown};

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

/// Why a choice can't be made now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason as a sentence without a full stop.
    pub reason: String,
    /// The rule that says so, or an empty text.
    pub rule: &'static str,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.reason)?;
        if self.rule.is_empty() { Ok(()) } else { write!(f, " (rule {})", self.rule) }
    }
}

/// What is asked of the mover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// For the one who decides: "Allies: spend an Action (1 of 2 left)".
    pub text: String,
    /// For the others: "Waiting for the Allies to spend an Action".
    pub waiting: String,
    /// The rule behind it.
    pub rule: &'static str,
}

/// One of the five games, with its rules and data looked up and ready.
///
/// A value of this type is a *set-up* of the game (edition, scenario, options); its [`State`](Self::State)
/// is a position. Everything is a function of the two. No clock, no thread, no random generator, no file.
///
/// The **hot path** is [`mover`](Self::mover), [`choices`](Self::choices), [`tickets`](Self::tickets),
/// [`drawn`](Self::drawn) and [`apply`](Self::apply); they must not allocate once the buffer is warm. All
/// the rest is for people and programs that ask.
pub trait Game: Clone + Send + Sync + 'static {
    /// A position. Small and cheap to clone; its `Hash` and its `Encode` must cover all of it.
    type State: Clone + Eq + Hash + Encode + Debug + Send + Sync;
    /// One atomic decision of a seat or of Fate.
    type Choice: Copy + Eq + Hash + Debug + Send + Sync;
    /// A typed line of the story.
    type Event: Clone + PartialEq + Debug + Send + Sync;
    /// What one viewer may know of a position, and nothing else.
    type View: Clone + PartialEq + Hash + Debug + Send + Sync;
    /// What a bot of the game's own keeps in mind from choice to choice; `()` where there is none.
    type Memory: Clone + Default + Debug + Send;

    /// The word for the game in saves, commands and the protocol.
    const ID: &'static str;
    /// The game's title for people.
    const TITLE: &'static str;
    /// Changes whenever the same choices could lead to another state than before.
    const RULES_VERSION: &'static str;

    /// Makes the set-up that the options describe, or says what is wrong with them.
    fn with_options(options: &Options) -> Result<Self, String>;

    /// The options of this set-up, complete, so that `with_options(self.options())` gives it again.
    fn options(&self) -> Options;

    /// What a match that was begun under other rules has for options that those rules did not know of, so that it goes
    /// on as it began. Empty for the present rules, and where old matches can be had in no other way than new ones.
    fn options_under(_rules: &str) -> Options {
        Options::new()
    }

    /// The options that there are, each with a sentence.
    fn option_help() -> &'static [(&'static str, &'static str)];

    /// The seats in order.
    fn seats(&self) -> &[SeatInfo];

    /// The ways in which a game can end; [`Outcome`] is an index into them.
    fn results(&self) -> &[ResultInfo];

    /// Whether this set-up ever holds something that one viewer knows and another does not. If so, a running match
    /// shows no digests and is not published.
    fn hides(&self) -> bool {
        false
    }

    // --- the hot path -------------------------------------------------------------------------

    /// The opening position.
    fn start(&self) -> Self::State;

    /// Who makes the next choice.
    fn mover(&self, state: &Self::State) -> Mover;

    /// Adds to `out` what the mover may do now, in a stable order: for Fate every possible result, for a
    /// seat every legal choice. Nothing is added when the game is over.
    fn choices(&self, state: &Self::State, out: &mut Vec<Self::Choice>);

    /// Fate only: into how many equally likely tickets the draw is divided.
    fn tickets(&self, state: &Self::State) -> u32;

    /// Fate only: the choice that a ticket from 0 to `tickets - 1` stands for.
    fn drawn(&self, state: &Self::State, ticket: u32) -> Self::Choice;

    /// Plays a choice **that is one of [`choices`](Self::choices)**, and whatever follows from it without
    /// a further decision.
    fn apply<L: EventSink<Self::Event>>(&self, state: &mut Self::State, choice: Self::Choice, sink: &mut L);

    /// How the game ended; `None` while it goes on.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    // --- legality in words --------------------------------------------------------------------

    /// Why a choice can't be made now; `None` if it can. Agrees with [`choices`](Self::choices) always.
    fn refusal(&self, state: &Self::State, choice: Self::Choice) -> Option<Refusal>;

    /// Adds choices to try here, legal or not: every one that can be named where that is a small number, a sample by
    /// `dice` where it is not. The conformance suite asks of each whether it is refused exactly when it is not listed.
    fn vocabulary<D: Dice>(&self, state: &Self::State, dice: &mut D, out: &mut Vec<Self::Choice>);

    /// What a person would look for here and can't have; the reasons come from [`refusal`](Self::refusal).
    fn closed(&self, state: &Self::State, out: &mut Vec<Self::Choice>);

    /// The choice that a person takes by just going on, where there is an obvious one.
    fn default_choice(&self, _state: &Self::State) -> Option<Self::Choice> {
        None
    }

    // --- words --------------------------------------------------------------------------------

    /// Writes the stable name of a choice, such as `attack WF`.
    fn write_name(&self, state: &Self::State, choice: Self::Choice, out: &mut String);

    /// Reads a name, legal now or not; `None` if it names no choice of this game.
    fn read_name(&self, state: &Self::State, name: &str) -> Option<Self::Choice>;

    /// A choice in words, with what it would mean here: "Attack the Western Front: needs 5, +1".
    fn label(&self, state: &Self::State, choice: Self::Choice) -> String;

    /// What is asked now, of a seat or of Fate ("Axis attack on EF, one die"); every draw names its purpose.
    fn prompt(&self, state: &Self::State) -> Prompt;

    /// A event in words.
    fn log_line(&self, event: &Self::Event) -> LogLine;

    /// The turn that a position belongs to, for chapters of the log and "undo to the start of my turn".
    fn turn(&self, state: &Self::State) -> u16;

    /// The turn in words: "Turn 7, 1942".
    fn turn_title(&self, turn: u16) -> String;

    // --- what a viewer may know ---------------------------------------------------------------

    /// What a viewer sees.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;

    /// A full state that agrees with the view, what is hidden sampled with `dice`.
    fn determinize<D: Dice>(&self, view: &Self::View, dice: &mut D) -> Self::State;

    /// The view as data, for the protocol.
    fn describe(&self, view: &Self::View) -> Value;

    /// The view as text, for the terminal.
    fn picture(&self, view: &Self::View) -> String;

    /// Whether the log hides this choice from a viewer (a secret commitment, a card drawn by another).
    fn conceals(&self, _state: &Self::State, _choice: Self::Choice, _viewer: Viewer) -> bool {
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

    /// Whether the choice shows somebody something that was hidden: undo does not go back across it.
    fn reveals(&self, _state: &Self::State, _choice: Self::Choice) -> bool {
        false
    }

    // --- judgement ----------------------------------------------------------------------------

    /// How good a position is for a seat: thousandths of a point, higher is better, quick.
    fn evaluate(&self, state: &Self::State, seat: Seat) -> i32;

    /// What a seat may expect, judged at a glance, from 0 for a loss to 1 for a win: what a playout is worth that is cut off
    /// here, at the beginning of a turn, before Fate draws for it. Of the seats of a game with three and more only the
    /// proportion counts.
    fn glance(&self, state: &Self::State, seat: Seat) -> f32 {
        self.tuning().chance(self.evaluate(state, seat))
    }

    /// How a search thinks about this set-up.
    fn tuning(&self) -> Tuning {
        Tuning::default()
    }

    /// What a sensible player does without thinking long: an index into `choices`.
    fn instinct<D: Dice>(&self, view: &Self::View, choices: &[Self::Choice], dice: &mut D) -> usize;

    /// The same with a closer look, where the game has one: what a search holds to be the usual choice of the position that
    /// it thinks about.
    fn considered<D: Dice>(&self, view: &Self::View, choices: &[Self::Choice], dice: &mut D) -> usize {
        self.instinct(view, choices, dice)
    }

    /// The same for a seat of a position that is played out to its end: with something in mind from choice to choice, where
    /// that is quicker. It must not make use of what the seat may not know.
    #[inline]
    fn quick<D: Dice>(
        &self,
        _memory: &mut Self::Memory,
        state: &Self::State,
        seat: Seat,
        choices: &[Self::Choice],
        dice: &mut D,
    ) -> usize {
        self.instinct(&self.view(state, Viewer::Seat(seat)), choices, dice)
    }

    /// The bots that only this game has: a word and a sentence each.
    fn own_bots() -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// What such a bot does, by its place in [`own_bots`](Self::own_bots): an index into `choices`.
    ///
    /// Where `why` is there, people would like to know: the bot may write the reason of its choice into it, in a sentence
    /// or two. It may speak of what its seat knows, for the match keeps it from the others while the game hides
    /// something. Simulations ask without it, and a bot then spends nothing on words.
    fn own_bot<D: Dice>(
        &self,
        _bot: usize,
        _memory: &mut Self::Memory,
        view: &Self::View,
        choices: &[Self::Choice],
        dice: &mut D,
        _why: Option<&mut String>,
    ) -> usize {
        self.instinct(view, choices, dice)
    }

    // --- questions ----------------------------------------------------------------------------

    /// The questions that make sense here, such as `attack WF`.
    fn questions(&self, view: &Self::View) -> Vec<String>;

    /// Answers a question, or says which questions there are.
    fn answer(&self, view: &Self::View, question: &str) -> Result<Answer, String>;

    /// Sets one thing of a position by hand, such as `WF` to `4`, for questions about a given position.
    fn place(&self, state: &mut Self::State, key: &str, value: &str) -> Result<(), String>;

    // --- files --------------------------------------------------------------------------------

    /// Checks the data that is built in, and says what there is.
    fn check_builtin() -> Result<Vec<String>, Problems>;

    /// The kinds of file that a user may write for this game, such as `book`, each with a sentence.
    fn file_kinds() -> &'static [(&'static str, &'static str)];

    /// Checks a file of one of [`file_kinds`](Self::file_kinds).
    fn check_file(kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems>;

    // --- statistics ---------------------------------------------------------------------------

    /// What [`metric`](Self::metric) measures, such as "VP".
    const METRIC: &'static str;

    /// A number worth a curve over the turns of a game.
    fn metric(&self, state: &Self::State) -> i32;

    /// Names of the things worth counting in a batch of games.
    fn counters(&self) -> Vec<String>;

    /// The tally that a event counts for.
    fn counter(&self, event: &Self::Event) -> Option<usize>;

    // --- tests --------------------------------------------------------------------------------

    /// What must hold in every position; the first thing that does not.
    fn invariants(&self, state: &Self::State) -> Result<(), String>;
}
