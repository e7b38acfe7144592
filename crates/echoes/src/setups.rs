//! The set-ups and lessons that the lobby shows, and the legend of the board.

use kernel::{Difficulty, LessonFile, Options, Setup};

/// The signs and abbreviations on the board.
pub const LEGEND: &[(&str, &str)] = &[
    ("WF, EF, SF", "Western, Eastern and Southern Front"),
    ("CHN, PAC, ISL", "China, the Pacific, the Islands"),
    ("VP", "victory points: what the space of each front is worth to the Allies"),
    ("EMT", "European Modifier Track: who leads it adds 1 to attacks on WF, EF and SF"),
    ("PMT", "Pacific Modifier Track: the same for CHN, PAC and ISL"),
    ("USA", "USA in Europe: at 3 the Allies add 1 to attacks on WF and SF"),
    ("TOW", "Tide of War: a reroll or a shift, once in each region, twice in a game"),
    ("★", "a capital: only an attack with a total of 6 or more takes it"),
    ("number at a front", "what the Allies, or the Axis, need on the die for the next space"),
    ("X", "marks of a side on a track; the difference counts"),
    ("ADV", "advance by one space without a die"),
    ("grey square", "an Event: played once, in its years; afterwards the Alternate is played"),
    ("gold turn", "at its end the Confidence Chart is consulted"),
    ("red turn", "from 1943 on attacks need other numbers"),
];

/// The lessons.
pub const LESSONS: &[LessonFile] =
    &[LessonFile { id: "first", text: include_str!("../data/lessons/first.toml"), files: &[] }];

/// The plain game of both editions.
pub fn setups() -> Vec<Setup> {
    let setup = |edition: &str, title: &str, about: &str, sides: &str, difficulty, start_here| Setup {
        id: edition.to_owned(),
        title: title.to_owned(),
        about: about.to_owned(),
        sides: sides.to_owned(),
        length: "20 turns".to_owned(),
        minutes: 30,
        difficulty,
        start_here,
        options: Options::from([
            ("edition".to_owned(), edition.to_owned()),
            ("spread".to_owned(), "1".to_owned()),
        ]),
    };
    vec![
        setup(
            "allied",
            "The Allies",
            "Hold out until 1942, then take it all back.",
            "You lead the Allies; the book leads the Axis",
            Difficulty::Easy,
            true,
        ),
        setup(
            "axis",
            "The Axis",
            "Win early, then keep what you can.",
            "You lead the Axis; the book leads the Allies",
            Difficulty::Medium,
            false,
        ),
    ]
}
