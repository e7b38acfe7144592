//! Maproom: play, host and study board wargames of the Second World War.
//!
//! The program is a library, so that anybody can build a Maproom with a game of their own, as `examples/salient` does:
//!
//! ```ignore
//! fn main() -> std::process::ExitCode {
//!     maproom::main_with([maproom::GameEntry::plain::<Salient>()])
//! }
//! ```

#[macro_use]
mod output;

mod accounts;
mod arguments;
mod bench;
mod calibrate;
mod check;
mod database;
mod engine;
mod export;
mod files;
mod jobs;
mod keeping;
mod ladder;
mod log;
mod mail;
mod odds;
mod options;
mod perft;
mod play;
mod progress;
mod registry;
mod remote;
mod review;
mod rulebook;
mod serve;
mod sim;
mod verify;
mod work;

use std::process::ExitCode;

use arguments::{Arguments, Command, StoreTask};
use log::LogLevels;

pub use registry::GameEntry;

/// Runs the program on the arguments of the command line, with the games of this project and `more`.
///
/// # Panics
///
/// If two games have the same word, or if it is called twice: both are mistakes in the program that calls it.
pub fn main_with(more: impl IntoIterator<Item = GameEntry>) -> ExitCode {
    registry::add(more);
    let arguments = Arguments::read(std::env::args_os());
    let command = arguments.command.unwrap_or(Command::Serve(arguments.serve));
    match LogLevels::from_flag_or_environment(command.log_levels()) {
        Ok(levels) if matches!(command, Command::Serve(_)) => levels.start_for_server(),
        Ok(levels) => levels.start_for_command(),
        Err(why) => {
            errln!("{why}");
            return ExitCode::FAILURE;
        }
    }
    let result = match command {
        Command::Serve(order) => serve::run(&order),
        Command::Play(order) => play::run(&order),
        Command::Engine(order) => engine::run(&order),
        Command::Sim(order) => sim::run(&order),
        Command::Ladder(order) => ladder::run(&order),
        Command::Calibrate(order) => calibrate::run(&order),
        Command::Jobs(order) => jobs::run(&order),
        Command::Worker(order) => remote::run_worker(&order),
        Command::Export(order) => export::run(&order),
        Command::Odds(order) => odds::run(&order),
        Command::Verify(order) => verify::run(&order),
        Command::Review(order) => review::run(&order),
        Command::Check(order) => check::run(&order),
        Command::Bench(order) => bench::run(&order),
        Command::Perft(order) => perft::run(&order),
        Command::Rule(order) => rulebook::run(&order),
        Command::Invite(order) => accounts::invite(&order),
        Command::Admin(order) => accounts::administer(&order),
        Command::Backup(order) => keeping::save(&order),
        Command::Restore(order) => keeping::restore(&order),
        Command::Store(order) => match order.task {
            StoreTask::Copy(order) => keeping::copy(&order),
        },
    };
    match result {
        Ok(code) => code,
        Err(message) => {
            errln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Problems as data.
fn problems_json(problems: &diagnostics::Problems) -> serde_json::Value {
    let list = problems.list().iter().map(|problem| {
        let position = problems.position(problem.span.start);
        serde_json::json!({
            "severity": match problem.severity {
                diagnostics::Severity::Error => "error",
                diagnostics::Severity::Warning => "warning",
            },
            "line": position.line,
            "column": position.column,
            "place": problem.place,
            "what": problem.what,
            "expected": problem.expected,
            "hint": problem.hint,
        })
    });
    list.collect()
}
