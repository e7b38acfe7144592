//! Who controls what, where the front runs, whose zones of control reach where, and the weather.

use maud::html;
use surrender::{Climate, Country, Frame, Hexside, Place, Rules, Side, State, Weather};
use web::Scene;

use super::counter::side_class;
use super::frame::{self, Corner};

/// Draws the tints and lines that lie over the ground.
pub fn draw(rules: &Rules, state: &State, scene: &mut Scene) {
    for side in Side::ALL {
        let key = format!("ctl-{}", side_class(side));
        let path = frame::outline(rules.world, |hex| state.controller(hex) == side);
        scene.add("control", key.clone(), html! { path #(key) .{"ctl " (side_class(side))} d=(path) {} });
    }
    owners(rules, state, scene);
    scene.add("front", "front-line", html! { path #front-line .front-line d=(front(rules, state)) {} });
    let side = whose(state);
    let zones = frame::outline(rules.world, |hex| rules.ezoc(state, hex, side));
    scene.add("zoc", "zoc-area", html! { path #zoc-area .zoc-area d=(zones) {} });
    for zone in [Climate::Cold, Climate::Mild, Climate::Warm, Climate::Desert] {
        let class = match state.weather[zone as usize] {
            Weather::Fair => "climate fair",
            Weather::Poor => "climate poor",
            Weather::Severe => "climate severe",
        };
        scene.class(format!("climate-{}", zone as u8), class);
    }
}

/// Whose ground it is, country by country: what is sent changes only where an area changes its owner.
fn owners(rules: &Rules, state: &State, scene: &mut Scene) {
    let owners: Vec<Country> = Place::hexes().map(|hex| rules.owner(state, hex)).collect();
    for country in Country::all().filter(|country| owners.contains(country)) {
        let key = format!("own-{}", country.id());
        let class = country.id().to_lowercase();
        let path = frame::outline(rules.world, |hex| owners[hex.index()] == country);
        scene.add("owners", key.clone(), html! { path #(key) .{"own " (class)} d=(path) {} });
    }
}

/// The side whose enemies' zones are shown: that of the unit under way, or of the faction that acts.
fn whose(state: &State) -> Side {
    match state.frame() {
        Frame::Actions(faction) => faction.side(),
        _ => state.acting.side(),
    }
}

/// Sides of hexes between enemies, as lines.
pub fn front(rules: &Rules, state: &State) -> String {
    let mut sides: Vec<[Corner; 2]> = Vec::new();
    for hex in Place::hexes() {
        let own = state.controller(hex);
        let info = rules.world.hex(hex);
        for (direction, near) in info.near.iter().enumerate() {
            let is_land = near.is_hex() && info.sides[direction] != Hexside::Water;
            if is_land && *near > hex && state.at_war(own, state.controller(*near)) {
                sides.push(frame::side(rules.world, hex, direction));
            }
        }
    }
    let mut path = String::new();
    for line in frame::lines(&sides) {
        frame::write_curve(&mut path, &line);
    }
    path
}
