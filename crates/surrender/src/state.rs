//! A position: flat, `Copy`, without pointers.

use crate::frame::Frame;
use crate::ids::{CITIES, COUNTRIES, City, Country, Faction, LANDS, Node, Place, Side, UNITS, UnitId};
use crate::markers::{Marker, SLOTS};
use crate::tables::{CombatResult, DIPLOMATS, Weather};
use crate::tracked::Tracked;

/// The supply state of a unit. Rule 7.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Supply {
    /// Full.
    Full = 0,
    /// Low: half the movement points, −2.
    Low = 1,
    /// None: half the movement points, halved rolls, losses.
    No = 2,
}

impl Supply {
    /// One level below.
    pub const fn below(self) -> Self {
        match self {
            Self::Full => Self::Low,
            _ => Self::No,
        }
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Full => "Full",
            Self::Low => "Low",
            Self::No => "No",
        }
    }
}

/// Bits of [`Unit::flags`].
pub mod flag {
    /// A ground unit was activated in this Actions Sub-Phase.
    pub const DONE: u16 = 1;
    /// An air or naval unit has made its plain move (4.5, 4.6).
    pub const MOVED: u16 = 2;
    /// A result has ended its activation (3.1).
    pub const ENDED: u16 = 4;
    /// It moved in the Strategic Movement Phase and may not be activated (4.8).
    pub const RAILED: u16 = 8;
    /// It was attacked in the sub-phase of a Surprise Attack (ruling 55).
    pub const HIT: u16 = 16;
    /// It has landed in this turn and counts as Full (6.4).
    pub const ASHORE: u16 = 32;
    /// It was dropped in this sub-phase (6.8).
    pub const DROPPED: u16 = 64;
    /// It has made its Bombing Run (6.7).
    pub const BOMBED: u16 = 128;
    /// A replacement was bought for it in this turn; air and naval units have two (8.1).
    pub const REPLACED: u16 = 256;
    /// The second replacement.
    pub const REPLACED_TWICE: u16 = 512;
    /// It is settled in the Supply Check under way.
    pub const CHECKED: u16 = 1024;
    /// A convoy that has served a sea link in this check (7.4).
    pub const LINKED: u16 = 2048;
    /// It belongs to the United Kingdom: Free French, `GRE-CR`, `UK-POL` (13.4).
    pub const FREE: u16 = 4096;
    /// Its arrival is being waited for with the variable timeline, die by die.
    pub const LATE: u16 = 8192;
}

/// A unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Unit {
    /// Where it is.
    pub place: Place,
    /// Ground units: 0 full, 1 reduced. Air and naval units: Sorties, 0 to 6.
    pub level: u8,
    /// Its supply.
    pub supply: Supply,
    /// See [`flag`].
    pub flags: u16,
}

impl Unit {
    /// A unit that has not come yet.
    pub const LATER: Self = Self { place: Place::LATER, level: 0, supply: Supply::Full, flags: 0 };

    /// Whether a flag is set.
    #[inline]
    pub const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }

    /// Whether it is on the map or in a Map Box.
    #[inline]
    pub const fn on_map(&self) -> bool {
        self.place.on_map()
    }
}

/// How a country stands. Rule 2.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Status {
    /// Neutral: its hexes are closed, its units do not exist.
    Neutral,
    /// In a faction, or Lone.
    Active,
    /// Conquered by a side.
    Conquered,
    /// The USA before its entry.
    Pending,
    /// Vichy France before it exists, and countries that are not in play.
    Absent,
}

/// A country.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CountryState {
    /// How it stands.
    pub status: Status,
    /// Its side if it is active, its conqueror if it is conquered, else nobody.
    pub side: Side,
    /// National Will.
    pub will: i16,
    /// Production points left in this turn.
    pub points: i16,
    /// The faction whose Pro-marker lies there.
    pub pro: Option<Faction>,
    /// Extra Factories.
    pub extra: u8,
    /// See [`fate`].
    pub fates: u8,
}

/// Bits of [`CountryState::fates`]: what has happened to a country.
pub mod fate {
    /// It has collapsed at least once.
    pub const COLLAPSED: u8 = 1;
    /// No income in the next Economy Phase (13.2).
    pub const CRISIS: u8 = 2;
    /// Germany has had its National Will for it (+8 or +16, once).
    pub const PAID: u8 = 4;
    /// It was an active Western or Soviet country when the Axis conquered it (5.4).
    pub const WAS_ALLIED: u8 = 8;
    /// It has been an Axis country (ranking of the Allies).
    pub const WAS_AXIS: u8 = 16;
    /// It has been set up: units that came by date before do so no more.
    pub const SET_UP: u8 = 32;
    /// France has fallen once: its Overseas Areas and its fleet have been rolled for (ruling 112).
    pub const FELL: u8 = 64;
    /// The Axis has conquered it, once at least (ranking of the Allies).
    pub const FELL_TO_AXIS: u8 = 128;
}

/// The phases of a turn. Rule 1.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Phase {
    /// 1: Weather.
    Weather,
    /// 2: Declare War.
    DeclareWar,
    /// 3: Economy.
    Economy,
    /// 4: Strategic Warfare.
    Strategic,
    /// 5: Strategic Movement.
    Rail,
    /// 6: Operations, Actions Sub-Phase.
    Actions,
    /// 6: Operations, Supply Check Sub-Phase.
    Supply,
    /// 7: No Supply.
    NoSupply,
    /// 8: Replacements.
    Replacements,
    /// 9: Upgrade.
    Upgrade,
    /// 10: Mobilization.
    Mobilization,
    /// 11: Diplomacy.
    Diplomacy,
    /// 12: Victory Check.
    Victory,
    /// 13: End of Turn.
    EndOfTurn,
}

/// What a side has decided in step 2 of a combat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Commitment {
    /// Not yet.
    Open,
    /// Will Commit.
    Will,
    /// Will Not Commit.
    WillNot,
}

/// How ground is attacked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Manner {
    /// A Mobile attack (4.4).
    Mobile,
    /// An Assault (6.3).
    Assault,
    /// The Assault of an Amphibious Invasion (6.4).
    Landing,
}

/// How far a ground combat has come: what is done when it goes on. Rule 5.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Stage {
    /// ULTRA or Maskirovka.
    Tricks,
    /// The commit markers.
    Commit,
    /// What is committed is named.
    Items,
    /// Air Support, contested or not.
    Air,
    /// The dice.
    Dice,
    /// The result.
    Result,
    /// It is over.
    Over,
}

/// A ground combat under way. Index 0 is the attacker, 1 the defender.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fight {
    /// How far it has come.
    pub stage: Stage,
    /// How it is fought.
    pub manner: Manner,
    /// The Primary Attacker.
    pub primary: UnitId,
    /// The Additional Attackers.
    pub more: [UnitId; 2],
    /// The defender.
    pub defender: UnitId,
    /// The defender's hex.
    pub hex: Place,
    /// What each side has decided.
    pub will: [Commitment; 2],
    /// The air units committed.
    pub air: [UnitId; 2],
    /// The markers committed, as bits of [`Marker`].
    pub markers: [u32; 2],
    /// Who has Air Support.
    pub support: [bool; 2],
    /// Whether a warship gives Naval Support.
    pub naval_support: bool,
    /// Passes in a row while items are named.
    pub passes: u8,
    /// Whose turn it is to name an item: 0 or 1.
    pub naming: u8,
    /// The dice.
    pub dice: [u8; 2],
    /// The result, once rolled.
    pub result: Option<CombatResult>,
    /// Whether the defender's hex was left.
    pub vacated: bool,
}

impl Fight {
    /// No combat.
    pub const NONE: Self = Self {
        stage: Stage::Tricks,
        manner: Manner::Mobile,
        primary: UnitId::NONE,
        more: [UnitId::NONE; 2],
        defender: UnitId::NONE,
        hex: Place::NONE,
        will: [Commitment::Open; 2],
        air: [UnitId::NONE; 2],
        markers: [0; 2],
        support: [false; 2],
        naval_support: false,
        passes: 0,
        naming: 0,
        dice: [0; 2],
        result: None,
        vacated: false,
    };
}

/// Why an air or naval combat is fought. Rule 5.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Occasion {
    /// Both sides committed an air unit to a ground combat.
    AirSupport,
    /// An Air Strike.
    Strike,
    /// An interceptor against the escort of a mission.
    Escort,
    /// An interceptor against the mission itself.
    Interdiction,
}

/// An air or naval combat under way. Index 0 is the attacker, 1 the defender.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Duel {
    /// Why.
    pub occasion: Occasion,
    /// The two units.
    pub units: [UnitId; 2],
    /// Where: a hex, or none at sea.
    pub hex: Place,
    /// Where at sea.
    pub zone: Node,
    /// Markers used, as bits of [`Marker`].
    pub markers: [u32; 2],
    /// The dice.
    pub dice: [u8; 2],
    /// The result, once rolled.
    pub result: Option<CombatResult>,
}

impl Duel {
    /// No combat.
    pub const NONE: Self = Self {
        occasion: Occasion::Strike,
        units: [UnitId::NONE; 2],
        hex: Place::NONE,
        zone: Node::NONE,
        markers: [0; 2],
        dice: [0; 2],
        result: None,
    };
}

/// What an air or naval unit is about to do that can be intercepted, or is named step by step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Errand {
    /// Nothing.
    None,
    /// A plain naval move (4.6).
    Sail,
    /// A Naval Transport (4.7).
    Transport,
    /// An Amphibious Invasion (6.4).
    Invasion,
    /// A Bombing Run (6.7).
    Bombing,
    /// An Airdrop (6.8).
    Airdrop,
    /// A sea link of the Supply Check (7.4).
    Link,
}

/// How far a mission has come. Rule 6.9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum MissionStep {
    /// It is being named, or an escort may be named.
    Escort,
    /// Enemies may intercept.
    Intercept,
    /// The interceptor fights the escort.
    Guarded,
    /// The escort has failed: an invasion may be called off, the interceptor may go on.
    Exposed,
    /// The interceptor fights the mission unit.
    Attacked,
    /// It takes effect.
    Effect,
    /// A landing is fought for.
    Ashore,
    /// Nothing is left to do.
    Over,
}

/// The longest path over sea that can be needed.
pub const PATH: usize = 16;

/// A mission under way. Rule 6.9.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Mission {
    /// What it is.
    pub errand: Errand,
    /// The ship or aircraft.
    pub unit: UnitId,
    /// The unit aboard, or the airborne unit.
    pub passenger: UnitId,
    /// Where it starts.
    pub from: Place,
    /// Where it goes.
    pub to: Place,
    /// The Sea Zones and boxes it passes, in order; unused ones are none.
    pub path: [Node; PATH],
    /// The escort.
    pub escort: UnitId,
    /// The interceptor.
    pub interceptor: UnitId,
    /// Where the interceptor meets it at sea.
    pub zone: Node,
    /// Factions that have been asked to intercept, as bits.
    pub asked: u8,
    /// Whether the escort has failed.
    pub escort_failed: bool,
    /// Whether the mission unit has fought.
    pub fought: bool,
    /// Whether it was interdicted (5.2).
    pub interdicted: bool,
    /// Additional Attackers of a landing.
    pub more: [UnitId; 2],
    /// How far it has come.
    pub step: MissionStep,
}

impl Mission {
    /// No mission.
    pub const NONE: Self = Self {
        errand: Errand::None,
        unit: UnitId::NONE,
        passenger: UnitId::NONE,
        from: Place::NONE,
        to: Place::NONE,
        path: [Node::NONE; PATH],
        escort: UnitId::NONE,
        interceptor: UnitId::NONE,
        zone: Node::NONE,
        asked: 0,
        escort_failed: false,
        fought: false,
        interdicted: false,
        more: [UnitId::NONE; 2],
        step: MissionStep::Escort,
    };
}

/// The activation of a ground unit under way. Rule 6.2.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Activation {
    /// The unit.
    pub unit: UnitId,
    /// Movement points left.
    pub points: u8,
    /// Whether it has moved or attacked: a unit that has not may make a minimum move (4.2).
    pub begun: bool,
}

impl Activation {
    /// No activation.
    pub const NONE: Self = Self { unit: UnitId::NONE, points: 0, begun: false };
}

/// A Supply Check under way. Rule 7.1.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SupplyCheck {
    /// Sea links (0), Limited sources (1), Air Transport (2), the rest (3).
    pub step: u8,
    /// The Limited source that is looked at, as a city.
    pub source: u8,
    /// How many units it has fed.
    pub fed: u8,
    /// The convoy of the sea link that is being made.
    pub convoy: UnitId,
    /// Its two ends: where the convoy is, and the other.
    pub ends: [Place; 2],
}

impl SupplyCheck {
    /// No Supply Check.
    pub const NONE: Self = Self { step: 0, source: 0, fed: 0, convoy: UnitId::NONE, ends: [Place::NONE; 2] };
}

/// Conditional events that have occurred (13.5), as bits of [`State::events`].
pub mod event {
    /// East Invaded.
    pub const EAST: u8 = 1;
    /// West Invaded.
    pub const WEST: u8 = 2;
    /// Mediterranean Crisis.
    pub const MEDITERRANEAN: u8 = 4;
    /// USSR Northern Border.
    pub const NORTH: u8 = 8;
    /// USSR Southern Border.
    pub const SOUTH: u8 = 16;
    /// USA Entry.
    pub const USA: u8 = 32;
}

/// Bits of [`State::notes`]: small facts about the turn or the sub-phase.
pub mod note {
    /// The Axis has attacked or entered a hex that a hook of the scenario watches, in this turn.
    pub const INVADED: u16 = 1;
    /// A Surprise Attack is on in this Actions Sub-Phase.
    pub const SURPRISE: u16 = 2;
    /// Weser Exercise is on in this Actions Sub-Phase.
    pub const WESER: u16 = 4;
    /// Something was done in this Actions Sub-Phase: markers that come first are not offered any more.
    pub const BEGUN: u16 = 8;
    /// West Invaded has just occurred: its French units come at the end of the Axis Operations Phase.
    pub const FRENCH_DUE: u16 = 16;
    /// The Low Countries of the scenario France 1940 are still neutral.
    pub const LOW_COUNTRIES: u16 = 32;
    /// Trade Agreement of the Axis, due in the next Economy Phase; the two bits after it are the West's and the Soviets'.
    pub const TRADE: u16 = 64;
    /// The Lone countries' part of the Western Supply Check is under way.
    pub const LONE_CHECK: u16 = 512;
    /// Italy has fallen while in the Axis; its hexes did not change hands (13.4).
    pub const ITALY_FELL: u16 = 1024;
    /// What comes at the end of a faction's Operations Phase has been seen to.
    pub const OPERATIONS_ENDED: u16 = 2048;
}

/// How many Partisans markers can lie on the map.
pub const PARTISANS: usize = 4;
/// How many Atlantic Wall forts there can be.
pub const WALLS: usize = 4;
/// How deep questions can be nested.
pub const FRAMES: usize = 16;
/// Words of a set of hexes.
pub const HEX_WORDS: usize = LANDS.div_ceil(64);
/// Changes of units that are remembered: a Supply Check settles most units of a side one after the other.
const UNIT_CHANGES: usize = 64;

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// The units.
    pub units: Tracked<[Unit; UNITS], UNIT_CHANGES>,
    /// The ground unit in each hex.
    pub ground: Tracked<[UnitId; LANDS]>,
    /// The air unit, warship and convoy in each city or port, by [`crate::world::Slot`].
    pub bases: Tracked<[[UnitId; 3]; CITIES]>,
    /// Who controls each hex.
    pub control: Tracked<[Side; LANDS]>,
    /// The countries.
    pub countries: [CountryState; COUNTRIES],
    /// Hexes with a No EZOC marker, as bits.
    pub no_ezoc: [u64; HEX_WORDS],
    /// Markers in hand that can be used, by slot (see [`crate::Rules::slot`]).
    pub ready: [u8; SLOTS],
    /// Markers used in this turn that come back at its end.
    pub spent: [u8; SLOTS],
    /// Diplomacy Cup.
    pub cup: [u8; DIPLOMATS],
    /// Diplomacy Cup Holding Box.
    pub holding: [u8; DIPLOMATS],
    /// Factories with a Bombed marker, as bits of cities.
    pub bombed: [u64; CITIES.div_ceil(64)],
    /// Factories closed for good (9.1), as bits of cities.
    pub closed: [u64; CITIES.div_ceil(64)],
    /// Partisans on the map: hex and whose.
    pub partisans: [(Place, Faction); PARTISANS],
    /// Atlantic Wall forts, and forts that a scenario places.
    pub walls: [Place; WALLS],
    /// The Mulberry and the last turn it serves.
    pub mulberry: (Place, u8),
    /// The turn: September 1939 is 0.
    pub turn: u8,
    /// The phase.
    pub phase: Phase,
    /// Whose turn it is inside the phase.
    pub acting: Faction,
    /// The next step of the sequence of play, as an index into its schedule (see `flow`).
    pub next: u8,
    /// Weather by zone: Cold, Mild, Warm, Desert.
    pub weather: [Weather; 4],
    /// Whether Axis and West are at war (Appeasement has ended).
    pub war_west: bool,
    /// Whether Axis and Soviets are at war (the Pact has ended).
    pub war_east: bool,
    /// Evaluations of the Pact so far.
    pub evaluations: u8,
    /// Conditional events that have occurred; see [`event`].
    pub events: u8,
    /// Small facts; see [`note`].
    pub notes: u16,
    /// The turn of East Invaded.
    pub east_turn: u8,
    /// The turn in which the USA activates; `u8::MAX` while unknown.
    pub usa_turn: u8,
    /// For each faction the turn in which its Surprise Attack marker comes or came; `u8::MAX` while it is in the Holding Box.
    pub surprise: [u8; 3],
    /// Fac Lost of Germany, the UK and the USSR.
    pub fac_lost: [u8; 3],
    /// Soviet Factories on their way: how many arrive this turn, next turn, and in two turns.
    pub relocating: [u8; 3],
    /// Disputed Areas that were ceded, as bits.
    pub ceded: u8,
    /// French Overseas Areas that are Vichy's, as bits of [`crate::World::areas`].
    pub vichy: u32,
    /// Amphibious Invasions begun in this sub-phase.
    pub landings: u8,
    /// Strategic Moves that each country has made in this phase.
    pub railed: [u8; COUNTRIES],
    /// Entries of the historical politics that have happened, as bits.
    pub history: u64,
    /// Countries whose National Will has to be looked at, as bits (13.2).
    pub collapsing: u32,
    /// The side whose act caused the last loss of National Will (13.3).
    pub last_blow: Side,
    /// The ground activation under way.
    pub activation: Activation,
    /// The ground combat under way.
    pub fight: Fight,
    /// The air or naval combat under way.
    pub duel: Duel,
    /// The mission under way.
    pub mission: Mission,
    /// The Supply Check under way.
    pub check: SupplyCheck,
    /// What is to be decided, the innermost last.
    pub frames: [Frame; FRAMES],
    /// How many frames there are.
    pub depth: u8,
    /// The result of the scenario that was reached, once one is (see `victory`).
    pub verdict: Option<u8>,
    /// Standing answers of this month, as bits (see [`crate::standing::Reaction`]; ruling 134).
    pub standing: u8,
}

impl State {
    /// A unit.
    #[inline]
    pub const fn unit(&self, unit: UnitId) -> &Unit {
        &self.units.get()[unit.index()]
    }

    /// A unit, to be changed.
    #[inline]
    pub fn unit_mut(&mut self, unit: UnitId) -> &mut Unit {
        &mut self.units[unit.index()]
    }

    /// Takes flags away from all units that have them.
    pub fn clear_flags(&mut self, flags: u16) {
        for at in 0..UNITS {
            if self.units.get()[at].has(flags) {
                self.units[at].flags &= !flags;
            }
        }
    }

    /// A country.
    #[inline]
    pub const fn country(&self, country: Country) -> &CountryState {
        &self.countries[country.index()]
    }

    /// A country, to be changed.
    #[inline]
    pub const fn country_mut(&mut self, country: Country) -> &mut CountryState {
        &mut self.countries[country.index()]
    }

    /// The ground unit in a hex.
    #[inline]
    pub const fn ground_at(&self, hex: Place) -> Option<UnitId> {
        self.ground.get()[hex.index()].some()
    }

    /// Who controls a hex.
    #[inline]
    pub const fn controller(&self, hex: Place) -> Side {
        self.control.get()[hex.index()]
    }

    /// Whether two sides are at war. Rule 1.1.
    #[inline]
    pub const fn at_war(&self, one: Side, other: Side) -> bool {
        match (one, other) {
            (Side::Axis, Side::Western) | (Side::Western, Side::Axis) => self.war_west,
            (Side::Axis, Side::Soviet) | (Side::Soviet, Side::Axis) => self.war_east,
            (Side::Lone, Side::Soviet) | (Side::Soviet, Side::Lone) => true,
            _ => false,
        }
    }

    /// The sides with which a side is at war, as bits of [`Side::index`].
    #[inline]
    pub const fn enemies(&self, side: Side) -> u8 {
        let (west, east) = (self.war_west as u8, self.war_east as u8);
        match side {
            Side::Axis => west << Side::Western as u8 | east << Side::Soviet as u8,
            Side::Western => west << Side::Axis as u8,
            Side::Soviet => east << Side::Axis as u8 | 1 << Side::Lone as u8,
            Side::Lone => 1 << Side::Soviet as u8,
            Side::Nobody => 0,
        }
    }

    /// What is to be decided or done now.
    #[inline]
    pub const fn frame(&self) -> Frame {
        self.frames[self.depth as usize - 1]
    }

    /// Something comes before everything else.
    #[inline]
    pub fn push(&mut self, frame: Frame) {
        self.frames[usize::from(self.depth)] = frame;
        self.depth += 1;
    }

    /// What was to be decided or done is over.
    #[inline]
    pub fn pop(&mut self) {
        self.depth -= 1;
        // A finished frame must leave no trace: two positions that are the same are equal.
        self.frames[usize::from(self.depth)] = Frame::Flow;
    }

    /// Something else comes in place of the innermost frame.
    #[inline]
    pub const fn become_frame(&mut self, frame: Frame) {
        self.frames[self.depth as usize - 1] = frame;
    }

    /// Whether a conditional event has occurred.
    #[inline]
    pub const fn occurred(&self, event: u8) -> bool {
        self.events & event != 0
    }

    /// Whether a small fact holds.
    #[inline]
    pub const fn noted(&self, note: u16) -> bool {
        self.notes & note != 0
    }

    /// Whether a Factory has a Bombed marker.
    #[inline]
    pub const fn is_bombed(&self, city: City) -> bool {
        self.bombed[city.index() / 64] >> (city.index() % 64) & 1 != 0
    }

    /// Whether a Factory was closed for good.
    #[inline]
    pub const fn is_closed_down(&self, city: City) -> bool {
        self.closed[city.index() / 64] >> (city.index() % 64) & 1 != 0
    }

    /// Whether there is a No EZOC marker.
    #[inline]
    pub const fn has_no_ezoc(&self, hex: Place) -> bool {
        self.no_ezoc[hex.index() / 64] >> (hex.index() % 64) & 1 != 0
    }

    /// Whether the Pact is in force.
    #[inline]
    pub const fn pact(&self) -> bool {
        !self.war_east
    }

    /// Whether a marker was committed by a side of the ground combat.
    #[inline]
    pub const fn has_committed(&self, side: usize, marker: Marker) -> bool {
        self.fight.markers[side] >> marker.index() & 1 != 0
    }
}

impl State {
    /// A position without units in which nobody controls anything and every country is neutral; the set-up and tests fill
    /// it. It waits at the first step of its turn.
    pub const fn blank(turn: u8) -> Self {
        let country = CountryState {
            status: Status::Neutral,
            side: Side::Nobody,
            will: 0,
            points: 0,
            pro: None,
            extra: 0,
            fates: 0,
        };
        Self {
            units: Tracked::new([Unit::LATER; UNITS]),
            ground: Tracked::new([UnitId::NONE; LANDS]),
            bases: Tracked::new([[UnitId::NONE; 3]; CITIES]),
            control: Tracked::new([Side::Nobody; LANDS]),
            countries: [country; COUNTRIES],
            no_ezoc: [0; HEX_WORDS],
            ready: [0; SLOTS],
            spent: [0; SLOTS],
            cup: [0; DIPLOMATS],
            holding: [0; DIPLOMATS],
            bombed: [0; CITIES.div_ceil(64)],
            closed: [0; CITIES.div_ceil(64)],
            partisans: [(Place::NONE, Faction::Axis); PARTISANS],
            walls: [Place::NONE; WALLS],
            mulberry: (Place::NONE, 0),
            turn,
            phase: Phase::Weather,
            acting: Faction::Axis,
            next: 0,
            weather: [Weather::Fair; 4],
            war_west: true,
            war_east: false,
            evaluations: 0,
            events: 0,
            notes: 0,
            east_turn: u8::MAX,
            usa_turn: u8::MAX,
            surprise: [u8::MAX; 3],
            fac_lost: [1; 3],
            relocating: [0; 3],
            ceded: 0,
            vichy: 0,
            landings: 0,
            railed: [0; COUNTRIES],
            history: 0,
            collapsing: 0,
            last_blow: Side::Nobody,
            activation: Activation::NONE,
            fight: Fight::NONE,
            duel: Duel::NONE,
            mission: Mission::NONE,
            check: SupplyCheck::NONE,
            frames: [Frame::Flow; FRAMES],
            depth: 1,
            verdict: None,
            standing: 0,
        }
    }
}
