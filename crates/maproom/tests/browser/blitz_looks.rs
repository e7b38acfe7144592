//! Blitzkrieg! on a phone, in light and dark, and for people who can't see or hear.

use crate::blitz_desk::{
    PIECES, aim, assert_calm, assert_placed, begin_solo, finish_turn, for_two, reach, solo, space, told,
};
use crate::driver::{Page, Size};
use crate::looks::{Barriers, assert_fits};
use crate::server::Server;
use crate::table::{CHOICES, SEED, change, choose_some, revision};

const TALL_PHONE: Size = Size { width: 360, height: 780, scale: 2.0, touch: true };

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_is_enough_for_blitzkrieg() {
    let server = Server::start();
    let page = solo(&server, TALL_PHONE, "base").await;
    assert_fits(&page, TALL_PHONE, "the table").await;
    let aim = aim(&page).await;
    let target = space(&aim.legal[0]);
    // One's own tokens are in reach wherever one looks on the board.
    let in_reach = format!(
        "(() => {{
          const token = document.querySelector('{PIECES}');
          const box = token.getBoundingClientRect();
          const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
          return box.width >= 44 && box.top >= 0 && box.bottom <= innerHeight && token.contains(hit);
        }})()"
    );
    for place in ["#theatre-WE", "#theatre-SEA", "#theatre-AF"] {
        reach(&page, place).await;
        page.wait_until(&in_reach, &format!("a token in reach at {place}")).await;
    }
    page.tap(&aim.piece).await;
    page.wait_for(&format!("{}[aria-pressed=true]", aim.piece)).await;
    let (before, log) = (revision(&page).await, told(&page).await.len());
    // The first tap shows what would come of it, the second does it.
    page.tap(&target).await;
    page.wait_text(".toast", "Tap again to confirm.").await;
    page.wait_for("#ghost-token").await;
    page.shot("blitz-phone").await;
    assert_eq!(revision(&page).await, before);
    change(&page, async || page.tap(&target).await).await;
    finish_turn(&page).await;
    assert_placed(&page, &aim.kind, &aim.legal[0], log).await;
    assert_fits(&page, TALL_PHONE, "the table after a turn").await;
    page.assert_quiet().await;
}

/// Looks for barriers in both themes, with a token in hand over a space, and the odds at the side.
async fn look_around(page: &Page, barriers: &mut Barriers, what: &str) {
    page.press("o").await;
    page.wait_for("#panel-odds .answer").await;
    let aim = aim(page).await;
    page.click(&aim.piece).await;
    reach(page, &space(&aim.legal[0])).await;
    page.hover(&space(&aim.legal[0])).await;
    page.wait_for("#ghost-token").await;
    for theme in ["light", "dark"] {
        page.media(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]).await;
        barriers.look(page, &format!("{what}, {theme}")).await;
    }
    page.shot(&format!("blitz-{what}-dark")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_shut_out_of_blitzkrieg() {
    let server = Server::start();
    let mut barriers = Barriers::default();
    let page = solo(&server, Size::DESKTOP, "base").await;
    choose_some(&page, 3).await;
    finish_turn(&page).await;
    page.hover("#turn").await;
    page.run("document.querySelector('#log details.why').closest('.steps').open = true;", vec![]).await;
    page.click("#log details.why summary").await;
    for theme in ["light", "dark"] {
        page.media(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]).await;
        barriers.look(&page, &format!("log, {theme}")).await;
    }
    look_around(&page, &mut barriers, "solo").await;
    page.assert_quiet().await;
    barriers.assert_none();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_shut_out_of_a_war_for_two_or_of_nippon() {
    let server = Server::start();
    let mut barriers = Barriers::default();
    let page = for_two(&server, Size::DESKTOP, ["bot:greedy", "me"]).await;
    for _ in 0..2 {
        page.wait_for(CHOICES).await;
        choose_some(&page, 1).await;
        finish_turn(&page).await;
    }
    page.wait_for(PIECES).await;
    look_around(&page, &mut barriers, "two-players").await;
    assert_calm(&page).await;
    page.goto(server.url()).await;
    begin_solo(&page, "nippon", SEED).await;
    look_around(&page, &mut barriers, "nippon").await;
    page.assert_quiet().await;
    barriers.assert_none();
}
