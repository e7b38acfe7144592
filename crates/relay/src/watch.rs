//! Which workers are there: each says so once a second, also when it has nothing to do.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use async_nats::connection::State;
use async_nats::{Client, Message};
use futures_util::StreamExt as _;
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::line::{NoLine, Target, runtime};
use crate::message::{Class, Sign, clean};
use crate::stream::{SIGNS, sign_subject};

/// How long to wait before another try to connect.
const PAUSE: Duration = Duration::from_secs(1);
/// Who was not heard of for so long is forgotten.
const FORGOTTEN: Duration = Duration::from_secs(60);
/// Who was not heard of for so long makes room for another, if there are too many.
const SILENT: Duration = Duration::from_secs(5);
/// Anybody may claim to be many workers: no more than these are known at a time.
const MOST: usize = 500;

/// A worker that was heard of lately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Present {
    /// Its name.
    pub process: String,
    /// Its build.
    pub build: String,
    /// What it may do. A server of NATS with a configuration lets nobody say more than is true.
    pub class: Class,
    /// When it was last heard of: so long ago.
    pub heard: Duration,
}

/// Hears who is there.
pub struct Watch {
    shared: Arc<Shared>,
    /// Ends the thread when it is dropped.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    client: Mutex<Option<Client>>,
    seen: Mutex<Seen>,
}

/// By class and name: the build, and when it was last heard of.
#[derive(Default)]
struct Seen(HashMap<(Class, String), (String, Instant)>);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watch {
    /// Begins to listen. The server of NATS need not be there yet; that it does not let us in is said at once.
    pub fn start(target: &Target) -> Result<Self, String> {
        let runtime = runtime()?;
        let client = match runtime.block_on(connect(target)) {
            Err(NoLine::ForGood(why)) => return Err(why),
            Err(NoLine::ForNow(why)) => {
                tracing::warn!("{why}; until it is there no worker is known of");
                None
            }
            Ok(client) => Some(client),
        };
        let shared = Arc::<Shared>::default();
        let (stop, stopped) = oneshot::channel::<()>();
        let (own, target) = (Arc::clone(&shared), target.clone());
        let work = move || {
            runtime.block_on(async {
                tokio::select! {
                    () = listen(&target, client, &own) => {}
                    _ = stopped => {}
                }
            });
        };
        let thread = thread::Builder::new().name("watch-nats".into()).spawn(work);
        let thread =
            thread.map_err(|why| format!("the thread that hears of workers can't be started: {why}"))?;
        Ok(Self { shared, stop: Some(stop), thread: Some(thread) })
    }

    /// Whether there is a connection, so that workers can be heard.
    pub fn is_connected(&self) -> bool {
        let client = lock(&self.shared.client);
        client.as_ref().is_some_and(|client| client.connection_state() == State::Connected)
    }

    /// The workers that were heard of in the last minute, by name.
    pub fn here(&self) -> Vec<Present> {
        lock(&self.shared.seen).here(Instant::now())
    }

    /// Whether a worker that could do work of a class by this build was heard of within this time.
    pub fn is_anybody(&self, build: &str, class: Class, within: Duration) -> bool {
        lock(&self.shared.seen).is_anybody(build, class, within, Instant::now())
    }
}

impl Drop for Watch {
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
    target.connect("watch", |_| std::future::ready(())).await
}

/// Listens without an end. A connection that breaks comes back by itself.
async fn listen(target: &Target, client: Option<Client>, shared: &Shared) {
    let client = match client {
        Some(client) => client,
        None => loop {
            sleep(PAUSE).await;
            match connect(target).await {
                Ok(client) => break client,
                Err(why) => tracing::debug!("{}", String::from(why)),
            }
        },
    };
    *lock(&shared.client) = Some(client.clone());
    loop {
        match client.subscribe(SIGNS).await {
            Ok(mut signs) => {
                while let Some(Message { subject, payload, .. }) = signs.next().await {
                    if let Ok(sign) = serde_json::from_slice::<Sign>(&payload) {
                        lock(&shared.seen).note(&subject, &sign, Instant::now());
                    }
                }
            }
            Err(why) => tracing::debug!("workers can't be heard: {why}"),
        }
        sleep(PAUSE).await;
    }
}

impl Seen {
    fn note(&mut self, subject: &str, sign: &Sign, now: Instant) {
        // Who may say something is what the server of NATS knows; what somebody says of themselves is not asked.
        let Some(class) = Class::ALL.into_iter().find(|class| sign_subject(*class) == subject) else {
            return;
        };
        let key = (class, clean(&sign.process));
        if self.0.len() >= MOST && !self.0.contains_key(&key) {
            self.0.retain(|_, (_, at)| now.saturating_duration_since(*at) <= SILENT);
            if self.0.len() >= MOST {
                return;
            }
        }
        self.0.insert(key, (clean(&sign.build), now));
    }

    fn here(&mut self, now: Instant) -> Vec<Present> {
        self.0.retain(|_, (_, at)| now.saturating_duration_since(*at) <= FORGOTTEN);
        let present = |((class, process), (build, at)): (&(Class, String), &(String, Instant))| Present {
            process: process.clone(),
            build: build.clone(),
            class: *class,
            heard: now.saturating_duration_since(*at),
        };
        let mut here: Vec<Present> = self.0.iter().map(present).collect();
        here.sort_by(|a, b| (&a.process, a.class.word()).cmp(&(&b.process, b.class.word())));
        here
    }

    fn is_anybody(&self, build: &str, class: Class, within: Duration, now: Instant) -> bool {
        self.0.iter().any(|((own, _), (of, at))| {
            of == build && own.may_do(class) && now.saturating_duration_since(*at) <= within
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sign(process: &str, build: &str, class: Class) -> Sign {
        Sign { process: process.to_owned(), build: build.to_owned(), class }
    }

    #[test]
    fn who_speaks_where_only_the_house_may_is_of_the_house_and_nobody_is_by_saying_so() {
        let (mut seen, now) = (Seen::default(), Instant::now());
        seen.note("here.lent", &sign("a", "1", Class::House), now);
        seen.note("here.nobody", &sign("b", "1", Class::House), now);
        assert!(
            !seen.is_anybody("1", Class::House, SILENT, now)
                && seen.is_anybody("1", Class::Lent, SILENT, now)
        );
        seen.note("here.house", &sign("c", "1", Class::Lent), now);
        assert!(seen.is_anybody("1", Class::House, SILENT, now));
        assert!(!seen.is_anybody("2", Class::Lent, SILENT, now), "another build");
        let classes: Vec<Class> = seen.here(now).into_iter().map(|one| one.class).collect();
        assert_eq!(classes, [Class::Lent, Class::House]);
    }

    #[test]
    fn who_is_silent_is_nobody_soon_and_forgotten_later() {
        let (mut seen, begin) = (Seen::default(), Instant::now());
        seen.note("here.lent", &sign("a", "1", Class::Lent), begin);
        let later = begin + SILENT + Duration::from_millis(1);
        assert!(!seen.is_anybody("1", Class::Lent, SILENT, later));
        assert_eq!(seen.here(later)[0].heard, later - begin);
        assert!(seen.here(begin + FORGOTTEN + Duration::from_millis(1)).is_empty());
    }

    #[test]
    fn many_names_and_odd_ones_fill_nothing() {
        let (mut seen, now) = (Seen::default(), Instant::now());
        for at in 0..2 * MOST {
            seen.note("here.lent", &sign(&format!("{at} {}", "x".repeat(5_000)), "1", Class::Lent), now);
        }
        assert_eq!(seen.here(now).len(), MOST);
        assert!(seen.here(now).iter().all(|one| one.process.len() < 200));
        let later = now + SILENT + Duration::from_millis(1);
        seen.note("here.lent", &sign("<b>\u{1b}[31m\u{202e}evil", "1\n2", Class::Lent), later);
        let here = seen.here(later);
        assert_eq!(here.len(), 1, "the silent ones have made room");
        assert_eq!((here[0].process.as_str(), here[0].build.as_str()), ("?b???31m?evil", "1?2"));
    }
}
