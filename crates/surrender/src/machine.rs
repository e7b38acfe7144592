//! Who decides, what can be chosen, and what comes of it: each question belongs to a chapter.

use kernel::{EventSink, Mover};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::{Faction, Side};
use crate::rules::Rules;
use crate::state::State;

impl Rules {
    /// Who makes the next choice.
    pub fn mover(&self, state: &State) -> Mover {
        let frame = state.frame();
        if frame == Frame::Over {
            return Mover::Nobody;
        }
        if frame.is_fate() {
            return Mover::Fate;
        }
        Mover::Seat(self.seat_of(self.decider(state, frame)))
    }

    /// The faction whose player answers a question.
    pub(crate) fn decider(&self, state: &State, frame: Frame) -> Faction {
        match frame {
            Frame::EvaluatePact
            | Frame::Relocate
            | Frame::FinlandWar
            | Frame::Emergency(_)
            | Frame::EmergencyAt(..) => Faction::Soviet,
            Frame::EndPact => Faction::Axis,
            Frame::LendLease => Faction::Western,
            Frame::Declare(faction)
            | Frame::Influence(faction)
            | Frame::Rail(faction)
            | Frame::Actions(faction)
            | Frame::Intercept(faction)
            | Frame::Link(faction)
            | Frame::AirSupply(faction)
            | Frame::Replace(faction)
            | Frame::Mobilize(faction)
            | Frame::Diplomacy(faction)
            | Frame::Coup(faction)
            | Frame::BalticPro(faction)
            | Frame::ProMarker(faction, _) => faction,
            Frame::RailTo(unit)
            | Frame::Evacuate(unit)
            | Frame::RebaseTo(unit)
            | Frame::SailTo(unit)
            | Frame::Passenger(unit)
            | Frame::InvadeWith(unit)
            | Frame::StrikeAt(unit)
            | Frame::BombAt(unit)
            | Frame::DropFrom(unit)
            | Frame::LinkTo(unit)
            | Frame::MobilizeAt(unit)
            | Frame::PlaceAir(unit) => self.side_of(state, unit).player(),
            Frame::Activation => self.side_of(state, state.activation.unit).player(),
            Frame::Advance | Frame::AdvanceOne => self.fight_side(state, 0).player(),
            Frame::Trick(at) | Frame::Commit(at) | Frame::Item(at) => self.fight_side(state, at).player(),
            Frame::DuelItem(at) => self.side_of(state, state.duel.units[usize::from(at)]).player(),
            Frame::Fort | Frame::Retreat => self.fight_side(state, 1).player(),
            Frame::Press => self.side_of(state, state.mission.interceptor).player(),
            Frame::TransportTo
            | Frame::InvadeAt
            | Frame::LandingMore
            | Frame::DropAt
            | Frame::Escort
            | Frame::CallOff
            | Frame::Mulberry => self.side_of(state, state.mission.unit).player(),
            _ => state.acting,
        }
    }

    /// The side of the attacker (0) or defender (1) of the ground combat.
    #[inline]
    pub fn fight_side(&self, state: &State, at: u8) -> Side {
        let unit = if at == 0 { state.fight.primary } else { state.fight.defender };
        self.side_of(state, unit)
    }

    /// Adds the choices of the question that waits.
    pub fn list(&self, state: &State, out: &mut Vec<Choice>) {
        let frame = state.frame();
        match frame {
            Frame::WeatherDie(_)
            | Frame::PactDie
            | Frame::InfluenceDie(_)
            | Frame::StrategicDie(..)
            | Frame::FightDie(_)
            | Frame::DuelDie(_)
            | Frame::FailureDie(_)
            | Frame::CoupDie(..)
            | Frame::KareliaDie
            | Frame::AreaDie(_)
            | Frame::FleetDie(_)
            | Frame::EntryDie(_) => out.extend((1..=6).map(Choice::Die)),
            Frame::Actions(_) => self.list_actions(state, out),
            Frame::Activation
            | Frame::Advance
            | Frame::Primary(_)
            | Frame::Additional
            | Frame::AdvanceOne => {
                self.list_land(state, frame, out);
            }
            Frame::Trick(_)
            | Frame::Commit(_)
            | Frame::Item(_)
            | Frame::Fort
            | Frame::Retreat
            | Frame::Evacuate(_) => self.list_fight(state, frame, out),
            Frame::DuelItem(_)
            | Frame::RebaseTo(_)
            | Frame::SailTo(_)
            | Frame::Passenger(_)
            | Frame::TransportTo
            | Frame::InvadeWith(_)
            | Frame::InvadeAt
            | Frame::LandingMore
            | Frame::StrikeAt(_)
            | Frame::BombAt(_)
            | Frame::DropFrom(_)
            | Frame::DropAt
            | Frame::Escort
            | Frame::Intercept(_)
            | Frame::CallOff
            | Frame::Press
            | Frame::Mulberry => self.list_missions(state, frame, out),
            Frame::Rail(_)
            | Frame::RailTo(_)
            | Frame::Link(_)
            | Frame::LinkTo(_)
            | Frame::Feed(_)
            | Frame::AirSupply(_)
            | Frame::Replace(_)
            | Frame::Mobilize(_)
            | Frame::MobilizeAt(_)
            | Frame::LendLease
            | Frame::Relocate
            | Frame::Emergency(_)
            | Frame::EmergencyAt(..) => self.list_logistics(state, frame, out),
            Frame::DrawMarker(_)
            | Frame::EvaluatePact
            | Frame::EndPact
            | Frame::Declare(_)
            | Frame::Influence(_)
            | Frame::Diplomacy(_)
            | Frame::Coup(_)
            | Frame::FinlandWar
            | Frame::BalticPro(_)
            | Frame::ProMarker(..)
            | Frame::PlaceAir(_) => self.list_politics(state, frame, out),
            Frame::Flow
            | Frame::Fight
            | Frame::Duel
            | Frame::Mission
            | Frame::Check(_)
            | Frame::Collapse(_)
            | Frame::Conquest(..)
            | Frame::Over => {}
        }
    }

    /// Plays a choice, and everything that follows without another decision.
    pub fn play<S: EventSink<GameEvent>>(&self, state: &mut State, choice: Choice, sink: &mut S) {
        let frame = state.frame();
        match frame {
            Frame::WeatherDie(_) => self.play_weather(state, frame, choice, sink),
            Frame::Actions(_) => self.play_actions(state, choice, sink),
            Frame::Activation
            | Frame::Advance
            | Frame::Primary(_)
            | Frame::Additional
            | Frame::AdvanceOne => {
                self.play_land(state, frame, choice, sink);
            }
            Frame::Trick(_)
            | Frame::Commit(_)
            | Frame::Item(_)
            | Frame::FightDie(_)
            | Frame::Fort
            | Frame::Retreat
            | Frame::Evacuate(_) => self.play_fight(state, frame, choice, sink),
            Frame::DuelDie(_)
            | Frame::DuelItem(_)
            | Frame::RebaseTo(_)
            | Frame::SailTo(_)
            | Frame::Passenger(_)
            | Frame::TransportTo
            | Frame::InvadeWith(_)
            | Frame::InvadeAt
            | Frame::LandingMore
            | Frame::StrikeAt(_)
            | Frame::BombAt(_)
            | Frame::DropFrom(_)
            | Frame::DropAt
            | Frame::Escort
            | Frame::Intercept(_)
            | Frame::CallOff
            | Frame::Press
            | Frame::Mulberry => self.play_missions(state, frame, choice, sink),
            Frame::StrategicDie(..)
            | Frame::EntryDie(_)
            | Frame::Rail(_)
            | Frame::RailTo(_)
            | Frame::Link(_)
            | Frame::LinkTo(_)
            | Frame::Feed(_)
            | Frame::AirSupply(_)
            | Frame::Replace(_)
            | Frame::Mobilize(_)
            | Frame::MobilizeAt(_)
            | Frame::LendLease
            | Frame::Relocate
            | Frame::Emergency(_)
            | Frame::EmergencyAt(..) => self.play_logistics(state, frame, choice, sink),
            Frame::PactDie
            | Frame::InfluenceDie(_)
            | Frame::DrawMarker(_)
            | Frame::FailureDie(_)
            | Frame::CoupDie(..)
            | Frame::KareliaDie
            | Frame::AreaDie(_)
            | Frame::FleetDie(_)
            | Frame::EvaluatePact
            | Frame::EndPact
            | Frame::Declare(_)
            | Frame::Influence(_)
            | Frame::Diplomacy(_)
            | Frame::Coup(_)
            | Frame::FinlandWar
            | Frame::BalticPro(_)
            | Frame::ProMarker(..)
            | Frame::PlaceAir(_) => self.play_politics(state, frame, choice, sink),
            Frame::Flow
            | Frame::Fight
            | Frame::Duel
            | Frame::Mission
            | Frame::Check(_)
            | Frame::Collapse(_)
            | Frame::Conquest(..)
            | Frame::Over => {}
        }
        self.settle(state, sink);
    }

    /// Goes on until somebody has to choose. A country that has collapsed falls as soon as no step or combat is under way.
    pub fn settle<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        loop {
            let frame = state.frame();
            if state.collapsing != 0 && frame.is_calm() {
                self.look_at_will(state, sink);
                continue;
            }
            match frame {
                Frame::Flow => self.flow(state, sink),
                Frame::Fight => self.proceed_fight(state, sink),
                Frame::Duel => self.proceed_duel(state, sink),
                Frame::Mission => self.proceed_mission(state, sink),
                Frame::Check(faction) => self.proceed_check(state, faction, sink),
                Frame::Collapse(country) => self.proceed_collapse(state, country, sink),
                Frame::Conquest(country, step) => self.proceed_conquest(state, country, step, sink),
                Frame::Activation if self.is_stranded(state) => self.rescue(state, sink),
                _ => return,
            }
        }
    }

    /// How many tickets Fate has.
    pub fn tickets(&self, state: &State) -> u32 {
        match state.frame() {
            Frame::DrawMarker(_) => state.cup.iter().map(|count| u32::from(*count)).sum(),
            _ => 6,
        }
    }

    /// The choice of a ticket.
    pub fn drawn(&self, state: &State, ticket: u32) -> Choice {
        if !matches!(state.frame(), Frame::DrawMarker(_)) {
            return Choice::Die(ticket as u8 + 1);
        }
        let mut left = ticket;
        for (at, (_, marker)) in crate::tables::Diplomat::ALL.into_iter().enumerate() {
            let count = u32::from(state.cup[at]);
            if left < count {
                return Choice::Drawn(marker);
            }
            left -= count;
        }
        Choice::Drawn(crate::tables::Diplomat::NoEvent)
    }
}
