//! The state of the war at a glance: National Will against its start, wars and events, the next reinforcements, losses, and the
//! whole front with the frame of what the map shows.

use std::collections::BTreeMap;

use maud::{Markup, html};
use surrender::{Country, Place, Rules, Side, State, Status, UnitId, month_words};
use web::Scene;

use super::counter::side_class;
use super::frame::{HEIGHT, WIDTH};
use super::map;
use super::month::month_short;
use super::panels::{chips, reinforcements};

/// So many months ahead are told.
const AHEAD: u8 = 3;

/// The whole war as a small map: who controls what, where the front runs, and where one is. A click goes there.
pub fn overview() -> Markup {
    html! {
        svg data-overview="" aria-hidden="true" viewBox={"0 0 " (WIDTH) " " (HEIGHT)} {
            rect.paper width=(WIDTH) height=(HEIGHT) {}
            use href="#control" {}
            use.l-sea href={(map::FILE.url()) "#sea"} {}
            use href="#front" {}
            rect.window width="0" height="0" {}
        }
    }
}

/// The places of the cards.
pub fn sheet() -> Markup {
    html! {
        div.dashboard {
            section.front-card { h3 #dash-month {} (overview()) }
            section { h3 { "National Will" } table.wills { thead.sr { tr { th { "Country" } th { "Now and at the start" } } } tbody #dash-will {} } }
            section { h3 { "Wars and politics" } div #dash-wars {} }
            section { h3 { "Coming" } div #dash-coming {} }
            section { h3 { "Armies" } table.armies { thead { tr { th { "Side" } th title="Ground units on the map" { "Ground" } th title="Air units on the map" { "Air" } th title="Warships and convoys on the map" { "Sea" } th title="Units in Low or No Supply" { "Low" } th title="Units lost for good" { "Lost" } th title="Cities under control" { "Cities" } } } tbody #dash-armies {} } }
        }
    }
}

/// Draws the cards.
pub fn draw(rules: &Rules, state: &State, scene: &mut Scene) {
    let last = rules.scenario().last;
    let left = last.saturating_sub(state.turn);
    scene.add("dash-month", "dash-month-words", html! {
        span #dash-month-words { (month_words(state.turn)) small { " " (left) " of " (last - rules.scenario().first + 1) " months left" } }
    });
    wills(rules, state, scene);
    scene.add("dash-wars", "dash-wars-list", wars(rules, state));
    scene.add("dash-coming", "dash-coming-list", coming(rules, state));
    armies(rules, state, scene);
}

/// A bar for each country in the war: what it has of the Will with which it starts. With a third of it left it is in danger.
fn wills(rules: &Rules, state: &State, scene: &mut Scene) {
    let mut rows: Vec<Country> = Country::all()
        .filter(|country| {
            state.country(*country).status == Status::Active && state.country(*country).side != Side::Nobody
        })
        .collect();
    rows.sort_by_key(|country| (state.country(*country).side, rules.world.country(*country).minor, *country));
    for country in rows {
        let (now, start) = (state.country(country).will, rules.scenario().will[country.index()]);
        let most = now.max(start).max(1);
        let key = format!("dw-{}", country.id());
        scene.add(
            "dash-will",
            key.clone(),
            html! {
                tr #(key) .(side_class(state.country(country).side)) .danger[i32::from(now) * 3 <= i32::from(start)] {
                    th scope="row" { (rules.world.country(country).name) }
                    td {
                        svg.will-bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
                            rect.ground width="100" height="8" {}
                            rect.left width=(i32::from(now.max(0)) * 100 / i32::from(most)) height="8" {}
                            @if start < now { rect.start x=(i32::from(start) * 100 / i32::from(most)) width="1" height="8" {} }
                        }
                        b { (now) } small { " of " (start) }
                    }
                }
            },
        );
    }
}

fn wars(rules: &Rules, state: &State) -> Markup {
    let names = |status: Status, side: Option<Side>| -> Vec<&str> {
        Country::all()
            .filter(|country| {
                let now = state.country(*country);
                now.status == status && side.is_none_or(|side| now.side == side)
            })
            .map(|country| rules.world.country(country).name.as_str())
            .collect()
    };
    let pro: Vec<String> = Country::all()
        .filter_map(|country| {
            let now = state.country(country);
            let faction = now.pro.filter(|_| now.status == Status::Neutral)?;
            Some(format!("{} ({})", rules.world.country(country).name, faction.title()))
        })
        .collect();
    html! {
        ul #dash-wars-list {
            li { @if state.war_west { "Axis and West at war" } @else { "Axis and West at peace" } ", " @if state.war_east { "Axis and Soviets at war" } @else { "the Pact holds" } }
            @if state.usa_turn != u8::MAX { li { "USA: " (month_words(state.usa_turn)) } }
            @for side in [Side::Axis, Side::Western, Side::Soviet] {
                @let conquered = names(Status::Conquered, Some(side));
                @if !conquered.is_empty() { li.(side_class(side)) { "Conquered by the " (side_title(side)) ": " (conquered.join(", ")) } }
            }
            @if !pro.is_empty() { li { "Leaning: " (pro.join(", ")) } }
            li { "Neutral: " (names(Status::Neutral, None).len()) }
        }
    }
}

const fn side_title(side: Side) -> &'static str {
    match side {
        Side::Axis => "Axis",
        Side::Western => "West",
        Side::Soviet => "Soviets",
        Side::Lone => "Lone countries",
        Side::Nobody => "nobody",
    }
}

fn coming(rules: &Rules, state: &State) -> Markup {
    let due = reinforcements(rules, state);
    let near: Vec<_> = due.range(state.turn..=state.turn.saturating_add(AHEAD)).collect();
    html! {
        div #dash-coming-list {
            @if near.is_empty() { p { "Nothing in the next months." } }
            @for (turn, units) in near { p.force { b { (month_short(*turn)) } (chips(rules, units)) } }
        }
    }
}

/// What each side has in the field and has lost.
#[derive(Default)]
struct Army {
    ground: usize,
    air: usize,
    sea: usize,
    hungry: usize,
    lost: usize,
    cities: usize,
}

fn armies(rules: &Rules, state: &State, scene: &mut Scene) {
    let mut armies: BTreeMap<Side, Army> = BTreeMap::new();
    for unit in UnitId::all() {
        let (now, kind) = (state.unit(unit), rules.kind(unit));
        let army = armies.entry(rules.side_of(state, unit)).or_default();
        if now.place == Place::OUT {
            army.lost += 1;
        }
        if !now.on_map() {
            continue;
        }
        army.hungry += usize::from(now.supply != surrender::Supply::Full);
        match (kind.is_ground(), kind.is_air()) {
            (true, _) => army.ground += 1,
            (_, true) => army.air += 1,
            _ => army.sea += 1,
        }
    }
    for city in rules.world.cities.iter().filter(|city| !city.port_only) {
        armies.entry(state.controller(city.hex)).or_default().cities += 1;
    }
    for side in [Side::Axis, Side::Western, Side::Soviet, Side::Lone] {
        let Some(army) = armies.get(&side).filter(|army| army.ground + army.air + army.sea + army.lost > 0)
        else {
            continue;
        };
        let key = format!("da-{}", side_class(side));
        scene.add("dash-armies", key.clone(), html! {
            tr #(key) .(side_class(side)) {
                th scope="row" { (side_title(side)) }
                @for count in [army.ground, army.air, army.sea, army.hungry, army.lost, army.cities] { td { (count) } }
            }
        });
    }
}
