//! The Diplomacy Phase: the Cup, the Holding Box and their markers. Rule 10.4; rulings 101 to 104.

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::{GameEvent, WillCause};
use crate::ids::{Country, Faction, Side, UnitId};
use crate::rules::Rules;
use crate::state::{State, Status, note};
use crate::tables::Diplomat;

/// The Baltic states.
const BALTIC: [Country; 3] = [Country::EST, Country::LAT, Country::LIT];
/// National Will that a Coup or the Vienna Award costs.
const BLOW: i16 = 2;
/// Up to this die Finland gives way to Karelian Demands.
const YIELDS: u8 = 2;
/// Up to the first die a Coup does harm, up to the second it places a marker too.
const COUP: [u8; 2] = [3, 5];

impl Rules {
    /// Phase 11: a faction may draw a marker or put one in, if its leading power can pay.
    pub(crate) fn begin_diplomacy(&self, state: &mut State, faction: Faction) {
        if !self.scenario().diplomacy || self.settings.historical {
            return;
        }
        let (draws, puts) = self.bargains(state, faction);
        if draws || puts {
            state.push(Frame::Diplomacy(faction));
        }
    }

    /// Whether a faction can draw, and put in.
    fn bargains(&self, state: &State, faction: Faction) -> (bool, bool) {
        let production = &self.world.tables.production;
        let points = self
            .leading_power(state, faction)
            .filter(|power| state.country(*power).status == Status::Active)
            .map_or(-1, |power| state.country(power).points);
        let has = |box_of: &[u8]| box_of.iter().any(|count| *count > 0);
        (points >= production.draw && has(&state.cup), points >= production.put && has(&state.holding))
    }

    /// The choices of this phase.
    pub(crate) fn list_diplomacy(&self, state: &State, frame: Frame, out: &mut Vec<Choice>) {
        match frame {
            Frame::Diplomacy(faction) => {
                let (draws, puts) = self.bargains(state, faction);
                out.push(Choice::Pass);
                if draws {
                    out.push(Choice::Draw);
                }
                for (at, (_, marker)) in Diplomat::ALL.into_iter().enumerate() {
                    if puts && state.holding[at] > 0 {
                        out.push(Choice::Put(marker));
                    }
                }
            }
            Frame::DrawMarker(_) => {
                for (at, (_, marker)) in Diplomat::ALL.into_iter().enumerate() {
                    if state.cup[at] > 0 {
                        out.push(Choice::Drawn(marker));
                    }
                }
            }
            Frame::Influence(faction) => out.extend(self.influenced(state, faction).map(Choice::Influence)),
            Frame::Coup(faction) => out.extend(self.coups(state, faction).map(Choice::Coup)),
            Frame::FinlandWar => out.extend([Choice::Pass, Choice::Declare(Country::FIN)]),
            Frame::BalticPro(_) => out.extend(Self::unmarked_baltic(state).map(Choice::Court)),
            Frame::ProMarker(faction, victim) => {
                out.push(Choice::Pass);
                out.extend(self.pro_places(state, faction, victim).map(Choice::Court));
            }
            _ => {}
        }
    }

    /// A choice or die of this phase.
    pub(crate) fn play_diplomacy<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        let production = &self.world.tables.production;
        match (frame, choice) {
            (Frame::Diplomacy(faction), Choice::Draw) => {
                self.pay_for_faction(state, faction, production.draw);
                state.become_frame(Frame::DrawMarker(faction));
            }
            (Frame::Diplomacy(faction), Choice::Put(marker)) => {
                self.pay_for_faction(state, faction, production.put);
                state.pop();
                self.put_in(state, faction, marker, sink);
                if state.holding[Diplomat::NoEvent as usize] > 0 {
                    self.put_in(state, faction, Diplomat::NoEvent, sink);
                }
            }
            (Frame::DrawMarker(faction), Choice::Drawn(marker)) => {
                state.pop();
                self.draw(state, faction, marker, sink);
            }
            (Frame::Influence(faction), Choice::Influence(country)) => {
                state.pop();
                self.influence(state, faction, country, sink);
            }
            (Frame::FailureDie(faction), Choice::Die(die)) => {
                state.pop();
                // Odd: the next faction in order, even: the one after; one that cannot is skipped.
                let (next, after) = (faction.next(), faction.next().next());
                let order = if die % 2 == 1 { [next, after] } else { [after, next] };
                let applies = order.into_iter().find(|faction| self.can_influence(state, *faction));
                sink.emit(|| GameEvent::InfluenceDie(die, applies));
                if let Some(faction) = applies {
                    state.push(Frame::Influence(faction));
                }
            }
            (Frame::Coup(faction), Choice::Coup(country)) => {
                state.become_frame(Frame::CoupDie(faction, country));
            }
            (Frame::CoupDie(faction, country), Choice::Die(die)) => {
                state.pop();
                self.coup(state, faction, country, die, sink);
            }
            (Frame::KareliaDie, Choice::Die(die)) => {
                state.pop();
                self.karelian_demands(state, die, sink);
            }
            (Frame::FinlandWar, choice) => {
                state.pop();
                if choice == Choice::Pass {
                    self.mark(state, Country::FIN, Some(Faction::Axis), sink);
                } else {
                    self.declare(state, Faction::Soviet, Country::FIN, sink);
                }
            }
            (Frame::BalticPro(faction) | Frame::ProMarker(faction, _), Choice::Court(country)) => {
                state.pop();
                self.mark(state, country, Some(faction), sink);
            }
            _ => state.pop(),
        }
    }

    /// The leading power pays for its faction.
    fn pay_for_faction(&self, state: &mut State, faction: Faction, points: i16) {
        if let Some(power) = self.leading_power(state, faction) {
            state.country_mut(power).points -= points;
        }
    }

    fn put_in<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        marker: Diplomat,
        sink: &mut S,
    ) {
        state.holding[marker as usize] -= 1;
        state.cup[marker as usize] += 1;
        sink.emit(|| GameEvent::PutIn(faction, marker));
    }

    /// A marker was drawn: it does what it says, and goes to the Holding Box unless it leaves the game.
    fn draw<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        marker: Diplomat,
        sink: &mut S,
    ) {
        state.cup[marker as usize] -= 1;
        sink.emit(|| GameEvent::Drew(faction, marker));
        let neutral = |state: &State, country: Country| state.country(country).status == Status::Neutral;
        match marker {
            Diplomat::NoEvent => state.holding[marker as usize] += 1,
            Diplomat::Success => {
                if self.can_influence(state, faction) {
                    state.push(Frame::Influence(faction));
                }
            }
            Diplomat::Failure => {
                if Faction::ALL.into_iter().any(|other| other != faction && self.can_influence(state, other))
                {
                    state.push(Frame::FailureDie(faction));
                }
            }
            Diplomat::Coup => {
                state.holding[marker as usize] += 1;
                if self.coups(state, faction).next().is_some() {
                    state.push(Frame::Coup(faction));
                }
            }
            Diplomat::Bessarabia => {
                if neutral(state, Country::ROM) && state.pact() {
                    self.cede_claim(state, Country::ROM, Country::USSR, sink);
                    self.mark(state, Country::ROM, Some(Faction::Axis), sink);
                }
            }
            Diplomat::Karelia => {
                if neutral(state, Country::FIN) {
                    state.push(Frame::KareliaDie);
                }
            }
            Diplomat::Baltic => {
                if state.pact() {
                    for country in BALTIC {
                        if neutral(state, country) {
                            self.absorb(state, country, Faction::Soviet, sink);
                        }
                    }
                } else if Self::unmarked_baltic(state).next().is_some() {
                    state.push(Frame::BalticPro(faction));
                }
            }
            Diplomat::Vienna => self.vienna_award(state, sink),
            Diplomat::Iraq => {
                if neutral(state, Country::IRQ) && state.country(Country::FRA).status == Status::Conquered {
                    self.activate(state, Country::IRQ, Side::Axis, sink);
                } else {
                    state.cup[marker as usize] += 1;
                }
            }
            Diplomat::Trade => {
                state.holding[marker as usize] += 1;
                state.notes |= note::TRADE << faction.index();
            }
        }
    }

    /// What one country claims of another is ceded.
    fn cede_claim<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        owner: Country,
        claimant: Country,
        sink: &mut S,
    ) {
        for (at, area) in self.world.disputed.iter().enumerate() {
            if area.owner == owner && area.claimant == claimant {
                self.cede(state, at as u8, sink);
            }
        }
    }

    /// Vienna Award: Hungary and Bulgaria have their claims on Romania.
    fn vienna_award<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let romania = *state.country(Country::ROM);
        let is_axis = romania.status == Status::Active && romania.side == Side::Axis;
        let is_enemy = |country: Country| state.at_war(state.country(country).side, Side::Axis);
        if romania.status != Status::Neutral && !is_axis || is_enemy(Country::HUN) || is_enemy(Country::BUL) {
            return;
        }
        for claimant in [Country::HUN, Country::BUL] {
            self.cede_claim(state, Country::ROM, claimant, sink);
            if state.country(claimant).status == Status::Neutral {
                self.mark(state, claimant, Some(Faction::Axis), sink);
            }
        }
        self.change_will(state, Country::ROM, -BLOW, WillCause::Diplomacy(Diplomat::Vienna), sink);
    }

    /// Karelian Demands: Finland gives way, or refuses and the Soviets may declare war.
    fn karelian_demands<S: EventSink<GameEvent>>(&self, state: &mut State, die: u8, sink: &mut S) {
        if die > YIELDS && self.plays(Faction::Soviet) {
            state.push(Frame::FinlandWar);
            return;
        }
        if die <= YIELDS {
            self.cede_claim(state, Country::FIN, Country::USSR, sink);
        }
        self.mark(state, Country::FIN, Some(Faction::Axis), sink);
    }

    /// Baltic states that are neutral and bear no marker.
    fn unmarked_baltic(state: &State) -> impl Iterator<Item = Country> {
        BALTIC.into_iter().filter(|country| {
            let entry = state.country(*country);
            entry.status == Status::Neutral && entry.pro.is_none()
        })
    }

    /// The countries in which a faction can stage a Coup: neutral with another's marker, or an active minor country of an enemy
    /// faction none of whose ground units stands outside its own hexes.
    pub(crate) fn coups(&self, state: &State, faction: Faction) -> impl Iterator<Item = Country> {
        Country::all().filter(move |country| {
            let entry = state.country(*country);
            let is_enemy = entry.side.faction().is_some() && state.at_war(entry.side, faction.side());
            match entry.status {
                Status::Neutral => entry.pro.is_some_and(|owner| owner != faction),
                Status::Active => {
                    is_enemy && self.world.country(*country).minor && self.is_at_home(state, *country)
                }
                _ => false,
            }
        })
    }

    /// Whether no ground unit of a country stands outside its own hexes.
    fn is_at_home(&self, state: &State, country: Country) -> bool {
        UnitId::all().all(|unit| {
            let place = state.unit(unit).place;
            !place.on_map()
                || !self.kind(unit).is_ground()
                || self.country_of(state, unit) != country
                || place.is_hex() && self.owner(state, place) == country
        })
    }

    fn coup<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        faction: Faction,
        country: Country,
        die: u8,
        sink: &mut S,
    ) {
        sink.emit(|| GameEvent::Coup(faction, country, die));
        if die > COUP[1] {
            return;
        }
        if state.country(country).status == Status::Neutral {
            let places = die > COUP[0] && self.courts(faction, country);
            self.mark(state, country, places.then_some(faction), sink);
        } else {
            state.last_blow = faction.side();
            self.change_will(state, country, -BLOW, WillCause::Diplomacy(Diplomat::Coup), sink);
        }
    }
}
