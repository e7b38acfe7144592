//! Security: headers, same-origin checks, limits on requests and guesses.

use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::debug;

use crate::bucket::{AddressLimit, Rate};
use crate::pages::{layout, parted};
use crate::prefs::{self, Prefs};
use crate::routes::{App, ErrorPage, cookie, page};

/// How many requests an address may make.
const REQUESTS: Rate = Rate { at_once: 300.0, per_second: 60.0 };
/// How many wrong links an address may try.
const WRONG_LINKS: Rate = Rate { at_once: 40.0, per_second: 1.0 / 30.0 };

/// The limits of an address.
#[derive(Debug)]
pub struct Limits {
    requests: AddressLimit,
    /// Wrong links, to prevent guessing.
    pub wrong_links: AddressLimit,
}

impl Default for Limits {
    fn default() -> Self {
        Self { requests: AddressLimit::new(REQUESTS), wrong_links: AddressLimit::new(WRONG_LINKS) }
    }
}

impl Limits {
    /// Whether one more request is allowed. This machine itself is not limited: it is the owner's own, or a proxy that has
    /// limits of its own.
    fn allow_request(&self, from: IpAddr, now: Instant) -> bool {
        from.is_loopback() || self.requests.take(from, now)
    }
}

/// Scripts, styles and pictures come from this server only; nothing is inline, nobody may frame our pages.
/// (`default-src 'self'` is what older Firefoxes need for the map, which is another file that a drawing refers to.)
const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     object-src 'none'; frame-src 'none'; worker-src 'none'; media-src 'none'; font-src 'none'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, HeaderValue); 7] = [
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    // Secret links must not leak to other sites.
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (
        HeaderName::from_static("permissions-policy"),
        HeaderValue::from_static("camera=(), microphone=(), geolocation=(), payment=()"),
    ),
];

/// Checks every request and adds headers to every answer.
pub async fn guard(State(app): State<App>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    // The pattern and never the path itself, which holds secrets.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let wants_page = request
        .headers()
        .get(header::ACCEPT)
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/html")));
    let prefs =
        cookie(request.headers(), prefs::COOKIE).map_or_else(|| app.lobby.default_prefs(), Prefs::read);
    let mut answer = match check(&app, &request) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    if let Some(ErrorPage { text, rescue }) = answer.extensions().get().filter(|_| wants_page) {
        let shown = match rescue {
            Some((id, parting)) => parted::page(prefs, id, parting, text),
            None => layout::error_page(prefs, "That did not work", text),
        };
        answer = (answer.status(), page(&shown)).into_response();
    }
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    debug!(
        "{method} {}: {} in {} µs",
        route.as_ref().map_or("no such page", MatchedPath::as_str),
        answer.status().as_u16(),
        begun.elapsed().as_micros()
    );
    answer
}

type Refusal = (StatusCode, &'static str);

fn check(app: &App, request: &Request) -> Result<(), Refusal> {
    let headers = request.headers();
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if from.is_some_and(|from| !app.limits.allow_request(from, Instant::now())) {
        return Err((StatusCode::TOO_MANY_REQUESTS, "Too many requests from your address: wait a second."));
    }
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if app.local_only && !is_local(host) {
        // A page elsewhere whose name points at this machine (DNS rebinding) sends its own name.
        return Err((
            StatusCode::MISDIRECTED_REQUEST,
            "This server only accepts requests from this machine: use http://127.0.0.1 or http://localhost.",
        ));
    }
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let upgrades = headers.contains_key(header::UPGRADE);
    if (changes || upgrades) && !is_same_origin(headers, host) {
        return Err((StatusCode::FORBIDDEN, "This request came from another site and was refused."));
    }
    Ok(())
}

/// Whether a host name means this machine.
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a request that changes something comes from one of our pages, or from no page at all.
fn is_same_origin(headers: &HeaderMap, host: &str) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(site) = text("sec-fetch-site") {
        return matches!(site, "same-origin" | "none");
    }
    match text("origin") {
        None => true,
        Some(origin) => origin.split_once("://").is_some_and(|(_, from)| from == host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_asks_too_much_waits_and_this_machine_does_not() {
        let (limits, now) = (Limits::default(), Instant::now());
        let granted =
            |from: [u8; 4]| (0..1_000).filter(|_| limits.allow_request(IpAddr::from(from), now)).count();
        assert_eq!(
            (granted([192, 0, 2, 7]), granted([192, 0, 2, 8]), granted([127, 0, 0, 1])),
            (300, 300, 1_000)
        );
    }

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect()
    }

    #[test]
    fn only_this_machine_is_local() {
        for host in ["localhost:4040", "127.0.0.1", "[::1]:80", "localhost"] {
            assert!(is_local(host), "{host}");
        }
        for host in ["evil.example", "127.0.0.1.evil.example", "", "[::2]:80", "192.168.1.1:4040"] {
            assert!(!is_local(host), "{host}");
        }
    }

    #[test]
    fn another_site_can_change_nothing() {
        let here = "127.0.0.1:4040";
        assert!(is_same_origin(&headers(&[]), here), "a program that is no browser");
        assert!(is_same_origin(&headers(&[("origin", "http://127.0.0.1:4040")]), here));
        assert!(is_same_origin(&headers(&[("sec-fetch-site", "same-origin")]), here));
        assert!(!is_same_origin(&headers(&[("origin", "http://evil.example")]), here));
        assert!(!is_same_origin(&headers(&[("origin", "null")]), here));
        assert!(!is_same_origin(&headers(&[("sec-fetch-site", "cross-site")]), here));
        assert!(!is_same_origin(&headers(&[("origin", "http://127.0.0.1:9999")]), here));
    }
}
