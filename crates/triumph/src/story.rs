//! What happened, in sentences: one line of the log for every event, with its rule.

use kernel::LogLine;

use crate::areas::NONE;
use crate::cards::{Card, Intel};
use crate::factions::Faction;
use crate::game_event::{Command, GameEvent};
use crate::rules::Rules;
use crate::words::{and_list, capitalized, count};

/// "The West".
pub(crate) fn the(faction: Faction) -> String {
    capitalized(faction.the())
}

impl Rules {
    /// An event as a line of the log.
    pub(crate) fn log_line(&self, event: &GameEvent) -> LogLine {
        let aside = matches!(
            event,
            GameEvent::Standing { .. }
                | GameEvent::Drawn { .. }
                | GameEvent::Reshuffled { .. }
                | GameEvent::NoChit { .. }
                | GameEvent::Paid { .. }
                | GameEvent::NotTurned { .. }
                | GameEvent::Shown { .. }
                | GameEvent::RoundBegins { .. }
                | GameEvent::Fires { .. }
        );
        let (text, rule) = self.event_words(event);
        LogLine { text, rule, aside }
    }

    /// Year Start, Production, hands.
    fn event_words(&self, event: &GameEvent) -> (String, &'static str) {
        match event {
            GameEvent::YearBegins { year } => (format!("19{year} begins"), "7.11"),
            GameEvent::Begins { part } => (format!("{} begins", part.title()), "6.0"),
            GameEvent::Order { die, order: [a, b, c] } => {
                (format!("Turn Order (rolled {die}): {a}, {b}, {c}"), "7.14")
            }
            GameEvent::ActiveAlly { faction } => {
                (format!("{} is the Active Ally this year", the(*faction)), "18.4")
            }
            GameEvent::Standing { faction, points } => {
                let parts = [
                    ("Production", i16::from(points.level)),
                    ("atomic research", i16::from(points.atomic)),
                    ("capitals of Rivals", i16::from(points.capitals)),
                    ("Peace Dividends", i16::from(points.chits)),
                    ("wars declared", -i16::from(points.wars)),
                ];
                let parts: Vec<String> = parts
                    .iter()
                    .filter(|(_, vp)| *vp != 0)
                    .map(|(what, vp)| format!("{vp} for {what}").replace('-', "−"))
                    .collect();
                let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
                (format!("{} has {} VP{parts}", the(*faction), points.total()), "16.1")
            }
            GameEvent::Placed { unit, area } => {
                let name = capitalized(&self.seen_name(*unit, *area));
                (format!("{name} is placed in {}", self.place_name(*area)), "8.2")
            }
            GameEvent::Drawn { faction, deck, card: Some(card) } => (
                format!("{} draws the {} card {}", the(*faction), deck.title(), self.card_text(*card)),
                "7.24",
            ),
            GameEvent::Drawn { faction, deck, card: None } => {
                (format!("{} draws an {} card", the(*faction), deck.title()), "7.24")
            }
            GameEvent::Reshuffled { deck } => {
                (format!("The discarded {} cards are shuffled into a new deck", deck.title()), "7.24")
            }
            GameEvent::Chit { faction, value: Some(value) } => {
                (format!("{} draws a Peace Dividend of {value}", the(*faction)), "7.13")
            }
            GameEvent::Chit { faction, value: None } => {
                (format!("{} draws a Peace Dividend", the(*faction)), "7.13")
            }
            GameEvent::NoChit { faction } => (format!("No Peace Dividend for {}", faction.the()), "7.13"),
            GameEvent::Production { faction, tracks } => (
                format!(
                    "Production of {}: {} (IND {}, POP {}, RES {})",
                    faction.the(),
                    tracks.level,
                    tracks.ind,
                    tracks.pop,
                    tracks.res
                ),
                "7.21",
            ),
            GameEvent::Bought { faction, deck } => {
                (format!("{} buys an {} card", the(*faction), deck.title()), "7.24")
            }
            GameEvent::Stepped { faction, unit: None } => {
                (format!("{} strengthens a unit by a step", the(*faction)), "7.23")
            }
            GameEvent::Stepped { unit: Some((unit, area)), .. } => {
                let name = match (unit.power, unit.face) {
                    (Some(power), Some((kind, cv))) => {
                        format!(
                            "The {} {} in {} is strengthened to {cv}",
                            power.adjective(),
                            kind.title(),
                            self.place_name(*area)
                        )
                    }
                    _ => format!("A unit in {} is strengthened", self.place_name(*area)),
                };
                (name, "7.23")
            }
            GameEvent::Built { unit, area } => {
                let name = capitalized(&self.seen_name(*unit, *area));
                (format!("{name} is built in {}", self.place_name(*area)), "7.23")
            }
            GameEvent::ProductionEnds { faction, lost: 0 } => {
                (format!("{} ends its Production", the(*faction)), "7.22")
            }
            GameEvent::ProductionEnds { faction, lost } => {
                (format!("{} ends its Production; {} lost", the(*faction), count(*lost, "point")), "7.22")
            }
            GameEvent::Discarded { faction, card } => {
                (format!("{} discards {}", the(*faction), self.card_text(*card)), "7.5")
            }
            GameEvent::Passed { faction } => (format!("{} passes", the(*faction)), "7.35"),
            _ => self.government_words(event),
        }
    }

    /// Government: Diplomacy, factories, technologies, Intelligence.
    fn government_words(&self, event: &GameEvent) -> (String, &'static str) {
        let id = |card: Card| self.world.card_id(card);
        match event {
            GameEvent::DiplomacyPlayed { faction, card, nation, against: None } => {
                let text = format!(
                    "{} plays {} for {}",
                    the(*faction),
                    self.card_name(*card),
                    self.nation_name(*nation)
                );
                (text, "7.31")
            }
            GameEvent::DiplomacyPlayed { faction, card, nation, against: Some((rival, other)) } => (
                format!(
                    "{} plays {} for {} and cancels {} of {}",
                    the(*faction),
                    self.card_name(*card),
                    self.nation_name(*nation),
                    id(*other),
                    rival.the()
                ),
                "7.31",
            ),
            GameEvent::WildPlayed { faction, card, nation } => {
                let text = format!(
                    "{} plays {} on {}",
                    the(*faction),
                    self.card_name(*card),
                    self.nation_name(*nation)
                );
                (text, "8.3")
            }
            GameEvent::Influence { nation, influencer, markers } => {
                (self.influence_words(*nation, *influencer, *markers), "8.11")
            }
            GameEvent::Paid { faction, card } => {
                (format!("{} pays {}", the(*faction), self.card_text(*card)), "7.32")
            }
            GameEvent::FactoryBuilt { faction, ind } => {
                (format!("{} builds a factory: IND {ind}", the(*faction)), "7.32")
            }
            GameEvent::Revealed { faction, tech } => {
                (format!("{} shows {}: {}", the(*faction), tech.title(), tech.about()), "9.2")
            }
            GameEvent::Vaulted { faction, tech: Some(tech) } => {
                (format!("{} puts {} into its vault", the(*faction), tech.title()), "9.3")
            }
            GameEvent::Vaulted { faction, tech: None } => {
                (format!("{} puts a technology into its vault", the(*faction)), "9.3")
            }
            GameEvent::SpyPlayed { faction, card, target, place } => {
                let at = match self.spy(*card) {
                    Some(Intel::Agent) if *place != NONE => format!(" in {}", self.place_name(*place)),
                    Some(Intel::Coup) if *place != NONE => format!(" in {}", self.nation_name(*place)),
                    _ => String::new(),
                };
                let text =
                    format!("{} plays {} against {}{at}", the(*faction), self.spy_title(*card), target.the());
                (text, "7.34")
            }
            GameEvent::Turned { faction, against } => (
                format!("{} answers with Double Agent: the card hits {}", the(*faction), against.the()),
                "9.5",
            ),
            GameEvent::NotTurned { faction } => (format!("{} does not answer", the(*faction)), "9.5"),
            GameEvent::UnitsSeen { of, area, units } => {
                let names: Vec<String> = units
                    .iter()
                    .map(|unit| self.seen_name(*unit, *area).trim_start_matches("the ").to_owned())
                    .collect();
                let text = format!(
                    "The Agent sees units of {} in {}: {}",
                    of.the(),
                    self.place_name(*area),
                    names.join(", ")
                );
                (text, "9.5")
            }
            GameEvent::HandSeen { of, cards } => {
                let names: Vec<String> = cards.iter().map(|card| self.card_text(*card)).collect();
                (format!("The hand of {}: {}", of.the(), names.join("; ")), "9.5")
            }
            GameEvent::VaultSeen { of, techs } => {
                let names: Vec<&str> = techs.iter().map(|tech| tech.title()).collect();
                (format!("In the vault of {}: {}", of.the(), and_list(&names)), "9.5")
            }
            GameEvent::Looked { faction, of } => {
                (format!("{} sees secrets of {}", the(*faction), of.the()), "9.5")
            }
            GameEvent::Stolen { from, by, deck, card } => {
                let what = match card {
                    Some(card) => self.card_text(*card),
                    None => format!("an {} card", deck.title()),
                };
                (format!("{} steals {what} from {}", the(*by), from.the()), "9.5")
            }
            GameEvent::IndustryLost { faction, ind } => {
                (format!("{} loses 1 IND: {ind} left", the(*faction)), "9.5")
            }
            GameEvent::Coup { nation, by } => (
                format!("Coup of {} in {}: all markers are gone", by.the(), self.nation_name(*nation)),
                "9.5",
            ),
            GameEvent::MoleFails { faction } => {
                (format!("{} takes nothing with its Mole", the(*faction)), "9.5")
            }
            GameEvent::Repudiated { faction, nation } => {
                (format!("{} takes back a marker from {}", the(*faction), self.nation_name(*nation)), "8.11")
            }
            GameEvent::Joined { nation, faction } => {
                let verb = self.agrees(*nation, "joins", "join");
                (format!("{} {verb} {}", capitalized(&self.nation_name(*nation)), faction.the()), "8.2")
            }
            GameEvent::UsaJoins => ("The USA joins the West".to_owned(), "8.43"),
            _ => self.season_words(event),
        }
    }

    /// How a nation stands after a marker came or went.
    pub(crate) fn influence_words(&self, nation: u8, influencer: Option<Faction>, markers: u8) -> String {
        let name = capitalized(&self.nation_name(nation));
        let Some(faction) = influencer else { return format!("{name}: no markers any more") };
        let status = match markers {
            _ if nation == self.atlas().usa => "",
            1 => ", an Associate",
            2 => ", a Protectorate",
            _ => ", about to join",
        };
        format!("{name}: {} of {}{status}", count(markers, "marker"), faction.the())
    }

    /// Command, and what the seasons bring.
    fn season_words(&self, event: &GameEvent) -> (String, &'static str) {
        match event {
            GameEvent::Committed { faction, card: Some(card) } => {
                (format!("{} commits {}", the(*faction), self.card_text(*card)), "10.1")
            }
            GameEvent::Committed { faction, card: None } => {
                (format!("{} commits a card", the(*faction)), "10.1")
            }
            GameEvent::CommandShown { faction, card, counts } => {
                let how = match counts {
                    Command::Valid => "",
                    Command::Emergency => ", an Emergency turn",
                    Command::Bluff => ", a bluff: no turn",
                    Command::Defensive => ", a Defensive Turn",
                };
                let rule = if *counts == Command::Emergency { "10.11" } else { "10.1" };
                (format!("{} shows {}{how}", the(*faction), self.card_name(*card)), rule)
            }
            GameEvent::TurnsOrdered { by, order } => {
                let names: Vec<&str> = order.iter().map(|faction| faction.title()).collect();
                (format!("{} puts the tied turns in order: {}", the(*by), names.join(", ")), "10.1")
            }
            GameEvent::TurnBegins { faction, moves, emergency: false } => {
                (format!("Turn of {}: {}", faction.the(), count(*moves, "move")), "10.2")
            }
            GameEvent::TurnBegins { faction, moves, emergency: true } => {
                (format!("Emergency turn of {}: {}", faction.the(), count(*moves, "move")), "10.11")
            }
            GameEvent::NoTurn { faction } => (format!("No turn for {}", faction.the()), "10.1"),
            _ => self.war_words(event),
        }
    }
}
