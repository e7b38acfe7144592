//! A Battle as a calculation: two sides of units, and what a unit does when its turn comes. Rules 12.2 to 12.5, 12.7.
//!
//! The strongest unit of a type acts first and fires where its firepower is greatest; one that finds no target leaves, since
//! nobody may pass (ruling R64). Beyond that a side fights to the end, unless it has another [`Manner`].

use crate::cards::Tech;
use crate::units::{Class, Kind};
use crate::world::ATLAS;

/// What a die must show at most in a Carrier Strike. Rule 12.74.
const STRIKE: u8 = 1;

/// A unit in a Battle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fighter {
    /// Its type.
    pub kind: Kind,
    /// Its strength.
    pub cv: u8,
    /// Whether it is only a target: disrupted by its landing. Rule 11.221.
    pub idle: bool,
    /// Whether it has nowhere to go: it can't leave, and is lost if it must.
    pub stuck: bool,
    /// Whether it has acted in this round.
    pub acted: bool,
}

impl Fighter {
    /// A unit that can act and leave.
    pub const fn new(kind: Kind, cv: u8) -> Self {
        Self { kind, cv, idle: false, stuck: false, acted: false }
    }
}

/// How a side fights, if not to the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manner {
    /// Its Submarines Escape at the end of a round at sea. Rule 12.73.
    pub escapes: bool,
    /// Its units leave as soon as the Enemy has more than twice its steps; Carriers Strike first. Rules 12.5, 12.74.
    pub retreats: bool,
}

/// One of the two sides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Army {
    /// Its units.
    pub units: Vec<Fighter>,
    /// Its revealed technologies.
    pub techs: u16,
    /// Whether the area is Friendly to it: AirDefense Radar, and who may stay.
    pub at_home: bool,
    /// Whether it is an Armed Minor, whose forts must fire at Ground units. Ruling R22.
    pub minor: bool,
    /// How it fights.
    pub manner: Manner,
}

impl Army {
    const fn knows(&self, tech: Tech) -> bool {
        self.techs & tech.bit() != 0
    }
}

/// Some dice at a class of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shot {
    /// How many dice.
    pub dice: u8,
    /// What each must show at most.
    pub needs: u8,
    /// At what.
    pub class: Class,
}

/// A Battle: the Attacker first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fight {
    /// Attacker and Defender.
    pub armies: [Army; 2],
    /// BattleGroups of the Attacker that wait, in the order in which one joins at the start of each later round. Rule 12.71.
    pub groups: Vec<Vec<Fighter>>,
    /// Whether it is at sea.
    pub at_sea: bool,
    /// Whether the Attacker has Surprise. Rule 15.2.
    pub surprise: bool,
    /// The side whose dice are in the air, and the dice.
    pub in_the_air: Option<(usize, Shot)>,
}

/// What is left of both sides, each in order, and how many BattleGroups still wait.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Line {
    pub sides: [Vec<Fighter>; 2],
    pub waiting: usize,
}

/// What a unit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Fire(Shot),
    /// It fires and leaves.
    Strike(Shot),
    Leave,
    /// It can neither fire nor leave.
    Nothing,
}

impl Action {
    /// The dice that it rolls.
    pub const fn shot(self) -> Option<Shot> {
        match self {
            Self::Fire(shot) | Self::Strike(shot) => Some(shot),
            Self::Leave | Self::Nothing => None,
        }
    }
}

/// An action with the side and the place of its unit; dice that are in the air have none any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Deed {
    pub side: usize,
    pub at: Option<usize>,
    pub action: Action,
}

/// What a Battle costs, in steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Toll {
    /// Steps that each side loses, by class.
    pub lost: [[f64; 4]; 2],
    /// Steps of each side that leave or Escape.
    pub away: [f64; 2],
}

impl Toll {
    /// Steps that a side loses.
    pub fn total(&self, side: usize) -> f64 {
        self.lost[side].iter().sum()
    }

    /// Adds another one, so many times.
    pub(crate) fn add(&mut self, other: &Self, times: f64) {
        for (sum, more) in self.lost.as_flattened_mut().iter_mut().zip(other.lost.as_flattened()) {
            *sum += times * more;
        }
        for (sum, more) in self.away.iter_mut().zip(other.away) {
            *sum += times * more;
        }
    }
}

impl Line {
    /// Who is left: 0 only Attackers, 1 only Defenders, 2 both, 3 nobody.
    pub fn ending(&self) -> usize {
        let attackers = !self.sides[0].is_empty() || self.waiting > 0;
        match (attackers, !self.sides[1].is_empty()) {
            (true, false) => 0,
            (false, true) => 1,
            (true, true) => 2,
            (false, false) => 3,
        }
    }

    /// A new round: nobody has acted.
    pub fn rest(&mut self) {
        for units in &mut self.sides {
            units.iter_mut().for_each(|unit| unit.acted = false);
            units.sort_unstable();
        }
    }
}

impl Fight {
    /// Whether units take part that are hidden: those have CV 0.
    pub(crate) fn has_hidden(&self) -> bool {
        let mut all = self.armies.iter().flat_map(|army| &army.units).chain(self.groups.iter().flatten());
        all.any(|unit| unit.cv == 0)
    }

    /// The units as they stand now.
    pub(crate) fn line(&self) -> Line {
        let mut sides = [self.armies[0].units.clone(), self.armies[1].units.clone()];
        sides.iter_mut().for_each(|units| units.sort_unstable());
        Line { sides, waiting: self.groups.len() }
    }

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
    pub(crate) fn order(&self, kind: Kind) -> [usize; 2] {
        if self.attacker_first(kind) { [0, 1] } else { [1, 0] }
    }

    fn firepower(&self, side: usize, kind: Kind, class: Class) -> u8 {
        let sonar = kind == Kind::Fleet && class == Class::Submarine && self.armies[side].knows(Tech::Sonar);
        if sonar { 3 } else { ATLAS.types[kind.index()].fire[class as usize] }
    }

    /// The place of the next unit of a type on a side that acts: the strongest. A round is over when a side is gone.
    pub(crate) fn next_actor(&self, line: &Line, side: usize, kind: Kind) -> Option<usize> {
        if line.sides.iter().any(Vec::is_empty) || (self.at_sea && kind.is_troop()) {
            return None;
        }
        line.sides[side].iter().rposition(|unit| unit.kind == kind && !unit.idle && !unit.acted)
    }

    /// What a unit does when its turn comes.
    pub(crate) fn decide(&self, line: &Line, side: usize, unit: Fighter) -> Action {
        let can_leave = !unit.stuck && unit.kind != Kind::Fortress;
        if can_leave && self.armies[side].manner.retreats && self.is_outnumbered(line, side) {
            let naval = self.steps_of(&line.sides[1 - side], Class::Naval) > 0;
            return match unit.kind {
                Kind::Carrier if naval => {
                    Action::Strike(Shot { dice: unit.cv, needs: STRIKE, class: Class::Naval })
                }
                _ => Action::Leave,
            };
        }
        match self.shot(line, side, unit) {
            Some(shot) => Action::Fire(shot),
            None if can_leave => Action::Leave,
            None => Action::Nothing,
        }
    }

    /// Whether the Enemy has more than twice a side's steps; BattleGroups that wait count.
    fn is_outnumbered(&self, line: &Line, side: usize) -> bool {
        let steps = |units: &[Fighter]| units.iter().map(|unit| u32::from(unit.cv)).sum::<u32>();
        let mut there = [0, 1].map(|side: usize| steps(&line.sides[side]));
        there[0] +=
            self.groups[self.groups.len() - line.waiting..].iter().map(|group| steps(group)).sum::<u32>();
        there[1 - side] > 2 * there[side]
    }

    fn steps_of(&self, units: &[Fighter], class: Class) -> u32 {
        let there = units.iter().filter(|unit| unit.kind.class(self.at_sea) == class);
        there.map(|unit| u32::from(unit.cv)).sum()
    }

    /// Where a unit fires; `None` if it finds no target.
    fn shot(&self, line: &Line, side: usize, unit: Fighter) -> Option<Shot> {
        let foes = &line.sides[1 - side];
        let army = &self.armies[side];
        let must = army.minor && self.steps_of(foes, Class::Ground) > 0;
        let worth = |class: Class| {
            let (power, there) =
                (u32::from(self.firepower(side, unit.kind, class)), self.steps_of(foes, class));
            match () {
                () if power == 0 || there == 0 || (must && class != Class::Ground) => (0, 0),
                () if army.minor => (power * there, 0),
                () => (power, there),
            }
        };
        let order = [Class::Submarine, Class::Naval, Class::Air, Class::Ground];
        let class =
            order.into_iter().max_by_key(|class| worth(*class)).filter(|class| worth(*class).0 > 0)?;
        let radar = unit.kind == Kind::AirForce
            && class == Class::Air
            && army.at_home
            && army.knows(Tech::AirDefenseRadar);
        let dice = if radar { 2 * unit.cv } else { unit.cv };
        Some(Shot { dice, needs: self.firepower(side, unit.kind, class), class })
    }

    /// Changes a line by a deed with so many hits.
    pub(crate) fn after(&self, line: &mut Line, deed: Deed, hits: u8, toll: &mut Toll) {
        let side = deed.side;
        if let Some(shot) = deed.action.shot() {
            self.hit(line, 1 - side, shot.class, hits, toll);
        }
        let Some(at) = deed.at else { return };
        match deed.action {
            Action::Leave | Action::Strike(_) => {
                let unit = line.sides[side].remove(at);
                toll.away[side] += f64::from(unit.cv);
            }
            Action::Fire(_) | Action::Nothing => line.sides[side][at].acted = true,
        }
        line.sides[side].sort_unstable();
    }

    /// Places hits one by one on the strongest units of a class. Rule 12.44. Among equals the owner gives up those that
    /// can't act, then those that act last.
    pub(crate) fn hit(&self, line: &mut Line, side: usize, class: Class, hits: u8, toll: &mut Toll) {
        let units = &mut line.sides[side];
        for _ in 0..hits {
            let targets = units.iter().enumerate().filter(|(_, unit)| unit.kind.class(self.at_sea) == class);
            let Some((at, unit)) = targets.max_by_key(|(_, unit)| (unit.cv, unit.idle, unit.kind)) else {
                break;
            };
            let left = unit.cv.saturating_sub(unit.kind.hit_cost(self.at_sea));
            toll.lost[side][class as usize] += f64::from(unit.cv - left);
            if left == 0 {
                units.remove(at);
            } else {
                units[at].cv = left;
            }
        }
        units.sort_unstable();
    }

    /// Units that must go: they leave, or are lost where they can't.
    fn drive_out(&self, line: &mut Line, side: usize, toll: &mut Toll, goes: impl Fn(&Fighter) -> bool) {
        for unit in line.sides[side].extract_if(.., |unit| goes(unit)) {
            let steps = f64::from(unit.cv);
            if unit.stuck {
                toll.lost[side][unit.kind.class(self.at_sea) as usize] += steps;
            } else {
                toll.away[side] += steps;
            }
        }
    }

    /// The end of a round: who must leaves, Submarines Escape, the next BattleGroup joins. Rules 12.22, 12.23, 12.52, 12.71.
    pub(crate) fn end_round(&self, line: &mut Line, toll: &mut Toll) {
        line.rest();
        if self.at_sea {
            self.end_sea_round(line, toll);
        } else {
            self.end_land_round(line, toll);
        }
    }

    /// Air, Naval and Submarine units need Ground Support against Ground units and on Enemy land. Rule 12.52.
    fn end_land_round(&self, line: &mut Line, toll: &mut Toll) {
        for side in 0..2 {
            let ground = |units: &[Fighter]| units.iter().any(|unit| unit.kind.is_ground());
            let opposed = ground(&line.sides[1 - side]);
            if !ground(&line.sides[side]) && (opposed || !self.armies[side].at_home) {
                self.drive_out(line, side, toll, |_| true);
            }
        }
    }

    fn end_sea_round(&self, line: &mut Line, toll: &mut Toll) {
        for side in 0..2 {
            self.drive_out(line, side, toll, |unit| unit.kind == Kind::AirForce);
        }
        for side in 0..2 {
            if self.armies[side].manner.escapes && line.ending() == 2 {
                let subs = line.sides[side].extract_if(.., |unit| unit.kind == Kind::Submarine);
                toll.away[side] += subs.map(|unit| f64::from(unit.cv)).sum::<f64>();
            }
        }
        let convoys = |units: &[Fighter]| units.iter().all(|unit| unit.kind.is_troop());
        if line.waiting == 0 && line.ending() == 2 && line.sides.iter().all(|units| convoys(units)) {
            // Ruling R20.
            self.drive_out(line, 0, toll, |_| true);
        }
    }

    /// The next BattleGroup joins, if the Battle goes on. Rule 12.71.
    pub(crate) fn join(&self, line: &mut Line) {
        if line.waiting > 0 && line.ending() == 2 {
            let group = &self.groups[self.groups.len() - line.waiting];
            line.sides[0].extend(group);
            line.sides[0].sort_unstable();
            line.waiting -= 1;
        }
    }
}
