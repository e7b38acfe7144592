//! The map of Unconditional Surrender!: moving it costs nothing, it tells supply and ranges, lists lead to units, and the
//! month of the others can be seen again.

use serde_json::{Value, json};

use crate::blitz_desk::{calm, offered};
use crate::driver::{Page, Size};
use crate::looks::Barriers;
use crate::server::Server;
use crate::surrender_board::poland;
use crate::table::{lobby_ready, machine_is_quiet, ready, revision, seed, wait_revision};
use crate::triumph_desk::LAPTOP;

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
    // As a mouse drags it, a piece of paper wide, to and fro.
    let drag = "const [way] = arguments;
        const pane = document.querySelector('.map-frame');
        const box = pane.getBoundingClientRect();
        const at = (kind, x, y) => pane.dispatchEvent(new PointerEvent(kind,
            { pointerId: 1, pointerType: 'mouse', clientX: x, clientY: y, buttons: 1 }));
        const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
        window.changes = 0;
        at('pointerdown', x, y);
        for (let step = 1; step <= 40; step += 1) at('pointermove', x - 5 * way * step, y - 3 * way * step);
        at('pointerup', x - 200 * way, y - 120 * way);
        return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
            done([pane.scrollLeft, pane.scrollTop, window.changes]))));";
    let figure = |list: &Value, at: usize| list[at].as_f64().expect("a figure");
    let mut before = page.run(watch, vec![]).await;
    let mut drawn = Vec::new();
    // News of the table may come in the middle of it, but not every time.
    for way in [1, -1, 1, -1, 1] {
        let after = page.run(drag, vec![json!(way)]).await;
        let moved =
            (figure(&after, 0) - figure(&before, 0)).abs() + (figure(&after, 1) - figure(&before, 1)).abs();
        assert!(moved > 100.0, "the map has moved: {moved}");
        drawn.push(figure(&after, 2));
        if drawn.last() == Some(&0.0) {
            break;
        }
        before = after;
    }
    assert_eq!(drawn.last(), Some(&0.0), "nothing of the map was drawn anew: {drawn:?}");
    page.assert_quiet().await;
}

/// Moves or zooms the map for two seconds, a step a frame, and tells the time between frames and the tasks of the
/// page over 50 ms, both in milliseconds.
const FRAMES: &str = "const [kind] = arguments;
    const pane = document.querySelector('.map-frame');
    const box = pane.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const at = (name, dx, dy) => pane.dispatchEvent(new PointerEvent(name,
        { pointerId: 1, pointerType: 'mouse', clientX: x + dx, clientY: y + dy, buttons: 1 }));
    const turn = (deltaY) => pane.dispatchEvent(new WheelEvent('wheel',
        { deltaY, clientX: x, clientY: y, bubbles: true, cancelable: true }));
    const tasks = [];
    const watch = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)));
    watch.observe({ type: 'longtask' });
    if (kind === 'pan') at('pointerdown', 0, 0);
    return new Promise((done) => {
        const times = [];
        let last = null;
        const step = (now) => {
            if (last !== null) times.push(now - last);
            last = now;
            const count = times.length;
            if (count >= 120) {
                if (kind === 'pan') at('pointerup', 0, 0);
                // What is told late counts as well.
                setTimeout(() => { watch.disconnect(); done([times, tasks]); }, 300);
                return;
            }
            // There and back again.
            if (kind === 'pan') at('pointermove', 320 * Math.sin(count / 19), 200 * Math.sin(count / 13));
            else if (count % 6 === 0) turn(count < 60 ? 100 : -100);
            requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    });";

/// The campaign's opening: a map full of counters is moved and zoomed at the pace of the screen, and no task of the page holds it up.
/// Times count on a quiet machine only.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_map_of_the_campaign_is_moved_and_zoomed_smoothly() {
    let server = Server::start();
    for (scenario, kind) in [("main-event-1939", "pan"), ("main-event-1939", "zoom"), ("france-1944", "pan")]
    {
        let page = Page::open_at(LAPTOP, server.url()).await;
        lobby_ready(&page).await;
        page.choose(&format!("{FORM} [name='option.scenario']"), scenario).await;
        page.click(&format!("{FORM} .go")).await;
        ready(&page).await;
        calm(&page).await;
        let frames = page.run(FRAMES, vec![kind.into()]).await;
        let [mut frames, tasks]: [Vec<f64>; 2] = serde_json::from_value(frames).expect("times");
        frames.sort_by(f64::total_cmp);
        let mean = frames.iter().sum::<f64>() / frames.len() as f64;
        println!(
            "{scenario}, {kind}: {:.1} frames a second, 95 % of the frames within {:.1} ms; tasks over 50 ms: {tasks:.0?}",
            1_000.0 / mean,
            frames[frames.len() * 95 / 100],
        );
        assert!(!machine_is_quiet() || tasks.is_empty(), "{scenario}, {kind}: tasks of {tasks:?} ms");
        assert!(!machine_is_quiet() || kind == "zoom" || mean < 18.0, "{scenario}: a frame every {mean} ms");
        page.assert_quiet().await;
    }
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
