//! Where on the board an event happened.

use echoes::ids::{Region, Side, Track};
use echoes::{GameEvent, Rules};

use web::Trace;

use super::{action_page, strips, theatre};

/// The places of an event.
pub fn of(rules: &Rules, event: &GameEvent) -> Trace {
    match *event {
        GameEvent::TurnStarted { turn } => Trace::at(strips::turn_key(turn)),
        GameEvent::ChartRolled { die, .. } => Trace::at(format!("chart-{die}")),
        GameEvent::BoxOpened { number, .. } | GameEvent::EventMarked { number } => {
            Trace::at(action_page::box_key(number))
        }
        GameEvent::Advanced { side, region, to } | GameEvent::Captured { side, region, to } => {
            advance(side, region, to)
        }
        GameEvent::AttackRolled(roll) | GameEvent::AttackTurned(roll) => {
            Trace::at(front(roll.region)).in_combat()
        }
        GameEvent::AdvanceBlocked { region, .. }
        | GameEvent::AttackImpossible { region, .. }
        | GameEvent::TowReroll { region, .. } => Trace::at(front(region)),
        GameEvent::Marked { side, track, value } => {
            Trace { at: vec![cell(rules, track, value)], ..shift(rules, track, value - side.sign(), value) }
        }
        GameEvent::MarkIgnored { track, .. } => Trace::at(strips::track_slot(track).1),
        GameEvent::TowShifted { track, value, .. } => shift(rules, track, value - rules.human.sign(), value),
        GameEvent::ConflictRolled { conflict, .. } | GameEvent::ConflictTurned { conflict, .. } => {
            Trace::at(action_page::conflict_key(conflict)).in_combat()
        }
        GameEvent::ConfidenceChecked { .. } | GameEvent::ConfidenceRolled { .. } => Trace::at("vp"),
        GameEvent::TowAllowance { .. } | GameEvent::TideRequested { .. } => Trace::at("tow"),
        GameEvent::BranchRolled { .. }
        | GameEvent::OptionChosen { .. }
        | GameEvent::Passed { .. }
        | GameEvent::GameOver { .. } => Trace::default(),
    }
}

/// A region's marker: where its battles are fought.
fn front(region: Region) -> String {
    format!("marker-{}", region.code())
}

/// A marker that moves one space.
fn advance(side: Side, region: Region, to: u8) -> Trace {
    let from = to.checked_add_signed(-side.sign()).unwrap_or(to);
    let space = |space: u8| theatre::space_key(region, usize::from(space));
    Trace::way(space(from), space(to))
}

/// A modifier track whose marker moves.
fn shift(rules: &Rules, track: Track, from: i8, to: i8) -> Trace {
    Trace::way(cell(rules, track, from), cell(rules, track, to))
}

/// The cell of a value on a modifier track.
fn cell(rules: &Rules, track: Track, value: i8) -> String {
    let (x, wide) = strips::cell(rules, track, value);
    format!("{}:{x:.0},19,{wide:.0},37", strips::track_slot(track).1)
}
