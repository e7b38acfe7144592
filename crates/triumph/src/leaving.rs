//! Those who must leave: after a round, at sea, at the end of a phase; Escapes. Rules 12.22, 12.23, 12.52, 12.73; rulings
//! R20, R67, R71, R91, R101, R107.

use kernel::EventSink;

use crate::areas::AreaSet;
use crate::choice::Choice;
use crate::combat::seen;
use crate::factions::{Faction, blocks_of};
use crate::game_event::{Cause, GameEvent};
use crate::rules::Rules;
use crate::stage::{Leaving, Stage};
use crate::stance::Stance;
use crate::state::{State, flag};
use crate::units::Kind;
use crate::world::Atlas;

impl Rules {
    /// The Factions in the order in which their units leave: the Active one first, then Turn Order.
    pub(crate) fn leaving_order(state: &State, why: Leaving) -> [Faction; 3] {
        let active = state.turn.faction;
        if why == Leaving::Supply {
            return state.order;
        }
        let mut order = state.order;
        order.sort_by_key(|faction| *faction != active);
        order
    }

    /// Whether a unit must leave.
    pub(crate) fn must_leave(&self, state: &State, block: usize, why: Leaving) -> bool {
        let unit = &state.blocks[block];
        let Some(owner) = State::owner(block) else { return false };
        if !unit.on_map() {
            return false;
        }
        match why {
            Leaving::Sea => {
                unit.kind == Kind::AirForce && (self.attacks(state, block) || self.defends(state, block))
            }
            Leaving::Convoys => self.attacks(state, block),
            Leaving::Round | Leaving::Combat | Leaving::Supply => {
                if unit.kind.is_ground() || Atlas::is_sea(unit.area) {
                    return false;
                }
                if why == Leaving::Round && unit.area != state.battle.area {
                    return false;
                }
                self.lacks_support(state, owner, unit.area)
            }
        }
    }

    /// Whether Air, Naval and Submarine units can't stay in a land area. Rule 12.52, ruling R101.
    fn lacks_support(&self, state: &State, owner: Faction, area: u8) -> bool {
        let foes = self.foes_at(state, owner, area);
        let at_home = foes.is_empty() && state.controls(owner, area);
        if at_home || state.ground_support(owner, area) {
            return false;
        }
        // Neither do they stay on land that is nobody's, such as an Albania that Ground units have left. Ruling R107.
        let opposed = foes.has_minor() || foes.factions().any(|foe| state.ground_support(foe, area));
        opposed || !state.controls(owner, area)
    }

    /// Where a unit that must leave can go.
    pub(crate) fn ways_out(
        &self,
        state: &State,
        stance: &Stance,
        block: usize,
        why: Leaving,
    ) -> (AreaSet, AreaSet) {
        let unit = &state.blocks[block];
        if why == Leaving::Convoys {
            let atlas = self.atlas();
            let near = atlas.by_sea[usize::from(unit.area)];
            // Across a coast as few as in any other retreat. Rule 11.52, ruling R20.
            let lands = |area: &u8| {
                let border = atlas.border(unit.area, *area);
                border.is_some_and(|edge| self.border_left(state, stance, edge.border, false) > 0)
            };
            let ports: AreaSet = near.and(stance.undisputed).iter().filter(lands).collect();
            let goals = near.and(AreaSet::SEA).minus(stance.foes).or(ports);
            return (goals.minus(state.turn.battles).minus(stance.no_end), AreaSet::EMPTY);
        }
        let rebases = self.rebase_goals(state, stance, block);
        if why == Leaving::Sea {
            return (AreaSet::EMPTY, rebases);
        }
        (self.retreats(state, stance, block), rebases)
    }

    /// Whether a Faction can have units that must leave: it has Enemies, or stands in the land of a Minor.
    fn may_be_driven_out(&self, state: &State, faction: Faction) -> bool {
        let there = state.present[faction.index()];
        let mut armed = crate::areas::bits(state.armed);
        state.of(faction).at_war() || armed.any(|nation| there.meets(self.atlas().nation(nation).areas))
    }

    /// Lets all leave who must, one after the other; whoever has nowhere to go is lost.
    pub(crate) fn leave<S: EventSink<GameEvent>>(&self, state: &mut State, why: Leaving, sink: &mut S) {
        for faction in Self::leaving_order(state, why) {
            if !self.may_be_driven_out(state, faction) {
                continue;
            }
            let mut asks = false;
            let mut stance = None;
            let home = self.undisputed(state, faction);
            for block in blocks_of(faction) {
                let unit = &state.blocks[block];
                // Nobody is driven out at home.
                if !unit.on_map() || home.has(unit.area) || !self.must_leave(state, block, why) {
                    continue;
                }
                let stance = stance.get_or_insert_with(|| self.stance(state, faction));
                let (retreats, rebases) = self.ways_out(state, stance, block, why);
                if retreats.is_empty() && rebases.is_empty() {
                    let unit = state.blocks[block];
                    state.remove(block);
                    let gone = seen(block, &unit);
                    sink.emit(|| GameEvent::Lost { unit: gone, area: unit.area, cause: Cause::NowhereToGo });
                } else {
                    // Everybody sees what leaves.
                    state.blocks[block].flags |= flag::REVEALED;
                    asks = true;
                }
            }
            if asks {
                state.stage = Stage::Leave(faction, why);
                return;
            }
        }
        self.all_left(state, why, sink);
    }

    /// The ways out of those who must leave.
    pub(crate) fn list_leaving(&self, state: &State, faction: Faction, why: Leaving, out: &mut Vec<Choice>) {
        let stance = self.stance(state, faction);
        for block in blocks_of(faction) {
            if !self.must_leave(state, block, why) || !Self::is_first_alike(state, block) {
                continue;
            }
            let (retreats, rebases) = self.ways_out(state, &stance, block, why);
            out.extend(retreats.iter().map(|to| Choice::Retreat(block as u8, to)));
            out.extend(rebases.minus(retreats).iter().map(|to| Choice::Rebase(block as u8, to)));
        }
    }

    /// Everybody who had to has left.
    fn all_left<S: EventSink<GameEvent>>(&self, state: &mut State, why: Leaving, sink: &mut S) {
        match why {
            Leaving::Round | Leaving::Convoys => self.close_battle(state, sink),
            Leaving::Sea => self.ask_escape(state, sink),
            Leaving::Combat => self.settle_combat(state, sink),
            Leaving::Supply => self.settle_supply(state, sink),
        }
    }

    // --- Escapes ---------------------------------------------------------------------------------------

    /// Whether a Submarine may Escape: it took part in the round, and Enemies remain. Rule 12.73.
    fn may_escape(&self, state: &State, block: usize) -> bool {
        let unit = &state.blocks[block];
        unit.kind == Kind::Submarine
            && !unit.is(flag::ACTED)
            && (self.attacks(state, block) || self.defends(state, block))
    }

    /// The next Faction whose Submarines may Escape, or the next round. Ruling R67.
    pub(crate) fn ask_escape<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        // From here on `ACTED` tells who has been asked.
        self.go_on_escaping(state, sink);
    }

    /// Goes on asking.
    pub(crate) fn go_on_escaping<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let (attackers, defenders) = self.strengths(state);
        // A BattleGroup that waits keeps the Battle going even if all attackers are gone.
        let waiting = self.groups(state).next().is_some();
        if (attackers > 0 || waiting) && defenders > 0 {
            for faction in Self::leaving_order(state, Leaving::Sea) {
                if blocks_of(faction).any(|block| self.may_escape(state, block)) {
                    state.stage = Stage::Escape(faction);
                    return;
                }
            }
        }
        self.next_sea_round(state, sink);
    }

    /// The Submarines that may Escape.
    pub(crate) fn list_escapes(&self, state: &State, faction: Faction, out: &mut Vec<Choice>) {
        for block in blocks_of(faction) {
            if self.may_escape(state, block) && Self::is_first_alike(state, block) {
                out.push(Choice::Escape(block as u8));
            }
        }
        out.push(Choice::End);
    }

    /// A Submarine Escapes: face down in place.
    pub(crate) fn escape<S: EventSink<GameEvent>>(&self, state: &mut State, block: usize, sink: &mut S) {
        let (area, owner) = (state.blocks[block].area, State::owner(block));
        state.set_escaped(block, true);
        let unit = &mut state.blocks[block];
        unit.flags = flag::ESCAPED | unit.flags & flag::MOVED;
        if let Some(faction) = owner {
            sink.emit(|| GameEvent::EscapesAway { faction, area });
        }
        self.go_on_escaping(state, sink);
    }

    /// The other Submarines of a Faction stay.
    pub(crate) fn stay<S: EventSink<GameEvent>>(&self, state: &mut State, faction: Faction, sink: &mut S) {
        for block in blocks_of(faction) {
            if self.may_escape(state, block) {
                state.blocks[block].flags |= flag::ACTED;
            }
        }
        self.go_on_escaping(state, sink);
    }
}
