//! D-Day to Berlin through the program: play, engine, simulation, check, odds, verify, scenarios and weights by file.

mod program;

use program::{Engine, Home};

/// A scenario of one's own: Villers-Bocage under another name, two turns long.
fn own_scenario(home: &Home) -> String {
    let (_, text) = dday::SCENARIOS[2];
    let short = text.replacen("03_villers_bocage", "short", 1).replacen("turns = 12", "turns = 5", 1);
    home.write("short.toml", &short)
}

#[test]
fn the_data_is_in_order_and_every_example_passes() {
    let home = Home::new();
    let said = home.run(&["check", "dday"], b"").fine();
    for part in ["29 types, 6 nations", "11_berlin.toml: 10×8 zones", "0 failed", ": ok"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("FAILED"), "{said}");
}

#[test]
fn a_scenario_of_ones_own_is_drawn_and_its_mistakes_are_pointed_at() {
    let home = Home::new();
    let file = own_scenario(&home);
    let said = home.run(&["check", "dday", &file], b"").fine();
    assert!(said.contains("*G1<") && said.contains("three battalions of G facing east"), "{said}");
    let (_, text) = dday::SCENARIOS[2];
    home.write("wrong.toml", text.replacen("inf_mech", "inf_mesh", 1));
    let said = home.run(&["check", "dday", &home.file("wrong.toml")], b"").failed();
    assert!(said.contains("did you mean \"inf_mech\"?") && said.contains("1 error"), "{said}");
    let why = home.run(&["play", "dday", "--scenario", &home.file("wrong.toml")], b"").failed();
    assert!(why.contains("unknown type \"inf_mesh\""), "{why}");
    let why = home.run(&["play", "dday", "--scenario", "omha"], b"").failed();
    assert!(why.contains("did you mean omaha?"), "{why}");
}

#[test]
fn a_battle_against_the_commander_is_kept_proven_and_explained() {
    let home = Home::new();
    let (scenario, file) = (own_scenario(&home), home.file("battle.match"));
    let arguments =
        ["play", "dday", "--scenario", &scenario, "--bot", "commander", "--seed", "7", "--save", &file];
    let said = home.run(&arguments, "end\nhold\nready\nspare\n1\n".repeat(200).as_bytes()).fine();
    assert!(said.contains("You won.") || said.contains("You lost.") || said.contains("draw"), "{said}");
    let kept = home.read("battle.match");
    assert!(kept.contains("\n# why: "), "the commander says why");
    assert!(home.run(&["verify", &file], b"").fine().contains("verified"));
}

#[test]
fn the_commander_says_why_at_the_terminal() {
    let home = Home::new();
    let file = home.file("why.match");
    let arguments = ["play", "dday", "--seat", "ge", "--bot", "commander", "--seed", "3", "--save", &file];
    let said = home.run(&arguments, b"w\nq\n").fine();
    assert!(said.contains("assault") || said.contains("combat"), "{said}");
}

#[test]
fn the_engine_plays_a_turn_and_gives_reasons() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    engine.granted(r#"{"cmd":"new","game":"dday","seed":3,"options":{"scenario":"arracourt"}}"#);
    let mut reasons = 0;
    for _ in 0..60 {
        let said = engine.granted(r#"{"cmd":"go","bot":"commander"}"#);
        reasons += usize::from(said["why"].is_string());
    }
    assert!(reasons > 10, "{reasons}");
    let state = engine.granted(r#"{"cmd":"view"}"#);
    let text = state.to_string();
    assert!(text.contains("ge-2113") && text.contains("\"facing\""), "{text}");
}

#[test]
fn many_battles_by_scenario_and_by_weights() {
    let home = Home::new();
    let scenario = own_scenario(&home);
    let arguments = ["sim", "dday", "--scenario", &scenario, "--bot", "commander", "--games", "6", "--json"];
    let said = home.run(&arguments, b"").fine();
    assert!(said.contains("\"games\": 6") || said.contains("\"games\":6"), "{said}");
    let weights = "schema = 1\n[[commander]]\nid = \"mine\"\nabout = \"x\"\nassault = 1\n";
    home.write("weights.toml", weights);
    let why = home.run(&["check", "dday", "--commander", &home.file("weights.toml")], b"").failed();
    assert!(why.contains("the key \"repulse\" is missing"), "{why}");
}

#[test]
fn odds_of_an_assault_before_anybody_rolls() {
    let home = Home::new();
    let said = home.run(&["odds", "dday", "assault", "0604", "0705"], b"").fine();
    for part in [
        "4th County of London Yeomanry assaults Alarm units",
        "basic 5",
        "Defender lost",
        "Attacker repulsed",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let why = home.run(&["odds", "dday", "assault", "0101", "0102"], b"").failed();
    assert!(why.contains("assault 0604 0705"), "{why}");
}

#[test]
fn any_combat_can_be_worked_out_without_a_scenario() {
    let home = Home::new();
    let question = [
        "odds",
        "dday",
        "calc",
        "veteran",
        "tnk_medium",
        "vs",
        "inf_leg",
        "town",
        "prepared",
        "with=2",
        "fire=1",
    ];
    let said = home.run(&question, b"").fine();
    for part in
        ["assaults Regular", "in a town, in a prepared position", "fire support +1", "Attacker repulsed"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    let said = home.run(&["odds", "dday", "--scenario", "berlin"], b"").fine();
    assert!(said.contains("calc [QUALITY] TYPE vs") && said.contains("calc strike"), "not silence: {said}");
    let why = home.run(&["odds", "dday", "calc", "inf_leg", "vs", "inf_lge"], b"").failed();
    assert!(why.contains("did you mean inf_leg?"), "{why}");
}

#[test]
fn the_terminal_shows_works_names_and_points_and_names_the_open_question() {
    let home = Home::new();
    let file = home.file("omaha.match");
    let arguments = ["play", "dday", "--scenario", "omaha", "--seed", "4", "--save", &file];
    let said = home.run(&arguments, b"face N\nfly\nstep 0702\nq\n").fine();
    for part in ["minefields: ", "positions: ", "1/16th Infantry", " VP, ", "held by Germany", "loses with"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains("that is not asked now; the question is: "), "{said}");
    assert!(said.contains("\"fly\" is not a choice of this game. The question is: "), "{said}");
}
