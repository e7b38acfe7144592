//! Retreats. Rules 13.1 to 13.3, rulings R33, R34, R41, R62.

use kernel::EventSink;
use terrain::{Cell, NOWHERE, Octant};

use crate::battalions::Mode;
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::settings::Fallback;
use crate::state::{After, NOBODY, PASSES, Stage, State, WAITING, mark};

impl Rules {
    /// Whether a retreating battalion may go from a zone in a direction, room apart. Rule 13.2.
    fn may_retreat(&self, s: &State, unit: u8, from: Cell, way: Octant) -> bool {
        let to = self.near(from, way);
        if to == NOWHERE {
            return false;
        }
        let (lay, troop, threat) = (self.lay(to), self.troop(unit), s.act.threat);
        if lay.impassable || (lay.water && self.scenario.landing != Some(troop.side)) {
            return false;
        }
        if self.lay(from).water && !lay.water {
            // Ruling R48: nobody falls back out of the boats onto the enemy's beach.
            return false;
        }
        if lay.marsh && troop.mode == Mode::Mechanized && !self.is_road(s, from, way) {
            return false;
        }
        if self.is_unbridged(s, from, way) {
            return false;
        }
        if threat != WAITING && (to == threat || self.distance(to, threat) < self.distance(from, threat)) {
            return false;
        }
        let free = match self.owner(s, to) {
            Some(side) => side == troop.side,
            None => !self.in_control_of(s, to, troop.side.enemy()),
        };
        free && !(self.must_leave_contact(s) && self.is_in_contact(s, to, troop.side.enemy()))
    }

    /// Whether the retreat is a Fallback, which leads out of contact. Ruling R62.
    fn must_leave_contact(&self, s: &State) -> bool {
        self.settings.fallback == Fallback::Away
            && s.act.after == After::Fallback
            && matches!(s.stage, Stage::ActivationDie | Stage::Fallback | Stage::Retreat)
    }

    /// Whether battalions of a side stand next to a zone. Rule 2.2.
    fn is_in_contact(&self, s: &State, zone: Cell, enemy: Side) -> bool {
        self.around(zone).any(|near| self.holds(s, near, enemy))
    }

    /// The zones that a battalion may retreat into from where it is. Rules 13.2 and 13.3.
    pub(crate) fn retreat_zones(&self, s: &State, unit: u8, mut found: impl FnMut(Cell)) {
        let from = s.unit(unit).zone;
        let points = self.troop(unit).points;
        let act = &s.act;
        let passed = if act.passing == unit { &act.passed[..usize::from(act.passes)] } else { &[] };
        for way in Octant::ALL {
            if !self.may_retreat(s, unit, from, way) {
                continue;
            }
            let to = self.near(from, way);
            if passed.contains(&to) {
                continue;
            }
            if self.has_room(s, to, points) || self.leads_on(s, unit, from, to, passed) {
                found(to);
            }
        }
    }

    /// Whether a full zone leads on to one with room, by full zones that were not passed. Ruling R34.
    fn leads_on(&self, s: &State, unit: u8, start: Cell, zone: Cell, passed: &[Cell]) -> bool {
        let points = self.troop(unit).points;
        let mut seen = [WAITING; 32];
        (seen[0], seen[1]) = (start, zone);
        let (mut from, mut end) = (1, 2);
        let mut hops = PASSES - passed.len().max(1);
        while hops > 0 && from < end {
            let level = end;
            for at in from..level {
                let here = seen[at];
                for way in Octant::ALL {
                    if !self.may_retreat(s, unit, here, way) {
                        continue;
                    }
                    let to = self.near(here, way);
                    if seen[..end].contains(&to) || passed.contains(&to) {
                        continue;
                    }
                    if self.has_room(s, to, points) {
                        return true;
                    }
                    if end < seen.len() {
                        seen[end] = to;
                        end += 1;
                    }
                }
            }
            from = level;
            hops -= 1;
        }
        false
    }

    /// Lists the retreats of all who must, or of the one that is passing on.
    pub(crate) fn retreat_choices(&self, s: &State, out: &mut Vec<Choice>) {
        if s.act.passes > 0 {
            let unit = s.act.passing;
            self.retreat_zones(s, unit, |zone| out.push(Choice::Retreat { unit, zone }));
            return;
        }
        for unit in s.act.queue {
            self.retreat_zones(s, unit, |zone| out.push(Choice::Retreat { unit, zone }));
        }
    }

    /// Makes one retreat and goes on with the next.
    pub(crate) fn retreat<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, to: Cell, l: &mut L) {
        let from = s.unit(unit).zone;
        let back = self.scenario.grid.direction(to, from).unwrap_or(Octant::N);
        // Passing on is not offered anew to others before this battalion has found its place.
        let room = self.has_room(s, to, self.troop(unit).points);
        // A retreat is not stopped by what a bridge carries, but it counts. Ruling R57.
        self.count_crossing(s, from, back.opposite(), self.troop(unit).points);
        self.take_off(s, unit, 0);
        self.arrive(s, unit, to, back, l);
        let battalion = s.unit_mut(unit);
        battalion.marks |= mark::MOVED;
        battalion.mp = 0;
        if !room {
            l.emit(|| GameEvent::PassedThrough { unit, zone: to });
            let act = &mut s.act;
            if act.passes == 0 {
                act.passed[0] = from;
                act.passes = 1;
            }
            act.passing = unit;
            act.passed[usize::from(act.passes)] = to;
            act.passes += 1;
            s.stage = Stage::Retreat;
            return;
        }
        l.emit(|| GameEvent::Retreated { unit, from, to });
        if !matches!(s.act.after, After::Fallback | After::Gunner) {
            self.take_markers(s, self.troop(unit).side, self.tables.marker_retreated);
        }
        s.act.queue.remove(unit);
        s.act.passes = 0;
        s.act.passed = [WAITING; PASSES];
        s.act.passing = NOBODY;
        self.next_retreat(s, l);
    }

    /// Asks for the next retreat; a battalion that can't is shattered, or takes a marker where it only falls back. Rule 13.3.
    pub(crate) fn next_retreat<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        for unit in s.act.queue {
            let mut possible = false;
            self.retreat_zones(s, unit, |_| possible = true);
            if possible {
                continue;
            }
            s.act.queue.remove(unit);
            if s.act.after == After::Fallback {
                let markers = u16::from(!self.troop(unit).is_hq());
                self.take_markers(s, self.troop(unit).side, markers);
                l.emit(|| GameEvent::Stood { group: crate::units::Units::one(unit), markers });
            } else if self.is_afloat(s, unit) {
                // Ruling R48: there is nothing behind it but the sea.
                let markers = self.tables.marker_retreated;
                self.take_markers(s, self.troop(unit).side, markers);
                l.emit(|| GameEvent::Adrift { unit, markers });
            } else {
                self.shatter(s, unit, l);
            }
        }
        if !s.act.queue.is_empty() {
            s.stage = Stage::Retreat;
            return;
        }
        match s.act.after {
            After::Fallback => self.begin_movement(s),
            After::Fire => self.after_fire(s, l),
            After::Gunner => self.next_combat(s, l),
            After::Won => self.begin_advance(s, l),
            After::Repulsed => self.after_assault(s, l),
        }
    }
}
