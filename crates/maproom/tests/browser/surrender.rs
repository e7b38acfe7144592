//! Unconditional Surrender! at the board: an army is activated and marches many hexes by two clicks, layers by keys.

use crate::blitz_desk::calm;
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{lobby_ready, ready, revision, wait_revision};

const FORM: &str = "form.game:has([name=game][value=surrender])";

/// Poland 1939 as the Axis, up to the first action.
pub async fn poland(server: &Server, size: Size) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    page.choose(&format!("{FORM} [name='option.scenario']"), "poland-1939").await;
    page.choose(&format!("{FORM} [name='seat.0']"), "me").await;
    page.choose(&format!("{FORM} [name='seat.1']"), "bot:random").await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    calm(&page).await;
    page.wait_for("#orders [data-choice='pass']").await;
    page.click("#orders [data-choice='pass']").await;
    page.wait_for("#u-GER-16PZ[data-choice*='activate']").await;
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panzer_corps_marches_by_two_clicks() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    page.shot("surrender-poland").await;
    let before = revision(&page).await;
    page.click("#u-GER-16PZ").await;
    wait_revision(&page, before + 1).await;
    page.wait_for("#lit .h[data-choice*=' > ']").await;
    assert!(page.count("#lit .odds").await > 0, "the odds of attacks stand on the map");
    // A way of at least three steps to a hex on which nothing lies.
    let far = "const free = (hex) => {
            const box = hex.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return top === hex && hex.dataset.choice.split(' > ').length >= 3 && !hex.dataset.choice.includes('attack');
        };
        const hex = [...document.querySelectorAll('#lit .h')].find(free);
        hex.id = 'far';
        return hex.dataset.choice;";
    let chain = page.run(far, vec![]).await;
    let steps = chain.as_str().expect("a chain").split(" > ").count() as u64;
    page.hover("#far").await;
    page.wait_for("#ways .march-way").await;
    page.shot("surrender-march").await;
    let from = page.attribute("#u-GER-16PZ", "transform").await;
    let (before, log) = (revision(&page).await, page.eval("maproom.steps").await.as_u64());
    page.click("#far").await;
    wait_revision(&page, before + 1).await;
    assert_ne!(page.attribute("#u-GER-16PZ", "transform").await, from, "it has moved");
    let walked = page.eval("maproom.steps").await.as_u64().zip(log).map(|(now, then)| now - then);
    assert!(walked.is_some_and(|walked| walked >= steps), "{walked:?} of {steps} steps");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn layers_and_theatres_of_the_map_have_keys() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    for (key, class) in [("z", "show-zoc"), ("y", "show-supply"), ("e", "show-weather")] {
        page.press(key).await;
        page.wait_for(&format!(".surrender.{class}")).await;
        page.press(key).await;
        page.wait_gone(&format!(".surrender.{class}")).await;
    }
    page.wait_for(".map-scale.zoom-2").await;
    page.press("v").await;
    page.wait_for(".map-scale.zoom-0").await;
    page.assert_quiet().await;
}
