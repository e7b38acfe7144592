//! The log as people read it: which choices and dice are one action, and what an action came to in a sentence.

use kernel::{Fold, LogLine};

use crate::choice::Choice;
use crate::game_event::{Fate, GameEvent};
use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{Stage, State, Task};
use crate::tables::Activation;
use crate::units::Units;
use crate::words::markers;

/// Kinds of actions of which one follows the other: they are told in one line.
mod kind {
    /// Initiative and supports. Rules 7 and 8.
    pub const OPENING: u8 = 0;
    /// Recovery and rally. Rule 9.
    pub const RALLY: u8 = 1;
    /// Reinforcements. Rule 16.5.
    pub const ARRIVAL: u8 = 2;
    /// Stacks that turn. Rule 4.2.
    pub const TURNING: u8 = 3;
    /// Engineering. Rule 14.
    pub const ENGINEERING: u8 = 4;
    /// Supply and the end of a player turn. Rules 15 and 18.1.
    pub const SUPPLY: u8 = 5;
}

/// So many names are told one by one.
const NAMED: usize = 3;

impl Rules {
    /// How a step belongs to the steps before it.
    pub(crate) fn fold(s: &State, choice: Choice) -> Fold {
        match (s.stage, choice) {
            // A die that is kept or rolled again belongs to what it was rolled for.
            (_, Choice::Keep | Choice::Reroll) => Fold::Continues,
            (Stage::Initiative | Stage::Order | Stage::Supports, _) => Fold::Joins(kind::OPENING),
            (Stage::Recovery | Stage::RecoveryZone, _) | (Stage::Rally, Choice::Rally { .. }) => {
                Fold::Joins(kind::RALLY)
            }
            (_, Choice::Place { .. }) => Fold::Joins(kind::ARRIVAL),
            (_, Choice::Turn(_)) => Fold::Joins(kind::TURNING),
            (_, Choice::Work(_)) => Fold::Joins(kind::ENGINEERING),
            (Stage::Airdrop | Stage::NightDie, _) => Fold::Joins(kind::SUPPLY),
            (Stage::Combat | Stage::Interdiction, Choice::End) => Fold::Joins(kind::SUPPLY),
            (
                _,
                Choice::Activate(_)
                | Choice::Move(_)
                | Choice::MakeReady(_)
                | Choice::Strike(_)
                | Choice::Shell(_)
                | Choice::Assault { .. }
                | Choice::Raid { .. }
                | Choice::End,
            ) => Fold::Begins,
            _ => Fold::Continues,
        }
    }

    /// What an action came to.
    pub(crate) fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        let is_combat = |event: &GameEvent| {
            matches!(
                event,
                GameEvent::Assaulted { .. } | GameEvent::Shelled { .. } | GameEvent::Strike { .. }
            )
        };
        let combat = events.iter().position(|event| is_combat(event));
        let (subject, rule, rest) = match combat {
            Some(at) => {
                let (subject, rule) = self.combat_subject(events[at]);
                (subject, rule, &events[at + 1..])
            }
            None => {
                let (subject, rule) = self.subject(events);
                (subject, rule, events)
            }
        };
        let outcome = self.consequences(rest);
        let text = match (subject.is_empty(), outcome.is_empty()) {
            (true, true) => return None,
            (false, true) => subject,
            (true, false) => capitalized(&outcome.join("; ")),
            (false, false) if combat.is_some() => format!("{subject}: {}", outcome.join("; ")),
            (false, false) => format!("{subject}; {}", outcome.join("; ")),
        };
        Some(LogLine { text, rule, aside: false })
    }

    /// An attack up to its die: the first part of its sentence.
    fn combat_subject(&self, event: &GameEvent) -> (String, &'static str) {
        let unit = |unit: u8| self.unit_name(unit);
        match *event {
            GameEvent::Assaulted { lead, defender, to, need, die, night, .. } => {
                let verb = if night { "raids" } else { "assaults" };
                let end = if die <= need { "hits" } else { "misses" };
                let (lead, defender, zone) = (unit(lead), unit(defender), self.zone(to));
                (format!("{lead} {verb} {defender} in {zone} and {end}"), "12.5")
            }
            GameEvent::Shelled { gun, target, need, die } => {
                let end = if die <= need { "hits" } else { "misses" };
                (format!("{} shells {} and {end}", unit(gun), unit(target)), "11.5")
            }
            GameEvent::Strike { side, target, die } => {
                let end = match die {
                    1..=5 => "",
                    10 => " and are driven off",
                    _ => " without effect",
                };
                (format!("Aircraft of {} strike {}{end}", self.side_name(side), unit(target)), "11.9")
            }
            _ => (String::new(), ""),
        }
    }

    /// Who did what in an action that is not a combat; empty where only what follows matters.
    fn subject(&self, events: &[&GameEvent]) -> (String, &'static str) {
        let last = events.iter().rev().find_map(|event| match **event {
            GameEvent::Moved { group, to, road } => Some((group, self.zone(to), road)),
            _ => None,
        });
        if let Some((group, zone, road)) = last {
            let (by, rule) = if road { (" by road", "10.7") } else { ("", "10.5") };
            let moves = if group.len() == 1 { "moves" } else { "move" };
            return (format!("{} {moves} to {zone}{by}", self.few_names(group)), rule);
        }
        for event in events {
            match **event {
                GameEvent::Activated { group, zone, die, shift, result } => {
                    let sum = if shift > 0 { format!("{die}+{shift}") } else { die.to_string() };
                    let one = group.len() == 1;
                    let (name, zone) = (self.few_names(group), self.zone(zone));
                    let words = match (result, one) {
                        (Activation::Hold, _) => format!("{name} can't move from {zone} (rolled {sum})"),
                        (Activation::Fallback, _) => {
                            format!("{name} must fall back from {zone} (rolled {sum})")
                        }
                        (_, true) => format!("{name} may move (rolled {sum}) and stays in {zone}"),
                        (_, false) => format!("{name} may move (rolled {sum}) and stay in {zone}"),
                    };
                    return (words, "10.2");
                }
                GameEvent::Arrived { .. } => return (self.arrivals(events), "16.5"),
                GameEvent::Faced { .. } => return (self.turned(events), "4.2"),
                GameEvent::FirstPlayer { .. } | GameEvent::Support { .. } => {
                    return (self.opening(events), "7.1");
                }
                _ => {}
            }
        }
        (String::new(), self.rule_of(events))
    }

    /// The rule of the first line that is not a detail.
    fn rule_of(&self, events: &[&GameEvent]) -> &'static str {
        let mut lines = events.iter().map(|event| self.log_line(event));
        lines.find(|line| !line.aside).map_or("", |line| line.rule)
    }

    /// Who begins a turn, and with which supports.
    fn opening(&self, events: &[&GameEvent]) -> String {
        let mut parts = Vec::new();
        for event in events {
            if let GameEvent::FirstPlayer { side, .. } = **event {
                parts.push(format!("{} moves first", self.side_name(side)));
            }
        }
        for side in [Side::First, Side::Second] {
            let gained = |of: bool| {
                let got = events.iter().filter(|event| {
                    matches!(***event, GameEvent::Support { side: who, air, gained: true, .. } if who == side && air == of)
                });
                got.count()
            };
            let called = events
                .iter()
                .any(|event| matches!(**event, GameEvent::Support { side: who, .. } if who == side));
            let (guns, planes) = (gained(false), gained(true));
            let got = match (guns, planes) {
                (0, 0) if called => "no support".to_owned(),
                (0, 0) => continue,
                (guns, 0) => format!("{guns} artillery"),
                (0, planes) => format!("{planes} aircraft"),
                (guns, planes) => format!("{guns} artillery and {planes} aircraft"),
            };
            parts.push(format!("{} gets {got}", self.side_name(side)));
        }
        parts.join("; ")
    }

    fn arrivals(&self, events: &[&GameEvent]) -> String {
        let mut all = Units::EMPTY;
        let mut zones = Vec::new();
        for event in events {
            if let GameEvent::Arrived { unit, zone } = **event {
                all.insert(unit);
                zones.push(zone);
            }
        }
        zones.dedup();
        let arrive = if all.len() == 1 { "arrives" } else { "arrive" };
        match zones[..] {
            [zone] => format!("{} {arrive} in {}", self.few_names(all), self.zone(zone)),
            _ => format!("{} {arrive}", self.few_names(all)),
        }
    }

    fn turned(&self, events: &[&GameEvent]) -> String {
        let turned: Vec<String> = events
            .iter()
            .filter_map(|event| match **event {
                GameEvent::Faced { zone, way } => Some(format!("{} to {}", self.zone(zone), way.name())),
                _ => None,
            })
            .collect();
        match &turned[..] {
            [one] => format!("The stack in {one}").replacen(" to ", " turns to ", 1),
            many if many.len() <= NAMED => format!("Stacks turn: {}", many.join(", ")),
            many => format!("{} stacks turn", many.len()),
        }
    }

    /// Up to three names; of more the first and how many others.
    fn few_names(&self, group: Units) -> String {
        let count = usize::from(group.len());
        match group.first() {
            Some(first) if count > NAMED => format!("{} and {} others", self.unit_name(first), count - 1),
            _ => self.group_name(group),
        }
    }

    /// What came of it, one short sentence each, in order. A battalion that retreats through several zones is told once.
    fn consequences(&self, events: &[&GameEvent]) -> Vec<String> {
        let mut told: Vec<(Option<u8>, String)> = Vec::new();
        for event in events {
            let Some((unit, words)) = self.consequence(event) else { continue };
            told.retain(|(earlier, _)| unit.is_none() || *earlier != unit);
            told.push((unit, words));
        }
        told.into_iter().map(|(_, words)| words).collect()
    }

    /// One consequence, and the battalion of which it replaces what was told before.
    fn consequence(&self, event: &GameEvent) -> Option<(Option<u8>, String)> {
        let name = |unit: u8| self.unit_name(unit);
        let side = |side: Side| self.side_name(side);
        let of = |unit: u8, words: String| Some((Some(unit), words));
        let plain = |words: String| Some((None, words));
        match *event {
            GameEvent::Saved { unit, need, die } if die <= need => {
                of(unit, format!("{} holds firm", name(unit)))
            }
            GameEvent::Saved { unit, .. } => of(unit, format!("{} gives way", name(unit))),
            GameEvent::Held { unit, markers: count } => {
                of(unit, format!("{} holds for {}", name(unit), markers(count)))
            }
            GameEvent::Retreated { unit, to, .. } => {
                of(unit, format!("{} retreats to {}", name(unit), self.zone(to)))
            }
            GameEvent::Adrift { unit, markers: count } => {
                of(unit, format!("{} can't fall back at sea: {}", name(unit), markers(count)))
            }
            GameEvent::Gone { unit, fate, .. } => {
                let end = match fate {
                    Fate::Shattered => "is shattered",
                    Fate::Lost => "is lost",
                };
                of(unit, format!("{} {end}", name(unit)))
            }
            GameEvent::Advanced { unit, to } => {
                of(unit, format!("{} advances to {}", name(unit), self.zone(to)))
            }
            GameEvent::Recovery { hq, back, .. } => {
                let end = if back { "sets up again" } else { "stays scattered" };
                of(hq, format!("{} {end}", name(hq)))
            }
            GameEvent::Rally { unit, back, .. } => {
                let end = if back { "rallies" } else { "does not rally" };
                of(unit, format!("{} {end}", name(unit)))
            }
            GameEvent::Returned { unit, zone } => {
                of(unit, format!("{} is back in {}", name(unit), self.zone(zone)))
            }
            GameEvent::Airdrop { unit, landed, .. } => {
                let end = if landed { "is supplied from the air" } else { "gets no supply from the air" };
                of(unit, format!("{} {end}", name(unit)))
            }
            GameEvent::Repulsed { .. } => plain("the assault is repulsed".to_owned()),
            GameEvent::Breakthrough => plain("breakthrough".to_owned()),
            GameEvent::Stood { group, markers: count } => {
                let stands = if group.len() == 1 { "stands its ground" } else { "stand their ground" };
                plain(format!("{stands} for {}", markers(count)))
            }
            GameEvent::Taken { key, by, .. } => {
                plain(format!("{} takes {}", side(by), self.scenario.keys[usize::from(key)].name))
            }
            GameEvent::PositionGone { zone } => {
                plain(format!("the position in {} is overrun", self.zone(zone)))
            }
            GameEvent::Demolition { bridge, blown, .. } => {
                let end = if blown { "is blown up" } else { "still stands" };
                plain(format!("{} {end}", self.scenario.bridges[usize::from(bridge)].name))
            }
            GameEvent::Worked { job, done, .. } => {
                let end = match (done, job.task) {
                    (true, Task::Bridge) => "one success",
                    (true, _) => "done",
                    (false, _) => "failed",
                };
                plain(format!("{}, {} in {}: {end}", name(job.unit), job.task.words(), self.zone(job.zone)))
            }
            GameEvent::AircraftLost { side: who } => {
                plain(format!("the aircraft of {} is shot down", side(who)))
            }
            GameEvent::Unsupplied { units } => plain(format!("without supply: {}", self.few_names(units))),
            GameEvent::Bombardment { .. }
            | GameEvent::NightFalls
            | GameEvent::Dawn
            | GameEvent::Broken { .. }
            | GameEvent::Over { .. } => plain(self.log_line(event).text),
            _ => None,
        }
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
