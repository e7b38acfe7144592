//! Names in scenario files, looked up with a guess at what was meant.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Text, Value, suggest};

use crate::files::{box_named, month};
use crate::ids::{City, Country, Faction, Place, UnitId};
use crate::markers::Marker;
use crate::world::World;

/// What a name stands for, or a complaint.
pub(crate) fn named<'a, T>(
    word: &str,
    span: Range<usize>,
    what: &str,
    found: Option<T>,
    known: impl IntoIterator<Item = &'a str>,
    problems: &mut Problems,
) -> Option<T> {
    if found.is_none() {
        let problem = problems.error(span, format!("\"{}\" is no {what}", diagnostics::shown(word)));
        problem.expected(format!("a {what}"));
        suggest(problem, word, known);
    }
    found
}

/// A country.
pub(crate) fn country(text: &Text, problems: &mut Problems) -> Option<Country> {
    let word = text.as_str();
    named(word, text.span(), "country", Country::of_id(word), Country::IDS, problems)
}

/// A faction.
pub(crate) fn faction(text: &Text, problems: &mut Problems) -> Option<Faction> {
    let word = text.as_str();
    let known = Faction::ALL.map(Faction::word);
    named(word, text.span(), "faction", Faction::of_word(word), known, problems)
}

/// A city.
pub(crate) fn city(text: &Text, problems: &mut Problems) -> Option<City> {
    let (world, word) = (World::get(), text.as_str());
    let known = world.cities.iter().map(|city| city.id.as_str());
    named(word, text.span(), "city", world.city_named(word), known, problems)
}

/// A unit.
pub(crate) fn unit(text: &Text, problems: &mut Problems) -> Option<UnitId> {
    let (world, word) = (World::get(), text.as_str());
    let known = world.units.iter().map(|unit| unit.id.as_str());
    named(word, text.span(), "unit", world.unit_named(word), known, problems)
}

/// A Disputed Area.
pub(crate) fn disputed(text: &Text, problems: &mut Problems) -> Option<u8> {
    let (world, word) = (World::get(), text.as_str());
    let found = world.disputed.iter().position(|area| area.id == word).map(|at| at as u8);
    let known = world.disputed.iter().map(|area| area.id.as_str());
    named(word, text.span(), "Disputed Area", found, known, problems)
}

/// An event marker.
pub(crate) fn marker(text: &Text, problems: &mut Problems) -> Option<Marker> {
    let word = text.as_str();
    let known = Marker::ALL.map(|(id, _)| id);
    named(word, text.span(), "event marker", Marker::of_id(word), known, problems)
}

/// A land hex, or a box such as `box:ENA`.
pub(crate) fn place(text: &Text, problems: &mut Problems) -> Option<Place> {
    let word = text.as_str();
    let found = World::get().hex_named(word).or_else(|| box_named(word));
    named(word, text.span(), "land hex such as 2828 or box such as box:ENA", found, [], problems)
}

/// A month such as `1940-05`, as a turn.
pub(crate) fn turn(text: &Text, problems: &mut Problems) -> Option<u8> {
    let found = month(text.as_str());
    named(text.as_str(), text.span(), "month from 1939-09 to 1946-12", found, [], problems)
}

/// A list of names; those that are wrong are named and left out.
pub(crate) fn list<T>(
    value: Option<Value<'_>>,
    problems: &mut Problems,
    mut read: impl FnMut(&Text, &mut Problems) -> Option<T>,
) -> Vec<T> {
    let texts = value.and_then(|value| value.texts(problems)).unwrap_or_default();
    texts.iter().filter_map(|text| read(text, problems)).collect()
}

/// A set of countries, as bits.
pub(crate) fn country_set(value: Option<Value<'_>>, problems: &mut Problems) -> u32 {
    list(value, problems, country).into_iter().fold(0, |set, country| set | 1 << country.index())
}
