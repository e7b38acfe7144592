//! Accounts: an invitation, two browsers, a seat that is kept, and a session that is ended from afar.

use std::process::Command;

use crate::driver::{Page, Size};
use crate::looks::assert_fits;
use crate::server::Server;
use crate::table::{change, ready};
use crate::together::link;

pub const PASSWORD: &str = "correct horse battery";

/// A one-time link of the house.
pub fn invitation(server: &Server) -> String {
    let made = Command::new(crate::PROGRAM).args(["invite", "--data"]).arg(server.data()).output();
    let made = made.expect("the program runs beside the server");
    let said = String::from_utf8_lossy(&made.stdout).trim().to_owned();
    assert!(said.starts_with(server.url()), "{said}{}", String::from_utf8_lossy(&made.stderr));
    said
}

/// A match of two friends, and the links of their seats.
async fn for_two(server: &Server) -> [String; 2] {
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    let body = "game=blitz&seat.0=friend&seat.1=friend&seed=7";
    let made = "return await fetch('/matches', { method: 'POST', body: arguments[0],
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }).then(answer => answer.url);";
    let table = page.run(made, vec![body.into()]).await;
    page.goto(table.as_str().expect("a table")).await;
    ready(&page).await;
    [link(&page, "link-0").await, link(&page, "link-1").await]
}

async fn log_in(page: &Page, server: &Server) {
    page.goto(&server.at("/login")).await;
    page.fill("#name", "Wilhelmina").await;
    page.fill("#password", PASSWORD).await;
    page.click(".go").await;
    page.wait_for("main.turns").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_joins_by_invitation_keeps_a_seat_and_ends_a_session_from_afar() {
    let server = Server::start_with(&["--accounts", "invited"]);
    let [axis, allies] = for_two(&server).await;
    let mut desk = Page::open_at(Size::DESKTOP, &invitation(&server)).await;
    desk.shot("account-join").await;
    desk.fill("#name", "Wilhelmina").await;
    desk.fill("#password", PASSWORD).await;
    desk.click(".go").await;
    desk.wait_text("main.turns", "No matches yet").await;
    desk.axe().await;

    // A second browser, which knows nothing of the first.
    let mut phone = Page::open_at(Size::PHONE, &server.at("/login")).await;
    assert_fits(&phone, Size::PHONE, "the log-in").await;
    phone.axe().await;
    log_in(&phone, &server).await;

    // The seat is kept at the desk, and is there on the phone without a link.
    desk.goto(&axis).await;
    ready(&desk).await;
    desk.click("[data-act=share]").await;
    desk.wait_for("#keep-seat").await;
    desk.shot("account-keep").await;
    desk.click("#keep-seat").await;
    desk.wait_until("location.pathname.endsWith('/mine')", "the table by the account").await;
    ready(&desk).await;
    phone.goto(&server.at("/turns")).await;
    phone.wait_text("main.turns", "One match waits for you").await;
    assert_fits(&phone, Size::PHONE, "my turn").await;
    phone.shot("account-turns-phone").await;
    phone.click("#next").await;
    phone.wait_until("location.pathname.endsWith('/mine')", "the next match").await;
    ready(&phone).await;
    change(&phone, async || phone.press("1").await).await;
    phone.assert_quiet().await;
    desk.goto(&server.at("/turns")).await;
    desk.wait_text("main.turns", "Nobody waits for you").await;

    // The link is closed; the other seat's is not.
    let stranger = Page::open_at(Size::DESKTOP, &allies).await;
    ready(&stranger).await;
    stranger.goto(&axis).await;
    stranger.wait_text("h1", "That did not work").await;

    // The desk ends the session of the phone.
    desk.goto(&server.at("/account")).await;
    desk.wait_text(".sessions", "This browser").await;
    desk.axe().await;
    for (size, name) in [(Size::DESKTOP, "account-page"), (Size::PHONE, "account-page-phone")] {
        desk.resize(size).await;
        desk.shot(name).await;
        assert_fits(&desk, size, "the account").await;
    }
    desk.click(".sessions li form button").await;
    desk.wait_text(".done", "logged out").await;
    assert_eq!(desk.count(".sessions li").await, 1);
    desk.assert_quiet().await;
    phone.resize(Size::PHONE).await;
    phone.goto(&server.at("/turns")).await;
    phone.wait_for("form[action='/login']").await;
}
