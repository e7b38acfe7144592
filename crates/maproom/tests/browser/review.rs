//! The review of a match: verdict, curve, account, and ways back to the board.

use std::time::{Duration, Instant};

use crate::blitz_desk::calm;
use crate::driver::{Page, Size};
use crate::looks::{Barriers, assert_fits};
use crate::server::Server;
use crate::table::{choose_first, lobby_ready, new_game, ready};

/// A finished match of the default game: a bot has played it to its end.
async fn finished(server: &Server) -> Page {
    let page = new_game(server, Size::DESKTOP).await;
    calm(&page).await;
    choose_first(&page).await;
    page.press("b").await;
    page.choose("#seats-bot", "greedy").await;
    page.click("#seating [data-act=hand-over]").await;
    page.wait_text("#seating", "Greedy, for you").await;
    page.press("Escape").await;
    page.wait_gone("#seats").await;
    page.click("#pace button[data-pace=once]").await;
    page.wait_for("#prompt.over").await;
    page
}

/// Opens the review and waits until it is there.
async fn reviewed(page: &Page, table: &str) {
    page.goto(&format!("{table}/review?depth=quick")).await;
    let begin = Instant::now();
    while page.count("main.review .verdict").await == 0 {
        assert!(begin.elapsed() < Duration::from_secs(600), "the review takes too long");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    page.wait_until("document.body?.dataset.ready === 'true'", "a page that is ready").await;
    println!("the review took {:.1} s", begin.elapsed().as_secs_f32());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_match_is_looked_over() {
    let server = Server::start();
    let mut page = finished(&server).await;
    let table = page.url().await;
    page.click("#prompt [data-act=review]").await;
    page.wait_for("main.review").await;
    page.shot("review-waiting").await;
    reviewed(&page, &table).await;
    assert!(page.text(".verdict h2").await.len() > 20);
    page.wait_for("#curve .line").await;
    assert!(page.count(".account tbody tr").await == 1 && page.count(".turning .card").await > 0);
    let mut barriers = Barriers::default();
    for theme in ["light", "dark"] {
        page.media(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]).await;
        barriers.look(&page, theme).await;
        page.shot(&format!("review-{theme}")).await;
        page.run("document.querySelector('.turning').scrollIntoView()", vec![]).await;
        page.shot(&format!("review-{theme}-turning")).await;
        page.run("document.querySelector('.all').scrollIntoView()", vec![]).await;
        page.shot(&format!("review-{theme}-moments")).await;
        page.run("scrollTo(0, 0)", vec![]).await;
    }
    barriers.assert_none();
    page.media(&[("prefers-reduced-motion", "reduce")]).await;
    // The filter, and what lies within the error.
    page.click("#filter [value=all]").await;
    let all = page.eval("document.querySelectorAll('#moments > :not([hidden])').length").await;
    page.click("#filter [value=luck]").await;
    let luck = page.eval("document.querySelectorAll('#moments > :not([hidden])').length").await;
    assert!(luck.as_u64() < all.as_u64() && luck.as_u64() > Some(0), "{luck} of {all}");
    page.click("#filter [value=choice]").await;
    page.wait_text("#moments .change", "ithin the error").await;
    // The slider goes through the match by keys, and the board is one click away.
    page.run("document.querySelector('#walk').focus()", vec![]).await;
    page.press("Home").await;
    page.wait_text("#readout", "Start").await;
    for _ in 0..5 {
        page.press("ArrowRight").await;
    }
    page.wait_text("#readout", "Step 5").await;
    page.click("#to-board").await;
    ready(&page).await;
    page.wait_text("#prompt.past", "after step 5").await;
    page.back().await;
    page.wait_for("#curve .line").await;
    // A click on the curve goes there as well.
    page.click("#curve").await;
    page.wait_for("#prompt.past").await;
    page.assert_quiet().await;
    page.resize(Size::PHONE).await;
    page.goto(&format!("{table}/review?depth=quick")).await;
    page.wait_for("#curve .line").await;
    assert_fits(&page, Size::PHONE, "the review").await;
    page.shot("review-phone").await;
    page.run("document.querySelector('.account').scrollIntoView()", vec![]).await;
    page.shot("review-phone-account").await;
    page.resize(Size::DESKTOP).await;
    // As text, from the lobby, and on from a moment.
    let text = page.eval(&format!("fetch('{table}/review.txt?depth=quick').then(told => told.text())")).await;
    assert!(text.as_str().is_some_and(|text| text.contains("Allies") && text.len() > 400), "{text}");
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    page.click_text("li.match .button", "Review").await;
    page.wait_for("main.review").await;
    page.goto(&format!("{table}/review?depth=quick")).await;
    page.wait_for("#curve .line").await;
    page.click(".turning [data-fork]").await;
    ready(&page).await;
    assert_ne!(page.url().await, table);
    page.assert_quiet().await;
}
