//! What a choice would do, before it is made: how far a unit comes, where it would stand and whom it would meet, which land a
//! declaration is about.

use kernel::{Discard, Game as _, Wording as _};
use maud::{Markup, html};
use triumph::{AreaSet, Atlas, Choice, Class, Faction, NONE, Power, Rules, State, Triumph, View, flag};
use web::Scene;

use super::block::{self, Lies};
use super::pen::Tenths;
use super::{atlas, units};
use crate::words::counted;

/// The words and the ghosts; `None` where nothing can be foreseen that its place does not say.
pub fn of(game: &Triumph, view: &View, choice: Choice) -> Option<(String, Scene)> {
    let (rules, state) = (game.rules(), view.state());
    let label = game.label(state, choice);
    let mut scene = Scene::default();
    let mut show = |under: Markup, over: Markup| {
        // Areas lie below the blocks, ways and blocks above them.
        scene.add("ranges", "ghost-areas", html! { g #ghost-areas .ghost { (under) } });
        scene.add("ghosts", "ghost-map", html! { g #ghost-map .ghost { (over) } });
    };
    let nothing = Markup::default;
    let words = match choice {
        Choice::Move(_) => {
            let (far, battles) = destinations(game, state, choice);
            let areas =
                html! { (outlines(far.minus(battles), "range")) (outlines(battles, "range hostile")) };
            show(areas, nothing());
            format!("{label}: {}", reach_words(far, battles))
        }
        Choice::To(area, via) => {
            let block = usize::from(state.picked);
            show(nothing(), arrival(rules, state, block, area, via));
            format!("{label}{}", met(rules, state, block, area))
        }
        Choice::Retreat(unit, area) | Choice::Rebase(unit, area) => {
            show(nothing(), arrival(rules, state, usize::from(unit), area, NONE));
            label
        }
        Choice::Violate(nation) | Choice::Intervene(nation) => {
            show(outlines(rules.atlas().nation(nation).areas, "range hostile"), nothing());
            label
        }
        Choice::Diplomacy(_, nation) | Choice::Wild(_, nation) | Choice::Repudiate(nation) => {
            let land = outlines(rules.atlas().nation(nation).areas, "range");
            show(land, marked(rules, state, choice, nation)?);
            label
        }
        Choice::Fire(unit, class) => format!("{label}; {}", hits_words(rules, state, unit, class)),
        Choice::Select(area) | Choice::Fight(area) => {
            show(outlines(AreaSet::one(area), "range hostile"), entries(state, area));
            label
        }
        Choice::War(rival) => {
            let front = seen_from(rules, state, rival);
            show(outlines(front, "range hostile"), nothing());
            format!("{label}; {} of its land lie next to yours", counted(front.len() as usize, "area"))
        }
        _ => return None,
    };
    Some((words, scene))
}

/// Where a unit can go that would be picked, and where that means a Battle.
fn destinations(game: &Triumph, state: &State, choice: Choice) -> (AreaSet, AreaSet) {
    let mut after = *state;
    game.apply(&mut after, choice, &mut Discard);
    let mut open = Vec::new();
    game.choices(&after, &mut open);
    let (mut far, mut battles) = (AreaSet::EMPTY, AreaSet::EMPTY);
    for to in open {
        if let Choice::To(area, _) = to {
            far.add(area);
            if !foes(game.rules(), &after, area).is_empty() {
                battles.add(area);
            }
        }
    }
    (far, battles)
}

/// Enemies of the Active Player in an area, by their blocks.
fn foes(rules: &Rules, state: &State, area: u8) -> Vec<usize> {
    let mover = state.turn.faction;
    let nation = (!Atlas::is_sea(area)).then(|| rules.atlas().nation_of(area));
    let is_foe = |block: usize| match State::owner(block) {
        Some(owner) => state.at_war(mover, owner),
        None => nation.is_some_and(|nation| state.nation(nation).enemies.has(mover)),
    };
    let there = state.blocks_at(area).filter(|(_, unit)| !unit.is(flag::ESCAPED));
    there.map(|(block, _)| block).filter(|block| is_foe(*block)).collect()
}

fn reach_words(far: AreaSet, battles: AreaSet) -> String {
    let to = counted(far.len() as usize, "area");
    match battles.len() {
        0 => format!("it can go to {to}"),
        with => format!("it can go to {to}, {with} of them with Enemies"),
    }
}

fn outlines(areas: AreaSet, class: &str) -> Markup {
    html! { @for area in areas { use.(class) href=(atlas::outline(area)) {} } }
}

/// A unit where it would stand, and its way there.
fn arrival(rules: &Rules, state: &State, block: usize, area: u8, via: u8) -> Markup {
    let Some(unit) = state.blocks.get(block).filter(|unit| unit.on_map()) else { return Markup::default() };
    let stops = [unit.area, via, area].into_iter().filter(|stop| *stop != NONE);
    let mut way: Vec<[f64; 2]> = Vec::new();
    for stop in stops {
        if let Some(at) = slot(state, stop, stop == area)
            && way.last() != Some(&at)
        {
            way.push(at);
        }
    }
    let line: Vec<String> =
        way.iter().map(|[x, y]| format!("{} {}", Tenths::of(*x), Tenths::of(*y))).collect();
    let Some(end) = way.last() else { return Markup::default() };
    let class = block::nation_class(Power::of_block(block));
    html! {
        path.way d={"M" (line.join("L"))} {}
        g.block.(class) transform=(block::at(*end)) { (block::face(units::face(rules, block, unit), Lies::Standing)) }
    }
}

/// The first slot of an area, or the one behind those that stand there.
fn slot(state: &State, area: u8, behind: bool) -> Option<[f64; 2]> {
    let slots = &atlas::place(area)?.slots;
    let taken = if behind { state.blocks_at(area).count() } else { 0 };
    slots.get(taken.min(slots.len() - 1)).copied()
}

/// Whom a unit would meet, as far as the viewer knows.
fn met(rules: &Rules, state: &State, block: usize, area: u8) -> String {
    let foes = foes(rules, state, area);
    if foes.is_empty() {
        return String::new();
    }
    let known = foes.iter().filter(|foe| !state.blocks[**foe].is_hidden());
    let mut there: Vec<String> =
        known.map(|foe| units::block_words(rules, *foe, &state.blocks[*foe])).collect();
    let hidden = foes.iter().filter(|foe| state.blocks[**foe].is_hidden()).count();
    if hidden > 0 {
        there.push(counted(hidden, "hidden unit"));
    }
    let own = state.own_at(state.turn.faction, area).filter(|(other, _)| *other != block).count();
    let with =
        if own > 0 { format!("; {} of yours there already", counted(own, "unit")) } else { String::new() };
    format!("; Enemies: {}{with}", there.join(", "))
}

/// The ways by which the units of a Battle came.
fn entries(state: &State, area: u8) -> Markup {
    let Some(to) = atlas::place(area).map(|place| place.centre) else { return Markup::default() };
    let mut from: Vec<u8> = state
        .blocks_at(area)
        .filter(|(_, unit)| unit.is(flag::ENGAGED) && unit.from != NONE && unit.from != area)
        .map(|(_, unit)| unit.from)
        .collect();
    from.sort_unstable();
    from.dedup();
    let centre = |area: u8| atlas::place(area).map(|place| place.centre);
    html! {
        @for [x, y] in from.into_iter().filter_map(centre) {
            path.way d={"M" (Tenths::of(x)) " " (Tenths::of(y)) "L" (Tenths::of(to[0])) " " (Tenths::of(to[1]))} {}
        }
    }
}

/// The land of a Rival beside one's own.
fn seen_from(rules: &Rules, state: &State, rival: Faction) -> AreaSet {
    let own = state.control[state.turn.faction.index()];
    Atlas::around(&rules.atlas().by_land, own).and(state.control[rival.index()])
}

/// The nation of a play with a marker more, or one of its own less. Rules 8.1, 8.2.
fn marked(rules: &Rules, state: &State, choice: Choice, nation: u8) -> Option<Markup> {
    let at = atlas::seat_of_government(nation)?;
    let faction = rules.decider(state)?;
    let markers = state.nation(nation).markers;
    let own = state.nation(nation).influencer == Some(faction);
    let after = match choice {
        Choice::Repudiate(_) => markers.saturating_sub(1),
        _ if own => markers + 1,
        _ => 1,
    };
    Some(html! {
        g.influence.(faction.word()) transform=(block::at(at)) { (block::discs(faction, after.min(3))) }
    })
}

/// What a shot does on average.
fn hits_words(rules: &Rules, state: &State, unit: u8, class: Class) -> String {
    let block = usize::from(unit);
    let (dice, needs) = (rules.dice(state, block, class), rules.firepower(state, block, class));
    format!("{:.1} hits on average", f64::from(dice) * f64::from(needs) / 6.0)
}
