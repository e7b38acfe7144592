//! Large map: a toy of the size of a large wargame, to measure the table by.
//!
//! 4,000 hexes, 400 pieces, about 60 choices and 20 closed ones at a position, and some 8,400 steps in a match. The sides
//! move one piece in turn. A piece that meets an enemy attacks it with a die; lost pieces leave the map and come back in
//! the next turn, so that a late position holds as much as an early one. Nothing is hidden.

mod board;
mod map;
mod rules;
mod words;

use std::sync::Arc;

use kernel::source::Problems;
use kernel::{
    Answer, Chance, Dice, FileCheck, Game, Listener, Mover, Options, Outcome, Prompt, Refusal, ResultInfo,
    Seat, SeatInfo, Standing, Telling, Tuning, Viewer, refuse_unknown_options,
};
use serde_json::{Value, json};

use map::{GRID, Ground, Map, PIECES};

pub use rules::{Choice, Notice, State};

/// Turns of a match, unless the options say otherwise.
const TURNS: u16 = 37;
const SEATS: [SeatInfo; 2] =
    [SeatInfo { word: "north", title: words::SIDES[0] }, SeatInfo { word: "south", title: words::SIDES[1] }];

/// The set-up: the map and the length of the match.
#[derive(Clone, Debug)]
pub struct Expanse {
    map: Arc<Map>,
    turns: u16,
    results: Arc<[ResultInfo]>,
}

impl Expanse {
    /// A match of so many turns; 37 are some 8,400 steps.
    pub fn of_turns(turns: u16) -> Self {
        let result = |word, title: &str, standings: [Standing; 2]| ResultInfo {
            word,
            title: title.to_owned(),
            standings: standings.to_vec(),
        };
        let results = [
            result("north", "The North holds more towns", [Standing::Win, Standing::Loss]),
            result("south", "The South holds more towns", [Standing::Loss, Standing::Win]),
            result("draw", "Both hold as many towns", [Standing::Draw, Standing::Draw]),
        ];
        Self { map: Arc::new(Map::new()), turns, results: results.into() }
    }

    /// How much a quick player likes a choice: attacks first, then the way to the nearest town that is not theirs.
    fn promise(&self, state: &State, choice: Choice) -> u32 {
        let Choice::Move { piece, to } = choice else { return 0 };
        if let Some(enemy) = state.who(to) {
            return if state.piece(enemy).strength == 1 { 12 } else { 9 };
        }
        let side = state.side();
        let away = |cell: terrain::Cell| {
            let towns = self.map.to_town[usize::from(cell)].iter().zip(&state.owners);
            towns.filter(|(_, owner)| **owner != side).map(|(away, _)| u32::from(*away)).min().unwrap_or(0)
        };
        (6 + away(state.piece(piece).cell)).saturating_sub(away(to))
    }

    /// The attacks that are open now.
    fn attacks<'a>(&'a self, state: &'a State) -> impl Iterator<Item = (u16, terrain::Cell)> + 'a {
        let side = state.side();
        let open = state.fight.is_none() && !self.is_over(state);
        let steps = self.steps(state).filter(move |_| open);
        steps.filter(move |(_, to)| state.who(*to).is_some_and(|other| rules::side_of(other) != side))
    }
}

impl Game for Expanse {
    type State = State;
    type Choice = Choice;
    type Notice = Notice;
    type Sight = State;
    type Memory = ();

    const ID: &'static str = "expanse";
    const TITLE: &'static str = "Large map";
    const RULES_VERSION: &'static str = "1";
    const GAUGE: &'static str = "towns";

    fn with_options(options: &Options) -> Result<Self, String> {
        refuse_unknown_options(options, Self::option_help())?;
        let turns = options.get("turns").map_or(Ok(TURNS), |turns| turns.parse());
        let turns = turns.ok().filter(|turns| (1..=99).contains(turns));
        turns.map(Self::of_turns).ok_or_else(|| "turns: a number from 1 to 99".to_owned())
    }
    fn options(&self) -> Options {
        Options::from([("turns".to_owned(), self.turns.to_string())])
    }
    fn option_help() -> &'static [(&'static str, &'static str)] {
        &[("turns", "how many turns, from 1 to 99; 37 if not given")]
    }
    fn seats(&self) -> &[SeatInfo] {
        &SEATS
    }
    fn results(&self) -> &[ResultInfo] {
        &self.results
    }

    fn start(&self) -> State {
        self.opening()
    }
    fn mover(&self, state: &State) -> Mover {
        match state.fight {
            _ if self.is_over(state) => Mover::Nobody,
            Some(_) => Mover::Fate,
            None => Mover::Seat(Seat(state.side())),
        }
    }
    fn choices(&self, state: &State, out: &mut Vec<Choice>) {
        match self.mover(state) {
            Mover::Nobody => {}
            Mover::Fate => out.extend((1..=6).map(Choice::Die)),
            Mover::Seat(Seat(side)) => {
                let open = self.steps(state).filter(|(_, to)| self.can_enter(state, side, *to));
                out.extend(open.map(|(piece, to)| Choice::Move { piece, to }));
                out.push(Choice::Hold);
            }
        }
    }
    fn tickets(&self, _: &State) -> u32 {
        6
    }
    fn drawn(&self, _: &State, ticket: u32) -> Choice {
        Choice::Die(ticket as u8 + 1)
    }
    fn apply<L: Listener<Notice>>(&self, state: &mut State, choice: Choice, listener: &mut L) {
        self.play(state, choice, listener);
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        self.is_over(state).then(|| match state.towns_of(0).cmp(&state.towns_of(1)) {
            Greater => Outcome(0),
            Less => Outcome(1),
            Equal => Outcome(2),
        })
    }

    fn refusal(&self, state: &State, choice: Choice) -> Option<Refusal> {
        let because = |reason: &str, rule| Some(Refusal { reason: reason.to_owned(), rule });
        match (self.mover(state), choice) {
            (Mover::Nobody, _) => because("the game is over", "4.1"),
            (Mover::Fate, Choice::Die(_)) | (Mover::Seat(_), Choice::Hold) => None,
            (Mover::Fate, _) => because("a fight waits for its die", "3.2"),
            (Mover::Seat(_), Choice::Die(_)) => because("no fight waits for a die", "3.2"),
            (Mover::Seat(_), Choice::Move { piece, to }) => self.why_not_move(state, piece, to),
        }
    }
    fn vocabulary<D: Dice>(&self, state: &State, dice: &mut D, out: &mut Vec<Choice>) {
        out.extend((1..=6).map(Choice::Die).chain([Choice::Hold]));
        for _ in 0..8 {
            let piece = dice.below(u32::from(PIECES)) as u16;
            let anywhere = dice.below(GRID.len() as u32) as terrain::Cell;
            let near = self.map.near.get(usize::from(state.piece(piece).cell)).copied().unwrap_or_default();
            let places = near.into_iter().chain([anywhere]).filter(|to| *to != terrain::NOWHERE);
            out.extend(places.map(|to| Choice::Move { piece, to }));
        }
        out.extend(self.steps(state).map(|(piece, to)| Choice::Move { piece, to }));
    }
    fn closed(&self, state: &State, out: &mut Vec<Choice>) {
        if let Mover::Seat(Seat(side)) = self.mover(state) {
            let shut = self.steps(state).filter(|(_, to)| !self.can_enter(state, side, *to));
            out.extend(shut.map(|(piece, to)| Choice::Move { piece, to }));
        }
    }
    fn usual(&self, state: &State) -> Option<Choice> {
        matches!(self.mover(state), Mover::Seat(_)).then_some(Choice::Hold)
    }

    fn write_name(&self, _: &State, choice: Choice, out: &mut String) {
        words::write_choice(choice, out);
    }
    fn read_name(&self, _: &State, name: &str) -> Option<Choice> {
        words::read_choice(name)
    }
    fn label(&self, state: &State, choice: Choice) -> String {
        self.choice_words(state, choice)
    }
    fn prompt(&self, state: &State) -> Prompt {
        self.asked(state)
    }
    fn telling(&self, notice: &Notice) -> Telling {
        words::telling(notice)
    }
    fn turn(&self, state: &State) -> u16 {
        state.turn().min(self.turns)
    }
    fn turn_title(&self, turn: u16) -> String {
        words::turn(turn)
    }

    fn sight(&self, state: &State, _: Viewer) -> State {
        state.clone()
    }
    fn imagine<D: Dice>(&self, sight: &State, _: &mut D) -> State {
        sight.clone()
    }
    fn describe(&self, sight: &State) -> Value {
        let there = (0..PIECES).filter(|piece| sight.is_there(*piece));
        let piece = |number: u16| {
            let piece = sight.piece(number);
            json!([words::piece(number), GRID.name(piece.cell), piece.strength])
        };
        json!({ "pieces": there.map(piece).collect::<Vec<_>>(), "towns": sight.owners.to_vec() })
    }
    fn picture(&self, sight: &State) -> String {
        let sign = |cell: terrain::Cell| match (sight.who(cell), self.map.ground[usize::from(cell)]) {
            (Some(piece), _) => ['N', 'S'][usize::from(rules::side_of(piece))],
            (None, Ground::Lake) => '~',
            (None, Ground::Town(_)) => '#',
            (None, _) => '.',
        };
        let last = GRID.cols();
        let row = |cell| [Some(sign(cell)), (GRID.column(cell) == last).then_some('\n')];
        GRID.cells().flat_map(row).flatten().collect()
    }

    fn evaluate(&self, state: &State, seat: Seat) -> i32 {
        let worth = |side: u8| 1_000 * state.towns_of(side) as i32 + 50 * state.army_of(side) as i32;
        worth(seat.0) - worth(1 - seat.0)
    }
    fn tuning(&self) -> Tuning {
        Tuning { playouts: 512, review: 64, horizon: Some(1), trust: 0.5, ..Tuning::default() }
    }
    fn instinct<D: Dice>(&self, sight: &State, choices: &[Choice], dice: &mut D) -> usize {
        let mut best = (0, 0);
        for (at, choice) in choices.iter().enumerate() {
            let worth = 4 * self.promise(sight, *choice) + dice.below(8);
            if worth > best.0 {
                best = (worth, at);
            }
        }
        best.1
    }

    fn questions(&self, sight: &State) -> Vec<String> {
        let name = |(piece, to)| {
            let mut name = String::new();
            words::write_choice(Choice::Move { piece, to }, &mut name);
            name
        };
        self.attacks(sight).map(name).collect()
    }
    fn answer(&self, sight: &State, question: &str) -> Result<Answer, String> {
        let asked = words::read_choice(question);
        let attack =
            self.attacks(sight).find(|(piece, to)| asked == Some(Choice::Move { piece: *piece, to: *to }));
        let (piece, to) = attack.ok_or_else(|| format!("{question:?} is no attack that can be made now"))?;
        let needed = self.map.ground[usize::from(to)].needed();
        let (hits, nothing) = (u64::from(7 - needed), u64::from(needed - 2));
        Ok(Answer {
            title: self.choice_words(sight, Choice::Move { piece, to }),
            rule: "3.2",
            facts: vec![("needed", needed.to_string()), ("ground", self.lie(to).to_owned())],
            results: vec![
                ("the defender is hit".to_owned(), Chance::of(hits, 6)),
                ("nobody is hit".to_owned(), Chance::of(nothing, 6)),
                ("the attacker is hit".to_owned(), Chance::of(1, 6)),
            ],
        })
    }
    fn place(&self, _: &mut State, key: &str, _: &str) -> Result<(), String> {
        Err(format!("unknown {key:?}: nothing of this game can be set by hand"))
    }

    fn check_builtin() -> Result<Vec<String>, Problems> {
        Ok(vec![format!("{} hexes, {PIECES} pieces, {} towns", GRID.len(), map::TOWNS)])
    }
    fn file_kinds() -> &'static [(&'static str, &'static str)] {
        &[]
    }
    fn check_file(_: &str, _: &str, _: &str) -> Result<FileCheck, Problems> {
        Ok(FileCheck::default())
    }

    fn gauge(&self, state: &State) -> i32 {
        state.towns_of(0) as i32 - state.towns_of(1) as i32
    }
    fn tallies(&self) -> Vec<String> {
        ["attacks", "pieces lost", "towns taken"].map(str::to_owned).to_vec()
    }
    fn tally(&self, notice: &Notice) -> Option<usize> {
        match notice {
            Notice::Attacked(..) => Some(0),
            Notice::Lost(_) => Some(1),
            Notice::Taken(..) => Some(2),
            _ => None,
        }
    }

    fn invariants(&self, state: &State) -> Result<(), String> {
        let mut standing = 0;
        for number in 0..PIECES {
            let piece = state.piece(number);
            if !state.is_there(number) {
                continue;
            }
            standing += 1;
            if state.who(piece.cell) != Some(number) {
                return Err(format!("{} is not where it stands", words::piece(number)));
            }
            if piece.strength == 0 || self.map.ground[usize::from(piece.cell)] == Ground::Lake {
                return Err(format!("{} can't be in {}", words::piece(number), GRID.name(piece.cell)));
            }
        }
        let taken = state.at.iter().filter(|piece| **piece != rules::NOBODY).count();
        if taken == standing { Ok(()) } else { Err(format!("{standing} pieces stand in {taken} hexes")) }
    }
}
