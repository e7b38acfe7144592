//! Hashes of passwords: Argon2id, never more at a time than there are cores, with a short queue.
//!
//! A hash takes a core for a twentieth of a second and 19 MB of memory, on purpose. So they are made on a few threads of their own,
//! and whoever comes when the queue is full is asked to wait: a crowd at the door must not slow down those who play.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use argon2::{Algorithm, Argon2, Params, Version};

/// How many may wait for their turn.
pub const QUEUE: usize = 32;

/// How much a hash costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// Memory in KiB.
    pub memory: u32,
    /// How often it is gone through.
    pub passes: u32,
}

impl Cost {
    /// What passwords are stored with: 19 MiB, twice.
    pub const STORED: Self = Self { memory: 19 << 10, passes: 2 };
    /// Next to nothing, for tests.
    pub const TRIFLING: Self = Self { memory: 8, passes: 1 };

    fn argon(self) -> Argon2<'static> {
        // The figures above are allowed, so the defaults are never used.
        let params = Params::new(self.memory, self.passes, 1, None).unwrap_or(Params::DEFAULT);
        Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
    }
}

/// The queue is full, or no hash can be made now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Busy;

enum Job {
    Hash { password: String, done: SyncSender<Option<String>> },
    Check { password: String, hash: String, done: SyncSender<bool> },
}

/// Makes and checks hashes of passwords.
pub struct Passwords {
    jobs: SyncSender<Job>,
    made: Arc<AtomicU64>,
    nobodys: String,
}

impl Passwords {
    /// Starts threads, one for each place; each calls `prepare` first, for example to step back behind those who play.
    pub fn start(
        cost: Cost,
        places: usize,
        prepare: impl Fn() + Send + Sync + 'static,
    ) -> Result<Self, Busy> {
        let (jobs, queue) = mpsc::sync_channel(QUEUE);
        let (queue, prepare) = (Arc::new(Mutex::new(queue)), Arc::new(prepare));
        let made = Arc::<AtomicU64>::default();
        // Somebody who does not exist has a hash, too; its password is not known to anybody.
        let mut unknown = [0; 32];
        getrandom::fill(&mut unknown).map_err(|_| Busy)?;
        let nobodys = cost.argon().hash_password(&unknown).map_err(|_| Busy)?.to_string();
        for _ in 0..places.max(1) {
            let (queue, made, prepare) = (Arc::clone(&queue), Arc::clone(&made), Arc::clone(&prepare));
            let thread = std::thread::Builder::new().name("passwords".to_owned());
            let work = move || {
                prepare();
                while let Some(job) = next(&queue) {
                    made.fetch_add(1, Ordering::Relaxed);
                    // Nobody waits any more for a job that panicked: its sender is gone.
                    let _ = workers::caught(|| job.run(cost));
                }
            };
            thread.spawn(work).map_err(|_| Busy)?;
        }
        Ok(Self { jobs, made, nobodys })
    }

    /// The hash of a new password, as PHC text.
    pub fn hash(&self, password: &str) -> Result<String, Busy> {
        let (done, told) = mpsc::sync_channel(1);
        self.queue(Job::Hash { password: password.to_owned(), done })?;
        told.recv().ok().flatten().ok_or(Busy)
    }

    /// Whether a password is the one of a hash. Without a hash it never is, and that takes just as long.
    pub fn check(&self, password: &str, hash: Option<&str>) -> Result<bool, Busy> {
        let told = self.begin_check(password, hash)?;
        told.recv().map(|is_right| is_right && hash.is_some()).map_err(|_| Busy)
    }

    fn begin_check(&self, password: &str, hash: Option<&str>) -> Result<Receiver<bool>, Busy> {
        let hash = hash.unwrap_or(&self.nobodys).to_owned();
        let (done, told) = mpsc::sync_channel(1);
        self.queue(Job::Check { password: password.to_owned(), hash, done })?;
        Ok(told)
    }

    /// How many hashes were made since the start.
    pub fn hashes_made(&self) -> u64 {
        self.made.load(Ordering::Relaxed)
    }

    fn queue(&self, job: Job) -> Result<(), Busy> {
        self.jobs.try_send(job).map_err(|refused| match refused {
            TrySendError::Full(_) | TrySendError::Disconnected(_) => Busy,
        })
    }
}

/// The next job; none when nobody can send any more.
fn next(queue: &Mutex<Receiver<Job>>) -> Option<Job> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

impl Job {
    fn run(self, cost: Cost) {
        // Whoever has gone away is not told.
        match self {
            Self::Hash { password, done } => {
                let hash = cost.argon().hash_password(password.as_bytes()).ok();
                let _ = done.send(hash.map(|hash| hash.to_string()));
            }
            Self::Check { password, hash, done } => {
                let is_right = PasswordHash::new(&hash)
                    .is_ok_and(|hash| cost.argon().verify_password(password.as_bytes(), &hash).is_ok());
                let _ = done.send(is_right);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    fn trifling() -> Passwords {
        Passwords::start(Cost::TRIFLING, 2, || {}).expect("threads")
    }

    #[test]
    fn a_password_is_known_by_its_hash() {
        let passwords = trifling();
        let hash = passwords.hash("correct horse battery").expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=8,t=1,p=1$"), "{hash}");
        assert_ne!(
            hash,
            passwords.hash("correct horse battery").expect("a hash"),
            "each has a salt of its own"
        );
        assert_eq!(passwords.check("correct horse battery", Some(&hash)), Ok(true));
        assert_eq!(passwords.check("correct horse", Some(&hash)), Ok(false));
        assert_eq!(passwords.check("correct horse battery", None), Ok(false));
        for damaged in ["", "$argon2id$", "plain text"] {
            assert_eq!(passwords.check("plain text", Some(damaged)), Ok(false), "{damaged}");
        }
    }

    #[test]
    fn what_is_stored_costs_what_it_should() {
        let passwords = Passwords::start(Cost::STORED, 1, || {}).expect("a thread");
        let hash = passwords.hash("correct horse battery").expect("a hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        // The figures are in the hash: another cost checks it all the same.
        assert_eq!(trifling().check("correct horse battery", Some(&hash)), Ok(true));
    }

    #[test]
    fn somebody_who_does_not_exist_costs_one_hash_like_anybody() {
        let passwords = trifling();
        let hash = passwords.hash("correct horse battery").expect("a hash");
        let cost = |hash: Option<&str>| {
            let before = passwords.hashes_made();
            passwords.check("wrong", hash).expect("an answer");
            passwords.hashes_made() - before
        };
        assert_eq!((cost(Some(&hash)), cost(None)), (1, 1));
    }

    #[test]
    fn whoever_comes_when_the_queue_is_full_is_asked_to_wait() {
        let gate = Arc::new(Barrier::new(2));
        let of_thread = Arc::clone(&gate);
        // The only thread stands at the gate and takes nothing from the queue.
        let passwords = Passwords::start(Cost::TRIFLING, 1, move || {
            of_thread.wait();
        })
        .expect("a thread");
        let waiting: Vec<_> = (0..QUEUE).map(|_| passwords.begin_check("wrong", None)).collect();
        assert!(waiting.iter().all(Result::is_ok));
        assert_eq!(passwords.begin_check("wrong", None).map(|_| ()), Err(Busy));
        assert_eq!(passwords.hash("correct horse battery"), Err(Busy));
        gate.wait();
        for told in waiting {
            assert_eq!(told.expect("queued").recv(), Ok(false));
        }
        assert_eq!(passwords.check("wrong", None), Ok(false), "there is room again");
        assert_eq!(passwords.hashes_made(), QUEUE as u64 + 1);
    }
}
