//! Checks that involve several fields of a scenario.

use diagnostics::Problems;
use terrain::Octant;

use super::read::Spans;
use super::{MAX_KEYS, Scenario, Side};
use crate::battalions::{Battalions, Mode};

/// The most VP of all objectives together.
const MAX_VP: u16 = 200;
/// The most formations of a scenario.
const MAX_FORMATIONS: usize = 64;

/// Adds everything that does not fit.
pub(super) fn scenario(scenario: &Scenario, spans: &Spans, problems: &mut Problems) {
    bridges_and_roads(scenario, spans, problems);
    keys(scenario, spans, problems);
    units(scenario, spans, problems);
    strength(scenario, problems);
}

fn bridges_and_roads(scenario: &Scenario, spans: &Spans, problems: &mut Problems) {
    let grid = scenario.grid;
    for (at, (bridge, span)) in scenario.bridges.iter().zip(&spans.bridges).enumerate() {
        if scenario.bridge_at(bridge.from, bridge.way) != Some(at) {
            problems.error(span.clone(), format!("there is a bridge already where {:?} is", bridge.name));
        }
        if scenario.lay[usize::from(bridge.from)].rivers >> bridge.way.index() & 1 == 0 {
            problems
                .error(span.clone(), format!("the bridge {:?} spans no river", bridge.name))
                .expected("two zones with a river between them");
        }
    }
    for (road, spans) in scenario.roads.iter().zip(&spans.roads) {
        for (at, &zone) in road.path.iter().enumerate() {
            let lay = scenario.lay[usize::from(zone)];
            if lay.impassable || lay.water {
                problems.error(
                    spans[at].clone(),
                    format!("the road {:?} runs into water at {}", road.name, grid.name(zone)),
                );
            }
        }
        for (at, pair) in road.path.windows(2).enumerate() {
            let Some(way) = grid.direction(pair[0], pair[1]) else { continue };
            let crosses = scenario.lay[usize::from(pair[0])].rivers >> way.index() & 1 != 0;
            if crosses && scenario.bridge_at(pair[0], way).is_none() {
                problems
                    .error(
                        spans[at + 1].clone(),
                        format!(
                            "the road {:?} crosses a river from {} to {} without a bridge",
                            road.name,
                            grid.name(pair[0]),
                            grid.name(pair[1])
                        ),
                    )
                    .expected("a bridge there, over a side and not over a corner");
            }
        }
    }
}

fn keys(scenario: &Scenario, spans: &Spans, problems: &mut Problems) {
    if scenario.keys.len() > MAX_KEYS {
        problems
            .error(
                spans.keys[MAX_KEYS].clone(),
                format!("there are {} objectives and supply points", scenario.keys.len()),
            )
            .expected(format!("at most {MAX_KEYS}"));
    }
    for (key, span) in scenario.keys.iter().zip(&spans.keys) {
        let lay = scenario.lay[usize::from(key.zone)];
        if lay.impassable || (lay.water && key.vp > 0) {
            problems.error(span.clone(), format!("{} can't be reached", scenario.grid.name(key.zone)));
        }
        let garrison = (0..scenario.troops.len())
            .find(|unit| scenario.troops[*unit].arrives == 0 && scenario.papers[*unit].zones[0] == key.zone);
        if let Some(unit) = garrison.filter(|unit| scenario.troops[*unit].side != key.held_by) {
            problems.error(
                span.clone(),
                format!(
                    "{:?} is held by one side, but {} of the other stands there",
                    key.name, scenario.papers[unit].id
                ),
            );
        }
    }
    for side in Side::ALL {
        if !scenario.keys.iter().any(|key| key.supplies == Some(side)) {
            problems
                .error(0..0, format!("{} has no supply point", scenario.sides[side.index()].id))
                .expected("an entry in \"supply\" for each side");
        }
    }
    let victory = scenario.victory;
    let total = scenario.total_vp();
    if total > MAX_VP {
        problems
            .error(spans.victory.clone(), format!("the objectives are worth {total} VP together"))
            .expected(format!("at most {MAX_VP}"));
    }
    if victory.defender_win >= victory.aggressor_win
        || u16::from(victory.aggressor_win) > total
        || u16::from(victory.sudden) > total
    {
        problems.error(spans.victory.clone(), "the aims do not fit together").expected(format!(
            "defender_win below aggressor_win, and all at most the {total} VP of the objectives"
        ));
    }
}

fn units(scenario: &Scenario, spans: &Spans, problems: &mut Problems) {
    let limit = Battalions::builtin().stacking.limit;
    let mut points = vec![0_u16; scenario.grid.len()];
    let mut first: Vec<Option<usize>> = vec![None; scenario.grid.len()];
    let mut facing: Vec<Option<Octant>> = vec![None; scenario.grid.len()];
    for (at, (troop, paper)) in scenario.troops.iter().zip(&scenario.papers).enumerate() {
        problems.set_place(format!("unit {:?}", paper.id));
        let span = spans.units[at].clone();
        for &zone in &paper.zones {
            let (lay, name) = (scenario.lay[usize::from(zone)], scenario.grid.name(zone));
            if lay.impassable || (lay.water && scenario.landing != Some(troop.side)) {
                problems.error(span.clone(), format!("it can't stand in {name}: water"));
            }
            if lay.marsh && troop.mode == Mode::Mechanized && lay.roads == 0 {
                problems.error(
                    span.clone(),
                    format!("MECH can't stand in the marsh of {name}: no road leads there"),
                );
            }
        }
        if troop.arrives > scenario.turns {
            problems
                .error(span.clone(), format!("it arrives in turn {}", troop.arrives))
                .expected(format!("a turn up to {}", scenario.turns));
        }
        if troop.arrives > 0 {
            continue;
        }
        let zone = usize::from(paper.zones[0]);
        let name = scenario.grid.name(paper.zones[0]);
        points[zone] += u16::from(troop.points);
        if points[zone] > u16::from(limit) {
            problems
                .error(span.clone(), format!("zone {name} holds {} stacking points with it", points[zone]))
                .expected(format!("at most {limit}"));
        }
        let before = *first[zone].get_or_insert(at);
        if scenario.troops[before].side != troop.side {
            problems.error(
                span.clone(),
                format!("zone {name} holds both sides: {} too", scenario.papers[before].id),
            );
        }
        if let Some(way) = paper.facing {
            let known = *facing[zone].get_or_insert(way);
            if known != way {
                problems
                    .error(span, format!("zone {name} has two facings: {} and {}", known.name(), way.name()))
                    .expected("one facing for all units of a zone");
            }
        }
    }
    problems.set_place("");
    for side in Side::ALL {
        for &zone in &scenario.prepared[side.index()] {
            if let Some(at) = first[usize::from(zone)].filter(|at| scenario.troops[*at].side != side) {
                let name = scenario.grid.name(zone);
                problems.error(
                    spans.units[at].clone(),
                    format!("it stands in the prepared position of the other side in {name}"),
                );
            }
        }
    }
    if scenario.formations.len() > MAX_FORMATIONS {
        problems
            .error(
                spans.formations[MAX_FORMATIONS].clone(),
                format!("there are {} formations", scenario.formations.len()),
            )
            .expected(format!("at most {MAX_FORMATIONS}"));
    }
}

/// What can be played, but was hardly meant.
fn strength(scenario: &Scenario, problems: &mut Problems) {
    for side in Side::ALL {
        let info = &scenario.sides[side.index()];
        let count = scenario.troops.iter().filter(|troop| troop.side == side && !troop.is_hq()).count();
        if count == 0 {
            problems.error(0..0, format!("{} has no battalions", info.id)).expected("one unit or more");
        } else if usize::from(info.break_at) < count {
            problems.warn(0..0, format!("{} breaks at {}, with {count} battalions", info.id, info.break_at));
        }
    }
    let held: u16 = scenario
        .keys
        .iter()
        .filter(|key| key.held_by == scenario.aggressor)
        .map(|key| u16::from(key.vp))
        .sum();
    if held >= u16::from(scenario.victory.aggressor_win) {
        problems.warn(0..0, format!("the aggressor starts with {held} VP, enough to win"));
    }
}
