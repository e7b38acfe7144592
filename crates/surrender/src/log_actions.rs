//! The log as people read it: which choices and dice are one action, and what an action came to in a sentence.

use kernel::{Fold, LogLine};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::{GameEvent, Loss};
use crate::ids::{Faction, Place, UnitId};
use crate::rules::Rules;
use crate::state::{Errand, Manner, State, Supply};
use crate::words::{and_list, capitalized, count, within_sentence};
use crate::world::Climate;

/// Kinds of actions of which one follows the other: they are told in one line. Room is left for a faction.
mod kind {
    /// The weather dice. Rule 11.0.
    pub const WEATHER: u8 = 0;
    /// Strategic combats. Rule 5.4.
    pub const STRATEGIC: u8 = 1;
    /// Nobody declares war. Rule 10.1.
    pub const NO_WAR: u8 = 2;
    /// Lend-Lease and Factories that move. Rule 9.1.
    pub const ECONOMY: u8 = 3;
    /// Units that are due with the variable timeline.
    pub const ENTRY: u8 = 4;
    /// Emergency Mobilization. Rule 30.6.
    pub const EMERGENCY: u8 = 5;
    /// Nobody buys diplomacy. Rule 10.4.
    pub const NO_DIPLOMACY: u8 = 6;
    /// Strategic Moves of a faction. Rule 4.8.
    pub const RAIL: u8 = 8;
    /// The Supply Check of a faction. Rule 7.
    pub const SUPPLY: u8 = 12;
    /// Replacements of a faction. Rule 8.1.
    pub const REPLACE: u8 = 16;
    /// Mobilization of a faction. Rule 8.3.
    pub const MOBILIZE: u8 = 20;
}

/// So many names are told one by one.
const NAMED: usize = 3;

impl Rules {
    /// How a step belongs to the steps before it.
    pub(crate) fn fold(&self, state: &State, choice: Choice) -> Fold {
        let of = |faction: Faction| faction as u8;
        match (state.frame(), choice) {
            (Frame::WeatherDie(_), _) => Fold::Joins(kind::WEATHER),
            (Frame::StrategicDie(..), _) => Fold::Joins(kind::STRATEGIC),
            (Frame::EntryDie(_), _) => Fold::Joins(kind::ENTRY),
            (Frame::Declare(_) | Frame::EvaluatePact | Frame::EndPact, Choice::Pass) => {
                Fold::Joins(kind::NO_WAR)
            }
            (Frame::Declare(_) | Frame::EvaluatePact | Frame::EndPact, _) => Fold::Begins,
            (Frame::LendLease | Frame::Relocate, _) => Fold::Joins(kind::ECONOMY),
            (Frame::Rail(faction), _) => Fold::Joins(kind::RAIL + of(faction)),
            (Frame::Actions(faction), Choice::End) => Fold::Joins(kind::SUPPLY + of(faction)),
            (Frame::Actions(_), _) => Fold::Begins,
            (Frame::Link(faction) | Frame::AirSupply(faction), _) => Fold::Joins(kind::SUPPLY + of(faction)),
            (Frame::Feed(_), _) => Fold::Joins(kind::SUPPLY + of(state.acting)),
            (Frame::Replace(faction), _) => Fold::Joins(kind::REPLACE + of(faction)),
            (Frame::Mobilize(faction), _) => Fold::Joins(kind::MOBILIZE + of(faction)),
            (Frame::Emergency(_), _) => Fold::Joins(kind::EMERGENCY),
            (Frame::Diplomacy(_), Choice::Pass) => Fold::Joins(kind::NO_DIPLOMACY),
            (Frame::Diplomacy(_), _) => Fold::Begins,
            _ => Fold::Continues,
        }
    }

    /// What an action came to.
    pub(crate) fn headline(&self, events: &[&GameEvent]) -> Option<LogLine> {
        let (head, rule) = self.head(events);
        let rest = self.aftermath(events, &head);
        let parts: Vec<String> = std::iter::once(head).chain(rest).filter(|part| !part.is_empty()).collect();
        let (first, rest) = parts.split_first()?;
        let mut text = capitalized(first);
        for part in rest {
            text += "; ";
            text += &within_sentence(part);
        }
        Some(LogLine { text, rule, aside: false })
    }

    /// The first part: what the action itself was. Empty where only what follows by itself is told.
    fn head(&self, events: &[&GameEvent]) -> (String, &'static str) {
        for event in events {
            match **event {
                GameEvent::Weather(..) => return (weather_summary(events), "11.0"),
                GameEvent::Strategic(..) => return (self.all_lines(events, is_strategic), "5.4"),
                GameEvent::SetOut(Errand::Link, ..) | GameEvent::Supplied(..) | GameEvent::Linked(..) => {
                    return (self.supply_summary(events), "7.0");
                }
                GameEvent::SetOut(errand, unit, passenger, to) => {
                    return self.mission_summary(events, errand, unit, passenger, to);
                }
                GameEvent::Attack(Manner::Assault, primary, more, ..) => {
                    return (self.assault_summary(events, primary, more), "6.3");
                }
                GameEvent::Activated(unit, ..) if !is_assault(events) && !is_mission(events) => {
                    return (self.activation_summary(events, unit), "6.2");
                }
                GameEvent::Railed(..) => return (self.rail_summary(events), "4.8"),
                GameEvent::Replaced(..) => return (self.bought_summary(events), "8.1"),
                GameEvent::Mobilized(..) => return (self.bought_summary(events), "8.3"),
                _ if is_told(event) => return (String::new(), self.log_line(event).rule),
                _ => {}
            }
        }
        let rule = events.first().map_or("", |event| self.log_line(event).rule);
        (String::new(), rule)
    }

    /// "The XVI Panzer Corps advances to Lodz and destroys the Lodz Army".
    fn activation_summary(&self, events: &[&GameEvent], unit: UnitId) -> String {
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

    fn assault_summary(&self, events: &[&GameEvent], primary: UnitId, more: [UnitId; 2]) -> String {
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
    fn mission_summary(
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

    /// Links, and how many units rose or fell.
    fn supply_summary(&self, events: &[&GameEvent]) -> String {
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

    fn rail_summary(&self, events: &[&GameEvent]) -> String {
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
    fn bought_summary(&self, events: &[&GameEvent]) -> String {
        let (mut replaced, mut mobilized, mut points) = (Vec::new(), Vec::new(), 0);
        for event in events {
            match **event {
                GameEvent::Replaced(unit, cost) => {
                    points += cost;
                    replaced.push(self.unit_name(unit));
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

    /// The lines of some events, in order.
    fn all_lines(&self, events: &[&GameEvent], wanted: fn(&GameEvent) -> bool) -> String {
        let lines: Vec<String> =
            events.iter().filter(|event| wanted(event)).map(|event| self.log_line(event).text).collect();
        lines.join("; ")
    }

    /// What is told behind the action: politics, National Will, events, losses that are not part of the head.
    fn aftermath(&self, events: &[&GameEvent], head: &str) -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        let incomes: Vec<String> = events
            .iter()
            .filter_map(|event| match **event {
                GameEvent::Income(country, points) => {
                    Some(format!("{} {points}", self.country_name(country)))
                }
                _ => None,
            })
            .collect();
        for event in events.iter().filter(|event| is_told(event)) {
            let fought_over =
                matches!(**event, GameEvent::Captured(..) | GameEvent::Lost(..)) && !head.is_empty();
            if !fought_over {
                parts.push(self.log_line(event).text);
            }
        }
        if !incomes.is_empty() {
            parts.push(format!("Points: {}", few(&incomes)));
        }
        parts
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

/// Whether the events are those of an Assault.
fn is_assault(events: &[&GameEvent]) -> bool {
    events.iter().any(|event| matches!(event, GameEvent::Attack(Manner::Assault, ..)))
}

/// Whether the events are those of a mission.
fn is_mission(events: &[&GameEvent]) -> bool {
    events.iter().any(|event| matches!(event, GameEvent::SetOut(..)))
}

const fn is_strategic(event: &GameEvent) -> bool {
    matches!(event, GameEvent::Strategic(..))
}

/// Events that a headline tells in their own words.
const fn is_told(event: &GameEvent) -> bool {
    matches!(
        event,
        GameEvent::Turn(_)
            | GameEvent::Captured(..)
            | GameEvent::Lost(..)
            | GameEvent::Rebased(..)
            | GameEvent::Dueled(..)
            | GameEvent::Played(
                _,
                crate::markers::Marker::SurpriseAttack | crate::markers::Marker::WeserExercise
            )
            | GameEvent::Partisans(_, _, true)
            | GameEvent::Mulberry(_)
            | GameEvent::Wall(..)
            | GameEvent::Ordered(..)
            | GameEvent::FactoryMoved(_)
            | GameEvent::LendLease(..)
            | GameEvent::PactEvaluated(..)
            | GameEvent::PactEnded
            | GameEvent::Declared(..)
            | GameEvent::Peace(_)
            | GameEvent::Influence(..)
            | GameEvent::Drew(..)
            | GameEvent::PutIn(..)
            | GameEvent::Coup(..)
            | GameEvent::Joined(..)
            | GameEvent::Left(_)
            | GameEvent::Absorbed(..)
            | GameEvent::Crisis(_)
            | GameEvent::Conquered(..)
            | GameEvent::Liberated(..)
            | GameEvent::CededArea(_)
            | GameEvent::FrenchArea(..)
            | GameEvent::FrenchFleet(..)
            | GameEvent::Occurred(_)
            | GameEvent::Entry(_, _, true)
            | GameEvent::Upgraded(..)
            | GameEvent::LowCountries
            | GameEvent::Verdict(_)
    )
}

/// The first few of many names: "A, B, C and 4 more".
fn few(names: &[String]) -> String {
    if names.len() <= NAMED + 1 {
        return and_list(names);
    }
    format!("{} and {} more", names[..NAMED].join(", "), names.len() - NAMED)
}

/// "Weather: Cold Fair, Mild Poor (die 5), Warm Fair".
fn weather_summary(events: &[&GameEvent]) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_event::{Sum, WillCause};
    use crate::ids::{Country, Node, Side};
    use crate::prompts::tests::{busy, every_question};
    use crate::story_politics::tests::every_event;
    use crate::tables::{CombatResult, Weather};
    use crate::testing::rules;

    fn told(rules: &Rules, events: &[GameEvent]) -> String {
        let events: Vec<&GameEvent> = events.iter().collect();
        rules.headline(&events).map_or_else(String::new, |line| line.text)
    }

    #[test]
    fn an_activation_is_one_sentence() {
        let rules = rules();
        let unit = |id: &str| rules.world.unit_named(id).expect("a unit");
        let place = |name: &str| rules.world.place_named(name).expect("a place");
        let lodz = rules.world.city(rules.world.city_named("lodz").expect("a city")).hex;
        let (tanks, army) = (unit("GER-16PZ"), unit("POL-LOD"));
        let result = CombatResult::DefenderEliminated;
        let events = [
            GameEvent::Activated(tanks, 2, Country::GER),
            GameEvent::Stepped(tanks, place("3132"), place("3133")),
            GameEvent::Attack(Manner::Mobile, tanks, [UnitId::NONE; 2], army, lodz),
            GameEvent::Fought(tanks, army, lodz, Sum::EMPTY, Sum::EMPTY, result),
            GameEvent::Lost(army, Loss::Defending),
            GameEvent::Will(Country::POL, -1, 15, WillCause::UnitLost(army)),
            GameEvent::Advanced(tanks, lodz),
            GameEvent::Captured(lodz, Side::Western, Side::Axis),
            GameEvent::Stopped(tanks),
        ];
        assert_eq!(told(&rules, &events), "The XVI Panzer Corps destroys the Lodz Army and takes Lodz");
        assert_eq!(told(&rules, &events[..2]), "The XVI Panzer Corps advances to 3133 near Breslau");
        let conquest = [events[0], GameEvent::Conquered(Country::POL, Side::Axis)];
        assert_eq!(
            told(&rules, &conquest),
            "The XVI Panzer Corps stays where it is; Poland is conquered by the Axis"
        );
    }

    #[test]
    fn missions_checks_and_weather_are_one_sentence_each() {
        let rules = rules();
        let unit = |id: &str| rules.world.unit_named(id).expect("a unit");
        let london = rules.world.place_named("2816").expect("a place");
        let bomber = unit("GER-BMB1");
        let run = [
            GameEvent::SetOut(Errand::Bombing, bomber, UnitId::NONE, london),
            GameEvent::Intercepted(unit("UK-FC"), Node::NONE),
            GameEvent::Interdicted(Errand::Bombing, bomber),
        ];
        assert_eq!(
            told(&rules, &run),
            "The IX Air Corps fails to bomb London: interdicted by Fighter Command"
        );
        let weather = [GameEvent::Weather(0, 5, Weather::Poor), GameEvent::Weather(1, 2, Weather::Fair)];
        assert_eq!(told(&rules, &weather), "Weather: Cold Poor (die 5), Mild Fair (die 2)");
        let check = [
            GameEvent::Supplied(unit("GER-6A"), Supply::Full, Supply::Low),
            GameEvent::Supplied(unit("GER-4A"), Supply::Low, Supply::Full),
        ];
        assert_eq!(
            told(&rules, &check),
            "Supply Check: 1 unit back to Full, Low Supply for the German 6th Army"
        );
    }

    #[test]
    fn every_event_alone_gives_a_headline_or_none() {
        let rules = rules();
        for event in every_event(&rules) {
            if let Some(line) = rules.headline(&[&event]) {
                assert!(line.text.len() > 5 && !line.text.ends_with("; "), "{event:?}: {}", line.text);
            }
        }
        assert!(rules.headline(&[]).is_none());
    }

    #[test]
    fn what_follows_from_an_action_belongs_to_it() {
        let rules = rules();
        let mut state = busy(&rules);
        state.push(Frame::Flow);
        let begins = |state: &State, choice| rules.fold(state, choice) == Fold::Begins;
        for frame in every_question(state.activation.unit) {
            state.become_frame(frame);
            let alone = matches!(
                frame,
                Frame::Actions(_)
                    | Frame::Declare(_)
                    | Frame::EvaluatePact
                    | Frame::EndPact
                    | Frame::Diplomacy(_)
            );
            assert_eq!(begins(&state, Choice::Go), alone, "{frame:?}");
        }
        state.become_frame(Frame::Actions(Faction::Axis));
        assert_eq!(rules.fold(&state, Choice::End), Fold::Joins(kind::SUPPLY));
        state.become_frame(Frame::Link(Faction::Axis));
        assert_eq!(rules.fold(&state, Choice::End), Fold::Joins(kind::SUPPLY));
    }
}
