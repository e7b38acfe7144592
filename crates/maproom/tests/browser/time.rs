//! Taking back, and looking at the match as it was.

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{
    CHOICES, change, choose, choose_first, choose_some, key, new_game, own_dice, ready, revision, shown,
    steps, turn,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_step_can_be_taken_back() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 3).await;
    let mut before = vec![shown(&page).await];
    for _ in 0..2 {
        choose_first(&page).await;
        before.push(shown(&page).await);
    }
    let last = before.pop().expect("a position");
    key(&page, "u").await;
    shown(&page).await.assert_same(&before[1], "after u");
    change(&page, async || page.click("[data-act=undo]").await).await;
    shown(&page).await.assert_same(&before[0], "after Undo");
    // The dice stay the same: what was done can be done again.
    choose_first(&page).await;
    choose_first(&page).await;
    shown(&page).await.assert_same(&last, "after the same choices");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_turn_can_be_taken_back() {
    let server = Server::start();
    let page = own_dice(&server, Size::DESKTOP).await;
    let first = shown(&page).await;
    // Through the first turn, and to the third decision of the second.
    for _ in 0..60 {
        if turn(&page).await == 2 {
            break;
        }
        choose_first(&page).await;
    }
    let second = shown(&page).await;
    assert!(second.turn.starts_with("Turn 2"), "{}", second.turn);
    choose(&page, "die 1").await;
    choose_first(&page).await;
    assert_eq!(turn(&page).await, 2);
    key(&page, "Shift+U").await;
    shown(&page).await.assert_same(&second, "after Shift+U");
    change(&page, async || page.click("[data-act=undo-turn]").await).await;
    shown(&page).await.assert_same(&first, "after Undo turn");
    page.assert_quiet().await;
    // Before the beginning there is nothing.
    page.press("u").await;
    page.wait_for(".toast").await;
    shown(&page).await.assert_same(&first, "after one undo too many");
}

/// Clicks on the line of a step, or on the number of the action that ends with it.
async fn go_to_line(page: &Page, step: u64) {
    let click = "const of = `[data-step='${arguments[0]}']`;
        const line = document.querySelector(`#log .step${of}`) ?? document.querySelector(`#log .jump${of}`);
        line?.closest('details')?.setAttribute('open', '');
        line?.click();
        return line !== null;";
    assert_eq!(page.run(click, vec![step.into()]).await, true, "step {step} has no line");
}

/// Waits until the board shows the moment after a step.
async fn wait_past(page: &Page, step: u64) {
    page.wait_text("#prompt.past", &format!("after step {step} of")).await;
    assert_eq!(page.eval("document.body.classList.contains('past')").await, true);
    assert_eq!(page.count(CHOICES).await + page.count("#board [data-choice]").await, 0);
    let all = steps(page).await;
    assert_eq!(page.text("#step").await, format!("{step} / {all}"));
    assert_eq!(page.eval("Number(document.getElementById('slider').value)").await, step);
}

async fn wait_now(page: &Page) {
    page.wait_gone("#prompt.past").await;
    page.wait_until("maproom.past === null && !document.body.classList.contains('past')", "the present")
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_moment_can_be_looked_at() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    let mut moments = Vec::new();
    for _ in 0..7 {
        moments.push((steps(&page).await, shown(&page).await));
        choose_first(&page).await;
    }
    let (now, last) = (shown(&page).await, steps(&page).await);

    page.press(",").await;
    wait_past(&page, last - 1).await;
    page.press(",").await;
    wait_past(&page, last - 2).await;
    page.press(".").await;
    wait_past(&page, last - 1).await;
    page.press(".").await;
    wait_now(&page).await;
    shown(&page).await.assert_same(&now, "after . back to now");
    page.press("Home").await;
    wait_past(&page, 0).await;
    assert_ne!(shown(&page).await.pieces, now.pieces);
    page.press("End").await;
    wait_now(&page).await;
    shown(&page).await.assert_same(&now, "after End");

    // A line of the log shows its moment, with the pieces where they stood.
    for (step, moment) in moments.iter().rev().take(3) {
        go_to_line(&page, *step).await;
        wait_past(&page, *step).await;
        assert_eq!(shown(&page).await.pieces, moment.pieces, "after step {step}");
        assert_eq!(page.attribute("#log .shown", "data-step").await, Some(step.to_string()));
    }
    page.press("Escape").await;
    wait_now(&page).await;
    shown(&page).await.assert_same(&now, "after Escape");
    choose_first(&page).await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_slider_is_dragged_and_left_with_escape() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 6).await;
    let (now, last) = (shown(&page).await, steps(&page).await);
    page.drag("#slider", 0.99, 0.4).await;
    page.wait_for("#prompt.past").await;
    let at = page.eval("Number(document.getElementById('slider').value)").await.as_u64().expect("a step");
    assert!(at > 0 && at < last, "{at} of {last}");
    wait_past(&page, at).await;
    // The arrows go on from where the mouse let go.
    page.press("ArrowLeft").await;
    wait_past(&page, at - 1).await;
    page.press("Escape").await;
    wait_now(&page).await;
    shown(&page).await.assert_same(&now, "after Escape on the slider");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_is_played_on_from_an_earlier_moment() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    choose_some(&page, 2).await;
    let early = shown(&page).await;
    let (from, old_url) = (steps(&page).await, page.url().await);
    choose_some(&page, 4).await;
    let (now, last, at) = (shown(&page).await, steps(&page).await, revision(&page).await);

    go_to_line(&page, from).await;
    wait_past(&page, from).await;
    page.click_text("#prompt button", "Play from here").await;
    page.wait_until(&format!("location.href !== {old_url:?}"), "another match").await;
    ready(&page).await;
    assert_eq!(steps(&page).await, from);
    assert!(from < last);
    shown(&page).await.assert_same(&early, "in the new match");
    choose_first(&page).await;
    assert!(steps(&page).await > from);

    page.goto(&old_url).await;
    ready(&page).await;
    shown(&page).await.assert_same(&now, "in the old match");
    assert_eq!((steps(&page).await, revision(&page).await), (last, at));
    page.goto(server.url()).await;
    assert_eq!(page.count("li.match").await, 2);
    page.assert_quiet().await;
}
