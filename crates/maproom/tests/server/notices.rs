//! Mail from the command line to the mail server: letters, notices, and a house that is killed in between.

use std::collections::BTreeSet;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::tempdir;

use crate::client::{FORM, PATIENCE, Server, run, words};
use crate::smtp::{Received, Smtp};

const PASSWORD: &str = "correct+horse+battery";
/// A match of two friends.
const FOR_TWO: &str = "game=blitz&seed=7&option.mode=two_player&seat.0=friend&seat.1=friend";

fn with_mail(folder: &Path, mail: &Smtp) -> Server {
    let address = format!("smtp://{}", mail.server.address);
    let arguments =
        ["--port", "0", "--accounts", "open", "--mail-server", &address, "--mail-from", "post@example.org"];
    Server::start_with(folder, &arguments)
}

/// The next mails, at least one.
fn mails(mail: &Smtp) -> Vec<Received> {
    let begun = Instant::now();
    loop {
        let mails = mail.take();
        if !mails.is_empty() {
            return mails;
        }
        assert!(begun.elapsed() < PATIENCE, "no mail");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The path of the first link in a mail.
fn path_in(mail: &Received) -> String {
    let text = mail.text.replace("=\n", "");
    let rest = text.split_once("http://127.0.0.1:").unwrap_or_else(|| panic!("a link: {text}")).1;
    let rest = &rest[rest.find('/').expect("a path")..];
    rest.split_whitespace().next().expect("a path").to_owned()
}

/// Somebody with an account.
struct Member<'s> {
    server: &'s Server,
    cookie: String,
}

impl<'s> Member<'s> {
    fn join(server: &'s Server, name: &str) -> Self {
        let joined =
            server.send("POST", "/join", &[FORM], &format!("name={name}&password={PASSWORD}")).is(303);
        let cookie = joined.header("set-cookie").and_then(|cookie| cookie.split(';').next());
        Self { server, cookie: cookie.expect("a session").to_owned() }
    }

    fn post(&self, path: &str, form: &str) {
        self.server.send("POST", path, &[FORM, ("Cookie", &self.cookie)], form).is(303);
    }
}

/// The path of a seat, from the table of the creator.
fn seat(server: &Server, table: &str, id: &str) -> String {
    let page = server.get(table).is(200).body;
    let field = page.split('<').find(|element| element.contains(&format!("id=\"{id}\""))).expect("a link");
    field.split("data-path=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a path").to_owned()
}

#[test]
fn what_was_written_is_told_although_the_house_is_killed() {
    let (folder, mail) = (tempdir().expect("a folder"), Smtp::start());
    let mut server = with_mail(folder.path(), &mail);
    let ann = Member::join(&server, "Ann");
    ann.post("/account/mail", &format!("mail=ann%40home.example&password={PASSWORD}"));
    let letter = mails(&mail).remove(0);
    assert_eq!(letter.header("Subject"), "Confirm your address for Maproom");
    server.send("POST", &path_in(&letter), &[FORM], "").is(200);
    ann.post("/account/notices", "kind=mail");

    let made = server.send("POST", "/matches", &[FORM], FOR_TWO).is(303);
    let table = made.header("location").expect("a table").to_owned();
    ann.post(&format!("{}/keep", seat(&server, &table, "link-0")), "");
    let friend = seat(&server, &table, "link-1");
    let revision = server.get(&format!("{friend}/debug")).json()["revision"].clone();
    // The friend gives up, and the house is killed at once: the notice was written with the entry.
    server.post(&format!("{friend}/deed"), &json!({ "revision": revision, "deed": "resign" })).is(200);
    server.kill();
    let mut told = mail.take();
    let log = server.log();
    drop(server);
    let server = with_mail(folder.path(), &mail);
    if told.is_empty() {
        told = mails(&mail);
    }
    let log = log + &server.log();
    // A letter that somebody asks for later comes after whatever was still to be told.
    server.send("POST", "/reset", &[FORM], "name=ann").is(200);
    loop {
        let mails = mails(&mail);
        let (letters, more): (Vec<_>, Vec<_>) =
            mails.into_iter().partition(|mail| mail.text.contains("/reset/"));
        told.extend(more);
        if let Some(letter) = letters.first() {
            let form = "password=another+fine+sentence";
            server.send("POST", &path_in(letter), &[FORM], form).is(303);
            break;
        }
    }
    assert!(
        told.iter().all(|mail| mail.to == "ann@home.example" && mail.text.contains("is over")),
        "{told:?}"
    );
    let names: BTreeSet<String> = told.iter().map(|mail| mail.header("Message-ID")).collect();
    assert_eq!(names.len(), 1, "a repeat has the same name, so that it folds: {told:?}");
    assert!(!log.contains("home.example") && !log.contains("/reset/"), "{log}");
}

#[test]
fn without_mail_nothing_is_offered_that_needs_it_and_mistakes_are_told() {
    let folder = tempdir().expect("a folder");
    let server = Server::start_with(folder.path(), &["--port", "0", "--accounts", "open"]);
    assert!(!server.get("/login").is(200).body.contains("href=\"/reset\""));
    let ann = Member::join(&server, "Ann");
    let page = server.send("GET", "/account/notices", &[("Cookie", &ann.cookie)], "").is(200).body;
    assert!(page.contains("By a hook") && !page.contains("By mail") && !page.contains("In this browser"));
    assert!(
        server
            .get("/login")
            .header("content-security-policy")
            .is_some_and(|of| of.contains("worker-src 'self'"))
    );
    // Nobody can have the house connect to its own machines.
    let local = format!("kind=slack&address=http://127.0.0.1:{}/", server.port);
    server.send("POST", "/account/notices", &[FORM, ("Cookie", &ann.cookie)], &local).is(422);
    drop(server);
    let home = Server::start(folder.path());
    assert!(
        home.get("/").header("content-security-policy").is_some_and(|of| of.contains("worker-src 'none'"))
    );
    drop(home);

    let data = folder.path().to_str().expect("a path");
    let says = |further: &[&str]| {
        let all = [&["serve", "--port", "0", "--accounts", "open", "--data", data], further].concat();
        words(&run(&all))
    };
    for (arguments, why) in [
        (vec!["--mail-server", "smtps://mail.example.org"], "--mail-from"),
        (vec!["--mail-server", "smtp://mail.example.org", "--mail-from", "a@b.example"], "smtps://"),
        (vec!["--mail-server", "smtps://mail.example.org", "--mail-from", "nobody"], "no mail address"),
        (
            vec!["--mail-server", "smtps://a:hush@mail.example.org", "--mail-from", "a@b.example"],
            "--mail-user",
        ),
        (vec!["--push-contact", "mailto:root@localhost"], "push services"),
    ] {
        let said = says(&arguments);
        assert!(said.contains(why) && !said.contains("hush"), "{arguments:?}: {said}");
    }
}
