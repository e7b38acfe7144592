//! What an action came to, kind by kind: the first part of a headline.

use crate::game_event::{GameEvent, Loss};
use crate::ids::{Place, UnitId};
use crate::rules::Rules;
use crate::state::{Errand, Supply};
use crate::tables::CombatResult;
use crate::words::{and_list, count};
use crate::world::Climate;

/// So many names are told one by one.
const NAMED: usize = 3;

impl Rules {
    /// "The XVI Panzer Corps advances to Lodz and destroys the Lodz Army".
    pub(crate) fn activation_summary(&self, events: &[&GameEvent], unit: UnitId) -> String {
        let mut deeds = Vec::new();
        let mut at = None;
        for event in events {
            match **event {
                GameEvent::Stepped(who, _, to) | GameEvent::Advanced(who, to) if who == unit => at = Some(to),
                _ => {}
            }
        }
        let taken = self.taken(events);
        if let Some(to) = at.filter(|to| !taken.contains(to)) {
            deeds.push(format!("{} to {}", self.verb(unit, "advances", "advance"), self.place_words(to)));
        }
        deeds.extend(self.fight_deeds(events, unit));
        if deeds.is_empty() {
            deeds.push(format!("{} where it is", self.verb(unit, "stays", "stay")));
        }
        format!("{} {}", self.unit_title(unit), and_list(&deeds))
    }

    /// What an attacker did to its enemies and what befell it: "destroys the Lodz Army", "takes Lodz", "is stopped".
    fn fight_deeds(&self, events: &[&GameEvent], unit: UnitId) -> Vec<String> {
        let mut deeds = Vec::new();
        for (defender, fate) in self.fates(events) {
            let name = self.unit_name(defender);
            deeds.push(match fate {
                Fate::Destroyed => format!("{} {name}", self.verb(unit, "destroys", "destroy")),
                Fate::Saved => {
                    format!("{} {name}, which is taken off by sea", self.verb(unit, "beats", "beat"))
                }
                Fate::Driven => format!("{} back {name}", self.verb(unit, "drives", "drive")),
                Fate::Reduced => format!("{} {name}", self.verb(unit, "wears down", "wear down")),
                Fate::Held => format!("{} {name} without effect", self.verb(unit, "attacks", "attack")),
            });
        }
        let taken: Vec<String> = self.taken(events).into_iter().map(|hex| self.place_words(hex)).collect();
        if !taken.is_empty() {
            deeds.push(format!("{} {}", self.verb(unit, "takes", "take"), few(&taken)));
        }
        for event in events {
            match **event {
                GameEvent::Lost(who, Loss::Attacking) if who == unit => {
                    deeds.push("is destroyed".to_owned());
                }
                GameEvent::Reduced(who) if who == unit => deeds.push("is reduced".to_owned()),
                GameEvent::Fought(who, .., result) if who == unit && result.code() == "AS2" => {
                    deeds.push("is stopped".to_owned());
                }
                _ => {}
            }
        }
        deeds
    }

    /// What became of each defender, in the order of the attacks.
    fn fates(&self, events: &[&GameEvent]) -> Vec<(UnitId, Fate)> {
        let mut fates: Vec<(UnitId, Fate)> = Vec::new();
        let mut note =
            |unit: UnitId, fate: Fate, begins: bool| match fates.iter_mut().find(|(known, _)| *known == unit)
            {
                Some((_, known)) => *known = (*known).max(fate),
                None if begins => fates.push((unit, fate)),
                None => {}
            };
        for event in events {
            match **event {
                GameEvent::Attack(.., defender, _) => note(defender, Fate::Held, true),
                GameEvent::Fought(_, defender, ..) => note(defender, Fate::Held, true),
                GameEvent::Reduced(unit) => note(unit, Fate::Reduced, false),
                GameEvent::Retreated(unit, ..) => note(unit, Fate::Driven, false),
                GameEvent::Evacuated(unit) => note(unit, Fate::Saved, false),
                GameEvent::Lost(unit, Loss::Defending) => note(unit, Fate::Destroyed, false),
                _ => {}
            }
        }
        fates
    }

    /// The hexes with cities, ports or forts that changed hands.
    fn taken(&self, events: &[&GameEvent]) -> Vec<Place> {
        let taken = events.iter().filter_map(|event| match **event {
            GameEvent::Captured(hex, ..) => Some(hex),
            _ => None,
        });
        taken.collect()
    }

    pub(crate) fn assault_summary(
        &self,
        events: &[&GameEvent],
        primary: UnitId,
        more: [UnitId; 2],
    ) -> String {
        let with = more.into_iter().filter(|unit| unit.some().is_some()).count();
        let with = match with {
            0 => String::new(),
            1 => format!(" with {}", self.unit_name(more[0])),
            _ => " with two others".to_owned(),
        };
        let mut deeds = self.fight_deeds(events, primary);
        if deeds.is_empty() {
            deeds.push("attacks".to_owned());
        }
        format!("Assault: {}{with} {}", self.unit_name(primary), and_list(&deeds))
    }

    /// A mission with its end.
    pub(crate) fn mission_summary(
        &self,
        events: &[&GameEvent],
        errand: Errand,
        unit: UnitId,
        passenger: UnitId,
        to: Place,
    ) -> (String, &'static str) {
        let (begins, rule) = match errand {
            Errand::Invasion | Errand::Airdrop => {
                let landed = events.iter().any(|event| matches!(event, GameEvent::Landed(..)));
                let deeds = self.fight_deeds(events, passenger);
                let rule = if errand == Errand::Invasion { "6.4" } else { "6.8" };
                let verb = match (landed, errand) {
                    (true, _) => format!("lands {}", self.at_place(to)),
                    (false, Errand::Invasion) => format!("fails to land {}", self.at_place(to)),
                    (false, _) => format!("is not dropped {}", self.at_place(to)),
                };
                let mut all = deeds;
                all.insert(0, verb);
                (format!("{} {}", self.unit_title(passenger), and_list(&all)), rule)
            }
            Errand::Bombing => {
                let hit = events.iter().any(|event| matches!(event, GameEvent::Bombed(..)));
                let verb = if hit { "bombs" } else { "fails to bomb" };
                (format!("{} {verb} {}", self.unit_title(unit), self.place_words(to)), "6.7")
            }
            Errand::Transport => (
                format!(
                    "{} {} to {}",
                    self.unit_does(unit, "carries", "carry"),
                    self.unit_name(passenger),
                    self.place_words(to)
                ),
                "4.7",
            ),
            _ => (format!("{} to {}", self.unit_does(unit, "sails", "sail"), self.place_words(to)), "4.6"),
        };
        let end = events.iter().find_map(|event| match **event {
            GameEvent::CalledOff(_) => Some("called off".to_owned()),
            GameEvent::Interdicted(..) => Some("interdicted".to_owned()),
            _ => None,
        });
        let met = events.iter().find_map(|event| match **event {
            GameEvent::Intercepted(by, _) => Some(self.unit_name(by)),
            _ => None,
        });
        let tail = match (end, met) {
            (Some(end), Some(by)) => format!(": {end} by {by}"),
            (Some(end), None) => format!(": {end}"),
            (None, Some(by)) => format!(" past {by}"),
            (None, None) => String::new(),
        };
        (format!("{begins}{tail}"), rule)
    }

    /// "Air Strike: Luftflotte 4 hits Polish Air, which is lost".
    pub(crate) fn strike_summary(
        &self,
        events: &[&GameEvent],
        attacker: UnitId,
        defender: UnitId,
        result: CombatResult,
    ) -> String {
        let (by, on) = (self.unit_name(attacker), self.unit_name(defender));
        let lost = |unit: UnitId| {
            events.iter().any(|event| matches!(**event, GameEvent::Lost(who, _) if who == unit))
        };
        let deed = match result {
            CombatResult::AttackerAttrition | CombatResult::AttackerStopped => {
                format!("{by} {} beaten off by {on}", self.verb(attacker, "is", "are"))
            }
            CombatResult::NoEffect => format!("{by} against {on} without a decision"),
            _ => format!("{by} {} {on}", self.verb(attacker, "hits", "hit")),
        };
        let fallen: Vec<String> = [attacker, defender]
            .into_iter()
            .filter(|unit| lost(*unit))
            .map(|unit| self.unit_name(unit))
            .collect();
        let fallen = match fallen.len() {
            0 => String::new(),
            1 => format!("; {} is lost", fallen[0]),
            _ => "; both are lost".to_owned(),
        };
        format!("Air Strike: {deed}{fallen}")
    }

    /// Links, and how many units rose or fell.
    pub(crate) fn supply_summary(&self, events: &[&GameEvent]) -> String {
        let (mut links, mut cut, mut full) = (0, 0, 0);
        let (mut low, mut none) = (Vec::new(), Vec::new());
        for event in events {
            match **event {
                GameEvent::Linked(..) => links += 1,
                GameEvent::Interdicted(..) => cut += 1,
                GameEvent::Supplied(_, _, Supply::Full) => full += 1,
                GameEvent::Supplied(unit, _, Supply::Low) => low.push(self.unit_name(unit)),
                GameEvent::Supplied(unit, _, Supply::No) => none.push(self.unit_name(unit)),
                _ => {}
            }
        }
        let mut parts = Vec::new();
        if links > 0 {
            parts.push(count(links, "sea link"));
        }
        if cut > 0 {
            parts.push(format!("{} interdicted", count(cut, "sea link")));
        }
        if full > 0 {
            parts.push(format!("{} back to Full", count(full, "unit")));
        }
        if !low.is_empty() {
            parts.push(format!("Low Supply for {}", few(&low)));
        }
        if !none.is_empty() {
            parts.push(format!("No Supply for {}", few(&none)));
        }
        if parts.is_empty() {
            "Supply Check".to_owned()
        } else {
            format!("Supply Check: {}", parts.join(", "))
        }
    }

    pub(crate) fn rail_summary(&self, events: &[&GameEvent]) -> String {
        let moves: Vec<String> = events
            .iter()
            .filter_map(|event| match **event {
                GameEvent::Railed(unit, _, to) => {
                    Some(format!("{} to {}", self.unit_name(unit), self.place_words(to)))
                }
                _ => None,
            })
            .collect();
        format!("Strategic Movement: {}", few(&moves))
    }

    /// Replacements and new units with their cost.
    pub(crate) fn bought_summary(&self, events: &[&GameEvent]) -> String {
        let (mut replaced, mut mobilized, mut points) = (Vec::new(), Vec::new(), 0);
        for event in events {
            match **event {
                GameEvent::Replaced(unit, cost) => {
                    points += cost;
                    let name = self.unit_name(unit);
                    if !replaced.contains(&name) {
                        replaced.push(name);
                    }
                }
                GameEvent::Mobilized(unit, _, cost) => {
                    points += cost;
                    mobilized.push(self.unit_name(unit));
                }
                _ => {}
            }
        }
        let mut parts = Vec::new();
        if !replaced.is_empty() {
            parts.push(format!("Replacements for {}", few(&replaced)));
        }
        if !mobilized.is_empty() {
            parts.push(format!("mobilized: {}", few(&mobilized)));
        }
        format!("{} ({})", parts.join("; "), count(points, "point"))
    }
}

/// What became of a defender; later ones are worse for it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Held,
    Reduced,
    Driven,
    Saved,
    Destroyed,
}

/// The first few of many names: "A, B, C and 4 more".
pub(crate) fn few(names: &[String]) -> String {
    if names.len() <= NAMED + 1 {
        return and_list(names);
    }
    format!("{} and {} more", names[..NAMED].join(", "), names.len() - NAMED)
}

/// "Weather: Cold Fair, Mild Poor (die 5), Warm Fair".
pub(crate) fn weather_summary(events: &[&GameEvent]) -> String {
    let parts: Vec<String> = events
        .iter()
        .filter_map(|event| match **event {
            GameEvent::Weather(zone, die, weather) => {
                let zone = Climate::ROLLED.get(usize::from(zone)).map_or("Desert", |zone| zone.title());
                let die = if die == 0 { String::new() } else { format!(" (die {die})") };
                Some(format!("{zone} {}{die}", weather.title()))
            }
            _ => None,
        })
        .collect();
    format!("Weather: {}", parts.join(", "))
}
