//! Long computations on their own threads, so that neither requests nor the shutdown wait for them.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::oneshot;
use workers::WorkerPanic;

/// Why work on a thread has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadError {
    /// No thread could be started.
    NoThread,
    /// The work panicked.
    Panicked(WorkerPanic),
}

impl fmt::Display for ThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoThread => f.write_str("no thread could be started"),
            Self::Panicked(why) => why.fmt(f),
        }
    }
}

/// Tells work on a thread that nobody waits for it any more.
#[derive(Default)]
pub struct StopOnDrop(pub Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs something on its own thread and waits for it. The work starts at once.
pub fn on_own_thread<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T, ThreadError>> + Send + Unpin + 'static {
    let (say, said) = oneshot::channel();
    let thread = std::thread::Builder::new().name(name.to_owned());
    let begun = thread.spawn(move || {
        let done = workers::caught(work);
        drop(say.send(done));
    });
    drop(begun);
    Box::pin(async move {
        // If no thread could be started, the sender is dropped with the work.
        said.await.map_err(|_| ThreadError::NoThread)?.map_err(ThreadError::Panicked)
    })
}

/// The same at low priority.
pub fn in_background<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T, ThreadError>> + Send + Unpin + 'static {
    on_own_thread(name, move || {
        step_back();
        work()
    })
}

/// Lowers the priority of this thread and those that it starts.
pub fn step_back() {
    // Linux takes "this process" for "this thread". Elsewhere it would be the whole program, which is the last to step back.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}
