//! Positions written by hand, part by part: for worked examples, and for questions about made-up positions.

use crate::flow;
use crate::ids::{City, Country, Faction, Place, Side, UnitId};
use crate::markers::{Marker, Owner};
use crate::rules::Rules;
use crate::state::{State, Status, Supply, event, fate, flag};
use crate::tables::{Diplomat, Weather, turn_of};
use crate::world::Slot;

/// The parts of a position in the order in which they are set: later ones may change what earlier ones have done.
pub(crate) const PARTS: [&str; 25] = [
    "turn",
    "pact",
    "active",
    "conquered",
    "neutral",
    "ceded",
    "vichy",
    "control",
    "weather",
    "units",
    "will",
    "points",
    "extra",
    "pro",
    "markers",
    "surprise",
    "partisans",
    "walls",
    "mulberry",
    "bombed",
    "events",
    "fac_lost",
    "evaluations",
    "cup",
    "collapsed",
];

/// The events of 13.5 by their words.
pub(crate) const EVENTS: [(&str, u8); 6] = [
    ("east", event::EAST),
    ("west", event::WEST),
    ("mediterranean", event::MEDITERRANEAN),
    ("north", event::NORTH),
    ("south", event::SOUTH),
    ("usa", event::USA),
];

/// Flags of a unit by their words.
const FLAGS: [(&str, u16); 7] = [
    ("done", flag::DONE),
    ("moved", flag::MOVED),
    ("ended", flag::ENDED),
    ("railed", flag::RAILED),
    ("ashore", flag::ASHORE),
    ("dropped", flag::DROPPED),
    ("free", flag::FREE),
];

fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{text:?} is no number that fits"))
}

/// A month such as `1941-06`.
pub(crate) fn month(text: &str) -> Result<u8, String> {
    let wrong = || format!("{text:?} is no month such as 1941-06");
    let (year, month) = text.split_once('-').ok_or_else(wrong)?;
    let (year, month): (u16, u8) = (number(year)?, number(month)?);
    let fits = (1939..=1946).contains(&year) && (1..=12).contains(&month) && (year, month) >= (1939, 9);
    if fits { Ok(turn_of(year, month)) } else { Err(wrong()) }
}

pub(crate) fn side(text: &str) -> Result<Side, String> {
    Ok(match text {
        "axis" => Side::Axis,
        "western" => Side::Western,
        "soviet" => Side::Soviet,
        "lone" => Side::Lone,
        "nobody" => Side::Nobody,
        _ => return Err(format!("{text:?} is no side: axis, western, soviet, lone or nobody")),
    })
}

fn faction(text: &str) -> Result<Faction, String> {
    Faction::of_word(text).ok_or_else(|| format!("{text:?} is no faction: axis, western or soviet"))
}

pub(crate) fn country(text: &str) -> Result<Country, String> {
    Country::of_id(text).ok_or_else(|| format!("{text:?} is no country, such as GER"))
}

pub(crate) fn weather(text: &str) -> Result<Weather, String> {
    let known = Weather::ALL.into_iter().find(|weather| weather.title().eq_ignore_ascii_case(text));
    known.ok_or_else(|| format!("{text:?} is no weather: fair, poor or severe"))
}

pub(crate) fn owner(text: &str) -> Result<Owner, String> {
    match Faction::of_word(text) {
        Some(faction) => Ok(Owner::Faction(faction)),
        None => country(text).map(Owner::Country),
    }
}

impl Rules {
    pub(crate) fn unit_of(&self, text: &str) -> Result<UnitId, String> {
        self.world.unit_named(text).ok_or_else(|| format!("{text:?} is no unit, such as GER-6A"))
    }

    pub(crate) fn city_of(&self, text: &str) -> Result<City, String> {
        self.world.city_named(text).ok_or_else(|| format!("{text:?} is no city, such as berlin"))
    }

    /// A place by its number or box, or by the id of its city.
    pub(crate) fn place_of(&self, text: &str) -> Result<Place, String> {
        let by_city = || self.world.city_named(text).map(|city| self.world.city(city).hex);
        self.world.place_named(text).or_else(by_city).ok_or_else(|| {
            format!("{text:?} is no place: a hex such as 2828, a city such as berlin, CRU, ENA or WIO")
        })
    }

    fn hex_of(&self, text: &str) -> Result<Place, String> {
        self.place_of(text)
            .and_then(|place| if place.is_hex() { Ok(place) } else { Err(format!("{text} is no hex")) })
    }

    /// The phase in which an example begins, such as `actions axis`.
    pub(crate) fn phase_of(&self, text: &str) -> Result<u8, String> {
        let (phase, who) = text.split_once(' ').unwrap_or((text, "axis"));
        let who = faction(who)?;
        flow::step_named(phase, who)
            .ok_or_else(|| format!("{text:?} is no step of a turn, such as \"actions axis\""))
    }

    /// Changes one part of a position: a key, whom it is about where it needs that, and a value.
    pub(crate) fn set_part(
        &self,
        state: &mut State,
        key: &str,
        about: &str,
        value: &str,
    ) -> Result<(), String> {
        let mut words = value.split_whitespace();
        let mut next = || words.next().ok_or_else(|| format!("{value:?} is too short for {key}"));
        match key {
            "turn" => state.turn = month(value)?,
            "pact" => state.war_east = value != "true",
            "active" => self.set_active(state, country(about)?, side(value)?),
            "conquered" => self.set_conquered(state, country(about)?, side(value)?),
            "neutral" => self.set_neutral(state, country(value)?),
            "ceded" => {
                let area = self.world.disputed.iter().position(|area| area.id == value);
                state.ceded |= 1 << area.ok_or_else(|| format!("{value:?} is no Disputed Area"))?;
            }
            "vichy" => {
                let area = self.world.areas.iter().position(|area| area.id == value);
                state.vichy |= 1 << area.ok_or_else(|| format!("{value:?} is no Overseas Area"))?;
            }
            "control" => {
                let side = side(value)?;
                if let Some(country) = Country::of_id(about) {
                    self.give_hexes(state, country, side);
                } else {
                    state.control[self.hex_of(about)?.index()] = side;
                }
            }
            "weather" => {
                for zone in 0..3 {
                    state.weather[zone] = weather(value.split(' ').nth(zone).unwrap_or(value))?;
                }
            }
            "units" => self.set_unit(state, value)?,
            "will" => state.country_mut(country(about)?).will = number(value)?,
            "points" => state.country_mut(country(about)?).points = number(value)?,
            "extra" => state.country_mut(country(about)?).extra = number(value)?,
            "pro" => state.country_mut(country(about)?).pro = Some(faction(value)?),
            "markers" => {
                let marker = next()?;
                let marker = Marker::of_id(marker).ok_or_else(|| format!("{marker:?} is no marker"))?;
                let owner = owner(next()?)?;
                let slot = self.slot(marker, owner).ok_or("this owner never has that marker")?;
                state.ready[slot] = next().map_or(Ok(1), number)?;
            }
            "surprise" => state.surprise[faction(value)?.index()] = state.turn,
            "partisans" => {
                let (hex, of) = (self.hex_of(next()?)?, faction(next()?)?);
                let free = state.partisans.iter_mut().find(|(taken, _)| *taken == Place::NONE);
                *free.ok_or("there are no more Partisans")? = (hex, of);
                if let Some(slot) = self.slot(Marker::Partisans, Owner::Faction(of)) {
                    state.spent[slot] += 1;
                }
            }
            "walls" => {
                let hex = self.hex_of(value)?;
                let free = state.walls.iter_mut().find(|taken| **taken == Place::NONE);
                *free.ok_or("there are no more forts")? = hex;
            }
            "mulberry" => state.mulberry = (self.hex_of(value)?, state.turn + 2),
            "bombed" => {
                let city = self.city_of(value)?;
                state.bombed[city.index() / 64] |= 1 << (city.index() % 64);
            }
            "events" => {
                let (word, when) = (next()?, next());
                let known = EVENTS.iter().find(|(known, _)| *known == word);
                state.events |= known.ok_or_else(|| format!("{word:?} is no event"))?.1;
                match (word, when) {
                    ("east", when) => state.east_turn = when.map_or(Ok(state.turn), month)?,
                    ("usa", Ok(when)) => state.usa_turn = month(when)?,
                    _ => {}
                }
            }
            "fac_lost" => {
                for lost in &mut state.fac_lost {
                    *lost = number(next()?)?;
                }
            }
            "evaluations" => state.evaluations = number(value)?,
            "cup" => {
                let marker =
                    Diplomat::of_id(about).ok_or_else(|| format!("{about:?} is no marker of the Cup"))?;
                state.cup[marker as usize] = number(value)?;
            }
            "collapsed" => {
                state.country_mut(country(value)?).fates |= fate::COLLAPSED | fate::PAID;
            }
            _ => {
                return Err(format!("{key:?} is no part of a position; the parts are: {}", PARTS.join(", ")));
            }
        }
        Ok(())
    }

    fn set_active(&self, state: &mut State, country: Country, side: Side) {
        let entry = state.country_mut(country);
        (entry.status, entry.side, entry.pro) = (Status::Active, side, None);
        if entry.will <= 0 {
            entry.will = self.scenario().will[country.index()];
        }
        entry.extra = self.world.country(country).extra_factories;
        entry.points = 99;
        self.give_hexes(state, country, side);
    }

    fn set_conquered(&self, state: &mut State, country: Country, side: Side) {
        for unit in UnitId::all().filter(|unit| self.info(*unit).country == country) {
            self.lift(state, unit);
        }
        let entry = state.country_mut(country);
        (entry.status, entry.side, entry.pro, entry.points) = (Status::Conquered, side, None, 0);
        entry.fates |= fate::WAS_ALLIED;
        self.give_hexes(state, country, side);
    }

    fn set_neutral(&self, state: &mut State, country: Country) {
        for unit in UnitId::all().filter(|unit| self.info(*unit).country == country) {
            self.lift(state, unit);
            state.unit_mut(unit).place = Place::LATER;
        }
        let entry = state.country_mut(country);
        (entry.status, entry.side) = (Status::Neutral, Side::Nobody);
        self.give_hexes(state, country, Side::Nobody);
    }

    fn give_hexes(&self, state: &mut State, country: Country, side: Side) {
        for hex in Place::hexes() {
            if self.owner(state, hex) == country {
                state.control[hex.index()] = side;
            }
        }
    }

    /// `GER-6A 2828 reduced low`, `UK-CV1 ENA 3 ended`, `GER-6A mobilization`. Whoever was in its slot leaves the map.
    fn set_unit(&self, state: &mut State, text: &str) -> Result<(), String> {
        let mut words = text.split_whitespace();
        let unit = self.unit_of(words.next().unwrap_or_default())?;
        let place = match words.next().ok_or("a unit needs a place")? {
            "mobilization" => Place::POOL,
            "out" => Place::OUT,
            "later" => Place::LATER,
            place => self.place_of(place)?,
        };
        if place.is_hex() {
            let there = match self.kind(unit).slot() {
                Slot::Ground => state.ground_at(place),
                slot => {
                    let city = self.world.city_at(place).ok_or_else(|| format!("{text:?}: no base there"))?;
                    state.bases[city.index()][slot as usize].some()
                }
            };
            if let Some(other) = there {
                self.lift(state, other);
            }
        }
        self.put(state, unit, place);
        let entry = state.unit_mut(unit);
        (entry.level, entry.supply, entry.flags) = (0, Supply::Full, 0);
        for word in words {
            match word {
                "reduced" => entry.level = 1,
                "full" => entry.supply = Supply::Full,
                "low" => entry.supply = Supply::Low,
                "no" => entry.supply = Supply::No,
                word => match FLAGS.iter().find(|(known, _)| *known == word) {
                    Some((_, flag)) => entry.flags |= flag,
                    None => entry.level = number(word)?,
                },
            }
        }
        Ok(())
    }
}
