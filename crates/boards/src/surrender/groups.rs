//! The list beside the board: choices of which many differ in one thing only stand under one heading.

use surrender::{Choice, Rules, State};

use super::counter;

/// The heading of a choice and what it is called under it.
pub fn of(rules: &Rules, state: &State, choice: Choice) -> Option<(String, String)> {
    let world = rules.world;
    let unit = |heading: &str, unit: surrender::UnitId| {
        let info = rules.info(unit);
        let place = state.unit(unit).place;
        let name = format!("{} {}", info.country.id(), counter::short(info));
        let near = world.city_at(place).map(|city| world.city(city).name.clone());
        Some((
            heading.to_owned(),
            match near.or_else(|| place.on_map().then(|| world.place_name(place))) {
                Some(near) => format!("{name}, {near}"),
                None => name,
            },
        ))
    };
    let place = |heading: &str, place: surrender::Place| {
        let name = world.place_name(place);
        let words = world.city_at(place).map_or_else(|| name.clone(), |city| world.city(city).name.clone());
        Some((heading.to_owned(), words))
    };
    match choice {
        Choice::Activate(of) => unit("Activate", of),
        Choice::Rail(of) => unit("Move by rail", of),
        Choice::Rebase(of) => unit("Rebase", of),
        Choice::Sail(of) => unit("Sail", of),
        Choice::Strike(of) => unit("Air Strike by", of),
        Choice::Bomb(of) => unit("Bombing Run by", of),
        Choice::Replace(of) => unit("Replace", of),
        Choice::Mobilize(of) => unit("Mobilize", of),
        Choice::Assault(of) => place("Assault", of),
        Choice::To(of) => place("To", of),
        Choice::At(of) => place("At", of),
        Choice::Partisans(of) => place("Partisans in", of),
        _ => None,
    }
}
