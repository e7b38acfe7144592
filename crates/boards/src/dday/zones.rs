//! What lies over the zones: those that can be chosen, the ways of a march, the compass of a stack that comes to rest.

use dday::{Choice, Rules, Stage, State};
use maud::{Markup, html};
use terrain::{Cell, Octant};

use super::frame::{Point, centre, corner, name};
use super::march::Marches;
use super::places::{is_of_zone, join};
use super::stacks::facing_words;
use web::{Asked, Scene};

/// Everything over the zones.
pub fn draw(rules: &Rules, s: &State, asked: &Asked<'_, Choice>, marches: &Marches, scene: &mut Scene) {
    scene.add("over-ground", "lit", lit(rules, s, asked, marches));
    scene.add("over-units", "roads-lit", by_road(rules, marches));
    scene.add("over-units", "compass", compass(rules, s, asked, marches));
}

/// The manner in which a zone is lit.
fn manner(s: &State, asked: &Asked<'_, Choice>, marches: &Marches, zone: Cell) -> Option<&'static str> {
    if s.stage == Stage::Group && marches.names(zone).is_some() {
        return Some("plan");
    }
    if let Some(way) = marches.step(zone) {
        return Some(if way.ends { "step ends" } else { "step" });
    }
    if marches.road(zone).is_some() {
        return Some("road");
    }
    let (choice, _) = asked.open.iter().find(|(choice, _)| is_of_zone(s, *choice, zone))?;
    Some(match choice {
        Choice::Assault { .. } | Choice::Raid { .. } => "foe",
        Choice::Retreat { .. } => "retreat",
        Choice::Work(_) => "work",
        Choice::Advance(_) => "step",
        _ => "put",
    })
}

/// The zones that can be chosen. Where a stack stands, the stack above it takes most clicks.
fn lit(rules: &Rules, s: &State, asked: &Asked<'_, Choice>, marches: &Marches) -> Markup {
    let grid = rules.scenario.grid;
    html! {
        g #lit {
            @if let Some(zone) = marches.at().filter(|_| marches.fights_here()) {
                @let Point { x, y } = corner(grid, zone);
                g transform={"translate(" (x) " " (y) ")"} { (swords()) }
            }
            @if !asked.open.is_empty() || !asked.closed.is_empty() {
                @for zone in grid.cells() {
                    @if let Some(manner) = manner(s, asked, marches, zone) {
                        (lit_zone(rules, s, asked, marches, zone, manner))
                    } @else if let Some(why) = asked.reason(|choice| choice == Choice::Step(zone)) {
                        @if s.is_empty(zone) {
                            rect.shut x=(corner(grid, zone).x) y=(corner(grid, zone).y) width="100" height="100" data-closed=(why) {}
                        }
                    }
                }
            }
        }
    }
}

fn lit_zone(
    rules: &Rules,
    s: &State,
    asked: &Asked<'_, Choice>,
    marches: &Marches,
    zone: Cell,
    manner: &str,
) -> Markup {
    let Point { x, y } = corner(rules.scenario.grid, zone);
    let names = join(&[marches.names(zone), asked.names(|choice| is_of_zone(s, choice, zone))]);
    let steps = marches.step(zone).or_else(|| marches.road(zone)).map(|way| way.steps);
    let number = name(&rules.scenario, zone);
    let fights = marches.step(zone).is_some_and(|way| way.fights);
    let assault = if fights { ", an assault stays possible" } else { "" };
    let words = format!("{}: {}{assault}", rules.scenario.zone_title(zone), manner_words(manner));
    html! {
        g #{"go-" (number)} .go.(manner) role="button" tabindex="0" aria-label=(words) data-choice=[names] data-place=(number) data-zone=(number)
            transform={"translate(" (x) " " (y) ")"} {
            rect.lit-ground.(manner) x="2" y="2" width="96" height="96" rx="5" {}
            @if let Some(steps) = steps.filter(|_| s.is_empty(zone)) { text.steps x="50" y="60" { (steps) } }
            @if fights { (swords()) }
        }
    }
}

/// The sign of a zone from which an assault stays possible. Rule 12.2.
fn swords() -> Markup {
    html! { use.fights href="#swords" transform="translate(85 15) scale(0.85)" {} }
}

const fn manner_words(manner: &str) -> &'static str {
    match manner.as_bytes() {
        b"plan" => "roll, and march there if the die allows a full move",
        b"step" => "march there",
        b"step ends" => "march there and halt",
        b"road" => "by road",
        b"retreat" => "retreat there",
        b"foe" => "attack",
        b"work" => "engineering",
        _ => "put there",
    }
}

/// Where a zone can be reached in road mode as well, a seal in its corner says so.
fn by_road(rules: &Rules, marches: &Marches) -> Markup {
    let grid = rules.scenario.grid;
    let mut zones: Vec<(Cell, &str)> = grid
        .cells()
        .filter(|zone| marches.step(*zone).is_some())
        .filter_map(|zone| Some((zone, marches.road(zone)?.chain.as_str())))
        .collect();
    zones.sort_unstable();
    html! {
        g #roads-lit {
            @for (zone, chain) in zones {
                @let Point { x, y } = corner(grid, zone);
                g #{"road-" (name(&rules.scenario, zone))} .go.by-road role="button" tabindex="0" data-choice=(chain)
                    aria-label={"By road to " (rules.scenario.zone_title(zone)) ", no combat this turn"}
                    transform={"translate(" (x + 85.0) " " (y + 85.0) ")"} {
                    title { "By road: further, but no combat this turn" }
                    circle r="11" {}
                    path d="M-3.5-7L-5 7M3.5-7L5 7M0-6V-3M0-1V2M0 4V7" {}
                }
            }
        }
    }
}

/// The eight ways that a stack may face, around it; the middle halts. Rule 4.2.
fn compass(rules: &Rules, s: &State, asked: &Asked<'_, Choice>, marches: &Marches) -> Markup {
    let faces = |way: Octant| asked.names(|choice| choice == Choice::Face(way));
    let any = Octant::ALL.into_iter().any(|way| faces(way).is_some());
    let Some(zone) = marches.at().filter(|_| any) else { return html! { g #compass {} } };
    let Point { x, y } = centre(rules.scenario.grid, zone);
    let now = s.zones[usize::from(zone)].facing;
    // While it may march on, the compass leaves the zones around it free.
    let large = marches.zones().next().is_none();
    let halt = asked.names(|choice| choice == Choice::Halt);
    html! {
        g #compass .compass.large[large] transform={"translate(" (x) " " (y) ")"} {
            circle.ring r=(if large { "74" } else { "54" }) {}
            @for way in Octant::ALL {
                @let names = faces(way).or_else(|| halt.clone().filter(|_| way == now));
                g #{"face-" (way.name())} .petal.now[way == now] role="button" tabindex="0" data-choice=[names]
                    aria-label={@if way == now { "Halt, facing " } @else { "Face " } (facing_words(way))}
                    transform=[(way != Octant::N).then(|| format!("rotate({})", way.index() * 45))] {
                    title { @if way == now { "Halt, facing " } @else { "Face " } (facing_words(way)) }
                    @if large { path d="M0-96L15-66Q0-72-15-66Z" {} } @else { path d="M0-66L11-47Q0-51-11-47Z" {} }
                }
            }
        }
    }
}
