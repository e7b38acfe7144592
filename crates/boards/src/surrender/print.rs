//! The situation and the order of battle for paper, as a match stands or at its start.

use std::collections::BTreeMap;

use kernel::{Game as _, Viewer};
use maud::{Markup, PreEscaped, html};
use surrender::{Country, Rules, Side, State, Surrender, UnitId, View, month_words};
use web::Scene;

use super::lit::Lit;
use super::{control, counter, sheet, units};

/// The pages: the map with its counters, then the order of battle by country.
pub fn pages(game: &Surrender, view: Option<&View<'_>>) -> Markup {
    let start = game.start();
    let opening = game.view(&start, Viewer::Spectator);
    let shown = view.unwrap_or(&opening);
    let (rules, state) = (game.rules(), shown.state());
    let mut scene = Scene::default();
    control::draw(rules, state, &mut scene);
    units::draw(rules, state, &Lit::default(), &mut scene);
    html! {
        p.hint { "Print these pages in landscape, with background graphics. "
            @if view.is_none() { "Shows the position at the start." } @else { "Shows the current position of the match." } }
        section.sheet-page.surrender.show-control.show-front.show-rail.on-paper {
            (PreEscaped(sheet::SYMBOLS))
            header { h1 { "Unconditional Surrender!" } p { (rules.scenario().title) } p { (month_words(state.turn)) } }
            (scene.fill(sheet::the_map(rules, &sheet::in_view(game, state))))
        }
        section.sheet-page.surrender.on-paper {
            header { h1 { "Order of battle" } p { (rules.scenario().title) ", " (month_words(state.turn)) } }
            (order_of_battle(rules, state))
        }
    }
}

/// Every unit on the map by country: where it is, its strength and its supply.
fn order_of_battle(rules: &Rules, state: &State) -> Markup {
    let mut armies: BTreeMap<(Side, Country), Vec<UnitId>> = BTreeMap::new();
    for unit in UnitId::all().filter(|unit| state.unit(*unit).on_map()) {
        armies.entry((rules.side_of(state, unit), rules.country_of(state, unit))).or_default().push(unit);
    }
    html! {
        div.order-of-battle {
            @for ((side, country), units) in &armies {
                section.(counter::side_class(*side)) {
                    h2 { (rules.world.country(*country).name) small { " National Will " (state.country(*country).will) } }
                    ul { @for unit in units {
                        @let place = state.unit(*unit).place;
                        li { b { (rules.info(*unit).name) } " " (rules.world.place_name(place))
                            @if let Some(city) = rules.world.city_at(place) { " " (rules.world.city(city).name) }
                            small { " " (facts(rules, state, *unit)) } }
                    } }
                }
            }
        }
    }
}

fn facts(rules: &Rules, state: &State, unit: UnitId) -> String {
    counter::words(rules, state, unit)
        .split_once(", ")
        .map_or_else(String::new, |(_, facts)| facts.to_owned())
}
