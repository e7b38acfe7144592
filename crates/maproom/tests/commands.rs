//! The commands that are run once: sim, odds, verify, check, bench, perft, rule, and how they say no.

mod program;

use std::io::Read as _;
use std::process::Command;
use std::time::{Duration, Instant};

use program::Home;
use serde_json::{Value, json};

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

// --- sim ----------------------------------------------------------------------------------------

#[test]
fn a_batch_is_the_same_on_one_thread_and_on_two_and_every_time() {
    let home = Home::new();
    let sim = |bot: &str, threads: &str, seed: &str| {
        let arguments = [
            "sim",
            "echoes",
            "--games",
            "3000",
            "--bot",
            bot,
            "--threads",
            threads,
            "--seed",
            seed,
            "--json",
        ];
        home.run(&arguments, b"").fine()
    };
    for bot in ["greedy", "random"] {
        let one = sim(bot, "1", "7");
        assert_eq!(one, sim(bot, "2", "7"));
        assert_eq!(one, sim(bot, "5", "7"));
        assert_eq!(one, sim(bot, "2", "7"));
        assert_ne!(one, sim(bot, "2", "8"), "another seed gives other games");
        let report = parsed(&one);
        assert_eq!((&report["games"], &report["interrupted"]), (&json!(3000), &json!(false)));
        let seat = &report["seats"][0];
        let share = |what: &str| seat[what]["share"].as_f64().expect("a share");
        assert!((share("win") + share("draw") + share("loss") - 1.0).abs() < 1e-9, "{seat}");
        let total: u64 =
            report["outcomes"].as_array().expect("a list").iter().filter_map(|o| o["games"].as_u64()).sum();
        assert_eq!(total, 3000);
    }
    assert!(
        parsed(&sim("greedy", "2", "1"))["seats"][0]["win"]["share"].as_f64()
            > parsed(&sim("random", "2", "1"))["seats"][0]["win"]["share"].as_f64(),
        "thinking helps"
    );
}

#[test]
fn the_table_of_a_batch_has_win_draw_and_loss() {
    let home = Home::new();
    let run = home.run(&["sim", "echoes", "--games", "200", "--edition", "axis"], b"");
    assert!(run.err.contains("200 games in ") && run.err.contains("games/s"), "{}", run.err);
    let table = run.fine();
    let seat =
        table.lines().find(|line| line.trim_start().starts_with("axis ")).expect("a line for the seat");
    for word in ["win", "draw", "loss", " %"] {
        assert!(seat.contains(word), "{seat}");
    }
    assert!(table.contains("200 games") && table.contains("edition axis"), "{table}");
    let spreads = home.run(&["sim", "echoes", "--games", "50", "--spread", "1,3-4"], b"").fine();
    for word in ["win", "draw", "loss", "spread 1 ", "spread 3 ", "spread 4 "] {
        assert!(spreads.contains(word), "{spreads}");
    }
    let document = home.run(&["sim", "echoes", "--games", "50", "--spread", "1,3-4", "--json"], b"").fine();
    assert_eq!(parsed(&document)["reports"].as_array().map(Vec::len), Some(3));
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_shows_what_was_played_so_far() {
    let home = Home::new();
    let mut child =
        home.command(&["sim", "echoes", "--games", "4000000000"]).spawn().expect("the program starts");
    program::wait_for_handler(child.id());
    let begin = Instant::now();
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
    let status = child.wait().expect("the program ends");
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    let mut table = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut table).expect("text");
    assert_eq!(status.code(), Some(0));
    assert!(table.contains("stopped early, 4000000000 were requested") && table.contains("win"), "{table}");
}

// --- odds ---------------------------------------------------------------------------------------

/// The chances of an answer, by result.
fn chances(home: &Home, arguments: &[&str]) -> Vec<(String, String)> {
    let mut all = vec!["odds", "echoes", "--json"];
    all.extend(arguments);
    let answer = parsed(&home.run(&all, b"").fine());
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let results = answer["results"].as_array().expect("a list");
    for result in results {
        let (numerator, denominator) =
            result["chance"].as_str().and_then(|c| c.split_once('/')).expect("a fraction");
        let exact =
            numerator.parse::<f64>().expect("a number") / denominator.parse::<f64>().expect("a number");
        assert_eq!(result["probability"].as_f64(), Some(exact));
    }
    results.iter().map(|result| (text(&result["result"]), text(&result["chance"]))).collect()
}

#[test]
fn the_odds_of_an_attack_are_exact() {
    let home = Home::new();
    let success = |arguments: &[&str]| chances(&home, arguments)[0].clone().1;
    // Rule 2.3: the Allies need 5 on WF in 1940, and nothing helps them.
    assert_eq!(
        chances(&home, &["attack", "WF"]),
        [("success", "1/3"), ("failure", "2/3"), ("success if a Tide of War reroll follows", "5/9"),]
            .map(|(result, chance)| (result.to_owned(), chance.to_owned()))
    );
    // The Axis needs 3 and leads EMT.
    assert_eq!(success(&["attack", "Axis", "WF"]), "5/6");
    // In 1943 the Allies need 4; with the lead and the USA in Europe 2.
    assert_eq!(success(&["attack", "WF", "--turn", "11"]), "1/2");
    assert_eq!(success(&["attack", "WF", "--turn", "11", "--set", "EMT=1,USA=3"]), "5/6");
    // Berlin needs 6, whatever the year; a box may add to the die.
    assert_eq!(success(&["attack", "WF", "--turn", "17", "--set", "WF=4,EMT=0"]), "1/6");
    assert_eq!(success(&["attack WF at +2", "--turn", "17", "--set", "WF=4"]), "1/2");
    assert_eq!(success(&["attack Axis EF at -3", "--set", "EF=1"]), "0/1");
    // Major Conflict in Europe with the Axis in the lead: 36 pairs. Rule 3.4.
    let conflict = chances(&home, &["conflict", "europe"]);
    let listed: Vec<&str> = conflict.iter().map(|(_, chance)| chance.as_str()).collect();
    assert_eq!(listed, ["7/36", "1/12", "11/36", "7/36", "1/12", "5/36"]);
    // Confidence on turn 18 at 15 points: five faces lose. Rule 3.5.
    let confidence = chances(&home, &["confidence", "--turn", "18", "--set", "WF=1"]);
    assert_eq!(confidence.iter().map(|(_, chance)| chance.as_str()).collect::<Vec<_>>(), ["1/6", "5/6"]);
}

#[test]
fn odds_come_as_text_too_and_about_a_saved_match() {
    let home = Home::new();
    let text = home.run(&["odds", "echoes", "attack", "WF"], b"").fine();
    assert!(text.contains("1/3 (33.3 %)") && text.contains("[2.3.3]") && text.contains("need: 5"), "{text}");
    let all = home.run(&["odds", "echoes", "--json"], b"").fine();
    assert!(parsed(&all)["answers"].as_array().is_some_and(|answers| answers.len() >= 14), "{all}");
    let file = home.file("war.match");
    home.run(
        &["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file],
        b"tow shift WF EMT\nq\n",
    )
    .fine();
    let shifted = home.run(&["odds", "echoes", "attack Axis WF", "--match", &file], b"").fine();
    assert!(shifted.contains("2/3 (66.7 %)"), "EMT is even now\n{shifted}");
    for (arguments, part) in [
        (&["attack", "ZZ"][..], "WF, EF, SF, CHN, PAC or ISL"),
        (&["attack WF at +9"], "a number from -6 to +6"),
        (&["weather"], "unknown question \"weather\""),
        (&["attack WF", "--turn", "21"], "a number from 1 to 20"),
        (&["attack WF", "--set", "WF=6"], "a number from 0 to 5"),
        (&["attack WF", "--set", "EMT=-2"], "a number from -1 to 1"),
        (&["attack WF", "--set", "WF"], "KEY=VALUE"),
        (&["attack WF", "--set", "fog=1"], "unknown \"fog\""),
        (&["attack WF", "--match", "war.match", "--turn", "3"], "leave out --turn"),
        (&["attack WF", "--match", "none.match"], "can't read none.match"),
    ] {
        let mut all = vec!["odds", "echoes"];
        all.extend(arguments);
        let said = home.run(&all, b"").failed();
        assert!(said.contains(part), "{arguments:?}\n{said}");
    }
}

// --- verify -------------------------------------------------------------------------------------

/// A finished match in a file, and its text.
fn finished(home: &Home) -> (String, String) {
    let file = home.file("war.match");
    home.run(
        &["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &file],
        "1\n".repeat(3_000).as_bytes(),
    )
    .fine();
    (file, home.read("war.match"))
}

#[test]
fn odds_of_a_finished_match_are_its_points() {
    let home = Home::new();
    let (file, _) = finished(&home);
    let said = home.run(&["odds", "echoes", "--match", &file], b"").fine();
    assert!(said.starts_with("Victory points") && !said.contains("attack"), "{said}");
    let said = home.run(&["odds", "echoes", "confidence", "--match", &file], b"").failed();
    assert!(said.contains("the game is over"), "{said}");
}

#[test]
fn verify_accepts_an_honest_match() {
    let home = Home::new();
    let (file, text) = finished(&home);
    let said = home.run(&["verify", &file], b"").fine();
    let draws = text.lines().filter(|line| line.split_whitespace().nth(1) == Some("fate")).count();
    assert!(said.contains("verified") && said.contains(&format!("all {draws} draws")), "{said}");
    let document = parsed(&home.run(&["verify", &file, "--json"], b"").fine());
    assert_eq!(
        (&document["ok"], &document["dice"], &document["game"]),
        (&json!(true), &json!("proven"), &json!("echoes"))
    );
    assert_eq!(
        document["steps"].as_u64(),
        text.lines().find_map(|l| l.strip_prefix("steps: ")?.parse().ok())
    );
    // An open match, and one of other rules.
    let open = home.file("open.match");
    home.run(&["play", "echoes", "--option", "ask=always", "--seed", "3", "--save", &open], b"no\nq\n")
        .fine();
    assert!(home.run(&["verify", &open], b"").fine().contains("not over yet"));
    let old = home.write("old.match", text.replacen("rules: 3\n", "rules: 0\n", 1));
    assert!(home.run(&["verify", &old], b"").fine().contains("started under rules 0; all "));
}

/// Dice that a person rolled prove nothing: such a match is replayed, not verified.
#[test]
fn verify_says_replayed_where_the_dice_are_not_proven() {
    let home = Home::new();
    let own = home.file("own.match");
    let typed = "4\n1\n".repeat(2_000);
    home.run(&["play", "echoes", "--own-dice", "--save", &own], typed.as_bytes()).fine();
    let said = home.run(&["verify", &own], b"").fine();
    assert!(said.lines().next().is_some_and(|head| head.ends_with(": replayed")), "{said}");
    assert!(said.contains("own dice, so they can't be checked") && !said.contains("verified"), "{said}");
    let document = parsed(&home.run(&["verify", &own, "--json"], b"").fine());
    assert_eq!((&document["ok"], &document["dice"]), (&json!(true), &json!("own-dice")));
}

#[test]
fn verify_refuses_an_altered_die_and_names_the_step() {
    let home = Home::new();
    let (_, text) = finished(&home);
    let (at, line) = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.split_whitespace().nth(1) == Some("fate"))
        .nth(20)
        .expect("many draws");
    let words: Vec<&str> = line.split_whitespace().collect();
    let other = if words[3] == "6" { "5" } else { "6" };
    let altered: Vec<String> = text
        .lines()
        .map(|l| {
            if l == line {
                l.replacen(&format!("die {}", words[3]), &format!("die {other}"), 1)
            } else {
                l.to_owned()
            }
        })
        .collect();
    let file = home.write("altered.match", altered.join("\n"));
    let run = home.run(&["verify", &file], b"");
    assert_eq!(run.code, Some(1), "{run:?}");
    let place = format!("altered.match:{}:", at + 1);
    assert!(
        run.out.contains(&place) && run.out.contains(&format!("step {}, Turn ", words[0])),
        "{}",
        run.out
    );
    assert!(run.out.contains("NOT verified"), "{}", run.out);
    let document = home.run(&["verify", &file, "--json"], b"");
    assert_eq!(document.code, Some(1));
    let document = parsed(&document.out);
    assert_eq!((&document["ok"], &document["problems"][0]["line"]), (&json!(false), &json!(at + 1)));
    // Without its secret a finished match proves nothing.
    let bare: Vec<&str> =
        text.lines().filter(|l| !l.starts_with("secret:") && !l.starts_with("seed:")).collect();
    let bare = home.write("bare.match", bare.join("\n"));
    assert!(home.run(&["verify", &bare], b"").failed().contains("the secret of its dice is missing"));
    let (cut, _) = text[..text.len() / 2].rsplit_once('\n').expect("many lines");
    for (name, text, part) in [
        ("cut.match", cut, "cut off"),
        ("other.match", "hello\n", "not a Maproom match"),
        ("empty.match", "", "not a Maproom match"),
        ("chess.match", "maproom match 1\ngame: chess\n", "unknown game \"chess\""),
    ] {
        let file = home.write(name, text);
        let said = home.run(&["verify", &file], b"").failed();
        assert!(said.contains(part) && said.contains(name), "{said}");
    }
    assert!(home.run(&["verify", "none.match"], b"").failed().contains("can't read none.match"));
}

// --- check --------------------------------------------------------------------------------------

const EXAMPLE: &str = r#"format = "echoes-examples/1"
[[example]]
id = "T1"
about = "Two Allied marks on EMT"
kind = "shift"
do = { side = "Allies", track = "EMT", n = 2 }
expect = { EMT = 1 }
"#;

#[test]
fn check_finds_our_own_data_in_order() {
    let home = Home::new();
    let said = home.run(&["check", "echoes"], b"").fine();
    for part in
        ["book \"allied\"", "book \"axis\"", "spread 24", "92 worked examples: 92 passed, 0 failed", ": ok"]
    {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let document = parsed(&home.run(&["check", "echoes", "--json"], b"").fine());
    assert_eq!(
        (&document["ok"], &document["game"], &document["files"][0]["ok"]),
        (&json!(true), &json!("echoes"), &json!(true))
    );
}

#[test]
fn check_shows_what_an_example_expects_and_what_was_found() {
    let home = Home::new();
    let right = home.write("right.toml", EXAMPLE);
    assert!(home.run(&["check", "echoes", "--examples", &right], b"").fine().contains("1 passed, 0 failed"));
    let wrong = home.write("wrong.toml", EXAMPLE.replace("EMT = 1 }", "EMT = 0 }"));
    let run = home.run(&["check", "echoes", "--examples", &wrong, "--examples", &right], b"");
    assert_eq!(run.code, Some(1), "{run:?}");
    let failure = run.out.lines().find(|line| line.starts_with("FAILED ")).expect("a failure");
    for part in ["wrong.toml:2: T1", "Two Allied marks on EMT", "EMT", "expected", "0", "1"] {
        assert!(failure.contains(part), "{part}\n{failure}");
    }
    assert!(run.out.contains("NOT ok") && run.out.contains("right.toml: ok"), "{}", run.out);
    let document = home.run(&["check", "echoes", "--examples", &wrong, "--json"], b"");
    assert_eq!(document.code, Some(1));
    let document = parsed(&document.out);
    assert_eq!((&document["ok"], &document["files"][0]["ok"]), (&json!(false), &json!(false)));
    assert_eq!(document["files"][0]["failures"].as_array().map(Vec::len), Some(1), "{document}");
}

#[test]
fn check_points_at_what_is_wrong_in_a_file() {
    let home = Home::new();
    let book = include_str!("../../echoes/tests/data/own-book.txt");
    let good = home.write("good.txt", book);
    assert!(home.run(&["check", "echoes", "--book", &good], b"").fine().contains("24 boxes"));
    let bad = home.write("bad.txt", book.replacen("Attack WF", "Atack WF", 1));
    let said = home.run(&["check", "echoes", "--book", &bad], b"").failed();
    let line = book.lines().position(|line| line.contains("Attack WF")).expect("an attack") + 1;
    assert!(
        said.contains(&format!("bad.txt:{line}:")) && said.contains("did you mean \"Attack\"?"),
        "{said}"
    );
    let document = parsed(&home.run(&["check", "echoes", "--book", &bad, "--json"], b"").out);
    let problem = &document["files"][0]["problems"][0];
    assert_eq!((&problem["line"], &problem["severity"]), (&json!(line), &json!("error")));
    let spreads = home.write("spreads.toml", "format = \"echoes-spreads/1\"\n[[spread]]\nn = 99\n");
    assert!(home.run(&["check", "echoes", "--spreads", &spreads], b"").failed().contains("spreads.toml:"));
    let huge = home.write("huge.txt", vec![b'x'; 20 << 20]);
    assert!(home.run(&["check", "echoes", "--book", &huge], b"").failed().contains("larger than 16 MiB"));
}

// --- bench, perft, rule -------------------------------------------------------------------------

#[test]
fn bench_reports_its_documented_figures() {
    let home = Home::new();
    let document = parsed(&home.run(&["bench", "--json", "--seconds", "0.1"], b"").fine());
    let echoes = &document["games"][0];
    assert_eq!(echoes["game"], "echoes");
    for key in
        ["games_per_s", "decisions_per_s", "draws_per_game", "decisions_per_game", "choices_per_decision"]
    {
        assert!(echoes[key].as_f64().is_some_and(|value| value > 1.0), "{key}: {echoes}");
    }
    assert!(home.run(&["bench", "echoes", "--seconds", "0.1"], b"").fine().contains("games"));
    for wrong in ["0", "-1", "NaN", "inf", "3601", "x"] {
        let said = home.run(&["bench", "echoes", &format!("--seconds={wrong}")], b"").failed();
        assert!(said.contains("--seconds"), "{said}");
    }
}

#[test]
fn perft_counts_the_lines_of_play() {
    let home = Home::new();
    let table = home.run(&["perft", "echoes", "--depth", "4"], b"").fine();
    let document = parsed(&home.run(&["perft", "echoes", "--depth", "4", "--json"], b"").fine());
    let counts = document["lines"].as_array().expect("a list");
    assert_eq!((counts.len(), &counts[0], &counts[1]), (4, &json!(6), &json!(36)));
    assert!(counts.iter().all(|count| table.contains(&count.to_string())), "{table}");
    for depth in ["0", "13", "4294967296"] {
        assert!(home.run(&["perft", "echoes", "--depth", depth], b"").failed().contains("--depth"));
    }
}

#[test]
fn rules_are_looked_up_by_number() {
    let home = Home::new();
    let window = home.run(&["rule", "echoes", "2.5.3"], b"").fine();
    assert!(window.starts_with("**2.5.3**") && !window.contains("**2.5.4**"), "{window}");
    let chapter = home.run(&["rule", "echoes", "2.5"], b"").fine();
    assert!(chapter.contains(window.trim()), "the chapter has its paragraphs");
    assert!(home.run(&["rule", "echoes", "r11"], b"").fine().contains("R11"));
    assert!(home.run(&["rule", "echoes"], b"").fine().contains("2.5 Tide of War"));
    let none = home.run(&["rule", "echoes", "99"], b"").failed();
    assert!(none.contains("there is no rule \"99\""), "{none}");
}

#[test]
fn no_two_sections_of_a_rulebook_have_the_same_number() {
    let home = Home::new();
    for game in ["echoes", "blitz", "dday", "triumph"] {
        let contents = home.run(&["rule", game], b"").fine();
        let words = contents.lines().filter_map(|line| line.split_whitespace().next());
        let mut numbers: Vec<&str> = words
            .filter(|word| word.trim_start_matches('R').starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        let all = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), all, "{game}: a number comes twice\n{contents}");
    }
}

#[test]
fn every_rule_that_the_program_names_can_be_looked_up() {
    let home = Home::new();
    let (_, text) = finished(&home);
    let file = home.write("finished.match", &text);
    let log =
        home.run(&["play", "echoes", "--resume", &file, "--save", &home.file("copy.match")], b"").fine();
    let said = home.run(
        &["play", "echoes", "--seed", "9", "--save", &home.file("b.match")],
        "2\n".repeat(900).as_bytes(),
    );
    let mut rules: Vec<String> = Vec::new();
    for line in log.lines().chain(said.fine().lines()) {
        let rule =
            line.strip_suffix(']').and_then(|line| line.rsplit_once(" [")).map(|(_, rule)| rule.to_owned());
        rules
            .extend(rule.filter(|rule| rule.starts_with(|c: char| c.is_ascii_digit()) && rule.contains('.')));
    }
    rules.sort();
    rules.dedup();
    assert!(rules.len() > 8, "{rules:?}");
    for rule in rules {
        let text = home.run(&["rule", "echoes", &rule], b"").fine();
        assert!(text.len() > 20, "{rule}: {text}");
    }
}

// --- saying no ----------------------------------------------------------------------------------

#[test]
fn a_slip_of_the_keyboard_is_answered_with_what_was_meant() {
    let home = Home::new();
    for (arguments, part) in [
        (&["play", "ehoes"][..], "did you mean echoes?"),
        (&["sim", "chess"], "the games are: echoes"),
        (&["sim", "echoes", "--bot", "gredy"], "did you mean greedy?"),
        (&["sim", "echoes", "--bot", "stockfish"], "the bots are random, greedy, onestep"),
        (&["sim", "echoes", "--gmes", "3"], "--games"),
        (&["sim", "echoes", "--games", "many"], "invalid value 'many'"),
        (&["sim", "echoes", "--threads", "0"], "must be at least 1"),
        (&["sim", "echoes", "--spread", "3-1"], "use 3, 1,4,7, 1-6 or all"),
        (&["sim", "echoes", "--spread", "25"], "there are 24"),
        (&["sim", "echoes", "--edition", "soviet"], "allied or axis"),
        (&["play", "echoes", "--option", "sprea=3"], "did you mean \"spread\"?"),
        (&["play", "echoes", "--option", "spread"], "KEY=VALUE"),
        (&["simulate", "echoes"], "unrecognized subcommand 'simulate'"),
        (&["chekc", "echoes"], "check"),
    ] {
        let said = home.run(arguments, b"").failed();
        assert!(said.contains(part), "{arguments:?}\n{said}");
    }
    let welcome = home.run(&["--help"], b"").fine();
    assert!(welcome.contains("Usage: maproom") && welcome.contains("maproom play echoes"), "{welcome}");
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_is_no_reason_to_panic() {
    let home = Home::new();
    for arguments in [&["rule", "echoes"][..], &["check", "echoes"], &["sim", "echoes", "--games", "10"]] {
        let mut child = home.command(arguments).spawn().expect("the program starts");
        drop(child.stdout.take());
        let mut complaints = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut complaints).expect("text");
        assert_eq!(child.wait().expect("the program ends").code(), Some(0), "{arguments:?}\n{complaints}");
        assert!(!complaints.contains("panicked"), "{complaints}");
    }
}

#[test]
fn more_bots_than_seats_are_refused() {
    let home = Home::new();
    let refused = home.run(&["sim", "echoes", "--games", "10", "--bot", "greedy,random"], b"").failed();
    assert!(refused.contains("2 bots for 1 seat"), "{refused}");
}
