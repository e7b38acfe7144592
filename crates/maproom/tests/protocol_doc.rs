//! docs/protocol.md is true: every request in it is sent, in order, and answered as it says.

mod program;

use std::process::Command;

use blitz::pool::Pool;
use blitz::units::Kind;
use blitz::{Blitz, Phase, Stratagem};
use dday::DDay;
use echoes::Echoes;
use kernel::{Dice as _, Discard, FairDice, Game as _, LabDice, Mover, Options, Secret, Wording as _};
use program::{Engine, Home};

const DOCUMENT: &str = include_str!("../../../docs/protocol.md");

/// The blocks of one language, each with the number of its first line.
fn blocks(language: &str) -> Vec<(usize, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(DOCUMENT.lines()) {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(word)) if word == language => open = Some((number + 1, String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            _ => {}
        }
    }
    blocks
}

/// Whether an answer is as documented, where `…` stands for anything.
fn is_as_documented(answer: &str, documented: &str) -> bool {
    let mut parts = documented.split('…');
    let Some(mut rest) = parts.next().and_then(|first| answer.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
        last = Some(part);
    }
    // What stands behind the last … must be the end of the answer.
    last.map_or(rest.is_empty(), |last| answer.ends_with(last))
}

#[test]
fn the_comparison_can_fail() {
    assert!(is_as_documented("{\"ok\":true}", "{\"ok\":true}"));
    assert!(is_as_documented("{\"ok\":true,\"a\":1,\"b\":2}", "{\"ok\":true,…\"b\":2}"));
    assert!(is_as_documented("{\"a\":\"x\"}", "{\"a\":\"…\"}"));
    assert!(!is_as_documented("{\"ok\":true,\"a\":1}", "{\"ok\":true}"));
    assert!(!is_as_documented("{\"ok\":true,\"a\":1}", "{\"ok\":true,…\"b\"…}"));
    assert!(!is_as_documented("{\"ok\":true,\"b\":2,\"a\":1}", "{…\"a\":1,…\"b\":2,…}"));
    assert!(!is_as_documented("{\"ok\":true,\"a\":[1]}", "{\"ok\":true,…]"));
}

#[test]
fn every_request_is_answered_as_documented() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    let mut verbs = Vec::new();
    for (first, block) in blocks("json") {
        let lines: Vec<&str> = block.lines().collect();
        assert!(lines.len().is_multiple_of(2), "line {first}: requests and answers come in pairs");
        for (number, pair) in (first..).step_by(2).zip(lines.chunks(2)) {
            let request = pair[0].strip_prefix("→ ").unwrap_or_else(|| panic!("line {number}: no request"));
            let documented = pair[1].strip_prefix("← ").unwrap_or_else(|| panic!("line {number}: no answer"));
            let answer = engine.line(request.as_bytes());
            assert!(
                is_as_documented(&answer, documented),
                "line {number}: {request}\ndocumented: {documented}\nanswered:   {answer}"
            );
            let verb = request.split("\"cmd\":\"").nth(1).and_then(|rest| rest.split('"').next());
            verbs.extend(verb.map(str::to_owned));
            if verb == Some("quit") {
                assert_eq!(engine.end(), (Some(0), String::new()));
                engine = Engine::start(&home);
            }
        }
    }
    // The engine itself says which verbs there are; each is shown and has its heading.
    let known = engine.refused(r#"{"cmd":"?"}"#, "unknown-command");
    let known = known.split("the commands are: ").nth(1).expect("the list of commands");
    for verb in known.split(", ") {
        assert!(verbs.iter().any(|shown| shown == verb), "{verb} is not shown");
        assert!(DOCUMENT.contains(&format!("\n## {verb}\n")), "{verb} has no heading");
    }
}

#[test]
fn every_error_code_is_documented() {
    let sources = [
        include_str!("../src/engine.rs"),
        include_str!("../src/engine/commands.rs"),
        include_str!("../src/engine/bot_session.rs"),
        include_str!("../src/engine/engine_match.rs"),
        include_str!("../src/engine/request.rs"),
        include_str!("../../kernel/src/matches.rs"),
    ];
    let mut codes: Vec<&str> = Vec::new();
    for source in sources {
        codes.extend(source.split("code: \"").skip(1).filter_map(|rest| rest.split('"').next()));
    }
    let words = sources[sources.len() - 1]
        .split("pub const fn code")
        .nth(1)
        .and_then(|rest| rest.split("\n    }").next());
    codes.extend(
        words.expect("the codes of the kernel").split("=> \"").skip(1).filter_map(|r| r.split('"').next()),
    );
    codes.sort_unstable();
    codes.dedup();
    assert!(codes.len() >= 15, "{codes:?}");
    for code in codes {
        assert!(DOCUMENT.contains(&format!("`{code}`")), "{code} is not documented");
    }
}

#[test]
fn the_printed_dice_are_those_of_the_seed() {
    let secret = Secret::from_seed(3);
    let dice: Vec<u32> = (0..12).map(|draw| FairDice::new(&secret, draw).below(6) + 1).collect();
    assert!(DOCUMENT.contains(&format!("`{dice:?}`")), "{dice:?}");
    assert!(DOCUMENT.contains(&format!("\"{}\"", secret.reveal())));
    assert!(DOCUMENT.contains(&format!("\"{}\"", secret.commitment())));
}

/// The words in a sentence of the document that begins so, in their order.
fn documented_order(begins: &str) -> Vec<&'static str> {
    let (_, sentence) = DOCUMENT.split_once(begins).unwrap_or_else(|| panic!("no sentence {begins:?}"));
    let (sentence, _) = sentence.split_once(".\n").expect("its end");
    sentence.split('`').skip(1).step_by(2).collect()
}

/// What the tickets of a draw stand for by the document: all things that are there, in the order of a list.
fn documented_tickets(verb: &str, order: &[&str], count: impl Fn(&str) -> u32) -> Vec<String> {
    let each = order.iter().flat_map(|word| (0..count(word)).map(move |_| format!("{verb} {word}")));
    each.collect()
}

/// The tickets of a draw in a position of `blitz`, as documented.
fn tickets_of_blitz(game: &Blitz, state: &blitz::State) -> (&'static str, Vec<String>) {
    let kinds = documented_order("The kinds of `blitz` in their order:");
    let in_pool = |verb: &str, pool: Pool| {
        documented_tickets(verb, &kinds, |word| pool.count(Kind::parse(word).expect("a kind")))
    };
    let side = state.side.index();
    match state.phase {
        Phase::Deal | Phase::Draw => ("draw", in_pool("draw", state.bags[side])),
        Phase::Research => ("research", in_pool("research", state.pile)),
        Phase::Hit => ("hit", in_pool("hit", state.hands[state.side.enemy().index()].pool())),
        Phase::Stratagem => {
            let order = documented_order("The stratagems in their order:");
            let in_cup = |word: &str| u32::from(state.bot.cup.has(Stratagem::parse(word).expect("its word")));
            ("stratagem", documented_tickets("stratagem", &order, in_cup))
        }
        Phase::StartCity => {
            let order = documented_order("The starting cities in their order:");
            let layout = game.rules().layout;
            let left =
                |word: &str| u32::from(state.tracks[usize::from(layout.theatre(word).expect("a city"))] == 0);
            ("city", documented_tickets("city", &order, left))
        }
        _ => ("die", documented_tickets("die", &["1", "2", "3", "4", "5", "6"], |_| 1)),
    }
}

/// Anybody can check tokens as well as dice: the order of the tickets is what the document says, for every kind of draw.
#[test]
fn the_tickets_of_every_draw_are_in_the_documented_order() {
    let set_ups: [&[(&str, &str)]; 4] = [
        &[("printing", "2021")],
        &[("mode", "solo"), ("difficulty", "elite")],
        &[("board", "nippon")],
        &[("board", "nippon"), ("mode", "solo")],
    ];
    let mut seen = std::collections::BTreeMap::new();
    for pairs in set_ups {
        let options = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let game = Blitz::with_options(&options).expect("good options");
        for seed in 0..8 {
            let mut dice = LabDice::new(seed);
            let mut state = game.start();
            let mut choices = Vec::new();
            while game.mover(&state) != Mover::Nobody {
                choices.clear();
                game.choices(&state, &mut choices);
                let choice = if game.mover(&state) == Mover::Fate {
                    let tickets = game.tickets(&state);
                    let name = |ticket| {
                        let mut name = String::new();
                        game.write_name(&state, game.drawn(&state, ticket), &mut name);
                        name
                    };
                    let (verb, documented) = tickets_of_blitz(&game, &state);
                    assert_eq!((0..tickets).map(name).collect::<Vec<_>>(), documented, "{pairs:?}: {verb}");
                    *seen.entry(verb).or_insert(0) += 1;
                    game.drawn(&state, dice.below(tickets))
                } else {
                    choices[dice.below(choices.len() as u32) as usize]
                };
                game.apply(&mut state, choice, &mut Discard);
            }
        }
    }
    // Every kind of draw that the table names came up, and no other.
    let table = DOCUMENT.split("### The tickets of every draw").nth(1).expect("the section");
    let named = table.lines().filter_map(|line| line.strip_prefix("| `blitz` | `")?.split([' ', '`']).next());
    assert_eq!(seen.keys().copied().collect::<Vec<_>>(), {
        let mut named: Vec<&str> = named.collect();
        named.sort_unstable();
        named
    });
    let faces = |game: &str| {
        let row = table.lines().find(|line| line.starts_with(&format!("| `{game}` |"))).expect("its row");
        row.trim_end_matches(" |").rsplit("1 to ").next().and_then(|last| last.parse::<u32>().ok())
    };
    let echoes = Echoes::with_options(&Options::new()).expect("the plain game");
    assert_eq!(Some(echoes.tickets(&echoes.start())), faces("echoes"));
    let dday = DDay::with_options(&Options::new()).expect("the first scenario");
    assert_eq!(Some(dday.tickets(&dday.start())), faces("dday"));
}

#[test]
fn the_printed_save_is_that_of_its_choices() {
    let home = Home::new();
    let mut engine = Engine::start(&home);
    for request in [
        r#"{"cmd":"new","game":"echoes","seed":3,"options":{"ask":"always"}}"#,
        r#"{"cmd":"play","choice":"no"}"#,
        r#"{"cmd":"play","choice":"tow shift PAC PMT"}"#,
    ] {
        engine.granted(request);
    }
    // The dice that followed the last choice are left out in the document.
    let save = engine.granted(r#"{"cmd":"save"}"#)["save"].as_str().expect("a text").to_owned();
    let (_, printed) = blocks("text").into_iter().next().expect("a save");
    for (line, real) in printed.lines().zip(save.lines()).filter(|(line, _)| !line.starts_with("steps: ")) {
        assert!(is_as_documented(real, line), "{line}\n{real}");
    }
    assert!(save.lines().count() >= printed.lines().count(), "{save}");
}

/// Gives the answers of a file, one for each line, and keeps what it is sent.
const ACTOR: &str = r#"
import sys
answers, heard = open(sys.argv[1]), open(sys.argv[2], "w")
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    print(answers.readline().rstrip("\n"), flush=True)
"#;

/// Where Maproom asks, a program gives the answers of the document and hears what the document says.
#[test]
fn a_program_is_asked_as_documented() {
    let home = Home::new();
    let conversation: String = blocks("json sent").into_iter().map(|(_, text)| text).collect();
    let (sent, answers): (Vec<&str>, Vec<&str>) =
        conversation.lines().partition(|line| line.starts_with("→ "));
    assert!(sent.len() >= 3 && sent.len() == answers.len(), "questions and answers come in pairs");
    let answers: Vec<&str> = answers.iter().map(|line| line.strip_prefix("← ").expect("an answer")).collect();
    let (script, lines) = (home.write("actor.py", ACTOR), home.write("answers", answers.join("\n")));
    let bot = format!("python3 '{script}' '{lines}' '{}'", home.file("heard"));
    let save = home.file("blitz.match");
    let arguments = ["play", "blitz", "--seed", "5", "--seat", "allies", "--bot", &bot, "--save", &save];
    let ended = home.run(&arguments, b"q\n");
    assert!(
        ended.err.contains("actor: it wrote ") && ended.err.contains("it may try once more"),
        "{ended:?}"
    );
    let said = ended.fine();
    assert!(said.contains("the program First Bot plays the other side"), "{said}");
    let heard = home.read("heard");
    assert_eq!(heard.lines().count(), sent.len(), "{heard}");
    for (line, documented) in heard.lines().zip(sent) {
        let documented = documented.strip_prefix("→ ").expect("a question");
        assert!(is_as_documented(line, documented), "documented: {documented}\nsent:       {line}");
    }
    assert!(home.read("blitz.match").contains("# why: the strongest unit that I hold"));
}

#[test]
fn the_python_programs_run() {
    let home = Home::new();
    let programs = blocks("python");
    assert_eq!(programs.len(), 2);
    let python = Command::new("python3").arg("--version").output();
    assert!(python.is_ok(), "python3 is needed on the search path");
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_maproom")).parent().expect("a folder");
    let path = std::env::join_paths(
        [folder.to_owned()]
            .into_iter()
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default())),
    );
    let mut said = Vec::new();
    for (line, program) in programs {
        let file = home.write("program.py", program);
        let mut python = Command::new("python3");
        python.arg(&file).current_dir(home.path()).env("PATH", path.as_ref().expect("a search path"));
        let output = python.output().expect("Python runs");
        assert!(output.status.success(), "line {line}: {}", String::from_utf8_lossy(&output.stderr));
        said.push(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    assert!(!said[0].is_empty(), "the bot reaches a result");
    assert!(DOCUMENT.contains(&format!("`{}`", said[1])), "{said:?}");
}
