//! Levels of strength: the same search with fewer playouts and human-like mistakes.
//!
//! A weak player does not move at random, but misjudges sensible choices. So a low level uses few playouts, and then takes a
//! slightly worse choice nearly as often as the best one, but avoids choices that it knows to be bad.
//!
//! How often a level errs does not depend on how many choices it has looked at, and a choice that was hardly visited is
//! hardly taken: otherwise a level with more playouts, which looks at more choices, errs more often than the one below. In
//! `dday`, with its many small decisions, captain lost to sergeant that way.

use kernel::{Dice, LabDice, Tuning};

use crate::search::{Budget, Line};

/// How strong a bot plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// Its name in commands and the protocol.
    pub word: &'static str,
    /// A sentence for people.
    pub about: &'static str,
    /// Its share of the strongest level's playouts.
    share: f32,
    /// How much it errs: a choice that is worse by this many `Tuning::stakes` is taken e times less often; 0 always takes the
    /// best.
    slip: f64,
    /// How much the search's doubts count: a choice visited half as often as the best is taken 2 to this power less often.
    heed: f64,
}

/// The fewest playouts that can distinguish choices.
const FEWEST_PLAYOUTS: u32 = 24;
/// A choice that is worse by more than so many slips is never taken.
const WORST_SLIP: f64 = 3.0;
/// A choice visited so many times less often than the best is not known well enough to be taken.
const LEAST_KNOWN: u32 = 16;

/// The levels, weakest first.
pub const LEVELS: [Level; 5] = [
    Level {
        word: "recruit",
        about: "Level 1: knows the rules, plays carelessly",
        share: 1.0 / 256.0,
        slip: 4.0,
        heed: 0.0,
    },
    Level {
        word: "sergeant",
        about: "Level 2: more careful, hardly plans",
        share: 1.0 / 64.0,
        slip: 1.5,
        heed: 0.5,
    },
    Level { word: "captain", about: "Level 3: a solid player", share: 1.0 / 16.0, slip: 0.6, heed: 1.0 },
    Level { word: "colonel", about: "Level 4: thinks ahead", share: 1.0 / 4.0, slip: 0.35, heed: 1.5 },
    Level {
        word: "general",
        about: "Level 5: the strongest, takes its time",
        share: 1.0,
        slip: 0.0,
        heed: 0.0,
    },
];

impl Level {
    /// Its budget for one choice.
    pub fn budget(&self, tuning: &Tuning) -> Budget {
        Budget::playouts(((tuning.playouts as f32 * self.share) as u32).max(FEWEST_PLAYOUTS))
    }

    /// The choice that this level takes, as an index into `lines`, which are sorted best first.
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
            let visited = f64::from(line.visits) / f64::from(lines[0].visits.max(1));
            if behind > WORST_SLIP || !is_known { 0.0 } else { (-behind).exp() * visited.powf(self.heed) }
        };
        // The likeliest error says how often there is one; all of them share in it.
        let (likeliest, sum) = lines[1..]
            .iter()
            .map(weight)
            .fold((0.0, 0.0), |(likeliest, sum), weight| (f64::max(likeliest, weight), sum + weight));
        let mut left = f64::from(dice.word()) / 4_294_967_296.0 * (1.0 + likeliest) - 1.0;
        if left < 0.0 || likeliest <= 0.0 {
            return 0;
        }
        for (at, line) in lines.iter().enumerate().skip(1) {
            left -= weight(line) / sum * likeliest;
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

    /// Ten choices that are as good do not make an error likelier than one, and those that were seldom visited are seldom
    /// taken, the less the higher the level.
    #[test]
    fn errors_do_not_grow_with_what_was_looked_at() {
        let best = line(0, 0.60);
        let others = |count: u8, visits: u32| {
            let others = (1..=count).map(|at| Line { visits, ..line(at, 0.599) });
            std::iter::once(best.clone()).chain(others).collect::<Vec<_>>()
        };
        let errors = |level: &Level, lines: &[Line<u8>]| taken(level, lines, 0.02)[1..].iter().sum::<u32>();
        for level in &LEVELS {
            let (one, ten) = (errors(level, &others(1, 50)), errors(level, &others(10, 50)));
            assert!(one.abs_diff(ten) < 60, "{}: {one} errors, with ten choices {ten}", level.word);
        }
        let seldom: Vec<u32> = LEVELS.iter().map(|level| errors(level, &others(10, 8))).collect();
        assert!(seldom.is_sorted_by(|weaker, stronger| weaker > stronger), "{seldom:?}");
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
