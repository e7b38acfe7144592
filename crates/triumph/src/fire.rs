//! Combat Actions: fire, bombing, strikes, hits. Rules 12.3, 12.4, 12.62, 12.74; rulings R22, R64 to R66, R104, R109.

use kernel::EventSink;

use crate::areas::NONE;
use crate::cards::Tech;
use crate::choice::Choice;
use crate::combat::seen;
use crate::factions::{Faction, Power};
use crate::game_event::{Cause, GameEvent};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{State, flag};
use crate::units::{Class, Kind};
use crate::world::Atlas;

/// The class of a shot at industry.
pub(crate) const INDUSTRY: u8 = 4;
/// The firepower of a Carrier Strike and of bombing. Rules 12.62, 12.74.
const AT_ONE: u8 = 1;

impl Rules {
    /// The classes that the opponents of a block show, as bits.
    pub(crate) fn target_classes(&self, state: &State, block: usize) -> u8 {
        let attacking = self.attacks(state, block);
        let at_sea = Atlas::is_sea(state.battle.area);
        let mut classes = 0;
        for (other, unit) in state.blocks_at(state.battle.area) {
            let opposed = if attacking { self.defends(state, other) } else { self.attacks(state, other) };
            if opposed {
                classes |= 1 << unit.kind.class(at_sea) as u8;
            }
        }
        classes
    }

    /// What a die must show at most for a block to hit a class; 0 if it can't fire at it. Rule 3.15.
    pub fn firepower(&self, state: &State, block: usize, class: Class) -> u8 {
        let kind = state.blocks[block].kind;
        let base = self.atlas().types[kind.index()].fire[class as usize];
        let sonar = State::owner(block).is_some_and(|owner| state.of(owner).knows(Tech::Sonar));
        if kind == Kind::Fleet && class == Class::Submarine && sonar { 3 } else { base }
    }

    /// How many dice a block rolls at a class. Rules 12.4, 9 (AirDefense Radar).
    pub fn dice(&self, state: &State, block: usize, class: Class) -> u8 {
        let unit = &state.blocks[block];
        let radar = unit.kind == Kind::AirForce
            && class == Class::Air
            && State::owner(block).is_some_and(|owner| {
                state.of(owner).knows(Tech::AirDefenseRadar) && state.controls(owner, unit.area)
            });
        if radar { unit.cv * 2 } else { unit.cv }
    }

    /// Whether a block acts at all in this Battle. Rules 11.221, 12.72.
    fn is_able(&self, unit: &crate::state::Block) -> bool {
        !unit.is(flag::DISRUPTED) && !Self::is_convoy(unit)
    }

    /// Whether a unit can Fire or Retreat. Ruling R64.
    pub(crate) fn can_act(&self, state: &State, block: usize) -> bool {
        let unit = &state.blocks[block];
        if !self.is_able(unit) {
            return false;
        }
        let classes = self.target_classes(state, block);
        let fires = Class::ALL
            .into_iter()
            .any(|class| classes >> class as u8 & 1 != 0 && self.firepower(state, block, class) > 0);
        if fires || self.can_bomb(state, block) {
            return true;
        }
        let Some(owner) = State::owner(block) else { return false };
        let stance = self.stance(state, owner);
        !self.retreats(state, &stance, block).is_empty()
            || !self.rebase_goals(state, &stance, block).is_empty()
    }

    /// Whether an Air Force can bomb industry here: only in its own turn. Rule 12.62, ruling R109.
    fn can_bomb(&self, state: &State, block: usize) -> bool {
        let unit = &state.blocks[block];
        let Some(owner) = State::owner(block) else { return false };
        unit.kind == Kind::AirForce
            && state.turn.faction == owner
            && state.of(owner).knows(Tech::PrecisionBombsight)
            && self.bombed(state, owner, unit.area).is_some()
    }

    /// The Enemy whose main capital an area is; one that the bomber's own Faction controls is no Enemy capital any more.
    fn bombed(&self, state: &State, owner: Faction, area: u8) -> Option<Faction> {
        let mut enemies = state.of(owner).enemies.factions();
        enemies.find(|enemy| {
            self.atlas().factions[enemy.index()].main_capital == area
                && state.of(*enemy).ind > 0
                && !state.controls(owner, area)
        })
    }

    /// The Combat Actions of a Faction's units of the current type. Ruling R65.
    pub(crate) fn list_actions(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        let stance = self.stance(state, faction);
        let attacking = faction == state.turn.faction;
        for (block, unit) in state.own_at(faction, state.battle.area) {
            let on_side = if attacking { self.attacks(state, block) } else { self.defends(state, block) };
            if !on_side
                || unit.kind != state.battle.kind
                || unit.is(flag::ACTED)
                || !self.is_able(unit)
                || !Self::is_first_alike(state, block)
            {
                continue;
            }
            let at = block as u8;
            let classes = self.target_classes(state, block);
            for class in Class::ALL {
                if classes >> class as u8 & 1 != 0 && self.firepower(state, block, class) > 0 {
                    out.push(Choice::Fire(at, class));
                }
            }
            if self.can_bomb(state, block) {
                out.push(Choice::Raid(at));
            }
            let retreats = self.retreats(state, &stance, block);
            let rebases = self.rebase_goals(state, &stance, block);
            let naval = classes >> Class::Naval as u8 & 1 != 0;
            if unit.kind == Kind::Carrier && naval && !(retreats.is_empty() && rebases.is_empty()) {
                out.push(Choice::Strike(at));
            }
            out.extend(retreats.iter().map(|to| Choice::Retreat(at, to)));
            out.extend(rebases.minus(retreats).iter().map(|to| Choice::Rebase(at, to)));
        }
    }

    /// A unit fires: the dice are Fate's.
    pub(crate) fn fire<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        block: usize,
        class: u8,
        sink: &mut S,
    ) {
        state.battle.firing = block as u8;
        state.battle.class = class;
        let (dice, needs) = self.shot(state);
        let unit = seen(block, &state.blocks[block]);
        let class = Class::ALL.get(usize::from(class)).copied();
        sink.emit(|| GameEvent::Fires { unit, class, dice, needs });
        state.stage = Stage::Dice;
    }

    /// The dice of the shot in the air, and what each needs.
    pub(crate) fn shot(&self, state: &State) -> (u8, u8) {
        let block = usize::from(state.battle.firing);
        let unit = &state.blocks[block];
        if state.battle.class == INDUSTRY {
            return (unit.cv, AT_ONE);
        }
        let class = Class::ALL[usize::from(state.battle.class) & 3];
        if unit.kind == Kind::Carrier && state.battle.striking {
            return (unit.cv, AT_ONE);
        }
        (self.dice(state, block, class), self.firepower(state, block, class))
    }

    /// A Neutral Fortress fires by rule: at Ground, else where most hits are to be expected. Rulings R22, R39.
    pub(crate) fn fort_fires<S: EventSink<GameEvent>>(&self, state: &mut State, block: usize, sink: &mut S) {
        let classes = self.target_classes(state, block);
        let best = if classes >> Class::Ground as u8 & 1 != 0 {
            Class::Ground
        } else {
            let at_sea = Atlas::is_sea(state.battle.area);
            let worth = |class: Class| {
                let cv: u32 = state
                    .blocks_at(state.battle.area)
                    .filter(|(other, unit)| self.attacks(state, *other) && unit.kind.class(at_sea) == class)
                    .map(|(_, unit)| u32::from(unit.cv))
                    .sum();
                cv * u32::from(self.firepower(state, block, class))
            };
            // The first of equals: A, N, S.
            let order = [Class::Submarine, Class::Naval, Class::Air];
            order.into_iter().max_by_key(|class| worth(*class)).unwrap_or(Class::Air)
        };
        self.fire(state, block, best as u8, sink);
    }

    /// The number of equally likely rolls of the dice in the air.
    pub(crate) fn rolls(&self, state: &State) -> u32 {
        6_u32.pow(u32::from(self.shot(state).0))
    }

    /// How many of the rolls give so many hits.
    pub(crate) fn rolls_with(dice: u8, needs: u8, hits: u8) -> u32 {
        let choose = (0..u32::from(hits)).fold(1, |ways, k| ways * (u32::from(dice) - k) / (k + 1));
        choose * u32::from(needs).pow(u32::from(hits)) * u32::from(6 - needs).pow(u32::from(dice - hits))
    }

    /// The hits of a roll by its number.
    pub(crate) fn hits_of(&self, state: &State, mut roll: u32) -> u8 {
        let (dice, needs) = self.shot(state);
        for hits in 0..dice {
            let ways = Self::rolls_with(dice, needs, hits);
            if roll < ways {
                return hits;
            }
            roll -= ways;
        }
        dice
    }

    /// The dice have fallen.
    pub(crate) fn dice_fallen<S: EventSink<GameEvent>>(&self, state: &mut State, hits: u8, sink: &mut S) {
        let (dice, _) = self.shot(state);
        sink.emit(|| GameEvent::Rolled { dice, hits });
        let block = usize::from(state.battle.firing);
        if state.battle.class == INDUSTRY {
            self.bomb_industry(state, block, hits, sink);
            state.battle.hits = 0;
        } else {
            state.battle.hits = hits;
        }
        self.place_hits(state, sink);
    }

    fn bomb_industry<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        block: usize,
        hits: u8,
        sink: &mut S,
    ) {
        let area = state.blocks[block].area;
        let Some(enemy) = State::owner(block).and_then(|owner| self.bombed(state, owner, area)) else {
            return;
        };
        let there = state.of_mut(enemy);
        let lost = hits.min(there.ind);
        there.ind -= lost;
        let ind = there.ind;
        sink.emit(|| GameEvent::Bombed { faction: enemy, ind, lost });
    }

    /// The strongest units of the class that is shot at.
    pub(crate) fn strongest(&self, state: &State) -> impl Iterator<Item = usize> + use<> {
        let attacking = self.attacks(state, usize::from(state.battle.firing));
        let at_sea = Atlas::is_sea(state.battle.area);
        let is_target = move |block: usize, unit: &crate::state::Block| {
            let opposed = if attacking { self.defends(state, block) } else { self.attacks(state, block) };
            opposed && unit.kind.class(at_sea) as u8 == state.battle.class
        };
        let targets = state.blocks_at(state.battle.area).filter(|(block, unit)| is_target(*block, unit));
        let most = targets.map(|(_, unit)| unit.cv).max().unwrap_or(0);
        let mut found = [NONE; 64];
        let mut count = 0;
        for (block, unit) in state.blocks_at(state.battle.area) {
            if unit.cv == most && is_target(block, unit) && count < found.len() {
                found[count] = block as u8;
                count += 1;
            }
        }
        found.into_iter().take(count).map(usize::from)
    }

    /// Places hits one by one on the strongest units; their owner is asked where it matters. Rule 12.44, ruling R66.
    pub(crate) fn place_hits<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        while state.battle.hits > 0 {
            let mut strongest = self.strongest(state);
            let Some(first) = strongest.next() else {
                // Excess hits are lost.
                state.battle.hits = 0;
                break;
            };
            let owner = State::owner(first);
            let face = |block: usize| {
                let unit = &state.blocks[block];
                (Power::of_block(block), unit.kind, unit.is(flag::DISRUPTED))
            };
            let mut others = strongest.filter(|other| State::owner(*other) == owner);
            let differs = others.any(|other| face(other) != face(first));
            match owner {
                Some(owner) if differs => {
                    state.stage = Stage::Hit(owner);
                    return;
                }
                _ => self.hit(state, first, sink),
            }
        }
        self.after_shot(state, sink);
    }

    /// The units among which the owner chooses, one of each that are alike.
    pub(crate) fn list_hits(&self, state: &State, owner: Faction, out: &mut Vec<Choice>) {
        let own = self.strongest(state).filter(|block| State::owner(*block) == Some(owner));
        for block in own {
            let unit = &state.blocks[block];
            let same = |choice: &Choice| {
                choice.block().is_some_and(|other| {
                    let earlier = &state.blocks[other];
                    Power::of_block(other) == Power::of_block(block)
                        && earlier.kind == unit.kind
                        && earlier.is(flag::DISRUPTED) == unit.is(flag::DISRUPTED)
                })
            };
            if !out.iter().any(same) {
                out.push(Choice::Hit(block as u8));
            }
        }
    }

    /// A unit takes a hit.
    pub(crate) fn hit<S: EventSink<GameEvent>>(&self, state: &mut State, block: usize, sink: &mut S) {
        state.battle.hits -= 1;
        let unit = state.blocks[block];
        let cost = unit.kind.hit_cost(Atlas::is_sea(unit.area));
        let left = unit.cv.saturating_sub(cost);
        let unit_seen = seen(block, &unit);
        if left == 0 {
            state.remove(block);
            sink.emit(|| GameEvent::Lost { unit: unit_seen, area: unit.area, cause: Cause::Hits });
        } else {
            state.blocks[block].cv = left;
            sink.emit(|| GameEvent::Hit { unit: unit_seen, area: unit.area, left });
        }
    }

    /// A shot is done: the Carrier of a Strike leaves, then the next action.
    fn after_shot<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let block = usize::from(state.battle.firing);
        if state.battle.striking {
            state.stage = Stage::AfterStrike;
            return;
        }
        if block < state.blocks.len() && state.blocks[block].on_map() {
            state.blocks[block].flags |= flag::ACTED;
        }
        state.battle.firing = NONE;
        self.next_action(state, sink);
    }

    /// Where a Carrier can go after its Strike.
    pub(crate) fn list_after_strike(&self, state: &State, out: &mut Vec<Choice>) {
        let block = usize::from(state.battle.firing);
        let Some(owner) = State::owner(block) else { return };
        let stance = self.stance(state, owner);
        let retreats = self.retreats(state, &stance, block);
        let rebases = self.rebase_goals(state, &stance, block);
        out.extend(retreats.iter().map(|to| Choice::Retreat(block as u8, to)));
        out.extend(rebases.minus(retreats).iter().map(|to| Choice::Rebase(block as u8, to)));
    }
}
