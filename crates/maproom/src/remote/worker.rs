//! `maproom worker`: does what others hand out.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use lab::{Build, Progress};
use relay::{Choice, Class, Errand, Labour, NoChoice, Question, Target, Task, Told, Worker, new_key};

use super::thinking::Known;
use crate::arguments::WorkerOrder;
use crate::progress::{Stoppable, threads};
use crate::registry;
use crate::work::short;

/// So long after it was told to stop a worker ends, whatever it is doing: nobody can wait for a game that takes minutes, and
/// nothing is lost with it.
const LAST_MOMENT: Duration = Duration::from_millis(1_800);

/// Runs the command.
pub fn run(order: &WorkerOrder) -> Result<ExitCode, String> {
    if let Some(file) = &order.new_key {
        outln!("{}", new_key(file)?.public);
        return Ok(ExitCode::SUCCESS);
    }
    let Some(address) = &order.nats else { return Err("give --nats ADDRESS".to_owned()) };
    let class = Class::read(&order.class).ok_or_else(|| format!("--class {}: house or lent", order.class))?;
    let build = Build::of_this_program(env!("CARGO_PKG_VERSION"))?;
    let worker = Worker {
        target: Target { address: address.clone(), key: order.key.clone() },
        class,
        threads: threads(order.threads)?,
        name: format!("{} {}", machine(), build.process),
        build: build.build,
    };
    let watched = Stoppable::by_ctrl_c()?;
    end_in_time(&watched.progress);
    let count = Count::default();
    let games = Games::default();
    worker.run(&games, &watched.progress.stop, &count)?;
    let [chunks, numbers] = [&count.chunks, &count.numbers].map(|count| count.load(Ordering::Relaxed));
    errln!("{} has done {chunks} chunks with {numbers} games, positions or looks of reviews.", worker.name);
    let choices = games.choices.load(Ordering::Relaxed);
    if choices > 0 {
        errln!("It has made {choices} choices for bots.");
    }
    Ok(ExitCode::SUCCESS)
}

/// The name of this machine, as far as it is known.
fn machine() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let name = name.or_else(|| std::env::var("HOSTNAME").ok()).or_else(|| std::env::var("COMPUTERNAME").ok());
    let letters = |letter: &char| letter.is_ascii_alphanumeric() || "-_.".contains(*letter);
    let name: String = name.unwrap_or_default().chars().filter(letters).take(60).collect();
    if name.is_empty() { "a machine".to_owned() } else { name }
}

fn end_in_time(progress: &Arc<Progress>) {
    let progress = Arc::clone(progress);
    std::thread::spawn(move || {
        while !progress.is_stopped() {
            std::thread::sleep(Duration::from_millis(20));
        }
        std::thread::sleep(LAST_MOMENT);
        std::process::exit(0);
    });
}

/// All games of this program, and the matches whose bots it thinks for.
#[derive(Default)]
struct Games {
    matches: Known,
    /// How many choices it has made for bots.
    choices: AtomicU64,
}

impl Labour for Games {
    fn rules(&self, game: &str) -> Option<String> {
        registry::game(game).ok().map(|game| game.tools.rules().to_owned())
    }

    fn work(&self, task: &Task<'_>, hand_in: &mut dyn FnMut(Vec<Vec<u8>>) -> bool) -> Result<(), String> {
        registry::game(task.game)?.tools.labour(task.spec, task.ranges, task.progress, hand_in)
    }

    fn think(&self, question: &Question, threads: usize, stop: &AtomicBool) -> Result<Choice, NoChoice> {
        let choice = self.matches.think(question, threads, stop)?;
        self.choices.fetch_add(1, Ordering::Relaxed);
        tracing::info!("a choice for {} in {}", question.bot, question.game);
        Ok(choice)
    }
}

/// What was done.
#[derive(Default)]
struct Count {
    chunks: AtomicU64,
    numbers: AtomicU64,
}

impl Told for Count {
    fn says(&self, words: &str) {
        errln!("{words}");
    }

    fn brought(&self, errand: &Errand, chunks: u64, numbers: u64) {
        self.chunks.fetch_add(chunks, Ordering::Relaxed);
        self.numbers.fetch_add(numbers, Ordering::Relaxed);
        tracing::info!("{chunks} chunks of {} {} (job {})", errand.kind, errand.game, short(&errand.job));
    }
}
