//! Waiting for a future on a thread that may wait.
//!
//! The connections live on the store's own thread; what a client sends them and gets back needs no runtime here. So the store
//! can be called from any thread, also from one that belongs to another runtime.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Instant;

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// What a future comes to; `None` if it has not by then.
pub(crate) fn wait<F: Future>(future: F, until: Instant) -> Option<F::Output> {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return Some(output);
        }
        thread::park_timeout(until.checked_duration_since(Instant::now())?);
    }
}

/// Sends what a future sends when it is first looked at, and does not wait for the answer.
pub(crate) fn begin<F: Future>(future: F) {
    let mut future = pin!(future);
    let _ = future.as_mut().poll(&mut Context::from_waker(Waker::noop()));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn waits_until_it_is_there_or_too_late() {
        let now = Instant::now();
        assert_eq!(wait(async { 7 }, now), Some(7));
        assert_eq!(wait(std::future::pending::<()>(), now + Duration::from_millis(20)), None);
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let other = thread::spawn(move || sender.send(8));
        assert_eq!(wait(receiver, now + Duration::from_secs(60)), Some(Ok(8)));
        other.join().expect("no panic").expect("sent");
    }
}
