//! A finished game in figures.

use triumph::{Faction, GameEvent, Power};

use crate::words::counted;

/// What each Faction did in the years.
pub fn of(events: &[GameEvent]) -> Vec<(String, String)> {
    let count = |is: &dyn Fn(&GameEvent) -> bool| events.iter().filter(|event| is(event)).count();
    Faction::ALL
        .into_iter()
        .map(|faction| {
            let is_own = |power: Option<Power>| power.is_some_and(|power| power.faction() == faction);
            let wars = count(&|event| matches!(event, GameEvent::WarDeclared { by, .. } if *by == faction));
            let violated = count(&|event| matches!(event, GameEvent::Violated { by, .. } if *by == faction));
            let won = count(
                &|event| matches!(event, GameEvent::BattleEnds { winner: Some(winner), .. } if *winner == faction),
            );
            let joined = count(&|event| matches!(event, GameEvent::Joined { faction: to, .. } if *to == faction));
            let lost = count(&|event| matches!(event, GameEvent::Lost { unit, .. } if is_own(unit.power)));
            let words = format!(
                "{} declared, {} violated; {} won, {} lost; {} joined",
                counted(wars, "war"),
                counted(violated, "Neutral"),
                counted(won, "battle"),
                counted(lost, "unit"),
                counted(joined, "nation"),
            );
            (faction.title().to_owned(), words)
        })
        .collect()
}
