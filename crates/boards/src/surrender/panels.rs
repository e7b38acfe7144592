//! The panels beside the map: powers, diplomacy and events, reinforcements, losses; and the tray of units that wait to be placed.

use std::collections::BTreeMap;

use maud::{Markup, html};
use surrender::{
    Avail, Country, Diplomat, Faction, Owner, Place, Reaction, Rules, Side, State, Status, UnitId, event,
    month_words,
};
use web::Scene;

use super::counter::{self, side_class};
use super::lit::Lit;
use super::month::month_short;
use super::{dashboard, roll};

/// A country at or below this much National Will is in danger.
const DANGER: i16 = 6;

/// The empty panels of the sheet. Only one is open at a time.
pub fn sheet() -> Markup {
    html! {
        div.panels {
            details name="surrender-panel" { summary { "Overview" } div.drawer.wide { (dashboard::sheet()) } }
            details name="surrender-panel" { summary { "Units" } div.drawer { (roll::sheet()) } }
            details name="surrender-panel" { summary { "Powers" } div.drawer {
                table.powers { thead { tr { th { "Country" } th title="National Will" { "Will" } th title="Working Factories" { "Fac" } th title="Income of a turn" { "Inc" } th title="Points left in this turn" { "Pts" } } } tbody #powers {} }
            } }
            details name="surrender-panel" { summary { "Diplomacy" } div.drawer #diplomacy-place {} }
            details name="surrender-panel" { summary { "Events" } div.drawer #events-place {} }
            details name="surrender-panel" { summary { "Coming" } div.drawer #coming-place {} }
            details name="surrender-panel" { summary { "Losses" } div.drawer #losses-place {} }
            details name="surrender-panel" { summary { "Key" } div.drawer { (key()) } }
        }
    }
}

/// What the signs of the map mean.
fn key() -> Markup {
    html! {
        dl.legend {
            @for (class, word) in [("fair", "clear"), ("woods", "woods"), ("hills", "hills"), ("desert", "desert"), ("swamp", "swamp")] {
                div { dt { i.swatch.(class) {} } dd { (word) } }
            }
            div { dt { i.swatch.river {} } dd { "river or canal" } }
            div { dt { i.swatch.mountain {} } dd { "mountains" } }
            div { dt { i.swatch.rail {} } dd { "Transport Line" } }
            div { dt { i.pip-low {} } dd { "Low supply" } }
            div { dt { i.pip-no {} } dd { "No Supply" } }
            div { dt { "– –" } dd { "full strength" } }
            div { dt { "–" } dd { "reduced" } }
            div { dt { "★" } dd { "elite" } }
            div { dt { "3" } dd { "Sorties of an air or naval unit" } }
        }
    }
}

/// Draws all of them.
pub fn draw(rules: &Rules, state: &State, lit: &Lit, scene: &mut Scene) {
    dashboard::draw(rules, state, scene);
    roll::draw(rules, state, lit, scene);
    powers(rules, state, scene);
    scene.add("diplomacy-place", "diplomacy", diplomacy(rules, state));
    scene.add("events-place", "events", events(rules, state));
    scene.add("coming-place", "coming", coming(rules, state));
    scene.add("losses-place", "losses", losses(rules, state));
    scene.add("tray-place", "tray-units", tray(rules, state, lit));
}

/// A row for each country that is in the war.
fn powers(rules: &Rules, state: &State, scene: &mut Scene) {
    let mut rows: Vec<Country> = Country::all()
        .filter(|country| {
            state.country(*country).status == Status::Active && state.country(*country).side != Side::Nobody
        })
        .collect();
    rows.sort_by_key(|country| (state.country(*country).side, rules.world.country(*country).minor, *country));
    for country in rows {
        let (now, info) = (state.country(country), rules.world.country(country));
        let key = format!("pw-{}", country.id());
        scene.add(
            "powers",
            key.clone(),
            html! {
                tr #(key) .(side_class(now.side)) .danger[now.will <= DANGER] {
                    th scope="row" { (info.name) }
                    td { (now.will) }
                    td { (rules.factories(state, country)) }
                    td { (rules.income(state, country)) }
                    td { (now.points) }
                }
            },
        );
    }
}

fn diplomacy(rules: &Rules, state: &State) -> Markup {
    let neutral = Country::all().filter(|country| state.country(*country).status == Status::Neutral);
    let fallen = Country::all().filter(|country| state.country(*country).status == Status::Conquered);
    let name = |marker: Diplomat| &rules.world.tables.diplomacy[marker as usize].name;
    let counted = |counts: &[u8]| -> Vec<String> {
        Diplomat::ALL
            .iter()
            .filter(|(_, marker)| counts[*marker as usize] > 0)
            .map(|(_, marker)| format!("{} {}", counts[*marker as usize], name(*marker)))
            .collect()
    };
    html! {
        div #diplomacy {
            h3 { "Wars" }
            ul {
                li { @if state.war_west { "The Axis and the Western Allies are at war." } @else { "Appeasement: the Axis and the West are at peace." } }
                li { @if state.war_east { "The Axis and the Soviets are at war." } @else { "The Pact holds." } }
                @if state.usa_turn != u8::MAX { li { "The USA enters in " (month_words(state.usa_turn)) "." } }
            }
            h3 { "Neutral" }
            ul.chips { @for country in neutral {
                @let pro = state.country(country).pro;
                li.(pro.map_or("nobody", |faction| side_class(faction.side()))) { (rules.world.country(country).name) @if let Some(faction) = pro { small { " pro " (faction.title()) } } }
            } }
            h3 { "Conquered" }
            ul.chips { @for country in fallen { li.(side_class(state.country(country).side)) { (rules.world.country(country).name) } } }
            h3 { "Diplomacy Cup" }
            (list(&counted(&state.cup)))
            h3 { "Holding Box" }
            (list(&counted(&state.holding)))
        }
    }
}

fn list(items: &[String]) -> Markup {
    html! { @if items.is_empty() { p { "Nothing." } } @else { ul { @for item in items { li { (item) } } } } }
}

/// Who is not asked in this month, and what about.
fn standing(state: &State) -> Vec<String> {
    let given = Faction::ALL.into_iter().flat_map(|faction| {
        Reaction::ALL.into_iter().filter(move |reaction| state.stands(*reaction, faction)).map(
            move |reaction| {
                let what = match reaction {
                    Reaction::Intercept => "every mission is let go",
                    Reaction::Commit => "nothing is committed in defence",
                };
                format!("{}: {what}", faction.title())
            },
        )
    });
    given.collect()
}

fn events(rules: &Rules, state: &State) -> Markup {
    const OCCURRED: [(u8, &str); 6] = [
        (event::EAST, "East Invaded"),
        (event::WEST, "West Invaded"),
        (event::MEDITERRANEAN, "Mediterranean Crisis"),
        (event::NORTH, "USSR Northern Border"),
        (event::SOUTH, "USSR Southern Border"),
        (event::USA, "USA Entry"),
    ];
    let mut hands: BTreeMap<u8, Vec<(String, &str, u8, u8)>> = BTreeMap::new();
    for (slot, (marker, owner)) in rules.slot_owners().iter().enumerate() {
        let (ready, spent) = (state.ready[slot], state.spent[slot]);
        if ready + spent == 0 {
            continue;
        }
        let (side, whose) = match owner {
            Owner::Faction(faction) => (faction.side(), String::new()),
            Owner::Country(country) => (state.country(*country).side, format!("{} ", country.id())),
        };
        let info = &rules.world.markers[marker.index()];
        hands.entry(side as u8).or_default().push((
            format!("{whose}{}", info.name),
            &info.rule,
            ready,
            spent,
        ));
    }
    html! {
        div #events {
            @for faction in Faction::ALL {
                @if let Some(hand) = hands.get(&(faction.side() as u8)) {
                    h3 { (faction.title()) }
                    ul.markers { @for (name, rule, ready, spent) in hand {
                        li title=(rule) { b { (ready) } " " (name) @if *spent > 0 { small { " (" (spent) " used)" } } }
                    } }
                }
            }
            @if state.standing != 0 {
                h3 { "Standing answers of this month" }
                (list(&standing(state)))
            }
            h3 { "Occurred" }
            (list(&OCCURRED.iter().filter(|(bit, _)| state.occurred(*bit)).map(|(_, name)| (*name).to_owned()).collect::<Vec<_>>()))
            @if rules.scenario().factions.len() == Faction::ALL.len() {
                h3 { "Factories lost to the war at sea and in the air" }
                p { "Germany " (state.fac_lost[0]) ", UK " (state.fac_lost[1]) ", USSR " (state.fac_lost[2]) }
            }
        }
    }
}

/// The units that are still to come, by month.
pub fn reinforcements(rules: &Rules, state: &State) -> BTreeMap<u8, Vec<UnitId>> {
    let mut by_turn: BTreeMap<u8, Vec<UnitId>> = BTreeMap::new();
    for unit in UnitId::all().filter(|unit| state.unit(*unit).place == Place::LATER) {
        if let Avail::Turn(turn) | Avail::Upgrade(_, turn) = rules.info(unit).avail
            && turn <= rules.scenario().last
            && state.country(rules.info(unit).country).status == Status::Active
        {
            by_turn.entry(turn).or_default().push(unit);
        }
    }
    for reinforcement in rules.scenario().reinforcements.iter().filter(|entry| entry.turn > state.turn) {
        let units = by_turn.entry(reinforcement.turn).or_default();
        if !units.contains(&reinforcement.unit.unit) {
            units.push(reinforcement.unit.unit);
        }
    }
    by_turn.retain(|turn, _| *turn >= state.turn);
    by_turn
}

/// What is still to come, by month, and what waits in the Mobilization Boxes.
fn coming(rules: &Rules, state: &State) -> Markup {
    let by_turn = reinforcements(rules, state);
    let mut pools: BTreeMap<Country, Vec<UnitId>> = BTreeMap::new();
    for unit in UnitId::all().filter(|unit| state.unit(*unit).place == Place::POOL) {
        pools.entry(rules.country_of(state, unit)).or_default().push(unit);
    }
    html! {
        div #coming {
            h3 { "Mobilization Boxes" }
            @if pools.is_empty() { p { "Empty." } }
            @for (country, units) in &pools { p.force { b { (rules.world.country(*country).name) } (chips(rules, units)) } }
            h3 { "Reinforcements" }
            @if by_turn.is_empty() { p { "None." } }
            @for (turn, units) in &by_turn { p.force { b { (month_short(*turn)) } (chips(rules, units)) } }
        }
    }
}

fn losses(rules: &Rules, state: &State) -> Markup {
    let mut lost: BTreeMap<(Side, Country), Vec<UnitId>> = BTreeMap::new();
    for unit in UnitId::all().filter(|unit| state.unit(*unit).place == Place::OUT) {
        let country = rules.info(unit).country;
        lost.entry((state.country(country).side, country)).or_default().push(unit);
    }
    html! {
        div #losses {
            @if lost.is_empty() { p { "No unit has been lost for good." } }
            @for ((side, country), units) in &lost {
                p.force.(side_class(*side)) { b { (rules.world.country(*country).name) " " (units.len()) } (chips(rules, units)) }
            }
        }
    }
}

/// Units as short names.
pub fn chips(rules: &Rules, units: &[UnitId]) -> Markup {
    html! {
        @for unit in units {
            @let info = rules.info(*unit);
            " " span.chip.(counter::nation(rules, *unit)) title={(info.name) ", " (counter::kind_word(info.kind))} { (counter::short(info)) }
        }
    }
}

/// Units off the map that can be chosen now.
fn tray(rules: &Rules, state: &State, lit: &Lit) -> Markup {
    let units = lit.waiting_units(state);
    html! {
        div #tray-units .tray-units .none[units.is_empty()] role="group" aria-label="Units that can be chosen" {
            @for unit in units {
                @let words = counter::words(rules, state, unit);
                button type="button" id={"t-" (rules.info(unit).id)} data-choice=[lit.unit(unit)] title=(words) aria-label=(words) {
                    (counter::loose(rules, state, unit))
                }
            }
        }
    }
}
