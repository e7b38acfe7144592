//! Air strikes, in one's own combat phase and at the end of the other side's. Rule 11.9, ruling R64.

use kernel::EventSink;

use crate::battalions::Mode;
use crate::choice::Choice;
use crate::game_event::GameEvent;
use crate::rules::Rules;
use crate::scenario::Side;
use crate::settings::AirStrikes;
use crate::state::{Action, Stage, State, mark};
use crate::units::Units;

impl Rules {
    /// The side whose aircraft may strike now.
    pub(crate) fn striker(&self, s: &State) -> Side {
        if s.stage == Stage::Interdiction { s.side.enemy() } else { s.side }
    }

    pub(crate) fn strike(&self, s: &mut State, target: u8) {
        s.act = Action { foe: target, ..Action::default() };
        s.air[self.troop(target).side.enemy().index()] -= 1;
        s.unit_mut(target).marks |= mark::ATTACKED;
        s.stage = Stage::StrikeDie;
    }

    pub(crate) fn strike_die<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let target = s.act.foe;
        let (side, enemy) = (self.troop(target).side.enemy(), self.troop(target).side);
        l.emit(|| GameEvent::Strike { side, target, die: face });
        if face <= self.tables.air_attack_max {
            s.stage = Stage::StrikeSave;
            return;
        }
        if face > self.tables.air_no_effect_max {
            let zone = s.unit(target).zone;
            let flak = Units(self.hqs.0 & self.armies[enemy.index()].0).into_iter().any(|hq| {
                s.unit(hq).on_map() && self.distance(s.unit(hq).zone, zone) <= self.tables.air_hq_distance
            });
            if flak {
                s.air_lost[side.index()] += 1;
                l.emit(|| GameEvent::AircraftLost { side });
            }
        }
        self.after_strike(s, side, l);
    }

    pub(crate) fn strike_save<L: EventSink<GameEvent>>(&self, s: &mut State, face: u8, l: &mut L) {
        let target = s.act.foe;
        let need = self.shelter_need(s, target, true);
        l.emit(|| GameEvent::Reckoning { what: "save", sum: self.shelter_sum(s, target, true) });
        l.emit(|| GameEvent::Saved { unit: target, need, die: face });
        if face > need {
            let on_road = s.unit(target).is(mark::ROAD);
            match self.troop(target).mode {
                Mode::Mechanized => self.lose(s, target, l),
                Mode::Motorized if on_road => self.lose(s, target, l),
                _ => {
                    self.shatter(s, target, l);
                }
            }
        }
        self.after_strike(s, self.troop(target).side.enemy(), l);
    }

    /// Back to the phase in which the aircraft came.
    fn after_strike<L: EventSink<GameEvent>>(&self, s: &mut State, side: Side, l: &mut L) {
        if side == s.side {
            self.next_combat(s, l);
        } else {
            self.next_interdiction(s, l);
        }
    }

    /// The combat phase is over; the other side's aircraft may still come. Ruling R64.
    pub(crate) fn begin_interdiction<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        if self.settings.air_strikes == AirStrikes::Any {
            self.next_interdiction(s, l);
        } else {
            self.begin_supply(s, l);
        }
    }

    fn next_interdiction<L: EventSink<GameEvent>>(&self, s: &mut State, l: &mut L) {
        let side = s.side.enemy();
        s.act = Action::default();
        if s.air[side.index()] > 0 && !self.targets_of(s, side, true).is_empty() {
            s.stage = Stage::Interdiction;
        } else {
            self.begin_supply(s, l);
        }
    }

    pub(crate) fn interdiction_choices(&self, s: &State, out: &mut Vec<Choice>) {
        out.push(Choice::End);
        out.extend(self.targets_of(s, self.striker(s), true).into_iter().map(Choice::Strike));
    }
}
