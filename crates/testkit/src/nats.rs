//! A server of NATS of the tests' own, with its stream in a temporary folder, on a port of 127.0.0.1 that was free or at another
//! [`Place`]. It can be killed and started again.
//!
//! It ends with the process that started it, however that ends.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::place::Place;

/// The variable that says which program the server is, such as `/usr/sbin/nats-server`; `none` passes the tests over that need
/// one.
pub const PROGRAM: &str = "MAPROOM_NATS";

/// Where Debian has it, which is on no ordinary user's path.
const DEBIAN: &str = "/usr/sbin/nats-server";

/// Where it listens in a network of its own.
const PORT: u16 = 4222;

/// How long it may take to start or end on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server.
pub struct Server {
    program: PathBuf,
    folder: PathBuf,
    /// No other server has it.
    name: String,
    place: Place,
    port: u16,
    config: Option<PathBuf>,
    /// It stops when the other end of its input is closed.
    keeper: Option<Child>,
}

/// The server's program; `None` if the tests that need it are to be passed over.
///
/// # Panics
///
/// If it is missing; the text says what to do.
pub fn program() -> Option<PathBuf> {
    match std::env::var_os(PROGRAM).filter(|given| !given.is_empty()) {
        Some(given) if given == "none" => None,
        Some(given) => Some(given.into()),
        None => Some(find_program().unwrap_or_else(|why| panic!("{why}"))),
    }
}

/// Looks for the program.
pub fn find_program() -> Result<PathBuf, String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).map(|folder| folder.join("nats-server"));
    let found = folders.chain([PathBuf::from(DEBIAN)]).find(|program| program.is_file());
    found.ok_or_else(|| {
        format!(
            "NATS is missing: there is no `nats-server` on the path and no {DEBIAN} (Debian: apt-get install nats-server). \
             {PROGRAM}=FILE names another place, {PROGRAM}=none passes these tests over"
        )
    })
}

impl Server {
    /// Starts one; `None` if the tests that need it are to be passed over.
    ///
    /// # Panics
    ///
    /// If it can't be started; the text says why.
    pub fn start() -> Option<Self> {
        Self::start_with(None)
    }

    /// Starts one with a configuration. Its address is replaced; where the stream is, it has to say itself.
    ///
    /// # Panics
    ///
    /// If it can't be started; the text says why.
    pub fn start_with(config: Option<&Path>) -> Option<Self> {
        Self::open(config, Place::here())
    }

    /// Starts one at another place.
    ///
    /// # Panics
    ///
    /// If it can't be started; the text says why.
    pub fn start_at(place: Place) -> Option<Self> {
        Self::open(None, place)
    }

    fn open(config: Option<&Path>, place: Place) -> Option<Self> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let program = program()?;
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("maproom-nats-{}-{count}", std::process::id());
        let folder = std::env::temp_dir().join(&name);
        fs::create_dir_all(&folder).unwrap_or_else(|why| panic!("a folder for NATS: {why}"));
        let config = config.map(Path::to_owned);
        let mut server = Self { program, folder, name, place, port: 0, config, keeper: None };
        // Between looking for a free port and taking it somebody else may take it.
        for _ in 0..5 {
            server.port =
                server.place.port(PORT).unwrap_or_else(|why| panic!("no free port for NATS: {why}"));
            if server.serve().is_ok() {
                return Some(server);
            }
        }
        let why = server.serve().err().unwrap_or_default();
        panic!("{why}");
    }

    fn serve(&mut self) -> Result<(), String> {
        // The shell waits until whoever started it is gone or lets go of its input; then it kills the server.
        let script = "log=$1; shift; exec 3<&0; \"$@\" >>\"$log\" 2>&1 </dev/null & server=$!; echo $server; \
                      (cat <&3 >/dev/null; kill -KILL $server) 2>/dev/null & wait $server";
        let mut keeper = self.place.command(Path::new("/bin/sh"));
        keeper.args(["-c", script, "sh"]).arg(self.folder.join("log")).arg(&self.program);
        keeper.arg("-a").arg(self.place.address().to_string());
        keeper.args(["-js", "-n", &self.name, "-p", &self.port.to_string()]);
        match &self.config {
            Some(config) => keeper.arg("-c").arg(config),
            None => keeper.arg("-sd").arg(self.folder.join("stream")),
        };
        keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut keeper = keeper.spawn().map_err(|why| format!("NATS can't be started: {why}"))?;
        let until = Instant::now() + PATIENCE;
        while !self.greets() {
            let has_ended = keeper.try_wait().is_ok_and(|status| status.is_some());
            if has_ended || Instant::now() > until {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(format!("NATS does not start:\n{log}"));
            }
            thread::sleep(Duration::from_millis(10));
        }
        self.keeper = Some(keeper);
        Ok(())
    }

    /// Whether it answers: this one, and not another that took the port before it.
    fn greets(&self) -> bool {
        let greeting = TcpStream::connect((self.place.address(), self.port)).and_then(|connection| {
            connection.set_read_timeout(Some(Duration::from_secs(5)))?;
            let mut greeting = String::new();
            BufReader::new(connection).read_line(&mut greeting)?;
            Ok(greeting)
        });
        let name = format!("\"server_name\":\"{}\"", self.name);
        greeting.is_ok_and(|greeting| greeting.starts_with("INFO ") && greeting.contains(&name))
    }

    /// The address.
    pub fn address(&self) -> String {
        format!("nats://{}:{}", self.place.address(), self.port)
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Kills it, as a crash would.
    ///
    /// # Panics
    ///
    /// If it does not end.
    pub fn kill(&mut self) {
        // The shell kills the server when its input ends, and ends with it.
        let Some(mut keeper) = self.keeper.take() else { return };
        drop(keeper.stdin.take());
        let until = Instant::now() + PATIENCE;
        while keeper.try_wait().is_ok_and(|status| status.is_none()) {
            assert!(Instant::now() < until, "NATS does not end");
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Starts it again, at the same address, with what was in its folder.
    ///
    /// # Panics
    ///
    /// If it can't be started; the text says why.
    pub fn restart(&mut self) {
        self.kill();
        self.serve().unwrap_or_else(|why| panic!("{why}"));
    }

    /// Keeps what is in a stream now, for later. It must not be running.
    ///
    /// # Panics
    ///
    /// If that is not possible.
    pub fn keep(&self, stream: &str) {
        self.copy(&self.messages(stream), &self.kept(stream));
    }

    /// Puts back what was in a stream when it was kept; how far its consumers had come is as it was last, as after a crash that
    /// took the end of the stream. It must not be running.
    ///
    /// # Panics
    ///
    /// If that is not possible.
    pub fn put_back(&self, stream: &str) {
        self.copy(&self.kept(stream), &self.messages(stream));
    }

    fn messages(&self, stream: &str) -> PathBuf {
        self.folder.join("stream/jetstream/$G/streams").join(stream).join("msgs")
    }

    fn kept(&self, stream: &str) -> PathBuf {
        self.folder.join("kept").join(stream)
    }

    fn copy(&self, from: &Path, to: &Path) {
        assert!(self.keeper.is_none(), "it is running");
        let copy = || -> std::io::Result<()> {
            if to.exists() {
                fs::remove_dir_all(to)?;
            }
            fs::create_dir_all(to)?;
            for file in fs::read_dir(from)? {
                let file = file?;
                fs::copy(file.path(), to.join(file.file_name()))?;
            }
            Ok(())
        };
        copy().unwrap_or_else(|why| panic!("{} can't be copied: {why}", from.display()));
    }

    /// Removes everything that it has kept. It must not be running.
    ///
    /// # Panics
    ///
    /// If that is not possible.
    pub fn forget(&self) {
        assert!(self.keeper.is_none(), "it is running");
        fs::remove_dir_all(self.folder.join("stream")).unwrap_or_else(|why| panic!("the stream: {why}"));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
        drop(fs::remove_dir_all(&self.folder));
    }
}
