//! The roll: units in contact with the enemy, those that can still act, those without supply, by theatre. Every entry leads to
//! its unit on the map, so that a war of three hundred counters can be played from a list.

use std::collections::BTreeMap;

use maud::{Markup, html};
use surrender::{Hexside, Rules, Side, State, Supply, UnitId};
use web::Scene;

use super::about::place_words;
use super::counter::{self, side_class};
use super::lit::Lit;
use super::theatres::{self, THEATRES};
use super::trace::unit_anchor;

/// The lists: a word for ids, and the heading.
const LISTS: [(&str, &str); 3] =
    [("can", "Can still act"), ("contact", "In contact with the enemy"), ("supply", "Low or out of supply")];

/// Where the lists go.
pub fn sheet() -> Markup {
    html! {
        @for (list, heading) in LISTS {
            section.unit-list aria-labelledby={"roll-" (list) "-head"} {
                h3 id={"roll-" (list) "-head"} { (heading) }
                div id={"roll-" (list)} {}
            }
        }
    }
}

/// Draws the lists, each theatre a part of its own: few of them change with an action.
pub fn draw(rules: &Rules, state: &State, lit: &Lit, scene: &mut Scene) {
    let mut lists: [BTreeMap<(usize, Side), Vec<UnitId>>; 3] = Default::default();
    let mut file = |list: usize, unit: UnitId| {
        let key = (theatres::of(rules.world, state.unit(unit).place), rules.side_of(state, unit));
        lists[list].entry(key).or_default().push(unit);
    };
    for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()) {
        if lit.unit(unit).is_some() {
            file(0, unit);
        }
        if in_contact(rules, state, unit) {
            file(1, unit);
        }
        if state.unit(unit).supply != Supply::Full {
            file(2, unit);
        }
    }
    for (at, holder) in ["roll-can", "roll-contact", "roll-supply"].into_iter().enumerate() {
        for ((theatre, side), units) in &lists[at] {
            let key = format!("{holder}-{}-{}", THEATRES[*theatre].word, side_class(*side));
            scene.add(holder, key.clone(), group(rules, state, &key, (*theatre, *side), units, at == 0));
        }
        let key = format!("{holder}-none");
        scene.add(holder, key.clone(), html! { p #(key) .none[!lists[at].is_empty()] { "Nobody." } });
    }
}

/// Whether a ground unit stands next to an enemy's, with no water between.
fn in_contact(rules: &Rules, state: &State, unit: UnitId) -> bool {
    let place = state.unit(unit).place;
    if !place.is_hex() || !rules.kind(unit).is_ground() {
        return false;
    }
    let (info, side) = (rules.world.hex(place), rules.side_of(state, unit));
    info.near.iter().zip(info.sides).any(|(near, between)| {
        near.is_hex()
            && between != Hexside::Water
            && state.ground_at(*near).is_some_and(|other| state.at_war(rules.side_of(state, other), side))
    })
}

fn group(
    rules: &Rules,
    state: &State,
    key: &str,
    (theatre, side): (usize, Side),
    units: &[UnitId],
    acts: bool,
) -> Markup {
    html! {
        details #(key) .roll-group.(side_class(side)) {
            summary { (THEATRES[theatre].name) ", " (side_word(side)) " " b { (units.len()) } }
            ul { @for unit in units { (entry(rules, state, *unit, acts)) } }
        }
    }
}

/// A unit: its name leads to it on the map; where it can act, a second button takes it up.
fn entry(rules: &Rules, state: &State, unit: UnitId, acts: bool) -> Markup {
    let info = rules.info(unit);
    let anchor = unit_anchor(rules, unit);
    let now = state.unit(unit);
    let name = format!("{} {}", info.country.id(), counter::short(info));
    html! {
        li {
            button.unit-name type="button" data-shows=(anchor) {
                span.chip.(counter::nation(rules, unit)) { (name) } " " (place_words(rules, now.place))
                @if info.kind.is_ground() { @if now.level > 0 { " reduced" } } @else { " " (now.level) " Sorties" }
                @if now.supply != Supply::Full { " " (now.supply.title()) }
            }
            @if acts { button.take-up type="button" data-presses=(anchor) aria-label={"Choose " (name)} { "Choose" } }
        }
    }
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Axis => "Axis",
        Side::Western => "Western Allies",
        Side::Soviet => "Soviets",
        Side::Lone => "alone",
        Side::Nobody => "nobody",
    }
}

#[cfg(test)]
mod tests {
    use kernel::Game as _;
    use surrender::Surrender;

    use super::*;

    #[test]
    fn armies_at_the_border_of_poland_are_in_contact() {
        let options = [("scenario".to_owned(), "ussr-1941".to_owned())].into();
        let game = Surrender::with_options(&options).expect("the scenario is known");
        let (rules, state) = (game.rules(), game.start());
        let mut scene = Scene::default();
        draw(rules, &state, &Lit::default(), &mut scene);
        let found = |key: &str| scene.parts.iter().any(|web::Part(known, ..)| known == key);
        assert!(found("roll-contact-east-axis") && found("roll-contact-east-sov"));
        assert!(!found("roll-can-east-axis"), "nobody is asked");
        let touching = UnitId::all().filter(|unit| in_contact(rules, &state, *unit)).count();
        assert!((10..200).contains(&touching), "{touching} units in contact");
    }
}
