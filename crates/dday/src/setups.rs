//! The set-ups and lessons that the lobby shows, and the legend of the board.

use kernel::{Difficulty, LessonFile, Options, Setup};

use crate::scenario::{DEFAULT, SCENARIOS, Scenario};

/// The signs and abbreviations on the board.
pub const LEGEND: &[(&str, &str)] = &[
    ("one, two, three dots", "the quality of a battalion: Poor, Regular, Veteran"),
    ("number at the lower left", "the save: so much or less on the die, and the battalion holds"),
    ("number at the lower right", "movement points"),
    ("↦ and a number", "the range of a gun, in zones"),
    (
        "number in the sign of armour",
        "its weight: heavier armour has the better of lighter armour in the open",
    ),
    ("two strokes, one stroke, a cross", "a battalion, a detachment, a headquarters (HQ)"),
    (
        "seals at the upper edge",
        "square: hold, triangle: full move, arrow: double, backwards: fallback; cross: has fought, crosshairs: was attacked",
    ),
    ("line with a wedge", "the front of a stack: the three zones before it are its zone of control (ZOC)"),
    ("flag with a number", "an objective and its victory points (VP), in the colour of who holds it"),
    ("depot", "a supply point"),
    ("0402", "a zone: column 4, row 2"),
    ("INF, ENG, REC", "infantry, engineers, reconnaissance"),
    ("TNK, TD, SPG", "tanks, tank destroyers, assault guns"),
    ("ATG, ART, SPA", "antitank guns, artillery, self-propelled artillery"),
    ("ART and AIR of a side", "guns and aircraft off the map, each +1 in one combat"),
    ("markers", "setbacks of this turn: they count against you in the roll for the first move"),
    ("tally", "all markers so far: at the break number the army breaks"),
];

/// The lessons.
pub const LESSONS: &[LessonFile] = &[LessonFile {
    id: "first",
    text: include_str!("../data/lessons/first.toml"),
    files: &[("crossroads.toml", include_str!("../data/lessons/crossroads.toml"))],
}];

/// Seconds that a battalion takes in a turn, choices and dice, with some practice.
const SECONDS_A_BATTALION: usize = 12;
/// Up to so many battalions a scenario is easy, and up to so many it is of medium size.
const EASY: usize = 36;
const MEDIUM: usize = 50;

/// Every scenario.
pub fn setups() -> Vec<Setup> {
    SCENARIOS.iter().filter_map(|(id, _)| Scenario::builtin(id)).map(|scenario| setup(&scenario)).collect()
}

fn setup(scenario: &Scenario) -> Setup {
    let (title, subtitle) = scenario.name.split_once(": ").unwrap_or((&scenario.name, ""));
    let battalions = scenario.troops.len();
    let minutes = usize::from(scenario.turns) * battalions * SECONDS_A_BATTALION / 60;
    Setup {
        id: scenario.id.clone(),
        title: title.to_owned(),
        about: if subtitle.is_empty() { scenario.summary.clone() } else { capitalized(subtitle) },
        sides: scenario.who_attacks(),
        length: format!("{} turns, {battalions} battalions", scenario.turns),
        minutes: (minutes.next_multiple_of(15)) as u16,
        difficulty: if battalions <= EASY {
            Difficulty::Easy
        } else if battalions <= MEDIUM {
            Difficulty::Medium
        } else {
            Difficulty::Hard
        },
        start_here: scenario.id == DEFAULT,
        options: Options::from([("scenario".to_owned(), scenario.id.clone())]),
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect::<String>() + ".")
}
