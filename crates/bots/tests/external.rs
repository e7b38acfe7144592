//! Programs in a seat: what they are told, and what becomes of those who misbehave.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bots::SeatedBot as _;
use bots::external::{Command, External, Opponent};
use echoes::Echoes;
use kernel::{
    Discard, Game as _, Judgement as _, LabDice, Match, MatchDice, Options, Seat, SeatSet, Table, Undo,
    Viewer,
};

/// The beginning of every program here: `ask` waits for a question, `say` answers it.
const LISTEN: &str = r#"
import json, os, sys, time
def ask():
    line = sys.stdin.readline()
    if not line: sys.exit(0)
    return json.loads(line)
def say(**answer): print(json.dumps(answer), flush=True)
"#;

fn command(program: &str) -> Command {
    let program = format!("{LISTEN}{program}");
    let quoted = shlex::try_quote(&program).expect("no zero in it");
    let command = Command::parse(&format!("tester=python3 -c {quoted}")).expect("a command");
    command.with_patience(120.0).expect("a time")
}

/// A war at its first decision.
fn table() -> Match<Echoes> {
    // Asked always, so that the first choice is a Tide of War window.
    let options = Options::from([("ask".to_owned(), "always".to_owned())]);
    let game = Echoes::with_options(&options).expect("the plain game");
    let mut table = Match::new(game, MatchDice::seeded(3));
    table.play_forced(&mut Discard);
    table
}

fn ask(external: &mut External, table: &dyn Table) -> Option<String> {
    let never = AtomicBool::new(false);
    external.choose(table, &mut LabDice::new(1), &never).map(|said| said.choice)
}

#[test]
fn a_program_plays_a_whole_war() {
    let mut external = External::new(command(
        "
ask(); say(ok=True, name='Tester')
while True:
    asked = ask()
    if asked['cmd'] == 'choose': say(ok=True, choice=asked['choices'][-1].upper(), why='last')
",
    ));
    let mut table = table();
    let name = external.greet(&table, Seat(0), 7, &AtomicBool::new(false));
    assert_eq!(name.as_deref(), Ok("Tester"));
    while table.result().is_none() {
        let choice = ask(&mut external, &table).expect("a choice");
        Table::play(&mut table, Seat(0), &choice, None).expect("an open choice");
        table.play_forced(&mut Discard);
    }
    assert_eq!(external.failure(), None);
    external.game_over(&table);
}

#[test]
fn a_program_hears_the_end_and_leaves() {
    let folder = tempfile::tempdir().expect("a folder");
    let heard = folder.path().join("heard");
    let mut external = External::new(command(&format!(
        "
ask(); say(ok=True)
while True:
    asked = ask()
    if asked['cmd'] == 'choose': say(ok=True, choice=asked['choices'][-1])
    else: open('{}', 'a').write(asked['cmd'] + ' ' + asked.get('standing', '') + '.')
    if asked['cmd'] == 'quit': break
",
        heard.display()
    )));
    let mut table = table();
    while table.result().is_none() {
        let choice = ask(&mut external, &table).expect("a choice");
        Table::play(&mut table, Seat(0), &choice, None).expect("an open choice");
        table.play_forced(&mut Discard);
    }
    external.game_over(&table);
    let standing = table.result().map(|result| result.standings[0].to_string()).expect("it is over");
    let said = std::fs::read_to_string(heard).expect("it has heard something");
    assert_eq!(said, format!("over {standing}.quit ."));
}

#[test]
fn one_mistake_is_forgiven_and_two_are_not() {
    let slips = [
        "print('hm', flush=True)",
        "say(ok=True)",
        "say(ok=True, choice='attack Mars')",
        "print([1], flush=True)",
    ];
    for slip in slips {
        let mut forgiven = External::new(command(&format!(
            "
ask(); say(ok=True)
asked = ask()
{slip}
assert 'it wrote' in ask()['error']
say(ok=True, choice=asked['choices'][0])
ask()
"
        )));
        assert_eq!(ask(&mut forgiven, &table()).as_deref(), Some("tow shift WF EMT"), "{slip}");
        let mut stubborn =
            External::new(command(&format!("ask(); say(ok=True)\nask()\n{slip}\nask()\n{slip}\nask()")));
        assert_eq!(ask(&mut stubborn, &table()), None, "{slip}");
        let why = stubborn.failure().expect("a reason");
        assert!(why.starts_with("it wrote "), "{why}");
        // Nobody asks it again, and nothing is started.
        assert_eq!(ask(&mut stubborn, &table()), None);
    }
}

#[test]
fn what_is_wrong_is_said_with_what_would_be_right() {
    for (program, parts) in [
        ("sys.exit(3)", &["it ended (exit status: 3)", "{\"ok\":true}"][..]),
        ("ask(); say(error='I only play chess')", &["it says: I only play chess"]),
        (
            "ask(); say(ok=True, wants=['fish']); ask(); say(ok=True, wants='save')",
            &["\"wants\"", "labels, log, save, features, actions"],
        ),
        (
            "ask(); say(ok=True, protocol=1); ask(); say(ok=True, protocol=1)",
            &[
                "the program speaks protocol 1, but Maproom speaks protocol 2",
                "`sight` is called `view` since protocol 2",
            ],
        ),
        (
            "ask(); say(ok=True, wants=['sight']); ask(); say(ok=True, wants=['sight'])",
            &["`sight` is called `view` since protocol 2"],
        ),
        (
            "ask(); say(ok=True); ask(); say(ok=True, usual='no'); ask(); say(ok=True, usual='no')",
            &["`usual` is called `default` since protocol 2"],
        ),
        ("ask(); say(ok=True, name=3); ask(); say(ok=True, name=3)", &["\"name\"", "expected a text"]),
        (
            "ask(); say(ok=True); ask(); say(ok=True, choice=3); ask(); say(ok=True, choice=3)",
            &["expected a text"],
        ),
        ("ask(); say(ok=True); ask(); say(error='lost')", &["it says: lost"]),
        ("ask(); say(ok=True); ask(); os.close(1); time.sleep(60)", &["closed its standard output"]),
        (
            "ask(); say(ok=True); ask(); sys.stdout.write('x' * 100000); sys.stdout.flush(); time.sleep(60)",
            &["without an end", "xxxx"],
        ),
    ] {
        let mut external = External::new(command(program));
        assert_eq!(ask(&mut external, &table()), None, "{program}");
        let why = external.failure().expect("a reason");
        assert!(parts.iter().all(|part| why.contains(part)) && why.len() < 600, "{program}: {why}");
    }
    let missing = Command::parse("./no-such-program --here").expect("a command");
    let why = External::try_out(&missing, &table()).expect_err("it is not there");
    assert!(why.contains("no-such-program") && why.contains("can't be started"), "{why}");
}

#[test]
fn a_program_that_ends_is_started_once_more() {
    let file = std::env::temp_dir().join(format!("maproom-once-{}", std::process::id()));
    let _ = std::fs::remove_file(&file);
    let program = format!(
        "
import os
ask(); say(ok=True)
asked = ask()
if not os.path.exists({file:?}):
    open({file:?}, 'w').close()
    sys.exit(1)
say(ok=True, choice=asked['choices'][0])
ask()
"
    );
    let mut external = External::new(command(&program));
    assert_eq!(ask(&mut external, &table()).as_deref(), Some("tow shift WF EMT"));
    // It ends again with the next question: that was its second chance.
    assert_eq!(ask(&mut external, &table()), None);
    let _ = std::fs::remove_file(&file);
}

#[test]
fn silence_has_an_end() {
    for program in ["time.sleep(60)", "ask(); say(ok=True); time.sleep(60)", "while True: print(flush=True)"]
    {
        let begin = Instant::now();
        let patient = command(program).with_patience(0.6).expect("a time");
        let mut external = External::new(patient);
        assert_eq!(ask(&mut external, &table()), None, "{program}");
        let why = external.failure().expect("a reason");
        assert!(why.contains("no answer within 0.6 s") && why.contains("flushed"), "{why}");
        assert!(begin.elapsed() < Duration::from_secs(50), "{program}: {:?}", begin.elapsed());
    }
}

/// Whoever says stop is not held up, and the answer that comes too late is not taken for the next one.
#[test]
fn a_late_answer_is_passed_over() {
    let mut external = External::new(command(
        "
ask(); say(ok=True)
asked = ask(); time.sleep(1); say(ok=True, choice='tow shift EF EMT')
asked = ask(); say(ok=True, choice='no')
ask()
",
    ));
    let table = table();
    external.greet(&table, Seat(0), 7, &AtomicBool::new(false)).expect("it plays");
    assert!(external.choose(&table, &mut LabDice::new(1), &AtomicBool::new(true)).is_none());
    assert_eq!(external.failure(), None, "it has done nothing wrong");
    assert_eq!(ask(&mut external, &table).as_deref(), Some("no"));
}

/// The log has what is new; after an undo it starts at the beginning.
#[test]
fn the_log_is_told_once() {
    let mut external = External::new(command(
        "
ask(); say(ok=True, wants=['log', 'labels', 'save'])
while True:
    asked = ask()
    steps = [str(entry['step']) for entry in asked['log']]
    assert len(asked['labels']) == len(asked['choices'])
    assert 'secret' not in asked['save'] and 'commitment' in asked['save']
    say(ok=True, choice='no', why=' '.join(steps))
",
    ));
    let mut table = table();
    table.seat_persons(SeatSet::first(1));
    let mut steps = |table: &Match<Echoes>| {
        external.choose(table, &mut LabDice::new(1), &AtomicBool::new(false)).expect("a choice").why
    };
    assert_eq!(steps(&table), "1 2");
    Table::play(&mut table, Seat(0), "no", None).expect("an open choice");
    assert_eq!(steps(&table), "3");
    assert_eq!(steps(&table), "");
    Table::undo(&mut table, Seat(0), Undo::Step).expect("a decision to take back");
    Table::play(&mut table, Seat(0), "tow shift WF EMT", None).expect("an open choice");
    assert!(steps(&table).starts_with("1 2 3"));
}

/// Numbers for learners: those of the seat's own view, and an action for each choice.
#[test]
fn features_and_actions_come_with_the_question() {
    let mut external = External::new(command(
        "
ask(); say(ok=True, wants=['features', 'actions'])
asked = ask()
numbers = [round(sum(asked['features']), 3)] + asked['actions']
say(ok=True, choice='no', why=' '.join(map(str, numbers)))
",
    ));
    let table = table();
    let said = external.choose(&table, &mut LabDice::new(1), &AtomicBool::new(false)).expect("a choice").why;
    let mut numbers = said.split(' ');
    let sum: f32 = numbers.next().and_then(|sum| sum.parse().ok()).expect("a sum");
    let features = table.features(Viewer::Seat(Seat(0)));
    assert_eq!(features.len(), table.feature_names().len());
    assert!((sum - features.iter().sum::<f32>()).abs() < 0.01, "{said}");
    let offered = table.choices().into_iter().map(|choice| table.game().action(0, choice).to_string());
    assert_eq!(numbers.collect::<Vec<_>>(), offered.collect::<Vec<_>>());
}

#[test]
fn a_word_or_a_command() {
    let program = |text: &str| matches!(Opponent::parse::<Echoes>(text), Ok(Opponent::Program(_)));
    assert!(matches!(Opponent::parse::<Echoes>("greedy"), Ok(Opponent::Bot(_))));
    assert!(program("python3 x.py") && program("./x") && program("x=greedy"));
    let why = Opponent::parse::<Echoes>("gredy").expect_err("no bot, no command");
    assert!(why.contains("did you mean greedy?") && why.contains("\"python3 my_bot.py\""), "{why}");
    assert!(Opponent::parse::<Echoes>("python3 'x.py").expect_err("open").contains("quotation"));
}
