//! What a position promises at the beginning of a turn: the human's expected score, a draw counted as a half, read off a
//! table.
//!
//! The logit of it is a sum: what each front is worth together with the tracks that help there, the victory points (counted
//! from where the final judgement turns), the Tide of War, the capitals that are held, and every event that may still be
//! played, all by the turns still to come. The numbers were found backwards, from the last turn to the first, each from best
//! play up to the next turn and the numbers of that one: `cargo run --release -p lab --example echoes_prospects` finds them
//! again. They are those of the printed books; spreads and own books are judged by the same ones.

use std::fmt::Write as _;
use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table};

use crate::book::TURNS;
use crate::ids::{Region, Side, Track};
use crate::rules::Rules;
use crate::state::State;

/// The table, as it is stored.
const SOURCE: &str = include_str!("../data/prospects.toml");

/// What is counted, with the number of different cases.
const GROUPS: [(&str, usize); 11] = [
    ("any", 1),
    ("WF", 6 * BOTH),
    ("EF", 6 * LEADS),
    ("SF", 6 * BOTH),
    ("CHN", 4 * LEADS),
    ("PAC", 6 * LEADS),
    ("ISL", 6 * LEADS),
    ("points", 41),
    ("tide", 5),
    ("capitals", 48),
    ("events", EVENTS),
];
/// Who leads a track: the Axis, nobody, the Allies.
const LEADS: usize = 3;
/// The same together with the USA: three marks missing to none.
const BOTH: usize = 4 * LEADS;
/// The group of the first front.
const FRONTS: usize = 1;
/// Victory points from which a draw is given in the printed books: those of other books are moved there.
const DRAW_FROM: i16 = 22;
/// Boxes that may have an event.
const EVENTS: usize = 24;
/// Where the cases of each group begin.
const FIRST: [usize; GROUPS.len()] = {
    let mut first = [0; GROUPS.len()];
    let mut at = 1;
    while at < GROUPS.len() {
        first[at] = first[at - 1] + GROUPS[at - 1].1;
        at += 1;
    }
    first
};
/// All cases of all groups.
pub const CASES: usize = FIRST[GROUPS.len() - 1] + EVENTS;
/// Cases that apply to any position, events left aside.
const SURE: usize = GROUPS.len() - 1;

/// The tables of the two editions: for the Allies and for the Axis as the human.
static PRINTED: LazyLock<[Prospects; 2]> =
    LazyLock::new(|| read(SOURCE).unwrap_or_else(|problems| panic!("{problems}")));

fn read(text: &str) -> Result<[Prospects; 2], Problems> {
    let mut problems = Problems::new("prospects.toml", text);
    let mut tables = Side::ALL.map(|_| Prospects::default());
    if let Some(document) = Document::parse(text, &mut problems) {
        let mut root = document.root();
        for side in Side::ALL {
            let rows = root.tables(word_of(side), &mut problems).unwrap_or_default();
            if rows.len() != TURNS {
                let what = format!("{} has {} rows", word_of(side), rows.len());
                problems.error(root.span(), what).expected(format!("one for each of {TURNS} turns"));
            }
            for (mut row, weights) in rows.into_iter().zip(&mut tables[side.index()].rows[1..]) {
                read_row(&mut row, weights, &mut problems);
            }
        }
        root.finish(&mut problems);
    }
    if problems.has_errors() { Err(problems) } else { Ok(tables) }
}

fn read_row(row: &mut Table<'_>, weights: &mut [f32; CASES], problems: &mut Problems) {
    for ((name, cases), first) in GROUPS.into_iter().zip(FIRST) {
        let Some(value) = row.required(name, "a list of numbers", problems) else { continue };
        let Some(numbers) = value.integers(&(-30_000..=30_000_i16), problems) else { continue };
        if numbers.len() != cases {
            let what = format!("{name} has {} numbers", numbers.len());
            problems.error(value.span(), what).expected(format!("{cases}"));
        }
        for (weight, number) in weights[first..first + cases].iter_mut().zip(numbers) {
            *weight = f32::from(number) / 1_000.0;
        }
    }
    row.finish(problems);
}

const fn word_of(side: Side) -> &'static str {
    match side {
        Side::Allies => "allied",
        Side::Axis => "axis",
    }
}

/// What positions promise the human of one edition: a weight for every case, by turns still to come.
#[derive(Clone, Debug, PartialEq)]
pub struct Prospects {
    rows: Vec<[f32; CASES]>,
}

impl Default for Prospects {
    fn default() -> Self {
        Self { rows: vec![[0.0; CASES]; TURNS + 1] }
    }
}

impl Prospects {
    /// The table of the edition in which a side is the human.
    pub fn of(human: Side) -> &'static Self {
        &PRINTED[human.index()]
    }

    /// The table in TOML, in thousandths: what [`Self::of`] reads, one edition of it.
    pub fn to_toml(&self, human: Side) -> String {
        let mut text = String::new();
        for (left, weights) in self.rows.iter().enumerate().skip(1) {
            let _ = writeln!(text, "\n# Turns still to come: {left}\n[[{}]]", word_of(human));
            for ((name, cases), first) in GROUPS.into_iter().zip(FIRST) {
                let numbers: Vec<String> = weights[first..first + cases]
                    .iter()
                    .map(|weight| format!("{:.0}", (weight * 1_000.0).round() + 0.0))
                    .collect();
                let _ = writeln!(text, "{name} = [{}]", numbers.join(", "));
            }
        }
        text
    }

    /// Sets the weights for the positions of a turn.
    pub fn set(&mut self, turns_to_come: usize, weights: [f32; CASES]) {
        self.rows[turns_to_come] = weights;
    }

    /// What the human may expect at the beginning of a turn.
    #[inline]
    pub fn score(&self, rules: &Rules, state: &State) -> f32 {
        let weights = &self.rows[turns_to_come(rules, state)];
        let mut logit = 0.0;
        each_case(rules, state, |case| logit += weights[case]);
        1.0 / (1.0 + (-logit).exp())
    }
}

/// The turns left, including the current one.
pub fn turns_to_come(rules: &Rules, state: &State) -> usize {
    usize::from((rules.final_turn + 1).saturating_sub(state.turn)).clamp(1, TURNS)
}

/// Tells which cases apply to a position.
#[inline]
pub fn each_case(rules: &Rules, state: &State, mut tell: impl FnMut(usize)) {
    let lead = |track: Track| usize::from((state.track(track).signum() + 1).unsigned_abs());
    let (europe, pacific) = (lead(Track::Emt), lead(Track::Pmt));
    let missing = rules.usa_active.saturating_sub(state.track(Track::Usa)).clamp(0, 3);
    let both = europe * 4 + usize::from((3 - missing).unsigned_abs());
    let front = |region: Region, tracks: usize, width: usize| {
        let (_, cases) = GROUPS[FRONTS + region.index()];
        usize::from(state.at(region)).min(cases / width - 1) * width + tracks
    };
    let ledger = rules.ledger(state);
    let capitals = [(ledger.lost(), 4), (ledger.in_berlin(), 4), (ledger.in_japan(), 3)];
    let capitals = capitals.into_iter().fold(0, |at, (held, cases)| at * cases + held.min(cases - 1));
    let points = i16::from(ledger.vp()) + DRAW_FROM - i16::from(rules.draw_from);
    let cases: [usize; SURE] = [
        0,
        front(Region::Wf, both, BOTH),
        front(Region::Ef, europe, LEADS),
        front(Region::Sf, both, BOTH),
        front(Region::Chn, pacific, LEADS),
        front(Region::Pac, pacific, LEADS),
        front(Region::Isl, pacific, LEADS),
        usize::from(points.max(0).unsigned_abs()),
        usize::from(state.tow_left),
        capitals as usize,
    ];
    for ((case, (_, count)), first) in cases.into_iter().zip(GROUPS).zip(FIRST) {
        tell(first + case.min(count - 1));
    }
    let mut open = !state.events & rules.events_to_come[usize::from(state.turn) % (TURNS + 1)];
    while open != 0 {
        tell(FIRST[SURE] + open.trailing_zeros() as usize);
        open &= open - 1;
    }
}

/// Pairs of cases that differ by one step: a space, a track, a point or a use of the Tide of War. What never comes up is worth
/// about as much as its neighbours.
pub fn neighbours() -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for ((name, cases), first) in GROUPS.into_iter().zip(FIRST) {
        // How far apart the cases of two neighbours lie, and after how many cases a row ends.
        let steps: &[(usize, usize)] = match name {
            "WF" | "SF" => &[(BOTH, cases), (4, BOTH), (1, 4)],
            "EF" | "CHN" | "PAC" | "ISL" => &[(LEADS, cases), (1, LEADS)],
            "points" | "tide" => &[(1, cases)],
            _ => &[],
        };
        for &(step, row) in steps {
            let inside = |case: &usize| case % row + step < row;
            pairs.extend((0..cases).filter(inside).map(|case| (first + case, first + case + step)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Echoes, Edition};

    #[test]
    fn the_table_is_what_is_written_from_it() {
        for human in Side::ALL {
            let written = Prospects::of(human).to_toml(human);
            assert!(SOURCE.contains(written.trim()), "the table of the {human:?} would be written otherwise");
        }
    }

    #[test]
    fn points_are_counted_from_where_the_printed_books_give_a_draw() {
        for edition in [Edition::Allied, Edition::Axis] {
            let game = Echoes::edition(edition, 1).expect("the plain game");
            assert_eq!(i16::from(game.rules().draw_from), DRAW_FROM, "{edition:?}");
        }
    }

    #[test]
    fn in_every_spread_steps_forward_and_the_tide_are_worth_something() {
        for (edition, better) in [(Edition::Allied, 1), (Edition::Axis, -1_i8)] {
            for spread in 1..=24 {
                let game = Echoes::edition(edition, spread).expect("a spread of ours");
                let rules = game.rules();
                for turn in [rules.start().turn + 1, 14, 19] {
                    let mut state = rules.start();
                    state.turn = turn;
                    let score = |state: &State| Prospects::of(rules.human).score(rules, state);
                    let before = score(&state);
                    let place = format!("{edition:?}, spread {spread}, turn {turn}");
                    assert!((0.001..0.999).contains(&before), "{place}: {before}");
                    for region in Region::ALL {
                        let mut moved = state;
                        let Some(to) = state.at(region).checked_add_signed(better) else { continue };
                        if to <= rules.max[region.index()] {
                            rules.set_front(&mut moved, region, to);
                            assert!(score(&moved) > before, "{place}: a step on {region:?}");
                        }
                    }
                    for left in 1..=state.tow_left.min(4) {
                        let [less, more] =
                            [left - 1, left].map(|left| score(&State { tow_left: left, ..state }));
                        assert!(less < more, "{place}: use {left} of the Tide of War");
                    }
                }
            }
        }
    }

    #[test]
    fn neighbours_are_one_step_apart() {
        let pairs = neighbours();
        let of = |name: &str| {
            let at = GROUPS.iter().position(|(group, _)| *group == name).expect("a group");
            let range = FIRST[at]..FIRST[at] + GROUPS[at].1;
            pairs.iter().filter(|(one, other)| range.contains(one) && range.contains(other)).count()
        };
        // Steps along the front, along EMT, and along the USA track.
        assert_eq!(of("WF"), 5 * 12 + 6 * 2 * 4 + 6 * 3 * 3);
        assert_eq!(of("CHN"), 3 * 3 + 4 * 2);
        assert_eq!(of("points"), 40);
        assert_eq!(
            pairs.len(),
            pairs.iter().filter(|(one, other)| one < other && *other < FIRST[SURE]).count()
        );
    }
}
