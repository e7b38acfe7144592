//! Security: headers, same-origin checks, limits on requests and guesses.

use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::extract::{ConnectInfo, MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tracing::debug;

use crate::accounts::{session_cookie, session_secret};
use crate::bucket::{AddressLimit, Rate, is_this_machine};
use crate::pages::{layout, parted};
use crate::prefs::{self, Prefs};
use crate::routes::{App, ErrorPage, OWNER_COOKIE, cookie, is_forwarded, page};

/// How many requests an address may make.
const REQUESTS: Rate = Rate { at_once: 300.0, per_second: 60.0 };
/// How many wrong links an address may try.
const WRONG_LINKS: Rate = Rate { at_once: 40.0, per_second: 1.0 / 30.0 };

/// The route of an import, which may be large: it has five times as long as other requests.
const IMPORT: &str = "/matches/import";
const IMPORT_FACTOR: u32 = 5;

/// What the paths of links begin with that end the mails to somebody.
const UNSUBSCRIBE: &str = "/unsubscribe/";

/// The address of the one who sends a request.
#[derive(Clone, Copy, Debug)]
pub struct Client(pub IpAddr);

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
    /// With accounts even this machine counts: whoever gets past a proxy must not be free of all limits.
    fn allow_request(&self, from: IpAddr, has_accounts: bool, now: Instant) -> bool {
        (is_this_machine(from) && !has_accounts) || self.requests.take(from, now)
    }
}

macro_rules! policy {
    ($workers:literal) => {
        concat!(
            "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; ",
            "object-src 'none'; frame-src 'none'; worker-src ",
            $workers,
            "; media-src 'none'; font-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        )
    };
}

/// Scripts, styles and pictures come from this server only; nothing is inline, nobody may frame our pages.
/// (`default-src 'self'` is what older Firefoxes need for the map, which is another file that a drawing refers to.)
const POLICY: &str = policy!("'none'");
/// The same where there are accounts: the worker that shows notices is one of our own.
const POLICY_WITH_WORKER: &str = policy!("'self'");

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
pub async fn guard(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let begun = Instant::now();
    if let Some(ConnectInfo(peer)) = request.extensions().get::<ConnectInfo<SocketAddr>>() {
        let client = Client(app.proxies.client(peer.ip(), request.headers()));
        request.extensions_mut().insert(client);
    }
    let method = request.method().clone();
    // The pattern and never the path itself, which holds secrets.
    let route = request.extensions().get::<MatchedPath>().cloned();
    let wants_page = request
        .headers()
        .get(header::ACCEPT)
        .is_some_and(|accept| accept.to_str().is_ok_and(|accept| accept.contains("text/html")));
    let prefs =
        cookie(request.headers(), prefs::COOKIE).map_or_else(|| app.lobby.default_prefs(), Prefs::read);
    let checked = check(&app, &request);
    let signed_in = match (&app.accounts, &checked) {
        (Some(accounts), Ok(())) if !request.uri().path().starts_with("/asset/") => {
            accounts.signed_in(request.headers(), app.is_secure()).await
        }
        _ => None,
    };
    // A session that goes on is told to the browser, too.
    let prolonged = signed_in.as_ref().filter(|signed_in| signed_in.is_prolonged);
    let prolonged = prolonged.and_then(|_| session_secret(request.headers(), app.is_secure()));
    let prolonged = prolonged.map(|secret| session_cookie(secret, app.is_secure()));
    if let Some(signed_in) = signed_in {
        request.extensions_mut().insert(signed_in);
    }
    let mut answer = match checked {
        Ok(()) => {
            let is_import = route.as_ref().is_some_and(|route| route.as_str() == IMPORT);
            let time = if is_import { app.answer_time * IMPORT_FACTOR } else { app.answer_time };
            let answer = tokio::time::timeout(time, next.run(request)).await;
            answer.unwrap_or_else(|_| {
                (StatusCode::REQUEST_TIMEOUT, "This took too long. Try again.").into_response()
            })
        }
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
    if app.accounts.is_some() {
        let policy = HeaderValue::from_static(POLICY_WITH_WORKER);
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    if let Some(prolonged) = prolonged.filter(|_| !headers.contains_key(header::SET_COOKIE)) {
        headers.insert(header::SET_COOKIE, prolonged);
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
    let from = request.extensions().get::<Client>().map(|client| client.0);
    let is_allowed =
        from.is_none_or(|from| app.limits.allow_request(from, app.accounts.is_some(), Instant::now()));
    if !is_allowed && !has_key(app, request) {
        return Err((StatusCode::TOO_MANY_REQUESTS, "Too many requests from your address: wait a second."));
    }
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|peer| peer.0.ip());
    if app.accounts.is_some() && is_forwarded(headers) && !peer.is_some_and(|peer| app.proxies.is_proxy(peer))
    {
        let why = "This request came through a proxy that this Maproom doesn't know: start it with --behind-proxy ADDRESS.";
        return Err((StatusCode::BAD_REQUEST, why));
    }
    let host = checked_host(app, request)?;
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD);
    let upgrades = headers.contains_key(header::UPGRADE);
    // The button that mail programs make of a link may be pressed on any page, and all it can do is end mails (RFC 8058).
    let unsubscribes = request.uri().path().starts_with(UNSUBSCRIBE);
    if ((changes && !unsubscribes) || upgrades) && !is_same_origin(headers, host, app.address.as_deref()) {
        return Err((StatusCode::FORBIDDEN, "This request came from another site and was refused."));
    }
    Ok(())
}

/// Whether a request shows the owner's key: it is answered whatever others at the same address have sent.
fn has_key(app: &App, request: &Request) -> bool {
    let entering = request.uri().path().strip_prefix("/enter/");
    let key = entering.or_else(|| cookie(request.headers(), OWNER_COOKIE));
    key.is_some_and(|key| app.is_key(key))
}

/// The host that a request is for, unless it is not one of ours.
fn checked_host<'a>(app: &App, request: &'a Request) -> Result<&'a str, Refusal> {
    let odd = (StatusCode::BAD_REQUEST, "The name of the host in this request can't be read.");
    let host = single(request.headers(), "host").map_err(|()| odd)?.unwrap_or_default();
    if request.uri().authority().is_some_and(|authority| authority.as_str() != host) {
        return Err(odd);
    }
    if app.local_only {
        // A page elsewhere whose name points at this machine (DNS rebinding) sends its own name.
        return is_local(host).then_some(host).ok_or((
            StatusCode::MISDIRECTED_REQUEST,
            "This server only accepts requests from this machine: use http://127.0.0.1 or http://localhost.",
        ));
    }
    let name = name_of(host);
    if !is_host_name(name) {
        return Err(odd);
    }
    let ours = app.address.as_deref().map(|url| name_of(authority(url)));
    let is_ours = ours.is_none_or(|ours| ours.eq_ignore_ascii_case(name));
    if !is_ours && !is_local(host) && name.parse::<IpAddr>().is_err() {
        return Err((
            StatusCode::MISDIRECTED_REQUEST,
            "This server has another address: use the link that you were given.",
        ));
    }
    Ok(host)
}

/// The one value of a header; an error if there are several, or if it is not plain text.
fn single<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, ()> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().map(Some).map_err(|_| ()),
        (Some(_), Some(_)) => Err(()),
    }
}

/// The host and the port in a URL or an origin.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split('/').next().unwrap_or_default()
}

/// A host without its port, and an IPv6 address without its brackets.
fn name_of(host: &str) -> &str {
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    }
}

/// Whether a name can be that of a host: an address, or letters, digits, dots, hyphens and underscores.
fn is_host_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    name.parse::<IpAddr>().is_ok() || ((1..=253).contains(&name.len()) && name.bytes().all(is_plain))
}

/// Whether a host name means this machine.
fn is_local(host: &str) -> bool {
    let name = name_of(host);
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a request that changes something comes from one of our pages, or from no page at all. A proxy may send another
/// host than people use; then `address` is what they use.
fn is_same_origin(headers: &HeaderMap, host: &str, address: Option<&str>) -> bool {
    match (single(headers, "sec-fetch-site"), single(headers, "origin")) {
        (Ok(Some(site)), Ok(_)) => matches!(site, "same-origin" | "none"),
        (Ok(None), Ok(None)) => true,
        (Ok(None), Ok(Some(origin))) => {
            // Whoever can change what comes over plain HTTP is another site to those who use HTTPS.
            let is_public = address.is_some_and(|url| authority(url).eq_ignore_ascii_case(host));
            let needs_https = is_public && address.is_some_and(|url| url.starts_with("https:"));
            address.is_some_and(|address| address.eq_ignore_ascii_case(origin))
                || origin
                    .split_once("://")
                    .is_some_and(|(scheme, from)| from == host && (!needs_https || scheme == "https"))
        }
        // What can't be read is not ours.
        (Err(()), _) | (_, Err(())) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_asks_too_much_waits_and_this_machine_does_not() {
        let (limits, now) = (Limits::default(), Instant::now());
        let granted = |from: [u8; 4], has_accounts: bool| {
            let from = IpAddr::from(from);
            (0..1_000).filter(|_| limits.allow_request(from, has_accounts, now)).count()
        };
        assert_eq!((granted([192, 0, 2, 7], false), granted([192, 0, 2, 8], false)), (300, 300));
        assert_eq!((granted([127, 0, 0, 1], false), granted([127, 0, 0, 1], true)), (1_000, 300));
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
        let same = |pairs: &[(&'static str, &'static str)]| is_same_origin(&headers(pairs), here, None);
        assert!(same(&[]), "a program that is no browser");
        assert!(same(&[("origin", "http://127.0.0.1:4040")]));
        assert!(same(&[("sec-fetch-site", "same-origin")]));
        assert!(!same(&[("origin", "http://evil.example")]));
        assert!(!same(&[("origin", "null")]));
        assert!(!same(&[("sec-fetch-site", "cross-site")]));
        assert!(!same(&[("origin", "http://127.0.0.1:9999")]));
        // Behind a proxy the page has another name than the request.
        let public =
            |origin| is_same_origin(&headers(&[("origin", origin)]), here, Some("https://war.example"));
        assert!(public("https://war.example") && public("http://127.0.0.1:4040"));
        assert!(!public("https://war.example.evil") && !public("http://war.example"));
        let named = |origin| {
            let headers = headers(&[("origin", origin)]);
            is_same_origin(&headers, "war.example", Some("https://war.example"))
        };
        assert!(named("https://war.example") && !named("http://war.example"));
    }

    #[test]
    fn what_can_not_be_read_is_not_ours() {
        let here = "127.0.0.1:4040";
        for name in ["origin", "sec-fetch-site"] {
            let mut odd = HeaderMap::new();
            odd.insert(name, HeaderValue::from_bytes(b"http://\xff\xfe").expect("a value"));
            assert!(!is_same_origin(&odd, here, None), "{name}");
            let mut two = HeaderMap::new();
            for _ in 0..2 {
                two.append(name, HeaderValue::from_static("http://127.0.0.1:4040"));
            }
            assert!(!is_same_origin(&two, here, None), "two of {name}");
        }
    }

    #[test]
    fn a_host_has_a_name() {
        for (host, name) in [
            ("war.example", "war.example"),
            ("war.example:8080", "war.example"),
            ("192.0.2.7:4040", "192.0.2.7"),
            ("[2001:db8::7]:4040", "2001:db8::7"),
            ("my_machine", "my_machine"),
        ] {
            assert_eq!(name_of(host), name);
            assert!(is_host_name(name), "{host}");
        }
        for odd in ["", "a b", "a/b", "user@war.example", "<script>", "ü"] {
            assert!(!is_host_name(name_of(odd)), "{odd}");
        }
        assert_eq!(name_of(authority("https://war.example:8443/table/")), "war.example");
    }
}
