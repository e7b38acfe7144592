//! A position of the game. Rule 1.0.

use std::hash::{Hash, Hasher};

use crate::book::Verdict;
use crate::ids::{Region, Regions, Side, Track};

/// What the game waits for: first the draws of Fate, then the decisions of the human, the ends, and the decisions that came
/// with rules 3. The order is what makes [`Phase::is_fate`] quick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Phase {
    /// Fate: the Die Roll Chart. Rule 3.1.
    Chart,
    /// Fate: the box of a table. Rule 3.2.
    BoxDie,
    /// Fate: an attack. Rule 2.3.3.
    AttackDie,
    /// Fate: an attack rolled again.
    RerollDie,
    /// Fate: a die inside a box. Rule 7.3.
    BranchDie,
    /// Fate: the Allied die of a Major Conflict. Rule 3.4.1.
    ConflictAllies,
    /// Fate: the Axis die of a Major Conflict. Rule 3.4.1.
    ConflictAxis,
    /// Fate: the Confidence Chart. Rule 3.5.
    ConfidenceDie,
    /// Human: spend an Action. Rule 3.3.3.
    Action,
    /// Human: make a free attack. Rule 3.3.3.
    FreeAttack,
    /// Human: where to advance. Rules 3.3.3, 3.4.3.
    PickAdvance,
    /// Human: which option. Rule 7.3.
    PickOption,
    /// Human: Tide of War window A. Rule 2.5.2.
    Opened,
    /// Human: Tide of War window B before an attack. Rule 2.5.3.
    BeforeAttack,
    /// Human: Tide of War window B before a Major Conflict. Rule 2.5.3.
    BeforeConflict,
    /// Human: Tide of War window D. Rule 2.5.5.
    AfterAttack,
    /// The game is over.
    Over,
    /// A procedure that was run alone is done (worked examples).
    Halted,
    /// Human: Tide of War window D after the dice of a Major Conflict. Rule 2.5.5. What follows came with rules 3; the
    /// numbers of the others stand in the digests of older matches.
    AfterConflict,
    /// Human: Tide of War window E before an `If`. Rule 2.5.7.
    BeforeTest,
    /// Human: Tide of War window E before the bot picks a region to attack. Rule 2.5.7.
    BeforePick,
    /// Human: Tide of War window E before uses are lost. Rule 2.5.7.
    BeforeLoss,
}

impl Phase {
    /// Whether Fate chooses.
    #[inline]
    pub const fn is_fate(self) -> bool {
        (self as u8) < Self::Action as u8
    }

    /// Whether it is a Tide of War window that can be declined.
    #[inline]
    pub const fn is_window(self) -> bool {
        matches!(self, Self::Opened | Self::BeforeAttack | Self::BeforeConflict | Self::AfterAttack)
            || self.is_late()
    }

    /// Whether it is one of the windows that came with rules 3.
    #[inline]
    pub const fn is_late(self) -> bool {
        self as u8 >= Self::AfterConflict as u8
    }

    /// Whether nobody chooses any more.
    #[inline]
    pub const fn is_over(self) -> bool {
        matches!(self, Self::Over | Self::Halted)
    }
}

/// A position: what stands on the sheet, and where in the turn the game is.
///
/// Flat and `Copy`; a game has some two hundred of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// X on each campaign track, by side. Rule 2.4.
    pub x: [[u16; 6]; 2],
    /// Event squares with an X, one bit a box.
    pub events: u32,
    /// The operation that is being done.
    pub pc: u32,
    /// Marks on each modifier track by side, ignored ones not counted. Rule 2.2.
    pub marks: [[u8; 3]; 2],
    /// Where each front stands: Allied X minus Axis X. Rule 2.4. Two blanks make it one machine word.
    pub pos: [u8; 8],
    /// Value of each modifier track. Rule 2.2.
    pub tracks: [i8; 3],
    /// Attacks of the human in each region this turn. Rule 3.3.4. Two blanks make it one machine word.
    pub attacks: [u8; 8],
    /// The turn, from 1. Rule 2.1.
    pub turn: u8,
    /// Tide of War uses left. Rule 2.5.1.
    pub tow_left: u8,
    /// Regions whose Tide of War box is marked.
    pub tow_used: Regions,
    /// What the game waits for.
    pub phase: Phase,
    /// The box in play: table × 6 + box from 0, or [`NO_BOX`].
    pub in_box: u8,
    /// Whether the Event of the box in play is being resolved.
    pub event: bool,
    /// What is left of the grant or of the advances in hand.
    pub left: u8,
    /// Regions among which an advance may be picked.
    pub candidates: Regions,
    /// The side that attacks, or attacked last.
    pub attacker: Side,
    /// The region under attack.
    pub region: Region,
    /// The modifier of the box for the attack.
    pub modifier: i8,
    /// The die that waits for its consequence: of an attack, or the Allied one of a Major Conflict. In the window after a
    /// Major Conflict it holds both; see [`State::conflict_dice`].
    pub die: u8,
    /// How the game ended.
    pub verdict: Option<Verdict>,
    /// The last turn in which the human is asked about the Tide of War, where they are asked on request only. Rule 2.5.8.
    pub asked_until: AskedUntil,
}

/// A turn, or 0 for none. It is hashed only if it is a turn, so that positions of older matches keep their digests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AskedUntil(pub u8);

impl Hash for AskedUntil {
    fn hash<H: Hasher>(&self, state: &mut H) {
        if self.0 != 0 {
            state.write_u8(self.0);
        }
    }
}

/// The value of [`State::in_box`] outside the boxes.
pub const NO_BOX: u8 = u8::MAX;

impl State {
    /// Where the front of a region stands.
    #[inline]
    pub const fn at(&self, region: Region) -> u8 {
        self.pos[region.index()]
    }

    /// The dice of a Major Conflict that wait for their consequence, the Allied one first.
    pub const fn conflict_dice(&self) -> (u8, u8) {
        (self.die & 7, self.die >> 4)
    }

    /// Keeps the dice of a Major Conflict until their consequence.
    pub(crate) const fn keep_conflict_dice(&mut self, allies: u8, axis: u8) {
        self.die = allies | axis << 4;
    }

    /// The value of a modifier track.
    #[inline]
    pub const fn track(&self, track: Track) -> i8 {
        self.tracks[track.index()]
    }
}

const _: () = assert!(size_of::<State>() <= 128, "a state of echoes must stay small");
