//! The Combat Phase: which Battles, their sides, their BattleGroups and their end. Rules 12.1, 12.24, 12.62, 12.71; rulings
//! R13, R23, R44, R62, R63, R68, R93, R102, R108. The rounds are in `rounds.rs`.

use kernel::EventSink;

use crate::areas::{AreaSet, NONE};
use crate::cards::Tech;
use crate::choice::Choice;
use crate::factions::{Faction, Parties, Power, blocks_of};
use crate::game_event::{GameEvent, UnitSeen};
use crate::rules::Rules;
use crate::stage::{Leaving, Stage};
use crate::state::{Battle, Part, State, flag};
use crate::units::Kind;
use crate::world::Atlas;

impl Rules {
    /// The Combat Phase begins: which Battles must be fought, and which may be. Ruling R63.
    pub(crate) fn begin_combat<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.turn.emergency || state.turn.defensive {
            // No Combat Phase. Rulings R62.
            self.end_turn(state, sink);
            return;
        }
        self.snapshot(state);
        state.crossed = [[0; crate::areas::BORDERS.div_ceil(4)]; 3];
        let faction = state.turn.faction;
        let (fighters, raiders) = Self::starters(state, faction);
        let foes = self.foes(state, faction);
        let mut within = AreaSet::LAND.or(AreaSet::SEA);
        if state.part == Part::Winter {
            within = self.atlas().great_home[Faction::Ussr.index()];
        }
        let contested = foes.and(within).and(state.turn.aggression).and(fighters);
        let over_capitals = self.bombers(state, faction).minus(foes);
        state.turn.open = contested.or(over_capitals);
        // Escaped Submarines may be hunted, and may strike again. Rule 12.73. Where only Convoys are, the question is put all
        // the same: it must not tell the others what they are. Ruling R63.
        let there = state.present[faction.index()];
        let met = there.and(foes.or(Self::lurking(state, faction))).or(raiders.and(foes));
        state.turn.ask = met.and(within).minus(state.turn.open);
        for area in state.turn.open {
            sink.emit(|| GameEvent::BattleDeclared { area, by: faction });
        }
        self.ask_fight(state, sink);
    }

    /// Where a Faction has units that can start a Battle, Convoys can't, and where Escaped Submarines that can. Rules 11.22,
    /// 12.73.
    fn starters(state: &State, faction: Faction) -> (AreaSet, AreaSet) {
        let (mut fighters, mut raiders) = (AreaSet::EMPTY, AreaSet::EMPTY);
        for block in &state.blocks[blocks_of(faction)] {
            match block.flags & (flag::ESCAPED | flag::MOVED) {
                _ if !block.on_map() || Self::is_convoy(block) => {}
                flag::ESCAPED => raiders.add(block.area),
                flags if flags & flag::ESCAPED == 0 => fighters.add(block.area),
                _ => {}
            }
        }
        (fighters, raiders)
    }

    /// The answers to the question about an optional Battle.
    pub(crate) fn list_fight(&self, state: &State, area: u8, out: &mut Vec<Choice>) {
        let (fighters, raiders) = Self::starters(state, state.turn.faction);
        if fighters.or(raiders).has(area) {
            out.push(Choice::Fight(area));
        }
        out.push(Choice::Avoid(area));
    }

    /// Whether a block is a Tank or Infantry at sea.
    pub(crate) fn is_convoy(block: &crate::state::Block) -> bool {
        block.kind.is_troop() && Atlas::is_sea(block.area)
    }

    /// Enemy main capitals over which a Faction has Air Forces that can bomb. Rule 12.62.
    fn bombers(&self, state: &State, faction: Faction) -> AreaSet {
        let own = state.of(faction);
        if !own.knows(Tech::PrecisionBombsight) {
            return AreaSet::EMPTY;
        }
        let capitals = own.enemies.factions().map(|enemy| self.atlas().factions[enemy.index()].main_capital);
        capitals
            .filter(|capital| {
                !state.controls(faction, *capital)
                    && state.own_at(faction, *capital).any(|(_, block)| block.kind == Kind::AirForce)
            })
            .collect()
    }

    /// The next optional Battle, or the first selection.
    pub(crate) fn ask_fight<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if let Some(area) = state.turn.ask.first() {
            state.stage = Stage::Fight(area);
            return;
        }
        let faction = state.turn.faction;
        let ground = Self::ground_units(state)[faction.index()];
        // Raids hinder no retreat. Rule 11.55.
        state.turn.battles = state.turn.open.and(AreaSet::SEA.or(ground));
        self.select_battle(state, sink);
    }

    /// An optional Battle is fought or not.
    pub(crate) fn answer_fight<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        area: u8,
        fights: bool,
        sink: &mut S,
    ) {
        let by = state.turn.faction;
        state.turn.ask.remove(area);
        if fights {
            state.turn.open.add(area);
            if Atlas::is_sea(area) {
                self.rouse_submarines(state, area);
            }
            sink.emit(|| GameEvent::BattleDeclared { area, by });
        } else {
            sink.emit(|| GameEvent::BattleAvoided { area, by });
        }
        self.ask_fight(state, sink);
    }

    /// Escaped Submarines in a sea for which an optional Battle is fought are Engaged again.
    fn rouse_submarines(&self, state: &mut State, area: u8) {
        let faction = state.turn.faction;
        let enemies = state.of(faction).enemies;
        for block in 0..crate::factions::POWER_BLOCKS {
            let unit = &state.blocks[block];
            if unit.area != area || !unit.is(flag::ESCAPED) {
                continue;
            }
            let own = State::owner(block) == Some(faction) && !unit.is(flag::MOVED);
            if own || State::owner(block).is_some_and(|owner| enemies.has(owner)) {
                state.set_escaped(block, false);
            }
        }
    }

    /// The next Battle, or the end of the phase. Rule 12.1. Also the last one is selected: that shows its units.
    pub(crate) fn select_battle<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if state.turn.open.is_empty() {
            self.end_combat(state, sink);
        } else {
            state.stage = Stage::Select;
        }
    }

    /// A Battle is selected for resolution.
    pub(crate) fn open_battle<S: EventSink<GameEvent>>(&self, state: &mut State, area: u8, sink: &mut S) {
        let faction = state.turn.faction;
        let foes = self.foes_at(state, faction, area);
        let attackers = state.own_at(faction, area).any(|(_, block)| !block.is(flag::ESCAPED));
        let bombs = foes.is_empty() && self.bombers(state, faction).has(area);
        if !attackers || (foes.is_empty() && !bombs) {
            // It falls away. Ruling R63.
            state.turn.open.remove(area);
            self.select_battle(state, sink);
            return;
        }
        if foes.count() > 1 {
            state.stage = Stage::Against(area);
        } else {
            self.begin_battle(state, area, foes, sink);
        }
    }

    /// The sides are known.
    pub(crate) fn begin_battle<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        area: u8,
        against: Parties,
        sink: &mut S,
    ) {
        let by = state.turn.faction;
        sink.emit(|| GameEvent::BattleBegins { area, by, against });
        let mut entries = AreaSet::EMPTY;
        for (_, block) in state.own_at(by, area) {
            // Aircraft bar no way. Ruling R108.
            if block.is(flag::ENGAGED) && block.kind != Kind::AirForce {
                entries.add(block.from);
            }
        }
        state.battle = Battle {
            area,
            against,
            round: 0,
            kind: Kind::Fortress,
            second: false,
            firing: NONE,
            striking: false,
            class: 0,
            hits: 0,
            entries,
            asked: Parties::NONE,
        };
        if Atlas::is_sea(area) {
            for block in blocks_of(by) {
                let unit = &mut state.blocks[block];
                if unit.area == area && unit.is(flag::ENGAGED) {
                    unit.flags |= flag::WAITING;
                }
            }
        }
        self.show_side(state, against, sink);
        self.join_group(state, sink);
    }

    /// Reveals units that take part.
    fn show_side<S: EventSink<GameEvent>>(&self, state: &mut State, parties: Parties, sink: &mut S) {
        let area = state.battle.area;
        for block in 0..state.blocks.len() {
            let unit = &state.blocks[block];
            let shown = unit.area == area
                && !unit.is(flag::ESCAPED | flag::WAITING)
                && State::owner(block).map_or(parties.has_minor(), |owner| parties.has(owner));
            if shown {
                state.blocks[block].flags |= flag::REVEALED;
            }
        }
        sink.emit(|| {
            let units = state.blocks_at(area).filter(|(block, unit)| {
                unit.is(flag::REVEALED)
                    && State::owner(*block).map_or(parties.has_minor(), |owner| parties.has(owner))
            });
            let units = units.map(|(block, unit)| seen(block, unit)).collect();
            GameEvent::Shown { area, units }
        });
    }

    // --- BattleGroups ------------------------------------------------------------------------------

    /// Whether two blocks are of the same BattleGroup. Ruling R44.
    fn same_group(one: &crate::state::Block, other: &crate::state::Block) -> bool {
        (one.origin, one.from) == (other.origin, other.from)
    }

    /// The first block of each BattleGroup that waits.
    pub(crate) fn groups<'s>(&self, state: &'s State) -> impl Iterator<Item = usize> + use<'s> {
        let (faction, area) = (state.turn.faction, state.battle.area);
        let waits = move |block: &usize| {
            let unit = &state.blocks[*block];
            unit.area == area && unit.is(flag::WAITING)
        };
        blocks_of(faction).filter(waits).filter(move |&block| {
            let before = blocks_of(faction).start..block;
            !before.filter(waits).any(|other| Self::same_group(&state.blocks[other], &state.blocks[block]))
        })
    }

    /// A BattleGroup joins at the start of each round. Rule 12.71.
    pub(crate) fn join_group<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let waiting = self.groups(state).next().is_some();
        if waiting {
            state.stage = Stage::Group;
        } else {
            self.attackers_join(state, NONE, sink);
        }
    }

    /// The group of a block joins; then the round begins.
    pub(crate) fn attackers_join<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        leader: u8,
        sink: &mut S,
    ) {
        let by = state.turn.faction;
        if leader != NONE {
            let first = state.blocks[usize::from(leader)];
            for block in blocks_of(by) {
                let unit = &mut state.blocks[block];
                if unit.area == first.area && unit.is(flag::WAITING) && Self::same_group(unit, &first) {
                    unit.flags &= !flag::WAITING;
                }
            }
        }
        if leader != NONE || state.battle.round == 0 {
            self.show_side(state, Parties::one(by), sink);
        }
        state.battle.round = state.battle.round.saturating_add(1);
        state.battle.asked = Parties::NONE;
        self.ask_vaults(state, sink);
    }

    /// A Battle is done for this phase. Rules 12.22, 12.24; ruling R23.
    pub(crate) fn close_battle<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let area = state.battle.area;
        let faction = state.turn.faction;
        let foes = self.foes_at(state, faction, area);
        let own = state.parties(area).has(faction);
        let goes_on = own && !foes.is_empty();
        let owner = state.controller(area);
        for block in 0..state.blocks.len() {
            let unit = &mut state.blocks[block];
            if unit.area != area {
                continue;
            }
            unit.flags &= !(flag::ACTED | flag::WAITING);
            let owned = State::owner(block).is_some_and(|of| owner.has(of));
            if block < crate::factions::POWER_BLOCKS && (!goes_on || owned || Atlas::is_sea(area)) {
                unit.flags &= !flag::REVEALED;
            }
        }
        let winner = match (own, foes.is_empty()) {
            (true, true) => Some(faction),
            (false, false) => foes.factions().next(),
            _ => None,
        };
        sink.emit(|| GameEvent::BattleEnds { area, winner });
        state.turn.open.remove(area);
        (state.battle.area, state.battle.entries) = (NONE, AreaSet::EMPTY);
        self.select_battle(state, sink);
    }

    /// The Combat Phase is over. Section 19.4.
    pub(crate) fn end_combat<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        state.battle.area = NONE;
        self.leave(state, Leaving::Combat, sink);
    }

    /// After all departures: Captures, the Military victory, the next turn.
    pub(crate) fn settle_combat<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        self.settle_captures(state, sink);
        let order = Self::leaving_order(state, Leaving::Combat);
        if let Some(winner) = self.military_winner(state, order) {
            self.win(state, crate::state::Verdict::Military(winner), sink);
            return;
        }
        self.end_turn(state, sink);
    }
}

/// A unit as everybody in a Battle sees it.
pub(crate) fn seen(block: usize, unit: &crate::state::Block) -> UnitSeen {
    UnitSeen { power: Power::of_block(block), face: Some((unit.kind, unit.cv)) }
}
