//! Seats that accounts keep, and whose turn it is.

use people::Entry;
use store::Player;

use super::host::{GOOD, Host};
use crate::lobby::NewMatch;
use crate::lobby::tests::sitting_down::all_sit;
use crate::lobby::tests::{cards, open_cards, until};
use crate::proceedings::Ending;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_kept_seat_needs_no_link_and_its_link_is_closed() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, link) = host.a_match(&open_cards(&["me", "friend"]), 1).await;
    let mine = format!("/m/{id}/mine");
    assert!(ann.get(&link).await.text.contains("Keep this seat"));
    assert_eq!(ann.get(&mine).await.status, 404, "not hers yet");
    assert_eq!(ann.post(&format!("{link}/keep"), &[]).await.location(), mine);
    for browser in [&ann, &bob, &host.browser(3)] {
        assert_eq!(browser.get(&link).await.status, 404, "the link is closed");
    }
    let page = ann.get(&mine).await;
    assert!(page.status == 200 && page.text.contains("Give it up"), "{}", page.status);
    assert_eq!(bob.get(&mine).await.status, 404, "not Bob's");
    let nobody = host.browser(3).get(&mine).await;
    assert_eq!((nobody.status, nobody.location()), (303, format!("/login?next={mine}").as_str()));
    // On another device she only has to log in.
    let phone = host.browser(4);
    phone.post("/login", &[("name", "Ann"), ("password", GOOD)]).await;
    assert_eq!(phone.get(&mine).await.status, 200);
    // The creator can't make a link to it again.
    let found = host.lobby.find(&id).await.expect("there");
    let creator = format!("/m/{id}/{}", found.keys.seat(kernel::Seat(0)).expect("a link"));
    let stolen = bob.post(&format!("{creator}/links"), &[("link", "1"), ("change", "renew")]).await;
    assert!(stolen.status == 422 && stolen.text.contains("kept by an account"), "{}", stolen.text);
    assert!(bob.get(&creator).await.text.contains("<small>Ann</small>"), "others see her name");
}

/// With a clock the journal says who plays: a seat that is kept, given up and left stays so when the match is read again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_there_is_a_clock_the_journal_knows_who_keeps_a_seat() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let order = NewMatch { clock: "daily".to_owned(), ..open_cards(&["me", "friend"]) };
    let (id, link) = host.a_match(&order, 1).await;
    let player = async || {
        // Read again from the store.
        host.lobby.close(&id).await;
        let found = host.lobby.find(&id).await.expect("there");
        let live = found.lock().await;
        assert!(live.proceedings.has_events);
        live.seats[1].player.clone()
    };
    ann.post(&format!("{link}/keep"), &[]).await;
    assert!(matches!(player().await, Player::Account { bot: None, .. }));
    ann.post(&format!("/m/{id}/mine/release"), &[]).await;
    assert_eq!(player().await, Player::Person);
}

/// Nobody gets out of a rated match by giving a seat up or by leaving the house.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rated_seat_is_not_given_up_and_who_leaves_the_house_resigns() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let order = NewMatch { clock: "daily rated=yes".to_owned(), ..open_cards(&["friend", "friend"]) };
    let (id, link) = host.a_match(&order, 1).await;
    assert_eq!(ann.post(&format!("{link}/keep"), &[]).await.status, 303);
    let refused = ann.post(&format!("/m/{id}/mine/release"), &[]).await;
    assert!(refused.status == 422 && refused.text.contains("A seat in a rated match"), "{}", refused.text);
    let found = host.lobby.find(&id).await.expect("there");
    let account = found.lock().await.seats[1].player.account().expect("kept");
    host.lobby.leave_seats(account).await.expect("left");
    let found = host.lobby.find(&id).await.expect("there");
    let ending = found.lock().await.proceedings.ended.clone();
    assert_eq!(ending, Some(Ending::Resigned { seat: 1 }));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_somebody_with_the_link_keeps_a_seat_and_only_one() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let (id, link) = host.a_match(&open_cards(&["friend", "friend"]), 1).await;
    assert_eq!(host.browser(3).post(&format!("{link}/keep"), &[]).await.status, 401, "no account");
    let watching = {
        let found = host.lobby.find(&id).await.expect("there");
        format!("/m/{id}/{}", found.keys.viewer())
    };
    assert_eq!(ann.post(&format!("{watching}/keep"), &[]).await.status, 403, "who watches has no seat");
    let (other_id, owners) = host.a_match(&open_cards(&["me", "friend"]), 0).await;
    assert_eq!(ann.post(&format!("{owners}/keep"), &[]).await.status, 422, "the creator's stays theirs");
    assert_eq!(ann.get(&format!("/m/{other_id}/mine")).await.status, 404);
    assert_eq!(ann.post(&format!("{link}/keep"), &[]).await.status, 303);
    let found = host.lobby.find(&id).await.expect("there");
    let second = format!("/m/{id}/{}", found.keys.seat(kernel::Seat(0)).expect("a link"));
    let again = ann.post(&format!("{second}/keep"), &[]).await;
    assert!(again.status == 422 && again.text.contains("already"), "{}", again.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_is_given_up_to_a_new_link() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let (id, link) = host.a_match(&open_cards(&["me", "friend"]), 1).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    let given = ann.post(&format!("/m/{id}/mine/release"), &[]).await;
    let fresh = given.location().to_owned();
    assert!(fresh.starts_with(&format!("/m/{id}/")) && fresh != link, "{fresh}");
    assert_eq!(host.browser(5).get(&fresh).await.status, 200);
    assert_eq!(ann.get(&format!("/m/{id}/mine")).await.status, 404);
    assert_eq!(host.browser(5).get(&link).await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn my_turn_lists_all_matches_and_next_goes_round() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    assert!(ann.get("/turns").await.text.contains("No matches yet"));
    assert_eq!(ann.get("/turns/next").await.location(), "/turns");
    let mut ids = Vec::new();
    // Red moves first: in the first two it is Ann's turn.
    for seat in [0, 0, 1] {
        let (id, link) = host.a_match(&open_cards(&["friend", "friend"]), seat).await;
        ann.post(&format!("{link}/keep"), &[]).await;
        ids.push(id);
    }
    let page = ann.get("/turns").await.text;
    assert!(page.contains("2 matches wait for you") && page.contains("Waiting for others"), "{page}");
    let mine = |id: &str| format!("/m/{id}/mine");
    let next = async |after: &str| ann.get(&format!("/turns/next?after={after}")).await.location().to_owned();
    let first = next("").await;
    let (here, there) = if first == mine(&ids[0]) { (&ids[0], &ids[1]) } else { (&ids[1], &ids[0]) };
    assert_eq!((next(here).await, next(there).await), (mine(there), mine(here)));
    assert_eq!(next(&ids[2]).await, first);
    // What she has decided waits no longer.
    let revision = host.lobby.find(here).await.expect("there").lock().await.revision;
    assert_eq!(ann.choose(&mine(here), revision, "bid 1 > bid 1").await.status, 200);
    assert_eq!(next(here).await, mine(there));
    assert!(ann.get("/turns").await.text.contains("One match waits for you"));
    // A match that a bot plays for her does not wait for her either.
    let found = host.lobby.find(there).await.expect("there");
    let by = crate::lobby::Requester { viewer: kernel::Viewer::Seat(kernel::Seat(0)), owns_lobby: false };
    host.lobby.hand_over(&found, by, kernel::Seat(0), Some("greedy".to_owned())).await.expect("handed over");
    assert!(ann.get("/turns").await.text.contains("Nobody waits for you"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_ends_first_stands_first() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let mut ids = Vec::new();
    for clock in ["", "easy", "daily"] {
        let order = NewMatch { clock: clock.to_owned(), ..open_cards(&["friend", "friend"]) };
        let (id, link) = host.a_match(&order, 0).await;
        ann.post(&format!("{link}/keep"), &[]).await;
        all_sit(&host.lobby, &host.lobby.find(&id).await.expect("there")).await;
        ids.push(id);
    }
    let page = ann.get("/turns").await.text;
    let at = |id: &str| page.find(&format!("data-id=\"{id}\"")).expect("in the list");
    assert!(at(&ids[2]) < at(&ids[1]) && at(&ids[1]) < at(&ids[0]), "without a clock it comes last");
    assert!(page.contains("3 d 0 h left") && page.contains("7 d 0 h left"), "{page}");
    let first = ann.get("/turns/next").await.location().to_owned();
    assert_eq!(first, format!("/m/{}/mine", ids[2]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_was_ended_makes_no_choice() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let (id, link) = host.a_match(&open_cards(&["friend", "friend"]), 0).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    let stolen = host.browser(9);
    stolen.set_cookie(&ann.cookie());
    let mine = format!("/m/{id}/mine");
    assert_eq!(stolen.get(&mine).await.status, 200);
    ann.post("/account/password", &[("password", GOOD), ("new", "another fine sentence")]).await;
    let found = host.lobby.find(&id).await.expect("there");
    let revision = found.lock().await.revision;
    assert_eq!(stolen.choose(&mine, revision, "bid 1").await.status, 401);
    assert_eq!(found.lock().await.revision, revision);
    assert_eq!(ann.choose(&mine, revision, "bid 1").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_is_open_closes_when_its_session_ends() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let (id, link) = host.a_match(&open_cards(&["friend", "friend"]), 0).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    let phone = host.browser(2);
    phone.post("/login", &[("name", "Ann"), ("password", GOOD)]).await;
    let request = format!(
        "GET /m/{id}/mine/live?since=1 HTTP/1.1\r\nHost: war.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
         Sec-Fetch-Site: same-origin\r\nX-Forwarded-For: 198.51.2.7\r\nCookie: {}\r\n\r\n",
        phone.cookie()
    );
    // On a machine that is too busy to answer a ping in time the page connects again, as pages do.
    let mut page = loop {
        let mut page = host.connect(&request).await;
        if pings(&mut page, 3).await == 3 {
            break page;
        }
    };
    ann.post("/account/sessions", &[("session", "others")]).await;
    assert!(pings(&mut page, 20).await < 20, "the server has closed it");
    assert!(phone.account().await.is_none());
}

/// Answers pings until there were so many, or until the server closes the connection; returns how many there were.
async fn pings(page: &mut tokio::net::TcpStream, most: usize) -> usize {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    const PING: [u8; 2] = [0x89, 0x00];
    const PONG: [u8; 6] = [0x8a, 0x80, 0, 0, 0, 0];
    let (mut count, mut heard) = (0, vec![0; 4096]);
    while count < most {
        match page.read(&mut heard).await {
            Ok(0) | Err(_) => break,
            Ok(bytes) => {
                let answered = heard[..bytes].windows(2).filter(|window| *window == PING).count();
                for _ in 0..answered {
                    // Whoever is gone is heard of by the next read.
                    let _ = page.write_all(&PONG).await;
                }
                count += answered;
            }
        }
    }
    count
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn neither_a_member_nor_an_admin_sees_the_hand_of_another() {
    let host = Host::start(Entry::Open).await;
    let (ann, admin) = (host.member("Ann", 1).await, host.member("Boss", 2).await);
    let house = host.accounts.house();
    let boss = house.people().account_named("boss").expect("answers").expect("there");
    house.set_role(boss.id, store::Role::Admin).expect("set");
    admin.post("/login", &[("name", "Boss"), ("password", GOOD)]).await;
    let (id, link) = host.a_match(&cards(&["friend", "friend"], ""), 1).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    let shows = |text: &str, side: &str| (1..=3).any(|card| text.contains(&format!("{side}:{card}")));
    let hers = ann.get(&format!("/m/{id}/mine")).await.text;
    assert!(shows(&hers, "blue") && !shows(&hers, "red"), "{hers}");
    let found = host.lobby.find(&id).await.expect("there");
    let watching = format!("/m/{id}/{}", found.keys.viewer());
    for path in ["/".to_owned(), watching, format!("/matches/{id}/record"), "/turns".to_owned()] {
        let page = admin.get(&path).await;
        assert!(!shows(&page.text, "blue") && !shows(&page.text, "red"), "{path}: {}", page.text);
    }
    assert_eq!(admin.get(&format!("/m/{id}/mine")).await.status, 404, "an admin takes nobody's seat");
    let record = admin.get(&format!("/matches/{id}/record")).await;
    assert!(record.status == 403 && record.text.contains("published when it is over"), "{}", record.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_players_of_a_rematch_and_a_fork_keep_their_seats() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let (id, link) = host.a_match(&open_cards(&["friend", "bot:greedy"]), 0).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    let mine = format!("/m/{id}/mine");
    let found = host.lobby.find(&id).await.expect("there");
    let revision = found.lock().await.revision;
    assert_eq!(ann.choose(&mine, revision, "bid 1").await.status, 200);
    let headers = [("Content-Type", "application/json"), ("Origin", "https://war.example")];
    let fork = ann.send("POST", &format!("{mine}/fork"), &headers, "{\"step\":2}").await;
    let path = fork.text.split('"').nth(3).expect("a path").to_owned();
    assert!(path.ends_with("/mine"), "{}", fork.text);
    assert_eq!(ann.get(&path).await.status, 200);
    let forked = path.split('/').nth(2).expect("an id").to_owned();
    let fork = host.lobby.find(&forked).await.expect("there");
    let player = fork.lock().await.seats[0].player.clone();
    assert!(matches!(player, Player::Account { bot: None, .. }), "{player}");
    // To the end, and once more.
    loop {
        until(&found, "it is red's turn, or over", |live| {
            live.seat_to_move() == Some(0) || live.table.result().is_some()
        })
        .await;
        let revision = found.lock().await.revision;
        if found.lock().await.table.result().is_some() {
            break;
        }
        assert_eq!(ann.choose(&mine, revision, "bid 1").await.status, 200);
    }
    let again = ann.send("POST", &format!("{mine}/rematch"), &headers, "{}").await;
    assert!(again.text.contains("/mine"), "{}", again.text);
}
