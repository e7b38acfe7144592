//! Sounds: silent by default, and heard once the settings ask for them.

use serde_json::{Value, json};

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{SEED, choose_some, is_over, key, ready, seed, settings, turn};

/// Counts what is started instead of playing it: a machine for tests has no loudspeaker.
const COUNTING: &str = "window.played = [];
for (const [name, kind] of [['OscillatorNode', 'tone'], ['AudioBufferSourceNode', 'noise']]) {
  const start = window[name].prototype.start;
  window[name].prototype.start = function (...when) { window.played.push(kind); return start.apply(this, when); };
}";

async fn played(page: &Page) -> Vec<Value> {
    page.eval("window.played").await.as_array().expect("a list").clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_heard_until_it_is_asked_for() {
    let server = Server::start();
    let page = Page::open(Size::DESKTOP).await;
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": COUNTING })).await;
    page.goto(server.url()).await;
    seed(&page, SEED).await;
    page.click(".go").await;
    ready(&page).await;
    choose_some(&page, 3).await;
    assert_eq!(played(&page).await, Vec::<Value>::new(), "off by default");
    settings(&page, &["[name=sound]"]).await;
    ready(&page).await;
    assert_eq!(page.eval("document.documentElement.dataset.sound").await, "on");
    let begun = turn(&page).await;
    while turn(&page).await == begun && !is_over(&page).await {
        key(&page, "1").await;
    }
    page.wait_until("window.played.includes('noise')", "the noise of a die or of a move").await;
    page.assert_quiet().await;
}
