//! The chores of the house.
//!
//! * `cargo xtask test` – everything CI runs: format, lints, documentation, all tests, the data checks.
//!   Before that it sets up what the browser tests need.
//! * `cargo xtask browser` – sets up the same and runs only the browser tests. Further arguments go to the
//!   tests (a name, `--nocapture`); with `MAPROOM_SHOTS=FOLDER` in the environment they keep pictures.
//! * `cargo xtask bless` – takes the present perft tables, playthroughs and boards as the golden ones.
//! * `cargo xtask long` – the random-play suites with many more games.
//! * `cargo xtask museum RELEASE` – writes the saves of a release into `crates/*/tests/museum/RELEASE`, once: a folder that is
//!   there already stays as it is, unless `--again` follows.

mod browser;
mod run;

use std::process::ExitCode;
use std::time::Instant;

use run::{cargo, count_tests, maproom, need_component, need_python, step};

const USAGE: &str =
    "cargo xtask test | browser [ARGUMENTS OF THE TESTS] | bless | long | museum RELEASE [--again]";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let chore = arguments.next().unwrap_or_default();
    let result = match chore.as_str() {
        "test" => test(),
        "browser" => browser_tests(arguments),
        "bless" => bless(),
        "long" => long(),
        "museum" => museum(arguments),
        _ => Err(format!("usage: {USAGE}")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<(), String> {
    let begin = Instant::now();
    need_component("fmt", "rustfmt")?;
    need_component("clippy", "clippy")?;
    need_python()?;
    let tools = browser::set_up()?;
    step("format", cargo(["fmt", "--all", "--check"]))?;
    step("lints", cargo(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    let mut docs = cargo(["doc", "--workspace", "--no-deps", "--quiet"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", docs)?;
    let mut tests = cargo(["test", "--workspace", "--no-fail-fast"]);
    tools.offer(&mut tests);
    let counts = count_tests("tests", tests)?;
    step("release build", cargo(["build", "--release", "--quiet"]))?;
    for game in ["echoes", "blitz", "dday"] {
        step(&format!("data of {game}"), maproom(["check", game]))?;
        let examples = format!("crates/{game}/data/examples.toml");
        step(&format!("worked examples of {game}"), maproom(["check", game, "--examples", &examples]))?;
    }
    println!("\nall steps done in {:.0} s", begin.elapsed().as_secs_f64());
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(())
}

fn browser_tests(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let tools = browser::set_up()?;
    let mut tests = cargo(["test", "--package", "maproom", "--test", "browser", "--"]);
    tests.args(arguments);
    tools.offer(&mut tests);
    let counts = count_tests("browser tests", tests)?;
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(())
}

fn bless() -> Result<(), String> {
    let mut golden = cargo(["test", "--workspace", "--quiet", "--test", "golden", "--test", "boards"]);
    golden.env("MAPROOM_BLESS", "1");
    step("bless", golden)?;
    println!("`git diff` shows what has changed; commit it if it is right.");
    Ok(())
}

fn long() -> Result<(), String> {
    let mut suite = cargo(["test", "--release", "--workspace", "--test", "conformance"]);
    suite.env("MAPROOM_LONG", "1");
    step("long conformance suite", suite)
}

fn museum(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let release = arguments.next().ok_or_else(|| format!("usage: {USAGE}"))?;
    let mut making = cargo(["test", "--quiet", "--test", "museum"]);
    for game in ["echoes", "blitz", "dday"] {
        making.args(["--package", game]);
    }
    making.args(["--", "--ignored"]).env("MAPROOM_MUSEUM", release);
    match arguments.next().as_deref() {
        None => {}
        Some("--again") => drop(making.env("MAPROOM_MUSEUM_AGAIN", "1")),
        Some(_) => return Err(format!("usage: {USAGE}")),
    }
    step("museum", making)
}
