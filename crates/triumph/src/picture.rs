//! The view as text, for the terminal: the three Factions, the nations, who stands where, the own hand.

use std::fmt::Write as _;

use crate::areas::{AREAS, NONE, bits};
use crate::cards::{Card, Deck};
use crate::describe::status_word;
use crate::factions::{Faction, Power};
use crate::rules::Rules;
use crate::state::{State, Status, flag};
use crate::view::View;
use crate::words::{count, tech_titles};
use crate::world::Atlas;
use crate::year::TO_WIN;

/// The headings under which areas are listed: the nations of each.
const REGIONS: [(&str, &[&str]); 8] = [
    ("Central Europe", &["germany", "austria", "czechoslovakia", "hungary", "poland", "low_countries"]),
    ("Western Europe", &["britain", "ireland", "france", "spain", "portugal", "gibraltar"]),
    ("Northern Europe", &["denmark", "norway", "sweden", "finland", "baltic_states"]),
    ("Italy and the Balkans", &["italy", "malta", "yugoslavia", "albania", "greece", "bulgaria", "rumania"]),
    ("USSR", &["ussr"]),
    ("Turkey and the East", &["turkey", "syria", "persia", "afghanistan", "india"]),
    ("Africa and the Middle East", &["libya", "french_north_africa", "middle_east"]),
    ("America", &["usa", "canada", "latin_america"]),
];

impl Rules {
    /// The view as text.
    pub(crate) fn picture(&self, view: &View) -> String {
        let state = view.state();
        let mut out = String::new();
        let order = state.order.map(Faction::title).join(", ");
        let _ = writeln!(
            out,
            "{} {}; Turn Order {order}; {TO_WIN} VP win",
            state.part.title(),
            self.shown_year(state)
        );
        for faction in Faction::ALL {
            self.faction_text(view, faction, &mut out);
        }
        out.push('\n');
        self.nations_text(state, &mut out);
        for (title, nations) in REGIONS {
            let of = |area: &u8| {
                let nation = self.atlas().nation_of(*area);
                nation != NONE && nations.contains(&self.atlas().nation(nation).id.as_str())
            };
            self.region_text(state, title, of, &mut out);
        }
        self.region_text(state, "At sea", |area| Atlas::is_sea(*area), &mut out);
        self.hands_text(view, &mut out);
        out
    }

    fn faction_text(&self, view: &View, faction: Faction, out: &mut String) {
        let state = view.state();
        let own = state.of(faction);
        let counted = view.counted(faction);
        let tracks = self.tracks_blockaded(state, faction);
        let known = view.knows(faction);
        let points =
            if known { self.points(state, faction, true) } else { self.public_points(state, faction) };
        let more = if known { "" } else { "+" };
        let wars: Vec<&str> = own.enemies.factions().map(Faction::the).collect();
        let war = if wars.is_empty() {
            "at peace".to_owned()
        } else {
            format!("at war with {}", wars.join(" and "))
        };
        let _ = writeln!(
            out,
            "\n{}: {}{more} VP, Production {} (IND {}, POP {}, RES {}), {war}",
            faction.title(),
            points.total(),
            tracks.level,
            tracks.ind,
            tracks.pop,
            tracks.res
        );
        let _ = writeln!(
            out,
            "  {}, {}, {} in the vault, {}, {} CV on the map, a factory costs {}",
            count(counted.hand[0], "Action card"),
            count(counted.hand[1], "Investment card"),
            count(counted.vault, "pair"),
            count(counted.chits, "Peace Dividend"),
            counted.cv,
            self.factory_cost(state, faction)
        );
        if own.techs != 0 {
            let _ = writeln!(out, "  Technologies: {}", tech_titles(own.techs).join(", "));
        }
        let in_play: Vec<String> = bits(own.in_play)
            .filter_map(|index| {
                let card = Card::new(Deck::Action, index);
                let nation = self.meant(state, faction, card)?;
                Some(format!("{} for {}", self.world.card_id(card), self.nation_name(nation)))
            })
            .collect();
        if !in_play.is_empty() {
            let _ = writeln!(out, "  In play: {}", in_play.join(", "));
        }
        if counted.committed {
            let card = own.committed.map_or_else(|| "a card".to_owned(), |card| self.card_text(card));
            let _ = writeln!(out, "  Committed: {card}");
        }
    }

    /// Nations with influence, at arms, or in other hands than at the start.
    fn nations_text(&self, state: &State, out: &mut String) {
        let mut lines = Vec::new();
        for nation in 0..self.atlas().nations.len() as u8 {
            let (now, info) = (state.nation(nation), self.atlas().nation(nation));
            let words = match (now.status, now.influencer, now.holder) {
                (Status::Neutral, Some(faction), _) => count(now.markers, &format!("{faction} marker")),
                (Status::Neutral, None, _) => continue,
                (Status::Belongs, _, holder) if holder == info.faction => continue,
                (status, _, Some(holder)) => format!("{} ({})", status_word(status), holder.title()),
                (status, _, None) => status_word(status).to_owned(),
            };
            lines.push(format!("{} {words}", info.name));
        }
        if !lines.is_empty() {
            let _ = writeln!(out, "Nations: {}", lines.join(", "));
        }
    }

    /// The areas of a region where somebody stands.
    fn region_text(&self, state: &State, title: &str, of: impl Fn(&u8) -> bool, out: &mut String) {
        let mut lines = Vec::new();
        for area in (0..AREAS as u8).filter(of) {
            let units = self.units_text(state, area);
            if units.is_empty() {
                continue;
            }
            let control = state.controller(area);
            let holder = if Atlas::is_sea(area) {
                String::new()
            } else {
                match control.factions().next() {
                    Some(faction) => format!(" ({})", faction.title()),
                    None => format!(" ({})", self.atlas().nation(self.atlas().nation_of(area)).name),
                }
            };
            lines.push(format!("  {}{holder}: {units}", self.atlas().area(area).name));
        }
        if !lines.is_empty() {
            let _ = writeln!(out, "\n{title}\n{}", lines.join("\n"));
        }
    }

    /// Who stands in an area: known units by name, the others by number.
    fn units_text(&self, state: &State, area: u8) -> String {
        let mut parts: Vec<(String, u32)> = Vec::new();
        for (at, unit) in state.blocks_at(area) {
            let mut name = match (Power::of_block(at), unit.is_hidden()) {
                (Some(power), true) => format!("{} block", power.adjective()),
                _ => self.block_name(state, at),
            };
            if unit.is(flag::DISRUPTED) {
                name += " (disrupted)";
            }
            match parts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, number)) => *number += 1,
                None => parts.push((name, 1)),
            }
        }
        let parts = parts.into_iter().map(|(name, number)| match number {
            1 => name,
            _ => format!("{number} × {name}"),
        });
        parts.collect::<Vec<_>>().join(", ")
    }

    /// The hands, vaults and chits that the viewer may see.
    fn hands_text(&self, view: &View, out: &mut String) {
        for faction in view.own().factions() {
            let own = view.state().of(faction);
            let _ = writeln!(out, "\nHand of {}", faction.the());
            for deck in Deck::ALL {
                for index in bits(own.hand[deck as usize]) {
                    let _ = writeln!(out, "  {}", self.card_text(Card::new(deck, index)));
                }
            }
            if own.vault_len() > 0 {
                let _ = writeln!(out, "  Vault: {}", Self::vault_words(view.state(), faction));
            }
            let chits: u8 = own.chits[1] + 2 * own.chits[2];
            let _ = writeln!(out, "  Peace Dividends worth {chits} VP");
        }
    }
}
