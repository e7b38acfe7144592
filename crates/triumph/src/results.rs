//! The results of a match: who won, and how. Rule 16, ruling R18.

use crate::factions::Faction;
use crate::state::Verdict;
use kernel::Outcome;

/// The ways to win, in the order of results.
pub(crate) const WAYS: [(&str, &str); 4] = [
    ("economic", "economic victory"),
    ("military", "military victory"),
    ("atomic", "atomic victory"),
    ("hegemony", "hegemony"),
];

/// Ids of the results by Faction and way.
pub(crate) const WORDS: [[&str; 4]; 3] = [
    ["axis_economic", "axis_military", "axis_atomic", "axis_hegemony"],
    ["west_economic", "west_military", "west_atomic", "west_hegemony"],
    ["ussr_economic", "ussr_military", "ussr_atomic", "ussr_hegemony"],
];

/// Shared victories. Ruling R18.
pub(crate) const SHARED: [(&str, &str, u8); 4] = [
    ("axis_west", "Axis and West share the victory", 0b011),
    ("axis_ussr", "Axis and USSR share the victory", 0b101),
    ("west_ussr", "West and USSR share the victory", 0b110),
    ("all", "All three share the victory", 0b111),
];

/// The place of a verdict among the results.
pub(crate) fn result(verdict: Verdict) -> Outcome {
    let at = |faction: Faction, way: u8| Outcome(faction as u8 * 4 + way);
    match verdict {
        Verdict::Economic(faction) => at(faction, 0),
        Verdict::Military(faction) => at(faction, 1),
        Verdict::Atomic(faction) => at(faction, 2),
        Verdict::Hegemony(faction) => at(faction, 3),
        Verdict::Shared(parties) => {
            let shared = SHARED.iter().position(|(_, _, mask)| *mask == parties.0).unwrap_or(3);
            Outcome(12 + shared as u8)
        }
    }
}
