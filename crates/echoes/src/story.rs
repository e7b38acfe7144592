//! The log: what happened, in sentences.

use std::fmt::Write as _;

use kernel::LogLine;

use crate::book::{ChartEntry, Verdict};
use crate::game_event::{AttackRoll, GameEvent};
use crate::ids::{Conflict, Side};
use crate::rules::Rules;
use crate::words::plural;

impl Rules {
    /// The log line for an event.
    pub fn log_line(&self, game_event: &GameEvent) -> LogLine {
        let (text, rule) = self.story(game_event);
        LogLine { text, rule, aside: false }
    }

    fn story(&self, game_event: &GameEvent) -> (String, &'static str) {
        match *game_event {
            GameEvent::TurnStarted { turn } => (format!("Turn {turn}, {}", self.year(turn)), "4.0"),
            GameEvent::ChartRolled { die, entry } => {
                let leads = match entry {
                    ChartEntry::Table(table) => {
                        format!("table {}, {}", table + 1, self.book.tables[usize::from(table)].name)
                    }
                    ChartEntry::Major(conflict) => format!("Major Conflict {conflict}"),
                };
                (format!("Die Roll Chart: {die}, {leads}"), "3.1")
            }
            GameEvent::BoxOpened { die, number, event, marked, year } => {
                let which = match self.part_played(number, event, marked, year) {
                    part if part.is_empty() => part,
                    part => format!(": {part}"),
                };
                let (title, words) = (self.box_title(number), self.box_words(number, event));
                (format!("Box {die}: {title}{which}. {words}"), "3.3.1")
            }
            GameEvent::Advanced { side, region, to } => {
                let advance = side.verb("advance", "advances");
                (format!("{side} {advance} on {region} to {}", self.space_words(region, to)), "3.3.3")
            }
            GameEvent::AdvanceBlocked { side, region, capital } => {
                let why = if capital { "the next space is a capital" } else { "the track ends here" };
                (format!("{side} can't advance on {region}: {why}"), "3.3.3")
            }
            GameEvent::AttackRolled(roll) => (attack_sentence(&roll), "2.3.3"),
            GameEvent::AttackTurned(roll) => {
                let success = if roll.wins() { "success" } else { "failure" };
                (
                    format!(
                        "The attack on {} is now {}, needs {}: {success}.",
                        roll.region,
                        roll.total(),
                        roll.need
                    ),
                    "2.5.5",
                )
            }
            GameEvent::Captured { region, to, .. } => {
                (format!("{region} moves to {}", self.space_words(region, to)), "2.4")
            }
            GameEvent::AttackImpossible { side, region, twice } => {
                if twice {
                    (
                        format!(
                            "{side} {} attacked {region} twice this turn: no roll",
                            side.verb("have", "has")
                        ),
                        "3.3.4",
                    )
                } else {
                    (format!("{side} can't attack {region}: the track ends here, no roll"), "2.3.3")
                }
            }
            GameEvent::Marked { side, track, value } => (
                format!("{side} {} {track}: {}", side.verb("mark", "marks"), self.track_words(track, value)),
                "2.2",
            ),
            GameEvent::MarkIgnored { side, track } => (
                format!("{side} {} {track}: ignored, the track is at its limit", side.verb("mark", "marks")),
                "2.2",
            ),
            GameEvent::TowShifted { region, track, value, left } => (
                format!(
                    "Tide of War, box {region}: {track} shifts to {} ({left} left)",
                    self.track_words(track, value)
                ),
                "2.5",
            ),
            GameEvent::TowReroll { region, side, left } => (
                format!(
                    "Tide of War, box {region}: the {side} {} again ({left} left)",
                    side.verb("roll", "rolls")
                ),
                "2.5.5",
            ),
            GameEvent::TowAllowance { left } => (format!("Tide of War: {left} left"), "2.5.1"),
            GameEvent::ConflictRolled { conflict, allies, axis, lead } => {
                (self.conflict_sentence(conflict, allies, axis, lead), "3.4.1")
            }
            GameEvent::ConflictTurned { conflict, allies, axis, lead } => {
                (self.conflict_sentence(conflict, allies, axis, lead), "2.5.5")
            }
            GameEvent::TideRequested { until } => {
                (format!("You are asked about the Tide of War until the end of turn {until}"), "2.5.8")
            }
            GameEvent::BranchRolled { die } => (format!("Roll 1d6: {die}"), "7.3"),
            GameEvent::OptionChosen { number } => (format!("Option {number} chosen"), "7.3"),
            GameEvent::Passed { left } => {
                (format!("{} {}, {left} left unused", self.human, self.human.verb("pass", "passes")), "3.3.4")
            }
            GameEvent::EventMarked { number } => {
                (format!("The event square of {} is marked", self.box_title(number)), "3.3.1")
            }
            GameEvent::ConfidenceChecked { vp, points, roll } => {
                let so = if roll { "a roll is needed" } else { "no roll is needed" };
                (format!("Confidence Chart: {vp} VP, limit {points}: {so}"), "3.5")
            }
            GameEvent::ConfidenceRolled { die, lost } => {
                let so = if lost { "confidence fails" } else { "the war continues" };
                (format!("Confidence roll: {die}, {so}"), "3.5")
            }
            GameEvent::GameOver { verdict, vp } => {
                let rule = match verdict {
                    Verdict::AlliedImmediate | Verdict::AxisImmediate => "5.1",
                    Verdict::ConfidenceFailure => "3.5",
                    _ => "5.2",
                };
                (format!("{} at {vp} VP", verdict.title()), rule)
            }
        }
    }

    pub(crate) fn conflict_sentence(
        &self,
        conflict: Conflict,
        allies: u8,
        axis: u8,
        lead: Option<Side>,
    ) -> String {
        let with_lead = |side: Side, die: u8| {
            if lead == Some(side) {
                format!("{side} {die} +1 = {}", die + 1)
            } else {
                format!("{side} {die}")
            }
        };
        format!(
            "Major Conflict {conflict}: {}, {}: {}",
            with_lead(Side::Allies, allies),
            with_lead(Side::Axis, axis),
            self.conflict_consequence(lead, allies, axis)
        )
    }

    pub(crate) fn conflict_consequence(&self, lead: Option<Side>, allies: u8, axis: u8) -> String {
        let result = self.conflict_result(lead, allies, axis);
        match result.winner {
            None => "a draw".to_owned(),
            Some(side) => {
                let advance = side.verb("advance", "advances");
                format!("the {side} {advance} in {} region{}", result.regions, plural(result.regions))
            }
        }
    }
}

/// "Axis attack EF: 4 +1 (EMT) = 5, needs 5: success."
fn attack_sentence(roll: &AttackRoll) -> String {
    let attack = roll.side.verb("attack", "attacks");
    let mut text = format!("{} {attack} {}: {}", roll.side, roll.region, roll.die);
    let plain = roll.lead == 0 && roll.usa == 0 && roll.modifier == 0;
    if !plain {
        modifier_words(roll, &mut text);
        let _ = write!(text, " = {}", roll.total());
    }
    let capital = if roll.capital { " (capital)" } else { "" };
    let success = if roll.wins() { "success" } else { "failure" };
    let _ = write!(text, ", needs {}{capital}: {success}", roll.need);
    if roll.reroll {
        text.push_str(", final");
    }
    text.push('.');
    text
}

fn modifier_words(roll: &AttackRoll, out: &mut String) {
    if roll.lead != 0 {
        let _ = write!(out, " +1 ({})", roll.region.main_track());
    }
    if roll.usa != 0 {
        out.push_str(" +1 (USA)");
    }
    if roll.modifier != 0 {
        let _ = write!(out, " {:+} (box)", roll.modifier);
    }
}
