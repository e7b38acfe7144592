//! Clocks that run out, and those that do not.

use clocks::{DAY, HOUR, MINUTE, SECOND};
use store::{Effect, EntryKind, OrderBooks, Player, SqliteStore, Store as _, TableEvent};

use super::bot_loop::{choose, take_back};
use super::sitting_down::all_sit;
use super::*;
use crate::live::TableAct;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);
const START: u64 = 1_790_000_000_000;

/// Where a house keeps everything, and finds it again when it is started anew.
pub trait Keeps: Store + OrderBooks + Sized + 'static {
    /// The same as it is there after the house has died.
    fn again(self: &Arc<Self>) -> Arc<Self>;
}

impl Keeps for MemoryStore {
    fn again(self: &Arc<Self>) -> Arc<Self> {
        Arc::clone(self)
    }
}

/// A process that is killed leaves its files as they are in that moment, with what was not yet written back. The folder itself is
/// locked by whatever still runs of the house in this process, so another house finds a copy.
impl Keeps for SqliteStore {
    fn again(self: &Arc<Self>) -> Arc<Self> {
        let folder = self.path().parent().expect("a folder");
        let number: u32 = folder.file_name().and_then(|name| name.to_str()?.parse().ok()).expect("a number");
        let fresh = folder.with_file_name((number + 1).to_string());
        std::fs::create_dir(&fresh).expect("a folder");
        for entry in std::fs::read_dir(folder).expect("files") {
            let file = entry.expect("a file").path();
            let name = file.file_name().expect("a name");
            if name.to_string_lossy().ends_with("-shm") {
                continue;
            }
            std::fs::copy(&file, fresh.join(name)).expect("copied");
        }
        drop(std::fs::remove_dir_all(folder));
        Arc::new(SqliteStore::open(&fresh).expect("what is on the disk"))
    }
}

/// A house whose clock the test turns.
pub struct House<S = MemoryStore> {
    pub store: Arc<S>,
    pub time: Clock,
    pub lobby: Arc<Lobby>,
}

impl House {
    pub fn open() -> Self {
        Self::with(MemoryStore::default())
    }
}

impl<S: Keeps> House<S> {
    pub fn with(store: S) -> Self {
        let (store, time) = (Arc::new(store), Clock::by_hand(START));
        let lobby = Self::lobby(&store, &time);
        Self { store, time, lobby }
    }

    fn lobby(store: &Arc<S>, time: &Clock) -> Arc<Lobby> {
        let titles: Vec<Arc<dyn Title>> = vec![
            Arc::new(Of::<cards::Cards>::new()),
            Arc::new(Of::<crate::PlainBoard<blitz::Blitz>>::new()),
            Arc::new(Of::<crate::PlainBoard<testkit::auction::Auction>>::new()),
        ];
        let kept: Arc<dyn Store> = Arc::<S>::clone(store);
        let books: Arc<dyn OrderBooks> = Arc::<S>::clone(store);
        let lobby = Lobby::open_at(kept, titles, time.clone()).expect("opens");
        let lobby = lobby.with_orders(books).expect("orders can be kept");
        Arc::new(lobby.with_pace(Duration::ZERO))
    }

    pub fn now(&self) -> u64 {
        self.time.now()
    }

    /// The house is awake while time passes, and looks at its clocks at the end. Returns how many flags fell.
    pub async fn pass(&self, span: u64) -> usize {
        self.lobby.pass(span);
        self.lobby.sweep_deadlines().await.expect("swept")
    }

    /// The house dies without a word and is started again after a while.
    pub fn die(&mut self, away: u64) {
        self.time.turn(away);
        self.store = self.store.again();
        self.lobby = Self::lobby(&self.store, &self.time);
    }

    /// A match of two friends with rules about time.
    pub async fn sit_down(&self, clock: &str) -> Arc<LiveMatch> {
        let order = NewMatch { clock: clock.to_owned(), ..cards(&["me", "friend"], "") };
        let (id, _) = self.lobby.create(&order).await.expect("made");
        let found = self.lobby.find(&id).await.expect("there");
        all_sit(&self.lobby, &found).await;
        found
    }

    pub async fn left(&self, found: &LiveMatch, seat: Seat) -> u64 {
        let live = found.lock().await;
        let clock = live.proceedings.clock.as_ref().expect("a clock");
        clock.left(seat.0, self.now(), &live.proceedings.free(&live.outages()))
    }

    fn last(&self, found: &LiveMatch) -> EntryKind {
        self.store.journal(&found.id).expect("answers").pop().expect("an entry").kind
    }
}

fn event(line: &str) -> EntryKind {
    EntryKind::Event(line.parse::<TableEvent>().expect(line))
}

#[tokio::test]
async fn a_new_match_has_its_clock_and_its_deadline() {
    let house = House::open();
    let found = house.sit_down("daily").await;
    let journal = house.store.journal(&found.id).expect("answers");
    let told: Vec<EntryKind> = journal[1..].iter().map(|entry| entry.kind.clone()).collect();
    let lines = ["expect 0,1", "clock daily flag=stand-in:captain", "sit 0", "sit 1"];
    assert_eq!(told, lines.map(event));
    assert_eq!(journal[1].awaits.map(|awaited| awaited.seat), Some(0));
    let due = house.store.deadlines(u64::MAX, 9).expect("answers");
    assert_eq!((due.len(), due[0].seat, due[0].at, due[0].revision), (1, 0, START + 3 * DAY + MINUTE, 5));
    let order = |clock: &str, seats: &[&str]| NewMatch { clock: clock.to_owned(), ..cards(seats, "") };
    for (order, told) in [
        (order("daily", &["me", "bot:greedy"]), "people who play each other"),
        (order("dayly", &["me", "friend"]), "column 1: expected none, sitting"),
        (order("daily flag=stand-in:napoleon", &["me", "friend"]), "does not play here"),
    ] {
        let why = house.lobby.create(&order).await.expect_err(told).to_string();
        assert!(why.contains(told), "{why}");
    }
}

#[tokio::test]
async fn a_bot_stands_in_for_whoever_runs_out_of_time_until_they_come_back() {
    let house = House::open();
    let found = house.sit_down("own bank=10m refill=2m cap=20m flag=stand-in:greedy").await;
    assert_eq!(house.pass(10 * MINUTE).await, 0, "the grace is not over");
    assert_eq!(house.pass(SECOND).await, 0);
    assert_eq!(house.pass(SECOND).await, 1);
    assert_eq!(found.lock().await.bot_at(RED), Some("greedy"));
    until(&found, "the bot has chosen", |live| live.table.steps() == 3).await;
    assert_eq!(house.store.journal(&found.id).expect("answers")[5].kind, event("flag 0 stand-in greedy"));
    // Blue is awaited now, with a time of their own; Red comes back and has one refill.
    assert_eq!(house.left(&found, BLUE).await, 10 * MINUTE);
    let by = Requester { viewer: Viewer::Seat(RED), owns_lobby: false };
    house.lobby.hand_over(&found, by, RED, None).await.expect("back");
    assert_eq!(house.left(&found, RED).await, 2 * MINUTE);
    assert_eq!(house.pass(MINUTE).await, 0);
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    assert_eq!(house.left(&found, BLUE).await, 11 * MINUTE);
    choose(&house.lobby, &found, RED, "bid 1").await;
}

#[tokio::test]
async fn where_the_table_says_so_running_out_of_time_loses() {
    let house = House::open();
    let found = house.sit_down("sitting flag=loss").await;
    assert_eq!(house.pass(45 * MINUTE + 22 * SECOND).await, 1);
    assert_eq!(house.last(&found), event("flag 0 loss"));
    let summary = house.store.find(&found.id).expect("answers").expect("there").summary;
    assert_eq!((summary.result.as_deref(), summary.standings.as_str()), (Some("out-of-time"), "loss,win"));
    assert_eq!(house.store.deadlines(u64::MAX, 9), Ok(Vec::new()));
    assert_eq!(house.pass(DAY).await, 0, "once is enough");
}

#[tokio::test]
async fn where_the_table_says_so_the_other_claims() {
    for (act, last) in [
        (TableAct::ClaimWin, "claim 1 win"),
        (TableAct::Wait, "claim 1 wait"),
        (TableAct::ClaimStandIn, "claim 1 stand-in greedy"),
    ] {
        let house = House::open();
        let found = house.sit_down("own bank=10m refill=2m cap=20m flag=claim:greedy").await;
        assert_eq!(house.pass(11 * MINUTE).await, 1);
        assert_eq!(house.pass(DAY).await, 0, "nobody's time runs while the other thinks about it");
        let revision = found.lock().await.revision;
        let own = house.lobby.change(&found, move |live| live.act(RED, revision, &TableAct::ClaimWin)).await;
        assert!(own.expect_err("their own").to_string().contains("your own time"));
        let does = act.clone();
        house.lobby.change(&found, move |live| live.act(BLUE, revision, &does)).await.expect("claimed");
        assert_eq!(house.store.journal(&found.id).expect("answers")[6].kind, event(last));
        match act {
            TableAct::ClaimWin => assert!(found.lock().await.is_over()),
            TableAct::Wait => assert_eq!(house.left(&found, RED).await, 2 * MINUTE),
            _ => assert_eq!(found.lock().await.bot_at(RED), Some("greedy")),
        }
    }
    // Until then the one whose time ran out may still choose.
    let house = House::open();
    let found = house.sit_down("own bank=10m cap=10m flag=claim:greedy").await;
    assert_eq!(house.pass(11 * MINUTE).await, 1);
    choose(&house.lobby, &found, RED, "bid 1").await;
    let revision = found.lock().await.revision;
    let late = house.lobby.change(&found, move |live| live.act(BLUE, revision, &TableAct::ClaimWin)).await;
    assert!(late.expect_err("too late").to_string().contains("Nobody's time"));
}

#[tokio::test]
async fn a_flag_for_an_earlier_revision_falls_away() {
    let house = House::open();
    let found = house.sit_down("sitting flag=loss").await;
    let revision = found.lock().await.revision;
    choose(&house.lobby, &found, RED, "bid 1").await;
    let stale = house.lobby.commit(&found, move |live| live.flag(0, revision)).await;
    assert!(matches!(stale, Err(LobbyError::Stale { .. })), "{stale:?}");
    assert!(!found.lock().await.is_over());
}

#[tokio::test]
async fn an_outage_is_charged_to_nobody_and_after_it_the_grace_begins_anew() {
    let mut house = House::open();
    let found = house.sit_down("own bank=10m cap=10m flag=loss").await;
    assert_eq!(house.pass(9 * MINUTE).await, 0);
    // Nine minutes are charged; then the house is away for a day, last seen a moment ago.
    house.die(DAY);
    assert_eq!(house.left(&house.lobby.find(&found.id).await.expect("there"), RED).await, MINUTE);
    assert_eq!(house.pass(MINUTE + SECOND).await, 0);
    assert_eq!(house.pass(2 * SECOND).await, 1);
    // A deadline that passed just before the house died has its grace after the start.
    let mut house = House::open();
    let found = house.sit_down("own bank=10m cap=10m flag=loss").await;
    assert_eq!(house.pass(10 * MINUTE + SECOND).await, 0);
    house.die(HOUR);
    assert_eq!(house.pass(SECOND).await, 0, "a choice may be on its way");
    let found = house.lobby.find(&found.id).await.expect("there");
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(house.pass(5 * SECOND).await, 0);
}

#[tokio::test]
async fn a_house_that_sleeps_charges_nobody_either() {
    let house = House::open();
    let found = house.sit_down("own bank=10m cap=10m flag=loss").await;
    assert_eq!(house.pass(MINUTE).await, 0);
    // The lid is closed for a night: nothing rests or dies, there is only no sweep.
    house.time.turn(8 * HOUR);
    assert_eq!(house.lobby.sweep_deadlines().await.expect("swept"), 0);
    assert_eq!(house.left(&found, RED).await, 9 * MINUTE);
}

#[tokio::test]
async fn a_clock_that_is_put_back_harms_nobody() {
    let house = House::open();
    let found = house.sit_down("daily").await;
    assert_eq!(house.pass(DAY).await, 0);
    choose(&house.lobby, &found, RED, "bid 1").await;
    house.time.put(house.now() - 12 * HOUR);
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    assert_eq!(
        (house.left(&found, RED).await, house.left(&found, BLUE).await),
        (2 * DAY + 12 * HOUR, 3 * DAY + 12 * HOUR)
    );
    let times: Vec<u64> =
        house.store.journal(&found.id).expect("answers").iter().map(|entry| entry.at).collect();
    assert!(times.is_sorted(), "{times:?}");
}

#[tokio::test]
async fn a_match_that_is_not_in_memory_is_flagged_as_well() {
    let mut house = House::open();
    let found = house.sit_down("sitting flag=loss").await;
    drop(found);
    assert_eq!(house.pass(SECOND).await, 0);
    house.die(SECOND);
    assert_eq!(house.lobby.live_count(), 0);
    assert_eq!(house.pass(46 * MINUTE).await, 1);
}

#[tokio::test]
async fn without_clocks_there_are_no_notes_and_no_queries() {
    let house = House::open();
    let order = cards(&["me", "friend"], "");
    let (id, _) = house.lobby.create(&order).await.expect("made");
    let found = house.lobby.find(&id).await.expect("there");
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(house.pass(DAY).await, 0);
    assert_eq!(house.store.setting("house_alive"), Ok(None));
    for entry in house.store.journal(&id).expect("answers") {
        assert_eq!(entry.awaits, None);
    }
}

#[tokio::test]
async fn sweeps_are_bounded_and_the_rest_comes_next() {
    let house = House::open();
    let mut all = Vec::new();
    for _ in 0..300 {
        all.push(house.sit_down("sitting flag=loss").await);
    }
    let mut flags = vec![house.pass(46 * MINUTE).await];
    flags.push(house.pass(SECOND).await);
    flags.push(house.pass(SECOND).await);
    assert_eq!(flags, [256, 44, 0]);
}

#[tokio::test]
async fn a_clock_that_cannot_be_read_is_pointed_at() {
    let mut house = House::open();
    let found = house.sit_down("daily").await;
    let revision = found.lock().await.revision;
    let rules = TableEvent::Clock { rules: "daily flag=win".to_owned() };
    let broken = store::Append { match_id: found.id.clone(), ..found.lock().await.happen(rules).append };
    assert_eq!(broken.entry.seq, revision + 1);
    house.store.append(&[broken]).expect("written");
    house.die(SECOND);
    let why = house.lobby.find(&found.id).await.map(|_| ()).expect_err("unreadable").to_string();
    assert!(why.contains("the clock \"daily flag=win\" can't be read: column 7: expected loss"), "{why}");
}

#[tokio::test]
async fn nobodys_time_runs_before_all_have_sat_down() {
    let house = House::open();
    let order = NewMatch { clock: "sitting flag=loss".to_owned(), ..cards(&["me", "friend"], "") };
    let (id, _) = house.lobby.create(&order).await.expect("made");
    let found = house.lobby.find(&id).await.expect("there");
    assert_eq!(house.pass(9 * DAY).await, 0);
    assert!(house.lobby.sit(&found, RED, None).await.expect("sits"));
    assert!(!house.lobby.sit(&found, RED, None).await.expect("sits already"));
    assert_eq!(house.pass(9 * DAY).await, 0);
    assert_eq!(house.left(&found, RED).await, 45 * MINUTE);
    assert!(house.lobby.sit(&found, BLUE, None).await.expect("sits"));
    assert_eq!(house.pass(45 * MINUTE + 22 * SECOND).await, 1);
    assert_eq!(house.last(&found), event("flag 0 loss"));
}

#[tokio::test]
async fn who_takes_a_choice_back_has_thought_on_their_own_time() {
    let house = House::open();
    let found = house.sit_down("sitting").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    assert_eq!(house.pass(10 * MINUTE).await, 0);
    take_back(&house.lobby, &found, RED).await;
    assert_eq!(house.left(&found, RED).await, 35 * MINUTE + 20 * SECOND);
    assert_eq!(house.left(&found, BLUE).await, 45 * MINUTE);
}

#[tokio::test]
async fn a_bot_plays_on_the_time_of_whoever_has_handed_their_seat_over() {
    let house = House::open();
    let found = house.sit_down("sitting").await;
    house.pass(MINUTE).await;
    let handed = TableEvent::Seat { seat: 0, player: Player::Person.handed_to("greedy") };
    let mut live = found.lock().await;
    let pending = live.happen(handed);
    assert_eq!(pending.append.entry.awaits.map(|awaited| awaited.seat), Some(0));
    let deadline = pending.append.effects.iter().find_map(|effect| match effect {
        Effect::Deadline { at, .. } => Some(*at),
        _ => None,
    });
    assert_eq!(
        deadline,
        Some(START + 45 * MINUTE + 20 * SECOND + 2 * SECOND),
        "as if it had not been handed over"
    );
    // Where both are away nobody waits for anybody.
    live.seats[1].player = Player::Person.handed_to("greedy");
    let pending = live.happen(TableEvent::Seat { seat: 0, player: Player::Person.handed_to("random") });
    assert_eq!(pending.append.entry.awaits, None);
}

#[tokio::test]
async fn who_is_left_alone_with_bots_has_no_clock_until_the_other_is_back() {
    let house = House::open();
    let found = house.sit_down("own bank=10m refill=2m cap=20m flag=stand-in:greedy").await;
    assert_eq!(house.pass(10 * MINUTE + 2 * SECOND).await, 1);
    until(&found, "the bot has chosen", |live| live.table.steps() == 3).await;
    assert_eq!(house.store.deadlines(u64::MAX, 9), Ok(Vec::new()));
    assert_eq!(house.pass(9 * DAY).await, 0);
    let by = Requester { viewer: Viewer::Seat(RED), owns_lobby: false };
    house.lobby.hand_over(&found, by, RED, None).await.expect("back");
    assert_eq!(house.left(&found, BLUE).await, 10 * MINUTE);
    assert_eq!(house.pass(10 * MINUTE + 2 * SECOND).await, 1, "now somebody waits");
}
