//! The main journeys of a player, by means that every engine has: CI makes them in Chromium, `cargo xtask browsers` in
//! Firefox and WebKit as well.

use crate::driver::{Page, Size};
use crate::looks::assert_fits;
use crate::server::Server;
use crate::table::{
    CHOICES, SEED, change, choose_first, choose_some, is_over, key, lobby_ready, ready, seed, shown, steps,
    turn,
};

const GAMES: [&str; 3] = ["echoes", "blitz", "dday"];

/// Starts a game from the lobby with the default set-up.
async fn start(server: &Server, size: Size, game: &str) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    seed(&page, SEED).await;
    let fold = format!(".fold:has(form.game [name=game][value={game}])");
    if page.count(&format!("{fold}[open]")).await == 0 {
        page.click(&format!("{fold} > summary")).await;
    }
    page.click(&format!("{fold} form.game .go")).await;
    ready(&page).await;
    // Bots don't keep a journey waiting.
    if page.count("#pace button[data-pace=once]").await > 0 {
        page.click("#pace button[data-pace=once]").await;
        // On a phone it lies below the choices.
        page.run("document.getElementById('ask').scrollTop = 0;", Vec::new()).await;
    }
    asked(&page).await;
    page
}

/// Waits until the person is asked something, or the match is over.
async fn asked(page: &Page) {
    let asked = format!("document.querySelector('#prompt.over') || document.querySelector('{CHOICES}')");
    page.wait_until(&asked, "a question for this seat").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_game_starts_and_takes_a_click_and_a_key() {
    let server = Server::start();
    for game in GAMES {
        let page = start(&server, Size::DESKTOP, game).await;
        assert!(page.url().await.contains("/m/"), "{game}");
        let before = steps(&page).await;
        choose_first(&page).await;
        asked(&page).await;
        let clicked = steps(&page).await;
        assert!(clicked > before, "{game}: a click chooses");
        key(&page, "1").await;
        assert!(steps(&page).await > clicked, "{game}: a key chooses");
        page.shot(&format!("journey-{game}")).await;
        page.assert_quiet().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_by_mouse_and_a_turn_by_keys() {
    let server = Server::start();
    let page = start(&server, Size::DESKTOP, "echoes").await;
    let mut on_board = false;
    for _ in 0..40 {
        if turn(&page).await > 1 {
            break;
        }
        let lit = "#board [data-choice]:not([data-choice*='|'])";
        match page.count(lit).await {
            0 => choose_first(&page).await,
            _ => {
                change(&page, async || page.click(lit).await).await;
                on_board = true;
            }
        }
    }
    assert_eq!(turn(&page).await, 2, "the first turn ends");
    assert!(on_board, "nothing was lit on the board");
    for nth in 0..40 {
        if turn(&page).await > 2 {
            break;
        }
        if nth % 2 == 0 {
            key(&page, "1").await;
        } else {
            page.press("j").await;
            key(&page, "Enter").await;
        }
    }
    assert_eq!(turn(&page).await, 3, "the second turn ends");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_choice_is_taken_back() {
    let server = Server::start();
    let page = start(&server, Size::DESKTOP, "echoes").await;
    choose_some(&page, 2).await;
    let before = shown(&page).await;
    choose_first(&page).await;
    key(&page, "u").await;
    shown(&page).await.assert_same(&before, "after u");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_game_is_reviewed() {
    let server = Server::start();
    let page = start(&server, Size::DESKTOP, "echoes").await;
    for _ in 0..300 {
        if is_over(&page).await {
            break;
        }
        key(&page, "1").await;
    }
    assert!(is_over(&page).await, "the game ends");
    page.goto(&format!("{}/review?depth=quick", page.url().await)).await;
    page.wait_for("main.review .verdict").await;
    page.wait_for("#curve .line").await;
    page.shot("journey-review").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_shows_every_game() {
    let server = Server::start();
    for game in GAMES {
        let page = start(&server, Size::PHONE, game).await;
        assert_fits(&page, Size::PHONE, game).await;
        page.shot(&format!("journey-{game}-phone")).await;
        choose_first(&page).await;
        assert_fits(&page, Size::PHONE, game).await;
        page.assert_quiet().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_comes_back() {
    let mut server = Server::start();
    let page = start(&server, Size::DESKTOP, "echoes").await;
    choose_some(&page, 2).await;
    let before = shown(&page).await;
    server.kill_hard();
    page.wait_for("#link.lost").await;
    server.restart();
    page.wait_until("!document.getElementById('link').classList.contains('lost')", "a connection").await;
    shown(&page).await.assert_same(&before, "after the server is back");
    choose_first(&page).await;
}
