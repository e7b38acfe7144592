//! Accounts as whoever runs the server sees them: the flag, invitations, and the commands beside a running server.

use std::path::Path;

use crate::client::{FORM, Server, run, words};

const PASSWORD: &str = "correct+horse+battery";

/// Runs a command on a folder and returns what it said.
fn command(folder: &Path, arguments: &[&str]) -> String {
    let folder = folder.to_str().expect("a path");
    let mut all = arguments.to_vec();
    all.extend(["--data", folder]);
    words(&run(&all))
}

fn path_of(link: &str) -> String {
    let rest = link.trim().strip_prefix("http://").unwrap_or_else(|| panic!("a link: {link}"));
    rest[rest.find('/').expect("a path")..].to_owned()
}

/// Logs in and returns the status and the cookie.
fn log_in(server: &Server, name: &str, password: &str) -> (u16, String) {
    let answer = server.send("POST", "/login", &[FORM], &format!("name={name}&password={password}"));
    let cookie = answer.header("set-cookie").unwrap_or_default().split(';').next().unwrap_or_default();
    (answer.status, cookie.to_owned())
}

#[test]
fn a_house_is_kept_by_commands_beside_the_running_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &["--port", "0", "--accounts", "invited"]);
    assert_eq!(command(folder.path(), &["admin", "list"]), "0 accounts\n");
    let invitation = path_of(&command(folder.path(), &["invite"]));
    let joined = server.send("POST", &invitation, &[FORM], &format!("name=Ann&password={PASSWORD}"));
    assert_eq!(joined.status, 303, "{}", joined.body);
    let cookie = joined.header("set-cookie").expect("a session").to_owned();
    assert!(cookie.starts_with("maproom_session=") && cookie.contains("HttpOnly"), "{cookie}");
    let listed = command(folder.path(), &["admin", "list"]);
    assert!(listed.contains("a1     Ann") && listed.contains("member  open"), "{listed}");

    let (status, cookie) = log_in(&server, "Ann", PASSWORD);
    assert_eq!(status, 303);
    let account = |cookie: &str| server.send("GET", "/account", &[("Cookie", cookie)], "").status;
    assert_eq!(account(&cookie), 200);
    command(folder.path(), &["admin", "close", "ann"]);
    assert_ne!(account(&cookie), 200, "a closed account is logged out at once");
    assert_eq!(log_in(&server, "Ann", PASSWORD).0, 403);
    command(folder.path(), &["admin", "reopen", "Ann"]);

    let link = path_of(&command(folder.path(), &["admin", "reset", "Ann"]));
    let reset = server.send("POST", &link, &[FORM], "password=another+fine+sentence");
    assert_eq!(reset.status, 303, "{}", reset.body);
    assert_eq!(server.send("POST", &link, &[FORM], "password=yet+another+one").status, 410, "once");
    assert_eq!(log_in(&server, "Ann", PASSWORD).0, 401);
    let said = command(folder.path(), &["admin", "role", "Ann", "admin"]);
    assert!(said.contains("log in again"), "{said}");
    assert!(command(folder.path(), &["admin", "list"]).contains("admin   open"));
    let unknown = command(folder.path(), &["admin", "close", "Nobody"]);
    assert!(unknown.contains("no account has the name"), "{unknown}");
    // Neither names nor links nor passwords are logged.
    let log = server.log();
    assert!(!log.contains("Ann") && !log.contains("horse") && !log.contains(&invitation), "{log}");
}

#[test]
fn without_accounts_there_is_nobody_to_look_after() {
    let folder = tempfile::tempdir().expect("a folder");
    assert!(command(folder.path(), &["invite"]).contains("there are no matches"));
    let server = Server::start(folder.path());
    assert_eq!(server.get("/login").status, 404);
    let said = command(folder.path(), &["invite"]);
    assert!(said.contains("there are no accounts") && said.contains("--accounts invited"), "{said}");
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn passwords_do_not_travel_in_the_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let said = command(folder.path(), &["serve", "--host", "0.0.0.0", "--port", "0", "--accounts", "open"]);
    assert!(said.contains("needs HTTPS"), "{said}");
}

#[test]
fn what_is_done_to_keep_order_stands_in_a_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &["--port", "0", "--accounts", "open"]);
    let joined = server.send("POST", "/join", &[FORM], &format!("name=Ann&password={PASSWORD}"));
    assert_eq!(joined.status, 303, "{}", joined.body);
    assert_eq!(command(folder.path(), &["admin", "log"]), "0 entries\n");
    assert!(command(folder.path(), &["admin", "mute", "ann", "--days", "3"]).contains("can't write"));
    assert!(server.get("/house").body.contains("muted for 3 days"));
    command(folder.path(), &["admin", "unmute", "Ann"]);
    command(folder.path(), &["admin", "close", "Ann"]);
    command(folder.path(), &["admin", "reopen", "Ann"]);
    command(folder.path(), &["admin", "role", "Ann", "admin"]);
    let log = command(folder.path(), &["admin", "log"]);
    for deed in [
        "muted for 3 days",
        "ended the mute",
        "closed the account",
        "opened the account again",
        "gave the role admin",
    ] {
        assert!(log.contains(&format!("The owner {deed} (Ann)")), "{deed}: {log}");
        assert!(server.get("/house").body.contains(deed), "{deed} stands on the page, too");
    }
    assert_eq!(command(folder.path(), &["admin", "reports"]), "0 reports\n");
    let said = command(folder.path(), &["admin", "answer", "3", "nothing"]);
    assert!(said.contains("no report 3 waits"), "{said}");
    assert!(command(folder.path(), &["admin", "outages"]).ends_with("outages\n"));
}
