//! Work that takes long and computes: on a thread of its own, so that neither requests nor the end of the program wait for it.

use tokio::sync::oneshot;

/// Does something on a thread of its own. Where there is no thread to be had, or the work breaks down, the answer is that the
/// sender is gone.
pub fn on_own_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> oneshot::Receiver<T> {
    let (say, said) = oneshot::channel();
    let thread = std::thread::Builder::new().name(name.to_owned());
    drop(thread.spawn(move || drop(say.send(work()))));
    said
}

/// The same for what nobody waits for in earnest: everything else goes first.
pub fn in_background<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> oneshot::Receiver<T> {
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
