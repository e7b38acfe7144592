//! Retreats and ReBases out of a Battle. Rule 12.5; rulings R46, R69, R108.

use crate::areas::{AreaSet, NONE};
use crate::combat::seen;
use crate::factions::Faction;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::stance::Stance;
use crate::state::{State, flag};
use crate::units::Kind;
use crate::world::Atlas;
use kernel::EventSink;

impl Rules {
    /// Where a unit can Retreat to. Rule 12.5; rulings R46, R69.
    pub(crate) fn retreats(&self, state: &State, stance: &Stance, block: usize) -> AreaSet {
        let atlas = self.atlas();
        let unit = &state.blocks[block];
        let area = unit.area;
        let (kind, at_sea) = (unit.kind, Atlas::is_sea(area));
        if matches!(kind, Kind::Fortress | Kind::AirForce) || unit.is(flag::ESCAPED) || Self::is_convoy(unit)
        {
            return AreaSet::EMPTY;
        }
        let open_seas = AreaSet::SEA.minus(stance.foes);
        let here = usize::from(area);
        let mut goals = if kind.is_ship() {
            let ports = if at_sea { atlas.by_sea[here].and(AreaSet::LAND) } else { atlas.along_coast[here] };
            atlas.by_sea[here].and(open_seas).or(ports.and(stance.undisputed))
        } else {
            let fleets = Self::ships(state, stance.faction);
            atlas.by_land[here].and(stance.undisputed).or(atlas.by_sea[here].and(open_seas).and(fleets))
        };
        goals = goals.minus(state.turn.battles).minus(stance.no_end);
        if let Some(home) = self.winter_bounds(state, stance.faction, area) {
            goals = goals.and(home);
        }
        let attacking = stance.faction == state.turn.faction;
        if attacking && unit.is(flag::ENGAGED) {
            goals = goals.and(AreaSet::one(unit.from));
        } else if !attacking {
            goals = goals.minus(state.battle.entries);
        }
        if kind.is_ground() {
            let crossable = |to: &u8| {
                atlas
                    .border(area, *to)
                    .is_some_and(|edge| self.border_left(state, stance, edge.border, false) > 0)
            };
            goals = goals.iter().filter(crossable).collect();
        }
        goals
    }

    /// Where a Faction has ships that have not Escaped.
    pub(crate) fn ships(state: &State, faction: Faction) -> AreaSet {
        let mut ships = AreaSet::EMPTY;
        for block in &state.blocks[crate::factions::blocks_of(faction)] {
            if block.on_map() && block.kind.is_ship() && !block.is(flag::ESCAPED) {
                ships.add(block.area);
            }
        }
        ships
    }

    /// Whether hidden units of a Faction lie at sea beside a Battle on land. If they are ships, its Ground units can leave by
    /// sea (rule 12.5 e), so whether they have a choice must not show.
    pub(crate) fn may_have_ships_nearby(&self, state: &State, faction: Faction) -> bool {
        let area = state.battle.area;
        if Atlas::is_sea(area) {
            return false;
        }
        let near = self.atlas().by_sea[usize::from(area)].and(AreaSet::SEA);
        let blocks = &state.blocks[crate::factions::blocks_of(faction)];
        blocks.iter().any(|block| {
            block.on_map() && near.has(block.area) && !block.is(flag::ESCAPED) && !block.is(flag::REVEALED)
        })
    }

    /// A unit leaves the Battle: Retreat or ReBase. It is hidden again.
    pub(crate) fn depart<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        block: usize,
        to: u8,
        rebases: bool,
        sink: &mut S,
    ) {
        let unit = state.blocks[block];
        if let (Some(owner), Some(edge), true) =
            (State::owner(block), self.atlas().border(unit.area, to), unit.kind.is_ground())
        {
            state.cross(owner, edge.border);
        }
        state.relocate(block, to);
        let moved = &mut state.blocks[block];
        moved.flags &= flag::MOVED;
        (moved.from, moved.origin) = (NONE, NONE);
        let unit_seen = seen(block, &unit);
        let from = unit.area;
        sink.emit(|| {
            if rebases {
                GameEvent::Rebases { unit: unit_seen, from, to }
            } else {
                GameEvent::Retreats { unit: unit_seen, from, to }
            }
        });
    }
}
