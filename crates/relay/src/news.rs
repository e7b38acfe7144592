//! News between servers over NATS: each tells at once what it has written, and hears of the others within a millisecond or so.
//!
//! NATS keeps nothing of it. What is told while there is no connection is lost, and made up for by those who ask the database.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use async_nats::Client;
use async_nats::connection::State;
use futures_util::StreamExt as _;
use store::{Hear, Hint, HintsWaiting, News, read_hints};
use tokio::sync::{mpsc, oneshot};
use tokio::time::sleep;

use crate::line::{Complaint, NoLine, Target, runtime};

/// The subject on which servers tell each other what has changed.
const SUBJECT: &str = "news";
/// How many hints wait at most: more are dropped.
const MOST_WAITING: usize = 8_192;
/// How long to wait before another try to connect.
const PAUSE: Duration = Duration::from_secs(1);

type Listener = Arc<Mutex<Option<Hear>>>;

/// News over NATS.
pub struct NatsNews {
    hints: mpsc::Sender<Hint>,
    hear: Listener,
    /// Ends the thread when it is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl NatsNews {
    /// Begins to tell and to listen. The server of NATS need not be there yet; that it does not let us in is said at once.
    pub fn start(target: &Target) -> Result<Self, String> {
        let runtime = runtime()?;
        let client = match runtime.block_on(connect(target)) {
            Err(NoLine::ForGood(why)) => return Err(why),
            Err(NoLine::ForNow(why)) => {
                tracing::warn!("{why}; until it is there servers ask the database for news");
                None
            }
            Ok(client) => Some(client),
        };
        let (hints, told) = mpsc::channel(MOST_WAITING);
        let (stop, stopped) = oneshot::channel::<()>();
        let hear = Listener::default();
        let (heard, target) = (Arc::clone(&hear), target.clone());
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = converse(&target, client, told, &heard) => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = thread::Builder::new().name("news-nats".into()).spawn(work);
        let thread = thread.map_err(|why| format!("the thread for news can't be started: {why}"))?;
        Ok(Self { hints, hear, stop: Some(stop), thread: Some(thread) })
    }
}

impl News for NatsNews {
    fn tell(&self, hint: Hint) {
        // A hint that finds no room is made up for by those who ask.
        let _ = self.hints.try_send(hint);
    }

    fn listen(&self, hear: Hear) {
        *self.hear.lock().unwrap_or_else(PoisonError::into_inner) = Some(hear);
    }
}

impl Drop for NatsNews {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

async fn connect(target: &Target) -> Result<Client, NoLine> {
    target.connect_quietly("news", |_| std::future::ready(())).await
}

/// Tells and listens for as long as anybody has something to tell. A connection that breaks comes back by itself.
async fn converse(target: &Target, client: Option<Client>, mut told: mpsc::Receiver<Hint>, hear: &Listener) {
    let client = match client {
        Some(client) => client,
        None => {
            let mut complaint = Complaint::default();
            loop {
                match connect(target).await {
                    Ok(client) => break client,
                    Err(why) => complaint.say(why),
                }
                sleep(PAUSE).await;
            }
        }
    };
    let subscriber = loop {
        match client.subscribe(SUBJECT).await {
            Ok(subscriber) => break subscriber,
            Err(why) => tracing::debug!("news can't be heard: {why}"),
        }
        sleep(PAUSE).await;
    };
    let hear = Arc::clone(hear);
    tokio::spawn(subscriber.for_each(move |message| {
        let hear = hear.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let (Some(hear), Ok(text)) = (hear, std::str::from_utf8(&message.payload)) {
            hear(read_hints(text));
        }
        std::future::ready(())
    }));
    let mut waiting = HintsWaiting::default();
    while let Some(hint) = told.recv().await {
        waiting.add(hint);
        while let Ok(hint) = told.try_recv() {
            waiting.add(hint);
        }
        while !waiting.is_empty() {
            let text = waiting.message();
            // Nobody wants to hear old news when the connection is back.
            if client.connection_state() == State::Connected
                && let Err(why) = client.publish(SUBJECT, text.into()).await
            {
                tracing::debug!("news can't be told: {why}");
            }
        }
    }
}
