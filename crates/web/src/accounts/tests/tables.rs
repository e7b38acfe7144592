//! Tables that gather: who can sit down, and that nothing runs before all are there.

use kernel::Seat;
use people::Entry;
use serde_json::json;
use store::{MOST_GATHERINGS, Player};

use super::host::{Browser, DAY, GOOD, Host};
use crate::lobby::tests::sitting_down::all_sit;

const NEW: [(&str, &str); 3] = [("game", "cards"), ("seat.0", "me"), ("seat.1", "friend")];

/// Gathers a table and returns its path.
async fn gather(host: &Browser<'_>, more: &[(&str, &str)]) -> String {
    let made = host.post("/tables", &[&NEW, more].concat()).await;
    assert_eq!(made.status, 303, "{}", made.text);
    made.location().to_owned()
}

async fn sit(who: &Browser<'_>, table: &str, seat: &str) -> u16 {
    who.post(&format!("{table}/sit"), &[("seat", seat)]).await.status
}

/// How many matches run, and how many deadlines there are.
async fn running(host: &Host) -> (usize, usize) {
    let read = |store: &dyn store::Store| Ok((store.counts()?.running, store.deadlines(u64::MAX, 9)?.len()));
    host.lobby.with_store(read).await.expect("readable")
}

/// The accounts in the seats of the match to which a path leads.
async fn seats(host: &Host, path: &str) -> Vec<Player> {
    let id = path.split('/').nth(2).expect("a match");
    let found = host.lobby.find(id).await.expect("there");
    let live = found.lock().await;
    live.seats.iter().map(|seat| seat.player.clone()).collect()
}

fn player(host: &Host, name: &str) -> Player {
    Player::Account { id: host.account(name), bot: None }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_by_name_waits_for_an_answer_and_no_match_runs_before() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob, cat) =
        (host.member("Ann", 1).await, host.member("Bob", 2).await, host.member("Cat", 3).await);
    let table = gather(&ann, &[("invite", "bob"), ("clock", "daily"), ("name", "Friday")]).await;
    host.clock.turn(20 * DAY);
    assert_eq!(running(&host).await, (0, 0), "no match, and no clock");
    let asked = bob.get("/turns").await.text;
    assert!(asked.contains("Invitation") && asked.contains("Friday") && asked.contains("Accept"), "{asked}");
    assert!(!cat.get("/tables").await.text.contains("Friday"), "not in the list of open tables");
    assert_eq!(sit(&cat, &table, "1").await, 422, "not for others");
    assert_eq!(sit(&bob, &table, "0").await, 422, "not the seat of others");
    assert_eq!(bob.post(&format!("{table}/leave"), &[]).await.status, 303);
    assert!(ann.get(&table).await.text.contains("Bob, declined"));
    assert!(!bob.get("/turns").await.text.contains("Friday"));
    let again = [("seat", "1"), ("wish", "named"), ("name", "Bob")];
    assert_eq!(ann.post(&format!("{table}/seat"), &again).await.status, 303);
    assert_eq!(sit(&bob, &table, "1").await, 303);
    let path = bob.get(&table).await.location().to_owned();
    assert!(path.starts_with("/m/") && path.ends_with("/mine"), "{path}");
    assert_eq!(ann.get(&table).await.location(), path);
    assert_eq!((bob.get(&path).await.status, ann.get(&path).await.status), (200, 200));
    assert_eq!(seats(&host, &path).await, [player(&host, "Ann"), player(&host, "Bob")]);
    assert_eq!(running(&host).await, (1, 0), "no clock runs before both have sat down");
    let id = path.split('/').nth(2).expect("an id").to_owned();
    all_sit(&host.lobby, &host.lobby.find(&id).await.expect("there")).await;
    assert_eq!(running(&host).await, (1, 1), "now a clock runs");
    assert!(ann.get("/turns").await.text.contains("Friday"));
    assert_eq!(ann.post(&format!("{table}/delete"), &[]).await.status, 422, "it has started");
    let watching = cat.get(&table).await.location().to_owned();
    assert!(!watching.ends_with("/mine") && cat.get(&watching).await.text.contains("Watching"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_table_is_found_and_taken_by_whoever_comes_first() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob, cat) =
        (host.member("Ann", 1).await, host.member("Bob", 2).await, host.member("Cat", 3).await);
    let table = gather(&ann, &[("listed", "on"), ("name", "Open-to-all")]).await;
    assert!(bob.get("/tables").await.text.contains("Open-to-all"));
    assert_eq!(host.browser(4).get("/tables").await.status, 303, "for those who are signed in");
    assert_eq!(sit(&ann, &table, "1").await, 422, "one seat each");
    for (path, fields) in
        [("seat", [("seat", "1"), ("wish", "me")]), ("start", [("a", "b"); 2]), ("delete", [("a", "b"); 2])]
    {
        let tried = bob.post(&format!("{table}/{path}"), &fields).await;
        assert_eq!(tried.status, 403, "{path} is the host's: {}", tried.text);
    }
    let state: serde_json::Value =
        serde_json::from_str(&ann.get(&format!("{table}?state=1")).await.text).expect("JSON");
    assert_eq!(state, json!({ "revision": 0, "path": null }));
    let (first, second) = tokio::join!(sit(&bob, &table, "1"), sit(&cat, &table, "1"));
    assert_eq!([first.min(second), first.max(second)], [303, 422], "one of the two");
    assert_eq!(running(&host).await.0, 1, "and one match");
    // Bots come at the word of the host.
    let other = gather(&ann, &[("listed", "on")]).await;
    assert_eq!(ann.post(&format!("{other}/start"), &[]).await.status, 303);
    let path = ann.get(&other).await.location().to_owned();
    assert!(matches!(seats(&host, &path).await[..], [Player::Account { .. }, Player::Bot(_)]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_comes_by_link_and_keeps_it() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let table = gather(&ann, &[]).await;
    let page = ann.get(&table).await.text;
    let at = page.find("/link/").expect("the link of the seat");
    let link = format!("{table}{}", page[at..].split('"').next().expect("its end"));
    let guest = host.browser(2);
    let invited = guest.get(&link).await;
    assert!(invited.status == 200 && invited.text.contains("Play the Blue"), "{}", invited.text);
    assert!(
        !invited.text.contains("Cancel the table") && !invited.text.contains("/seat\""),
        "{}",
        invited.text
    );
    assert_eq!(guest.get(&format!("{table}/link/{}", "a".repeat(26))).await.status, 404);
    assert_eq!(guest.get(&table).await.status, 303, "without the link only for those who are signed in");
    assert_eq!(guest.post(&link, &[]).await.status, 303);
    let path = guest.get(&link).await.location().to_owned();
    assert!(
        path.ends_with(link.rsplit('/').next().expect("the token")),
        "{path}: it is the link of the seat now"
    );
    let seen = guest.get(&path).await;
    assert!(seen.status == 200 && seen.text.contains("say-form"), "{}", seen.text);
    // Whoever runs the house is no host here: they could open the seat by a new link.
    let key = host.browser(3);
    key.set_cookie(&format!("maproom_owner={}", host.lobby.owner_key()));
    let id = path.split('/').nth(2).expect("a match");
    let found = host.lobby.find(id).await.expect("there");
    let watch = format!("/m/{id}/{}", found.keys.viewer());
    assert!(!key.get(&watch).await.text.contains(found.keys.seat(Seat(1)).expect("a link")));
    let renewed = key.post(&format!("{watch}/links"), &[("link", "1"), ("change", "renew")]).await;
    assert_eq!(renewed.status, 403, "{}", renewed.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_blocked_does_not_come_to_ones_tables_and_can_t_ask_one() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let table = gather(&ann, &[("listed", "on"), ("name", "Not-for-all")]).await;
    ann.post("/people", &[("name", "Bob"), ("kind", "block"), ("on", "yes")]).await;
    assert!(!bob.get("/tables").await.text.contains("Not-for-all"));
    assert_eq!(sit(&bob, &table, "1").await, 422);
    let asked = bob.post("/tables", &[&NEW[..], &[("invite", "Ann")]].concat()).await;
    assert!(asked.status == 422 && asked.text.contains("can't be invited"), "{}", asked.text);
    // A mute is no block.
    ann.post("/people", &[("name", "Bob"), ("kind", "block"), ("on", "no")]).await;
    ann.post("/people", &[("name", "Bob"), ("kind", "mute"), ("on", "yes")]).await;
    assert_eq!(sit(&bob, &table, "1").await, 303);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_have_limits_and_bad_ones_are_refused() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    for bad in [
        ("seed", "7"),
        ("dice", "own"),
        ("clock", "never"),
        ("invite", "nobody-here"),
        ("invite", "Ann,Ann,Ann"),
        ("seat.1", "bot:search:9999999"),
        ("colour", "red"),
    ] {
        let refused = ann.post("/tables", &[&NEW[..], &[bad]].concat()).await;
        assert_eq!(refused.status, 422, "{bad:?}: {}", refused.text);
    }
    for _ in 0..MOST_GATHERINGS {
        gather(&ann, &[]).await;
    }
    let more = ann.post("/tables", &NEW).await;
    assert!(more.status == 422 && more.text.contains("too many tables"), "{}", more.text);
    assert_eq!(running(&host).await.0, 0);
    // What nobody came to is gone after a month.
    host.clock.turn(31 * DAY);
    host.accounts.sweep(&host.lobby).await;
    ann.post("/login", &[("name", "Ann"), ("password", GOOD)]).await;
    let table = gather(&ann, &[]).await;
    assert_eq!(ann.post(&format!("{table}/delete"), &[]).await.location(), "/tables");
    assert_eq!(ann.get(&table).await.status, 404);
    assert_eq!(ann.get("/tables/nosuchtable").await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rematch_asks_the_other_and_changes_sides() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob, cat) =
        (host.member("Ann", 1).await, host.member("Bob", 2).await, host.member("Cat", 3).await);
    let (id, watch) = host.for_two(&ann, &bob, &crate::lobby::tests::cards(&["friend", "friend"], "")).await;
    let table = format!("/m/{id}/mine");
    let again = json!({ "change_sides": true });
    assert_eq!(ann.json(&format!("{table}/rematch"), &again).await.status, 422, "not before the end");
    let revision = host.lobby.find(&id).await.expect("there").lock().await.revision;
    ann.json(&format!("{table}/deed"), &json!({ "deed": "resign", "revision": revision })).await;
    assert!(ann.get(&format!("{table}/ending")).await.text.contains("Change sides"));
    assert_eq!(cat.json(&format!("{watch}/rematch"), &again).await.status, 422, "not for others");
    let path = |answer: &str| -> String {
        let answer: serde_json::Value = serde_json::from_str(answer).expect("JSON");
        answer["path"].as_str().expect("a path").to_owned()
    };
    let asked = path(&ann.json(&format!("{table}/rematch"), &again).await.text);
    assert!(asked.starts_with("/tables/"), "{asked}");
    assert_eq!(running(&host).await.0, 0, "nobody finds themselves in a match");
    assert!(bob.get("/turns").await.text.contains("Invitation"));
    assert_eq!(path(&ann.json(&format!("{table}/rematch"), &again).await.text), asked, "one table");
    // The other presses the same button, and that is an answer.
    assert_eq!(path(&bob.json(&format!("{table}/rematch"), &again).await.text), asked);
    let next = bob.get(&asked).await.location().to_owned();
    assert_eq!(seats(&host, &next).await, [player(&host, "Bob"), player(&host, "Ann")]);
    assert_eq!((ann.get(&next).await.status, bob.get(&next).await.status), (200, 200));
}
