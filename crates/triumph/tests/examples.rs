//! Files of worked examples, as `maproom check triumph FILE` reads them.

use diagnostics::FileCheck;
use kernel::{Catalogue, Game, Options};
use triumph::Triumph;

const FILES: [(&str, &str); 9] = [
    ("examples_new_year.toml", include_str!("../data/examples_new_year.toml")),
    ("examples_war.toml", include_str!("../data/examples_war.toml")),
    ("examples_movement.toml", include_str!("../data/examples_movement.toml")),
    ("examples_combat.toml", include_str!("../data/examples_combat.toml")),
    ("examples_supply.toml", include_str!("../data/examples_supply.toml")),
    ("examples_rulings.toml", include_str!("../data/examples_rulings.toml")),
    ("examples_details.toml", include_str!("../data/examples_details.toml")),
    ("examples_referee.toml", include_str!("../data/examples_referee.toml")),
    ("examples_limits.toml", include_str!("../data/examples_limits.toml")),
];

fn check(text: &str) -> Result<FileCheck, String> {
    Triumph::check_file("examples", "x.toml", text).map_err(|problems| problems.to_string())
}

#[test]
fn the_built_in_examples_pass_as_files_too() {
    let mut all = 0;
    for (name, text) in FILES {
        let check = Triumph::check_file("examples", name, text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(check.failures.is_empty(), "{}", check.failures.join("\n"));
        assert!(check.warnings.is_empty(), "{name}: {}", check.warnings);
        all += text.lines().filter(|line| *line == "[[example]]").count();
    }
    // 73 of the rulebook, the others of our own.
    assert_eq!(all, 145);
    let builtin = Triumph::check_builtin().unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(builtin.iter().filter(|line| line.contains("worked examples")).count(), FILES.len());
}

/// Where figures of an expectation stand: not those of card ids and choices.
fn figures(line: &str) -> Vec<usize> {
    if !line.starts_with("expect = ") || line.contains("only = ") {
        return Vec::new();
    }
    let bytes = line.as_bytes();
    let begins = |at: &usize| bytes[*at].is_ascii_digit() && matches!(bytes[at - 1], b' ' | b'"');
    (1..bytes.len()).filter(begins).collect()
}

#[test]
fn a_wrong_figure_anywhere_is_found() {
    for (name, text) in FILES {
        let (mut start, mut changed) = (0, 0);
        for line in text.split_inclusive('\n') {
            for at in figures(line) {
                // Whatever the figure is, with a 1 before it it is another one.
                let mut broken = text.to_owned();
                broken.insert(start + at, '1');
                let report = check(&broken).unwrap_or_else(|why| panic!("{name}: {why}"));
                assert!(!report.failures.is_empty(), "{name}: nothing is wrong at {at} of {line}");
                changed += 1;
            }
            start += line.len();
        }
        assert!(changed > 10, "{name}: {changed}");
    }
}

/// A small example in which every kind of expectation holds.
const HEAD: &str = r#"
schema = 1
[[example]]
id = "X"
title = "x"
rule = "1"
[example.position]
year = 1939
season = "summer"
order = "west axis ussr"
nations = { norway = "armed axis", poland = "west 2", turkey = "satellite ussr" }
war = ["axis west"]
units = ["germany infantry 4 ruhr", "britain fleet 2 north_sea", "germany submarine 1 baltic_sea escaped", "germany tank 2 berlin"]
hand = { west = ["A01", "I01"] }
in_play = { west = ["A08 poland"] }
vault = { axis = ["sonar I04 I05"] }
techs = { west = ["jets"] }
discards = ["A02"]
chits = { axis = [1] }
fought = ["axis"]
marks = { delhi = "med" }
phase = "movement axis 5"
[[example.case]]
"#;

/// Each kind of expectation, once as it is and once wrong.
const KINDS: [(&str, &str); 42] = [
    ("pop = { west = 14 }", "pop = { west = 13 }"),
    ("res = { axis = 6 }", "res = { axis = 7 }"),
    ("ind = { ussr = 9 }", "ind = { ussr = 8 }"),
    ("open_pop = { ussr = 14 }", "open_pop = { ussr = 0 }"),
    ("open_res = { axis = 6 }", "open_res = { axis = 5 }"),
    ("level = { axis = 6 }", "level = { axis = 11 }"),
    ("vp = { axis = 6 }", "vp = { axis = 7 }"),
    ("cost = { west = 5 }", "cost = { west = 6 }"),
    ("hand_limit = { axis = 6 }", "hand_limit = { axis = 7 }"),
    ("cards = { west = 2 }", "cards = { west = 1 }"),
    (r#"hand = { west = ["I01", "A01"] }"#, r#"hand = { west = ["A01"] }"#),
    (r#"in_play = { west = ["A08 poland"] }"#, r#"in_play = { west = ["A08 austria"] }"#),
    (r#"techs = { west = ["jets"] }"#, "techs = { west = [] }"),
    (r#"vault = { axis = ["sonar"] }"#, r#"vault = { axis = ["jets"] }"#),
    ("chits = { axis = 1 }", "chits = { axis = 0 }"),
    ("fought = { axis = true }", "fought = { west = true }"),
    (r#"enemies = { axis = ["west"] }"#, r#"enemies = { axis = ["ussr"] }"#),
    (r#"units = { oslo = ["minor fortress 1"] }"#, r#"units = { oslo = ["minor fortress 2"] }"#),
    (r#"seen = { oslo = ["minor fortress 1"] }"#, "seen = { oslo = [] }"),
    (r#"control = { oslo = "minor" }"#, r#"control = { oslo = "axis" }"#),
    (r#"owner = { ankara = "ussr" }"#, r#"owner = { ankara = "neutral" }"#),
    (r#"mark = { delhi = "med" }"#, r#"mark = { delhi = "full" }"#),
    (r#"nations = { norway = "armed axis" }"#, r#"nations = { norway = "armed west" }"#),
    (r#"trade = { "west delhi" = "none" }"#, r#"trade = { "west delhi" = "med" }"#),
    (r#"supplied = { "axis berlin" = true }"#, r#"supplied = { "axis berlin" = false }"#),
    (r#"sea = { "axis north_sea" = "enemy" }"#, r#"sea = { "axis north_sea" = "open" }"#),
    (r#"only = { intervene = [] }"#, r#"only = { intervene = ["norway"] }"#),
    (r#"offered = ["move germany infantry 4 ruhr", "end"]"#, r#"offered = ["move germany infantry 3 ruhr"]"#),
    (r#"refused = ["pass"]"#, r#"refused = ["end"]"#),
    (r#"discards = ["A02"]"#, r#"discards = ["A01"]"#),
    (r#"roll = "no dice""#, r#"roll = "2 at 4""#),
    (r#"asked = "axis""#, r#"asked = "fate""#),
    (r#"stage = "movement""#, r#"stage = "destination""#),
    ("year = 1939", "year = 1940"),
    (r#"season = "summer""#, r#"season = "fall""#),
    (r#"order = ["west", "axis", "ussr"]"#, r#"order = ["axis", "west", "ussr"]"#),
    ("turns = []", r#"turns = ["west"]"#),
    (r#"active = "axis""#, r#"active = "west""#),
    ("moves = 5", "moves = 4"),
    ("emergency = false", "emergency = true"),
    ("surprise = false", "surprise = true"),
    (r#"verdict = "none""#, r#"verdict = "axis military""#),
];

#[test]
fn each_kind_of_expectation_is_compared() {
    for (right, wrong) in KINDS {
        let report = check(&format!("{HEAD}expect = {{ {right} }}\n")).unwrap_or_else(|why| panic!("{why}"));
        assert!(report.failures.is_empty(), "{right}: {}", report.failures.join("\n"));
        let report = check(&format!("{HEAD}expect = {{ {wrong} }}\n")).unwrap_or_else(|why| panic!("{why}"));
        assert_eq!(report.failures.len(), 1, "{wrong} passes");
        assert!(report.failures[0].contains("expected"), "{:?}", report.failures);
    }
}

#[test]
fn a_name_that_means_nothing_does_not_pass_as_refused() {
    let text = format!("{HEAD}expect = {{ refused = [\"move germany tank 4 berlin\"] }}\n");
    let report = check(&text).unwrap_or_else(|why| panic!("{why}"));
    assert!(report.failures[0].contains("means nothing here"), "{:?}", report.failures);
}

#[test]
fn a_choice_that_is_not_open_is_named_with_those_that_are() {
    let text = format!("{HEAD}play = [\"move germany tank 3 berlin\"]\nexpect = {{ moves = 5 }}\n");
    let report = check(&text).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(report.failures.len(), 1);
    let text = &report.failures[0];
    assert!(text.contains("choice 1") && text.contains("not offered; open are"), "{text}");
}

/// What is wrong, and what the report must say: its place, the fault and what was expected.
const MISTAKES: [(&str, &str, [&str; 2]); 14] = [
    ("ruhr\", \"britain", "rhur\", \"britain", ["x.toml:13:30", "an area, such as berlin"]),
    ("infantry 4 ruhr", "infantry 5 ruhr", ["x.toml:13:28", "a whole number from 1 to 4"]),
    ("germany infantry", "prussia infantry", ["x.toml:13:11", "a Power, such as germany"]),
    ("year = 1939", "year = 1935", ["x.toml:8:8", "a whole number from 1936 to 1945"]),
    ("\"armed axis\"", "\"angry axis\"", ["x.toml:", "armed, satellite, conquered"]),
    ("war = [\"axis west\"]", "war = [\"axis axis\"]", ["x.toml:12:14", "west or ussr"]),
    ("hand = { west = [\"A01\"", "hand = { west = [\"A02\"", ["x.toml:", "still in its deck"]),
    (
        "in_play = { west = [\"A08 poland\"",
        "in_play = { west = [\"A08 turkey\"",
        ["x.toml:", "poland or austria"],
    ),
    ("phase = \"movement axis 5\"", "phase = \"moving axis 5\"", ["x.toml:22:10", "movement"]),
    ("units = [", "unit = [", ["x.toml:13:1", "a part of a position"]),
    ("season = \"summer\"", "season = \"autumn\"", ["x.toml:9:11", "spring, summer, fall"]),
    ("moves = 5", "move = 5", ["x.toml:25:12", "a question"]),
    ("play = [\"end\"]", "play = [\"ende\"]", ["x.toml:24:10", "a verb"]),
    ("rule = \"1\"\n", "rule = \"1\"\nmood = \"bad\"\n", ["x.toml:7:1", "mood"]),
];

#[test]
fn mistakes_are_reported_with_line_and_column_and_what_was_expected() {
    let good = format!("{HEAD}play = [\"end\"]\nexpect = {{ moves = 5 }}\n");
    for (right, wrong, says) in MISTAKES {
        assert!(good.contains(right), "{right}");
        let text = good.replacen(right, wrong, 1);
        let said = match check(&text) {
            Ok(report) => report.failures.join("\n"),
            Err(why) => why,
        };
        for part in says {
            assert!(said.contains(part), "{wrong}: {part:?} is not in\n{said}");
        }
    }
}

#[test]
fn our_own_cards_and_forces_are_files_too() {
    let kinds: Vec<&str> = Triumph::file_kinds().iter().map(|(kind, _)| *kind).collect();
    assert_eq!(kinds, ["forces", "actions", "investments", "examples"]);
    let own = [
        ("actions", include_str!("../data/cards_action.toml"), "55 Action cards, 12 of them WildCards"),
        ("investments", include_str!("../data/cards_investment.toml"), "40 with technologies, 5 Science"),
        ("forces", include_str!("../data/setup.toml"), "Axis: 22 units with 22 CV"),
    ];
    for (kind, text, says) in own {
        let check = Triumph::check_file(kind, "x.toml", text).unwrap_or_else(|why| panic!("{why}"));
        assert!(check.summary.join("\n").contains(says), "{:?}", check.summary);
        assert!(check.failures.is_empty());
    }
    let refusal = Triumph::check_file("map", "x.toml", "").expect_err("there are no maps");
    assert!(refusal.to_string().contains("forces, actions, investments or examples"), "{refusal}");
}

#[test]
fn single_things_of_a_position_are_set_by_hand() {
    let game = Triumph::with_options(&Options::new()).expect("no options");
    let mut state = game.start();
    let mut set = |key: &str, value: &str| game.place(&mut state, key, value);
    assert_eq!(set("year", "1941"), Ok(()));
    assert_eq!(set("ind axis", "14"), Ok(()));
    assert_eq!(set("nations poland", "conquered axis"), Ok(()));
    assert_eq!(set("units", "germany tank 3 warsaw"), Ok(()));
    assert_eq!(set("phase", "movement axis 6"), Ok(()));
    let why = set("ind italy", "14").expect_err("Italy is no Faction");
    assert!(why.contains("axis, west or ussr"), "{why}");
    let why = set("weather", "fine").expect_err("there is no weather");
    assert!(why.contains("no part of a position"), "{why}");
    let why = set("units", "germany tank 3 narnia").expect_err("no such area");
    assert!(why.contains("narnia") && why.contains("an area"), "{why}");
    let mut offered = Vec::new();
    game.choices(&state, &mut offered);
    assert!(!offered.is_empty());
    assert_eq!(state.year, 41);
    assert_eq!(state.turn.moves, 6);
}
