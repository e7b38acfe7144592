//! What happens, as typed lines of the story.

use terrain::{Cell, Octant};

use crate::combat::Sum;
use crate::scenario::Side;
use crate::state::{Job, Verdict};
use crate::tables::Activation;
use crate::units::Units;

/// What becomes of a battalion that is tried by a save. Rules 11.6, 11.9, 12.7, 12.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Fate {
    Shattered,
    Lost,
}

/// A line of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum GameEvent {
    TurnBegins { turn: u8, hour: u8 },
    Initiative { dice: [u8; 2], markers: [u16; 2], low: Option<Side> },
    FirstPlayer { side: Side, fixed: bool },
    Support { side: Side, air: bool, die: u8, gained: bool },
    Bombardment { side: Side, count: u8 },
    PlayerTurn { side: Side },
    Recovery { hq: u8, die: u8, need: u8, back: bool },
    Rally { unit: u8, die: u8, need: u8, back: bool },
    RallyVoice { die: u8, side: Side },
    Returned { unit: u8, zone: Cell },
    Arrived { unit: u8, zone: Cell },
    Activated { group: Units, zone: Cell, die: u8, shift: u8, result: Activation },
    Stood { group: Units, markers: u16 },
    Moved { group: Units, to: Cell, road: bool },
    Faced { zone: Cell, way: Octant },
    Demolition { bridge: u8, die: u8, blown: bool },
    Spared { bridge: u8 },
    Worked { job: Job, die: u8, need: u8, done: bool },
    BridgeBegun { job: Job },
    Strike { side: Side, target: u8, die: u8 },
    AircraftLost { side: Side },
    Reckoning { what: &'static str, sum: Sum },
    Shelled { gun: u8, target: u8, need: u8, die: u8 },
    Assaulted { lead: u8, defender: u8, from: Cell, to: Cell, need: u8, die: u8, night: bool },
    Saved { unit: u8, need: u8, die: u8 },
    Held { unit: u8, markers: u16 },
    Adrift { unit: u8, markers: u16 },
    Retreated { unit: u8, from: Cell, to: Cell },
    PassedThrough { unit: u8, zone: Cell },
    Gone { unit: u8, fate: Fate, markers: u16 },
    Holds { zone: Cell },
    Repulsed { zone: Cell },
    Breakthrough,
    Advanced { unit: u8, to: Cell },
    Taken { key: u8, by: Side, markers: u16 },
    PositionGone { zone: Cell },
    Unsupplied { units: Units },
    Airdrop { unit: u8, die: u8, landed: bool },
    NightDie { hour: u8, die: u8, season: u8, falls: bool },
    NightFalls,
    Dawn,
    Kept { side: Side, die: u8 },
    Rerolled { side: Side, die: u8 },
    Broken { side: Side, tally: u16 },
    Over { verdict: Verdict, vp: u8 },
}
