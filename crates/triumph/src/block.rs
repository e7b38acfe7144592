//! Units on the map. Rules 3, 12.73.

use crate::areas::NONE;
use crate::units::Kind;

/// What a block has done or suffered; bits of [`Block::flags`].
pub mod flag {
    /// A Submarine that has Escaped. Rule 12.73.
    pub const ESCAPED: u8 = 1;
    /// Landed by invasion this turn. Rule 11.221.
    pub const DISRUPTED: u8 = 2;
    /// Has moved this turn.
    pub const MOVED: u8 = 4;
    /// Has acted in this Combat Round, or need not be asked any more.
    pub const ACTED: u8 = 8;
    /// Lies face up.
    pub const REVEALED: u8 = 16;
    /// Has taken a step this Production. Rule 7.23.
    pub const STEPPED: u8 = 32;
    /// Engaged this turn: [`Block::from`](super::Block::from) is where it came from.
    pub const ENGAGED: u8 = 64;
    /// Waits in a BattleGroup that has not joined its Battle. Rule 12.71.
    pub const WAITING: u8 = 128;
}

/// A unit. The Power is its place among the blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Where it stands; [`NONE`] in the pool.
    pub area: u8,
    /// Its type.
    pub kind: Kind,
    /// Its strength.
    pub cv: u8,
    /// Bits of [`flag`].
    pub flags: u8,
    /// The last area before it Engaged this turn.
    pub from: u8,
    /// Where it started its move this turn, for BattleGroups. Ruling R44.
    pub origin: u8,
}

impl Block {
    /// A block in the pool.
    pub const FREE: Self =
        Self { area: NONE, kind: Kind::Fortress, cv: 0, flags: 0, from: NONE, origin: NONE };

    /// Whether a flag is set.
    pub const fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether two blocks of a Power are alike in all that a decision can depend on.
    pub fn is_alike(&self, other: &Self) -> bool {
        (self.area, self.kind, self.cv, self.flags, self.from)
            == (other.area, other.kind, other.cv, other.flags, other.from)
    }

    /// Whether it stands on the map.
    pub const fn on_map(&self) -> bool {
        self.area != NONE
    }
}
