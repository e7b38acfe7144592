//! The 24 spreads: each is a small change to either edition of the book. Rule 7.5.

mod delta;

use std::sync::{Arc, LazyLock};

use diagnostics::datafile::{Document, Table, refuse_huge, suggest};
use diagnostics::{Problems, Severity};

use self::delta::{BoxDelta, Delta};
use crate::book::Book;
use crate::book_reader::{Edition, box_place, conclude, parts, read_box};
use crate::box_language::{BoxContext, asked_titles, find_title, folded};
use crate::ids::Side;

const FORMAT: &str = "echoes-spreads/1";
/// The highest number of a spread; the book has 24.
const MAX_SPREADS: u8 = 99;

/// The text of the built-in spreads, as a start for own ones.
pub const SOURCE: &str = include_str!("../data/spreads.toml");

/// The spreads of a file, checked against both built-in books.
#[derive(Clone, Debug)]
pub struct Spreads {
    list: Vec<Spread>,
}

/// One spread: what it changes in the book. Applied by [`Book::with_spread`].
#[derive(Clone, Debug)]
pub struct Spread {
    /// Its number.
    pub n: u8,
    /// Its title.
    pub title: String,
    /// A sentence about it.
    pub blurb: String,
    source: Arc<Source>,
    common: Delta,
    allied: Delta,
    axis: Delta,
}

/// The file that a spread comes from, for messages about it.
#[derive(Debug)]
struct Source {
    name: String,
    text: String,
}

static BUILT_IN: LazyLock<Spreads> = LazyLock::new(|| {
    Spreads::parse("spreads.toml", SOURCE).expect("the built-in spreads are guarded by a test").0
});

impl Spreads {
    /// The spreads that come with the game.
    pub fn builtin() -> &'static Self {
        &BUILT_IN
    }

    /// The spread of a number.
    pub fn get(&self, n: u8) -> Option<&Spread> {
        self.list.iter().find(|spread| spread.n == n)
    }

    /// All spreads by number.
    pub fn list(&self) -> &[Spread] {
        &self.list
    }

    /// Reads a file of spreads and tries each of them on both built-in books. `Ok` holds the warnings as well.
    pub fn parse(name: &str, text: &str) -> Result<(Self, Problems), Problems> {
        if let Some(refusal) = refuse_huge(name, text) {
            return Err(refusal);
        }
        let mut problems = Problems::new(name, text);
        let document = Document::parse(text, &mut problems);
        let source = Arc::new(Source { name: name.to_owned(), text: text.to_owned() });
        let list = document.as_ref().and_then(|document| spreads(document.root(), &source, &mut problems));
        for spread in list.iter().flatten() {
            for edition in Edition::ALL {
                let mut found = Problems::new(name, "");
                spread.apply(Book::builtin(edition), &mut found);
                merge(&found, &mut problems);
            }
            spread.unknown_events(&mut problems);
        }
        conclude(list.map(|list| Self { list }), problems)
    }
}

/// Adds the findings of a trial that are not known yet: a change for both editions fails in both.
fn merge(found: &Problems, problems: &mut Problems) {
    for problem in found.list() {
        let known =
            problems.list().iter().any(|known| known.span == problem.span && known.what == problem.what);
        if known {
            continue;
        }
        problems.set_place(problem.place.clone());
        let added = match problem.severity {
            Severity::Error => problems.error(problem.span.clone(), problem.what.clone()),
            Severity::Warning => problems.warn(problem.span.clone(), problem.what.clone()),
        };
        added.expected.clone_from(&problem.expected);
        added.hint.clone_from(&problem.hint);
    }
    problems.set_place("");
}

fn spreads(mut root: Table<'_>, source: &Arc<Source>, problems: &mut Problems) -> Option<Vec<Spread>> {
    if !root.check_format(FORMAT, problems) {
        return None;
    }
    let tables = root.tables("spread", problems);
    root.finish(problems);
    let mut list: Vec<Spread> = Vec::new();
    for table in tables? {
        if list.len() >= usize::from(MAX_SPREADS) {
            problems
                .error(table.span(), "there are too many spreads")
                .expected(format!("at most {MAX_SPREADS}"));
            break;
        }
        problems.set_place("spread");
        let (span, errors) = (table.span(), problems.error_count());
        match read_spread(table, source, &list, problems) {
            Some(spread) => list.push(spread),
            // Nothing may be left out without a word.
            None if problems.error_count() == errors => {
                problems.error(span, "this spread can't be read");
            }
            None => {}
        }
        problems.set_place("");
    }
    list.sort_by_key(|spread| spread.n);
    Some(list)
}

fn read_spread(
    mut table: Table<'_>,
    source: &Arc<Source>,
    before: &[Spread],
    problems: &mut Problems,
) -> Option<Spread> {
    let number = table.required("n", "the number of the spread", problems);
    let n = number.and_then(|value| value.integer(1..=MAX_SPREADS, problems));
    let title = table.required("title", "a text", problems).and_then(|value| parts::name(&value, problems));
    let title = title.map(|title| folded(title.as_str()));
    if let (Some(n), Some(title)) = (n, &title) {
        problems.set_place(format!("spread {n} \"{title}\""));
    }
    if let (Some(n), Some(number)) = (n, number)
        && before.iter().any(|spread| spread.n == n)
    {
        problems.error(number.span(), format!("there is a spread {n} already")).expected("every number once");
    }
    let blurb = table.text("blurb", problems).map(|blurb| folded(blurb.as_str()));
    let common = Delta::read(&mut table, problems);
    let [allied, axis] = ["allied", "axis"].map(|edition| {
        let Some(mut inner) = table.optional(edition).and_then(|value| value.table(problems)) else {
            return Delta::default();
        };
        let delta = Delta::read(&mut inner, problems);
        inner.finish(problems);
        delta
    });
    table.finish(problems);
    Some(Spread { n: n?, title: title?, blurb: blurb?, source: Arc::clone(source), common, allied, axis })
}

impl Book {
    /// This book with the changes of a spread, checked. Messages point into the spread's file.
    pub fn with_spread(&self, spread: &Spread) -> Result<(Self, Problems), Problems> {
        let source = &spread.source;
        let mut problems = Problems::new(&source.name, &source.text);
        let book = spread.apply(self, &mut problems);
        conclude(Some(book), problems)
    }
}

impl Spread {
    /// The changes for the edition in which the human plays a side, in the order they are applied.
    fn deltas(&self, human: Side) -> [&Delta; 2] {
        match human {
            Side::Allies => [&self.common, &self.allied],
            Side::Axis => [&self.common, &self.axis],
        }
    }

    /// The book with this spread's changes; whatever does not fit is reported, with places in the spread's file.
    fn apply(&self, base: &Book, problems: &mut Problems) -> Book {
        let place =
            format!("spread {} \"{}\", {} edition", self.n, self.title, Edition::of(base.human).word());
        problems.set_place(place.clone());
        let mut book = base.clone();
        let deltas = self.deltas(base.human);
        for delta in deltas {
            delta.apply(&mut book, problems);
        }
        let boxes: Vec<&BoxDelta> = deltas.into_iter().flat_map(|delta| &delta.boxes).collect();
        change_boxes(&mut book, base, &boxes, &place, problems);
        problems.set_place(place);
        for title in deltas.into_iter().flat_map(|delta| &delta.done) {
            let titles = book.titles();
            let Some(known) = find_title(title.as_str(), &titles).map(str::to_owned) else { continue };
            for data in book.tables.iter_mut().flat_map(|table| &mut table.boxes) {
                if data.title != known {
                    continue;
                }
                if data.parsed.event.is_none() {
                    problems.warn(title.span(), format!("the box \"{known}\" has no Event to be done"));
                }
                data.done = data.parsed.event.is_some();
            }
        }
        problems.set_place("");
        book
    }

    /// Warns of events in `done` that neither edition nor this spread knows.
    fn unknown_events(&self, problems: &mut Problems) {
        let deltas = [&self.common, &self.allied, &self.axis];
        let mut titles: Vec<&str> = Edition::ALL.iter().flat_map(|e| Book::builtin(*e).titles()).collect();
        titles.extend(deltas.iter().flat_map(|delta| &delta.boxes).filter_map(BoxDelta::new_title));
        problems.set_place(format!("spread {} \"{}\"", self.n, self.title));
        for title in deltas.iter().flat_map(|delta| &delta.done) {
            if find_title(title.as_str(), &titles).is_none() {
                let problem = problems.warn(title.span(), "no edition has a box with this title");
                problem.expected("the title of an event");
                suggest(problem, title.as_str(), titles.iter().copied());
            }
        }
        problems.set_place("");
    }
}

/// Changes titles first, because the texts of boxes can name them, then texts.
fn change_boxes(book: &mut Book, base: &Book, boxes: &[&BoxDelta], place: &str, problems: &mut Problems) {
    for (index, change) in boxes.iter().enumerate() {
        if boxes[..index].iter().any(|before| (before.table, before.number) == (change.table, change.number))
        {
            problems
                .error(change.span.clone(), format!("box {} is changed twice", change.label()))
                .expected("one change a box");
        }
        if let Some(title) = change.new_title() {
            book.tables[change.table].boxes[change.number].title = folded(title);
        }
    }
    for change in boxes {
        let Some(title) = &change.title else { continue };
        let alike =
            book.titles().iter().filter(|known| find_title(title.as_str(), &[**known]).is_some()).count();
        if alike > 1 {
            problems
                .error(title.span(), format!("another box is called \"{}\" too", title.as_str()))
                .expected("24 different titles, because they name the events");
        }
    }
    let current = book.clone();
    let titles = current.titles();
    let context = BoxContext { human: book.human, titles: &titles, region_max: book.region_max() };
    for change in boxes {
        let Some(text) = &change.text else { continue };
        let data = &mut book.tables[change.table].boxes[change.number];
        let label = box_place(change.table + 1, change.number + 1, &data.title);
        problems.set_place(format!("{place}, {label}"));
        if let Some(parsed) = read_box(text, &context, problems) {
            text.as_str().clone_into(&mut data.text);
            data.parsed = parsed;
        }
    }
    problems.set_place(place);
    for change in boxes.iter().filter(|change| change.title.is_some()) {
        let old = &base.tables[change.table].boxes[change.number].title;
        if find_title(old, &titles).is_some() {
            continue;
        }
        let asking = book.boxes().find(|data| asked_titles(&data.parsed).iter().any(|asked| asked == old));
        if let Some(data) = asking {
            problems
                .error(
                    change.span.clone(),
                    format!("the box \"{}\" still asks for the event \"{old}\"", data.title),
                )
                .expected("the old title, or a new text for that box as well");
        }
    }
}

#[cfg(test)]
mod tests;
