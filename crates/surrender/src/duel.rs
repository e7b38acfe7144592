//! Air and naval combat. Rules 5.1 steps 2 to 6, 5.2; the markers Radar, Jets and Thousand Bombers (14.0).

use kernel::EventSink;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::{GameEvent, Sum};
use crate::ids::{Country, Side};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{Duel, Errand, Occasion, State, Supply};
use crate::tables::{CombatResult, Line, Weather, final_value};
use crate::world::Kind;

/// The markers that a side may use in an air or naval combat, and who owns them.
const ITEMS: [(Marker, Country); 2] = [(Marker::Jets, Country::GER), (Marker::ThousandBombers, Country::UK)];

impl Rules {
    /// An air or naval combat begins, as a frame above the one that asked for it; the result stays in [`State::duel`] (after
    /// an Air Strike nobody asks for it, and nothing stays). First each side that can may use a marker, the attacker first,
    /// then the dice.
    pub(crate) fn begin_duel<S: EventSink<GameEvent>>(&self, state: &mut State, duel: Duel, _sink: &mut S) {
        state.duel = duel;
        state.push(Frame::Duel);
        state.push(Frame::DuelDie(1));
        state.push(Frame::DuelDie(0));
        for side in [1, 0] {
            if self.duel_items(state, side).next().is_some() {
                state.push(Frame::DuelItem(side as u8));
            }
        }
    }

    /// The markers that the attacker (0) or the defender (1) can use now.
    fn duel_items(&self, state: &State, side: usize) -> impl Iterator<Item = (Marker, Owner)> {
        let duel = &state.duel;
        let unit = duel.units[side];
        let kind = self.kind(unit);
        let bombing = side == 1 && duel.occasion == Occasion::Interdiction && self.is_bombing(state);
        ITEMS.into_iter().filter_map(move |(marker, country)| {
            let fits = match marker {
                // One German fighter in one air combat.
                Marker::Jets => kind == Kind::Fighter && self.country_of(state, unit) == country,
                // One Western bomber that is intercepted on its Bombing Run.
                _ => kind == Kind::Bomber && bombing && self.side_of(state, unit) == Side::Western,
            };
            let owner = Owner::Country(country);
            (fits && self.ready(state, marker, owner) > 0).then_some((marker, owner))
        })
    }

    fn is_bombing(&self, state: &State) -> bool {
        state.mission.errand == Errand::Bombing
    }

    /// The choices of a side of an air or naval combat: a marker or none.
    pub(crate) fn list_duel_items(&self, state: &State, side: usize, out: &mut Vec<Choice>) {
        out.extend(self.duel_items(state, side).map(|(marker, _)| Choice::Use(marker)));
        out.push(Choice::Pass);
    }

    /// A marker was chosen, or none, or a die rolled.
    pub(crate) fn play_duel<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        frame: Frame,
        choice: Choice,
        sink: &mut S,
    ) {
        match (frame, choice) {
            (Frame::DuelItem(side), Choice::Use(marker)) => {
                let side = usize::from(side);
                let owner = self.duel_items(state, side).find(|(known, _)| *known == marker);
                if let Some((_, owner)) = owner {
                    self.spend(state, marker, owner);
                    state.duel.markers[side] |= 1 << marker.index();
                    let user = self.side_of(state, state.duel.units[side]);
                    sink.emit(|| GameEvent::Played(user, marker));
                }
            }
            (Frame::DuelDie(side), Choice::Die(die)) => state.duel.dice[usize::from(side)] = die,
            _ => {}
        }
        state.pop();
    }

    /// The weather where an air or naval combat is fought: the defender's or the target hex, or the Sea Zone (5.2).
    fn duel_weather(&self, state: &State, duel: &Duel) -> Weather {
        if duel.hex.is_hex() { self.weather_at(state, duel.hex) } else { self.weather_in(state, duel.zone) }
    }

    /// The modifiers and halvings of the attacker (0) or the defender (1) of an air or naval combat. Sorties are those held
    /// now: ask before the result is applied.
    pub fn duel_sum(&self, state: &State, duel: &Duel, side: usize) -> Sum {
        let mut sum = Sum { die: duel.dice[side], ..Sum::EMPTY };
        let (unit, opponent) = (duel.units[side], duel.units[1 - side]);
        let (kind, weather) = (self.kind(unit), self.duel_weather(state, duel));
        let mut add = |line: Line, times: i8| {
            sum.add(line, self.world.tables.lines[line as usize] * times);
        };
        // Free French units count as French (13.4): the printed country.
        match (self.info(unit).country, kind.is_air()) {
            (Country::GER, true) => add(Line::GermanAir, 1),
            (Country::GER, false) => add(Line::GermanNaval, 1),
            (Country::UK | Country::USA, true) => add(Line::UkUsaAir, 1),
            (Country::UK | Country::USA, false) => add(Line::UkUsaNaval, 1),
            (Country::FRA, false) => add(Line::FrenchNaval, 1),
            _ => {}
        }
        let over_britain = duel.hex.is_hex() && self.is_britain(duel.hex);
        let western_air = kind.is_air() && self.side_of(state, unit) == Side::Western;
        let struck = duel.occasion == Occasion::Strike && side == 1;
        if over_britain && western_air && struck {
            let from = state.unit(opponent).place;
            if !(from.is_hex() && self.is_britain(from)) {
                add(Line::BritainHome, 1);
            }
        }
        match (kind, weather) {
            (Kind::Carrier, Weather::Fair) => add(Line::CarrierFair, 1),
            (Kind::Carrier, Weather::Poor) => add(Line::CarrierPoor, 1),
            (Kind::Carrier, Weather::Severe) => add(Line::CarrierSevere, 1),
            (Kind::Bomber, _) => add(Line::Bomber, 1),
            (Kind::Convoy, _) => add(Line::Convoy, 1),
            _ => {}
        }
        let supply = state.unit(unit).supply;
        if supply == Supply::Low {
            add(Line::AirNavalLowSupply, 1);
        }
        if kind.is_air() && self.kind(opponent).is_naval() {
            add(Line::AirVsNaval, 1);
        }
        if weather == Weather::Poor {
            add(Line::AirNavalPoor, 1);
        }
        add(Line::Sorties, state.unit(unit).level as i8);
        let mut events = 0;
        for (marker, _) in ITEMS {
            if duel.markers[side] >> marker.index() & 1 != 0 {
                events += self.world.markers[marker.index()].drm;
            }
        }
        let intercepts = side == 0 && matches!(duel.occasion, Occasion::Escort | Occasion::Interdiction);
        let radar = self.ready(state, Marker::Radar, Owner::Country(Country::UK)) > 0;
        if radar && over_britain && western_air && (struck || intercepts) {
            events += self.world.markers[Marker::Radar.index()].drm;
        }
        sum.add(Line::AirNavalEvents, events);
        sum.halvings = u8::from(supply == Supply::No) + u8::from(weather == Weather::Severe);
        sum
    }

    /// Both dice are rolled: the result, and step 1 of 5.2, the Sorties. Step 2 belongs to whoever asked for the combat.
    pub(crate) fn proceed_duel<S: EventSink<GameEvent>>(&self, state: &mut State, sink: &mut S) {
        let duel = state.duel;
        let sums = [0, 1].map(|side| self.duel_sum(state, &duel, side));
        let limit = self.world.tables.drm_limit;
        let [attacker, defender] = sums.map(|sum| final_value(sum.die, sum.total(), sum.halvings, limit));
        let result = self.world.tables.result(attacker, defender);
        state.duel.result = Some(result);
        let [one, other] = duel.units;
        sink.emit(|| GameEvent::Dueled(duel.occasion, one, other, sums[0], sums[1], result));
        let (mine, yours) = match result {
            CombatResult::NoEffect => (1, 1),
            result if result.is_success() => (1, result.sorties()),
            result => (result.sorties(), 1),
        };
        self.add_sorties(state, one, mine, sink);
        self.add_sorties(state, other, yours, sink);
        state.pop();
        if duel.occasion == Occasion::Strike {
            state.duel = Duel::NONE;
        }
    }
}

#[cfg(test)]
mod tests;
