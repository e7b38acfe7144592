//! Reading the map of a scenario: ground, rivers, bridges, roads, works. Rule 2.

use diagnostics::datafile::Table;
use terrain::{Cell, Octant, Rivers, SquareGrid};

use super::read::{Reader, flag};
use super::{Bridge, Lay, MAX_BRIDGES, MAX_ZONES, River, Road};
use crate::tables::{Ground, Tables};

/// The map of a scenario.
pub(super) struct Map {
    pub(super) grid: SquareGrid,
    pub(super) ground: Vec<Ground>,
    pub(super) names: Vec<(Cell, String)>,
    pub(super) roads: Vec<Road>,
    pub(super) rivers: Vec<River>,
    pub(super) bridges: Vec<Bridge>,
    pub(super) prepared: [Vec<Cell>; 2],
    pub(super) mines: [Vec<Cell>; 2],
    pub(super) lay: Vec<Lay>,
}

impl Reader<'_> {
    pub(super) fn map(&mut self, root: &mut Table<'_>, codes: &[&str; 2]) -> Option<Map> {
        let mut table = root.table("map", self.problems)?;
        let cols = table.integer("cols", 1..=99_u8, self.problems)?;
        let rows = table.integer("rows", 1..=99_u8, self.problems)?;
        if usize::from(cols) * usize::from(rows) > MAX_ZONES {
            self.problems
                .error(table.span(), format!("the map has {cols} × {rows} zones"))
                .expected(format!("at most {MAX_ZONES} zones"));
            return None;
        }
        let grid = SquareGrid::new(cols, rows);
        let ground = self.ground(&mut table, grid)?;
        let mut names = Vec::new();
        if let Some(value) = table.optional("names") {
            for (word, span, value) in value.table(self.problems)?.entries() {
                let name = value.text(self.problems)?;
                if let Some((zone, _)) = self.zone_of(grid, word, span) {
                    names.push((zone, name.as_str().to_owned()));
                }
            }
        }
        let prepared = self.works(&mut table, "prepared", grid, codes)?;
        let mines = self.works(&mut table, "mines", grid, codes)?;
        let (rivers, edges) = self.rivers(&mut table, grid)?;
        let bridges = self.bridges(&mut table, grid)?;
        let roads = self.roads(&mut table, grid)?;
        table.finish(self.problems);
        let lay = lay_of(grid, &ground, &roads, &edges, self.tables);
        Some(Map { grid, ground, names, roads, rivers, bridges, prepared, mines, lay })
    }

    fn ground(&mut self, table: &mut Table<'_>, grid: SquareGrid) -> Option<Vec<Ground>> {
        let value = table.required("terrain", "a list of rows", self.problems)?;
        let lines = value.texts(self.problems)?;
        if lines.len() != usize::from(grid.rows()) {
            self.problems
                .error(value.span(), format!("the terrain has {} rows", lines.len()))
                .expected(format!("{} rows, as \"rows\" says", grid.rows()));
            return None;
        }
        let mut ground = Vec::with_capacity(grid.len());
        for (at, line) in lines.iter().enumerate() {
            let count = line.as_str().chars().count();
            if count != usize::from(grid.cols()) {
                self.problems
                    .error(line.span(), format!("row {} has {count} zones", at + 1))
                    .expected(format!("{} letters, as \"cols\" says", grid.cols()));
            }
            for (offset, code) in line.as_str().char_indices() {
                match self.tables.ground_of(code) {
                    Some(found) => ground.push(found),
                    None => {
                        let codes: Vec<String> = Ground::ALL
                            .iter()
                            .map(|ground| format!("{} {}", self.tables.ground(*ground).code, ground.word()))
                            .collect();
                        self.problems
                            .error(
                                line.locate(offset..offset + code.len_utf8()),
                                format!("unknown terrain {code:?}"),
                            )
                            .expected(codes.join(", "));
                    }
                }
            }
        }
        (ground.len() == grid.len()).then_some(ground)
    }

    fn works(
        &mut self,
        table: &mut Table<'_>,
        key: &'static str,
        grid: SquareGrid,
        codes: &[&str; 2],
    ) -> Option<[Vec<Cell>; 2]> {
        let mut works = [Vec::new(), Vec::new()];
        let Some(value) = table.optional(key) else { return Some(works) };
        for (word, span, value) in value.table(self.problems)?.entries() {
            let Some(at) = codes.iter().position(|code| *code == word) else {
                let problem = self.problems.error(span, format!("there is no side {word:?}"));
                problem.expected(codes.join(" or "));
                continue;
            };
            works[at] = self.zones(grid, &value)?.into_iter().map(|(zone, _)| zone).collect();
        }
        Some(works)
    }

    fn rivers(&mut self, table: &mut Table<'_>, grid: SquareGrid) -> Option<(Vec<River>, Rivers)> {
        let mut rivers = Vec::new();
        let mut edges = Rivers::new(grid);
        let tables = table.optional("river").map_or(Some(Vec::new()), |value| value.tables(self.problems))?;
        for mut table in tables {
            let name = table.text("name", self.problems)?;
            let value = table.required("path", "a list of [column, row] vertices", self.problems)?;
            let mut path = Vec::new();
            for vertex in value.list(self.problems)? {
                let most = grid.cols().max(grid.rows());
                let pair = vertex.integers(&(0..=most), self.problems)?;
                let [column, row] = pair[..] else {
                    self.problems.error(vertex.span(), "a vertex has two numbers").expected("[column, row]");
                    return None;
                };
                path.push((column, row));
            }
            if let Err(why) = edges.add_path(&path) {
                self.problems
                    .error(value.span(), format!("the river {:?} can't run so: {why}", name.as_str()));
            }
            table.finish(self.problems);
            rivers.push(River { name: name.as_str().to_owned(), path });
        }
        Some((rivers, edges))
    }

    fn bridges(&mut self, table: &mut Table<'_>, grid: SquareGrid) -> Option<Vec<Bridge>> {
        let mut bridges = Vec::new();
        let tables =
            table.optional("bridge").map_or(Some(Vec::new()), |value| value.tables(self.problems))?;
        for mut table in tables {
            let name = table.text("name", self.problems)?;
            let value = table.required("at", "the two zones that it joins", self.problems)?;
            let ends = self.zones(grid, &value)?;
            let intact = table.word(
                "state",
                &["intact", "blown"],
                |word| ["intact", "blown"].contains(&word).then_some(word == "intact"),
                self.problems,
            )?;
            let wired = flag(&mut table, "wired", self.problems)?;
            let capacity = match table.optional("capacity") {
                Some(value) => Some(value.integer(1..=99, self.problems)?),
                None => None,
            };
            table.finish(self.problems);
            let way = match ends[..] {
                [(a, _), (b, _)] => {
                    grid.direction(a, b).filter(|way| !way.is_diagonal()).map(|way| (a, b, way))
                }
                _ => None,
            };
            let Some((a, b, way)) = way else {
                self.problems
                    .error(
                        value.span(),
                        format!("the bridge {:?} does not join two neighbours", name.as_str()),
                    )
                    .expected("two zones that share a side, such as [\"0506\", \"0606\"]");
                continue;
            };
            let forward = matches!(way, Octant::E | Octant::S);
            let (from, to, way) = if forward { (a, b, way) } else { (b, a, way.opposite()) };
            self.spans.bridges.push(value.span());
            bridges.push(Bridge { name: name.as_str().to_owned(), from, way, to, intact, wired, capacity });
        }
        if bridges.len() > MAX_BRIDGES {
            self.problems
                .error(
                    self.spans.bridges[MAX_BRIDGES].clone(),
                    format!("there are {} bridges", bridges.len()),
                )
                .expected(format!("at most {MAX_BRIDGES}"));
        }
        Some(bridges)
    }

    fn roads(&mut self, table: &mut Table<'_>, grid: SquareGrid) -> Option<Vec<Road>> {
        let mut roads = Vec::new();
        let tables = table.optional("road").map_or(Some(Vec::new()), |value| value.tables(self.problems))?;
        for mut table in tables {
            let name = table.text("name", self.problems)?;
            let value = table.required("path", "a list of zones", self.problems)?;
            let path = self.zones(grid, &value)?;
            table.finish(self.problems);
            for pair in path.windows(2) {
                if grid.distance(pair[0].0, pair[1].0) != 1 {
                    let (from, to) = (grid.name(pair[0].0), grid.name(pair[1].0));
                    self.problems
                        .error(pair[1].1.clone(), format!("the road leaps from {from} to {to}"))
                        .expected("a zone next to the one before");
                }
            }
            self.spans.roads.push(path.iter().map(|(_, span)| span.clone()).collect());
            let path = path.into_iter().map(|(zone, _)| zone).collect();
            roads.push(Road { name: name.as_str().to_owned(), path });
        }
        Some(roads)
    }
}

/// What the rules ask of every zone.
fn lay_of(grid: SquareGrid, ground: &[Ground], roads: &[Road], edges: &Rivers, tables: &Tables) -> Vec<Lay> {
    let near = grid.neighbours();
    let mut lay: Vec<Lay> = ground
        .iter()
        .enumerate()
        .map(|(zone, ground)| {
            let info = tables.ground(*ground);
            Lay {
                near: near[zone],
                column: grid.column(zone as Cell),
                row: grid.row(zone as Cell),
                roads: 0,
                rivers: edges.crossings(zone as Cell),
                rough: info.rough,
                impassable: info.impassable,
                marsh: info.no_mech_offroad,
                water: info.landing_only,
            }
        })
        .collect();
    for pair in roads.iter().flat_map(|road| road.path.windows(2)) {
        if let Some(way) = grid.direction(pair[0], pair[1]) {
            lay[usize::from(pair[0])].roads |= 1 << way.index();
            lay[usize::from(pair[1])].roads |= 1 << way.opposite().index();
        }
    }
    lay
}
