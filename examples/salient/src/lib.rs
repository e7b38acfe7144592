//! Salient, a sample game: secret orders, a die, two sides. `rules.md` has the rules, whose numbers stand in the comments here;
//! ARCHITECTURE.md walks through this file.

use kernel::{
    Catalogue, Dice, Effort, EventSink, Game, Judgement, LogLine, Mover, Options, Outcome, ResultInfo, Seat,
    SeatInfo, Standing, Viewer, Wording, refuse_unknown_options,
};
use serde_json::{Value, json};

const TOWN: i8 = 4;
const ROUNDS: u8 = 8;
const WEST: Seat = Seat(0);
const EAST: Seat = Seat(1);
const SEATS: [SeatInfo; 2] =
    [SeatInfo { word: "west", title: "West" }, SeatInfo { word: "east", title: "East" }];

/// A set-up of the game: what the options say, and what follows from them for the whole match.
#[derive(Clone, Debug)]
pub struct Salient {
    reserve: u8,
    results: [ResultInfo; 3],
}

/// A position: plain data, small and complete. Of each pair the first is West's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Who is to choose: West, East, Fate with the die, or nobody.
    mover: Mover,
    round: u8,
    /// The milestone of the front; East's half is positive.
    front: i8,
    reserve: [u8; 2],
    /// The companies sent this round; `None` if there are no orders yet, or none that the viewer may know.
    sent: [Option<u8>; 2],
}

// How a position is written for the digests in saves: in our own way, so that no compiler changes it.
kernel::encode_struct!(State { mover, round, front, reserve, sent });

/// One decision of a side or of Fate. Saves and programs call it `send 2` or `die 5`, which is made from its `Debug` form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Choice {
    /// A side sends so many companies (2.1).
    Send(u8),
    /// The die shows this face (3.1).
    Die(u8),
}

/// What happened in a fight, as data: the companies sent, the die, and where the front is now. `log_line` puts it into words.
#[derive(Clone, Debug, PartialEq)]
pub struct Fought([u8; 2], u8, i8);

impl Game for Salient {
    type State = State;
    type Choice = Choice;
    type Event = Fought;
    /// A position without what the viewer may not know. (The view of a large map borrows from its state instead.)
    type View<'s> = State;

    const ID: &'static str = "salient";
    const TITLE: &'static str = "Salient";

    fn with_options(options: &Options) -> Result<Self, String> {
        refuse_unknown_options(options, Self::option_help())?;
        let reserve = options.get("reserve").map_or(Some(10), |text| text.parse().ok());
        let reserve = reserve.filter(|companies| (1..=24).contains(companies));
        let results = [
            ResultInfo::new("west", "West has won the road", [Standing::Win, Standing::Loss]),
            ResultInfo::new("draw", "Nobody has won the road", [Standing::Draw, Standing::Draw]),
            ResultInfo::new("east", "East has won the road", [Standing::Loss, Standing::Win]),
        ];
        Ok(Self { reserve: reserve.ok_or("reserve: write a number from 1 to 24")?, results })
    }

    fn options(&self) -> Options {
        Options::from([("reserve".to_owned(), self.reserve.to_string())])
    }
    fn seats(&self) -> &[SeatInfo] {
        &SEATS
    }
    fn results(&self) -> &[ResultInfo] {
        &self.results
    }

    fn start(&self) -> State {
        State { mover: Mover::Seat(WEST), round: 1, front: 0, reserve: [self.reserve; 2], sent: [None; 2] }
    }
    fn mover(&self, state: &State) -> Mover {
        state.mover
    }
    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        match state.mover {
            Mover::Seat(side) => out.extend((0..=state.reserve[side.index()].min(3)).map(Choice::Send)), // 2.1
            Mover::Fate => out.extend((1..=6).map(Choice::Die)),
            Mover::Nobody => {}
        }
    }

    fn apply<S: EventSink<Fought>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        match choice {
            Choice::Send(sent) if state.mover == Mover::Seat(WEST) => {
                state.sent[0] = Some(sent);
                state.mover = Mover::Seat(EAST);
            }
            Choice::Send(sent) => {
                let sent = [state.sent[0].unwrap_or(0), sent];
                state.sent = sent.map(Some);
                state.reserve = [0, 1].map(|side| state.reserve[side] - sent[side]); // 2.2
                state.mover = Mover::Fate;
            }
            Choice::Die(face) => {
                let sent = state.sent.map(|sent| sent.unwrap_or(0));
                let is_west_stronger = face + sent[0] >= 4 + sent[1]; // 3.1
                let front = state.front + if is_west_stronger { 1 } else { -1 }; // 3.2
                let is_over = front.abs() == TOWN || state.round == ROUNDS; // 4.1, 4.2
                state.mover = if is_over { Mover::Nobody } else { Mover::Seat(WEST) };
                *state = State { front, sent: [None; 2], round: state.round + u8::from(!is_over), ..*state };
                sink.emit(|| Fought(sent, face, front));
            }
        }
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.mover == Mover::Nobody).then(|| Outcome((1 - state.front.signum()) as u8)) // 4.1, 4.2
    }
    fn view(&self, state: &State, viewer: Viewer) -> State {
        let is_secret = state.mover == Mover::Seat(EAST) && viewer != Viewer::Seat(WEST); // 2.1
        if is_secret { State { sent: [None; 2], ..*state } } else { *state }
    }

    fn determinize<D: Dice>(&self, view: &State, dice: &mut D) -> State {
        let mut state = *view;
        if state.mover == Mover::Seat(EAST) && state.sent[0].is_none() {
            state.sent[0] = Some(dice.below(u32::from(state.reserve[0].min(3)) + 1) as u8);
        }
        state
    }

    fn turn(&self, state: &State) -> u16 {
        state.round.into()
    }
    fn hides(&self) -> bool {
        true
    }
    fn conceals(&self, state: &State, _: Choice, viewer: Viewer) -> bool {
        state.mover == Mover::Seat(WEST) && viewer != Viewer::Seat(WEST)
    }
    fn reveals(&self, state: &State, _: Choice) -> bool {
        state.mover == Mover::Seat(EAST)
    }
}

impl Wording for Salient {
    fn label(&self, _: &State, choice: Choice) -> String {
        match choice {
            Choice::Send(sent) => format!("Send {sent} of your companies to the front"),
            Choice::Die(face) => format!("The die shows {face}"),
        }
    }
    fn log_line(&self, Fought([west, east], die, mile): &Fought) -> LogLine {
        let text = format!("West sends {west}, East {east}, the die shows {die}: front at mile {mile}.");
        LogLine { text, rule: "3.2", aside: false }
    }
    fn describe(&self, view: &State) -> Value {
        let side = |at: usize| json!({ "reserve": view.reserve[at], "sent": view.sent[at] });
        json!({ "round": view.round, "front": view.front, "West": side(0), "East": side(1) })
    }
    fn picture(&self, view: &State) -> String {
        let State { round, reserve: [west, east], .. } = view;
        let mark = |mile| if mile == view.front { "⚔─" } else { "┼─" };
        let road: String = (-TOWN..=TOWN).map(mark).collect();
        format!("Round {round} of {ROUNDS}\n\nWest {west} ▟█▙─{road}▟█▙ {east} East")
    }
}

impl Judgement for Salient {
    type Memory = ();

    /// Half for an even position; more with the front in the other half, and with more companies left.
    fn value(&self, state: &State, seat: Seat) -> f32 {
        let [west, east] = state.reserve.map(f32::from);
        let ahead = f32::from(state.front) * 0.15 + (west - east) * 0.05;
        (0.5 + if seat == WEST { ahead } else { -ahead }).clamp(0.0, 1.0)
    }

    /// Sends two or three companies while there are any: ground that is lost early is hard to win back.
    fn policy<D: Dice>(
        &self,
        _: Effort,
        (): &mut (),
        _: &State,
        choices: &[Choice],
        dice: &mut D,
        _: Option<&mut String>,
    ) -> usize {
        (2 + dice.below(2) as usize).min(choices.len() - 1)
    }
}

impl Catalogue for Salient {
    const PITCH: &'static str = "A road, two towns, ten companies each: how many do you send this time?";
    const RULEBOOK: &'static str = include_str!("../rules.md");

    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[("reserve", "Companies of each side, from 1 to 24")]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bots::BotKind::{Greedy, Playouts, Random};
    use testkit::conformance::{Plan, run};

    #[test]
    fn every_promise_of_a_game_is_kept() {
        for reserve in ["1", "10", "24"] {
            let game = Salient::with_options(&Options::from([("reserve".to_owned(), reserve.to_owned())]));
            let report = run(&game.unwrap(), &Plan { games: 60, seed: 1, max_steps: 24 });
            assert_eq!(report.map(|report| report.games), Ok(60));
        }
    }

    #[test]
    fn two_companies_turn_a_poor_roll_into_a_mile() {
        let game = Salient::with_options(&Options::new()).unwrap();
        let mut state = game.start();
        for choice in [Choice::Send(2), Choice::Send(0), Choice::Die(2)] {
            game.apply(&mut state, choice, &mut kernel::Discard);
        }
        assert_eq!((state.front, state.round, state.reserve), (1, 2, [8, 10]));
    }

    #[test]
    fn thinking_pays() {
        let game = Salient::with_options(&Options::new()).unwrap();
        for (better, worse) in [(Greedy, Random), (Playouts(300), Random)] {
            let batch = lab::Batch { games: 2_000, seed: 1, seats: vec![better, worse], threads: 2 };
            let totals = lab::simulate(&game, &batch, &lab::Progress::default()).unwrap();
            let [losses, _, wins] = totals.standings[0];
            assert!(wins > losses + 30, "{better:?} against {worse:?}: {wins} won, {losses} lost");
        }
    }
}
