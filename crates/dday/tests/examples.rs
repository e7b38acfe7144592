//! Files of worked examples, as `maproom check dday --examples FILE` reads them.

use dday::DDay;
use diagnostics::FileCheck;
use kernel::Catalogue;

const FILES: [(&str, &str); 5] = [
    ("examples.toml", include_str!("../data/examples.toml")),
    ("examples_fire.toml", include_str!("../data/examples_fire.toml")),
    ("examples_orders.toml", include_str!("../data/examples_orders.toml")),
    ("examples_rulings.toml", include_str!("../data/examples_rulings.toml")),
    ("examples_works.toml", include_str!("../data/examples_works.toml")),
];

fn check(text: &str) -> Result<FileCheck, String> {
    DDay::check_file("examples", "x.toml", text).map_err(|problems| problems.to_string())
}

#[test]
fn the_built_in_examples_pass_as_files_too() {
    for (name, text) in FILES {
        let check = DDay::check_file("examples", name, text).unwrap_or_else(|why| panic!("{name}: {why}"));
        assert!(check.failures.is_empty() && check.warnings.is_empty(), "{name}: {:?}", check.failures);
        assert!(check.summary[0].contains("0 failed"), "{:?}", check.summary);
    }
    let builtin = DDay::check_builtin().unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(builtin.iter().filter(|line| line.contains("worked examples")).count(), FILES.len());
    assert!(DDay::file_kinds().iter().any(|(kind, _)| *kind == "examples"));
}

/// A small example in which every kind of expectation holds.
const HEAD: &str = r#"
schema = 1
[[example]]
id = "X"
title = "x"
roads = [["0108", "0208"]]
rivers = [[[6, 0], [6, 8]]]
prepared = { GE = ["0502"] }
scenario = { air = [2, 0] }
us = [
  { id = "us-hq", type = "hq", at = "0302" },
  { id = "us-1", type = "inf_leg", at = "0402", result = "full", facing = "E" },
]
ge = [{ id = "ge-1", type = "inf_leg", at = "0502", facing = "W" }]
start = { phase = "combat", art = [1, 0], air = [1, 0], clock = 8 }
[[example.case]]
play = ["assault 0402 0502", "lead us-1", "attack", "die 4", "die 3"]
"#;

/// Each kind of expectation, once as it is and once wrong.
const KINDS: [(&str, &str); 32] = [
    (r#"units = { ge-1 = "0502" }"#, r#"units = { ge-1 = "lost" }"#),
    ("mp = { us-1 = 1 }", "mp = { us-1 = 2 }"),
    (r#"result = { us-1 = "full" }"#, r#"result = { us-1 = "double" }"#),
    (r#"marks = { ge-1 = ["attacked"] }"#, "marks = { ge-1 = [] }"),
    ("unsupplied = { us-1 = 0 }", "unsupplied = { us-1 = 1 }"),
    ("supplied = { us-1 = true }", "supplied = { us-1 = false }"),
    ("in_command = { us-1 = true }", "in_command = { us-1 = false }"),
    (r#"facing = { "0502" = "W" }"#, r#"facing = { "0502" = "E" }"#),
    (r#"facing = { "0402" = "E" }"#, r#"facing = { "0101" = "E" }"#),
    (r#"works = { "0502" = ["prepared GE"] }"#, r#"works = { "0502" = ["mines GE"] }"#),
    (r#"held = { "1208" = "GE" }"#, r#"held = { "1208" = "US" }"#),
    (r#"crossing = { "0601 0701" = "river" }"#, r#"crossing = { "0601 0701" = "bridge" }"#),
    (r#"arc = { "0502 0402" = "front" }"#, r#"arc = { "0502 0402" = "rear" }"#),
    (r#"control = { GE = ["0401", "0402", "0403"] }"#, r#"control = { GE = ["0401"] }"#),
    (r#"step = { "us-1 0302" = "free" }"#, r#"step = { "us-1 0401" = "free" }"#),
    ("markers = [0, 0]", "markers = [1, 0]"),
    ("tally = [0, 0]", "tally = [0, 1]"),
    ("art = [1, 0]", "art = [0, 0]"),
    ("air = [1, 0]", "air = [0, 0]"),
    ("air_allowance = [2, 0]", "air_allowance = [1, 0]"),
    ("rerolls = [0, 0]", "rerolls = [1, 1]"),
    (r#"stage = "AttackerSave""#, r#"stage = "Combat""#),
    (r#"asked = "fate""#, r#"asked = "US""#),
    (r#"open = ["die 1"]"#, r#"open = ["end"]"#),
    (r#"closed = ["end"]"#, r#"closed = ["die 1"]"#),
    ("hits = [5]", "hits = [6]"),
    ("saves = [7]", "saves = []"),
    ("need = 4", "need = 5"),
    ("night = false", "night = true"),
    ("turn = 1", "turn = 2"),
    ("clock = 8", "clock = 6"),
    (r#"vp = 0, verdict = "none""#, r#"vp = 1, verdict = "DrawBroken""#),
];

#[test]
fn every_kind_of_expectation_can_fail() {
    for (right, wrong) in KINDS {
        let good = check(&format!("{HEAD}expect = {{ {right} }}\n")).unwrap_or_else(|why| panic!("{why}"));
        assert!(good.failures.is_empty(), "{right}: {:?}", good.failures);
        let bad = check(&format!("{HEAD}expect = {{ {wrong} }}\n")).unwrap_or_else(|why| panic!("{why}"));
        assert!(!bad.failures.is_empty(), "{wrong} went unnoticed");
        assert!(bad.failures[0].starts_with("x.toml:3: X (x): "), "{wrong}: {:?}", bad.failures);
    }
}

/// What can't be an example is refused with the reason, pointed at, and nothing breaks.
#[test]
fn bad_examples_are_refused() {
    let case = "[[example.case]]\nexpect = { markers = [0, 0] }\n";
    let us = |units: &str| format!("us = [{units}]\n{case}");
    for (body, words) in [
        (String::new(), "the key \"case\" is missing"),
        ("case = []\n".to_owned(), "has no case"),
        ("[[example.case]]\nplay = []\n".to_owned(), "the key \"expect\" is missing"),
        ("[[example.case]]\nexpect = {}\n".to_owned(), "expects nothing"),
        (format!("sart = {{}}\n{case}"), "did you mean \"start\"?"),
        (format!("start = {{ phase = \"dusk\" }}\n{case}"), "expected opening, initiative, rally"),
        (format!("start = {{ side = \"UK\" }}\n{case}"), "expected US or GE"),
        (format!("start = {{ turn = 9 }}\nscenario = {{ turns = 8 }}\n{case}"), "turn 9 of 8"),
        (
            format!("start = {{ art = [2, 0] }}\nscenario = {{ art = [1, 0] }}\n{case}"),
            "more supports than it may",
        ),
        (format!("start = {{ markers = [1] }}\n{case}"), "a number for each side"),
        (format!("start = {{ held = {{ \"0303\" = \"US\" }} }}\n{case}"), "nothing is to be held in 0303"),
        (format!("blocked = [\"9999\"]\n{case}"), "there is no zone \"9999\""),
        (format!("terrain = [\"...\", \"..\"]\n{case}"), "row 2 has 2 zones"),
        (format!("terrain = []\n{case}"), "\"cols\""),
        (format!("terrain = [\"..x.\"]\n{case}"), "unknown terrain 'x'"),
        (format!("roads = [[\"0101\", \"0301\"]]\n{case}"), "leaps from 0101 to 0301"),
        (format!("bridges = [{{ at = [\"0101\", \"0201\"] }}]\n{case}"), "spans no river"),
        (format!("scenario = {{ air_supply = [\"uk\"] }}\n{case}"), "there is no formation \"uk\""),
        (format!("scenario = {{ victory = [1] }}\n{case}"), "three numbers"),
        (us("{ id = \"us-1\", type = \"inf_legg\", at = \"0101\" }"), "inf_leg"),
        (us("{ id = \"us-1\", type = \"inf_leg\" }"), "starts on the map or arrives"),
        (us("{ id = \"us-1\", type = \"inf_leg\", at = \"0101\", mps = 1 }"), "unknown key \"mps\""),
        (us("{ id = \"us 1\", type = \"inf_leg\", at = \"0101\" }"), "a short word of letters"),
        (
            us("{ id = \"us-1\", type = \"inf_leg\", at = \"0101\", formation = \"a b\" }"),
            "no word for a formation",
        ),
        (
            us("{ id = \"us-1\", type = \"inf_leg\", at = \"0101\", state = \"lost\" }"),
            "starts on the map or arrives",
        ),
        (us("{ id = \"us-1\", type = \"hq\", state = \"lost\" }"), "is an HQ and lost"),
        (
            us("{ id = \"us-1\", type = \"inf_leg\", at = \"0101\", garrison = true, unsupplied = 2 }"),
            "goes hungry",
        ),
        (
            us("{ id = \"us-1\", type = \"inf_leg\", mp = 1, arrive = { turn = 2, zones = [\"0101\"] } }"),
            "has done nothing",
        ),
        (
            us(
                "{ id = \"a\", type = \"inf_leg\", at = \"0101\" }, { id = \"a\", type = \"inf_leg\", at = \"0101\" }",
            ),
            "there twice",
        ),
        ("[[example.case]]\nplay = [\"fly\"]\nexpect = { turn = 1 }\n".to_owned(), "\"fly\" is no choice"),
        ("[[example.case]]\nexpect = { open = [\"activate uk-1\"] }\n".to_owned(), "is no choice"),
        (
            "[[example.case]]\nexpect = { units = { us-9 = \"lost\" } }\n".to_owned(),
            "there is no battalion \"us-9\"",
        ),
        (
            "[[example.case]]\nexpect = { units = { us-hq = \"0199\" } }\n".to_owned(),
            "there is no zone \"0199\"",
        ),
        ("[[example.case]]\nexpect = { held = { \"0303\" = \"US\" } }\n".to_owned(), "nothing is to be held"),
        ("[[example.case]]\nexpect = { arc = { \"0303\" = \"front\" } }\n".to_owned(), "is one word"),
        (
            "[[example.case]]\nexpect = { crossing = { \"0101 0303\" = \"none\" } }\n".to_owned(),
            "is not next to 0101",
        ),
        (
            "[[example.case]]\nexpect = { step = { \"us-hq 0101\" = \"fly\" } }\n".to_owned(),
            "expected free, stop, rough",
        ),
        ("[[example.case]]\nexpect = { control = { UK = [] } }\n".to_owned(), "there is no side \"UK\""),
        ("[[example.case]]\nexpect = { verdict = \"Victory\" }\n".to_owned(), "AggressorBreak"),
        (
            "[[example.case]]\nexpect = { marks = { us-hq = [\"atacked\"] } }\n".to_owned(),
            "did you mean \"attacked\"?",
        ),
    ] {
        let text = format!("schema = 1\n[[example]]\nid = \"X\"\ntitle = \"x\"\n{body}");
        let found = check(&text).unwrap_or_else(|why| panic!("{body}\n{why}"));
        let told = found.failures.join("\n");
        assert!(told.contains(words) && told.contains("x.toml:"), "{body}\nwanted {words}\n{told}");
        assert!(found.summary.iter().any(|line| line.contains("not played")), "{:?}", found.summary);
    }
}

#[test]
fn a_file_that_is_none_is_refused() {
    for (text, words) in [
        ("schema = 2\nexample = []\n".to_owned(), "schema"),
        ("schema = 1\n".to_owned(), "the key \"example\" is missing"),
        ("schema = 1\nexample = [\n".to_owned(), "not valid TOML"),
        ("x".repeat(2 << 20), "too large"),
    ] {
        let told = match check(&text) {
            Ok(found) => found.failures.join("\n"),
            Err(why) => why,
        };
        assert!(told.contains(words), "{words}: {told}");
    }
}

/// Files that are nearly in order: every line left out, numbers and sides exchanged. Whatever comes of it, nothing breaks.
#[test]
fn spoilt_examples_never_break_the_checker() {
    let mut tried = 0;
    for (_, text) in FILES {
        let mut parts = text.split("\n[[example]]\n");
        parts.next();
        for part in parts {
            let lines: Vec<&str> = part.lines().collect();
            for left_out in 0..lines.len() {
                let some = lines.iter().enumerate().filter(|(at, _)| *at != left_out).map(|(_, line)| *line);
                let body = some.collect::<Vec<_>>().join("\n");
                let _ = check(&format!("schema = 1\n[[example]]\n{body}\n"));
                tried += 1;
            }
            for (from, to) in [
                ("us-1", "ge-1"),
                ("0502", "0402"),
                ("\"US\"", "\"GE\""),
                ("inf_leg", "hq"),
                ("die 5", "die 10"),
                ("full", "double"),
                ("combat", "nightfall"),
                ("movement", "supply"),
                (" = 1", " = 60"),
                ("[", ""),
            ] {
                let body = part.replace(from, to);
                let _ = check(&format!("schema = 1\n[[example]]\n{body}\n"));
                tried += 1;
            }
        }
    }
    assert!(tried > 1_500, "{tried}");
}
