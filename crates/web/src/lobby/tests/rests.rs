//! Days of rest: clocks stand still in all matches of an account, in those that begin later as well, and nothing is given back.

use clocks::{DAY, HOUR, MINUTE, SECOND};
use store::{
    Account, AccountId, Added, EntryKind, NewAccount, NoticeState, People as _, Rest, Rests as _, Role,
    Store as _, TableEvent,
};

use super::bot_loop::choose;
use super::sitting_down::all_sit;
use super::*;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);
/// 2026-09-21 00:00 UTC, a Monday.
const START: u64 = 1_789_948_800_000;

struct House {
    store: Arc<MemoryStore>,
    time: Clock,
    lobby: Arc<Lobby>,
    ann: Account,
    bob: Account,
}

fn opened(store: &Arc<MemoryStore>, time: &Clock) -> Arc<Lobby> {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let lobby = Lobby::open_at(Arc::<MemoryStore>::clone(store), titles, time.clone()).expect("opens");
    Arc::new(lobby.with_people(Arc::<MemoryStore>::clone(store)).with_pace(Duration::ZERO))
}

fn account(store: &MemoryStore, name: &str) -> Account {
    let new = NewAccount {
        name: name.to_owned(),
        name_key: name.to_lowercase(),
        password: String::new(),
        zone: String::new(),
        role: Role::Member,
        at: START,
        invitation: None,
    };
    let Added::Made(id) = store.add_account(&new).expect("answers") else { panic!("{name} is new") };
    store.account(id).expect("answers").expect("there")
}

impl House {
    fn open() -> Self {
        let (store, time) = (Arc::new(MemoryStore::default()), Clock::by_hand(START));
        store.prepare_people().expect("prepared");
        let (ann, bob) = (account(&store, "Ann"), account(&store, "Bob"));
        let lobby = opened(&store, &time);
        Self { store, time, lobby, ann, bob }
    }

    /// A match in which Ann has the red seat and Bob the blue one.
    async fn sit_down(&self, name: &str, clock: &str) -> Arc<LiveMatch> {
        let order =
            NewMatch { clock: clock.to_owned(), name: name.to_owned(), ..cards(&["friend", "friend"], "") };
        let (id, _) = self.lobby.create(&order).await.expect("made");
        for (seat, account) in [(RED, self.ann.id), (BLUE, self.bob.id)] {
            let found = self.lobby.find(&id).await.expect("there");
            self.lobby.keep_seat(&found, Viewer::Seat(seat), account).await.expect("kept");
        }
        let found = self.lobby.find(&id).await.expect("there");
        all_sit(&self.lobby, &found).await;
        found
    }

    async fn left(&self, found: &LiveMatch, seat: Seat) -> u64 {
        let live = found.lock().await;
        let clock = live.proceedings.clock.as_ref().expect("a clock");
        clock.left(seat.0, self.time.now(), &live.proceedings.free(&live.outages()))
    }

    async fn deadline(&self, found: &LiveMatch) -> u64 {
        let live = found.lock().await;
        live.proceedings.deadline(&live.outages()).expect("somebody is awaited").1
    }

    /// Time passes in a house that is awake. Returns how many flags fell.
    async fn pass(&self, span: u64) -> usize {
        self.time.turn(span);
        self.lobby.house.rest().expect("nothing is written");
        self.lobby.sweep_deadlines().await.expect("swept")
    }

    fn turns(&self, found: &LiveMatch, account: AccountId) -> Vec<(u64, NoticeState)> {
        let all = self.store.notices(&found.id).expect("answers").into_iter();
        all.filter(|(notice, _)| notice.kind == "turn" && notice.account == account)
            .map(|(notice, state)| (notice.due_at, state))
            .collect()
    }
}

#[tokio::test]
async fn clocks_stand_still_on_days_of_rest() {
    let house = House::open();
    let awaited = house.sit_down("one", "daily").await;
    let waiting = house.sit_down("two", "daily").await;
    let other = house.sit_down("three", "").await;
    choose(&house.lobby, &waiting, RED, "bid 1").await;
    house.pass(6 * HOUR).await;
    let revision = other.lock().await.revision;
    let rested = house.lobby.announce_rest(&house.ann, "2026-09-21", "2026-09-23").await.expect("room");
    assert_eq!(
        (rested.matches, rested.refused),
        (2, vec![]),
        "where no clock runs there is nothing to stand still"
    );
    assert_eq!(other.lock().await.revision, revision);
    // Three days to think, of which six hours have passed; the rest ends at midnight after the third.
    let until = START + 3 * DAY;
    assert_eq!(house.deadline(&awaited).await, until + 3 * DAY - 6 * HOUR);
    let journal = house.store.journal(&awaited.id).expect("answers");
    let rest = TableEvent::Rest { seat: 0, from: START + 6 * HOUR, until };
    assert_eq!(journal.last().map(|entry| &entry.kind), Some(&EntryKind::Event(rest)));
    assert_eq!(journal.last().and_then(|entry| entry.account), Some(house.ann.id));
    // Everybody sees it.
    let shown = crate::pages::agreements::clocks(&*awaited.lock().await).into_string();
    assert!(shown.contains("resting until 24 September"), "{shown}");
    assert_eq!(house.pass(2 * DAY).await, 0);
    assert_eq!(house.left(&awaited, RED).await, 3 * DAY - 6 * HOUR);
    // Bob's clock runs while Ann rests.
    assert_eq!(house.left(&waiting, BLUE).await, DAY - 6 * HOUR);
    assert_eq!(house.pass(DAY).await, 1, "Bob's time runs out, and Ann's does not");
    assert_eq!(house.left(&awaited, RED).await, 3 * DAY - 12 * HOUR);
    assert!(!crate::pages::agreements::clocks(&*awaited.lock().await).into_string().contains("resting"));
    // Somebody who rests may choose all the same.
    choose(&house.lobby, &awaited, RED, "bid 1").await;
}

#[tokio::test]
async fn whoever_rests_hears_of_their_turn_when_they_are_back() {
    let house = House::open();
    let found = house.sit_down("one", "daily").await;
    choose(&house.lobby, &found, RED, "bid 1").await;
    house.lobby.announce_rest(&house.ann, "2026-09-21", "2026-09-22").await.expect("room");
    choose(&house.lobby, &found, BLUE, "bid 1").await;
    let until = START + 2 * DAY;
    let told = house.turns(&found, house.ann.id);
    assert_eq!(told.last(), Some(&(until + 3 * MINUTE, NoticeState::Waiting)), "{told:?}");
    // Back earlier: the deadline comes nearer, and the match is told of as ever.
    house.pass(HOUR).await;
    let rests = house.store.rests(house.ann.id).expect("answers");
    house.lobby.end_rest(&house.ann, rests[0].from).await.expect("back");
    assert_eq!(house.deadline(&found).await, house.time.now() + 3 * DAY + 12 * HOUR);
    assert!(house.turns(&found, house.ann.id).iter().all(|(_, state)| *state == NoticeState::Moot));
    let reminders = house.store.notices(&found.id).expect("answers").into_iter();
    let open: Vec<u64> = reminders
        .filter(|(notice, state)| notice.kind == "last" && *state == NoticeState::Waiting)
        .map(|(notice, _)| notice.due_at)
        .collect();
    assert_eq!(open, [house.deadline(&found).await - HOUR], "reminders follow the deadline");
    let why = house.lobby.end_rest(&house.ann, rests[0].from).await.expect_err("over").to_string();
    assert!(why.contains("over already"), "{why}");
}

#[tokio::test]
async fn nobody_rests_without_an_hour_or_where_it_is_not_allowed() {
    let house = House::open();
    let strict = house.sit_down("strict", "daily rest=no").await;
    let sitting = house.sit_down("sitting", "sitting").await;
    let short = house.sit_down("short", "own bank=2h delay=0s refill=0s cap=2h").await;
    house.pass(HOUR + SECOND).await;
    let before = [&strict, &short].map(|found| found.id.clone());
    let rested = house.lobby.announce_rest(&house.ann, "2026-09-21", "2026-09-21").await.expect("room");
    let mut refused = rested.refused.clone();
    refused.sort();
    assert_eq!(refused[0], ("short".to_owned(), "you have less than an hour left there"));
    assert_eq!(refused.last().map(|(name, _)| name.as_str()), Some("strict"), "{refused:?}");
    for id in before {
        let journal = house.store.journal(&id).expect("answers");
        assert!(!journal.iter().any(|entry| matches!(entry.kind, EntryKind::Event(TableEvent::Rest { .. }))));
    }
    assert!(sitting.lock().await.proceedings.rests().is_empty(), "nobody rests in a sitting");
    let why = house.lobby.announce_rest(&house.ann, "2026-09-21", "2026-09-22").await.expect_err("twice");
    assert!(why.to_string().contains("You rest already, 21 September."), "{why}");
}

#[tokio::test]
async fn a_match_that_begins_later_and_a_house_that_died_know_of_it() {
    let mut house = House::open();
    house.lobby.announce_rest(&house.bob, "2026-09-22", "2026-09-23").await.expect("room");
    let found = house.sit_down("later", "daily").await;
    assert_eq!(found.lock().await.proceedings.rests(), [(1, START + DAY, START + 3 * DAY)]);
    // The house has noted a rest and died before it could tell its matches.
    let rest = Rest {
        first: "2026-09-25".to_owned(),
        last: "2026-09-25".to_owned(),
        from: START + 4 * DAY,
        until: START + 5 * DAY,
    };
    assert!(house.store.put_rests(house.ann.id, &[], std::slice::from_ref(&rest)).expect("answers"));
    house.lobby = opened(&house.store, &house.time);
    for _ in 0..2 {
        house.lobby.wake_rests().await.expect("woken");
        let found = house.lobby.find(&found.id).await.expect("there");
        let rests = found.lock().await.proceedings.rests().to_vec();
        assert_eq!(rests, [(1, START + DAY, START + 3 * DAY), (0, rest.from, rest.until)]);
    }
    // Taken back before it began it costs nothing and stands still for nobody.
    house.lobby.end_rest(&house.ann, rest.from).await.expect("taken back");
    assert_eq!(house.store.rests(house.ann.id).expect("answers"), []);
    let found = house.lobby.find(&found.id).await.expect("there");
    assert_eq!(found.lock().await.proceedings.rests().len(), 1);
}

#[tokio::test]
async fn days_off_are_chosen_with_the_clock() {
    let house = House::open();
    // From Monday noon in Berlin: five days of the week, and none of the weekend.
    house.time.turn(10 * HOUR);
    let found =
        house.sit_down("week", "own bank=6d delay=0s refill=0s cap=6d off=sat,sun zone=Europe/Berlin").await;
    assert_eq!(house.deadline(&found).await, house.time.now() + 8 * DAY);
    let shown = crate::pages::agreements::clocks(&*found.lock().await).into_string();
    assert!(shown.contains("No clock runs on Saturdays and Sundays (Europe/Berlin)."), "{shown}");
}
