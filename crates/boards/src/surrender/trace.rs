//! Where on the map an event happened.

use surrender::{GameEvent, Place, Rules, UnitId};
use web::Trace;

use super::frame::{Point, centre};

/// The places of an event.
pub fn of(rules: &Rules, event: &GameEvent) -> Trace {
    let at = |place: Place| place_anchor(rules, place).map_or_else(Trace::default, Trace::at);
    let unit = |unit: UnitId| Trace::at(unit_anchor(rules, unit));
    let way = |from: Place, to: Place| Trace {
        from: place_anchor(rules, from),
        to: place_anchor(rules, to),
        ..Trace::default()
    };
    match *event {
        GameEvent::Stepped(_, from, to)
        | GameEvent::Retreated(_, from, to)
        | GameEvent::Displaced(_, from, to)
        | GameEvent::Relocated(_, from, to)
        | GameEvent::Railed(_, from, to)
        | GameEvent::Rebased(_, from, to) => way(from, to),
        // A straight line over all of Europe would say nothing about the way of the ships: both ends are ringed.
        GameEvent::Linked(_, from, to) => Trace {
            at: [from, to].into_iter().filter_map(|end| place_anchor(rules, end)).collect(),
            ..Trace::default()
        },
        GameEvent::Advanced(_, to) | GameEvent::Landed(_, to) | GameEvent::Arrived(_, to) => {
            Trace { to: place_anchor(rules, to), ..Trace::default() }
        }
        GameEvent::Fought(attacker, defender, hex, ..) => Trace {
            at: [
                Some(unit_anchor(rules, attacker)),
                Some(unit_anchor(rules, defender)),
                place_anchor(rules, hex),
            ]
            .into_iter()
            .flatten()
            .collect(),
            ..Trace::default()
        }
        .in_combat(),
        GameEvent::Dueled(_, attacker, defender, ..) => {
            let at = [attacker, defender].map(|unit| unit_anchor(rules, unit)).to_vec();
            Trace { at, ..Trace::default() }.in_combat()
        }
        GameEvent::Lost(of, _) => Trace { lost: Some(unit_anchor(rules, of)), ..unit(of) },
        GameEvent::Activated(of, ..)
        | GameEvent::Reduced(of)
        | GameEvent::Sorties(of, ..)
        | GameEvent::HeldOut(of)
        | GameEvent::Evacuated(of)
        | GameEvent::Supplied(of, ..)
        | GameEvent::Replaced(of, _)
        | GameEvent::Upgraded(_, of)
        | GameEvent::AirCommitted(of)
        | GameEvent::Escorted(of)
        | GameEvent::Intercepted(of, _) => unit(of),
        GameEvent::SetOut(_, of, _, to) => Trace { to: place_anchor(rules, to), ..unit(of) },
        GameEvent::Attack(_, of, _, _, hex) => {
            Trace { from: Some(unit_anchor(rules, of)), to: place_anchor(rules, hex), ..Trace::default() }
        }
        GameEvent::Captured(hex, ..)
        | GameEvent::NoEzoc(hex)
        | GameEvent::Placed(_, hex)
        | GameEvent::Mobilized(_, hex, _)
        | GameEvent::Partisans(_, hex, _)
        | GameEvent::Mulberry(hex)
        | GameEvent::Wall(hex, _) => at(hex),
        GameEvent::Bombed(_, city) | GameEvent::FactoryMoved(city) => at(rules.world.city(city).hex),
        GameEvent::Declared(_, country)
        | GameEvent::Joined(country, _)
        | GameEvent::Conquered(country, _)
        | GameEvent::Liberated(country, _)
        | GameEvent::Crisis(country)
        | GameEvent::Left(country)
        | GameEvent::ProMarker(country, _)
        | GameEvent::Influence(_, country, _)
        | GameEvent::Coup(_, country, _) => {
            let capital = rules.world.country(country).capital.some();
            capital.map_or_else(Trace::default, |city| at(rules.world.city(city).hex))
        }
        _ => Trace::default(),
    }
}

/// A counter.
pub fn unit_anchor(rules: &Rules, unit: UnitId) -> String {
    unit.some().map_or_else(String::new, |unit| format!("u-{}", rules.info(unit).id))
}

/// A hex or a Map Box.
pub fn place_anchor(rules: &Rules, place: Place) -> Option<String> {
    if place.is_box() {
        return Some(format!("box-{}", rules.world.place_name(place)));
    }
    if !place.is_hex() {
        return None;
    }
    centre(rules.world, place).map(|Point { x, y }| format!("map:{:.0},{:.0},20,23", x - 10.0, y - 11.5))
}
