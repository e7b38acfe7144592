//! The stacks on the map: counters that glide, piles whose top can be read, facing, and the fan in which every counter of a
//! stack can be read and clicked.
//!
//! Counters are a layer of their own, so that they glide from zone to zone. Above them lies, for every stack, what can be
//! pointed at: the front line, and the fan, which opens when the stack is pointed at, tapped or has the focus.

use std::collections::HashMap;

use dday::{Choice, DDay, Rules, Stage, State};
use kernel::Mover;
use maud::{Markup, html};
use terrain::{Cell, NOWHERE, Octant};

use super::chains;
use super::counter::{face, nation, words};
use super::frame::{Point, Tenths, ZONE, centre, corner, height, name, width};
use super::march::Marches;
use super::places::{is_of_unit, is_of_zone, join, piece, why_not};
use web::{Asked, Scene};

/// The middle of the counters of a zone lies a little above its own, for the name below.
const LIFT: f64 = 4.0;
/// How much larger counters are in a fan.
const FAN: f64 = 1.3;
/// From counter to counter in a fan.
const FAN_STEP: f64 = 86.0;
/// The height of a bar in a fan that stands for a whole formation.
const BAR: f64 = 30.0;

/// Where the counter of a place in a stack of so many lies, the lowest first.
fn pile(middle: Point, at: usize, count: usize) -> Point {
    let step = match count {
        0..=2 => 7.0,
        3 => 6.0,
        4 => 5.0,
        _ => 16.0 / (count - 1) as f64,
    };
    let (spread, up) = (step * (count - 1) as f64, step * (count - 1 - at) as f64);
    Point::new(middle.x - spread / 2.0 + up, middle.y - LIFT + spread / 2.0 - up)
}

/// Counters and stacks.
pub fn draw(game: &DDay, s: &State, asked: &Asked<'_, Choice>, marches: &Marches, scene: &mut Scene) {
    let rules = game.rules();
    let orders = Orders { asked, marches, fire: chains::bombardments(game, s, asked) };
    for unit in 0..s.units.len() as u8 {
        scene.add("units", format!("u-{}", id(rules, unit)), counter_part(rules, s, unit, asked));
    }
    scene.add("acting", "actors", actors(rules, s));
    for unit in 0..s.units.len() as u8 {
        let key = format!("hit-{}", id(rules, unit));
        let zone = s.unit(unit).zone;
        let leads = s.unit(unit).on_map() && s.zones[usize::from(zone)].top == unit;
        let part = if leads {
            stack_part(rules, s, zone, &orders)
        } else {
            html! { g id=(key) {} }
        };
        scene.add("stacks", key, part);
        let key = format!("front-{}", id(rules, unit));
        let part = if leads {
            front(rules, s, zone, &key, asked)
        } else {
            html! { g id=(key) {} }
        };
        scene.add("fronts", key, part);
    }
}

fn id(rules: &Rules, unit: u8) -> &str {
    &rules.scenario.papers[usize::from(unit)].id
}

/// A counter in its pile.
fn counter_part(rules: &Rules, s: &State, unit: u8, asked: &Asked<'_, Choice>) -> Markup {
    let battalion = s.unit(unit);
    if !battalion.on_map() {
        return html! { g #{"u-" (id(rules, unit))} .unit.off { (face(rules, s, unit)) } };
    }
    let count = s.stack(battalion.zone).count();
    let at = s.stack(battalion.zone).position(|other| other == unit).unwrap_or(0);
    let Point { x, y } = pile(centre(rules.scenario.grid, battalion.zone), at, count);
    // A pile is lit as a whole: by a line around its top.
    let can = |unit: u8| {
        asked.open.iter().any(|(choice, _)| is_of_unit(*choice, unit)) || piece(asked, unit).is_some()
    };
    let lit = at + 1 == count && s.stack(battalion.zone).any(can);
    let acting = acts(s, unit);
    // One line around a pile is enough.
    let line = lit || acting && at + 1 == count;
    let foe = rules.troop(unit).side != s.side && !acting;
    html! {
        g #{"u-" (id(rules, unit))} .unit.glide.lit[lit && !acting].acting[acting].foe[foe].covered[is_covered(s, unit)]
            transform={"translate(" (Tenths(x)) " " (Tenths(y)) ")"} {
            @if line { rect.halo x="-34" y="-34" width="68" height="68" rx="8" {} }
            (face(rules, s, unit))
        }
    }
}

/// Those who act, where others stand beside them: they lie on top of the pile, whatever their place in it.
fn actors(rules: &Rules, s: &State) -> Markup {
    let acting: Vec<(Cell, u8)> = (0..s.units.len() as u8)
        .filter(|unit| is_covered(s, *unit))
        .map(|unit| (s.unit(unit).zone, unit))
        .collect();
    html! {
        g #actors .actors {
            @for (at, (zone, unit)) in acting.iter().enumerate() {
                @let before = acting[..at].iter().filter(|(other, _)| other == zone).count();
                @let count = acting.iter().filter(|(other, _)| other == zone).count();
                @let Point { x, y } = pile(centre(rules.scenario.grid, *zone), before, count);
                g #{"actor-" (id(rules, *unit))} .unit.glide.acting
                    transform={"translate(" (Tenths(x - 5.0)) " " (Tenths(y + 4.0)) ")"} {
                    @if before + 1 == count { rect.halo x="-34" y="-34" width="68" height="68" rx="8" {} }
                    use href={"#f-" (id(rules, *unit))} {}
                }
            }
        }
    }
}

/// Whether a battalion acts while others in its zone do not.
fn is_covered(s: &State, unit: u8) -> bool {
    acts(s, unit) && s.unit(unit).on_map() && s.stack(s.unit(unit).zone).any(|other| !acts(s, other))
}

/// Whether a battalion is part of what is being done.
pub fn acts(s: &State, unit: u8) -> bool {
    let act = &s.act;
    match s.stage {
        Stage::Group | Stage::ActivationDie | Stage::March | Stage::Fallback => act.group.has(unit),
        Stage::AdvanceMarch => act.foe == unit,
        Stage::RangedTarget | Stage::RangedFire => act.lead == unit || act.fire[0].guns.has(unit),
        Stage::AssaultLead | Stage::AssaultForce | Stage::AssaultAnswer | Stage::AssaultFire => {
            act.lead == unit
                || act.group.has(unit)
                || act.joined.has(unit)
                || act.fire.iter().any(|fire| fire.guns.has(unit))
        }
        Stage::Retreat => act.queue.has(unit),
        _ => false,
    }
}

/// What can be ordered by pointing at stacks.
struct Orders<'a> {
    asked: &'a Asked<'a, Choice>,
    marches: &'a Marches,
    /// The bombardments of enemies, as chains.
    fire: HashMap<u8, String>,
}

/// What can be pointed at in a zone with battalions.
fn stack_part(rules: &Rules, s: &State, zone: Cell, orders: &Orders<'_>) -> Markup {
    let (asked, marches) = (orders.asked, orders.marches);
    let grid = rules.scenario.grid;
    let units: Vec<u8> = s.stack(zone).collect();
    let side = rules.troop(units[0]).side;
    let at = corner(grid, zone);
    let here = join(&[asked.names(|choice| is_of_zone(s, choice, zone)), marches.names(zone)]);
    let halts = (marches.at() == Some(zone)).then(|| asked.names(|choice| choice == Choice::Halt)).flatten();
    let here = join(&[here, halts.clone()]);
    let pinned = open_fan(s, zone, asked);
    let targets = |unit: &u8| {
        orders.fire.contains_key(unit) || asked.open.iter().any(|(choice, _)| is_of_unit(*choice, *unit))
    };
    let shut =
        if here.is_none() && !units.iter().any(targets) { spared(rules, s, zone, asked) } else { None };
    html! {
        g #{"hit-" (id(rules, units[0]))} .stack.several[units.len() > 1].pinned[pinned].(nation(&rules.scenario, side))
            data-closed=[shut] tabindex=[(units.len() > 1).then_some("0")] aria-label=[(units.len() > 1).then(|| stack_words(rules, zone, units.len()))]
            transform={"translate(" (at.x) " " (at.y) ")"} {
            (reach(rules, s, zone))
            @if let [unit] = units[..] {
                (target(rules, s, unit, zone, orders, here.as_ref(), None))
            } @else if halts.is_some() {
                // The fan would cover the compass.
                g.item.lit role="button" tabindex="0" aria-label="Halt here" data-choice=[halts] { title { "Halt here" } (hit_area()) }
                (badge(units.len()))
            } @else {
                (badge(units.len()))
                (fan(rules, s, zone, &units, orders, here.as_ref()))
            }
        }
    }
}

/// The description of a stack; its counters have their own.
fn stack_words(rules: &Rules, zone: Cell, count: usize) -> String {
    format!("Stack of {count} in {}", rules.scenario.zone_title(zone))
}

/// A fan that stays open: who moves along is being asked.
fn open_fan(s: &State, zone: Cell, asked: &Asked<'_, Choice>) -> bool {
    let joins = |choice: &Choice| matches!(choice, Choice::With(_));
    s.stage == Stage::Group && s.act.from == zone && asked.open.iter().any(|(choice, _)| joins(choice))
}

/// Why an enemy stack can't be attacked now, for the player who points at it.
fn spared(rules: &Rules, s: &State, zone: Cell, asked: &Asked<'_, Choice>) -> Option<String> {
    let asks = matches!(rules.mover(s), Mover::Seat(seat) if Rules::side_of(seat) == s.side);
    if asked.open.is_empty() || !asks || !rules.holds(s, zone, s.side.enemy()) {
        return None;
    }
    let refusal = rules.why_no_attack(s, zone)?;
    Some(format!("{} (rule {})", refusal.reason, refusal.rule))
}

/// The formations of a stack that can be activated as a whole, as chains. Rule 10.1.
fn whole_formations(
    rules: &Rules,
    s: &State,
    units: &[u8],
    asked: &Asked<'_, Choice>,
) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut seen: Vec<u8> = Vec::new();
    if !rules.confirms() {
        return found;
    }
    for unit in units {
        let formation = rules.troop(*unit).formation;
        let Some(name) = asked.names(|choice| choice == Choice::Activate(*unit)) else { continue };
        if seen.contains(&formation) {
            continue;
        }
        seen.push(formation);
        let joins = |mate: &&u8| {
            **mate != *unit && rules.troop(**mate).formation == formation && rules.can_activate(s, **mate)
        };
        let title = format!("All of {}", rules.scenario.formations[usize::from(formation)].name);
        match units.iter().filter(joins).collect::<Vec<_>>()[..] {
            [] => {}
            [mate] => found.push((format!("{name} > with {}", id(rules, *mate)), title)),
            _ => found.push((format!("{name} > with all"), title)),
        }
    }
    found
}

/// How many counters lie in a pile.
fn badge(count: usize) -> Markup {
    html! { g.badge transform="translate(84 79)" { circle r="8.5" {} text y="4" { (count) } } }
}

/// Something to point at that stands for a battalion: the whole zone where it is alone, else its counter in the fan.
fn target(
    rules: &Rules,
    s: &State,
    unit: u8,
    zone: Cell,
    orders: &Orders<'_>,
    here: Option<&String>,
    at: Option<Point>,
) -> Markup {
    let asked = orders.asked;
    let own = asked.names(|choice| is_of_unit(choice, unit) && !is_of_zone(s, choice, zone));
    let names = join(&[own, orders.fire.get(&unit).cloned(), here.cloned()]);
    let closed = if names.is_none() { why_not(asked, unit) } else { None };
    let picked = piece(asked, unit).map(|verb| format!("{verb} {}", id(rules, unit)));
    let can = names.is_some() || picked.is_some();
    let words = words(rules, s, unit);
    let names = if picked.is_some() { None } else { names };
    html! {
        g #{"t-" (id(rules, unit))} .item.lit[can] role=(if can { "button" } else { "img" })
            tabindex=(if can || closed.is_some() { "0" } else { "-1" }) aria-label=(words)
            data-unit=(id(rules, unit)) data-choice=[names] data-closed=[closed] data-piece=[picked]
            data-place=(name(&rules.scenario, zone))
            transform=[at.map(|Point { x, y }| format!("translate({} {})", Tenths(x), Tenths(y)))] {
            title { (words) }
            @let reach = rules.troop(unit).range;
            @if reach > 0 { (range(rules, zone, reach, at)) }
            @if at.is_some() {
                rect.plate x="-42" y="-42" width="84" height="84" rx="8" {}
                use href={"#f-" (id(rules, unit))} transform={"scale(" (FAN) ")"} {}
            } @else {
                (hit_area())
            }
        }
    }
}

/// Where the counters of a zone are. The rim of the zone stays free for arrows and for the zone itself.
fn hit_area() -> Markup {
    html! { rect.hit x="13" y="10" width="74" height="74" {} }
}

/// Every counter of a stack side by side, larger than on the map.
fn fan(
    rules: &Rules,
    s: &State,
    zone: Cell,
    units: &[u8],
    orders: &Orders<'_>,
    here: Option<&String>,
) -> Markup {
    let grid = rules.scenario.grid;
    let columns = match units.len() {
        0..=3 => units.len(),
        4 => 2,
        _ => 3,
    };
    let rows = units.len().div_ceil(columns);
    let groups = whole_formations(rules, s, units, orders.asked);
    let (wide, counters) = (columns as f64 * FAN_STEP + 10.0, rows as f64 * FAN_STEP + 10.0);
    let high = counters + groups.len() as f64 * BAR;
    // It lies over its zone, but never beyond the edge of the map.
    let at = corner(grid, zone);
    let within =
        |at: f64, size: f64, most: f64| (ZONE / 2.0 - size / 2.0).clamp(2.0 - at, most - at - size - 2.0);
    let (left, top) = (within(at.x, wide, width(grid)), within(at.y, high, height(grid)));
    html! {
        (hit_area())
        g.fan {
            rect.felt x=(Tenths(left)) y=(Tenths(top)) width=(wide) height=(high) rx="10" {}
            @for (index, unit) in units.iter().rev().enumerate() {
                (target(rules, s, *unit, zone, orders, here, Some(Point::new(
                    left + 5.0 + ((index % columns) as f64 + 0.5) * FAN_STEP,
                    top + 5.0 + ((index / columns) as f64 + 0.5) * FAN_STEP,
                ))))
            }
            @for (at, (chain, title)) in groups.iter().enumerate() {
                g.whole.item.lit role="button" tabindex="0" data-choice=(chain) aria-label={"Activate: " (title)}
                    transform={"translate(" (Tenths(left + wide / 2.0)) " " (Tenths(top + counters + (at as f64 + 0.5) * BAR - 4.0)) ")"} {
                    rect.plate x=(Tenths(8.0 - wide / 2.0)) y="-13" width=(Tenths(wide - 16.0)) height="26" rx="6" {}
                    text y="5" textLength=[(title.chars().count() as f64 * 7.5 > wide - 24.0).then(|| Tenths(wide - 24.0))] lengthAdjust="spacingAndGlyphs" { (title) }
                }
            }
        }
    }
}

/// The line and the wedge at the front of a stack; lit where it may turn. Rule 4.2.
fn front(rules: &Rules, s: &State, zone: Cell, key: &str, asked: &Asked<'_, Choice>) -> Markup {
    let Some(side) = rules.owner(s, zone).filter(|_| !rules.lay(zone).water) else {
        return html! { g id=(key) {} };
    };
    let at = corner(rules.scenario.grid, zone);
    let facing = s.zones[usize::from(zone)].facing;
    let turns = asked.names(|choice| choice == Choice::Turn(zone));
    let quarter = facing.index() / 2 * 90;
    let (line, wedge) = if facing.is_diagonal() {
        ("M40 5H95V60", "M98 2V22L78 2Z")
    } else {
        ("M5 16L11 5H89L95 16", "M50 0L62 11H38Z")
    };
    html! {
        g id=(key) .front.(nation(&rules.scenario, side)).lit[turns.is_some()]
            transform={"translate(" (at.x) " " (at.y) ")" @if quarter > 0 { " rotate(" (quarter) " 50 50)" }}
            role=[turns.is_some().then_some("button")] tabindex=[turns.is_some().then_some("0")]
            aria-label=[turns.is_some().then(|| format!("Turn the stack in {}, which faces {}", rules.scenario.zone_title(zone), facing.name()))]
            data-choice=[turns] {
            path.front-line d=(line) {}
            path.wedge d=(wedge) {}
        }
    }
}

/// What a stack holds, shown while it is pointed at: its zone of control.
fn reach(rules: &Rules, s: &State, zone: Cell) -> Markup {
    html! { @if rules.projects(s, zone) { path.reach.zoc d=(control(rules, s, zone)) {} } }
}

/// The zones that a gun reaches, as far as the map goes, shown while it is pointed at.
fn range(rules: &Rules, zone: Cell, reach: u8, at: Option<Point>) -> Markup {
    let grid = rules.scenario.grid;
    let (column, row) = (grid.column(zone), grid.row(zone));
    let side = |at: u8, most: u8| {
        let (low, high) = (at.saturating_sub(reach).max(1), (at + reach).min(most));
        ((f64::from(low) - f64::from(at)) * ZONE, (f64::from(high) - f64::from(low) + 1.0) * ZONE)
    };
    let ((x, wide), (y, high)) = (side(column, grid.cols()), side(row, grid.rows()));
    let off = at.unwrap_or(Point::new(0.0, 0.0));
    html! { rect.gun-range x=(Tenths(x - off.x + 2.0)) y=(Tenths(y - off.y + 2.0)) width=(wide - 4.0) height=(high - 4.0) rx="10" {} }
}

/// The zones that a stack controls, as a path from its own corner. Rule 4.4.
fn control(rules: &Rules, s: &State, zone: Cell) -> String {
    let facing = s.zones[usize::from(zone)].facing;
    let mut path = String::new();
    for way in facing.front() {
        let near = rules.near(zone, way);
        if near == NOWHERE || rules.is_unbridged(s, zone, way) {
            continue;
        }
        let lay = rules.lay(near);
        if lay.impassable || lay.water {
            continue;
        }
        let (dx, dy) = way.step();
        path.push_str(&format!("M{} {}h94v94h-94z", i32::from(dx) * 100 + 3, i32::from(dy) * 100 + 3));
    }
    path
}

/// The way that a stack looks, in words.
pub fn facing_words(way: Octant) -> &'static str {
    ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"][way.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_of_a_pile_lies_low_and_left() {
        let middle = Point::new(50.0, 50.0);
        let [low, top] = [0, 1].map(|at| pile(middle, at, 2));
        assert!(top.x < low.x && top.y > low.y);
        assert_eq!(pile(middle, 0, 1), Point::new(50.0, 50.0 - LIFT));
        for count in 1..9 {
            for at in 0..count {
                let point = pile(middle, at, count);
                assert!((point.x - 50.0).abs() <= 8.0 + 1e-9 && (point.y - 46.0).abs() <= 8.0 + 1e-9);
            }
        }
    }
}
