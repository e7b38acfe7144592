//! Work that takes long and computes: on a thread of its own, so that neither requests nor the end of the program wait for it.

use std::fmt;

use tokio::sync::oneshot;
use workers::WorkerPanic;

/// Why work on a thread of its own has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ThreadError {
    /// The system gave no thread.
    NoThread,
    /// The work met a fault of the program.
    Panicked(WorkerPanic),
}

impl fmt::Display for ThreadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoThread => f.write_str("the system gave no thread"),
            Self::Panicked(why) => why.fmt(f),
        }
    }
}

/// Does something on a thread of its own, and waits for it. The work begins at once, whether or not somebody waits.
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
        // Where there is no thread the sender is dropped with the work.
        said.await.map_err(|_| ThreadError::NoThread)?.map_err(ThreadError::Panicked)
    })
}

/// The same for what nobody waits for in earnest: everything else goes first.
pub fn in_background<T: Send + 'static>(
    name: &'static str,
    work: impl FnOnce() -> T + Send + 'static,
) -> impl Future<Output = Result<T, ThreadError>> + Send + Unpin + 'static {
    on_own_thread(name, move || {
        step_back();
        work()
    })
}

/// Lets other threads go before this one and those that it starts.
fn step_back() {
    // Linux takes "this process" for "this thread". Elsewhere it would be the whole program, which is the last to step back.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 10);
}
