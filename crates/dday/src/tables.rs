//! Every number of the rules, read from `data/tables.toml`.

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table};

use crate::battalions::Quality;

/// The file of the tables, as it is built in.
pub const TABLES: &str = include_str!("../data/tables.toml");

/// What the ground of a zone is. Rule 2.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Ground {
    Open,
    Beach,
    Hill,
    Forest,
    Bocage,
    Marsh,
    Town,
    City,
    Sea,
    Lake,
    Landing,
}

impl Ground {
    /// All, in the order of the table.
    pub const ALL: [Self; 11] = [
        Self::Open,
        Self::Beach,
        Self::Hill,
        Self::Forest,
        Self::Bocage,
        Self::Marsh,
        Self::Town,
        Self::City,
        Self::Sea,
        Self::Lake,
        Self::Landing,
    ];

    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Beach => "beach",
            Self::Hill => "hill",
            Self::Forest => "forest",
            Self::Bocage => "bocage",
            Self::Marsh => "marsh",
            Self::Town => "town",
            Self::City => "city",
            Self::Sea => "sea",
            Self::Lake => "lake",
            Self::Landing => "landing",
        }
    }
}

/// What follows from the ground of a zone. Rule 2.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct GroundInfo {
    /// Its letter on scenario maps.
    pub code: char,
    /// Rough terrain.
    pub rough: bool,
    /// Nobody may enter.
    pub impassable: bool,
    /// MECH only by road.
    pub no_mech_offroad: bool,
    /// Only the landing side.
    pub landing_only: bool,
}

/// A modifier of a number on a die.
pub type Shift = i8;

/// The tables. Field names are the keys of the file.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Tables {
    pub support_success: u8,
    /// By quality.
    pub rally: [u8; 3],
    pub rally_enemy_distance: u8,
    /// By quality.
    pub command_range: [u8; 3],
    pub out_of_command: u8,
    /// By quality, then by the modified die from 1 to 10.
    pub activation: [[Activation; 10]; 3],
    pub double_multiplier: u8,
    pub road_multiplier: u8,
    pub marker_shattered: u16,
    pub marker_retreated: u16,
    /// By quality.
    pub marker_lost: [u16; 3],
    pub marker_objective: u16,
    pub marker_detachment_lost: u16,
    pub base_hit: Shift,
    pub hit_min: Shift,
    pub hit_max: Shift,
    /// Attacker, then defender.
    pub quality_hit: [[Shift; 3]; 3],
    pub heavier_in_open: Shift,
    pub in_zone_each: Shift,
    pub in_zone_max: u8,
    pub zone_each: Shift,
    pub zone_max: u8,
    pub fire_each: Shift,
    pub fire_max: u8,
    pub hit_across_river: Shift,
    pub hit_landing: Shift,
    pub hit_night: Shift,
    pub hit_out_of_supply: Shift,
    pub hit_minefield: Shift,
    pub save_support_each: Shift,
    pub save_support_max: u8,
    pub save_rough: Shift,
    pub save_prepared: Shift,
    pub save_engineer: Shift,
    pub save_flank: Shift,
    pub save_by_tank: Shift,
    pub save_heavier: Shift,
    pub save_armour_into_rough: Shift,
    pub save_minefield: Shift,
    pub save_afloat: Shift,
    pub save_out_of_supply: Shift,
    pub air_attack_max: u8,
    pub air_no_effect_max: u8,
    pub air_hq_distance: u8,
    pub general_zones: u8,
    pub breakthrough_zones: u8,
    pub night_threshold: u8,
    pub hours_per_turn: u8,
    pub dawn_hour: u8,
    /// Summer, spring, autumn, winter.
    pub seasons: [u8; 4],
    pub sight_open: u8,
    pub sight_close: u8,
    pub sight_recon: u8,
    pub sight_air: u8,
    pub works: Works,
    pub supply_steps: u8,
    pub airdrop_success: u8,
    pub oos_effective: u8,
    pub oos_activation: u8,
    pub oos_move_cap: u8,
    pub oos_rally: u8,
    /// By [`Ground`].
    pub ground: [GroundInfo; 11],
}

/// The numbers of engineering. Rule 14.1.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct Works {
    pub prepare_engineer: u8,
    pub prepare_other: u8,
    pub bridge_build: u8,
    pub bridge_repair: u8,
    pub bridge_blow: u8,
    pub bridge_blow_wired: u8,
    pub bridge_blow_in_move: u8,
    pub mine_lay: u8,
    pub mine_clear: u8,
    pub roadblock_build: u8,
    pub roadblock_clear: u8,
    pub night_bonus: u8,
}

/// The result of an activation. Rule 10.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Activation {
    /// Not activated.
    #[default]
    None,
    /// Nothing.
    Hold,
    /// Retreat a zone or take a marker.
    Fallback,
    /// The full move.
    Full,
    /// Twice the move.
    Double,
}

impl Activation {
    /// Whether it lets a battalion move and assault.
    #[inline]
    pub const fn moves(self) -> bool {
        matches!(self, Self::Full | Self::Double)
    }

    /// In words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::None => "not activated",
            Self::Hold => "hold",
            Self::Fallback => "fallback",
            Self::Full => "full move",
            Self::Double => "double move",
        }
    }
}

/// The words of the seasons, in the order of [`Tables::seasons`].
pub const SEASONS: [&str; 4] = ["summer", "spring", "autumn", "winter"];

impl Tables {
    /// The tables that are built in.
    pub fn builtin() -> &'static Self {
        static READ: LazyLock<Tables> =
            LazyLock::new(|| Tables::read("tables.toml", TABLES).expect("the built-in tables are in order"));
        &READ
    }

    /// Reads the file.
    pub fn read(name: &str, text: &str) -> Result<Self, Problems> {
        let mut problems = Problems::new(name, text);
        let read = Document::parse(text, &mut problems)
            .and_then(|document| read_all(&mut document.root(), &mut problems));
        match read {
            Some(read) if !problems.has_errors() => Ok(read),
            _ => Err(problems),
        }
    }

    /// The result of an activation. Rule 10.2.
    #[inline]
    pub fn activated(&self, quality: Quality, die: u8) -> Activation {
        self.activation[quality as usize][usize::from(die.clamp(1, 10)) - 1]
    }

    /// What follows from a ground.
    #[inline]
    pub fn ground(&self, ground: Ground) -> GroundInfo {
        self.ground[ground as usize]
    }

    /// The ground of a letter.
    pub fn ground_of(&self, code: char) -> Option<Ground> {
        Ground::ALL.into_iter().find(|ground| self.ground(*ground).code == code)
    }
}

/// A section of the file that is read key by key.
struct Section<'d, 'p> {
    table: Table<'d>,
    problems: &'p mut Problems,
}

impl Section<'_, '_> {
    fn number(&mut self, key: &'static str) -> Option<u8> {
        self.table.integer(key, 0..=99, self.problems)
    }

    fn shift(&mut self, key: &'static str) -> Option<Shift> {
        self.table.integer(key, -9..=9, self.problems)
    }

    fn by_quality<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, &'static str) -> Option<T>,
    ) -> Option<[T; 3]> {
        Some([read(self, "poor")?, read(self, "regular")?, read(self, "veteran")?])
    }

    fn done(self) {
        self.table.finish(self.problems);
    }
}

fn section<'d, 'p>(
    from: &mut Table<'d>,
    key: &'static str,
    problems: &'p mut Problems,
) -> Option<Section<'d, 'p>> {
    let table = from.table(key, problems)?;
    Some(Section { table, problems })
}

fn read_all(root: &mut Table<'_>, problems: &mut Problems) -> Option<Tables> {
    root.integer("schema", 1..=1_u8, problems);
    let mut s = section(root, "support", problems)?;
    let support_success = s.number("success_max")?;
    s.done();
    let mut s = section(root, "rally", problems)?;
    let rally = s.by_quality(Section::number)?;
    let rally_enemy_distance = s.number("hq_enemy_distance_forbidden")?;
    s.done();
    let mut s = section(root, "command_range", problems)?;
    let command_range = s.by_quality(Section::number)?;
    let out_of_command = s.number("out_of_range_die_modifier")?;
    s.done();
    let activation = read_activation(root, problems)?;
    let mut s = section(root, "movement", problems)?;
    let (double_multiplier, road_multiplier) = (s.number("double_multiplier")?, s.number("road_multiplier")?);
    s.done();
    let mut s = section(root, "morale_markers", problems)?;
    let marker_shattered = s.number("shattered")?.into();
    let marker_retreated = s.number("retreated_in_combat")?.into();
    let marker_lost =
        [s.number("lost_poor")?.into(), s.number("lost_regular")?.into(), s.number("lost_veteran")?.into()];
    let marker_objective = s.number("objective_or_supply_point_occupied")?.into();
    let marker_detachment_lost = s.number("detachment_lost")?.into();
    s.done();
    let mut combat = root.table("combat", problems)?;
    let base_hit = combat.integer("base_hit", 1..=9, problems)?;
    let hit_min = combat.integer("hit_min", 0..=9, problems)?;
    let hit_max = combat.integer("hit_max", 1..=10, problems)?;
    let mut quality = combat.table("quality", problems)?;
    let mut row = |key| section(&mut quality, key, problems)?.by_quality(Section::shift);
    let quality_hit = [row("poor")?, row("regular")?, row("veteran")?];
    let mut s = section(&mut combat, "armour", problems)?;
    let heavier_in_open = s.shift("heavier_in_open")?;
    s.done();
    let mut s = section(&mut combat, "support", problems)?;
    let (in_zone_each, in_zone_max) = (s.shift("in_zone_each")?, s.number("in_zone_max")?);
    let (zone_each, zone_max) = (s.shift("zone_each")?, s.number("zone_max")?);
    let (fire_each, fire_max) = (s.shift("fire_each")?, s.number("fire_max")?);
    s.done();
    let mut s = section(&mut combat, "other_hit", problems)?;
    let (hit_across_river, hit_landing) = (s.shift("across_river")?, s.shift("landing_from_sea")?);
    let (hit_night, hit_out_of_supply) = (s.shift("night")?, s.shift("out_of_supply_attacker")?);
    let hit_minefield = s.shift("minefield")?;
    s.done();
    combat.finish(problems);
    let mut s = section(root, "save", problems)?;
    let (save_support_each, save_support_max) = (s.shift("support_each")?, s.number("support_max")?);
    let (save_rough, save_prepared) = (s.shift("non_mech_rough")?, s.shift("non_mech_prepared")?);
    let save_engineer = s.shift("engineer_reduces_prepared_by")?;
    let (save_flank, save_by_tank) = (s.shift("flank_or_rear")?, s.shift("by_tank_without_at")?);
    let save_heavier = s.shift("armour_by_heavier")?;
    let save_armour_into_rough = s.shift("armour_prime_assaulting_rough")?;
    let (save_minefield, save_afloat) = (s.shift("attacker_in_minefield")?, s.shift("afloat")?);
    s.done();
    let mut s = section(root, "air", problems)?;
    let (air_attack_max, air_no_effect_max) = (s.number("attack_max")?, s.number("no_effect_max")?);
    let air_hq_distance = s.number("natural_10_hq_distance")?;
    s.done();
    let mut s = section(root, "advance", problems)?;
    let (general_zones, breakthrough_zones) =
        (s.number("general_extra_zones")?, s.number("breakthrough_extra_zones")?);
    s.done();
    let mut night = root.table("night", problems)?;
    let night_threshold = night.integer("threshold", 1..=48, problems)?;
    let hours_per_turn = night.integer("hours_per_turn", 1..=12, problems)?;
    let dawn_hour = night.integer("dawn_hour", 0..=23, problems)?;
    let mut s = section(&mut night, "season", problems)?;
    let seasons = [s.number("summer")?, s.number("spring")?, s.number("autumn")?, s.number("winter")?];
    s.done();
    night.finish(problems);
    let mut s = section(root, "visibility", problems)?;
    let (sight_open, sight_close) = (s.number("open_range")?, s.number("close_range")?);
    let (sight_recon, sight_air) = (s.number("recon_bonus")?, s.number("air_bonus")?);
    s.done();
    let works = read_works(root, problems)?;
    let mut s = section(root, "supply", problems)?;
    let (supply_steps, airdrop_success) = (s.number("max_offroad_steps")?, s.number("airdrop_success")?);
    let (oos_effective, oos_activation) = (s.number("oos_level_effective")?, s.number("oos_activation")?);
    let oos_move_cap = s.number("oos_move_cap")?;
    let (oos_hit, save_out_of_supply) = (s.shift("oos_hit")?, s.shift("oos_save")?);
    let oos_rally = s.shift("oos_rally")?.unsigned_abs();
    s.done();
    if oos_hit != hit_out_of_supply {
        problems.error(0..0, "supply.oos_hit and combat.other_hit.out_of_supply_attacker must agree");
    }
    let ground = read_ground(root, problems)?;
    root.finish(problems);
    Some(Tables {
        support_success,
        rally,
        rally_enemy_distance,
        command_range,
        out_of_command,
        activation,
        double_multiplier,
        road_multiplier,
        marker_shattered,
        marker_retreated,
        marker_lost,
        marker_objective,
        marker_detachment_lost,
        base_hit,
        hit_min,
        hit_max,
        quality_hit,
        heavier_in_open,
        in_zone_each,
        in_zone_max,
        zone_each,
        zone_max,
        fire_each,
        fire_max,
        hit_across_river,
        hit_landing,
        hit_night,
        hit_out_of_supply,
        hit_minefield,
        save_support_each,
        save_support_max,
        save_rough,
        save_prepared,
        save_engineer,
        save_flank,
        save_by_tank,
        save_heavier,
        save_armour_into_rough,
        save_minefield,
        save_afloat,
        save_out_of_supply,
        air_attack_max,
        air_no_effect_max,
        air_hq_distance,
        general_zones,
        breakthrough_zones,
        night_threshold,
        hours_per_turn,
        dawn_hour,
        seasons,
        sight_open,
        sight_close,
        sight_recon,
        sight_air,
        works,
        supply_steps,
        airdrop_success,
        oos_effective,
        oos_activation,
        oos_move_cap,
        oos_rally,
        ground,
    })
}

/// The four ranges of each quality must cover the faces of the die exactly once.
fn read_activation(root: &mut Table<'_>, problems: &mut Problems) -> Option<[[Activation; 10]; 3]> {
    let mut table = root.table("activation", problems)?;
    let mut read = [[Activation::None; 10]; 3];
    for (at, key) in ["poor", "regular", "veteran"].into_iter().enumerate() {
        let mut row = table.table(key, problems)?;
        let results = [
            ("double", Activation::Double),
            ("full", Activation::Full),
            ("hold", Activation::Hold),
            ("fallback", Activation::Fallback),
        ];
        for (key, result) in results {
            let value = row.required(key, "the first and the last face", problems)?;
            let faces = value.integers(&(1..=10_u8), problems)?;
            let [first, last] = faces[..] else {
                problems.error(value.span(), "a range has two faces").expected("[first, last]");
                return None;
            };
            for face in first..=last {
                let place = &mut read[at][usize::from(face) - 1];
                if *place != Activation::None {
                    problems.error(value.span(), format!("{face} is in two ranges of the {key} row"));
                }
                *place = result;
            }
        }
        if read[at].contains(&Activation::None) {
            problems
                .error(row.span(), "the ranges leave a face out")
                .expected("every face from 1 to 10 once");
        }
        row.finish(problems);
    }
    table.finish(problems);
    Some(read)
}

fn read_works(root: &mut Table<'_>, problems: &mut Problems) -> Option<Works> {
    let mut s = section(root, "engineering", problems)?;
    let works = Works {
        prepare_engineer: s.number("prepare_engineer")?,
        prepare_other: s.number("prepare_other")?,
        bridge_build: s.number("bridge_build")?,
        bridge_repair: s.number("bridge_repair")?,
        bridge_blow: s.number("bridge_blow")?,
        bridge_blow_wired: s.number("bridge_blow_wired")?,
        bridge_blow_in_move: s.number("bridge_blow_in_enemy_move")?,
        mine_lay: s.number("mine_lay")?,
        mine_clear: s.number("mine_clear")?,
        roadblock_build: s.number("roadblock_build")?,
        roadblock_clear: s.number("roadblock_clear")?,
        night_bonus: s.number("night_bonus")?,
    };
    s.table.integer("bridge_build_successes", 2..=2_u8, s.problems);
    s.done();
    Some(works)
}

fn read_ground(root: &mut Table<'_>, problems: &mut Problems) -> Option<[GroundInfo; 11]> {
    let mut table = root.table("terrain", problems)?;
    let mut read = [GroundInfo::default(); 11];
    for ground in Ground::ALL {
        let mut row = table.table(ground.word(), problems)?;
        let code = row.text("code", problems)?;
        let mut letters = code.as_str().chars();
        let (Some(letter), None) = (letters.next(), letters.next()) else {
            problems.error(code.span(), "the code of a ground is one character").expected("such as \"b\"");
            return None;
        };
        let mut flag =
            |key| row.optional(key).map_or(Some(false), |value| value.boolean(problems)).unwrap_or_default();
        read[ground as usize] = GroundInfo {
            code: letter,
            rough: flag("rough"),
            impassable: flag("impassable"),
            no_mech_offroad: flag("no_mech_offroad"),
            landing_only: flag("landing_only"),
        };
        flag("built");
        row.finish(problems);
    }
    table.finish(problems);
    Some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published sheet, number by number.
    #[test]
    fn the_tables_are_those_of_the_sheet() {
        let tables = Tables::builtin();
        assert_eq!(tables.support_success, 7);
        assert_eq!(tables.rally, [4, 5, 6]);
        assert_eq!(tables.command_range, [2, 2, 3]);
        for (quality, last) in [(Quality::Poor, 6), (Quality::Regular, 7), (Quality::Veteran, 8)] {
            assert_eq!(tables.activated(quality, 1), Activation::Double);
            assert_eq!(tables.activated(quality, last), Activation::Full);
            assert_eq!(tables.activated(quality, last + 1), Activation::Hold);
            assert_eq!(tables.activated(quality, 9), Activation::Hold);
            assert_eq!(tables.activated(quality, 10), Activation::Fallback);
        }
        assert_eq!(tables.quality_hit, [[0, -1, -2], [1, 0, -1], [2, 1, 0]]);
        assert_eq!((tables.marker_shattered, tables.marker_retreated, tables.marker_objective), (1, 1, 5));
        assert_eq!(tables.marker_lost, [2, 3, 4]);
        assert_eq!((tables.base_hit, tables.heavier_in_open), (5, 2));
        assert_eq!((tables.save_support_each, tables.save_support_max), (1, 2));
        assert_eq!((tables.save_rough, tables.save_prepared, tables.save_flank), (2, 3, -2));
        assert_eq!((tables.save_by_tank, tables.save_heavier, tables.save_armour_into_rough), (-2, -2, -3));
        assert_eq!((tables.air_attack_max, tables.air_no_effect_max, tables.air_hq_distance), (5, 9, 1));
        assert_eq!((tables.general_zones, tables.breakthrough_zones), (1, 2));
        assert_eq!((tables.night_threshold, tables.hours_per_turn), (21, 2));
    }

    #[test]
    fn ranges_that_overlap_or_leave_a_face_out_are_named() {
        let text = TABLES.replacen("full = [2, 6]", "full = [3, 7]", 1);
        let problems = Tables::read("x.toml", &text).expect_err("7 stands twice, 2 nowhere").to_string();
        assert!(
            problems.contains("7 is in two ranges") && problems.contains("leave a face out"),
            "{problems}"
        );
    }

    #[test]
    fn the_code_of_a_ground_is_one_character() {
        for code in ["", "bb"] {
            let text = TABLES.replacen("code = \"b\"", &format!("code = \"{code}\""), 1);
            assert_ne!(text, TABLES);
            let problems = Tables::read("x.toml", &text).expect_err("no letter of a map").to_string();
            assert!(problems.contains("the code of a ground is one character"), "{problems}");
        }
    }
}
