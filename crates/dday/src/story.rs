//! The story in words: every notice as a line of the log.

use kernel::Telling;

use crate::notice::{Fate, Notice};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::Task;
use crate::words::{job_place, markers, or_less};

/// A season's number in the words of the night die.
const SEASON: &str = "for the season";

impl Rules {
    /// A notice in words.
    pub fn telling(&self, notice: &Notice) -> Telling {
        let (text, rule) = self.story(notice);
        let aside = matches!(
            notice,
            Notice::Reckoning { .. } | Notice::Faced { .. } | Notice::Kept { .. } | Notice::PlayerTurn { .. }
        );
        Telling { text, rule, aside }
    }

    fn story(&self, notice: &Notice) -> (String, &'static str) {
        let side = |side: Side| self.side_name(side);
        let unit = |unit: u8| self.unit_name(unit);
        let against = |die: u8, need: u8| format!("{die} against {}", or_less(need));
        match *notice {
            Notice::TurnBegins { turn, hour } => (format!("Turn {turn}, {}", Self::hour(hour)), "5.1"),
            Notice::Initiative { dice, markers, low } => {
                let score = |at: usize| format!("{} {}+{}", side(Side::of(at)), dice[at], markers[at]);
                let end = low.map_or_else(
                    || "a tie, both roll again".to_owned(),
                    |low| format!("{} chooses", side(low)),
                );
                (format!("Initiative: {}, {}: {end}", score(0), score(1)), "7.1")
            }
            Notice::FirstPlayer { side: first, fixed: true } => {
                (format!("{} moves first, as the scenario says", side(first)), "7.1")
            }
            Notice::FirstPlayer { side: first, .. } => (format!("{} moves first", side(first)), "7.1"),
            Notice::Support { side: who, air, die, gained } => {
                let kind = if air { "aircraft" } else { "artillery" };
                let end = if gained { "one more" } else { "none" };
                (format!("{} calls for {kind}: {die}, {end}", side(who)), "8.1")
            }
            Notice::Bombardment { side: who, count } => {
                (format!("Opening bombardment: {} has {count} artillery", side(who)), "16.6")
            }
            Notice::PlayerTurn { side: who } => (format!("{} to move", side(who)), "5.1"),
            Notice::Recovery { hq, die, need, back } => {
                let end = if back { "sets up again" } else { "stays scattered" };
                (format!("{} {end}: {}", unit(hq), against(die, need)), "9.6")
            }
            Notice::Rally { unit: who, die, need, back } => {
                let end = if back { "rallies" } else { "does not rally" };
                (format!("{} {end}: {}", unit(who), against(die, need)), "9.1")
            }
            Notice::RallyVoice { die, side: who } => {
                (format!("{die}: {} picks the battalion", side(who)), "19.2")
            }
            Notice::Returned { unit: who, zone } => {
                (format!("{} is back in {}", unit(who), self.zone(zone)), "9.2")
            }
            Notice::Arrived { unit: who, zone } => {
                (format!("{} arrives in {}", unit(who), self.zone(zone)), "16.5")
            }
            Notice::Activated { group, zone, die, shift, result } => {
                let sum = if shift > 0 { format!("{die}+{shift}") } else { die.to_string() };
                (
                    format!("{} in {}: {sum}, {}", self.group_name(group), self.zone(zone), result.title()),
                    "10.2",
                )
            }
            Notice::Stood { group, markers: count } => {
                (format!("{} does not fall back: {}", self.group_name(group), markers(count)), "10.3")
            }
            Notice::Moved { group, to, road } => {
                let by = if road { " by road" } else { "" };
                (
                    format!("{} to {}{by}", self.group_name(group), self.zone(to)),
                    if road { "10.7" } else { "10.5" },
                )
            }
            Notice::Faced { zone, way } => (format!("{} faces {}", self.zone(zone), way.name()), "4.2"),
            Notice::Demolition { bridge, die, blown } => {
                let name = &self.scenario.bridges[usize::from(bridge)].name;
                let end = if blown { "goes up" } else { "still stands, the charges are gone" };
                (format!("{name} {end}: {die} against 4 or less"), "14.6")
            }
            Notice::Spared { bridge } => {
                (format!("{} is not blown", self.scenario.bridges[usize::from(bridge)].name), "14.6")
            }
            Notice::Worked { job, die, need, done } => {
                let end = match (done, job.task) {
                    (true, Task::Bridge) => "a success",
                    (true, _) => "done",
                    (false, _) => "not yet",
                };
                let (task, place) = (job.task.words(), self.zone(job.zone));
                (
                    format!(
                        "{}: {task} {} {place}, {end}: {}",
                        unit(job.unit),
                        job_place(job),
                        against(die, need)
                    ),
                    "14.1",
                )
            }
            Notice::BridgeBegun { .. } => {
                ("The bridge is half built: it needs a second success".to_owned(), "14.1")
            }
            Notice::Strike { side: who, target, die } => {
                let end = match die {
                    1..=5 => "it must save",
                    10 => "driven off",
                    _ => "no effect",
                };
                (format!("Aircraft of {} strike {}: {die}, {end}", side(who), unit(target)), "11.9")
            }
            Notice::AircraftLost { side: who } => {
                (format!("The aircraft of {} is shot down", side(who)), "11.9")
            }
            Notice::Reckoning { what, sum } => {
                (format!("{what}: {}", sum.words()), if what == "hit" { "12.5" } else { "12.6" })
            }
            Notice::Shelled { gun, target, need, die } => {
                let end = if die <= need { "a hit" } else { "a miss" };
                (format!("{} shells {}: {}, {end}", unit(gun), unit(target), against(die, need)), "11.5")
            }
            Notice::Assaulted { lead, defender, from, to, need, die, night } => {
                let verb = if night { "raids" } else { "assaults" };
                let end = if die <= need { "a hit" } else { "a miss" };
                let (from, to) = (self.zone(from), self.zone(to));
                (
                    format!(
                        "{} {verb} {} ({from} to {to}): {}, {end}",
                        unit(lead),
                        unit(defender),
                        against(die, need)
                    ),
                    "12.5",
                )
            }
            Notice::Saved { unit: who, need, die } => {
                let end = if die <= need { "holds firm" } else { "gives way" };
                (format!("{} {end}: {}", unit(who), against(die, need)), "12.6")
            }
            Notice::Held { unit: who, markers: count } => {
                (format!("{} holds: {}", unit(who), markers(count)), "11.6")
            }
            Notice::Retreated { unit: who, to, .. } => {
                (format!("{} retreats to {}", unit(who), self.zone(to)), "13.1")
            }
            Notice::Adrift { unit: who, markers: count } => {
                (format!("{} can't fall back at sea: {}", unit(who), markers(count)), "12.7")
            }
            Notice::PassedThrough { unit: who, zone } => {
                (format!("{} finds {} full and passes on", unit(who), self.zone(zone)), "13.3")
            }
            Notice::Gone { unit: who, fate, markers: count } => {
                let fate = match fate {
                    Fate::Shattered => "is shattered",
                    Fate::Lost => "is lost",
                };
                (format!("{} {fate}: {}", unit(who), markers(count)), "16.1")
            }
            Notice::Holds { zone } => (format!("The attackers hold in {}", self.zone(zone)), "12.7"),
            Notice::Repulsed { zone } => {
                (format!("The assault from {} is repulsed", self.zone(zone)), "12.7")
            }
            Notice::Breakthrough => ("Breakthrough!".to_owned(), "13.4"),
            Notice::Advanced { unit: who, to } => {
                (format!("{} advances to {}", unit(who), self.zone(to)), "13.4")
            }
            Notice::Taken { key, by, markers: count } => {
                let name = &self.scenario.keys[usize::from(key)].name;
                (format!("{} takes {name}: {} for {}", side(by), markers(count), side(by.enemy())), "16.3")
            }
            Notice::PositionGone { zone } => {
                (format!("The position in {} is overrun", self.zone(zone)), "2.8")
            }
            Notice::Unsupplied { units } => (format!("Without supply: {}", self.group_name(units)), "15.2"),
            Notice::Airdrop { unit: who, die, landed } => {
                let end = if landed { "is supplied from the air" } else { "gets nothing" };
                (format!("{} {end}: {die} against 5 or less", unit(who)), "15.4")
            }
            Notice::NightDie { hour, die, season, falls } => {
                let season = if season > 0 { format!(" + {season} {SEASON}") } else { String::new() };
                let end = if falls { "night falls" } else { "the day goes on" };
                (format!("{hour} o'clock + {die}{season}: {end}"), "18.1")
            }
            Notice::NightFalls => ("Night".to_owned(), "18.2"),
            Notice::Dawn => ("Dawn".to_owned(), "18.2"),
            Notice::Kept { side: who, die } => (format!("{} keeps the {die}", side(who)), "19.1"),
            Notice::Rerolled { side: who, die } => (format!("{} rolls the {die} again", side(who)), "19.1"),
            Notice::Broken { side: who, tally } => {
                (format!("The army of {} breaks at {tally} markers", side(who)), "16.2")
            }
            Notice::Over { verdict, vp } => (format!("{} ({vp} VP)", self.verdict_title(verdict)), "16.4"),
        }
    }
}
