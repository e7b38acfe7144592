//! A house whose clock is turned by hand, for what takes hours and days, or waits for a moment that a test must not miss.
//!
//! It runs inside the test and is put together as `maproom serve --accounts invited --mail-server …` does; its hooks may go to this
//! machine.

use std::sync::Arc;
use std::time::Duration;

use people::{Cost, Entry, Mailer, Passwords, People};
use post::{Carriers, Reach};
use store::{OrderBooks, Post, SqlitePost, SqliteStore, Store};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use web::{Accounts, Clock, ConnectionLimits, LetterBox, Lobby, Notices, Serving, Title};

use crate::accounts::PASSWORD;
use crate::driver::{Page, Size};
use crate::outside::http::Http;
use crate::outside::smtp::Smtp;

const START: u64 = 1_790_000_000_000;
pub const SECOND: u64 = 1_000;
pub const MINUTE: u64 = 60 * SECOND;
pub const DAY: u64 = 24 * 60 * MINUTE;

/// A house whose clock is turned by hand, with its mail server and a server for hooks.
pub struct House {
    pub url: String,
    pub lobby: Arc<Lobby>,
    doors: Arc<people::House>,
    mail: Smtp,
    pub hooks: Http,
    serving: JoinHandle<()>,
    _folder: TempDir,
}

impl House {
    pub async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Arc::new(SqliteStore::open(folder.path()).expect("a store"));
        let (mail, hooks, clock) = (Smtp::start(), Http::start(), Clock::by_hand(START));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let people: Arc<dyn People> = Arc::<SqliteStore>::clone(&store);
        people.prepare_people().expect("prepared");
        let sends = post::House {
            base: base.clone(),
            mail_server: Some(format!("smtp://{}", mail.server.address)),
            mail_login: None,
            mail_from: "Maproom <post@example.org>".to_owned(),
            contact: None,
            reach: Reach::LoopbackToo,
        };
        let post: Arc<dyn Post> = Arc::new(SqlitePost::open(Arc::clone(&store)).expect("a post"));
        let carriers = Arc::new(Carriers::open(&sends, &*post).expect("carriers"));
        let letters = LetterBox::start(Arc::clone(&carriers), clock.clone()).expect("a thread");
        let mailer: Arc<dyn Mailer> = Arc::new(letters);
        let passwords = Passwords::start(Cost::TRIFLING, 2, || {}).expect("threads");
        let doors = people::House::open(Arc::clone(&people), passwords, mailer, Entry::Invited, &base);
        let accounts = Accounts::new(doors.expect("a house"), clock.clone());
        let doors = Arc::clone(accounts.house());
        let shared: Arc<dyn Store> = Arc::<SqliteStore>::clone(&store);
        let books: Arc<dyn OrderBooks> = Arc::<SqliteStore>::clone(&store);
        let titles: Vec<Arc<dyn Title>> = vec![
            Arc::new(web::Of::<boards::BlitzBoard>::new()),
            Arc::new(web::Of::<boards::TriumphBoard>::new()),
        ];
        let lobby = Lobby::open_at(shared, titles, clock.clone()).expect("a lobby");
        let lobby = lobby.with_orders(books).expect("orders").with_people(Arc::clone(&people));
        let lobby = Arc::new(lobby.with_contests(store).expect("contests"));
        let accounts = accounts.with_notices(Notices::new(&lobby, people, post, carriers, clock));
        let serving = Serving {
            listener,
            local_only: true,
            address: None,
            proxies: Vec::new(),
            limits: ConnectionLimits::of_this_machine(),
            accounts: Some(Arc::new(accounts)),
        };
        let serving = web::serve(Arc::clone(&lobby), serving, std::future::pending());
        let serving = tokio::spawn(async move { serving.await.expect("it serves") });
        Self { url: format!("{base}/"), lobby, doors, mail, hooks, serving, _folder: folder }
    }

    pub fn at(&self, path: &str) -> String {
        format!("{}{}", self.url, path.trim_start_matches('/'))
    }

    /// Somebody joins by a one-time link.
    pub async fn join(&self, size: Size, name: &str) -> Page {
        let invitation = self.doors.invite(DAY, self.lobby.now()).expect("an invitation");
        let page = Page::open_at(size, &self.at(&format!("/join/{}", invitation.reveal()))).await;
        page.fill("#name", name).await;
        page.fill("#password", PASSWORD).await;
        page.click(".go").await;
        page.wait_text("main.turns", "No matches yet").await;
        page
    }

    /// Lets time pass little by little until a page is as it should be.
    pub async fn pass_until(&self, page: &Page, expression: &str, description: &str) {
        for _ in 0..600 {
            if page.eval(expression).await == true {
                return;
            }
            self.lobby.pass(10 * SECOND);
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        panic!("time passes in vain: no {description}");
    }

    /// The next mail with these words.
    pub async fn letter(&self, words: &str) -> String {
        let mails = || {
            let mails = self.mail.take().into_iter();
            mails.map(|mail| mail.text.replace("=\n", "")).collect::<Vec<_>>()
        };
        self.found(words, mails).await
    }

    /// The next request to the hook with these words.
    pub async fn hook(&self, words: &str) -> String {
        let bodies = || {
            let requests = self.hooks.take().into_iter();
            requests.map(|request| String::from_utf8_lossy(&request.body).into_owned()).collect::<Vec<_>>()
        };
        self.found(words, bodies).await
    }

    /// Waits for a message with these words. Now and then time passes, so that what was not accepted at once is sent again.
    async fn found(&self, words: &str, mut come: impl FnMut() -> Vec<String>) -> String {
        for round in 1..6_000 {
            if let Some(text) = come().into_iter().find(|text| text.contains(words)) {
                return text;
            }
            if round % 500 == 0 {
                self.lobby.pass(15 * SECOND);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("waited in vain for {words:?}");
    }
}

impl Drop for House {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// The first link in a text.
pub fn link_in<'t>(text: &'t str, house: &House) -> &'t str {
    text.split_whitespace().find(|word| word.starts_with(&house.url)).expect("a link")
}
