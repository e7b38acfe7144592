//! What it costs to have a worker think: from the question to the answer of a bot that answers at once. `cargo bench -p relay`.

use std::error::Error;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use relay::{
    Asked, Askers, Choice, Class, Errand, Labour, NoChoice, Question, Target, Task, Told, Waits, Worker,
};
use testkit::nats::Server;

const BUILD: &str = "1 abc";
const QUESTIONS: usize = 2_000;
/// Steps between two questions about a match.
const SINCE: usize = 6;

/// Chooses at once.
struct Quick;

impl Labour for Quick {
    fn rules(&self, _: &str) -> Option<String> {
        None
    }

    fn work(&self, _: &Task<'_>, _: &mut dyn FnMut(Vec<Vec<u8>>) -> bool) -> Result<(), String> {
        Err("it only answers questions".to_owned())
    }

    fn think(&self, _: &Question, _: usize, _: &AtomicBool) -> Result<Choice, NoChoice> {
        Ok(Choice { choice: "pass".to_owned(), why: String::new() })
    }
}

impl Told for Quick {
    fn says(&self, _: &str) {}

    fn brought(&self, _: &Errand, _: u64, _: u64) {}
}

/// A question about a match of so many steps.
fn asked(about: usize, steps: usize) -> Asked {
    let [game, build, bot] = ["a game", BUILD, "a bot"].map(str::to_owned);
    let about = about.to_string();
    let question = Question { about, game, build, bot, patience: 30_000, ..Question::default() };
    let line =
        |step: usize| format!("{:>5}  red      attack NE with 3rd Army {:016x}\n", step + 1, step * 7_919);
    Asked {
        question,
        steps,
        head: "maproom match 1\ngame: a game\n".to_owned(),
        lines: Box::new(move |from| (from..steps).map(line).collect()),
        stop: Arc::default(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let Some(server) = Server::start() else { return Ok(()) };
    let target = Target { address: server.address(), key: None };
    let (name, build) = ("one".to_owned(), BUILD.to_owned());
    let worker = Worker { target: target.clone(), class: Class::House, threads: 1, name, build };
    let (stop, askers) = (AtomicBool::new(false), Askers::start(&target, Waits::default())?);
    std::thread::scope(|scope| {
        scope.spawn(|| worker.run(&Quick, &stop, &Quick));
        let measured = measure(&askers);
        stop.store(true, Ordering::Relaxed);
        measured
    })?;
    Ok(())
}

fn measure(askers: &Askers) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ask = |about, steps| runtime.block_on(askers.ask(asked(about, steps)));
    let time = |about, steps| {
        let begun = Instant::now();
        let answer = ask(about, steps).ok_or_else(|| io::Error::other("no answer"));
        answer.map(|_| begun.elapsed())
    };
    while ask(0, 1).is_none() {}
    let news: Result<Vec<_>, _> = (1..=QUESTIONS).map(|number| time(0, 1 + number * SINCE)).collect();
    show(&format!("{SINCE} steps since the last question"), news?);
    for steps in [100, 1_000, 10_000] {
        let whole: Result<Vec<_>, _> = (1..=200).map(|about| time(about * 7 + steps, steps)).collect();
        show(&format!("a match of {steps} steps that the worker does not know"), whole?);
    }
    Ok(())
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |thousandths: usize| times[(times.len() - 1) * thousandths / 1_000];
    println!("{what:<55} p50 {:?}  p99 {:?}  longest {:?}", at(500), at(990), at(1_000));
}
