//! Whether somebody who tries names learns from the time which of them exist: a wrong password of a member and a name that nobody has, by
//! turns, with hashes as they are stored and with next to none, so that what is beside the hash shows as well.
//!
//! `cargo bench -p people --bench alike [-- TRIES]`. Both are measured on the same machine in the same moment, so that other work
//! disturbs both alike.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use people::{Cost, Entry, House, Joining, NoMail, Passwords, PeopleError, Visit};
use store::SqliteStore;

/// How many members the house has.
const MEMBERS: u64 = 200;
const TRIES: u64 = 1_000;
/// After so long nobody has to wait because of the tries before.
const HOUR: u64 = 3_600_000;
/// A difference counts as noise up to so many standard errors.
const NOISE: f64 = 3.0;

fn main() {
    let given = std::env::args().skip(1).find_map(|word| word.parse().ok());
    let tries = given.unwrap_or(TRIES);
    let folder = std::env::temp_dir().join(format!("people-alike-{}", std::process::id()));
    println!("{tries} tries of each, {MEMBERS} members");
    for (what, cost) in [("hashes as they are stored", Cost::STORED), ("next to no hash", Cost::TRIFLING)] {
        measure(what, &folder.join(what.replace(' ', "-")), cost, tries);
    }
    std::fs::remove_dir_all(&folder).expect("the folder removed");
}

fn measure(what: &str, folder: &Path, cost: Cost, tries: u64) {
    let store = Arc::new(SqliteStore::open(folder).expect("a database"));
    let passwords = Passwords::start(cost, 1, || {}).expect("a thread");
    let house = House::open(store, passwords, Arc::new(NoMail), Entry::Open, "http://127.0.0.1");
    let house = house.expect("a house");
    for number in 0..MEMBERS {
        let name = format!("member{number}");
        let joining =
            Joining { name: &name, password: "correct horse battery", zone: "", mail: "", invitation: None };
        house.join(&joining, visit(number, number * HOUR)).expect("joined");
    }
    let (mut wrong, mut unknown) = (Vec::new(), Vec::new());
    for number in 0..tries {
        let member = format!("member{}", number % MEMBERS);
        let nobody = format!("nobody{}", number % MEMBERS);
        let now = (MEMBERS + number) * HOUR;
        // Whoever comes second finds warm caches: by turns.
        if number % 2 == 0 {
            wrong.push(time(&house, &member, now));
            unknown.push(time(&house, &nobody, now));
        } else {
            unknown.push(time(&house, &nobody, now));
            wrong.push(time(&house, &member, now));
        }
    }
    report(what, &wrong, &unknown);
}

fn visit(number: u64, now: u64) -> Visit<'static> {
    let [.., high, low] = number.to_be_bytes();
    Visit { from: IpAddr::V4(Ipv4Addr::new(10, high, low, 1)), browser: "", now }
}

/// How long a refusal takes, in microseconds.
fn time(house: &House, name: &str, now: u64) -> f64 {
    let begun = Instant::now();
    let refused = house.log_in(name, "something else entirely", None, visit(now / HOUR, now));
    let took = begun.elapsed();
    assert_eq!(refused, Err(PeopleError::Wrong), "{name}");
    took.as_secs_f64() * 1e6
}

fn report(what: &str, wrong: &[f64], unknown: &[f64]) {
    let differences: Vec<f64> = wrong.iter().zip(unknown).map(|(wrong, unknown)| wrong - unknown).collect();
    let count = differences.len() as f64;
    let mean = differences.iter().sum::<f64>() / count;
    let spread = differences.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let error = (spread / count).sqrt();
    let is_noise = mean.abs() <= NOISE * error;
    println!(
        "{what:28} wrong password: median {:8.0} µs   unknown name: median {:8.0} µs   difference {mean:+.0} ± {error:.0} µs: {}",
        median(wrong),
        median(unknown),
        if is_noise { "within noise" } else { "MORE THAN NOISE" }
    );
}

fn median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
