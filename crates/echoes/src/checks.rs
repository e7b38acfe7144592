//! What `maproom check echoes` says about our data and about files that a user wrote.

use diagnostics::FileCheck;
use diagnostics::Problems;
use diagnostics::examples::{Checked, must_pass, report};

use crate::book::Book;
use crate::book_reader::Edition;
use crate::example_runner;
use crate::examples;
use crate::spreads::Spreads;

/// The files that a user may write.
pub(crate) const KINDS: &[(&str, &str)] = &[
    ("book", "a book of your own, in TOML or as plain text with only the 24 boxes (rule 7)"),
    ("spreads", "spreads of your own (rule 7.5)"),
    ("examples", "worked examples in the echoes-examples/1 format (rule 9)"),
];

/// Our own books, spreads and examples.
pub(crate) fn builtin() -> Result<Vec<String>, Problems> {
    let mut lines = Vec::new();
    for edition in [Edition::Allied, Edition::Axis] {
        let (book, _) = Book::parse(edition.word(), crate::book_reader::source_of(edition))?;
        lines.push(book_line(&book));
    }
    for spread in Spreads::builtin().list() {
        for edition in [Edition::Allied, Edition::Axis] {
            Book::builtin(edition).with_spread(spread)?;
        }
        lines.push(format!("spread {:>2}: {} - {}", spread.n, spread.title, spread.blurb));
    }
    let check = file("examples", "examples.toml", examples::SOURCE)?;
    lines.extend(must_pass("examples.toml", examples::SOURCE, check)?);
    Ok(lines)
}

/// What there is of a kind: names and texts.
pub(crate) fn built_in(kind: &str) -> Vec<(&'static str, &'static str)> {
    match kind {
        "book" => [Edition::Allied, Edition::Axis]
            .map(|edition| (edition.word(), crate::book_reader::source_of(edition)))
            .to_vec(),
        "spreads" => vec![("spreads", crate::spreads::SOURCE)],
        _ => Vec::new(),
    }
}

/// A file of a user.
pub(crate) fn file(kind: &str, name: &str, text: &str) -> Result<FileCheck, Problems> {
    match kind {
        "book" => {
            let (book, warnings) = Book::parse(name, text)?;
            Ok(found(vec![book_line(&book)], &warnings))
        }
        "spreads" => {
            let (spreads, warnings) = Spreads::parse(name, text)?;
            let line = format!("{} spreads: {name}", spreads.list().len());
            Ok(found(vec![line], &warnings))
        }
        "examples" => examples_file(name, text),
        _ => {
            let mut problems = Problems::new(name, "");
            problems
                .error(0..0, format!("echoes has no files of the kind {kind:?}"))
                .expected("book, spreads or examples");
            Err(problems)
        }
    }
}

fn found(summary: Vec<String>, warnings: &Problems) -> FileCheck {
    FileCheck { summary, warnings: warnings.to_string(), failures: Vec::new() }
}

fn book_line(book: &Book) -> String {
    let events = book.tables.iter().flat_map(|table| &table.boxes).filter(|data| data.parsed.event.is_some());
    format!(
        "book {:?}: {}, you play the {}, 24 boxes, {} events",
        book.id,
        book.title,
        book.human,
        events.count()
    )
}

/// Plays every example that can be read; one that can't counts as failed.
fn examples_file(name: &str, text: &str) -> Result<FileCheck, Problems> {
    let (list, problems) = examples::read(name, text)?;
    let checked = list.iter().map(|example| Checked {
        id: &example.id,
        about: &example.about,
        span: example.span.clone(),
        wrong: example_runner::run(example),
    });
    Ok(report(&problems, checked))
}
