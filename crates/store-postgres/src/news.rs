//! News by `NOTIFY`, on a connection apart from all transactions.
//!
//! A commit that notifies holds a lock of the whole database until it is on the disk. So an entry is never told of in its own
//! transaction: hints are collected, many matches go into one message, and there are twenty messages a second at most, from a
//! connection whose commits wait for no disk. If the connection breaks, hints are lost until there is another one.

use std::future::poll_fn;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use store::{Hear, Hint, HintsWaiting, News, StoreError, read_hints};
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_postgres::{AsyncMessage, Client, Connection, Socket};
use tracing::{debug, warn};

use crate::errors::detail;
use crate::target::Target;
use crate::tls::Stream;

/// The least time between two messages.
const APART: Duration = Duration::from_millis(50);
/// How many hints wait at most: more are dropped.
const MOST_WAITING: usize = 8_192;
/// How long to wait before another connection is tried.
const PAUSE: Duration = Duration::from_secs(1);

const LISTEN: &str = "SET synchronous_commit = off; SET idle_session_timeout = 0; LISTEN maproom_news";
/// For servers that know no time limit for idle sessions.
const LISTEN_PLAIN: &str = "SET synchronous_commit = off; LISTEN maproom_news";
const TELL: &str = "SELECT pg_notify('maproom_news', $1)";

type Listener = Arc<Mutex<Option<Hear>>>;

/// News by `NOTIFY`.
pub struct PostgresNews {
    hints: mpsc::Sender<Hint>,
    hear: Listener,
    /// Ends the thread when it is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl PostgresNews {
    /// Begins to tell and to listen, at the database with this address. It need not be there yet.
    pub fn start(address: &str) -> Result<Self, StoreError> {
        let target = Target::read(address)?;
        let cannot =
            |why: std::io::Error| StoreError::Other(format!("the thread for news can't be started: {why}"));
        let runtime = Builder::new_current_thread().enable_all().build().map_err(cannot)?;
        let (hints, told) = mpsc::channel(MOST_WAITING);
        let (stop, stopped) = oneshot::channel::<()>();
        let hear = Listener::default();
        let heard = Arc::clone(&hear);
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = stay_connected(&target, told, &heard) => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = thread::Builder::new().name("news-postgres".into()).spawn(work).map_err(cannot)?;
        Ok(Self { hints, hear, stop: Some(stop), thread: Some(thread) })
    }
}

impl News for PostgresNews {
    fn tell(&self, hint: Hint) {
        // A hint that finds no room is made up for by those who ask.
        let _ = self.hints.try_send(hint);
    }

    fn listen(&self, hear: Hear) {
        *self.hear.lock().unwrap_or_else(PoisonError::into_inner) = Some(hear);
    }
}

impl Drop for PostgresNews {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != thread::current().id()
        {
            let _ = thread.join();
        }
    }
}

/// Connects again whenever the connection has broken.
async fn stay_connected(target: &Target, mut told: mpsc::Receiver<Hint>, hear: &Listener) {
    let mut is_known = false;
    loop {
        match converse(target, &mut told, hear, &mut is_known).await {
            Ok(()) => return,
            Err(why) if is_known => {
                is_known = false;
                warn!("news can't be told by the database {} just now: {why}", target.place);
            }
            Err(why) => debug!("news can't be told: {why}"),
        }
        sleep(PAUSE).await;
    }
}

/// Tells and listens until the connection breaks, or nobody has anything to tell any more.
async fn converse(
    target: &Target,
    told: &mut mpsc::Receiver<Hint>,
    hear: &Listener,
    is_connected: &mut bool,
) -> Result<(), String> {
    let words = |why: tokio_postgres::Error| detail(&why);
    let (client, connection) = target.connect().await?;
    let own = Arc::new(AtomicI32::new(0));
    let (ended, mut is_over) = oneshot::channel::<()>();
    tokio::spawn(listen(connection, Arc::clone(hear), Arc::clone(&own), ended));
    if client.batch_execute(LISTEN).await.is_err() {
        client.batch_execute(LISTEN_PLAIN).await.map_err(words)?;
    }
    let row = client.query_one("SELECT pg_backend_pid()", &[]).await.map_err(words)?;
    own.store(row.try_get(0).map_err(words)?, Ordering::SeqCst);
    *is_connected = true;
    let mut waiting = HintsWaiting::default();
    let mut next = Instant::now();
    loop {
        if waiting.is_empty() {
            tokio::select! {
                hint = told.recv() => match hint {
                    Some(hint) => waiting.add(hint),
                    None => return Ok(()),
                },
                _ = &mut is_over => return Err("the connection broke".to_owned()),
            }
        }
        sleep_until(next).await;
        while let Ok(hint) = told.try_recv() {
            waiting.add(hint);
        }
        tell(&client, &mut waiting).await.map_err(words)?;
        next = Instant::now() + APART;
    }
}

/// One message, with as many matches as it holds.
async fn tell(client: &Client, waiting: &mut HintsWaiting) -> Result<(), tokio_postgres::Error> {
    let payload = waiting.message();
    client.query_typed(TELL, &[(&payload, tokio_postgres::types::Type::TEXT)]).await.map(drop)
}

/// Keeps a connection going, and passes on what others tell.
async fn listen(
    mut connection: Connection<Socket, Stream>,
    hear: Listener,
    own: Arc<AtomicI32>,
    _ended: oneshot::Sender<()>,
) {
    while let Some(Ok(message)) = poll_fn(|context| connection.poll_message(context)).await {
        let AsyncMessage::Notification(notification) = message else { continue };
        if notification.process_id() == own.load(Ordering::SeqCst) {
            continue;
        }
        let hear = hear.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(hear) = hear {
            hear(read_hints(notification.payload()));
        }
    }
}
