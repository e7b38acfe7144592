//! One person against bots at Triumph & Tragedy: a march with a Battle by the mouse, every kind of decision by keys alone, and
//! the looks on a laptop and a phone.

use std::collections::BTreeSet;

use crate::driver::{Page, Size};
use crate::looks::{Barriers, assert_fits};
use crate::server::Server;
use crate::table::{SEED, revision, steps, wait_revision};
use crate::triumph_desk::{LAPTOP, asked, at_once, by_keys, by_mouse, war};
use crate::triumph_plan::Plan;

const PHONE: Size = Size { width: 360, height: 800, scale: 2.0, touch: true };

/// The Axis in 1936 against two characters who play at once.
async fn axis_against_bots(server: &Server) -> Page {
    let page = war(server, LAPTOP, "1936", ["me", "bot:statesman", "bot:statesman"], SEED).await;
    page.click("#pace button[data-pace=once]").await;
    page
}

/// The season on the strip.
async fn season(page: &Page) -> String {
    page.text("#year .now").await
}

/// Undoes the last choice, and makes it again.
async fn thinks_better_of_it(page: &Page, name: &str) {
    let made = steps(page).await;
    let before = revision(page).await;
    page.click("[data-act=undo]").await;
    wait_revision(page, before + 1).await;
    assert!(steps(page).await < made, "nothing was taken back");
    assert!(asked(page).await.iter().any(|open| open == name), "{name} is open again");
    by_mouse(page, name).await;
    assert_eq!(steps(page).await, made);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_march_into_austria_by_the_mouse_and_every_kind_of_decision_by_keys() {
    let server = Server::start();
    let page = axis_against_bots(&server).await;
    let (mut plan, mut by_key, mut fired) = (Plan::default(), BTreeSet::new(), false);
    for _ in 0..200 {
        let names = asked(&page).await;
        let name = plan.choice("axis", &names, &season(&page).await);
        let word = name.split(' ').next().unwrap_or_default().to_owned();
        let is_war = matches!(word.as_str(), "violate" | "move" | "to" | "select" | "fire");
        if fired && !is_war {
            break;
        }
        if word == "fire" && !fired {
            // The chances stand there before the dice roll.
            page.press("o").await;
            page.wait_for("#panel-odds .answer").await;
            page.wait_text("#panel-odds", "%").await;
            page.shot("triumph-battle").await;
        }
        fired |= word == "fire";
        if !is_war && by_key.insert(word.clone()) {
            by_keys(&page, &name).await;
        } else if is_war {
            by_mouse(&page, &name).await;
            if word == "move" && by_key.insert(word) {
                thinks_better_of_it(&page, &name).await;
            }
        } else {
            at_once(&page, &name).await;
        }
    }
    assert!(fired, "no Battle in Austria");
    for kind in
        ["cadre", "buy", "build", "at", "strengthen", "finish", "diplomacy", "discard", "commit", "end"]
    {
        assert!(by_key.contains(kind), "no {kind} by keys: {by_key:?}");
    }
    page.wait_text("#log", "Austria").await;
    page.assert_quiet().await;
}

/// Fails if something sticks out on either screen; looks for barriers in one theme of each.
async fn look_around(page: &mut Page, barriers: &mut Barriers, what: &str, themes: [&str; 2]) {
    for (size, theme) in [LAPTOP, PHONE].into_iter().zip(themes) {
        page.resize(size).await;
        page.wait_until(&format!("innerWidth === {}", size.width), "another screen").await;
        for theme in ["light", "dark"] {
            page.media(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]).await;
            assert_fits(page, size, &format!("{what}, {theme}")).await;
            page.shot(&format!("triumph-{what}-{}-{theme}", size.width)).await;
        }
        page.media(&[("prefers-color-scheme", theme), ("prefers-reduced-motion", "reduce")]).await;
        barriers.look(page, &format!("{what}, {} wide, {theme}", size.width)).await;
    }
    page.resize(LAPTOP).await;
    page.media(&[("prefers-reduced-motion", "reduce")]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_shut_out_of_triumph() {
    let server = Server::start();
    let mut page = axis_against_bots(&server).await;
    let mut barriers = Barriers::default();
    asked(&page).await;
    look_around(&mut page, &mut barriers, "set-up", ["light", "dark"]).await;
    let mut plan = Plan::default();
    for _ in 0..200 {
        let names = asked(&page).await;
        if names.iter().any(|name| name.starts_with("move ")) {
            break;
        }
        let name = plan.choice("axis", &names, &season(&page).await);
        at_once(&page, &name).await;
    }
    look_around(&mut page, &mut barriers, "moves", ["dark", "light"]).await;
    page.assert_quiet().await;
    barriers.assert_none();
}
