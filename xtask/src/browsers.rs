//! The main journeys in three engines: Chromium, Firefox and WebKit.

use std::env;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::browser;
use crate::run::{cargo, count_tests, on_path, step, target};

/// The display on which WebKit draws: nobody else has so high a number.
const DISPLAY: &str = ":4740";

/// Sets up all engines and makes the journeys in each.
pub fn journeys() -> Result<(), String> {
    let tools = browser::set_up()?;
    need("firefox-esr", "firefox-esr")?;
    need("WebKitWebDriver", "webkit2gtk-driver")?;
    need("Xvfb", "xvfb")?;
    let path = with_geckodriver()?;
    let _display = Display::begin()?;
    let mut lines = Vec::new();
    for engine in ["chromium", "firefox", "webkit"] {
        let mut tests = cargo(["test", "--package", "maproom", "--test", "browser", "--", "journeys::"]);
        // One window at a time: the two others share nothing, and a display has one focus.
        tests.arg("--test-threads=1");
        tests.env("MAPROOM_BROWSER", engine).env("DISPLAY", DISPLAY).env("PATH", &path);
        tools.offer(&mut tests);
        let counts = count_tests(&format!("journeys in {engine}"), tests)?;
        lines.push(format!("{engine}: {} passed, {} failed", counts.passed, counts.failed));
    }
    println!("{}", lines.join("\n"));
    Ok(())
}

fn need(program: &str, package: &str) -> Result<(), String> {
    if on_path(program) {
        return Ok(());
    }
    let by_hand = format!("`{program}` is missing on the PATH (Debian: apt-get install {package})");
    browser::install(&[package]).map_err(|why| format!("{why}\n{by_hand}"))?;
    if on_path(program) { Ok(()) } else { Err(by_hand) }
}

/// The search path with geckodriver, which Debian does not have: it is built from the registry if it is missing.
fn with_geckodriver() -> Result<std::ffi::OsString, String> {
    let path = env::var_os("PATH").unwrap_or_default();
    if on_path("geckodriver") {
        return Ok(path);
    }
    let tools = target().join("tools");
    if !tools.join("bin/geckodriver").is_file() {
        let mut build = cargo(["install", "geckodriver", "--locked", "--quiet", "--root"]);
        build.arg(&tools);
        step("geckodriver", build)?;
    }
    let folders: Vec<PathBuf> = [tools.join("bin")].into_iter().chain(env::split_paths(&path)).collect();
    env::join_paths(folders).map_err(|why| format!("PATH: {why}"))
}

/// A display in memory, until this is dropped.
struct Display(Child);

impl Display {
    fn begin() -> Result<Self, String> {
        let mut server = Command::new("Xvfb");
        server.args([DISPLAY, "-screen", "0", "1400x1000x24", "-nolisten", "tcp"]);
        server.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        server.spawn().map(Self).map_err(|why| format!("Xvfb can't start: {why}"))
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
