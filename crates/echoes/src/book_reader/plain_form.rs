//! The plain-text form of a book: 24 titles and texts, typed from the page. Rule 7.7.
//!
//! ```text
//! title: My copy
//! edition: allied
//! # A comment.
//! 1.1 Fall of France
//! Event 1940-1941: Axis: ADV WF. Attack WF x2. Allies: 1 Action.
//! Alternate: Axis: Attack WF. Allies: 2 Actions.
//! ```

use diagnostics::Problems;
use diagnostics::datafile::{Text, suggest};

use super::{BoxDraft, Edition, TableDraft, conclude, parts, read_tables};
use crate::book::Book;

/// What an own book without a name is called in saves.
const ID: &str = "own";

/// Whether a text is a book in its plain form: its first line is a header or the number of a box.
pub(super) fn is_plain(text: &str) -> bool {
    let first = lines(text).find(|(_, line)| !is_passed_over(line));
    first.is_some_and(|(_, line)| heading(line).is_some() || header(line).is_some())
}

/// The lines of a text with their offsets, without line ends and without a byte order mark.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut offset = text.len() - body.len();
    body.split_inclusive('\n').map(move |line| {
        let start = offset;
        offset += line.len();
        (start, line.trim_end_matches(['\n', '\r']))
    })
}

fn is_passed_over(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// `key: value` before the first box.
fn header(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim();
    ["title", "edition"].iter().any(|known| key.eq_ignore_ascii_case(known)).then_some((key, value))
}

/// The numbers of `1.1 Fall of France`, and where the title begins in the line.
fn heading(line: &str) -> Option<(u32, u32, usize)> {
    let digit = |c: char| c.to_digit(10);
    let indent = line.len() - line.trim_start().len();
    let mut rest = line.trim_start().chars();
    let table = digit(rest.next()?)?;
    if rest.next()? != '.' {
        return None;
    }
    let number = digit(rest.next()?)?;
    let after = rest.as_str();
    if after.starts_with(|c: char| c.is_alphanumeric() || c == '-') {
        return None;
    }
    let title = after.trim_start_matches([' ', '\t', '.', ':', ')']);
    Some((table, number, indent + line.trim_start().len() - title.len()))
}

/// Reads and checks a book in its plain form; everything but the boxes comes from the built-in book.
pub(super) fn read(name: &str, text: &str) -> Result<(Book, Problems), Problems> {
    let mut problems = Problems::new(name, text);
    let (head, boxes) = split(text, &mut problems);
    let (title, edition) = headers(&head, &mut problems);
    let base = Book::builtin(edition.unwrap_or(Edition::Allied));
    let mut drafts = base.tables.each_ref().map(|table| TableDraft {
        name: table.name.clone(),
        colour: table.colour.clone(),
        boxes: [const { None }; 6],
    });
    for heading in boxes {
        place_box(heading, &mut drafts, &mut problems);
    }
    missing_boxes(&drafts, text.len(), &mut problems);
    let tables = read_tables(drafts, base.human, base.region_max(), &mut problems);
    let book = tables.map(|tables| Book {
        id: ID.to_owned(),
        title: title.unwrap_or_else(|| format!("{} (own boxes)", base.title)),
        tables,
        ..base.clone()
    });
    conclude(book, problems)
}

/// A box as found: its numbers, title and lines.
struct Found<'t> {
    table: u32,
    number: u32,
    head: (usize, &'t str),
    title: Text,
    lines: Vec<(usize, &'t str)>,
}

/// Cuts the text into the lines before the first box, and the boxes.
fn split<'t>(text: &'t str, problems: &mut Problems) -> (Vec<(usize, &'t str)>, Vec<Found<'t>>) {
    let mut head = Vec::new();
    let mut boxes: Vec<Found<'t>> = Vec::new();
    for (offset, line) in lines(text).filter(|(_, line)| !is_passed_over(line)) {
        if let Some((table, number, title)) = heading(line) {
            // Far more headings than boxes: the rest only repeats the same complaint.
            if boxes.len() >= 100 {
                problems
                    .error(offset..offset + line.len(), "there are more than 100 boxes")
                    .expected("24 boxes");
                break;
            }
            let title = Text::from_lines([(offset + title, line[title..].trim_end())]);
            boxes.push(Found { table, number, head: (offset, line), title, lines: Vec::new() });
        } else if let Some(last) = boxes.last_mut() {
            last.lines.push((offset, line));
        } else {
            head.push((offset, line));
        }
    }
    (head, boxes)
}

fn headers(head: &[(usize, &str)], problems: &mut Problems) -> (Option<String>, Option<Edition>) {
    let (mut title, mut edition) = (None, None);
    for (offset, line) in head {
        let span = *offset..offset + line.len();
        let Some((key, value)) = header(line) else {
            let problem = problems.error(span, "this line stands before the first box");
            problem.expected("\"title: …\", \"edition: allied\" or the number and title of a box such as \"1.1 Fall of France\"");
            suggest(problem, line.split(':').next().unwrap_or_default().trim(), ["title", "edition"]);
            continue;
        };
        let value_at = offset + (line.len() - value.trim_start().len());
        let value = Text::from_lines([(value_at, value.trim())]);
        if key.eq_ignore_ascii_case("title") {
            if parts::check_name(&value, problems) {
                title = Some(value.as_str().to_owned());
            }
        } else {
            edition = Edition::parse(value.as_str());
            if edition.is_none() {
                let problem = problems.error(value.span(), "there is no such edition");
                problem.expected("allied or axis");
                suggest(problem, value.as_str(), ["allied", "axis"]);
            }
        }
    }
    (title, edition)
}

fn place_box(found: Found<'_>, drafts: &mut [TableDraft; 4], problems: &mut Problems) {
    let (offset, line) = found.head;
    let span = offset..offset + line.len();
    let (table, number) = (found.table as usize, found.number as usize);
    if !(1..=4).contains(&table) || !(1..=6).contains(&number) {
        problems
            .error(span, format!("there is no box {table}.{number}"))
            .expected("tables 1 to 4 with boxes 1 to 6");
        return;
    }
    problems.set_place(format!("box {table}.{number}"));
    let slot = &mut drafts[table - 1].boxes[number - 1];
    if slot.is_some() {
        problems.error(span, format!("box {table}.{number} appears twice")).expected("every box once");
    } else if found.title.as_str().is_empty() {
        problems
            .error(span, "the box has no title")
            .expected("a title after the number, because it names the event");
    } else {
        parts::check_name(&found.title, problems);
    }
    let mut text = Text::from_lines(found.lines);
    if text.as_str().is_empty() {
        // An empty box is complained about at its heading.
        text = Text::from_lines([(offset + line.len(), "")]);
    }
    *slot = Some(BoxDraft { title: found.title, text });
    problems.set_place("");
}

fn missing_boxes(drafts: &[TableDraft; 4], end: usize, problems: &mut Problems) {
    let missing: Vec<String> = (1..)
        .zip(drafts)
        .flat_map(|(table, draft)| (1..).zip(&draft.boxes).map(move |(number, draft)| (table, number, draft)))
        .filter(|(_, _, draft)| draft.is_none())
        .map(|(table, number, _)| format!("{table}.{number}"))
        .collect();
    if !missing.is_empty() {
        let word = if missing.len() == 1 { "box" } else { "boxes" };
        problems
            .error(end..end, format!("missing: {word} {}", missing.join(", ")))
            .expected("all 24 boxes, 1.1 to 4.6");
    }
}
