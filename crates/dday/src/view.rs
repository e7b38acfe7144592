//! What a viewer sees: everything, for only the dice are hidden. Rule 6.

use serde_json::{Value, json};
use terrain::Cell;

use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, SHATTERED, State, WAITING, mark, work};

/// What any viewer sees: the whole map. It is a separate type, so that nothing that draws or plays the game can
/// come to depend on the state behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View<'s> {
    state: &'s State,
}

impl<'s> View<'s> {
    pub(crate) const fn new(state: &'s State) -> Self {
        Self { state }
    }

    /// The map and everything on it.
    pub const fn state(&self) -> &'s State {
        self.state
    }
}

impl Rules {
    /// The view as data.
    pub fn describe(&self, s: &State) -> Value {
        let scenario = &*self.scenario;
        let units: Vec<Value> = (0..s.units.len() as u8).map(|unit| self.describe_unit(s, unit)).collect();
        let stacks: Vec<Value> = (0..scenario.grid.len() as Cell)
            .filter(|zone| !s.is_empty(*zone))
            .map(|zone| {
                json!({
                    "zone": scenario.grid.name(zone),
                    "facing": s.zones[usize::from(zone)].facing.name(),
                    "points": self.points(s, zone),
                })
            })
            .collect();
        let keys: Vec<Value> = scenario
            .keys
            .iter()
            .enumerate()
            .map(|(at, key)| {
                json!({
                    "zone": scenario.grid.name(key.zone),
                    "name": key.name,
                    "vp": key.vp,
                    "supplies": key.supplies.map(|side| &scenario.sides[side.index()].id),
                    "held_by": scenario.sides[self.holder(s, at).index()].id,
                })
            })
            .collect();
        let sides: Vec<Value> = Side::ALL
            .into_iter()
            .map(|side| {
                let (at, info) = (side.index(), &scenario.sides[side.index()]);
                json!({
                    "id": info.id,
                    "markers": s.markers[at],
                    "tally": s.tally[at],
                    "break": info.break_at,
                    "art": s.art[at],
                    "air": s.air[at],
                    "rerolls": s.rerolls[at],
                })
            })
            .collect();
        json!({
            "scenario": scenario.id,
            "turn": s.turn,
            "last_turn": scenario.turns,
            "hour": s.clock,
            "night": s.night,
            "stage": format!("{:?}", s.stage),
            "to_move": scenario.sides[s.side.index()].id,
            "first": scenario.sides[s.first.index()].id,
            "vp": self.aggressor_vp(s),
            "sides": sides,
            "objectives": keys,
            "units": units,
            "stacks": stacks,
            "works": self.describe_works(s),
            "bridges": self.describe_bridges(s),
            "result": s.verdict.map(|verdict| self.verdict_title(verdict)),
        })
    }

    fn describe_unit(&self, s: &State, unit: u8) -> Value {
        let (troop, battalion, paper) =
            (self.troop(unit), s.unit(unit), &self.scenario.papers[usize::from(unit)]);
        let place = match battalion.zone {
            WAITING => json!("waiting"),
            SHATTERED => json!("shattered"),
            LOST => json!("lost"),
            zone => json!(self.scenario.grid.name(zone)),
        };
        let marks: Vec<&str> = [
            (mark::ROUGH, "rough_step"),
            (mark::ROAD, "road"),
            (mark::MOVED, "moved"),
            (mark::DONE, "done"),
            (mark::FIRED, "fired"),
            (mark::ATTACKED, "attacked"),
            (mark::WORKED, "worked"),
        ]
        .into_iter()
        .filter(|(bit, _)| battalion.is(*bit))
        .map(|(_, word)| word)
        .collect();
        json!({
            "id": paper.id,
            "name": paper.name,
            "side": self.scenario.sides[troop.side.index()].id,
            "class": troop.class.code(),
            "type": paper.kind,
            "quality": troop.quality.word(),
            "at": place,
            "activation": battalion.result.title(),
            "mp": battalion.mp,
            "supply": battalion.unsupplied,
            "marks": marks,
        })
    }

    fn describe_works(&self, s: &State) -> Value {
        let side = |at: usize| self.scenario.sides[at].id.as_str();
        let mut works = Vec::new();
        for (zone, ground) in s.zones.iter().enumerate() {
            let name = || self.scenario.grid.name(zone as Cell);
            for at in 0..2 {
                if ground.works & work::PREPARED << at != 0 {
                    works.push(json!({ "zone": name(), "kind": "prepared", "side": side(at) }));
                }
                if ground.works & work::MINES << at != 0 {
                    works.push(json!({ "zone": name(), "kind": "mines", "side": side(at) }));
                }
            }
            if ground.works & work::BLOCKED != 0 {
                works.push(json!({ "zone": name(), "kind": "roadblock" }));
            }
        }
        Value::Array(works)
    }

    /// Every bridge: those of the scenario, standing or blown, and those that were built.
    pub fn bridges_now(&self, s: &State) -> Vec<(Cell, terrain::Octant, bool)> {
        let mut bridges: Vec<_> = self
            .scenario
            .bridges
            .iter()
            .map(|bridge| (bridge.from, bridge.way, !self.is_unbridged(s, bridge.from, bridge.way)))
            .collect();
        for zone in 0..self.scenario.grid.len() as Cell {
            for way in [terrain::Octant::E, terrain::Octant::S] {
                let built = s.zones[usize::from(zone)].spans >> way.index() & 1 != 0;
                if built && self.scenario.bridge_at(zone, way).is_none() {
                    bridges.push((zone, way, true));
                }
            }
        }
        bridges
    }

    fn describe_bridges(&self, s: &State) -> Value {
        let grid = self.scenario.grid;
        let bridges = self.bridges_now(s).into_iter().map(|(from, way, stands)| {
            let at = self.scenario.bridge_at(from, way);
            json!({
                "at": [grid.name(from), grid.name(self.near(from, way))],
                "stands": stands,
                "wired": at.is_some_and(|at| s.wired >> at & 1 != 0),
            })
        });
        Value::Array(bridges.collect())
    }
}
