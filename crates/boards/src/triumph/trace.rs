//! Where on the map an event happened.

use triumph::{Faction, GameEvent, NONE, Rules};
use web::Trace;

use super::atlas;

/// Half the side of the box around the first blocks of an area.
const BOX: f64 = 24.0;
/// Half of what a phone shows around a capital.
const HOME: [f64; 2] = [240.0, 170.0];

/// An area of the map: the place where its first blocks stand, since the whole of it may be half an ocean.
pub fn area_anchor(area: u8) -> String {
    match atlas::place(area).and_then(|place| place.slots.first()) {
        Some([x, y]) => format!("map:{:.0},{:.0},{:.0},{:.0}", x - BOX, y - BOX, 2.0 * BOX, 2.0 * BOX),
        None => format!("area-{}", atlas::id(area)),
    }
}

/// The land around the capital of a Faction: where a phone opens the map.
pub fn home_anchor(rules: &Rules, faction: Faction) -> Option<String> {
    let place = atlas::place(rules.atlas().factions[faction.index()].main_capital)?;
    let [x, y] = place.centre;
    Some(format!("map:{:.0},{:.0},{:.0},{:.0}", x - HOME[0], y - HOME[1], 2.0 * HOME[0], 2.0 * HOME[1]))
}

/// The place of a nation: its capital.
fn nation_anchor(rules: &Rules, nation: u8) -> Option<String> {
    let info = rules.atlas().nation(nation);
    let area = if info.capital == NONE { info.areas.first() } else { Some(info.capital) };
    area.map(area_anchor)
}

fn at_nation(rules: &Rules, nation: u8) -> Trace {
    nation_anchor(rules, nation).map(Trace::at).unwrap_or_default()
}

/// The places of an event.
pub fn of(rules: &Rules, event: &GameEvent) -> Trace {
    match *event {
        GameEvent::Placed { area, .. }
        | GameEvent::Built { area, .. }
        | GameEvent::Surfaced { area, .. }
        | GameEvent::UnitsSeen { area, .. }
        | GameEvent::EscapesAway { area, .. }
        | GameEvent::Unsupplied { area, .. }
        | GameEvent::BattleDeclared { area, .. }
        | GameEvent::BattleAvoided { area, .. } => Trace::at(area_anchor(area)),
        GameEvent::BattleBegins { area, .. }
        | GameEvent::Shown { area, .. }
        | GameEvent::BattleEnds { area, .. }
        | GameEvent::Hit { area, .. } => Trace::at(area_anchor(area)).in_combat(),
        GameEvent::Lost { area, .. } => Trace::at(area_anchor(area)),
        GameEvent::DiplomacyPlayed { nation, .. }
        | GameEvent::WildPlayed { nation, .. }
        | GameEvent::Influence { nation, .. }
        | GameEvent::Coup { nation, .. }
        | GameEvent::Repudiated { nation, .. }
        | GameEvent::Joined { nation, .. }
        | GameEvent::Violated { nation, .. }
        | GameEvent::Armed { nation }
        | GameEvent::Intervened { nation, .. }
        | GameEvent::ProtectorStands { nation, .. }
        | GameEvent::ProtectorGivesUp { nation, .. }
        | GameEvent::Captured { nation, .. }
        | GameEvent::ColonyTaken { nation, .. }
        | GameEvent::ColonyArmed { nation } => at_nation(rules, nation),
        GameEvent::UsaJoins => at_nation(rules, rules.atlas().usa),
        GameEvent::Moved { from, to, .. }
        | GameEvent::Retreats { from, to, .. }
        | GameEvent::Rebases { from, to, .. } => Trace::way(area_anchor(from), area_anchor(to)),
        GameEvent::Bombed { faction, .. } => {
            Trace::at(area_anchor(rules.atlas().factions[faction.index()].main_capital)).in_combat()
        }
        _ => Trace::default(),
    }
}
