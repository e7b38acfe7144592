//! The scenarios as the lobby shows them.

use kernel::{Difficulty, LessonFile, Options, Setup};

use crate::ids::Faction;
use crate::scenario::Scenario;
use crate::scenario_file;
use crate::tables::month_of;
use crate::words::MONTHS;

/// The game in two sentences.
pub(crate) const PITCH: &str = "The war in Europe from 1939 to 1945, a month a turn: armies, air wings and fleets on a map \
     from Iceland to the Urals. Break the will of countries, keep your own supplied, and win neutrals before the other side does.";

/// The lessons.
pub(crate) const LESSONS: &[LessonFile] =
    &[LessonFile { id: "first", text: include_str!("../data/lessons/first.toml"), files: &[] }];

/// What the lobby says about one of our scenarios: a sentence, minutes, how hard it is.
const CARDS: [(&str, &str, u16, Difficulty); 7] = [
    (
        "poland-1939",
        "Eight German armies and two air fleets against Poland: take Warsaw before the month is out.",
        30,
        Difficulty::Easy,
    ),
    (
        "scandinavia-1940",
        "Landings in Denmark and Norway in April storms, with the Home Fleet at sea.",
        45,
        Difficulty::Medium,
    ),
    (
        "france-1940",
        "Through the Low Countries or the Ardennes: three months to knock France out of the war.",
        90,
        Difficulty::Easy,
    ),
    (
        "balkans-1941",
        "Yugoslavia and Greece in the spring of 1941, and Crete if there is time.",
        60,
        Difficulty::Easy,
    ),
    (
        "ussr-1941",
        "From June to December on the longest front of all: Leningrad, Moscow, Rostov, before the winter.",
        360,
        Difficulty::Hard,
    ),
    (
        "france-1944",
        "Choose a beach, hold it, and get to Paris, Antwerp and over the German border by Christmas.",
        150,
        Difficulty::Medium,
    ),
    (
        "main-event-1939",
        "The whole war for three: Axis, Western Allies, Soviets, with diplomacy, production and the war at sea.",
        2400,
        Difficulty::Hard,
    ),
];

/// Every scenario of ours, in the order of the rulebook.
pub(crate) fn setups() -> Vec<Setup> {
    scenario_file::builtin().iter().zip(CARDS).map(|(scenario, card)| setup(scenario, card)).collect()
}

fn setup(scenario: &Scenario, (id, about, minutes, difficulty): (&str, &str, u16, Difficulty)) -> Setup {
    let sides: Vec<&str> = scenario.factions.iter().map(|faction| faction.title()).collect();
    Setup {
        id: id.to_owned(),
        title: scenario.title.clone(),
        about: about.to_owned(),
        sides: if sides.len() == Faction::ALL.len() {
            "Axis, Western Allies, Soviets".to_owned()
        } else {
            sides.join(" against ")
        },
        length: length(scenario),
        minutes,
        difficulty,
        start_here: id == "poland-1939",
        options: Options::from([("scenario".to_owned(), id.to_owned())]),
    }
}

/// "2 turns, September to October 1939".
pub(crate) fn length(scenario: &Scenario) -> String {
    let ((from, first), (to, last)) = (month_of(scenario.first), month_of(scenario.last));
    let (first, last) = (MONTHS[usize::from(first) - 1], MONTHS[usize::from(last) - 1]);
    let turns = scenario.last - scenario.first + 1;
    let when = match (turns, from == to) {
        (1, _) => format!("{first} {from}"),
        (_, true) => format!("{first} to {last} {from}"),
        (_, false) => format!("{first} {from} to {last} {to}"),
    };
    format!("{turns} {}, {when}", if turns == 1 { "turn" } else { "turns" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_and_scenarios_agree() {
        let setups = setups();
        assert_eq!(setups.len(), scenario_file::SCENARIOS.len());
        for (setup, (id, _)) in setups.iter().zip(scenario_file::SCENARIOS) {
            assert_eq!(setup.id, id);
        }
        assert_eq!(setups.iter().filter(|setup| setup.start_here).count(), 1);
        assert_eq!(setups[0].length, "2 turns, September to October 1939");
        assert_eq!(setups[6].length, "72 turns, September 1939 to August 1945");
    }
}
