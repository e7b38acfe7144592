//! A toy for two with secrets: a card each, a stake, a hidden stance, then both are shown.
//!
//! A set-up can break one promise of a game on purpose, to test whether the conformance suite finds it.

#![allow(missing_docs, reason = "the names of a toy speak for themselves")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use kernel::{
    Audience, Catalogue, Dice, Effort, EventSink, FeatureSink, Game, Judgement, LogLine, Mover, Options,
    Outcome, Prompt, Refusal, ResultInfo, Seat, SeatInfo, Standing, Viewer, Wording,
};
use serde_json::{Value, json};

/// The promise that a set-up breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    LeakyView,
    LeakyEvent,
    LeakyChoices,
    LeakyLabel,
    NamesCollide,
    ClosesListed,
    NoReason,
    WrongTickets,
    WrongDeterminize,
    BrokenInvariant,
    Endless,
    OverWithoutOutcome,
    OwnMemory,
    LostOption,
    LeakyWaiting,
    ChangingFeatures,
    SameAction,
}

impl Fault {
    pub const ALL: [Self; 18] = [
        Self::None,
        Self::LeakyView,
        Self::LeakyEvent,
        Self::LeakyChoices,
        Self::LeakyLabel,
        Self::NamesCollide,
        Self::ClosesListed,
        Self::NoReason,
        Self::WrongTickets,
        Self::WrongDeterminize,
        Self::BrokenInvariant,
        Self::Endless,
        Self::OverWithoutOutcome,
        Self::OwnMemory,
        Self::LostOption,
        Self::LeakyWaiting,
        Self::ChangingFeatures,
        Self::SameAction,
    ];
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    Card(u8),
    Stake(u8),
    Hold,
    Strike,
    Show,
    Insist,
    Concede,
}

/// All choices in the order of the deck and the phases.
const VOCABULARY: [Choice; 10] = [
    Choice::Card(1),
    Choice::Card(2),
    Choice::Card(3),
    Choice::Stake(1),
    Choice::Stake(2),
    Choice::Hold,
    Choice::Strike,
    Choice::Show,
    Choice::Insist,
    Choice::Concede,
];

/// Four cards, one value twice.
const DECK: [u8; 4] = [1, 1, 2, 3];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct State {
    /// How many choices were made; it says who is to do what.
    pub step: u8,
    pub cards: [u8; 2],
    pub stakes: [u8; 2],
    /// 0 not yet, 1 hold, 2 strike.
    pub stances: [u8; 2],
    pub conceded: bool,
    /// Only used by the set-up that remembers what it should not.
    memory: u8,
}

kernel::encode_struct!(State { step, cards, stakes, stances, conceded, memory });

const SHOWDOWN: u8 = 6;
const END: u8 = 8;

impl State {
    /// Whose card, stake or stance is due.
    fn due(&self) -> usize {
        match self.step {
            0 | 2 | 3 | 6 | 7 => 0,
            _ => 1,
        }
    }

    fn is_shown(&self) -> bool {
        self.step > SHOWDOWN
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEvent {
    Dealt(u8, u8),
    DealtSomething(u8),
    Staked(u8, u8),
    Committed(u8),
    Shown([u8; 2], [u8; 2]),
    Ended(bool),
}

/// The state with what the viewer may not know left at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    pub viewer: Viewer,
    pub known: State,
}

#[derive(Clone, Debug)]
pub struct Duel {
    pub fault: Fault,
    /// Played with open cards.
    pub open: bool,
    seats: [SeatInfo; 2],
    results: Vec<ResultInfo>,
    memory: Arc<AtomicU8>,
}

impl Duel {
    pub fn with(fault: Fault) -> Self {
        let result =
            |word, first, second| ResultInfo { word, title: word.to_owned(), standings: vec![first, second] };
        Self {
            fault,
            open: false,
            seats: [SeatInfo { word: "red", title: "Red" }, SeatInfo { word: "blue", title: "Blue" }],
            results: vec![
                result("red", Standing::Win, Standing::Loss),
                result("blue", Standing::Loss, Standing::Win),
                result("tie", Standing::Draw, Standing::Draw),
            ],
            memory: Arc::default(),
        }
    }

    /// What is left of the deck.
    fn deck(&self, state: &State) -> Vec<u8> {
        let mut deck = DECK.to_vec();
        if self.fault != Fault::WrongTickets
            && let Some(at) = deck.iter().position(|card| *card == state.cards[0])
        {
            deck.remove(at);
        }
        deck
    }

    fn is_open(&self, state: &State, choice: Choice) -> bool {
        match (state.step, choice) {
            (0 | 1, Choice::Card(card)) => {
                let copies = DECK.iter().filter(|one| **one == card).count();
                copies > usize::from(state.step == 1 && state.cards[0] == card)
            }
            (2, Choice::Stake(_)) => true,
            // Blue has to match the stake of red.
            (4, Choice::Stake(stake)) => stake >= state.stakes[0],
            (3, Choice::Strike) if self.fault == Fault::LeakyChoices => state.cards[1] > 1,
            (3 | 5, Choice::Hold | Choice::Strike) | (6, Choice::Show) => true,
            (7, Choice::Insist | Choice::Concede) => true,
            _ => false,
        }
    }
}

impl Game for Duel {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = View;

    const ID: &'static str = "duel";
    const TITLE: &'static str = "Duel";
    const RULES_VERSION: &'static str = "1";

    fn with_options(options: &Options) -> Result<Self, String> {
        let word = options.get("fault").map_or("None", String::as_str);
        let fault = Fault::ALL.into_iter().find(|fault| format!("{fault:?}") == word);
        let fault = fault.ok_or_else(|| format!("fault {word:?}"))?;
        Ok(Self { open: options.contains_key("open"), ..Self::with(fault) })
    }

    fn options(&self) -> Options {
        let word = if self.fault == Fault::LostOption { Fault::None } else { self.fault };
        let mut options = Options::from([("fault".to_owned(), format!("{word:?}"))]);
        if self.open {
            options.insert("open".to_owned(), "yes".to_owned());
        }
        options
    }

    fn seats(&self) -> &[SeatInfo] {
        &self.seats
    }

    fn results(&self) -> &[ResultInfo] {
        &self.results
    }

    fn hides(&self) -> bool {
        !self.open
    }

    fn start(&self) -> State {
        State::default()
    }

    fn mover(&self, state: &State) -> Mover {
        match state.step {
            0 | 1 => Mover::Fate,
            END => Mover::Nobody,
            _ => Mover::Seat(Seat(state.due() as u8)),
        }
    }

    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        out.extend(VOCABULARY.into_iter().filter(|&choice| self.is_open(state, choice)));
    }

    fn tickets(&self, state: &State) -> u32 {
        self.deck(state).len() as u32
    }

    fn drawn(&self, state: &State, ticket: u32) -> Choice {
        Choice::Card(self.deck(state)[ticket as usize])
    }

    fn apply<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        let due = state.due();
        let seat = due as u8;
        match choice {
            Choice::Card(card) => {
                state.cards[due] = card;
                if self.fault == Fault::LeakyEvent {
                    sink.emit(|| GameEvent::Dealt(seat, card));
                } else {
                    sink.emit_to(Audience::Only(Seat(seat)), || GameEvent::Dealt(seat, card));
                    sink.emit_to(Audience::Except(Seat(seat)), || GameEvent::DealtSomething(seat));
                }
            }
            Choice::Stake(stake) => {
                state.stakes[due] = stake;
                sink.emit(|| GameEvent::Staked(seat, stake));
            }
            Choice::Hold | Choice::Strike => {
                state.stances[due] = 1 + u8::from(choice == Choice::Strike);
                sink.emit(|| GameEvent::Committed(seat));
            }
            Choice::Show => {
                let (cards, stances) = (state.cards, state.stances);
                sink.emit(|| GameEvent::Shown(cards, stances));
            }
            Choice::Insist | Choice::Concede => {
                // The set-up whose option gets lost plays by another rule than the save says.
                state.conceded = (choice == Choice::Concede) != (self.fault == Fault::LostOption);
                let conceded = state.conceded;
                sink.emit(|| GameEvent::Ended(conceded));
            }
        }
        if self.fault == Fault::OwnMemory {
            state.memory = self.memory.fetch_add(1, Ordering::Relaxed);
        }
        if self.fault != Fault::Endless || state.step < 7 {
            state.step += 1;
        }
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.step != END || self.fault == Fault::OverWithoutOutcome {
            return None;
        }
        let strength = |seat: usize| state.cards[seat] * state.stances[seat];
        Some(match strength(0).cmp(&strength(1)) {
            _ if state.conceded => Outcome(1),
            std::cmp::Ordering::Greater => Outcome(0),
            std::cmp::Ordering::Less => Outcome(1),
            std::cmp::Ordering::Equal => Outcome(2),
        })
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let mut known = State { memory: 0, ..*state };
        for seat in 0..2 {
            if viewer != Viewer::Seat(Seat(seat)) && !state.is_shown() {
                known.stances[usize::from(seat)] = 0;
                if self.fault != Fault::LeakyView || state.step < 3 {
                    known.cards[usize::from(seat)] = 0;
                }
            }
        }
        View { viewer, known }
    }

    fn determinize<D: Dice>(&self, view: &View, dice: &mut D) -> State {
        let mut state = view.known;
        if state.is_shown() {
            return state;
        }
        let mut deck = DECK.to_vec();
        let known = view.viewer;
        for seat in [0, 1] {
            let own = (known == Viewer::Seat(Seat(seat))).then_some(state.cards[usize::from(seat)]);
            if let Some(at) = deck.iter().position(|card| Some(*card) == own) {
                deck.remove(at);
            }
        }
        for seat in 0..2_u8 {
            let at = usize::from(seat);
            if known == Viewer::Seat(Seat(seat)) {
                continue;
            }
            if state.step > seat {
                state.cards[at] = deck.remove(dice.below(deck.len() as u32) as usize);
            }
            if state.step > 3 + 2 * seat {
                state.stances[at] = 1 + dice.below(2) as u8;
            }
        }
        if self.fault == Fault::WrongDeterminize && state.step > 2 {
            state.stakes[0] = 3 - state.stakes[0];
        }
        state
    }

    fn conceals(&self, state: &State, choice: Choice, viewer: Viewer) -> bool {
        let secret = matches!(choice, Choice::Card(_) | Choice::Hold | Choice::Strike);
        secret && viewer != Viewer::Seat(Seat(state.due() as u8))
    }

    fn reveals(&self, _: &State, choice: Choice) -> bool {
        choice == Choice::Show
    }

    fn invariants(&self, state: &State) -> Result<(), String> {
        if self.fault == Fault::BrokenInvariant && state.step == 5 {
            return Err("blue is too far".to_owned());
        }
        (state.cards[0] != 3 || state.cards[1] != 3).then_some(()).ok_or_else(|| "two threes".to_owned())
    }
}

impl Wording for Duel {
    fn why_not(&self, _: &State, _: Choice) -> Refusal {
        let reason = if self.fault == Fault::NoReason { "" } else { "not now" };
        Refusal::new(reason, "")
    }

    fn closed(&self, state: &State, _: &[Choice], out: &mut Vec<Choice>) {
        let stake = Choice::Stake(1);
        let is_wanted = state.step == 4 && (self.fault == Fault::ClosesListed || !self.is_open(state, stake));
        out.extend(is_wanted.then_some(stake));
    }

    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        let name = match choice {
            Choice::Stake(_) if self.fault == Fault::NamesCollide => "stake".to_owned(),
            Choice::Card(n) => format!("card {n}"),
            Choice::Stake(n) => format!("stake {n}"),
            other => format!("{other:?}").to_lowercase(),
        };
        out.push_str(&name);
    }

    fn read_name(&self, state: &State, name: &str) -> Option<Choice> {
        VOCABULARY.into_iter().find(|&choice| {
            let mut written = String::new();
            self.write_name(state, choice, &mut written);
            written == name
        })
    }

    fn label(&self, state: &State, choice: Choice) -> String {
        if self.fault == Fault::LeakyLabel {
            return format!("{choice:?} against {:?}", state.cards);
        }
        format!("{choice:?}")
    }

    fn prompt(&self, state: &State) -> Prompt {
        let waiting = match self.fault {
            Fault::LeakyWaiting => format!("wait for one with {:?}", state.cards),
            _ => "wait".to_owned(),
        };
        Prompt { text: format!("step {}", state.step), waiting, rule: "" }
    }

    fn log_line(&self, event: &GameEvent) -> LogLine {
        LogLine { text: format!("{event:?}"), rule: "", aside: false }
    }

    fn describe(&self, view: &View) -> Value {
        json!({ "cards": view.known.cards, "stances": view.known.stances, "stakes": view.known.stakes })
    }

    fn picture(&self, view: &View) -> String {
        format!("{:?}", view.known)
    }
}

impl Judgement for Duel {
    type Memory = ();

    fn policy<D: Dice>(
        &self,
        _: Effort,
        (): &mut (),
        _: &View,
        _: &[Choice],
        _: &mut D,
        _: Option<&mut String>,
    ) -> usize {
        0
    }

    fn features<S: FeatureSink>(&self, view: &View, out: &mut S) {
        out.share(format_args!("step"), view.known.step, 16_u8);
        for (seat, card) in view.known.cards.into_iter().enumerate() {
            if self.fault != Fault::ChangingFeatures || card < 3 {
                out.put(format_args!("card of seat {seat}"), card);
            }
        }
    }

    fn actions(&self) -> usize {
        VOCABULARY.len()
    }

    fn action(&self, nth: usize, choice: Choice) -> usize {
        let at = VOCABULARY.iter().position(|known| *known == choice).unwrap_or(nth);
        if self.fault == Fault::SameAction { at / 2 } else { at }
    }
}

impl Catalogue for Duel {
    const METRIC: &'static str = "step";

    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[("fault", "the promise that is broken"), ("open", "played with open cards")]
    }

    fn metric(&self, state: &State) -> i32 {
        i32::from(state.step)
    }
}
