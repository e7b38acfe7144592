//! Scenario files: the built-in ones are in order, and every kind of mistake is pointed at.

use dday::{DDay, SCENARIOS, Scenario, Side, Stage};
use kernel::{Dice, Discard, Game, LabDice, Mover, Options};

fn villers() -> &'static str {
    SCENARIOS.iter().find(|(id, _)| *id == "03_villers_bocage").expect("a built-in scenario").1
}

/// The complaints about Villers-Bocage with one thing changed.
fn complaints(from: &str, to: &str) -> String {
    assert!(villers().contains(from), "{from:?} is not in the file");
    let text = villers().replacen(from, to, 1);
    match Scenario::read("my.toml", &text) {
        Ok((_, problems)) => problems.to_string(),
        Err(problems) => problems.to_string(),
    }
}

#[test]
fn the_built_in_scenarios_are_in_order_and_without_warnings() {
    for (id, text) in SCENARIOS {
        let (scenario, problems) = Scenario::read(id, text).unwrap_or_else(|problems| panic!("{problems}"));
        assert!(problems.is_empty(), "{problems}");
        assert_eq!(scenario.id, id);
    }
}

/// Between the two aims lies a draw, and no army breaks at much less than two markers a battalion; detachments count half.
#[test]
fn the_aims_leave_room_and_armies_can_bear_something() {
    for (id, text) in SCENARIOS {
        let (scenario, _) = Scenario::read(id, text).unwrap_or_else(|problems| panic!("{problems}"));
        let victory = scenario.victory;
        assert!(victory.defender_win + 2 <= victory.aggressor_win, "{id}: no draw by points: {victory:?}");
        for side in Side::ALL {
            let troops = scenario.troops.iter().filter(|troop| troop.side == side && !troop.is_hq());
            let halves: u16 = troops.map(|troop| if troop.detachment { 1 } else { 2 }).sum();
            let break_at = scenario.sides[side.index()].break_at;
            assert!(
                break_at * 20 >= halves * 17,
                "{id}: {side:?} breaks at {break_at}, {halves} half battalions"
            );
        }
    }
}

#[test]
fn seelow_is_not_won_by_points_without_seelow() {
    let scenario = Scenario::builtin("seelow").expect("a built-in scenario");
    let others = scenario.keys.iter().filter(|key| key.name != "Seelow").map(|key| key.vp);
    assert!(others.sum::<u8>() < scenario.victory.aggressor_win);
}

/// Matches that were begun under rules 1 keep their aims.
#[test]
fn set_up_1_has_the_scenarios_as_they_were() {
    let rules = |options: &[(&str, &str)]| {
        let options = options.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        DDay::with_options(&options).expect("options in order").rules().clone()
    };
    let (then, now) =
        (rules(&[("scenario", "goodwood"), ("setup", "1")]), rules(&[("scenario", "goodwood")]));
    assert_eq!(then.scenario.victory.aggressor_win, 3);
    assert_eq!(then.scenario.sides[0].break_at, 25);
    assert_ne!(then.scenario.victory, now.scenario.victory);
    let same = rules(&[("scenario", "omaha"), ("setup", "1")]);
    assert_eq!(same.scenario.victory, rules(&[("scenario", "omaha")]).scenario.victory);
    assert_eq!(DDay::options_under("1")["setup"], "1");
    assert!(DDay::options_under("2").is_empty());
}

#[test]
fn every_mistake_is_pointed_at() {
    let cases = [
        ("at = \"0604\"", "at = \"1304\"", "there is no zone \"1304\""),
        ("type = \"tnk_medium\"", "type = \"tnk_medum\"", "did you mean \"tnk_medium\"?"),
        ("\".b.b..t..b..\"", "\".b.b..t..b.\"", "row 1 has 11 zones"),
        ("\".b.b..t..b..\"", "\".b.b..q..b..\"", "unknown terrain 'q'"),
        ("turns = 12", "turns = 0", "a whole number from 1 to 60"),
        ("aggressor = \"UK\"", "aggressor = \"FR\"", "expected UK or GE"),
        ("facing = \"W\"", "facing = \"WEST\"", "\"facing\" is"),
        ("id = \"uk-4cly\"", "id = \"uk-5rtr\"", "is there twice"),
        ("id = \"uk-4cly\"", "id = \"corps\"", "can't be called \"corps\""),
        ("id = \"uk-4cly\"", "id = \"uk 4 cly\"", "a short word"),
        (
            "formation = \"uk-22\", type = \"hq\"",
            "formation = \"uk-22\", type = \"inf_leg\"",
            "has no headquarters",
        ),
        ("aggressor_win = 7", "aggressor_win = 99", "the aims do not fit together"),
        ("vp = 4", "vp = 250", "a whole number from 0 to 50"),
        ("at = [\"0306\", \"0406\"]", "at = [\"0306\", \"0407\"]", "does not join two neighbours"),
        ("at = [\"0306\", \"0406\"]", "at = [\"0606\", \"0706\"]", "spans no river"),
        ("\"0404\", \"0504\", \"0604\"", "\"0404\", \"0604\"", "the road leaps"),
        ("[[4, 8], [4, 6]", "[[4, 8], [5, 6]", "can't run so"),
        (
            "prepared = { GE = [\"0801\"",
            "prepared = { GE = [\"0604\", \"0801\"",
            "prepared position of the other side",
        ),
        ("prepared = { GE", "prepared = { FR", "there is no side \"FR\""),
        ("zones = [\"0301\", \"0104\"]", "zones = [\"0301\", \"0301\"]", "stands there twice"),
        ("summary =", "sumary =", "the key \"summary\" is missing"),
        ("special =", "specail =", "did you mean \"special\"?"),
        (
            "arrive = { turn = 2, zones = [\"0301\"",
            "at = \"0301\", arrive = { turn = 2, zones = [\"0301\"",
            "either \"at\" or \"arrive\"",
        ),
        ("break = 42", "break = 2", "warning"),
        ("season = \"summer\"", "season = \"sumer\"", "did you mean \"summer\"?"),
    ];
    for (from, to, words) in cases {
        let said = complaints(from, to);
        assert!(said.contains(words), "{to:?}: {said}");
        assert!(said.contains("my.toml:"), "{to:?} has no place: {said}");
    }
}

#[test]
fn too_much_of_anything_is_refused() {
    let many =
        |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<Vec<_>>().join(",\n  ");
    let units = many(130, &|n| {
        format!(
            "{{ id = \"x{n}\", name = \"x\", formation = \"uk-22\", type = \"inf_leg\", arrive = {{ turn = 2, zones = [\"0301\"] }} }}"
        )
    });
    assert!(complaints("unit = [", &format!("unit = [\n  {units},")).contains("at most 128"));
    let objectives =
        many(6, &|n| format!("{{ zone = \"0{}08\", name = \"o{n}\", vp = 50, control = \"GE\" }}", n + 1));
    assert!(complaints("objective = [", &format!("objective = [\n  {objectives},")).contains("at most 200"));
    let wide = villers().replacen("cols = 12", "cols = 99", 1).replacen("rows = 8", "rows = 99", 1);
    let problems = Scenario::read("my.toml", &wide).expect_err("too large").to_string();
    assert!(problems.contains("at most 2048 zones"), "{problems}");
}

/// Spoilt files are refused or read, never more.
#[test]
fn no_file_breaks_the_reader() {
    let mut dice = LabDice::new(9);
    let text = villers();
    for _ in 0..1_500 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=dice.below(3) {
            let at = dice.below(bytes.len() as u32) as usize;
            match dice.below(3) {
                0 => bytes[at] = b"0aZ\"[]{}=,.\n"[dice.below(12) as usize],
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"09\"x"[dice.below(4) as usize]),
            }
        }
        let spoilt = String::from_utf8_lossy(&bytes).into_owned();
        let Ok((_, _)) = Scenario::read("my.toml", &spoilt) else { continue };
        // What is read can be played.
        let options = Options::from([("scenario".to_owned(), spoilt)]);
        let game = DDay::with_options(&options).expect("a scenario that was read");
        let (mut state, mut choices) = (game.start(), Vec::new());
        for _ in 0..60 {
            let choice = match game.mover(&state) {
                Mover::Nobody => break,
                Mover::Fate => game.drawn(&state, dice.below(10)),
                Mover::Seat(_) => {
                    choices.clear();
                    game.choices(&state, &mut choices);
                    choices[dice.below(choices.len() as u32) as usize]
                }
            };
            game.apply(&mut state, choice, &mut Discard);
        }
        game.invariants(&state).unwrap_or_else(|why| panic!("{why}"));
    }
}

#[test]
fn options_are_read_and_written_again() {
    let mut options = Options::from([("scenario".to_owned(), "villers_bocage".to_owned())]);
    options.insert("rerolls".to_owned(), "3".to_owned());
    options.insert("basic".to_owned(), "on".to_owned());
    let game = DDay::with_options(&options).expect("short names will do");
    let all = game.options();
    assert_eq!(all["scenario"], "03_villers_bocage");
    assert_eq!(DDay::with_options(&all).expect("its own options").options(), all);
    for (key, value, words) in [
        ("scenario", "omha", "did you mean omaha?"),
        ("rerolls", "many", "a number from 0 to 20"),
        ("basic", "yes", "on or off"),
        ("supply", "yes", "scenario, on or off"),
        ("setup", "3", "1 or 2"),
        ("comander", "x", "did you mean \"commander\"?"),
        ("commander", "schema = 1", "commander"),
    ] {
        let wrong = Options::from([(key.to_owned(), value.to_owned())]);
        let said = DDay::with_options(&wrong).expect_err("wrong").to_string();
        assert!(said.contains(words), "{key}={value}: {said}");
    }
}

/// A scenario of one's own is kept whole in the options, so that a saved match needs no file.
#[test]
fn an_own_scenario_travels_with_the_match() {
    let own = villers().replacen("id = \"03_villers_bocage\"", "id = \"mine\"", 1);
    let options = Options::from([("scenario".to_owned(), own.clone())]);
    let game = DDay::with_options(&options).expect("a scenario");
    assert_eq!(game.options()["scenario"], own);
    assert_eq!(game.start().stage, Stage::Supports);
}
