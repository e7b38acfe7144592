//! The set-ups and lessons that the lobby shows, and the legend of the board.

use kernel::{Difficulty, LessonFile, Options, Setup};

/// The signs and abbreviations on the board.
pub const LEGEND: &[(&str, &str)] = &[
    ("WE, EE", "Western and Eastern Europe"),
    ("PO", "Pacific Ocean"),
    ("AF", "Africa and the Middle East"),
    ("SEA", "South East Asia"),
    ("VP", "victory points: 25 end the game"),
    ("marker on a track", "who leads the theatre, and by how much"),
    ("marks on a track", "from here on a campaign is worth 1 VP more, from the second mark 2"),
    ("number on a unit", "its strength: so far the marker moves"),
    ("1+", "General or Admiral: 1, and 1 more for each matching unit of yours in the theatre"),
    ("land, sea, both", "armies stand on land, navies at sea, airforces anywhere"),
    ("Production", "draw one token at once; improved: two"),
    ("Research", "a special weapon goes into your bag; improved: two; research industry: into your reserve"),
    ("Bombing", "a token of the other side goes back into its bag"),
    ("Tactical advantage", "the marker of this theatre moves so many spaces more"),
    ("Strategic advantage", "the marker of another theatre moves so many spaces"),
    ("Propaganda", "so many VP at once"),
];

/// The lessons.
pub const LESSONS: &[LessonFile] =
    &[LessonFile { id: "first", text: include_str!("../data/lessons/first.toml"), files: &[] }];

/// The bot and two players on the base board, and both on that of Nippon.
pub fn setups() -> Vec<Setup> {
    let setup =
        |id: &str, title: &str, about: &str, sides: &str, difficulty, options: &[(&str, &str)]| Setup {
            id: id.to_owned(),
            title: title.to_owned(),
            about: about.to_owned(),
            sides: sides.to_owned(),
            length: "about 12 turns each".to_owned(),
            minutes: 25,
            difficulty,
            start_here: id == "solo-easy",
            options: options
                .iter()
                .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
                .collect::<Options>(),
        };
    vec![
        setup(
            "solo-easy",
            "First game",
            "The easy bot, without stratagems: its units lie open and it follows a fixed procedure.",
            "You are the Allies; the bot is the Axis",
            Difficulty::Easy,
            &[("board", "base"), ("mode", "solo"), ("difficulty", "easy"), ("stratagems", "off")],
        ),
        setup(
            "solo",
            "Against the bot",
            "The full solo game: a stratagem every turn and a head start for the bot.",
            "You are the Allies; the bot is the Axis",
            Difficulty::Medium,
            &[("board", "base"), ("mode", "solo"), ("difficulty", "medium"), ("stratagems", "on")],
        ),
        setup(
            "two",
            "Two players",
            "Hidden reserves, a friend or one of five levels of bots.",
            "Axis against Allies",
            Difficulty::Medium,
            &[("board", "base"), ("mode", "two_player")],
        ),
        setup(
            "nippon",
            "Nippon",
            "The expansion: fifteen cities of an occupied America.",
            "You are the Axis; the bot is Japan",
            Difficulty::Hard,
            &[("board", "nippon"), ("mode", "solo")],
        ),
    ]
}
