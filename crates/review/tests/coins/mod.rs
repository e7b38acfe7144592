//! A toy for one to three whose chances can be worked out: each in turn takes a coin for sure, or dices for two, or wastes the
//! turn. Whoever has most at the end wins; alone one must get more coins than there are rounds.

#![allow(dead_code, reason = "every test crate uses its part of it")]

use kernel::{
    Catalogue, Dice, Discard, Effort, EventSink, Game, Judgement, LogLine, Mover, Options, Outcome, Prompt,
    ResultInfo, Seat, SeatInfo, Standing, Tuning, Viewer, Wording,
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
    type View<'s> = State;

    const ID: &'static str = "coins";
    const TITLE: &'static str = "Coins";
    const RULES_VERSION: &'static str = "1";

    fn with_options(_: &Options) -> Result<Self, String> {
        Ok(Self::new(2, 3))
    }

    fn options(&self) -> Options {
        Options::new()
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

    fn apply<S: EventSink<()>>(&self, state: &mut State, choice: Choice, _: &mut S) {
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

    fn turn(&self, state: &State) -> u16 {
        u16::from(state.made) / self.seats.len() as u16 + 1
    }

    fn view(&self, state: &State, _: Viewer) -> State {
        *state
    }

    fn determinize<D: Dice>(&self, view: &State, _: &mut D) -> State {
        *view
    }
}

impl Wording for Coins {
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

    fn describe(&self, view: &State) -> Value {
        json!(view.coins)
    }

    fn picture(&self, view: &State) -> String {
        format!("{:?}", view.coins)
    }
}

impl Judgement for Coins {
    type Memory = ();

    fn value(&self, state: &State, seat: Seat) -> f32 {
        self.tuning().chance(1_000 * i32::from(state.coins[seat.index()]))
    }

    fn tuning(&self) -> Tuning {
        Tuning { calibration: self.calibration, ..Tuning::default() }
    }

    fn policy<D: Dice>(
        &self,
        _: Effort,
        (): &mut (),
        _: &State,
        _: &[Choice],
        dice: &mut D,
        _: Option<&mut String>,
    ) -> usize {
        dice.below(2) as usize
    }
}

impl Catalogue for Coins {
    const METRIC: &'static str = "coins";

    fn metric(&self, state: &State) -> i32 {
        i32::from(state.coins[0])
    }
}
