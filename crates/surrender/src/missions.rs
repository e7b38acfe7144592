//! The course of a mission that can be intercepted: escort, interceptors, the combats, its effect. Rules 5.2, 6.9; rulings
//! 35, 40, 62, 66, 67, 81, 82.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::{GameEvent, Loss};
use crate::ids::{City, Country, Faction, Node, Place, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::sea_paths::NO_WAY;
use crate::state::{Duel, Errand, Mission, MissionStep, Occasion, State, flag};

/// What an air unit aboard an interdicted convoy adds (5.2, "Transport").
const PASSENGER_SORTIES: u8 = 2;

impl Rules {
    /// A mission that can be intercepted begins: escort, interceptors, then its effect. The frame below goes on when it is
    /// over; for a sea link ([`Errand::Link`]) that is the Supply Check, which reads from [`State::mission`] whether it was
    /// interdicted and then resets it. The convoy's Sortie and the ends of activations are dealt with here. A voyage without
    /// a path gets the one of rule 4.6.
    pub(crate) fn begin_mission<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        mission: Mission,
        sink: &mut S,
    ) {
        let mut mission = mission;
        if mission.path[0] == Node::NONE && !mission.errand.is_flown() {
            let way = self.sea_path_of(state, mission.unit, mission.from, mission.to, NO_WAY - 1);
            if let Some((_, path)) = way {
                mission.path = path;
            }
        }
        mission.step = MissionStep::Escort;
        state.mission = mission;
        sink.emit(|| GameEvent::SetOut(mission.errand, mission.unit, mission.passenger, mission.to));
        state.push(Frame::Mission);
    }

    /// The mission goes on.
    pub(crate) fn proceed_mission<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mission = state.mission;
        match mission.step {
            MissionStep::Escort => {
                state.mission.step = MissionStep::Intercept;
                if self.is_escort_asked(state) {
                    state.push(Frame::Escort);
                }
            }
            MissionStep::Intercept => self.ask_to_intercept(state),
            MissionStep::Guarded => {
                let failed = self.take_duel(state);
                if !failed {
                    self.mark_ended(state, mission.interceptor);
                    state.mission.step = MissionStep::Effect;
                    return;
                }
                state.mission.escort_failed = true;
                self.mark_ended(state, mission.escort);
                state.mission.step = MissionStep::Exposed;
                if mission.errand == Errand::Invasion {
                    state.push(Frame::CallOff);
                }
            }
            MissionStep::Exposed => {
                state.mission.step = MissionStep::Effect;
                if self.is_fit(state, mission.interceptor) {
                    state.push(Frame::Press);
                }
            }
            MissionStep::Attacked => {
                let interdicted = self.take_duel(state);
                state.mission.fought = true;
                self.mark_ended(state, mission.interceptor);
                state.mission.step = MissionStep::Effect;
                if interdicted {
                    state.mission.interdicted = true;
                    state.mission.step = MissionStep::Over;
                    self.interdict(state, sink);
                }
            }
            MissionStep::Effect => {
                state.mission.step = MissionStep::Over;
                self.take_effect(state, sink);
            }
            MissionStep::Ashore => {
                state.mission.step = MissionStep::Over;
                self.finish_landing(state, sink);
            }
            MissionStep::Over => {
                state.pop();
                if mission.errand != Errand::Link {
                    state.mission = Mission::NONE;
                }
            }
        }
    }

    /// Whether the result of the combat that is over was DR, DD or DE.
    fn take_duel(&self, state: &mut State) -> bool {
        let result = state.duel.result;
        state.duel = Duel::NONE;
        result.is_some_and(crate::tables::CombatResult::is_success)
    }

    /// A result ends the activation of an air or naval unit (3.1).
    pub(crate) fn mark_ended(&self, state: &mut State, unit: UnitId) {
        if unit.some().is_some() && state.unit(unit).on_map() {
            state.unit_mut(unit).flags |= flag::ENDED;
        }
    }

    /// Whether an escort is asked for: somebody can escort, and it can matter, because an enemy could intercept or because a
    /// warship would give Naval Support (ruling 62).
    fn is_escort_asked(&self, state: &State) -> bool {
        let mission = &state.mission;
        let intercepted = Faction::ALL
            .into_iter()
            .any(|faction| self.interceptors(state, mission, faction).next().is_some());
        if intercepted {
            return self.escorts(state, mission).next().is_some();
        }
        mission.errand == Errand::Invasion
            && state.ground_at(mission.to).is_some()
            && self.escorts(state, mission).any(|unit| self.kind(unit).is_warship())
    }

    /// Asks the next enemy faction that can intercept, each once, in the order of the game.
    fn ask_to_intercept(&self, state: &mut State) {
        for faction in Faction::ALL {
            let bit = 1 << faction.index();
            if state.mission.asked & bit != 0 {
                continue;
            }
            state.mission.asked |= bit;
            if self.interceptors(state, &state.mission, faction).next().is_some() {
                state.push(Frame::Intercept(faction));
                return;
            }
        }
        state.mission.step = MissionStep::Effect;
    }

    /// An escort, an interceptor, or what comes after a failed escort was chosen.
    pub(crate) fn play_interception<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        sink: &mut S,
    ) {
        state.pop();
        match choice {
            Choice::Escort(unit) => {
                state.mission.escort = unit;
                if state.mission.errand == Errand::Bombing {
                    let side = self.side_of(state, unit);
                    self.spend(state, Marker::LongRangeEscort, Owner::Country(Country::USA));
                    sink.emit(|| GameEvent::Played(side, Marker::LongRangeEscort));
                }
                sink.emit(|| GameEvent::Escorted(unit));
            }
            Choice::Intercept(unit) => {
                let zone = if state.mission.errand.is_flown() {
                    Node::NONE
                } else {
                    self.meeting_zone(state, &state.mission, unit)
                };
                (state.mission.interceptor, state.mission.zone) = (unit, zone);
                sink.emit(|| GameEvent::Intercepted(unit, zone));
                match state.mission.escort.some() {
                    Some(escort) => self.meet(state, escort, MissionStep::Guarded, sink),
                    None => self.meet(state, state.mission.unit, MissionStep::Attacked, sink),
                }
            }
            Choice::Press => self.meet(state, state.mission.unit, MissionStep::Attacked, sink),
            Choice::CallOff => self.call_off(state, sink),
            _ => {}
        }
    }

    /// The interceptor attacks the escort or the mission unit.
    fn meet<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        target: UnitId,
        step: MissionStep,
        sink: &mut S,
    ) {
        state.mission.step = step;
        let mission = &state.mission;
        let guarded = step == MissionStep::Guarded;
        let duel = Duel {
            occasion: if guarded { Occasion::Escort } else { Occasion::Interdiction },
            units: [mission.interceptor, target],
            hex: if mission.errand.is_flown() { mission.to } else { Place::NONE },
            zone: mission.zone,
            ..Duel::NONE
        };
        self.begin_duel(state, duel, sink);
    }

    /// The invasion is called off: the activation of the whole force and of the interceptor ends (5.2).
    fn call_off<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mission = state.mission;
        for unit in [mission.unit, mission.escort, mission.interceptor] {
            self.mark_ended(state, unit);
        }
        state.mission.step = MissionStep::Over;
        sink.emit(|| GameEvent::CalledOff(mission.passenger));
    }

    /// The mission was interdicted (5.2, step 2).
    fn interdict<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mission = state.mission;
        sink.emit(|| GameEvent::Interdicted(mission.errand, mission.unit));
        self.mark_ended(state, mission.unit);
        self.mark_ended(state, mission.escort);
        if let Some(passenger) = mission.passenger.some() {
            self.shake(state, passenger, sink);
        }
        if !matches!(mission.errand, Errand::Sail | Errand::Transport) {
            return;
        }
        // A passenger whose ship is lost stays where it started (6.9).
        let aboard = mission.passenger.some().filter(|unit| state.unit(*unit).on_map());
        self.turn_back(state, mission.unit, aboard, mission.zone, sink);
        if let Some(escort) = mission.escort.some().filter(|unit| self.kind(*unit).is_warship()) {
            self.turn_back(state, escort, None, mission.zone, sink);
        }
    }

    /// Whoever was aboard suffers: a full ground unit is reduced, a reduced one stays so, an air unit adds two Sorties (5.2).
    fn shake<S: EventSink<GameEvent>>(&self, state: &mut State, passenger: UnitId, sink: &mut S) {
        if self.kind(passenger).is_air() {
            self.add_sorties(state, passenger, PASSENGER_SORTIES, sink);
        } else if !Self::is_reduced(state, passenger) {
            self.reduce(state, passenger, Loss::Attacking, sink);
        }
    }

    /// The mission takes effect.
    fn take_effect<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let mission = state.mission;
        match mission.errand {
            Errand::None => {}
            Errand::Sail => {
                self.put(state, mission.unit, mission.to);
                sink.emit(|| GameEvent::Arrived(mission.unit, mission.to));
            }
            Errand::Transport => self.unload(state, sink),
            Errand::Invasion => self.approach_beach(state, sink),
            Errand::Bombing => {
                if let Some(city) = self.world.city_at(mission.to) {
                    mark_bombed(state, city);
                    sink.emit(|| GameEvent::Bombed(mission.unit, city));
                }
                self.count_sortie(state, sink);
            }
            Errand::Airdrop => {
                self.put(state, mission.passenger, mission.to);
                state.unit_mut(mission.passenger).flags |= flag::DROPPED;
                sink.emit(|| GameEvent::Landed(mission.passenger, mission.to));
                self.enter_hex(state, mission.passenger, mission.to, sink);
                self.count_sortie(state, sink);
            }
            Errand::Link => self.count_sortie(state, sink),
        }
    }

    /// A mission unit that has not fought itself adds one Sortie for its action (6.1).
    pub(crate) fn count_sortie<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        if !state.mission.fought {
            self.add_sorties(state, state.mission.unit, 1, sink);
        }
    }

    /// A ground unit is activated for its passage, landing or drop: it pays as for any activation (6.1, 9.2).
    pub(crate) fn pay_for_mission<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        unit: UnitId,
        sink: &mut S,
    ) {
        let cost = self.activation_cost(state, unit);
        if let Some(payer) = self.payer(state, unit, cost) {
            state.country_mut(payer).points -= cost;
            sink.emit(|| GameEvent::Activated(unit, cost, payer));
        }
        state.unit_mut(unit).flags |= flag::DONE;
    }
}

fn mark_bombed(state: &mut State, city: City) {
    state.bombed[city.index() / 64] |= 1 << (city.index() % 64);
}

#[cfg(test)]
mod tests;
