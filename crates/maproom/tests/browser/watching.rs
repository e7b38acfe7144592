//! Bots are watched at a chosen pace, and a place with many choices asks which.

use serde_json::json;

use crate::blitz_desk::{calm, for_two};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{change, key, lobby_ready, ready, revision, roll_oneself, steps, wait_revision};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_are_stopped_let_go_and_watched_to_the_end() {
    let server = Server::start();
    let mut page = for_two(&server, Size::DESKTOP, ["bot:solo", "bot:greedy"]).await;
    calm(&page).await;
    assert_eq!(page.attribute("#pace", "data-pace").await.as_deref(), Some("normal"));
    // The space bar stops them, and the page says so.
    page.press(" ").await;
    page.wait_for("#pace[data-pace=pause]").await;
    page.wait_text("#prompt", "paused").await;
    let before = revision(&page).await;
    page.shot("pace-paused").await;
    page.axe().await;
    page.resize(Size::PHONE).await;
    page.shot("pace-phone").await;
    page.resize(Size::DESKTOP).await;
    // Step by step.
    for step in 1..=3 {
        page.click("#pace [data-act=bot-step]").await;
        wait_revision(&page, before + step).await;
    }
    assert_eq!(revision(&page).await, before + 3);
    // The focus is in a control: there the space bar is the control's own.
    page.press(" ").await;
    wait_revision(&page, before + 4).await;
    assert_eq!(page.attribute("#pace", "data-pace").await.as_deref(), Some("pause"));
    // A second window sees the same, and what is chosen there is seen here, also in the past.
    let other = page.second_window().await;
    other.goto(&page.url().await).await;
    ready(&other).await;
    assert_eq!(other.attribute("#pace [data-pace=pause]", "aria-pressed").await.as_deref(), Some("true"));
    page.press("Escape").await;
    page.press(",").await;
    page.wait_for("#prompt.past").await;
    other.click("#pace button[data-pace=once]").await;
    page.wait_for("#pace[data-pace=once], #pace[hidden]").await;
    assert_eq!(page.count("#prompt.past").await, 1, "the past has a prompt of its own");
    other.wait_for("#prompt.over").await;
    page.press("Escape").await;
    page.wait_for("#prompt.over").await;
    assert_eq!(steps(&page).await, steps(&other).await);
    assert_eq!(page.texts("#log li:not(.new-mark)").await, other.texts("#log li:not(.new-mark)").await);
    // Nothing is left to be hidden: the reasons of the solo bot can be unfolded.
    assert!(other.count("#log .why.remark").await > 5);
    page.reload().await;
    ready(&page).await;
    assert_eq!(page.count("#log .why.remark").await, other.count("#log .why.remark").await);
    page.assert_quiet().await;
    other.assert_quiet().await;
}

/// A board of its own is not needed: a place of this one is given chains as another board would have them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_place_with_many_choices_asks_which_and_a_chain_is_one_of_them() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    // Asked always about the Tide of War, one can say No twice.
    page.choose("[name='option.ask']", "always").await;
    roll_oneself(&page).await;
    for _ in 0..2 {
        key(&page, "1").await;
    }
    let before = steps(&page).await;
    let give = "const names = [...document.querySelectorAll('#choices ol [data-choice]')].map((choice) => choice.dataset.choice);
        const place = document.querySelector('#sheet svg, #sheet > *');
        place.dataset.choice = [...names, ...Array(14).fill('no > no'), 'no > tow shift WF EMT'].join('|');
        place.id ||= 'crowded';
        return [place.id, place.dataset.choice.split('|').length];";
    let given = page.run(give, vec![]).await;
    let place = format!("#{}", given[0].as_str().expect("an id"));
    let count = given[1].as_u64().expect("a number") as usize;
    let open = async || {
        page.run("document.querySelector(arguments[0]).dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1, clientX: 700, clientY: 700 }))", vec![json!(place)]).await;
        page.wait_for("#pick:not([hidden])").await;
    };
    open().await;
    assert_eq!(page.count("#pick [role=menuitem]").await, count);
    // The words of a chain are those of its last link, which is not open yet.
    page.wait_until(
        "/^No$/m.test(document.querySelector('#pick button:nth-last-child(2) span').innerText)",
        "the words of a last link",
    )
    .await;
    page.shot("pick-many").await;
    page.axe().await;
    let fits = "(() => { const box = document.getElementById('pick').getBoundingClientRect();
        return box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth; })()";
    assert_eq!(page.eval(fits).await, true, "the menu is on the screen");
    let focused = "[...document.querySelectorAll('#pick button')].indexOf(document.activeElement)";
    for (chord, at) in
        [("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", count - 1), ("Home", 0), ("End", count - 1)]
    {
        page.press(chord).await;
        assert_eq!(page.eval(focused).await, json!(at), "{chord}");
    }
    page.press("Escape").await;
    assert_eq!(page.count("#pick[hidden]").await, 1);
    assert_eq!(steps(&page).await, before, "nothing was chosen");
    open().await;
    page.press("End").await;
    page.press("ArrowUp").await;
    change(&page, async || page.press("Enter").await).await;
    assert_eq!(steps(&page).await, before + 2, "both links were played");
    key(&page, "u").await;
    assert_eq!(steps(&page).await, before + 1, "and each is taken back alone");
    page.assert_quiet().await;
}
