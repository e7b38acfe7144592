//! Where on the map an event happened.

use dday::{Fate, GameEvent, Rules, Units};
use terrain::Cell;

use web::Trace;

use super::frame::{Point, ZONE, corner};

/// The places of an event.
pub fn of(rules: &Rules, event: &GameEvent) -> Trace {
    let zone = |zone: Cell| zone_anchor(rules, zone);
    let unit = |unit: u8| unit_anchor(rules, unit);
    match *event {
        GameEvent::Returned { zone: at, .. }
        | GameEvent::Arrived { zone: at, .. }
        | GameEvent::Faced { zone: at, .. }
        | GameEvent::PassedThrough { zone: at, .. }
        | GameEvent::Holds { zone: at }
        | GameEvent::Repulsed { zone: at }
        | GameEvent::PositionGone { zone: at }
        | GameEvent::Activated { zone: at, .. } => Trace::at(zone(at)),
        GameEvent::Worked { job, .. } | GameEvent::BridgeBegun { job } => Trace::at(zone(job.zone)),
        GameEvent::Demolition { bridge, .. } | GameEvent::Spared { bridge } => {
            let bridge = &rules.scenario.bridges[usize::from(bridge)];
            Trace { at: vec![zone(bridge.from), zone(bridge.to)], ..Trace::default() }
        }
        GameEvent::Taken { key, .. } => Trace::at(zone(rules.scenario.keys[usize::from(key)].zone)),
        GameEvent::Moved { to, .. } | GameEvent::Advanced { to, .. } => {
            Trace { to: Some(zone(to)), ..Trace::default() }
        }
        GameEvent::Retreated { from, to, .. } => Trace::way(zone(from), zone(to)),
        GameEvent::Assaulted { from, to, .. } => Trace::way(zone(from), zone(to)).in_combat(),
        GameEvent::Shelled { gun, target, .. } => {
            let at = [Some(target), Some(gun).filter(|gun| *gun != dday::NOBODY)];
            Trace { at: at.into_iter().flatten().map(unit).collect(), ..Trace::default() }.in_combat()
        }
        GameEvent::Strike { target, .. } => Trace::at(unit(target)).in_combat(),
        GameEvent::Saved { unit: of, .. } => Trace::at(unit(of)).in_combat(),
        GameEvent::Held { unit: of, .. }
        | GameEvent::Adrift { unit: of, .. }
        | GameEvent::Airdrop { unit: of, .. }
        | GameEvent::Recovery { hq: of, .. } => Trace::at(unit(of)),
        GameEvent::Gone { unit: of, fate: Fate::Shattered | Fate::Lost, .. } => {
            Trace { lost: Some(unit(of)), ..Trace::at(unit(of)) }
        }
        GameEvent::Stood { group, .. } | GameEvent::Unsupplied { units: group } => units(rules, group),
        _ => Trace::default(),
    }
}

fn units(rules: &Rules, units: Units) -> Trace {
    Trace { at: units.into_iter().map(|unit| unit_anchor(rules, unit)).collect(), ..Trace::default() }
}

/// A battalion's counter.
fn unit_anchor(rules: &Rules, unit: u8) -> String {
    format!("u-{}", rules.scenario.papers[usize::from(unit)].id)
}

/// A zone of the map.
pub fn zone_anchor(rules: &Rules, zone: Cell) -> String {
    let Point { x, y } = corner(rules.scenario.grid, zone);
    format!("map:{x:.0},{y:.0},{ZONE:.0},{ZONE:.0}")
}
