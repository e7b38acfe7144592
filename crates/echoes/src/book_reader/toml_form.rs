//! The TOML form of a book, `echoes-book/1`. Rule 7.4.

use std::ops::Range;

use diagnostics::Problems;
use diagnostics::datafile::{Document, Table, Value, any_of};

use super::parts::{self, MAX_TOW, MAX_VP, REGIONS};
use super::{BoxDraft, TableDraft, conclude, read_tables, region_max};
use crate::book::{
    Band, Book, ChartEntry, ConfidenceRow, ConfidenceRule, ConflictData, MAX_SPACE, RegionData, TURNS,
    TrackData, Verdict,
};
use crate::ids::{Conflict, Region, Side, Track};

const FORMAT: &str = "echoes-book/1";
/// The most victory bands; the books have four or five.
const MAX_BANDS: usize = 20;
const LAST_TURN: u8 = TURNS as u8;
const FACES: [&str; 6] = ["1", "2", "3", "4", "5", "6"];
const SIDES: [&str; 2] = ["Allies", "Axis"];

/// Reads and checks a book in its TOML form.
pub(super) fn read(name: &str, text: &str) -> Result<(Book, Problems), Problems> {
    let mut problems = Problems::new(name, text);
    let document = Document::parse(text, &mut problems);
    let read = document.as_ref().and_then(|document| book(document.root(), &mut problems));
    conclude(read, problems)
}

fn book(mut root: Table<'_>, problems: &mut Problems) -> Option<Book> {
    if !root.has_any(&["format", "human", "turn_track", "region", "table"]) {
        problems.error(0..0, "this is not a book").expected(
            "format = \"echoes-book/1\", or plain text whose first line is \"title: …\", \"edition: …\" or a box \
             such as \"1.1 Fall of France\"",
        );
        return None;
    }
    if !root.check_format(FORMAT, problems) {
        return None;
    }
    let id = name_of("id", &mut root, problems);
    let title = name_of("title", &mut root, problems);
    let human = sides(&mut root, problems);
    let turns = root.table("turn_track", problems).and_then(|table| turn_track(table, problems));
    let drm = root.table("drm", problems).and_then(|table| tracks(table, problems));
    let tow = root.table("tow", problems).and_then(|table| tow(table, problems));
    let regions = root.tables("region", problems).map(|tables| regions(tables, &root, problems));
    let chart = root.table("die_roll_chart", problems).and_then(|table| chart(table, problems));
    let conflicts = root.table("major_conflict", problems).and_then(|table| conflicts(table, problems));
    let gold = turns.as_ref().map(|turns| turns.gold.as_slice());
    let confidence = root.table("confidence", problems).and_then(|table| confidence(table, gold, problems));
    let bands = root.table("victory", problems).and_then(|table| bands(table, problems));
    let max = region_max(regions.as_deref().unwrap_or_default());
    let tables = root
        .tables("table", problems)
        .map(|list| tables(list, &root, problems))
        .and_then(|drafts| read_tables(drafts, human.unwrap_or(Side::Allies), max, problems));
    root.finish(problems);
    let turns = turns?;
    let (confidence_rule, confidence) = confidence?;
    Some(Book {
        id: id?,
        title: title?,
        human: human?,
        years: turns.years,
        start_turn: turns.start,
        gold: turns.gold,
        red: turns.red,
        drm: drm?,
        tow: tow?,
        regions: regions?.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()?,
        chart: chart?,
        conflicts: conflicts?,
        confidence_rule,
        confidence,
        bands: bands?,
        tables: tables?,
    })
}

/// A required name as a trimmed string.
fn name_of(key: &'static str, table: &mut Table<'_>, problems: &mut Problems) -> Option<String> {
    let value = table.required(key, "a text", problems)?;
    Some(parts::name(&value, problems)?.as_str().trim().to_owned())
}

/// `human` and `bot`, which must be different. Rule 1.0.
fn sides(root: &mut Table<'_>, problems: &mut Problems) -> Option<Side> {
    let human = root.word("human", &SIDES, Side::parse, problems);
    let bot_value = root.required("bot", &any_of(&SIDES), problems);
    let bot = bot_value.and_then(|value| value.word(&SIDES, Side::parse, problems));
    if let (Some(human), Some(bot), Some(value)) = (human, bot, bot_value)
        && human == bot
    {
        problems
            .error(value.span(), format!("human and bot are both {bot}"))
            .expected(format!("{} as the bot", human.enemy()));
        return None;
    }
    human.or(bot.map(Side::enemy))
}

struct TurnTrack {
    years: Vec<u16>,
    start: u8,
    gold: Vec<u8>,
    red: u8,
}

/// `[turn_track]`. Rule 2.1.
fn turn_track(mut table: Table<'_>, problems: &mut Problems) -> Option<TurnTrack> {
    problems.set_place("turn_track");
    let last = table.integer("final", 1..=LAST_TURN, problems);
    let top = last.unwrap_or(LAST_TURN);
    let years = table.required("years", "a list of years", problems).and_then(|value| {
        let mut years = value.integers(&(1900..=1999u16), problems)?;
        if !years.is_sorted() {
            problems.error(value.span(), "the years go back").expected("years that never fall");
        }
        if let Some(last) =
            last.filter(|last| years.len() < usize::from(*last) || years.len() > usize::from(LAST_TURN))
        {
            problems
                .error(value.span(), format!("there are {} years for {last} turns", years.len()))
                .expected("one year for each turn up to \"final\"");
        }
        // A shorter war may keep the whole printed track: what lies behind its last turn is not played.
        years.truncate(usize::from(top));
        Some(years)
    });
    let start = table.integer("start", 1..=top, problems);
    let gold = table.required("gold", "a list of turns", problems).and_then(|value| {
        let gold = value.integers(&(1..=top), problems)?;
        if !gold.is_sorted_by(|before, after| before < after) {
            problems
                .error(value.span(), "the gold turns are not in order")
                .expected("each once, the first one first");
        }
        Some(gold)
    });
    let red = table.integer("red", 1..=top + 1, problems);
    table.finish(problems);
    problems.set_place("");
    last?;
    Some(TurnTrack { years: years?, start: start?, gold: gold?, red: red? })
}

/// `[drm]`. Rule 2.2.
fn tracks(mut table: Table<'_>, problems: &mut Problems) -> Option<[TrackData; 3]> {
    let [emt, pmt, usa] = Track::ALL.map(|id| {
        let inner = table.table(id.code(), problems)?;
        problems.set_place(format!("track {id}"));
        let data = track(inner, id, problems);
        problems.set_place("");
        data
    });
    table.finish(problems);
    Some([emt?, pmt?, usa?])
}

fn track(mut table: Table<'_>, id: Track, problems: &mut Problems) -> Option<TrackData> {
    let lead = id != Track::Usa;
    let min = table.integer("min", if lead { -1..=-1 } else { 0..=0i8 }, problems);
    let max = table.integer("max", if lead { 1..=1 } else { 1..=6i8 }, problems);
    let start = table.integer("start", min.unwrap_or(-1)..=max.unwrap_or(6), problems);
    let active_at = if lead { Some(1) } else { table.integer("active_at", 1..=max.unwrap_or(6), problems) };
    if let Some(value) = table.required("regions", "a list of regions", problems)
        && let Some(regions) = parts::regions(&value, problems)
    {
        let fixed: Vec<Region> = match id {
            Track::Emt | Track::Pmt => {
                Region::ALL.into_iter().filter(|region| region.main_track() == id).collect()
            }
            Track::Usa => vec![Region::Wf, Region::Sf],
        };
        check_fixed(&regions, &fixed, Region::code, value.span(), problems);
    }
    table.finish(problems);
    Some(TrackData { start: start?, min: min?, max: max?, active_at: active_at? })
}

/// A list that the rules fix; only its order is free.
fn check_fixed<T: Copy + PartialEq>(
    list: &[T],
    fixed: &[T],
    code: impl Fn(T) -> &'static str,
    span: Range<usize>,
    problems: &mut Problems,
) -> bool {
    let same = list.len() == fixed.len() && fixed.iter().all(|entry| list.contains(entry));
    if !same {
        let codes: Vec<_> = fixed.iter().map(|entry| code(*entry)).collect();
        problems.error(span, "the rules fix this list").expected(codes.join(", "));
    }
    same
}

/// `[tow]`. Rule 2.5.
fn tow(mut table: Table<'_>, problems: &mut Problems) -> Option<u8> {
    let per_game = table.integer("per_game", 0..=MAX_TOW, problems);
    let per_region = table.integer("per_region", 1..=1u8, problems);
    table.finish(problems);
    per_region?;
    per_game
}

/// `[[region]]`, six of them in the fixed order. Rule 2.3.
fn regions(tables: Vec<Table<'_>>, root: &Table<'_>, problems: &mut Problems) -> Vec<Option<RegionData>> {
    if tables.len() != 6 && !root.is_broken() {
        let span = tables.last().map(Table::span).unwrap_or_default();
        problems
            .error(span, format!("there are {} regions", tables.len()))
            .expected("six: WF, EF, SF, CHN, PAC, ISL");
    }
    let read = tables.into_iter().zip(Region::ALL).map(|(table, id)| {
        problems.set_place(format!("region {id}"));
        let region = region(table, id, problems);
        problems.set_place("");
        region
    });
    read.collect()
}

fn region(mut table: Table<'_>, id: Region, problems: &mut Problems) -> Option<RegionData> {
    if let Some(value) = table.required("id", &any_of(&REGIONS), problems)
        && let Some(found) = value.word(&REGIONS, Region::parse, problems)
        && found != id
    {
        problems
            .error(value.span(), format!("{found} stands in the place of {id}"))
            .expected("the six regions in the order WF, EF, SF, CHN, PAC, ISL");
    }
    let name = name_of("name", &mut table, problems);
    let colour = name_of("colour", &mut table, problems);
    if let Some(value) = table.required("drm", "a list of tracks", problems)
        && let Some(tracks) = parts::tracks(&value, problems)
    {
        let mut fixed = vec![id.main_track()];
        if matches!(id, Region::Wf | Region::Sf) {
            fixed.push(Track::Usa);
        }
        check_fixed(&tracks, &fixed, Track::code, value.span(), problems);
    }
    let max = table.integer("max", 1..=MAX_SPACE, problems);
    let top = max.unwrap_or(MAX_SPACE);
    let start = table.integer("start", 0..=top, problems);
    let vp = table.required("vp", "a list of points", problems).and_then(|value| {
        let vp = parts::vp(&value, problems)?;
        max.is_none_or(|max| parts::check_length("point numbers", vp.len(), max, value.span(), problems))
            .then_some(vp)
    });
    let spaces = table.required("spaces", "a list of names", problems).and_then(|value| {
        let names: Vec<_> = value.list(problems)?.iter().map(|value| parts::name(value, problems)).collect();
        let count = names.len();
        max.is_none_or(|max| parts::check_length("names", count, max, value.span(), problems))
            .then_some(())?;
        names.into_iter().map(|name| Some(name?.as_str().trim().to_owned())).collect::<Option<Vec<_>>>()
    });
    let allied_capital = capital("allied_capital", 0..=0, &mut table, problems);
    let axis_capital = capital("axis_capital", max.unwrap_or(0)..=top, &mut table, problems);
    let strength = table.table("strength", problems).and_then(|table| strengths(table, problems));
    let nations = table.table("nations", problems).and_then(|table| nations(table, problems));
    table.finish(problems);
    let (allied_strength, axis_strength) = strength?;
    let (allied_nations, axis_nations) = nations?;
    Some(RegionData {
        id,
        name: name?,
        colour: colour?,
        start: start?,
        max: max?,
        vp: vp?,
        spaces: spaces?,
        allied_capital,
        axis_capital,
        allied_strength,
        axis_strength,
        allied_nations,
        axis_nations,
    })
}

/// An end of the track that is a capital: the key may be left out, but its number is fixed.
fn capital(
    key: &'static str,
    space: std::ops::RangeInclusive<u8>,
    table: &mut Table<'_>,
    problems: &mut Problems,
) -> bool {
    let Some(value) = table.optional(key) else { return false };
    value.integer(space, problems);
    true
}

fn strengths(mut table: Table<'_>, problems: &mut Problems) -> Option<([u8; 2], [u8; 2])> {
    let [allies, axis] = ["allies", "axis"].map(|side| {
        let value = table.required(side, "a list of two strengths", problems)?;
        parts::strengths(&value, problems)
    });
    table.finish(problems);
    Some((allies?, axis?))
}

fn nations(mut table: Table<'_>, problems: &mut Problems) -> Option<(String, String)> {
    let [allies, axis] = ["allies", "axis"].map(|side| name_of(side, &mut table, problems));
    table.finish(problems);
    Some((allies?, axis?))
}

/// `[die_roll_chart]`. Rule 3.1.
fn chart(mut table: Table<'_>, problems: &mut Problems) -> Option<[ChartEntry; 6]> {
    problems.set_place("die_roll_chart");
    let entries = FACES.map(|face| {
        let value = table.required(face, "\"table N\" or \"major europe\" or \"major pacific\"", problems)?;
        parts::chart_entry(&value, problems)
    });
    table.finish(problems);
    problems.set_place("");
    entries.into_iter().collect::<Option<Vec<_>>>()?.try_into().ok()
}

/// `[major_conflict]`. Rule 3.4.
fn conflicts(mut table: Table<'_>, problems: &mut Problems) -> Option<[ConflictData; 2]> {
    let mut read = |key: &'static str, id: Conflict| {
        let inner = table.table(key, problems)?;
        problems.set_place(format!("major_conflict.{key}"));
        let data = conflict(inner, id, problems);
        problems.set_place("");
        data
    };
    let (europe, pacific) = (read("europe", Conflict::Europe), read("pacific", Conflict::Pacific));
    table.finish(problems);
    Some([europe?, pacific?])
}

fn conflict(mut table: Table<'_>, id: Conflict, problems: &mut Problems) -> Option<ConflictData> {
    let (track, fixed) = match id {
        Conflict::Europe => (Track::Emt, [Region::Wf, Region::Ef, Region::Sf]),
        Conflict::Pacific => (Track::Pmt, [Region::Pac, Region::Isl, Region::Chn]),
    };
    table.word("track", &[track.code()], |word| Track::parse(word).filter(|found| *found == track), problems);
    let mut list = |key, table: &mut Table<'_>| {
        let value: Value<'_> = table.required(key, "a list of regions", problems)?;
        let regions = parts::regions(&value, problems)?;
        check_fixed(&regions, &fixed, Region::code, value.span(), problems).then_some(regions)
    };
    let (regions, bot_order) = (list("regions", &mut table), list("bot_order", &mut table));
    table.finish(problems);
    Some(ConflictData { track, regions: regions?, bot_order: bot_order? })
}

/// `[confidence]`: one row for each gold turn. Rule 3.5.
fn confidence(
    mut table: Table<'_>,
    gold: Option<&[u8]>,
    problems: &mut Problems,
) -> Option<(ConfidenceRule, Vec<ConfidenceRow>)> {
    problems.set_place("confidence");
    let rule = table.word(
        "rule",
        &["at_or_below", "below", "at_or_above"],
        |word| match word {
            "at_or_below" => Some(ConfidenceRule::AtOrBelow),
            "below" => Some(ConfidenceRule::Below),
            "at_or_above" => Some(ConfidenceRule::AtOrAbove),
            _ => None,
        },
        problems,
    );
    let tables = table.optional("row").and_then(|value| value.tables(problems)).unwrap_or_default();
    table.finish(problems);
    let mut rows: Vec<ConfidenceRow> = Vec::new();
    let mut whole = true;
    for mut row in tables {
        let turn = row.required("turn", "a gold turn", problems);
        let turn = turn.and_then(|value| Some((value.integer(1..=LAST_TURN, problems)?, value.span())));
        let points = row.integer("points", 0..=MAX_VP, problems);
        let lose = row.required("lose", "a list of losing results", problems);
        let lose = lose.and_then(|value| parts::losing_faces(&value, problems));
        row.finish(problems);
        if let Some((turn, span)) = turn.clone() {
            if gold.is_some_and(|gold| !gold.contains(&turn)) {
                problems
                    .error(span, format!("turn {turn} is not a gold turn"))
                    .expected("rows for gold turns only");
            } else if rows.iter().any(|row| row.turn == turn) {
                problems
                    .error(span, format!("there is a row for turn {turn} already"))
                    .expected("one row a turn");
            }
        }
        match (turn, points, lose) {
            (Some((turn, _)), Some(points), Some(lose)) => rows.push(ConfidenceRow { turn, points, lose }),
            _ => whole = false,
        }
    }
    rows.sort_by_key(|row| row.turn);
    if whole && !table.is_broken() {
        for turn in gold.unwrap_or_default().iter().filter(|turn| !rows.iter().any(|row| row.turn == **turn))
        {
            problems
                .error(table.span(), format!("there is no row for the gold turn {turn}"))
                .expected("one row a gold turn");
        }
    }
    problems.set_place("");
    Some((rule?, rows)).filter(|_| whole)
}

/// `[[victory.band]]`. Rule 5.2.
fn bands(mut table: Table<'_>, problems: &mut Problems) -> Option<Vec<Band>> {
    problems.set_place("victory");
    let words: Vec<&str> = Verdict::ALL[..6].iter().map(|verdict| verdict.word()).collect();
    let tables = table.tables("band", problems);
    table.finish(problems);
    let tables = tables?;
    let span = tables.first().map(Table::span).unwrap_or_default();
    if tables.is_empty() || tables.len() > MAX_BANDS {
        problems
            .error(span, format!("there are {} victory bands", tables.len()))
            .expected(format!("1 to {MAX_BANDS}"));
        problems.set_place("");
        return None;
    }
    let read: Vec<Option<Band>> = tables
        .into_iter()
        .map(|mut band| {
            let min = band.integer("min", 0..=MAX_VP, problems);
            let result = band.word("result", &words, Verdict::parse_band, problems);
            let other = band.optional("if_axis_holds_capital");
            let other = other.map(|value| value.word(&words, Verdict::parse_band, problems));
            band.finish(problems);
            Some(Band {
                min: min?,
                result: result?,
                if_axis_holds_capital: other.map_or(Some(None), |v| v.map(Some))?,
            })
        })
        .collect();
    let bands: Option<Vec<Band>> = read.into_iter().collect();
    let bands = bands.filter(|bands| parts::check_bands(bands, span, problems));
    problems.set_place("");
    bands
}

/// `[[table]]` with its `[[table.box]]`. Rule 3.2.
fn tables(list: Vec<Table<'_>>, root: &Table<'_>, problems: &mut Problems) -> [TableDraft; 4] {
    let mut drafts: [Option<TableDraft>; 4] = [const { None }; 4];
    for mut table in list {
        problems.set_place("table");
        let id = number("id", 4, &mut table, problems);
        if let Some((id, _)) = id {
            problems.set_place(format!("table {}", id + 1));
        }
        let draft = table_draft(&mut table, id.as_ref().map(|(id, _)| *id), problems);
        table.finish(problems);
        if let Some((id, span)) = id {
            if drafts[id].is_some() {
                problems
                    .error(span, format!("there is a table {} already", id + 1))
                    .expected("tables 1 to 4, each once");
            }
            drafts[id] = Some(draft);
        }
    }
    problems.set_place("");
    if !root.is_broken() {
        let missing: Vec<_> = (1..).zip(&drafts).filter(|(_, draft)| draft.is_none()).collect();
        for (number, _) in missing {
            problems
                .error(root.span(), format!("there is no table {number}"))
                .expected("tables 1 to 4, each once");
        }
    }
    drafts.map(Option::unwrap_or_default)
}

/// A number from 1 that says which of a few this is, as an index from 0.
fn number(
    key: &'static str,
    top: u8,
    table: &mut Table<'_>,
    problems: &mut Problems,
) -> Option<(usize, Range<usize>)> {
    let value = table.required(key, &format!("a whole number from 1 to {top}"), problems)?;
    let number = value.integer(1..=top, problems)?;
    Some((usize::from(number) - 1, value.span()))
}

fn table_draft(table: &mut Table<'_>, id: Option<usize>, problems: &mut Problems) -> TableDraft {
    let place = id.map_or_else(|| "table".to_owned(), |id| format!("table {}", id + 1));
    let name = name_of("name", table, problems).unwrap_or_default();
    let colour = name_of("colour", table, problems).unwrap_or_default();
    let mut boxes: [Option<BoxDraft>; 6] = [const { None }; 6];
    let mut lost = table.is_broken();
    for mut inner in table.tables("box", problems).unwrap_or_default() {
        problems.set_place(place.clone());
        let number = number("n", 6, &mut inner, problems);
        if let (Some(id), Some((number, _))) = (id, &number) {
            problems.set_place(format!("box {}.{}", id + 1, number + 1));
        }
        let title =
            inner.required("title", "a text", problems).and_then(|value| parts::name(&value, problems));
        let text = inner.text("text", problems);
        inner.finish(problems);
        let (Some((number, span)), Some(title), Some(text)) = (number, title, text) else {
            lost = true;
            continue;
        };
        if boxes[number].is_some() {
            problems
                .error(span, format!("there is a box {} already", number + 1))
                .expected("boxes 1 to 6, each once");
        }
        boxes[number] = Some(BoxDraft { title, text });
    }
    problems.set_place(place);
    if !lost {
        for (number, _) in (1..).zip(&boxes).filter(|(_, draft)| draft.is_none()) {
            problems
                .error(table.span(), format!("there is no box {number}"))
                .expected("boxes 1 to 6, each once");
        }
    }
    TableDraft { name, colour, boxes }
}
