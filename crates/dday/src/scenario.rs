//! A scenario: the map, the forces, the aims. Rules 2, 16.5, 22.

mod ground;
mod read;
mod verify;

use std::sync::{Arc, LazyLock};

use diagnostics::Problems;
use terrain::{Cell, Octant, SquareGrid};

use crate::battalions::{Class, Mode, Quality};
use crate::tables::{Ground, Tables};

/// The most battalions of a scenario, both sides together.
pub const MAX_UNITS: usize = 128;
/// The most zones of a map.
pub const MAX_ZONES: usize = 2048;
/// The most objectives and supply points.
pub const MAX_KEYS: usize = 32;
/// The most bridges at the start.
pub const MAX_BRIDGES: usize = 16;

/// The eleven scenarios that are built in: their ids and texts.
pub const SCENARIOS: [(&str, &str); 11] = [
    ("01_omaha", include_str!("../data/scenarios/01_omaha.toml")),
    ("02_carentan", include_str!("../data/scenarios/02_carentan.toml")),
    ("03_villers_bocage", include_str!("../data/scenarios/03_villers_bocage.toml")),
    ("04_goodwood", include_str!("../data/scenarios/04_goodwood.toml")),
    ("05_arracourt", include_str!("../data/scenarios/05_arracourt.toml")),
    ("06_mortain", include_str!("../data/scenarios/06_mortain.toml")),
    ("07_arnhem", include_str!("../data/scenarios/07_arnhem.toml")),
    ("08_bastogne", include_str!("../data/scenarios/08_bastogne.toml")),
    ("09_remagen", include_str!("../data/scenarios/09_remagen.toml")),
    ("10_seelow", include_str!("../data/scenarios/10_seelow.toml")),
    ("11_berlin", include_str!("../data/scenarios/11_berlin.toml")),
];

/// The scenarios that set-up 2 has changed, as set-up 1 had them: matches that were begun under rules 1 go on with these.
const SETUP_1: [(&str, &str); 7] = [
    ("03_villers_bocage", include_str!("../data/scenarios/setup_1/03_villers_bocage.toml")),
    ("04_goodwood", include_str!("../data/scenarios/setup_1/04_goodwood.toml")),
    ("05_arracourt", include_str!("../data/scenarios/setup_1/05_arracourt.toml")),
    ("07_arnhem", include_str!("../data/scenarios/setup_1/07_arnhem.toml")),
    ("08_bastogne", include_str!("../data/scenarios/setup_1/08_bastogne.toml")),
    ("09_remagen", include_str!("../data/scenarios/setup_1/09_remagen.toml")),
    ("10_seelow", include_str!("../data/scenarios/setup_1/10_seelow.toml")),
];

/// The scenario that is proposed.
pub const DEFAULT: &str = "03_villers_bocage";

/// One of the two sides, in the order of the scenario file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Side {
    /// The first of the file.
    #[default]
    First,
    /// The second.
    Second,
}

impl Side {
    /// Both.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// Position in arrays of two.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Its mark in zones: 1 or 2.
    #[inline]
    pub const fn tag(self) -> u8 {
        self as u8 + 1
    }

    /// The other side.
    #[inline]
    #[must_use]
    pub const fn enemy(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// The side of a position in arrays of two.
    #[inline]
    pub const fn of(index: usize) -> Self {
        if index == 0 { Self::First } else { Self::Second }
    }
}

/// What the rules ask of a battalion, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Troop {
    /// Whose it is.
    pub side: Side,
    /// Class.
    pub class: Class,
    /// How it moves.
    pub mode: Mode,
    /// Quality.
    pub quality: Quality,
    /// Its formation's number.
    pub formation: u8,
    /// Zones for a Full activation.
    pub moves: u8,
    /// Save Roll Value.
    pub save: u8,
    /// Zones that artillery reaches.
    pub range: u8,
    /// Weight of armour.
    pub weight: u8,
    /// Stacking points.
    pub points: u8,
    /// What it is worth.
    pub worth: u8,
    /// Turn before which it may not be activated; 0 for none.
    pub fixed_until: u8,
    /// Turn of arrival; 0 where it starts on the map.
    pub arrives: u8,
    /// Whether it may lead or support an assault.
    pub assaults: bool,
    /// Whether it has a zone of control.
    pub controls: bool,
    /// Whether it helps against tanks.
    pub antitank: bool,
    /// A company, not a battalion.
    pub detachment: bool,
    /// Rule 15.5.
    pub garrison: bool,
}

impl Troop {
    /// Whether it is a headquarters.
    #[inline]
    pub const fn is_hq(&self) -> bool {
        matches!(self.class, Class::Headquarters)
    }

    /// Rule 10.8: LEG battalions and MOT infantry and engineers.
    #[inline]
    pub const fn fords(&self) -> bool {
        match self.mode {
            Mode::Leg => true,
            Mode::Motorized => matches!(self.class, Class::Infantry | Class::Engineers),
            Mode::Mechanized => false,
        }
    }

    /// Rule 12.2: who may assault across an unbridged river.
    #[inline]
    pub const fn crosses_in_boats(&self) -> bool {
        !matches!(self.mode, Mode::Mechanized) && matches!(self.class, Class::Infantry | Class::Engineers)
    }
}

/// What people read of a battalion, and where it begins.
#[derive(Clone, Debug)]
pub struct Paper {
    /// Its word in files and choices.
    pub id: String,
    /// For people.
    pub name: String,
    /// The row of the Battalion Information Table.
    pub kind: String,
    /// Where it starts or may arrive.
    pub zones: Vec<Cell>,
    /// The facing that the file names.
    pub facing: Option<Octant>,
}

/// A division, brigade or combat command. Rule 1.6.
#[derive(Clone, Debug)]
pub struct Formation {
    /// Its word.
    pub id: String,
    /// For people.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// The number of its headquarters among the battalions.
    pub hq: u8,
    /// The turn from which it is supplied by air; 0 for never. Rule 15.4.
    pub air_supply_from: u8,
}

/// A side's supports and its break number.
#[derive(Clone, Debug)]
pub struct SideInfo {
    /// Its code, which is that of a nation.
    pub id: String,
    /// The word of its seat.
    pub word: &'static str,
    /// For people.
    pub name: String,
    /// Allowance of off-map artillery. Rule 8.1.
    pub art: u8,
    /// Allowance of aircraft.
    pub air: u8,
    /// Rule 8.4.
    pub air_from_turn: u8,
    /// Rule 16.6.
    pub opening_bombardment: bool,
    /// Rule 16.2.
    pub break_at: u16,
}

/// An objective, a supply point, or both in one zone. Rule 16.3.
#[derive(Clone, Debug)]
pub struct Key {
    /// Where.
    pub zone: Cell,
    /// For people.
    pub name: String,
    /// Victory points; 0 for a mere supply point.
    pub vp: u8,
    /// The side that it supplies.
    pub supplies: Option<Side>,
    /// Who holds it at the start.
    pub held_by: Side,
}

/// A road.
#[derive(Clone, Debug)]
pub struct Road {
    /// For people.
    pub name: String,
    /// Zones, each next to the one before.
    pub path: Vec<Cell>,
}

/// A river along the edges of zones. Rule 2.6.
#[derive(Clone, Debug)]
pub struct River {
    /// For people.
    pub name: String,
    /// Grid vertices.
    pub path: Vec<(u8, u8)>,
}

/// A bridge at the start. Rule 2.7.
#[derive(Clone, Debug)]
pub struct Bridge {
    /// For people.
    pub name: String,
    /// The zone in the west or north of it.
    pub from: Cell,
    /// The way from there over the bridge: east or south.
    pub way: Octant,
    /// The zone at its other end.
    pub to: Cell,
    /// Whether it stands.
    pub intact: bool,
    /// Rule 14.6.
    pub wired: bool,
    /// Stacking points in a player turn.
    pub capacity: Option<u8>,
}

/// When the aggressor wins. Rule 16.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Victory {
    /// The aggressor wins with at least this many VP at the end.
    pub aggressor_win: u8,
    /// The defender wins if the aggressor has at most this many VP at the end.
    pub defender_win: u8,
    /// The aggressor wins at once with this many VP at a victory check; 0 for never.
    pub sudden: u8,
}

/// A scenario, checked and looked up.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Its word.
    pub id: String,
    /// For people.
    pub name: String,
    /// The day, such as 1944-06-13.
    pub date: String,
    /// Index of the season in [`Tables::seasons`].
    pub season: u8,
    /// The hour of the first turn.
    pub start_hour: u8,
    /// Daytime turns.
    pub turns: u8,
    /// Who attacks.
    pub aggressor: Side,
    /// Who moves first in the first turn, where that is fixed.
    pub first_player: Option<Side>,
    /// Who may use landing water.
    pub landing: Option<Side>,
    /// Rule 15.1.
    pub supply: bool,
    /// What it is about.
    pub summary: String,
    /// What is special about it.
    pub special: Vec<String>,
    /// When the aggressor wins.
    pub victory: Victory,
    /// The zones.
    pub grid: SquareGrid,
    /// By zone.
    pub ground: Vec<Ground>,
    /// Names of zones on the map.
    pub names: Vec<(Cell, String)>,
    /// Roads.
    pub roads: Vec<Road>,
    /// Rivers.
    pub rivers: Vec<River>,
    /// Bridges.
    pub bridges: Vec<Bridge>,
    /// By side.
    pub prepared: [Vec<Cell>; 2],
    /// By side.
    pub mines: [Vec<Cell>; 2],
    /// Objectives first, then mere supply points.
    pub keys: Vec<Key>,
    /// Both sides.
    pub sides: [SideInfo; 2],
    /// Formations.
    pub formations: Vec<Formation>,
    /// The battalions as the rules see them.
    pub troops: Vec<Troop>,
    /// The battalions as people see them.
    pub papers: Vec<Paper>,
    /// By zone: what the rules ask of it.
    pub lay: Vec<Lay>,
    /// By zone: the number of its key, or `NO_KEY`.
    pub key_at: Vec<u8>,
}

/// A zone without objective or supply point in [`Scenario::key_at`].
pub const NO_KEY: u8 = u8::MAX;

/// What never changes of a zone, packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lay {
    /// The zones around it by direction; `NOWHERE` off the map.
    pub near: [Cell; 8],
    /// Its column.
    pub column: u8,
    /// Its row.
    pub row: u8,
    /// Directions in which a road leads on.
    pub roads: u8,
    /// Directions in which a step crosses a river.
    pub rivers: u8,
    /// Rough terrain.
    pub rough: bool,
    /// Nobody may enter.
    pub impassable: bool,
    /// MECH only by road.
    pub marsh: bool,
    /// Landing water.
    pub water: bool,
}

impl Scenario {
    /// Who attacks and who defends, in a line: "United States attacks, Germany defends".
    pub fn who_attacks(&self) -> String {
        let [attacks, defends] =
            [self.aggressor, self.aggressor.enemy()].map(|side| self.sides[side.index()].name.as_str());
        // Of the names of sides only this one is a plural.
        let ending = |name: &str| if name == "Allies" { "" } else { "s" };
        format!("{attacks} attack{}, {defends} defend{}", ending(attacks), ending(defends))
    }

    /// A built-in scenario, read once.
    pub fn builtin(id: &str) -> Option<Arc<Self>> {
        static READ: LazyLock<Vec<Arc<Scenario>>> = LazyLock::new(|| read_all(&SCENARIOS));
        // `villers_bocage` and `03` are as good as `03_villers_bocage`.
        READ.iter()
            .find(|scenario| scenario.id == id)
            .or_else(|| {
                let parts = |scenario: &Scenario| {
                    scenario.id.split_once('_').map(|(a, b)| (a.to_owned(), b.to_owned()))
                };
                READ.iter()
                    .find(|scenario| parts(scenario).is_some_and(|(number, word)| number == id || word == id))
            })
            .cloned()
    }

    /// The same as set-up 1 had it.
    pub fn of_setup_1(id: &str) -> Option<Arc<Self>> {
        static READ: LazyLock<Vec<Arc<Scenario>>> = LazyLock::new(|| read_all(&SETUP_1));
        let now = Self::builtin(id)?;
        Some(READ.iter().find(|then| then.id == now.id).cloned().unwrap_or(now))
    }

    /// Reads a scenario and says what is wrong with it; warnings stand in the problems.
    pub fn read(name: &str, text: &str) -> Result<(Self, Problems), Problems> {
        read::scenario(name, text, Tables::builtin())
    }

    /// The battalion of a word.
    pub fn unit(&self, id: &str) -> Option<u8> {
        self.papers.iter().position(|paper| paper.id == id).map(|at| at as u8)
    }

    /// The side of a code such as `GE`.
    pub fn side(&self, id: &str) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.sides[side.index()].id.eq_ignore_ascii_case(id))
    }

    /// The name that a zone has on the map.
    pub fn zone_name(&self, zone: Cell) -> Option<&str> {
        self.names.iter().find(|(at, _)| *at == zone).map(|(_, name)| name.as_str())
    }

    /// A zone for people: "0705 Villers-Bocage".
    pub fn zone_title(&self, zone: Cell) -> String {
        let number = self.grid.name(zone);
        match self.zone_name(zone) {
            Some(name) => format!("{number} {name}"),
            None => number,
        }
    }

    /// The bridge between a zone and its neighbour in a direction.
    #[inline]
    pub fn bridge_at(&self, zone: Cell, way: Octant) -> Option<usize> {
        self.bridges.iter().position(|bridge| {
            (bridge.from == zone && bridge.way == way) || (bridge.to == zone && bridge.way.opposite() == way)
        })
    }

    /// All VP of the objectives.
    pub fn total_vp(&self) -> u16 {
        self.keys.iter().map(|key| u16::from(key.vp)).sum()
    }
}

fn read_all(texts: &[(&str, &str)]) -> Vec<Arc<Scenario>> {
    let read = |(id, text): &(&str, &str)| {
        let read = Scenario::read(&format!("{id}.toml"), text);
        Arc::new(read.expect("the built-in scenarios are in order").0)
    };
    texts.iter().map(read).collect()
}
