//! Static files for the browser: built in, and cached permanently under a URL with their fingerprint.

use std::sync::{Arc, LazyLock};

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use crate::title::Title;

/// A file.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

macro_rules! assets {
    ($($name:literal: $kind:literal),+ $(,)?) => {
        &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("../assets/", $name)) }),+]
    };
}

/// All files. Modules import one another by relative addresses, so they share one fingerprint.
const ASSETS: &[Asset] = assets![
    "base.css": "text/css; charset=utf-8",
    "account.css": "text/css; charset=utf-8",
    "notices.css": "text/css; charset=utf-8",
    "table.css": "text/css; charset=utf-8",
    "happened.css": "text/css; charset=utf-8",
    "phone.css": "text/css; charset=utf-8",
    "lobby.css": "text/css; charset=utf-8",
    "review.css": "text/css; charset=utf-8",
    "rulebook.css": "text/css; charset=utf-8",
    "coach.css": "text/css; charset=utf-8",
    "contests.css": "text/css; charset=utf-8",
    "lab.css": "text/css; charset=utf-8",
    "orders.css": "text/css; charset=utf-8",
    "talk.css": "text/css; charset=utf-8",
    "meeting.css": "text/css; charset=utf-8",
    "print.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "account.js": "text/javascript; charset=utf-8",
    "notices.js": "text/javascript; charset=utf-8",
    "notices-worker.js": "text/javascript; charset=utf-8",
    "table.js": "text/javascript; charset=utf-8",
    "lobby.js": "text/javascript; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "away.js": "text/javascript; charset=utf-8",
    "clocks.js": "text/javascript; charset=utf-8",
    "coach.js": "text/javascript; charset=utf-8",
    "dialogs.js": "text/javascript; charset=utf-8",
    "dice.js": "text/javascript; charset=utf-8",
    "ending.js": "text/javascript; charset=utf-8",
    "film.js": "text/javascript; charset=utf-8",
    "happened.js": "text/javascript; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "lab.js": "text/javascript; charset=utf-8",
    "live.js": "text/javascript; charset=utf-8",
    "log.js": "text/javascript; charset=utf-8",
    "orders.js": "text/javascript; charset=utf-8",
    "map.js": "text/javascript; charset=utf-8",
    "morph.js": "text/javascript; charset=utf-8",
    "panels.js": "text/javascript; charset=utf-8",
    "pick.js": "text/javascript; charset=utf-8",
    "pieces.js": "text/javascript; charset=utf-8",
    "pull.js": "text/javascript; charset=utf-8",
    "numbers.js": "text/javascript; charset=utf-8",
    "off-days.js": "text/javascript; charset=utf-8",
    "sha256.js": "text/javascript; charset=utf-8",
    "rows.js": "text/javascript; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "send.js": "text/javascript; charset=utf-8",
    "seal.js": "text/javascript; charset=utf-8",
    "sounds.js": "text/javascript; charset=utf-8",
    "plan.js": "text/javascript; charset=utf-8",
    "survey.js": "text/javascript; charset=utf-8",
    "bots.js": "text/javascript; charset=utf-8",
    "tables.js": "text/javascript; charset=utf-8",
    "talk.js": "text/javascript; charset=utf-8",
    "tab.js": "text/javascript; charset=utf-8",
    "time.js": "text/javascript; charset=utf-8",
    "tips.js": "text/javascript; charset=utf-8",
    "toast.js": "text/javascript; charset=utf-8",
    "tournament.js": "text/javascript; charset=utf-8",
    "traces.js": "text/javascript; charset=utf-8",
    "viewport.js": "text/javascript; charset=utf-8",
    "when.js": "text/javascript; charset=utf-8",
    "zone.js": "text/javascript; charset=utf-8",
];

/// The fingerprint of all files together.
static FINGERPRINT: LazyLock<String> = LazyLock::new(|| fingerprint(ASSETS.iter().map(|asset| asset.text)));

fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        hasher.update(text);
    }
    hasher.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A static file of a board, such as its stylesheet or map.
#[derive(Clone, Debug)]
pub struct BoardFile {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
    fingerprint: String,
    url: String,
}

impl BoardFile {
    /// A file of a name and a media type.
    pub fn new(name: &'static str, kind: &'static str, text: &'static str) -> Self {
        let fingerprint = fingerprint([text]);
        let url = format!("/asset/{fingerprint}/{name}");
        Self { name, kind, text, fingerprint, url }
    }

    /// Its address, which changes with its text.
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// The address of a file.
pub fn url(name: &str) -> String {
    format!("/asset/{}/{name}", *FINGERPRINT)
}

/// Serves a static file. An old fingerprint gets the current file, without permanent caching.
pub fn answer(titles: &[Arc<dyn Title>], asked: &str, name: &str) -> Response {
    let own = ASSETS.iter().find(|asset| asset.name == name);
    let own = own.map(|asset| (asset.kind, asset.text, FINGERPRINT.as_str()));
    let found = own.or_else(|| {
        let file = titles.iter().flat_map(|title| title.files()).find(|file| file.name == name)?;
        Some((file.kind, file.text, file.fingerprint.as_str()))
    });
    let Some((kind, text, fingerprint)) = found else {
        return (StatusCode::NOT_FOUND, "File not found").into_response();
    };
    let keep = if asked == fingerprint { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
    ];
    (headers, text).into_response()
}
