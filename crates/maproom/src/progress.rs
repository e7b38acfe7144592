//! A progress bar for long work, which Ctrl-C stops.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use workers::Progress;

/// The most threads allowed.
const MAX_THREADS: usize = 1_024;
/// How often the bar is drawn; more often at first, so that short work is not delayed.
const LOOK_EVERY: Duration = Duration::from_millis(50);
const LOOK_AT_FIRST: Duration = Duration::from_millis(2);
const AT_FIRST: Duration = Duration::from_millis(200);

/// The number of threads: as given, or one per core.
pub fn threads(asked: Option<usize>) -> Result<usize, String> {
    match asked {
        Some(0) => Err("--threads 0: must be at least 1".to_owned()),
        Some(threads) => Ok(threads.min(MAX_THREADS)),
        None => Ok(workers::cores()),
    }
}

/// Work that Ctrl-C stops.
pub struct Stoppable {
    /// Its progress.
    pub progress: Arc<Progress>,
    interrupted: Arc<AtomicBool>,
}

impl Stoppable {
    /// From now on Ctrl-C stops the work. Call it once per program.
    pub fn by_ctrl_c() -> Result<Self, String> {
        let own = Self { progress: Arc::default(), interrupted: Arc::default() };
        let (progress, interrupted) = (Arc::clone(&own.progress), Arc::clone(&own.interrupted));
        let heard = move || {
            interrupted.store(true, Ordering::Relaxed);
            progress.stop();
        };
        ctrlc::set_handler(heard).map_err(|why| format!("can't listen for Ctrl-C: {why}"))?;
        Ok(own)
    }

    /// Whether Ctrl-C stopped the work.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Does the work with a bar that counts `units`, and returns how long it took. A panic becomes an error.
    pub fn run<T: Send>(
        &self,
        units: &str,
        work: impl FnOnce(&Progress) -> T + Send,
    ) -> Result<(T, Duration), String> {
        let progress = &*self.progress;
        let bar = ProgressBar::new(progress.total.load(Ordering::Relaxed));
        let template =
            format!("{{bar:40}} {{human_pos}} of {{human_len}} {units}, {{per_sec}}, {{eta}} left");
        if let Ok(style) = ProgressStyle::with_template(&template) {
            bar.set_style(style);
        }
        let begin = Instant::now();
        let done = std::thread::scope(|scope| {
            // Measured where the work is done: this thread only polls.
            let work = scope.spawn(|| workers::caught(|| (work(progress), begin.elapsed())));
            while !work.is_finished() {
                bar.set_length(progress.total.load(Ordering::Relaxed));
                bar.set_position(progress.done.load(Ordering::Relaxed));
                std::thread::sleep(if begin.elapsed() < AT_FIRST { LOOK_AT_FIRST } else { LOOK_EVERY });
            }
            work.join().unwrap_or_else(|payload| Err(workers::WorkerPanic::of(&*payload)))
        });
        bar.finish_and_clear();
        done.map_err(|panic| panic.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_gives_its_result_and_a_panic_is_an_error() {
        let own = Stoppable { progress: Arc::default(), interrupted: Arc::default() };
        assert_eq!(own.run("games", Progress::is_stopped).map(|(stopped, _)| stopped), Ok(false));
        let broken = own.run("games", |_| panic!("a bad position")).map(|((), _)| ());
        assert!(broken.is_err_and(|why| why.contains("a bad position")));
        assert_eq!(threads(Some(0)).map_err(|why| why.contains("at least 1")), Err(true));
        assert_eq!(threads(Some(3)), Ok(3));
        assert!(threads(None).is_ok_and(|threads| threads > 0));
    }
}
