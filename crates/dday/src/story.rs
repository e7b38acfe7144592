//! The log lines: one for every event.

use kernel::LogLine;

use crate::game_event::{Fate, GameEvent};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::Task;
use crate::words::{job_place, markers, or_less};

/// A season's number in the words of the night die.
const SEASON: &str = "for the season";

impl Rules {
    /// An event as text.
    pub fn log_line(&self, event: &GameEvent) -> LogLine {
        let (text, rule) = self.story(event);
        let aside = matches!(
            event,
            GameEvent::Reckoning { .. }
                | GameEvent::Faced { .. }
                | GameEvent::Kept { .. }
                | GameEvent::PlayerTurn { .. }
        );
        LogLine { text, rule, aside }
    }

    fn story(&self, event: &GameEvent) -> (String, &'static str) {
        let side = |side: Side| self.side_name(side);
        let unit = |unit: u8| self.unit_name(unit);
        let rolled = |die: u8, need: u8| match need {
            0 => format!("rolled {die}, no roll was low enough"),
            _ => format!("rolled {die}, needed {}", or_less(need)),
        };
        match *event {
            GameEvent::TurnBegins { turn, hour } => (format!("Turn {turn}, {}", Self::hour(hour)), "5.1"),
            GameEvent::Initiative { dice, markers, low } => {
                let score = |at: usize| format!("{} {}+{}", side(Side::of(at)), dice[at], markers[at]);
                let end = low.map_or_else(
                    || "tied, both roll again".to_owned(),
                    |low| format!("{} chooses", side(low)),
                );
                (format!("Initiative: {}, {}: {end}", score(0), score(1)), "7.1")
            }
            GameEvent::FirstPlayer { side: first, fixed: true } => {
                (format!("{} moves first, as the scenario says", side(first)), "7.1")
            }
            GameEvent::FirstPlayer { side: first, .. } => (format!("{} moves first", side(first)), "7.1"),
            GameEvent::Support { side: who, air, die, gained } => {
                let kind = if air { "aircraft" } else { "artillery" };
                let end = if gained { "gets one" } else { "gets none" };
                (format!("{} calls for {kind}: {die}, {end}", side(who)), "8.1")
            }
            GameEvent::Bombardment { side: who, count } => {
                (format!("Opening bombardment: {} has {count} artillery", side(who)), "16.6")
            }
            GameEvent::PlayerTurn { side: who } => (format!("{} to move", side(who)), "5.1"),
            GameEvent::Recovery { hq, die, need, back } => {
                let end = if back { "sets up again" } else { "stays scattered" };
                (format!("{} {end}: {}", unit(hq), rolled(die, need)), "9.6")
            }
            GameEvent::Rally { unit: who, die, need, back } => {
                let end = if back { "rallies" } else { "does not rally" };
                (format!("{} {end}: {}", unit(who), rolled(die, need)), "9.1")
            }
            GameEvent::RallyVoice { die, side: who } => {
                (format!("{die}: {} picks the battalion", side(who)), "19.2")
            }
            GameEvent::Returned { unit: who, zone } => {
                (format!("{} is back in {}", unit(who), self.zone(zone)), "9.2")
            }
            GameEvent::Arrived { unit: who, zone } => {
                (format!("{} arrives in {}", unit(who), self.zone(zone)), "16.5")
            }
            GameEvent::Activated { group, zone, die, shift, result } => {
                let sum = if shift > 0 { format!("{die}+{shift}") } else { die.to_string() };
                (
                    format!("{} in {}: {sum}, {}", self.group_name(group), self.zone(zone), result.title()),
                    "10.2",
                )
            }
            GameEvent::Stood { group, markers: count } => {
                (format!("{} does not fall back: {}", self.group_name(group), markers(count)), "10.3")
            }
            GameEvent::Moved { group, to, road } => {
                let by = if road { " by road" } else { "" };
                (
                    format!("{} to {}{by}", self.group_name(group), self.zone(to)),
                    if road { "10.7" } else { "10.5" },
                )
            }
            GameEvent::Faced { zone, way } => (format!("{} faces {}", self.zone(zone), way.name()), "4.2"),
            GameEvent::Demolition { bridge, die, blown } => {
                let name = &self.scenario.bridges[usize::from(bridge)].name;
                let end = if blown { "is blown up" } else { "still stands; the charges are used up" };
                (format!("{name} {end}: rolled {die}, needed 4 or less"), "14.6")
            }
            GameEvent::Spared { bridge } => {
                (format!("{} is not blown", self.scenario.bridges[usize::from(bridge)].name), "14.6")
            }
            GameEvent::Worked { job, die, need, done } => {
                let end = match (done, job.task) {
                    (true, Task::Bridge) => "one success",
                    (true, _) => "done",
                    (false, _) => "failed",
                };
                let (task, place) = (job.task.words(), self.zone(job.zone));
                (
                    format!(
                        "{}: {task} {} {place}, {end}: {}",
                        unit(job.unit),
                        job_place(job),
                        rolled(die, need)
                    ),
                    "14.1",
                )
            }
            GameEvent::BridgeBegun { .. } => {
                ("The bridge is half built; it needs a second success".to_owned(), "14.1")
            }
            GameEvent::Strike { side: who, target, die } => {
                let end = match die {
                    1..=5 => "it must save",
                    10 => "driven off",
                    _ => "no effect",
                };
                (format!("Aircraft of {} strike {}: {die}, {end}", side(who), unit(target)), "11.9")
            }
            GameEvent::AircraftLost { side: who } => {
                (format!("The aircraft of {} is shot down", side(who)), "11.9")
            }
            GameEvent::Reckoning { what, sum } => {
                (format!("{what}: {}", sum.words()), if what == "hit" { "12.5" } else { "12.6" })
            }
            GameEvent::Shelled { gun, target, need, die } => {
                let end = if die <= need { "hit" } else { "miss" };
                (format!("{} shells {}: {}: {end}", unit(gun), unit(target), rolled(die, need)), "11.5")
            }
            GameEvent::Assaulted { lead, defender, from, to, need, die, night } => {
                let verb = if night { "raids" } else { "assaults" };
                let end = if die <= need { "hit" } else { "miss" };
                let (from, to) = (self.zone(from), self.zone(to));
                (
                    format!(
                        "{} {verb} {} ({from} to {to}): {}: {end}",
                        unit(lead),
                        unit(defender),
                        rolled(die, need)
                    ),
                    "12.5",
                )
            }
            GameEvent::Saved { unit: who, need, die } => {
                let end = if die <= need { "holds firm" } else { "gives way" };
                (format!("{} {end}: {}", unit(who), rolled(die, need)), "12.6")
            }
            GameEvent::Held { unit: who, markers: count } => {
                (format!("{} holds: {}", unit(who), markers(count)), "11.6")
            }
            GameEvent::Retreated { unit: who, to, .. } => {
                (format!("{} retreats to {}", unit(who), self.zone(to)), "13.1")
            }
            GameEvent::Adrift { unit: who, markers: count } => {
                (format!("{} can't fall back at sea: {}", unit(who), markers(count)), "12.7")
            }
            GameEvent::PassedThrough { unit: who, zone } => {
                (format!("{} finds {} full and moves on", unit(who), self.zone(zone)), "13.3")
            }
            GameEvent::Gone { unit: who, fate, markers: count } => {
                let fate = match fate {
                    Fate::Shattered => "is shattered",
                    Fate::Lost => "is lost",
                };
                (format!("{} {fate}: {}", unit(who), markers(count)), "16.1")
            }
            GameEvent::Holds { zone } => (format!("The attackers hold in {}", self.zone(zone)), "12.7"),
            GameEvent::Repulsed { zone } => {
                (format!("The assault from {} is repulsed", self.zone(zone)), "12.7")
            }
            GameEvent::Breakthrough => ("Breakthrough!".to_owned(), "13.4"),
            GameEvent::Advanced { unit: who, to } => {
                (format!("{} advances to {}", unit(who), self.zone(to)), "13.4")
            }
            GameEvent::Taken { key, by, markers: count } => {
                let name = &self.scenario.keys[usize::from(key)].name;
                (format!("{} takes {name}: {} for {}", side(by), markers(count), side(by.enemy())), "16.3")
            }
            GameEvent::PositionGone { zone } => {
                (format!("The position in {} is overrun", self.zone(zone)), "2.8")
            }
            GameEvent::Unsupplied { units } => {
                (format!("Without supply: {}", self.group_name(units)), "15.2")
            }
            GameEvent::Airdrop { unit: who, die, landed } => {
                let end = if landed { "is supplied from the air" } else { "gets nothing" };
                (format!("{} {end}: rolled {die}, needed 5 or less", unit(who)), "15.4")
            }
            GameEvent::NightDie { hour, die, season, falls } => {
                let season = if season > 0 { format!(" + {season} {SEASON}") } else { String::new() };
                let end = if falls { "night falls" } else { "the day goes on" };
                (format!("{hour} o'clock + {die}{season}: {end}"), "18.1")
            }
            GameEvent::NightFalls => ("Night".to_owned(), "18.2"),
            GameEvent::Dawn => ("Dawn".to_owned(), "18.2"),
            GameEvent::Kept { side: who, die } => (format!("{} keeps the {die}", side(who)), "19.1"),
            GameEvent::Rerolled { side: who, die } => {
                (format!("{} rolls the {die} again", side(who)), "19.1")
            }
            GameEvent::Broken { side: who, tally } => {
                (format!("The army of {} breaks at {tally} markers", side(who)), "16.2")
            }
            GameEvent::Over { verdict, vp } => (format!("{} ({vp} VP)", self.verdict_title(verdict)), "16.4"),
        }
    }
}
