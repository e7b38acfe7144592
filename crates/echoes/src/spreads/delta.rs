//! What a spread changes: values read from its file, and how they change a book. Rule 7.5.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Table, Text, Value};

use crate::book::{Band, Book, ChartEntry, MAX_SPACE, TURNS};
use crate::book_reader::parts::{self, MAX_TOW, MAX_VP};
use crate::ids::{Region, Side, Track};

const LAST_TURN: u8 = TURNS as u8;
/// Four tables of six boxes.
const BOXES: usize = 24;
const FACES: [&str; 6] = ["1", "2", "3", "4", "5", "6"];

/// A value and where it stands in the file.
#[derive(Clone, Debug)]
struct At<T> {
    value: T,
    span: Range<usize>,
}

/// The changes under one header of a spread. Only what depends on the book is left to check.
#[derive(Clone, Debug, Default)]
pub(super) struct Delta {
    start: Vec<(Region, At<u8>)>,
    vp: Vec<(Region, At<Vec<u8>>)>,
    strength: Vec<(Region, Side, [u8; 2])>,
    drm: Vec<(Track, At<i8>)>,
    tow: Option<u8>,
    start_turn: Option<At<u8>>,
    red: Option<At<u8>>,
    chart: Vec<(usize, ChartEntry)>,
    confidence: Vec<RowDelta>,
    victory_shift: Option<At<i8>>,
    pub(super) boxes: Vec<BoxDelta>,
    pub(super) done: Vec<Text>,
}

/// A change to a row of the Confidence Chart; what is left out stays.
#[derive(Clone, Debug)]
struct RowDelta {
    turn: At<u8>,
    points: Option<u8>,
    lose: Option<[bool; 6]>,
}

/// A change to a box; what is left out stays.
#[derive(Clone, Debug)]
pub(super) struct BoxDelta {
    /// The table, from 0.
    pub(super) table: usize,
    /// The box, from 0.
    pub(super) number: usize,
    pub(super) title: Option<Text>,
    pub(super) text: Option<Text>,
    pub(super) span: Range<usize>,
}

impl BoxDelta {
    /// The new title, if the change has one.
    pub(super) fn new_title(&self) -> Option<&str> {
        self.title.as_ref().map(Text::as_str)
    }

    /// The number of the box as printed.
    pub(super) fn label(&self) -> String {
        format!("{}.{}", self.table + 1, self.number + 1)
    }
}

impl Delta {
    /// Reads the changes of a table; what is wrong is reported and left out.
    pub(super) fn read(table: &mut Table<'_>, problems: &mut Problems) -> Self {
        let mut delta = Self::default();
        if let Some(mut starts) = optional_table(table, "start", problems) {
            for region in Region::ALL {
                if let Some(value) = starts.optional(region.code()) {
                    let space = value.integer(0..=MAX_SPACE, problems);
                    delta.start.extend(space.map(|space| (region, at(space, &value))));
                }
            }
            starts.finish(problems);
        }
        if let Some(mut points) = optional_table(table, "vp", problems) {
            for region in Region::ALL {
                if let Some(value) = points.optional(region.code()) {
                    let vp = parts::vp(&value, problems);
                    delta.vp.extend(vp.map(|vp| (region, at(vp, &value))));
                }
            }
            points.finish(problems);
        }
        delta.read_strength(table, problems);
        if let Some(mut tracks) = optional_table(table, "drm", problems) {
            for track in Track::ALL {
                if let Some(value) = tracks.optional(track.code()) {
                    let start = value.integer(-1..=6i8, problems);
                    delta.drm.extend(start.map(|start| (track, at(start, &value))));
                }
            }
            tracks.finish(problems);
        }
        delta.tow = table.optional("tow").and_then(|value| value.integer(0..=MAX_TOW, problems));
        delta.start_turn = located(table, "start_turn", 1..=LAST_TURN, problems);
        delta.red = located(table, "red", 1..=LAST_TURN + 1, problems);
        delta.victory_shift = located(table, "victory_shift", -20..=20i8, problems);
        if let Some(mut chart) = optional_table(table, "die_roll_chart", problems) {
            for (index, face) in FACES.into_iter().enumerate() {
                let entry = chart.optional(face).and_then(|value| parts::chart_entry(&value, problems));
                delta.chart.extend(entry.map(|entry| (index, entry)));
            }
            chart.finish(problems);
        }
        let rows = table.optional("confidence").and_then(|value| value.tables(problems)).unwrap_or_default();
        delta.confidence = rows.into_iter().filter_map(|row| RowDelta::read(row, problems)).collect();
        let boxes = table.optional("box").map(|value| (value, value.tables(problems).unwrap_or_default()));
        if let Some((value, boxes)) = boxes
            && at_most_all(boxes.len(), "changes to boxes", &value, problems)
        {
            delta.boxes = boxes.into_iter().filter_map(|change| BoxDelta::read(change, problems)).collect();
        }
        let done = table.optional("done").map(|value| (value, value.texts(problems).unwrap_or_default()));
        if let Some((value, done)) = done
            && at_most_all(done.len(), "events that are done", &value, problems)
        {
            delta.done = done;
        }
        delta
    }

    fn read_strength(&mut self, table: &mut Table<'_>, problems: &mut Problems) {
        let Some(mut strengths) = optional_table(table, "strength", problems) else { return };
        for region in Region::ALL {
            let Some(mut pair) = optional_table(&mut strengths, region.code(), problems) else { continue };
            for (key, side) in [("allies", Side::Allies), ("axis", Side::Axis)] {
                let strength = pair.optional(key).and_then(|value| parts::strengths(&value, problems));
                self.strength.extend(strength.map(|strength| (region, side, strength)));
            }
            pair.finish(problems);
        }
        strengths.finish(problems);
    }

    /// Changes everything but the boxes and `done`, and reports what does not fit the book.
    pub(super) fn apply(&self, book: &mut Book, problems: &mut Problems) {
        for (region, start) in &self.start {
            let data = &mut book.regions[region.index()];
            let max = data.max;
            if fits(
                i64::from(start.value),
                0,
                i64::from(max),
                &format!("{region} starts"),
                &start.span,
                problems,
            ) {
                data.start = start.value;
            }
        }
        for (region, vp) in &self.vp {
            let data = &mut book.regions[region.index()];
            if parts::check_length("point numbers", vp.value.len(), data.max, vp.span.clone(), problems) {
                data.vp.clone_from(&vp.value);
            }
        }
        for (region, side, strength) in &self.strength {
            let data = &mut book.regions[region.index()];
            match side {
                Side::Allies => data.allied_strength = *strength,
                Side::Axis => data.axis_strength = *strength,
            }
        }
        for (track, start) in &self.drm {
            let data = &mut book.drm[track.index()];
            let (min, max) = (i64::from(data.min), i64::from(data.max));
            if fits(i64::from(start.value), min, max, &format!("{track} starts"), &start.span, problems) {
                data.start = start.value;
            }
        }
        if let Some(tow) = self.tow {
            book.tow = tow;
        }
        let last = i64::try_from(book.years.len()).unwrap_or(i64::from(LAST_TURN));
        if let Some(turn) = &self.start_turn
            && fits(i64::from(turn.value), 1, last, "the first turn is", &turn.span, problems)
        {
            book.start_turn = turn.value;
        }
        if let Some(turn) = &self.red
            && fits(i64::from(turn.value), 1, last + 1, "the red turn is", &turn.span, problems)
        {
            book.red = turn.value;
        }
        for (index, entry) in &self.chart {
            book.chart[*index] = *entry;
        }
        for row in &self.confidence {
            row.apply(book, problems);
        }
        if let Some(shift) = &self.victory_shift {
            shift_bands(book, shift, problems);
        }
    }
}

impl RowDelta {
    fn read(mut row: Table<'_>, problems: &mut Problems) -> Option<Self> {
        let value = row.required("turn", "a gold turn", problems);
        let turn = value.and_then(|value| Some(at(value.integer(1..=LAST_TURN, problems)?, &value)));
        let points = row.optional("points").and_then(|value| value.integer(0..=MAX_VP, problems));
        let lose = row.optional("lose").and_then(|value| parts::losing_faces(&value, problems));
        row.finish(problems);
        Some(Self { turn: turn?, points, lose })
    }

    fn apply(&self, book: &mut Book, problems: &mut Problems) {
        let turn = self.turn.value;
        let Some(row) = book.confidence.iter_mut().find(|row| row.turn == turn) else {
            let gold: Vec<_> = book.gold.iter().map(u8::to_string).collect();
            problems
                .error(self.turn.span.clone(), format!("turn {turn} is not a gold turn"))
                .expected(format!("one of the gold turns: {}", gold.join(", ")));
            return;
        };
        row.points = self.points.unwrap_or(row.points);
        row.lose = self.lose.unwrap_or(row.lose);
    }
}

impl BoxDelta {
    fn read(mut change: Table<'_>, problems: &mut Problems) -> Option<Self> {
        let span = change.span();
        let table = change.integer("table", 1..=4u8, problems);
        let number = change.integer("n", 1..=6u8, problems);
        let title = change.optional("title").and_then(|value| parts::name(&value, problems));
        let text = change.optional("text").and_then(|value| value.text(problems));
        change.finish(problems);
        let (table, number) = (usize::from(table?) - 1, usize::from(number?) - 1);
        Some(Self { table, number, title, text, span })
    }
}

/// Adds to every `min` above 0; the bands must stay in order and above the last one.
fn shift_bands(book: &mut Book, shift: &At<i8>, problems: &mut Problems) {
    let moved = |band: &Band| {
        if band.min == 0 {
            return Some(*band);
        }
        let min = band.min.checked_add_signed(shift.value).filter(|min| (1..=MAX_VP).contains(min))?;
        Some(Band { min, ..*band })
    };
    let bands: Option<Vec<Band>> = book.bands.iter().map(moved).collect();
    match bands {
        Some(bands) => book.bands = bands,
        None => {
            problems
                .error(shift.span.clone(), "this moves a victory band out of range")
                .expected(format!("bands from 1 to {MAX_VP} points, besides the last at 0"));
        }
    }
}

/// A list about boxes can't be longer than there are boxes.
fn at_most_all(count: usize, what: &str, value: &Value<'_>, problems: &mut Problems) -> bool {
    if count > BOXES {
        problems
            .error(value.span(), format!("there are {count} {what}"))
            .expected(format!("at most {BOXES}"));
    }
    count <= BOXES
}

fn at<T>(value: T, from: &Value<'_>) -> At<T> {
    At { value, span: from.span() }
}

fn located<T: diagnostics::datafile::Whole>(
    table: &mut Table<'_>,
    key: &'static str,
    range: std::ops::RangeInclusive<T>,
    problems: &mut Problems,
) -> Option<At<T>> {
    let value = table.optional(key)?;
    Some(at(value.integer(range, problems)?, &value))
}

fn optional_table<'d>(
    table: &mut Table<'d>,
    key: &'static str,
    problems: &mut Problems,
) -> Option<Table<'d>> {
    table.optional(key)?.table(problems)
}

/// Whether a number fits the book; if not, that is reported.
fn fits(value: i64, min: i64, max: i64, what: &str, span: &Range<usize>, problems: &mut Problems) -> bool {
    let fits = (min..=max).contains(&value);
    if !fits {
        problems
            .error(span.clone(), format!("{what} at {value}"))
            .expected(format!("a number from {min} to {max}"));
    }
    fits
}
