//! The depth of a review.

use kernel::{Actor, CompleteGame, Match};

/// The depth of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quality {
    /// Playouts for the whole match; every estimate takes at least one, so that a long match takes more than very few.
    pub playouts: u64,
    /// Threads; what is found does not depend on them.
    pub threads: usize,
}

/// A preset: its name, a sentence, and its multiple of the normal playouts.
const PRESETS: [(&str, &str, f64); 3] = [
    ("quick", "luck, and the worst mistakes", 0.2),
    ("normal", "luck, and the mistakes that mattered", 1.0),
    ("deep", "also smaller mistakes; takes eight times as long", 8.0),
];

impl Quality {
    /// The name of the default preset.
    pub const DEFAULT: &'static str = "normal";

    /// The names of the presets, each with a sentence.
    pub fn words() -> impl Iterator<Item = (&'static str, &'static str)> {
        PRESETS.into_iter().map(|(word, about, _)| (word, about))
    }

    /// The preset with this name for a match, with all cores. The game sets the number of playouts
    /// ([`Tuning::review`](kernel::Tuning)).
    pub fn for_match<G: CompleteGame>(of: &Match<G>, word: &str) -> Option<Self> {
        let (.., effort) = PRESETS.into_iter().find(|(known, ..)| *known == word)?;
        let decisions =
            of.log().iter().filter(|step| matches!(step.actor, Actor::Seat(_)) && !step.forced).count();
        let playouts = effort * f64::from(of.game().tuning().review) * decisions.max(1) as f64;
        Some(Self { playouts: playouts as u64, threads: workers::cores() })
    }

    /// The playouts of the deepest preset for a match.
    pub fn most_playouts<G: CompleteGame>(of: &Match<G>) -> u64 {
        let presets = PRESETS.into_iter().filter_map(|(word, ..)| Self::for_match(of, word));
        presets.map(|quality| quality.playouts).max().unwrap_or_default()
    }

    /// The same on so many threads.
    #[must_use]
    pub const fn on_threads(self, threads: usize) -> Self {
        Self { playouts: self.playouts, threads }
    }
}
