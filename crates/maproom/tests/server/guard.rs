//! Headers, origins, hosts, tokens, keys, sizes.

use serde_json::json;
use tempfile::tempdir;

use crate::client::{Answer, FORM, JSON, NEW_MATCH, Server, Socket};
use crate::play::viewer_path;

/// What every answer carries.
#[track_caller]
fn dressed(what: &str, answer: &Answer) {
    let header =
        |name: &str| answer.header(name).unwrap_or_else(|| panic!("{what}: no {name}: {:?}", answer.headers));
    let policy = header("content-security-policy");
    for part in [
        "default-src 'self'",
        "object-src 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "script-src 'self'",
    ] {
        assert!(policy.contains(part), "{what}: {policy}");
    }
    assert!(!policy.contains("unsafe"), "{what}: {policy}");
    assert_eq!(header("x-content-type-options"), "nosniff", "{what}");
    assert_eq!(header("x-frame-options"), "DENY", "{what}");
    assert!(matches!(header("referrer-policy"), "same-origin" | "no-referrer"), "{what}");
    assert_eq!(header("cross-origin-opener-policy"), "same-origin", "{what}");
    assert_eq!(header("cross-origin-resource-policy"), "same-origin", "{what}");
    header("permissions-policy");
    header("cache-control");
    assert!(answer.header("access-control-allow-origin").is_none(), "{what}");
}

#[test]
fn every_answer_carries_the_security_headers() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let lobby = server.get("/").is(200);
    let asset =
        lobby.body.split('"').find(|text| text.starts_with("/asset/")).expect("a stylesheet").to_owned();
    let cases = [
        ("the lobby", lobby),
        ("an asset", server.get(&asset).is(200)),
        ("an asset that is none", server.get("/asset/0/nothing.css").is(404)),
        ("a table", server.get(&path).is(200)),
        ("an update", server.get(&format!("{path}/update")).is(200)),
        ("the debug drawer", server.get(&format!("{path}/debug")).is(200)),
        ("a record", server.get(&format!("{path}/export")).is(200)),
        ("a page to print", server.get(&format!("{path}/print")).is(200)),
        ("a picture", server.get(&format!("{path}/thumbnail.svg")).is(200)),
        ("a rulebook", server.get("/rules/echoes").is(200)),
        ("a rulebook that is none", server.get("/rules/nothing").is(422)),
        ("nothing", server.get("/nothing/at/all").is(404)),
        ("a wrong link", server.get("/m/abc/def").is(404)),
        ("a new match", server.send("POST", "/matches", &[FORM], NEW_MATCH).is(303)),
        ("a wrong method", server.get("/matches").is(405)),
        ("bad JSON", server.send("POST", &format!("{path}/choose"), &[JSON], "{").is(400)),
        (
            "another site",
            server.send("POST", "/matches", &[FORM, ("Origin", "http://evil.example")], "").is(403),
        ),
        ("another host", server.send("GET", "/", &[("Host", "evil.example")], "").is(421)),
        ("too much", server.send("POST", &format!("{path}/choose"), &[JSON], &" ".repeat(70_000)).is(413)),
    ];
    for (what, answer) in &cases {
        dressed(what, answer);
    }
    let table = &cases[3].1;
    assert_eq!(table.header("cache-control"), Some("no-store"), "a table is nobody else's");
    assert!(!table.body.contains("<script>") && !table.body.contains(" style=\""), "nothing is inline");
}

#[test]
fn another_site_can_change_nothing() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let id = path.split('/').nth(2).expect("an id");
    let debug = server.get(&format!("{path}/debug")).json();
    let choice = debug["choices"][0].as_str().expect("a choice");
    let choose = json!({ "revision": 1, "choice": choice }).to_string();
    let undo = json!({ "revision": 1 }).to_string();
    let name = json!({ "name": "stolen" }).to_string();
    let record = server.get(&format!("{path}/export")).body;
    let before = server.get("/").body;
    let routes: [(String, (&str, &str), &str); 11] = [
        ("/settings".into(), FORM, "theme=dark"),
        ("/matches".into(), FORM, NEW_MATCH),
        ("/matches/import?name=x".into(), ("Content-Type", "text/plain"), &record),
        (format!("/matches/{id}/rename"), JSON, &name),
        (format!("/matches/{id}/delete"), JSON, ""),
        (format!("/matches/{id}/restore"), JSON, ""),
        (format!("{path}/choose"), JSON, &choose),
        (format!("{path}/undo"), JSON, &undo),
        (format!("{path}/fork"), JSON, r#"{"step":1}"#),
        (format!("{path}/deed"), JSON, r#"{"revision":1,"deed":"resign"}"#),
        (format!("/matches/{id}/verdict"), JSON, r#"{"standings":"loss","why":"theirs"}"#),
    ];
    let other_port = format!("http://127.0.0.1:{}", server.port.wrapping_add(1));
    let foreign = [
        ("Origin", "http://evil.example"),
        ("Origin", "null"),
        ("Origin", "http://127.0.0.1.evil.example"),
        ("Origin", other_port.as_str()),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ];
    for (route, kind, body) in &routes {
        for header in foreign {
            let answer = server.send("POST", route, &[*kind, header], body);
            assert_eq!(answer.status, 403, "{route} with {header:?}: {answer:?}");
        }
    }
    assert_eq!(server.get(&format!("{path}/debug")).json()["revision"], 1, "nothing was played");
    assert_eq!(server.get("/").body, before, "nothing was made, renamed, deleted or set");
    let own = format!("http://127.0.0.1:{}", server.port);
    let answer = server.send("POST", &routes[6].0, &[JSON, ("Origin", &own)], &choose);
    assert_eq!(answer.is(200).json()["revision"], 2, "our own page can");
    let answer = server.send("POST", "/settings", &[FORM, ("Sec-Fetch-Site", "same-origin")], "theme=dark");
    assert!(matches!(answer.status, 200 | 204 | 303), "{answer:?}");
}

#[test]
fn a_socket_from_another_site_is_refused() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let own = format!("http://127.0.0.1:{}", server.port);
    let open = |path: &str, header: (&str, &str)| {
        Socket::open(server.port, &format!("{path}/live?since=1"), &[header]).expect("an answer")
    };
    for header in [("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
        let answer = open(&path, header).err().unwrap_or_else(|| panic!("{header:?} was let in"));
        dressed("a refused socket", &answer);
        assert_eq!(answer.status, 403, "{header:?}");
    }
    assert!(open(&path, ("Origin", &own)).is_ok());
    let wrong = format!("{}x", &path[..path.len() - 1]);
    let answer = open(&wrong, ("Origin", &own)).err().expect("a wrong token is refused");
    assert_eq!(answer.status, 404);
}

#[test]
fn another_host_is_refused() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    for host in ["evil.example", "127.0.0.1.evil.example", "192.168.1.5:4040", ""] {
        for path in ["/", "/rules/echoes", "/asset/0/base.css"] {
            let answer = server.send("GET", path, &[("Host", host)], "");
            assert_eq!(answer.status, 421, "{host:?} {path}: {answer:?}");
        }
    }
    for host in ["localhost", "127.0.0.1:1", "[::1]:4040"] {
        server.send("GET", "/", &[("Host", host)], "").is(200);
    }
}

#[test]
fn links_can_not_be_guessed() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let (id, token) = path.strip_prefix("/m/").and_then(|rest| rest.split_once('/')).expect("a path");
    let wrong = server.get(&format!("/m/{id}/{}/update", "a".repeat(token.len()))).is(404);
    let none = server.get(&format!("/m/aaaaaaaaaa/{token}/update")).is(404);
    assert_eq!(wrong.body, none.body, "whether there is such a match is not told");
    server.get("/m/../../etc/passwd").is(404);
    server.get(&format!("{path}/update")).is(200);
    let mut connection = server.connect();
    let mut statuses = Vec::new();
    for at in 0..60 {
        let guess = format!("/m/{id}/{at:026}/update");
        statuses.push(connection.send("GET", &guess, &[], "").expect("an answer").status);
    }
    assert_eq!(statuses.first(), Some(&404), "{statuses:?}");
    assert_eq!(statuses.last(), Some(&429), "{statuses:?}");
    assert!(statuses.is_sorted(), "first not found, then too many: {statuses:?}");
    let locked = server.get(&format!("/m/{id}/aaaaaaaaaaaaaaaaaaaaaaaaaa/update")).is(429);
    dressed("too many", &locked);
    server.get(&format!("{path}/update")).is(200);
    server.get("/rules/echoes").is(200);
}

#[test]
fn too_much_is_refused() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.new_match();
    let id = path.split('/').nth(2).expect("an id").to_owned();
    let much = format!("{{\"revision\":1,\"choice\":\"{}\"}}", "x".repeat(64 << 10));
    for route in [format!("{path}/choose"), format!("{path}/undo"), format!("{path}/fork")] {
        server.send("POST", &route, &[JSON], &much).is(413);
    }
    server.send("POST", &format!("/matches/{id}/rename"), &[JSON], &much).is(413);
    server.send("POST", "/matches", &[FORM], &format!("{NEW_MATCH}&name={}", "x".repeat(64 << 10))).is(413);
    let record = "x".repeat((16 << 20) + 1);
    server.send("POST", "/matches/import?name=x", &[("Content-Type", "text/plain")], &record).is(413);
    let almost = "x".repeat(1 << 20);
    server.send("POST", "/matches/import?name=x", &[("Content-Type", "text/plain")], &almost).is(422);
    assert_eq!(server.get(&format!("{path}/debug")).json()["revision"], 1);
}

#[test]
fn an_open_house_has_a_private_lobby() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &["--host", "0.0.0.0", "--port", "0"]);
    let key = server.key();
    let closed = server.get("/").is(403);
    dressed("a closed lobby", &closed);
    assert!(closed.body.contains("private"), "{}", closed.body);
    assert!(!closed.body.contains(&key));
    let rename = r#"{"name":"x"}"#;
    server.send("POST", "/matches", &[FORM], NEW_MATCH).is(403);
    server.send("POST", "/matches/import", &[("Content-Type", "text/plain")], "").is(403);
    server.send("POST", "/matches/aaaaaaaaaa/rename", &[JSON], rename).is(403);
    server.send("POST", "/matches/aaaaaaaaaa/delete", &[JSON], "").is(403);
    server.send("POST", "/matches/aaaaaaaaaa/restore", &[JSON], "").is(403);
    server.get(&format!("/enter/{}", "a".repeat(key.len()))).is(403);
    server.send("GET", "/", &[("Cookie", "maproom_owner=")], "").is(403);

    let entered = server.get(&format!("/enter/{key}")).is(303);
    assert_eq!(entered.header("location"), Some("/"), "the key leaves the address bar");
    let cookie = entered.header("set-cookie").expect("a cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    let pair = cookie.split(';').next().expect("a pair").to_owned();
    server.send("GET", "/", &[("Cookie", &pair)], "").is(200);
    let made = server.send("POST", "/matches", &[FORM, ("Cookie", &pair)], NEW_MATCH).is(303);
    let path = made.header("location").expect("a table").to_owned();
    // A friend has the link and nothing else.
    server.get(&path).is(200);
    let debug = server.get(&format!("{path}/debug")).json();
    let choice = json!({ "revision": 1, "choice": debug["choices"][0] });
    server.post(&format!("{path}/choose"), &choice).is(200);
    let viewer = viewer_path(&server, &path);
    server.get(&viewer).is(200);

    let said = server.said();
    assert_eq!(said.matches(&key).count(), 1, "the key is printed once:\n{said}");
    for secret in [path.as_str(), viewer.as_str()].iter().flat_map(|path| path.split('/').nth(3)) {
        assert!(!said.contains(secret), "a token in the output:\n{said}");
    }
}

#[test]
fn secrets_are_not_in_the_output() {
    let folder = tempdir().expect("a folder");
    let mut server = Server::start(folder.path());
    let path = server.new_match();
    let viewer = viewer_path(&server, &path);
    server.get(&path).is(200);
    let debug = server.get(&format!("{path}/debug")).json();
    let choice = json!({ "revision": 1, "choice": debug["choices"][0] });
    server.post(&format!("{path}/choose"), &choice).is(200);
    server.post(&format!("{path}/choose"), &choice).is(409);
    server.post(&format!("{viewer}/choose"), &choice).is(403);
    server.post(&format!("{path}/choose"), &json!({ "revision": 2, "choice": "nonsense" })).is(422);
    server.send("POST", &format!("{path}/choose"), &[JSON], "{").is(400);
    server.get(&format!("{path}x/update")).is(404);
    drop(Socket::open(server.port, &format!("{path}/live"), &[]).expect("an answer"));
    assert!(server.stop().success(), "{}", server.said());
    let said = server.said();
    for secret in [&path, &viewer].iter().flat_map(|path| path.split('/').nth(3)) {
        assert!(!said.contains(secret), "a token in the output:\n{said}");
    }
}
