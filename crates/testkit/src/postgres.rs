//! A PostgreSQL of the tests' own, in a temporary folder, on a port of 127.0.0.1 that was free or at another [`Place`].
//!
//! It ends with the process that started it, however that ends, and takes its folder along.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::place::Place;

/// The variable that says where the server's programs are, such as `/usr/lib/postgresql/15/bin`; `none` passes the tests over
/// that need one.
pub const PROGRAMS: &str = "MAPROOM_POSTGRES";

/// Where Debian has them, by version.
const DEBIAN: &str = "/usr/lib/postgresql";

/// What the server is told, besides where it listens.
const SETTINGS: &[&str] = &["unix_socket_directories=", "max_connections=200", "logging_collector=off"];

/// Where it listens in a network of its own.
const PORT: u16 = 5432;

/// Whom it lets in there: everybody in that network.
const LETS_IN: &str = "host all all samenet trust\n";

/// What it is told besides by tests: as nothing in it is worth keeping it waits for no disk.
const FORGETFUL: &[&str] = &["fsync=off", "full_page_writes=off", "shared_buffers=16MB", "autovacuum=off"];

/// How long it may take to start on a machine that has other things to do.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running server.
pub struct Server {
    place: Place,
    port: u16,
    databases: AtomicU32,
    programs: PathBuf,
    folder: PathBuf,
    /// What it is told besides.
    further: &'static [&'static str],
    /// It stops when the other end of its input is closed.
    keeper: Mutex<Option<Child>>,
}

/// The server that the tests of one process share; `None` if they are to be passed over.
///
/// # Panics
///
/// If it can't be started; the text says what is missing.
pub fn shared() -> Option<&'static Server> {
    static SERVER: OnceLock<Option<Server>> = OnceLock::new();
    SERVER.get_or_init(own).as_ref()
}

/// A server of a test's own, which may be killed. `None` as above.
///
/// # Panics
///
/// If it can't be started; the text says what is missing.
pub fn own() -> Option<Server> {
    own_at(Place::here())
}

/// The same at another place.
///
/// # Panics
///
/// If it can't be started; the text says what is missing.
pub fn own_at(place: Place) -> Option<Server> {
    let programs = std::env::var_os(PROGRAMS).filter(|given| !given.is_empty());
    if programs.as_ref().is_some_and(|given| given == "none") {
        return None;
    }
    let programs = programs.map_or_else(find_programs, |given| Ok(PathBuf::from(given)));
    let server = programs.and_then(|programs| Server::start(&programs, FORGETFUL, place));
    Some(server.unwrap_or_else(|why| panic!("{why}")))
}

/// The folder of the server's programs.
pub fn find_programs() -> Result<PathBuf, String> {
    let versions = fs::read_dir(DEBIAN).into_iter().flatten().flatten();
    let folders = versions.map(|version| version.path().join("bin"));
    let whole = folders.filter(|folder| folder.join("postgres").is_file() && folder.join("initdb").is_file());
    let version = |folder: &PathBuf| {
        let name = folder.parent().and_then(|version| version.file_name()?.to_str()?.parse::<u32>().ok());
        name.unwrap_or(0)
    };
    whole.max_by_key(version).ok_or_else(|| {
        format!(
            "PostgreSQL is missing: {DEBIAN}/VERSION/bin has no `postgres` and `initdb` (Debian: apt-get install \
             postgresql). {PROGRAMS}=FOLDER names another place, {PROGRAMS}=none passes these tests over"
        )
    })
}

impl Server {
    /// A server that keeps what it is given as one of a club does: for measurements.
    pub fn durable() -> Result<Self, String> {
        let programs = std::env::var_os(PROGRAMS).filter(|given| !given.is_empty());
        let programs = programs.map_or_else(find_programs, |given| Ok(PathBuf::from(given)))?;
        Self::start(&programs, &[], Place::here())
    }

    fn start(programs: &Path, further: &'static [&'static str], place: Place) -> Result<Self, String> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let user = unprivileged()?;
        let name =
            format!("maproom-postgres-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(name);
        let said = |what: &str, why: &dyn std::fmt::Display| format!("{what} for PostgreSQL: {why}");
        fs::create_dir_all(&folder).map_err(|why| said("a folder", &why))?;
        let mut server = Self {
            place,
            port: 0,
            databases: AtomicU32::new(0),
            programs: programs.to_path_buf(),
            folder,
            further,
            keeper: Mutex::new(None),
        };
        let mut make = user.run(&server.place, &programs.join("initdb"), &server.folder)?;
        make.args([
            "--username=maproom",
            "--auth=trust",
            "--encoding=UTF8",
            "--no-sync",
            "--no-instructions",
        ]);
        // A locale whose order is not that of the bytes, where there is one, would show what depends on it.
        make.args(["--locale=C.UTF-8", "-D"]).arg(server.data());
        let made = make.stdin(Stdio::null()).output().map_err(|why| said("initdb", &why))?;
        if !made.status.success() {
            return Err(said("initdb", &String::from_utf8_lossy(&made.stderr)));
        }
        if !server.place.is_here() {
            let rules = fs::OpenOptions::new().append(true).open(server.data().join("pg_hba.conf"));
            let added = rules.and_then(|mut rules| rules.write_all(LETS_IN.as_bytes()));
            added.map_err(|why| said("pg_hba.conf", &why))?;
        }
        // Between looking for a free port and taking it somebody else may take it.
        let mut last = String::new();
        for _ in 0..5 {
            server.port = server.place.port(PORT).map_err(|why| said("no free port", &why))?;
            match server.serve() {
                Ok(()) => return Ok(server),
                Err(why) => last = why,
            }
        }
        Err(last)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn log(&self) -> String {
        let mut text = String::new();
        let file = fs::File::open(self.folder.join("log"));
        let read = file.and_then(|mut file| file.read_to_string(&mut text));
        read.map(|_| text).unwrap_or_default()
    }

    fn keeper(&self) -> MutexGuard<'_, Option<Child>> {
        self.keeper.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self) -> Result<(), String> {
        // The shell waits until whoever started it is gone or lets go of its input; then it stops the server.
        let script = "folder=$1; shift; exec 3<&0; \"$@\" >\"$folder/log\" 2>&1 </dev/null & server=$!; \
                      (cat <&3 >/dev/null; kill -INT $server) 2>/dev/null & wait $server && rm -rf \"$folder\"";
        let mut keeper = unprivileged()?.run(&self.place, Path::new("/bin/sh"), &self.folder)?;
        keeper.args(["-c", script, "sh"]).arg(&self.folder).arg(self.programs.join("postgres"));
        keeper.arg("-D").arg(self.data()).arg("-p").arg(self.port.to_string());
        keeper.arg("-c").arg(format!("listen_addresses={}", self.place.address()));
        for setting in SETTINGS.iter().chain(self.further) {
            keeper.args(["-c", setting]);
        }
        keeper.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        drop(fs::remove_file(self.folder.join("log")));
        let mut keeper = keeper.spawn().map_err(|why| format!("PostgreSQL can't be started: {why}"))?;
        let until = Instant::now() + PATIENCE;
        while !self.log().contains("database system is ready to accept connections") {
            let has_ended = keeper.try_wait().is_ok_and(|status| status.is_some());
            if has_ended || Instant::now() > until {
                return Err(format!("PostgreSQL does not start:\n{}", self.log()));
            }
            thread::sleep(Duration::from_millis(20));
        }
        TcpStream::connect((self.place.address(), self.port))
            .map_err(|why| format!("PostgreSQL does not answer: {why}"))?;
        *self.keeper() = Some(keeper);
        Ok(())
    }

    /// Kills it, as a crash would (`kill -9` of its first process; the others end when they see that).
    ///
    /// # Panics
    ///
    /// If that is not possible.
    pub fn kill(&self) {
        let mut keeper = self.keeper().take().expect("it runs");
        let file = fs::read_to_string(self.data().join("postmaster.pid")).expect("its number");
        kill(file.lines().next().expect("its number"));
        drop(keeper.stdin.take());
        drop(keeper.wait());
    }

    /// Starts it again at the same address, with what it has written.
    ///
    /// # Panics
    ///
    /// If it can't be started; the text says why.
    pub fn restart(&self) {
        let until = Instant::now() + PATIENCE;
        // Until the last of its processes has seen that the first is gone, it does not start.
        while let Err(why) = self.serve() {
            assert!(Instant::now() < until, "{why}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills the process of one of the connections to a database; the server then ends all others and recovers as after a
    /// crash. Whether there was one.
    pub fn kill_connection(&self, database: &str, which: usize) -> bool {
        let ask = format!(
            "SELECT pid FROM pg_stat_activity WHERE datname = '{database}' AND pid <> pg_backend_pid() ORDER BY pid"
        );
        let Ok(found) = self.try_ask("postgres", &ask) else { return false };
        let processes: Vec<&str> = found.lines().collect();
        let Some(process) = processes.get(which % processes.len().max(1)) else { return false };
        kill(process);
        true
    }

    /// The address of a database of the server.
    pub fn address(&self, database: &str) -> String {
        // Nobody but the tests is in a network of their own.
        let plain = if self.place.is_here() { "" } else { "?sslmode=disable" };
        format!("postgres://maproom@{}:{}/{database}{plain}", self.place.address(), self.port)
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Makes an empty database and gives its name.
    ///
    /// # Panics
    ///
    /// If the server refuses.
    pub fn empty(&self) -> String {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let name = format!("test{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.ask("postgres", &format!("CREATE DATABASE {name}"));
        name
    }

    /// Lets the server do something in a session that stays open.
    ///
    /// # Panics
    ///
    /// If it can't be begun.
    pub fn hold(&self, database: &str, statement: &str) -> Session {
        let mut client = self.place.command(&self.programs.join("psql"));
        client.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "-v", "ON_ERROR_STOP=1"]);
        client.arg(self.address(database)).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut client = client.spawn().unwrap_or_else(|why| panic!("psql can't be started: {why}"));
        let said = client.stdin.as_mut().map(|input| writeln!(input, "{statement};"));
        assert!(said.is_some_and(|said| said.is_ok()), "psql listens");
        let mut answer = [0];
        let read = client.stdout.as_mut().map(|output| output.read_exact(&mut answer));
        assert!(read.is_some_and(|read| read.is_ok()), "{statement} has an answer");
        Session(client)
    }

    /// Lets the server do something, and gives what it prints: rows without headings, columns separated by `|`.
    ///
    /// # Panics
    ///
    /// If it refuses.
    pub fn ask(&self, database: &str, statement: &str) -> String {
        self.try_ask(database, statement).unwrap_or_else(|why| panic!("{statement}: {why}"))
    }

    /// The same where it may refuse; the error is what it said.
    ///
    /// # Panics
    ///
    /// If the client can't be started.
    pub fn try_ask(&self, database: &str, statement: &str) -> Result<String, String> {
        let mut client = self.place.command(&self.programs.join("psql"));
        client.args(["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "-v", "ON_ERROR_STOP=1", "-c"]);
        let told = client.arg(statement).arg(self.address(database)).stdin(Stdio::null()).output();
        let told = told.unwrap_or_else(|why| panic!("psql can't be started: {why}"));
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
        if told.status.success() { Ok(text(&told.stdout)) } else { Err(text(&told.stderr)) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper().take() {
            drop(keeper.stdin.take());
            drop(keeper.wait());
        }
        drop(fs::remove_dir_all(&self.folder));
    }
}

fn kill(process: &str) {
    // It may have ended by itself.
    drop(Command::new("kill").args(["-KILL", process]).stderr(Stdio::null()).status());
}

/// A session that keeps what a statement has taken until it is told to let go.
pub struct Session(Child);

impl Session {
    /// Ends it.
    pub fn let_go(&mut self) {
        drop(self.0.stdin.take());
        drop(self.0.wait());
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// Who runs the server: it refuses to run as root.
#[cfg(unix)]
enum User {
    /// Whoever runs the tests.
    Own,
    /// Another one, with a group.
    Other(u32, u32),
    /// Root of a user namespace in which there is nobody else: the server has a namespace of its own below that, in which the same
    /// person has another number.
    Nested,
}

#[cfg(not(unix))]
struct User;

#[cfg(unix)]
fn unprivileged() -> Result<User, String> {
    let own = Command::new("id").arg("-u").output().map_err(|why| format!("`id` can't be started: {why}"))?;
    if own.stdout.trim_ascii() != b"0" {
        return Ok(User::Own);
    }
    if fs::read_to_string("/proc/self/uid_map").is_ok_and(|map| is_alone(&map)) {
        return Ok(User::Nested);
    }
    let users = fs::read_to_string("/etc/passwd").map_err(|why| format!("/etc/passwd: {why}"))?;
    let numbers = |name: &str| {
        let mut parts = users.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?.split(':');
        let (user, group) = (parts.nth(1)?.parse().ok()?, parts.next()?.parse().ok()?);
        Some((user, group))
    };
    let other = numbers("nobody").or_else(|| numbers("postgres"));
    other.map(|(user, group)| User::Other(user, group)).ok_or_else(|| {
        "PostgreSQL refuses to run as root, and there is neither a user `nobody` nor a user `postgres`"
            .to_owned()
    })
}

/// Whether a user namespace has one user only, by its `uid_map`: lines of a first number, the one outside, and how many.
#[cfg(unix)]
fn is_alone(map: &str) -> bool {
    let counts = map.lines().filter_map(|line| line.split_whitespace().nth(2)?.parse::<u64>().ok());
    counts.sum::<u64>() == 1
}

#[cfg(not(unix))]
fn unprivileged() -> Result<User, String> {
    Err("the tests start PostgreSQL on Unix only".to_owned())
}

impl User {
    /// A program that runs as this user, in a folder that is theirs.
    #[cfg(unix)]
    fn run(&self, place: &Place, program: &Path, folder: &Path) -> Result<Command, String> {
        use std::os::unix::process::CommandExt as _;
        if let Self::Other(user, group) = *self {
            std::os::unix::fs::chown(folder, Some(user), Some(group))
                .map_err(|why| format!("{}: {why}", folder.display()))?;
        }
        let mut command = match *self {
            Self::Own => place.command(program),
            Self::Other(user, group) if place.is_here() => {
                let mut command = place.command(program);
                command.uid(user).gid(group);
                command
            }
            // Who is not root can't go to another place any more.
            Self::Other(user, group) => {
                let mut command = place.command(Path::new("setpriv"));
                command.args([format!("--reuid={user}"), format!("--regid={group}")]);
                command.args(["--clear-groups", "--"]).arg(program);
                command
            }
            Self::Nested => {
                let mut command = place.command(Path::new("unshare"));
                command.args(["--user", "--map-user=1000", "--map-group=1000", "--"]).arg(program);
                command
            }
        };
        command.current_dir(folder).env_remove("LC_ALL").env("TZ", "UTC");
        Ok(command)
    }

    #[cfg(not(unix))]
    fn run(&self, place: &Place, program: &Path, _: &Path) -> Result<Command, String> {
        Ok(place.command(program))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::is_alone;

    #[test]
    fn a_user_namespace_may_have_one_user() {
        assert!(is_alone("         0       1000          1\n"));
        assert!(!is_alone("         0          0 4294967295\n"));
        assert!(!is_alone("         0       1000          1\n         1     100000      65536\n"));
        assert!(!is_alone(""), "nothing is known");
    }
}
