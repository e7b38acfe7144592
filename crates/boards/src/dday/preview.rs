//! What a choice would do, before it is made: how far a battalion could come, a ghost where it would stand, the zones that
//! it would look at.

use std::collections::HashMap;

use dday::{Choice, Rules, State, Units};
use maud::{Markup, html};
use terrain::{Cell, NOWHERE, Octant};

use super::frame::{Point, centre, corner};
use web::Scene;

/// The words and the ghosts; `None` where nothing can be foreseen.
pub fn preview(rules: &Rules, s: &State, choice: Choice) -> Option<(String, Scene)> {
    let mut scene = Scene::default();
    let ghost = match choice {
        Choice::Activate(unit) | Choice::Move(unit) | Choice::MakeReady(unit) => range(rules, s, unit),
        Choice::Step(zone) | Choice::Road(zone) => {
            let group = if s.act.group.is_empty() { Units::one(s.act.foe) } else { s.act.group };
            arrival(rules, s, group, zone)
        }
        Choice::Retreat { unit, zone } | Choice::Place { unit, zone } => {
            arrival(rules, s, Units::one(unit), zone)
        }
        Choice::Face(way) => looking(rules, s, way),
        Choice::Advance(unit) => arrival(rules, s, Units::one(unit), s.act.to),
        _ => return None,
    };
    // Ranges lie below the counters, counters above them.
    let place =
        if matches!(choice, Choice::Activate(_) | Choice::Move(_) | Choice::MakeReady(_) | Choice::Face(_)) {
            "ranges"
        } else {
            "ghosts"
        };
    scene.add(place, "ghost-map", html! { g #ghost-map .ghost { (ghost) } });
    let mut words = rules.label(s, choice);
    if let Choice::Step(zone) = choice
        && rules.in_control_of(s, zone, s.side.enemy())
    {
        words.push_str(": in an enemy zone of control");
    }
    Some((words, scene))
}

/// Zones as a path of squares.
fn squares(rules: &Rules, zones: impl Iterator<Item = Cell>) -> String {
    let mut zones: Vec<Cell> = zones.collect();
    zones.sort_unstable();
    let mut path = String::new();
    for zone in zones {
        let Point { x, y } = corner(rules.scenario.grid, zone);
        path.push_str(&format!("M{} {}h94v94h-94z", x + 3.0, y + 3.0));
    }
    path
}

/// The zones that a battalion comes to with so many steps, each with the steps that are left, and the enemy zones that it
/// could then assault.
pub fn reach(rules: &Rules, s: &State, unit: u8, steps: u8) -> (HashMap<Cell, u8>, Vec<Cell>) {
    let column = rules.column(s, Units::one(unit));
    let start = s.unit(unit).zone;
    let mut left = HashMap::from([(start, steps)]);
    let mut level = vec![start];
    let mut stopped: Vec<Cell> = Vec::new();
    for step in 1..=steps {
        let mut next = Vec::new();
        for from in level {
            for way in Octant::ALL {
                let to = rules.near(from, way);
                let Ok(kind) = rules.step(s, &column, from, way, from == start, false) else { continue };
                if left.contains_key(&to) && (kind.stops || !stopped.contains(&to)) {
                    continue;
                }
                left.entry(to).or_insert(steps - step);
                if kind.stops {
                    stopped.push(to);
                } else {
                    next.push(to);
                }
            }
        }
        level = next;
    }
    let enemy = rules.troop(unit).side.enemy();
    let mut targets: Vec<Cell> = Vec::new();
    if rules.troop(unit).assaults {
        for (zone, _) in left.iter().filter(|(_, left)| **left > 0) {
            for way in Octant::ALL {
                let near = rules.near(*zone, way);
                if near != NOWHERE && rules.holds(s, near, enemy) && !rules.is_unbridged(s, *zone, way) {
                    targets.push(near);
                }
            }
        }
    }
    targets.sort_unstable();
    targets.dedup();
    (left, targets)
}

/// The range of a battalion with a full move and with a double one, and whom it could assault.
fn range(rules: &Rules, s: &State, unit: u8) -> Markup {
    let moves = if s.night { 1 } else { rules.troop(unit).moves };
    let (full, threatened) = reach(rules, s, unit, moves);
    let (double, _) = if s.night { (HashMap::new(), Vec::new()) } else { reach(rules, s, unit, moves * 2) };
    let home = s.unit(unit).zone;
    let mut bases: Vec<Cell> = full.iter().filter(|(_, left)| **left > 0).map(|(zone, _)| *zone).collect();
    bases.retain(|zone| rules.around(*zone).any(|near| threatened.contains(&near)));
    bases.sort_unstable();
    let far = double.into_keys().filter(|zone| !full.contains_key(zone));
    html! {
        path.range-double d=(squares(rules, far)) {}
        path.range-full d=(squares(rules, full.keys().copied().filter(|zone| *zone != home))) {}
        path.threatened d=(squares(rules, threatened.into_iter())) {}
        // Zones from which an assault stays possible.
        @for zone in bases {
            @let Point { x, y } = corner(rules.scenario.grid, zone);
            use.fights href="#swords" transform={"translate(" (x + 85.0) " " (y + 15.0) ") scale(0.85)"} {}
        }
    }
}

/// Counters where they would come to stand.
fn arrival(rules: &Rules, s: &State, group: Units, zone: Cell) -> Markup {
    let grid = rules.scenario.grid;
    let Point { x, y } = centre(grid, zone);
    let from = group.first().map(|unit| s.unit(unit).zone).filter(|from| usize::from(*from) < grid.len());
    html! {
        @if let Some(from) = from { path.way d={"M" (centre(grid, from)) "L" (Point::new(x, y))} {} }
        @for (at, unit) in group.into_iter().enumerate() {
            use href={"#f-" (rules.scenario.papers[usize::from(unit)].id)} x=(x + 6.0 * at as f64) y=(y - 4.0 - 6.0 * at as f64) {}
        }
    }
}

/// The three zones that a stack would look at.
fn looking(rules: &Rules, s: &State, way: Octant) -> Markup {
    let zone = rules.resting_zone(s);
    let ahead = way.front().into_iter().map(|way| rules.near(zone, way)).filter(|near| *near != NOWHERE);
    html! { path.looking d=(squares(rules, ahead)) {} }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dday::DDay;
    use kernel::{Game as _, Options};

    #[test]
    fn a_battalion_on_foot_comes_one_zone_far() {
        let game = DDay::with_options(&Options::new()).expect("the default scenario");
        let (rules, s) = (game.rules(), game.start());
        let unit = rules.scenario.unit("uk-1-5q").expect("it is there");
        let home = s.unit(unit).zone;
        let (left, _) = reach(rules, &s, unit, rules.troop(unit).moves);
        assert!(left.len() > 1 && left.keys().all(|zone| rules.distance(home, *zone) <= 1));
        let words = preview(rules, &s, Choice::Activate(unit)).expect("its range can be shown").0;
        assert!(words.contains("Queen"), "{words}");
        assert!(preview(rules, &s, Choice::End).is_none());
    }
}
