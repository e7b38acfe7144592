//! Those who look after the house: what they see, what they can do, and that all of it stands in the log.

use people::Entry;
use serde_json::json;
use store::Role;

use super::host::{Browser, GOOD, Host};
use crate::lobby::tests::cards;

pub async fn admin<'a>(host: &'a Host, name: &str, at: u8) -> Browser<'a> {
    let browser = host.member(name, at).await;
    let id = host.account(name);
    host.accounts.with(move |house, _| house.set_role(id, Role::Admin)).await.expect("set");
    assert_eq!(browser.post("/login", &[("name", name), ("password", GOOD)]).await.status, 303);
    browser
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_running_match_an_admin_sees_the_reported_line_and_nothing_else() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let eve = admin(&host, "Eve", 3).await;
    let (id, watch) = host.for_two(&ann, &bob, &cards(&["friend", "friend"], "")).await;
    let table = format!("/m/{id}/mine");
    ann.say(&table, "my secret plan").await;
    bob.say(&table, "a bad word").await;
    bob.json(&format!("{table}/note"), &json!({ "text": "a private note" })).await;
    ann.json(&format!("{table}/talk/report"), &json!({ "n": 2, "why": "it hurts" })).await;
    let before = eve.get("/house").await.text;
    assert!(
        before.contains("a bad word")
            && before.contains("it hurts")
            && before.contains("One report to answer")
    );
    let pages = ["/house", "/", "/people", "/turns", "/tables", &watch, &format!("{watch}/talk")];
    for path in pages {
        let page = eve.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        for hidden in ["my secret plan", "a private note"] {
            assert!(!page.text.contains(hidden), "{path} shows {hidden:?}");
        }
    }
    // The cards of both hands, which a spectator does not see, stand on none of them either.
    let found = host.lobby.find(&id).await.expect("there");
    let live = found.lock().await;
    let hand = live.table.offers(kernel::Viewer::Seat(kernel::Seat(0)));
    let seen = live.table.offers(kernel::Viewer::Spectator);
    assert!(live.hides() && !hand.is_empty() && seen.is_empty(), "the test looks in the right place");
    drop(live);
    for path in ["/house", "/"] {
        assert!(!eve.get(path).await.text.contains("red:"), "{path}");
    }
    assert_eq!(eve.get(&table).await.status, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_is_answered_and_every_act_stands_in_the_log() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let eve = admin(&host, "Eve", 3).await;
    let (id, _) = host.for_two(&ann, &bob, &cards(&["friend", "friend"], "")).await;
    let table = format!("/m/{id}/mine");
    bob.say(&table, "a bad word").await;
    ann.json(&format!("{table}/talk/report"), &json!({ "n": 1 })).await;
    let answer = [("report", "1"), ("answer", "Bob-was-told")];
    assert_eq!(eve.post("/house/report", &answer).await.status, 303);
    assert_eq!(eve.post("/house/report", &answer).await.status, 422, "once");
    assert!(ann.get("/people").await.text.contains("Bob-was-told"));

    let bobs = host.account("Bob").to_string();
    let deed =
        |deed: &'static str| [("account", bobs.as_str()), ("deed", deed), ("days", "3"), ("note", "enough")];
    assert_eq!(eve.post("/house/account", &deed("mute")).await.status, 303);
    assert_eq!(bob.say(&table, "hello").await, 422);
    assert!(eve.get("/house").await.text.contains("muted for 3 days"));
    assert_eq!(eve.post("/house/account", &deed("unmute")).await.status, 303);
    assert_eq!(bob.say(&table, "hello again").await, 200);
    assert_eq!(eve.post("/house/account", &deed("close")).await.status, 303);
    assert!(bob.account().await.is_none(), "logged out");
    assert_eq!(bob.post("/login", &[("name", "Bob"), ("password", GOOD)]).await.status, 403);
    assert_eq!(eve.post("/house/account", &deed("reopen")).await.status, 303);
    assert_eq!(bob.post("/login", &[("name", "Bob"), ("password", GOOD)]).await.status, 303);
    let log = eve.get("/house").await.text;
    let log = &log[log.find("id=\"log\"").expect("the log")..];
    for entry in [
        "answered report 1",
        "muted for 3 days",
        "ended the mute",
        "closed the account",
        "opened the account again",
    ] {
        assert!(log.contains(&format!("<b>Eve</b> {entry} (Bob)")), "{entry}: {log}");
    }
    assert!(log.contains(": Bob-was-told") && log.contains(": enough"), "{log}");
    for wrong in ["burn", ""] {
        assert_eq!(
            eve.post("/house/account", &deed(if wrong.is_empty() { "" } else { "burn" })).await.status,
            422
        );
    }
    let other = host.account("Eve").to_string();
    for own in ["mute", "close"] {
        let tried = eve.post("/house/account", &[("account", &other), ("deed", own), ("days", "3")]).await;
        assert_eq!(tried.status, 422, "admins are not shut out from here: {}", tried.text);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_house_is_for_admins() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let id = host.account("Ann").to_string();
    for who in [&ann, &host.browser(2)] {
        assert_eq!(who.get("/house").await.status, 403);
        let deed = [("account", id.as_str()), ("deed", "close")];
        assert_eq!(who.post("/house/account", &deed).await.status, 403);
        assert_eq!(who.post("/house/report", &[("report", "1")]).await.status, 403);
    }
    assert!(ann.account().await.is_some());
    assert!(!ann.get("/turns").await.text.contains("href=\"/house\""));
}
