//! What a Battle came to, and what follows from an action by itself: Captures, supply, the next turn, the end.

use crate::factions::{Faction, Parties};
use crate::game_event::{Cause, GameEvent, UnitSeen};
use crate::rules::Rules;
use crate::story::the;
use crate::words::{and_list, count};

/// The party of a unit in a tally: three Factions, then Armed Minors.
fn party(unit: &UnitSeen) -> usize {
    unit.power.map_or(3, |power| power.faction().index())
}

impl Rules {
    /// A Battle in a sentence: who against whom, what each side lost, who went, who holds the field.
    pub(crate) fn battle_summary(
        &self,
        events: &[&GameEvent],
        area: u8,
        by: Faction,
        against: Parties,
    ) -> String {
        let (mut steps, mut units, mut gone) = ([0_i32; 4], [0_i32; 4], [0_i32; 4]);
        let mut fort_falls = false;
        let mut notes = Vec::new();
        for event in events {
            match event {
                GameEvent::Hit { unit, left, .. } => {
                    let before = unit.face.map_or(0, |(_, cv)| cv);
                    steps[party(unit)] += i32::from(before.saturating_sub(*left));
                }
                GameEvent::Lost { unit, area: at, cause } if *at == area && *cause != Cause::Supply => {
                    steps[party(unit)] += i32::from(unit.face.map_or(0, |(_, cv)| cv));
                    units[party(unit)] += 1;
                    fort_falls |= unit.power.is_none();
                }
                GameEvent::Retreats { unit, from, .. } | GameEvent::Rebases { unit, from, .. }
                    if *from == area =>
                {
                    gone[party(unit)] += 1;
                }
                GameEvent::EscapesAway { .. } | GameEvent::Revealed { .. } | GameEvent::Bombed { .. } => {
                    notes.push(self.log_line(event).text);
                }
                _ => {}
            }
        }
        let mut parts = Vec::new();
        for faction in Faction::ALL {
            let at = faction.index();
            if faction != by && !against.has(faction) {
                continue;
            }
            let lost = match (steps[at], units[at]) {
                (0, 0) => None,
                (lost, 0) => Some(format!("loses {}", count(lost, "step"))),
                (lost, dead) => {
                    Some(format!("loses {} ({} destroyed)", count(lost, "step"), count(dead, "unit")))
                }
            };
            let left = (gone[at] > 0).then(|| format!("withdraws {}", count(gone[at], "unit")));
            let both: Vec<String> = lost.into_iter().chain(left).collect();
            if !both.is_empty() {
                parts.push(format!("{} {}", faction.the(), and_list(&both)));
            }
        }
        let ends = events.iter().find_map(|event| match event {
            GameEvent::BattleEnds { area: at, winner } if *at == area => Some(*winner),
            _ => None,
        });
        if against.has_minor() {
            let fort = format!("the {} fort", self.nation_adjective(self.atlas().nation_of(area)));
            // Whether it holds is known when the Battle is over.
            parts.extend(match steps[3] {
                _ if fort_falls => Some(format!("{fort} falls")),
                0 => ends.map(|_| format!("{fort} holds")),
                lost if ends.is_some() => Some(format!("{fort} loses {} and holds", count(lost, "step"))),
                lost => Some(format!("{fort} loses {}", count(lost, "step"))),
            });
        }
        parts.extend(notes.iter().map(|note| crate::words::within_sentence(note)));
        if let Some(winner) = ends {
            parts.push(winner.map_or_else(
                || "it is not decided yet".to_owned(),
                |winner| format!("{} holds the field", winner.the()),
            ));
        }
        let foes = self.parties_name(against, area);
        let who = if foes.is_empty() { by.the().to_owned() } else { format!("{} against {foes}", by.the()) };
        if parts.is_empty() {
            return format!("{}: {who}", self.battle_name(area));
        }
        format!("{} ({who}): {}", self.battle_name(area), parts.join(", "))
    }

    /// The end of the moves, and which Battles are fought.
    pub(crate) fn battles_summary(&self, events: &[&GameEvent], faction: Faction) -> String {
        let places = |fought: bool| -> Vec<String> {
            let areas = events.iter().filter_map(|event| match **event {
                GameEvent::BattleDeclared { area, .. } if fought => Some(area),
                GameEvent::BattleAvoided { area, .. } if !fought => Some(area),
                _ => None,
            });
            areas.map(|area| self.place_name(area)).collect()
        };
        let (fights, avoids) = (places(true), places(false));
        let fights =
            if fights.is_empty() { String::new() } else { format!("; Battles in {}", and_list(&fights)) };
        let avoids =
            if avoids.is_empty() { String::new() } else { format!("; no Battle in {}", and_list(&avoids)) };
        format!("{} ends its moves{fights}{avoids}", the(faction))
    }

    /// What follows from an action by itself.
    pub(crate) fn aftermath(&self, events: &[&GameEvent]) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        parts.extend(self.resolved(events));
        for event in events {
            match event {
                GameEvent::Captured { .. }
                | GameEvent::ColonyTaken { .. }
                | GameEvent::ColonyArmed { .. }
                | GameEvent::Ended { .. } => parts.push(self.log_line(event).text),
                GameEvent::Blockaded { full, med, .. } if full + med > 0 => {
                    parts.push(self.log_line(event).text);
                }
                _ => {}
            }
        }
        parts.extend(starved(events));
        if !events.iter().any(|event| matches!(event, GameEvent::CommandShown { .. })) {
            let next = events.iter().rev().find(|event| matches!(event, GameEvent::TurnBegins { .. }));
            parts.extend(next.map(|event| self.log_line(event).text));
        }
        parts.extend(self.opinion(events));
        parts.extend(standings(events));
        parts
    }

    /// Where the resolution of Diplomacy begins among the events of a Government play: behind what the play itself did.
    /// Rule 7.4.
    pub(crate) fn resolution(events: &[&GameEvent]) -> usize {
        let is_play = |event: &GameEvent| {
            matches!(
                event,
                GameEvent::Passed { .. }
                    | GameEvent::DiplomacyPlayed { .. }
                    | GameEvent::WildPlayed { .. }
                    | GameEvent::FactoryBuilt { .. }
                    | GameEvent::Vaulted { .. }
                    | GameEvent::Revealed { .. }
                    | GameEvent::SpyPlayed { .. }
            )
        };
        let Some(play) = events.iter().rposition(|event| is_play(event)) else { return events.len() };
        let own = usize::from(matches!(events[play], GameEvent::WildPlayed { .. }));
        let changes = events.iter().enumerate().skip(play).filter(|(_, event)| {
            matches!(event, GameEvent::Influence { .. } | GameEvent::Joined { .. } | GameEvent::UsaJoins)
        });
        changes.map(|(at, _)| at).nth(own).unwrap_or(events.len())
    }

    /// What Diplomacy came to, behind the play or pass that ended it. Rule 7.4.
    fn resolved(&self, events: &[&GameEvent]) -> Option<String> {
        let year = events.iter().position(|event| matches!(event, GameEvent::YearBegins { .. }));
        let events = &events[..year.unwrap_or(events.len())];
        let mut told: Vec<(u8, String)> = Vec::new();
        for event in &events[Self::resolution(events)..] {
            let (nation, text) = match **event {
                GameEvent::Influence { nation, influencer, markers } => {
                    (nation, self.markers_in(nation, influencer, markers))
                }
                GameEvent::Joined { nation, .. } => (nation, self.log_line(event).text),
                GameEvent::UsaJoins => (self.atlas().usa, self.log_line(event).text),
                _ => continue,
            };
            told.retain(|(known, _)| *known != nation);
            told.push((nation, text));
        }
        let told: Vec<String> = told.iter().map(|(_, text)| crate::words::within_sentence(text)).collect();
        (!told.is_empty()).then(|| format!("Diplomacy is resolved: {}", told.join(", ")))
    }

    /// The markers of a nation in short: "Hungary 2 Axis markers".
    fn markers_in(&self, nation: u8, influencer: Option<Faction>, markers: u8) -> String {
        let name = &self.atlas().nation(nation).name;
        match influencer {
            None => format!("{name} no markers"),
            Some(faction) => format!("{name} {}", count(markers, &format!("{faction} marker"))),
        }
    }

    /// American Public Opinion at the start of a year. Rule 8.44.
    fn opinion(&self, events: &[&GameEvent]) -> Option<String> {
        let year = events.iter().position(|event| matches!(event, GameEvent::YearBegins { .. }))?;
        let mut told = None;
        for event in &events[year..] {
            match **event {
                GameEvent::Influence { nation, influencer, markers } => {
                    told = Some(format!("Public Opinion: {}", self.markers_in(nation, influencer, markers)));
                }
                GameEvent::UsaJoins => told = Some(self.log_line(event).text),
                _ => {}
            }
        }
        told
    }
}

/// Steps lost to supply, by Faction. Rule 14.1.
fn starved(events: &[&GameEvent]) -> Vec<String> {
    let lost = Faction::ALL.into_iter().filter_map(|faction| {
        let steps: i32 = events
            .iter()
            .map(|event| match event {
                GameEvent::Unsupplied { faction: of, steps, .. } if *of == faction => i32::from(*steps),
                _ => 0,
            })
            .sum();
        (steps > 0).then(|| format!("{} loses {} without supply", faction.the(), count(steps, "step")))
    });
    lost.collect()
}

/// The VP at the Victory Check. Rule 7.12.
fn standings(events: &[&GameEvent]) -> Option<String> {
    let year = events.iter().find_map(|event| match event {
        GameEvent::YearBegins { year } => Some(*year),
        _ => None,
    })?;
    let standing: Vec<String> = events
        .iter()
        .filter_map(|event| match event {
            GameEvent::Standing { faction, points } => Some(format!("{faction} {}", points.total())),
            _ => None,
        })
        .collect();
    if standing.is_empty() {
        return Some(format!("19{year} begins"));
    }
    Some(format!("19{year} begins with {} VP", standing.join(", ")))
}
