//! What a box says, as a tree. Rule 7.2.

use std::ops::{Range, RangeInclusive};

use crate::ids::{Conflict, Region, Side, Track};

/// A whole Action Event box. Rule 3.3.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxText {
    /// The Event with its years, if the box has one.
    pub event: Option<Event>,
    /// The Alternate of an Event box, or all of a box without Event.
    pub body: Body,
}

/// The Event part of a box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Years in which it may happen, ends included.
    pub years: RangeInclusive<u16>,
    /// What happens.
    pub body: Body,
}

/// What both sides do, in the order in which they do it. Rules 3.3.2, 7.3.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Body {
    /// `Allies first.` or `Axis first.`, where the box says so.
    pub first: Option<Side>,
    /// What the Allies do, left to right.
    pub allies: Vec<Instr>,
    /// What the Axis does, left to right.
    pub axis: Vec<Instr>,
}

/// One instruction and the byte range of the box text that it stands in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instr {
    /// What to do.
    pub kind: InstrKind,
    /// Where it stands in the text of the box.
    pub span: Range<usize>,
}

/// The kinds of instruction. Rule 3.3.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InstrKind {
    /// `None`, `Skip`.
    Nothing,
    /// `ADV EF, SF`, `ADV 2 on EF`: one automatic step for each entry, in order (a region may stand
    /// there more than once).
    Advance(Vec<Region>),
    /// `ADV 1 of EF, SF`: one step in that many different regions of the list.
    AdvanceOf {
        /// How many different regions.
        count: u8,
        /// The regions in the order written, each once.
        regions: Vec<Region>,
    },
    /// `Attack EF x2, SF at +1`: one attack for each entry, in order.
    Attack {
        /// Where, in order; `x2` stands here twice.
        regions: Vec<Region>,
        /// The modifier of the box.
        modifier: i8,
    },
    /// `2 Attacks on PAC, ISL at +1`: free attacks.
    FreeAttacks {
        /// How many at most.
        count: u8,
        /// Where; all six regions when the box names none. Each once.
        regions: Vec<Region>,
        /// The modifier of the box.
        modifier: i8,
    },
    /// `2 Actions`.
    Actions(u8),
    /// `+2 EMT`: marks on the acting side's own row.
    Mark {
        /// The track.
        track: Track,
        /// How many marks, at least one.
        count: u8,
    },
    /// `Extra TOW`, `+1 TOW`, `-1 TOW`.
    Tow(i8),
    /// `Major Conflict Europe`.
    Major(Conflict),
    /// `Roll 1d6: 1-3 …; 4-6 …`: for each face 1 to 6 the branch it picks (an index), if any.
    Roll {
        /// For each face the number of its branch.
        faces: [Option<u8>; 6],
        /// The branches in the order written.
        branches: Vec<Vec<Instr>>,
    },
    /// `If … and …: …; else …` and `In years: …; else …`.
    If {
        /// All must hold.
        conditions: Vec<Condition>,
        /// What to do if they do.
        then: Vec<Instr>,
        /// What to do if they do not.
        otherwise: Vec<Instr>,
    },
    /// `Choose: …; or …`.
    Choose(Vec<ChooseOption>),
}

/// One of the options of a `Choose`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChooseOption {
    /// What it does.
    pub instrs: Vec<Instr>,
    /// The words of the box for it, white space folded, as shown to the player.
    pub words: String,
}

/// A test on the state of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `In 1940-1942`: the year of the current turn lies in the range.
    Years(RangeInclusive<u16>),
    /// `WF at 3`, `WF at 3 or more`: the front stands in this range of spaces.
    Space(Region, RangeInclusive<u8>),
    /// `VP 20 or more`.
    Vp(RangeInclusive<u8>),
    /// `USA in Europe`, `USA not in Europe`.
    UsaInEurope(bool),
    /// `EMT even`.
    Even(Track),
    /// `Axis leads EMT`.
    Leads(Side, Track),
    /// `Axis hold WF capital`, `Allies hold any capital` (no region = any).
    Holds(Side, Option<Region>),
    /// `event "Barbarossa" done` / `not done`.
    EventDone {
        /// The title of the box, spelled as the book spells it.
        title: String,
        /// Whether it must be done.
        done: bool,
        /// Where the title stands in the text of the box.
        span: Range<usize>,
    },
}
