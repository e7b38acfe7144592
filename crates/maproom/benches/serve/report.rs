//! Figures and the table that shows them.

use std::time::Duration;

/// Times of one kind.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    pub fn extend(&mut self, more: &Self) {
        self.0.extend_from_slice(&more.0);
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The time that this part (in thousandths) of all stay below.
    pub fn at(&mut self, thousandths: usize) -> Duration {
        self.0.sort_unstable();
        let last = self.0.len().saturating_sub(1);
        self.0.get((self.0.len() * thousandths / 1000).min(last)).copied().unwrap_or_default()
    }

    /// Median, 99th percentile and the longest, in words.
    pub fn words(&mut self) -> String {
        let (half, most, all) = (self.at(500), self.at(990), self.at(1000));
        format!("p50 {:>7}  p99 {:>7}  max {:>7}", ms(half), ms(most), ms(all))
    }
}

impl FromIterator<Duration> for Times {
    fn from_iter<I: IntoIterator<Item = Duration>>(times: I) -> Self {
        Self(times.into_iter().collect())
    }
}

/// A time in milliseconds.
pub fn ms(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// Prints a heading.
pub fn heading(text: &str) {
    println!("\n{text}");
}

/// Prints a row: what, the figures, and whether the bar is held.
pub fn row(what: &str, figures: &str, bar: Option<(&str, bool)>) {
    let verdict = bar
        .map_or_else(String::new, |(bar, held)| format!("{bar}: {}", if held { "held" } else { "NOT HELD" }));
    println!("  {what:<42} {figures:<52} {verdict}");
}
