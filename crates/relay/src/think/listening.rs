//! The side that answers.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use async_nats::{Client, Message, Subject};
use flate2::read::DeflateDecoder;
use futures_util::StreamExt as _;
use futures_util::stream::select_all;
use tokio::runtime::Handle;
use tokio::time::sleep;

use super::{Call, GROUP, NoChoice, Question, Reply, anybody, subject_of};
use crate::message::bytes;
use crate::worker::{Labour, Repeated};

/// How often a worker says that it is at it.
const BEAT: Duration = Duration::from_secs(1);
/// How long to wait for questions before looking whether to stop.
const WAIT: Duration = Duration::from_millis(50);
/// How many questions may wait to be read: more are told that there is enough to do.
const WAITING: usize = 64;
/// The longest question that is unpacked, in bytes.
const LONGEST: u64 = 64 << 20;

/// A worker that answers questions about bots.
pub(crate) struct Listening<'a> {
    /// Its name for those who ask.
    pub name: String,
    pub build: &'a str,
    /// How many questions it thinks about at a time.
    pub places: usize,
    /// Whether nobody on the way can read what is said to it.
    pub is_private: bool,
    pub labour: &'a dyn Labour,
    pub client: Client,
    pub on: Handle,
}

/// The questions that are thought about, and how to stop each.
#[derive(Default)]
struct UnderWay {
    stops: Mutex<HashMap<String, Arc<AtomicBool>>>,
    count: AtomicUsize,
    /// Set when this worker is about to end.
    ends: AtomicBool,
}

impl Listening<'_> {
    /// Answers until it is to stop. What is under way then is left to others: a choice in haste would be a bad one.
    pub fn work<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, stop: &AtomicBool) {
        let (questions, _hearing) = self.listen();
        let under_way = Arc::<UnderWay>::default();
        while !stop.load(Ordering::Relaxed) {
            let message = match questions.recv_timeout(WAIT) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match (read(&message.payload), message.reply) {
                (Some(Call::Stop(id)), _) => under_way.stop(&id),
                (Some(Call::Question(question)), Some(to)) => self.begin(scope, &under_way, question, to),
                (None, Some(to)) => {
                    let why = "the question can't be read".to_owned();
                    self.reply(&to, &Reply::Not(NoChoice::Failed(why)));
                }
                _ => {}
            }
        }
        under_way.end_all();
        for to in questions.try_iter().filter_map(|message| message.reply) {
            self.reply(&to, &Reply::Busy);
        }
    }

    /// Listens to questions for anybody, and to those for this worker.
    fn listen(&self) -> (Receiver<Message>, Repeated) {
        let (sender, receiver) = sync_channel(WAITING);
        let (client, own) = (self.client.clone(), subject_of(&self.name));
        let open = anybody(self.build, false);
        let private = self.is_private.then(|| anybody(self.build, true));
        let hearing = self.on.spawn(async move {
            let mut heard = Vec::new();
            for subject in [Some(open), private].into_iter().flatten() {
                heard.push(client.queue_subscribe(subject, GROUP.to_owned()).await);
            }
            let own = client.subscribe(own).await.map_err(|why| why.to_string());
            let heard = heard.into_iter().map(|heard| heard.map_err(|why| why.to_string())).chain([own]);
            let mut questions = match heard.collect::<Result<Vec<_>, _>>() {
                Ok(heard) => select_all(heard),
                Err(why) => {
                    tracing::warn!("questions for bots can't be heard here: {why}");
                    return;
                }
            };
            while let Some(message) = questions.next().await {
                match sender.try_send(message) {
                    Ok(()) => {}
                    Err(TrySendError::Full(Message { reply: Some(to), .. })) => {
                        // Whoever asks hears in a moment that nothing comes.
                        let _ = client.publish(to, bytes(&Reply::Busy).into()).await;
                    }
                    Err(TrySendError::Full(_)) => {}
                    Err(TrySendError::Disconnected(_)) => return,
                }
            }
        });
        (receiver, Repeated(hearing.abort_handle()))
    }

    fn begin<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        under_way: &Arc<UnderWay>,
        question: Question,
        to: Subject,
    ) {
        let is_full = under_way.count.load(Ordering::SeqCst) >= self.places.max(1);
        let is_for_others = question.build != self.build || question.hides && !self.is_private;
        if is_full || is_for_others {
            self.reply(&to, &Reply::Busy);
            return;
        }
        let (flag, under_way) = (under_way.begin(&question.id), Arc::clone(under_way));
        // Whoever is alone has all threads.
        let threads = (self.places / under_way.count.load(Ordering::SeqCst).max(1)).max(1);
        scope.spawn(move || {
            let reply = self.think(&question, threads, &to, &flag, &under_way.ends);
            // Whoever has the answer may ask the next at once.
            under_way.end(&question.id);
            self.reply(&to, &reply);
        });
    }

    fn think(
        &self,
        question: &Question,
        threads: usize,
        to: &Subject,
        stop: &Arc<AtomicBool>,
        ends: &AtomicBool,
    ) -> Reply {
        self.reply(to, &Reply::Begun { worker: self.name.clone() });
        let _beats = self.beat(to, stop, Duration::from_millis(question.patience));
        let thought = workers::caught(|| self.labour.think(question, threads, stop));
        match thought {
            _ if ends.load(Ordering::SeqCst) => Reply::Busy,
            Ok(Ok(choice)) => Reply::Done(choice),
            Ok(Err(why)) => {
                tracing::warn!("no choice for {} in {}: {why:?}", question.bot, question.game);
                Reply::Not(why)
            }
            Err(panic) => {
                tracing::warn!("{} in {} broke down: {panic}", question.bot, question.game);
                Reply::Not(NoChoice::Failed(panic.to_string()))
            }
        }
    }

    /// Says again and again that it is at it; after some time it stops the thinking.
    fn beat(&self, to: &Subject, stop: &Arc<AtomicBool>, patience: Duration) -> Repeated {
        let (client, to, stop) = (self.client.clone(), to.clone(), Arc::clone(stop));
        let begun = bytes(&Reply::Begun { worker: self.name.clone() });
        let beat = async move {
            loop {
                sleep(BEAT).await;
                if let Err(why) = client.publish(to.clone(), begun.clone().into()).await {
                    tracing::debug!("whoever asks can't be told: {why}");
                }
            }
        };
        let beats = async move {
            tokio::select! {
                () = beat => {}
                () = sleep(patience) => stop.store(true, Ordering::Relaxed),
            }
        };
        Repeated(self.on.spawn(beats).abort_handle())
    }

    fn reply(&self, to: &Subject, reply: &Reply) {
        let said = self.on.block_on(self.client.publish(to.clone(), bytes(reply).into()));
        if let Err(why) = said {
            tracing::debug!("whoever asks can't be told: {why}");
        }
    }
}

impl UnderWay {
    fn stops(&self) -> MutexGuard<'_, HashMap<String, Arc<AtomicBool>>> {
        self.stops.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, id: &str) -> Arc<AtomicBool> {
        self.count.fetch_add(1, Ordering::SeqCst);
        Arc::clone(self.stops().entry(id.to_owned()).or_default())
    }

    fn end(&self, id: &str) {
        self.stops().remove(id);
        self.count.fetch_sub(1, Ordering::SeqCst);
    }

    fn stop(&self, id: &str) {
        if let Some(flag) = self.stops().get(id) {
            flag.store(true, Ordering::Relaxed);
        }
    }

    fn end_all(&self) {
        self.ends.store(true, Ordering::SeqCst);
        self.stops().values().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }
}

fn read(payload: &[u8]) -> Option<Call> {
    let mut text = Vec::new();
    DeflateDecoder::new(payload).take(LONGEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
