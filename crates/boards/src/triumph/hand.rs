//! The viewer's own cards, as they are printed: the Command or the value for a factory on a band, and two ends.
//!
//! The band is clicked for the card as a whole (commit, discard, pay), an end for its nation or technology. A card whose
//! text is put on a place of the map is picked up first.

use maud::{Markup, html};
use triumph::{Card, Deck, Diplomacy, Faction, Research, State, Tech, Triumph, View, Wild, bits};
use web::Scene;

use super::lit::{Lit, Spot, Way, names, words};

/// The hands of the Factions that the viewer plays.
pub fn draw(game: &Triumph, view: &View, lit: &Lit, scene: &mut Scene) {
    let state = view.state();
    for faction in view.own().factions() {
        let own = state.of(faction);
        let counts = view.counted(faction).hand;
        let key = format!("hand-{}", faction.word());
        let heading = html! {
            h3 id=(key) .hand-head.(faction.word()) {
                @if view.own().count() > 1 { (faction.title()) } @else { "Hand" }
                " " small { (counts[0]) " + " (counts[1]) }
            }
        };
        scene.add("hand", key, heading);
        let committed = own.committed.filter(|card| !own.holds(*card));
        let cards = Deck::ALL
            .into_iter()
            .flat_map(|deck| bits(own.hand[deck as usize]).map(move |card| Card::new(deck, card)));
        for card in committed.into_iter().chain(cards) {
            let key = format!("card-{}", game.rules().world.card_id(card));
            let drawn = draw_card(game, state, lit, faction, card, committed == Some(card), &key);
            scene.add("hand", key, drawn);
        }
    }
}

fn draw_card(
    game: &Triumph,
    state: &State,
    lit: &Lit,
    faction: Faction,
    card: Card,
    committed: bool,
    key: &str,
) -> Markup {
    let whole = lit.at(game, state, Spot::Card(card));
    let (class, band) = band(game, card);
    let said = game.rules().card_text(card);
    let state_words = if committed { "committed" } else { "" };
    html! {
        article id=(key) .card.(class).(faction.word()).committed[committed] title=(said) {
            @if let Some(names) = names(&whole) {
                button.command.lit type="button" data-choice=(names) aria-label=(words(&whole, &said)) { (band) }
            } @else {
                span.command { (band) }
            }
            span.ends { (ends(game, state, lit, card, &whole)) @if committed { small { (state_words) } } }
        }
    }
}

/// The class of a card and what stands on its band.
fn band(game: &Triumph, card: Card) -> (&'static str, Markup) {
    let world = &game.rules().world;
    match card.deck() {
        Deck::Action => {
            let card = world.action(card);
            let band = html! {
                b { (char::from(card.letter)) } b.v { (card.value) } i { (card.season.title()) }
            };
            (card.season.word(), band)
        }
        Deck::Investment => {
            let band = html! {
                svg.ic viewBox="0 0 24 24" aria-hidden="true" { use href="#s-ind" {} }
                b.v { (world.investment(card).factory) } i { "Factory" }
            };
            ("invest", band)
        }
    }
}

/// An end of a card.
fn end(ways: &[&Way], title: &str) -> Markup {
    html! {
        @if let Some(names) = names(ways) {
            button.end.lit type="button" data-choice=(names) { (title) }
        } @else {
            span.end { (title) }
        }
    }
}

/// The text of a card that is put on a place of the map: a piece that is picked up.
fn text(game: &Triumph, state: &State, lit: &Lit, card: Card, title: &str, about: &str) -> Markup {
    let ways = lit.at(game, state, Spot::Text(card));
    let id = game.rules().world.card_id(card);
    let piece = ways.first().map(|way| {
        let verb = way.name.split(' ').next().unwrap_or_default();
        format!("{verb} {id}")
    });
    html! {
        @if let Some(piece) = piece {
            button.end.lit id={"text-" (id)} type="button" data-piece=(piece) { (title) }
        } @else {
            span.end.wild { (title) }
        }
        @if !about.is_empty() { small.end { (about) } }
    }
}

fn ends(game: &Triumph, state: &State, lit: &Lit, card: Card, whole: &[&Way]) -> Markup {
    let world = &game.rules().world;
    match card.deck() {
        Deck::Action => match &world.action(card).diplomacy {
            Diplomacy::Nations(nations) => html! {
                @for nation in nations {
                    (end(&lit.at(game, state, Spot::End(card, *nation)), &world.atlas.nation(*nation).name))
                }
            },
            Diplomacy::Wild(title, wild) => text(game, state, lit, card, title, wild_about(wild)),
        },
        Deck::Investment => match world.investment(card).research {
            Research::Tech(techs, espionage) => html! {
                @for tech in Tech::ALL.into_iter().filter(|tech| techs & tech.bit() != 0) {
                    (end(&of_tech(whole, tech), tech.title()))
                }
                @if espionage { (end(&[], "Industrial Espionage")) }
            },
            Research::Science(year, _) => html! {
                (end(whole, "Science"))
                small.end { "from 19" (year) }
            },
            Research::Intelligence(intel) => text(game, state, lit, card, intel.title(), ""),
        },
    }
}

/// Those of a card's choices that are about a technology.
fn of_tech<'w>(ways: &[&'w Way], tech: Tech) -> Vec<&'w Way> {
    let is_about = |way: &&&Way| match way.choice {
        triumph::Choice::Pair(_, _, find) | triumph::Choice::Take(_, find) => find.tech() == tech,
        _ => false,
    };
    ways.iter().filter(is_about).copied().collect()
}

/// What a WildCard is for, in a few words. Rule 8.3.
const fn wild_about(wild: &Wild) -> &'static str {
    match wild {
        Wild::Listed(_) => "a nation of your list",
        Wild::Isolation(_) => "takes a Rival's marker",
        Wild::Loathing(_) => "takes a Rival's marker",
        Wild::Intimidation => "a Neutral next to you",
        Wild::Guarantee => "a Neutral next to a Rival",
        Wild::ForeignAid => "1 IND for any Neutral",
    }
}
