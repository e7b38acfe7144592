//! A toy for one to three whose chances can be worked out: each in turn takes a coin for sure, or dices for two, or wastes the
//! turn. Whoever has most at the end wins; alone one must get more coins than there are rounds.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use diagnostics::FileCheck;
use diagnostics::Problems;
use kernel::{
    Answer, Dice, Discard, EventSink, Game, LogLine, Mover, Options, Outcome, Prompt, Refusal, ResultInfo,
    Seat, SeatInfo, Standing, Tuning, Viewer,
};
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    Take,
    Dice,
    Waste,
    Face(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct State {
    pub coins: [u8; 3],
    /// Decisions so far.
    pub made: u8,
    pub rolling: bool,
}

kernel::encode_struct!(State { coins, made, rolling });

#[derive(Clone, Debug)]
pub struct Coins {
    pub rounds: u8,
    pub calibration: (f64, f64),
    seats: Vec<SeatInfo>,
    /// One for each set of seats that share the victory.
    results: Vec<ResultInfo>,
}

const SEATS: [SeatInfo; 3] = [
    SeatInfo { word: "red", title: "Red" },
    SeatInfo { word: "blue", title: "Blue" },
    SeatInfo { word: "green", title: "Green" },
];

impl Coins {
    pub fn new(seats: usize, rounds: u8) -> Self {
        let standing = |winners: usize, seat: usize| match (winners >> seat & 1, winners.count_ones()) {
            (0, _) => Standing::Loss,
            (_, 1) => Standing::Win,
            _ => Standing::Draw,
        };
        let solo = [Standing::Loss, Standing::Draw, Standing::Win].map(|standing| vec![standing]);
        let several: Vec<Vec<Standing>> =
            (0..1 << seats).map(|winners| (0..seats).map(|seat| standing(winners, seat)).collect()).collect();
        let standings = if seats == 1 { solo.to_vec() } else { several };
        let result = |standings: Vec<Standing>| ResultInfo {
            word: "over",
            title: format!("Counted: {standings:?}"),
            standings,
        };
        Self {
            rounds,
            calibration: (0.0, 1.0),
            seats: SEATS[..seats].to_vec(),
            results: standings.into_iter().map(result).collect(),
        }
    }

    /// What a position is worth if everybody plays for the best of their own, exactly.
    pub fn exact(&self, state: &State) -> [f64; 3] {
        let worth = |choice| {
            let mut after = *state;
            self.apply(&mut after, choice, &mut Discard);
            self.exact(&after)
        };
        match self.mover(state) {
            Mover::Nobody => {
                let outcome = self.outcome(state).expect("it is over");
                let standings = &self.results[usize::from(outcome.0)].standings;
                std::array::from_fn(|seat| match standings.get(seat) {
                    Some(Standing::Win) => 1.0,
                    Some(Standing::Draw) => 0.5,
                    _ => 0.0,
                })
            }
            Mover::Fate => {
                let faces: Vec<[f64; 3]> = (1..=6).map(|face| worth(Choice::Face(face))).collect();
                std::array::from_fn(|seat| faces.iter().map(|face| face[seat]).sum::<f64>() / 6.0)
            }
            Mover::Seat(seat) => {
                let all = [Choice::Take, Choice::Dice, Choice::Waste].map(worth);
                let best = all.into_iter().max_by(|a, b| a[seat.index()].total_cmp(&b[seat.index()]));
                best.expect("there are three")
            }
        }
    }

    /// The best choice, exactly.
    pub fn best(&self, state: &State, seat: Seat) -> Choice {
        let worth = |choice: &Choice| {
            let mut after = *state;
            self.apply(&mut after, *choice, &mut Discard);
            self.exact(&after)[seat.index()]
        };
        let all = [Choice::Take, Choice::Dice, Choice::Waste];
        all.into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).expect("there are three")
    }
}

impl Game for Coins {
    type State = State;
    type Choice = Choice;
    type Event = ();
    type View = State;
    type Memory = ();

    const ID: &'static str = "coins";
    const TITLE: &'static str = "Coins";
    const RULES_VERSION: &'static str = "1";
    const METRIC: &'static str = "coins";

    fn with_options(_: &Options) -> Result<Self, String> {
        Ok(Self::new(2, 3))
    }
    fn options(&self) -> Options {
        Options::new()
    }
    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    fn seats(&self) -> &[SeatInfo] {
        &self.seats
    }
    fn results(&self) -> &[ResultInfo] {
        &self.results
    }
    fn start(&self) -> State {
        State::default()
    }
    fn mover(&self, state: &State) -> Mover {
        let seats = self.seats.len() as u8;
        match state.rolling {
            true => Mover::Fate,
            false if state.made == self.rounds * seats => Mover::Nobody,
            false => Mover::Seat(Seat(state.made % seats)),
        }
    }
    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        match self.mover(state) {
            Mover::Fate => out.extend((1..=6).map(Choice::Face)),
            Mover::Seat(_) => out.extend([Choice::Take, Choice::Dice, Choice::Waste]),
            Mover::Nobody => {}
        }
    }
    fn tickets(&self, _: &State) -> u32 {
        6
    }
    fn drawn(&self, _: &State, ticket: u32) -> Choice {
        Choice::Face(ticket as u8 + 1)
    }
    fn apply<L: EventSink<()>>(&self, state: &mut State, choice: Choice, _: &mut L) {
        let seat = usize::from(state.made) % self.seats.len();
        match choice {
            Choice::Dice => {
                state.rolling = true;
                return;
            }
            Choice::Take => state.coins[seat] += 1,
            Choice::Face(face) => state.coins[seat] += if face > 3 { 2 } else { 0 },
            Choice::Waste => {}
        }
        state.rolling = false;
        state.made += 1;
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if self.mover(state) != Mover::Nobody {
            return None;
        }
        if self.seats.len() == 1 {
            return Some(Outcome(match state.coins[0].cmp(&self.rounds) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            }));
        }
        let most = state.coins.iter().max().copied().unwrap_or_default();
        let winners = (0..self.seats.len()).filter(|seat| state.coins[*seat] == most);
        Some(Outcome(winners.fold(0, |set, seat| set | 1 << seat)))
    }
    fn refusal(&self, state: &State, choice: Choice) -> Option<Refusal> {
        let mut open = Vec::new();
        self.choices(state, &mut open);
        (!open.contains(&choice)).then(|| Refusal { reason: "not now".to_owned(), rule: "1" })
    }
    fn vocabulary<D: Dice>(&self, state: &State, _: &mut D, out: &mut Vec<Choice>) {
        self.choices(state, out);
    }
    fn closed(&self, _: &State, _: &mut Vec<Choice>) {}
    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        match choice {
            Choice::Take => out.push_str("take"),
            Choice::Dice => out.push_str("dice"),
            Choice::Waste => out.push_str("waste"),
            Choice::Face(face) => out.push_str(&format!("die {face}")),
        }
    }
    fn read_name(&self, _: &State, name: &str) -> Option<Choice> {
        match name {
            "take" => Some(Choice::Take),
            "dice" => Some(Choice::Dice),
            "waste" => Some(Choice::Waste),
            _ => name.strip_prefix("die ")?.parse().ok().filter(|face| *face < 7).map(Choice::Face),
        }
    }
    fn label(&self, state: &State, choice: Choice) -> String {
        let mut name = String::new();
        self.write_name(state, choice, &mut name);
        format!("{name} <for> & \"against\"")
    }
    fn prompt(&self, state: &State) -> Prompt {
        let text = if state.rolling { "a die for two coins" } else { "take, dice or waste" };
        Prompt { text: text.to_owned(), waiting: "wait".to_owned(), rule: "1.1" }
    }
    fn log_line(&self, (): &()) -> LogLine {
        LogLine { text: String::new(), rule: "", aside: false }
    }
    fn turn(&self, state: &State) -> u16 {
        u16::from(state.made) / self.seats.len() as u16 + 1
    }
    fn turn_title(&self, turn: u16) -> String {
        format!("Turn {turn}")
    }
    fn view(&self, state: &State, _: Viewer) -> State {
        *state
    }
    fn determinize<D: Dice>(&self, view: &State, _: &mut D) -> State {
        *view
    }
    fn describe(&self, view: &State) -> Value {
        json!(view.coins)
    }
    fn picture(&self, view: &State) -> String {
        format!("{:?}", view.coins)
    }
    fn evaluate(&self, state: &State, seat: Seat) -> i32 {
        1_000 * i32::from(state.coins[seat.index()])
    }
    fn tuning(&self) -> Tuning {
        Tuning { calibration: self.calibration, ..Tuning::default() }
    }
    fn instinct<D: Dice>(&self, _: &State, _: &[Choice], dice: &mut D) -> usize {
        dice.below(2) as usize
    }
    fn questions(&self, _: &State) -> Vec<String> {
        Vec::new()
    }
    fn answer(&self, _: &State, _: &str) -> Result<Answer, String> {
        Err("no questions".to_owned())
    }
    fn place(&self, _: &mut State, _: &str, _: &str) -> Result<(), String> {
        Err("nothing to set".to_owned())
    }
    fn check_builtin() -> Result<Vec<String>, Problems> {
        Ok(Vec::new())
    }
    fn file_kinds() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    fn check_file(_: &str, _: &str, _: &str) -> Result<FileCheck, Problems> {
        Ok(FileCheck::default())
    }
    fn metric(&self, state: &State) -> i32 {
        i32::from(state.coins[0])
    }
    fn counters(&self) -> Vec<String> {
        Vec::new()
    }
    fn counter(&self, (): &()) -> Option<usize> {
        None
    }
    fn invariants(&self, _: &State) -> Result<(), String> {
        Ok(())
    }
}
