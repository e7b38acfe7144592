//! A finished game in figures.

use surrender::{CombatResult, Faction, GameEvent, Loss, Rules, Side, UnitId};

use crate::words::counted;

/// How the combats went, what was taken and what was lost.
pub fn of(rules: &Rules, events: &[GameEvent]) -> Vec<(String, String)> {
    let count = |is: &dyn Fn(&GameEvent) -> bool| events.iter().filter(|event| is(event)).count();
    let mut facts = Vec::new();
    for faction in rules.scenario().factions.iter().copied() {
        let is_own = |unit: UnitId| side_at_start(rules, unit) == faction.side();
        let attacks = count(&|event| matches!(event, GameEvent::Fought(unit, ..) if is_own(*unit)));
        let won = count(
            &|event| matches!(event, GameEvent::Fought(unit, .., result) if is_own(*unit) && *result > CombatResult::NoEffect),
        );
        let taken = count(&|event| matches!(event, GameEvent::Captured(_, _, to) if *to == faction.side()));
        let lost = count(
            &|event| matches!(event, GameEvent::Lost(unit, how) if is_own(*unit) && *how != Loss::Country),
        );
        let words = format!(
            "{}, {won} won; {} taken; {} lost",
            counted(attacks, "attack"),
            counted(taken, "place"),
            counted(lost, "unit"),
        );
        facts.push((faction.title().to_owned(), words));
    }
    facts
}

/// The side that a unit's country begins on.
fn side_at_start(rules: &Rules, unit: UnitId) -> Side {
    let country = rules.info(unit).country;
    rules.scenario().active[country.index()].map_or(Side::Nobody, Faction::side)
}
