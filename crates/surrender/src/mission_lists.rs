//! Which missions a faction can begin, and the questions that name them. Rules 1.5, 6.1; 6.4 to 6.8 have files of their own.

use kernel::EventSink;

use crate::bits::UnitSet;
use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::havens::Havens;
use crate::ids::{Side, UnitId};
use crate::muster::Muster;
use crate::rules::Rules;
use crate::standing::Reaction;
use crate::state::{State, flag, note};
use crate::survey::Survey;
use crate::world::Kind;

impl Rules {
    /// Whether a hook of the scenario keeps a unit from acting in this turn (30.6).
    fn is_kept_idle(&self, state: &State, unit: UnitId) -> bool {
        self.held_back(state) >> self.country_of(state, unit).index() & 1 != 0
    }

    /// Whether an air or naval unit can carry out an action (3.1, 4.8, 6.1).
    pub(crate) fn may_act(&self, state: &State, unit: UnitId) -> bool {
        self.is_fit(state, unit) && !state.unit(unit).has(flag::RAILED) && !self.is_kept_idle(state, unit)
    }

    /// Whether a ground unit can be activated for a mission: not yet activated, not moved by rail, and somebody can pay (6.1,
    /// 4.8, 9.2).
    pub(crate) fn may_join_mission(&self, state: &State, unit: UnitId) -> bool {
        let is = state.unit(unit);
        is.on_map()
            && !is.has(flag::DONE | flag::RAILED)
            && !self.is_kept_idle(state, unit)
            && self.payer(state, unit, self.activation_cost(state, unit)).is_some()
    }

    /// Adds the actions of ships, aircraft and airborne units of a player to the list of an Actions Sub-Phase: each only if it
    /// can be carried out to the end.
    pub(crate) fn list_mission_actions(
        &self,
        state: &State,
        survey: &Survey,
        own: &UnitSet,
        out: &mut Vec<Choice>,
    ) {
        let mut havens = None;
        let muster = Muster::of(state);
        let may_land = Side::ALL.map(|side| self.may_land_again(state, side));
        let fields = own.minus(&muster.done).and(&self.fields);
        let troops = if may_land.contains(&true) { fields } else { fields.and(&self.airborne) };
        let is_held_back = self.held_back(state) != 0;
        for unit in own.minus(&muster.unfit).minus(&self.armies).or(&troops).units() {
            if is_held_back && self.is_kept_idle(state, unit) {
                continue;
            }
            if self.kind(unit).is_ground() {
                // Most stand inland, where no landing begins.
                let place = state.unit(unit).place;
                if place.is_hex() && !self.ports.has(place) && !self.airborne.has(unit) {
                    continue;
                }
                let side = self.side_of(state, unit);
                if may_land.get(side.index()).is_some_and(|may| *may) && self.may_invade(state, unit) {
                    out.push(Choice::Invade(unit));
                }
                if self.may_drop(state, unit) {
                    out.push(Choice::Drop(unit));
                }
            } else {
                let havens = Havens::of(&mut havens, self, state, survey, self.side_of(state, unit));
                self.list_actions_of(state, unit, own, havens, out);
            }
        }
    }

    /// Adds the actions of a ship or an air unit.
    fn list_actions_of(
        &self,
        state: &State,
        unit: UnitId,
        own: &UnitSet,
        havens: &Havens<'_>,
        out: &mut Vec<Choice>,
    ) {
        let kind = self.kind(unit);
        let moved = state.unit(unit).has(flag::MOVED);
        if kind.is_air() && !moved && self.can_rebase(state, unit, havens) {
            out.push(Choice::Rebase(unit));
        }
        if kind.is_naval() && !moved && self.can_sail(state, unit, havens) {
            out.push(Choice::Sail(unit));
        }
        if kind == Kind::Convoy && self.can_carry(state, unit, own, havens) {
            out.push(Choice::Transport(unit));
        }
        if self.has_target(state, unit, havens) {
            out.push(Choice::Strike(unit));
        }
        let bombed = state.unit(unit).has(flag::BOMBED);
        if kind == Kind::Bomber && !bombed && self.can_bomb(state, unit, havens) {
            out.push(Choice::Bomb(unit));
        }
    }

    /// Such an action is chosen: the question that comes next.
    pub(crate) fn play_mission_action<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        choice: Choice,
        _sink: &mut S,
    ) {
        let next = match choice {
            Choice::Rebase(unit) => Frame::RebaseTo(unit),
            Choice::Sail(unit) => Frame::SailTo(unit),
            Choice::Transport(unit) => Frame::Passenger(unit),
            Choice::Invade(unit) => Frame::InvadeWith(unit),
            Choice::Strike(unit) => Frame::StrikeAt(unit),
            Choice::Bomb(unit) => Frame::BombAt(unit),
            Choice::Drop(unit) => Frame::DropFrom(unit),
            _ => return,
        };
        state.notes |= note::BEGUN;
        state.push(next);
    }

    /// The choices of a mission.
    pub(crate) fn list_missions(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        let mission = &state.mission;
        match frame {
            Frame::DuelItem(side) => self.list_duel_items(state, usize::from(side), out),
            Frame::RebaseTo(unit) => {
                self.rebases(state, unit, |place| add(out, Choice::To(place)));
            }
            Frame::SailTo(unit) => self.list_harbours(state, unit, None, out),
            Frame::Passenger(convoy) => {
                self.passengers(state, convoy, |unit| add(out, Choice::With(unit)));
            }
            Frame::TransportTo => self.list_harbours(state, mission.unit, mission.passenger.some(), out),
            Frame::InvadeWith(unit) => {
                self.carriers_of(state, unit, |ship| add(out, Choice::With(ship)));
            }
            Frame::InvadeAt => self.list_beaches(state, out),
            Frame::LandingMore => self.list_more_attackers(state, out),
            Frame::StrikeAt(unit) => {
                self.strikes(state, unit, |target| add(out, Choice::Against(target)));
            }
            Frame::BombAt(unit) => {
                self.bombings(state, unit, |hex| add(out, Choice::At(hex)));
            }
            Frame::DropFrom(unit) => {
                self.droppers(state, unit, |air| add(out, Choice::With(air)));
            }
            Frame::DropAt => self.list_drop_zones(state, out),
            Frame::Escort => {
                out.extend(self.escorts(state, mission).map(Choice::Escort));
                out.push(Choice::Alone);
            }
            Frame::Intercept(faction) => {
                out.extend(self.interceptors(state, mission, faction).map(Choice::Intercept));
                out.extend([Choice::LetGo, Choice::LetAllGo]);
            }
            Frame::CallOff => out.extend([Choice::CallOff, Choice::GoOn]),
            Frame::Press => out.extend([Choice::Press, Choice::LetGo]),
            Frame::Mulberry => out.extend([Choice::Mulberry, Choice::Pass]),
            _ => {}
        }
    }

    /// A choice or die of a mission or an air or naval combat.
    pub(crate) fn play_missions<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        match (frame, choice) {
            (Frame::DuelItem(_) | Frame::DuelDie(_), _) => self.play_duel(state, frame, choice, sink),
            (Frame::RebaseTo(unit), Choice::To(place)) => self.rebase(state, unit, place, sink),
            (Frame::SailTo(unit), Choice::To(place)) => self.sail(state, unit, place, sink),
            (Frame::Passenger(convoy), Choice::With(unit)) => self.board(state, convoy, unit),
            (Frame::TransportTo, Choice::To(place)) => self.transport(state, place, sink),
            (Frame::InvadeWith(unit), Choice::With(ship)) => self.embark(state, unit, ship),
            (Frame::InvadeAt, Choice::At(hex)) => self.invade(state, hex, sink),
            (Frame::LandingMore, _) => self.play_more_attackers(state, choice, sink),
            (Frame::StrikeAt(unit), Choice::Against(target)) => self.strike(state, unit, target, sink),
            (Frame::BombAt(unit), Choice::At(hex)) => self.bomb(state, unit, hex, sink),
            (Frame::DropFrom(unit), Choice::With(air)) => self.take_aboard(state, unit, air),
            (Frame::DropAt, Choice::At(hex)) => self.drop_at(state, hex, sink),
            (Frame::Intercept(faction), Choice::LetAllGo) => {
                state.pop();
                self.stand_by(state, Reaction::Intercept, faction, sink);
            }
            (Frame::Escort | Frame::Intercept(_) | Frame::CallOff | Frame::Press, _) => {
                self.play_interception(state, choice, sink);
            }
            (Frame::Mulberry, _) => self.play_mulberry(state, choice, sink),
            _ => {}
        }
    }
}

/// Adds a choice and asks for the next.
fn add(out: &mut Vec<Choice>, choice: Choice) -> bool {
    out.push(choice);
    false
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod whole_missions;
