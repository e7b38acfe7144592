//! Work that is handed out over NATS, with its ledger in the servers' database: one job after the other, each report compared with
//! that of one process.

use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use testkit::nats;

use crate::client::{program, run, words};

/// No job takes so long, whatever is killed meanwhile.
const PATIENCE: Duration = Duration::from_secs(900);

/// Starts a worker. What it says has nobody to read it, and must not fill a pipe.
pub fn worker(nats: &nats::Server) -> Child {
    let mut command = program(&["worker", "--nats", &nats.address(), "--class", "house", "--threads", "1"]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("a worker starts")
}

/// Ends a process from one instant to the next.
pub fn end(child: &mut Child) {
    drop(child.kill());
    drop(child.wait());
}

/// Whoever hands the jobs out.
pub struct Labour {
    nats: String,
    ledger: String,
    desk: Mutex<Option<Child>>,
    /// Jobs whose report was that of one process.
    pub jobs: AtomicU64,
    /// How often it ended before it had a report, by itself: its database or NATS was away.
    pub ended: AtomicU64,
}

impl Labour {
    pub fn new(nats: &nats::Server, ledger: String) -> Self {
        let (desk, jobs, ended) = (Mutex::new(None), AtomicU64::new(0), AtomicU64::new(0));
        Self { nats: nats.address(), ledger, desk, jobs, ended }
    }

    /// Kills whoever hands out the job that is under way. Whether there was somebody.
    pub fn kill(&self) -> bool {
        let mut desk = self.desk.lock().expect("nobody panicked");
        desk.as_mut().is_some_and(|desk| desk.kill().is_ok())
    }

    /// Does one job after the other, until the campaign is over and the last one is done.
    pub fn work(&self, is_over: &AtomicBool) {
        for seed in 1_u64.. {
            if is_over.load(Ordering::SeqCst) {
                return;
            }
            let seed = seed.to_string();
            let job = ["sim", "echoes", "--games", "150", "--bot", "search:20", "--seed", &seed, "--json"];
            let alone = run(&job);
            assert!(alone.status.success(), "{}", words(&alone));
            let begun = Instant::now();
            let shared = ["--nats", &self.nats, "--ledger", &self.ledger, "--lease", "3"];
            let report = loop {
                assert!(begun.elapsed() < PATIENCE, "job {seed} does not end");
                if let Some(report) = self.try_once(&[&job[..], &shared].concat()) {
                    break report;
                }
            };
            assert!(report == alone.stdout, "job {seed}: {}", String::from_utf8_lossy(&report));
            self.jobs.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// The report of a run, if it comes to one.
    fn try_once(&self, arguments: &[&str]) -> Option<Vec<u8>> {
        let desk = || self.desk.lock().expect("nobody panicked");
        let mut command: Command = program(arguments);
        *desk() = Some(command.spawn().expect("the program starts"));
        while desk().as_mut().is_some_and(|desk| desk.try_wait().expect("its state").is_none()) {
            thread::sleep(Duration::from_millis(10));
        }
        let output = desk().take()?.wait_with_output().expect("its output");
        let said = words(&output);
        assert!(!said.contains("panicked"), "{said}");
        if output.status.success() {
            return Some(output.stdout);
        }
        // Without a code it was killed.
        if output.status.code().is_some() {
            self.ended.fetch_add(1, Ordering::SeqCst);
            thread::sleep(Duration::from_millis(100));
        }
        None
    }
}
