//! Development tasks.
//!
//! * `cargo xtask test` – everything CI runs: format, lints, documentation, all tests, the data checks.
//!   Before that it sets up what the browser tests need, PostgreSQL, the server of NATS, and `ip` for network namespaces; without one
//!   of the last three it says so, and the rest is run. With `--busy` every core has a busy loop beside the tests: they must be
//!   green on a machine that has other things to do.
//! * `cargo xtask browser` – sets up the same and runs only the browser tests. Further arguments go to the
//!   tests (a name, `--nocapture`); with `MAPROOM_SHOTS=FOLDER` in the environment they keep pictures.
//! * `cargo xtask browsers` – sets up Firefox and WebKit too, and makes the main journeys in all three engines.
//! * `cargo xtask bless` – writes the golden files anew (perft tables, playthroughs, boards, reviews): every test
//!   binary that compares with a golden file is run.
//! * `cargo xtask long` – everything that is longer with `MAPROOM_LONG`, such as random play with many more games. On a
//!   machine that does nothing else (`MAPROOM_QUIET` in the environment) the times of the browser tests count as well.
//! * `cargo xtask python` – builds the wheel of `python/`, installs it and what its tests need into an environment under
//!   `target/`, and runs the tests. `cargo xtask python bench` measures instead. It is not part of `test`, because it fetches
//!   other packages and takes some minutes.
//! * `cargo xtask museum RELEASE` – writes the saves and the database of a release to `crates/*/tests/museum/RELEASE`. An existing folder is left
//!   alone unless `--again` follows.

mod browser;
mod browsers;
mod busy;
mod nats;
mod network;
mod postgres;
mod python;
mod run;
mod targets;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Instant, SystemTime};

use busy::Busy;
use run::{cargo, count_tests, maproom, need_component, need_python, step};

const USAGE: &str = "cargo xtask test [--busy] | browser [--busy] [ARGUMENTS OF THE TESTS] | browsers | bless | long | \
     python [bench] [ARGUMENTS] | museum RELEASE [--again]";

/// What the default build leaves out and the tests build all the same: PostgreSQL, NATS, and Parquet.
const ALL: &str = "maproom/shared,maproom/files";

/// What compares with golden files.
const GOLDEN: &str = "golden::compare(";
/// What makes suites long.
const LONG: &str = "MAPROOM_LONG";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let is_busy = matches!(arguments.get(1).map(String::as_str), Some("--busy"));
    if is_busy {
        arguments.remove(1);
    }
    let mut arguments = arguments.into_iter();
    let chore = arguments.next().unwrap_or_default();
    let result = match chore.as_str() {
        "test" if arguments.len() == 0 => test(is_busy),
        "browser" => browser_tests(is_busy, arguments),
        "browsers" if !is_busy && arguments.len() == 0 => browsers::journeys(),
        "bless" if !is_busy && arguments.len() == 0 => bless(),
        "long" if !is_busy && arguments.len() == 0 => long(),
        "python" if !is_busy => match arguments.as_slice().first().map(String::as_str) {
            Some("bench") => python::bench(arguments.skip(1)),
            _ => python::test(arguments),
        },
        "museum" if !is_busy => museum(arguments),
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

fn test(is_busy: bool) -> Result<(), String> {
    let begin = Instant::now();
    need_component("fmt", "rustfmt")?;
    need_component("clippy", "clippy")?;
    need_python()?;
    let tools = browser::set_up()?;
    let (postgres, nats, network) = (postgres::set_up(), nats::set_up(), network::set_up());
    step("format", cargo(["fmt", "--all", "--check"]))?;
    let mut lints = cargo(["clippy", "--workspace", "--all-targets", "--features", ALL, "--quiet"]);
    lints.args(["--", "-D", "warnings"]);
    step("lints", lints)?;
    // What only the shared build calls is dead code in the default one.
    let mut default = cargo(["clippy", "--package", "maproom", "--all-targets", "--quiet"]);
    default.args(["--", "-D", "warnings"]);
    step("lints of the default build", default)?;
    let mut docs = cargo(["doc", "--workspace", "--no-deps", "--quiet"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    step("documentation", docs)?;
    let mut tests = cargo(["test", "--workspace", "--features", ALL, "--no-fail-fast"]);
    tools.offer(&mut tests);
    postgres.offer(&mut tests);
    nats.offer(&mut tests);
    let loops = if is_busy {
        let build = cargo(["test", "--workspace", "--features", ALL, "--no-run", "--quiet"]);
        step("build of the tests", build)?;
        Some(Busy::begin())
    } else {
        None
    };
    let counts = count_tests("tests", tests)?;
    drop(loops);
    for game in ["echoes", "blitz", "dday", "triumph", "surrender"] {
        step(&format!("data of {game}"), maproom(["check", game])?)?;
        for examples in examples_of(game)? {
            step(&format!("worked examples of {game}"), maproom(["check", game, "--examples", &examples])?)?;
        }
    }
    println!("\nall steps done in {:.0} s", begin.elapsed().as_secs_f64());
    println!("{} passed, {} failed", counts.passed, counts.failed);
    postgres.remind();
    nats.remind();
    network.remind();
    Ok(())
}

/// The files of a game's worked examples, in the order of their names.
fn examples_of(game: &str) -> Result<Vec<String>, String> {
    let folder = format!("crates/{game}/data");
    let files = std::fs::read_dir(&folder).map_err(|why| format!("{folder}: {why}"))?;
    let mut examples: Vec<String> = files
        .filter_map(|file| file.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("examples") && name.ends_with(".toml"))
        .map(|name| format!("{folder}/{name}"))
        .collect();
    examples.sort();
    Ok(examples)
}

fn browser_tests(is_busy: bool, arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let tools = browser::set_up()?;
    let postgres = postgres::set_up();
    let mut tests = cargo(["test", "--package", "maproom", "--package", "salient", "--features", ALL]);
    tests.args(["--test", "browser", "--"]).args(arguments);
    tools.offer(&mut tests);
    postgres.offer(&mut tests);
    let _loops = is_busy.then(Busy::begin);
    let counts = count_tests("browser tests", tests)?;
    println!("{} passed, {} failed", counts.passed, counts.failed);
    Ok(())
}

fn bless() -> Result<(), String> {
    let begin = SystemTime::now();
    let mut golden = cargo(["test", "--workspace", "--quiet"]);
    golden.args(targets::arguments(GOLDEN)?).env("MAPROOM_BLESS", "1");
    step("bless", golden)?;
    let is_old = |file: &PathBuf| {
        let written = std::fs::metadata(file).and_then(|about| about.modified());
        written.is_ok_and(|written| written < begin)
    };
    let old: Vec<String> = targets::golden_files()?
        .iter()
        .filter(|file| is_old(file))
        .map(|file| file.display().to_string())
        .collect();
    if !old.is_empty() {
        return Err(format!("no test compares with {}: delete what is not needed any more", old.join(", ")));
    }
    println!("`git diff` shows what has changed; commit it if it is right.");
    Ok(())
}

fn long() -> Result<(), String> {
    let (postgres, nats, network) = (postgres::set_up(), nats::set_up(), network::set_up());
    let mut suites = cargo(["test", "--release", "--workspace", "--features", ALL, "--no-fail-fast"]);
    suites.args(targets::arguments(LONG)?).env(LONG, "1");
    postgres.offer(&mut suites);
    nats.offer(&mut suites);
    let counts = count_tests("long suites", suites)?;
    println!("{} passed, {} failed", counts.passed, counts.failed);
    postgres.remind();
    nats.remind();
    network.remind();
    Ok(())
}

fn museum(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let release = arguments.next().ok_or_else(|| format!("usage: {USAGE}"))?;
    let mut making = cargo(["test", "--quiet", "--test", "museum"]);
    for package in ["echoes", "blitz", "dday", "triumph", "surrender", "maproom"] {
        making.args(["--package", package]);
    }
    making.args(["--", "--ignored"]).env("MAPROOM_MUSEUM", release);
    match arguments.next().as_deref() {
        None => {}
        Some("--again") => drop(making.env("MAPROOM_MUSEUM_AGAIN", "1")),
        Some(_) => return Err(format!("usage: {USAGE}")),
    }
    step("museum", making)
}
