//! Blitzkrieg! through the program: play, engine, simulation, check, odds, verify.

mod program;

use program::{Engine, Home};

const MODES: [&[&str]; 4] = [
    &[],
    &["--option", "mode=solo"],
    &["--option", "board=nippon", "--seat", "axis"],
    &["--option", "board=nippon", "--option", "mode=solo", "--option", "stratagems=off"],
];

#[test]
fn a_whole_war_of_first_choices_in_every_mode() {
    let home = Home::new();
    for (number, mode) in MODES.into_iter().enumerate() {
        let name = format!("war-{number}.match");
        let file = home.file(&name);
        let mut arguments = vec!["play", "blitz", "--seed", "7", "--save", &file];
        arguments.extend(mode);
        let said = home.run(&arguments, "1\n".repeat(200).as_bytes()).fine();
        assert!(said.contains("Victory for"), "{mode:?}: {said}");
        assert!(said.contains("You won.") || said.contains("You lost."), "{mode:?}: {said}");
        assert!(home.read(&name).contains("\nresult: "));
        let proof = home.run(&["verify", &file], b"").fine();
        assert!(proof.contains("verified"), "{mode:?}: {proof}");
    }
}

/// The person at the terminal is told of their own tokens and not of the bot's, until the end.
#[test]
fn the_bots_reserve_stays_hidden_at_the_terminal() {
    let home = Home::new();
    for seat in ["axis", "allies"] {
        let other = if seat == "axis" { "Allies" } else { "Axis" };
        let file = home.file(&format!("{seat}.match"));
        let arguments = ["play", "blitz", "--seed", "9", "--seat", seat, "--bot", "solo", "--save", &file];
        let said = home.run(&arguments, b"1\n1\nb\nl all\n1\nq\n").fine();
        assert!(!said.contains(&format!("Drawn by the {other}: ")), "{said}");
        assert!(said.contains(&format!("A token is drawn by the {other}")), "{said}");
        assert!(said.contains(&format!("{other} reserve: 3 hidden")), "{said}");
    }
    let why = home.run(&["play", "blitz", "--seat", "soviets"], b"").failed();
    assert!(why.contains("the seats are axis, allies"), "{why}");
}

/// A list of all placements is long: first the unit is picked, then its space.
#[test]
fn a_unit_is_placed_in_two_steps() {
    let home = Home::new();
    let file = home.file("two.match");
    let start = ["play", "blitz", "--seed", "2", "--option", "mode=solo", "--save", &file];
    let listed = home.run(&start, b"1\nq\n").fine();
    let line = listed.lines().find(|line| line.trim_start().starts_with("1  ")).expect("a list");
    let words: Vec<&str> = line.split_whitespace().collect();
    let (unit, space) = (words[1], words[words.len() - 1]);
    assert!(listed.contains("on which space? (back: another piece)"), "{listed}");
    assert_eq!(home.read("two.match").matches(" place ").count(), 0, "nothing is placed yet");
    // By name, and after a change of mind.
    let typed = format!("{unit}\nback\n{unit}\n99\n{space}\nq\n");
    let said = home.run(&["play", "blitz", "--resume", &file], typed.as_bytes()).fine();
    assert!(said.contains("There is no choice 99"), "{said}");
    let save = home.read("two.match");
    assert!(save.contains(&format!("  place {unit} {space}")), "{save}");
    // And in one step, as ever.
    let said = home.run(&["play", "blitz", "--resume", &file], b"? place godzilla WE.1.1\nq\n").fine();
    assert!(said.contains("\"place godzilla WE.1.1\" is not possible now"), "{said}");
}

/// A bombed unit of the bot is named by its place, and the bot's answer can be asked for.
#[test]
fn the_bots_answer_is_among_the_odds() {
    let home = Home::new();
    let file = home.file("odds.match");
    let start = ["play", "blitz", "--seed", "2", "--option", "mode=solo", "--save", &file];
    let listed = home.run(&start, b"q\n").fine();
    let line = listed.lines().find(|line| line.trim_start().starts_with("1  ")).expect("a list");
    let words: Vec<&str> = line.split_whitespace().collect();
    let question = format!("bot after place {} {}", words[1], words[words.len() - 1]);
    let said = home.run(&["odds", "blitz", &question, "--match", &file], b"").fine();
    assert!(said.contains("The bot's answer to ") && said.contains('%'), "{said}");
}

#[test]
fn the_bot_says_why_when_asked() {
    let home = Home::new();
    let arguments =
        ["play", "blitz", "--seed", "5", "--option", "mode=solo", "--save", &home.file("w.match")];
    let said = home.run(&arguments, b"1\nw\nq\n").fine();
    assert!(said.contains("Theatres: ") && said.contains("Units: "), "{said}");
}

/// A bot in a seat has reasons too, but while the game goes on they could betray its hand. They are kept with the match.
#[test]
fn a_bot_in_a_seat_keeps_its_reasons_to_itself_until_the_end() {
    let home = Home::new();
    let file = home.file("why.match");
    let arguments = ["play", "blitz", "--seed", "5", "--seat", "allies", "--bot", "solo", "--save", &file];
    let said = home.run(&arguments, b"w\n1\nw\nl all\nq\n").fine();
    assert!(said.contains("No reason was given for the last choices."), "{said}");
    assert!(!said.contains("Theatres: ") && !said.contains("Stratagem "), "{said}");
    let kept = home.read("why.match");
    assert!(kept.contains("\n# why: Stratagem "), "{kept}");
    home.run(&["verify", &file], b"").fine();
    // Taken up again, played to the end by bots, the engine tells everybody.
    let mut engine = Engine::start(&home);
    engine.granted(&format!("{{\"cmd\":\"load\",\"file\":{file:?}}}"));
    let reasons = |engine: &mut Engine| {
        let log = engine.granted(r#"{"cmd":"log","viewer":"spectator"}"#)["log"].clone();
        log.as_array().expect("a list").iter().filter(|step| step["why"].is_string()).count()
    };
    let position = loop {
        let position = engine.granted(r#"{"cmd":"go","bot":"solo"}"#);
        if position["mover"].is_null() {
            break position;
        }
        assert_eq!(reasons(&mut engine), 0, "{position}");
    };
    assert!(reasons(&mut engine) > 5, "{position}");
}

#[test]
fn own_tokens_are_typed_in() {
    let home = Home::new();
    let arguments = ["play", "blitz", "--own-dice", "--option", "mode=solo", "--save", &home.file("o.match")];
    let said = home.run(&arguments, b"draw general\ndraw general\nnonsense\nq\n").fine();
    assert!(said.contains("Drawn by the Axis: General"), "{said}");
    assert!(said.contains("is not possible now") && said.contains("Possible results: draw army1"), "{said}");
}

#[test]
fn check_and_odds_answer() {
    let home = Home::new();
    let check = home.run(&["check", "blitz"], b"").fine();
    assert!(check.contains("41 spaces") && check.contains("0 failed"), "{check}");
    let broken =
        home.write("broken.toml", "schema = 1\n[[example]]\nid = \"X\"\ntitle = \"x\"\nkind = \"plce\"\n");
    let ended = home.run(&["check", "blitz", "--examples", &broken], b"").failed();
    assert!(ended.contains("did you mean") && ended.contains("place"), "{ended}");
    let odds = home.run(
        &["odds", "blitz", "bot", "--option", "mode=solo", "--set", "row=admiral+air1+navy2+air2+army2"],
        b"",
    );
    assert!(odds.fine().contains('%'));
}

/// Any two bots can be pitted against each other, in either seat.
#[test]
fn any_two_bots_meet() {
    let home = Home::new();
    for bots in ["random,greedy", "solo,greedy", "greedy,solo", "solo", "onestep,random"] {
        let said = home.run(&["sim", "blitz", "--games", "20", "--bot", bots], b"").fine();
        assert!(said.contains("axis") && said.contains("allies"), "{said}");
    }
    let why = home.run(&["sim", "blitz", "--bot", "sollo"], b"").failed();
    assert!(why.contains("did you mean solo?"), "{why}");
}
