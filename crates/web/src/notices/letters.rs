//! Letters that somebody has asked for: to confirm an address, to choose a new password.
//!
//! They are sent from a thread of their own, so that how long an answer takes does not tell whether there was a letter. They are
//! kept in memory only: whoever misses one asks again.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use people::{Letter, Mailer};
use post::{Carriers, Delivery, Outcome, Refusal, Verdict, fresh_secret};
use store::ChannelKind;
use tracing::{error, warn};

use crate::clock::Clock;

/// The most letters that wait. Anybody can cause three an hour to an account, and nobody more.
const MOST: usize = 200;
/// How long the thread rests when nothing is due.
const REST: Duration = Duration::from_secs(1);

/// A letter on its way.
struct Waiting {
    to: String,
    letter: Letter,
    /// The name of the message: the same for each try.
    id: String,
    due_at: u64,
    delivery: Delivery,
}

#[derive(Default)]
struct State {
    letters: VecDeque<Waiting>,
    is_over: bool,
}

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    wake: Condvar,
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first letter that is due, as soon as there is one; `None` when it is over.
    fn next(&self, clock: &Clock) -> Option<Waiting> {
        let mut state = self.lock();
        loop {
            if state.is_over {
                return None;
            }
            let now = clock.now();
            if let Some(at) = state.letters.iter().position(|letter| letter.due_at <= now) {
                return state.letters.remove(at);
            }
            state = self.wake.wait_timeout(state, REST).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// Sends the letters of accounts by the mail server of the house.
pub struct LetterBox {
    queue: Arc<Queue>,
    clock: Clock,
    thread: Option<JoinHandle<()>>,
}

impl LetterBox {
    /// Starts the thread that sends, by a clock. The carriers must have a mail server.
    pub fn start(carriers: Arc<Carriers>, clock: Clock) -> std::io::Result<Self> {
        let queue = Arc::<Queue>::default();
        let (theirs, time) = (Arc::clone(&queue), clock.clone());
        let work = move || {
            while let Some(waiting) = theirs.next(&time) {
                match workers::caught(|| try_to_send(&carriers, waiting, time.now())) {
                    Ok(again) => theirs.lock().letters.extend(again),
                    Err(panic) => error!("a letter is lost: {}", panic.message()),
                }
            }
        };
        let thread = thread::Builder::new().name("letters".into()).spawn(work)?;
        Ok(Self { queue, clock, thread: Some(thread) })
    }
}

/// One try; what is returned has to be tried again.
fn try_to_send(carriers: &Carriers, waiting: Waiting, now: u64) -> Option<Waiting> {
    let Waiting { to, letter, id, mut delivery, .. } = waiting;
    let sent = match carriers.mailer() {
        Some(mailer) => mailer.send_asked_for(&to, &letter.subject, &letter.text, &id, now),
        None => Err(Refusal { status: None, why: "this house sends no mail".to_owned() }),
    };
    let (outcome, why) = match sent {
        Ok(()) => return None,
        Err(Refusal { status, why }) => (status.map_or(Outcome::NoAnswer, Outcome::Status), why),
    };
    match delivery.tried(outcome, now) {
        Verdict::Again(due_at) => {
            warn!("a letter could not be delivered and is tried again: {why}");
            Some(Waiting { to, letter, id, due_at, delivery })
        }
        Verdict::Delivered | Verdict::Failing | Verdict::Gone => {
            warn!("a letter could not be delivered and is given up: {why}");
            None
        }
    }
}

impl Mailer for LetterBox {
    fn can_send(&self) -> bool {
        true
    }

    fn send(&self, to: &str, letter: Letter) {
        let Some(id) = fresh_secret() else {
            warn!("a letter was not written, because the system gives no random numbers");
            return;
        };
        let (due_at, delivery) = (self.clock.now(), Delivery::new(ChannelKind::Mail));
        let mut state = self.queue.lock();
        if state.letters.len() >= MOST {
            warn!("a letter was not written, because too many wait for the mail server");
            return;
        }
        state.letters.push_back(Waiting { to: to.to_owned(), letter, id, due_at, delivery });
        drop(state);
        self.queue.wake.notify_one();
    }
}

impl Drop for LetterBox {
    fn drop(&mut self) {
        self.queue.lock().is_over = true;
        self.queue.wake.notify_one();
        if let Some(thread) = self.thread.take() {
            // A panic has been logged where it was caught.
            let _ = thread.join();
        }
    }
}
