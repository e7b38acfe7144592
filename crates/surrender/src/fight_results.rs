//! What comes of a ground combat: retreats and losses. Rule 5.3.

use kernel::EventSink;

use crate::frame::Frame;
use crate::game_event::{GameEvent, Loss};
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::{Fight, Manner, State};
use crate::tables::CombatResult;
use crate::world::Hexside;

impl Rules {
    /// Applies the result. What it asks of the defender's owner comes as a question above the combat.
    pub(crate) fn apply_result<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        result: CombatResult,
        sink: &mut S,
    ) {
        let Fight { primary, defender, hex, .. } = state.fight;
        match result {
            CombatResult::NoEffect | CombatResult::AttackerStopped => {}
            CombatResult::AttackerAttrition => self.reduce(state, primary, Loss::Attacking, sink),
            CombatResult::DefenderRetreats => {
                let question = if self.has_fort(state, hex) { Frame::Fort } else { Frame::Retreat };
                self.fall_back(state, question, sink);
            }
            CombatResult::DefenderDisrupted => {
                let was_reduced = Self::is_reduced(state, defender);
                self.reduce(state, defender, Loss::Defending, sink);
                if !was_reduced {
                    // Even out of a fort.
                    self.fall_back(state, Frame::Retreat, sink);
                }
            }
            CombatResult::DefenderEliminated => {
                self.lose_or_evacuate(state, defender, Loss::Defending, sink);
            }
        }
    }

    /// The defender must retreat, or may choose to in a fort; if it can't, that is that (ruling 46).
    fn fall_back<S: EventSink<GameEvent>>(&self, state: &mut State, question: Frame, sink: &mut S) {
        let can = self.retreat_hexes(state, &state.fight).next().is_some();
        if can {
            state.push(question);
        } else {
            self.cannot_retreat(state, sink);
        }
    }

    /// The defender can't retreat, or stands fast in a fort: it loses a step and, if that was not its last, stays.
    pub(crate) fn cannot_retreat<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let defender = state.fight.defender;
        let holds = !Self::is_reduced(state, defender);
        self.reduce(state, defender, Loss::Defending, sink);
        if holds {
            sink.emit(|| GameEvent::HeldOut(defender));
        }
    }

    /// The hexes into which the defender of a combat may retreat: next to it, over no water, two hexes from every attacker,
    /// open to it, without a ground unit, no enemy city or fort, and no EZOC unless a friendly city or fort is there
    /// (rulings 13, 14, 50, 69, 70). An invader stands nowhere (6.4).
    pub(crate) fn retreat_hexes(&self, state: &State, fight: &Fight) -> impl Iterator<Item = Place> {
        let defender = fight.defender;
        let side = self.side_of(state, defender);
        let primary = if fight.manner == Manner::Landing { UnitId::NONE } else { fight.primary };
        let attackers = [primary, fight.more[0], fight.more[1]]
            .map(|unit| unit.some().map_or(Place::NONE, |unit| state.unit(unit).place));
        let info = self.world.hex(fight.hex);
        info.near.iter().zip(info.sides).filter_map(move |(near, between)| {
            let hex = *near;
            let is_near_attacker = |place: &Place| place.is_hex() && self.world.distance(*place, hex) < 2;
            (hex.is_hex()
                && between != Hexside::Water
                && state.ground_at(hex).is_none()
                && self.may_enter(state, hex, defender)
                && !self.has_enemy_city(state, hex, side)
                && !attackers.iter().any(is_near_attacker)
                && (self.has_friendly_city(state, hex, side) || !self.ezoc(state, hex, side)))
            .then_some(hex)
        })
    }

    /// The defender retreats. Its new hex becomes its side's (ruling 50).
    pub(crate) fn retreat<S: EventSink<GameEvent>>(&self, state: &mut State, hex: Place, sink: &mut S) {
        let Fight { defender, hex: from, .. } = state.fight;
        self.put(state, defender, hex);
        sink.emit(|| GameEvent::Retreated(defender, from, hex));
        self.enter_hex(state, defender, hex, sink);
    }
}
