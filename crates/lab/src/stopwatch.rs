//! Two clocks at once: the one on the wall, and the one that only runs while this thread has a processor. On a machine that does
//! something else besides, the second still tells what the work costs.

use std::time::{Duration, Instant};

/// Time since some work began.
#[derive(Clone, Copy, Debug)]
pub struct Stopwatch {
    began: Instant,
    processor: Option<Duration>,
}

/// How long some work took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Took {
    /// By the clock on the wall.
    pub wall: Duration,
    /// On the processor, where the system tells.
    pub processor: Option<Duration>,
}

impl Stopwatch {
    /// Work begins, on this thread.
    pub fn start() -> Self {
        Self { began: Instant::now(), processor: processor_time() }
    }

    /// How long it has taken so far, on the same thread.
    pub fn read(&self) -> Took {
        let now = processor_time();
        Took {
            wall: self.began.elapsed(),
            processor: now.zip(self.processor).map(|(now, began)| now.saturating_sub(began)),
        }
    }
}

impl Took {
    /// The less of both, each by itself: other work on the machine makes work slower, never faster.
    #[must_use]
    pub fn best(self, other: Self) -> Self {
        let processor = self.processor.zip(other.processor).map(|(one, other)| one.min(other));
        Self { wall: self.wall.min(other.wall), processor }
    }

    /// On the processor, or by the clock on the wall where the system does not tell.
    pub fn worked(self) -> Duration {
        self.processor.unwrap_or(self.wall)
    }
}

/// How long this thread has had a processor.
#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(Duration::new(time.tv_sec.try_into().ok()?, time.tv_nsec.try_into().ok()?))
}

/// How long this thread has had a processor: not told here.
#[cfg(not(unix))]
const fn processor_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_waits_has_no_processor_and_who_works_has() {
        let watch = Stopwatch::start();
        let (sender, receiver) = std::sync::mpsc::channel::<()>();
        // Nobody sends: this thread only waits.
        let waited = Duration::from_millis(40);
        assert!(receiver.recv_timeout(waited).is_err());
        drop(sender);
        let took = watch.read();
        assert!(took.wall >= waited);
        if let Some(processor) = took.processor {
            assert!(processor < took.wall, "{took:?}");
            let mut number = 1_u64;
            while watch.read().processor == Some(processor) {
                number = std::hint::black_box(number.wrapping_mul(3));
            }
        }
    }

    #[test]
    fn the_best_of_two_is_the_less_of_each_clock() {
        let took = |wall, processor| Took {
            wall: Duration::from_millis(wall),
            processor: Some(Duration::from_millis(processor)),
        };
        assert_eq!(took(9, 4).best(took(7, 5)), took(7, 4));
        assert_eq!(took(9, 4).worked(), Duration::from_millis(4));
        let untold = Took { wall: Duration::from_millis(8), processor: None };
        assert_eq!(untold.best(took(9, 4)).processor, None);
        assert_eq!(untold.worked(), Duration::from_millis(8));
    }
}
