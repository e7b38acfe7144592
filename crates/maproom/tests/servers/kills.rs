//! One of two servers is killed again and again while many people choose at both. What was acknowledged is there, once, and nothing else.

use std::io::{self, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Http, NEW_MATCH_OF_SEED, PATIENCE};
use crate::house::{House, Random, choose, id_of};

/// Matches that are played at the same time.
const MATCHES: usize = 8;
/// How often a server is killed, unless somebody wants more.
const KILLS: u64 = 24;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// What the players see of the servers: their ports, 0 while one is away.
struct Ports([AtomicU16; 2]);

impl Ports {
    /// A connection to a server that is there, the wanted one first.
    fn connect(&self, wanted: usize) -> Option<Http> {
        [wanted, 1 - wanted].into_iter().find_map(|which| {
            let port = self.0[which].load(Ordering::SeqCst);
            (port != 0).then(|| Http::connect(port).ok()).flatten()
        })
    }
}

/// A player, who goes from one server to the other with every choice.
struct Player {
    path: String,
    revision: u64,
    /// What was acknowledged: the key of the request, and the number of the entry.
    acknowledged: Vec<(String, u64)>,
    /// How often an answer did not come and the same request was sent again.
    again: u64,
}

impl Player {
    /// Plays until it is over, or the campaign is.
    fn play(&mut self, ports: &Ports, random: &mut Random, is_over: &AtomicBool, clicks: &AtomicU64) {
        while !is_over.load(Ordering::SeqCst) {
            let Some(choice) = self.choice(ports, random) else { return };
            let request = format!("r{}-{}", self.acknowledged.len(), random.below(1 << 30));
            self.choose_for_sure(ports, random, &choice, &request);
            clicks.fetch_add(1, Ordering::SeqCst);
            thread::sleep(Duration::from_micros(random.next() % 20_000));
        }
    }

    /// What the player chooses next at some server; `None` when there is nothing to choose any more.
    fn choice(&self, ports: &Ports, random: &mut Random) -> Option<String> {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "{}: no server shows revision {}", self.path, self.revision);
            let shown = ports.connect(random.below(2)).and_then(|mut http| http.debug(&self.path).ok());
            let Some(shown) = shown else { continue };
            let revision = shown["revision"].as_u64().expect("a revision");
            assert!(revision <= self.revision, "{}: {revision} is there, which nobody has chosen", self.path);
            // A page may be behind for a moment.
            if revision == self.revision {
                let offered = shown["choices"].as_array().expect("a list");
                return offered.get(random.below(offered.len()))?.as_str().map(ToOwned::to_owned);
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Sends a choice until it is answered, wherever.
    fn choose_for_sure(&mut self, ports: &Ports, random: &mut Random, choice: &str, request: &str) {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "{}: {choice} is not answered", self.path);
            let Some(mut http) = ports.connect(random.below(2)) else { continue };
            match choose(&mut http, &self.path, self.revision, choice, request) {
                Ok(answer) if answer.status == 200 => {
                    let revision = answer.json()["revision"].as_u64().expect("a revision");
                    assert_eq!(revision, self.revision + 1, "{}: one choice, one entry", self.path);
                    self.acknowledged.push((request.to_owned(), revision));
                    self.revision = revision;
                    return;
                }
                // Too fast; behind, for a moment; a server that ends.
                Ok(answer) if [429, 409, 503].contains(&answer.status) => {
                    thread::sleep(Duration::from_millis(10));
                }
                Ok(answer) => panic!("{}: {choice}: {answer:?}", self.path),
                Err(_) => self.again += 1,
            }
        }
    }

    /// Compares what was acknowledged with what is in the database.
    fn check(&self, house: &House) {
        let journal = house.journal(id_of(&self.path));
        let numbers: Vec<u64> = journal.iter().map(|(seq, _)| *seq).collect();
        assert_eq!(numbers, (1..=self.revision).collect::<Vec<_>>(), "{}: no gap, nothing more", self.path);
        let made: Vec<(String, u64)> = journal
            .into_iter()
            .filter(|(_, request)| !request.is_empty())
            .map(|(seq, key)| (key, seq))
            .collect();
        assert_eq!(made, self.acknowledged, "{}: each choice once, where it was acknowledged", self.path);
    }
}

#[test]
fn nothing_acknowledged_is_lost_whichever_server_dies() {
    let Some(house) = House::new() else { return };
    let long = std::env::var_os("MAPROOM_LONG").is_some().then_some(1_000);
    let kills = number("MAPROOM_SERVER_KILLS").or(long).unwrap_or(KILLS);
    let seed = number("MAPROOM_SEED").unwrap_or(1);
    let mut random = Random(seed);
    let begun = Instant::now();
    let servers = [house.server(), house.server()].map(Mutex::new);
    let port = |which: usize| servers[which].lock().expect("nobody panicked").port;
    let ports = Ports([0, 1].map(|which| AtomicU16::new(port(which))));
    let (is_over, clicks) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut finished = Vec::new();
    let mut said = Vec::new();
    thread::scope(|scope| {
        let tasks: Vec<_> = (0..MATCHES)
            .map(|_| {
                let mut random = Random(random.next());
                let (ports, is_over, clicks) = (&ports, &is_over, &clicks);
                scope.spawn(move || {
                    let mut players = Vec::new();
                    while !is_over.load(Ordering::SeqCst) {
                        let form = format!("{NEW_MATCH_OF_SEED}{}", random.below(1 << 30));
                        let made =
                            ports.connect(random.below(2)).and_then(|mut http| http.new_match_of(&form).ok());
                        let Some(path) = made else { continue };
                        let (acknowledged, again) = (Vec::new(), 0);
                        let mut player = Player { path, revision: 1, acknowledged, again };
                        player.play(ports, &mut random, is_over, clicks);
                        players.push(player);
                    }
                    players
                })
            })
            .collect();
        for _ in 0..kills {
            let which = random.below(2);
            // From some choices on after the last kill: a busy machine takes its time.
            let so_far = clicks.load(Ordering::SeqCst);
            while clicks.load(Ordering::SeqCst) < so_far + 10 {
                thread::sleep(Duration::from_millis(1));
                assert!(begun.elapsed() < PATIENCE * 60, "nobody gets any further");
                if tasks.iter().any(thread::ScopedJoinHandle::is_finished) {
                    break;
                }
            }
            thread::sleep(Duration::from_micros(random.next() % 100_000));
            let mut server = servers[which].lock().expect("nobody panicked");
            server.kill();
            ports.0[which].store(0, Ordering::SeqCst);
            said.push(server.said());
            *server = house.server();
            ports.0[which].store(server.port, Ordering::SeqCst);
        }
        is_over.store(true, Ordering::SeqCst);
        for task in tasks {
            finished.extend(task.join().unwrap_or_else(|why| std::panic::resume_unwind(why)));
        }
    });
    said.extend(servers.iter().map(|server| server.lock().expect("nobody panicked").said()));
    assert!(!said.iter().any(|said| said.contains("panicked")), "MAPROOM_SEED={seed}: {said:?}");
    finished.iter().for_each(|player| player.check(&house));
    let (acknowledged, again) = finished
        .iter()
        .fold((0, 0), |(all, again), player| (all + player.acknowledged.len() as u64, again + player.again));
    assert!(acknowledged >= kills * 10, "{acknowledged} choices between {kills} kills");
    let _ = writeln!(
        io::stderr(),
        "{kills} kills of one of two servers (seed {seed}) in {:.1} s: {} matches, {acknowledged} acknowledged choices, {again} sent \
         again; none lost, no gap, none twice",
        begun.elapsed().as_secs_f32(),
        finished.len(),
    );
}
