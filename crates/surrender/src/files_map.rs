//! Reads `map.toml` and `sea_zones.toml`: the ground and the seas. Rule 1.3.

use diagnostics::Problems;
use diagnostics::datafile::{Table, Text};

use crate::files::{box_named, look_up, read};
use crate::ids::{Country, LANDS, NODES, Node, Place, ZONES};
use crate::tables::zone_set;
use crate::world::{
    Climate, DIRECTIONS, HexInfo, Hexside, NO_AREA, NodeInfo, OPPOSITE, OverseasArea, Passage, Terrain, World,
};

const MAP_FILE: &str = include_str!("../data/map.toml");
const SEA_FILE: &str = include_str!("../data/sea_zones.toml");

/// A land mass with fewer hexes than this is an island (1.3).
const ISLAND: usize = 400;

/// The land, while the other files are read.
#[derive(Debug)]
pub(crate) struct Ground {
    /// The land hexes.
    pub hexes: Vec<HexInfo>,
    /// The land hex at each row and column.
    pub grid: Vec<Place>,
    /// The Overseas Areas.
    pub areas: Vec<OverseasArea>,
    /// The Disputed Areas: ids and hexes.
    pub disputed_ids: Vec<String>,
    /// The hexes of each.
    pub disputed: Vec<Vec<Place>>,
    /// The capital of each country, as written.
    pub capitals: Vec<String>,
}

impl Ground {
    /// The land hex with a name such as `2828`.
    pub fn named(&self, name: &str) -> Option<Place> {
        if name.len() != 4 || !name.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (row, col) = (name[..2].parse().ok()?, name[2..].parse().ok()?);
        let place = *self.grid.get(World::spot(row, col))?;
        place.is_hex().then_some(place)
    }

    /// A hex or a Map Box.
    pub fn place(&self, name: &str) -> Option<Place> {
        self.named(name).or_else(|| box_named(name))
    }

    /// Puts a Disputed Area where `countries.toml` has it.
    pub fn reorder_disputed(&mut self, to: usize, id: &str) {
        if let Some(from) =
            self.disputed_ids.iter().position(|known| known == id).filter(|_| to < self.disputed.len())
        {
            self.disputed_ids.swap(from, to);
            self.disputed.swap(from, to);
            for (at, hexes) in self.disputed.iter().enumerate() {
                for hex in hexes {
                    self.hexes[hex.index()].disputed = at as u8;
                }
            }
        }
    }
}

/// Row and column offsets of the six directions, for odd and even rows.
const OFFSETS: [[(i8, i8); DIRECTIONS]; 2] = [
    [(0, 1), (0, -1), (-1, 0), (-1, -1), (1, 0), (1, -1)],
    [(0, 1), (0, -1), (-1, 1), (-1, 0), (1, 1), (1, 0)],
];

/// The hexes around a row and column, whether there is land or not.
fn around(row: u8, col: u8) -> impl Iterator<Item = (u8, u8)> {
    OFFSETS[usize::from(row.is_multiple_of(2))]
        .into_iter()
        .map(move |(down, right)| (row.wrapping_add_signed(down), col.wrapping_add_signed(right)))
}

/// Reads the map.
pub(crate) fn ground() -> Result<Ground, Problems> {
    read("map.toml", MAP_FILE, |root, problems| {
        let terrain = root.text("terrain", problems)?;
        let weather = root.text("weather", problems)?;
        let zones = root.text("zones", problems)?;
        let countries = root.text("countries", problems)?;
        let areas = root.text("areas", problems)?;
        let country_letters = letters(root, "country_letters", problems)?;
        let area_letters = letters(root, "area_letters", problems)?;
        let mut ground = land(&terrain, problems)?;
        ground.areas = area_letters
            .iter()
            .map(|(_, id)| OverseasArea { id: id.clone(), country: Country::NONE, hexes: Vec::new() })
            .collect();
        let sea = sea_letters(&zones);
        for at in 0..ground.hexes.len() {
            let (row, col) = (ground.hexes[at].row, ground.hexes[at].col);
            let climate = match letter_at(&weather, row, col) {
                'C' => Climate::Cold,
                'M' => Climate::Mild,
                'W' => Climate::Warm,
                'D' => Climate::Desert,
                _ => complain(&weather, row, col, "a weather zone: C, M, W or D", problems)?,
            };
            let letter = letter_at(&countries, row, col);
            let known = country_letters.iter().find(|(known, _)| *known == letter);
            let Some((_, country)) = known else {
                return complain(&countries, row, col, "a letter of country_letters", problems);
            };
            let area = match letter_at(&areas, row, col) {
                '.' => NO_AREA,
                letter => match area_letters.iter().position(|(known, _)| *known == letter) {
                    Some(area) => {
                        ground.areas[area].hexes.push(Place::hex(at));
                        area as u8
                    }
                    None => return complain(&areas, row, col, "a letter of area_letters", problems),
                },
            };
            let touched = around(row, col)
                .fold(0, |set, (row, col)| set | sea.get(World::spot(row, col)).copied().unwrap_or_default());
            let hex = &mut ground.hexes[at];
            (hex.climate, hex.area, hex.zones) = (climate, area, touched);
            hex.country = Country::of_id(country).unwrap_or(Country::NONE);
        }
        for (id, _, hexes) in root.table("disputed", problems)?.entries() {
            let mut area = Vec::new();
            for hex in hexes.texts(problems)? {
                let place = look_up(&hex, "land hex", |name| ground.named(name), problems)?;
                ground.hexes[place.index()].disputed = ground.disputed.len() as u8;
                area.push(place);
            }
            ground.disputed_ids.push(id.to_owned());
            ground.disputed.push(area);
        }
        for (hex, span, zones) in root.table("coast", problems)?.entries() {
            let Some(place) = ground.named(hex) else {
                problems.error(span, format!("\"{hex}\" is no land hex"));
                continue;
            };
            ground.hexes[place.index()].zones = zone_set(zones.integers(&(1..=ZONES as u8), problems)?);
        }
        join(&mut ground);
        let mut sides = root.table("hexsides", problems)?;
        for (key, kind) in [
            ("canal", Hexside::Canal),
            ("mountain", Hexside::Mountain),
            ("river", Hexside::River),
            ("strait", Hexside::Strait),
            ("water", Hexside::Water),
        ] {
            for pair in sides.required(key, "a list of hexsides", problems)?.texts(problems)? {
                let (from, to, direction) = look_up(&pair, "hexside", |pair| side(&ground, pair), problems)?;
                ground.hexes[from.index()].sides[direction] = kind;
                ground.hexes[to.index()].sides[OPPOSITE[direction]] = kind;
            }
        }
        sides.finish(problems);
        let mut lines = root.table("transport_lines", problems)?;
        for pair in lines.required("between", "a list of pairs of hexes", problems)?.texts(problems)? {
            let (from, to, direction) =
                look_up(&pair, "pair of neighbours", |pair| side(&ground, pair), problems)?;
            ground.hexes[from.index()].lines |= 1 << direction;
            ground.hexes[to.index()].lines |= 1 << OPPOSITE[direction];
        }
        lines.finish(problems);
        let mut russia = root.table("central_russia", problems)?;
        for hex in russia.required("hexes", "a list of hexes", problems)?.texts(problems)? {
            let place = look_up(&hex, "land hex", |name| ground.named(name), problems)?;
            ground.hexes[place.index()].to_russia = true;
        }
        for hex in russia.required("rail_hexes", "a list of hexes", problems)?.texts(problems)? {
            let place = look_up(&hex, "land hex", |name| ground.named(name), problems)?;
            ground.hexes[place.index()].line_to_russia = true;
        }
        russia.finish(problems);
        let mut degrees = root.table("degrees", problems)?;
        let range = -18_000..=18_000_i16;
        let lat = degrees.required("lat", "a list of numbers", problems)?.integers(&range, problems)?;
        let lon = degrees.required("lon", "a list of numbers", problems)?.integers(&range, problems)?;
        for (at, hex) in ground.hexes.iter_mut().enumerate() {
            hex.lat = lat.get(at).copied().unwrap_or_default();
            hex.lon = lon.get(at).copied().unwrap_or_default();
        }
        degrees.finish(problems);
        find_islands(&mut ground.hexes);
        Some(ground)
    })
}

fn letters(root: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<Vec<(char, String)>> {
    let table = root.table(key, problems)?;
    let mut letters = Vec::new();
    for (letter, _, id) in table.entries() {
        letters.push((letter.chars().next()?, id.text(problems)?.as_str().to_owned()));
    }
    Some(letters)
}

fn letter_at(grid: &Text, row: u8, col: u8) -> char {
    let line = grid.as_str().lines().nth(usize::from(row) - 1).unwrap_or_default();
    line.as_bytes().get(usize::from(col) - 1).map_or(' ', |byte| char::from(*byte))
}

fn complain<T>(grid: &Text, row: u8, col: u8, expected: &str, problems: &mut Problems) -> Option<T> {
    let letter = letter_at(grid, row, col);
    problems.error(grid.span(), format!("hex {row:02}{col:02} has the letter '{letter}'")).expected(expected);
    None
}

fn land(terrain: &Text, problems: &mut Problems) -> Option<Ground> {
    let mut hexes = Vec::new();
    let mut grid = World::empty_grid();
    for (row, line) in terrain.as_str().lines().enumerate() {
        for (col, letter) in line.chars().enumerate() {
            let (row, col) = (row as u8 + 1, col as u8 + 1);
            let kind = match letter.to_ascii_lowercase() {
                'c' => Terrain::Clear,
                'd' => Terrain::Desert,
                'h' => Terrain::Hills,
                's' => Terrain::Swamp,
                'w' => Terrain::Woods,
                '~' | 'o' => {
                    grid[World::spot(row, col)] = Place::WATER;
                    continue;
                }
                ' ' => continue,
                _ => return complain(terrain, row, col, "~, o, c, d, h, s or w", problems),
            };
            grid[World::spot(row, col)] = Place::hex(hexes.len());
            hexes.push(HexInfo::at(row, col, kind, letter.is_ascii_uppercase()));
        }
    }
    if hexes.len() != LANDS {
        problems.error(terrain.span(), format!("{} land hexes", hexes.len())).expected(format!("{LANDS}"));
        return None;
    }
    let (areas, disputed_ids, disputed, capitals) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    Some(Ground { hexes, grid, areas, disputed_ids, disputed, capitals })
}

/// The Sea Zone of every spot of the grid, as a set of one.
fn sea_letters(zones: &Text) -> Vec<u64> {
    let mut sea = vec![0; World::empty_grid().len()];
    for (row, line) in zones.as_str().lines().enumerate() {
        for (col, letter) in line.chars().enumerate() {
            let number = letter.to_digit(36).unwrap_or_default() as u8;
            if number > 0 {
                sea[World::spot(row as u8 + 1, col as u8 + 1)] = Node::zone(number).bit();
            }
        }
    }
    sea
}

/// Joins neighbouring land hexes by clear sides.
fn join(ground: &mut Ground) {
    for at in 0..ground.hexes.len() {
        let (row, col) = (ground.hexes[at].row, ground.hexes[at].col);
        for (direction, (row, col)) in around(row, col).enumerate() {
            let near = ground.grid.get(World::spot(row, col)).copied().unwrap_or(Place::NONE);
            if near.is_hex() {
                let hex = &mut ground.hexes[at];
                (hex.near[direction], hex.sides[direction]) = (near, Hexside::Clear);
            }
        }
    }
}

/// The two hexes of a pair such as `2828-2829`, and the direction from one to the other.
fn side(ground: &Ground, pair: &str) -> Option<(Place, Place, usize)> {
    let (from, to) = pair.split_once('-')?;
    let (from, to) = (ground.named(from)?, ground.named(to)?);
    let direction = ground.hexes[from.index()].near.iter().position(|near| *near == to)?;
    Some((from, to, direction))
}

/// Marks land masses of fewer than 400 hexes; masses are joined by every hexside but water and strait (1.3).
fn find_islands(hexes: &mut [HexInfo]) {
    let mut seen = vec![false; hexes.len()];
    for start in 0..hexes.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut mass = vec![start];
        let mut at = 0;
        while at < mass.len() {
            let hex = &hexes[mass[at]];
            for (near, side) in hex.near.iter().zip(hex.sides) {
                if near.is_hex() && !matches!(side, Hexside::Water | Hexside::Strait) && !seen[near.index()] {
                    seen[near.index()] = true;
                    mass.push(near.index());
                }
            }
            at += 1;
        }
        if mass.len() < ISLAND {
            for hex in mass {
                hexes[hex].island = true;
            }
        }
    }
}

/// Reads the Sea Zones and sea Map Boxes.
pub(crate) fn nodes() -> Result<Vec<NodeInfo>, Problems> {
    read("sea_zones.toml", SEA_FILE, |root, problems| {
        let mut nodes: Vec<NodeInfo> = Vec::with_capacity(NODES);
        let mut neighbours: Vec<Vec<Node>> = Vec::new();
        for mut table in root.tables("zone", problems)? {
            let number = table.integer("id", 1..=ZONES as u8, problems)?;
            if usize::from(number) != nodes.len() + 1 {
                problems.error(table.span(), format!("Sea Zone {number} stands in a wrong place"));
            }
            let name = table.text("name", problems)?.as_str().to_owned();
            let climate = table.word("weather", &["cold", "mild", "warm", "desert"], climate, problems)?;
            let mut near = Vec::new();
            for id in table.required("neighbours", "a list of zones", problems)?.texts(problems)? {
                near.push(look_up(&id, "Sea Zone or sea Map Box", node, problems)?);
            }
            table.finish(problems);
            nodes.push(NodeInfo { name, climate, links: Vec::new() });
            neighbours.push(near);
        }
        for mut table in root.tables("map_box", problems)? {
            let id = table.text("id", problems)?;
            let name = table.text("name", problems)?.as_str().to_owned();
            for key in ["kind", "stacking"] {
                let _ = table.text(key, problems)?;
            }
            let near = table.required("neighbours", "a list of zones", problems)?.texts(problems)?;
            let _ = table.required("supply", "a list of countries", problems)?.texts(problems)?;
            table.finish(problems);
            if id.as_str() == "CRU" {
                continue;
            }
            let mut list = Vec::new();
            for id in &near {
                list.push(look_up(id, "Sea Zone or sea Map Box", node, problems)?);
            }
            nodes.push(NodeInfo { name, climate: Climate::Desert, links: Vec::new() });
            neighbours.push(list);
        }
        for (at, near) in neighbours.iter_mut().enumerate() {
            near.sort_unstable();
            nodes[at].links = near.iter().map(|node| (*node, Passage::Open)).collect();
        }
        for mut table in root.tables("link", problems)? {
            let one = Node::zone(table.integer("a", 1..=ZONES as u8, problems)?);
            let other = Node::zone(table.integer("b", 1..=ZONES as u8, problems)?);
            let _ = table.text("kind", problems)?;
            let note = table.text("note", problems)?;
            let passage = look_up(&note, "known strait or canal", passage, problems)?;
            table.finish(problems);
            for (from, to) in [(one, other), (other, one)] {
                match nodes[from.index()].links.iter_mut().find(|(node, _)| *node == to) {
                    Some(link) => link.1 = passage,
                    None => {
                        problems.error(table.span(), "these two zones are no neighbours");
                    }
                }
            }
        }
        Some(nodes)
    })
}

fn climate(word: &str) -> Option<Climate> {
    match word {
        "cold" => Some(Climate::Cold),
        "mild" => Some(Climate::Mild),
        "warm" => Some(Climate::Warm),
        "desert" => Some(Climate::Desert),
        _ => None,
    }
}

/// A Sea Zone by its number, or a sea Map Box.
pub(crate) fn node(word: &str) -> Option<Node> {
    match word {
        "ENA" => Some(Node::ENA),
        "WIO" => Some(Node::WIO),
        number => number.parse().ok().filter(|number| (1..=ZONES as u8).contains(number)).map(Node::zone),
    }
}

/// Straits and canals by the beginning of their note.
fn passage(note: &str) -> Option<Passage> {
    let known = [
        ("Danish Straits", Passage::Danish),
        ("Strait of Gibraltar", Passage::Gibraltar),
        ("Strait of Messina", Passage::Messina),
        ("Turkish Straits", Passage::Turkish),
        ("Suez Canal", Passage::Suez),
        ("Kiel Canal", Passage::Kiel),
    ];
    known.into_iter().find(|(name, _)| note.starts_with(name)).map(|(_, passage)| passage)
}
