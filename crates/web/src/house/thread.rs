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
