//! A toy for two to five with nothing hidden: four lots are sold, each for points that a die shows, and everybody is asked once
//! for each of them. Who has most points wins; if several have, nobody does.

#![allow(missing_docs, reason = "the names of a toy speak for themselves")]

use kernel::{
    Catalogue, Dice, Effort, EventSink, Game, Judgement, LogLine, Mover, Options, Outcome, Prompt, Refusal,
    ResultInfo, Seat, SeatInfo, Standing, Tuning, Viewer, Wording, refuse_unknown_options,
};
use serde_json::{Value, json};

const LOTS: u8 = 4;
const COINS: u8 = 6;
const MOST_SEATS: usize = 5;
const SEATS: [SeatInfo; MOST_SEATS] = [
    SeatInfo { word: "red", title: "Red" },
    SeatInfo { word: "blue", title: "Blue" },
    SeatInfo { word: "green", title: "Green" },
    SeatInfo { word: "gold", title: "Gold" },
    SeatInfo { word: "grey", title: "Grey" },
];
const OPTIONS: [(&str, &str); 2] = [
    ("motto", "any text, which changes nothing"),
    ("seats", "how many play, from 2 to 5; 3 if you don't say"),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    Die(u8),
    Bid(u8),
    Pass,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The lot that is for sale, from 1; one more than there are when all are sold.
    pub lot: u8,
    /// What it is worth; 0 before the die.
    pub value: u8,
    /// How many were asked for it.
    pub asked: u8,
    /// The highest bid, and whose it is.
    pub high: Option<(u8, Seat)>,
    pub coins: [u8; MOST_SEATS],
    pub points: [u8; MOST_SEATS],
}

kernel::encode_struct!(State {
    lot,
    value,
    asked,
    high = high.map(|(bid, seat)| (bid, seat.0)),
    coins,
    points,
});

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameEvent {
    Offered { lot: u8, value: u8 },
    Sold { to: Seat, value: u8, price: u8 },
    Unsold { lot: u8 },
}

#[derive(Clone, Debug)]
pub struct Auction {
    breaks_down: bool,
    motto: Option<String>,
    seats: usize,
    results: Vec<ResultInfo>,
}

impl Auction {
    pub fn for_seats(seats: usize) -> Self {
        let standings = |winner: usize| {
            let fared = |seat| if seat == winner { Standing::Win } else { Standing::Loss };
            (0..seats).map(fared).collect()
        };
        let won = SEATS[..seats].iter().enumerate().map(|(at, seat)| ResultInfo {
            word: seat.word,
            title: format!("{} wins", seat.title),
            standings: standings(at),
        });
        let tie = ResultInfo {
            word: "tie",
            title: "Several have most points".to_owned(),
            standings: vec![Standing::Draw; seats],
        };
        Self { breaks_down: false, motto: None, seats, results: won.chain([tie]).collect() }
    }

    /// The same with a fault of the program: it panics as soon as the third lot is offered.
    #[must_use]
    pub fn breaking_down(self) -> Self {
        Self { breaks_down: true, ..self }
    }

    /// Who is to be asked. Another seat begins with every lot.
    fn due(&self, state: &State) -> Seat {
        Seat((usize::from(state.lot - 1 + state.asked) % self.seats) as u8)
    }

    fn is_open(&self, state: &State, choice: Choice) -> bool {
        match (choice, self.mover(state)) {
            (Choice::Die(face), Mover::Fate) => (1..=6).contains(&face),
            (Choice::Pass, Mover::Seat(_)) => true,
            (Choice::Bid(bid), Mover::Seat(seat)) => {
                bid > state.high.map_or(0, |(high, _)| high) && bid <= state.coins[seat.index()]
            }
            _ => false,
        }
    }
}

impl Game for Auction {
    type State = State;
    type Choice = Choice;
    type Event = GameEvent;
    type View<'s> = State;

    const ID: &'static str = "auction";
    const TITLE: &'static str = "Auction";
    const RULES_VERSION: &'static str = "1";

    fn with_options(options: &Options) -> Result<Self, String> {
        refuse_unknown_options(options, &OPTIONS)?;
        let word = options.get("seats").map_or("3", String::as_str);
        let seats = word.parse().ok().filter(|seats| (2..=MOST_SEATS).contains(seats));
        let auction = seats.map(Self::for_seats);
        let motto = options.get("motto").cloned();
        auction
            .map(|auction| Self { motto, ..auction })
            .ok_or_else(|| format!("seats = {word:?}: a number from 2 to {MOST_SEATS}"))
    }

    fn options(&self) -> Options {
        let seats = ("seats".to_owned(), self.seats.to_string());
        self.motto.iter().map(|motto| ("motto".to_owned(), motto.clone())).chain([seats]).collect()
    }

    fn seats(&self) -> &[SeatInfo] {
        &SEATS[..self.seats]
    }

    fn results(&self) -> &[ResultInfo] {
        &self.results
    }

    fn start(&self) -> State {
        let mut coins = [0; MOST_SEATS];
        coins[..self.seats].fill(COINS);
        State { lot: 1, value: 0, asked: 0, high: None, coins, points: [0; MOST_SEATS] }
    }

    fn mover(&self, state: &State) -> Mover {
        match state {
            State { lot, .. } if *lot > LOTS => Mover::Nobody,
            State { value: 0, .. } => Mover::Fate,
            _ => Mover::Seat(self.due(state)),
        }
    }

    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        let all = (1..=6).map(Choice::Die).chain((1..=COINS).map(Choice::Bid)).chain([Choice::Pass]);
        out.extend(all.filter(|choice| self.is_open(state, *choice)));
    }

    fn tickets(&self, _: &State) -> u32 {
        6
    }

    fn drawn(&self, _: &State, ticket: u32) -> Choice {
        Choice::Die(ticket as u8 + 1)
    }

    fn apply<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        let due = self.due(state);
        let lot = state.lot;
        match choice {
            Choice::Die(value) => {
                assert!(!self.breaks_down || lot < 3, "lot {lot} breaks down");
                state.value = value;
                sink.emit(|| GameEvent::Offered { lot, value });
                return;
            }
            Choice::Bid(bid) => state.high = Some((bid, due)),
            Choice::Pass => {}
        }
        state.asked += 1;
        if usize::from(state.asked) < self.seats {
            return;
        }
        let value = state.value;
        match state.high {
            Some((price, to)) => {
                state.coins[to.index()] -= price;
                state.points[to.index()] += value;
                sink.emit(|| GameEvent::Sold { to, value, price });
            }
            None => sink.emit(|| GameEvent::Unsold { lot }),
        }
        *state = State { lot: lot + 1, value: 0, asked: 0, high: None, ..*state };
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        if state.lot <= LOTS {
            return None;
        }
        let points = &state.points[..self.seats];
        let most = points.iter().max()?;
        let mut leaders = points.iter().zip(0_u8..).filter(|(own, _)| *own == most);
        match (leaders.next(), leaders.next()) {
            (Some((_, seat)), None) => Some(Outcome(seat)),
            _ => Some(Outcome(self.seats as u8)),
        }
    }

    fn turn(&self, state: &State) -> u16 {
        u16::from(state.lot.min(LOTS))
    }

    fn view(&self, state: &State, _: Viewer) -> State {
        *state
    }

    fn determinize<D: Dice>(&self, view: &State, _: &mut D) -> State {
        *view
    }

    fn invariants(&self, state: &State) -> Result<(), String> {
        let spent: u8 = state.coins[..self.seats].iter().map(|coins| COINS - coins).sum();
        let sold = u8::from(state.points.iter().any(|points| *points > 0));
        if spent < sold { Err("something was sold for nothing".to_owned()) } else { Ok(()) }
    }
}

impl Wording for Auction {
    fn why_not(&self, _: &State, choice: Choice) -> Refusal {
        let reason = match choice {
            Choice::Bid(_) => "a bid is higher than the last one and no more than you have",
            Choice::Die(_) | Choice::Pass => "not now",
        };
        Refusal::new(reason, "")
    }

    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        match choice {
            Choice::Die(face) => out.push_str(&format!("die {face}")),
            Choice::Bid(bid) => out.push_str(&format!("bid {bid}")),
            Choice::Pass => out.push_str("pass"),
        }
    }

    fn read_name(&self, _: &State, name: &str) -> Option<Choice> {
        match name.split_once(' ') {
            Some(("die", face)) => face.parse().ok().map(Choice::Die),
            Some(("bid", bid)) => bid.parse().ok().map(Choice::Bid),
            _ => (name == "pass").then_some(Choice::Pass),
        }
    }

    fn label(&self, state: &State, choice: Choice) -> String {
        match choice {
            Choice::Die(face) => format!("Worth {face}"),
            Choice::Bid(bid) => format!("Bid {bid} for {} points", state.value),
            Choice::Pass => "Pass".to_owned(),
        }
    }

    fn prompt(&self, state: &State) -> Prompt {
        let (text, waiting) = match self.mover(state) {
            Mover::Fate => (format!("Lot {}, one die", state.lot), String::new()),
            Mover::Seat(seat) => {
                let title = SEATS[seat.index()].title;
                (format!("{title}: bid for {} points", state.value), format!("Waiting for {title} to bid"))
            }
            Mover::Nobody => ("All is sold".to_owned(), String::new()),
        };
        Prompt { text, waiting, rule: "" }
    }

    fn log_line(&self, event: &GameEvent) -> LogLine {
        let text = match *event {
            GameEvent::Offered { lot, value } => format!("Lot {lot} is worth {value}"),
            GameEvent::Sold { to, value, price } => {
                format!("{} pays {price} for {value} points", SEATS[to.index()].title)
            }
            GameEvent::Unsold { lot } => format!("Nobody wants lot {lot}"),
        };
        LogLine { text, rule: "", aside: false }
    }

    fn turn_title(&self, turn: u16) -> String {
        format!("Lot {turn}")
    }

    fn describe(&self, view: &State) -> Value {
        json!({ "lot": view.lot, "value": view.value, "coins": view.coins, "points": view.points })
    }

    fn picture(&self, view: &State) -> String {
        let line = |(seat, info): (usize, &SeatInfo)| {
            format!("{:6} {:2} points {:2} coins\n", info.title, view.points[seat], view.coins[seat])
        };
        SEATS[..self.seats].iter().enumerate().map(line).collect()
    }
}

impl Judgement for Auction {
    type Memory = ();

    /// Points are what counts; a coin is worth half a point while there is something to buy.
    fn value(&self, state: &State, seat: Seat) -> f32 {
        let worth =
            |seat: usize| 2_000 * i32::from(state.points[seat]) + 1_000 * i32::from(state.coins[seat]);
        let best = (0..self.seats).filter(|other| *other != seat.index()).map(worth).max();
        self.tuning().chance(worth(seat.index()) - best.unwrap_or(0))
    }

    fn tuning(&self) -> Tuning {
        Tuning { playouts: 2_000, review: 2_000, spread: 4_000.0, ..Tuning::default() }
    }

    /// Bids as little as it can for what is worth more than it costs.
    fn policy<D: Dice>(
        &self,
        _: Effort,
        (): &mut (),
        view: &State,
        choices: &[Choice],
        dice: &mut D,
        _: Option<&mut String>,
    ) -> usize {
        match choices.first() {
            Some(Choice::Bid(bid)) if *bid < view.value && dice.below(4) > 0 => 0,
            _ => choices.len() - 1,
        }
    }
}

impl Catalogue for Auction {
    const METRIC: &'static str = "points of Red";

    fn option_help() -> &'static [(&'static str, &'static str)] {
        &OPTIONS
    }

    fn metric(&self, state: &State) -> i32 {
        i32::from(state.points[0])
    }

    fn counters(&self) -> Vec<String> {
        vec!["sold".to_owned(), "unsold".to_owned()]
    }

    fn counter(&self, event: &GameEvent) -> Option<usize> {
        match event {
            GameEvent::Offered { .. } => None,
            GameEvent::Sold { .. } => Some(0),
            GameEvent::Unsold { .. } => Some(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{self, Plan};

    #[test]
    fn it_keeps_the_promises_of_a_game_with_any_number_of_seats() {
        for seats in 2..=MOST_SEATS {
            let plan = Plan { games: 30, seed: 5, max_steps: 100 };
            let report =
                conformance::run(&Auction::for_seats(seats), &plan).unwrap_or_else(|why| panic!("{why}"));
            assert!(report.games == 30 && report.positions > 300, "{report:?}");
        }
    }
}
