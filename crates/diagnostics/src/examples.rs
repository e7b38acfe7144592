//! Worked examples of a rulebook: what every game's checker says about them.

use std::fmt;
use std::ops::Range;

use crate::FileCheck;
use crate::datafile::{Document, Table, refuse_huge};
use crate::source::Problems;

/// The most examples in one file.
const MAX_EXAMPLES: usize = 2_000;

/// Something that came out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What was compared, such as `WF` or `result`.
    pub what: String,
    /// What the example expects.
    pub expected: String,
    /// What came out.
    pub found: String,
}

impl Mismatch {
    /// Something that came out differently.
    pub fn new(what: &str, expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { what: what.to_owned(), expected: expected.into(), found: found.into() }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: expected {}, found {}", self.what, self.expected, self.found)
    }
}

/// An example that was played.
pub struct Checked<'a> {
    /// Its number, such as `E02`.
    pub id: &'a str,
    /// What it shows.
    pub about: &'a str,
    /// Where it stands in its file.
    pub span: Range<usize>,
    /// What came out differently; nothing if all is as it should be.
    pub wrong: Vec<Mismatch>,
}

/// Reads what can be read of a file of `[[example]]` tables: one that has an error is left out and stands in the problems.
/// `read` makes an example of a table, `id` says what it is called. `Err` if the file as a whole can't be read.
pub fn read_file<E>(
    name: &str,
    text: &str,
    id: impl Fn(&E) -> &str,
    mut read: impl FnMut(&mut Table<'_>, &mut Problems) -> Option<E>,
) -> Result<(Vec<E>, Problems), Problems> {
    if let Some(refusal) = refuse_huge(name, text) {
        return Err(refusal);
    }
    let mut problems = Problems::new(name, text);
    let document = Document::parse(text, &mut problems);
    if problems.has_errors() {
        return Err(problems);
    }
    let Some(document) = document else { return Err(problems) };
    let mut root = document.root();
    root.integer("schema", 1..=1_u8, &mut problems);
    let tables = root.tables("example", &mut problems);
    root.finish(&mut problems);
    let Some(tables) = tables else { return Err(problems) };
    if tables.len() > MAX_EXAMPLES {
        problems.error(0..0, "there are too many examples").expected(format!("at most {MAX_EXAMPLES}"));
        return Err(problems);
    }
    let mut examples: Vec<E> = Vec::new();
    for mut table in tables {
        let (span, errors) = (table.span(), problems.error_count());
        problems.set_place("example");
        match read(&mut table, &mut problems) {
            Some(example) if problems.error_count() == errors => {
                if examples.iter().any(|known| id(known) == id(&example)) {
                    problems.warn(span, format!("there is an example {:?} already", id(&example)));
                }
                examples.push(example);
            }
            // Nothing may be left out without a word.
            None if problems.error_count() == errors => {
                problems.error(span, "this example can't be read");
            }
            _ => {}
        }
        problems.set_place("");
    }
    Ok((examples, problems))
}

/// The report on a file of examples; those that could not be read stand in `problems` and count as failed.
pub fn report<'a>(problems: &Problems, checked: impl IntoIterator<Item = Checked<'a>>) -> FileCheck {
    let mut failures = Vec::new();
    let (mut all, mut failed) = (0, 0);
    for Checked { id, about, span, wrong } in checked {
        all += 1;
        failed += usize::from(!wrong.is_empty());
        let (name, line) = (problems.name(), problems.position(span.start).line);
        failures.extend(wrong.iter().map(|wrong| format!("{name}:{line}: {id} ({about}): {wrong}")));
    }
    let mut summary = vec![format!("{all} worked examples: {} passed, {failed} failed", all - failed)];
    let mut warnings = problems.to_string();
    if problems.has_errors() {
        let count = problems.error_count();
        let errors = if count == 1 { "error" } else { "errors" };
        summary.push(format!("{count} {errors} in examples that were not played"));
        failures.push(std::mem::take(&mut warnings));
    }
    FileCheck { summary, warnings, failures }
}

/// The report on built-in examples as problems, if any failed.
pub fn must_pass(name: &str, text: &str, check: FileCheck) -> Result<Vec<String>, Problems> {
    if check.failures.is_empty() {
        return Ok(check.summary);
    }
    let mut problems = Problems::new(name, text);
    for failure in check.failures {
        problems.error(0..0, failure);
    }
    Err(problems)
}
