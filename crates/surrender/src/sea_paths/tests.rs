//! Ways over sea against the examples of 50.2 and 50.6, and against a slow second way.

use super::*;
use crate::ids::{City, Faction};
use crate::testing::{position, put, rules};

fn hex(rules: &Rules, city: &str) -> Place {
    rules.world.city(rules.world.city_named(city).expect("a city")).hex
}

fn zones(numbers: &[u8]) -> u64 {
    numbers.iter().fold(0, |set, number| set | Node::zone(*number).bit())
}

/// Germany with Denmark and Norway, and the West.
fn north(rules: &Rules, denmark: Side) -> State {
    position(
        rules,
        &[
            (Country::GER, Side::Axis),
            (Country::NOR, Side::Axis),
            (Country::DEN, denmark),
            (Country::UK, Side::Western),
            (Country::FRA, Side::Western),
        ],
    )
}

fn cost(rules: &Rules, state: &State, side: Side, from: &str, to: &str, limit: u8) -> Option<u8> {
    rules.sea_path(state, side, hex(rules, from), hex(rules, to), limit).map(|(cost, _)| cost)
}

/// M11, M13, N01, N02.
#[test]
fn canal_and_straits_of_the_baltic() {
    let rules = rules();
    let west = north(&rules, Side::Western);
    let axis = north(&rules, Side::Axis);
    assert_eq!(cost(&rules, &west, Side::Axis, "stettin", "trondheim", 10), Some(6), "M11");
    assert_eq!(cost(&rules, &west, Side::Axis, "stettin", "trondheim", 5), None, "M13");
    assert_eq!(cost(&rules, &axis, Side::Axis, "kiel", "oslo", 10), Some(2), "N01");
    assert_eq!(cost(&rules, &axis, Side::Axis, "stettin", "oslo", 10), Some(4), "N02, Copenhagen Axis");
    assert_eq!(cost(&rules, &west, Side::Axis, "stettin", "oslo", 10), Some(5), "N02, Copenhagen Western");
    let (_, path) = rules
        .sea_path(&west, Side::Axis, hex(&rules, "stettin"), hex(&rules, "trondheim"), 10)
        .expect("a way");
    assert_eq!(path[..5], [Node::zone(13), Node::zone(11), Node::zone(8), Node::zone(3), Node::NONE]);
}

/// M12, N06, ruling 79.
#[test]
fn gibraltar_and_the_boxes() {
    let rules = rules();
    let mut state = north(&rules, Side::Western);
    state.control[hex(&rules, "cadiz").index()] = Side::Western;
    assert_eq!(cost(&rules, &state, Side::Western, "cadiz", "toulon", 10), Some(6), "M12");
    assert_eq!(cost(&rules, &state, Side::Axis, "kiel", "toulon", 30), None, "Gibraltar is British");
    assert_eq!(cost(&rules, &state, Side::Western, "liverpool", "suez", 10), Some(8), "N06");
    assert_eq!(cost(&rules, &state, Side::Western, "liverpool", "suez", 5), None, "N06 in Low Supply");
    let liverpool = hex(&rules, "liverpool");
    let box_cost = |to| rules.sea_path(&state, Side::Western, liverpool, to, 30).map(|(cost, _)| cost);
    assert_eq!((box_cost(Place::ENA), box_cost(Place::WIO)), (Some(4), Some(7)));
    let out = rules.sea_path(&state, Side::Western, Place::WIO, hex(&rules, "suez"), 10);
    assert_eq!(out.map(|(cost, path)| (cost, path[0], path[1])), Some((1, Node::zone(31), Node::NONE)));
}

/// A neutral Denmark lets German ships pass, and nobody else's.
#[test]
fn a_neutral_denmark_lets_germans_pass() {
    let rules = rules();
    let state = position(&rules, &[(Country::GER, Side::Axis), (Country::FIN, Side::Axis)]);
    let german = rules.world.unit_named("GER-KM").expect("a fleet");
    let finnish = UnitId::all().find(|unit| rules.info(*unit).country == Country::FIN).expect("a unit");
    assert!(rules.chart_of(&state, german).is_open(Passage::Danish));
    assert!(!rules.chart_of(&state, finnish).is_open(Passage::Danish));
    assert!(!rules.chart(&state, Side::Soviet).is_open(Passage::Danish));
    assert!(!rules.chart(&state, Side::Western).is_open(Passage::Turkish));
    let german_canal = rules.chart(&state, Side::Axis);
    assert!(german_canal.is_open(Passage::Kiel) && !german_canal.is_open(Passage::Suez));
}

/// N03, N04, N05 and ruling 80.
#[test]
fn where_ships_can_intercept() {
    let rules = rules();
    let mut state = north(&rules, Side::Western);
    let fleet = put(&rules, &mut state, "UK-HFL", "1518");
    let found = rules.interception_zones(&state, fleet);
    assert_eq!(found, zones(&[1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 16]), "N03");
    let force = put(&rules, &mut state, "UK-FH", "5107");
    let found = rules.interception_zones(&state, force);
    assert_eq!(found, zones(&[7, 9, 16, 17, 18, 19, 20, 21, 22]), "N04");
    let italian = put(&rules, &mut state, "ITA-FL1", "4832");
    let found = rules.interception_zones(&state, italian);
    assert_eq!(found, zones(&[19, 21, 22, 23, 24, 25, 26, 27, 28]), "N05");
    state.country_mut(Country::USA).side = Side::Western;
    let far = put(&rules, &mut state, "USA-TF22", "ENA");
    assert_eq!(rules.interception_zones(&state, far), zones(&[1, 2, 7, 16, 17]));
    let convoy = put(&rules, &mut state, "UK-CV1", "2415");
    assert_eq!(rules.interception_zones(&state, convoy), 0);
}

/// A slow second way: every simple path within a cost is walked, and the best of them taken in the words of rule 4.6.
struct Slow<'a> {
    rules: &'a Rules,
    open: Vec<Passage>,
    /// Whether the Map Boxes are open: to the West (ruling 114).
    boxes: bool,
    danger: u64,
    ends: u64,
    best: Option<(u32, u32, Vec<Node>)>,
}

impl Slow<'_> {
    fn walk(&mut self, path: &mut Vec<Node>, seen: u64, cost: u32) {
        if self.best.as_ref().is_some_and(|(best, _, _)| cost > *best) {
            return;
        }
        let here = *path.last().expect("somewhere");
        if self.ends & here.bit() != 0 {
            let risks = path.iter().filter(|node| self.danger & node.bit() != 0).count() as u32;
            let found = (cost, risks, path.clone());
            if self.best.as_ref().is_none_or(|best| found < *best) {
                self.best = Some(found);
            }
            return;
        }
        for (next, passage) in &self.rules.world.nodes[here.index()].links {
            let closed = next.is_box() && !self.boxes;
            if closed || seen & next.bit() != 0 || !self.open.contains(passage) {
                continue;
            }
            let step = match passage {
                _ if next.is_box() => 3,
                Passage::Suez | Passage::Kiel => 3,
                Passage::Open => 1,
                _ => 3,
            };
            path.push(*next);
            self.walk(path, seen | next.bit(), cost + step);
            path.pop();
        }
    }
}

/// The notes of `sea_zones.toml`, word by word.
fn open_passages(rules: &Rules, state: &State, side: Side) -> Vec<Passage> {
    let holds = |city: &str| state.controller(hex(rules, city));
    let hostile = |city: &str| state.at_war(holds(city), side);
    let neutral = |country: Country| state.country(country).status == Status::Neutral;
    let mut open = vec![Passage::Open];
    let kept_out = neutral(Country::DEN) && side != Side::Axis;
    for (passage, is_open) in [
        (Passage::Danish, !(kept_out || hostile("copenhagen"))),
        (Passage::Gibraltar, !hostile("gibraltar")),
        (Passage::Messina, !(hostile("reggio-calabria") || hostile("syracuse"))),
        (Passage::Turkish, !(neutral(Country::TUR) || hostile("istanbul"))),
        (Passage::Suez, holds("port-said") == side && holds("suez") == side),
        (Passage::Kiel, holds("kiel") == side && holds("hamburg") == side),
    ] {
        if is_open {
            open.push(passage);
        }
    }
    open
}

struct Lottery(u64);

impl Lottery {
    fn below(&mut self, count: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % count) as usize
    }
}

#[test]
fn the_best_way_agrees_with_every_way() {
    let rules = rules();
    let mut lottery = Lottery(1939);
    let ports: Vec<City> = City::all().filter(|city| rules.world.city(*city).is_port()).collect();
    let ships: Vec<UnitId> = UnitId::all().filter(|unit| rules.kind(*unit).is_warship()).collect();
    let (mut found, mut dangerous) = (0, 0);
    for _ in 0..150 {
        let mut state = State::blank(0);
        for side in [&mut state.war_west, &mut state.war_east] {
            *side = lottery.below(3) > 0;
        }
        for (at, country) in state.countries.iter_mut().enumerate() {
            country.status = if lottery.below(4) > 0 { Status::Active } else { Status::Neutral };
            country.side = Faction::ALL[at % 3].side();
        }
        for control in state.control.iter_mut() {
            *control = [Side::Axis, Side::Western, Side::Soviet, Side::Lone, Side::Nobody][lottery.below(5)];
        }
        for ship in &ships {
            if lottery.below(3) > 0 {
                continue;
            }
            let port = rules.world.city(ports[lottery.below(ports.len() as u64)]).hex;
            if rules.has_room(&state, *ship, port) {
                rules.put(&mut state, *ship, port);
            }
        }
        let side = Side::ALL[lottery.below(4)];
        let mut place = || match lottery.below(20) {
            0 => Place::ENA,
            1 => Place::WIO,
            _ => rules.world.city(ports[lottery.below(ports.len() as u64)]).hex,
        };
        let (from, to) = (place(), place());
        if from == to || (from.is_box() || to.is_box()) && side != Side::Western {
            continue;
        }
        let danger = rules.danger(&state, side);
        let mut slow = Slow {
            rules: &rules,
            open: open_passages(&rules, &state, side),
            boxes: side == Side::Western,
            danger,
            ends: rules.world.waters(to),
            best: None,
        };
        match from.node() {
            Some(node) => {
                // The starting box is neither paid for nor part of the way.
                slow.walk(&mut vec![node], node.bit(), 0);
                if let Some((_, _, path)) = &mut slow.best {
                    path.remove(0);
                }
            }
            None => {
                for zone in Node::of(rules.world.waters(from)) {
                    slow.walk(&mut vec![zone], zone.bit(), 1);
                }
            }
        }
        let quick = rules.sea_path(&state, side, from, to, 99).map(|(cost, path)| {
            let path: Vec<Node> = path.into_iter().take_while(|node| *node != Node::NONE).collect();
            let risks = path.iter().filter(|node| danger & node.bit() != 0).count() as u32;
            (u32::from(cost), risks, path)
        });
        assert_eq!(quick, slow.best);
        let reach = rules.sea_reach(&state, side, from, 99);
        let expected = slow.best.as_ref().map_or(u32::from(NO_WAY), |(cost, _, _)| *cost);
        assert_eq!(u32::from(rules.reach_cost(&reach, to)), expected);
        found += usize::from(slow.best.is_some());
        dangerous += usize::from(slow.best.is_some_and(|(_, risks, _)| risks > 0));
    }
    assert!(found > 60 && dangerous > 20, "{found} ways, {dangerous} of them dangerous");
}
