//! Who reads what at a table, who can write, and what is only one's own.

use kernel::{Seat, Viewer};
use people::Entry;
use serde_json::json;

use super::host::{DAY, Host};
use crate::lobby::NewMatch;
use crate::lobby::tests::cards;
use crate::pages::presence;

fn friends() -> NewMatch {
    cards(&["friend", "friend"], "")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_and_onlookers_are_apart_until_the_match_is_over() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob, cat) =
        (host.member("Ann", 1).await, host.member("Bob", 2).await, host.member("Cat", 3).await);
    let stranger = host.browser(4);
    let (id, watch) = host.for_two(&ann, &bob, &friends()).await;
    let table = format!("/m/{id}/mine");
    assert_eq!(ann.say(&table, "good luck").await, 200);
    assert_eq!(cat.say(&watch, "red is lost").await, 200);
    assert!(bob.hear(&table).await.contains("good luck") && ann.hear(&table).await.contains("good luck"));
    assert!(cat.hear(&watch).await.contains("red is lost"));
    for (who, path) in [(&cat, &watch), (&stranger, &watch)] {
        assert!(!who.hear(path).await.contains("good luck"), "those who watch don't read the players");
    }
    // Players, also those who open the link for watching, and strangers, who could be players.
    for (who, path) in [(&ann, &table), (&bob, &table), (&ann, &watch), (&stranger, &watch)] {
        assert!(!who.hear(path).await.contains("red is lost"), "players don't read those who watch");
    }
    assert_eq!(stranger.say(&watch, "hello").await, 403);
    assert_eq!(ann.say(&watch, "hello").await, 403, "a player talks from the seat");
    assert_eq!(cat.get(&format!("{table}/talk")).await.status, 404, "nobody talks from a seat of others");

    let revision = host.lobby.find(&id).await.expect("there").lock().await.revision;
    let over = ann.json(&format!("{table}/deed"), &json!({ "deed": "resign", "revision": revision })).await;
    assert_eq!(over.status, 200, "{}", over.text);
    for (who, path) in [(&ann, &table), (&bob, &table), (&cat, &watch), (&stranger, &watch)] {
        let all = who.hear(path).await;
        assert!(all.contains("good luck") && all.contains("red is lost"), "{all}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guests_talk_under_the_name_of_their_seat_and_words_are_only_words() {
    let host = Host::start(Entry::Open).await;
    let (id, red) = host.a_match(&friends(), 0).await;
    let found = host.lobby.find(&id).await.expect("there");
    let blue = format!("/m/{id}/{}", found.keys.seat(Seat(1)).expect("a link"));
    let (first, second) = (host.browser(1), host.browser(2));
    assert_eq!(first.say(&red, "<b onclick=x>bold</b>\nand \u{202e}more").await, 200);
    let heard = second.hear(&blue).await;
    assert!(heard.contains("Red") && heard.contains("&lt;b onclick=x&gt;bold&lt;/b&gt; and more"), "{heard}");
    assert!(!heard.contains("<b onclick"), "{heard}");
    assert!(first.hear(&red).await.contains("You"), "one's own");
    assert_eq!(first.say(&red, &"x".repeat(501)).await, 422);
    assert_eq!(first.say(&red, "  \n ").await, 422);
    let mut refused = 0;
    for _ in 0..60 {
        refused += usize::from(first.say(&red, "again").await == 429);
    }
    assert!(refused > 0, "nobody talks without end");
    assert_eq!(second.say(&blue, "and I?").await, 200, "others are not held up by that");
    // Where it was chosen that nobody talks, nobody does.
    let (_, quiet) = host.a_match(&NewMatch { is_quiet: true, ..friends() }, 0).await;
    assert_eq!(first.say(&quiet, "hello").await, 422);
    let page = first.get(&quiet).await.text;
    assert!(!page.contains("say-form") && page.contains("note-text"), "{page}");
    // One person alone has none of this.
    let (_, alone) = host.a_match(&cards(&["friend", "bot:greedy"], ""), 0).await;
    let page = first.get(&alone).await.text;
    assert!(!page.contains("panel-talk") && !page.contains("id=\"presence\""), "{page}");
    assert_eq!(first.say(&alone, "hello?").await, 422);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_muted_or_blocked_is_not_read() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, _) = host.for_two(&ann, &bob, &friends()).await;
    let table = format!("/m/{id}/mine");
    assert_eq!(bob.say(&table, "you are slow").await, 200);
    for kind in ["mute", "block"] {
        assert!(ann.hear(&table).await.contains("you are slow"));
        let set = |on: &'static str| [("name", "bob"), ("kind", kind), ("on", on)];
        assert_eq!(ann.post("/people", &set("yes")).await.status, 303);
        assert!(!ann.hear(&table).await.contains("you are slow"), "{kind}");
        assert!(bob.hear(&table).await.contains("you are slow"), "nobody is told");
        let page = ann.get("/people").await.text;
        assert!(page.contains("Bob"), "{page}");
        assert!(!bob.get("/people").await.text.contains("Ann"));
        assert_eq!(ann.post("/people", &set("no")).await.status, 303);
    }
    for (name, kind) in [("nobody-here", "mute"), ("Ann", "mute"), ("Bob", "hate")] {
        assert_eq!(ann.post("/people", &[("name", name), ("kind", kind), ("on", "yes")]).await.status, 422);
    }
    assert_eq!(host.browser(3).get("/people").await.status, 303, "for those who are signed in");
    // The house has muted somebody: they read, and don't write.
    let bobs = host.account("Bob");
    let until = host.clock.now() + DAY;
    host.lobby.with_accounts(move |people| people.silence(bobs, Some(until))).await.expect("stored");
    let told = bob.json(&format!("{table}/talk"), &json!({ "text": "hello" })).await;
    assert!(told.status == 422 && told.text.contains("muted you"), "{}", told.text);
    assert!(bob.get("/people").await.text.contains("For 1 day"));
    assert!(bob.hear(&table).await.contains("you are slow"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_lines_that_one_can_read_are_reported_and_only_once() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob, cat) =
        (host.member("Ann", 1).await, host.member("Bob", 2).await, host.member("Cat", 3).await);
    let (id, watch) = host.for_two(&ann, &bob, &friends()).await;
    let table = format!("/m/{id}/mine");
    bob.say(&table, "a bad word").await;
    let report = |n: u32| json!({ "n": n, "why": "it hurts" });
    let at = |path: &str| format!("{path}/talk/report");
    assert_eq!(cat.json(&at(&watch), &report(1)).await.status, 422, "not what one can't read");
    assert_eq!(bob.json(&at(&table), &report(1)).await.status, 422, "not one's own");
    assert_eq!(ann.json(&at(&table), &report(9)).await.status, 422, "nothing that is not there");
    assert_eq!(host.browser(4).json(&at(&watch), &report(1)).await.status, 422, "by name only");
    assert_eq!(ann.json(&at(&table), &report(1)).await.status, 200);
    assert_eq!(ann.json(&at(&table), &report(1)).await.status, 422, "once");
    let open = host.lobby.with_accounts(|people| people.reports(false, 9)).await.expect("read");
    assert_eq!(
        (open.len(), open[0].report.text.as_str(), open[0].report.about),
        (1, "a bad word", Some(host.account("Bob")))
    );
    let page = ann.get("/people").await.text;
    assert!(page.contains("a bad word") && page.contains("waits for an answer"), "{page}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn notes_are_read_by_nobody_else() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, watch) = host.for_two(&ann, &bob, &friends()).await;
    let table = format!("/m/{id}/mine");
    let noted = ann.json(&format!("{table}/note"), &json!({ "text": "hold the river\n</textarea>" })).await;
    assert_eq!(noted.status, 200, "{}", noted.text);
    let own = ann.get(&table).await.text;
    assert!(own.contains("hold the river\n&lt;/textarea&gt;"), "{own}");
    for (who, path) in [(&bob, &table), (&bob, &watch), (&ann, &watch)] {
        assert!(!who.get(path).await.text.contains("hold the river"));
    }
    assert_eq!(ann.json(&format!("{watch}/note"), &json!({ "text": "x" })).await.status, 403);
    assert_eq!(ann.json(&format!("{table}/note"), &json!({ "text": "x".repeat(4_001) })).await.status, 422);
    // Whoever gets the seat does not get them.
    let released = ann.post(&format!("{table}/release"), &[]).await;
    let link = released.location().to_owned();
    assert!(!host.browser(3).get(&link).await.text.contains("hold the river"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_hear_that_something_was_said_and_who_is_here() {
    let host = Host::start(Entry::Open).await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let (id, _) = host.for_two(&ann, &bob, &friends()).await;
    let found = host.lobby.find(&id).await.expect("there");
    let revision = found.lock().await.revision;
    let (mut blue, _) = found.lock().await.subscribe(Viewer::Seat(Seat(1)), Some(revision));
    let (mut watching, missed) = found.lock().await.subscribe(Viewer::Spectator, Some(revision));
    // The page was drawn before it was here itself.
    assert!(missed.is_some_and(|missed| missed.contains("1 watching")), "whoever comes sees themselves");
    let line = presence::line(&*found.lock().await).into_string();
    assert!(line.contains("<b>Ann</b> <small>Red</small> <span class=\"state\">away"), "{line}");
    assert!(line.contains("<b>Bob</b> <small>Blue</small> <span class=\"state\">here"), "{line}");
    assert!(line.contains("1 watching"), "{line}");
    found.lock().await.publish_presence();
    let told = blue.try_recv().expect("told");
    assert!(told.contains("\"presence\"") && told.contains("Bob"), "{told}");
    found.lock().await.publish_presence();
    assert!(blue.try_recv().is_err(), "what has not changed is not sent");
    ann.say(&format!("/m/{id}/mine"), "hello").await;
    assert_eq!(blue.try_recv().as_deref(), Ok("{\"talk\":1}"));
    assert!(watching.try_recv().is_err(), "those who watch don't even learn that something was said");
    drop(blue);
    let line = presence::line(&*found.lock().await).into_string();
    assert!(!line.contains("here</span>"), "{line}");
}
