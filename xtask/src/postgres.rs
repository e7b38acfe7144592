//! What the tests over PostgreSQL need: the server's programs. The tests start them by themselves, each binary one server in a
//! temporary folder that goes when the binary ends.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::browser::install;

/// Where Debian has the programs, by version.
const DEBIAN: &str = "/usr/lib/postgresql";
/// What the tests are told: the folder of the programs, or that there is none.
const PROGRAMS: &str = "MAPROOM_POSTGRES";

/// What was found.
pub struct Postgres {
    programs: Result<PathBuf, String>,
}

/// Makes sure of the server, if it can be had.
pub fn set_up() -> Postgres {
    println!("== PostgreSQL");
    let given = std::env::var_os(PROGRAMS).filter(|given| !given.is_empty());
    let programs = match given {
        Some(given) if given == "none" => Err(format!("{PROGRAMS}=none")),
        Some(given) => whole(Path::new(&given)),
        None => found().or_else(|_| install(&["postgresql"]).and_then(|()| found())),
    };
    let postgres = Postgres { programs };
    postgres.remind();
    postgres
}

impl Postgres {
    /// Tells the tests.
    pub fn offer(&self, tests: &mut Command) {
        match &self.programs {
            Ok(folder) => tests.env(PROGRAMS, folder),
            Err(_) => tests.env(PROGRAMS, "none"),
        };
    }

    /// Says what is missing.
    pub fn remind(&self) {
        if let Err(why) = &self.programs {
            println!(
                "   nothing is tested over PostgreSQL: {why}\n   (Debian: apt-get install postgresql; elsewhere \
                 {PROGRAMS}=FOLDER says where `postgres`, `initdb` and `psql` are)"
            );
        }
    }
}

/// The newest version of Debian's.
fn found() -> Result<PathBuf, String> {
    let folders = std::fs::read_dir(DEBIAN).map_err(|why| format!("{DEBIAN}: {why}"))?;
    let mut versions: Vec<u32> =
        folders.filter_map(|folder| folder.ok()?.file_name().to_str()?.parse().ok()).collect();
    versions.sort_unstable();
    let newest = versions.last().ok_or_else(|| format!("{DEBIAN} has no version of it"))?;
    whole(&Path::new(DEBIAN).join(newest.to_string()).join("bin"))
}

/// The folder, if it has all that is needed.
fn whole(folder: &Path) -> Result<PathBuf, String> {
    let missing = ["postgres", "initdb", "psql"].into_iter().find(|program| !folder.join(program).is_file());
    match missing {
        None => Ok(folder.to_owned()),
        Some(program) => Err(format!("{} has no `{program}`", folder.display())),
    }
}
