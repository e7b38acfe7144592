//! Reads the printed tables: `crt.toml`, `drm.toml`, `move_costs.toml`, `production.toml`, `weather.toml`.

use diagnostics::Problems;
use diagnostics::datafile::Table;

use crate::files::{look_up, month, read};
use crate::files_events;
use crate::ids::Faction;
use crate::tables::{CombatResult, LINES, Line, MoveCosts, Production, Ranges, Tables, Weather, zone_set};
use crate::world::Kind;

const CRT_FILE: &str = include_str!("../data/crt.toml");
const DRM_FILE: &str = include_str!("../data/drm.toml");
const MOVE_FILE: &str = include_str!("../data/move_costs.toml");
const PRODUCTION_FILE: &str = include_str!("../data/production.toml");
const WEATHER_FILE: &str = include_str!("../data/weather.toml");

/// Reads all of them.
pub(crate) fn tables() -> Result<Tables, Problems> {
    let crt = read("crt.toml", CRT_FILE, crt)?;
    let modifiers = read("drm.toml", DRM_FILE, modifiers)?;
    let (costs, ranges, landings) = read("move_costs.toml", MOVE_FILE, movement)?;
    let production = read("production.toml", PRODUCTION_FILE, production)?;
    let weather = read("weather.toml", WEATHER_FILE, weather)?;
    let figures = files_events::figures()?;
    Ok(Tables {
        crt,
        lines: modifiers.lines,
        line_zones: modifiers.zones,
        drm_limit: modifiers.limit,
        fac_lost: modifiers.fac_lost,
        fac_lost_range: modifiers.fac_lost_range,
        costs,
        ranges,
        landings,
        production,
        weather,
        usa_delay: figures.usa_delay,
        border_rows: figures.border_rows,
        crisis_countries: figures.crisis_countries,
        crisis_except: figures.crisis_except,
        pact_from: figures.pact_from,
        diplomacy: figures.diplomacy,
    })
}

fn crt(root: &mut Table<'_>, problems: &mut Problems) -> Option<[[CombatResult; 16]; 16]> {
    for key in ["columns", "size", "codes", "meaning"] {
        let _ = root.optional(key);
    }
    let codes: Vec<&str> = CombatResult::ALL.iter().map(|(code, ..)| *code).collect();
    let find = |code: &str| {
        CombatResult::ALL.iter().find(|(known, ..)| *known == code).map(|(_, result, _)| *result)
    };
    let mut table = [[CombatResult::NoEffect; 16]; 16];
    let rows = root.list("rows", problems)?;
    if rows.len() != 16 {
        problems.error(0..0, format!("{} rows", rows.len())).expected("16 rows");
    }
    for (row, cells) in table.iter_mut().zip(&rows) {
        let results = cells.words(&codes, find, problems)?;
        match <[CombatResult; 16]>::try_from(results) {
            Ok(results) => *row = results,
            Err(results) => {
                problems.error(cells.span(), format!("{} cells", results.len())).expected("16 cells");
            }
        }
    }
    Some(table)
}

struct Modifiers {
    lines: [i8; LINES],
    zones: [u64; LINES],
    limit: i8,
    fac_lost: [(i8, i8); 6],
    fac_lost_range: (u8, u8),
}

fn modifiers(root: &mut Table<'_>, problems: &mut Problems) -> Option<Modifiers> {
    let limit = root.integer("max_total", 1..=20_i8, problems)?;
    for key in ["min_total", "final_min", "final_max", "rounding", "ground_halve", "airnaval_halve"] {
        let _ = root.optional(key);
    }
    let (mut lines, mut zones) = ([0; LINES], [0; LINES]);
    let mut found = [false; LINES];
    for key in ["ground", "airnaval", "strategic"] {
        for mut table in root.tables(key, problems)? {
            let id = table.text("id", problems)?;
            let find = |id: &str| Line::ALL.iter().find(|(known, ..)| *known == id).map(|(_, line, _)| *line);
            let at = look_up(&id, "known modifier", find, problems)? as usize;
            lines[at] = table.integer("value", -10..=10_i8, problems)?;
            if let Some(numbers) = table.optional("zones") {
                zones[at] = zone_set(numbers.integers(&(1..=33_u8), problems)?);
            }
            found[at] = true;
            for key in ["side", "faction", "vs", "cond", "per", "note"] {
                let _ = table.optional(key);
            }
            table.finish(problems);
        }
    }
    for (id, line, _) in Line::ALL {
        if !found[*line as usize] {
            problems.error(0..0, format!("the modifier \"{id}\" is missing"));
        }
    }
    let mut results = root.table("strategic_results", problems)?;
    let fac_lost_range = (
        results.integer("fac_lost_min", 0..=9_u8, problems)?,
        results.integer("fac_lost_max", 0..=30_u8, problems)?,
    );
    let mut fac_lost = [(0, 0); 6];
    for (code, result, _) in CombatResult::ALL {
        let change = results.required(code, "two numbers", problems)?.integers(&(-9..=9_i8), problems)?;
        if let [germany, ally] = change[..] {
            fac_lost[result as usize] = (germany, ally);
        }
    }
    results.finish(problems);
    Some(Modifiers { lines, zones, limit, fac_lost, fac_lost_range })
}

/// How many landings each faction may begin, from which turn on (6.4).
type Capacities = [Vec<(u8, u8)>; 3];

fn movement(root: &mut Table<'_>, problems: &mut Problems) -> Option<(MoveCosts, Ranges, Capacities)> {
    let mut costs = MoveCosts::default();
    let mut allowance = root.table("allowance", problems)?;
    for (at, key) in ["full", "low"].into_iter().enumerate() {
        let mut table = allowance.table(key, problems)?;
        costs.leg[at] = table.integer("leg", 1..=99_u8, problems)?;
        costs.other[at] = table.integer("mobile", 1..=99_u8, problems)?;
    }
    let mut ground = root.table("ground", problems)?;
    let mut base = ground.table("base", problems)?;
    costs.line = base.integer("along_transport_line", 1..=9_u8, problems)?;
    costs.friendly_city = base.integer("friendly_city_or_fort", 1..=9_u8, problems)?;
    costs.enemy_city = base.integer("enemy_city_or_fort", 1..=9_u8, problems)?;
    costs.rough = base.integer("rough", 1..=9_u8, problems)?;
    costs.russia = base.integer("central_russia_box", 1..=9_u8, problems)?;
    costs.clear = base.integer("clear", 1..=9_u8, problems)?;
    base.finish(problems);
    let mut plus = ground.table("hexside_plus", problems)?;
    costs.obstacle = plus.integer("river", 0..=9_u8, problems)?;
    costs.strait = plus.integer("strait", 0..=9_u8, problems)?;
    let mut attack = ground.table("attack_plus", problems)?;
    for (at, key) in ["fair", "poor", "severe"].into_iter().enumerate() {
        costs.attack[at] = attack.integer(key, 0..=9_u8, problems)?;
    }
    let mut air = root.table("air", problems)?.table("base", problems)?;
    costs.air_hex = air.integer("any_hex", 1..=9_u8, problems)?;
    costs.air_russia = air.integer("central_russia_box", 1..=9_u8, problems)?;
    let mut naval = root.table("naval", problems)?;
    let mut base = naval.table("base", problems)?;
    costs.sea_zone = base.integer("sea_zone", 1..=9_u8, problems)?;
    costs.canal = base.integer("canal", 1..=9_u8, problems)?;
    costs.map_box = base.integer("map_box", 1..=9_u8, problems)?;
    costs.sea_strait = naval.table("plus", problems)?.integer("strait", 0..=9_u8, problems)?;
    let mut table = root.table("ranges", problems)?;
    let mut ranges = Ranges {
        airdrop: table.integer("airdrop", 1..=99_u32, problems)?,
        intercept_air: table.integer("air_interception_of_air", 1..=99_u32, problems)?,
        strike: table.integer("air_strike", 1..=99_u32, problems)?,
        support: table.integer("air_support", 1..=99_u32, problems)?,
        bombing: table.integer("bombing_run", 1..=99_u32, problems)?,
        ..Ranges::default()
    };
    let mut sea = table.table("sea", problems)?;
    ranges.landing = [
        sea.integer("amphibious_axis", 0..=9_u8, problems)?,
        sea.integer("amphibious_western_from_zone", 0..=9_u8, problems)?,
        sea.integer("amphibious_soviet", 0..=9_u8, problems)?,
    ];
    ranges.landing_from_box = sea.integer("amphibious_western_from_box", 0..=9_u8, problems)?;
    ranges.intercept_sea = sea.integer("naval_interception_from_zone", 0..=9_u8, problems)?;
    ranges.intercept_from_box = sea.integer("naval_interception_from_box", 0..=9_u8, problems)?;
    ranges.supply =
        table.table("supply", problems)?.integer("land_hexes_to_transport_line", 0..=9_u32, problems)?;
    let mut capacity = root.table("landing_capacity", problems)?;
    let mut landings = [Vec::new(), Vec::new(), Vec::new()];
    for faction in Faction::ALL {
        for mut step in capacity.tables(faction.word(), problems)? {
            let from = step.text("from", problems)?;
            let from = look_up(&from, "month such as 1942-11", month, problems)?;
            landings[faction.index()].push((from, step.integer("count", 0..=99_u8, problems)?));
        }
    }
    Some((costs, ranges, landings))
}

fn production(root: &mut Table<'_>, problems: &mut Problems) -> Option<Production> {
    let mut income = root.table("income", problems)?;
    let points = 0..=99_i16;
    let mut all = Production {
        per_factory: income.integer("points_per_factory", points.clone(), problems)?,
        conquered_per_point: income.integer("conquered_factories_per_point", 1..=99_i16, problems)?,
        per_occupier: income.integer("factories_per_occupier", points.clone(), problems)?,
        minimum: income.integer("minimum_points_active_country", points.clone(), problems)?,
        ..Production::default()
    };
    let mut activation = root.table("activation", problems)?;
    all.activation = [
        activation.integer("leg", points.clone(), problems)?,
        activation.integer("mobile", points.clone(), problems)?,
    ];
    let mut costs = root.table("replacement", problems)?;
    let leg = costs.integer("leg_field", points.clone(), problems)?;
    let mobile = costs.integer("mobile", points.clone(), problems)?;
    all.replacement = by_kind(&mut costs, leg, mobile, problems)?;
    all.replacement[Kind::Garrison as usize] = 0;
    all.replaced_sorties = costs.integer("sorties_removed_per_purchase", 1..=6_u8, problems)?;
    costs.finish(problems);
    let mut costs = root.table("mobilization", problems)?;
    let leg = costs.integer("leg_reduced", points.clone(), problems)?;
    let _ = costs.integer("leg_ussr_full", leg..=leg, problems)?;
    let mobile = costs.integer("mobile_reduced", points.clone(), problems)?;
    all.mobilization = by_kind(&mut costs, leg, mobile, problems)?;
    all.new_sorties = costs.integer("sorties_on_arrival", 0..=6_u8, problems)?;
    costs.finish(problems);
    let mut surprise = root.table("surprise_attack", problems)?;
    all.surprise = surprise.integer("cost", points.clone(), problems)?;
    all.surprise_delay = surprise.integer("delay_turns", 0..=40_u8, problems)?;
    let mut diplomacy = root.table("diplomacy", problems)?;
    all.draw = diplomacy.integer("draw_cost", points.clone(), problems)?;
    all.put = diplomacy.integer("put_back_cost", points, problems)?;
    let mut sorties = root.table("sorties", problems)?;
    all.max_sorties = sorties.integer("max", 1..=7_u8, problems)?;
    for (at, key) in ["free_recovery_full_supply", "free_recovery_low_supply", "free_recovery_no_supply"]
        .into_iter()
        .enumerate()
    {
        all.recovery[at] = sorties.integer(key, 0..=6_u8, problems)?;
    }
    all.rail_divisor =
        root.table("strategic_movement", problems)?.integer("allowance_divisor", 1..=9_u8, problems)?;
    Some(all)
}

fn by_kind(costs: &mut Table<'_>, leg: i16, mobile: i16, problems: &mut Problems) -> Option<[i16; 11]> {
    let mut all = [leg; 11];
    (all[Kind::Motorised as usize], all[Kind::Tank as usize]) = (mobile, mobile);
    for kind in [Kind::Fighter, Kind::Bomber, Kind::Surface, Kind::Carrier, Kind::Convoy] {
        all[kind as usize] = costs.integer(kind.word(), 0..=99_i16, problems)?;
    }
    Some(all)
}

fn weather(root: &mut Table<'_>, problems: &mut Problems) -> Option<[[[Weather; 6]; 3]; 12]> {
    let _ = root.optional("zones");
    let mut months: [Option<String>; 12] = Default::default();
    for (month, span, season) in root.table("months", problems)?.entries() {
        match month.parse::<usize>().ok().filter(|month| (1..=12).contains(month)) {
            Some(month) => months[month - 1] = Some(season.text(problems)?.as_str().to_owned()),
            None => {
                problems.error(span, format!("\"{month}\" is no month"));
            }
        }
    }
    let mut seasons = Vec::new();
    for (season, _, rows) in root.table("table", problems)?.entries() {
        let mut table = rows.table(problems)?;
        let mut zones = [[Weather::Fair; 6]; 3];
        for (at, key) in ["cold", "mild", "warm"].into_iter().enumerate() {
            let find = |word: &str| match word {
                "F" => Some(Weather::Fair),
                "P" => Some(Weather::Poor),
                "S" => Some(Weather::Severe),
                _ => None,
            };
            let faces = table.required(key, "six letters", problems)?;
            match <[Weather; 6]>::try_from(faces.words(&["F", "P", "S"], find, problems)?) {
                Ok(faces) => zones[at] = faces,
                Err(_) => {
                    problems.error(faces.span(), "a die has six faces");
                }
            }
        }
        seasons.push((season.to_owned(), zones));
    }
    let mut all = [[[Weather::Fair; 6]; 3]; 12];
    for (month, season) in all.iter_mut().zip(months) {
        let season = season.unwrap_or_default();
        match seasons.iter().find(|(name, _)| *name == season) {
            Some((_, zones)) => *month = *zones,
            None => {
                problems.error(0..0, format!("there is no table \"{season}\""));
            }
        }
    }
    Some(all)
}
