//! The log as people read it: which choices and dice are one action, and what an action came to in a sentence.

use kernel::{Fold, LogLine};

use crate::choice::Choice;
use crate::frame::Frame;
use crate::game_event::GameEvent;
use crate::ids::Faction;
use crate::log_summaries::{few, weather_summary};
use crate::rules::Rules;
use crate::state::{Errand, Manner, Occasion, State};
use crate::words::{capitalized, within_sentence};

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
                GameEvent::Dueled(Occasion::Strike, attacker, defender, _, _, result) => {
                    return (self.strike_summary(events, attacker, defender, result), "6.6");
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
            | GameEvent::Played(
                _,
                crate::markers::Marker::SurpriseAttack | crate::markers::Marker::WeserExercise
            )
            | GameEvent::StandsBy(..)
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
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_event::{Loss, Sum, WillCause};
    use crate::ids::{Country, Node, Side, UnitId};
    use crate::prompts::tests::{busy, every_question};
    use crate::state::Supply;
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
