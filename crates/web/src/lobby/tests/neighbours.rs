//! Two servers on one store: each follows what the other writes, and nothing is done twice or lost.

use store::{Hint, OrderBooks, OrderState, SharedHouse, StoreError, TableEvent, Topic};

use super::bot_loop::{choose, take_back};
use super::sitting_down::all_sit;
use super::*;
use crate::live::{OrderEdit, TableAct, Wish};
use crate::lobby::links::LinkChange;

const RED: Seat = Seat(0);
const BLUE: Seat = Seat(1);

fn server(store: &Arc<MemoryStore>) -> Arc<Lobby> {
    server_at_pace(store, Duration::ZERO)
}

fn server_at_pace(store: &Arc<MemoryStore>, pace: Duration) -> Arc<Lobby> {
    let titles: Vec<Arc<dyn Title>> = vec![Arc::new(Of::<cards::Cards>::new())];
    let house: Arc<dyn SharedHouse> = Arc::<MemoryStore>::clone(store);
    let books: Arc<dyn OrderBooks> = Arc::<MemoryStore>::clone(store);
    let kept: Arc<dyn Store> = Arc::<MemoryStore>::clone(store);
    let lobby = Lobby::open_shared(kept, titles, Neighbours { house, news: None }).expect("the store opens");
    Arc::new(lobby.with_orders(books).expect("orders can be kept").with_pace(pace))
}

/// Two servers, and a match of two friends that both have in memory.
struct Pair {
    store: Arc<MemoryStore>,
    here: Arc<Lobby>,
    there: Arc<Lobby>,
    one: Arc<LiveMatch>,
    other: Arc<LiveMatch>,
}

impl Pair {
    async fn with(order: NewMatch) -> Self {
        let store = Arc::new(MemoryStore::default());
        let (here, there) = (server(&store), server(&store));
        let (id, _) = here.create(&order).await.expect("made");
        let one = here.find(&id).await.expect("there");
        all_sit(&here, &one).await;
        let other = there.find(&id).await.expect("any server opens it");
        Self { store, here, there, one, other }
    }

    async fn open() -> Self {
        Self::with(open_cards(&["me", "friend"])).await
    }

    /// Both look at what the other has written, as pages that are open make them do.
    async fn settle(&self) {
        for (lobby, found) in [(&self.here, &self.one), (&self.there, &self.other)] {
            lobby.look_beside(found).await.expect("the store answers");
        }
    }

    /// Both copies and one that is read anew say the same.
    async fn assert_same(&self, what: &str) {
        self.settle().await;
        let fresh = server(&self.store);
        let read = fresh.find(&self.one.id).await.expect("it can be read");
        let read = told(&read).await;
        for (lobby, found) in [(&self.here, &self.one), (&self.there, &self.other)] {
            assert!(lobby.holds(found), "{what}: followed, not read anew");
            assert_eq!(told(found).await, read, "{what}");
        }
    }
}

/// What a copy of a match says of it.
async fn told(found: &LiveMatch) -> String {
    let live = found.lock().await;
    let record = live.record(true).unwrap_or_else(|why| why.to_string());
    let steps: Vec<_> = (0..=live.revision).map(|revision| live.steps_at(revision)).collect();
    let players: Vec<String> = live.seats.iter().map(|seat| seat.player.to_string()).collect();
    let summary = live.summary();
    format!(
        "{} {record}\n{steps:?} {players:?}\n{summary:?}\n{:?}\n{:?} {:?}",
        live.revision,
        live.proceedings,
        live.table.takebacks(),
        live.bot_to_choose()
    )
}

#[tokio::test]
async fn what_one_writes_the_other_follows() {
    let pair = Pair::open().await;
    let before = pair.store.journals_read();
    let (mut updates, _) = {
        let mut live = pair.other.lock().await;
        let revision = live.revision;
        live.subscribe(Viewer::Seat(BLUE), Some(revision))
    };
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    pair.there.ask_others().await.expect("the store answers");
    let update = updates.try_recv().expect("a page there is told");
    let revision = pair.one.lock().await.revision;
    assert!(update.contains(&format!("\"to\":{revision}")), "{update}");
    assert_eq!(pair.store.journals_read(), before, "only what was missing is read");
    pair.assert_same("a choice").await;
    choose(&pair.there, &pair.other, RED, "bid 2").await;
    pair.settle().await;
    take_back(&pair.here, &pair.one, RED).await;
    pair.assert_same("an undo").await;
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    pair.settle().await;
    choose(&pair.there, &pair.other, BLUE, "bid 1").await;
    choose(&pair.there, &pair.other, BLUE, "bid 2").await;
    pair.assert_same("several at once").await;
}

/// Whoever holds a match while the database does not answer keeps those waiting who only want to be told so.
#[tokio::test]
async fn nobody_heeds_news_while_the_database_is_away() {
    let pair = Pair::open().await;
    let (_updates, _) = pair.other.lock().await.subscribe(Viewer::Seat(BLUE), None);
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    let revision = pair.one.lock().await.revision;
    let (place, detail) = ("elsewhere".to_owned(), "silence".to_owned());
    let lost = StoreError::Unreachable { place, detail };
    let read: Result<(), _> = pair.there.with_store(move |_| Err(lost)).await;
    assert!(matches!(read, Err(LobbyError::Store(_))));
    pair.there.check_reached().expect_err("whatever finds out notes it");
    let news = |about| Arc::clone(&pair.there).heed(Hint { match_id: pair.other.id.clone(), about });
    news(Topic::Journal(revision)).await;
    news(Topic::Beside).await;
    assert!(pair.other.lock().await.revision < revision, "the database is not asked");
    pair.there.with_neighbours(|_, _| Ok(())).await.expect("it answers");
    news(Topic::Journal(revision)).await;
    assert_eq!(pair.other.lock().await.revision, revision);
}

#[tokio::test]
async fn what_happens_beside_choices_is_followed_too() {
    let pair = Pair::with(NewMatch { clock: "daily".to_owned(), ..open_cards(&["me", "friend"]) }).await;
    let act = async |lobby: &Arc<Lobby>, found: &Arc<LiveMatch>, seat: Seat, act: TableAct| {
        let revision = found.lock().await.revision;
        lobby.change(found, move |live| live.act(seat, revision, &act)).await.expect("possible")
    };
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    pair.settle().await;
    let offer = act(&pair.there, &pair.other, RED, TableAct::Offer(Wish::Undo(Undo::Step))).await;
    pair.assert_same("an offer").await;
    act(&pair.here, &pair.one, BLUE, TableAct::Answer { offer, yes: true }).await;
    pair.assert_same("an undo that was agreed").await;
    let offer = act(&pair.here, &pair.one, BLUE, TableAct::Offer(Wish::Pause)).await;
    pair.settle().await;
    act(&pair.there, &pair.other, RED, TableAct::Answer { offer, yes: true }).await;
    pair.assert_same("a pause").await;
    act(&pair.here, &pair.one, BLUE, TableAct::Resume).await;
    pair.settle().await;
    let by = Requester { viewer: Viewer::Seat(BLUE), owns_lobby: false };
    pair.there.hand_over(&pair.other, by, BLUE, Some("greedy".to_owned())).await.expect("handed over");
    pair.assert_same("a bot that stands in").await;
    act(&pair.here, &pair.one, RED, TableAct::Resign).await;
    pair.assert_same("the end").await;
    assert!(pair.other.lock().await.is_over());
}

#[tokio::test]
async fn whoever_loses_the_race_follows_the_winner() {
    let pair = Pair::open().await;
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    let stale = pair.other.lock().await.revision;
    let late = pair.there.change(&pair.other, move |live| live.choose(RED, stale, "bid 2")).await;
    assert!(matches!(late, Err(LobbyError::Stale { .. })), "{late:?}");
    assert_eq!(pair.other.lock().await.revision, stale + 1, "at once, without being told");
    pair.assert_same("a lost race").await;
    // What depends on no revision is done all the same.
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    let rest = |live: &mut Live| Ok(live.happen(TableEvent::Resume { seat: 0 }));
    let done = pair.there.commit_anyhow(&pair.other, Sender::default(), rest).await;
    assert!(done.is_ok(), "{done:?}");
    pair.assert_same("one after the other").await;
}

#[tokio::test]
async fn a_request_counts_once_at_however_many_servers() {
    for seats in [["me", "friend"], ["me", "bot:greedy"]] {
        let pair = Pair::with(open_cards(&seats)).await;
        let sender = Sender { account: None, request: Some("key".to_owned()) };
        let revision = pair.one.lock().await.revision;
        let bid = move |live: &mut Live| live.choose(RED, revision, "bid 2");
        let first = pair.here.change_by(&pair.one, sender.clone(), bid).await.expect("chosen");
        let again = pair.there.change_by(&pair.other, sender, bid).await.expect("answered as the first");
        assert_eq!((first, again), (revision + 1, revision + 1));
    }
}

#[tokio::test]
async fn a_copy_that_nobody_looks_at_is_compared_before_it_is_used() {
    let pair = Pair::open().await;
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    let revision = pair.one.lock().await.revision;
    pair.other.doubt();
    let found = pair.there.find(&pair.other.id).await.expect("there");
    assert!(Arc::ptr_eq(&found, &pair.other));
    assert_eq!(found.lock().await.revision, revision);
    // So is a link.
    let by = Requester { viewer: Viewer::Seat(RED), owns_lobby: true };
    let old = pair.one.keys.seat(BLUE).expect("a link").to_owned();
    pair.here.change_link(&pair.one, by, Viewer::Seat(BLUE), LinkChange::Renew).await.expect("renewed");
    pair.other.doubt();
    assert!(matches!(pair.there.enter(&pair.other.id, &old).await, Err(LobbyError::NotFound)));
    // And a match that was put into the bin is gone everywhere.
    assert!(pair.here.put_in_bin(&pair.one.id).await.expect("binned"));
    let left = pair.there.all_in_memory();
    left.iter().for_each(|found| found.doubt());
    assert!(matches!(pair.there.find(&pair.other.id).await, Err(LobbyError::NotFound)));
}

#[tokio::test]
async fn one_server_thinks_for_a_bot_and_another_goes_on() {
    let pair = Pair::with(open_cards(&["me", "friend"])).await;
    let id = pair.one.id.clone();
    assert!(pair.here.may_drive(&id).await && pair.here.drives(&id));
    assert!(!pair.there.may_drive(&id).await && !pair.there.drives(&id));
    pair.there.adopt_drives().await.expect("the store answers");
    assert!(!pair.there.drives(&id), "whoever is alive keeps it");
    pair.here.take_leave().await;
    pair.there.adopt_drives().await.expect("the store answers");
    assert!(pair.there.drives(&id));
    // Where nothing is to be done it is given up after a while.
    let mut rounds = 0;
    while pair.there.drives(&id) {
        pair.there.renew_drives().await.expect("the store answers");
        rounds += 1;
        assert!(rounds < PATIENCE, "it is kept for ever");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert!(rounds > 1, "not at once");
    assert!(server(&pair.store).may_drive(&id).await);
}

/// Waits until something is so.
async fn wait_until(what: &str, so: impl Fn() -> bool) {
    for _ in 0..PATIENCE {
        if so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("waited in vain: {what}");
}

/// A server may die while its bots still wait, and what it goes on with may leave its memory: nobody else looks at the match.
#[tokio::test]
async fn what_a_bot_is_to_go_on_with_is_known_before_it_does() {
    let store = Arc::new(MemoryStore::default());
    let here = server_at_pace(&store, Duration::from_secs(3_600));
    let (id, _) = here.create(&open_cards(&["bot:greedy", "bot:greedy"])).await.expect("made");
    let found = here.find(&id).await.expect("there");
    wait_until("it is known that there is something to do", || here.drives(&id)).await;
    let begin = found.lock().await.revision;
    here.close(&id).await;
    assert!(here.in_memory(&id).is_none());
    // It is read again, and not given up.
    here.renew_drives().await.expect("the store answers");
    wait_until("it is gone on with", || here.in_memory(&id).is_some()).await;
    for _ in 0..5 {
        here.renew_drives().await.expect("the store answers");
    }
    assert!(here.drives(&id));
    assert_eq!(here.find(&id).await.expect("there").lock().await.revision, begin, "the bot waits");
    // A match that is gone for good is given up.
    assert!(here.put_in_bin(&id).await.expect("binned"));
    let mut rounds = 0;
    while here.drives(&id) {
        here.renew_drives().await.expect("the store answers");
        rounds += 1;
        assert!(rounds < PATIENCE, "it is kept for ever");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// A server of an older release may not know the rules of a match that a newer one drove.
#[tokio::test]
async fn what_a_server_cannot_go_on_with_it_leaves_to_another() {
    let pair = Pair::with(open_cards(&["me", "bot:greedy"])).await;
    let id = pair.one.id.clone();
    assert!(pair.here.may_drive(&id).await);
    pair.here.take_leave().await;
    let older = Lobby::open_shared(
        Arc::<MemoryStore>::clone(&pair.store),
        Vec::new(),
        Neighbours { house: Arc::<MemoryStore>::clone(&pair.store), news: None },
    );
    let older = Arc::new(older.expect("the store opens"));
    older.adopt_drives().await.expect("the store answers");
    wait_until("it is left to others", || !older.drives(&id)).await;
    // It is passed on a moment after that.
    for _ in 0..PATIENCE {
        if pair.there.may_drive(&id).await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    panic!("nobody else gets it");
}

#[tokio::test]
async fn bots_play_once_though_two_servers_have_the_match() {
    let pair = Pair::with(open_cards(&["me", "bot:greedy"])).await;
    let mut chosen = 0;
    while !pair.one.lock().await.is_over() {
        let (lobby, found) =
            if chosen % 2 == 0 { (&pair.here, &pair.one) } else { (&pair.there, &pair.other) };
        for _ in 0..PATIENCE {
            lobby.look_beside(found).await.expect("the store answers");
            let live = found.lock().await;
            if live.is_over() || live.seat_to_move() == Some(RED.0) {
                break;
            }
            drop(live);
            // The other server thinks.
            for (lobby, found) in [(&pair.here, &pair.one), (&pair.there, &pair.other)] {
                lobby.look_beside(found).await.expect("the store answers");
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        if found.lock().await.is_over() {
            break;
        }
        choose(lobby, found, RED, "bid 1").await;
        chosen += 1;
    }
    pair.assert_same("a match with a bot").await;
    let journal = pair.store.journal(&pair.one.id).expect("answers");
    let seqs: Vec<u32> = journal.iter().map(|entry| entry.seq).collect();
    assert_eq!(seqs, (1..=seqs.len() as u32).collect::<Vec<_>>());
}

#[tokio::test]
async fn an_order_that_was_given_elsewhere_is_not_overwritten() {
    let pair = Pair::open().await;
    let give = OrderEdit::Give("after other \"bid *\" choose \"bid 2\" once".to_owned());
    pair.here.edit_orders(&pair.one, BLUE, give.clone()).await.expect("an order");
    // The other does not know of it, and its person gives one, too.
    let refused = pair.there.edit_orders(&pair.other, BLUE, give.clone()).await;
    assert!(refused.is_err(), "what stands there would be lost");
    let other = pair.there.find(&pair.one.id).await.expect("read anew");
    assert_eq!(other.lock().await.orders.list(BLUE).len(), 1);
    pair.there.edit_orders(&other, BLUE, give).await.expect("now it is known");
    let books = pair.store.books(&pair.one.id).expect("answers");
    assert_eq!(books[0].1.orders.len(), 2);
    // An entry of the first would bring an old book along: it is a conflict, and tried again it knows better.
    choose(&pair.here, &pair.one, RED, "bid 1").await;
    let revision = pair.one.lock().await.revision;
    for _ in 0..3 {
        let bid = move |live: &mut Live| live.choose(RED, revision, "bid 1");
        drop(pair.here.change(&pair.one, bid).await);
    }
    let books = pair.store.books(&pair.one.id).expect("answers");
    assert_eq!(books[0].1.orders.len(), 2, "both are there");
    assert!(books[0].1.orders.iter().all(|order| order.state == OrderState::Running));
}

#[tokio::test]
async fn who_is_here_is_known_everywhere() {
    let pair = Pair::open().await;
    drop({
        let mut live = pair.other.lock().await;
        live.subscribe(Viewer::Spectator, None).0
    });
    let mut live = pair.other.lock().await;
    let (_open, _) = live.subscribe(Viewer::Spectator, None);
    drop(live);
    let window = pair.here.window(&pair.one.id, Viewer::Seat(RED), None);
    let watching = pair.here.window(&pair.one.id, Viewer::Spectator, None);
    pair.here.note_windows(false).await;
    pair.there.ask_others().await.expect("the store answers");
    {
        let live = pair.other.lock().await;
        assert!(live.is_seat_here(RED.0) && !live.is_seat_here(BLUE.0));
        assert_eq!(live.watching(), 2, "one here, one there");
    }
    drop((window, watching));
    pair.here.note_windows(false).await;
    pair.there.ask_others().await.expect("the store answers");
    let live = pair.other.lock().await;
    assert!(!live.is_seat_here(RED.0));
    assert_eq!(live.watching(), 1);
}

#[tokio::test]
async fn a_server_whose_clock_is_off_begins_no_match_in_which_minutes_count() {
    let pair = Pair::open().await;
    let order = |clock: &str| NewMatch { clock: clock.to_owned(), ..open_cards(&["me", "friend"]) };
    pair.here.create(&order("sitting")).await.expect("its clock is right");
    for off in [2_000, 600_000] {
        pair.here.clock().go_by(pair.there.now() + off);
        let why = pair.here.create(&order("sitting")).await.expect_err("it is off").to_string();
        assert!(why.contains("off that of the house's database"), "{why}");
        pair.here.create(&order("daily")).await.expect("days are fine");
        pair.here.create(&order("")).await.expect("and so is no clock");
    }
    pair.here.clock().go_by(pair.there.now());
    pair.here.create(&order("sitting")).await.expect("it is right again");
}
