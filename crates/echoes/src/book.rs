//! A book: everything that is printed on the two pages of a spread, checked. Rules 2.0, 3.0, 7.4.

use std::ops::RangeInclusive;

use crate::box_language::BoxText;
use crate::ids::{Conflict, Region, Side, Track};

/// The most turns a book can have. Rule 2.1.
pub const TURNS: usize = 20;
/// The highest space number that a battle track may have.
pub const MAX_SPACE: u8 = 7;

/// A checked book. Only [`Book::parse`] and the spreads make one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// `allied`, `axis`, or what an own book calls itself.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// The side that the human plays; the other is the bot. Rule 1.0.
    pub human: Side,
    /// Year of each turn; its length is the last turn. Rule 2.1.
    pub years: Vec<u16>,
    /// First turn played.
    pub start_turn: u8,
    /// Turns that end with the Confidence Chart. Rule 3.5.
    pub gold: Vec<u8>,
    /// First turn of the second strength column. Rule 2.1.
    pub red: u8,
    /// The three modifier tracks, by [`Track::index`]. Rule 2.2.
    pub drm: [TrackData; 3],
    /// Tide of War uses per game. Rule 2.5.1.
    pub tow: u8,
    /// The six regions, by [`Region::index`]. Rule 2.3.
    pub regions: [RegionData; 6],
    /// Where each face of the Die Roll Chart leads. Rule 3.1.
    pub chart: [ChartEntry; 6],
    /// The two Major Conflict boxes, by [`Conflict::index`]. Rule 3.4.
    pub conflicts: [ConflictData; 2],
    /// When a Confidence row asks for a roll.
    pub confidence_rule: ConfidenceRule,
    /// The Confidence Chart, one row a gold turn, by turn. Rule 3.5.
    pub confidence: Vec<ConfidenceRow>,
    /// Victory bands from the highest `min` down to 0. Rule 5.2.
    pub bands: Vec<Band>,
    /// The four tables. Rule 3.2.
    pub tables: [TableData; 4],
}

/// A modifier track: Allied marks minus Axis marks. Rule 2.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackData {
    /// Value at the start.
    pub start: i8,
    /// Lowest value.
    pub min: i8,
    /// Highest value.
    pub max: i8,
    /// USA only: the value at which the Allies get the modifier (EMT and PMT: 1).
    pub active_at: i8,
}

/// A region with its battle track and strengths. Rule 2.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionData {
    /// Which region.
    pub id: Region,
    /// Name for people.
    pub name: String,
    /// Colour of the printed track.
    pub colour: String,
    /// Space of the front at the start.
    pub start: u8,
    /// Highest space.
    pub max: u8,
    /// Victory points of each space.
    pub vp: Vec<u8>,
    /// Name of each space.
    pub spaces: Vec<String>,
    /// Space 0 where it is an Allied capital.
    pub allied_capital: bool,
    /// The highest space where it is an Axis capital.
    pub axis_capital: bool,
    /// What an **Axis** attack must roll, 1940-42 and 1943+.
    pub allied_strength: [u8; 2],
    /// What an **Allied** attack must roll, 1940-42 and 1943+.
    pub axis_strength: [u8; 2],
    /// The Allied nations that fight here.
    pub allied_nations: String,
    /// The Axis nations that fight here.
    pub axis_nations: String,
}

/// Where a face of the Die Roll Chart leads. Rule 3.1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartEntry {
    /// One of the four tables, 0 to 3.
    Table(u8),
    /// A Major Conflict.
    Major(Conflict),
}

/// A Major Conflict box. Rule 3.4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConflictData {
    /// The track whose lead counts.
    pub track: Track,
    /// The regions that may advance, as listed.
    pub regions: Vec<Region>,
    /// The order in which the bot advances.
    pub bot_order: Vec<Region>,
}

/// When a Confidence row asks for a roll. Rule 3.5, ruling R4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfidenceRule {
    /// Allied VP at or below the points.
    AtOrBelow,
    /// Allied VP below the points.
    Below,
    /// Allied VP at or above the points (Axis edition).
    AtOrAbove,
}

/// A row of the Confidence Chart. Rule 3.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfidenceRow {
    /// The gold turn it stands for.
    pub turn: u8,
    /// The points column.
    pub points: u8,
    /// For each face 1 to 6 whether it loses. No losing face: no roll.
    pub lose: [bool; 6],
}

/// How a game ends. Rules 3.5, 5.1, 5.2, 7.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Verdict {
    /// Major Allied victory.
    AlliedMajor,
    /// Minor Allied victory.
    AlliedMinor,
    /// Draw.
    Draw,
    /// Axis victory.
    Axis,
    /// Minor Axis victory (Axis edition).
    AxisMinor,
    /// Major Axis victory (Axis edition).
    AxisMajor,
    /// Two armies in Berlin, two in Japan. Rule 5.1.
    AlliedImmediate,
    /// London, Moscow and Hawaii lost. Rule 5.1.
    AxisImmediate,
    /// The Confidence Chart failed: the human loses. Rule 3.5.
    ConfidenceFailure,
}

/// A victory band. Rule 5.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Lowest VP of the band.
    pub min: u8,
    /// The result.
    pub result: Verdict,
    /// The result when the Axis holds an Allied capital, where it differs.
    pub if_axis_holds_capital: Option<Verdict>,
}

/// One of the four tables. Rule 3.2.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableData {
    /// Its name.
    pub name: String,
    /// Its colour.
    pub colour: String,
    /// Its six boxes.
    pub boxes: [BoxData; 6],
}

/// One Action Event box. Rule 3.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxData {
    /// Its title; unique in the book, because it names the event.
    pub title: String,
    /// The text as typed.
    pub text: String,
    /// The text as understood.
    pub parsed: BoxText,
    /// Whether the event square starts with an X (spreads, key `done`).
    pub done: bool,
}

impl Verdict {
    /// All verdicts, in the order of their codes.
    pub const ALL: [Self; 9] = [
        Self::AlliedMajor,
        Self::AlliedMinor,
        Self::Draw,
        Self::Axis,
        Self::AxisMinor,
        Self::AxisMajor,
        Self::AlliedImmediate,
        Self::AxisImmediate,
        Self::ConfidenceFailure,
    ];

    /// The word that data files, saves and the protocol use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::AlliedMajor => "allied_major",
            Self::AlliedMinor => "allied_minor",
            Self::Draw => "draw",
            Self::Axis => "axis",
            Self::AxisMinor => "axis_minor",
            Self::AxisMajor => "axis_major",
            Self::AlliedImmediate => "allied_immediate",
            Self::AxisImmediate => "axis_immediate",
            Self::ConfidenceFailure => "cc_fail",
        }
    }

    /// Reads one of the words that a band may have; the immediate results and `cc_fail` are not among them.
    pub fn parse_band(text: &str) -> Option<Self> {
        Self::ALL[..6].iter().copied().find(|verdict| verdict.word() == text)
    }
}

/// The range of years a condition or event may name without a warning. Rule 2.1.
pub const WAR_YEARS: RangeInclusive<u16> = 1940..=1945;
