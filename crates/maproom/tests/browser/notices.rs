//! Notices: channels on their page, a browser that becomes one, and what is pushed to it.

use serde_json::json;

use crate::driver::{Page, Size};
use crate::looks::assert_fits;
use crate::outside::smtp::Smtp;
use crate::server::Server;

const PASSWORD: &str = "correct horse battery";

/// A push service that is always there, with keys as browsers make them.
const SUBSCRIBES: &str = "window.asked = null;
    const point = Uint8Array.from({ length: 65 }, (_, at) => at ? at : 4);
    PushManager.prototype.subscribe = async (options) => {
        window.asked = options;
        return {
            endpoint: 'https://push.example.org/send/abcdefgh',
            getKey: (name) => (name === 'auth' ? new Uint8Array(16) : point).buffer,
        };
    };";

/// What the worker shows, as far as the page has heard.
const NOTES: &str =
    "(navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((all) => {
        window.notes = all.map((one) => [one.title, one.tag, one.data]);
    }), window.notes ??= [])";

/// Joins, and confirms an address by the link in the letter.
async fn member(server: &Server, mail: &Smtp) -> Page {
    let page = Page::open_at(Size::DESKTOP, &server.at("/join")).await;
    page.fill("#name", "Wilhelmina").await;
    page.fill("#password", PASSWORD).await;
    page.click(".go").await;
    page.wait_for("main.turns").await;
    page.goto(&server.at("/account")).await;
    page.fill("#mail", "minna@home.example").await;
    page.fill("#mail-password", PASSWORD).await;
    page.click("form[action='/account/mail'] button").await;
    page.wait_text(".done", "a letter is on its way").await;
    let letter = loop {
        match mail.take().pop() {
            Some(letter) => break letter.text.replace("=\n", ""),
            None => tokio::time::sleep(std::time::Duration::from_millis(20)).await,
        }
    };
    let link = letter.split_whitespace().find(|word| word.starts_with(server.url())).expect("a link");
    page.goto(link).await;
    page.click("form button").await;
    page.wait_text("h1", "Address confirmed").await;
    page
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn somebody_chooses_how_to_be_told_and_a_push_is_shown() {
    let mail = Smtp::start();
    let address = format!("smtp://{}", mail.server.address);
    let server = Server::start_with(&[
        "--accounts",
        "open",
        "--mail-server",
        &address,
        "--mail-from",
        "post@example.org",
        "--push-contact",
        "mailto:post@example.org",
    ]);
    let mut page = member(&server, &mail).await;
    page.goto(&server.at("/account/notices")).await;
    page.wait_text("main.notices", "Nobody bothers you").await;
    page.click("#add-mail").await;
    page.wait_text(".done", "added").await;
    page.click("form[action$='/test'] button").await;
    page.wait_text(".done", "sent and accepted").await;
    assert!(mail.take().iter().any(|mail| mail.text.contains("This is a test")));

    // What is chosen is there again after the page was loaded anew.
    page.click("[name='kind.half']").await;
    page.click("[name='kind.over']").await;
    let times = "document.querySelector('[name=quiet-from]').value = '22:00';
        document.querySelector('[name=quiet-to]').value = '07:30';";
    page.run(times, Vec::new()).await;
    page.click("form[action$='/wishes'] button").await;
    page.wait_text(".done", "saved").await;
    page.goto(&server.at("/account/notices")).await;
    let chosen = page.eval(
        "['half', 'over', 'turn'].map(kind => document.querySelector(`[name='kind.${kind}']`).checked)",
    );
    assert_eq!(chosen.await, json!([true, false, true]));
    assert_eq!(page.eval("document.querySelector('[name=quiet-to]').value").await, "07:30");

    // A hook that is refused says why; one that will do is added.
    page.choose("#hook-kind", "json").await;
    page.fill("#hook-address", "https://hooks.example.org/maproom").await;
    page.fill("#hook-secret", "short").await;
    page.click("form:has(#hook-kind) button").await;
    page.wait_text(".trouble", "at least 16 letters").await;
    // The browser notes the refusal in its console.
    drop(page.console_problems().await);
    page.choose("#hook-kind", "json").await;
    page.fill("#hook-address", "https://hooks.example.org/maproom").await;
    page.fill("#hook-secret", "a key of sixteen letters").await;
    page.click("form:has(#hook-kind) button").await;
    page.wait_text("main.notices", "JSON hook hooks.example.org/…room").await;
    push(&page, &server).await;
    looks(&mut page).await;
    page.click(".remove button").await;
    page.wait_text(".done", "removed").await;
    page.assert_quiet().await;
}

/// This browser subscribes, and shows what is pushed to it.
async fn push(page: &Page, server: &Server) {
    let origin = server.url().trim_end_matches('/');
    let allowed = json!({ "permissions": ["notifications"], "origin": origin });
    page.cdp("Browser.grantPermissions", allowed).await;
    page.wait_for("#push form:not([hidden])").await;
    page.run(SUBSCRIBES, Vec::new()).await;
    page.click("#push form button").await;
    page.wait_text("main.notices", "Browser push.example.org/…efgh").await;

    // Without a push service: the browser is told that something has come for the worker.
    let is_active =
        "(navigator.serviceWorker.ready.then((worker) => { window.worker = worker.active?.state; }),
        window.worker === 'activated')";
    page.wait_until(is_active, "the worker").await;
    page.cdp("ServiceWorker.enable", json!({})).await;
    let data =
        json!({ "title": "Your turn in “Winter war”.", "body": "", "url": server.at("/turns"), "tag": "m" });
    let so = "title === 'Your turn in “Winter war”.' && tag === 'm' && data === `${location.origin}/turns`";
    deliver(page, origin, &data.to_string(), so).await;
    assert_eq!(page.eval("window.notes.length").await, 1);
    // Whatever leads elsewhere, or can't be read, is shown all the same and leads home.
    let elsewhere = json!({ "title": "Elsewhere", "tag": "m", "url": "https://evil.example/" }).to_string();
    for (text, shown) in [(elsewhere.as_str(), "Elsewhere"), ("{", "Something happened at Maproom.")] {
        deliver(page, origin, text, &format!("title === '{shown}' && data === `${{location.origin}}/`"))
            .await;
    }
}

/// Hands a message to the worker until what it shows is so. On a busy machine a message can get lost while Chromium still
/// starts the worker; a service would send it again as well.
async fn deliver(page: &Page, origin: &str, data: &str, so: &str) {
    let message = json!({ "origin": origin, "registrationId": "0", "data": data });
    let shown = format!("{NOTES}.some(([title, tag, data]) => {so})");
    for _ in 0..30 {
        page.cdp("ServiceWorker.deliverPushMessage", message.clone()).await;
        for _ in 0..40 {
            if page.eval(&shown).await == json!(true) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
    }
    panic!("nothing was shown of {data}");
}

async fn looks(page: &mut Page) {
    page.axe().await;
    for (size, name) in [(Size::DESKTOP, "notices"), (Size::PHONE, "notices-phone")] {
        page.resize(size).await;
        page.shot(name).await;
        assert_fits(page, size, "the notices").await;
    }
    page.resize(Size::DESKTOP).await;
    page.media(&[("prefers-color-scheme", "dark")]).await;
    page.shot("notices-dark").await;
    page.axe().await;
    page.media(&[]).await;
}
