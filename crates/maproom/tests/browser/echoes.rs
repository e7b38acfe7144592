//! Echoes of War beside its board: what is in force, why, and the Tide of War by track.

use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{
    CHOICES, change, choose, choose_first, is_over, lobby_ready, new_game, ready, revision, seed,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_box_in_force_stands_beside_the_choices_with_its_reason() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    let mut alternates = 0;
    for _ in 0..150 {
        if is_over(&page).await || alternates > 0 {
            break;
        }
        if page.count("#in-force:not([hidden]) .number").await > 0 {
            // The same box is marked on the Action Page.
            let title = page.text(".box-table li.now h4").await;
            let title =
                title.trim_start_matches(|c: char| c.is_ascii_digit() || c.is_whitespace()).to_owned();
            let shown = page.text("#in-force h2").await;
            assert!(shown.contains(&title), "{shown} / {title}");
            let part = page.texts("#in-force h2 small").await.join("");
            let rest = page.count(".box-table li.now.plays-rest .alternate").await > 0;
            assert_eq!(part.starts_with("the Alternate, because "), rest, "{part}");
            alternates += usize::from(rest);
        }
        choose_first(&page).await;
    }
    assert!(alternates > 0, "no Alternate was played");
    page.shot("echoes-in-force").await;
    page.assert_quiet().await;
}

/// On a phone too: the box is in the panel of the decision, not only on the Action Page far below.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_box_in_force_is_in_sight_on_a_phone() {
    let server = Server::start();
    let page = new_game(&server, Size::PHONE).await;
    for _ in 0..40 {
        if page.count("#in-force:not([hidden]) .number").await > 0 {
            break;
        }
        choose_first(&page).await;
    }
    assert!(page.count("#ask #in-force:not([hidden]) h2").await == 1);
    page.shot("echoes-in-force-phone").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shifts_are_grouped_by_track() {
    let server = Server::start();
    let page = new_game(&server, Size::DESKTOP).await;
    crate::table::play_until(&page, "#choices .group").await;
    let headings = page.texts("#choices .group p").await;
    let mut tracks = Vec::new();
    for heading in &headings {
        let track = heading.strip_prefix("Tide of War, shift ").and_then(|rest| rest.split(',').next());
        tracks.push(track.unwrap_or_else(|| panic!("{heading}")).to_owned());
    }
    tracks.dedup();
    assert_eq!(tracks.len(), headings.len(), "a heading for each track: {headings:?}");
    for button in page.texts("#choices .group .choice b").await {
        assert!(button.starts_with("box "), "{button}");
    }
    // A button of a group is a choice like any other.
    let name = page.attribute("#choices .group [data-choice]", "data-choice").await.expect("its name");
    page.shot("echoes-groups").await;
    let before = revision(&page).await;
    choose(&page, &name).await;
    assert!(revision(&page).await > before);
    page.assert_quiet().await;
}

/// Rule 2.5.8: asked always, there is a window as soon as the first box is open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_may_ask_to_be_asked_always() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    seed(&page, 3).await;
    let form = "form.game:has([name=game][value=echoes])";
    page.choose(&format!("{form} [name='option.ask']"), "always").await;
    page.click(&format!("{form} .go")).await;
    ready(&page).await;
    page.wait_text("#prompt", "before it is resolved?").await;
    assert!(page.count(&format!("{CHOICES}.default")).await == 1);
    change(&page, async || page.press("Enter").await).await;
    page.assert_quiet().await;
}
