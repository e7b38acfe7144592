//! Bots that play against each other, and nobody else who could wake them: the server that thinks for them holds a lease.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::house::{Random, id_of, until};
use crate::people::Table;
use crate::site::{SERVERS, Site, Visitor};

const BOTS: &str = "game=blitz&seat.0=bot:greedy&seat.1=bot:greedy&dice=fair&seed=";

/// Their table, and how it goes on there.
#[derive(Default)]
pub struct Bots {
    pub table: Table,
    /// The longest time between two of their choices.
    longest: Mutex<Duration>,
}

impl Bots {
    /// Looks on until all is over, and begins the next match when one has ended.
    pub fn play_on(&self, site: &Site, is_over: &AtomicBool, random: &mut Random) {
        let mut visitor = Visitor::new(site, "bots".to_owned(), Duration::from_secs(20));
        let mut last: Option<(String, u64, Instant)> = None;
        while !is_over.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_millis(200));
            let Some(path) = self.table.path() else {
                let form = format!("{BOTS}{}", random.below(1 << 30));
                let made = visitor.new_match(SERVERS[random.below(2)], &form);
                if let Some(path) = made.filter(|path| slow(&mut visitor, path)) {
                    self.table.begin(path);
                }
                continue;
            };
            let Some((revision, is_finished)) = progress(site, &path) else { continue };
            match &mut last {
                Some((known, at, since)) if *known == path => {
                    if revision > *at {
                        let mut longest = self.longest.lock().unwrap_or_else(PoisonError::into_inner);
                        *longest = (*longest).max(since.elapsed());
                        (*at, *since) = (revision, Instant::now());
                    }
                }
                _ => last = Some((path.clone(), revision, Instant::now())),
            }
            if is_finished {
                self.table.leave(&path);
            }
        }
    }

    pub fn longest(&self) -> Duration {
        *self.longest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until they have gone on.
    pub fn go_on(&self, site: &Site) {
        let now = || {
            let path = self.table.path()?;
            progress(site, &path).map(|(revision, _)| (path, revision))
        };
        let known = until("the bots have a match", now);
        until("the bots go on", || now().filter(|now| now.0 != known.0 || now.1 > known.1).map(drop));
    }
}

/// Has them take their time, so that a match outlasts a few faults.
fn slow(visitor: &mut Visitor<'_>, path: &str) -> bool {
    let body = json!({ "pace": "slow" });
    SERVERS.iter().any(|host| visitor.post(*host, &format!("{path}/pace"), &body))
}

/// How far a match is, and whether it is over.
fn progress(site: &Site, path: &str) -> Option<(u64, bool)> {
    let ask = format!("SELECT revision, result IS NOT NULL FROM progress WHERE match_id = '{}'", id_of(path));
    let row = site.house.ask(&ask);
    let (revision, is_finished) = row.split_once('|')?;
    Some((revision.parse().ok()?, is_finished == "t"))
}
