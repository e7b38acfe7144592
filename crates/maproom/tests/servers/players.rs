//! People who play at two servers that may be away, and remember what was acknowledged.

use std::sync::atomic::{AtomicBool, AtomicU16, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::{Http, NEW_MATCH_OF_SEED, PATIENCE};
use crate::house::{House, Random, choose, id_of};

/// A number from the environment.
pub fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// What the players see of the servers: their ports, 0 while one is away.
pub struct Ports([AtomicU16; 2]);

impl Ports {
    pub fn new(ports: [u16; 2]) -> Self {
        Self(ports.map(AtomicU16::new))
    }

    pub fn is_away(&self, which: usize) {
        self.0[which].store(0, Ordering::SeqCst);
    }

    pub fn is_back(&self, which: usize, port: u16) {
        self.0[which].store(port, Ordering::SeqCst);
    }

    /// A connection to a server that is there, the wanted one first.
    pub fn connect(&self, wanted: usize) -> Option<Http> {
        [wanted, 1 - wanted].into_iter().find_map(|which| {
            let port = self.0[which].load(Ordering::SeqCst);
            (port != 0).then(|| Http::connect(port).ok()).flatten()
        })
    }
}

/// A player, who goes from one server to the other with every choice.
pub struct Player {
    path: String,
    revision: u64,
    /// What was acknowledged: the key of the request, and the number of the entry.
    pub acknowledged: Vec<(String, u64)>,
    /// How often an answer did not come and the same request was sent again.
    pub again: u64,
    /// The longest time from wanting to choose until a choice was acknowledged.
    pub longest: Duration,
}

impl Player {
    /// Plays one match after the other until the campaign is over.
    pub fn play_on(
        ports: &Ports,
        random: &mut Random,
        is_over: &AtomicBool,
        clicks: &AtomicU64,
    ) -> Vec<Self> {
        let mut players = Vec::new();
        while !is_over.load(Ordering::SeqCst) {
            let form = format!("{NEW_MATCH_OF_SEED}{}", random.below(1 << 30));
            let made = ports.connect(random.below(2)).and_then(|mut http| http.new_match_of(&form).ok());
            let Some(path) = made else {
                thread::sleep(Duration::from_millis(5));
                continue;
            };
            let (acknowledged, again, longest) = (Vec::new(), 0, Duration::ZERO);
            let mut player = Self { path, revision: 1, acknowledged, again, longest };
            player.play(ports, random, is_over, clicks);
            players.push(player);
        }
        players
    }

    /// Plays until it is over, or the campaign is.
    fn play(&mut self, ports: &Ports, random: &mut Random, is_over: &AtomicBool, clicks: &AtomicU64) {
        while !is_over.load(Ordering::SeqCst) {
            let wanted = Instant::now();
            let Some(choice) = self.choice(ports, random) else { return };
            let request = format!("r{}-{}", self.acknowledged.len(), random.below(1 << 30));
            self.choose_for_sure(ports, random, &choice, &request);
            clicks.fetch_add(1, Ordering::SeqCst);
            self.longest = self.longest.max(wanted.elapsed());
            thread::sleep(Duration::from_micros(random.next() % 20_000));
        }
    }

    /// What the player chooses next at some server; `None` when there is nothing to choose any more.
    fn choice(&self, ports: &Ports, random: &mut Random) -> Option<String> {
        let begun = Instant::now();
        loop {
            assert!(begun.elapsed() < PATIENCE, "{}: no server shows revision {}", self.path, self.revision);
            let shown = ports.connect(random.below(2)).and_then(|mut http| http.debug(&self.path).ok());
            let Some(shown) = shown else {
                thread::sleep(Duration::from_millis(2));
                continue;
            };
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
            let Some(mut http) = ports.connect(random.below(2)) else {
                thread::sleep(Duration::from_millis(2));
                continue;
            };
            match choose(&mut http, &self.path, self.revision, choice, request) {
                Ok(answer) if answer.status == 200 => {
                    let revision = answer.json()["revision"].as_u64().expect("a revision");
                    assert_eq!(revision, self.revision + 1, "{}: one choice, one entry", self.path);
                    self.acknowledged.push((request.to_owned(), revision));
                    self.revision = revision;
                    return;
                }
                // Too fast; behind, for a moment; a server that ends, or whose database does not answer.
                Ok(answer) if [429, 409, 503].contains(&answer.status) => {
                    thread::sleep(Duration::from_millis(10));
                }
                Ok(answer) => panic!("{}: {choice}: {answer:?}", self.path),
                Err(_) => self.again += 1,
            }
        }
    }

    /// Compares what was acknowledged with what is in the database.
    pub fn check(&self, house: &House) {
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
