//! The sample game in a real browser, on the plain board.

#[path = "../../../crates/maproom/tests/browser/driver.rs"]
mod driver;
#[path = "../../../crates/maproom/tests/browser/server.rs"]
mod server;
#[allow(dead_code, reason = "the tests of the program use more of it")]
#[path = "../../../crates/maproom/tests/browser/table.rs"]
mod table;

use driver::{Page, Size};
use server::Server;

/// The program under test.
const PROGRAM: &str = env!("CARGO_BIN_EXE_salient");

/// The form of the sample game in the lobby.
const FORM: &str = "form:has([name='option.reserve'])";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_is_played_on_the_plain_board() {
    let server = Server::start();
    for (size, name) in [(Size::DESKTOP, "desktop"), (Size::PHONE, "phone")] {
        let page = Page::open_at(size, server.url()).await;
        table::seed(&page, 7).await;
        page.click(&format!("{FORM} .go")).await;
        table::ready(&page).await;
        let choices =
            "[...document.querySelectorAll('#choices ol [data-choice]')].map(one => one.dataset.choice)";
        assert_eq!(page.eval(choices).await, serde_json::json!(["send 0", "send 1", "send 2", "send 3"]));
        page.shot(&format!("salient-{name}-begin")).await;
        page.click("[data-choice='send 2']").await;
        let text = "document.getElementById('plain-picture').textContent";
        page.wait_until(&format!("{text}.startsWith('Round 2 of 8')"), "the next round").await;
        assert!(page.text("#plain-facts").await.contains("Reserve"));
        let fits = "document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(page.eval(fits).await, true, "{name}: the page is wider than the screen");
        page.shot(&format!("salient-{name}")).await;
        page.axe().await;
        page.media(&[("prefers-color-scheme", "dark")]).await;
        page.shot(&format!("salient-{name}-dark")).await;
        page.assert_quiet().await;
    }
}
