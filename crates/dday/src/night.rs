//! The night. Rule 18.2, rulings R28 to R30, R50, R51.

use kernel::EventSink;

use crate::battalions::{Class, Mode};
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Action, Stage, State, mark};
use crate::units::Units;

impl Rules {
    /// The side that was player B goes first at night.
    fn first_at_night(s: &State) -> Side {
        s.first.enemy()
    }

    /// Gives the night over to the other side, or to the next step when both have had this one.
    fn next_side(s: &mut State) -> bool {
        s.act = Action::default();
        if s.side == Self::first_at_night(s) {
            s.side = s.side.enemy();
            return true;
        }
        s.side = Self::first_at_night(s);
        false
    }

    pub(crate) fn begin_night<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        l.emit(|| GameEvent::NightFalls);
        s.night = true;
        s.air = [0; 2];
        s.raided = 0;
        s.rerolls = [self.settings.rerolls; 2];
        self.clear_marks(s, None);
        s.side = Self::first_at_night(s);
        self.begin_supply(s, l);
    }

    pub(crate) fn after_night_supply<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if Self::next_side(s) {
            self.begin_supply(s, l);
        } else {
            self.begin_rally(s, l);
        }
    }

    pub(crate) fn after_night_rally<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if Self::next_side(s) {
            self.begin_rally(s, l);
        } else {
            self.next_night_move(s, l);
        }
    }

    // --- night moves ----------------------------------------------------------------------------

    pub(crate) fn next_night_move<L: EventSink<GameEvent>>(&self, s: &mut State, _: &mut L) {
        s.act = Action::default();
        s.stage = Stage::NightMoves;
    }

    /// Whether a battalion may make its night move.
    pub fn can_move_at_night(&self, s: &State, unit: u8) -> bool {
        s.unit(unit).on_map() && !s.unit(unit).is(mark::NIGHT_MOVED) && !self.is_fixed(s, unit)
    }

    pub(crate) fn night_move_choices(&self, s: &State, out: &mut Vec<Choice>) {
        for unit in self.armies[s.side.index()] {
            if self.can_move_at_night(s, unit) {
                out.push(Choice::Move(unit));
            }
            let zone = s.unit(unit).zone;
            if s.unit(unit).on_map() && s.zones[usize::from(zone)].top == unit && self.can_turn(s, zone) {
                out.push(Choice::Turn(zone));
            }
        }
        out.push(Choice::End);
    }

    pub(crate) fn start_night_move(&self, s: &mut State, unit: u8) {
        s.unit_mut(unit).marks |= mark::NIGHT_MOVED;
        s.act = Action { from: s.unit(unit).zone, group: Units::one(unit), steps: 1, ..Action::default() };
        s.stage = Stage::March;
    }

    pub(crate) fn end_night_moves<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.crossed = [0; crate::scenario::MAX_BRIDGES];
        if Self::next_side(s) {
            self.next_night_move(s, l);
        } else {
            self.begin_engineering(s, l);
        }
    }

    pub(crate) fn after_night_engineering<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if Self::next_side(s) {
            self.begin_engineering(s, l);
        } else {
            self.next_raid(s, l);
        }
    }

    // --- raids ----------------------------------------------------------------------------------

    /// Whether a battalion may take part in a raid: infantry of a formation with its HQ on the map, not moved tonight.
    pub(crate) fn may_raid(&self, s: &State, unit: u8) -> bool {
        let (troop, battalion) = (self.troop(unit), s.unit(unit));
        let hq = self.scenario.formations[usize::from(troop.formation)].hq;
        troop.class == Class::Infantry
            && !battalion.is(mark::DONE | mark::MOVED)
            && !self.is_fixed(s, unit)
            && s.raided >> troop.formation & 1 == 0
            && s.unit(hq).on_map()
    }

    pub(crate) fn next_raid<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        s.act = Action::default();
        s.stage = Stage::Raids;
        let mut any = false;
        self.raids(s, |_, _| any = true);
        if !any {
            self.end_raids(s, l);
        }
    }

    /// All raids of the active side: only where LEG or MOT infantry can lead.
    fn raids(&self, s: &State, mut found: impl FnMut(u16, u16)) {
        let leads = |unit: u8| self.troop(unit).mode != Mode::Mechanized && self.could_assault(s, unit);
        for unit in self.armies[s.side.index()] {
            if !leads(unit) {
                continue;
            }
            let zone = s.unit(unit).zone;
            if s.stack(zone).find(|other| leads(*other)) == Some(unit) {
                let by: Units = s.stack(zone).filter(|other| leads(*other)).collect();
                self.assaults_from(s, zone, by, &mut found);
            }
        }
    }

    pub(crate) fn raid_choices(&self, s: &State, out: &mut Vec<Choice>) {
        self.raids(s, |from, to| out.push(Choice::Raid { from, to }));
        out.push(Choice::End);
    }

    /// Each formation raids once.
    pub(crate) fn note_raid(&self, s: &mut State, lead: u8) {
        s.raided |= 1 << self.troop(lead).formation;
    }

    pub(crate) fn end_raids<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if Self::next_side(s) {
            // The other side's battalions may be attacked anew.
            for battalion in &mut s.units {
                battalion.marks &= !mark::ATTACKED;
            }
            self.next_raid(s, l);
            return;
        }
        // Dawn.
        s.night = false;
        s.clock = self.tables.dawn_hour;
        self.clear_marks(s, None);
        l.emit(|| GameEvent::Dawn);
        self.next_turn(s, l);
    }
}
