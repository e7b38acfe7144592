//! A scenario: what is in play, where it starts, what decides it. Rules 30.1 to 30.6. The reader is `scenario_file`.

use crate::ids::{COUNTRIES, City, Country, Faction, Place, UnitId};
use crate::markers::{Marker, Owner};
use crate::state::Supply;
use crate::tables::Weather;
use crate::victory_test::Test;
use crate::world::World;

/// A unit of the set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placement {
    /// The unit.
    pub unit: UnitId,
    /// Where.
    pub place: Place,
    /// Strength (1 is reduced) or Sorties.
    pub level: u8,
    /// Supply.
    pub supply: Supply,
}

/// A reinforcement: `Place::POOL` for the Mobilization Box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reinforcement {
    /// When.
    pub turn: u8,
    /// What and where.
    pub unit: Placement,
}

/// Whose hexes an entry of `control` gives away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Every hex of a country.
    Country(Country),
    /// Every hex of a Disputed Area.
    Disputed(u8),
    /// The hex of a city.
    City(City),
}

/// What an entry of the historical politics does. Rule 10.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// A Disputed Area is ceded.
    Cede(u8),
    /// A country activates in a faction.
    Activate(Country, Faction),
    /// A neutral country is taken over without combat.
    Absorb(Country, Faction),
    /// An active country changes sides.
    Switch(Country, Faction),
    /// A country becomes neutral.
    Leave(Country),
}

/// A condition of the historical politics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// A country is neutral.
    Neutral(Country),
    /// A country is active in a faction.
    Active(Faction, Country),
    /// The Pact is in force.
    Pact,
    /// A faction has a ground unit within so many hexes of a country.
    GroundNear(Faction, Country, u8),
    /// A faction controls a city.
    Controls(Faction, City),
}

/// An entry of the historical politics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Politics {
    /// The first turn in which it is read.
    pub from: u8,
    /// The last one.
    pub until: u8,
    /// What happens.
    pub deed: Deed,
    /// What must hold, or must not (`false`).
    pub conditions: Vec<(Condition, bool)>,
}

/// When a line of the victory table is tested. Rule 30.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// In every Victory Check up to a turn.
    Turn(u8),
    /// In every turn.
    Any,
    /// In the last turn only.
    End,
}

/// Who wins by a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// A faction.
    Faction(Faction),
    /// Both Allied factions; the ranking of the scenario decides between them.
    Allied,
    /// Nobody.
    Draw,
}

/// A line of the victory table.
#[derive(Clone, Debug, PartialEq)]
pub struct VictoryLine {
    /// The level as written: "axis decisive".
    pub level: String,
    /// Who wins.
    pub winner: Winner,
    /// When it is tested.
    pub by: By,
    /// What must hold.
    pub test: Test,
}

/// The special rules of a scenario that have a handler. Rule 30.6.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// `area-closed`: after the end of a turn the cities of a Disputed Area are no sources and no locations.
    pub area_closed: Option<(u8, u8)>,
    /// `no-activation-apr`: in a turn units of these countries are not listed.
    pub no_activation: Option<(u8, u32)>,
    /// `april-markers`, `axis-surprise`: these markers of the Axis are offered in a turn only.
    pub marker_turn: Option<(u8, Vec<Marker>)>,
    /// `simple-conquest`: a country falls when all these cities are the Axis's.
    pub simple_conquest: Vec<(Country, Vec<City>)>,
    /// `must-invade`: in a turn the Axis must attack or enter one of these countries.
    pub must_invade: Option<(u8, u32)>,
    /// `france-2-air`: at the end of the Axis Operations Phase of a turn the West places a unit.
    pub france_air: Option<(u8, UnitId)>,
    /// `low-countries-neutral`: these countries start neutral.
    pub low_countries: u32,
    /// `forts-and-italy`: a country activates in the Axis at the start of a turn.
    pub joins_axis: Option<(Country, u8)>,
    /// `yugoslav-freeze`: in a turn units of a country wait for an attack on it.
    pub freeze: Option<(u8, Country)>,
    /// `alexandria-source`: an Unlimited source for UK units, closed to Axis ground units.
    pub uk_source: Option<City>,
    /// `minor-limits`: units of these countries stay inside these.
    pub minor_limits: Option<(u32, u32)>,
    /// `corsica-base`: an Unlimited source for the West, a location for USA and FRA units.
    pub west_base: Option<City>,
    /// `landing-area`: up to a turn Western landings only through these Sea Zones.
    pub landing_area: Option<(u8, u64)>,
    /// `west-first`: in a turn the Western Operations Phase comes first.
    pub west_first: Option<u8>,
    /// `west-edge-supply`: `west_edge` are Unlimited sources for the Axis.
    pub edge_supply: bool,
    /// `west-edge-mobilization`: and locations for German units.
    pub edge_mobilization: bool,
    /// `arctic-supply`: a Limited source for any two Axis units.
    pub axis_limited: Option<City>,
    /// `emergency-mobilization`: at the end of the Axis Operations Phase of a turn, so many units.
    pub emergency: Option<(u8, u8)>,
    /// `ussr-half-june`: in a turn a country has half its points.
    pub half_points: Option<(u8, Country)>,
}

/// A scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its id.
    pub id: String,
    /// Its number in the rulebook.
    pub number: String,
    /// Its title.
    pub title: String,
    /// The factions that play.
    pub factions: Vec<Faction>,
    /// The first turn.
    pub first: u8,
    /// The last turn.
    pub last: u8,
    /// Countries active at the start, and where.
    pub active: [Option<Faction>; COUNTRIES],
    /// Hexes in play.
    pub playable: Vec<bool>,
    /// Sea Zones and sea Map Boxes in play.
    pub nodes: u64,
    /// Whether the Central Russia Box is in play.
    pub russia: bool,
    /// The weather of the first turn, where no dice are rolled.
    pub first_weather: Option<[Weather; 3]>,
    /// Whether Strategic Warfare is fought.
    pub strategic_warfare: bool,
    /// Whether there is a Diplomacy Phase.
    pub diplomacy: bool,
    /// Whether there is a Declare War Phase.
    pub declare_war: bool,
    /// Whether Appeasement is in force at the start.
    pub appeasement: bool,
    /// Whether the Pact is in force at the start.
    pub pact: bool,
    /// Points a turn; `None`: computed by 9.1.
    pub production: Option<[i16; COUNTRIES]>,
    /// National Will at the start.
    pub will: [i16; COUNTRIES],
    /// Markers at the start; `None`: by the dates of `events.toml`.
    pub markers: Option<Vec<(Marker, Owner, u8)>>,
    /// Countries whose units are set up by `units.toml`, as bits.
    pub country_setup: u32,
    /// The set-up.
    pub setup: Vec<Placement>,
    /// Units in Mobilization Boxes.
    pub pool: Vec<UnitId>,
    /// Reinforcements.
    pub reinforcements: Vec<Reinforcement>,
    /// Control that differs from the map, in order.
    pub control: Vec<(Ground, Country)>,
    /// Cities with an Atlantic Wall fort at the start.
    pub forts: Vec<City>,
    /// Fac Lost at the start: Germany, UK, USSR.
    pub fac_lost: [u8; 3],
    /// Historical politics.
    pub politics: Vec<Politics>,
    /// Hexes of the western edge.
    pub west_edge: Vec<Place>,
    /// Special rules with a handler.
    pub hooks: Hooks,
    /// The text of every special rule.
    pub special: Vec<(String, String)>,
    /// The victory table.
    pub victory: Vec<VictoryLine>,
    /// Whether an Allied win is ranked (12.1).
    pub ranked: bool,
    /// The file it was read from, for saves of scenarios of a user's own; empty for ours.
    pub text: String,
}

impl Scenario {
    /// Whether a hex is in play.
    #[inline]
    pub fn in_play(&self, hex: Place) -> bool {
        self.playable[hex.index()]
    }
}

impl Scenario {
    /// The whole map in play with nobody on it: what files and tests fill.
    pub fn blank() -> Self {
        Self {
            id: String::new(),
            number: String::new(),
            title: String::new(),
            factions: Faction::ALL.to_vec(),
            first: 0,
            last: 71,
            active: [None; COUNTRIES],
            playable: vec![true; crate::ids::LANDS],
            nodes: (1 << crate::ids::NODES) - 1,
            russia: true,
            first_weather: None,
            strategic_warfare: false,
            diplomacy: false,
            declare_war: false,
            appeasement: false,
            pact: true,
            production: None,
            will: std::array::from_fn(|country| World::get().countries[country].will),
            markers: None,
            country_setup: 0,
            setup: Vec::new(),
            pool: Vec::new(),
            reinforcements: Vec::new(),
            control: Vec::new(),
            forts: Vec::new(),
            fac_lost: [1; 3],
            politics: Vec::new(),
            west_edge: Vec::new(),
            hooks: Hooks::default(),
            special: Vec::new(),
            victory: Vec::new(),
            ranked: false,
            text: String::new(),
        }
    }
}
