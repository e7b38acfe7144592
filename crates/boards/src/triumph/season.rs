//! The strip above the panels: the season, and the Factions in the order of their turns with their Command cards.

use maud::{Markup, html};
use triumph::{Deck, Faction, Part, Rules, Stage, State, View};
use web::Scene;

use super::trace;

const PARTS: [Part; 5] = [Part::NewYear, Part::Spring, Part::Summer, Part::Fall, Part::Winter];

/// The strip.
pub fn draw(rules: &Rules, view: &View, scene: &mut Scene) {
    let state = view.state();
    let home = view.own().factions().next().unwrap_or(Faction::Axis);
    scene.add("season", "year", year(rules, state, trace::home_anchor(rules, home)));
    scene.add("season", "turns", turns(rules, view));
}

fn year(rules: &Rules, state: &State, home: Option<String>) -> Markup {
    html! {
        ol #year .year data-home=[home] aria-label="Season" {
            @for part in PARTS {
                li.now[part == state.part] aria-current=[(part == state.part).then_some("step")] {
                    (part.title()) @if part == state.part { " " (rules.shown_year(state)) }
                }
            }
        }
    }
}

/// The Factions in the order in which they play: by their Commands in a season, else by the Turn Order.
fn in_order(state: &State) -> Vec<Faction> {
    let mut order: Vec<Faction> = Vec::new();
    let season = matches!(state.part, Part::Spring | Part::Summer | Part::Fall | Part::Winter)
        && !matches!(state.stage, Stage::Command | Stage::SecondCard | Stage::Winter);
    if season {
        order.push(state.turn.faction);
        order.extend(state.turns.iter().flatten());
    }
    for faction in state.order {
        if !order.contains(&faction) {
            order.push(faction);
        }
    }
    order.dedup();
    order
}

fn turns(rules: &Rules, view: &View) -> Markup {
    let state = view.state();
    let decides = rules.decider(state);
    html! {
        ol #turns .order aria-label="Order of turns" {
            @for faction in in_order(state) {
                li.(faction.word()).now[decides == Some(faction)] {
                    (faction.title()) " " b { (command(rules, view, faction)) }
                    @if state.active_ally == Some(faction) { small { " active" } }
                }
            }
        }
    }
}

/// The Command card of a Faction: what it says, its back, or nothing.
fn command(rules: &Rules, view: &View, faction: Faction) -> String {
    match view.state().of(faction).committed {
        Some(card) if card.deck() == Deck::Action => {
            let card = rules.world.action(card);
            format!("{}{}", char::from(card.letter), card.value)
        }
        Some(_) => "bluff".to_owned(),
        None if view.counted(faction).committed => "▮".to_owned(),
        None => String::new(),
    }
}
