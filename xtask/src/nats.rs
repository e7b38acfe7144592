//! What the tests over NATS need: the server's program. The tests start it by themselves, in a temporary folder and on a free
//! port.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::browser::update_packages;
use crate::run::{on_path, step, target};

/// Where Debian has it.
const DEBIAN: &str = "/usr/sbin/nats-server";
/// What the tests are told: the program, or that there is none.
const PROGRAM: &str = "MAPROOM_NATS";

/// What was found.
pub struct Nats {
    program: Result<PathBuf, String>,
}

/// Makes sure of the server, if it can be had. Debian's package would start one for the whole system, so it is unpacked in the
/// target folder and not installed.
pub fn set_up() -> Nats {
    println!("== NATS");
    let given = std::env::var_os(PROGRAM).filter(|given| !given.is_empty());
    let program = match given {
        Some(given) if given == "none" => Err(format!("{PROGRAM}=none")),
        Some(given) => whole(Path::new(&given)),
        None => found().or_else(|_| unpack()),
    };
    let nats = Nats { program };
    nats.remind();
    nats
}

impl Nats {
    /// Tells the tests.
    pub fn offer(&self, tests: &mut Command) {
        match &self.program {
            Ok(program) => tests.env(PROGRAM, program),
            Err(_) => tests.env(PROGRAM, "none"),
        };
    }

    /// Says what is missing.
    pub fn remind(&self) {
        if let Err(why) = &self.program {
            println!(
                "   nothing is tested over NATS: {why}\n   (Debian: apt-get install nats-server; elsewhere {PROGRAM}=FILE \
                 says where `nats-server` is)"
            );
        }
    }
}

/// The one on the path, or Debian's, or the one that was unpacked before.
fn found() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join("nats-server"));
    let mut places = places.chain([PathBuf::from(DEBIAN), unpacked()]);
    places.find(|program| program.is_file()).ok_or_else(|| "there is no `nats-server`".to_owned())
}

/// The folder for the package.
fn folder() -> PathBuf {
    target().join("nats")
}

/// Where the program is in it.
fn unpacked() -> PathBuf {
    folder().join(DEBIAN.trim_start_matches('/'))
}

/// Fetches Debian's package and unpacks it.
fn unpack() -> Result<PathBuf, String> {
    if !on_path("apt-get") || !on_path("dpkg-deb") {
        return Err("there is no `nats-server`, and packages can be fetched on Debian only".to_owned());
    }
    let folder = folder();
    std::fs::create_dir_all(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let fetch = || {
        let mut fetch = Command::new("apt-get");
        fetch.args(["download", "--quiet", "nats-server"]).current_dir(&folder).stdin(Stdio::null());
        step("apt-get download nats-server", fetch)
    };
    // It may be that the lists are old, or were never fetched.
    fetch().or_else(|_| update_packages().and_then(|()| fetch()))?;
    let files = std::fs::read_dir(&folder).map_err(|why| format!("{}: {why}", folder.display()))?;
    let mut packages = files.filter_map(|file| Some(file.ok()?.path()));
    let package = packages.find(|file| file.extension().is_some_and(|end| end == "deb"));
    let package = package.ok_or_else(|| format!("{} has no package", folder.display()))?;
    let mut unpack = Command::new("dpkg-deb");
    unpack.arg("-x").arg(package).arg(&folder);
    step("dpkg-deb", unpack)?;
    whole(&unpacked())
}

fn whole(program: &Path) -> Result<PathBuf, String> {
    if program.is_file() { Ok(program.to_owned()) } else { Err(format!("{} is missing", program.display())) }
}
