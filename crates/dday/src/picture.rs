//! The position as text, for the terminal: the map, what lies on it, and who stands where.

use std::fmt::Write as _;

use terrain::{Cell, Octant};

use crate::rules::Rules;
use crate::scenario::Side;
use crate::state::{LOST, NOBODY, SHATTERED, State, WAITING, work};
use crate::units::Units;

impl Rules {
    /// The view as text: the map with stacks, and what each side has.
    pub fn picture(&self, s: &State) -> String {
        let mut out = String::new();
        let scenario = &*self.scenario;
        let night = if s.night { ", night" } else { "" };
        let _ = writeln!(
            out,
            "{}: turn {} of {}, {}{night}; {} VP for {} (wins with {}, loses with {} or less)",
            scenario.name,
            s.turn,
            scenario.turns,
            Self::hour(s.clock),
            self.aggressor_vp(s),
            self.side_name(scenario.aggressor),
            scenario.victory.aggressor_win,
            scenario.victory.defender_win
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
        out.push('\n');
        self.text_places(s, &mut out);
        self.text_works(s, &mut out);
        self.text_lists(s, &mut out);
        out
    }

    /// The objectives with what they are worth and who holds them, and the supply points. Rule 16.3.
    fn text_places(&self, s: &State, out: &mut String) {
        let scenario = &*self.scenario;
        for (at, key) in scenario.keys.iter().enumerate() {
            let place = scenario.zone_title(key.zone);
            let name = if place.contains(&key.name) { String::new() } else { format!(" {}", key.name) };
            let holder = self.side_name(self.holder(s, at));
            let worth = if key.vp > 0 { format!("{} VP, ", key.vp) } else { String::new() };
            let supply = key
                .supplies
                .map_or_else(String::new, |side| format!("supply point of {}, ", self.side_name(side)));
            let _ = writeln!(out, "{place}{name}: {worth}{supply}held by {holder}");
        }
    }

    /// Positions, mines, road blocks and bridges. Rules 2.7, 2.8, 14.5, 14.6.
    fn text_works(&self, s: &State, out: &mut String) {
        let grid = self.scenario.grid;
        let zones = |bit: u8| {
            let zones = grid.cells().filter(|zone| s.zones[usize::from(*zone)].works & bit != 0);
            zones.map(|zone| grid.name(zone)).collect::<Vec<_>>().join(" ")
        };
        for side in Side::ALL {
            for (bit, words) in [(work::PREPARED, "positions"), (work::MINES, "minefields")] {
                let zones = zones(bit << side.index());
                if !zones.is_empty() {
                    let _ = writeln!(out, "{} {words}: {zones}", self.side_name(side));
                }
            }
        }
        let blocks = zones(work::BLOCKED);
        if !blocks.is_empty() {
            let _ = writeln!(out, "Road blocks: {blocks}");
        }
        let bridges = self.bridges_now(s).into_iter().map(|(from, way, stands)| {
            let at = self.scenario.bridge_at(from, way);
            let wired = at.is_some_and(|at| s.wired >> at & 1 != 0);
            let name = at.map_or("bridge", |at| self.scenario.bridges[at].name.as_str());
            let state = match (stands, wired) {
                (false, _) => " (blown)",
                (true, true) => " (wired)",
                (true, false) => "",
            };
            format!("{}-{} {name}{state}", grid.name(from), grid.name(self.near(from, way)))
        });
        let bridges = bridges.collect::<Vec<_>>().join(", ");
        if !bridges.is_empty() {
            let _ = writeln!(out, "Bridges: {bridges}");
        }
    }

    /// The map: three letters a zone, the ground and who stands there, with roads, rivers and bridges between them.
    ///
    /// ` f ` is forest, `=` a road to the east, `|` and `--` a river, `H` and `#` a bridge; `G3>` are three battalions of
    /// the side G facing east; `*` marks an objective, `+` a supply point; behind the letter of empty ground `n` is a
    /// prepared position, `x` a minefield, `o` a road block.
    pub fn text_map(&self, s: Option<&State>) -> String {
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
                        let _ = write!(line, "{code}{}", self.works_text(s, zone));
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

    /// The two letters that tell of works on empty ground.
    fn works_text(&self, s: Option<&State>, zone: Cell) -> String {
        let works = s.map_or(0, |s| s.zones[usize::from(zone)].works);
        let signs = [(work::PREPARED * 3, 'n'), (work::MINES * 3, 'x'), (work::BLOCKED, 'o')];
        let found: String =
            signs.into_iter().filter(|(bits, _)| works & bits != 0).map(|(_, sign)| sign).take(2).collect();
        format!("{found:2}")
    }

    fn text_lists(&self, s: &State, out: &mut String) {
        let grid = self.scenario.grid;
        for zone in 0..grid.len() as Cell {
            if s.is_empty(zone) {
                continue;
            }
            let facing = s.zones[usize::from(zone)].facing.name();
            let side = self.owner(s, zone).unwrap_or_default();
            let mut works = String::new();
            if self.is_prepared(s, zone, side) {
                works.push_str(", in its position");
            }
            if self.is_mined(s, zone, side) {
                works.push_str(", behind mines");
            }
            let _ = writeln!(out, "{} facing {facing}{works}", self.scenario.zone_title(zone));
            for unit in s.stack(zone) {
                let _ = writeln!(out, "     {}", self.unit_text(s, unit));
            }
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
    }

    fn unit_text(&self, s: &State, unit: u8) -> String {
        debug_assert!(unit != NOBODY);
        let (troop, battalion) = (self.troop(unit), s.unit(unit));
        let paper = &self.scenario.papers[usize::from(unit)];
        let quality = troop.quality.title();
        let size = if troop.detachment { " detachment" } else { "" };
        let mut text = format!("{:10} {}, {quality} {}{size}", paper.id, paper.name, troop.class.code());
        if battalion.mp > 0 {
            let _ = write!(text, ", {} mp", battalion.mp);
        }
        if self.is_cut_off(s, unit) {
            text.push_str(", out of supply");
        }
        text
    }
}
