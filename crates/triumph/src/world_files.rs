//! Reads the data files: the map, nations, units, powers (ours) and set-up (ours or a user's own).

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, Value, refuse_huge};

use crate::areas::{AREAS, AreaSet, LANDS, NATIONS, NONE};
use crate::factions::{Faction, POWERS, Power};
use crate::units::{Kind, UnitType};
use crate::world::{
    Area, Atlas, Border, BorderKind, City, FactionInfo, Ground, Nation, NationKind, OpeningForces, Placement,
    ShortStart,
};

pub use crate::card_files::{actions, investments};

const AREA_FILE: &str = include_str!("../data/areas.toml");
const BORDER_FILE: &str = include_str!("../data/borders.toml");
const NATION_FILE: &str = include_str!("../data/nations.toml");
const UNIT_FILE: &str = include_str!("../data/units.toml");
const POWER_FILE: &str = include_str!("../data/powers.toml");
/// The Action cards of the game.
pub const ACTIONS: &str = include_str!("../data/cards_action.toml");
/// The Investment cards of the game.
pub const INVESTMENTS: &str = include_str!("../data/cards_investment.toml");
/// The opening forces of the game.
pub const SETUP: &str = include_str!("../data/setup.toml");

/// How many cards a deck can have: they are bits of a number.
pub const MAX_CARDS: usize = 64;

/// Reads a file; whatever is wrong with it is returned.
pub(crate) fn read<T>(
    name: &str,
    text: &str,
    parse: impl FnOnce(&mut Table<'_>, &mut Problems) -> Option<T>,
) -> Result<T, Problems> {
    if let Some(problems) = refuse_huge(name, text) {
        return Err(problems);
    }
    let mut problems = Problems::new(name, text);
    let value = Document::parse(text, &mut problems).and_then(|document| {
        let mut root = document.root();
        let value = parse(&mut root, &mut problems);
        root.finish(&mut problems);
        value
    });
    match value {
        Some(value) if !problems.has_errors() => Ok(value),
        _ => {
            if !problems.has_errors() {
                problems.error(0..0, "the file can't be read");
            }
            Err(problems)
        }
    }
}

const GROUNDS: [(&str, Ground); 4] =
    [("land", Ground::Land), ("strait", Ground::Strait), ("sea", Ground::Sea), ("ocean", Ground::Ocean)];
const CITIES: [(&str, City); 6] = [
    ("none", City::None),
    ("town", City::Town),
    ("city", City::City),
    ("capital_city", City::CapitalCity),
    ("sub_capital", City::SubCapital),
    ("main_capital", City::MainCapital),
];
const NATION_KINDS: [&str; 4] = ["great", "major", "minor", "colony"];
const FACTIONS: [&str; 3] = ["axis", "west", "ussr"];

fn pick<T: Copy>(known: &[(&str, T)], word: &str) -> Option<T> {
    known.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

fn names<'a, T>(known: &[(&'a str, T)]) -> Vec<&'a str> {
    known.iter().map(|(name, _)| *name).collect()
}

/// The map and the printed figures.
pub fn atlas() -> Result<Atlas, Problems> {
    let ids: Vec<String> = read("areas.toml", AREA_FILE, |root, problems| ids(root, "area", problems))?;
    let nation_ids: Vec<String> = read("nations.toml", NATION_FILE, ids_of_nations)?;
    let areas = read("areas.toml", AREA_FILE, |root, problems| areas(root, &nation_ids, problems))?;
    let borders = read("borders.toml", BORDER_FILE, |root, problems| borders(root, &ids, problems))?;
    let nations = read("nations.toml", NATION_FILE, |root, problems| nations(root, &ids, &areas, problems))?;
    let (types, pools, max_cv) = read("units.toml", UNIT_FILE, units)?;
    let factions = read("powers.toml", POWER_FILE, |root, problems| powers(root, &ids, problems))?;
    let mut power_nation = [NONE; POWERS];
    let mut home = [AreaSet::EMPTY; POWERS];
    let mut great_home = [AreaSet::EMPTY; 3];
    let mut minors = 0;
    for (at, nation) in nations.iter().enumerate() {
        if let Some(power) = nation.power {
            power_nation[power.index()] = at as u8;
            if nation.kind == NationKind::Great {
                great_home[power.faction().index()] = nation.areas;
            }
        }
        let owner = match nation.kind {
            NationKind::Colony(power) => Some(power),
            _ => nation.power,
        };
        if let Some(power) = owner.filter(|_| nation.home) {
            home[power.index()] = home[power.index()].or(nation.areas);
        }
        if nation.kind == NationKind::Minor {
            minors |= 1 << at;
        }
    }
    let find = |id: &str| nations.iter().position(|nation| nation.id == id).map_or(NONE, |at| at as u8);
    let mut capitals = [AreaSet::EMPTY; 3];
    for (at, faction) in factions.iter().enumerate() {
        capitals[at] = faction.capitals.iter().copied().collect();
    }
    let mut atlas = Atlas::empty();
    (atlas.usa, atlas.canada) = (find("usa"), find("canada"));
    (atlas.areas, atlas.borders, atlas.nations, atlas.factions) = (areas, borders, nations, factions);
    (atlas.types, atlas.pools, atlas.max_cv) = (types, pools, max_cv);
    (atlas.power_nation, atlas.home, atlas.great_home) = (power_nation, home, great_home);
    (atlas.minors, atlas.capitals) = (minors, capitals);
    atlas.link();
    Ok(atlas)
}

impl Atlas {
    /// A map without areas, to be filled.
    fn empty() -> Self {
        Self {
            areas: Vec::new(),
            borders: Vec::new(),
            edges: Vec::new(),
            edges_from: Vec::new(),
            near: vec![AreaSet::EMPTY; AREAS],
            by_land: vec![AreaSet::EMPTY; AREAS],
            by_sea: vec![AreaSet::EMPTY; AREAS],
            by_water: vec![AreaSet::EMPTY; AREAS],
            by_near_water: vec![AreaSet::EMPTY; AREAS],
            along_coast: vec![AreaSet::EMPTY; AREAS],
            steps: Vec::new(),
            straits: AreaSet::EMPTY,
            oceans: AreaSet::EMPTY,
            coastal: AreaSet::EMPTY,
            around_africa: u16::MAX,
            nations: Vec::new(),
            power_nation: [NONE; POWERS],
            usa: NONE,
            canada: NONE,
            minors: 0,
            types: [UnitType::default(); 7],
            pools: [[0; 7]; POWERS],
            max_cv: [0; POWERS],
            factions: Vec::new(),
            capitals: [AreaSet::EMPTY; 3],
            home: [AreaSet::EMPTY; POWERS],
            great_home: [AreaSet::EMPTY; 3],
        }
    }
}

fn ids(root: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> Option<Vec<String>> {
    let entries = root.tables(key, problems)?;
    let mut ids = Vec::new();
    for mut entry in entries {
        ids.push(entry.text("id", problems)?.as_str().to_owned());
    }
    Some(ids)
}

fn ids_of_nations(root: &mut Table<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    ids(root, "nation", problems)
}

/// The number of a word in a list of ids, with a complaint that suggests the nearest.
fn id_of(value: &Value<'_>, ids: &[String], problems: &mut Problems) -> Option<u8> {
    let known: Vec<&str> = ids.iter().map(String::as_str).collect();
    value.word(&known, |word| ids.iter().position(|id| id == word).map(|at| at as u8), problems)
}

fn areas(root: &mut Table<'_>, nations: &[String], problems: &mut Problems) -> Option<Vec<Area>> {
    let mut areas = Vec::new();
    for mut entry in root.tables("area", problems)? {
        let ground = entry.word("kind", &names(&GROUNDS), |word| pick(&GROUNDS, word), problems)?;
        let sea = matches!(ground, Ground::Sea | Ground::Ocean);
        let mut area = Area {
            id: entry.text("id", problems)?.as_str().to_owned(),
            name: entry.text("name", problems)?.as_str().to_owned(),
            ground,
            nation: NONE,
            city: City::None,
            pop: 0,
            res: 0,
            red_res: 0,
            muster: 0,
            capital: false,
            coastal: false,
        };
        if !sea {
            area.nation = id_of(&entry.required("nation", "a nation", problems)?, nations, problems)?;
            area.city = entry.word("city", &names(&CITIES), |word| pick(&CITIES, word), problems)?;
            area.pop = entry.integer("pop", 0..=9, problems)?;
            area.res = entry.integer("res", 0..=9, problems)?;
            area.red_res = entry.integer("res_transafrica", 0..=9, problems)?;
            area.muster = entry.integer("muster", 0..=4, problems)?;
            area.capital = flag(&mut entry, "capital", problems);
            area.coastal = flag(&mut entry, "coastal", problems);
        }
        areas.push(area);
    }
    let land_first = areas.iter().take(LANDS).all(|area| !matches!(area.ground, Ground::Sea | Ground::Ocean));
    assert!(land_first && areas.len() == AREAS, "land areas come first, {AREAS} areas in all");
    Some(areas)
}

pub(crate) fn flag(entry: &mut Table<'_>, key: &'static str, problems: &mut Problems) -> bool {
    entry.optional(key).and_then(|value| value.boolean(problems)).unwrap_or_default()
}

fn borders(root: &mut Table<'_>, ids: &[String], problems: &mut Problems) -> Option<Vec<Border>> {
    let known: Vec<&str> = BorderKind::ALL.iter().map(|kind| kind.word()).collect();
    let mut borders = Vec::new();
    for mut entry in root.tables("border", problems)? {
        let a = id_of(&entry.required("a", "an area", problems)?, ids, problems)?;
        let b = id_of(&entry.required("b", "an area", problems)?, ids, problems)?;
        let kind = entry.word("type", &known, BorderKind::parse, problems)?;
        let coastline = flag(&mut entry, "coastline", problems);
        let around_africa = flag(&mut entry, "around_africa", problems);
        borders.push(Border { ends: [a, b], kind, coastline, around_africa });
    }
    Some(borders)
}

fn nations(
    root: &mut Table<'_>,
    ids: &[String],
    areas: &[Area],
    problems: &mut Problems,
) -> Option<Vec<Nation>> {
    let mut nations = Vec::new();
    for (at, mut entry) in root.tables("nation", problems)?.into_iter().enumerate() {
        let id = entry.text("id", problems)?.as_str().to_owned();
        let kind = entry.word(
            "kind",
            &NATION_KINDS,
            |word| NATION_KINDS.iter().position(|k| *k == word),
            problems,
        )?;
        let power = Power::parse(&id);
        let owner = entry.optional("owner").and_then(|owner| owner.word(&[], Power::parse, problems));
        let kind = match (kind, owner) {
            (0, _) => NationKind::Great,
            (1, _) => NationKind::Major,
            (2, _) => NationKind::Minor,
            (_, Some(owner)) => NationKind::Colony(owner),
            (_, None) => return None,
        };
        let faction = entry.text("start_faction", problems)?;
        let capital = entry.text("capital", problems)?;
        let own = |area: &&u8| usize::from(areas[usize::from(**area)].nation) == at;
        let all: Vec<u8> = (0..LANDS as u8).collect();
        let own_areas: AreaSet = all.iter().filter(own).copied().collect();
        let is_power = power.is_some();
        nations.push(Nation {
            name: entry.text("name", problems)?.as_str().to_owned(),
            kind,
            power,
            faction: Faction::parse(faction.as_str()),
            capital: ids.iter().position(|id| id == capital.as_str()).map_or(NONE, |at| at as u8),
            areas: own_areas,
            musters: own_areas
                .iter()
                .filter(|area| !is_power && areas[usize::from(*area)].muster > 0)
                .collect(),
            reaction: entry.integer("muster_capital", 0..=4, problems)?,
            diplomacy: flag(&mut entry, "diplomacy", problems),
            home: flag(&mut entry, "build_home", problems),
            id,
        });
    }
    assert_eq!(nations.len(), NATIONS, "nations");
    Some(nations)
}

type Units = ([UnitType; 7], [[u8; 7]; POWERS], [u8; POWERS]);

fn units(root: &mut Table<'_>, problems: &mut Problems) -> Option<Units> {
    let mut types = [UnitType::default(); 7];
    for mut entry in root.tables("type", problems)? {
        let Some(kind) = Kind::parse(entry.text("id", problems)?.as_str()) else { continue };
        let unit = &mut types[kind.index()];
        for (class, key) in ["fire_a", "fire_n", "fire_g", "fire_s"].into_iter().enumerate() {
            unit.fire[class] = entry.integer(key, 0..=6, problems)?;
        }
        unit.land = entry.integer("move_land", 0..=9, problems)?;
        unit.sea = entry.integer("move_sea", 0..=9, problems)?;
        unit.air = entry.integer("move_air", 0..=9, problems)?;
    }
    let mut pools = [[0; 7]; POWERS];
    let mut max_cv = [0; POWERS];
    const KEYS: [&str; 7] = ["fortress", "air_force", "carrier", "submarine", "fleet", "tank", "infantry"];
    for mut entry in root.tables("pool", problems)? {
        let Some(power) = Power::parse(entry.text("nation", problems)?.as_str()) else { continue };
        max_cv[power.index()] = entry.integer("max_cv", 1..=4, problems)?;
        for (kind, key) in KEYS.into_iter().enumerate() {
            pools[power.index()][kind] = entry.integer(key, 0..=40, problems)?;
        }
        let blocks: usize = pools[power.index()].iter().map(|count| usize::from(*count)).sum();
        assert_eq!(blocks, power.blocks().len(), "blocks of {}", power.title());
    }
    Some((types, pools, max_cv))
}

fn powers(root: &mut Table<'_>, ids: &[String], problems: &mut Problems) -> Option<Vec<FactionInfo>> {
    let mut factions = Vec::new();
    for key in ["turn_order", "peace_dividends", "track", "border_limits", "usa"] {
        // These figures of the printed aid stand in the code beside the rules that use them; a test compares.
        root.optional(key);
    }
    for mut entry in root.tables("power", problems)? {
        let main_capital = id_of(&entry.required("main_capital", "an area", problems)?, ids, problems)?;
        let mut capitals = vec![main_capital];
        for value in entry.list("sub_capitals", problems)? {
            capitals.push(id_of(&value, ids, problems)?);
        }
        factions.push(FactionInfo {
            main_capital,
            capitals,
            hand_size: entry.integer("hand_size", 0..=20, problems)?,
            factory_costs: entry
                .required("factory_costs", "a list", problems)?
                .integers(&(1..=20), problems)?,
            emergency: entry.integer("emergency_command", 0..=20, problems)?,
        });
    }
    Some(factions)
}

/// The opening forces of a file.
pub fn forces(name: &str, text: &str, atlas: &Atlas) -> Result<OpeningForces, Problems> {
    read(name, text, |root, problems| crate::setup_file::forces(root, atlas, problems))
}

/// One of the three Factions.
pub(crate) fn faction(entry: &mut Table<'_>, problems: &mut Problems) -> Option<Faction> {
    entry.word("faction", &FACTIONS, Faction::parse, problems)
}

/// The figures of the start of 1939 for a Faction.
pub(crate) fn short_start(entry: &mut Table<'_>, problems: &mut Problems) -> Option<ShortStart> {
    Some(ShortStart {
        extra: entry.integer("extra_cv", 0..=60, problems)?,
        cards: [
            entry.integer("action_cards", 0..=18, problems)?,
            entry.integer("investment_cards", 0..=18, problems)?,
        ],
        ind: entry.integer("ind", 0..=25, problems)?,
        chits: entry.integer("peace_dividends", 0..=6, problems)?,
    })
}

/// One group of units of a set-up.
pub(crate) fn placement(entry: &mut Table<'_>, atlas: &Atlas, problems: &mut Problems) -> Option<Placement> {
    let powers: Vec<&str> = Power::ALL.iter().map(|power| power.word()).collect();
    let power = entry.word("nation", &powers, Power::parse, problems)?;
    let ids: Vec<String> = atlas.areas.iter().take(LANDS).map(|area| area.id.clone()).collect();
    let value = entry.required("area", "a land area", problems)?;
    let area = id_of(&value, &ids, problems)?;
    let kinds: Vec<&str> = Kind::ALL.iter().map(|kind| kind.word()).collect();
    let kind = match entry.optional("type") {
        Some(value) => Some(value.word(&kinds, Kind::parse, problems)?),
        None => None,
    };
    let count = entry.optional("count").map_or(Some(1), |value| value.integer(1..=20, problems))?;
    let cv = entry.integer("cv", 1..=atlas.max_cv[power.index()], problems)?;
    if kind.is_some_and(Kind::is_ship) && !atlas.area(area).coastal {
        problems.error(value.span(), "ships need a coast").expected("a Coastal area");
    }
    Some(Placement { power, area, kind, count, cv })
}
