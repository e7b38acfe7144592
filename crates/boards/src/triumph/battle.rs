//! The battle board: both sides in four columns, who acts now, and what the dice need. Rules 12.2 to 12.4.
//!
//! It lies over that half of the map in which the Battle is not. The columns of the Enemy are the buttons of a fire action.

use maud::{Markup, html};
use triumph::{
    Atlas, Choice, Class, Faction, Kind, Leaving, NONE, Power, Rules, Stage, State, Triumph, View, flag,
};
use web::Scene;

use super::block::{self, Lies};
use super::geometry::WIDTH;
use super::lit::{Lit, Spot, Way, names, words};
use super::{atlas, odds_bar, trace, units};

/// The columns of the board.
const COLUMNS: [(Class, &str); 4] = [
    (Class::Air, "Air"),
    (Class::Naval, "Naval"),
    (Class::Ground, "Ground"),
    (Class::Submarine, "Submarines"),
];

/// Whether a Battle is under way, or its end.
pub const fn is_fought(state: &State) -> bool {
    let stage = matches!(
        state.stage,
        Stage::Group
            | Stage::Vault(_)
            | Stage::Action(_)
            | Stage::Dice
            | Stage::Hit(_)
            | Stage::AfterStrike
            | Stage::Rebase
            | Stage::Escape(_)
            | Stage::Leave(_, Leaving::Round | Leaving::Sea | Leaving::Convoys)
    );
    stage && state.battle.area != NONE
}

/// The board, while a Battle is fought.
pub fn draw(game: &Triumph, view: &View, lit: &Lit, scene: &mut Scene) {
    let (rules, state) = (game.rules(), view.state());
    if !is_fought(state) {
        return;
    }
    let area = state.battle.area;
    let Some(place) = atlas::place(area) else { return };
    let right = place.centre[0] < WIDTH / 2.0;
    let info = rules.atlas().area(area);
    let raid = state.battle.against.is_empty();
    let columns = columns(rules, state);
    let wide = format!("cols-{}", columns.len());
    let defenders = rules.parties_name(state.battle.against, area);
    let board = html! {
        section #battle .battle.(wide).right[right] data-speaks-of=(trace::area_anchor(area)) role="group" aria-label={"Battle of " (rules.place_name(area))} {
            header {
                h3 { (info.name) }
                span { (kind_of_battle(area)) ", round " (state.battle.round.max(1)) }
            }
            ol.sequence aria-label="Order of actions" { (sequence(rules, state)) }
            div.classes aria-hidden="true" { span {} @for (_, title) in &columns { b { (title) } } }
            @if !raid { (side(game, state, lit, false, &columns, &format!("{defenders} defends"))) }
            (side(game, state, lit, true, &columns, &format!("{} attacks", state.turn.faction.the())))
            (odds_bar::draw(rules, view))
            (shot(rules, state))
            (others(lit))
            (ways_out(rules, state, lit))
        }
    };
    scene.add("over-map", "battle", board);
}

const fn kind_of_battle(area: u8) -> &'static str {
    if Atlas::is_sea(area) { "Battle at sea" } else { "Battle on land" }
}

/// The blocks of a side.
fn fighters<'s>(rules: &'s Rules, state: &'s State, attacking: bool) -> impl Iterator<Item = usize> + 's {
    let on_side = move |block: usize| {
        if attacking { rules.attacks(state, block) } else { rules.defends(state, block) }
    };
    state.blocks_at(state.battle.area).map(|(block, _)| block).filter(move |block| on_side(*block))
}

/// The side whose units of a type act now.
fn acts_now(rules: &Rules, state: &State, kind: Kind, attacking: bool) -> bool {
    matches!(state.stage, Stage::Action(_) | Stage::Dice | Stage::Hit(_) | Stage::AfterStrike)
        && state.battle.kind == kind
        && (rules.attacker_first(state, kind) != state.battle.second) == attacking
}

/// Types in the order of their priority, each side in the order in which it acts.
fn sequence(rules: &Rules, state: &State) -> Markup {
    let mut steps = Vec::new();
    // Convoys do not act. Rule 12.72.
    let at_sea = Atlas::is_sea(state.battle.area);
    for kind in Kind::ALL.into_iter().filter(|kind| !(at_sea && kind.is_troop())) {
        let first = rules.attacker_first(state, kind);
        for attacking in [first, !first] {
            let present: Vec<usize> = fighters(rules, state, attacking)
                .filter(|block| state.blocks[*block].kind == kind && !state.blocks[*block].is_hidden())
                .collect();
            let Some(owner) = present.first().map(|block| State::owner(*block)) else { continue };
            let done = present.iter().all(|block| state.blocks[*block].is(flag::ACTED));
            let class = owner.map_or("neutral", Faction::word);
            steps.push((kind, class, done, acts_now(rules, state, kind, attacking)));
        }
    }
    html! {
        @for (kind, class, done, now) in steps {
            li.(class).done[done && !now].now[now] { (kind.title()) }
        }
    }
}

/// The classes that take part; those without any unit would only make the board cover more of the map.
fn columns(rules: &Rules, state: &State) -> Vec<(Class, &'static str)> {
    let at_sea = Atlas::is_sea(state.battle.area);
    let is_there = |class: Class| {
        let both = fighters(rules, state, true).chain(fighters(rules, state, false));
        { both }
            .any(|block| !state.blocks[block].is_hidden() && state.blocks[block].kind.class(at_sea) == class)
    };
    COLUMNS.into_iter().filter(|(class, _)| is_there(*class)).collect()
}

fn side(
    game: &Triumph,
    state: &State,
    lit: &Lit,
    attacking: bool,
    columns: &[(Class, &str)],
    title: &str,
) -> Markup {
    let rules = game.rules();
    let class = if attacking {
        state.turn.faction.word()
    } else {
        state.battle.against.factions().next().map_or("neutral", Faction::word)
    };
    let title = capitalized(title);
    // The side that is fired at is the one to which the acting unit does not belong.
    let acting = lit.ways().find_map(|way| match way.choice {
        Choice::Fire(block, _) => Some(usize::from(block)),
        _ => None,
    });
    let is_target = acting.is_some_and(|block| rules.attacks(state, block) != attacking);
    html! {
        div.bside.(class) {
            h4 { (title) }
            @for (column, _) in columns {
                @let ways = if is_target { lit.at(game, state, Spot::Class(*column)) } else { Vec::new() };
                (column_of(game, state, lit, attacking, *column, &ways))
            }
        }
    }
}

fn column_of(
    game: &Triumph,
    state: &State,
    lit: &Lit,
    attacking: bool,
    column: Class,
    ways: &[&Way],
) -> Markup {
    let rules = game.rules();
    let at_sea = Atlas::is_sea(state.battle.area);
    let is_here = |block: &usize| {
        let unit = &state.blocks[*block];
        !unit.is_hidden() && unit.kind.class(at_sea) == column
    };
    let blocks: Vec<usize> = fighters(rules, state, attacking).filter(is_here).collect();
    // Blocks can be buttons of their own only where the column is none.
    let list = html! {
        ul { @for block in &blocks { (fighter(game, state, lit, *block, attacking, ways.is_empty())) } }
    };
    html! {
        @if let Some(names) = names(ways) {
            button.bcol.target.lit type="button" data-choice=(names) title=(words(ways, "Fire at this class")) {
                (list)
                @if let [Way { choice: Choice::Fire(block, class), .. }] = ways {
                    @let (dice, needs) = (rules.dice(state, usize::from(*block), *class), rules.firepower(state, usize::from(*block), *class));
                    span.aim { b { (crate::words::counted(usize::from(dice), "die").replace("dies", "dice")) } ", hit ≤ " (needs) }
                }
            }
        } @else {
            div.bcol { (list) }
        }
    }
}

fn fighter(
    game: &Triumph,
    state: &State,
    lit: &Lit,
    block: usize,
    attacking: bool,
    clickable: bool,
) -> Markup {
    let rules = game.rules();
    let unit = &state.blocks[block];
    let ways = if clickable { lit.at(game, state, Spot::Block(block as u8)) } else { Vec::new() };
    let now = acts_now(rules, state, unit.kind, attacking) && !unit.is(flag::ACTED);
    let face = units::face(rules, block, unit);
    let said = units::block_words(rules, block, unit);
    let class = block::nation_class(Power::of_block(block));
    let picture = html! {
        svg.bigblock viewBox="-12.5 -12.5 26 26" aria-hidden="true" {
            g.block.(class) { (block::face(face, Lies::Standing)) @if unit.is(flag::DISRUPTED) { path.disrupted d="M-9 9L9 -4" {} } }
        }
        span.strength aria-hidden="true" { (unit.cv) }
        span.sr { (said) }
    };
    html! {
        li.fighter.now[now].done[unit.is(flag::ACTED)] title=(said) {
            @if let Some(names) = names(&ways) {
                button.pick-fighter.lit type="button" data-choice=(names) { (picture) }
            } @else { (picture) }
        }
    }
}

/// The dice in the air, or the hits that are still to be placed.
fn shot(rules: &Rules, state: &State) -> Markup {
    let firing = usize::from(state.battle.firing);
    let unit = state.blocks.get(firing).filter(|unit| unit.on_map() && !unit.is_hidden());
    html! {
        @match (state.stage, unit) {
            (Stage::Dice, Some(unit)) => p.shot { (units::block_words(rules, firing, unit)) " fires"
                @if let Some(class) = Class::ALL.get(usize::from(state.battle.class)) { " at " (class.title()) " units" } "." },
            (Stage::Hit(faction), _) => p.shot { (crate::words::counted(usize::from(state.battle.hits), "hit")) " to place on " (faction.the()) "." },
            _ => {},
        }
    }
}

/// Actions that are neither fire nor a move to a place: each a button of its own.
fn others(lit: &Lit) -> Markup {
    let is_other = |way: &&Way| {
        matches!(way.choice, Choice::Raid(_) | Choice::Strike(_) | Choice::End | Choice::Reveal(_))
    };
    html! {
        @if lit.ways().any(|way| is_other(&way)) {
            div.other-actions {
                @for way in lit.ways().filter(is_other) {
                    button.lit type="button" data-choice=(way.name) { (way.label) }
                }
            }
        }
    }
}

/// The areas to which units can leave, by unit: some of them may lie under this board.
fn ways_out(rules: &Rules, state: &State, lit: &Lit) -> Markup {
    let leaves = |way: &Way| match way.choice {
        Choice::Retreat(block, area) | Choice::Rebase(block, area) => Some((usize::from(block), area)),
        _ => None,
    };
    let ways: Vec<(usize, u8, &Way)> =
        lit.ways().filter_map(|way| leaves(way).map(|(block, area)| (block, area, way))).collect();
    html! {
        @if !ways.is_empty() {
            dl.ways-out {
                @for of_unit in ways.chunk_by(|(one, ..), (other, ..)| one == other) {
                    @let block = of_unit[0].0;
                    dt { (units::block_words(rules, block, &state.blocks[block])) " leaves to" }
                    dd {
                        @for (_, area, way) in of_unit {
                            button.lit type="button" data-choice=(way.name) title=(way.label) { (rules.atlas().area(*area).name) }
                        }
                    }
                }
            }
        }
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}
