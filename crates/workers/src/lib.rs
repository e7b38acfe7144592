//! Work on several threads.
//!
//! Every task has a number. Threads take the next number from a shared counter until none is left, `stop` is set, or a
//! task panics. Results come in the order of the tasks, so that the number of threads changes nothing but the time.
//!
//! The calling thread works as well: one thread means no other thread, and where the system gives no more threads the work is
//! done all the same. A task that panics ends the work, and the caller gets its message as a [`WorkerPanic`].

mod panic;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

pub use panic::{WorkerPanic, caught};

/// How work is watched and stopped from outside.
#[derive(Debug, Default)]
pub struct Progress {
    /// Set it to stop soon.
    pub stop: AtomicBool,
    /// How much is done.
    pub done: AtomicU64,
    /// How much there is to do, as far as that is known.
    pub total: AtomicU64,
}

impl Progress {
    /// Asks the work to stop soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked the work to stop.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How much of it is done, from 0 to 1.
    pub fn fraction(&self) -> f64 {
        let total = self.total.load(Ordering::Relaxed);
        if total == 0 { 0.0 } else { (self.done.load(Ordering::Relaxed) as f64 / total as f64).min(1.0) }
    }

    /// Notes that so much more is done.
    pub fn advance(&self, more: u64) {
        self.done.fetch_add(more, Ordering::Relaxed);
    }
}

/// How many threads this machine runs at the same time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Runs the tasks `0..tasks` on up to so many threads and returns each thread's data, in no particular order.
///
/// `begin` creates a thread's data: buffers, running totals. Tasks that are under way when `stop` is set
/// are finished; no further ones are begun.
pub fn share_out<S: Send>(
    threads: usize,
    tasks: u64,
    stop: &AtomicBool,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, u64) + Sync,
) -> Result<Vec<S>, WorkerPanic> {
    let next = AtomicU64::new(0);
    let broken: Mutex<Option<(u64, WorkerPanic)>> = Mutex::new(None);
    let has_broken = AtomicBool::new(false);
    let note = |task: u64, panic: WorkerPanic| {
        has_broken.store(true, Ordering::Relaxed);
        let mut broken = broken.lock().unwrap_or_else(PoisonError::into_inner);
        // Of several the first in the order of the tasks.
        if broken.as_ref().is_none_or(|(known, _)| task < *known) {
            *broken = Some((task, panic));
        }
    };
    let labour = || {
        let mut kept = caught(&begin).map_err(|panic| note(0, panic)).ok()?;
        while !stop.load(Ordering::Relaxed) && !has_broken.load(Ordering::Relaxed) {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= tasks {
                break;
            }
            if let Err(panic) = caught(|| work(&mut kept, task)) {
                note(task, panic);
            }
        }
        Some(kept)
    };
    let helpers = threads.max(1).min(usize::try_from(tasks).unwrap_or(usize::MAX).max(1)) - 1;
    let mut kept = Vec::with_capacity(helpers + 1);
    std::thread::scope(|scope| {
        let spawn = |_| Builder::new().name("worker".to_owned()).spawn_scoped(scope, labour);
        // Where the system gives no more threads those that there are do the work.
        let others: Vec<_> = (0..helpers).map_while(|at| spawn(at).ok()).collect();
        kept.extend(labour());
        for other in others {
            match other.join() {
                Ok(part) => kept.extend(part),
                Err(payload) => note(0, WorkerPanic::of(&*payload)),
            }
        }
    });
    match broken.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((_, panic)) => Err(panic),
        None => Ok(kept),
    }
}

/// Runs the tasks `0..tasks` on up to so many threads; the results are in the order of the tasks. Once `stop` is set no further
/// task is begun, and those that were not are not among the results.
pub fn map_numbers<R: Send>(
    threads: usize,
    tasks: u64,
    stop: &AtomicBool,
    work: impl Fn(u64) -> R + Sync,
) -> Result<Vec<R>, WorkerPanic> {
    let parts = share_out(threads, tasks, stop, Vec::new, |kept, task| kept.push((task, work(task))))?;
    let mut results: Vec<(u64, R)> = parts.into_iter().flatten().collect();
    results.sort_unstable_by_key(|(task, _)| *task);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

/// Maps a list on up to so many threads; the results are in the order of the list.
pub fn map<T: Sync, R: Send>(
    threads: usize,
    list: &[T],
    work: impl Fn(usize, &T) -> R + Sync,
) -> Result<Vec<R>, WorkerPanic> {
    map_numbers(threads, list.len() as u64, &AtomicBool::new(false), |task| {
        let at = task as usize;
        work(at, &list[at])
    })
}

/// The same for a list whose items change by the work.
pub fn map_mut<T: Send, R: Send>(
    threads: usize,
    list: &mut [T],
    work: impl Fn(usize, &mut T) -> R + Sync,
) -> Result<Vec<R>, WorkerPanic> {
    // Each number is handed out once, so nobody ever waits for these locks.
    let items: Vec<Mutex<&mut T>> = list.iter_mut().map(Mutex::new).collect();
    map(threads, &items, |at, item| work(at, &mut item.lock().unwrap_or_else(PoisonError::into_inner)))
}

#[cfg(test)]
mod tests {
    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    #[test]
    fn results_come_in_the_order_of_the_tasks_whatever_the_threads() {
        let list: Vec<u64> = (0..500).collect();
        let doubled: Vec<u64> = list.iter().map(|n| n * 2).collect();
        for threads in [0, 1, 2, 7, 1000] {
            assert_eq!(map(threads, &list, |_, n| n * 2).expect("no task fails"), doubled);
            assert_eq!(map_numbers(threads, 500, &NEVER, |n| n * 2).expect("no task fails"), doubled);
            let mut changed = list.clone();
            let before = map_mut(threads, &mut changed, |at, n| {
                let before = *n;
                *n += at as u64;
                before
            });
            assert_eq!(before.expect("no task fails"), list);
            assert_eq!(changed, doubled);
        }
        assert!(map(4, &[] as &[u8], |_, _| ()).expect("no task fails").is_empty());
    }

    #[test]
    fn what_threads_keep_adds_up_to_all_tasks() {
        for threads in [1, 3] {
            let kept = share_out(threads, 10_000, &NEVER, || 0, |sum: &mut u64, task| *sum += task);
            assert_eq!(kept.expect("no task fails").iter().sum::<u64>(), 49_995_000);
        }
    }

    #[test]
    fn a_task_that_panics_ends_the_work_and_its_message_is_told() {
        for threads in [1, 4] {
            // So many tasks would never come to an end.
            let broken = share_out(
                threads,
                u64::MAX,
                &NEVER,
                || (),
                |(): &mut (), task| {
                    assert!(task != 20, "task {task} met a bad position");
                },
            );
            let told = broken.expect_err("a task fails").to_string();
            assert!(told.contains("task 20 met a bad position"), "{told}");
        }
    }

    #[test]
    fn of_several_panics_the_first_in_order_is_told() {
        // Every task waits until all have begun, so that all of them fail.
        let all = std::sync::Barrier::new(3);
        let broken = map_numbers(3, 3, &NEVER, |task| {
            all.wait();
            panic!("task {task}");
        });
        assert!(broken.map(|_: Vec<()>| ()).expect_err("all fail").to_string().contains("task 0"));
    }

    #[test]
    fn a_panic_before_the_first_task_is_told_too() {
        let broken = share_out(2, 5, &NEVER, || panic!("no room"), |(): &mut (), _| ());
        assert!(broken.expect_err("it fails").to_string().contains("no room"));
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        for threads in [1, 4] {
            let progress = Progress::default();
            let results = map_numbers(threads, u64::MAX, &progress.stop, |task| {
                progress.advance(1);
                if task == 100 {
                    progress.stop();
                }
                task
            })
            .expect("no task fails");
            assert!(progress.is_stopped() && results.len() > 100);
            assert_eq!(progress.done.load(Ordering::Relaxed), results.len() as u64);
            // Numbers are handed out in order, so no gap is left before the last.
            assert!(results.iter().zip(0..).all(|(result, at)| *result == at));
        }
    }
}
