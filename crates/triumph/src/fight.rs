//! A Battle as a calculation: two sides of units, every roll that can fall. Rules 12.2 to 12.4, 12.72.
//!
//! Chances of a round are exact: they are counted in rolls of dice. Everybody fires where its firepower is greatest and
//! nobody retreats, which is a floor for clever play, not a forecast of it.

use std::collections::BTreeMap;

use kernel::Dice;

use crate::cards::Tech;
use crate::rules::Rules;
use crate::units::{Class, Kind};
use crate::world::ATLAS;

/// The most positions that are looked at before a sample has to do.
const MOST_WORK: usize = 80_000;
/// The most dice of a round whose rolls can be counted in 128 bits.
const MOST_DICE: u32 = 48;
/// The most rounds of a sampled Battle at sea.
const MOST_ROUNDS: u32 = 200;

/// A unit in a Battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fighter {
    /// Its type.
    pub kind: Kind,
    /// Its strength.
    pub cv: u8,
    /// Whether it is only a target: disrupted by its landing. Rule 11.221.
    pub idle: bool,
}

/// One of the two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Army {
    /// Its units.
    pub units: Vec<Fighter>,
    /// Its revealed technologies.
    pub techs: u16,
    /// Whether the area is Friendly to it, for AirDefense Radar.
    pub at_home: bool,
    /// Whether it is an Armed Minor, whose forts must fire at Ground units. Ruling R22.
    pub minor: bool,
}

impl Army {
    const fn knows(&self, tech: Tech) -> bool {
        self.techs & tech.bit() != 0
    }
}

/// A Battle: the Attacker first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fight {
    /// Attacker and Defender.
    pub armies: [Army; 2],
    /// Whether it is at sea.
    pub at_sea: bool,
    /// Whether the Attacker has Surprise. Rule 15.2.
    pub surprise: bool,
}

/// The units of both sides that are left, in order.
type Line = [Vec<Fighter>; 2];

/// What a round, or a Battle at sea, can come to: exact chances as parts of a whole.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Prospects {
    /// Only Attackers are left.
    pub attacker: f64,
    /// Only Defenders are left.
    pub defender: f64,
    /// Both are left, or at sea nobody who can go on.
    pub both: f64,
    /// Steps that each side loses on average.
    pub losses: [f64; 2],
    /// Whether it was counted out; otherwise it is a sample of so many.
    pub sample: Option<u32>,
}

/// A roll of the chances of all positions after an action: weights that add up to a power of 6.
struct Spread {
    lines: BTreeMap<Line, u128>,
    dice: u32,
    work: usize,
}

impl Fight {
    /// Whether the Attacker's units of a type act first. Rule 12.21.
    fn attacker_first(&self, kind: Kind) -> bool {
        let tech = match kind {
            Kind::Fleet => Some(Tech::NavalRadar),
            Kind::Tank => Some(Tech::HeavyTanks),
            Kind::Infantry => Some(Tech::RocketArtillery),
            Kind::AirForce => Some(Tech::Jets),
            Kind::Fortress | Kind::Carrier | Kind::Submarine => None,
        };
        let has = |side: usize| tech.is_some_and(|tech| self.armies[side].knows(tech));
        ((has(0) || self.surprise) && !has(1)) || (has(0) && has(1) && self.surprise)
    }

    /// The sides in the order in which their units of a type act.
    fn order(&self, kind: Kind) -> [usize; 2] {
        if self.attacker_first(kind) { [0, 1] } else { [1, 0] }
    }

    fn firepower(&self, side: usize, kind: Kind, class: Class) -> u8 {
        let sonar = kind == Kind::Fleet && class == Class::Submarine && self.armies[side].knows(Tech::Sonar);
        if sonar { 3 } else { ATLAS.types[kind.index()].fire[class as usize] }
    }

    /// Whether a unit acts at all.
    fn acts(&self, unit: Fighter) -> bool {
        let convoy = self.at_sea && unit.kind.is_troop();
        !unit.idle && !convoy
    }

    /// Where a unit fires: its dice, what each needs, and the class; `None` if it finds no target.
    fn shot(&self, line: &Line, side: usize, unit: Fighter) -> Option<(u8, u8, Class)> {
        let foes = &line[1 - side];
        let strength = |class: Class| -> u32 {
            let there = foes.iter().filter(|foe| foe.kind.class(self.at_sea) == class);
            there.map(|foe| u32::from(foe.cv)).sum()
        };
        let must = self.armies[side].minor && strength(Class::Ground) > 0;
        let worth = |class: Class| {
            let (power, there) = (u32::from(self.firepower(side, unit.kind, class)), strength(class));
            match () {
                () if power == 0 || there == 0 || (must && class != Class::Ground) => (0, 0),
                () if self.armies[side].minor => (power * there, 0),
                () => (power, there),
            }
        };
        let order = [Class::Submarine, Class::Naval, Class::Air, Class::Ground];
        let class =
            order.into_iter().max_by_key(|class| worth(*class)).filter(|class| worth(*class).0 > 0)?;
        let army = &self.armies[side];
        let radar = unit.kind == Kind::AirForce
            && class == Class::Air
            && army.at_home
            && army.knows(Tech::AirDefenseRadar);
        Some((if radar { 2 * unit.cv } else { unit.cv }, self.firepower(side, unit.kind, class), class))
    }

    /// Places hits one by one on the strongest units of a class. Rule 12.44. Among equals the owner gives up those that
    /// can't act, then those that act last.
    fn hit(&self, units: &mut Vec<Fighter>, class: Class, hits: u8) {
        for _ in 0..hits {
            let targets = units.iter().enumerate().filter(|(_, unit)| unit.kind.class(self.at_sea) == class);
            let Some((at, unit)) = targets.max_by_key(|(_, unit)| (unit.cv, unit.idle, unit.kind)) else {
                return;
            };
            let left = unit.cv.saturating_sub(unit.kind.hit_cost(self.at_sea));
            if left == 0 {
                units.remove(at);
            } else {
                units[at].cv = left;
            }
        }
        units.sort_unstable();
    }

    /// The units as they stand now.
    fn line(&self) -> Line {
        let mut line = [self.armies[0].units.clone(), self.armies[1].units.clone()];
        line.iter_mut().for_each(|units| units.sort_unstable());
        line
    }

    // --- counted out --------------------------------------------------------------------------------

    /// All that a round can come to, in rolls of dice; `None` if there are too many.
    fn round(&self, line: &Line, work: usize) -> Option<Spread> {
        let mut spread = Spread { lines: BTreeMap::from([(line.clone(), 1)]), dice: 0, work };
        for kind in Kind::ALL {
            for side in self.order(kind) {
                // Own units do not change while their side acts, so they act one place after the other.
                for place in 0.. {
                    if !self.act(&mut spread, kind, side, place)? {
                        break;
                    }
                }
            }
        }
        Some(spread)
    }

    /// Lets the unit at a place among those of its type act in all positions; `false` if no position has one.
    fn act(&self, spread: &mut Spread, kind: Kind, side: usize, place: usize) -> Option<bool> {
        let mut shots = Vec::with_capacity(spread.lines.len());
        let mut most = 0;
        let mut any = false;
        for line in spread.lines.keys() {
            let unit = line[side].iter().filter(|unit| unit.kind == kind && self.acts(**unit)).nth(place);
            any |= unit.is_some();
            let over = line[1 - side].is_empty();
            let shot = unit.filter(|_| !over).and_then(|unit| self.shot(line, side, *unit));
            most = most.max(shot.map_or(0, |(dice, ..)| dice));
            shots.push(shot);
        }
        if most == 0 {
            return Some(any);
        }
        spread.dice += u32::from(most);
        if spread.dice > MOST_DICE {
            return None;
        }
        let mut after: BTreeMap<Line, u128> = BTreeMap::new();
        for ((line, weight), shot) in std::mem::take(&mut spread.lines).into_iter().zip(shots) {
            let Some((dice, needs, class)) = shot else {
                *after.entry(line).or_default() += weight * 6_u128.pow(u32::from(most));
                continue;
            };
            let scale = weight * 6_u128.pow(u32::from(most - dice));
            for hits in 0..=dice {
                let ways = u128::from(Rules::rolls_with(dice, needs, hits));
                let mut next = line.clone();
                self.hit(&mut next[1 - side], class, hits);
                *after.entry(next).or_default() += scale * ways;
                spread.work += 1;
            }
        }
        spread.lines = after;
        (spread.work <= MOST_WORK).then_some(true)
    }

    /// What a single round comes to: a whole Battle on land. Rule 12.2.
    pub fn one_round(&self) -> Option<Prospects> {
        let line = self.line();
        let spread = self.round(&line, 0)?;
        let all = 6_f64.powi(spread.dice as i32);
        let mut prospects = Prospects::default();
        for (after, weight) in &spread.lines {
            prospects.add(after, steps_lost(&line, after), *weight as f64 / all);
        }
        Some(prospects)
    }

    /// The exact rolls of a round in which only Attackers, only Defenders or both are left, and all rolls.
    pub fn rolls_of_round(&self) -> Option<([u128; 3], u128)> {
        let spread = self.round(&self.line(), 0)?;
        let mut rolls = [0; 3];
        for (after, weight) in &spread.lines {
            rolls[ending(after)] += weight;
        }
        Some((rolls, 6_u128.pow(spread.dice)))
    }

    /// Who is left of a Battle at sea after a round: Air Forces have gone home. Rule 12.23.
    fn after_round(line: &Line) -> Line {
        line.clone().map(|units| units.into_iter().filter(|unit| unit.kind != Kind::AirForce).collect())
    }

    /// What a whole Battle at sea comes to, round by round, without Escapes.
    pub fn whole(&self) -> Option<Prospects> {
        let mut known = BTreeMap::new();
        let mut work = 0;
        self.go_on(&self.line(), &mut known, &mut work)
    }

    fn go_on(
        &self,
        line: &Line,
        known: &mut BTreeMap<Line, Prospects>,
        work: &mut usize,
    ) -> Option<Prospects> {
        if let Some(found) = known.get(line) {
            return Some(*found);
        }
        let mut prospects = Prospects::default();
        let convoys = |units: &[Fighter]| units.iter().all(|unit| unit.kind.is_troop());
        if ending(line) != 2 || (convoys(&line[0]) && convoys(&line[1])) {
            prospects.add(line, [0.0; 2], 1.0);
            return Some(prospects);
        }
        let spread = self.round(line, *work)?;
        *work = spread.work + 1;
        let all = 6_f64.powi(spread.dice as i32);
        let mut again = 0.0;
        for (after, weight) in &spread.lines {
            let chance = *weight as f64 / all;
            let next = if ending(after) == 2 { Self::after_round(after) } else { after.clone() };
            if next == *line {
                // Nothing has happened: the round is fought again.
                again += chance;
                continue;
            }
            let then = self.go_on(&next, known, work)?;
            prospects.follow(&then, steps_lost(line, after), chance);
        }
        if again >= 1.0 {
            // Nobody can hit anybody.
            prospects.add(line, [0.0; 2], 1.0);
        } else {
            prospects.scale(1.0 / (1.0 - again));
        }
        known.insert(line.clone(), prospects);
        Some(prospects)
    }

    // --- sampled ------------------------------------------------------------------------------------

    /// Plays one round with dice.
    fn roll_round<D: Dice>(&self, line: &mut Line, dice: &mut D) {
        for kind in Kind::ALL {
            for side in self.order(kind) {
                let acting: Vec<Fighter> =
                    line[side].iter().copied().filter(|unit| unit.kind == kind && self.acts(*unit)).collect();
                for unit in acting {
                    let Some((count, needs, class)) = self.shot(line, side, unit) else { continue };
                    let hits = (0..count).filter(|_| dice.below(6) < u32::from(needs)).count() as u8;
                    self.hit(&mut line[1 - side], class, hits);
                }
            }
        }
    }

    /// Plays a Battle with dice, to its end at sea; returns who is left and the steps that each side has lost.
    fn roll<D: Dice>(&self, dice: &mut D) -> (Line, [f64; 2]) {
        let mut line = self.line();
        let mut losses = [0.0; 2];
        for _ in 0..MOST_ROUNDS {
            let before = line.clone();
            self.roll_round(&mut line, dice);
            let lost = steps_lost(&before, &line);
            losses = [losses[0] + lost[0], losses[1] + lost[1]];
            if !self.at_sea || ending(&line) != 2 {
                break;
            }
            line = Self::after_round(&line);
            let able = line.iter().any(|units| units.iter().any(|unit| !unit.kind.is_troop()));
            if ending(&line) != 2 || !able {
                break;
            }
        }
        (line, losses)
    }

    /// What a sample of Battles comes to. `next` deals out the next one: what is hidden may differ from one to the next.
    pub fn sample<D: Dice>(count: u32, dice: &mut D, mut next: impl FnMut(&mut D) -> Self) -> Prospects {
        let mut prospects = Prospects { sample: Some(count), ..Prospects::default() };
        let part = 1.0 / f64::from(count.max(1));
        for _ in 0..count {
            let (after, losses) = next(dice).roll(dice);
            prospects.add(&after, losses, part);
        }
        prospects
    }
}

/// Who is left: 0 only Attackers, 1 only Defenders, 2 both or nobody.
fn ending(line: &Line) -> usize {
    match (line[0].is_empty(), line[1].is_empty()) {
        (false, true) => 0,
        (true, false) => 1,
        _ => 2,
    }
}

/// The steps that each side has lost by hits.
fn steps_lost(before: &Line, after: &Line) -> [f64; 2] {
    let total = |units: &[Fighter]| units.iter().map(|unit| f64::from(unit.cv)).sum::<f64>();
    [0, 1].map(|side| total(&before[side]) - total(&after[side]))
}

impl Prospects {
    /// Adds a way in which it ends.
    fn add(&mut self, after: &Line, losses: [f64; 2], chance: f64) {
        *[&mut self.attacker, &mut self.defender, &mut self.both][ending(after)] += chance;
        for (sum, lost) in self.losses.iter_mut().zip(losses) {
            *sum += chance * lost;
        }
    }

    /// Adds what follows after some losses.
    fn follow(&mut self, then: &Self, lost: [f64; 2], chance: f64) {
        self.attacker += chance * then.attacker;
        self.defender += chance * then.defender;
        self.both += chance * then.both;
        for ((sum, lost), later) in self.losses.iter_mut().zip(lost).zip(then.losses) {
            *sum += chance * (lost + later);
        }
    }

    fn scale(&mut self, by: f64) {
        self.attacker *= by;
        self.defender *= by;
        self.both *= by;
        self.losses.iter_mut().for_each(|lost| *lost *= by);
    }
}
