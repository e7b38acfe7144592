//! Connections: made on the store's own thread, kept while they are whole, never more than a server allows one client.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use store::StoreError;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio_postgres::{Client, Statement};

use crate::target::{CONNECTING, Target};
use crate::wait::wait;

/// How many connections there are at most.
const MOST: usize = 16;
/// How many are kept while nobody needs them.
const IDLE: usize = 6;
/// How long to wait for one.
const PATIENCE: Duration = Duration::from_secs(5);

/// A connection, used by one thread at a time.
pub(crate) struct Link {
    pub(crate) client: Client,
    /// Statements that the server has read already.
    pub(crate) statements: RefCell<HashMap<String, Statement>>,
    /// Whether an answer was given up on, so that nobody knows what comes next.
    pub(crate) is_lost: Cell<bool>,
}

impl Link {
    fn is_whole(&self) -> bool {
        !self.is_lost.get() && !self.client.is_closed()
    }
}

#[derive(Default)]
struct Links {
    idle: Vec<Link>,
    open: usize,
    /// One that is never used again, because the server has locked something for it.
    kept: Option<Link>,
}

pub(crate) struct Pool {
    target: Target,
    links: Mutex<Links>,
    freed: Condvar,
    handle: Handle,
    /// Ends the thread when it is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Pool {
    /// Starts the thread; nothing is connected yet.
    pub(crate) fn start(target: Target) -> Result<Self, StoreError> {
        let cannot =
            |why: std::io::Error| StoreError::Other(format!("the store's thread can't be started: {why}"));
        let runtime = Builder::new_current_thread().enable_all().build().map_err(cannot)?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = thread::Builder::new().name("store-postgres".into()).spawn(move || {
            // Until the sender is dropped.
            let _ = runtime.block_on(stopped);
        });
        let thread = Some(thread.map_err(cannot)?);
        Ok(Self { target, links: Mutex::default(), freed: Condvar::new(), handle, stop: Some(stop), thread })
    }

    /// Where the database is, without what opens it.
    pub(crate) fn place(&self) -> &str {
        &self.target.place
    }

    fn links(&self) -> MutexGuard<'_, Links> {
        self.links.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A connection: one that was kept, or a new one.
    pub(crate) fn take(&self) -> Result<Lent<'_>, StoreError> {
        let until = Instant::now() + PATIENCE;
        let mut links = self.links();
        loop {
            while let Some(link) = links.idle.pop() {
                if link.is_whole() {
                    return Ok(Lent { pool: self, link: Some(link) });
                }
                links.open -= 1;
            }
            if links.open < MOST {
                links.open += 1;
                break;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(StoreError::Busy { path: self.place().into() });
            }
            links = self.freed.wait_timeout(links, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(links);
        // If connecting fails, dropping this makes room for another.
        let mut lent = Lent { pool: self, link: None };
        lent.link = Some(self.connect()?);
        Ok(lent)
    }

    fn connect(&self) -> Result<Link, StoreError> {
        let unreachable = |detail: &str| StoreError::Unreachable {
            place: self.place().to_owned(),
            detail: detail.to_owned(),
        };
        let (sender, receiver) = oneshot::channel();
        let target = self.target.clone();
        let spawner = self.handle.clone();
        self.handle.spawn(async move {
            let connected = target.connect().await.map(|(client, connection)| {
                spawner.spawn(async move {
                    if let Err(why) = connection.await {
                        tracing::debug!(
                            "a connection to the database ended: {}",
                            crate::errors::detail(&why)
                        );
                    }
                });
                client
            });
            let _ = sender.send(connected);
        });
        let connected = wait(receiver, Instant::now() + CONNECTING);
        let Some(Ok(connected)) = connected else { return Err(unreachable("it does not answer")) };
        let client = connected.map_err(|why| unreachable(&why))?;
        Ok(Link { client, statements: RefCell::default(), is_lost: Cell::new(false) })
    }

    /// Keeps a connection open, and out of use, as long as the pool is there.
    pub(crate) fn keep(&self, mut lent: Lent<'_>) {
        if let Some(link) = lent.link.take() {
            let mut links = self.links();
            // The place of the one that is lent is given back when that is dropped.
            links.open += 1;
            links.kept = Some(link);
        }
    }

    /// Closes the connections that wait for work: after one has broken, the others have probably, too.
    pub(crate) fn forget_idle(&self) {
        let mut links = self.links();
        links.open -= links.idle.len();
        links.idle.clear();
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut links = self.links();
        links.idle.clear();
        links.kept = None;
        drop(links);
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A connection in use. It goes back when this is dropped.
pub(crate) struct Lent<'p> {
    pool: &'p Pool,
    link: Option<Link>,
}

impl Lent<'_> {
    /// The connection.
    pub(crate) fn link(&self) -> Result<&Link, StoreError> {
        self.link.as_ref().ok_or(StoreError::Closed)
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut links = self.pool.links();
        match self.link.take().filter(Link::is_whole) {
            Some(link) if links.idle.len() < IDLE => links.idle.push(link),
            _ => links.open -= 1,
        }
        drop(links);
        self.pool.freed.notify_one();
    }
}
