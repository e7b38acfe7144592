//! What happened without the player: shown step by step, marked on the board, told in the log, and the end of a match.

use crate::blitz_desk::{calm, for_two};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{
    CHOICES, change, choose_first, is_over, new_game, ready, revision, shown, steps, wait_revision,
};

/// The page while something is shown step by step.
const FILM: &str = "body.filming #film:not([hidden])";

/// Which step is shown, and of how many.
async fn count(page: &Page) -> (u32, u32) {
    let words = page.text("#film .where").await;
    let count = words.rsplit(" · ").next().and_then(|count| count.split_once(" of "));
    let (at, all) = count.unwrap_or_else(|| panic!("{words:?} has no count"));
    (at.parse().expect("a number"), all.parse().expect("a number"))
}

/// Clicks on the first choice again and again until what follows is shown step by step.
async fn choose_until_something_happens(page: &Page) {
    for _ in 0..40 {
        let before = revision(page).await;
        page.click(CHOICES).await;
        page.wait_until(
            &format!("maproom.revision > {before} || document.querySelector({FILM:?})"),
            "a change, or a film",
        )
        .await;
        if page.count(FILM).await > 0 {
            return;
        }
        wait_revision(page, before + 1).await;
    }
    panic!("nothing ever happened by itself");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_happens_by_itself_is_shown_one_step_at_a_time() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    page.show_steps("pause").await;
    choose_until_something_happens(&page).await;
    let before = revision(&page).await;
    let (first, all) = count(&page).await;
    assert!(first < all, "{first} of {all}");
    page.shot("film").await;
    page.axe().await;
    // During a pause nothing goes on by itself: every step waits for a key.
    let mut dice = 0;
    for at in first..all {
        dice += page.count("#film .roll").await;
        assert!(page.texts("#film .purpose").await.iter().all(|purpose| purpose.len() > 4));
        assert_eq!(revision(&page).await, before, "the board is not there yet");
        page.press("Enter").await;
        page.wait_until(
            &format!("document.querySelector('#film .where').textContent.endsWith('{} of {all}')", at + 1),
            "the next step",
        )
        .await;
    }
    assert!(dice > 0, "dice were rolled");
    page.press("Enter").await;
    wait_revision(&page, before + 1).await;
    assert_eq!(page.count(FILM).await, 0);
    assert!(page.count(CHOICES).await > 0);
    // Whatever way the board came there, it is the same.
    let seen = shown(&page).await;
    page.reload().await;
    ready(&page).await;
    shown(&page).await.assert_same(&seen, "after a film");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_once_means_at_once_and_a_click_goes_to_the_end() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    page.show_steps("pause").await;
    page.run("localStorage['maproom.film.hold'] = 'off';", vec![]).await;
    choose_until_something_happens(&page).await;
    let before = revision(&page).await;
    page.click("#film [data-act=film-end]").await;
    wait_revision(&page, before + 1).await;
    // The same with a click on the board, which chooses nothing.
    choose_until_something_happens(&page).await;
    let before = revision(&page).await;
    let made = steps(&page).await;
    page.run("document.querySelector('#board .theatre').click();", vec![]).await;
    page.wait_gone(FILM).await;
    wait_revision(&page, before + 1).await;
    assert!(steps(&page).await > made);
    // At once: no step is shown on the way.
    page.click("#pace button[data-pace=once]").await;
    assert_eq!(page.attribute("#pace [data-pace=once]", "aria-pressed").await.as_deref(), Some("true"));
    page.run(
        "window.films = 0; new MutationObserver(() => { window.films += document.body.classList.contains('filming'); })
            .observe(document.body, { attributes: true, attributeFilter: ['class'] });",
        vec![],
    )
    .await;
    for _ in 0..6 {
        choose_first(&page).await;
    }
    assert_eq!(page.eval("window.films").await, 0);
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_move_stays_marked_and_is_shown_again() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    // Without a film the marks are the same.
    for _ in 0..30 {
        choose_first(&page).await;
        if page.count("#traces .last .way").await > 0 {
            break;
        }
    }
    assert!(page.count("#traces .last .way").await > 0, "something moved");
    page.shot("last-move").await;
    let before = shown(&page).await;
    page.show_steps("pause").await;
    page.press("t").await;
    page.wait_for(FILM).await;
    let (_, all) = count(&page).await;
    for _ in 0..all {
        page.press("Enter").await;
    }
    page.wait_gone(FILM).await;
    shown(&page).await.assert_same(&before, "after the replay");
    assert!(page.count("#traces .last .way").await > 0, "the marks are back");
    // A spectator of the past is not shown the marks of the present.
    page.press(",").await;
    page.wait_for("#prompt.past").await;
    page.wait_gone("#traces .last .way").await;
    page.press("Escape").await;
    page.wait_for("#traces .last .way").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_combat_is_held_until_one_goes_on() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    page.show_steps("fast").await;
    for _ in 0..40 {
        let before = revision(&page).await;
        page.click(CHOICES).await;
        page.wait_until(
            &format!("maproom.revision > {before} || document.querySelector('#film.held')"),
            "a change, or a combat",
        )
        .await;
        if page.count("#film.held").await > 0 {
            break;
        }
        wait_revision(&page, before + 1).await;
    }
    // At the place, and beside the board: the die, what was needed, the outcome.
    page.wait_for("#moment:not([hidden]) .die").await;
    let told = page.eval("document.getElementById('moment').textContent").await;
    let told = told.as_str().expect("a text").to_owned();
    assert!(told.contains("needs") && told.contains("attack"), "{told}");
    page.wait_for("#film .die").await;
    page.wait_gone("#film .tumbling").await;
    page.shot("combat").await;
    page.axe().await;
    let before = revision(&page).await;
    page.press("Enter").await;
    page.wait_until(
        &format!("maproom.revision > {before} || document.getElementById('moment').textContent !== {told:?}"),
        "what comes next",
    )
    .await;
    // Whoever does not want that says so, once.
    page.press("Escape").await;
    wait_revision(&page, before + 1).await;
    page.click(".pace-more summary").await;
    page.click("[data-film=hold]").await;
    page.reload().await;
    ready(&page).await;
    for _ in 0..12 {
        choose_first(&page).await;
    }
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_tells_actions_in_sentences() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    for _ in 0..14 {
        choose_first(&page).await;
    }
    let lines = page.texts("#log .action").await;
    assert!(lines.iter().all(|line| line.len() > 12), "no empty lines: {lines:#?}");
    assert!((lines.len() as u64) < steps(&page).await, "{} lines", lines.len());
    let chosen = "[...document.querySelectorAll('#log .headline, #log .chose')].map((line) => line.textContent).join('\\n')";
    let chosen = page.eval(chosen).await;
    let chosen = chosen.as_str().expect("a text");
    for name in ["attack WF", "attack EF", "shift EMT", "tow shift", "die 3"] {
        assert!(!chosen.contains(name), "{name} is the name of a choice: {chosen}");
    }
    // A line unfolds to its steps, and pointing at it lights its places.
    let steps_of = "#log .action:has(p[data-at]) details.steps";
    page.hover("#turn").await;
    page.wait_gone("#choice-note").await;
    page.run(
        "document.querySelector(arguments[0]).scrollIntoView({ block: 'center' });",
        vec![steps_of.into()],
    )
    .await;
    page.click(&format!("{steps_of} > summary")).await;
    page.wait_for(&format!("{steps_of}[open] .step")).await;
    page.hover(&format!("{steps_of} > summary")).await;
    page.wait_for("#traces .pointed-at .ring").await;
    page.shot("log").await;
    page.hover("#turn").await;
    page.wait_gone("#traces .pointed-at .ring").await;
    // The same lines, whether they came one by one or all at once.
    let before = page.texts("#log > li").await.len();
    page.reload().await;
    ready(&page).await;
    assert_eq!(page.texts("#log > li:not(.new-mark)").await.len(), before);
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_match_ends_with_a_card_and_can_be_played_again() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    let side = page.text(".role").await;
    while !is_over(&page).await {
        choose_first(&page).await;
    }
    page.wait_for("#ending .card h2").await;
    assert!(page.text("#ending .figures").await.contains("attacks"));
    // The look at the match takes its time.
    page.wait_for("#ending .curve svg .line").await;
    assert!(page.text("#ending .luck").await.len() > 20);
    assert!(page.count("#ending .turned li").await > 0);
    page.shot("ending").await;
    page.axe().await;
    page.press("Escape").await;
    page.wait_gone("#ending .card").await;
    page.click("#prompt [data-act=ending]").await;
    page.wait_for("#ending .curve svg .line").await;
    let finished = page.url().await;
    page.click("#ending [data-act=change-sides]").await;
    page.wait_until(&format!("location.href !== {finished:?}"), "another match").await;
    ready(&page).await;
    assert_ne!(page.text(".role").await, side);
    assert!(page.count(CHOICES).await > 0);
    page.goto(&finished).await;
    ready(&page).await;
    assert_eq!(page.count("#ending .card").await, 0, "the card is not in the way of who comes back");
    page.click("#prompt [data-act=ending]").await;
    page.click("#ending [data-act=rematch]").await;
    page.wait_until(&format!("location.href !== {finished:?}"), "another match").await;
    ready(&page).await;
    assert_eq!(page.text(".role").await, side);
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spectator_watches_bots_step_by_step_and_is_not_waited_for() {
    let server = Server::start();
    let page = for_two(&server, Size::DESKTOP, ["bot:greedy", "bot:greedy"]).await;
    calm(&page).await;
    page.show_steps("fast").await;
    page.wait_for(FILM).await;
    page.shot("film-blitz").await;
    change(&page, async || page.click("#pace button[data-pace=once]").await).await;
    page.wait_for("#prompt.over").await;
    page.wait_for("#ending [data-act=ending-look]").await;
    page.assert_quiet().await;
}
