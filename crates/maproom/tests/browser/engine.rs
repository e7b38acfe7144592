//! The three browser engines that the tables are tried in, and how each is started.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

/// A browser with its driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The engine of CI, and the only one with a DevTools protocol.
    Chromium,
    Firefox,
    /// WebKitGTK's small browser, which needs an X display.
    Webkit,
}

const CHROMIUM_ARGUMENTS: [&str; 8] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
];

/// WebKit's window can't be narrower than its own toolbar, which is as wide as a small phone and more. The page is not drawn
/// with this style.
const TINY_TOOLBAR: &str =
    "* { font-size: 1px; padding: 0; margin: 0; min-width: 0; min-height: 0; border-width: 0; }
image { -gtk-icon-transform: scale(0.1); }
";

impl Engine {
    /// The engine that `MAPROOM_BROWSER` names; Chromium where it is not set.
    pub fn chosen() -> Self {
        static CHOSEN: OnceLock<Engine> = OnceLock::new();
        *CHOSEN.get_or_init(|| match std::env::var("MAPROOM_BROWSER").as_deref() {
            Err(_) | Ok("" | "chromium") => Self::Chromium,
            Ok("firefox") => Self::Firefox,
            Ok("webkit") => Self::Webkit,
            Ok(other) => panic!("MAPROOM_BROWSER is {other:?}; it can be chromium, firefox or webkit"),
        })
    }

    pub fn is_chromium(self) -> bool {
        self == Self::Chromium
    }

    /// Whether one process of the driver serves any number of browsers.
    pub fn shares_driver(self) -> bool {
        self.is_chromium()
    }

    /// The program of the driver.
    pub fn driver(self) -> &'static str {
        match self {
            Self::Chromium => "chromedriver",
            Self::Firefox => "geckodriver",
            Self::Webkit => "WebKitWebDriver",
        }
    }

    /// What a machine without the browser is told.
    pub fn needed(self) -> &'static str {
        match self {
            Self::Chromium => {
                "Chromium and chromedriver are needed: `cargo xtask test` installs them \
                 (Debian: apt-get install chromium chromium-driver)"
            }
            Self::Firefox => {
                "Firefox and geckodriver are needed: `cargo xtask browsers` installs them \
                 (Debian: apt-get install firefox-esr; cargo install geckodriver)"
            }
            Self::Webkit => {
                "WebKitWebDriver is needed, and an X display: `cargo xtask browsers` sees to both \
                 (Debian: apt-get install webkit2gtk-driver xvfb)"
            }
        }
    }

    /// The words of the command that starts the driver, and the port where they name one. Two drivers find a free port
    /// themselves and say which.
    pub fn driver_command(self) -> (Vec<String>, Option<u16>) {
        let words = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        match self {
            Self::Chromium => (words(&["chromedriver", "--port=0"]), None),
            Self::Firefox => (words(&["geckodriver", "--host=127.0.0.1", "--port=0"]), None),
            Self::Webkit => {
                let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
                let port = free.expect("a free port").port();
                (words(&["WebKitWebDriver", &format!("--port={port}")]), Some(port))
            }
        }
    }

    /// The port that a driver names in what it says, once it does.
    pub fn port_said(self, said: &str) -> Option<u16> {
        let (before, end) = match self {
            Self::Chromium => ("started successfully on port ", '.'),
            Self::Firefox => ("Listening on 127.0.0.1:", '\n'),
            Self::Webkit => return None,
        };
        said.split(before).nth(1)?.split_once(end)?.0.trim().parse().ok()
    }

    /// Sets what the driver and its browser find in their environment. `folder` is theirs alone.
    pub fn prepare(self, command: &mut Command, folder: &Path) {
        command.env("TMPDIR", folder);
        if self.is_chromium() {
            return;
        }
        // Caches, settings and sockets of the user's own browser stay out of it.
        for (name, sub) in [("HOME", "home"), ("XDG_CONFIG_HOME", "config"), ("XDG_RUNTIME_DIR", "runtime")] {
            let path = folder.join(sub);
            fs::create_dir_all(&path).expect("a folder");
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                fs::set_permissions(&path, fs::Permissions::from_mode(0o700)).expect("a folder of one's own");
            }
            command.env(name, path);
        }
        if self == Self::Webkit {
            let style = folder.join("config/gtk-3.0");
            fs::create_dir_all(&style).expect("a folder");
            fs::write(style.join("gtk.css"), TINY_TOOLBAR).expect("a file can be written");
            command.env("LIBGL_ALWAYS_SOFTWARE", "1").env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
        }
    }

    /// What a session asks for. `profile` is an empty folder.
    pub fn capabilities(self, profile: &Path) -> Value {
        let timeouts = json!({ "implicit": 0, "pageLoad": 120_000, "script": 120_000 });
        match self {
            Self::Chromium => {
                let mut arguments: Vec<String> = CHROMIUM_ARGUMENTS.map(String::from).to_vec();
                arguments.push(format!("--user-data-dir={}", profile.display()));
                let mut options = json!({
                    "args": arguments,
                    "prefs": { "session": { "restore_on_startup": 4, "startup_urls": ["about:blank"] } },
                    "perfLoggingPrefs": { "enableNetwork": true, "enablePage": false },
                });
                if let Some(chromium) = on_path("chromium") {
                    options["binary"] = chromium.display().to_string().into();
                }
                json!({
                    "browserName": "chrome",
                    "timeouts": timeouts,
                    "goog:chromeOptions": options,
                    "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
                })
            }
            Self::Firefox => {
                // Its windows have a least width, which is that of a large phone and more.
                let style = profile.join("chrome");
                fs::create_dir_all(&style).expect("a folder");
                fs::write(style.join("userChrome.css"), ":root { min-width: 0 !important; }\n")
                    .expect("a style");
                let mut options = json!({
                    "args": ["-headless", "-profile", profile],
                    "prefs": {
                        "toolkit.legacyUserProfileCustomizations.stylesheets": true,
                        "layout.css.devPixelsPerPx": "1.0",
                        "app.update.enabled": false,
                        "browser.startup.homepage": "about:blank",
                        "network.captive-portal-service.enabled": false,
                        "network.connectivity-service.enabled": false,
                        "toolkit.telemetry.enabled": false,
                    },
                });
                if let Some(firefox) = on_path("firefox-esr").or_else(|| on_path("firefox")) {
                    options["binary"] = firefox.display().to_string().into();
                }
                json!({ "browserName": "firefox", "timeouts": timeouts, "moz:firefoxOptions": options })
            }
            Self::Webkit => {
                let mut options = json!({ "args": ["--automation"] });
                if let Some(browser) = mini_browser() {
                    options["binary"] = browser.display().to_string().into();
                }
                json!({ "timeouts": timeouts, "webkitgtk:browserOptions": options })
            }
        }
    }
}

/// Where a program stands on the search path.
pub fn on_path(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// WebKit's browser lies beside its library, in a folder that is named after the machine and the version.
fn mini_browser() -> Option<PathBuf> {
    let machine = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
    let folders = ["/usr/lib".to_owned(), machine];
    let versions = folders.iter().filter_map(|folder| fs::read_dir(folder).ok()).flatten().flatten();
    let mut found: Vec<PathBuf> = versions
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("webkit2gtk-"))
        .map(|entry| entry.path().join("MiniBrowser"))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.pop()
}
