//! Reading books: the TOML form and the plain-text form, both checked whole. Rules 7.4, 7.7.

pub(crate) mod parts;
mod plain_form;
mod toml_form;

use std::sync::LazyLock;

use diagnostics::Problems;
use diagnostics::datafile::{Text, refuse_huge};

use crate::book::{Book, BoxData, RegionData, TableData};
use crate::box_language::{BoxContext, BoxReport, BoxText, find_title, folded, parse_box};
use crate::ids::Side;

/// The two editions of the book that come with the game. Rule 1.0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edition {
    /// The human plays the Allies.
    Allied,
    /// The human plays the Axis.
    Axis,
}

impl Edition {
    /// Both editions.
    pub const ALL: [Self; 2] = [Self::Allied, Self::Axis];

    /// Reads `allied` or `axis` in any case; `allies` is accepted too.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "allied" | "allies" => Some(Self::Allied),
            "axis" => Some(Self::Axis),
            _ => None,
        }
    }

    /// The word that files and the command line use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Allied => "allied",
            Self::Axis => "axis",
        }
    }

    /// The side that the human plays.
    pub const fn human(self) -> Side {
        match self {
            Self::Allied => Side::Allies,
            Self::Axis => Side::Axis,
        }
    }

    /// The edition in which the human plays this side.
    pub const fn of(human: Side) -> Self {
        match human {
            Side::Allies => Self::Allied,
            Side::Axis => Self::Axis,
        }
    }
}

/// The text of a built-in book, as a start for an own one.
pub const fn source_of(edition: Edition) -> &'static str {
    match edition {
        Edition::Allied => include_str!("../data/book.toml"),
        Edition::Axis => include_str!("../data/book-axis.toml"),
    }
}

static ALLIED: LazyLock<Book> = LazyLock::new(|| built_in(Edition::Allied));
static AXIS: LazyLock<Book> = LazyLock::new(|| built_in(Edition::Axis));

fn built_in(edition: Edition) -> Book {
    Book::parse(edition.word(), source_of(edition)).expect("the built-in book is guarded by a test").0
}

impl Book {
    /// Reads a book in either form and checks all of it. `Ok` holds the warnings as well.
    pub fn parse(name: &str, text: &str) -> Result<(Self, Problems), Problems> {
        if let Some(refusal) = refuse_huge(name, text) {
            return Err(refusal);
        }
        if plain_form::is_plain(text) { plain_form::read(name, text) } else { toml_form::read(name, text) }
    }

    /// The built-in book of an edition.
    pub fn builtin(edition: Edition) -> &'static Self {
        match edition {
            Edition::Allied => &ALLIED,
            Edition::Axis => &AXIS,
        }
    }

    /// The titles of the 24 boxes, table by table.
    pub fn titles(&self) -> Vec<&str> {
        self.boxes().map(|data| data.title.as_str()).collect()
    }

    /// The highest space of each region.
    pub fn region_max(&self) -> [u8; 6] {
        self.regions.each_ref().map(|region| region.max)
    }

    /// The 24 boxes, table by table.
    pub(crate) fn boxes(&self) -> impl Iterator<Item = &BoxData> {
        self.tables.iter().flat_map(|table| &table.boxes)
    }
}

/// A box as it stands in a file, before its text is read.
struct BoxDraft {
    title: Text,
    text: Text,
}

/// A table as it stands in a file; what is missing has been reported.
#[derive(Default)]
struct TableDraft {
    name: String,
    colour: String,
    boxes: [Option<BoxDraft>; 6],
}

/// How messages call a box; tables and boxes are counted from 1.
pub(crate) fn box_place(table: usize, number: usize, title: &str) -> String {
    format!("box {table}.{number} \"{}\"", folded(title))
}

/// Reads the text of one box, with complaints at its place in the file.
pub(crate) fn read_box(text: &Text, context: &BoxContext<'_>, problems: &mut Problems) -> Option<BoxText> {
    let locate = |span| text.locate(span);
    parse_box(text.as_str(), context, &mut BoxReport::new(problems, &locate))
}

/// Reads the texts of all boxes: the titles must be known first, because conditions name them.
fn read_tables(
    drafts: [TableDraft; 4],
    human: Side,
    region_max: [u8; 6],
    problems: &mut Problems,
) -> Option<[TableData; 4]> {
    unique_titles(&drafts, problems);
    let titles: Vec<String> = drafts
        .iter()
        .flat_map(|table| table.boxes.iter().flatten())
        .map(|draft| folded(draft.title.as_str()))
        .collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let context = BoxContext { human, titles: &titles, region_max };
    let mut tables = Vec::new();
    for (table, draft) in (1..).zip(drafts) {
        let mut boxes = Vec::new();
        for (number, draft) in (1..).zip(&draft.boxes) {
            let Some(draft) = draft else { continue };
            problems.set_place(box_place(table, number, draft.title.as_str()));
            if let Some(parsed) = read_box(&draft.text, &context, problems) {
                let (title, text) = (folded(draft.title.as_str()), draft.text.as_str().to_owned());
                boxes.push(BoxData { title, text, parsed, done: false });
            }
        }
        if let Ok(boxes) = boxes.try_into() {
            tables.push(TableData { name: draft.name, colour: draft.colour, boxes });
        }
    }
    problems.set_place("");
    tables.try_into().ok()
}

/// Titles name the events, so no two boxes may share one.
fn unique_titles(drafts: &[TableDraft; 4], problems: &mut Problems) {
    let mut seen: Vec<String> = Vec::new();
    for (table, draft) in (1..).zip(drafts) {
        for (number, draft) in (1..).zip(&draft.boxes) {
            let Some(BoxDraft { title, .. }) = draft else { continue };
            let known: Vec<&str> = seen.iter().map(String::as_str).collect();
            if find_title(title.as_str(), &known).is_some() {
                problems.set_place(format!("box {table}.{number}"));
                problems
                    .error(
                        title.span(),
                        format!("a box before this one is called \"{}\" too", title.as_str()),
                    )
                    .expected("24 different titles, because they name the events");
            }
            seen.push(title.as_str().to_owned());
        }
    }
    problems.set_place("");
}

/// The result of a reader: the value only if nothing is wrong.
pub(crate) fn conclude<T>(value: Option<T>, mut problems: Problems) -> Result<(T, Problems), Problems> {
    problems.set_place("");
    match value {
        Some(value) if !problems.has_errors() => Ok((value, problems)),
        Some(_) => Err(problems),
        None => {
            if !problems.has_errors() {
                problems.error(0..0, "the file is not complete");
            }
            Err(problems)
        }
    }
}

/// The highest space of each region that was read, and the default one where it was not.
fn region_max(regions: &[Option<RegionData>]) -> [u8; 6] {
    let mut max = [crate::book::MAX_SPACE; 6];
    for (max, region) in max.iter_mut().zip(regions) {
        *max = region.as_ref().map_or(*max, |region| region.max);
    }
    max
}

#[cfg(test)]
mod tests;
