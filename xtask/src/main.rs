//! The chores of the house.
//!
//! * `cargo xtask test` – everything CI runs: format, lints, documentation, all tests, the data checks.
//! * `cargo xtask bless` – takes the present perft tables and playthroughs as the golden ones.
//! * `cargo xtask long` – the random-play suites with many more games.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const USAGE: &str = "cargo xtask test | bless | long";

fn main() -> ExitCode {
    let chore = std::env::args().nth(1).unwrap_or_default();
    let result = match chore.as_str() {
        "test" => test(),
        "bless" => bless(),
        "long" => long(),
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
    step("format", cargo(["fmt", "--all", "--check"]))?;
    step("lints", cargo(["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"]))?;
    let mut docs = cargo(["doc", "--workspace", "--no-deps", "--quiet"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", docs)?;
    let counts = count_tests("tests", cargo(["test", "--workspace", "--no-fail-fast"]))?;
    step("release build", cargo(["build", "--release", "--quiet"]))?;
    step("data of echoes", maproom(["check", "echoes"]))?;
    let examples = "crates/echoes/data/examples.toml";
    step("worked examples of echoes", maproom(["check", "echoes", "--examples", examples]))?;
    println!("\nall steps done in {:.0} s", begin.elapsed().as_secs_f64());
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(())
}

fn bless() -> Result<(), String> {
    let mut golden = cargo(["test", "--workspace", "--quiet", "--test", "golden"]);
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

/// The folder of the workspace.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// The program as a user runs it.
fn maproom<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = cargo(["run", "--release", "--quiet", "--"]);
    command.args(arguments);
    command
}

fn need_component(subcommand: &str, component: &str) -> Result<(), String> {
    let found = cargo([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if found.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    Err(format!("`cargo {subcommand}` is missing: `rustup component add {component}` installs it"))
}

fn step(name: &str, mut command: Command) -> Result<(), String> {
    println!("== {name}");
    let begin = Instant::now();
    let status = command.status().map_err(|why| format!("{name}: can't start: {why}"))?;
    if !status.success() {
        return Err(format!("{name}: failed ({status})"));
    }
    println!("   {name}: {:.0} s", begin.elapsed().as_secs_f64());
    Ok(())
}

#[derive(Default)]
struct Counts {
    passed: u64,
    failed: u64,
}

/// Runs tests, passes their output on, and adds up the closing lines.
fn count_tests(name: &str, mut command: Command) -> Result<Counts, String> {
    println!("== {name}");
    let begin = Instant::now();
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|why| format!("{name}: can't start: {why}"))?;
    let mut counts = Counts::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("{line}");
            if let Some(result) = line.strip_prefix("test result: ") {
                counts.passed += number_before(result, " passed");
                counts.failed += number_before(result, " failed");
            }
        }
    }
    let status = child.wait().map_err(|why| format!("{name}: {why}"))?;
    println!("   {name}: {:.0} s", begin.elapsed().as_secs_f64());
    if status.success() {
        return Ok(counts);
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Err(format!("{name}: failed ({status})"))
}

fn number_before(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
