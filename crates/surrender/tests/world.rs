//! The built-in data is whole.

use surrender::{CITIES, COUNTRIES, UNITS, World};

#[test]
fn the_world_is_read() {
    let world = World::get();
    assert_eq!((world.cities.len(), world.countries.len(), world.units.len()), (CITIES, COUNTRIES, UNITS));
    let berlin = world.city(world.city_named("berlin").expect("Berlin"));
    let london = world.city(world.city_named("london").expect("London"));
    assert!(berlin.capital && !world.hex(berlin.hex).island && world.hex(london.hex).island);
    assert!(world.gates.reggio.some().is_some() && world.gates.suez.some().is_some());
}
