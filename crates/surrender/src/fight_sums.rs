//! The modifiers of a ground combat. Rule 5.1 steps 4 to 6, `drm.toml`; for combats under way and imagined ones alike.

use crate::game_event::Sum;
use crate::ids::{Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{Fight, Manner, State, Supply, flag, note};
use crate::tables::{CombatResult, Line, Weather, final_value, month_of};
use crate::world::{Climate, Hexside, Kind};

/// What Partisans do to the unit in their hex (14.0).
const PARTISANS: i8 = -1;

impl Rules {
    /// The modifiers and halvings of the attacker (0) or the defender (1), for a combat under way or imagined.
    pub fn fight_sum(&self, state: &State, fight: &Fight, side: usize) -> Sum {
        let weather = self.weather_at(state, fight.hex);
        let mut sum = Sum::EMPTY;
        sum.die = fight.dice[side];
        let unit = if side == 0 { fight.primary } else { fight.defender };
        self.add_unit_lines(state, unit, weather, &mut sum);
        if fight.support[side] {
            match weather {
                Weather::Fair => self.add_line(&mut sum, Line::AirSupportFair),
                Weather::Poor => self.add_line(&mut sum, Line::AirSupportPoor),
                Weather::Severe => {}
            }
        }
        if side == 0 {
            self.add_attack_lines(state, fight, weather, &mut sum);
        }
        self.add_event_lines(state, fight, side, &mut sum);
        sum.halvings = u8::from(weather == Weather::Severe) + u8::from(self.lacks_supply(state, fight, side));
        if side == 0 && self.has_fort(state, fight.hex) {
            sum.halvings += 1;
        }
        sum
    }

    fn add_line(&self, sum: &mut Sum, line: Line) {
        sum.add(line, self.world.tables.lines[line as usize]);
    }

    /// What the Primary Attacker or the defender brings by itself. Free Forces keep their nationality here (13.4).
    fn add_unit_lines(&self, state: &State, unit: UnitId, weather: Weather, sum: &mut Sum) {
        let info = self.info(unit);
        match info.country {
            Country::GER => self.add_line(sum, Line::Germany),
            Country::FRA | Country::UK | Country::USA => self.add_line(sum, Line::FranceUkUsa),
            _ => {}
        }
        if info.elite {
            self.add_line(sum, Line::Elite);
        }
        if Self::is_reduced(state, unit) {
            self.add_line(sum, Line::Reduced);
        }
        if state.unit(unit).supply == Supply::Low {
            self.add_line(sum, Line::LowSupply);
        }
        match (info.kind, weather) {
            (Kind::Shock, Weather::Fair) => self.add_line(sum, Line::ShockFair),
            (Kind::Tank, Weather::Fair) => self.add_line(sum, Line::TankFair),
            (Kind::Tank, Weather::Poor) => self.add_line(sum, Line::TankPoor),
            _ => {}
        }
    }

    /// The lines of the attacker: what it attacks into, across what, with whom.
    fn add_attack_lines(&self, state: &State, fight: &Fight, weather: Weather, sum: &mut Sum) {
        let hex = self.world.hex(fight.hex);
        let in_island_fort = hex.island && self.has_fort(state, fight.hex);
        if !in_island_fort && self.is_isolated(state, fight) {
            self.add_line(sum, Line::Isolated);
        }
        if weather == Weather::Poor {
            self.add_line(sum, Line::WeatherPoor);
        }
        if hex.terrain.is_rough() || self.has_city(fight.hex) {
            self.add_line(sum, Line::CityOrRough);
        }
        if fight.manner == Manner::Landing {
            self.add_line(sum, Line::Amphibious);
            match weather {
                Weather::Fair if fight.naval_support => self.add_line(sum, Line::NavalSupportFair),
                Weather::Poor if fight.naval_support => self.add_line(sum, Line::NavalSupportPoor),
                _ => {}
            }
        } else if let Some(between) = self.side_between(state.unit(fight.primary).place, fight.hex) {
            match between {
                Hexside::Strait => self.add_line(sum, Line::Strait),
                Hexside::River | Hexside::Canal | Hexside::Mountain => {
                    self.add_line(sum, Line::RiverMountainCanal);
                }
                Hexside::Clear | Hexside::Water => {}
            }
        }
        for unit in fight.more.into_iter().filter_map(UnitId::some) {
            let is_strong = matches!(self.kind(unit), Kind::Tank | Kind::Shock) && weather != Weather::Severe;
            self.add_line(sum, if is_strong { Line::AdditionalTankShock } else { Line::AdditionalOther });
        }
    }

    fn side_between(&self, from: Place, to: Place) -> Option<Hexside> {
        if !from.is_hex() {
            return None;
        }
        self.world.direction(from, to).map(|direction| self.world.hex(from).sides[direction])
    }

    /// Event markers (14.0), each a line of its own.
    fn add_event_lines(&self, state: &State, fight: &Fight, side: usize, sum: &mut Sum) {
        let drm = |marker: Marker| self.world.markers[marker.index()].drm;
        for marker in [Marker::GroundSupport, Marker::HeavyArtillery] {
            if fight.markers[side] >> marker.index() & 1 != 0 {
                sum.add(Line::GroundEvents, drm(marker));
            }
        }
        // Surprise Attack: the first attack of the faction on each unit (rulings 36, 55).
        if side == 0
            && state.noted(note::SURPRISE)
            && !state.unit(fight.defender).has(flag::HIT)
            && self.side_of(state, fight.primary) == state.acting.side()
        {
            sum.add(Line::GroundEvents, drm(Marker::SurpriseAttack));
        }
        let unit = if side == 0 { fight.primary } else { fight.defender };
        let (place, own) = (state.unit(unit).place, self.side_of(state, unit));
        let is_harried = |(hex, whose): &(Place, Faction)| *hex == place && state.at_war(whose.side(), own);
        if state.partisans.iter().any(is_harried) {
            sum.add(Line::GroundEvents, PARTISANS);
        }
        if self.freezes(state, unit) {
            sum.add(Line::GroundEvents, drm(Marker::FirstWinter));
        }
    }

    /// First Winter: an Axis unit that is not Finnish in a Cold hex of the USSR, in the first December to March after East
    /// Invaded. The marker stands by itself, whatever is committed (ruling 41).
    fn freezes(&self, state: &State, unit: UnitId) -> bool {
        let place = state.unit(unit).place;
        if state.east_turn > state.turn
            || !place.is_hex()
            || self.ready(state, Marker::FirstWinter, Owner::Faction(Faction::Soviet)) == 0
        {
            return false;
        }
        let (_, month) = month_of(state.east_turn);
        let december = state.east_turn + (12 - month);
        (december..december + 4).contains(&state.turn)
            && self.side_of(state, unit) == Side::Axis
            && self.info(unit).country != Country::FIN
            && self.world.hex(place).climate == Climate::Cold
            && self.owner(state, place) == Country::USSR
    }

    /// Whether a ground unit of a side in the combat has No Supply, Additional Attackers included (ruling 8).
    fn lacks_supply(&self, state: &State, fight: &Fight, side: usize) -> bool {
        let units = if side == 0 {
            [fight.primary, fight.more[0], fight.more[1]]
        } else {
            [fight.defender, UnitId::NONE, UnitId::NONE]
        };
        units.into_iter().filter_map(UnitId::some).any(|unit| state.unit(unit).supply == Supply::No)
    }

    /// Whether the defender is Isolated (5.3): no eligible retreat hex, and next to no friendly city, fort or ground unit.
    /// Land across the water is not next to it (ruling 75).
    pub fn is_isolated(&self, state: &State, fight: &Fight) -> bool {
        if self.retreat_hexes(state, fight).next().is_some() {
            return false;
        }
        let side = self.side_of(state, fight.defender);
        let info = self.world.hex(fight.hex);
        !info.near.iter().zip(info.sides).any(|(near, between)| {
            near.is_hex()
                && between != Hexside::Water
                && (self.has_friendly_city(state, *near, side)
                    || state.ground_at(*near).is_some_and(|unit| self.side_of(state, unit) == side))
        })
    }

    /// The result of two sums whose dice are rolled.
    pub fn result_of(&self, sums: &[Sum; 2]) -> CombatResult {
        let [attacker, defender] = sums.map(|sum| self.rolled_value(&sum, sum.die));
        self.world.tables.result(attacker, defender)
    }

    /// The final value of a sum with a die: modifiers capped, added, halved.
    fn rolled_value(&self, sum: &Sum, die: u8) -> i32 {
        final_value(die, sum.total(), sum.halvings, self.world.tables.drm_limit)
    }

    /// How many of the 36 rolls give each result, in the order of [`CombatResult`].
    pub fn fight_odds(&self, sums: &[Sum; 2]) -> [u32; 6] {
        let mut counts = [0; 6];
        for attacker in 1..=6 {
            let value = self.rolled_value(&sums[0], attacker);
            for defender in 1..=6 {
                let result = self.world.tables.result(value, self.rolled_value(&sums[1], defender));
                counts[result as usize] += 1;
            }
        }
        counts
    }
}
