//! Screens of all sizes, themes, hands, motion, and people who can't see or hear.

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{
    CHOICES, SEED, change, choose_first, choose_some, is_over, lobby_ready, new_game, number, play_until,
    ready, seed, settings, turn,
};

/// Fails if something sticks out to the right.
pub async fn assert_fits(page: &Page, size: Size, what: &str) {
    let script = "return [...document.querySelectorAll('body *')]
        .filter(e => e.getBoundingClientRect().right > arguments[0] + 1 && e.checkVisibility())
        .map(e => `${e.nodeName} #${e.id} .${e.getAttribute('class')}`).slice(0, 8);";
    let width = number(page, "document.documentElement.scrollWidth").await;
    if width > f64::from(size.width) {
        let outside = page.run(script, vec![size.width.into()]).await;
        panic!("{what} is {width} wide on a screen of {}: {outside}", size.width);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_phone_is_enough() {
    let server = Server::start();
    let page = Page::open_at(Size::PHONE, server.url()).await;
    lobby_ready(&page).await;
    assert_fits(&page, Size::PHONE, "the empty lobby").await;
    seed(&page, SEED).await;
    page.tap(".go").await;
    ready(&page).await;
    assert_fits(&page, Size::PHONE, "the table").await;
    let mut taps = 0;
    while turn(&page).await < 3 && !is_over(&page).await {
        change(&page, async || page.tap(CHOICES).await).await;
        taps += 1;
        assert!(taps < 80, "a turn does not end");
    }
    assert_fits(&page, Size::PHONE, "the table after a turn").await;
    page.shot("table-phone").await;
    let height =
        number(&page, &format!("document.querySelector({CHOICES:?}).getBoundingClientRect().height")).await;
    assert!(height >= 36.0, "a choice of {height} pixels is too small for a finger");
    // The sheet is pulled up by a tap, and lies low again after another.
    page.tap("#grip").await;
    page.wait_for("body.raised").await;
    page.shot("table-phone-raised").await;
    page.tap("#grip").await;
    page.wait_gone("body.raised").await;
    page.tap("[data-act=log]").await;
    for tab in ["odds", "rules", "log"] {
        page.tap(&format!("[data-tab={tab}]")).await;
        assert_eq!(
            page.attribute(&format!("[data-tab={tab}]"), "aria-selected").await.as_deref(),
            Some("true")
        );
        page.wait_for(&format!("#panel-{tab}")).await;
        if tab == "rules" {
            page.wait_for("#rules h2, #rules h3").await;
        }
        assert_fits(&page, Size::PHONE, tab).await;
    }
    page.shot("table-phone-log").await;
    page.tap("[data-act=close-side]").await;
    page.wait_gone("#side").await;
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    assert_fits(&page, Size::PHONE, "the lobby with a match").await;
    page.goto(&server.at("/rules/echoes")).await;
    assert_fits(&page, Size::PHONE, "the rulebook").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_asked_for_on_a_phone_comes_into_view() {
    let server = Server::start();
    let page = new_game(&server, Size::PHONE).await;
    choose_some(&page, 2).await;
    for (name, part) in [("rules", "#rules .found"), ("odds", "#panel-odds .answer")] {
        page.tap(&format!("[data-act={name}]")).await;
        page.wait_for(part).await;
        let in_view = format!(
            "(() => {{ const top = document.querySelector('{part}').getBoundingClientRect().top;
            return top >= 0 && top < innerHeight - 60; }})()"
        );
        page.wait_until(&in_view, &format!("{name} in view")).await;
        page.tap("[data-act=close-side]").await;
    }
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_large_screen_is_used() {
    let server = Server::start();
    let mut page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 2).await;
    let letters = "parseFloat(getComputedStyle(document.body).fontSize)";
    let board = "document.getElementById('board').getBoundingClientRect().width";
    let small = (number(&page, letters).await, number(&page, board).await);
    assert_fits(&page, Size::DESKTOP, "the table").await;
    page.resize(Size::FOUR_K).await;
    page.wait_until("innerWidth === 3840", "a large screen").await;
    let large = (number(&page, letters).await, number(&page, board).await);
    assert!(large.0 > small.0 * 1.5 && large.1 > small.1 * 2.0, "{small:?} {large:?}");
    assert_fits(&page, Size::FOUR_K, "the table").await;
    choose_first(&page).await;
    page.shot("table-4k").await;
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    assert_fits(&page, Size::FOUR_K, "the lobby").await;
    page.assert_quiet().await;
}

/// How light the page is: from 0 to 255.
async fn lightness(page: &Page) -> f64 {
    let colour = page.eval("getComputedStyle(document.body).backgroundColor").await;
    let colour = colour.as_str().expect("a colour");
    let parts: Vec<f64> =
        colour.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).take(3).collect();
    assert_eq!(parts.len(), 3, "{colour}");
    parts.iter().sum::<f64>() / 3.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn light_and_dark_by_the_system_and_by_wish() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 5).await;
    assert!(lightness(&page).await > 200.0);
    page.media(&[("prefers-color-scheme", "dark")]).await;
    assert!(lightness(&page).await < 60.0);
    page.shot("table-dark").await;
    settings(&page, &["[value=light]"]).await;
    assert!(lightness(&page).await > 200.0);
    page.media(&[]).await;
    settings(&page, &["[value=dark]"]).await;
    assert!(lightness(&page).await < 60.0);
    // The settings hold on every page.
    page.goto(server.url()).await;
    assert!(lightness(&page).await < 60.0);
    settings(&page, &["[value=system]"]).await;
    assert!(lightness(&page).await > 200.0);
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_controls_lie_under_either_hand() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    let left = async |id: &str| {
        number(&page, &format!("document.getElementById('{id}').getBoundingClientRect().left")).await
    };
    assert!(left("ask").await > left("board").await && left("side").await > left("board").await);
    settings(&page, &["[name=left]"]).await;
    assert!(left("ask").await < left("board").await && left("side").await < left("board").await);
    assert!(left("ask").await.abs() < 1.0);
    choose_first(&page).await;
    page.assert_quiet().await;
}

/// Looks at every frame from now on how much moves: an animation may be over before anybody asks.
async fn watch_motion(page: &Page) {
    let watch = "window.moved = 0;
        const look = () => {
          window.moved = Math.max(window.moved, document.getAnimations().length);
          requestAnimationFrame(look);
        };
        look();";
    page.run(watch, vec![]).await;
}

/// Makes three choices and fails if something moves.
async fn assert_still(page: &Page) {
    page.eval("window.moved = 0").await;
    for _ in 0..3 {
        choose_first(page).await;
        assert_eq!(page.eval("moved").await, 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_moves_for_those_who_do_not_like_it() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 2).await;
    watch_motion(&page).await;
    choose_first(&page).await;
    page.wait_until("moved > 0", "something that moves").await;
    page.media(&[("prefers-reduced-motion", "reduce")]).await;
    page.wait_until("document.getAnimations().length === 0", "the end of what has begun").await;
    assert_still(&page).await;
    page.media(&[]).await;
    settings(&page, &["[name=still]"]).await;
    watch_motion(&page).await;
    assert_still(&page).await;
    page.assert_quiet().await;
}

/// What axe finds on the pages of a test, told all at once.
#[derive(Default)]
pub struct Barriers {
    found: Vec<String>,
}

impl Barriers {
    pub async fn look(&mut self, page: &Page, at: &str) {
        for barrier in page.axe_violations().await.unwrap_or_default() {
            if !self.found.iter().any(|known| known.ends_with(&barrier)) {
                self.found.push(format!("{at}: {barrier}"));
            }
        }
    }

    pub fn assert_none(&self) {
        assert!(self.found.is_empty(), "people are shut out:\n{}", self.found.join("\n"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_shut_out_of_the_table() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    let mut barriers = Barriers::default();
    choose_some(&page, 3).await;
    play_until(&page, &format!("{CHOICES}[data-ask]")).await;
    for theme in ["light", "dark"] {
        page.media(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]).await;
        page.press("l").await;
        page.hover("#turn").await;
        barriers.look(&page, &format!("{theme}, log")).await;
        page.hover(&format!("{CHOICES}[data-ask]")).await;
        page.wait_for("#choice-note:not([data-about='']) .chance").await;
        barriers.look(&page, &format!("{theme}, with a choice under the mouse")).await;
        page.press("o").await;
        page.wait_for("#panel-odds .chance").await;
        barriers.look(&page, &format!("{theme}, odds")).await;
        page.press("r").await;
        page.wait_for("#rules .found").await;
        barriers.look(&page, &format!("{theme}, rules")).await;
        page.press("?").await;
        page.wait_for("#help").await;
        barriers.look(&page, &format!("{theme}, help")).await;
        page.press("Escape").await;
        page.wait_gone("#help").await;
        page.press(",").await;
        page.wait_for("#prompt.past").await;
        barriers.look(&page, &format!("{theme}, the past")).await;
        page.press("Escape").await;
        page.wait_for(CHOICES).await;
    }
    page.assert_quiet().await;
    barriers.assert_none();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_shut_out_of_the_other_pages() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    let mut barriers = Barriers::default();
    lobby_ready(&page).await;
    barriers.look(&page, "empty lobby").await;
    seed(&page, SEED).await;
    page.click(".go").await;
    ready(&page).await;
    choose_some(&page, 3).await;
    let table = page.url().await;
    for theme in ["light", "dark"] {
        page.media(&[("prefers-color-scheme", theme)]).await;
        page.goto(server.url()).await;
        lobby_ready(&page).await;
        barriers.look(&page, &format!("{theme} lobby")).await;
        page.click("[data-act=settings]").await;
        page.wait_for("#settings").await;
        barriers.look(&page, &format!("{theme} settings")).await;
        page.goto(&server.at("/rules/echoes")).await;
        barriers.look(&page, &format!("{theme} rules")).await;
        page.goto(&format!("{table}/print")).await;
        barriers.look(&page, &format!("{theme} print")).await;
        if theme == "light" {
            page.shot("print").await;
        }
    }
    page.assert_quiet().await;
    barriers.assert_none();
}
