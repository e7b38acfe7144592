//! Open pages, which follow a table and stay with what they know when they come to another server.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::house::{Random, id_of};
use crate::people::Table;
use crate::site::{SERVERS, Site};

/// How long a page waits for news before it connects anew, perhaps elsewhere.
const PATIENCE: Duration = Duration::from_secs(4);

/// Follows a table until all is over.
pub fn follow(site: &Site, table: &Table, name: &str, is_over: &AtomicBool, random: &mut Random) {
    let mut known: Option<(String, u64)> = None;
    while !is_over.load(Ordering::SeqCst) {
        let Some(path) = table.path() else {
            thread::sleep(Duration::from_millis(20));
            continue;
        };
        let (page, revision) = known.get_or_insert_with(|| (path.clone(), 0));
        if *page != path {
            (*page, *revision) = (path.clone(), 0);
        }
        let host = SERVERS[random.below(2)];
        let Ok(mut window) = site.window(host, &path, *revision, PATIENCE) else {
            thread::sleep(Duration::from_micros(random.next() % 200_000));
            continue;
        };
        while !is_over.load(Ordering::SeqCst) && table.path().as_deref() == Some(&path) {
            let Ok(update) = window.update() else { break };
            match update["to"].as_u64() {
                Some(to) => {
                    site.history.told(id_of(&path), name, host, to);
                    *revision = to;
                }
                // It has missed something, and asks anew.
                None if update["behind"].as_u64().is_some_and(|at| at > *revision) => break,
                None => {}
            }
        }
    }
}
