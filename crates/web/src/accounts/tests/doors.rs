//! Who is let in at all: other sites, proxies, a server without accounts.

use std::sync::Arc;

use people::Entry;
use store::{MemoryStore, People as _};

use super::host::{GOOD, Host};
use crate::lobby::tests::cards;

/// The paths of all routes that change something, read from the source: a new one is in this list by itself.
fn changing_routes() -> Vec<String> {
    let source = include_str!("../../routes.rs");
    let source = &source[source.find("pub fn router").expect("the router")..];
    let source = &source[..source.find("\n}\n").expect("its end")];
    let routes: Vec<&str> = source.split(".route(").skip(1).collect();
    let changing = routes.iter().filter(|route| route.contains("post("));
    let path = |route: &&str| route.split('"').nth(1).expect("a path").to_owned();
    let found: Vec<String> = changing.map(path).collect();
    assert_eq!(found.len(), source.matches("post(").count(), "one way to change something for each route");
    for other in ["put(", "delete(", "patch(", "any("] {
        let is_method = |at: usize| matches!(source.as_bytes()[at - 1], b' ' | b'.' | b'(');
        assert!(!source.match_indices(other).any(|(at, _)| is_method(at)), "{other}: add it to this test");
    }
    found
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_changing_route_can_be_used_from_another_site() {
    let host = Host::start(Entry::Open).await;
    let mut browser = host.member("Ann", 1).await;
    let (_, table) = host.a_match(&cards(&["me", "friend"], ""), 1).await;
    let routes = changing_routes();
    assert!(routes.len() > 30, "{routes:?}");
    // What mail programs may press anywhere can only end mails: `notices::tests::channels`.
    for (at, route) in (2..).zip(routes.into_iter().filter(|route| route != "/unsubscribe/{token}")) {
        // From one address they would be too many at a time.
        browser.move_to(at);
        let path = route.replace("/m/{id}/{token}", &table).replace("{secret}", "abc").replace("{id}", "abc");
        for hostile in [
            [("Origin", "https://evil.example"), ("X-None", "")],
            [("Sec-Fetch-Site", "cross-site"), ("X-None", "")],
            [("Sec-Fetch-Site", "same-site"), ("Origin", "https://war.example")],
            [("Origin", "null"), ("X-None", "")],
            [("Origin", "http://war.example"), ("X-None", "")],
        ] {
            let headers = [hostile[0], hostile[1], ("Content-Type", "application/x-www-form-urlencoded")];
            let answer = browser.send("POST", &path, &headers, "name=a&password=b").await;
            assert_eq!(answer.status, 403, "{path} with {hostile:?}: {}", answer.text);
            assert!(answer.text.contains("came from another site"), "{path}: {}", answer.text);
        }
        // From our own pages it is not refused for that reason.
        let own = browser.send("POST", &path, &[("Sec-Fetch-Site", "same-origin")], "").await;
        assert!(!own.text.contains("came from another site"), "{path}: {}", own.text);
        if path == "/logout" {
            browser.post("/login", &[("name", "Ann"), ("password", GOOD)]).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_that_nobody_named_is_refused() {
    let host = Host::over(Arc::new(MemoryStore::default()), Entry::Open, &[]).await;
    for header in ["X-Forwarded-For: 198.51.1.7", "Forwarded: for=198.51.1.7", "X-Real-IP: 198.51.1.7"] {
        let request =
            format!("GET /login HTTP/1.1\r\nHost: war.example\r\nConnection: close\r\n{header}\r\n\r\n");
        let answer = host.send(&request).await;
        assert_eq!(answer.status, 400, "{header}: {}", answer.text);
        assert!(answer.text.contains("--behind-proxy"), "{}", answer.text);
    }
    let direct = "GET /login HTTP/1.1\r\nHost: war.example\r\nConnection: close\r\n\r\n";
    assert_eq!(host.send(direct).await.status, 200);
    // The proxy that was named is believed, others on the way are not.
    let behind = Host::start(Entry::Open).await;
    assert_eq!(behind.browser(1).get("/login").await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_count_visitors_and_not_the_proxy() {
    let host = Host::start(Entry::Open).await;
    for _ in 0..6 {
        host.browser(1).post("/login", &[("name", "nobody-here"), ("password", "wrong")]).await;
    }
    let other = host.browser(1).post("/login", &[("name", "somebody"), ("password", "wrong")]).await;
    assert_eq!(other.status, 429, "the neighbourhood waits");
    let away = host.browser(2).post("/login", &[("name", "somebody"), ("password", "wrong")]).await;
    assert_eq!(away.status, 401, "others behind the same proxy don't");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_accounts_there_are_no_such_pages_and_nothing_is_written() {
    let store = Arc::new(MemoryStore::default());
    let lobby = crate::lobby::tests::card_lobby(&store);
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let limits = crate::connections::ConnectionLimits::of_this_machine();
    let (public, proxies, accounts) = (None, Vec::new(), None);
    let serving =
        crate::server::Serving { listener, local_only: true, address: public, proxies, limits, accounts };
    tokio::spawn(crate::server::serve(lobby, serving, std::future::pending()));
    for path in [
        "/login",
        "/join",
        "/account",
        "/turns",
        "/reset",
        "/join/abc",
        "/mail/abc",
        "/account/notices",
        "/notices-worker.js",
        "/manifest.webmanifest",
        "/unsubscribe/abc",
    ] {
        let (status, text) = fetch(address, path).await;
        assert_eq!(status, 404, "{path}: {text}");
    }
    let (status, _) = fetch(address, "/").await;
    assert_eq!(status, 200);
    assert_eq!(store.has_people(), Ok(false));
}

async fn fetch(address: std::net::SocketAddr, path: &str) -> (u16, String) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("it listens");
    let mut said = String::new();
    stream.read_to_string(&mut said).await.expect("an answer");
    let status = said.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, said)
}
