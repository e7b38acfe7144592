//! A finished game in figures.

use echoes::GameEvent;
use echoes::ids::Side;

/// How the attacks of both sides went, and what the Tide of War was used for.
pub fn of(events: &[GameEvent]) -> Vec<(String, String)> {
    let count = |is: &dyn Fn(&GameEvent) -> bool| events.iter().filter(|event| is(event)).count();
    let mut facts = Vec::new();
    for (side, title) in [(Side::Allies, "Allied attacks"), (Side::Axis, "Axis attacks")] {
        let made = count(
            &|event| matches!(event, GameEvent::AttackRolled(roll) if roll.side == side && !roll.reroll),
        );
        let taken = count(&|event| matches!(event, GameEvent::Captured { side: by, .. } if *by == side));
        if made > 0 {
            facts.push((title.to_owned(), format!("{taken} of {made} succeeded")));
        }
    }
    let conflicts = count(&|event| matches!(event, GameEvent::ConflictRolled { .. }));
    let tides = count(&|event| matches!(event, GameEvent::TowShifted { .. } | GameEvent::TowReroll { .. }));
    facts.push(("Major Conflicts".to_owned(), conflicts.to_string()));
    facts.push(("Tide of War used".to_owned(), tides.to_string()));
    facts
}
