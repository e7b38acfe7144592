//! The chances of a Battle: every roll that can fall, or a sample of them where there are too many. Rules 12.2 to 12.4.

use std::collections::BTreeMap;

use kernel::Dice;

use crate::fight::{Action, Deed, Fight, Line, Toll};
use crate::rules::Rules;
use crate::units::Kind;

/// The most positions that are looked at before a sample has to do.
const MOST_WORK: usize = 80_000;
/// The most dice of a round whose rolls can be counted in 128 bits.
const MOST_DICE: u32 = 48;
/// The most rounds of a sampled Battle at sea.
const MOST_ROUNDS: u32 = 200;

/// What a Battle can come to: chances as parts of a whole.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Prospects {
    /// At its end only Attackers are left, only Defenders, both, nobody; both at sea means that nobody can hit anybody.
    pub ends: [f64; 4],
    /// The same after the first round.
    pub first: [f64; 4],
    /// What it costs on average.
    pub toll: Toll,
    /// `None` if it was counted out; otherwise it is a sample of so many.
    pub sample: Option<u32>,
}

/// A position after some actions: in how many rolls, and what it has cost in all of them together.
#[derive(Default)]
struct Share {
    weight: u128,
    toll: Toll,
}

/// All positions after some actions: weights that add up to a power of 6.
struct Spread {
    lines: BTreeMap<Line, Share>,
    dice: u32,
    work: usize,
    most: usize,
}

/// Positions that were looked at, and how many may be.
struct Work {
    done: usize,
    most: usize,
}

impl Share {
    /// Adds another one, so many times.
    fn add(&mut self, other: &Self, times: u128) {
        self.weight += other.weight * times;
        self.toll.add(&other.toll, times as f64);
    }
}

impl Fight {
    /// The dice that are in the air before anybody acts.
    fn falling(&self) -> Option<Deed> {
        self.in_the_air.map(|(side, shot)| Deed { side, at: None, action: Action::Fire(shot) })
    }

    /// What the next unit of a type does on a side.
    fn next_deed(&self, line: &Line, side: usize, kind: Kind) -> Option<Deed> {
        let at = self.next_actor(line, side, kind)?;
        Some(Deed { side, at: Some(at), action: self.decide(line, side, line.sides[side][at]) })
    }

    // --- counted out --------------------------------------------------------------------------------

    /// All that a round can come to, in rolls of dice; `None` if there are too many. Dice that are in the air now fall in
    /// the opening round.
    fn round(&self, line: &Line, opening: bool, work: &Work) -> Option<Spread> {
        let first = Share { weight: 1, toll: Toll::default() };
        let lines = BTreeMap::from([(line.clone(), first)]);
        let mut spread = Spread { lines, dice: 0, work: work.done, most: work.most };
        if opening {
            self.step(&mut spread, |_| self.falling())?;
        }
        for kind in Kind::ALL {
            for side in self.order(kind) {
                while self.step(&mut spread, |line| self.next_deed(line, side, kind))? {}
            }
        }
        for (mut line, share) in std::mem::take(&mut spread.lines) {
            line.rest();
            spread.lines.entry(line).or_default().add(&share, 1);
        }
        Some(spread)
    }

    /// Goes a step further in all positions; `false` if nobody acts in any. Where fewer dice are rolled than elsewhere the
    /// weights make up for it.
    fn step(&self, spread: &mut Spread, deed: impl Fn(&Line) -> Option<Deed>) -> Option<bool> {
        let deeds: Vec<Option<Deed>> = spread.lines.keys().map(deed).collect();
        let dice = |deed: &Option<Deed>| {
            u32::from(deed.and_then(|deed| deed.action.shot()).map_or(0, |shot| shot.dice))
        };
        let most = deeds.iter().map(dice).max().unwrap_or(0);
        if deeds.iter().all(Option::is_none) {
            return Some(false);
        }
        spread.dice += most;
        if spread.dice > MOST_DICE {
            return None;
        }
        for ((line, share), deed) in std::mem::take(&mut spread.lines).into_iter().zip(deeds) {
            let scale = 6_u128.pow(most - dice(&deed));
            let Some(deed) = deed else {
                spread.lines.entry(line).or_default().add(&share, scale);
                continue;
            };
            let (dice, needs) = deed.action.shot().map_or((0, 0), |shot| (shot.dice, shot.needs));
            for hits in 0..=dice {
                let times = scale * u128::from(Rules::rolls_with(dice, needs, hits));
                if times == 0 {
                    continue;
                }
                let mut next = line.clone();
                let mut toll = Toll::default();
                self.after(&mut next, deed, hits, &mut toll);
                let to = spread.lines.entry(next).or_default();
                to.add(&share, times);
                to.toll.add(&toll, (share.weight * times) as f64);
                spread.work += 1;
            }
        }
        (spread.work <= spread.most).then_some(true)
    }

    /// The exact rolls of a land Battle after which only Attackers, only Defenders, both or nobody is left, and all rolls.
    pub fn rolls_of_round(&self) -> Option<([u128; 4], u128)> {
        let spread = self.round(&self.line(), true, &Work { done: 0, most: MOST_WORK })?;
        let mut rolls = [0; 4];
        for (mut line, share) in spread.lines {
            self.end_round(&mut line, &mut Toll::default());
            rolls[line.ending()] += share.weight;
        }
        Some((rolls, 6_u128.pow(spread.dice)))
    }

    /// What the Battle comes to: one round on land, at sea as many as it takes. `None` if there are too many rolls to count.
    pub fn counted(&self) -> Option<Prospects> {
        self.counted_within(MOST_WORK)
    }

    /// The same with a limit of its own on the positions that are looked at.
    pub fn counted_within(&self, most: usize) -> Option<Prospects> {
        let mut known = BTreeMap::new();
        self.go_on(&self.line(), true, &mut known, &mut Work { done: 0, most })
    }

    fn go_on(
        &self,
        line: &Line,
        opening: bool,
        known: &mut BTreeMap<Line, Prospects>,
        work: &mut Work,
    ) -> Option<Prospects> {
        if let Some(found) = known.get(line).filter(|_| !opening) {
            return Some(*found);
        }
        let mut prospects = Prospects::default();
        if line.ending() != 2 {
            prospects.ends[line.ending()] = 1.0;
            return Some(prospects);
        }
        let spread = self.round(line, opening, work)?;
        work.done = spread.work + 1;
        let all = 6_f64.powi(spread.dice as i32);
        let mut again = 0.0;
        for (mut next, share) in spread.lines {
            let chance = share.weight as f64 / all;
            let mut toll = Toll::default();
            self.end_round(&mut next, &mut toll);
            prospects.first[next.ending()] += chance;
            toll.add(&share.toll, 1.0 / share.weight as f64);
            prospects.toll.add(&toll, chance);
            if !self.at_sea {
                prospects.ends[next.ending()] += chance;
                continue;
            }
            self.join(&mut next);
            if next == *line {
                // Nothing has happened: the round is fought again.
                again += chance;
                continue;
            }
            let then = self.go_on(&next, false, known, work)?;
            for (sum, part) in prospects.ends.iter_mut().zip(then.ends) {
                *sum += chance * part;
            }
            prospects.toll.add(&then.toll, chance);
        }
        if again >= 1.0 {
            // Nobody can hit anybody.
            prospects.ends[2] = 1.0;
        } else {
            let more = again / (1.0 - again);
            prospects.ends.iter_mut().for_each(|part| *part *= 1.0 + more);
            prospects.toll.add(&prospects.toll.clone(), more);
        }
        if !opening {
            known.insert(line.clone(), prospects);
        }
        Some(prospects)
    }

    // --- sampled ------------------------------------------------------------------------------------

    fn roll_deed<D: Dice>(&self, line: &mut Line, deed: Deed, toll: &mut Toll, dice: &mut D) {
        let hits = deed
            .action
            .shot()
            .map_or(0, |shot| (0..shot.dice).filter(|_| dice.below(6) < u32::from(shot.needs)).count() as u8);
        self.after(line, deed, hits, toll);
    }

    /// Plays one round with dice.
    fn roll_round<D: Dice>(&self, line: &mut Line, opening: bool, toll: &mut Toll, dice: &mut D) {
        if let Some(deed) = self.falling().filter(|_| opening) {
            self.roll_deed(line, deed, toll, dice);
        }
        for kind in Kind::ALL {
            for side in self.order(kind) {
                while let Some(deed) = self.next_deed(line, side, kind) {
                    self.roll_deed(line, deed, toll, dice);
                }
            }
        }
        self.end_round(line, toll);
    }

    /// Plays the Battle with dice, to its end at sea, and adds it to what is known.
    fn roll<D: Dice>(&self, dice: &mut D, part: f64, prospects: &mut Prospects) {
        let mut line = self.line();
        let mut toll = Toll::default();
        for round in 0..MOST_ROUNDS {
            self.roll_round(&mut line, round == 0, &mut toll, dice);
            if round == 0 {
                prospects.first[line.ending()] += part;
            }
            self.join(&mut line);
            if !self.at_sea || line.ending() != 2 {
                break;
            }
        }
        prospects.ends[line.ending()] += part;
        prospects.toll.add(&toll, part);
    }

    /// What a sample of Battles comes to. `next` deals out the next one: what is hidden may differ from one to the next.
    pub fn sample<D: Dice>(count: u32, dice: &mut D, mut next: impl FnMut(&mut D) -> Self) -> Prospects {
        let mut prospects = Prospects { sample: Some(count), ..Prospects::default() };
        for _ in 0..count {
            next(dice).roll(dice, 1.0 / f64::from(count.max(1)), &mut prospects);
        }
        prospects
    }
}
