//! The set-ups and lessons that the lobby shows, and the legend of the board.

use kernel::{Difficulty, LessonFile, Options, Setup};

/// The game in two sentences.
pub const PITCH: &str = "Europe from 1936 to 1945 for three: the West, the Axis and the USSR, with hidden blocks, \
     two decks of cards and an economy. Nobody has to start a war, but somebody who is left in peace wins by trade alone.";

/// The signs and abbreviations on the board.
pub const LEGEND: &[(&str, &str)] = &[
    (
        "POP, RES, IND",
        "population, resources, industry: Production is the lowest of them, at peace without RES",
    ),
    ("red RES", "resources that may be shipped round Africa when the Mediterranean is closed"),
    ("VP", "victory points: 25 at the start of a year win"),
    ("CV", "the strength of a unit: so many dice it rolls; a Cadre has 1"),
    ("blank block", "a unit of a Rival: you see its nation, not its type or strength"),
    ("tilted block", "a revealed unit: everybody sees it"),
    ("A, N, G, S", "targets: Air Forces, naval units, ground units, Submarines"),
    ("A2 N3 G4 S3", "firepower: a die of this number or less hits such a target"),
    ("Summer C6", "Command: the season, the letter that decides the order of turns, and how many units move"),
    ("A18, I13", "the numbers of an Action card and of an Investment card"),
    ("disc with a number", "markers of a Faction in a nation: 1 Associate, 2 Protectorate, 3 Satellite"),
    (
        "main capital, sub-capital",
        "large and small stars: two of your Rivals' win the game, and each is worth 2 VP",
    ),
    ("city, town", "POP 1 or 0; its Muster is the CV of the fort or unit that stands up there"),
    ("plains, river, forest", "at most 3, 2, 2 Ground units enter or leave a Battle across this border"),
    ("mountain, strait, coast", "only 1 does, two with LSTs when they land"),
    ("hatched area", "Disputed: units of several Factions are there, and the first one owns it"),
    ("chit", "a Peace Dividend of 0, 1 or 2 VP; only its owner knows"),
    ("vault", "technologies that are paired but not shown yet"),
    ("med, full", "blockade: only red RES and POP count, or nothing at all"),
    ("VoN, DoW", "Violation of Neutrality, Declaration of War"),
    ("ANS", "Air, Naval and Submarine units: they need Ground Support to stay in Enemy land"),
    ("Escaped", "a Submarine face down: it does not control the sea, but breaks Enemy trade"),
];

/// The lessons.
pub const LESSONS: &[LessonFile] = &[LessonFile {
    id: "first",
    text: include_str!("../data/lessons/first.toml"),
    files: &[("opening.toml", include_str!("../data/lessons/opening.toml"))],
}];

/// The whole war and the short one, for three players and for two.
pub fn setups() -> Vec<Setup> {
    let setup = |id: &str, title: &str, about: &str, sides: &str, length: &str, minutes, difficulty| {
        let start = if id.starts_with("1939") { "1939" } else { "1936" };
        let players = if id.ends_with("two") { "2" } else { "3" };
        let options = [("start", start), ("players", players)];
        Setup {
            id: id.to_owned(),
            title: title.to_owned(),
            about: about.to_owned(),
            sides: sides.to_owned(),
            length: length.to_owned(),
            minutes,
            difficulty,
            start_here: id == "1939",
            options: options
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect::<Options>(),
        }
    };
    let three = "West, Axis and USSR, each for itself";
    let two = "Axis against the Allies, who play West and USSR";
    vec![
        setup(
            "1939",
            "1939",
            "The short game: everybody has armed, Austria is German, and the Axis opens with seven plays of Diplomacy.",
            three,
            "7 years",
            240,
            Difficulty::Medium,
        ),
        setup(
            "1936",
            "1936",
            "The whole game: ten years from nearly unarmed peace to whatever you make of it.",
            three,
            "10 years",
            360,
            Difficulty::Hard,
        ),
        setup(
            "1939-two",
            "1939 for two",
            "The short game; the Allies have two hands and name one of them Active each year.",
            two,
            "7 years",
            210,
            Difficulty::Medium,
        ),
        setup(
            "1936-two",
            "1936 for two",
            "The whole game; the Allies have two hands and name one of them Active each year.",
            two,
            "10 years",
            300,
            Difficulty::Hard,
        ),
    ]
}
