//! A position.

use crate::layout::{Effect, MAX_SPACES, MAX_THEATRES};
use crate::pool::{Pool, Row};
use crate::stratagem::{Stratagem, StratagemSet};
use crate::units::{KINDS, Kind, Side};

/// What is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Fate: a token of the first reserve. Rule 2.4.
    Deal,
    /// Fate: the die that names a theatre for the bot. Rule 8.3.
    Difficulty,
    /// The human names a theatre for the bot, after a 6. Rule 8.3.
    NameTheatre,
    /// Fate: a city for the bot. Rule 10.7.
    StartCity,
    /// Fate: the bot's stratagem. Rule 8.4.
    Stratagem,
    /// Fate: the die that picks the bot's unit. Rule 9.4.
    UnitDie,
    /// A side places a unit. Rule 3.2.
    Place,
    /// A side may place one more. Rule 3.3.
    Blitz,
    /// Fate: a token from the bag into the reserve. Rules 3.4, 6.
    Draw,
    /// Fate: a special weapon from the pile. Rule 6.
    Research,
    /// Fate: the token that a bombing sends back. Rule 6.3.
    Hit,
    /// The human picks a unit of the bot's row. Rule 8.7.
    BombRow,
    /// A side names the theatre of a strategic advantage. Rule 6.1.
    Strategic,
    /// A side opens a city. Rule 10.4.
    Open,
    /// The game is over.
    Over,
}

/// How far a placement has come. Rule 3.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// The first reserves are dealt, and the bot gets its advantage.
    SetUp,
    /// A unit is to be placed.
    Ready,
    /// Step 2: the effect of the space.
    Effect,
    /// Step 3: the unit's own bombing.
    Ability,
    /// Steps 4 to 6: marker, backfire, campaign.
    Marker,
    /// Step 7: what is left of a theatre that was closed by its track.
    Collect,
    /// Step 8: a new city.
    Opening,
    /// Rule 3.3: one more unit after a blitz.
    Follow,
    /// Rule 3.4: the draw at the end of the turn.
    TurnDraw,
}

/// No theatre.
pub const NOWHERE: u8 = u8::MAX;

/// The placement in hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Placing {
    /// The unit as it is played: a spy is its copy.
    pub kind: Kind,
    /// Where it stands.
    pub space: u8,
    /// Its strength, counted before it stood there.
    pub strength: i8,
    /// The effect that is being executed.
    pub effect: Effect,
    /// How much of the effect is left; in the set-up how many tokens or rolls.
    pub left: u8,
    /// The spaces of a campaign whose effects are still to be collected. Rule 3.7.
    pub collect: u64,
    /// The campaign they belong to.
    pub campaign: u8,
}

impl Placing {
    /// Nothing is being placed.
    pub const NOTHING: Self = Self {
        kind: Kind::Army1,
        space: NOWHERE,
        strength: 0,
        effect: Effect::None,
        left: 0,
        collect: 0,
        campaign: 0,
    };
}

/// A space's token, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Placed(u8);

kernel::encode_struct!(Placed[token]);

impl Placed {
    /// An empty space.
    pub const NONE: Self = Self(0);

    /// A token of a side.
    #[inline]
    pub const fn new(side: Side, kind: Kind) -> Self {
        Self((kind as u8 + 1) | (side as u8) << 7)
    }

    /// Whose token stands there, and which.
    #[inline]
    pub const fn get(self) -> Option<(Side, Kind)> {
        if self.0 == 0 {
            return None;
        }
        let side = if self.0 & 0x80 == 0 { Side::First } else { Side::Second };
        Some((side, KINDS[(self.0 & 0x7f) as usize - 1].kind))
    }
}

/// How a game ended. Rule 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The first side has more points.
    FirstPoints,
    /// The second side has more points.
    SecondPoints,
    /// Equal points: the second side wins.
    SecondTie,
    /// The second side could not place a unit.
    SecondStuck,
    /// The first side could not place a unit.
    FirstStuck,
}

impl Verdict {
    /// All.
    pub const ALL: [Self; 5] =
        [Self::FirstPoints, Self::SecondPoints, Self::SecondTie, Self::SecondStuck, Self::FirstStuck];

    /// Who has won.
    pub const fn winner(self) -> Side {
        match self {
            Self::FirstPoints | Self::SecondStuck => Side::First,
            Self::SecondPoints | Self::SecondTie | Self::FirstStuck => Side::Second,
        }
    }
}

/// What the bot has before it. Rule 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BotDesk {
    /// The stratagem tokens in the cup.
    pub cup: StratagemSet,
    /// The token drawn last.
    pub previous: Stratagem,
    /// The stratagem whose filters count; Steamroll leaves it as it was. `None` before the first.
    pub in_force: Option<Stratagem>,
    /// The space that the bot has chosen.
    pub space: u8,
    /// The units between which the die decides, as places in the row.
    pub units: u64,
}

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// What is waited for.
    pub phase: Phase,
    /// How far the placement has come.
    pub stage: Stage,
    /// Whose turn it is.
    pub side: Side,
    /// The turns of both sides so far, including the current one.
    pub turn: u16,
    /// Victory points, by side.
    pub vp: [u8; 2],
    /// The markers, by theatre; positive is the first side's half.
    pub tracks: [i8; MAX_THEATRES],
    /// The number of finished campaigns, which is the number of the active one, by theatre.
    pub active: [u8; MAX_THEATRES],
    /// The open theatres.
    pub open: u16,
    /// The closed theatres; the rest is locked.
    pub closed: u16,
    /// The occupied spaces.
    pub occupied: u64,
    /// The empty spaces of active campaigns in open theatres.
    pub available: u64,
    /// What stands where.
    pub units: [Placed; MAX_SPACES],
    /// The reserves; of the bot: its row.
    pub hands: [Row; 2],
    /// The bags.
    pub bags: [Pool; 2],
    /// The research pile.
    pub pile: Pool,
    /// The unit that each side placed last, as it was played.
    pub last: [Option<Kind>; 2],
    /// What the spy on the board was played as.
    pub spy_as: Option<Kind>,
    /// The placement in hand.
    pub placing: Placing,
    /// The bot's desk.
    pub bot: BotDesk,
    /// How the game ended.
    pub verdict: Option<Verdict>,
}

impl State {
    /// Whether a theatre is open.
    #[inline]
    pub const fn is_open(&self, theatre: u8) -> bool {
        self.open >> theatre & 1 != 0
    }

    /// Whether a theatre is closed.
    #[inline]
    pub const fn is_closed(&self, theatre: u8) -> bool {
        self.closed >> theatre & 1 != 0
    }

    /// The marker of a theatre.
    #[inline]
    pub const fn track(&self, theatre: u8) -> i8 {
        self.tracks[theatre as usize]
    }

    /// How far a side leads in a theatre; negative if the other one does.
    #[inline]
    pub const fn lead(&self, theatre: u8, side: Side) -> i8 {
        self.tracks[theatre as usize] * side.sign()
    }

    /// What stands on a space.
    #[inline]
    pub const fn at(&self, space: u8) -> Option<(Side, Kind)> {
        self.units[space as usize].get()
    }

    /// What a token on a space was played as.
    pub fn played_as(&self, kind: Kind) -> Kind {
        if kind == Kind::Spy { self.spy_as.unwrap_or(kind) } else { kind }
    }
}
