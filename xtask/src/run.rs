//! How chores run other programs, and what they say about it.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
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

/// The program as a user runs it.
pub fn maproom<const N: usize>(arguments: [&str; N]) -> Command {
    let mut command = cargo(["run", "--release", "--quiet", "--"]);
    command.args(arguments);
    command
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

/// Runs tests, passes their output on, and adds up the closing lines.
pub fn count_tests(name: &str, mut command: Command) -> Result<Counts, String> {
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
