//! Joining, logging in and out, sessions, passwords.

use people::Entry;
use store::Role;

use super::host::{Answer, DAY, GOOD, HOUR, Host, OTHER};

fn with_password<'a>(name: &'a str, password: &'a str) -> [(&'a str, &'a str); 2] {
    [("name", name), ("password", password)]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_joins_logs_out_and_logs_in_again() {
    let host = Host::start(Entry::Open).await;
    assert!(host.browser(1).get("/join").await.text.contains("Make an account"));
    let ann = host.member("Ann", 1).await;
    assert!(ann.cookie().starts_with("__Host-maproom_session="), "{}", ann.cookie());
    let page = ann.account().await.expect("signed in");
    assert!(page.contains("Firefox on Linux") && page.contains("This browser"), "{page}");
    assert_eq!(ann.get("/login").await.location(), "/turns", "she is in already");
    let cookie = ann.cookie();
    assert_eq!(ann.post("/logout", &[]).await.location(), "/login");
    assert_eq!(ann.cookie(), "");
    ann.set_cookie(&cookie);
    assert!(ann.account().await.is_none(), "the old cookie opens nothing");
    ann.set_cookie("");
    let fields = [("name", "ann"), ("password", GOOD), ("next", "/account")];
    assert_eq!(ann.post("/login", &fields).await.location(), "/account");
    assert!(ann.account().await.is_some());
    let astray = [("name", "ann"), ("password", GOOD), ("next", "//evil.example")];
    assert_eq!(ann.post("/login", &astray).await.location(), "/turns");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_can_t_be_joined_with_is_told_and_the_form_keeps_what_was_typed() {
    let host = Host::start(Entry::Open).await;
    host.member("Ann", 1).await;
    let bob = host.browser(2);
    for (name, password, why) in [
        ("ANN", GOOD, "Somebody has that name"),
        ("Bob", "short", "at least 10 letters"),
        ("Bob", "password123", "first that anybody would try"),
        ("B", GOOD, "3 to 24 letters"),
    ] {
        let answer = bob.post("/join", &with_password(name, password)).await;
        assert_eq!(answer.status, 422, "{name}");
        assert!(answer.text.contains(why) && answer.text.contains(&format!("value=\"{name}\"")), "{name}");
        assert!(!answer.text.contains(password) || password == "short", "a password is never sent back");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_name_and_a_wrong_password_can_t_be_told_apart() {
    let host = Host::start(Entry::Open).await;
    host.member("Ann", 1).await;
    let attempt = async |name: &str, place: u8| -> (u16, String, Option<String>, u64) {
        let before = host.accounts.house().hashes_made();
        let answer: Answer = host.browser(place).post("/login", &with_password(name, OTHER)).await;
        let hashes = host.accounts.house().hashes_made() - before;
        let wait = answer.header("retry-after").map(ToOwned::to_owned);
        (answer.status, answer.text.replace(name, "NAME"), wait, hashes)
    };
    for round in 0..7 {
        let (known, unknown) = (attempt("Ann", 2).await, attempt("Bob", 3).await);
        assert_eq!(known, unknown, "try {round}");
        assert_eq!((known.0, known.3), if round < 5 { (401, 1) } else { (429, 0) });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_tries_passwords_waits_by_the_clock() {
    let host = Host::start(Entry::Open).await;
    host.member("Ann", 1).await;
    let browser = host.browser(2);
    for _ in 0..5 {
        assert_eq!(browser.post("/login", &with_password("Ann", OTHER)).await.status, 401);
    }
    let refused = browser.post("/login", &with_password("Ann", GOOD)).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("2")));
    assert!(refused.text.contains("wait 2 seconds"), "{}", refused.text);
    host.clock.turn(1_999);
    assert_eq!(browser.post("/login", &with_password("Ann", GOOD)).await.status, 429);
    host.clock.turn(1);
    assert_eq!(browser.post("/login", &with_password("Ann", GOOD)).await.status, 303);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_accounts_an_hour_from_one_place() {
    let host = Host::start(Entry::Open).await;
    for name in ["Ann", "Bob", "Cec"] {
        host.member(name, 1).await;
    }
    assert_eq!(host.browser(1).post("/join", &with_password("Dan", GOOD)).await.status, 429);
    host.clock.turn(HOUR);
    host.member("Dan", 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_was_planted_is_never_taken_over() {
    let host = Host::start(Entry::Open).await;
    host.member("Ann", 1).await;
    let attacker = host.member("Mallory", 2).await;
    let planted = attacker.cookie();
    let victim = host.browser(3);
    // The attacker's own session, one that never was, and one of the wrong name.
    let (never, plain) = ("__Host-maproom_session=".to_owned() + &"f".repeat(64), "maproom_session=fff");
    for cookie in [planted.as_str(), never.as_str(), plain] {
        victim.set_cookie(cookie);
        let answer = victim.post("/login", &with_password("Ann", GOOD)).await;
        let set = answer.header("set-cookie").expect("a new session").to_owned();
        assert!(set.contains("HttpOnly") && set.contains("Secure") && set.contains("SameSite=Lax"), "{set}");
        assert_ne!(victim.cookie(), cookie);
        assert!(victim.account().await.expect("signed in").contains("<h2>Ann</h2>"));
        victim.set_cookie(cookie);
        assert!(victim.account().await.is_none(), "what was there before opens nothing: {cookie}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_are_listed_revoked_and_end_by_the_clock() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let phone = host.browser(2);
    phone.post("/login", &with_password("Ann", GOOD)).await;
    let bob = host.member("Bob", 3).await;
    let page = ann.account().await.expect("signed in");
    let number = |page: &str| -> String {
        let rest = page.split("name=\"session\" value=\"").nth(1).expect("a session to end");
        rest.split('"').next().expect("a number").to_owned()
    };
    let phones = number(&page);
    // Nobody ends the session of somebody else.
    assert_eq!(bob.post("/account/sessions", &[("session", &phones)]).await.status, 404);
    assert!(phone.account().await.is_some());
    let ended = ann.post("/account/sessions", &[("session", &phones)]).await;
    assert_eq!(ended.location(), "/account?done=session");
    assert!(phone.account().await.is_none());
    // Thirty days from the last use; the browser is told to keep its cookie longer.
    host.clock.turn(29 * DAY);
    let prolonged = ann.get("/turns").await;
    assert!(prolonged.header("set-cookie").is_some_and(|set| set.contains("Max-Age=2592000")));
    assert!(ann.get("/turns").await.header("set-cookie").is_none(), "not with every page");
    host.clock.turn(29 * DAY);
    assert!(ann.account().await.is_some() && bob.account().await.is_none());
    phone.post("/login", &with_password("Ann", GOOD)).await;
    ann.post("/account/sessions", &[("session", "others")]).await;
    assert!(ann.account().await.is_some() && phone.account().await.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_password_ends_the_other_sessions_and_renews_this_one() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    let phone = host.browser(2);
    phone.post("/login", &with_password("Ann", GOOD)).await;
    let before = ann.cookie();
    let wrong = ann.post("/account/password", &[("password", OTHER), ("new", OTHER)]).await;
    assert!(wrong.status == 401 && wrong.text.contains("Wrong name or password"), "{}", wrong.status);
    assert!(phone.account().await.is_some(), "nothing has changed");
    let changed = ann.post("/account/password", &[("password", GOOD), ("new", OTHER)]).await;
    assert_eq!(changed.location(), "/account?done=password");
    assert_ne!(ann.cookie(), before);
    assert!(ann.account().await.is_some() && phone.account().await.is_none());
    ann.set_cookie(&before);
    assert!(ann.account().await.is_none());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_admin_opens_the_lobby_after_a_new_log_in_and_a_member_does_not() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    assert_eq!(ann.get("/").await.location(), "/turns");
    assert_eq!(ann.get("/statistics").await.status, 403);
    let house = host.accounts.house();
    let account = house.people().account_named("ann").expect("answers").expect("there");
    house.set_role(account.id, Role::Admin).expect("set");
    assert_eq!(ann.get("/").await.location(), "/login", "rights come with a new session only");
    ann.post("/login", &with_password("Ann", GOOD)).await;
    let lobby = ann.get("/").await;
    assert!(lobby.status == 200 && lobby.text.contains("New game"), "{}", lobby.status);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_time_zone_is_kept_and_nonsense_is_not() {
    let host = Host::start(Entry::Open).await;
    let ann = host.member("Ann", 1).await;
    assert_eq!(ann.post("/account/zone", &[("zone", "Asia/Tokyo")]).await.location(), "/account?done=zone");
    assert_eq!(ann.post("/account/zone", &[("zone", "<b>")]).await.status, 422);
    assert!(ann.account().await.expect("signed in").contains("value=\"Asia/Tokyo\""));
}
