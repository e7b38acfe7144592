//! National Will and Country Collapse. Rules 2.1.2, 13.2; rulings 20, 49, 99.

use kernel::EventSink;

use crate::frame::Frame;
use crate::game_event::{GameEvent, WillCause};
use crate::ids::{City, Country, UnitId};
use crate::rules::Rules;
use crate::state::{State, Status, fate};

/// The marker never exceeds this.
const MOST: i16 = 199;
/// National Will of Germany when a great power collapses for the first time.
const GREAT_COLLAPSE: i16 = 16;
/// A crisis leaves one part of so many of the National Will of the start.
const CRISIS_PART: i16 = 4;

impl Rules {
    /// National Will changes; at 0 or less the country is looked at as soon as no step or combat is under way. The
    /// National Will of countries that are not active does not change.
    pub(crate) fn change_will<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        by: i16,
        cause: WillCause,
        sink: &mut S,
    ) {
        if state.country(country).status != Status::Active {
            return;
        }
        if let WillCause::UnitLost(_) = cause
            && state.fight.primary.some().is_some()
        {
            state.last_blow = self.fight_side(state, 0);
        }
        let entry = state.country_mut(country);
        entry.will = (entry.will + by).min(MOST);
        let now = entry.will;
        sink.emit(|| GameEvent::Will(country, by, now, cause));
        if now <= 0 {
            state.collapsing |= 1 << country.index();
        }
    }

    /// National Will starts anew.
    pub(crate) fn reset_will<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        will: i16,
        sink: &mut S,
    ) {
        let entry = state.country_mut(country);
        let by = will - entry.will;
        entry.will = will;
        sink.emit(|| GameEvent::Will(country, by, will, WillCause::Reset));
    }

    /// The National Will of a country at the start of the scenario, divided, rounded up.
    pub(crate) fn part_of_will(&self, country: Country, parts: i16) -> i16 {
        (self.scenario().will[country.index()] + parts - 1) / parts
    }

    /// Takes the first country out of [`State::collapsing`] and lets it fall if it must (13.2): several at once fall in the
    /// order of `countries.toml`. Countries of `simple-conquest` never collapse.
    pub(crate) fn look_at_will<S: EventSink<GameEvent>>(&self, state: &mut State, _: &mut S) {
        let country = Country(state.collapsing.trailing_zeros() as u8);
        state.collapsing &= state.collapsing - 1;
        let entry = state.country(country);
        if entry.status != Status::Active {
            return;
        }
        match self.has_simply_fallen(state, country) {
            Some(true) => state.push(Frame::Conquest(country, 0)),
            Some(false) => {}
            None if entry.will <= 0 => state.push(Frame::Collapse(country)),
            None => {}
        }
    }

    /// A collapse (13.2): a conquest if an enemy controls a Mainland city, otherwise a crisis.
    pub(crate) fn proceed_collapse<S: EventSink<GameEvent>>(
        &self,
        state: &mut State,
        country: Country,
        sink: &mut S,
    ) {
        state.pop();
        let entry = state.country_mut(country);
        entry.fates |= fate::COLLAPSED;
        let side = entry.side;
        let is_great = matches!(country, Country::UK | Country::USA | Country::USSR);
        if is_great && entry.fates & fate::PAID == 0 {
            entry.fates |= fate::PAID;
            self.change_will(state, Country::GER, GREAT_COLLAPSE, WillCause::Collapse(country), sink);
        }
        let is_lost = City::all().any(|city| {
            self.is_mainland_city_of(state, city, country)
                && state.at_war(state.controller(self.world.city(city).hex), side)
        });
        if is_lost {
            state.push(Frame::Conquest(country, 0));
            return;
        }
        sink.emit(|| GameEvent::Crisis(country));
        for unit in UnitId::all() {
            let reduced = state.unit(unit).on_map()
                && self.kind(unit).is_ground()
                && self.country_of(state, unit) == country
                && !Self::is_reduced(state, unit);
            if reduced {
                state.unit_mut(unit).level = 1;
                sink.emit(|| GameEvent::Reduced(unit));
            }
        }
        state.country_mut(country).fates |= fate::CRISIS;
        self.reset_will(state, country, self.part_of_will(country, CRISIS_PART), sink);
    }
}
