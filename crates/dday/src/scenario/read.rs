//! Reading a scenario file. Rule 22.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, Text, Value, refuse_huge, suggest};
use terrain::{Cell, Octant, SquareGrid};

use super::verify;
use super::{Formation, Key, MAX_UNITS, NO_KEY, Paper, Scenario, Side, SideInfo, Troop, Victory};
use crate::battalions::{Battalions, Class, Nation, Quality};
use crate::tables::{SEASONS, Tables};

/// Most turns of a scenario.
const MAX_TURNS: u8 = 60;

/// What a value refers to, with the place to point at if it does not fit.
pub(super) type Spanned<T> = (T, Range<usize>);

/// Where things stand in the file, for complaints about how they fit together.
#[derive(Default)]
pub(super) struct Spans {
    pub units: Vec<Range<usize>>,
    pub keys: Vec<Range<usize>>,
    pub bridges: Vec<Range<usize>>,
    pub roads: Vec<Vec<Range<usize>>>,
    pub formations: Vec<Range<usize>>,
    pub victory: Range<usize>,
}

/// Reads and checks a scenario.
pub fn scenario(name: &str, text: &str, tables: &Tables) -> Result<(Scenario, Problems), Problems> {
    if let Some(problems) = refuse_huge(name, text) {
        return Err(problems);
    }
    let mut problems = Problems::new(name, text);
    let Some(document) = Document::parse(text, &mut problems) else { return Err(problems) };
    let mut reader = Reader { tables, problems: &mut problems, spans: Spans::default() };
    let read = reader.scenario(&mut document.root());
    let spans = reader.spans;
    match read {
        Some(scenario) if !problems.has_errors() => {
            verify::scenario(&scenario, &spans, &mut problems);
            if problems.has_errors() { Err(problems) } else { Ok((scenario, problems)) }
        }
        _ => {
            if !problems.has_errors() {
                problems.error(0..0, "this is not a scenario").expected("the fields of a scenario file");
            }
            Err(problems)
        }
    }
}

/// Reads a file, and notes what is wrong with it.
pub(super) struct Reader<'p> {
    pub(super) tables: &'p Tables,
    pub(super) problems: &'p mut Problems,
    pub(super) spans: Spans,
}

impl Reader<'_> {
    fn scenario(&mut self, root: &mut Table<'_>) -> Option<Scenario> {
        root.integer("schema", 1..=1_u8, self.problems);
        let id = root.text("id", self.problems)?;
        self.must_be_word(&id, "id");
        let name = root.text("name", self.problems)?;
        let date = root.text("date", self.problems)?;
        let season = root.word(
            "season",
            &SEASONS,
            |word| SEASONS.iter().position(|known| *known == word),
            self.problems,
        )?;
        let start_hour = root.integer("start_hour", 0..=20, self.problems)?;
        let turns = root.integer("turns", 1..=MAX_TURNS, self.problems)?;
        let sides = self.sides(root)?;
        let codes = [sides[0].id.clone(), sides[1].id.clone()];
        let codes = [codes[0].as_str(), codes[1].as_str()];
        let side = |word: &str| codes.iter().position(|code| *code == word).map(Side::of);
        let aggressor = root.word("aggressor", &codes, side, self.problems)?;
        let mut maybe = |key| match root.optional(key) {
            None => Some(None),
            Some(value) => value.word(&codes, side, self.problems).map(Some),
        };
        let (first_player, landing) = (maybe("first_player")?, maybe("landing_side")?);
        let supply =
            root.required("advanced_supply", "true or false", self.problems)?.boolean(self.problems)?;
        let summary = root.text("summary", self.problems)?;
        let special = match root.optional("special") {
            Some(value) => value.texts(self.problems)?,
            None => Vec::new(),
        };
        let victory = self.victory(root)?;
        let map = self.map(root, &codes)?;
        let keys = self.keys(root, map.grid, &codes)?;
        let formations = self.formations(root, &codes)?;
        let (troops, papers) = self.units(root, map.grid, &formations, &sides)?;
        let formations = self.with_headquarters(formations, &troops)?;
        root.finish(self.problems);
        let mut key_at = vec![NO_KEY; map.grid.len()];
        for (at, key) in keys.iter().enumerate() {
            key_at[usize::from(key.zone)] = at as u8;
        }
        Some(Scenario {
            id: id.as_str().to_owned(),
            name: name.as_str().to_owned(),
            date: date.as_str().to_owned(),
            season: season as u8,
            start_hour,
            turns,
            aggressor,
            first_player,
            landing,
            supply,
            summary: summary.as_str().to_owned(),
            special: special.iter().map(|text| text.as_str().to_owned()).collect(),
            victory,
            grid: map.grid,
            ground: map.ground,
            names: map.names,
            roads: map.roads,
            rivers: map.rivers,
            bridges: map.bridges,
            prepared: map.prepared,
            mines: map.mines,
            keys,
            sides,
            formations,
            troops,
            papers,
            lay: map.lay,
            key_at,
        })
    }

    /// Words of files go into the names of choices, so they hold no blank.
    fn must_be_word(&mut self, text: &Text, what: &str) {
        let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if text.as_str().is_empty() || text.as_str().len() > 40 || !text.as_str().chars().all(fits) {
            self.problems
                .error(text.span(), format!("\"{what}\" is {:?}", text.as_str()))
                .expected("a short word of letters, digits, - _ and .");
        }
    }

    fn sides(&mut self, root: &mut Table<'_>) -> Option<[SideInfo; 2]> {
        let value = root.required("side", "a list of two tables", self.problems)?;
        let mut tables = value.tables(self.problems)?;
        let nations = &Battalions::builtin().nations;
        let known: Vec<&str> = nations.iter().map(|nation| nation.id.as_str()).collect();
        let find = |id: &str| nations.iter().find(|nation| nation.id == id);
        let mut sides = Vec::new();
        for table in &mut tables {
            let id = table.text("id", self.problems)?;
            let nation: &'static Nation = table.word("nation", &known, find, self.problems)?;
            if nation.id != id.as_str() {
                self.problems
                    .error(id.span(), format!("the side {:?} is of the nation {}", id.as_str(), nation.id))
                    .expected(format!("the nation's code {:?} as \"id\"", nation.id));
            }
            let name = table.text("name", self.problems)?;
            let problems = &mut *self.problems;
            let side = SideInfo {
                id: nation.id.clone(),
                word: &nation.word,
                name: name.as_str().to_owned(),
                art: table.integer("art_support", 0..=20, problems)?,
                air: table.integer("air_support", 0..=20, problems)?,
                air_from_turn: number_or(table, "air_from_turn", 1, 1..=MAX_TURNS, problems)?,
                opening_bombardment: flag(table, "opening_bombardment", problems)?,
                break_at: table.integer("break", 1..=999, problems)?,
            };
            table.finish(self.problems);
            sides.push(side);
        }
        let Ok(sides) = <[SideInfo; 2]>::try_from(sides) else {
            self.problems.error(value.span(), "a scenario has two sides").expected("two tables in \"side\"");
            return None;
        };
        if sides[0].id == sides[1].id {
            self.problems.error(value.span(), "both sides are of one nation").expected("two nations");
        }
        Some(sides)
    }

    fn victory(&mut self, root: &mut Table<'_>) -> Option<Victory> {
        let mut table = root.table("victory", self.problems)?;
        self.spans.victory = table.span();
        let victory = Victory {
            aggressor_win: table.integer("aggressor_win", 0..=200, self.problems)?,
            defender_win: table.integer("defender_win", 0..=200, self.problems)?,
            sudden: table.integer("sudden", 0..=200, self.problems)?,
        };
        table.finish(self.problems);
        Some(victory)
    }

    /// A zone of the map.
    pub(super) fn zone(&mut self, grid: SquareGrid, value: &Value<'_>) -> Option<Spanned<Cell>> {
        let text = value.text(self.problems)?;
        self.zone_of(grid, text.as_str(), text.span())
    }

    pub(super) fn zone_of(
        &mut self,
        grid: SquareGrid,
        text: &str,
        span: Range<usize>,
    ) -> Option<Spanned<Cell>> {
        let zone = grid.parse(text);
        if zone.is_none() {
            let last = grid.name(grid.len() as Cell - 1);
            self.problems
                .error(span.clone(), format!("there is no zone {text:?}"))
                .expected(format!("column and row, from \"0101\" to \"{last}\""));
        }
        zone.map(|zone| (zone, span))
    }

    pub(super) fn zones(&mut self, grid: SquareGrid, value: &Value<'_>) -> Option<Vec<Spanned<Cell>>> {
        let list = value.list(self.problems)?;
        let zones: Vec<_> = list.iter().map(|value| self.zone(grid, value)).collect();
        zones.into_iter().collect()
    }

    /// Objectives and supply points; a zone that is both is one key. Rule 16.1.
    fn keys(&mut self, root: &mut Table<'_>, grid: SquareGrid, codes: &[&str; 2]) -> Option<Vec<Key>> {
        let side = |word: &str| codes.iter().position(|code| *code == word).map(Side::of);
        let mut keys: Vec<Key> = Vec::new();
        for mut table in root.tables("objective", self.problems)? {
            let value = table.required("zone", "a zone", self.problems)?;
            let (zone, span) = self.zone(grid, &value)?;
            let name = table.text("name", self.problems)?;
            let vp = table.integer("vp", 0..=50, self.problems)?;
            let held_by = table.word("control", codes, side, self.problems)?;
            table.finish(self.problems);
            if keys.iter().any(|key| key.zone == zone) {
                self.problems.error(span.clone(), format!("{} is an objective twice", grid.name(zone)));
            }
            self.spans.keys.push(span);
            keys.push(Key { zone, name: name.as_str().to_owned(), vp, supplies: None, held_by });
        }
        for mut table in root.tables("supply", self.problems)? {
            let value = table.required("zone", "a zone", self.problems)?;
            let (zone, span) = self.zone(grid, &value)?;
            let supplied = table.word("side", codes, side, self.problems)?;
            table.finish(self.problems);
            if let Some(key) = keys.iter_mut().find(|key| key.zone == zone) {
                if key.supplies.is_some() {
                    self.problems.error(span, format!("{} is a supply point twice", grid.name(zone)));
                } else if key.held_by != supplied {
                    self.problems
                        .error(
                            span,
                            format!("{} supplies one side and is held by the other", grid.name(zone)),
                        )
                        .expected("the same side as the objective's \"control\"");
                }
                key.supplies = Some(supplied);
                continue;
            }
            self.spans.keys.push(span);
            let name = format!("supply {}", grid.name(zone));
            keys.push(Key { zone, name, vp: 0, supplies: Some(supplied), held_by: supplied });
        }
        Some(keys)
    }

    fn formations(&mut self, root: &mut Table<'_>, codes: &[&str; 2]) -> Option<Vec<(Formation, Quality)>> {
        let side = |word: &str| codes.iter().position(|code| *code == word).map(Side::of);
        let mut formations: Vec<(Formation, Quality)> = Vec::new();
        for mut table in root.tables("formation", self.problems)? {
            let id = table.text("id", self.problems)?;
            let name = table.text("name", self.problems)?;
            let side = table.word("side", codes, side, self.problems)?;
            let quality = table.word("quality", &Quality::WORDS, Quality::parse, self.problems)?;
            let by_air = flag(&mut table, "air_supply", self.problems)?;
            let from = number_or(&mut table, "air_supply_from", 1, 1..=MAX_TURNS, self.problems)?;
            table.finish(self.problems);
            if formations.iter().any(|(known, _)| known.id == id.as_str()) {
                self.problems.error(id.span(), format!("the formation {:?} is there twice", id.as_str()));
            }
            self.spans.formations.push(id.span());
            let formation = Formation {
                id: id.as_str().to_owned(),
                name: name.as_str().to_owned(),
                side,
                hq: u8::MAX,
                air_supply_from: if by_air { from } else { 0 },
            };
            formations.push((formation, quality));
        }
        Some(formations)
    }

    fn units(
        &mut self,
        root: &mut Table<'_>,
        grid: SquareGrid,
        formations: &[(Formation, Quality)],
        sides: &[SideInfo; 2],
    ) -> Option<(Vec<Troop>, Vec<Paper>)> {
        let (mut troops, mut papers): (Vec<Troop>, Vec<Paper>) = (Vec::new(), Vec::new());
        let ids: Vec<&str> = formations.iter().map(|(formation, _)| formation.id.as_str()).collect();
        for mut table in root.tables("unit", self.problems)? {
            let id = table.text("id", self.problems)?;
            self.must_be_word(&id, "id");
            if ["corps", "air", "all"].contains(&id.as_str()) {
                // These words have a meaning of their own in choices. Rule 6.1.
                self.problems
                    .error(id.span(), format!("a unit can't be called {:?}", id.as_str()))
                    .expected("another word");
            }
            self.problems.set_place(format!("unit {:?}", id.as_str()));
            let unit = self.unit(&mut table, &id, grid, &ids, formations, sides);
            self.problems.set_place("");
            let Some((troop, paper)) = unit else { continue };
            if papers.iter().any(|known| known.id == paper.id) {
                self.problems.error(id.span(), format!("the unit {:?} is there twice", paper.id));
            }
            self.spans.units.push(table.span());
            troops.push(troop);
            papers.push(paper);
        }
        if troops.len() > MAX_UNITS {
            self.problems
                .error(self.spans.units[MAX_UNITS].clone(), format!("there are {} units", troops.len()))
                .expected(format!("at most {MAX_UNITS}"));
        }
        Some((troops, papers))
    }

    fn unit(
        &mut self,
        table: &mut Table<'_>,
        id: &Text,
        grid: SquareGrid,
        ids: &[&str],
        formations: &[(Formation, Quality)],
        sides: &[SideInfo; 2],
    ) -> Option<(Troop, Paper)> {
        let name = table.text("name", self.problems)?;
        let find = |word: &str| ids.iter().position(|known| *known == word);
        let formation = table.word("formation", ids, find, self.problems)?;
        let (side, default) = (formations[formation].0.side, formations[formation].1);
        let kind = self.kind(table, &sides[side.index()].id)?;
        let quality = match table.optional("quality") {
            Some(value) => value.word(&Quality::WORDS, Quality::parse, self.problems)?,
            None => default,
        };
        let facing = match table.optional("facing") {
            Some(value) => Some(value.word(&Octant::ALL.map(Octant::name), Octant::parse, self.problems)?),
            None => None,
        };
        let detachment = flag(table, "detachment", self.problems)?;
        let garrison = flag(table, "garrison", self.problems)?;
        let fixed_until = number_or(table, "fixed_until", 0, 0..=MAX_TURNS, self.problems)?;
        let (at, arrive) = (table.optional("at"), table.optional("arrive"));
        let (arrives, zones) = match (at, arrive) {
            (Some(at), None) => (0, vec![self.zone(grid, &at)?.0]),
            (None, Some(arrive)) => {
                let mut arrive = arrive.table(self.problems)?;
                let turn = arrive.integer("turn", 1..=MAX_TURNS, self.problems)?;
                let value = arrive.required("zones", "a list of zones", self.problems)?;
                let zones = self.zones(grid, &value)?;
                arrive.finish(self.problems);
                if zones.is_empty() {
                    self.problems.error(value.span(), "it arrives nowhere").expected("one zone or more");
                    return None;
                }
                for (at, (zone, span)) in zones.iter().enumerate() {
                    if zones[..at].iter().any(|(other, _)| other == zone) {
                        self.problems.error(span.clone(), format!("{} stands there twice", grid.name(*zone)));
                    }
                }
                (turn, zones.into_iter().map(|(zone, _)| zone).collect())
            }
            _ => {
                self.problems
                    .error(table.span(), "a unit starts on the map or arrives")
                    .expected("either \"at\" or \"arrive\"");
                return None;
            }
        };
        table.finish(self.problems);
        let stacking = Battalions::builtin().stacking;
        let troop = Troop {
            side,
            class: kind.class,
            mode: kind.mode,
            quality,
            formation: formation as u8,
            moves: kind.moves,
            save: kind.save,
            range: kind.range,
            weight: kind.weight,
            points: match (kind.class, detachment) {
                (Class::Headquarters, _) => stacking.headquarters,
                (_, true) => stacking.detachment,
                (_, false) => stacking.battalion,
            },
            worth: kind.points,
            fixed_until,
            arrives,
            assaults: kind.assaults,
            controls: kind.controls,
            antitank: kind.antitank,
            detachment: detachment && kind.class != Class::Headquarters,
            garrison,
        };
        let (id, name, kind) = (id.as_str().to_owned(), name.as_str().to_owned(), kind.id.clone());
        Some((troop, Paper { id, name, kind, zones, facing }))
    }

    /// The row of the table, by its id or by what the nation calls it.
    fn kind(&mut self, table: &mut Table<'_>, nation: &str) -> Option<&'static crate::battalions::Kind> {
        let battalions = Battalions::builtin();
        let text = table.text("type", self.problems)?;
        let own = battalions.nation(nation).map_or(&[][..], |nation| &nation.kinds);
        let found = battalions.kind(text.as_str()).or_else(|| {
            own.iter().find(|(word, _)| word == text.as_str()).map(|(_, at)| &battalions.kinds[*at])
        });
        if found.is_none() {
            let ids = battalions.kinds.iter().map(|kind| kind.id.as_str());
            let words = own.iter().map(|(word, _)| word.as_str());
            let problem = self.problems.error(text.span(), format!("unknown type {:?}", text.as_str()));
            problem.expected("a type such as \"inf_leg\" or a kind of its nation");
            suggest(problem, text.as_str(), ids.chain(words));
        }
        found
    }

    /// Rule 1.6: every formation has one headquarters.
    fn with_headquarters(
        &mut self,
        formations: Vec<(Formation, Quality)>,
        troops: &[Troop],
    ) -> Option<Vec<Formation>> {
        let mut all = Vec::new();
        for (at, (mut formation, _)) in formations.into_iter().enumerate() {
            let mut hqs = (0..troops.len())
                .filter(|unit| troops[*unit].is_hq() && usize::from(troops[*unit].formation) == at);
            match (hqs.next(), hqs.next()) {
                (Some(hq), None) => formation.hq = hq as u8,
                (first, _) => {
                    let has = if first.is_none() { "no" } else { "more than one" };
                    self.problems
                        .error(
                            self.spans.formations[at].clone(),
                            format!("the formation {:?} has {has} headquarters", formation.id),
                        )
                        .expected("one unit of type \"hq\"");
                }
            }
            all.push(formation);
        }
        (!self.problems.has_errors()).then_some(all)
    }
}

pub(super) fn flag(table: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<bool> {
    table.optional(key).map_or(Some(false), |value| value.boolean(problems))
}

fn number_or(
    table: &mut Table<'_>,
    key: &'static str,
    otherwise: u8,
    range: std::ops::RangeInclusive<u8>,
    problems: &mut Problems,
) -> Option<u8> {
    table.optional(key).map_or(Some(otherwise), |value| value.integer(range, problems))
}
