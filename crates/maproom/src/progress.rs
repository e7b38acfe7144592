//! Long work: a bar on the terminal shows how far it is, and Ctrl-C stops it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use workers::Progress;

/// The most threads that make sense anywhere.
const MAX_THREADS: usize = 1_024;
/// How often the bar is drawn. More often at first, so that a short work is not held up by its bar.
const LOOK_EVERY: Duration = Duration::from_millis(50);
const LOOK_AT_FIRST: Duration = Duration::from_millis(2);
const AT_FIRST: Duration = Duration::from_millis(200);

/// How many threads: so many, or one for each core.
pub fn threads(asked: Option<usize>) -> Result<usize, String> {
    match asked {
        Some(0) => Err("--threads 0: at least one thread is needed".to_owned()),
        Some(threads) => Ok(threads.min(MAX_THREADS)),
        None => Ok(workers::cores()),
    }
}

/// Work that Ctrl-C stops.
pub struct Stoppable {
    /// How far it is.
    pub progress: Arc<Progress>,
    interrupted: Arc<AtomicBool>,
}

impl Stoppable {
    /// From now on Ctrl-C asks the work to stop. Once in a program.
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

    /// Whether it was Ctrl-C that stopped the work, and nothing else.
    pub fn was_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Does the work beside a bar that counts `units`, and says how long it took. A panic becomes an error.
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
            // The time is taken where the work is done: this thread only looks in now and then.
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
        assert_eq!(threads(Some(0)).map_err(|why| why.contains("at least one")), Err(true));
        assert_eq!(threads(Some(3)), Ok(3));
        assert!(threads(None).is_ok_and(|threads| threads > 0));
    }
}
