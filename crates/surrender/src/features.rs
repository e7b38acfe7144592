//! A view as named numbers, for learning programs: control, strength, supply, countries, markers (60.0).

use kernel::FeatureSink;

use crate::ids::{City, Country, Faction, Side, UnitId};
use crate::markers::Owner;
use crate::rules::Rules;
use crate::state::{Phase, State, Status, Supply};
use crate::tables::Weather;
use crate::view::View;
use crate::world::Kind;

/// The phases of a turn, with a name for each.
const PHASES: [(Phase, &str); 14] = [
    (Phase::Weather, "Weather"),
    (Phase::DeclareWar, "Declare War"),
    (Phase::Economy, "Economy"),
    (Phase::Strategic, "Strategic Warfare"),
    (Phase::Rail, "Strategic Movement"),
    (Phase::Actions, "Actions"),
    (Phase::Supply, "Supply Check"),
    (Phase::NoSupply, "No Supply"),
    (Phase::Replacements, "Replacements"),
    (Phase::Upgrade, "Upgrade"),
    (Phase::Mobilization, "Mobilization"),
    (Phase::Diplomacy, "Diplomacy"),
    (Phase::Victory, "Victory Check"),
    (Phase::EndOfTurn, "End of Turn"),
];

/// The zones of the weather.
const ZONES: [&str; 4] = ["Cold", "Mild", "Warm", "Desert"];
/// The sides that can have units, with a name for each.
const SIDES: [(Side, &str); 4] =
    [(Side::Axis, "axis"), (Side::Western, "western"), (Side::Soviet, "soviet"), (Side::Lone, "lone")];
/// What a side hardly exceeds: units of one kind, cities, points of a country, markers of one kind.
const MANY_UNITS: u8 = 30;
const MANY_CITIES: u8 = 100;
const MANY_POINTS: u8 = 30;
const MANY_MARKERS: u8 = 5;

/// What a side has on the map.
#[derive(Clone, Copy, Default)]
struct Forces {
    units: [u16; Kind::ALL.len()],
    levels: [u16; Kind::ALL.len()],
    low: u16,
    none: u16,
}

impl Rules {
    /// A view as named numbers.
    pub fn features<S: FeatureSink>(&self, view: &View<'_>, out: &mut S) {
        let (state, scenario) = (view.state(), self.scenario());
        let length = scenario.last - scenario.first + 1;
        out.share(format_args!("turn"), state.turn.saturating_sub(scenario.first) + 1, length);
        out.share(format_args!("month"), state.turn % 12, 12_u8);
        for (phase, name) in PHASES {
            out.flag(format_args!("phase {name}"), state.phase == phase);
        }
        for faction in Faction::ALL {
            out.flag(format_args!("{} acts", faction.word()), state.acting == faction);
        }
        for (zone, weather) in ZONES.iter().zip(state.weather) {
            out.flag(format_args!("{zone} weather poor"), weather == Weather::Poor);
            out.flag(format_args!("{zone} weather severe"), weather == Weather::Severe);
        }
        out.flag(format_args!("war in the west"), state.war_west);
        out.flag(format_args!("war in the east"), state.war_east);
        out.flag(format_args!("a commit marker is hidden"), view.hidden);
        for faction in Faction::ALL {
            let plays = self.plays(faction);
            let chance = if plays { self.win_chance(state, faction) } else { 0.0 };
            out.put(format_args!("{} estimated chance", faction.word()), chance);
        }
        self.city_features(state, out);
        self.force_features(state, out);
        for country in Country::all() {
            self.country_features(state, country, out);
        }
        for (slot, (marker, owner)) in self.slot_owners().iter().enumerate() {
            let owner = match owner {
                Owner::Country(country) => country.id(),
                Owner::Faction(faction) => faction.word(),
            };
            let id = marker.id();
            out.share(format_args!("{owner} {id} ready"), state.ready[slot], MANY_MARKERS);
            out.share(format_args!("{owner} {id} spent"), state.spent[slot], MANY_MARKERS);
        }
    }

    fn city_features<S: FeatureSink>(&self, state: &State, out: &mut S) {
        let (mut cities, mut factories, mut capitals) = ([0_u16; 5], [0_u16; 5], [0_u16; 5]);
        for city in City::all() {
            let info = self.world.city(city);
            let side = state.controller(info.hex).index();
            if !self.scenario().in_play(info.hex) || info.port_only {
                continue;
            }
            cities[side] += 1;
            factories[side] += u16::from(info.factory && !state.is_closed_down(city));
            capitals[side] += u16::from(info.capital);
        }
        for (side, name) in SIDES {
            let at = side.index();
            out.share(format_args!("{name} cities"), cities[at], MANY_CITIES);
            out.share(format_args!("{name} factories"), factories[at], MANY_UNITS);
            out.share(format_args!("{name} capitals"), capitals[at], MANY_UNITS);
        }
    }

    fn force_features<S: FeatureSink>(&self, state: &State, out: &mut S) {
        let mut forces = [Forces::default(); 5];
        for unit in UnitId::all() {
            let entry = state.unit(unit);
            if !entry.on_map() {
                continue;
            }
            let own = &mut forces[self.side_of(state, unit).index()];
            let kind = self.kind(unit) as usize;
            own.units[kind] += 1;
            own.levels[kind] += u16::from(entry.level);
            own.low += u16::from(entry.supply == Supply::Low);
            own.none += u16::from(entry.supply == Supply::No);
        }
        for (side, name) in SIDES {
            let own = &forces[side.index()];
            for (word, kind) in Kind::ALL {
                let at = kind as usize;
                out.share(format_args!("{name} {word} units"), own.units[at], MANY_UNITS);
                out.share(format_args!("{name} {word} steps and sorties lost"), own.levels[at], MANY_UNITS);
            }
            out.share(format_args!("{name} units in low supply"), own.low, MANY_UNITS);
            out.share(format_args!("{name} units without supply"), own.none, MANY_UNITS);
        }
    }

    fn country_features<S: FeatureSink>(&self, state: &State, country: Country, out: &mut S) {
        let (id, entry) = (country.id(), state.country(country));
        let start = self.scenario().will[country.index()].max(1);
        out.flag(format_args!("{id} active"), entry.status == Status::Active);
        out.flag(format_args!("{id} conquered"), entry.status == Status::Conquered);
        for (side, name) in SIDES {
            out.flag(format_args!("{id} with {name}"), entry.side == side);
        }
        out.share(format_args!("{id} National Will"), entry.will, start);
        out.share(format_args!("{id} points"), entry.points, MANY_POINTS);
    }
}
