//! Two servers, one match: choices at either, pages at both.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::client::{FORM, NEW_MATCH};
use crate::house::{House, choose, id_of, until, wait_for, window};

/// One plays at two servers by turns; a window at each shows every choice.
#[test]
fn choices_alternate_and_both_pages_see_them() {
    const CHOICES: usize = 40;
    let Some(house) = House::new() else { return };
    let servers = [house.server(), house.server()];
    let path = servers[0].connect().new_match_of(NEW_MATCH).expect("a match");
    let mut connections = servers.each_ref().map(crate::client::Server::connect);
    let mut revision =
        connections[1].debug(&path).expect("any server opens it")["revision"].as_u64().expect("one");
    let mut windows = servers.each_ref().map(|server| window(server, &path, revision));
    let mut late: Vec<Duration> = Vec::new();
    for number in 0..CHOICES {
        let (here, there) = (number % 2, (number + 1) % 2);
        let shown = connections[here].debug(&path).expect("it is open");
        assert_eq!(shown["revision"], revision, "whoever was told has it");
        let Some(choice) = shown["choices"].as_array().and_then(|all| all.first()?.as_str()) else { break };
        let request = format!("choice-{number}");
        let answer =
            choose(&mut connections[here], &path, revision, choice, &request).expect("an answer").is(200);
        let chosen = Instant::now();
        revision = answer.json()["revision"].as_u64().expect("a revision");
        wait_for(&mut windows[there], revision);
        late.push(chosen.elapsed());
        wait_for(&mut windows[here], revision);
        // The same request at the other server: the answer is that of the first.
        let again =
            choose(&mut connections[there], &path, revision - 1, choice, &request).expect("an answer");
        assert_eq!(again.is(200).json()["revision"], revision);
    }
    assert!(late.len() > 10, "{} choices", late.len());
    let journal = house.journal(id_of(&path));
    assert_eq!(journal.len() as u64, revision);
    assert_eq!(journal.iter().filter(|(_, request)| !request.is_empty()).count(), late.len());
    late.sort_unstable();
    let at = |share: usize| late[(late.len() * share / 100).min(late.len() - 1)];
    let _ = writeln!(
        io::stderr(),
        "an update at the other server after the answer here: median {:?}, p99 {:?}, longest {:?}",
        at(50),
        at(99),
        at(100)
    );
    // Whoever was not told by news would have asked by now.
    assert!(at(99) < Duration::from_secs(20), "{late:?}");
}

/// What was chosen for an older position is refused at any server, and what stands beside the journal comes to the other.
#[test]
fn nobody_acts_on_what_is_old() {
    let Some(house) = House::new() else { return };
    let servers = [house.server(), house.server()];
    let path = servers[0].connect().new_match_of(NEW_MATCH).expect("a match");
    let mut connections = servers.each_ref().map(crate::client::Server::connect);
    let shown = connections[1].debug(&path).expect("it opens");
    let revision = shown["revision"].as_u64().expect("one");
    let choice = shown["choices"][0].as_str().expect("a choice").to_owned();
    choose(&mut connections[0], &path, revision, &choice, "first").expect("an answer").is(200);
    let late = choose(&mut connections[1], &path, revision, &choice, "second").expect("an answer");
    assert_eq!(late.status, 409, "{late:?}");
    // Then it is known there, too: the copy was brought up to date at once.
    assert_eq!(connections[1].debug(&path).expect("it is open")["revision"], revision + 1);
    assert_eq!(house.journal(id_of(&path)).len() as u64, revision + 1);
    // A link that was renewed at one server opens nothing at the other, a moment later.
    servers[0].send("POST", &format!("{path}/links"), &[FORM], "link=0&change=renew").is(303);
    until("the old link is closed at the other server", || {
        (servers[1].get(&path).status == 404).then_some(())
    });
}

/// A server that is asked to end lets go of its windows; whoever had one goes on at the other, where nothing is missing.
#[test]
fn a_server_that_ends_is_replaced_by_the_other() {
    let Some(house) = House::new() else { return };
    let (mut leaving, staying) = (house.server(), house.server());
    let path = leaving.connect().new_match_of(NEW_MATCH).expect("a match");
    let mut http = leaving.connect();
    let shown = http.debug(&path).expect("it opens");
    let revision = shown["revision"].as_u64().expect("one");
    let mut open = window(&leaving, &path, revision);
    let choice = shown["choices"][0].as_str().expect("a choice").to_owned();
    let answer = choose(&mut http, &path, revision, &choice, "before").expect("an answer").is(200);
    let after = answer.json()["revision"].as_u64().expect("one");
    assert!(leaving.stop().success());
    // The window is told what was chosen, then it closes.
    while let Ok(Some(_)) = open.next() {}
    let mut window = window(&staying, &path, revision);
    wait_for(&mut window, after);
    let mut http = staying.connect();
    let again = choose(&mut http, &path, revision, &choice, "before").expect("an answer").is(200);
    assert_eq!(again.json()["revision"], after, "as the first was answered");
    let shown = http.debug(&path).expect("it is open");
    let next = shown["choices"][0].as_str().expect("a choice").to_owned();
    choose(&mut http, &path, after, &next, "after").expect("an answer").is(200);
    assert_eq!(house.journal(id_of(&path)).len() as u64, after + 1);
}

/// Two people sit down at two servers at the same moment: both have sat down, and the dice are rolled once.
#[test]
fn two_sit_down_at_two_servers() {
    let Some(house) = House::new() else { return };
    let servers = [house.server(), house.server()];
    for _ in 0..4 {
        let path = servers[0].connect().new_match_of(crate::house::BLITZ).expect("a match");
        let id = id_of(&path).to_owned();
        let friend = house.ask(&format!("SELECT token FROM seats WHERE match_id = '{id}' AND seat = 1"));
        let paths = [path, format!("/m/{id}/{friend}")];
        std::thread::scope(|scope| {
            for (server, path) in servers.iter().zip(&paths) {
                scope.spawn(move || {
                    let body = json!({ "commitment": "ab".repeat(32) });
                    server.post(&format!("{path}/sit"), &body).is(200)
                });
            }
        });
        let sat = format!("SELECT count(*) FROM journal WHERE match_id = '{id}' AND event LIKE 'sit %'");
        assert_eq!(house.ask(&sat), "2", "both have sat down, whoever was faster");
        let numbers: Vec<u64> = house.journal(&id).into_iter().map(|(seq, _)| seq).collect();
        assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    }
}
