//! The small values that books and spreads have in common. Rules 7.4, 7.5.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Text, Value};

use crate::book::{Band, ChartEntry};
use crate::ids::{Conflict, Region, Track};

/// The longest name or title.
const MAX_NAME: usize = 120;
/// The most victory points of one space.
const MAX_SPACE_VP: u8 = 20;
/// The most victory points that a band or a row of the Confidence Chart can name: six spaces full.
pub(crate) const MAX_VP: u8 = 6 * MAX_SPACE_VP;
/// The most Tide of War uses that a book can start with.
pub(crate) const MAX_TOW: u8 = 6;
/// The codes of the six regions.
pub(crate) const REGIONS: [&str; 6] = ["WF", "EF", "SF", "CHN", "PAC", "ISL"];
/// The codes of the three tracks.
pub(crate) const TRACKS: [&str; 3] = ["EMT", "PMT", "USA"];
const CHART: [&str; 6] = ["table 1", "table 2", "table 3", "table 4", "major europe", "major pacific"];

/// A name or title: one line, not empty, not endless.
pub(crate) fn name(value: &Value<'_>, problems: &mut Problems) -> Option<Text> {
    let text = value.text(problems)?;
    check_name(&text, problems).then_some(text)
}

/// See [`name`].
pub(crate) fn check_name(text: &Text, problems: &mut Problems) -> bool {
    let words = text.as_str();
    let what = if words.trim().is_empty() {
        "this name is empty".to_owned()
    } else if words.chars().nth(MAX_NAME).is_some() {
        format!("this name has {} characters", words.chars().count())
    } else if words.chars().any(char::is_control) {
        "this name has a line break or control character in it".to_owned()
    } else {
        return true;
    };
    problems.error(text.span(), what).expected(format!("one line of 1 to {MAX_NAME} characters"));
    false
}

/// A list of regions.
pub(crate) fn regions(value: &Value<'_>, problems: &mut Problems) -> Option<Vec<Region>> {
    value.words(&REGIONS, Region::parse, problems)
}

/// A list of tracks.
pub(crate) fn tracks(value: &Value<'_>, problems: &mut Problems) -> Option<Vec<Track>> {
    value.words(&TRACKS, Track::parse, problems)
}

/// The victory points of a battle track, one number a space.
pub(crate) fn vp(value: &Value<'_>, problems: &mut Problems) -> Option<Vec<u8>> {
    let vp = value.integers(&(0..=MAX_SPACE_VP), problems)?;
    if !vp.is_sorted() {
        problems
            .error(value.span(), "the victory points go down along the track")
            .expected("points that never fall from space 0 up");
        return None;
    }
    Some(vp)
}

/// A list must have one entry for each space.
pub(crate) fn check_length(
    what: &str,
    length: usize,
    max: u8,
    span: Range<usize>,
    problems: &mut Problems,
) -> bool {
    let spaces = usize::from(max) + 1;
    if length != spaces {
        problems
            .error(span, format!("there are {length} {what} for {spaces} spaces"))
            .expected(format!("{spaces}, for the spaces 0 to {max}"));
    }
    length == spaces
}

/// The two strength columns. Rule 2.3.
pub(crate) fn strengths(value: &Value<'_>, problems: &mut Problems) -> Option<[u8; 2]> {
    let strengths = value.integers(&(2..=6u8), problems)?;
    let count = strengths.len();
    let strengths = strengths.try_into().ok();
    if strengths.is_none() {
        problems
            .error(value.span(), format!("there are {count} strengths"))
            .expected("two: for 1940-42 and for 1943 on");
    }
    strengths
}

/// Where a face of the Die Roll Chart leads. Rule 3.1.
pub(crate) fn chart_entry(value: &Value<'_>, problems: &mut Problems) -> Option<ChartEntry> {
    let parse = |words: &str| {
        let (kind, which) = words.trim().split_once(char::is_whitespace)?;
        let which = which.trim();
        match kind.to_ascii_lowercase().as_str() {
            "table" => {
                let table: u8 = which.parse().ok().filter(|table| (1..=4).contains(table))?;
                Some(ChartEntry::Table(table - 1))
            }
            "major" => Conflict::parse(which).map(ChartEntry::Major),
            _ => None,
        }
    };
    value.word(&CHART, parse, problems)
}

/// The losing results of a row of the Confidence Chart. Rule 3.5.
pub(crate) fn losing_faces(value: &Value<'_>, problems: &mut Problems) -> Option<[bool; 6]> {
    let faces = value.integers(&(1..=6u8), problems)?;
    let mut lose = [false; 6];
    for face in &faces {
        lose[usize::from(*face) - 1] = true;
    }
    if lose.iter().filter(|lose| **lose).count() < faces.len() {
        problems.warn(value.span(), "a losing result stands here twice").expected("every result once");
    }
    Some(lose)
}

/// Bands are read from the highest down and must end at 0. Rule 5.2.
pub(crate) fn check_bands(bands: &[Band], span: Range<usize>, problems: &mut Problems) -> bool {
    if !bands.is_sorted_by(|high, low| high.min > low.min) {
        problems
            .error(span, "the victory bands are not in descending order")
            .expected("the highest \"min\" first, and no two alike");
        return false;
    }
    if bands.last().is_none_or(|last| last.min != 0) {
        problems
            .error(span, "the last victory band does not begin at 0")
            .expected("a band with min = 0 as the last");
        return false;
    }
    true
}
