//! A finished game in figures.

use dday::{Fate, GameEvent, Rules, Side};

use crate::words::counted;

/// How the fights went, and what both sides lost.
pub fn of(rules: &Rules, events: &[GameEvent]) -> Vec<(String, String)> {
    let count = |is: &dyn Fn(&GameEvent) -> bool| events.iter().filter(|event| is(event)).count();
    let mut facts = Vec::new();
    for side in Side::ALL {
        let is_own = |unit: u8| rules.troop(unit).side == side;
        let assaults = count(&|event| matches!(event, GameEvent::Assaulted { lead, .. } if is_own(*lead)));
        let hits = count(
            &|event| matches!(event, GameEvent::Assaulted { lead, need, die, .. } if is_own(*lead) && die <= need),
        );
        let taken = count(&|event| matches!(event, GameEvent::Taken { by, .. } if *by == side));
        let gone = |fate: Fate| {
            count(
                &|event| matches!(event, GameEvent::Gone { unit, fate: how, .. } if is_own(*unit) && *how == fate),
            )
        };
        let (shattered, lost) = (gone(Fate::Shattered), gone(Fate::Lost));
        let words = format!(
            "{}, {}; {} taken; {} shattered, {lost} lost",
            counted(assaults, "assault"),
            counted(hits, "hit"),
            counted(taken, "place"),
            counted(shattered, "battalion"),
        );
        facts.push((rules.side_name(side).to_owned(), words));
    }
    facts
}
