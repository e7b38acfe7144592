//! Five hundred kills at every point of the postman's work.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex};

use post::{Carrier, Carriers, Desk, Parcel, Postman, Refusal};
use store::conformance::{PostBetween, PostVia, sample};
use store::{
    AccountId, ChannelKind, MemoryPost, NoticeKey, NoticeKind, NoticeState, Post, PostCounts, QueuedNotice,
    SqlitePost, SqliteStore, Store, StoreError,
};

use crate::http::Http;
use crate::smtp::Smtp;
use crate::{FakeClock, FakeDesk, SECOND, add, channel, house, key, lock};

const KILLS: usize = 500;
const ACCOUNTS: u64 = 6;
/// The first ones have mail beside their hook.
const WITH_MAIL: u64 = 2;

/// What a kill unwinds with.
struct Killed;

/// Kills whoever comes by when its time has come: before a call or after it.
#[derive(Default)]
struct Reaper {
    /// Calls until the next kill; none without a number.
    left: Mutex<Option<u64>>,
    kills: Mutex<BTreeMap<(&'static str, &'static str), usize>>,
    /// The message that was taken and is not noted yet.
    taken: Mutex<Option<String>>,
    /// The messages that were on their way when a kill came between, each as often as that happened.
    at_risk: Mutex<BTreeMap<String, usize>>,
}

impl Reaper {
    fn pass(&self, call: &'static str, when: &'static str) {
        let mut left = lock(&self.left);
        match &mut *left {
            Some(0) => {
                *left = None;
                *lock(&self.kills).entry((call, when)).or_default() += 1;
                if let Some(id) = lock(&self.taken).take() {
                    *lock(&self.at_risk).entry(id).or_default() += 1;
                }
                drop(left);
                resume_unwind(Box::new(Killed));
            }
            Some(left) => *left -= 1,
            None => {}
        }
    }

    fn around<T>(&self, name: &'static str, call: impl FnOnce() -> T) -> T {
        self.pass(name, "before");
        let result = call();
        if name == "settle" {
            *lock(&self.taken) = None;
        }
        self.pass(name, "after");
        result
    }
}

/// A store in whose way the reaper stands.
struct Mortal {
    post: Arc<dyn Post>,
    reaper: Arc<Reaper>,
}

impl PostBetween for Mortal {
    fn with<T>(
        &self,
        name: &'static str,
        call: impl FnOnce(&dyn Post) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.reaper.around(name, || call(&*self.post))
    }
}

/// The carriers, in whose way the reaper stands too.
struct MortalCarrier {
    carriers: Carriers,
    reaper: Arc<Reaper>,
}

impl Carrier for MortalCarrier {
    fn carry(&self, parcel: Parcel<'_>) -> Result<(), Refusal> {
        self.reaper.pass("carry", "before");
        let result = self.carriers.carry(parcel);
        *lock(&self.reaper.taken) = result.is_ok().then(|| parcel.id.to_owned());
        self.reaper.pass("carry", if result.is_ok() { "after" } else { "refused" });
        result
    }
}

/// Numbers that are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// A house that is killed again and again.
struct Doomed {
    post: Arc<dyn Post>,
    reaper: Arc<Reaper>,
    desk: Arc<FakeDesk>,
    clock: FakeClock,
    mail: Smtp,
    web: Http,
    numbers: Numbers,
    queued: BTreeSet<NoticeKey>,
    matches: u64,
}

impl Doomed {
    fn new(post: Arc<dyn Post>) -> Doomed {
        let reaper = Arc::new(Reaper::default());
        let (mail, web) = (Smtp::start(), Http::start());
        for account in 1..=ACCOUNTS {
            if account <= WITH_MAIL {
                add(&*post, &channel(account, ChannelKind::Mail, &format!("player{account}@example.net")));
            }
            add(&*post, &channel(account, ChannelKind::Json, &web.url(&format!("/{account}"))));
        }
        let (desk, clock) = (Arc::new(FakeDesk::default()), FakeClock::new());
        let (numbers, queued) = (Numbers(7), BTreeSet::new());
        Doomed { post, reaper, desk, clock, mail, web, numbers, queued, matches: 0 }
    }

    /// A new process: nothing of the one before is left but the store.
    fn postman(&self) -> Postman {
        let house = house(Some(self.mail.server.address));
        let carriers = Carriers::open(&house, &*self.post).unwrap();
        let reaper = Arc::clone(&self.reaper);
        Postman {
            post: Arc::new(PostVia(Mortal { post: Arc::clone(&self.post), reaper: Arc::clone(&reaper) })),
            desk: Arc::clone(&self.desk) as Arc<dyn Desk>,
            clock: self.clock.clock(),
            base: house.base,
            secret: carriers.secret().to_owned(),
            carrier: Arc::new(MortalCarrier { carriers, reaper }),
        }
    }

    /// Something happens: notices come, some become moot, servers have their moods.
    fn live(&mut self) {
        for _ in 0..self.numbers.below(3) {
            self.matches += 1;
            let kind = [NoticeKind::Turn, NoticeKind::Chat][self.numbers.below(2) as usize];
            let key = key(1 + self.numbers.below(ACCOUNTS), &match_id(self.matches), kind);
            self.post.queue(&[(key.clone(), self.clock.now() + 30 * SECOND)]).unwrap();
            if self.numbers.below(5) == 0 {
                lock(&self.desk.passed).insert(key.clone());
            }
            self.queued.insert(key);
        }
        // Of what is under way something may pass before it is sent.
        let under_way: Vec<NoticeKey> = (1..=ACCOUNTS)
            .flat_map(|account| self.post.notices(AccountId(account)).unwrap())
            .filter_map(addressed)
            .collect();
        if !under_way.is_empty() && self.numbers.below(2) == 0 {
            let which = self.numbers.below(under_way.len() as u64) as usize;
            lock(&self.desk.passed).insert(under_way[which].clone());
        }
        match self.numbers.below(32) {
            0..=3 if self.web.says_yes() => self.web.answer(&["500 Not now"]),
            4 if self.mail.says_yes() => self.mail.refuse(&["451 later"]),
            _ => {}
        }
        self.clock.turn(self.numbers.below(70) * SECOND);
    }

    /// Works until the next kill, or until nothing is due.
    fn work(&self) -> bool {
        let postman = self.postman();
        let work = || while postman.round().unwrap() {};
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(()) => false,
            Err(why) if why.is::<Killed>() => true,
            Err(why) => resume_unwind(why),
        }
    }

    fn kills(&self) -> usize {
        lock(&self.reaper.kills).values().sum()
    }
}

/// The key of a notice that channels have but have not sent.
fn addressed(notice: QueuedNotice) -> Option<NoticeKey> {
    (notice.state == NoticeState::Addressed).then_some(notice.key)
}

fn match_id(number: u64) -> String {
    format!("match{number:05}")
}

/// The names of the matches that a text speaks of.
fn spoken_of(text: &str) -> BTreeSet<String> {
    text.match_indices("War match").map(|(at, _)| text[at + 4..at + 14].to_owned()).collect()
}

/// All messages by channel and id: how often each came, and what it was about.
type Told = BTreeMap<(String, String), (usize, BTreeSet<String>)>;

fn told(doomed: &Doomed) -> Told {
    let mut told = Told::new();
    let mut add = |to: String, id: String, about: BTreeSet<String>| {
        let one = told.entry((to, id)).or_default();
        one.0 += 1;
        one.1.extend(about);
    };
    for mail in doomed.mail.take() {
        // Quoted-printable breaks long lines.
        let text = mail.text.replace("=\n", "");
        let id = mail.header("Message-ID").replace("@example.org>", "").replace('<', "");
        add(mail.to.clone(), id, spoken_of(&text));
    }
    for request in doomed.web.take().into_iter().filter(|request| request.taken) {
        let id = request.header("Maproom-Delivery").to_owned();
        let text = String::from_utf8(request.body.clone()).unwrap();
        add(request.line.clone(), id, spoken_of(&text));
    }
    told
}

fn killed_five_hundred_times(post: Arc<dyn Post>) {
    let mut doomed = Doomed::new(post);
    while doomed.kills() < KILLS {
        doomed.live();
        if lock(&doomed.reaper.left).is_none() {
            let left = doomed.numbers.below(24);
            *lock(&doomed.reaper.left) = Some(left);
        }
        doomed.work();
    }
    *lock(&doomed.reaper.left) = None;
    for _ in 0..40 {
        doomed.clock.turn(120 * SECOND);
        assert!(!doomed.work());
    }
    assert_eq!(doomed.post.post_counts().unwrap(), PostCounts::default());
    check(&doomed);
}

fn check(doomed: &Doomed) {
    let told = told(doomed);
    let kills = lock(&doomed.reaper.kills).clone();
    // Kills came at every point.
    for call in ["due", "channels", "address", "gather", "claim", "lighten", "carry", "settle"] {
        for when in ["before", "after"] {
            assert!(kills.contains_key(&(call, when)), "no kill {when} {call}: {kills:?}");
        }
    }
    // No notice is stored twice, and all have come to an end.
    let stored: Vec<QueuedNotice> =
        (1..=ACCOUNTS).flat_map(|account| doomed.post.notices(AccountId(account)).unwrap()).collect();
    assert_eq!(stored.len(), doomed.queued.len());
    let (mut sent, mut moot) = (0, 0);
    for QueuedNotice { key, state, .. } in &stored {
        let AccountId(account) = key.account;
        let mail = (account <= WITH_MAIL).then(|| format!("player{account}@example.net"));
        for to in mail.into_iter().chain([format!("POST /{account} HTTP/1.1")]) {
            // By each channel exactly one message speaks of it, or none if it was moot.
            let times = told
                .iter()
                .filter(|((by, _), (_, about))| *by == to && about.contains(&key.match_id))
                .count();
            match state {
                NoticeState::Sent if lock(&doomed.desk.passed).contains(key) => {
                    assert!(times <= 1, "{key:?}");
                }
                NoticeState::Sent => assert_eq!(times, 1, "{key:?} by {to}"),
                NoticeState::Moot => {
                    assert!(lock(&doomed.desk.passed).contains(key), "{key:?} was lost");
                    assert!(times <= 1, "{key:?}");
                }
                _ => panic!("{key:?} is {state:?}"),
            }
        }
        *(if *state == NoticeState::Sent { &mut sent } else { &mut moot }) += 1;
    }
    assert!(sent > 100 && moot > 20, "{sent} sent, {moot} moot");
    // Only a message that a kill met between sending and noting comes again, and once a kill at most.
    let at_risk = lock(&doomed.reaper.at_risk).clone();
    for ((to, id), (times, _)) in &told {
        let could = at_risk.get(id).copied().unwrap_or(0);
        assert!(*times <= 1 + could, "{id} came {times} times to {to}, but {could} kills met it");
    }
    let repeats: usize = told.values().map(|(times, _)| times - 1).sum();
    assert!(repeats > 0 && at_risk.values().sum::<usize>() >= repeats);
    println!("{sent} sent, {moot} moot, {repeats} repeats; {kills:?}");
}

#[test]
fn in_memory() {
    killed_five_hundred_times(Arc::new(MemoryPost::new()));
}

#[test]
fn on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let store = Arc::new(SqliteStore::open(folder.path()).unwrap());
    // More than the test comes to; a store may insist that a notice has its match.
    for number in 1..=800 {
        store.create(&sample(&match_id(number)), &[]).unwrap();
    }
    killed_five_hundred_times(Arc::new(SqlitePost::open(Arc::clone(&store)).unwrap()));
    store.check().unwrap();
}
