//! Where units went of late: for each side since its last month of operations began, with what was fought and lost.
//!
//! A position does not know where its units came from; the events do. So this layer is asked for when it is shown.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use kernel::Viewer;
use maud::{Markup, html};
use surrender::{GameEvent, Loss, Place, Rules, Side, State, Surrender, UnitId};
use web::{Dated, Movements, Scene};

use super::counter::side_class;
use super::frame::{Point, centre};

/// How a unit went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Manner {
    /// On foot or on wheels, step by step.
    March,
    /// By rail, ship or aircraft.
    Carried,
    /// Driven back.
    Driven,
}

impl Manner {
    const fn class(self) -> &'static str {
        match self {
            Self::March => "march",
            Self::Carried => "carried",
            Self::Driven => "driven",
        }
    }
}

/// A unit went from one place to another.
fn step(event: &GameEvent) -> Option<(UnitId, Option<Place>, Place, Manner)> {
    match *event {
        GameEvent::Stepped(unit, from, to) => Some((unit, Some(from), to, Manner::March)),
        GameEvent::Advanced(unit, to) => Some((unit, None, to, Manner::March)),
        GameEvent::Railed(unit, from, to) | GameEvent::Rebased(unit, from, to) => {
            Some((unit, Some(from), to, Manner::Carried))
        }
        GameEvent::Arrived(unit, to) | GameEvent::Landed(unit, to) => Some((unit, None, to, Manner::Carried)),
        GameEvent::Retreated(unit, from, to)
        | GameEvent::Displaced(unit, from, to)
        | GameEvent::Relocated(unit, from, to) => Some((unit, Some(from), to, Manner::Driven)),
        GameEvent::Placed(unit, to) | GameEvent::Mobilized(unit, to, _) => {
            Some((unit, Some(Place::NONE), to, Manner::Carried))
        }
        _ => None,
    }
}

/// Whether an event is a decision of the unit's own side in its operations.
const fn own_deed(event: &GameEvent) -> Option<UnitId> {
    match *event {
        GameEvent::Stepped(unit, ..)
        | GameEvent::Railed(unit, ..)
        | GameEvent::Rebased(unit, ..)
        | GameEvent::Activated(unit, ..)
        | GameEvent::SetOut(_, unit, ..) => Some(unit),
        _ => None,
    }
}

/// The layer.
pub fn of(game: &Surrender, before: &State, events: &[Dated<GameEvent>], viewer: Viewer) -> Movements {
    let rules = game.rules();
    let begun = beginnings(rules, before, events);
    let own = match viewer {
        Viewer::Seat(seat) => Some(rules.faction_of(seat)),
        Viewer::Spectator => None,
    };
    let others = begun.iter().filter(|(side, _)| Some(side.player()) != own).map(|(_, step)| *step);
    let from = others.min().unwrap_or_default().saturating_sub(1);
    let mut scene = Scene::default();
    scene.add("moves", "moves-all", draw(rules, before, events, &begun));
    Movements { from, scene }
}

/// The step with which the last month of operations of each side began.
fn beginnings(rules: &Rules, before: &State, events: &[Dated<GameEvent>]) -> BTreeMap<Side, usize> {
    let mut begun: BTreeMap<Side, (u16, usize)> = BTreeMap::new();
    for Dated { step, turn, event } in events {
        let Some(unit) = own_deed(event) else { continue };
        let known = begun.entry(rules.side_of(before, unit)).or_insert((*turn, *step));
        if known.0 < *turn {
            *known = (*turn, *step);
        }
    }
    begun.into_iter().map(|(side, (_, step))| (side, step)).collect()
}

/// What is drawn of a side.
#[derive(Default)]
struct Marks {
    ways: BTreeMap<Manner, String>,
    fights: BTreeSet<Place>,
    lost: BTreeSet<Place>,
    fresh: BTreeSet<Place>,
}

fn draw(rules: &Rules, before: &State, events: &[Dated<GameEvent>], begun: &BTreeMap<Side, usize>) -> Markup {
    let mut marks: BTreeMap<Side, Marks> = BTreeMap::new();
    let mut places: BTreeMap<UnitId, Place> =
        UnitId::all().map(|unit| (unit, before.unit(unit).place)).collect();
    // The way that a unit is on: as long as it goes on in the same manner, it is one line.
    let mut ways: BTreeMap<UnitId, (Manner, Vec<Place>)> = BTreeMap::new();
    for Dated { step: at, event, .. } in events {
        let side_of = |unit: UnitId| rules.side_of(before, unit);
        let is_shown = |side: Side| begun.get(&side).is_none_or(|first| first <= at);
        if let Some((unit, from, to, manner)) = step(event) {
            let from = from.or_else(|| places.get(&unit).copied()).unwrap_or(Place::NONE);
            places.insert(unit, to);
            if !is_shown(side_of(unit)) || from == to {
                continue;
            }
            if !from.on_map() {
                marks.entry(side_of(unit)).or_default().fresh.insert(to);
                continue;
            }
            match ways.get_mut(&unit) {
                Some((known, way)) if *known == manner && way.last() == Some(&from) => way.push(to),
                _ => {
                    let finished = ways.insert(unit, (manner, vec![from, to]));
                    finish(rules, &mut marks, side_of(unit), finished);
                }
            }
            continue;
        }
        match *event {
            GameEvent::Fought(attacker, _, hex, ..) if is_shown(side_of(attacker)) => {
                marks.entry(side_of(attacker)).or_default().fights.insert(hex);
            }
            GameEvent::Lost(unit, how) if how != Loss::Country && is_shown(side_of(unit)) => {
                if let Some(place) = places.get(&unit).copied().filter(|place| place.on_map()) {
                    marks.entry(side_of(unit)).or_default().lost.insert(place);
                }
            }
            _ => {}
        }
    }
    for (unit, way) in ways {
        finish(rules, &mut marks, rules.side_of(before, unit), Some(way));
    }
    html! {
        g #moves-all {
            @for (side, marks) in &marks {
                g.moved.(side_class(*side)) {
                    @for (manner, way) in &marks.ways {
                        path.halo d=(way) {}
                        path.(manner.class()) d=(way) {}
                    }
                    @for place in &marks.fresh { (sign(rules, *place, "fresh-unit", "M-5 0H5M0-5V5")) }
                }
            }
            @for (side, marks) in &marks {
                g.moved.(side_class(*side)) {
                    @for place in &marks.fights { (sign(rules, *place, "fought", "M-5-5L5 5M5-5L-5 5M-7 0H7M0-7V7")) }
                    @for place in &marks.lost { (sign(rules, *place, "fallen", "M-6-6L6 6M6-6L-6 6")) }
                }
            }
        }
    }
}

/// A sign in the corner of a hex.
fn sign(rules: &Rules, place: Place, class: &str, path: &str) -> Markup {
    html! {
        @if let Some(Point { x, y }) = centre(rules.world, place) {
            path class=(class) transform=(format!("translate({x} {y})")) d=(path) {}
        }
    }
}

/// Puts a finished way among those of its side: a line with a head.
fn finish(rules: &Rules, marks: &mut BTreeMap<Side, Marks>, side: Side, way: Option<(Manner, Vec<Place>)>) {
    const HEAD: f64 = 6.0;
    let Some((manner, places)) = way else { return };
    let points: Vec<Point> = places.iter().filter_map(|place| centre(rules.world, *place)).collect();
    let [.., before, last] = &points[..] else { return };
    let path = marks.entry(side).or_default().ways.entry(manner).or_default();
    for (at, Point { x, y }) in points.iter().enumerate() {
        let _ = write!(path, "{}{x:.0} {y:.0}", if at == 0 { 'M' } else { 'L' });
    }
    let (right, down) = (last.x - before.x, last.y - before.y);
    let length = right.hypot(down).max(1.0);
    let (ahead, aside) =
        (Point { x: right / length, y: down / length }, Point { x: -down / length, y: right / length });
    let wing = |sign: f64| Point {
        x: last.x - ahead.x * HEAD + sign * aside.x * HEAD * 0.7,
        y: last.y - ahead.y * HEAD + sign * aside.y * HEAD * 0.7,
    };
    let (one, other) = (wing(1.0), wing(-1.0));
    let _ =
        write!(path, "M{:.1} {:.1}L{:.1} {:.1} {:.1} {:.1}", one.x, one.y, last.x, last.y, other.x, other.y);
}

#[cfg(test)]
mod tests {
    use kernel::{Game as _, Seat};
    use web::Part;

    use super::*;

    #[test]
    fn a_march_is_one_line_and_an_older_month_is_left_out() {
        let options = [("scenario".to_owned(), "poland-1939".to_owned())].into();
        let game = Surrender::with_options(&options).expect("the scenario is known");
        let (rules, start) = (game.rules(), game.start());
        let unit = rules.world.unit_named("GER-16PZ").expect("the unit is known");
        let from = start.unit(unit).place;
        let near = |place: Place| {
            *rules.world.hex(place).near.iter().find(|near| near.is_hex()).expect("it has a neighbour")
        };
        let (next, last) = (near(from), near(near(from)));
        let at = |step, turn, event| Dated { step, turn, event };
        let events = [
            at(3, 1, GameEvent::Stepped(unit, from, next)),
            at(9, 2, GameEvent::Stepped(unit, next, from)),
            at(10, 2, GameEvent::Stepped(unit, from, last)),
        ];
        let Movements { from: film, scene } = of(&game, &start, &events, Viewer::Seat(Seat(1)));
        assert_eq!(film, 8, "the film begins before the month of the others");
        let Part(_, _, drawn) = &scene.parts[0];
        // A line and its halo, each a way of three places and a head.
        assert_eq!(drawn.matches("<path").count(), 2, "{drawn}");
        assert_eq!(drawn.matches('M').count(), 4, "{drawn}");
    }
}
