//! Everything is killed while people choose, bots play and work is handed out: servers, workers, whoever hands the work out, NATS
//! and its stream, the database and single connections of it. What was acknowledged is there, once, and nothing else; reports are
//! those of one process.

use std::io::{self, Write as _};
use std::process::Child;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use testkit::{nats, postgres};

use crate::client::{JSON, Server};
use crate::house::{House, Random, until};
use crate::labour::{Labour, end, worker};
use crate::players::{Player, Ports, number};

/// Matches that are played at the same time.
const MATCHES: usize = 4;
/// How often something is killed, unless somebody wants more.
const KILLS: u64 = 20;
/// After so many kills nothing is killed until the bots have gone on.
const REST: u64 = 50;
/// A campaign is not over without so many choices a kill.
const CHOICES: u64 = 5;
/// Within fifteen seconds bots go on; a machine on which all of this and other tests run may take longer.
const SOON: Duration = Duration::from_secs(60);
/// Two bots, and nobody who would have to come to the other server for them. Workers think for the one that searches.
const BOTS: &str = "game=blitz&seat.0=bot:search:60&seat.1=bot:greedy&dice=fair&seed=5";

/// What is killed.
const VICTIMS: [&str; 7] =
    ["servers", "workers", "desks", "NATS", "its stream", "database", "its connections"];

/// What is there to be killed.
struct Theatre<'a> {
    house: &'a House,
    ports: &'a Ports,
    servers: [Server; 2],
    nats: nats::Server,
    crew: [Child; 2],
    killed: [u64; VICTIMS.len()],
    said: Vec<String>,
}

/// A server that tells its news over NATS, and asks workers what bots would choose.
fn server(house: &House, nats: &nats::Server) -> Server {
    House::server_at(&house.address(), &["--nats", &nats.address()])
}

impl Theatre<'_> {
    /// Kills one thing, and brings it back.
    fn kill(&mut self, number: u64, random: &mut Random, labour: &Labour) {
        let which = random.below(2);
        let victim = match number % 10 {
            0 | 4 | 7 => self.kill_server(which),
            2 if labour.kill() => 2,
            3 => self.kill_nats(false),
            8 => self.kill_nats(true),
            5 => self.kill_database(number % 50 == 5),
            9 if self.house.postgres.kill_connection(&self.house.database, random.below(100)) => {
                // The others end with it, and nobody is let in until it has recovered.
                let postgres = self.house.postgres;
                until("the database lets in", || postgres.try_ask("postgres", "SELECT 1").ok());
                6
            }
            _ => self.kill_worker(which),
        };
        self.killed[victim] += 1;
    }

    fn kill_server(&mut self, which: usize) -> usize {
        self.servers[which].kill();
        self.ports.is_away(which);
        self.said.push(self.servers[which].said());
        self.servers[which] = server(self.house, &self.nats);
        self.ports.is_back(which, self.servers[which].port);
        0
    }

    fn kill_worker(&mut self, which: usize) -> usize {
        end(&mut self.crew[which]);
        self.crew[which] = worker(&self.nats);
        1
    }

    fn kill_nats(&mut self, with_its_stream: bool) -> usize {
        self.nats.kill();
        if with_its_stream {
            self.nats.forget();
        }
        self.nats.restart();
        3 + usize::from(with_its_stream)
    }

    /// Kills the first process of the database; sometimes it stays away until both servers have said so.
    fn kill_database(&self, until_seen: bool) -> usize {
        self.house.postgres.kill();
        if until_seen {
            self.wait_for_health(503);
        }
        self.house.postgres.restart();
        if until_seen {
            self.wait_for_health(200);
        }
        5
    }

    fn wait_for_health(&self, status: u16) {
        for server in &self.servers {
            until(&format!("/health says {status}"), || {
                (server.get("/health").status == status).then_some(())
            });
        }
    }
}

impl Drop for Theatre<'_> {
    fn drop(&mut self) {
        self.crew.iter_mut().for_each(end);
        if thread::panicking() {
            let said: Vec<String> = self.servers.iter().map(Server::said).collect();
            let drives = self.house.postgres.try_ask(&self.house.database, "SELECT * FROM drives");
            let _ =
                writeln!(io::stderr(), "{}\n{}\ndrives: {drives:?}", self.said.join("\n"), said.join("\n"));
        }
    }
}

/// Bots that play against each other, and nobody else who could wake them.
struct Bots {
    /// The match, and how far it is.
    now: Mutex<(String, u64)>,
    longest: Mutex<Duration>,
}

impl Bots {
    /// Has them play one match after the other, and looks on.
    fn play_on(&self, ports: &Ports, house: &House, is_over: &AtomicBool) {
        let mut last = Instant::now();
        while !is_over.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(200));
            let (path, known) = self.now.lock().expect("nobody panicked").clone();
            let Some((revision, is_finished)) = house.progress(&path) else {
                // There is none yet, or nobody can say.
                if path.is_empty() {
                    self.begin(ports);
                    last = Instant::now();
                }
                continue;
            };
            if revision > known {
                let mut longest = self.longest.lock().expect("nobody panicked");
                *longest = (*longest).max(last.elapsed());
                last = Instant::now();
            }
            let now = if is_finished { Default::default() } else { (path, revision) };
            *self.now.lock().expect("nobody panicked") = now;
        }
    }

    fn begin(&self, ports: &Ports) {
        let made = ports.connect(0).and_then(|mut http| {
            let path = http.new_match_of(BOTS).ok()?;
            let body = json!({ "pace": "slow" }).to_string();
            http.send("POST", &format!("{path}/pace"), &[JSON], &body).ok()?;
            Some(path)
        });
        if let Some(path) = made {
            *self.now.lock().expect("nobody panicked") = (path, 0);
        }
    }

    /// Waits until they have gone on.
    fn go_on(&self, house: &House) {
        let known = until("the bots have a match", || {
            let (path, _) = self.now.lock().expect("nobody panicked").clone();
            house.progress(&path).map(|(revision, _)| (path, revision))
        });
        until("the bots go on", || {
            let now = self.now.lock().expect("nobody panicked").clone();
            (now.0 != known.0 || now.1 > known.1).then_some(())
        });
    }
}

/// Kills, with choices in between; the longest time after the last kill of some until the bots had gone on.
fn kill_all(
    theatre: &mut Theatre<'_>,
    kills: u64,
    random: &mut Random,
    labour: &Labour,
    bots: &Bots,
    clicks: &AtomicU64,
) -> Duration {
    let (begun, mut took) = (Instant::now(), Duration::ZERO);
    let rest = REST.min(kills);
    for number in 0..kills {
        let so_far = clicks.load(Ordering::SeqCst);
        theatre.kill(number, random, labour);
        let killed = Instant::now();
        if number % rest == rest - 1 {
            bots.go_on(theatre.house);
            took = took.max(killed.elapsed());
            let seconds = begun.elapsed().as_secs();
            let _ = writeln!(io::stderr(), "{} kills in {seconds} s: {:?}", number + 1, theatre.killed);
        }
        // People go on before the next: a busy machine takes its time.
        until("people choose", || (clicks.load(Ordering::SeqCst) >= so_far + CHOICES).then_some(()));
        thread::sleep(Duration::from_micros(random.next() % 100_000));
    }
    took
}

/// Ends the campaign for everybody, also when it has failed.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn nothing_is_lost_whatever_is_killed() {
    let (Some(postgres), Some(nats)) = (postgres::own(), nats::Server::start()) else { return };
    let long = std::env::var_os("MAPROOM_LONG").is_some().then_some(1_000);
    let kills = number("MAPROOM_CAMPAIGN_KILLS").or(long).unwrap_or(KILLS);
    let seed = number("MAPROOM_SEED").unwrap_or(1);
    let (mut random, begun) = (Random(seed), Instant::now());
    // It ends with this process.
    let house = House::on(Box::leak(Box::new(postgres)));
    let servers = [server(&house, &nats), server(&house, &nats)];
    let ports = Ports::new(servers.each_ref().map(|server| server.port));
    let labour = Labour::new(&nats, house.address());
    let crew = [worker(&nats), worker(&nats)];
    let (killed, said) = ([0; VICTIMS.len()], Vec::new());
    let mut theatre = Theatre { house: &house, ports: &ports, servers, nats, crew, killed, said };
    let bots = Bots { now: Mutex::default(), longest: Mutex::default() };
    let (is_over, clicks) = (AtomicBool::new(false), AtomicU64::new(0));
    let (players, took) = thread::scope(|scope| {
        let ends = Ends(&is_over);
        let tasks: Vec<_> = (0..MATCHES)
            .map(|_| {
                let mut random = Random(random.next());
                let (ports, is_over, clicks) = (&ports, &is_over, &clicks);
                scope.spawn(move || Player::play_on(ports, &mut random, is_over, clicks))
            })
            .collect();
        scope.spawn(|| bots.play_on(&ports, &house, &is_over));
        scope.spawn(|| labour.work(&is_over));
        let took = kill_all(&mut theatre, kills, &mut random, &labour, &bots, &clicks);
        drop(ends);
        let join = |task: thread::ScopedJoinHandle<'_, Vec<Player>>| {
            task.join().unwrap_or_else(|why| std::panic::resume_unwind(why))
        };
        (tasks.into_iter().flat_map(join).collect::<Vec<_>>(), took)
    });
    theatre.said.extend(theatre.servers.iter().map(Server::said));
    let panicked = theatre.said.iter().find(|said| said.contains("panicked"));
    assert_eq!(panicked, None, "MAPROOM_SEED={seed}");
    players.iter().for_each(|player| player.check(&house));
    let apart = "SELECT count(*) FROM progress WHERE revision <> (SELECT count(*) FROM journal WHERE match_id = progress.match_id)";
    assert_eq!(house.ask(apart), "0", "what is said of a match is what its journal says");
    assert!(took < SOON, "the bots went on {took:?} after a kill");
    let jobs = labour.jobs.load(Ordering::SeqCst);
    assert!(jobs > 0, "work was done");
    let acknowledged: usize = players.iter().map(|player| player.acknowledged.len()).sum();
    let again: u64 = players.iter().map(|player| player.again).sum();
    let longest = players.iter().map(|player| player.longest).max().unwrap_or_default();
    let victims: Vec<String> =
        theatre.killed.iter().zip(VICTIMS).map(|(count, name)| format!("{name} {count}")).collect();
    let _ = writeln!(
        io::stderr(),
        "{kills} kills (seed {seed}) in {:.0} s: {}. {} matches, {acknowledged} acknowledged choices, {again} sent again: none lost, \
         no gap, none twice; somebody who wanted to choose waited {longest:.1?} at most. {jobs} jobs, each report that of one \
         process, begun again {} times because the database or NATS was away. After the last kill bots went on within {took:.1?}; \
         under kills their longest pause was {:.1?}",
        begun.elapsed().as_secs_f32(),
        victims.join(", "),
        players.len(),
        labour.ended.load(Ordering::SeqCst),
        bots.longest.lock().expect("nobody panicked"),
    );
}
