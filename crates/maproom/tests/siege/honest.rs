//! An honest visitor, and how long they wait.

use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{PATIENCE, Server};

/// How often the honest visitor comes, to have a 99th percentile.
const VISITS: usize = 100;
/// The wait under attack may be so many times that on a quiet server.
const FACTOR: u32 = 5;
/// A quiet wait that is shorter than this counts as this: a machine that runs other tests at the same time has pauses of its
/// own, which have nothing to do with the server.
const FLOOR: Duration = Duration::from_millis(60);
/// How often the comparison is repeated before it counts as failed, for the same reason.
const ROUNDS: usize = 4;

/// How an attack and the one who measures agree with each other.
#[derive(Default)]
pub struct Signs {
    under_way: AtomicBool,
    over: AtomicBool,
}

impl Signs {
    /// The attack is at its height.
    pub fn begin(&self) {
        self.under_way.store(true, Ordering::Release);
    }

    /// Whether the attack should go on.
    pub fn goes_on(&self) -> bool {
        !self.over.load(Ordering::Acquire)
    }
}

/// Ends an attack, also when a check has failed.
struct End<'a>(&'a Signs);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Ordering::Release);
    }
}

/// Visits a table again and again, each time over a new connection, and returns the 99th percentile of the waits.
fn visit(server: &Server, path: &str) -> Duration {
    let address = format!("{path}/update?since=1");
    let mut waits: Vec<Duration> = (0..VISITS)
        .map(|_| {
            let begun = Instant::now();
            server.get(&address).is(200);
            begun.elapsed()
        })
        .collect();
    waits.sort_unstable();
    waits[VISITS - 2]
}

/// Compares how long an honest visitor waits on a quiet server and during an attack. The attack says when it has begun, and
/// goes on until it is told to end.
#[track_caller]
pub fn compare(what: &str, server: &Server, path: &str, attack: impl Fn(&Signs) + Sync) {
    let mut figures = Vec::new();
    for _ in 0..ROUNDS {
        let quiet = visit(server, path);
        let signs = Signs::default();
        let attacked = thread::scope(|scope| {
            let _end = End(&signs);
            let attacker = scope.spawn(|| attack(&signs));
            let begun = Instant::now();
            while !signs.under_way.load(Ordering::Acquire) {
                assert!(!attacker.is_finished() && begun.elapsed() < PATIENCE, "{what}: it never began");
                thread::sleep(Duration::from_millis(1));
            }
            visit(server, path)
        });
        let millis = |time: Duration| time.as_secs_f64() * 1000.0;
        let row = format!(
            "siege | {what:<44} | quiet p99 {:7.2} ms | attacked p99 {:7.2} ms",
            millis(quiet),
            millis(attacked)
        );
        // Past the capture of the test harness: the table is for people.
        let _ = writeln!(std::io::stderr(), "{row}");
        if attacked <= quiet.max(FLOOR) * FACTOR {
            return;
        }
        figures.push(row);
    }
    panic!("honest visitors wait too long:\n{}", figures.join("\n"));
}
