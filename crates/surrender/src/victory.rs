//! The Victory Check (12.1) and the ranking of the Allies.

use kernel::{EventSink, ResultInfo, Standing};

use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{City, Country, Faction, Side, UnitId};
use crate::rules::Rules;
use crate::scenario::{By, Scenario, Winner};
use crate::state::{State, Status, fate};
use crate::victory_test::{Operator, Test};

/// Points of the Allied ranking: Berlin, another capital, another German city (12.1).
const RANKING: [i32; 3] = [5, 2, 1];
/// So many points of National Will below its start cost a leading power a point.
const WILL_A_POINT: i32 = 5;

/// Who comes first where both Allied factions win.
const FIRST: [(&str, &str, [Standing; 2]); 3] = [
    ("western", "Western Allies first", [Standing::Win, Standing::Draw]),
    ("soviet", "Soviets first", [Standing::Draw, Standing::Win]),
    ("shared", "shared", [Standing::Win, Standing::Win]),
];

/// The levels that a line of the victory table can have: as written, its winner, the words of its results in saves.
pub(crate) const LEVELS: [(&str, Winner, [&str; 4]); 13] = [
    ("axis automatic", Winner::Faction(Faction::Axis), ["axis_automatic", "", "", ""]),
    ("axis decisive", Winner::Faction(Faction::Axis), ["axis_decisive", "", "", ""]),
    ("axis marginal", Winner::Faction(Faction::Axis), ["axis_marginal", "", "", ""]),
    ("western automatic", Winner::Faction(Faction::Western), ["western_automatic", "", "", ""]),
    ("western decisive", Winner::Faction(Faction::Western), ["western_decisive", "", "", ""]),
    ("western marginal", Winner::Faction(Faction::Western), ["western_marginal", "", "", ""]),
    ("soviet automatic", Winner::Faction(Faction::Soviet), ["soviet_automatic", "", "", ""]),
    ("soviet decisive", Winner::Faction(Faction::Soviet), ["soviet_decisive", "", "", ""]),
    ("soviet marginal", Winner::Faction(Faction::Soviet), ["soviet_marginal", "", "", ""]),
    (
        "allied automatic",
        Winner::Allied,
        [
            "allied_automatic",
            "allied_automatic_western",
            "allied_automatic_soviet",
            "allied_automatic_shared",
        ],
    ),
    (
        "allied decisive",
        Winner::Allied,
        ["allied_decisive", "allied_decisive_western", "allied_decisive_soviet", "allied_decisive_shared"],
    ),
    (
        "allied marginal",
        Winner::Allied,
        ["allied_marginal", "allied_marginal_western", "allied_marginal_soviet", "allied_marginal_shared"],
    ),
    (DRAW, Winner::Draw, ["draw", "", "", ""]),
];

/// The level of a game that nobody wins; also where no line of the table is true at the end.
const DRAW: &str = "draw";

/// The results of a scenario: one for each level of its victory table, an Allied win that is ranked in three forms.
pub(crate) fn results(scenario: &Scenario) -> Vec<ResultInfo> {
    levels(scenario).flat_map(|level| forms(scenario, level)).collect()
}

/// The levels of a scenario in the order of its table, each once; a draw comes last where no line of the table must be true
/// in the end.
fn levels(scenario: &Scenario) -> impl Iterator<Item = &str> {
    let lines = &scenario.victory;
    let first = |at: usize| !lines[..at].iter().any(|line| line.level == lines[at].level);
    let is_sure = lines.iter().any(|line| line.test == Test::Otherwise && !matches!(line.by, By::Turn(_)));
    let draw = (!is_sure && !lines.iter().any(|line| line.level == DRAW)).then_some(DRAW);
    lines
        .iter()
        .enumerate()
        .filter(move |(at, _)| first(*at))
        .map(|(_, line)| line.level.as_str())
        .chain(draw)
}

/// The forms of a level, as results.
fn forms(scenario: &Scenario, level: &str) -> Vec<ResultInfo> {
    let Some((_, winner, words)) = LEVELS.iter().find(|(known, ..)| *known == level) else {
        return Vec::new();
    };
    let title = title(level);
    let standings = |of: &dyn Fn(Faction) -> Standing| -> Vec<Standing> {
        scenario.factions.iter().map(|faction| of(*faction)).collect()
    };
    match *winner {
        Winner::Draw => vec![ResultInfo::new(words[0], title, standings(&|_| Standing::Draw))],
        Winner::Faction(winner) => {
            let of = |faction| if faction == winner { Standing::Win } else { Standing::Loss };
            vec![ResultInfo::new(words[0], title, standings(&of))]
        }
        Winner::Allied if scenario.ranked => FIRST
            .iter()
            .zip(&words[1..])
            .map(|((_, first, each), word)| {
                let of = |faction| match faction {
                    Faction::Axis => Standing::Loss,
                    Faction::Western => each[0],
                    Faction::Soviet => each[1],
                };
                ResultInfo::new(word, format!("{title}, {first}"), standings(&of))
            })
            .collect(),
        Winner::Allied => {
            let of = |faction| if faction == Faction::Axis { Standing::Loss } else { Standing::Win };
            vec![ResultInfo::new(words[0], title, standings(&of))]
        }
    }
}

/// "axis decisive" as people say it: "Axis decisive victory".
fn title(level: &str) -> String {
    if level == DRAW {
        return "Draw".to_owned();
    }
    let mut letters = level.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(" victory".chars()).collect()
}

impl Rules {
    /// Phase 12: the first true line of the victory table ends the game (30.4); the last turn always does. Ruling 108: the
    /// only place where a game ends.
    pub(crate) fn check_victory<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let scenario = self.scenario();
        let is_last = state.turn >= scenario.last;
        let decided = scenario.victory.iter().find(|line| {
            let is_tested = match line.by {
                By::Turn(turn) => state.turn <= turn,
                By::Any => true,
                By::End => is_last,
            };
            is_tested && self.value_of(state, &line.test) != 0
        });
        let level = match decided {
            Some(line) => line.level.as_str(),
            None if is_last => DRAW,
            None => return,
        };
        let before: usize = levels(scenario)
            .take_while(|known| *known != level)
            .map(|level| if self.is_ranked(level) { FIRST.len() } else { 1 })
            .sum();
        let form = if self.is_ranked(level) { self.first_of_the_allies(state) } else { 0 };
        let result = (before + form) as u8;
        state.verdict = Some(result);
        sink.emit(|| GameEvent::Verdict(result));
        state.push(Frame::Over);
    }

    /// Whether a level has the three forms of an Allied win.
    fn is_ranked(&self, level: &str) -> bool {
        self.scenario().ranked
            && LEVELS.iter().any(|(known, winner, _)| *known == level && *winner == Winner::Allied)
    }

    /// What a test of the victory table comes to.
    pub(crate) fn value_of(&self, state: &State, test: &Test) -> i32 {
        match test {
            Test::Otherwise => 1,
            Test::Number(number) => *number,
            Test::Conquered(country) => i32::from(state.country(*country).status == Status::Conquered),
            Test::Collapsed(country) => i32::from(state.country(*country).fates & fate::COLLAPSED != 0),
            Test::Will(country) => i32::from(state.country(*country).will),
            Test::Controls(faction, cities) => {
                cities.iter().filter(|city| self.controls(state, *faction, **city)).count() as i32
            }
            Test::GroundIn(faction, country) => {
                let is_there = |unit: UnitId| {
                    let place = state.unit(unit).place;
                    place.is_hex()
                        && self.kind(unit).is_ground()
                        && self.side_of(state, unit) == faction.side()
                        && self.world.hex(place).country == *country
                };
                UnitId::all().filter(|unit| is_there(*unit)).count() as i32
            }
            Test::Not(test) => i32::from(self.value_of(state, test) == 0),
            Test::Join(operator, both) => {
                let (one, other) = (self.value_of(state, &both.0), self.value_of(state, &both.1));
                match operator {
                    Operator::Or => i32::from(one != 0 || other != 0),
                    Operator::And => i32::from(one != 0 && other != 0),
                    Operator::Equals => i32::from(one == other),
                    Operator::AtLeast => i32::from(one >= other),
                    Operator::Plus => one.saturating_add(other),
                }
            }
        }
    }

    /// Whether a faction controls a city.
    pub(crate) fn controls(&self, state: &State, faction: Faction, city: City) -> bool {
        state.controller(self.world.city(city).hex) == faction.side()
    }

    /// Who is first where both Allied factions win: 0 the West, 1 the Soviets, 2 both (12.1).
    fn first_of_the_allies(&self, state: &State) -> usize {
        let west = self.ranking_of(state, Faction::Western);
        let east = self.ranking_of(state, Faction::Soviet);
        match west.cmp(&east) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => 2,
        }
    }

    /// The score of an Allied faction (12.1): 5 for Berlin, 2 for every other capital and 1 for every other German city that
    /// it controls, if its country is or was an Axis country or was conquered by the Axis; less 1 for every full 5 points by
    /// which the National Will of its leading power stands below its start.
    pub fn ranking_of(&self, state: &State, faction: Faction) -> i32 {
        let mut score = 0;
        for city in City::all() {
            let info = self.world.city(city);
            if !self.controls(state, faction, city) || info.port_only {
                continue;
            }
            let country = state.country(info.country);
            let counts = country.fates & (fate::WAS_AXIS | fate::FELL_TO_AXIS) != 0
                || country.status == Status::Active && country.side == Side::Axis;
            score += match (counts, info.capital, info.country == Country::GER) {
                (false, ..) => 0,
                (_, true, true) => RANKING[0],
                (_, true, false) => RANKING[1],
                (_, false, true) => RANKING[2],
                _ => 0,
            };
        }
        let leading = match faction {
            Faction::Axis => Country::GER,
            Faction::Western if state.country(Country::UK).status != Status::Active => Country::USA,
            Faction::Western => Country::UK,
            Faction::Soviet => Country::USSR,
        };
        let below = i32::from(self.scenario().will[leading.index()] - state.country(leading).will);
        score - below.max(0) / WILL_A_POINT
    }
}

#[cfg(test)]
#[path = "victory_tests.rs"]
mod tests;
