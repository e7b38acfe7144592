//! Where to fight: assaults, bombardments and air strikes weighed against each other.

use terrain::Cell;

use super::ending::Ending;
use super::{Desk, position};
use crate::battalions::{Class, Mode};
use crate::choice::{Choice, Gun};
use crate::combat::Fight;
use crate::scenario::Side;
use crate::state::{NOBODY, Stage, work};
use crate::units::Units;

/// What an assault that could still win the battle is wanted beyond its balance.
const LAST_CHANCE: i32 = 200;

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
        let spent = |side: Side| {
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

    /// How much an assault is wanted; `None` where it does not pass the bar. In the last turn nothing that could win is left
    /// untried, and nothing is risked where the battle is won.
    pub(super) fn appeal(&self, found: &Prospect) -> Option<i32> {
        match self.ending {
            Ending::Keep => None,
            Ending::Try if found.win > 0 && self.could_decide(found.fight.to) => {
                Some(LAST_CHANCE + found.worth)
            }
            Ending::Try | Ending::Open => (found.worth > self.bar()).then_some(found.worth),
        }
    }

    /// What an assault with all the help at hand promises, for the best primary. `ready` says who may take part.
    pub(super) fn prospect(
        &self,
        from: Cell,
        to: Cell,
        mut ready: impl FnMut(u8) -> bool,
    ) -> Option<Prospect> {
        let force: Units = self.s.stack(from).filter(|unit| ready(*unit)).collect();
        let fight = self.with_all_help(from, to, Units::EMPTY);
        let mut best: Option<Prospect> = None;
        for lead in force {
            let mut mates = force;
            mates.remove(lead);
            let Some(found) = self.best_of(&Fight { lead, ..fight }, mates) else { continue };
            if best.is_none_or(|best| found.worth > best.worth) {
                best = Some(found);
            }
        }
        best
    }

    /// An assault between two zones with all the help at hand, and the fire that must be expected in answer; nobody leads
    /// it yet. `group` is on the march and helps from nowhere else.
    pub(super) fn with_all_help(&self, from: Cell, to: Cell, group: Units) -> Fight {
        Fight {
            from,
            to,
            lead: NOBODY,
            foe: NOBODY,
            supports: Units::EMPTY,
            zones: self.helping_zones(from, to, group),
            fire: self.fire_at_hand(to),
            answer: self.foreseen_fire(to),
            raid: self.s.night,
        }
    }

    /// The best that a primary can make of its mates: two beside it, or fewer where somebody has to keep the ground.
    pub(super) fn best_of(&self, fight: &Fight, mates: Units) -> Option<Prospect> {
        let mut fight = Fight { supports: self.helpers(mates, fight.to), ..*fight };
        let mut best = self.analyse(&fight)?;
        while !fight.supports.is_empty() && self.uncovered(&fight) > 0 {
            fight.supports = fight.supports.into_iter().skip(1).collect();
            let fewer = self.analyse(&fight)?;
            if fewer.worth > best.worth {
                best = fewer;
            }
        }
        Some(best)
    }

    /// The mates who go along with a primary.
    fn helpers(&self, mut mates: Units, to: Cell) -> Units {
        let mut chosen = Units::EMPTY;
        while chosen.len() < self.rules.tables.in_zone_max
            && let Some(next) = mates.into_iter().max_by_key(|mate| self.mate_worth(*mate, to))
        {
            mates.remove(next);
            chosen.insert(next);
        }
        chosen
    }

    /// Engineers help against a prepared position (rule 12.6); otherwise whoever is worth least goes along.
    fn mate_worth(&self, mate: u8, to: Cell) -> i32 {
        let troop = self.rules.troop(mate);
        let needed = troop.class == Class::Engineers && self.rules.is_prepared(self.s, to, self.side.enemy());
        if needed { 100 } else { -i32::from(troop.worth) }
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
        // The primary is shattered, the others retreat (rule 12.7), and what stood behind them lies open.
        let price = 50
            + 5 * i32::from(rules.troop(fight.lead).worth)
            + 10 * i32::from(fight.supports.len())
            + self.uncovered(&fight);
        let worth = (win * prize / 100 * weights.assault - repulse * price / 100 * weights.repulse) / 100;
        Some(Prospect { fight, win, repulse, worth })
    }

    /// What a repulse would leave without cover, where everybody who fights takes part: an objective or a supply point in
    /// the attacking zone or next to it, guns, an HQ.
    fn uncovered(&self, fight: &Fight) -> i32 {
        let (rules, s) = (self.rules, self.s);
        let takes_part = |unit: u8| unit == fight.lead || fight.supports.has(unit);
        let stays = |unit: u8| !takes_part(unit) && rules.troop(unit).class.is_combat();
        if self.plan.last_word || s.stack(fight.from).any(stays) {
            return 0;
        }
        let place = |zone: Cell| {
            let key = rules.key_at(zone).filter(|key| rules.holder(s, *key) == self.side);
            key.map_or(0, |key| 30 + 12 * i32::from(rules.scenario.keys[key].vp))
        };
        let left_alone = |unit: u8| {
            let troop = rules.troop(unit);
            if troop.is_hq() { 20 } else { 6 * i32::from(troop.worth) }
        };
        let here: i32 = s.stack(fight.from).filter(|unit| !takes_part(*unit)).map(left_alone).sum();
        let behind: i32 =
            rules.around(fight.from).filter(|zone| s.is_empty(*zone)).map(|zone| place(zone) / 2).sum();
        place(fight.from) + here + behind
    }

    /// Zones beside that could lend a hand, at most two. `group` is on the march.
    fn helping_zones(&self, from: Cell, to: Cell, group: Units) -> u8 {
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
                && s.stack(zone).any(|unit| !group.has(unit) && rules.may_contribute(s, unit))
            {
                count += 1;
            }
        };
        rules.around(to).for_each(&mut look);
        rules.around(from).filter(|zone| !rules.touch(*zone, to)).for_each(&mut look);
        count
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
        let rest = choices.iter().position(|choice| matches!(choice, Choice::End | Choice::Decline));
        let rest = rest.unwrap_or(0);
        if self.ending == Ending::Keep {
            return rest;
        }
        let main = self.best_of_all(choices, None);
        let assault = main.and_then(|(_, _, fight)| self.best_of_all(choices, Some(&fight))).or(main);
        let mut best = assault.map_or((0, rest), |(appeal, at, _)| (1000 + appeal, at));
        for (at, &choice) in choices.iter().enumerate() {
            let worth = match choice {
                Choice::Strike(unit) if !self.spoils(main, unit) => self.strike_worth(unit),
                Choice::Shell(gun) => self.shell_worth(gun),
                _ => continue,
            };
            if worth > best.0 {
                best = (worth, at);
            }
        }
        best.1
    }

    /// The assault that is wanted most: how much, which choice it is, and what it looks like. With `before`, only one that
    /// would help that one on its way: out of another zone against a zone that supports its defender, since whoever has
    /// been assaulted supports nobody (rule 12.4).
    fn best_of_all(&self, choices: &[Choice], before: Option<&Fight>) -> Option<(i32, usize, Fight)> {
        let (rules, s) = (self.rules, self.s);
        let helps = |from: Cell, to: Cell| {
            before.is_none_or(|main| {
                !s.night
                    && from != main.from
                    && to != main.to
                    && rules.touch(to, main.to)
                    && s.zones[usize::from(to)].works & work::PINNED == 0
                    && rules.assault_need(s, main) < rules.tables.hit_max as u8
            })
        };
        let mut best: Option<(i32, usize, Fight)> = None;
        for (at, &choice) in choices.iter().enumerate() {
            if let Choice::Assault { from, to } | Choice::Raid { from, to } = choice
                && helps(from, to)
                && let Some(found) = self.real_prospect(from, to)
                && let Some(appeal) = self.appeal(&found)
                // By night it must be ten better.
                && (!s.night || found.worth > self.bar() + 10)
                && best.is_none_or(|(most, ..)| appeal > most)
            {
                best = Some((appeal, at, found.fight));
            }
        }
        best
    }

    /// Whether a strike at a battalion would rule out the assault that is wanted most: nobody is attacked twice (rule 11.1).
    fn spoils(&self, assault: Option<(i32, usize, Fight)>, target: u8) -> bool {
        let (rules, s) = (self.rules, self.s);
        let zone = s.unit(target).zone;
        let another =
            |unit: u8| unit != target && rules.is_target(s, unit) && rules.troop(unit).class.is_combat();
        assault.is_some_and(|(_, _, fight)| fight.to == zone) && !s.stack(zone).any(another)
    }

    /// The primary: whoever promises most with the others beside it.
    pub(super) fn leader(&self, choice: Choice) -> i32 {
        let Choice::Lead(lead) = choice else { return 0 };
        self.led_by(lead).map_or(i32::MIN + 1, |found| found.worth)
    }

    /// What the assault that was begun promises with this primary.
    pub(super) fn led_by(&self, lead: u8) -> Option<Prospect> {
        let (rules, s) = (self.rules, self.s);
        let (from, to) = (s.act.from, s.act.to);
        let way = rules.scenario.grid.direction(from, to)?;
        let mates = s.stack(from).filter(|unit| *unit != lead && rules.may_assault(s, *unit, way)).collect();
        self.best_of(&Fight { lead, ..self.with_all_help(from, to, Units::EMPTY) }, mates)
    }

    /// Adds what helps until the hit number can't grow, the fire of the defender included: in-zone supports first, then
    /// zones, then fire.
    pub(super) fn force(&self, choices: &[Choice]) -> usize {
        let (rules, s) = (self.rules, self.s);
        let attack = position(choices, Choice::Attack);
        if s.stage == Stage::RangedFire {
            return attack;
        }
        let fight = rules.fight(s);
        // A support beside the primary helps its own save too.
        if s.act.group.len() < rules.tables.in_zone_max {
            let at = self.best(choices, |choice| match choice {
                Choice::With(unit) => self.mate_worth(unit, fight.to),
                _ => i32::MIN,
            });
            if let Choice::With(mate) = choices[at]
                && self.gains_by(&fight, mate)
            {
                return at;
            }
        }
        let expected = Fight { answer: self.foreseen_fire(fight.to), ..fight };
        let Some(known) = rules.likely_defender(s, &expected) else { return attack };
        if rules.assault_need(s, &known) >= rules.tables.hit_max as u8 {
            return attack;
        }
        let at = self.best(choices, |choice| self.helper(choice));
        if matches!(choices[at], Choice::Join(_) | Choice::Fire(_)) { at } else { attack }
    }

    /// Whether an assault is better with one battalion more beside the primary: not where its place must be kept.
    fn gains_by(&self, fight: &Fight, mate: u8) -> bool {
        let Fight { lead, supports, from, to, .. } = *fight;
        let alone = Fight { lead, supports, ..self.with_all_help(from, to, Units::EMPTY) };
        let mut joined = alone;
        joined.supports.insert(mate);
        let worth = |fight: &Fight| self.analyse(fight).map_or(i32::MIN, |found| found.worth);
        worth(&joined) >= worth(&alone)
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
}
