//! A toy for two: a hidden card each, then bids in turn, then the higher card wins. Its bots misbehave on demand.
//!
//! With the option `pairs` the cards lie open, and each bids twice before the other does. With the option `sealed` nobody is shown
//! what Red bids before Blue has bid too.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, LazyLock, Mutex};

use kernel::{
    Audience, Catalogue, Dice, Effort, EventSink, Game, Judgement, LogLine, Mover, Options, Outcome, Prompt,
    ResultInfo, Seat, SeatInfo, Standing, Viewer, Wording,
};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::opponents::{BotOffer, seat_fields};
use crate::scene::{Asked, Board, Scene, Tone};

/// Cards are dealt at steps 0 and 1; the last bid is made before this one.
const END: u8 = 10;
const SEATS: [SeatInfo; 2] =
    [SeatInfo { word: "red", title: "Red" }, SeatInfo { word: "blue", title: "Blue" }];

/// Where the bot `slow` thinks until it is let go.
#[derive(Default)]
pub struct Gate {
    /// How many thoughts have begun, and how many may end.
    counts: Mutex<(u32, u32)>,
    changed: Condvar,
}

/// The gates by their name, which is an option of the set-up: every test has its own.
static GATES: LazyLock<Mutex<HashMap<String, Arc<Gate>>>> = LazyLock::new(Mutex::default);

impl Gate {
    pub fn named(name: &str) -> Arc<Self> {
        Arc::clone(GATES.lock().expect("the gates").entry(name.to_owned()).or_default())
    }

    fn pass(&self) {
        let mut counts = self.counts.lock().expect("the counts");
        counts.0 += 1;
        let turn = counts.0;
        drop(self.changed.wait_while(counts, |counts| counts.1 < turn).expect("the counts"));
    }

    /// How many thoughts have begun.
    pub fn begun(&self) -> u32 {
        self.counts.lock().expect("the counts").0
    }

    /// Lets one more thought end.
    pub fn let_go(&self) {
        self.counts.lock().expect("the counts").1 += 1;
        self.changed.notify_all();
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    Card(u8),
    Bid(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct State {
    step: u8,
    cards: [u8; 2],
    bids: [u8; 2],
    pairs: bool,
    sealed: bool,
}

kernel::encode_struct!(State { step, cards, bids, pairs, sealed });

impl State {
    fn due(self) -> usize {
        let bids = self.step.saturating_sub(2);
        usize::from(if self.pairs && self.step > 1 { bids / 2 % 2 } else { self.step % 2 })
    }

    /// The rule of the question: that of secret bids, but for the last round.
    fn rule(self) -> &'static str {
        match self.step {
            _ if !self.sealed => "",
            0..=7 => "7",
            _ => "9",
        }
    }

    /// Whether the next bid is one that the other is not shown.
    fn bids_in_secret(self) -> bool {
        self.sealed && self.step > 1 && self.due() == 0
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEvent {
    Shuffled,
    Dealt(usize, u8),
    DealtSomething(usize),
    Weighed(usize),
    Bid(usize, u8),
    BidSomething,
}

#[derive(Clone)]
pub struct Cards {
    gate: String,
    pairs: bool,
    sealed: bool,
    results: Vec<ResultInfo>,
}

/// A card as nobody else may read it: `red:2`.
fn card(seat: usize, card: u8) -> String {
    format!("{}:{card}", SEATS[seat].word)
}

/// The cards that are known, as text.
fn known(view: &State) -> String {
    let held = (0..2).filter(|seat| view.cards[*seat] > 0).map(|seat| card(seat, view.cards[seat]));
    held.collect::<Vec<_>>().join(" ")
}

impl Game for Cards {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = State;

    const ID: &'static str = "cards";
    const TITLE: &'static str = "Cards";
    const RULES_VERSION: &'static str = "1";

    fn with_options(options: &Options) -> Result<Self, String> {
        let result = |word: &'static str, title: &str, standings| ResultInfo {
            word,
            title: title.to_owned(),
            standings,
        };
        Ok(Self {
            gate: options.get("gate").cloned().unwrap_or_default(),
            pairs: options.get("pairs").is_some_and(|pairs| pairs == "yes"),
            sealed: options.get("sealed").is_some_and(|sealed| sealed == "yes"),
            results: vec![
                result("red", "Red wins", vec![Standing::Win, Standing::Loss]),
                result("blue", "Blue wins", vec![Standing::Loss, Standing::Win]),
                result("tie", "A tie", vec![Standing::Draw, Standing::Draw]),
            ],
        })
    }

    fn options(&self) -> Options {
        let mut options = Options::from([("gate".to_owned(), self.gate.clone())]);
        if self.pairs {
            options.insert("pairs".to_owned(), "yes".to_owned());
        }
        if self.sealed {
            options.insert("sealed".to_owned(), "yes".to_owned());
        }
        options
    }

    fn seats(&self) -> &[SeatInfo] {
        &SEATS
    }

    fn results(&self) -> &[ResultInfo] {
        &self.results
    }

    fn hides(&self) -> bool {
        !self.pairs
    }

    fn start(&self) -> State {
        State { pairs: self.pairs, sealed: self.sealed, ..State::default() }
    }

    fn mover(&self, state: &State) -> Mover {
        match state.step {
            0 | 1 => Mover::Fate,
            END => Mover::Nobody,
            _ => Mover::Seat(Seat(state.due() as u8)),
        }
    }

    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        match self.mover(state) {
            Mover::Fate => out.extend([1, 2, 3].map(Choice::Card)),
            Mover::Seat(_) => out.extend([1, 2].map(Choice::Bid)),
            Mover::Nobody => {}
        }
    }

    fn apply<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        let due = state.due();
        match choice {
            Choice::Card(card) => {
                state.cards[due] = card;
                let seat = Seat(due as u8);
                sink.emit(|| GameEvent::Shuffled);
                sink.emit_to(Audience::Only(seat), || GameEvent::Dealt(due, card));
                sink.emit_to(Audience::Except(seat), || GameEvent::DealtSomething(due));
            }
            Choice::Bid(bid) => {
                state.bids[due] += bid;
                sink.emit(|| GameEvent::Weighed(due));
                if state.bids_in_secret() {
                    sink.emit_to(Audience::Only(Seat(0)), || GameEvent::Bid(due, bid));
                    sink.emit_to(Audience::Except(Seat(0)), || GameEvent::BidSomething);
                } else {
                    sink.emit(|| GameEvent::Bid(due, bid));
                }
            }
        }
        state.step += 1;
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.step == END).then(|| match state.cards[0].cmp(&state.cards[1]) {
            std::cmp::Ordering::Greater => Outcome(0),
            std::cmp::Ordering::Less => Outcome(1),
            std::cmp::Ordering::Equal => Outcome(2),
        })
    }

    fn turn(&self, state: &State) -> u16 {
        u16::from(state.step / 2)
    }

    fn view(&self, state: &State, viewer: Viewer) -> State {
        let mut view = *state;
        for seat in 0..2 {
            if self.hides() && viewer != Viewer::Seat(Seat(seat)) && state.step < END {
                view.cards[usize::from(seat)] = 0;
            }
        }
        if state.sealed && state.step > 2 && state.due() == 1 && viewer != Viewer::Seat(Seat(0)) {
            view.bids[0] = 0;
        }
        view
    }

    fn determinize<D: Dice>(&self, view: &State, _: &mut D) -> State {
        *view
    }

    fn conceals(&self, state: &State, choice: Choice, viewer: Viewer) -> bool {
        let is_secret = matches!(choice, Choice::Card(_)) || state.bids_in_secret();
        self.hides() && is_secret && viewer != Viewer::Seat(Seat(state.due() as u8))
    }
}

impl Wording for Cards {
    fn write_name(&self, state: &State, choice: Choice, out: &mut String) {
        match choice {
            Choice::Card(n) => out.push_str(&card(state.due(), n)),
            Choice::Bid(n) => out.push_str(&format!("bid {n}")),
        }
    }

    fn read_name(&self, state: &State, name: &str) -> Option<Choice> {
        let all = [1, 2, 3].map(Choice::Card).into_iter().chain([1, 2].map(Choice::Bid));
        let named = |choice: &Choice| {
            let mut written = String::new();
            self.write_name(state, *choice, &mut written);
            written == name
        };
        { all }.find(named)
    }

    fn label(&self, state: &State, choice: Choice) -> String {
        match choice {
            Choice::Bid(bid) => format!("Bid {bid}, {} in all", state.bids[state.due()] + bid),
            Choice::Card(_) => format!("{choice:?}"),
        }
    }

    fn prompt(&self, state: &State) -> Prompt {
        let seat = SEATS[state.due()].title;
        Prompt {
            text: format!("{seat}: bid"),
            waiting: format!("Waiting for {seat} to bid"),
            rule: state.rule(),
        }
    }

    fn log_line(&self, event: &GameEvent) -> LogLine {
        let seat = |at: usize| SEATS[at].title;
        let (text, aside) = match *event {
            GameEvent::Shuffled => ("The cards are shuffled".to_owned(), true),
            GameEvent::Dealt(at, n) => (format!("{} gets {}", seat(at), card(at, n)), false),
            GameEvent::DealtSomething(at) => (format!("{} gets a card", seat(at)), false),
            GameEvent::Weighed(at) => (format!("{} weighs the odds", seat(at)), true),
            GameEvent::Bid(at, n) => (format!("{} bids {n}", seat(at)), false),
            GameEvent::BidSomething => ("Red bids something".to_owned(), false),
        };
        LogLine { text, rule: "", aside }
    }

    fn turn_title(&self, turn: u16) -> String {
        format!("Round {turn}")
    }

    fn describe(&self, view: &State) -> Value {
        json!(known(view))
    }

    fn picture(&self, view: &State) -> String {
        known(view)
    }
}

impl Judgement for Cards {
    /// How often a bot has chosen.
    type Memory = u8;

    fn bots() -> &'static [(&'static str, &'static str)] {
        &[
            ("silent", "Chooses nothing"),
            ("broken", "Panics"),
            ("slow", "Thinks until it is let go, then bids 2"),
            ("learning", "Bids 1 the first time, then 2"),
            ("talking", "Bids 1 and says what it holds"),
        ]
    }

    fn policy<D: Dice>(
        &self,
        effort: Effort,
        memory: &mut u8,
        view: &State,
        _: &[Choice],
        _: &mut D,
        why: Option<&mut String>,
    ) -> usize {
        let Effort::Bot(bot) = effort else { return 1 };
        *memory += 1;
        match bot {
            0 => usize::MAX,
            1 => panic!("this bot always breaks down"),
            2 => {
                Gate::named(&self.gate).pass();
                1
            }
            3 => usize::from(*memory > 1),
            _ => {
                if let Some(why) = why {
                    why.push_str(&format!("Because\nI hold <{}>.", known(view)));
                }
                0
            }
        }
    }
}

impl Catalogue for Cards {
    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[
            ("gate", "where the slow bot waits"),
            ("pairs", "yes: two bids in a row, and open cards"),
            ("sealed", "yes: Red bids in secret"),
        ]
    }
}

impl Board for Cards {
    type Game = Self;
    const SECRET_IN_TURN: &'static [(&'static str, &'static str)] = &[("7", "to bid")];

    const CREDIT: &'static str = "";
    const PITCH: &'static str = "";
    const RULEBOOK: &'static str = "# Cards";
    const STYLE: &'static str = "";

    fn setup_title(_: &Self) -> String {
        "Cards".to_owned()
    }
    fn setup_class(_: &Options) -> (String, String) {
        ("Cards".to_owned(), String::new())
    }
    fn new_game_fields(bots: &[BotOffer]) -> Markup {
        seat_fields(&SEATS.each_ref().map(|seat| seat.title), bots)
    }
    fn sheet(_: &Self) -> Markup {
        html! { div #hand-place {} }
    }
    fn draw(_: &Self, view: &State, _: &Asked<'_, Choice>, scene: &mut Scene) {
        scene.add("hand-place", "hand", html! { p #hand { (known(view)) } });
    }
    fn thumbnail(_: &Self, view: &State, _: Tone) -> Markup {
        html! { svg { text { (known(view)) } } }
    }
    fn print(_: &Self, view: Option<&State>) -> Markup {
        html! { p { (view.map(known).unwrap_or_default()) } }
    }
    fn die_face(name: &str) -> Option<u8> {
        name.split_once(':')?.1.parse().ok()
    }
    fn question(_: &Self, _: &State, _: Choice) -> Option<String> {
        None
    }
    fn preview(game: &Self, view: &State, choice: Choice) -> Option<(String, Scene)> {
        Some((game.label(view, choice), Scene::default()))
    }
}
