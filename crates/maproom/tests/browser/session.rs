//! The browser behind the pages: the driver's process, and sessions with a profile of their own.

use std::env;
use std::fs::{self, File};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::wd::WindowHandle;
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::Value;
use tempfile::TempDir;

use super::engine::{Engine, on_path};
use super::{PATIENCE, PULSE};

/// What the driver says goes into this file of its folder.
const LOG: &str = "driver.log";

/// Starts the driver, and ends its whole process group as soon as the input is closed: by `Drop`, or because
/// the tests were killed and could not tidy up.
#[cfg(unix)]
const KEEPER: &str = r#""$@" & cat >/dev/null; kill -KILL -$$"#;

/// A running driver.
struct Driver {
    keeper: Child,
    url: String,
    folder: TempDir,
}

static RUNNING: Mutex<Weak<Driver>> = Mutex::new(Weak::new());

impl Driver {
    /// The running driver of this process; started if there is none, or if it serves one browser only.
    fn get() -> Arc<Self> {
        if !Engine::chosen().shares_driver() {
            return Arc::new(Self::start());
        }
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = running.upgrade() {
            return driver;
        }
        let driver = Arc::new(Self::start());
        *running = Arc::downgrade(&driver);
        driver
    }

    fn start() -> Self {
        let engine = Engine::chosen();
        let (needed, name) = (engine.needed(), engine.driver());
        assert!(on_path(name).is_some(), "{needed}");
        let folder = tempfile::Builder::new().prefix("maproom-browser-").tempdir().expect("a folder");
        let path = folder.path().join(LOG);
        let log = File::create(&path).expect("a file can be written");
        let (words, mut port) = engine.driver_command();
        let mut command = Self::command(&words);
        engine.prepare(&mut command, folder.path());
        let keeper = command
            .stdin(Stdio::piped())
            .stdout(log.try_clone().expect("a second handle"))
            .stderr(log)
            .spawn()
            .unwrap_or_else(|why| panic!("{needed}\n{name} can't start: {why}"));
        let mut driver = Self { keeper, url: String::new(), folder };
        let begin = Instant::now();
        loop {
            port = port.or_else(|| engine.port_said(&driver.log()));
            if let Some(port) = port
                && TcpStream::connect(("127.0.0.1", port)).is_ok()
            {
                driver.url = format!("http://127.0.0.1:{port}/");
                return driver;
            }
            assert!(begin.elapsed() < PATIENCE, "{name} does not come up:\n{}", driver.log());
            thread::sleep(PULSE);
        }
    }

    #[cfg(unix)]
    fn command(words: &[String]) -> Command {
        use std::os::unix::process::CommandExt as _;
        let mut command = Command::new("sh");
        command.args(["-c", KEEPER, "sh"]).args(words).process_group(0);
        command
    }

    #[cfg(not(unix))]
    fn command(words: &[String]) -> Command {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]);
        command
    }

    fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join(LOG)).unwrap_or_default()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let begin = Instant::now();
        while cfg!(unix) && begin.elapsed() < Duration::from_secs(30) {
            if let Ok(Some(_)) = self.keeper.try_wait() {
                return;
            }
            thread::sleep(PULSE);
        }
        drop(self.keeper.kill());
        drop(self.keeper.wait());
    }
}

/// A browser with a profile of its own.
pub struct Session {
    pub client: Client,
    id: String,
    /// The window in which commands work now.
    pub active: tokio::sync::Mutex<WindowHandle>,
    driver: Arc<Driver>,
}

impl Session {
    pub async fn open() -> Self {
        let driver = Driver::get();
        let profile =
            tempfile::Builder::new().prefix("profile-").tempdir_in(driver.folder.path()).expect("a folder");
        // The folder of the driver goes as a whole.
        let profile = profile.keep();
        let engine = Engine::chosen();
        let Value::Object(wanted) = engine.capabilities(&profile) else { unreachable!("an object") };
        let opened = ClientBuilder::new(HttpConnector::new()).capabilities(wanted).connect(&driver.url).await;
        let client = opened.unwrap_or_else(|why| {
            panic!("{engine:?} does not come up\n{}\n{why}\n{}", engine.needed(), driver.log())
        });
        // The session is ended by `Drop`, which does not need the runtime of the test.
        client.persist().await.expect("a session");
        let id = client.session_id().await.expect("a session").expect("a session has a name");
        let window = client.window().await.expect("a window");
        Self { client, id, active: tokio::sync::Mutex::new(window), driver }
    }
}

impl Drop for Session {
    /// Ends the browser; after a failed test with a last picture.
    fn drop(&mut self) {
        let shot = if thread::panicking() { shots().map(|folder| folder.join(shot_name())) } else { None };
        let (url, id) = (self.driver.url.clone(), self.id.clone());
        let ending = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async { tokio::time::timeout(PATIENCE, end_session(&url, &id, shot)).await })?;
            std::io::Result::Ok(())
        });
        drop(ending.join());
    }
}

async fn end_session(url: &str, id: &str, shot: Option<PathBuf>) {
    let Ok(client) = Client::with_existing_session(url, id, HttpConnector::new()).await else { return };
    if let Some(shot) = shot
        && let Ok(image) = client.screenshot().await
    {
        drop(fs::write(shot, image));
    }
    drop(client.close().await);
}

/// Where pictures are kept, if somebody wants them: the folder in `MAPROOM_SHOTS`.
pub fn shots() -> Option<PathBuf> {
    let folder = PathBuf::from(env::var_os("MAPROOM_SHOTS").filter(|folder| !folder.is_empty())?);
    fs::create_dir_all(&folder).ok()?;
    Some(folder)
}

fn shot_name() -> String {
    let test = thread::current().name().unwrap_or("page").replace("::", "-");
    format!("failed-{test}.png")
}
