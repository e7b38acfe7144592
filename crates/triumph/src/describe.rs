//! The view as JSON, for the protocol: everything that the viewer may know, and nothing else.

use serde_json::{Value, json};

use crate::areas::{AREAS, NONE, bits};
use crate::cards::{Card, Deck};
use crate::factions::{Faction, Parties, Power};
use crate::rules::Rules;
use crate::stage::Stage;
use crate::state::{Declared, State, Status, flag, mark};
use crate::view::View;
use crate::words::tech_titles;
use crate::world::Atlas;

/// The words of a set of Factions.
fn words(parties: Parties) -> Vec<&'static str> {
    let minor = parties.has_minor().then_some("minor");
    parties.factions().map(Faction::word).chain(minor).collect()
}

impl Rules {
    /// The view as JSON.
    pub(crate) fn describe(&self, view: &View) -> Value {
        let state = view.state();
        let areas: Vec<Value> = (0..AREAS as u8).filter_map(|area| self.describe_area(state, area)).collect();
        let nations: Vec<Value> = (0..self.atlas().nations.len() as u8)
            .filter_map(|nation| self.describe_nation(state, nation))
            .collect();
        json!({
            "year": 1900 + u16::from(state.year),
            "season": state.part.title(),
            "turn_order": state.order.map(Faction::word),
            "turns_to_come": state.turns.iter().flatten().map(|faction| faction.word()).collect::<Vec<_>>(),
            "active_ally": state.active_ally.map(Faction::word),
            "factions": Faction::ALL.map(|faction| self.describe_faction(view, faction)),
            "nations": nations,
            "areas": areas,
            "turn": self.describe_turn(state),
            "battle": self.describe_battle(state),
            "decks": {
                "action": view.deck_len(Deck::Action),
                "investment": view.deck_len(Deck::Investment),
            },
            "discards": {
                "action": self.card_ids(Deck::Action, state.discard[0]),
                "investment": self.card_ids(Deck::Investment, state.discard[1]),
            },
        })
    }

    /// The ids of some cards of a deck.
    pub(crate) fn card_ids(&self, deck: Deck, cards: u64) -> Vec<&str> {
        bits(cards).map(|index| self.world.card_id(Card::new(deck, index))).collect()
    }

    fn describe_faction(&self, view: &View, faction: Faction) -> Value {
        let state = view.state();
        let own = state.of(faction);
        let counted = view.counted(faction);
        let known = view.knows(faction);
        let tracks = self.tracks_blockaded(state, faction);
        let free = self.tracks(state, faction);
        let points =
            if known { self.points(state, faction, true) } else { self.public_points(state, faction) };
        let in_play: Vec<Value> = bits(own.in_play)
            .map(|index| {
                let card = Card::new(Deck::Action, index);
                let nation = self.meant(state, faction, card);
                json!({
                    "card": self.world.card_id(card),
                    "nation": nation.map(|nation| self.atlas().nation(nation).id.as_str()),
                })
            })
            .collect();
        let mut value = json!({
            "id": faction.word(),
            "name": faction.title(),
            "ind": own.ind,
            "pop": free.pop,
            "res": free.res,
            "level": tracks.level,
            "blockaded": { "pop": free.pop - tracks.pop, "res": free.res - tracks.res },
            "vp": points.total(),
            "vp_complete": known,
            "factory_cost": self.factory_cost(state, faction),
            "factories_this_year": own.raises,
            "hand_size": self.hand_limit_counted(faction, counted.vault),
            "at_war_with": words(own.enemies),
            "has_declared_war_on": words(own.declared),
            "technologies": tech_titles(own.techs),
            "cards_in_play": in_play,
            "units_cv": counted.cv,
            "action_cards": counted.hand[0],
            "investment_cards": counted.hand[1],
            "committed": counted.committed,
            "vault_pairs": counted.vault,
            "peace_dividends": counted.chits,
            "passive_stack": counted.stack,
            "draws_peace_dividend": !own.at_war() && !own.fought,
        });
        if let Some(object) = value.as_object_mut().filter(|_| known || own.vault_len() > 0) {
            // Also what a Mole looks at. Ruling R55.
            let vault: Vec<Value> = own
                .vault()
                .map(|pair| {
                    json!({
                        "technology": pair.tech.title(),
                        "cards": pair.cards.map(|card| self.world.card_id(card)),
                    })
                })
                .collect();
            object.insert("vault".to_owned(), json!(vault));
        }
        if known && let Some(object) = value.as_object_mut() {
            let hand: Vec<String> = Deck::ALL
                .into_iter()
                .flat_map(|deck| bits(own.hand[deck as usize]).map(move |index| Card::new(deck, index)))
                .map(|card| self.card_text(card))
                .collect();
            object.insert("hand".to_owned(), json!(hand));
            let values: Vec<usize> =
                (0..3).flat_map(|value| std::iter::repeat_n(value, usize::from(own.chits[value]))).collect();
            object.insert("peace_dividend_values".to_owned(), json!(values));
            object.insert(
                "committed_card".to_owned(),
                json!(own.committed.map(|card| self.world.card_id(card))),
            );
        }
        value
    }

    /// The HandSize with so many pairs in the vault: their number is public. Rule 7.5.
    pub(crate) fn hand_limit_counted(&self, faction: Faction, vault: u8) -> u8 {
        self.atlas().factions[faction.index()].hand_size.saturating_sub(vault)
    }

    /// A nation, unless it is a Power or colony as at the start.
    fn describe_nation(&self, state: &State, nation: u8) -> Option<Value> {
        let now = state.nation(nation);
        let info = self.atlas().nation(nation);
        if now.status == Status::Belongs && info.faction == now.holder {
            return None;
        }
        Some(json!({
            "id": info.id,
            "name": info.name,
            "status": status_word(now.status),
            "influence": now.influencer.map(Faction::word),
            "markers": now.markers,
            "held_by": now.holder.map(Faction::word),
            "violated_by": words(now.violators),
            "enemies": words(now.enemies),
        }))
    }

    /// An area with units, or whose control is not that of its nation.
    fn describe_area(&self, state: &State, area: u8) -> Option<Value> {
        let info = self.atlas().area(area);
        let units: Vec<Value> = state.blocks_at(area).map(|(at, unit)| describe_unit(at, unit)).collect();
        let land = !Atlas::is_sea(area);
        let control = if land { state.controller(area) } else { Parties::NONE };
        let marked = land && state.marks[usize::from(area)] != mark::NONE;
        if units.is_empty() && control.is_empty() && !marked {
            return None;
        }
        let mut value = json!({ "id": info.id, "name": info.name, "units": units });
        if let Some(object) = value.as_object_mut().filter(|_| land) {
            object.insert("controlled_by".to_owned(), json!(words(control).first()));
            object.insert("disputed".to_owned(), json!(state.parties(area).count() > 1));
            if marked {
                let word = if state.marks[usize::from(area)] == mark::FULL { "full" } else { "med" };
                object.insert("blockade".to_owned(), json!(word));
            }
        }
        Some(value)
    }

    fn describe_turn(&self, state: &State) -> Value {
        let moving = matches!(state.stage, Stage::Movement | Stage::Destination | Stage::WarCard(_))
            || Self::is_fighting(state)
            || matches!(state.stage, Stage::Fight(_) | Stage::Select | Stage::Against(_) | Stage::Dice);
        if !moving {
            return Value::Null;
        }
        let nation = |nation: u8| self.atlas().nation(nation).id.as_str();
        let declared = state.turn.declared.map(|declared| match declared {
            Declared::War(rival) => format!("war on {}", rival.word()),
            Declared::Violation(of) => format!("violation of {}", nation(of)),
            Declared::Intervention(of) => format!("intervention in {}", nation(of)),
        });
        let picked = (state.stage == Stage::Destination && state.picked != NONE)
            .then(|| self.unit_there(state, state.picked));
        let area = |area: u8| self.atlas().area(area).id.as_str();
        json!({
            "faction": state.turn.faction.word(),
            "moves_left": state.turn.moves,
            "emergency": state.turn.emergency,
            "defensive": state.turn.defensive,
            "surprise": state.turn.surprise,
            "to_fulfil": declared,
            "picked": picked,
            "battles_to_come": state.turn.open.iter().map(area).collect::<Vec<_>>(),
        })
    }

    fn describe_battle(&self, state: &State) -> Value {
        if state.battle.area == NONE || !(Self::is_fighting(state) || state.stage == Stage::Dice) {
            return Value::Null;
        }
        json!({
            "area": self.atlas().area(state.battle.area).id,
            "attacker": state.turn.faction.word(),
            "against": words(state.battle.against),
            "round": state.battle.round,
            "acting": state.battle.kind.title(),
        })
    }
}

/// A unit as the viewer knows it.
fn describe_unit(at: usize, unit: &crate::state::Block) -> Value {
    let nation = Power::of_block(at).map_or("neutral", Power::word);
    let hidden = unit.is_hidden();
    let mut value = json!({ "nation": nation, "hidden": hidden });
    let Some(object) = value.as_object_mut() else { return value };
    if !hidden {
        object.insert("type".to_owned(), json!(unit.kind.title()));
        object.insert("cv".to_owned(), json!(unit.cv));
    }
    for (bit, word) in [
        (flag::ESCAPED, "escaped"),
        (flag::REVEALED, "revealed"),
        (flag::MOVED, "moved"),
        (flag::DISRUPTED, "disrupted"),
        (flag::WAITING, "waiting"),
    ] {
        if unit.is(bit) {
            object.insert(word.to_owned(), json!(true));
        }
    }
    value
}

/// How a nation stands, in a word.
pub(crate) const fn status_word(status: Status) -> &'static str {
    match status {
        Status::Neutral => "neutral",
        Status::Armed => "armed",
        Status::Satellite => "satellite",
        Status::Conquered => "conquered",
        Status::Belongs => "ally",
        Status::Defeated => "defeated",
    }
}
