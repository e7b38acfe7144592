//! Sending and the postman, against small servers on loopback, with a clock that tests turn.

mod http;
mod kill;
mod rounds;
mod secure;
mod senders;
mod server;
mod smtp;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use post::{Carriers, Clock, Desk, Headline, House, Postman, Reach, Zone};
use store::{
    AccountId, ChannelId, ChannelKind, MatchRecord, NewChannel, NoticeKey, NoticeKind, Post, StoreError,
    Wishes,
};

use server::{Server, lock};

const SECOND: u64 = 1000;
const HOUR: u64 = 3600 * SECOND;

/// The time at which tests begin: a Monday at 14:13:20, universal time.
const START: u64 = 1_790_000_000_000;

/// A clock that stands still until it is turned.
#[derive(Clone)]
struct FakeClock(Arc<AtomicU64>);

impl FakeClock {
    fn new() -> FakeClock {
        FakeClock(Arc::new(AtomicU64::new(START)))
    }

    fn now(&self) -> u64 {
        self.0.load(Ordering::SeqCst)
    }

    fn turn(&self, by: u64) {
        self.0.fetch_add(by, Ordering::SeqCst);
    }

    fn clock(&self) -> Clock {
        let time = Arc::clone(&self.0);
        Arc::new(move || time.load(Ordering::SeqCst))
    }
}

/// A desk that knows every match, unless it has passed or makes trouble.
#[derive(Default)]
struct FakeDesk {
    passed: Mutex<BTreeSet<NoticeKey>>,
    looking: Mutex<BTreeSet<AccountId>>,
    until: Mutex<Option<u64>>,
    broken: Mutex<BTreeSet<String>>,
    unreadable: Mutex<BTreeSet<String>>,
}

impl Desk for FakeDesk {
    fn headline(&self, key: &NoticeKey) -> Result<Option<Headline>, StoreError> {
        if lock(&self.passed).contains(key) {
            return Ok(None);
        }
        assert!(!lock(&self.broken).contains(&key.match_id), "a bug in one game");
        if lock(&self.unreadable).contains(&key.match_id) {
            return Err(StoreError::Other("can't be read".into()));
        }
        let record = MatchRecord {
            id: key.match_id.clone(),
            name: format!("War {}", key.match_id),
            header: "hidden".into(),
            viewer_token: "hidden".into(),
            ..MatchRecord::default()
        };
        let headline = Headline::of_match(&record, "Echoes of War");
        Ok(Some(lock(&self.until).map_or(headline.clone(), |until| headline.until(until))))
    }

    fn is_looking(&self, key: &NoticeKey) -> bool {
        lock(&self.looking).contains(&key.account)
    }

    fn zone(&self, _: AccountId) -> Zone {
        Zone::named("Europe/Berlin")
    }
}

/// The settings of a house whose mail server is on loopback.
fn house(mail: Option<SocketAddr>) -> House {
    House {
        base: "https://maproom.example".into(),
        mail_server: mail.map(|address| format!("smtp://{address}")),
        mail_login: None,
        mail_from: "Maproom <post@example.org>".into(),
        contact: Some("mailto:post@example.org".into()),
        reach: Reach::LoopbackToo,
    }
}

fn postman(post: &Arc<dyn Post>, desk: &Arc<FakeDesk>, clock: &FakeClock, house: &House) -> Postman {
    let carriers = Arc::new(Carriers::open(house, &**post).unwrap());
    Postman::new(Arc::clone(post), Arc::clone(desk) as Arc<dyn Desk>, carriers, clock.clock())
}

fn channel(account: u64, kind: ChannelKind, address: &str) -> NewChannel {
    let kinds = NoticeKind::ALL.iter().copied().collect();
    NewChannel {
        account: AccountId(account),
        kind,
        address: address.into(),
        secret: "a key of the hook".into(),
        wishes: Wishes { kinds, quiet: None, digest: None },
    }
}

fn add(post: &dyn Post, channel: &NewChannel) -> ChannelId {
    post.add_channel(channel).unwrap().unwrap()
}

fn key(account: u64, match_id: &str, kind: NoticeKind) -> NoticeKey {
    NoticeKey { account: AccountId(account), match_id: match_id.into(), seat: 0, stint: 1, kind }
}

/// Rounds until there is nothing to do.
fn work(postman: &Postman) {
    for _ in 0..1000 {
        if !postman.round().unwrap() {
            return;
        }
    }
    panic!("the postman finds no end");
}
