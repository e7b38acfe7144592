//! Bots at the table: they think in view of those who wait, play on for somebody, give hints, and say how it stands.

use serde_json::json;

use crate::blitz_desk::{calm, for_two};
use crate::driver::{Page, Size};
use crate::looks::assert_fits;
use crate::server::Server;
use crate::table::{
    CHOICES, change, choose_first, choose_some, new_game, ready, revision, settings, wait_revision,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_level_thinks_in_sight_and_plays_when_it_is_told_to() {
    let server = Server::start();
    let page = for_two(&server, Size::DESKTOP, ["bot:captain", "me"]).await;
    page.wait_for(CHOICES).await;
    let log = page.eval("document.getElementById('log').textContent").await;
    assert!(log.as_str().is_some_and(|log| log.contains("Axis Captain: ")), "the log says who it was: {log}");
    // One that thinks for longer than anybody waits.
    let order = "game=blitz&seed=7&option.mode=two_player&seat.0=bot:search:50s&seat.1=me";
    let make =
        "fetch('/matches', { method: 'POST', body: new URLSearchParams(ORDER) }).then(made => made.url)";
    let table = page.eval(&make.replace("ORDER", &format!("{order:?}"))).await;
    page.goto(table.as_str().expect("the address of a table")).await;
    ready(&page).await;
    page.wait_for("#thinking:not([hidden])").await;
    assert!(page.text("#thinking").await.starts_with("Search for 50s is thinking"));
    assert!(page.text("#prompt").await.contains("Search for 50s"));
    page.wait_until("/ · \\d+ s/.test(document.querySelector('#thinking').textContent)", "a clock").await;
    page.shot("thinking").await;
    page.axe().await;
    let before = revision(&page).await;
    page.click("#thinking [data-act=play-now]").await;
    wait_revision(&page, before + 1).await;
    // Once more by the key, until it is my turn.
    let to_go_on = format!("#thinking:not([hidden]), {CHOICES}");
    page.wait_for(&to_go_on).await;
    while page.count(CHOICES).await == 0 {
        let before = revision(&page).await;
        page.press("n").await;
        wait_revision(&page, before + 1).await;
        page.wait_for(&to_go_on).await;
    }
    assert_eq!(page.count("#thinking:not([hidden])").await, 0);
    page.press("n").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hint_can_be_taken() {
    let server = Server::start();
    let mut page = new_game(&server, Size::DESKTOP).await;
    calm(&page).await;
    choose_some(&page, 3).await;
    page.press("h").await;
    page.wait_for("#hint .thinking, #hint .choice").await;
    page.wait_for("#hint .choice .percent").await;
    assert!(page.text("#hint .head").await.starts_with("Hint 1"));
    page.wait_for("#chance svg").await;
    let best = page.attribute("#hint .choice", "data-choice").await.expect("a choice");
    page.hover("#hint .choice").await;
    page.wait_for(&format!("{CHOICES}[data-choice='{best}'].considered")).await;
    page.shot("hint").await;
    page.axe().await;
    page.resize(Size::PHONE).await;
    assert_fits(&page, Size::PHONE, "a hint").await;
    page.shot("hint-phone").await;
    page.resize(Size::DESKTOP).await;
    // Esc takes it away, the button brings another, and a click makes the choice.
    page.press("Escape").await;
    page.wait_gone("#hint").await;
    page.click("#prompt [data-act=hint]").await;
    page.wait_for("#hint .choice .percent").await;
    let names = "[...document.querySelectorAll('#hint .choice')].map(b => b.dataset.choice)";
    let offered = page.eval(&names.replace("#hint .choice", CHOICES)).await;
    for name in page.eval(names).await.as_array().expect("choices") {
        assert!(offered.as_array().is_some_and(|all| all.contains(name)), "{name} is not open");
    }
    change(&page, async || page.click("#hint .choice").await).await;
    page.wait_gone("#hint").await;
    page.assert_quiet().await;
}

/// Waits until the bar is about the position that is shown.
async fn bar_is_up_to_date(page: &Page) {
    let so = "document.querySelector('#chance')?.dataset.revision === String(maproom.revision)";
    page.wait_until(so, "a bar for this position").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bar_follows_the_match_and_can_be_switched_off() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    bar_is_up_to_date(&page).await;
    assert!(page.text("#chance").await.starts_with("You "), "{}", page.text("#chance").await);
    let mut seen = vec![page.attribute("#chance .seat-0", "width").await];
    for _ in 0..6 {
        choose_first(&page).await;
        bar_is_up_to_date(&page).await;
        seen.push(page.attribute("#chance .seat-0", "width").await);
    }
    seen.dedup();
    assert!(seen.len() > 1, "it never moved: {seen:?}");
    page.axe().await;
    // The past has another position than the bar is about.
    page.press(",").await;
    page.wait_for("#prompt.past").await;
    page.wait_gone("#chance").await;
    page.press("Escape").await;
    page.wait_for("#chance").await;
    settings(&page, &["[name=chance]"]).await;
    ready(&page).await;
    page.wait_gone("#chance").await;
    choose_first(&page).await;
    page.reload().await;
    ready(&page).await;
    page.wait_gone("#chance").await;
    settings(&page, &["[name=chance]"]).await;
    ready(&page).await;
    bar_is_up_to_date(&page).await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_among_themselves_are_not_helped() {
    let server = Server::start();
    let page = for_two(&server, Size::DESKTOP, ["me", "friend"]).await;
    page.wait_for(CHOICES).await;
    page.wait_gone("#chance").await;
    assert_eq!(page.count("[data-act=hint]").await, 0);
    let path = page.eval("location.pathname").await;
    let status = format!("fetch({path} + '/hint').then((answer) => answer.status)");
    assert_eq!(page.eval(&status).await, json!(422));
    page.goto(&format!("{}/review", page.url().await)).await;
    assert!(page.text("body").await.contains("when it is over"), "{}", page.text("body").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_seat_is_handed_to_a_bot_and_taken_back() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    calm(&page).await;
    choose_first(&page).await;
    let other = page.second_window().await;
    other.goto(&page.url().await).await;
    ready(&other).await;
    page.press("b").await;
    page.wait_for("#seats").await;
    assert!(page.text("#seating").await.contains("you"));
    page.choose("#seats-bot", "recruit").await;
    page.shot("seats").await;
    page.axe().await;
    let before = revision(&page).await;
    page.click("#seating [data-act=hand-over]").await;
    page.wait_text("#seating", "Recruit (level 1), for you").await;
    page.press("Escape").await;
    // It plays on. Then it is stopped, so that the game is not over before a busy machine has looked.
    wait_revision(&page, before + 2).await;
    page.press(" ").await;
    page.wait_for("#pace[data-pace=pause]").await;
    page.wait_text("#prompt", "Recruit (level 1)").await;
    // Everybody sees it, and there is nothing to click.
    other.wait_text("#prompt", "Recruit (level 1)").await;
    assert_eq!(page.count(&format!("{CHOICES}, #board [data-choice]")).await, 0);
    page.press("u").await;
    page.wait_text("#toasts", "take over again first").await;
    page.reload().await;
    ready(&page).await;
    page.click("#prompt [data-act=hand-over]").await;
    page.wait_for(CHOICES).await;
    other.wait_for(CHOICES).await;
    // What it chose can be taken back.
    let now = revision(&page).await;
    page.press("u").await;
    wait_revision(&page, now + 1).await;
    page.wait_for(CHOICES).await;
    page.console_problems().await;
}
