//! People apart in space and time: somebody comes back and is shown what they have missed, somebody rests, somebody chooses in secret
//! before they are asked.

use serde_json::json;

use crate::accounts::{PASSWORD, invitation};
use crate::blitz_desk::calm;
use crate::driver::{Page, Size};
use crate::looks::assert_fits;
use crate::server::Server;
use crate::table::{CHOICES, choose_first, ready, sit_down};
use crate::together::link;
use crate::triumph_secrets::{SEATS, listen, truth};

/// A match of friends, by what the form would send, and the links of its seats.
async fn between_friends(server: &Server, form: &str, seats: usize) -> Vec<String> {
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    let made = "return await fetch('/matches', { method: 'POST', body: arguments[0],
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }).then(answer => answer.url);";
    let table = page.run(made, vec![form.into()]).await;
    page.goto(table.as_str().expect("a table")).await;
    ready(&page).await;
    let mut links = Vec::new();
    for seat in 0..seats {
        links.push(link(&page, &format!("link-{seat}")).await);
    }
    links
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_comes_back_is_shown_what_they_have_missed() {
    let server = Server::start();
    let form = "game=blitz&option.mode=two_player&seat.0=friend&seat.1=friend&seed=7";
    let links = between_friends(&server, form, 2).await;
    let mut axis = sit_down(Size::DESKTOP, &links[0]).await;
    let mut allies = sit_down(Size::DESKTOP, &links[1]).await;
    if axis.count(CHOICES).await == 0 {
        std::mem::swap(&mut axis, &mut allies);
    }
    assert_eq!(allies.count("#away:not([hidden])").await, 0, "nothing was missed yet");
    let back = allies.eval("location.href").await.as_str().expect("an address").to_owned();
    allies.goto(&server.at("/rules/blitz")).await;
    for _ in 0..12 {
        if axis.count(CHOICES).await == 0 {
            break;
        }
        choose_first(&axis).await;
    }
    allies.goto(&back).await;
    ready(&allies).await;
    allies.wait_text("#away", "since").await;
    allies.shot("away").await;
    allies.axe().await;
    allies.resize(Size::PHONE).await;
    allies.shot("away-phone").await;
    assert_fits(&allies, Size::PHONE, "the offer").await;
    allies.resize(Size::DESKTOP).await;
    // Whoever has not answered has not seen it: it is offered again.
    allies.reload().await;
    ready(&allies).await;
    allies.wait_text("#away", "since").await;
    allies.show_steps("pause").await;
    let whole = allies.texts("#board").await;
    allies.click("#away [data-act=away-show]").await;
    allies.wait_for("body.filming #film:not([hidden])").await;
    allies.shot("away-film").await;
    allies.press("Enter").await;
    allies.press("Escape").await;
    allies.wait_gone("body.filming").await;
    allies.wait_gone("#away").await;
    let same = format!("document.getElementById('board').innerText.trim() === {}", json!(whole[0]));
    allies.wait_until(&same, "the board as it was").await;
    allies.assert_quiet().await;
    axis.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_rests_and_the_table_says_so() {
    let server = Server::start_with(&["--accounts", "invited"]);
    let form =
        "game=blitz&option.mode=two_player&seat.0=friend&seat.1=friend&seed=7&clock=easy&off=mon&zone=UTC";
    let links = between_friends(&server, form, 2).await;
    let mut desk = Page::open_at(Size::DESKTOP, &invitation(&server)).await;
    desk.fill("#name", "Wilhelmina").await;
    desk.fill("#password", PASSWORD).await;
    desk.click(".go").await;
    desk.wait_text("main.turns", "No matches yet").await;
    desk.goto(&links[0]).await;
    ready(&desk).await;
    desk.wait_text("#clocks", "No clock runs on Mondays (UTC).").await;
    desk.click("[data-act=share]").await;
    desk.click("#keep-seat").await;
    desk.wait_until("location.pathname.endsWith('/mine')", "the table by the account").await;
    let table = desk.eval("location.href").await.as_str().expect("an address").to_owned();

    desk.goto(&server.at("/account")).await;
    let fill = "const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
        document.getElementById('rest-first').min = '';
        document.getElementById('rest-first').value = day(0);
        document.getElementById('rest-last').value = day(3);";
    desk.run(fill, vec![]).await;
    desk.click("#rest form[action='/account/rest'] button").await;
    desk.wait_text(".done", "stand still").await;
    desk.wait_text("#rest", "You are away").await;
    desk.axe().await;
    for (size, name) in [(Size::DESKTOP, "rest"), (Size::PHONE, "rest-phone")] {
        desk.resize(size).await;
        desk.run("document.getElementById('rest').scrollIntoView();", vec![]).await;
        desk.shot(name).await;
        assert_fits(&desk, size, "days of rest").await;
    }
    desk.resize(Size::DESKTOP).await;

    // Everybody at the table sees it.
    let other = sit_down(Size::DESKTOP, &links[1]).await;
    other.wait_text("#clocks", "resting until").await;
    other.shot("resting").await;
    desk.goto(&table).await;
    ready(&desk).await;
    desk.wait_text("#clocks", "resting until").await;
    desk.goto(&server.at("/account")).await;
    desk.click("#rest form[action='/account/rest/end'] button").await;
    desk.wait_text(".done", "Welcome back").await;
    other
        .wait_until("!document.querySelector('#clocks .resting:not([hidden])')", "the clock runs again")
        .await;
    desk.assert_quiet().await;
    other.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_chooses_in_secret_before_they_are_asked() {
    let server = Server::start();
    let form = "game=triumph&seat.0=friend&seat.1=friend&seat.2=friend&seed=7";
    let links = between_friends(&server, form, 3).await;
    let mut pages = Vec::new();
    let mut paths = Vec::new();
    for link in &links {
        let page = sit_down(Size::DESKTOP, link).await;
        calm(&page).await;
        paths.push(page.eval("location.pathname").await.as_str().expect("a path").to_owned());
        pages.push(page);
    }
    let paths: [String; 3] = paths.try_into().expect("three seats");
    // By the shortest way to the first Command Phase: whoever is asked takes what comes first.
    let choose = "return await fetch(`${arguments[0]}/choose`, { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ revision: arguments[1], choice: arguments[2] }) }).then((answer) => answer.status);";
    listen(&pages[0]).await;
    let mut now = truth(&pages[0], &paths).await;
    for _ in 0..600 {
        if now.choices.iter().any(|name| name.starts_with("commit ")) {
            break;
        }
        let asked = now.asked.expect("somebody is asked");
        let end = now.choices.iter().find(|name| ["end", "pass"].contains(&name.as_str()));
        let choice = end.unwrap_or(&now.choices[0]).clone();
        let status =
            pages[0].run(choose, vec![json!(paths[asked]), json!(now.revision), json!(choice)]).await;
        assert_eq!(status, 200, "{choice}");
        now = truth(&pages[0], &paths).await;
    }
    assert!(now.choices.iter().any(|name| name.starts_with("commit ")), "{:?}", now.choices);
    let asked = now.asked.expect("somebody is asked");
    let next = (0..SEATS.len()).find(|seat| *seat != asked).expect("somebody else");
    let mut pages: Vec<Option<Page>> = pages.into_iter().map(Some).collect();
    let mut taken = |seat: usize| pages[seat].take().expect("each page once");
    let (mut waiting, choosing) = (taken(next), taken(asked));
    waiting.wait_for("#standing-orders [data-act=seal]").await;
    waiting.shot("sealing").await;
    waiting.click("#standing-orders [data-act=seal]").await;
    waiting.wait_for("#seal [data-seal^='commit ']").await;
    waiting.shot("sealing-choices").await;
    waiting.axe().await;
    waiting.resize(Size::PHONE).await;
    waiting.shot("sealing-choices-phone").await;
    assert_fits(&waiting, Size::PHONE, "what can be sealed").await;
    waiting.resize(Size::DESKTOP).await;
    waiting.click("#seal [data-seal^='commit ']").await;
    waiting.wait_text("#standing-orders", "Sealed").await;
    waiting.shot("sealed").await;
    waiting.axe().await;
    // Whoever is asked sees nothing of it, and chooses; then the sealed choice is played by itself.
    assert_eq!(choosing.count("#standing-orders:not([hidden])").await, 0);
    let before = now.revision;
    choosing.click("#choices ol [data-choice^='commit ']").await;
    choosing.wait_until(&format!("maproom.revision > {before}"), "the choice").await;
    waiting.wait_text("#standing-orders", "Played.").await;
    for page in pages.iter().flatten().chain([&waiting, &choosing]) {
        page.assert_quiet().await;
    }
}
