//! A server that is cut off from the database: nobody chooses, everybody goes on looking.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::NEW_MATCH;
use crate::house::{House, choose, until, wait_for, window};

/// Passes bytes on to the database as long as it is open.
struct Gate {
    port: u16,
    is_open: Arc<AtomicBool>,
    connections: Arc<Mutex<Vec<TcpStream>>>,
}

impl Gate {
    fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let own = listener.local_addr().expect("an address").port();
        let is_open = Arc::new(AtomicBool::new(true));
        let connections = Arc::<Mutex<Vec<TcpStream>>>::default();
        let (open, known) = (Arc::clone(&is_open), Arc::clone(&connections));
        thread::spawn(move || {
            for one in listener.incoming().map_while(Result::ok) {
                let Some(other) = open
                    .load(Ordering::SeqCst)
                    .then(|| TcpStream::connect(("127.0.0.1", port)).ok())
                    .flatten()
                else {
                    continue;
                };
                let ends = [&one, &other].map(|end| end.try_clone().expect("a handle"));
                known.lock().expect("nobody panicked").extend(ends);
                for (mut from, mut to) in [(one.try_clone(), other.try_clone()), (Ok(other), Ok(one))]
                    .map(|(a, b)| (a.expect("a handle"), b.expect("a handle")))
                {
                    thread::spawn(move || {
                        let mut bytes = [0; 16 << 10];
                        while let Ok(count @ 1..) = from.read(&mut bytes) {
                            if to.write_all(&bytes[..count]).is_err() {
                                break;
                            }
                        }
                        let _ = to.shutdown(Shutdown::Both);
                    });
                }
            }
        });
        Self { port: own, is_open, connections }
    }

    fn shut(&self) {
        self.is_open.store(false, Ordering::SeqCst);
        for connection in self.connections.lock().expect("nobody panicked").drain(..) {
            let _ = connection.shutdown(Shutdown::Both);
        }
    }

    fn open(&self) {
        self.is_open.store(true, Ordering::SeqCst);
    }
}

#[test]
fn a_server_without_its_database_refuses_choices_and_shows_what_it_has() {
    let Some(house) = House::new() else { return };
    let gate = Gate::to(house.port());
    let address = format!("postgres://maproom@127.0.0.1:{}/{}", gate.port, house.database);
    let (cut, whole) = (House::server_at(&address, &[]), house.server());
    let path = cut.connect().new_match_of(NEW_MATCH).expect("a match");
    let mut http = cut.connect();
    let shown = http.debug(&path).expect("it opens");
    let revision = shown["revision"].as_u64().expect("one");
    let choice = shown["choices"][0].as_str().expect("a choice").to_owned();
    let mut open = window(&cut, &path, revision);
    assert_eq!(cut.get("/health").status, 200);
    gate.shut();
    until("the server is not well", || (cut.get("/health").status == 503).then_some(()));
    let begun = Instant::now();
    let mut refusals = Vec::new();
    for number in 0..5 {
        let refused =
            choose(&mut http, &path, revision, &choice, &format!("cut{number}")).expect("an answer");
        assert!(refused.status >= 500, "{refused:?}");
        refusals.push(refused.body);
    }
    let took = begun.elapsed() / 5;
    let _ =
        writeln!(io::stderr(), "a choice without the database is refused after {took:?}: {}", refusals[4]);
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(refusals[4].contains("database does not answer"), "{refusals:?}");
    // What is there is shown.
    let page = cut.get(&path);
    assert_eq!(page.status, 200, "{page:?}");
    assert_eq!(http.debug(&path).expect("it is open")["revision"], revision);
    // Meanwhile somebody goes on at another server.
    let chosen = choose(&mut whole.connect(), &path, revision, &choice, "other").expect("an answer").is(200);
    let after = chosen.json()["revision"].as_u64().expect("one");
    gate.open();
    wait_for(&mut open, after);
    until("the server is well again", || (cut.get("/health").status == 200).then_some(()));
    let next = until("it can be gone on with", || {
        let shown = http.debug(&path).ok()?;
        (shown["revision"] == after).then(|| shown["choices"][0].as_str().map(ToOwned::to_owned))?
    });
    until("choices are taken again", || {
        (choose(&mut http, &path, after, &next, "again").ok()?.status == 200).then_some(())
    });
}
