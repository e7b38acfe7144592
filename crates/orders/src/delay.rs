//! How long an answer waits, so that its time tells nothing.

use std::time::Duration;

use sha2::{Digest, Sha256};

/// How fast a match is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tempo {
    /// In one sitting: 1 to 4 seconds.
    Sitting,
    /// Over days: 20 to 90 seconds.
    Days,
}

/// How long the answer to the question after `step` steps waits, whoever gives it: an order, a stand-in or a bot.
///
/// It follows from the match and the step alone and never from what is answered. `match_key` should hold something that the
/// players do not know beside the match's id: whoever could compute the delay could tell an order from its person.
///
/// ```
/// use orders::{Tempo, delay};
/// let waits = delay(b"match 7, house secret", 12, Tempo::Sitting);
/// assert_eq!(waits, delay(b"match 7, house secret", 12, Tempo::Sitting));
/// assert!((1_000..=4_000).contains(&waits.as_millis()));
/// ```
pub fn delay(match_key: &[u8], step: usize, tempo: Tempo) -> Duration {
    let mut hash = Sha256::new();
    hash.update(b"maproom delay of an answer");
    hash.update((match_key.len() as u64).to_be_bytes());
    hash.update(match_key);
    hash.update((step as u64).to_be_bytes());
    let digest = hash.finalize();
    let drawn = digest.iter().take(8).fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let (least, most) = match tempo {
        Tempo::Sitting => (1_000, 4_000),
        Tempo::Days => (20_000, 90_000),
    };
    Duration::from_millis(least + drawn % (most - least + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_spread_over_their_whole_range() {
        for (tempo, least, most) in [(Tempo::Sitting, 1_000, 4_000), (Tempo::Days, 20_000, 90_000)] {
            let all: Vec<u128> = (0..10_000).map(|step| delay(b"one", step, tempo).as_millis()).collect();
            assert!(all.iter().all(|ms| (least..=most).contains(ms)));
            let mean = all.iter().sum::<u128>() / 10_000;
            assert!(mean.abs_diff(u128::midpoint(least, most)) < (most - least) / 50, "{mean}");
        }
    }

    #[test]
    fn another_match_or_step_waits_differently() {
        let first = delay(b"one", 1, Tempo::Days);
        assert_ne!(first, delay(b"one", 2, Tempo::Days));
        assert_ne!(first, delay(b"two", 1, Tempo::Days));
    }
}
