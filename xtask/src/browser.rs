//! What the browser tests need: Chromium with its driver, and axe-core if it is available.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{on_path, step, succeeds, target};

const PACKAGES: [&str; 3] = ["chromium", "chromium-driver", "fonts-liberation"];
const AXE: &str = "axe-core@4";

/// What was set up.
pub struct Tools {
    axe: Option<PathBuf>,
}

impl Tools {
    /// Tells the tests where to find what was set up, and where to keep pictures.
    pub fn offer(&self, tests: &mut Command) {
        if let Some(axe) = &self.axe {
            tests.env("MAPROOM_AXE", axe);
        }
        // Tests run in the folder of their crate.
        if let Some(shots) = given("MAPROOM_SHOTS") {
            tests.env("MAPROOM_SHOTS", shots);
        }
    }
}

/// Makes sure of the browser, and of axe-core if it can be had.
pub fn set_up() -> Result<Tools, String> {
    println!("== browser");
    need_browser()?;
    let axe = given("MAPROOM_AXE").map_or_else(get_axe, Ok);
    if let Err(why) = &axe {
        println!("   accessibility will NOT be checked: {why}");
    }
    Ok(Tools { axe: axe.ok() })
}

/// The path in an environment variable, made absolute.
fn given(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os(name).filter(|path| !path.is_empty())?;
    std::path::absolute(path).ok()
}

fn has_browser() -> bool {
    on_path("chromium") && on_path("chromedriver")
}

fn need_browser() -> Result<(), String> {
    if has_browser() {
        return Ok(());
    }
    let by_hand = format!(
        "Chromium and chromedriver are needed on the PATH for the browser tests, as `chromium` and \
         `chromedriver` (Debian: apt-get install {})",
        PACKAGES.join(" ")
    );
    install(&PACKAGES).map_err(|why| format!("{why}\n{by_hand}"))?;
    if has_browser() { Ok(()) } else { Err(by_hand) }
}

/// Installs packages of Debian.
pub fn install(packages: &[&str]) -> Result<(), String> {
    update_packages()?;
    let mut arguments = vec!["install", "--quiet", "-y", "--no-install-recommends"];
    arguments.extend(packages);
    step("apt-get install", apt(&arguments)?)
}

/// Fetches the lists of Debian's packages.
pub fn update_packages() -> Result<(), String> {
    step("apt-get update", apt(&["update", "--quiet"])?)
}

/// `apt-get` for whoever may use it.
fn apt(arguments: &[&str]) -> Result<Command, String> {
    let administrator =
        administrator().ok_or("packages can be installed on Debian only, by an administrator")?;
    let mut words = administrator.iter().chain(&["env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]);
    let mut command = Command::new(words.next().unwrap_or(&"env"));
    command.args(words).args(arguments).stdin(Stdio::null());
    Ok(command)
}

/// What to put before a command so that it may install packages, on a system that has `apt-get`.
fn administrator() -> Option<&'static [&'static str]> {
    if !on_path("apt-get") || !Path::new("/etc/debian_version").exists() {
        return None;
    }
    let id = Command::new("id").arg("-u").output().ok()?;
    if id.stdout.trim_ascii() == b"0" {
        return Some(&[]);
    }
    succeeds(Command::new("sudo").args(["-n", "true"])).then_some(&["sudo", "-n"])
}

/// The file of axe-core, installed into the target folder if it is not there.
fn get_axe() -> Result<PathBuf, String> {
    let folder = target().join("axe");
    let file = folder.join("node_modules/axe-core/axe.min.js");
    if file.is_file() {
        return Ok(file);
    }
    if !on_path("npm") && !cfg!(windows) {
        return Err(format!("npm, which would install {AXE}, is missing"));
    }
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    println!("   installing {AXE}");
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.args(["install", "--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--silent"]);
    npm.args(["--fetch-retries=1", "--prefix"]).arg(&folder).arg(AXE).current_dir(&folder);
    if succeeds(&mut npm) && file.is_file() { Ok(file) } else { Err(format!("npm can't install {AXE}")) }
}
