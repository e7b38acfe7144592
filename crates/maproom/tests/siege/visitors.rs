//! Who asks: addresses behind a proxy, keys, hosts and origins (5, 8).

use tempfile::tempdir;

use crate::client::{Answer, FORM, NEW_MATCH, Server};
use crate::honest::compare;

const BEHIND_PROXY: [&str; 6] = ["--port", "0", "--address", "https://war.example", "--log", "info"];

/// A request as the proxy forwards it.
fn forwarded(server: &Server, client: &str, path: &str, more: &[(&str, &str)]) -> Answer {
    let mut headers = vec![("Host", "war.example"), ("X-Forwarded-For", client)];
    headers.extend_from_slice(more);
    server.send("GET", path, &headers, "")
}

#[test]
fn behind_a_proxy_visitors_are_told_apart_and_the_owner_always_comes_in() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &BEHIND_PROXY);
    let key = server.key();
    let guess = |client: &str, at: usize| forwarded(&server, client, &format!("/enter/{at:026}"), &[]).status;
    let mut statuses: Vec<u16> = (0..60).map(|at| guess("192.0.2.7", at)).collect();
    assert_eq!((statuses.first(), statuses.last()), (Some(&403), Some(&429)), "{statuses:?}");
    assert_eq!(guess("192.0.2.8", 0), 403, "another visitor has their own count");
    // An IPv6 customer has a whole /64, and counts once.
    statuses = (0..60).map(|at| guess(&format!("2001:db8:1:2::{at:x}"), at)).collect();
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
    assert_eq!(guess("2001:db8:1:3::1", 0), 403);
    // What a visitor writes in front of the proxy's own word counts for nothing.
    assert_eq!(guess("203.0.113.5, 192.0.2.7", 0), 429);
    // The right key works at the same address, and so does its cookie.
    let entered = forwarded(&server, "192.0.2.7", &format!("/enter/{key}"), &[]).is(303);
    let cookie = entered.header("set-cookie").expect("a cookie");
    assert!(cookie.contains("Secure"), "{cookie}");
    let pair = cookie.split(';').next().expect("a pair").to_owned();
    let mut connection = server.connect();
    let ask = |connection: &mut crate::client::Http, headers: &[(&str, &str)]| {
        connection.send("GET", "/", headers, "").expect("an answer").status
    };
    let from = [("Host", "war.example"), ("X-Forwarded-For", "192.0.2.7")];
    // Sixty a second come back.
    assert!((0..50_000).any(|_| ask(&mut connection, &from) == 429), "too many requests");
    let owner = [from[0], from[1], ("Cookie", pair.as_str())];
    assert_eq!(ask(&mut connection, &owner), 200, "but not for the owner");
    let wrong = [from[0], ("X-Forwarded-For", "198.51.100.1"), ("Cookie", "maproom_owner=aaaa")];
    let tried: Vec<u16> = (0..60).map(|_| ask(&mut connection, &wrong)).collect();
    assert_eq!((tried.first(), tried.last()), (Some(&403), Some(&429)), "keys in cookies count as well");
}

#[test]
fn a_flood_of_wrong_links_holds_nobody_up() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &BEHIND_PROXY);
    let cookie = format!("maproom_owner={}", server.key());
    let headers = [FORM, ("Host", "war.example"), ("Cookie", cookie.as_str())];
    let made = server.send("POST", "/matches", &headers, NEW_MATCH).is(303);
    let path = made.header("location").expect("a table").to_owned();
    let id = path.split('/').nth(2).expect("an id").to_owned();
    compare("wrong links as fast as they can be sent", &server, &path, |signs| {
        let mut http = server.connect();
        let mut statuses = Vec::new();
        signs.begin();
        while signs.goes_on() || statuses.len() < 100 {
            let guess = format!("/m/{id}/{:026}/update", statuses.len());
            let headers = [("Host", "war.example"), ("X-Forwarded-For", "192.0.2.99")];
            statuses.push(http.send("GET", &guess, &headers, "").expect("an answer").status);
        }
        assert_eq!(statuses.last(), Some(&429));
    });
}

#[test]
fn odd_hosts_and_unreadable_origins_are_refused() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &BEHIND_PROXY);
    let status = |host: &str| server.send("GET", "/rules/echoes", &[("Host", host)], "").status;
    for host in
        ["war.example", "WAR.example:443", "127.0.0.1:4040", "localhost", "[2001:db8::1]", "192.0.2.1"]
    {
        assert_eq!(status(host), 200, "{host}");
    }
    for (host, refused) in
        [("evil.example", 421), ("war.example.evil", 421), ("", 400), ("a b", 400), ("user@war.example", 400)]
    {
        assert_eq!(status(host), refused, "{host:?}");
    }
    let two = server.send("GET", "/rules/echoes", &[("Host", "war.example"), ("Host", "evil.example")], "");
    assert_eq!(two.status, 400);
    let elsewhere = server.send("GET", "http://evil.example/", &[("Host", "war.example")], "");
    assert_eq!(elsewhere.status, 400);
    let post = |headers: &[(&str, &str)]| {
        let mut all = vec![FORM, ("Host", "war.example")];
        all.extend_from_slice(headers);
        server.send("POST", "/settings", &all, "theme=dark").status
    };
    assert_eq!(post(&[("Origin", "https://war.example")]), 204);
    assert_eq!(post(&[("Origin", "https://evil.example")]), 403);
    assert_eq!(post(&[("Origin", "https://war.example\u{e9}")]), 403, "an origin that can't be read");
    assert_eq!(post(&[("Origin", "https://war.example"), ("Origin", "https://evil.example")]), 403);
}

/// Without `--address` nobody is believed who claims to speak for others.
#[test]
fn a_forged_address_does_not_help() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &["--host", "0.0.0.0", "--port", "0"]);
    let mut connection = server.connect();
    let mut guess = |at: usize| {
        let from = format!("192.0.2.{}", at % 250);
        let headers = [("X-Forwarded-For", from.as_str())];
        connection.send("GET", &format!("/enter/{at:026}"), &headers, "").expect("an answer").status
    };
    let statuses: Vec<u16> = (0..60).map(&mut guess).collect();
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
}
