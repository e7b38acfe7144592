//! Whole games: with the mouse, with the keyboard, with one's own dice.

use serde_json::json;

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{
    CHOICES, SEED, change, choose_first, is_over, key, lobby_ready, machine_is_quiet, new_game, number,
    own_dice, ready, revision, seed, shown, turn,
};

/// Notes when the page is ready, in milliseconds since the navigation began.
const CLOCK: &str = "new MutationObserver((changes, observer) => {
  if (document.body?.dataset.ready !== 'true') return;
  window.readyAfter = performance.now();
  observer.disconnect();
}).observe(document, { subtree: true, childList: true, attributes: true });";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_begins_with_two_clicks() {
    let server = Server::start();
    let page = Page::open(Size::DESKTOP).await;
    page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": CLOCK })).await;
    page.goto(server.url()).await;
    lobby_ready(&page).await;
    assert_eq!(page.count("li.match").await, 0);
    seed(&page, SEED).await;
    page.click("[data-side=axis]").await;
    page.click(".go").await;
    ready(&page).await;
    assert!(page.url().await.contains("/m/"));
    assert_eq!(page.text("#turn").await, "Turn 1, 1940");
    assert_eq!(page.text(".role").await, "Axis");
    assert!(page.count(CHOICES).await > 0 && !page.text("#prompt").await.is_empty());
    let mut times = vec![number(&page, "readyAfter").await];
    while times.len() < 3 {
        page.reload().await;
        ready(&page).await;
        times.push(number(&page, "readyAfter").await);
    }
    println!("the table is ready after {times:.0?} ms");
    assert!(times.iter().all(|time| *time > 0.0), "{times:?}");
    if machine_is_quiet() {
        assert!(times.iter().any(|time| *time < 1_000.0), "{times:?}");
    }
    page.assert_quiet().await;
}

/// Clicks on a lit place of the board, and in the menu where it has several choices; else on a button.
async fn choose_by_mouse(page: &Page, nth: usize) -> bool {
    let script = "return [...document.querySelectorAll('#board [data-choice]')].map(e => e.dataset.choice);";
    let lit: Vec<String> = serde_json::from_value(page.run(script, vec![]).await).expect("names");
    if lit.is_empty() {
        choose_first(page).await;
        return false;
    }
    change(page, async || {
        let before = revision(page).await;
        page.click(&format!("#board [data-choice='{}']", lit[nth % lit.len()])).await;
        let answered =
            format!("maproom.revision > {before} || maproom.busy || !document.getElementById('pick').hidden");
        page.wait_until(&answered, "an answer to a click on the board").await;
        if lit[nth % lit.len()].contains('|') {
            page.click("#pick [data-choice]").await;
        }
    })
    .await;
    true
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_turns_are_played_with_the_mouse() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    let (mut times, mut on_board) = (Vec::new(), 0);
    while times.len() < 150 && turn(&page).await < 11 && !is_over(&page).await {
        on_board += u32::from(choose_by_mouse(&page, times.len()).await);
        times.push(number(&page, "maproom.lastClickMs").await);
        if times.len() == 8 {
            page.shot("table-light").await;
        }
    }
    assert!(turn(&page).await >= 11 || is_over(&page).await);
    assert!(on_board > 0, "nothing was lit on the board");
    times.sort_by(f64::total_cmp);
    let rank = |part: f64| times[((times.len() as f64 * part).ceil() as usize).clamp(1, times.len()) - 1];
    println!(
        "{} clicks, {on_board} of them on the board: p50 {:.0} ms, p99 {:.0} ms",
        times.len(),
        rank(0.5),
        rank(0.99)
    );
    assert!(times[0] > 0.0, "{times:.0?}");
    if machine_is_quiet() {
        assert!(rank(0.99) < 250.0, "{times:.0?}");
    }
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_turns_are_played_with_the_keyboard() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    for nth in 0..150 {
        if turn(&page).await >= 11 || is_over(&page).await {
            break;
        }
        let open = page.count(CHOICES).await;
        match nth % 4 {
            0 => key(&page, &(nth % open.min(9) + 1).to_string()).await,
            1 if page.count(&format!("{CHOICES}.default")).await > 0 => {
                page.press("Escape").await;
                key(&page, "Enter").await;
            }
            2 => {
                for _ in 0..2 {
                    page.press("ArrowDown").await;
                }
                page.press("ArrowUp").await;
                key(&page, "Enter").await;
            }
            _ => {
                for name in ["j", "j", "k"] {
                    page.press(name).await;
                }
                let focused = page.eval("document.activeElement?.closest('#choices ol') !== null").await;
                assert_eq!(focused, true, "j and k go through the choices");
                key(&page, "Enter").await;
            }
        }
    }
    assert!(turn(&page).await >= 11 || is_over(&page).await);
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_panel_has_its_key() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    crate::table::play_until(&page, "#closed").await;
    let before = shown(&page).await;
    page.press("?").await;
    page.wait_for("#help").await;
    page.press("1").await;
    page.press("Escape").await;
    page.wait_gone("#help").await;
    page.press("o").await;
    page.wait_for("#panel-odds .chance").await;
    page.wait_gone("#panel-log").await;
    page.press("l").await;
    page.wait_for("#panel-log").await;
    page.press("w").await;
    page.wait_for("#closed[open] [aria-disabled]").await;
    page.press("w").await;
    page.wait_gone("#closed [aria-disabled]").await;
    page.press("s").await;
    page.wait_for("#share").await;
    page.press("Escape").await;
    page.wait_gone("#share").await;

    page.press("r").await;
    page.wait_for("#panel-rules").await;
    page.wait_for("#board .theatre").await;
    shown(&page).await.assert_same(&before, "after looking around");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_whole_game_is_played_and_counted() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    for _ in 0..300 {
        if is_over(&page).await {
            break;
        }
        key(&page, "1").await;
    }
    let result = page.text("#prompt.over .sentence").await;
    assert!(!result.is_empty());
    assert_eq!(page.count(CHOICES).await, 0);
    assert_eq!(page.count("#board [data-choice]").await, 0);
    assert!(page.attribute("#prompt", "data-standing").await.is_some());
    page.shot("table-finished").await;
    page.assert_quiet().await;

    page.click("a.home").await;
    lobby_ready(&page).await;
    // Where no match is running, the finished ones are shown.
    assert_eq!(page.texts(".shelves [aria-current]").await, ["Finished 1"]);
    assert_eq!(page.texts("li.match .state b").await, [result]);
    page.click_text(".bar .tools a", "Statistics").await;
    page.wait_for("main.statistics tbody tr").await;
    assert_eq!(page.count(".statistics tbody tr").await, 1);
    let row = page.texts(".statistics tbody td").await;
    assert_eq!(row[..3].iter().filter(|count| *count == "1").count(), 1, "{row:?}");
    assert_eq!(row[..3].iter().filter(|count| *count == "0").count(), 2, "{row:?}");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_dice_are_asked_for_and_taken() {
    let server = Server::start();
    let page = own_dice(&server, Size::DESKTOP).await;
    let faces = ["die 1", "die 2", "die 3", "die 4", "die 5", "die 6"];
    assert_eq!(shown(&page).await.choices, faces);
    page.wait_text("#prompt .then", "Roll your die").await;
    assert_eq!(page.count("#choices.faces .die").await, 6);
    key(&page, "1").await;
    page.wait_text("#log", "Die Roll Chart: 1").await;
    page.wait_for("#tray .die[data-face='1']:not(.tumbling)").await;
    // Every die of the turn, by key and by mouse.
    let mut rolled = 1;
    for nth in 0..20 {
        if shown(&page).await.choices != faces {
            choose_first(&page).await;
        } else if nth % 2 == 0 {
            key(&page, "6").await;
            rolled += 1;
        } else {
            crate::table::choose(&page, "die 5").await;
            rolled += 1;
        }
        if rolled >= 6 {
            break;
        }
    }
    assert_eq!(rolled, 6);
    assert_eq!(page.count("#log .step .die").await, 6);
    page.assert_quiet().await;
}
