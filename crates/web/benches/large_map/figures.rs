//! Figures and how they are printed.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Times of one thing, round by round.
#[derive(Default)]
pub struct Rounds(Vec<Vec<Duration>>);

impl Rounds {
    /// A round is over.
    pub fn add(&mut self, mut round: Vec<Duration>) {
        round.sort_unstable();
        self.0.push(round);
    }

    /// The median and the 99th percentile of the round with the best median, and the median of the worst.
    pub fn words(&mut self) -> String {
        self.0.sort_by_key(|round| part(round, 500));
        let (best, worst) = (self.0.first(), self.0.last());
        let ms = |round: Option<&Vec<Duration>>, of| {
            round.map_or(f64::NAN, |round| part(round, of).as_secs_f64() * 1e3)
        };
        let (half, most, worst) = (ms(best, 500), ms(best, 990), ms(worst, 500));
        format!("p50 {half:7.2} ms  p99 {most:7.2} ms  (worst round: p50 {worst:.2} ms)")
    }
}

/// The one of sorted things that this part of them, in thousandths, stay below.
fn part<T: Copy + Default>(sorted: &[T], thousandths: usize) -> T {
    let last = sorted.len().saturating_sub(1);
    sorted.get((sorted.len() * thousandths / 1_000).min(last)).copied().unwrap_or_default()
}

/// Sizes in words: median and largest.
pub fn sizes(sizes: &mut [usize]) -> String {
    sizes.sort_unstable();
    format!("p50 {} KB  max {} KB", kb(part(sizes, 500)), kb(part(sizes, 1_000)))
}

/// Thousands of bytes.
pub fn kb(bytes: usize) -> String {
    format!("{:.1}", bytes as f64 / 1e3)
}

/// The best and the median time of something that is done several times over.
pub fn timed<T>(times: usize, mut work: impl FnMut() -> T) -> String {
    let mut all: Vec<Duration> = (0..times)
        .map(|_| {
            let begun = Instant::now();
            black_box(work());
            begun.elapsed()
        })
        .collect();
    best_and_median(&mut all)
}

/// The best and the median of some times.
pub fn best_and_median(all: &mut [Duration]) -> String {
    all.sort_unstable();
    let ms = |of| part(all, of).as_secs_f64() * 1e3;
    format!("best {:8.3} ms  median {:8.3} ms", ms(0), ms(500))
}

/// Prints a heading.
pub fn heading(text: &str) {
    println!("\n{text}");
}

/// Prints a row.
pub fn row(what: &str, figures: &str) {
    println!("  {what:<46} {figures}");
}
