//! What happens, as typed lines of the story.

use crate::layout::Effect;
use crate::state::Verdict;
use crate::stratagem::Stratagem;
use crate::units::{Kind, Side};

/// Why the bot's candidates became fewer. Rules 9.2 to 9.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Reason {
    Legal,
    SameTheatre,
    ClosesTheatre,
    ClosesCampaign,
    Stratagem(Stratagem),
    MostEmpty,
    MostPoints,
    TopLeft,
    Priority(&'static str),
    Leftmost,
    NotZero,
    NotBlitz,
    Strongest,
}

/// A line of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum GameEvent {
    /// A token came from the bag; only its owner sees the kind.
    Drew {
        side: Side,
        kind: Option<Kind>,
    },
    DifficultyRolled {
        face: u8,
    },
    BotAdvanced {
        theatre: u8,
        by: i8,
    },
    BotPoints {
        vp: u8,
    },
    TurnBegan {
        turn: u16,
        side: Side,
    },
    Placed {
        side: Side,
        kind: Kind,
        played_as: Kind,
        space: u8,
        strength: i8,
    },
    NoEffect {
        kind: Kind,
    },
    Propaganda {
        side: Side,
        vp: u8,
    },
    Tactical {
        theatre: u8,
        from: i8,
        to: i8,
    },
    Strategic {
        side: Side,
        theatre: u8,
        from: i8,
        to: i8,
    },
    Nothing {
        effect: Effect,
    },
    /// A special weapon came from the pile; only its owner sees the kind.
    Researched {
        side: Side,
        kind: Option<Kind>,
        to_hand: bool,
    },
    /// A token went back; only its owner sees the kind.
    Bombed {
        victim: Side,
        kind: Option<Kind>,
        to_pile: bool,
    },
    Marker {
        theatre: u8,
        from: i8,
        to: i8,
    },
    Backfire {
        theatre: u8,
        from: i8,
        to: i8,
    },
    CampaignClosed {
        theatre: u8,
        campaign: u8,
        marker: i8,
        vp: [u8; 2],
    },
    TheatreTaken {
        side: Side,
        theatre: u8,
    },
    Collects {
        space: u8,
    },
    CollectedCampaign {
        theatre: u8,
        campaign: u8,
        vp: u8,
    },
    TheatreClosed {
        theatre: u8,
        taken: bool,
    },
    CityOpened {
        theatre: u8,
        marker: i8,
    },
    StratagemDrawn {
        drawn: Stratagem,
        in_force: Option<Stratagem>,
    },
    /// How the bot's choice came about: the theatres that are left, as bits.
    BotTheatres {
        reason: Reason,
        kept: u16,
    },
    /// The spaces that are left, as bits.
    BotSpaces {
        reason: Reason,
        kept: u64,
    },
    /// The units that are left, from left to right.
    BotUnits {
        reason: Reason,
        kept: Vec<Kind>,
    },
    /// The die between them.
    BotDie {
        face: u8,
        kind: Kind,
    },
    BotTarget {
        theatre: u8,
        class: u8,
    },
    BotCannotFollow,
    Ended {
        verdict: Verdict,
        vp: [u8; 2],
    },
}
