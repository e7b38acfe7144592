//! Two servers on machines of their own, with a database and a NATS on others; and people who go to them over the network.

use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};
use testkit::{nats, postgres};

use crate::client::{Answer, FORM, Http, JSON, Server, Socket};
use crate::history::{History, Outcome, Shown};
use crate::hosts::{self, A, B, DATABASE, Hosts, NATS};
use crate::house::{House, id_of};

/// Where the servers listen.
const PORT: u16 = 4040;
/// And where they tell figures.
const METRICS: u16 = 9100;
/// How many of the last steps are written down with a position.
const LAST_STEPS: usize = 8;
/// How long it may take to come to a server at all.
const CONNECTING: Duration = Duration::from_secs(4);

/// The two machines with servers.
pub const SERVERS: [usize; 2] = [A, B];

/// Everything that there is.
pub struct Site {
    pub house: House,
    pub history: History,
    /// What shows that the owner asks: people at one address may not ask as often as all of these do.
    cookie: String,
    servers: [Server; 2],
    _nats: nats::Server,
    /// After whatever is on them.
    pub hosts: Hosts,
}

impl Site {
    /// Builds it; `None` if tests that need a database or NATS are passed over.
    pub fn open(seed: u64) -> Option<Self> {
        let hosts = Hosts::build(seed);
        let postgres = postgres::own_at(hosts.place(DATABASE))?;
        let nats = nats::Server::start_at(hosts.place(NATS))?;
        // It ends with this process.
        let house = House::on(Box::leak(Box::new(postgres)));
        let servers = SERVERS.map(|host| {
            let mut command: Command = hosts.command(host, Path::new(crate::PROGRAM));
            let own = hosts::address(host).to_string();
            command.args(["serve", "--no-browser", "--host", &own, "--port", &PORT.to_string()]);
            command.args(["--metrics", &format!("{own}:{METRICS}")]);
            command.args(["--database", &house.address(), "--nats", &nats.address()]);
            command.env("MAPROOM_LOG", std::env::var("MAPROOM_LOG").unwrap_or_else(|_| "info".into()));
            command.stdin(std::process::Stdio::null());
            command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
            Server::launch(command).unwrap_or_else(|said| panic!("the server did not open. It said:\n{said}"))
        });
        let cookie = format!("maproom_owner={}", servers[0].key());
        Some(Self { house, history: History::new(), cookie, servers, _nats: nats, hosts })
    }

    /// Where a server is.
    fn address(host: usize) -> SocketAddr {
        SocketAddr::new(hosts::address(host), PORT)
    }

    /// The server on a machine.
    fn server(&self, host: usize) -> &Server {
        &self.servers[usize::from(host == B)]
    }

    /// Stops a server where it stands, or lets it go on.
    pub fn signal(&self, host: usize, name: &str) {
        let process = self.server(host).process().to_string();
        let sent = Command::new("kill").args([name, &process]).status().expect("kill runs");
        assert!(sent.success(), "{name}");
    }

    /// What both servers have said.
    pub fn said(&self) -> [String; 2] {
        self.servers.each_ref().map(Server::said)
    }

    /// The status of a page, if there is an answer in time.
    pub fn status(&self, host: usize, path: &str, patience: Duration) -> Option<u16> {
        let mut http = Http::connect_to(Self::address(host), patience).ok()?;
        Some(http.send("GET", path, &[("Cookie", &self.cookie)], "").ok()?.status)
    }

    /// Which server thinks for bots, if that is one.
    pub fn driver(&self) -> Option<usize> {
        let drives = |host: &usize| {
            let address = SocketAddr::new(hosts::address(*host), METRICS);
            let figures =
                Http::connect_to(address, CONNECTING).ok()?.send("GET", "/metrics", &[], "").ok()?;
            let count = figures.body.lines().find_map(|line| line.strip_prefix("maproom_drives "))?;
            (count != "0").then_some(*host)
        };
        match SERVERS.each_ref().map(drives) {
            [Some(host), None] | [None, Some(host)] => Some(host),
            _ => None,
        }
    }

    /// Opens a window that knows a revision already.
    pub fn window(&self, host: usize, path: &str, since: u64, patience: Duration) -> io::Result<Socket> {
        let http = Http::connect_to(Self::address(host), patience)?;
        let path = format!("{path}/live?since={since}");
        Socket::open_over(http, &path, &[("Cookie", &self.cookie)])?
            .map_err(|answer| io::Error::other(format!("{answer:?}")))
    }
}

/// Somebody with a connection to each server.
pub struct Visitor<'s> {
    site: &'s Site,
    name: String,
    patience: Duration,
    open: [Option<Http>; 2],
}

/// Why there is no answer.
enum Silence {
    /// The server can't be reached: it has heard nothing.
    Unheard,
    /// Nobody knows what it has heard.
    Lost(io::Error),
}

impl<'s> Visitor<'s> {
    pub fn new(site: &'s Site, name: String, patience: Duration) -> Self {
        Self { site, name, patience, open: [None, None] }
    }

    fn send(
        &mut self,
        host: usize,
        method: &str,
        path: &str,
        kind: (&str, &str),
        body: &str,
    ) -> Result<Answer, Silence> {
        let slot = &mut self.open[usize::from(host == B)];
        let mut http = match slot.take() {
            Some(http) => http,
            None => {
                let patience = CONNECTING.min(self.patience);
                let http = Http::connect_to(Site::address(host), patience).map_err(|_| Silence::Unheard)?;
                http.patience(self.patience);
                http
            }
        };
        let answer = http.send(method, path, &[kind, ("Cookie", &self.site.cookie)], body);
        let answer = answer.map_err(Silence::Lost)?;
        *slot = Some(http);
        Ok(answer)
    }

    /// Makes a match, and gives the path of its table.
    pub fn new_match(&mut self, host: usize, form: &str) -> Option<String> {
        let answer = self.send(host, "POST", "/matches", FORM, form).ok()?;
        (answer.status == 303).then(|| answer.header("location").map(ToOwned::to_owned))?
    }

    /// Sends something beside choices; whether it was done.
    pub fn post(&mut self, host: usize, path: &str, body: &Value) -> bool {
        self.send(host, "POST", path, JSON, &body.to_string()).is_ok_and(|answer| answer.status == 200)
    }

    /// What a server shows of a match, if it does.
    pub fn look(&mut self, host: usize, path: &str) -> Option<Shown> {
        let began = self.site.history.now();
        let answer = self.send(host, "GET", &format!("{path}/debug"), JSON, "").ok()?;
        match answer.status {
            200 => {}
            // It ends no page that the database is away for a moment.
            503 | 408 => return None,
            _ => {
                self.site.history.note_odd(format!("{path}/debug: {answer:?}"));
                return None;
            }
        }
        let shown = read(&answer.json()).unwrap_or_else(|| panic!("{path}/debug: {answer:?}"));
        self.site.history.page(id_of(path), &self.name, host, began, &shown);
        Some(shown)
    }

    /// Sends a choice once. `None` if the server could not be reached, so that nothing was sent.
    pub fn choose(
        &mut self,
        host: usize,
        path: &str,
        before: u64,
        choice: &str,
        key: &str,
    ) -> Option<Outcome> {
        let body = json!({ "revision": before, "choice": choice, "request": key }).to_string();
        let began = self.site.history.now();
        let outcome = match self.send(host, "POST", &format!("{path}/choose"), JSON, &body) {
            Ok(answer) => self.outcome(path, &answer),
            Err(Silence::Unheard) => return None,
            Err(Silence::Lost(why)) => Outcome::Unknown(why.to_string()),
        };
        self.site.history.choice(id_of(path), key, before, host, began, &outcome);
        Some(outcome)
    }

    fn outcome(&self, path: &str, answer: &Answer) -> Outcome {
        let said = || format!("{} {}", answer.status, answer.body);
        match answer.status {
            200 => Outcome::Made(answer.json()["revision"].as_u64().expect("a revision")),
            // The server says so itself.
            503 if answer.body.contains("nobody knows") => Outcome::Unknown(said()),
            408 => Outcome::Unknown(said()),
            409 | 422 | 429 | 503 => Outcome::Refused(said()),
            _ => {
                self.site.history.note_odd(format!("{path}/choose: {answer:?}"));
                Outcome::Unknown(said())
            }
        }
    }
}

/// What the data of the debug drawer say.
fn read(debug: &Value) -> Option<Shown> {
    let text = |value: &Value| value.as_str().map(ToOwned::to_owned);
    let choices: Option<Vec<String>> = debug["choices"].as_array()?.iter().map(text).collect();
    let log = debug["log"].as_array()?;
    let last = &log[log.len().saturating_sub(LAST_STEPS)..];
    let names: Option<Vec<String>> =
        last.iter().map(|step| Some(step[2].as_str()?.replace(',', ";"))).collect();
    Some(Shown {
        revision: debug["revision"].as_u64()?,
        steps: debug["steps"].as_u64()?,
        digest: text(&debug["digest"])?,
        names: names?,
        choices: choices?,
    })
}
