//! Blocks on the slots of their areas.
//!
//! Own blocks stand one by one, so that each can be picked. The hidden blocks of a nation in an area are one element with a
//! count: there is nothing in it by which one of them could be told from another.

use maud::html;
use triumph::{Atlas, Block, Class, Faction, Kind, Power, Rules, Stage, State, Triumph, View, flag};
use web::Scene;

use super::block::{self, Face, Lies};
use super::layers::Layers;
use super::lit::{Lit, Spot, names, words};
use super::{atlas, battle};

/// How far a block is put aside where there are more blocks than slots.
const ASIDE: f64 = 5.0;
/// The fourth party of an area: the fort of an Armed Minor.
const MINOR: usize = 3;

/// What blocks are drawn from.
struct Table<'a> {
    game: &'a Triumph,
    view: &'a View,
    lit: &'a Lit,
    layers: &'a Layers,
}

/// What stands on a slot.
enum Item {
    /// A block whose face the viewer knows as its owner.
    Own(usize),
    /// A block that lies face up, the n-th of its nation here.
    Shown(usize, usize),
    /// Hidden blocks of a nation, those that have Escaped apart.
    Hidden(Power, usize, bool),
}

/// All blocks.
pub fn draw(game: &Triumph, view: &View, lit: &Lit, layers: &Layers, scene: &mut Scene) {
    let state = view.state();
    let mut areas: Vec<Vec<usize>> = vec![Vec::new(); triumph::AREAS];
    for (at, block) in state.blocks.iter().enumerate().filter(|(_, block)| block.on_map()) {
        areas[usize::from(block.area)].push(at);
    }
    let asks_areas = lit.ways().any(|way| is_about_an_area(way.choice));
    scene.class("units", if asks_areas { "through" } else { "units" });
    for (area, blocks) in areas.iter().enumerate().filter(|(_, blocks)| !blocks.is_empty()) {
        let table = Table { game, view, lit, layers };
        stand(&table, area as u8, blocks, scene);
    }
}

const fn is_about_an_area(choice: triumph::Choice) -> bool {
    use triumph::Choice;
    matches!(
        choice,
        Choice::To(..)
            | Choice::At(_)
            | Choice::Arrive(_)
            | Choice::Select(_)
            | Choice::Fight(_)
            | Choice::Retreat(..)
            | Choice::Rebase(..)
            | Choice::Aim(_)
    )
}

/// The party of a block.
fn party(block: usize) -> usize {
    State::owner(block).map_or(MINOR, Faction::index)
}

/// The party whose blocks take the first slots: the owner of the land, at sea the viewer.
fn host(view: &View, area: u8, blocks: &[usize]) -> usize {
    let state = view.state();
    let present = |faction: &Faction| blocks.iter().any(|block| party(*block) == faction.index());
    let owner = if Atlas::is_sea(area) {
        view.own().factions().find(present)
    } else {
        Faction::ALL.into_iter().find(|faction| state.controls(*faction, area))
    };
    owner.filter(present).map_or_else(|| blocks.first().map_or(MINOR, |block| party(*block)), Faction::index)
}

/// Ground units first, then Air, Naval, Submarines: always in the same order, so that blocks stay where they are.
const fn rank(kind: Kind) -> u8 {
    match kind.class(false) {
        Class::Ground => 0,
        Class::Air => 1,
        Class::Naval => 2,
        Class::Submarine => 3,
    }
}

/// The blocks of an area as they stand: those of the host, then the others.
fn items(view: &View, area: u8, blocks: &[usize]) -> (Vec<Item>, Vec<Item>) {
    let state = view.state();
    let host = host(view, area, blocks);
    let mut sorted = blocks.to_vec();
    sorted.sort_by_key(|block| {
        (party(*block), rank(state.blocks[*block].kind), state.blocks[*block].kind, *block)
    });
    let (mut first, mut others): (Vec<Item>, Vec<Item>) = (Vec::new(), Vec::new());
    for (at, &block) in sorted.iter().enumerate() {
        let unit = &state.blocks[block];
        let side = if party(block) == host { &mut first } else { &mut others };
        let same = |other: &&usize| Power::of_block(**other) == Power::of_block(block);
        if State::owner(block).is_some_and(|owner| view.knows(owner)) {
            side.push(Item::Own(block));
        } else if !unit.is_hidden() {
            let shown = sorted[..at].iter().filter(same).filter(|other| !state.blocks[**other].is_hidden());
            side.push(Item::Shown(block, shown.count()));
        } else if let Some(power) = Power::of_block(block) {
            let escaped = unit.is(flag::ESCAPED);
            let stack = side.iter_mut().find_map(|item| match item {
                Item::Hidden(of, count, away) if (*of, *away) == (power, escaped) => Some(count),
                _ => None,
            });
            match stack {
                Some(count) => *count += 1,
                None => side.push(Item::Hidden(power, 1, escaped)),
            }
        }
    }
    (first, others)
}

fn stand(table: &Table<'_>, area: u8, blocks: &[usize], scene: &mut Scene) {
    let Some(place) = atlas::place(area) else { return };
    let (first, others) = items(table.view, area, blocks);
    let total = first.len() + others.len();
    let slots = &place.slots;
    let end = if total <= place.clear { place.clear } else { slots.len() };
    let host_count = first.len();
    for (at, item) in first.iter().chain(&others).enumerate() {
        // The host begins at the first slot, the others at the last; those for whom there is none stand aside.
        let slot = if total > slots.len() || at < host_count { at } else { end - 1 - (at - host_count) };
        let aside = ASIDE * (slot / slots.len()) as f64;
        let [x, y] = slots[slot % slots.len()];
        draw_item(table, area, item, [x + aside, y - aside], scene);
    }
}

/// The mark on a unit that can be disbanded, for those who want to. Ruling R48.
fn disband_mark(block: usize, names: &str, unit: &str, place: [f64; 2], scene: &mut Scene) {
    let key = format!("disband-{block}");
    let said = format!("Disband {unit}");
    let drawn = html! {
        g id=(key) .disband.lit transform=(block::at(place)) data-choice=(names) role="button" tabindex="0" aria-label=(said) {
            title { (said) }
            circle r="9" {}
            path d="M-4.5 -4.5L4.5 4.5M-4.5 4.5L4.5 -4.5" {}
        }
    };
    scene.add("courts", key, drawn);
}

/// A block in words: "German Tank 3".
pub fn block_words(rules: &Rules, block: usize, unit: &Block) -> String {
    let escaped = if unit.is(flag::ESCAPED) { "Escaped " } else { "" };
    let disrupted = if unit.is(flag::DISRUPTED) { ", disrupted" } else { "" };
    match Power::of_block(block) {
        Some(power) => format!("{escaped}{} {} {}{disrupted}", power.adjective(), unit.kind.title(), unit.cv),
        None => format!("Fort {} of {}", unit.cv, rules.nation_name(rules.atlas().nation_of(unit.area))),
    }
}

/// The face of a block.
pub fn face(rules: &Rules, block: usize, unit: &Block) -> Face {
    let power = Power::of_block(block);
    Face {
        power,
        kind: unit.kind,
        cv: unit.cv,
        most: power.map_or(3, |power| rules.atlas().max_cv[power.index()]),
        convoy: unit.kind.is_troop() && Atlas::is_sea(unit.area),
    }
}

fn draw_item(table: &Table<'_>, area: u8, item: &Item, place: [f64; 2], scene: &mut Scene) {
    let Table { game, view, lit, layers } = *table;
    let (rules, state) = (game.rules(), view.state());
    let (id, fights) = (atlas::id(area), battle::is_fought(state) && state.battle.area == area);
    let (key, markup) = match *item {
        Item::Own(block) => {
            let key = format!("b-{block}");
            let unit = &state.blocks[block];
            let ways = lit.at(game, state, Spot::Block(block as u8));
            let picked = state.stage == Stage::Destination && usize::from(state.picked) == block;
            let owner = State::owner(block);
            let moved = unit.is(flag::MOVED) && owner == Some(state.turn.faction);
            let said = format!("{} in {}", block_words(rules, block, unit), rules.place_name(area));
            if picked {
                // On top of whatever stands around it.
                let copy = html! {
                    g #picked-unit .block.picked.(block::nation_class(Power::of_block(block))) transform=(block::at(place)) aria-hidden="true" {
                        (block::face(face(rules, block, unit), Lies::Standing))
                    }
                };
                scene.add("courts", "picked-unit", copy);
            }
            if let Some(names) = names(&lit.at(game, state, Spot::Disband(block as u8))) {
                disband_mark(block, &names, &said, place, scene);
            }
            let class = block::nation_class(Power::of_block(block));
            let role = (!ways.is_empty()).then_some("button");
            let lies = if unit.is(flag::REVEALED) && fights { Lies::FaceUp } else { Lies::Standing };
            let drawn = html! {
                g id=(key) .block.glide.(class).fights[fights].moved[moved].picked[picked].lit[!ways.is_empty()].escaped[unit.is(flag::ESCAPED)].lying[lies == Lies::FaceUp].cut-off[layers.is_cut_off(state, block)]
                    transform=(block::at(place)) data-choice=[names(&ways)] role=[role] tabindex=[role.map(|_| "0")]
                    aria-label=[role.map(|_| words(&ways, &said))] {
                    title { (said) }
                    (block::face(face(rules, block, unit), lies))
                    @if unit.is(flag::DISRUPTED) { path.disrupted d="M-9 9L9 -4" {} }
                }
            };
            (key, drawn)
        }
        Item::Shown(block, at) => {
            let unit = &state.blocks[block];
            let class = block::nation_class(Power::of_block(block));
            let key = format!("f-{id}-{class}-{at}");
            let said = format!("{} in {}", block_words(rules, block, unit), rules.place_name(area));
            let drawn = html! {
                g id=(key) .block.lying.(class).fights[fights].escaped[unit.is(flag::ESCAPED)] transform=(block::at(place)) {
                    title { (said) }
                    (block::face(face(rules, block, unit), Lies::FaceUp))
                }
            };
            (key, drawn)
        }
        Item::Hidden(power, count, escaped) => {
            let key = format!("h-{id}-{}{}", power.word(), if escaped { "-escaped" } else { "" });
            let said = format!(
                "{} {}, hidden, in {}",
                crate::words::counted(count, &format!("{} unit", power.adjective())),
                if escaped { "that escaped" } else { "" },
                rules.place_name(area)
            )
            .replace("  ", " ")
            .replace(" ,", ",");
            let drawn = html! {
                g id=(key) .block.back.(power.word()).fights[fights].escaped[escaped] transform=(block::at(place)) {
                    title { (said) }
                    (block::backs(power, count))
                }
            };
            (key, drawn)
        }
    };
    scene.add("units", key, markup);
}
