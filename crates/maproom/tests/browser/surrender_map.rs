//! The map of Unconditional Surrender!: moving it costs nothing, it tells supply and ranges, lists lead to units, and the
//! month of the others can be seen again.

use serde_json::Value;

use crate::blitz_desk::{calm, offered};
use crate::driver::{Page, Size};
use crate::looks::Barriers;
use crate::server::Server;
use crate::surrender_board::poland;
use crate::table::{lobby_ready, ready, revision, seed, wait_revision};

const FORM: &str = "form.game:has([name=game][value=surrender])";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moving_the_map_changes_nothing_in_it() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    let watch = "window.changes = 0;
        new MutationObserver((seen) => { window.changes += seen.length; })
            .observe(document.querySelector('.map-scale'), { subtree: true, childList: true,
                attributeFilter: ['d', 'transform', 'style', 'viewBox'] });
        const pane = document.querySelector('.map-frame');
        return [pane.scrollLeft, pane.scrollTop];";
    let before = page.run(watch, vec![]).await;
    // As a mouse drags it, a piece of paper wide.
    let drag = "const pane = document.querySelector('.map-frame');
        const box = pane.getBoundingClientRect();
        const at = (kind, x, y) => pane.dispatchEvent(new PointerEvent(kind,
            { pointerId: 1, pointerType: 'mouse', clientX: x, clientY: y, buttons: 1 }));
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        at('pointerdown', x, y);
        for (let step = 1; step <= 40; step += 1) at('pointermove', x - 5 * step, y - 3 * step);
        at('pointerup', x - 200, y - 120);
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
            done([pane.scrollLeft, pane.scrollTop, window.changes]))));";
    let after = page.run(drag, vec![]).await;
    let figure = |list: &Value, at: usize| list[at].as_f64().expect("a figure");
    let moved =
        (figure(&after, 0) - figure(&before, 0)).abs() + (figure(&after, 1) - figure(&before, 1)).abs();
    assert!(moved > 100.0, "the map has moved: {moved}");
    assert_eq!(after[2], 0, "nothing of the map was drawn anew");
    page.assert_quiet().await;
}

/// The pointer comes over something. A driver's pointer would first scroll the map.
async fn point_at(page: &Page, css: &str) {
    let over = "document.querySelector(arguments[0]).dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))";
    page.run(over, vec![css.into()]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_unit_tells_where_its_supply_comes_from() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    point_at(&page, "#u-GER-10A").await;
    assert_eq!(page.count("#about-map").await, 0, "nothing is told while the layer is hidden");
    page.press("y").await;
    point_at(&page, ".surrender .date").await;
    point_at(&page, "#u-GER-10A").await;
    page.wait_text("#about-words", "supply").await;
    // A straight way has no width, so it can't be waited for as something seen.
    assert_eq!(page.count("#about-map .trace-way").await, 1, "its way to the source is drawn");
    page.shot("surrender-supply").await;
    point_at(&page, ".surrender .date").await;
    page.wait_gone("#about-map").await;
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_lead_to_units_by_keyboard() {
    let server = Server::start();
    let page = poland(&server, Size::DESKTOP).await;
    page.click(".panels details:has(.unit-list) > summary").await;
    page.click("#roll-can details > summary").await;
    let first = "#roll-can details[open] li:first-child";
    let shown = page.attribute(&format!("{first} .unit-name"), "data-shows").await.expect("a unit");
    page.run(&format!("document.querySelector('{first} .unit-name').focus()"), vec![]).await;
    page.press("Enter").await;
    page.wait_for(&format!("#{shown}.shown-unit")).await;
    let in_sight = format!(
        "(() => {{ const at = document.getElementById('{shown}').getBoundingClientRect();
            const frame = document.querySelector('.map-frame').getBoundingClientRect();
            return at.left > frame.left && at.right < frame.right && at.top > frame.top && at.bottom < frame.bottom; }})()"
    );
    page.wait_until(&in_sight, "the unit is in sight").await;
    let mut barriers = Barriers::default();
    barriers.look(&page, "lists").await;
    let before = revision(&page).await;
    page.run(&format!("document.querySelector('{first} .take-up').focus()"), vec![]).await;
    page.press("Enter").await;
    // A unit with one thing to do does it; one with several asks which.
    page.wait_until(
        &format!("maproom.revision > {before} || !!document.querySelector('#pick [data-choice]')"),
        "it is taken up",
    )
    .await;
    page.click(".panels details:has(.dashboard) > summary").await;
    page.wait_for(".dashboard #dw-GER").await;
    barriers.look(&page, "overview").await;
    barriers.assert_none();
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_month_of_the_others_is_a_layer_and_a_film() {
    let server = Server::start();
    let page = Page::open_at(Size::DESKTOP, server.url()).await;
    lobby_ready(&page).await;
    page.choose(&format!("{FORM} [name='option.scenario']"), "poland-1939").await;
    page.choose(&format!("{FORM} [name='seat.0']"), "bot:greedy").await;
    page.choose(&format!("{FORM} [name='seat.1']"), "me").await;
    seed(&page, 5).await;
    page.click(&format!("{FORM} .go")).await;
    ready(&page).await;
    calm(&page).await;
    page.click("#pace [data-pace='once']").await;
    // The Axis plays its month; what it asks meanwhile is declined.
    loop {
        page.wait_for("#prompt.yours").await;
        let names = offered(&page).await;
        if names.iter().any(|name| name.starts_with("activate ")) {
            break;
        }
        let before = revision(&page).await;
        page.click("#choices ol li:last-child [data-choice]").await;
        wait_revision(&page, before + 1).await;
    }
    // At once nothing is shown as a film.
    page.click("#pace [data-pace='normal']").await;
    page.press("m").await;
    page.wait_for("#moves-all .moved.axis .march").await;
    assert!(page.count("#moves-all .fought").await > 0, "combats are marked");
    page.shot("surrender-moves").await;
    page.click(".film-month").await;
    page.wait_for("body.filming #film:not([hidden])").await;
    let count = page.wait_text("#film .where", " of ").await;
    let pictures: usize = count.rsplit(' ').next().and_then(|last| last.parse().ok()).expect("a number");
    assert!((3..=100).contains(&pictures), "{count}");
    page.press("Escape").await;
    page.wait_gone("body.filming").await;
    page.assert_quiet().await;
}
