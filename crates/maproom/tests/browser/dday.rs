//! D-Day to Berlin at the board: battalions are activated, marched and thrown into an assault by the mouse.

use crate::blitz_desk::{calm, offered};
use crate::driver::{Page, Size};
use crate::server::Server;
use crate::table::{change, lobby_ready, ready, revision, turn, wait_revision};

const FORM: &str = "form.game:has([name=game][value=dday])";

/// A battle with a person or a bot at each seat, by the words of the form.
async fn battle(server: &Server, size: Size, scenario: &str, seats: [&str; 2]) -> Page {
    let page = Page::open_at(size, server.url()).await;
    lobby_ready(&page).await;
    page.choose(&format!("{FORM} [name='option.scenario']"), scenario).await;
    for (at, who) in seats.iter().enumerate() {
        page.choose(&format!("{FORM} [name='seat.{at}']"), who).await;
    }
    // Dice of one's own: what happens does not depend on luck.
    page.click(&format!("{FORM} .more:has([name=dice]) summary")).await;
    page.click(&format!("{FORM} [name=dice][value=own]")).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    calm(&page).await;
    page
}

/// Waits until the person at this page is asked something.
async fn asked(page: &Page) {
    page.wait_until(
        "document.querySelector('#prompt.over') || document.querySelectorAll('#choices ol [data-choice]').length > 0",
        "a question for this seat",
    )
    .await;
}

/// Clicks a place of the board with the mouse and waits for what comes of it; where several choices lie there, takes the
/// first of the menu.
async fn click(page: &Page, css: &str) {
    let before = revision(page).await;
    page.click(css).await;
    if page.count("#pick:not([hidden])").await > 0 {
        page.click("#pick:not([hidden]) [data-choice], #pick:not([hidden]) li button").await;
    }
    wait_revision(page, before + 1).await;
    asked(page).await;
}

/// The id of the first place of the board whose choices begin so.
async fn place(page: &Page, beginning: &str) -> Option<String> {
    let find = "const shown = (place) => {
            const box = place.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return top && place.contains(top);
        };
        const found = [...document.querySelectorAll('#board [data-choice], #orders [data-choice], #builder [data-choice]')]
            .find((place) => place.dataset.choice.startsWith(arguments[0]) && shown(place) && place.id);
        return found ? '#' + CSS.escape(found.id) : null;";
    page.run(find, vec![beginning.into()]).await.as_str().map(str::to_owned)
}

/// The free zone that is lit for the march and nearest to a town; `None` where staying is as good.
async fn towards(page: &Page, (column, row): (u8, u8)) -> Option<String> {
    let find = "const [column, row] = arguments;
        const far = (zone) => Math.max(Math.abs(zone.slice(0, 2) - column), Math.abs(zone.slice(2) - row));
        const free = (place) => {
            const box = place.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return top && place.contains(top);
        };
        const zones = [...document.querySelectorAll('#board .go[data-choice^=step]')].filter(free);
        zones.sort((a, b) => far(a.dataset.zone) - far(b.dataset.zone));
        return zones.length ? '#' + zones[0].id : null;";
    page.run(find, vec![column.into(), row.into()]).await.as_str().map(str::to_owned)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn villers_bocage_is_played_for_two_turns_by_the_mouse() {
    let server = Server::start();
    let page = battle(&server, Size::DESKTOP, "03_villers_bocage", ["me", "bot:commander"]).await;
    assert!(page.text(".bar h1").await.contains("Villers-Bocage"));
    page.click("#pace button[data-pace=once]").await;
    asked(&page).await;
    page.shot("dday-start").await;
    let (mut marched, mut fought, mut assaults) = (0, 0, 0);
    let (mut on_the_march, mut dice) = (false, 0);
    for _ in 0..400 {
        asked(&page).await;
        if turn(&page).await > 2 || page.count("#prompt.over").await > 0 {
            break;
        }
        let names = offered(&page).await;
        let has = |word: &str| names.iter().any(|name| name == word || name.starts_with(&format!("{word} ")));
        if has("die") {
            // From 2 to 4: everybody obeys, most shots hit, and no initiative is tied for ever.
            dice += 1;
            click(&page, &format!("#choices ol [data-choice='die {}']", 2 + dice % 3)).await;
        } else if has("roll") {
            click(&page, "#orders [data-choice='roll']").await;
        } else if has("activate") && marched < 6 * turn(&page).await {
            // The column on the road to the town, and whoever stands alone.
            let units = ["uk-4cly", "uk-11h", "uk-8h", "uk-1-5q", "uk-1-7q", "uk-5rtr"];
            let unit = units.iter().find(|unit| names.contains(&format!("activate {unit}")));
            marched += 1;
            let Some(unit) = unit else { continue };
            activate(&page, unit).await;
        } else if has("step") || has("halt") {
            // The first battalion stands before the town already. The others go there as far as they come.
            let way = if on_the_march || marched == 1 { None } else { towards(&page, (7, 5)).await };
            on_the_march = way.is_some();
            click(&page, way.as_deref().unwrap_or("#orders [data-choice='halt']")).await;
        } else if has("assault") && assaults < 3 {
            assaults += 1;
            let target = place(&page, "assault").await.expect("an assault has a place on the map");
            click(&page, &target).await;
        } else if has("lead") {
            click(&page, "#builder button.row[data-choice^='lead']").await;
        } else if has("attack") {
            fought += 1;
            page.wait_for("#builder .go-button").await;
            page.shot("dday-builder").await;
            assert!(
                page.text("#builder").await.contains('%'),
                "the chances stand there before the dice roll"
            );
            click(&page, "#builder .go-button").await;
        } else if has("end") {
            click(&page, "#orders [data-choice='end']").await;
        } else {
            // Everything else lies on the board, too: the first place will do.
            let first = names.first().expect("something is asked").clone();
            let beginning = first.split(' ').next().unwrap_or_default().to_owned();
            match place(&page, &beginning).await {
                Some(css) => click(&page, &css).await,
                None => change(&page, async || page.click("#choices ol [data-choice]").await).await,
            }
        }
    }
    assert!(turn(&page).await > 2, "two turns are over");
    assert!(marched >= 6 && fought >= 1, "{marched} marches, {fought} assaults");
    let reasons = page.count("#log details.why.remark").await;
    assert!(
        reasons > 1,
        "the commander says why, not {reasons} times: {:#?}",
        page.texts("#log .action").await
    );
    page.shot("dday-turn-3").await;
    page.assert_quiet().await;
}

/// Clicks a battalion, in a stack that is fanned out first.
async fn activate(page: &Page, unit: &str) {
    let first = "const token = document.getElementById('t-' + arguments[0]);
        const stack = token && token.closest('[id^=hit-]');
        return stack && stack.querySelector(':scope > .hit') ? '#' + CSS.escape(stack.id) + ' > .hit' : null;";
    if let Some(hit) = page.run(first, vec![unit.into()]).await.as_str() {
        page.hover(hit).await;
        page.wait_until(
            &format!("document.getElementById('t-{unit}').getBoundingClientRect().width > 0"),
            "the battalion in the open stack",
        )
        .await;
    }
    click(page, &format!("#t-{unit}")).await;
}

/// Rolls dice and ends phases until something is on the page.
async fn until(page: &Page, css: &str) {
    for _ in 0..60 {
        asked(page).await;
        if page.count(css).await > 0 {
            return;
        }
        let names = offered(page).await;
        let wanted =
            ["die 3", "first", "end"].into_iter().find(|wanted| names.iter().any(|name| name == wanted));
        let wanted = wanted.unwrap_or_else(|| panic!("{names:?} before {css}"));
        click(page, &format!("#choices ol [data-choice='{wanted}']")).await;
    }
    panic!("{css} never came");
}

/// Where something is on the screen, in whole pixels.
async fn place_of(page: &Page, css: &str) -> Vec<i64> {
    let find = "const box = document.querySelector(arguments[0]).getBoundingClientRect();
        return [box.left, box.top, box.width, box.height].map(Math.round);";
    let found = page.run(find, vec![css.into()]).await;
    found.as_array().expect("a box").iter().map(|side| side.as_i64().expect("a number")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_attack_is_made_ready_put_together_and_cancelled() {
    let server = Server::start();
    let page = battle(&server, Size::DESKTOP, "03_villers_bocage", ["me", "bot:commander"]).await;
    page.click("#pace button[data-pace=once]").await;
    until(&page, "#readies .ready").await;
    // An enemy that is pointed at says why it can't be attacked now.
    page.run(
        "document.querySelector('#stacks .stack[data-closed] .hit').dispatchEvent(new MouseEvent('click', { bubbles: true }))",
        vec![],
    )
    .await;
    page.wait_text(".toast", "combat phase").await;
    // A stack in contact is made ready by one click; the die is rolled by the next.
    click(&page, "#readies .ready").await;
    assert_eq!(offered(&page).await, ["roll"]);
    page.shot("dday-ready").await;
    click(&page, "#readies .ready.roll").await;
    click(&page, "#choices ol [data-choice='die 3']").await;
    until(&page, "#assaults .assault").await;
    let arrow = place(&page, "assault").await.expect("an assault has an arrow");
    click(&page, &arrow).await;
    page.wait_for("#builder .go-button").await;
    // Zooming grows the map and leaves the panels where they are; "fit" shows all of the map.
    let panels = ["#builder", ".staff", "#orders"];
    let mut before = Vec::new();
    for css in panels {
        before.push(place_of(&page, css).await);
    }
    let map = place_of(&page, "#map").await;
    for _ in 0..4 {
        page.click("#time [data-act=zoom-in]").await;
    }
    page.wait_until(
        &format!("document.querySelector('#map').getBoundingClientRect().width > {}", map[2] * 2),
        "a larger map",
    )
    .await;
    for (css, before) in panels.iter().zip(&before) {
        assert_eq!(&place_of(&page, css).await, before, "{css} stays in place");
    }
    page.shot("dday-builder-zoomed").await;
    page.click("#time [data-act=zoom-fit]").await;
    page.wait_until(
        "((map, frame) => map.left >= frame.left - 1 && map.top >= frame.top - 1 && map.right <= frame.right + 1
          && map.bottom <= frame.bottom + 1)(
            ...['#map', '.map-frame'].map((css) => document.querySelector(css).getBoundingClientRect()))",
        "all of the map",
    )
    .await;
    page.shot("dday-builder-fit").await;
    // Cancel takes the whole attack back: nothing was rolled.
    page.click("#builder .cancel-button").await;
    page.wait_until("document.querySelector('#builder').hidden", "the builder goes").await;
    asked(&page).await;
    assert!(offered(&page).await.iter().any(|name| name.starts_with("assault ")), "back in the combat phase");
    page.assert_quiet().await;
}
