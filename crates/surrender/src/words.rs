//! Names of places, units, countries and sides as people say them, and small pieces of sentences.

use crate::game_event::Sum;
use crate::ids::{City, Country, Faction, Node, Place, Side, UnitId};
use crate::markers::Marker;
use crate::rules::Rules;
use crate::state::{Phase, event};
use crate::tables::{CombatResult, Diplomat, final_value, month_of};

/// How far a hex may lie from a city to be named after it.
const NEAR: u32 = 3;

/// Names that take no article: "Luftflotte 2 supports", but "the 6th Army attacks".
const BARE_STARTS: [&str; 10] = [
    "Luftflotte",
    "Force ",
    "Task Force",
    "Panzer Group",
    "Group ",
    "Coast garrison",
    "Home Guard",
    "Fortress",
    "Upper ",
    "VIII Fighter",
];
const BARE_ENDS: [&str; 4] = ["Command", " Air", "Defence", "Aviation"];

/// `1 step`, `2 steps`.
pub(crate) fn count(n: impl Into<i32>, what: &str) -> String {
    let n = n.into();
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// "A, B and C".
pub(crate) fn and_list<S: AsRef<str>>(items: &[S]) -> String {
    match items {
        [] => String::new(),
        [one] => one.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// The same with a capital letter.
pub(crate) fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A sentence as a part of another: only words that begin a sentence lose their capital.
pub(crate) fn within_sentence(text: &str) -> String {
    const LOWER: [&str; 8] = ["The", "A", "An", "No", "Nobody", "War", "Peace", "Points"];
    let first = text.split(' ').next().unwrap_or_default();
    if LOWER.contains(&first) { text[..1].to_lowercase() + &text[1..] } else { text.to_owned() }
}

/// A modifier: `+2`, `−1`.
pub(crate) fn signed(value: impl Into<i32>) -> String {
    let value = value.into();
    if value < 0 { format!("−{}", -value) } else { format!("+{value}") }
}

/// "the Axis".
pub(crate) const fn the_faction(faction: Faction) -> &'static str {
    match faction {
        Faction::Axis => "the Axis",
        Faction::Western => "the Western Allies",
        Faction::Soviet => "the Soviets",
    }
}

/// A verb after a faction: the Axis is one, the others are many.
pub(crate) const fn faction_verb(faction: Faction, one: &'static str, many: &'static str) -> &'static str {
    match faction {
        Faction::Axis => one,
        _ => many,
    }
}

/// "the Axis", "Lone countries", "nobody".
pub(crate) const fn the_side(side: Side) -> &'static str {
    match side {
        Side::Axis => "the Axis",
        Side::Western => "the Western Allies",
        Side::Soviet => "the Soviets",
        Side::Lone => "the Lone countries",
        Side::Nobody => "nobody",
    }
}

/// The word of a side for programs.
pub(crate) const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Axis => "axis",
        Side::Western => "western",
        Side::Soviet => "soviet",
        Side::Lone => "lone",
        Side::Nobody => "nobody",
    }
}

/// Of a faction: "Axis", "Western", "Soviet".
pub(crate) const fn faction_adjective(faction: Faction) -> &'static str {
    match faction {
        Faction::Axis => "Axis",
        Faction::Western => "Western",
        Faction::Soviet => "Soviet",
    }
}

/// The months.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A month: "September 1939".
pub fn month_words(turn: u8) -> String {
    let (year, month) = month_of(turn);
    format!("{} {year}", MONTHS[usize::from(month - 1)])
}

/// A phase for people.
pub(crate) const fn phase_title(phase: Phase) -> &'static str {
    match phase {
        Phase::Weather => "Weather",
        Phase::DeclareWar => "Declare War",
        Phase::Economy => "Economy",
        Phase::Strategic => "Strategic Warfare",
        Phase::Rail => "Strategic Movement",
        Phase::Actions => "Operations: Actions",
        Phase::Supply => "Operations: Supply Check",
        Phase::NoSupply => "No Supply",
        Phase::Replacements => "Replacements",
        Phase::Upgrade => "Upgrade",
        Phase::Mobilization => "Mobilization",
        Phase::Diplomacy => "Diplomacy",
        Phase::Victory => "Victory Check",
        Phase::EndOfTurn => "End of Turn",
    }
}

/// A result of ground combat for people.
pub(crate) const fn result_words(result: CombatResult) -> &'static str {
    match result {
        CombatResult::AttackerAttrition => "Attacker Attrition (AA)",
        CombatResult::AttackerStopped => "Attacker Stopped (AS)",
        CombatResult::NoEffect => "no effect",
        CombatResult::DefenderRetreats => "Defender Retreats (DR)",
        CombatResult::DefenderDisrupted => "Defender Disrupted (DD)",
        CombatResult::DefenderEliminated => "Defender Eliminated (DE)",
    }
}

/// The name of a conditional event (13.5).
pub(crate) const fn event_title(bit: u8) -> &'static str {
    match bit {
        event::EAST => "East Invaded",
        event::WEST => "West Invaded",
        event::MEDITERRANEAN => "Mediterranean Crisis",
        event::NORTH => "USSR Northern Border",
        event::SOUTH => "USSR Southern Border",
        _ => "USA Entry",
    }
}

/// The words of an area's id: `spanish_morocco` is "Spanish Morocco".
fn id_words(id: &str) -> String {
    let words: Vec<String> = id.split(['-', '_']).map(capitalized).collect();
    words.join(" ")
}

impl Rules {
    // --- units ------------------------------------------------------------------------------------------------------

    /// A unit without an article: "German 6th Army", "XVI Panzer Corps". The nationality stands where another country has a
    /// unit of the same name.
    pub(crate) fn bare_name(&self, unit: UnitId) -> String {
        let Some(info) = self.world.units.get(unit.index()) else { return "nobody".to_owned() };
        let is_shared = |name: &str| {
            self.world.units.iter().any(|other| other.name == name && other.country != info.country)
        };
        if is_shared(&info.name) {
            format!("{} {}", self.world.country(info.country).nationality, info.name)
        } else {
            info.name.clone()
        }
    }

    /// A unit in a sentence: "the XVI Panzer Corps", "Luftflotte 2".
    pub(crate) fn unit_name(&self, unit: UnitId) -> String {
        let name = self.bare_name(unit);
        let is_bare = unit.some().is_none()
            || BARE_STARTS.iter().any(|start| name.starts_with(start))
            || BARE_ENDS.iter().any(|end| name.ends_with(end));
        if is_bare { name } else { format!("the {name}") }
    }

    /// The same at the start of a sentence.
    pub(crate) fn unit_title(&self, unit: UnitId) -> String {
        capitalized(&self.unit_name(unit))
    }

    /// A verb after a unit: convoys are many.
    pub(crate) fn verb(&self, unit: UnitId, one: &'static str, many: &'static str) -> &'static str {
        let is_many = self.world.units.get(unit.index()).is_some_and(|info| {
            info.name.contains("Convoys") || info.name.ends_with("Forces") || info.name.ends_with("Troops")
        });
        if is_many { many } else { one }
    }

    /// "The XVI Panzer Corps advances".
    pub(crate) fn unit_does(&self, unit: UnitId, one: &'static str, many: &'static str) -> String {
        format!("{} {}", self.unit_title(unit), self.verb(unit, one, many))
    }

    // --- places -----------------------------------------------------------------------------------------------------

    /// The city nearest to a hex, if one is near enough.
    pub(crate) fn city_near(&self, hex: Place) -> Option<City> {
        if !hex.is_hex() {
            return None;
        }
        let far = |city: &City| self.world.distance(hex, self.world.city(*city).hex);
        City::all().min_by_key(far).filter(|city| far(city) <= NEAR)
    }

    /// A place in a sentence: "Lodz", "2933 near Lodz", "the Central Russia Box".
    pub(crate) fn place_words(&self, place: Place) -> String {
        match place {
            Place::CRU => "the Central Russia Box".to_owned(),
            Place::ENA => "the Eastern North America Box".to_owned(),
            Place::WIO => "the Western Indian Ocean Box".to_owned(),
            Place::POOL => "the Mobilization Box".to_owned(),
            Place::OUT | Place::LATER | Place::NONE => "nowhere".to_owned(),
            hex if !hex.is_hex() => "nowhere".to_owned(),
            hex => match (self.world.city_at(hex), self.city_near(hex)) {
                (Some(city), _) => self.world.city(city).name.clone(),
                (None, Some(city)) => {
                    format!("{} near {}", self.world.place_name(hex), self.world.city(city).name)
                }
                (None, None) => self.world.place_name(hex),
            },
        }
    }

    /// Where something is: "in Lodz", "at 2933 near Lodz".
    pub(crate) fn at_place(&self, place: Place) -> String {
        let is_bare_hex = place.is_hex() && self.world.city_at(place).is_none();
        format!("{} {}", if is_bare_hex { "at" } else { "in" }, self.place_words(place))
    }

    /// The name of a city.
    pub(crate) fn city_name(&self, city: City) -> &str {
        self.world.cities.get(city.index()).map_or("nowhere", |info| &info.name)
    }

    /// A Sea Zone in a sentence: "the Bay of Biscay (Sea Zone 9)".
    pub(crate) fn node_words(&self, node: Node) -> String {
        let Some(info) = self.world.nodes.get(node.index()) else { return "the open sea".to_owned() };
        if node.is_box() {
            return format!("the {}", info.name);
        }
        let article = if info.name.ends_with("Cape") { "" } else { "the " };
        format!("{article}{} (Sea Zone {})", info.name, node.number())
    }

    /// A Disputed Area for people: "Eastern Poland".
    pub(crate) fn disputed_name(&self, area: u8) -> String {
        self.world.disputed.get(usize::from(area)).map_or_else(String::new, |area| id_words(&area.id))
    }

    /// An Overseas Area for people: "Tunisia".
    pub(crate) fn area_name(&self, area: u8) -> String {
        self.world.areas.get(usize::from(area)).map_or_else(String::new, |area| id_words(&area.id))
    }

    // --- countries and markers --------------------------------------------------------------------------------------

    /// A country in a sentence: "Poland", "the Netherlands".
    pub(crate) fn country_name(&self, country: Country) -> String {
        let Some(info) = self.world.countries.get(country.index()) else {
            return "Saudi Arabia".to_owned();
        };
        match country {
            Country::UK | Country::USA | Country::USSR | Country::NED => format!("the {}", info.name),
            _ => info.name.clone(),
        }
    }

    /// The same at the start of a sentence.
    pub(crate) fn country_title(&self, country: Country) -> String {
        capitalized(&self.country_name(country))
    }

    /// One of the countries of a set: "Denmark or Norway".
    pub(crate) fn one_of(&self, set: u32) -> String {
        let names: Vec<String> = Country::all()
            .filter(|country| set >> country.index() & 1 != 0)
            .map(|country| self.country_name(country))
            .collect();
        and_list(&names).replace(" and ", " or ")
    }

    /// An event marker for people: "Ground Support".
    pub(crate) fn marker_name(&self, marker: Marker) -> &str {
        &self.world.markers[marker.index()].name
    }

    /// A marker of the Diplomacy Cup for people: "Political Success".
    pub(crate) fn diplomat_name(&self, marker: Diplomat) -> &str {
        &self.world.tables.diplomacy[marker as usize].name
    }

    // --- sums -------------------------------------------------------------------------------------------------------

    /// The value of a side of a combat: the die, the modifiers within their limit, the halvings. Rule 5.1 steps 4 and 5.
    pub(crate) fn sum_value(&self, sum: &Sum) -> i32 {
        final_value(sum.die, sum.total(), sum.halvings, self.world.tables.drm_limit)
    }

    /// A side of a combat as a sum: "German unit +2, tanks in Fair weather +2, die 5: 9".
    pub(crate) fn sum_words(&self, sum: &Sum) -> String {
        let limit = self.world.tables.drm_limit;
        let mut parts: Vec<String> =
            sum.lines().iter().map(|(line, value)| format!("{} {}", line.words(), signed(*value))).collect();
        let total = sum.total();
        if total.abs() > limit {
            parts.push(format!("{} counts as {}", signed(total), signed(total.clamp(-limit, limit))));
        }
        parts.push(format!("die {}", sum.die));
        let raw = i32::from(sum.die) + i32::from(total.clamp(-limit, limit));
        let value = self.sum_value(sum);
        let halved = match sum.halvings {
            0 if raw < value => format!(", counts as {value}"),
            0 => String::new(),
            1 => format!(", halved: {value}"),
            2 => format!(", halved twice: {value}"),
            _ => format!(", halved three times: {value}"),
        };
        let raw = if raw < 0 { signed(raw) } else { raw.to_string() };
        format!("{}: {raw}{halved}", parts.join(", "))
    }

    /// The chance of a retreat or better, in words: "61 % retreat or better".
    pub(crate) fn chance_words(&self, attacker: &Sum, defender: &Sum) -> String {
        let good: u32 = self.fight_odds(&[*attacker, *defender])[3..].iter().sum();
        format!("{} % retreat or better", (good * 100 + 18) / 36)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Line;
    use crate::testing::rules;

    #[test]
    fn units_are_called_by_names_that_say_whose_they_are() {
        let rules = rules();
        let name = |id: &str| rules.unit_name(rules.world.unit_named(id).expect("a unit"));
        assert_eq!(name("GER-6A"), "the German 6th Army");
        assert_eq!(name("GER-16PZ"), "the XVI Panzer Corps");
        assert_eq!(name("GER-LF2"), "Luftflotte 2");
        assert_eq!(name("GER-CV1"), "the German Baltic Convoys");
        assert_eq!(rules.unit_name(UnitId::NONE), "nobody");
        let mut names: Vec<String> = UnitId::all().map(|unit| rules.bare_name(unit)).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), crate::ids::UNITS, "two units have the same name");
    }

    #[test]
    fn places_are_called_after_cities() {
        let rules = rules();
        let words = |name: &str| rules.place_words(rules.world.place_named(name).expect("a place"));
        assert_eq!(words("2828"), "Berlin");
        assert_eq!(words("2829"), "2829 near Berlin");
        assert_eq!(words("CRU"), "the Central Russia Box");
        assert_eq!(rules.node_words(Node::zone(9)), "the Bay of Biscay (Sea Zone 9)");
        assert_eq!(rules.disputed_name(0), "Eastern Poland");
    }

    #[test]
    fn sums_are_shown_as_arithmetic() {
        let rules = rules();
        let mut sum = Sum { die: 5, ..Sum::EMPTY };
        sum.add(Line::Germany, 2);
        sum.add(Line::TankFair, 2);
        assert_eq!(rules.sum_words(&sum), "German unit +2, tanks in Fair weather +2, die 5: 9");
        sum.add(Line::WeatherPoor, -2);
        sum.halvings = 1;
        assert!(rules.sum_words(&sum).ends_with("attack in Poor weather −2, die 5: 7, halved: 4"));
        let mut low = Sum { die: 1, ..Sum::EMPTY };
        low.add(Line::Reduced, -2);
        low.add(Line::LowSupply, -2);
        assert_eq!(rules.sum_words(&low), "reduced unit −2, Low Supply −2, die 1: −3, counts as 1");
        let mut high = Sum { die: 6, ..Sum::EMPTY };
        high.add(Line::GroundEvents, 12);
        assert_eq!(rules.sum_words(&high), "event markers +12, +12 counts as +10, die 6: 16");
    }

    /// Every roll of the example E01: +2 against nothing.
    #[test]
    fn chances_are_read_off_the_table() {
        let rules = rules();
        let mut attacker = Sum::EMPTY;
        attacker.add(Line::Germany, 2);
        let rolls = rules.fight_odds(&[attacker, Sum::EMPTY]);
        assert_eq!(rolls.iter().sum::<u32>(), 36);
        let mut expected = [0; 6];
        for attack in 3..=8 {
            for defence in 1..=6 {
                expected[rules.world.tables.result(attack, defence) as usize] += 1;
            }
        }
        assert_eq!(rolls, expected);
        assert!(rules.chance_words(&attacker, &Sum::EMPTY).ends_with("% retreat or better"));
    }
}
