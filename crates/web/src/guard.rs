//! Security: headers, same-origin checks, limits on requests and guesses.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::pages::layout;
use crate::prefs::{self, Prefs};
use crate::routes::{App, ErrorPage, cookie, page};

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
    if let Some(ErrorPage(text)) = answer.extensions().get().filter(|_| wants_page) {
        let shown = layout::error_page(prefs, "That did not work", text);
        answer = (answer.status(), page(&shown)).into_response();
    }
    let headers = answer.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    answer
}

type Refusal = (StatusCode, &'static str);

fn check(app: &App, request: &Request) -> Result<(), Refusal> {
    let headers = request.headers();
    let from = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    if from.is_some_and(|from| !app.pace.allows(from)) {
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

/// Counts wrong links by address, to prevent guessing.
#[derive(Default)]
pub struct Guesses {
    wrong: Mutex<HashMap<IpAddr, (u32, Instant)>>,
}

impl Guesses {
    const WINDOW: Duration = Duration::from_secs(60);
    const ALLOWED: u32 = 40;
    const REMEMBERED: usize = 10_000;

    /// Whether this address has guessed too often lately.
    pub fn too_many(&self, from: IpAddr) -> bool {
        let wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        wrong
            .get(&from)
            .is_some_and(|(count, since)| *count >= Self::ALLOWED && since.elapsed() < Self::WINDOW)
    }

    /// Records a wrong link.
    pub fn note(&self, from: IpAddr) {
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        if wrong.len() >= Self::REMEMBERED {
            wrong.retain(|_, (_, since)| since.elapsed() < Self::WINDOW);
        }
        let (count, since) = wrong.entry(from).or_insert((0, Instant::now()));
        if since.elapsed() >= Self::WINDOW {
            (*count, *since) = (0, Instant::now());
        }
        *count += 1;
    }
}

/// How many requests an address may make. This machine itself is not limited: it is the owner's own, or a proxy that has
/// limits of its own.
#[derive(Default)]
pub struct RateLimit {
    left: Mutex<HashMap<IpAddr, (f32, Instant)>>,
}

impl RateLimit {
    const PER_SECOND: f32 = 60.0;
    const AT_ONCE: f32 = 300.0;
    const REMEMBERED: usize = 10_000;

    /// Whether one more request is allowed.
    pub fn allows(&self, from: IpAddr) -> bool {
        from.is_loopback() || self.spend(from)
    }

    fn spend(&self, from: IpAddr) -> bool {
        let now = Instant::now();
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        if left.len() >= Self::REMEMBERED {
            left.retain(|_, (_, at)| at.elapsed() < Duration::from_secs(10));
        }
        let (budget, at) = left.entry(from).or_insert((Self::AT_ONCE, now));
        *budget = (*budget + now.duration_since(*at).as_secs_f32() * Self::PER_SECOND).min(Self::AT_ONCE);
        *at = now;
        if *budget < 1.0 {
            return false;
        }
        *budget -= 1.0;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_asks_too_much_waits() {
        let pace = RateLimit::default();
        let far = IpAddr::from([192, 0, 2, 7]);
        let granted = (0..1_000).filter(|_| pace.allows(far)).count();
        assert!((300..=400).contains(&granted), "{granted} of 1,000 at once");
        assert!(pace.allows(IpAddr::from([192, 0, 2, 8])), "others are not held up");
        assert!((0..1_000).all(|_| pace.allows(IpAddr::from([127, 0, 0, 1]))));
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

    #[test]
    fn guessing_is_stopped() {
        let guesses = Guesses::default();
        let from = IpAddr::from([127, 0, 0, 1]);
        for _ in 0..Guesses::ALLOWED {
            assert!(!guesses.too_many(from));
            guesses.note(from);
        }
        assert!(guesses.too_many(from));
        assert!(!guesses.too_many(IpAddr::from([127, 0, 0, 2])));
    }
}
