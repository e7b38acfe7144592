//! How chores run other programs, and what they say about it.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// The folder of the workspace.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map(PathBuf::from).unwrap_or(here)
}

/// The folder into which everything is built.
pub fn target() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into()))
}

pub fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// The program as the tests have just built it, beside this one: a release build would take minutes more and check the same data.
pub fn maproom<const N: usize>(arguments: [&str; N]) -> Result<Command, String> {
    let own = std::env::current_exe().map_err(|why| format!("where xtask lies: {why}"))?;
    let program = own.with_file_name(format!("maproom{}", std::env::consts::EXE_SUFFIX));
    if !program.is_file() {
        return Err(format!("{} is missing: the tests build it", program.display()));
    }
    let mut command = Command::new(program);
    command.args(arguments);
    Ok(command)
}

pub fn need_component(subcommand: &str, component: &str) -> Result<(), String> {
    if succeeds(&mut cargo([subcommand, "--version"])) {
        return Ok(());
    }
    Err(format!("`cargo {subcommand}` is missing: `rustup component add {component}` installs it"))
}

/// The sample bots and the programs of the documentation are in Python, and the tests run them.
pub fn need_python() -> Result<(), String> {
    if succeeds(Command::new("python3").arg("--version")) {
        return Ok(());
    }
    let why = "the tests run the sample bots of `examples/` and the programs of `docs/protocol.md`";
    Err(format!("`python3` is missing on the PATH: {why} (Debian: apt-get install python3)"))
}

/// Runs a program silently.
pub fn succeeds(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Whether a program stands on the search path.
pub fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&path).any(|folder| folder.join(&file).is_file())
}

pub fn step(name: &str, mut command: Command) -> Result<(), String> {
    println!("== {name}");
    let begin = Instant::now();
    let status = command.status().map_err(|why| format!("{name}: can't start: {why}"))?;
    if !status.success() {
        return Err(format!("{name}: failed ({status})"));
    }
    println!("   {name}: {:.0} s", begin.elapsed().as_secs_f64());
    Ok(())
}

/// How tests went.
#[derive(Default)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
}

/// Runs tests, passes their output on, adds up the closing lines, and says where the time went.
pub fn count_tests(name: &str, mut command: Command) -> Result<Counts, String> {
    println!("== {name}");
    let begin = Instant::now();
    let piped = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().map_err(|why| format!("{name}: can't start: {why}"))?;
    // The names of binaries come one way and their results another, both in the same order.
    let messages =
        child.stderr.take().map(|messages| thread::spawn(move || binaries(BufReader::new(messages))));
    let mut counts = Counts::default();
    let mut results = Vec::new();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("{line}");
            if let Some(result) = line.strip_prefix("test result: ") {
                let passed = number_before(result, " passed");
                counts.passed += passed;
                counts.failed += number_before(result, " failed");
                results.push((seconds(result), passed));
            }
        }
    }
    let names = messages.and_then(|messages| messages.join().ok()).unwrap_or_default();
    let status = child.wait().map_err(|why| format!("{name}: {why}"))?;
    tell_times(&names, &results);
    println!("   {name}: {:.0} s", begin.elapsed().as_secs_f64());
    if status.success() {
        return Ok(counts);
    }
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Err(format!("{name}: failed ({status})"))
}

/// Passes on what cargo says, and returns the test binaries that it names.
fn binaries(messages: impl BufRead) -> Vec<String> {
    let mut names = Vec::new();
    for line in messages.lines().map_while(Result::ok) {
        eprintln!("{line}");
        if let Some(name) = line.trim_start().strip_prefix("Running ") {
            // "tests/kill.rs (target/debug/deps/kill-0123)": the second part also tells libraries apart.
            let file = name.rsplit(['/', '(']).next().unwrap_or(name);
            let binary = file.rsplit_once('-').map_or(file, |(binary, _)| binary);
            names.push(format!("{binary} ({})", name.split(" (").next().unwrap_or_default()));
        } else if let Some(name) = line.trim_start().strip_prefix("Doc-tests ") {
            names.push(format!("{name} (documentation)"));
        }
    }
    names
}

/// Says which binaries took longest.
fn tell_times(names: &[String], results: &[(f64, u64)]) {
    let mut times: Vec<_> = names.iter().zip(results).filter(|(_, (seconds, _))| *seconds >= 1.0).collect();
    times.sort_by(|(_, one), (_, other)| other.0.total_cmp(&one.0));
    for (name, (seconds, passed)) in times.iter().take(20) {
        println!("   {seconds:6.1} s  {passed:4} tests  {name}");
    }
}

/// The time in "ok. 3 passed; …; finished in 1.25s".
fn seconds(result: &str) -> f64 {
    let time = result.rsplit("finished in ").next().and_then(|time| time.strip_suffix('s'));
    time.and_then(|time| time.parse().ok()).unwrap_or(0.0)
}

fn number_before(text: &str, word: &str) -> u64 {
    let before = text.split(word).next().unwrap_or_default();
    before.rsplit(' ').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
