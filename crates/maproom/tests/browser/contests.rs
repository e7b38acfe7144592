//! Ratings and tournaments: two accounts play a rated match, and three a tournament whose page follows itself.

use std::time::Duration;

use crate::agreements::deed;
use crate::driver::{Page, Size};
use crate::fair_dice::{ROLLED, SITS};
use crate::looks::assert_fits;
use crate::server::Server;
use crate::table::ready;
use crate::together::link;
use crate::triumph_desk::LAPTOP;

const PASSWORD: &str = "correct horse battery";

/// Somebody who joins an open house.
async fn join(server: &Server, name: &str) -> Page {
    let page = Page::open_at(LAPTOP, &server.at("/join")).await;
    page.fill("#name", name).await;
    page.fill("#password", PASSWORD).await;
    page.click(".go").await;
    page.wait_text("main.turns", "No matches yet").await;
    page
}

/// A rated match of two friends, made by the owner of the house, and the links of its seats.
async fn rated_match(owner: &Page) -> [String; 2] {
    let body = "game=blitz&seat.0=friend&seat.1=friend&rated=yes";
    let made = "return await fetch('/matches', { method: 'POST', body: arguments[0],
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }).then(answer => answer.url);";
    let table = owner.run(made, vec![body.into()]).await;
    owner.goto(table.as_str().expect("a table")).await;
    ready(owner).await;
    [link(owner, "link-0").await, link(owner, "link-1").await]
}

async fn keep(page: &Page, link: &str) {
    page.goto(link).await;
    ready(page).await;
    page.wait_text("#agreements", "Rated as soon as").await;
    page.click("[data-act=share]").await;
    page.wait_for("#keep-seat").await;
    page.click("#keep-seat").await;
    page.wait_until("location.pathname.endsWith('/mine')", "the table by the account").await;
    ready(page).await;
}

/// Opens a page until it tells something: ratings are counted in the background when a match is over.
pub async fn goto_until(page: &Page, url: &str, part: &str) {
    for _ in 0..400 {
        page.goto(url).await;
        if page.text("main").await.contains(part) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("{url} never says {part:?}");
}

/// A page on a laptop and on a phone, in light and in dark.
async fn look(page: &mut Page, name: &str) {
    page.axe().await;
    page.shot(name).await;
    page.media(&[("prefers-color-scheme", "dark")]).await;
    page.axe().await;
    page.shot(&format!("{name}-dark")).await;
    page.resize(Size::PHONE).await;
    assert_fits(page, Size::PHONE, name).await;
    let sideways = "[...document.querySelectorAll('main .scroll')].filter(part => part.scrollWidth > part.clientWidth).length";
    assert_eq!(page.eval(sideways).await, 0, "{name}: a table has to be pushed sideways");
    page.shot(&format!("{name}-phone-dark")).await;
    page.media(&[]).await;
    page.shot(&format!("{name}-phone")).await;
    page.resize(LAPTOP).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_accounts_play_a_rated_match_and_see_what_it_was_worth() {
    let server = Server::start_with(&["--accounts", "open"]);
    let owner = Page::open_at(LAPTOP, server.url()).await;
    owner.wait_for("form.game input[name=rated]").await;
    let mut ann = join(&server, "Ann").await;
    let bob = join(&server, "Bob").await;
    let [axis, allies] = rated_match(&owner).await;
    keep(&ann, &axis).await;
    keep(&bob, &allies).await;
    bob.wait_text("#agreements", "Whoever gives up").await;
    bob.wait_until(ROLLED, "the first dice").await;
    deed(&bob, "resign").await;
    for page in [&ann, &bob] {
        page.wait_for("#prompt.over").await;
    }
    // The list of players leads to both.
    goto_until(&ann, &server.at("/players"), "Ann").await;
    ann.click("a[href='/players/a1']").await;
    ann.wait_text("main.contests", "27.6 ± 15.8").await;
    ann.wait_text(".recent", "Bob").await;
    look(&mut ann, "player").await;
    ann.click("a[href='/ratings/blitz']").await;
    ann.wait_text(".ranking", "Captain").await;
    ann.wait_text(".ranking", "27.6 ± 15.8").await;
    look(&mut ann, "game-results").await;
    ann.assert_quiet().await;
    bob.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_play_a_tournament_whose_page_follows_itself() {
    let server = Server::start_with(&["--accounts", "open"]);
    let mut ann = join(&server, "Ann").await;
    let bob = join(&server, "Bob").await;
    let cara = join(&server, "Cara").await;
    let mut owner = Page::open_at(LAPTOP, &server.at("/tournaments")).await;
    owner.click(".new-cup:has(input[value=blitz]) summary").await;
    owner.fill(".new-cup[open] [name=name]", "Spring cup").await;
    owner.fill(".new-cup[open] [name=names]", "Ann\nBob").await;
    owner.shot("tournament-form").await;
    owner.click(".new-cup[open] .go").await;
    owner.wait_text("main.contests", "Entered: 2").await;
    let path = owner.eval("location.pathname").await;
    let path = server.at(path.as_str().expect("a path"));
    ann.goto(&path).await;
    cara.goto(&path).await;
    cara.click("form[action$='/enter'] button").await;
    // Nobody loads these pages again: they follow what happens.
    ann.wait_text("main.contests", "Entered: 3").await;
    owner.wait_text("main.contests", "Entered: 3").await;
    look(&mut owner, "tournament-entries").await;
    owner.click("form[action$='/begin'] button").await;
    ann.wait_text("main.contests", "Standings").await;
    ann.wait_text(".pairings", "Being played").await;
    // Each goes to their match from the page.
    bob.goto(&path).await;
    bob.click(".pairings a.button").await;
    ready(&bob).await;
    bob.wait_until(SITS, "his seal").await;
    deed(&bob, "resign").await;
    bob.wait_for("#prompt.over").await;
    ann.wait_text(".pairings", "resigned").await;
    cara.goto(&path).await;
    cara.click("form[action$='/withdraw'] button").await;
    cara.wait_text(".standings", "withdrawn").await;
    ann.wait_text(".pairings", "Forfeit").await;
    look(&mut ann, "tournament").await;
    for page in [&ann, &bob, &cara, &owner] {
        page.assert_quiet().await;
    }
}
