//! Names of areas, nations, cards and units as people say them, and small pieces of sentences.

use crate::areas::NONE;
use crate::cards::{ActionCard, Card, Deck, Diplomacy, InvestmentCard, Research, Tech};
use crate::factions::{Faction, Parties, Power};
use crate::game_event::UnitSeen;
use crate::rules::Rules;
use crate::set_up::{BEFORE_1936, BEFORE_1939};
use crate::state::{Part, State, flag};
use crate::world::{Atlas, BorderKind};

/// Areas and nations that take an article, besides all seas.
const WITH_ARTICLE: [&str; 8] =
    ["Ruhr", "Urals", "Azores", "Baltic States", "Low Countries", "Middle East", "USA", "USSR"];

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
    const LOWER: [&str; 12] =
        ["The", "A", "An", "No", "Each", "Both", "Nobody", "All", "Turn", "Emergency", "Blockade", "In"];
    let first = text.split(' ').next().unwrap_or_default();
    if LOWER.contains(&first) { text[..1].to_lowercase() + &text[1..] } else { text.to_owned() }
}

fn with_article(name: &str) -> String {
    if WITH_ARTICLE.contains(&name) { format!("the {name}") } else { name.to_owned() }
}

/// What the people and forts of a nation are called: "Polish".
fn adjective(nation: &str) -> &'static str {
    match nation {
        "germany" => "German",
        "italy" => "Italian",
        "libya" => "Libyan",
        "britain" | "gibraltar" => "British",
        "canada" => "Canadian",
        "india" => "Indian",
        "malta" => "Maltese",
        "middle_east" => "Middle Eastern",
        "france" => "French",
        "french_north_africa" => "North African",
        "syria" => "Syrian",
        "usa" => "US",
        "ussr" => "Soviet",
        "afghanistan" => "Afghan",
        "albania" => "Albanian",
        "austria" => "Austrian",
        "baltic_states" => "Baltic",
        "bulgaria" => "Bulgarian",
        "czechoslovakia" => "Czechoslovak",
        "denmark" => "Danish",
        "finland" => "Finnish",
        "greece" => "Greek",
        "hungary" => "Hungarian",
        "ireland" => "Irish",
        "latin_america" => "Latin American",
        "low_countries" => "Dutch and Belgian",
        "norway" => "Norwegian",
        "persia" => "Persian",
        "poland" => "Polish",
        "portugal" => "Portuguese",
        "rumania" => "Rumanian",
        "spain" => "Spanish",
        "sweden" => "Swedish",
        "turkey" => "Turkish",
        "yugoslavia" => "Yugoslav",
        _ => "local",
    }
}

impl BorderKind {
    /// The border in a sentence: "across the river".
    pub(crate) const fn crossing(self) -> &'static str {
        match self {
            Self::Plains => "across the plains",
            Self::River => "across the river",
            Self::Forest => "through the forest",
            Self::Mountain => "over the mountains",
            Self::Strait => "across the strait",
            Self::Coast => "across the coast",
            Self::Sea | Self::Ocean => "by sea",
        }
    }
}

impl Rules {
    /// The season and year of a turn: five turns a year.
    pub(crate) fn turn_title(turn: u16) -> String {
        const PARTS: [Part; 5] = [Part::NewYear, Part::Spring, Part::Summer, Part::Fall, Part::Winter];
        let turn = turn.saturating_sub(1);
        format!("{} {}", PARTS[usize::from(turn % 5)].title(), 1936 + turn / 5)
    }

    /// The year of a position; a set-up is of the year that it leads to.
    pub fn shown_year(&self, state: &State) -> u16 {
        let is_set_up = state.year == if self.settings.short { BEFORE_1939 } else { BEFORE_1936 };
        1900 + u16::from(state.year) + u16::from(is_set_up)
    }

    /// An area in a sentence: "Berlin", "the North Sea".
    pub fn place_name(&self, area: u8) -> String {
        let Some(name) = self.atlas().areas.get(usize::from(area)).map(|area| &area.name) else {
            return "nowhere".to_owned();
        };
        if Atlas::is_sea(area) { format!("the {name}") } else { with_article(name) }
    }

    /// A nation in a sentence: "Poland", "the USA".
    pub fn nation_name(&self, nation: u8) -> String {
        with_article(&self.atlas().nation(nation).name)
    }

    /// What a nation's forts are called: "Polish".
    pub(crate) fn nation_adjective(&self, nation: u8) -> &'static str {
        adjective(&self.atlas().nation(nation).id)
    }

    /// A card by its number and what it is for Command or a factory: "A18 (Summer C6)", "I13 (worth 4)".
    pub(crate) fn card_name(&self, card: Card) -> String {
        match card.deck() {
            Deck::Action => {
                let action = self.world.action(card);
                match &action.diplomacy {
                    Diplomacy::Nations(_) => format!("{} ({})", action.id, action.command()),
                    Diplomacy::Wild(title, _) => format!("{} {title} ({})", action.id, action.command()),
                }
            }
            Deck::Investment => {
                let card = self.world.investment(card);
                match card.research {
                    Research::Tech(..) => format!("{} (worth {})", card.id, card.factory),
                    _ => format!("{} {} (worth {})", card.id, card.ends(), card.factory),
                }
            }
        }
    }

    /// A card with everything that is printed on it.
    pub fn card_text(&self, card: Card) -> String {
        match card.deck() {
            Deck::Action => {
                let action = self.world.action(card);
                let ends = match &action.diplomacy {
                    Diplomacy::Nations([one, other]) => {
                        let name = |nation: u8| self.atlas().nation(nation).name.as_str();
                        format!("{} or {}", name(*one), name(*other))
                    }
                    Diplomacy::Wild(title, _) => title.clone(),
                };
                format!("{} {ends} ({})", action.id, action.command())
            }
            Deck::Investment => {
                let card = self.world.investment(card);
                format!("{} {} (worth {})", card.id, card.ends(), card.factory)
            }
        }
    }

    /// A unit of the map in words, without its area: "German Infantry 3".
    pub(crate) fn block_name(&self, state: &State, block: usize) -> String {
        let Some(unit) = state.blocks.get(block) else { return "unit".to_owned() };
        match Power::of_block(block) {
            Some(power) => {
                let convoy = if Self::is_convoy(unit) { ", a Convoy" } else { "" };
                let escaped = if unit.is(flag::ESCAPED) { "Escaped " } else { "" };
                format!("{escaped}{} {} {}{convoy}", power.adjective(), unit.kind.title(), unit.cv)
            }
            None if unit.on_map() => {
                let nation = self.atlas().nation_of(unit.area);
                format!("{} fort {}", self.nation_adjective(nation), unit.cv)
            }
            None => "fort".to_owned(),
        }
    }

    /// A unit as far as the reader knows it, with its article: "the German Infantry 3", "a German unit".
    pub(crate) fn seen_name(&self, unit: UnitSeen, area: u8) -> String {
        match (unit.power, unit.face) {
            (Some(power), Some((kind, cv))) => format!("the {} {} {cv}", power.adjective(), kind.title()),
            (Some(power), None) => format!("{} unit", a(power.adjective())),
            (None, face) => {
                let of = if area == NONE || Atlas::is_sea(area) {
                    String::new()
                } else {
                    format!("{} ", self.nation_adjective(self.atlas().nation_of(area)))
                };
                let cv = face.map_or_else(String::new, |(_, cv)| format!(" {cv}"));
                format!("the {of}fort{cv}")
            }
        }
    }

    /// The parties of a Battle: "the West and Poland".
    pub fn parties_name(&self, parties: Parties, area: u8) -> String {
        let mut names: Vec<String> = parties.factions().map(|faction| faction.the().to_owned()).collect();
        if parties.has_minor() && area == NONE {
            names.push("a Minor".to_owned());
        } else if parties.has_minor() && !Atlas::is_sea(area) {
            names.push(self.nation_name(self.atlas().nation_of(area)));
        }
        and_list(&names)
    }

    /// A Battle by its place: "the Battle of Warsaw".
    pub(crate) fn battle_name(&self, area: u8) -> String {
        format!("Battle of {}", self.place_name(area))
    }

    /// How many blocks of a party are in an area.
    pub(crate) fn units_of(state: &State, faction: Faction, area: u8) -> usize {
        state.own_at(faction, area).count()
    }

    /// A verb that agrees with a nation: the Low Countries *join*.
    pub(crate) fn agrees(&self, nation: u8, singular: &'static str, plural: &'static str) -> &'static str {
        let several = matches!(self.atlas().nation(nation).id.as_str(), "baltic_states" | "low_countries");
        if several { plural } else { singular }
    }
}

impl ActionCard {
    /// Season, letter and value as printed: "Summer C6".
    pub fn command(&self) -> String {
        format!("{} {}{}", self.season.title(), char::from(self.letter), self.value)
    }
}

impl InvestmentCard {
    /// What stands above the Factory value.
    pub fn ends(&self) -> String {
        match self.research {
            Research::Tech(techs, espionage) => {
                let mut ends: Vec<&str> = tech_titles(techs);
                if espionage {
                    ends.push("Industrial Espionage");
                }
                ends.join(" or ")
            }
            Research::Science(year, _) => format!("Science of 19{year}"),
            Research::Intelligence(intel) => intel.title().to_owned(),
        }
    }
}

/// The titles of some technologies.
pub(crate) fn tech_titles(techs: u16) -> Vec<&'static str> {
    Tech::ALL.into_iter().filter(|tech| techs & tech.bit() != 0).map(Tech::title).collect()
}

/// A word with its indefinite article.
pub(crate) fn a(word: &str) -> String {
    let vowel = word.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    format!("{} {word}", if vowel { "an" } else { "a" })
}
