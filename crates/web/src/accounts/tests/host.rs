//! The server and the browsers of these tests.

use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use people::{Cost, Entry, House, Mailer, NoMail, Outbox, Passwords};
use post::Carriers;
use store::{Ledger, MemoryStore, People, Post, SqlitePost, SqliteStore, Store};
use testkit::auction::Auction;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};

use crate::accounts::Accounts;
use crate::clock::Clock;
use crate::connections::ConnectionLimits;
use crate::lobby::tests::cards::Cards;
use crate::lobby::{Contests, Lobby, NewMatch};
use crate::notices::{LetterBox, Notices};
use crate::server::{Serving, serve};
use crate::title::{Of, Title};

pub const HOUR: u64 = 3_600_000;
pub const DAY: u64 = 24 * HOUR;
pub const START: u64 = 1_790_000_000_000;
pub const GOOD: &str = "correct horse battery";
pub const OTHER: &str = "another fine sentence";

/// A server with accounts.
pub struct Host {
    pub lobby: Arc<Lobby>,
    pub accounts: Arc<Accounts>,
    pub clock: Clock,
    pub outbox: Arc<Outbox>,
    address: SocketAddr,
    serving: tokio::task::JoinHandle<()>,
}

/// How a server sends notices.
type Posting = (Arc<dyn Post>, Arc<Carriers>);

/// A store for a server.
pub trait Kept: Store + People + Contests + 'static {}

impl<T: Store + People + Contests + 'static> Kept for T {}

impl Host {
    /// A server over a store in memory.
    pub async fn start(entry: Entry) -> Self {
        Self::over(Arc::new(MemoryStore::default()), entry, &["127.0.0.1"]).await
    }

    /// A server over a store, behind proxies at these addresses.
    pub async fn over<S: Kept>(store: Arc<S>, entry: Entry, proxies: &[&str]) -> Self {
        Self::open(store, entry, proxies, Clock::by_hand(START), None).await
    }

    /// A server that sends notices and letters, over a store that may have been another one's.
    pub async fn posting(store: Arc<SqliteStore>, clock: Clock, house: &post::House) -> Self {
        let post: Arc<dyn Post> = Arc::new(SqlitePost::open(Arc::clone(&store)).expect("opens"));
        let carriers = Arc::new(Carriers::open(house, &*post).expect("opens"));
        Self::open(store, Entry::Open, &["127.0.0.1"], clock, Some((post, carriers))).await
    }

    /// Ends the server from one moment to the next: what it had in memory is gone.
    pub async fn kill(self) {
        self.serving.abort();
        drop(self.serving.await);
    }

    async fn open<S: Kept>(
        store: Arc<S>,
        entry: Entry,
        proxies: &[&str],
        clock: Clock,
        posting: Option<Posting>,
    ) -> Self {
        let outbox = Arc::<Outbox>::default();
        let passwords = Passwords::start(Cost::TRIFLING, 2, || {}).expect("threads");
        let people: Arc<dyn People> = Arc::<S>::clone(&store);
        let mailer: Arc<dyn Mailer> = match &posting {
            Some((_, carriers)) if carriers.mailer().is_some() => {
                Arc::new(LetterBox::start(Arc::clone(carriers), clock.clone()).expect("a thread"))
            }
            Some(_) => Arc::new(NoMail),
            None => Arc::<Outbox>::clone(&outbox),
        };
        let house =
            House::open(Arc::clone(&people), passwords, mailer, entry, "https://war.example").expect("opens");
        let mut accounts = Accounts::new(house, clock.clone());
        let titles: Vec<Arc<dyn Title>> =
            vec![Arc::new(Of::<Cards>::new()), Arc::new(Of::<crate::PlainBoard<Auction>>::new())];
        let contests: Arc<dyn Contests> = Arc::<S>::clone(&store);
        let lobby = Lobby::open_at(store, titles, clock.clone()).expect("opens").with_pace(Duration::ZERO);
        let lobby = lobby.with_people(Arc::clone(&people)).with_contests(contests).expect("prepared");
        let ledger: Arc<dyn Ledger> = Arc::new(MemoryStore::new());
        let lobby = Arc::new(lobby.with_laboratory(move || {
            let build = lab::Build { build: "1".to_owned(), process: "test".to_owned() };
            Ok(lab::Site::with_ledger(Arc::clone(&ledger), build, true))
        }));
        if let Some((post, carriers)) = posting {
            accounts = accounts.with_notices(Notices::new(&lobby, people, post, carriers, clock.clone()));
        }
        let accounts = Arc::new(accounts);
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let address = listener.local_addr().expect("an address");
        // A window that only looks need not answer at once.
        let ping_time = Duration::from_millis(if accounts.notices().is_some() { 600_000 } else { 200 });
        let serving = Serving {
            listener,
            local_only: false,
            address: Some("https://war.example".to_owned()),
            proxies: proxies.iter().map(|proxy| proxy.parse::<IpAddr>().expect("an address")).collect(),
            limits: ConnectionLimits { ping_time, ..ConnectionLimits::of_this_machine() },
            accounts: Some(Arc::clone(&accounts)),
        };
        let serving = serve(Arc::clone(&lobby), serving, std::future::pending());
        let serving = tokio::spawn(async move { serving.await.expect("it serves") });
        Self { lobby, accounts, clock, outbox, address, serving }
    }

    /// The path of the link in the only letter.
    pub fn letter(&self) -> String {
        self.outbox.link("https://war.example").1
    }

    /// A browser at an address of its own.
    pub fn browser(&self, host: u8) -> Browser<'_> {
        Browser { host: self, from: format!("198.51.{host}.7"), cookie: Mutex::default() }
    }

    /// Somebody who has just joined.
    pub async fn member(&self, name: &str, host: u8) -> Browser<'_> {
        let browser = self.browser(host);
        let joined = browser.post("/join", &[("name", name), ("password", GOOD)]).await;
        assert_eq!(joined.status, 303, "{}", joined.text);
        browser
    }

    /// A match of the toy for two: its id, and the path of a seat.
    pub async fn a_match(&self, order: &NewMatch, seat: u8) -> (String, String) {
        let (id, _) = self.lobby.create(order).await.expect("made");
        let found = self.lobby.find(&id).await.expect("there");
        let token = found.keys.seat(kernel::Seat(seat)).expect("a link").to_owned();
        let path = format!("/m/{id}/{token}");
        (id, path)
    }

    /// The account of a name.
    pub fn account(&self, name: &str) -> store::AccountId {
        let found = self.accounts.house().people().account_named(&people::name_key(name));
        found.expect("readable").expect("there").id
    }

    /// A match of two members, who keep its seats: its id, and the path by which anybody watches.
    pub async fn for_two(&self, red: &Browser<'_>, blue: &Browser<'_>, order: &NewMatch) -> (String, String) {
        let (id, first) = self.a_match(order, 0).await;
        let found = self.lobby.find(&id).await.expect("there");
        let second = format!("/m/{id}/{}", found.keys.seat(kernel::Seat(1)).expect("a link"));
        let watch = format!("/m/{id}/{}", found.keys.viewer());
        assert_eq!(red.post(&format!("{first}/keep"), &[]).await.status, 303);
        assert_eq!(blue.post(&format!("{second}/keep"), &[]).await.status, 303);
        (id, watch)
    }

    /// Sends bytes as they are over a connection that stays open.
    pub async fn connect(&self, request: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("it listens");
        stream.write_all(request.as_bytes()).await.expect("it listens");
        stream
    }

    /// Sends bytes as they are and returns the answer.
    pub async fn send(&self, request: &str) -> Answer {
        let mut stream = self.connect(request).await;
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).await.expect("an answer");
        let all = String::from_utf8_lossy(&bytes).into_owned();
        let (head, text) = all.split_once("\r\n\r\n").expect("headers");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head: head.to_owned(), text: text.to_owned() }
    }
}

/// What the server said.
pub struct Answer {
    pub status: u16,
    head: String,
    pub text: String,
}

impl Answer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// Where it leads.
    pub fn location(&self) -> &str {
        self.header("location").unwrap_or_default()
    }
}

/// A browser with its one cookie.
pub struct Browser<'a> {
    host: &'a Host,
    from: String,
    pub cookie: Mutex<String>,
}

impl Browser<'_> {
    /// Goes on from another address.
    pub fn move_to(&mut self, host: u8) {
        self.from = format!("198.51.{host}.7");
    }

    /// The cookie that it sends.
    pub fn cookie(&self) -> String {
        self.cookie.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Makes it send another cookie.
    pub fn set_cookie(&self, cookie: &str) {
        cookie.clone_into(&mut self.cookie.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Sends a request with further headers, and keeps the cookie that comes back.
    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nHost: war.example\r\nConnection: close\r\nAccept: text/html\r\n\
             User-Agent: Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0\r\nX-Forwarded-For: {}\r\n\
             Content-Length: {}\r\n",
            self.from,
            body.len()
        );
        let cookie = self.cookie();
        if !cookie.is_empty() {
            let _ = write!(request, "Cookie: {cookie}\r\n");
        }
        for (name, value) in headers {
            let _ = write!(request, "{name}: {value}\r\n");
        }
        let answer = self.host.send(&format!("{request}\r\n{body}")).await;
        if let Some(set) = answer.header("set-cookie").and_then(|set| set.split(';').next()) {
            self.set_cookie(if set.ends_with('=') { "" } else { set });
        }
        answer
    }

    /// Fetches a page.
    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[("Sec-Fetch-Site", "same-origin")], "").await
    }

    /// Sends a form.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let plain = |text: &str| text.replace('@', "%40").replace(' ', "+");
        let body: Vec<String> = fields.iter().map(|(key, value)| format!("{key}={}", plain(value))).collect();
        let kind = ("Content-Type", "application/x-www-form-urlencoded");
        let headers = [kind, ("Origin", "https://war.example"), ("Sec-Fetch-Site", "same-origin")];
        self.send("POST", path, &headers, &body.join("&")).await
    }

    /// Sends JSON.
    pub async fn json(&self, path: &str, body: &serde_json::Value) -> Answer {
        let headers = [("Content-Type", "application/json"), ("Origin", "https://war.example")];
        self.send("POST", path, &headers, &body.to_string()).await
    }

    /// Says something at a table, and returns the status.
    pub async fn say(&self, table: &str, text: &str) -> u16 {
        self.json(&format!("{table}/talk"), &serde_json::json!({ "text": text })).await.status
    }

    /// What somebody reads at a table.
    pub async fn hear(&self, table: &str) -> String {
        let answer = self.get(&format!("{table}/talk")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text
    }

    /// Makes a choice.
    pub async fn choose(&self, table: &str, revision: u32, choice: &str) -> Answer {
        let body = format!("{{\"revision\":{revision},\"choice\":\"{choice}\"}}");
        let headers = [("Content-Type", "application/json"), ("Origin", "https://war.example")];
        self.send("POST", &format!("{table}/choose"), &headers, &body).await
    }

    /// Whether somebody is signed in, and what their account page says.
    pub async fn account(&self) -> Option<String> {
        let page = self.get("/account").await;
        (page.status == 200).then_some(page.text)
    }
}
