//! Levels of strength: one search with more or less time to think, and with more or less of human weakness.
//!
//! A weak player does not move at random. They see the sensible choices, weigh them up badly, and take one of those that seem
//! good enough. So a low level looks at a few playouts only, and then takes a choice that seems worse by a few points nearly as
//! readily as the best; what it knows to be bad it leaves alone.

use kernel::{Dice, LabDice, Tuning};

use crate::search::{Budget, Line};

/// How strong a bot plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The word for it in commands and the protocol.
    pub word: &'static str,
    /// A sentence for people.
    pub about: &'static str,
    /// Its part of the playouts that the strongest has.
    share: f32,
    /// A choice that seems worse by so many times what choices usually differ by (`Tuning::stakes`) is taken e times less
    /// often; 0 takes the best.
    slip: f64,
}

/// The fewest playouts that can tell choices apart at all.
const FEWEST_PLAYOUTS: u32 = 24;
/// A choice that seems worse by more than so many slips is never taken.
const WORST_SLIP: f64 = 3.0;
/// What was looked at so many times less often than the best is not known well enough to be taken.
const LEAST_KNOWN: u32 = 16;

/// The levels, weakest first.
pub const LEVELS: [Level; 5] = [
    Level {
        word: "recruit",
        about: "Level 1: knows the rules and sees what is near",
        share: 1.0 / 256.0,
        slip: 4.0,
    },
    Level { word: "sergeant", about: "Level 2: seldom careless, plans little", share: 1.0 / 64.0, slip: 1.5 },
    Level { word: "captain", about: "Level 3: a solid player", share: 1.0 / 16.0, slip: 0.6 },
    Level { word: "colonel", about: "Level 4: thinks ahead", share: 1.0 / 4.0, slip: 0.35 },
    Level {
        word: "general",
        about: "Level 5: thinks for as long as a table will wait",
        share: 1.0,
        slip: 0.0,
    },
];

impl Level {
    /// What it may spend on one choice of a game.
    pub fn budget(&self, tuning: &Tuning) -> Budget {
        Budget::playouts(((tuning.playouts as f32 * self.share) as u32).max(FEWEST_PLAYOUTS))
    }

    /// The choice that it takes of those it has looked at, for its seat: an index into `lines`, best first.
    pub fn take<C>(&self, lines: &[Line<C>], seat: usize, tuning: &Tuning, dice: &mut LabDice) -> usize {
        let slip = self.slip * tuning.stakes;
        if slip <= 0.0 || lines.len() < 2 {
            return 0;
        }
        let chance = |line: &Line<_>| line.chances.get(seat).copied().unwrap_or_default();
        let best = chance(&lines[0]);
        let weight = |line: &Line<_>| {
            let behind = (best - chance(line)).max(0.0) / slip;
            let is_known = line.visits >= 2 && line.visits >= lines[0].visits / LEAST_KNOWN;
            if behind > WORST_SLIP || !is_known { 0.0 } else { (-behind).exp() }
        };
        let sum: f64 = lines.iter().map(weight).sum();
        let mut left = f64::from(dice.word()) / 4_294_967_296.0 * sum;
        for (at, line) in lines.iter().enumerate() {
            left -= weight(line);
            if left < 0.0 {
                return at;
            }
        }
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(choice: u8, chance: f64) -> Line<u8> {
        Line { choice, visits: 50, chances: [chance, 1.0 - chance, 0.0], then: Vec::new() }
    }

    /// How often each of the lines is taken in a thousand times.
    fn taken(level: &Level, lines: &[Line<u8>], stakes: f64) -> Vec<u32> {
        let mut dice = LabDice::new(5);
        let mut counts = vec![0; lines.len()];
        let tuning = Tuning { stakes, ..Tuning::default() };
        for _ in 0..1_000 {
            counts[level.take(lines, 0, &tuning, &mut dice)] += 1;
        }
        counts
    }

    #[test]
    fn all_but_the_highest_slip_less_from_level_to_level_and_never_far() {
        let lines = [line(0, 0.60), line(1, 0.595), line(2, 0.20)];
        let counts: Vec<Vec<u32>> = LEVELS.iter().map(|level| taken(level, &lines, 0.02)).collect();
        for (level, counts) in LEVELS.iter().zip(&counts) {
            assert_eq!(counts[2], 0, "{} takes what it knows to be bad", level.word);
        }
        let slips: Vec<u32> = counts.iter().map(|counts| counts[1]).collect();
        assert!(slips.is_sorted_by(|weaker, stronger| weaker > stronger), "{slips:?}");
        assert!(slips[0] > 400 && slips[3] > 100 && slips[4] == 0, "{slips:?}");
        for (level, slips) in LEVELS[..4].iter().zip(slips) {
            let fewer = taken(level, &lines, 0.005)[1];
            assert!(fewer < slips, "{} slips as often where less is at stake", level.word);
        }
    }

    #[test]
    fn what_was_hardly_looked_at_is_not_taken() {
        let lucky = Line { visits: 2, ..line(1, 1.0) };
        for level in &LEVELS {
            assert_eq!(taken(level, &[line(0, 0.60), lucky.clone()], 0.02)[1], 0, "{}", level.word);
        }
    }

    #[test]
    fn budgets_rise_from_level_to_level_and_are_never_too_small() {
        for playouts in [1, 2_048, 32_768] {
            let tuning = Tuning { playouts, ..Tuning::default() };
            let budgets: Vec<u32> = LEVELS.iter().map(|level| level.budget(&tuning).playouts).collect();
            assert!(budgets.is_sorted() && budgets[0] >= FEWEST_PLAYOUTS, "{budgets:?}");
        }
    }
}
