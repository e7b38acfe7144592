//! What `deploy/` promises, tried with the real program: the unit's command starts, answers and ends in time, the container's
//! steps name what there is, and the proxies send what the server needs. No docker, no root, nothing outside a temporary folder.

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_maproom");

#[path = "server/client.rs"]
mod client;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use client::{FORM, NEW_MATCH, Server, Socket};
use tempfile::{TempDir, tempdir};

/// Where the unit and the image have the program.
const INSTALLED: &str = "/usr/local/bin/maproom";

/// The root of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The unit of systemd.
struct Unit(String);

impl Unit {
    fn read() -> Self {
        Self(read("deploy/maproom.service"))
    }

    /// The values of a setting, in order.
    fn all(&self, name: &str) -> Vec<&str> {
        let values = self.0.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix('='));
        values.map(str::trim).collect()
    }

    fn one(&self, name: &str) -> &str {
        match self.all(name)[..] {
            [value] => value,
            ref values => panic!("{name} stands once in the unit, not as {values:?}"),
        }
    }

    /// Its environment.
    fn environment(&self) -> Vec<(&str, &str)> {
        let pairs = self.all("Environment").into_iter().map(|pair| pair.split_once('='));
        pairs.map(|pair| pair.expect("a name and a value")).collect()
    }

    /// The public address.
    fn address(&self) -> &str {
        let mut pairs = self.environment().into_iter();
        pairs.find(|(name, _)| *name == "MAPROOM_ADDRESS").expect("an address").1
    }

    /// The command as systemd would start it, but with this program, in `data` and on free ports.
    fn command(&self, data: &Path) -> Command {
        let mut line = self.one("ExecStart").to_owned();
        for (name, value) in self.environment() {
            line = line.replace(&format!("${{{name}}}"), value);
        }
        let data = data.to_str().expect("a path");
        for (installed, here) in [("/var/lib/maproom", data), ("--port 4040", "--port 0"), (":9464", ":0")] {
            assert!(line.contains(installed), "{installed} stands in {line}");
            line = line.replace(installed, here);
        }
        let words = line.strip_prefix(INSTALLED).unwrap_or_else(|| panic!("{line}")).split_whitespace();
        start(words, data, &self.environment())
    }
}

/// A command of the program with nothing but this environment, in this folder.
fn start<'a>(words: impl Iterator<Item = &'a str>, folder: &str, environment: &[(&str, &str)]) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words).env_clear().envs(environment.iter().copied()).env("HOME", folder).current_dir(folder);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn open(command: Command) -> Server {
    Server::launch(command).unwrap_or_else(|said| panic!("the server did not open. It said:\n{said}"))
}

/// The cookie of the lobby's owner, by the address that the server prints.
fn owner(server: &Server, headers: &[(&str, &str)]) -> String {
    let entered = server.send("GET", &format!("/enter/{}", server.key()), headers, "");
    let cookie = entered.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {entered:?}"));
    cookie.split(';').next().unwrap_or_default().to_owned()
}

#[test]
fn the_units_command_opens_answers_and_ends_in_time() {
    let unit = Unit::read();
    let folder = tempdir().expect("a folder");
    let mut server = open(unit.command(folder.path()));
    let health = server.get("/health").is(200);
    assert_eq!(health.body.trim(), "ok");

    // A page that waits for news must not hold up the end.
    let headers = proxied(&unit);
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (&**name, &**value)).collect();
    let (path, cookie) = new_match(&server, &headers);
    let mut with_cookie = headers.clone();
    with_cookie.extend([("Cookie", cookie.as_str()), ("Origin", unit.address())]);
    let page = Socket::open(server.port, &format!("{path}/live?since=1"), &with_cookie).expect("an answer");
    let mut page = page.unwrap_or_else(|answer| panic!("{answer:?}"));

    assert_eq!(unit.one("KillSignal"), "SIGTERM");
    let allowed: u64 = unit.one("TimeoutStopSec").parse().expect("seconds");
    let begun = Instant::now();
    let status = server.stop();
    let took = begun.elapsed();
    assert_eq!(
        status.code(),
        Some(0),
        "`Restart=on-failure` must not take it for a failure: {}",
        server.said()
    );
    assert!(took < Duration::from_secs(allowed), "it took {took:?}, and systemd waits {allowed} s");
    while page.next().is_ok_and(|message| message.is_some()) {}
    // The folder is the only place that the unit may write to, and the match is in it.
    let kept = open(unit.command(folder.path()));
    assert_eq!(kept.send("GET", &path, &with_cookie, "").status, 200, "the match is still there");
}

/// Makes a match through a proxy, as the owner; returns its path and the owner's cookie.
fn new_match(server: &Server, headers: &[(&str, &str)]) -> (String, String) {
    let cookie = owner(server, headers);
    let origin = headers.iter().find(|(name, _)| *name == "Host").map(|(_, host)| format!("https://{host}"));
    let origin = origin.expect("a host");
    let mut all = headers.to_vec();
    all.extend([FORM, ("Cookie", cookie.as_str()), ("Origin", origin.as_str())]);
    let made = server.send("POST", "/matches", &all, NEW_MATCH);
    let path = made.header("location").unwrap_or_else(|| panic!("{made:?}")).to_owned();
    (path, cookie)
}

/// The headers that nginx.conf adds to a request, with its variables filled in for a visitor at 203.0.113.9. Those of an upgrade
/// are left to the socket, which asks for one.
fn proxied(unit: &Unit) -> Vec<(String, String)> {
    let host = unit.address().trim_start_matches("https://");
    let settings = read("deploy/proxy/nginx.conf");
    let set = settings.lines().filter_map(|line| line.trim().strip_prefix("proxy_set_header "));
    let pairs = set.filter_map(|pair| pair.trim_end_matches(';').split_once(' '));
    let headers: Vec<(String, String)> = pairs
        .map(|(name, value)| (name.to_owned(), value.replace("$host", host)))
        .map(|(name, value)| (name, value.replace("$proxy_add_x_forwarded_for", "203.0.113.9")))
        .collect();
    for (name, value) in [("Upgrade", "$http_upgrade"), ("Connection", "$maproom_connection")] {
        assert!(
            headers.contains(&(name.to_owned(), value.to_owned())),
            "WebSockets need {name}: {headers:?}"
        );
    }
    headers.into_iter().filter(|(name, _)| name != "Upgrade" && name != "Connection").collect()
}

/// Without these headers the server takes a visitor for somebody else, or refuses what they do.
#[test]
fn the_proxies_send_what_the_server_needs() {
    let unit = Unit::read();
    let headers = proxied(&unit);
    let names: Vec<&str> = headers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["Host", "X-Forwarded-For"]);
    let folder = tempdir().expect("a folder");
    let server = open(unit.command(folder.path()));
    let with: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (&**name, &**value)).collect();
    new_match(&server, &with);
    // The proxy is on this machine, but its visitors are not: without the key nobody is the owner.
    let stranger = server.send("POST", "/matches", &[with[0], with[1], FORM], NEW_MATCH);
    assert!(!stranger.header("location").is_some_and(|path| path.starts_with("/m/")), "{stranger:?}");

    let (nginx, caddy) = (read("deploy/proxy/nginx.conf"), read("deploy/proxy/Caddyfile"));
    for (name, settings) in [("nginx.conf", &nginx), ("Caddyfile", &caddy)] {
        let host = unit.address().trim_start_matches("https://");
        assert!(settings.contains(host), "{name} is for the same house as the unit");
        assert!(settings.contains("127.0.0.1:4040"), "{name} passes on to the port of the unit");
    }
    assert!(
        unit.one("ExecStart").contains("--behind-proxy 127.0.0.1"),
        "the proxies are on the same machine"
    );
    let value = |name: &str| {
        let line = nginx.lines().find_map(|line| line.trim().strip_prefix(name));
        line.unwrap_or_else(|| panic!("{name} is set")).trim().trim_end_matches(';').to_owned()
    };
    assert_eq!(value("proxy_http_version"), "1.1", "WebSockets need it");
    let most: usize = value("client_max_body_size").trim_end_matches('m').parse().expect("MiB");
    assert!(most << 20 >= kernel::MAX_SAVE_BYTES, "a record that is imported fits");
    let patience: u64 = value("proxy_read_timeout").trim_end_matches('s').parse().expect("seconds");
    assert!(patience > 60, "a page that waits is pinged less often than that");
    let health =
        caddy.lines().find_map(|line| line.trim().strip_prefix("health_uri ")).expect("a health check");
    assert_eq!(server.get(health).status, 200);
}

/// systemd's own opinion, where it is installed.
#[test]
fn systemd_finds_no_fault_with_the_unit() {
    let folder = tempdir().expect("a folder");
    let file = folder.path().join("maproom.service");
    let unit = Unit::read().0.replace(INSTALLED, PROGRAM);
    std::fs::write(&file, unit).expect("the unit can be written");
    let Some(verified) = analyze(&["verify"], &file) else { return };
    assert!(verified.0 && !verified.1.contains("maproom.service:"), "{}", verified.1);
    // 0 is shut off from everything, 100 from nothing.
    let Some((is_safe, said)) = analyze(&["security", "--offline=true", "--threshold=25"], &file) else {
        return;
    };
    assert!(is_safe, "{said}");
}

/// What `systemd-analyze` says of a file, and whether it is content; `None`, with a word about it, where it can't be asked.
fn analyze(arguments: &[&str], file: &Path) -> Option<(bool, String)> {
    let asked = Command::new("systemd-analyze").args(arguments).arg(file).output();
    let said = match &asked {
        Ok(output) => client::words(output),
        Err(why) => why.to_string(),
    };
    let is_missing =
        asked.is_err() || ["unrecognized option", "Unknown command"].iter().any(|word| said.contains(word));
    if is_missing {
        eprintln!("systemd-analyze {} is left out: {}", arguments.join(" "), said.trim());
        return None;
    }
    Some((asked.is_ok_and(|output| output.status.success()), said))
}

/// A line of the container file: its word and the rest, with continued lines joined.
fn steps() -> Vec<(String, String)> {
    let text = read("deploy/Containerfile").replace("\\\n", " ");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split_once(' ').expect("a word and its arguments"))
        .map(|(a, b)| (a.into(), b.into()))
        .collect()
}

fn step(steps: &[(String, String)], word: &str) -> String {
    let found: Vec<&String> = steps.iter().filter(|(name, _)| name == word).map(|(_, rest)| rest).collect();
    assert_eq!(found.len(), 1, "{word}: {found:?}");
    found[0].clone()
}

/// The value behind an argument.
fn after<'a>(words: &[&'a str], name: &str) -> &'a str {
    let at = words.iter().position(|word| *word == name).unwrap_or_else(|| panic!("{name} in {words:?}"));
    words[at + 1].trim_matches('"')
}

#[test]
fn the_containers_steps_name_what_there_is() {
    let steps = steps();
    let manifest = read("crates/maproom/Cargo.toml");
    let built = step(&steps, "RUN");
    let words: Vec<&str> = built.split_whitespace().collect();
    assert_eq!(after(&words, "--package"), env!("CARGO_PKG_NAME"));
    assert!(words.contains(&"--locked") && root().join("Cargo.lock").is_file());
    assert_eq!((after(&words, "--features"), step(&steps, "ARG").as_str()), ("$FEATURES", "FEATURES=\"\""));
    assert!(manifest.contains("\nshared = ["), "the feature that the comment names");
    assert!(read("deploy/Containerfile").contains("FEATURES=shared"));
    let at = words.iter().position(|word| *word == "-D").expect("the program is installed");
    assert_eq!(words[at + 1], "target/release/maproom");
    // What is copied from the first image was put there.
    let copies: Vec<&String> =
        steps.iter().filter(|(word, _)| word == "COPY").map(|(_, rest)| rest).collect();
    for copy in &copies[1..] {
        let from = copy.split_whitespace().find(|word| word.starts_with("/out/")).expect("a source");
        assert!(words.contains(&from), "{from} is made by {built}");
    }
    assert!(
        copies[0] == ". ." && copies[1].ends_with(INSTALLED) && copies[2].ends_with(" /data"),
        "{copies:?}"
    );
    let user = step(&steps, "USER");
    assert!(copies[2].contains(&format!("--chown={user}")), "the folder belongs to {user}");
    // The compiler is not older than the one that the workspace asks for.
    let from = steps.iter().find(|(word, _)| word == "FROM").expect("an image").1.clone();
    let image = from.split_once("rust:").expect("Rust").1.split('-').next().expect("a version").to_owned();
    let number =
        |text: &str| text.split('.').map(|part| part.parse::<u32>().expect("a number")).collect::<Vec<_>>();
    let needed = env!("CARGO_PKG_RUST_VERSION");
    assert!(number(&image) >= number(needed)[..2].to_vec(), "{image} builds what needs {needed}");
}

#[test]
fn the_containers_entry_point_serves() {
    let steps = steps();
    let entry: Vec<String> = serde_json::from_str(&step(&steps, "ENTRYPOINT")).expect("a list");
    assert_eq!(entry, [INSTALLED]);
    let words: Vec<String> = serde_json::from_str(&step(&steps, "CMD")).expect("a list");
    let port = step(&steps, "EXPOSE");
    let volume = step(&steps, "VOLUME");
    let folder: TempDir = tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path").to_owned();
    assert!(words.contains(&port) && words.contains(&volume), "{words:?}");
    let here = words.iter().map(|word| {
        if *word == port {
            "0"
        } else if *word == volume {
            &data
        } else {
            word
        }
    });
    let mut server = open(start(here, &data, &[]));
    assert_eq!(server.get("/health").status, 200);
    assert_eq!(step(&steps, "STOPSIGNAL"), "SIGTERM");
    assert_eq!(server.stop().code(), Some(0));
}
