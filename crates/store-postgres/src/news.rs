//! News by `NOTIFY`, on a connection apart from all transactions.
//!
//! A commit that notifies holds a lock of the whole database until it is on the disk. So an entry is never told of in its own
//! transaction: hints are collected, many matches go into one message, and there are twenty messages a second at most, from a
//! connection whose commits wait for no disk. If the connection breaks, hints are lost until there is another one.

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use store::{Hear, Hint, News, StoreError, Topic};
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls, Socket, tls::NoTlsStream};
use tracing::{debug, warn};

use crate::errors::detail;
use crate::target::Target;

/// The least time between two messages.
const APART: Duration = Duration::from_millis(50);
/// The most bytes of a message; the server allows 7,999.
const MOST_BYTES: usize = 7_500;
/// How many hints wait at most: more are dropped.
const MOST_WAITING: usize = 8_192;
/// How long to wait before another connection is tried.
const PAUSE: Duration = Duration::from_secs(1);
/// What is sent when both has changed, the journal and something beside it.
const BESIDE: u32 = 0;

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
    let (client, connection) = target.config.connect(NoTls).await.map_err(words)?;
    let own = Arc::new(AtomicI32::new(0));
    let (ended, mut is_over) = oneshot::channel::<()>();
    tokio::spawn(listen(connection, Arc::clone(hear), Arc::clone(&own), ended));
    if client.batch_execute(LISTEN).await.is_err() {
        client.batch_execute(LISTEN_PLAIN).await.map_err(words)?;
    }
    let row = client.query_one("SELECT pg_backend_pid()", &[]).await.map_err(words)?;
    own.store(row.try_get(0).map_err(words)?, Ordering::SeqCst);
    *is_connected = true;
    let mut waiting = BTreeMap::new();
    let mut next = Instant::now();
    loop {
        if waiting.is_empty() {
            tokio::select! {
                hint = told.recv() => match hint {
                    Some(hint) => collect(&mut waiting, hint),
                    None => return Ok(()),
                },
                _ = &mut is_over => return Err("the connection broke".to_owned()),
            }
        }
        sleep_until(next).await;
        while let Ok(hint) = told.try_recv() {
            collect(&mut waiting, hint);
        }
        tell(&client, &mut waiting).await.map_err(words)?;
        next = Instant::now() + APART;
    }
}

/// What is known of matches that have changed: the last entry, and whether something beside the journal has changed.
type Waiting = BTreeMap<String, (u32, bool)>;

fn collect(waiting: &mut Waiting, hint: Hint) {
    // No other ids are ever made.
    if hint.match_id.is_empty() || hint.match_id.contains([' ', '=']) {
        return;
    }
    let known = waiting.entry(hint.match_id).or_default();
    match hint.about {
        Topic::Journal(revision) => known.0 = known.0.max(revision),
        Topic::Beside => known.1 = true,
    }
}

/// One message, with as many matches as it holds.
async fn tell(client: &Client, waiting: &mut Waiting) -> Result<(), tokio_postgres::Error> {
    let payload = message(waiting);
    client.query_typed(TELL, &[(&payload, tokio_postgres::types::Type::TEXT)]).await.map(drop)
}

fn message(waiting: &mut Waiting) -> String {
    let mut text = String::new();
    while let Some((id, (revision, is_beside))) = waiting.pop_first() {
        if !text.is_empty() {
            text.push(' ');
        }
        if revision > 0 {
            text.push_str(&format!("{id}={revision}"));
        }
        if is_beside {
            let apart = if revision > 0 { " " } else { "" };
            text.push_str(&format!("{apart}{id}={BESIDE}"));
        }
        if text.len() > MOST_BYTES - 256 {
            break;
        }
    }
    text
}

/// What a message says; what can't be read may be a later Maproom's.
fn hints(payload: &str) -> Vec<Hint> {
    let hint = |word: &str| {
        let (id, revision) = word.split_once('=')?;
        let changed = match revision.parse().ok()? {
            BESIDE => Topic::Beside,
            revision => Topic::Journal(revision),
        };
        Some(Hint { match_id: id.to_owned(), about: changed })
    };
    payload.split(' ').filter_map(hint).collect()
}

/// Keeps a connection going, and passes on what others tell.
async fn listen(
    mut connection: Connection<Socket, NoTlsStream>,
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
            hear(hints(notification.payload()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hint(id: &str, about: Topic) -> Hint {
        Hint { match_id: id.to_owned(), about }
    }

    #[test]
    fn many_hints_become_few_words() {
        let mut waiting = Waiting::new();
        for revision in [3, 5, 4] {
            collect(&mut waiting, hint("m", Topic::Journal(revision)));
        }
        collect(&mut waiting, hint("n", Topic::Beside));
        collect(&mut waiting, hint("m", Topic::Beside));
        collect(&mut waiting, hint("not one", Topic::Beside));
        let text = message(&mut waiting);
        assert_eq!(text, "m=5 m=0 n=0");
        let expected = [hint("m", Topic::Journal(5)), hint("m", Topic::Beside), hint("n", Topic::Beside)];
        assert_eq!(hints(&text), expected);
        assert_eq!(hints("of a later=version m=2"), [hint("m", Topic::Journal(2))]);
    }

    #[test]
    fn no_message_is_too_long() {
        let mut waiting = Waiting::new();
        for number in 0..2_000 {
            collect(&mut waiting, hint(&format!("match-with-a-name-{number}"), Topic::Journal(u32::MAX)));
        }
        let mut told = 0;
        while !waiting.is_empty() {
            let text = message(&mut waiting);
            assert!(text.len() <= MOST_BYTES, "{}", text.len());
            told += hints(&text).len();
        }
        assert_eq!(told, 2_000);
    }
}
