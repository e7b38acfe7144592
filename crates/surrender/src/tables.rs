//! The printed tables: combat results, modifiers, costs, weather, production. Their numbers stand in `data/*.toml`.

use crate::ids::{Faction, Node};
use crate::world::Climate;

/// What the Combat Results Table says, from the worst for the attacker to the best. Rules 5.2 to 5.4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum CombatResult {
    /// Attacker Attrition.
    AttackerAttrition,
    /// Attacker Stopped.
    AttackerStopped,
    /// No effect.
    NoEffect,
    /// Defender Retreats.
    DefenderRetreats,
    /// Defender Disrupted.
    DefenderDisrupted,
    /// Defender Eliminated.
    DefenderEliminated,
}

impl CombatResult {
    /// All results with their codes in `crt.toml` and the Sorties that the loser adds (5.2).
    pub const ALL: [(&'static str, Self, u8); 6] = [
        ("AA3", Self::AttackerAttrition, 3),
        ("AS2", Self::AttackerStopped, 2),
        ("NE", Self::NoEffect, 1),
        ("DR2", Self::DefenderRetreats, 2),
        ("DD3", Self::DefenderDisrupted, 3),
        ("DE4", Self::DefenderEliminated, 4),
    ];

    /// Its code, such as `DR2`.
    pub const fn code(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// The "+ #" part: the Sorties that the losing unit adds in air and naval combat.
    pub const fn sorties(self) -> u8 {
        Self::ALL[self as usize].2
    }

    /// Whether the attacker has the better of it: DR, DD or DE.
    pub const fn is_success(self) -> bool {
        self as u8 >= Self::DefenderRetreats as u8
    }
}

/// The weather in a zone. Rule 11.0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Weather {
    /// Fair.
    Fair,
    /// Poor.
    Poor,
    /// Severe.
    Severe,
}

impl Weather {
    /// All weathers.
    pub const ALL: [Self; 3] = [Self::Fair, Self::Poor, Self::Severe];

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fair => "Fair",
            Self::Poor => "Poor",
            Self::Severe => "Severe",
        }
    }
}

macro_rules! lines {
    ($(#[$about:meta])* $name:ident { $($(#[$what:meta])* $variant:ident = $id:literal, $words:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        #[repr(u8)]
        pub enum $name { $(#[doc = $words] $variant,)+ }

        impl $name {
            /// All lines with their ids in `drm.toml` and words for people.
            pub const ALL: &'static [(&'static str, Self, &'static str)] =
                &[$(($id, Self::$variant, $words),)+];

            /// Its id in `drm.toml`.
            pub const fn id(self) -> &'static str {
                Self::ALL[self as usize].0
            }

            /// What it stands for, in words.
            pub const fn words(self) -> &'static str {
                Self::ALL[self as usize].2
            }
        }
    };
}

lines! {
    /// The lines of the three lists of modifiers. Each side adds up its own (5.1 step 4).
    Line {
        Germany = "g_germany", "German unit";
        FranceUkUsa = "g_fra_uk_usa", "French, British or American unit";
        Elite = "g_elite", "elite unit";
        Reduced = "g_reduced", "reduced unit";
        LowSupply = "g_low_supply", "Low Supply";
        ShockFair = "g_shock_fair", "shock unit in Fair weather";
        TankFair = "g_tank_fair", "tanks in Fair weather";
        TankPoor = "g_tank_poor", "tanks in Poor weather";
        Isolated = "g_isolated", "isolated defender";
        WeatherPoor = "g_weather_poor", "attack in Poor weather";
        CityOrRough = "g_city_or_rough", "city or Rough terrain";
        Strait = "g_strait", "across a strait";
        RiverMountainCanal = "g_canal_mountain_river", "across a river, canal or mountains";
        AirSupportFair = "g_air_support_fair", "Air Support in Fair weather";
        AirSupportPoor = "g_air_support_poor", "Air Support in Poor weather";
        AdditionalTankShock = "g_additional_tank_shock", "tank or shock unit as Additional Attacker";
        AdditionalOther = "g_additional_other", "Additional Attacker";
        Amphibious = "g_amphibious", "Amphibious Invasion";
        NavalSupportFair = "g_naval_support_fair", "Naval Support in Fair weather";
        NavalSupportPoor = "g_naval_support_poor", "Naval Support in Poor weather";
        GroundEvents = "g_events", "event markers";
        GermanAir = "a_ger_air", "German air unit";
        GermanNaval = "a_ger_naval", "German naval unit";
        UkUsaNaval = "a_ukusa_naval", "British or American naval unit";
        UkUsaAir = "a_ukusa_air", "British or American air unit";
        FrenchNaval = "a_fra_naval", "French naval unit";
        BritainHome = "a_britain_home", "over Britain";
        CarrierFair = "a_carrier_fair", "carrier in Fair weather";
        CarrierPoor = "a_carrier_poor", "carrier in Poor weather";
        CarrierSevere = "a_carrier_severe", "carrier in Severe weather";
        Bomber = "a_bomber", "bombers";
        Convoy = "a_convoy", "convoy";
        AirNavalLowSupply = "a_low_supply", "Low Supply";
        AirVsNaval = "a_air_vs_naval", "air unit against ships";
        AirNavalPoor = "a_weather_poor", "Poor weather";
        Sorties = "a_sorties", "Sorties";
        AirNavalEvents = "a_events", "event markers";
        AxisAtlantic = "s_axis_atlantic", "Axis port on the Atlantic";
        AxisArcticAir = "s_axis_arctic_air", "Axis air unit on the Arctic route";
        AxisWhiteSea = "s_axis_white_sea", "Axis port on the White Sea";
        AxisSuez = "s_axis_suez", "Axis port at Suez";
        AxisGulf = "s_axis_gulf", "Axis port on the Persian Gulf";
        SovietOre = "s_sov_ore", "Soviet air unit on the Baltic";
        SovietConquered = "s_sov_conquered", "conquered Allied countries";
        WestUsa = "s_west_usa", "the USA";
        WestOre = "s_west_ore", "Western fighter or warship on the Baltic";
        WestBombed = "s_west_bombed", "bombed German Factories";
        StrategicEvents = "s_events", "event markers";
    }
}

/// How many lines there are.
pub const LINES: usize = Line::ALL.len();

/// The allowances and costs of movement. Rule 4.0.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveCosts {
    /// Points of a leg unit in Full Supply and otherwise.
    pub leg: [u8; 2],
    /// Points of every other unit in Full Supply and otherwise.
    pub other: [u8; 2],
    /// Along a Transport Line.
    pub line: u8,
    /// Into a friendly city or fort.
    pub friendly_city: u8,
    /// Into an enemy city or fort.
    pub enemy_city: u8,
    /// Into Rough terrain.
    pub rough: u8,
    /// Into the Central Russia Box.
    pub russia: u8,
    /// Into Clear terrain.
    pub clear: u8,
    /// Across a canal, mountains or a river.
    pub obstacle: u8,
    /// Across a strait.
    pub strait: u8,
    /// For an attack, by the weather of the defender's hex.
    pub attack: [u8; 3],
    /// An air unit, a hex.
    pub air_hex: u8,
    /// An air unit, the Central Russia Box.
    pub air_russia: u8,
    /// A naval unit, a Sea Zone.
    pub sea_zone: u8,
    /// A naval unit, a canal.
    pub canal: u8,
    /// A naval unit, a Map Box.
    pub map_box: u8,
    /// A naval unit, across a strait.
    pub sea_strait: u8,
}

/// The ranges of rule 1.4.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ranges {
    /// Airdrop, in hexes.
    pub airdrop: u32,
    /// Air Interception of an air unit.
    pub intercept_air: u32,
    /// Air Strike.
    pub strike: u32,
    /// Air Support.
    pub support: u32,
    /// Bombing Run.
    pub bombing: u32,
    /// Amphibious Invasion from a Sea Zone, by faction, in zones.
    pub landing: [u8; 3],
    /// Amphibious Invasion of the West from a Map Box.
    pub landing_from_box: u8,
    /// Naval Interception from a Sea Zone.
    pub intercept_sea: u8,
    /// Naval Interception from a Map Box.
    pub intercept_from_box: u8,
    /// Hexes between a unit and a Transport Line.
    pub supply: u32,
}

/// Costs and incomes. Rules 8 to 10.
#[derive(Clone, Copy, Debug, Default)]
pub struct Production {
    /// Points for a Factory.
    pub per_factory: i16,
    /// Conquered Factories for a point.
    pub conquered_per_point: i16,
    /// Conquered Factories that one ground unit keeps working.
    pub per_occupier: i16,
    /// What every active country gets.
    pub minimum: i16,
    /// To activate a leg and a mobile unit.
    pub activation: [i16; 2],
    /// To replace, by [`crate::world::Kind`]; 0 where that can't be done.
    pub replacement: [i16; 11],
    /// Sorties that a replacement removes.
    pub replaced_sorties: u8,
    /// To mobilize, by [`crate::world::Kind`].
    pub mobilization: [i16; 11],
    /// Sorties of a new air or naval unit.
    pub new_sorties: u8,
    /// To order a Surprise Attack marker.
    pub surprise: i16,
    /// Turns until it comes.
    pub surprise_delay: u8,
    /// To draw from the Diplomacy Cup.
    pub draw: i16,
    /// To put a marker into it.
    pub put: i16,
    /// The most Sorties that a unit can have.
    pub max_sorties: u8,
    /// Sorties removed at End of Turn in Full, Low and No Supply.
    pub recovery: [u8; 3],
    /// Factories for a unit that may move by rail.
    pub rail_divisor: u8,
}

/// All printed tables.
#[derive(Debug)]
pub struct Tables {
    /// The Combat Results Table: by the defender's final value, then the attacker's, both less 1.
    pub crt: [[CombatResult; 16]; 16],
    /// The value of each line of modifiers.
    pub lines: [i8; LINES],
    /// The Sea Zones that lines of the strategic list speak of, as sets.
    pub line_zones: [u64; LINES],
    /// The most and least that modifiers can add up to.
    pub drm_limit: i8,
    /// Changes of the Fac Lost markers of Germany and the Ally, by result (5.4).
    pub fac_lost: [(i8, i8); 6],
    /// The lowest and highest box of a Fac Lost marker.
    pub fac_lost_range: (u8, u8),
    /// Movement.
    pub costs: MoveCosts,
    /// Ranges.
    pub ranges: Ranges,
    /// Amphibious Invasions in a sub-phase: for each faction, from which turn on how many.
    pub landings: [Vec<(u8, u8)>; 3],
    /// Production.
    pub production: Production,
    /// Weather by month (January is 0), zone and die (1 is 0).
    pub weather: [[[Weather; 6]; 3]; 12],
    /// Turns from USA Entry to its activation (13.5).
    pub usa_delay: u8,
    /// Rows of the two border events: north of the first, south of the second.
    pub border_rows: (u8, u8),
    /// Countries that border a French or British Overseas Area (13.5), as a set.
    pub crisis_countries: u32,
    /// Countries whose Mainland does not trigger the Mediterranean Crisis, as a set.
    pub crisis_except: u32,
    /// The Pact can be evaluated from this turn on.
    pub pact_from: u8,
    /// The markers of the Diplomacy Cup.
    pub diplomacy: Vec<DiplomacyInfo>,
}

/// The markers of the Diplomacy Cup in the order of `events.toml`. Rule 10.4.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Diplomat {
    /// No Event.
    NoEvent,
    /// Political Success.
    Success,
    /// Political Failure.
    Failure,
    /// Coup.
    Coup,
    /// Bessarabian Question.
    Bessarabia,
    /// Karelian Demands.
    Karelia,
    /// Baltic Ultimatum.
    Baltic,
    /// Vienna Award.
    Vienna,
    /// Iraqi Revolt.
    Iraq,
    /// Trade Agreement.
    Trade,
}

/// How many kinds of marker the Cup has.
pub const DIPLOMATS: usize = 10;

impl Diplomat {
    /// All of them with their ids.
    pub const ALL: [(&'static str, Self); DIPLOMATS] = [
        ("no-event", Self::NoEvent),
        ("political-success", Self::Success),
        ("political-failure", Self::Failure),
        ("coup", Self::Coup),
        ("bessarabian-question", Self::Bessarabia),
        ("karelian-demands", Self::Karelia),
        ("baltic-ultimatum", Self::Baltic),
        ("vienna-award", Self::Vienna),
        ("iraqi-revolt", Self::Iraq),
        ("trade-agreement", Self::Trade),
    ];

    /// Its id.
    pub const fn id(self) -> &'static str {
        Self::ALL[self as usize].0
    }

    /// The marker with an id.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == id).map(|(_, marker)| *marker)
    }
}

/// A marker of the Diplomacy Cup.
#[derive(Clone, Debug)]
pub struct DiplomacyInfo {
    /// Its name.
    pub name: String,
    /// How many are in the Cup at the start.
    pub cup: u8,
    /// How many are in the Holding Box at the start.
    pub holding: u8,
    /// What it does.
    pub effect: String,
}

impl Tables {
    /// The result for two final values, which are brought into the table. Rulings 1 and 3.
    #[inline]
    pub fn result(&self, attacker: i32, defender: i32) -> CombatResult {
        self.crt[(defender.clamp(1, 16) - 1) as usize][(attacker.clamp(1, 16) - 1) as usize]
    }

    /// The weather of a die.
    #[inline]
    pub fn weather(&self, month: u8, zone: Climate, die: u8) -> Weather {
        if matches!(zone, Climate::Desert) {
            return Weather::Fair;
        }
        self.weather[usize::from(month - 1)][zone as usize][usize::from(die - 1)]
    }

    /// How many Amphibious Invasions a faction may begin in a sub-phase of a turn (6.4).
    pub fn landings(&self, faction: Faction, turn: u8) -> u8 {
        let steps = &self.landings[faction.index()];
        steps.iter().rev().find(|(from, _)| *from <= turn).map_or(0, |(_, count)| *count)
    }
}

/// A die after its modifiers: the total is capped, then halved so many times, each time rounded up; below 1 becomes 1.
/// Rule 5.1 steps 4 and 5, rulings 2 to 5.
#[inline]
pub fn final_value(die: u8, modifiers: i8, halvings: u8, limit: i8) -> i32 {
    let mut value = i32::from(die) + i32::from(modifiers.clamp(-limit, limit));
    for _ in 0..halvings {
        value = (value + 1).div_euclid(2);
    }
    value.max(1)
}

/// The turn of a month: September 1939 is 0.
pub const fn turn_of(year: u16, month: u8) -> u8 {
    ((year - 1939) * 12 + month as u16 - 9) as u8
}

/// Year and month of a turn.
pub const fn month_of(turn: u8) -> (u16, u8) {
    let months = turn as u16 + 8;
    (1939 + months / 12, (months % 12 + 1) as u8)
}

/// A set of Sea Zones from their printed numbers.
pub fn zone_set(numbers: impl IntoIterator<Item = u8>) -> u64 {
    numbers.into_iter().fold(0, |set, number| set | Node::zone(number).bit())
}

kernel::encode_enum!(CombatResult {
    0 = AttackerAttrition, 1 = AttackerStopped, 2 = NoEffect, 3 = DefenderRetreats, 4 = DefenderDisrupted,
    5 = DefenderEliminated,
});
kernel::encode_enum!(Weather { 0 = Fair, 1 = Poor, 2 = Severe });
kernel::encode_enum!(Diplomat {
    0 = NoEvent, 1 = Success, 2 = Failure, 3 = Coup, 4 = Bessarabia, 5 = Karelia, 6 = Baltic, 7 = Vienna, 8 = Iraq,
    9 = Trade,
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halving_rounds_up_and_one_is_the_least() {
        assert_eq!(final_value(6, 7, 1, 10), 7);
        assert_eq!(final_value(6, 2, 3, 10), 1);
        assert_eq!(final_value(1, -4, 1, 10), 1);
        assert_eq!(final_value(6, 16, 0, 10), 16);
    }

    #[test]
    fn months_and_turns_agree() {
        for turn in 0..84 {
            let (year, month) = month_of(turn);
            assert_eq!(turn_of(year, month), turn);
        }
        assert_eq!((turn_of(1939, 9), month_of(4)), (0, (1940, 1)));
    }
}
