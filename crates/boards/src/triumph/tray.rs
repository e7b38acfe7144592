//! The tray beside the map from which new units are taken: types for a place that is known, or what a point builds.

use maud::html;
use triumph::{Choice, Kind, Power, Rules, Stage, State, Triumph, View};
use web::Scene;

use super::atlas;
use super::block::{self, Face, Lies};
use super::lit::{Lit, Spot, Way, names};

/// The place for which a type is chosen now: a Cadre of the set-up, or a unit of a nation that has joined.
fn place(rules: &Rules, state: &State) -> Option<(Power, u8)> {
    match state.stage {
        Stage::SetUp(at) => rules.cadres().nth(usize::from(at)),
        Stage::Muster(_) => rules.next_muster(state).map(|(faction, area)| (faction.great(), area)),
        _ => None,
    }
}

/// The tray, where there is something in it.
pub fn draw(game: &Triumph, view: &View, lit: &Lit, scene: &mut Scene) {
    let (rules, state) = (game.rules(), view.state());
    let mut units: Vec<(Power, Kind, Vec<&Way>)> = Vec::new();
    let placed = place(rules, state);
    for kind in Kind::ALL {
        let ways = lit.at(game, state, Spot::Kind(kind));
        if let (Some((power, _)), false) = (placed, ways.is_empty()) {
            units.push((power, kind, ways));
        }
    }
    for power in Power::ALL {
        for kind in Kind::ALL {
            let ways = lit.at(game, state, Spot::New(power, kind));
            if !ways.is_empty() {
                units.push((power, kind, ways));
            }
        }
    }
    if units.is_empty() {
        return;
    }
    // What is built comes home: a phone shows the part of the map around the capital.
    let capital = || rules.decider(state).map(|faction| rules.atlas().factions[faction.index()].main_capital);
    let speaks =
        placed.map(|(_, area)| area).or_else(capital).map(|area| format!("area-{}", atlas::id(area)));
    let title = match placed {
        Some((_, area)) => rules.atlas().area(area).name.clone(),
        None => "Build".to_owned(),
    };
    let cv = |way: &Way| match (way.choice, state.stage) {
        (Choice::Muster(_), _) => placed.map_or(1, |(_, area)| rules.atlas().area(area).muster),
        _ => 1,
    };
    let tray = html! {
        section #unit-tray .unit-tray data-speaks-of=[speaks] aria-label="New units" {
            h3 { (title) }
            @for power in Power::ALL.into_iter().filter(|power| units.iter().any(|(of, ..)| of == power)) {
                ul aria-label=(power.adjective()) {
                    @for (_, kind, ways) in units.iter().filter(|(of, ..)| *of == power) {
                        @let face = Face { power: Some(power), kind: *kind, cv: ways.first().map_or(1, |way| cv(way)), most: rules.atlas().max_cv[power.index()], convoy: false };
                        li {
                            button.new-unit.lit type="button" data-choice=[names(ways)] title=[ways.first().map(|way| way.label.as_str())] {
                                svg viewBox="-12.5 -12.5 26 26" aria-hidden="true" { g.block.(power.word()) { (block::face(face, Lies::Standing)) } }
                                span { span.sr { (power.adjective()) " " } (kind.title()) }
                            }
                        }
                    }
                }
            }
        }
    };
    scene.add("tray-row", "unit-tray", tray);
    if let Some((_, area)) = placed {
        let key = "tray-place";
        scene.add("reach", key, html! { use #tray-place .reach.here href=(atlas::outline(area)) {} });
    }
}
