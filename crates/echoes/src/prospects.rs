//! What a position promises: the human's chance to win at the beginning of a turn, read off a table.
//!
//! The logit of the chance is a sum: what each front is worth together with the tracks that help there, the victory points,
//! the Tide of War, the capitals that are held, and every event that has not been played yet, all by the turns still to come.
//! The numbers were found backwards, from the last turn to the first, each from best play up to the next turn and the numbers
//! of that one: `cargo run --release -p lab --example echoes_prospects` finds them again.

use std::fmt::Write as _;
use std::sync::LazyLock;

use kernel::datafile::{Document, Table};
use kernel::source::Problems;

use crate::book::TURNS;
use crate::ids::{Region, Side, Track};
use crate::rules::Rules;
use crate::state::State;

/// The table, as it is stored.
const SOURCE: &str = include_str!("../data/prospects.toml");

/// What is counted, with the number of cases that are told apart.
const GROUPS: [(&str, usize); 10] = [
    ("WF", 72),
    ("EF", 18),
    ("SF", 72),
    ("CHN", 12),
    ("PAC", 18),
    ("ISL", 18),
    ("points", 41),
    ("tide", 4),
    ("capitals", 48),
    ("events", EVENTS),
];
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

    /// The human's chance at the beginning of a turn.
    #[inline]
    pub fn chance(&self, rules: &Rules, state: &State) -> f32 {
        let weights = &self.rows[turns_to_come(rules, state)];
        let mut logit = 0.0;
        each_case(rules, state, |case| logit += weights[case]);
        1.0 / (1.0 + (-logit).exp())
    }
}

/// Turns still to come, the present one included.
pub fn turns_to_come(rules: &Rules, state: &State) -> usize {
    usize::from((rules.final_turn + 1).saturating_sub(state.turn)).clamp(1, TURNS)
}

/// Tells which cases apply to a position.
#[inline]
pub fn each_case(rules: &Rules, state: &State, mut tell: impl FnMut(usize)) {
    let track = |track: Track, cases: i8, lowest: i8| {
        usize::from((state.track(track) - lowest).clamp(0, cases - 1).unsigned_abs())
    };
    let (europe, pacific) = (track(Track::Emt, 3, -1), track(Track::Pmt, 3, -1));
    let both = europe * 4 + track(Track::Usa, 4, 0);
    let front = |region: Region| usize::from(state.at(region));
    let ledger = rules.ledger(state);
    let capitals = [(ledger.lost(), 4), (ledger.in_berlin(), 4), (ledger.in_japan(), 3)];
    let capitals = capitals.into_iter().fold(0, |at, (held, cases)| at * cases + held.min(cases - 1));
    let cases: [usize; SURE] = [
        front(Region::Wf) * 12 + both,
        front(Region::Ef) * 3 + europe,
        front(Region::Sf) * 12 + both,
        front(Region::Chn) * 3 + pacific,
        front(Region::Pac) * 3 + pacific,
        front(Region::Isl) * 3 + pacific,
        usize::from(ledger.vp()),
        usize::from(state.tow_left),
        capitals as usize,
    ];
    for ((case, (_, count)), first) in cases.into_iter().zip(GROUPS).zip(FIRST) {
        tell(first + case.min(count - 1));
    }
    let mut open = !state.events & ((1 << EVENTS) - 1);
    while open != 0 {
        tell(FIRST[SURE] + open.trailing_zeros() as usize);
        open &= open - 1;
    }
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
    fn a_step_forward_is_worth_something_and_so_is_a_use_of_the_tide() {
        for (edition, better) in [(Edition::Allied, 1), (Edition::Axis, -1_i8)] {
            let game = Echoes::edition(edition, 1).expect("the plain game");
            let rules = game.rules();
            for turn in [2, 8, 14, 19] {
                let mut state = rules.start();
                state.turn = turn;
                let chance = |state: &State| Prospects::of(rules.human).chance(rules, state);
                let before = chance(&state);
                assert!((0.05..0.95).contains(&before), "{edition:?}, turn {turn}: {before}");
                for region in Region::ALL {
                    let mut moved = state;
                    rules.set_front(&mut moved, region, state.at(region).strict_add_signed(better));
                    assert!(chance(&moved) > before, "{edition:?}, turn {turn}: a step on {region:?}");
                }
                let mut poor = state;
                poor.tow_left -= 1;
                assert!(chance(&poor) < before, "{edition:?}, turn {turn}: the Tide of War");
            }
        }
    }
}
