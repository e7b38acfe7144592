//! The tests' own tools, tried on a page that is known: what they report must be what is there.

use std::process::Command;

use serde_json::json;

use crate::driver::{Page, Size};
use crate::server::Process;
use crate::site::Site;

const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harness</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<main>
<h1>Harness</h1>
<button id="count" type="button">0</button>
<button id="swap" type="button">Swap</button>
<label>Name <input id="name"></label>
<label>Colour <select id="colour"><option value="r">Red</option><option value="b">Blue</option></select></label>
<svg width="60" height="30" role="img" aria-label="A sign"><text id="sign" x="5" y="20">Sign</text></svg>
<p id="keys"></p>
<p id="late" hidden>Here at last</p>
</main>
<script src="/page.js"></script>
</body>
</html>"#;

const STYLE: &str = "
:root { color: #111; background: #fff; transition: none; }
@media (prefers-color-scheme: dark) { :root { color: #eee; background: #102030; } }
#swap { position: relative; }
";

const SCRIPT: &str = "
const at = id => document.getElementById(id);
let fingers = 0;
at('count').addEventListener('click', () => { at('count').textContent++; });
at('count').addEventListener('touchstart', () => { fingers++; });
at('swap').addEventListener('click', () => {
  setTimeout(() => { at('late').hidden = false; at('swap').remove(); }, 150);
});
document.addEventListener('keydown', event => {
  const held = [event.shiftKey && 'Shift', event.ctrlKey && 'Ctrl', event.altKey && 'Alt'].filter(Boolean);
  at('keys').textContent += `${[...held, event.key].join('+')}${event.isTrusted ? '' : '?'} `;
});
";

fn site() -> Site {
    let troubled = "console.log('fine'); console.warn('a warning'); console.error('an error');
        document.body.append('loaded'); fetch('/missing'); nonsense();";
    let nameless = PAGE.replace("<p id=\"keys\"></p>", "<button id=\"mute\" type=\"button\"></button>");
    Site::start([
        ("/", "text/html", PAGE.to_owned()),
        ("/page.css", "text/css", STYLE.to_owned()),
        ("/page.js", "text/javascript", SCRIPT.to_owned()),
        ("/troubled", "text/html", PAGE.replace("page.js", "troubled.js")),
        ("/troubled.js", "text/javascript", troubled.to_owned()),
        ("/nameless", "text/html", nameless),
    ])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn errors_and_warnings_of_the_console_are_caught() {
    let site = site();
    let page = Page::open_at(Size::DESKTOP, &site.at("/")).await;
    page.assert_quiet().await;
    page.goto(&site.at("/troubled")).await;
    page.wait_text("body", "loaded").await;
    page.wait_until("performance.getEntriesByName(location.origin + '/missing').length", "a failed request")
        .await;
    let problems = page.console_problems().await;
    for part in ["a warning", "an error", "nonsense is not defined", "status of 404"] {
        assert_eq!(problems.iter().filter(|line| line.contains(part)).count(), 1, "{part}: {problems:#?}");
    }
    assert_eq!(problems.len(), 4, "{problems:#?}");
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keys_and_clicks_arrive_as_from_a_person() {
    let site = site();
    let page = Page::open_at(Size::DESKTOP, &site.at("/")).await;
    for chord in ["a", "Enter", "ArrowLeft", "Shift+Tab", "Ctrl+ArrowUp", "+", "F2", "Escape"] {
        page.press(chord).await;
    }
    assert_eq!(
        page.text("#keys").await,
        "a Enter ArrowLeft Shift+Shift Shift+Tab Ctrl+Control Ctrl+ArrowUp Shift++ F2 Escape"
    );
    page.click("#count").await;
    page.press("Space").await;
    page.press("Enter").await;
    assert_eq!(page.text("#count").await, "3");
    page.fill("#name", "Ada").await;
    assert_eq!(page.eval("at('name').value").await, "Ada");
    page.choose("#colour", "b").await;
    assert_eq!(page.eval("at('colour').value").await, "b");
    assert_eq!(page.text("#sign").await, "Sign");
    assert_eq!(page.attribute("svg", "role").await.as_deref(), Some("img"));
    page.hover("#count").await;
    assert_eq!(page.eval("at('count').matches(':hover')").await, true);
    page.click_text("button", "Swap").await;
    page.wait_for("#late").await;
    page.wait_gone("#swap").await;
    assert_eq!((page.count("button").await, page.texts("button").await), (1, vec!["3".to_owned()]));
    page.assert_quiet().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn screens_and_tastes_can_be_pretended() {
    let site = site();
    let mut page = Page::open_at(Size::PHONE, &site.at("/")).await;
    let screen = "[innerWidth, innerHeight, devicePixelRatio, matchMedia('(pointer: coarse)').matches]";
    assert_eq!(page.eval(screen).await, json!([360, 740, 2, true]));
    page.tap("#count").await;
    page.wait_until("at('count').textContent === '1' && fingers === 1", "a tap that counts").await;

    let ground = "getComputedStyle(document.documentElement).backgroundColor";
    let calm = "matchMedia('(prefers-reduced-motion: reduce)').matches";
    assert_eq!((page.eval(ground).await, page.eval(calm).await), (json!("rgb(255, 255, 255)"), json!(false)));
    page.media(&[("prefers-color-scheme", "dark"), ("prefers-reduced-motion", "reduce")]).await;
    assert_eq!((page.eval(ground).await, page.eval(calm).await), (json!("rgb(16, 32, 48)"), json!(true)));
    page.reload().await;
    assert_eq!(
        (page.eval(ground).await, page.eval("innerWidth").await),
        (json!("rgb(16, 32, 48)"), json!(360))
    );
    page.media(&[]).await;
    assert_eq!(page.eval(ground).await, "rgb(255, 255, 255)");

    page.resize(Size::FOUR_K).await;
    assert_eq!(page.eval(screen).await, json!([3840, 2160, 1, false]));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.png");
    page.screenshot(&file).await;
    let image = std::fs::read(&file).expect("a picture");
    assert_eq!(image[16..24], [0, 0, 0x0f, 0, 0, 0, 0x08, 0x70], "3840 by 2160 pixels");
    page.shot("harness-4k").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn windows_of_one_browser_share_what_two_browsers_do_not() {
    let site = site();
    let page = Page::open_at(Size::PHONE, &site.at("/")).await;
    let window = page.second_window().await;
    window.goto(&site.at("/")).await;
    let stranger = Page::open_at(Size::DESKTOP, &site.at("/")).await;
    page.eval("localStorage.setItem('seat', 'north')").await;
    let seat = "localStorage.getItem('seat')";
    assert_eq!((window.eval(seat).await, stranger.eval(seat).await), (json!("north"), json!(null)));
    assert_eq!(
        (window.eval("innerWidth").await, stranger.eval("innerWidth").await),
        (json!(360), json!(1280))
    );
    // Both are seen and drawn at once.
    let drawn = "new Promise(done => requestAnimationFrame(() => done(document.visibilityState)))";
    assert_eq!((page.eval(drawn).await, window.eval(drawn).await), (json!("visible"), json!("visible")));
    window.click("#count").await;
    assert_eq!((page.text("#count").await, window.text("#count").await), ("0".to_owned(), "1".to_owned()));
    window.close_window().await;
    page.click("#count").await;
    assert_eq!(page.text("#count").await, "1");

    let traffic = stranger.traffic().await;
    let asked = ["/", "/page.css", "/page.js"].map(|path| site.at(path));
    assert_eq!(
        traffic.urls.iter().filter(|url| !url.starts_with("data:")).collect::<Vec<_>>(),
        asked.each_ref()
    );
    assert!((PAGE.len()..PAGE.len() * 3).contains(&(traffic.bytes as usize)), "{traffic:?}");
    assert!(stranger.traffic().await.urls.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_button_without_a_name_is_found() {
    let site = site();
    let page = Page::open_at(Size::DESKTOP, &site.at("/")).await;
    page.axe().await;
    page.goto(&site.at("/nameless")).await;
    if let Some(found) = page.axe_violations().await {
        let [only] = found.as_slice() else { panic!("{found:#?}") };
        assert!(only.starts_with("critical button-name: #mute: "), "{only}");
    }
}

#[test]
fn a_server_that_does_not_come_up_is_quoted() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maproom"));
    command.arg("--version");
    let why = Process::start(command).err().expect("no server");
    assert!(why.contains("without an address") && why.contains(env!("CARGO_PKG_VERSION")), "{why}");
}

#[cfg(unix)]
#[test]
fn a_server_is_known_by_the_address_it_says() {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        "echo starting; echo 'the lobby: http://127.0.0.1:4711/ (Ctrl-C ends)'; exec sleep 600",
    ]);
    let process = Process::start(command).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!(process.url(), "http://127.0.0.1:4711/");
}
