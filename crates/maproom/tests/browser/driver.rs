//! A real browser, led by its driver: pages that are opened, clicked, typed into and looked at.
//!
//! It is Chromium unless `MAPROOM_BROWSER` names another. One chromedriver serves all tests of the process and ends with the
//! last page; every [`Page::open`] is a browser of its own with a fresh profile. Helpers fail the test themselves, with the address of the page
//! and what they waited for.

#![allow(dead_code, reason = "helpers stand ready before every one of them is used")]

use std::env;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::wd::{WebDriverCompatibleCommand, WindowHandle};
use fantoccini::{Client, Locator};
use http::Method;
use serde_json::{Value, json};
use tokio::sync::MutexGuard;
use url::Url;

#[path = "engine.rs"]
mod engine;
#[path = "session.rs"]
mod session;

use engine::Engine;
use session::{Session, shots};

/// How long a page may take for anything: a busy machine takes its time, and only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often a page is asked whether it is so far.
const PULSE: Duration = Duration::from_millis(25);

/// Whether a page was drawn at least once.
const DRAWN: &str = "performance.getEntriesByType('paint').length > 0";
/// The same for engines that don't tell: after two frames the first of them has been drawn.
const DRAWN_TWICE: &str = "(window.framesSeen ??= 0,
    requestAnimationFrame(() => { window.framesSeen += 1; }), window.framesSeen > 1)";

/// Brings an element to the middle of the screen and says where it is; null if a click there would not reach it.
const REACH: &str = "const [element] = arguments;
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = element.getBoundingClientRect();
    const middle = [box.x + box.width / 2, box.y + box.height / 2];
    const top = document.elementFromPoint(...middle);
    return top && (element.contains(top) || top.contains(element)) ? middle : null;";

/// Brings an element to the middle of the screen and waits until it has stood still for three frames: what still slides is somewhere
/// else when the finger comes down. What never rests is touched all the same.
const AT_REST: &str = "const [element] = arguments;
    element.scrollIntoView({ block: 'center', behavior: 'instant' });
    return new Promise((done) => {
        let last = '', still = 0, frames = 0;
        const look = () => {
            const { x, y } = element.getBoundingClientRect();
            still = last === `${x} ${y}` ? still + 1 : 0;
            last = `${x} ${y}`;
            frames += 1;
            if (still >= 3 || frames > 90) done(true);
            else requestAnimationFrame(look);
        };
        look();
    });";

/// What happens is shown at once, and not step by step, unless a test wants to see that: see [`Page::show_steps`].
const AT_ONCE: &str =
    "try { localStorage['maproom.film.play'] ??= 'off'; } catch { /* An empty page keeps nothing. */ }";

/// A command that only chromedriver knows.
#[derive(Debug)]
struct Vendor {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Vendor {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}

/// A screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
    /// Device pixels for each CSS pixel.
    pub scale: f64,
    /// A phone: fingers instead of a mouse.
    pub touch: bool,
}

impl Size {
    pub const DESKTOP: Self = Self { width: 1280, height: 800, scale: 1.0, touch: false };
    pub const PHONE: Self = Self { width: 360, height: 740, scale: 2.0, touch: true };
    pub const FOUR_K: Self = Self { width: 3840, height: 2160, scale: 1.0, touch: false };
}

/// What went over the network.
#[derive(Clone, Debug, Default)]
pub struct Traffic {
    /// The address of every request, in order.
    pub urls: Vec<String>,
    /// Bytes of the answers, as they came over the wire.
    pub bytes: u64,
    /// The texts that web sockets received and sent.
    pub received: Vec<String>,
    pub sent: Vec<String>,
}

/// The client, while its commands go to the window of one page.
struct Active<'a> {
    client: &'a Client,
    _turn: MutexGuard<'a, WindowHandle>,
}

/// A page in a window.
pub struct Page {
    session: Arc<Session>,
    window: WindowHandle,
    size: Size,
}

impl Page {
    /// Opens an empty page in a browser of its own.
    pub async fn open(size: Size) -> Self {
        let session = Arc::new(Session::open().await);
        let window = session.active.lock().await.clone();
        let mut page = Self { session, window, size };
        page.resize(size).await;
        if Engine::chosen().is_chromium() {
            page.cdp("Page.addScriptToEvaluateOnNewDocument", json!({ "source": AT_ONCE })).await;
        }
        // Whatever the browser itself had to load does not count.
        page.goto("about:blank").await;
        page.log("browser").await;
        page.log("performance").await;
        page
    }

    /// Shows what happens step by step, at a pace, from the next change on.
    pub async fn show_steps(&self, pace: &str) {
        let settings =
            "localStorage['maproom.film.play'] = 'on'; localStorage['maproom.film.pace'] = arguments[0];";
        self.run(settings, vec![pace.into()]).await;
    }

    /// Opens an address in a browser of its own.
    pub async fn open_at(size: Size, url: &str) -> Self {
        let page = Self::open(size).await;
        page.goto(url).await;
        page
    }

    /// Opens an empty window beside this one: same browser, same cookies and storage.
    pub async fn second_window(&self) -> Self {
        let opened = self.active().await.client.new_window(false).await.expect("a second window");
        let window = opened.handle;
        let mut page = Self { session: Arc::clone(&self.session), window, size: self.size };
        page.resize(self.size).await;
        page
    }

    /// Closes the window; the browser ends with the last [`Page`] of it.
    pub async fn close_window(self) {
        self.active().await.client.close_window().await.expect("a window can be closed");
    }

    /// Gives the page another screen.
    pub async fn resize(&mut self, size: Size) {
        self.size = size;
        if !Engine::chosen().is_chromium() {
            self.resize_window(size).await;
            return;
        }
        let Size { width, height, scale, touch } = size;
        let metrics =
            json!({ "width": width, "height": height, "deviceScaleFactor": scale, "mobile": touch });
        self.cdp("Emulation.setDeviceMetricsOverride", metrics).await;
        let fingers = json!({ "enabled": touch, "maxTouchPoints": 5 });
        self.cdp("Emulation.setTouchEmulationEnabled", fingers).await;
    }

    /// Makes the window so large that the page has the size: without the DevTools protocol there is no pretending.
    async fn resize_window(&self, size: Size) {
        let inner = |value: Value| {
            let [width, height]: [f64; 2] = serde_json::from_value(value).expect("two numbers");
            (width, height)
        };
        let (width, height) = (f64::from(size.width), f64::from(size.height));
        let (mut outer_width, mut outer_height) = (width, height);
        for _ in 0..3 {
            // The drivers count in pixels of the screen.
            let ratio = self.eval("devicePixelRatio").await.as_f64().expect("a number");
            let (pixels_wide, pixels_high) = ((outer_width * ratio) as u32, (outer_height * ratio) as u32);
            let set = self.active().await.client.set_window_size(pixels_wide, pixels_high).await;
            set.expect("a window can be resized");
            let settled = "new Promise(done => setTimeout(() => done([innerWidth, innerHeight]), 200))";
            let (has_width, has_height) = inner(self.eval(settled).await);
            if (has_width - width).abs() <= 1.0 && (has_height - height).abs() <= 1.0 {
                return;
            }
            outer_width += width - has_width;
            outer_height += height - has_height;
        }
    }

    /// Sets what media queries answer, as in `[("prefers-color-scheme", "dark")]`; whatever is not named
    /// is as the browser has it.
    pub async fn media(&self, features: &[(&str, &str)]) {
        let features: Vec<Value> =
            features.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect();
        self.cdp("Emulation.setEmulatedMedia", json!({ "features": features })).await;
    }

    /// Lets the page be without network, or with it again.
    pub async fn offline(&self, offline: bool) {
        let conditions =
            json!({ "offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1 });
        self.cdp("Network.enable", json!({})).await;
        self.cdp("Network.emulateNetworkConditions", conditions).await;
    }

    /// Calls the DevTools protocol.
    pub async fn cdp(&self, method: &str, parameters: Value) -> Value {
        let body = json!({ "cmd": method, "params": parameters });
        let answer = self.active().await.client.issue_cmd(Vendor { path: "goog/cdp/execute", body }).await;
        answer.unwrap_or_else(|why| panic!("{method}: {why}"))
    }

    /// Opens an address and waits until it is loaded and drawn.
    pub async fn goto(&self, url: &str) {
        let answer = self.active().await.client.goto(url).await;
        answer.unwrap_or_else(|why| panic!("{url}: {why}"));
        if url != "about:blank" {
            self.drawn().await;
        }
        if !Engine::chosen().is_chromium() {
            self.run(AT_ONCE, vec![]).await;
        }
    }

    pub async fn reload(&self) {
        self.active().await.client.refresh().await.expect("the page loads again");
        self.drawn().await;
    }

    pub async fn back(&self) {
        self.active().await.client.back().await.expect("the page before");
    }

    /// Waits for the first picture of the page: until then browsers drop keys and clicks.
    pub async fn drawn(&self) {
        let drawn = if Engine::chosen().is_chromium() { DRAWN } else { DRAWN_TWICE };
        self.wait_until(drawn, "a page that is drawn").await;
    }

    /// The address of the page.
    pub async fn url(&self) -> String {
        self.active().await.client.current_url().await.expect("an address").to_string()
    }

    pub async fn title(&self) -> String {
        self.active().await.client.title().await.expect("a title")
    }

    /// The value of a JavaScript expression; promises are waited for.
    pub async fn eval(&self, expression: &str) -> Value {
        self.run(&format!("return ({expression});"), vec![]).await
    }

    /// Runs JavaScript statements with `arguments`, and returns what they return.
    pub async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        match self.try_run(script, arguments).await {
            Ok(value) => value,
            Err(why) => self.fail(&format!("{script:.200}: {why}")).await,
        }
    }

    async fn try_run(&self, script: &str, arguments: Vec<Value>) -> Result<Value, CmdError> {
        self.active().await.client.execute(script, arguments).await
    }

    /// Waits until a JavaScript expression is true.
    pub async fn wait_until(&self, expression: &str, description: &str) {
        let script = format!("return Boolean({expression});");
        self.wait_run(&script, &[], description).await;
    }

    /// Waits until an element that matches can be seen.
    pub async fn wait_for(&self, css: &str) {
        let script = "return [...document.querySelectorAll(arguments[0])]
            .some(element => element.checkVisibility({ visibilityProperty: true }));";
        self.wait_run(script, &[css.into()], &format!("an element {css} that can be seen")).await;
    }

    /// Waits until no element that matches can be seen.
    pub async fn wait_gone(&self, css: &str) {
        let script = "return ![...document.querySelectorAll(arguments[0])]
            .some(element => element.checkVisibility({ visibilityProperty: true }));";
        self.wait_run(script, &[css.into()], &format!("{css} gone")).await;
    }

    /// Waits until the text of an element that matches holds `part`, and returns that text: a moment later it may be gone.
    pub async fn wait_text(&self, css: &str, part: &str) -> String {
        let script = "return [...document.querySelectorAll(arguments[0])]
            .map(element => (element.innerText ?? element.textContent).trim())
            .find(text => text.includes(arguments[1])) ?? false;";
        let text = self.wait_run(script, &[css.into(), part.into()], &format!("{part:?} in {css}")).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Runs a script until it returns something else than false, and returns that.
    async fn wait_run(&self, script: &str, arguments: &[Value], description: &str) -> Value {
        let begin = Instant::now();
        loop {
            let answer = self.try_run(script, arguments.to_vec()).await;
            match answer {
                Ok(value @ (Value::Bool(true) | Value::String(_))) => return value,
                _ if begin.elapsed() < PATIENCE => tokio::time::sleep(PULSE).await,
                Ok(_) => self.fail(&format!("waited in vain for {description}")).await,
                Err(why) => self.fail(&format!("waited in vain for {description}: {why}")).await,
            }
        }
    }

    /// How many elements match now.
    pub async fn count(&self, css: &str) -> usize {
        self.texts(css).await.len()
    }

    /// The text of the first element that matches, as it is shown; waits for the element.
    pub async fn text(&self, css: &str) -> String {
        let present = "return document.querySelector(arguments[0]) !== null;";
        self.wait_run(present, &[css.into()], &format!("an element {css}")).await;
        self.texts(css).await.swap_remove(0)
    }

    /// The texts of all elements that match now.
    pub async fn texts(&self, css: &str) -> Vec<String> {
        let script = "return [...document.querySelectorAll(arguments[0])]
            .map(element => (element.innerText ?? element.textContent).trim());";
        let texts = self.run(script, vec![css.into()]).await;
        serde_json::from_value(texts).expect("a list of texts")
    }

    /// An attribute of the first element that matches; waits for the element.
    pub async fn attribute(&self, css: &str, name: &str) -> Option<String> {
        let present = "return document.querySelector(arguments[0]) !== null;";
        self.wait_run(present, &[css.into()], &format!("an element {css}")).await;
        let script = "return document.querySelector(arguments[0])?.getAttribute(arguments[1]) ?? null;";
        self.run(script, vec![css.into(), name.into()]).await.as_str().map(String::from)
    }

    /// Clicks with the mouse on the first element that matches and can be seen; waits for it, and until
    /// nothing lies over it.
    pub async fn click(&self, css: &str) {
        self.patiently(&format!("click {css}"), async || {
            let active = self.active().await;
            let element = active.pick(css, "").await?;
            if Engine::chosen().is_chromium() {
                return element.click().await;
            }
            // The other drivers can't click on a group of a drawing, or do not say that something else lies over an element.
            let middle = active.client.execute(REACH, vec![serde_json::to_value(element)?]).await?;
            let [Some(x), Some(y)] = [&middle[0], &middle[1]].map(Value::as_f64) else {
                return Err(CmdError::InvalidArgument(
                    css.to_owned(),
                    "something else lies over it".to_owned(),
                ));
            };
            let mouse = MouseActions::new("mouse".to_owned())
                .then(PointerAction::MoveTo { duration: None, x, y })
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
            active.client.perform_actions(mouse).await
        })
        .await;
    }

    /// Clicks with the mouse at a point of the window.
    pub async fn click_at(&self, [x, y]: [f64; 2]) {
        let mouse = MouseActions::new("mouse".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
            .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        let answer = self.active().await.client.perform_actions(mouse).await;
        answer.unwrap_or_else(|why| panic!("click at {x}, {y}: {why}"));
    }

    /// Moves the mouse to a point of the window.
    pub async fn point_at(&self, [x, y]: [f64; 2]) {
        let mouse =
            MouseActions::new("mouse".to_owned()).then(PointerAction::MoveTo { duration: None, x, y });
        let answer = self.active().await.client.perform_actions(mouse).await;
        answer.unwrap_or_else(|why| panic!("point at {x}, {y}: {why}"));
    }

    /// Clicks on the first element that matches, can be seen and whose text holds `part`.
    pub async fn click_text(&self, css: &str, part: &str) {
        self.patiently(&format!("click {css} with {part:?}"), async || {
            let active = self.active().await;
            active.pick(css, part).await?.click().await
        })
        .await;
    }

    /// Touches an element with a finger, as [`Page::click`] does with the mouse, after bringing it to the
    /// middle of the screen.
    pub async fn tap(&self, css: &str) {
        self.patiently(&format!("tap {css}"), async || {
            let active = self.active().await;
            let element = active.pick(css, "").await?;
            active.client.execute(AT_REST, vec![serde_json::to_value(&element)?]).await?;
            let finger = TouchActions::new("finger".to_owned())
                .then(move_to(element))
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
            active.client.perform_actions(finger).await
        })
        .await;
    }

    /// Moves the mouse over an element.
    pub async fn hover(&self, css: &str) {
        self.patiently(&format!("point at {css}"), async || {
            let active = self.active().await;
            let element = active.pick(css, "").await?;
            let mouse = MouseActions::new("mouse".to_owned()).then(move_to(element));
            active.client.perform_actions(mouse).await
        })
        .await;
    }

    /// Presses a key or a chord, where the focus is: `"a"`, `"Enter"`, `"Shift+Tab"`, `"Ctrl+ArrowLeft"`.
    pub async fn press(&self, chord: &str) {
        let (held, last) = match chord.rsplit_once('+') {
            Some((held, last)) if !last.is_empty() => (held, last),
            _ => ("", chord),
        };
        let held: Vec<char> = held.split('+').filter(|name| !name.is_empty()).map(key).collect();
        let mut keys = KeyActions::new("keyboard".to_owned());
        for &value in &held {
            keys = keys.then(KeyAction::Down { value });
        }
        let value = key(last);
        keys = keys.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        for &value in held.iter().rev() {
            keys = keys.then(KeyAction::Up { value });
        }
        let answer = self.active().await.client.perform_actions(keys).await;
        answer.unwrap_or_else(|why| panic!("press {chord}: {why}"));
    }

    /// Replaces what stands in a field, key by key.
    pub async fn fill(&self, css: &str, text: &str) {
        self.patiently(&format!("type into {css}"), async || {
            let active = self.active().await;
            let field = active.pick(css, "").await?;
            field.clear().await?;
            field.send_keys(text).await
        })
        .await;
    }

    /// Chooses an entry of a `<select>` by its value.
    pub async fn choose(&self, css: &str, value: &str) {
        self.patiently(&format!("choose {value} in {css}"), async || {
            let active = self.active().await;
            active.pick(css, "").await?.select_by_value(value).await
        })
        .await;
    }

    /// Gives a file to a field, which need not be seen.
    pub async fn upload(&self, css: &str, file: &Path) {
        let path = file.to_str().expect("a path in letters");
        self.patiently(&format!("give a file to {css}"), async || {
            let active = self.active().await;
            active.client.find(Locator::Css(css)).await?.send_keys(path).await
        })
        .await;
    }

    /// Drags with the mouse along an element: from and to are parts of its width.
    pub async fn drag(&self, css: &str, from: f64, to: f64) {
        self.patiently(&format!("drag {css}"), async || {
            let active = self.active().await;
            let element = active.pick(css, "").await?;
            let (_, _, width, _) = element.rectangle().await?;
            let at = |part: f64| PointerAction::MoveToElement {
                element: element.clone(),
                duration: Some(Duration::from_millis(80)),
                x: (part - 0.5) * width,
                y: 0.0,
            };
            let mouse = MouseActions::new("mouse".to_owned())
                .then(at(from))
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(at(f64::midpoint(from, to)))
                .then(at(to))
                .then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
            active.client.perform_actions(mouse).await
        })
        .await;
    }

    /// Takes hold of an element with the mouse and carries it over another, without letting go. Both must be in
    /// view.
    pub async fn carry(&self, from: &str, to: &str) {
        self.patiently(&format!("carry {from} to {to}"), async || {
            let active = self.active().await;
            let (from, to) = (active.pick(from, "").await?, active.pick(to, "").await?);
            let duration = Some(Duration::from_millis(60));
            let mouse = MouseActions::new("mouse".to_owned())
                .then(move_to(from))
                .then(PointerAction::Down { button: MOUSE_BUTTON_LEFT })
                .then(PointerAction::MoveBy { duration, x: 0.0, y: -20.0 })
                .then(PointerAction::MoveToElement { element: to, duration, x: 0.0, y: 0.0 });
            active.client.perform_actions(mouse).await
        })
        .await;
    }

    /// Lets go of what the mouse carries.
    pub async fn let_go(&self) {
        let mouse =
            MouseActions::new("mouse".to_owned()).then(PointerAction::Up { button: MOUSE_BUTTON_LEFT });
        let answer = self.active().await.client.perform_actions(mouse).await;
        answer.unwrap_or_else(|why| panic!("let go: {why}"));
    }

    /// Writes what is to be seen on the page into a PNG file.
    pub async fn screenshot(&self, path: &Path) {
        let image = self.active().await.client.screenshot().await.expect("a picture");
        fs::write(path, image).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    }

    /// Keeps a picture as `name.png` in the folder of `MAPROOM_SHOTS`; does nothing where it is not set.
    pub async fn shot(&self, name: &str) {
        if let Some(folder) = shots() {
            self.screenshot(&folder.join(format!("{name}.png"))).await;
        }
    }

    /// The errors and warnings of the console since it was last asked (failed requests and exceptions among
    /// them), of all windows of the browser.
    pub async fn console_problems(&self) -> Vec<String> {
        let entries = self.log("browser").await;
        let problem = |entry: &Value| {
            let level = entry["level"].as_str().unwrap_or_default();
            let message = entry["message"].as_str().unwrap_or_default();
            matches!(level, "SEVERE" | "WARNING").then(|| format!("{level}: {message}"))
        };
        entries.iter().filter_map(problem).collect()
    }

    /// Fails if the console has errors or warnings.
    pub async fn assert_quiet(&self) {
        let problems = self.console_problems().await;
        assert!(problems.is_empty(), "{} has problems:\n{}", self.url().await, problems.join("\n"));
    }

    /// What the browser loaded since it was last asked (or since it was opened), in all windows. An answer
    /// that is still coming counts with what came by now.
    pub async fn traffic(&self) -> Traffic {
        let mut traffic = Traffic::default();
        let mut coming: Vec<(String, u64)> = Vec::new();
        for entry in self.log("performance").await {
            let text = entry["message"].as_str().unwrap_or_default();
            let event: Value = serde_json::from_str(text).expect("an event is JSON");
            let parameters = &event["message"]["params"];
            let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
            let request = text(&parameters["requestId"]);
            match event["message"]["method"].as_str().unwrap_or_default() {
                "Network.requestWillBeSent" => traffic.urls.push(text(&parameters["request"]["url"])),
                "Network.webSocketCreated" => traffic.urls.push(text(&parameters["url"])),
                "Network.dataReceived" => {
                    coming.push((request, parameters["dataLength"].as_u64().unwrap_or(0)));
                }
                "Network.loadingFinished" => {
                    coming.retain(|(other, _)| *other != request);
                    // Fractions come from the protocol, not from the wire.
                    traffic.bytes += parameters["encodedDataLength"].as_f64().unwrap_or(0.0) as u64;
                }
                "Network.webSocketFrameReceived" => {
                    traffic.received.push(text(&parameters["response"]["payloadData"]));
                }
                "Network.webSocketFrameSent" => {
                    traffic.sent.push(text(&parameters["response"]["payloadData"]));
                }
                _ => {}
            }
        }
        traffic.bytes += coming.iter().map(|(_, bytes)| bytes).sum::<u64>();
        traffic
    }

    async fn log(&self, kind: &str) -> Vec<Value> {
        if !Engine::chosen().is_chromium() {
            return Vec::new();
        }
        let body = json!({ "type": kind });
        let answer = self.active().await.client.issue_cmd(Vendor { path: "se/log", body }).await;
        match answer {
            Ok(Value::Array(entries)) => entries,
            other => panic!("the {kind} log is no list: {other:?}"),
        }
    }

    /// Fails if axe-core finds something serious or critical. Without `MAPROOM_AXE` it is only said that
    /// nothing was checked.
    pub async fn axe(&self) {
        if let Some(found) = self.axe_violations().await {
            let url = self.url().await;
            assert!(found.is_empty(), "{url} shuts people out:\n{}", found.join("\n"));
        }
    }

    /// What axe-core finds serious or critical; nothing at all if there is no axe-core.
    pub async fn axe_violations(&self) -> Option<Vec<String>> {
        let Some(path) = env::var_os("MAPROOM_AXE").filter(|path| !path.is_empty()) else {
            static SAID: Once = Once::new();
            // Not by `eprintln`, which a test that passes keeps to itself.
            SAID.call_once(|| {
                let line = "### MAPROOM_AXE is not set: ACCESSIBILITY IS NOT CHECKED (`cargo xtask browser` sets it) ###\n";
                drop(std::io::stderr().write_all(line.as_bytes()));
            });
            return None;
        };
        let axe = fs::read_to_string(&path)
            .unwrap_or_else(|why| panic!("MAPROOM_AXE: {}: {why}", Path::new(&path).display()));
        // Colours count as they come to rest.
        self.run(
            "for (const animation of document.getAnimations()) try { animation.finish(); } catch { /* endless */ }",
            vec![],
        )
        .await;
        if self.eval("typeof axe === 'undefined'").await == true {
            self.run(&axe, vec![]).await;
        }
        let script =
            "return axe.run(document, { resultTypes: ['violations'] }).then(found => found.violations
            .filter(each => each.impact === 'serious' || each.impact === 'critical')
            .flatMap(each => each.nodes.map(node =>
                `${each.impact} ${each.id}: ${node.target.join(' ')}: ${each.help}\\n    ${node.any[0]?.message ?? ''}\\n    ${node.html}`)));";
        let found = self.run(script, vec![]).await;
        Some(serde_json::from_value(found).expect("a list of violations"))
    }

    /// The client, with this page's window in front.
    async fn active(&self) -> Active<'_> {
        let mut turn = self.session.active.lock().await;
        let client = &self.session.client;
        if *turn != self.window {
            client.switch_to_window(self.window.clone()).await.expect("the window is open");
            turn.clone_from(&self.window);
        }
        Active { client, _turn: turn }
    }

    /// Tries until it goes well; a page may just be building itself anew.
    async fn patiently(&self, what: &str, action: impl AsyncFn() -> Result<(), CmdError>) {
        let begin = Instant::now();
        while let Err(why) = action().await {
            if begin.elapsed() > PATIENCE {
                self.fail(&format!("can't {what}: {why}")).await;
            }
            tokio::time::sleep(PULSE).await;
        }
    }

    /// Fails the test, with what can be seen on the page.
    async fn fail(&self, why: &str) -> ! {
        let script = "return `${location.href}\\n${(document.body?.innerText ?? '').slice(0, 2000)}`;";
        let page = match self.try_run(script, vec![]).await {
            Ok(page) => page.as_str().unwrap_or_default().to_owned(),
            Err(why) => why.to_string(),
        };
        let problems = self.log("browser").await;
        let problems = Value::Array(problems).to_string();
        panic!("{why}\n--- the page: {page}\n--- the console: {problems}")
    }
}

impl Active<'_> {
    /// The first element that matches, can be seen and whose text holds `part`.
    async fn pick(&self, css: &str, part: &str) -> Result<Element, CmdError> {
        for element in self.client.find_all(Locator::Css(css)).await? {
            if element.is_displayed().await? && (part.is_empty() || element.text().await?.contains(part)) {
                return Ok(element);
            }
        }
        Err(CmdError::InvalidArgument(
            css.to_owned(),
            format!("nothing to be seen matches, with text {part:?}"),
        ))
    }
}

fn move_to(element: Element) -> PointerAction {
    PointerAction::MoveToElement { element, duration: None, x: 0.0, y: 0.0 }
}

/// The character that stands for a key in WebDriver.
fn key(name: &str) -> char {
    let mut characters = name.chars();
    if let (Some(character), None) = (characters.next(), characters.next()) {
        return character;
    }
    match name {
        "Backspace" => '\u{e003}',
        "Tab" => '\u{e004}',
        "Enter" => '\u{e007}',
        "Shift" => '\u{e008}',
        "Ctrl" | "Control" => '\u{e009}',
        "Alt" => '\u{e00a}',
        "Escape" => '\u{e00c}',
        "Space" => ' ',
        "PageUp" => '\u{e00e}',
        "PageDown" => '\u{e00f}',
        "End" => '\u{e010}',
        "Home" => '\u{e011}',
        "ArrowLeft" => '\u{e012}',
        "ArrowUp" => '\u{e013}',
        "ArrowRight" => '\u{e014}',
        "ArrowDown" => '\u{e015}',
        "Insert" => '\u{e016}',
        "Delete" => '\u{e017}',
        "Meta" => '\u{e03d}',
        _ => match name.strip_prefix('F').and_then(|number| number.parse::<u32>().ok()) {
            Some(number @ 1..=12) => char::from_u32(0xe030 + number).expect("a key"),
            _ => panic!("no key is called {name:?}"),
        },
    }
}
