//! A small server on loopback. The tests of other crates use it too.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

/// A server that answers one connection after another until it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    thread: Option<JoinHandle<()>>,
    over: Arc<Mutex<bool>>,
}

impl Server {
    pub(crate) fn start(answer: impl Fn(TcpStream) + Send + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let over = Arc::new(Mutex::new(false));
        let theirs = Arc::clone(&over);
        let thread = thread::spawn(move || {
            for connection in listener.incoming() {
                if *lock(&theirs) {
                    return;
                }
                answer(connection.unwrap());
            }
        });
        Server { address, thread: Some(thread), over }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        *lock(&self.over) = true;
        // Wakes the server, which waits for a connection.
        let woken = TcpStream::connect(self.address);
        if let (Ok(_), Some(thread)) = (woken, self.thread.take()) {
            thread.join().unwrap();
        }
    }
}

/// The value of a mutex, whatever has happened to its holder.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
