//! What a viewer sees: everything, for only the dice are hidden. Rule 6.

use std::fmt::Write as _;

use serde_json::{Value, json};
use terrain::Cell;

use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, NOBODY, SHATTERED, State, WAITING, mark, work};
use crate::units::Units;

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

    // --- text -----------------------------------------------------------------------------------

    /// The view as text: the map with stacks, and what each side has.
    pub fn picture(&self, s: &State) -> String {
        let mut out = String::new();
        let scenario = &*self.scenario;
        let night = if s.night { ", night" } else { "" };
        let _ = writeln!(
            out,
            "{}: turn {} of {}, {}{night}; {} VP for {} (wins with {})",
            scenario.name,
            s.turn,
            scenario.turns,
            Self::hour(s.clock),
            self.aggressor_vp(s),
            self.side_name(scenario.aggressor),
            scenario.victory.aggressor_win
        );
        for side in Side::ALL {
            let at = side.index();
            let _ = writeln!(
                out,
                "{}: tally {} of {}, markers {}, artillery {}, aircraft {}",
                self.side_name(side),
                s.tally[at],
                scenario.sides[at].break_at,
                s.markers[at],
                s.art[at],
                s.air[at]
            );
        }
        out.push('\n');
        out.push_str(&self.text_map(Some(s)));
        out.push_str(&self.text_lists(s));
        out
    }

    /// The map: three letters a zone, the ground and who stands there, with roads, rivers and bridges between them.
    ///
    /// ` f ` is forest, `=` a road to the east, `|` and `--` a river, `H` and `#` a bridge; `G3>` are three battalions of
    /// the side G facing east; `*` marks an objective, `+` a supply point.
    pub fn text_map(&self, s: Option<&State>) -> String {
        use terrain::Octant;
        let (scenario, grid) = (&*self.scenario, self.scenario.grid);
        let mut out = String::from("     ");
        for column in 1..=grid.cols() {
            let _ = write!(out, " {column:02}  ");
        }
        out.push('\n');
        let bridge = |zone: Cell, way: Octant| match s {
            Some(s) => !self.is_unbridged(s, zone, way),
            None => scenario.bridge_at(zone, way).is_some_and(|at| scenario.bridges[at].intact),
        };
        for row in 1..=grid.rows() {
            let (mut line, mut below) = (format!("{row:02}   "), String::from("     "));
            for column in 1..=grid.cols() {
                let Some(zone) = grid.cell(column, row) else { continue };
                let lay = self.lay(zone);
                let code = self.tables.ground(scenario.ground[usize::from(zone)]).code;
                line.push(match self.key_at(zone).map(|key| &scenario.keys[key]) {
                    Some(key) if key.vp > 0 => '*',
                    Some(_) => '+',
                    None => ' ',
                });
                let stack = s.filter(|s| !s.is_empty(zone));
                match stack {
                    Some(s) => line.push_str(&self.stack_text(s, zone)),
                    None => {
                        let _ = write!(line, "{code}  ");
                    }
                }
                let (river, road) = (lay.rivers, lay.roads);
                let east = Octant::E.index();
                line.push(match (river >> east & 1 != 0, road >> east & 1 != 0) {
                    (true, _) if bridge(zone, Octant::E) => 'H',
                    (true, _) => '|',
                    (false, true) => '=',
                    _ => ' ',
                });
                let south = Octant::S.index();
                below.push_str(match (river >> south & 1 != 0, road >> south & 1 != 0) {
                    (true, _) if bridge(zone, Octant::S) => " ## ",
                    (true, _) => " -- ",
                    (false, true) => " :  ",
                    _ => "    ",
                });
                let corner = |zone: Cell, way: Octant| self.lay(zone).roads >> way.index() & 1 != 0;
                let right = grid.neighbour(zone, Octant::E);
                below.push(
                    match (corner(zone, Octant::SE), right.is_some_and(|right| corner(right, Octant::SW))) {
                        (true, true) => 'x',
                        (true, false) => '\\',
                        (false, true) => '/',
                        _ => ' ',
                    },
                );
            }
            let _ = writeln!(out, "{}", line.trim_end());
            if row < grid.rows() {
                let _ = writeln!(out, "{}", below.trim_end());
            }
        }
        out
    }

    fn stack_text(&self, s: &State, zone: Cell) -> String {
        let side = self.owner(s, zone).unwrap_or_default();
        let letter = self.scenario.sides[side.index()].id.chars().next().unwrap_or('?');
        let count = s.stack(zone).filter(|unit| !self.troop(*unit).is_hq()).count();
        let count = if count == 0 { 'h' } else { char::from_digit(count as u32, 10).unwrap_or('9') };
        let facing = ['^', '7', '>', 'J', 'v', 'L', '<', 'F'][s.zones[usize::from(zone)].facing.index()];
        format!("{letter}{count}{facing}")
    }

    fn text_lists(&self, s: &State) -> String {
        let mut out = String::new();
        let grid = self.scenario.grid;
        for zone in 0..grid.len() as Cell {
            if s.is_empty(zone) {
                continue;
            }
            let ids: Vec<String> = s.stack(zone).map(|unit| self.unit_text(s, unit)).collect();
            let facing = s.zones[usize::from(zone)].facing.name();
            let _ = writeln!(out, "{} {facing:2}  {}", grid.name(zone), ids.join("  "));
        }
        for (place, words) in [(WAITING, "to come"), (SHATTERED, "shattered"), (LOST, "lost")] {
            for side in Side::ALL {
                let there: Units = self.armies[side.index()]
                    .into_iter()
                    .filter(|unit| s.unit(*unit).zone == place)
                    .collect();
                if !there.is_empty() {
                    let ids: Vec<&str> = there
                        .into_iter()
                        .map(|unit| self.scenario.papers[usize::from(unit)].id.as_str())
                        .collect();
                    let _ = writeln!(out, "{} {words}: {}", self.side_name(side), ids.join(" "));
                }
            }
        }
        out
    }

    fn unit_text(&self, s: &State, unit: u8) -> String {
        debug_assert!(unit != NOBODY);
        let (troop, battalion) = (self.troop(unit), s.unit(unit));
        let mut text = format!(
            "{} {}{}{}",
            self.scenario.papers[usize::from(unit)].id,
            troop.class.code(),
            match troop.quality {
                crate::battalions::Quality::Poor => "-",
                crate::battalions::Quality::Regular => "",
                crate::battalions::Quality::Veteran => "+",
            },
            if troop.detachment { "°" } else { "" },
        );
        if battalion.mp > 0 {
            let _ = write!(text, " {}mp", battalion.mp);
        }
        if self.is_cut_off(s, unit) {
            text.push_str(" cut off");
        }
        text
    }
}
