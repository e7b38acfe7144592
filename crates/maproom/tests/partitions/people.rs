//! People who play, two to a table, each with a server of their own that they mostly go to: what one chooses is often too late for the
//! other.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::client::NEW_MATCH_OF_SEED;
use crate::history::Outcome;
use crate::house::Random;
use crate::site::{SERVERS, Site, Visitor};

/// How long a person waits for an answer before trying elsewhere.
const PATIENCE: Duration = Duration::from_secs(8);
/// How often a person sends a choice until they have an answer.
const TRIES: usize = 6;

/// A table: the path of the match that is played there, if there is one.
#[derive(Default)]
pub struct Table {
    path: Mutex<Option<String>>,
    /// Those that were played there before.
    pub played: Mutex<Vec<String>>,
}

impl Table {
    pub fn path(&self) -> Option<String> {
        self.path.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Leaves a match that is over.
    pub fn leave(&self, path: &str) {
        let mut now = self.path.lock().unwrap_or_else(PoisonError::into_inner);
        if now.as_deref() == Some(path) {
            *now = None;
        }
    }

    /// Begins one.
    pub fn begin(&self, path: String) {
        self.played.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        *self.path.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
    }
}

/// What all people share.
pub struct Play<'s> {
    pub site: &'s Site,
    pub is_over: &'s AtomicBool,
    /// How many choices were acknowledged.
    pub clicks: &'s AtomicU64,
}

/// What a person has met with.
#[derive(Default)]
pub struct Met {
    /// The longest time from wanting to choose until a choice was made.
    pub longest: Duration,
}

impl Play<'_> {
    /// Plays until all is over. The first of the two at a table begins the matches.
    pub fn play(&self, table: &Table, name: &str, which: usize, random: &mut Random) -> Met {
        let mut visitor = Visitor::new(self.site, name.to_owned(), PATIENCE);
        let (mut met, mut wanted, mut count) = (Met::default(), Instant::now(), 0);
        while !self.is_over.load(Ordering::SeqCst) {
            thread::sleep(Duration::from_micros(random.next() % 120_000));
            let host = if random.below(4) == 0 { SERVERS[1 - which] } else { SERVERS[which] };
            let Some(path) = table.path() else {
                if which == 0 {
                    let form = format!("{NEW_MATCH_OF_SEED}{}", random.below(1 << 30));
                    if let Some(path) = visitor.new_match(host, &form) {
                        table.begin(path);
                    }
                }
                continue;
            };
            let Some(shown) = visitor.look(host, &path) else { continue };
            let Some(choice) = shown.choices.get(random.below(shown.choices.len())) else {
                table.leave(&path);
                continue;
            };
            count += 1;
            let key = format!("{name}-{count}-{}", random.below(1 << 30));
            if self.choose(&mut visitor, host, &path, shown.revision, choice, &key, random) {
                self.clicks.fetch_add(1, Ordering::SeqCst);
                met.longest = met.longest.max(wanted.elapsed());
                wanted = Instant::now();
            }
        }
        met
    }

    /// Sends a choice, and again elsewhere while nobody knows, though not for ever. Whether it was made.
    #[expect(clippy::too_many_arguments, reason = "all of it is what is sent")]
    fn choose(
        &self,
        visitor: &mut Visitor<'_>,
        mut host: usize,
        path: &str,
        before: u64,
        choice: &str,
        key: &str,
        random: &mut Random,
    ) -> bool {
        for _ in 0..TRIES {
            match visitor.choose(host, path, before, choice, key) {
                Some(Outcome::Made(_)) => return true,
                // Somebody was faster, or this was too fast.
                Some(Outcome::Refused(why)) if !why.starts_with("503") => return false,
                // Some give up, so that nobody ever hears what became of it.
                Some(Outcome::Unknown(_)) if random.below(4) == 0 => return false,
                _ => {}
            }
            if self.is_over.load(Ordering::SeqCst) {
                return false;
            }
            thread::sleep(Duration::from_micros(random.next() % 50_000));
            host = SERVERS[random.below(2)];
        }
        false
    }
}
