//! Worked examples of a rulebook: what every game's checker says about them.

use std::fmt;
use std::ops::Range;

use crate::game::FileCheck;
use crate::source::Problems;

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
