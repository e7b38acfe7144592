//! Command and Movement: whether to play a card, what to declare, which unit goes where.

use crate::areas::{AreaSet, NONE};
use crate::cards::{Card, Deck};
use crate::choice::Choice;
use crate::factions::Faction;
use crate::policy::Mind;
use crate::policy::plans::{AllWays, Plan, Ways};
use crate::stage::Stage;
use crate::state::{Declared, Part};
use crate::units::Kind;
use crate::world::Atlas;

/// How much better a place must be for a unit to go there without a fight.
const WORTH_MOVING: i32 = 45;

impl Mind<'_> {
    /// A Command card, or a pass.
    pub fn choose_command(&mut self, choices: &[Choice]) -> usize {
        let pass = choices.iter().position(|choice| *choice == Choice::Pass).unwrap_or(0);
        if self.state.stage == Stage::SecondCard {
            return if choices.len() > 1 && self.danger() > 2 { 0 } else { pass };
        }
        let value = |card: Card| i32::from(self.rules.world.action(card).value);
        let mut valid: Option<(i32, usize)> = None;
        let mut spare: Option<(i32, usize)> = None;
        for (at, &choice) in choices.iter().enumerate() {
            let Choice::Commit(card) = choice else { continue };
            if card.deck() == Deck::Investment {
                continue;
            }
            let kept = value(card);
            if self.rules.is_valid(self.state, card) {
                if valid.is_none_or(|(most, _)| kept > most) {
                    valid = Some((kept, at));
                }
            } else if spare.is_none_or(|(least, _)| kept < least) {
                spare = Some((kept, at));
            }
        }
        let war = self.state.of(self.me).at_war();
        let danger = self.danger();
        if let Some((moves, at)) = valid {
            let ways = self.ways();
            let may_declare = self.state.part != Part::Winter;
            let plan = self.best_plan(&ways, moves as u8, may_declare);
            let threshold = if self.campaigns() { 25 } else { 60 };
            if let Some(plan) = plan.filter(|plan| plan.score > threshold) {
                self.tell(&plan);
                return at;
            }
            if danger > 2 && (war || danger > 6) {
                self.say("A capital needs more defenders.");
                return at;
            }
        } else if let Some((_, at)) = spare.filter(|_| war && danger > 5) {
            self.say("An emergency: a capital is in danger.");
            return at;
        }
        pass
    }

    /// How much defence own capitals lack.
    fn danger(&self) -> i32 {
        self.own_capitals().map(|area| self.need(area)).sum()
    }

    /// Gives a plan as the reason, where one is asked for.
    fn tell(&mut self, plan: &Plan) {
        if !self.tells {
            return;
        }
        let name = &self.rules.atlas().area(plan.target).name;
        let (score, odds) = (plan.score, plan.odds);
        self.reason = format!(
            "{name}: odds {}.{}, worth {}.{:02} VP after all costs.",
            odds / 100,
            odds % 100 / 10,
            score / 100,
            score % 100
        );
    }

    /// The next move, a declaration, or the end.
    pub fn choose_movement(&mut self, choices: &[Choice]) -> usize {
        let end = choices.iter().position(|choice| *choice == Choice::End).unwrap_or(0);
        if let Some(bomb) = choices.iter().position(|choice| *choice == Choice::Bomb) {
            self.say("The bomb wins the war.");
            return bomb;
        }
        let ways = self.ways();
        if let Some(declared) = self.state.turn.declared {
            return self.fulfil(choices, &ways, declared);
        }
        let turn = &self.state.turn;
        let calm = turn.emergency || turn.defensive;
        if let Some(plan) = self.next_plan(&ways).filter(|_| !calm) {
            let next = match plan.declare {
                Some(declare) => choices.iter().position(|choice| *choice == declare),
                None => self.attacker(choices, &ways, plan.target),
            };
            if let Some(at) = next {
                self.tell(&plan);
                return at;
            }
        }
        self.reinforce(choices, &ways).unwrap_or(end)
    }

    /// The best attack that still wants units.
    fn next_plan(&self, ways: &AllWays) -> Option<Plan> {
        let turn = &self.state.turn;
        let plan = self.best_plan(ways, turn.moves, turn.may_declare)?;
        if plan.declare.is_none() && self.is_plenty(&plan) {
            // Enough there: what else?
            let rest = ways.elsewhere(plan.target);
            let next = self.best_plan(&rest, turn.moves, turn.may_declare)?;
            return (!self.is_plenty(&next) || next.declare.is_some()).then_some(next);
        }
        Some(plan)
    }

    /// The strongest unit that can join an attack.
    fn attacker(&self, choices: &[Choice], ways: &[Ways], target: u8) -> Option<usize> {
        let mut best = (0, None);
        for (at, &choice) in choices.iter().enumerate() {
            let Choice::Move(block) = choice else { continue };
            let block = usize::from(block);
            let Some(way) = ways.iter().find(|way| way.block == block) else { continue };
            if !way.open.has(target) || self.holds_capital(block) {
                continue;
            }
            let unit = &self.state.blocks[block];
            if unit.area == target || unit.kind == Kind::Submarine {
                continue;
            }
            let first = i32::from(unit.kind.is_ground() && !self.stance().ground.has(target)) * 1_000;
            let rating = 1 + first + self.fire(block, unit) + self.cv(block, unit);
            if rating > best.0 {
                best = (rating, Some(at));
            }
        }
        best.1
    }

    /// The area at which a declaration aims.
    fn goal(&self, ways: &[Ways], declared: Declared) -> Option<u8> {
        let atlas = self.rules.atlas();
        match declared {
            Declared::Violation(nation) | Declared::Intervention(nation) => {
                Some(atlas.nation(nation).capital).filter(|capital| *capital != NONE)
            }
            Declared::War(rival) => {
                let plan = self.best_plan(ways, self.state.turn.moves, false)?;
                let against =
                    self.state.controls(rival, plan.target) || self.state.parties(plan.target).has(rival);
                against.then_some(plan.target)
            }
        }
    }

    /// The strongest unit that fulfils a declaration.
    fn fulfil(&self, choices: &[Choice], ways: &[Ways], declared: Declared) -> usize {
        let goal = self.goal(ways, declared).unwrap_or(NONE);
        let mut best = (i32::MIN, 0);
        for (at, &choice) in choices.iter().enumerate() {
            let Some(block) = choice.block() else { continue };
            let unit = &self.state.blocks[block];
            let mut rating =
                self.fire(block, unit) + self.cv(block, unit) + 500 * i32::from(unit.kind.is_ground());
            if self.holds_capital(block) {
                rating -= 700;
            }
            if let Some(way) = ways.iter().find(|way| way.block == block) {
                rating += 400 * i32::from(goal != NONE && way.open.has(goal));
            }
            if rating > best.0 {
                best = (rating, at);
            }
        }
        best.1
    }

    /// A unit that is more useful elsewhere.
    fn reinforce(&mut self, choices: &[Choice], ways: &[Ways]) -> Option<usize> {
        let war = self.state.of(self.me).at_war();
        if !war && self.danger() == 0 {
            return None;
        }
        let mut best = (WORTH_MOVING, None);
        for (at, &choice) in choices.iter().enumerate() {
            let Choice::Move(block) = choice else { continue };
            let block = usize::from(block);
            let Some(way) = ways.iter().find(|way| way.block == block) else { continue };
            if self.holds_capital(block) {
                continue;
            }
            let kind = self.state.blocks[block].kind;
            let here = self.post(kind, self.state.blocks[block].area);
            let quiet = way.open.minus(self.stance().foes).minus(self.stance().enemy);
            let there = quiet.iter().map(|area| self.post(kind, area)).max().unwrap_or(i32::MIN);
            if there.saturating_sub(here) > best.0 {
                best = (there - here, Some(at));
            }
        }
        best.1
    }

    /// How well a unit of a type stands in an area.
    fn post(&self, kind: Kind, area: u8) -> i32 {
        let war = self.state.of(self.me).at_war();
        if Atlas::is_sea(area) {
            return match kind {
                Kind::Submarine if war => self.hunting_ground(area),
                _ if kind.is_ship() => -15,
                _ => -90,
            };
        }
        let need = self.need(area).min(6);
        let capital = i32::from(self.own_capitals().any(|own| own == area));
        let guard = if kind.is_ground() || kind == Kind::AirForce { need * (15 + 20 * capital) } else { 0 };
        let foes = self.stance().foes;
        let front = if war && (kind.is_troop() || kind == Kind::AirForce) {
            let near = self.nearest(area, foes.and(AreaSet::LAND));
            if near == NONE { 0 } else { 40 - 8 * i32::from(near.min(5)) }
        } else {
            0
        };
        guard + front
    }

    /// Seas where Submarines hurt an Enemy's trade.
    fn hunting_ground(&self, area: u8) -> i32 {
        let enemies = self.state.of(self.me).enemies;
        let lanes: i32 = enemies
            .factions()
            .map(|enemy| {
                let capital = self.rules.atlas().factions[enemy.index()].main_capital;
                let far = i32::from(self.distance(area, capital).min(9));
                let ocean = i32::from(self.rules.atlas().oceans.has(area)) * 15;
                if enemy == Faction::West { 60 - 12 * far + ocean } else { 20 - 8 * far }
            })
            .max()
            .unwrap_or(0);
        lanes - 40 * i32::from(self.stance().foes.has(area))
    }

    /// Where the picked unit goes.
    pub fn choose_destination(&mut self, choices: &[Choice]) -> usize {
        let block = usize::from(self.state.picked);
        let kind = self.state.blocks[block].kind;
        let ways = self.ways();
        let calm = self.state.turn.emergency || self.state.turn.defensive;
        let goal = match self.state.turn.declared {
            Some(declared) => self.goal(&ways, declared),
            None if calm => None,
            None => self.next_plan(&ways).filter(|plan| plan.declare.is_none()).map(|plan| plan.target),
        };
        let declared = self.state.turn.declared.is_some();
        let stance = *self.stance();
        let rate = |mind: &Self, choice: Choice| {
            let Choice::To(to, via) = choice else { return 0 };
            let aim = i32::from(Some(to) == goal) * 5_000;
            let room = if via == NONE {
                0
            } else {
                mind.rules.atlas().border(via, to).map_or(0, |edge| {
                    i32::from(mind.rules.border_left(mind.state, &stance, edge.border, false)) * 3
                })
            };
            // A landing does not fight this turn.
            let landing = i32::from(via != NONE && Atlas::is_sea(via) && kind.is_troop()) * -20;
            let fights = stance.foes.has(to);
            let enters = stance.enemy.has(to) && !fights;
            let rating = match () {
                () if fights && declared => 400 - mind.defence(to).1 / 4 + mind.prize_of(to),
                () if fights && aim == 0 => -2_000,
                () if fights => 0,
                () if enters && kind.is_ground() => 30 + mind.prize_of(to),
                () => mind.post(kind, to),
            };
            aim + room + landing + rating
        };
        self.best(choices, rate)
    }

    /// What an area is worth to take, roughly.
    fn prize_of(&self, area: u8) -> i32 {
        if Atlas::is_sea(area) {
            return 0;
        }
        self.place_value(area) / 3 + 40 * i32::from(self.rules.atlas().area(area).capital)
    }
}
