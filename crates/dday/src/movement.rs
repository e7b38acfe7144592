//! Movement: groups, activation, marches. Rules 4.5, 10, 16.5, 17.2, 18.2.

use kernel::EventSink;
use terrain::{Cell, NOWHERE, Octant};

use crate::battalions::{Class, Mode};
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Action, After, Stage, State, WAITING, mark, work};
use crate::tables::Activation;
use crate::units::Units;

/// The most battalions of a group. Rule 10.1.
pub const GROUP: u8 = 4;

/// A group on the march, as its slowest member goes. Rule 10.1.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    side: Side,
    /// Somebody is MECH.
    mech: bool,
    /// Everybody may wade. Rule 10.8.
    fords: bool,
    /// Everybody is REC. Rule 4.5 d.
    scouts: bool,
    /// Everybody has wheels or tracks. Rule 10.7.
    drives: bool,
    /// Somebody has made the one rough step.
    rough: bool,
    /// Stacking points.
    pub points: u8,
}

/// How a step may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepKind {
    /// The march ends there.
    pub stops: bool,
    /// It is a rough step.
    pub rough: bool,
    /// It crosses a river without a bridge.
    pub ford: bool,
}

/// Why a step can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Barred {
    OffMap,
    Water,
    Enemy,
    NoRoad,
    Marsh,
    River,
    RiverLater,
    Capacity,
    RoughTwice,
    RoadControl,
    ControlToControl,
    NightControl,
}

impl Rules {
    /// What a group on the march amounts to.
    pub fn column(&self, s: &State, group: Units) -> Column {
        let mut column = Column {
            side: s.side,
            mech: false,
            fords: true,
            scouts: true,
            drives: true,
            rough: false,
            points: 0,
        };
        for unit in group {
            let troop = self.troop(unit);
            column.side = troop.side;
            column.mech |= troop.mode == Mode::Mechanized;
            column.fords &= troop.fords();
            column.scouts &= troop.class == Class::Recon;
            column.drives &= troop.mode != Mode::Leg;
            column.rough |= s.unit(unit).is(mark::ROUGH);
            column.points += troop.points;
        }
        column
    }

    /// Whether a column may step from a zone in a direction, room apart. Rules 4.5, 10.5 to 10.10.
    pub fn step(
        &self,
        s: &State,
        column: &Column,
        from: Cell,
        way: Octant,
        first: bool,
        road: bool,
    ) -> Result<StepKind, Barred> {
        let to = self.near(from, way);
        if to == NOWHERE {
            return Err(Barred::OffMap);
        }
        let lay = self.lay(to);
        if lay.impassable || lay.water {
            return Err(Barred::Water);
        }
        let enemy = column.side.enemy();
        let owner = self.owner(s, to);
        if owner == Some(enemy) {
            return Err(Barred::Enemy);
        }
        let on_road = self.is_road(s, from, way);
        if road && !on_road {
            return Err(Barred::NoRoad);
        }
        if lay.marsh && column.mech && !on_road {
            return Err(Barred::Marsh);
        }
        let ford = self.is_unbridged(s, from, way);
        if ford {
            if !column.fords {
                return Err(Barred::River);
            }
            if !first {
                return Err(Barred::RiverLater);
            }
        } else if self.is_river(from, way) && !self.bridge_carries(s, from, way, column.points) {
            return Err(Barred::Capacity);
        }
        let rough = !on_road && (self.lay(from).rough || lay.rough);
        if rough && column.rough {
            return Err(Barred::RoughTwice);
        }
        let mut stops = ford || rough || self.lay(from).water || self.is_mined(s, to, enemy);
        if (road || s.night || !column.scouts) && self.in_control_of(s, to, enemy) {
            if road {
                return Err(Barred::RoadControl);
            }
            if s.night {
                return Err(Barred::NightControl);
            }
            if owner != Some(column.side) && self.in_control_of(s, from, enemy) {
                return Err(Barred::ControlToControl);
            }
            stops = true;
        }
        Ok(StepKind { stops, rough, ford })
    }

    /// Whether the bridge of a step can still carry this many points in this player turn. Rule 2.7.
    pub(crate) fn bridge_carries(&self, s: &State, from: Cell, way: Octant, points: u8) -> bool {
        let Some(at) = self.scenario.bridge_at(from, way) else { return true };
        let bridge = &self.scenario.bridges[at];
        bridge.capacity.is_none_or(|capacity| s.crossed[at] + points <= capacity)
    }

    /// Notes that points have crossed a bridge.
    pub(crate) fn count_crossing(&self, s: &mut State, from: Cell, way: Octant, points: u8) {
        if !self.is_river(from, way) || self.is_unbridged(s, from, way) {
            return;
        }
        if let Some(at) = self.scenario.bridge_at(from, way) {
            s.crossed[at] = s.crossed[at].saturating_add(points);
        }
    }

    /// Whether a step leads onto a bridge that may go up under it or carry no more when it is reached, so that it is no
    /// sure way on. Rules 2.7 and 14.6.
    fn is_unsure(&self, s: &State, from: Cell, way: Octant) -> bool {
        self.is_river(from, way)
            && self.scenario.bridge_at(from, way).is_some_and(|at| {
                (s.wired & !s.spared) >> at & 1 != 0 || self.scenario.bridges[at].capacity.is_some()
            })
    }

    /// Whether a column that steps into a zone without room finds one farther on. Rule 4.1: it may pass through a full
    /// zone but not end there. Breadth first over full zones only, each looked at once.
    fn passes_on(&self, s: &State, column: &Column, zone: Cell, mut steps: u8, road: bool) -> bool {
        let mut seen = [WAITING; 32];
        seen[0] = zone;
        let (mut from, mut end) = (0, 1);
        while steps > 0 && from < end {
            let level = end;
            for at in from..level {
                let here = seen[at];
                for way in Octant::ALL {
                    let Ok(kind) = self.step(s, column, here, way, false, road) else { continue };
                    if self.is_unsure(s, here, way) {
                        continue;
                    }
                    let to = self.near(here, way);
                    if self.has_room(s, to, column.points) {
                        return true;
                    }
                    if !kind.stops && end < seen.len() && !seen[..end].contains(&to) {
                        seen[end] = to;
                        end += 1;
                    }
                }
            }
            from = level;
            steps -= 1;
        }
        false
    }

    /// Whether a march may take a step, so that it can end somewhere.
    pub fn march_step(
        &self,
        s: &State,
        column: &Column,
        from: Cell,
        way: Octant,
        road: bool,
    ) -> Option<StepKind> {
        let act = &s.act;
        let kind = self.step(s, column, from, way, !act.begun, road).ok()?;
        let to = self.near(from, way);
        if self.has_room(s, to, column.points) {
            return Some(kind);
        }
        let steps = if road { self.road_steps(s) } else { act.steps };
        (!kind.stops && self.passes_on(s, column, to, steps - 1, road)).then_some(kind)
    }

    // --- the movement phase ---------------------------------------------------------------------

    pub(crate) fn begin_movement(&self, s: &mut State) {
        s.act = Action::default();
        s.stage = Stage::Movement;
    }

    /// Whether a battalion may be activated. Rules 10.1 and 16.5.
    #[inline]
    pub fn can_activate(&self, s: &State, unit: u8) -> bool {
        let battalion = s.unit(unit);
        battalion.on_map() && battalion.result == Activation::None && !self.is_fixed(s, unit)
    }

    /// Whether a reinforcement may enter in a zone. Rule 16.5.
    pub fn can_place(&self, s: &State, unit: u8, zone: Cell) -> bool {
        let troop = self.troop(unit);
        s.unit(unit).zone == WAITING
            && troop.arrives <= s.turn
            && !self.holds(s, zone, troop.side.enemy())
            && self.has_room(s, zone, troop.points)
    }

    pub(crate) fn movement_choices(&self, s: &State, out: &mut Vec<Choice>) {
        for unit in self.armies[s.side.index()] {
            let battalion = s.unit(unit);
            if battalion.zone == WAITING {
                if self.troop(unit).arrives <= s.turn {
                    let zones = &self.scenario.papers[usize::from(unit)].zones;
                    let open = zones.iter().filter(|zone| self.can_place(s, unit, **zone));
                    out.extend(open.map(|&zone| Choice::Place { unit, zone }));
                }
            } else if battalion.on_map() {
                if self.can_activate(s, unit) {
                    out.push(Choice::Activate(unit));
                    self.ready_choices(s, unit, out);
                }
                if s.zones[usize::from(battalion.zone)].top == unit && self.can_turn(s, battalion.zone) {
                    out.push(Choice::Turn(battalion.zone));
                }
            }
        }
        out.push(Choice::End);
    }

    pub(crate) fn place_reinforcement<L: EventSink<GameEvent>>(
        &self,
        s: &mut State,
        unit: u8,
        zone: Cell,
        l: &mut L,
    ) {
        let told = self.scenario.papers[usize::from(unit)].facing;
        let facing = told.unwrap_or_else(|| self.facing_enemy(s, zone, self.troop(unit).side));
        l.emit(|| GameEvent::Arrived { unit, zone });
        self.arrive(s, unit, zone, facing, l);
    }

    // --- activation -----------------------------------------------------------------------------

    pub(crate) fn activate(&self, s: &mut State, unit: u8) {
        s.act = Action { from: s.unit(unit).zone, ..Action::default() };
        s.act.group.insert(unit);
        s.stage = Stage::Group;
        self.skip_empty_group(s);
    }

    /// Under rules 1 a group that nobody can join rolls at once.
    fn skip_empty_group(&self, s: &mut State) {
        if self.confirms() {
            return;
        }
        if self.is_complete(s) {
            s.stage = Stage::ActivationDie;
        }
    }

    /// Battalions that may join the group. Rule 10.1.
    pub(crate) fn group_members(&self, s: &State, mut found: impl FnMut(u8)) {
        let Some(first) = s.act.group.first() else { return };
        if s.act.stopped {
            // A stack that was made ready is complete.
            return;
        }
        let formation = self.troop(first).formation;
        let full = self.battalions_of(s.act.group) >= GROUP;
        for unit in s.stack(s.act.from) {
            if self.troop(unit).formation == formation
                && !s.act.group.has(unit)
                && (!full || self.troop(unit).is_hq())
                && self.can_activate(s, unit)
            {
                found(unit);
            }
        }
    }

    /// How many of a set are not headquarters.
    pub(crate) fn battalions_of(&self, group: Units) -> u8 {
        Units(group.0 & !self.hqs.0).len()
    }

    pub(crate) fn group_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Roll);
        let before = out.len();
        self.group_members(s, |unit| out.push(Choice::With(unit)));
        if out.len() > before + 1 {
            out.push(Choice::WithAll);
        }
    }

    pub(crate) fn join_group(&self, s: &mut State, unit: u8) {
        s.act.group.insert(unit);
        self.skip_empty_group(s);
    }

    pub(crate) fn join_all(&self, s: &mut State) {
        while s.stage == Stage::Group {
            let mut next = None;
            self.group_members(s, |unit| next = next.or(Some(unit)));
            match next {
                Some(unit) => self.join_group(s, unit),
                None => return,
            }
        }
    }

    /// What is added to the die of an activation. Rule 10.2.
    pub fn activation_shift(&self, s: &State, group: Units) -> u8 {
        let Some(first) = group.first() else { return 0 };
        let zone = s.unit(first).zone;
        let mut shift = if self.in_command(s, first, zone) { 0 } else { self.tables.out_of_command };
        if group.into_iter().any(|unit| self.is_cut_off(s, unit)) {
            shift += self.tables.oos_activation;
        }
        shift
    }

    pub(crate) fn activation_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let group = s.act.group;
        let stays = std::mem::take(&mut s.act.stopped);
        let shift = self.activation_shift(s, group);
        let quality = group.into_iter().map(|unit| self.troop(unit).quality).min();
        let quality = quality.unwrap_or(crate::battalions::Quality::Regular);
        let result = self.tables.activated(quality, face + shift);
        l.emit(|| GameEvent::Activated { group, zone: s.act.from, die: face, shift, result });
        let afloat = self.lay(s.act.from).water;
        let mut slowest = u8::MAX;
        for unit in group {
            let moves = self.troop(unit).moves;
            let mut mp = match result {
                Activation::Full => moves,
                Activation::Double => moves * self.tables.double_multiplier,
                _ => 0,
            };
            if afloat {
                mp = mp.min(1);
            }
            if self.is_cut_off(s, unit) {
                mp = mp.min(self.tables.oos_move_cap);
            }
            let battalion = s.unit_mut(unit);
            battalion.result = result;
            battalion.mp = mp;
            slowest = slowest.min(mp);
        }
        match result {
            Activation::Full | Activation::Double => {
                s.act.steps = slowest;
                s.stage = Stage::March;
                if stays {
                    self.rest(s, l);
                }
            }
            Activation::Fallback => self.begin_fallback(s, afloat, l),
            Activation::Hold | Activation::None => self.begin_movement(s),
        }
    }

    /// Rule 10.3.
    fn begin_fallback<L: EventSink<GameEvent>>(&self, s: &mut State, afloat: bool, l: &mut L) {
        let group = s.act.group;
        let zone = s.act.from;
        let threat = self.nearest(s, zone, s.side.enemy());
        s.act.threat = threat.unwrap_or(WAITING);
        s.act.after = After::Fallback;
        s.act.queue = group;
        let way_out = |unit| {
            let mut any = false;
            self.retreat_zones(s, unit, |_| any = true);
            any
        };
        if afloat || !group.into_iter().any(way_out) {
            self.stand(s, l);
        } else {
            s.stage = Stage::Fallback;
        }
    }

    /// The markers are taken instead. An HQ counts only where it is alone.
    pub(crate) fn stand<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let group = s.act.group;
        let markers = u16::from(self.battalions_of(group).max(1));
        self.take_markers(s, s.side, markers);
        l.emit(|| GameEvent::Stood { group, markers });
        self.begin_movement(s);
    }

    pub(crate) fn fallback_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Stand);
        self.retreat_choices(s, out);
    }

    // --- the march ------------------------------------------------------------------------------

    pub(crate) fn march_choices(&self, s: &State, out: &mut Vec<Choice>) {
        let act = &s.act;
        let from = act.from;
        if !act.stopped && act.steps > 0 {
            let column = self.column(s, act.group);
            if !act.road {
                for way in Octant::ALL {
                    if self.march_step(s, &column, from, way, false).is_some() {
                        out.push(Choice::Step(self.near(from, way)));
                    }
                }
            }
            if self.may_drive(s, &column) {
                for way in Octant::ALL {
                    if self.march_step(s, &column, from, way, true).is_some() {
                        out.push(Choice::Road(self.near(from, way)));
                    }
                }
            }
        }
        if !act.begun || self.points(s, from) <= self.stack_limit {
            self.facing_choices(s, from, out);
        }
    }

    /// Whether the march may go on or begin in road mode. Rule 10.7.
    pub fn may_drive(&self, s: &State, column: &Column) -> bool {
        let act = &s.act;
        column.drives
            && (act.road || !act.begun)
            && self.lay(act.from).roads != 0
            && !self.lay(act.from).water
            && (act.road || !self.in_control_of(s, act.from, column.side.enemy()))
    }

    /// The steps that are left in road mode. Rules 10.7 and 18.2.
    fn road_steps(&self, s: &State) -> u8 {
        let act = &s.act;
        let multiplier = self.tables.road_multiplier;
        match act.group.first() {
            _ if act.road => act.steps,
            Some(unit) if s.night && self.is_cut_off(s, unit) => {
                self.troop(unit).moves.min(self.tables.oos_move_cap) * multiplier
            }
            Some(unit) if s.night => self.troop(unit).moves * multiplier,
            _ => act.steps * multiplier,
        }
    }

    /// A step, unless somebody blows the bridge up. Rule 14.6.
    pub(crate) fn start_step<L: EventSink<GameEvent>>(&self, s: &mut State, to: Cell, road: bool, l: &mut L) {
        (s.act.to, s.act.by_road) = (to, road);
        let from = s.act.from;
        let way = self.scenario.grid.direction(from, to).unwrap_or(Octant::N);
        if s.wired != 0 && s.side == self.scenario.aggressor && self.is_river(from, way) {
            let bridge = self.scenario.bridge_at(from, way);
            let waits = bridge.is_some_and(|at| {
                (s.wired & !s.spared) >> at & 1 != 0
                    && !self.is_unbridged(s, from, way)
                    && [from, to].into_iter().any(|end| self.enemy_within(s, end, self.defender(), 1))
            });
            if waits {
                s.stage = Stage::Demolition;
                return;
            }
        }
        self.make_step(s, l);
    }

    pub(crate) fn make_step<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let (group, from, to, road) = (s.act.group, s.act.from, s.act.to, s.act.by_road);
        let way = self.scenario.grid.direction(from, to).unwrap_or(Octant::N);
        let column = self.column(s, group);
        let kind = self.step(s, &column, from, way, !s.act.begun, road);
        let kind = kind.unwrap_or(StepKind { stops: true, rough: false, ford: false });
        if road {
            s.act.steps = self.road_steps(s);
            s.act.road = true;
        }
        self.count_crossing(s, from, way, column.points);
        let ashore = self.lay(from).water;
        l.emit(|| GameEvent::Moved { group, to, road });
        for unit in group {
            self.take_off(s, unit, 0);
            self.arrive(s, unit, to, way, l);
            let battalion = s.unit_mut(unit);
            battalion.marks |= mark::MOVED;
            if kind.rough {
                battalion.marks |= mark::ROUGH;
            }
            if road {
                battalion.marks |= mark::ROAD;
            } else {
                battalion.mp = battalion.mp.saturating_sub(1);
            }
            if kind.ford || ashore {
                battalion.mp = 0;
            }
        }
        let act = &mut s.act;
        act.from = to;
        act.to = WAITING;
        act.by_road = false;
        act.begun = true;
        act.steps -= 1;
        act.stopped = kind.stops || act.steps == 0;
        s.stage = Stage::March;
        self.rest_if_stopped(s, l);
    }

    /// The march ends. In road mode nothing is left for an assault. Rule 10.7.
    pub(crate) fn end_march<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if s.act.road {
            for unit in s.act.group {
                s.unit_mut(unit).mp = 0;
            }
        }
        if self.confirms() {
            // Its facing was set for it: it may be set by hand. Ruling R61.
            s.zones[usize::from(s.act.from)].works &= !work::TURNED;
        }
        if s.night {
            self.next_night_move(s, l);
        } else {
            self.begin_movement(s);
        }
    }
}
