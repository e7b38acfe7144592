//! The side that answers.

use std::collections::HashMap;
use std::io::Read as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use async_nats::{Client, Message, Subject};
use flate2::read::DeflateDecoder;
use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use tokio::time::sleep;

use super::{ANYBODY, Call, NoChoice, Question, Reply, subject_of};
use crate::message::bytes;
use crate::worker::{Labour, Repeated};

/// How often a worker says that it is at it.
const BEAT: Duration = Duration::from_secs(1);
/// How long to wait for questions before looking whether to stop.
const WAIT: Duration = Duration::from_millis(50);
/// The longest question that is unpacked, in bytes.
const LONGEST: u64 = 64 << 20;

/// A worker that answers questions about bots.
pub(crate) struct Listening<'a> {
    /// Its name for those who ask.
    pub name: String,
    pub build: &'a str,
    /// How many questions it thinks about at a time.
    pub places: usize,
    pub labour: &'a dyn Labour,
    pub client: Client,
    pub on: Handle,
}

/// The questions that are thought about, and how to stop each.
#[derive(Default)]
struct UnderWay {
    stops: Mutex<HashMap<String, Arc<AtomicBool>>>,
    count: AtomicUsize,
}

impl Listening<'_> {
    /// Answers until it is to stop.
    pub fn work<'scope>(&'scope self, scope: &'scope Scope<'scope, '_>, stop: &AtomicBool) {
        let questions = self.listen();
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
                _ => {}
            }
        }
        under_way.stop_all();
    }

    /// Listens to questions for anybody, and to those for this worker.
    fn listen(&self) -> Receiver<Message> {
        let (sender, receiver) = channel();
        let (client, own) = (self.client.clone(), subject_of(&self.name));
        self.on.spawn(async move {
            let (anybody, group) = ANYBODY;
            let heard =
                (client.queue_subscribe(anybody, group.to_owned()).await, client.subscribe(own).await);
            let (Ok(anybody), Ok(own)) = heard else {
                tracing::warn!("questions for bots can't be heard here");
                return;
            };
            let mut questions = futures_util::stream::select(anybody, own);
            while let Some(message) = questions.next().await {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        receiver
    }

    fn begin<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        under_way: &Arc<UnderWay>,
        question: Question,
        to: Subject,
    ) {
        let is_full = under_way.count.load(Ordering::SeqCst) >= self.places.max(1);
        if is_full || question.build != self.build {
            self.reply(&to, &Reply::Busy);
            return;
        }
        let (flag, under_way) = (under_way.begin(&question.id), Arc::clone(under_way));
        scope.spawn(move || {
            self.answer(&question, &to, &flag);
            under_way.end(&question.id);
        });
    }

    fn answer(&self, question: &Question, to: &Subject, stop: &Arc<AtomicBool>) {
        self.reply(to, &Reply::Begun { worker: self.name.clone() });
        let _beats = self.beat(to, stop, Duration::from_millis(question.patience));
        let thought = workers::caught(|| self.labour.think(question, stop));
        let reply = match thought {
            Ok(Ok(choice)) => Reply::Done(choice),
            Ok(Err(why)) => Reply::Not(why),
            Err(panic) => Reply::Not(NoChoice::Failed(panic.to_string())),
        };
        self.reply(to, &reply);
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

    fn stop_all(&self) {
        self.stops().values().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }
}

fn read(payload: &[u8]) -> Option<Call> {
    let mut text = Vec::new();
    DeflateDecoder::new(payload).take(LONGEST).read_to_end(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}
