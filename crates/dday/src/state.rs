//! A position: where every battalion is, what has been done, what is being decided.

use terrain::{Cell, Octant};

use crate::scenario::{MAX_BRIDGES, Side};
use crate::tables::Activation;
use crate::units::Units;

/// No battalion: the end of a stack, or off-map artillery as the primary of a bombardment.
pub const NOBODY: u8 = u8::MAX;

/// A reinforcement that has not arrived. Rule 3.2.
pub const WAITING: Cell = u16::MAX;
/// Off the map, may rally.
pub const SHATTERED: Cell = u16::MAX - 1;
/// Out of the game.
pub const LOST: Cell = u16::MAX - 2;

/// What a battalion has done. Rule 3.4.
pub mod mark {
    /// Has made its one rough step.
    pub const ROUGH: u16 = 1;
    /// Moved in road mode.
    pub const ROAD: u16 = 2;
    /// Left its zone.
    pub const MOVED: u16 = 4;
    /// Has contributed to a combat as attacker.
    pub const DONE: u16 = 8;
    /// Artillery that has fired.
    pub const FIRED: u16 = 16;
    /// Has been a target.
    pub const ATTACKED: u16 = 32;
    /// Has attempted its engineering task.
    pub const WORKED: u16 = 64;
    /// An HQ that has tried to rally; at night a battalion that was tried.
    pub const TRIED: u16 = 128;
    /// Has made its night move.
    pub const NIGHT_MOVED: u16 = 256;
    /// All that the start of the owner's player turn clears.
    pub const OWN: u16 = ROUGH | ROAD | MOVED | DONE | FIRED | ATTACKED | WORKED | TRIED | NIGHT_MOVED;
    /// All that the start of every player turn clears.
    pub const EVERY: u16 = FIRED | ATTACKED;
}

/// A battalion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Battalion {
    /// Its zone, or [`WAITING`], [`SHATTERED`], [`LOST`].
    pub zone: Cell,
    /// What it has done: bits of [`mark`].
    pub marks: u16,
    /// The next battalion of its stack, or [`NOBODY`]; stacks are in the order of numbers.
    pub next: u8,
    /// Movement points left.
    pub mp: u8,
    /// The result of its activation.
    pub result: Activation,
    /// Supply level. Rule 15.2.
    pub unsupplied: u8,
}

impl Battalion {
    /// Whether it is on the map.
    #[inline]
    pub const fn on_map(&self) -> bool {
        self.zone < LOST
    }

    /// Whether a mark is set.
    #[inline]
    pub const fn is(&self, mark: u16) -> bool {
        self.marks & mark != 0
    }
}

/// What changes in a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zone {
    /// The first battalion of its stack, or [`NOBODY`].
    pub top: u8,
    /// Whose stack it is: 0 for nobody, 1 and 2 for the sides. It follows from the stack and is kept for speed.
    pub owner: u8,
    /// The same, where the stack has a zone of control of its own; 0 otherwise. Rule 4.4.
    pub controls: u8,
    /// The facing of the stack. Rule 4.2.
    pub facing: Octant,
    /// Bits of [`work`].
    pub works: u8,
    /// Directions in which an intact bridge leads.
    pub spans: u8,
}

/// What lies in a zone.
pub mod work {
    /// A prepared position of the first side; the second side's is the next bit.
    pub const PREPARED: u8 = 1;
    /// A minefield of the first side; the second side's is the next bit.
    pub const MINES: u8 = 4;
    /// Its roads are blocked.
    pub const BLOCKED: u8 = 16;
    /// Its facing was set once more this turn.
    pub const TURNED: u8 = 32;
    /// It was assaulted in this combat phase.
    pub const PINNED: u8 = 64;
    /// What the start of a player turn clears.
    pub const PASSING: u8 = TURNED | PINNED;
}

/// What is decided now. Names follow the chapters of the rulebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Stage {
    Initiative,
    Order,
    Supports,
    Recovery,
    RecoveryZone,
    Rally,
    RallyDie,
    RallyVoice,
    RallyPick,
    RallyZone,
    Movement,
    Group,
    ActivationDie,
    Fallback,
    March,
    Demolition,
    DemolitionDie,
    Turning,
    Engineering,
    EngineeringDie,
    Combat,
    StrikeDie,
    StrikeSave,
    RangedTarget,
    RangedFire,
    RangedDie,
    RangedSave,
    RangedResult,
    GunnerSave,
    GunnerResult,
    LimitedAdvance,
    LimitedGroup,
    AssaultLead,
    AssaultForce,
    AssaultAnswer,
    AssaultFire,
    AssaultDie,
    DefenderSave,
    AttackerSave,
    Retreat,
    Advance,
    AdvanceMarch,
    NewAssault,
    Airdrop,
    NightDie,
    NightMoves,
    Raids,
    Over,
    /// The other side's aircraft strike at the end of a combat phase.
    Interdiction,
}

/// What happens when all retreats are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum After {
    #[default]
    Fallback,
    Fire,
    Gunner,
    Won,
    Repulsed,
}

/// Supports that a side puts into a combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Fire {
    /// Artillery on the map.
    pub guns: Units,
    /// Off-map artillery.
    pub corps: u8,
    /// Aircraft.
    pub air: u8,
}

impl Fire {
    /// How many in all.
    #[inline]
    pub const fn count(&self) -> u8 {
        self.guns.len() + self.corps + self.air
    }
}

/// An engineering task. Rule 14.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum Task {
    #[default]
    Prepare,
    Bridge,
    Repair,
    Blow,
    Mine,
    ClearMines,
    Block,
    ClearRoad,
}

impl Task {
    /// All, in the order of the table.
    pub const ALL: [Self; 8] = [
        Self::Prepare,
        Self::Bridge,
        Self::Repair,
        Self::Blow,
        Self::Mine,
        Self::ClearMines,
        Self::Block,
        Self::ClearRoad,
    ];

    /// Its word in choices.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Prepare => "prepare",
            Self::Bridge => "bridge",
            Self::Repair => "repair",
            Self::Blow => "blow",
            Self::Mine => "mine",
            Self::ClearMines => "clear-mines",
            Self::Block => "block-road",
            Self::ClearRoad => "clear-road",
        }
    }

    /// Whether it is done to the edge between two zones.
    #[inline]
    pub const fn at_edge(self) -> bool {
        matches!(self, Self::Bridge | Self::Repair | Self::Blow)
    }
}

/// A job: a task, and where. Jobs at an edge name the zone beyond it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Job {
    /// Who.
    pub unit: u8,
    /// What.
    pub task: Task,
    /// Where: the zone, or the zone on the other bank.
    pub zone: Cell,
}

/// The most zones that a battalion can leave in one retreat, including the first. Ruling R34.
pub const PASSES: usize = 12;

/// What is under way: a group, a march, a fight, retreats. Only the fields of the current stage mean something; all others
/// are at rest, so that equal positions are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action {
    /// The primary: attacker, gun ([`NOBODY`] for off-map), HQ that rallies, battalion that marches alone.
    pub lead: u8,
    /// The other: target, primary defender, battalion that is rallied.
    pub foe: u8,
    /// The attacking zone, or where the group is.
    pub from: Cell,
    /// The defending zone, or where the group wants to go.
    pub to: Cell,
    /// The group, or the in-zone supports.
    pub group: Units,
    /// Contributors of supporting zones.
    pub joined: Units,
    /// Fire of the active side and of the other.
    pub fire: [Fire; 2],
    /// Zones that may still be gone.
    pub steps: u8,
    /// The march is in road mode.
    pub road: bool,
    /// A zone has been left.
    pub begun: bool,
    /// The march can go no further.
    pub stopped: bool,
    /// The step that waits for a demolition follows the road in road mode.
    pub by_road: bool,
    /// Battalions that must retreat.
    pub queue: Units,
    /// What they retreat from.
    pub threat: Cell,
    /// What comes after the retreats.
    pub after: After,
    /// The retreating battalion that found a zone full and passes on.
    pub passing: u8,
    /// The zones that it has passed through.
    pub passed: [Cell; PASSES],
    /// How many of them.
    pub passes: u8,
    /// The defender was lost: a breakthrough. Rule 13.4.
    pub breakthrough: bool,
    /// This is the new assault of a breakthrough, or a raid: how far the chain has come.
    pub chain: u8,
    /// Battalions that have advanced in a breakthrough.
    pub through: Units,
    /// An engineering job.
    pub job: Job,
}

impl Default for Action {
    fn default() -> Self {
        Self {
            lead: NOBODY,
            foe: NOBODY,
            from: WAITING,
            to: WAITING,
            group: Units::EMPTY,
            joined: Units::EMPTY,
            fire: [Fire::default(); 2],
            steps: 0,
            road: false,
            begun: false,
            stopped: false,
            by_road: false,
            queue: Units::EMPTY,
            threat: WAITING,
            after: After::default(),
            passing: NOBODY,
            passed: [WAITING; PASSES],
            passes: 0,
            breakthrough: false,
            chain: 0,
            through: Units::EMPTY,
            job: Job::default(),
        }
    }
}

/// How a game ended. Rule 16.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Verdict {
    AggressorBreak,
    AggressorSudden,
    AggressorPoints,
    DefenderBreak,
    DefenderPoints,
    DrawPoints,
    DrawBroken,
}

impl Verdict {
    /// All.
    pub const ALL: [Self; 7] = [
        Self::AggressorBreak,
        Self::AggressorSudden,
        Self::AggressorPoints,
        Self::DefenderBreak,
        Self::DefenderPoints,
        Self::DrawPoints,
        Self::DrawBroken,
    ];
}

/// A bridge that was begun and needs a second success. Rule 14.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Begun {
    /// The zone in the west or north of the edge.
    pub from: Cell,
    /// Whether the edge is its southern one; its eastern one otherwise.
    pub south: bool,
    /// The half turn of the success, so that a second one in the same turn does not count.
    pub when: u8,
}

/// The most bridges under construction at once.
pub const MAX_BEGUN: usize = 16;

/// A position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The battalions by number.
    pub units: Box<[Battalion]>,
    /// The zones.
    pub zones: Box<[Zone]>,
    /// What is under way.
    pub act: Action,
    /// Bridges that were begun; those not in use stand at rest.
    pub begun: [Begun; MAX_BEGUN],
    /// Stacking points that have crossed each bridge in this player turn.
    pub crossed: [u8; MAX_BRIDGES],
    /// Who holds each objective and supply point: a bit is set for the second side.
    pub held: u32,
    /// Bridges that are still wired.
    pub wired: u16,
    /// Wired bridges whose owner let the enemy step on them.
    pub spared: u16,
    /// Formations that have raided this night.
    pub raided: u64,
    /// Markers that count for the next initiative. Rule 7.
    pub markers: [u16; 2],
    /// All markers ever taken. Rule 16.2.
    pub tally: [u16; 2],
    /// Off-map artillery at hand.
    pub art: [u8; 2],
    /// Aircraft at hand.
    pub air: [u8; 2],
    /// Aircraft shot down: the allowance is smaller by them.
    pub air_lost: [u8; 2],
    /// Free rerolls left. Rule 19.1.
    pub rerolls: [u8; 2],
    /// The daytime turn, from 1.
    pub turn: u8,
    /// The hour of the clock.
    pub clock: u8,
    /// What is decided.
    pub stage: Stage,
    /// Whose player turn it is.
    pub side: Side,
    /// Player A of this turn.
    pub first: Side,
    /// Whether it is night.
    pub night: bool,
    /// A die that was rolled and may be rolled again; 0 for none. Rule 19.1.
    pub die: u8,
    /// Dice of initiative; attempts left where supports are rolled.
    pub dice: [u8; 2],
    /// How it ended.
    pub verdict: Option<Verdict>,
}
