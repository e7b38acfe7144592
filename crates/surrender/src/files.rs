//! Reads the built-in data files. What is wrong with one is said with file, line and column.

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, Text, refuse_huge};

use crate::files_events;
use crate::files_map::{self, Ground};
use crate::files_tables;
use crate::ids::{City, Country, Faction, Node, Place, UNITS, UnitId};
use crate::tables::turn_of;
use crate::world::{
    Avail, CityInfo, CountryInfo, DisputedArea, Entry, EventUnit, Gates, Kind, NO_AREA, UnitInfo, World,
};

const CITY_FILE: &str = include_str!("../data/cities.toml");
const COUNTRY_FILE: &str = include_str!("../data/countries.toml");
const UNIT_FILE: &str = include_str!("../data/units.toml");

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

/// The value that belongs to a word, or a complaint with what would have been right.
pub(crate) fn look_up<T>(
    text: &Text,
    what: &str,
    find: impl FnOnce(&str) -> Option<T>,
    problems: &mut Problems,
) -> Option<T> {
    let found = find(text.as_str());
    if found.is_none() {
        problems.error(text.span(), format!("\"{}\" is no {what}", text.as_str()));
    }
    found
}

/// A month such as `1940-05`, as a turn.
pub(crate) fn month(word: &str) -> Option<u8> {
    let (year, month) = word.split_once('-')?;
    let (year, month) = (year.parse::<u16>().ok()?, month.parse::<u8>().ok()?);
    let known = (1939..=1946).contains(&year) && (1..=12).contains(&month) && (year > 1939 || month >= 9);
    known.then(|| turn_of(year, month))
}

/// The whole world.
pub fn world() -> Result<World, Problems> {
    let mut ground = files_map::ground()?;
    let nodes = files_map::nodes()?;
    let (mut countries, mut disputed) =
        read("countries.toml", COUNTRY_FILE, |root, problems| countries(root, &mut ground, problems))?;
    let cities = read("cities.toml", CITY_FILE, |root, problems| cities(root, &mut ground, problems))?;
    let units = read("units.toml", UNIT_FILE, |root, problems| units(root, &ground, problems))?;
    let markers = files_events::markers()?;
    let tables = files_tables::tables()?;
    for (area, hexes) in disputed.iter_mut().zip(&ground.disputed) {
        area.hexes.clone_from(hexes);
    }
    let mut ports = vec![Vec::new(); crate::ids::NODES];
    for (at, city) in cities.iter().enumerate() {
        for node in Node::of(city.zones) {
            ports[node.index()].push(City(at as u8));
        }
    }
    let find =
        |id: &str| cities.iter().position(|city| city.id == id).map_or(City::NONE, |at| City(at as u8));
    let gates = Gates {
        copenhagen: find("copenhagen"),
        gibraltar: find("gibraltar"),
        reggio: find("reggio-calabria"),
        syracuse: find("syracuse"),
        istanbul: find("istanbul"),
        port_said: find("port-said"),
        suez: find("suez"),
        kiel: find("kiel"),
        hamburg: find("hamburg"),
    };
    for (at, city) in cities.iter().enumerate() {
        countries[city.country.index()].cities.push(City(at as u8));
        if city.capital {
            countries[city.country.index()].capital = City(at as u8);
        }
        let area = ground.hexes[city.hex.index()].disputed;
        if let Some(area) = disputed.get_mut(usize::from(area)) {
            area.cities.push(City(at as u8));
        }
    }
    for (at, unit) in units.iter().enumerate() {
        countries[unit.country.index()].units.push(UnitId(at as u16));
    }
    let Ground { hexes, grid, areas, .. } = ground;
    let mut coasts = vec![Vec::new(); crate::ids::NODES];
    for (at, hex) in hexes.iter().enumerate() {
        let port = hex.city.some().map_or(0, |city| cities[city.index()].zones);
        for node in Node::of(hex.zones | port) {
            coasts[node.index()].push(Place::hex(at));
        }
    }
    let wings = UnitId::all().filter(|unit| !units[unit.index()].kind.is_ground()).collect();
    Ok(World {
        hexes,
        grid,
        cities,
        countries,
        units,
        wings,
        areas,
        disputed,
        nodes,
        ports,
        coasts,
        markers,
        tables,
        gates,
    })
}

fn countries(
    root: &mut Table<'_>,
    ground: &mut Ground,
    problems: &mut Problems,
) -> Option<(Vec<CountryInfo>, Vec<DisputedArea>)> {
    let mut countries = Vec::new();
    for mut table in root.tables("country", problems)? {
        let id = table.text("id", problems)?;
        let right = Country::IDS.get(countries.len());
        if right != Some(&id.as_str()) {
            let problem =
                problems.error(id.span(), format!("country \"{}\" stands in a wrong place", id.as_str()));
            problem.expected(right.map_or_else(|| "no more countries".to_owned(), |id| format!("\"{id}\"")));
        }
        let country = Country(countries.len() as u8);
        let name = table.text("name", problems)?.as_str().to_owned();
        let nationality = table.text("nationality", problems)?.as_str().to_owned();
        let minor =
            table.word("tier", &["great", "major", "minor"], |word| Some(word == "minor"), problems)?;
        let entries = ["axis", "western", "soviet", "neutral", "pending", "absent"];
        let entry = table.word(
            "faction_1939",
            &entries,
            |word| match word {
                "neutral" => Some(Entry::Neutral),
                "pending" => Some(Entry::Pending),
                "absent" => Some(Entry::Absent),
                _ => Faction::of_word(word).map(Entry::Active),
            },
            problems,
        )?;
        let will = table.integer("national_will", 1..=199_i16, problems)?;
        ground.capitals.push(table.text("capital", problems)?.as_str().to_owned());
        let extra_factories = table.integer("extra_factories", 0..=30_u8, problems)?;
        let mut overseas = Vec::new();
        for area in table.required("overseas", "a list of areas", problems)?.texts(problems)? {
            let known = look_up(
                &area,
                "Overseas Area of the map",
                |id| ground.areas.iter().position(|known| known.id == id),
                problems,
            )?;
            ground.areas[known].country = country;
            overseas.push(known as u8);
        }
        let court = table.required("court", "a list of factions", problems)?.words(
            &["axis", "western", "soviet"],
            Faction::of_word,
            problems,
        )?;
        let court = court.into_iter().fold(0, |set, faction| set | 1 << faction.index());
        let _ = table.required("fac_lost", "true or false", problems)?.boolean(problems)?;
        let _ = table.optional("note");
        table.finish(problems);
        countries.push(CountryInfo {
            name,
            nationality,
            minor,
            entry,
            will,
            capital: City::NONE,
            extra_factories,
            overseas,
            court,
            cities: Vec::new(),
            units: Vec::new(),
        });
    }
    let mut disputed = Vec::new();
    for mut table in root.tables("disputed_area", problems)? {
        let id = table.text("id", problems)?;
        let owner = table.text("owner", problems)?;
        let owner = look_up(&owner, "country", Country::of_id, problems)?;
        let claimant = table.text("claimant", problems)?;
        let claimant = look_up(&claimant, "country", Country::of_id, problems)?;
        // Its cities are those that stand in its hexes.
        let _ = table.required("cities", "a list of cities", problems)?.texts(problems)?;
        let _ = table.text("trigger", problems)?;
        table.finish(problems);
        if ground.disputed_ids.get(disputed.len()).map(String::as_str) != Some(id.as_str()) {
            ground.reorder_disputed(disputed.len(), id.as_str());
        }
        disputed.push(DisputedArea {
            id: id.as_str().to_owned(),
            owner,
            claimant,
            cities: Vec::new(),
            hexes: Vec::new(),
        });
    }
    Some((countries, disputed))
}

fn cities(root: &mut Table<'_>, ground: &mut Ground, problems: &mut Problems) -> Option<Vec<CityInfo>> {
    let mut cities: Vec<CityInfo> = Vec::new();
    for mut table in root.tables("city", problems)? {
        let id = table.text("id", problems)?;
        let name = table.text("name", problems)?.as_str().to_owned();
        let country = table.text("country", problems)?;
        let country = look_up(&country, "country", Country::of_id, problems)?;
        let area = table.text("area", problems)?;
        let area = if area.as_str() == "main" {
            NO_AREA
        } else {
            let find = |id: &str| ground.areas.iter().position(|known| known.id == id);
            look_up(&area, "Overseas Area", find, problems)? as u8
        };
        let hex = table.text("hex", problems)?;
        let place = look_up(&hex, "land hex", |name| ground.named(name), problems)?;
        let factory = table.required("factory", "true or false", problems)?.boolean(problems)?;
        let fort = table.required("fort", "true or false", problems)?.boolean(problems)?;
        let port_only = table.required("port_only", "true or false", problems)?.boolean(problems)?;
        let zones =
            table.required("zones", "a list of Sea Zones", problems)?.integers(&(1..=33_u8), problems)?;
        let _ = table.optional("lat");
        let lon = table.required("lon", "degrees", problems)?.hundredths(-9000..=9000_i16, problems)?;
        let city = City(cities.len() as u8);
        let info = &mut ground.hexes[place.index()];
        if info.city.some().is_some() || info.country != country || info.area != area {
            problems.error(hex.span(), format!("{} can't stand in hex {}", id.as_str(), hex.as_str()));
        }
        info.city = city;
        let capital = ground.capitals[country.index()] == id.as_str();
        cities.push(CityInfo {
            id: id.as_str().to_owned(),
            name,
            country,
            area,
            hex: place,
            factory,
            fort,
            port_only,
            zones: crate::tables::zone_set(zones),
            lon,
            capital,
        });
        table.finish(problems);
    }
    Some(cities)
}

fn units(root: &mut Table<'_>, ground: &Ground, problems: &mut Problems) -> Option<Vec<UnitInfo>> {
    let tables = root.tables("unit", problems)?;
    let mut ids = Vec::new();
    for table in &tables {
        ids.push(table.clone().text("id", problems)?.as_str().to_owned());
    }
    if ids.len() != UNITS {
        problems.error(0..0, format!("{} units", ids.len())).expected(format!("{UNITS}"));
    }
    let mut units = Vec::new();
    for mut table in tables {
        let id = table.text("id", problems)?.as_str().to_owned();
        let country = table.text("country", problems)?;
        let country = look_up(&country, "country", Country::of_id, problems)?;
        let kinds: Vec<&str> = Kind::ALL.iter().map(|(word, _)| *word).collect();
        let find = |word: &str| Kind::ALL.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
        let kind = table.word("kind", &kinds, find, problems)?;
        let _ = table.text("class", problems)?;
        let _ = table.text("move", problems)?;
        let elite = table.required("elite", "true or false", problems)?.boolean(problems)?;
        let _ = table.required("field", "true or false", problems)?.boolean(problems)?;
        let name = table.text("name", problems)?.as_str().to_owned();
        let avail = table.text("avail", problems)?;
        let avail = look_up(&avail, "date or event of a unit", |word| avail_of(word, &ids), problems)?;
        let _ = table.optional("setup");
        let hex = table.text("hex", problems)?;
        let home = look_up(&hex, "land hex or Map Box", |word| ground.place(word), problems)?;
        table.finish(problems);
        units.push(UnitInfo { id, name, country, kind, elite, avail, home });
    }
    Some(units)
}

fn avail_of(word: &str, ids: &[String]) -> Option<Avail> {
    if let Some(event) = word.strip_prefix("event:") {
        return Some(Avail::Event(match event {
            "east-invaded" => EventUnit::East,
            "west-invaded" => EventUnit::West,
            "mediterranean-crisis" => EventUnit::Mediterranean,
            "ussr-northern-border" => EventUnit::North,
            "ussr-southern-border" => EventUnit::South,
            "free-forces" => EventUnit::FreeForces,
            _ => return None,
        }));
    }
    if let Some(upgrade) = word.strip_prefix("up:") {
        let (unit, turn) = upgrade.split_once('@')?;
        let at = ids.iter().position(|id| id == unit)?;
        return Some(Avail::Upgrade(UnitId(at as u16), month(turn)?));
    }
    match word {
        "start" => Some(Avail::Start),
        "mob" => Some(Avail::Pool),
        date => month(date).map(Avail::Turn),
    }
}

/// A place named in a file: a hex, or a box such as `box:ENA`.
pub(crate) fn box_named(word: &str) -> Option<Place> {
    match word {
        "box:CRU" => Some(Place::CRU),
        "box:ENA" => Some(Place::ENA),
        "box:WIO" => Some(Place::WIO),
        _ => None,
    }
}
