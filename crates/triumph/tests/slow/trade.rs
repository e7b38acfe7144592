//! Trade Routes and Supply Lines, area by area. Rules 14.11, 14.21.

use std::collections::BTreeSet;

use triumph::{AreaSet, BorderKind, Faction, Ground, LANDS, State, Status, Triumph};

/// Whether an area is a sea or an ocean.
pub fn is_sea(area: u8) -> bool {
    usize::from(area) >= LANDS
}

/// How a land area looks to a Faction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    Friendly,
    Rival,
    Enemy,
    Neutral,
}

/// Who holds a land area, in the eyes of a Faction. A Minor at arms is an Enemy only of its enemies (R26).
pub fn look(game: &Triumph, state: &State, faction: Faction, area: u8) -> Look {
    let holder = Faction::ALL.into_iter().find(|other| state.controls(*other, area));
    let nation = state.nation(game.rules().atlas().nation_of(area));
    match holder {
        Some(other) if other == faction => Look::Friendly,
        Some(other) if state.at_war(faction, other) => Look::Enemy,
        Some(_) => Look::Rival,
        None if nation.status == Status::Armed && nation.enemies.has(faction) => Look::Enemy,
        None => Look::Neutral,
    }
}

/// Whether units of an Enemy are in an area, or Escaped Submarines of one.
pub fn has_enemies(state: &State, faction: Faction, area: u8, escaped: bool) -> bool {
    let mut enemies = state.of(faction).enemies.factions();
    enemies.any(|enemy| {
        if escaped { state.escaped[enemy.index()].has(area) } else { state.present[enemy.index()].has(area) }
    })
}

/// The areas from which a Trade Route leads to the main capital.
pub fn reached(game: &Triumph, state: &State, faction: Faction, africa: bool) -> AreaSet {
    let atlas = game.rules().atlas();
    let capital = atlas.factions[faction.index()].main_capital;
    if !state.controls(faction, capital) {
        return AreaSet::EMPTY;
    }
    let is_strait = |area: u8| atlas.area(area).ground == Ground::Strait;
    let carries = |area: u8| {
        if is_sea(area) {
            return !has_enemies(state, faction, area, false) && !has_enemies(state, faction, area, true);
        }
        match look(game, state, faction, area) {
            Look::Friendly | Look::Neutral => true,
            Look::Rival => is_strait(area),
            Look::Enemy => false,
        }
    };
    let mut seen: BTreeSet<(u8, String)> = BTreeSet::new();
    let mut open = vec![(capital, String::new())];
    while let Some((area, run)) = open.pop() {
        if !seen.insert((area, run.clone())) {
            continue;
        }
        for edge in atlas.edges(area) {
            if !carries(edge.to) || (atlas.borders[usize::from(edge.border)].around_africa && !africa) {
                continue;
            }
            let wet = is_sea(area) || is_sea(edge.to);
            for step in ['L', 'W'] {
                let fits = match step {
                    'W' => wet || edge.kind == BorderKind::Strait,
                    _ => !wet,
                };
                let ashore = !is_sea(area) && !is_strait(area);
                let on = match run.chars().last() {
                    Some('W') if step == 'W' && ashore => None,
                    Some(last) if last == step => Some(run.clone()),
                    _ if run.len() < 2 => Some(format!("{run}{step}")),
                    _ => None,
                };
                if let Some(on) = on.filter(|_| fits) {
                    open.push((edge.to, on));
                }
            }
        }
    }
    seen.into_iter().map(|(area, _)| area).collect()
}

/// Whether a unit in an area would have a Supply Line.
pub fn has_supply_line(game: &Triumph, state: &State, faction: Faction, unit: u8) -> bool {
    let atlas = game.rules().atlas();
    let is_source = |area: u8| {
        atlas.factions[faction.index()].capitals.contains(&area)
            && state.controls(faction, area)
            && state.nation(atlas.nation_of(area)).status != Status::Defeated
    };
    let carries = |area: u8| {
        if is_sea(area) {
            return !has_enemies(state, faction, area, false);
        }
        match look(game, state, faction, area) {
            Look::Friendly => true,
            Look::Neutral | Look::Rival => atlas.area(area).ground == Ground::Strait,
            Look::Enemy => false,
        }
    };
    let mut seen = BTreeSet::from([unit]);
    let mut open = vec![unit];
    while let Some(area) = open.pop() {
        if is_source(area) {
            return true;
        }
        for edge in atlas.edges(area) {
            if carries(edge.to) && seen.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    false
}
