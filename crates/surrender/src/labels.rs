//! What a choice means here, in plain words and with its cost.

use crate::choice::Choice;
use crate::frame::Frame;
use crate::ids::{Place, UnitId};
use crate::markers::Marker;
use crate::rules::Rules;
use crate::state::{Fight, Manner, State};
use crate::tables::Diplomat;
use crate::words::{count, signed};

impl Rules {
    /// The label of a choice.
    pub(crate) fn label(&self, state: &State, choice: Choice) -> String {
        match choice {
            Choice::Die(die) => format!("Die {die}"),
            Choice::Drawn(marker) => format!("{} is drawn", self.diplomat_name(marker)),
            Choice::Pass => self.pass_label(state),
            Choice::End => "End the actions; the Supply Check follows".to_owned(),
            Choice::Declare(country) => format!("Declare war on {}", self.country_name(country)),
            Choice::Peace(country) => format!("Make peace with {}", self.country_name(country)),
            Choice::Evaluate => "Evaluate the Nazi-Soviet Pact".to_owned(),
            Choice::EndPact => "End the Nazi-Soviet Pact".to_owned(),
            Choice::Influence(country) => self.influence_label(state, country),
            Choice::LendLease(to) => lend_lease_label(to).to_owned(),
            Choice::Relocate(city) => {
                format!("Move the Factory of {} east: it counts again in two turns", self.city_name(city))
            }
            Choice::Order => {
                let production = &self.world.tables.production;
                format!(
                    "Order a Surprise Attack marker ({}, it comes in {})",
                    count(production.surprise, "point"),
                    count(production.surprise_delay, "turn")
                )
            }
            Choice::Draw => {
                format!(
                    "Draw a marker from the Diplomacy Cup ({})",
                    count(self.world.tables.production.draw, "point")
                )
            }
            Choice::Put(marker) => self.put_label(marker),
            Choice::Coup(country) => format!("A Coup in {}", self.country_name(country)),
            Choice::Court(country) => {
                format!("Place the Pro-marker on {}", self.country_name(country))
            }
            Choice::Play(marker) => format!("Play {}", self.marker_words(marker)),
            Choice::Use(marker) => format!("Use {}", self.marker_words(marker)),
            Choice::Partisans(hex) => format!("Place Partisans {}", self.at_place(hex)),
            Choice::LowCountries => {
                "Invade the Low Countries: Belgium and the Netherlands join the Western Allies".to_owned()
            }
            Choice::Wall(hex) => format!("Build an Atlantic Wall fort {}", self.at_place(hex)),
            Choice::Replace(unit) => self.replace_label(state, unit),
            Choice::Mobilize(unit) => self.mobilize_label(state, unit),
            _ => self.operation_label(state, choice),
        }
    }

    /// Actions, activations and combats on land.
    fn operation_label(&self, state: &State, choice: Choice) -> String {
        match choice {
            Choice::Activate(unit) => self.activate_label(state, unit),
            Choice::Assault(hex) => self.assault_label(state, hex),
            Choice::Step(to) => self.step_label(state, to),
            Choice::Attack(hex) => self.attack_label(state, hex),
            Choice::Stop => format!("End the activation of {}", self.unit_name(state.activation.unit)),
            Choice::Advance => format!("Advance to {}", self.place_words(state.fight.hex)),
            Choice::Stay => "Stay where you are".to_owned(),
            Choice::Primary(unit) => self.primary_label(state, unit),
            Choice::Go => self.go_label(state),
            Choice::Commit => "Will Commit: aircraft or markers".to_owned(),
            Choice::HoldBack => "Will Not Commit: use nothing".to_owned(),
            Choice::HoldBackAll => {
                "Will Not Commit, now and whenever you defend this month (everybody will know)".to_owned()
            }
            Choice::Air(unit) => {
                format!("Commit {} ({})", self.unit_name(unit), self.condition(state, unit))
            }
            Choice::Stand => {
                let end = match state.unit(state.fight.defender).level {
                    0 => "reduced",
                    _ => "eliminated",
                };
                format!("Stand in the fort: {} is {end}", self.unit_name(state.fight.defender))
            }
            Choice::GiveWay => "Leave the fort and retreat".to_owned(),
            Choice::Retreat(hex) => {
                format!(
                    "{} to {}",
                    self.unit_does(state.fight.defender, "retreats", "retreat"),
                    self.place_words(hex)
                )
            }
            Choice::Evacuate => {
                let unit = match state.frame() {
                    Frame::Evacuate(unit) => unit,
                    _ => state.fight.defender,
                };
                format!("Naval Evacuation: {} goes to the Mobilization Box", self.unit_name(unit))
            }
            Choice::Forward(unit) => {
                format!(
                    "{} to {}",
                    self.unit_does(unit, "advances", "advance"),
                    self.place_words(state.fight.hex)
                )
            }
            _ => self.mission_label(state, choice),
        }
    }

    /// The state of a unit in brackets: "reduced, Low Supply", "2 Sorties".
    pub(crate) fn condition(&self, state: &State, unit: UnitId) -> String {
        let Some(info) = self.world.units.get(unit.index()) else { return String::new() };
        let now = state.unit(unit);
        let mut parts = vec![match (info.kind.is_ground(), now.level) {
            (true, 0) => "full strength".to_owned(),
            (true, _) => "reduced".to_owned(),
            (false, sorties) => count(sorties, "Sortie"),
        }];
        if now.supply != crate::state::Supply::Full {
            parts.push(format!("{} Supply", now.supply.title()));
        }
        parts.join(", ")
    }

    fn pass_label(&self, state: &State) -> String {
        match state.frame() {
            Frame::EvaluatePact => "Leave the Pact alone",
            Frame::EndPact => "Keep the Pact",
            Frame::Declare(_) => "No more declarations",
            Frame::Influence(_) => "Apply no Influence",
            Frame::Relocate => "Move no Factory",
            Frame::Rail(_) => "No more Strategic Moves",
            Frame::Trick(0) if self.can_trick(state, Marker::Maskirovka) => "Keep Maskirovka",
            Frame::Trick(_) => "Keep ULTRA",
            Frame::Item(_) => "Commit nothing more",
            Frame::DuelItem(_) => "Use no marker",
            Frame::Evacuate(_) => "No Naval Evacuation",
            Frame::Mulberry => "Keep the Mulberry",
            Frame::Link(_) => "No more sea links",
            Frame::AirSupply(_) => "No Air Transport",
            Frame::Feed(_) => "Feed nobody else",
            Frame::Replace(_) => "No more replacements",
            Frame::Mobilize(_) => "Mobilize nothing more",
            Frame::Diplomacy(_) => "Buy nothing",
            Frame::FinlandWar => "Leave Finland in peace",
            Frame::ProMarker(..) => "Place no Pro-marker",
            Frame::Emergency(_) => "Mobilize nobody else",
            _ => "Pass",
        }
        .to_owned()
    }

    /// Whether the side that decides holds a marker that is used before step 2.
    fn can_trick(&self, state: &State, marker: Marker) -> bool {
        let faction = self.decider(state, state.frame());
        self.ready(state, marker, crate::markers::Owner::Faction(faction)) > 0
    }

    /// What Influence does there (10.3).
    fn influence_label(&self, state: &State, country: crate::ids::Country) -> String {
        let name = self.country_name(country);
        let faction = self.decider(state, state.frame());
        match state.country(country).pro {
            None => format!("Influence {name}: place your Pro-marker"),
            Some(own) if own == faction => format!("Influence {name}: it joins you"),
            Some(_) => format!("Influence {name}: the rival Pro-marker goes"),
        }
    }

    fn put_label(&self, marker: Diplomat) -> String {
        let cost = count(self.world.tables.production.put, "point");
        format!("Put {} into the Diplomacy Cup ({cost})", self.diplomat_name(marker))
    }

    /// A marker with what it adds: "Ground Support (+1)".
    fn marker_words(&self, marker: Marker) -> String {
        match self.world.markers[marker.index()].drm {
            0 => self.marker_name(marker).to_owned(),
            drm => format!("{} ({})", self.marker_name(marker), signed(drm)),
        }
    }

    fn replace_label(&self, state: &State, unit: UnitId) -> String {
        let production = &self.world.tables.production;
        let kind = self.kind(unit);
        let cost = count(production.replacement[kind as usize], "point");
        let now = state.unit(unit);
        let change = if kind.is_ground() {
            "full strength".to_owned()
        } else {
            let after = now.level.saturating_sub(production.replaced_sorties);
            format!("{} to {after}", count(now.level, "Sortie"))
        };
        format!("Replacement for {} {} ({cost}): {change}", self.unit_name(unit), self.at_place(now.place))
    }

    fn mobilize_label(&self, state: &State, unit: UnitId) -> String {
        let production = &self.world.tables.production;
        let cost = production.mobilization[self.kind(unit) as usize];
        match state.frame() {
            Frame::Emergency(_) => format!("Mobilize {} at no cost", self.unit_name(unit)),
            _ => format!("Mobilize {} ({})", self.unit_name(unit), count(cost, "point")),
        }
    }

    fn activate_label(&self, state: &State, unit: UnitId) -> String {
        format!(
            "Activate {} {} ({}, {} MP; {})",
            self.unit_name(unit),
            self.at_place(state.unit(unit).place),
            count(self.activation_cost(state, unit), "point"),
            self.allowance(state, unit),
            self.condition(state, unit)
        )
    }

    fn step_label(&self, state: &State, to: Place) -> String {
        let unit = state.activation.unit;
        let words = format!("Move {} to {}", self.unit_name(unit), self.place_words(to));
        let cost = unit.some().and_then(|unit| self.step_cost(state, unit, state.unit(unit).place, to));
        match cost {
            Some(cost) => {
                format!("{words}: {cost} MP, {} left", state.activation.points.saturating_sub(cost))
            }
            None => words,
        }
    }

    fn attack_label(&self, state: &State, hex: Place) -> String {
        let unit = state.activation.unit;
        let Some(defender) = self.ground_in(state, hex) else {
            return format!("Attack {}", self.place_words(hex));
        };
        let mut words = format!("Attack {} {}", self.unit_name(defender), self.at_place(hex));
        if let Some(cost) = unit.some().and_then(|unit| self.mobile_cost(state, unit, hex)) {
            let left = state.activation.points.saturating_sub(cost);
            words = format!("{words} ({cost} MP, {left} left)");
        }
        let fight = Fight { primary: unit, defender, hex, ..Fight::NONE };
        self.with_chances(state, words, &fight)
    }

    fn assault_label(&self, state: &State, hex: Place) -> String {
        match self.ground_in(state, hex) {
            Some(unit) => {
                let condition = self.condition(state, unit);
                format!("Assault {} {} ({condition})", self.unit_name(unit), self.at_place(hex))
            }
            None => format!("Assault {}", self.place_words(hex)),
        }
    }

    fn primary_label(&self, state: &State, unit: UnitId) -> String {
        let words = format!(
            "Primary Attacker: {} {} ({})",
            self.unit_name(unit),
            self.at_place(state.unit(unit).place),
            self.condition(state, unit)
        );
        let Frame::Primary(hex) = state.frame() else { return words };
        let Some(defender) = self.ground_in(state, hex) else { return words };
        let fight = Fight { manner: Manner::Assault, primary: unit, defender, hex, ..Fight::NONE };
        self.with_chances(state, words, &fight)
    }

    fn go_label(&self, state: &State) -> String {
        match state.frame() {
            Frame::LandingMore => "Land without more attackers".to_owned(),
            _ => self.with_chances(state, "Attack now".to_owned(), &state.fight),
        }
    }

    /// Adds the chance of a retreat or better, where the attackers stand beside the defender.
    pub(crate) fn with_chances(&self, state: &State, words: String, fight: &Fight) -> String {
        let place = fight.primary.some().map_or(Place::NONE, |unit| state.unit(unit).place);
        let beside = place.is_hex() && fight.hex.is_hex() && self.world.direction(place, fight.hex).is_some();
        if !beside || fight.defender.some().is_none() {
            return words;
        }
        let attacker = self.fight_sum(state, fight, 0);
        let defender = self.fight_sum(state, fight, 1);
        format!("{words}: {}", self.chance_words(&attacker, &defender))
    }

    /// The ground unit in a place that may be no hex.
    pub(crate) fn ground_in(&self, state: &State, place: Place) -> Option<UnitId> {
        if place.is_hex() { state.ground_at(place) } else { None }
    }
}

const fn lend_lease_label(to: u8) -> &'static str {
    match to {
        0 => "No Lend-Lease in this turn",
        1 => "Lend-Lease to the United Kingdom (4 points)",
        2 => "Lend-Lease to the Soviet Union (4 points)",
        _ => "Lend-Lease to both (8 points)",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{Country, Side};
    use crate::names::tests::every_choice;
    use crate::testing::{position, put, rules};

    /// Choices whose labels cost something that only the rules of movement, supply or combat know are tested with them.
    const fn has_a_price(choice: Choice) -> bool {
        matches!(choice, Choice::Activate(_) | Choice::Step(_) | Choice::Attack(_))
    }

    #[test]
    fn every_choice_has_a_label_in_plain_words() {
        let rules = rules();
        let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::POL, Side::Western)]);
        state.fight.defender = put(&rules, &mut state, "POL-LOD", "2933");
        state.fight.hex = state.unit(state.fight.defender).place;
        state.activation.unit = put(&rules, &mut state, "GER-16PZ", "2828");
        state.mission.unit = state.activation.unit;
        state.push(Frame::Actions(crate::ids::Faction::Axis));
        for choice in every_choice().into_iter().filter(|choice| !has_a_price(*choice)) {
            let label = rules.label(&state, choice);
            assert!(!label.contains("Id(") && !label.contains("Place("), "{label}");
            assert!(
                label.starts_with(|first: char| first.is_uppercase() || first.is_ascii_digit()),
                "{label}"
            );
            assert!(label.len() > 2 && !label.contains("  "), "{label}");
        }
    }

    #[test]
    fn labels_say_what_a_choice_means_here() {
        let rules = rules();
        let mut state = position(&rules, &[(Country::GER, Side::Axis), (Country::POL, Side::Western)]);
        let fighter = put(&rules, &mut state, "GER-LF1", "2828");
        state.unit_mut(fighter).level = 2;
        state.push(Frame::RebaseTo(fighter));
        let stettin = rules.world.place_named("2730").expect("a hex");
        assert_eq!(rules.label(&state, Choice::To(stettin)), "Rebase Luftflotte 1 to Stettin (2 hexes)");
        state.become_frame(Frame::Item(0));
        assert_eq!(rules.label(&state, Choice::Air(fighter)), "Commit Luftflotte 1 (2 Sorties)");
        assert_eq!(rules.label(&state, Choice::Use(Marker::GroundSupport)), "Use Ground Support (+1)");
        assert_eq!(rules.label(&state, Choice::Pass), "Commit nothing more");
        state.become_frame(Frame::Replace(crate::ids::Faction::Axis));
        let label = rules.label(&state, Choice::Replace(fighter));
        assert_eq!(label, "Replacement for Luftflotte 1 in Berlin (3 points): 2 Sorties to 0");
    }
}
