//! Links: who has taken a seat, and links and keys that are replaced (7).

use tempfile::tempdir;

use crate::client::{FORM, Server, Socket};

const WITH_FRIEND: &str = "game=blitz&seed=7&option.mode=two_player&seat.0=me&seat.1=friend";

/// The path behind a field of the share dialog, if it is shown.
fn link(server: &Server, path: &str, id: &str) -> Option<String> {
    let page = server.get(path).is(200).body;
    let at = page.find(&format!("id=\"{id}\""))?;
    let element = &page[page[..at].rfind('<')?..];
    element.split("data-path=\"").nth(1)?.split('"').next().map(str::to_owned)
}

fn watch(server: &Server, path: &str) -> Socket {
    let opened = Socket::open(server.port, &format!("{path}/live?since=1"), &[]).expect("an answer");
    opened.unwrap_or_else(|answer| panic!("{answer:?}"))
}

/// Whether the server closes a page, after whatever it still has to say.
fn closes(page: &mut Socket) -> bool {
    (0..100).any(|_| page.update().is_err())
}

fn change(server: &Server, path: &str, link: &str, change: &str) -> u16 {
    let body = format!("link={link}&change={change}");
    server.send("POST", &format!("{path}/links"), &[FORM], &body).status
}

#[test]
fn a_preview_of_a_link_takes_no_seat_and_a_link_can_be_taken_away() {
    let folder = tempdir().expect("a folder");
    let server = Server::start(folder.path());
    let path = server.connect().new_match_of(WITH_FRIEND).expect("a match");
    let friend = link(&server, &path, "link-0").expect("a link for the friend");
    // What a chat does with a link.
    let mut http = server.connect();
    http.tell("HEAD", &friend, &[], "").expect("sent");
    server.get(&friend).is(200);
    assert_eq!(link(&server, &path, "link-0").as_ref(), Some(&friend), "nobody has come yet");
    assert!(server.get("/").body.contains("has not joined yet"));
    // What a friend does with it.
    let mut page = watch(&server, &friend);
    assert_eq!(link(&server, &path, "link-0"), None, "the seat is taken");
    assert_eq!(change(&server, &friend, "0", "renew"), 403, "not the friend's link");
    assert_eq!(change(&server, &path, "1", "renew"), 303);
    assert!(closes(&mut page), "the page is closed");
    server.get(&friend).is(404);
    server.get(&format!("{friend}/update")).is(404);
    let fresh = link(&server, &path, "link-0").expect("a new link");
    assert_ne!(fresh, friend);
    server.get(&fresh).is(200);
    let viewer = link(&server, &path, "link-viewer").expect("a link for watching");
    let mut watching = watch(&server, &viewer);
    assert_eq!(change(&server, &path, "watch", "revoke"), 303);
    assert!(closes(&mut watching), "the page is closed");
    server.get(&viewer).is(404);
    assert_eq!(link(&server, &path, "link-viewer"), None);
    assert_eq!(change(&server, &path, "0", "revoke"), 422, "nobody shuts themselves out");
    server.get(&path).is(200);
}

#[test]
fn a_new_key_shuts_out_whoever_had_the_old_one() {
    let folder = tempdir().expect("a folder");
    let open = |more: &[&str]| {
        let mut arguments = vec!["--host", "0.0.0.0", "--port", "0"];
        arguments.extend_from_slice(more);
        let server = Server::start_with(folder.path(), &arguments);
        let key = server.key();
        (server, key)
    };
    let status = |server: &Server, key: &str| {
        server.send("GET", "/", &[("Cookie", &format!("maproom_owner={key}"))], "").status
    };
    let (mut server, old) = open(&[]);
    assert_eq!(status(&server, &old), 200);
    assert!(server.stop().success());
    let (mut server, new) = open(&["--new-key"]);
    assert_ne!(old, new);
    assert_eq!((status(&server, &old), status(&server, &new)), (403, 200));
    server.get(&format!("/enter/{old}")).is(403);
    assert!(server.stop().success());
    let (server, kept) = open(&[]);
    assert_eq!(kept, new, "it stays until another is asked for");
    assert_eq!(status(&server, &new), 200);
}
