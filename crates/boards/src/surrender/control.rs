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
    let [line, pockets] = front(rules, state);
    scene.add("front", "front-line", html! { path #front-line .front-line d=(line) {} });
    scene.add("front", "front-pockets", html! { path #front-pockets .front-line.pockets d=(pockets) {} });
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

/// Sides of hexes between enemies, as lines: those of the front, and those around ground that nobody holds any more, because it
/// was only passed by. A year of war leaves dozens of such patches far behind the lines; drawn alike, they would hide the front.
pub fn front(rules: &Rules, state: &State) -> [String; 2] {
    let held = held(rules, state);
    let mut sides: [Vec<[Corner; 2]>; 2] = [Vec::new(), Vec::new()];
    for hex in Place::hexes() {
        let own = state.controller(hex);
        let info = rules.world.hex(hex);
        for (direction, near) in info.near.iter().enumerate() {
            let is_land = near.is_hex() && info.sides[direction] != Hexside::Water;
            if is_land && *near > hex && state.at_war(own, state.controller(*near)) {
                let is_pocket = !(held[hex.index()] && held[near.index()]);
                sides[usize::from(is_pocket)].push(frame::side(rules.world, hex, direction));
            }
        }
    }
    sides.map(|sides| {
        let mut path = String::new();
        for line in frame::lines(&sides) {
            frame::write_curve(&mut path, &line);
        }
        path
    })
}

/// The hexes from which a ground unit of their controller can be reached without leaving its ground.
fn held(rules: &Rules, state: &State) -> Vec<bool> {
    let mut held = vec![false; Place::hexes().count()];
    let mut waiting: Vec<Place> = Place::hexes()
        .filter(|hex| {
            let unit = state.ground_at(*hex);
            unit.is_some_and(|unit| rules.side_of(state, unit) == state.controller(*hex))
        })
        .collect();
    while let Some(hex) = waiting.pop() {
        if std::mem::replace(&mut held[hex.index()], true) {
            continue;
        }
        let info = rules.world.hex(hex);
        let near =
            info.near.iter().zip(info.sides).filter(|(near, side)| near.is_hex() && *side != Hexside::Water);
        let alike =
            near.map(|(near, _)| *near).filter(|near| state.controller(*near) == state.controller(hex));
        waiting.extend(alike.filter(|near| !held[near.index()]));
    }
    held
}

#[cfg(test)]
mod tests {
    use kernel::Game as _;
    use surrender::Surrender;

    use super::*;

    /// How many lines a path has.
    fn lines(path: &str) -> usize {
        path.matches('M').count()
    }

    #[test]
    fn ground_that_nobody_holds_is_no_front() {
        let options = [("scenario".to_owned(), "poland-1939".to_owned())].into();
        let game = Surrender::with_options(&options).expect("the scenario is known");
        let (rules, mut state) = (game.rules(), game.start());
        let [line, pockets] = front(rules, &state);
        assert!(lines(&line) > 0 && pockets.is_empty(), "{pockets}");
        // A Polish hex deep in Germany, in which nobody stands.
        let deep = Place::hexes().find(|hex| {
            let info = rules.world.hex(*hex);
            let is_german = |place: &Place| place.is_hex() && state.controller(*place) == Side::Axis;
            is_german(hex) && info.near.iter().all(is_german) && state.ground_at(*hex).is_none()
        });
        let deep = deep.expect("Germany is large");
        state.control[deep.index()] = Side::Western;
        let [same, pockets] = front(rules, &state);
        assert_eq!(line, same);
        assert_eq!(lines(&pockets), 1, "{pockets}");
    }
}
