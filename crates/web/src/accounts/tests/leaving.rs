//! What is kept about somebody, and what is left when they have gone.

use std::path::Path;
use std::sync::Arc;

use kernel::Mover;
use people::Entry;
use serde_json::Value;
use store::{Player, SqliteStore};

use super::host::{DAY, GOOD, Host, OTHER};
use crate::lobby::tests::{cards, open_cards, until};

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_has_the_records_of_finished_matches_and_of_running_ones_what_was_seen() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let (hidden, link) = host.a_match(&cards(&["friend", "friend"], ""), 1).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    let (over, link) = host.a_match(&open_cards(&["friend", "bot:greedy"]), 0).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    let found = host.lobby.find(&over).await.expect("there");
    while found.lock().await.table.mover() != Mover::Nobody {
        until(&found, "it is red's turn, or over", |live| {
            live.seat_to_move() == Some(0) || live.table.result().is_some()
        })
        .await;
        let revision = found.lock().await.revision;
        ann.choose(&format!("/m/{over}/mine"), revision, "bid 1").await;
    }
    let export = ann.get("/account/export").await;
    assert!(export.header("content-disposition").is_some_and(|value| value.contains("attachment")));
    let lines = lines(&export.text);
    let of = |kind: &str, id: &str| -> Vec<&Value> {
        lines.iter().filter(|line| line["kind"] == kind && (id.is_empty() || line["id"] == id)).collect()
    };
    assert_eq!((of("account", "").len(), of("session", "").len(), of("match", "").len()), (1, 1, 2));
    assert_eq!(of("account", "")[0]["name"], "Ann");
    let record = of("match", &over)[0]["record"].as_str().expect("a record").to_owned();
    assert!(record.starts_with("maproom match 1"), "{record}");
    let seen = of("match", &hidden)[0];
    assert!(seen.get("record").is_none() && seen["seen"].is_array(), "{seen}");
    assert!(!(1..=3).any(|card| seen.to_string().contains(&format!("red:{card}"))), "{seen}");
    assert!(!export.text.contains("argon2") && !seen.to_string().contains("secret: "), "{}", export.text);
    assert_eq!(host.browser(2).get("/account/export").await.status, 303, "one's own only");
}

/// All bytes of all files of a folder.
fn bytes(folder: &Path) -> Vec<u8> {
    let files =
        std::fs::read_dir(folder).expect("a folder").map(|file| std::fs::read(file.expect("a file").path()));
    files.flat_map(|bytes| bytes.expect("readable")).collect()
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_seven_days_a_bot_plays_and_no_text_is_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(SqliteStore::open(folder.path()).expect("opens"));
    let host = Host::over(store, Entry::Open, &["127.0.0.1"]).await;
    let ann = host.member("Wilhelmina", 1).await;
    ann.post("/account/mail", &[("mail", "minna@home.example"), ("password", GOOD)]).await;
    host.browser(2).post(&host.letter(), &[]).await;
    ann.post("/account/zone", &[("zone", "Africa/Ouagadougou")]).await;
    let (id, link) = host.a_match(&open_cards(&["friend", "friend"]), 0).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    // What she says, notes, and gathers.
    let table = format!("/m/{id}/mine");
    assert_eq!(ann.say(&table, "tulips everywhere").await, 200);
    let note = serde_json::json!({ "text": "look at the windmill" });
    assert_eq!(ann.json(&format!("{table}/note"), &note).await.status, 200);
    let gather = [("game", "cards"), ("name", "Zuiderzee-evening"), ("seat.0", "me"), ("seat.1", "friend")];
    assert_eq!(ann.post("/tables", &gather).await.status, 303);
    let written = ["tulips everywhere", "look at the windmill", "Zuiderzee-evening"];
    assert!(written.iter().all(|text| contains(&bytes(folder.path()), text)));
    let export = ann.get("/account/export").await.text;
    assert!(export.contains("tulips everywhere") && export.contains("look at the windmill"), "{export}");
    assert_eq!(ann.post("/account/delete", &[("password", OTHER)]).await.status, 401);
    assert_eq!(ann.post("/account/delete", &[("password", GOOD)]).await.location(), "/login");
    assert!(ann.account().await.is_none(), "logged out");
    let texts = ["Wilhelmina", "wilhelmina", "minna@home.example", "Ouagadougou", "Firefox on Linux"];
    assert!(texts[..4].iter().all(|text| contains(&bytes(folder.path()), text)));

    host.clock.turn(7 * DAY);
    host.accounts.sweep(&host.lobby).await;
    assert!(contains(&bytes(folder.path()), "Wilhelmina"), "not before the seven days are over");
    host.clock.turn(1);
    host.accounts.sweep(&host.lobby).await;
    let left = bytes(folder.path());
    for text in texts.iter().chain(&written) {
        assert!(!contains(&left, text), "{text} is still there");
    }
    let found = host.lobby.find(&id).await.expect("the match is still there");
    assert!(matches!(&found.lock().await.seats[0].player, Player::Bot(_)));
    until(&found, "the bot has played", |live| live.seat_to_move() == Some(1)).await;
    let wrong = host.browser(1).post("/login", &[("name", "Wilhelmina"), ("password", GOOD)]).await;
    assert_eq!(wrong.status, 401);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_back_within_seven_days_keeps_everything() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let (id, link) = host.a_match(&open_cards(&["friend", "friend"]), 0).await;
    ann.post(&format!("{link}/keep"), &[]).await;
    ann.post("/account/delete", &[("password", GOOD)]).await;
    host.clock.turn(6 * DAY);
    host.accounts.sweep(&host.lobby).await;
    ann.post("/login", &[("name", "Ann"), ("password", GOOD)]).await;
    let page = ann.account().await.expect("in");
    assert!(page.contains("will be deleted") && page.contains("In 1 day,"), "{page}");
    let before = ann.cookie();
    assert_eq!(ann.post("/account/return", &[]).await.location(), "/account?done=return");
    assert_ne!(ann.cookie(), before, "a new session");
    host.clock.turn(20 * DAY);
    host.accounts.sweep(&host.lobby).await;
    assert_eq!(ann.get(&format!("/m/{id}/mine")).await.status, 200);
}
