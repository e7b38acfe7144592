//! What is asked in between: order, rally, retreats, advances, works, rerolls.

use terrain::Cell;

use super::ending::Ending;
use super::{Desk, position};
use crate::choice::Choice;
use crate::state::{Job, NOBODY, Stage, Task};

impl Desk<'_> {
    /// First, but in the last turn the last word is worth more.
    pub(super) fn order(&self, choices: &[Choice]) -> usize {
        let last = self.s.turn == self.rules.scenario.turns;
        position(choices, if last { Choice::Second } else { Choice::First })
    }

    /// The battalion that is worth most and likeliest to come; for an enemy's the one that is worth least.
    pub(super) fn rally(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        if self.ending == Ending::Keep && choices.contains(&Choice::End) {
            return position(choices, Choice::End);
        }
        self.best(choices, |choice| match choice {
            Choice::Rally { hq, unit } => {
                i32::from(rules.rally_need(s, hq, unit)) * (10 + i32::from(rules.troop(unit).worth))
            }
            Choice::Pick(unit) if rules.troop(unit).side == self.side => i32::from(rules.troop(unit).worth),
            Choice::Pick(unit) => -i32::from(rules.troop(unit).worth),
            _ => 0,
        })
    }

    /// A safe place to come back to.
    pub(super) fn haven(&self, choice: Choice) -> i32 {
        if let Choice::Put(zone) = choice { self.safety(zone, NOBODY) } else { i32::MIN }
    }

    fn safety(&self, zone: Cell, unit: u8) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let mut score = i32::from(self.plan.enemy(zone).min(4)) * 6 - self.plan.threat(zone);
        score += 2 * i32::from(rules.others(s, zone, unit).min(3));
        if rules.lay(zone).rough {
            score += 4;
        }
        if rules.is_prepared(s, zone, self.side) {
            score += 8;
        }
        if rules.key_at(zone).is_some() {
            score += 6;
        }
        score
    }

    /// Where to retreat to.
    pub(super) fn refuge(&self, choice: Choice) -> i32 {
        if let Choice::Retreat { unit, zone } = choice { self.safety(zone, unit) } else { i32::MIN }
    }

    /// Whether the tally leaves room for markers.
    fn can_afford(&self, markers: u16) -> bool {
        let side = self.side.index();
        let tally = i32::from(self.s.tally[side] + markers) * 100;
        tally <= i32::from(self.rules.scenario.sides[side].break_at) * self.weights.prudence
    }

    /// Stand on what must be held, else fall back, which costs nothing (rule 10.3).
    pub(super) fn fallback(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let zone = s.act.from;
        let price = rules.battalions_of(s.act.group);
        let others_stay = s
            .stack(zone)
            .filter(|unit| !s.act.group.has(*unit) && rules.troop(*unit).class.is_combat())
            .count();
        let must = (rules.key_at(zone).is_some() || rules.is_prepared(s, zone, self.side))
            && s.act.group.into_iter().any(|unit| rules.troop(unit).class.is_combat())
            && self.plan.enemy(zone) <= 2
            && others_stay < 2;
        if must && self.can_afford(u16::from(price.max(1))) {
            return position(choices, Choice::Stand);
        }
        self.best(choices, |choice| self.refuge(choice))
    }

    /// Hold or give way under fire.
    pub(super) fn under_fire(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let hold = position(choices, Choice::Hold);
        if s.stage == Stage::GunnerResult {
            return self.after_misfire(choices, hold);
        }
        let target = s.act.foe;
        let (zone, price) = (s.unit(target).zone, rules.hold_price(s, target));
        let must = rules.key_at(zone).is_some() || rules.is_prepared(s, zone, self.side);
        let holds = self.can_afford(price) && (price == 1 || (must && price <= 2));
        if holds {
            return hold;
        }
        let away = self.best(choices, |choice| match choice {
            Choice::Retreat { .. } => self.refuge(choice),
            Choice::Break(_) => i32::MIN + 2,
            _ => i32::MIN + 1,
        });
        // To break up is worse than a few markers.
        if matches!(choices[away], Choice::Break(_)) && price <= 2 { hold } else { away }
    }

    /// A gun whose fire went wrong goes back, which costs nothing (ruling R25), where it can fire from there as well.
    fn after_misfire(&self, choices: &[Choice], hold: usize) -> usize {
        let (s, gun) = (self.s, self.s.act.lead);
        let away = self.best(choices, |choice| match choice {
            Choice::Retreat { zone, .. } => self.gun_score(gun, zone),
            _ => i32::MIN,
        });
        match choices[away] {
            Choice::Retreat { zone, .. }
                if !self.can_afford(1)
                    || self.gun_score(gun, zone) > self.gun_score(gun, s.unit(gun).zone) - 10 =>
            {
                away
            }
            _ => hold,
        }
    }

    /// Whether to take a position, and with whom.
    pub(super) fn advance(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let to = s.act.to;
        let decline = position(choices, Choice::Decline);
        let prize = rules.key_at(to).is_some_and(|key| rules.holder(s, key) != self.side);
        let at = self.best(choices, |choice| match choice {
            Choice::Advance(unit) => {
                let from = s.unit(unit).zone;
                let leaves = rules.key_at(from).is_some_and(|key| rules.holder(s, key) == self.side)
                    && rules.others(s, from, unit) == 0
                    && self.plan.enemy(from) <= 2;
                self.zone_score(unit, to, 0) - self.zone_score(unit, from, 0) - if leaves { 60 } else { 0 }
            }
            _ => i32::MIN,
        });
        let Choice::Advance(unit) = choices[at] else { return decline };
        let gain = self.zone_score(unit, to, 0) - self.zone_score(unit, s.unit(unit).zone, 0);
        if prize || gain > -6 { at } else { decline }
    }

    /// On from the position: to an open objective, or a clear gain; then look at the enemy.
    pub(super) fn advance_on(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let limited = s.stage == Stage::LimitedGroup;
        let unit = if limited { s.act.lead } else { s.act.foe };
        let here = s.unit(unit).zone;
        let stay = self.zone_score(unit, here, 0) + 10;
        let at = self.best(choices, |choice| match choice {
            Choice::Step(zone) => self.zone_score(unit, zone, 0),
            // A second battalion makes the position safe.
            Choice::With(mate)
                if limited && s.act.group.len() == 1 && rules.key_at(s.unit(mate).zone).is_none() =>
            {
                stay + 1
            }
            _ => i32::MIN,
        });
        let worth = match choices[at] {
            Choice::Step(zone) => self.zone_score(unit, zone, 0),
            Choice::With(_) => stay + 1,
            _ => i32::MIN,
        };
        if worth > stay {
            return at;
        }
        self.best(choices, |choice| self.facing(here, choice))
    }

    /// The most useful work, or none.
    pub(super) fn engineering(&self, choices: &[Choice]) -> usize {
        let end = position(choices, Choice::End);
        if self.plan.last_word {
            return end;
        }
        let worth = |choice| if let Choice::Work(job) = choice { self.job_worth(job) } else { 0 };
        let at = self.best(choices, worth);
        if worth(choices[at]) > 0 { at } else { end }
    }

    fn job_worth(&self, job: Job) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let zone = s.unit(job.unit).zone;
        let enemy = self.plan.enemy(zone);
        let need = i32::from(rules.work_need(s, job));
        let post = rules.key_at(zone).is_some();
        let worth = match job.task {
            Task::Prepare if enemy <= 4 || post => {
                3 + if post { 4 } else { 0 } + self.plan.threat(zone).min(6)
            }
            Task::Mine if job.zone == zone && enemy <= 3 && !self.plan.attacks => {
                3 + self.plan.threat(zone).min(5)
            }
            Task::Blow if !self.plan.attacks && self.worth_blowing(zone, job.zone) => 12,
            Task::Repair | Task::Bridge if self.plan.attacks && self.worth_bridging(zone, job.zone) => 9,
            Task::ClearMines if self.plan.attacks => 6,
            Task::ClearRoad if self.plan.attacks => 2,
            _ => 0,
        };
        worth * need
    }

    /// A bridge with the enemy before it and nobody of ours beyond.
    fn worth_blowing(&self, here: Cell, beyond: Cell) -> bool {
        let (rules, s) = (self.rules, self.s);
        self.side == rules.defender()
            && !rules.holds(s, beyond, self.side)
            && self.plan.enemy(beyond) <= 2
            && self.plan.enemy(here) <= 3
    }

    /// A way over a river that brings somebody nearer to an objective. What stood at the start was blown by the defender:
    /// the commander of the aggressor blows nothing, and the defender does not repair its own demolitions.
    fn worth_bridging(&self, here: Cell, beyond: Cell) -> bool {
        let (rules, s) = (self.rules, self.s);
        let bridge = rules.scenario.grid.direction(here, beyond);
        let bridge = bridge.and_then(|way| rules.scenario.bridge_at(here, way));
        let own_demolition =
            self.side == rules.defender() && bridge.is_some_and(|at| rules.scenario.bridges[at].intact);
        let wanted = rules.scenario.keys.iter().enumerate();
        let mut wanted = wanted.filter(|(key, info)| info.vp > 0 && rules.holder(s, *key) != self.side);
        !own_demolition && wanted.any(|(key, _)| self.plan.is_nearer_over(key as u8, here, beyond))
    }

    /// A die that fails is rolled again.
    pub(super) fn keep_or_reroll(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let act = &s.act;
        let need = match s.stage {
            Stage::Initiative => 6,
            Stage::Supports => rules.tables.support_success,
            Stage::Recovery => rules.tables.rally[rules.troop(act.lead).quality as usize],
            Stage::RallyDie => rules.rally_need(s, act.lead, act.foe),
            Stage::ActivationDie => 7_u8.saturating_sub(rules.activation_shift(s, act.group)),
            Stage::DemolitionDie => rules.tables.works.bridge_blow_in_move,
            Stage::EngineeringDie => rules.work_need(s, act.job),
            Stage::StrikeDie => rules.tables.air_attack_max,
            Stage::StrikeSave => rules.shelter_need(s, act.foe, true),
            Stage::RangedDie => rules.ranged_need(act.lead, act.foe, act.fire[0].count()),
            Stage::RangedSave => rules.fire_save_need(s, act.lead, act.foe),
            Stage::GunnerSave => rules.gunner_need(s, act.lead),
            Stage::AssaultDie => rules.assault_need(s, &rules.fight(s)),
            Stage::DefenderSave => rules.defender_need(s, &rules.fight(s)),
            Stage::AttackerSave => rules.attacker_need(s, &rules.fight(s)),
            _ => rules.tables.airdrop_success,
        };
        // Small matters keep their dice: tokens are for battles.
        let matters = !matches!(
            s.stage,
            Stage::Supports | Stage::EngineeringDie | Stage::Airdrop | Stage::ActivationDie
        ) || s.rerolls[self.side.index()] > 3;
        position(choices, if s.die > need && matters { Choice::Reroll } else { Choice::Keep })
    }
}
