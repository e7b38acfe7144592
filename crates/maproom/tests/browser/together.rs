//! Several windows, lost connections, and what goes over the wire.

use serde_json::json;

use crate::blitz_secrets::whole;
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{
    CHOICES, choose_first, choose_some, is_over, key, new_game, post, ready, revision, shown, sit_down,
    steps, wait_revision,
};

/// The address behind a field of the links.
pub async fn link(page: &Page, id: &str) -> String {
    page.click("[data-act=share]").await;
    page.wait_for("#share").await;
    let url = page.eval(&format!("document.getElementById('{id}').value")).await;
    page.press("Escape").await;
    page.wait_gone("#share").await;
    url.as_str().expect("a link").to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_stay_in_step() {
    let server = Server::start();
    let first = new_game(&server, Size::DESKTOP).await;
    let second = sit_down(Size::DESKTOP, &link(&first, "link-own").await).await;
    let viewer = sit_down(Size::DESKTOP, &link(&first, "link-viewer").await).await;
    for (from, others) in [(&first, [&second, &viewer]), (&second, [&first, &viewer])] {
        choose_first(from).await;
        let at = revision(from).await;
        for other in others {
            wait_revision(other, at).await;
        }
        let here = shown(from).await;
        for other in others {
            let there = shown(other).await;
            assert_eq!((&here.turn, &here.log, &here.pieces), (&there.turn, &there.log, &there.pieces));
        }
    }
    shown(&second).await.assert_same(&shown(&first).await, "in the second window");

    // Who looks on can do nothing.
    assert_eq!(viewer.count(CHOICES).await + viewer.count("#board [data-choice]").await, 0);
    assert_eq!(viewer.count("[data-act=undo], [data-act=fork], #link-own").await, 0);
    let (at, open) = (revision(&first).await, shown(&first).await.choices);
    viewer.assert_quiet().await;
    let path = viewer.eval("location.pathname").await.as_str().expect("a path").to_owned();
    let wish = json!({ "revision": at, "choice": open[0] });
    assert_eq!(post(&viewer, &format!("{path}/choose"), &wish).await, 403);
    assert_eq!(post(&viewer, &format!("{path}/undo"), &json!({ "revision": at })).await, 403);
    assert_eq!(revision(&first).await, at);

    // Of two clicks on the same decision one counts.
    let path = second.eval("location.pathname").await.as_str().expect("a path").to_owned();
    let path = format!("{path}/choose");
    let (one, other) = tokio::join!(post(&first, &path, &wish), post(&second, &path, &wish));
    let mut statuses = [one, other];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409]);
    wait_revision(&second, at + 1).await;
    wait_revision(&first, at + 1).await;
    assert_eq!(post(&second, &path, &wish).await, 409);
    assert_eq!(revision(&second).await, at + 1);
    shown(&second).await.assert_same(&shown(&first).await, "after two clicks at once");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reload_changes_nothing() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 3).await;
    let before = shown(&page).await;
    page.reload().await;
    ready(&page).await;
    shown(&page).await.assert_same(&before, "after a reload");
    choose_first(&page).await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crash_of_the_server_loses_nothing() {
    let mut server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 4).await;
    let (before, made) = (shown(&page).await, steps(&page).await);
    page.assert_quiet().await;
    server.kill_hard();
    page.wait_for("#link.lost").await;
    // A click while nobody answers is refused in words.
    page.click(CHOICES).await;
    page.wait_for(".toast").await;
    shown(&page).await.assert_same(&before, "without a server");
    server.restart();
    page.wait_until("!document.getElementById('link').classList.contains('lost')", "a connection").await;
    shown(&page).await.assert_same(&before, "after the server is back");
    choose_first(&page).await;
    assert!(steps(&page).await > made);
    let after = shown(&page).await;
    assert_eq!(after.log[..before.log.len()], before.log);
    page.reload().await;
    ready(&page).await;
    shown(&page).await.assert_same(&after, "after a reload");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_costs_little() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    key(&page, "1").await;
    page.traffic().await;
    let (mut largest, mut asked) = (0, 0);
    for _ in 0..20 {
        if is_over(&page).await {
            break;
        }
        key(&page, "1").await;
        let traffic = page.traffic().await;
        let updates: Vec<String> =
            whole(&traffic.received).into_iter().filter(|told| !is_aside(told)).collect();
        assert_eq!(updates.len(), 1, "{:?}", traffic.received);
        let bytes: usize = traffic.received.iter().map(String::len).sum();
        largest = largest.max(bytes);
        // On a busy machine the page may ask by itself before it is told.
        let is_asked = |url: &&String| url.contains("/update?since=");
        asked += traffic.urls.iter().filter(is_asked).count();
        let others: Vec<&String> =
            traffic.urls.iter().filter(|url| !url.ends_with("/choose") && !is_asked(url)).collect();
        assert!(others.is_empty(), "{others:?}");
    }
    println!("the largest update has {largest} bytes");
    assert!(asked < 10, "the page asks for what it should be told: {asked} times in 20 choices");
    assert!(largest < 30_000, "an update of {largest} bytes");
    page.assert_quiet().await;
}

/// Whether a message is about the page and not about the match: how it stands, who thinks.
fn is_aside(message: &str) -> bool {
    let told: serde_json::Value = serde_json::from_str(message).unwrap_or_default();
    told["from"].is_u64() && told["from"] == told["to"]
}
