//! The channels of an account: added, changed, tested, removed, and who can do that.

use std::path::Path;
use std::sync::Arc;

use post::{Reach, unsubscribe_token};
use store::{ChannelId, NoticeKind, NoticeState, Post as _, SqliteStore};

use super::town::{ANN, HOUR, MINUTE, Town, add, between, bid, member, path_in};
use crate::accounts::tests::host::{DAY, GOOD, Host, START};
use crate::clock::Clock;

const MAIL: [(&str, &str); 1] = [("kind", "mail")];
const KEYS: &str = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4 \
                    BTBZMqHH6r4Tts7J_aSIgg";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn channels_are_added_tested_changed_and_removed() {
    let town = Town::new();
    let host = town.open().await;
    let ann = host.member("Ann", 1).await;
    assert_eq!(host.browser(3).get("/account/notices").await.status, 303, "who is not logged in");
    let refused = ann.post("/account/notices", &MAIL).await;
    assert!(refused.status == 422 && refused.text.contains("confirm your mail address"), "{}", refused.text);
    for (fields, why) in [
        (vec![("kind", "fax")], "Choose by what"),
        (vec![("kind", "slack"), ("address", "ftp://hooks.example/x")], "must begin with https://"),
        (vec![("kind", "discord"), ("address", "https://me:hush@hooks.example/x")], "no user name"),
        (
            vec![("kind", "json"), ("address", "https://hooks.example/x"), ("secret", "short")],
            "at least 16 letters",
        ),
        (
            vec![("kind", "push"), ("address", "https://push.example/x"), ("secret", "x y")],
            "subscription can't be read",
        ),
    ] {
        let refused = ann.post("/account/notices", &fields).await;
        assert!(refused.status == 422 && refused.text.contains(why), "{fields:?}: {}", refused.text);
    }
    let long = "https://hooks.example/".to_owned() + &"x".repeat(1_000);
    assert_eq!(ann.post("/account/notices", &[("kind", "slack"), ("address", &long)]).await.status, 422);
    assert!(town.post.channels(ANN).expect("answers").is_empty());

    let url = |name: &str| town.web.url(&format!("/{name}"));
    let mut numbers = Vec::new();
    for (kind, secret) in [
        ("discord", ""),
        ("slack", ""),
        ("ntfy", "token"),
        ("json", "a key of sixteen letters"),
        ("push", KEYS),
    ] {
        let fields = [("kind", kind), ("address", &url(kind)), ("secret", secret)];
        numbers.push(add(&town, &ann, ANN, &fields).await);
    }
    for number in &numbers {
        let tested = ann.post(&format!("/account/notices/{number}/test"), &[]).await;
        assert_eq!(tested.location(), "/account/notices?done=test", "{}", tested.text);
    }
    let tests = town.hooks(5).await;
    let paths: Vec<&str> = tests.iter().map(|test| test.line.split(' ').nth(1).expect("a path")).collect();
    assert_eq!(paths, ["/discord", "/slack", "/ntfy", "/json", "/push"]);
    assert_eq!(tests[2].header("Authorization"), "Bearer token");
    assert_eq!(tests[4].header("Content-Encoding"), "aes128gcm");
    assert!(tests[..4].iter().all(|test| String::from_utf8_lossy(&test.body).contains("This is a test")));

    // What is chosen stays, and so does what the page does not ask about.
    let wishes = [("kind.turn", "on"), ("quiet-from", "22:00"), ("quiet-to", "07:00"), ("digest", "18:15")];
    assert_eq!(ann.post(&format!("/account/notices/{}/wishes", numbers[0]), &wishes).await.status, 303);
    let kept = town.post.channel(ChannelId(numbers[0])).expect("answers").expect("there").channel.wishes;
    assert_eq!(kept.kinds.into_iter().collect::<Vec<_>>(), [NoticeKind::Turn]);
    assert_eq!(
        (kept.quiet.map(|quiet| (quiet.from, quiet.to)), kept.digest),
        (Some((1320, 420)), Some(1095))
    );
    let page = ann.get("/account/notices").await.text;
    assert!(page.contains("value=\"22:00\"") && page.contains("value=\"18:15\""), "{page}");
    assert!(
        !page.contains("a key of sixteen letters") && !page.contains("token\""),
        "keys are not shown again"
    );
    let export = ann.get("/account/export").await.text;
    assert!(export.contains("\"by\":\"discord\"") && !export.contains("a key of sixteen"), "{export}");
    assert!(ann.account().await.expect("signed in").contains("JSON hook"));
    for number in &numbers {
        assert_eq!(ann.post(&format!("/account/notices/{number}/remove"), &[]).await.status, 303);
    }
    assert!(town.post.channels(ANN).expect("answers").is_empty());
    for n in 0..store::MOST_CHANNELS {
        add(&town, &ann, ANN, &[("kind", "slack"), ("address", &url(&n.to_string()))]).await;
    }
    let full = ann.post("/account/notices", &[("kind", "slack"), ("address", &url("more"))]).await;
    assert!(full.status == 422 && full.text.contains("remove one first"), "{}", full.text);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_touches_the_channels_of_another_or_tests_without_end() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (host.member("Ann", 1).await, host.member("Bob", 2).await);
    let url = town.web.url("/hook");
    let number = add(&town, &ann, ANN, &[("kind", "slack"), ("address", &url)]).await;
    for act in ["wishes", "mend", "remove"] {
        assert_eq!(bob.post(&format!("/account/notices/{number}/{act}"), &[]).await.status, 404, "{act}");
    }
    let test = format!("/account/notices/{number}/test");
    let refused = bob.post(&test, &[]).await;
    assert!(refused.status == 422 && refused.text.contains("no such channel"), "{}", refused.text);
    assert!(!bob.get("/account/notices").await.text.contains("data-channel"));
    assert!(town.web.take().is_empty());
    for _ in 0..3 {
        assert_eq!(ann.post(&test, &[]).await.status, 303);
    }
    let again = ann.post(&test, &[]).await;
    assert!(again.status == 429 && again.text.contains("try again later"), "{}", again.text);
    assert_eq!(town.hooks(3).await.len(), 3);
    host.clock.turn(HOUR);
    town.web.answer(&["500 Broken"]);
    let broken = ann.post(&test, &[]).await;
    assert!(broken.status == 422 && broken.text.contains("status 500"), "{}", broken.text);
}

/// What a house does that was started from the command line: it reaches nothing but public addresses.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hook_reaches_nothing_on_this_machine() {
    let town = Town::new();
    let house = post::House { reach: Reach::Public, ..town.house() };
    let host = Host::posting(Arc::clone(&town.store), town.clock.clone(), &house).await;
    let ann = host.member("Ann", 1).await;
    let plain = ann.post("/account/notices", &[("kind", "slack"), ("address", &town.web.url("/x"))]).await;
    assert!(plain.status == 422 && plain.text.contains("must begin with https://"), "{}", plain.text);
    let port = town.web.server.address.port();
    for name in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "10.0.0.1"] {
        let url = format!("https://{name}:{port}/x");
        let number = add(&town, &ann, ANN, &[("kind", "slack"), ("address", &url)]).await;
        let test = ann.post(&format!("/account/notices/{number}/test"), &[]).await;
        assert_eq!(test.status, 422, "{name}");
        assert!(test.text.contains("no public address of that name was found"), "{name}: {}", test.text);
    }
    assert!(town.web.take().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_in_a_mail_ends_the_mails_and_does_nothing_else() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (member(&town, &host, "Ann", 1).await, host.member("Bob", 2).await);
    let mail = add(&town, &ann, ANN, &MAIL).await;
    let hook = add(&town, &ann, ANN, &[("kind", "slack"), ("address", &town.web.url("/x"))]).await;
    let (id, _) = between(&host, &ann, &bob, "").await;
    bid(&host, &bob, &id).await;
    host.clock.turn(3 * MINUTE);
    let path = path_in(&town.one_mail().await.header("List-Unsubscribe").replace('>', " "));
    assert!(path.starts_with("/unsubscribe/"), "{path}");
    let stranger = host.browser(9);
    for _ in 0..2 {
        let page = stranger.get(&path).await;
        assert!(page.status == 200 && page.text.contains("No more of these mails?"), "{}", page.text);
    }
    assert_eq!(town.post.channels(ANN).expect("answers").len(), 2, "programs open links");
    // As the button of a mail program does it: from anywhere, without a cookie, in either form.
    let one_click = async |path: &str, kind: &str| {
        let headers =
            [("Content-Type", kind), ("Origin", "https://mail.example"), ("Sec-Fetch-Site", "cross-site")];
        stranger.send("POST", path, &headers, "List-Unsubscribe=One-Click").await
    };
    for kind in ["application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
        let done = one_click(&path, kind).await;
        assert!(
            done.status == 200 && done.text.contains("No more notices"),
            "{}: {}",
            done.status,
            done.text
        );
    }
    let left: Vec<u64> = town.post.channels(ANN).expect("answers").iter().map(|one| one.id.0).collect();
    assert_eq!(left, [hook], "the other channel stays");
    // What the house has not made ends nothing.
    let forged = unsubscribe_token("another house", ANN, ChannelId(hook));
    for token in [forged.as_str(), "x", "a1-2-"] {
        for answer in [
            one_click(&format!("/unsubscribe/{token}"), "text/plain").await,
            stranger.get(&format!("/unsubscribe/{token}")).await,
        ] {
            assert_eq!(answer.status, 404, "{token}");
        }
    }
    assert_eq!(town.post.channels(ANN).expect("answers").len(), 1);
    // The exception is for this path alone.
    let elsewhere = one_click(&format!("/account/notices/{mail}/remove"), "text/plain").await;
    assert_eq!(elsewhere.status, 403);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_channel_that_fails_is_told_on_the_page_and_by_the_others() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (member(&town, &host, "Ann", 1).await, host.member("Bob", 2).await);
    let hook = add(&town, &ann, ANN, &[("kind", "slack"), ("address", &town.web.url("/x"))]).await;
    let mail = add(&town, &ann, ANN, &MAIL).await;
    // The mail carries nothing but what everybody is always told.
    ann.post(&format!("/account/notices/{mail}/wishes"), &[("digest", "")]).await;
    town.web.answer(&["500 Broken"; 4]);
    let (id, _) = between(&host, &ann, &bob, "").await;
    bid(&host, &bob, &id).await;
    for (tries, wait) in (1..).zip([3 * MINUTE, 10_000, MINUTE, 10 * MINUTE]) {
        assert!(!ann.get("/account/notices").await.text.contains("Switched off"));
        host.clock.turn(wait);
        assert_eq!(town.hooks(1).await.len(), 1);
        town.failed(ANN, NoticeKind::Turn, tries).await;
    }
    let told = town.one_mail().await;
    assert!(told.text.contains("by Slack could not be delivered"), "{}", told.text);
    let page = ann.get("/account/notices").await.text;
    assert!(
        page.contains("Switched off") && page.contains("the other side answered with status 500"),
        "{page}"
    );
    assert!(ann.account().await.expect("signed in").contains("could not be reached"));
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Failed]);
    assert_eq!(ann.post(&format!("/account/notices/{hook}/mend"), &[]).await.status, 303);
    assert!(!ann.get("/account/notices").await.text.contains("Switched off"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quiet_hours_hold_back_in_the_zone_of_the_account() {
    let town = Town::new();
    let host = town.open().await;
    let (ann, bob) = (member(&town, &host, "Ann", 1).await, host.member("Bob", 2).await);
    let number = add(&town, &ann, ANN, &MAIL).await;
    // It is 14:13 in London and 16:13 in Berlin.
    ann.post("/account/zone", &[("zone", "Europe/Berlin")]).await;
    let wishes = [("kind.turn", "on"), ("quiet-from", "16:00"), ("quiet-to", "18:00")];
    ann.post(&format!("/account/notices/{number}/wishes"), &wishes).await;
    let (id, _) = between(&host, &ann, &bob, "").await;
    bid(&host, &bob, &id).await;
    host.clock.turn(3 * MINUTE);
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Addressed]);
    let evening = START - START % DAY + 16 * HOUR;
    host.clock.put(evening - 1);
    assert_eq!(town.settled(ANN, NoticeKind::Turn).await, [NoticeState::Addressed]);
    assert!(town.mail.take().is_empty());
    host.clock.put(evening);
    assert!(town.one_mail().await.text.contains("Your turn in"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn mails_follow_the_address_of_the_account() {
    let town = Town::new();
    let host = town.open().await;
    let ann = member(&town, &host, "Ann", 1).await;
    add(&town, &ann, ANN, &MAIL).await;
    let addresses = || -> Vec<String> {
        let channels = town.post.channels(ANN).expect("answers");
        channels.into_iter().map(|record| record.channel.address).collect()
    };
    ann.post("/account/mail", &[("mail", "anna@new.example"), ("password", GOOD)]).await;
    let letter = town.one_mail().await;
    assert_eq!(addresses(), ["ann@home.example"], "not before it is confirmed");
    ann.post(&path_in(&letter.text), &[]).await;
    assert_eq!(addresses(), ["anna@new.example"]);
    assert_eq!(town.one_mail().await.to, "ann@home.example", "the old address is told");
    ann.post("/account/mail", &[("mail", ""), ("password", GOOD)]).await;
    assert!(addresses().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forgotten_password_is_asked_for_by_letter_which_is_tried_again() {
    let town = Town::new();
    let host = town.open().await;
    let ann = member(&town, &host, "Ann", 1).await;
    town.mail.refuse(&["451 come back later"]);
    assert_eq!(host.browser(5).post("/reset", &[("name", "Ann")]).await.status, 200);
    super::town::wait("the refusal", || town.mail.says_yes()).await;
    assert!(town.mail.take().is_empty());
    // Not before ten seconds have passed, by the clock of the house.
    let letter = town.mail_after(10_000).await;
    assert_eq!(letter.to, "ann@home.example");
    assert_eq!(letter.header("List-Unsubscribe"), "", "nobody can unsubscribe from what they have asked for");
    let reset = ann.post(&path_in(&letter.text), &[("password", "another fine sentence")]).await;
    assert_eq!(reset.status, 303, "{}", reset.text);
    // A house without a mail server offers nothing that needs a letter.
    let silent = post::House { mail_server: None, ..town.house() };
    let silent = Host::posting(Arc::clone(&town.store), Clock::by_hand(START), &silent).await;
    let page = silent.browser(6).get("/login").await.text;
    assert!(!page.contains("href=\"/reset\""), "{page}");
    let visitor = silent.browser(7);
    visitor.post("/login", &[("name", "Ann"), ("password", "another fine sentence")]).await;
    let page = visitor.get("/account/notices").await.text;
    assert!(!page.contains("By mail") && page.contains("By a hook"), "{page}");
    assert!(visitor.account().await.expect("signed in").contains("can't send mail"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn push_needs_a_worker_of_our_own_and_nothing_looser() {
    let town = Town::new();
    let host = town.open().await;
    let ann = host.member("Ann", 1).await;
    let page = ann.get("/account/notices").await;
    let policy = page.header("content-security-policy").expect("a policy").to_owned();
    assert!(policy.contains("worker-src 'self';") && policy.contains("default-src 'self';"), "{policy}");
    assert_eq!(policy.matches("'self'").count(), 7, "as everywhere, and the worker: {policy}");
    assert!(page.text.contains("data-key=\"B") && page.text.contains("href=\"/manifest.webmanifest\""));
    let worker = ann.get("/notices-worker.js").await;
    assert_eq!(worker.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(worker.header("cache-control"), Some("no-cache"), "a newer one is found");
    let manifest: serde_json::Value =
        serde_json::from_str(&ann.get("/manifest.webmanifest").await.text).expect("JSON");
    assert_eq!((&manifest["start_url"], &manifest["scope"]), (&"/turns".into(), &"/".into()));
    let quiet = post::House { contact: None, ..town.house() };
    let quiet = Host::posting(Arc::clone(&town.store), Clock::by_hand(START), &quiet).await;
    let visitor = quiet.browser(7);
    visitor.post("/login", &[("name", "Ann"), ("password", GOOD)]).await;
    assert!(!visitor.get("/account/notices").await.text.contains("id=\"push\""));
}

fn contains(folder: &Path, text: &str) -> bool {
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut bytes = files.map(|file| std::fs::read(file.expect("a file").path()).expect("readable"));
    bytes.any(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes()))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_leaves_no_address_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let town = Town::new();
    let store = Arc::new(SqliteStore::open(folder.path()).expect("opens"));
    let host = Host::posting(store, town.clock.clone(), &town.house()).await;
    let ann = host.member("Ann", 1).await;
    let fields =
        [("kind", "ntfy"), ("address", "https://ntfy.example/secret-topic"), ("secret", "tk_hushhush")];
    assert_eq!(ann.post("/account/notices", &fields).await.status, 303);
    assert!(contains(folder.path(), "secret-topic") && contains(folder.path(), "tk_hushhush"));
    ann.post("/account/delete", &[("password", GOOD)]).await;
    host.clock.turn(7 * DAY + 1);
    host.accounts.sweep(&host.lobby).await;
    assert!(!contains(folder.path(), "secret-topic") && !contains(folder.path(), "tk_hushhush"));
}
