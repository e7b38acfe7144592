//! The map and the battalions for paper, blank or as a match stands.

use dday::{DDay, LOST, Rules, SHATTERED, Side, State, WAITING};
use kernel::Game as _;
use maud::{Markup, PreEscaped, html};

use super::march::Marches;
use super::{fields, sheet, situation, stacks, works};
use web::{Asked, Scene};

/// The pages: the map, then the roster of both sides.
pub fn pages(game: &DDay, state: Option<&State>) -> Markup {
    let rules = game.rules();
    let opening = game.start();
    let shown = state.unwrap_or(&opening);
    html! {
        p.hint { "Print these pages in landscape, with background graphics. "
            @if state.is_none() { "Shows the battalions at the start." } @else { "Shows the current position of the match." } }
        section.sheet-page.dday {
            (PreEscaped(include_str!("symbols.svg")))
            header {
                h1 { "D-Day to Berlin" }
                p { (fields::setup_title(game)) ", " (situation::date(&rules.scenario.date)) }
                p { "Turn " (shown.turn) " of " (rules.scenario.turns) ", " (Rules::hour(shown.clock)) }
            }
            (map(game, shown))
        }
        section.sheet-page.dday {
            header { h1 { "Battalions" } p { (fields::setup_title(game)) } }
            div.rosters { @for side in Side::ALL { (roster(rules, shown, side)) } }
            @if !rules.scenario.special.is_empty() {
                ul.special { @for line in &rules.scenario.special { li { (line) } } }
            }
        }
    }
}

fn map(game: &DDay, s: &State) -> Markup {
    let rules = game.rules();
    let mut scene = Scene::default();
    works::draw(rules, s, &mut scene);
    stacks::draw(game, s, &Asked::NOTHING, &Marches::default(), &mut scene);
    scene.fill(sheet::map(rules))
}

fn roster(rules: &Rules, s: &State, side: Side) -> Markup {
    let grid = rules.scenario.grid;
    html! {
        table.roster {
            caption { (rules.side_name(side)) ": tally " (s.tally[side.index()]) " of " (rules.scenario.sides[side.index()].break_at) }
            thead { tr { th { "Battalion" } th { "Type" } th { "Quality" } th { "Save" } th { "Move" } th { "Where" } } }
            tbody {
                @for unit in rules.armies[side.index()] {
                    @let troop = rules.troop(unit);
                    tr {
                        td { (rules.unit_name(unit)) }
                        td { (troop.class.code()) @if troop.detachment { " det." } }
                        td { (troop.quality.title()) }
                        td { (troop.save) }
                        td { (troop.moves) @if troop.range > 0 { ", range " (troop.range) } }
                        td {
                            @match s.unit(unit).zone {
                                WAITING => { "turn " (troop.arrives) }
                                SHATTERED => "shattered",
                                LOST => "lost",
                                zone => (grid.name(zone)),
                            }
                        }
                    }
                }
            }
        }
    }
}
