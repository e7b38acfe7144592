//! One of two servers is killed again and again while many people choose at both. What was acknowledged is there, once, and nothing else.

use std::io::{self, Write as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::PATIENCE;
use crate::house::{House, Random};
use crate::players::{Player, Ports, number};

/// Matches that are played at the same time.
const MATCHES: usize = 8;
/// How often a server is killed, unless somebody wants more.
const KILLS: u64 = 24;

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
    let ports = Ports::new([0, 1].map(port));
    let (is_over, clicks) = (AtomicBool::new(false), AtomicU64::new(0));
    let mut finished = Vec::new();
    let mut said = Vec::new();
    thread::scope(|scope| {
        let tasks: Vec<_> = (0..MATCHES)
            .map(|_| {
                let mut random = Random(random.next());
                let (ports, is_over, clicks) = (&ports, &is_over, &clicks);
                scope.spawn(move || Player::play_on(ports, &mut random, is_over, clicks))
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
            ports.is_away(which);
            said.push(server.said());
            *server = house.server();
            ports.is_back(which, server.port);
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
