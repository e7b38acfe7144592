//! Reads `events.toml`: event markers, the Diplomacy Cup, and the figures of conditional events and policies.

use diagnostics::Problems;
use diagnostics::datafile::Table;

use crate::files::{look_up, month, read};
use crate::ids::{Country, Faction};
use crate::markers::{Coming, Holding, Marker, MarkerInfo, Owner, Reuse};
use crate::tables::{DiplomacyInfo, Diplomat};

const EVENT_FILE: &str = include_str!("../data/events.toml");

/// The figures of conditional events and policies (13.5, 10.2).
#[derive(Debug, Default)]
pub(crate) struct EventFigures {
    /// Turns from USA Entry to its activation.
    pub usa_delay: u8,
    /// Rows of the two border events.
    pub border_rows: (u8, u8),
    /// Countries of the Mediterranean Crisis.
    pub crisis_countries: u32,
    /// Countries whose Mainland does not trigger it.
    pub crisis_except: u32,
    /// The first turn in which the Pact can be evaluated.
    pub pact_from: u8,
    /// The Diplomacy Cup.
    pub diplomacy: Vec<DiplomacyInfo>,
}

/// The event markers, in the order of [`Marker`].
pub(crate) fn markers() -> Result<Vec<MarkerInfo>, Problems> {
    read("events.toml", EVENT_FILE, |root, problems| {
        let mut markers = Vec::new();
        for mut table in root.tables("marker", problems)? {
            markers.push(marker(&mut table, markers.len(), problems)?);
            table.finish(problems);
        }
        for key in ["conditional", "policy", "diplomacy"] {
            let _ = root.optional(key);
        }
        Some(markers)
    })
}

fn marker(table: &mut Table<'_>, at: usize, problems: &mut Problems) -> Option<MarkerInfo> {
    let id = table.text("id", problems)?;
    let marker = look_up(&id, "known marker", Marker::of_id, problems)?;
    if marker.index() != at {
        problems.error(id.span(), format!("marker \"{}\" stands in a wrong place", id.as_str()));
    }
    let name = table.text("name", problems)?.as_str().to_owned();
    let _ = table.text("use", problems)?;
    let drm = match table.optional("drm") {
        Some(value) => value.integer(-9..=9_i8, problems)?,
        None => 0,
    };
    for key in ["limit_per_combat", "cost", "delay_turns", "halve"] {
        let _ = table.optional(key);
    }
    let words = ["turn", "once", "standing", "holding"];
    let reuse = table.word(
        "reuse",
        &words,
        |word| {
            let all = [Reuse::Turn, Reuse::Once, Reuse::Standing, Reuse::Holding];
            words.iter().position(|known| *known == word).map(|at| all[at])
        },
        problems,
    )?;
    let mut holdings = Vec::new();
    for mut owner in table.tables("owners", problems)? {
        let by = match (owner.optional("country"), owner.optional("faction")) {
            (Some(country), _) => {
                Owner::Country(look_up(&country.text(problems)?, "country", Country::of_id, problems)?)
            }
            (None, Some(faction)) => {
                Owner::Faction(look_up(&faction.text(problems)?, "faction", Faction::of_word, problems)?)
            }
            (None, None) => {
                problems.error(owner.span(), "nobody owns this marker").expected("a country or a faction");
                return None;
            }
        };
        let count = owner.integer("count", -9..=9_i8, problems)?;
        let until = match owner.optional("until") {
            Some(until) => look_up(&until.text(problems)?, "month such as 1943-05", month, problems)?,
            None => u8::MAX,
        };
        let avail = owner.text("avail", problems)?;
        let coming = match avail.as_str() {
            "start" => Coming::Start,
            "holding" => Coming::Holding,
            event if event.starts_with("event:") => Coming::Event,
            _ => Coming::Turn(look_up(&avail, "month such as 1940-05", month, problems)?, until),
        };
        owner.finish(problems);
        holdings.push(Holding { owner: by, count, coming });
    }
    let rule = table.text("rule", problems)?.as_str().to_owned();
    Some(MarkerInfo { marker, name, drm, reuse, holdings, rule })
}

/// The figures of conditional events and policies.
pub(crate) fn figures() -> Result<EventFigures, Problems> {
    read("events.toml", EVENT_FILE, |root, problems| {
        let mut figures = EventFigures::default();
        for mut table in root.tables("conditional", problems)? {
            let id = table.text("id", problems)?;
            match id.as_str() {
                "usa-entry" => figures.usa_delay = table.integer("delay_turns", 1..=40_u8, problems)?,
                "ussr-northern-border" => {
                    figures.border_rows.0 = table.integer("row_below", 1..=64_u8, problems)?;
                }
                "ussr-southern-border" => {
                    figures.border_rows.1 = table.integer("row_above", 1..=64_u8, problems)?;
                }
                "mediterranean-crisis" => {
                    figures.crisis_countries = countries(&mut table, "borders_overseas", problems)?;
                    figures.crisis_except = countries(&mut table, "except_mainland_of", problems)?;
                }
                _ => {}
            }
        }
        for mut table in root.tables("policy", problems)? {
            if table.text("id", problems)?.as_str() == "nazi-soviet-pact" {
                let from = table.text("evaluate_from", problems)?;
                figures.pact_from = look_up(&from, "month such as 1940-10", month, problems)?;
            }
        }
        for mut table in root.tables("diplomacy", problems)? {
            let id = table.text("id", problems)?;
            let marker = look_up(&id, "known marker of the Cup", Diplomat::of_id, problems)?;
            if marker as usize != figures.diplomacy.len() {
                problems.error(id.span(), format!("marker \"{}\" stands in a wrong place", id.as_str()));
            }
            figures.diplomacy.push(DiplomacyInfo {
                name: table.text("name", problems)?.as_str().to_owned(),
                cup: table.integer("cup", 0..=99_u8, problems)?,
                holding: table.integer("holding", 0..=99_u8, problems)?,
                effect: table.text("effect", problems)?.as_str().to_owned(),
            });
            table.finish(problems);
        }
        let _ = root.optional("marker");
        Some(figures)
    })
}

fn countries(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<u32> {
    let mut set = 0;
    for id in table.required(key, "a list of countries", problems)?.texts(problems)? {
        set |= 1 << look_up(&id, "country", Country::of_id, problems)?.index();
    }
    Some(set)
}
