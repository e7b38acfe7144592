//! Who meets whom in a pool, on which side, in which round.

use std::fmt;

/// The largest pool: beyond it a round-robin has more matches than anybody finishes.
pub const MOST_IN_A_POOL: usize = 24;

/// How often the same people meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// Once; everybody has each side as often as another, as far as the number of matches allows.
    Balanced,
    /// Once on every side.
    Changed,
}

/// Why there are no pairings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairingError {
    /// Fewer players than a match has seats.
    TooFew,
    /// More players than [`MOST_IN_A_POOL`].
    TooMany,
    /// Pairings are made for two or three seats.
    Seats,
}

impl fmt::Display for PairingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew => f.write_str("the pool has fewer players than a match has seats"),
            Self::TooMany => write!(f, "a pool has at most {MOST_IN_A_POOL} players"),
            Self::Seats => f.write_str("pools are for games of two or three seats"),
        }
    }
}

impl std::error::Error for PairingError {}

/// The rounds of a round-robin: each a list of matches, each match the players (from 0) in the order of the seats. Nobody plays
/// twice in a round.
///
/// ```
/// use ratings::{Sides, round_robin};
/// let rounds = round_robin(4, 2, Sides::Changed).unwrap();
/// assert_eq!(rounds.len(), 6);
/// assert!(rounds.iter().all(|round| round.len() == 2));
/// ```
pub fn round_robin(players: usize, seats: usize, sides: Sides) -> Result<Vec<Vec<Vec<usize>>>, PairingError> {
    if !(2..=3).contains(&seats) {
        return Err(PairingError::Seats);
    }
    if players < seats {
        return Err(PairingError::TooFew);
    }
    if players > MOST_IN_A_POOL {
        return Err(PairingError::TooMany);
    }
    let once = if seats == 2 { pairs(players) } else { triples(players) };
    if sides == Sides::Balanced {
        return Ok(once);
    }
    let turned = |by: usize| {
        once.iter().map(move |round| round.iter().map(|players| rotated(players, by)).collect::<Vec<_>>())
    };
    Ok((0..seats).flat_map(turned).collect())
}

/// The players of a match, each moved on by some seats.
fn rotated(players: &[usize], by: usize) -> Vec<usize> {
    let mut turned = players.to_vec();
    turned.rotate_right(by);
    turned
}

/// The circle method: one stays, the others move on by one each round. With an odd number somebody rests.
fn pairs(players: usize) -> Vec<Vec<Vec<usize>>> {
    let places = players + players % 2;
    let turning = places - 1;
    (0..turning)
        .map(|round| {
            let mut matches = Vec::new();
            for n in 0..places / 2 {
                let first = if n == 0 { turning } else { (round + n) % turning };
                let second = (round + turning - n) % turning;
                // The one who stays has each side in turn; the others by the distance between them in the circle.
                let swap = if n == 0 { round % 2 == 1 } else { n % 2 == 1 };
                if first < players && second < players {
                    matches.push(if swap { vec![second, first] } else { vec![first, second] });
                }
            }
            matches
        })
        .collect()
}

/// Every three once. Seats go to whoever had them least; matches go into the first round in which all three are free.
fn triples(players: usize) -> Vec<Vec<Vec<usize>>> {
    let mut had = vec![[0_usize; 3]; players];
    let mut rounds: Vec<Vec<Vec<usize>>> = Vec::new();
    for a in 0..players {
        for b in a + 1..players {
            for c in b + 1..players {
                let seated = fairest([a, b, c], &had);
                for (seat, &player) in seated.iter().enumerate() {
                    had[player][seat] += 1;
                }
                let free = |round: &&mut Vec<Vec<usize>>| {
                    !round.iter().flatten().any(|player| seated.contains(player))
                };
                match rounds.iter_mut().find(free) {
                    Some(round) => round.push(seated.to_vec()),
                    None => rounds.push(vec![seated.to_vec()]),
                }
            }
        }
    }
    rounds
}

/// The seating of three people in which seats that they had before weigh least.
fn fairest([a, b, c]: [usize; 3], had: &[[usize; 3]]) -> [usize; 3] {
    let ways = [[a, b, c], [b, c, a], [c, a, b], [a, c, b], [c, b, a], [b, a, c]];
    let burden = |way: &[usize; 3]| -> usize {
        way.iter().enumerate().map(|(seat, &player)| had[player][seat].pow(2)).sum()
    };
    ways.into_iter().min_by_key(burden).unwrap_or([a, b, c])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn nobody_plays_twice_a_round(rounds: &[Vec<Vec<usize>>]) {
        for round in rounds {
            let mut all: Vec<usize> = round.iter().flatten().copied().collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), count, "{round:?}");
        }
    }

    #[test]
    fn every_pair_meets_once_with_balanced_sides() {
        for players in 2..=MOST_IN_A_POOL {
            let rounds = round_robin(players, 2, Sides::Balanced).unwrap();
            nobody_plays_twice_a_round(&rounds);
            assert_eq!(rounds.len(), players - 1 + players % 2);
            let mut met = BTreeMap::new();
            let mut first = vec![0_i32; players];
            for pair in rounds.iter().flatten() {
                *met.entry((pair[0].min(pair[1]), pair[0].max(pair[1]))).or_insert(0) += 1;
                first[pair[0]] += 1;
                first[pair[1]] -= 1;
            }
            assert_eq!(met.len(), players * (players - 1) / 2);
            assert!(met.values().all(|&times| times == 1));
            assert!(first.iter().all(|more| more.abs() <= 1), "{players}: {first:?}");
        }
    }

    #[test]
    fn with_sides_changed_everybody_has_each_side_equally_often() {
        for players in 2..=MOST_IN_A_POOL {
            let rounds = round_robin(players, 2, Sides::Changed).unwrap();
            nobody_plays_twice_a_round(&rounds);
            let mut met = BTreeMap::new();
            for pair in rounds.into_iter().flatten() {
                *met.entry((pair[0], pair[1])).or_insert(0) += 1;
            }
            assert_eq!(met.len(), players * (players - 1));
            assert!(met.values().all(|&times| times == 1));
        }
    }

    #[test]
    fn every_three_meet_on_every_seat() {
        for players in 3..=9 {
            let rounds = round_robin(players, 3, Sides::Changed).unwrap();
            nobody_plays_twice_a_round(&rounds);
            let mut seats = vec![[0; 3]; players];
            for seated in rounds.iter().flatten() {
                for (seat, &player) in seated.iter().enumerate() {
                    seats[player][seat] += 1;
                }
            }
            let each = (players - 1) * (players - 2) / 2;
            assert!(seats.iter().all(|had| *had == [each; 3]));
        }
    }

    #[test]
    fn three_seats_once_are_nearly_balanced() {
        for players in 3..=9 {
            let mut seats = vec![[0_i32; 3]; players];
            for seated in round_robin(players, 3, Sides::Balanced).unwrap().iter().flatten() {
                for (seat, &player) in seated.iter().enumerate() {
                    seats[player][seat] += 1;
                }
            }
            for had in &seats {
                let spread = had.iter().max().unwrap() - had.iter().min().unwrap();
                assert!(spread <= 2, "{players}: {seats:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_paired_is_refused() {
        assert_eq!(round_robin(1, 2, Sides::Changed), Err(PairingError::TooFew));
        assert_eq!(round_robin(25, 2, Sides::Changed), Err(PairingError::TooMany));
        assert_eq!(round_robin(8, 4, Sides::Changed), Err(PairingError::Seats));
    }
}
