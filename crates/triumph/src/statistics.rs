//! What the lab counts over a batch of games, and plots over the turns of one. Section 23 of the specification.

use crate::factions::{Faction, Power};
use crate::game_event::{Command, GameEvent};
use crate::rules::Rules;
use crate::state::{State, Verdict};
use crate::world::Atlas;

/// The names of the counters, in their order.
const COUNTERS: [&str; 41] = [
    "War: Axis on West",
    "War: Axis on USSR",
    "War: West on Axis",
    "War: West on USSR",
    "War: USSR on Axis",
    "War: USSR on West",
    "Violation by the Axis",
    "Violation by the West",
    "Violation by the USSR",
    "Satellite of the Axis",
    "Satellite of the West",
    "Satellite of the USSR",
    "Nation captured by the Axis",
    "Nation captured by the West",
    "Nation captured by the USSR",
    "France defeated",
    "Italy defeated",
    "USA defeated",
    "USA joins",
    "Land battle",
    "Sea battle",
    "Player turn of the Axis",
    "Player turn of the West",
    "Player turn of the USSR",
    "Emergency turn",
    "Bluff",
    "Invasion",
    "Area without supply",
    "Diplomacy card played",
    "Pair of cards cancelled",
    "WildCard played",
    "Factory built",
    "Technology shown",
    "Technology vaulted",
    "Intelligence card played",
    "Double Agent",
    "Economic victory",
    "Military victory",
    "Atomic victory",
    "Hegemony",
    "Shared victory",
];

/// The counter of a declaration of war.
const fn pair(by: Faction, on: Faction) -> usize {
    match (by, on) {
        (Faction::Axis, Faction::Ussr) => 1,
        (Faction::Axis, _) => 0,
        (Faction::West, Faction::Ussr) => 3,
        (Faction::West, _) => 2,
        (Faction::Ussr, Faction::West) => 5,
        (Faction::Ussr, _) => 4,
    }
}

/// The names of the counters.
pub fn counters() -> Vec<String> {
    COUNTERS.iter().map(|name| (*name).to_owned()).collect()
}

impl Rules {
    /// The VP of the leader, secrets included.
    pub(crate) fn metric(&self, state: &State) -> i32 {
        let vp = Faction::ALL.map(|faction| i32::from(self.points(state, faction, true).total()));
        vp.into_iter().max().unwrap_or(0)
    }

    /// The counter that an event increases. Of events in two forms, for the owner and for the others, one counts.
    pub(crate) fn counter(&self, event: &GameEvent) -> Option<usize> {
        Some(match *event {
            GameEvent::WarDeclared { by, on } => pair(by, on),
            GameEvent::Violated { by, .. } => 6 + by.index(),
            GameEvent::Joined { faction, .. } => 9 + faction.index(),
            GameEvent::Captured { captor, defeated: false, .. } => 12 + captor.index(),
            GameEvent::Captured { nation, .. } => match self.atlas().nation(nation).power {
                Some(Power::France) => 15,
                Some(Power::Italy) => 16,
                Some(Power::Usa) => 17,
                _ => return None,
            },
            GameEvent::UsaJoins => 18,
            GameEvent::BattleBegins { area, .. } => 19 + usize::from(Atlas::is_sea(area)),
            GameEvent::TurnBegins { faction, emergency: false, .. } => 21 + faction.index(),
            GameEvent::TurnBegins { .. } => 24,
            GameEvent::CommandShown { counts: Command::Bluff, .. } => 25,
            GameEvent::Moved { invades: true, .. } => 26,
            GameEvent::Unsupplied { .. } => 27,
            GameEvent::DiplomacyPlayed { against: None, .. } => 28,
            GameEvent::DiplomacyPlayed { .. } => 29,
            GameEvent::WildPlayed { .. } => 30,
            GameEvent::FactoryBuilt { .. } => 31,
            GameEvent::Revealed { .. } => 32,
            GameEvent::Vaulted { tech: Some(_), .. } => 33,
            GameEvent::SpyPlayed { .. } => 34,
            GameEvent::Turned { .. } => 35,
            GameEvent::Ended { verdict, .. } => match verdict {
                Verdict::Economic(_) => 36,
                Verdict::Military(_) => 37,
                Verdict::Atomic(_) => 38,
                Verdict::Hegemony(_) => 39,
                Verdict::Shared(_) => 40,
            },
            _ => return None,
        })
    }
}
