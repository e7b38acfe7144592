//! The side that asks.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client, StatusCode, Subscriber};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use futures_util::StreamExt as _;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio::task::{AbortHandle, spawn_blocking};
use tokio::time::{interval, timeout};

use super::{Call, Choice, NoChoice, Question, Reply, anybody, subject_of};
use crate::line::{Complaint, NoLine, Target, runtime};
use crate::message::bytes;
use crate::office::fresh_name;

/// How long to wait for the end of a conversation.
const END: Duration = Duration::from_secs(3);
/// How many questions are asked at a time: with more the bots think at home.
const AT_ONCE: usize = 256;
/// How often it is looked whether the answer is wanted now.
const LOOK: Duration = Duration::from_millis(20);
/// How many workers are asked before the bot thinks at home.
const TRIES: usize = 4;
/// The longest question, in bytes as it travels: a server of NATS takes a megabyte.
const LONGEST: usize = 900_000;
/// How many matches are kept in mind.
const MOST_KNOWN: usize = 4_096;
/// How long to wait before another try to connect.
const PAUSE: Duration = Duration::from_secs(1);

/// How long workers may be silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waits {
    /// One that says nothing at all is passed over after this time: it stands still, or the network has lost it.
    pub first_word: Duration,
    /// One that has begun and is not heard of for so long does not count any more.
    pub silence: Duration,
}

impl Default for Waits {
    fn default() -> Self {
        Self { first_word: Duration::from_secs(1), silence: Duration::from_secs(3) }
    }
}

/// A question, and how to get what has to be said.
pub struct Asked {
    /// All but what is filled in here: its id, and what is said of the match.
    pub question: Question,
    /// How many steps the match has.
    pub steps: usize,
    /// The first part of its save, without the secret.
    pub head: String,
    /// The lines of its save from a step (counted from 0) on.
    pub lines: Box<dyn Fn(usize) -> String + Send>,
    /// Set when the answer is wanted now.
    pub stop: Arc<AtomicBool>,
}

/// What a worker knows of a match.
struct Known {
    worker: String,
    steps: usize,
    /// The line of the last of them, which says by its digest which position it led to.
    line: String,
}

struct Shared {
    client: Mutex<Option<Client>>,
    known: Mutex<HashMap<String, Known>>,
    /// Sets the questions of this server apart from those of others.
    name: String,
    number: AtomicU64,
    room: Semaphore,
    /// Whether nobody on the way can read what is said.
    is_private: bool,
    waits: Waits,
}

/// Whoever asks workers.
pub struct Askers {
    shared: Arc<Shared>,
    /// For the connection and the questions: they wait, and nobody else's work with them.
    runtime: Option<Runtime>,
}

/// What came of asking one worker.
enum Heard {
    Choice(Choice, String),
    /// It does not know the match.
    Unknown(String),
    /// It has no time.
    Busy,
    /// Nobody listens there.
    Nobody,
    /// Whoever got the question says nothing at all.
    Silent,
    /// Nothing of use.
    Nothing,
}

/// A question with all that can be said about its match. To write that down takes a moment if the match is long.
struct Story {
    question: Question,
    steps: usize,
    head: String,
    lines: Mutex<Box<dyn Fn(usize) -> String + Send>>,
}

impl Story {
    /// What is said to a worker that knows the match up to some step; nothing if the match has not gone on from there.
    fn since(&self, known: Known) -> Option<(String, Vec<u8>)> {
        let (worker, from, lines) = gone_on(known, self.steps, &**lock(&self.lines))?;
        Some((worker, self.packed(from, String::new(), lines)))
    }

    /// What is said to any other.
    fn whole(&self) -> Vec<u8> {
        let lines = lock(&self.lines)(0);
        self.packed(0, self.head.clone(), lines)
    }

    fn packed(&self, from: usize, head: String, lines: String) -> Vec<u8> {
        let question = Question { from, head, lines, ..self.question.clone() };
        packed(&bytes(&Call::Question(question)))
    }

    /// The line of the last step, if there was one.
    fn last_line(&self) -> Option<String> {
        let lines = lock(&self.lines)(self.steps.checked_sub(1)?);
        split_step(&lines).map(|(line, _)| line.to_owned())
    }
}

/// Has something written down on a thread that nobody waits for.
async fn aside<T: Send + 'static>(
    story: &Arc<Story>,
    write: impl FnOnce(&Story) -> T + Send + 'static,
) -> Option<T> {
    let story = Arc::clone(story);
    spawn_blocking(move || write(&story)).await.ok()
}

/// A question, given up when nobody waits for its answer any more.
struct Waiting(AbortHandle);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Askers {
    /// Connects, now or as soon as the server is there; that it does not let us in is said at once.
    pub fn start(target: &Target, waits: Waits) -> Result<Self, String> {
        let runtime = runtime()?;
        let client = match runtime.block_on(connect(target)) {
            Ok(client) => Some(client),
            Err(NoLine::ForGood(why)) => return Err(why),
            Err(NoLine::ForNow(why)) => {
                tracing::warn!("{why}; until it is there no worker thinks for bots");
                None
            }
        };
        let is_missing = client.is_none();
        let shared = Arc::new(Shared {
            client: Mutex::new(client),
            known: Mutex::default(),
            name: fresh_name()?,
            number: AtomicU64::new(0),
            room: Semaphore::new(AT_ONCE),
            is_private: target.is_private(),
            waits,
        });
        if is_missing {
            let (shared, target) = (Arc::clone(&shared), target.clone());
            runtime.spawn(async move {
                let mut complaint = Complaint::default();
                loop {
                    tokio::time::sleep(PAUSE).await;
                    match connect(&target).await {
                        Ok(client) => {
                            *lock(&shared.client) = Some(client);
                            return;
                        }
                        Err(why) => complaint.say(why),
                    }
                }
            });
        }
        Ok(Self { shared, runtime: Some(runtime) })
    }

    /// Asks; `None` if nobody answers, or not in time.
    pub fn ask(&self, asked: Asked) -> impl Future<Output = Option<Choice>> + Send + 'static {
        let shared = Arc::clone(&self.shared);
        let task = self.runtime.as_ref().map(|runtime| runtime.spawn(async move { shared.ask(asked).await }));
        async move {
            let task = task?;
            let _waiting = Waiting(task.abort_handle());
            task.await.ok()?
        }
    }
}

impl Drop for Askers {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

async fn connect(target: &Target) -> Result<Client, NoLine> {
    target.connect("server", |_| std::future::ready(())).await
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    async fn ask(self: Arc<Self>, asked: Asked) -> Option<Choice> {
        // Without a connection nobody could answer, and the bot would only begin later.
        let client =
            lock(&self.client).clone().filter(|client| client.connection_state() == State::Connected)?;
        let Asked { mut question, steps, head, lines, stop } = asked;
        if question.hides && !self.is_private {
            return None;
        }
        let _room = self.room.try_acquire().ok()?;
        let until = Instant::now() + Duration::from_millis(question.patience);
        let patience =
            Patience { waits: self.waits, worker: None, heard: Instant::now(), until, is_told: false };
        let about = question.about.clone();
        question.id = format!("{}/{}", self.name, self.number.fetch_add(1, Ordering::Relaxed));
        question.about = format!("{}/{about}", self.name);
        let anybody = anybody(&question.build, question.hides);
        let story = Arc::new(Story { question, steps, head, lines: Mutex::new(lines) });
        let known = lock(&self.known).remove(&about);
        let mut since = match known {
            Some(known) => aside(&story, |story| story.since(known)).await?,
            None => None,
        };
        let (mut to, mut whole): (Option<String>, Option<Vec<u8>>) = (None, None);
        for _ in 0..TRIES {
            let (worker, payload) = match since.take() {
                Some((worker, payload)) => (Some(worker), payload),
                None => {
                    if whole.is_none() {
                        whole = Some(aside(&story, Story::whole).await?);
                    }
                    (to.take(), whole.clone()?)
                }
            };
            let subject = worker.as_ref().map_or_else(|| anybody.clone(), |worker| subject_of(worker));
            match converse(&client, subject, payload, &story.question, &stop, patience.clone()).await? {
                Heard::Choice(choice, worker) => {
                    if let Some(line) = aside(&story, Story::last_line).await? {
                        self.note(about, Known { worker, steps, line });
                    }
                    return Some(choice);
                }
                Heard::Unknown(worker) => to = Some(worker),
                Heard::Busy | Heard::Silent => {}
                Heard::Nobody if worker.is_some() => {}
                Heard::Nobody | Heard::Nothing => return None,
            }
        }
        None
    }

    fn note(&self, about: String, known: Known) {
        let mut all = lock(&self.known);
        if all.len() >= MOST_KNOWN {
            // They are only said again in whole.
            all.clear();
        }
        all.insert(about, known);
    }
}

/// What has to be said to a worker that knows the match up to a step: who it is, which step, and the lines since. Nothing if the
/// match has not gone on from there, because an undo has led elsewhere.
fn gone_on(known: Known, steps: usize, lines: &dyn Fn(usize) -> String) -> Option<(String, usize, String)> {
    let before = known.steps.checked_sub(1).filter(|before| *before < steps)?;
    let lines = lines(before);
    let (first, rest) = split_step(&lines)?;
    (first == known.line).then(|| (known.worker, known.steps, rest.to_owned()))
}

/// The first line about a step, and all that comes after it.
fn split_step(lines: &str) -> Option<(&str, &str)> {
    let mut rest = lines;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            return Some((line.trim(), after));
        }
        rest = after;
    }
    None
}

/// Asks at a subject, until there is an answer or no hope of one. `None` if it can't be asked.
async fn converse(
    client: &Client,
    subject: String,
    payload: Vec<u8>,
    question: &Question,
    stop: &AtomicBool,
    mut patience: Patience,
) -> Option<Heard> {
    if payload.len() > LONGEST {
        return None;
    }
    let inbox = client.new_inbox();
    let mut replies = client.subscribe(inbox.clone()).await.ok()?;
    client.publish_with_reply(subject, inbox, payload.into()).await.ok()?;
    patience.heard = Instant::now();
    let mut look = interval(LOOK);
    let heard = loop {
        let reply = tokio::select! {
            // What has been said counts before anybody is called silent.
            biased;
            reply = replies.next() => reply?,
            _ = look.tick() => {
                if let Some(over) = patience.over() {
                    patience.stop(client, &question.id).await;
                    break over;
                }
                if stop.load(Ordering::Relaxed) {
                    patience.stop(client, &question.id).await;
                }
                continue;
            }
        };
        if reply.status == Some(StatusCode::NO_RESPONDERS) {
            break Heard::Nobody;
        }
        patience.heard = Instant::now();
        match serde_json::from_slice(&reply.payload).ok()? {
            Reply::Begun { worker } => patience.worker = Some(worker),
            Reply::Busy => break Heard::Busy,
            Reply::Done(choice) => break Heard::Choice(choice, patience.worker?),
            Reply::Not(NoChoice::Unknown) => break Heard::Unknown(patience.worker?),
            Reply::Not(NoChoice::Failed(_)) => {
                // Its words may be about what is hidden. They stand in its own log.
                tracing::warn!("a worker can't think for {}; its log says why", question.bot);
                break Heard::Nothing;
            }
        }
    };
    finish(replies).await;
    Some(heard)
}

async fn finish(mut replies: Subscriber) {
    // That it can't be ended matters to nobody.
    let _ = timeout(END, replies.unsubscribe()).await;
}

/// How long to wait for a worker.
#[derive(Clone)]
struct Patience {
    waits: Waits,
    worker: Option<String>,
    heard: Instant,
    until: Instant,
    is_told: bool,
}

impl Patience {
    /// What to make of it if there is nothing more to wait for.
    fn over(&self) -> Option<Heard> {
        let (now, silent) = (Instant::now(), self.heard.elapsed());
        match &self.worker {
            _ if now >= self.until => Some(Heard::Nothing),
            None if silent >= self.waits.first_word => Some(Heard::Silent),
            Some(_) if silent >= self.waits.silence => Some(Heard::Nothing),
            _ => None,
        }
    }

    /// Tells the worker, once, that the answer is wanted now.
    async fn stop(&mut self, client: &Client, id: &str) {
        if let Some(worker) = self.worker.as_ref().filter(|_| !self.is_told) {
            self.is_told = true;
            let call = packed(&bytes(&Call::Stop(id.to_owned())));
            if let Err(why) = client.publish(subject_of(worker), call.into()).await {
                tracing::debug!("a worker can't be told to answer now: {why}");
            }
        }
    }
}

/// Smaller: a long match is mostly the same few words.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = DeflateEncoder::new(Vec::new(), Compression::fast());
    // Nothing that is written into memory fails.
    let _ = packer.write_all(bytes);
    packer.finish().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: [&str; 3] =
        ["    1  red      bid 1   aa\n", "# why: it is late\n# Turn 2\n", "    2  blue     pass    bb\n"];

    fn lines(from: usize) -> String {
        if from == 0 { LINES.concat() } else { format!("# Turn 2\n{}", LINES[2]) }
    }

    fn known(steps: usize, line: &str) -> Known {
        Known { worker: "w".to_owned(), steps, line: line.to_owned() }
    }

    #[test]
    fn only_what_has_happened_since_is_said() {
        let first = "1  red      bid 1   aa";
        let (worker, from, rest) = gone_on(known(1, first), 2, &lines).expect("it has gone on");
        assert_eq!((worker.as_str(), from), ("w", 1));
        assert_eq!(rest, [LINES[1], LINES[2]].concat());
        let nothing_since = gone_on(known(2, "2  blue     pass    bb"), 2, &lines);
        assert_eq!(nothing_since.map(|(_, from, rest)| (from, rest)), Some((2, String::new())));
    }

    #[test]
    fn after_an_undo_all_of_it_is_said() {
        assert!(gone_on(known(1, "1  red      bid 2   ac"), 2, &lines).is_none(), "another choice");
        assert!(gone_on(known(3, "3  red      pass    cc"), 2, &lines).is_none(), "fewer steps");
        assert!(gone_on(known(0, ""), 2, &lines).is_none(), "nothing was known");
    }
}
