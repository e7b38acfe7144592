//! Advance after a won assault, and the breakthrough. Rules 13.4 and 13.5, rulings R32, R47.

use kernel::EventSink;
use terrain::Octant;

use crate::battalions::{Class, Mode};
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::state::{NOBODY, Stage, State, mark};
use crate::units::Units;

impl Rules {
    /// The defender is gone: who takes the position?
    pub(crate) fn begin_advance<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let mech = |unit: u8| self.troop(unit).mode == Mode::Mechanized;
        let any_mech = mech(s.act.lead) || s.act.group.into_iter().any(mech);
        // A second breakthrough in the chain counts as GENERAL, and a raid takes the position only.
        s.act.breakthrough &= s.act.chain == 0 && !s.night && any_mech;
        if s.act.breakthrough {
            l.emit(|| GameEvent::Breakthrough);
        }
        s.act.joined = Units::EMPTY;
        // Whoever broke through before and did not join the new assault has had its chance.
        for unit in std::mem::take(&mut s.act.through) {
            s.unit_mut(unit).marks |= mark::DONE;
        }
        self.next_advance(s, l);
    }

    /// Attackers that may still take the position.
    fn advance_candidates(&self, s: &State, mut found: impl FnMut(u8)) {
        let act = &s.act;
        let mut all = if act.breakthrough { act.group } else { Units::EMPTY };
        all.insert(act.lead);
        for unit in all {
            let battalion = s.unit(unit);
            if battalion.on_map()
                && battalion.zone == act.from
                && !act.joined.has(unit)
                && (unit == act.lead || self.troop(unit).mode == Mode::Mechanized)
                && self.has_room(s, act.to, self.troop(unit).points)
            {
                found(unit);
            }
        }
    }

    fn next_advance<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.stage = Stage::Advance;
        s.act.foe = NOBODY;
        s.act.stopped = false;
        s.act.steps = 0;
        let mut any = false;
        self.advance_candidates(s, |_| any = true);
        if !any {
            self.end_advance(s, l);
        }
    }

    pub(crate) fn advance_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Decline);
        self.advance_candidates(s, |unit| out.push(Choice::Advance(unit)));
    }

    /// One battalion enters the position.
    pub(crate) fn advance<L: EventSink<GameEvent>>(&self, s: &mut State, unit: u8, l: &mut L) {
        let (from, to) = (s.act.from, s.act.to);
        let way = self.scenario.grid.direction(from, to).unwrap_or(Octant::N);
        let rough = self.is_rough_step(s, from, way);
        let side = self.troop(unit).side;
        self.count_crossing(s, from, way, self.troop(unit).points);
        self.take_off(s, unit, 0);
        l.emit(|| GameEvent::Advanced { unit, to });
        self.arrive(s, unit, to, way, l);
        let breaks = s.act.breakthrough && self.troop(unit).mode == Mode::Mechanized;
        let battalion = s.unit_mut(unit);
        battalion.marks |= mark::MOVED | if rough { mark::ROUGH } else { 0 };
        battalion.mp = 0;
        s.act.joined.insert(unit);
        s.act.foe = unit;
        let zones = match (s.night, breaks) {
            (true, _) => 0,
            (false, true) => self.tables.breakthrough_zones,
            (false, false) => self.tables.general_zones,
        };
        if breaks {
            // Rule 13.5: ready for a new assault.
            s.act.through.insert(unit);
            s.unit_mut(unit).mp = 1;
            s.unit_mut(unit).marks &= !mark::DONE;
        }
        let held_up = self.troop(unit).class != Class::Recon && self.in_control_of(s, to, side.enemy());
        s.act.steps = zones;
        s.act.stopped = zones == 0 || rough || held_up || self.is_mined(s, to, side.enemy());
        s.stage = Stage::AdvanceMarch;
        self.rest_if_stopped(s, l);
    }

    pub(crate) fn advance_march_choices(&self, s: &State, out: &mut Vec<Choice>) {
        let unit = s.act.foe;
        let from = s.unit(unit).zone;
        if !s.act.stopped && s.act.steps > 0 {
            let column = self.column(s, Units::one(unit));
            for way in Octant::ALL {
                if self.step(s, &column, from, way, false, false).is_ok()
                    && self.has_room(s, self.near(from, way), column.points)
                {
                    out.push(Choice::Step(self.near(from, way)));
                }
            }
        }
        self.facing_choices(s, from, out);
    }

    pub(crate) fn advance_step<L: EventSink<GameEvent>>(&self, s: &mut State, to: u16, l: &mut L) {
        let unit = s.act.foe;
        let from = s.unit(unit).zone;
        let way = self.scenario.grid.direction(from, to).unwrap_or(Octant::N);
        let column = self.column(s, Units::one(unit));
        let kind = self.step(s, &column, from, way, false, false);
        self.count_crossing(s, from, way, column.points);
        self.take_off(s, unit, 0);
        l.emit(|| GameEvent::Advanced { unit, to });
        self.arrive(s, unit, to, way, l);
        if kind.is_ok_and(|kind| kind.rough) {
            s.unit_mut(unit).marks |= mark::ROUGH;
        }
        s.act.steps -= 1;
        s.act.stopped = s.act.steps == 0 || kind.map_or(true, |kind| kind.stops);
        self.rest_if_stopped(s, l);
    }

    /// The battalion has come to rest.
    pub(crate) fn end_advance_march<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if s.act.breakthrough {
            self.next_advance(s, l);
        } else {
            self.end_advance(s, l);
        }
    }

    /// Nobody advances any more: a breakthrough may begin a new assault. Rule 13.5.
    pub(crate) fn end_advance<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let mut any = false;
        if s.act.breakthrough {
            self.new_assaults(s, |_, _| any = true);
        }
        if any {
            s.stage = Stage::NewAssault;
            s.act.chain = 1;
        } else {
            self.after_assault(s, l);
        }
    }

    pub(crate) fn new_assaults(&self, s: &State, mut found: impl FnMut(u16, u16)) {
        let through = s.act.through;
        for unit in through {
            let zone = s.unit(unit).zone;
            let first = s.stack(zone).find(|other| through.has(*other));
            if first == Some(unit) {
                self.assaults_from(s, zone, through, &mut found);
            }
        }
    }

    pub(crate) fn new_assault_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::Decline);
        self.new_assaults(s, |from, to| out.push(Choice::Assault { from, to }));
    }
}
