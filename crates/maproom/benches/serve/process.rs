//! The server in a process of its own.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

/// `maproom serve`, running; it ends with its handle.
pub struct Server {
    child: Child,
    pub port: u16,
    /// Open, so that the server can go on talking.
    _output: BufReader<ChildStdout>,
}

impl Server {
    pub fn start(data: &Path) -> Self {
        Self::start_with(data, &[])
    }

    /// Starts with further arguments. With `--address` among them the server tells that address and not its port, so a free port
    /// is looked for beforehand.
    pub fn start_with(data: &Path, further: &[&str]) -> Self {
        Self::start_at(&["--data".as_ref(), data.as_os_str()], further)
    }

    /// Starts on a database of PostgreSQL.
    #[cfg(feature = "shared")]
    pub fn start_on(database: &str, further: &[&str]) -> Self {
        Self::start_at(&["--database".as_ref(), database.as_ref()], further)
    }

    fn start_at(place: &[&OsStr], further: &[&str]) -> Self {
        let port = TcpListener::bind(("127.0.0.1", 0)).and_then(|free| free.local_addr());
        let port = port.expect("a free port").port();
        let mut child = Command::new(env!("CARGO_BIN_EXE_maproom"))
            .args(["serve", "--port", &port.to_string()])
            .args(place)
            .args(further)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        output.read_line(&mut line).expect("the line with the address");
        assert!(line.contains("://"), "no address: {line:?}");
        Self { child, port, _output: output }
    }

    /// The memory that it occupies, in bytes.
    pub fn memory(&self) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
        kilobytes.unwrap_or(f64::NAN) * 1024.0
    }

    /// The processor time that it has used.
    pub fn processor(&self) -> Duration {
        processor(&self.child.id().to_string())
    }
}

/// The processor time that a process has used, in steps of 10 ms.
pub fn processor(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks =
        |at: usize| fields.split_whitespace().nth(at).and_then(|ticks| ticks.parse().ok()).unwrap_or(0);
    Duration::from_millis(10 * (ticks(11) + ticks(12)))
}

/// The processor time that all processes together have used, and what the machine below took for itself.
pub fn whole_machine() -> Duration {
    let stat = std::fs::read_to_string("/proc/stat").unwrap_or_default();
    let fields = stat.lines().next().unwrap_or_default().split_whitespace().skip(1);
    let ticks: Vec<u64> = fields.filter_map(|ticks| ticks.parse().ok()).collect();
    // User, nice, system, (idle, waiting,) interrupts, steal.
    let busy: u64 = [0, 1, 2, 5, 6, 7].iter().filter_map(|at| ticks.get(*at)).sum();
    Duration::from_millis(10 * busy)
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
