//! The Python package: builds its wheel, installs it into an environment of its own, and runs its tests.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::run::{cargo, root, step, succeeds, target};

/// What the tests need from the Python Package Index.
const NEEDED: [&str; 4] = ["numpy", "pettingzoo", "gymnasium", "pytest"];
/// What some tests need: OpenSpiel, and the notebooks. There are no wheels of them for every platform, and what needs them is
/// skipped without them.
const WANTED: [&str; 3] = ["open_spiel", "matplotlib", "polars"];
/// What is measured beside this package: OpenSpiel, what the game of PettingZoo needs, and the games on JAX.
const MEASURED: [&str; 3] = ["open_spiel", "pygame", "pgx"];

/// Builds the wheel and tests it; further arguments go to pytest.
pub fn test(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let python = installed(&WANTED)?;
    // With Parquet, which the notebooks read as well as CSV.
    step("the program to compare with", cargo(["build", "--quiet", "--features", "maproom/files"]))?;
    let mut tests = Command::new(&python);
    tests.args(["-m", "pytest", "-q"]).args(arguments).current_dir(root().join("python"));
    tests.env("MAPROOM", target().join("debug").join(format!("maproom{}", std::env::consts::EXE_SUFFIX)));
    step("tests", tests)
}

/// Measures the package in the same environment; the argument is how many seconds each figure takes.
pub fn bench(arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let python = installed(&MEASURED)?;
    let mut bench = Command::new(&python);
    bench.arg("benches/decisions.py").args(arguments).current_dir(root().join("python"));
    step("measurements", bench)
}

/// The Python of an environment with the package and what goes with it.
fn installed(wanted: &[&str]) -> Result<PathBuf, String> {
    need_python()?;
    let python = environment()?;
    step("packages", pip(&python, &NEEDED))?;
    for package in wanted {
        if !succeeds(&mut pip(&python, &[package])) {
            println!("   {package} can't be installed here: what needs it is left out");
        }
    }
    step("wheel", package(&python))?;
    Ok(python)
}

/// Says precisely what is missing.
fn need_python() -> Result<(), String> {
    let asks = |code: &str| succeeds(Command::new("python3").args(["-c", code]));
    if !asks("") {
        return Err("`python3` is missing on the PATH (Debian: apt-get install python3)".to_owned());
    }
    if !asks("import sys; sys.exit(sys.version_info < (3, 10))") {
        return Err("`python3` is older than 3.10, which the package needs".to_owned());
    }
    if !asks("import venv, ensurepip") {
        let why = "`python3` can't make environments with pip";
        return Err(format!(
            "{why}: its modules venv and ensurepip are missing (Debian: apt-get install python3-venv)"
        ));
    }
    Ok(())
}

/// The Python of the environment under the target folder; it is made on the first call.
fn environment() -> Result<PathBuf, String> {
    let folder = target().join("python-venv");
    let python = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(python);
    if !succeeds(Command::new(&python).args(["-m", "pip", "--version"])) {
        let mut make = Command::new("python3");
        make.args(["-m", "venv", "--clear"]).arg(&folder);
        step("environment", make)?;
    }
    Ok(python)
}

fn pip(python: &Path, packages: &[&str]) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).args(packages);
    pip
}

/// Installs the package from its folder, as a user does.
fn package(python: &Path) -> Command {
    let mut package = pip(python, &["--force-reinstall", "--no-deps"]);
    package.arg(root().join("python")).env("CARGO_TARGET_DIR", target().join("python"));
    package
}
