//! Coached first games, as a newcomer meets them.

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{CHOICES, change, choose, lobby_ready, ready};

/// A newcomer opens the lobby and starts the lesson of a game.
async fn begin(server: &Server, size: Size, game: &str) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    page.click(&format!(".welcome form:has([name=game][value={game}]) .begin")).await;
    ready(&page).await;
    page.wait_until("document.body.dataset.coach === 'ready'", "a coach").await;
    page
}

/// The number of the page that the coach shows.
async fn shown(page: &Page) -> u64 {
    page.eval("Number(document.getElementById('coach').dataset.page)").await.as_u64().expect("a number")
}

/// Turns the pages up to the one with the task.
async fn read_on(page: &Page) {
    while page.count("#coach [data-coach].go").await > 0 {
        let before = shown(page).await;
        page.click("#coach [data-coach].go").await;
        page.wait_until(
            &format!("document.getElementById('coach').dataset.page > {before}"),
            "the next page",
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newcomer_is_coached_through_the_first_turns() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    // The lessons come first, before any form.
    let first = page.eval("document.querySelector('main.lobby form [name=lesson]').value").await;
    assert_eq!(first.as_str(), Some("first"));
    assert_eq!(page.count(".welcome .lesson").await, 5);
    page.shot("lobby-newcomer").await;
    page.click(".welcome form:has([name=game][value=echoes]) .begin").await;
    ready(&page).await;
    page.wait_until("document.body.dataset.coach === 'ready'", "a coach").await;
    assert_eq!(shown(&page).await, 1);
    page.wait_until("document.querySelectorAll('.rings i').length === 1", "a ring").await;
    page.click("#coach .go").await;
    page.wait_text("#coach .words", "the front").await;
    page.shot("lesson-echoes").await;

    // The page is kept.
    page.reload().await;
    ready(&page).await;
    assert_eq!(shown(&page).await, 2);
    page.click("#coach [data-coach]:not(.go, .close)").await;
    page.wait_text("#coach .count", "1 of").await;
    read_on(&page).await;

    // Until it is time the coach says what to answer.
    while page.count(&format!("{CHOICES}[data-choice='tow reroll WF']")).await == 0 {
        page.wait_text("#coach .words", "answer No").await;
        choose(&page, "no").await;
    }
    // Too early: the coach explains, and the choice is taken back.
    choose(&page, "tow reroll WF").await;
    page.wait_text("#coach .said.astray", "too early").await;
    page.wait_until("document.querySelectorAll('.rings i').length === 0", "nothing to look at but the words")
        .await;
    page.shot("lesson-echoes-astray").await;
    change(&page, async || page.click("#coach .go").await).await;
    page.wait_gone("#coach .astray").await;
    while page.count("#coach .words .rule").await == 0
        || !page.text("#coach").await.contains("London would fall")
    {
        choose(&page, "no").await;
    }
    choose(&page, "tow reroll WF").await;
    page.wait_text("#coach .said.good", "London holds").await;
    choose(&page, "shift EMT").await;
    page.wait_text("#coach .said.good", "EMT is even").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lesson_can_be_closed_and_opened_again() {
    let server = Server::start();
    let page = begin(&server, Size::PHONE, "blitz").await;
    assert_eq!(shown(&page).await, 1);
    page.shot("lesson-blitz-phone").await;
    read_on(&page).await;
    let at = shown(&page).await;
    page.click("#coach .close").await;
    page.wait_gone("#coach .words").await;
    page.reload().await;
    ready(&page).await;
    page.click("#coach [data-coach=open]").await;
    page.wait_text("#coach .count", &format!("{at} of")).await;
    // Another plan is answered, and one may go on alone.
    choose(&page, "place army3 EE.1.2").await;
    page.wait_text("#coach .said.astray", "you lead by only 1").await;
    page.click_text("#coach button", "Play on alone").await;
    page.wait_gone("#coach .words").await;
    assert!(page.count(CHOICES).await > 0);
    // The lobby says that it is a lesson, and offers no more welcome.
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    page.wait_text("li.match .eyebrow", "Blitzkrieg! · lesson").await;
    assert_eq!(page.count(".welcome").await, 0);
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_battle_is_won_with_the_coach() {
    let server = Server::start();
    let page = begin(&server, Size::DESKTOP, "dday").await;
    read_on(&page).await;
    page.shot("lesson-dday").await;
    // Whatever the coach names is done, by the list beside the board.
    for wanted in [
        "activate us-tank",
        "step 0402",
        "activate us-1",
        "with us-2",
        "end",
        "assault 0403 0503",
        "lead us-1",
        "with us-2",
        "join us-tank",
        "fire us-guns",
        "advance us-1",
        "end",
    ] {
        let button = format!("{CHOICES}[data-choice='{wanted}']");
        for way in ["roll", "halt", "attack"] {
            let is_there = page.count(&button).await > 0;
            let other = format!("{CHOICES}[data-choice='{way}']");
            if !is_there && page.count(&other).await > 0 {
                choose(&page, way).await;
            }
        }
        choose(&page, wanted).await;
        assert_eq!(page.count("#coach .astray").await, 0, "{wanted}: {}", page.text("#coach").await);
        if wanted == "lead us-1" {
            page.shot("lesson-dday-assault").await;
        }
    }
    page.wait_text("#coach", "Watch what the German commander does").await;
    page.wait_text("#log", "Outpost is shattered").await;
    page.assert_quiet().await;
}

/// Makes a choice by the beginning of its name, after whatever is asked before it, and the coach must not object.
async fn live_on(page: &Page, wanted: &str) {
    let button = |name: &str| format!("{CHOICES}[data-choice^='{name}']");
    loop {
        page.wait_for(CHOICES).await;
        let mut asked = wanted;
        for between in ["strengthen", "pass", "fire germany infantry", "end"] {
            let is_wanted = page.count(&button(wanted)).await > 0;
            if !is_wanted && page.count(&button(between)).await > 0 {
                asked = between;
                break;
            }
        }
        change(page, async || page.click(&button(asked)).await).await;
        assert_eq!(page.count("#coach .astray").await, 0, "{asked}: {}", page.text("#coach").await);
        if asked == wanted {
            return;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_year_is_lived_through_with_the_coach() {
    let server = Server::start();
    let page = begin(&server, Size::DESKTOP, "triumph").await;
    page.click("#pace [data-pace=once]").await;
    page.shot("lesson-triumph").await;
    // Where the Infantry stands that the coach speaks of.
    read_on(&page).await;
    page.wait_until("document.querySelectorAll('.rings i').length === 2", "rings").await;
    live_on(&page, "cadre ruhr infantry").await;
    page.wait_text("#coach", "Peace Dividend").await;
    for _ in 0..4 {
        live_on(&page, "buy investment").await;
    }
    for wanted in ["step germany infantry 1 ruhr", "build", "new germany tank", "at berlin"] {
        live_on(&page, wanted).await;
    }
    for unit in [
        "germany air_force 1 ruhr",
        "germany tank 1 berlin",
        "germany infantry 1 berlin",
        "italy infantry 1 rome",
        "italy fleet 1 rome",
    ] {
        live_on(&page, &format!("step {unit}")).await;
    }
    for wanted in ["diplomacy A11 austria", "diplomacy A37 austria", "wild A24 austria"] {
        live_on(&page, wanted).await;
    }
    page.wait_text("#coach .said.good", "your POP has grown").await;
    for wanted in ["factory", "pay I17", "pay I47", "tech naval_radar", "pass", "muster vienna infantry"] {
        live_on(&page, wanted).await;
    }
    page.shot("lesson-triumph-spring").await;
    for wanted in ["pass", "commit A18", "violate denmark", "move germany infantry 2 ruhr", "to copenhagen"] {
        live_on(&page, wanted).await;
    }
    for wanted in ["move germany air_force 2 ruhr", "to copenhagen", "end", "fire germany air_force"] {
        live_on(&page, wanted).await;
    }
    page.shot("lesson-triumph-battle").await;
    live_on(&page, "commit A53").await;
    page.wait_text("#coach", "only the USSR may move").await;
    page.assert_quiet().await;
}
