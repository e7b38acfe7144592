//! Where to fight: assaults, bombardments and air strikes weighed against each other.

use terrain::Cell;

use super::{Desk, position};
use crate::battalions::Mode;
use crate::choice::{Choice, Gun};
use crate::combat::Fight;
use crate::state::{NOBODY, Stage};
use crate::units::Units;

/// An assault that could be made, and what it promises.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    pub fight: Fight,
    /// Chance that the defender gives way, of a hundred.
    pub win: i32,
    /// Chance to be thrown back, of a hundred.
    pub repulse: i32,
    /// The balance, in hundredths.
    pub worth: i32,
}

impl Desk<'_> {
    /// The bar that an assault must pass, in hundredths.
    pub(super) fn bar(&self) -> i32 {
        let (rules, s, weights) = (self.rules, self.s, self.weights);
        let mut bar = if self.plan.attacks { weights.attack_from } else { weights.defend_from };
        if s.turn + 2 >= rules.scenario.turns {
            bar -= weights.boldness;
        }
        let spent = |side: crate::scenario::Side| {
            i32::from(s.tally[side.index()]) * 100 / i32::from(rules.scenario.sides[side.index()].break_at)
        };
        if spent(self.side) > 75 {
            bar += weights.caution;
        }
        if spent(self.side.enemy()) > 80 {
            bar -= weights.caution;
        }
        bar
    }

    /// What an assault with all the help at hand promises, for the best primary. `ready` says who may take part.
    pub(super) fn prospect(
        &self,
        from: Cell,
        to: Cell,
        mut ready: impl FnMut(u8) -> bool,
    ) -> Option<Prospect> {
        let (rules, s) = (self.rules, self.s);
        let force: Units = s.stack(from).filter(|unit| ready(*unit)).collect();
        let supports = force.len().saturating_sub(1).min(rules.tables.in_zone_max);
        let zones = self.helping_zones(from, to);
        let fire = self.fire_at_hand(to);
        let answer = self.their_fire(to).min(2);
        let mut best: Option<Prospect> = None;
        for lead in force {
            let mut others = force;
            others.remove(lead);
            let supports: Units = others.into_iter().take(usize::from(supports)).collect();
            let fight = Fight { from, to, lead, foe: NOBODY, supports, zones, fire, answer, raid: s.night };
            let Some(found) = self.analyse(&fight) else { continue };
            if best.is_none_or(|best| found.worth > best.worth) {
                best = Some(found);
            }
        }
        best
    }

    /// The balance of an assault: what is won against what is risked. The defender answers with the one who fares best.
    pub(super) fn analyse(&self, fight: &Fight) -> Option<Prospect> {
        let (rules, s, weights) = (self.rules, self.s, self.weights);
        let fight = rules.likely_defender(s, fight)?;
        let hit = i32::from(rules.assault_need(s, &fight));
        let save = i32::from(rules.defender_need(s, &fight));
        let own = i32::from(rules.attacker_need(s, &fight));
        let win = hit * (10 - save);
        let repulse = (100 - win) * (10 - own) / 10;
        let mut prize = 100 + 25 * i32::from(rules.others(s, fight.to, fight.foe));
        if let Some(key) = rules.key_at(fight.to)
            && rules.holder(s, key) != self.side
        {
            prize += 30 + 12 * i32::from(rules.scenario.keys[key].vp);
        }
        prize += 4 * i32::from(rules.troop(fight.foe).worth);
        let price = 55 + 5 * i32::from(rules.troop(fight.lead).worth);
        let worth = (win * prize / 100 * weights.assault - repulse * price / 100 * weights.repulse) / 100;
        Some(Prospect { fight, win, repulse, worth })
    }

    /// Zones beside that could lend a hand, at most two.
    fn helping_zones(&self, from: Cell, to: Cell) -> u8 {
        let (rules, s) = (self.rules, self.s);
        if s.night {
            return 0;
        }
        let mut count = 0;
        let mut look = |zone: Cell| {
            if zone != from
                && zone != to
                && count < rules.tables.zone_max
                && rules.holds(s, zone, self.side)
                && s.stack(zone).any(|unit| rules.may_contribute(s, unit))
            {
                count += 1;
            }
        };
        rules.around(to).for_each(&mut look);
        rules.around(from).filter(|zone| !rules.touch(*zone, to)).for_each(&mut look);
        count
    }

    /// Fire that could be brought down on a zone, at most three.
    fn fire_at_hand(&self, to: Cell) -> u8 {
        self.fire_of(to, self.side)
    }

    fn their_fire(&self, to: Cell) -> u8 {
        self.fire_of(to, self.side.enemy())
    }

    fn fire_of(&self, to: Cell, side: crate::scenario::Side) -> u8 {
        let (rules, s) = (self.rules, self.s);
        if s.night {
            return 0;
        }
        let guns = Units(rules.guns.0 & rules.armies[side.index()].0);
        let guns = guns.into_iter().filter(|gun| rules.may_fire(s, *gun, to, false)).count() as u8;
        (guns + s.art[side.index()] + s.air[side.index()]).min(rules.tables.fire_max)
    }

    /// The best assault out of a zone in the combat phase.
    pub(super) fn real_prospect(&self, from: Cell, to: Cell) -> Option<Prospect> {
        let (rules, s) = (self.rules, self.s);
        let way = rules.scenario.grid.direction(from, to)?;
        let through = s.act.through;
        let chained = s.stage == Stage::NewAssault;
        self.prospect(from, to, |unit| {
            (!chained || through.has(unit))
                && rules.may_assault(s, unit, way)
                && (!s.night || rules.troop(unit).mode != Mode::Mechanized)
        })
    }

    /// The next combat: the best assault above the bar, then strikes, then guns that nobody needs.
    pub(super) fn combat(&self, choices: &[Choice]) -> usize {
        let bar = self.bar();
        let mut best = (i32::MIN, usize::MAX);
        for (at, &choice) in choices.iter().enumerate() {
            let worth = match choice {
                Choice::Assault { from, to } | Choice::Raid { from, to } => {
                    let Some(found) = self.real_prospect(from, to) else { continue };
                    if found.worth <= bar + i32::from(self.s.night) * 10 {
                        continue;
                    }
                    1000 + found.worth
                }
                Choice::Strike(unit) => self.strike_worth(unit),
                Choice::Shell(gun) => self.shell_worth(gun),
                _ => continue,
            };
            if worth > best.0 && worth > 0 {
                best = (worth, at);
            }
        }
        if best.1 < choices.len() {
            return best.1;
        }
        let rest = choices.iter().position(|choice| matches!(choice, Choice::End | Choice::Decline));
        rest.unwrap_or(0)
    }

    /// Strikes go first at what is lost for good.
    fn strike_worth(&self, unit: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let save = i32::from(rules.shelter_need(s, unit, true));
        let troop = rules.troop(unit);
        let lost = troop.mode == Mode::Mechanized || rules.breaks_for_good(s, unit);
        let prize = i32::from(troop.worth) * if lost { 2 } else { 1 };
        let worth = (10 - save) * prize * self.weights.air / 100;
        // A save that hardly fails is not worth an aircraft that could help an assault.
        if save >= 8 { 0 } else { 2000 + worth }
    }

    fn shell_worth(&self, gun: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let mut best = 0;
        for target in rules.targets(s, false) {
            if gun == NOBODY || rules.may_fire(s, gun, s.unit(target).zone, true) {
                best = best.max(self.target_worth(gun, target));
            }
        }
        // Corps artillery that is not needed now defends in the enemy's turn.
        let keep = if gun == NOBODY && !self.plan.attacks { 18 } else { 0 };
        (best - keep) * self.weights.shelling / 100
    }

    fn target_worth(&self, gun: u8, target: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let zone = s.unit(target).zone;
        let hit = i32::from(rules.ranged_need(gun, target, 0));
        let save = i32::from(rules.fire_save_need(s, gun, target));
        let mut prize = 30 + 10 * i32::from(rules.others(s, zone, NOBODY));
        if rules.key_at(zone).is_some() {
            prize += 20;
        }
        if rules.troop(target).detachment {
            prize += 20;
        }
        hit * (10 - save) * prize / 100
    }

    pub(super) fn target(&self, choice: Choice) -> i32 {
        if let Choice::At(unit) = choice { self.target_worth(self.s.act.lead, unit) } else { 0 }
    }

    /// The primary: whoever promises most with the others beside it.
    pub(super) fn leader(&self, choice: Choice) -> i32 {
        let Choice::Lead(lead) = choice else { return 0 };
        let (rules, s) = (self.rules, self.s);
        let (from, to) = (s.act.from, s.act.to);
        let Some(way) = rules.scenario.grid.direction(from, to) else { return 0 };
        let others: Units = s
            .stack(from)
            .filter(|unit| *unit != lead && rules.may_assault(s, *unit, way))
            .take(usize::from(rules.tables.in_zone_max))
            .collect();
        let (zones, fire) = (self.helping_zones(from, to), self.fire_at_hand(to));
        let fight = Fight { lead, supports: others, zones, fire, ..rules.fight(s) };
        self.analyse(&fight).map_or(i32::MIN + 1, |found| found.worth)
    }

    /// Adds what helps until the hit number can't grow: in-zone supports first, then zones, then fire.
    pub(super) fn force(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let attack = position(choices, Choice::Attack);
        if s.stage == Stage::RangedFire {
            return attack;
        }
        let fight = rules.fight(s);
        let Some(known) = rules.likely_defender(s, &fight) else { return attack };
        let short = rules.assault_need(s, &known) < rules.tables.hit_max as u8;
        // A support beside the primary helps its own save too.
        if s.act.group.len() < rules.tables.in_zone_max {
            let mates = |choice: Choice| match choice {
                Choice::With(unit) => 100 - i32::from(rules.troop(unit).worth),
                _ => i32::MIN,
            };
            let at = self.best(choices, mates);
            if matches!(choices[at], Choice::With(_)) {
                return at;
            }
        }
        if !short {
            return attack;
        }
        let at = self.best(choices, |choice| self.helper(choice));
        if matches!(choices[at], Choice::Join(_) | Choice::Fire(_)) { at } else { attack }
    }

    /// Helpers who lose least by helping come first.
    fn helper(&self, choice: Choice) -> i32 {
        let (rules, s) = (self.rules, self.s);
        match choice {
            Choice::Join(unit) => {
                let busy = s.unit(unit).result.moves() && s.unit(unit).mp > 0;
                let weak = 20 - i32::from(rules.troop(unit).worth);
                200 + weak - if busy { 150 } else { 0 }
            }
            Choice::Fire(Gun::Battalion(_)) => 120,
            Choice::Fire(Gun::Corps) => 100,
            Choice::Fire(Gun::Air) => 60,
            _ => 0,
        }
    }

    /// The defender that costs least: a small chance to be hit and to fail, and little to lose.
    pub(super) fn defender(&self, choice: Choice) -> i32 {
        let Choice::Defend(foe) = choice else { return 0 };
        let (rules, s) = (self.rules, self.s);
        let fight = Fight { foe, ..rules.fight(s) };
        let loss = i32::from(rules.assault_need(s, &fight)) * i32::from(10 - rules.defender_need(s, &fight));
        -loss * (20 + i32::from(rules.troop(foe).worth))
    }

    /// Guns on the map fire for nothing; corps artillery and aircraft only where much is at stake.
    pub(super) fn defensive_fire(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let fight = rules.fight(s);
        let loss = i32::from(rules.assault_need(s, &fight)) * i32::from(10 - rules.defender_need(s, &fight));
        let at = self.best(choices, |choice| match choice {
            Choice::Fire(Gun::Battalion(_)) if loss > 3 => 3,
            Choice::Fire(Gun::Corps) if loss > 15 => 2,
            Choice::Fire(Gun::Air) if loss > 25 => 1,
            Choice::Ready => 0,
            _ => i32::MIN,
        });
        if matches!(choices[at], Choice::Fire(_)) { at } else { position(choices, Choice::Ready) }
    }
}
