//! What a worked example expects: questions to a position, each with the answer it must give. Rule 21.
//!
//! Every answer is a word or a few, so that all kinds of expectation are compared, and fail, in one and the same way.

use std::ops::Range;

use diagnostics::datafile::{Table, Value};
use diagnostics::{Problems, nearest};
use terrain::{Cell, Octant};

use crate::choice::Choice;
use crate::examples::choice;
use crate::examples_board::{CODES, pair, side_of};
use crate::examples_start::{MARKS, RESULTS};
use crate::movement::Barred;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::Verdict;

/// A question about a position or the events on the way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Where a battalion is: a zone, `waiting`, `shattered` or `lost`. Rule 3.2.
    Place(u8),
    /// Its movement points. Rule 10.4.
    Mp(u8),
    /// The result of its activation. Rule 10.2.
    Result(u8),
    /// What it has done. Rule 3.4.
    Marks(u8),
    /// Its supply level. Rule 15.2.
    Level(u8),
    /// Whether supply reaches it now.
    Supplied(u8),
    /// Whether its HQ is near enough. Rule 9.5.
    InCommand(u8),
    /// The facing of a stack. Rule 4.2.
    Facing(Cell),
    /// What lies in a zone: positions, minefields, road blocks. Rules 2.8 and 14.
    Works(Cell),
    /// Who holds an objective or supply point. Rule 16.3.
    Holder(Cell),
    /// What lies between two zones: nothing, a river, a bridge, a wired one. Rules 2.6, 2.7, 14.6.
    Crossing(Cell, Octant),
    /// From which side of a stack another zone attacks. Rule 4.3.
    Arc(Cell, Cell),
    /// All zones in a side's zones of control. Rule 4.4.
    Control(Side),
    /// Whether a battalion could begin a march with a step, and how it would end. Rules 4.5, 10.5 to 10.10.
    Step(u8, Cell),
    /// Markers of both sides. Rule 16.1.
    Markers,
    /// Their tallies. Rule 16.2.
    Tally,
    /// Off-map artillery at hand. Rule 8.
    Art,
    /// Aircraft at hand.
    Air,
    /// How many aircraft each side may have.
    AirAllowance,
    /// Free rerolls left. Rule 19.1.
    Rerolls,
    /// The decision that is due, by the name it has in the code.
    Stage,
    /// Who is asked: a side, `fate` or `nobody`.
    Asked,
    /// Whether a choice is open.
    Open(Choice),
    /// The hit numbers of all assaults and bombardments that were rolled. Rules 11.5 and 12.5.
    Hits,
    /// The numbers of all saves that were rolled. Rule 12.6.
    Saves,
    /// The number of the die that is due.
    Need,
    /// Whether it is night.
    Night,
    /// The turn.
    Turn,
    /// The hour.
    Clock,
    /// The aggressor's victory points. Rule 16.4.
    Vp,
    /// How the game ended, or `none`.
    Verdict,
}

/// A question and the answer it must give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// The question.
    pub ask: Ask,
    /// How the file puts it.
    pub what: String,
    /// The answer.
    pub expected: String,
}

/// Why a step is barred, by the words of examples.
pub(crate) const BARRED: [(&str, Barred); 12] = [
    ("off-map", Barred::OffMap),
    ("water", Barred::Water),
    ("enemy", Barred::Enemy),
    ("no-road", Barred::NoRoad),
    ("marsh", Barred::Marsh),
    ("river", Barred::River),
    ("river-later", Barred::RiverLater),
    ("capacity", Barred::Capacity),
    ("rough-twice", Barred::RoughTwice),
    ("road-control", Barred::RoadControl),
    ("control", Barred::ControlToControl),
    ("night-control", Barred::NightControl),
];
/// How a step may end, by the words of examples.
pub(crate) const STEPS: [&str; 4] = ["free", "stop", "rough", "ford"];
/// What may lie between two zones.
pub(crate) const CROSSINGS: [&str; 4] = ["none", "river", "bridge", "wired"];
/// The sides of a stack.
pub(crate) const ARCS: [&str; 3] = ["front", "flank", "rear"];
/// States that are no zone.
pub(crate) const AWAY: [&str; 3] = ["waiting", "shattered", "lost"];

/// Reads the expectations of a case.
pub(crate) fn read(mut table: Table<'_>, rules: &Rules, problems: &mut Problems) -> Option<Vec<Check>> {
    let errors = problems.error_count();
    let mut reader = Reader { rules, problems, checks: Vec::new() };
    reader.battalions(&mut table);
    reader.places(&mut table);
    reader.sides(&mut table);
    reader.moment(&mut table);
    let checks = reader.checks;
    table.finish(problems);
    (problems.error_count() == errors).then_some(checks)
}

struct Reader<'r> {
    rules: &'r Rules,
    problems: &'r mut Problems,
    checks: Vec<Check>,
}

impl Reader<'_> {
    fn add(&mut self, ask: Ask, what: impl Into<String>, expected: Option<String>) {
        if let Some(expected) = expected {
            self.checks.push(Check { ask, what: what.into(), expected });
        }
    }

    /// A table from battalions, zones or the like to answers.
    fn each<T>(
        &mut self,
        table: &mut Table<'_>,
        key: &'static str,
        subject: impl Fn(&mut Self, &str, Range<usize>) -> Option<T>,
        ask: impl Fn(T) -> Ask,
        answer: impl Fn(&mut Self, &Value<'_>) -> Option<String>,
    ) {
        let Some(value) = table.optional(key) else { return };
        let Some(table) = value.table(self.problems) else { return };
        for (word, span, value) in table.entries() {
            let found = subject(self, word, span);
            let expected = answer(self, &value);
            if let Some(found) = found {
                self.add(ask(found), format!("{key} of {word}"), expected);
            }
        }
    }

    fn unit(&mut self, word: &str, span: Range<usize>) -> Option<u8> {
        let found = self.rules.scenario.unit(word);
        if found.is_none() {
            let problem = self.problems.error(span, format!("there is no battalion {word:?}"));
            problem.expected("a battalion of this example");
            let known = self.rules.scenario.papers.iter().map(|paper| paper.id.as_str());
            if let Some(near) = nearest(word, known) {
                problem.hint(format!("did you mean \"{near}\"?"));
            }
        }
        found
    }

    fn zone(&mut self, word: &str, span: Range<usize>) -> Option<Cell> {
        let found = self.rules.scenario.grid.parse(word);
        if found.is_none() {
            let problem = self.problems.error(span, format!("there is no zone {word:?}"));
            problem.expected("column and row, such as \"0502\"");
        }
        found
    }

    /// Two words with a blank between them.
    fn two<'w>(&mut self, words: &'w str, span: &Range<usize>, example: &str) -> Option<(&'w str, &'w str)> {
        let found = words.split_once(' ');
        if found.is_none() {
            let problem = self.problems.error(span.clone(), format!("{words:?} is one word"));
            problem.expected(format!("two, such as \"{example}\""));
        }
        found
    }

    fn two_zones(&mut self, words: &str, span: Range<usize>) -> Option<(Cell, Cell)> {
        let (a, b) = self.two(words, &span, "0502 0402")?;
        Some((self.zone(a, span.clone())?, self.zone(b, span)?))
    }

    /// The way from a zone to one next to it.
    fn way(&mut self, from: Cell, to: Cell, span: Range<usize>) -> Option<Octant> {
        let way = self.rules.scenario.grid.direction(from, to);
        if way.is_none() {
            let grid = self.rules.scenario.grid;
            let what = format!("{} is not next to {}", grid.name(to), grid.name(from));
            self.problems.error(span, what).expected("neighbouring zones");
        }
        way
    }

    fn word_of(&mut self, value: &Value<'_>, known: &[&str]) -> Option<String> {
        let parse = |word: &str| known.contains(&word).then(|| word.to_owned());
        value.word(known, parse, self.problems)
    }

    fn number(&mut self, value: &Value<'_>) -> Option<String> {
        value.integer(0..=999_u16, self.problems).map(|number| number.to_string())
    }

    fn truth(&mut self, value: &Value<'_>) -> Option<String> {
        value.boolean(self.problems).map(|truth| truth.to_string())
    }

    fn numbers(&mut self, value: &Value<'_>) -> Option<String> {
        value.integers(&(0..=10_u8), self.problems).map(|list| format!("{list:?}"))
    }

    fn battalions(&mut self, table: &mut Table<'_>) {
        self.each(table, "units", Self::unit, Ask::Place, |reader, value| {
            let text = value.text(reader.problems)?;
            if AWAY.contains(&text.as_str()) {
                return Some(text.as_str().to_owned());
            }
            let zone = reader.zone(text.as_str(), text.span())?;
            Some(reader.rules.scenario.grid.name(zone))
        });
        self.each(table, "mp", Self::unit, Ask::Mp, Self::number);
        self.each(table, "result", Self::unit, Ask::Result, |reader, value| {
            reader.word_of(value, &RESULTS.map(|(word, _)| word))
        });
        self.each(table, "marks", Self::unit, Ask::Marks, |reader, value| {
            let words = MARKS.map(|(word, _)| word);
            let parse = |word: &str| MARKS.iter().find(|(known, _)| *known == word).map(|(_, bit)| *bit);
            let bits = value.words(&words, parse, reader.problems)?;
            Some(mark_words(bits.into_iter().fold(0, |all, bit| all | bit)))
        });
        self.each(table, "unsupplied", Self::unit, Ask::Level, Self::number);
        self.each(table, "supplied", Self::unit, Ask::Supplied, Self::truth);
        self.each(table, "in_command", Self::unit, Ask::InCommand, Self::truth);
    }

    fn places(&mut self, table: &mut Table<'_>) {
        self.each(table, "facing", Self::zone, Ask::Facing, |reader, value| {
            reader.word_of(value, &Octant::ALL.map(Octant::name))
        });
        self.each(table, "works", Self::zone, Ask::Works, |reader, value| {
            let known = ["prepared US", "prepared GE", "mines US", "mines GE", "road block"];
            let parse = |word: &str| known.iter().position(|one| *one == word);
            let mut found = value.words(&known, parse, reader.problems)?;
            found.sort_unstable();
            Some(found.into_iter().map(|at| known[at]).collect::<Vec<_>>().join(", "))
        });
        self.each(table, "held", Self::key, Ask::Holder, |reader, value| reader.word_of(value, &CODES));
        self.each(
            table,
            "crossing",
            |reader, words, span| {
                let (a, b) = reader.two_zones(words, span.clone())?;
                Some((a, reader.way(a, b, span)?))
            },
            |(zone, way)| Ask::Crossing(zone, way),
            |reader, value| reader.word_of(value, &CROSSINGS),
        );
        self.each(
            table,
            "arc",
            |reader, words, span| {
                let (a, b) = reader.two_zones(words, span.clone())?;
                reader.way(a, b, span)?;
                Some((a, b))
            },
            |(defending, attacking)| Ask::Arc(defending, attacking),
            |reader, value| reader.word_of(value, &ARCS),
        );
        self.each(table, "control", Self::side, Ask::Control, |reader, value| {
            let texts = value.texts(reader.problems)?;
            let zones: Vec<_> = texts.iter().map(|text| reader.zone(text.as_str(), text.span())).collect();
            let mut zones = zones.into_iter().collect::<Option<Vec<Cell>>>()?;
            zones.sort_unstable();
            let names: Vec<String> =
                zones.into_iter().map(|zone| reader.rules.scenario.grid.name(zone)).collect();
            Some(names.join(" "))
        });
        self.each(
            table,
            "step",
            |reader, words, span| {
                let (unit, zone) = reader.two(words, &span, "us-1 0502")?;
                let unit = reader.unit(unit, span.clone())?;
                Some((unit, reader.zone(zone, span)?))
            },
            |(unit, to)| Ask::Step(unit, to),
            |reader, value| {
                let known: Vec<&str> =
                    STEPS.into_iter().chain(BARRED.iter().map(|(word, _)| *word)).collect();
                reader.word_of(value, &known)
            },
        );
    }

    /// A zone with an objective or supply point.
    fn key(&mut self, word: &str, span: Range<usize>) -> Option<Cell> {
        let zone = self.zone(word, span.clone())?;
        if self.rules.key_at(zone).is_none() {
            self.problems.error(span, format!("nothing is to be held in {word}"));
            return None;
        }
        Some(zone)
    }

    fn side(&mut self, word: &str, span: Range<usize>) -> Option<Side> {
        let found = side_of(word);
        if found.is_none() {
            self.problems.error(span, format!("there is no side {word:?}")).expected("US or GE");
        }
        found
    }

    fn sides(&mut self, table: &mut Table<'_>) {
        for (key, ask) in [
            ("markers", Ask::Markers),
            ("tally", Ask::Tally),
            ("art", Ask::Art),
            ("air", Ask::Air),
            ("air_allowance", Ask::AirAllowance),
            ("rerolls", Ask::Rerolls),
        ] {
            if let Some(value) = table.optional(key) {
                let expected = pair::<999>(&value, self.problems).map(|pair| format!("{pair:?}"));
                self.add(ask, key, expected);
            }
        }
    }

    fn moment(&mut self, table: &mut Table<'_>) {
        if let Some(value) = table.optional("stage") {
            let expected = value.text(self.problems).map(|text| text.as_str().to_owned());
            self.add(Ask::Stage, "stage", expected);
        }
        if let Some(value) = table.optional("asked") {
            let expected = self.word_of(&value, &["US", "GE", "fate", "nobody"]);
            self.add(Ask::Asked, "asked", expected);
        }
        for (key, expected) in [("open", "open"), ("closed", "closed")] {
            let Some(value) = table.optional(key) else { continue };
            for name in value.texts(self.problems).unwrap_or_default() {
                if let Some(choice) = choice(&name, self.rules, self.problems) {
                    self.add(Ask::Open(choice), format!("{:?}", name.as_str()), Some(expected.to_owned()));
                }
            }
        }
        for (key, ask) in [("hits", Ask::Hits), ("saves", Ask::Saves)] {
            if let Some(value) = table.optional(key) {
                let expected = self.numbers(&value);
                self.add(ask, key, expected);
            }
        }
        for (key, ask) in [("need", Ask::Need), ("turn", Ask::Turn), ("clock", Ask::Clock), ("vp", Ask::Vp)] {
            if let Some(value) = table.optional(key) {
                let expected = self.number(&value);
                self.add(ask, key, expected);
            }
        }
        if let Some(value) = table.optional("night") {
            let expected = self.truth(&value);
            self.add(Ask::Night, "night", expected);
        }
        if let Some(value) = table.optional("verdict") {
            let words: Vec<String> = Verdict::ALL.iter().map(|verdict| format!("{verdict:?}")).collect();
            let known: Vec<&str> = words.iter().map(String::as_str).chain(["none"]).collect();
            let expected = self.word_of(&value, &known);
            self.add(Ask::Verdict, "verdict", expected);
        }
    }
}

/// Marks in words.
pub(crate) fn mark_words(marks: u16) -> String {
    let words: Vec<&str> = MARKS.iter().filter(|(_, bit)| marks & bit != 0).map(|(word, _)| *word).collect();
    words.join(" ")
}
