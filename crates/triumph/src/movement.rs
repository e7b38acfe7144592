//! Moves of the Active Player. Rules 11, 11.221, 11.52, 11.54; rulings R21, R41, R43, R44.

use kernel::{Audience, EventSink};

use crate::areas::{AreaSet, NONE};
use crate::choice::Choice;
use crate::factions::{Faction, Power, blocks_of};
use crate::game_event::{GameEvent, UnitSeen};
use crate::reach::Reach;
use crate::rules::Rules;
use crate::stage::{After, Stage};
use crate::stance::Stance;
use crate::state::{Declared, Part, State, Verdict, flag};
use crate::units::{KINDS, Kind};
use crate::world::Atlas;

impl Rules {
    /// What the Active Player can do in its Movement Phase.
    pub(crate) fn list_movement(&self, state: &State, out: &mut Vec<Choice>) {
        if state.turn.moves == 0 {
            // The units that replaced forts are placed. What comes of them must not follow at once: it would tell their types.
            out.push(Choice::End);
            return;
        }
        let faction = state.turn.faction;
        let stance = self.stance(state, faction);
        if let Some(declared) = state.turn.declared {
            self.list_fulfilling(state, &stance, declared, out);
            return;
        }
        if state.turn.may_declare {
            self.list_declarations(state, &stance, out);
        }
        let valid = !state.turn.emergency && !state.turn.defensive && state.part != Part::Winter;
        if valid && Self::has_bomb(state, faction) {
            let delivers = blocks_of(faction)
                .any(|block| state.blocks[block].on_map() && self.bomb_reaches(state, &stance, block));
            if delivers {
                out.push(Choice::Bomb);
            }
        }
        self.list_reveals(state, faction, out);
        for block in blocks_of(faction) {
            let unit = &state.blocks[block];
            let lurks = unit.is(flag::ESCAPED) && Self::lurking_at(state, block, unit.area) == Some(block);
            if lurks && !stance.foes.has(unit.area) {
                out.push(Choice::Surface(block as u8));
            }
        }
        for block in self.movable(state, faction) {
            if self.can_move(state, &stance, block) {
                out.push(Choice::Move(block as u8));
            }
        }
        out.push(Choice::End);
    }

    /// The first Escaped Submarine in a sea that has not moved and is of the same Power as a block. Its strength is nobody's
    /// business, so it is not told apart from the others.
    pub(crate) fn lurking_at(state: &State, block: usize, area: u8) -> Option<usize> {
        let mut blocks = Power::of_block(block)?.blocks();
        blocks.find(|&other| {
            let unit = &state.blocks[other];
            unit.area == area && unit.is(flag::ESCAPED) && !unit.is(flag::MOVED)
        })
    }

    /// Units that have not moved, one of each that are alike.
    fn movable<'s>(&self, state: &'s State, faction: Faction) -> impl Iterator<Item = usize> + use<'s> {
        blocks_of(faction).filter(move |&block| {
            let unit = &state.blocks[block];
            unit.on_map()
                && !unit.is(flag::MOVED)
                && unit.kind != Kind::Fortress
                && Self::is_first_alike(state, block)
        })
    }

    /// Whether a unit has anywhere to go; in most cases a glance at its neighbours tells.
    fn can_move(&self, state: &State, stance: &Stance, block: usize) -> bool {
        let unit = &state.blocks[block];
        let at_home = !stance.foes.has(unit.area) && stance.within.has(unit.area);
        let bound = Power::of_block(block) == Some(Power::Usa) && !state.of(Faction::West).at_war();
        if at_home && !bound {
            let atlas = self.atlas();
            let calm = stance.undisputed.and(stance.within);
            let near = usize::from(unit.area);
            let quick = match unit.kind {
                Kind::AirForce => atlas.near[near].meets(calm),
                Kind::Tank | Kind::Infantry => atlas.by_land[near].meets(calm),
                _ => {
                    let open = AreaSet::SEA.minus(stance.foes).minus(stance.no_end).minus(atlas.oceans);
                    atlas.by_sea[near].meets(open.and(stance.within))
                }
            };
            if quick && stance.no_end.is_empty() {
                return true;
            }
        }
        !self.reach(state, stance, block).is_empty()
    }

    /// Units that have not moved, one of each type in an area: where a unit can go depends on nothing else, but for those
    /// of the USA and Escaped Submarines.
    pub(crate) fn movers<'s>(
        &self,
        state: &'s State,
        faction: Faction,
    ) -> impl Iterator<Item = usize> + use<'s> {
        let mut met = [AreaSet::EMPTY; KINDS];
        blocks_of(faction).filter(move |&block| {
            let unit = &state.blocks[block];
            if !unit.on_map() || unit.is(flag::MOVED) || unit.kind == Kind::Fortress {
                return false;
            }
            if unit.is(flag::ESCAPED) || Power::Usa.blocks().contains(&block) {
                return true;
            }
            let met = &mut met[unit.kind.index()];
            let new = !met.has(unit.area);
            met.add(unit.area);
            new
        })
    }

    /// The moves that fulfil a declaration. Ruling R41.
    fn list_fulfilling(&self, state: &State, stance: &Stance, declared: Declared, out: &mut Vec<Choice>) {
        for block in self.movable(state, stance.faction) {
            if self.fulfils_somewhere(state, stance, block, declared) {
                out.push(Choice::Move(block as u8));
            }
        }
        if out.is_empty() {
            // Only in a guess at what is hidden: a declaration that can't be fulfilled is closed at once.
            out.push(Choice::End);
        }
    }

    /// Whether a unit has a move that fulfils a declaration.
    pub(crate) fn fulfils_somewhere(
        &self,
        state: &State,
        stance: &Stance,
        block: usize,
        declared: Declared,
    ) -> bool {
        let goals = self.fulfilling(state, stance, declared, state.blocks[block].kind);
        !goals.is_empty() && self.reach_near(state, stance, block).areas().meets(goals)
    }

    /// Whether any unit has such a move.
    pub(crate) fn can_fulfil(&self, state: &State, stance: &Stance, declared: Declared) -> bool {
        // Ground units have the most goals; whoever is too far from all of them need not be looked at.
        let goals = self.fulfilling(state, stance, declared, Kind::Infantry);
        let near = self.within_reach(goals);
        let movers = self.movers(state, stance.faction).filter(|block| near.has(state.blocks[*block].area));
        { movers }.any(|block| self.fulfils_somewhere(state, stance, block, declared))
    }

    /// The areas to which a unit of a type must move to fulfil a declaration. Ruling R41.
    fn fulfilling(&self, state: &State, stance: &Stance, declared: Declared, kind: Kind) -> AreaSet {
        match declared {
            Declared::Violation(nation) => self.atlas().nation(nation).areas,
            Declared::Intervention(nation) if kind.is_troop() => self.atlas().nation(nation).areas,
            Declared::Intervention(_) => AreaSet::EMPTY,
            Declared::War(rival) => {
                let units = state.present[rival.index()];
                let land = if kind.is_ground() { state.control[rival.index()] } else { AreaSet::EMPTY };
                // Solely Enemies, or their empty land: Aggression. Rule 11.54.
                units.or(land).minus(state.present[stance.faction.index()])
            }
        }
    }

    /// Where the picked unit can go.
    pub(crate) fn list_destinations(&self, state: &State, out: &mut Vec<Choice>) {
        let stance = self.stance(state, state.turn.faction);
        let block = usize::from(state.picked);
        let reach = self.reach(state, &stance, block);
        let kind = state.blocks[block].kind;
        let goals = state.turn.declared.map_or(AreaSet::LAND.or(AreaSet::SEA), |declared| {
            self.fulfilling(state, &stance, declared, kind)
        });
        out.extend(reach.ends.and(goals).iter().map(|to| Choice::To(to, NONE)));
        let entries = reach.entries().iter().filter(|(to, _)| goals.has(*to));
        out.extend(entries.map(|(to, via)| Choice::To(*to, *via)));
    }

    /// A unit moves.
    pub(crate) fn move_unit<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        to: u8,
        via: u8,
        sink: &mut S,
    ) {
        let faction = state.turn.faction;
        let block = usize::from(std::mem::replace(&mut state.picked, NONE));
        let stance = self.stance(state, faction);
        let unit = state.blocks[block];
        let fulfilled = state
            .turn
            .declared
            .is_some_and(|declared| self.fulfilling(state, &stance, declared, unit.kind).has(to));
        self.count_crossings(state, &stance, block, to, via);
        let land = !Atlas::is_sea(to);
        let ground = unit.kind.is_ground() && land;
        let by_sea = ground && via != NONE && Atlas::is_sea(via);
        let invades = by_sea && stance.enemy.has(to);
        let engages = stance.foes.has(to);
        let alone = !stance.own.has(to);
        if unit.is(flag::ESCAPED) {
            state.set_escaped(block, false);
        }
        state.relocate(block, to);
        let moved = &mut state.blocks[block];
        moved.flags = flag::MOVED;
        moved.origin = unit.area;
        if engages {
            moved.flags |= flag::ENGAGED;
            moved.from = if via == NONE { unit.area } else { via };
        }
        if invades {
            moved.flags |= flag::DISRUPTED;
        }
        // Into Enemies who are alone there: a Battle that must be fought.
        if engages && alone {
            state.turn.aggression.add(to);
        }
        self.tell_move(block, &unit, to, via, invades, sink);
        self.entered(state, faction, to, land, sink);
        state.turn.moves -= 1;
        if fulfilled {
            state.turn.declared = None;
        } else {
            state.turn.may_declare = false;
        }
        if !matches!(state.stage, Stage::Arrival(_)) {
            self.resume_movement(state, sink);
        }
    }

    /// What entering an area brings about: Enemies of Minors, the USA.
    fn entered<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        to: u8,
        land: bool,
        sink: &mut S,
    ) {
        if !land {
            return;
        }
        let nation = self.atlas().nation_of(to);
        let guest = state.turn.interventions >> nation & 1 != 0;
        if state.armed >> nation & 1 != 0 && !guest && self.atlas().nation(nation).capital != NONE {
            // Partition: whoever enters is its Enemy. Rule 15.422.
            state.nation_mut(nation).enemies = state.nation(nation).enemies.with(faction);
        }
        if nation == self.atlas().canada && state.at_war(faction, Faction::West) {
            self.force_usa(state, sink);
        }
    }

    /// Counts the borders that a Ground unit crosses into and out of Battles. Rule 11.52, ruling R43.
    fn count_crossings(&self, state: &mut State, stance: &Stance, block: usize, to: u8, via: u8) {
        let unit = state.blocks[block];
        if !unit.kind.is_ground() {
            return;
        }
        let faction = stance.faction;
        if via != NONE
            && let Some(edge) = self.atlas().border(via, to)
        {
            state.cross(faction, edge.border);
        }
        if stance.foes.has(unit.area)
            && let Some(border) = self.way_out(state, stance, block, to)
        {
            state.cross(faction, border);
        }
    }

    /// The border by which a Ground unit leaves a Battle: the one to its goal, or the one with most of its limit left.
    fn way_out(&self, state: &State, stance: &Stance, block: usize, to: u8) -> Option<u16> {
        let atlas = self.atlas();
        let unit = &state.blocks[block];
        let mut best: Option<(u8, u16)> = None;
        for edge in atlas.edges(unit.area) {
            let left = self.border_left(state, stance, edge.border, false);
            let open = if Atlas::is_sea(edge.to) {
                !stance.foes.has(edge.to)
            } else {
                stance.undisputed.has(edge.to)
            };
            if left == 0 || !open {
                continue;
            }
            if edge.to == to {
                return Some(edge.border);
            }
            let mut reach = Reach::new();
            self.second_step(stance, edge.to, unit.kind, &mut reach);
            if reach.ends.has(to) && best.is_none_or(|(most, _)| left > most) {
                best = Some((left, edge.border));
            }
        }
        best.map(|(_, border)| border)
    }

    fn tell_move<S: EventSink<GameEvent>>(
        &self,
        block: usize,
        unit: &crate::state::Block,
        to: u8,
        via: u8,
        invades: bool,
        sink: &mut S,
    ) {
        let Some(power) = Power::of_block(block) else { return };
        let seat = self.seat_of(power.faction());
        let via = (via != NONE && via != unit.area).then_some(via);
        let event = |face| GameEvent::Moved {
            unit: UnitSeen { power: Some(power), face },
            from: unit.area,
            to,
            via,
            // That it is an invasion is plain: a unit lands on Enemy land.
            invades: invades && face.is_some(),
        };
        sink.emit_to(Audience::Only(seat), || event(Some((unit.kind, unit.cv))));
        sink.emit_to(Audience::Except(seat), || event(None));
    }

    /// Goes on with the Movement Phase: cards and units first that are due.
    pub(crate) fn resume_movement<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if Self::next_due(state).is_some() {
            self.draw_due(state, After::Movement, sink);
            return;
        }
        if !state.muster.is_empty() {
            self.muster_due(state, After::Movement, sink);
            return;
        }
        state.stage = Stage::Movement;
        if let Some(declared) = state.turn.declared {
            let stance = self.stance(state, state.turn.faction);
            if !self.can_fulfil(state, &stance, declared) {
                // The victim's answer has left no such move: nothing more is owed. Ruling R41.
                state.turn.declared = None;
            }
        }
        if state.turn.moves == 0 {
            self.end_movement(state, sink);
        }
    }

    /// The Active Player has moved: Interventions, then Battles.
    pub(crate) fn end_movement<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        self.settle_interventions(state, sink);
        self.hide_winners(state);
        if state.muster.is_empty() {
            let faction = state.turn.faction;
            sink.emit(|| GameEvent::MovesEnd { faction });
            self.begin_combat(state, sink);
        } else {
            state.turn.moves = 0;
            self.muster_due(state, After::Intervention, sink);
        }
    }

    /// The bomb is dropped. Rule 16.4.
    pub(crate) fn drop_bomb<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let faction = state.turn.faction;
        let vault = state.of(faction).vault;
        for pair in vault.into_iter().flatten().filter(|pair| pair.tech.stage() > 0) {
            self.open_vault(state, faction, pair.tech, sink);
        }
        self.win(state, Verdict::Atomic(faction), sink);
    }

    /// An Escaped Submarine is normal again. Ruling R21.
    pub(crate) fn surface<S: EventSink<GameEvent>>(&self, state: &mut State, block: usize, sink: &mut S) {
        state.set_escaped(block, false);
        let faction = state.turn.faction;
        let area = state.blocks[block].area;
        sink.emit(|| GameEvent::Surfaced { faction, area });
    }
}
