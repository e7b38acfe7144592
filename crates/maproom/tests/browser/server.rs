//! The real server: started on a free port with a data folder of its own, and ended with the test.

#![allow(dead_code, reason = "helpers stand ready before every one of them is used")]

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// How long the server may take to come up, and to go when it is asked to.
const PATIENCE: Duration = Duration::from_secs(120);
const PULSE: Duration = Duration::from_millis(10);

/// `maproom serve`, running.
pub struct Server {
    folder: TempDir,
    further: Vec<String>,
    process: Process,
}

impl Server {
    /// Starts with an empty data folder.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts with an empty data folder and further arguments.
    pub fn start_with(further: &[&str]) -> Self {
        let folder = tempfile::Builder::new().prefix("maproom-data-").tempdir().expect("a folder");
        let further: Vec<String> = further.iter().map(ToString::to_string).collect();
        let process = Self::launch(folder.path(), 0, &further).unwrap_or_else(|why| panic!("{why}"));
        Self { folder, further, process }
    }

    fn launch(folder: &Path, port: u16, further: &[String]) -> Result<Process, String> {
        let mut command = Command::new(crate::PROGRAM);
        command
            .args(["serve".as_ref(), "--data".as_ref(), folder.as_os_str(), "--host".as_ref()])
            .args(["127.0.0.1", "--port", &port.to_string()])
            .args(further)
            .current_dir(folder)
            .env("HOME", folder)
            .env("XDG_DATA_HOME", folder);
        Process::start(command)
    }

    /// The address of the lobby, with a slash at its end.
    pub fn url(&self) -> &str {
        &self.process.url
    }

    /// The address of a page, given as `/m/…`.
    pub fn at(&self, path: &str) -> String {
        format!("{}{}", self.url(), path.trim_start_matches('/'))
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        self.folder.path()
    }

    /// Everything the server has said till now.
    pub fn said(&self) -> String {
        self.process.said()
    }

    pub fn is_running(&mut self) -> bool {
        self.process.ended().is_none()
    }

    /// Ends the server as Ctrl-C does, and returns how it ended.
    pub fn stop(&mut self) -> ExitStatus {
        self.process.stop()
    }

    /// Kills the server from one instant to the next; it stays down.
    pub fn kill_hard(&mut self) {
        self.process.kill();
    }

    /// Starts anew with the same data and at the same address; a server that still runs is ended as Ctrl-C
    /// does.
    pub fn restart(&mut self) {
        if self.is_running() {
            self.stop();
        }
        let address = self.process.url.clone();
        let port = port_of(&address).expect("an address has a port");
        let begin = Instant::now();
        self.process = loop {
            match Self::launch(self.folder.path(), port, &self.further) {
                Ok(process) => break process,
                // Whoever got the port for a moment gives it back.
                Err(why) if why.contains("in use") && begin.elapsed() < PATIENCE => thread::sleep(PULSE * 10),
                Err(why) => panic!("{why}"),
            }
        };
        assert_eq!(self.process.url, address, "the server is back at its old address");
    }
}

/// A program that serves, and says where.
pub struct Process {
    child: Child,
    said: Arc<Mutex<String>>,
    readers: Vec<JoinHandle<()>>,
    url: String,
}

impl Process {
    /// Starts a program and waits for the line with its address. The error holds what it said instead.
    pub fn start(mut command: Command) -> Result<Self, String> {
        let name = Path::new(command.get_program()).file_name().map(OsStr::to_os_string).unwrap_or_default();
        let name = name.display().to_string();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|why| format!("{name} can't start: {why}"))?;
        let mut process = Self { child, said: Arc::default(), readers: Vec::new(), url: String::new() };
        if let Some(output) = process.child.stdout.take() {
            process.listen(output);
        }
        if let Some(messages) = process.child.stderr.take() {
            process.listen(messages);
        }
        let begin = Instant::now();
        loop {
            let ended = process.ended();
            if let Some(url) = address(&process.said()) {
                process.url = url;
                return Ok(process);
            }
            if let Some(status) = ended {
                // The last words may still be on their way.
                for reader in process.readers.drain(..) {
                    drop(reader.join());
                }
                return Err(format!(
                    "{name} ended ({status}) without an address. It said:\n{}",
                    process.said()
                ));
            }
            if begin.elapsed() > PATIENCE {
                let seconds = PATIENCE.as_secs();
                return Err(format!("{name} gave no address for {seconds} s. It said:\n{}", process.said()));
            }
            thread::sleep(PULSE);
        }
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    fn listen(&mut self, stream: impl Read + Send + 'static) {
        let said = Arc::clone(&self.said);
        let reader = thread::spawn(move || {
            for line in BufReader::new(stream).split(b'\n').map_while(Result::ok) {
                let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
                said.push_str(&String::from_utf8_lossy(&line));
                said.push('\n');
            }
        });
        self.readers.push(reader);
    }

    fn said(&self) -> String {
        self.said.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().expect("the state of a process")
    }

    fn stop(&mut self) -> ExitStatus {
        self.interrupt();
        let begin = Instant::now();
        loop {
            if let Some(status) = self.ended() {
                return status;
            }
            assert!(begin.elapsed() < PATIENCE, "asked to end, it went on. It said:\n{}", self.said());
            thread::sleep(PULSE);
        }
    }

    /// Sends what Ctrl-C sends.
    #[cfg(unix)]
    fn interrupt(&mut self) {
        let id = self.child.id().to_string();
        let sent = Command::new("sh").args(["-c", "kill -INT \"$1\"", "sh", &id]).status();
        assert!(sent.is_ok_and(|status| status.success()), "a signal can be sent");
    }

    #[cfg(not(unix))]
    fn interrupt(&mut self) {
        self.kill();
    }

    pub fn kill(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The first address in a text, if its line is complete.
fn address(said: &str) -> Option<String> {
    let (before, _) = said.rsplit_once('\n')?;
    let rest = &before[before.find("http://127.0.0.1:")?..];
    let end = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
    let url = &rest[..end];
    port_of(url)?;
    Some(format!("{}/", url.trim_end_matches('/')))
}

fn port_of(url: &str) -> Option<u16> {
    url.trim_end_matches('/').rsplit_once(':')?.1.parse().ok()
}
