//! The files that the browser gets: written by hand, built in, cached for good under an address with their fingerprint.

use std::sync::LazyLock;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest as _, Sha256};

use crate::boards;

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
    "table.css": "text/css; charset=utf-8",
    "lobby.css": "text/css; charset=utf-8",
    "review.css": "text/css; charset=utf-8",
    "rulebook.css": "text/css; charset=utf-8",
    "print.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "table.js": "text/javascript; charset=utf-8",
    "lobby.js": "text/javascript; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "dialogs.js": "text/javascript; charset=utf-8",
    "dice.js": "text/javascript; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "live.js": "text/javascript; charset=utf-8",
    "morph.js": "text/javascript; charset=utf-8",
    "panels.js": "text/javascript; charset=utf-8",
    "pick.js": "text/javascript; charset=utf-8",
    "pieces.js": "text/javascript; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "send.js": "text/javascript; charset=utf-8",
    "staff.js": "text/javascript; charset=utf-8",
    "time.js": "text/javascript; charset=utf-8",
    "toast.js": "text/javascript; charset=utf-8",
    "viewport.js": "text/javascript; charset=utf-8",
];

/// The fingerprint of all files together, and the boards' own.
static FINGERPRINT: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = Sha256::new();
    for asset in ASSETS {
        hasher.update(asset.text);
    }
    hasher.update(boards::WORLD_SVG.as_bytes());
    for (_, style) in boards::STYLES {
        hasher.update(style);
    }
    hasher.finalize()[..6].iter().map(|byte| format!("{byte:02x}")).collect()
});

/// The address of a file.
pub fn url(name: &str) -> String {
    format!("/asset/{}/{name}", *FINGERPRINT)
}

/// The address of a board's stylesheet.
pub fn style_url(game: &str) -> String {
    url(&format!("board-{game}.css"))
}

/// The address of the world's outlines.
pub fn world_url() -> String {
    url("world.svg")
}

/// Answers a request for a file. An old fingerprint gets the present file, but not for good.
pub fn answer(fingerprint: &str, name: &str) -> Response {
    let own = ASSETS.iter().find(|asset| asset.name == name).map(|asset| (asset.kind, asset.text));
    let found = own.or_else(|| match name {
        "world.svg" => Some(("image/svg+xml", boards::WORLD_SVG.as_str())),
        _ => {
            let game = name.strip_prefix("board-")?.strip_suffix(".css")?;
            let style = boards::STYLES.iter().find(|(word, _)| *word == game)?;
            Some(("text/css; charset=utf-8", style.1))
        }
    });
    let Some((kind, text)) = found else {
        return (StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let keep = if fingerprint == *FINGERPRINT { "public, max-age=31536000, immutable" } else { "no-cache" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
    ];
    (headers, text).into_response()
}
