//! What is told, when, and when not any more.

use serde_json::Value;
use store::{NoticeKey, NoticeKind, NoticeState, Post as _};

use super::town::{ANN, BOB, HOUR, MINUTE, Town, Window, add, between, bid, deed, member, wait};
use crate::lobby::Requester;

const MAIL: [(&str, &str); 1] = [("kind", "mail")];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn your_turn_comes_by_mail_and_by_a_hook() {
    let town = Town::new();
    let host = town.open().await;
    let ann = member(&town, &host, "Ann", 1).await;
    let bob = host.member("Bob", 2).await;
    add(&town, &ann, ANN, &MAIL).await;
    let url = town.web.url("/hook");
    add(&town, &ann, ANN, &[("kind", "json"), ("address", &url), ("secret", "a key of sixteen letters")])
        .await;
    let (id, mine) = between(&host, &ann, &bob, "").await;
    bid(&host, &bob, &id).await;
    // She might still see it for herself.
    host.clock.turn(3 * MINUTE - 1);
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Waiting]);
    host.clock.turn(1);
    let (mail, hooks) = (town.one_mail().await, town.hooks(1).await);
    assert_eq!(mail.to, "ann@home.example");
    assert!(mail.text.contains("Subject:") && mail.text.contains("Winter war"), "{}", mail.text);
    assert!(mail.text.contains(&format!("https://war.example{mine}")), "{}", mail.text);
    assert_eq!(mail.header("List-Unsubscribe-Post"), "List-Unsubscribe=One-Click");
    let hook: Value = serde_json::from_slice(&hooks[0].body).expect("JSON");
    assert_eq!(hook["title"], "Your turn in “Winter war” (Cards).");
    assert_eq!(
        (&hook["items"][0]["kind"], &hook["items"][0]["match"]),
        (&"turn".into(), &id.as_str().into())
    );
    assert_eq!(hooks.len(), 1);
    assert!(hooks[0].header("Maproom-Signature").starts_with("sha256="));
    assert!(!mail.text.contains("bid") && !hook.to_string().contains("bid"), "no word of what was played");
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Sent]);
    // Bob has chosen before his was due, and has no channel either.
    assert_eq!(town.states(BOB, NoticeKind::Turn), [NoticeState::Moot]);
    // Once for each time that it is her turn.
    host.clock.turn(HOUR);
    town.settled(ANN, NoticeKind::Turn).await;
    assert!(town.mail.take().is_empty() && town.web.take().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_told_what_they_have_done_or_see_for_themselves() {
    let town = Town::new();
    let host = town.open().await;
    let ann = member(&town, &host, "Ann", 1).await;
    let bob = host.member("Bob", 2).await;
    add(&town, &ann, ANN, &MAIL).await;
    let (id, mine) = between(&host, &ann, &bob, "").await;
    bid(&host, &bob, &id).await;
    bid(&host, &ann, &id).await;
    assert_eq!(town.states(ANN, NoticeKind::Turn), [NoticeState::Moot], "she has chosen");

    // A window that can be seen.
    let mut window = Window::open(&host, &ann, &mine).await;
    let desk = &host.accounts.notices().expect("notices").postman().desk;
    let (account, match_id, kind) = (ANN, id.clone(), NoticeKind::Turn);
    let key = NoticeKey { account, match_id, seat: 1, stint: 0, kind };
    assert!(!desk.is_looking(&key), "it has not said that it can be seen");
    window.say("shown").await;
    wait("the window", || desk.is_looking(&key)).await;
    bid(&host, &bob, &id).await;
    host.clock.turn(3 * MINUTE);
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Moot; 2]);
    bid(&host, &ann, &id).await;

    // The same window behind others: with the next match she is told again.
    window.say("hidden").await;
    wait("the window", || !desk.is_looking(&key)).await;
    let (other, _) = between(&host, &ann, &bob, "").await;
    bid(&host, &bob, &other).await;
    // One that is open on another match says nothing about this one.
    window.say("shown").await;
    wait("the window", || desk.is_looking(&key)).await;
    host.clock.turn(3 * MINUTE);
    assert!(town.one_mail().await.text.contains(&format!("/m/{other}/mine")));
    drop(window);
    wait("the window to close", || !desk.is_looking(&key)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_due_together_is_one_message_without_what_has_passed() {
    let town = Town::new();
    let host = town.open().await;
    let ann = member(&town, &host, "Ann", 1).await;
    let bob = host.member("Bob", 2).await;
    add(&town, &ann, ANN, &MAIL).await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        let (id, _) = between(&host, &ann, &bob, "daily").await;
        bid(&host, &bob, &id).await;
        ids.push(id);
    }
    // In one of them a bot plays for her, one is deleted, one goes on.
    let found = host.lobby.find(&ids[0]).await.expect("there");
    let by = Requester { viewer: kernel::Viewer::Seat(kernel::Seat(1)), owns_lobby: false };
    host.lobby.hand_over(&found, by, kernel::Seat(1), Some("greedy".to_owned())).await.expect("handed over");
    let (gone, now) = (ids[1].clone(), host.clock.now());
    host.lobby.with_store(move |store| store.mark_deleted(&gone, Some(now))).await.expect("deleted");
    host.clock.turn(3 * MINUTE);
    let mail = town.one_mail().await;
    assert!(mail.text.contains(&ids[2]) && !mail.text.contains(&ids[0]) && !mail.text.contains(&ids[1]));
    assert!(mail.text.contains("until"), "the time that she has: {}", mail.text);
    let turns = town.settled(ANN, NoticeKind::Turn).await;
    assert_eq!(turns.iter().filter(|state| **state == NoticeState::Sent).count(), 1, "{turns:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_house_that_is_killed_forgets_nothing_and_tells_nothing_twice() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (member(&town, &host, "Ann", 1).await, host.member("Bob", 2).await);
    add(&town, &ann, ANN, &MAIL).await;
    let (id, _) = between(&host, &ann, &bob, "").await;
    bid(&host, &bob, &id).await;
    let cookies = [ann.cookie(), bob.cookie()];
    drop((ann, bob));
    host.kill().await;
    town.clock.turn(3 * MINUTE);
    assert!(town.mail.take().is_empty(), "nobody is there to send it");
    let host = town.open().await;
    assert!(town.one_mail().await.text.contains(&id));
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Sent]);
    host.kill().await;
    town.clock.turn(HOUR);

    // A choice that is made after the start cancels what was planned before.
    let host = town.open().await;
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Sent]);
    let (ann, bob) = (host.browser(1), host.browser(2));
    ann.set_cookie(&cookies[0]);
    bob.set_cookie(&cookies[1]);
    bid(&host, &ann, &id).await;
    bid(&host, &bob, &id).await;
    drop((ann, bob));
    host.kill().await;
    let host = town.open().await;
    let ann = host.browser(1);
    ann.set_cookie(&cookies[0]);
    bid(&host, &ann, &id).await;
    town.clock.turn(HOUR);
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Sent, NoticeState::Moot]);
    // With her choice the match was over, and of that alone she is told.
    assert!(town.one_mail().await.text.contains("is over"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reminders_come_while_time_runs() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (member(&town, &host, "Ann", 1).await, host.member("Bob", 2).await);
    let number = add(&town, &ann, ANN, &MAIL).await;
    let wishes = ["turn", "half", "fifth", "last", "flagged"].map(|kind| format!("kind.{kind}"));
    let wishes = wishes.each_ref().map(|kind| (kind.as_str(), "on"));
    assert_eq!(ann.post(&format!("/account/notices/{number}/wishes"), &wishes).await.status, 303);
    let (id, _) = between(&host, &ann, &bob, "daily").await;
    bid(&host, &bob, &id).await;
    let planned = town.post.notices(ANN).expect("answers");
    let mut planned: Vec<_> = planned.iter().map(|notice| (notice.due_at, notice.key.kind)).collect();
    planned.sort_unstable();
    let kinds: Vec<_> = planned.iter().map(|(_, kind)| *kind).collect();
    assert_eq!(kinds, [NoticeKind::Turn, NoticeKind::Half, NoticeKind::Fifth, NoticeKind::Last]);
    for (due_at, kind) in planned {
        host.clock.put(due_at);
        let mail = town.one_mail().await;
        let begins = match kind {
            NoticeKind::Turn => "Your turn in",
            NoticeKind::Last => "Last reminder:",
            _ => "Still your turn in",
        };
        assert!(mail.text.contains(begins), "{kind:?}: {}", mail.text);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whose_time_has_run_out_is_told() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (member(&town, &host, "Ann", 1).await, host.member("Bob", 2).await);
    add(&town, &ann, ANN, &MAIL).await;
    let (id, _) = between(&host, &ann, &bob, "sitting").await;
    bid(&host, &bob, &id).await;
    // The house is awake all the while, or it would be an outage. Nobody is reminded in a sitting.
    for _ in 0..100 {
        host.clock.turn(29_000);
        host.lobby.sweep_deadlines().await.expect("swept");
    }
    // Whether the postman looked in between or not: that it was her turn has passed, that her time is up has not.
    while !town.mails(1).await.iter().any(|mail| mail.text.contains("has run out")) {}
    assert_eq!(town.states(ANN, NoticeKind::Half), [], "no reminders");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn offers_the_end_and_the_next_match_are_told() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (member(&town, &host, "Ann", 1).await, host.member("Bob", 2).await);
    add(&town, &ann, ANN, &MAIL).await;
    let (id, mine) = between(&host, &ann, &bob, "").await;
    deed(&host, &bob, &id, "\"deed\":\"draw\"").await;
    host.clock.turn(3 * MINUTE);
    assert!(town.one_mail().await.text.contains("awaits your answer"));
    let offer = host.lobby.find(&id).await.expect("there").lock().await.revision;
    deed(&host, &ann, &id, &format!("\"deed\":\"no\",\"offer\":{offer}")).await;
    // One that is answered before it is due is told to nobody.
    bid(&host, &bob, &id).await;
    deed(&host, &bob, &id, "\"deed\":\"draw\"").await;
    deed(&host, &ann, &id, &format!("\"deed\":\"no\",\"offer\":{}", offer + 3)).await;
    assert_eq!(town.settled(ANN, NoticeKind::Offer).await, [NoticeState::Sent, NoticeState::Moot]);
    deed(&host, &bob, &id, "\"deed\":\"resign\"").await;
    assert!(town.one_mail().await.text.contains("is over"));
    assert_eq!(
        town.settled(ANN, NoticeKind::Turn).await,
        [NoticeState::Moot],
        "no turn in a match that is over"
    );

    // The creator, who only watches, starts it again: both are asked to it, and told when the last has come.
    let found = host.lobby.find(&id).await.expect("there");
    let by = Requester { viewer: kernel::Viewer::Spectator, owns_lobby: true };
    let (next, _) = host.lobby.rematch(&found, by, false).await.expect("started");
    host.clock.turn(3 * MINUTE);
    let mail = town.one_mail().await;
    assert!(mail.text.contains("You are invited to") && mail.text.contains(&next), "{}", mail.text);
    let mine = mine.replace(&id, &next);
    let first = Window::open(&host, &ann, &mine).await;
    assert_eq!(town.settled(ANN, NoticeKind::Started).await, []);
    let last = Window::open(&host, &bob, &mine).await;
    assert!(town.one_mail().await.text.contains("has started"));
    drop((first, last));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_asked_to_a_table_is_told_unless_they_have_answered() {
    let town = Town::new();
    let host = town.open().await;
    let ann = member(&town, &host, "Ann", 1).await;
    let bob = host.member("Bob", 2).await;
    add(&town, &ann, ANN, &MAIL).await;
    let form =
        [("game", "cards"), ("seat.0", "me"), ("seat.1", "friend"), ("name", "Friday"), ("invite", "ann")];
    let table = bob.post("/tables", &form).await.location().to_owned();
    host.clock.turn(3 * MINUTE - 1);
    assert_eq!(town.settled(ANN, NoticeKind::Invited).await, [NoticeState::Waiting]);
    host.clock.turn(1);
    let mail = town.one_mail().await;
    assert!(mail.text.contains("Bob invites you to") && mail.text.contains("Friday"), "{}", mail.text);
    assert!(mail.text.contains(&format!("https://war.example{table}")), "{}", mail.text);
    // Declined and asked again, she hears of it again; not if she has sat down by then.
    assert_eq!(ann.post(&format!("{table}/leave"), &[]).await.status, 303);
    let again = [("seat", "1"), ("wish", "named"), ("name", "Ann")];
    assert_eq!(bob.post(&format!("{table}/seat"), &again).await.status, 303);
    assert_eq!(ann.post(&format!("{table}/sit"), &[("seat", "1")]).await.status, 303);
    host.clock.turn(3 * MINUTE);
    // The match has begun with that, and she is told of it, as she has not opened it yet: of the table not again.
    let mail = town.one_mail().await;
    assert!(mail.text.contains("You are invited to") && !mail.text.contains("/tables/"), "{}", mail.text);
    let states = town.settled(ANN, NoticeKind::Invited).await;
    let moot = states.iter().filter(|state| **state == NoticeState::Moot).count();
    assert_eq!((moot, states.len()), (1, 3), "{states:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_talked_to_is_told_once_until_they_have_read_it() {
    let town = Town::new();
    let host = town.open().await;
    let ann = member(&town, &host, "Ann", 1).await;
    let bob = host.member("Bob", 2).await;
    let number = add(&town, &ann, ANN, &MAIL).await;
    let wishes = [("kind.chat", "on")];
    assert_eq!(ann.post(&format!("/account/notices/{number}/wishes"), &wishes).await.status, 303);
    let (_, mine) = between(&host, &ann, &bob, "").await;
    let say = async |words: &str| {
        let said = bob.json(&format!("{mine}/talk"), &serde_json::json!({ "text": words })).await;
        assert_eq!(said.status, 200, "{}", said.text);
    };
    say("Good evening").await;
    say("Are you there?").await;
    assert_eq!(town.states(ANN, NoticeKind::Chat), [NoticeState::Waiting], "once");
    assert_eq!(town.states(BOB, NoticeKind::Chat), [], "not whoever says it");
    // She reads it before she would be told.
    let heard = ann.json(&format!("{mine}/talk/heard"), &serde_json::json!({ "n": 2 })).await;
    assert_eq!(heard.status, 200, "{}", heard.text);
    host.clock.turn(3 * MINUTE);
    assert_eq!(town.settled(ANN, NoticeKind::Chat).await, [NoticeState::Moot]);
    say("Hello?").await;
    host.clock.turn(3 * MINUTE);
    let mail = town.one_mail().await;
    assert!(mail.text.contains("Winter war") && !mail.text.contains("Hello"), "{}", mail.text);
    assert_eq!(town.settled(ANN, NoticeKind::Chat).await, [NoticeState::Moot, NoticeState::Sent]);
    // Whom she has muted she does not hear of.
    let mute = [("name", "Bob"), ("kind", "mute"), ("on", "yes")];
    assert_eq!(ann.post("/people", &mute).await.status, 303);
    let heard = ann.json(&format!("{mine}/talk/heard"), &serde_json::json!({ "n": 3 })).await;
    assert_eq!(heard.status, 200, "{}", heard.text);
    say("Hello?").await;
    assert_eq!(town.states(ANN, NoticeKind::Chat).len(), 2);
}
