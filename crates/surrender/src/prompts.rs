//! What is asked now: for the mover, for those who wait, and what Fate rolls for.
//!
//! Those who wait read nothing that depends on a hidden commit marker.

use kernel::Prompt;

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Faction, UnitId};
use crate::markers::Marker;
use crate::rules::Rules;
use crate::state::{Manner, State};
use crate::words::{faction_adjective, the_faction};
use crate::world::Climate;

/// Purposes of dice are for everybody.
fn fate(text: String, rule: &'static str) -> Prompt {
    Prompt { waiting: text.clone(), text, rule }
}

/// A question to a faction, and what the others read.
pub(crate) fn ask(faction: Faction, text: &str, waiting: &str, rule: &'static str) -> Prompt {
    Prompt {
        text: format!("{}: {text}", faction.title()),
        waiting: format!("Waiting for {} {waiting}", the_faction(faction)),
        rule,
    }
}

impl Rules {
    /// The question to the mover, or the purpose of a die.
    pub(crate) fn prompt(&self, state: &State) -> Prompt {
        let frame = state.frame();
        if frame == Frame::Over {
            return fate("The game is over".to_owned(), "12.1");
        }
        if !frame.is_question() {
            return fate("The game goes on".to_owned(), "1.2");
        }
        if frame.is_fate() {
            return self.die_prompt(state, frame);
        }
        let faction = self.decider(state, frame);
        match frame {
            Frame::EvaluatePact => {
                let ends = i32::from(state.evaluations);
                let chance = match ends {
                    0 => "can't end it this time".to_owned(),
                    1 => "ends it on a 1".to_owned(),
                    _ => format!("ends it on 1 to {}", ends.min(6)),
                };
                let text = format!("evaluate the Nazi-Soviet Pact? The die {chance}");
                ask(faction, &text, "to evaluate the Pact or not", "10.2")
            }
            Frame::EndPact => ask(faction, "end the Nazi-Soviet Pact?", "to decide about the Pact", "10.2"),
            Frame::Declare(_) => ask(faction, "declare war, or go on", "to declare war or not", "10.1"),
            Frame::Influence(_) => {
                ask(faction, "apply Influence to which country?", "to apply Influence", "10.3")
            }
            Frame::LendLease => ask(faction, "Lend-Lease to whom?", "to give Lend-Lease", "9.1"),
            Frame::Relocate => ask(faction, "move which Factory east?", "to move a Factory or not", "9.1"),
            Frame::Rail(_) => {
                ask(faction, "which unit moves by rail or air?", "to make Strategic Moves", "4.8")
            }
            Frame::RailTo(unit) => {
                self.ask_where(faction, "where does", unit, "go?", "to finish a Strategic Move", "4.8")
            }
            Frame::Actions(_) => self.actions_prompt(state, faction),
            _ => self.land_prompt(state, faction, frame),
        }
    }

    /// "where does the 6th Army go?".
    pub(crate) fn ask_where(
        &self,
        faction: Faction,
        before: &str,
        unit: UnitId,
        after: &str,
        waiting: &str,
        rule: &'static str,
    ) -> Prompt {
        let before = match (before, self.verb(unit, "does", "do")) {
            ("where does", verb) => format!("where {verb}"),
            _ => before.to_owned(),
        };
        ask(faction, &format!("{before} {} {after}", self.unit_name(unit)), waiting, rule)
    }

    fn actions_prompt(&self, state: &State, faction: Faction) -> Prompt {
        let points: Vec<String> = crate::ids::Country::all()
            .filter(|country| {
                let entry = state.country(*country);
                entry.status == crate::state::Status::Active
                    && entry.side.player() == faction
                    && entry.points > 0
            })
            .map(|country| format!("{} {}", self.country_name(country), state.country(country).points))
            .collect();
        let points = match points.len() {
            0 => "no points left".to_owned(),
            1..=4 => format!("points left: {}", points.join(", ")),
            more => format!("points left: {} and {} more", points[..3].join(", "), more - 3),
        };
        ask(faction, &format!("the next action ({points})"), "to act", "6.1")
    }

    /// Activations and ground combat.
    fn land_prompt(&self, state: &State, faction: Faction, frame: Frame) -> Prompt {
        let fight = &state.fight;
        let (attacker, defender) = (self.unit_name(fight.primary), self.unit_name(fight.defender));
        let here = || self.at_place(fight.hex);
        match frame {
            Frame::Activation => {
                let unit = state.activation.unit;
                let text = format!(
                    "{} {}: move, attack or stop ({} MP left)",
                    self.unit_name(unit),
                    self.at_place(state.unit(unit).place),
                    state.activation.points
                );
                ask(faction, &text, &format!("to move {}", self.unit_name(unit)), "6.2")
            }
            Frame::Advance => {
                let text = format!("{} is free: advance with {attacker}?", self.place_words(fight.hex));
                ask(faction, &text, "to advance or not", "4.4")
            }
            Frame::Primary(hex) => {
                let text = format!("who leads the Assault on {}?", self.place_words(hex));
                ask(faction, &text, "to prepare an Assault", "6.3")
            }
            Frame::Additional => {
                let with = fight.more.iter().filter(|unit| unit.some().is_some()).count() as i32;
                let text =
                    format!("{attacker} attacks {defender} {}: add attackers ({with} of 2), or go", here());
                ask(faction, &text, "to prepare an Assault", "6.3")
            }
            Frame::AdvanceOne => {
                let text = format!("{} is free: who advances?", self.place_words(fight.hex));
                ask(faction, &text, "to advance or not", "5.3")
            }
            Frame::Trick(at) => {
                let mask = at == 0
                    && self.ready(state, Marker::Maskirovka, crate::markers::Owner::Faction(faction)) > 0;
                let what = if mask {
                    "Maskirovka (the defender commits nothing)"
                } else {
                    "ULTRA (see the enemy's commit marker first)"
                };
                let text = format!("{attacker} attacks {defender} {}: use {what}?", here());
                ask(faction, &text, "to use a marker or not", "14.0")
            }
            Frame::Commit(at) => {
                let hidden = if self.settings.secret { "in secret" } else { "in the open" };
                let (verb, other) =
                    if at == 0 { ("attacks", &defender) } else { ("defends against", &attacker) };
                let own = if at == 0 { &attacker } else { &defender };
                let text = format!(
                    "{own} {verb} {other} {}: commit aircraft or markers? You choose {hidden}",
                    here()
                );
                ask(faction, &text, "to choose a commit marker", "5.1")
            }
            Frame::Item(_) => {
                let text = format!("{attacker} against {defender} {}: what do you commit?", here());
                ask(faction, &text, "to commit aircraft or markers", "5.1")
            }
            Frame::Fort => {
                let text = format!("{defender} in the fort {}: stand or retreat?", here());
                ask(faction, &text, "to stand in the fort or leave it", "5.3")
            }
            Frame::Retreat => {
                self.ask_where(faction, "where does", fight.defender, "retreat?", "to retreat", "5.3")
            }
            Frame::Evacuate(unit) => {
                let text = format!("{} is lost: take it off by Naval Evacuation?", self.unit_name(unit));
                ask(faction, &text, "to use Naval Evacuation or not", "14.0")
            }
            _ => self.mission_prompt(state, faction, frame),
        }
    }

    /// What a die is rolled for.
    fn die_prompt(&self, state: &State, frame: Frame) -> Prompt {
        let side = |at: u8| if at == 0 { "attacker" } else { "defender" };
        match frame {
            Frame::WeatherDie(zone) => {
                let zone = Climate::ROLLED.get(usize::from(zone)).map_or("Desert", |zone| zone.title());
                fate(format!("Weather of the {zone} Zone, one die"), "11.0")
            }
            Frame::PactDie => fate("Evaluation of the Pact, one die".to_owned(), "10.2"),
            Frame::InfluenceDie(faction) => {
                let by = faction_adjective(faction);
                fate(format!("Influence after the {by} declaration of war, one die"), "10.1")
            }
            Frame::StrategicDie(against, at, _) => {
                let enemy = if against == 0 { "the West" } else { "the Soviets" };
                let whose = if at == 0 { "Axis" } else { "Allied" };
                fate(format!("Strategic combat against {enemy}, {whose} die"), "5.4")
            }
            Frame::FightDie(at) => {
                let fight = &state.fight;
                let what = match fight.manner {
                    Manner::Mobile => "Attack",
                    Manner::Assault => "Assault",
                    Manner::Landing => "Landing",
                };
                let text = format!(
                    "{what}, {} against {}, {}'s die",
                    self.unit_name(fight.primary),
                    self.unit_name(fight.defender),
                    side(at)
                );
                fate(text, "5.1")
            }
            Frame::DuelDie(at) => fate(format!("{}, {}'s die", self.duel_words(state), side(at)), "5.2"),
            Frame::DrawMarker(faction) => {
                let text = format!(
                    "{} a marker from the Diplomacy Cup",
                    crate::words::capitalized(&format!(
                        "{} {}",
                        the_faction(faction),
                        crate::words::faction_verb(faction, "draws", "draw")
                    ))
                );
                fate(text, "10.4")
            }
            Frame::FailureDie(_) => {
                fate("Political Failure: who applies Influence, one die".to_owned(), "10.4")
            }
            Frame::CoupDie(_, country) => {
                fate(format!("Coup in {}, one die", self.country_name(country)), "10.4")
            }
            Frame::KareliaDie => fate("Karelian Demands: does Finland give in? One die".to_owned(), "10.4"),
            Frame::AreaDie(at) => {
                let areas = &self.world.country(crate::ids::Country::FRA).overseas;
                let area = areas.get(usize::from(at)).map_or_else(String::new, |area| self.area_name(*area));
                fate(format!("{area}: Vichy (1–4) or the West (5–6), one die"), "13.4")
            }
            Frame::FleetDie(unit) => {
                fate(format!("{}: lost (1–4) or Free French (5–6), one die", self.unit_title(unit)), "13.4")
            }
            Frame::EntryDie(unit) => {
                fate(format!("Does {} come in this turn? One die", self.unit_name(unit)), "30.2")
            }
            _ => fate("One die".to_owned(), "1.1"),
        }
    }

    /// The choice of the Enter key: only where there is nothing else.
    pub(crate) fn default_choice(&self, state: &State) -> Option<Choice> {
        if !state.frame().is_question() || state.frame().is_fate() {
            return None;
        }
        let mut listed = Vec::new();
        self.list(state, &mut listed);
        match listed[..] {
            [only] => Some(only),
            _ => None,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ids::{Country, Node, Place, Side};
    use crate::state::Errand;
    use crate::testing::{position, put, rules};

    /// Every question and every die.
    pub(crate) fn every_question(unit: UnitId) -> Vec<Frame> {
        let (f, hex) = (Faction::Axis, Place::hex(900));
        vec![
            Frame::WeatherDie(0),
            Frame::PactDie,
            Frame::InfluenceDie(f),
            Frame::StrategicDie(0, 0, 0),
            Frame::StrategicDie(1, 1, 3),
            Frame::FightDie(0),
            Frame::DuelDie(1),
            Frame::DrawMarker(f),
            Frame::FailureDie(f),
            Frame::CoupDie(f, Country::GRE),
            Frame::KareliaDie,
            Frame::AreaDie(2),
            Frame::FleetDie(unit),
            Frame::EntryDie(unit),
            Frame::EvaluatePact,
            Frame::EndPact,
            Frame::Declare(f),
            Frame::Influence(f),
            Frame::LendLease,
            Frame::Relocate,
            Frame::Rail(f),
            Frame::RailTo(unit),
            Frame::Actions(f),
            Frame::Activation,
            Frame::Advance,
            Frame::Primary(hex),
            Frame::Additional,
            Frame::AdvanceOne,
            Frame::Trick(0),
            Frame::Commit(1),
            Frame::Item(0),
            Frame::DuelItem(0),
            Frame::Fort,
            Frame::Retreat,
            Frame::Evacuate(unit),
            Frame::RebaseTo(unit),
            Frame::SailTo(unit),
            Frame::Passenger(unit),
            Frame::TransportTo,
            Frame::InvadeWith(unit),
            Frame::InvadeAt,
            Frame::LandingMore,
            Frame::StrikeAt(unit),
            Frame::BombAt(unit),
            Frame::DropFrom(unit),
            Frame::DropAt,
            Frame::Escort,
            Frame::Intercept(f),
            Frame::CallOff,
            Frame::Press,
            Frame::Mulberry,
            Frame::Link(f),
            Frame::LinkTo(unit),
            Frame::Feed(hex),
            Frame::AirSupply(f),
            Frame::Replace(f),
            Frame::Mobilize(f),
            Frame::MobilizeAt(unit),
            Frame::Diplomacy(f),
            Frame::Coup(f),
            Frame::FinlandWar,
            Frame::BalticPro(f),
            Frame::ProMarker(f, Country::POL),
            Frame::PlaceAir(unit),
            Frame::Emergency(3),
            Frame::EmergencyAt(unit, 2),
            Frame::Over,
        ]
    }

    /// A position in which everything is under way at once.
    pub(crate) fn busy(rules: &Rules) -> State {
        let mut state = position(rules, &[(Country::GER, Side::Axis), (Country::POL, Side::Western)]);
        let attacker = put(rules, &mut state, "GER-16PZ", "3132");
        let defender = put(rules, &mut state, "POL-LOD", "3033");
        let fighter = put(rules, &mut state, "GER-LF1", "2730");
        let enemy = put(rules, &mut state, "POL-AIR", "2835");
        let ship = put(rules, &mut state, "GER-KM", "2526");
        state.activation = crate::state::Activation { unit: attacker, points: 7, begun: true };
        state.fight.primary = attacker;
        state.fight.defender = defender;
        state.fight.hex = state.unit(defender).place;
        state.duel.units = [fighter, enemy];
        let mission = &mut state.mission;
        (mission.errand, mission.unit, mission.passenger) = (Errand::Invasion, ship, attacker);
        (mission.to, mission.zone, mission.interceptor) = (Place::hex(900), Node::zone(13), enemy);
        state
    }

    #[test]
    fn every_question_is_asked_in_plain_words_with_its_rule() {
        let rules = rules();
        let mut state = busy(&rules);
        state.push(Frame::Flow);
        let mut texts = Vec::new();
        for frame in every_question(state.activation.unit) {
            state.become_frame(frame);
            let prompt = rules.prompt(&state);
            assert!(!prompt.rule.is_empty(), "{frame:?}");
            for text in [&prompt.text, &prompt.waiting] {
                assert!(text.len() > 10 && !text.contains("  "), "{frame:?}: {text}");
                assert!(
                    !text.contains("your choice") && !text.contains("GER-") && !text.contains('{'),
                    "{text}"
                );
            }
            if !frame.is_fate() && frame != Frame::Over {
                assert!(prompt.waiting.starts_with("Waiting for "), "{}", prompt.waiting);
            }
            texts.push(prompt.text);
        }
        texts.sort();
        texts.dedup();
        assert!(texts.len() >= 60, "many questions read the same");
    }

    #[test]
    fn a_die_says_what_it_is_for() {
        let rules = rules();
        let mut state = busy(&rules);
        state.push(Frame::FightDie(0));
        let prompt = rules.prompt(&state);
        assert_eq!(prompt.text, "Attack, the XVI Panzer Corps against the Lodz Army, attacker's die");
        assert_eq!((prompt.waiting, prompt.rule), (prompt.text.clone(), "5.1"));
        state.become_frame(Frame::Activation);
        let prompt = rules.prompt(&state);
        assert_eq!(prompt.text, "Axis: the XVI Panzer Corps in Breslau: move, attack or stop (7 MP left)");
        assert_eq!(prompt.waiting, "Waiting for the Axis to move the XVI Panzer Corps");
    }
}
