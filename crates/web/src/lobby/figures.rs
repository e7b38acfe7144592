//! Figures for whoever watches over a server: how many choices were written, how long that took, and how much waits.

use std::fmt::Write as _;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use store::{AppendOutcome, StoreError};

use super::Lobby;

/// The upper bounds of the times that are told apart, in milliseconds.
const BOUNDS: [u64; 11] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 5_000];
/// The most deadlines that are counted as late.
const MOST_LATE: usize = 1_000;
/// How late a deadline is when somebody should look: they are looked at every second.
const LATE: u64 = 5_000;
/// How long the store may take to say that it is there.
const PATIENCE: Duration = Duration::from_secs(3);

/// What became of a change that was to be written.
const OUTCOMES: [&str; 6] = ["written", "repeated", "stale", "missing", "failed", "unknown"];

/// What was counted since the server started.
#[derive(Default)]
pub(super) struct Figures {
    outcomes: [AtomicU64; OUTCOMES.len()],
    /// Those up to each bound; the last is for all that took longer.
    times: [AtomicU64; BOUNDS.len() + 1],
    micros: AtomicU64,
}

impl Figures {
    /// Counts a change and how long the store took.
    pub(super) fn note(&self, outcome: &Result<AppendOutcome, StoreError>, took: Duration) {
        let which = match outcome {
            Ok(AppendOutcome::Written) => 0,
            Ok(AppendOutcome::Repeated(_)) => 1,
            Ok(AppendOutcome::Conflict) => 2,
            Ok(AppendOutcome::Missing) => 3,
            Err(StoreError::Unknown { .. }) => 5,
            Err(_) => 4,
        };
        self.outcomes[which].fetch_add(1, Ordering::Relaxed);
        let place = BOUNDS.iter().position(|bound| took <= Duration::from_millis(*bound));
        self.times[place.unwrap_or(BOUNDS.len())].fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    fn tell(&self, text: &mut Text) {
        text.about(
            "maproom_changes_total",
            "counter",
            "Changes of matches that were to be written, by what became of them.",
        );
        for (word, count) in OUTCOMES.iter().zip(&self.outcomes) {
            text.line(&format!("maproom_changes_total{{outcome=\"{word}\"}}"), count.load(Ordering::Relaxed));
        }
        text.about(
            "maproom_append_seconds",
            "histogram",
            "How long a change waited until the store had answered.",
        );
        let mut sum = 0;
        for (place, count) in self.times.iter().enumerate() {
            sum += count.load(Ordering::Relaxed);
            let bound = BOUNDS.get(place).map_or("+Inf".to_owned(), |bound| seconds(bound * 1_000));
            text.line(&format!("maproom_append_seconds_bucket{{le=\"{bound}\"}}"), sum);
        }
        text.line("maproom_append_seconds_sum", seconds(self.micros.load(Ordering::Relaxed)));
        text.line("maproom_append_seconds_count", sum);
    }
}

fn seconds(micros: u64) -> String {
    (micros as f64 / 1_000_000.0).to_string()
}

/// The text format of Prometheus, version 0.0.4.
#[derive(Default)]
struct Text(String);

impl Text {
    fn about(&mut self, name: &str, kind: &str, help: &str) {
        let _ = writeln!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn line(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{name} {value}");
    }

    fn gauge(&mut self, name: &str, help: &str, value: impl std::fmt::Display) {
        self.about(name, "gauge", help);
        self.line(name, value);
    }
}

impl Lobby {
    /// Whether the store answers. Nobody can choose while it does not.
    pub async fn is_well(&self) -> bool {
        let asked = self.with_store(|store| store.setting("alive"));
        tokio::time::timeout(PATIENCE, asked).await.is_ok_and(|answer| answer.is_ok())
    }

    /// All figures in the text format of Prometheus. Nothing in them is about one match or one person.
    pub async fn figures(&self) -> String {
        let mut text = Text::default();
        text.about("maproom_build_info", "gauge", "Which Maproom this is.");
        text.line(&format!("maproom_build_info{{version=\"{}\"}}", env!("CARGO_PKG_VERSION")), 1);
        text.gauge(
            "maproom_started_seconds",
            "When the server started, in seconds since 1970.",
            self.house.started() / 1_000,
        );
        self.figures.tell(&mut text);
        text.gauge("maproom_appends_waiting", "Changes that wait to be written.", self.writer.waiting());
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner).len();
        text.gauge("maproom_matches_in_memory", "Matches that are held in memory.", live);
        if let Some(sharing) = &self.sharing {
            let help = "Matches whose bots and orders this server looks after.";
            text.gauge("maproom_drives", help, sharing.drives.count());
            let help = "How far the clock that the house goes by is ahead of the machine's, in seconds.";
            text.gauge("maproom_clock_ahead_seconds", help, self.house.source().ahead() as f64 / 1_000.0);
        }
        let now = self.now();
        let late = self.with_store(move |store| store.deadlines(now.saturating_sub(LATE), MOST_LATE)).await;
        text.gauge("maproom_store_up", "Whether the store answers.", u8::from(late.is_ok()));
        if let Ok(late) = late {
            let help =
                "Deadlines that ran out more than five seconds ago and were not looked at, at most 1000.";
            text.gauge("maproom_deadlines_late", help, late.len());
        }
        text.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_add_up_from_bound_to_bound() {
        let figures = Figures::default();
        for millis in [0, 1, 3, 30, 10_000] {
            figures.note(&Ok(AppendOutcome::Written), Duration::from_millis(millis));
        }
        figures.note(&Ok(AppendOutcome::Conflict), Duration::ZERO);
        figures.note(&Err(StoreError::Unknown { place: String::new() }), Duration::ZERO);
        figures.note(&Err(StoreError::Overloaded), Duration::ZERO);
        let mut text = Text::default();
        figures.tell(&mut text);
        for line in [
            "maproom_changes_total{outcome=\"written\"} 5",
            "maproom_changes_total{outcome=\"stale\"} 1",
            "maproom_changes_total{outcome=\"unknown\"} 1",
            "maproom_changes_total{outcome=\"failed\"} 1",
            "maproom_append_seconds_bucket{le=\"0.001\"} 5",
            "maproom_append_seconds_bucket{le=\"0.005\"} 6",
            "maproom_append_seconds_bucket{le=\"5\"} 7",
            "maproom_append_seconds_bucket{le=\"+Inf\"} 8",
            "maproom_append_seconds_sum 10.034",
            "maproom_append_seconds_count 8",
        ] {
            assert!(text.0.lines().any(|told| told == line), "{line} is not in\n{}", text.0);
        }
    }
}
