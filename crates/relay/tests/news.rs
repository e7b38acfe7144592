//! News of servers over a real server of NATS.

use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use relay::{NatsNews, Target};
use store::{Hint, News as _, Topic};
use testkit::nats::Server;

const PATIENCE: Duration = Duration::from_secs(60);

fn target(server: &Server) -> Target {
    Target { address: server.address(), key: None }
}

/// What somebody hears from now on.
fn ear(news: &NatsNews) -> Receiver<Hint> {
    let (sender, receiver) = channel();
    news.listen(std::sync::Arc::new(move |hints| {
        for hint in hints {
            let _ = sender.send(hint);
        }
    }));
    receiver
}

fn hint(id: &str, about: Topic) -> Hint {
    Hint { match_id: id.to_owned(), about }
}

/// Tells until it is heard: whoever has just begun to listen misses what is said before the server knows of them. What else was heard.
fn heard(from: &NatsNews, by: &Receiver<Hint>, told: &Hint) -> Vec<Hint> {
    let mut others = Vec::new();
    for _ in 0..600 {
        from.tell(told.clone());
        match by.recv_timeout(PATIENCE / 600) {
            Ok(heard) if heard == *told => return others,
            Ok(other) => others.push(other),
            Err(_) => {}
        }
    }
    panic!("{told:?} was not heard");
}

#[test]
fn servers_hear_of_each_other_and_not_of_themselves() {
    let Some(mut server) = Server::start() else { return };
    let [one, two] = [0, 1].map(|_| NatsNews::start(&target(&server)).expect("it connects"));
    let (at_one, at_two) = (ear(&one), ear(&two));
    heard(&one, &at_two, &hint("m", Topic::Journal(7)));
    // What comes from one server comes in order, so what it said of "m" would be here before this.
    let others = heard(&two, &at_one, &hint("n", Topic::Beside));
    let all = others.iter().cloned().chain(at_one.try_iter());
    assert!(all.into_iter().all(|hint| hint.match_id == "n"), "nobody hears what they say themselves");
    // After the server was gone they find each other again.
    server.kill();
    one.tell(hint("lost", Topic::Beside));
    server.restart();
    heard(&one, &at_two, &hint("m", Topic::Journal(9)));
}

#[test]
fn a_server_of_nats_that_is_not_there_yet_is_waited_for() {
    let Some(mut server) = Server::start() else { return };
    server.kill();
    let [one, two] = [0, 1].map(|_| NatsNews::start(&target(&server)).expect("it begins without"));
    let at_two = ear(&two);
    one.tell(hint("lost", Topic::Beside));
    server.restart();
    heard(&one, &at_two, &hint("m", Topic::Journal(1)));
}
