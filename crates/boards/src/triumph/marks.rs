//! What lies on the map beside blocks: who controls what, disputes, blockades, influence, and the places that can be chosen.

use maud::html;
use triumph::{
    AreaSet, Choice, Declared, Diplomacy, Faction, LANDS, NONE, Rules, State, Status, Triumph, View, bits,
    mark,
};
use web::Scene;

use super::geometry::Geometry;
use super::layers::Layers;
use super::lit::{Lit, Spot, Way, names, words};
use super::pen::Tenths;
use super::{atlas, block};

/// Everything but blocks.
pub fn draw(game: &Triumph, view: &View, lit: &Lit, layers: &Layers, scene: &mut Scene) {
    let (rules, state) = (game.rules(), view.state());
    control(state, layers, scene);
    disputes(state, scene);
    blockades(rules, state, scene);
    for nation in 0..triumph::NATIONS as u8 {
        influence(rules, state, nation, scene);
        court(game, state, lit, nation, scene);
    }
    if !lit.is_empty() {
        reach(game, state, lit, scene);
    }
}

/// Whose land it is, and what the layers over the map say of it.
fn control(state: &State, layers: &Layers, scene: &mut Scene) {
    for area in 0..triumph::AREAS as u8 {
        let owner = Faction::ALL.into_iter().find(|faction| state.controls(*faction, area));
        let mut class = "area".to_owned();
        if let Some(faction) = owner {
            class.push_str(&format!(" {}", faction.word()));
        } else if state.control[3].has(area) {
            class.push_str(" armed");
        }
        for word in layers.classes(area) {
            class.push_str(&format!(" {word}"));
        }
        scene.class(format!("area-{}", atlas::id(area)), class);
    }
}

/// Land where several parties stand.
fn disputes(state: &State, scene: &mut Scene) {
    for area in (0..LANDS as u8).filter(|area| state.parties(*area).count() > 1) {
        let key = format!("dispute-{}", atlas::id(area));
        let drawn = html! { use.disputed id=(key) href=(atlas::outline(area)) {} };
        scene.add("disputes", key, drawn);
    }
}

/// The blockade marks of Summer, beside the signs of an area. Rule 14.22.
fn blockades(rules: &Rules, state: &State, scene: &mut Scene) {
    for area in (0..LANDS as u8).filter(|area| state.marks[usize::from(*area)] != mark::NONE) {
        let info = rules.atlas().area(area);
        let Some([x, y]) = atlas::place(area).and_then(|place| place.signs) else { continue };
        let full = state.marks[usize::from(area)] == mark::FULL;
        let key = format!("blockade-{}", info.id);
        let said = if full { "blockaded" } else { "blockaded but for what goes round Africa" };
        let drawn = html! {
            g id=(key) .blockade.full[full] transform=(block::at([x, y])) {
                title { (info.name) ": " (said) }
                path d=(if full { "M-15 0H15M-4 -5L4 5M-4 5L4 -5" } else { "M-15 0H15" }) {}
            }
        };
        scene.add("markers", key, drawn);
    }
}

/// The nation that a card in play means.
fn meant(rules: &Rules, card: u8, second: bool) -> Option<u8> {
    match rules.world.decks.actions.get(usize::from(card))?.diplomacy {
        Diplomacy::Nations(ends) => Some(ends[usize::from(second)]),
        Diplomacy::Wild(..) => None,
    }
}

/// How many cards of a Faction lie in play for a nation. Rule 7.31.
fn cards_in_play(rules: &Rules, state: &State, faction: Faction, nation: u8) -> usize {
    let own = state.of(faction);
    bits(own.in_play)
        .filter(|card| meant(rules, *card, own.second_end >> card & 1 != 0) == Some(nation))
        .count()
}

/// What a number of markers makes of a nation. Rule 8.1.
const fn influence_title(markers: u8) -> &'static str {
    match markers {
        1 => "Associate",
        2 => "Protectorate",
        _ => "Satellite",
    }
}

/// The markers of a nation, and the cards that lie in play for it.
fn influence(rules: &Rules, state: &State, nation: u8, scene: &mut Scene) {
    let Some(at) = atlas::seat_of_government(nation) else { return };
    let info = rules.atlas().nation(nation);
    let stands = state.nation(nation);
    if let (Some(faction), 1..) = (stands.influencer, stands.markers) {
        let key = format!("influence-{}", info.id);
        let drawn = html! {
            g id=(key) .influence.(faction.word()) transform=(block::at(at)) {
                title { (info.name) ": " (influence_title(stands.markers)) " of " (faction.the()) ", "
                    (crate::words::counted(usize::from(stands.markers), "marker")) }
                (block::discs(faction, stands.markers))
            }
        };
        scene.add("markers", key, drawn);
    }
    let mut left = 0.0;
    for faction in Faction::ALL {
        let count = cards_in_play(rules, state, faction, nation);
        if count == 0 {
            continue;
        }
        let key = format!("played-{}-{}", info.id, faction.word());
        let drawn = html! {
            g id=(key) .played.(faction.word()) transform=(block::at([at[0] - 10.0 + left, at[1] + 14.0])) {
                title { (faction.title()) ": " (crate::words::counted(count, "card")) " for " (info.name) }
                rect x="-4.5" y="-6" width="9" height="12" rx="1.2" {}
                @if count > 1 { text y="3.4" { (count) } } @else { use href={"#e-" (faction.word())} transform="scale(.4) translate(0 -2.8)" {} }
            }
        };
        scene.add("markers", key, drawn);
        left += 11.0;
    }
}

/// A nation that can be chosen: a ring around the place of its markers.
fn court(game: &Triumph, state: &State, lit: &Lit, nation: u8, scene: &mut Scene) {
    let ways = lit.at(game, state, Spot::Nation(nation));
    let (Some(names), Some(at)) = (names(&ways), atlas::seat_of_government(nation)) else { return };
    let info = game.rules().atlas().nation(nation);
    let hostile = ways.iter().any(|way| matches!(way.choice, Choice::Violate(_) | Choice::Intervene(_)));
    let key = format!("court-{}", info.id);
    let said = words(&ways, &info.name);
    let drawn = html! {
        g id=(key) .court.lit.hostile[hostile] transform=(block::at(at)) data-choice=(names) data-place=(info.id) {
            title { (said) }
            circle r="12.5" {}
            @if hostile { svg x="-7" y="-7" width="14" height="14" { use href="#s-war" {} } }
        }
    };
    scene.add("courts", key, drawn);
}

/// The land that a declaration is about. Ruling R41.
fn declared(rules: &Rules, state: &State) -> AreaSet {
    match state.turn.declared {
        Some(Declared::Violation(nation) | Declared::Intervention(nation)) => {
            rules.atlas().nation(nation).areas
        }
        _ => AreaSet::EMPTY,
    }
}

/// Areas that can be chosen.
fn reach(game: &Triumph, state: &State, lit: &Lit, scene: &mut Scene) {
    let rules = game.rules();
    let aimed = declared(rules, state);
    for area in 0..triumph::AREAS as u8 {
        let ways = lit.at(game, state, Spot::Area(area));
        let Some(names) = names(&ways) else { continue };
        let info = rules.atlas().area(area);
        let hostile = ways.iter().any(|way| is_hostile(rules, state, way.choice)) || aimed.has(area);
        let key = format!("reach-{}", info.id);
        let said = match ways[..] {
            // Where a card may be put on half of the map, its name and the place are enough.
            [Way { choice: Choice::Spy(..), label, .. }] => {
                format!("{}: {}", label.split(':').next().unwrap_or(label), info.name)
            }
            _ => words(&ways, &info.name),
        };
        let drawn = html! {
            use.reach.lit.hostile[hostile] id=(key) href=(atlas::outline(area)) data-choice=(names) data-place=(info.id) {
                title { (said) }
            }
        };
        scene.add("reach", key, drawn);
    }
    for way in lit.ways() {
        crossing(rules, state, way, scene);
    }
}

/// The border across which a move goes into a Battle, with how many more Ground units may cross it. Rule 11.52.
fn crossing(rules: &Rules, state: &State, way: &Way, scene: &mut Scene) {
    let Choice::To(to, via) = way.choice else { return };
    let Some(unit) = state.blocks.get(usize::from(state.picked)) else { return };
    if via == NONE || !unit.kind.is_ground() {
        return;
    }
    let left = rules.crossings_left(state, state.turn.faction, via, to);
    let middle = Geometry::built_in().between(atlas::id(via), atlas::id(to));
    let (Some(left), Some((x, y))) = (left, middle) else { return };
    let key = format!("cross-{}-{}", atlas::id(via), atlas::id(to));
    let said = format!("{}: {left} more may cross here", way.label);
    let drawn = html! {
        g id=(key) .crossing.lit transform={"translate(" (Tenths::of(x)) " " (Tenths::of(y)) ")"} data-choice=(way.name) role="button" tabindex="0" aria-label=(said) {
            title { (said) }
            circle r="8" {}
            text y="4" { (left) }
        }
    };
    scene.add("courts", key, drawn);
}

/// Whether a move goes where Enemies or Neutrals are.
fn is_hostile(rules: &Rules, state: &State, choice: Choice) -> bool {
    let Choice::To(area, _) = choice else { return matches!(choice, Choice::Fight(_) | Choice::Select(_)) };
    let mover = state.turn.faction;
    let others = state.parties(area).factions().any(|faction| state.at_war(mover, faction));
    let neutral = area < LANDS as u8
        && !state.controls(mover, area)
        && matches!(state.nation(rules.atlas().nation_of(area)).status, Status::Neutral | Status::Armed);
    others || neutral
}
