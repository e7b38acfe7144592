//! A house, its mail server, a server for hooks, and two who play.

use std::sync::Arc;
use std::time::Duration;

use post::Reach;
use store::{AccountId, NoticeKind, NoticeState, Post, SqlitePost, SqliteStore};
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::http::{self, Http};
use super::smtp::{self, Smtp};
use crate::accounts::tests::host::{Browser, GOOD, Host, START};
use crate::clock::Clock;
use crate::lobby::NewMatch;
use crate::lobby::tests::sitting_down::all_sit;
use crate::lobby::tests::{PATIENCE, open_cards};

pub const MINUTE: u64 = 60_000;
pub const HOUR: u64 = 60 * MINUTE;

/// The first two accounts of a house.
pub const ANN: AccountId = AccountId(1);
pub const BOB: AccountId = AccountId(2);

/// What is there beside the house, and outlives it.
pub struct Town {
    pub mail: Smtp,
    pub web: Http,
    pub store: Arc<SqliteStore>,
    pub post: SqlitePost,
    pub clock: Clock,
    _folder: TempDir,
}

impl Town {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(SqliteStore::open(folder.path()).expect("opens"));
        let post = SqlitePost::open(Arc::clone(&store)).expect("opens");
        let clock = Clock::by_hand(START);
        Self { mail: Smtp::start(), web: Http::start(), store, post, clock, _folder: folder }
    }

    pub fn house(&self) -> post::House {
        post::House {
            base: "https://war.example".to_owned(),
            mail_server: Some(format!("smtp://{}", self.mail.server.address)),
            mail_login: None,
            mail_from: "Maproom <post@war.example>".to_owned(),
            contact: Some("mailto:post@example.org".to_owned()),
            reach: Reach::LoopbackToo,
        }
    }

    /// Starts the house; whatever ran before it has been killed.
    pub async fn open(&self) -> Host {
        Host::posting(Arc::clone(&self.store), self.clock.clone(), &self.house()).await
    }

    /// The next mails, at least so many.
    pub async fn mails(&self, at_least: usize) -> Vec<smtp::Received> {
        let mut all = Vec::new();
        wait("mail", || {
            all.extend(self.mail.take());
            all.len() >= at_least
        })
        .await;
        all
    }

    /// The only mail.
    pub async fn one_mail(&self) -> smtp::Received {
        let mut mails = self.mails(1).await;
        assert_eq!(mails.len(), 1, "{mails:?}");
        mails.remove(0)
    }

    /// The next mail, which comes when so much time has passed since the house took note that the last try failed. When that is
    /// nobody outside can see, so the clock is turned again and again.
    pub async fn mail_after(&self, pause: u64) -> smtp::Received {
        const LOOKS: u64 = 400;
        let (mut looks, mut found) = (0_u64, None);
        wait("mail that is tried again", || {
            if looks.is_multiple_of(LOOKS) {
                self.clock.turn(pause);
            }
            looks += 1;
            found = self.mail.take().pop();
            found.is_some()
        })
        .await;
        found.expect("waited for")
    }

    /// Waits until the house has noted that sending a notice failed so often. The other side knows of a try before that.
    pub async fn failed(&self, account: AccountId, kind: NoticeKind, tries: u32) {
        wait("a try that failed", || {
            let notices = self.post.notices(account).expect("answers");
            notices.iter().any(|notice| notice.key.kind == kind && notice.tries >= tries)
        })
        .await;
    }

    /// The next requests to hooks, at least so many.
    pub async fn hooks(&self, at_least: usize) -> Vec<http::Received> {
        let mut all = Vec::new();
        wait("a hook", || {
            all.extend(self.web.take());
            all.len() >= at_least
        })
        .await;
        all
    }

    /// The states of the notices of a kind to an account, in the order of their stints.
    pub fn states(&self, account: AccountId, kind: NoticeKind) -> Vec<NoticeState> {
        let notices = self.post.notices(account).expect("answers");
        notices.iter().filter(|notice| notice.key.kind == kind).map(|notice| notice.state).collect()
    }

    /// Waits until nothing that is due is left to do, and says how the notices of a kind to an account stand.
    pub async fn settled(&self, account: AccountId, kind: NoticeKind) -> Vec<NoticeState> {
        wait("the postman to be done", || {
            let now = self.clock.now();
            let due = self.post.due(now, 1).expect("answers");
            let counts = self.post.post_counts().expect("answers");
            due.is_empty() && counts.letters == 0
        })
        .await;
        self.states(account, kind)
    }
}

/// Waits until something is so.
pub async fn wait(what: &str, mut so: impl FnMut() -> bool) {
    for _ in 0..PATIENCE {
        if so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("waited in vain for {what}");
}

/// Joins, and confirms a mail address by the letter that comes there.
pub async fn member<'h>(town: &Town, host: &'h Host, name: &str, network: u8) -> Browser<'h> {
    let browser = host.member(name, network).await;
    let address = format!("{}@home.example", name.to_lowercase());
    let asked = browser.post("/account/mail", &[("mail", &address), ("password", GOOD)]).await;
    assert_eq!(asked.status, 303, "{}", asked.text);
    let letter = town.one_mail().await;
    assert_eq!(
        (letter.to.as_str(), letter.header("Subject")),
        (address.as_str(), "Confirm your address for Maproom".to_owned())
    );
    browser.post(&path_in(&letter.text), &[]).await;
    browser
}

/// The path of the first link in a text.
pub fn path_in(text: &str) -> String {
    let plain = text.replace("=\n", "");
    let rest = plain.split_once("https://war.example").unwrap_or_else(|| panic!("a link: {plain}")).1;
    rest.split_whitespace().next().expect("a path").to_owned()
}

/// Adds a channel and returns its number.
pub async fn add(town: &Town, browser: &Browser<'_>, account: AccountId, fields: &[(&str, &str)]) -> u64 {
    let added = browser.post("/account/notices", fields).await;
    assert_eq!((added.status, added.location()), (303, "/account/notices?done=add"), "{}", added.text);
    town.post.channels(account).expect("answers").last().expect("a channel").id.0
}

/// A match of two friends in which Bob has the first move and Ann the second, both with accounts; its path.
pub async fn between(host: &Host, ann: &Browser<'_>, bob: &Browser<'_>, clock: &str) -> (String, String) {
    let order = NewMatch {
        name: "Winter+war".replace('+', " "),
        clock: clock.to_owned(),
        ..open_cards(&["friend", "friend"])
    };
    let (id, link) = host.a_match(&order, 0).await;
    assert_eq!(bob.post(&format!("{link}/keep"), &[]).await.status, 303);
    let found = host.lobby.find(&id).await.expect("there");
    let link = format!("/m/{id}/{}", found.keys.seat(kernel::Seat(1)).expect("a link"));
    assert_eq!(ann.post(&format!("{link}/keep"), &[]).await.status, 303);
    all_sit(&host.lobby, &host.lobby.find(&id).await.expect("there")).await;
    let mine = format!("/m/{id}/mine");
    (id, mine)
}

/// Makes both bids of a turn.
pub async fn bid(host: &Host, browser: &Browser<'_>, id: &str) {
    let revision = host.lobby.find(id).await.expect("there").lock().await.revision;
    let answer = browser.choose(&format!("/m/{id}/mine"), revision, "bid 1 > bid 1").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// Does something beside choosing.
pub async fn deed(host: &Host, browser: &Browser<'_>, id: &str, deed: &str) {
    let revision = host.lobby.find(id).await.expect("there").lock().await.revision;
    let body = format!("{{\"revision\":{revision},{deed}}}");
    let headers = [("Content-Type", "application/json"), ("Origin", "https://war.example")];
    let answer = browser.send("POST", &format!("/m/{id}/mine/deed"), &headers, &body).await;
    assert!(answer.status < 300, "{}: {}", answer.status, answer.text);
}

/// A page with live updates, which can say whether its window is visible.
pub struct Window(TcpStream);

impl Window {
    pub async fn open(host: &Host, browser: &Browser<'_>, table: &str) -> Self {
        let request = format!(
            "GET {table}/live?since=1 HTTP/1.1\r\nHost: war.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
             Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
             Sec-Fetch-Site: same-origin\r\nX-Forwarded-For: 198.51.9.7\r\nCookie: {}\r\n\r\n",
            browser.cookie()
        );
        let mut stream = host.connect(&request).await;
        // Only when it is answered the house knows who has come; of two that are asked for at once any may be the first.
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("an answer"));
        }
        assert!(head.starts_with(b"HTTP/1.1 101"), "{}", String::from_utf8_lossy(&head));
        Self(stream)
    }

    pub async fn say(&mut self, word: &str) {
        let length = u8::try_from(word.len()).expect("short");
        let frame = [&[0x81, 0x80 | length, 0, 0, 0, 0], word.as_bytes()].concat();
        self.0.write_all(&frame).await.expect("it listens");
    }
}
