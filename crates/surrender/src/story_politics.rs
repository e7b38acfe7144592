//! What happened in politics, at home and in the order of a turn, in sentences with their rules.

use crate::game_event::{GameEvent, WillCause};
use crate::ids::{Country, Faction, Side};
use crate::rules::Rules;
use crate::tables::Diplomat;
use crate::words::{
    capitalized, count, event_title, faction_adjective, faction_verb, month_words, signed, the_faction,
    the_side,
};
use crate::world::Climate;

/// "The Axis draws".
fn does(faction: Faction, one: &'static str, many: &'static str) -> String {
    format!("{} {}", capitalized(the_faction(faction)), faction_verb(faction, one, many))
}

impl Rules {
    /// Seasons, points, purchases.
    pub(crate) fn politics_words(&self, event: &GameEvent) -> (String, &'static str) {
        let place = |place| self.place_words(place);
        match *event {
            GameEvent::Turn(turn) => (format!("{} begins", month_words(turn)), "1.2"),
            GameEvent::Weather(zone, die, weather) => {
                let zone = Climate::ROLLED.get(usize::from(zone)).map_or("Desert", |zone| zone.title());
                let die = if die == 0 { String::new() } else { format!(" (die {die})") };
                (format!("Weather in the {zone} Zone: {}{die}", weather.title()), "11.0")
            }
            GameEvent::Income(country, points) => {
                (format!("{} has {}", self.country_title(country), count(points, "point")), "9.1")
            }
            GameEvent::Strategic(enemy, ref one, ref other, result, germany, ally) => {
                let (whom, which) = match enemy {
                    Faction::Soviet => ("the Soviets", "the Soviet Union"),
                    _ => ("the West", "the United Kingdom"),
                };
                let text = format!(
                    "Strategic combat against {whom}: Axis: {}; {}: {}. {}: Fac Lost of Germany is {germany}, of {which} {ally}",
                    self.sum_words(one),
                    if enemy == Faction::Soviet { "Soviets" } else { "West" },
                    self.sum_words(other),
                    strategic_words(result)
                );
                (text, "5.4")
            }
            GameEvent::Replaced(unit, points) => {
                let now = if self.kind(unit).is_ground() { "back at full strength" } else { "refitted" };
                let verb = self.verb(unit, "is", "are");
                (format!("{} {verb} {now} ({})", self.unit_title(unit), count(points, "point")), "8.1")
            }
            GameEvent::Upgraded(old, new) => (
                format!(
                    "{} {} {}",
                    self.unit_title(new),
                    self.verb(new, "replaces", "replace"),
                    self.unit_name(old)
                ),
                "8.2",
            ),
            GameEvent::Mobilized(unit, at, points) => {
                let cost = if points == 0 { "at no cost".to_owned() } else { count(points, "point") };
                (format!("{} mobilized in {} ({cost})", self.unit_does(unit, "is", "are"), place(at)), "8.3")
            }
            GameEvent::Placed(unit, at) => {
                (format!("{} {}", self.unit_does(unit, "appears", "appear"), self.at_place(at)), "30.3")
            }
            GameEvent::Pooled(unit) => {
                (format!("{} the Mobilization Box", self.unit_does(unit, "enters", "enter")), "8.3")
            }
            GameEvent::Entry(unit, die, comes) => {
                let what = if comes { "arrives" } else { "is late" };
                let many = if comes { "arrive" } else { "are late" };
                (format!("{} (die {die})", self.unit_does(unit, what, many)), "30.2")
            }
            GameEvent::Ordered(faction, turn) => (
                format!(
                    "{} a Surprise Attack marker for {}",
                    does(faction, "orders", "order"),
                    month_words(turn)
                ),
                "9.3",
            ),
            GameEvent::FactoryMoved(city) => {
                (format!("The Factory of {} is moved east", self.city_name(city)), "9.1")
            }
            GameEvent::LendLease(uk, ussr) => (lend_lease_words(uk, ussr), "9.1"),
            _ => self.diplomacy_words(event),
        }
    }

    /// War and peace between countries, Influence, the Diplomacy Cup.
    fn diplomacy_words(&self, event: &GameEvent) -> (String, &'static str) {
        let name = |country: Country| self.country_name(country);
        let title = |country: Country| self.country_title(country);
        match *event {
            GameEvent::PactEvaluated(die, ended) => {
                let what = if ended { "it ends" } else { "it holds" };
                (format!("The Nazi-Soviet Pact is evaluated (die {die}): {what}"), "10.2")
            }
            GameEvent::PactEnded => {
                ("The Nazi-Soviet Pact is over: the Axis and the Soviets are at war".to_owned(), "10.2")
            }
            GameEvent::Declared(faction, country) => {
                (format!("{} war on {}", does(faction, "declares", "declare"), name(country)), "10.1")
            }
            GameEvent::Peace(country) => (format!("The Soviets make peace with {}", name(country)), "2.2"),
            GameEvent::InfluenceDie(die, Some(faction)) => {
                (format!("Die {die}: {} may apply Influence", the_faction(faction)), "10.1")
            }
            GameEvent::InfluenceDie(die, None) => (format!("Die {die}: nobody applies Influence"), "10.1"),
            GameEvent::Influence(faction, country, what) => {
                let who = does(faction, "applies", "apply");
                let what = match what {
                    0 => "a Pro-marker is placed".to_owned(),
                    1 => format!("it joins {}", the_faction(faction)),
                    _ => "the rival Pro-marker goes".to_owned(),
                };
                (format!("{who} Influence to {}: {what}", name(country)), "10.3")
            }
            GameEvent::ProMarker(country, Some(faction)) => {
                (format!("{} is now Pro-{}", title(country), faction_adjective(faction)), "10.3")
            }
            GameEvent::ProMarker(country, None) => {
                (format!("{} leans to nobody any more", title(country)), "10.3")
            }
            GameEvent::Drew(faction, marker) => {
                (format!("{} {}", does(faction, "draws", "draw"), self.diplomat_name(marker)), "10.4")
            }
            GameEvent::PutIn(faction, marker) => (
                format!(
                    "{} {} into the Diplomacy Cup",
                    does(faction, "puts", "put"),
                    self.diplomat_name(marker)
                ),
                "10.4",
            ),
            GameEvent::Coup(faction, country, die) => {
                let who = does(faction, "attempts", "attempt");
                let end = if die == 6 { "it fails" } else { "it succeeds" };
                (format!("{who} a Coup in {} (die {die}): {end}", name(country)), "10.4")
            }
            _ => self.fate_words(event),
        }
    }

    /// What becomes of countries, and how the game ends.
    fn fate_words(&self, event: &GameEvent) -> (String, &'static str) {
        let title = |country: Country| self.country_title(country);
        match *event {
            GameEvent::Joined(country, Side::Lone) => (
                format!("{} fights the Soviets alone; the Western player moves its units", title(country)),
                "2.2",
            ),
            GameEvent::Joined(country, side) => {
                (format!("{} joins {}", title(country), the_side(side)), "13.1")
            }
            GameEvent::Left(country) => (format!("{} is out of the war", title(country)), "10.5"),
            GameEvent::Absorbed(country, faction) => (
                format!(
                    "{} {} without a fight",
                    does(faction, "takes over", "take over"),
                    self.country_name(country)
                ),
                "10.5",
            ),
            GameEvent::Crisis(country) => {
                let text = format!(
                    "{} is in crisis: its full ground units are reduced, no points next turn",
                    title(country)
                );
                (text, "13.2")
            }
            GameEvent::Conquered(country, side) => {
                (format!("{} is conquered by {}", title(country), the_side(side)), "13.3")
            }
            GameEvent::Liberated(country, faction) => {
                (format!("{} is liberated by {}", title(country), the_faction(faction)), "13.6")
            }
            GameEvent::Will(country, by, now, cause) => (self.will_words(country, by, now, cause), "2.1.2"),
            GameEvent::CededArea(area) => {
                let claimant =
                    self.world.disputed.get(usize::from(area)).map_or(Country::NONE, |area| area.claimant);
                (format!("{} goes to {}", self.disputed_name(area), self.country_name(claimant)), "17.0")
            }
            GameEvent::FrenchArea(area, die, vichy) => {
                let areas = &self.world.country(Country::FRA).overseas;
                let name =
                    areas.get(usize::from(area)).map_or_else(String::new, |area| self.area_name(*area));
                let end = if vichy { "stays with Vichy France" } else { "goes over to the Western Allies" };
                (format!("{name} {end} (die {die})"), "13.4")
            }
            GameEvent::FrenchFleet(unit, die, free) => {
                let end = if free { "joins the Free French" } else { "is out of the war" };
                (format!("{} {end} (die {die})", self.unit_title(unit)), "13.4")
            }
            GameEvent::Occurred(bit) => (format!("Event: {}", event_title(bit)), "13.5"),
            GameEvent::LowCountries => ("The Axis invades the Low Countries".to_owned(), "30.6"),
            GameEvent::Verdict(_) => ("The game is over".to_owned(), "12.1"),
            _ => (String::new(), ""),
        }
    }

    fn will_words(&self, country: Country, by: i16, now: i16, cause: WillCause) -> String {
        let what = format!("National Will of {}", self.country_name(country));
        if cause == WillCause::Reset {
            return format!("{what} starts at {now}");
        }
        let why = match cause {
            WillCause::UnitLost(unit) => format!("{} lost", self.unit_name(unit)),
            WillCause::City(city) if by < 0 => format!("{} lost", self.city_name(city)),
            WillCause::City(city) => format!("{} regained", self.city_name(city)),
            WillCause::Ceded(area) => format!("{} ceded", self.disputed_name(area)),
            WillCause::Conquest(victim) => format!("{} conquered", self.country_name(victim)),
            WillCause::Collapse(victim) => format!("{} collapsed", self.country_name(victim)),
            WillCause::Diplomacy(Diplomat::Coup) => "a Coup".to_owned(),
            WillCause::Diplomacy(marker) => self.diplomat_name(marker).to_owned(),
            WillCause::Reset => String::new(),
        };
        format!("{what} {} ({why}): {now}", signed(by))
    }
}

/// What a strategic combat came to.
const fn strategic_words(result: crate::tables::CombatResult) -> &'static str {
    use crate::tables::CombatResult as R;
    match result {
        R::NoEffect => "No decision",
        R::AttackerAttrition | R::AttackerStopped => "The Allies gain ground",
        _ => "The Axis gains ground",
    }
}

fn lend_lease_words(uk: i16, ussr: i16) -> String {
    match (uk, ussr) {
        (0, 0) => "No Lend-Lease in this turn".to_owned(),
        (uk, 0) => format!("Lend-Lease: {} for the United Kingdom", count(uk, "point")),
        (0, ussr) => format!("Lend-Lease: {} for the Soviet Union", count(ussr, "point")),
        (uk, ussr) => {
            format!("Lend-Lease: {} for the United Kingdom, {ussr} for the Soviet Union", count(uk, "point"))
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::game_event::{Loss, Sum};
    use crate::ids::{City, Node, Place, UnitId};
    use crate::markers::Marker;
    use crate::standing::Reaction;
    use crate::state::{Errand, Manner, Occasion, Supply};
    use crate::tables::{CombatResult, Line, Weather};
    use crate::testing::rules;

    /// A sum with a line and a die.
    fn sum(value: i8, die: u8) -> Sum {
        let mut sum = Sum { die, ..Sum::EMPTY };
        sum.add(Line::Germany, value);
        sum
    }

    /// One event of every kind, and of every form that reads differently.
    pub(crate) fn every_event(rules: &Rules) -> Vec<GameEvent> {
        use GameEvent as E;
        let unit = |id: &str| rules.world.unit_named(id).expect("a unit");
        let (a, d, convoy) = (unit("GER-16PZ"), unit("POL-LOD"), unit("GER-CV1"));
        let (hex, berlin) = (Place::hex(1200), City(0));
        let (axis, result) = (Faction::Axis, CombatResult::DefenderRetreats);
        let mut all = vec![
            E::Turn(0),
            E::Weather(1, 4, Weather::Poor),
            E::Income(Country::UK, 11),
            E::Activated(a, 2, Country::GER),
            E::Stepped(a, hex, Place::CRU),
            E::Stopped(a),
            E::Shown(Side::Western, true),
            E::StandsBy(Faction::Western, Reaction::Intercept),
            E::StandsBy(axis, Reaction::Commit),
            E::AirCommitted(unit("GER-LF2")),
            E::Played(Side::Axis, Marker::GroundSupport),
            E::Fought(a, d, hex, sum(2, 4), sum(0, 3), result),
            E::Strategic(Faction::Western, sum(2, 4), sum(1, 3), result, 2, 4),
            E::Strategic(Faction::Soviet, sum(2, 4), sum(1, 3), CombatResult::AttackerStopped, 2, 4),
            E::Retreated(d, hex, Place::hex(1201)),
            E::HeldOut(d),
            E::Reduced(d),
            E::Sorties(convoy, 1, 2),
            E::Evacuated(d),
            E::Advanced(a, hex),
            E::NoEzoc(hex),
            E::Captured(hex, Side::Western, Side::Axis),
            E::Displaced(convoy, hex, Place::hex(5)),
            E::Relocated(a, hex, Place::hex(5)),
            E::Placed(a, hex),
            E::Pooled(a),
            E::Upgraded(unit("GER-5A"), unit("GER-18A")),
            E::Railed(a, hex, Place::hex(5)),
            E::Rebased(unit("GER-LF2"), hex, Place::hex(5)),
            E::Escorted(unit("GER-KM")),
            E::Intercepted(unit("GER-KM"), Node::zone(13)),
            E::CalledOff(convoy),
            E::Arrived(convoy, hex),
            E::Landed(a, hex),
            E::Bombed(unit("UK-BC"), berlin),
            E::Partisans(Faction::Soviet, hex, true),
            E::Partisans(Faction::Soviet, hex, false),
            E::Mulberry(hex),
            E::Wall(hex, true),
            E::Wall(hex, false),
            E::Supplied(a, Supply::Full, Supply::Low),
            E::Linked(convoy, hex, Place::ENA),
            E::Replaced(a, 2),
            E::Mobilized(a, hex, 2),
            E::Ordered(axis, 10),
            E::FactoryMoved(berlin),
            E::LendLease(4, 4),
            E::PactEvaluated(3, false),
            E::PactEnded,
            E::Declared(Faction::Soviet, Country::FIN),
            E::Peace(Country::FIN),
            E::InfluenceDie(4, Some(axis)),
            E::InfluenceDie(4, None),
            E::ProMarker(Country::ITA, Some(axis)),
            E::ProMarker(Country::ITA, None),
            E::Drew(axis, Diplomat::Success),
            E::PutIn(axis, Diplomat::Coup),
            E::Coup(axis, Country::YUG, 3),
            E::Joined(Country::ITA, Side::Axis),
            E::Joined(Country::FIN, Side::Lone),
            E::Left(Country::FIN),
            E::Absorbed(Country::EST, Faction::Soviet),
            E::Crisis(Country::UK),
            E::Conquered(Country::POL, Side::Axis),
            E::Liberated(Country::POL, Faction::Soviet),
            E::CededArea(0),
            E::FrenchArea(1, 5, false),
            E::FrenchFleet(unit("FRA-ATL"), 2, false),
            E::Occurred(crate::state::event::EAST),
            E::Entry(a, 3, true),
            E::LowCountries,
            E::Verdict(0),
        ];
        let manners = [Manner::Mobile, Manner::Assault, Manner::Landing];
        all.extend(manners.map(|manner| E::Attack(manner, a, [unit("GER-6A"), UnitId::NONE], d, hex)));
        let occasions = [Occasion::AirSupport, Occasion::Strike, Occasion::Escort, Occasion::Interdiction];
        all.extend(occasions.map(|why| E::Dueled(why, convoy, d, sum(1, 2), sum(2, 2), result)));
        let errands = [
            Errand::Sail,
            Errand::Transport,
            Errand::Invasion,
            Errand::Bombing,
            Errand::Airdrop,
            Errand::Link,
        ];
        all.extend(errands.map(|errand| E::SetOut(errand, convoy, a, hex)));
        all.extend(errands.map(|errand| E::Interdicted(errand, convoy)));
        let losses =
            [Loss::Defending, Loss::Attacking, Loss::Supply, Loss::Sorties, Loss::Displaced, Loss::Country];
        all.extend(losses.map(|loss| E::Lost(d, loss)));
        all.extend([0, 1, 2].map(|what| E::Influence(axis, Country::ITA, what)));
        let causes = [
            WillCause::UnitLost(d),
            WillCause::City(berlin),
            WillCause::Ceded(1),
            WillCause::Conquest(Country::POL),
            WillCause::Collapse(Country::UK),
            WillCause::Diplomacy(Diplomat::Vienna),
            WillCause::Reset,
        ];
        all.extend(causes.map(|cause| E::Will(Country::GER, -2, 18, cause)));
        all
    }

    #[test]
    fn every_event_has_a_line_with_a_rule_and_no_raw_names() {
        let rules = rules();
        let ids: Vec<&str> = rules.world.units.iter().map(|unit| unit.id.as_str()).collect();
        for event in every_event(&rules) {
            let line = rules.log_line(&event);
            assert!(line.text.len() > 8, "{event:?}: {:?}", line.text);
            assert!(!line.rule.is_empty(), "{event:?}");
            assert!(
                line.text.starts_with(char::is_uppercase)
                    || line.text.starts_with(|c: char| c.is_ascii_digit()),
                "{}",
                line.text
            );
            assert!(!ids.iter().any(|id| line.text.contains(id)), "{}", line.text);
            assert!(!line.text.contains("  ") && !line.text.ends_with('.'), "{}", line.text);
        }
    }

    #[test]
    fn a_combat_is_told_as_two_sums() {
        let rules = rules();
        let unit = |id: &str| rules.world.unit_named(id).expect("a unit");
        let lodz = rules.world.city(rules.world.city_named("lodz").expect("a city")).hex;
        let mut attacker = sum(2, 5);
        attacker.add(Line::TankFair, 2);
        let event = GameEvent::Fought(
            unit("GER-16PZ"),
            unit("POL-LOD"),
            lodz,
            attacker,
            Sum { die: 3, ..Sum::EMPTY },
            CombatResult::DefenderDisrupted,
        );
        let line = rules.log_line(&event);
        let told = "The XVI Panzer Corps against the Lodz Army in Lodz: German unit +2, tanks in Fair weather +2, \
                    die 5: 9; defender: die 3: 3. Defender Disrupted (DD)";
        assert_eq!((line.text.as_str(), line.rule, line.aside), (told, "5.3", false));
        let line =
            rules.log_line(&GameEvent::Will(Country::POL, -1, 15, WillCause::UnitLost(unit("POL-LOD"))));
        assert_eq!(line.text, "National Will of Poland −1 (the Lodz Army lost): 15");
    }
}
