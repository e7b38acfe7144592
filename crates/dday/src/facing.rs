//! Facing: which way a stack looks, and when that is asked. Rule 4.2, rulings R58 and R61.

use kernel::EventSink;
use terrain::{Arc, Cell, Octant};

use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::settings::Orders;
use crate::state::{Action, Stage, State, work};
use crate::units::Units;

/// How near an enemy beside or behind a stack makes its facing a question. After a march the stack can still be turned, so
/// only contact counts; after an advance it can't.
const AFTER_MARCH: u8 = 1;
const AFTER_ADVANCE: u8 = 2;
/// Enemies farther away than this do not draw a stack's eyes.
const FARTHEST: u8 = 6;

impl Rules {
    /// Whether every roll is confirmed, and halts and facings are asked for only where they decide something. Ruling R61.
    #[inline]
    pub fn confirms(&self) -> bool {
        self.settings.orders == Orders::V2
    }

    /// Whether a stack may be turned once more. Rule 4.2.
    pub fn can_turn(&self, s: &State, zone: Cell) -> bool {
        !self.lay(zone).water
            && s.zones[usize::from(zone)].works & work::TURNED == 0
            && (s.night || s.stack(zone).any(|unit| s.unit(unit).result.moves()))
    }

    /// Ends a march: with the facing that the stack has, or with another. Rule 4.2.
    pub(crate) fn facing_choices(&self, s: &State, zone: Cell, out: &mut Vec<Choice>) {
        out.push(Choice::Halt);
        if !self.lay(zone).water && (!self.confirms() || s.act.stopped) {
            let now = s.zones[usize::from(zone)].facing;
            out.extend(Octant::ALL.into_iter().filter(|way| *way != now).map(Choice::Face));
        }
    }

    /// A group halts, or the facing is named with which it has come to rest.
    pub(crate) fn come_to_rest<L: EventSink<GameEvent>>(&self, s: &mut State, choice: Choice, l: &mut L) {
        let facing = if let Choice::Face(way) = choice { Some(way) } else { None };
        if let (Stage::Turning, Some(way)) = (s.stage, facing) {
            self.turn(s, way, l);
        } else if self.confirms() && !s.act.stopped {
            self.rest(s, l);
        } else {
            self.end_movement_of_group(s, facing, l);
        }
    }

    /// The zone where the group that moves now is.
    pub fn resting_zone(&self, s: &State) -> Cell {
        match s.stage {
            Stage::AdvanceMarch => s.unit(s.act.foe).zone,
            Stage::LimitedGroup => s.act.to,
            _ => s.act.from,
        }
    }

    /// A group can't or won't go on. It looks at the enemy by itself; where enemies stand beside or behind it, its owner is
    /// asked. Ruling R61.
    pub(crate) fn rest<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let zone = self.resting_zone(s);
        s.act.stopped = true;
        if !self.lay(zone).water {
            let group = if s.stage == Stage::AdvanceMarch { Units::one(s.act.foe) } else { s.act.group };
            let came = s.stage != Stage::March || s.act.begun;
            if came && s.stack(zone).all(|unit| group.has(unit)) {
                s.zones[usize::from(zone)].facing = self.best_facing(s, zone);
            }
            let reach = if s.stage == Stage::March { AFTER_MARCH } else { AFTER_ADVANCE };
            if self.is_exposed(s, zone, reach) {
                return;
            }
        }
        self.end_movement_of_group(s, None, l);
    }

    /// Under rules 2 a group that can go no further is not asked whether it halts.
    pub(crate) fn rest_if_stopped<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if s.act.stopped && self.confirms() {
            self.rest(s, l);
        }
    }

    fn end_movement_of_group<L: EventSink<GameEvent>>(
        &self,
        s: &mut State,
        facing: Option<Octant>,
        l: &mut L,
    ) {
        let zone = self.resting_zone(s);
        if let Some(way) = facing {
            s.zones[usize::from(zone)].facing = way;
            l.emit(|| GameEvent::Faced { zone, way });
        }
        match s.stage {
            Stage::AdvanceMarch => self.end_advance_march(s, l),
            Stage::LimitedGroup => self.next_combat(s, l),
            _ => self.end_march(s, l),
        }
    }

    /// How much of the enemy's fighting troops lies in each direction of a zone; the nearest count most.
    fn bearings(&self, s: &State, zone: Cell, enemy: Side) -> [u32; 8] {
        let mut weights = [0; 8];
        for unit in self.armies[enemy.index()] {
            let at = s.unit(unit).zone;
            if !s.unit(unit).on_map() || !self.troop(unit).assaults {
                continue;
            }
            let far = u32::from(self.distance(zone, at));
            if (1..=u32::from(FARTHEST)).contains(&far)
                && let Some(way) = self.scenario.grid.bearing(zone, at)
            {
                weights[way.index()] += 1_000 / (far * far * far);
            }
        }
        weights
    }

    /// The facing that has most of the enemy in front of it. Where there is no enemy near, it stays as it is.
    fn best_facing(&self, s: &State, zone: Cell) -> Octant {
        let now = s.zones[usize::from(zone)].facing;
        let Some(side) = self.owner(s, zone) else { return now };
        let weights = self.bearings(s, zone, side.enemy());
        let worth = |way: Octant| {
            let ahead: u32 = way.front().iter().map(|way| weights[way.index()]).sum();
            2 * ahead + weights[way.index()]
        };
        let mut best = now;
        for way in Octant::ALL {
            if worth(way) > worth(best) {
                best = way;
            }
        }
        best
    }

    /// Whether enemies that could assault stand beside or behind a stack, so near.
    fn is_exposed(&self, s: &State, zone: Cell, reach: u8) -> bool {
        let Some(side) = self.owner(s, zone) else { return false };
        let facing = s.zones[usize::from(zone)].facing;
        self.armies[side.enemy().index()].into_iter().any(|unit| {
            let at = s.unit(unit).zone;
            s.unit(unit).on_map()
                && self.troop(unit).assaults
                && self.distance(zone, at) <= reach
                && self
                    .scenario
                    .grid
                    .bearing(zone, at)
                    .is_some_and(|way| Octant::arc(facing, way) != Arc::Front)
        })
    }

    // --- turning once more ----------------------------------------------------------------------

    pub(crate) fn begin_turning(&self, s: &mut State, zone: Cell) {
        s.act = Action { from: zone, ..Action::default() };
        s.stage = Stage::Turning;
    }

    pub(crate) fn turning_choices(&self, s: &State, out: &mut Vec<Choice>) {
        let now = s.zones[usize::from(s.act.from)].facing;
        out.extend(Octant::ALL.into_iter().filter(|way| *way != now).map(Choice::Face));
    }

    fn turn<L: EventSink<GameEvent>>(&self, s: &mut State, way: Octant, l: &mut L) {
        let zone = s.act.from;
        let ground = &mut s.zones[usize::from(zone)];
        ground.facing = way;
        ground.works |= work::TURNED;
        l.emit(|| GameEvent::Faced { zone, way });
        if s.night {
            self.next_night_move(s, l);
        } else {
            self.begin_movement(s);
        }
    }
}
