//! A machine that has other things to do: a busy loop on every core.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Busy loops that run until this is dropped. They are threads, so that they end with the program, however it ends.
pub struct Busy {
    ended: Arc<AtomicBool>,
    loops: Vec<JoinHandle<()>>,
}

impl Busy {
    /// Begins a loop on every core.
    pub fn begin() -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        println!("== beside {cores} busy loops");
        let ended = Arc::new(AtomicBool::new(false));
        let run = |ended: Arc<AtomicBool>| {
            move || {
                let mut count = 0_u64;
                while !ended.load(Ordering::Relaxed) {
                    count = black_box(count.wrapping_add(1));
                }
            }
        };
        let loops = (0..cores).map(|_| thread::spawn(run(Arc::clone(&ended)))).collect();
        Self { ended, loops }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        for each in self.loops.drain(..) {
            drop(each.join());
        }
    }
}
